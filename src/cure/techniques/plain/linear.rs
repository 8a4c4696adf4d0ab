//! Linear algebra: matrices that are singular or not positive definite.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{add_argument, callee, only, said, tight};
use crate::sized::{Sources, MAX_STEPS};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::ExprCall;
use nbmedic_python::{keyword, positional};
use nbmedic_values::Model;
use nbmedic_wordings::numpy;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() != "LinAlgError" {
        return;
    }
    let message = case.message();
    out.extend(if numpy::SINGULAR_MATRIX.begins(message) {
        rows_as_variables(case).or_else(|| singular(case))
    } else if numpy::NOT_DEFINITE.is_in(message) {
        rows_as_variables(case).or_else(|| definite(case))
    } else {
        None
    });
}

/// `np.cov(x)` of samples in rows: a covariance of more variables than samples has no full rank.
fn rows_as_variables(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let matrix = spot.calls().find_map(|c| {
        let at = case.made(spot.cell, positional(c, 0)?)?;
        let call = at.expr.as_call_expr()?;
        matches!(
            case.path_of(&call.func)?.as_str(),
            "numpy.cov" | "numpy.corrcoef"
        )
        .then_some((at.cell, call))
    });
    let (cell, call) = matrix?;
    let [samples] = &call.arguments.args[..] else {
        return None;
    };
    let sources = Sources(case);
    let value = Model::new(&sources, MAX_STEPS).of(cell, samples);
    let [rows, columns] = value.shape()?[..] else {
        return None;
    };
    if rows <= columns || keyword(call, "rowvar").is_some() {
        return None;
    }
    let python = case.python(cell)?;
    let text = python.slice(call);
    case.edits(
        said(
            "rowvar",
            Basis::Assumed,
            format!("Add `rowvar=False` to `{text}`"),
            format!(
                "It takes each of the {rows} rows of `{}` for a variable. Samples in rows have their {columns} variables in columns.",
                python.slice(samples)
            ),
        ),
        vec![add_argument(cell, python, call, "rowvar=False")],
    )
}

fn singular(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let is = |c: &&ExprCall| {
        let path = case.path_of(&c.func).unwrap_or_default();
        matches!(path.as_str(), "numpy.linalg.inv" | "numpy.linalg.solve")
    };
    let call = only(spot.calls().filter(is))?;
    let matrix = spot.text(positional(call, 0)?);
    let function = spot.text(&*call.func);
    let base = function.strip_suffix(callee(call)?)?;
    if callee(call) == Some("inv") {
        return case.edits(
            said(
                "pseudo-inverse",
                Basis::Assumed,
                format!("Replace `{function}` by `{base}pinv`"),
                format!("`{matrix}` has no inverse: some of its columns follow from the others. The pseudo-inverse solves it with the least error."),
            ),
            vec![Change::replace(spot.cell, &*call.func, format!("{base}pinv"))],
        );
    }
    let (a, b) = (positional(call, 0)?, positional(call, 1)?);
    let new = format!(
        "{base}lstsq({}, {}, rcond=None)[0]",
        spot.text(a),
        spot.text(b)
    );
    case.edits(
        said(
            "least-squares",
            Basis::Assumed,
            format!("Replace `{function}` by `{base}lstsq`"),
            format!("`{matrix}` is singular: some of its columns follow from the others. Least squares gives the smallest solution that fits best."),
        ),
        vec![Change::replace(spot.cell, call, new)],
    )
}

fn definite(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let is = |c: &&ExprCall| case.path_of(&c.func).as_deref() == Some("numpy.linalg.cholesky");
    let call = only(spot.calls().filter(is))?;
    let value = positional(call, 0)?;
    let numpy = case.alias_of("numpy")?;
    let text = tight(spot.python, value);
    let new = format!("{text} + 1e-6 * {numpy}.eye(len({}))", spot.text(value));
    case.edits(
        said(
            "jitter",
            Basis::Assumed,
            format!("Add 1e-6 to the diagonal of `{text}`"),
            format!("`{text}` has eigenvalues of 0 or, by rounding, below. If that is still too little, raise it tenfold; a matrix that is far from positive definite is none."),
        ),
        vec![Change::replace(spot.cell, value, new)],
    )
}
