use crate::tests::{cures_of, error_at, repaired_at, repaired_first};

#[test]
fn a_power_has_two_stars() {
    let code = "r = (x ^ 2 + y ^ 2) ** 0.5";
    let message = "unsupported operand type(s) for ^: 'float' and 'int'";
    let e = crate::tests::ipython("TypeError", &[(1, 1, code)], message);
    assert_eq!(
        crate::tests::repaired(&[code], &e),
        "r = (x ** 2 + y ** 2) ** 0.5"
    );
}

#[test]
fn a_division_is_guarded() {
    let class = "ZeroDivisionError";
    let at = |line| repaired_first(&["total, count = 0, 0", line], class, "division by zero");
    assert_eq!(
        at("mean = total / count"),
        "mean = total / count if count else float(\"nan\")"
    );
    assert_eq!(
        at("print(total / len(rows))"),
        "print((total / len(rows) if len(rows) else float(\"nan\")))"
    );
    assert_eq!(at("k = total % count"), "k = total % count if count else 0");
    let loader = "loader = DataLoader(rows, batch_size=8, drop_last=True)\ntotal = 0";
    assert_eq!(
        repaired_first(
            &[loader, "mean = total / len(loader)"],
            class,
            "division by zero"
        ),
        "loader = DataLoader(rows, batch_size=8, drop_last=False)\ntotal = 0"
    );
    // Two divisions, and one with a side effect.
    assert_eq!(at("mean = total / count + 1 / total"), "");
    assert_eq!(at("mean = total / load()"), "");
}

#[test]
fn logarithms_and_exponentials_stay_in_range() {
    let m = "import math\nz = 3.0";
    assert_eq!(
        repaired_first(&[m, "v = math.log(p)"], "ValueError", "math domain error"),
        "v = math.log(max(p, 1e-12))"
    );
    assert_eq!(
        repaired_first(
            &[m, "v = math.log(1 + math.exp(z))"],
            "OverflowError",
            "math range error"
        ),
        "v = max(z, 0) + math.log1p(math.exp(-abs(z)))"
    );
    assert_eq!(
        repaired_first(
            &[m, "v = 2 * (1 / (1 + math.exp(-z)))"],
            "OverflowError",
            "math range error"
        ),
        "v = 2 * ((0.5 * (1 + math.tanh(0.5 * (z)))))"
    );
    assert_eq!(
        repaired_first(
            &[m, "v = math.exp(z) + 2"],
            "OverflowError",
            "math range error"
        ),
        ""
    );
}

#[test]
fn an_array_gets_a_type_that_holds_the_number() {
    let cells = [
        "import numpy as np\nlevels = np.zeros(4, dtype=np.uint8)",
        "levels[1] = 512",
    ];
    let message = "Python integer 512 out of bounds for uint8";
    assert_eq!(
        repaired_first(&cells, "OverflowError", message),
        "import numpy as np\nlevels = np.zeros(4, dtype=np.int16)"
    );
}

#[test]
fn json_is_told_what_it_does_not_know() {
    let json = "import json, ast";
    let dumps = |kind: &str| {
        let message = format!("Object of type {kind} is not JSON serializable");
        repaired_first(&[json, "text = json.dumps(row)"], "TypeError", &message)
    };
    assert_eq!(
        dumps("float32"),
        "text = json.dumps(row, default=lambda v: v.tolist())"
    );
    assert_eq!(dumps("Timestamp"), "text = json.dumps(row, default=str)");
    // Python 3.6 quotes the type.
    assert_eq!(dumps("'date'"), "text = json.dumps(row, default=str)");
    assert_eq!(dumps("Customer"), "");
    let message = "keys must be str, int, float, bool or None, not int64";
    assert_eq!(
        repaired_first(&[json, "text = json.dumps(row)"], "TypeError", message),
        "text = json.dumps({str(k): v for k, v in row.items()})"
    );
    let message = "Extra data: line 2 column 1 (char 31)";
    assert_eq!(
        repaired_first(&[json, "rows = json.load(f)"], "JSONDecodeError", message),
        "rows = [json.loads(line) for line in f if line.strip()]"
    );
    let message = "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)";
    assert_eq!(
        repaired_first(&[json, "row = json.loads(t)"], "JSONDecodeError", message),
        "row = ast.literal_eval(t)"
    );
}

