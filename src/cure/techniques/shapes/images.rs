//! Images: axes in a different order, images of different sizes or colour modes in one batch.

use super::say::{look, short};
use super::scan::{at_error, head, only, slice, Found, Scan};
use super::text::{shapes, written};
use crate::case::Case;
use crate::code::Editor;
use crate::edit::{Change, Said};
use crate::table::Kind;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{positional, Ranged};
use nbmedic_wordings::{matplotlib, numpy, torch};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if matplotlib::IMAGE_SHAPE.is_in(text) || matplotlib::IMAGE_DIMENSIONS.is_in(text) {
        out.extend(imshow(case));
    } else if torch::STACKED_SIZES.is_in(text)
        || text.contains("invalid argument 0: Sizes of tensors must match except in dimension 0")
            && text.contains("Got")
    {
        out.extend(ragged(case));
    } else if numpy::BROADCAST_INTO.is_in(text) {
        out.extend(colours(case));
    }
}

/// How to reorder an array's axes, if the message's shape shows it: the code to append, and the
/// words.
fn turned(shape: &[i64]) -> Option<(&'static str, String)> {
    let words = |what: &str| format!("The value has the shape {}: {what}.", written(shape));
    match *shape {
        [3 | 4, h, w] if h > 4 && w > 4 => Some((
            "turn",
            words("its channels stand first, and `imshow` wants them last"),
        )),
        [1, h, w] if h > 1 && w > 1 => Some((
            ".squeeze()",
            words("`imshow` wants a grey image without the channel axis"),
        )),
        [1, h, w, 1] if h > 1 && w > 1 => Some((
            ".squeeze()",
            words("one grey image with a batch and a channel axis"),
        )),
        [n, h, w, 3 | 4] if h > 4 && w > 4 && n > 0 => Some((
            "[0]",
            words(if n == 1 {
                "a batch of one image"
            } else {
                "a batch of images; this shows the first"
            }),
        )),
        [n, 1, h, w] if h > 4 && w > 4 && n > 0 => Some((
            "[0].squeeze()",
            words("a batch of grey images; this shows the first"),
        )),
        [n, 3, h, w] if h > 4 && w > 4 && n > 0 => Some((
            "[0]turn",
            words("a batch with the channels in front; this shows the first image"),
        )),
        _ => None,
    }
}

fn imshow(case: &Case<'_>) -> Option<Cure> {
    let shape = shapes(case.message()).into_iter().next()?;
    let (cell, exprs) = at_error(case);
    let shows = exprs
        .iter()
        .filter_map(|e| e.as_call_expr())
        .filter(|c| head(c) == "imshow" || head(c) == "matshow");
    let call = only(shows)?;
    let value = match nbmedic_python::keyword(call, "X") {
        Some(k) => &k.value,
        None => positional(call, 0)?,
    };
    let was = slice(case, cell, value);
    if shape.is_empty() {
        return Some(look(
            "no-image",
            format!("Show an image instead of `{was}`"),
            format!("`{was}` is one number, not an image: print it, or put it into the title."),
        ));
    }
    let base = case.editor(cell)?.code(value).tight();
    let (text, why) = match turned(&shape) {
        Some((how, why)) => (how_turned(case, cell, value, &base, how)?, why),
        None => {
            let &[n] = &shape[..] else { return None };
            let side = n.isqrt();
            if side * side != n || side < 4 {
                return None;
            }
            let why = format!("The value is one row of {n} = {side} × {side} values.");
            (format!("{}.reshape({side}, {side})", base), why)
        }
    };
    let several = shape.len() == 4 && shape[0] > 1;
    case.edits(
        Said {
            id: "image-axes",
            basis: if several {
                Basis::Assumed
            } else {
                Basis::Solved
            },
            title: format!("Show `{text}` instead of `{was}`"),
            why,
        },
        vec![Change::replace(cell, value, text)],
    )
}

