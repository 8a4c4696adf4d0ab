//! Keras: input and output shapes, and the loss that fits the labels.

use super::keras_images;
use super::layers::{resize, Resize};
use super::say::{look, short};
use super::scan::{at_error, head, only, own_exprs, slice, Found, Scan};
use super::text::{matrices, shape, written};
use crate::case::Case;
use crate::code::argument;
use crate::edit::{Change, Said};
use crate::find::statement_of;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, OperatorPrecedence, StringLiteral};
use nbmedic_python::{keyword, positional, Ranged, TextRange};
use nbmedic_wordings::{keras, tensorflow};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    let scan = || Scan::of(case);
    if let Some([labels, outputs]) = labels_and_outputs(text) {
        out.extend(loss(case, &scan(), &labels, &outputs));
    } else if keras::LABEL_OUTSIDE.is_in(text) {
        out.extend(label_value(case, &scan()));
    } else if text.contains("] = ") && tensorflow::INDEX_OUTSIDE.is_in(text) {
        out.extend(embedding(case, &scan()));
    } else if let (true, Some(sizes)) = (tensorflow::MATRIX_SIZES.is_in(text), matrices(text)) {
        out.extend(keras_images::flat_images(case, &scan(), sizes));
    } else if keras::AXES.numbers(text) == Some([3, 2]) {
        out.extend(sequences(case, &scan()));
    } else if keras::INCOMPATIBLE_INPUT.is_in(text) || keras::SHAPE_OF_NAMED_INPUT.is_in(text) {
        out.extend(input(case, &scan()));
    }
}

/// The shapes of labels and outputs, in this order, if a message says that they don't match.
fn labels_and_outputs(text: &str) -> Option<[Vec<i64>; 2]> {
    // In these the outputs come first.
    let swapped = keras::LOGITS_AND_LABELS_RECEIVED
        .read(text)
        .or_else(|| keras::LOGITS_SIZE.read(text))
        .or_else(|| keras::FIRST_DIMENSION.read(text))
        .map(|[outputs, labels]| [labels, outputs]);
    let [labels, outputs] = keras::INCOMPATIBLE_SHAPES
        .read(text)
        .or_else(|| keras::SAME_RANK.read(text))
        .or_else(|| keras::SAME_SHAPE.read(text))
        .or(swapped)?;
    let sizes = |t: &str| shape(t).filter(|s| !s.is_empty());
    Some([sizes(labels)?, sizes(outputs)?])
}

/// A loss passed to `compile` by name or as an instance of its class.
fn compiled<'c>(case: &'c Case<'c>, scan: &Scan<'c>) -> Option<(usize, TextRange, String)> {
    let f = scan
        .named(&["compile"])
        .find(|f| keyword(f.call, "loss").is_some() || f.call.arguments.args.len() > 1)?;
    let value = f.argument(1, "loss")?;
    match value {
        Expr::StringLiteral(s) => {
            let part: &StringLiteral = only(s.value.iter())?;
            Some((f.cell, part.range(), part.value.to_string()))
        }
        Expr::Call(c) => {
            let name = head(c);
            let end = c.func.end();
            let start = slice(case, f.cell, &*c.func).len() - name.len();
            let start = c.func.start() + nbmedic_python::TextSize::new(u32::try_from(start).ok()?);
            Some((f.cell, TextRange::new(start, end), name.to_owned()))
        }
        _ => None,
    }
}

fn quoted(case: &Case<'_>, cell: usize, range: TextRange, name: &str) -> String {
    let text = slice(case, cell, range);
    match text.chars().next() {
        Some(q @ ('"' | '\'')) => format!("{q}{name}{q}"),
        _ => name.to_owned(),
    }
}

