//! A library's table, the relevant release, and their descriptions.

use crate::case::Case;
use crate::closest::near;
use crate::find::package_of;
use crate::techniques::install;
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_libraries::{library_of_module, text, Release, Table};

/// Libraries by import name, for values whose module is unknown.
const IMPORTED: &[&str] = &[
    "pandas",
    "numpy",
    "sklearn",
    "matplotlib",
    "seaborn",
    "xgboost",
    "scipy",
    "PIL",
    "cv2",
    "torch",
    "torchvision",
    "tensorflow",
    "keras",
    "transformers",
    "jax",
    "polars",
    "datasets",
];

/// A library's table, and the release to look at.
pub(super) struct Library {
    /// The table.
    pub table: Table,
    /// The installed release, or the newest if unknown.
    pub release: Release,
    /// Whether the installed release is known.
    pub certain: bool,
}

/// The table of the library that a module belongs to. None if this build has none.
pub(super) fn library(case: &Case<'_>, module: &str) -> Option<Library> {
    let name = library_of_module(module)?;
    let table = Table::parse(text(name)?).ok()?;
    let first = module.split('.').next().unwrap_or(module);
    let setting = case.setting();
    let version = setting.and_then(|s| s.version(name).or_else(|| s.version(first)));
    let release = version.and_then(|v| table.release(v));
    Some(Library {
        release: release.unwrap_or(table.newest()),
        certain: release.is_some(),
        table,
    })
}

/// The tables of the libraries in which the traceback ends, then of those that the notebook
/// imports.
pub(super) fn libraries<'c>(case: &'c Case<'_>) -> impl Iterator<Item = Library> + 'c {
    let frames = case.error().frames.iter().rev();
    let last = frames
        .filter_map(|f| package_of(&f.file))
        .find(|m| library_of_module(m).is_some());
    let imported = IMPORTED.iter().copied().filter(|m| case.imports(m));
    let mut seen: Vec<&str> = Vec::new();
    let modules = last.into_iter().chain(imported).filter(move |m| {
        let name = library_of_module(m).unwrap_or("");
        let new = !seen.contains(&name);
        seen.push(name);
        new
    });
    modules.filter_map(|m| library(case, m))
}

/// The display name of a library.
pub(super) fn called(library: &str) -> &str {
    match library {
        "numpy" => "NumPy",
        "scipy" => "SciPy",
        "matplotlib" => "Matplotlib",
        "keras" => "Keras",
        "tensorflow" => "TensorFlow",
        "torch" => "PyTorch",
        "pillow" => "Pillow",
        "xgboost" => "XGBoost",
        "transformers" => "Transformers",
        "jax" => "JAX",
        "opencv-python-headless" => "OpenCV",
        other => other,
    }
}

/// Installs the release that introduced something.
pub(super) fn newer(case: &Case<'_>, library: &Library, what: &str, since: &str) -> Option<Cure> {
    let package = match library.table.library() {
        "opencv-python-headless" => "opencv-python",
        name => name,
    };
    let (code, language) = install::command(case, &format!("{package}>={since}"));
    Some(Cure {
        id: "newer-library".into(),
        kind: FixKind::Install,
        basis: Basis::Assumed,
        title: format!("Install {package} {since} or newer: it brought `{what}`"),
        why: format!(
            "{} has `{what}` since {since}, so the installed release is older. Restart the kernel afterwards.",
            called(library.table.library())
        ),
        code,
        language: language.into(),
        ..Cure::default()
    })
}

/// The only name in a module or class that a wrong one was probably meant to be.
pub(super) fn close<'l>(library: &'l Library, scope: &str, wrong: &str) -> Option<&'l str> {
    match library.table.closest(scope, wrong, library.release)[..] {
        // If a third of a short name differs, it is a different name, and people seldom mistype the
        // first letter.
        [(new, _)] => {
            let first = |n: &str| n.chars().next().map(|c| c.to_ascii_lowercase());
            (near(wrong, new).is_some() && first(wrong) == first(new)).then_some(new)
        }
        _ => None,
    }
}
