//! Missing values that the notebook makes itself: the first or last rows of a shifted column, the lowest value of `pd.cut`.

use crate::case::Case;
use crate::code::Editor;
use crate::find::{
    callee, head_exprs, int_of, name, one_line, only, receiver, root, said, text_of,
};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{calls, each_below, each_stmt, keyword, Cell, Ranged};
use nbmedic_wordings::about;

/// Methods that leave rows at an end without a value.
const LEAVE: &[&str] = &["shift", "diff", "pct_change"];
/// Methods after which none is missing.
const FILL: &[&str] = &[
    "dropna",
    "fillna",
    "interpolate",
    "bfill",
    "ffill",
    "notna",
    "isna",
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if !about::MISSING_VALUES.is_in(case.message()) {
        return;
    }
    let Some((.., stmt)) = case.here() else {
        return;
    };
    let behind = case.names_behind(&head_exprs(stmt));
    out.extend(
        lowest(case, &|n| behind.contains(n)).or_else(|| shifted(case, &|n| behind.contains(n))),
    );
}

/// `t["grade"] = pd.cut(t["points"], bins=[0, 50, 100])`: a bin does not hold its lower edge.
fn lowest(case: &Case<'_>, behind: &dyn Fn(&str) -> bool) -> Option<Cure> {
    let mut found = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        each_stmt(python.body(), &mut |s| {
            let cut = column(s).filter(|(t, _)| behind(t)).and_then(|(_, value)| {
                let mut cut = None;
                each_below(value, &mut |e| {
                    let call = e
                        .as_call_expr()
                        .filter(|c| case.path_of(&c.func).as_deref() == Some("pandas.cut"));
                    cut = call.or(cut);
                });
                cut
            });
            found.extend(cut.map(|c| (cell, python, c)));
        });
    }
    let (cell, python, call) = only(found.into_iter())?;
    let bins = keyword(call, "bins")
        .map(|k| &k.value)
        .or_else(|| call.arguments.args.get(1))?;
    let open = keyword(call, "include_lowest").is_none() && keyword(call, "right").is_none();
    let edge = case
        .made(cell, bins)?
        .expr
        .as_list_expr()?
        .elts
        .first()
        .and_then(int_of)?;
    // The lowest edge has to be a value: a cell stores it, or an output shows it as the minimum.
    let mut occurs = false;
    for at in case.book.before(case.at) {
        let lines = case.book.cells()[at].output.lines().map(str::trim);
        let mut least = lines.filter_map(|l| l.strip_prefix("min"));
        occurs |= least.any(|l| {
            l.split_whitespace()
                .any(|n| n.parse::<f64>().ok() == edge.to_string().parse().ok())
        });
        let body = case.python(at).map_or(&[][..], Cell::body);
        each_stmt(body, &mut |s| {
            let stores = s.as_assign_stmt().filter(|a| {
                a.targets
                    .iter()
                    .any(|t| t.is_subscript_expr() && root(t).is_some_and(behind))
            });
            occurs |= stores.is_some_and(|a| int_of(&a.value) == Some(edge));
        });
    }
    (open && occurs).then_some(())?;
    case.edits(
        said(
            "include-lowest",
            Basis::Assumed,
            "Let the first bin hold its lower edge: `include_lowest=True`",
            "Each bin of `pd.cut` leaves out its lower edge, so the lowest value is in none, and is missing. If values lie outside all bins, move the first or last edge (`-float(\"inf\")`, `float(\"inf\")`).",
        ),
        vec![Editor::new(cell, python).add(call, "include_lowest=True")],
    )
}

/// The table into which a statement stores a column, and the column's value.
fn column(s: &Stmt) -> Option<(&str, &Expr)> {
    let a = s.as_assign_stmt()?;
    let target = only(a.targets.iter())?.as_subscript_expr()?;
    text_of(&target.slice)?;
    Some((name(&target.value)?, &a.value))
}

