//! Bounds: a grid of plots that is too small or has a different shape, a loop that runs too far.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, int_of, loops_around, name, only, said, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, ExprSubscript, Stmt, StmtFor};
use nbmedic_python::{each_below, each_expr, keyword, positional, Cell, Ranged};
use nbmedic_wordings::{about, numpy, python};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    match case.class() {
        "IndexError" => {
            if numpy::TOO_MANY_INDICES.begins(message) {
                out.extend(one_row(case));
            } else if about::PAST_END.is_in(message) {
                out.extend(past_end(case).or_else(|| too_small(case)));
            }
        }
        "AttributeError" => {
            if let Some(["numpy.ndarray", name]) = python::ATTRIBUTE.read(message) {
                out.extend(row_of_axes(case, name));
            }
        }
        "TypeError" => {
            let of = python::NOT_SUBSCRIPTABLE.read(message);
            if of.is_some_and(|[kind]| kind.contains("Axes")) {
                out.extend(single_axes(case));
            }
        }
        _ => {}
    }
}

/// A grid of axes and the call that created it.
struct Grid<'c> {
    cell: usize,
    python: &'c Cell,
    call: &'c ExprCall,
    /// Whether the axes were flattened: `axes.ravel()`.
    flat: bool,
}

/// The `subplots` call that created the axes with this name.
fn grid<'c>(case: &'c Case<'_>, axes: &str) -> Option<Grid<'c>> {
    let mut flat = false;
    for set in case.set_before(axes) {
        let python = case.python(set.cell)?;
        let Stmt::Assign(a) = crate::find::statement_of(python, set.binding.at)? else {
            return None;
        };
        let call = a.value.as_call_expr();
        if let Some(call) = call.filter(|c| callee(c) == Some("subplots")) {
            return Some(Grid {
                cell: set.cell,
                python,
                call,
                flat,
            });
        }
        // `axes = axes.ravel()`
        flat |= call.is_some_and(|c| matches!(callee(c), Some("ravel" | "flatten" | "reshape")));
        if !flat {
            return None;
        }
    }
    None
}

/// The rows and columns of a grid, if passed.
fn rows_columns(call: &ExprCall) -> (Option<&Expr>, Option<&Expr>) {
    let get = |at, name: &str| positional(call, at).or(keyword(call, name).map(|k| &k.value));
    (get(0, "nrows"), get(1, "ncols"))
}

/// The number of iterations as an expression, and what the loop iterates over.
fn length_of(python: &Cell, f: &StmtFor, counter: &str) -> Option<String> {
    let target = |e: &Expr| name(e) == Some(counter);
    match &*f.iter {
        Expr::Call(c) if callee(c) == Some("enumerate") => {
            let pair = f.target.as_tuple_expr()?;
            (target(pair.elts.first()?)
                && c.arguments.args.len() == 1
                && c.arguments.keywords.is_empty())
            .then(|| format!("len({})", python.slice(&c.arguments.args[0])))
        }
        Expr::Call(c) if callee(c) == Some("range") && c.arguments.args.len() == 1 => {
            target(&f.target).then(|| python.slice(&c.arguments.args[0]).to_owned())
        }
        _ => None,
    }
}

/// Axes indexed by a loop counter.
fn counted<'c>(
    case: &'c Case<'_>,
    spot: &Spot<'c>,
) -> Option<(&'c ExprSubscript, Grid<'c>, &'c str)> {
    spot.exprs.iter().find_map(|e| {
        let s = e.as_subscript_expr()?;
        Some((s, grid(case, name(&s.value)?)?, name(&s.slice)?))
    })
}

/// `losses[len(losses)]`: one past the end.
fn past_end(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let found = spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr()?;
        let list = name(&s.value)?;
        let length = s
            .slice
            .as_call_expr()
            .filter(|c| callee(c) == Some("len"))?;
        (name(positional(length, 0)?) == Some(list)).then_some((s, list))
    });
    let (subscript, list) = only(found)?;
    case.edits(
        said(
            "past-end",
            Basis::Language,
            format!("Replace `{}` by `{list}[-1]`", spot.text(subscript)),
            format!(
                "Positions begin at 0, so the last one is `len({list}) - 1`; `-1` means the same."
            ),
        ),
        vec![Change::replace(spot.cell, &*subscript.slice, "-1")],
    )
}

