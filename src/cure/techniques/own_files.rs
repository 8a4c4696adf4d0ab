//! Files opened by the user's code: encodings, missing folders.

use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{callee, missing_path, only, receiver, said, text_of, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, keyword, Cell};
use nbmedic_wordings::{pandas, python, torch};

/// Functions that read text from a file.
const READERS: &[&str] = &[
    "read_csv",
    "read_table",
    "read_fwf",
    "open",
    "read_text",
    "read_json",
    "readlines",
];

/// Functions that write a file, with the position of its path.
const WRITERS: &[(&str, usize)] = &[
    ("to_csv", 0),
    ("to_excel", 0),
    ("to_json", 0),
    ("to_pickle", 0),
    ("to_parquet", 0),
    ("savefig", 0),
    ("savetxt", 0),
    ("imwrite", 0),
    ("open", 0),
    ("save_weights", 0),
    ("write_image", 0),
    ("write_html", 0),
    ("imsave", 0),
    ("save_model", 1),
    ("dump", 1),
    ("save", 0),
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    match case.class() {
        "UnicodeDecodeError" => out.extend(decoded(case, message)),
        "UnicodeEncodeError" => out.extend(encoded(case)),
        "FileNotFoundError" | "OSError" | "RuntimeError" => out.extend(folder(case, message)),
        _ => {}
    }
}

/// The only call that reads a file: in the failing statement, else in its cell.
fn reader<'c>(case: &'c Case<'_>) -> Option<(usize, &'c Cell, &'c ExprCall)> {
    let is = |c: &&ExprCall| callee(c).is_some_and(|n| READERS.contains(&n));
    for spot in case.spots() {
        if let Some(call) = only(spot.calls().filter(is)) {
            return Some((spot.cell, spot.python, call));
        }
    }
    let spot = case.spot()?;
    let all = calls(spot.python.body());
    let call = only(all.into_iter().filter(is))?;
    Some((spot.cell, spot.python, call))
}

/// The encoding that matches a byte that is invalid in UTF-8.
fn encoding(message: &str) -> Option<(&'static str, &'static str)> {
    let codec = python::CODEC.read(message).map_or("", |[codec, _]| codec);
    if matches!(codec, "ascii" | "charmap" | "gbk" | "cp1252") {
        return Some((
            "utf-8",
            "The file is UTF-8, and was read as something else.",
        ));
    }
    let byte = message.split_once("byte 0x")?.1;
    let byte = u8::from_str_radix(byte.get(..2)?, 16).ok()?;
    let start = message.contains("in position 0:");
    let first = message.contains("in position 1:");
    match byte {
        0xff | 0xfe if start => Some(("utf-16", "A file that begins with this byte is UTF-16.")),
        0x8b if first => None,
        0x80 if start => None,
        0x81 | 0x8d | 0x8f | 0x90 | 0x9d => Some(("latin-1", "The file is not UTF-8. `latin-1` reads every byte; check a name with an accent afterwards.")),
        0x80..=0x9f => Some(("cp1252", "The file is not UTF-8: a byte like this is a quotation mark, a dash or a euro sign of Windows.")),
        _ => Some(("latin-1", "The file is not UTF-8. `latin-1` reads the letters of Western Europe; check a name with an accent afterwards.")),
    }
}

