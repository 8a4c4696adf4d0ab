//! The image size that a Keras model is built for.

use super::say::short;
use super::scan::{at_error, head, integer, only, slice, Found, Scan};
use super::text::written;
use crate::case::Case;
use crate::edit::{Change, Said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::Expr;
use nbmedic_python::{keyword, positional, Ranged};

/// The input size is written in the model: `input_shape=(100, 100, 3)`.
pub(crate) fn sized_input(
    case: &Case<'_>,
    scan: &Scan<'_>,
    expected: &[i64],
    found: &[i64],
    why: String,
) -> Option<Cure> {
    let mut all: Vec<(Found<'_>, &Expr)> = Vec::new();
    for f in &scan.calls {
        let value = keyword(f.call, "input_shape")
            .or_else(|| keyword(f.call, "shape"))
            .map(|k| &k.value)
            .or_else(|| {
                (head(f.call) == "Input")
                    .then(|| positional(f.call, 0))
                    .flatten()
            });
        let Some(tuple) = value.and_then(Expr::as_tuple_expr) else {
            continue;
        };
        let sizes: Option<Vec<i64>> = tuple.elts.iter().map(|e| scan.value(f, e)).collect();
        if sizes.as_deref() == Some(expected) {
            all.push((*f, value?));
        }
    }
    let (f, value) = only(all)?;
    if found.iter().any(|n| *n < 1) {
        return None;
    }
    let was = slice(case, f.cell, value);
    let text = written(found);
    case.edits(
        Said {
            id: "fit-input",
            basis: Basis::Assumed,
            title: format!(
                "Replace `{was}` by `{text}` in `{}`",
                short(slice(case, f.cell, f.call))
            ),
            why: format!(
                "{why} Resizing the data to {} would do as well.",
                written(expected)
            ),
        },
        vec![Change::replace(f.cell, value, text)],
    )
}

/// A pretrained model receives images of a different size: changes the size where they are read or
/// resized.
pub(crate) fn resized_data(
    case: &Case<'_>,
    scan: &Scan<'_>,
    expected: &[i64],
    found: &[i64],
) -> Option<Cure> {
    let [_, h, w, c] = *expected else { return None };
    let [_, fh, fw, fc] = *found else {
        return None;
    };
    let (_, exprs) = at_error(case);
    let predicts = exprs
        .iter()
        .filter_map(|e| e.as_call_expr())
        .any(|c| ["predict", "evaluate"].contains(&head(c)));
    if !predicts || c != fc || (h, w) == (fh, fw) || [h, w].iter().any(|n| *n < 1) {
        return None;
    }
    let mut places: Vec<(usize, &Expr)> = Vec::new();
    for f in scan.calls.iter().filter(|f| f.cell == case.at) {
        let named = ["target_size", "image_size", "dsize", "size"]
            .iter()
            .find_map(|n| keyword(f.call, n))
            .map(|k| &k.value);
        let index = match head(f.call) {
            "resize" => usize::from(case.path_of(&f.call.func).is_some()),
            _ => 9,
        };
        let value = named.or_else(|| positional(f.call, index));
        if let Some(t) = value.and_then(Expr::as_tuple_expr) {
            let sizes: Option<Vec<i64>> = t.elts.iter().map(|e| scan.value(f, e)).collect();
            let sizes = sizes.unwrap_or_default();
            if sizes == [fh, fw] || sizes == [fw, fh] {
                places.extend(value.map(|v| (f.cell, v)));
            }
        }
    }
    let (cell, value) = only(places)?;
    // Unless the image is square, the order of its sides is unknown.
    (h == w).then_some(())?;
    let text = format!("({h}, {w})");
    let was = slice(case, cell, value);
    case.edits(
        Said {
            id: "fit-input",
            basis: Basis::Solved,
            title: format!(
                "Read the picture as the model was trained: `{text}` instead of `{was}`"
            ),
            why: format!("The model is built for pictures of {h}×{w}; this one is made {fh}×{fw}."),
        },
        vec![Change::replace(cell, value, text)],
    )
}

/// The output of a layer for an image with this side and number of channels.
fn through(scan: &Scan<'_>, f: &Found<'_>, side: i64, channels: i64) -> Option<(i64, i64)> {
    let number = |e: &'_ Expr| -> Option<i64> {
        let one = match e {
            Expr::Tuple(t) => {
                let all: Option<Vec<i64>> = t.elts.iter().map(integer).collect();
                let all = all?;
                all.windows(2)
                    .all(|w| w[0] == w[1])
                    .then(|| all.first().copied())??
            }
            other => integer(other)?,
        };
        Some(one)
    };
    let same = keyword(f.call, "padding")
        .and_then(|k| k.value.as_string_literal_expr())
        .is_some_and(|s| s.value.to_str().eq_ignore_ascii_case("same"));
    let slide = |kernel: i64, stride: i64| -> Option<i64> {
        if stride < 1 {
            return None;
        }
        let out = if same {
            (side + stride - 1) / stride
        } else {
            (side - kernel) / stride + 1
        };
        (out > 0 && (same || side >= kernel)).then_some(out)
    };
    match head(f.call) {
        "Conv2D" | "Convolution2D" => {
            let filters = scan.value(f, f.argument(0, "filters")?)?;
            let kernel = number(f.argument(1, "kernel_size")?)?;
            let stride = match f.argument(2, "strides") {
                Some(e) => number(e)?,
                None => 1,
            };
            Some((slide(kernel, stride)?, filters))
        }
        "MaxPooling2D" | "MaxPool2D" | "AveragePooling2D" => {
            let pool = match f.argument(0, "pool_size") {
                Some(e) => number(e)?,
                None => 2,
            };
            let stride = match f.argument(1, "strides") {
                Some(e) => number(e)?,
                None => pool,
            };
            Some((slide(pool, stride)?, channels))
        }
        _ => Some((side, channels)),
    }
}

/// Maximum image side tried.
const MAX_SIDE: i64 = 1024;

/// `In[0]: [30,387200], In[1]: [76832,16]`: the images don't have the size that the model was built
/// for.
pub(crate) fn flat_images(case: &Case<'_>, scan: &Scan<'_>, sizes: [i64; 4]) -> Option<Cure> {
    let [_, got, expected, _] = sizes;
    let inputs: Vec<(Found<'_>, [i64; 2])> = scan
        .calls
        .iter()
        .filter_map(|f| {
            let value = keyword(f.call, "input_shape")
                .map(|k| &k.value)
                .or_else(|| {
                    (head(f.call) == "Input")
                        .then(|| f.argument(0, "shape"))
                        .flatten()
                })?;
            let t = value.as_tuple_expr()?;
            let sizes: Option<Vec<i64>> = t.elts.iter().map(|e| scan.value(f, e)).collect();
            match sizes?[..] {
                [a, b, c] if a == b => Some((*f, [a, c])),
                _ => None,
            }
        })
        .collect();
    let (first, [side, channels]) = *only(inputs.iter())?;
    // The layers in source order, from the first one to `Flatten`.
    let mut layers: Vec<&Found<'_>> = scan
        .calls
        .iter()
        .filter(|f| f.cell == first.cell && f.call.start() >= first.call.start())
        .collect();
    layers.sort_by_key(|f| f.call.start());
    let end = layers.iter().position(|f| head(f.call) == "Flatten")?;
    let layers = &layers[..end];
    let flat = |side: i64| -> Option<i64> {
        let mut at = (side, channels);
        for f in layers {
            at = through(scan, f, at.0, at.1)?;
        }
        at.0.checked_mul(at.0)?.checked_mul(at.1)
    };
    if flat(side)? != expected {
        return None;
    }
    let fits: Vec<i64> = (1..=MAX_SIDE).filter(|s| flat(*s) == Some(got)).collect();
    let written_sizes = |s: &i64| {
        let pair = |e: &Expr| {
            e.as_tuple_expr().is_some_and(|t| {
                t.elts.iter().take(2).all(|e| integer(e) == Some(*s)) && t.elts.len() >= 2
            })
        };
        scan.calls.iter().any(|f| {
            ["target_size", "image_size", "size"]
                .iter()
                .filter_map(|n| keyword(f.call, n))
                .any(|k| pair(&k.value))
        })
    };
    let new = match fits[..] {
        [] => return None,
        [one] => one,
        _ => only(fits.iter().copied().filter(|s| written_sizes(s)))?,
    };
    let why = format!("{got} values reach the first `Dense`, it was built for {expected}: through the layers before it that is an image of {new}×{new} instead of {side}×{side}.");
    sized_input(
        case,
        scan,
        &[side, side, channels],
        &[new, new, channels],
        why,
    )
}
