//! Tensors whose dtype or device differs from the model's.

use super::channels::model_input;
use super::scan::{at_error, head, only, own_exprs, slice, Scan};
use crate::case::{Case, OwnFrame};
use crate::edit::{Change, Said};
use crate::find::{name, receiver};
use crate::known::function_around;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Operator};
use nbmedic_python::{calls, keyword, name_of, positional};
use nbmedic_wordings::torch;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if mixed_devices(text) {
        out.extend(devices(case));
    } else if torch::DEVICE_TO_NUMPY.is_in(text) {
        out.extend(to_cpu(case));
    } else if torch::NUMPY_OF_GRAD.read(text).is_some() {
        out.extend(detach(case));
    } else if let Some(to) = wanted(text) {
        out.extend(cast_input(case, to));
    } else if torch::TYPES_OF_ARGUMENT
        .read(text)
        .is_some_and(|[_, _, wanted, _]| wanted.starts_with("Long"))
        || torch::INDEX_DTYPE.is_in(text)
    {
        out.extend(whole_numbers(case));
    }
}

fn mixed_devices(text: &str) -> bool {
    let types = torch::TYPE_OF_INPUT
        .read(text)
        .is_some_and(|[input, weight]| {
            input.starts_with("torch.") && input.contains("cuda") != weight.contains("cuda")
        });
    torch::SAME_DEVICE.is_in(text)
        || types
        || torch::DEVICE_OF_INPUT.read(text) == Some(["parameter"])
        || text.contains("Expected object of device type cuda but got device type cpu")
        || torch::DEVICE_OF_TENSOR.is_in(text)
}

/// The method that converts the input to the dtype of the weights.
fn wanted(text: &str) -> Option<&'static str> {
    let pair = torch::FACTOR_DTYPES
        .read(text)
        .or_else(|| torch::FACTOR_DTYPES_BEFORE.read(text))
        .or_else(|| torch::TYPE_OF_INPUT.read(text));
    // "Double and Float": the second is that of the weights.
    let weights = match pair {
        Some([_, weights]) => weights,
        None => {
            let [wanted, _] = torch::SCALAR_TYPE.read(text)?;
            wanted
        }
    };
    let weights = weights.to_ascii_lowercase();
    let weights = weights
        .trim_start_matches("torch.")
        .trim_start_matches("cuda.")
        .trim_start_matches("c10::");
    [
        ("bfloat16", "bfloat16"),
        ("half", "half"),
        ("float16", "half"),
        ("float", "float"),
        ("double", "double"),
    ]
    .into_iter()
    .find(|(t, _)| weights.starts_with(t))
    .map(|(_, m)| m)
}

fn cast_input(case: &Case<'_>, to: &'static str) -> Option<Cure> {
    let (cell, input) = model_input(case)
        .or_else(|| operand(case))
        .or_else(|| given(case))?;
    let was = slice(case, cell, input);
    let text = case
        .editor(cell)?
        .code(input)
        .then(&format!(".{to}()"))
        .to_string();
    case.edits(
        Said {
            id: "cast-input",
            basis: Basis::Named,
            title: format!("Use `{text}` instead of `{was}`"),
            why: format!("Its type is not the one of the model's weights, which the message names: `{to}()` gives it that type."),
        },
        vec![Change::replace(cell, input, text)],
    )
}

/// The argument of the call that led to the model's own methods: `net(x)` for an error in
/// `forward`.
fn given<'c>(case: &'c Case<'c>) -> Option<(usize, &'c Expr)> {
    let method = |f: &&OwnFrame| {
        let name = f.function.as_deref().and_then(|n| n.rsplit('.').next());
        matches!(name, Some("forward" | "__call__" | "call"))
    };
    let inner = case.frames.iter().rev().take_while(method).count();
    let at = case
        .frames
        .len()
        .checked_sub(inner + 1)
        .filter(|_| inner > 0)?;
    let frame = &case.frames[at];
    let exprs = own_exprs(case.statement(frame)?);
    // An instance of a class in the notebook, or a parameter that is one.
    let object = |c: &&ExprCall| {
        let name = c.func.as_name_expr().map(|n| n.id.as_str());
        let made = name.and_then(|n| case.last_set(n)).map(|s| s.binding.stmt);
        name.is_some() && !made.is_some_and(|s| s.is_function_def_stmt() || s.is_import_from_stmt())
    };
    let calls = exprs.into_iter().filter_map(Expr::as_call_expr);
    let calls = calls.filter(object).filter(|c| {
        let name = head(c);
        !crate::known::is_builtin(name) && !name.to_lowercase().contains("loss")
    });
    let input = positional(only(calls)?, 0)?;
    (input.is_name_expr() || input.is_subscript_expr() || input.is_attribute_expr())
        .then_some((frame.cell, input))
}

