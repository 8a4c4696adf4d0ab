use crate::tests::{cures_of, error_at, repaired_at, repaired_first};
use nbmedic_facts::Applicability;

const NP: &str = "import numpy as np";

fn attribute(setup: &str, line: &str, module: &str, name: &str) -> String {
    let message = format!("module '{module}' has no attribute '{name}'");
    repaired_first(&[setup, line], "AttributeError", &message)
}

#[test]
fn a_modules_name_is_the_closest_or_where_it_is_now() {
    assert_eq!(
        attribute(NP, "x = np.lnspace(0, 1, 5)", "numpy", "lnspace"),
        "x = np.linspace(0, 1, 5)"
    );
    let pd = "import pandas as pd";
    assert_eq!(
        attribute(pd, "df = pd.read_cvs('a.csv')", "pandas", "read_cvs"),
        "df = pd.read_csv('a.csv')"
    );
    let plt = "import matplotlib.pyplot as plt";
    assert_eq!(
        attribute(plt, "plt.lable('x')", "matplotlib.pyplot", "lable"),
        ""
    );
    // No name is close.
    assert_eq!(attribute(NP, "np.frobnicate(2)", "numpy", "frobnicate"), "");
}

#[test]
fn a_table_of_polars_has_the_members_of_polars() {
    let setup = "import pandas as pd\nimport polars as pl\ndf = pl.DataFrame({'a': ['x']})";
    let fixed = |line: &str, class: &str, name: &str| {
        let message = format!("'{class}' object has no attribute '{name}'");
        repaired_first(&[setup, line], "AttributeError", &message)
    };
    let line = "t = df.groupby('a').agg(pl.len())";
    assert_eq!(
        fixed(line, "DataFrame", "groupby"),
        "t = df.group_by('a').agg(pl.len())"
    );
    let line = "t = df.select(pl.col('a').str.lower())";
    assert_eq!(
        fixed(line, "ExprStringNameSpace", "lower"),
        "t = df.select(pl.col('a').str.to_lowercase())"
    );
    let message = "DataFrame.drop() got an unexpected keyword argument 'columns'";
    for (given, after) in [("['a', 'b']", "'a', 'b'"), ("'a'", "'a'"), ("gone", "gone")] {
        let line = format!("t = df.drop(columns={given})");
        assert_eq!(
            repaired_first(&[setup, &line], "TypeError", message),
            format!("t = df.drop({after})")
        );
    }
}

#[test]
fn a_name_that_numpy_says_how_to_replace() {
    let message = "`np.float_` was removed in the NumPy 2.0 release. Use `np.float64` instead.";
    let line = "a = np.zeros(3, dtype=np.float_)";
    assert_eq!(
        repaired_first(&[NP, line], "AttributeError", message),
        "a = np.zeros(3, dtype=np.float64)"
    );
    let message =
        "`np.sctypes` was removed in the NumPy 2.0 release. Access dtypes explicitly instead.";
    assert_eq!(
        repaired_first(&[NP, "a = np.sctypes"], "AttributeError", message),
        ""
    );
}

#[test]
fn an_import_finds_the_name_in_another_module() {
    let import = |line: &str, name: &str, module: &str| {
        let message = format!("cannot import name '{name}' from '{module}' (/x/__init__.py)");
        repaired_first(&[line], "ImportError", &message)
    };
    assert_eq!(
        import(
            "from sklearn.metrics import train_test_split",
            "train_test_split",
            "sklearn.metrics"
        ),
        "from sklearn.model_selection import train_test_split"
    );
    // What else of the line is not there either moves with it.
    assert_eq!(
        import(
            "from sklearn.ensemble import Lasso, BaggingRegressor, LassoCV, KFold",
            "Lasso",
            "sklearn.ensemble"
        ),
        "from sklearn.ensemble import BaggingRegressor\nfrom sklearn.linear_model import Lasso, LassoCV\n\
         from sklearn.model_selection import KFold"
    );
    assert_eq!(
        import(
            "from sklearn.metrics import accuracy_scores, f1_score\nprint(accuracy_scores)",
            "accuracy_scores",
            "sklearn.metrics"
        ),
        "from sklearn.metrics import accuracy_score, f1_score\nprint(accuracy_score)"
    );
    assert_eq!(
        import(
            "from sklearn.metrics import quux",
            "quux",
            "sklearn.metrics"
        ),
        ""
    );
}

#[test]
fn a_module_of_a_library_is_misspelt() {
    let line = "from sklearn.preprocesing import StandardScaler, OneHotEncoder";
    assert_eq!(
        repaired_first(
            &[line],
            "ModuleNotFoundError",
            "No module named 'sklearn.preprocesing'"
        ),
        "from sklearn.preprocessing import StandardScaler, OneHotEncoder"
    );
}

#[test]
fn a_class_that_no_cell_imports() {
    let cells = ["from sklearn.svm import SVC", "q = QuantileTransformer()"];
    assert_eq!(
        repaired_first(
            &cells,
            "NameError",
            "name 'QuantileTransformer' is not defined"
        ),
        "from sklearn.preprocessing import QuantileTransformer\nq = QuantileTransformer()"
    );
    let cells = ["from sklearn.svm import SVC", "q = total"];
    assert_eq!(
        repaired_first(&cells, "NameError", "name 'total' is not defined"),
        ""
    );
}

#[test]
fn a_member_of_a_class_is_the_closest() {
    let cells = [
        "import pandas as pd\ndf = pd.read_csv('a.csv')",
        "df.groupbyy('a').sum()",
    ];
    assert_eq!(
        repaired_first(
            &cells,
            "AttributeError",
            "'DataFrame' object has no attribute 'groupbyy'"
        ),
        "df.groupby('a').sum()"
    );
    assert_eq!(
        repaired_first(
            &["a = []", "a.apend(3)"],
            "AttributeError",
            "'list' object has no attribute 'apend'"
        ),
        "a.append(3)"
    );
    let own = ["class Series:\n    pass\ns = Series()", "s.vlaues"];
    assert_eq!(
        repaired_first(
            &own,
            "AttributeError",
            "'Series' object has no attribute 'vlaues'"
        ),
        ""
    );
}

