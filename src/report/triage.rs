//! The diagnoses of one text or notebook, without a session.

use super::entry::Entry;
use super::html;
use super::markdown::Markdown;
use super::redact::tally;
use super::redactor::clean;
use nbmedic_catalog::{find, Prose};
use nbmedic_explain::explain;
use nbmedic_secrets::{Found, Known};
use nbmedic_triage::{Diagnosis, Value};
use nbmedic_view::{card, CardContext, Here, Node, Tag};
use serde::Serialize;

/// How much of a long input was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Extent {
    /// Bytes of the input; of a compressed one, those that were in it.
    pub bytes: u64,
    /// Lines of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
    /// Cells of a notebook.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<u64>,
    /// Whether the input was read to its end.
    pub complete: bool,
}

/// What was found in one input.
#[derive(Debug, Default)]
pub struct Judged {
    /// The path, or `-`.
    pub source: String,
    /// The diagnoses, best first.
    pub found: Vec<(Diagnosis, Prose)>,
    /// For a long input, how much of it was read.
    pub read: Option<Extent>,
    /// The secrets of the input as it was read: what a diagnosis repeats of them no longer looks like one.
    pub known: Known,
}

impl Extent {
    /// `12 bytes, 3 lines`, and a word if there was more.
    pub fn text(&self) -> String {
        let mut out = format!("{} bytes", self.bytes);
        for (n, what) in [(self.lines, "lines"), (self.cells, "cells")] {
            if let Some(n) = n {
                out.push_str(&format!(", {n} {what}"));
            }
        }
        if !self.complete {
            out.push_str("; not to its end");
        }
        out
    }
}

#[derive(Serialize)]
struct Triage<'a> {
    schema: &'static str,
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<Extent>,
    diagnoses: Vec<Entry>,
}

fn entries(found: &[(Diagnosis, Prose)]) -> Vec<Entry> {
    found.iter().map(|(d, p)| Entry::new(d, Some(p))).collect()
}

/// Redacts the source's name and every text of the entries, with what the input showed. Returns what was taken out.
fn cleaned(known: &Known, source: &mut String, entries: &mut [Entry]) -> Vec<Found> {
    let (mut gone, mut known) = (Vec::new(), known.clone());
    known.learn(source);
    for e in entries.iter_mut() {
        e.texts(&mut |_, text| known.learn(text));
    }
    clean(source, &known, &mut gone);
    for e in entries {
        e.texts(&mut |_, text| clean(text, &known, &mut gone));
    }
    gone
}

/// One line of JSON, `nbmedic.triage/1`, without a newline. Nothing is redacted, because programs on
/// the same machine read it.
pub fn triage_json(source: &str, found: &[(Diagnosis, Prose)]) -> String {
    line(source, entries(found), None)
}

/// The same for an input of any length; redacted if that is asked for.
pub fn judged_json(judged: &Judged, redacted: bool) -> String {
    let (mut source, mut entries) = (judged.source.clone(), entries(&judged.found));
    if redacted {
        cleaned(&judged.known, &mut source, &mut entries);
    }
    line(&source, entries, judged.read)
}

fn line(source: &str, diagnoses: Vec<Entry>, read: Option<Extent>) -> String {
    let triage = Triage {
        schema: "nbmedic.triage/1",
        source,
        read,
        diagnoses,
    };
    // It has only strings, numbers and lists, so writing can't fail.
    nbmedic_json::to_string(&triage)
}

/// What is said where nothing was found: of what was read only.
fn nothing(read: Option<Extent>) -> String {
    match read {
        None => "Nothing wrong was found.".to_owned(),
        Some(read) => format!("Nothing wrong was found in what was read: {}.", read.text()),
    }
}

/// The diagnoses as Markdown for an issue; secrets are redacted, also those that are `known` from the input.
pub fn triage_markdown(source: &str, found: &[(Diagnosis, Prose)], known: &Known) -> String {
    markdown(source.to_owned(), found, None, known)
}

