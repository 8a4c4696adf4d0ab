//! Values of some rows combined with values of all rows: `inside = points[keep]`, drawn with `c=labels`.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, name, only, receiver, root, said, text_of, tight, Spot};
use crate::table::Kind;
use crate::trace::Made;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprContext, Operator, Stmt, UnaryOp};
use nbmedic_python::{each_below, positional};
use nbmedic_wordings::{matplotlib, numpy, pandas, sklearn};

/// Maximum number of names followed.
const MAX_NAMES: usize = 12;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "IndexingError" && pandas::UNALIGNABLE.begins(case.message()) {
        out.extend(masked(case));
    }
    if case.class() != "ValueError" || !out.is_empty() {
        return;
    }
    let first = case.message().lines().next().unwrap_or("");
    let Some(spot) = case.spot() else { return };
    if pandas::LENGTH_OF_INDEX.begins(first) {
        out.extend(column(case, &spot));
    } else if first.starts_with("'c' argument has ")
        || matplotlib::SAME_SIZE.is_in(first)
        || matplotlib::FIRST_DIMENSION.is_in(first)
        || first.starts_with("s must be a scalar, or float array-like with the same size")
        || sklearn::NUMBERS_OF_SAMPLES.is_in(first)
        || numpy::BROADCAST.is_in(first) && first.matches(",)").count() == 2
    {
        out.extend(beside(case, &spot));
    }
}

/// `flights[is_late]`, where `is_late` was made from `ok`, some rows of `flights`: those rows are filtered.
fn masked(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let taken = spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr()?;
        Some((name(&s.value)?, &*s.value, case.made(spot.cell, &s.slice)?))
    });
    let found = taken.filter_map(|(table, at, mask)| {
        is_mask(case, mask.expr).then_some(())?;
        let mut roots: Vec<&str> = Vec::new();
        each_below(mask.expr, &mut |e| {
            if let Some(n) = e.as_subscript_expr().and_then(|s| name(&s.value)) {
                roots.push(n);
            }
        });
        roots.sort_unstable();
        roots.dedup();
        let of = only(roots.into_iter()).filter(|of| *of != table)?;
        let (_, value) = case.value(of)?;
        let mut parts = Vec::new();
        each_below(value, &mut |e| parts.push(e));
        case.names_behind(&parts)
            .contains(table)
            .then_some((table, at, of))
    });
    let (table, at, of) = only(found)?;
    case.edits(
        said(
            "mask-of-table",
            Basis::Source,
            format!("Filter `{of}`, from which the condition was made"),
            format!("`{of}` has some of the rows of `{table}`, and the condition has a value for these only."),
        ),
        vec![Change::replace(spot.cell, at, of)],
    )
}

/// The table that rows were selected from, and how.
pub(super) struct Filter<'c> {
    /// The cell of the selection.
    pub(super) cell: usize,
    /// The selection.
    pub(super) at: &'c Expr,
    pub(super) table: &'c str,
    /// The condition as written. None if a method dropped the rows.
    pub(super) mask: Option<&'c str>,
    /// Whether the rows kept their labels.
    pub(super) labelled: bool,
}

/// Whether an expression is a Boolean row mask.
fn is_mask(case: &Case<'_>, e: &Expr) -> bool {
    match e {
        Expr::Compare(_) => true,
        Expr::BinOp(b) => matches!(b.op, Operator::BitAnd | Operator::BitOr),
        Expr::UnaryOp(u) => u.op == UnaryOp::Invert,
        Expr::Call(c) => callee(c).is_some_and(|f| {
            f.starts_with("is")
                || f.starts_with("not")
                || f.starts_with("logical_")
                || matches!(
                    f,
                    "all" | "any" | "between" | "duplicated" | "contains" | "startswith"
                )
        }),
        Expr::Name(n) => match case.value(n.id.as_str()) {
            Some((_, Expr::Name(_))) | None => false,
            Some((_, value)) => is_mask(case, value),
        },
        // `df[df["active"]]`: a Boolean column.
        Expr::Subscript(s) => text_of(&s.slice).is_some(),
        _ => false,
    }
}

/// How the rows of a variable were selected.
fn filter<'c>(case: &'c Case<'_>, rows: &str) -> Option<Filter<'c>> {
    let (cell, expr) = case.value(rows)?;
    selected(case, Made { cell, expr })
}

