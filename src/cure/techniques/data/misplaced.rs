//! Positional literals meant for another parameter, and arguments passed both ways.

use super::arguments::call_of;
use crate::case::Case;
use crate::edit::Change;
use crate::find::{argument_with_comma, callee, one_line, only, said};
use crate::takes::{meant, takes};
use crate::techniques::libraries;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{keyword, Ranged};
use nbmedic_wordings::{numpy, pandas, python};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if matches!(case.class(), "TypeError" | "ValueError" | "KeyError") {
        out.extend(both_ways(case).or_else(|| misplaced(case)));
    }
}

/// Whether a message contains this word.
fn names(message: &str, word: &str) -> bool {
    let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    message.match_indices(word).any(|(at, _)| {
        apart(message[..at].chars().next_back()) && apart(message[at + word.len()..].chars().next())
    })
}

/// `pd.to_datetime(days, "%d.%m.%Y")`: a positional value whose parameter doesn't take it while
/// another one does.
fn misplaced(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let found = spot.calls().filter_map(|call| {
        let args = &call.arguments.args;
        let (last, before) = args.split_last()?;
        let name = match args.iter().any(Expr::is_starred_expr) {
            true => None,
            false => belongs(case, call, before, last),
        }?;
        keyword(call, &name).is_none().then_some((call, last, name))
    });
    let (call, value, name) = only(found)?;
    let text = one_line(spot.python.slice(value));
    let function = callee(call)?;
    case.edits(
        said(
            "name-arguments",
            Basis::Assumed,
            format!("Name it: `{name}={text}`"),
            format!("By position `{text}` is another argument of `{function}`."),
        ),
        vec![Change::before(spot.cell, value, format!("{name}="))],
    )
}

/// The parameter that the last positional value is meant for, if it can't be the one at its
/// position.
fn belongs(case: &Case<'_>, call: &ExprCall, before: &[Expr], last: &Expr) -> Option<String> {
    let message = case.message();
    let function = callee(call)?;
    match (function, before) {
        // `max(scores, scores.get)`, `max((f(x) for x in rows), 0)`
        ("max" | "min", [first]) if python::COMPARED_KINDS.is_in(message) => {
            let several = first.is_generator_expr() || first.is_list_comp_expr();
            let compared = last.is_lambda_expr() || message.contains("function_or_method");
            return if several && last.is_number_literal_expr() {
                Some("default".to_owned())
            } else {
                compared.then(|| "key".to_owned())
            };
        }
        // `pd.DataFrame(X, names)`: the second parameter is the index.
        ("DataFrame", [first]) if columns_as_index(message, first, last) => {
            return Some("columns".to_owned());
        }
        ("plot" | "subplots" | "figure" | "hist", _) if is_size(last) => {
            return (case.class() == "KeyError").then(|| "figsize".to_owned());
        }
        _ => {}
    }
    last.is_literal_expr().then_some(())?;
    let name = libraries::free_for(case, call, last, None)?;
    let chosen = meant(function, last) == Some(&name);
    let wrong = match libraries::at_position(case, call, before.len()) {
        Some(place) => match takes(&place, last) {
            Some(fits) => !fits,
            None => chosen && place != name || names(message, &place),
        },
        None => chosen,
    };
    (wrong && (chosen || takes(&name, last) == Some(true))).then_some(name)
}

/// `Shape of passed values is (90, 2), indices imply (2, 2)`: the index has as many labels as there
/// are columns. If the columns have a different length, only names show this.
fn columns_as_index(message: &str, data: &Expr, given: &Expr) -> bool {
    let Some([passed, implied]) = pandas::SHAPE_OF_VALUES.read(message) else {
        let lengths = pandas::LENGTH_OF_INDEX.begins(message);
        let names = given
            .as_list_expr()
            .is_some_and(|l| !l.elts.is_empty() && l.elts.iter().all(Expr::is_string_literal_expr));
        return lengths && names && !data.is_dict_expr();
    };
    let of = |text: &str, at: usize| -> Option<u64> {
        text.trim_matches(['(', ')'])
            .split(", ")
            .nth(at)?
            .parse()
            .ok()
    };
    of(passed, 1).is_some() && of(passed, 1) == of(implied, 0)
}

