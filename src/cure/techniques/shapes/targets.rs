//! PyTorch losses: the shape, dtype and range of the targets.

use super::say::{look, replaced, short};
use super::scan::{at_error, head, only, rewritten, slice, Scan};
use super::text::{shapes, written};
use crate::case::Case;
use crate::edit::{Change, Said};
use crate::table::Kind;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{each_expr, keyword, name_of, positional, statement_at, Ranged};
use nbmedic_wordings::{torch, torchmetrics};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if torch::TARGET_SIZE_OF_LOGITS.is_in(text) || torch::TARGET_SIZE.is_in(text) {
        out.extend(sized(case));
    } else if torchmetrics::SHAPES.begins(text) {
        out.extend(metric(case));
    } else if wants_long(text) {
        out.extend(cast(
            case,
            "long",
            "Class numbers have to be whole numbers of 64 bits for this loss.",
        ));
    } else if wants_float(text) {
        out.extend(cast(case, "float", "This loss compares with fractions: its targets have to be floating-point numbers like the outputs."));
    } else if torch::MULTI_TARGET.is_in(text) {
        out.extend(one_column(case));
    } else if torch::BATCH_SIZES.is_in(text) {
        out.extend(batches(case));
    } else if torch::TRUTH_OF_TENSOR.is_in(text) {
        out.extend(not_made(case));
    } else if torch::TARGET_OUTSIDE.read(text).is_some() {
        out.extend(out_of_bounds(case));
    }
}

fn wants_long(text: &str) -> bool {
    let nll = torch::LOSS_KERNEL.read(text);
    nll.is_some_and(|[kind]| kind != "Half")
        || torch::TARGET_DTYPE.is_in(text)
        || matches!(torch::SCALAR_TYPE.read(text), Some(["Long", _]))
        || matches!(torch::SCALAR_TYPE_OF_ARGUMENT.read(text), Some(["Long", _]))
            && text.contains("'target'")
}

fn wants_float(text: &str) -> bool {
    matches!(torch::RESULT_TYPE.read(text), Some(["Float", _]))
        || matches!(
            torch::DTYPE_FOUND.read(text),
            Some(["Long" | "Double" | "Int", "Float"])
        )
        || text.contains("Expected floating point type for target with class probabilities, got")
}

/// Whether a call is a loss with outputs and targets.
fn is_loss(call: &ExprCall) -> bool {
    if call.arguments.len() < 2 {
        return false;
    }
    let name = match &*call.func {
        Expr::Call(made) => head(made).to_lowercase(),
        _ => head(call).to_lowercase(),
    };
    let known = [
        "loss",
        "criterion",
        "cost",
        "bce",
        "entropy",
        "mse",
        "objective",
        "nll",
        "crit",
    ];
    known.iter().any(|k| name.contains(k)) && name != "log_loss"
}

/// The loss call on the failing line. For `loss.backward()`, the call that computed the loss.
pub(crate) fn loss_call<'c>(case: &'c Case<'c>) -> Option<(usize, &'c ExprCall)> {
    let (cell, exprs) = at_error(case);
    let losses = exprs
        .iter()
        .filter_map(|e| e.as_call_expr())
        .filter(|c| is_loss(c));
    let losses: Vec<&ExprCall> = losses.collect();
    if !losses.is_empty() {
        return Some((cell, only(losses)?));
    }
    let backward = exprs
        .iter()
        .filter_map(|e| e.as_call_expr())
        .find(|c| head(c) == "backward")?;
    let of = backward.func.as_attribute_expr()?.value.as_name_expr()?;
    let mut all = Vec::new();
    each_expr(case.python(cell)?.body(), &mut |e| {
        all.extend(
            e.as_call_expr()
                .filter(|c| is_loss(c) && c.end() < of.start()),
        );
    });
    Some((cell, only(all)?))
}

fn target<'c>(case: &'c Case<'c>) -> Option<(usize, &'c ExprCall, &'c Expr)> {
    let (cell, call) = loss_call(case)?;
    let target = match keyword(call, "target").or_else(|| keyword(call, "labels")) {
        Some(k) => &k.value,
        None => positional(call, 1)?,
    };
    Some((cell, call, target))
}

