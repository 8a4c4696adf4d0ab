"""A case: its content, and how a fix's code gets into its program. Needs neither kernel nor engine."""

import ast
import copy
import json
import pathlib
import re
import textwrap

try:
    import tomllib
except ImportError:  # before Python 3.11
    from pip._vendor import tomli as tomllib

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE / "cases"
UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
SIZES, COUNTS = ("memory", "disk", "shm", "address_space", "file_size"), ("files", "processes")
LOOK = {"shows", "shows_in", "answers", "fails", "take", "rename"}
ALSO = {"fix", "apply", "more"} | LOOK
KEYS = {
    "title", "diagnosis", "variant", "fix", "env", "needs", "probe", "keep", "kill", "rerun", "line", "seconds", "limit", "set",
    "apply", "tried", "also", "own", "more", "interrupt", "failed", "programs",
} | LOOK
STEP = {"cell", "take", "rename", "replace", "before", "after", "wrap", "drop", "new", "deeper"}
PLACES = ("replace", "before", "after", "wrap", "drop", "new")
TRIED = {"remedy", "code", "cell", "replace", "before", "after", "new", "variant", "diagnosis", "says"}


class Wrong(Exception):
    """The case itself is wrong, or no longer matches the catalogue."""


def size(text):
    number, unit = text.split()
    return int(float(number) * UNITS[unit])


class Remedy:
    """One fix of the case's diagnosis, and how to apply it to the program."""

    def __init__(self, case, data):
        self.fix, self.steps = data["fix"], data.get("apply", [])
        self.shows, self.shows_in, self.answers = data.get("shows", ""), data.get("shows_in", ""), data.get("answers", [])
        self.fails = data.get("fails", False)
        # A fix that inspects goes below the cell that failed, unless the case says otherwise.
        self.below = {k: data[k] for k in ("take", "rename") if k in data} | {"new": True} if self.shows and not self.steps else None
        self.more = case.limits(data.get("more", {}))
        for step in [*self.steps, *filter(None, [self.below])]:
            case.check(not (set(step) - STEP), f"unknown in [[apply]]: {set(step) - STEP}")
            case.check(sum(p in step for p in PLACES) == 1, f"one place, please: {step}")
            for old, new in step.get("rename", {}).items():
                case.check(plain(new), f"not a name or a value, but code: {new!r} for {old!r}")


