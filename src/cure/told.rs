//! Explains a rename found in the rename tables.

use nbmedic_catalog::Renamed;

/// The release that removed a name, and its replacement.
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

/// The display name of a table's library.
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
