//! Calls on Keras models: arguments that don't fit the data, wrong data types, models that aren't ready.

use crate::case::Case;
use crate::code::{argument, Editor};
use crate::edit::Change;
use crate::find::{callee, look, name, one_line, only, receiver, said, text_of, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, keyword, positional, Ranged};
use nbmedic_wordings::{keras, tensorflow};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if text.contains("rgument(s) not recognized: {") || keras::DEPRECATED_ARGUMENT.is_in(text) {
        out.extend(optimizer(case));
    } else if let Some(argument) = superfluous(text) {
        out.extend(without(case, argument));
    } else if keras::COMPILE_FIRST.is_in(text)
        || keras::CALL_COMPILE.is_in(text)
        || text.contains("model needs to be compiled before")
    {
        out.extend(compiled(case));
    } else if keras::CARDINALITY.is_in(text) {
        out.extend(partner(case));
    } else if keras::DATA_ADAPTER.is_in(text) || text.contains("Unrecognized data type: x=") {
        out.extend(adapted(case));
    } else if tensorflow::AS_DATA.is_in(text) || keras::INVALID_DTYPE.begins(text) {
        out.extend(objects(case));
    } else if text.contains("isn't built") || keras::NOT_BUILT.is_in(text) {
        out.extend(built(case));
    } else if text.contains("non-iterable float object")
        || text.contains("non-iterable numpy.float64")
    {
        out.extend(metrics(case));
    } else if text.contains("must be an instance of class Layer")
        || text.contains("Only instances of `keras.Layer` can be added")
        || text.contains("Could not interpret optimizer identifier: <")
    {
        out.extend(mixed(case));
    }
}

/// `Adam(lr=0.001)`.
fn optimizer(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let has = |c: &&ExprCall| keyword(c, "lr").is_some() || keyword(c, "decay").is_some();
    let call = only(spot.calls().filter(has))?;
    let mut changes = Vec::new();
    let mut said_ = Vec::new();
    if let Some(k) = keyword(call, "lr") {
        changes.push(Change::replace(spot.cell, k.arg.as_ref()?, "learning_rate"));
        said_.push("`lr` has been `learning_rate` since Keras 2.3".to_owned());
    }
    if let Some(k) = keyword(call, "decay") {
        changes.push(spot.editor().remove(call, k));
        said_.push("`decay` is gone: a schedule of `keras.optimizers.schedules` as the learning rate takes its place".to_owned());
    }
    let dropped = said_.len() - usize::from(keyword(call, "lr").is_some());
    let (basis, title) = match (dropped, changes.len()) {
        (0, _) => (Basis::Library, "Rename `lr=` to `learning_rate=`"),
        (_, 1) => (Basis::Assumed, "Drop `decay=`"),
        _ => (
            Basis::Assumed,
            "Rename `lr=` to `learning_rate=`, and drop `decay=`",
        ),
    };
    let title = format!("{title} in `{}`", one_line(spot.text(call)));
    case.edits(
        said(
            "optimizer-arguments",
            basis,
            title,
            format!("{}.", said_.join("; ")),
        ),
        changes,
    )
}

/// An argument that this type of data doesn't allow.
fn superfluous(text: &str) -> Option<&'static str> {
    let gone = [
        ("y", keras::SUPERFLUOUS_Y),
        ("sample_weight", keras::SUPERFLUOUS_SAMPLE_WEIGHT),
        ("batch_size", keras::SUPERFLUOUS_BATCH_SIZE),
        ("validation_split", keras::SUPERFLUOUS_VALIDATION_SPLIT),
    ];
    gone.iter().find(|(_, f)| f.is_in(text)).map(|(a, _)| *a)
}

fn fit<'c>(spot: &Spot<'c>) -> Option<&'c ExprCall> {
    let methods = [
        "fit",
        "evaluate",
        "predict",
        "train_on_batch",
        "fit_generator",
    ];
    let all = spot
        .calls()
        .filter(|c| callee(c).is_some_and(|n| methods.contains(&n)));
    only(all)
}

