//! The diagnoses of one text or notebook, without a session.

use super::entry::Entry;
use super::html;
use super::markdown::Markdown;
use super::redact::tally;
use super::redactor::clean;
use nbmedic_catalog::{find, Prose};
use nbmedic_explain::explain;
use nbmedic_triage::Diagnosis;
use nbmedic_view::{card, CardContext, Here, Node, Tag};
use serde::Serialize;

#[derive(Serialize)]
struct Triage<'a> {
    schema: &'static str,
    source: &'a str,
    diagnoses: Vec<Entry>,
}

fn entries(found: &[(Diagnosis, Prose)]) -> Vec<Entry> {
    found.iter().map(|(d, p)| Entry::new(d, Some(p))).collect()
}

/// One line of JSON, `nbmedic.triage/1`, without a newline. Nothing is redacted, because programs on
/// the same machine read it.
pub fn triage_json(source: &str, found: &[(Diagnosis, Prose)]) -> String {
    let triage = Triage {
        schema: "nbmedic.triage/1",
        source,
        diagnoses: entries(found),
    };
    // It has only strings, numbers and lists, so writing can't fail.
    nbmedic_json::to_string(&triage)
}

/// The diagnoses as Markdown for an issue; secrets are redacted.
pub fn triage_markdown(source: &str, found: &[(Diagnosis, Prose)]) -> String {
    let mut entries = entries(found);
    let mut source = source.to_owned();
    let mut gone = Vec::new();
    {
        let mut each = |text: &mut String| clean(text, &mut gone);
        each(&mut source);
        for e in &mut entries {
            e.texts(&mut |_, text| each(text));
        }
    }
    let mut md = Markdown::default();
    md.heading(2, &format!("nbmedic: {source}"));
    if entries.is_empty() {
        md.paragraph("Nothing wrong was found.");
    }
    for e in &entries {
        md.entry(3, e);
    }
    md.redactions(&tally(&gone));
    md.finish()
}

/// One self-contained page with the diagnoses of several inputs; secrets are redacted.
pub fn triage_html(inputs: &[(String, Vec<(Diagnosis, Prose)>)]) -> String {
    let mut gone = Vec::new();
    let mut body = Vec::new();
    for (source, found) in inputs {
        let mut section = Node::new(Tag::Section)
            .class("input")
            .kid(Node::new(Tag::H2).foreign(source.as_str()));
        if found.is_empty() {
            section = section.kid(
                Node::new(Tag::P)
                    .class("empty")
                    .foreign("Nothing wrong was found."),
            );
        }
        for (d, p) in found {
            let rule = find(d.id);
            section = section.kid(card(
                &explain(d, p),
                &CardContext {
                    severity: rule.map_or("error", |r| r.severity),
                    late: rule.is_some_and(|r| r.late),
                    here: Here {
                        position: d.location.cell,
                        ..Here::default()
                    },
                    ..CardContext::default()
                },
            ));
        }
        section = section.english();
        html::texts(&mut section, &mut |text| clean(text, &mut gone));
        body.push(section);
    }
    html::document("nbmedic triage", body, &tally(&gone))
}
