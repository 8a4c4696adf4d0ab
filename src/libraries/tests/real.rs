//! What the committed tables say of names that people know.

use nbmedic_libraries::{Kind, Table};

macro_rules! table {
    ($library:literal) => {
        Table::parse(include_str!(concat!("../tables/", $library, ".txt"))).expect($library)
    };
}

/// The last release that has a name and the first one that lacks it.
fn gone<'t>(table: &'t Table, path: &str) -> (&'t str, &'t str) {
    let name = table.find(path).unwrap_or_else(|| panic!("no {path}"));
    let gone = name.gone().unwrap_or_else(|| panic!("{path} is there"));
    assert!(gone.exact, "{path}: {gone:?}");
    (gone.last, gone.first_without)
}

fn gone_in<'t>(table: &'t Table, path: &str, version: &str) -> Option<&'t str> {
    let release = table.release(version).expect(version);
    let name = table.find(path).unwrap_or_else(|| panic!("no {path}"));
    name.gone_in(release).map(|g| g.first_without)
}

#[test]
fn numpy() {
    let np = table!("numpy");
    assert_eq!(gone(&np, "numpy.float"), ("1.23", "1.24"));
    assert_eq!(gone(&np, "numpy.Inf"), ("1.26", "2.0"));
    assert_eq!(gone(&np, "numpy.product"), ("1.26", "2.0"));
    // NumPy 2.0 has it again, as its own type.
    assert_eq!(gone_in(&np, "numpy.bool", "1.26.4"), Some("1.24"));
    assert_eq!(gone_in(&np, "numpy.bool", "2.0.1"), None);
    let new = np.newest();
    assert_eq!(np.closest("numpy", "zeros_lke", new), [("zeros_like", 1)]);
    assert_eq!(np.closest("numpy", "arrange", new), [("arange", 1)]);
    assert_eq!(np.closest("numpy.linalg", "normal", new), [("norm", 2)]);
    assert!(np
        .params("numpy.add", new)
        .is_some_and(|p| p[0].name == "x1"));
    assert!(np.moved("numpy", "trapz", new).is_empty());
    assert_eq!(
        np.find("numpy.ndarray.reshape").map(|n| n.kind()),
        Some(Kind::Function)
    );
}

#[test]
fn pandas() {
    let pd = table!("pandas");
    assert_eq!(gone(&pd, "pandas.DataFrame.append"), ("1.5", "2.0"));
    assert_eq!(gone(&pd, "pandas.Series.iteritems"), ("1.5", "2.0"));
    // Two releases more had an empty class of that name.
    assert_eq!(gone(&pd, "pandas.Panel"), ("1.1", "1.2"));
    let new = pd.newest();
    assert_eq!(pd.closest("pandas", "read_cvs", new), [("read_csv", 1)]);
    assert_eq!(
        pd.closest("pandas.DataFrame", "group_by", new),
        [("groupby", 1)]
    );
    let (_, gone) = pd
        .param("pandas.read_csv", "error_bad_lines")
        .expect("known");
    assert_eq!(gone.map(|g| g.first_without), Some("2.0"));
    let new_name = pd.renamed_param("pandas.DataFrame.to_csv", "line_terminator", new);
    let found = new_name.map(|r| (r.new, r.from, r.gone.map(|g| g.first_without)));
    assert_eq!(found, Some(("lineterminator", "1.5", Some("2.0"))));
    // A warning came long before: that is when the call began to fail.
    assert_eq!(
        pd.keyword_only_since("pandas.DataFrame.drop", "axis"),
        Some("2.0")
    );
    assert_eq!(pd.keyword("pandas.DataFrame.drop", 1, new), Some("axis"));
}

