"""Writes the public names and parameters of one installed library as JSON.

`signatures.py` runs this file with the Python of the library's environment, from 3.6 on. It reads its request from
standard input: the library's import names, which modules to read, and the dump of the release before. A name of that
release which this one serves only on demand (with a warning, from a module's `__getattr__`) counts as present.
"""

import ast
import fnmatch
import importlib
import inspect
import json
import linecache
import os
import pkgutil
import re
import sys
import typing
import warnings

PLAIN = (bool, int, float, complex, str, bytes, tuple, list, dict, set, frozenset, type(None))
# Packages that a library hands on as its own.
PARTS = {"tensorflow": ["keras", "tensorflow_estimator"], "jax": ["jaxlib"]}
# Functions and methods that are not written in Python.
NATIVE = (type(len), type(str.join), type(str.__add__), type(vars(dict)["fromkeys"]))
# Modules that are not for users, and those that start programs or tests when they are imported.
NEVER = {"tests", "test", "testing", "conftest", "setup", "benchmarks", "examples", "cli", "__main__", "src", "vendor"}


class Dumper:
    def __init__(self, request):
        self.roots = request["imports"]
        self.deep = request["deep"]
        self.shallow = request["shallow"]
        self.depth = request["depth"]
        self.skip = request["skip"]
        self.before = request.get("before") or {}
        self.sources = request.get("sources") or []
        self.modules = {}
        self.classes = {}
        self.parsed = {}
        self.definitions = None

    def run(self):
        for root in self.roots:
            module = importlib.import_module(root)
            self.module(root, module)
            self.files(root, module)
        self.asked = sorted(p for p in self.deep + self.shallow if not re.search(r"[*?\[]", p))
        for path in self.asked + sorted(self.before):
            if path not in self.modules and self.level(path):
                module = self.resolve(path)
                if inspect.ismodule(module):
                    self.module(path, module)
                    parent, _, name = path.rpartition(".")
                    self.modules.setdefault(parent, {}).setdefault(name, {"k": "m"})
        for path, names in sorted(self.before.items()):
            self.still(path, names)
        return {"modules": self.modules, "classes": self.classes}

    def resolve(self, path):
        """The module of a dotted path, imported or reached as an attribute; None if there is none."""
        try:
            return importlib.import_module(path)
        except BaseException:
            pass
        parts = path.split(".")
        try:
            value = importlib.import_module(parts[0])
            for part in parts[1:]:
                value = getattr(value, part)
            return value
        except BaseException:
            return None

    def level(self, path):
        """How a module is read: "deep" with parameters and members, "shallow" names only, or not at all."""
        if any(fnmatch.fnmatchcase(path, p) for p in self.skip):
            return None
        if any(fnmatch.fnmatchcase(path, p) and path.count(".") == p.count(".") for p in self.deep):
            return "deep"
        if any(fnmatch.fnmatchcase(path, p) and path.count(".") == p.count(".") for p in self.shallow):
            return "shallow"
        return None

    def own(self, module_name):
        roots = self.roots + [e for r in self.roots for e in PARTS.get(r, [])]
        return isinstance(module_name, str) and any((module_name + ".").startswith(r + ".") for r in roots)

    def module(self, path, module):
        if path in self.modules and self.modules[path].get("", None):
            return
        level = self.level(path)
        if level is None:
            return
        names = self.modules.setdefault(path, {})
        listed = getattr(module, "__all__", None)
        listed = set(n for n in listed if isinstance(n, str)) if isinstance(listed, (list, tuple, set)) else set()
        try:
            found = set(dir(module)) | listed
        except Exception:
            found = set(vars(module)) | listed
        children = set(self.submodules(module))
        for name in sorted(found | children):
            if not public(name):
                continue
            value = self.value(path, module, name, name in children)
            if value is None:
                continue
            value = value[0]
            sub = path + "." + name
            if inspect.ismodule(value):
                inside = self.own(getattr(value, "__name__", "")) or self.own(getattr(value, "_name", ""))
                if inside and name not in NEVER:
                    names[name] = {"k": "m"}
                    self.module(sub, value)
                elif path in self.roots:
                    names[name] = {"k": "m"}
                continue
            if isinstance(value, typing.TypeVar) or type(value).__module__ == "__future__":
                continue
            if path not in self.roots and name not in listed:
                callable_own = callable(value) and self.own(getattr(value, "__module__", None))
                if not callable_own and not (isinstance(value, PLAIN) and not callable(value)):
                    continue
            if self.sources and "dummy_" in str(getattr(value, "__module__", "")):
                value = Missing(name)
            names[name] = self.entry(value, level if self.selected(name) else "shallow")

    def value(self, path, module, name, child):
        """A one-element list with the attribute's value; None if it has none."""
        sub = path + "." + name
        try:
            return [getattr(module, name)]
        except BaseException:
            pass
        if child and self.level(sub):
            try:
                return [importlib.import_module(sub)]
            except BaseException:
                return None
        return [Missing(name)] if self.selected(name) and self.sources else None

    def selected(self, name):
        """Whether more than the name is read."""
        return not self.sources or any(fnmatch.fnmatchcase(name, p) for p in self.sources)

    def submodules(self, module):
        places = getattr(module, "__path__", None)
        if places is None:
            return
        try:
            for info in pkgutil.iter_modules(list(places)):
                if public(info[1]) and info[1] not in NEVER and not info[1].startswith("test_"):
                    yield info[1]
        except Exception:
            return

    def files(self, root, module):
        """Modules that exist as files, without importing them: people's old imports name them."""
        for place in list(getattr(module, "__path__", []))[:1]:
            self.folder(root, place)

    def folder(self, path, place):
        if path.count(".") + 1 >= self.depth or not os.path.isdir(place):
            return
        for name in sorted(os.listdir(place)):
            stem = re.sub(r"(\.cpython-[^.]*|\.abi3)?\.(py|so)$", "", name)
            whole = os.path.join(place, name)
            package = os.path.isdir(whole)
            if package and not os.path.exists(os.path.join(whole, "__init__.py")):
                continue
            if not package and stem == name:
                continue
            sub = path + "." + stem
            if not public(stem) or not stem.isidentifier() or stem in NEVER or stem.startswith("test_"):
                continue
            if any(fnmatch.fnmatchcase(sub, p) for p in self.skip):
                continue
            self.modules.setdefault(path, {}).setdefault(stem, {"k": "m"})
            if package:
                self.folder(sub, whole)

    def still(self, path, names):
        """Adds the names of the release before that are still there but not listed."""
        if path not in self.modules or not self.level(path):
            return
        module = self.resolve(path)
        if not inspect.ismodule(module):
            return
        now = self.modules[path]
        for name in sorted(names):
            if name in now:
                continue
            try:
                value = getattr(module, name)
            except BaseException:
                continue
            if inspect.ismodule(value):
                now[name] = {"k": "m"}
            else:
                now[name] = self.entry(value, self.level(path))

    def entry(self, value, level):
        if isinstance(value, Missing):
            return self.from_source(value.name, level)
        if isinstance(value, type):
            if not self.own(getattr(value, "__module__", None)):
                return {"k": "c"}
            if level == "shallow":
                return {"k": "c", "c": class_id(value)} if class_id(value) in self.classes else {"k": "c"}
            return {"k": "c", "c": self.cls(value)}
        if callable(value):
            return {"k": "f", "p": parameters(value) if level == "deep" else None}
        return {"k": "v"}

    def cls(self, cls):
        key = class_id(cls)
        if key in self.classes:
            return key
        info = self.classes[key] = {"p": constructor(cls), "b": [], "m": {}}
        for base in cls.__bases__:
            info["b"] += self.bases(base)
        for name, raw in sorted(vars(cls).items()):
            if public(name) and isinstance(name, str):
                info["m"][name] = self.member(cls, name, raw)
        return key

    def bases(self, base):
        """A base, or those of the library's own that another library's base stands before."""
        if self.own(getattr(base, "__module__", None)):
            return [self.cls(base)]
        return [found for above in base.__bases__ for found in self.bases(above)]

    def member(self, cls, name, raw):
        if isinstance(raw, (classmethod, staticmethod)):
            bound = isinstance(raw, classmethod)
            return {"k": "f", "p": parameters(raw.__func__, bound)}
        if isinstance(raw, property):
            return {"k": "v"}
        if inspect.isfunction(raw):
            return {"k": "f", "p": parameters(raw, True)}
        if isinstance(raw, NATIVE):
            return {"k": "f", "p": parameters(raw, True)}
        if isinstance(raw, type):
            if self.own(raw.__module__) and raw.__qualname__.startswith(cls.__qualname__ + "."):
                return {"k": "c", "c": self.cls(raw)}
            return {"k": "v"}
        try:
            value = getattr(cls, name)
        except BaseException:
            value = getattr(raw, "fn", None)
            if not inspect.isfunction(value):
                return {"k": "v"}
        if isinstance(value, type) and self.own(value.__module__):
            # An accessor, such as pandas' `Series.str`.
            return {"k": "v", "t": self.cls(value)}
        if inspect.isroutine(value):
            return {"k": "f", "p": parameters(value, not inspect.ismethod(value))}
        return {"k": "v"}

    def from_source(self, name, level):
        """A class or function of a lazy module that does not import here, read off its source."""
        if level == "deep":
            for module, path in self.defined().get(name, []):
                return self.parse(module, path, name)
        return {"k": "c" if name[:1].isupper() else "f"}

    def defined(self):
        """Where the library's files define the selected names: name -> (module, file)."""
        if self.definitions is None:
            self.definitions = {}
            for root in self.roots:
                top = os.path.dirname(sys.modules[root].__file__)
                for folder, _, files in sorted(os.walk(top)):
                    for file in sorted(f for f in files if f.endswith(".py") and not f.startswith("dummy_")):
                        path = os.path.join(folder, file)
                        module = root + "." + os.path.relpath(path, top)[:-3].replace(os.sep, ".")
                        with open(path, encoding="utf-8") as text:
                            found = re.findall(r"(?m)^(?:class|def) (\w+)", text.read())
                        for name in found:
                            if self.selected(name):
                                self.definitions.setdefault(name, []).append((module, path))
        return self.definitions

    def parse(self, module, path, name):
        if path not in self.parsed:
            with open(path, encoding="utf-8") as file:
                try:
                    self.parsed[path] = ast.parse(file.read())
                except SyntaxError:
                    self.parsed[path] = ast.Module(body=[])
        for node in self.parsed[path].body:
            if getattr(node, "name", None) != name:
                continue
            if isinstance(node, ast.FunctionDef):
                return {"k": "f", "p": from_ast(node, False)}
            if isinstance(node, ast.ClassDef):
                key = module + "." + name
                info = self.classes[key] = {"p": None, "b": [], "m": {}}
                for item in node.body:
                    if isinstance(item, ast.FunctionDef):
                        marks = [getattr(d, "id", "") for d in item.decorator_list]
                        if item.name == "__init__":
                            info["p"] = from_ast(item, True)
                        elif public(item.name) and "property" in marks:
                            info["m"][item.name] = {"k": "v"}
                        elif public(item.name):
                            info["m"][item.name] = {"k": "f", "p": from_ast(item, "staticmethod" not in marks)}
                return {"k": "c", "c": key}
        return {"k": "c" if name[:1].isupper() else "f"}


