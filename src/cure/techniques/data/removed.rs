//! Arguments that were removed, where more than a name changes.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{argument_with_comma, callee, name, receiver, said, text_of, Spot};
use crate::top::at_top;
use nbmedic_facts::{Applicability, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Keyword};
use nbmedic_python::{keyword, Ranged};

fn drop_it(
    case: &Case<'_>,
    spot: &Spot<'_>,
    call: &ExprCall,
    k: &Keyword,
    applies: Applicability,
    why: &str,
) -> Option<Cure> {
    let text = spot.python.slice(k);
    let range = argument_with_comma(spot.python, call, k.range());
    case.edits(
        said("drop-argument", applies, format!("Remove `{text}`"), why),
        vec![Change::replace(spot.cell, range, "")],
    )
}

fn is_false(e: &Expr) -> bool {
    e.as_boolean_literal_expr().is_some_and(|b| !b.value) || e.is_none_literal_expr()
}

/// Arguments whose replacement is more than a name.
pub(super) fn special(
    case: &Case<'_>,
    spot: &Spot<'_>,
    call: &ExprCall,
    k: &Keyword,
    argument: &str,
) -> Option<Cure> {
    let called = callee(call)?;
    let python = spot.python;
    match (called, argument) {
        ("mean_squared_error" | "mean_squared_log_error", "squared") => {
            let range = argument_with_comma(python, call, k.range());
            let mut changes = vec![Change::replace(spot.cell, range, "")];
            let root = is_false(&k.value);
            if root {
                changes.push(Change::after(spot.cell, call, " ** 0.5"));
            }
            let applies = if k.value.is_boolean_literal_expr() { Applicability::Sure } else { return None };
            let title = match root {
                true => format!("Take the root yourself: `{called}(…) ** 0.5`"),
                false => "Remove `squared=True`".to_owned(),
            };
            case.edits(
                said("squared", applies, title, "scikit-learn 1.6 removed `squared`; `root_mean_squared_error` is the same, from 1.4 on."),
                changes,
            )
        }
        (_, "normalize") => match is_false(&k.value) {
            true => drop_it(case, spot, call, k, Applicability::Sure, "scikit-learn 1.2 removed it, and `False` was its default."),
            false => drop_it(case, spot, call, k, Applicability::Likely, "scikit-learn 1.2 removed it. For the same effect scale the features first, with `StandardScaler`."),
        },
        ("fillna", "method") => {
            let to = match text_of(&k.value)? {
                "ffill" | "pad" => "ffill",
                "bfill" | "backfill" => "bfill",
                _ => return None,
            };
            let method = &call.func.as_attribute_expr()?.attr;
            let range = argument_with_comma(python, call, k.range());
            case.edits(
                said("fill-method", Applicability::Sure, format!("Replace `fillna({})` by `{to}()`", python.slice(k)), "pandas 3.0 removed `method` of `fillna`."),
                vec![Change::replace(spot.cell, method, to), Change::replace(spot.cell, range, "")],
            )
        }
        ("read_csv" | "read_table", "error_bad_lines" | "warn_bad_lines") => {
            let bad = match (argument, is_false(&k.value)) {
                ("error_bad_lines", true) => "\"skip\"",
                ("error_bad_lines", false) => "\"error\"",
                (_, true) => return drop_it(case, spot, call, k, Applicability::Sure, "pandas 2.0 removed it; `on_bad_lines` says what happens to such lines."),
                _ => "\"warn\"",
            };
            let mut changes = vec![Change::replace(spot.cell, k, format!("on_bad_lines={bad}"))];
            if let Some(warn) = keyword(call, "warn_bad_lines").filter(|w| argument == "error_bad_lines" && w.range() != k.range()) {
                changes.push(Change::replace(spot.cell, argument_with_comma(python, call, warn.range()), ""));
            }
            case.edits(
                said("bad-lines", Applicability::Sure, format!("Replace `{}` by `on_bad_lines={bad}`", python.slice(k)), "pandas 2.0 removed the old argument."),
                changes,
            )
        }
        ("gca", "projection") => {
            let method = &call.func.as_attribute_expr()?.attr;
            case.edits(
                said("subplot", Applicability::Sure, "Replace `gca` by `add_subplot`", "Since Matplotlib 3.7 `gca` takes no arguments; `add_subplot` makes axes with a projection."),
                vec![Change::replace(spot.cell, method, "add_subplot")],
            )
        }
        ("fit", "early_stopping_rounds" | "eval_metric" | "callbacks" | "verbose") => boosting(case, spot, call, k, argument),
        ("set_axis" | "rename" | "drop" | "sort_values" | "reset_index", "inplace") if is_false(&k.value) => {
            drop_it(case, spot, call, k, Applicability::Sure, "This version has no `inplace` here, and `False` was its default.")
        }
        ("set_axis", "inplace") => {
            let on = name(receiver(call)?)?;
            let alone = spot.stmt?.as_expr_stmt()?.value.range() == call.range();
            alone.then_some(())?;
            let range = argument_with_comma(python, call, k.range());
            case.edits(
                said("inplace", Applicability::Sure, format!("Set `{on}` to the result, without `inplace`"), "pandas 2.0 removed `inplace` of `set_axis`."),
                vec![Change::before(spot.cell, call, format!("{on} = ")), Change::replace(spot.cell, range, "")],
            )
        }
        _ => None,
    }
}

