//! The engine as a class for JavaScript.
//!
//! Texts in and JSON out. Nothing here throws: what can't be read is answered with
//! `{"error":"…"}`.

#[cfg(feature = "boundary")]
mod boundary;

use crate::catalog::{explain, find, prose_from_json, Prose};
use crate::notebook::{pieces, Piece};
use crate::page::Page;
use crate::protocol::{parse_events, Effect};
use crate::report::{self, session_report, Options};
use crate::triage::{triage, Diagnosis, Input, Surface};
use crate::view::{self, CardContext, Node, ProseCache, Tag};
use litemap::LiteMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use wasm_bindgen::prelude::wasm_bindgen;

/// Most pages held at a time.
const MAX_PAGES: usize = 256;

/// The engine.
#[wasm_bindgen]
#[derive(Default)]
pub struct Engine {
    pages: LiteMap<String, Page>,
    prose: ProseCache,
}

fn write<T: Serialize>(value: &T) -> String {
    nbmedic_json::to_string(value)
}

fn error(message: &str) -> String {
    #[derive(Serialize)]
    struct Error<'a> {
        error: &'a str,
    }
    write(&Error { error: message })
}

fn milliseconds(now: f64) -> u64 {
    // Not a number and what is negative become 0.
    now as u64
}

#[wasm_bindgen]
impl Engine {
    /// An engine that knows no page.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Engine {
        Engine::default()
    }

    /// The version of nbmedic.
    pub fn version() -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    /// The front ends, a JSON array.
    pub fn profiles(&self) -> String {
        crate::host::profiles_json().to_owned()
    }

    /// Whether events of a page have been applied since the engine started.
    pub fn knows(&self, page: &str) -> bool {
        self.pages.contains_key(page)
    }

    /// Applies a JSON array of events that came at `now` (milliseconds since 1970); effects as a
    /// JSON array. `more`: it is a record that is read again and goes on, and nothing is said yet.
    pub fn apply(&mut self, page: &str, events: &str, now: f64, more: bool) -> String {
        let events = match parse_events(events) {
            Ok(events) => events,
            Err(message) => return error(&message),
        };
        if self.pages.len() >= MAX_PAGES && !self.pages.contains_key(page) {
            return error("too many pages");
        }
        let page = self.pages.entry(page.to_owned()).or_default();
        page.follow(&events, milliseconds(now));
        if more {
            return String::new();
        }
        let effects: Vec<Effect> = page.effects(&self.prose);
        write(&effects)
    }

    /// Takes the prose of a diagnosis. One that can't be read isn't asked for again.
    pub fn provide(&mut self, id: &str, prose: &str) {
        match prose_from_json(prose) {
            Ok(p) => self.prose.insert(id, p),
            Err(_) => self.prose.give_up(id),
        }
    }

    /// All open cards of a page as effects.
    pub fn cards(&self, page: &str) -> String {
        match self.pages.get(page) {
            Some(page) => write(&page.cards()),
            None => "[]".to_owned(),
        }
    }

    /// The report of a page: `markdown`, `json` or `html`, each with `+source` for the sources of
    /// the failing cells.
    pub fn report(&self, page: &str, format: &str, now: f64) -> String {
        let Some(page) = self.pages.get(page) else {
            return String::new();
        };
        let (format, source) = match format.strip_suffix("+source") {
            Some(format) => (format, true),
            None => (format, false),
        };
        let options = Options {
            source,
            ..Options::default()
        };
        let report = session_report(page.session(), &self.prose, milliseconds(now), &options);
        match format {
            "json" => report.json(),
            "html" => report.html(),
            _ => report.markdown(),
        }
    }

    /// The report of a page as the person looks at it before it leaves ([`report::Draft`]). `wanted` is
    /// `{"format":"…","source":false,"back":[ids of what is not to be taken out]}`.
    pub fn draft(&self, page: &str, wanted: &str, now: f64) -> String {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Wanted {
            format: String,
            source: bool,
            back: Vec<u64>,
        }
        let wanted: Option<Wanted> = nbmedic_json::parse(wanted).ok();
        let (Some(page), Some(w)) = (self.pages.get(page), wanted) else {
            return "null".to_owned();
        };
        let options = Options {
            source: w.source,
            back: w.back,
        };
        let now = milliseconds(now);
        write(&report::draft(
            page.session(),
            &self.prose,
            now,
            &w.format,
            &options,
        ))
    }

    /// What the history keeps of a page ([`report::Past`]), a JSON array.
    pub fn past(&self, page: &str, now: f64) -> String {
        match self.pages.get(page) {
            Some(page) => write(&report::past(
                page.session(),
                &self.prose,
                milliseconds(now),
            )),
            None => "[]".to_owned(),
        }
    }

    /// What is seen of a page, a tree; `null` for a page that is not known.
    pub fn status(&self, page: &str) -> String {
        match self.pages.get(page) {
            Some(page) => write(&page.status()),
            None => "null".to_owned(),
        }
    }

    /// What the side panel shows of a page: `[{"chart":…,"tree":…}]`, one for each notebook.
    pub fn panel(&self, page: &str, now: f64) -> String {
        #[derive(Serialize)]
        struct Shown {
            chart: view::chart::Chart,
            tree: Node,
        }
        let page = self.pages.get(page);
        let panels = page.map(|p| p.panels(milliseconds(now)));
        let shown: Vec<Shown> = panels
            .unwrap_or_default()
            .into_iter()
            .map(|(chart, tree)| Shown { chart, tree })
            .collect();
        write(&shown)
    }

    /// Takes secrets and personal data out of a JSON array of events before they are stored.
    pub fn redact(&self, events: &str) -> String {
        match parse_events(events) {
            Ok(mut events) => {
                for event in &mut events {
                    report::redact_event(event);
                }
                write(&events)
            }
            Err(message) => error(&message),
        }
    }

    /// A text without secrets and personal data.
    pub fn clean(&self, text: &str) -> String {
        report::redact(text).text
    }

    /// The bare diagnoses of a text, a JSON array, best first. `name` is the file's; a `.log` is
    /// read as a log.
    pub fn triage(&self, text: &str, name: &str) -> String {
        #[derive(Serialize)]
        struct Bare<'a> {
            id: &'static str,
            #[serde(skip_serializing_if = "Option::is_none")]
            variant: Option<&'static str>,
            confidence: f32,
            #[serde(serialize_with = "nbmedic_json::object")]
            facts: &'a crate::triage::Facts,
            location: crate::triage::Location,
            evidence: &'a [crate::triage::Evidence],
            also: &'a [&'static str],
        }
        let found = judge(text, name, None);
        let bare: Vec<Bare<'_>> = found
            .iter()
            .map(|d| Bare {
                id: d.id,
                variant: d.variant,
                confidence: d.confidence,
                facts: &d.facts,
                location: d.location,
                evidence: &d.evidence,
                also: &d.also,
            })
            .collect();
        write(&bare)
    }

    /// The explained diagnoses of a file's text, a notebook's in the order of its cells:
    /// `{"need":[ids]}` while prose is missing, else
    /// `{"json":"<nbmedic.triage/1>","markdown":"…","tree":…}`. Each card of the tree says in
    /// `data-cell` where it belongs. A text that can't be read is answered with an error.
    pub fn examine(&self, text: String, name: &str) -> String {
        #[derive(Serialize)]
        struct Need {
            need: BTreeSet<String>,
        }
        #[derive(Serialize)]
        struct Examined {
            json: String,
            markdown: String,
            tree: Node,
        }
        let pieces = match pieces(name, text) {
            Ok(pieces) => pieces,
            Err(message) => return error(&message),
        };
        let mut need = BTreeSet::new();
        let mut found: Vec<(Diagnosis, Prose)> = Vec::new();
        let mut cards = Node::new(Tag::Div).class("cards");
        for piece in &pieces {
            for mut d in judge(&piece.text, name, piece.source.as_deref()) {
                d.location.cell = piece.cell;
                let Some(p) = self.prose.want(d.id, &mut need) else {
                    continue;
                };
                let also = self.prose.possible(&d, &mut need);
                cards.kids.push(card(&d, p, piece, &also));
                found.push((d, p.clone()));
            }
        }
        if !need.is_empty() {
            return write(&Need { need });
        }
        write(&Examined {
            json: report::triage_json(name, &found),
            markdown: report::triage_markdown(name, &found),
            tree: cards,
        })
    }

    /// Forgets a page.
    pub fn drop(&mut self, page: &str) {
        self.pages.remove(page);
    }
}

fn judge(text: &str, name: &str, source: Option<&str>) -> Vec<Diagnosis> {
    triage(&Input {
        text,
        surface: match name.ends_with(".log") {
            true => Surface::Log,
            false => Surface::Output,
        },
        source,
    })
}

fn card(d: &Diagnosis, prose: &Prose, piece: &Piece, also: &[String]) -> Node {
    let rule = find(d.id);
    let line = d.location.line.and_then(|n| {
        let text = piece
            .source
            .as_deref()?
            .lines()
            .nth(n.checked_sub(1)? as usize)?;
        Some((n, text))
    });
    let context = CardContext {
        severity: rule.map_or("error", |r| r.severity),
        late: rule.is_some_and(|r| r.late),
        line,
        also,
        ..CardContext::default()
    };
    let card = view::card(&explain(d, prose), &context);
    match piece.cell {
        Some(cell) => card.attr("data-cell", cell.to_string()),
        None => card,
    }
}