fn without(case: &Case<'_>, what: &str) -> Option<Cure> {
    let spot = case.spot()?;
    let call = fit(&spot)?;
    // Lists count as multiple inputs of one number each.
    let lists = [
        "[<class 'int'>",
        "[<class 'float'>",
        "[<class 'list'>",
        "[<class 'str'>",
    ];
    if lists.iter().any(|l| case.message().contains(l)) {
        return arrays(case, &spot, call);
    }
    let (range, value) = match keyword(call, what) {
        Some(k) => (k.range(), &k.value),
        None if what == "y" => {
            let y = positional(call, 1)?;
            (y.range(), y)
        }
        None => return None,
    };
    let x = argument(call, 0, "x")?;
    let was = spot.text(value);
    let data = spot.text(x);
    let why = match what {
        "y" => format!("`{data}` gives its targets together with its inputs."),
        "batch_size" => format!("`{data}` gives whole batches already: their size is set where it is made."),
        "validation_split" => format!("Only arrays can be split; from `{data}` take some batches away where it is made, and pass them as `validation_data`."),
        _ => format!("`{data}` gives the weights together with its inputs."),
    };
    let basis = match what {
        "y" | "batch_size" => Basis::Library,
        _ => Basis::Assumed,
    };
    let change = spot.editor().remove(call, range);
    // Positional arguments after it would shift.
    let moved = what == "y" && keyword(call, "y").is_none() && call.arguments.args.len() > 2;
    (!moved).then_some(())?;
    case.edits(
        said(
            "superfluous-argument",
            basis,
            format!(
                "Drop `{}` from `{}`",
                if what == "y" {
                    was.to_owned()
                } else {
                    format!("{what}={was}")
                },
                one_line(spot.text(&*call.func))
            ),
            why,
        ),
        vec![change],
    )
}

/// Lists passed as `x` and `y`: converts them to arrays.
fn arrays(case: &Case<'_>, spot: &Spot<'_>, call: &ExprCall) -> Option<Cure> {
    let np = case.alias_of("numpy")?;
    let named = |n: &str, i: usize| argument(call, i, n).filter(|e| e.is_name_expr());
    let all: Vec<&Expr> = [named("x", 0), named("y", 1)]
        .into_iter()
        .flatten()
        .collect();
    let new = |e: &Expr| format!("{np}.array({})", spot.text(e));
    let shown: Vec<String> = all.iter().map(|e| format!("`{}`", new(e))).collect();
    let changes = all
        .iter()
        .map(|e| Change::replace(spot.cell, *e, new(e)))
        .collect();
    case.edits(
        said(
            "as-array",
            Basis::Library,
            format!("Give it arrays: {}", shown.join(", ")),
            "A list counts as many inputs of one number each; an array is one input, which can be split.",
        ),
        changes,
    )
}

/// The last dense layer of a model, judged by the order in the source.
fn last_dense<'c>(case: &'c Case<'c>, model: &str) -> Option<(usize, &'c ExprCall)> {
    let set = case.last_set(model)?;
    let scan = super::super::shapes::scan::Scan::of(case);
    // In the model's cell, or in the function that creates the model.
    let made = set
        .binding
        .value
        .and_then(Expr::as_call_expr)
        .and_then(callee);
    let all = scan.named(&["Dense"]).filter(|f| match f.function {
        Some(inner) => made == Some(inner.name.as_str()),
        None => f.cell == set.cell,
    });
    let last = all.max_by_key(|f| f.call.start())?;
    Some((last.cell, last.call))
}

