"""Names, attributes and modules that are misspelt, in another case, not set, or hidden by others."""

import ast
import builtins
import re

from .book import Edit, bodies, misspelt, operator, reads

GROUP = "names"
# What a builtin is called in other languages, or by a slip.
SLIPS = {
    "len": ["lenght", "length", "size"], "print": ["pritn", "Print", "printf"], "range": ["rnage", "Range", "rang"], "str": ["string", "Str"],
    "int": ["Int", "integer"], "list": ["List", "lst"], "dict": ["Dict"], "sum": ["Sum"], "max": ["Max"], "min": ["Min"], "sorted": ["sort"],
    "enumerate": ["enumarate", "enumerat"], "isinstance": ["isinstanceof", "instanceof"], "True": ["true"], "False": ["false"],
    "None": ["null", "none", "NULL"], "round": ["Round"], "float": ["double", "Float"], "zip": ["Zip"], "set": ["Set"], "abs": ["Abs"],
}
# The name of the package for the name of the module, and other ways to miss it.
PACKAGES = {
    "sklearn": ["scikit_learn", "skleran", "sklear"], "cv2": ["opencv", "opencv_python", "cv"], "PIL": ["pillow", "Pillow", "pil"],
    "pandas": ["pandsa", "panda"], "numpy": ["numpi", "numy"], "matplotlib": ["matplotib", "mathplotlib"], "torch": ["pytorch", "toch"],
    "tensorflow": ["tensorfow", "tensor_flow"], "seaborn": ["seaborne", "sea_born"], "scipy": ["sciPy", "spicy"], "json": ["jsn"],
    "statsmodels": ["statsmodel"], "xgboost": ["xg_boost"], "lightgbm": ["lightgmb"], "polars": ["polar"], "transformers": ["transformer"],
    "datasets": ["dataset"], "keras": ["kears"], "jax": ["jaxs"], "collections": ["collection"], "datetime": ["date_time"], "random": ["rand"],
}
# Homes of functions that people look for elsewhere.
ELSEWHERE = {
    "sklearn.model_selection": "sklearn.preprocessing", "sklearn.metrics": "sklearn.model_selection", "sklearn.preprocessing": "sklearn.model_selection",
    "sklearn.linear_model": "sklearn.ensemble", "sklearn.ensemble": "sklearn.tree", "collections": "itertools", "datetime": "time",
    "torch.utils.data": "torch.nn", "torch": "torch.nn", "scipy.stats": "scipy.optimize", "pathlib": "os", "math": "random", "itertools": "functools",
    "sklearn.pipeline": "sklearn.compose", "sklearn.compose": "sklearn.pipeline", "sklearn.impute": "sklearn.preprocessing", "dataclasses": "typing",
}
# Methods and what other libraries call them.
OTHERWISE = {
    "append": "add", "add": "append", "extend": "append_all", "items": "entries", "strip": "trim", "to_numpy": "numpy", "numpy": "to_numpy",
    "upper": "to_upper", "lower": "to_lower", "replace": "sub", "startswith": "starts_with", "endswith": "ends_with", "mean": "average",
    "shape": "size", "columns": "cols", "head": "top", "to_csv": "write_csv", "reshape": "resize_", "astype": "as_type", "unsqueeze": "expand_dims",
    "unique": "distinct", "nunique": "n_unique", "sort_values": "sort", "groupby": "group_by", "group_by": "groupby", "fit": "train",
    "predict": "forward", "view": "resize", "item": "value", "join": "concat", "pop": "remove_last", "rename": "rename_columns", "isna": "is_null",
}
HIDDEN = {"list": "[1, 2, 3]", "str": '"a"', "dict": "{}", "set": "{1, 2}", "print": "True"} | dict.fromkeys("sum len max min int range sorted float".split(), "3")


def loads(cell, book):
    for node in cell.nodes(ast.Name):
        if isinstance(node.ctx, ast.Load) and node.id in book.names and node.id not in book.modules and len(node.id) > 1:
            yield node


@operator("name-misspelt", GROUP, 5)
def name_misspelt(book, cell, rng):
    """A name is misspelt where it is read."""
    for node in loads(cell, book):
        new = misspelt(node.id, rng) if len(node.id) > 2 else node.id + node.id[-1]
        yield cell.swap(node, new, new, node.id)


