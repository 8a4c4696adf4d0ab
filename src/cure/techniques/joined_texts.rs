//! Texts in a list that Python joins because a comma between them is missing.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{one_line, only, said};
use crate::keys::missing_keys;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprStringLiteral};
use nbmedic_python::{each_expr, Ranged, TextRange};
use nbmedic_wordings::pandas;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let keys = missing_keys(case.class(), message);
    // How many names are missing.
    let lacks = [
        pandas::AXIS_LENGTH.numbers(message),
        pandas::COLUMNS_PASSED.numbers(message).map(|[a, b]| [b, a]),
    ];
    let lacks = lacks
        .into_iter()
        .flatten()
        .next()
        .map(|[wanted, given]| wanted - given);
    let joined = all(case);
    let found = joined.iter().filter(|(_, s)| {
        let parts = i64::try_from(s.value.iter().len()).unwrap_or(0);
        keys.iter().any(|k| k == s.value.to_str()) || lacks == Some(parts - 1)
    });
    let found =
        only(found).and_then(|(cell, s)| with_commas(case, *cell, s, &followed(s), Basis::Named));
    out.extend(found);
}

/// The texts of lists that consist of several, with their cells.
fn all<'c>(case: &'c Case<'_>) -> Vec<(usize, &'c ExprStringLiteral)> {
    let mut out = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        each_expr(python.body(), &mut |e| {
            let elements = match e {
                Expr::List(l) => &l.elts,
                Expr::Tuple(t) => &t.elts,
                Expr::Set(s) => &s.elts,
                _ => return,
            };
            let texts = elements.iter().filter_map(Expr::as_string_literal_expr);
            out.extend(
                texts
                    .filter(|s| s.value.is_implicit_concatenated())
                    .map(|s| (cell, s)),
            );
        });
    }
    out
}

/// The parts of a joined text that another one follows.
pub(super) fn followed(joined: &ExprStringLiteral) -> Vec<TextRange> {
    let mut parts: Vec<TextRange> = joined.value.iter().map(Ranged::range).collect();
    parts.pop();
    parts
}

/// Puts a comma behind each of these parts of a joined text.
pub(super) fn with_commas(
    case: &Case<'_>,
    cell: usize,
    joined: &ExprStringLiteral,
    behind: &[TextRange],
    basis: Basis,
) -> Option<Cure> {
    let python = case.python(cell)?;
    let first = behind.first()?;
    let (line, text) = (python.line_of(first.end()), one_line(python.slice(*first)));
    let changes = behind
        .iter()
        .map(|p| Change::replace(cell, TextRange::empty(p.end()), ","));
    case.edits(
        said(
            "missing-comma",
            basis,
            format!("Put a comma behind `{text}` in line {line}"),
            format!(
                "Without it Python joins it with the next text, to `{}`.",
                joined.value.to_str()
            ),
        ),
        changes.collect(),
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at};

    #[test]
    fn a_comma_comes_between_texts() {
        let names = "FEATURES = [\n    'alcohol',\n    'sulphates'\n    'sugar',\n]";
        let cells = [names, "X = wine[FEATURES]"];
        let error = error_at(&cells, 1, "KeyError", "\"['sulphatessugar'] not in index\"");
        let all = cures_of(&cells, &error);
        assert_eq!(
            all[0].code,
            names.replace("'sulphates'", "'sulphates',"),
            "{all:?}"
        );
        assert_eq!(all[0].run, [1, 2]);
        let cells = [names, "df.columns = FEATURES"];
        let length = |n: u8| {
            format!("Length mismatch: Expected axis has {n} elements, new values have 2 elements")
        };
        let error = error_at(&cells, 1, "ValueError", &length(3));
        assert_eq!(cures_of(&cells, &error)[0].id, "missing-comma");
        let error = error_at(&cells, 1, "ValueError", &length(5));
        assert!(cures_of(&cells, &error)
            .iter()
            .all(|c| c.id != "missing-comma"));
    }
}