/// `ax[i]` past the end of `plt.subplots(6, 1)`: enlarges the grid to the number of plots.
fn too_small(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let (subscript, grid, counter) = counted(case, &spot)?;
    let axes = name(&subscript.value)?;
    let f = *loops_around(spot.python, subscript).last()?;
    let count = length_of(spot.python, f, counter)?;
    // What is counted must exist where the grid is created, and not be reassigned in between.
    let mut own = true;
    each_below(&f.iter, &mut |e| {
        if let Some(n) = name(e) {
            let set = case.last_set(n);
            own &=
                set.is_none_or(|s| s.cell != grid.cell || s.binding.at.start() < grid.call.start());
        }
    });
    if !own {
        return None;
    }
    let (rows, columns) = rows_columns(grid.call);
    let (rows_n, columns_n) = (rows.and_then(int_of), columns.map_or(Some(1), int_of));
    let simple = int_of_text(&count).is_some() || count.starts_with("len(");
    let (expr, text) = match (rows_n, columns_n) {
        (Some(_), Some(1)) => (rows?, count.clone()),
        (Some(1), Some(_)) => (columns?, count.clone()),
        (Some(_), Some(n)) if grid.flat && simple => (rows?, format!("-(-{count} // {n})")),
        _ => return None,
    };
    let was = grid.python.slice(grid.call).split_once('(')?.0;
    let old = grid.python.slice(expr);
    let size = match keyword(grid.call, "figsize") {
        Some(_) => " `figsize` may want to grow too.",
        None => "",
    };
    case.edits(
        said(
            "grid-size",
            Basis::Assumed,
            format!("Make the grid as long as what is plotted: `{text}` instead of `{old}` in `{was}`"),
            format!("The loop goes over {count} items, and `{axes}` has fewer places. The choice: a place for each, or stop the loop at `len({axes})`.{size}"),
        ),
        vec![Change::replace(grid.cell, expr, text)],
    )
}

fn int_of_text(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// `ax[i, j]` on a grid with one row or column.
fn one_row(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let subscript = only(spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr()?;
        let two = s.slice.as_tuple_expr().is_some_and(|t| t.elts.len() == 2);
        (two && name(&s.value).is_some_and(|n| grid(case, n).is_some())).then_some(s)
    }))?;
    let axes = name(&subscript.value)?;
    let grid = grid(case, axes)?;
    if grid.flat || keyword(grid.call, "squeeze").is_some() {
        return None;
    }
    // Code elsewhere that uses a single index would break.
    let mut single = false;
    for cell in [grid.cell, spot.cell] {
        each_expr(case.python(cell)?.body(), &mut |e| {
            if let Expr::Subscript(s) = e {
                single |= name(&s.value) == Some(axes) && !s.slice.is_tuple_expr();
            }
        });
    }
    if single {
        let indexes = subscript.slice.as_tuple_expr()?;
        let (rows, _) = rows_columns(grid.call);
        let keep = match rows.and_then(int_of) {
            Some(1) | None => &indexes.elts[1],
            Some(_) => &indexes.elts[0],
        };
        let text = spot.python.slice(keep);
        return case.edits(
            said(
                "axes-index",
                Basis::Assumed,
                format!(
                    "Replace `{}` by `{axes}[{text}]`",
                    spot.python.slice(subscript)
                ),
                format!("With one row or one column `{axes}` has one index."),
            ),
            vec![Change::replace(spot.cell, &*subscript.slice, text)],
        );
    }
    case.edits(
        said(
            "axes-index",
            Basis::Library,
            format!(
                "Add `squeeze=False` to `{}(…)`",
                grid.python.slice(&*grid.call.func)
            ),
            format!(
                "With one row or one column `{axes}` has one index; `squeeze=False` keeps two."
            ),
        ),
        vec![crate::find::add_argument(
            grid.cell,
            grid.python,
            grid.call,
            "squeeze=False",
        )],
    )
}