/// The same for an input of any length.
pub fn judged_markdown(judged: &Judged) -> String {
    let source = judged.source.clone();
    markdown(source, &judged.found, judged.read, &judged.known)
}

fn markdown(
    mut source: String,
    found: &[(Diagnosis, Prose)],
    read: Option<Extent>,
    known: &Known,
) -> String {
    let mut entries = entries(found);
    let gone = cleaned(known, &mut source, &mut entries);
    let mut md = Markdown::default();
    md.heading(2, &format!("nbmedic: {source}"));
    if entries.is_empty() {
        md.paragraph(&nothing(read));
    } else if let Some(read) = read {
        md.paragraph(&format!("Read: {}.", read.text()));
    }
    for e in &entries {
        md.entry(3, e);
    }
    md.redactions(&tally(&gone));
    md.finish()
}

/// A diagnosis without secrets and without what is `known` from its input: what is printed of it is made from its facts,
/// evidence and cures.
pub fn redact_diagnosis(d: &mut Diagnosis, known: &Known) {
    let mut known = known.clone();
    texts(d, &mut |text| known.learn(text));
    texts(d, &mut |text| clean(text, &known, &mut Vec::new()));
}

/// Visits every text of a diagnosis.
fn texts(d: &mut Diagnosis, each: &mut dyn FnMut(&mut String)) {
    for value in d.facts.iter_mut().map(|(_, v)| v) {
        if let Value::Text(text) = value {
            each(text);
        }
    }
    for e in &mut d.evidence {
        each(&mut e.text);
    }
    for c in &mut d.cures {
        for text in [&mut c.title, &mut c.why, &mut c.code] {
            each(text);
        }
        for e in &mut c.edits {
            each(&mut e.text);
        }
        for line in &mut c.diff {
            each(&mut line.text);
        }
    }
}

/// One self-contained page with the diagnoses of several inputs; secrets are redacted.
pub fn triage_html(inputs: &[(String, Vec<(Diagnosis, Prose)>)]) -> String {
    let sections = inputs.iter().map(|(s, f)| (s.as_str(), &f[..], None));
    page(sections, Known::default())
}

/// The same for inputs of any length: what one of them shows goes from all.
pub fn judged_html(inputs: &[Judged]) -> String {
    let mut known = Known::default();
    inputs.iter().for_each(|j| known.join(&j.known));
    let sections = inputs
        .iter()
        .map(|j| (j.source.as_str(), &j.found[..], j.read));
    page(sections, known)
}

type Section<'a> = (&'a str, &'a [(Diagnosis, Prose)], Option<Extent>);

fn page<'a>(inputs: impl Iterator<Item = Section<'a>>, mut known: Known) -> String {
    let mut gone = Vec::new();
    let mut body = Vec::new();
    for (source, found, read) in inputs {
        let mut section = Node::new(Tag::Section)
            .class("input")
            .kid(Node::new(Tag::H2).foreign(source));
        if found.is_empty() {
            section = section.kid(Node::new(Tag::P).class("empty").foreign(nothing(read)));
        } else if let Some(read) = read {
            let text = format!("Read: {}.", read.text());
            section = section.kid(Node::new(Tag::P).foreign(text));
        }
        for (d, p) in found {
            let rule = find(d.id);
            if let Some(o) = d.occurrences {
                let text = format!("{} times, from {} to {}:", o.count, o.first, o.last);
                section = section.kid(Node::new(Tag::P).foreign(text));
            }
            section = section.kid(card(
                &explain(d, p),
                &CardContext {
                    severity: rule.map_or("error", |r| r.severity),
                    late: rule.is_some_and(|r| r.reported_late(d)),
                    here: Here {
                        position: d.location.cell,
                        ..Here::default()
                    },
                    ..CardContext::default()
                },
            ));
        }
        section = section.english();
        html::texts(&mut section, &mut |text| known.learn(text));
        body.push(section);
    }
    for section in &mut body {
        html::texts(section, &mut |text| clean(text, &known, &mut gone));
    }
    html::document("nbmedic triage", body, &tally(&gone))
}
