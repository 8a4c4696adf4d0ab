"""What older releases had, other languages have, or the next release will not have: written from memory or an old tutorial."""

import ast
import re

from .book import Edit, called, operator

GROUP = "releases"
# Full name of what there is today: what an older release had for it, as the last part of the name.
NAMES = {
    "numpy.float64": "float", "numpy.int64": "int", "numpy.bool_": "bool", "numpy.prod": "product", "numpy.nan": "NaN",
    "numpy.inf": "Inf", "numpy.trapezoid": "trapz", "numpy.isin": "in1d", "numpy.vstack": "row_stack", "numpy.all": "alltrue", "numpy.any": "sometrue",
    "numpy.round": "round_", "numpy.array": "asfarray", "numpy.concatenate": "cat",
    "torch.linalg.solve": "gesv", "torch.tensor": "Variable",
    "matplotlib.pyplot.hist": "histogram",
    "seaborn.scatterplot": "scatter", "seaborn.heatmap": "heat_map", "seaborn.lineplot": "tsplot", "seaborn.catplot": "factorplot",
    "scipy.integrate.trapezoid": "trapz", "scipy.integrate.simpson": "simps",
    "tensorflow.random.set_seed": "set_random_seed", "tensorflow.keras": "contrib.keras", "keras.utils.to_categorical": "np_utils",
    "time.perf_counter": "clock", "cv2.cvtColor": "cvt_color", "random.randint": "rand",
}
# Methods of today, and what they were called.
METHODS = {
    "items": "iteritems", "concat": "append", "to_numpy": "as_matrix", "loc": "ix", "group_by": "groupby", "with_columns": "with_column",
    "sort_values": "order", "get_feature_names_out": "get_feature_names", "predict": "predict_classes",
    "tobytes": "tostring", "iter_rows": "iterrows", "getbbox": "getsize",
    "fillna": "fill_na", "dropna": "drop_na", "read_text": "read", "std": "stdev", "size": "length", "explode": "unnest",
}
# Keywords of today, and what older or other releases called them.
KEYWORDS = {
    "sparse_output": "sparse", "n_jobs": "njobs", "estimator": "base_estimator", "learning_rate": "lr", "max_iter": "n_iter", "n_splits": "n_folds",
    "lineterminator": "line_terminator", "density": "normed",
    "fill": "shade", "errorbar": "ci", "density_norm": "scale", "axis": "dimension", "eval_strategy": "evaluation_strategy",
    "dim": "dimension", "shape": "input_dim", "callbacks": "callback", "eval_set": "eval_data", "early_stopping_rounds": "early_stop",
    "criterion": "criteria", "penalty": "regularization", "figsize": "fig_size", "descending": "reverse", "on_bad_lines": "error_bad_lines",
    "metrics": "metric", "validation_split": "validation", "validation_data": "val_data", "units": "output_dim", "activation": "act",
    "aggfunc": "agg", "frac": "fraction", "bins": "bin", "rotation": "rotate",
}
# Lines that import what is elsewhere today, and where older releases had it.
IMPORTS = [
    (r"from sklearn\.model_selection import", "from sklearn.cross_validation import"), (r"^import joblib", "from sklearn.externals import joblib"),
    (r"from sklearn\.impute import SimpleImputer", "from sklearn.preprocessing import Imputer as SimpleImputer"),
    (r"from sklearn\.datasets import load_\w+", "from sklearn.datasets import load_boston"), (r"from tensorflow\.keras", "from tensorflow.contrib.keras"),
    (r"from keras\.utils import to_categorical", "from keras.utils.np_utils import to_categorical"), (r"from keras import layers", "from keras.layers.core import Dense"),
    (r"from keras\.layers import", "from keras.layers.normalization import"),
    (r"from torch\.optim import AdamW", "from transformers import AdamW"), (r"from scipy\.integrate import simpson", "from scipy.integrate import simps as simpson"),
    (r"from collections\.abc import", "from collections import"), (r"from typing import", "from typing_extension import"),
    (r"import matplotlib\.pyplot as plt", "import matplotlib.pylot as plt"), (r"import statsmodels\.api as sm", "import statsmodels.apis as sm"),
    (r"import seaborn as sns", "import seaborn.apionly as sns"), (r"from PIL import Image", "import Image"), (r"from math import gcd", "from fractions import gcd"),
    (r"from sklearn\.metrics import", "from sklearn.metrics.scorer import"), (r"from sklearn\.ensemble import", "from sklearn.ensemble.forest import"),
    (r"from sklearn\.linear_model import", "from sklearn.linear_model.logistic import"), (r"from sklearn\.cluster import KMeans", "from sklearn.cluster.k_means_ import KMeans"),
    (r"from sklearn\.decomposition import PCA", "from sklearn.decomposition.pca import PCA"), (r"from sklearn\.tree import", "from sklearn.tree.tree import"),
    (r"from sklearn\.neighbors import", "from sklearn.neighbors.classification import"),
    (r"from statsmodels\.tsa\.arima\.model import ARIMA", "from statsmodels.tsa.arima_model import ARIMA"), (r"import jax\.numpy as jnp", "import jax.np as jnp"),
]


