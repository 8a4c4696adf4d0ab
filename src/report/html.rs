//! Self-contained pages: no script, nothing loaded.

use super::session::{Report, ReportNotebook, Tally};
use nbmedic_view::{escape, html, Node, Tag, BOTTLENECK};

const STYLE: &str = include_str!("report.css");

/// A page around a body.
pub(super) fn document(title: &str, body: Vec<Node>, redactions: &[Tally]) -> String {
    let mut out = String::from(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<title>",
    );
    escape(&mut out, title);
    out.push_str("</title>\n<style>");
    out.push_str(STYLE);
    out.push_str("</style>\n</head>\n<body>\n<main>\n<h1>");
    escape(&mut out, title);
    out.push_str("</h1>\n");
    for node in &body {
        out.push_str(&html(node));
        out.push('\n');
    }
    if !redactions.is_empty() {
        let list: Vec<String> = redactions
            .iter()
            .map(|t| format!("{} × {}", t.count, t.kind))
            .collect();
        let node = Node::new(Tag::P)
            .class("redacted")
            .text(format!("Redacted: {}.", list.join(", ")));
        out.push_str(&html(&node));
        out.push('\n');
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// Every text of a tree, which loses its buttons.
pub(super) fn texts(node: &mut Node, each: &mut dyn FnMut(&mut String)) {
    each(&mut node.text);
    for (name, value) in &mut node.attrs {
        // What names a diagnosis or an address of the catalogue is not the page's.
        if name == "aria-label" || name == "title" {
            each(value);
        }
    }
    // Nothing of a report answers a click.
    node.act = None;
    node.kids.retain(|kid| kid.tag != Tag::Button);
    for kid in &mut node.kids {
        texts(kid, each);
    }
}

/// The table of what was seen of the environment.
pub(super) fn environment(report: &Report) -> Node {
    let row = |name: &str, value: &str| {
        Node::new(Tag::Tr)
            .kid(Node::new(Tag::Th).text(name))
            .kid(Node::new(Tag::Td).text(value))
    };
    let mut body = Node::new(Tag::Tbody).kid(row("nbmedic", report.version));
    for (name, value) in [
        ("Front end", &report.front_end),
        ("Address", &report.origin),
    ] {
        if !value.is_empty() {
            body = body.kid(row(name, value));
        }
    }
    for nb in &report.notebooks {
        body = body
            .kid(row("Notebook", &nb.name))
            .kid(row("Kernel", nb.kernel));
        if !nb.accelerator.is_empty() {
            body = body.kid(row("Accelerator", &nb.accelerator));
        }
        for v in &nb.vitals {
            body = body.kid(row(v.what, &v.text));
        }
        body = body.kids(nb.bottleneck.iter().map(|text| row(BOTTLENECK, text)));
        if !nb.versions.is_empty() {
            body = body.kid(row("Versions seen", &nb.named_versions()));
        }
    }
    Node::new(Tag::Table).class("environment").kid(body)
}

/// The curves of a notebook's session and what happened in it; nothing where nothing is known.
pub(super) fn history(nb: &ReportNotebook) -> Option<Node> {
    /// Most events listed.
    const MOST: usize = 60;
    if nb.events.is_empty() {
        return None;
    }
    let rows = nb.story(MOST).into_iter().map(|(when, what)| {
        Node::new(Tag::Tr)
            .kid(Node::new(Tag::Th).text(when))
            .kid(Node::new(Tag::Td).text(what))
    });
    let table = Node::new(Tag::Table)
        .class("events")
        .kid(Node::new(Tag::Tbody).kids(rows));
    Some(
        Node::new(Tag::Section)
            .class("history")
            .kid(Node::new(Tag::H2).text("What happened"))
            .kid(nb.chart.draw())
            .kid(table),
    )
}
