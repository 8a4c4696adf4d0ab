//! The probe's start cells, put into the notebook or handed out by the popup.

use crate::ask::{button, copy, on_click, Ask};
use crate::browser;
use crate::render::{element, put};
use serde::Deserialize;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;

/// Both cells, as the build put them into the package (probe/cell/make.py).
const CELLS: &str = "probe-cell.json";

#[derive(Default, Deserialize)]
#[serde(default)]
struct Cells {
    /// With the native probe for x86-64 in it. Absent where the package was built without one.
    native: Option<String>,
    /// All in Python.
    readable: String,
}

/// Whether the background did what it was asked for.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Done {
    done: bool,
}

/// What the probe is for, and buttons that put the cell that starts it into the tab's notebook, or
/// copy it.
pub(crate) fn section(tab: u32) -> Element {
    let section = element("section", "probe", "");
    let words = "A page cannot see why a kernel dies. A small recorder beside the kernel can: \
                 one cell starts it, run again after a crash it says what happened.";
    let row = element("div", "row", "");
    let said = element("p", "said", "");
    let _ = said.set_attribute("role", "status");
    for child in [
        &element("h2", "", "Start the probe"),
        &element("p", "", words),
        &row,
        &said,
    ] {
        let _ = section.append_child(child);
    }
    spawn_local(async move {
        let Some(cells) = browser::packaged::<Cells>(CELLS).await else {
            put(&said, "The cell is missing in this package.");
            return;
        };
        let place = button("Insert into this notebook", "primary");
        let (told, cell) = (
            said.clone(),
            cells.native.as_ref().unwrap_or(&cells.readable).clone(),
        );
        let pressed = place.clone();
        on_click(&place, move || {
            let (told, cell, pressed) = (told.clone(), cell.clone(), pressed.clone());
            // A second press while the first is at work would make a second cell.
            pressed.set_disabled(true);
            spawn_local(async move {
                let asked = browser::ask::<Done>(&Ask::new("insert", tab)).await;
                let words = if asked.is_some_and(|a| a.done) {
                    "Inserted below the cell that you were in. Look at it, then run it."
                } else if copy(&cell).await {
                    "This notebook did not take it, so it is copied: paste it into a new cell and run it."
                } else {
                    "This notebook did not take it, and the browser did not let nbmedic copy it."
                };
                put(&told, words);
                pressed.set_disabled(false);
            });
        });
        let _ = row.append_child(&place);
        let offers = [
            cells.native.map(|cell| ("Copy the start cell", cell)),
            Some(("Copy it in readable Python", cells.readable)),
        ];
        for (label, cell) in offers.into_iter().flatten() {
            let button = button(label, "");
            let said = said.clone();
            on_click(&button, move || {
                let (said, cell) = (said.clone(), cell.clone());
                spawn_local(async move {
                    let words = match copy(&cell).await {
                        true => "Copied. Paste it into a new cell of the notebook and run it.",
                        false => "The browser did not let nbmedic copy it.",
                    };
                    put(&said, words);
                });
            });
            let _ = row.append_child(&button);
        }
    });
    section
}