@operator("name-of-an-old-release", GROUP, 3)
def old_name(book, cell, rng):
    """A function that older releases of the library had under another name."""
    for node in cell.nodes(ast.Attribute):
        if new := NAMES.get(book.path(node)):
            yield Edit(*cell.attribute(node), new, new, node.attr)
    for node in cell.nodes(ast.Name):
        if node.id in ("float", "int", "bool") and isinstance(cell.parents.get(node), (ast.Call, ast.keyword)) and "np" in book.modules and getattr(cell.parents[node], "func", None) is not node:
            yield cell.swap(node, f"np.{node.id}", f"np.{node.id}", node.id)


@operator("method-of-an-old-release", GROUP, 3)
def old_method(book, cell, rng):
    """A method that older releases had under another name."""
    for node in cell.nodes(ast.Attribute):
        if node.attr in METHODS and isinstance(node.ctx, ast.Load) and not book.path(node):
            yield Edit(*cell.attribute(node), METHODS[node.attr], METHODS[node.attr], node.attr)


@operator("keyword-of-an-old-release", GROUP, 3)
def old_keyword(book, cell, rng):
    """A keyword argument that older releases had under another name."""
    for node in cell.nodes(ast.Call):
        for one in node.keywords:
            if one.arg in KEYWORDS:
                yield Edit(*cell.keyword(one), KEYWORDS[one.arg], KEYWORDS[one.arg], one.arg)


@operator("keyword-that-was-removed", GROUP, 2)
def removed_keyword(book, cell, rng):
    """A keyword argument that the function no longer has, or never had."""
    more = {
        "read_csv": ["error_bad_lines=False", "squeeze=True", "prefix='c'", "mangle_dupe_cols=True"], "LogisticRegression": ["n_iter=100", "multi_class_='ovr'"],
        "KMeans": ["precompute_distances=True", "n_jobs=1"], "OneHotEncoder": ["sparse=False", "categorical_features=[0]"], "LinearRegression": ["normalize=True"],
        "mean_squared_error": ["squared=False"], "RandomForestClassifier": ["min_impurity_split=0.1"], "to_csv": ["line_terminator='\\n'"],
        "hist": ["normed=True"], "subplots": ["size=(6, 4)"], "drop": ["axes=1"], "sort_values": ["descending=True", "column='a'"], "groupby": ["axis=1", "squeeze=True"],
        "Adam": ["lr_decay=0.1"], "fit": ["nb_epoch=2", "epoch=2"], "compile": ["lr=0.1", "metric=['accuracy']"], "Dense": ["output_dim=4", "init='uniform'"],
        "DataLoader": ["batchsize=4", "shuffles=True"], "Linear": ["activation='relu'"], "plot": ["colour='r'"], "scatter": ["size=10"], "zeros": ["size=3"],
        "array": ["type=float"], "head": ["rows=5"], "merge": ["key='id'"], "concat": ["join_axes=None"], "mean": ["level=0"], "print": ["ends=''"],
        "sorted": ["cmp=None", "by=None"], "open": ["type='r'"], "dump": ["encoding='utf-8'"], "loads": ["encoding='utf-8'"], "round": ["decimals=2"], "sum": ["initial=0"],
        "describe": ["columns='all'"], "fillna": ["method='ffill'"], "replace": ["columns='a'"], "heatmap": ["annotate=True"], "histplot": ["hist=True"],
    }
    for node in cell.nodes(ast.Call):
        if called(node) in more:
            end = cell.end(node) - 1
            lead = "" if not node.args and not node.keywords or cell.text[:end].rstrip().endswith(",") else ", "
            new = rng.choice(more[called(node)])
            yield Edit(end, end, lead + new, new.split("=")[0], new.split("=")[0])


