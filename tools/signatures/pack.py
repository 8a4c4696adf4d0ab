"""Merges what was read of a library's releases into one table; src/libraries/README.md describes its format."""

import fnmatch

MOST_RELEASES = 64


def ranges(mask, count):
    """The releases of a mask: `0-3,7+`."""
    out, i = [], 0
    while i < count:
        if not mask >> i & 1:
            i += 1
            continue
        first = i
        while i < count and mask >> i & 1:
            i += 1
        if i == count:
            out.append(f"{first}+")
        else:
            out.append(str(first) if i - first == 1 else f"{first}-{i - 1}")
    return ",".join(out)


class Names:
    """The names of one module or class: name -> kind -> payload -> mask of releases."""

    def __init__(self):
        self.mask = 0
        self.names = {}

    def add(self, release, name, kind, payload):
        kinds = self.names.setdefault(name, {})
        payloads = kinds.setdefault(kind, {})
        payloads[payload] = payloads.get(payload, 0) | 1 << release

    def lines(self, count, indent=""):
        for name in sorted(self.names):
            for kind in sorted(self.names[name]):
                yield name, kind, indent + kind + name + self.variants(self.names[name][kind], count)

    def variants(self, payloads, count):
        out = ""
        for payload, mask in sorted(payloads.items(), key=lambda item: item[1] & -item[1]):
            text = ("" if mask == self.mask else ranges(mask, count)) + payload
            out += " " + text if text else ""
        return out


class Class(Names):
    """A class: its constructor's parameters, its bases and its own members."""

    def __init__(self):
        super().__init__()
        self.params = {}
        self.bases = {}


def note(payloads, payload, release):
    payloads[payload] = payloads.get(payload, 0) | 1 << release


def brackets(params):
    return "" if params is None else f"({params})"


def defined_in(key, module):
    """Whether a class is defined in a module or in one inside it."""
    return key.startswith(module + ".")


def leaks(module, name, entry, plain, settings):
    """Whether a file's module only imports this class or module for itself. Packages hand names on."""
    if module not in plain or module in settings.get("hands_on", []):
        return name == module
    return entry["k"] == "m" or "c" in entry and not defined_in(entry["c"], module) and "._" not in entry["c"]


def plain_modules(dump, settings):
    """The modules that define classes themselves, where the library's names can be told by that."""
    return {key.rpartition(".")[0] for key in dump["classes"]} - set(settings["imports"]) if settings.get("tidy") else set()


def canonical(dump, deep):
    """The path at which each class of one release is described: its shortest public one, else `~Name`."""
    best = {}
    for module, names in dump["modules"].items():
        if not deep(module):
            continue
        for name, entry in names.items():
            if entry["k"] == "c" and "c" in entry:
                path = f"{module}.{name}"
                foreign = not defined_in(entry["c"], module)
                rank = (foreign, path.count("."), not entry["c"].endswith("." + name), len(path), path)
                if entry["c"] not in best or rank < best[entry["c"]]:
                    best[entry["c"]] = rank
    paths = {key: rank[-1] for key, rank in best.items()}
    taken = {}
    for key in sorted(dump["classes"]):
        if key in paths:
            continue
        short = "~" + key.rpartition(".")[2]
        taken[short] = taken.get(short, 0) + 1
        paths[key] = short if taken[short] == 1 else f"{short}{taken[short]}"
    return paths


def inherited(paths, classes, key, name, depth=0):
    """What a class's bases say of a member in one release: (kind, payload), or None."""
    for base in classes.get(key, {}).get("b", []):
        found = classes.get(base, {}).get("m", {}).get(name)
        if found:
            return found["k"], payload_of(found, paths)
        found = depth < 12 and inherited(paths, classes, base, name, depth + 1)
        if found:
            return found
    return None


def payload_of(entry, paths):
    if entry["k"] == "f":
        return brackets(entry.get("p"))
    target = entry.get("c") or entry.get("t")
    return "=" + paths[target] if target in paths else ""