fn compiled(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = fit(&spot)?;
    let model = name(receiver(call)?)?;
    // A cell that would do this.
    for at in 0..case.book.cells().len() {
        let Some(python) = case.python(at).filter(|_| at != case.at) else {
            continue;
        };
        let has = calls(python.body())
            .into_iter()
            .any(|c| callee(c) == Some("compile") && receiver(c).and_then(name) == Some(model));
        let ran = case.book.before(case.at).contains(&at);
        if has && !ran {
            let (cell, failing) = (case.position(at), case.position(case.at));
            return Some(Cure {
                id: "run-compile".into(),
                kind: nbmedic_facts::FixKind::Run,
                basis: Basis::Record,
                title: format!("Run cell {cell}, which compiles `{model}`"),
                why: format!("It did not run since `{model}` was made."),
                run: vec![cell, failing],
                cell: Some(cell),
                code: case.book.cells()[at].source.to_owned(),
                language: "python".into(),
                ..Cure::default()
            });
        }
    }
    let stmt = spot.stmt?;
    let (at, dense) = last_dense(case, model)?;
    let python = case.python(at)?;
    let units = argument(dense, 0, "units")?;
    let units = python.slice(units);
    let activation = argument(dense, 1, "activation");
    let activation = activation.and_then(text_of).unwrap_or("");
    let hot = case.seen().into_iter().any(|at| {
        let text = case.book.cells()[at].source;
        [
            "to_categorical",
            "get_dummies",
            "OneHotEncoder",
            "class_mode='categorical'",
            "class_mode=\"categorical\"",
            "label_mode='categorical'",
        ]
        .iter()
        .any(|w| text.contains(w))
    });
    let (loss, why) = match (activation, hot) {
        ("sigmoid", _) => ("binary_crossentropy", "its last layer gives probabilities of yes and no"),
        ("softmax", true) => ("categorical_crossentropy", "its last layer gives a probability for each class, and the labels are one-hot"),
        ("softmax", false) => ("sparse_categorical_crossentropy", "its last layer gives a probability for each class; one-hot labels need `categorical_crossentropy`"),
        ("" | "linear" | "relu", _) if units == "1" => ("mse", "its last layer gives one number"),
        _ => return None,
    };
    let metric = if loss == "mse" { "mae" } else { "accuracy" };
    let line =
        format!("{model}.compile(optimizer=\"adam\", loss=\"{loss}\", metrics=[\"{metric}\"])");
    case.edits(
        said(
            "compile-first",
            Basis::Assumed,
            format!("Compile `{model}` first, with the loss `{loss}`"),
            format!("`{model}` was not compiled. The loss fits it: {why}."),
        ),
        vec![spot.editor().above(stmt, &line)],
    )
}

/// `X_train` with `y_test`: uses the matching targets.
fn partner(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = fit(&spot)?;
    let mut pairs = Vec::new();
    let named = |n: &str, i: usize| argument(call, i, n);
    pairs.extend(named("x", 0).zip(named("y", 1)));
    if let Some(t) = keyword(call, "validation_data").and_then(|k| k.value.as_tuple_expr()) {
        pairs.extend(t.elts.first().zip(t.elts.get(1)));
    }
    for (x, y) in pairs {
        let (Some(xn), Some(yn)) = (name(x), name(y)) else {
            continue;
        };
        let beside = case
            .split_of(xn)
            .and_then(|s| s.beside(xn).map(str::to_owned));
        let wanted = beside.or_else(|| {
            let part = |n: &str| {
                let lower = n.to_lowercase();
                ["train", "test", "valid", "val"]
                    .into_iter()
                    .find(|p| lower.contains(p))
            };
            let (a, b) = (part(xn)?, part(yn)?);
            (a != b).then(|| yn.to_owned().replace(b, a))
        });
        if let Some(wanted) = wanted.filter(|w| w != yn && case.exists(w)) {
            return case.edits(
                said(
                    "its-targets",
                    Basis::Spelled,
                    format!("Use `{wanted}` instead of `{yn}` beside `{xn}`"),
                    format!("`{wanted}` has the targets of the rows of `{xn}`; `{yn}` belongs to other rows."),
                ),
                vec![Change::replace(spot.cell, y, wanted.clone())],
            );
        }
    }
    None
}

