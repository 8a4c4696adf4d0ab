"""Values of another type: text for number, lists for arrays, one for many."""

import ast

from .book import Edit, bodies, called, operator

GROUP = "types"
CONVERTED = ("int", "float", "str", "list", "tuple", "dict", "set")


@operator("conversion-of-a-value-left-out", GROUP, 4)
def value_conversion(book, cell, rng):
    """int(), float(), str() or list() was left out."""
    for node in cell.calls(*CONVERTED):
        if isinstance(node.func, ast.Name) and len(node.args) == 1 and not isinstance(node.args[0], ast.GeneratorExp):
            yield cell.swap(node, cell.code(node.args[0]), called(node), called(node))


@operator("text-plus-number", GROUP, 3)
def text_plus_number(book, cell, rng):
    """A text and a number joined by +, where an f-string or several arguments were."""
    for node in cell.nodes(ast.JoinedStr):
        parts = node.values
        if len(parts) == 2 and isinstance(parts[0], ast.Constant) and isinstance(parts[1], ast.FormattedValue) and "\n" not in parts[0].value:
            yield cell.swap(node, f"{parts[0].value!r} + {ast.unparse(parts[1].value)}", "+", "str")
    for node in cell.calls("print"):
        if len(node.args) > 1 and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            yield Edit(cell.end(node.args[0]), cell.start(node.args[1]), " + ", "+", "str")


@operator("number-joined-as-text", GROUP, 2)
def joined(book, cell, rng):
    """Numbers handed to join, or one number where texts are."""
    for node in cell.calls("join"):
        for one in node.args:
            if isinstance(one, ast.Call) and called(one) == "map" and len(one.args) == 2:
                yield cell.swap(one, cell.code(one.args[1]), "map", "str")
            elif isinstance(one, ast.GeneratorExp) and isinstance(one.elt, ast.Call):
                yield cell.swap(one.elt, cell.code(one.elt.args[0]) if one.elt.args else "1", called(one.elt), called(one.elt))


@operator("list-for-array", GROUP, 4)
def list_for_array(book, cell, rng):
    """A list where an array, a tensor or a table is needed."""
    for node in cell.calls("array", "asarray", "tensor", "DataFrame", "Series", "Path", "from_numpy", "constant", "Counter", "deque", "defaultdict", "date", "datetime"):
        if node.args and isinstance(node.args[0], (ast.List, ast.Name, ast.Dict, ast.Constant, ast.ListComp, ast.Subscript, ast.Attribute)):
            yield cell.swap(node, cell.code(node.args[0]), called(node), called(node))


@operator("array-for-table", GROUP, 2)
def array_for_table(book, cell, rng):
    """An array where a table is needed: .values or to_numpy() too early."""
    for node in cell.nodes(ast.Assign):
        value = node.value
        if isinstance(value, ast.Call) and called(value) in ("read_csv", "merge", "dropna", "drop", "reset_index", "copy", "concat", "DataFrame", "fillna"):
            yield Edit(cell.end(value), cell.end(value), rng.choice([".values", ".to_numpy()", ".to_dict()", ".values.tolist()"]), ".values", cell.code(node.targets[0]))


@operator("one-for-many", GROUP, 2)
def one_for_many(book, cell, rng):
    """One item where all are needed, or all where one is."""
    for node in cell.nodes(ast.For):
        if isinstance(node.iter, ast.Name):
            yield Edit(cell.end(node.iter), cell.end(node.iter), "[0]", "[0]", node.iter.id)
        elif isinstance(node.iter, ast.Call) and called(node.iter) == "range" and node.iter.args and isinstance(node.iter.args[0], ast.Call):
            yield cell.swap(node.iter, cell.code(node.iter.args[0]), "range", "range")
    for node in cell.nodes(ast.Subscript):
        if isinstance(node.slice, ast.Constant) and node.slice.value == 0 and isinstance(node.ctx, ast.Load):
            yield cell.swap(node, cell.code(node.value), cell.code(node.value), cell.code(node))


