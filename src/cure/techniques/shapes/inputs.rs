//! Call inputs: a sample without a batch axis, floats as indexes, ragged rows, wrong dtypes.

use super::channels::model_input;
use super::say::{replaced, short};
use super::scan::{at_error, head, only, slice, Found, Scan};
use super::text::{shapes, written};
use crate::case::Case;
use crate::edit::{Change, Said};
use crate::find::{int_of, look, name, text_of};
use crate::trace::Made;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprBinOp, ExprCall, Operator};
use nbmedic_python::{each_expr, each_stmt, keyword, positional, Ranged, TextRange};
use nbmedic_wordings::{numpy, python, tensorflow, torch};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if text.contains("expected 4D input (got 3D input)")
        || torch::UNBATCHED_INPUT.read(text).is_some()
    {
        out.extend(one_sample(case));
    } else if torch::CONV_INPUT.is_in(text) {
        out.extend(image_axes(case));
    } else if torch::INDEX_IN_SELF.begins(text) {
        out.extend(
            embedding(case)
                .or_else(|| from_one(case))
                .or_else(|| grown(case)),
        );
    } else if python::SLICE_INDEX.is_in(text)
        || python::FLOAT_FOR_INTEGER.is_in(text)
        || python::LIST_INDEX.read(text) == Some(["float"])
        || text.contains("must be tuple of ints, but found element of type float")
    {
        out.extend(divided(case).or_else(|| divided_under_key(case)));
    } else if tensorflow::RAGGED.is_in(text) {
        out.extend(ragged(case));
    } else if tensorflow::BATCHED_SHAPES.is_in(text) {
        out.extend(padded(case));
    } else if tensorflow::SCALAR_GRADIENT.is_in(text) {
        out.extend(vector_gradient(case));
    } else if tensorflow::INPUT_DTYPE.is_in(text) {
        out.extend(cast_tf(case));
    } else if text.contains("is out of bounds for axis 0 with size") {
        out.extend(grid(case));
    }
}

fn one_sample(case: &Case<'_>) -> Option<Cure> {
    let (cell, input) = model_input(case)?;
    let x = case.editor(cell)?.code(input).tight();
    // Newer messages contain no shapes, older ones those of the weight and the input.
    let (axis, basis, why) = match &shapes(case.message())[..] {
        [weight, sample] => match (weight.get(1)?, sample.first()?) {
            (channels, first) if channels == first => (0, Basis::Solved, ONE_SAMPLE.to_owned()),
            (1, images) => (
                1,
                Basis::Solved,
                format!("The layer takes one channel, and {} is a batch of {images} grey images without that axis.", written(sample)),
            ),
            _ => return None,
        },
        _ => (0, Basis::Assumed, ONE_SAMPLE.to_owned()),
    };
    replaced(
        case,
        cell,
        input,
        format!("{x}.unsqueeze({axis})"),
        "batch-axis",
        basis,
        why,
    )
}

const ONE_SAMPLE: &str =
    "The model takes a batch: (batch, channels, height, width). One sample gets an axis in front.";

/// `Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [32, 784]`.
fn image_axes(case: &Case<'_>) -> Option<Cure> {
    let [shape] = torch::CONV_INPUT.read(case.message())?;
    let shape = super::text::shape(shape)?;
    let (cell, input) = model_input(case)?;
    let x = case.editor(cell)?.code(input).tight();
    let shown = written(&shape);
    let (text, why) = match shape[..] {
        [n, flat] => {
            let grey = flat.isqrt();
            let colour = (flat / 3).isqrt();
            let (channels, side) = match (grey * grey == flat, colour * colour * 3 == flat) {
                (true, _) => (1, grey),
                (_, true) => (3, colour),
                _ => return None,
            };
            (side > 3).then_some(())?;
            (
                format!("{x}.view(-1, {channels}, {side}, {side})"),
                format!("The input is {shown}: {n} images in rows of {flat} = {channels} × {side} × {side} values."),
            )
        }
        [_, 1, ..] if shape.len() == 5 => (
            format!("{x}.squeeze(1)"),
            format!("The input is {shown}: each image has an axis of one too many, which the data set adds before the loader makes batches."),
        ),
        [1, ..] if shape.len() == 5 => (
            format!("{x}.squeeze(0)"),
            format!("The input is {shown}: a batch in a batch of one."),
        ),
        [a, b, ..] if shape.len() == 5 => (
            format!("{x}.flatten(0, 1)"),
            format!("The input is {shown}: {a} groups of {b} images; a layer for images takes one list of {}.", a.saturating_mul(b)),
        ),
        _ => return None,
    };
    replaced(case, cell, input, text, "image-axes", Basis::Assumed, why)
}

