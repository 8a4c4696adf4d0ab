//! Markdown that renders the same in every place where it is pasted.

use super::entry::{sure, Entry};
use super::model::Report;
use super::redactor::Tally;
use nbmedic_facts::number::fixed;
use nbmedic_facts::{parts, DiffLine};
use nbmedic_view::chart::amount;
use nbmedic_words as words;

/// Most fixes named besides the first one.
const MORE: usize = 2;

/// A Markdown document under construction.
#[derive(Default)]
pub(super) struct Markdown {
    out: String,
}

impl Markdown {
    pub fn heading(&mut self, level: usize, text: &str) {
        self.block(&format!("{} {}", "#".repeat(level), inline(text)));
    }

    pub fn paragraph(&mut self, text: &str) {
        self.block(&inline(text));
    }

    fn block(&mut self, text: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A fenced block whose text can't close the fence.
    fn fenced(&mut self, language: &str, text: &str) {
        let longest = longest_run(text, '`').max(2);
        let fence = "`".repeat(longest + 1);
        let language: String = language
            .chars()
            .filter(|c| c.is_ascii_alphanumeric())
            .collect();
        let text: String = text
            .chars()
            .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
            .collect();
        self.block(&format!(
            "{fence}{language}\n{}\n{fence}",
            text.trim_end_matches('\n')
        ));
    }

    fn list(&mut self, items: impl Iterator<Item = String>) {
        let items: Vec<String> = items.map(|i| format!("- {}", inline(&i))).collect();
        if !items.is_empty() {
            self.block(&items.join("\n"));
        }
    }

    fn table(&mut self, rows: &[(String, String)]) {
        let mut text = String::from("| | |\n|---|---|");
        for (name, value) in rows {
            text.push_str(&format!("\n| {} | {} |", inline(name), inline(value)));
        }
        self.block(&text);
    }

    /// One diagnosis.
    pub fn entry(&mut self, level: usize, e: &Entry) {
        self.heading(level, &e.title);
        let id = e
            .variant
            .map_or(e.id.to_owned(), |v| format!("{}/{v}", e.id));
        let mut place = vec![
            format!("`{id}`"),
            format!("confidence {}", fixed(e.confidence.into(), 2)),
        ];
        place.extend(e.location.cell.map(|c| format!("cell {c}")));
        place.extend(e.location.line.map(|l| format!("line {l}")));
        place.extend(
            e.occurrences
                .map(|o| format!("{} times, from {} to {}", o.count, o.first, o.last)),
        );
        self.block(&place.join(", "));
        if !e.summary.is_empty() {
            self.paragraph(&e.summary);
        }
        if !e.evidence.is_empty() {
            let lines: Vec<String> = e
                .evidence
                .iter()
                .map(|e| match e.line {
                    0 => e.text.clone(),
                    n => format!("{n:>6}  {}", e.text),
                })
                .collect();
            self.fenced("text", &lines.join("\n"));
        }
        if let Some(fix) = e.fixes.first() {
            self.block(&format!(
                "**{}** ({})",
                inline(&fix.title),
                sure(fix.applicability)
            ));
            if !fix.diff.is_empty() {
                self.fenced("diff", &difference(&fix.diff));
            } else if !fix.code.is_empty() {
                self.fenced(&fix.language, &fix.code);
            }
            if let Some(tried) = &fix.tried {
                self.paragraph(&tried.result);
                if !tried.values.is_empty() {
                    self.fenced("text", &tried.values.join("\n"));
                }
            }
        }
        self.list(
            e.fixes
                .iter()
                .skip(1)
                .take(MORE)
                .map(|f| format!("{} ({})", f.title, sure(f.applicability))),
        );
    }

    /// What was redacted.
    pub fn redactions(&mut self, list: &[Tally]) {
        if list.is_empty() {
            return;
        }
        let list: Vec<String> = list
            .iter()
            .map(|t| format!("{} × {}", t.count, t.kind))
            .collect();
        self.paragraph(&format!("Redacted: {}.", list.join(", ")));
    }

    pub fn finish(self) -> String {
        self.out
    }
}

/// The changed lines of cells, with a heading where a cell or a new place in it begins.
fn difference(diff: &[DiffLine]) -> String {
    let mut out = String::new();
    for part in parts(diff) {
        let first = &part[0];
        out.push_str(&format!(
            "@@ cell {}, line {} @@\n",
            first.cell, first.number
        ));
        for line in part {
            out.push_str(&format!("{}{}\n", line.sign, line.text));
        }
    }
    out
}

fn longest_run(text: &str, wanted: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == wanted { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Escapes text so that it makes no markup or table cell and mentions nobody.
pub(super) fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut code = false;
    // Only paired single backquotes make code spans that end where they seem to.
    let odd = text.matches('`').count() % 2 == 1 || text.contains("``");
    for c in text.chars() {
        match c {
            // The catalogue's own code spans have paired backquotes.
            '`' if !odd => {
                code = !code;
                out.push('`');
            }
            '\n' | '\r' | '\t' => out.push(' '),
            c if c.is_control() => {}
            '|' => out.push_str("\\|"),
            c if code => out.push(c),
            '@' => out.push_str("@\u{200b}"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '!' | '~' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

impl Report {
    /// The report as Markdown, to be pasted into an issue.
    pub fn markdown(&self) -> String {
        let mut md = Markdown::default();
        md.heading(2, "nbmedic triage report");
        let mut rows = vec![("nbmedic".to_owned(), self.version.to_owned())];
        if !self.front_end.is_empty() {
            rows.push(("Front end".to_owned(), self.front_end.clone()));
        }
        if !self.origin.is_empty() {
            rows.push(("Address".to_owned(), self.origin.clone()));
        }
        for nb in &self.notebooks {
            rows.push(("Notebook".to_owned(), nb.name.clone()));
            rows.push(("Kernel".to_owned(), nb.kernel.to_owned()));
            if !nb.accelerator.is_empty() {
                rows.push(("Accelerator".to_owned(), nb.accelerator.clone()));
            }
            for v in &nb.vitals {
                rows.push((v.what.to_owned(), v.text.clone()));
            }
            rows.extend(
                nb.bottleneck
                    .iter()
                    .map(|text| (words::bottleneck().english(), text.clone())),
            );
            if !nb.versions.is_empty() {
                rows.push(("Versions seen".to_owned(), nb.named_versions()));
            }
        }
        md.table(&rows);
        for nb in self.notebooks.iter().filter(|nb| !nb.events.is_empty()) {
            md.heading(3, "What happened");
            let peaks: Vec<String> = nb
                .peaks
                .iter()
                .map(|p| format!("{} {}", p.what, amount(p.used, p.total)))
                .collect();
            if !peaks.is_empty() {
                md.paragraph(&format!("At most: {}.", peaks.join(", ")));
            }
            md.table(&nb.story(20));
        }
        if self.findings.is_empty() {
            md.paragraph("Nothing wrong was found.");
        }
        for f in &self.findings {
            let Some((first, rest)) = f.diagnoses.split_first() else {
                continue;
            };
            md.entry(3, first);
            if let Some(cause) = &f.consequence_of {
                md.paragraph(&format!(
                    "A consequence: the GPU context has been dead since {cause}."
                ));
            }
            md.list(f.known.iter().map(|k| format!("{}: {}", k.what, k.text)));
            if !f.unknown.is_empty() {
                md.paragraph("Looked at, without finding a reason:");
                md.list(f.unknown.iter().cloned());
            }
            if let Some(source) = &f.source {
                md.fenced("python", source);
            }
            if !f.values.is_empty() {
                md.paragraph(&format!("{}:", words::values_then().english()));
                let rows = f.values.iter().map(|v| (v.name.clone(), v.value.clone()));
                md.table(&rows.collect::<Vec<_>>());
            }
            for e in rest {
                md.entry(4, e);
            }
        }
        md.redactions(&self.redactions);
        md.finish()
    }
}
