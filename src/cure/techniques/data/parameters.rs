//! The parameters of functions that notebooks call most, for misspelt ones.

/// Functions with the same parameters, and these.
type Parameters = (&'static [&'static str], &'static [&'static str]);

/// By function. Not all of their parameters: those that people write.
#[rustfmt::skip] // a function's in one line
pub(super) const KNOWN: &[Parameters] = &[
    (&["sorted", "sort"], &["key", "reverse"]),
    (&["print"], &["sep", "end", "file", "flush"]),
    (&["open"], &["mode", "buffering", "encoding", "errors", "newline", "closefd", "opener"]),
    (&["max", "min"], &["key", "default"]),
    (&["enumerate", "sum"], &["start"]),
    (&["round"], &["number", "ndigits"]),
    (&["split", "rsplit"], &["sep", "maxsplit"]),
    (&["dump", "dumps"], &["indent", "sort_keys", "ensure_ascii", "separators", "default", "skipkeys", "allow_nan", "cls"]),
    (&["read_csv", "read_table"], &["sep", "delimiter", "header", "names", "index_col", "usecols", "dtype", "engine", "skiprows", "nrows", "na_values", "parse_dates", "chunksize", "encoding", "low_memory", "on_bad_lines"]),
    (&["to_csv"], &["sep", "index", "header", "columns", "encoding", "mode", "index_label", "lineterminator"]),
    (&["read_excel"], &["sheet_name", "header", "index_col", "usecols", "skiprows", "nrows", "engine"]),
    (&["drop"], &["labels", "axis", "index", "columns", "level", "inplace", "errors"]),
    (&["dropna"], &["axis", "how", "thresh", "subset", "inplace", "ignore_index"]),
    (&["fillna"], &["value", "axis", "inplace", "limit"]),
    (&["sort_values"], &["by", "axis", "ascending", "inplace", "kind", "na_position", "ignore_index", "key"]),
    (&["groupby"], &["by", "axis", "level", "as_index", "sort", "group_keys", "observed", "dropna"]),
    (&["merge"], &["left", "right", "how", "on", "left_on", "right_on", "left_index", "right_index", "suffixes", "indicator"]),
    (&["concat"], &["objs", "axis", "join", "ignore_index", "keys", "sort"]),
    (&["get_dummies"], &["data", "prefix", "prefix_sep", "dummy_na", "columns", "sparse", "drop_first", "dtype"]),
    (&["value_counts"], &["normalize", "sort", "ascending", "bins", "dropna"]),
    (&["pivot_table"], &["data", "values", "index", "columns", "aggfunc", "fill_value", "margins", "dropna"]),
    (&["rename"], &["index", "columns", "axis", "inplace", "mapper", "errors"]),
    (&["to_datetime"], &["errors", "dayfirst", "yearfirst", "utc", "format", "unit", "origin"]),
    (&["train_test_split"], &["test_size", "train_size", "random_state", "shuffle", "stratify"]),
    (&["subplots"], &["nrows", "ncols", "sharex", "sharey", "squeeze", "figsize", "dpi", "gridspec_kw", "subplot_kw", "constrained_layout"]),
    (&["figure"], &["num", "figsize", "dpi", "facecolor", "edgecolor", "layout"]),
    (&["heatmap"], &["vmin", "vmax", "cmap", "center", "annot", "fmt", "annot_kws", "linewidths", "linecolor", "cbar", "square", "xticklabels", "yticklabels", "mask", "ax"]),
    (&["GridSearchCV"], &["estimator", "param_grid", "scoring", "n_jobs", "refit", "cv", "verbose"]),
    (&["RandomForestClassifier", "RandomForestRegressor"], &["n_estimators", "criterion", "max_depth", "min_samples_split", "min_samples_leaf", "max_features", "bootstrap", "oob_score", "n_jobs", "random_state", "verbose", "class_weight"]),
    (&["LogisticRegression"], &["penalty", "C", "solver", "max_iter", "class_weight", "random_state", "tol", "n_jobs", "l1_ratio"]),
    (&["KNeighborsClassifier", "KNeighborsRegressor"], &["n_neighbors", "weights", "algorithm", "leaf_size", "p", "metric", "n_jobs"]),
    (&["KMeans"], &["n_clusters", "init", "n_init", "max_iter", "tol", "random_state", "algorithm"]),
    (&["SVC", "SVR"], &["C", "kernel", "degree", "gamma", "coef0", "probability", "class_weight", "random_state", "max_iter", "epsilon"]),
    (&["DecisionTreeClassifier", "DecisionTreeRegressor"], &["criterion", "splitter", "max_depth", "min_samples_split", "min_samples_leaf", "max_features", "random_state", "class_weight"]),
    (&["TfidfVectorizer", "CountVectorizer"], &["lowercase", "preprocessor", "tokenizer", "stop_words", "ngram_range", "analyzer", "max_df", "min_df", "max_features", "vocabulary", "binary"]),
    (&["OneHotEncoder"], &["categories", "drop", "sparse_output", "dtype", "handle_unknown"]),
    (&["SimpleImputer"], &["missing_values", "strategy", "fill_value", "copy", "add_indicator"]),
    (&["hist"], &["bins", "range", "density", "weights", "cumulative", "bottom", "histtype", "align", "orientation", "log", "color", "label", "stacked", "alpha"]),
    (&["scatter"], &["s", "c", "marker", "cmap", "norm", "vmin", "vmax", "alpha", "linewidths", "edgecolors", "color", "label"]),
    (&["legend"], &["loc", "labels", "handles", "title", "fontsize", "bbox_to_anchor", "ncol", "frameon", "shadow"]),
];
