//! Indentation.

use super::failure::{Failure, Try};

pub(super) fn tries(f: &Failure<'_>, out: &mut Vec<Try>) {
    if f.class == "SyntaxError" {
        return;
    }
    tabs(f, out);
    out_of_line(f, out);
    block(f, out);
    dedent(f, out);
    snap(f, out);
}

/// A line's leading whitespace.
fn blanks(f: &Failure<'_>, line: u32) -> std::ops::Range<usize> {
    let start = f.span(line).start;
    start..start + f.python.indent(line).len()
}

fn width(indent: &str) -> usize {
    indent
        .chars()
        .fold(0, |n, c| if c == '\t' { n / 8 * 8 + 8 } else { n + 1 })
}

fn tabs(f: &Failure<'_>, out: &mut Vec<Try>) {
    let mixed = (1..=f.lines()).any(|l| f.python.indent(l).contains('\t'));
    if !mixed {
        return;
    }
    for wide in [8, 4] {
        let changes: Vec<_> = (1..=f.lines())
            .filter(|l| f.python.indent(*l).contains('\t'))
            .map(|l| {
                let n = f.python.indent(l).chars().fold(0, |n: usize, c| {
                    if c == '\t' {
                        n / wide * wide + wide
                    } else {
                        n + 1
                    }
                });
                (blanks(f, l), " ".repeat(n))
            })
            .collect();
        out.push(Try::new(
            "tabs",
            "Write blanks for the tabs",
            "Lines of one block are indented with tabs in one place and blanks in another.",
            changes,
        ));
    }
}

/// The body of a block head without one: the lines below it, or `pass`.
fn block(f: &Failure<'_>, out: &mut Vec<Try>) {
    if !f.says("expected an indented block") {
        return;
    }
    let head = (1..f.line).rev().find(|l| f.code(*l).ends_with(':'));
    let head = head.or_else(|| f.code(f.line).ends_with(':').then_some(f.line));
    let Some(head) = head else { return };
    let base = f.python.indent(head).to_owned();
    let word = f
        .code(head)
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or("")
        .to_owned();
    if head < f.line && !f.code(f.line).is_empty() {
        let changes = vec![(blanks(f, f.line), format!("{base}    "))];
        let made = Try::new(
            "indent-block",
            format!("Indent line {} under line {head}", f.line),
            format!("`{word}` needs a block, and the line below it is not indented. Indent further lines too, if they belong to it."),
            changes,
        );
        out.push(made.assumed());
    }
    let end = f.span(head).end;
    out.push(
        Try::new(
            "empty-block",
            format!("Put `pass` below line {head}"),
            format!("`{word}` needs a block; `pass` does nothing."),
            vec![(end..end, format!("\n{base}    pass"))],
        )
        .assumed(),
    );
}

/// An earlier line that is indented less than its surroundings.
fn out_of_line(f: &Failure<'_>, out: &mut Vec<Try>) {
    if !f.says("unindent does not match") && !f.says("unexpected indent") {
        return;
    }
    let lines: Vec<u32> = (1..=f.lines()).filter(|l| !f.code(*l).is_empty()).collect();
    let step = lines
        .iter()
        .map(|l| width(f.python.indent(*l)))
        .filter(|w| *w > 0)
        .min()
        .unwrap_or(4);
    for at in (1..lines.len()).rev() {
        let (line, before) = (lines[at], lines[at - 1]);
        let Some(&next) = lines
            .get(at + 1)
            .filter(|_| line < f.line && line + 30 > f.line)
        else {
            continue;
        };
        let [own, above, below] = [line, before, next].map(|l| width(f.python.indent(l)));
        let wanted = match f.code(line).ends_with(':') {
            true if below > own + step => below - step,
            // Inside a block, or at its start.
            false if below > own && (above == below || f.code(before).ends_with(':')) => below,
            _ => continue,
        };
        out.push(
            Try::new(
                "out-of-line",
                format!("Indent line {line} by {wanted} blanks"),
                format!("What stands above and below it is indented further than its {own}."),
                vec![(blanks(f, line), " ".repeat(wanted))],
            )
            .assumed(),
        );
    }
}

/// A line indented without a block head above it, and the lines that follow it.
fn dedent(f: &Failure<'_>, out: &mut Vec<Try>) {
    if !f.says("unexpected indent") {
        return;
    }
    let own = f.python.indent(f.line);
    let above = (1..f.line).rev().find(|l| !f.code(*l).is_empty());
    let wanted = above.map_or("", |l| f.python.indent(l));
    let mut changes = Vec::new();
    for line in f.line..=f.lines() {
        let indent = f.python.indent(line);
        if f.code(line).is_empty() {
            continue;
        }
        if width(indent) < width(own) {
            break;
        }
        let rest = indent.strip_prefix(own).unwrap_or("");
        changes.push((blanks(f, line), format!("{wanted}{rest}")));
    }
    let why = "No line above begins a block there.";
    let first = changes.first().cloned();
    out.push(Try::new(
        "unexpected-indent",
        format!("Indent line {} like the line above it", f.line),
        why,
        changes,
    ));
    out.extend(first.map(|c| {
        Try::new(
            "unexpected-indent",
            format!("Indent line {} like the line above it", f.line),
            why,
            vec![c],
        )
    }));
}

/// A line between two indentation levels: moves it to one of the levels above.
fn snap(f: &Failure<'_>, out: &mut Vec<Try>) {
    if !f.says("unindent does not match") {
        return;
    }
    let own = f.python.indent(f.line);
    let mut levels: Vec<&str> = Vec::new();
    for line in 1..f.line {
        let indent = f.python.indent(line);
        if !f.code(line).is_empty() && !levels.contains(&indent) {
            levels.push(indent);
        }
    }
    levels.sort_by_key(|l| (width(l).abs_diff(width(own)), width(l)));
    for level in levels.into_iter().take(4) {
        // Following lines at the same wrong level move with it.
        let changes: Vec<_> = (f.line..=f.lines())
            .filter(|l| f.python.indent(*l) == own && !f.code(*l).is_empty())
            .map(|l| (blanks(f, l), level.to_owned()))
            .collect();
        out.push(
            Try::new(
                "unindent",
                format!("Indent line {} by {} blanks", f.line, width(level)),
                format!("It is indented by {}, and no line above is.", width(own)),
                changes,
            )
            .assumed(),
        );
    }
}
