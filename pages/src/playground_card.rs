//! A card on the playground and the welcome page: the tree in a shadow root, with the card's own style sheet.

use crate::ask::copy;
use crate::render::{draw, element, put, worded};
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use gloo_utils::window;
use js_sys::{Array, Reflect};
use nbmedic_tree::{Action, Node, Tag};
use nbmedic_words::{self as words, foreign};
use wasm_bindgen::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event, MediaQueryList, ShadowRoot, ShadowRootInit, ShadowRootMode};

/// How long a button shows its outcome, in milliseconds.
const DONE_MS: u32 = 2000;

/// Takes the code that is to stand in a card's cell.
pub type Put = Box<dyn Fn(String)>;

/// A card on the page. Dropping it removes its listeners.
pub struct Card {
    /// The line above it: the cell, and a link to the reference.
    pub head: Element,
    /// The element that contains it.
    pub host: Element,
    _listeners: Vec<EventListener>,
}

impl Card {
    /// Draws a card's tree. `put` receives the code that is to stand in the cell, where there is a cell to put it into.
    pub fn new(mut tree: Node, sheet: &JsValue, put: Option<Put>) -> Card {
        without_page(&mut tree, put.is_some());
        name_once(&mut tree);
        let host = element("nbmedic-card", "");
        let mut listeners = follow_theme(&host);
        if let Ok(root) = host.attach_shadow(&ShadowRootInit::new(ShadowRootMode::Open)) {
            let _ = Reflect::set(&root, &"adoptedStyleSheets".into(), &Array::of1(sheet));
            let live = element("div", "live");
            let _ = live.set_attribute("role", "status");
            let _ = root.append_child(&live);
            let drawn = draw(&tree);
            // Scrollable elements must be reachable by keyboard.
            let scrolling = drawn.query_selector_all("pre, .line, .evidence ol");
            for e in scrolling.into_iter().flat_map(|list| list.values()) {
                if let Some(e) = e.ok().and_then(|e| e.dyn_into::<Element>().ok()) {
                    let _ = e.set_attribute("tabindex", "0");
                }
            }
            let _ = root.append_child(&drawn);
            listeners.push(answer_clicks(&root, &live, put));
        }
        Card {
            head: head(&tree),
            host,
            _listeners: listeners,
        }
    }
}

/// Removes actions that only work on a notebook's page. `puts`: a repaired cell can be put in place of the broken one.
fn without_page(node: &mut Node, puts: bool) {
    node.kids
        .retain(|kid| matches!(kid.act, None | Some(Action::Copy { .. })));
    let whole = node.kids.iter().position(|kid| kid.class == "copy cell");
    if let Some(at) = whole.filter(|_| puts) {
        if let Some(Action::Copy { text }) = node.kids[at].act.clone() {
            let (cell, was) = (String::new(), String::new());
            let replace = Node::new(Tag::Button)
                .class("replace")
                .attr("type", "button")
                .text(words::replace_in_cell())
                .act(Action::Replace { cell, text, was });
            node.kids.insert(at, replace);
        }
    }
    for kid in &mut node.kids {
        without_page(kid, puts);
    }
}

/// Makes landmark names unique on the page: cells may fail alike.
fn name_once(tree: &mut Node) {
    if let Some(cell) = tree.attrs.get("data-cell").cloned() {
        if let Some(label) = tree.labels.get_mut("aria-label") {
            let cell = words::cell_place(foreign(cell));
            *label = words::play_card_cell(label.clone(), cell).into();
        }
    }
}

fn head(tree: &Node) -> Element {
    let head = element("p", "found-head");
    let attr = |name: &str| tree.attrs.get(name).cloned();
    if let Some(cell) = attr("data-cell") {
        let _ = head.append_child(&worded("strong", "", words::capital_place(foreign(cell))));
    }
    if let Some(id) = attr("data-id") {
        let link = worded("a", "", words::play_about(foreign(id.as_str())));
        // Ids are made of letters and hyphens.
        let _ = link.set_attribute("href", &format!("rules/{id}/"));
        let _ = head.append_child(&link);
    }
    head
}

/// Keeps the card's theme in step with the system's.
fn follow_theme(host: &Element) -> Vec<EventListener> {
    let query = window()
        .match_media("(prefers-color-scheme: dark)")
        .ok()
        .flatten();
    let Some(query) = query else {
        return Vec::new();
    };
    let paint = |host: &Element, query: &MediaQueryList| {
        let theme = if query.matches() { "dark" } else { "light" };
        let _ = host.set_attribute("data-theme", theme);
    };
    paint(host, &query);
    let (host, now) = (host.clone(), query.clone());
    vec![EventListener::new(&query, "change", move |_| {
        paint(&host, &now);
    })]
}

fn answer_clicks(root: &ShadowRoot, live: &Element, put_code: Option<Put>) -> EventListener {
    let live = live.clone();
    EventListener::new(root, "click", move |event: &Event| {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        let Some(button) = target.and_then(|t| t.closest("[data-act]").ok().flatten()) else {
            return;
        };
        let act = button.get_attribute("data-act").unwrap_or_default();
        let text = match crate::browser::parsed(&act) {
            Some(Action::Copy { text }) => text,
            Some(Action::Replace { text, .. }) => {
                if let Some(put_code) = &put_code {
                    put_code(text);
                }
                return;
            }
            _ => return,
        };
        let live = live.clone();
        spawn_local(async move {
            let done = copy(&text).await;
            let _ = button.set_attribute("data-done", if done { "yes" } else { "no" });
            put(
                &live,
                match done {
                    true => words::copied(),
                    false => words::could_not_copy(),
                },
            );
            later(move || {
                let _ = button.remove_attribute("data-done");
                live.set_text_content(None);
            });
        });
    })
}

/// Calls `f` once a button has shown its outcome long enough.
pub fn later(f: impl FnOnce() + 'static) {
    Timeout::new(DONE_MS, f).forget();
}