/// torchmetrics: `expected to have the same shape, but got torch.Size([8, 1]) and torch.Size([8])`.
fn metric(case: &Case<'_>) -> Option<Cure> {
    let all = shapes(case.message());
    let (p, t) = (all.first()?, all.get(1)?);
    let (cell, exprs) = at_error(case);
    let calls = exprs.iter().filter_map(|e| e.as_call_expr());
    let call = only(calls.filter(|c| c.arguments.args.len() == 2))?;
    let words = format!(
        "The predictions are {}, the targets {}.",
        written(p),
        written(t)
    );
    let longer = |long: &[i64], short: &[i64]| {
        long.len() == short.len() + 1 && long.starts_with(short) && long.last() == Some(&1)
    };
    let given = match (longer(p, t), longer(t, p)) {
        (true, _) => positional(call, 0)?,
        (_, true) => positional(call, 1)?,
        _ => return None,
    };
    let text = case
        .editor(cell)?
        .code(given)
        .then(".squeeze(-1)")
        .to_string();
    replaced(case, cell, given, text, "fit-target", Basis::Solved, words)
}

/// `Using a target size (torch.Size([32])) that is different to the input size (torch.Size([32, 1]))`.
fn sized(case: &Case<'_>) -> Option<Cure> {
    let all = shapes(case.message());
    let (t, input) = (all.first()?, all.get(1)?);
    let (cell, call, target) = target(case)?;
    let was = slice(case, cell, target);
    let base = case.editor(cell)?.code(target).tight();
    let words = format!(
        "The targets are {}, the outputs {}.",
        written(t),
        written(input)
    );
    let float = if was.contains(".float()") {
        ""
    } else {
        ".float()"
    };
    if input.len() == t.len() + 1 && input.starts_with(t) && input.last() == Some(&1) {
        let axis = t.len();
        if let Some(cure) = where_made(case, target, axis, &words) {
            return Some(cure);
        }
        let text = format!("{base}{float}.unsqueeze({axis})");
        return replaced(case, cell, target, text, "fit-target", Basis::Solved, words);
    }
    if t.len() == input.len() + 1 && t.starts_with(input) && t.last() == Some(&1) {
        let text = format!("{base}.squeeze({})", input.len());
        return replaced(case, cell, target, text, "fit-target", Basis::Solved, words);
    }
    let [n, classes] = input[..] else { return None };
    if t[..] == [n] && classes > 1 {
        let torch = case.alias_of("torch")?;
        let text = format!("{torch}.nn.functional.one_hot({base}.long(), {classes}).float()");
        let why = format!("{words} This loss wants one column for each of the {classes} classes; `CrossEntropyLoss` would take class numbers.");
        return replaced(case, cell, target, text, "fit-target", Basis::Assumed, why);
    }
    if t.len() == 2 && t[0] == n {
        return None;
    }
    let name = short(slice(case, cell, call));
    (t.len() == 1 && t[0] != n).then(|| {
        look(
            "fit-target",
            format!("Compare as many targets as outputs in `{name}`"),
            format!("{words} They don't belong to the same batch, or the outputs were reshaped across it."),
        )
    })
}

/// What takes the axis of one column away.
const FLAT: &[&str] = &[
    "squeeze",
    "flatten",
    "ravel",
    "view(-1)",
    "reshape(-1)",
    "[:, 0]",
];

/// Gives the targets their axis where they are made, if another line compares them with the outputs, too: there the missing axis
/// would compare each with each, and no error says so.
fn where_made(case: &Case<'_>, target: &Expr, axis: usize, words: &str) -> Option<Cure> {
    let id = name_of(target)?;
    let set = case.last_set(&id)?;
    let value = set.binding.value?;
    let one = only(set.binding.stmt.as_assign_stmt()?.targets.iter())?;
    one.is_name_expr().then_some(())?;
    let mut compared = false;
    for python in (0..case.book.cells().len()).filter_map(|c| case.python(c)) {
        each_expr(python.body(), &mut |e| {
            let sides: Vec<&Expr> = match e {
                Expr::Compare(c) => std::iter::once(&*c.left).chain(&c.comparators).collect(),
                Expr::BinOp(b) => vec![&*b.left, &*b.right],
                _ => return,
            };
            // What is compared with the outputs as they are, not with a number or with flat outputs.
            let other = |s: &&Expr| {
                !s.is_number_literal_expr() && !FLAT.iter().any(|f| python.slice(*s).contains(f))
            };
            let (own, others): (Vec<&Expr>, Vec<&Expr>) = sides
                .iter()
                .partition(|s| name_of(s).as_deref() == Some(id.as_str()));
            compared |= !own.is_empty() && !others.is_empty() && others.iter().all(other);
        });
    }
    compared.then_some(())?;
    let was = slice(case, set.cell, value);
    let float = if was.contains("float") {
        ""
    } else {
        ".float()"
    };
    let tail = format!("{float}.unsqueeze({axis})");
    case.edits(
        Said {
            id: "fit-target",
            basis: Basis::Solved,
            title: format!("Make `{id}` with `{tail}`"),
            why: format!(
                "{words} Other lines compare `{id}` with the outputs, and need the same axes."
            ),
        },
        vec![case.editor(set.cell)?.append(value, tail.as_str())],
    )
}

