//! PyTorch training: optimizer arguments, graphs prevented by `no_grad`, dataset splits, indexes.

use crate::case::Case;
use crate::code::{argument, Code};
use crate::edit::Change;
use crate::find::{callee, int_of, name, only, receiver, said, tight, Spot};
use crate::known::function_around;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, StmtAssign, StmtWith};
use nbmedic_python::{
    calls, each_below, each_stmt, keyword, name_of, positional, Cell, Ranged, TextRange,
};
use nbmedic_wordings::{python, torch};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let Some(spot) = case.spot() else { return };
    // Adding a class would hide what is wrong with the labels.
    if case.class() == "IndexError" && message.starts_with("Target ") {
        if let Some(cure) = from_one(case, &spot) {
            out.push(cure);
            return;
        }
    }
    out.extend(match case.class() {
        "TypeError" if python::NOT_ITERABLE.is_in(message) => parameters(case, &spot),
        "TypeError"
            if message.contains("argument given to the optimizer should be an iterable") =>
        {
            parameters(case, &spot)
        }
        "ValueError" if torch::EMPTY_PARAMETERS.begins(message) => layers(case),
        "ValueError" if message.starts_with("Sum of input lengths does not equal the length") => {
            lengths(case, &spot)
        }
        "RuntimeError" if torch::NO_GRAD.is_in(message) => untracked(case, &spot),
        "RuntimeError" if torch::SIZES_JOINED.begins(message) => joined(case, &spot),
        "RuntimeError" if torch::NUMPY_OF_GRAD.begins(message) => collected(case, &spot),
        "IndexError" if torch::INDEX_DTYPE.begins(message) => index(case, &spot),
        _ => None,
    });
}

/// Functions that take a model's parameters.
const TAKES_PARAMETERS: &[&str] = &[
    "clip_grad_norm_",
    "clip_grad_value_",
    "Adam",
    "AdamW",
    "SGD",
    "RMSprop",
    "Adagrad",
    "Adadelta",
    "Adamax",
    "NAdam",
    "RAdam",
    "LBFGS",
];

/// `clip_grad_norm_(model, 1.0)`
fn parameters(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let takes = |c: &&ExprCall| callee(c).is_some_and(|f| TAKES_PARAMETERS.contains(&f));
    let call = only(spot.calls().filter(takes))?;
    let given = argument(call, 0, "params")?;
    name_of(given)?;
    let text = spot.text(given);
    case.edits(
        said(
            "model-parameters",
            Basis::Library,
            format!(
                "Give `{}` the parameters: `{text}.parameters()`",
                callee(call)?
            ),
            "It iterates over tensors; a model isn't one.",
        ),
        vec![spot.editor().append(given, ".parameters()")],
    )
}

/// `self.layers = [nn.Linear(4, 4), …]`: a list hides its layers from `parameters()`.
fn layers(case: &Case<'_>) -> Option<Cure> {
    let makes = |e: &Expr| {
        let mut found = false;
        each_below(e, &mut |e| {
            let path = e.as_call_expr().and_then(|c| case.path_of(&c.func));
            found |= path.is_some_and(|p| p.starts_with("torch.nn."));
        });
        found
    };
    let mut found: Vec<(usize, &Cell, &StmtAssign)> = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        each_stmt(python.body(), &mut |s| {
            let Some(a) = s.as_assign_stmt() else { return };
            let own = a.targets.iter().any(|t| {
                let t = t.as_attribute_expr();
                t.is_some_and(|t| name(&t.value) == Some("self"))
            });
            let hides = matches!(&*a.value, Expr::List(_) | Expr::ListComp(_) | Expr::Dict(_));
            let filled = || {
                a.value.as_list_expr().is_some_and(|l| l.elts.is_empty())
                    && appended(python, a, &makes)
            };
            if own && hides && (makes(&a.value) || filled()) {
                found.push((cell, python, a));
            }
        });
    }
    let (cell, python, assign) = only(found.into_iter())?;
    let (kind, what) = match assign.value.is_dict_expr() {
        true => ("ModuleDict", "dict"),
        false => ("ModuleList", "list"),
    };
    let (nn, import) = case.alias_or_import("torch.nn", "nn");
    if import.is_some() {
        return None;
    }
    let text = match python.slice(&*assign.value) {
        "[]" => "",
        text => text,
    };
    let target = python.slice(assign.targets.first()?);
    case.edits(
        said(
            "module-list",
            Basis::Library,
            format!("Make `{target}` an `{nn}.{kind}`"),
            format!("A plain {what} hides its layers: `parameters()`, `to(device)` and `state_dict()` don't find them."),
        ),
        vec![Change::replace(cell, &*assign.value, format!("{nn}.{kind}({text})"))],
    )
}

