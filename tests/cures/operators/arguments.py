"""Arguments: misspelt, missing, doubled, by position, of another type."""

import ast

from .book import Edit, called, misspelt, operator

GROUP = "arguments"
# Keywords, and what other functions call the same thing.
SIBLINGS = {
    "n_estimators": "n_trees", "max_iter": "epochs", "random_state": "seed", "test_size": "test_split", "n_clusters": "k", "columns": "cols",
    "by": "column", "on": "key", "lr": "learning_rate", "learning_rate": "lr", "n_components": "n_features", "figsize": "size", "color": "colour",
    "alpha": "opacity", "label": "name", "bins": "n_bins", "epochs": "n_epochs", "batch_size": "batch", "dim": "axis", "axis": "dim",
    "index": "row_index", "ascending": "descending", "inplace": "in_place", "encoding": "charset", "indent": "indentation", "key": "by",
    "reverse": "descending", "dtype": "type", "keepdims": "keep_dims", "n_neighbors": "k", "max_depth": "depth", "kernel_size": "kernel",
    "in_features": "input_size", "out_features": "output_size", "shuffle": "random",
}
# Attributes that are no methods.
PLAIN = ("shape", "columns", "values", "T", "index", "dtypes", "size", "ndim", "dtype", "str", "dt", "name", "iloc", "loc")
# Keywords whose texts are a person's own.
FREE = ("label", "title", "xlabel", "ylabel", "name", "x", "y", "hue", "on", "by", "columns", "index", "values")


def foreign(book, cell):
    """Calls of what the program did not define itself."""
    for node in cell.nodes(ast.Call):
        if not (isinstance(node.func, ast.Name) and node.func.id in book.names and node.func.id not in book.modules):
            yield node


def simple(node):
    return not any(isinstance(one, ast.Starred) for one in node.args)


def items(cell, node):
    return sorted([*node.args, *node.keywords], key=cell.start)


def remove(cell, every, i):
    """Where the i-th of a call's arguments stands, with its comma."""
    if i + 1 < len(every):
        return cell.start(every[i]), cell.start(every[i + 1])
    return (cell.end(every[i - 1]) if i else cell.start(every[i])), cell.end(every[i])


@operator("keyword-misspelt", GROUP, 5)
def keyword_misspelt(book, cell, rng):
    """The name of a keyword argument is misspelt."""
    for node in cell.nodes(ast.Call):
        for one in node.keywords:
            if one.arg and len(one.arg) > 2:
                new = misspelt(one.arg, rng)
                yield Edit(*cell.keyword(one), new, new, one.arg)


@operator("keyword-style", GROUP, 3)
def keyword_style(book, cell, rng):
    """A keyword in another style or number: nestimators, maxDepth, column for columns."""
    for node in foreign(book, cell):
        for one in node.keywords:
            if one.arg and len(one.arg) > 3:
                parts = one.arg.split("_")
                number = one.arg.removesuffix("s") if one.arg.endswith("s") else one.arg + "s"
                new = rng.choice([one.arg.replace("_", ""), parts[0] + "".join(p.capitalize() for p in parts[1:])]) if len(parts) > 1 else number
                yield Edit(*cell.keyword(one), new, new, one.arg)


@operator("keyword-of-a-sibling", GROUP, 3)
def keyword_of_sibling(book, cell, rng):
    """A keyword that another function has for the same thing."""
    for node in foreign(book, cell):
        for one in node.keywords:
            if one.arg in SIBLINGS:
                yield Edit(*cell.keyword(one), SIBLINGS[one.arg], SIBLINGS[one.arg], one.arg)


@operator("argument-missing", GROUP, 3)
def argument_missing(book, cell, rng):
    """An argument was left out."""
    for node in cell.nodes(ast.Call):
        every = items(cell, node)
        for one in node.args if simple(node) else ():
            yield Edit(*remove(cell, every, every.index(one)), "", called(node), cell.code(one))


@operator("argument-doubled", GROUP, 1)
def argument_doubled(book, cell, rng):
    """A keyword argument stands twice in a call."""
    for node in cell.nodes(ast.Call):
        for one in node.keywords:
            if one.arg:
                yield Edit(cell.end(one), cell.end(one), f", {cell.code(one)}", one.arg, one.arg)


@operator("argument-extra", GROUP, 3)
def argument_extra(book, cell, rng):
    """One argument too many."""
    for node in cell.nodes(ast.Call):
        if node.args and simple(node):
            last = node.args[-1]
            if isinstance(last, ast.GeneratorExp):
                continue
            yield Edit(cell.end(last), cell.end(last), ", " + rng.choice(["True", "0", "None", cell.code(last)]), called(node), called(node))


@operator("keyword-by-position", GROUP, 3)
def keyword_by_position(book, cell, rng):
    """The name of a keyword argument was left out: its value comes by position."""
    for node in cell.nodes(ast.Call):
        for one in node.keywords[:1]:
            if one.arg:
                yield Edit(cell.start(one), cell.start(one.value), "", cell.code(one.value), one.arg)


@operator("position-after-keyword", GROUP, 1)
def position_after_keyword(book, cell, rng):
    """An argument by position stands behind one by keyword."""
    for node in cell.nodes(ast.Call):
        if len(node.keywords) > 1 and node.keywords[1].arg:
            one = node.keywords[1]
            yield Edit(cell.start(one), cell.start(one.value), "", cell.code(one.value), one.arg)


