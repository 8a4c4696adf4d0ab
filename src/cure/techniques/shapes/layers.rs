//! PyTorch layers: finds the wrong size of the message in the call that created the layer.

use super::say::short;
use super::scan::{at_error, head, holds, only, rewritten, slice, Found, Origin, Scan};
use super::text::{matrices, shape};
use crate::case::Case;
use crate::edit::{Change, Said};
use crate::known::attributes;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::{name_of, positional, Ranged};
use nbmedic_wordings::torch;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if matrices(text).is_some() {
        out.extend(linear(case));
    } else if torch::RUNNING_MEAN.is_in(text) {
        out.extend(batch_norm(case));
    } else if torch::RECURRENT_INPUT.is_in(text) {
        out.extend(recurrent(case));
    } else if torch::NORMALIZED_SHAPE.read(text).is_some() {
        out.extend(layer_norm(case));
    } else if torch::HEADS.is_in(text) {
        out.extend(heads(case));
    } else if torch::SHAPE_FOR_INPUT.is_in(text) {
        out.extend(view(case));
    }
}

/// A size in a call, and its correct value.
pub(crate) struct Resize<'c> {
    /// The call.
    pub(crate) found: Found<'c>,
    /// The number.
    pub(crate) origin: Origin<'c>,
    /// The correct value.
    pub(crate) size: i64,
}

/// Replaces a size.
pub(crate) fn resize(
    case: &Case<'_>,
    id: &'static str,
    r: &Resize<'_>,
    why: String,
) -> Option<Cure> {
    let text = rewritten(r.origin.expr, r.size);
    let was = slice(case, r.origin.cell, r.origin.expr);
    let call = short(slice(case, r.found.cell, r.found.call));
    let own = r.origin.cell == r.found.cell && holds(r.found.call, r.origin.expr.range());
    let place = if own {
        format!("in `{call}`")
    } else {
        format!(
            "(cell {}), which `{call}` uses",
            case.position(r.origin.cell)
        )
    };
    case.edits(
        Said {
            id,
            basis: Basis::Assumed,
            title: format!("Replace `{was}` by `{text}` {place}"),
            why,
        },
        vec![Change::replace(r.origin.cell, r.origin.expr, text)],
    )
}

/// Of several calls, those that created the layer on the failing line: `self.fc1(x)` →
/// `self.fc1 = nn.Linear(…)`.
pub(crate) fn of_the_line<'c>(
    case: &'c Case<'c>,
    all: Vec<(Found<'c>, Origin<'c>)>,
) -> Option<(Found<'c>, Origin<'c>)> {
    if all.len() <= 1 {
        return only(all);
    }
    let (_, exprs) = at_error(case);
    let names: Vec<String> = exprs
        .iter()
        .filter_map(|e| name_of(&e.as_call_expr()?.func))
        .filter_map(|n| Some(n.strip_prefix("self.")?.to_owned()))
        .collect();
    let made = |f: &Found<'c>| {
        f.class.is_some_and(|class| {
            names.iter().any(|n| {
                attributes(class, n)
                    .iter()
                    .any(|(_, value)| holds(*value, f.call.range()))
            })
        })
    };
    let same = |a: &Origin<'c>| (a.cell, a.expr.range());
    if all.iter().all(|x| same(&x.1) == same(&all[0].1)) {
        return all.into_iter().next();
    }
    only(all.into_iter().filter(|(f, _)| made(f)))
}

const LINEAR: &[&str] = &["Linear"];

