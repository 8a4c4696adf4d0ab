//! Autograd graphs that were cut before `backward()`.

use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{callee, look, name, one_line, only, receiver, said, Spot};
use crate::known::function_around;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{each_below, each_stmt, positional, Cell, Ranged, TextRange};
use nbmedic_wordings::torch;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if torch::NO_GRAD.is_in(text) {
        out.extend(cut(case));
    } else if text.ends_with("object has no attribute 'backward'") {
        out.extend(number(case));
    }
}

/// The values assigned to a name in a cell before a place, within the same function, latest first.
pub(super) fn setters<'c>(python: &'c Cell, target: &str, before: impl Ranged) -> Vec<&'c Expr> {
    let around = function_around(python, before.range()).map(Ranged::range);
    let mut out = Vec::new();
    each_stmt(python.body(), &mut |s| {
        if let Stmt::Assign(a) = s {
            let sets = a.targets.iter().any(|t| name(t) == Some(target));
            let here = function_around(python, s.range()).map(Ranged::range) == around;
            if sets && here && s.start() < before.start() {
                out.push(&*a.value);
            }
        }
    });
    out.reverse();
    out
}

/// Code that cuts a graph.
enum Cut<'c> {
    /// A trailing call to remove: `.detach()`.
    Tail(&'c Expr, &'c ExprCall),
    /// A call to unwrap: `torch.tensor(loss)`.
    Wrap(&'c ExprCall),
    /// A non-differentiable operation: a comparison, `argmax`.
    Flat(&'c Expr),
}

/// The first operation on the way to a value that cuts its graph.
fn cutter<'c>(case: &Case<'_>, python: &'c Cell, value: &'c Expr, depth: usize) -> Option<Cut<'c>> {
    if depth > 4 {
        return None;
    }
    let mut found = None;
    let mut names: Vec<&'c Expr> = Vec::new();
    each_below(value, &mut |e| {
        if found.is_some() {
            return;
        }
        match e {
            Expr::Call(c) => {
                let method = receiver(c).filter(|_| c.arguments.is_empty());
                let path = case.path_of(&c.func);
                let made = path.as_deref().is_some_and(|p| {
                    [
                        "torch.tensor",
                        "torch.Tensor",
                        "torch.FloatTensor",
                        "torch.as_tensor",
                    ]
                    .contains(&p)
                });
                if made
                    && c.arguments.args.len() == 1
                    && positional(c, 0).is_some_and(|a| a.is_call_expr() || a.is_name_expr())
                {
                    found = Some(Cut::Wrap(c));
                } else if let (Some("detach" | "item"), Some(of)) = (callee(c), method) {
                    found = Some(Cut::Tail(of, c));
                } else if matches!(callee(c), Some("argmax" | "round" | "sign")) {
                    found = Some(Cut::Flat(e));
                }
            }
            Expr::Compare(_) => found = Some(Cut::Flat(e)),
            Expr::Name(_) => names.push(e),
            _ => {}
        }
    });
    if found.is_some() {
        return found;
    }
    names.into_iter().find_map(|n| {
        let all = setters(python, name(n)?, n);
        let [one] = all[..] else { return None };
        cutter(case, python, one, depth + 1)
    })
}

/// The loss whose `backward()` failed, and its cell.
fn backward<'c>(case: &'c Case<'c>) -> Option<(Spot<'c>, &'c Expr)> {
    let spot = case.spot()?;
    let call = spot.call("backward")?;
    let of = receiver(call)?;
    Some((spot, of))
}

fn cut(case: &Case<'_>) -> Option<Cure> {
    let (spot, loss) = backward(case)?;
    if let Some(cure) = switched_off(case, &spot, loss) {
        return Some(cure);
    }
    if let Some(found) = cutter(case, spot.python, loss, 0) {
        return without_cut(case, &spot, &found);
    }
    frozen(case)
}

