"""Sizes, axes, indices and bounds that are off; arrays of another shape."""

import ast
import re

from .book import Edit, Session, called, operator

GROUP = "sizes"
SHAPED = ("reshape", "view", "zeros", "ones", "empty", "full", "Linear", "Conv2d", "Dense", "Embedding", "LSTM", "GRU", "rand", "randn", "Input", "BatchNorm1d", "BatchNorm2d", "Reshape")
FITTING = ("fit", "fit_transform", "train_test_split", "fit_predict", "score", "accuracy_score", "mean_squared_error", "r2_score", "confusion_matrix", "classification_report", "f1_score")
# Models and measures of one kind, and what is taken for them.
KINDS = {
    "LinearRegression": "LogisticRegression", "Ridge": "LogisticRegression", "RandomForestRegressor": "RandomForestClassifier",
    "DecisionTreeRegressor": "DecisionTreeClassifier", "SVR": "SVC", "mean_squared_error": "accuracy_score", "r2_score": "accuracy_score",
    "mean_absolute_error": "f1_score", "accuracy_score": "log_loss", "Lasso": "LogisticRegression", "f1_score": "roc_auc_score",
}
PARTS = {"train": "test", "test": "train", "val": "train", "valid": "train", "tr": "te", "te": "tr"}


def whole(node):
    return isinstance(node, ast.Constant) and type(node.value) is int


@operator("index-off", GROUP, 3)
def index_off(book, cell, rng):
    """An index past the end."""
    for node in cell.nodes(ast.Subscript):
        if whole(node.slice) and isinstance(node.ctx, ast.Load):
            new = str(node.slice.value + rng.choice([1, 2, 10]))
            yield cell.swap(node.slice, new, new, str(node.slice.value))


@operator("last-index-is-the-length", GROUP, 2)
def last_index(book, cell, rng):
    """xs[len(xs)] for the last one, or range(len(xs) + 1)."""
    for node in cell.nodes(ast.BinOp):
        if isinstance(node.op, ast.Sub) and whole(node.right) and node.right.value == 1:
            yield cell.swap(node, cell.code(node.left), cell.code(node.left), cell.code(node))
    for node in cell.nodes(ast.Subscript):
        if cell.code(node.slice) == "-1" and isinstance(node.ctx, ast.Load):
            yield cell.swap(node.slice, f"len({cell.code(node.value)})", "len", "-1")


@operator("range-too-long", GROUP, 3)
def range_too_long(book, cell, rng):
    """A loop over indices that goes one too far."""
    for node in cell.calls("range"):
        if node.args and isinstance(node.func, ast.Name):
            one = node.args[1] if len(node.args) > 1 else node.args[0]
            if isinstance(one, ast.BinOp) and isinstance(one.op, ast.Sub):
                yield cell.swap(one, cell.code(one.left), cell.code(one.left), cell.code(one))
            yield Edit(cell.end(one), cell.end(one), " + 1", "+ 1", cell.code(one))


@operator("while-too-long", GROUP, 1)
def while_too_long(book, cell, rng):
    """<= for < in the bound of a loop or a condition."""
    for node in cell.nodes(ast.Compare):
        if isinstance(node.ops[0], ast.Lt):
            at = cell.text.index("<", cell.end(node.left))
            yield Edit(at, at + 1, "<=", "<=", "<")
        elif isinstance(node.ops[0], ast.LtE):
            at = cell.text.index("<=", cell.end(node.left))
            yield Edit(at, at + 2, ">=", ">=", "<=")


@operator("size-off", GROUP, 5)
def size_off(book, cell, rng):
    """A size in a shape or a layer is off by one, or by a factor."""
    for node in cell.calls(*SHAPED):
        for one in ast.walk(node):
            if whole(one) and one.value > 1:
                new = str(rng.choice([one.value + 1, one.value - 1, one.value * 2, one.value * 10]))
                yield cell.swap(one, new, new, str(one.value))


@operator("number-off", GROUP, 3)
def number_off(book, cell, rng):
    """A number in the code is off: one more or less, twice, half, negative, zero."""
    for node in cell.nodes(ast.Constant):
        if whole(node) and node.value > 0:
            new = str(rng.choice([node.value + 1, node.value - 1, node.value * 2, 0, -node.value, node.value * 100]))
            yield cell.swap(node, new, new, str(node.value))


