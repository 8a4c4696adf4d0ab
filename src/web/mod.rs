//! The engine as JavaScript sees it: JSON in, JSON out, no exception for bad input.

use crate::catalog::prose_from_json;
use crate::session::{parse_events, ProseCache, Session};
use std::collections::BTreeMap;
use wasm_bindgen::prelude::*;

/// The engine, for all pages of one browser.
#[wasm_bindgen]
#[derive(Default)]
pub struct Engine {
    sessions: BTreeMap<String, Session>,
    prose: ProseCache,
}

#[wasm_bindgen]
impl Engine {
    /// An engine that knows no page.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Engine {
        Engine::default()
    }

    /// The version of the engine.
    pub fn version() -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    /// The front-end profiles, a JSON array.
    pub fn profiles(&self) -> String {
        crate::host::profiles_json().to_owned()
    }

    /// Whether events of this page were applied since the engine started.
    pub fn knows(&self, page: &str) -> bool {
        self.sessions.contains_key(page)
    }

    /// Applies a batch; the answer is a JSON array of effects.
    pub fn apply(&mut self, page: &str, events: &str, now_ms: f64) -> String {
        let events = match parse_events(events) {
            Ok(events) => events,
            Err(error) => return failure(&error),
        };
        let session = self.sessions.entry(page.to_owned()).or_default();
        let effects = session.apply(&events, now_ms.max(0.0) as u64, &self.prose);
        serde_json::to_string(&effects).unwrap_or_else(|e| failure(&e.to_string()))
    }

    /// Provides the prose of a diagnosis; a text that is none is given up, not asked for again.
    pub fn provide(&mut self, id: &str, prose: &str) {
        match prose_from_json(prose) {
            Ok(prose) => self.prose.insert(id, prose),
            Err(_) => self.prose.give_up(id),
        }
    }

    /// What nbmedic sees on a page, a view tree.
    pub fn status(&self, page: &str) -> String {
        match self.sessions.get(page) {
            Some(session) => serde_json::to_string(&session.status()).unwrap_or_else(|e| failure(&e.to_string())),
            None => "null".to_owned(),
        }
    }

    /// Forgets a page.
    pub fn drop(&mut self, page: &str) {
        self.sessions.remove(page);
    }
}

fn failure(message: &str) -> String {
    #[derive(serde::Serialize)]
    struct Failure<'a> {
        error: &'a str,
    }
    serde_json::to_string(&Failure { error: message }).unwrap_or_else(|_| "{\"error\":\"\"}".to_owned())
}
