//! Code that works in a script or another front end, but not in this notebook.

use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{callee, only, receiver, said, text_of};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{ExprCall, Stmt};
use nbmedic_python::{calls, each_stmt, positional, Cell, Ranged};
use nbmedic_wordings::{opencv, python};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    out.extend(match case.class() {
        "RuntimeError" => awaited(case, message),
        "ModuleNotFoundError" => colab(case, message),
        "SystemExit" => arguments(case),
        "error" if opencv::NO_WINDOW.is_in(message) => window(case),
        "DisabledFunctionError" => window(case),
        _ => None,
    });
}

/// `asyncio.run(main())` → `await main()`.
fn awaited(case: &Case<'_>, message: &str) -> Option<Cure> {
    let says = message.contains("asyncio.run() cannot be called from a running event loop")
        || message.contains("This event loop is already running");
    if !says {
        return None;
    }
    let frame = case.innermost().filter(|f| f.function.is_none())?;
    let python = case.python(frame.cell)?;
    let stmt = case.statement(frame)?;
    let is = |c: &&ExprCall| {
        case.path_of(&c.func).as_deref() == Some("asyncio.run")
            || callee(c) == Some("run_until_complete")
    };
    let call = only(calls(std::slice::from_ref(stmt)).into_iter().filter(is))?;
    let value = positional(call, 0).filter(|_| call.arguments.len() == 1)?;
    let text = python.slice(value);
    let whole = match stmt {
        Stmt::Assign(s) => s.value.range() == call.range(),
        Stmt::Expr(s) => s.value.range() == call.range(),
        _ => false,
    };
    let new = match whole {
        true => format!("await {text}"),
        false => format!("(await {text})"),
    };
    case.edits(
        said(
            "await-it",
            Basis::Language,
            format!("Write `{new}`"),
            "A notebook has a running event loop already, and a cell may await in it.".to_owned(),
        ),
        vec![Change::replace(frame.cell, call, new)],
    )
}

/// `from google.colab import drive` elsewhere: makes the import and its uses conditional on Colab.
fn colab(case: &Case<'_>, message: &str) -> Option<Cure> {
    let says = message.contains("'google.colab'") || message.contains("'google'");
    if !says {
        return None;
    }
    let python = case.python(case.at)?;
    let mut imported: Vec<&str> = Vec::new();
    let mut guarded: Vec<&Stmt> = Vec::new();
    for stmt in python.body() {
        match stmt {
            Stmt::ImportFrom(i)
                if i.module
                    .as_ref()
                    .is_some_and(|m| m.as_str().starts_with("google.colab")) =>
            {
                imported.extend(
                    i.names
                        .iter()
                        .map(|a| a.asname.as_ref().unwrap_or(&a.name).as_str()),
                );
                guarded.push(stmt);
            }
            Stmt::Expr(e) => {
                let call = e.value.as_call_expr();
                let on = call.and_then(receiver).and_then(crate::find::name);
                if on.is_some_and(|n| imported.contains(&n)) {
                    guarded.push(stmt);
                }
            }
            _ => {}
        }
    }
    guarded.first()?;
    let mut changes: Vec<Change> = guarded
        .iter()
        .map(|s| {
            let text = python.slice(*s).replace('\n', "\n    ");
            Change::replace(
                case.at,
                *s,
                format!("if \"google.colab\" in sys.modules:\n    {text}"),
            )
        })
        .collect();
    // Adjacent statements share one condition.
    if changes.len() > 1 {
        let between = |a: &Stmt, b: &Stmt| python.line_of(b.start()) <= python.line_of(a.end()) + 1;
        for i in 1..guarded.len() {
            if between(guarded[i - 1], guarded[i]) {
                let text = python.slice(guarded[i]).replace('\n', "\n    ");
                changes[i].text = format!("    {text}");
            }
        }
    }
    if !case.exists("sys") {
        changes.push(Editor::new(case.at, python).import("import sys"));
    }
    // Paths on Drive must change too.
    let mut drive = false;
    for cell in case.book.cells() {
        drive |= cell.source.contains("/content/drive");
    }
    let more = match drive {
        true => " Paths below `/content/drive` do not exist here either: change them to where the files are.",
        false => "",
    };
    case.edits(
        said(
            "only-on-colab",
            Basis::Assumed,
            "Do it only on Colab: `if \"google.colab\" in sys.modules:`",
            format!("The module exists on Colab only, and this is another machine.{more}"),
        ),
        changes,
    )
}