fn loss(case: &Case<'_>, scan: &Scan<'_>, labels: &[i64], outputs: &[i64]) -> Option<Cure> {
    let words = format!(
        "The labels are {}, the outputs of the model {}.",
        open(labels),
        open(outputs)
    );
    let classes = *outputs.last()?;
    let set_loss = |name: &str, class: &str, why: &str| {
        let (cell, range, was) = compiled(case, scan)?;
        let new = if was.starts_with(|c: char| c.is_ascii_uppercase()) {
            class
        } else {
            name
        };
        let text = quoted(case, cell, range, new);
        case.edits(
            Said {
                id: "fit-loss",
                basis: Basis::Solved,
                title: format!("Use the loss `{new}` instead of `{was}`"),
                why: format!("{words} {why}"),
            },
            vec![Change::replace(cell, range, text)],
        )
    };
    let current = compiled(case, scan)
        .map(|(_, _, n)| n.to_lowercase().replace('_', ""))
        .unwrap_or_default();
    // One-hot labels for outputs that still have the axes of an image or a sequence.
    let steps = outputs.len() == 3 && outputs[1] == classes;
    if outputs.len() > 2 && labels.len() == 2 && labels[1] == classes && classes > 1 && !steps {
        return flattened(case, scan, classes, &words);
    }
    let sparse = current.starts_with("sparse");
    let numbers = labels.len() < outputs.len() || labels.last() == Some(&1);
    // One-hot labels passed to the sparse loss arrive flattened.
    if sparse
        && classes > 1
        && labels.len() == 1
        && outputs.len() == 2
        && labels[0] == outputs[0] * classes
    {
        return set_loss(
            "categorical_crossentropy",
            "CategoricalCrossentropy",
            "One-hot labels need `categorical_crossentropy`.",
        );
    }
    if numbers && classes > 1 && current.contains("categorical") && !sparse {
        return set_loss("sparse_categorical_crossentropy", "SparseCategoricalCrossentropy", "Labels that are class numbers need `sparse_categorical_crossentropy`; one-hot labels would have one column for each class.");
    }
    if sparse && !numbers && labels.last() == Some(&classes) {
        return set_loss(
            "categorical_crossentropy",
            "CategoricalCrossentropy",
            "One-hot labels need `categorical_crossentropy`.",
        );
    }
    let wanted = if numbers && labels.len() < outputs.len() {
        1
    } else {
        *labels.last()?
    };
    if wanted < 1 || wanted == classes || classes < 1 {
        return None;
    }
    let dense = scan
        .named(&["Dense"])
        .filter_map(|f| Some((f, scan.origin(&f, f.argument(0, "units")?)?)))
        .filter(|(_, o)| o.value == classes);
    let (found, origin) = last_of(dense.collect())?;
    let resized = Resize {
        found,
        origin,
        size: wanted,
    };
    resize(
        case,
        "fit-classes",
        &resized,
        format!("{words} The last layer needs as many outputs as the labels have columns."),
    )
}

/// Puts `Flatten()` before the last `Dense`.
fn flattened(case: &Case<'_>, scan: &Scan<'_>, classes: i64, words: &str) -> Option<Cure> {
    let dense = scan
        .named(&["Dense"])
        .filter_map(|f| Some((f, scan.origin(&f, f.argument(0, "units")?)?)))
        .filter(|(_, o)| o.value == classes);
    let (found, _) = last_of(dense.collect())?;
    let called = slice(case, found.cell, &*found.call.func);
    let flat = called
        .strip_suffix("Dense")
        .map(|m| format!("{m}Flatten()"))?;
    let why = format!(
        "{words} `Dense` works on the last axis alone: the others have to be laid flat before it."
    );
    let python = case.python(found.cell)?;
    let stmt = statement_of(python, found.call.range())?;
    // In the list of a `Sequential`, or in a separate `model.add(…)` statement.
    let list = only(own_exprs(stmt).into_iter().filter(|e| {
        e.as_list_expr()
            .is_some_and(|l| l.elts.iter().any(|x| x.range() == found.call.range()))
    }));
    let adds = stmt.as_expr_stmt().and_then(|s| s.value.as_call_expr());
    let adds = adds.filter(|c| head(c) == "add" && c.arguments.args.len() == 1);
    let known = called.contains('.') || case.exists("Flatten");
    let change = match (list, adds) {
        (Some(_), _) => Change::before(found.cell, found.call, format!("{flat}, ")),
        (_, Some(add)) => {
            let line = format!("{}({flat})", python.slice(&*add.func));
            Change::line_before(found.cell, python, python.line_of(stmt.start()), &line)
        }
        _ => {
            return Some(look(
                "flatten",
                "Put a `Flatten()` layer before the last `Dense`".to_owned(),
                why,
            ))
        }
    };
    if !known {
        return Some(look(
            "flatten",
            "Put a `Flatten()` layer before the last `Dense`".to_owned(),
            why,
        ));
    }
    case.edits(
        Said {
            id: "flatten",
            basis: Basis::Assumed,
            title: format!("Put `{flat}` before the last `Dense`"),
            why,
        },
        vec![change],
    )
}

