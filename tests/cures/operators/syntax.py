"""Brackets, quotes, colons, commas, indentation, and words of other languages."""

import ast
import io
import re
import tokenize

from .book import Edit, operator

GROUP = "syntax"
# Keywords and what fingers make of them.
SLIPS = {
    "import": "improt", "return": "retrun", "else": "esle", "elif": "else if", "def": "fucntion", "for": "fro", "from": "form", "in": "on",
    "class": "calss", "lambda": "lamda", "while": "whlie", "with": "wiht", "not": "!", "and": "&&", "or": "||",
}
BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.FunctionDef, ast.ClassDef, ast.Try)


def tokens(cell):
    """(type, text, start, end) of each token of a cell, in characters of its text."""
    out = []
    try:
        for one in tokenize.generate_tokens(io.StringIO(cell.text).readline):
            start = cell.starts[one.start[0] - 1] + one.start[1] if one.start[0] <= len(cell.lines) else len(cell.text)
            end = cell.starts[one.end[0] - 1] + one.end[1] if one.end[0] <= len(cell.lines) else len(cell.text)
            out.append((one.type, one.string, start, end))
    except (tokenize.TokenError, IndentationError):
        pass
    return out


def marks(cell, *wanted):
    return [one for one in tokens(cell) if one[0] == tokenize.OP and one[1] in wanted]


@operator("bracket-missing", GROUP, 3)
def bracket_missing(book, cell, rng):
    """A closing bracket was forgotten."""
    for _, text, start, end in marks(cell, ")", "]", "}"):
        yield Edit(start, end, "", text, text)


@operator("bracket-extra", GROUP, 2)
def bracket_extra(book, cell, rng):
    """A closing bracket too many."""
    for _, text, start, end in marks(cell, ")", "]"):
        yield Edit(end, end, text, text, text)


@operator("bracket-of-another-kind", GROUP, 1)
def bracket_other(book, cell, rng):
    """A bracket is closed by one of another kind."""
    for _, text, start, end in marks(cell, ")", "]", "}"):
        new = {")": "]", "]": ")", "}": "]"}[text]
        yield Edit(start, end, new, new, text)


@operator("quote-missing", GROUP, 2)
def quote_missing(book, cell, rng):
    """The quote that ends a text was forgotten."""
    for kind, text, start, end in tokens(cell):
        if kind == tokenize.STRING and not text.endswith(('"""', "'''")):
            yield Edit(end - 1, end, "", text[-1], text[-1])


@operator("quotes-mixed", GROUP, 1)
def quotes_mixed(book, cell, rng):
    """A text begins with one quote and ends with the other."""
    for kind, text, start, end in tokens(cell):
        if kind == tokenize.STRING and not text.endswith(('"""', "'''")):
            new = "'" if text[-1] == '"' else '"'
            yield Edit(end - 1, end, new, new, text[-1])


@operator("quotes-curly", GROUP, 1)
def quotes_curly(book, cell, rng):
    """Quotes as word processors set them."""
    for kind, text, start, end in tokens(cell):
        if kind == tokenize.STRING and text[:1] in "\"'" and not text.endswith(('"""', "'''")):
            yield Edit(start, end, f"“{text[1:-1]}”" if text[0] == '"' else f"‘{text[1:-1]}’", "“", '"')


@operator("quotes-forgotten", GROUP, 2)
def quotes_forgotten(book, cell, rng):
    """A text without its quotes: df[age]."""
    for node in cell.nodes(ast.Constant):
        if isinstance(node.value, str) and node.value.isidentifier() and cell.code(node)[:1] in "\"'":
            yield cell.swap(node, node.value, node.value, f'"{node.value}"')


@operator("apostrophe-in-text", GROUP, 1)
def apostrophe(book, cell, rng):
    """An apostrophe within a text in single quotes."""
    for node in cell.nodes(ast.Constant):
        code = cell.code(node)
        if isinstance(node.value, str) and " " in node.value and code[:1] in "\"'" and "'" not in node.value and '"' not in node.value and "\\" not in code:
            at = node.value.index(" ")
            yield cell.swap(node, f"'{node.value[:at]}'s{node.value[at:]}'", "'", '"')


@operator("colon-missing", GROUP, 3)
def colon_missing(book, cell, rng):
    """The colon at the end of a block's first line was forgotten."""
    for node in cell.nodes(*BLOCKS):
        first = node.body[0]
        text = cell.text[cell.start(node) : cell.start(first)]
        if found := re.search(r":(\s*(#.*)?)\n[\s\S]*$", text):
            at = cell.start(node) + found.start()
            yield Edit(at, at + 1, "", ":", ":")


@operator("comma-missing", GROUP, 3)
def comma_missing(book, cell, rng):
    """A comma between two arguments or items was forgotten."""
    for _, text, start, end in marks(cell, ","):
        yield Edit(start, end, "" if cell.text[end : end + 1].isspace() else " ", ",", ",")


@operator("comma-extra", GROUP, 1)
def comma_extra(book, cell, rng):
    """Two commas, or one at the end of a line, which makes a tuple."""
    for _, text, start, end in marks(cell, ","):
        yield Edit(end, end, ",", ",,", ",")
    for node in cell.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield Edit(cell.end(node), cell.end(node), ",", ",", ",")


