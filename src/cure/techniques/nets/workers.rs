//! Worker processes of loaders, and runtimes without a GPU.

use super::super::shapes::scan::head;
use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{callee, one_line, only, receiver, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, each_expr, keyword, positional, Cell, Ranged};
use nbmedic_wordings::{about, python, torch};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if text.contains("change the sharing strategy") {
        out.extend(sharing(case));
    } else if worker_died(case, text) {
        out.extend(no_workers(case));
    } else if torch::NO_DRIVER.is_in(text)
        || torch::WITHOUT_CUDA.is_in(text)
        || torch::NO_GPUS.is_in(text)
        || torch::NO_DEVICE.is_in(text)
    {
        out.extend(no_gpu(case));
    }
}

/// Whether a worker process itself failed rather than the code that it ran.
fn worker_died(case: &Case<'_>, text: &str) -> bool {
    let exits = |at: usize| {
        let source = case.book.cells()[at].source;
        source.contains("sys.exit") || source.contains("os._exit") || source.contains("exit(")
    };
    let died = torch::WORKER_EXITED.read(text).is_some();
    let pickled = case.class().ends_with("PicklingError") || case.class() == "AttributeError";
    let pickled =
        pickled && python::PICKLED_OBJECT.is_in(text) || python::UNPICKLED_ATTRIBUTE.is_in(text);
    let from_loader = || {
        case.error()
            .frames
            .iter()
            .any(|f| f.file.contains("dataloader"))
    };
    about::SHARED_MEMORY.is_in(text)
        || died && !case.seen().into_iter().any(exits)
        || pickled && from_loader()
        || python::SPAWN_GUARD.is_in(text) && from_loader()
}

/// Data loader calls with workers.
fn loaders<'c>(case: &'c Case<'c>) -> Vec<(usize, &'c Cell, &'c ExprCall, &'c Expr)> {
    let mut out = Vec::new();
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        for c in calls(python.body()) {
            let workers = keyword(c, "num_workers")
                .map(|k| &k.value)
                .filter(|v| python.slice(*v) != "0");
            if let (true, Some(workers)) = (head(c).ends_with("DataLoader"), workers) {
                out.push((at, python, c, workers));
            }
        }
    }
    out
}

fn no_workers(case: &Case<'_>) -> Option<Cure> {
    let all = loaders(case);
    let first = all.first()?;
    let mut changes = Vec::new();
    let mut seen: Vec<(usize, nbmedic_python::TextRange)> = Vec::new();
    for (at, python, call, workers) in &all {
        // A number shared by several loaders is changed once.
        let (cell, value) = match workers {
            Expr::Name(n) => case.value(n.id.as_str()).unwrap_or((*at, workers)),
            _ => (*at, *workers),
        };
        if !seen.contains(&(cell, value.range())) {
            seen.push((cell, value.range()));
            changes.push(Change::replace(cell, value, "0"));
        }
        for other in [
            "multiprocessing_context",
            "prefetch_factor",
            "persistent_workers",
            "timeout",
        ] {
            if let Some(k) = keyword(call, other) {
                changes.push(Editor::new(*at, python).remove(call, k));
            }
        }
    }
    let text = case.message();
    let why = if about::SHARED_MEMORY.is_in(text) || text.contains("bus error") {
        "The workers hand their batches over in shared memory, which is too small here. Without workers nothing has to be handed over; loading is slower."
    } else if text.contains("pickle") || python::UNPICKLED_ATTRIBUTE.is_in(text) {
        "A newly started worker does not know the functions of the notebook's cells. Without workers the loader runs them itself."
    } else {
        "A worker process ended, often for want of memory. Without workers the data are loaded in this process: it takes less memory, and shows an error if there is one."
    };
    case.edits(
        said(
            "no-workers",
            Basis::Assumed,
            format!(
                "Load without worker processes: `num_workers=0` in `{}`",
                one_line(first.1.slice(&*first.2.func))
            ),
            why,
        ),
        changes,
    )
}

