//! The engine as a class for JavaScript.
//!
//! Events, effects and trees cross as objects (serde-wasm-bindgen). `node benches/boundary.mjs` measured,
//! as objects and as JSON: an output of 80 KiB 0.06 and 0.45 ms, 1,000 cells 5.6 and 10.9 ms, the effects of
//! 20 cards 3.0 and 6.7 ms.
//! What JavaScript only passes on or compares crosses as JSON: `panel`, `past`, `examine` and `profiles`;
//! so does `triage`, whose confidences would show the last bits of a 32-bit float.

#[cfg(feature = "boundary")]
mod boundary;
mod reader;

use crate::catalog::{explain, find, prose_from_json, Prose};
use crate::notebook::{pieces, Piece};
use crate::page::Page;
use crate::protocol::{Effect, Event, Wanted};
use crate::report::{self, session_report, Options};
use crate::triage::{prepare, triage, Diagnosis, Input, Surface};
use crate::view::{self, CardContext, Here, Node, ProseCache, Tag};
use litemap::LiteMap;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use std::collections::BTreeSet;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

/// Maximum number of pages held at a time.
const MAX_PAGES: usize = 256;

/// The engine.
#[wasm_bindgen]
#[derive(Default)]
pub struct Engine {
    pages: LiteMap<String, Page>,
    /// Batches that wait for the reader of the cells' Python, and when they came.
    held: LiteMap<String, (Vec<Event>, u64)>,
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

/// A value as JavaScript objects.
fn objects<T: Serialize>(value: &T) -> Result<JsValue, JsError> {
    Ok(value.serialize(&Serializer::json_compatible())?)
}

/// The events of a batch, without those that this version doesn't know.
fn read(events: Vec<JsValue>) -> Vec<Event> {
    let tag = JsValue::from_str("t");
    let read = |event: JsValue| {
        let tag = js_sys::Reflect::get(&event, &tag).ok()?.as_string()?;
        Event::tagged(&tag, serde_wasm_bindgen::Deserializer::from(event))
    };
    events.into_iter().filter_map(read).collect()
}

fn milliseconds(now: f64) -> u64 {
    // NaN and negative numbers become 0.
    now as u64
}

#[wasm_bindgen]
impl Engine {
    /// An engine without pages.
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

    /// Does what the first text needs, once. For a time in which the caller waits.
    pub fn prepare(&self) {
        prepare();
    }

    /// Whether events of a page have been applied since the engine started.
    pub fn knows(&self, page: &str) -> bool {
        self.pages.contains_key(page)
    }

    /// Applies events that came at `now` (milliseconds since 1970) and returns the effects. `more`:
    /// the batch is part of a longer record, so there are no effects yet (`undefined`).
    ///
    /// # Errors
    /// Too many pages are held.
    pub fn apply(
        &mut self,
        page: &str,
        events: Vec<JsValue>,
        now: f64,
        more: bool,
    ) -> Result<JsValue, JsError> {
        if self.pages.len() >= MAX_PAGES && !self.pages.contains_key(page) {
            return Err(JsError::new("too many pages"));
        }
        let id = page;
        let page = self.pages.entry(page.to_owned());
        let page = page.or_insert_with(|| Page::with(triage, reader::read));
        let events = read(events);
        let held = self.held.remove(id);
        // In which cell a kernel died depends on the code, so the batch that reports it waits for its reader. A
        // replay does not: the record says it.
        if held.is_none() && !more && reader::is_away() && events.iter().any(may_report_death) {
            self.held.insert(id.to_owned(), (events, milliseconds(now)));
            let (ids, python) = (Vec::new(), true);
            return objects(&[Effect::Need { ids, python }]);
        }
        if let Some((events, at)) = held {
            page.follow(&events, at);
        }
        page.follow(&events, milliseconds(now));
        match more {
            true => Ok(JsValue::UNDEFINED),
            false => objects(&page.effects(&self.prose)),
        }
    }

    /// Stores the prose of a diagnosis. Prose that can't be read isn't requested again.
    pub fn provide(&mut self, id: &str, prose: &str) {
        match prose_from_json(prose) {
            Ok(p) => self.prose.insert(id, p),
            Err(_) => self.prose.give_up(id),
        }
    }

    /// Gives the reader of the cells' Python: a function that takes a question and returns the answer, both as JSON, and
    /// an empty text if it has none. `undefined`: there won't be one.
    pub fn lend(&self, reader: Option<js_sys::Function>) {
        reader::lend(reader);
    }

