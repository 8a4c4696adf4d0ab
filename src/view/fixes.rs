//! A fix: what to do, the change as a difference of lines, and its buttons.

use super::blocks::{blocks, code};
use super::{cell_name, Action, Node, Tag};
use nbmedic_catalog::Applicability;
use nbmedic_explain::FixText;
use nbmedic_facts::{CellName, DiffLine, FixKind, Tried};
use nbmedic_secrets::cut;
use nbmedic_words::{self as words, Say, Text};

/// Maximum number of lines of a diff.
const MAX_LINES: usize = 24;
/// Maximum number of characters of a line.
const MAX_LINE: usize = 400;

/// The page that shows the fixes: it decides which buttons they have.
#[derive(Clone, Copy, Debug, Default)]
pub struct Here<'a> {
    /// The position of the failing cell, from 1.
    pub position: Option<usize>,
    /// The ids of the cells that fixes name, by position.
    pub cells: &'a [(usize, String)],
    /// Whether new cells can be inserted into the notebook.
    pub inserts: bool,
    /// Whether cells can be tried in a copy of the kernel: the probe's start cell has run in it.
    pub tries: bool,
}

impl Here<'_> {
    fn id(&self, position: usize) -> Option<&str> {
        let mut all = self.cells.iter();
        all.find(|(p, _)| *p == position).map(|(_, id)| id.as_str())
    }
}

fn name(position: usize) -> Say {
    cell_name(CellName {
        position: Some(position),
        count: None,
    })
}

fn button(class: &str, text: Say, act: Action) -> Node {
    Node::new(Tag::Button)
        .class(class)
        .attr("type", "button")
        .text(text)
        .act(act)
}

/// A fix, in an element of its own.
pub(super) fn fix(node: Node, fix: &FixText, here: &Here<'_>) -> Node {
    let (class, sure) = match fix.applies {
        Applicability::Sure => ("sure sure", words::sure()),
        Applicability::Likely => ("sure likely", words::likely()),
        Applicability::Maybe => ("sure maybe", words::maybe()),
        Applicability::Shows => ("sure maybe", words::shows()),
    };
    let mut node = node
        .attr("data-fix", fix.id.as_str())
        .kid(
            Node::new(Tag::Header)
                .kid(
                    Node::new(Tag::Strong)
                        .class("fix-title")
                        .foreign(fix.title.as_str()),
                )
                .kid(Node::new(Tag::Span).class(class).text(sure)),
        )
        .kids(blocks(&fix.why));
    node.kids.extend(fix.tried.iter().flat_map(tried));
    if !fix.cost.is_empty() {
        node = node.kid(
            Node::new(Tag::Small)
                .class("cost")
                .foreign(fix.cost.as_str()),
        );
    }
    let changes = !fix.diff.is_empty();
    if changes {
        node = node.kids(difference(fix, here));
        node.kids.extend(whole_cell(fix, here));
    } else if !fix.code.is_empty() {
        node = node.kid(block(fix, here));
    }
    node.kids.extend(steps(fix, here));
    if !fix.proven.is_empty() {
        node = node.kid(
            Node::new(Tag::Small)
                .class("proven")
                .text(fix.proven.clone()),
        );
    }
    node
}

/// The result of a trial: a sentence, and the new values of the names.
fn tried(tried: &Tried) -> Vec<Node> {
    let class = if tried.ran { "tried ran" } else { "tried" };
    let said = Node::new(Tag::P)
        .class(class)
        .foreign(tried.result.as_str());
    let values = tried.values.join("\n");
    let values = (!values.is_empty()).then(|| code("", &values));
    std::iter::once(said).chain(values).collect()
}

