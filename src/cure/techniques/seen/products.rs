//! Matrix products and layers whose operand shapes the probe recorded: which operand doesn't fit, and how to make it
//! fit.

use super::operands::{suspects, Line};
use crate::case::Case;
use crate::code::Code;
use crate::edit::Change;
use crate::find::{callee, look, only, receiver, said, tight};
use crate::values::Value;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, Operator};
use nbmedic_python::{name_of, positional};
use nbmedic_wordings::{about, sklearn, torch};

/// Functions and methods that multiply two matrices.
const PRODUCTS: &[&str] = &["dot", "matmul", "mm", "bmm", "mv"];

pub(super) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if !about(case) {
        return;
    }
    let Some(line) = Line::of(case) else { return };
    match failing(&line) {
        Some(pair) => out.extend(turned(case, &line, &pair)),
        None => out.extend(flattened(case, &line)),
    }
}

fn about(case: &Case<'_>) -> bool {
    about::PRODUCTS.is_in(case.message()) || torch::SIZES_OF_OPERANDS.is_in(case.message())
}

/// Two operands and their shapes.
struct Pair<'c> {
    left: &'c Expr,
    right: &'c Expr,
    sizes: [Vec<i64>; 2],
}

/// Whether the inner dimensions of a product match.
fn meet(left: &[i64], right: &[i64]) -> bool {
    let inner = match right {
        [n] => Some(n),
        many => many.iter().rev().nth(1),
    };
    left.last() == inner
}

/// The only product on the line whose operands don't fit.
fn failing<'c>(line: &Line<'c>) -> Option<Pair<'c>> {
    let pairs = line.spot.exprs.iter().filter_map(|e| match e {
        Expr::BinOp(b) if b.op == Operator::MatMult => Some((&*b.left, &*b.right)),
        Expr::Call(c) if callee(c).is_some_and(|n| PRODUCTS.contains(&n)) => {
            match c.arguments.args.len() {
                2 => Some((positional(c, 0)?, positional(c, 1)?)),
                1 => Some((receiver(c)?, positional(c, 0)?)),
                _ => None,
            }
        }
        _ => None,
    });
    let pairs = pairs.filter_map(|(left, right)| {
        let sizes = [line.shape(left)?, line.shape(right)?];
        let full = sizes.iter().all(|s| !s.is_empty());
        (full && !meet(&sizes[0], &sizes[1])).then_some(Pair { left, right, sizes })
    });
    only(pairs)
}

/// A shape with its last two axes swapped. None if it has fewer than two.
fn swapped(sizes: &[i64]) -> Option<Vec<i64>> {
    let last = sizes.len().checked_sub(1).filter(|n| *n > 0)?;
    let mut out = sizes.to_vec();
    out.swap(last - 1, last);
    Some(out)
}

/// The transpose of an operand in its library's syntax.
fn transposed(case: &Case<'_>, line: &Line<'_>, expr: &Expr) -> Option<String> {
    if let Some(a) = expr.as_attribute_expr().filter(|a| a.attr.as_str() == "T") {
        return Some(line.spot.text(&*a.value).to_owned());
    }
    let value = line.value(expr)?;
    let was = tight(line.spot.python, expr);
    let flat = value.shape.as_ref().is_some_and(|s| s.len() == 2);
    Some(match value.kind.as_str() {
        "EagerTensor" | "ResourceVariable" => {
            format!(
                "{}.linalg.matrix_transpose({was})",
                case.alias_of("tensorflow")?
            )
        }
        _ if flat => format!("{was}.T"),
        "Tensor" | "Parameter" => format!("{was}.transpose(-2, -1)"),
        "ndarray" | "ArrayImpl" => format!("{was}.swapaxes(-2, -1)"),
        _ => return None,
    })
}

/// The only operand that fits after a transpose.
fn turned(case: &Case<'_>, line: &Line<'_>, pair: &Pair<'_>) -> Option<Cure> {
    let [left, right] = &pair.sizes;
    let fits =
        |l: Option<Vec<i64>>, r: Option<Vec<i64>>| l.zip(r).is_some_and(|(l, r)| meet(&l, &r));
    let by_left = fits(swapped(left), Some(right.clone()));
    let by_right = fits(Some(left.clone()), swapped(right));
    let expr = match (by_left, by_right) {
        (true, false) => pair.left,
        (false, true) => pair.right,
        // Of two batches with the same shape, transpose the second, as in attention.
        (true, true) if left.len() > 2 => pair.right,
        _ => return None,
    };
    let was = line.spot.text(expr);
    let text = transposed(case, line, expr)?;
    case.edits(
        said(
            "seen-transpose",
            Basis::Assumed,
            format!("Use `{text}` instead of `{was}`"),
            sizes_of(line, pair),
        ),
        vec![Change::replace(line.spot.cell, expr, text)],
    )
}

