//! Missing or extra brackets, quotes, colons and commas.

use super::failure::{Failure, Try};
use super::scan::scan;

pub(super) fn tries(f: &Failure<'_>, out: &mut Vec<Try>) {
    colon(f, out);
    strings(f, out);
    chain(f, out);
    closers(f, out);
}

/// A chain of calls in parentheses, a line each, that a bracket too many ended above the line that begins with a dot.
fn chain(f: &Failure<'_>, out: &mut Vec<Try>) {
    if !f.says("unexpected indent") || !f.code(f.line).starts_with('.') {
        return;
    }
    let Some(above) = (1..f.line).rev().find(|l| !f.code(*l).is_empty()) else {
        return;
    };
    let (start, end) = (f.span(above).start, f.code_end(above));
    let (marks, _) = scan(f.text);
    let (mut depth, mut ends) = (0_i32, Vec::new());
    for m in marks.iter().filter(|m| (start..end).contains(&m.at)) {
        match m.c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth -= 1;
                if depth <= 0 {
                    ends.push((m.at, m.c));
                }
            }
            _ => {}
        }
    }
    if depth >= 0 {
        return;
    }
    // Each line is one call, so what ends before the line's end ends too early.
    let dotted = f.code(above).starts_with('.');
    let early = ends.first().filter(|_| dotted);
    for (at, c) in early.into_iter().chain(ends.last()) {
        out.push(
            Try::new(
                "extra-bracket",
                format!("Remove the `{c}` that is too many in line {above}"),
                format!(
                    "It ends the statement, and line {} goes on with it.",
                    f.line
                ),
                vec![(*at..at + 1, String::new())],
            )
            .assumed(),
        );
    }
}

/// Keywords of lines that end in a colon.
const HEADS: &[&str] = &[
    "if", "elif", "else", "for", "while", "def", "class", "try", "except", "finally", "with",
    "async",
];