/// Code to copy.
fn block(fix: &FixText, here: &Here<'_>) -> Node {
    let copy = button(
        "copy",
        words::copy(),
        Action::Copy {
            text: fix.code.clone(),
        },
    )
    .label("aria-label", words::copy_code());
    let mut block = Node::new(Tag::Div).class("code").kid(copy);
    let command = fix.code.starts_with(['%', '!']);
    if fix.is_cure() || command {
        block
            .kids
            .extend(here.position.and_then(|p| below(fix, here, p)));
    }
    block.kid(code(&fix.language, &fix.code))
}

/// The buttons of a repaired cell.
fn whole_cell(fix: &FixText, here: &Here<'_>) -> Option<Node> {
    let cell = fix.cell.filter(|_| !fix.code.is_empty())?;
    let what: Text = match here.position == Some(cell) {
        true => words::copy_whole().into(),
        false => words::copy_other(name(cell)).into(),
    };
    let copy = button(
        "copy cell",
        words::copy_repaired(),
        Action::Copy {
            text: fix.code.clone(),
        },
    )
    .label("title", what);
    let mut node = Node::new(Tag::Div).class("do");
    node.kids.extend(replace(fix, here, cell));
    node.kids.push(copy);
    node.kids.extend(below(fix, here, cell));
    node.kids.extend(tried_below(fix, here, cell));
    Some(node)
}

/// The button that replaces the broken cell's code, if no other cell has to change.
fn replace(fix: &FixText, here: &Here<'_>, position: usize) -> Option<Node> {
    let cell = here.id(position).filter(|_| here.inserts)?;
    let single = fix.edits.iter().all(|e| e.cell == position);
    let was = before(fix, position).filter(|_| single)?;
    let (label, what): (_, Text) = match here.position == Some(position) {
        true => (words::replace_in_cell(), words::replace_this().into()),
        false => (words::replace(), words::replace_cell(name(position)).into()),
    };
    let act = Action::Replace {
        cell: cell.to_owned(),
        text: fix.code.clone(),
        was,
    };
    Some(button("replace", label, act).label("title", what))
}

/// The source of a cell before its repair: the diff, read backwards. None if the diff doesn't match this code.
fn before(fix: &FixText, position: usize) -> Option<String> {
    let mut lines: Vec<&str> = fix.code.split('\n').collect();
    let of = |sign: char| {
        fix.diff
            .iter()
            .filter(move |d| d.cell == position && d.sign == sign)
    };
    let mut new: Vec<&DiffLine> = of('+').collect();
    new.sort_by_key(|d| d.number);
    for d in new.iter().rev() {
        let at = (d.number as usize).checked_sub(1)?;
        if lines.get(at).copied() != Some(d.text.as_str()) {
            return None;
        }
        lines.remove(at);
    }
    let mut old: Vec<&DiffLine> = of('-').collect();
    old.sort_by_key(|d| d.number);
    for d in old {
        let at = (d.number as usize)
            .checked_sub(1)
            .filter(|at| *at <= lines.len())?;
        lines.insert(at, &d.text);
    }
    Some(lines.join("\n"))
}

/// The button that inserts code into a new cell below one of the page's cells.
fn below(fix: &FixText, here: &Here<'_>, position: usize) -> Option<Node> {
    let cell = here.id(position).filter(|_| here.inserts)?;
    let runs = fix.language == "python" || fix.code.starts_with(['%', '!']);
    let what = words::put_below_cell(name(position));
    runs.then(|| {
        button(
            "below",
            words::put_below(),
            Action::Below {
                cell: cell.to_owned(),
                text: fix.code.clone(),
            },
        )
        .label("title", what)
    })
}

/// The button that inserts a repaired cell below, with a first line that tries it in a copy of the kernel (docs/trials.md).
fn tried_below(fix: &FixText, here: &Here<'_>, position: usize) -> Option<Node> {
    let cell = here.id(position).filter(|_| here.inserts && here.tries)?;
    let plain = fix.language == "python" && !fix.code.starts_with("%%");
    plain.then(|| {
        button(
            "try below",
            words::try_below(),
            Action::Below {
                cell: cell.to_owned(),
                text: format!("%%nbmedic_try\n{}", fix.code),
            },
        )
        .label("title", words::try_below_cell(name(position)))
    })
}