/// The only match, or the last of several in one cell.
fn last_of<'c>(
    all: Vec<(Found<'c>, super::scan::Origin<'c>)>,
) -> Option<(Found<'c>, super::scan::Origin<'c>)> {
    let cell = all.first()?.0.cell;
    if all.iter().any(|(f, _)| f.cell != cell) {
        return None;
    }
    all.into_iter().max_by_key(|(f, _)| f.call.start())
}

/// A shape, including its unknown sizes.
fn open(shape: &[i64]) -> String {
    written(shape).replace("-1", "None")
}

/// `Received a label value of 5 which is outside the valid range of [0, 5).  Label values: 5 1 2`.
fn label_value(case: &Case<'_>, scan: &Scan<'_>) -> Option<Cure> {
    let text = case.message();
    let [value, classes] = keras::LABEL_OUTSIDE.numbers(text)?;
    if value < 0 {
        return None;
    }
    let values: Vec<i64> = text
        .split_once("Label values:")
        .map(|(_, rest)| {
            rest.split_whitespace()
                .map_while(|n| n.parse().ok())
                .collect()
        })
        .unwrap_or_default();
    let (cell, exprs) = at_error(case);
    let fits = exprs
        .iter()
        .filter_map(|e| e.as_call_expr())
        .filter(|c| ["fit", "evaluate", "train_on_batch"].contains(&head(c)));
    let y = only(fits).and_then(|c| argument(c, 1, "y"));
    if value == classes && values.len() >= 8 && !values.contains(&0) {
        let y = y?;
        let was = slice(case, cell, y);
        let text = case
            .editor(cell)?
            .code(y)
            .left_of("-", OperatorPrecedence::AddSub, "1")
            .to_string();
        return case.edits(
            Said {
                id: "labels-from-zero",
                basis: Basis::Assumed,
                title: format!("Use `{text}` instead of `{was}`"),
                why: format!(
                    "The labels are counted from 1 to {classes}; the model's classes are 0 to {}.",
                    classes - 1
                ),
            },
            vec![Change::replace(cell, y, text)],
        );
    }
    let top = values.iter().copied().max().unwrap_or(value).max(value);
    let dense = scan
        .named(&["Dense"])
        .filter_map(|f| Some((f, scan.origin(&f, f.argument(0, "units")?)?)))
        .filter(|(_, o)| o.value == classes);
    let (found, origin) = last_of(dense.collect())?;
    let resized = Resize {
        found,
        origin,
        size: top + 1,
    };
    resize(
        case,
        "fit-classes",
        &resized,
        format!(
            "A label is {top}, and the last layer has outputs for 0 to {} only.",
            classes - 1
        ),
    )
}

/// `indices[0,0] = 1003 is not in [0, 1000)`.
fn embedding(case: &Case<'_>, scan: &Scan<'_>) -> Option<Cure> {
    let text = case.message();
    let [index, size] = tensorflow::INDEX_OUTSIDE.numbers(text)?;
    let layers = scan.named(&["Embedding"]).filter(|f| {
        f.argument(0, "input_dim")
            .is_some_and(|e| scan.value(f, e).is_none_or(|v| v == size))
    });
    let layers: Vec<Found<'_>> = layers.collect();
    // The node name contains the layer's: `model_3/anime_embedding/embedding_lookup`.
    let named = |f: &&Found<'_>| {
        let name = keyword(f.call, "name").and_then(|k| k.value.as_string_literal_expr());
        name.is_some_and(|n| text.contains(&format!("/{}/", n.value.to_str())))
    };
    let f = match &layers[..] {
        [one] => *one,
        all => *only(all.iter().filter(named))?,
    };
    let call = short(slice(case, f.cell, f.call));
    if index < 0 {
        let missing = if index == i64::from(i32::MIN) {
            " It is what a missing value (NaN) becomes as a whole number."
        } else {
            ""
        };
        return Some(look(
            "negative-index",
            format!("Drop or renumber the rows that hold {index} before `{call}`"),
            format!(
                "The layer looks up 0 to {}, and its input holds {index}.{missing}",
                size - 1
            ),
        ));
    }
    let (_, exprs) = at_error(case);
    let fits = exprs
        .iter()
        .filter_map(|e| e.as_call_expr())
        .filter(|c| ["fit", "predict", "evaluate"].contains(&head(c)));
    let x = only(fits).and_then(|c| argument(c, 0, "x"));
    let argument = f.argument(0, "input_dim")?;
    let known = x
        .filter(|_| layers.len() == 1)
        .and_then(Expr::as_name_expr)
        .filter(|n| {
            let set = case.last_set(n.id.as_str());
            let before = |s: &crate::known::Set<'_>| {
                f.cell == case.at
                    || s.cell != case.at
                        && case.book.cells()[s.cell].ran < case.book.cells()[f.cell].ran
            };
            set.is_some_and(|s| before(&s) && f.function.is_none())
        });
    let new = match known {
        Some(n) => format!("int({}.max()) + 1", n.id),
        None => (index + 1).to_string(),
    };
    let was = slice(case, f.cell, argument);
    case.edits(
        Said {
            id: "fit-embedding",
            basis: Basis::Assumed,
            title: format!("Replace `{was}` by `{new}` in `{call}`"),
            why: format!("The input holds {index}; the layer looks up 0 to {}. It needs one row more than the largest index.", size - 1),
        },
        vec![Change::replace(f.cell, argument, new)],
    )
}