/// A column of shifted values, and no line below drops the rows that get none.
fn shifted(case: &Case<'_>, behind: &dyn Fn(&str) -> bool) -> Option<Cure> {
    let leaves = |value: &Expr| {
        let mut found = false;
        each_below(value, &mut |e| {
            let call = e
                .as_call_expr()
                .filter(|c| callee(c).is_some_and(|f| LEAVE.contains(&f)) && receiver(c).is_some());
            found |= call.is_some_and(|c| keyword(c, "fill_value").is_none());
        });
        found
    };
    let cells = case.seen();
    let (cell, python, stmt, table) = cells.iter().find_map(|cell| {
        let python = case.python(*cell)?;
        let mut last = None;
        each_stmt(python.body(), &mut |s| {
            let own = |t: &str| {
                let f = crate::known::function_around(python, s);
                behind(t) || f.is_some_and(|f| behind(f.name.as_str()))
            };
            if let Some((table, _)) = column(s).filter(|(t, value)| own(t) && leaves(value)) {
                last = Some((*cell, python, s, table));
            }
        });
        last
    })?;
    // The newest cells stand in front.
    let after = cells
        .iter()
        .take_while(|c| **c != cell)
        .filter_map(|c| case.python(*c));
    let fills = |p: &Cell, c: &ExprCall| {
        callee(c).is_some_and(|f| FILL.contains(&f)) && p.text().contains('.')
    };
    let filled = after
        .flat_map(|p| calls(p.body()).into_iter().map(move |c| (p, c)))
        .any(|(p, c)| fills(p, c));
    let here = calls(python.body())
        .into_iter()
        .any(|c| c.start() > stmt.start() && fills(python, c));
    (!filled && !here).then_some(())?;
    let line = format!("{table} = {table}.dropna()");
    case.edits(
        said(
            "drop-gaps",
            Basis::Assumed,
            format!("Put `{line}` below `{}`", one_line(python.slice(stmt))),
            "Shifted by rows, a column has no value in the first or the last ones, and no line below drops or fills them.",
        ),
        vec![Editor::new(cell, python).below(stmt, &line)],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at};

    fn made(cells: &[&str], message: &str, id: &str) -> Option<String> {
        let all = cures_of(cells, &error_at(cells, 1, "ValueError", message));
        all.into_iter().find(|c| c.id == id).map(|c| c.code)
    }

    #[test]
    fn rows_without_a_shifted_value_are_dropped() {
        let message = "Input X contains NaN.";
        let shift = "t['lag'] = t['n'].shift(1)";
        let cells = [
            "import pandas as pd\nt = pd.read_csv('a.csv')",
            shift,
            "m.fit(t[['lag']], t['n'])",
        ];
        let found = made(&cells, message, "drop-gaps");
        assert_eq!(found, Some(format!("{shift}\nt = t.dropna()")));
        let dropped = [
            cells[0],
            "t['lag'] = t['n'].shift(1)\nt = t.dropna()",
            cells[2],
        ];
        assert_eq!(made(&dropped, message, "drop-gaps"), None);
        let made_in = "def lags(s):\n    out = s.to_frame()\n    out = out.dropna()\n    out['next'] = s.shift(-1)\n    return out";
        let cells = [made_in, "f = lags(load)", "m.fit(f[['a']], f['next'])"];
        let found = made(&cells, message, "drop-gaps");
        assert_eq!(
            found,
            Some(made_in.replace("(-1)", "(-1)\n    out = out.dropna()"))
        );
    }

    #[test]
    fn the_lowest_value_belongs_to_the_first_bin() {
        let cut = "t['g'] = pd.cut(t['n'], bins=[0, 50, 100], labels=[2, 1])";
        let last = "t['g'] = t['g'].astype(int)";
        let read = "import pandas as pd\nt = pd.read_csv('a.csv')";
        let zero = format!("{read}\nt.loc[[3], 'n'] = 0");
        let of = |first: &str| {
            let message = "Cannot convert float NaN to integer";
            made(&[first, cut, last], message, "include-lowest")
        };
        let right = cut.replace("1])", "1], include_lowest=True)");
        assert_eq!(of(&zero), Some(right));
        // Nothing shows that the lowest edge is a value.
        assert_eq!(of(read), None);
    }
}