/// Whether the list that an assignment makes gets layers: `self.layers.append(nn.Linear(4, 4))`.
fn appended(python: &Cell, assign: &StmtAssign, makes: &dyn Fn(&Expr) -> bool) -> bool {
    let target = assign.targets.first().map(|t| python.slice(t));
    calls(python.body()).iter().any(|c| {
        let adds = callee(c) == Some("append") && receiver(c).map(|r| python.slice(r)) == target;
        adds && c.arguments.args.iter().any(makes)
    })
}

/// `random_split(data, [80, 20])` with 101 samples.
fn lengths(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let call = spot.call("random_split")?;
    let (data, parts) = (positional(call, 0)?, positional(call, 1)?);
    let parts = match parts {
        Expr::List(l) => &l.elts,
        Expr::Tuple(t) => &t.elts,
        _ => return None,
    };
    let (last, rest) = parts.split_last()?;
    let total = format!("len({})", spot.text(data));
    let part = |p: &Expr| match p {
        Expr::NumberLiteral(_) => spot.text(p).to_owned(),
        other => tight(spot.python, other),
    };
    let new = rest
        .iter()
        .fold(total, |all, p| format!("{all} - {}", part(p)));
    if rest.is_empty() || new == spot.text(last) {
        return None;
    }
    case.edits(
        said(
            "rest-of-data",
            Basis::Assumed,
            format!("Let the last part be the rest: `{new}`"),
            "The parts must be all of the samples together; rounding loses one easily. Fractions such as `[0.8, 0.2]` work too.",
        ),
        vec![Change::replace(spot.cell, last, new)],
    )
}

fn without_gradients(w: &StmtWith) -> bool {
    w.items.iter().any(|i| {
        let call = i.context_expr.as_call_expr();
        matches!(call.and_then(callee), Some("no_grad" | "inference_mode"))
    })
}

/// A forward pass under `torch.no_grad()` whose loss is to be differentiated.
fn untracked(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let loss = receiver(spot.call("backward")?).and_then(name)?;
    let stmt = spot.stmt?;
    let body = match function_around(spot.python, stmt) {
        Some(f) => &f.body[..],
        None => spot.python.body(),
    };
    // The values that the loss is computed from, in the same function.
    let mut needed = vec![loss];
    let mut found: Vec<&StmtWith> = Vec::new();
    for _ in 0..4 {
        each_stmt(body, &mut |s| {
            let Some(a) = s.as_assign_stmt().filter(|a| a.end() <= stmt.start()) else {
                return;
            };
            let mut sets = false;
            for t in &a.targets {
                each_below(t, &mut |e| {
                    sets |= name(e).is_some_and(|n| needed.contains(&n))
                });
            }
            if sets {
                each_below(&a.value, &mut |e| {
                    needed.extend(name(e).filter(|n| !needed.contains(n)));
                });
            }
        });
    }
    each_stmt(body, &mut |s| {
        let Some(w) = s
            .as_with_stmt()
            .filter(|w| w.items.len() == 1 && without_gradients(w))
        else {
            return;
        };
        let mut sets = false;
        each_stmt(&w.body, &mut |s| {
            let targets = s.as_assign_stmt().map_or(&[][..], |a| &a.targets);
            for t in targets {
                each_below(t, &mut |e| {
                    sets |= name(e).is_some_and(|n| needed.contains(&n))
                });
            }
        });
        found.extend(sets.then_some(w));
    });
    let with = only(found.into_iter())?;
    let (first, last) = (with.body.first()?, with.body.last()?);
    let python = spot.python;
    let (inner, outer) = (
        python.indent(python.line_of(first.start())),
        python.indent(python.line_of(with.start())),
    );
    let more = inner.strip_prefix(outer)?;
    let text = python.slice(TextRange::new(first.start(), last.end()));
    let dedented = text.replace(&format!("\n{outer}{more}"), &format!("\n{outer}"));
    case.edits(
        said(
            "tracked-forward",
            Basis::Assumed,
            format!("Take `{}` away around what the loss is made of", python.slice(&with.items[0].context_expr)),
            "Nothing under it is recorded, so the loss has no way back to the parameters. It belongs around evaluation.",
        ),
        vec![Change::replace(spot.cell, with, dedented)],
    )
}

