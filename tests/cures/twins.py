"""The same mutant otherwise written: its first fix must be the same, changed accordingly.

Each technique changes the unbroken program and the mutant in the same way."""

import ast
import copy
import re

import rewrites
from mutants import Mutant, ordered
from operators.book import Book
from rewrites import Rewrite

VOWELS, CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxz"
COMMENT = '# (see "notes [1]: it\'s {open'


def ciphered(word):
    """The word with each letter replaced by the next of its kind: two words stay as near to each other as they were."""
    def next_of(letter):
        for letters in (VOWELS, CONSONANTS):
            if letter.lower() in letters:
                new = letters[(letters.index(letter.lower()) + 1) % len(letters)]
                return new.upper() if letter.isupper() else new
        return letter

    return "".join(map(next_of, word))


def own_names(mutant):
    """The names that the program sets at its top, and a wrong token that stands for one of them."""
    book = Book(mutant.base)
    names = {name for name in book.names if name not in book.modules and len(name) > 1}
    texts = "\n".join(text for _, text in mutant.base.cells)
    # What is also an attribute, a keyword, a key or part of a text stays as it is.
    names = {name for name in names if not re.search(rf"\.\s*{name}\b|\b{name}\s*=(?!=)[^\n]*\)|['\"][^'\"\n]*\b{name}\b", texts)}
    wrong = {one for pair in mutant.tokens for one, other in (pair, pair[::-1]) if other in names and one.isidentifier()}
    return names | wrong


def renamed(mutant):
    """All of the person's names changed."""
    names = {name: ciphered(name) for name in own_names(mutant)}
    if not names:
        return None
    word = re.compile(r"(?<![\w.])(" + "|".join(sorted(map(re.escape, names), key=len, reverse=True)) + r")(?!\w)")
    return Rewrite(text=lambda text, _: word.sub(lambda found: names[found[1]], text), names=names)


def commented(mutant):
    """A comment with brackets and quotes, and a blank line, above every cell."""
    return Rewrite(text=lambda text, _: f"{COMMENT}\n\n{text}")


def trailing(mutant):
    """A comment behind every cell, and blank lines."""
    return Rewrite(text=lambda text, _: f"{text}\n\n{COMMENT}")


def aliased(mutant):
    """Modules under another alias."""
    modules = {alias: alias + "x" for alias in ("np", "pd", "plt", "sns", "tf", "nn") if alias in Book(mutant.base).modules}
    if not modules:
        return None
    word = re.compile(r"(?<![\w.'\"])(" + "|".join(modules) + r")(?=\.|$|\s*\n)", re.M)
    return Rewrite(text=lambda text, _: word.sub(lambda found: modules[found[1]], text))


TECHNIQUES = {"names": renamed, "comments above": commented, "comments below": trailing, "aliases": aliased} | rewrites.TECHNIQUES


def twin(mutant, technique):
    """The mutant otherwise written, or None where that changes nothing or does not compile."""
    how = TECHNIQUES[technique](mutant)
    if how is None:
        return None

    def change(cells):
        if how.cells:
            return how.cells(cells)
        return [(kind, how.text(text, i) if kind == "code" else text) for i, (kind, text) in enumerate(cells, 1)]

    base = copy.copy(mutant.base)
    base.cells = change(mutant.base.cells)
    base.compare = [how.names.get(name, name) for name in mutant.base.compare]
    base.name = f"{mutant.base.name}~{technique}"
    cells = change(mutant.cells)
    if base.cells == mutant.base.cells or cells == mutant.cells:
        return None
    try:
        for i, (kind, text) in enumerate(base.cells, 1):
            compile(text if kind == "code" else "", f"cell {i}", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError:
        return None
    tokens = [tuple(how.names.get(one, one) for one in pair) for pair in mutant.tokens]
    steps = ordered(cells) if how.cells else [[i, how.text(text, i)] for i, text in mutant.steps]
    other = Mutant(base, mutant.operators, mutant.number, cells, steps, tokens)
    other.left, other.of = [], mutant.half
    return other if other.session == mutant.session and (other.session or other.steps == ordered(cells)) else None
