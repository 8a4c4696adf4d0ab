//! Operands of different dtypes, and tensors that require a gradient where NumPy reads them: which one to change.

use super::operands::Line;
use crate::case::Case;
use crate::code::Code;
use crate::edit::Change;
use crate::find::{callee, only, receiver, said};
use crate::values::Value;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, Operator};
use nbmedic_python::positional;
use nbmedic_wordings::{about, torch};

/// Functions and methods of two operands that must have the same dtype.
const OF_TWO: &[&str] = &[
    "matmul", "mm", "bmm", "mv", "dot", "add", "subtract", "multiply", "divide",
];

pub(super) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    let mixed = about::MIXED_DTYPES.is_in(text);
    let grad = torch::NUMPY_OF_GRAD.is_in(text);
    if !(mixed || grad) {
        return;
    }
    let Some(line) = Line::of(case) else { return };
    out.extend(match mixed {
        true => cast(case, &line),
        false => detached(case, &line),
    });
}

/// The two operands of an operator or a call.
fn operands(expr: &Expr) -> Option<(&Expr, &Expr)> {
    match expr {
        Expr::BinOp(b) if b.op != Operator::Mod => Some((&b.left, &b.right)),
        Expr::Call(c) if callee(c).is_some_and(|n| OF_TWO.contains(&n)) => {
            match c.arguments.args.len() {
                2 => Some((positional(c, 0)?, positional(c, 1)?)),
                1 => Some((receiver(c)?, positional(c, 0)?)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Ranks dtypes by how well they suit models: the other operand is cast.
fn rank(value: &Value) -> u8 {
    match value.dtype.as_str() {
        // Weights aren't cast.
        _ if value.grad || value.kind == "Parameter" || value.kind == "ResourceVariable" => 4,
        "float32" | "complex64" => 3,
        "float16" | "bfloat16" => 2,
        "float64" | "complex128" => 1,
        _ => 0,
    }
}

/// `x @ w` with float64 and float32 → `x.to(w.dtype) @ w`.
fn cast(case: &Case<'_>, line: &Line<'_>) -> Option<Cure> {
    let pairs = line.spot.exprs.iter().filter_map(|e| {
        let (left, right) = operands(e)?;
        let (a, b) = (line.value(left)?, line.value(right)?);
        let known = !a.dtype.is_empty() && !b.dtype.is_empty() && a.dtype != b.dtype;
        known.then_some(match rank(a) < rank(b) {
            true => (left, a, right, b),
            false => (right, b, left, a),
        })
    });
    let (expr, value, like, other) = only(pairs)?;
    let (was, like) = (line.spot.text(expr), line.spot.text(like));
    let text = match value.kind.as_str() {
        "Tensor" | "Parameter" => format!("{was}.to({like}.dtype)"),
        "EagerTensor" | "ResourceVariable" => {
            format!("{}.cast({was}, {like}.dtype)", case.alias_of("tensorflow")?)
        }
        _ => return None,
    };
    let why = format!(
        "When it failed, `{was}` was {} and `{like}` {}.",
        value.dtype, other.dtype
    );
    case.edits(
        said(
            "seen-cast",
            Basis::Value,
            format!("Use `{text}` instead of `{was}`"),
            why,
        ),
        vec![Change::replace(line.spot.cell, expr, text)],
    )
}

/// `plt.plot(steps, loss)`: `loss` is a tensor that requires its gradient.
fn detached(case: &Case<'_>, line: &Line<'_>) -> Option<Cure> {
    let given = line.spot.calls().flat_map(|c| {
        let own = c.arguments.args.iter();
        own.chain(c.arguments.keywords.iter().map(|k| &k.value))
    });
    let mut names: Vec<(&Expr, &Value)> = Vec::new();
    for expr in given {
        let value = line.value(expr).filter(|v| v.grad && v.kind != "list");
        if let Some(value) = value {
            names.push((expr, value));
        }
    }
    let (expr, value) = *names.first()?;
    let was = line.spot.text(expr);
    if names.iter().any(|(e, _)| line.spot.text(*e) != was) {
        return None;
    }
    let host = if value.device == "cpu" { "" } else { ".cpu()" };
    let text = Code::of(line.spot.python, expr).then(&format!(".detach(){host}.numpy()"));
    let changes = names
        .iter()
        .map(|(e, _)| Change::replace(line.spot.cell, *e, text.clone()));
    let why = format!("When it failed, `{was}` required its gradient. NumPy gets its values only.");
    case.edits(
        said(
            "detach",
            Basis::Value,
            format!("Use `{text}` instead of `{was}`"),
            why,
        ),
        changes.collect(),
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{error_at, repaired, with_values};

    fn made(line: &str, message: &str, names: &str) -> String {
        let cells = ["import tensorflow as tf", line];
        let error = error_at(&cells, 1, "RuntimeError", message);
        repaired(
            &cells,
            &with_values(&error, &format!(r#"[[1,"<module>",[{names}]]]"#)),
        )
    }

    fn tensor(name: &str, kind: &str, dtype: &str, more: &str) -> String {
        format!(r#"["{name}",{{"t":"{kind}","d":"{dtype}","s":[2],"dev":"cpu"{more}}}]"#)
    }

    #[test]
    fn the_operand_that_is_not_the_weights_is_cast() {
        let message = "expected m1 and m2 to have the same dtype, but got: float != double";
        let two = |a: &str, b: &str| {
            format!(
                "{},{}",
                tensor("x", "Tensor", a, ""),
                tensor("w", "Tensor", b, "")
            )
        };
        assert_eq!(
            made("y = x @ w", message, &two("float64", "float32")),
            "y = x.to(w.dtype) @ w"
        );
        assert_eq!(
            made("y = x @ w", message, &two("float32", "float64")),
            "y = x @ w.to(x.dtype)"
        );
        assert_eq!(
            made("y = torch.mm(x, w)", message, &two("int64", "float16")),
            "y = torch.mm(x.to(w.dtype), w)"
        );
        let weights = format!(
            "{},{}",
            tensor("x", "Tensor", "float32", ""),
            tensor("w", "Tensor", "float64", r#","grad":1"#)
        );
        assert_eq!(
            made("y = x @ w", message, &weights),
            "y = x.to(w.dtype) @ w"
        );
        let message = "cannot compute AddV2 as input #1(zero-based) was expected to be a float tensor but is a int32 tensor";
        let tf = format!(
            "{},{}",
            tensor("a", "EagerTensor", "float32", ""),
            tensor("b", "EagerTensor", "int32", "")
        );
        assert_eq!(
            made("y = a + b", message, &tf),
            "y = a + tf.cast(b, a.dtype)"
        );
    }

    #[test]
    fn the_argument_that_requires_its_gradient_is_detached() {
        let message =
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.";
        let names = format!(
            "{},{}",
            tensor("steps", "Tensor", "float32", ""),
            tensor("loss", "Tensor", "float32", r#","grad":1"#)
        );
        assert_eq!(
            made("plt.plot(steps, loss)", message, &names),
            "plt.plot(steps, loss.detach().numpy())"
        );
        let far = names.replace(r#""cpu","grad""#, r#""cuda:0","grad""#);
        assert_eq!(
            made("np.add(steps, loss)", message, &far),
            "np.add(steps, loss.detach().cpu().numpy())"
        );
    }
}