@operator("name-misspelt-where-set", GROUP, 2)
def name_set_misspelt(book, cell, rng):
    """A name is misspelt where it is set."""
    for node in cell.nodes(ast.Name):
        if isinstance(node.ctx, ast.Store) and len(node.id) > 2 and book.names.get(node.id) == cell.position:
            new = misspelt(node.id, rng)
            yield cell.swap(node, new, node.id, new)


@operator("name-case", GROUP, 3)
def name_case(book, cell, rng):
    """A name in another case: x_train for X_train."""
    for node in loads(cell, book):
        for new in sorted({node.id.lower(), node.id.upper(), node.id[:1].swapcase() + node.id[1:]} - {node.id} - set(book.names)):
            yield cell.swap(node, new, new, node.id)


@operator("name-style", GROUP, 2)
def name_style(book, cell, rng):
    """A name as it would be in another style: xTrain or xtrain for x_train, plural for singular."""
    for node in loads(cell, book):
        parts = node.id.split("_")
        other = node.id.removesuffix("s") if node.id.endswith("s") else node.id + "s"
        new = {node.id.replace("_", ""), parts[0] + "".join(p.capitalize() for p in parts[1:]), other}
        for one in sorted(new - {node.id, ""} - set(book.names)):
            if one.isidentifier():
                yield cell.swap(node, one, one, node.id)


@operator("builtin-misspelt", GROUP, 2)
def builtin_misspelt(book, cell, rng):
    """A builtin by another language's name, or misspelt."""
    for node in cell.nodes(ast.Name, ast.Constant):
        word = cell.code(node)
        if word in SLIPS:
            new = rng.choice(SLIPS[word])
            yield cell.swap(node, new, new, word)


@operator("import-removed", GROUP, 5)
def import_removed(book, cell, rng):
    """An import was forgotten."""
    for node in cell.nodes(ast.Import, ast.ImportFrom):
        names = [one.asname or one.name.split(".")[0] for one in node.names]
        yield cell.without(node, names[0], names[0])


@operator("import-name-removed", GROUP, 2)
def import_name_removed(book, cell, rng):
    """One of several names was left out of an import."""
    for node in cell.nodes(ast.ImportFrom):
        for one in node.names if len(node.names) > 1 else ():
            text = ", ".join(ast.unparse(other) for other in node.names if other is not one)
            yield cell.swap(node, f"from {node.module} import {text}", one.name, one.name)


@operator("import-alias-removed", GROUP, 2)
def import_alias_removed(book, cell, rng):
    """A module is imported without the alias that the code uses."""
    for node in cell.nodes(ast.Import):
        for one in node.names:
            if one.asname and len(node.names) == 1:
                yield cell.swap(node, f"import {one.name}", one.asname, one.name)


@operator("line-removed", GROUP, 2)
def line_removed(book, cell, rng):
    """The line that sets a name was lost."""
    for node in cell.tree.body:
        names = [t.id for t in node.targets if isinstance(t, ast.Name)] if isinstance(node, ast.Assign) else []
        later = any(names[:1] and isinstance(n, ast.Name) and n.id == names[0] and n.lineno > node.end_lineno for n in cell.every)
        if names and (later or book.uses(names[0], cell.position)):
            yield cell.without(node, names[0], names[0])


@operator("counter-not-set", GROUP, 2)
def counter_not_set(book, cell, rng):
    """A list or counter is filled in a loop or a function without having been set before."""
    for node in cell.nodes(ast.Assign):
        if cell.code(node.value) in ("[]", "{}", "0", "0.0", '""', "list()", "dict()") and isinstance(node.targets[0], ast.Name):
            yield cell.without(node, node.targets[0].id, node.targets[0].id)


@operator("attribute-misspelt", GROUP, 4)
def attribute_misspelt(book, cell, rng):
    """A method or an attribute is misspelt."""
    for node in cell.nodes(ast.Attribute):
        if len(node.attr) > 3 and isinstance(node.ctx, ast.Load):
            new = misspelt(node.attr, rng)
            yield Edit(*cell.attribute(node), new, new, node.attr)


@operator("attribute-case", GROUP, 3)
def attribute_case(book, cell, rng):
    """An attribute in another case: pd.dataframe, df.Shape."""
    for node in cell.nodes(ast.Attribute):
        for new in sorted({node.attr.lower(), node.attr[:1].swapcase() + node.attr[1:], node.attr.capitalize()} - {node.attr}):
            if isinstance(node.ctx, ast.Load):
                yield Edit(*cell.attribute(node), new, new, node.attr)


