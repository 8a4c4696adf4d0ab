//! Arguments of tables and splits that the data does not allow.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{
    add_argument, argument_with_comma, callee, only, receiver, said, text_of, tight,
};
use nbmedic_facts::{Applicability, Cure};
use nbmedic_python::ast::ExprCall;
use nbmedic_python::{keyword, Ranged};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    out.extend(match case.class() {
        "ValueError"
            if message.starts_with("The least populated class in y has only 1 member")
                || message.starts_with("The least populated classes in y have only 1 member") =>
        {
            unstratified(case)
        }
        "ValueError" if message.starts_with("Invalid fill method") => filled(case),
        "OutOfBoundsDatetime" => beyond(case),
        "AssertionError" if message.trim_start().starts_with("Arrays are not equal") => close(case),
        _ => None,
    });
}

/// `train_test_split(X, y, stratify=y)` with a class of one row.
fn unstratified(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("train_test_split")?;
    let k = keyword(call, "stratify")?;
    let range = argument_with_comma(spot.python, call, k.range());
    let y = spot.text(&k.value);
    case.edits(
        said(
            "no-stratify",
            Applicability::Likely,
            format!("Remove `{}`", spot.text(k)),
            format!("A class of `{y}` has a single row, which cannot be in both parts. Or leave such rows out first; if `{y}` is a measurement, it has no classes."),
        ),
        vec![Change::replace(spot.cell, range, "")],
    )
}

/// `fillna(method="mean")`: a mean is a value, no method.
fn filled(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("fillna")?;
    let k = keyword(call, "method")?;
    let what =
        text_of(&k.value).filter(|m| matches!(*m, "mean" | "median" | "mode" | "max" | "min"))?;
    let on = tight(spot.python, receiver(call)?);
    let value = match what {
        "mode" => format!("{on}.mode().iloc[0]"),
        _ => format!("{on}.{what}()"),
    };
    case.edits(
        said(
            "fill-value",
            Applicability::Sure,
            format!("Write `fillna({value})`"),
            format!(
                "`method=` carries neighbours forward or back; the {what} is a value to fill in."
            ),
        ),
        vec![Change::replace(spot.cell, k, value)],
    )
}

/// Dates that pandas' nanoseconds can't hold.
fn beyond(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("to_datetime")?;
    if keyword(call, "errors").is_some() {
        return None;
    }
    case.edits(
        said(
            "dates-beyond",
            Applicability::Likely,
            "Make dates out of range missing: `errors=\"coerce\"`",
            "pandas' dates run from 1677 to 2262; a date far beyond, such as 9999-12-31, often stands for none. Text that isn't a date becomes missing, too.",
        ),
        vec![add_argument(spot.cell, spot.python, call, "errors=\"coerce\"")],
    )
}

/// Floats that are compared to the last bit.
fn close(case: &Case<'_>) -> Option<Cure> {
    // Differences of rounding only.
    let (_, rest) = case.message().split_once("Max relative difference")?;
    let number = rest.split_once(": ")?.1.split_whitespace().next()?;
    let small = number.parse::<f64>().is_ok_and(|d| d < 1e-7);
    let spot = case.spot().filter(|_| small)?;
    let is = |c: &&ExprCall| callee(c) == Some("assert_array_equal");
    let call = only(spot.calls().filter(is))?;
    let function = spot.text(&*call.func);
    let new = function.replace("assert_array_equal", "assert_allclose");
    case.edits(
        said(
            "compare-closely",
            Applicability::Sure,
            format!("Replace `{function}` by `{new}`"),
            format!("They differ by {number} relatively, which is rounding; `assert_allclose` allows 1e-7."),
        ),
        vec![Change::replace(spot.cell, &*call.func, new)],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_first;

    #[test]
    fn arguments_fit_the_data() {
        let setup = "import pandas as pd\nimport numpy as np\ndf = pd.read_csv('a.csv')";
        for (line, class, message, after) in [
            (
                "A, B = train_test_split(X, stratify=y, test_size=0.2)",
                "ValueError",
                "The least populated class in y has only 1 member, which is too few.",
                "A, B = train_test_split(X, test_size=0.2)",
            ),
            (
                "df['a'] = df['a'].fillna(method='median')",
                "ValueError",
                "Invalid fill method. Expecting pad (ffill) or backfill (bfill). Got median",
                "df['a'] = df['a'].fillna(df['a'].median())",
            ),
            (
                "d = pd.to_datetime(df['d'])",
                "OutOfBoundsDatetime",
                "Out of bounds nanosecond timestamp: 9999-12-31, at position 3",
                "d = pd.to_datetime(df['d'], errors=\"coerce\")",
            ),
            (
                "np.testing.assert_array_equal(a, b)",
                "AssertionError",
                "\nArrays are not equal\n\nMax relative difference among violations: 1.8e-16\n ACTUAL: array([0.3])",
                "np.testing.assert_allclose(a, b)",
            ),
            (
                "np.testing.assert_array_equal(a, b)",
                "AssertionError",
                "\nArrays are not equal\n\nMax relative difference among violations: 0.5\n ACTUAL: array([0.3])",
                "",
            ),
        ] {
            assert_eq!(repaired_first(&[setup, line], class, message), after, "{line}");
        }
    }
}