/// Methods of axes.
const DRAWS: &[&str] = &[
    "annotate",
    "axhline",
    "axis",
    "axvline",
    "bar",
    "barh",
    "boxplot",
    "contour",
    "contourf",
    "errorbar",
    "fill_between",
    "grid",
    "hist",
    "imshow",
    "legend",
    "matshow",
    "pie",
    "plot",
    "scatter",
    "set",
    "set_axis_off",
    "set_title",
    "set_xlabel",
    "set_xlim",
    "set_ylabel",
    "set_ylim",
    "stem",
    "step",
    "text",
    "tick_params",
    "twinx",
    "violinplot",
    "get_figure",
    "get_xaxis",
    "set_xticks",
    "set_yticks",
    "set_xticklabels",
    "xaxis",
    "yaxis",
    "get_legend_handles_labels",
];

/// `axes[i].plot(…)` on a grid with rows and columns: `axes[i]` is a row of axes.
fn row_of_axes(case: &Case<'_>, attribute: &str) -> Option<Cure> {
    DRAWS.contains(&attribute).then_some(())?;
    for spot in case.spots() {
        let python = spot.python;
        // The statement's own `axes[i].plot`, or `ax=axes[i]` passed to a library.
        let at = spot.exprs.iter().find_map(|e| match e {
            Expr::Attribute(a) if a.attr.as_str() == attribute => Some(&*a.value),
            Expr::Call(c) => keyword(c, "ax").map(|k| &k.value),
            _ => None,
        });
        let Some(at) = at else { continue };
        if let Some(axes) = name(at) {
            let grid = grid(case, axes)?;
            let (rows, columns) = rows_columns(grid.call);
            let (r, c) = (
                rows.and_then(int_of).unwrap_or(1),
                columns.and_then(int_of).unwrap_or(1),
            );
            let first = if r > 1 && c > 1 { "0, 0" } else { "0" };
            return case.edits(
                said(
                    "axes-index",
                    Basis::Guessed,
                    format!("Say which of the axes: `{axes}[{first}].{attribute}`"),
                    format!(
                        "`{axes}` is an array of axes, as `{}` made it. Choose the one to draw on.",
                        python_line(&grid)
                    ),
                ),
                vec![Change::after(spot.cell, at, format!("[{first}]"))],
            );
        }
        let s = at.as_subscript_expr()?;
        let axes = name(&s.value)?;
        let grid = grid(case, axes)?;
        let changes = subscripts(python, axes)
            .into_iter()
            .map(|s| Change::replace(spot.cell, &*s.value, format!("{axes}.flat")))
            .collect();
        return case.edits(
            said(
                "axes-index",
                Basis::Assumed,
                format!("Replace `{axes}[…]` by `{axes}.flat[…]`"),
                format!("`{}` makes rows and columns of axes, so `{axes}[{}]` is a whole row; `.flat` counts them one by one.", python_line(&grid), python.slice(&*s.slice)),
            ),
            changes,
        );
    }
    None
}

fn python_line<'c>(grid: &Grid<'c>) -> &'c str {
    grid.python.slice(grid.call).lines().next().unwrap_or("")
}

/// The subscripts of a name that have one index.
fn subscripts<'c>(python: &'c Cell, axes: &str) -> Vec<&'c ExprSubscript> {
    let mut out = Vec::new();
    each_expr(python.body(), &mut |e| {
        if let Expr::Subscript(s) = e {
            if name(&s.value) == Some(axes) && !s.slice.is_tuple_expr() {
                out.push(s);
            }
        }
    });
    out
}