fn sizes_of(line: &Line<'_>, pair: &Pair<'_>) -> String {
    let (left, right) = (line.spot.text(pair.left), line.spot.text(pair.right));
    format!(
        "When it failed, `{left}` was {} and `{right}` {}. The sizes that meet have to be equal.",
        shown(&pair.sizes[0]),
        shown(&pair.sizes[1])
    )
}

/// A shape in Python syntax.
pub(super) fn shown(sizes: &[i64]) -> String {
    let all: Vec<String> = sizes.iter().map(i64::to_string).collect();
    let comma = if all.len() == 1 { "," } else { "" };
    format!("({}{comma})", all.join(", "))
}

/// The number of input features of a layer or estimator.
fn taken(value: &Value) -> Option<i64> {
    let of = |name: &str| value.sizes.iter().find(|(n, _)| n == name);
    Some(of("in_features").or_else(|| of("n_features_in_"))?.1)
}

/// A layer called with an input of the wrong shape: `fc(x)`.
fn layer<'c>(line: &Line<'c>) -> Option<(&'c Expr, i64, &'c Expr, Vec<i64>)> {
    let calls = line.spot.calls().filter_map(|c| {
        let takes = line.value(&c.func).and_then(taken)?;
        let input = positional(c, 0)?;
        let sizes = line.shape(input)?;
        (sizes.last().is_some_and(|n| *n != takes)).then_some((&*c.func, takes, input, sizes))
    });
    only(calls)
}

/// `fc(x)` with images that weren't flattened: `fc(x.flatten(1))`.
fn flattened(case: &Case<'_>, line: &Line<'_>) -> Option<Cure> {
    let (func, takes, input, sizes) = layer(line)?;
    let each = sizes
        .get(1..)?
        .iter()
        .try_fold(1_i64, |a, n| a.checked_mul(*n))?;
    if sizes.len() < 3 || each != takes {
        return None;
    }
    let (func, was) = (line.spot.text(func), line.spot.text(input));
    let text = Code::of(line.spot.python, input).then(".flatten(1)");
    let why = format!(
        "When it failed, `{was}` was {}: {each} values for each of {}, as `{func}` takes them, once they are in one row.",
        shown(&sizes),
        sizes[0]
    );
    case.edits(
        said(
            "seen-flatten",
            Basis::Assumed,
            format!("Use `{text}` instead of `{was}`"),
            why,
        ),
        vec![Change::replace(line.spot.cell, input, text)],
    )
}

/// Which operands don't fit, if no single transpose helps or no source shows the line.
pub(super) fn said_of(case: &Case<'_>) -> Option<Cure> {
    if !about(case) && !sklearn::FEATURES_EXPECTED.is_in(case.message()) {
        return None;
    }
    let Some(line) = Line::of(case) else {
        return in_file(case);
    };
    if let Some(pair) = failing(&line) {
        let (left, right) = (line.spot.text(pair.left), line.spot.text(pair.right));
        let title = format!(
            "Make `{left}` and `{right}` fit: {} and {}",
            shown(&pair.sizes[0]),
            shown(&pair.sizes[1])
        );
        return Some(look(
            "seen-product",
            title,
            "The last size of the left one has to be the first of the right one's matrix.",
        ));
    }
    let (model, takes, input, size) = layer(&line)
        .and_then(|(f, takes, input, sizes)| Some((name_of(f)?, takes, input, *sizes.last()?)))
        .or_else(|| estimator(&line))?;
    let input = line.spot.text(input);
    let title = format!("Give `{model}` {takes} values in each row: `{input}` has {size}");
    let why = format!("When it failed, `{model}` took {takes} and `{input}` had {size} in its last axis. One of the two has to change.");
    Some(look("seen-features", title, why))
}

/// `model.predict(X)` with a different number of columns than in `fit`.
fn estimator<'c>(line: &Line<'c>) -> Option<(String, i64, &'c Expr, i64)> {
    let calls = line.spot.calls().filter_map(|c| {
        let model = receiver(c)?;
        let takes = line.value(model).and_then(taken)?;
        let input = positional(c, 0)?;
        let size = *line.value(input)?.shape.as_ref()?.get(1)?;
        (size != takes).then_some((name_of(model)?, takes, input, size))
    });
    only(calls)
}