fn cast(case: &Case<'_>, to: &str, why: &str) -> Option<Cure> {
    let (cell, _, target) = target(case)?;
    let was = slice(case, cell, target);
    if was.ends_with(&format!(".{to}()")) {
        return None;
    }
    // A cast in the wrong direction is removed.
    let base = match was
        .strip_suffix(".float()")
        .or_else(|| was.strip_suffix(".long()"))
    {
        Some(inner) if to == "long" || to == "float" => inner.to_owned(),
        _ => case.editor(cell)?.code(target).tight(),
    };
    let text = format!("{base}.{to}()");
    replaced(
        case,
        cell,
        target,
        text,
        "cast-target",
        Basis::Named,
        why.to_owned(),
    )
}

/// `0D or 1D target tensor expected, multi-target not supported`.
fn one_column(case: &Case<'_>) -> Option<Cure> {
    let (cell, _, target) = target(case)?;
    let base = case.editor(cell)?.code(target).tight();
    let scan = Scan::of(case);
    let hot = [
        "one_hot",
        "to_categorical",
        "get_dummies",
        "OneHotEncoder",
        "LabelBinarizer",
    ];
    if scan.named(&hot).next().is_some() {
        let why = "The targets have one column for each class, this loss wants the number of the class: the column that is set.".to_owned();
        return replaced(
            case,
            cell,
            target,
            format!("{base}.argmax(dim=1)"),
            "class-numbers",
            Basis::Assumed,
            why,
        );
    }
    let why = "This loss wants one class number for each sample, without an axis of its own. If the targets are one-hot, it is `.argmax(dim=1)` instead.".to_owned();
    replaced(
        case,
        cell,
        target,
        format!("{base}.squeeze(1)"),
        "class-numbers",
        Basis::Assumed,
        why,
    )
}

/// `Expected input batch_size (64) to match target batch_size (16).`: a `view(-1, n)` moved rows into the batch.
fn batches(case: &Case<'_>) -> Option<Cure> {
    let [got, batch] = torch::BATCH_SIZES.numbers(case.message())?;
    let scan = Scan::of(case);
    let views = scan.named(&["view", "reshape"]).filter_map(|f| {
        let all = &f.call.arguments.args;
        let first = slice(case, f.cell, all.first()?);
        let size = scan.origin(&f, all.get(1)?)?;
        (all.len() == 2 && first == "-1").then_some((f, size))
    });
    let (f, size) = only(views)?;
    let flat = size.value.checked_mul(got)?.checked_div(batch)?;
    if flat * batch != size.value * got || flat == size.value {
        return None;
    }
    let x = slice(case, f.cell, &*f.call.func.as_attribute_expr()?.value);
    let mut changes = vec![
        Change::replace(f.cell, positional(f.call, 0)?, format!("{x}.size(0)")),
        Change::replace(f.cell, positional(f.call, 1)?, "-1"),
    ];
    let layers = scan
        .named(&["Linear"])
        .filter_map(|l| scan.origin(&l, l.argument(0, "in_features")?));
    let layer = only(layers.filter(|o| o.value == size.value))?;
    changes.push(Change::replace(
        layer.cell,
        layer.expr,
        rewritten(layer.expr, flat),
    ));
    case.edits(
        Said {
            id: "keep-batch",
            basis: Basis::Assumed,
            title: format!(
                "Write `{x}.{}({x}.size(0), -1)`, and {flat} instead of {} in the layer behind it",
                head(f.call),
                size.value
            ),
            why: format!(
                "Of {batch} samples it made {got} rows of {}: each sample has {flat} values.",
                size.value
            ),
        },
        changes,
    )
}

