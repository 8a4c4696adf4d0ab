//! PyTorch checkpoints: a different device, rejected objects, and mismatched keys or shapes.

use super::super::shapes::scan::{head, Scan};
use super::super::shapes::text::shape;
use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{callee, look, name, one_line, only, receiver, said, tight};
use crate::written::listed;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{calls, keyword, positional, Cell};
use nbmedic_wordings::torch;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if torch::CUDA_OBJECT.is_in(text) {
        out.extend(map_location(case));
    } else if torch::WEIGHTS_ONLY.is_in(text) {
        out.extend(trusted(case));
    } else if text.contains("rror(s) in loading state_dict") {
        out.extend(keys(case).or_else(|| sizes(case)));
    } else if torch::PARAMETER_GROUPS.is_in(text) {
        out.extend(optimizer(case));
    }
}

/// The user's `torch.load` call.
fn loaded<'c>(case: &'c Case<'c>) -> Option<(usize, &'c Cell, &'c ExprCall)> {
    let spot = case.spot()?;
    let is_load = |c: &&ExprCall| case.path_of(&c.func).is_some_and(|p| p == "torch.load");
    let call = only(spot.calls().filter(is_load))?;
    Some((spot.cell, spot.python, call))
}

fn map_location(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, call) = loaded(case)?;
    if call.arguments.args.len() > 1 {
        return None;
    }
    // A device that the notebook chose by availability.
    let chosen = ["device", "DEVICE"].into_iter().find(|n| {
        case.value(n).is_some_and(|(at, v)| {
            let text = case.python(at).map_or("", |p| p.slice(v));
            text.contains("is_available") || text.contains("cpu")
        })
    });
    let value = chosen.unwrap_or("\"cpu\"");
    case.edits(
        said(
            "map-location",
            Basis::Named,
            format!("Load the weights where they can be used: `map_location={value}`"),
            "The file says that its tensors lay on a GPU that this machine does not have.",
        ),
        vec![Editor::new(cell, python).set(call, "map_location", value)],
    )
}

/// Since PyTorch 2.6, only tensors are loaded by default.
fn trusted(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, call) = loaded(case)?;
    let file = positional(call, 0).map(|e| python.slice(e));
    let own = case.seen().into_iter().any(|at| {
        let Some(python) = case.python(at) else {
            return false;
        };
        let saves = calls(python.body()).into_iter().filter(|c| {
            callee(c) == Some("save") && case.path_of(&c.func).is_some_and(|p| p == "torch.save")
        });
        saves
            .filter_map(|c| positional(c, 1))
            .any(|e| Some(python.slice(e)) == file)
    });
    let (basis, why) = match own {
        true => (
            Basis::Source,
            "The file holds whole objects, which `torch.load` refuses since PyTorch 2.6. This notebook wrote the file.",
        ),
        false => (
            Basis::Assumed,
            "The file holds whole objects, which `torch.load` refuses since PyTorch 2.6. Loading them can run code: only if you trust where the file comes from.",
        ),
    };
    case.edits(
        said(
            "weights-only",
            basis,
            "Load the objects, too: `weights_only=False`",
            why,
        ),
        vec![Editor::new(cell, python).set(call, "weights_only", "False")],
    )
}

/// Keys under which training loops save the model's weights.
const CONTAINERS: &[&str] = &[
    "model_state_dict",
    "state_dict",
    "model_state",
    "model_weights",
    "model",
    "net",
    "weights",
    "params",
];

/// The names in the line of a list.
fn named(list: Option<&str>) -> Vec<String> {
    let line = list.and_then(|l| l.lines().next());
    let all = line.map(listed).unwrap_or_default();
    all.into_iter().map(str::to_owned).collect()
}

/// The prefix that every key of one list has in the other.
fn prefix(short: &[String], long: &[String]) -> Option<String> {
    let first = short.first()?;
    let found = long.iter().filter_map(|l| l.strip_suffix(first.as_str()));
    let found = found.filter(|p| p.ends_with('.')).min_by_key(|p| p.len())?;
    let all = short.iter().all(|s| {
        long.iter()
            .any(|l| l.strip_prefix(found) == Some(s.as_str()))
    });
    all.then(|| found.to_owned())
}

fn few(all: &[String]) -> String {
    let shown: Vec<String> = all.iter().take(3).map(|k| format!("`{k}`")).collect();
    match all.len() {
        n if n > 3 => format!("{} and {} more", shown.join(", "), n - 3),
        _ => shown.join(", "),
    }
}

