//! Explains a rename from the tables of renamed names.

use nbmedic_catalog::Renamed;

/// Since which release an old name is gone, and what took its place.
pub fn why(r: &Renamed, old: &str) -> String {
    match r.since {
        "" => format!("`{old}` is no longer there: `{}` took its place.", r.new),
        since => format!(
            "`{old}` went in {} {since}: `{}` took its place.",
            library(r),
            r.new
        ),
    }
}

/// What people call a table's library.
pub fn library(r: &Renamed) -> &'static str {
    match r.library {
        "python" => "Python",
        "sklearn" => "scikit-learn",
        "numpy" => "NumPy",
        "tensorflow" => "TensorFlow",
        "torch" => "PyTorch",
        "keras" => "Keras",
        "matplotlib" => "Matplotlib",
        "scipy" => "SciPy",
        other => other,
    }
}
