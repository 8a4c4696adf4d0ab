"""Columns, keys, labels and what tables are asked for."""

import ast
import re

from .book import Edit, called, misspelt, operator

GROUP = "tables"
# Keywords whose texts are names of columns.
COLUMNS = ("by", "on", "columns", "index", "values", "x", "y", "hue", "subset", "left_on", "right_on", "id_vars", "value_vars", "usecols", "parse_dates", "col", "level")
METHODS = ("groupby", "group_by", "sort_values", "drop", "set_index", "pivot_table", "value_counts", "select", "col", "get_group", "get", "sort")


def texts(cell):
    """The texts of a program that name columns or keys."""
    for node in cell.nodes(ast.Subscript):
        inner = node.slice.elts if isinstance(node.slice, (ast.List, ast.Tuple)) else [node.slice]
        if isinstance(node.ctx, ast.Load):
            yield from (one for one in inner if is_text(one))
            for one in inner:
                if isinstance(one, ast.List):
                    yield from (other for other in one.elts if is_text(other))
    for node in cell.nodes(ast.Call):
        found = [one.value for one in node.keywords if one.arg in COLUMNS] + (list(node.args) if called(node) in METHODS else [])
        for one in found:
            yield from (other for other in (one.elts if isinstance(one, ast.List) else [one]) if is_text(other))


def is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) > 1


def quoted(cell, node, new):
    mark = cell.code(node)[-1]
    return cell.swap(node, f"{mark}{new}{mark}", new, node.value)


@operator("column-misspelt", GROUP, 5)
def column_misspelt(book, cell, rng):
    """The name of a column or a key is misspelt."""
    for node in texts(cell):
        yield quoted(cell, node, misspelt(node.value, rng))


@operator("column-case", GROUP, 4)
def column_case(book, cell, rng):
    """A column or a key in another case."""
    for node in texts(cell):
        for new in sorted({node.value.lower(), node.value.capitalize(), node.value.upper(), node.value.title()} - {node.value})[:2]:
            yield quoted(cell, node, new)


@operator("column-style", GROUP, 2)
def column_style(book, cell, rng):
    """A column with a space for its underscore, at its end, or as a plural."""
    for node in texts(cell):
        other = node.value.removesuffix("s") if node.value.endswith("s") else node.value + "s"
        yield quoted(cell, node, rng.choice([node.value.replace("_", " ") if "_" in node.value else node.value + " ", other]))


@operator("column-renamed-where-made", GROUP, 2)
def column_renamed(book, cell, rng):
    """A column or key was given another name where it is made, but not where it is read."""
    for node in cell.nodes(ast.Subscript):
        if isinstance(node.ctx, ast.Store) and is_text(node.slice):
            new = rng.choice([misspelt(node.slice.value, rng), node.slice.value.capitalize(), node.slice.value + "_new"])
            mark = cell.code(node.slice)[-1]
            yield cell.swap(node.slice, f"{mark}{new}{mark}", node.slice.value, new)
    for node in cell.nodes(ast.Dict):
        for one in node.keys:
            if one is not None and is_text(one):
                new = misspelt(one.value, rng)
                mark = cell.code(one)[-1]
                yield cell.swap(one, f"{mark}{new}{mark}", one.value, new)


@operator("columns-without-list", GROUP, 3)
def columns_without_list(book, cell, rng):
    """Several columns without the inner brackets: df["a", "b"]."""
    for node in cell.nodes(ast.Subscript):
        if isinstance(node.slice, ast.List) and len(node.slice.elts) > 1:
            yield cell.swap(node.slice, cell.code(node.slice)[1:-1], "[", "[[")
    for node in cell.nodes(ast.Call):
        for one in node.args:
            if isinstance(one, ast.List) and len(one.elts) > 1 and called(node) in ("groupby", "drop", "sort_values"):
                yield cell.swap(one, cell.code(one)[1:-1], "(", "[")


@operator("column-for-table", GROUP, 2)
def column_for_table(book, cell, rng):
    """One column as a series where a table is needed: X = df["a"]."""
    for node in cell.nodes(ast.Subscript):
        if isinstance(node.slice, ast.List) and len(node.slice.elts) == 1:
            yield cell.swap(node.slice, cell.code(node.slice.elts[0]), "[", "[[")


