//! The view tree as elements: the same allow-list as the sensor's.

use nbmedic::view::{allowed, tag_name, Node, Tag};
use web_sys::{Document, Element};

/// The page's document.
///
/// # Panics
/// Outside a window; pages always have one.
pub fn document() -> Document {
    web_sys::window()
        .and_then(|w| w.document())
        .expect("a page has a document")
}

/// An element with a class and text.
pub fn element(tag: &str, class: &str, text: &str) -> Element {
    let e = document()
        .create_element(tag)
        .expect("tag names are constants");
    if !class.is_empty() {
        e.set_class_name(class);
    }
    if !text.is_empty() {
        e.set_text_content(Some(text));
    }
    e
}

/// Draws a tree. Attributes that are not of the contract are left out.
pub fn draw(node: &Node) -> Element {
    let picture = matches!(node.tag, Tag::Svg | Tag::Path | Tag::Line | Tag::Rect);
    let e = if picture {
        let e = document()
            .create_element_ns(Some("http://www.w3.org/2000/svg"), tag_name(node.tag))
            .expect("tag names are constants");
        let _ = e.set_attribute("class", &node.class);
        e
    } else {
        element(tag_name(node.tag), &node.class, &node.text)
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
