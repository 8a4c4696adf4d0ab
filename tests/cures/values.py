"""What a program's named values are at its end, in a form that can be stored and compared."""

import math
import re

# How deep lists, tables and objects are followed, and how many items of each are.
DEEP, LONG = 5, 2000
# Numbers are the same if they differ by at most this, relatively.
CLOSE = 1e-4

ADDRESS = re.compile(r"0x[0-9a-f]{6,}")
TIMING = re.compile(r"\b\d+(\.\d+)?(e-?\d+)? ?(ns|µs|us|ms|s|sec|secs|seconds|min|step|it|ms/step|s/step|it/s|s/it)\b|\d\d:\d\d(:\d\d(\.\d+)?)?")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
BAR = re.compile("[━█▏▎▍▌▋▊▉╸╺\x08\r]+")


def still(value, depth=0):
    """The value as numbers, texts, lists and arrays: what two runs are compared by."""
    name = type(value).__name__
    home = (type(value).__module__ or "").split(".")[0]
    if value is None or isinstance(value, (bool, str)):
        return value if not isinstance(value, str) else ADDRESS.sub("0x", value)
    if isinstance(value, (int, float)):
        return float(value) if abs(value) < 1e300 or isinstance(value, float) else str(value)
    if isinstance(value, complex):
        return [value.real, value.imag]
    if isinstance(value, bytes):
        return ["bytes", value.hex()[:LONG]]
    if depth > DEEP:
        return name
    try:
        return other(value, name, home, depth + 1)
    except Exception as error:
        return ["unreadable", name, type(error).__name__]


def other(value, name, home, depth):
    if home in ("numpy", "jax", "jaxlib") and hasattr(value, "dtype"):
        import numpy as np

        return array(np.asarray(value), depth)
    if home == "pandas" or home == "polars" and name in ("DataFrame", "Series"):
        return table(value, name, home, depth)
    if home == "torch" and hasattr(value, "detach"):
        return array(value.detach().cpu().float().numpy() if value.dtype.is_floating_point else value.detach().cpu().numpy(), depth)
    if home == "tensorflow" and hasattr(value, "numpy"):
        return still(value.numpy(), depth)
    if hasattr(value, "state_dict") and hasattr(value, "parameters"):
        return ["module", still({k: v for k, v in value.state_dict().items()}, depth)]
    if hasattr(value, "get_weights") and hasattr(value, "layers"):
        return ["module", [still(one, depth) for one in value.get_weights()]]
    if hasattr(value, "get_params") and hasattr(value, "fit"):
        fitted = {k: v for k, v in vars(value).items() if k.endswith("_") and not k.startswith("_")}
        return ["estimator", name, still(value.get_params(deep=False), depth), still(fitted, depth)]
    if isinstance(value, dict):
        return ["dict", [[still(k, depth), still(v, depth)] for k, v in list(value.items())[:LONG]], len(value)]
    if isinstance(value, (set, frozenset)):
        return ["set", sorted((still(one, depth) for one in value), key=repr)[:LONG], len(value)]
    if isinstance(value, (list, tuple)) or name in ("dict_keys", "dict_values", "dict_items", "deque", "range"):
        every = list(value)
        return ["list", [still(one, depth) for one in every[:LONG]], len(every)]
    if home == "PIL":
        import numpy as np

        return ["picture", value.mode, array(np.asarray(value), depth)]
    if home in ("datetime", "decimal", "fractions", "pathlib", "uuid", "re"):
        return [name, str(value)]
    if callable(value) and hasattr(value, "__name__"):
        return ["function", value.__name__]
    if hasattr(value, "__dict__"):
        return [name, still({k: v for k, v in vars(value).items() if not k.startswith("__")}, depth)]
    if hasattr(value, "__slots__"):
        return [name, still({k: getattr(value, k, None) for k in value.__slots__}, depth)]
    return [name, ADDRESS.sub("0x", str(value))]


def array(value, depth):
    """An array as its size and numbers. A size of one is told from none: (n, 1) is not (n,)."""
    import numpy as np

    flat = value.ravel()
    if value.dtype.kind in "fiubc":
        kind = "number" if value.dtype.kind != "b" else "bool"
        if value.dtype.kind == "c":
            flat = np.concatenate([flat.real, flat.imag])
        return ["array", kind, list(value.shape), flat[:200_000].astype("float64")]
    return ["array", "text", list(value.shape), [still(one, depth) for one in flat[:LONG].tolist()]]


def table(value, name, home, depth):
    if home == "polars":
        named = value.to_dict(as_series=False) if name == "DataFrame" else {value.name: value.to_list()}
        return ["table", [[str(k), still(v, depth)] for k, v in named.items()]]
    if name == "DataFrame":
        return ["table", [[still(k, depth), column(value.iloc[:, i], depth)] for i, k in enumerate(value.columns)], column(value.index, depth)]
    if name == "Series":
        return ["table", [[still(value.name, depth), column(value, depth)]], column(value.index, depth)]
    if hasattr(value, "to_numpy"):
        return column(value, depth)
    return [name, ADDRESS.sub("0x", str(value))]


def column(value, depth):
    import pandas as pd

    if pd.api.types.is_numeric_dtype(value) and not pd.api.types.is_bool_dtype(value):
        return array(value.to_numpy(dtype="float64", na_value=float("nan")), depth)
    return ["list", [None if isinstance(x, float) and math.isnan(x) else str(x) for x in value.tolist()[:LONG]], len(value)]


def same(a, b):
    """Whether two values are, within tolerance."""
    if isinstance(a, float) and isinstance(b, float):
        return a == b or math.isnan(a) and math.isnan(b) or math.isclose(a, b, rel_tol=CLOSE, abs_tol=1e-6)
    if hasattr(a, "dtype") or hasattr(b, "dtype"):
        import numpy as np

        if not (hasattr(a, "dtype") and hasattr(b, "dtype")) or a.shape != b.shape:
            return False
        return bool(np.allclose(a, b, rtol=CLOSE, atol=1e-6, equal_nan=True))
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    return type(a) is type(b) and a == b


def shown(outputs):
    """What a cell's outputs say, without what differs between two runs of the same: addresses, times, bars, warnings."""
    parts = []
    for one in outputs:
        if one["output_type"] == "stream" and one["name"] == "stdout":
            parts.append(one["text"])
        elif one["output_type"] in ("execute_result", "display_data"):
            parts.append(one["data"].get("text/plain", ""))
    return BAR.sub("", TIMING.sub("", ADDRESS.sub("0x", "\n".join(parts))))


def same_text(a, b):
    """Whether two texts are, but for the last digits of their numbers and for spaces."""
    if a == b:
        return True
    if NUMBER.sub("#", " ".join(a.split())) != NUMBER.sub("#", " ".join(b.split())):
        return False
    return all(math.isclose(float(x), float(y), rel_tol=1e-3, abs_tol=1e-4) for x, y in zip(NUMBER.findall(a), NUMBER.findall(b)))
