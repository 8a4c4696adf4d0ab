//! Tensors created by a model itself: on the wrong device, or for a different batch size.

use super::super::shapes::scan::Scan;
use super::super::shapes::text::shape;
use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{callee, look, name, one_line, only, said, statement_of};
use crate::known::{class_around, function_around};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt, StmtFunctionDef};
use nbmedic_python::{calls, each_expr, each_stmt, keyword, name_of, positional, Cell, Ranged};
use nbmedic_wordings::{about, torch};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if about::DIFFERENT_DEVICES.is_in(text) {
        out.extend(left_behind(case).or_else(|| made_for_a_call(case)));
    } else if torch::HIDDEN_SIZE.is_in(text) {
        out.extend(hidden(case));
    } else if torch::DEVICE_TO_NUMPY.is_in(text) {
        out.extend(collected(case));
    }
}

/// The model method around the user's innermost line: its cell and its first input.
fn method<'c>(case: &'c Case<'c>) -> Option<(usize, &'c Cell, &'c StmtFunctionDef, &'c str)> {
    let frame = case.innermost()?;
    let python = case.python(frame.cell)?;
    let f = function_around(python, case.statement(frame)?)?;
    let mut all = f.parameters.iter_non_variadic_params();
    (all.next()?.parameter.name.as_str() == "self").then_some(())?;
    Some((frame.cell, python, f, all.next()?.parameter.name.as_str()))
}

const MAKERS: &[&str] = &[
    "zeros", "ones", "randn", "rand", "arange", "full", "eye", "empty", "linspace", "tensor",
    "randint", "normal",
];

/// The calls in a function that create a tensor on the CPU.
fn makers<'c>(case: &Case<'_>, f: &'c StmtFunctionDef) -> Vec<&'c ExprCall> {
    let mut all = calls(&f.body);
    all.retain(|c| {
        let torch = case.path_of(&c.func).is_some_and(|p| {
            p.strip_prefix("torch.")
                .is_some_and(|n| MAKERS.contains(&n))
        });
        torch && keyword(c, "device").is_none()
    });
    all
}

/// Tensors used by a model's method that stay on the CPU when the model is moved: those it creates
/// itself, and attributes that are neither parameters nor buffers. Each of them causes the failure,
/// so all are fixed together.
fn left_behind(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, f, x) = method(case)?;
    let constant = constant(case, cell, python, f);
    let Some((made, title)) = made_inside(case, cell, python, f, x) else {
        let (change, attribute) = constant?;
        return case.edits(
            said(
                "register-buffer",
                Basis::Source,
                format!("Let `self.{attribute}` move with the model: `register_buffer`"),
                BUFFER,
            ),
            vec![change],
        );
    };
    let mut changes = made;
    let mut why = format!(
        "A new tensor is on the CPU unless the call says otherwise; `{x}` may be on the GPU."
    );
    if let Some((change, attribute)) = constant {
        changes.insert(0, change);
        why = format!("{why} `self.{attribute}` stays on the CPU too: {BUFFER}");
    }
    case.edits(said("device-of-input", Basis::Source, title, why), changes)
}

/// Prefixes of layers with weights.
const WEIGHTED: &[&str] = &[
    "BatchNorm",
    "Bilinear",
    "Conv",
    "Embedding",
    "GRU",
    "GroupNorm",
    "InstanceNorm",
    "LSTM",
    "LayerNorm",
    "Linear",
    "Multihead",
    "PReLU",
    "RNN",
    "Transformer",
];

/// A layer created where it is called: `nn.Linear(3, 4)(x)`. It is never moved or trained.
fn made_for_a_call(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let layer = spot.calls().find_map(|c| {
        let made = c.func.as_call_expr()?;
        let path = spot.text(&*made.func);
        let class = path
            .strip_prefix("torch.nn.")
            .or(path.strip_prefix("nn."))?;
        WEIGHTED
            .iter()
            .any(|w| class.starts_with(w))
            .then_some(path)
    })?;
    Some(look(
        "layer-made-for-a-call",
        format!("Make `{layer}(…)` once, in `__init__`, and call it here"),
        "A layer that is made where it is called is on the CPU, whatever the model is on. It is also new each time, so it would never learn.",
    ))
}

