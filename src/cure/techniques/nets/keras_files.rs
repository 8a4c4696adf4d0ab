//! Keras files: extensions, formats, and custom classes when they are loaded.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, look, one_line, only, said, text_of, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{each_expr, keyword, positional, Ranged, TextRange, TextSize};
use nbmedic_wordings::keras;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if text.contains("must end in `.weights.h5`") {
        out.extend(ending(case, ".weights.h5"));
    } else if text.contains("must end in `.keras`") || keras::EXTENSION.is_in(text) {
        out.extend(ending(case, ".keras"));
    } else if text.contains("`.keras` files, legacy H5") {
        out.extend(folder(case));
    } else if let Some(name) = unknown(text) {
        out.extend(custom(case, name));
    } else if keras::LAYER_COUNT.is_in(text) {
        out.extend(layers(case));
    }
}

/// Where a file name is written: the literal that ends it, and the call that receives it.
fn file<'c>(
    case: &'c Case<'c>,
    spot: &Spot<'c>,
    given: &'c Expr,
    depth: usize,
) -> Option<(usize, &'c Expr)> {
    if depth > 4 {
        return None;
    }
    match given {
        Expr::StringLiteral(_) | Expr::FString(_) => Some((spot.cell, given)),
        Expr::BinOp(b) => file(case, spot, &b.right, depth + 1),
        Expr::Call(c) => file(case, spot, c.arguments.args.last()?, depth + 1),
        Expr::Name(n) => {
            let (cell, value) = case.value(n.id.as_str())?;
            let inner = Spot {
                cell,
                python: case.python(cell)?,
                stmt: None,
                exprs: Vec::new(),
            };
            file(case, &inner, value, depth + 1)
        }
        _ => None,
    }
}

/// Extensions of other formats.
const ENDINGS: &[&str] = &[
    ".weights.h5",
    ".weights.hdf5",
    ".hdf5",
    ".h5",
    ".keras",
    ".tf",
    ".ckpt",
    ".model",
    ".pth",
    ".pt",
    ".pb",
];

/// The file name with the extension that the format requires.
fn ending(case: &Case<'_>, wanted: &str) -> Option<Cure> {
    let spot = case.spot()?;
    let saves = |c: &&ExprCall| {
        matches!(
            callee(c),
            Some("ModelCheckpoint" | "save" | "save_weights" | "load_weights" | "save_model")
        )
    };
    let call = only(spot.calls().filter(saves))?;
    let index = usize::from(callee(call) == Some("save_model"));
    let given = match keyword(call, "filepath") {
        Some(k) => &k.value,
        None => positional(call, index)?,
    };
    let (cell, literal) = file(case, &spot, given, 0)?;
    let python = case.python(cell)?;
    let was = python.slice(literal);
    let close = was
        .chars()
        .next_back()
        .filter(|c| matches!(c, '"' | '\''))?;
    let inner = was.strip_suffix(close)?;
    let old = ENDINGS
        .iter()
        .find(|e| inner.ends_with(*e))
        .copied()
        .unwrap_or("");
    let base = inner.strip_suffix(old)?.trim_end_matches('/');
    let new = format!("{base}{wanted}{close}");
    let mut changes = vec![Change::replace(cell, literal, new.clone())];
    // The same name where the file is read.
    if let Some(name) = text_of(literal) {
        for at in 0..case.book.cells().len() {
            let Some(other) = case.python(at).filter(|_| name.len() > 3) else {
                continue;
            };
            let reads = |c: &ExprCall| {
                matches!(
                    callee(c),
                    Some("load_weights" | "load_model" | "exists" | "remove" | "getsize")
                )
            };
            each_expr(other.body(), &mut |e| {
                let Some(c) = e.as_call_expr().filter(|c| reads(c)) else {
                    return;
                };
                let same = positional(c, 0).filter(|a| {
                    text_of(a) == Some(name) && (at, a.range()) != (cell, literal.range())
                });
                changes.extend(same.map(|a| Change::replace(at, a, new.clone())));
            });
        }
    }
    let what = match wanted {
        ".keras" => "a model",
        _ => "weights",
    };
    case.edits(
        said(
            "file-ending",
            Basis::Named,
            format!("Name the file {}", one_line(&format!("`{new}`"))),
            format!(
                "Keras 3 takes the format from the ending: {what} {} saved as `{wanted}`.",
                if what == "weights" { "are" } else { "is" }
            ),
        ),
        changes,
    )
}

