//! Keras: inputs and outputs, names of losses and layers, folders without images, memory of a batch.

use super::super::shapes::scan::Scan;
use super::super::shapes::text::shapes;
use crate::case::Case;
use crate::closest::closest;
use crate::code::{argument, Editor};
use crate::edit::Change;
use crate::find::{callee, look, one_line, only, quoted_after, said, tight};
use crate::written::listed;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{each_expr, keyword, name_of, positional, Ranged};
use nbmedic_wordings::{keras, python, tensorflow};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if text.contains("'History' object is not subscriptable") {
        out.extend(history(case));
    } else if text.contains("fit() got an unexpected keyword argument")
        || text.contains("predict() got an unexpected keyword argument")
    {
        out.extend(workers(case));
    } else if keras::NO_LAYER.read(text).is_some() {
        out.extend(layer(case));
    } else if let Some(wrong) = identifier(text) {
        out.extend(misspelt(case, wrong));
    } else if text.contains("the Sequence has length 0")
        || keras::CLASS_FOLDER.is_in(text)
        || text.contains("PyDataset has length 0")
    {
        out.extend(empty(case));
    } else if text.contains("OOM when allocating tensor with shape[") {
        out.extend(batch(case));
    } else if text.contains("must be a list of iterables. Found non-iterable") {
        out.extend(one_sequence(case));
    } else if matches!(
        python::ATTRIBUTE.read(text),
        Some(["float" | "int", "lower"])
    ) {
        out.extend(no_text(case));
    } else if keras::AXES.numbers(text) == Some([3, 2]) {
        out.extend(steps(case));
    }
}

/// `history['loss']` → `history.history['loss']`.
fn history(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let all: Vec<_> = spot
        .exprs
        .iter()
        .filter_map(|e| e.as_subscript_expr())
        .filter(|s| s.slice.is_string_literal_expr() && name_of(&s.value).is_some())
        .collect();
    let first = all.first()?;
    let of = spot.text(&*first.value);
    // The cell's other lines read the same object.
    let mut changes = Vec::new();
    each_expr(spot.python.body(), &mut |e| {
        if let Expr::Subscript(s) = e {
            if s.slice.is_string_literal_expr() && spot.text(&*s.value) == of {
                changes.push(spot.editor().append(&*s.value, ".history"));
            }
        }
    });
    let key = spot.text(&*first.slice);
    case.edits(
        said(
            "history",
            Basis::Library,
            format!("Read `{of}.history[{key}]`"),
            format!("`fit` returns an object; the values of each epoch are in its `history`. `{of}` is that object."),
        ),
        changes,
    )
}

/// Arguments for parallel loading, removed in Keras 3.
fn workers(case: &Case<'_>) -> Option<Cure> {
    let gone = ["workers", "use_multiprocessing", "max_queue_size"];
    let text = case.message();
    gone.iter().find(|g| text.contains(&format!("'{g}'")))?;
    let spot = case.spot()?;
    let call = only(
        spot.calls()
            .filter(|c| gone.iter().any(|g| keyword(c, g).is_some())),
    )?;
    let mut changes = Vec::new();
    let mut words = Vec::new();
    let mut found: Vec<_> = gone
        .iter()
        .filter_map(|g| Some((g, keyword(call, g)?)))
        .collect();
    found.sort_by_key(|(_, k)| k.start());
    for (g, k) in found {
        changes.push(spot.editor().remove(call, k.range()));
        words.push(format!("`{g}=`"));
    }
    case.edits(
        said(
            "superfluous-argument",
            Basis::Library,
            format!("Drop {} from `{}`", words.join(", "), one_line(spot.text(&*call.func))),
            "Since Keras 3 the data set itself takes them: `super().__init__(workers=4, use_multiprocessing=True)` in a `PyDataset`.",
        ),
        changes,
    )
}

