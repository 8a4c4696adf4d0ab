//! Missing files, looked up among the other paths in the notebook.

use crate::case::Case;
use crate::closest::near;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{look, missing_path, only, said};
use nbmedic_facts::{Basis, Cure, FixKind, Front};
use nbmedic_python::ast::{Expr, ExprStringLiteral};
use nbmedic_python::{each_expr, Cell, Ranged};

/// Maximum number of paths compared.
const MAX_PATHS: usize = 400;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if !matches!(
        case.class(),
        "FileNotFoundError" | "OSError" | "NotADirectoryError"
    ) {
        return;
    }
    let Some(path) = missing(case.message()) else {
        return;
    };
    out.extend(
        drive(case, path)
            .or_else(|| home(case, path))
            .or_else(|| other(case, path))
            .or_else(|| kaggle(case, path)),
    );
}

/// The path in a message.
fn missing(message: &str) -> Option<&str> {
    let forms = [
        "unable to open file: name = ",
        "Unable to open file (unable to open file: name = ",
        "No file or directory found at ",
        "File b",
    ];
    missing_path(message).or_else(|| {
        forms.iter().find_map(|form| {
            let rest = message.split_once(form)?.1.trim_start();
            let rest = rest.strip_prefix(['\'', '"']).unwrap_or(rest);
            let path = rest.split(['\'', '"', '\n']).next()?.trim();
            (!path.is_empty() && path.len() < 400).then_some(path)
        })
    })
}

/// The strings in a cell that look like paths.
fn paths_in(python: &Cell) -> Vec<&ExprStringLiteral> {
    let mut out = Vec::new();
    each_expr(python.body(), &mut |e| {
        let text = e.as_string_literal_expr().filter(|s| {
            let t = s.value.to_str();
            let name = t.rsplit('/').next().unwrap_or(t);
            let file = name
                .rsplit_once('.')
                .is_some_and(|(n, x)| !n.is_empty() && (1..=7).contains(&x.len()));
            t.len() < 300
                && !t.contains(['\n', '*', '{'])
                && !t.contains("://")
                && (t.contains('/') || file)
        });
        out.extend(text);
    });
    out
}

fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').map_or(("", path), |(f, n)| (f, n))
}

/// The literal with the missing path: in the failing statement, otherwise the only one in the
/// notebook.
fn literal<'c>(case: &'c Case<'_>, path: &str) -> Option<(usize, &'c Cell, &'c ExprStringLiteral)> {
    for spot in case.spots() {
        if let Some(found) = only(spot.strings(path)) {
            return Some((spot.cell, spot.python, found));
        }
    }
    let all = case.seen().into_iter().filter_map(|cell| {
        let python = case.python(cell)?;
        let mut found = paths_in(python)
            .into_iter()
            .filter(|s| s.value.to_str() == path);
        Some((cell, python, found.next()?))
    });
    only(all)
}

/// Another path of the notebook that was probably meant.
fn other(case: &Case<'_>, path: &str) -> Option<Cure> {
    let (cell, python, found) = literal(case, path)?;
    let (folder, file) = split(path);
    let mut known: Vec<(usize, String)> = Vec::new();
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        for s in paths_in(python) {
            let text = s.value.to_str();
            if text != path && !known.iter().any(|(_, k)| k == text) && known.len() < MAX_PATHS {
                known.push((at, text.to_owned()));
            }
        }
    }
    // The same file elsewhere; a similarly named file in the same folder; a similarly named folder.
    let same: Vec<&(usize, String)> = known
        .iter()
        .filter(|(_, k)| {
            let (other, name) = split(k);
            name == file && other != folder && file.contains('.')
        })
        .collect();
    let close: Vec<&(usize, String)> = known
        .iter()
        .filter(|(_, k)| {
            let (other, name) = split(k);
            let ends = |t: &str| t.rsplit_once('.').map(|(_, e)| e.to_owned());
            other == folder && name != file && ends(name) == ends(file) && by_mistake(file, name)
        })
        .collect();
    let (at, new, why) = if let [(at, k)] = close[..] {
        (*at, k.clone(), "which has nearly this name")
    } else if let [(at, k)] = same[..] {
        (*at, k.clone(), "which has this name in another folder")
    } else {
        let moved: Vec<(usize, String)> = known
            .iter()
            .filter_map(|(at, k)| {
                let (other, _) = split(k);
                let fits = !folder.is_empty() && other != folder && by_mistake(folder, other);
                fits.then(|| (*at, format!("{other}/{file}")))
            })
            .collect();
        let mut unique: Vec<&(usize, String)> = Vec::new();
        for m in &moved {
            if !unique.iter().any(|u| u.1 == m.1) {
                unique.push(m);
            }
        }
        let [(at, new)] = unique[..] else { return None };
        (*at, new.clone(), "whose folder has nearly this name")
    };
    let text = python.slice(found);
    let quote = text.chars().next_back().unwrap_or('"');
    case.edits(
        said(
            "other-path",
            Basis::Assumed,
            format!("Replace `{path}` by `{new}`"),
            format!("Cell {} uses a path, {why}.", case.position(at)),
        ),
        vec![Change::replace(cell, found, format!("{quote}{new}{quote}"))],
    )
}

