//! Handles clicks on a view's nodes on the extension's pages.

use crate::ask::copy;
use crate::browser;
use crate::playground_card::later;
use crate::render::put;
use gloo_events::EventListener;
use nbmedic_protocol::{ActionRequest, Done, Text, ViewAct, ViewRequest};
use nbmedic_tree::Action;
use nbmedic_words::{self as words, Say};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event};

/// Makes a drawn view respond to clicks. `tab` is the tab that it shows.
pub fn live(drawn: Element, tab: u32) -> Element {
    let listener = EventListener::new(&drawn, "click", move |event: &Event| {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        let Some(button) = target.and_then(|t| t.closest("[data-act]").ok().flatten()) else {
            return;
        };
        clicked(button, tab);
    });
    // The view lives as long as its page.
    listener.forget();
    drawn
}

/// Handles a click on an element that has an action.
pub fn clicked(button: Element, tab: u32) {
    let act = button.get_attribute("data-act").unwrap_or_default();
    if let Some(act) = browser::parsed(&act) {
        spawn_local(run(act, button, tab));
    }
}

async fn run(act: Action, button: Element, tab: u32) {
    let (done, says) = match act {
        Action::Goto { cell } => {
            acted(ViewAct::Goto { tab, cell }).await;
            return;
        }
        Action::Mute { id, name } => (acted(ViewAct::Mute { tab, id, name }).await, words::muted()),
        Action::Preview => {
            browser::open_page(crate::report::address(tab)).await;
            return;
        }
        Action::Rule { id, variant } => {
            let at = match variant.is_empty() {
                true => String::new(),
                false => format!("#variant-{variant}"),
            };
            browser::open_page(format!("rules/{id}.html{at}")).await;
            return;
        }
        Action::Drift { words } => {
            let answer: Option<Text> = browser::ask(ViewRequest::Drift { tab, words }).await;
            let done = match answer.and_then(|answer| answer.text) {
                Some(text) => copy(&text).await,
                None => false,
            };
            (done, words::copied())
        }
        Action::Copy { text } => (copy(&text).await, words::copied()),
        // Only on a card under a cell.
        Action::Dismiss { .. }
        | Action::Below { .. }
        | Action::Replace { .. }
        | Action::Probe
        | Action::Assistant { .. } => return,
    };
    say(&button, done, says);
}

/// Asks the background to act; true if it did.
async fn acted(act: ViewAct) -> bool {
    let answer: Option<Done> = browser::ask(ActionRequest::Act(act)).await;
    answer.is_some()
}

/// Shows the outcome on the button for a moment.
fn say(button: &Element, done: bool, says: Say) {
    let Some(before) = button.text_content() else {
        return;
    };
    if button.has_attribute("data-done") {
        return;
    }
    let _ = button.set_attribute("data-done", if done { "yes" } else { "no" });
    put(button, if done { says } else { words::failed() });
    let button = button.clone();
    later(move || {
        let _ = button.remove_attribute("data-done");
        button.set_text_content(Some(&before));
    });
}