fn linear(case: &Case<'_>) -> Option<Cure> {
    let [rows, columns, inputs, outputs] = matrices(case.message())?;
    let scan = Scan::of(case);
    let fits = |f: &Found<'_>| {
        let Some(out) = f.argument(1, "out_features") else {
            return false;
        };
        scan.value(f, out).is_none_or(|o| o == outputs)
    };
    let all: Vec<_> = scan
        .named(LINEAR)
        .filter(fits)
        .filter_map(|f| Some((f, scan.origin(&f, f.argument(0, "in_features")?)?)))
        .collect();
    // A layer of that shape that accepts the input was repaired since.
    if all.iter().any(|(_, o)| o.value == columns) {
        return None;
    }
    let all = all.into_iter().filter(|(_, o)| o.value == inputs).collect();
    let (found, origin) = of_the_line(case, all)?;
    let call = short(slice(case, found.cell, found.call));
    if let Some(cure) = flatten(case, &scan, &found, [rows, columns, inputs]) {
        return Some(cure);
    }
    let why = format!("What reaches it has {columns} values in its last axis (`{rows}x{columns}` in the message); `{call}` expects {inputs}.");
    let resized = Resize {
        found,
        origin,
        size: columns,
    };
    resize(case, "fit-linear", &resized, why)
}

const FLAT: &[&str] = &[
    "Flatten",
    "flatten",
    "view",
    "reshape",
    "squeeze",
    "mean",
    "rearrange",
    "AdaptiveAvgPool2d",
    "embedding",
    "Embedding",
];

/// The images aren't flattened before the layer.
fn flatten<'c>(
    case: &'c Case<'c>,
    scan: &Scan<'c>,
    linear: &Found<'c>,
    sizes: [i64; 3],
) -> Option<Cure> {
    let [rows, columns, inputs] = sizes;
    let all = rows.checked_mul(columns)?;
    if columns == 0 || inputs == 0 || all % inputs != 0 || inputs % columns != 0 {
        return None;
    }
    let near = |f: &&Found<'c>| {
        let same = |c: &nbmedic_python::ast::StmtClassDef| {
            linear.class.is_some_and(|l| l.range() == c.range())
        };
        f.cell == linear.cell && (f.class.is_some_and(same) || linear.class.is_none())
    };
    let around: Vec<&Found<'c>> = scan.calls.iter().filter(near).collect();
    let has = |names: &[&str]| around.iter().any(|f| names.contains(&head(f.call)));
    let conv = has(&["Conv2d", "Conv1d", "MaxPool2d"]);
    let square = inputs % columns.checked_mul(columns)? == 0;
    if has(FLAT) || !(conv || square) {
        return None;
    }
    let why = format!("`{rows}x{columns}` is what is left of images when only their last axis reaches the layer: {rows} × {columns} = {} samples × {inputs}, as it expects.", all / inputs);
    let said = |title| Said {
        id: "flatten",
        basis: Basis::Assumed,
        title,
        why,
    };
    // In a `Sequential`, inserts a layer before it; otherwise flattens where the layer is called.
    let sequential = around.iter().any(|f| {
        head(f.call) == "Sequential"
            && f.call
                .arguments
                .args
                .iter()
                .any(|a| a.range() == linear.call.range())
    });
    if sequential {
        let func = slice(case, linear.cell, &*linear.call.func);
        let prefix = func.strip_suffix("Linear")?;
        let text = format!("{prefix}Flatten(), ");
        let call = short(slice(case, linear.cell, linear.call));
        return case.edits(
            said(format!("Put `{prefix}Flatten()` before `{call}`")),
            vec![Change::before(linear.cell, linear.call, text)],
        );
    }
    let (cell, exprs) = at_error(case);
    let class = linear.class?;
    let calls = exprs.iter().filter_map(|e| e.as_call_expr()).filter(|c| {
        name_of(&c.func)
            .and_then(|n| Some(n.strip_prefix("self.")?.to_owned()))
            .is_some_and(|n| {
                let made = attributes(class, &n);
                made.iter().any(|(_, v)| holds(*v, linear.call.range()))
            })
    });
    let input = positional(only(calls)?, 0)?;
    let was = slice(case, cell, input);
    let text = case
        .editor(cell)?
        .code(input)
        .then(".flatten(1)")
        .to_string();
    case.edits(
        said(format!("Flatten the images: `{text}` instead of `{was}`")),
        vec![Change::replace(cell, input, text)],
    )
}

