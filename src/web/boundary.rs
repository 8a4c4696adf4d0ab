//! Compares both ways of crossing the boundary to JavaScript, for `benches/boundary.mjs`.

use super::Engine;
use nbmedic_protocol::{parse_events, Effect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::JsValue;

/// Reads a JSON array of events and counts them.
#[wasm_bindgen]
pub fn events_as_text(events: &str) -> usize {
    parse_events(events).map_or(0, |events| events.len())
}

/// Reads an array of events and counts them.
#[wasm_bindgen]
pub fn events_as_objects(events: Vec<JsValue>) -> usize {
    super::read(events).len()
}

#[wasm_bindgen]
impl Engine {
    /// All open cards of a page as JSON.
    pub fn cards_as_text(&self, page: &str) -> String {
        nbmedic_json::to_string(&self.effects(page))
    }

    /// All open cards of a page as objects.
    pub fn cards_as_objects(&self, page: &str) -> JsValue {
        super::objects(&self.effects(page)).unwrap_or_default()
    }

    fn effects(&self, page: &str) -> Vec<Effect> {
        self.pages.get(page).map(|p| p.cards()).unwrap_or_default()
    }
}