fn colon(f: &Failure<'_>, out: &mut Vec<Try>) {
    for line in [f.line, f.line.saturating_sub(1)] {
        if line == 0 {
            continue;
        }
        let code = f.code(line);
        let word = code
            .split(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or("");
        if !HEADS.contains(&word) || code.ends_with(':') {
            continue;
        }
        let end = f.code_end(line);
        let add = |text: &str, from: usize| (from..end, text.to_owned());
        let why = format!("A line that begins with `{word}` ends in a colon.");
        // `;` or `,` in its place.
        let from = end - usize::from(code.ends_with([';', ',', '.']));
        out.push(Try::new(
            "missing-colon",
            format!("End line {line} with `:`"),
            why,
            vec![add(":", from)],
        ));
    }
}

fn strings(f: &Failure<'_>, out: &mut Vec<Try>) {
    let (_, open) = scan(f.text);
    let Some(&start) = open.first() else { return };
    let Some(quote) = f.text[start..].chars().next() else {
        return;
    };
    let triple: String = std::iter::repeat_n(quote, 3).collect();
    let line = f.text[..start].matches('\n').count() + 1;
    if f.text[start..].starts_with(&triple) {
        let end = f.text.trim_end().len();
        out.push(
            Try::new(
                "open-string",
                format!("Close the text of line {line} with `{triple}`"),
                format!("It begins with `{triple}` and goes on to the end of the cell."),
                vec![(end..end, triple)],
            )
            .assumed(),
        );
        return;
    }
    let end = start + f.text[start..].find('\n').unwrap_or(f.text.len() - start);
    let end = start + f.text[start..end].trim_end().len();
    // A path that ends in a backslash escapes the quote.
    if f.text[start..end].ends_with(&format!("\\{quote}")) {
        let at = end - 2;
        out.push(Try::new(
            "open-string",
            format!("Write `\\\\` before the last `{quote}` of line {line}"),
            "A single backslash takes the quote that follows into the text.",
            vec![(at..at, "\\".to_owned())],
        ));
    }
}

/// A call over several lines: each line ends what it begins, but for one that ends in a comma, or that a line with a dot goes
/// on with.
fn within_lines(f: &Failure<'_>, stack: &[(usize, char)], out: &mut Vec<Try>) {
    let Some((first, _)) = stack.first() else {
        return;
    };
    let from = f.text[..*first].matches('\n').count() + 1;
    let from = u32::try_from(from).unwrap_or(u32::MAX);
    let (marks, _) = scan(f.text);
    let mut found = Vec::new();
    for line in from..=f.lines() {
        let code = f.code(line);
        let next = (line + 1..=f.lines()).find(|l| !f.code(*l).is_empty());
        let dotted = next.is_some_and(|n| f.code(n).starts_with('.'));
        let ends = code.ends_with(',') && next.is_some() && line > from;
        let goes_on = dotted && !code.ends_with(['(', '[', '{']);
        if !(ends || goes_on) {
            continue;
        }
        let mut open = Vec::new();
        let mut more = false;
        let span = f.span(line);
        for m in marks.iter().filter(|m| span.contains(&m.at)) {
            match m.c {
                '(' | '[' | '{' => open.push(m.c),
                ')' | ']' | '}' => more |= open.pop().is_none(),
                _ => {}
            }
        }
        if let ([one], false) = (&open[..], more) {
            found.push((line, closing(*one)));
        }
    }
    if let [(line, right)] = found[..] {
        let end = f.code_end(line) - usize::from(f.code(line).ends_with(','));
        out.push(
            Try::new(
                "unclosed-bracket",
                format!("Put `{right}` at the end of line {line}"),
                format!("Line {line} is the only one there that does not close what it opens."),
                vec![(end..end, right.to_string())],
            )
            .assumed(),
        );
    }
}

pub(super) fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

fn closers(f: &Failure<'_>, out: &mut Vec<Try>) {
    let (marks, _) = scan(f.text);
    let mut stack: Vec<(usize, char)> = Vec::new();
    for m in &marks {
        match m.c {
            '(' | '[' | '{' => stack.push((m.at, m.c)),
            ')' | ']' | '}' => {
                let line = f.text[..m.at].matches('\n').count() + 1;
                match stack.last() {
                    Some((_, open)) if closing(*open) == m.c => {
                        stack.pop();
                    }
                    Some((opened, open)) => {
                        let right = closing(*open);
                        // If it contains several items, it may have ended before the last.
                        let several =
                            |t: &str| t.contains([',', '+', '*', '/', '=', '<', '>', '[', '(']);
                        let several = f.text.get(opened + 1..m.at).is_none_or(several);
                        let why =
                            format!("`{open}` is open there, and `{}` does not close it.", m.c);
                        let put = Try::new(
                            "unclosed-bracket",
                            format!("Put `{right}` before `{}` in line {line}", m.c),
                            why.clone(),
                            vec![(m.at..m.at, right.to_string())],
                        );
                        out.push(if several { put.assumed() } else { put });
                        let other = Try::new(
                            "wrong-bracket",
                            format!("Replace `{}` by `{right}` in line {line}", m.c),
                            why,
                            vec![(m.at..m.at + 1, right.to_string())],
                        );
                        out.push(if several { other.assumed() } else { other });
                        out.push(
                            Try::new(
                                "extra-bracket",
                                format!("Remove the `{}` that is too many in line {line}", m.c),
                                format!("What is open there is a `{open}`."),
                                vec![(m.at..m.at + 1, String::new())],
                            )
                            .assumed(),
                        );
                        // In a multi-line list, each line ends what it begins.
                        let from = f.text[..*opened].matches('\n').count() + 1;
                        if from < line {
                            let from = u32::try_from(from).unwrap_or(u32::MAX);
                            let code = f.text[..f.code_end(from)].trim_end_matches(',');
                            let end = code.trim_end().len();
                            out.push(
                                Try::new(
                                    "unclosed-bracket",
                                    format!("Put `{right}` at the end of line {from}"),
                                    format!("The `{open}` in line {from} is never closed."),
                                    vec![(end..end, right.to_string())],
                                )
                                .assumed(),
                            );
                        }
                        return;
                    }
                    None => {
                        out.push(
                            Try::new(
                                "extra-bracket",
                                format!("Remove the `{}` that is too many in line {line}", m.c),
                                format!("Nothing is open there that `{}` could close.", m.c),
                                vec![(m.at..m.at + 1, String::new())],
                            )
                            .assumed(),
                        );
                        return;
                    }
                }
            }
            _ => {}
        }
    }
    let Some(&(first, _)) = stack.first() else {
        return;
    };
    within_lines(f, &stack, out);
    let missing: String = stack.iter().rev().map(|(_, c)| closing(*c)).collect();
    let (opened, open) = stack.last().copied().unwrap_or((first, '('));
    let from = u32::try_from(f.text[..opened].matches('\n').count() + 1).unwrap_or(u32::MAX);
    let why = format!("The `{open}` in line {from} is never closed.");
    let indent = |line: u32| f.python.indent(line).len();
    let base = indent(from);
    // The statement ends before the next line with at most the same indentation.
    for line in from..=f.lines() {
        if f.code(line).is_empty() {
            continue;
        }
        let next = (line + 1..=f.lines()).find(|l| !f.code(*l).is_empty());
        let opens = f.code(line).ends_with(':');
        if !opens && next.is_some_and(|n| indent(n) > base) && line != f.lines() {
            continue;
        }
        let end = f.code_end(line);
        // On its own line, if the values have their own lines.
        let own = line > from && f.text[..end].ends_with(',');
        let text = if own {
            format!("\n{}{missing}", f.python.indent(from))
        } else {
            missing.clone()
        };
        let head = f.code(line);
        // In `if f(x:`, it belongs before the colon.
        if head.ends_with(':') {
            let at = end - 1;
            out.push(Try::new(
                "unclosed-bracket",
                format!("Put `{missing}` before the `:` of line {line}"),
                why.clone(),
                vec![(at..at, missing.clone())],
            ));
        }
        let place = if own { "below" } else { "at the end of" };
        out.push(Try::new(
            "unclosed-bracket",
            format!("Put `{missing}` {place} line {line}"),
            why.clone(),
            vec![(end..end, text)],
        ));
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired;

    fn fixed(source: &str, line: u32, class: &str, message: &str) -> String {
        let code = source.lines().nth(line as usize - 1).unwrap_or("");
        let error = format!("  Cell In[1], line {line}\n    {code}\n    ^\n{class}: {message}\n");
        repaired(&[source], &error)
    }

    #[test]
    fn a_line_of_a_call_ends_what_it_begins() {
        for (source, line, was, now) in [
            (
                "t = df.agg(\n    a=f(1),\n    b=g(h(2)),\n    c=3,\n)",
                1,
                "h(2)),",
                "h(2),",
            ),
            (
                "t = (\n    df.a(x)\n    .b('m')\n)\nprint(t)",
                2,
                "df.a(x)",
                "df.a(x",
            ),
        ] {
            let broken = source.replacen(was, now, 1);
            let message = "'(' was never closed";
            assert_eq!(fixed(&broken, line, "SyntaxError", message), source);
        }
    }

    #[test]
    fn a_chain_of_lines_goes_on_to_its_own_bracket() {
        let chain =
            "t = (\n    df.a(x=f(1))\n    .b('m')\n    .c(g().s(), h().t().u('n'))\n    .d('m')\n)";
        for (line, was, now) in [(4, "'m')\n    .c", "'m'))\n    .c"), (5, "t().u", "t()).u")] {
            let broken = chain.replacen(was, now, 1);
            let class = "IndentationError";
            assert_eq!(fixed(&broken, line, class, "unexpected indent"), chain);
        }
    }
}