@operator("import-of-an-old-release", GROUP, 4)
def old_import(book, cell, rng):
    """A module's place in an older release."""
    for node in cell.nodes(ast.Import, ast.ImportFrom):
        code = cell.code(node)
        for pattern, new in IMPORTS:
            if re.search(pattern, code):
                yield cell.swap(node, re.sub(pattern, new, code), new.split()[1], code.split()[1])


@operator("append-to-a-table", GROUP, 2)
def append_to_table(book, cell, rng):
    """df.append, which pandas 2 no longer has, for concat."""
    for node in cell.calls("concat"):
        if node.args and isinstance(node.args[0], ast.List) and len(node.args[0].elts) == 2 and isinstance(node.args[0].elts[0], ast.Name):
            one, other = node.args[0].elts
            rest = "".join(f", {cell.code(k)}" for k in node.keywords)
            yield cell.swap(node, f"{cell.code(one)}.append({cell.code(other)}{rest})", "append", "concat")


@operator("python-2", GROUP, 2)
def python_2(book, cell, rng):
    """What Python 2 had: xrange, raw_input, iteritems, has_key, unicode."""
    other = {"range": "xrange", "input": "raw_input", "str": "unicode", "chr": "unichr", "sorted": "cmp", "map": "imap", "zip": "izip"}
    for node in cell.nodes(ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in other:
            yield cell.swap(node.func, other[node.func.id], other[node.func.id], node.func.id)
    for node in cell.nodes(ast.Compare):
        if isinstance(node.ops[0], ast.In) and isinstance(node.comparators[0], ast.Name):
            name = node.comparators[0].id
            yield cell.swap(node, f"{name}.has_key({cell.code(node.left)})", "has_key", "in")


@operator("of-another-language", GROUP, 2)
def other_language(book, cell, rng):
    """The method or attribute of another language: length, push, toString, size()."""
    for node in cell.calls("len"):
        if isinstance(node.func, ast.Name) and len(node.args) == 1 and isinstance(node.args[0], ast.Name):
            name = node.args[0].id
            yield cell.swap(node, rng.choice([f"{name}.length", f"{name}.len()", f"{name}.size()", f"{name}.count()"]), "length", "len")
    for node in cell.calls("str"):
        if isinstance(node.func, ast.Name) and len(node.args) == 1 and isinstance(node.args[0], ast.Name):
            yield cell.swap(node, f"{node.args[0].id}.toString()", "toString", "str")
    for node in cell.nodes(ast.Attribute):
        if node.attr in ("append", "join", "find", "lower", "upper", "format", "keys", "values"):
            new = {"append": "push", "join": "concat", "find": "indexOf", "lower": "toLowerCase", "upper": "toUpperCase", "format": "sprintf", "keys": "getKeys", "values": "getValues"}[node.attr]
            yield Edit(*cell.attribute(node), new, new, node.attr)


@operator("method-for-function", GROUP, 2)
def method_for_function(book, cell, rng):
    """A function called as a method, or a method as a function: x.sqrt(), sort(xs)."""
    for node in cell.nodes(ast.Call):
        if len(node.args) == 1 and isinstance(node.args[0], ast.Name) and re.match(r"numpy\.(sqrt|exp|log|abs|median|unique|sin|cos)$", book.path(node.func) or ""):
            yield cell.swap(node, f"{node.args[0].id}.{called(node)}()", called(node), cell.code(node.func))
        elif isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id in book.names and node.func.value.id not in book.modules and not node.keywords:
            rest = ", ".join([node.func.value.id, *(cell.code(one) for one in node.args)])
            yield cell.swap(node, f"{node.func.attr}({rest})", node.func.attr, cell.code(node.func))