@operator("items-left-out", GROUP, 3)
def items_left_out(book, cell, rng):
    """.items(), enumerate or zip left out where pairs are unpacked."""
    for node in cell.nodes(ast.For, ast.comprehension):
        call = node.iter
        if isinstance(node.target, ast.Tuple) and isinstance(call, ast.Call):
            if called(call) in ("items", "iterrows", "itertuples", "named_parameters") and isinstance(call.func, ast.Attribute):
                yield Edit(cell.end(call.func.value), cell.end(call), "", called(call), called(call))
            elif called(call) in ("enumerate", "zip") and call.args:
                yield cell.swap(call, cell.code(call.args[0]), called(call), called(call))


@operator("division-for-whole-division", GROUP, 2)
def division(book, cell, rng):
    """/ for // where a whole number is needed."""
    for node in cell.nodes(ast.BinOp):
        if isinstance(node.op, ast.FloorDiv):
            at = cell.text.index("//", cell.end(node.left))
            yield Edit(at, at + 2, "/", "/", "//")


@operator("power-by-caret", GROUP, 1)
def caret(book, cell, rng):
    """^ for **."""
    for node in cell.nodes(ast.BinOp):
        if isinstance(node.op, ast.Pow):
            at = cell.text.index("**", cell.end(node.left))
            yield Edit(at, at + 2, "^", "^", "**")


@operator("number-in-quotes", GROUP, 3)
def number_in_quotes(book, cell, rng):
    """A number was set as a text."""
    for node in cell.nodes(ast.Assign):
        if isinstance(node.value, ast.Constant) and type(node.value.value) in (int, float):
            code = cell.code(node.value)
            yield cell.swap(node.value, f'"{code}"', f'"{code}"', code)
    for node in cell.nodes(ast.Dict):
        for one in node.values:
            if isinstance(one, ast.Constant) and type(one.value) in (int, float):
                yield cell.swap(one, f'"{cell.code(one)}"', f'"{cell.code(one)}"', cell.code(one))


@operator("mixed-types-in-a-list", GROUP, 2)
def mixed(book, cell, rng):
    """A text or None among the numbers of a list."""
    for node in cell.nodes(ast.List):
        numbers = [one for one in node.elts if isinstance(one, ast.Constant) and type(one.value) in (int, float)]
        if len(numbers) > 2:
            one = rng.choice(numbers)
            yield cell.swap(one, rng.choice(["None", f'"{cell.code(one)}"', '"?"', '"n/a"']), "text", cell.code(one))


@operator("list-item-lost", GROUP, 3)
def item_lost(book, cell, rng):
    """One of the lists that become columns is shorter, or a row of a list of lists."""
    for node in cell.nodes(ast.List):
        if len(node.elts) > 2 and isinstance(cell.parents.get(node), (ast.Dict, ast.List, ast.Call, ast.Assign)):
            last = node.elts[-1]
            yield Edit(cell.end(node.elts[-2]), cell.end(last), "", cell.code(node)[:40], cell.code(last))


@operator("default-left-out", GROUP, 2)
def default_left_out(book, cell, rng):
    """A dictionary's get, setdefault or defaultdict replaced by a plain look-up."""
    for node in cell.calls("get"):
        if isinstance(node.func, ast.Attribute) and len(node.args) == 2:
            yield cell.swap(node, f"{cell.code(node.func.value)}[{cell.code(node.args[0])}]", cell.code(node.args[0]), "get")
    for node in cell.calls("defaultdict", "Counter"):
        yield cell.swap(node, "{}", "{}", called(node))


