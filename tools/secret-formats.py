"""Reads the rules of Betterleaks and writes the table of token formats that redaction uses.

    python3 tools/secret-formats.py [betterleaks.toml]

Without a file it takes the copy in the crate `kingfisher-rules`, which `cargo fetch` has put into
cargo's registry (`cargo add kingfisher-rules` in an empty package). The rules are under the MIT
licence, whose text is in src/secrets/formats/LICENSE-BETTERLEAKS.

Two files are written. `tokens.txt` has the tokens that begin with letters of their own: what the
engine looks for. `rules.txt` has the patterns of all values as the rules state them: from these the
tests make values, so that a mistake of this conversion shows there.
"""

import glob
import gzip
import json
import os
import re
import sys
import tomllib
import warnings

warnings.simplefilter("ignore")
import sre_parse  # noqa: E402  (the standard library's own parser of patterns)

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "src", "secrets", "formats")

LOWER, UPPER, DIGITS = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
WORD = LOWER + UPPER + DIGITS
# The engine's classes, the narrowest first.
CLASSES = [
    ("d", DIGITS),
    ("h", DIGITS + "abcdef"),
    ("H", DIGITS + "abcdefABCDEF"),
    ("l", LOWER + DIGITS),
    ("u", UPPER + DIGITS),
    ("w", WORD),
    ("b", WORD + "_-"),
    ("p", WORD + "_-."),
    ("s", WORD + "+/="),
    ("a", WORD + "_-.+/=%~"),
]
# Kinds that go by another name than the rule's first word.
KIND = {
    "huggingface": "hugging-face",
    "gcp": "google-key",
    "google": "google-key",
    "weights": "wandb",
    "aws": "aws-key-id",
    "1password": "onepassword",
    "intra42": "intra",
    "age": "private-key",
}
# What is public or names something, and what a pattern of the engine's own finds.
PUBLIC = re.compile(
    r"(-id|-url|-host|-name|-domain|-username|-cloud-name|-user)(\.\d)?$|^(jwt|private-key|curl|generic|pgp|public|"
    r"kubernetes-secret|hashicorp-tf-password|nuget-config-password|azure-app-configuration|google-oauth-client-id|slack-webhook)"
)


def toml(argv):
    if len(argv) > 1:
        return open(argv[1], encoding="utf-8").read()
    home = os.environ.get("CARGO_HOME", os.path.expanduser("~/.cargo"))
    found = glob.glob(f"{home}/registry/src/*/kingfisher-rules-*/generated/upstream-sources.json.gz")
    if not found:
        sys.exit("the crate kingfisher-rules is not in cargo's registry: give a betterleaks.toml")
    sources = json.load(gzip.open(sorted(found)[-1]))
    return next(text for name, text in sources.items() if name.endswith("/betterleaks.toml"))


def members(items, ignore_case):
    out = set()
    for op, arg in items:
        op = str(op)
        if op == "LITERAL":
            out.add(chr(arg))
        elif op == "RANGE":
            out |= {chr(c) for c in range(arg[0], arg[1] + 1)}
        elif op == "CATEGORY":
            name = str(arg)
            out |= set(DIGITS if name == "CATEGORY_DIGIT" else WORD + "_" if name == "CATEGORY_WORD" else "\0")
        else:
            return None
    if ignore_case:
        out |= {c.swapcase() for c in out if c.isalpha()}
    return out


class No(Exception):
    """Not in the engine's small language."""


def flat(tree, flags, budget=24):
    """All alternatives of a pattern, each a list of characters and (class, least, most)."""
    ways = [[]]
    for op, arg in tree:
        name = str(op)
        fold = bool(flags & re.I)
        if name == "AT":
            continue
        if name == "LITERAL":
            c = chr(arg)
            more = [[("set", {c, c.swapcase()}, 1, 1)] if fold and c.isalpha() else [c]]
        elif name == "IN":
            chars = members(arg, fold)
            if chars is None:
                raise No
            more = [[("set", chars, 1, 1)]]
        elif name == "BRANCH":
            more = [w for part in arg[1] for w in flat(part, flags)]
        elif name == "SUBPATTERN":
            more = flat(arg[3], (flags | arg[1]) & ~arg[2])
        elif name in ("MAX_REPEAT", "MIN_REPEAT"):
            least, most, part = arg
            most = min(int(most), 4096)
            inner = flat(part, flags)
            if len(inner) == 1 and len(inner[0]) == 1 and inner[0][0][0] == "set":
                _, chars, a, b = inner[0][0]
                more = [[("set", chars, a * least, b * most)]]
            elif len(inner) == 1 and len(inner[0]) == 1 and inner[0][0] == "=":
                more = [[("set", {"="}, least, most)]]
            elif most <= 3:
                more = []
                for n in range(least, most + 1):
                    part = [[]]
                    for _ in range(n):
                        part = [p + i for p in part for i in inner]
                    more += part
            else:
                raise No
        else:
            raise No
        ways = [w + m for w in ways for m in more]
        if len(ways) > budget:
            raise No
    return ways