/// Whether two names differ by a typo, rather than by a number or a word such as `train` and
/// `test`.
fn by_mistake(a: &str, b: &str) -> bool {
    let digits = |t: &str| -> String { t.chars().filter(char::is_ascii_digit).collect() };
    a.len() > 3 && digits(a) == digits(b) && near(a, b).is_some_and(|d| d <= 2)
}

/// Google Drive, not mounted by any cell.
fn drive(case: &Case<'_>, path: &str) -> Option<Cure> {
    if !path.starts_with("/content/drive/") && !path.starts_with("drive/My") {
        return None;
    }
    let mounts = |cell: &usize| case.book.cells()[*cell].source.contains("drive.mount(");
    let before = case.book.before(case.at);
    if before.iter().any(mounts) || mounts(&case.at) {
        return None;
    }
    let elsewhere = case.setting().and_then(|s| s.front);
    if elsewhere.is_some_and(|f| !matches!(f, Front::Colab | Front::Notebook)) {
        return None;
    }
    let waiting = (0..case.book.cells().len()).find(mounts);
    if let Some(cell) = waiting {
        let at = case.position(cell);
        return Some(Cure {
            id: "mount-drive".into(),
            kind: FixKind::Run,
            basis: Basis::Record,
            title: format!("Run cell {at}, which mounts Google Drive"),
            why: "It has not run in this runtime, so `/content/drive` is empty. Then run this cell again.".to_owned(),
            run: vec![at, case.position(case.at)],
            ..Cure::default()
        });
    }
    let python = case.python(case.at)?;
    case.edits(
        said(
            "mount-drive",
            Basis::Assumed,
            "Mount Google Drive first",
            "The path is on Google Drive, and no cell mounts it; a new runtime begins without.",
        ),
        vec![Editor::new(case.at, python)
            .import("from google.colab import drive\ndrive.mount(\"/content/drive\")")],
    )
}

/// `data/train.csv`, where the notebook also has `~/data/train.csv`.
fn home(case: &Case<'_>, path: &str) -> Option<Cure> {
    let whole = format!("~/{path}");
    let written = case.seen().into_iter().any(|cell| {
        let python = case.python(cell);
        python.is_some_and(|p| paths_in(p).iter().any(|s| s.value.to_str() == whole))
    });
    if !written {
        return None;
    }
    let python = case.python(case.at)?;
    let mut found: Vec<(&ExprStringLiteral, bool)> = Vec::new();
    let mut inside: Vec<_> = Vec::new();
    each_expr(python.body(), &mut |e| {
        if let Expr::Call(c) = e {
            if case.path_of(&c.func).as_deref() == Some("pathlib.Path") {
                inside.extend(c.arguments.args.first().map(Ranged::range));
            }
        }
        if let Some(s) = e.as_string_literal_expr() {
            let text = s.value.to_str();
            let head = path
                .strip_prefix(text)
                .is_some_and(|r| r.is_empty() || r.starts_with('/'));
            if head && !text.is_empty() {
                found.push((s, inside.contains(&s.range())));
            }
        }
    });
    let (s, true) = only(found.into_iter())? else {
        return None;
    };
    let mut call = None;
    each_expr(python.body(), &mut |e| {
        if let Expr::Call(c) = e {
            if c.arguments.args.first().map(Ranged::range) == Some(s.range()) {
                call = Some(c);
            }
        }
    });
    let call = call?;
    let text = s.value.to_str();
    let new = format!("{}(\"~/{text}\").expanduser()", python.slice(&*call.func));
    case.edits(
        said(
            "home-folder",
            Basis::Assumed,
            format!("Look in the home folder: `{new}`"),
            format!("The notebook wrote `{whole}`, and `{path}` is looked for in the kernel's own folder."),
        ),
        vec![Change::replace(case.at, call, new)],
    )
}

