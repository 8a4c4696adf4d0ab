//! What an assistant needs to know of one problem, as a short text to paste. Nothing is sent.

use super::entry::{sure, Entry};
use super::model::{Report, ReportFinding, ReportNotebook};
use super::session::{session_report, Options};
use nbmedic_facts::{bytes, Value};
use nbmedic_secrets::cut;
use nbmedic_session::{Finding, Session};
use nbmedic_view::ProseCache;
use std::fmt::Write;

/// Most characters of the failing cell, and of each cell that it rests on.
const MAX_FAILING: usize = 6000;
const MAX_OTHER: usize = 1500;
/// Most lines of evidence, and most happenings before.
const MAX_EVIDENCE: usize = 12;
const MAX_STORY: usize = 8;
/// Facts that stand in the text anyway.
const SAID: &[&str] = &["cell_line", "exception", "message"];
/// Most fixes that are named.
const MAX_FIXES: usize = 3;

/// The text about the problem of a card, without secrets and names; none for an unknown card.
pub fn assistant(session: &Session, prose: &ProseCache, card: &str, now_ms: u64) -> Option<String> {
    let findings = session.findings();
    let at = findings.iter().position(|f| f.card == card)?;
    let options = Options {
        source: true,
        ..Options::default()
    };
    // The report is redacted, and its findings are in the same order.
    let report = session_report(session, prose, now_ms, &options);
    let found = report.findings.get(at)?;
    let mut out = String::new();
    head(&mut out, &report, found);
    problem(&mut out, &findings[at], found);
    code(&mut out, session, &findings[at], found);
    let all = session.overview().into_iter().zip(&report.notebooks);
    let own = all.into_iter().find(|(o, _)| o.id == findings[at].place.nb);
    if let Some((_, nb)) = own {
        let known = &findings[at].diagnoses[0].setting.versions;
        machine(&mut out, nb, known);
    }
    if let Some(best) = found.diagnoses.first() {
        fixes(&mut out, best);
    }
    // What any cell shows goes from everything that is said.
    let text = session.secrets().redact(&out).text;
    Some(text)
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn head(out: &mut String, report: &Report, found: &ReportFinding) {
    let place = match (&found.cell, found.at) {
        (Some(cell), Some(_)) => format!("The kernel died while {cell} ran"),
        (Some(cell), None) => format!("In my notebook {cell} failed"),
        (None, _) => "My notebook's kernel died".to_owned(),
    };
    let front = match report.front_end.as_str() {
        "" => String::new(),
        name => format!(" ({name})"),
    };
    line(
        out,
        &format!(
            "{place}{front}. Find the cause, and give me the smallest change of my own code that repairs it. What follows \
             was collected in the page by nbmedic {}; secrets are replaced by [redacted-…].",
            report.version
        ),
    );
}

fn problem(out: &mut String, f: &Finding, found: &ReportFinding) {
    for (i, e) in found.diagnoses.iter().enumerate() {
        let id = e
            .variant
            .map_or(e.id.to_owned(), |v| format!("{}/{v}", e.id));
        let title = if i == 0 { "\nDiagnosis" } else { "Also" };
        line(out, &format!("{title}: {} [{id}]", e.title));
    }
    let Some(best) = found.diagnoses.first() else {
        return;
    };
    if !best.summary.is_empty() {
        line(out, &best.summary);
    }
    if let Some(cause) = &found.consequence_of {
        line(
            out,
            &format!("The GPU context has been dead since {cause}."),
        );
    }
    let facts: Vec<String> = best
        .facts
        .iter()
        .filter(|(name, _)| !SAID.contains(&name.as_str()))
        .map(|(name, value)| format!("{name} = {}", fact(name, value)))
        .collect();
    if !facts.is_empty() {
        line(out, &format!("Facts: {}", facts.join("; ")));
    }
    if !best.evidence.is_empty() {
        let lines: Vec<String> = best
            .evidence
            .iter()
            .take(MAX_EVIDENCE)
            .map(|e| e.text.clone())
            .collect();
        line(out, "\nWhat was printed:");
        fence(out, "text", &lines.join("\n"));
    }
    for k in &found.known {
        line(out, &format!("- {}: {}", k.what, k.text));
    }
    if !found.unknown.is_empty() {
        line(
            out,
            &format!("Checked without result: {}", found.unknown.join(" ")),
        );
    }
    if let Some((number, text)) = &f.line {
        line(out, &format!("\nThe failing line, {number}: {text}"));
    }
}

/// A fact in words.
fn fact(name: &str, value: &Value) -> String {
    match value {
        Value::Int(n) if name.ends_with("_bytes") => bytes(*n),
        Value::Int(n) => n.to_string(),
        Value::Number(n) => n.to_string(),
        Value::Text(text) => text.clone(),
        Value::Shapes(shapes) => {
            let shape = |s: &Vec<i64>| {
                let sizes: Vec<String> = s.iter().map(i64::to_string).collect();
                format!("({})", sizes.join(", "))
            };
            let all: Vec<String> = shapes.iter().map(shape).collect();
            all.join(" ")
        }
    }
}

/// The failing cell, and those that it rests on.
fn code(out: &mut String, session: &Session, f: &Finding, found: &ReportFinding) {
    if let (Some(source), Some(cell)) = (&found.source, &found.cell) {
        line(out, &format!("\nThe failing cell ({cell}):"));
        fence(out, "python", cut(source, MAX_FAILING));
    }
    if !found.values.is_empty() {
        line(out, "\nValues when it failed:");
        let rows = found.values.iter();
        let rows: Vec<String> = rows.map(|v| format!("{} = {}", v.name, v.value)).collect();
        fence(out, "text", &rows.join("\n"));
    }
    for (name, source, names) in session.rests_on(&f.place) {
        line(out, &format!("\n{name} sets {}:", names.join(", ")));
        let source = session.secrets().redact(source).text;
        fence(out, "python", cut(&source, MAX_OTHER));
    }
}

/// The machine, and what happened on it before.
fn machine(out: &mut String, nb: &ReportNotebook, known: &[(String, String)]) {
    let printed = nb.versions.iter().map(|v| (&v.what, &v.version));
    let named = |what: &String| {
        nb.versions
            .iter()
            .any(|v| v.what.eq_ignore_ascii_case(what))
    };
    let known = known.iter().map(|(what, version)| (what, version));
    let versions: Vec<String> = printed
        .chain(known.filter(|(what, _)| !named(what)))
        .map(|(what, version)| format!("{what} {version}"))
        .collect();
    if !versions.is_empty() {
        line(out, &format!("\nVersions: {}", versions.join(", ")));
    }
    let mut vitals: Vec<String> = nb
        .vitals
        .iter()
        .filter(|v| matches!(v.reading, nbmedic_vitals::Reading::Known { .. }))
        .map(|v| format!("{} {}", v.what, v.text))
        .collect();
    if !nb.accelerator.is_empty() {
        vitals.insert(0, nb.accelerator.clone());
    }
    if !vitals.is_empty() {
        line(out, &format!("Machine: {}", vitals.join("; ")));
    }
    let story = nb.story(MAX_STORY);
    if !story.is_empty() {
        line(out, "What ran and what was tried, oldest first:");
    }
    for (when, what) in story {
        line(out, &format!("- {when} {what}"));
    }
}

fn fixes(out: &mut String, best: &Entry) {
    if best.fixes.is_empty() {
        return;
    }
    line(out, "\nnbmedic suggests:");
    for f in best.fixes.iter().take(MAX_FIXES) {
        line(out, &format!("- {} ({})", f.title, sure(f.applicability)));
    }
}

/// A block whose text can't close it.
fn fence(out: &mut String, language: &str, text: &str) {
    let mut fence = String::from("```");
    while text.contains(&fence) {
        fence.push('`');
    }
    // Writing to a string can't fail.
    let _ = writeln!(out, "{fence}{language}\n{}\n{fence}", text.trim_end());
}
