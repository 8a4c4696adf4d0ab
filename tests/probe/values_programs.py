"""Programs for the tests of the values: those that fail, with facts of their names; objects that mind being touched; programs that
fill memory."""

# (library, cells, name, facts that the program's own objects have)
KNOWN = [
    (None, ["rows = [1, 2, 3]", "rows[7]"], "rows", {"t": "list", "n": 3, "of": "int"}),
    (None, ["d = {'lr': 1, 'epochs': 2}", "d['rate']"], "d", {"t": "dict", "n": 2, "k": ["lr", "epochs"]}),
    (None, ["n = 3", "n + 'a'"], "n", {"t": "int", "v": "3"}),
    (None, ["s = 'abc'", "s + 1"], "s", {"t": "str", "v": "abc", "n": 3}),
    (None, ["s = 'x' * 500", "s + 1"], "s", {"t": "str", "n": 500}),
    (None, ["b = bytes(9)", "b + 'a'"], "b", {"t": "bytes", "n": 9}),
    (None, ["n = None", "n.shape"], "n", {"t": "NoneType", "v": "None"}),
    (None, ["n = 10 ** 400", "n + 'a'"], "n", {"t": "int"}),
    (None, ["def f(a, b=2, *, c): pass", "f()"], "f", {"t": "function", "a": ["a", "b", "c"]}),
    (None, ["r = range(4)", "r[9]"], "r", {"t": "range", "v": "range(0, 4)"}),
    (None, ["def f(x, y):\n    return x[y]", "f([1], 5)"], "y", {"t": "int", "v": "5"}),
    (None, ["import json", "json.lods('1')"], "json", {"t": "module"}),
    (None, ["class A:\n    def __init__(self): self.n = 4", "a = A()", "a.n + 'x'"], "a.n", {"t": "int", "v": "4"}),
    (None, ["t = (1, 'a')", "t[3]"], "t", {"t": "tuple", "n": 2, "of": "int or str"}),
    ("numpy", ["import numpy as np", "a = np.ones((4, 3), 'float32')", "a @ a"], "a", {"t": "ndarray", "d": "float32", "s": [4, 3]}),
    ("numpy", ["import numpy as np", "a = np.arange(5)", "a[9]"], "a", {"t": "ndarray", "d": "int64", "s": [5]}),
    ("numpy", ["import numpy as np", "n = np.float64(2.5)", "n.foo"], "n", {"t": "float64", "v": "2.5"}),
    ("pandas", ["import pandas as pd", "df = pd.DataFrame({'unit_price': [1.0, None], 'n': [1, 2]})", "df['price']"], "df",
     {"t": "DataFrame", "s": [2, 2], "c": ["unit_price", "n"], "ct": ["float64", "int64"], "na": ["unit_price"]}),
    ("pandas", ["import pandas as pd", "s = pd.Series([1.0, 2.0], name='x')", "s['a']"], "s", {"t": "Series", "n": 2, "d": "float64"}),
    ("torch", ["import torch", "x, w = torch.ones(64, 256), torch.ones(128, 10, dtype=torch.float64)", "x @ w"], "w",
     {"t": "Tensor", "d": "float64", "s": [128, 10], "dev": "cpu"}),
    ("torch", ["import torch", "w = torch.ones(2, requires_grad=True)", "w.numpy()"], "w", {"t": "Tensor", "d": "float32", "s": [2], "dev": "cpu", "grad": 1}),
    ("torch", ["import torch", "fc = torch.nn.Linear(128, 10)", "fc(torch.ones(2, 3))"], "fc", {"t": "Linear", "l": {"in_features": 128, "out_features": 10}, "dev": "cpu"}),
    ("tensorflow", ["import tensorflow as tf", "x = tf.ones((64, 256))", "tf.matmul(x, x)"], "x", {"t": "EagerTensor", "d": "float32", "s": [64, 256]}),
    ("jax", ["import jax.numpy as jnp", "x = jnp.ones((3, 4))", "x @ x"], "x", {"t": "ArrayImpl", "d": "float32", "s": [3, 4]}),
]

