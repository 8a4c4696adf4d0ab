//! Members of the user's classes, and of models that a name referred to before.

use crate::case::Case;
use crate::closest::closest;
use crate::edit::Change;
use crate::find::{callee, only, receiver, said, Spot};
use crate::techniques::name_scope::members;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, Stmt};
use nbmedic_python::{each_expr, name_of};

/// A member of one of the user's classes: misspelled, or a misspelled `__init__`.
pub(super) fn own_class(case: &Case<'_>, spot: &Spot<'_>, kind: &str, name: &str) -> Option<Cure> {
    let set = case.last_set(kind)?;
    let class = set.binding.stmt.as_class_def_stmt()?;
    let methods = class.body.iter().filter_map(|s| s.as_function_def_stmt());
    for m in methods {
        let plain = m.name.as_str().trim_matches('_');
        let init = matches!(plain, "init" | "int" | "inti") && m.name.as_str() != "__init__";
        if init && m.name.as_str().starts_with('_') {
            return case.edits(
                said(
                    "init-name",
                    Basis::Language,
                    format!("Write `__init__` for `{}` in `{kind}`", m.name),
                    format!("Python calls only `__init__`, so nothing sets `{name}`."),
                ),
                vec![Change::replace(set.cell, &m.name, "__init__")],
            );
        }
    }
    let mut known = members(class);
    let base = class
        .arguments
        .iter()
        .flat_map(|a| &a.args)
        .find_map(name_of);
    if base.is_some_and(|b| b.ends_with("Enum") || b.ends_with("Flag")) {
        known.extend(["name", "value"]);
    }
    let right = crate::techniques::misspelt_name::suggested(case.message())
        .filter(|s| known.contains(s))
        .or_else(|| closest(name, known.iter().copied()))?;
    // A name that is defined but never read, while the other name is read more than once, is
    // misspelled in its definition.
    let defined = class.body.iter().filter_map(|s| s.as_function_def_stmt());
    if let Some(method) = only(defined.filter(|f| f.name.as_str() == right)) {
        if reads(case, right) == 0 && reads(case, name) > 1 {
            return case.edits(
                said(
                    "misspelt-member",
                    Basis::Source,
                    format!("Replace `def {right}` by `def {name}` in `{kind}`"),
                    format!("Nothing calls `{right}`; `{name}` is called, and `{kind}` has none."),
                ),
                vec![Change::replace(set.cell, &method.name, name)],
            );
        }
    }
    let changes: Vec<Change> = spot
        .attributes(name)
        .map(|a| Change::replace(spot.cell, &a.attr, right))
        .collect();
    case.edits(
        said(
            "misspelt-member",
            Basis::Assumed,
            format!("Replace `.{name}` by `.{right}`"),
            format!("`{kind}` (cell {}) has `{right}`.", case.position(set.cell)),
        ),
        changes,
    )
}

/// How often the notebook reads an attribute of this name.
fn reads(case: &Case<'_>, name: &str) -> usize {
    let mut count = 0;
    for cell in 0..case.book.cells().len() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        each_expr(python.body(), &mut |e| {
            let read = e
                .as_attribute_expr()
                .is_some_and(|a| a.attr.as_str() == name);
            count += usize::from(read);
        });
    }
    count
}

/// Feature importances or coefficients of a different model in the notebook.
pub(super) fn fitted_before(case: &Case<'_>, spot: &Spot<'_>, name: &str) -> Option<Cure> {
    let has = |class: &str| match name {
        "feature_importances_" => {
            ["Forest", "Boost", "Tree", "XGB", "LGBM"]
                .iter()
                .any(|p| class.contains(p))
                && !class.contains("Hist")
        }
        "coef_" | "intercept_" => ["Linear", "Logistic", "Ridge", "Lasso", "Elastic", "SGD"]
            .iter()
            .any(|p| class.contains(p)),
        _ => false,
    };
    let a = only(spot.attributes(name))?;
    let model = a.value.as_name_expr()?.id.as_str();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let mut found: Option<(&Expr, &str)> = None;
        nbmedic_python::each_stmt(python.body(), &mut |s| {
            let Stmt::Assign(assign) = s else { return };
            let target = assign.targets.first().and_then(|t| t.as_name_expr());
            let call = assign.value.as_call_expr();
            let class = call.and_then(callee).unwrap_or("");
            if target.is_some_and(|t| t.id.as_str() == model) && has(class) {
                found = Some((&assign.value, class));
            }
        });
        let Some((value, class)) = found else {
            continue;
        };
        // How the notebook fits it.
        let mut fit = None;
        each_expr(python.body(), &mut |e| {
            let call = e.as_call_expr().filter(|c| callee(c) == Some("fit"));
            if call.and_then(receiver).and_then(name_of).as_deref() == Some(model) {
                fit = Some(python.slice(e));
            }
        });
        let stmt = spot.stmt?;
        let text = format!("{model} = {}\n{}", python.slice(value), fit?);
        return case.edits(
            said(
                "model-before",
                Basis::Assumed,
                format!("Fit the `{class}` of cell {} again before you read `{name}`", case.position(cell)),
                format!("`{model}` was set to another model since, and that has no `{name}`. From here on `{model}` is the `{class}`."),
            ),
            vec![crate::find::lines_before(spot.cell, spot.python, stmt, &text)],
        );
    }
    None
}
