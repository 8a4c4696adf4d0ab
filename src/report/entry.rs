//! One diagnosis in machine-readable reports.

use nbmedic_catalog::{Applicability, Block, Prose};
use nbmedic_explain::{explain, plain};
use nbmedic_facts::{DiffLine, Edit, FixKind, Occurrences, Tried};
use nbmedic_triage::{Diagnosis, Evidence, Facts, Location, Value};
use serde::Serialize;

/// A fix in a report.
#[derive(Clone, Debug, Serialize)]
pub struct FixEntry {
    /// Stable name within the diagnosis.
    pub id: String,
    /// Imperative, short.
    pub title: String,
    /// Why it helps, as plain text.
    pub why: String,
    /// How certain it is to help here.
    pub applicability: Applicability,
    /// What it asks for.
    pub kind: FixKind,
    /// Changes of the person's own cells, against their sources as they were read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<Edit>,
    /// The positions of the cells to run, in order, from 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub run: Vec<usize>,
    /// The repaired cell, or code to run; may be empty.
    pub code: String,
    /// Code that only shows how, with stand-ins for names.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub sample: String,
    /// Its language.
    pub language: String,
    /// What a trial in a copy of the kernel showed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried: Option<Tried>,
    /// The edits as a difference of lines, for people; programs have the edits.
    #[serde(skip)]
    pub diff: Vec<DiffLine>,
}

/// A diagnosis in a report.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Stable id of the taxonomy.
    pub id: &'static str,
    /// Variant of the id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<&'static str>,
    /// Confidence, 0 to 1.
    pub confidence: f32,
    /// A self-contained line.
    pub title: String,
    /// One or two sentences.
    pub summary: String,
    /// Facts read from the text.
    #[serde(serialize_with = "nbmedic_json::object")]
    pub facts: Facts,
    /// Where it happened.
    pub location: Location,
    /// How often it is in a long input, and where first and last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occurrences: Option<Occurrences>,
    /// The lines that support it.
    pub evidence: Vec<Evidence>,
    /// What it means and why it happens.
    pub explanation: String,
    /// What to do in this case, best first.
    pub fixes: Vec<FixEntry>,
    /// Addresses for further reading.
    pub links: Vec<String>,
}

impl Entry {
    /// A diagnosis, explained if its prose is loaded.
    pub fn new(d: &Diagnosis, prose: Option<&Prose>) -> Entry {
        let mut entry = Entry {
            id: d.id,
            variant: d.variant,
            confidence: d.confidence,
            title: d.id.replace('-', " "),
            summary: String::new(),
            facts: d.facts.clone(),
            location: d.location,
            occurrences: d.occurrences,
            evidence: d.evidence.clone(),
            explanation: String::new(),
            fixes: Vec::new(),
            links: Vec::new(),
        };
        let Some(prose) = prose else {
            return entry;
        };
        let e = explain(d, prose);
        entry.summary = e.summary_text();
        entry.explanation = e.explanation_text();
        entry.title = e.title;
        entry.links = e.links.into_iter().map(|(_, href)| href).collect();
        entry.fixes = e
            .fixes
            .into_iter()
            .map(|f| FixEntry {
                id: f.id,
                title: f.title,
                why: text(&f.why),
                applicability: f.applies,
                kind: f.kind,
                edits: f.edits,
                run: f.run,
                code: f.code,
                sample: f.sample,
                language: f.language,
                diff: f.diff,
                tried: f.tried,
            })
            .collect();
        entry
    }

    /// Calls `each` with every text that may come from the page, and the name of its part.
    pub(super) fn texts(&mut self, each: &mut dyn FnMut(&'static str, &mut String)) {
        for text in [&mut self.title, &mut self.summary, &mut self.explanation] {
            each("explanation", text);
        }
        for value in self.facts.iter_mut().map(|(_, v)| v) {
            if let Value::Text(text) = value {
                each("facts", text);
            }
        }
        for e in &mut self.evidence {
            each("evidence", &mut e.text);
        }
        for f in &mut self.fixes {
            for text in [&mut f.title, &mut f.why, &mut f.code, &mut f.sample] {
                each("fixes", text);
            }
            for e in &mut f.edits {
                each("fixes", &mut e.text);
            }
            for line in &mut f.diff {
                each("fixes", &mut line.text);
            }
            if let Some(tried) = &mut f.tried {
                each("fixes", &mut tried.result);
                for value in &mut tried.values {
                    each("fixes", value);
                }
            }
        }
    }
}

fn text(blocks: &[Block]) -> String {
    plain(blocks)
}

/// How certain a fix is, in words.
pub(super) fn sure(a: Applicability) -> &'static str {
    match a {
        Applicability::Sure => "fixes it",
        Applicability::Likely => "usually fixes it",
        Applicability::Maybe => "worth trying",
        Applicability::Shows => "shows more",
    }
}
