//! Lightning, torchmetrics, torchvision's heads, and samples that a dataset looks up.

use super::super::shapes::scan::{head, Scan};
use crate::case::Case;
use crate::code::{argument, Editor};
use crate::edit::Change;
use crate::find::{callee, look, name, one_line, only, said, tight};
use crate::known::{class_around, function_around};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt, StmtClassDef};
use nbmedic_python::{each_expr, each_stmt, keyword, name_of, Ranged};
use nbmedic_wordings::{lightning, peft, python, transformers};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if transformers::TRAINER_ARGUMENT.is_in(text)
        || case.imports("pytorch_lightning")
            && text.contains("__init__() got an unexpected keyword argument 'gpus'")
    {
        out.extend(trainer(case));
    } else if text.contains("missing 1 required positional argument: 'task'") {
        out.extend(task(case));
    } else if lightning::EPOCH_END.read(text).is_some() {
        out.extend(epoch_end(case));
    } else if text.contains("__init__() missing 1 required positional argument: 'device_type'") {
        out.extend(autocast(case));
    } else if text.contains("has no attribute 'classifier'")
        || text.contains("has no attribute 'fc'")
        || text.contains("has no attribute 'head'")
        || text.contains("has no attribute 'heads'")
    {
        out.extend(last_layer(case));
    } else if case.class() == "KeyError"
        && text.chars().all(|c| c.is_ascii_digit())
        && !text.is_empty()
    {
        out.extend(by_position(case));
    } else if transformers::NO_LOSS.is_in(text) {
        out.extend(no_loss(case));
    } else if text.contains("No `configure_optimizers()` method defined") {
        out.extend(optimizer(case));
    } else if lightning::CONDITIONED_ON.is_in(text) || lightning::MONITORED_KEY.is_in(text) {
        out.extend(monitored(case, text));
    } else if text.contains("modules were targeted for adaptation")
        || peft::TARGET_MODULES.is_in(text)
    {
        out.extend(adapted(case));
    }
}

/// The only Lightning module class, with its cell.
fn module<'c>(case: &'c Case<'c>) -> Option<(usize, &'c nbmedic_python::Cell, &'c StmtClassDef)> {
    let mut found = Vec::new();
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        each_stmt(python.body(), &mut |s| {
            let class = s.as_class_def_stmt().filter(|c| {
                let bases = c.arguments.as_ref().map_or(&[][..], |a| &a.args);
                let mut names = bases.iter().filter_map(name_of);
                names.any(|b| b.ends_with("LightningModule"))
            });
            found.extend(class.map(|c| (at, python, c)));
        });
    }
    only(found.into_iter())
}

fn has_method(class: &StmtClassDef, wanted: &str) -> bool {
    let mut all = class.body.iter().filter_map(Stmt::as_function_def_stmt);
    all.any(|f| f.name.as_str() == wanted)
}

/// A module without an optimizer.
fn optimizer(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, class) = module(case)?;
    if has_method(class, "configure_optimizers") || !has_method(class, "training_step") {
        return None;
    }
    let torch = case.alias_of("torch")?;
    let line = format!("return {torch}.optim.Adam(self.parameters(), lr=1e-3)");
    let last = class.body.last()?;
    let text = format!("def configure_optimizers(self):\n    {line}");
    case.edits(
        said(
            "add-optimizer",
            Basis::Assumed,
            format!("Give `{}` an optimizer: `configure_optimizers`", class.name),
            "Lightning trains with what this method gives. Adam with a rate of 0.001 is a common start; the rate is yours to choose.",
        ),
        vec![Editor::new(cell, python).below(last, &text)],
    )
}