    /// Whether the reader of the cells' Python was asked since this was last called, and was not there yet. What was
    /// returned meanwhile may be incomplete.
    pub fn missed(&self) -> bool {
        reader::take_missed()
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

    /// What an assistant needs to know of a card's problem; empty for an unknown card.
    pub fn assistant(&self, page: &str, card: &str, now: f64) -> String {
        let page = self.pages.get(page);
        let text =
            page.and_then(|p| report::assistant(p.session(), &self.prose, card, milliseconds(now)));
        text.unwrap_or_default()
    }

    /// The report of a page as the user previews it ([`crate::protocol::Draft`]); `wanted` is a
    /// [`Wanted`]. `null` for an unknown page.
    ///
    /// # Errors
    /// `wanted` has another shape.
    pub fn draft(&self, page: &str, wanted: JsValue, now: f64) -> Result<JsValue, JsError> {
        let wanted: Wanted = serde_wasm_bindgen::from_value(wanted)?;
        let Some(page) = self.pages.get(page) else {
            return Ok(JsValue::NULL);
        };
        let options = Options {
            source: wanted.source,
            back: wanted.back,
        };
        let now = milliseconds(now);
        objects(&report::draft(
            page.session(),
            &self.prose,
            now,
            &wanted.format,
            &options,
        ))
    }

    /// What the history keeps about a page ([`report::Past`]), a JSON array.
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

    /// What is seen of a page, as a tree; `null` for an unknown page.
    ///
    /// # Errors
    /// The tree can't be made.
    pub fn status(&self, page: &str) -> Result<JsValue, JsError> {
        objects(&self.pages.get(page).map(Page::status))
    }

    /// What the side panel shows about a page: `[{"chart":…,"panel":…}]`, one for each notebook.
    pub fn panel(&self, page: &str, now: f64) -> String {
        #[derive(Serialize)]
        struct Shown {
            chart: view::chart::Chart,
            panel: view::panel::Panel,
        }
        let page = self.pages.get(page);
        let panels = page.map(|p| p.panels(milliseconds(now)));
        let shown: Vec<Shown> = panels
            .unwrap_or_default()
            .into_iter()
            .map(|(chart, panel)| Shown { chart, panel })
            .collect();
        write(&shown)
    }

    /// Removes secrets and personal data from events of a page before they are stored: those that they show, and those that
    /// any other text of the page has shown.
    ///
    /// # Errors
    /// The events can't be made.
    pub fn redact(&self, page: &str, events: Vec<JsValue>) -> Result<JsValue, JsError> {
        let mut events = read(events);
        match self.pages.get(page) {
            Some(page) => report::redact_events(&mut events, &mut page.session().secrets()),
            None => report::redact_events(&mut events, &mut report::Known::default()),
        };
        objects(&events)
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
        let found = triage(&Input {
            text,
            surface: surface(name),
            source: None,
        });
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
    /// `{"need":[ids],"python":…}` while prose, or the reader of the cells' Python, is missing, else
    /// `{"json":"<nbmedic.triage/1>","markdown":"…","tree":…}`. Each card of the tree names its
    /// cell in `data-cell`. A text that can't be read returns an error.
    pub fn examine(&self, text: String, name: &str) -> String {
        #[derive(Serialize)]
        struct Need {
            need: BTreeSet<String>,
            python: bool,
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
        let Some(all) = crate::examine_with(&pieces, surface(name), reader::read) else {
            let python = true;
            return write(&Need { need, python });
        };
        for examined in all {
            let piece = &pieces[examined.piece];
            for d in examined.diagnoses {
                let Some(p) = self.prose.want(d.id, &mut need) else {
                    continue;
                };
                let also = self.prose.possible(&d, &mut need);
                cards.kids.push(card(&d, p, piece, &also));
                found.push((d, p.clone()));
            }
        }
        if !need.is_empty() {
            let python = false;
            return write(&Need { need, python });
        }
        let known = report::Known::of(pieces.iter().flat_map(Piece::texts));
        write(&Examined {
            json: report::triage_json(name, &found),
            markdown: report::triage_markdown(name, &found, &known),
            tree: cards,
        })
    }

    /// Forgets a page.
    pub fn drop(&mut self, page: &str) {
        self.pages.remove(page);
        self.held.remove(page);
    }
}

/// Whether an event may tell that a kernel died.
fn may_report_death(event: &Event) -> bool {
    use crate::protocol::KernelStatus::{Autorestarting, Dead, Restarting};
    match event {
        Event::Notice(_) => true,
        Event::Kernel(e) => matches!(e.status, Autorestarting | Dead | Restarting),
        _ => false,
    }
}

fn surface(name: &str) -> Surface {
    match name.ends_with(".log") {
        true => Surface::Log,
        false => Surface::Output,
    }
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
        late: rule.is_some_and(|r| r.reported_late(d)),
        line,
        also,
        here: Here {
            position: piece.cell,
            ..Here::default()
        },
        ..CardContext::default()
    };
    let card = view::card(&explain(d, prose), &context);
    match piece.cell {
        Some(cell) => card.attr("data-cell", cell.to_string()),
        None => card,
    }
}