NUMPY, PANDAS, PYTORCH, TENSORFLOW, JAX = "import numpy as np", "import pandas as pd", "import torch", "import tensorflow as tf", "import jax.numpy as jnp"
KNOWN += [
    (None, ["sizes, n = {'a': 1}, 2", "k = 'b'", "total = sizes[k] + n"], "k", {"t": "str", "v": "b", "at": 1}),
    (None, ["from collections import deque", "q = deque([1, 2])", "q['x']"], "q", {"t": "deque"}),
    (None, ["x = 1.5", "x()"], "x", {"t": "float", "v": "1.5"}),
    (None, ["class Grid:\n    def __init__(self, w): self.w = w\n    def at(self, i): return [0] * self.w + i", "Grid(3).at(2)"], "self.w", {"t": "int", "v": "3"}),
    ("numpy", [NUMPY, "a, b, c = np.ones((2, 3)), np.ones((4, 3)), np.ones(3)", "d = c + c, a + b"], "b", {"t": "ndarray", "d": "float64", "s": [4, 3], "at": 1}),
    ("numpy", [NUMPY, "images = np.zeros((10, 28, 28), 'uint8')", "images.reshape(10, 783)"], "images", {"t": "ndarray", "d": "uint8", "s": [10, 28, 28]}),
    ("numpy", [NUMPY, "x = np.array([1.0, np.nan, np.inf])", "x['a']"], "x", {"t": "ndarray", "d": "float64", "s": [3], "nan": 2}),
    ("numpy", [NUMPY, "words = np.array(['a', 'bc'])", "words + 1"], "words", {"t": "ndarray", "d": "<U2", "s": [2]}),
    ("numpy", [NUMPY, "rows = np.array([{'a': 1}, None], dtype=object)", "rows.mean(axis=3)"], "rows", {"t": "ndarray", "d": "object", "s": [2]}),
    ("numpy", [NUMPY, "parts = [np.ones(3), np.ones(4)]", "np.stack(parts)"], "parts", {"t": "list", "n": 2, "of": "ndarray", "at": None}),
    ("pandas", [PANDAS, "df = pd.DataFrame({'a': ['1', 'x']})", "df['a'].astype(int)"], "df", {"t": "DataFrame", "s": [2, 1], "c": ["a"]}),
    ("pandas", [PANDAS, "left, right = pd.DataFrame({'id': [1]}), pd.DataFrame({'key': [1]})", "left.merge(right, on='id')"], "right", {"t": "DataFrame", "s": [1, 1], "c": ["key"], "ct": ["int64"]}),
    ("pandas", [PANDAS, "df = pd.DataFrame({'a': [1, 2]})", "new = [1, 2, 3]", "df['b'] = new"], "new", {"t": "list", "n": 3, "of": "int"}),
    ("pandas", [PANDAS, "when = pd.Series(pd.date_range('2024-01-01', periods=3))", "when + when"], "when", {"t": "Series", "n": 3}),
    ("pandas", [PANDAS, "ages = pd.Series([1.0, None, 3.0], name='age')", "ages.astype(int)"], "ages", {"t": "Series", "n": 3, "d": "float64", "nan": 1}),
    ("pandas", [PANDAS, "index = pd.Index(['a', 'b'])", "index[5]"], "index", {"t": "Index", "n": 2}),
    ("torch", [PYTORCH, "x, w, v = torch.ones(8, 4), torch.ones(5, 2), torch.ones(4, 4)", "y = (x @ v).sum() + (x @ w).sum()"], "w", {"s": [5, 2], "at": 1}),
    ("torch", [PYTORCH, "x, w, v = torch.ones(8, 4), torch.ones(5, 2), torch.ones(4, 4)", "y = (x @ v).sum() + (x @ w).sum()"], "v", {"s": [4, 4], "at": None}),
    ("torch", [PYTORCH, "x = torch.zeros(3, dtype=torch.int64)", "x.requires_grad_()"], "x", {"t": "Tensor", "d": "int64", "s": [3], "dev": "cpu"}),
    ("torch", [PYTORCH, "x = torch.tensor([1.0, float('nan')])", "x.foo"], "x", {"d": "float32", "s": [2], "nan": 1}),
    ("torch", [PYTORCH, "loss, pred = torch.nn.CrossEntropyLoss(), torch.ones(8, 10)", "target = torch.ones(7, dtype=torch.int64)", "loss(pred, target)"], "target", {"d": "int64", "s": [7]}),
    ("torch", [PYTORCH, "conv, image = torch.nn.Conv2d(3, 8, 3), torch.ones(1, 28, 28)", "conv(image)"], "conv", {"t": "Conv2d", "l": {"in_channels": 3, "out_channels": 8}}),
    ("torch", [PYTORCH, "class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = torch.nn.Linear(6, 2)\n    def forward(self, x):\n        return self.fc(x)", "Net()(torch.ones(2, 5))"],
     "self.fc", {"t": "Linear", "l": {"in_features": 6, "out_features": 2}, "dev": "cpu"}),
    ("tensorflow", [TENSORFLOW, "v, x = tf.Variable([[1.0, 2.0]]), tf.ones((3, 3))", "x @ v"], "v", {"t": "ResourceVariable", "d": "float32", "s": [1, 2], "dev": "cpu:0"}),
    ("tensorflow", [TENSORFLOW, "a, b = tf.constant([1.0, float('nan')]), tf.constant([1, 2])", "a + b"], "a", {"d": "float32", "s": [2], "nan": 1, "dev": "cpu:0"}),
    ("tensorflow", [TENSORFLOW, "a, b = tf.constant([1.0, float('nan')]), tf.constant([1, 2])", "a + b"], "b", {"d": "int32", "s": [2], "dev": "cpu:0"}),
    ("jax", [JAX, "a, b = jnp.ones((2, 3)), jnp.zeros((4, 3), 'int32')", "a + b"], "b", {"t": "ArrayImpl", "d": "int32", "s": [4, 3], "dev": "cpu:0"}),
    ("jax", [JAX, "a = jnp.array([1.0, jnp.nan])", "a.reshape(3)"], "a", {"d": "float32", "s": [2], "nan": 1}),
    ("jax", [JAX, "a = jnp.ones((2, 2), 'bfloat16')", "a[0] = 5"], "a", {"d": "bfloat16", "s": [2, 2]}),
    ("sklearn", [NUMPY, "from sklearn.linear_model import LinearRegression", "m, X = LinearRegression().fit(np.ones((4, 3)), np.ones(4)), np.ones((2, 5))", "m.predict(X)"], "X", {"t": "ndarray", "s": [2, 5]}),
    ("sklearn", [NUMPY, "from sklearn.linear_model import LinearRegression", "m, X = LinearRegression().fit(np.ones((4, 3)), np.ones(4)), np.ones((2, 5))", "m.predict(X)"], "m", {"t": "LinearRegression", "l": {"n_features_in_": 3}}),
    ("sklearn", [NUMPY, "from sklearn.linear_model import LogisticRegression", "X, y = np.array([[1.0], [np.nan]]), np.array([0, 1])", "LogisticRegression().fit(X, y)"], "X", {"s": [2, 1], "nan": 1}),
    ("sklearn", ["from sklearn.preprocessing import LabelEncoder", "encoder, new = LabelEncoder().fit(['a']), ['b']", "encoder.transform(new)"], "new", {"t": "list", "n": 1, "of": "str"}),
]


