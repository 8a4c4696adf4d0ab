"""The command `nbmedic`."""

import sys

from . import _engine


def main() -> None:
    """Runs the command line of this process and ends it with its exit status."""
    if sys.argv[1:2] == ["fleet"]:
        from .fleet import main as fleet

        sys.exit(fleet(sys.argv[2:]))
    if sys.argv[1:2] == ["fix"] and "--try" in sys.argv:
        from ._saved import main as saved

        sys.exit(saved([word for word in sys.argv[2:] if word != "--try"]))
    sys.exit(_engine.command(["nbmedic", *sys.argv[1:]]))