/// A folder in TensorFlow's SavedModel format, which Keras 3 uses as a layer.
fn folder(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("load_model")?;
    let path = positional(call, 0)?;
    let exported = case.seen().into_iter().any(|at| {
        let all = case.python(at).map(|p| nbmedic_python::calls(p.body()));
        all.unwrap_or_default()
            .into_iter()
            .any(|c| callee(c) == Some("export"))
    });
    let endpoint = if exported { "serve" } else { "serving_default" };
    let prefix = match (case.alias_of("keras"), case.alias_of("tensorflow")) {
        (Some(keras), _) => keras,
        (None, Some(tf)) => format!("{tf}.keras"),
        _ => return None,
    };
    let new = format!(
        "{prefix}.Sequential([{prefix}.layers.TFSMLayer({}, call_endpoint=\"{endpoint}\")])",
        spot.text(path)
    );
    case.edits(
        said(
            "as-layer",
            Basis::Assumed,
            format!("Load the folder as a layer: `{prefix}.layers.TFSMLayer`"),
            format!("A folder is TensorFlow's SavedModel, which Keras 3 can run but not train; `{endpoint}` is its usual entry. A model to train is saved as `.keras`."),
        ),
        vec![Change::replace(spot.cell, call, new)],
    )
}

/// The name of a class or function that a file needs.
fn unknown(text: &str) -> Option<&str> {
    let [name] = keras::UNKNOWN_OBJECT
        .read(text)
        .or_else(|| keras::UNKNOWN_LAYER.read(text))
        .or_else(|| keras::UNKNOWN_PART.read(text))?;
    name.split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
        .filter(|n| !n.is_empty())
}

/// Names of Keras's own losses and metrics, which old files store as strings.
const OWN: &[&str] = &[
    "mse",
    "mae",
    "mape",
    "msle",
    "mean_squared_error",
    "mean_absolute_error",
    "accuracy",
    "acc",
];

fn custom(case: &Case<'_>, name: &str) -> Option<Cure> {
    let spot = case.spot()?;
    let load = |c: &&ExprCall| {
        matches!(
            callee(c),
            Some("load_model" | "model_from_json" | "model_from_config" | "clone_model")
        )
    };
    let call = only(spot.calls().filter(load))?;
    if OWN.contains(&name) && callee(call) == Some("load_model") {
        return case.edits(
            said(
                "without-compiling",
                Basis::Library,
                "Load it without loss and metrics: `compile=False`",
                format!("The file names `{name}` in a way that this Keras does not read. For predictions it is not needed; to train on, call `compile` again."),
            ),
            vec![spot.editor().set(call, "compile", "False")],
        );
    }
    let defined = case.set_before(name).into_iter().next();
    let top = defined.filter(|s| s.binding.function.is_none());
    if top.is_none() {
        let inner = case.seen().into_iter().find_map(|at| {
            let python = case.python(at)?;
            let mut line = None;
            nbmedic_python::each_stmt(python.body(), &mut |s| {
                let own = match s {
                    Stmt::ClassDef(c) => c.name.as_str() == name,
                    Stmt::FunctionDef(f) => f.name.as_str() == name,
                    _ => false,
                };
                if own {
                    line = Some(python.line_of(s.start()));
                }
            });
            line.map(|line| (case.position(at), line))
        });
        // TensorFlow Hub's layer: the message tables name its module.
        if inner.is_none() && name == "KerasLayer" {
            return None;
        }
        let call = one_line(spot.text(&*call.func));
        return Some(match inner {
            Some((cell, line)) => look(
                "name-custom",
                format!("Define `{name}` at the top level, and load with `custom_objects={{\"{name}\": {name}}}`"),
                format!("The file needs `{name}`, which cell {cell} defines within a function (line {line}): `{call}` can't find it there."),
            ),
            None => look(
                "name-custom",
                format!("Run the definition of `{name}` before `{call}`, and pass `custom_objects={{\"{name}\": {name}}}`"),
                format!("The file needs `{name}`, which is not Keras's own and which no cell that ran defines."),
            ),
        });
    }
    let objects = format!("{{\"{name}\": {name}}}");
    // An existing dict receives one more entry.
    if let Some(k) = keyword(call, "custom_objects") {
        let dict = k.value.as_dict_expr()?;
        if dict
            .items
            .iter()
            .any(|i| i.key.as_ref().and_then(text_of) == Some(name))
        {
            return None;
        }
        let start = dict.range().start() + TextSize::new(1);
        let comma = if dict.items.is_empty() { "" } else { ", " };
        return case.edits(
            said(
                "name-custom",
                Basis::Source,
                format!("Name `{name}` in `custom_objects`, too"),
                format!("The file needs `{name}`, which is your own."),
            ),
            vec![Change::replace(
                spot.cell,
                TextRange::empty(start),
                format!("\"{name}\": {name}{comma}"),
            )],
        );
    }
    case.edits(
        said(
            "name-custom",
            Basis::Source,
            format!("Name your own `{name}` when loading: `custom_objects={objects}`"),
            format!("The file holds only the name `{name}`; Keras looks it up among its own."),
        ),
        vec![spot.editor().set(call, "custom_objects", &objects)],
    )
}

