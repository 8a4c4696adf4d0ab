//! Self-contained pages: no script, nothing loaded.

use super::model::{Report, ReportNotebook};
use super::redactor::Tally;
use nbmedic_view::{escape, html, Node, Tag};
use nbmedic_words::{self as words, Text};

const STYLE: &str = include_str!("report.css");

/// Wraps a body in a whole document.
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
            .foreign(format!("Redacted: {}.", list.join(", ")));
        out.push_str(&html(&node));
        out.push('\n');
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// Calls `each` with every text of a tree, and removes the tree's buttons.
pub(super) fn texts(node: &mut Node, each: &mut dyn FnMut(&mut String)) {
    // A changed line is in pieces: a secret that lies across two of them is found in the whole line.
    if node
        .kids
        .iter()
        .any(|k| matches!(k.tag, Tag::Del | Tag::Ins))
    {
        let kids = node.kids.iter().map(|k| k.text.english());
        let line: String = std::iter::once(node.text.english()).chain(kids).collect();
        let mut clean = line.clone();
        each(&mut clean);
        if clean != line {
            node.text = words::foreign(clean);
            node.kids.clear();
        }
        return;
    }
    if let Text::Foreign(text) = &mut node.text {
        each(text);
    }
    for (name, value) in &mut node.attrs {
        // Other attributes come from the catalogue, not from the page.
        if name == "aria-label" || name == "title" {
            each(value);
        }
    }
    // Nothing in a report responds to a click.
    node.act = None;
    node.kids.retain(|kid| kid.tag != Tag::Button);
    for kid in &mut node.kids {
        texts(kid, each);
    }
}

/// The table of the environment.
fn environment(report: &Report) -> Node {
    let row = |name: Text, value: &str| {
        Node::new(Tag::Tr)
            .kid(Node::new(Tag::Th).text(name))
            .kid(Node::new(Tag::Td).foreign(value))
    };
    let mut body = Node::new(Tag::Tbody).kid(row(words::foreign("nbmedic"), report.version));
    for (name, value) in [
        (words::front_end().into(), &report.front_end),
        (words::address().into(), &report.origin),
    ] {
        if !value.is_empty() {
            body = body.kid(row(name, value));
        }
    }
    for nb in &report.notebooks {
        body = body
            .kid(row(words::notebook().into(), &nb.name))
            .kid(row(words::kernel().into(), &nb.kernel));
        if !nb.accelerator.is_empty() {
            body = body.kid(row(words::accelerator().into(), &nb.accelerator));
        }
        for v in &nb.vitals {
            body = body.kid(row(words::foreign(v.what.as_str()), &v.text));
        }
        body = body.kids(
            nb.bottleneck
                .iter()
                .map(|text| row(words::bottleneck().into(), text)),
        );
        if !nb.versions.is_empty() {
            body = body.kid(row(words::foreign("Versions seen"), &nb.named_versions()));
        }
    }
    Node::new(Tag::Table).class("environment").kid(body)
}

/// The curves and events of a notebook's session; none if nothing happened.
fn history(nb: &ReportNotebook) -> Option<Node> {
    /// Maximum number of events listed.
    const MOST: usize = 60;
    if nb.events.is_empty() {
        return None;
    }
    let rows = nb.story(MOST).into_iter().map(|(when, what)| {
        Node::new(Tag::Tr)
            .kid(Node::new(Tag::Th).foreign(when))
            .kid(Node::new(Tag::Td).foreign(what))
    });
    let table = Node::new(Tag::Table)
        .class("events")
        .kid(Node::new(Tag::Tbody).kids(rows));
    Some(
        Node::new(Tag::Section)
            .class("history")
            .kid(Node::new(Tag::H2).text(words::happened()))
            .kid(nb.chart.draw())
            .kid(table),
    )
}

impl Report {
    /// The report as one self-contained page without scripts.
    pub fn html(&self) -> String {
        document("nbmedic triage report", self.body(), &self.redactions)
    }

    /// The body of that page.
    pub fn body(&self) -> Vec<Node> {
        let mut body = vec![environment(self)];
        body.extend(self.notebooks.iter().filter_map(history));
        if self.cards.is_empty() {
            body.push(
                Node::new(Tag::P)
                    .class("empty")
                    .foreign("Nothing wrong was found."),
            );
        }
        for (card, finding) in self.cards.iter().zip(&self.findings) {
            if let Some(cell) = &finding.cell {
                body.push(Node::new(Tag::H2).foreign(cell.as_str()));
            }
            body.extend(card.clone());
            if let Some(source) = &finding.source {
                let code = Node::new(Tag::Code).foreign(source.as_str());
                body.push(Node::new(Tag::Pre).class("source").kid(code));
            }
        }
        body
    }
}