/// The data passed to a model call.
fn fed<'c>(exprs: &[&'c Expr]) -> Option<&'c Expr> {
    let known = [
        "fit",
        "predict",
        "evaluate",
        "predict_on_batch",
        "train_on_batch",
    ];
    let mut calls = exprs
        .iter()
        .filter_map(|e| e.as_call_expr())
        .filter(|c| known.contains(&head(c)));
    let call: &ExprCall = calls.next()?;
    match keyword(call, "x") {
        Some(k) => Some(&k.value),
        None => positional(call, 0),
    }
}

/// `Input 0 of layer "model" is incompatible with the layer: expected shape=(None, 784), found shape=(32, 28, 28)`.
fn input(case: &Case<'_>, scan: &Scan<'_>) -> Option<Cure> {
    let text = case.message();
    // What the layer takes, at least how many axes, and what it got.
    let shapes = keras::INPUT_SHAPE
        .read(text)
        .or_else(|| keras::SHAPE_OF_NAMED_INPUT.read(text));
    let (expected, rank, found) = if let Some([a, b]) = shapes {
        (shape(a), None, b)
    } else if let Some([_, width, found]) = keras::AXIS_SIZE.read(text) {
        (Some(vec![-1, width.parse().ok()?]), None, found)
    } else if let Some([least, _, found]) = keras::LEAST_AXES.read(text) {
        (None, least.parse().ok(), found)
    } else {
        let [_, _, found] = keras::AXES_OF_SHAPE.read(text)?;
        (None, None, found)
    };
    let found = shape(found)?;
    let (cell, exprs) = at_error(case);
    if let (Some(x), Some(text)) = (fed(&exprs), reshaped(&expected, rank, &found)) {
        let was = slice(case, cell, x);
        // Data that is already reshaped is reshaped differently.
        let base = x.as_call_expr().filter(|c| head(c) == "reshape");
        let base = base.and_then(|c| c.func.as_attribute_expr());
        if let (Some(base), true) = (base, text.starts_with("@.reshape(-1, ")) {
            let text = text.replace('@', slice(case, cell, &*base.value));
            return case.edits(
                Said {
                    id: "fit-input",
                    basis: Basis::Assumed,
                    title: format!("Give the model `{text}` instead of `{was}`"),
                    why: format!(
                        "The model gets {}, flat rows of the same size.",
                        open(&found)
                    ),
                },
                vec![Change::replace(cell, x, text)],
            );
        }
        if x.is_name_expr() || x.is_subscript_expr() {
            let text = match (text.as_str(), is_dataset(case, x)) {
                ("@[None]", true) => "@.batch(32)".to_owned(),
                (_, true) => return None,
                _ => text,
            };
            let text = text.replace('@', was);
            let wanted = expected
                .as_ref()
                .map_or_else(|| format!("{} axes", rank.unwrap_or(0)), |e| open(e));
            return case.edits(
                Said {
                    id: "fit-input",
                    basis: Basis::Assumed,
                    title: format!("Give the model `{text}` instead of `{was}`"),
                    why: format!("The model wants {wanted}; it gets {}.", open(&found)),
                },
                vec![Change::replace(cell, x, text)],
            );
        }
    }
    let expected = expected?;
    if expected.len() != found.len() || expected.len() < 2 {
        return None;
    }
    if let Some(cure) = keras_images::resized_data(case, scan, &expected, &found) {
        return Some(cure);
    }
    keras_images::sized_input(
        case,
        scan,
        &expected[1..],
        &found[1..],
        format!(
            "The model is built for {}, its data are {}.",
            open(&expected),
            open(&found)
        ),
    )
}

