"""Writes src/catalog/translated.toml: what Jupyter and the C library say in other languages, and what it means in English.

    translations.py

Needs pip, and a Debian whose package index is up to date: `apt-get` downloads the packages (nothing is installed).
Windows publishes no such table: its messages are kept by hand in translated-windows.toml, which this leaves alone.
"""

import ctypes
import gettext
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = os.path.join(ROOT, "src", "catalog", "translated.toml")

# A language without a pack is reported and left out.
PACKS = """ar-SA ca-ES cs-CZ da-DK de-DE el-GR es-ES et-EE fi-FI fr-FR he-IL hu-HU hy-AM id-ID it-IT ja-JP ko-KR lt-LT
nl-NL no-NO pl-PL pt-BR ro-RO ru-RU tr-TR uk-UA vi-VN zh-CN zh-TW""".split()
CLASSIC = "nbclassic"
SYSTEM = "de es fr it ja ko pt pt_BR ru zh_CN zh_TW".split()

JUPYTER_SAYS = [
    "The kernel for %1 appears to have died.",
    "Kernel Restarting",
    "Server Connection Error",
    "A connection to the Jupyter server could not be established.",
]
CLASSIC_SAYS = [
    "The kernel appears to have died.",
    "Kernel Restarting",
    "Kernel Dead",
    "The kernel has died, and the automatic restart has failed.",
]
LIBC_SAYS = [
    "No space left on device",
    "Disk quota exceeded",
    "File too large",
    "Read-only file system",
    "Permission denied",
    "Operation not permitted",
    "No such file or directory",
    "Input/output error",
    "Too many open files",
    "Resource temporarily unavailable",
    "Device or resource busy",
    "Text file busy",
    "Exec format error",
    "Transport endpoint is not connected",
    "Cannot allocate memory",
    "Address already in use",
    "Connection refused",
    "Connection reset by peer",
    "Connection timed out",
    "Network is unreachable",
    "No route to host",
    "Temporary failure in name resolution",
    "Name or service not known",
    "cannot open shared object file",
    "Killed",
    "Segmentation fault",
    "Bus error",
    "Aborted",
    "Illegal instruction",
    "Floating point exception",
]
BASH_SAYS = ["%s: command not found", "%s: line %d: ", "(core dumped) ", "Killed", "Segmentation fault", "Bus error", "Aborted"]


def fetch(words, folder):
    return subprocess.run(words, cwd=folder, capture_output=True, check=False).returncode == 0


def sentence(text):
    """The first sentence, without what may or may not stand at its end."""
    first = re.split(r"(?<=[.!！])\s|(?<=。)|\n", text.strip())[0]
    return first.strip().rstrip(".。!！ ")


def bare(text):
    """A message as it would be found in a page: neither case nor marks at its end count."""
    return sentence(text).rstrip("?？… ").lower()


class Table:
    """The phrases by their English meaning; a phrase that means two things is dropped."""

    def __init__(self):
        self.said = {}
        self.sources = {}
        self.means = {}

    def add(self, english, phrase, language, source):
        english, phrase = sentence(english), sentence(phrase.replace("\u00a0", " "))
        if not phrase or phrase == english:
            return
        if phrase.startswith("（"):
            # Such a bracket needs no space before it.
            english = f" {english}"
        if self.means.setdefault(phrase, english) != english:
            print(f"left out, because it has two meanings: {phrase!r} ({english}, {self.means[phrase]})")
            return
        self.said.setdefault(english, {}).setdefault(phrase, []).append(language)
        self.sources.setdefault(english, set()).add(source)