fn keys(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    let missing = named(torch::MISSING_KEYS.behind(text));
    let unexpected = named(torch::UNEXPECTED_KEYS.behind(text));
    if missing.is_empty() && unexpected.is_empty() {
        return None;
    }
    let spot = case.spot()?;
    let call = spot.call("load_state_dict")?;
    let state = positional(call, 0)?;
    let model = receiver(call)?;
    let was = tight(spot.python, state);
    let shown = one_line(spot.text(model));
    let replace = |basis, title: String, why: String, text: String| {
        let change = Change::replace(spot.cell, state, text);
        case.edits(said("state-keys", basis, title, why), vec![change])
    };
    let container = CONTAINERS
        .iter()
        .find(|c| unexpected.iter().any(|u| u == *c));
    if let (Some(key), false) = (container, missing.is_empty()) {
        let text = format!("{was}[\"{key}\"]");
        let why = format!(
            "The file is a dict of a training run, with the weights under `{key}` beside {}.",
            few(&unexpected
                .iter()
                .filter(|u| u != key)
                .cloned()
                .collect::<Vec<_>>())
        );
        return replace(
            Basis::Named,
            format!("Load `{}`", one_line(&text)),
            why,
            text,
        );
    }
    if let Some(prefix) = prefix(&missing, &unexpected) {
        let text = format!(
            "{{key.replace(\"{prefix}\", \"\", 1): value for key, value in {was}.items()}}"
        );
        let how = match prefix.as_str() {
            "module." => ", as `DataParallel` saves them",
            "_orig_mod." => ", as a compiled model saves them",
            _ => "",
        };
        let why =
            format!("Every key of the file starts with `{prefix}`{how}; those of `{shown}` don't.");
        return replace(
            Basis::Named,
            format!("Take `{prefix}` off the keys of the file"),
            why,
            text,
        );
    }
    if let Some(prefix) = prefix(&unexpected, &missing) {
        let why = format!("The keys of `{shown}` start with `{prefix}`, those of the file don't.");
        if ["module.", "_orig_mod."].contains(&prefix.as_str()) {
            let inner = prefix.trim_end_matches('.');
            return case.edits(
                said(
                    "state-keys",
                    Basis::Named,
                    format!("Load them into the model inside: `{shown}.{inner}`"),
                    why,
                ),
                vec![spot.editor().append(model, format!(".{inner}"))],
            );
        }
        let text = format!("{{\"{prefix}\" + key: value for key, value in {was}.items()}}");
        return replace(
            Basis::Assumed,
            format!("Put `{prefix}` before the keys of the file"),
            why,
            text,
        );
    }
    let mut why = String::new();
    if !unexpected.is_empty() {
        why += &format!("The file has {}, which `{shown}` lacks. ", few(&unexpected));
    }
    if !missing.is_empty() {
        why += &format!("`{shown}` has {}, which the file lacks. ", few(&missing));
    }
    Some(look(
        "state-keys",
        format!("Build `{shown}` with the layers that were saved"),
        why.trim_end().to_owned(),
    ))
}

/// Class counts of published weights.
const PUBLISHED: &[i64] = &[
    1000, 21_841, 21_843, 11_221, 91, 80, 21, 400, 600, 601, 174, 101,
];

/// Weights with mismatched shapes: the key, and the shapes in the file and in the model.
fn mismatches(text: &str) -> Vec<(&str, Vec<i64>, Vec<i64>)> {
    let all = text.lines().filter_map(|line| {
        let [key, saved, now] = torch::WEIGHT_SIZE.read(line)?;
        Some((key, shape(saved)?, shape(now)?))
    });
    all.take(400).collect()
}

fn layer(key: &str) -> &str {
    key.rsplit_once('.').map_or(key, |(l, _)| l)
}