/// A callback that monitors a metric that is never logged: suggests a logged one of the same kind.
fn monitored(case: &Case<'_>, message: &str) -> Option<Cure> {
    let quotes = |c: char| matches!(c, '`' | '\'');
    let (wanted, there) = match lightning::CONDITIONED_ON.read(message) {
        Some([wanted]) => (wanted, message.split_once("the following: ")?.1),
        None => lightning::MONITORED_KEY.read(message)?.into(),
    };
    let there = there.split(quotes).skip(1).step_by(2);
    let there: Vec<&str> = there.filter(|n| !matches!(*n, "epoch" | "step")).collect();
    // With a validation step, the metric should be logged there.
    let (_, _, class) = module(case)?;
    if has_method(class, "validation_step") {
        return None;
    }
    let kind = |n: &str| n.rsplit(['_', '/']).next().unwrap_or(n).to_owned();
    let new = only(there.iter().filter(|n| kind(n) == kind(wanted)))?;
    let mut changes = Vec::new();
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        for call in nbmedic_python::calls(python.body()) {
            if matches!(callee(call), Some("EarlyStopping" | "ModelCheckpoint")) {
                let given = argument(call, 0, "monitor");
                let is = |e: &&Expr| crate::find::text_of(e) == Some(wanted);
                let value = crate::find::quoted(new);
                changes.extend(given.filter(is).map(|e| Change::replace(at, e, value)));
            }
        }
    }
    case.edits(
        said(
            "logged-metric",
            Basis::Assumed,
            format!("Watch what is logged: `{new}` instead of `{wanted}`"),
            format!("`{}` has no `validation_step`, so nothing logs `{wanted}`. Better than the training's own value is one on data that it has not seen: log `{wanted}` in a `validation_step`, and pass a loader for it.", class.name),
        ),
        changes,
    )
}

/// PEFT: names of layers that this model lacks.
fn adapted(case: &Case<'_>) -> Option<Cure> {
    let mut found = Vec::new();
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        let all = nbmedic_python::calls(python.body()).into_iter();
        let all = all.filter(|c| callee(c).is_some_and(|n| n.ends_with("Config")));
        found.extend(all.filter_map(|c| Some((at, python, &keyword(c, "target_modules")?.value))));
    }
    let (cell, python, value) = only(found.into_iter())?;
    let was = one_line(python.slice(value));
    case.edits(
        said(
            "all-linear",
            Basis::Assumed,
            "Adapt all linear layers: `target_modules=\"all-linear\"`",
            format!("This model has no layers of these names, {was}. `all-linear` takes all but the output layer, whatever they are called (PEFT 0.8 or newer); `print(model)` shows the names, to choose fewer."),
        ),
        vec![Change::replace(cell, value, "\"all-linear\"")],
    )
}

/// Arguments of Lightning's trainer removed in 2.0.
const GONE: &[&str] = &[
    "progress_bar_refresh_rate",
    "weights_summary",
    "auto_lr_find",
    "auto_scale_batch_size",
    "replace_sampler_ddp",
    "terminate_on_nan",
    "checkpoint_callback",
    "flush_logs_every_n_steps",
    "amp_backend",
    "auto_select_gpus",
    "move_metrics_to_cpu",
    "multiple_trainloader_mode",
    "track_grad_norm",
];

fn trainer(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = only(spot.calls().filter(|c| callee(c) == Some("Trainer")))?;
    let mut changes = Vec::new();
    let mut words = Vec::new();
    let mut all: Vec<_> = call.arguments.keywords.iter().collect();
    all.sort_by_key(|k| k.start());
    for k in all {
        let Some(n) = k.arg.as_ref().map(nbmedic_python::ast::Identifier::as_str) else {
            continue;
        };
        let value = spot.text(&k.value);
        match n {
            "gpus" => {
                let new = match value {
                    "0" | "None" => "accelerator=\"cpu\"".to_owned(),
                    "-1" => "accelerator=\"gpu\", devices=\"auto\"".to_owned(),
                    _ => format!("accelerator=\"gpu\", devices={value}"),
                };
                words.push(format!("`{n}={value}` became `{new}`"));
                changes.push(Change::replace(spot.cell, k, new));
            }
            "tpu_cores" => {
                words.push(format!(
                    "`{n}={value}` became `accelerator=\"tpu\", devices={value}`"
                ));
                changes.push(Change::replace(
                    spot.cell,
                    k,
                    format!("accelerator=\"tpu\", devices={value}"),
                ));
            }
            _ if GONE.contains(&n) => {
                words.push(format!("`{n}` is gone"));
                changes.push(spot.editor().remove(call, k));
            }
            _ => {}
        }
    }
    case.edits(
        said(
            "trainer-arguments",
            Basis::Assumed,
            format!(
                "Give `{}` the arguments of Lightning 2",
                one_line(spot.text(&*call.func))
            ),
            format!("In Lightning 2.0 {}.", words.join(", ")),
        ),
        changes,
    )
}

