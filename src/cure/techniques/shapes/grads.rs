//! Gradients in PyTorch: graphs used twice, values modified in place, losses that aren't scalars.

use super::say::short;
use super::scan::{at_error, head, only, slice};
use crate::case::Case;
use crate::code::{Code, Editor};
use crate::edit::{Change, Said};
use crate::find::{lines_after, statement_of};
use crate::known::function_around;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, Stmt, StmtAugAssign, StmtFor};
use nbmedic_python::{each_below, each_stmt, keyword, name_of, Cell, Ranged, TextRange};
use nbmedic_wordings::torch;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if torch::SCALAR_OUTPUT.is_in(text) {
        out.extend(scalar(case));
    } else if torch::BACKWARD_TWICE.is_in(text) {
        out.extend(
            carried(case)
                .or_else(|| handed_back(case))
                .or_else(|| outside(case))
                .or_else(|| computed_once(case))
                .or_else(|| two_losses(case)),
        );
    } else if torch::LEAF_IN_PLACE.read(text).is_some() {
        out.extend(leaf(case));
    } else if torch::CHANGED_IN_PLACE.is_in(text) {
        out.extend(in_place(case));
    }
}

/// The name whose `backward()` failed.
fn backward<'c>(case: &'c Case<'c>) -> Option<(usize, &'c Expr, &'c str)> {
    let (cell, exprs) = at_error(case);
    let calls = exprs
        .iter()
        .filter_map(|e| e.as_call_expr())
        .filter(|c| head(c) == "backward");
    let of = &*only(calls)?.func.as_attribute_expr()?.value;
    Some((cell, of, of.as_name_expr()?.id.as_str()))
}

/// The statements in a cell that assign a name as a whole.
fn setters<'c>(cell: &'c Cell, name: &str) -> Vec<(&'c Stmt, &'c Expr)> {
    let mut out = Vec::new();
    each_stmt(cell.body(), &mut |s| {
        if let Stmt::Assign(a) = s {
            if a.targets
                .iter()
                .any(|t| t.as_name_expr().is_some_and(|n| n.id.as_str() == name))
            {
                out.push((s, &*a.value));
            }
        }
    });
    out
}

fn reads(expr: &Expr, name: &str) -> bool {
    let mut found = false;
    each_below(expr, &mut |e| {
        found |= e.as_name_expr().is_some_and(|n| n.id.as_str() == name);
    });
    found
}

fn scalar(case: &Case<'_>) -> Option<Cure> {
    let (cell, of, name) = backward(case)?;
    let python = case.python(cell)?;
    let before = setters(python, name)
        .into_iter()
        .filter(|(s, _)| s.end() < of.start());
    let (_, value) = only(before)?;
    let was = slice(case, cell, value);
    if !value.is_call_expr() {
        return case.edits(
            Said {
                id: "mean-loss",
                basis: Basis::Assumed,
                title: format!("Begin at one number: `{name}.mean().backward()`"),
                why: format!("`{name}` has one value for each sample; `backward()` starts from one number. `.sum()` would do as well, with larger steps."),
            },
            vec![Change::after(cell, of, ".mean()")],
        );
    }
    case.edits(
        Said {
            id: "mean-loss",
            basis: Basis::Assumed,
            title: format!("Average the loss: `{name} = {}.mean()`", short(was)),
            why: format!("`{name}` has one value for each sample; `backward()` starts from one number. `.sum()` would do as well, with larger steps."),
        },
        vec![Change::after(cell, value, ".mean()")],
    )
}

/// The loops around a range, outermost first.
fn loops(cell: &Cell, at: TextRange) -> Vec<&StmtFor> {
    let mut out = Vec::new();
    each_stmt(cell.body(), &mut |s| {
        if let Stmt::For(f) = s {
            if f.range.contains_range(at) && !f.iter.range().contains_range(at) {
                out.push(f);
            }
        }
    });
    out
}

