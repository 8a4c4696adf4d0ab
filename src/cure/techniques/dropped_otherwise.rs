//! Columns that are lost by something else than a line above: a function, a cell below, a format, a release of pandas.

use super::removals::{method, removes, Removal};
use crate::case::Case;
use crate::edit::{Change, Said};
use crate::find::{head_exprs, name, only, quoted, root};
use crate::keys::strings_of;
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::ast::Expr;
use nbmedic_python::{calls, each_below, each_stmt, keyword, name_of, Cell, Ranged};
use std::collections::BTreeSet;

/// The names that the failing statement reads, and those from which they were made, also through loops.
fn behind(case: &Case<'_>) -> BTreeSet<String> {
    let exprs = case
        .here()
        .map_or_else(Vec::new, |(.., stmt)| head_exprs(stmt));
    let mut out = case.names_behind(&exprs);
    let loops = out.clone().into_iter().filter_map(|n| {
        let set = case.last_set(&n)?;
        Some(&*set.binding.stmt.as_for_stmt()?.iter)
    });
    let mut read: Vec<&Expr> = Vec::new();
    loops.for_each(|iter| each_below(iter, &mut |e| read.push(e)));
    out.extend(case.names_behind(&read));
    out
}

/// `ds.set_format("torch", columns=["input_ids"])`: the rows have these columns only.
pub(super) fn left_out_of_format(case: &Case<'_>, key: &str) -> Option<Cure> {
    let mut found = Vec::new();
    for cell in case.seen() {
        let body = case.python(cell).map_or(&[][..], Cell::body);
        for call in calls(body)
            .into_iter()
            .filter(|c| method(c).is_some_and(|(_, m)| matches!(m, "set_format" | "with_format")))
        {
            let columns = keyword(call, "columns").and_then(|k| k.value.as_list_expr());
            let lacks = columns.filter(|l| {
                !l.elts.is_empty()
                    && l.elts
                        .iter()
                        .all(|e| strings_of(e).iter().any(|(t, _)| *t != key))
            });
            let of = method(call).and_then(|(on, _)| root(on));
            found.extend(lacks.zip(of).map(|(l, of)| (cell, l, of)));
        }
    }
    let (cell, list, of) = only(found.into_iter())?;
    behind(case).contains(of).then_some(())?;
    // A name that is written nowhere else may be misspelt.
    let known = case.seen().into_iter().filter(|c| *c != case.at).any(|c| {
        let source = case.book.cells()[c].source;
        source.contains(&format!("\"{key}\"")) || source.contains(&format!("'{key}'"))
    });
    let last = list.elts.last().filter(|_| known)?;
    case.edits(
        Said {
            id: "in-the-format",
            basis: Basis::Source,
            title: format!("Add `{key}` to the columns of the format"),
            why: format!(
                "Cell {} says which columns the rows have, and `{key}` is not among them.",
                case.position(cell)
            ),
        },
        vec![Change::after(cell, last, format!(", {}", quoted(key)))],
    )
}

/// A function of the notebook that takes a column from the table it is given, in place.
pub(super) fn by_own_function(case: &Case<'_>, key: &str) -> Option<Cure> {
    let mut found = Vec::new();
    for (cell, stmt) in case.living() {
        let Some(f) = stmt.as_function_def_stmt() else {
            continue;
        };
        let python = case.python(cell)?;
        let takes = |of: &str| {
            let mut takes = None;
            each_stmt(&f.body, &mut |s| {
                // It works on a table of its own.
                let own = s
                    .as_assign_stmt()
                    .is_some_and(|a| a.targets.iter().any(|t| name_of(t).as_deref() == Some(of)));
                if own {
                    takes.get_or_insert(false);
                }
                if removes(python, s, of, key) && !own {
                    takes.get_or_insert(true);
                }
            });
            takes == Some(true)
        };
        let mut parameters = f.parameters.iter_non_variadic_params().enumerate();
        let of =
            parameters.find_map(|(i, p)| Some((i, p.name().as_str())).filter(|(_, n)| takes(n)));
        found.extend(of.map(|(i, of)| (cell, f, i, of)));
    }
    let (cell, f, index, of) = only(found.into_iter())?;
    // The table that lacks the column was given to it.
    let behind = behind(case);
    let given = case.seen().into_iter().any(|c| {
        let body = case.python(c).map_or(&[][..], Cell::body);
        calls(body).into_iter().any(|call| {
            let own = name_of(&call.func).as_deref() == Some(f.name.as_str());
            own && call
                .arguments
                .args
                .get(index)
                .and_then(name)
                .is_some_and(|n| behind.contains(n))
        })
    });
    let first = f.body.iter().find(|s| {
        !s.as_expr_stmt()
            .is_some_and(|e| e.value.is_string_literal_expr())
    });
    let line = format!("{of} = {of}.copy()");
    case.edits(
        Said {
            id: "own-table",
            basis: Basis::Source,
            title: format!("Begin `{}` with `{line}`", f.name),
            why: format!(
                "`{}` takes `{key}` out of the very table that it is given, and not of its own.",
                f.name
            ),
        },
        vec![case.editor(cell)?.above(first.filter(|_| given)?, &line)],
    )
}

