//! The playground: takes a text or a file, and shows the cards and the report. The loader runs the
//! engine; this page queries it and draws the trees that it returns.

use crate::ask::{copy, save};
use crate::playground_card as cards;
use crate::render::{document, element, put, worded};
use gloo_events::{EventListener, EventListenerOptions};
use js_sys::Promise;
use nbmedic_tree::Node;
use nbmedic_words::{self as words, foreign, Text};
use serde::Deserialize;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{spawn_local, JsFuture};
use web_sys::{
    DragEvent, Element, Event, File, HtmlButtonElement, HtmlElement, HtmlInputElement,
    HtmlTextAreaElement, InputEvent, KeyboardEvent,
};

/// Largest file that is read, in bytes.
const MAX_FILE: f64 = 64.0 * 1024.0 * 1024.0;
#[wasm_bindgen]
extern "C" {
    /// The loader's interface.
    pub type Host;
    /// The card's style sheet.
    #[wasm_bindgen(method, getter)]
    fn sheet(this: &Host) -> JsValue;
    /// The engine's answer for a file's text and name.
    #[wasm_bindgen(method)]
    fn examine(this: &Host, text: &str, name: &str) -> Promise;
    /// The text of an example.
    #[wasm_bindgen(method)]
    fn example(this: &Host, name: &str) -> Promise;
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Answer {
    error: Option<String>,
    json: String,
    markdown: String,
    tree: Option<Node>,
}

struct Page {
    host: Host,
    text: HtmlTextAreaElement,
    pad: Element,
    said: Element,
    results: HtmlElement,
    explain: HtmlButtonElement,
    clear: HtmlElement,
    file: HtmlInputElement,
    /// Number of the latest question: answers to earlier ones are dropped.
    asked: Cell<u32>,
    shown: RefCell<Vec<cards::Card>>,
}

/// Starts the playground with the loader's interface.
///
/// # Errors
/// If the document lacks one of the page's elements.
#[wasm_bindgen]
pub fn playground(host: Host) -> Result<(), JsValue> {
    let page = Rc::new(Page {
        host,
        text: by_id("text")?,
        pad: by_id("form")?,
        said: by_id("said")?,
        results: by_id("results")?,
        explain: by_id("explain")?,
        clear: by_id("clear")?,
        file: by_id("file")?,
        asked: Cell::new(0),
        shown: RefCell::new(Vec::new()),
    });
    wire_text(&page);
    wire_files(&page)?;
    wire_examples(&page)?;
    page.fits();
    Ok(())
}

fn by_id<T: JsCast>(id: &str) -> Result<T, JsValue> {
    let found = document().get_element_by_id(id);
    found
        .and_then(|e| e.dyn_into().ok())
        .ok_or_else(|| JsValue::from_str(&format!("the page has no #{id}")))
}

/// Listens for the page's lifetime.
fn on(target: &web_sys::EventTarget, kind: &'static str, f: impl FnMut(&Event) + 'static) {
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(target, kind, options, f).forget();
}

fn wire_text(page: &Rc<Page>) {
    let p = page.clone();
    on(&page.pad, "submit", move |event| {
        event.prevent_default();
        p.explain_text(true);
    });
    let p = page.clone();
    on(&page.text, "keydown", move |event| {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        if key.key() == "Enter" && (key.ctrl_key() || key.meta_key()) {
            event.prevent_default();
            p.explain_text(true);
        }
    });
    let p = page.clone();
    on(&page.text, "input", move |event| {
        p.fits();
        // A paste is explained at once, and the focus stays; typed text waits for the button.
        let kind = event.dyn_ref::<InputEvent>().map(InputEvent::input_type);
        if kind.as_deref() == Some("insertFromPaste") {
            p.explain_text(false);
        }
    });
    let p = page.clone();
    on(&page.clear, "click", move |_| {
        p.text.set_value("");
        p.forget();
        p.say(foreign(""), false);
        p.fits();
        let _ = p.text.focus();
    });
}

fn wire_files(page: &Rc<Page>) -> Result<(), JsValue> {
    let open: HtmlButtonElement = by_id("open")?;
    let file = page.file.clone();
    on(&open, "click", move |_| file.click());
    open.set_disabled(false);
    let p = page.clone();
    on(&page.file, "change", move |_| {
        if let Some(file) = p.file.files().and_then(|list| list.get(0)) {
            p.take(file, 1);
        }
        // Allows the same file to be chosen again.
        p.file.set_value("");
    });
    let root = document()
        .document_element()
        .ok_or("the document is empty")?;
    let p = page.clone();
    on(&root, "dragover", move |event| {
        if has_files(event) {
            event.prevent_default();
            let _ = p.pad.class_list().add_1("over");
        }
    });
    let p = page.clone();
    on(&root, "dragleave", move |event| {
        let drag = event.dyn_ref::<DragEvent>();
        // Without a related target, the pointer has left the window.
        if drag.is_some_and(|d| d.related_target().is_none()) {
            let _ = p.pad.class_list().remove_1("over");
        }
    });
    let p = page.clone();
    on(&root, "drop", move |event| {
        if !has_files(event) {
            return;
        }
        event.prevent_default();
        let _ = p.pad.class_list().remove_1("over");
        let drag = event.dyn_ref::<DragEvent>();
        let files = drag
            .and_then(DragEvent::data_transfer)
            .and_then(|data| data.files());
        if let Some(files) = files {
            if let Some(file) = files.get(0) {
                p.take(file, files.length());
            }
        }
    });
    Ok(())
}

/// Whether a drag has files. The browser handles text that is dragged into the box.
fn has_files(event: &Event) -> bool {
    let drag = event.dyn_ref::<DragEvent>();
    let data = drag.and_then(DragEvent::data_transfer);
    data.is_some_and(|d| d.types().includes(&JsValue::from_str("Files"), 0))
}

fn wire_examples(page: &Rc<Page>) -> Result<(), JsValue> {
    let row: Element = by_id("examples")?;
    let buttons = row.get_elements_by_tag_name("button");
    for button in (0..buttons.length()).filter_map(|i| buttons.item(i)) {
        let Ok(button) = button.dyn_into::<HtmlButtonElement>() else {
            continue;
        };
        button.set_disabled(false);
        let name = button.get_attribute("data-example").unwrap_or_default();
        let p = page.clone();
        on(&button, "click", move |_| {
            let (p, name) = (p.clone(), name.clone());
            spawn_local(async move {
                match JsFuture::from(p.host.example(&name)).await {
                    Ok(text) => p.give(&text.as_string().unwrap_or_default(), &name, true),
                    Err(e) => p.say(words::play_example(reason(&e)), true),
                }
            });
        });
    }
    page.explain.set_disabled(false);
    Ok(())
}

/// The message of a JavaScript error.
fn reason(error: &JsValue) -> Text {
    match error.dyn_ref::<js_sys::Error>() {
        Some(e) => foreign(e.message()),
        None => foreign(error.as_string().unwrap_or_else(|| format!("{error:?}"))),
    }
}

/// The name of a pasted text in the report, which is in English.
fn pasted() -> String {
    words::play_pasted().english()
}

impl Page {
    fn say(&self, text: impl Into<Text>, trouble: bool) {
        let class = if trouble { "said trouble" } else { "said" };
        self.said.set_class_name(class);
        put(&self.said, text);
    }

    /// Shows the clear button if there is something to clear.
    fn fits(&self) {
        let empty = self.text.value().is_empty() && self.results.hidden();
        self.clear.set_hidden(empty);
    }

    fn forget(&self) {
        self.asked.set(self.asked.get() + 1);
        self.shown.borrow_mut().clear();
        self.results.set_text_content(None);
        self.results.set_hidden(true);
    }

    fn explain_text(self: &Rc<Self>, go: bool) {
        let text = self.text.value();
        if text.trim().is_empty() {
            self.forget();
            self.say(words::play_empty(), true);
            let _ = self.text.focus();
            return;
        }
        self.ask(text, pasted(), go);
    }

    /// Takes a text with a name. Text that people can read is also shown in the box.
    fn give(self: &Rc<Self>, text: &str, name: &str, go: bool) {
        let shown = if name.ends_with(".ipynb") { "" } else { text };
        self.text.set_value(shown);
        self.ask(text.to_owned(), name.to_owned(), go);
    }

    fn take(self: &Rc<Self>, file: File, of: u32) {
        let name = file.name();
        self.forget();
        if file.size() > MAX_FILE {
            let size = (file.size() / (1024.0 * 1024.0)).round() as u64;
            return self.say(words::play_too_large(foreign(name), size), true);
        }
        if of > 1 {
            self.say(words::play_one_file(foreign(name.as_str())), false);
        }
        let page = self.clone();
        spawn_local(async move {
            match JsFuture::from(file.text()).await {
                Ok(text) => {
                    let text = text.as_string().unwrap_or_default();
                    if text.trim().is_empty() {
                        return page.say(words::play_file_empty(foreign(name)), true);
                    }
                    page.text.set_value("");
                    page.ask(text, name, true);
                }
                Err(e) => page.say(words::play_unreadable(foreign(name), reason(&e)), true),
            }
        });
    }

    /// Asks the engine; `go` moves the focus to the answer.
    fn ask(self: &Rc<Self>, text: String, name: String, go: bool) {
        self.forget();
        let turn = self.asked.get();
        self.say(words::play_reading(foreign(name.as_str())), false);
        self.explain.set_attribute("aria-busy", "true").ok();
        let page = self.clone();
        spawn_local(async move {
            let answer = JsFuture::from(page.host.examine(&text, &name)).await;
            if page.asked.get() != turn {
                return;
            }
            page.explain.remove_attribute("aria-busy").ok();
            match answer.map(|json| json.as_string().unwrap_or_default()) {
                Ok(json) => page.answer(&json, &name, go),
                Err(e) => {
                    page.say(words::play_engine(reason(&e)), true);
                }
            }
            page.fits();
        });
    }

    fn answer(&self, json: &str, name: &str, go: bool) {
        let Some(answer) = crate::browser::parsed::<Answer>(json) else {
            return self.say(words::play_answer(), true);
        };
        if let Some(error) = answer.error {
            return self.say(words::play_error(foreign(name), foreign(error)), true);
        }
        let found = answer.tree.map(|tree| tree.kids).unwrap_or_default();
        let verdict = match (found.len(), name == pasted()) {
            (0, true) => words::play_none(),
            (0, false) => words::play_none_in(foreign(name)),
            (1, true) => words::play_one(),
            (1, false) => words::play_one_in(foreign(name)),
            (n, true) => words::play_some(n),
            (n, false) => words::play_some_in(n, foreign(name)),
        };
        let heading = worded("h2", "", verdict.clone());
        let _ = heading.set_attribute("id", "verdict");
        let _ = heading.set_attribute("tabindex", "-1");
        let head = element("div", "results-head");
        append(&head, &heading);
        append(&self.results, &head);
        if found.is_empty() {
            append(&self.results, &calm());
        } else {
            append(&head, &self.report(&answer.json, &answer.markdown));
            let sheet = self.host.sheet();
            for tree in found {
                let card = cards::Card::new(tree, &sheet, None);
                append(&self.results, &card.head);
                append(&self.results, &card.host);
                self.shown.borrow_mut().push(card);
            }
            append(
                &self.results,
                &worded("p", "results-note", words::play_share()),
            );
        }
        self.results.set_hidden(false);
        // The heading already shows it, so this is for screen readers.
        self.say(verdict, false);
        self.said.set_class_name("unseen");
        if go {
            self.results.scroll_into_view();
            if let Ok(heading) = heading.dyn_into::<HtmlElement>() {
                let _ = heading.focus();
            }
        }
    }

    /// The button that copies the report, and what else can be done with it, folded.
    fn report(&self, json: &str, markdown: &str) -> Element {
        let row = element("div", "report");
        append(&row, &self.offer(words::copy_report, markdown, ""));
        let more = element("details", "");
        append(&more, &worded("summary", "", words::play_formats()));
        for (name, text, file) in [
            (
                words::play_save_markdown as words::Message,
                markdown,
                "nbmedic-report.md",
            ),
            (words::play_copy_json, json, ""),
            (words::save_json, json, "nbmedic-report.json"),
        ] {
            append(&more, &self.offer(name, text, file));
        }
        append(&row, &more);
        row
    }

    /// A button that copies a report or, if `file` names one, saves it.
    fn offer(&self, name: words::Message, text: &str, file: &'static str) -> Element {
        let button = worded("button", "", name());
        let _ = button.set_attribute("type", "button");
        let (text, said, shown) = (text.to_owned(), self.said.clone(), button.clone());
        on(&button, "click", move |_| {
            let (text, said, shown) = (text.clone(), said.clone(), shown.clone());
            spawn_local(async move {
                let done = match file {
                    "" => copy(&text).await,
                    _ => save(&text, file),
                };
                let (short, long) = match (done, file) {
                    (true, "") => (words::copied(), words::copied_read()),
                    (true, _) => (words::saved(), words::saved_read()),
                    (false, _) => (words::failed_short(), words::play_not_allowed()),
                };
                put(&shown, short);
                put(&said, long);
                cards::later(move || put(&shown, name()));
            });
        });
        button
    }
}

fn calm() -> Element {
    let calm = element("div", "calm");
    append(&calm, &worded("p", "", words::play_calm()));
    calm
}

fn append(parent: &Element, child: &Element) {
    let _ = parent.append_child(child);
}