/// `Layer count mismatch when loading weights from file. Model expected 13 layers, found 16 saved layers.`
fn layers(case: &Case<'_>) -> Option<Cure> {
    let [wants, found] = keras::LAYER_COUNT.numbers(case.message())?;
    let spot = case.spot()?;
    let call = spot.call("load_weights")?;
    let model = one_line(spot.text(crate::find::receiver(call)?));
    let path = positional(call, 0).map_or("the file", |p| spot.text(p));
    let made = case
        .last_set(&model)
        .and_then(|s| s.binding.value)
        .and_then(Expr::as_call_expr)
        .and_then(callee)
        .map(str::to_owned);
    let made = made.map_or(String::new(), |m| format!(" `{model}` is made by `{m}`."));
    let why = format!("`{model}` has {wants} layers with weights, the file {found}: it was saved from another model.{made}");
    if let Some((other, cell)) = only(
        stacks(case)
            .into_iter()
            .filter(|(n, _, c)| *n != model && *c == found),
    )
    .map(|(n, cell, _)| (n, cell))
    {
        return Some(look(
            "other-layers",
            format!("Load {path} into `{other}`, which has {found} such layers, and build `{model}` on it"),
            format!("{why} `{other}` is built in cell {}.", case.position(cell)),
        ));
    }
    Some(look(
        "other-layers",
        format!("Build `{model}` with the {found} layers of {path}"),
        format!("{why} To take over the layers of the same name only, `by_name=True, skip_mismatch=True` reads an `.h5` file."),
    ))
}

/// Layers with weights.
const WEIGHTED: &[&str] = &[
    "Dense",
    "Conv1D",
    "Conv2D",
    "Conv3D",
    "Convolution2D",
    "Conv2DTranspose",
    "SeparableConv2D",
    "DepthwiseConv2D",
    "Embedding",
    "LSTM",
    "GRU",
    "SimpleRNN",
    "Bidirectional",
    "BatchNormalization",
];

/// Models built layer by layer: the name, the cell, and the number of layers with weights.
fn stacks(case: &Case<'_>) -> Vec<(String, usize, i64)> {
    let mut out: Vec<(String, usize, i64)> = Vec::new();
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        for call in nbmedic_python::calls(python.body()) {
            let model = crate::find::receiver(call).and_then(crate::find::name);
            let layer = positional(call, 0)
                .and_then(Expr::as_call_expr)
                .and_then(callee);
            let (Some(model), Some(layer), Some("add")) = (model, layer, callee(call)) else {
                continue;
            };
            let one = i64::from(WEIGHTED.contains(&layer));
            match out.iter_mut().find(|(n, c, _)| n == model && *c == at) {
                Some(found) => found.2 += one,
                None => out.push((model.to_owned(), at, one)),
            }
        }
    }
    out
}
