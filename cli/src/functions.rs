//! What the commands do, as functions: the Python package calls them.

use crate::fix::Repairs;
use crate::judge::{judge, judge_pieces, judge_text};
use crate::outcome::{Found, Outcome};
use nbmedic::catalog::{find, general, plain, prose};
use nbmedic::facts::Applicability;
use nbmedic::notebook::Piece;
use nbmedic::report::Judged;
use nbmedic::triage::{Diagnosis, Surface};
use serde::Serialize;
use std::path::Path;

/// The diagnoses of a text; with the source of the cell that printed it, with cures in that source. `learns`: the secrets of
/// both are known with the answer, to be redacted.
///
/// # Errors
/// A message, if it is no text and no log.
pub fn triage(
    text: &str,
    source: Option<&str>,
    surface: Surface,
    learns: bool,
) -> Result<Judged, String> {
    collected("-", |tell| match source {
        None => judge_text("-", text, surface, learns, tell),
        Some(source) => {
            let cell = Piece {
                cell: Some(1),
                source: Some(source.to_owned()),
                count: None,
                text: text.to_owned(),
            };
            judge_pieces(&[cell], learns, tell)
        }
    })
}

/// The diagnoses of a file: a notebook, a log or a saved output.
///
/// # Errors
/// A message that names it.
pub fn triage_file(path: &Path, learns: bool) -> Result<Judged, String> {
    collected(&path.display().to_string(), |tell| {
        judge(path, false, learns, &|_| {}, tell)
    })
}

fn collected(
    name: &str,
    judge: impl FnOnce(&mut dyn FnMut(Found)) -> Outcome,
) -> Result<Judged, String> {
    let mut judged = Judged {
        source: name.to_owned(),
        ..Judged::default()
    };
    let outcome = judge(&mut |(d, _)| judged.found.extend(prose(d.id).map(|p| (d, p))));
    if let Some(error) = outcome.error {
        return Err(error);
    }
    judged.read = outcome.read;
    judged.known = outcome.known;
    for (at, o) in outcome.counts {
        if let Some((d, _)) = judged.found.get_mut(at) {
            d.occurrences = Some(o);
        }
    }
    Ok(judged)
}

/// Judges one text among many, without a copy of it. `tell` gets its diagnoses, best first.
pub fn each(text: &str, surface: Surface, tell: &mut dyn FnMut(Diagnosis)) {
    crate::judge::judge_one(text, surface, tell);
}

/// What a failure is grouped by: one cause has one, and another cause another.
pub fn signature(d: &Diagnosis) -> String {
    crate::stream::signature(d)
}

/// The repairs of a notebook's JSON: those at least as sure as `least` are in `repaired`.
///
/// # Errors
/// A message, if it is not a notebook.
pub fn fix(text: &str, least: Option<Applicability>) -> Result<Repairs, String> {
    Repairs::of("-".to_owned(), text, least)
}

/// The repairs of a notebook's file. With `least` it is written, and kept as it was beside it.
///
/// # Errors
/// A message that names the file.
pub fn fix_file(path: &Path, least: Option<Applicability>) -> Result<Repairs, String> {
    Repairs::of_file(path, least)
}

#[derive(Serialize)]
struct Page {
    id: &'static str,
    family: &'static str,
    severity: &'static str,
    title: String,
    summary: String,
    meaning: String,
    why: String,
    variants: Vec<PageVariant>,
    fixes: Vec<PageFix>,
    links: Vec<String>,
}

#[derive(Serialize)]
struct PageVariant {
    id: String,
    summary: String,
}

#[derive(Serialize)]
struct PageFix {
    id: String,
    title: String,
    why: String,
    cost: String,
    applicability: Applicability,
    code: String,
    language: String,
    proof: String,
}

