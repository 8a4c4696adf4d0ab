//! The terminal's colours and width, and wrapping.

use crate::out::risky;
pub use crate::out::{ERROR, WARNING};
use anstyle::{AnsiColor, Style};
use nbmedic::catalog::{plain, Block, Inline};

/// Style of marks and line numbers.
pub const MARK: Style = AnsiColor::Blue.on_default().bold();
/// Style of help.
pub const HELP: Style = AnsiColor::Cyan.on_default().bold();
/// Style of headings.
pub const STRONG: Style = Style::new().bold();
/// Style of a line that a repair removes.
pub const REMOVED: Style = AnsiColor::Red.on_default();
/// Style of a line that a repair adds.
pub const ADDED: Style = AnsiColor::Green.on_default();
/// Style of secondary text.
pub const DIM: Style = Style::new().dimmed();

/// Maximum width for readable text.
const MAX_WIDTH: usize = 96;

/// Number of columns to use.
pub fn width() -> usize {
    terminal_size::terminal_size()
        .map_or(80, |(w, _)| usize::from(w.0))
        .clamp(40, MAX_WIDTH)
}

/// A line, cut to the terminal's width; not cut if the output goes elsewhere.
pub fn fitted(line: &str, room: usize) -> String {
    if terminal_size::terminal_size_of(std::io::stdout()).is_none() {
        return line.to_owned();
    }
    cut(line, room)
}

fn cut(line: &str, room: usize) -> String {
    if textwrap::core::display_width(line) <= room {
        return line.to_owned();
    }
    let mut out = String::new();
    for c in line.chars() {
        let with = textwrap::core::display_width(&out)
            + textwrap::core::display_width(c.encode_utf8(&mut [0; 4]));
        if with >= room {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

/// A headline, wrapped without an indent.
pub fn wrapped(text: &str) -> String {
    wrap(text, "", "  ")
}

/// Text in a style.
pub fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The text without what a terminal acts on, because it comes from untrusted output.
pub fn safe(text: &str) -> String {
    text.chars().filter(|c| !risky(*c) || *c == '\t').collect()
}

/// A paragraph, wrapped and indented.
pub fn wrap(text: &str, first: &str, rest: &str) -> String {
    let options = textwrap::Options::new(width())
        .initial_indent(first)
        .subsequent_indent(rest);
    textwrap::fill(&safe(text), options)
}

/// Blocks of prose, wrapped and indented; code is only indented.
pub fn blocks(list: &[Block], indent: &str) -> String {
    let mut out = String::new();
    for block in list {
        match block {
            Block::Code(_, text) => out.push_str(&code(text, &format!("{indent}  "))),
            Block::List(items) => {
                for item in items {
                    let text = inline(item);
                    out.push_str(&wrap(&text, &format!("{indent}- "), &format!("{indent}  ")));
                    out.push('\n');
                }
            }
            Block::P(_) => {
                out.push_str(&wrap(&plain(std::slice::from_ref(block)), indent, indent));
                out.push('\n');
            }
        }
    }
    out
}

fn inline(item: &[Inline]) -> String {
    plain(&[Block::P(item.to_vec())])
}

/// Code, indented.
pub fn code(text: &str, indent: &str) -> String {
    text.lines()
        .map(|l| format!("{indent}{}\n", safe(l)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_line_is_cut_where_the_terminal_ends() {
        assert_eq!(cut("loss = net(x)", 13), "loss = net(x)");
        assert_eq!(cut("loss = net(x)", 8), "loss = …");
        // Wide characters take two columns.
        assert_eq!(cut("警告警告", 5), "警告…");
    }
}