@operator("axis-left-out", GROUP, 3)
def axis_left_out(book, cell, rng):
    """drop without axis=1 or columns=, concat without its axis."""
    for node in cell.calls("drop", "concat", "concatenate", "apply", "mean", "sum", "dropna", "stack"):
        for one in node.keywords:
            if one.arg == "columns" and called(node) == "drop":
                yield Edit(cell.start(one), cell.start(one.value), "", cell.code(one.value), "columns")
            elif one.arg in ("axis", "dim"):
                before = cell.text.rindex(",", 0, cell.start(one)) if "," in cell.text[cell.opening(node) : cell.start(one)] else cell.start(one)
                yield Edit(before, cell.end(one), "", one.arg, one.arg)


@operator("axis-off", GROUP, 3)
def axis_off(book, cell, rng):
    """An axis that there is not."""
    for node in cell.nodes(ast.keyword):
        if node.arg in ("axis", "dim") and isinstance(node.value, ast.Constant) and isinstance(node.value.value, int):
            yield cell.swap(node.value, str(node.value.value + rng.choice([1, 2])), "axis", str(node.value.value))


@operator("loc-for-iloc", GROUP, 2)
def loc_for_iloc(book, cell, rng):
    """loc for iloc, or the other way round, or neither."""
    for node in cell.nodes(ast.Attribute):
        if node.attr in ("loc", "iloc"):
            new = "iloc" if node.attr == "loc" else "loc"
            yield Edit(*cell.attribute(node), new, new, node.attr)
            yield Edit(cell.end(node.value), cell.end(node), "", "[", f".{node.attr}[")


@operator("attribute-for-column", GROUP, 2)
def attribute_for_column(book, cell, rng):
    """A column read as an attribute, misspelt or where it is not one."""
    for node in cell.nodes(ast.Subscript):
        if is_text(node.slice) and isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name) and node.value.id not in book.modules:
            new = re.sub(r"\W", "_", node.slice.value)
            if new.isidentifier():
                new = rng.choice([misspelt(new, rng), new.lower() if new != new.lower() else new.capitalize()])
                yield cell.swap(node, f"{cell.code(node.value)}.{new}", new, node.slice.value)


@operator("in-place-assigned", GROUP, 3)
def in_place_assigned(book, cell, rng):
    """The result of an in-place method, which is None, is assigned: df = df.dropna(inplace=True)."""
    for node in cell.nodes(ast.Assign):
        value = node.value
        if isinstance(value, ast.Call) and called(value) in ("dropna", "fillna", "drop", "rename", "sort_values", "reset_index", "set_index", "drop_duplicates", "replace"):
            comma = ", " if value.args or value.keywords else ""
            if not any(one.arg == "inplace" for one in value.keywords):
                yield Edit(cell.end(value) - 1, cell.end(value) - 1, f"{comma}inplace=True", "inplace=True", "inplace")
    for node in cell.nodes(ast.Expr):
        value = node.value
        if isinstance(value, ast.Call) and any(one.arg == "inplace" for one in value.keywords) and isinstance(value.func, ast.Attribute):
            name = cell.code(value.func.value)
            if name.isidentifier():
                yield Edit(cell.start(node), cell.start(node), f"{name} = ", "inplace=True", name)


@operator("method-result-assigned", GROUP, 3)
def method_assigned(book, cell, rng):
    """The None that list.append, sort or shuffle return is assigned."""
    for node in cell.nodes(ast.Expr):
        value = node.value
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in ("append", "extend", "sort", "update", "add", "shuffle", "reverse", "insert"):
            name = cell.code(value.args[0]) if value.func.attr == "shuffle" and value.args else cell.code(value.func.value)
            if name.isidentifier():
                yield Edit(cell.start(node), cell.start(node), f"{name} = ", f"{name} = ", name)
    for node in cell.nodes(ast.Assign):
        value = node.value
        if isinstance(value, ast.Call) and cell.code(value.func) == "sorted" and value.args and isinstance(value.args[0], ast.Name):
            rest = cell.text[cell.end(value.args[0]) : cell.end(value)].lstrip(", ")
            yield cell.swap(value, f"{value.args[0].id}.sort({rest}", ".sort(", "sorted(")


@operator("accessor-left-out", GROUP, 3)
def accessor_left_out(book, cell, rng):
    """.str or .dt left out before a method of texts or dates."""
    for node in cell.nodes(ast.Attribute):
        if node.attr in ("str", "dt") and isinstance(cell.parents.get(node), ast.Attribute):
            yield Edit(cell.end(node.value), cell.end(node), "", cell.parents[node].attr, f".{node.attr}.")


@operator("index-reset-left-out", GROUP, 2)
def reset_left_out(book, cell, rng):
    """reset_index, set_index, rename, melt or another step of a chain was left out."""
    for node in cell.calls("reset_index", "set_index", "rename", "add_suffix", "to_frame", "unstack", "assign", "melt", "stack", "T", "dropna", "agg"):
        if isinstance(node.func, ast.Attribute):
            yield Edit(cell.end(node.func.value), cell.end(node), "", called(node), called(node))


