//! `t["c"].map({"Yes": 1})` where the column says `yes`: what has no key becomes a missing value, which fails far below.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, head_exprs, name, quoted, receiver, said, text_of};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprDict};
use nbmedic_python::{calls, each_expr, positional, Ranged, TextRange};
use nbmedic_wordings::about;

/// Longest text that is compared, in bytes.
const LONGEST: usize = 60;
/// Maximum number of keys that are looked for.
const MAX_KEYS: usize = 64;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let missing = ["NaN", "nan", "non-finite", "NoneType"];
    if !missing.iter().any(|m| message.contains(m)) && !about::MISSING_VALUES.is_in(message) {
        return;
    }
    let Some((.., stmt)) = case.here() else {
        return;
    };
    let behind = case.names_behind(&head_exprs(stmt));
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        for call in calls(python.body()) {
            let mapped = receiver(call)
                .and_then(root)
                .is_some_and(|t| behind.contains(t));
            if callee(call) != Some("map") || !mapped {
                continue;
            }
            let dict = positional(call, 0).and_then(|expr| case.made(cell, expr));
            let dict = dict.and_then(|m| Some((m.cell, m.expr.as_dict_expr()?)));
            if let Some(cure) = dict.and_then(|(cell, dict)| other_keys(case, cell, dict)) {
                out.push(cure);
                return;
            }
        }
    }
}

/// The variable at the start of a chain of subscripts, attributes and methods.
fn root(e: &Expr) -> Option<&str> {
    match e {
        Expr::Subscript(s) => root(&s.value),
        Expr::Attribute(a) => root(&a.value),
        Expr::Call(c) => root(receiver(c)?),
        other => name(other),
    }
}

/// Gives the keys of a dict that nothing else says the letters of what the notebook says instead.
fn other_keys(case: &Case<'_>, cell: usize, dict: &ExprDict) -> Option<Cure> {
    let said_elsewhere = texts(case, cell, dict.range());
    let mut changes = Vec::new();
    let mut pairs = Vec::new();
    let mut shown = false;
    for key in dict.iter_keys().flatten().take(MAX_KEYS) {
        let Some(text) = text_of(key).filter(|t| t.len() > 1 && t.len() <= LONGEST) else {
            continue;
        };
        let alike = |t: &&String| plain(t) == plain(text);
        let outputs = case
            .book
            .before(case.at)
            .into_iter()
            .map(|c| case.book.cells()[c].output);
        if said_elsewhere.iter().any(|t| t == text) || outputs.clone().any(|o| o.contains(text)) {
            continue;
        }
        let other = said_elsewhere.iter().find(alike).cloned().or_else(|| {
            shown = true;
            outputs.clone().find_map(|o| written(o, text))
        });
        let Some(other) = other else {
            continue;
        };
        changes.push(Change::replace(cell, key, quoted(&other)));
        pairs.push(format!("`{}` for `{}`", quoted(&other), quoted(text)));
    }
    let basis = if shown { Basis::Record } else { Basis::Source };
    let title = format!("Write {}", pairs.join(", "));
    let why = "`map` gives a missing value to each row for which the dict has no key, and the column says it in other letters.";
    case.edits(said("key-of-map", basis, title, why), changes)
}

/// The texts that the cells write, but for those in a place.
fn texts(case: &Case<'_>, but: usize, place: TextRange) -> Vec<String> {
    let mut out = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        each_expr(python.body(), &mut |e| {
            let own = cell == but && place.contains_range(e.range());
            let text = text_of(e).filter(|t| !own && t.len() <= LONGEST);
            out.extend(text.map(str::to_owned));
        });
    }
    out
}

/// A text without what people write in several ways: capitals, spaces, hyphens.
fn plain(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// How an output writes a text that differs in its capitals.
fn written(output: &str, text: &str) -> Option<String> {
    let at = output
        .to_ascii_lowercase()
        .find(&text.to_ascii_lowercase())?;
    let whole = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let end = at + text.len();
    let alone = whole(output[..at].chars().next_back()) && whole(output[end..].chars().next());
    alone.then(|| output[at..end].to_owned())
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at};

    #[test]
    fn a_key_has_the_letters_of_the_column() {
        let made = "t = pd.DataFrame({'c': rng.choice(['month-to-month', 'one year'], n)})";
        let fit = "X = t[['c']]\nm.fit(X, y)";
        for (map, after) in [
            (
                "t['c'] = t['c'].map({'Month-to-month': 0, 'one year': 1})",
                "t['c'] = t['c'].map({\"month-to-month\": 0, 'one year': 1})",
            ),
            (
                "t['c'] = t['c'].str.strip().map({'month to month': 0, 'one year': 1})",
                "t['c'] = t['c'].str.strip().map({\"month-to-month\": 0, 'one year': 1})",
            ),
        ] {
            let cells = ["import pandas as pd", made, map, fit];
            let error = error_at(&cells, 2, "ValueError", "Input X contains NaN.");
            assert_eq!(cures_of(&cells, &error)[0].code, after);
        }
        let right = "t['c'] = t['c'].map({'month-to-month': 0, 'one year': 1})";
        let cells = ["import pandas as pd", made, right, fit];
        let error = error_at(&cells, 2, "ValueError", "Input X contains NaN.");
        assert!(cures_of(&cells, &error)
            .iter()
            .all(|c| c.id != "key-of-map"));
    }
}
