//! Models and scores that take counts and get standardized values, which are negative for half of the rows.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, only, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::calls;
use nbmedic_wordings::sklearn;

pub(super) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    out.extend(
        sklearn::NON_NEGATIVE
            .is_in(case.message())
            .then(|| scaled(case))
            .flatten(),
    );
}

/// Scales to 0 … 1 instead, where one scaler only stands before the failing line.
fn scaled(case: &Case<'_>) -> Option<Cure> {
    let mut found = Vec::new();
    for cell in case.seen() {
        let all = case
            .python(cell)
            .map(|p| calls(p.body()))
            .unwrap_or_default();
        let scalers = all
            .into_iter()
            .filter(|c| matches!(callee(c), Some("StandardScaler" | "RobustScaler")));
        found.extend(scalers.map(|c| (cell, c)));
    }
    let (cell, scaler) = only(found.into_iter())?;
    let python = case.python(cell)?;
    let was = callee(scaler)?;
    let function = python.slice(&*scaler.func);
    let new = function.replace(was, "MinMaxScaler");
    let editor = case.editor(cell)?;
    let mut changes = vec![Change::replace(cell, scaler, format!("{new}()"))];
    if new == "MinMaxScaler" && !case.exists("MinMaxScaler") {
        changes.push(editor.import("from sklearn.preprocessing import MinMaxScaler"));
    }
    case.edits(
        said(
            "scale-to-one",
            Basis::Library,
            format!("Scale to 0 … 1: `{new}()` instead of `{function}(…)`"),
            format!("`{was}` centres the values, so about half of them are negative, as counts and frequencies can't be."),
        ),
        changes,
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at};

    #[test]
    fn values_are_scaled_without_negative_ones() {
        let cells = [
            "from sklearn.preprocessing import StandardScaler\nfrom sklearn.feature_selection import SelectKBest, chi2",
            "Xs = StandardScaler().fit_transform(mails)",
            "Xk = SelectKBest(chi2, k=3).fit_transform(Xs, spam)",
        ];
        let error = error_at(&cells, 1, "ValueError", "Input X must be non-negative.");
        let all = cures_of(&cells, &error);
        assert_eq!(all[0].id, "scale-to-one", "{all:?}");
        assert!(
            all[0]
                .code
                .ends_with("Xs = MinMaxScaler().fit_transform(mails)"),
            "{}",
            all[0].code
        );
        let cells = [cells[0], "Xs = mails - 3", cells[2]];
        let error = error_at(&cells, 1, "ValueError", "Input X must be non-negative.");
        assert!(cures_of(&cells, &error)
            .iter()
            .all(|c| c.id != "scale-to-one"));
    }
}
