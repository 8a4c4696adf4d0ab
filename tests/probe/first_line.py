"""The redaction of a cell's first line, which the start cell stores: `first_line.py EXAMPLE` writes the generated part of
probe/cell/sampler.py anew. EXAMPLE is src/secrets' example of that name, built: it knows the literals that reports are redacted by.

The cell has no room for what decides there whether a literal leads to a secret. So it takes away more: the line's rest after some
literals, and what looks like a token or an address. `hides_what_a_report_hides` tests that this leaves nothing of what
a report's redaction finds."""

import ast
import pathlib
import re
import subprocess
import sys
import warnings

SAMPLER = pathlib.Path(__file__).resolve().parents[2] / "probe/cell/sampler.py"
# After these literals the line is cut. Of the others, tokens, hashes, keys and identifiers are long words with digits or of both
# cases, commands come after `!` or have options, and addresses have a form of their own.
CUT = "name", "bearer", "call", "home", "machine", "written"
LONG = 14  # characters that such a word has at least
GENERATED = re.compile(r'(AFTER = r""").*?(""".*?\nENDS = r").*?(")', re.S)


def known(example):
    """The literals with what they lead to, and the lines with the kinds and texts of what is found in them."""
    text = lambda digits: bytes.fromhex(digits).decode()
    literals, lines = [], []
    for row in subprocess.run([example], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        what, first, *rest = row.split()
        if what == "literal":
            least, literal = int(rest[0]), text(rest[1])
            # A token in which such a word would be too short.
            short = first == "token" and len(re.split(r"[.: ]", literal)[-1]) + least < LONG
            literals.append(("call" if short else first, literal))
        else:
            lines.append((text(first), [(kind, text(found)) for kind, found in (part.split(":") for part in rest)]))
    return literals, lines


def shortest(words):
    """Without those that contain another one."""
    words = set(words)
    return sorted(word for word in words if not any(other in word for other in words - {word}))


def bounded(literals):
    """The generated part: two patterns."""
    # Further lines of a command, and commands of a cell's own, come after a line's first word.
    cut = [word for leads, word in literals if leads in CUT and word != "~" and not word.startswith(("<<", "%%"))]
    bare = lambda word: re.sub(r"(?<=\w)\W+$", "", re.sub("^_", "", word))
    # Those that need a sign beside them are parts of many words; unless several literals contain them.
    signed = {bare(word) for word in cut if len(bare(word)) < 5 and bare(word) != word}
    words = shortest(bare(word) for word in cut if bare(word) not in signed)
    whole = sorted(short for short in signed if sum(short in word for word in words) < 3)
    words = shortest([*words, *signed.difference(whole)])
    ends = sorted(word[1:] for leads, word in literals if leads == "host")
    # What stands for a person's name only with a sign behind it: `user_id` is a name of one's own.
    people = "|".join(shortest(word for leads, word in literals if leads == "user"))
    after = "|".join([*map(re.escape, words), f"(?<![a-z])(?:{'|'.join(whole)})(?![a-z])", f"(?:{people})(?:name)?['\"\\]]*\\s?[=:]"])
    return after, "|".join(map(re.escape, ends))


def generated(example):
    after, ends = bounded(known(example)[0])
    # In lines of the usual length; the pattern is verbose.
    rows, row = [], ""
    for part in re.split(r"(?<=\|)", after):
        if len(row + part) > 120:
            rows.append(row)
            row = ""
        row += part
    after = "\n".join([*rows, row])
    return GENERATED.sub(lambda m: m[1] + after + m[2] + ends + m[3], SAMPLER.read_text())


def forms(line):
    """The line as a cell can have it first: itself if it is Python, otherwise as a command and as a string."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(line)
    except (SyntaxError, ValueError):
        return ["!run " + line, "x = " + repr(line)]
    return [line]


def left(secret, kind, shown, starts):
    """Whether something of the secret remains that tells more than its format."""
    if kind == "e-mail":
        secret = re.split("@|%40|u0040", secret)[0]
    elif kind != "user-name":
        secret = re.sub("-+BEGIN[^-]*-+", "", secret)
        secret = secret[max((len(start) for start in starts if secret.lower().startswith(start)), default=0) :]
    return any(secret[at : at + 8] in shown for at in range(max(1, len(secret) - 7)))


def hides_what_a_report_hides(example, shown):
    literals, lines = known(example)
    starts = [word for leads, word in literals if leads in ("token", "call", "special")]
    leaks = [(kind, form, shown(form)) for line, found in lines for form in forms(line) for kind, secret in found if left(secret, kind, shown(form), starts)]
    assert len(lines) > 3000 and len({kind for _, found in lines for kind, _ in found}) > 100, len(lines)
    assert not leaks, (len(leaks), leaks[:5])


if __name__ == "__main__":
    SAMPLER.write_text(generated(sys.argv[1]))