class Missing:
    """Stands for a name that the library lists and cannot import here."""

    def __init__(self, name):
        self.name = name


def public(name):
    return name.isidentifier() and not name.startswith("_")


def class_id(cls):
    return cls.__module__ + "." + cls.__qualname__


def from_ast(node, drop):
    args = node.args
    out = []
    plain = list(getattr(args, "posonlyargs", [])) + args.args
    first_default = len(plain) - len(args.defaults)
    for i, arg in enumerate(plain):
        out.append(arg.arg + ("=" if i >= first_default else ""))
    if drop:
        out = out[1:]
    if args.vararg:
        out.append("*" + args.vararg.arg)
    elif args.kwonlyargs:
        out.append("*")
    for arg, default in zip(args.kwonlyargs, args.kw_defaults):
        out.append(arg.arg + ("=" if default is not None else ""))
    # A decorator takes an argument under its old name as well, and warns.
    for call in node.decorator_list:
        old = getattr((getattr(call, "args", None) or [None])[0], "value", None)
        if getattr(getattr(call, "func", None), "id", "") == "deprecate_kwarg" and isinstance(old, str):
            out += ["*"] if not args.vararg and not args.kwonlyargs and "*" not in out else []
            out.append(old + "=")
    if args.kwarg:
        out.append("**" + args.kwarg.arg)
    return ",".join(out)