/// `nn.CrossEntropyLoss(outputs, labels)`: the constructor receives the arguments of the call.
fn not_made(case: &Case<'_>) -> Option<Cure> {
    let (cell, exprs) = at_error(case);
    let calls = exprs.iter().filter_map(|e| e.as_call_expr()).filter(|c| {
        let name = head(c);
        name.ends_with("Loss")
            && name.starts_with(|c: char| c.is_ascii_uppercase())
            && c.arguments.args.len() == 2
            && !c.func.is_call_expr()
    });
    let call = only(calls)?;
    let func = slice(case, cell, &*call.func);
    case.edits(
        Said {
            id: "make-loss",
            basis: Basis::Library,
            title: format!("Make the loss first: `{func}()(…)`"),
            why: format!(
                "`{func}` is a class: its first brackets make the loss, the second ones compare."
            ),
        },
        vec![Change::after(cell, &*call.func, "()")],
    )
}

/// `Target 3 is out of bounds.`
fn out_of_bounds(case: &Case<'_>) -> Option<Cure> {
    let [class] = torch::TARGET_OUTSIDE.numbers(case.message())?;
    if class < 0 {
        return None;
    }
    let scan = Scan::of(case);
    let (cell, _, target) = target(case)?;
    // Class numbers with gaps, in an array of this notebook: renumbers them.
    if let Some(cure) = renumbered(case, cell, target) {
        return Some(cure);
    }
    let outputs: Vec<_> = scan
        .named(&["Linear"])
        .filter_map(|f| Some((f, scan.origin(&f, f.argument(1, "out_features")?)?)))
        .collect();
    let inputs: Vec<i64> = scan
        .named(&["Linear"])
        .filter_map(|f| scan.value(&f, f.argument(0, "in_features")?))
        .collect();
    // The last layer: nothing uses its output.
    let last = outputs
        .into_iter()
        .filter(|(_, o)| o.value <= class && !inputs.contains(&o.value));
    let (f, origin) = only(last)?;
    if class < 0 {
        return None;
    }
    let call = short(slice(case, f.cell, f.call));
    let from_one = if class == origin.value {
        " If the classes are counted from 1, subtract 1 from the targets instead."
    } else {
        ""
    };
    let resized = super::layers::Resize {
        found: f,
        origin,
        size: class + 1,
    };
    let why = format!("A target is class {class}, and `{call}` gives {} classes, 0 to {}: it needs at least {}.{from_one}", origin.value, origin.value - 1, class + 1);
    super::layers::resize(case, "fit-classes", &resized, why)
}

fn renumbered<'c>(case: &'c Case<'c>, cell: usize, target: &'c Expr) -> Option<Cure> {
    let np = case.alias_of("numpy")?;
    // `torch.from_numpy(labels)`, `torch.tensor(labels)`.
    let inner = match target {
        Expr::Call(c) if c.arguments.args.len() == 1 => positional(c, 0)?,
        other => other,
    };
    let name = name_of(inner)?;
    let set = case.last_set(&name)?;
    if set.binding.looped
        || set.binding.conditional
        || case.kind(set.cell, set.binding.value?) != Kind::Array
    {
        return None;
    }
    let python = case.python(cell)?;
    let line = case.innermost()?.line;
    let stmt = statement_at(python, line)?;
    let top = python.body().iter().any(|s| s.range() == stmt.range());
    if !top || case.innermost()?.function.is_some() {
        return None;
    }
    let code = format!("classes, {name} = {np}.unique({name}, return_inverse=True)");
    if case.exists("classes") {
        return None;
    }
    case.edits(
        Said {
            id: "renumber-classes",
            basis: Basis::Assumed,
            title: format!("Number the classes of `{name}` from 0"),
            why: "Class numbers have to run from 0 without a gap up to the number of outputs; `classes` keeps what each number stood for.".to_owned(),
        },
        vec![Change::line_before(cell, python, python.line_of(stmt.start()), &code)],
    )
}