/// An embedding table smaller than the largest id looked up.
fn embedding(case: &Case<'_>) -> Option<Cure> {
    let (_, exprs) = at_error(case);
    let scan = Scan::of(case);
    let layers: Vec<Found<'_>> = scan
        .named(&["Embedding"])
        .filter(|f| f.class.is_none() && f.function.is_none())
        .collect();
    let f = only(layers)?;
    let calls = exprs
        .iter()
        .filter_map(|e| e.as_call_expr())
        .filter(|c| case.path_of(&c.func).is_none());
    let ids = positional(only(calls)?, 0)?.as_name_expr()?.id.as_str();
    let set = case.last_set(ids)?;
    let early = set.cell != case.at
        && (f.cell == case.at || case.book.cells()[set.cell].ran <= case.book.cells()[f.cell].ran);
    let size = f.argument(0, "num_embeddings")?;
    early.then_some(())?;
    let why = format!("`{}` looks up smaller numbers only; it needs one row more than the largest number in `{ids}`.", short(slice(case, f.cell, f.call)));
    replaced(
        case,
        f.cell,
        size,
        format!("int({ids}.max()) + 1"),
        "fit-embedding",
        Basis::Assumed,
        why,
    )
}

/// An embedding with as many rows as there are words, whose numbers begin at 1.
fn from_one(case: &Case<'_>) -> Option<Cure> {
    let scan = Scan::of(case);
    let f = only(scan.named(&["Embedding"]))?;
    let made = case.made(f.cell, f.argument(0, "num_embeddings")?)?;
    let len = made.expr.as_call_expr().filter(|c| head(c) == "len")?;
    let words = name(positional(len, 0)?)?;
    let one = |e: &Expr| int_of(e) == Some(1);
    let plus_one = |e: &Expr| {
        e.as_bin_op_expr()
            .is_some_and(|b| b.op == Operator::Add && (one(&b.right) || one(&b.left)))
    };
    let mut line = None;
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        each_stmt(python.body(), &mut |s| {
            let Some(a) = s.as_assign_stmt() else { return };
            let own = |t: &Expr| match t {
                Expr::Subscript(t) => name(&t.value) == Some(words),
                other => name(other) == Some(words),
            };
            let from_one = match &*a.value {
                Expr::DictComp(d) => {
                    let counted = d.generators.iter().filter_map(|g| g.iter.as_call_expr());
                    let starts = |c: &ExprCall| {
                        head(c) == "enumerate"
                            && (positional(c, 1).is_some_and(one)
                                || keyword(c, "start").is_some_and(|k| one(&k.value)))
                    };
                    plus_one(&d.value) || counted.into_iter().any(starts)
                }
                other => plus_one(other) && a.targets.iter().any(|t| t.is_subscript_expr()),
            };
            if a.targets.iter().any(own) && from_one {
                line = line.or(Some((cell, python, s)));
            }
        });
    }
    let (cell, python, stmt) = line?;
    let size = slice(case, made.cell, made.expr);
    let why = format!(
        "`{}` (cell {}) numbers the words from 1, so the largest number is `{size}`, and the embedding has the rows 0 to `{size} - 1`.",
        short(python.slice(stmt)),
        case.position(cell)
    );
    replaced(
        case,
        made.cell,
        made.expr,
        format!("{size} + 1"),
        "fit-embedding",
        Basis::Source,
        why,
    )
}