/// `running_mean should contain 64 elements not 32`.
fn batch_norm(case: &Case<'_>) -> Option<Cure> {
    let [size, was] = torch::RUNNING_MEAN.numbers(case.message())?;
    let names = [
        "BatchNorm1d",
        "BatchNorm2d",
        "BatchNorm3d",
        "InstanceNorm2d",
        "InstanceNorm1d",
    ];
    sized(
        case,
        &names,
        "num_features",
        [was, size],
        "fit-norm",
        |call| {
            format!("What reaches `{call}` has {size} channels, as the message says, not {was}.")
        },
    )
}

/// `input.size(-1) must be equal to input_size. Expected 10, got 20`.
fn recurrent(case: &Case<'_>) -> Option<Cure> {
    let [was, size] = torch::RECURRENT_INPUT.numbers(case.message())?;
    let names = ["LSTM", "GRU", "RNN", "LSTMCell", "GRUCell", "RNNCell"];
    sized(
        case,
        &names,
        "input_size",
        [was, size],
        "fit-recurrent",
        |call| format!("Each step of the sequences has {size} values; `{call}` expects {was}."),
    )
}

/// `Given normalized_shape=[512], expected input with shape [*, 512], but got input of size[32, 256]`.
fn layer_norm(case: &Case<'_>) -> Option<Cure> {
    let [normalized, input] = torch::NORMALIZED_SHAPE.read(case.message())?;
    let was = *only(shape(normalized)?.iter())?;
    let size = *shape(input)?.last()?;
    sized(
        case,
        &["LayerNorm"],
        "normalized_shape",
        [was, size],
        "fit-norm",
        |call| format!("What reaches `{call}` has {size} values in its last axis, not {was}."),
    )
}

/// A layer of some class whose first size is wrong.
fn sized(
    case: &Case<'_>,
    names: &[&str],
    keyword: &str,
    [was, size]: [i64; 2],
    id: &'static str,
    why: impl Fn(&str) -> String,
) -> Option<Cure> {
    let scan = Scan::of(case);
    let all: Vec<_> = scan
        .named(names)
        .filter_map(|f| Some((f, scan.origin(&f, f.argument(0, keyword)?)?)))
        .filter(|(_, o)| o.value == was)
        .collect();
    let (found, origin) = of_the_line(case, all)?;
    let why = why(&short(slice(case, found.cell, found.call)));
    let resized = Resize {
        found,
        origin,
        size,
    };
    resize(case, id, &resized, why)
}

/// The number of heads must divide the width.
fn heads(case: &Case<'_>) -> Option<Cure> {
    let scan = Scan::of(case);
    let all = scan.calls.iter().copied().filter_map(|f| {
        let names: &[&str] = &[
            "MultiheadAttention",
            "TransformerEncoderLayer",
            "TransformerDecoderLayer",
            "Transformer",
        ];
        if !names.contains(&head(f.call)) {
            return None;
        }
        let width = scan.value(
            &f,
            f.argument(0, "embed_dim")
                .or_else(|| f.argument(0, "d_model"))?,
        )?;
        let heads = scan.origin(
            &f,
            f.argument(1, "num_heads")
                .or_else(|| f.argument(1, "nhead"))?,
        )?;
        (heads.value > 0 && width > 0 && width % heads.value != 0).then_some((f, heads, width))
    });
    let (found, origin, width) = only(all)?;
    let size = (1..=origin.value).rev().find(|h| width % h == 0)?;
    let why = format!("The width {width} is divided among the heads: {} does not divide it, {size} is the largest smaller number that does.", origin.value);
    let resized = Resize {
        found,
        origin,
        size,
    };
    resize(case, "fit-heads", &resized, why)
}

