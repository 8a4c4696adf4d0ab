//! Writes a tree as HTML, in English.

use super::{Node, Tag};

/// The name of an element.
pub fn name(tag: Tag) -> &'static str {
    match tag {
        Tag::Section => "section",
        Tag::Header => "header",
        Tag::Footer => "footer",
        Tag::Div => "div",
        Tag::P => "p",
        Tag::Span => "span",
        Tag::Strong => "strong",
        Tag::Em => "em",
        Tag::Code => "code",
        Tag::Pre => "pre",
        Tag::Ul => "ul",
        Tag::Ol => "ol",
        Tag::Li => "li",
        Tag::H2 => "h2",
        Tag::H3 => "h3",
        Tag::H4 => "h4",
        Tag::Details => "details",
        Tag::Summary => "summary",
        Tag::Button => "button",
        Tag::A => "a",
        Tag::Small => "small",
        Tag::Table => "table",
        Tag::Thead => "thead",
        Tag::Tbody => "tbody",
        Tag::Tr => "tr",
        Tag::Th => "th",
        Tag::Td => "td",
        Tag::Dl => "dl",
        Tag::Dt => "dt",
        Tag::Dd => "dd",
        Tag::Mark => "mark",
        Tag::Del => "del",
        Tag::Ins => "ins",
        Tag::Svg => "svg",
        Tag::Path => "path",
        Tag::Line => "line",
    }
}

/// Whether an attribute may be written: one that every renderer accepts.
pub fn allowed(name: &str, value: &str) -> bool {
    let word = |s: &str| {
        !s.is_empty()
            && s.chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    match name {
        "role" | "title" | "lang" | "hidden" | "open" | "id" | "type" => true,
        "href" => value.starts_with("https://"),
        "viewBox" | "preserveAspectRatio" | "d" | "x1" | "x2" | "y1" | "y2" => value
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || " .-".contains(c)),
        _ => ["aria-", "data-"]
            .iter()
            .any(|p| name.strip_prefix(p).is_some_and(word)),
    }
}

/// The tree as HTML, with everything escaped. Buttons are left out, because they can't work in a
/// document without scripts.
pub fn html(node: &Node) -> String {
    let mut out = String::new();
    write(&mut out, node, None);
    out
}

/// The same for a page whose style sheets are not ours: each element has its style in it, and no class.
pub fn html_styled(node: &Node, style: &dyn Fn(&Node) -> &'static str) -> String {
    let mut out = String::new();
    write(&mut out, node, Some(style));
    out
}

fn write(out: &mut String, node: &Node, style: Option<&dyn Fn(&Node) -> &'static str>) {
    if node.tag == Tag::Button {
        return;
    }
    let tag = name(node.tag);
    out.push('<');
    out.push_str(tag);
    match style.map(|style| style(node)) {
        None if node.class.is_empty() => {}
        None => attribute(out, "class", &node.class),
        Some("") => {}
        Some(style) => attribute(out, "style", style),
    }
    for (name, value) in &node.attrs {
        if allowed(name, value) {
            attribute(out, name, value);
        }
    }
    for (name, text) in &node.labels {
        attribute(out, name, &text.english());
    }
    if node.tag == Tag::A {
        attribute(out, "rel", "noopener noreferrer");
    }
    out.push('>');
    escape(out, &node.text.english());
    for kid in &node.kids {
        write(out, kid, style);
    }
    out.push_str("</");
    out.push_str(tag);
    out.push('>');
}

fn attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    escape(out, value);
    out.push('"');
}

/// Writes text so that it can't form markup.
pub fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Control characters are not allowed in HTML.
            c if c.is_control() && c != '\n' && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Action;

    #[test]
    fn nothing_in_a_tree_becomes_markup() {
        let node = Node::new(Tag::P)
            .class("a\" onclick=\"x")
            .foreign("<img src=x onerror=alert(1)>")
            .attr("onclick", "alert(1)")
            .attr("data-x y", "1")
            .attr("href", "javascript:alert(1)")
            .attr("title", "\"'><script>")
            .kid(Node::new(Tag::Button).foreign("copy").act(Action::Preview))
            .kid(
                Node::new(Tag::A)
                    .foreign("a & b")
                    .attr("href", "https://x.org/?a&b"),
            );
        assert_eq!(
            html(&node),
            "<p class=\"a&quot; onclick=&quot;x\" title=\"&quot;&#39;&gt;&lt;script&gt;\">\
             &lt;img src=x onerror=alert(1)&gt;\
             <a href=\"https://x.org/?a&amp;b\" rel=\"noopener noreferrer\">a &amp; b</a></p>"
        );
    }

    #[test]
    fn a_style_stands_in_place_of_the_class() {
        let node = Node::new(Tag::P)
            .class("why")
            .kid(Node::new(Tag::Em).class("x").foreign("a < b"));
        let style = |n: &Node| match n.tag {
            Tag::P => "color:red",
            _ => "",
        };
        assert_eq!(
            html_styled(&node, &style),
            "<p style=\"color:red\"><em>a &lt; b</em></p>"
        );
    }

    #[test]
    fn names_are_what_the_tree_calls_them() {
        for tag in [
            Tag::Section,
            Tag::H2,
            Tag::Tbody,
            Tag::Dd,
            Tag::Svg,
            Tag::Line,
        ] {
            let json = serde_json::to_string(&tag).unwrap();
            assert_eq!(json, format!("\"{}\"", name(tag)));
        }
    }
}