fn sharing(case: &Case<'_>) -> Option<Cure> {
    let torch = case.alias_of("torch")?;
    let spot = case.spot()?;
    let line = format!("{torch}.multiprocessing.set_sharing_strategy(\"file_system\")");
    let first = spot.python.body().first()?;
    case.edits(
        said(
            "sharing-strategy",
            Basis::Library,
            format!("Share tensors by the file system: `{line}`"),
            "Each tensor that comes from a worker and is kept holds a file open; shared in this way it doesn't.",
        ),
        vec![Change::line_before(
            spot.cell,
            spot.python,
            spot.python.line_of(first.start()),
            &line,
        )],
    )
}

/// `.cuda()` without a GPU.
fn no_gpu(case: &Case<'_>) -> Option<Cure> {
    let (torch, import) = case.alias_of("torch").map_or_else(
        || ("torch".to_owned(), Some("import torch")),
        |alias| (alias, None),
    );
    let spot = case.spot()?;
    let why = "There is no GPU in this runtime: choose one in the notebook's settings, and run all cells again. With this line the code runs in both, slowly without.";
    let choice = format!("\"cuda\" if {torch}.cuda.is_available() else \"cpu\"");
    // A device written exactly once.
    let mut written: Vec<(usize, &Expr)> = Vec::new();
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        each_expr(python.body(), &mut |e| {
            if let Expr::Call(c) = e {
                let device = case.path_of(&c.func).is_some_and(|p| p == "torch.device");
                let value = positional(c, 0).filter(|v| {
                    let text = crate::find::text_of(v).unwrap_or("");
                    text == "cuda" || text.starts_with("cuda:")
                });
                if let (true, Some(value)) = (device, value) {
                    written.push((at, value));
                }
            }
        });
    }
    let named = ["device", "DEVICE"].into_iter().find_map(|n| {
        let (at, v) = case.value(n)?;
        let text = crate::find::text_of(v).unwrap_or("");
        text.starts_with("cuda").then_some((at, v))
    });
    if let Some((at, value)) = named.or_else(|| only(written.into_iter())) {
        return case.edits(
            said(
                "device-by-choice",
                Basis::Assumed,
                format!("Let the code choose the device: `{choice}`"),
                why,
            ),
            [
                Some(Change::replace(at, value, choice)),
                case.python(at)
                    .zip(import)
                    .map(|(python, line)| Editor::new(at, python).import(line)),
            ]
            .into_iter()
            .flatten()
            .collect(),
        );
    }
    let mut changes = Vec::new();
    let exists = case.exists("device");
    for c in calls(spot.python.body()) {
        if callee(c) == Some("cuda") && c.arguments.is_empty() {
            if let Some(of) = receiver(c) {
                let range = nbmedic_python::TextRange::new(of.end(), c.end());
                changes.push(Change::replace(spot.cell, range, ".to(device)"));
            }
        } else if callee(c) == Some("to") {
            let literal = positional(c, 0)
                .filter(|v| crate::find::text_of(v).is_some_and(|t| t.starts_with("cuda")));
            changes.extend(literal.map(|v| Change::replace(spot.cell, v, "device")));
        } else if let Some(k) = keyword(c, "device") {
            if crate::find::text_of(&k.value).is_some_and(|t| t.starts_with("cuda")) {
                changes.push(spot.editor().set(c, "device", "device"));
            }
        }
    }
    if changes.is_empty() {
        return None;
    }
    if !exists {
        let import = import.map_or(String::new(), |line| format!("{line}\n"));
        let lines = format!("{import}device = {choice}");
        changes.push(spot.editor().import(&lines));
    }
    case.edits(
        said(
            "device-by-choice",
            Basis::Assumed,
            "Let the code choose the device: `.to(device)`",
            why,
        ),
        changes,
    )
}