/// XGBoost 2 and LightGBM 4 moved arguments of `fit`.
fn boosting(
    case: &Case<'_>,
    spot: &Spot<'_>,
    call: &ExprCall,
    k: &Keyword,
    argument: &str,
) -> Option<Cure> {
    let model = name(receiver(call)?)?;
    let (cell, value) = case.value(model)?;
    let made = value.as_call_expr()?;
    let class = callee(made)?;
    let python = spot.python;
    let text = python.slice(k);
    let range = argument_with_comma(python, call, k.range());
    if class.starts_with("XGB")
        && matches!(
            argument,
            "early_stopping_rounds" | "eval_metric" | "callbacks"
        )
    {
        keyword(made, argument).is_none().then_some(())?;
        let add = crate::find::add_argument(cell, case.python(cell)?, made, text);
        return case.edits(
            said(
                "move-argument",
                Applicability::Sure,
                format!("Move `{text}` from `fit` to `{class}(…)`"),
                "XGBoost 2.0 takes it where the model is made.",
            ),
            vec![Change::replace(spot.cell, range, ""), add],
        );
    }
    if class.starts_with("LGBM") && argument == "early_stopping_rounds" {
        let (module, import) = match case.alias_of("lightgbm") {
            Some(alias) => (alias, None),
            None => ("lightgbm".to_owned(), Some("import lightgbm")),
        };
        keyword(call, "callbacks").is_none().then_some(())?;
        let mut changes = vec![Change::replace(
            spot.cell,
            k,
            format!(
                "callbacks=[{module}.early_stopping({})]",
                python.slice(&k.value)
            ),
        )];
        if let Some(import) = import {
            changes.push(at_top(spot.cell, python, import));
        }
        if let Some(verbose) = keyword(call, "verbose") {
            changes.push(Change::replace(
                spot.cell,
                argument_with_comma(python, call, verbose.range()),
                "",
            ));
        }
        return case.edits(
            said(
                "move-argument",
                Applicability::Sure,
                format!("Replace `{text}` by a callback"),
                "LightGBM 4.0 stops early by `callbacks=[early_stopping(…)]`.",
            ),
            changes,
        );
    }
    if class.starts_with("LGBM") && argument == "verbose" {
        return drop_it(case, spot, call, k, Applicability::Sure, "LightGBM 4.0 removed it from `fit`; `callbacks=[lightgbm.log_evaluation(n)]` prints every n rounds.");
    }
    None
}
