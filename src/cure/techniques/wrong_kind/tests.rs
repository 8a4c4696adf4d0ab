use crate::tests::{cures_of, ipython, repaired};

fn fixed(cells: &[&str], message: &str) -> String {
    let count = i64::try_from(cells.len()).unwrap();
    let code = cells.last().and_then(|c| c.lines().next()).unwrap();
    repaired(
        cells,
        &ipython("AttributeError", &[(count, 1, code)], message),
    )
}

#[test]
fn arrays_lists_and_columns_are_told_apart() {
    let np = "import numpy as np\nimport pandas as pd";
    for (code, message, right) in [
        (
            "n = v.shape[0]",
            "'list' object has no attribute 'shape'",
            "n = np.array(v).shape[0]",
        ),
        (
            "y = X.iloc[0]",
            "'numpy.ndarray' object has no attribute 'iloc'",
            "y = X[0]",
        ),
        (
            "y = X.values.T",
            "'numpy.ndarray' object has no attribute 'values'",
            "y = X.T",
        ),
        (
            "y = X.to_numpy()",
            "'numpy.ndarray' object has no attribute 'to_numpy'",
            "y = X",
        ),
        (
            "y.reshape(-1, 1)",
            "'Series' object has no attribute 'reshape'",
            "y.values.reshape(-1, 1)",
        ),
        (
            "a = df['n'].lower()",
            "'Series' object has no attribute 'lower'",
            "a = df['n'].str.lower()",
        ),
        (
            "df['d'].year",
            "'Series' object has no attribute 'year'",
            "df['d'].dt.year",
        ),
        (
            "df[['a']].unique()",
            "'DataFrame' object has no attribute 'unique'",
            "df['a'].unique()",
        ),
        (
            "df['d'].dt.year",
            "Can only use .dt accessor with datetimelike values",
            "pd.to_datetime(df['d']).dt.year",
        ),
        (
            "y.value_counts()",
            "'numpy.ndarray' object has no attribute 'value_counts'",
            "pd.Series(y).value_counts()",
        ),
        (
            "a = cfg.rate",
            "'dict' object has no attribute 'rate'",
            "a = cfg['rate']",
        ),
        (
            "if d.has_key('a'):\n    pass",
            "'dict' object has no attribute 'has_key'",
            "if ('a' in d):\n    pass",
        ),
        (
            "a = loss.item()",
            "'float' object has no attribute 'item'",
            "a = loss",
        ),
        (
            "s = df.mean.round(2)",
            "'method' object has no attribute 'round'",
            "s = df.mean().round(2)",
        ),
    ] {
        assert_eq!(fixed(&[np, code], message), right);
    }
    assert_eq!(
        fixed(&["n = v.shape"], "'list' object has no attribute 'shape'"),
        "import numpy as np\nn = np.array(v).shape"
    );
}

#[test]
fn a_scaled_table_stays_a_table() {
    let cells = [
        "import pandas as pd\nX = pd.read_csv('a')",
        "X = sc.fit_transform(X)",
        "X.head()",
    ];
    assert_eq!(
        fixed(&cells, "'numpy.ndarray' object has no attribute 'head'"),
        "X = pd.DataFrame(sc.fit_transform(X), columns=X.columns, index=X.index)"
    );
    let cells = [
        "t = sc.fit_transform(t.values.reshape(-1, 1))",
        "f(t['power'])",
    ];
    let message = "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices";
    let e = ipython("IndexError", &[(2, 1, cells[1])], message);
    assert_eq!(repaired(&cells, &e), "f(t[:, 0])");
}

#[test]
fn dates_and_modules() {
    for (import, code, message, right) in [
        (
            "import datetime",
            "t = datetime.now()",
            "module 'datetime' has no attribute 'now'",
            "t = datetime.datetime.now()",
        ),
        (
            "from datetime import datetime",
            "t = datetime.datetime.now()",
            "type object 'datetime.datetime' has no attribute 'datetime'",
            "t = datetime.now()",
        ),
        (
            "from datetime import datetime",
            "t = datetime.timedelta(1)",
            "type object 'datetime.datetime' has no attribute 'timedelta'",
            "from datetime import timedelta\nt = timedelta(1)",
        ),
        (
            "from time import time",
            "t = time.time()",
            "'builtin_function_or_method' object has no attribute 'time'",
            "t = time()",
        ),
        (
            "import matplotlib as plt",
            "plt.plot(x)",
            "module 'matplotlib' has no attribute 'plot'",
            "import matplotlib.pyplot as plt",
        ),
    ] {
        assert_eq!(fixed(&[import, code], message), right);
    }
}

#[test]
fn members_of_own_classes() {
    let class = "class Net:\n    def _init_(self):\n        self.size = 3";
    assert!(fixed(
        &[class, "Net().size"],
        "'Net' object has no attribute 'size'"
    )
    .contains("def __init__(self)"));
    let class = "class Net:\n    def forward(self, x):\n        return x";
    assert_eq!(
        fixed(
            &[class, "n = Net()", "n.foward(1)"],
            "'Net' object has no attribute 'foward'"
        ),
        "n.forward(1)"
    );
}

#[test]
fn missing_texts_become_empty() {
    let cells = [
        "df = load()",
        "df['t'] = df['t'].apply(lambda x: x.lower())",
    ];
    let e = ipython(
        "AttributeError",
        &[(2, 1, cells[1]), (2, 1, cells[1])],
        "'float' object has no attribute 'lower'",
    );
    assert_eq!(
        repaired(&cells, &e),
        "df['t'] = df['t'].fillna('').apply(lambda x: x.lower())"
    );
    let line = "df['f'] = df['t'].apply(lambda x: x.split()[0])";
    let e = ipython(
        "AttributeError",
        &[(2, 1, line), (2, 1, line)],
        "'float' object has no attribute 'split'",
    );
    assert_eq!(
        repaired(&["df = load()", line], &e),
        "df['f'] = df['t'].apply(lambda x: x.split()[0] if isinstance(x, str) else x)"
    );
}

#[test]
fn a_model_that_was_replaced_is_fitted_again() {
    let cells = [
        "model = RandomForestClassifier(n_estimators=9)\nmodel.fit(X, y)",
        "model = SVC()\nmodel.fit(X, y)",
        "i = model.feature_importances_",
    ];
    let e = ipython(
        "AttributeError",
        &[(3, 1, cells[2])],
        "'SVC' object has no attribute 'feature_importances_'",
    );
    let cures = cures_of(&cells, &e);
    assert_eq!(
        cures[0].code,
        "model = RandomForestClassifier(n_estimators=9)\nmodel.fit(X, y)\ni = model.feature_importances_"
    );
}

#[test]
fn what_an_array_has_no_column_for_stays_beside_it() {
    let cells = [
        "import numpy as np",
        "x = np.zeros((3, 2))\nx['id'] = t['id']",
    ];
    let message = "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices";
    let e = ipython("IndexError", &[(2, 2, "x['id'] = t['id']")], message);
    assert_eq!(repaired(&cells, &e), "x = np.zeros((3, 2))\nx_id = t['id']");
}