/// The two operands of a line in a file: only their names and sizes are known.
fn in_file(case: &Case<'_>) -> Option<Cure> {
    let frame = case.values.last()?;
    let sized = suspects(case).into_iter().filter_map(|(name, value)| {
        let sizes = value
            .shape
            .as_ref()
            .filter(|s| !s.is_empty() && !value.dtype.is_empty())?;
        Some((name, sizes))
    });
    let sized: Vec<_> = sized.collect();
    let [(left, a), (right, b)] = &sized[..] else {
        return None;
    };
    let title = format!(
        "Make `{left}` and `{right}` fit: {} and {}",
        shown(a),
        shown(b)
    );
    let why = format!(
        "These are the operands on line {} of the function `{}`, as they were when it failed.",
        frame.line, frame.function
    );
    Some(look("seen-product", title, why))
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at, repaired, with_values};

    const MATMUL: &str = "matmul: Input operand 1 has a mismatch in its core dimension 0";

    fn seen(cell: &str, message: &str, names: &str) -> (Vec<nbmedic_facts::Cure>, String) {
        let cells = ["import tensorflow as tf", cell];
        let error = with_values(
            &error_at(&cells, 1, "ValueError", message),
            &format!(r#"[[1,"<module>",[{names}]]]"#),
        );
        (cures_of(&cells, &error), repaired(&cells, &error))
    }

    fn array(name: &str, kind: &str, shape: &str) -> String {
        format!(r#"["{name}",{{"t":"{kind}","d":"float32","s":{shape}}}]"#)
    }

    #[test]
    fn the_operand_that_fits_when_it_is_transposed_is() {
        for (kind, line, a, b, made) in [
            (
                "ndarray",
                "y = a @ b",
                "[64,256]",
                "[10,256]",
                "y = a @ b.T",
            ),
            ("ndarray", "y = a @ b", "[256,64]", "[256]", "y = a.T @ b"),
            (
                "Tensor",
                "y = f(a).sum() + (a @ b)",
                "[8,2,3]",
                "[8,5,3]",
                "y = f(a).sum() + (a @ b.transpose(-2, -1))",
            ),
            (
                "ArrayImpl",
                "y = np.dot(a, b.T)",
                "[2,3]",
                "[3,7]",
                "y = np.dot(a, b)",
            ),
            (
                "EagerTensor",
                "y = tf.matmul(a, b)",
                "[2,3]",
                "[7,3]",
                "y = tf.matmul(a, tf.linalg.matrix_transpose(b))",
            ),
        ] {
            let names = format!("{},{}", array("a", kind, a), array("b", kind, b));
            assert_eq!(seen(line, MATMUL, &names).1, made);
        }
    }

    #[test]
    fn of_several_products_the_failing_one_is_named_with_its_sizes() {
        let names = [
            array("x", "Tensor", "[8,4]"),
            array("w", "Tensor", "[5,2]"),
            array("v", "Tensor", "[4,4]"),
        ]
        .join(",");
        let message = "mat1 and mat2 shapes cannot be multiplied (8x4 and 5x2)";
        let (cures, _) = seen("y = (x @ v).sum() + (x @ w).sum()", message, &names);
        assert_eq!(cures[0].title, "Make `x` and `w` fit: (8, 4) and (5, 2)");
        // Either may be what was meant.
        let (cures, _) = seen("y = x @ x", MATMUL, &array("x", "ndarray", "[4,3]"));
        assert_eq!(cures[0].title, "Make `x` and `x` fit: (4, 3) and (4, 3)");
    }

    #[test]
    fn a_layer_and_what_it_gets_are_named() {
        let message = "mat1 and mat2 shapes cannot be multiplied (32x28 and 784x10)";
        let layer = r#"["fc",{"t":"Linear","l":{"in_features":784,"out_features":10}}]"#;
        let images = format!("{layer},{}", array("x", "Tensor", "[32,28,28]"));
        assert_eq!(
            seen("out = fc(x)", message, &images).1,
            "out = fc(x.flatten(1))"
        );
        let rows = format!("{layer},{}", array("x", "Tensor", "[32,28]"));
        assert_eq!(
            seen("out = fc(x)", message, &rows).0[0].title,
            "Give `fc` 784 values in each row: `x` has 28"
        );
        let fitted = format!(
            r#"["m",{{"t":"Ridge","l":{{"n_features_in_":3}}}}],{}"#,
            array("X", "ndarray", "[2,5]")
        );
        let message = "X has 5 features, but Ridge is expecting 3 features as input.";
        let (cures, _) = seen("m.predict(X)", message, &fitted);
        assert!(
            cures
                .iter()
                .any(|c| c.title == "Give `m` 3 values in each row: `X` has 5"),
            "{cures:?}"
        );
    }

    #[test]
    fn operands_of_a_file_are_named_without_its_source() {
        let cells = ["import net", "net.step(1)"];
        let names = format!(
            "{},{}",
            array("x", "ndarray", "[2,3]"),
            array("w", "ndarray", "[5,2]")
        );
        let error = error_at(&cells, 1, "ValueError", MATMUL);
        let error = with_values(
            &error,
            &format!(r#"[[1,"<module>",[]],[9,"step",[{names}]]]"#),
        );
        let cure = &cures_of(&cells, &error)[0];
        assert_eq!(cure.title, "Make `x` and `w` fit: (2, 3) and (5, 2)");
        assert!(cure.why.contains("line 9 of the function `step`"));
        // A different failure of the same operands has another cause.
        let error = error_at(&cells, 1, "ValueError", "too slow");
        let error = with_values(&error, &format!(r#"[[9,"step",[{names}]]]"#));
        assert!(cures_of(&cells, &error)
            .iter()
            .all(|c| c.id != "seen-product"));
    }
}
