//! The extension's popup, options, side panel, report and history and the web site's playground, in Rust over web-sys. It holds no engine: it
//! asks the background, or the engine that the site's loader runs, for trees and draws them.

mod acts;
mod ask;
mod browser;
mod choose;
mod curves;
mod history;
mod options;
mod panel;
mod playground;
mod playground_card;
mod popup;
mod probe;
mod render;
mod report;
mod trouble;
mod welcome;
mod words;

use wasm_bindgen::prelude::*;

/// Pages by what `<body data-page>` calls them. Called by their address, none becomes part of the function that calls
/// them: a browser compiles a function at its first call, and whole.
const PAGES: [(&str, fn()); 6] = [
    ("popup", popup::start),
    ("panel", panel::start),
    ("options", options::start),
    ("welcome", welcome::start),
    ("report", report::start),
    ("history", history::start),
];

/// Starts the page that the document names in `<body data-page>`.
///
/// # Errors
/// Only if the document has no body.
#[wasm_bindgen(start)]
pub fn start() -> Result<(), JsValue> {
    let document = render::document();
    let body = document.body().ok_or("the document has no body")?;
    let named = body.get_attribute("data-page").unwrap_or_default();
    if let Some((_, start)) = PAGES.iter().find(|(name, _)| *name == named) {
        start();
    }
    Ok(())
}