/// `No such layer: block5_conv_3. Existing layers are: [...]`.
fn layer(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    let [wrong, rest] = keras::NO_LAYER.read(text)?;
    let there = listed(rest);
    let spot = case.spot()?;
    let written = only(spot.strings(wrong))?;
    let Some(right) = closest(wrong, there.iter().copied()) else {
        let last: Vec<String> = there
            .iter()
            .rev()
            .take(3)
            .map(|l| format!("`{l}`"))
            .collect();
        return (!last.is_empty()).then(|| {
            look(
                "layer-name",
                format!("Name a layer that is there instead of `{wrong}`"),
                format!("The model has {} layers; its last ones are {}. Names that Keras gives count on within a session.", there.len(), last.join(", ")),
            )
        });
    };
    case.edits(
        said(
            "layer-name",
            Basis::Named,
            format!("Use the layer `{right}` instead of `{wrong}`"),
            "It is the model's only layer of such a name.",
        ),
        vec![Change::replace(
            spot.cell,
            written,
            crate::find::quoted(right),
        )],
    )
}

/// The names that `compile` and layers take as strings.
const NAMES: &[&str] = &[
    "binary_crossentropy",
    "categorical_crossentropy",
    "sparse_categorical_crossentropy",
    "mean_squared_error",
    "mean_absolute_error",
    "mean_squared_logarithmic_error",
    "mse",
    "mae",
    "hinge",
    "huber",
    "poisson",
    "kl_divergence",
    "cosine_similarity",
    "accuracy",
    "binary_accuracy",
    "categorical_accuracy",
    "sparse_categorical_accuracy",
    "adam",
    "adamw",
    "sgd",
    "rmsprop",
    "adagrad",
    "adadelta",
    "adamax",
    "nadam",
    "ftrl",
    "relu",
    "sigmoid",
    "softmax",
    "tanh",
    "linear",
    "elu",
    "selu",
    "gelu",
    "swish",
    "softplus",
    "softsign",
    "leaky_relu",
    "exponential",
    "hard_sigmoid",
    "he_normal",
    "he_uniform",
    "glorot_uniform",
    "glorot_normal",
    "zeros",
    "ones",
    "random_normal",
    "random_uniform",
    "l1",
    "l2",
];

/// A name that Keras doesn't know, in the formats of its messages.
fn identifier(text: &str) -> Option<&str> {
    let [name] = keras::UNKNOWN_OBJECT
        .read(text)
        .or_else(|| keras::UNKNOWN_PART.read(text))
        .or_else(|| keras::IDENTIFIER.read(text).map(|[_, name]| [name]))?;
    let name = name.trim_start_matches(['\'', '"']);
    name.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
        .next()
        .filter(|n| !n.is_empty())
}

fn misspelt(case: &Case<'_>, wrong: &str) -> Option<Cure> {
    let right = closest(wrong, NAMES.iter().copied())?;
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let mut found = Vec::new();
        each_expr(python.body(), &mut |e| {
            found.extend(
                e.as_string_literal_expr()
                    .filter(|s| s.value.to_str() == wrong),
            );
        });
        if found.is_empty() {
            continue;
        }
        let changes = found.iter().map(|s| {
            let mark = python
                .slice(*s)
                .chars()
                .next()
                .filter(|c| *c == '\'')
                .unwrap_or('"');
            Change::replace(cell, *s, format!("{mark}{right}{mark}"))
        });
        return case.edits(
            said(
                "keras-name",
                Basis::Library,
                format!("Write `{right}` instead of `{wrong}`"),
                format!("Keras knows no `{wrong}`."),
            ),
            changes.collect(),
        );
    }
    None
}

