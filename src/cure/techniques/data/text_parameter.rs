//! Numeric options passed as strings from a file, a form or `input()`.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, only, said, text_of};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, each_expr, keyword, Ranged, TextRange};

/// Converts the argument that a call to `class` passes for a parameter. `got` is its string value.
pub(super) fn as_number(
    case: &Case<'_>,
    parameter: &str,
    class: &str,
    allowed: &str,
    got: &str,
) -> Option<Cure> {
    if let Some(cure) = in_settings(case, parameter, class, allowed, got) {
        return Some(cure);
    }
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

/// Takes the quotes off a value that the settings of the notebook have as text: `{"max_depth": "None"}`, in Python or JSON.
fn in_settings(
    case: &Case<'_>,
    parameter: &str,
    class: &str,
    allowed: &str,
    got: &str,
) -> Option<Cure> {
    let number = got.parse::<f64>().is_ok_and(f64::is_finite);
    let (python, json) = match got {
        "None" if allowed.contains("None") => ("None", "null"),
        "True" if allowed.contains("bool") => ("True", "true"),
        "False" if allowed.contains("bool") => ("False", "false"),
        n if number => (n, n),
        _ => return None,
    };
    let mut found = Vec::new();
    for cell in case.seen() {
        let Some(source) = case.python(cell) else {
            continue;
        };
        each_expr(source.body(), &mut |e| match e {
            Expr::Dict(d) => {
                let of = d
                    .items
                    .iter()
                    .filter(|i| i.key.as_ref().and_then(text_of) == Some(parameter));
                let text = of.map(|i| &i.value).filter(|v| text_of(v) == Some(got));
                found.extend(text.map(|v| (cell, v.range(), python)));
            }
            Expr::Call(c) => {
                let given = keyword(c, parameter).map(|k| &k.value);
                let text = given.filter(|v| text_of(v) == Some(got));
                found.extend(text.map(|v| (cell, v.range(), python)));
            }
            Expr::StringLiteral(s) => {
                let range = json_value(source.slice(s), parameter, got);
                found.extend(range.map(|r| (cell, r + s.start(), json)));
            }
            _ => {}
        });
    }
    let (cell, range, new) = only(found.into_iter())?;
    let was = case.python(cell)?.text()[range].to_owned();
    case.edits(
        said(
            "text-parameter",
            Basis::Named,
            format!("Write `{new}` for `{was}` as `{parameter}`"),
            format!("With quotes it is a text, and `{class}` does not take one there."),
        ),
        vec![Change::replace(cell, range, new)],
    )
}

/// Where a JSON text has a key with a text as its value: the range of that text with its quotes.
fn json_value(json: &str, key: &str, value: &str) -> Option<TextRange> {
    let key = format!("\"{key}\"");
    let value = format!("\"{value}\"");
    let mut at = 0;
    while let Some(found) = json[at..].find(&key) {
        at += found + key.len();
        let rest = json[at..].trim_start();
        let rest = rest.strip_prefix(':').unwrap_or("").trim_start();
        if rest.starts_with(&value) {
            let start = u32::try_from(json.len() - rest.len()).ok()?;
            let length = u32::try_from(value.len()).ok()?;
            return Some(TextRange::at(start.into(), length.into()));
        }
    }
    None
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
    fn settings_lose_their_quotes() {
        let message = "The 'max_depth' parameter of RandomForestClassifier must be an int in the range [1, inf) or None. Got 'None' instead.";
        for (settings, right) in [
            (
                "cfg = {'max_depth': 'None', 'n': 4}",
                "cfg = {'max_depth': None, 'n': 4}",
            ),
            (
                "cfg = json.loads('{\"n\": 4, \"max_depth\" : \"None\"}')",
                "cfg = json.loads('{\"n\": 4, \"max_depth\" : null}')",
            ),
        ] {
            let cells = [
                settings,
                "rf = RandomForestClassifier(**cfg)",
                "rf.fit(X, y)",
            ];
            let error = crate::tests::error_at(&cells, 1, "InvalidParameterError", message);
            let all = crate::tests::cures_of(&cells, &error);
            assert_eq!(all[0].code, right, "{all:?}");
        }
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
