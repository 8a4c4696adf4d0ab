//! Columns of an aggregated table looked up by the function name alone: `agg({"score": ["mean", "std"]})`.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, name, only, receiver, said, text_of};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{DictItem, Expr};
use nbmedic_python::{keyword, positional};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "KeyError" {
        out.extend(whole_name(case));
    }
}

fn whole_name(case: &Case<'_>) -> Option<Cure> {
    let key = case
        .message()
        .trim()
        .strip_prefix('\'')?
        .strip_suffix('\'')?;
    let spot = case.spot()?;
    let reads = spot.exprs.iter().filter_map(|e| e.as_subscript_expr());
    let reads = reads.filter(|s| text_of(&s.slice) == Some(key) && s.ctx.is_load());
    let read = reads.map(|s| (&*s.value, &*s.slice));
    // `stats.sort_values("mean")`
    let sorts = spot
        .calls()
        .filter(|c| matches!(callee(c), Some("sort_values" | "nlargest" | "nsmallest")));
    let by = sorts.filter_map(|c| {
        let by = keyword(c, "by").map(|k| &k.value);
        let by = by.or_else(|| c.arguments.args.iter().find(|a| text_of(a) == Some(key)))?;
        (text_of(by) == Some(key)).then_some((receiver(c)?, by))
    });
    let (table, read) = only(read.chain(by))?;
    name(table)?;
    let made = case.made(spot.cell, table)?;
    let call = made.expr.as_call_expr()?;
    let aggregates = matches!(callee(call), Some("agg" | "aggregate"));
    let dict = positional(call, 0).filter(|_| aggregates)?.as_dict_expr()?;
    let has = |i: &&DictItem| match &i.value {
        Expr::List(l) => l.elts.iter().any(|e| text_of(e) == Some(key)),
        e => text_of(e) == Some(key),
    };
    // If several columns use this function, the wanted one is unknown.
    let item = only(dict.items.iter().filter(has))?;
    let column = case.python(made.cell)?.slice(item.key.as_ref()?);
    let was = spot.text(read);
    // A single list among them makes all column names two-level.
    let (to, why) = match dict.items.iter().any(|i| i.value.is_list_expr()) {
        true => (
            format!("({column}, {was})"),
            "Where `agg` gets lists of functions, a column has two names: what it is of, and the function.",
        ),
        false => (
            column.to_owned(),
            "`agg` with one function for each column keeps the columns' names.",
        ),
    };
    case.edits(
        said(
            "aggregated-column",
            Basis::Assumed,
            format!("Replace `{was}` by `{to}`"),
            why,
        ),
        vec![Change::replace(spot.cell, read, to)],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{key_error, repaired};

    fn fixed(before: &str, line: &str, key: &str) -> String {
        let cells = [before, line];
        repaired(&cells, &key_error(&cells, 1, &format!("'{key}'")))
    }

    #[test]
    fn an_aggregated_column_is_read_by_its_whole_name() {
        let agg = "s = df.groupby('class').agg({'score': ['mean', 'std'], 'age': 'max'})";
        assert_eq!(
            fixed(agg, "s['mean'].idxmax()", "mean"),
            "s[('score', 'mean')].idxmax()"
        );
        let one = "s = df.groupby('class').agg({'score': 'mean'})";
        assert_eq!(fixed(one, "s['mean']", "mean"), "s['score']");
    }

    #[test]
    fn one_of_several_and_names_of_ones_own_stay() {
        let both = "s = df.groupby('k').agg({'a': ['mean'], 'b': ['mean']})";
        assert_eq!(fixed(both, "s['mean']", "mean"), "");
        let named = "s = df.groupby('k').agg(avg=('a', 'mean'))";
        assert_eq!(fixed(named, "s['mean']", "mean"), "");
    }
}