fn how_turned<'c>(
    case: &'c Case<'c>,
    cell: usize,
    value: &'c Expr,
    base: &str,
    how: &str,
) -> Option<String> {
    let Some(first) = how.strip_suffix("turn") else {
        return Some(format!("{base}{how}"));
    };
    Some(match case.kind_with_axes(cell, value) {
        Kind::Tensor => format!("{base}{first}.permute(1, 2, 0)"),
        Kind::Array => format!("{base}{first}.transpose(1, 2, 0)"),
        _ => match case.alias_of("numpy") {
            // Either works: the shown value was converted to an array anyway.
            Some(np) => {
                let inner = base.trim_start_matches('(');
                let inner = if inner.len() < base.len() {
                    inner.trim_end_matches(')')
                } else {
                    base
                };
                format!("{np}.asarray({inner}{first}).transpose(1, 2, 0)")
            }
            None if case.alias_of("torch").is_some() => format!("{base}{first}.permute(1, 2, 0)"),
            None => return None,
        },
    })
}

/// `stack expects each tensor to be equal size, but got [3, 123, 123] at entry 0 and [3, 73, 73] at entry 1`.
fn ragged(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    let at = text.find("equal size").or_else(|| text.find("Got"))?;
    let all = shapes(text.get(at..)?);
    let (a, b) = (all.first()?, all.get(1)?);
    let scan = Scan::of(case);
    match (&a[..], &b[..]) {
        ([c, _, _], [d, _, _]) if c != d => same_channels(case, &scan, a, b),
        ([_, ..], [_, ..]) if a.len() == 3 && b.len() == 3 => same_size(case, &scan, a, b),
        ([_] | [_, _], [_] | [_, _]) if a.len() == b.len() => padded(case, &scan, a, b),
        _ => None,
    }
}

/// Whether the notebook has coordinates within its images (boxes, key points, masks), which a plain
/// resize would invalidate.
pub(crate) fn has_positions(case: &Case<'_>) -> bool {
    const WORDS: &[&str] = &["bbox", "boxes", "bounding", "keypoint", "landmarks", "mask"];
    case.seen().into_iter().any(|cell| {
        let source = case.book.cells()[cell].source.to_ascii_lowercase();
        WORDS.iter().any(|w| source.contains(w))
    })
}

/// Transforms after which every image has the same size.
const FIXED: &[&str] = &[
    "RandomResizedCrop",
    "CenterCrop",
    "RandomCrop",
    "FiveCrop",
    "TenCrop",
];

/// The composed transforms.
fn composed<'c>(scan: &Scan<'c>) -> Vec<(Found<'c>, &'c [Expr])> {
    let all = scan.named(&["Compose"]);
    all.filter_map(|f| Some((f, positional(f.call, 0)?.as_list_expr()?.elts.as_slice())))
        .filter(|(_, l)| !l.is_empty())
        .collect()
}

fn named<'c>(list: &'c [Expr], name: &str) -> Option<&'c ExprCall> {
    let mut calls = list.iter().filter_map(Expr::as_call_expr);
    calls.find(|c| head(c) == name)
}