/// A path in Kaggle's input folder.
fn kaggle(case: &Case<'_>, path: &str) -> Option<Cure> {
    let rest = path
        .strip_prefix("/kaggle/input/")
        .or_else(|| path.strip_prefix("../input/"))?;
    let (set, inner) = rest.split_once('/').unwrap_or((rest, ""));
    if set.is_empty() {
        return None;
    }
    // The path alone indicates Kaggle; `google.colab` only exists on Colab.
    let colab = case.imports("google");
    let on = !colab && case.setting().and_then(|s| s.front) == Some(Front::Kaggle);
    let root = match (on, colab) {
        (true, _) => "/kaggle/input",
        (_, true) => "/content",
        _ => ".",
    };
    let list = format!("import os\nfor folder, _, files in os.walk(\"{root}\"):\n    for file in files[:20]:\n        print(os.path.join(folder, file))");
    let elsewhere = match colab {
        true => "On Colab put it into Drive or upload it, and give its path there.",
        false => "On Kaggle add it as input; elsewhere download it and give its own path.",
    };
    let (title, why) = match on {
        true => (
            format!("Add the data set `{set}` to this notebook: Add Input"),
            format!("`{path}` is missing: its data set is not attached, or the file has another path in it. The code lists what is there."),
        ),
        false => (
            format!("Put the place of `{}` here for `{path}`", if inner.is_empty() { set } else { inner }),
            format!("`{path}` exists on Kaggle only, with the data set `{set}` attached. {elsewhere}"),
        ),
    };
    Some(Cure {
        code: list,
        language: "python".into(),
        ..look("attach-data", title, why)
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at, repaired_first};

    fn missing(cells: &[&str], path: &str) -> String {
        let message = format!("[Errno 2] No such file or directory: '{path}'");
        repaired_first(cells, "FileNotFoundError", &message)
    }

    #[test]
    fn a_path_of_kaggle_on_colab_is_no_missing_input() {
        let cells = [
            "from google.colab import drive",
            "pd.read_csv('/kaggle/input/houses/train.csv')",
        ];
        let message = "[Errno 2] No such file or directory: '/kaggle/input/houses/train.csv'";
        let cures = cures_of(&cells, &error_at(&cells, 1, "FileNotFoundError", message));
        assert!(cures[0].why.contains("On Colab"), "{}", cures[0].why);
        assert!(cures[0].code.contains("/content"));
    }

    #[test]
    fn another_path_of_the_notebook_was_meant() {
        let first = "a = pd.read_csv('../input/shops/sales.csv')";
        assert_eq!(
            missing(
                &[first, "b = pd.read_csv('../input/shop/items.csv')"],
                "../input/shop/items.csv"
            ),
            "b = pd.read_csv('../input/shops/items.csv')"
        );
        assert_eq!(
            missing(&[first, "b = pd.read_csv('sales.csv')"], "sales.csv"),
            "b = pd.read_csv('../input/shops/sales.csv')"
        );
        assert_eq!(
            missing(
                &[
                    "d.to_csv('out/result.csv')",
                    "pd.read_csv('out/results.csv')"
                ],
                "out/results.csv"
            ),
            "pd.read_csv('out/result.csv')"
        );
        // A different number or word means a different file.
        assert_eq!(
            missing(
                &["pd.read_csv('part1.csv')", "pd.read_csv('part2.csv')"],
                "part2.csv"
            ),
            ""
        );
    }

    #[test]
    fn drive_is_mounted() {
        let path = "/content/drive/MyDrive/a.csv";
        let line = "d = pd.read_csv('/content/drive/MyDrive/a.csv')";
        assert_eq!(
            missing(&["import pandas as pd", line], path),
            format!("from google.colab import drive\ndrive.mount(\"/content/drive\")\n{line}")
        );
        let mounted = "from google.colab import drive\ndrive.mount('/content/drive')";
        assert_eq!(missing(&[mounted, line], path), "");
        let message = format!("[Errno 2] No such file or directory: '{path}'");
        let skipped = format!("#!\n{mounted}");
        let cells = [skipped.as_str(), line];
        let error = error_at(&cells, 1, "FileNotFoundError", &message).replace("In[2]", "In[1]");
        assert_eq!(cures_of(&cells, &error)[0].run, [1, 2]);
    }

    #[test]
    fn a_file_in_the_home_folder() {
        let first = "from pathlib import Path\nPath('~/set/a.csv').expanduser().write_text('x')";
        assert_eq!(
            missing(&[first, "(Path('set') / 'a.csv').read_text()"], "set/a.csv"),
            "(Path(\"~/set\").expanduser() / 'a.csv').read_text()"
        );
    }

    #[test]
    fn kaggles_inputs_are_named() {
        let path = "/kaggle/input/wines/red.csv";
        let cells = ["x = 1", "pd.read_csv('/kaggle/input/wines/red.csv')"];
        let message = format!("[Errno 2] No such file or directory: '{path}'");
        let cures = cures_of(&cells, &error_at(&cells, 1, "FileNotFoundError", &message));
        assert!(cures[0].why.contains("`wines`"));
    }
}
