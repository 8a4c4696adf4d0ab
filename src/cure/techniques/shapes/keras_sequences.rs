//! The features per step that a recurrent Keras layer is built for.

use super::say::short;
use super::scan::{head, only, slice, Scan};
use super::text::{matrices, shapes};
use crate::case::Case;
use crate::code::argument;
use crate::edit::{Change, Said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::Expr;
use nbmedic_python::keyword;

/// Layers that process a sequence.
const RECURRENT: &[&str] = &["LSTM", "GRU", "SimpleRNN"];

/// `Dimensions must be equal, but are 2 and 1 for '{{node …/lstm_cell/MatMul}} …' with input shapes: [?,2], [1,128]`:
/// the data has two features per step, but `input_shape=(10, 1)` says one.
pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    let lower = text.to_ascii_lowercase();
    if !["lstm", "gru", "simple_rnn", "simplernn"]
        .iter()
        .any(|n| lower.contains(n))
        || !text.contains("MatMul")
    {
        return;
    }
    let listed = text.split_once("with input shapes: ").map(|(_, rest)| {
        let rest = rest.lines().next().unwrap_or("");
        shapes(rest)
    });
    let sizes = match listed.as_deref() {
        Some([a, b, ..]) if a.len() == 2 && b.len() == 2 => Some((a[1], b[0])),
        _ => matrices(text).map(|[_, got, expected, _]| (got, expected)),
    };
    if let Some((got, expected)) = sizes.filter(|(a, b)| *a > 0 && *b > 0 && a != b) {
        out.extend(features(case, got, expected));
    }
}

fn features(case: &Case<'_>, got: i64, expected: i64) -> Option<Cure> {
    let scan = Scan::of(case);
    let mut places = Vec::new();
    for f in &scan.calls {
        let layer = RECURRENT.contains(&head(f.call));
        let value = match head(f.call) {
            "Input" => argument(f.call, 0, "shape"),
            "InputLayer" => keyword(f.call, "input_shape").map(|k| &k.value),
            _ if layer => keyword(f.call, "input_shape").map(|k| &k.value),
            _ => None,
        };
        let Some(tuple) = value.and_then(Expr::as_tuple_expr) else {
            continue;
        };
        if let [_, last] = &tuple.elts[..] {
            if scan.value(f, last) == Some(expected) {
                places.push((*f, last));
            }
        }
    }
    let (f, last) = only(places)?;
    let was = slice(case, f.cell, last);
    case.edits(
        Said {
            id: "fit-input",
            basis: Basis::Assumed,
            title: format!(
                "Replace `{was}` by `{got}` in the shape of `{}`",
                short(slice(case, f.cell, f.call))
            ),
            why: format!("Each step of the data has {got} features; the first layer is built for {expected}."),
        },
        vec![Change::replace(f.cell, last, got.to_string())],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_at;

    #[test]
    fn the_features_of_a_step_go_into_the_shape_of_the_first_layer() {
        let message = "Exception encountered when calling GRUCell.call().\n\nDimensions must be equal, but are 3 and 1 for '{{node gru_1/gru_cell_1/MatMul}} = MatMul[T=DT_FLOAT](a, b)' with input shapes: [?,3], [1,96].";
        let cells = [
            "steps = 24",
            "net = Sequential()\nnet.add(GRU(32, input_shape=(steps, 1)))\nnet.add(Dense(1))\nnet.fit(x, y)",
        ];
        let after = repaired_at(&cells, 4, "ValueError", message);
        assert!(after.contains("GRU(32, input_shape=(steps, 3))"), "{after}");
    }

    #[test]
    fn flat_rows_get_the_axes_of_the_input() {
        let message = "Exception encountered when calling Sequential.call().\n\nInvalid input shape for input Tensor(\"data:0\", shape=(32, 81), dtype=float32) with name 'a' and path ''. Expected shape (None, 9, 9, 1), but input has incompatible shape (32, 81)";
        for line in ["net.predict(rows)", "net.predict(rows.reshape(-1, 81))"] {
            let after = repaired_at(&["net = 1", line], 1, "ValueError", message);
            assert_eq!(after, "net.predict(rows.reshape(-1, 9, 9, 1))");
        }
    }
}