#[test]
fn scikit_learn() {
    let sk = table!("scikit-learn");
    assert_eq!(
        gone(&sk, "sklearn.metrics.plot_confusion_matrix"),
        ("1.1", "1.2")
    );
    let (_, gone) = sk
        .param("sklearn.preprocessing.OneHotEncoder", "sparse")
        .expect("known");
    assert_eq!(gone.map(|g| g.first_without), Some("1.4"));
    let new = sk.newest();
    let renamed = |path, old| sk.renamed_param(path, old, new).map(|r| (r.new, r.from));
    let encoder = renamed("sklearn.preprocessing.OneHotEncoder", "sparse");
    assert_eq!(encoder, Some(("sparse_output", "1.2")));
    let bagging = renamed("sklearn.ensemble.BaggingClassifier", "base_estimator");
    assert_eq!(bagging, Some(("estimator", "1.2")));
    assert_eq!(
        sk.moved("sklearn.cross_validation", "train_test_split", new),
        ["sklearn.model_selection.train_test_split"]
    );
    assert_eq!(
        sk.keyword_only_since("sklearn.svm.SVC", "kernel"),
        Some("1.0")
    );
    let svc = sk.members("sklearn.svm.SVC", new);
    assert!(
        svc.contains(&("fit", Kind::Function)) && svc.contains(&("get_params", Kind::Function))
    );
}

#[test]
fn matplotlib_and_seaborn() {
    let mpl = table!("matplotlib");
    // 3.9.0 removed it, 3.9.1 brought it back.
    assert_eq!(gone(&mpl, "matplotlib.cm.get_cmap"), ("3.10", "3.11"));
    let new = mpl.newest();
    assert_eq!(
        mpl.closest("matplotlib.pyplot", "subplot_adjust", new),
        [("subplots_adjust", 1)]
    );
    assert_eq!(
        mpl.closest("matplotlib.axes.Axes", "setxlabel", new),
        [("set_xlabel", 1)]
    );
    let sns = table!("seaborn");
    assert_eq!(
        sns.find("seaborn.histplot").and_then(|n| n.since()),
        Some("0.11")
    );
    assert_eq!(sns.find("seaborn.distplot").and_then(|n| n.until()), None);
    assert_eq!(
        sns.keyword_only_since("seaborn.scatterplot", "x"),
        Some("0.12")
    );
}

#[test]
fn torch_and_torchvision() {
    let torch = table!("torch");
    let new = torch.newest();
    assert_eq!(torch.closest("torch.nn", "linear", new), [("Linear", 1)]);
    assert_eq!(gone(&torch, "torch.rfft"), ("1.7", "1.8"));
    assert!(torch
        .find("torch.Tensor.view")
        .is_some_and(|n| n.is_in(new)));
    assert!(torch
        .moved("torch", "DataLoader", new)
        .contains(&"torch.utils.data.DataLoader".to_owned()));
    assert_eq!(torch.keyword("torch.nn.Linear", 2, new), Some("bias"));
    let vision = table!("torchvision");
    let make_grid = vision.renamed_param("torchvision.utils.make_grid", "range", vision.newest());
    assert_eq!(make_grid.map(|r| r.new), Some("value_range"));
}

#[test]
fn keras() {
    let keras = table!("keras");
    let new = keras.newest();
    assert_eq!(
        keras.moved("keras.layers.normalization", "BatchNormalization", new),
        ["keras.layers.BatchNormalization"]
    );
    let dense = keras.params("keras.layers.Dense", new).expect("known");
    assert_eq!(dense[0].name, "units");
    assert_eq!(
        keras.closest("keras.layers", "conv2d", new),
        [("Conv2D", 2)]
    );
}

#[test]
fn transformers_and_tensorflow() {
    let hf = table!("transformers");
    let new = hf.newest();
    let renamed = |path, old| {
        let found = hf.renamed_param(path, old, new);
        found.map(|r| r.new.to_owned())
    };
    let arguments = renamed("transformers.TrainingArguments", "evaluation_strategy");
    assert_eq!(arguments.as_deref(), Some("eval_strategy"));
    let (_, gone) = hf
        .param("transformers.Trainer", "tokenizer")
        .expect("known");
    assert_eq!(gone.map(|g| g.first_without), Some("5.0"));
    assert_eq!(
        hf.closest("transformers", "AutoTokeniser", new),
        [("AutoTokenizer", 1)]
    );
    let tf = table!("tensorflow");
    let new = tf.newest();
    assert_eq!(
        tf.closest("tensorflow.math", "reduce_maen", new),
        [("reduce_mean", 1)]
    );
    assert!(tf.find("tensorflow.contrib").is_none_or(|n| !n.is_in(new)));
    assert!(tf
        .find("tensorflow.keras.layers.Dense")
        .is_some_and(|n| n.is_in(new)));
}