fn without_cut(case: &Case<'_>, spot: &Spot<'_>, found: &Cut<'_>) -> Option<Cure> {
    let python = spot.python;
    let why = "A gradient goes back through what made the loss; here the way is cut.";
    match found {
        Cut::Tail(of, call) => {
            let tail = python.slice(TextRange::new(of.end(), call.end()));
            case.edits(
                said(
                    "keep-graph",
                    Basis::Source,
                    format!("Drop `{tail}` from `{}`", one_line(python.slice(*call))),
                    why,
                ),
                vec![Change::replace(
                    spot.cell,
                    TextRange::new(of.end(), call.end()),
                    "",
                )],
            )
        }
        Cut::Wrap(call) => {
            let inner = python.slice(positional(call, 0)?);
            let func = python.slice(&*call.func);
            case.edits(
                said(
                    "keep-graph",
                    Basis::Source,
                    format!("Use `{}` itself, without `{func}(…)`", one_line(inner)),
                    format!("`{func}` makes a new tensor with the values alone. {why}"),
                ),
                vec![Change::replace(spot.cell, *call, inner)],
            )
        }
        Cut::Flat(e) => {
            let text = one_line(python.slice(*e));
            Some(look(
                "no-gradient",
                format!("Compute the loss without `{text}` (line {})", python.line_of(e.start())),
                format!("`{text}` jumps from one value to another: it has no gradient. Give the loss what stands before it, such as the logits or probabilities."),
            ))
        }
    }
}

/// `with torch.no_grad():` around the training, or gradients switched off for the whole kernel.
fn switched_off(case: &Case<'_>, spot: &Spot<'_>, loss: &Expr) -> Option<Cure> {
    let python = spot.python;
    let mut around: Option<&Expr> = None;
    let sets = name(loss)
        .map(|n| setters(python, n, loss))
        .unwrap_or_default();
    each_stmt(python.body(), &mut |s| {
        if let Stmt::With(w) = s {
            let holds = |r: TextRange| s.range().contains_range(r);
            let inside = holds(loss.range()) || sets.first().is_some_and(|v| holds(v.range()));
            for item in &w.items {
                let off = item
                    .context_expr
                    .as_call_expr()
                    .is_some_and(|c| matches!(callee(c), Some("no_grad" | "inference_mode")));
                if inside && off {
                    around = Some(&item.context_expr);
                }
            }
        }
    });
    if let Some(call) = around {
        let func = &*call.as_call_expr()?.func;
        let text = python.slice(func);
        let prefix = text.rsplit_once('.').map_or("torch", |(p, _)| p);
        return case.edits(
            said(
                "enable-grad",
                Basis::Source,
                format!(
                    "Train with gradients: `{prefix}.enable_grad()` instead of `{}`",
                    python.slice(call)
                ),
                "Without gradients there is no graph that `backward()` could follow.",
            ),
            vec![Change::replace(
                spot.cell,
                call,
                format!("{prefix}.enable_grad()"),
            )],
        );
    }
    // A decorated function.
    let f = function_around(python, loss.range());
    let decorator = f.and_then(|f| {
        f.decorator_list
            .iter()
            .find(|d| python.slice(&d.expression).contains("no_grad"))
    });
    if let Some(d) = decorator {
        let line = python.line_of(d.start());
        let end = python.line_range(line + 1).start();
        let range = TextRange::new(python.line_range(line).start(), end);
        return case.edits(
            said(
                "enable-grad",
                Basis::Source,
                format!("Drop `{}` from the function that trains", python.slice(d)),
                "Without gradients there is no graph that `backward()` could follow.",
            ),
            vec![Change::replace(spot.cell, range, "")],
        );
    }
    if let Some(cure) = forward_without(case) {
        return Some(cure);
    }
    let mut off = None;
    for cell in case.seen().into_iter().rev() {
        let Some(other) = case.python(cell) else {
            continue;
        };
        for s in other.body() {
            let call = s.as_expr_stmt().and_then(|e| e.value.as_call_expr());
            if let Some(c) = call.filter(|c| callee(c) == Some("set_grad_enabled")) {
                let value = positional(c, 0).map(|v| other.slice(v));
                off = (value == Some("False")).then_some((other.slice(c), case.position(cell)));
            }
        }
    }
    let (text, at) = off?;
    let stmt = spot.stmt?;
    let mut line = python.line_of(stmt.start());
    // Before the loop rather than in each iteration.
    for s in python.body() {
        if s.range().contains_range(stmt.range()) && !s.is_function_def_stmt() {
            line = python.line_of(s.start());
        }
    }
    let on = text.replace("False", "True");
    case.edits(
        said(
            "enable-grad",
            Basis::Source,
            format!("Switch gradients on again: `{on}`"),
            format!("Cell {at} switched them off with `{text}` for everything after it."),
        ),
        vec![Change::line_before(spot.cell, python, line, &on)],
    )
}