def constructor(cls):
    """The parameters of a class's call, without the instance."""
    init = getattr(cls, "__init__", None)
    new = getattr(cls, "__new__", None)
    if inspect.isfunction(init):
        return parameters(init, True)
    if inspect.isfunction(new):
        return parameters(new, True)
    try:
        return written(inspect.signature(cls).parameters.values())
    except BaseException:
        return documented(cls)


def parameters(function, drop=False):
    """The parameters as Python writes them, without defaults' values: `a,b=,*,c=`. None if unknown."""
    inner, relaxed, loose, older = function, False, False, []
    for _ in range(20):
        wrapped = getattr(inner, "__wrapped__", None)
        if wrapped is None or not inspect.isfunction(inner):
            break
        maker = enclosing(inner)
        # A decorator that only warns of positional arguments: they still work.
        if "positional" in maker or "nonkeyword" in maker or "make_keyword_only" in maker:
            relaxed = True
            loose = loose or "positional" in maker
        # One that takes an argument under its old name as well, and warns.
        if "deprecate_kwarg" in maker or "rename_parameter" in maker:
            kept = inspect.getclosurevars(inner).nonlocals
            older.append(kept.get("old_arg_name", kept.get("old")))
        inner = wrapped
    try:
        # The inner function's own signature: a decorator may have given it one.
        signature = inspect.signature(inner if relaxed else function)
    except BaseException:
        return documented(function)
    found = list(signature.parameters.values())
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if drop and found and found[0].kind in positional:
        found = found[1:]
    if loose:
        change = inspect.Parameter.KEYWORD_ONLY
        found = [p.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD) if p.kind == change else p for p in found]
    known = [p.name for p in found]
    old = [n for n in older if isinstance(n, str) and n.isidentifier() and n not in known]
    if old:
        last = found.pop() if found and found[-1].kind == inspect.Parameter.VAR_KEYWORD else None
        found += [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=None) for n in old] + ([last] if last else [])
    if found and all(p.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD) for p in found):
        # The documentation may say more.
        return documented(function) or written(found)
    return written(found)