HOSTILE = """
import sys, time
class Touched(Exception): pass
touched = []
def bomb(*_, **__):
    touched.append(1)
    raise Touched
class Repr: __repr__ = __str__ = __format__ = bomb
class Len: __len__ = __iter__ = __getitem__ = __contains__ = __bool__ = bomb
class Get: __getattr__ = __getattribute__ = bomb
class Property: shape = dtype = columns = device = property(bomb)
class Dict: __dict__ = property(bomb)
class Kind: __class__ = property(bomb)
class Array: __array__ = __array_interface__ = __cuda_array_interface__ = bomb
class Hash: __hash__ = __eq__ = bomb
class Meta(type):
    __module__ = property(bomb)
    def __getattribute__(cls, name): bomb()
    __instancecheck__ = __subclasscheck__ = bomb
class Made(metaclass=Meta): pass
class List(list): __len__ = __iter__ = __repr__ = bomb
class Text(str): __len__ = __repr__ = __getitem__ = bomb
class Number(int): __repr__ = __str__ = bit_length = bomb
class Map(dict): values = keys = items = __iter__ = __len__ = bomb
class Slots:
    __slots__ = ("a",)
class Tensor:
    # Its name is a tensor's, its module is not.
    shape = property(bomb)
    def __getattr__(self, name): bomb()
def far(module, name):
    # What is loaded, or fetched from another machine, when somebody asks for it.
    asked = dict.fromkeys("shape dtype dtypes columns schema index size nbytes ndim device T values name layout".split(), property(bomb))
    asks = dict.fromkeys("__len__ __iter__ __getitem__ __getattr__ __array__ __repr__ __str__ __bool__ __dir__ __sizeof__ collect compute get".split(), bomb)
    return type(name, (), {"__module__": module, **asked, **asks})()
"""
# Each is made by an expression; the failing line names it and none of its methods may have run.
OBJECTS = [
    "Repr()", "Len()", "Get()", "Property()", "Dict()", "Kind()", "Array()", "Hash()", "Made()", "Made", "List([1])", "Text('a')",
    "Number(7)", "Map(a=1)", "Slots()", "Tensor()", "[Repr(), Len(), Get()]", "{'a': Get(), 'b': Len()}", "(lambda: (yield))()",
    "dict.fromkeys(range(10 ** 6))", "[[]] * 10 ** 6", "type('X' * 10 ** 6, (), {})()",
    # Tables that are loaded late, arrays on other machines.
    "far('polars.lazyframe.frame', 'LazyFrame')", "far('dask.dataframe.core', 'DataFrame')", "far('modin.pandas.dataframe', 'DataFrame')",
    "far('pyspark.sql.dataframe', 'DataFrame')", "far('dask.array.core', 'Array')", "far('ray._raylet', 'ObjectRef')", "far('remote.numpy', 'ndarray')",
    "[far('h5py._hl.dataset', 'Dataset'), {'a': far('zarr.core', 'Array')}]",
]
# (library, expression, facts): those of libraries. `touched` grows where one is loaded or computed.
REAL = [
    ("torch", "__import__('torch').ones(3, 4, device='meta')", {"t": "Tensor", "d": "float32", "s": [3, 4], "dev": "meta"}),
    ("torch", "__import__('torch').eye(3).to_sparse()", {"t": "Tensor", "d": "float32", "s": [3, 3], "dev": "cpu"}),
    ("torch", "__import__('torch').eye(4).to_sparse_csr()", {"t": "Tensor", "d": "float32", "s": [4, 4], "dev": "cpu"}),
    ("torch", "__import__('torch').nn.Linear(10 ** 6, 10 ** 6, device='meta')", {"t": "Linear", "l": {"in_features": 10 ** 6, "out_features": 10 ** 6}, "dev": "meta"}),
    ("torch", "__import__('torch').nn.LazyLinear(5)", {"t": "LazyLinear"}),
    ("numpy", "__import__('numpy').lib.stride_tricks.as_strided(__import__('numpy').ones(1), (10 ** 9, 10 ** 6), (0, 0))", {"t": "ndarray", "s": [10 ** 9, 10 ** 6]}),
    ("polars", "__import__('polars').LazyFrame({'a': [1]}).map_batches(bomb)", {"t": "LazyFrame"}),
    ("dask", "__import__('dask.delayed').delayed(bomb)()", {"t": "Delayed"}),
    ("dask", "__import__('dask.array').array.from_delayed(__import__('dask').delayed(bomb)(), (10 ** 9,), dtype=float)", {"t": "Array"}),
    ("dask", "__import__('dask.dataframe').dataframe.from_map(bomb, [1, 2], meta={'a': 'f8'})", {"t": "DataFrame"}),
]