/// `out, state = model(x, state)` in a loop: the state carries the graph of the previous step.
fn carried(case: &Case<'_>) -> Option<Cure> {
    let (cell, of, _) = backward(case)?;
    let python = case.python(cell)?;
    let around = loops(python, of.range());
    let inner = around.last()?;
    let mut found: Vec<(&Stmt, &str, bool)> = Vec::new();
    each_stmt(&inner.body, &mut |s| {
        let Stmt::Assign(a) = s else { return };
        let (Some(target), Some(call)) = (only(&a.targets), a.value.as_call_expr()) else {
            return;
        };
        let Some(t) = target.as_tuple_expr().filter(|t| t.elts.len() == 2) else {
            return;
        };
        // `out, (h, c) = model(x, (h, c))` is skipped: it has two names.
        if let Some(n) = t.elts[1].as_name_expr() {
            let again = call
                .arguments
                .args
                .iter()
                .skip(1)
                .any(|a| reads(a, n.id.as_str()));
            if again {
                found.push((s, n.id.as_str(), true));
            }
        }
    });
    let (stmt, name, _) = only(found)?;
    let line = python.line_of(stmt.start());
    let pair = state_is_pair(case, python, name, stmt);
    let code = match pair {
        true => format!("{name} = tuple(s.detach() for s in {name})"),
        false => format!("{name} = {name}.detach()"),
    };
    let first = setters(python, name)
        .into_iter()
        .find(|(s, _)| s.end() <= inner.range.start());
    // `None` has no graph, so the state is detached before the step only if it is a tensor from the start.
    let tensor = first.is_some_and(|(_, v)| !v.is_none_literal_expr());
    let (when, change) = match tensor {
        true => ("before", Change::line_before(cell, python, line, &code)),
        false => {
            let back = statement_of(python, of.range())?;
            ("after", lines_after(cell, python, back, &code))
        }
    };
    case.edits(
        Said {
            id: "detach-state",
            basis: Basis::Assumed,
            title: format!("Detach the state {when} each step: `{code}`"),
            why: format!("`{name}` carries the graph of the step before, which `backward()` has freed; its values are kept."),
        },
        vec![change],
    )
}

/// A function that makes one step and hands the state back, which the next call gets: `loss, state = step(x, y, state)`.
fn handed_back(case: &Case<'_>) -> Option<Cure> {
    let (cell, of, _) = backward(case)?;
    let python = case.python(cell)?;
    let f = function_around(python, of.range())?;
    let mut found = Vec::new();
    each_stmt(&f.body, &mut |s| {
        let given = s.as_return_stmt().and_then(|r| r.value.as_deref());
        let parts = match given {
            Some(Expr::Tuple(t)) => &t.elts[..],
            Some(one) => std::slice::from_ref(one),
            None => return,
        };
        found.extend(parts.iter().filter(|e| {
            let state = e.as_name_expr().map(|n| n.id.as_str());
            let names = python.names();
            let set = || {
                state.is_some_and(|s| {
                    names
                        .binds
                        .iter()
                        .any(|b| b.name == s && b.function == Some(f.name.as_str()))
                })
            };
            state.is_some_and(|s| f.parameters.includes(s)) && set()
        }));
    });
    let state = only(found)?;
    let text = python.slice(state);
    let pair = state_is_pair(case, python, text, statement_of(python, state.range())?);
    let code = match pair {
        true => format!("tuple(s.detach() for s in {text})"),
        false => format!("{text}.detach()"),
    };
    case.edits(
        Said {
            id: "detach-state",
            basis: Basis::Source,
            title: format!("Return the state without its graph: `{code}`"),
            why: format!("The next call of `{}` gets `{text}` with the graph of this one, which `backward()` has freed; its values are kept.", f.name),
        },
        vec![Change::replace(cell, state, code)],
    )
}

/// Whether the state is a pair, as an LSTM's is, or a single tensor.
fn state_is_pair(case: &Case<'_>, python: &Cell, name: &str, stmt: &Stmt) -> bool {
    let mut tuple = false;
    each_stmt(python.body(), &mut |s| {
        let Stmt::Assign(a) = s else { return };
        for t in &a.targets {
            match (t, &*a.value) {
                (Expr::Name(n), Expr::Tuple(_)) => tuple |= n.id.as_str() == name,
                (Expr::Tuple(t), Expr::Tuple(v)) => {
                    let all = t.elts.iter().zip(&v.elts);
                    tuple |= all.into_iter().any(|(t, v)| {
                        t.as_name_expr().is_some_and(|n| n.id.as_str() == name) && v.is_tuple_expr()
                    });
                }
                _ => {}
            }
        }
    });
    let model = stmt
        .as_assign_stmt()
        .and_then(|a| name_of(&a.value.as_call_expr()?.func));
    let made = model.and_then(|m| case.value(&m).map(|(_, v)| v));
    tuple
        || made
            .and_then(Expr::as_call_expr)
            .is_some_and(|c| head(c) == "LSTM")
}

