"""Gradients, devices, types of numbers, and training, in PyTorch, Keras and JAX."""

import ast
import re

from .book import Edit, called, operator

GROUP = "tensors"


def statements(cell, pattern):
    return [node for node in cell.nodes(ast.Expr) if re.search(pattern, cell.code(node))]


def dropped(cell, *names):
    """Method calls within an expression, and where they stand."""
    for node in cell.calls(*names):
        if isinstance(node.func, ast.Attribute) and not isinstance(cell.parents.get(node), ast.Expr):
            yield node, Edit(cell.end(node.func.value), cell.end(node), "", called(node), called(node))


@operator("detach-left-out", GROUP, 3)
def detach_left_out(book, cell, rng):
    """detach(), item(), cpu() or numpy() was left out."""
    for _, edit in dropped(cell, "detach", "item", "cpu", "numpy", "clone", "tolist"):
        yield edit


@operator("dtype-conversion-left-out", GROUP, 4)
def dtype_left_out(book, cell, rng):
    """float(), long(), to() or type() was left out on a tensor."""
    for _, edit in dropped(cell, "float", "long", "double", "to", "type", "int", "bool", "half"):
        yield edit


@operator("dtype-wrong", GROUP, 4)
def dtype_wrong(book, cell, rng):
    """Another type of numbers: float64 for float32, int for float, long for float."""
    other = {
        "float32": ["float64", "int64"], "float64": ["float32", "int64"], "int64": ["float32", "int32"], "long": ["float32", "int32"],
        "float": ["int64", "float64"], "int32": ["float32", "float64"], "uint8": ["float64", "int8"], "bool": ["float32"],
    }
    for node in cell.nodes(ast.Attribute):
        if node.attr in other and isinstance(node.value, ast.Name) and node.value.id in ("torch", "np", "tf", "jnp", "numpy"):
            choices = [one for one in other[node.attr] if (node.attr, one) != ("float", "float64") or node.value.id == "torch"]
            new = rng.choice(choices)
            yield Edit(*cell.attribute(node), new, new, node.attr)
    for node in cell.calls("astype", "cast"):
        for one in node.args[-1:]:
            if isinstance(one, ast.Constant) and one.value in other:
                new = rng.choice(other[one.value])
                yield cell.swap(one, f'"{new}"', new, one.value)
    for node in cell.calls("float", "long"):
        if isinstance(node.func, ast.Attribute) and not node.args:
            new = {"float": rng.choice(["double", "long", "half"]), "long": rng.choice(["float", "int"])}[node.func.attr]
            yield Edit(*cell.attribute(node.func), new, new, node.func.attr)


@operator("dtype-argument-left-out", GROUP, 3)
def dtype_argument(book, cell, rng):
    """dtype= was left out."""
    for node in cell.nodes(ast.Call):
        for one in node.keywords:
            before = cell.text.rfind(",", 0, cell.start(one))
            if one.arg in ("dtype", "requires_grad", "batch_first") and before > cell.opening(node):
                yield Edit(before, cell.end(one), "", one.arg, one.arg)


@operator("device-meta", GROUP, 3)
def device_meta(book, cell, rng):
    """A model or a tensor is on another device than the rest (meta, where there is no GPU)."""
    for node in cell.nodes(ast.Assign):
        value = node.value
        if isinstance(node.targets[0], ast.Name) and isinstance(value, ast.Call) and "torch" in book.modules:
            path = book.path(value.func)
            if path.startswith("torch.nn.") and called(value)[:1].isupper() and not called(value).endswith("Loss") or called(value) in book.names and called(value)[:1].isupper():
                yield Edit(cell.end(value), cell.end(value), '.to("meta")', "meta", "cpu")
            elif path.startswith("torch.") and called(value) in ("tensor", "randn", "rand", "zeros", "ones", "from_numpy", "arange", "randint"):
                yield Edit(cell.end(value), cell.end(value), '.to("meta")', "meta", "cpu")
    for node in cell.nodes(ast.Constant):
        if node.value == "cpu":
            yield cell.swap(node, '"cuda"', "cuda", "cpu")


@operator("device-cuda-without-gpu", GROUP, 2)
def cuda(book, cell, rng):
    """.cuda() or .to("cuda") where there is no GPU."""
    for node in cell.nodes(ast.Assign):
        value = node.value
        if isinstance(value, ast.Call) and (book.path(value.func).startswith("torch.nn.") or called(value) in book.names and called(value)[:1].isupper()) and "torch" in book.modules:
            yield Edit(cell.end(value), cell.end(value), rng.choice([".cuda()", '.to("cuda")', '.to("cuda:0")']), "cuda", "cpu")


@operator("backward-twice", GROUP, 2)
def backward_twice(book, cell, rng):
    """backward() is called twice over the same graph, or on what has none."""
    for node in statements(cell, r"\.backward\(\)$"):
        value = cell.code(node)
        yield Edit(cell.end(node), cell.end(node), f"; {value}", "backward", "backward")
        yield Edit(cell.end(node) - len(".backward()"), cell.end(node), rng.choice([".item().backward()", ".detach().backward()", ".data.backward()", ".numpy().backward()"]), "backward", ".backward()")


@operator("gradients-off", GROUP, 2)
def gradients_off(book, cell, rng):
    """A training loop without gradients: no_grad, or parameters that are frozen."""
    for node in cell.nodes(ast.For):
        if ".backward()" in cell.code(node) and node.col_offset == 0:
            body = cell.code(node).replace("\n", "\n    ")
            yield cell.swap(node, f"with torch.no_grad():\n    {body}", "no_grad", "no_grad")
    for node in cell.nodes(ast.With):
        if "no_grad" in cell.code(node.items[0].context_expr) and node.body[0].lineno > node.lineno:
            yield cell.swap(node.items[0].context_expr, "torch.enable_grad()", "enable_grad", "no_grad")


