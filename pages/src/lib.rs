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

/// Starts the page that the document names in `<body data-page>`.
///
/// # Errors
/// Only if the document has no body.
#[wasm_bindgen(start)]
pub fn start() -> Result<(), JsValue> {
    let document = render::document();
    let body = document.body().ok_or("the document has no body")?;
    match body.get_attribute("data-page").as_deref() {
        Some("popup") => popup::start(),
        Some("panel") => panel::start(),
        Some("options") => options::start(),
        Some("welcome") => welcome::start(),
        Some("report") => report::start(),
        Some("history") => history::start(),
        _ => {}
    }
    Ok(())
}