fn sizes(case: &Case<'_>) -> Option<Cure> {
    let all = mismatches(case.message());
    let (first, saved, now) = all.first()?;
    let spot = case.spot()?;
    let call = spot.call("load_state_dict")?;
    let state = positional(call, 0)?;
    let model = receiver(call)?;
    let one = all.iter().all(|(k, _, _)| layer(k) == layer(first));
    // One size that differs in the same way everywhere.
    let mut pairs: Vec<(i64, i64)> = all
        .iter()
        .flat_map(|(_, s, n)| s.iter().copied().zip(n.iter().copied()))
        .filter(|(s, n)| s != n)
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let shown = one_line(spot.text(model));
    let pair = match pairs[..] {
        [pair] => pair,
        _ => (*saved.first()?, *now.first()?),
    };
    let head = one && all.iter().all(|(_, s, n)| s.get(1..) == n.get(1..));
    let words = format!("`{first}` is {saved:?} in the file and {now:?} in `{shown}`.");
    if head && PUBLISHED.contains(&pair.0) {
        let layer = layer(first);
        let was = tight(spot.python, state);
        let text = format!(
            "{{key: value for key, value in {was}.items() if not key.startswith(\"{layer}.\")}}"
        );
        let changes = vec![
            Change::replace(spot.cell, state, text),
            spot.editor().set(call, "strict", "False"),
        ];
        return case.edits(
            said(
                "new-head",
                Basis::Assumed,
                format!("Load all but `{layer}`, which keeps its own {} outputs", pair.1),
                format!("{words} The other layers fit; `{layer}` is trained anew. To use the saved {} classes as they are, build the model with {}.", pair.0, pair.0),
            ),
            changes,
        );
    }
    if pairs.len() == 1 {
        if let Some(cure) = name(model).and_then(|m| built(case, m, pair, &words)) {
            return Some(cure);
        }
    }
    let more = match all.len() {
        1 => String::new(),
        n => format!(" {} more differ.", n - 1),
    };
    Some(look(
        "saved-size",
        format!(
            "Build `{shown}` with {} instead of {}, as it was saved",
            pair.0, pair.1
        ),
        format!("{words}{more}"),
    ))
}

/// Builds the model with the saved size: `net = Net(width=64)` → `Net(width=128)`.
fn built(case: &Case<'_>, model: &str, (saved, now): (i64, i64), words: &str) -> Option<Cure> {
    let set = case.last_set(model)?;
    let call = set.binding.value?.as_call_expr()?;
    let python = case.python(set.cell)?;
    let scan = Scan::of(case);
    let found = scan.found(set.cell, call)?;
    let given = call
        .arguments
        .args
        .iter()
        .chain(call.arguments.keywords.iter().map(|k| &k.value));
    let origins = given.filter_map(|e| scan.origin(&found, e));
    let origins: Vec<_> = origins.filter(|o| o.value == now).collect();
    let made = one_line(python.slice(call));
    let tell = |text: String| {
        said(
            "saved-size",
            Basis::Assumed,
            format!("Build the model as it was saved: {text}"),
            words.to_owned(),
        )
    };
    if let [one] = &origins[..] {
        let change = Change::replace(one.cell, one.expr, saved.to_string());
        return case.edits(
            tell(format!("{saved} instead of {now} in `{made}`")),
            vec![change],
        );
    }
    // A default of the class that the call doesn't override.
    let init = case.seen().into_iter().find_map(|at| {
        case.python(at)?.body().iter().rev().find_map(|s| match s {
            Stmt::ClassDef(c) if c.name.as_str() == head(call) => c
                .body
                .iter()
                .filter_map(Stmt::as_function_def_stmt)
                .find(|f| f.name.as_str() == "__init__"),
            Stmt::FunctionDef(f) if f.name.as_str() == head(call) => Some(f),
            _ => None,
        })
    })?;
    let defaults = init.parameters.iter_non_variadic_params().filter(|p| {
        let value = p.default.as_deref().and_then(crate::find::int_of);
        value == Some(now) && keyword(call, p.parameter.name.as_str()).is_none()
    });
    let parameter = only(defaults)?.parameter.name.as_str();
    if !call.arguments.args.is_empty() {
        return None;
    }
    let change = Editor::new(set.cell, python).set(call, parameter, &saved.to_string());
    case.edits(
        tell(format!(
            "`{}({parameter}={saved})`",
            python.slice(&*call.func)
        )),
        vec![change],
    )
}

/// The optimizer of the training loop, created with the same parameters.
fn optimizer(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("load_state_dict")?;
    let name = name(receiver(call)?)?;
    let set = case.last_set(name)?;
    let made = set.binding.value?.as_call_expr()?;
    let given = positional(made, 0)?;
    let python = case.python(set.cell)?;
    let scan = Scan::of(case);
    let class = head(made);
    let names = [class];
    let others = scan.named(&names).filter_map(|f| {
        let other = positional(f.call, 0)?;
        let text = case.python(f.cell)?.slice(other);
        (text != python.slice(given)).then_some((text, f))
    });
    let (text, _) = only(others)?;
    let plain = !matches!(given, Expr::Starred(_));
    plain.then_some(())?;
    case.edits(
        said(
            "same-parameters",
            Basis::Assumed,
            format!("Give `{name}` the parameters of the training: `{}`", one_line(text)),
            format!("The saved state belongs to an optimizer of other parameters: `{class}` was made with `{}` there.", one_line(text)),
        ),
        vec![Change::replace(set.cell, given, text)],
    )
}