const BUFFER: &str = "`.to(device)` moves a model's parameters and buffers; a plain attribute stays where it was made.";

/// `torch.zeros(…)` in `forward`: creates it on the input's device. Also returns the title.
fn made_inside(
    case: &Case<'_>,
    cell: usize,
    python: &Cell,
    f: &StmtFunctionDef,
    x: &str,
) -> Option<(Vec<Change>, String)> {
    let mut all = makers(case, f);
    // Already moved explicitly.
    let moved = |c: &ExprCall| {
        let after = python.text().get(c.end().to_usize()..).unwrap_or("");
        after.starts_with(".to(") || after.starts_with(".cuda(")
    };
    all.retain(|c| !moved(c));
    let changes = all
        .iter()
        .map(|c| Editor::new(cell, python).add(c, &format!("device={x}.device")))
        .collect();
    let first = one_line(python.slice(*all.first()?));
    let more = match all.len() {
        1 => String::new(),
        n => format!(", and in {} more", n - 1),
    };
    let title = format!("Make it where the input is: `device={x}.device` in `{first}`{more}");
    Some((changes, title))
}

/// `self.scale = 2 * torch.ones(3)`: not a parameter, so it doesn't move with the model. Also
/// returns the attribute's name.
fn constant<'c>(
    case: &Case<'_>,
    cell: usize,
    python: &'c Cell,
    f: &'c StmtFunctionDef,
) -> Option<(Change, &'c str)> {
    let class = class_around(python, f.range())?;
    let mut read: Vec<String> = Vec::new();
    each_expr(&f.body, &mut |e| {
        read.extend(name_of(e).filter(|n| n.starts_with("self.")));
    });
    let mut found = Vec::new();
    for init in class
        .body
        .iter()
        .filter_map(Stmt::as_function_def_stmt)
        .filter(|m| m.name.as_str() == "__init__")
    {
        each_stmt(&init.body, &mut |s| {
            let Stmt::Assign(a) = s else { return };
            let [target] = &a.targets[..] else { return };
            let made = is_made(case, &a.value);
            if made && name_of(target).is_some_and(|n| read.contains(&n)) {
                found.push((s, target, &*a.value));
            }
        });
    }
    let (stmt, target, value) = only(found.into_iter())?;
    let attribute = target.as_attribute_expr()?.attr.as_str();
    let new = format!(
        "self.register_buffer(\"{attribute}\", {})",
        python.slice(value)
    );
    Some((Change::replace(cell, stmt, new), attribute))
}

/// Whether a value is a newly created tensor, or computed from such tensors and numbers.
fn is_made(case: &Case<'_>, value: &Expr) -> bool {
    match value {
        Expr::Call(c) => case.path_of(&c.func).is_some_and(|p| {
            p.strip_prefix("torch.")
                .is_some_and(|n| MAKERS.contains(&n))
        }),
        Expr::BinOp(b) => {
            let number = |e: &Expr| e.is_number_literal_expr();
            let sides = [&*b.left, &*b.right];
            sides.iter().any(|e| is_made(case, e))
                && sides.iter().all(|e| number(e) || is_made(case, e))
        }
        Expr::UnaryOp(u) => is_made(case, &u.operand),
        _ => false,
    }
}