#[test]
fn singular_matrices_are_solved_otherwise() {
    let np = "import numpy as np";
    let at = |line, message| repaired_first(&[np, line], "LinAlgError", message);
    assert_eq!(
        at("w = np.linalg.inv(A) @ b", "Singular matrix"),
        "w = np.linalg.pinv(A) @ b"
    );
    assert_eq!(
        at("w = np.linalg.solve(A, b)", "Singular matrix"),
        "w = np.linalg.lstsq(A, b, rcond=None)[0]"
    );
    assert_eq!(
        at(
            "L = np.linalg.cholesky(K)",
            "Matrix is not positive definite"
        ),
        "L = np.linalg.cholesky(K + 1e-6 * np.eye(len(K)))"
    );
    assert_eq!(at("w = solve(A, b)", "Singular matrix"), "");
}

#[test]
fn samples_in_rows_are_no_variables() {
    let of = |rows: i64, columns: i64| {
        let made = format!("a = np.zeros(({rows}, {columns}))\nS = np.cov(a)");
        let cells = ["import numpy as np", &made, "L = np.linalg.cholesky(S)"];
        repaired_first(&cells, "LinAlgError", "Matrix is not positive definite")
    };
    assert!(of(90, 3).ends_with("S = np.cov(a, rowvar=False)"));
    assert!(of(3, 90).contains("1e-6"));
}

#[test]
fn a_loop_over_two_lists_ends_with_the_shorter() {
    let cells = [
        "names, ages = [], []",
        "for i in range(len(names)):\n    print(names[i], ages[i])",
    ];
    let message = "list index out of range";
    assert_eq!(
        repaired_at(&cells, 2, "IndexError", message),
        "for i in range(min(len(names), len(ages))):\n    print(names[i], ages[i])"
    );
}

#[test]
fn what_cannot_be_changed_is_made_anew() {
    let message = "'tuple' object does not support item assignment";
    assert_eq!(
        repaired_at(&["size = (3, 4)\nsize[0] = 5"], 2, "TypeError", message),
        "size = [3, 4]\nsize[0] = 5"
    );
    let message = "'str' object does not support item assignment";
    assert_eq!(
        repaired_at(&["word = 'hat'\nword[0] = 'c'"], 2, "TypeError", message),
        "word = 'hat'\nword = 'c' + word[1:]"
    );
    let cell = ["for k in seen:\n    seen.pop(k)"];
    let message = "dictionary changed size during iteration";
    assert_eq!(
        repaired_first(&cell, "RuntimeError", message),
        "for k in list(seen):\n    seen.pop(k)"
    );
}

#[test]
fn an_iterator_at_its_end_begins_again() {
    let cells = ["it = iter(loader)", "for e in range(3):\n    x = next(it)"];
    let after = "for e in range(3):\n    x = next(it, None)\n    if x is None:\n        it = iter(loader)\n        x = next(it)";
    assert_eq!(repaired_at(&cells, 2, "StopIteration", ""), after);
    let other = ["it = iter(loader)", "use(next(it))"];
    assert_eq!(repaired_first(&other, "StopIteration", ""), "");
}

#[test]
fn a_cell_awaits() {
    let cells = ["import asyncio", "a = asyncio.run(work(3))"];
    let message = "asyncio.run() cannot be called from a running event loop";
    assert_eq!(
        repaired_first(&cells, "RuntimeError", message),
        "a = await work(3)"
    );
}

#[test]
fn colab_is_left_out_elsewhere() {
    let cell =
        "import pandas as pd\nfrom google.colab import drive\ndrive.mount('/content/drive')\nx = 1";
    assert_eq!(
        repaired_at(&[cell], 2, "ModuleNotFoundError", "No module named 'google.colab'"),
        "import sys\nimport pandas as pd\nif \"google.colab\" in sys.modules:\n    from google.colab import drive\n    drive.mount('/content/drive')\nx = 1"
    );
}