/// A folder in which no images were found.
fn empty(case: &Case<'_>) -> Option<Cure> {
    let scan = Scan::of(case);
    let names = [
        "flow_from_directory",
        "flow_from_dataframe",
        "image_dataset_from_directory",
        "ImageFolder",
    ];
    let spot = case.spot()?;
    let mut used: Vec<String> = Vec::new();
    for e in &spot.exprs {
        used.extend(name_of(e));
    }
    let all: Vec<_> = scan.named(&names).collect();
    let target = |f: &&super::super::shapes::scan::Found<'_>| {
        let python = case.python(f.cell);
        let stmt = python.and_then(|p| crate::find::statement_of(p, f.call.range()));
        let name = stmt
            .and_then(|s| s.as_assign_stmt())
            .and_then(|a| name_of(a.targets.first()?));
        name.is_some_and(|n| used.contains(&n)) || spot.cell == f.cell
    };
    let f = match &all[..] {
        [one] => *one,
        all => *only(all.iter().filter(target))?,
    };
    let python = case.python(f.cell)?;
    let folder = f
        .argument(
            usize::from(callee(f.call) == Some("flow_from_dataframe")),
            "directory",
        )
        .or_else(|| f.argument(0, "root"))?;
    let text = python.slice(folder);
    let func = callee(f.call)?;
    Some(look(
        "picture-folder",
        format!("Point `{func}` at the folder that holds the class folders, instead of `{}`", one_line(text)),
        format!("It found no pictures in `{text}` (cell {}): it wants one folder for each class in it, with the pictures inside. Often the data are one folder deeper, or the name is spelt in another way.", case.position(f.cell)),
    ))
}

fn gib(bytes: i64) -> String {
    #[allow(clippy::cast_precision_loss)]
    let n = bytes as f64 / f64::from(1 << 30);
    if n < 0.95 {
        format!("{:.0} MiB", n * 1024.0)
    } else {
        format!("{n:.1} GiB")
    }
}

/// `OOM when allocating tensor with shape[512,64,222,222] and type float`.
fn batch(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    let [shape, kind] = tensorflow::ALLOCATING.read(text)?;
    let shape = shapes(shape).into_iter().next()?;
    let width = match kind {
        "double" | "int64" => 8,
        "half" | "bfloat16" => 2,
        "bool" | "uint8" | "int8" => 1,
        _ => 4,
    };
    let bytes = shape
        .iter()
        .try_fold(width, |n: i64, s| n.checked_mul(*s))?;
    let rows = *shape.first().filter(|n| **n > 1)?;
    let scan = Scan::of(case);
    let mut places = Vec::new();
    for f in &scan.calls {
        let named = keyword(f.call, "batch_size").map(|k| &k.value);
        let by_method = (callee(f.call) == Some("batch"))
            .then(|| positional(f.call, 0))
            .flatten();
        if let Some(o) = named.or(by_method).and_then(|e| scan.origin(f, e)) {
            places.push(o);
        }
    }
    let own: Vec<_> = places.iter().filter(|o| o.value == rows).collect();
    let default = own.is_empty() && rows == 32;
    // No batch size is known to explain the shape.
    if own.is_empty() && !default {
        let spot = case.spot()?;
        let line = spot.python.line_of(spot.stmt?.start());
        return Some(look(
            "fit-memory",
            format!("Compute line {line} for fewer than {rows} rows at a time"),
            format!("One tensor of the shape {shape:?} takes {}: {rows} rows of {} each. A batch (`batch_size=32`) takes {}.", gib(bytes), gib(bytes / rows), gib(bytes / rows * 32)),
        ));
    }
    let mut size = rows / 2;
    while size > 1 && bytes / rows * size > 1 << 30 {
        size /= 2;
    }
    let why = format!(
        "With {rows} one tensor takes {}, with {size} {}; all others shrink in the same way.",
        gib(bytes),
        gib(bytes / rows * size)
    );
    if default {
        let spot = case.spot()?;
        let call = only(
            spot.calls()
                .filter(|c| matches!(callee(c), Some("fit" | "predict" | "evaluate"))),
        )?;
        return case.edits(
            said(
                "smaller-batch",
                Basis::Assumed,
                format!("Use batches of {size} instead of 32: `batch_size={size}`"),
                format!("{why} 32 is what Keras takes if nothing is said."),
            ),
            vec![spot.editor().set(call, "batch_size", &size.to_string())],
        );
    }
    let mut changes: Vec<Change> = own
        .iter()
        .map(|o| Change::replace(o.cell, o.expr, size.to_string()))
        .collect();
    changes.sort_by_key(|c| (c.cell, c.range.start()));
    changes.dedup();
    case.edits(
        said(
            "smaller-batch",
            Basis::Assumed,
            format!("Use batches of {size} instead of {rows}"),
            why,
        ),
        changes,
    )
}

