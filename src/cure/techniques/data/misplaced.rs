//! A literal by position that is another argument's, and one that is given both ways.

use super::arguments::call_of;
use crate::case::Case;
use crate::edit::Change;
use crate::find::{argument_with_comma, callee, only, quoted_after, said};
use crate::takes::takes;
use crate::techniques::libraries;
use nbmedic_facts::{Applicability, Cure};
use nbmedic_python::ast::Expr;
use nbmedic_python::{keyword, Ranged};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if matches!(case.class(), "TypeError" | "ValueError") {
        out.extend(both_ways(case).or_else(|| misplaced(case)));
    }
}

/// Whether a message has this word.
fn names(message: &str, word: &str) -> bool {
    let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    message.match_indices(word).any(|(at, _)| {
        apart(message[..at].chars().next_back()) && apart(message[at + word.len()..].chars().next())
    })
}

/// `pd.to_datetime(days, "%d.%m.%Y")`: a literal by position, which that argument does not take and another one does.
fn misplaced(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let found = spot.calls().filter_map(|call| {
        let args = &call.arguments.args;
        let (last, before) = args.split_last()?;
        if before.is_empty() || !last.is_literal_expr() || args.iter().any(Expr::is_starred_expr) {
            return None;
        }
        let place = libraries::at_position(case, call, before.len())?;
        let wrong = match takes(&place, last) {
            Some(fits) => !fits,
            None => names(case.message(), &place),
        };
        let name = libraries::free_for(case, call, last, None).filter(|_| wrong)?;
        (takes(&name, last) == Some(true)).then_some((call, last, place, name))
    });
    let (call, literal, place, name) = only(found)?;
    let text = spot.python.slice(literal);
    case.edits(
        said(
            "name-arguments",
            Applicability::Likely,
            format!("Name it: `{name}={text}`"),
            format!(
                "By position `{text}` is the `{place}` of `{}`.",
                callee(call)?
            ),
        ),
        vec![Change::before(spot.cell, literal, format!("{name}="))],
    )
}

/// `argument for round() given by name ('decimals') and position (1)`.
fn both_ways(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    let rest = message.strip_prefix("argument for ")?;
    let function = rest.split_once("()")?.0;
    let twice = quoted_after(message, "given by name (")?;
    let spot = case.spot()?;
    let call = call_of(&spot, function)?;
    let by_name = keyword(call, twice)?;
    let range = argument_with_comma(spot.python, call, by_name.range());
    let text = spot.python.slice(by_name);
    case.edits(
        said(
            "drop-argument",
            Applicability::Likely,
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
        // Tables and a text are no list of tables; nothing shows what the text is for.
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
