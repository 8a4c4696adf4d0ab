//! Names that libraries removed or moved, in short notebooks.

use crate::tests::{ipython, repaired};

fn cured(cells: &[&str], class: &str, line: u32, message: &str) -> String {
    let count = i64::try_from(cells.len()).unwrap();
    let code = cells[cells.len() - 1]
        .lines()
        .nth(line as usize - 1)
        .unwrap();
    repaired(cells, &ipython(class, &[(count, line, code)], message))
}

#[test]
fn a_name_of_a_module() {
    let cells = [
        "import numpy as np",
        "x = a.astype(np.float)\ny = np.zeros(3, dtype=np.float)",
    ];
    let said = "module 'numpy' has no attribute 'float'.\n`np.float` was a deprecated alias for the builtin `float`.";
    assert_eq!(
        cured(&cells, "AttributeError", 1, said),
        "x = a.astype(float)\ny = np.zeros(3, dtype=float)"
    );
    let cells = ["import numpy", "m = numpy.Inf"];
    let said = "`np.Inf` was removed in the NumPy 2.0 release. Use `np.inf` instead.";
    let text = cured(
        &cells,
        "AttributeError",
        1,
        &format!("module 'numpy' has no attribute 'Inf'. {said}"),
    );
    assert_eq!(text, "m = numpy.inf");
    let cells = ["import time", "start = time.clock()"];
    let text = cured(
        &cells,
        "AttributeError",
        1,
        "module 'time' has no attribute 'clock'",
    );
    assert_eq!(text, "start = time.perf_counter()");
    let cells = ["import tensorflow as tf", "y = tf.to_float(a + b)"];
    let text = cured(
        &cells,
        "AttributeError",
        1,
        "module 'tensorflow' has no attribute 'to_float'",
    );
    assert_eq!(text, "y = tf.cast(a + b, tf.float32)");
    let cells = ["import fractions", "print(fractions.gcd(4, 6))"];
    let text = cured(
        &cells,
        "AttributeError",
        1,
        "module 'fractions' has no attribute 'gcd'",
    );
    assert_eq!(text, "import math\nprint(math.gcd(4, 6))");
}

#[test]
fn a_member_of_an_object() {
    for (code, class, name, text) in [
        (
            "m = df.as_matrix()",
            "DataFrame",
            "as_matrix",
            "m = df.to_numpy()",
        ),
        ("a = df.ix[0, 'b']", "DataFrame", "ix", "a = df.loc[0, 'b']"),
        (
            "b = df.sort('x', ascending=False)",
            "DataFrame",
            "sort",
            "b = df.sort_values('x', ascending=False)",
        ),
        (
            "for k, v in df.iteritems():\n    print(k)",
            "DataFrame",
            "iteritems",
            "for k, v in df.items():\n    print(k)",
        ),
        (
            "for k in d.iteritems():\n    print(k)",
            "dict",
            "iteritems",
            "for k in d.items():\n    print(k)",
        ),
    ] {
        let cells = ["import pandas as pd", code];
        let said = format!("'{class}' object has no attribute '{name}'");
        assert_eq!(cured(&cells, "AttributeError", 1, &said), text);
    }
    // Arguments without a place in the new form aren't lost.
    let cells = ["import pandas as pd", "m = df.as_matrix(['a'])"];
    let said = "'DataFrame' object has no attribute 'as_matrix'";
    assert_eq!(cured(&cells, "AttributeError", 1, said), "");
}

#[test]
fn an_import() {
    let cells = ["from sklearn.cross_validation import train_test_split, KFold\nx = 1"];
    let said = "No module named 'sklearn.cross_validation'";
    assert_eq!(
        cured(&cells, "ModuleNotFoundError", 1, said),
        "from sklearn.model_selection import train_test_split, KFold\nx = 1"
    );
    let cells = ["from collections import Mapping, deque\nisinstance(x, Mapping)"];
    let said = "cannot import name 'Mapping' from 'collections' (/usr/lib/python3.11/collections/__init__.py)";
    assert_eq!(
        cured(&cells, "ImportError", 1, said),
        "from collections import deque\nfrom collections.abc import Mapping\nisinstance(x, Mapping)"
    );
    let cells =
        ["from sklearn.metrics import jaccard_similarity_score\njaccard_similarity_score(a, b)"];
    let said = "cannot import name 'jaccard_similarity_score' from 'sklearn.metrics' (/x/sklearn/metrics/__init__.py)";
    assert_eq!(
        cured(&cells, "ImportError", 1, said),
        "from sklearn.metrics import jaccard_score as jaccard_similarity_score\njaccard_similarity_score(a, b)"
    );
}

#[test]
fn a_function_instead_of_a_method() {
    let cells = [
        "from tensorflow.keras.models import Sequential\nmodel = Sequential()",
        "model.load('best.keras')",
    ];
    let said = "'Sequential' object has no attribute 'load'";
    assert_eq!(
        cured(&cells, "AttributeError", 1, said),
        "from tensorflow.keras.models import load_model\nmodel = load_model('best.keras')"
    );
}

#[test]
fn a_moved_function_with_other_arguments_is_left_to_a_person() {
    let said = "module 'torch' has no attribute 'rfft'";
    let cells = ["import torch", "spectrum = torch.rfft(signal)"];
    let text = cured(&cells, "AttributeError", 1, said);
    assert_eq!(text, "spectrum = torch.fft.rfft(signal)");
    // The second argument was the number of dimensions; now it is a length.
    let cells = ["import torch", "spectrum = torch.rfft(signal, 1)"];
    assert_eq!(cured(&cells, "AttributeError", 1, said), "");
}

#[test]
fn the_first_tensorflow_is_imported_as_a_whole() {
    let cells = ["import tensorflow as tf", "x = tf.placeholder(tf.float32)"];
    let said = "module 'tensorflow' has no attribute 'placeholder'";
    let error = ipython("AttributeError", &[(2, 1, cells[1])], said);
    let cures = crate::tests::cures_of(&cells, &error);
    assert_eq!(cures[0].edits[0].cell, 1);
    assert_eq!(
        cures[0].code,
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()"
    );
}

#[test]
fn a_function_that_became_a_method_keeps_its_name() {
    let import = |line: &str, name: &str, module: &str| {
        let message = format!("cannot import name '{name}' from '{module}' (/x/__init__.py)");
        crate::tests::repaired_first(&[line], "ImportError", &message)
    };
    assert_eq!(
        import(
            "from sklearn.metrics import f1_score, plot_roc_curve",
            "plot_roc_curve",
            "sklearn.metrics"
        ),
        "from sklearn.metrics import f1_score, RocCurveDisplay\nplot_roc_curve = RocCurveDisplay.from_estimator"
    );
    assert_eq!(
        import(
            "from sklearn.externals import joblib",
            "joblib",
            "sklearn.externals"
        ),
        "import joblib"
    );
    let message = "module 'PIL.Image' has no attribute 'ANTIALIAS'";
    let cells = [
        "from PIL import Image",
        "m = m.resize((9, 9), Image.ANTIALIAS)",
    ];
    assert_eq!(
        crate::tests::repaired_first(&cells, "AttributeError", message),
        "m = m.resize((9, 9), Image.LANCZOS)"
    );
}