/// A list where an array is expected.
fn adapted(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    let spot = case.spot()?;
    let call = fit(&spot)?;
    let np = case.alias_of("numpy")?;
    let named = |n: &str, i: usize| argument(call, i, n);
    let (x, y) = (named("x", 0), named("y", 1));
    let mut lists = Vec::new();
    if let Some((_, rest)) = text.split_once("can handle input: ") {
        // The types of `x` and `y`, in this order. The element types of a list are in braces.
        let (first, second) = match rest.starts_with('(') {
            true => rest.split_once("), ").unwrap_or((rest, "")),
            false => rest.split_once(", ").unwrap_or((rest, "")),
        };
        for (kind, value) in [(first, x), (second, y)] {
            if kind.trim_start_matches('(').starts_with("<class 'list'>") {
                lists.extend(value);
            }
        }
    } else if text.contains("(of type <class 'list'>)") {
        lists.extend(x);
    }
    lists.retain(|e| e.is_name_expr() || e.is_subscript_expr());
    let shown: Vec<String> = lists
        .iter()
        .map(|e| format!("`{np}.array({})`", spot.text(*e)))
        .collect();
    let changes: Vec<Change> = lists
        .iter()
        .map(|e| Change::replace(spot.cell, *e, format!("{np}.array({})", spot.text(*e))))
        .collect();
    case.edits(
        said(
            "as-array",
            Basis::Library,
            format!("Give it arrays: {}", shown.join(", ")),
            "A list counts as several inputs here; an array is one.",
        ),
        changes,
    )
}

/// An array of Python objects.
fn objects(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    let spot = case.spot()?;
    let call = fit(&spot)?;
    let np = case.alias_of("numpy")?;
    let kind = tensorflow::AS_DATA
        .read(text)
        .map_or("object", |[kind]| kind);
    let x = argument(call, 0, "x")?;
    let was = spot.text(x);
    if !(x.is_name_expr() || x.is_attribute_expr() || x.is_subscript_expr()) {
        return None;
    }
    let (make, why): (&dyn Fn(&str) -> String, String) = match kind {
        "numpy.ndarray" | "ndarray" => (
            &|t| format!("{np}.stack({t})"),
            format!("`{was}` is an array of arrays; stacked they are one array, if all have the same shape."),
        ),
        "csr_matrix" | "csc_matrix" => (&|t| format!("{t}.toarray()"), format!("`{was}` is sparse; layers take dense arrays.")),
        "int" | "float" | "bool" | "NoneType" | "object" | "Timestamp" if kind != "Timestamp" => (
            &|t| format!("{np}.asarray({t}).astype(\"float32\")"),
            format!("`{was}` holds Python objects (dtype `object`), among them columns of whole numbers, truth values or text; as `float32` it is one kind. Text that isn't a number has to be encoded before."),
        ),
        _ => return None,
    };
    let mut changes = vec![Change::replace(spot.cell, x, make(was))];
    // The same columns in the validation data.
    if let Some(t) = keyword(call, "validation_data").and_then(|k| k.value.as_tuple_expr()) {
        let first = t.elts.first().filter(|e| e.is_name_expr())?;
        changes.push(Change::replace(spot.cell, first, make(spot.text(first))));
    }
    case.edits(
        said(
            "plain-array",
            Basis::Assumed,
            format!("Use `{}` instead of `{was}`", make(was)),
            why,
        ),
        changes,
    )
}