fn same_size(case: &Case<'_>, scan: &Scan<'_>, a: &[i64], b: &[i64]) -> Option<Cure> {
    if has_positions(case) {
        return None;
    }
    let shown = format!(
        "One image of the batch is {}, another {}",
        written(a),
        written(b)
    );
    let composes = composed(scan);
    let loose: Vec<_> = composes
        .iter()
        .filter(|(f, list)| {
            let fixed = list
                .iter()
                .filter_map(Expr::as_call_expr)
                .any(|c| FIXED.contains(&head(c)));
            let resized = named(list, "Resize").is_some_and(|r| is_pair(scan, f, r));
            // Albumentations resizes by (height, width).
            !fixed && !resized
        })
        .collect();
    if loose.is_empty() {
        return None;
    }
    let mut changes = Vec::new();
    let mut title = String::new();
    let mut size = None;
    for (f, list) in &loose {
        if let Some(resize) = named(list, "Resize") {
            let arg = positional(resize, 0)?;
            let was = slice(case, f.cell, arg);
            title = format!(
                "Resize to a square: `{}` instead of `{was}`",
                format_args!("({was}, {was})")
            );
            changes.push(Change::replace(f.cell, arg, format!("({was}, {was})")));
            continue;
        }
        let size = size
            .get_or_insert_with(|| chosen_size(case, scan, a, b))
            .clone();
        let func = slice(case, f.cell, &*f.call.func);
        let prefix = func.strip_suffix("Compose")?;
        if prefix.is_empty() && !case.exists("Resize") {
            return None;
        }
        let text = format!("{prefix}Resize({size})");
        let first = list
            .iter()
            .find(|e| e.as_call_expr().is_none_or(|c| head(c) != "ToPILImage"))?;
        title = format!("Put `{text}` into `{}`", short(slice(case, f.cell, f.call)));
        // On its own line, if each transform has one.
        let python = case.python(f.cell)?;
        let line = python.line_of(first.start());
        let alone = python
            .line(line)
            .trim_start()
            .starts_with(python.slice(first).lines().next()?);
        let sep = if alone {
            format!("\n{}", python.indent(line))
        } else {
            " ".to_owned()
        };
        changes.push(Change::before(f.cell, first, format!("{text},{sep}")));
    }
    let why = match size {
        Some(size) => format!("{shown}; a batch needs one size. `{size}` is a choice: larger keeps more detail."),
        None => format!("{shown}: `Resize` with one number keeps the sides' proportion, with two all images get the same size."),
    };
    case.edits(
        Said {
            id: "resize-images",
            basis: Basis::Assumed,
            title,
            why,
        },
        changes,
    )
}

/// Whether `Resize` fixes both sides: its argument is no single number.
fn is_pair(scan: &Scan<'_>, f: &Found<'_>, resize: &ExprCall) -> bool {
    match positional(resize, 0) {
        None => !resize.arguments.is_empty(),
        Some(arg) => scan.value(f, arg).is_none(),
    }
}

/// The size for all images: one named in the notebook, or the largest power of two that fits.
fn chosen_size(case: &Case<'_>, scan: &Scan<'_>, a: &[i64], b: &[i64]) -> String {
    let resizes = scan.named(&["Resize"]).filter_map(|f| {
        let arg = positional(f.call, 0)?;
        let pair = arg
            .as_tuple_expr()?
            .elts
            .iter()
            .all(Expr::is_number_literal_expr);
        pair.then(|| slice(case, f.cell, arg).to_owned())
    });
    if let Some(size) = resizes.last() {
        return size;
    }
    for name in [
        "IMG_SIZE",
        "IMAGE_SIZE",
        "img_size",
        "image_size",
        "SIZE",
        "input_size",
    ] {
        match case.value(name).map(|(_, v)| v) {
            Some(Expr::NumberLiteral(_)) => return format!("({name}, {name})"),
            Some(Expr::Tuple(t)) if t.elts.len() == 2 => return name.to_owned(),
            _ => {}
        }
    }
    let least = a[1..].iter().chain(&b[1..]).copied().min().unwrap_or(64);
    let side = [224, 128, 64]
        .into_iter()
        .find(|s| *s <= least)
        .unwrap_or(32);
    format!("({side}, {side})")
}

fn same_channels(case: &Case<'_>, scan: &Scan<'_>, a: &[i64], b: &[i64]) -> Option<Cure> {
    let why = format!("One image of the batch has {} channels, another {}: they are colour and grey images, or have transparency.", a[0], b[0]);
    if let Some(cure) = to_rgb(case, scan, &why) {
        return Some(cure);
    }
    let (f, list) = only(composed(scan))?;
    let func = slice(case, f.cell, &*f.call.func);
    let prefix = func.strip_suffix("Compose")?;
    let text = format!("{prefix}Lambda(lambda image: image.convert(\"RGB\")), ");
    let first = list.first()?;
    if prefix.is_empty() || prefix == "A." {
        return None;
    }
    case.edits(
        Said {
            id: "convert-rgb",
            basis: Basis::Assumed,
            title: format!(
                "Convert every image to RGB first in `{}`",
                short(slice(case, f.cell, f.call))
            ),
            why,
        },
        vec![Change::before(f.cell, first, text)],
    )
}