/// `parser.parse_args()` reads the kernel's own arguments.
fn arguments(case: &Case<'_>) -> Option<Cure> {
    let python = case.python(case.at)?;
    let is = |c: &&ExprCall| callee(c) == Some("parse_args") && c.arguments.is_empty();
    let call = only(calls(python.body()).into_iter().filter(is))?;
    let parser = python.slice(receiver(call)?);
    let output = case.output.text();
    if !python::UNRECOGNIZED_ARGUMENTS.is_in(output) {
        return None;
    }
    let inside = call.arguments.range();
    case.edits(
        said(
            "no-arguments",
            Basis::Library,
            format!("Write `{parser}.parse_args([])`"),
            "Without a list it reads the arguments with which the kernel was started. The list holds those that you want to give: `[\"--name\", \"value\"]`."
                .to_owned(),
        ),
        vec![Change::replace(case.at, inside, "([])")],
    )
}

/// `cv2.imshow("title", image)` → the image below the cell.
fn window(case: &Case<'_>) -> Option<Cure> {
    let frame = case.innermost()?;
    let python = case.python(frame.cell)?;
    let mut shown: Vec<(&Stmt, &ExprCall)> = Vec::new();
    let mut rest: Vec<&Stmt> = Vec::new();
    each_stmt(python.body(), &mut |s| {
        let Some(call) = s.as_expr_stmt().and_then(|e| e.value.as_call_expr()) else {
            return;
        };
        match case.path_of(&call.func).as_deref() {
            Some("cv2.imshow") => shown.push((s, call)),
            Some("cv2.waitKey" | "cv2.destroyAllWindows") => rest.push(s),
            _ => {}
        }
    });
    shown.first()?;
    let cv2 = case.alias_of("cv2").unwrap_or_else(|| "cv2".to_owned());
    let Some(name) = case.alias_of("matplotlib.pyplot") else {
        return displayed(case, frame.cell, python, &cv2, &shown, &rest);
    };
    let mut changes = Vec::new();
    for (stmt, call) in &shown {
        let image = python.slice(positional(call, 1)?);
        let indent = python.indent(python.line_of(stmt.start()));
        let title = positional(call, 0)
            .and_then(text_of)
            .filter(|t| !t.is_empty());
        let title = title.map(|t| format!("{name}.title({})\n{indent}", crate::find::quoted(t)));
        let new = format!(
            "{name}.imshow({cv2}.cvtColor({image}, {cv2}.COLOR_BGR2RGB))\n{indent}{}{name}.show()",
            title.unwrap_or_default()
        );
        changes.push(Change::replace(frame.cell, *stmt, new));
    }
    changes.extend(rest.iter().map(|s| Change::replace(frame.cell, *s, "pass")));
    case.edits(
        said(
            "show-in-cell",
            Basis::Assumed,
            format!("Show the picture below the cell: `{name}.imshow(…)`"),
            "OpenCV opens a window, and a notebook's machine has no screen. The colours are turned from BGR to RGB; leave `cvtColor` out for a grey picture."
                .to_owned(),
        ),
        changes,
    )
}

/// Like [`window`], with IPython's display if Matplotlib isn't imported.
fn displayed(
    case: &Case<'_>,
    cell: usize,
    python: &Cell,
    cv2: &str,
    shown: &[(&Stmt, &ExprCall)],
    rest: &[&Stmt],
) -> Option<Cure> {
    let mut changes =
        vec![Editor::new(cell, python).import("from IPython.display import Image, display")];
    for (stmt, call) in shown {
        let image = python.slice(positional(call, 1)?);
        let new = format!("display(Image({cv2}.imencode(\".png\", {image})[1].tobytes()))");
        changes.push(Change::replace(cell, *stmt, new));
    }
    changes.extend(rest.iter().map(|s| Change::replace(cell, *s, "pass")));
    // Pillow's class of that name is in use.
    if case.exists("Image") {
        return None;
    }
    case.edits(
        said(
            "show-in-cell",
            Basis::Library,
            "Show the picture below the cell: `display(Image(…))`",
            "OpenCV opens a window, and a notebook's machine has no screen.",
        ),
        changes,
    )
}
