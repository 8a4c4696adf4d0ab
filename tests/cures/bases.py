"""The working notebooks that are broken: files in percent format, or notebooks."""

import ast
import dataclasses
import hashlib
import json
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent / "bases"
# The libraries by whose name a base is counted if it does not say one, the most particular first.
LIBRARIES = {
    "transformers": "transformers", "datasets": "transformers", "torch": "torch", "keras": "keras", "tensorflow": "keras", "jax": "jax",
    "xgboost": "boosting", "lightgbm": "boosting", "cv2": "pictures", "PIL": "pictures", "polars": "polars", "statsmodels": "scipy",
    "seaborn": "plots", "sklearn": "sklearn", "matplotlib": "plots", "scipy": "scipy", "pandas": "pandas", "numpy": "numpy",
}
# Which environment has a library.
GROUPS = {"torch": "torch", "transformers": "torch", "keras": "tensorflow", "jax": "jax"}


@dataclasses.dataclass
class Base:
    name: str
    library: str
    group: str
    compare: list
    # (kind, source) of each cell, markdown included; positions count from 1.
    cells: list
    # A folder whose files the program finds in its own.
    files: str = ""

    @property
    def steps(self):
        """What a run from top to bottom does: [position, source] of each code cell."""
        return [[i, text] for i, (kind, text) in enumerate(self.cells, 1) if kind == "code"]

    @property
    def digest(self):
        return hashlib.sha256(json.dumps([self.cells, self.compare]).encode()).hexdigest()[:16]


def percent(text):
    """(header, cells) of a text with `# %%` before each cell. Their kind is the word in brackets behind it, or `code`."""
    head, *parts = re.split(r"(?m)^# %%(.*)\n?", text)
    cells = []
    for mark, code in zip(parts[::2], parts[1::2]):
        code = code.strip("\n")
        kind = re.search(r"\[(\w+)\]", mark)
        if kind and kind[1] == "markdown":
            code = re.sub(r"(?m)^# ?", "", code)
        cells.append((kind[1] if kind else "code", code))
    return head, cells


def words(head, key):
    found = re.search(rf"(?m)^# *{key}: *(.*)$", head)
    return [one.strip() for one in found[1].split(",") if one.strip()] if found else []


def notebook_cells(text):
    """(kind, source) of the cells of a notebook's JSON."""
    def whole(source):
        return source if isinstance(source, str) else "".join(source)

    return [("code" if cell["cell_type"] == "code" else "markdown", whole(cell["source"])) for cell in json.loads(text)["cells"]]


def imported(cells):
    """The top-level modules that the cells import."""
    found = set()
    for kind, text in cells:
        try:
            tree = ast.parse(text) if kind == "code" else ast.Module([], [])
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found |= {one.name.split(".")[0] for one in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.split(".")[0])
    return found


def assigned(cells):
    """Every public name that the cells set at the top, for bases that do not say what is compared."""
    names = {}
    for kind, text in cells:
        with_tree = ast.parse(text) if kind == "code" else ast.Module([], [])
        for node in with_tree.body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            for target in targets:
                names.update({one.id: None for one in ast.walk(target) if isinstance(one, ast.Name) and not one.id.startswith("_")})
    return list(names)


def read(path, root):
    text = path.read_text(encoding="utf-8")
    head, cells = ("", notebook_cells(text)) if path.suffix == ".ipynb" else percent(text)
    modules = imported(cells)
    guess = next((library for module, library in LIBRARIES.items() if module in modules), "python")
    library = (words(head, "library") or [guess])[0]
    group = GROUPS.get(guess, "data")
    compare = words(head, "compare") or assigned(cells)
    files = path.with_suffix("")
    return Base(str(path.relative_to(root).with_suffix("")), library, group, compare, cells, str(files) if files.is_dir() else "")


def every(folder=None):
    """The bases of a folder, by name. Files that cannot be read as Python (magics) are left out."""
    root = pathlib.Path(folder or HERE).resolve()
    found = []
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.ipynb")]):
        if path.suffix == ".py" and not re.search(r"(?m)^# %%", path.read_text(encoding="utf-8")):
            continue
        try:
            base = read(path, root)
            for kind, text in base.cells:
                if kind == "code":
                    ast.parse(text)
        except (SyntaxError, ValueError, KeyError):
            continue
        found.append(base)
    return found