@operator("sizes-swapped", GROUP, 2)
def sizes_swapped(book, cell, rng):
    """Two sizes are the wrong way round: (rows, columns) for (columns, rows)."""
    for node in cell.calls(*SHAPED):
        for one in [node, *[a for a in node.args if isinstance(a, ast.Tuple)]]:
            found = one.args if isinstance(one, ast.Call) else one.elts
            if len(found) > 1 and cell.code(found[0]) != cell.code(found[1]) and not isinstance(found[0], ast.Tuple):
                between = cell.text[cell.end(found[0]) : cell.start(found[1])]
                yield Edit(cell.start(found[0]), cell.end(found[1]), cell.code(found[1]) + between + cell.code(found[0]), cell.code(found[1]), cell.code(found[0]))


@operator("transposed", GROUP, 3)
def transposed(book, cell, rng):
    """An array is transposed where it must not be, or not where it must."""
    for node in cell.nodes(ast.BinOp):
        if isinstance(node.op, ast.MatMult):
            for one in (node.left, node.right):
                if isinstance(one, ast.Attribute) and one.attr == "T":
                    yield cell.swap(one, cell.code(one.value), cell.code(one.value), cell.code(one))
                elif isinstance(one, ast.Name):
                    yield cell.swap(one, f"{one.id}.T", f"{one.id}.T", one.id)
    for node in cell.calls("dot", "matmul", "fit", "predict", "concatenate", "concat", "mm"):
        for one in node.args:
            if isinstance(one, ast.Name):
                yield cell.swap(one, f"{one.id}.T", f"{one.id}.T", one.id)


@operator("flattened", GROUP, 3)
def flattened(book, cell, rng):
    """An array is flattened before a model that needs rows and columns."""
    for node in cell.calls("fit", "predict", "transform", "fit_transform", "score"):
        if node.args and isinstance(node.args[0], ast.Name):
            name = node.args[0].id
            yield cell.swap(node.args[0], rng.choice([f"{name}.ravel()", f"{name}.values.ravel()", f"np.ravel({name})"]), "ravel", name)


@operator("reshape-left-out", GROUP, 4)
def reshape_left_out(book, cell, rng):
    """reshape, view, unsqueeze, squeeze, flatten or expand_dims was left out."""
    for node in cell.calls("reshape", "view", "unsqueeze", "squeeze", "flatten", "ravel", "permute", "transpose", "repeat", "tile"):
        if isinstance(node.func, ast.Attribute) and not (isinstance(node.func.value, ast.Name) and node.func.value.id in book.modules):
            yield Edit(cell.end(node.func.value), cell.end(node), "", called(node), called(node))
    for node in cell.calls("expand_dims", "atleast_2d", "column_stack", "vstack", "hstack", "stack", "asarray", "array", "squeeze"):
        if node.args and book.path(node.func):
            yield cell.swap(node, cell.code(node.args[0]), called(node), called(node))
    for node in cell.nodes(ast.Subscript):
        if isinstance(node.slice, ast.Tuple) and any(cell.code(one) in ("None", "np.newaxis") for one in node.slice.elts):
            yield cell.swap(node, cell.code(node.value), cell.code(node.value), cell.code(node))


@operator("rows-left-out", GROUP, 2)
def rows_left_out(book, cell, rng):
    """One row for a list of rows: predict([1, 2]) for predict([[1, 2]])."""
    for node in cell.nodes(ast.List):
        if len(node.elts) == 1 and isinstance(node.elts[0], (ast.List, ast.Name)) and isinstance(cell.parents.get(node), (ast.Call, ast.Assign, ast.keyword)):
            yield cell.swap(node, cell.code(node.elts[0]), "[", "[[")


@operator("split-in-another-order", GROUP, 3)
def split_order(book, cell, rng):
    """The parts of train_test_split are taken in another order."""
    for node in cell.nodes(ast.Assign):
        target = node.targets[0]
        if isinstance(target, ast.Tuple) and len(target.elts) == 4 and isinstance(node.value, ast.Call):
            names = [cell.code(one) for one in target.elts]
            new = ", ".join([names[0], names[2], names[1], names[3]])
            yield cell.swap(target, new, new, ", ".join(names))


@operator("part-of-another-split", GROUP, 4)
def other_part(book, cell, rng):
    """The labels of one part with the rows of another: fit(X_train, y_test)."""
    for node in cell.calls(*FITTING, "plot", "scatter", "TensorDataset", "sum", "mean", "corrcoef", "log_loss", "roc_auc_score"):
        for one in node.args:
            if isinstance(one, ast.Name):
                parts = one.id.split("_")
                new = "_".join(PARTS.get(part, part) for part in parts)
                if new != one.id and new in book.names:
                    yield cell.swap(one, new, new, one.id)


@operator("sliced-shorter", GROUP, 3)
def sliced_shorter(book, cell, rng):
    """One of two arrays that belong together was cut."""
    for node in cell.nodes(ast.Call):
        if len(node.args) > 1:
            for one in node.args[:2]:
                if isinstance(one, ast.Name) and one.id in book.names and one.id not in book.modules:
                    yield cell.swap(one, f"{one.id}[{rng.choice([':-1', '1:', ':10'])}]", f"{one.id}[", one.id)


