//! Shared by the extension's pages: buttons, and copying or saving a text.

use crate::render::{document, element, worded};
use gloo_events::EventListener;
use gloo_utils::window;
use js_sys::Array;
use nbmedic_words::Text;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, Element, HtmlAnchorElement, HtmlButtonElement, HtmlDocument,
    HtmlElement, HtmlTextAreaElement, Url,
};

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

/// Calls `f` at every click.
pub fn on_click(target: &HtmlButtonElement, mut f: impl FnMut() + 'static) {
    // The page's elements live as long as the page.
    EventListener::new(target, "click", move |_| f()).forget();
}

/// Copies a text to the clipboard.
pub(crate) async fn copy(text: &str) -> bool {
    let clipboard = window().navigator().clipboard();
    // A page on a plain http: address has no clipboard API.
    if !clipboard.is_undefined() {
        let written = JsFuture::from(clipboard.write_text(text)).await;
        if written.is_ok() {
            return true;
        }
    }
    select_and_copy(text)
}

/// The old way: selects and copies a text field that holds the text, then restores the focus.
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
        // Restoring the focus is optional.
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