/// `torch.cat([a, b])` with tensors that differ in another axis.
fn joined(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let calls = spot
        .calls()
        .filter(|c| matches!(callee(c), Some("cat" | "concat" | "concatenate")));
    let call = only(calls)?;
    let parts = match positional(call, 0)? {
        Expr::List(l) => &l.elts,
        Expr::Tuple(t) => &t.elts,
        _ => return None,
    };
    let sides = |e: &Expr| case.seen_value(name(e)?)?.shape.clone();
    let all: Vec<Vec<i64>> = parts.iter().map(sides).collect::<Option<_>>()?;
    let first = all.first()?;
    let differs = |axis: usize| all.iter().any(|s| s[axis] != first[axis]);
    if all.iter().any(|s| s.len() != first.len()) {
        return None;
    }
    let axis = only((0..first.len()).filter(|a| differs(*a)))?;
    let text = axis.to_string();
    let dim = keyword(call, "dim")
        .or(keyword(call, "axis"))
        .map(|k| &k.value);
    let change = match dim.or(positional(call, 1)) {
        Some(old) => Change::replace(spot.cell, old, text),
        None => spot.editor().add(call, &format!("dim={text}")),
    };
    case.edits(
        said(
            "join-axis",
            Basis::Assumed,
            format!("Join them along axis {axis}: `dim={axis}`"),
            "They differ in that axis alone; all others must be equal.",
        ),
        vec![change],
    )
}

/// `np.mean(losses)` of a list of tensors with their graphs.
fn collected(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let names: Vec<&str> = spot.exprs.iter().filter_map(|e| name(e)).collect();
    let mut found: Vec<(usize, &Cell, &Expr)> = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        for call in calls(python.body()) {
            let list = receiver(call).and_then(name);
            if callee(call) == Some("append") && list.is_some_and(|l| names.contains(&l)) {
                found.extend(positional(call, 0).map(|e| (cell, python, e)));
            }
        }
    }
    let (cell, python, value) = only(found.into_iter())?;
    let new = Code::of(python, value).then(".item()");
    if python.slice(value).ends_with(".item()") {
        return None;
    }
    case.edits(
        said(
            "plain-numbers",
            Basis::Assumed,
            format!("Append the plain number: `{new}`"),
            "The list holds tensors with their graphs, which also fill the memory from step to step. For tensors of several values: `.detach().cpu().numpy()`.",
        ),
        vec![Change::replace(cell, value, new)],
    )
}

/// A mask or numbers used as an index in float form.
fn index(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let all = spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr()?;
        s.slice.is_name_expr().then_some(&*s.slice)
    });
    let slice = only(all)?;
    let text = spot.text(slice);
    let by = match text.contains("mask") || text.contains("keep") {
        true => "bool",
        false => "long",
    };
    case.edits(
        said(
            "index-type",
            Basis::Assumed,
            format!("Write `{text}.{by}()` for `{text}`"),
            "An index is whole numbers or a mask of truth values; this tensor holds floats.",
        ),
        vec![spot.editor().append(slice, format!(".{by}()"))],
    )
}

/// Labels that the notebook creates starting at 1.
fn from_one(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let losses = spot.calls().filter(|c| c.arguments.args.len() == 2);
    let labels = losses.filter_map(|c| positional(c, 1)).filter(|e| {
        let made = case.made(spot.cell, e).and_then(|m| m.expr.as_call_expr());
        made.is_some_and(|c| {
            let drawn = matches!(callee(c), Some("randint" | "integers" | "arange"));
            drawn && c.arguments.args.len() > 1 && positional(c, 0).and_then(int_of) == Some(1)
        })
    });
    let labels = only(labels)?;
    let text = spot.text(labels);
    case.edits(
        said(
            "labels-from-zero",
            Basis::Source,
            format!("Number the classes from 0: `{text} - 1`"),
            "The labels begin at 1, and the loss counts classes from 0. Add 1 to what is predicted.",
        ),
        vec![Change::replace(spot.cell, labels, format!("{text} - 1"))],
    )
}
