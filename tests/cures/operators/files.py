"""Files: another name, folder, mode, encoding or form."""

import ast
import re

from .book import Edit, called, misspelt, operator

GROUP = "files"
READS = ("read_csv", "read_json", "read_excel", "read_parquet", "open", "load", "imread", "load_model", "read_text", "Path", "loadtxt", "connect", "genfromtxt", "load_dataset")


def paths(cell):
    """The texts of a program that name files, where they are read."""
    for node in cell.calls(*READS):
        for one in node.args[:1]:
            if isinstance(one, ast.Constant) and isinstance(one.value, str) and re.search(r"\.\w{2,5}$", one.value):
                yield node, one


@operator("file-misspelt", GROUP, 4)
def file_misspelt(book, cell, rng):
    """The name of a file is misspelt."""
    for _, node in paths(cell):
        stem, dot, end = node.value.rpartition(".")
        new = rng.choice([misspelt(stem, rng), stem.capitalize() if stem != stem.capitalize() else stem.upper(), stem + "s"]) + dot + end
        yield cell.swap(node, f'"{new}"', new, node.value)


@operator("folder-wrong", GROUP, 3)
def folder_wrong(book, cell, rng):
    """A file is looked for in another folder."""
    for _, node in paths(cell):
        new = rng.choice([f"data/{node.value}", f"../{node.value}", f"/content/{node.value}", f"../input/{node.value}", f"./datasets/{node.value}"])
        yield cell.swap(node, f'"{new}"', new, node.value)


@operator("ending-wrong", GROUP, 2)
def ending_wrong(book, cell, rng):
    """A file's name with another ending, or none."""
    other = {"csv": "txt", "json": "jsn", "txt": "csv", "png": "jpg", "jpg": "jpeg", "db": "sqlite", "npy": "npz", "pkl": "pickle", "pt": "pth", "joblib": "pkl"}
    for _, node in paths(cell):
        stem, _, end = node.value.rpartition(".")
        new = rng.choice([f"{stem}.{other.get(end, 'dat')}", stem])
        yield cell.swap(node, f'"{new}"', new, node.value)


@operator("mode-wrong", GROUP, 3)
def mode_wrong(book, cell, rng):
    """A file is opened for reading where it is written, or the other way round, or as bytes."""
    other = {"w": ["r", "wb", "x"], "r": ["w", "rb", "a"], "wb": ["w", "rb"], "rb": ["r", "wb"], "a": ["r", "x"], "wt": ["rt"], "rt": ["rb"]}
    for node in cell.calls("open"):
        modes = [one for one in [*node.args[1:2], *[k.value for k in node.keywords if k.arg == "mode"]] if isinstance(one, ast.Constant)]
        for one in modes:
            if one.value in other:
                new = rng.choice(other[one.value])
                yield cell.swap(one, f'"{new}"', new, one.value)
        if not modes and node.args and isinstance(node.func, ast.Name):
            yield Edit(cell.end(node.args[0]), cell.end(node.args[0]), ', "' + rng.choice(["w", "rb"]) + '"', "w", "r")
        elif modes and isinstance(node.func, ast.Name) and modes[0].value in ("w", "wb", "a"):
            yield Edit(cell.end(node.args[0]), cell.end(modes[0]), "", "r", modes[0].value)


@operator("encoding-wrong", GROUP, 2)
def encoding_wrong(book, cell, rng):
    """Another encoding than the file has."""
    new = rng.choice(["utf-16", "ascii", "utf8-sig2", "utf-32"])
    for node in cell.calls("open", "read_csv", "read_text", "write_text", "to_csv"):
        found = [one for one in node.keywords if one.arg == "encoding"]
        for one in found:
            yield cell.swap(one.value, f'"{new}"', new, cell.code(one.value).strip("\"'"))
        if not found and (node.args or node.keywords):
            last = max([*node.args, *node.keywords], key=cell.end)
            yield Edit(cell.end(last), cell.end(last), f', encoding="{new}"', new, "utf-8")


@operator("separator-wrong", GROUP, 3)
def separator_wrong(book, cell, rng):
    """Columns are split at another character, or the header is taken for a row."""
    for node in cell.calls("read_csv", "split", "reader", "DictReader", "read_table"):
        found = [one for one in node.keywords if one.arg in ("sep", "delimiter", "separator")]
        for one in found:
            yield cell.swap(one.value, rng.choice(['";"', '"\\t"', '"|"']), "sep", cell.code(one.value))
        if not found and node.args and called(node) != "split":
            name = "delimiter" if called(node) in ("reader", "DictReader") else "sep"
            yield Edit(cell.end(node.args[0]), cell.end(node.args[0]), f', {name}="' + rng.choice([";", "|", "\\t"]) + '"', name, ",")
            if called(node) == "read_csv":
                yield Edit(cell.end(node.args[0]), cell.end(node.args[0]), rng.choice([", header=None", ", index_col=0", ", skiprows=1"]), "header", "header")
        if called(node) == "split" and node.args and isinstance(node.args[0], ast.Constant):
            yield cell.swap(node.args[0], rng.choice(['";"', '"|"', '" - "']), "split", cell.code(node.args[0]))


@operator("load-for-loads", GROUP, 3)
def load_for_loads(book, cell, rng):
    """json.load for json.loads, dump for dumps, and the other way round."""
    other = {"load": "loads", "loads": "load", "dump": "dumps", "dumps": "dump"}
    for node in cell.nodes(ast.Attribute):
        if node.attr in other and isinstance(node.value, ast.Name) and node.value.id in ("json", "pickle"):
            yield Edit(*cell.attribute(node), other[node.attr], other[node.attr], node.attr)


@operator("read-after-close", GROUP, 2)
def read_after_close(book, cell, rng):
    """A line that needs the open file stands below its with block."""
    for node in cell.nodes(ast.With):
        if len(node.body) > 1 and node.body[-1].lineno == node.body[-1].end_lineno:
            last = node.body[-1]
            yield Edit(cell.starts[last.lineno - 1], cell.start(last), " " * node.col_offset, "with", "with")


@operator("name-for-file", GROUP, 2)
def name_for_file(book, cell, rng):
    """The file's name where the open file is needed."""
    for node in cell.nodes(ast.With):
        item = node.items[0]
        if isinstance(item.optional_vars, ast.Name) and isinstance(item.context_expr, ast.Call) and item.context_expr.args:
            path = cell.code(item.context_expr.args[0])
            for one in ast.walk(node):
                if isinstance(one, ast.Name) and one.id == item.optional_vars.id and isinstance(one.ctx, ast.Load):
                    yield cell.swap(one, path, path, one.id)


@operator("writing-left-out", GROUP, 2)
def writing_left_out(book, cell, rng):
    """The line that writes a file or makes a folder was lost."""
    for node in cell.nodes(ast.Expr):
        if isinstance(node.value, ast.Call) and called(node.value) in ("to_csv", "to_json", "to_parquet", "makedirs", "mkdir", "save", "dump", "write_text", "write_csv", "savetxt", "commit", "to_excel", "imwrite"):
            yield cell.without(node, called(node.value), called(node.value))


@operator("backslash-in-path", GROUP, 1)
def backslash(book, cell, rng):
    """A path as on Windows, whose backslashes are escapes."""
    for _, node in paths(cell):
        yield cell.swap(node, f'"C:\\Users\\me\\{node.value}"', "\\U", "\\")
