//! What a click on a node of the view does on a page of the extension.

use crate::browser;
use crate::playground_card::later;
use crate::popup::copy;
use gloo_events::EventListener;
use nbmedic::view::Action;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event};

#[derive(Default, Serialize)]
struct Ask {
    nbmedic: u8,
    kind: &'static str,
    tab: f64,
    #[serde(rename = "do", skip_serializing_if = "str::is_empty")]
    what: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    cell: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    id: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    format: &'static str,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Answer {
    text: Option<String>,
}

/// A drawn view that answers clicks. `tab` is the tab that it is about.
pub fn live(drawn: Element, tab: f64) -> Element {
    let listener = EventListener::new(&drawn, "click", move |event: &Event| {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        let Some(button) = target.and_then(|t| t.closest("[data-act]").ok().flatten()) else {
            return;
        };
        let act = button.get_attribute("data-act").unwrap_or_default();
        if let Ok(act) = serde_json::from_str(&act) {
            spawn_local(run(act, button, tab));
        }
    });
    // The view lives as long as its page.
    listener.forget();
    drawn
}

async fn run(act: Action, button: Element, tab: f64) {
    let ask = Ask {
        nbmedic: 1,
        kind: "act",
        tab,
        ..Ask::default()
    };
    let (ask, says) = match act {
        Action::Goto { cell } => (
            Ask {
                what: "goto",
                cell,
                ..ask
            },
            None,
        ),
        Action::Mute { id } => (
            Ask {
                what: "mute",
                id,
                ..ask
            },
            Some("Muted"),
        ),
        Action::Report => (
            Ask {
                kind: "report",
                format: "markdown",
                ..ask
            },
            Some("Copied"),
        ),
        Action::Drift => (
            Ask {
                kind: "drift",
                ..ask
            },
            Some("Copied"),
        ),
        Action::Copy { text } => {
            say(&button, copy(&text).await, "Copied");
            return;
        }
        Action::Dismiss { .. } => return,
    };
    let copies = ask.kind != "act";
    let answer: Option<Answer> = browser::ask(&ask).await;
    let done = match answer {
        Some(Answer { text: Some(text) }) => copy(&text).await,
        Some(_) => !copies,
        None => false,
    };
    if let Some(says) = says {
        say(&button, done, says);
    }
}

/// The button says for a moment what it did.
fn say(button: &Element, done: bool, says: &str) {
    let Some(before) = button.text_content() else {
        return;
    };
    if button.has_attribute("data-done") {
        return;
    }
    let _ = button.set_attribute("data-done", if done { "yes" } else { "no" });
    button.set_text_content(Some(if done { says } else { "That did not work" }));
    let button = button.clone();
    later(move || {
        let _ = button.remove_attribute("data-done");
        button.set_text_content(Some(&before));
    });
}