@operator("feature-left-out", GROUP, 3)
def feature_left_out(book, cell, rng):
    """The model sees other columns in predict than in fit."""
    for node in cell.calls("predict", "score", "transform", "predict_proba"):
        if node.args and isinstance(node.args[0], ast.Name):
            name = node.args[0].id
            yield cell.swap(node.args[0], rng.choice([f"{name}.iloc[:, 1:]", f"{name}[:, 1:]", f"{name}.iloc[:, :-1]"]), "[:", name)
    for node in cell.nodes(ast.Assign):
        if isinstance(node.value, ast.List) and len(node.value.elts) > 2 and all(isinstance(one, ast.Constant) for one in node.value.elts):
            first = node.value.elts
            yield Edit(cell.start(first[0]), cell.start(first[1]), "", cell.code(first[0]), cell.code(first[0]))


@operator("one-hot-for-numbers", GROUP, 2)
def one_hot(book, cell, rng):
    """Labels as one column for each class where numbers are needed."""
    for node in cell.calls("fit", "accuracy_score", "confusion_matrix", "f1_score", "criterion", "loss_fn", "CrossEntropyLoss"):
        if len(node.args) > 1 and isinstance(node.args[1], ast.Name):
            name = node.args[1].id
            new = rng.choice([f"pd.get_dummies({name})", f"np.eye(len({name}))[:3]", f"np.eye(3)[{name}]"])
            yield cell.swap(node.args[1], new, new, name)


@operator("axes-of-another-grid", GROUP, 3)
def other_axes(book, cell, rng):
    """Subplots indexed as another grid: axes[0, 1] in a row of plots, or one too many."""
    for node in cell.nodes(ast.Subscript):
        if isinstance(node.value, ast.Name) and node.value.id in ("axes", "axs", "ax"):
            if isinstance(node.slice, ast.Tuple):
                new = cell.code(node.slice.elts[1])
                yield cell.swap(node.slice, new, new, cell.code(node.slice))
            else:
                yield cell.swap(node.slice, f"0, {cell.code(node.slice)}", f"0, {cell.code(node.slice)}", cell.code(node.slice))
    for node in cell.calls("subplots"):
        for one in node.args:
            if whole(one) and one.value > 1:
                yield cell.swap(one, str(one.value - 1), str(one.value - 1), str(one.value))


@operator("memory-by-a-wrong-factor", GROUP, 2)
def memory(book, cell, rng):
    """An array a million times too large."""
    for node in cell.calls("zeros", "ones", "empty", "full", "rand", "randn", "normal", "arange", "linspace", "uniform", "randint", "eye", "random"):
        for one in ast.walk(node):
            if whole(one) and one.value > 9:
                new = str(one.value * 10 ** rng.choice([8, 9]))
                yield cell.swap(one, new, new, str(one.value))


@operator("probabilities-for-classes", GROUP, 2)
def probabilities(book, cell, rng):
    """predict_proba where classes are needed, or a decision function."""
    for node in cell.nodes(ast.Attribute):
        if node.attr == "predict":
            yield Edit(*cell.attribute(node), "predict_proba", "predict_proba", "predict")
        elif node.attr == "predict_proba":
            yield Edit(*cell.attribute(node), "predict", "predict", "predict_proba")


@operator("model-of-another-kind", GROUP, 2, session=True)
def other_model(book, rng):
    """A classifier for numbers, or a measure for classes on numbers, in the import and where it is used."""
    for name, home in book.modules.items():
        new = KINDS.get(name)
        if new and home.startswith("sklearn."):
            whole_word = re.compile(rf"\b{name}\b")
            cells = [(kind, whole_word.sub(new, text) if kind == "code" else text) for kind, text in book.base.cells]
            yield Session([[i, text] for i, (kind, text) in enumerate(cells, 1) if kind == "code"], cells, new, name)


@operator("fit-left-out", GROUP, 4)
def fit_left_out(book, cell, rng):
    """predict or transform before fit."""
    for node in cell.nodes(ast.Expr):
        if isinstance(node.value, ast.Call) and called(node.value) == "fit":
            yield cell.without(node, "fit", "fit")
    for node in cell.nodes(ast.Attribute):
        if node.attr == "fit_transform":
            yield Edit(*cell.attribute(node), "transform", "transform", "fit_transform")
    for node in cell.calls("fit"):
        if isinstance(cell.parents.get(node), ast.Assign) and isinstance(node.func, ast.Attribute):
            yield Edit(cell.end(node.func.value), cell.end(node), "", "fit", "fit")