/// The failing cell ran again after one below it took the column away: from the top it works.
pub(super) fn by_a_cell_below(case: &Case<'_>, key: &str, removal: &Removal) -> Option<Cure> {
    let owner = removal.owner.as_deref()?;
    (removal.cell > case.at).then_some(())?;
    let (at, below) = (case.position(case.at), case.position(removal.cell));
    let mut run = case.made_anew(removal.cell)?;
    let depend = (case.at + 1..=removal.cell).filter(|c| {
        let ran = case.book.cells()[*c].ran.is_some();
        ran && case
            .python(*c)
            .is_some_and(|p| p.names().needs().contains(&owner))
    });
    run.extend(depend.map(|c| case.position(c)));
    run.push(at);
    run.sort_unstable();
    run.dedup();
    let cells: Vec<String> = run.iter().map(usize::to_string).collect();
    Some(Cure {
        id: "run-from-above".into(),
        kind: FixKind::Run,
        basis: Basis::Record,
        title: format!("Run cells {} again, from top to bottom", cells.join(", ")),
        why: format!(
            "Cell {below}, below this one, ran before it and takes `{key}` away: `{}`.",
            removal.text
        ),
        run,
        ..Cure::default()
    })
}

/// `rename(columns={"index": "topic", "topic": "n"})` of counted values: since pandas 2 their columns are `topic` and `count`.
pub(super) fn counts_renamed(
    case: &Case<'_>,
    key: &str,
    new: &str,
    removal: &Removal,
) -> Option<Cure> {
    let python = case.python(removal.cell)?;
    let mut found = Vec::new();
    for call in calls(python.body()) {
        let line = python.line_of(call.start()) <= removal.line
            && removal.line <= python.line_of(call.end());
        let dict = keyword(call, "columns")
            .and_then(|k| k.value.as_dict_expr())
            .filter(|_| line);
        let from_index = dict.is_some_and(|d| {
            d.items.iter().any(|i| {
                let text = |e: &Expr| {
                    e.as_string_literal_expr()
                        .map(|s| s.value.to_str().to_owned())
                };
                i.key.as_ref().and_then(text).as_deref() == Some("index")
                    && text(&i.value).as_deref() == Some(key)
            })
        });
        let counted = method(call).is_some_and(|(table, _)| {
            let made = case.made(removal.cell, table);
            let of = made.map_or_else(
                || python.slice(table),
                |m| case.python(m.cell).map_or("", |p| p.slice(m.expr)),
            );
            of.contains("value_counts") && of.contains("reset_index")
        });
        found.extend(dict.filter(|d| from_index && counted && d.items.len() == 2));
    }
    let dict = only(found.into_iter())?;
    let right = format!("{{\"count\": {}}}", quoted(new));
    case.edits(
        Said {
            id: "renamed-counts",
            basis: Basis::Library,
            title: format!("Rename the counts alone: `columns={right}`"),
            why: format!("Since pandas 2 `value_counts().reset_index()` has the columns `{key}` and `count`; before, they were `index` and `{key}`."),
        },
        vec![Change::replace(removal.cell, dict, right)],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at};

    /// Whether a cure with this name is offered for the last cell, which lacks `'label'`.
    fn offers(cells: &[&str], id: &str) -> bool {
        let error = error_at(cells, 1, "KeyError", "'label'");
        cures_of(cells, &error).iter().any(|c| c.id == id)
    }

    #[test]
    fn only_the_table_that_is_read_is_repaired() {
        let made = "ds = Dataset.from_dict({'text': t, 'label': y})\nds.set_format('torch', columns=['text'])";
        let read = "for row in DataLoader(ds):\n    pass";
        assert!(offers(&[made, read, "a = row['label']"], "in-the-format"));
        let other = "conf = {'rate': 1}";
        assert!(!offers(
            &[made, other, "a = conf['label']"],
            "in-the-format"
        ));
        let takes = "def prepare(df):\n    df.drop(columns=['label'], inplace=True)\n    return df";
        let calls = "t = pd.read_csv('a.csv')\nu = pd.read_csv('b.csv')\nX = prepare(t)";
        assert!(offers(&[takes, calls, "a = t['label']"], "own-table"));
        assert!(!offers(&[takes, calls, "a = u['label']"], "own-table"));
    }
}
