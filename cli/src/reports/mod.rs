//! Reports for editors and CI systems: one finding for each diagnosis, with its place in the file.

mod finding;
mod github;
mod junit;
mod sarif;

pub use finding::{Finding, Input};
pub use github::commands;
pub use junit::junit;
pub use sarif::sarif;

use crate::fix::Book;
use crate::out::{lines, shown};
use nbmedic::catalog::{explain, find, plain};
use nbmedic::report::{self, Judged};
use std::path::Path;

/// The findings of an input. `clean`: no secret may be in them. `placed`: with their places in the notebook's file.
pub fn findings(judged: &mut Judged, path: &Path, clean: bool, placed: bool) -> Vec<Finding> {
    let in_cell = judged.found.iter().any(|(d, _)| d.location.cell.is_some());
    let book = (placed && in_cell).then(|| Book::open(path)).flatten();
    let known = &judged.known;
    let mut out = Vec::new();
    for (d, prose) in &mut judged.found {
        let edits = d.cures.first().map(|c| c.edits.clone());
        let change = edits.and_then(|e| book.as_ref()?.change(&e));
        if clean {
            report::redact_diagnosis(d, known);
        }
        // With a secret taken out, it would no longer be a repair.
        let change = change.filter(|c| !clean || known.redact(&c.text).found.is_empty());
        let e = explain(d, prose);
        let fix = e.fixes.first();
        let help = fix.map_or(String::new(), |f| format!("\nhelp: {}", f.title));
        let line = match d.location.cell {
            Some(_) => d.location.line.map(|l| l as usize),
            // A traceback's line is another file's.
            None => d.evidence.first().map(|e| e.line),
        };
        let place = d.location.cell.zip(book.as_ref());
        out.push(Finding {
            rule: d.id,
            name: d
                .variant
                .map_or(d.id.to_owned(), |v| format!("{}/{v}", d.id)),
            severity: match find(d.id).map_or("error", |r| r.severity) {
                level @ ("error" | "warning") => level,
                _ => "note",
            },
            title: lines(&e.title),
            message: lines(&format!("{}{help}", plain(&e.summary))),
            cell: d.location.cell,
            line,
            file_line: match d.location.cell {
                Some(_) => place.and_then(|(cell, book)| {
                    let line = d.location.line.unwrap_or(1);
                    book.line(cell, line)
                }),
                None => line,
            },
            fix: fix.zip(change).map(|(f, c)| (lines(&f.title), c)),
        });
    }
    out
}

/// One line for each finding: `PATH:cell 3:4: ID: TITLE`, and `PATH:4: ID: TITLE` for a text.
pub fn concise(input: &Input) -> String {
    let mut out = String::new();
    for f in &input.findings {
        out.push_str(&shown(&input.source));
        if let Some(cell) = f.cell {
            out.push_str(&format!(":cell {cell}"));
        }
        if let Some(line) = f.line {
            out.push_str(&format!(":{line}"));
        }
        let title = f.title.replace('\n', " ");
        out.push_str(&format!(": {}: {title}\n", f.name));
    }
    out
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::fix::Change;

    /// An input with a finding in a cell that has a repair, one in a text, and an input that can't be read.
    pub fn inputs() -> Vec<Input> {
        let in_cell = Finding {
            rule: "name-undefined",
            name: "name-undefined/typo".into(),
            severity: "error",
            title: "`totl` is not defined, 100%: \"<&>\"".into(),
            message: "It is `total`.\nhelp: Write total".into(),
            cell: Some(3),
            line: Some(4),
            file_line: Some(21),
            fix: Some((
                "Write total".into(),
                Change {
                    start: (21, 9),
                    end: (21, 9),
                    text: "a".into(),
                },
            )),
        };
        let in_text = Finding {
            rule: "gpu-oom",
            name: "gpu-oom".into(),
            severity: "warning",
            title: "The GPU's memory is full".into(),
            message: "Too much.".into(),
            line: Some(7),
            file_line: Some(7),
            ..Finding::default()
        };
        vec![
            Input {
                source: "a b,c:d.ipynb".into(),
                findings: vec![in_cell],
                error: None,
            },
            Input {
                source: "logs/run.log".into(),
                findings: vec![in_text],
                error: None,
            },
            Input {
                source: "well.txt".into(),
                ..Input::default()
            },
            Input {
                source: "gone.log".into(),
                error: Some("gone.log: No such file or directory".into()),
                ..Input::default()
            },
        ]
    }

    #[test]
    fn a_concise_line_has_place_name_and_headline() {
        let all: String = inputs().iter().map(concise).collect();
        assert_eq!(
            all,
            "a b,c:d.ipynb:cell 3:4: name-undefined/typo: `totl` is not defined, 100%: \"<&>\"\n\
             logs/run.log:7: gpu-oom: The GPU's memory is full\n"
        );
    }
}