/// The changed lines, cell by cell.
fn difference(fix: &FixText, here: &Here<'_>) -> Vec<Node> {
    let mut out = Vec::new();
    let mut left = MAX_LINES;
    for part in fix.diff.chunk_by(|a, b| a.cell == b.cell) {
        let cell = part[0].cell;
        if left == 0 {
            break;
        }
        if here.position != Some(cell) || part.len() < fix.diff.len() {
            let heading = words::in_cell(name(cell));
            out.push(Node::new(Tag::Small).class("in").text(heading));
        }
        let shown = part.len().min(left);
        left -= shown;
        out.push(
            Node::new(Tag::Div)
                .class("diff")
                .attr("role", "group")
                .label("aria-label", words::change_in(name(cell)))
                .kids(part[..shown].iter().map(row)),
        );
    }
    let more = match fix.diff.len().saturating_sub(MAX_LINES) {
        0 => None,
        1 => Some(words::more_line()),
        n => Some(words::more_lines(n)),
    };
    out.extend(more.map(|text| Node::new(Tag::Small).class("rest").text(text)));
    out
}

fn row(line: &DiffLine) -> Node {
    let (class, sign, said, tag) = match line.sign {
        '-' => ("old", "−", Some(words::line_removed()), Tag::Del),
        '+' => ("new", "+", Some(words::line_added()), Tag::Ins),
        _ => ("same", " ", None, Tag::Span),
    };
    let mut mark = Node::new(Tag::Span).class("sign").foreign(sign);
    if let Some(said) = said {
        mark = mark.attr("role", "img").label("aria-label", said);
    }
    let number = Node::new(Tag::Span)
        .class("lineno")
        .foreign(line.number.to_string());
    Node::new(Tag::Div)
        .class(class)
        .kid(number)
        .kid(mark)
        .kid(pieces(line, tag))
}

/// A changed line, with the changed part marked if the rest is the same.
fn pieces(line: &DiffLine, tag: Tag) -> Node {
    let text = cut(&line.text, MAX_LINE);
    let node = Node::new(Tag::Code);
    let byte = |n: u32| {
        let mut at = text.char_indices().map(|(at, _)| at);
        at.nth(n as usize).unwrap_or(text.len())
    };
    let Some((from, to)) = line.changed else {
        return node.kid(Node::new(tag).class("all").foreign(text));
    };
    let (from, to) = (byte(from), byte(to.max(from)));
    let mut node = node.foreign(&text[..from]);
    if from < to {
        node = node.kid(Node::new(tag).foreign(&text[from..to]));
    }
    if to < text.len() {
        node = node.kid(Node::new(Tag::Span).foreign(&text[to..]));
    }
    node
}

/// The cells to run, in order.
fn steps(fix: &FixText, here: &Here<'_>) -> Option<Node> {
    if fix.run.is_empty() {
        return None;
    }
    let step = |position: &usize| {
        let item = Node::new(Tag::Li);
        if here.position == Some(*position) {
            return item.kid(Node::new(Tag::Span).text(words::this_cell()));
        }
        item.kid(match here.id(*position) {
            Some(id) => {
                let act = Action::Goto {
                    cell: id.to_owned(),
                };
                button("goto", name(*position), act)
                    .label("aria-label", words::go_to(name(*position)))
            }
            None => Node::new(Tag::Span).text(name(*position)),
        })
    };
    let said = match fix.kind {
        FixKind::Run => words::run_these(),
        _ => words::then_run(),
    };
    Some(
        Node::new(Tag::Div)
            .class("run")
            .kid(Node::new(Tag::Span).text(said))
            .kid(Node::new(Tag::Ol).kids(fix.run.iter().map(step))),
    )
}
