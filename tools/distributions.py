#!/usr/bin/env python3
"""Writes src/libraries/distributions.txt: which module comes from which distribution on PyPI.

    python3 tools/distributions.py          # reads every distribution of tools/distributions.txt
    python3 tools/distributions.py NAME …   # prints the modules of these only

The modules are read from the packages themselves: the list of files at the end of the newest wheel (a range request),
or the `top_level.txt` of a source distribution that is not too large. The index and its certificate come from pip's own
configuration. A row of packages.txt that its distribution does not confirm is an error; if nothing could be read of the
distribution, its name is printed.
"""

import concurrent.futures
import html.parser
import io
import json
import os
import re
import ssl
import struct
import subprocess
import sys
import tarfile
import time
import urllib.parse
import urllib.request
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
LIST = os.path.join(HERE, "distributions.txt")
FOLDER = os.path.join(HERE, "..", "src", "libraries")
TABLE = os.path.join(FOLDER, "distributions.txt")
PREFERRED = os.path.join(FOLDER, "packages.txt")
# What is downloaded of one source distribution, or of a wheel whose host has no ranges, in bytes.
MOST = 16 << 20
# The end of a wheel that is asked for first, in bytes: most lists of files fit.
TAIL = 128 << 10
# Folders at the top of a package that no program imports by these names.
NOT_MODULES = re.compile(
    r"^(tests?|testing|docs?|examples?|benchmarks?|scripts?|tools?|utils?|bin|lib|include|share|data|configs?|assets|"
    r"notebooks|build|dist|site|setup|conftest|versioneer|src|cpp|python|training|version|_.*)$"
)
IDENTIFIER = re.compile(r"^[A-Za-z]\w*$")


def pip_says(key, default):
    """A value of pip's configuration."""
    asked = subprocess.run([sys.executable, "-m", "pip", "config", "get", key], capture_output=True, text=True)
    return asked.stdout.strip() or default


def opener():
    cert = os.environ.get("PIP_CERT") or pip_says("global.cert", None)
    context = ssl.create_default_context(cafile=cert)
    return urllib.request.build_opener(urllib.request.HTTPSHandler(context=context))


class Links(html.parser.HTMLParser):
    """The files of an index that has no JSON."""

    def __init__(self, base):
        super().__init__()
        self.base, self.files = base, []

    def handle_starttag(self, tag, attributes):
        address = dict(attributes).get("href") if tag == "a" else None
        if address:
            address = urllib.parse.urljoin(self.base, address.split("#")[0])
            name = urllib.parse.unquote(address.rsplit("/", 1)[-1])
            self.files.append({"url": address, "filename": name, "yanked": "data-yanked" in dict(attributes)})


def get(web, address, headers):
    request = urllib.request.Request(address, headers={"User-Agent": "nbmedic-tools", **headers})
    for wait in (1, 4, 0):
        try:
            return web.open(request, timeout=60)
        except urllib.error.HTTPError as error:
            if error.code in (404, 416) or not wait:
                raise
        except OSError:
            if not wait:
                raise
        time.sleep(wait)


def files(web, index, name):
    """The files of a distribution, in the order of the index."""
    address = index.rstrip("/") + "/" + re.sub(r"[-_.]+", "-", name).lower() + "/"
    kinds = "application/vnd.pypi.simple.v1+json, text/html;q=0.1"
    with get(web, address, {"Accept": kinds}) as answer:
        body = answer.read()
        if "json" in answer.headers.get("Content-Type", ""):
            found = json.loads(body)["files"]
            for f in found:
                f["url"] = urllib.parse.urljoin(address, f["url"])
        else:
            reader = Links(address)
            reader.feed(body.decode())
            found = reader.files
    return [f for f in found if not f.get("yanked")]


def version(name):
    """The release in a file's name, as what sorts; releases before the final one come first."""
    stem = re.sub(r"\.(whl|tar\.gz|zip)$", "", name)
    part = stem.split("-")[1] if name.endswith(".whl") else stem.rsplit("-", 1)[-1]
    final = not re.search(r"(a|b|rc|dev)\d*", part)
    return final, [int(n) for n in re.findall(r"\d+", part.split("+")[0])]


def members(web, address):
    """The names of a wheel's files, from the list at its end."""
    with get(web, address, {"Range": f"bytes=-{TAIL}"}) as answer:
        whole = answer.status != 206
        length = int(answer.headers.get("Content-Length", 0))
        if whole and length > MOST:
            return None
        body = answer.read()
        total = length if whole else int(answer.headers["Content-Range"].rsplit("/", 1)[-1])
    end = body.rfind(b"PK\5\6")
    size, start = struct.unpack("<II", body[end + 12 : end + 20])
    if total - start > len(body):
        with get(web, address, {"Range": f"bytes={start}-"}) as answer:
            if answer.status != 206:
                return None
            body = answer.read()
    # zipfile only reads the list: what stands before it may be empty.
    with zipfile.ZipFile(io.BytesIO(body[max(0, len(body) - (total - start)) :])) as wheel:
        return wheel.namelist()


