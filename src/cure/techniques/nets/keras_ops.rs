//! TensorFlow functions applied to the symbolic tensors of a Keras model.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, only, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::ExprCall;
use nbmedic_wordings::keras;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if keras::KERAS_TENSOR.is_in(text) {
        out.extend(operation(case));
    }
}

/// TensorFlow functions and their names in `keras.ops`.
const OPS: &[(&str, &str)] = &[
    ("reduce_mean", "mean"),
    ("reduce_sum", "sum"),
    ("reduce_max", "max"),
    ("reduce_min", "min"),
    ("reduce_prod", "prod"),
    ("concat", "concatenate"),
    ("expand_dims", "expand_dims"),
    ("squeeze", "squeeze"),
    ("reshape", "reshape"),
    ("transpose", "transpose"),
    ("matmul", "matmul"),
    ("abs", "absolute"),
    ("square", "square"),
    ("sqrt", "sqrt"),
    ("exp", "exp"),
    ("log", "log"),
    ("stack", "stack"),
    ("cast", "cast"),
    ("tanh", "tanh"),
    ("sigmoid", "sigmoid"),
    ("relu", "relu"),
    ("softmax", "softmax"),
    ("maximum", "maximum"),
    ("minimum", "minimum"),
    ("argmax", "argmax"),
    ("multiply", "multiply"),
    ("add", "add"),
    ("subtract", "subtract"),
    ("divide", "divide"),
    ("shape", "shape"),
    ("tile", "tile"),
    ("repeat", "repeat"),
    ("einsum", "einsum"),
    ("zeros_like", "zeros_like"),
    ("ones_like", "ones_like"),
];

fn operation(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let of = |c: &&ExprCall| {
        case.path_of(&c.func)
            .is_some_and(|p| p.starts_with("tensorflow.") && !p.contains(".keras."))
    };
    let call = only(spot.calls().filter(of))?;
    let was = spot.text(&*call.func);
    let (_, op) = OPS.iter().find(|(t, _)| callee(call) == Some(*t))?;
    let ops = match (case.alias_of("keras"), case.alias_of("tensorflow")) {
        (Some(keras), _) => format!("{keras}.ops"),
        (None, Some(tf)) => format!("{tf}.keras.ops"),
        _ => return None,
    };
    let new = format!("{ops}.{op}");
    case.edits(
        said(
            "keras-op",
            Basis::Library,
            format!("Use `{new}` instead of `{was}`"),
            "While a model is put together its tensors have no values: Keras's own operations become layers of the model, TensorFlow's can't.",
        ),
        vec![Change::replace(spot.cell, &*call.func, new.clone())],
    )
}