#[test]
fn an_argument_that_another_release_takes() {
    let keyword = |setup: &str, line: &str, function: &str, argument: &str| {
        let message = format!("{function}() got an unexpected keyword argument '{argument}'");
        repaired_first(&[setup, line], "TypeError", &message)
    };
    let sk = "from sklearn.cluster import KMeans\nfrom sklearn.preprocessing import OneHotEncoder, MaxAbsScaler";
    // Removed without a replacement.
    assert_eq!(
        keyword(
            sk,
            "m = KMeans(n_clusters=5, n_jobs=4)",
            "KMeans.__init__",
            "n_jobs"
        ),
        "m = KMeans(n_clusters=5)"
    );
    // The installed release is older: it has the old name.
    assert_eq!(
        keyword(
            sk,
            "e = OneHotEncoder(sparse_output=False)",
            "__init__",
            "sparse_output"
        ),
        "e = OneHotEncoder(sparse=False)"
    );
    let plt = "import matplotlib.pyplot as plt";
    let message = "Line2D.set() got an unexpected keyword argument 'linewidht'";
    assert_eq!(
        repaired_first(
            &[plt, "plt.plot(a, linewidht=2)"],
            "AttributeError",
            message
        ),
        "plt.plot(a, linewidth=2)"
    );
    let message = "Line2D.set() got an unexpected keyword argument 'labels'";
    assert_eq!(
        repaired_first(&[plt, "plt.plot(a, labels='b')"], "AttributeError", message),
        "plt.plot(a, label='b')"
    );
    let message = "Line2D.set() got an unexpected keyword argument 'opacity'";
    assert_eq!(
        repaired_first(&[plt, "plt.plot(a, opacity=.5)"], "AttributeError", message),
        "plt.plot(a, alpha=.5)"
    );
    let line = "s = MaxAbsScaler(feature_range=(0, 1))";
    let message = "MaxAbsScaler.__init__() got an unexpected keyword argument 'feature_range'";
    let cures = cures_of(
        &[sk, line],
        &crate::tests::ipython("TypeError", &[(2, 1, line)], message),
    );
    assert_eq!(cures[0].applies, Applicability::Maybe);
    assert_eq!(cures[0].code, "s = MaxAbsScaler()");
    assert!(cures[0].why.contains("`copy`"), "{}", cures[0].why);
}

#[test]
fn positions_get_the_names_of_the_table() {
    let cells = [
        "from sklearn.feature_selection import RFECV",
        "print(1)\nr = RFECV(model, 2, 3, 5)",
    ];
    let message = "RFECV.__init__() takes 2 positional arguments but 5 were given";
    assert_eq!(
        repaired_at(&cells, 2, "TypeError", message),
        "print(1)\nr = RFECV(model, step=2, min_features_to_select=3, cv=5)"
    );
}

#[test]
fn a_name_beside_those_that_are_imported_is_imported_too() {
    let cells = ["from scipy.fft import rfft", "f = rfftfreq(8)"];
    let e = crate::tests::ipython(
        "NameError",
        &[(2, 1, cells[1])],
        "name 'rfftfreq' is not defined",
    );
    assert_eq!(
        crate::tests::repaired(&cells, &e),
        "from scipy.fft import rfftfreq\nf = rfftfreq(8)"
    );
}

#[test]
fn a_member_of_an_array_is_the_closest() {
    for (line, name, right) in [
        ("b = a.shapes", "shapes", "b = a.shape"),
        ("b = a.rounds(2)", "rounds", "b = a.round(2)"),
    ] {
        let message = format!("'numpy.ndarray' object has no attribute '{name}'");
        let cells = [NP, "a = np.ones((2, 2))", line];
        let e = crate::tests::ipython("AttributeError", &[(3, 1, line)], &message);
        assert_eq!(crate::tests::repaired(&cells, &e), right);
    }
}

#[test]
fn a_removed_name_of_somebody_elses_code_gets_the_release_before() {
    let first = |class: &str, message: &str| {
        let cells = ["run()"];
        let cures = cures_of(&cells, &error_at(&cells, 1, class, message));
        let found = cures.iter().find(|c| c.id == "last-release-with-it");
        found.map(|c| c.code.clone())
    };
    let install = |pin: &str| Some(format!("%pip install \"{pin}\""));
    let numpy = "module 'numpy' has no attribute 'in1d'";
    assert_eq!(first("AttributeError", numpy), install("numpy<2.4"));
    let vision = "cannot import name 'AutoModelForVision2Seq' from 'transformers' (/v/x.py)";
    assert_eq!(first("ImportError", vision), install("transformers<5.0"));
    let classes = "LogisticRegression.__init__() got an unexpected keyword argument 'multi_class'";
    assert_eq!(first("TypeError", classes), install("scikit-learn<1.8"));
    let trapezoid = "module 'numpy' has no attribute 'trapz'";
    assert_eq!(first("AttributeError", trapezoid), install("numpy<2.4"));
    // Too old for a Python of today, never there, and still there.
    let alias = "module 'numpy' has no attribute 'alen'";
    assert_eq!(first("AttributeError", alias), None);
    let typo = "LogisticRegression.__init__() got an unexpected keyword argument 'multiclass'";
    assert_eq!(first("TypeError", typo), None);
    let kept = "module 'numpy' has no attribute 'isin'";
    assert_eq!(first("AttributeError", kept), None);
}