fn decoded(case: &Case<'_>, message: &str) -> Option<Cure> {
    let (cell, python, call) = reader(case)?;
    if keyword(call, "encoding").is_some() && !message.contains("'utf-8'") {
        return None;
    }
    let name = callee(call)?;
    if message.contains("0x8b in position 1:") && name == "read_csv" {
        return case.edits(
            said(
                "gzip",
                Basis::Named,
                "Add `compression=\"gzip\"`",
                "The file begins like one that gzip packed.",
            ),
            vec![Editor::new(cell, python).set(call, "compression", "\"gzip\"")],
        );
    }
    // A pickle isn't text.
    if name == "open"
        && (message.contains("0x80 in position 0:") || python.text().contains("pickle.load"))
    {
        let mode = call.arguments.args.get(1);
        let change = match mode {
            Some(mode) => Change::replace(cell, mode, "\"rb\""),
            None => Editor::new(cell, python).add(call, "\"rb\""),
        };
        return case.edits(
            said(
                "binary-file",
                Basis::Named,
                "Open it with `\"rb\"`",
                "The file holds bytes, not text.",
            ),
            vec![change],
        );
    }
    if call
        .arguments
        .args
        .get(1)
        .and_then(text_of)
        .is_some_and(|m| m.contains('b'))
    {
        return None;
    }
    let (encoding, why) = encoding(message)?;
    case.edits(
        said(
            "file-encoding",
            Basis::Assumed,
            format!("Add `encoding=\"{encoding}\"` to `{name}(…)`"),
            why,
        ),
        vec![Editor::new(cell, python).set(call, "encoding", &format!("\"{encoding}\""))],
    )
}

fn encoded(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, call) = reader(case)?;
    if callee(call) != Some("open") || keyword(call, "encoding").is_some() {
        return None;
    }
    case.edits(
        said(
            "file-encoding",
            Basis::Named,
            "Add `encoding=\"utf-8\"` to `open(…)`",
            "Without it the file gets the system's encoding, which lacks this character.",
        ),
        vec![Editor::new(cell, python).set(call, "encoding", "\"utf-8\"")],
    )
}

/// The file in a message.
fn path_in(message: &str) -> Option<&str> {
    missing_path(message).or_else(|| pandas::NO_DIRECTORY.read(message).map(|[path]| path))
}

fn folder(case: &Case<'_>, message: &str) -> Option<Cure> {
    let parent = torch::PARENT_DIRECTORY.read(message).is_some();
    if !parent && path_in(message).is_none() {
        return None;
    }
    let spot = case.spot()?;
    if let Some(path) = path_in(message).filter(|p| p.starts_with("~/")) {
        return expanded(case, &spot, path);
    }
    let (call, path) = only(spot.calls().filter_map(|c| {
        let name = callee(c)?;
        let (_, at) = WRITERS.iter().find(|(w, _)| *w == name)?;
        if name == "open" && !writes(c) {
            return None;
        }
        // `torch.save(model, path)`, `np.save(path, x)`.
        let torch = name == "save"
            && receiver(c).is_some_and(|r| matches!(spot.text(r), "torch" | "joblib"));
        let named = [
            "fname",
            "path",
            "filename",
            "path_or_buf",
            "file",
            "filepath",
        ]
        .iter()
        .find_map(|k| keyword(c, k).map(|k| &k.value));
        let path = named.or_else(|| c.arguments.args.get(if torch { 1 } else { *at }))?;
        Some((c, path))
    }))?;
    let text = spot.text(path);
    let literal = text_of(path)
        .and_then(|p| p.rsplit_once('/'))
        .map(|(folder, _)| folder);
    let folder = match (literal, path) {
        (Some(""), _) => return None,
        (Some(folder), _) => format!("\"{folder}\""),
        // A literal without a folder can't lack one.
        (None, Expr::StringLiteral(_)) => return None,
        _ => format!("os.path.dirname({text})"),
    };
    let stmt = spot.stmt?;
    let line = format!("os.makedirs({folder}, exist_ok=True)");
    let mut changes = vec![spot.editor().above(stmt, &line)];
    if !case.exists("os") || case.module_of("os").as_deref() != Some("os") {
        changes.push(Editor::new(case.at, case.python(case.at)?).import("import os"));
    }
    case.edits(
        said(
            "make-folder",
            Basis::Source,
            format!("Make the folder first: `{line}`"),
            format!(
                "`{}` writes a file, but makes no folder for it.",
                callee(call)?
            ),
        ),
        merged(changes),
    )
}

/// Merges two insertions at the same place, with the import first.
fn merged(mut changes: Vec<Change>) -> Vec<Change> {
    if let [a, b] = changes.as_slice() {
        if a.cell == b.cell && a.range == b.range {
            let text = format!("{}{}", b.text, a.text);
            changes.truncate(1);
            changes[0].text = text;
        }
    }
    changes
}