/// `(9, 4)`
fn is_size(e: &Expr) -> bool {
    let tuple = e.as_tuple_expr().map(|t| &t.elts[..]);
    tuple.is_some_and(|t| t.len() == 2 && t.iter().all(Expr::is_number_literal_expr))
}

/// `argument for round() given by name ('decimals') and position (1)`.
fn both_ways(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    let [function, twice] = numpy::GIVEN_BOTH_WAYS.read(message)?;
    let spot = case.spot()?;
    let call = call_of(&spot, function)?;
    let by_name = keyword(call, twice)?;
    let range = argument_with_comma(spot.python, call, by_name.range());
    let text = spot.python.slice(by_name);
    case.edits(
        said(
            "drop-argument",
            Basis::Assumed,
            format!("Remove `{text}`"),
            format!("`{function}` has its `{twice}` by position already. If you meant this one, remove that instead."),
        ),
        vec![Change::replace(spot.cell, range, "")],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{ipython, repaired};

    #[test]
    fn a_literal_goes_where_such_a_value_belongs() {
        let pandas = "import pandas as pd\ndf = pd.DataFrame()\nframes = [df, df]";
        for (class, line, message, after) in [
            (
                "TypeError",
                "d = pd.concat(frames, True)",
                "concat() takes 1 positional argument but 2 were given",
                "d = pd.concat(frames, ignore_index=True)",
            ),
            (
                "TypeError",
                "best = max(scores, scores.get)",
                "'>' not supported between instances of 'builtin_function_or_method' and 'dict'",
                "best = max(scores, key=scores.get)",
            ),
            (
                "TypeError",
                "n = max((depth(c) for c in rows), 0)",
                "'>' not supported between instances of 'int' and 'generator'",
                "n = max((depth(c) for c in rows), default=0)",
            ),
            (
                "ValueError",
                "t = pd.DataFrame(X, ['a', 'b'])",
                "Shape of passed values is (90, 2), indices imply (2, 2)",
                "t = pd.DataFrame(X, columns=['a', 'b'])",
            ),
            (
                "KeyError",
                "prices.plot((9, 4), title='P')",
                "(9, 4)",
                "prices.plot(figsize=(9, 4), title='P')",
            ),
            (
                "TypeError",
                "f = open('a.txt', 'w', 'utf-8')",
                "'str' object cannot be interpreted as an integer",
                "f = open('a.txt', 'w', encoding='utf-8')",
            ),
            (
                "TypeError",
                "x.sort_values(False).head()",
                "Series.sort_values() takes 1 positional argument but 2 were given",
                "x.sort_values(ascending=False).head()",
            ),
            (
                "ValueError",
                "d = pd.to_datetime(df['d'], '%m/%d/%y')",
                "errors must be one of 'raise', or 'coerce'.",
                "d = pd.to_datetime(df['d'], format='%m/%d/%y')",
            ),
            (
                "TypeError",
                "s = x.round(1, decimals=2)",
                "argument for round() given by name ('decimals') and position (1)",
                "s = x.round(1)",
            ),
            (
                "ValueError",
                "t = df.groupby('k')[names].agg('mean', 'max')",
                "numeric_only accepts only Boolean values",
                "t = df.groupby('k')[names].agg(['mean', 'max'])",
            ),
            (
                "TypeError",
                "t = df.sort_values('Gold', 'Total')",
                "DataFrame.sort_values() takes 2 positional arguments but 3 were given",
                "t = df.sort_values(['Gold', 'Total'])",
            ),
        ] {
            let error = ipython(class, &[(2, 1, line)], message);
            assert_eq!(repaired(&[pandas, line], &error), after);
        }
        // Tables and a string aren't a list of tables; nothing shows what the string is for.
        let error = ipython(
            "ValueError",
            &[(2, 1, "d = pd.to_datetime(df['d'], 'coerce')")],
            "time data \"x\" doesn't match format",
        );
        let cells = [pandas, "d = pd.to_datetime(df['d'], 'coerce')"];
        let found = crate::tests::cures_of(&cells, &error);
        assert!(found.iter().all(|c| c.id != "name-arguments"), "{found:?}");
    }
}