/// A vocabulary that grew after its length made the table's size.
fn grown(case: &Case<'_>) -> Option<Cure> {
    let scan = Scan::of(case);
    let f = only(scan.named(&["Embedding"]))?;
    let made = case.made(f.cell, f.argument(0, "num_embeddings")?)?;
    let len = made.expr.as_call_expr().filter(|c| head(c) == "len")?;
    let words = name(positional(len, 0)?)?;
    let adds = scan.calls.iter().find(|c| {
        let on = c.call.func.as_attribute_expr();
        on.is_some_and(|a| {
            name(&a.value) == Some(words)
                && matches!(a.attr.as_str(), "setdefault" | "update" | "add" | "append")
        })
    })?;
    // The cell that added to it last: a call of the function that does, or the line itself.
    let ran = |cell: usize| case.book.cells()[cell].ran;
    let function = adds.function.map(|f| f.name.as_str());
    let later = scan.calls.iter().find(|c| {
        let grows = match function {
            Some(f) => head(c.call) == f && c.function.is_none(),
            None => c.call.range() == adds.call.range(),
        };
        grows && ran(c.cell) > ran(made.cell)
    })?;
    let size = slice(case, made.cell, made.expr);
    let at = |cell: usize| case.position(cell);
    Some(look(
        "grown-vocabulary",
        format!("Make no new numbers in `{words}` once `{size}` has made the table's size"),
        format!(
            "Cell {} made it; cell {} then added words by `{}` (cell {}). A word that is not in `{words}` needs the number of an unknown one: `.get(word, unknown)`. Or make the model after all words are numbered.",
            at(made.cell),
            at(later.cell),
            short(slice(case, adds.cell, adds.call)),
            at(adds.cell),
        ),
    ))
}

fn division(e: &Expr) -> Option<&ExprBinOp> {
    e.as_bin_op_expr().filter(|b| b.op == Operator::Div)
}

/// `items[: len(items) / 2]`: an index must be an integer.
fn divided(case: &Case<'_>) -> Option<Cure> {
    let (cell, exprs) = at_error(case);
    let here: Vec<&ExprBinOp> = exprs.iter().filter_map(|e| division(e)).collect();
    // A name divided earlier has its own technique.
    whole_division(case, cell, only(here)?)
}

/// `nn.Linear(n, cfg["width"])`, where another cell says `cfg["width"] = cfg["n"] / 2`.
fn divided_under_key(case: &Case<'_>) -> Option<Cure> {
    let (_, exprs) = at_error(case);
    let keys: Vec<&str> = exprs
        .iter()
        .filter_map(|e| text_of(&e.as_subscript_expr()?.slice))
        .collect();
    let mut found = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let mut add = |key: &str, value: &'_ Expr| {
            if let Some(b) = division(value).filter(|_| keys.contains(&key)) {
                found.push((cell, b.range));
            }
        };
        each_stmt(python.body(), &mut |s| {
            let Some(a) = s.as_assign_stmt() else { return };
            for target in &a.targets {
                let key = target.as_subscript_expr().and_then(|t| text_of(&t.slice));
                key.into_iter().for_each(|k| add(k, &a.value));
            }
        });
        each_expr(python.body(), &mut |e| match e {
            Expr::Dict(d) => {
                for item in &d.items {
                    let key = item.key.as_ref().and_then(text_of);
                    key.into_iter().for_each(|k| add(k, &item.value));
                }
            }
            Expr::Call(c) if name(&c.func) == Some("dict") => {
                for k in &c.arguments.keywords {
                    k.arg.iter().for_each(|a| add(a.as_str(), &k.value));
                }
            }
            _ => {}
        });
    }
    let (cell, range) = only(found)?;
    let mut at = None;
    each_expr(case.python(cell)?.body(), &mut |e| {
        at = at.or(division(e).filter(|b| b.range == range))
    });
    whole_division(case, cell, at?)
}

/// `//` for a `/`.
fn whole_division(case: &Case<'_>, at: usize, b: &ExprBinOp) -> Option<Cure> {
    let python = case.python(at)?;
    let between = TextRange::new(b.left.end(), b.right.start());
    let op = python.slice(between);
    (op.matches('/').count() == 1).then_some(())?;
    let whole = python.slice(b.range);
    case.edits(
        Said {
            id: "whole-division",
            basis: Basis::Source,
            title: format!("Divide `{whole}` by `//`"),
            why: "`/` gives a fraction, also where it comes out even; a place or a count has to be a whole number.".to_owned(),
        },
        vec![Change::replace(at, between, op.replace('/', "//"))],
    )
}

fn ragged(case: &Case<'_>) -> Option<Cure> {
    let (cell, exprs) = at_error(case);
    let calls = exprs.iter().filter_map(|e| e.as_call_expr()).filter(|c| {
        ["constant", "convert_to_tensor"].contains(&head(c))
            && case
                .path_of(&c.func)
                .is_some_and(|p| p.starts_with("tensorflow."))
    });
    let call = only(calls)?;
    let tf = case.alias_of("tensorflow")?;
    let text = format!("{tf}.ragged.constant");
    replaced(case, cell, &call.func, text, "ragged", Basis::Assumed, "The rows have several lengths: a ragged tensor keeps them. Most layers want them padded: `.to_tensor()`.".to_owned())
}