/// `pad_sequences(sequence)` with a single sequence.
fn one_sequence(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("pad_sequences")?;
    let value = argument(call, 0, "sequences")?;
    let text = format!("[{}]", spot.text(value));
    case.edits(
        said(
            "list-of-sequences",
            Basis::Library,
            format!("Give it a list of sequences: `{text}`"),
            "It pads several sequences; one is a list of one.",
        ),
        vec![Change::replace(spot.cell, value, text.clone())],
    )
}

/// A text column with missing values.
fn no_text(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let of = |c: &&ExprCall| {
        matches!(
            callee(c),
            Some("fit_on_texts" | "texts_to_sequences" | "texts_to_matrix")
        )
    };
    let call = only(spot.calls().filter(of))?;
    let value = positional(call, 0)?;
    let was = tight(spot.python, value);
    if was.contains("astype(str)")
        || !(value.is_name_expr() || value.is_subscript_expr() || value.is_attribute_expr())
    {
        return None;
    }
    case.edits(
        said(
            "missing-texts",
            Basis::Assumed,
            format!("Fill the missing texts: `{was}.fillna(\"\").astype(str)`"),
            format!("A number among the texts of `{was}` is mostly NaN, a missing one; this makes it an empty text, and other numbers texts."),
        ),
        vec![spot.editor().append(value, ".fillna(\"\").astype(str)")],
    )
}

/// A table where a recurrent or convolutional layer expects time steps.
fn steps(case: &Case<'_>) -> Option<Cure> {
    let np = case.alias_of("numpy")?;
    let spot = case.spot()?;
    let call = only(
        spot.calls()
            .filter(|c| matches!(callee(c), Some("fit" | "predict" | "evaluate"))),
    )?;
    // The previous layer only returns its last step.
    let width = shapes(case.message())
        .into_iter()
        .last()
        .and_then(|s| s.last().copied());
    let scan = Scan::of(case);
    let recurrent = ["LSTM", "GRU", "SimpleRNN"];
    let below: Vec<_> = scan
        .named(&recurrent)
        .filter(|f| f.argument(0, "units").and_then(|e| scan.value(f, e)) == width)
        .collect();
    if !below.is_empty() {
        let f = only(
            below
                .into_iter()
                .filter(|f| keyword(f.call, "return_sequences").is_none()),
        )?;
        let python = case.python(f.cell)?;
        return case.edits(
            said(
                "return-sequences",
                Basis::Library,
                format!("Add `return_sequences=True` to `{}`", one_line(python.slice(f.call))),
                "The recurrent layer above it wants every step; without it the layer gives only the last one.",
            ),
            vec![Editor::new(f.cell, python).add(f.call, "return_sequences=True")],
        );
    }
    let mut changes = Vec::new();
    let x = argument(call, 0, "x").filter(|x| x.is_name_expr())?;
    let make = |t: &str| format!("{np}.expand_dims({t}, -1)");
    changes.push(Change::replace(spot.cell, x, make(spot.text(x))));
    if let Some(t) = keyword(call, "validation_data").and_then(|k| k.value.as_tuple_expr()) {
        let first = t.elts.first().filter(|e| e.is_name_expr())?;
        changes.push(Change::replace(spot.cell, first, make(spot.text(first))));
    }
    let shape = quoted_after(case.message(), "layer ").unwrap_or("the layer");
    case.edits(
        said(
            "add-steps",
            Basis::Assumed,
            format!("Give each value an axis of its own: `{}`", make(spot.text(x))),
            format!("`{shape}` wants (samples, steps, values), and `{}` has two axes: this takes its columns as steps of one value. If they are the values of one step, it is `{np}.expand_dims({}, 1)`.", spot.text(x), spot.text(x)),
        ),
        changes,
    )
}