@operator("indented-too-far", GROUP, 2)
def indented(book, cell, rng):
    """A line is indented by a space or a level too much."""
    for node in cell.nodes(ast.stmt):
        at = cell.starts[node.lineno - 1]
        if node is not cell.tree.body[0] and not cell.text[at : cell.start(node)].strip():
            yield Edit(at, at, rng.choice([" ", "    "]), "indent", "indent")


@operator("not-indented", GROUP, 2)
def not_indented(book, cell, rng):
    """The first line of a block is not indented."""
    for node in cell.nodes(*BLOCKS):
        first = node.body[0]
        at = cell.starts[first.lineno - 1]
        if not cell.text[at : cell.start(first)].strip() and first.col_offset:
            yield Edit(at, cell.start(first), " " * node.col_offset, "indent", "indent")


@operator("dedented-halfway", GROUP, 1)
def dedented(book, cell, rng):
    """A line's indentation matches no other."""
    for node in cell.nodes(ast.stmt):
        at = cell.starts[node.lineno - 1]
        if node.col_offset >= 4 and not cell.text[at : cell.start(node)].strip():
            yield Edit(at, at + rng.choice([1, 2]), "", "indent", "indent")


@operator("tab-among-spaces", GROUP, 1)
def tab(book, cell, rng):
    """A tab where the other lines have spaces."""
    for node in cell.nodes(ast.stmt):
        at = cell.starts[node.lineno - 1]
        if node.col_offset == 4 and cell.text[at : at + 4] == "    ":
            yield Edit(at, at + 4, "\t", "tab", "spaces")


@operator("equals-for-comparison", GROUP, 3)
def equals(book, cell, rng):
    """= for ==."""
    for node in cell.nodes(ast.Compare):
        if isinstance(node.ops[0], ast.Eq):
            at = cell.text.index("==", cell.end(node.left))
            yield Edit(at, at + 2, "=", "=", "==")


@operator("comparison-for-equals", GROUP, 1)
def comparison(book, cell, rng):
    """== for =."""
    for node in cell.nodes(ast.Assign):
        if isinstance(node.targets[0], ast.Name):
            at = cell.text.index("=", cell.end(node.targets[0]))
            yield Edit(at, at + 1, "==", "==", "=")


@operator("keyword-of-python-misspelt", GROUP, 2)
def python_keyword(book, cell, rng):
    """A word of the language is misspelt, or taken from another language."""
    for kind, text, start, end in tokens(cell):
        if kind == tokenize.NAME and text in SLIPS:
            yield Edit(start, end, SLIPS[text], SLIPS[text], text)


@operator("print-of-python-2", GROUP, 2)
def print_statement(book, cell, rng):
    """print without brackets, as in Python 2."""
    for node in cell.nodes(ast.Expr):
        call = node.value
        if isinstance(call, ast.Call) and cell.code(call.func) == "print" and call.args and call.lineno == call.end_lineno:
            yield cell.swap(call, "print " + cell.code(call)[6:-1], "print", "print(")


@operator("colon-for-equals", GROUP, 1)
def colon_for_equals(book, cell, rng):
    """= for : in a dictionary, or : for = in a call."""
    for node in cell.nodes(ast.Dict):
        for key, value in zip(node.keys, node.values):
            if key is not None:
                yield Edit(cell.end(key), cell.start(value), " = ", "=", ":")
    for node in cell.nodes(ast.keyword):
        if node.arg:
            start, end = cell.keyword(node)
            yield Edit(end, cell.start(node.value), ": ", ":", "=")


@operator("space-of-another-kind", GROUP, 1)
def odd_space(book, cell, rng):
    """A space that was pasted from a web page, or another character that looks like one of Python's."""
    for _, text, start, end in marks(cell, "=", ",", "(", "-"):
        if text == "=" and cell.text[end : end + 1] == " ":
            yield Edit(end, end + 1, "\u00a0", "U+00A0", " ")
        elif text in ",(-":
            new = {",": "，", "(": "（", "-": "–"}[text]
            yield Edit(start, end, new, new, text)


@operator("plus-plus", GROUP, 1)
def plus_plus(book, cell, rng):
    """i++ for i += 1."""
    for node in cell.nodes(ast.AugAssign):
        if isinstance(node.op, ast.Add) and isinstance(node.value, ast.Constant) and node.value.value == 1:
            yield cell.swap(node, f"{cell.code(node.target)}++", "++", "+= 1")


@operator("brace-missing-in-text", GROUP, 1)
def brace_missing(book, cell, rng):
    """A brace of an f-string is missing."""
    for node in cell.nodes(ast.JoinedStr):
        start, text = cell.start(node), cell.code(node)
        if text.count("{") == 1 and text.count("}") == 1:
            at = start + text.index("}")
            yield Edit(at, at + 1, "", "}", "}")


@operator("number-with-comma", GROUP, 1)
def number_with_comma(book, cell, rng):
    """A number that begins with 0, or a name that begins with a number."""
    for node in cell.nodes(ast.Constant):
        if type(node.value) is int and node.value > 0 and cell.code(node).isdigit():
            yield cell.swap(node, f"0{node.value}", f"0{node.value}", str(node.value))
    for node in cell.nodes(ast.Assign):
        if isinstance(node.targets[0], ast.Name):
            yield Edit(cell.start(node), cell.start(node), "2", f"2{node.targets[0].id}", node.targets[0].id)