def written(found):
    out = []
    kinds = inspect.Parameter
    last = None
    for p in found:
        if not p.name.isidentifier():
            return None
        if last == kinds.POSITIONAL_ONLY and p.kind != kinds.POSITIONAL_ONLY:
            out.append("/")
        if p.kind == kinds.KEYWORD_ONLY and last not in (kinds.KEYWORD_ONLY, kinds.VAR_POSITIONAL):
            out.append("*")
        mark = {kinds.VAR_POSITIONAL: "*", kinds.VAR_KEYWORD: "**"}.get(p.kind, "")
        out.append(mark + p.name + ("=" if p.default is not kinds.empty and not mark else ""))
        last = p.kind
    if last == kinds.POSITIONAL_ONLY:
        out.append("/")
    return ",".join(out)


def enclosing(function):
    """The name of the function in which this one was defined: what kind of decorator made it."""
    code = function.__code__
    lines = linecache.getlines(code.co_filename)
    at = min(code.co_firstlineno, len(lines)) - 1
    if at < 0:
        return ""
    names = []
    indent = len(lines[at]) - len(lines[at].lstrip())
    while at > 0 and indent > 0:
        at -= 1
        line = lines[at]
        depth = len(line) - len(line.lstrip())
        if line.strip() and depth < indent:
            match = re.match(r"\s*def (\w+)", line)
            if match:
                names.append(match.group(1))
                indent = depth
            elif re.match(r"\s*class ", line):
                break
    return " ".join(names)


def documented(function):
    """The parameters as the documentation's first line gives them, as C functions have it."""
    doc = getattr(function, "__doc__", None)
    name = getattr(function, "__name__", None)
    if not isinstance(doc, str) or not isinstance(name, str):
        return None
    doc = doc.strip()
    start = re.match(r"(\w+\.)*" + re.escape(name) + r"\(", doc)
    again = r"\n\s*(?:\w+\.)*" + re.escape(name) + r"\("
    # Several signatures: which one is meant depends on the call.
    if not start or re.search(again, doc.split("\n\n")[0]) or ".. function:: " + name + "(" in doc:
        return None
    depth, end = 0, None
    for i in range(start.end() - 1, min(len(doc), 2000)):
        depth += {"(": 1, ")": -1}.get(doc[i], 0)
        if depth == 0:
            end = i
            break
    if end is None:
        return None
    text = doc[start.end() : end]
    optional = re.search(r"\[\s*,|,\s*\[|^\s*\[", text)
    cut = optional.start() if optional else len(text)
    tokens = pieces(text[:cut])
    rest = pieces(re.sub(r"[\[\]]", " ", text[cut:])) if optional else []
    out = []
    for i, token in enumerate(tokens + rest):
        if not token:
            continue
        match = re.match(r"^(\*{0,2})([A-Za-z_]\w*)\s*(=[\s\S]*)?$", token)
        if token in ("/", "*"):
            out.append(token)
        elif match and not (match.group(2) == "self" and not out):
            default = match.group(3) or i >= len(tokens)
            out.append(match.group(1) + match.group(2) + ("=" if default and not match.group(1) else ""))
        elif not match:
            return None
    names = [o for o in out if o not in ("/", "*")]
    return ",".join(out) if len(set(names)) == len(names) else None


def pieces(text):
    out, depth, now = [], 0, ""
    for c in text:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(c, 0)
        if c == "," and depth == 0:
            out.append(now.strip())
            now = ""
        else:
            now += c
    return out + [now.strip()]


def main():
    request = json.load(sys.stdin)
    out = request["out"]
    # What a library prints while it is imported must not reach anybody.
    sys.stdout = sys.stderr
    sys.path[:] = [p for p in sys.path if p != os.path.dirname(os.path.abspath(__file__))]
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(5000)
    data = Dumper(request).run()
    data["version"] = {}
    for name in request["imports"]:
        data["version"][name] = str(getattr(sys.modules[name], "__version__", ""))
    with open(out, "w") as file:
        json.dump(data, file, sort_keys=True, indent=0)
    # Some libraries keep threads.
    os._exit(0)


main()