/// The left side of `a @ b`, the first argument of `torch.matmul(a, b)`.
fn operand<'c>(case: &'c Case<'c>) -> Option<(usize, &'c Expr)> {
    let (cell, _, _) = case.here()?;
    let (_, exprs) = at_error(case);
    let all = exprs.iter().filter_map(|e| match e {
        Expr::BinOp(b) if b.op == Operator::MatMult => Some(&*b.left),
        Expr::Call(c) if ["matmul", "mm", "bmm", "addmm", "linear"].contains(&head(c)) => {
            positional(c, 0)
        }
        _ => None,
    });
    Some((cell, only(all)?))
}

/// Class or token ids that are floats.
fn whole_numbers(case: &Case<'_>) -> Option<Cure> {
    let (cell, exprs) = at_error(case);
    let calls = exprs.iter().filter_map(|e| e.as_call_expr());
    let embeds = calls
        .filter(|c| head(c).to_lowercase().contains("emb"))
        .filter_map(|c| positional(c, 0));
    let (cell, input) = match only(embeds) {
        Some(e) => (cell, e),
        None => model_input(case)?,
    };
    let was = slice(case, cell, input);
    let text = case.editor(cell)?.code(input).then(".long()").to_string();
    case.edits(
        Said {
            id: "cast-input",
            basis: Basis::Library,
            title: format!("Use `{text}` instead of `{was}`"),
            why: "An embedding is looked up by whole numbers.".to_owned(),
        },
        vec![Change::replace(cell, input, text)],
    )
}

/// How the notebook moves objects to the GPU: `.to(device)`, `.cuda()`.
fn mover<'c>(case: &'c Case<'c>, scan: &Scan<'c>) -> Option<String> {
    let named = ["device", "DEVICE", "dev", "torch_device"]
        .into_iter()
        .find(|n| case.value(n).is_some());
    if let Some(name) = named {
        return Some(format!(".to({name})"));
    }
    let moved: Vec<&str> = scan
        .named(&["to", "cuda"])
        .filter_map(|f| {
            let text = slice(case, f.cell, f.call);
            let of = slice(case, f.cell, &*f.call.func.as_attribute_expr()?.value);
            let to = text.strip_prefix(of)?;
            let device = to == ".cuda()" || to.contains("cuda") || to.contains("device");
            device.then_some(to)
        })
        .collect();
    moved.first().map(|m| (*m).to_owned())
}

fn devices(case: &Case<'_>) -> Option<Cure> {
    let scan = Scan::of(case);
    let (cell, python, stmt) = case.here()?;
    let to = mover(case, &scan)?;
    let (_, exprs) = at_error(case);
    let function = function_around(python, stmt);
    // A tensor created in `forward` belongs on the input's device.
    let method = function.filter(|f| {
        f.parameters
            .iter_non_variadic_params()
            .next()
            .is_some_and(|p| p.parameter.name.as_str() == "self")
    });
    if method.is_some() {
        return None;
    }
    let moved = |name: &str| moved_in(case, &scan, cell, name);
    let call =
        model_call(case, &exprs).or_else(|| super::targets::loss_call(case).map(|(_, c)| c))?;
    let model = name_of(&call.func);
    // The model itself was never moved.
    if let Some(model) = model.as_deref().filter(|m| !m.contains('.')) {
        let set = case.last_set(model).filter(|s| s.binding.value.is_some());
        let fresh = set.filter(|_| !moved(model));
        let loss = model.to_lowercase().contains("loss") || model.contains("crit");
        if let (Some(set), false) = (fresh, loss) {
            let inputs = call
                .arguments
                .args
                .iter()
                .filter_map(name_of)
                .any(|n| moved(&n));
            if inputs {
                let value = set.binding.value?;
                let was = slice(case, set.cell, value);
                return case.edits(
                    Said {
                        id: "to-device",
                        basis: Basis::Source,
                        title: format!(
                            "Move `{model}` to the device: `{}{to}`",
                            super::say::short(was)
                        ),
                        why: "Its inputs are moved there; its weights are still on the CPU."
                            .to_owned(),
                    },
                    vec![Change::after(set.cell, value, to.clone())],
                );
            }
        }
    }
    let mut changes = Vec::new();
    let mut names = Vec::new();
    for arg in call
        .arguments
        .args
        .iter()
        .chain(call.arguments.keywords.iter().map(|k| &k.value))
    {
        let text = slice(case, cell, arg);
        let output = |n: &str| {
            ["out", "pred", "logit", "score"]
                .iter()
                .any(|o| n.to_lowercase().contains(o))
        };
        let plain = matches!(arg, Expr::Name(_) | Expr::Subscript(_));
        let name = name_of(arg).unwrap_or_else(|| text.to_owned());
        if plain && !moved(&name) && !output(&name) {
            changes.push(Change::after(cell, arg, to.clone()));
            names.push(format!("`{text}{to}`"));
        }
    }
    case.edits(
        Said {
            id: "to-device",
            basis: Basis::Assumed,
            title: format!("Move the data to the device: {}", names.join(", ")),
            why: "It is on the CPU, what it is used with is on the GPU; moving what is there already costs nothing.".to_owned(),
        },
        changes,
    )
}