/// Whether the data is a TensorFlow dataset or an iterator of image batches rather than an array.
fn is_dataset(case: &Case<'_>, x: &Expr) -> bool {
    let set = x.as_name_expr().and_then(|n| case.last_set(n.id.as_str()));
    let made = set.and_then(|s| Some(slice(case, s.cell, s.binding.value?)));
    made.is_some_and(|t| {
        [
            "Dataset.",
            "dataset_from_",
            "flow_from_",
            "tfds.load",
            ".flow(",
        ]
        .iter()
        .any(|k| t.contains(k))
    })
}

/// How to reshape the data to the input shape. `@` stands for the data.
fn reshaped(expected: &Option<Vec<i64>>, rank: Option<i64>, found: &[i64]) -> Option<String> {
    let Some(expected) = expected else {
        let large = found.iter().rev().take(2).all(|n| *n > 4);
        return match (rank, found.len()) {
            (Some(4), 3) if large => Some("@[..., None]".to_owned()),
            (Some(4), 2) if large => Some("@[None, ..., None]".to_owned()),
            _ => None,
        };
    };
    let (wanted, got) = (expected.get(1..)?, found.get(1..)?);
    let flat = |s: &[i64]| s.iter().all(|n| *n > 0).then(|| s.iter().product::<i64>());
    if wanted.len() == 1 && got.len() > 1 && flat(got) == flat(wanted) {
        return Some("@.reshape(len(@), -1)".to_owned());
    }
    // A single sample without a batch axis: its own first axis was split into batches.
    if wanted.last() == Some(&1) && wanted.len() == 3 && found.len() == 2 && wanted[1] == found[1] {
        return Some("@[None, ..., None]".to_owned());
    }
    if got.len() == 1 && wanted.len() > 1 && flat(got) == flat(wanted) {
        let sizes: Vec<String> = wanted.iter().map(i64::to_string).collect();
        return Some(format!("@.reshape(-1, {})", sizes.join(", ")));
    }
    if wanted.last() == Some(&1) && got.len() + 1 == wanted.len() && wanted.starts_with(got) {
        return Some("@[..., None]".to_owned());
    }
    (found.len() == wanted.len()
        && wanted[1..] == *got
        && (found[0] == -1 || found[0] <= wanted[0]))
        .then(|| "@[None]".to_owned())
}

/// A recurrent layer on top of another one needs its full sequence.
fn sequences(case: &Case<'_>, scan: &Scan<'_>) -> Option<Cure> {
    let names = ["LSTM", "GRU", "SimpleRNN", "Bidirectional"];
    let at = case
        .innermost()
        .filter(|f| f.cell == case.at)
        .map(|f| f.line);
    let python = case.python(case.at)?;
    let inside = |f: &Found<'_>| names.contains(&head(f.call)) && f.cell == case.at;
    let mut layers: Vec<Found<'_>> = scan.calls.iter().copied().filter(inside).collect();
    layers.sort_by_key(|f| f.call.start());
    // Layers inside `Bidirectional(…)` count once.
    let inner: Vec<Found<'_>> = layers
        .iter()
        .copied()
        .filter(|f| head(f.call) != "Bidirectional")
        .collect();
    let before: Vec<&Found<'_>> = match at {
        Some(line) if inner.iter().any(|f| python.line_of(f.call.start()) == line) => inner
            .iter()
            .filter(|f| python.line_of(f.call.start()) < line)
            .collect(),
        _ => inner.iter().take(inner.len().checked_sub(1)?).collect(),
    };
    let open: Vec<&&Found<'_>> = before
        .iter()
        .filter(|f| keyword(f.call, "return_sequences").is_none())
        .collect();
    let f = only(open)?;
    let call = short(slice(case, f.cell, f.call));
    case.edits(
        Said {
            id: "return-sequences",
            basis: Basis::Library,
            title: format!("Add `return_sequences=True` to `{call}`"),
            why: "The recurrent layer above it wants every step; without it the layer gives only the last one.".to_owned(),
        },
        vec![case.editor(f.cell)?.add(f.call, "return_sequences=True")],
    )
}
