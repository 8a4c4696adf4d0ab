//! OpenCV: sizes and points, which must be whole pixels.

use crate::case::Case;
use crate::code::argument;
use crate::edit::Change;
use crate::find::{int_of, name, only, said, Spot};
use crate::techniques::name_scope::returns;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::calls;
use nbmedic_wordings::{numpy, opencv};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    if case.class() == "error" && opencv::ELEMENT_TYPE.is_in(message) {
        out.extend(whole(case));
    }
    if numpy::BROADCAST.is_in(message) {
        out.extend(turned(case));
    }
}

/// `cv2.resize(mark, page.shape[:2])`: OpenCV takes the width first, and a shape has the height first.
fn turned(case: &Case<'_>) -> Option<Cure> {
    let [a, b] = numpy::BROADCAST.read(case.message())?;
    let sizes = |t: &str| -> Vec<String> {
        t.trim_matches(['(', ')', ' '])
            .split(',')
            .map(|n| n.trim().to_owned())
            .collect()
    };
    let (a, b) = (sizes(a), sizes(b));
    (a.len() >= 2 && b.len() >= 2 && a[0] == b[1] && a[1] == b[0] && a[0] != a[1]).then_some(())?;
    let mut found = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        for call in calls(python.body()) {
            let size = argument(call, 1, "dsize").and_then(Expr::as_subscript_expr);
            let of_shape = size.filter(|s| {
                s.value
                    .as_attribute_expr()
                    .is_some_and(|a| a.attr.as_str() == "shape")
                    && python.slice(&*s.slice) == ":2"
            });
            let resize = case.path_of(&call.func).as_deref() == Some("cv2.resize");
            found.extend(of_shape.filter(|_| resize).map(|s| (cell, python, s)));
        }
    }
    let (cell, python, size) = only(found.into_iter())?;
    let right = format!("{}[1::-1]", python.slice(&*size.value));
    case.edits(
        said(
            "width-first",
            Basis::Library,
            format!("Give `resize` the width first: `{right}`"),
            format!(
                "OpenCV takes (width, height), and `{}` is (height, width).",
                python.slice(size)
            ),
        ),
        vec![Change::replace(cell, size, right)],
    )
}

/// The OpenCV call on the failing line.
fn call<'c>(case: &'c Case<'c>) -> Option<(Spot<'c>, &'c ExprCall)> {
    let spot = case.spot()?;
    let of = |c: &&ExprCall| case.path_of(&c.func).is_some_and(|p| p.starts_with("cv2."));
    let call = only(spot.calls().filter(of))?;
    Some((spot, call))
}

/// `cv2.resize(img, (w * 0.5, h / 2))`: pixel counts are integers.
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
    if changes.is_empty() {
        return returned(case, &spot, call);
    }
    case.edits(
        said(
            "whole-pixels",
            Basis::Assumed,
            "Give whole numbers of pixels: `int(…)`",
            "OpenCV takes places and sizes in pixels, and no floats, not even `8.0`.",
        ),
        changes,
    )
}

/// `cv2.resize(img, box(img))`, where the notebook's `box` returns a size that it computed: it is rounded there.
fn returned(case: &Case<'_>, spot: &Spot<'_>, call: &ExprCall) -> Option<Cure> {
    let sizes = call.arguments.args.iter().filter_map(|a| {
        let made = case.made(spot.cell, a)?;
        let f = case.last_set(name(&made.expr.as_call_expr()?.func)?)?;
        Some((f.cell, f.binding.stmt.as_function_def_stmt()?))
    });
    let (cell, f) = only(sizes)?;
    let python = case.python(cell)?;
    let size = returns(f)?.as_tuple_expr()?;
    let parts = size.elts.iter().filter(|e| e.is_bin_op_expr());
    let editor = case.editor(cell)?;
    case.edits(
        said(
            "whole-pixels",
            Basis::Source,
            format!(
                "Return whole numbers of pixels from `{}`: `round(…)`",
                f.name
            ),
            format!(
                "`{}` gives floats, and OpenCV takes sizes in pixels, not even `8.0`.",
                python.slice(size)
            ),
        ),
        parts.map(|e| editor.wrap(e, "round", &[])).collect(),
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at, repaired_first};

    #[test]
    fn a_size_is_rounded_where_it_is_returned() {
        let cells = [
            "import cv2\ndef box(img):\n    h, w = img.shape[:2]\n    f = 128 / max(h, w)\n    return w * f, h * f",
            "small = cv2.resize(photo, box(photo))",
        ];
        let message = "OpenCV(4.10.0) :-1: error: (-5:Bad argument) in function 'resize'\n> Overload resolution failed:\n>  - Can't parse 'dsize'. Sequence item with index 0 has a wrong type";
        let all = cures_of(&cells, &error_at(&cells, 1, "error", message));
        assert!(
            all[0].code.ends_with("return round(w * f), round(h * f)"),
            "{all:?}"
        );
    }

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
