"""The source archive beside the wheel: it holds all that its manifests name."""

import os
import pathlib
import posixpath
import tarfile
import tomllib
import unittest
import zipfile
from email.parser import HeaderParser

WHEEL = pathlib.Path(os.environ["NBMEDIC_WHEEL"])
PROBES = pathlib.Path(os.environ["NBMEDIC_PROBE_BUILT"])


def paths(table):
    """Every path of a table of a manifest."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from paths(value)
        elif name == "path":
            yield value


class Sdist(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        (path,) = WHEEL.parent.glob("nbmedic-*.tar.gz")
        cls.files = {}
        with tarfile.open(path) as archive:
            for one in archive:
                if one.isfile():
                    cls.files[one.name.partition("/")[2]] = archive.extractfile(one).read()
        with zipfile.ZipFile(WHEEL) as wheel:
            cls.installed = {name: wheel.read(name) for name in wheel.namelist()}

    def manifest(self, name):
        return tomllib.loads(self.files[name].decode())

    def test_every_crate_that_a_manifest_names_is_there(self):
        looked, todo = set(), [self.manifest("pyproject.toml")["tool"]["maturin"]["manifest-path"], "Cargo.toml"]
        while todo:
            name = todo.pop()
            if name in looked:
                continue
            looked.add(name)
            self.assertTrue(name in self.files, name)
            manifest, folder = self.manifest(name), posixpath.dirname(name)
            # The probe has a workspace of its own, which is not built here.
            workspace = manifest.get("workspace", {}) if name == "Cargo.toml" else {}
            named = [*workspace.get("members", [])]
            for table in ("dependencies", "build-dependencies", "patch", "target"):
                named += paths(manifest.get(table, {}))
            # What no crate here uses need not be there.
            named += (one["path"] for one in workspace.get("dependencies", {}).values() if "path" in one and f"{one['path']}/Cargo.toml" in self.files)
            todo += (posixpath.normpath(posixpath.join(folder, one, "Cargo.toml")) for one in named)
        self.assertGreater(len(looked), 30)

    def test_it_holds_the_packages_modules_and_the_probe(self):
        modules = [name for name in self.installed if name.startswith("nbmedic/") and name.endswith((".py", ".pyi", "py.typed"))]
        self.assertIn("nbmedic/_values.py", modules)
        for name in modules:
            self.assertEqual(self.files.get(name), self.installed[name], name)
        share = "data/data/share/nbmedic-probe/"
        built = {f"{share}{path.name}" for path in PROBES.glob("nbmedic-probe-*")}
        self.assertEqual({name for name in self.files if name.startswith(share)}, {*built, f"{share}cell.py"})

    def test_it_says_of_itself_what_the_wheel_says(self):
        (told,) = (self.installed[name] for name in self.installed if name.endswith(".dist-info/METADATA"))
        wheel, sdist = (HeaderParser().parsestr(text.decode()) for text in (told, self.files["PKG-INFO"]))
        for name in ("Name", "Version", "Requires-Python", "Requires-Dist", "License-Expression", "Project-URL", "Keywords"):
            self.assertTrue(wheel.get_all(name), name)
            self.assertEqual(sdist.get_all(name), wheel.get_all(name))
        # A panic must reach Python as an exception, also where pip builds.
        profile = self.manifest("pyproject.toml")["tool"]["maturin"]["profile"]
        self.assertEqual(self.manifest("Cargo.toml")["profile"][profile]["panic"], "unwind")


if __name__ == "__main__":
    unittest.main()