/// A model whose input shape isn't known yet.
fn built(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let methods = [
        "count_params",
        "summary",
        "get_weights",
        "save",
        "save_weights",
        "load_weights",
    ];
    let call = only(
        spot.calls()
            .filter(|c| callee(c).is_some_and(|n| methods.contains(&n))),
    )?;
    let model = name(receiver(call)?)?;
    let data = [
        "X_train",
        "x_train",
        "X_train_scaled",
        "train_x",
        "train_X",
        "X",
        "x",
    ]
    .into_iter()
    .find(|n| case.last_set(n).is_some());
    let Some(data) = data else {
        return Some(look(
            "build-model",
            format!("Begin `{model}` with an `Input` of the shape of one sample"),
            format!("`{model}` does not know its input before it sees data: until then it has no weights, and `{}` can't tell them.", callee(call)?),
        ));
    };
    let line = format!("{model}.build((None, *{data}.shape[1:]))");
    case.edits(
        said(
            "build-model",
            Basis::Assumed,
            format!("Tell it the input's shape first: `{line}`"),
            format!("`{model}` does not know its input before it sees data; here it gets the shape of `{data}`."),
        ),
        vec![spot.editor().above(spot.stmt?, &line)],
    )
}

/// `loss, accuracy = model.evaluate(…)` of a model without metrics.
fn metrics(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("evaluate")?;
    let assign = spot.stmt?.as_assign_stmt()?;
    let targets = assign.targets.first()?.as_tuple_expr()?;
    let model = name(receiver(call)?)?;
    let mut found = Vec::new();
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        let all = calls(python.body()).into_iter();
        found.extend(
            all.filter(|c| callee(c) == Some("compile") && keyword(c, "metrics").is_none())
                .map(|c| (at, python, c)),
        );
    }
    let (at, python, compile) = only(found.into_iter())?;
    (targets.elts.len() == 2).then_some(())?;
    let second = spot.text(&targets.elts[1]).to_lowercase();
    let metric = ["mae", "mse", "auc"]
        .into_iter()
        .find(|m| second.contains(m))
        .unwrap_or("accuracy");
    case.edits(
        said(
            "add-metrics",
            Basis::Assumed,
            format!("Compile `{model}` with `metrics=[\"{metric}\"]`"),
            format!("Without metrics `evaluate` gives the loss alone, one number: there is nothing for `{}`. The model has to be compiled and trained again.", spot.text(&targets.elts[1])),
        ),
        vec![Editor::new(at, python).set(compile, "metrics", &format!("[\"{metric}\"]"))],
    )
}

/// `keras` and `tensorflow.keras` in one model.
fn mixed(case: &Case<'_>) -> Option<Cure> {
    let mut changes = Vec::new();
    let mut tensorflow = case.alias_of("tensorflow").is_some();
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        nbmedic_python::each_stmt(python.body(), &mut |s| match s {
            nbmedic_python::ast::Stmt::ImportFrom(i) => {
                let Some(module) = &i.module else { return };
                let text = module.as_str();
                tensorflow |= text.starts_with("tensorflow.keras");
                let rest = text
                    .strip_prefix("tensorflow.python.keras")
                    .or_else(|| text.strip_prefix("keras"))
                    .filter(|r| r.is_empty() || r.starts_with('.'));
                if let Some(rest) = rest {
                    changes.push(Change::replace(
                        at,
                        module,
                        format!("tensorflow.keras{rest}"),
                    ));
                }
            }
            nbmedic_python::ast::Stmt::Import(i) => {
                let whole = i.names.len() == 1
                    && i.names[0].name.as_str() == "keras"
                    && i.names[0].asname.is_none();
                if whole {
                    changes.push(Change::replace(at, s, "from tensorflow import keras"));
                }
            }
            _ => {}
        });
    }
    if !tensorflow || changes.is_empty() {
        return None;
    }
    let n = changes.len();
    case.edits(
        said(
            "one-keras",
            Basis::Library,
            format!("Import Keras in one way: `tensorflow.keras`, in {n} {}", if n == 1 { "place" } else { "places" }),
            "`keras` and `tensorflow.keras` may be two installations; what is made by one is unknown to the other.",
        ),
        changes,
    )
}
