//! A card as text, for a terminal: what the card shows at first, without what it opens.

use nbmedic::view::{Node, Tag};

/// What a card shows, wrapped to a width in characters.
pub fn text(card: &Node, width: usize, id: &str) -> String {
    let mut out = Lines {
        out: String::new(),
        line: String::new(),
        width: width.clamp(40, 96),
    };
    walk(card, &mut out);
    out.end();
    out.line = format!("nbmedic explain {id}");
    out.end();
    out.out.trim_end().to_owned()
}

struct Lines {
    out: String,
    line: String,
    width: usize,
}

impl Lines {
    /// Adds words to the line.
    fn add(&mut self, text: &str) {
        // A terminal must not act on what a notebook printed.
        self.line.extend(text.chars().filter(|c| !c.is_control()));
    }

    /// Ends the line, if there is one, and wraps it.
    fn end(&mut self) {
        let line = std::mem::take(&mut self.line);
        let mut at = 0;
        for word in line.split_whitespace() {
            let long = word.chars().count();
            if at > 0 && at + 1 + long > self.width {
                self.out.push_str("\n  ");
                at = 2;
            } else if at > 0 {
                self.out.push(' ');
                at += 1;
            }
            self.out.push_str(word);
            at += long;
        }
        if at > 0 {
            self.out.push('\n');
        }
    }

    /// Adds a line as it is.
    fn keep(&mut self, text: &str) {
        self.end();
        self.out
            .extend(text.chars().filter(|c| !c.is_control() || *c == '\t'));
        self.out.push('\n');
    }
}

/// All the text in a node.
fn whole(node: &Node) -> String {
    let mut all = node.text.english();
    for kid in &node.kids {
        all.push_str(&whole(kid));
    }
    all
}

fn walk(node: &Node, out: &mut Lines) {
    match node.tag {
        // Nothing opens in a terminal, and nothing is clicked.
        Tag::Details | Tag::Button | Tag::Footer => return,
        Tag::Pre => {
            for line in whole(node).lines() {
                out.keep(&format!("    {line}"));
            }
            return;
        }
        Tag::Div if ["old", "new", "same"].contains(&node.class.as_str()) => {
            let sign = match node.class.as_str() {
                "old" => '-',
                "new" => '+',
                _ => ' ',
            };
            let code: String = node
                .kids
                .iter()
                .filter(|k| k.tag == Tag::Code)
                .map(whole)
                .collect();
            out.keep(&format!("  {sign} {code}"));
            return;
        }
        Tag::Code if node.class == "line" => {
            let parts: Vec<String> = node.kids.iter().map(whole).collect();
            out.keep(&format!("  line {}", parts.join(": ")));
            return;
        }
        // What only the page of the diagnosis needs.
        Tag::Small if ["cost", "proven"].contains(&node.class.as_str()) => return,
        _ => {}
    }
    let inline = matches!(
        node.tag,
        Tag::Span | Tag::Strong | Tag::Em | Tag::Code | Tag::A | Tag::Mark | Tag::H2 | Tag::Small
    );
    // The parts of a heading stand side by side; those of running text bring their own blanks.
    let parts = matches!(node.tag, Tag::Header | Tag::Div | Tag::Ol | Tag::Section);
    if !inline && node.tag != Tag::Li {
        out.end();
    }
    match node.class.as_str() {
        "badge" => out.add("nbmedic:"),
        class if class.starts_with("sure") => out.add(&format!("({})", node.text.english())),
        _ => out.add(&node.text.english()),
    }
    for kid in &node.kids {
        if parts && !out.line.is_empty() {
            out.add(" ");
        }
        walk(kid, out);
    }
    if !inline && node.tag != Tag::Li {
        out.end();
    }
}