def modules(names):
    """The modules that a wheel's files make."""
    found, namespaces = set(), {}
    paths = []
    for name in names:
        parts = name.split("/")
        if parts[0].endswith(".dist-info"):
            continue
        if parts[0].endswith(".data"):
            if len(parts) < 3 or parts[1] not in ("purelib", "platlib"):
                continue
            parts = parts[2:]
        paths.append(parts)
    # A .pth file at the top puts folders on the path: what is in them is a module of its own.
    on_path = any(len(p) == 1 and p[0].endswith(".pth") for p in paths)
    packages = {tuple(p[:-1]) for p in paths if re.match(r"__init__\.(py|pyi|so|.*\.(so|pyd))$", p[-1])}
    for parts in paths:
        file = re.match(r"^([A-Za-z]\w*)\.(py|pyd|so|[\w.-]+\.(?:so|pyd))$", parts[-1])
        if len(parts) == 1:
            if file:
                found.add(file[1])
            continue
        # The first folder on the way down that is a package; above it are namespaces.
        for depth in range(1, len(parts)):
            if tuple(parts[:depth]) in packages:
                found.add(".".join(parts[:depth]))
                break
        else:
            if file:
                namespaces.setdefault(".".join(parts[:-1]), []).append(file[1])
    for space, inner in namespaces.items():
        if on_path:
            found.update(inner)
            continue
        # A folder without __init__.py whose files are all modules is one itself.
        if not any(p == space or p.startswith(space + ".") for p in found):
            found.add(space.split(".")[0] if len(inner) > 3 else space)
    good = [m for m in found if all(IDENTIFIER.match(p) for p in m.split(".")) and m.count(".") < 4]
    return sorted(m for m in good if not NOT_MODULES.match(m.split(".")[0]))


def of_source(web, address):
    """The modules that a source distribution names itself, or that its first files make."""
    names, listed = [], ""
    with get(web, address, {}) as answer:
        if address.endswith(".zip"):
            if int(answer.headers.get("Content-Length", 0)) > MOST:
                return []
            with zipfile.ZipFile(io.BytesIO(answer.read())) as archive:
                names = archive.namelist()
                tops = [n for n in names if n.endswith("top_level.txt")]
                listed = archive.read(tops[0]).decode() if tops else ""
        else:
            body = io.BytesIO(answer.read(MOST))
            try:
                with tarfile.open(fileobj=body, mode="r|gz") as archive:
                    for member in archive:
                        names.append(member.name)
                        if member.name.endswith("top_level.txt"):
                            listed = listed or archive.extractfile(member).read().decode()
            except (tarfile.ReadError, EOFError):
                pass  # Only its beginning was read.
    if listed:
        named = {line.strip().replace("/", ".") for line in listed.splitlines() if line.strip()}
        return sorted(m for m in named if IDENTIFIER.match(m) and not NOT_MODULES.match(m))
    inner = [n.split("/", 1)[1] for n in names if "/" in n]
    return modules([n[4:] if n.startswith("src/") else n for n in inner])


def brings(web, index, wanted):
    """The modules of a distribution's newest release (`setuptools<81`: older than that); of a wheel, if there is one."""
    name, _, below = wanted.partition("<")
    all_files = files(web, index, name)
    if below:
        all_files = [f for f in all_files if version(f["filename"])[1] < [int(below)]]
    wheels = [f for f in all_files if f["filename"].endswith(".whl")]
    # Linux's first, since most of these programs run there.
    fit = lambda f: (version(f["filename"]), "linux" in f["filename"] or "any" in f["filename"])
    for f in sorted(wheels, key=fit, reverse=True)[:2]:
        names = members(web, f["url"])
        if names:
            return modules(names)
    sources = [f for f in all_files if f["filename"].endswith((".tar.gz", ".zip"))]
    for f in sorted(sources, key=lambda f: version(f["filename"]), reverse=True)[:1]:
        return of_source(web, f["url"])
    return []


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [line.split() for line in lines if line.strip() and not line.startswith("#")]


def main():
    named = sys.argv[1:]
    wanted = named or list(dict.fromkeys(n for row in rows(LIST) for n in row))
    preferred = rows(PREFERRED)
    wanted += [p for p in dict.fromkeys(p for _, p in preferred) if p not in wanted and not named]
    web = opener()
    index = os.environ.get("PIP_INDEX_URL") or pip_says("global.index-url", "https://pypi.org/simple")

    def read(name):
        try:
            return name, brings(web, index, name), ""
        except Exception as error:  # One package that can't be read doesn't end the run; it is named below.
            return name, [], f"{type(error).__name__}: {error}"

    table, unread, own = {}, [], set()
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        for name, found, why in pool.map(read, wanted):
            if named:
                print(name, *found, why)
            if not found:
                unread.append(f"{name} {why}".strip())
            if not why and "<" not in name:
                own.add(name)
            for module in found:
                table.setdefault(module, []).append(name)
    if named:
        return
    print(f"{len(wanted)} distributions, {len(unread)} without a module:", *unread, sep="\n  ")
    inside = lambda module, package: any(
        package in packages for m, packages in table.items() if m == module or m.startswith(module + ".")
    )
    # Of a source that is too large to read, the row stands as it is, and is printed above.
    readable = {package for packages in table.values() for package in packages}
    wrong = [(m, p) for m, p in preferred if p in readable and not inside(m, p)]
    print(f"{len(wrong)} rows of packages.txt that no package confirms:", *wrong, sep="\n  ")
    with open(TABLE, "w", encoding="utf-8") as out:
        out.write("# Modules and the distributions that bring them, read from the packages by tools/distributions.py: module, distribution.\n")
        for module in sorted(table):
            plain = [p for p in table[module] if "<" not in p]
            if plain:
                out.write(f"{module} {plain[0]}\n")
                own.discard(plain[0])
        out.write("# Distributions of which no row above says that they bring a module: there is another one, or they bring none.\n")
        for name in sorted(own):
            out.write(f"- {name}\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