fn writes(call: &ExprCall) -> bool {
    let mode = keyword(call, "mode")
        .map(|k| &k.value)
        .or(call.arguments.args.get(1));
    mode.and_then(text_of)
        .is_some_and(|m| m.contains(['w', 'a', 'x']))
}

/// `~/data` is shell syntax for the home folder.
fn expanded(case: &Case<'_>, spot: &Spot<'_>, path: &str) -> Option<Cure> {
    let literal = only(spot.strings(path))?;
    let text = spot.text(literal);
    let mut changes = vec![Change::replace(
        spot.cell,
        literal,
        format!("os.path.expanduser({text})"),
    )];
    if case.module_of("os").as_deref() != Some("os") {
        changes.push(Editor::new(case.at, case.python(case.at)?).import("import os"));
    }
    case.edits(
        said(
            "home-folder",
            Basis::Language,
            format!("Write `os.path.expanduser({text})`"),
            "Only the shell knows `~`; Python takes it as a folder's name.",
        ),
        changes,
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired};

    #[test]
    fn a_file_is_read_in_its_encoding() {
        let e = |byte: &str| {
            ipython(
                "UnicodeDecodeError",
                &[(2, 1, "df = pd.read_csv(path)")],
                &format!("'utf-8' codec can't decode byte {byte} in position 12: invalid continuation byte"),
            )
        };
        let cells = ["import pandas as pd", "df = pd.read_csv(path)"];
        assert_eq!(
            repaired(&cells, &e("0xeb")),
            "df = pd.read_csv(path, encoding=\"latin-1\")"
        );
        assert_eq!(
            repaired(&cells, &e("0x92")),
            "df = pd.read_csv(path, encoding=\"cp1252\")"
        );
        let cells = [
            "import pickle",
            "with open(p) as f:\n    d = pickle.load(f)",
        ];
        let e = ipython(
            "UnicodeDecodeError",
            &[(2, 2, "    d = pickle.load(f)")],
            "'utf-8' codec can't decode byte 0x80 in position 0: invalid start byte",
        );
        assert_eq!(
            repaired(&cells, &e),
            "with open(p, \"rb\") as f:\n    d = pickle.load(f)"
        );
    }

    #[test]
    fn a_folder_is_made_before_it_is_written_to() {
        let code = "with open(\"results/a.txt\", \"w\") as f:\n    f.write(t)";
        let e = ipython(
            "FileNotFoundError",
            &[(2, 1, "with open(\"results/a.txt\", \"w\") as f:")],
            "[Errno 2] No such file or directory: 'results/a.txt'",
        );
        assert_eq!(
            repaired(&["t = 1", code], &e),
            format!("import os\nos.makedirs(\"results\", exist_ok=True)\n{code}")
        );
        let e = ipython(
            "OSError",
            &[(2, 1, "df.to_csv(out)")],
            "Cannot save file into a non-existent directory: 'a/b'",
        );
        assert_eq!(
            repaired(&["import os", "df.to_csv(out)"], &e),
            "os.makedirs(os.path.dirname(out), exist_ok=True)\ndf.to_csv(out)"
        );
        // Reading: creating the file isn't possible.
        let e = ipython(
            "FileNotFoundError",
            &[(2, 1, "f = open('a/b.txt')")],
            "[Errno 2] No such file or directory: 'a/b.txt'",
        );
        assert!(cures_of(&["import os", "f = open('a/b.txt')"], &e).is_empty());
    }

    #[test]
    fn a_picture_that_is_read_needs_no_folder() {
        let cells = ["from PIL import Image", "i = Image.open('data/a.png')"];
        let frame = (2, 1, "i = Image.open('data/a.png')");
        let message = "[Errno 2] No such file or directory: 'data/a.png'";
        let error = ipython("FileNotFoundError", &[frame], message);
        let cures = cures_of(&cells, &error);
        assert!(cures.iter().all(|c| c.id != "make-folder"), "{cures:?}");
    }
}