class Case:
    """`cases/<framework>/<case>/`: `broken.ipynb` and `case.toml`."""

    def __init__(self, folder):
        self.folder = folder
        self.name = f"{folder.parent.name}/{folder.name}"
        self.notebook = json.loads((folder / "broken.ipynb").read_text(encoding="utf-8"))
        data = tomllib.loads((folder / "case.toml").read_text(encoding="utf-8"))
        self.check(not (set(data) - KEYS), f"unknown: {set(data) - KEYS}")
        self.title, self.diagnosis, self.fix = data["title"], data["diagnosis"], data["fix"]
        said = data.get("variant", "")
        # Several if it depends on what the machine shows; the first is the usual one.
        self.variants = said if isinstance(said, list) else [said]
        self.variant = self.variants[0]
        self.env = data.get("env", "tensorflow" if folder.parent.name in ("tensorflow", "keras", "jax") else "torch")
        self.needs = data.get("needs", [])
        self.probe, self.keep, self.rerun = data.get("probe", False), data.get("keep", False), data.get("rerun", False)
        self.kill, self.seconds, self.variables = data.get("kill", ""), data.get("seconds", 120), data.get("set", {})
        self.line, self.interrupt, self.failed = data.get("line"), data.get("interrupt", ""), data.get("failed", "")
        self.tried = data.get("tried", [])
        self.programs = data.get("programs", [])
        self.own = data.get("own", False)
        self.limit = self.limits(data.get("limit", {}))
        self.remedies = [Remedy(self, data), *(Remedy(self, one) for one in data.get("also", []))]
        for one in data.get("also", []):
            self.check(not (set(one) - ALSO), f"unknown in [[also]]: {set(one) - ALSO}")
        for step in self.tried:
            self.check(not (set(step) - TRIED) and {"remedy", "code", "says"} <= set(step), f"[[tried]]: {step}")
        sources = self.sources()
        self.check(self.rerun or all(one.steps or one.below or one.more for one in self.remedies), "neither [[apply]] nor rerun nor more")
        self.check(all(one.shows for one in self.remedies) or re.search(r"(?m)^\s*assert\b", sources[-1]), "the last cell asserts nothing")
        self.check(not any(cell.get("outputs") for cell in self.notebook["cells"]), "the broken notebook holds outputs")

    def check(self, well, why):
        if not well:
            raise Wrong(f"{self.name}: {why}")

    def sources(self):
        return [source(cell) for cell in self.notebook["cells"] if cell["cell_type"] == "code"]

    def limits(self, table):
        for name in table:
            self.check(name in SIZES + COUNTS, f"no such limit: {name}")
        return {name: size(value) if name in SIZES else int(value) for name, value in table.items()}

    def fixed(self, remedy, fix, failed):
        """The program, whose cell `failed` fails, with the engine's fix applied; its `code` is for this output."""
        notebook = copy.deepcopy(self.notebook)
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        for step in remedy.steps or filter(None, [remedy.below and {**remedy.below, "cell": failed + 1}]):
            self.put(notebook, cells, step, "" if "drop" in step else self.taken(fix, step))
        if remedy.shows:
            # The fix inspects the failure: the run continues after it.
            for cell in cells:
                cell["metadata"] = {**cell["metadata"], "tags": ["raises-exception"]}
        return notebook

    def with_tried(self, tried):
        """The program with a popular remedy applied that does not help."""
        notebook = copy.deepcopy(self.notebook)
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        self.put(notebook, cells, tried, tried["code"].strip("\n"))
        return notebook

    def taken(self, fix, step):
        """The lines of the fix that the step names, with the program's names in them."""
        lines = (fix.get("code") or fix.get("sample") or "").split("\n")
        if fix.get("language") in ("bash", "sh", "shell") and not lines[0].startswith("%%"):
            lines = [f"!{line}" if line and not line.startswith("#") else line for line in lines]
        patterns, out = step.get("take"), []
        for pattern in patterns or []:
            self.check(any(re.search(pattern, line) for line in lines), f"the fix {fix['id']} has no line {pattern!r}")
        for line in lines:
            if patterns is None:
                out.append(line)
                continue
            found = next((m for p in patterns if (m := re.search(p, line))), None)
            if found:
                out.append("".join(g or "" for g in found.groups()) if found.re.groups else line)
        text = textwrap.dedent("\n".join(out)).strip("\n")
        self.check(text, f"nothing is taken from {fix['id']}")
        rename = step.get("rename", {})
        for old in rename:
            self.check(word(old).search(text), f"{old!r} is not in what is taken from {fix['id']}")
        if rename:
            # In one pass, because a name may be the new name of another.
            any_of = re.compile("|".join(f"(?:{word(old).pattern})" for old in sorted(rename, key=len, reverse=True)))
            text = any_of.sub(lambda m: rename[m[0]], text)
        return text

    def put(self, notebook, cells, step, code):
        at = step.get("cell", 1) - 1
        if step.get("new"):
            self.check(0 <= at <= len(cells), f"no cell {at + 1}")
            fresh = {"cell_type": "code", "id": f"remedy-{len(cells)}", "metadata": {}, "execution_count": None, "outputs": [], "source": code}
            where = notebook["cells"].index(cells[at]) if at < len(cells) else len(notebook["cells"])
            notebook["cells"].insert(where, fresh)
            cells.insert(at, fresh)
            return
        self.check(0 <= at < len(cells), f"no cell {at + 1}")
        place = next(p for p in PLACES if p in step)
        pattern = re.compile(step[place])
        lines = source(cells[at]).split("\n")
        hits = [i for i, line in enumerate(lines) if pattern.search(line)]
        self.check(hits, f"cell {at + 1} has no line {pattern.pattern!r}")
        first = hits[0]
        indent = re.match(r"\s*", lines[first])[0]
        block = textwrap.indent(code, indent + "    " * step.get("deeper", 0)).split("\n")
        if place == "before":
            lines[first:first] = block
        elif place == "after":
            lines[first + 1 : first + 1] = block
        elif place == "wrap":
            end = first + 1
            # A statement with the block below it.
            while end < len(lines) and (end in hits or not lines[end].strip() or len(re.match(r"\s*", lines[end])[0]) > len(indent)):
                end += 1
            lines[first:end] = block + ["    " + line if line.strip() else line for line in lines[first:end]]
        elif place == "replace" and pattern.groups:
            for i in hits:
                m = pattern.search(lines[i])
                lines[i] = lines[i][: m.start(1)] + code.strip() + lines[i][m.end(1) :]
        else:
            for i in reversed(hits):
                del lines[i]
            if place == "replace":
                lines[first:first] = block
        cells[at]["source"] = "\n".join(lines)


def source(cell):
    return cell["source"] if isinstance(cell["source"], str) else "".join(cell["source"])


def word(text):
    """A pattern for the text as a whole word if it begins or ends like one; an attribute of that name does not match."""
    left = r"(?<![\w.])" if re.match(r"\w", text) else ""
    return re.compile(left + re.escape(text) + (r"\b" if re.search(r"\w$", text) else ""))


def plain(text):
    """Whether a replacement is a name, a value, or a list of these: what a reader would fill in."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        return False
    kinds = (ast.Name, ast.Attribute, ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.UnaryOp, ast.USub, ast.Load, ast.Subscript)
    return all(isinstance(node, kinds) for node in ast.walk(tree))


def every(names=()):
    """The cases with these names or in these folders; without names, all cases."""
    found = [Case(path.parent) for path in sorted(CASES.glob("*/*/case.toml"))]
    for name in names:
        if not any(case.name == name or case.name.startswith(f"{name}/") for case in found):
            raise Wrong(f"no case {name}; there are {', '.join(case.name for case in found)}")
    return [c for c in found if not names or any(c.name == n or c.name.startswith(f"{n}/") for n in names)]
