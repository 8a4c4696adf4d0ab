//! Quick checks of a source. A source that contains none of these words, not even in a comment, needs no question.

/// Words in cells that end their kernel.
const ENDS: &[&str] = &[
    "_exit",
    "abort",
    "kill",
    "do_shutdown",
    "ask_exit",
    "raise_signal",
    "condacolab",
    "exit",
    "quit",
];

/// Words in cells that install packages.
const INSTALLS: &[&str] = &["install", "update", "upgrade", "add"];

/// Parts of names and texts in cells that write checkpoints or results.
const SAVES: &[&str] = &[
    "save",
    "dump",
    "to_csv",
    "to_parquet",
    "to_pickle",
    "to_hdf",
    "to_feather",
    "checkpoint",
    "Checkpoint",
    "output_dir",
    "write",
    "push_to_hub",
    "Trainer",
    "callbacks",
];

/// The last parts of the names of functions that create arrays.
const ARRAYS: &[&str] = &[
    "zeros", "ones", "empty", "full", "fill", "eye", "identity", "arange", "rand", "normal",
    "uniform", "integers",
];

/// Whether a source contains one of these words.
pub fn mentions(source: &str, words: &[&str]) -> bool {
    words.iter().any(|w| source.contains(w))
}

/// Whether a cell may end its own kernel.
pub fn may_end_kernel(source: &str) -> bool {
    mentions(source, ENDS)
}

/// Whether a cell may install packages.
pub fn may_install(source: &str) -> bool {
    mentions(source, INSTALLS)
}

/// Whether a cell may write checkpoints or results.
pub fn may_save(source: &str) -> bool {
    mentions(source, SAVES)
}

/// Whether a cell may create an array whose size can be read.
pub fn may_make_arrays(source: &str) -> bool {
    mentions(source, ARRAYS)
}