@operator("check-left-out", GROUP, 2)
def check_left_out(book, cell, rng):
    """The check before a value is used was lost: if x is not None, if n > 0."""
    for node in cell.nodes(ast.If):
        if not node.orelse and len(node.body) == 1 and isinstance(node.body[0], (ast.Return, ast.Continue, ast.Raise, ast.Break)):
            yield cell.without(node, "if", "if")
        elif not node.orelse and node.body[0].lineno > node.lineno:
            yield cell.swap(node.test, "True", "if", cell.code(node.test))
    for node in cell.nodes(ast.comprehension):
        for one in node.ifs[:1]:
            start = cell.text.rindex(" if ", 0, cell.start(one) + 1)
            yield Edit(start, cell.end(one), "", "if", cell.code(one))


@operator("end-of-recursion-lost", GROUP, 2)
def recursion(book, cell, rng):
    """A function that calls itself without an end."""
    for node in cell.nodes(ast.FunctionDef):
        calls_itself = any(isinstance(one, ast.Call) and called(one) == node.name for one in ast.walk(node))
        for one in node.body if calls_itself else ():
            if isinstance(one, ast.If) and any(isinstance(x, ast.Return) for x in one.body):
                yield cell.without(one, node.name, "return")
                break
        for one in ast.walk(node) if calls_itself else ():
            if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Sub) and isinstance(cell.parents.get(one), ast.Call):
                yield cell.swap(one, cell.code(one.left), cell.code(one.left), cell.code(one))


@operator("try-left-out", GROUP, 1)
def try_left_out(book, cell, rng):
    """Another class of exception is caught than the one that is raised."""
    for node in cell.nodes(ast.ExceptHandler):
        if isinstance(node.type, (ast.Name, ast.Tuple)):
            yield cell.swap(node.type, "StopIteration", "StopIteration", cell.code(node.type))


@operator("instance-shared", GROUP, 1)
def super_left_out(book, cell, rng):
    """super().__init__() was left out."""
    for node in cell.nodes(ast.Expr):
        if cell.code(node).startswith("super(") and bodies(cell.parents.get(node)):
            yield cell.without(node, "__init__", "super")


@operator("changed-while-walked", GROUP, 1)
def changed_while_walked(book, cell, rng):
    """A dictionary or list changes while a loop walks over it: list() or copy() left out."""
    for node in cell.nodes(ast.For):
        call = node.iter
        if isinstance(call, ast.Call) and called(call) in ("list", "copy", "sorted") and call.args:
            yield cell.swap(call, cell.code(call.args[0]), called(call), called(call))


@operator("tuple-changed", GROUP, 1)
def tuple_changed(book, cell, rng):
    """A tuple where a list is needed that changes later."""
    for node in cell.nodes(ast.Assign):
        if isinstance(node.value, ast.List) and node.value.elts:
            yield cell.swap(node.value, f"({cell.code(node.value)[1:-1].rstrip(', ')},)", "(", "[")


@operator("date-format-off", GROUP, 2)
def date_format(book, cell, rng):
    """The format of a date that the texts do not have."""
    for node in cell.nodes(ast.Constant):
        if isinstance(node.value, str) and "%" in node.value and any(mark in node.value for mark in ("%d", "%Y", "%H", "%m")):
            other = {"%Y": "%y", "%d": "%b", "%m": "%B", "%H": "%p", "-": "/", "/": "-", ":": "."}
            found = [mark for mark in other if mark in node.value]
            mark = rng.choice(found)
            new = node.value.replace(mark, other[mark])
            yield cell.swap(node, repr(new), new, node.value)


@operator("zero-in-a-division", GROUP, 1)
def zero(book, cell, rng):
    """A divisor that is zero or empty."""
    for node in cell.nodes(ast.BinOp):
        if isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod)) and isinstance(node.right, (ast.Name, ast.Constant)) and not isinstance(node.left, ast.Constant):
            yield cell.swap(node.right, "0", "0", cell.code(node.right))


@operator("function-without-its-result", GROUP, 2)
def function_itself(book, cell, rng):
    """The function instead of its result: its brackets with all arguments are missing."""
    for node in cell.nodes(ast.Assign):
        if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name) and node.value.func.id in book.names:
            yield Edit(cell.end(node.value.func), cell.end(node.value), "", node.value.func.id, f"{node.value.func.id}(")
