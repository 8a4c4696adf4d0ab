//! OpenCV and Albumentations: sizes and points, types of pixels, arguments by name.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, int_of, name, one_line, only, said, text_of, tight};
use crate::top::at_top;
use nbmedic_facts::{Applicability, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{positional, Ranged, TextRange};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    if case.class() == "error" && message.contains("Can't parse '") {
        out.extend(pair(case, message).or_else(|| whole(case)));
    } else if case.class() == "error" && message.contains("Unsupported depth of input image") {
        out.extend(depth(case, message));
    } else if message.contains("as named arguments, for example: ") {
        out.extend(named(case, message));
    }
}

/// The call of OpenCV in the failing line.
fn call<'c>(case: &'c Case<'c>) -> Option<(crate::find::Spot<'c>, &'c ExprCall)> {
    let spot = case.spot()?;
    let of = |c: &&ExprCall| case.path_of(&c.func).is_some_and(|p| p.starts_with("cv2."));
    let call = only(spot.calls().filter(of))?;
    Some((spot, call))
}

/// `cv2.resize(img, 16, 16)`: a size is one argument.
fn pair(case: &Case<'_>, message: &str) -> Option<Cure> {
    message.contains("sequence protocol").then_some(())?;
    let (spot, call) = call(case)?;
    let first = positional(call, 1)?;
    let is_number = |e: &Expr| !e.is_tuple_expr() && !e.is_list_expr() && text_of(e).is_none();
    let (range, new) = match (callee(call)?, positional(call, 2)) {
        ("resize", Some(second)) if is_number(first) && is_number(second) => (
            TextRange::new(first.start(), second.end()),
            format!("({}, {})", spot.text(first), spot.text(second)),
        ),
        ("GaussianBlur" | "blur" | "boxFilter", _) if int_of(first).is_some() => {
            let size = spot.text(first);
            (first.range(), format!("({size}, {size})"))
        }
        _ => return None,
    };
    case.edits(
        said(
            "size-as-pair",
            Applicability::Sure,
            format!("Give the size as one argument: `{new}`"),
            "OpenCV takes a size as width and height together.",
        ),
        vec![Change::replace(spot.cell, range, new)],
    )
}

/// `cv2.resize(img, (w * 0.5, h / 2))`: pixels are counted in whole numbers.
fn whole(case: &Case<'_>) -> Option<Cure> {
    let (spot, call) = call(case)?;
    let mut changes = Vec::new();
    for t in call.arguments.args.iter().filter_map(Expr::as_tuple_expr) {
        let open = t.elts.iter().filter(|e| {
            let int = e
                .as_call_expr()
                .is_some_and(|c| name(&c.func) == Some("int"));
            int_of(e).is_none() && !int
        });
        changes
            .extend(open.map(|e| Change::replace(spot.cell, e, format!("int({})", spot.text(e)))));
    }
    case.edits(
        said(
            "whole-pixels",
            Applicability::Likely,
            "Give whole numbers of pixels: `int(…)`",
            "OpenCV takes places and sizes in pixels, and no floats, not even `8.0`.",
        ),
        changes,
    )
}

/// 64-bit floats and wide integers: OpenCV converts colours of 8 and 16 bits and of 32-bit floats.
fn depth(case: &Case<'_>, message: &str) -> Option<Cure> {
    let depth = message.split_once("'depth' is ")?.1.trim_start();
    let dtype = match depth.chars().next()? {
        '6' | '7' => "float32",
        '1' | '3' | '4' => "uint8",
        _ => return None,
    };
    let (spot, call) = call(case)?;
    let image = positional(call, 0)?;
    let (numpy, import) = case.alias_or_import("numpy", "np");
    let new = format!("{}.astype({numpy}.{dtype})", tight(spot.python, image));
    let mut changes = vec![Change::replace(spot.cell, image, new.as_str())];
    changes.extend(import.map(|line| at_top(spot.cell, spot.python, &line)));
    case.edits(
        said(
            "pixel-type",
            Applicability::Likely,
            format!("Convert the pixels: `{}`", one_line(&new)),
            "OpenCV converts colours of bytes and of 32-bit floats from 0 to 1; NumPy's own floats have 64 bits, its integers too.",
        ),
        changes,
    )
}

/// A call whose only argument has to be named, as the message shows: `aug(image=image)`.
fn named(case: &Case<'_>, message: &str) -> Option<Cure> {
    let example = message.split_once("for example: ")?.1;
    let word = example.split_once('(')?.1.split_once('=')?.0.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!word.is_empty() && word.chars().all(plain)).then_some(())?;
    let spot = case.spot()?;
    let single = |c: &&ExprCall| c.arguments.args.len() == 1 && c.arguments.keywords.is_empty();
    let call = only(spot.calls().filter(single))?;
    let given = positional(call, 0)?;
    case.edits(
        said(
            "name-argument",
            Applicability::Sure,
            format!("Name the argument: `{word}={}`", one_line(spot.text(given))),
            "It takes pictures, masks and boxes under their names, and gives a dict with the same names.",
        ),
        vec![Change::before(spot.cell, given, format!("{word}="))],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_first;

    #[test]
    fn sizes_pixels_and_names() {
        let sequence = "OpenCV(4.10.0) :-1: error: (-5:Bad argument) in function 'resize'\n> Overload resolution failed:\n>  - Can't parse 'dsize'. Input argument doesn't provide sequence protocol";
        let item = "OpenCV(4.10.0) :-1: error: (-5:Bad argument) in function 'resize'\n> Overload resolution failed:\n>  - Can't parse 'dsize'. Sequence item with index 0 has a wrong type";
        let depth = "OpenCV(4.10.0) error: (-2:Unspecified error) in function 'cvtColor'\n> Unsupported depth of input image:\n>     'VDepth::contains(depth)'\n> where\n>     'depth' is 6 (CV_64F)";
        let rows: &[(&str, &str, &str, &str)] = &[
            ("s = cv2.resize(img, 16, h)", "error", sequence, "s = cv2.resize(img, (16, h))"),
            ("s = cv2.GaussianBlur(img, 5, 0)", "error", sequence, "s = cv2.GaussianBlur(img, (5, 5), 0)"),
            ("s = cv2.resize(img, (w * 0.5, 8))", "error", item, "s = cv2.resize(img, (int(w * 0.5), 8))"),
            ("g = cv2.cvtColor(img, cv2.COLOR_RGB2GRAY)", "error", depth, "g = cv2.cvtColor(img.astype(np.float32), cv2.COLOR_RGB2GRAY)"),
            ("out = aug(img)['image']", "KeyError", "'You have to pass data to augmentations as named arguments, for example: aug(image=image)'", "out = aug(image=img)['image']"),
        ];
        for (line, class, message, wanted) in rows {
            let cells = ["import cv2\nimport numpy as np", *line];
            assert_eq!(repaired_first(&cells, class, message), *wanted, "{message}");
        }
    }
}