/// The outputs were computed once, before a loop that backpropagates through them repeatedly.
fn outside(case: &Case<'_>) -> Option<Cure> {
    let (cell, of, name) = backward(case)?;
    let python = case.python(cell)?;
    let inner = *loops(python, of.range()).last()?;
    let (stmt, value) = only(
        setters(python, name)
            .into_iter()
            .filter(|(s, _)| inner.range.contains_range(s.range())),
    )?;
    let mut outputs = Vec::new();
    each_below(value, &mut |e| {
        if let Expr::Name(n) = e {
            let all = setters(python, n.id.as_str());
            if let [(s, v)] = all[..] {
                let once = s.end() <= inner.range.start()
                    && v.as_call_expr().is_some_and(|c| {
                        name_of(&c.func).is_some()
                            && case.path_of(&c.func).is_none()
                            && c.arguments.len() == 1
                    });
                if once {
                    outputs.push((s, n.id.as_str()));
                }
            }
        }
    });
    outputs.dedup_by_key(|o| o.1);
    let (s, output) = only(outputs)?;
    let (first, last) = (python.line_of(s.start()), python.line_of(s.end()));
    if first != last || python.line(first).trim() != python.slice(s) {
        return None;
    }
    let gone = TextRange::new(
        python.line_range(first).start(),
        python.line_range(first + 1).start(),
    );
    let code = python.slice(s).to_owned();
    case.edits(
        Said {
            id: "forward-in-loop",
            basis: Basis::Source,
            title: format!("Compute `{}` in each step of the loop", short(&code)),
            why: format!("`{output}` was computed once, before the loop; the first `backward()` frees its graph, and it would not follow the weights."),
        },
        vec![
            Change::replace(cell, gone, String::new()),
            Change::line_before(cell, python, python.line_of(stmt.start()), &code),
        ],
    )
}

/// `features = encoder(images)` in a cell above the loop, which trains something else.
fn computed_once(case: &Case<'_>) -> Option<Cure> {
    let (cell, of, name) = backward(case)?;
    let python = case.python(cell)?;
    let inner = *loops(python, of.range()).last()?;
    let within = |s: &Stmt| inner.range.contains_range(s.range());
    let (_, value) = only(setters(python, name).into_iter().filter(|(s, _)| within(s)))?;
    let mut outputs = Vec::new();
    each_below(value, &mut |e| {
        let set = e.as_name_expr().and_then(|n| case.last_set(n.id.as_str()));
        let set = set.filter(|s| !inner.range.contains_range(s.binding.at) || s.cell != cell);
        let call = set.and_then(|s| Some((s, s.binding.value?.as_call_expr()?)));
        outputs.extend(call.filter(|(_, c)| {
            let model = c.func.as_name_expr().is_some() && case.path_of(&c.func).is_none();
            model && c.arguments.len() == 1
        }));
    });
    outputs.dedup_by_key(|(s, _)| s.binding.name);
    let (set, call) = only(outputs)?;
    let model = call.func.as_name_expr()?.id.as_str();
    // What the optimizer trains needs the graph of each step.
    let trained = case
        .seen()
        .into_iter()
        .filter_map(|c| case.python(c))
        .any(|p| {
            let mut found = false;
            nbmedic_python::each_expr(p.body(), &mut |e| {
                let c = e.as_call_expr().filter(|c| head(c) == "parameters");
                let owner = c.and_then(|c| c.func.as_attribute_expr()?.value.as_name_expr());
                found |= owner.is_some_and(|n| n.id.as_str() == model);
            });
            found
        });
    let function = case
        .last_set(model)
        .is_some_and(|s| s.binding.stmt.is_function_def_stmt());
    (!trained && !function).then_some(())?;
    let code = case.python(set.cell)?.slice(call).to_owned();
    let output = set.binding.name;
    case.edits(
        Said {
            id: "detach-features",
            basis: Basis::Source,
            title: format!("Cut `{output}` off the graph: `{}.detach()`", short(&code)),
            why: format!("`{output}` was computed once, and no optimizer trains `{model}`; the first `backward()` frees its graph."),
        },
        vec![Change::after(set.cell, call, ".detach()")],
    )
}

