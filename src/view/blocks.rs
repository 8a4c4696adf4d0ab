//! Converts running text to nodes.

use super::{Node, Tag};
use nbmedic_catalog::{Block, Inline};

/// Blocks as nodes.
pub fn blocks(list: &[Block]) -> Vec<Node> {
    list.iter().map(block).collect()
}

fn block(block: &Block) -> Node {
    match block {
        Block::P(p) => inlines(Node::new(Tag::P), p),
        Block::List(items) => {
            let item = |i: &Vec<Inline>| inlines(Node::new(Tag::Li), i);
            Node::new(Tag::Ul).kids(items.iter().map(item))
        }
        Block::Code(language, text) => code(language, text),
    }
}

/// Code to read.
pub fn code(language: &str, text: &str) -> Node {
    let mut code = Node::new(Tag::Code).foreign(text);
    if !language.is_empty() {
        code = code.attr("data-language", language);
    }
    Node::new(Tag::Pre).kid(code)
}

/// Running text in an element.
pub fn inlines(mut node: Node, list: &[Inline]) -> Node {
    for (i, inline) in list.iter().enumerate() {
        node.kids.push(match inline {
            Inline::Text(t) if i == 0 => {
                node = node.foreign(t.as_str());
                continue;
            }
            Inline::Text(t) => Node::new(Tag::Span).foreign(t.as_str()),
            Inline::Code(t) => Node::new(Tag::Code).foreign(t.as_str()),
            Inline::Em(t) => Node::new(Tag::Em).foreign(t.as_str()),
            Inline::Strong(t) => Node::new(Tag::Strong).foreign(t.as_str()),
            Inline::Link(t, href) => link(t, href),
        });
    }
    node
}

/// A link; without an `https:` address, only its text.
pub fn link(text: &str, href: &str) -> Node {
    if href.starts_with("https://") {
        Node::new(Tag::A).foreign(text).attr("href", href)
    } else {
        Node::new(Tag::Span).foreign(text)
    }
}