/// `x.view(64, 784)`, where the last batch is smaller.
fn fixed_batch(case: &Case<'_>, shape: &[i64], total: i64) -> Option<Cure> {
    let (&batch, rest) = shape.split_first()?;
    let open = rest.contains(&-1);
    let size: i64 = rest.iter().filter(|n| **n > 0).product();
    if batch < 2 || rest.is_empty() || size < 1 || (!open && (size < 2 || total % size != 0)) {
        return None;
    }
    // Rows of another size: the batch is not to blame.
    if open && total % size != 0 {
        return None;
    }
    let (cell, exprs) = at_error(case);
    let calls = exprs.iter().filter_map(|e| e.as_call_expr());
    let call = only(calls.filter(|c| {
        ["view", "reshape"].contains(&head(c)) && c.arguments.args.len() == shape.len()
    }))?;
    let first = positional(call, 0)?;
    // What was read off the tensor is never too large.
    if open && !first.is_number_literal_expr() {
        let scan = Scan::of(case);
        let found = scan.found(cell, call)?;
        if scan.value(&found, first)? != batch {
            return None;
        }
    }
    // More rows than a batch size in the program aren't a last batch: a different size is wrong.
    if !open && total / size > batch && !first.is_number_literal_expr() {
        return None;
    }
    let x = slice(case, cell, &*call.func.as_attribute_expr()?.value);
    let (text, rows) = match open {
        true => (format!("{x}.size(0)"), None),
        false => ("-1".to_owned(), Some(total / size)),
    };
    let rows = rows.map_or(String::new(), |n| {
        format!(": these {total} values are {n} samples of {size}")
    });
    case.edits(
        Said {
            id: "any-batch",
            basis: Basis::Assumed,
            title: format!(
                "Let the batch have any size: `{text}` instead of `{}` in `{}`",
                slice(case, cell, first),
                short(slice(case, cell, call))
            ),
            why: format!(
                "Not every batch has {batch} samples; the last one often has fewer{rows}."
            ),
        },
        vec![Change::replace(cell, first, text)],
    )
}

/// `shape '[-1, 2500]' is invalid for input of size 21632`.
fn view(case: &Case<'_>) -> Option<Cure> {
    let [shape, total] = torch::SHAPE_FOR_INPUT.read(case.message())?;
    let shape = super::text::shape(shape)?;
    let total: i64 = total.parse().ok()?;
    if let Some(cure) = fixed_batch(case, &shape, total) {
        return Some(cure);
    }
    let [batch, size] = shape[..] else {
        return None;
    };
    let (cell, exprs) = at_error(case);
    let calls = exprs.iter().filter_map(|e| e.as_call_expr());
    let call = only(
        calls.filter(|c| ["view", "reshape"].contains(&head(c)) && c.arguments.args.len() == 2),
    )?;
    let scan = Scan::of(case);
    let found = scan.found(cell, call)?;
    let written = positional(call, 1)?;
    if batch != -1 || scan.value(&found, written)? != size {
        return None;
    }
    let of = &call.func.as_attribute_expr()?.value;
    let x = slice(case, cell, &**of);
    let mut changes = vec![
        Change::replace(cell, positional(call, 0)?, format!("{x}.size(0)")),
        Change::replace(cell, written, "-1"),
    ];
    let mut why = format!("{total} values do not divide into rows of {size}; so each sample keeps its own row, however long it is.");
    // The next layer may have the same wrong size.
    let layers: Vec<_> = scan
        .named(LINEAR)
        .filter_map(|f| Some((f, scan.origin(&f, f.argument(0, "in_features")?)?)))
        .collect();
    let fits = layers
        .iter()
        .any(|(_, o)| o.value > size / 8 && total % o.value == 0 && o.value > 1);
    if !fits {
        let same = layers.into_iter().filter(|(_, o)| o.value == size);
        let (f, origin) = only(same)?;
        let batches = scan.named(&["DataLoader"]);
        let batch = batches
            .filter_map(|l| scan.value(&l, l.argument(1, "batch_size")?))
            .find(|b| *b > 0 && total % b == 0)?;
        let flat = total / batch;
        let call = short(slice(case, f.cell, f.call));
        why = format!("{total} values are {batch} samples of {flat}, by the loader's batch size; `{call}` expects {size}.");
        changes.push(Change::replace(
            origin.cell,
            origin.expr,
            rewritten(origin.expr, flat),
        ));
    }
    case.edits(
        Said {
            id: "keep-batch",
            basis: Basis::Assumed,
            title: format!("Write `{x}.{}({x}.size(0), -1)`", head(call)),
            why,
        },
        changes,
    )
}