/// The number of outputs of the last linear layer, if known.
fn classes(case: &Case<'_>) -> Option<i64> {
    let scan = Scan::of(case);
    let last = scan
        .named(&["Linear"])
        .max_by_key(|f| (f.cell, f.call.start()))?;
    scan.value(&last, last.argument(1, "out_features")?)
}

fn task(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let of = |c: &&ExprCall| {
        keyword(c, "task").is_none()
            && case
                .path_of(&c.func)
                .is_some_and(|p| p.starts_with("torchmetrics"))
    };
    let call = only(spot.calls().filter(of))?;
    let given = keyword(call, "num_classes").map(|k| spot.text(&k.value).to_owned());
    let count = given
        .clone()
        .or_else(|| classes(case).map(|n| n.to_string()));
    let shown = one_line(spot.text(call));
    let why = "Since torchmetrics 0.11 one class stands for all tasks, and asks which it is: `binary`, `multiclass` or `multilabel`.";
    let text = match (count.as_deref(), given.is_some()) {
        (Some("1"), _) => "task=\"binary\"".to_owned(),
        (Some(_), true) => "task=\"multiclass\"".to_owned(),
        (Some(n), false) => format!("task=\"multiclass\", num_classes={n}"),
        (None, _) => {
            return Some(look(
                "metric-task",
                format!(
                    "Add `task=\"multiclass\", num_classes=…` or `task=\"binary\"` to `{shown}`"
                ),
                why,
            ))
        }
    };
    case.edits(
        said(
            "metric-task",
            Basis::Assumed,
            format!("Add `{text}` to `{shown}`"),
            why,
        ),
        vec![spot.editor().add(call, &text)],
    )
}

/// `validation_epoch_end(self, outputs)`.
fn epoch_end(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    let old = text.split('`').nth(1)?;
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let mut found = None;
        each_stmt(python.body(), &mut |s| {
            if let Stmt::FunctionDef(f) = s {
                found = (f.name.as_str() == old).then_some(f).or(found);
            }
        });
        let Some(f) = found else { continue };
        let outputs = f.parameters.iter_non_variadic_params().nth(1)?;
        let name = outputs.parameter.name.as_str();
        let mut used = false;
        each_expr(&f.body, &mut |e| used |= crate::find::name(e) == Some(name));
        let new = format!("on_{old}");
        if used {
            let step = old.replace("_epoch_end", "_step");
            return Some(look(
                "epoch-end",
                format!("Rename `{old}(self, {name})` to `{new}(self)`, and collect `{name}` yourself (line {})", python.line_of(f.start())),
                format!("Lightning 2 passes nothing: set `self.{name} = []` in `__init__`, append the result at the end of `{step}`, read `self.{name}` here, and clear it at the end."),
            ));
        }
        let first = f.parameters.iter_non_variadic_params().next()?;
        let gone = nbmedic_python::TextRange::new(first.end(), outputs.end());
        return case.edits(
            said(
                "epoch-end",
                Basis::Library,
                format!("Rename `{old}` to `{new}`, without `{name}`"),
                "Lightning 2 calls the hook of this name, and passes nothing.",
            ),
            vec![
                Change::replace(cell, &f.name, new),
                Change::replace(cell, gone, ""),
            ],
        );
    }
    None
}

fn autocast(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("autocast")?;
    let open = call.arguments.range().start() + nbmedic_python::TextSize::new(1);
    let comma = if call.arguments.is_empty() { "" } else { ", " };
    case.edits(
        said(
            "device-type",
            Basis::Assumed,
            "Name the device: `autocast(\"cuda\")`",
            "`torch.amp.autocast` serves every kind of device, and asks for which.",
        ),
        vec![Change::replace(
            spot.cell,
            nbmedic_python::TextRange::empty(open),
            format!("\"cuda\"{comma}"),
        )],
    )
}

