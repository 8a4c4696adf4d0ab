//! Parameters of pipeline steps in a grid.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{name, said, text_of};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprDict};
use nbmedic_python::{calls, keyword, positional, Ranged};
use nbmedic_wordings::sklearn;

/// Search classes that take a parameter grid.
const SEARCHES: &[&str] = &[
    "GridSearchCV",
    "RandomizedSearchCV",
    "HalvingGridSearchCV",
    "HalvingRandomSearchCV",
    "BayesSearchCV",
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() != "ValueError" {
        return;
    }
    let message = case.message();
    match sklearn::INVALID_PARAMETER.read(message) {
        Some([key, "Pipeline"]) => out.extend(prefixed(case, key, message)),
        Some([key, _]) => out.extend(bare(case, key)),
        None => {}
    }
}

/// The grids passed to searches, with their cells.
fn grids<'c>(case: &'c Case<'_>) -> Vec<(usize, &'c ExprDict)> {
    let mut out: Vec<(usize, &ExprDict)> = Vec::new();
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        for call in calls(python.body()) {
            let called = nbmedic_python::name_of(&call.func).unwrap_or_default();
            if !SEARCHES.contains(&called.rsplit('.').next().unwrap_or("")) {
                continue;
            }
            let named = ["param_grid", "param_distributions", "search_spaces"];
            let given = named
                .iter()
                .find_map(|n| keyword(call, n))
                .map(|k| &k.value);
            let Some(given) = given.or_else(|| positional(call, 1)) else {
                continue;
            };
            let found = match (given, name(given)) {
                (Expr::Dict(d), _) => Some((at, d)),
                (_, Some(n)) => case
                    .value(n)
                    .and_then(|(cell, v)| Some((cell, v.as_dict_expr()?))),
                _ => None,
            };
            out.extend(found);
        }
    }
    out
}

/// The keys of a grid, with their nodes.
fn keys(grid: &ExprDict) -> Option<Vec<(&str, &Expr)>> {
    let all = grid.items.iter().map(|i| {
        let key = i.key.as_ref()?;
        Some((text_of(key)?, key))
    });
    all.collect()
}

/// A grid for a pipeline prefixes each parameter with the step.
fn prefixed(case: &Case<'_>, key: &str, pipeline: &str) -> Option<Cure> {
    // `steps=[('scaler', StandardScaler()), ('svc', SVC())]`: parameters usually belong to the last
    // step.
    let steps = pipeline.split_once("steps=[")?.1;
    let step = steps.rsplit("('").next()?.split('\'').next()?;
    let plain = step.chars().all(|c| c.is_alphanumeric() || c == '_');
    // A long pipeline is printed with its middle omitted.
    (plain && !step.is_empty() && !steps.contains("...")).then_some(())?;
    let (cell, keys) = grids(case).into_iter().find_map(|(cell, grid)| {
        let keys = keys(grid)?;
        keys.iter().any(|(k, _)| *k == key).then_some((cell, keys))
    })?;
    let python = case.python(cell)?;
    let changes = keys.iter().filter(|(k, _)| !k.contains("__"));
    let changes = changes.map(|(k, e)| {
        let mark = python.slice(*e).chars().next_back().unwrap_or('"');
        Change::replace(cell, e.range(), format!("{mark}{step}__{k}{mark}"))
    });
    case.edits(
        said(
            "step-parameters",
            Basis::Assumed,
            format!("Name the step: `{step}__{key}`"),
            format!("In a pipeline a parameter is the step's name, two underscores and its own name. The choice is the step: `{step}` is the last one."),
        ),
        changes.collect(),
    )
}

/// A grid for a plain estimator has no prefixes: `Invalid parameter 'svc' for estimator SVC()`.
fn bare(case: &Case<'_>, key: &str) -> Option<Cure> {
    let start = format!("{key}__");
    let (cell, keys) = grids(case).into_iter().find_map(|(cell, grid)| {
        let keys = keys(grid)?;
        let all = keys.iter().all(|(k, _)| k.starts_with(&start));
        (all && !keys.is_empty()).then_some((cell, keys))
    })?;
    let python = case.python(cell)?;
    let changes = keys.iter().map(|(k, e)| {
        let mark = python.slice(*e).chars().next_back().unwrap_or('"');
        let own = k.strip_prefix(&start).unwrap_or(k);
        Change::replace(cell, e.range(), format!("{mark}{own}{mark}"))
    });
    case.edits(
        said(
            "step-parameters",
            Basis::Source,
            format!("Take `{start}` off the names in the grid"),
            format!("The search gets the estimator itself, no pipeline with a step `{key}`."),
        ),
        changes.collect(),
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{error_at, repaired};

    #[test]
    fn a_grid_names_the_steps_that_there_are() {
        let check = |grid: &str, message: &str, after: &str| {
            let cells = [grid, "GridSearchCV(model, grid, cv=3).fit(X, y)"];
            let error = error_at(&cells, 1, "ValueError", message);
            assert_eq!(repaired(&cells, &error), after);
        };
        check(
            "grid = {'depth': [1, 2], \"rate\": [3]}",
            "Invalid parameter 'depth' for estimator Pipeline(steps=[('scale', MinMaxScaler()), ('tree', Tree())]). Valid parameters are: ['memory', 'steps', 'verbose'].",
            "grid = {'tree__depth': [1, 2], \"tree__rate\": [3]}",
        );
        check(
            "grid = {'tree__depth': [1, 2]}",
            "Invalid parameter 'tree' for estimator Tree(). Valid parameters are: ['depth', 'rate'].",
            "grid = {'depth': [1, 2]}",
        );
    }
}
