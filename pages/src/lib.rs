//! The extension's popup, options, side panel, report and history and the web site's playground, in
//! Rust over web-sys. They contain no engine: they request trees from the background, or from the
//! engine that the site's loader runs, and draw them.

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

/// Pages by their name in `<body data-page>`. Calling them through pointers prevents inlining into
/// the caller: a browser compiles a whole function at its first call.
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