/// `@torch.no_grad()` on a `forward`, if only one class has it.
fn forward_without(case: &Case<'_>) -> Option<Cure> {
    let mut found = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        each_stmt(python.body(), &mut |s| {
            let Stmt::FunctionDef(f) = s else { return };
            let off = f.decorator_list.iter().find(|d| {
                let text = python.slice(&d.expression);
                text.contains("no_grad") || text.contains("inference_mode")
            });
            if let ("forward", Some(d)) = (f.name.as_str(), off) {
                found.push((cell, python, d));
            }
        });
    }
    let (cell, python, decorator) = only(found.into_iter())?;
    let line = python.line_of(decorator.start());
    let range = TextRange::new(
        python.line_range(line).start(),
        python.line_range(line + 1).start(),
    );
    case.edits(
        said(
            "enable-grad",
            Basis::Assumed,
            format!("Drop `{}` from `forward`", python.slice(decorator)),
            "What the model computes under it has no graph that `backward()` could follow. Switch gradients off where the model is evaluated.",
        ),
        vec![Change::replace(cell, range, "")],
    )
}

/// All weights were frozen.
fn frozen(case: &Case<'_>) -> Option<Cure> {
    // `for p in model.parameters(): p.requires_grad = False`
    let mut found = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        each_stmt(python.body(), &mut |s| {
            let Stmt::For(f) = s else { return };
            let [Stmt::Assign(a)] = &f.body[..] else {
                return;
            };
            let off = python.slice(&*a.value) == "False"
                && a.targets.iter().any(|t| {
                    t.as_attribute_expr()
                        .is_some_and(|t| t.attr.as_str() == "requires_grad")
                });
            let model = f
                .iter
                .as_call_expr()
                .filter(|c| callee(c) == Some("parameters"))
                .and_then(receiver);
            if let (true, Some(model)) = (off, model) {
                found.push((cell, python, s, a, model));
            }
        });
    }
    let (cell, python, stmt, assign, model) = only(found.into_iter())?;
    let model = python.slice(model);
    // The replaced layers are the ones to train.
    let mut own: Vec<(usize, String)> = Vec::new();
    for at in case.seen() {
        let Some(other) = case.python(at) else {
            continue;
        };
        each_stmt(other.body(), &mut |s| {
            if let Stmt::Assign(a) = s {
                let target = a.targets.first().map_or("", |t| other.slice(t));
                let part = target.strip_prefix(model).and_then(|t| t.strip_prefix('.'));
                let before = at != cell || s.start() < stmt.start();
                if part.is_some() && a.value.is_call_expr() && before && !target.contains('(') {
                    own.push((at, target.to_owned()));
                }
            }
        });
    }
    if let Some((_, head)) = own.first() {
        let p = python.slice(assign.targets.first()?);
        let p = p.split('.').next()?;
        let text = format!("for {p} in {head}.parameters():\n    {p}.requires_grad = True");
        return case.edits(
            said(
                "train-head",
                Basis::Source,
                format!("Train `{head}`: unfreeze it behind the loop"),
                format!("The loop freezes every weight of `{model}`, that of the new `{head}` as well: nothing is left to train."),
            ),
            vec![Editor::new(cell, python).below(stmt, &text)],
        );
    }
    case.edits(
        said(
            "unfreeze",
            Basis::Assumed,
            format!("Leave `{model}` trainable: `requires_grad = True`"),
            format!("The loop freezes every weight of `{model}`: nothing is left to train. To train a part only, unfreeze that part behind the loop."),
        ),
        vec![Change::replace(cell, &*assign.value, "True")],
    )
}

/// `loss = criterion(…).item()`, and then `loss.backward()`.
fn number(case: &Case<'_>) -> Option<Cure> {
    let (spot, loss) = backward(case)?;
    let all = setters(spot.python, name(loss)?, loss);
    let value = *all.first()?;
    let call = value.as_call_expr()?;
    let of = receiver(call)?;
    if !call.arguments.is_empty() || !matches!(callee(call), Some("item" | "numpy" | "tolist")) {
        return None;
    }
    let tail = spot.text(TextRange::new(of.end(), call.end()));
    case.edits(
        said(
            "keep-graph",
            Basis::Source,
            format!("Drop `{tail}` where `{}` is set", spot.text(loss)),
            "It makes a plain number of the loss; `backward()` needs the tensor. Take the number where it is printed or added up.",
        ),
        vec![Change::replace(spot.cell, TextRange::new(of.end(), call.end()), "")],
    )
}