def spelt(way, fold):
    """A way in the engine's language; None without letters of its own at the start."""
    text, start, in_start = "", "", True
    parts = []
    for item in way:
        if isinstance(item, str):
            parts.append(item)
            continue
        _, chars, least, most = item
        if len({c.lower() for c in chars}) == 1 and least == most == 1:
            parts.append(sorted(chars)[-1] if in_start and not parts else sorted(chars)[-1])
            continue
        name = next((n for n, members in CLASSES if chars <= set(members)), None)
        if name is None:
            return None
        parts.append((name, least, most))
    # Neighbours of one class are one.
    merged = []
    for p in parts:
        if merged and isinstance(p, tuple) and isinstance(merged[-1], tuple):
            (n, a, b), (m, c, d) = merged[-1], p
            order = [c for c, _ in CLASSES]
            wider = order[max(order.index(n), order.index(m))]
            merged[-1] = (wider, a + c, min(b + d, 4096))
        else:
            merged.append(p)
    for p in merged:
        if isinstance(p, str):
            text += p
            start += p if in_start else ""
        else:
            in_start = False
            text += "{%s%d,%d}" % p
    return (start, text) if "{" in text else None


def value(pattern):
    """The part of a rule that is the value: its last group, or all of it."""
    flags = 0
    if pattern.startswith("(?i)"):
        flags, pattern = re.I, pattern[4:]
    pattern = pattern.replace("[[:alnum:]]", "[A-Za-z0-9]").replace("[:alnum:]", "A-Za-z0-9")
    pattern = pattern.replace("\\z", "\\Z").replace("\\x60", "`")
    pattern = re.sub(r"\(\?i\)(\[[^\]]*\])", lambda m: "(?i:" + m.group(1) + ")", pattern)
    pattern = re.sub(r"\(\?i\)", "", pattern)
    # Python reads a fold of letters only at the start of a group.
    tree = sre_parse.parse(pattern)
    groups = []

    def walk(items, flags):
        for op, arg in items:
            name = str(op)
            if name == "SUBPATTERN":
                inner = (flags | arg[1]) & ~arg[2]
                if arg[0] is not None:
                    groups.append((arg[3], inner))
                walk(arg[3], inner)
            elif name == "BRANCH":
                for part in arg[1]:
                    walk(part, flags)
            elif "REPEAT" in name:
                walk(arg[2], flags)

    walk(tree, flags)
    outer = [g for g in groups]
    if outer:
        return outer[0]
    # Without a group: from the first letter of its own on, up to what may follow.
    items = [i for i in tree]
    while items and str(items[-1][0]) in ("AT",):
        items.pop()
    return items, flags


def main():
    text = toml(sys.argv)
    rules = tomllib.loads(text)["rules"]
    tokens, values, left = {}, [], []
    for rule in rules:
        name, pattern = rule["id"], rule.get("regex", "")
        if not pattern or PUBLIC.search(name):
            continue
        try:
            tree, flags = value(pattern)
            ways = flat(tree, flags)
        except (No, re.error, RecursionError) as e:
            left.append(name)
            continue
        got = [s for s in (spelt(w, flags) for w in ways) if s]
        service = re.sub(r"\.\d$", "", name)
        for start, spelled in got:
            values.append((service, spelled))
            letters = sum(c.isalnum() for c in start)
            if letters >= 3 and len(start) >= 4 or start in ("A3-", "SK", "t1.", "YC", "SG."):
                tokens.setdefault(spelled, service)
        if not got:
            left.append(name)
    head = (
        "# Made by tools/secret-formats.py from the rules of Betterleaks (MIT, see LICENSE-BETTERLEAKS). Do not edit.\n"
    )
    with open(os.path.join(OUT, "tokens.txt"), "w", encoding="utf-8") as f:
        f.write(head)
        for spelled, service in sorted(tokens.items(), key=lambda t: (t[1], t[0])):
            kind = service.split("-")[0]
            f.write(f"{KIND.get(kind, kind)} {spelled}\n")
    with open(os.path.join(OUT, "rules.txt"), "w", encoding="utf-8") as f:
        f.write(head)
        for service, spelled in sorted(set(values)):
            f.write(f"{service} {spelled}\n")
    print(f"{len(rules)} rules, {len(tokens)} tokens, {len(set(values))} values; left out: {' '.join(left)}")


main()