/// `ax[0]` on `plt.subplots()` or `plt.subplots(1)`: a single axes object, not an array.
fn single_axes(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let s = spot.exprs.iter().find_map(|e| {
        let s = e.as_subscript_expr()?;
        grid(case, name(&s.value)?).is_some().then_some(s)
    })?;
    let axes = name(&s.value)?;
    let grid = grid(case, axes)?;
    let text = spot.python.slice(s);
    if !s.slice.is_tuple_expr() {
        let (rows, columns) = rows_columns(grid.call);
        // The number of rows is a variable, which was 1.
        let counted = rows.or(columns).is_some_and(|e| int_of(e).is_none());
        if counted {
            let stmt = crate::find::statement_of(grid.python, grid.call.range)?;
            let np = case.alias_of("numpy")?;
            return case.edits(
                said(
                    "axes-index",
                    Basis::Library,
                    format!("Make `{axes}` an array also if there is one: `{np}.atleast_1d({axes})`"),
                    format!("For one row and column `subplots` returns the axes themselves, which have no `{text}`."),
                ),
                vec![crate::find::lines_after(grid.cell, grid.python, stmt, &format!("{axes} = {np}.atleast_1d({axes})"))],
            );
        }
        let changes = subscripts(spot.python, axes)
            .into_iter()
            .map(|s| Change::replace(spot.cell, s, axes))
            .collect();
        return case.edits(
            said(
                "axes-index",
                Basis::Assumed,
                format!("Replace `{text}` by `{axes}`"),
                format!(
                    "`{}` makes one axes, not an array. For several give `subplots` their number.",
                    python_line(&grid)
                ),
            ),
            changes,
        );
    }
    case.edits(
        said(
            "axes-index",
            Basis::Library,
            format!(
                "Add `squeeze=False` to `{}(…)`",
                grid.python.slice(&*grid.call.func)
            ),
            format!("It keeps `{axes}` an array with two indexes, also for one row and column."),
        ),
        vec![crate::find::add_argument(
            grid.cell,
            grid.python,
            grid.call,
            "squeeze=False",
        )],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_at as at;

    #[test]
    fn a_grid_grows_with_what_is_plotted() {
        let cell = |grid: &str| {
            format!("fig, ax = plt.subplots({grid}, figsize=(5, 9))\nfor i, c in enumerate(df.columns):\n    ax[i].hist(df[c])")
        };
        let message = "index 4 is out of bounds for axis 0 with size 4";
        assert_eq!(
            at(&[&cell("4, 1")], 3, "IndexError", message),
            cell("len(df.columns), 1")
        );
        assert_eq!(
            at(&[&cell("1, 4")], 3, "IndexError", message),
            cell("1, len(df.columns)")
        );
        assert_eq!(at(&[&cell("ncols=4")], 3, "IndexError", message), "");
        let flat = |rows: &str| {
            format!("fig, ax = plt.subplots({rows}, 2)\nax = ax.ravel()\nfor i, c in enumerate(cols):\n    sns.histplot(df[c], ax=ax[i])")
        };
        assert_eq!(
            at(&[&flat("2")], 4, "IndexError", message),
            flat("-(-len(cols) // 2)")
        );
    }

    #[test]
    fn the_length_is_no_position() {
        let cells = ["losses = [1, 2]", "print(losses[len(losses)])"];
        assert_eq!(
            at(&cells, 1, "IndexError", "list index out of range"),
            "print(losses[-1])"
        );
    }

    #[test]
    fn axes_of_one_row() {
        let message = "too many indices for array: array is 1-dimensional, but 2 were indexed";
        assert_eq!(
            at(
                &["f, ax = plt.subplots(1, 3)", "ax[0, 1].plot(x)"],
                1,
                "IndexError",
                message
            ),
            "f, ax = plt.subplots(1, 3, squeeze=False)"
        );
        assert_eq!(
            at(
                &[
                    "f, ax = plt.subplots(1, 3)\nax[2].plot(y)",
                    "ax[0, 1].plot(x)"
                ],
                1,
                "IndexError",
                message
            ),
            "ax[1].plot(x)"
        );
    }

    #[test]
    fn axes_of_several_rows() {
        let cells = ["fig, axs = plt.subplots(2, 2)\nfor i in range(4):\n    axs[i].imshow(x[i])\n    axs[i].axis('off')"];
        assert_eq!(
            at(&cells, 3, "AttributeError", "'numpy.ndarray' object has no attribute 'imshow'"),
            "fig, axs = plt.subplots(2, 2)\nfor i in range(4):\n    axs.flat[i].imshow(x[i])\n    axs.flat[i].axis('off')"
        );
        let cells = ["fig, ax = plt.subplots(figsize=(3, 3))\nax[0].plot(x)"];
        for name in ["AxesSubplot", "Axes"] {
            assert_eq!(
                at(
                    &cells,
                    2,
                    "TypeError",
                    &format!("'{name}' object is not subscriptable")
                ),
                "fig, ax = plt.subplots(figsize=(3, 3))\nax.plot(x)"
            );
        }
    }
}
