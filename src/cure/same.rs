//! Different names for the same thing in libraries and languages.

/// Names of the same argument in NumPy, pandas, scikit-learn, PyTorch, Keras, Transformers, Matplotlib and Python, from their signatures.
const ARGUMENTS: &[&[&str]] = &[
    &["axis", "dim", "dimension"],
    &["keepdims", "keepdim"],
    &["lr", "learning_rate", "learning_rate_init", "eta"],
    &["batch_size", "batch", "per_device_train_batch_size"],
    &[
        "epochs",
        "num_epochs",
        "n_epochs",
        "max_epochs",
        "num_train_epochs",
        "max_iter",
        "n_iter",
        "iterations",
    ],
    &["random_state", "seed", "random_seed"],
    &["alpha", "opacity"],
    &["color", "colour"],
    &["label", "name"],
    &["n_jobs", "num_workers", "workers"],
    &["index", "row_index", "rows"],
    &["columns", "cols", "column"],
    &["key", "by"],
    &["sep", "delimiter", "separator"],
    &["n_estimators", "num_trees", "n_trees", "num_boost_round"],
    &["n_clusters", "num_clusters", "clusters"],
    &["n_components", "num_components"],
    &["n_neighbors", "neighbors", "k"],
    &["fill_value", "value"],
    &["figsize", "figure_size", "size"],
    &["linewidth", "line_width", "width"],
    &["weight_decay", "decay"],
    &["validation_split", "test_size", "validation_size"],
    &["requires_grad", "grad"],
    &["p", "dropout", "rate", "dropout_rate", "lora_dropout"],
    &["r", "rank"],
    &["alpha", "lora_alpha"],
    &["in_features", "input_size", "input_dim"],
    &["out_features", "hidden_size", "output_dim"],
    &["kernel_size", "kernel", "filter_size"],
    &["stride", "strides"],
    &["max_length", "max_len", "maxlen"],
    &["ascending", "ascend"],
    &["reverse", "descending", "desc"],
    &["loc", "mean"],
    &["scale", "std"],
    &["size", "shape"],
];

/// Members that do the same in Python, NumPy, pandas, polars, PyTorch, JavaScript and R, from their documentation.
const MEMBERS: &[&[&str]] = &[
    &["numpy", "to_numpy"],
    &["columns", "cols", "colnames"],
    &["mean", "average", "avg"],
    &["append", "push", "add", "push_back"],
    &["ndim", "dim"],
    &["tolist", "to_list"],
    &["sort_values", "sort", "order_by", "arrange"],
    &["unique", "uniq", "distinct"],
    &["isna", "isnan", "is_null", "isnull"],
    &["notna", "notnull", "is_not_null"],
    &["drop_duplicates", "unique"],
    &["melt", "unpivot"],
    &["fillna", "fill_null", "fill_na"],
    &["dropna", "drop_nulls", "drop_na"],
    &["groupby", "group_by"],
    &["assign", "with_columns", "mutate"],
    &["astype", "cast", "as_type"],
    &["items", "entries"],
    &[
        "upper",
        "toUpperCase",
        "uppercase",
        "to_upper",
        "to_uppercase",
    ],
    &[
        "lower",
        "toLowerCase",
        "lowercase",
        "to_lower",
        "to_lowercase",
    ],
    &["strip", "trim", "strip_chars"],
    &["startswith", "startsWith", "starts_with"],
    &["endswith", "endsWith", "ends_with"],
    &["replace", "replaceAll", "replace_all"],
    &["find", "indexOf"],
    &["transpose", "permute"],
    &["flatten", "flat"],
    &["std", "stddev", "sd"],
    &["nunique", "n_unique"],
    &["fit", "train"],
    &["head", "top"],
];

/// Names of an argument in other libraries.
pub fn arguments(name: &str) -> Vec<&'static str> {
    others(ARGUMENTS, name)
}

/// Names of a member in other libraries and languages.
pub fn members(name: &str) -> Vec<&'static str> {
    others(MEMBERS, name)
}

fn others(groups: &[&[&'static str]], name: &str) -> Vec<&'static str> {
    let groups = groups.iter().filter(|g| g.contains(&name));
    let all = groups.flat_map(|g| g.iter().copied());
    all.filter(|o| *o != name).collect()
}