@operator("and-for-ampersand", GROUP, 3)
def and_for_ampersand(book, cell, rng):
    """and, or, not between conditions on whole columns."""
    for node in cell.nodes(ast.BinOp):
        if isinstance(node.op, (ast.BitAnd, ast.BitOr)):
            mark, word = ("&", "and") if isinstance(node.op, ast.BitAnd) else ("|", "or")
            at = cell.text.index(mark, cell.end(node.left))
            yield Edit(at, at + 1, word, word, mark)
    for node in cell.nodes(ast.UnaryOp):
        if isinstance(node.op, ast.Invert):
            yield Edit(cell.start(node), cell.start(node.operand), "not ", "not", "~")


@operator("conditions-without-brackets", GROUP, 2)
def conditions_without(book, cell, rng):
    """Conditions joined by & without brackets around each."""
    for node in cell.nodes(ast.BinOp):
        if isinstance(node.op, (ast.BitAnd, ast.BitOr)) and isinstance(node.right, ast.Compare) and isinstance(node.left, ast.Compare):
            mark = "&" if isinstance(node.op, ast.BitAnd) else "|"
            yield cell.swap(node, f"{cell.code(node.left)} {mark} {cell.code(node.right)}", mark, "(")


@operator("condition-on-a-column", GROUP, 1)
def condition_on_column(book, cell, rng):
    """if over a whole column: .any() or .all() left out."""
    for node in cell.calls("any", "all"):
        if isinstance(node.func, ast.Attribute) and not node.args and isinstance(cell.parents.get(node), (ast.If, ast.IfExp, ast.Assert, ast.While)):
            yield Edit(cell.end(node.func.value), cell.end(node), "", called(node), called(node))


@operator("conversion-left-out", GROUP, 3)
def conversion_left_out(book, cell, rng):
    """astype, to_numeric, to_datetime or another conversion was left out."""
    for node in cell.calls("astype", "cast", "to_list", "tolist", "to_numpy", "todense", "toarray"):
        if isinstance(node.func, ast.Attribute):
            yield Edit(cell.end(node.func.value), cell.end(node), "", called(node), called(node))
    for node in cell.calls("to_numeric", "to_datetime", "to_timedelta"):
        if node.args:
            yield cell.swap(node, cell.code(node.args[0]), called(node), called(node))
    for node in cell.nodes(ast.keyword):
        if node.arg in ("parse_dates", "dtype", "converters", "usecols", "names", "index_col", "header"):
            end = cell.end(node)
            before = cell.text.rfind(",", 0, cell.start(node))
            if before > 0 and not cell.text[before + 1 : cell.start(node)].strip():
                yield Edit(before, end, "", node.arg, node.arg)


@operator("missing-values-left", GROUP, 3)
def missing_left(book, cell, rng):
    """Missing values were not filled or dropped."""
    for node in cell.calls("fillna", "dropna", "fill_null", "drop_nulls", "interpolate", "ffill", "bfill"):
        if isinstance(node.func, ast.Attribute) and not isinstance(cell.parents.get(node), ast.Expr):
            yield Edit(cell.end(node.func.value), cell.end(node), "", "NaN", called(node))
        elif isinstance(cell.parents.get(node), ast.Expr):
            yield cell.without(cell.parents[node], "NaN", called(node))


@operator("encoding-left-out", GROUP, 3)
def encoding_left_out(book, cell, rng):
    """A column of texts went into a model without being encoded."""
    for node in cell.tree.body:
        if isinstance(node, (ast.Assign, ast.Expr)) and isinstance(node.value, ast.Call):
            code = cell.code(node.value)
            if re.search(r"\.map\(|get_dummies|LabelEncoder|OneHotEncoder|OrdinalEncoder|fit_transform|\.replace\(|\.cat\.codes|factorize", code):
                yield cell.without(node, "text", "number")
    for node in cell.calls("get_dummies"):
        if node.args:
            yield cell.swap(node, cell.code(node.args[0]), "text", "get_dummies")


@operator("dropped-before-used", GROUP, 2)
def dropped_before(book, cell, rng):
    """A column is dropped before a line that still reads it."""
    for node in cell.nodes(ast.Subscript):
        if is_text(node.slice) and isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name) and node.value.id in book.names and node.value.id not in book.modules:
            name, column = node.value.id, cell.code(node.slice)
            if book.names[name] < cell.position:
                yield Edit(0, 0, f"{name} = {name}.drop(columns=[{column}])\n", node.slice.value, node.slice.value)
