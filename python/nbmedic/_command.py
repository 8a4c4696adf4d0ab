"""The command `nbmedic`."""

import sys

from . import _engine


def main() -> None:
    """Runs the command line of this process and ends it with its exit status."""
    sys.exit(_engine.command(["nbmedic", *sys.argv[1:]]))