fn model_call<'c>(case: &'c Case<'c>, exprs: &[&'c Expr]) -> Option<&'c ExprCall> {
    let calls = exprs.iter().filter_map(|e| e.as_call_expr());
    let own = calls.filter(|c| {
        let tool = case.path_of(&c.func).is_some();
        let name = head(c).to_lowercase();
        let model = [
            "model",
            "net",
            "encoder",
            "generator",
            "gen",
            "disc",
            "cnn",
            "lstm",
            "classifier",
        ]
        .iter()
        .any(|k| name.contains(k));
        !tool && model && !c.arguments.is_empty()
    });
    only(own)
}

/// Whether the cells move something of this name: `x = x.to(device)`, `model.cuda()`.
fn moved_in<'c>(case: &'c Case<'c>, scan: &Scan<'c>, cell: usize, name: &str) -> bool {
    let device = |c: &ExprCall, cell: usize| {
        let args = &c.arguments;
        head(c) == "cuda"
            || head(c) == "to"
                && args
                    .args
                    .iter()
                    .chain(args.keywords.iter().map(|k| &k.value))
                    .any(|a| {
                        let text = slice(case, cell, a).to_lowercase();
                        text.contains("cuda") || text.contains("dev") || text.contains("gpu")
                    })
    };
    let by_method = scan.named(&["to", "cuda"]).any(|f| {
        let of = f
            .call
            .func
            .as_attribute_expr()
            .and_then(|a| name_of(&a.value));
        let model = of.as_deref() == Some(name);
        // A batch is moved in its own cell, a model anywhere.
        model
            && device(f.call, f.cell)
            && (f.cell == cell
                || case
                    .last_set(name)
                    .is_some_and(|s| s.cell != cell || s.binding.function.is_none()))
    });
    let set = case
        .last_set(name)
        .and_then(|s| Some((s.cell, s.binding.value?)));
    let in_value = set.is_some_and(|(at, v)| {
        let made = keyword_device(v);
        let mut all = Vec::new();
        super::scan::below(v, &mut all);
        made || all
            .iter()
            .filter_map(|e| e.as_call_expr())
            .any(|c| device(c, at))
    });
    by_method || in_value
}

fn keyword_device(value: &Expr) -> bool {
    value
        .as_call_expr()
        .is_some_and(|c| keyword(c, "device").is_some())
}

/// `can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() …`.
fn to_cpu(case: &Case<'_>) -> Option<Cure> {
    let (cell, exprs) = at_error(case);
    let why = "NumPy reads the memory of the host: the tensor has to be copied from the GPU first."
        .to_owned();
    let calls = exprs
        .iter()
        .filter_map(|e| e.as_call_expr())
        .filter(|c| head(c) == "numpy" && c.arguments.is_empty());
    if let Some(call) = only(calls) {
        let of = &*call.func.as_attribute_expr()?.value;
        let was = slice(case, cell, call);
        return case.edits(
            Said {
                id: "to-host",
                basis: Basis::Library,
                title: format!("Write `{}.cpu().numpy()`", slice(case, cell, of)),
                why: if was.contains(".cpu()") {
                    return None;
                } else {
                    why
                },
            },
            vec![Change::after(cell, of, ".cpu()")],
        );
    }
    let value = shown_value(case, &exprs)?;
    wrapped(case, cell, value, ".detach().cpu()", "to-host", why)
}