#[test]
fn a_parser_does_not_read_the_kernels_arguments() {
    let cell = "import argparse\np = argparse.ArgumentParser()\na = p.parse_args()";
    let error = |says: &str| {
        format!(
            "usage: k.py [-h]\nk.py: error: {says}\n{}",
            error_at(&[cell], 3, "SystemExit", "2")
        )
    };
    let code = |says| {
        cures_of(&[cell], &error(says))
            .first()
            .map(|c| c.code.clone())
    };
    assert_eq!(
        code("unrecognized arguments: -f /root/k.json").as_deref(),
        Some("import argparse\np = argparse.ArgumentParser()\na = p.parse_args([])")
    );
    assert_eq!(code("the following arguments are required: --lr"), None);
}

#[test]
fn a_picture_is_shown_below_the_cell() {
    let cell = "import cv2\ncv2.imshow('edges', img)\ncv2.waitKey(0)";
    let message = "OpenCV(4.8.0) x.cpp:1: error: (-2:Unspecified error) The function is not implemented. Rebuild the library with Windows, GTK+ 2.x or Cocoa support.";
    assert_eq!(
        repaired_at(&[cell], 2, "error", message),
        "from IPython.display import Image, display\nimport cv2\ndisplay(Image(cv2.imencode(\".png\", img)[1].tobytes()))\npass"
    );
    let cells = ["import matplotlib.pyplot as plt", cell];
    assert_eq!(
        repaired_at(&cells, 2, "error", message),
        "import cv2\nplt.imshow(cv2.cvtColor(img, cv2.COLOR_BGR2RGB))\nplt.title(\"edges\")\nplt.show()\npass"
    );
}

#[test]
fn what_has_no_positions_becomes_a_list() {
    let t = "TypeError";
    let message = "'dict_keys' object is not subscriptable";
    assert_eq!(
        repaired_first(&["d = {}", "print(d.keys()[0])"], t, message),
        "print(list(d.keys())[0])"
    );
    let message = "object of type 'zip' has no len()";
    assert_eq!(
        repaired_at(&["z = zip(a, b)\nprint(len(z))"], 2, t, message),
        "z = list(zip(a, b))\nprint(len(z))"
    );
    let message = "'set' object is not subscriptable";
    assert_eq!(repaired_first(&["s = [1]", "print(s[0])"], t, message), "");
}

#[test]
fn arguments_that_belong_together_get_brackets() {
    let np = "import numpy as np\na, b = load()";
    let t = "TypeError";
    let message = "Cannot interpret '4' as a data type";
    assert_eq!(
        repaired_first(&[np, "z = np.zeros(3, 4)"], t, message),
        "z = np.zeros((3, 4))"
    );
    let message = "only integer scalar arrays can be converted to a scalar index";
    assert_eq!(
        repaired_first(&[np, "z = np.concatenate(a, b)"], t, message),
        "z = np.concatenate((a, b))"
    );
    let message =
        "operation 'rand_' not supported for dtype 'str' with object of type <class 'int'>";
    assert_eq!(
        repaired_first(&["p = load()", "p[p.a > 3 & p.b == 'x']"], t, message),
        "p[(p.a > 3) & (p.b == 'x')]"
    );
    let message = "Cannot perform 'rand_' with a dtyped [float64] array and scalar of type [bool]";
    assert_eq!(
        repaired_first(
            &["df = load()", "q = df[df['a'] > 3 & df['b'] < 5]"],
            t,
            message
        ),
        "q = df[(df['a'] > 3) & (df['b'] < 5)]"
    );
    assert_eq!(
        repaired_first(
            &["df = load()", "q = df['a', 'b']"],
            "KeyError",
            "('a', 'b')"
        ),
        "q = df[['a', 'b']]"
    );
    let message = "'numpy.ndarray' object has no attribute 'append'";
    assert_eq!(
        repaired_first(&[np, "a.append(4)"], "AttributeError", message),
        "a = np.append(a, 4)"
    );
}