/// The last selection of rows that a value went through, followed back through what has a row for each of its rows.
pub(super) fn selected<'c>(case: &'c Case<'_>, from: Made<'c>) -> Option<Filter<'c>> {
    let mut at = from;
    let mut labelled = true;
    for _ in 0..MAX_NAMES {
        let python = case.python(at.cell)?;
        let value = at.expr;
        at.expr = match value {
            Expr::Name(_) => {
                at = case.source(at)?.value()?;
                continue;
            }
            Expr::Call(c) => match (callee(c)?, receiver(c)) {
                (
                    "copy" | "astype" | "sort_index" | "fillna" | "round" | "clip" | "rename",
                    Some(on),
                ) => on,
                ("to_numpy" | "reset_index" | "ravel", Some(on)) => {
                    labelled = false;
                    on
                }
                ("dropna" | "drop_duplicates" | "query", Some(on)) => {
                    return Some(Filter {
                        cell: at.cell,
                        at: value,
                        table: root(on)?,
                        mask: None,
                        labelled,
                    });
                }
                (
                    "transform" | "fit_transform" | "DataFrame" | "array" | "asarray" | "log"
                    | "log1p" | "sqrt",
                    Some(_),
                ) => {
                    // A table made with `index=` has labels again, which ones is not known.
                    labelled = false;
                    positional(c, 0)?
                }
                _ => return None,
            },
            Expr::Attribute(a) if a.attr.as_str() == "values" => {
                labelled = false;
                &a.value
            }
            Expr::BinOp(b) if !matches!(b.op, Operator::MatMult) => {
                let of = |expr: &'c Expr| {
                    selected(
                        case,
                        Made {
                            cell: at.cell,
                            expr,
                        },
                    )
                };
                let is_part =
                    |e: &Expr| e.is_name_expr() || e.is_subscript_expr() || e.is_bin_op_expr();
                let found = is_part(&b.left).then(|| of(&b.left)).flatten();
                let found = found.or_else(|| is_part(&b.right).then(|| of(&b.right)).flatten())?;
                return Some(Filter {
                    labelled: found.labelled && labelled,
                    ..found
                });
            }
            Expr::Subscript(s) => {
                let (base, mask) = match (&*s.value, &*s.slice) {
                    (Expr::Attribute(a), Expr::Tuple(t)) if a.attr.as_str() == "loc" => {
                        (&*a.value, t.elts.first()?)
                    }
                    (Expr::Attribute(a), mask) if a.attr.as_str() == "loc" => (&*a.value, mask),
                    (base, mask) => (base, mask),
                };
                let columns = |e: &Expr| match e {
                    Expr::List(l) => l.elts.iter().all(|e| text_of(e).is_some()),
                    other => text_of(other).is_some(),
                };
                if columns(mask) {
                    // Columns of the selected rows.
                    base
                } else if is_mask(case, mask) {
                    return Some(Filter {
                        cell: at.cell,
                        at: value,
                        table: name(base)?,
                        mask: Some(python.slice(mask)),
                        labelled,
                    });
                } else {
                    return None;
                }
            }
            _ => return None,
        };
    }
    None
}

/// The names that a value is computed from, directly or indirectly.
fn made_of<'c>(case: &'c Case<'_>, value: &'c Expr) -> Vec<&'c str> {
    let mut out: Vec<&str> = Vec::new();
    let mut next = vec![value];
    while let Some(e) = next.pop() {
        each_below(e, &mut |e| {
            let new = name(e).filter(|n| !out.contains(n) && out.len() < MAX_NAMES);
            if let Some(n) = new {
                out.push(n);
                next.extend(case.value(n).map(|(_, v)| v));
            }
        });
    }
    out
}

/// `customers["p"] = p`, where `p` was computed for `active`, a selection of rows from `customers`.
fn column(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let Stmt::Assign(a) = spot.stmt? else {
        return None;
    };
    let target = a.targets.first()?.as_subscript_expr()?;
    let table = name(&target.value)?;
    text_of(&target.slice)?;
    let names = made_of(case, &a.value);
    // A value that contains the whole table says nothing about its rows.
    let rows = only(names.iter().filter(|n| {
        **n != table && filter(case, n).is_some_and(|f| f.table == table && f.labelled)
    }))?;
    if matches!(case.kind(spot.cell, &a.value), Kind::Series | Kind::Frame) {
        return None;
    }
    let column = spot.python.slice(&*target.slice);
    let new = format!("{table}.loc[{rows}.index, {column}]");
    case.edits(
        said(
            "rows-of-part",
            Basis::Assumed,
            format!("Give the values to the rows of `{rows}`: `{new}`"),
            format!("They were computed for `{rows}`, which holds some rows of `{table}`. The other rows get a missing value; `{rows}[{column}]` would keep the column out of `{table}`."),
        ),
        vec![Change::replace(spot.cell, target, new)],
    )
}

/// The values on a line that must have equal lengths.
fn equals<'c>(spot: &Spot<'c>) -> Vec<&'c Expr> {
    const BESIDE: &[&str] = &["x", "y", "c", "s", "hue", "size", "sample_weight", "z"];
    let mut out: Vec<&Expr> = Vec::new();
    for e in &spot.exprs {
        match e {
            Expr::Call(c) => {
                out.extend(c.arguments.args.iter().take(3));
                let keywords = c.arguments.keywords.iter();
                let fits = |n: &str| BESIDE.contains(&n);
                out.extend(
                    keywords
                        .filter(|k| k.arg.as_ref().is_some_and(|a| fits(a.as_str())))
                        .map(|k| &k.value),
                );
            }
            Expr::BinOp(b) => out.extend([&*b.left, &*b.right]),
            _ => {}
        }
    }
    let load = |e: &&Expr| match e {
        Expr::Name(n) => matches!(n.ctx, ExprContext::Load),
        Expr::Subscript(_) | Expr::Attribute(_) => true,
        _ => false,
    };
    out.retain(load);
    out
}