/// `Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.`
fn detach(case: &Case<'_>) -> Option<Cure> {
    let (cell, exprs) = at_error(case);
    let why = "The tensor still belongs to the graph of gradients; NumPy gets its values only."
        .to_owned();
    let calls = exprs
        .iter()
        .filter_map(|e| e.as_call_expr())
        .filter(|c| head(c) == "numpy" && c.arguments.is_empty());
    let calls: Vec<&ExprCall> = calls.collect();
    if calls.is_empty() {
        let value = tracked(case, cell, &exprs).or_else(|| shown_value(case, &exprs))?;
        return wrapped(case, cell, value, ".detach().numpy()", "detach", why);
    }
    let open: Vec<_> = calls
        .iter()
        .filter(|c| !slice(case, cell, **c).contains("detach()"))
        .collect();
    let of = |c: &ExprCall| c.func.as_attribute_expr().map(|a| a.value.clone());
    let changes: Vec<Change> = open
        .iter()
        .filter_map(|c| Some(Change::after(cell, &*of(c)?, ".detach()")))
        .collect();
    let first = open.first()?;
    let text = slice(case, cell, **first);
    let title = format!(
        "Write `{}.detach().numpy()`",
        text.strip_suffix(".numpy()")?
    );
    case.edits(
        Said {
            id: "detach",
            basis: Basis::Library,
            title,
            why,
        },
        changes,
    )
}

/// The argument computed by a model, if there are several: `plt.plot(x, net(x))`.
fn tracked<'c>(case: &'c Case<'c>, cell: usize, exprs: &[&'c Expr]) -> Option<&'c Expr> {
    let of_model = |e: &Expr| {
        let call = case.made(cell, e).and_then(|m| m.expr.as_call_expr());
        let model = call.and_then(|c| case.value(name(&c.func)?)?.1.as_call_expr());
        model.is_some_and(|m| {
            let own = name(&m.func).and_then(|n| case.last_set(n));
            own.is_some_and(|s| s.binding.stmt.is_class_def_stmt())
                || case
                    .path_of(&m.func)
                    .is_some_and(|p| p.starts_with("torch.nn."))
        })
    };
    let calls = exprs.iter().filter_map(|e| e.as_call_expr());
    only(
        calls
            .flat_map(|c| &c.arguments.args)
            .filter(|a| of_model(a)),
    )
}

/// The value that a line passes to a library for conversion to an array: the only argument of
/// `plt.plot(x)`, `np.array(x)`.
fn shown_value<'c>(case: &'c Case<'c>, exprs: &[&'c Expr]) -> Option<&'c Expr> {
    let calls = exprs.iter().filter_map(|e| e.as_call_expr()).filter(|c| {
        let known = [
            "array",
            "asarray",
            "imshow",
            "plot",
            "append",
            "concatenate",
            "accuracy_score",
            "hist",
            "Series",
        ];
        known.contains(&head(c))
    });
    let call = only(calls)?;
    let names = call
        .arguments
        .args
        .iter()
        .filter(|a| matches!(a, Expr::Name(_) | Expr::Subscript(_) | Expr::Attribute(_)));
    let _ = case;
    only(names)
}

/// What the only call of `append` appends to a list.
fn appended<'c>(case: &'c Case<'_>, list: &str) -> Option<&'c Expr> {
    let cells = case.seen().into_iter().filter_map(|c| case.python(c));
    let all = cells.flat_map(|p| calls(p.body()));
    let to = |c: &&ExprCall| head(c) == "append" && receiver(c).and_then(name) == Some(list);
    positional(only(all.filter(to))?, 0)
}

fn wrapped(
    case: &Case<'_>,
    cell: usize,
    value: &Expr,
    method: &str,
    id: &'static str,
    why: String,
) -> Option<Cure> {
    let was = slice(case, cell, value);
    let of = name_of(value).unwrap_or_default();
    let list = case.last_set(&of);
    if list.is_some_and(|s| s.binding.value.is_some_and(Expr::is_list_expr)) {
        // What a cell appends by name is mended there.
        if appended(case, &of).is_some_and(|e| !e.is_call_expr()) {
            return None;
        }
        let new = format!("[t{method} for t in {was}]");
        return case.edits(
            Said {
                id,
                basis: Basis::Named,
                title: format!("Use `{new}` instead of `{was}`"),
                why: format!("`{was}` is a list of tensors. {why} Appending `….item()` would keep less memory."),
            },
            vec![Change::replace(cell, value, new)],
        );
    }
    case.edits(
        Said {
            id,
            basis: Basis::Named,
            title: format!("Use `{was}{method}` instead of `{was}`"),
            why,
        },
        vec![Change::after(cell, value, method)],
    )
}