/// `Image.open(path)` → `Image.open(path).convert("RGB")`.
fn to_rgb(case: &Case<'_>, scan: &Scan<'_>, why: &str) -> Option<Cure> {
    let opens: Vec<Found<'_>> = scan
        .named(&["open"])
        .filter(|f| slice(case, f.cell, &*f.call.func).ends_with("Image.open"))
        .collect();
    // Already converted somewhere; which one is unclear.
    if scan
        .named(&["convert"])
        .any(|f| !f.call.arguments.is_empty())
        && opens.len() != 1
    {
        return None;
    }
    let f = match opens
        .iter()
        .filter(|f| f.cell == case.at)
        .collect::<Vec<_>>()[..]
    {
        [one] => *one,
        _ => only(opens)?,
    };
    let text = slice(case, f.cell, f.call);
    let after = case.python(f.cell)?.text().get(f.call.end().to_usize()..)?;
    if after.starts_with(".convert(") {
        return None;
    }
    case.edits(
        Said {
            id: "convert-rgb",
            basis: Basis::Assumed,
            title: format!("Open every image in colour: `{text}.convert(\"RGB\")`"),
            why: why.to_owned(),
        },
        vec![Change::after(f.cell, f.call, ".convert(\"RGB\")")],
    )
}

/// `could not broadcast input array from shape (64,64,3) into shape (64,64)`.
fn colours(case: &Case<'_>) -> Option<Cure> {
    let all = shapes(case.message());
    let (from, into) = (all.first()?, all.get(1)?);
    let (long, brief) = if from.len() > into.len() {
        (from, into)
    } else {
        (into, from)
    };
    let mixed = long.len() == brief.len() + 1 && long.starts_with(brief) && brief.len() == 2
        || long.len() == 3
            && brief.len() == 3
            && long[..2] == brief[..2]
            && long[2] + brief[2] <= 7;
    if !mixed {
        return None;
    }
    let scan = Scan::of(case);
    let why = format!(
        "Some images are {}, others {}: with and without colour (or transparency) in one array.",
        written(from),
        written(into)
    );
    to_rgb(case, &scan, &why)
}

/// `stack expects each tensor to be equal size, but got [3] at entry 0 and [4] at entry 1`.
fn padded(case: &Case<'_>, scan: &Scan<'_>, a: &[i64], b: &[i64]) -> Option<Cure> {
    let loaders = scan
        .named(&["DataLoader"])
        .filter(|f| nbmedic_python::keyword(f.call, "collate_fn").is_none());
    let f = only(loaders)?;
    let torch = case.alias_of("torch").filter(|t| t == "torch")?;
    let name = ["pad_batch", "padded_batch", "collate_padded"]
        .into_iter()
        .find(|n| !case.exists(n))?;
    let python = case.python(f.cell)?;
    let stmt = nbmedic_python::statement_at(python, python.line_of(f.call.start()))?;
    let line = python.line_of(stmt.start());
    let code = format!(
        "from {torch}.nn.utils.rnn import pad_sequence\nfrom {torch}.utils.data import default_collate\n\ndef {name}(batch):\n    \"\"\"Pads the sequences of a batch to its longest.\"\"\"\n    def together(items):\n        if {torch}.is_tensor(items[0]) and items[0].dim() > 0:\n            return pad_sequence(items, batch_first=True)\n        return default_collate(items)\n    if {torch}.is_tensor(batch[0]):\n        return together(batch)\n    return [together(items) for items in zip(*batch)]\n\n"
    );
    // A definition is inserted before the whole line; blank lines aren't indented.
    let inserted = Change::line_before(f.cell, python, line, &code);
    case.edits(
        Said {
            id: "pad-batch",
            basis: Basis::Assumed,
            title: format!("Pad the sequences of a batch: `collate_fn={name}`"),
            why: format!("One sample is {}, another {}; each batch is filled with zeros up to its longest. A model that should not see them needs the lengths, too.", written(a), written(b)),
        },
        vec![
            inserted,
            Editor::new(f.cell, python).add(f.call, &format!("collate_fn={name}")),
        ],
    )
}