/// Values of all rows combined with values of some: selects the same rows from both.
fn beside(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let all = equals(spot);
    let some = all.iter().filter_map(|e| root(e));
    let mut some: Vec<&str> = some.filter(|n| filter(case, n).is_some()).collect();
    some.dedup();
    let rows = only(some.into_iter())?;
    let by = filter(case, rows)?;
    let mut others: Vec<&Expr> = all
        .into_iter()
        .filter(|e| root(e).is_some_and(|n| n != rows && case.module_of(n).is_none()))
        .filter(|e| match root(e) {
            // A value computed from the rows has as many.
            Some(n) => case
                .value(n)
                .is_none_or(|(_, v)| !made_of(case, v).contains(&rows)),
            None => false,
        })
        .collect();
    others.dedup_by_key(|e| spot.python.slice(*e));
    let other = only(others.into_iter())?;
    let text = spot.python.slice(other);
    let labelled = by.labelled && matches!(case.kind(spot.cell, other), Kind::Series | Kind::Frame);
    let new = match (root(other) == Some(by.table), by.mask) {
        (true, _) => text.replacen(by.table, rows, 1),
        (false, Some(mask)) if !mask.contains('\n') && mask.len() < 60 => {
            format!("{}[{mask}]", tight(spot.python, other))
        }
        (false, _) if labelled => format!("{}.loc[{rows}.index]", tight(spot.python, other)),
        _ => return None,
    };
    case.edits(
        said(
            "rows-of-part",
            Basis::Assumed,
            format!("Replace `{text}` by `{new}`"),
            format!(
                "`{rows}` holds some rows of `{}`, and `{text}` has a value for each of all.",
                by.table
            ),
        ),
        vec![Change::replace(spot.cell, other, new)],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, repaired_first};

    #[test]
    fn values_of_some_rows_go_to_those_rows() {
        let cells = [
            "customers = pd.read_csv('c.csv')",
            "active = customers[customers['active']].copy()",
            "p = 1 / (1 + np.exp(-active['months'].to_numpy()))",
            "customers['p_stay'] = p\ncustomers.head()",
        ];
        let message = "Length of values (36) does not match length of index (50)";
        assert_eq!(
            repaired_first(&cells, "ValueError", message),
            "customers.loc[active.index, 'p_stay'] = p\ncustomers.head()"
        );
    }

    #[test]
    fn a_mask_filters_the_table_that_it_was_made_from() {
        let cells = [
            "flights = pd.read_csv('f.csv')\nok = flights.dropna(subset=['delay'])",
            "is_late = ok['delay'] > 15",
            "late = flights[is_late]",
        ];
        let message = "Unalignable boolean Series provided as indexer (index of the boolean Series and of the indexed object do not match).";
        assert_eq!(
            repaired_first(&cells, "IndexingError", message),
            "late = ok[is_late]"
        );
        let cells = [cells[0], "is_late = other['delay'] > 15", cells[2]];
        assert_eq!(repaired_first(&cells, "IndexingError", message), "");
    }

    #[test]
    fn the_same_rows_are_drawn() {
        let message =
            "'c' argument has 90 elements, which is inconsistent with 'x' and 'y' with size 74.";
        let cells = [
            "points = rng.normal(size=(90, 2))\nlabels = rng.integers(0, 3, 90)",
            "keep = points[:, 0] > -1\ninside = points[keep]",
            "plt.scatter(inside[:, 0], inside[:, 1], c=labels, s=12)",
        ];
        assert_eq!(
            repaired_first(&cells, "ValueError", message),
            "plt.scatter(inside[:, 0], inside[:, 1], c=labels[keep], s=12)"
        );
        let cells = [
            "df = pd.read_csv('a.csv')",
            "big = df[df.size_ > 3]",
            "plt.scatter(big['x'], df['y'])",
        ];
        let message = "x and y must be the same size";
        assert_eq!(
            repaired_first(&cells, "ValueError", message),
            "plt.scatter(big['x'], big['y'])"
        );
    }

    #[test]
    fn without_a_part_there_is_nothing_to_say() {
        let cells = ["x = range(3)\ny = range(4)", "plt.scatter(x, y)"];
        let error =
            crate::tests::error_at(&cells, 1, "ValueError", "x and y must be the same size");
        let all = cures_of(&cells, &error);
        assert!(all.iter().all(|c| c.id != "rows-of-part"), "{all:?}");
    }
}