/// Two losses on one graph: the first `backward` must keep it.
fn two_losses(case: &Case<'_>) -> Option<Cure> {
    let (cell, of, name) = backward(case)?;
    let python = case.python(cell)?;
    let mut all = Vec::new();
    nbmedic_python::each_expr(python.body(), &mut |e| {
        if let Expr::Call(c) = e {
            let other = c
                .func
                .as_attribute_expr()
                .and_then(|a| a.value.as_name_expr());
            let other = other.is_some_and(|n| n.id.as_str() != name);
            if head(c) == "backward" && other && c.end() <= of.start() {
                all.push(c);
            }
        }
    });
    let first = all.last()?;
    if keyword(first, "retain_graph").is_some() || !first.arguments.is_empty() {
        return None;
    }
    let shown = format!("{}(retain_graph=True)", slice(case, cell, &*first.func));
    case.edits(
        Said {
            id: "retain-graph",
            basis: Basis::Assumed,
            title: format!("Keep the graph for the second loss: `{shown}`"),
            why: format!("Both losses go back through the same graph, and the first `backward()` frees it before `{name}` is differentiated."),
        },
        vec![Editor::new(cell, python).add(first, "retain_graph=True")],
    )
}

/// `w -= lr * w.grad`.
fn leaf(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, stmt) = case.here()?;
    stmt.as_aug_assign_stmt()?;
    let torch = case.alias_of("torch")?;
    let line = python.line_of(stmt.start());
    if python.line(line).trim() != python.slice(stmt) {
        return None;
    }
    let indent = python.indent(line);
    // The updates that stand below it fail alike.
    let alike = |s: &Stmt| {
        s.is_aug_assign_stmt() && python.line(python.line_of(s.start())).trim() == python.slice(s)
    };
    let mut last = stmt;
    let mut lines = vec![format!("{indent}    {}", python.slice(stmt))];
    each_stmt(python.body(), &mut |s| {
        if alike(s)
            && python.line_of(s.start()) == python.line_of(last.end()) + 1
            && python.indent(python.line_of(s.start())) == indent
        {
            lines.push(format!("{indent}    {}", python.slice(s)));
            last = s;
        }
    });
    let text = format!("with {torch}.no_grad():\n{}", lines.join("\n"));
    let whole = TextRange::new(stmt.start(), last.end());
    case.edits(
        Said {
            id: "no-grad-update",
            basis: Basis::Library,
            title: format!(
                "Put `{}` under `with {torch}.no_grad():`",
                short(python.slice(stmt))
            ),
            why: "A weight is updated outside of the graph of gradients.".to_owned(),
        },
        vec![Change::replace(cell, whole, text)],
    )
}

/// `y += shift`, where the gradient needs the old `y`.
fn in_place(case: &Case<'_>) -> Option<Cure> {
    let (cell, _, name) = backward(case).or_else(|| {
        let (cell, exprs) = at_error(case);
        exprs.first().map(|e| (cell, *e, ""))
    })?;
    let python = case.python(cell)?;
    let line = case.innermost()?.line;
    let mut found = Vec::new();
    each_stmt(python.body(), &mut |s| {
        if let Stmt::AugAssign(a) = s {
            let plain = matches!(&*a.target, Expr::Name(n) if n.id.as_str() != name);
            let tensor =
                !a.value.is_number_literal_expr() && !slice_has(python, &a.value, ".item()");
            if plain && tensor && python.line_of(s.start()) < line {
                found.push(a);
            }
        }
    });
    let (cell, python, a) = match found.is_empty() {
        true => in_forward(case)?,
        false => (cell, python, only(found)?),
    };
    let (target, op) = (python.slice(&*a.target), a.op.as_str());
    let text = format!(
        "{target} = {target} {op} {}",
        Code::of(python, &a.value).tight()
    );
    case.edits(
        Said {
            id: "not-in-place",
            basis: Basis::Assumed,
            title: format!("Write `{text}`"),
            why: format!("`{}` changes the tensor itself, whose old values the gradient needs; this makes a new one.", python.slice(a.range())),
        },
        vec![Change::replace(cell, a.range(), text)],
    )
}

/// The only `h += x` of the `forward` methods that ran.
fn in_forward<'c>(case: &'c Case<'c>) -> Option<(usize, &'c Cell, &'c StmtAugAssign)> {
    let mut found = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        each_stmt(python.body(), &mut |s| {
            let Stmt::FunctionDef(f) = s else { return };
            if f.name.as_str() != "forward" {
                return;
            }
            each_stmt(&f.body, &mut |s| {
                if let Stmt::AugAssign(a) = s {
                    if a.target.is_name_expr() && !a.value.is_number_literal_expr() {
                        found.push((cell, python, a));
                    }
                }
            });
        });
    }
    only(found)
}

fn slice_has(python: &Cell, expr: &Expr, part: &str) -> bool {
    python.slice(expr).contains(part)
}