def gather(settings, dumps):
    """The modules and classes of all releases, by path."""
    def deep(module):
        patterns = settings["modules"]
        return any(fnmatch.fnmatchcase(module, p) and module.count(".") == p.count(".") for p in patterns)

    modules, classes, own = {}, {}, {}
    order = [name for name, _ in dumps]
    only_raises = {path: order.index(first) for path, first in settings.get("only_raises", {}).items() if first in order}
    for release, (_, dump) in enumerate(dumps):
        paths = canonical(dump, deep)
        plain = plain_modules(dump, settings)
        for module, names in dump["modules"].items():
            if any(fnmatch.fnmatchcase(module, p) for p in settings.get("skip", [])):
                continue
            table = modules.setdefault(module, Names())
            table.mask |= 1 << release
            for name, entry in names.items():
                if any(fnmatch.fnmatchcase(name, p) for p in settings.get("drop", [])):
                    continue
                if leaks(module, name, entry, plain, settings):
                    continue
                payload = payload_of(entry, paths)
                here = payload == f"={module}.{name}"
                # A class of another library is a value here: the table has nothing of it.
                foreign = entry["k"] == "c" and "c" not in entry and deep(module) and not settings.get("sources")
                kind = "v" if foreign else entry["k"]
                table.add(release, name, kind, "" if here else payload)
        for key, info in dump["classes"].items():
            table = classes.setdefault(paths[key], Class())
            table.mask |= 1 << release
            note(table.params, brackets(info["p"]), release)
            note(table.bases, ",".join(paths[b] for b in info["b"] if b in paths), release)
            hollow = any(fnmatch.fnmatchcase(paths[key], p) for p in settings.get("hollow", []))
            for name, entry in ({} if hollow else info["m"]).items():
                if release >= only_raises.get(f"{paths[key]}.{name}", MOST_RELEASES):
                    continue
                bare = any(fnmatch.fnmatchcase(name, p) for p in settings.get("bare", []))
                payload = "" if bare else payload_of(entry, paths)
                table.add(release, name, entry["k"], payload)
                same = inherited(paths, dump["classes"], key, name) == (entry["k"], payload)
                own[paths[key], name] = own.get((paths[key], name), False) or not same
    for path, table in classes.items():
        # A method that only repeats its base's is found there.
        table.names = {name: kinds for name, kinds in table.names.items() if own[path, name]}
    return modules, classes


def needed(modules, classes):
    """The classes that a public name leads to."""
    open_paths = [f"{m}.{n}" for m, table in modules.items() for n in table.names]
    for table in modules.values():
        open_paths += [p[1:] for kinds in table.names.values() for ps in kinds.values() for p in ps if p.startswith("=")]
    seen = set()
    while open_paths:
        path = open_paths.pop()
        if path in seen or path not in classes:
            continue
        seen.add(path)
        table = classes[path]
        open_paths += [b for bases in table.bases for b in bases.split(",")]
        open_paths += [p[1:] for kinds in table.names.values() for ps in kinds.values() for p in ps if p.startswith("=")]
    return seen


def class_lines(table, count):
    if any(table.bases):
        yield " ^" + table.variants({b: m for b, m in table.bases.items() if b}, count).lstrip()
    for _, _, line in table.lines(count, " "):
        yield line


def pack(library, settings, dumps, gaps):
    """The table of a library's releases, as text."""
    assert len(dumps) <= MOST_RELEASES, library
    count = len(dumps)
    modules, classes = gather(settings, dumps)
    keep = needed(modules, classes)
    releases = [("~" if name in gaps else "") + name for name, _ in dumps]
    out = ["nbmedic-signatures 1", f"library {library}", "imports " + " ".join(settings["imports"]), "releases " + " ".join(releases)]
    everything = (1 << count) - 1
    for module in sorted(modules):
        table = modules[module]
        lines = []
        for name, kind, line in table.lines(count):
            path = f"{module}.{name}"
            described = kind == "c" and path in keep
            if described:
                line = "c" + name + described_here(table, classes[path], name, count)
            lines.append(line)
            if described:
                lines += class_lines(classes[path], count)
        if lines:
            out.append(f"[{module}]" + ("" if table.mask == everything else " " + ranges(table.mask, count)))
            out += lines
    hidden = sorted(path for path in keep if path.startswith("~"))
    if hidden:
        out.append("[~]")
    for path in hidden:
        table = classes[path]
        mask = "" if table.mask == everything else " " + ranges(table.mask, count)
        out += [f"c{path[1:]}{mask}", *class_lines(table, count)]
    return "\n".join(out) + "\n"


def described_here(module, table, name, count):
    """The variants of a class at its own path: its parameters, and where it is another's alias meanwhile."""
    payloads = {}
    for payload, mask in module.names[name]["c"].items():
        if payload:
            payloads[payload] = mask
            continue
        for params, some in table.params.items():
            if some & mask:
                payloads[params] = some & mask
    # Its members' releases are written relative to those in which it is described here.
    table.mask = sum(mask for payload, mask in payloads.items() if not payload.startswith("="))
    return module.variants(payloads, count)