@operator("arguments-swapped", GROUP, 3)
def arguments_swapped(book, cell, rng):
    """Two arguments by position are the wrong way round."""
    for node in cell.nodes(ast.Call):
        if len(node.args) > 1 and simple(node):
            one, other = node.args[:2]
            a, b = cell.code(one), cell.code(other)
            if a != b:
                yield Edit(cell.start(one), cell.end(other), f"{b}{cell.text[cell.end(one) : cell.start(other)]}{a}", b, a)


@operator("number-as-text", GROUP, 3)
def number_as_text(book, cell, rng):
    """A number in quotes."""
    for node in cell.nodes(ast.Call):
        for one in [*node.args, *[k.value for k in node.keywords]]:
            if isinstance(one, ast.Constant) and type(one.value) in (int, float):
                yield cell.swap(one, f'"{cell.code(one)}"', f'"{cell.code(one)}"', cell.code(one))


@operator("whole-number-as-float", GROUP, 2)
def whole_as_float(book, cell, rng):
    """A float where a whole number is needed: 100.0, n / 2."""
    for node in cell.nodes(ast.Call):
        for one in [*node.args, *[k.value for k in node.keywords]]:
            if isinstance(one, ast.Constant) and type(one.value) is int and one.value > 1:
                yield cell.swap(one, f"{one.value}.0", f"{one.value}.0", str(one.value))
            elif isinstance(one, ast.BinOp) and isinstance(one.op, ast.FloorDiv):
                yield cell.swap(one, cell.code(one).replace("//", "/", 1), "/", "//")


@operator("option-misspelt", GROUP, 3)
def option_misspelt(book, cell, rng):
    """An option that is one of a few words is misspelt: how="lefft"."""
    for node in foreign(book, cell):
        for one in node.keywords:
            value = one.value
            if not one.arg or one.arg in FREE or not isinstance(value, ast.Constant) or not isinstance(value.value, str):
                continue
            if value.value.replace("_", "").isalpha() and len(value.value) > 2:
                new = misspelt(value.value, rng)
                yield cell.swap(value, f'"{new}"', new, value.value)


@operator("argument-none", GROUP, 1)
def argument_none(book, cell, rng):
    """None where a value is needed."""
    for node in foreign(book, cell):
        for one in node.args:
            if isinstance(one, (ast.Name, ast.Constant)) and cell.code(one) not in ("None", "self"):
                yield cell.swap(one, "None", "None", cell.code(one))


@operator("tuple-as-arguments", GROUP, 2)
def tuple_as_arguments(book, cell, rng):
    """A size as several arguments instead of a tuple: np.zeros(3, 4)."""
    for node in foreign(book, cell):
        for one in node.args:
            if isinstance(one, (ast.Tuple, ast.List)) and len(one.elts) > 1 and cell.code(one)[0] in "([":
                yield cell.swap(one, cell.code(one)[1:-1].rstrip(", "), called(node), cell.code(one))


@operator("list-as-argument", GROUP, 1)
def list_as_argument(book, cell, rng):
    """A value in square brackets where it is needed itself."""
    for node in cell.nodes(ast.Call):
        for one in node.args:
            if isinstance(one, (ast.Name, ast.Constant)):
                yield cell.swap(one, f"[{cell.code(one)}]", f"[{cell.code(one)}]", cell.code(one))


@operator("call-without-brackets", GROUP, 3)
def call_without(book, cell, rng):
    """() was forgotten: df.mean, model.eval, Model for Model()."""
    for node in cell.nodes(ast.Call):
        if not node.args and not node.keywords:
            yield Edit(cell.end(node.func), cell.end(node), "", cell.code(node.func), cell.code(node))


@operator("brackets-too-many", GROUP, 3)
def brackets_too_many(book, cell, rng):
    """() after what is no function: df.shape(), .columns(), .T()."""
    for node in cell.nodes(ast.Attribute):
        parent = cell.parents.get(node)
        if isinstance(parent, ast.Call) and parent.func is node or not isinstance(node.ctx, ast.Load):
            continue
        if node.attr in PLAIN or node.attr.endswith("_"):
            yield Edit(cell.end(node), cell.end(node), "()", f"{node.attr}()", node.attr)


@operator("square-for-round", GROUP, 2)
def square_for_round(book, cell, rng):
    """[] for () in a call, or () for [] in a subscript."""
    for node in cell.nodes(ast.Call):
        if len(node.args) == 1 and not node.keywords:
            at = cell.opening(node)
            yield Edit(at, cell.end(node), "[" + cell.text[at + 1 : cell.end(node) - 1] + "]", "[", "(")
    for node in cell.nodes(ast.Subscript):
        if isinstance(node.slice, (ast.Constant, ast.Name)) and isinstance(node.ctx, ast.Load):
            at = cell.text.index("[", cell.end(node.value))
            yield Edit(at, cell.end(node), "(" + cell.text[at + 1 : cell.end(node) - 1] + ")", "(", "[")


@operator("class-for-instance", GROUP, 2)
def class_for_instance(book, cell, rng):
    """The class's own name where one of its objects is needed: LinearRegression.fit(X, y)."""
    for node in cell.nodes(ast.Assign):
        value = node.value
        if isinstance(value, ast.Call) and called(value)[:1].isupper():
            yield Edit(cell.end(value.func), cell.end(value), "", called(value), f"{called(value)}()")