# Programs that fill memory, each as (library, cells, what holds most, its bytes as the program itself can tell).
NP, PD, TORCH = "import numpy as np", "import pandas as pd", "import torch"
LEAKS = [
    ("numpy", [NP, "history = []", *["for _ in range(30): history.append(np.ones(1 << 15))"] * 5, "np.empty(1 << 50)"], "history", "150 * 8 << 15"),
    ("numpy", [NP, "cache = {n: [np.ones(1 << 15)] for n in range(50)}", "small = np.ones(1 << 17)", "np.empty(1 << 50)"], "cache", "50 * 8 << 15"),
    ("numpy", [NP, "part = np.ones(1 << 22)[:10]", "other = np.ones(1 << 20)", "np.empty(1 << 50)"], "part", "8 << 22"),
    ("numpy", [NP, "import collections", "recent = collections.deque(np.ones(1 << 15) for _ in range(40))", "np.empty(1 << 50)"], "recent", "40 * 8 << 15"),
    ("numpy", [NP, "class Trainer: pass", "t = Trainer()\nt.seen = [np.ones(1 << 15) for _ in range(40)]", "np.empty(1 << 50)"], "t.seen", "40 * 8 << 15"),
    ("numpy", [NP, "Out = {n: np.ones(1 << 17) for n in range(1, 9)}\n_8 = Out[8]", "np.empty(1 << 50)"], "Out", "8 * 8 << 17"),
    ("numpy", [NP, "errors = []\ndef step(n):\n    batch = np.ones(1 << 17)\n    raise ValueError(n)",
               "for n in range(9):\n    try: step(n)\n    except ValueError as e: errors.append(e)", "np.empty(1 << 50)"], "errors", "9 * 8 << 17"),
    ("numpy", [NP, "def step():\n    batch = np.ones(1 << 22)\n    np.empty(1 << 50)", "step()"], "batch", "8 << 22"),
    (None, ["lines = []", "for n in range(100): lines.append(str(n) * 90000)", "bytes(1 << 60)"], "lines", "sum(map(len, lines))"),
    (None, ["numbers = [n + 0.5 for n in range(10 ** 6)]", "bytes(1 << 60)"], "numbers", "32 * 10 ** 6"),
    (None, ["rows = [{'id': n + 1000, 'value': n * 0.1} for n in range(10 ** 5)]", "bytes(1 << 60)"], "rows", "sum(map(sys.getsizeof, rows)) + 52 * 10 ** 5 + 8 * 10 ** 5"),
    ("pandas", [NP, PD, "df = pd.DataFrame(np.ones((10 ** 5, 4)))", "same = df.copy(deep=False)", "versions = [df.copy() for _ in range(5)]", "np.empty(1 << 50)"], "versions", "5 * 32 * 10 ** 5"),
    ("pandas", [NP, PD, "df = pd.DataFrame({'a': [f'text {n:06}' for n in range(10 ** 5)]}, dtype=object)", "np.empty(1 << 50)"], "df", "int(df.memory_usage(deep=True).sum())"),
    ("torch", [TORCH, "history = []", "for _ in range(40): history.append(torch.ones(1 << 16))", "torch.empty(1 << 50)"], "history", "40 * 4 << 16"),
    ("torch", [TORCH, "w = torch.ones(1 << 18, requires_grad=True)", "history = [w * n for n in range(9)]", "torch.empty(1 << 50)"], "history", "9 * 4 << 18"),
    ("torch", [TORCH, "net = torch.nn.Sequential(torch.nn.Linear(1000, 1000), torch.nn.Sequential(torch.nn.Linear(1000, 1000)))", "net(torch.ones(1, 1000)).sum().backward()",
               "torch.empty(1 << 50)"], "net", "2 * 2 * 4 * (10 ** 6 + 1000)"),
    ("torch", [TORCH, "net, x = torch.nn.Linear(1000, 1000), torch.ones(64, 1000)", "history = []", "for n in range(9): history.append(net(x + n).exp().sum())", "torch.empty(1 << 50)"],
     "history", "9 * 4 * 64 * (1000 + 1000)"),
    ("torch", [TORCH, "part = torch.ones(1 << 22)[:10]", "torch.empty(1 << 50)"], "part", "4 << 22"),
]