/// The names of the last layers in torchvision's networks.
const HEADS: &[(&str, &str)] = &[
    ("ResNet", "fc"),
    ("GoogLeNet", "fc"),
    ("Inception3", "fc"),
    ("ShuffleNetV2", "fc"),
    ("RegNet", "fc"),
    ("VGG", "classifier[6]"),
    ("AlexNet", "classifier[6]"),
    ("MobileNetV2", "classifier[1]"),
    ("MobileNetV3", "classifier[3]"),
    ("EfficientNet", "classifier[1]"),
    ("MNASNet", "classifier[1]"),
    ("ConvNeXt", "classifier[2]"),
    ("DenseNet", "classifier"),
    ("SwinTransformer", "head"),
    ("VisionTransformer", "heads.head"),
];

fn last_layer(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    let [class, wrong] = python::ATTRIBUTE.read(text)?;
    let (_, right) = HEADS.iter().find(|(c, _)| *c == class)?;
    let timm = case.imports("timm") && !case.imports("torchvision");
    let spot = case.spot()?;
    let mut model = None;
    for a in spot.attributes(wrong) {
        model = model.or_else(|| name_of(&a.value));
    }
    let model = model.filter(|_| !timm)?;
    let mut changes = Vec::new();
    each_expr(spot.python.body(), &mut |e| {
        if let Expr::Attribute(a) = e {
            if a.attr.as_str() == wrong && name_of(&a.value).as_deref() == Some(model.as_str()) {
                changes.push(Change::replace(spot.cell, &a.attr, *right));
            }
        }
    });
    // `model.fc[0]`: a different structure, not just a different name.
    let deeper = spot.text(spot.stmt?).contains(&format!("{wrong}["));
    (!deeper).then_some(())?;
    case.edits(
        said(
            "last-layer",
            Basis::Library,
            format!("Use `{model}.{right}` instead of `{model}.{wrong}`"),
            format!("The last layer of torchvision's `{class}` is `{right}`."),
        ),
        changes,
    )
}

/// `self.labels[idx]` in a dataset: a pandas column is indexed by label, not by position.
fn by_position(case: &Case<'_>) -> Option<Cure> {
    let frame = case.innermost()?;
    let python = case.python(frame.cell)?;
    let stmt = case.statement(frame)?;
    let f = function_around(python, stmt)?;
    let index = f
        .parameters
        .iter_non_variadic_params()
        .nth(1)?
        .parameter
        .name
        .as_str();
    if f.name.as_str() != "__getitem__" || !case.imports("pandas") && !case.imports("sklearn") {
        return None;
    }
    class_around(python, f.range())?;
    let mut found: Vec<&Expr> = Vec::new();
    for e in crate::find::head_exprs(stmt) {
        if let Expr::Subscript(s) = e {
            let plain = matches!(&*s.value, Expr::Attribute(_) | Expr::Subscript(_));
            if name(&s.slice) == Some(index) && plain {
                found.push(&s.value);
            }
        }
    }
    found.retain(|e| {
        let text = python.slice(*e);
        ![".iloc", ".values", ".loc"]
            .iter()
            .any(|end| text.ends_with(end))
    });
    let of = only(found.into_iter())?;
    let text = python.slice(of);
    case.edits(
        said(
            "by-position",
            Basis::Assumed,
            format!("Look it up by position: `{}.iloc[{index}]`", tight(python, of)),
            format!("After a split or filter the rows of `{text}` keep their old index, in which {} is missing; a loader asks for positions from 0.", case.message()),
        ),
        vec![Change::after(frame.cell, of, ".iloc")],
    )
}

/// Training in Transformers without labels.
fn no_loss(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    let (_, rest) = text.split_once("inputs it received are ")?;
    let received = rest.trim_end_matches('.').trim();
    (!received.contains("labels")).then_some(())?;
    let mut renamed = None;
    for at in case.seen() {
        let source = case.book.cells()[at].source;
        for column in ["label", "target", "class", "y"] {
            if source.contains(&format!("[\"{column}\"]"))
                || source.contains(&format!("['{column}']"))
            {
                renamed = renamed.or(Some(column));
            }
        }
    }
    // Without a hint of the column's current name, only its required name is certain.
    let how = renamed.map_or_else(String::new, |column| {
        format!(": `data = data.rename_column(\"{column}\", \"labels\")`")
    });
    let trainer = case.spot()?.call("train").map(head).is_some();
    trainer.then(|| {
        look(
            "labels-column",
            format!("Give the training a column `labels`{how}"),
            format!("The model computes a loss only from `labels`; it received {received}. Columns that its `forward` does not name are dropped before."),
        )
    })
}