fn padded(case: &Case<'_>) -> Option<Cure> {
    let scan = Scan::of(case);
    let f = only(
        scan.named(&["batch"])
            .filter(|f| f.call.func.is_attribute_expr()),
    )?;
    let attr = &f.call.func.as_attribute_expr()?.attr;
    let text = short(slice(case, f.cell, f.call));
    case.edits(
        Said {
            id: "padded-batch",
            basis: Basis::Assumed,
            title: format!("Use `padded_batch` instead of `batch` in `{text}`"),
            why: "The samples have several shapes; each batch is filled with zeros up to its largest.".to_owned(),
        },
        vec![Change::replace(f.cell, attr, "padded_batch")],
    )
}

/// `jax.grad(loss)`, where the loss returns several numbers.
fn vector_gradient(case: &Case<'_>) -> Option<Cure> {
    let (cell, exprs) = at_error(case);
    let calls = exprs
        .iter()
        .filter_map(|e| e.as_call_expr())
        .filter(|c| ["grad", "value_and_grad"].contains(&head(c)));
    let f = positional(only(calls)?, 0)?;
    let name = slice(case, cell, f.as_name_expr()?);
    let text = format!("lambda *args: {name}(*args).mean()");
    replaced(case, cell, f, text, "mean-loss", Basis::Assumed, format!("`{name}` gives one value for each sample; a gradient starts from one number. `.sum()` would do as well."))
}

/// `cannot compute MatMul as input #1(zero-based) was expected to be a double tensor but is a float tensor`.
fn cast_tf(case: &Case<'_>) -> Option<Cure> {
    let (cell, exprs) = at_error(case);
    let tf = case.alias_of("tensorflow")?;
    let calls = exprs.iter().filter_map(|e| e.as_call_expr()).filter(|c| {
        ["matmul", "add", "multiply", "subtract", "tensordot"].contains(&head(c))
            && c.arguments.args.len() == 2
    });
    let call = only(calls)?;
    // NumPy data has 64 bits, weights have 32: the wider one is cast.
    let [_, number, wanted, got] = tensorflow::INPUT_DTYPE.read(case.message())?;
    matches!((wanted, got), ("double", "float") | ("float", "double")).then_some(())?;
    let first_is_double = (wanted == "double") == (number == "1");
    let value = positional(call, usize::from(!first_is_double))?;
    let was = slice(case, cell, value);
    replaced(
        case,
        cell,
        value,
        format!("{tf}.cast({was}, {tf}.float32)"),
        "cast-input",
        Basis::Named,
        format!("`{was}` has 64 bits, the other side 32: TensorFlow does not mix them."),
    )
}

/// Two loops over `range(n)` and a counter: a grid with more cells than images.
fn grid(case: &Case<'_>) -> Option<Cure> {
    let [_, _, size] = numpy::INDEX_OUT_OF_AXIS.numbers(case.message())?;
    let (cell, exprs) = at_error(case);
    let counter = only(
        exprs
            .iter()
            .filter_map(|e| e.as_subscript_expr())
            .filter_map(|s| s.slice.as_name_expr()),
    )?;
    let python = case.python(cell)?;
    let mut bounds: Vec<&Expr> = Vec::new();
    each_stmt(python.body(), &mut |s| {
        if let Some(f) = s
            .as_for_stmt()
            .filter(|f| f.range.contains_range(counter.range))
        {
            let range = f
                .iter
                .as_call_expr()
                .filter(|c| head(c) == "range" && c.arguments.args.len() == 1);
            bounds.extend(range.and_then(|c| positional(c, 0)));
        }
    });
    let [first, second] = bounds[..] else {
        return None;
    };
    let (a, b) = (name(first)?, name(second)?);
    let side = size.isqrt();
    if a != b || a == counter.id.as_str() || side < 1 {
        return None;
    }
    let Made {
        cell: at,
        expr: value,
    } = case.made(cell, first)?;
    let was = super::scan::integer(value)?;
    if was <= side {
        return None;
    }
    case.edits(
        Said {
            id: "smaller-grid",
            basis: Basis::Assumed,
            title: format!("Replace `{a} = {was}` by `{a} = {side}`"),
            why: format!("The grid has {was} × {was} = {} places, and there are {size} images: {side} × {side} fit.", was * was),
        },
        vec![Change::replace(at, value, side.to_string())],
    )
}
