//! What the extension's pages share: asking the background, buttons, handing out a text.

use crate::render::{document, element, worded};
use gloo_events::EventListener;
use js_sys::Array;
use nbmedic_words::Text;
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, Element, HtmlAnchorElement, HtmlButtonElement, HtmlDocument,
    HtmlElement, HtmlTextAreaElement, Url,
};

/// What the person set, as the background keeps it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// `system`, `light` or `dark`.
    pub theme: String,
    /// Origins at which nbmedic is switched off.
    pub off: Vec<String>,
    /// When to warn.
    pub limits: Limits,
}

/// When to warn of what has not failed yet; `docs/architecture.md` says what each means.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Not at all.
    pub quiet: bool,
    /// Minutes before memory is full; 0: never.
    pub memory: u32,
    /// Minutes before the disk is full; 0: never.
    pub disk: u32,
    /// Not before so much is used, in percent.
    pub full: u32,
    /// Minutes that a cell runs without saving; 0: never.
    pub unsaved: u32,
}

/// A question to the background; `docs/architecture.md` lists them.
#[derive(Serialize)]
pub struct Ask<'a> {
    nbmedic: u8,
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tab: Option<u32>,
    #[serde(skip_serializing_if = "str::is_empty")]
    page: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    wanted: Option<Wanted<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on: Option<bool>,
    #[serde(rename = "do", skip_serializing_if = "str::is_empty")]
    what: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    cell: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    origin: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    set: Option<Settings>,
}

impl<'a> Ask<'a> {
    /// About nbmedic as a whole.
    pub fn plain(kind: &'a str) -> Self {
        Ask {
            nbmedic: 1,
            kind,
            tab: None,
            page: "",
            wanted: None,
            on: None,
            what: "",
            cell: "",
            id: "",
            origin: "",
            name: "",
            text: "",
            set: None,
        }
    }

    /// About a tab.
    pub fn new(kind: &'a str, tab: u32) -> Self {
        Ask {
            tab: Some(tab),
            ..Ask::plain(kind)
        }
    }

    /// About one of the tab's pages; empty: the newest.
    pub fn page(self, page: &'a str) -> Self {
        Ask { page, ..self }
    }

    /// For a report like this.
    pub fn wanted(self, wanted: Wanted<'a>) -> Self {
        Ask {
            wanted: Some(wanted),
            ..self
        }
    }

    /// Doing something that a view's button stands for.
    pub fn doing(self, what: &'a str) -> Self {
        Ask { what, ..self }
    }

    /// In a cell.
    pub fn cell(self, cell: &'a str) -> Self {
        Ask { cell, ..self }
    }

    /// To a diagnosis.
    pub fn id(self, id: &'a str) -> Self {
        Ask { id, ..self }
    }

    /// With a name for people.
    pub fn name(self, name: &'a str) -> Self {
        Ask { name, ..self }
    }

    /// With a file's text.
    pub fn text(self, text: &'a str) -> Self {
        Ask { text, ..self }
    }

    /// With settings to keep.
    pub fn set(self, settings: Settings) -> Self {
        Ask {
            set: Some(settings),
            ..self
        }
    }

    /// With the origin of the tab's page.
    pub fn origin(self, origin: &'a str) -> Self {
        Ask { origin, ..self }
    }

    /// Switching something.
    pub fn switch(self, on: bool) -> Self {
        Ask {
            on: Some(on),
            ..self
        }
    }
}

/// What the person wants a report to be.
#[derive(Serialize)]
pub struct Wanted<'a> {
    /// `markdown`, `json` or `html`.
    pub format: &'a str,
    /// With the sources of the failing cells.
    pub source: bool,
    /// What is not to be taken out, by the numbers that the engine gave.
    pub back: &'a [u64],
}

/// Appends a child.
pub fn append(parent: &Element, child: &Element) {
    let _ = parent.append_child(child);
}

/// A button.
pub fn button(label: impl Into<Text>, class: &str) -> HtmlButtonElement {
    let b: HtmlButtonElement = worded("button", class, label).unchecked_into();
    b.set_type("button");
    b
}

/// Does something at every click.
pub fn on_click(target: &HtmlButtonElement, mut f: impl FnMut() + 'static) {
    // The page's elements live as long as the page.
    EventListener::new(target, "click", move |_| f()).forget();
}

/// Puts a text on the clipboard.
pub(crate) async fn copy(text: &str) -> bool {
    let Some(window) = web_sys::window() else {
        return false;
    };
    let clipboard = window.navigator().clipboard();
    // A page on a plain http: address has none.
    if !clipboard.is_undefined() {
        let written = JsFuture::from(clipboard.write_text(text)).await;
        if written.is_ok() {
            return true;
        }
    }
    select_and_copy(text)
}

/// The old way: a text field that holds the text, selected and copied, with the focus given back.
fn select_and_copy(text: &str) -> bool {
    let document: HtmlDocument = document().unchecked_into();
    let before = document.active_element();
    let area: HtmlTextAreaElement = element("textarea", "").unchecked_into();
    area.set_value(text);
    if let Some(body) = document.body() {
        append(&body, &area);
    }
    area.select();
    let done = document.exec_command("copy").unwrap_or(false);
    area.remove();
    if let Some(before) = before.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        // Where the focus was is a comfort, no more.
        let _ = before.focus();
    }
    done
}

/// Offers a text as a download; needs no permission.
pub(crate) fn save(text: &str, name: &str) -> bool {
    let bag = BlobPropertyBag::new();
    bag.set_type(match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("md") => "text/markdown",
        _ => "application/json",
    });
    let parts = Array::of1(&JsValue::from_str(text));
    let Ok(blob) = Blob::new_with_str_sequence_and_options(&parts, &bag) else {
        return false;
    };
    let Ok(url) = Url::create_object_url_with_blob(&blob) else {
        return false;
    };
    let link: HtmlAnchorElement = element("a", "").unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    let _ = Url::revoke_object_url(&url);
    true
}
