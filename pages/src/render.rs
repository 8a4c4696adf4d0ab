//! The view tree as elements: the same allow-list as the sensor's.

use crate::words::say;
use nbmedic_tree::{allowed, tag_name, Node, Tag};
use web_sys::{Document, Element};

thread_local! {
    static DOCUMENT: Document = web_sys::window()
        .and_then(|w| w.document())
        .expect("a page has a document");
}

/// The page's document.
///
/// # Panics
/// Outside a window; pages always have one.
pub fn document() -> Document {
    DOCUMENT.with(Document::clone)
}

/// An element with a class and text: one of our messages in the person's language, anything else as it is.
pub fn element(tag: &str, class: &str, text: &str) -> Element {
    let e = document()
        .create_element(tag)
        .expect("tag names are constants");
    if !class.is_empty() {
        e.set_class_name(class);
    }
    if !text.is_empty() {
        let foreign = matches!(tag, "code" | "pre");
        let text = if foreign { text.to_owned() } else { say(text) };
        e.set_text_content(Some(&text));
    }
    e
}

/// Puts a message into an element, in the person's language.
pub fn put(e: &Element, text: &str) {
    e.set_text_content(Some(&say(text)));
}

/// Names an element for those who can't see it, in the person's language.
pub fn label(e: &Element, text: &str) {
    let _ = e.set_attribute("aria-label", &say(text));
}

/// Draws a tree. Attributes that are not of the contract are left out.
pub fn draw(node: &Node) -> Element {
    draw_in(node, false)
}

/// `foreign`: in what somebody else wrote.
fn draw_in(node: &Node, foreign: bool) -> Element {
    let foreign = foreign || matches!(node.tag, Tag::Code | Tag::Pre);
    let picture = matches!(node.tag, Tag::Svg | Tag::Path | Tag::Line);
    let e = if picture {
        let e = document()
            .create_element_ns(Some("http://www.w3.org/2000/svg"), tag_name(node.tag))
            .expect("tag names are constants");
        let _ = e.set_attribute("class", &node.class);
        e
    } else {
        let e = element(tag_name(node.tag), &node.class, "");
        match (node.text.is_empty(), foreign) {
            (true, _) => {}
            (_, true) => e.set_text_content(Some(&node.text)),
            (_, false) => put(&e, &node.text),
        }
        e
    };
    for (key, value) in &node.attrs {
        if allowed(key, value) {
            let _ = match key.as_str() {
                "aria-label" | "title" => e.set_attribute(key, &say(value)),
                _ => e.set_attribute(key, value),
            };
            if key == "href" {
                let _ = e.set_attribute("target", "_blank");
                let _ = e.set_attribute("rel", "noopener noreferrer");
            }
        }
    }
    if let Some(act) = &node.act {
        if let Ok(json) = serde_json::to_string(act) {
            let _ = e.set_attribute("data-act", &json);
        }
    }
    for kid in &node.kids {
        let _ = e.append_child(&draw_in(kid, foreign));
    }
    e
}