@operator("attribute-style", GROUP, 2)
def attribute_style(book, cell, rng):
    """A method's name without its underscore, or with one too many, or as plural."""
    for node in cell.nodes(ast.Attribute):
        if isinstance(node.ctx, ast.Load) and len(node.attr) > 3:
            other = node.attr.removesuffix("s") if node.attr.endswith("s") else node.attr + "s"
            new = node.attr.replace("_", "") if "_" in node.attr.strip("_") else other
            yield Edit(*cell.attribute(node), new, new, node.attr)


@operator("module-misspelt", GROUP, 4)
def module_misspelt(book, cell, rng):
    """A module by its package's name, or misspelt."""
    for node in cell.nodes(ast.Import, ast.ImportFrom):
        name = (node.names[0].name if isinstance(node, ast.Import) else node.module or "").split(".")[0]
        for new in PACKAGES.get(name, [misspelt(name, rng)] if name else []):
            yield cell.swap(node, re.sub(rf"\b{re.escape(name)}\b", new, cell.code(node), count=1), new, name)


@operator("submodule-misspelt", GROUP, 2)
def submodule_misspelt(book, cell, rng):
    """The part of a module's name after the dot is misspelt, or a plural."""
    for node in cell.nodes(ast.ImportFrom):
        if node.module and "." in node.module:
            last = node.module.split(".")[-1]
            new = rng.choice([misspelt(last, rng), last + "s"])
            yield cell.swap(node, cell.code(node).replace(node.module, node.module[: -len(last)] + new, 1), new, last)


@operator("imported-name-misspelt", GROUP, 3)
def imported_name_misspelt(book, cell, rng):
    """What is imported from a module is misspelt there."""
    for node in cell.nodes(ast.ImportFrom):
        for one in node.names:
            if len(one.name) > 3:
                new = rng.choice([misspelt(one.name, rng), one.name.lower() if one.name != one.name.lower() else one.name.capitalize()])
                at = cell.start(one)
                yield Edit(at, at + len(one.name), new, new, one.name)


@operator("import-from-elsewhere", GROUP, 2)
def import_from_elsewhere(book, cell, rng):
    """A name is imported from a neighbouring module."""
    for node in cell.nodes(ast.ImportFrom):
        if other := ELSEWHERE.get(node.module or ""):
            yield cell.swap(node, cell.code(node).replace(node.module, other, 1), other, node.module)


@operator("module-for-its-class", GROUP, 2)
def module_for_class(book, cell, rng):
    """import datetime for from datetime import datetime, and the other way round."""
    for node in cell.nodes(ast.Import, ast.ImportFrom):
        module = node.names[0].name if isinstance(node, ast.Import) else node.module
        if module in ("datetime", "time", "random", "copy", "glob", "pprint") and len(node.names) == 1:
            one = f"import {module}" if isinstance(node, ast.ImportFrom) else f"from {module} import {module}"
            yield cell.swap(node, one, module, module)


@operator("name-shadowed", GROUP, 2)
def name_shadowed(book, cell, rng):
    """A builtin or a function was used as the name of a value: max = max(x)."""
    for node in cell.tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name) and isinstance(node.targets[0], ast.Name):
            name = node.value.func.id
            if name in dir(builtins) or name in book.modules or name in book.names:
                yield Edit(cell.start(node), cell.start(node), f"{name} = {cell.code(node.value)}\n", name, name)


@operator("builtin-as-variable", GROUP, 2)
def builtin_as_variable(book, cell, rng):
    """A name like list, str, sum or a module's alias was given to a value before."""
    used = {node.id for node in cell.nodes(ast.Name) if isinstance(node.ctx, ast.Load)}
    for name in sorted(used & set(HIDDEN)):
        yield Edit(0, 0, f"{name} = {HIDDEN[name]}\n", name, name)
    for alias in sorted(reads(cell.tree) & set(book.modules) & {"np", "pd", "plt", "torch", "json", "random", "math"}):
        yield Edit(0, 0, f"{alias} = {rng.choice(['[1, 2]', '0.5', repr(alias)])}\n", alias, alias)