/// `Expected hidden[0] size (1, 37, 20), got [1, 64, 20]`: the state was created for a full batch.
fn hidden(case: &Case<'_>) -> Option<Cure> {
    let [wanted, got, _] = torch::HIDDEN_SIZE.read(case.message())?;
    let (wanted, got) = (shape(wanted)?, shape(got)?);
    let at = wanted.len().checked_sub(2)?;
    let (is, was) = (*wanted.get(at)?, *got.get(at)?);
    let rest = wanted
        .iter()
        .zip(&got)
        .enumerate()
        .all(|(i, (a, b))| i == at || a == b);
    if !rest || is == was {
        return None;
    }
    let scan = Scan::of(case);
    if let Some((cell, python, f, x)) = method(case) {
        // Created in `forward` with a literal size.
        let mut changes = Vec::new();
        let mut shown = String::new();
        let first = scan.calls.iter().any(|l| {
            matches!(callee(l.call), Some("LSTM" | "GRU" | "RNN"))
                && keyword(l.call, "batch_first").is_some_and(|k| {
                    case.python(l.cell)
                        .is_some_and(|p| p.slice(&k.value) == "True")
                })
        });
        let size = format!("{x}.size({})", usize::from(!first));
        for c in makers(case, f) {
            let found = scan.found(cell, c);
            let second = positional(c, at);
            if let (Some(found), Some(e)) = (found, second) {
                if scan.value(&found, e) == Some(was) {
                    shown = python.slice(e).to_owned();
                    changes.push(Change::replace(cell, e, size.clone()));
                }
            }
        }
        if !changes.is_empty() {
            return case.edits(
                said(
                    "state-of-batch",
                    Basis::Solved,
                    format!(
                        "Make the state for the batch that comes: `{size}` instead of `{shown}`"
                    ),
                    format!("This batch has {is} samples, the state is made for {was}."),
                ),
                changes,
            );
        }
    }
    // Created outside, for all batches: drops the smaller last batch.
    let names = ["DataLoader"];
    let mut changes = Vec::new();
    for f in scan
        .named(&names)
        .filter(|f| keyword(f.call, "drop_last").is_none())
    {
        let python = case.python(f.cell)?;
        changes.push(Editor::new(f.cell, python).set(f.call, "drop_last", "True"));
    }
    if is > was || changes.is_empty() {
        return None;
    }
    case.edits(
        said(
            "drop-last",
            Basis::Assumed,
            "Leave the last, incomplete batch out: `drop_last=True`",
            format!("The state is made for batches of {was}, and the last one has {is}. To use it as well, make the state in each step with the size of its batch."),
        ),
        changes,
    )
}

/// Lists of GPU tensors, passed to a library that converts them to arrays.
fn collected(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let mut given: Vec<&str> = Vec::new();
    for c in spot.calls() {
        given.extend(c.arguments.args.iter().filter_map(name));
    }
    let mut changes = Vec::new();
    let mut shown = String::new();
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        for c in calls(python.body()) {
            let list = crate::find::receiver(c).and_then(name);
            let value = positional(c, 0);
            let (Some(list), Some(value), Some(how @ ("append" | "extend"))) =
                (list, value, callee(c))
            else {
                continue;
            };
            let text = python.slice(value);
            let ready = ["cpu()", "item()", "tolist()", "numpy()"]
                .iter()
                .any(|r| text.contains(r));
            let literal = matches!(
                value,
                Expr::NumberLiteral(_) | Expr::StringLiteral(_) | Expr::Dict(_)
            );
            let in_loop = statement_of(python, c.range())
                .is_some_and(|s| !crate::find::loops_around(python, s).is_empty());
            if !given.contains(&list) || ready || literal || !in_loop {
                continue;
            }
            let new = format!(
                "{list}.extend({}.cpu().tolist())",
                crate::find::tight(python, value)
            );
            shown = one_line(&format!("{list}.{how}({text})"));
            changes.push(Change::replace(at, c, new));
        }
    }
    case.edits(
        said(
            "collect-numbers",
            Basis::Assumed,
            format!("Collect numbers instead of tensors of the GPU in `{shown}`"),
            "Each entry is a whole batch on the GPU; `extend` with `.cpu().tolist()` gives one number for each sample.",
        ),
        changes,
    )
}