@operator("loss-reduction-none", GROUP, 1)
def reduction(book, cell, rng):
    """A loss that is no single number."""
    for node in cell.calls():
        if called(node).endswith("Loss"):
            end = cell.end(node) - 1
            yield Edit(end, end, (", " if node.args or node.keywords else "") + 'reduction="none"', "reduction", "mean")


@operator("parameters-not-called", GROUP, 2)
def parameters(book, cell, rng):
    """The model instead of its parameters, or parameters without ()."""
    for node in cell.calls("parameters"):
        if isinstance(node.func, ast.Attribute):
            yield Edit(cell.end(node.func), cell.end(node), "", "parameters", "parameters()")
            yield Edit(cell.end(node.func.value), cell.end(node), "", cell.code(node.func.value), "parameters()")


@operator("layer-left-out", GROUP, 2)
def layer_left_out(book, cell, rng):
    """A layer was left out of a stack."""
    for node in cell.calls("Sequential"):
        found = node.args[0].elts if node.args and isinstance(node.args[0], ast.List) else node.args
        for one, following in zip(found, found[1:]):
            if not re.search(r"ReLU|Dropout|Softmax|Sigmoid|Tanh", cell.code(one)):
                yield Edit(cell.start(one), cell.start(following), "", cell.code(one), cell.code(one))


@operator("forward-misnamed", GROUP, 2)
def forward(book, cell, rng):
    """forward, call or another method that a library calls is named otherwise."""
    for node in cell.nodes(ast.FunctionDef):
        if node.name in ("forward", "call", "__call__", "__getitem__", "__len__"):
            at = cell.text.index(node.name, cell.start(node))
            new = {"forward": "foward", "call": "forward", "__call__": "call", "__getitem__": "getitem", "__len__": "len"}[node.name]
            yield Edit(at, at + len(node.name), new, new, node.name)


@operator("batch-axis-lost", GROUP, 3)
def batch_axis(book, cell, rng):
    """One sample where a batch is needed, or an axis too many."""
    for node in cell.nodes(ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in ("model", "net", "network", "classifier", "encoder", "mlp", "cnn") and node.args and isinstance(node.args[0], ast.Name):
            name = node.args[0].id
            yield cell.swap(node.args[0], rng.choice([f"{name}[0]", f"{name}.unsqueeze(0)", f"{name}.flatten()", f"{name}.T"]), name, name)


@operator("target-of-another-kind", GROUP, 3)
def target(book, cell, rng):
    """Targets with an axis too many, as floats, or as one-hot, or in another order than the predictions."""
    for node in cell.nodes(ast.Call):
        if isinstance(node.func, ast.Name) and re.search(r"loss|crit", node.func.id) and len(node.args) == 2:
            one, other = cell.code(node.args[0]), cell.code(node.args[1])
            yield cell.swap(node.args[1], rng.choice([f"{other}.unsqueeze(1)", f"{other}.float()", f"{other}.long()", f"{other}.squeeze()", f"{other}[:-1]", f"{other}.double()"]), other, other)
            yield Edit(cell.start(node.args[0]), cell.end(node.args[1]), f"{other}, {one}", other, one)


@operator("compile-left-out", GROUP, 2)
def compile_left_out(book, cell, rng):
    """model.compile() or another preparation was left out."""
    for node in statements(cell, r"\.(compile|build|adapt|fit_on_texts|eval|train|set_format|zero_grad)\("):
        yield cell.without(node, called(node.value) if isinstance(node.value, ast.Call) else "", "compile")


@operator("keras-loss-of-another-kind", GROUP, 3)
def keras_loss(book, cell, rng):
    """A loss for one-hot targets on numbers, and the other way round."""
    other = {"sparse_categorical_crossentropy": "categorical_crossentropy", "categorical_crossentropy": "sparse_categorical_crossentropy", "mse": "categorical_crossentropy", "binary_crossentropy": "sparse_categorical_crossentropy"}
    for node in cell.nodes(ast.Constant):
        if node.value in other:
            yield cell.swap(node, f'"{other[node.value]}"', other[node.value], node.value)


@operator("random-key-left-out", GROUP, 2)
def jax_slips(book, cell, rng):
    """An array is set by index where it cannot be, or a random key is left out."""
    for node in cell.calls("normal", "uniform", "split", "randint"):
        if book.path(node.func).startswith("jax.") and len(node.args) > 1:
            yield Edit(cell.start(node.args[0]), cell.start(node.args[1]), "", "key", "key")
    for node in cell.nodes(ast.Assign):
        found = re.fullmatch(r"(\w+) = \1\.at(\[.*\])\.set\((.*)\)", cell.code(node))
        if found:
            yield cell.swap(node, f"{found[1]}{found[2]} = {found[3]}", "=", ".at")


@operator("tokenizer-option-left-out", GROUP, 2)
def tokenizer(book, cell, rng):
    """padding, truncation, return_tensors or batched was left out."""
    for node in cell.nodes(ast.Call):
        for one in node.keywords:
            before = cell.text.rfind(",", 0, cell.start(one))
            if one.arg in ("padding", "truncation", "return_tensors", "batched", "labels", "attention_mask", "remove_columns", "eval_dataset") and before > cell.opening(node):
                yield Edit(before, cell.end(one), "", one.arg, one.arg)
