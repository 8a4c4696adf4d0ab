//! Arguments named as in another library: `dim` for NumPy's `axis`, `epochs` for scikit-learn's `max_iter`.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, only, said, Spot};
use crate::same;
use crate::techniques::libraries;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{ExprCall, Keyword};
use nbmedic_python::keyword;

/// Python functions without a signature table, and their parameters.
const PYTHONS: &[(&[&str], &[&str])] = &[
    (
        &["min", "max", "sorted", "sort"],
        &["key", "default", "reverse"],
    ),
    (&["print"], &["sep", "end", "file", "flush"]),
];

/// Classes of libraries without a table, by the prefix of their paths: the parameters that other
/// libraries name differently.
const OTHERS: &[(&[&str], &str, &[&str])] = &[
    (
        &["lightning.", "pytorch_lightning."],
        "Trainer",
        &["max_epochs", "devices", "accelerator"],
    ),
    (
        &["peft."],
        "LoraConfig",
        &["r", "lora_alpha", "lora_dropout"],
    ),
];

/// Array methods as messages name them, and NumPy functions.
const OF_ARRAYS: &[&str] = &["axis", "keepdims", "dtype", "out"];

/// The argument under the name that this function takes.
pub(super) fn synonym(
    case: &Case<'_>,
    spot: &Spot<'_>,
    call: &ExprCall,
    k: &Keyword,
    argument: &str,
) -> Option<Cure> {
    let function = callee(call)?;
    let mut others = same::arguments(argument);
    others.retain(|o| keyword(call, o).is_none());
    let path = case.path_of(&call.func).unwrap_or_default();
    // `_sum() got an unexpected keyword argument`: NumPy's internal function for the method.
    let array = case.message().starts_with('_') || path.starts_with("numpy.");
    let python = PYTHONS
        .iter()
        .find(|(f, _)| f.contains(&function) && !path.contains('.'));
    let other = OTHERS.iter().find(|(starts, class, _)| {
        *class == function && starts.iter().any(|s| path.starts_with(s))
    });
    let taken = libraries::accepted(case, call);
    others.retain(|o| match (&taken, python) {
        (Some(taken), _) => taken.iter().any(|t| t == o),
        (None, Some((_, taken))) => taken.contains(o),
        (None, None) => {
            let known = other.is_some_and(|(.., taken)| taken.contains(o));
            known || array && OF_ARRAYS.contains(o)
        }
    });
    others.dedup();
    let new = only(others.into_iter())?;
    case.edits(
        said(
            "rename-argument",
            Basis::Assumed,
            format!("Rename `{argument}=` to `{new}=`"),
            format!(
                "`{function}` has no `{argument}`; what other libraries call so is `{new}` here."
            ),
        ),
        vec![Change::replace(spot.cell, k.arg.as_ref()?, new)],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{ipython, repaired};

    #[test]
    fn an_argument_gets_the_name_that_it_has_here() {
        let fixed = |import: &str, code: &str, message: &str| {
            let e = ipython("TypeError", &[(2, 1, code)], message);
            repaired(&[import, code], &e)
        };
        let of = |f: &str, a: &str| format!("{f}() got an unexpected keyword argument '{a}'");
        assert_eq!(
            fixed(
                "import numpy as np",
                "np.stack([a], dim=-1)",
                &of("stack", "dim")
            ),
            "np.stack([a], axis=-1)"
        );
        assert_eq!(
            fixed("x = f()", "x.sum(dim=1)", &of("_sum", "dim")),
            "x.sum(axis=1)"
        );
        assert_eq!(
            fixed(
                "x = f()",
                "min(x, by=len)",
                "'by' is an invalid keyword argument for min()"
            ),
            "min(x, key=len)"
        );
        let sklearn = "from sklearn.linear_model import LogisticRegression";
        let epochs = of("LogisticRegression.__init__", "epochs");
        assert_eq!(
            fixed(sklearn, "m = LogisticRegression(epochs=3)", &epochs),
            "m = LogisticRegression(max_iter=3)"
        );
        // It has neither.
        let opacity = of("LogisticRegression.__init__", "opacity");
        assert_eq!(
            fixed(sklearn, "m = LogisticRegression(opacity=3)", &opacity),
            "m = LogisticRegression()"
        );
    }
}
