//! Names that Keras 3 removed but TensorFlow's copy of Keras still has.

use crate::case::Case;
use crate::find::said;
use crate::from_import::{import_of, moved_import};
use nbmedic_facts::{Basis, Cure};
use nbmedic_wordings::python;

/// Modules of `tensorflow.keras`, with the names that only `keras` lost.
const KEPT: &[(&str, &[&str])] = &[
    (
        "preprocessing.image",
        &[
            "ImageDataGenerator",
            "DirectoryIterator",
            "NumpyArrayIterator",
            "random_rotation",
            "random_shear",
            "random_shift",
            "random_zoom",
        ],
    ),
    (
        "preprocessing.text",
        &[
            "Tokenizer",
            "text_to_word_sequence",
            "one_hot",
            "hashing_trick",
            "tokenizer_from_json",
        ],
    ),
    (
        "preprocessing.sequence",
        &["TimeseriesGenerator", "make_sampling_table", "skipgrams"],
    ),
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let lost = match case.class() {
        "ImportError" => python::IMPORT_NAME.begins(message),
        "ModuleNotFoundError" => message.starts_with("No module named 'keras.preprocessing."),
        _ => false,
    };
    if lost && !case.in_library() {
        out.extend(kept(case));
    }
}

fn kept(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    let names = |module: &str| {
        let rest = module.strip_prefix("keras.")?;
        KEPT.iter().find(|(m, _)| *m == rest).map(|(_, n)| *n)
    };
    let (cell, python, import) = import_of(case, |i| {
        let module = i.module.as_ref().map_or("", |m| m.as_str());
        let said = message.contains(&format!("'{module}'"));
        let lost = |n: &str| names(module).is_some_and(|all| all.contains(&n));
        said && i.names.iter().any(|a| lost(a.name.as_str()))
    })?;
    let module = import.module.as_ref()?.as_str();
    // The whole module was removed, or one of its names.
    let gone = case.class() == "ModuleNotFoundError";
    let lost = |n: &str| names(module).is_some_and(|all| all.contains(&n));
    let one = import.names.iter().map(|a| a.name.as_str());
    let mut one = one.filter(|n| lost(n) && (gone || message.contains(&format!("name '{n}'"))));
    let name = one.next()?;
    let new = format!("tensorflow.{module}");
    let mut all_names = import.names.iter().map(|a| a.name.as_str());
    if gone && !all_names.clone().all(lost) {
        return None;
    }
    if all_names.any(|n| n != name && lost(n)) {
        return all(case, cell, python, import, &new);
    }
    let (text, change) = moved_import(cell, python, import, name, &new, name)?;
    case.edits(words(text), vec![change])
}

/// For several removed names, moves the whole import to TensorFlow's module, which has the others
/// too.
fn all(
    case: &Case<'_>,
    cell: usize,
    python: &nbmedic_python::Cell,
    import: &nbmedic_python::ast::StmtImportFrom,
    new: &str,
) -> Option<Cure> {
    let names: Vec<&str> = import.names.iter().map(|a| python.slice(a)).collect();
    let text = format!("from {new} import {}", names.join(", "));
    let change = crate::edit::Change::replace(cell, import, text.clone());
    case.edits(words(text), vec![change])
}

fn words(text: String) -> crate::edit::Said {
    said(
        "kept-by-tensorflow",
        Basis::Assumed,
        format!("Replace it by `{text}`"),
        "Keras 3 removed it; the Keras inside TensorFlow still has it. It gives arrays of NumPy, which every backend takes.",
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{error_at, repaired};

    #[test]
    fn what_keras_lost_comes_from_tensorflow() {
        let cells = ["from keras.preprocessing.image import ImageDataGenerator, load_img"];
        let message = "cannot import name 'ImageDataGenerator' from 'keras.preprocessing.image' (/usr/local/lib/python3.11/dist-packages/keras/preprocessing/image/__init__.py)";
        assert_eq!(
            repaired(&cells, &error_at(&cells, 1, "ImportError", message)),
            "from keras.preprocessing.image import load_img\nfrom tensorflow.keras.preprocessing.image import ImageDataGenerator"
        );
        let cells = ["from keras.preprocessing.text import Tokenizer, one_hot"];
        let message = "No module named 'keras.preprocessing.text'";
        assert_eq!(
            repaired(&cells, &error_at(&cells, 1, "ModuleNotFoundError", message)),
            "from tensorflow.keras.preprocessing.text import Tokenizer, one_hot"
        );
        // TensorFlow doesn't have this name either.
        let cells = ["from keras.preprocessing.image import random_mirror"];
        let message = "cannot import name 'random_mirror' from 'keras.preprocessing.image' (keras)";
        let code = repaired(&cells, &error_at(&cells, 1, "ImportError", message));
        assert!(!code.contains("tensorflow"), "{code}");
    }
}
