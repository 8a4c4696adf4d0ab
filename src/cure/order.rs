//! The order of parameters that can no longer be passed by position.

/// The parameters of functions whose arguments became keyword-only, in their original order.
/// Methods are listed without `self`.
const ORDER: &[(&str, &[&str])] = &[
    // seaborn
    ("barplot", XY),
    ("boxenplot", XY),
    ("boxplot", XY),
    ("catplot", XY),
    ("countplot", XY),
    ("factorplot", XY),
    ("jointplot", &["x", "y", "data"]),
    ("kdeplot", &["x", "y"]),
    ("lineplot", XY),
    ("lmplot", &["x", "y", "data"]),
    ("pointplot", XY),
    ("regplot", &["x", "y", "data"]),
    ("relplot", XY),
    ("residplot", &["x", "y", "data"]),
    ("scatterplot", XY),
    ("stripplot", XY),
    ("swarmplot", XY),
    ("violinplot", XY),
    // pandas
    ("any", &["axis"]),
    ("all", &["axis"]),
    ("bfill", &["axis"]),
    ("drop", &["labels", "axis"]),
    ("drop_duplicates", &["subset", "keep"]),
    ("dropna", &["axis", "how", "thresh", "subset"]),
    ("fillna", &["value", "method", "axis"]),
    ("groupby", &["by", "axis"]),
    ("interpolate", &["method", "axis"]),
    ("pivot", &["index", "columns", "values"]),
    ("read_csv", &["filepath_or_buffer", "sep"]),
    ("read_excel", &["io", "sheet_name"]),
    ("replace", &["to_replace", "value"]),
    ("reset_index", &["level", "drop"]),
    ("set_axis", &["labels", "axis"]),
    ("set_index", &["keys", "drop"]),
    ("sort_index", &["axis"]),
    ("sort_values", &["by", "axis", "ascending"]),
    ("split", &["pat", "n", "expand"]),
    ("to_csv", &["path_or_buf", "sep"]),
    ("to_excel", &["excel_writer", "sheet_name"]),
    // scikit-learn
    ("compute_class_weight", &["class_weight", "classes", "y"]),
    (
        "cross_val_score",
        &["estimator", "X", "y", "groups", "scoring", "cv"],
    ),
    (
        "DecisionTreeClassifier",
        &["criterion", "splitter", "max_depth"],
    ),
    (
        "DecisionTreeRegressor",
        &["criterion", "splitter", "max_depth"],
    ),
    ("GridSearchCV", &["estimator", "param_grid", "scoring"]),
    ("KFold", &["n_splits", "shuffle", "random_state"]),
    ("KMeans", &["n_clusters", "init", "n_init"]),
    ("KNeighborsClassifier", &["n_neighbors", "weights"]),
    ("KNeighborsRegressor", &["n_neighbors", "weights"]),
    ("Lasso", &["alpha", "fit_intercept"]),
    ("LinearRegression", &["fit_intercept"]),
    ("LogisticRegression", &["penalty", "C"]),
    ("MinMaxScaler", &["feature_range", "copy"]),
    ("OneHotEncoder", &["categories"]),
    ("PCA", &["n_components", "copy", "whiten"]),
    (
        "PolynomialFeatures",
        &["degree", "interaction_only", "include_bias"],
    ),
    (
        "RandomForestClassifier",
        &["n_estimators", "criterion", "max_depth"],
    ),
    (
        "RandomForestRegressor",
        &["n_estimators", "criterion", "max_depth"],
    ),
    ("Ridge", &["alpha", "fit_intercept"]),
    ("SimpleImputer", &["missing_values", "strategy"]),
    ("StandardScaler", &["copy"]),
    ("StratifiedKFold", &["n_splits", "shuffle", "random_state"]),
    ("SVC", &["C", "kernel", "degree", "gamma"]),
    ("SVR", &["kernel", "degree", "gamma"]),
    ("confusion_matrix", &["y_true", "y_pred", "labels"]),
    (
        "classification_report",
        &["y_true", "y_pred", "labels", "target_names"],
    ),
    (
        "f1_score",
        &["y_true", "y_pred", "labels", "pos_label", "average"],
    ),
    (
        "precision_score",
        &["y_true", "y_pred", "labels", "pos_label", "average"],
    ),
    (
        "recall_score",
        &["y_true", "y_pred", "labels", "pos_label", "average"],
    ),
    // librosa
    ("amplitude_to_db", &["S"]),
    ("chroma_stft", SOUND),
    ("melspectrogram", SOUND),
    ("mfcc", SOUND),
    ("power_to_db", &["S"]),
    ("resample", &["y", "orig_sr", "target_sr"]),
    ("rms", &["y"]),
    ("spectral_centroid", SOUND),
    ("spectral_rolloff", SOUND),
    ("time_stretch", &["y", "rate"]),
    ("pitch_shift", &["y", "sr", "n_steps"]),
    ("zero_crossing_rate", &["y"]),
];

const XY: &[&str] = &["x", "y", "hue", "data"];
const SOUND: &[&str] = &["y", "sr"];

/// seaborn functions whose first argument has been `data` since 0.12.
pub fn is_plot(function: &str) -> bool {
    ORDER
        .iter()
        .any(|(f, order)| *f == function && order.first() == Some(&"x"))
}

/// A function's parameters in their original order. None if unknown.
pub fn order(function: &str) -> Option<&'static [&'static str]> {
    ORDER
        .iter()
        .find(|(f, _)| *f == function)
        .map(|(_, order)| *order)
}
