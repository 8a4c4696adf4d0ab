//! The probe's start cells, which the popup inserts into the notebook or copies.

use crate::ask::{button, copy, on_click};
use crate::browser;
use crate::render::{element, put, worded};
use nbmedic_protocol::{ActionRequest, Done};
use nbmedic_words as words;
use serde::Deserialize;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;

/// Both cells, as the build added them to the package (probe/cell/make.py).
const CELLS: &str = "probe-cell.json";
/// The cell that does the same where the Python package is installed.
const LINE: &str = "%load_ext nbmedic";

#[derive(Default, Deserialize)]
#[serde(default)]
struct Cells {
    /// With the native probe for x86-64 embedded. Absent if the package was built without one.
    native: Option<String>,
    /// Python only.
    readable: String,
}

/// Explains the probe, with buttons that insert the cell that starts it into the tab's notebook, or
/// copy it.
pub(crate) fn section(tab: u32) -> Element {
    let section = element("section", "probe");
    let row = element("div", "row");
    let said = element("p", "said");
    let _ = said.set_attribute("role", "status");
    for child in [
        &worded("h2", "", words::probe_title()),
        &worded("p", "", words::probe_words()),
        &row,
        &worded("p", "", words::probe_line_words()),
        &said,
    ] {
        let _ = section.append_child(child);
    }
    spawn_local(async move {
        let Some(cells) = browser::packaged::<Cells>(CELLS).await else {
            put(&said, words::probe_missing());
            return;
        };
        let place = button(words::insert_cell(), "primary");
        let (told, cell) = (
            said.clone(),
            cells.native.as_ref().unwrap_or(&cells.readable).clone(),
        );
        let pressed = place.clone();
        on_click(&place, move || {
            let (told, cell, pressed) = (told.clone(), cell.clone(), pressed.clone());
            // A second press before the first is done would insert a second cell.
            pressed.set_disabled(true);
            spawn_local(async move {
                let asked = browser::ask::<Done>(ActionRequest::Insert { tab }).await;
                let words = if asked.is_some_and(|a| a.done) {
                    words::inserted()
                } else if copy(&cell).await {
                    words::insert_copied()
                } else {
                    words::insert_failed()
                };
                put(&told, words);
                pressed.set_disabled(false);
            });
        });
        let _ = row.append_child(&place);
        let offers = [
            cells.native.map(|cell| (words::probe_copy(), cell)),
            Some((words::probe_readable(), cells.readable)),
            Some((words::probe_line(), LINE.to_owned())),
        ];
        for (label, cell) in offers.into_iter().flatten() {
            let button = button(label, "");
            let said = said.clone();
            on_click(&button, move || {
                let (said, cell) = (said.clone(), cell.clone());
                spawn_local(async move {
                    let words = match copy(&cell).await {
                        true => words::probe_copied(),
                        false => words::no_clipboard(),
                    };
                    put(&said, words);
                });
            });
            let _ = row.append_child(&button);
        }
    });
    section
}
