//! `plt.subplots(1, n)` gives an array of plots, but for one plot the plot itself.

use crate::case::Case;
use crate::find::{callee, int_of, name, only, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::Expr;
use nbmedic_python::{calls, keyword, Ranged};
use nbmedic_wordings::python;

pub(super) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let of = [
        python::NOT_ITERABLE.read(message).map(|[kind]| kind),
        python::NOT_SUBSCRIPTABLE.read(message).map(|[kind]| kind),
        python::ATTRIBUTE
            .read(message)
            .filter(|[_, n]| matches!(*n, "flat" | "flatten" | "ravel" | "reshape"))
            .map(|[kind, _]| kind),
    ];
    let single = of
        .into_iter()
        .flatten()
        .any(|k| matches!(k, "Axes" | "AxesSubplot"));
    out.extend(single.then(|| as_array(case)).flatten());
}

/// Makes the name of the plots an array below the line that sets it.
fn as_array(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let mut names: Vec<&str> = spot.exprs.iter().filter_map(|e| name(e)).collect();
    names.sort_unstable();
    names.dedup();
    let sets = names.into_iter().filter_map(|n| {
        let set = case.last_set(n)?;
        let assign = set.binding.stmt.as_assign_stmt()?;
        let pair = assign.targets.iter().any(Expr::is_tuple_expr);
        let call = assign.value.as_call_expr().filter(|_| pair)?;
        plots(case, call).then_some((n, set.cell, set.binding.stmt))
    });
    let (axes, cell, stmt) = only(sets)?;
    let editor = case.editor(cell)?;
    let (np, import) = case.alias_or_import("numpy", "np");
    let line = format!("{axes} = {np}.atleast_1d({axes})");
    let mut changes = vec![editor.below(stmt, &line)];
    changes.extend(import.map(|line| editor.import(&line)));
    case.edits(
        said(
            "one-plot",
            Basis::Library,
            format!("Make `{axes}` an array for one plot, too: `{line}`"),
            "`subplots` gives an array of plots, but if there is one only, that plot itself.",
        ),
        changes,
    )
}

/// Whether a call gives plots: `plt.subplots(…)`, or a function of the notebook that calls it.
fn plots(case: &Case<'_>, call: &nbmedic_python::ast::ExprCall) -> bool {
    if callee(call) == Some("subplots") {
        // `subplots()` and `subplots(1, 1)` always give the plot itself.
        let counts = [keyword(call, "nrows"), keyword(call, "ncols")];
        let counts = counts.into_iter().flatten().map(|k| &k.value);
        let all = call.arguments.args.iter().chain(counts);
        return all.filter(|e| int_of(e).is_none()).count() > 0;
    }
    let own = name(&call.func).and_then(|f| case.last_set(f));
    let f = own.and_then(|s| s.binding.stmt.as_function_def_stmt());
    f.is_some_and(|f| {
        calls(&f.body)
            .iter()
            .any(|c| callee(c) == Some("subplots") && f.range().contains_range(c.range()))
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at};

    #[test]
    fn one_plot_is_an_array_of_one() {
        let cells = [
            "import matplotlib.pyplot as plt\nimport numpy as np\ndef panels(n):\n    fig, axes = plt.subplots(1, n)\n    return fig, axes",
            "fig, axes = panels(len(big))\nfor ax, st in zip(axes, big):\n    ax.set_title(st)",
        ];
        let error = crate::tests::ipython(
            "TypeError",
            &[(2, 2, "for ax, st in zip(axes, big):")],
            "'Axes' object is not iterable",
        );
        let all = cures_of(&cells, &error);
        assert_eq!(
            all[0].code,
            "fig, axes = panels(len(big))\naxes = np.atleast_1d(axes)\nfor ax, st in zip(axes, big):\n    ax.set_title(st)",
            "{all:?}"
        );
        let cells = ["ax = plt.gca()", "for a in ax: a.plot(x)"];
        let error = error_at(&cells, 1, "TypeError", "'Axes' object is not iterable");
        assert!(cures_of(&cells, &error).iter().all(|c| c.id != "one-plot"));
    }
}
