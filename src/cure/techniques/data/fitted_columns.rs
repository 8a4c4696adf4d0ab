//! Columns that an estimator was fitted with but a later selection omits.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{said, text_of};
use crate::techniques::shapes::one_sample::fitted_with;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::Expr;

const MISSING: &str = "Feature names seen at fit time, yet now missing:";
const UNSEEN: &str = "Feature names unseen at fit time:";

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.message().contains(MISSING) && !case.message().contains(UNSEEN) {
        out.extend(selected(case));
    }
}

/// The names that a message reports missing.
fn missing(message: &str) -> Vec<&str> {
    let list = message.split_once(MISSING).map_or("", |(_, list)| list);
    let lines = list.lines().map(str::trim);
    lines
        .filter_map(|l| l.strip_prefix("- "))
        .take(64)
        .collect()
}

fn selected(case: &Case<'_>) -> Option<Cure> {
    let feed = case.feed()?;
    let now = columns(feed.x)?;
    let listed = now.as_list_expr()?;
    let (cell, x) = fitted_with(case, feed.cell, feed.call)?;
    let then = columns(x).filter(|e| e.is_name_expr() || e.is_list_expr())?;
    // The list at fit time must equal the current one plus the missing columns. A name counts as
    // the list that the notebook assigned to it.
    let all = case.made(cell, then)?.expr.as_list_expr()?;
    let gone = missing(case.message());
    let texts: Option<Vec<&str>> = all.elts.iter().map(text_of).collect();
    let has = |t: &&str| listed.elts.iter().any(|e| text_of(e) == Some(*t));
    let absent: Vec<&str> = texts?.into_iter().filter(|t| !has(t)).collect();
    if absent != gone || gone.is_empty() {
        return None;
    }
    let to = case.python(cell)?.slice(then);
    let names: Vec<String> = gone.iter().map(|g| format!("`{g}`")).collect();
    case.edits(
        said(
            "fitted-columns",
            Basis::Assumed,
            format!("Select the columns that it was fitted with: `[{to}]`"),
            format!("This selection leaves out {}.", names.join(", ")),
        ),
        vec![Change::replace(feed.cell, now, to)],
    )
}

/// The columns that `df[…]` selects.
fn columns(e: &Expr) -> Option<&Expr> {
    Some(&e.as_subscript_expr()?.slice)
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_first as first;

    const MESSAGE: &str = "The feature names should match those that were passed during fit.\nFeature names seen at fit time, yet now missing:\n- mass\n";

    #[test]
    fn the_columns_of_the_fit_are_selected_again() {
        let line = "scaler.transform(test[['len', 'width']])";
        let cols = "cols = ['len', 'width', 'mass']\nscaler.fit(train[cols])";
        assert_eq!(
            first(&[cols, line], "ValueError", MESSAGE),
            "scaler.transform(test[cols])"
        );
        let list = "scaler.fit(train[['len', 'width', 'mass']])";
        assert_eq!(
            first(&[list, line], "ValueError", MESSAGE),
            "scaler.transform(test[['len', 'width', 'mass']])"
        );
    }

    #[test]
    fn another_difference_is_no_matter_of_the_selection() {
        let line = "scaler.transform(test[['len', 'width']])";
        for fit in [
            "scaler.fit(train[['len', 'mass', 'age']])",
            "scaler.fit(train)",
        ] {
            let cells = [fit, line];
            let error = crate::tests::error_at(&cells, 1, "ValueError", MESSAGE);
            let cures = crate::tests::cures_of(&cells, &error);
            assert!(cures.iter().all(|c| c.id != "fitted-columns"), "{fit}");
        }
    }
}