def jupyter(table, folder):
    for pack in PACKS:
        name = f"jupyterlab-language-pack-{pack}"
        if not fetch([sys.executable, "-m", "pip", "download", "-q", "--no-deps", name], folder):
            print(f"no {name}")
    for wheel in sorted(glob.glob(os.path.join(folder, "jupyterlab_language_pack_*.whl"))):
        _, version, *_ = os.path.basename(wheel).split("-")
        language = os.path.basename(wheel).split("-")[0].removeprefix("jupyterlab_language_pack_")
        with zipfile.ZipFile(wheel) as files:
            name = next(n for n in files.namelist() if n.endswith("/jupyterlab.json"))
            words = {k: v[-1] for k, v in json.loads(files.read(name)).items() if isinstance(v, list) and v[-1]}
        # What a pack says for another message too ("Restart Kernel?") would be read as a death.
        count = Counter(bare(said) for said in words.values())
        for english, said in words.items():
            for asked in JUPYTER_SAYS:
                if not english.startswith(asked):
                    continue
                if count[bare(said)] > 1:
                    print(f"left out, because {language} says it for another message too: {said!r}")
                else:
                    table.add(asked, said, language, f"jupyterlab-language-pack {version}")
    if not fetch([sys.executable, "-m", "pip", "download", "-q", "--no-deps", CLASSIC], folder):
        sys.exit(f"translations.py: pip can't download {CLASSIC}")
    (wheel,) = glob.glob(os.path.join(folder, "nbclassic-*.whl"))
    with zipfile.ZipFile(wheel) as files:
        for name in sorted(n for n in files.namelist() if n.endswith("/nbjs.json") and "/LC_MESSAGES/" in n):
            words = json.loads(files.read(name))["locale_data"]["nbjs"]
            language = name.split("/")[-3]
            for english, said in words.items():
                for asked in CLASSIC_SAYS:
                    if english.startswith(asked) and said[-1]:
                        table.add(asked, said[-1], language, f"nbclassic {os.path.basename(wheel).split('-')[1]}")


def system(table, folder):
    for package in ["libc-l10n", "bash"]:
        if not fetch(["apt-get", "download", package], folder):
            sys.exit(f"translations.py: apt-get can't download {package}; try `apt-get update`")
        (deb,) = glob.glob(os.path.join(folder, f"{package}_*.deb"))
        subprocess.run(["dpkg", "-x", deb, os.path.join(folder, "root")], check=True)
        version = os.path.basename(deb).split("_")[1]
        catalog, asked = ("libc.mo", LIBC_SAYS) if package != "bash" else ("bash.mo", BASH_SAYS)
        for language in SYSTEM:
            path = os.path.join(folder, "root/usr/share/locale", language, "LC_MESSAGES", catalog)
            if not os.path.exists(path):
                print(f"no {catalog} for {language}")
                continue
            with open(path, "rb") as file:
                words = gettext.GNUTranslations(file)
            for english in asked:
                said = words.gettext(english)
                as_named = [english.replace("%s", "%1").replace("%d", "%2"), said.replace("%s", "%1").replace("%d", "%2")]
                table.add(*as_named, language, f"{package} {version}")


def numbers():
    """The numbers of Linux's errors whose messages are in the table."""
    libc = ctypes.CDLL(None)
    libc.strerror.restype = ctypes.c_char_p
    said = {n: libc.strerror(n).decode() for n in range(1, 134)}
    return {n: text for n, text in said.items() if text in LIBC_SAYS}


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def write(table):
    lines = [
        "# What Jupyter, the C library and the shell say in other languages. Written by tools/translations.py from their own",
        "# translations; don't edit. `%1` and `%2` stand for names and numbers.",
        "",
        "# The numbers of Linux's errors: whatever the language, `[Errno 28]` says this.",
        "[errno]",
        *(f"{n} = {quoted(text)}" for n, text in sorted(numbers().items())),
    ]
    for english, said in table.said.items():
        lines += ["", "[[phrase]]", f"english = {quoted(english)}"]
        lines += [f"from = [{', '.join(quoted(s) for s in sorted(table.sources[english]))}]", "said = ["]
        for phrase, languages in sorted(said.items(), key=lambda pair: (pair[1], pair[0])):
            lines.append(f"  {quoted(phrase)}, # {', '.join(languages)}")
        lines.append("]")
    with open(OUT, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
    count = sum(map(len, table.said.values()))
    print(f"{count} phrases for {len(table.said)} meanings")


def main():
    table = Table()
    with tempfile.TemporaryDirectory() as folder:
        jupyter(table, folder)
        system(table, folder)
    write(table)


if __name__ == "__main__":
    main()
