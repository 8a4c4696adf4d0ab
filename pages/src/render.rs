//! Renders the view tree as elements, with the same allow-list as the sensor's.

use crate::words::spoken;
use nbmedic_tree::{allowed, tag_name, Node, Tag};
use nbmedic_words::Text;
use web_sys::Element;

pub use gloo_utils::document;

/// An empty element with a class.
pub fn element(tag: &str, class: &str) -> Element {
    let e = document()
        .create_element(tag)
        .expect("tag names are constants");
    if !class.is_empty() {
        e.set_class_name(class);
    }
    e
}

/// An element with a class and text.
pub fn worded(tag: &str, class: &str, text: impl Into<Text>) -> Element {
    let e = element(tag, class);
    put(&e, text);
    e
}

/// Sets an element's text, in the user's language.
pub fn put(e: &Element, text: impl Into<Text>) {
    e.set_text_content(Some(&spoken(&text.into())));
}

/// Sets an element's accessible name, in the user's language.
pub fn label(e: &Element, text: impl Into<Text>) {
    let _ = e.set_attribute("aria-label", &spoken(&text.into()));
}

/// Draws a tree. Attributes outside the allow-list are left out.
pub fn draw(node: &Node) -> Element {
    let picture = matches!(node.tag, Tag::Svg | Tag::Path | Tag::Line);
    let e = if picture {
        let e = document()
            .create_element_ns(Some("http://www.w3.org/2000/svg"), tag_name(node.tag))
            .expect("tag names are constants");
        let _ = e.set_attribute("class", &node.class);
        e
    } else {
        let e = element(tag_name(node.tag), &node.class);
        if !node.text.is_empty() {
            put(&e, node.text.clone());
        }
        e
    };
    for (key, value) in &node.attrs {
        if allowed(key, value) {
            let _ = e.set_attribute(key, value);
            if key == "href" {
                let _ = e.set_attribute("target", "_blank");
                let _ = e.set_attribute("rel", "noopener noreferrer");
            }
        }
    }
    for (name, text) in &node.labels {
        if allowed(name, "") {
            let _ = e.set_attribute(name, &spoken(text));
        }
    }
    if let Some(act) = &node.act {
        if let Ok(json) = serde_json::to_string(act) {
            let _ = e.set_attribute("data-act", &json);
        }
    }
    for kid in &node.kids {
        let _ = e.append_child(&draw(kid));
    }
    e
}
