//! The side panel: a session's curves, its events and its problems.

use crate::acts;
use crate::ask::append;
use crate::browser;
use crate::curves::{self, Choice, Listeners};
use crate::render::{document, draw, element, worded};
use crate::report;
use crate::trouble;
use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use gloo_utils::window;
use nbmedic_protocol::ViewRequest;
use nbmedic_tree::chart::Chart;
use nbmedic_tree::{panel as model, Node, Tag, Trouble};
use nbmedic_words as words;
use serde::Deserialize;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;

/// Minimum height of a timeline row, in pixels.
const ROW_PX: f64 = 24.0;
/// Changes that come within this many milliseconds are drawn together.
const TOGETHER_MS: u32 = 300;

#[derive(Default)]
struct Answer {
    /// The notebooks of each page.
    sessions: Vec<Vec<Shown>>,
    troubles: Vec<Trouble>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Shown {
    chart: Chart,
    panel: model::Panel,
}

struct Panel {
    main: Element,
    /// Redrawn at every change.
    body: Element,
    /// The tab whose report is offered below the body.
    reported: Cell<Option<u32>>,
    listeners: Listeners,
    tab: Cell<Option<u32>>,
    /// The page's address names the tab, so it does not change.
    fixed: bool,
    choice: Choice,
    waiting: RefCell<Option<Timeout>>,
}

/// Starts the panel.
pub fn start() {
    let named = browser::asked_for("tab").and_then(|tab| tab.parse().ok());
    let panel = Rc::new(Panel {
        main: element("main", "panel"),
        body: element("div", "sessions"),
        reported: Cell::new(None),
        listeners: Listeners::default(),
        tab: Cell::new(named),
        fixed: named.is_some(),
        choice: Choice::default(),
        waiting: RefCell::new(None),
    });
    append(
        &panel.main,
        &worded("h1", "name", words::foreign("nbmedic")),
    );
    append(&panel.main, &panel.body);
    let p = panel.clone();
    EventListener::new(&panel.main, "click", move |event| {
        let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
        let button = target.and_then(|t| t.closest("[data-act]").ok().flatten());
        if let (Some(button), Some(tab)) = (button, p.tab.get()) {
            acts::clicked(button, tab);
        }
    })
    .forget();
    let p = panel.clone();
    browser::on_changed(move |tab| {
        if p.tab.get() == tab || tab.is_none() {
            later(&p);
        }
    });
    if !panel.fixed {
        let p = panel.clone();
        browser::on_activated(move || later(&p));
    }
    spawn_local(async move {
        show(&panel).await;
        if let Some(body) = document().body() {
            body.replace_children_with_node_1(&panel.main);
        }
    });
}

/// Redraws once no change has come for a moment.
fn later(panel: &Rc<Panel>) {
    if panel.waiting.borrow().is_some() {
        return;
    }
    let p = panel.clone();
    let timer = Timeout::new(TOGETHER_MS, move || {
        p.waiting.replace(None);
        spawn_local(async move { show(&p).await });
    });
    panel.waiting.replace(Some(timer));
}

async fn ask(tab: u32) -> Option<Answer> {
    let answer = browser::answer(ViewRequest::Panel { tab }).await?;
    Some(Answer {
        sessions: browser::texts(&answer, "sessions")?,
        troubles: browser::field(&answer, "troubles")?,
    })
}

async fn show(panel: &Rc<Panel>) {
    if !panel.fixed {
        panel.tab.set(browser::active_tab().await.map(|t| t.id));
    }
    let answer: Option<Answer> = match panel.tab.get() {
        None => Some(Answer::default()),
        Some(tab) => ask(tab).await,
    };
    // Built before the old content is replaced, so that nothing flickers and the page keeps its
    // scroll position.
    let new = element("div", "");
    let old = panel.listeners.take();
    let mut any = false;
    match answer {
        None => append(&new, &worded("p", "trouble", words::no_answer())),
        Some(answer) => {
            if let Some(tab) = panel.tab.get() {
                let again = panel.clone();
                let retry = move || {
                    let panel = again.clone();
                    async move { Box::pin(show(&panel)).await }
                };
                if let Some(section) = trouble::section(&answer.troubles, tab, retry) {
                    append(&new, &section);
                }
            }
            any = answer.sessions.iter().any(|s| !s.is_empty());
            if !any {
                append(&new, &worded("p", "empty", words::panel_none()));
            }
            let first = panel.body.first_child().is_none();
            for shown in answer.sessions.into_iter().flatten() {
                let mut tree = shown.panel.draw();
                let below = match first {
                    true => beyond(&mut tree, rows_in_view()),
                    false => Vec::new(),
                };
                let session = session(panel, draw(&tree), shown.chart);
                append(&new, &session);
                add_later(session, below);
            }
        }
    }
    let focus = focused(&panel.body);
    keep_unfolded(&panel.body, &new);
    panel.body.replace_children_with_node_1(&new);
    drop(old);
    if let Some(at) = focus {
        focus_again(&panel.body, at);
    }
    report_of(panel, panel.tab.get().filter(|_| any));
}

/// How many rows of a timeline fit into the window.
fn rows_in_view() -> usize {
    let height = window().inner_height().ok();
    let height = height.and_then(|h| h.as_f64()).unwrap_or(1000.0);
    (height / ROW_PX) as usize + 1
}

/// Removes the rows below the visible part of a timeline from its tree, and returns them.
fn beyond(tree: &mut Node, rows: usize) -> Vec<Node> {
    let timeline = tree.kids.iter_mut().find(|n| n.class == "events");
    let list = timeline.and_then(|n| n.kids.iter_mut().find(|n| n.tag == Tag::Ol));
    list.map_or_else(Vec::new, |list| {
        list.kids.split_off(rows.min(list.kids.len()))
    })
}

/// Adds those rows once the first ones have been painted.
fn add_later(session: Element, rows: Vec<Node>) {
    if rows.is_empty() {
        return;
    }
    let rest = move || {
        if let Ok(Some(list)) = session.query_selector(".events ol") {
            for row in &rows {
                let row = draw(row);
                times(&row);
                append(&list, &row);
            }
        }
    };
    // A frame's callbacks run before it is painted, and timeouts set in them run after it.
    let painted = Closure::once_into_js(move || Timeout::new(0, rest).forget());
    let _ = window().request_animation_frame(painted.unchecked_ref());
}

/// Offers the report of a tab below its sessions.
fn report_of(panel: &Panel, tab: Option<u32>) {
    if panel.reported.replace(tab) == tab {
        return;
    }
    if let Ok(Some(old)) = panel.main.query_selector(".reports") {
        old.remove();
    }
    if let Some(tab) = tab {
        append(&panel.main, &report::section(tab));
    }
}

fn session(panel: &Panel, tree: Element, chart: Chart) -> Element {
    if let Ok(Some(place)) = tree.query_selector(".chart") {
        curves::show(&place, chart, &panel.choice, &panel.listeners);
    }
    times(&tree);
    tree
}

/// Fills in times of day at a tree's timestamps.
fn times(tree: &Element) {
    let Ok(times) = tree.query_selector_all("[data-at]") else {
        return;
    };
    for i in 0..times.length() {
        let Some(time) = times.item(i).and_then(|n| n.dyn_into::<Element>().ok()) else {
            continue;
        };
        let at = time.get_attribute("data-at").and_then(|at| at.parse().ok());
        time.set_text_content(at.map(curves::clock).as_deref());
    }
}

/// Unfolds in the new sessions what is unfolded in the old ones.
fn keep_unfolded(old: &Element, new: &Element) {
    let sessions = |of: &Element| of.query_selector_all(".session").ok();
    let (Some(old), Some(new)) = (sessions(old), sessions(new)) else {
        return;
    };
    let fold = |session: Option<web_sys::Node>| {
        let session = session?.dyn_into::<Element>().ok()?;
        session.query_selector(".solved").ok().flatten()
    };
    for i in 0..old.length() {
        let open = fold(old.item(i)).is_some_and(|f| f.has_attribute("open"));
        if let Some(fold) = fold(new.item(i)).filter(|_| open) {
            let _ = fold.set_attribute("open", "");
        }
    }
}

/// Selector of the elements that can be focused.
const STOPS: &str = "button, a, summary, [tabindex]";

/// Index of the focused element among those that can be focused.
fn focused(main: &Element) -> Option<u32> {
    let active = document().active_element()?;
    let stops = main.query_selector_all(STOPS).ok()?;
    (0..stops.length()).find(|i| stops.item(*i).as_ref() == Some(active.as_ref()))
}

fn focus_again(main: &Element, at: u32) {
    let stop = main.query_selector_all(STOPS).ok().and_then(|s| s.item(at));
    if let Some(stop) = stop.and_then(|n| n.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = stop.focus();
    }
}