/// A diagnosis in full, as JSON, with placeholders for facts left open. `gpu-oom/fragmented` is the page of `gpu-oom`.
///
/// # Errors
/// A message that names diagnoses like it.
pub fn explain(id: &str) -> Result<String, String> {
    let bare = id.split('/').next().unwrap_or(id);
    let (Some(rule), Some(prose)) = (find(bare), prose(bare)) else {
        return Err(crate::page::unknown(bare));
    };
    let page = general(&prose);
    let said = Page {
        id: rule.id,
        family: rule.family,
        severity: rule.severity,
        summary: plain(&page.summary),
        meaning: plain(&page.meaning),
        why: plain(&page.why),
        variants: page
            .variants
            .iter()
            .map(|v| PageVariant {
                id: v.id.clone(),
                summary: plain(&v.summary),
            })
            .collect(),
        fixes: page
            .fixes
            .iter()
            .map(|f| PageFix {
                id: f.id.clone(),
                title: f.title.clone(),
                why: plain(&f.why),
                cost: f.cost.clone(),
                applicability: f.applies,
                code: f.code.clone(),
                language: f.language.clone(),
                proof: f.proven.english(),
            })
            .collect(),
        links: page.links.into_iter().map(|(_, href)| href).collect(),
        title: page.title,
    };
    serde_json::to_string(&said).map_err(|e| e.to_string())
}

/// The ids of all diagnoses, in order.
pub fn ids() -> Vec<&'static str> {
    nbmedic::catalog::rules().iter().map(|r| r.id).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAILED: &str = "Traceback (most recent call last):\n  Cell In[1], line 2\n    totl + 1\n\
                          NameError: name 'totl' is not defined\n";

    fn found(judged: &Judged) -> Vec<(&'static str, Option<usize>, usize)> {
        let all = judged.found.iter();
        all.map(|(d, _)| (d.id, d.location.cell, d.cures.len()))
            .collect()
    }

    #[test]
    fn a_text_of_any_length_gives_what_the_command_finds() {
        let alone = triage(FAILED, None, Surface::Output, false).unwrap();
        assert_eq!(found(&alone), [("name-undefined", None, 0)]);
        let cell = triage(FAILED, Some("total = 3\ntotl + 1"), Surface::Output, false).unwrap();
        assert_eq!(found(&cell), [("name-undefined", Some(1), 1)]);
        let long = format!("{}{FAILED}", "all is well\n".repeat(120_000));
        let judged = triage(&long, None, Surface::Log, false).unwrap();
        assert_eq!(judged.found[0].0.id, "name-undefined");
        assert_eq!(judged.read.and_then(|r| r.lines), Some(120_004));
        for text in [FAILED, &long] {
            let mut ids = Vec::new();
            each(text, Surface::Log, &mut |d| ids.push(d.id));
            assert_eq!(ids, ["name-undefined"]);
        }
        assert!(triage("PK\u{3}\u{4}", None, Surface::Output, false).is_err());
    }

    #[test]
    fn a_cause_has_one_signature_whatever_the_release_raised() {
        let of = |text: &str| {
            let mut all = Vec::new();
            each(text, Surface::Log, &mut |d| all.push(signature(&d)));
            assert_eq!(all.len(), 1, "{text}");
            all
        };
        let missing = of("ModuleNotFoundError: No module named 'xarray'\n");
        assert_eq!(of("ImportError: No module named xarray\n"), missing);
        assert_ne!(
            of("ModuleNotFoundError: No module named 'polars'\n"),
            missing
        );
        let full = of("OSError: [Errno 28] No space left on device: '/a'\n");
        assert_eq!(
            of("IOError: [Errno 28] No space left on device: '/b'\n"),
            full
        );
    }

    #[test]
    fn a_page_is_told_and_an_unknown_id_is_named() {
        assert!(explain("name-undefined/typo")
            .unwrap()
            .starts_with("{\"id\":\"name-undefined\""));
        assert!(explain("name-undefine")
            .unwrap_err()
            .contains("name-undefined"));
        assert!(ids().contains(&"name-undefined"));
    }
}