@operator("self-forgotten", GROUP, 2)
def self_forgotten(book, cell, rng):
    """self. was left out in a method."""
    for node in cell.nodes(ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id == "self" and isinstance(node.ctx, ast.Load):
            yield cell.swap(node, node.attr, node.attr, f"self.{node.attr}")


@operator("self-not-a-parameter", GROUP, 2)
def self_not_a_parameter(book, cell, rng):
    """A method without self among its parameters."""
    for node in cell.nodes(ast.FunctionDef):
        if node.args.args and node.args.args[0].arg == "self":
            first = node.args.args[0]
            end = cell.start(node.args.args[1]) if len(node.args.args) > 1 else cell.end(first)
            yield Edit(cell.start(first), end, "", node.name, "self")


@operator("attribute-set-elsewhere", GROUP, 1)
def attribute_set_elsewhere(book, cell, rng):
    """An attribute is set under another name than it is read."""
    for node in cell.nodes(ast.Attribute):
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name) and node.value.id == "self" and len(node.attr) > 1:
            new = misspelt(node.attr, rng) if len(node.attr) > 2 else node.attr + "_"
            yield Edit(*cell.attribute(node), new, node.attr, new)


@operator("parameter-renamed", GROUP, 2)
def parameter_renamed(book, cell, rng):
    """A function's parameter was renamed, but not in its body."""
    for node in cell.nodes(ast.FunctionDef):
        for one in node.args.args:
            if one.arg != "self" and len(one.arg) > 1 and not one.annotation:
                new = misspelt(one.arg, rng) if len(one.arg) > 2 else one.arg + "_in"
                yield cell.swap(one, new, one.arg, new)


@operator("loop-variable-renamed", GROUP, 2)
def loop_variable_renamed(book, cell, rng):
    """A loop's variable was renamed, but not where the loop reads it."""
    for node in cell.nodes(ast.For, ast.comprehension):
        for one in ast.walk(node.target):
            if isinstance(one, ast.Name) and not one.id.startswith("_"):
                new = {"i": "idx", "x": "item", "k": "key", "v": "val"}.get(one.id, one.id + "_" if len(one.id) < 3 else misspelt(one.id, rng))
                yield cell.swap(one, new, one.id, new)


@operator("function-renamed", GROUP, 2)
def function_renamed(book, cell, rng):
    """A function or class was renamed, but not where it is called."""
    for node in cell.nodes(ast.FunctionDef, ast.ClassDef):
        if not node.name.startswith("__") and (book.uses(node.name, cell.position) or node.name in reads(cell.tree)):
            at = cell.text.index(node.name, cell.start(node))
            new = rng.choice([f"{node.name}_v2", f"my_{node.name}", misspelt(node.name, rng)])
            yield Edit(at, at + len(node.name), new, node.name, new)


@operator("dunder-misspelt", GROUP, 1)
def dunder_misspelt(book, cell, rng):
    """_init_ for __init__, and the like."""
    for node in cell.nodes(ast.FunctionDef):
        if node.name.startswith("__") and node.name.endswith("__"):
            at = cell.text.index(node.name, cell.start(node))
            new = rng.choice([node.name[1:-1], node.name[:-1], node.name.replace("init", "int")])
            yield Edit(at, at + len(node.name), new, new, node.name)


@operator("return-removed", GROUP, 2)
def return_removed(book, cell, rng):
    """A function does not return what it made."""
    for node in cell.nodes(ast.Return):
        if node.value is not None:
            yield cell.without(node, "None", "return")


@operator("return-forgets-word", GROUP, 1)
def return_forgets_word(book, cell, rng):
    """The last line of a function names the value without returning it."""
    for node in cell.nodes(ast.Return):
        if node.value is not None and bodies(cell.parents.get(node)):
            yield Edit(cell.start(node), cell.start(node.value), "", "None", "return")


@operator("method-of-another-library", GROUP, 2)
def method_of_another(book, cell, rng):
    """The method of another kind of value: append for an array, add for a list, trim for strip."""
    for node in cell.nodes(ast.Attribute):
        if node.attr in OTHERWISE and not (isinstance(node.value, ast.Name) and node.value.id in book.modules):
            yield Edit(*cell.attribute(node), OTHERWISE[node.attr], OTHERWISE[node.attr], node.attr)


@operator("unpacked-wrongly", GROUP, 2)
def unpacked_wrongly(book, cell, rng):
    """A tuple is unpacked into one name too many, or too few."""
    for node in cell.nodes(ast.Assign):
        target = node.targets[0]
        if isinstance(target, ast.Tuple) and len(target.elts) > 1:
            names = [cell.code(one) for one in target.elts]
            for new in ([*names, "extra"], names[:-1] if len(names) > 2 else [*names, "_"]):
                yield cell.swap(target, ", ".join(new), ", ".join(new), ", ".join(names))
