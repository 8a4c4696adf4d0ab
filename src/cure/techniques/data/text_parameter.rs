//! Numeric options passed as strings from a file, a form or `input()`.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, only, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, keyword};

/// Converts the argument that a call to `class` passes for a parameter. `got` is its string value.
pub(super) fn as_number(
    case: &Case<'_>,
    parameter: &str,
    class: &str,
    allowed: &str,
    got: &str,
) -> Option<Cure> {
    let convert = match got.trim() {
        t if t.parse::<i64>().is_ok() && allowed.contains("an int") => "int",
        t if t.parse::<f64>().is_ok_and(f64::is_finite) && allowed.contains("a float") => "float",
        _ => return None,
    };
    let (cell, value) = case.seen().into_iter().find_map(|cell| {
        let all = calls(case.python(cell)?.body());
        let made = only(all.into_iter().filter(|c| callee(c) == Some(class)))?;
        Some((cell, passed(made, parameter)?))
    })?;
    let text = case.python(cell)?.slice(value);
    case.edits(
        said(
            "text-parameter",
            Basis::Named,
            format!("Convert `{text}` for `{parameter}`: `{convert}({text})`"),
            format!("It is the text '{got}', and `{class}` takes a number there."),
        ),
        vec![Change::replace(cell, value, format!("{convert}({text})"))],
    )
}

/// The keyword argument of a call, unless it is a string literal.
fn passed<'c>(call: &'c ExprCall, parameter: &str) -> Option<&'c Expr> {
    let value = &keyword(call, parameter)?.value;
    (!value.is_string_literal_expr()).then_some(value)
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_at as at;

    const MESSAGE: &str = "The 'n_clusters' parameter of KMeans must be an int in the range [1, inf). Got '3' instead.";

    fn last(cells: &[&str], message: &str) -> String {
        let line = u32::try_from(cells[cells.len() - 1].lines().count()).unwrap();
        at(cells, line, "InvalidParameterError", message)
    }

    #[test]
    fn a_number_that_came_as_text_is_converted() {
        let cells = ["km = KMeans(n_clusters=config['k'], n_init=10)\nkm.fit(points)"];
        assert_eq!(
            last(&cells, MESSAGE),
            "km = KMeans(n_clusters=int(config['k']), n_init=10)\nkm.fit(points)"
        );
        let message =
            "The 'C' parameter of SVC must be a float in the range (0.0, inf). Got '0.5' instead.";
        assert_eq!(
            last(&["SVC(C=row['C']).fit(X, y)"], message),
            "SVC(C=float(row['C'])).fit(X, y)"
        );
    }

    #[test]
    fn a_word_and_a_call_that_is_not_the_only_one_stay() {
        let word = MESSAGE.replace("'3'", "'three'");
        let cells = ["km = KMeans(n_clusters=config['k'])\nkm.fit(points)"];
        assert_eq!(last(&cells, &word), "");
        let two = ["a = KMeans(n_clusters=p)\nb = KMeans(n_clusters=q)\nb.fit(points)"];
        assert_eq!(last(&two, MESSAGE), "");
    }
}