#[test]
fn files_and_folders_as_they_are() {
    let message = "[Errno 17] File exists: 'out'";
    assert_eq!(
        repaired_first(
            &["import os", "os.mkdir('out')"],
            "FileExistsError",
            message
        ),
        "os.makedirs('out', exist_ok=True)"
    );
    let cells = [
        "import os",
        "for f in os.listdir(folder):\n    show(open(f))",
    ];
    let message = "[Errno 2] No such file or directory: 'cat.png'";
    assert_eq!(
        repaired_at(&cells, 2, "FileNotFoundError", message),
        "for f in os.listdir(folder):\n    show(open(os.path.join(folder, f)))"
    );
    let cells = ["f = open('a.txt')", "f.write('x')"];
    assert_eq!(
        repaired_first(&cells, "UnsupportedOperation", "not writable"),
        "f = open('a.txt', \"w\")"
    );
    let message = "[Errno 30] Read-only file system: '/kaggle/input/a/s.csv'";
    assert_eq!(
        repaired_first(
            &["df = load()", "df.to_csv('/kaggle/input/a/s.csv')"],
            "OSError",
            message
        ),
        "df.to_csv(\"/kaggle/working/s.csv\")"
    );
}

#[test]
fn data_of_language_libraries_is_downloaded() {
    let message = "\n***\n  Resource stopwords not found.\n  >>> import nltk\n  >>> nltk.download('stopwords')\n***";
    let code = repaired_first(
        &["x = 1", "w = stopwords.words('english')"],
        "LookupError",
        message,
    );
    assert_eq!(
        code,
        "import nltk\nnltk.download(\"stopwords\")\nw = stopwords.words('english')"
    );
    let message =
        "[E050] Can't find model 'en_core_web_sm'. It doesn't seem to be a Python package";
    assert_eq!(
        repaired_first(
            &["import spacy", "n = spacy.load('en_core_web_sm')"],
            "OSError",
            message
        ),
        "spacy.cli.download(\"en_core_web_sm\")\nn = spacy.load('en_core_web_sm')"
    );
}

#[test]
fn keys_are_looked_up_in_the_form_that_the_dict_has() {
    let dict = "codes = {\"usa\": 1, \"peru\": 2}";
    let line = "numbers = [codes[r] for r in rows]";
    let one = |dict: &str| repaired_first(&[dict, line], "KeyError", "'USA'");
    assert_eq!(one(dict), "numbers = [codes[r.lower()] for r in rows]");
    // Lower case would break another key.
    assert_eq!(one("codes = {\"usa\": 1, \"Peru\": 2}"), "");
}

#[test]
fn an_endless_recursion_gets_an_end() {
    let message = "maximum recursion depth exceeded";
    let one = |f: &str| repaired_at(&[&format!("{f}\nf(3)")], 2, "RecursionError", message);
    assert_eq!(
        one("def f(k):\n    return k * f(k - 1)"),
        "def f(k):\n    if k <= 1:\n        return 1\n    return k * f(k - 1)\nf(3)"
    );
    assert_eq!(
        one("def f(n):\n    return f(n - 1) + f(n - 2)"),
        "def f(n):\n    if n <= 1:\n        return n\n    return f(n - 1) + f(n - 2)\nf(3)"
    );
    assert_eq!(one("def f(n):\n    return n * f(n + 1)"), "");
}

#[test]
fn values_behind_a_percent_sign_stand_in_brackets() {
    let message = "not enough arguments for format string";
    let one = |line: &str| repaired_first(&[line], "TypeError", message);
    assert_eq!(
        one("msg = \"%s: %.2f\" % name, score"),
        "msg = \"%s: %.2f\" % (name, score)"
    );
    assert_eq!(
        one("print(\"%s %d\" % a, b + 1)"),
        "print(\"%s %d\" % (a, b + 1))"
    );
}

#[test]
fn a_sparse_matrix_says_its_rows() {
    let message = "sparse array length is ambiguous; use getnnz() or shape[0]";
    assert_eq!(
        repaired_first(&["n = len(X)"], "TypeError", message),
        "n = X.shape[0]"
    );
}

#[test]
fn functions_of_math_take_arrays_in_numpy() {
    let cells = [
        "import math\nimport numpy as np",
        "y = math.exp(-x) + math.atan(x)",
    ];
    let message = "only 0-dimensional arrays can be converted to Python scalars";
    assert_eq!(
        repaired_first(&cells, "TypeError", message),
        "y = np.exp(-x) + np.arctan(x)"
    );
    let cells = [cells[0], "y = float(x)"];
    assert!(!repaired_first(&cells, "TypeError", message).contains("np."));
}
