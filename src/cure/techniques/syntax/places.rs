//! Missing quotes and brackets: of all places in the line where inserting one makes the cell parse, prefers the one
//! that makes the line most like the rest of the notebook.

use super::brackets::closing;
use super::failure::{Failure, Try};
use super::scan::{scan, texts};
use crate::find::callee;
use nbmedic_python::ast::{Expr, Stmt};
use nbmedic_python::{each_expr, each_stmt, Cell, Ranged, TextRange};
use std::cmp::Reverse;

/// Maximum length of a searched line, in bytes.
const MAX_LINE: usize = 400;
/// Maximum number of places tried by parsing the cell.
const MAX_PLACES: usize = 80;

/// Methods that people call on string literals.
const METHODS: &[&str] = &[
    "join",
    "format",
    "split",
    "replace",
    "strip",
    "lower",
    "upper",
    "title",
    "encode",
    "count",
    "center",
    "ljust",
    "rjust",
    "zfill",
    "startswith",
    "endswith",
];

/// A possible place for an insertion, and how badly it fits.
struct Place {
    at: usize,
    /// Number of bytes replaced.
    over: usize,
    text: String,
    misfit: i32,
    /// Whether the resulting code occurs elsewhere in the notebook.
    seen: bool,
}

/// Facts about the rest of the notebook.
pub(super) struct Rest<'r> {
    /// Whether a string occurs on another line.
    pub(super) elsewhere: &'r dyn Fn(&str) -> bool,
    /// Whether a name exists.
    pub(super) known: &'r dyn Fn(&str) -> bool,
}

/// Adds the best place for a missing quote or bracket on the reported line.
pub(super) fn tries(f: &Failure<'_>, rest: &Rest<'_>, out: &mut Vec<Try>) {
    let line = f.span(f.line);
    if line.len() > MAX_LINE {
        return;
    }
    let (_, open) = scan(&f.text[line.clone()]);
    if f.says("f-string: expecting '}'") {
        braces(f, rest, out);
    } else if open.is_empty() {
        brackets(f, rest, out);
    } else {
        quotes(f, rest, out);
    }
}

fn boundary(c: Option<char>) -> bool {
    c.is_none_or(|c| !(c.is_alphanumeric() || c == '_'))
}

/// The cell with a string inserted in place of some bytes.
fn with(f: &Failure<'_>, at: usize, over: usize, text: &str) -> String {
    format!("{}{text}{}", &f.text[..at], &f.text[at + over..])
}

/// The places that make the cell parse and that leave the fewest undefined names, best fit first.
fn best(f: &Failure<'_>, rest: &Rest<'_>, mut all: Vec<Place>) -> Vec<Place> {
    // If several places fit equally well, the last one.
    all.sort_by_key(|p| (p.misfit - if p.seen { 4 } else { 0 }, Reverse(p.at)));
    all.truncate(MAX_PLACES);
    let mut valid: Vec<(usize, Place)> = all
        .into_iter()
        .filter_map(|mut p| {
            let cell =
                Cell::read(&with(f, p.at, p.over, &p.text)).filter(|c| c.broken().is_empty())?;
            let names = cell.names();
            let needs = names.needs().into_iter();
            p.misfit += odd(&cell, f.line);
            Some((needs.filter(|n| !(rest.known)(n)).count(), p))
        })
        .collect();
    let least = valid.iter().map(|(n, _)| *n).min().unwrap_or(0);
    valid.retain(|(n, _)| *n == least);
    valid.sort_by_key(|(_, p)| (p.misfit - if p.seen { 4 } else { 0 }, Reverse(p.at)));
    valid.into_iter().map(|(_, p)| p).collect()
}

/// Functions of a single number or collection, which a comparison isn't.
const OF_ONE: &[&str] = &[
    "abs", "cos", "exp", "float", "hypot", "len", "log", "sin", "sqrt",
];

/// How odd a parsed line is, judged by patterns that nobody writes on purpose.
fn odd(cell: &Cell, line: u32) -> i32 {
    let mut odd = 0;
    let here = |node: TextRange| cell.line_of(node.start()) == line;
    each_stmt(cell.body(), &mut |s| match s {
        // `x = (a + b)`: redundant parentheses.
        Stmt::Assign(a) if here(a.value.range()) => {
            let whole = a.value.is_tuple_expr() || a.value.is_generator_expr();
            let text = cell.text();
            let (from, to) = (a.value.start().to_usize(), a.value.end().to_usize());
            let opened = text[..from].trim_end_matches(' ').ends_with('(');
            let closed = text[to..].trim_start_matches(' ').starts_with(')');
            odd += 2 * i32::from(!whole && opened && closed);
        }
        // `with open("a.txt"), "w" as f`
        Stmt::With(w) if here(w.range) => {
            odd += 4 * i32::from(w.items.iter().any(|i| i.context_expr.is_literal_expr()));
        }
        _ => {}
    });
    each_expr(cell.body(), &mut |e| {
        let strange = match e {
            Expr::BinOp(b) => b.left.is_tuple_expr() || b.right.is_tuple_expr(),
            Expr::Subscript(s) => {
                let compare = s.slice.as_compare_expr();
                let text = compare.is_some_and(|c| c.left.is_string_literal_expr());
                text || s.value.is_compare_expr()
            }
            // `int.to_dict()`
            Expr::Attribute(a) => {
                let class = a.value.as_name_expr().map(|n| n.id.as_str());
                matches!(class, Some("int" | "float" | "bool")) && !a.attr.starts_with("from")
            }
            Expr::Call(c) => {
                let of_one = callee(c).is_some_and(|n| OF_ONE.contains(&n));
                let args = &c.arguments.args;
                let several =
                    c.func.as_name_expr().is_some_and(|n| n.id == "len") && args.len() > 1;
                let compared = of_one && args.iter().any(Expr::is_compare_expr);
                let sum = c.func.is_bin_op_expr() || c.func.is_compare_expr();
                sum || several || compared
            }
            _ => false,
        };
        odd += 4 * i32::from(strange && here(e.range()));
    });
    odd
}

fn quotes(f: &Failure<'_>, rest: &Rest<'_>, out: &mut Vec<Try>) {
    let line = f.span(f.line);
    let code = &f.text[line.clone()];
    let mut places = Vec::new();
    for quote in ["\"", "'"] {
        if !code.contains(quote) {
            continue;
        }
        for (i, c) in code.char_indices().chain([(code.len(), '\n')]) {
            let before = code[..i].chars().next_back();
            let behind = code[i..].chars().nth(1);
            // A string ends after something and begins before a word, never inside a word.
            let ends = !matches!(before, None | Some(' ')) && boundary(Some(c));
            let begins = boundary(before) && !boundary(Some(c));
            // A string that begins with the other kind of quote, or an apostrophe.
            let other = matches!(c, '"' | '\'') && !quote.starts_with(c);
            let apostrophe = c == '\'' && quote == "'" && !boundary(before) && !boundary(behind);
            if !(ends || begins || other || apostrophe) {
                continue;
            }
            let at = line.start + i;
            let (over, text) = match (other, apostrophe) {
                (true, _) => (1, quote),
                (_, true) => (0, "\\"),
                _ => (0, quote),
            };
            let after = with(f, at, over, text);
            let repaired = line.start..line.end + text.len() - over;
            let (_, open) = scan(&after[repaired.clone()]);
            if !open.is_empty() {
                continue;
            }
            let found = texts(&after, repaired);
            let mut misfit = 0;
            let mut seen = false;
            for text in found {
                let whole = &after[text.clone()];
                let content = whole.trim_matches(['"', '\'']);
                let own = text.start == at || text.end == at + 1;
                let known = content.chars().count() > 1
                    && ["'", "\""]
                        .iter()
                        .any(|q| (rest.elsewhere)(&format!("{q}{content}{q}")));
                seen |= own && known;
                // Strings have few methods.
                if let Some(rest) = after[text.end..].strip_prefix('.') {
                    let word = |c: char| !(c.is_alphanumeric() || c == '_');
                    let method = rest.split(word).next().unwrap_or("");
                    misfit += if METHODS.contains(&method) { 0 } else { 5 };
                }
                if !known {
                    // The other kind of quote at its end is more likely the end.
                    let inner = whole.get(1..whole.len() - 1).unwrap_or("");
                    misfit += 5 * i32::from(
                        inner.ends_with(['"', '\'']) || inner.starts_with(['"', '\'']),
                    );
                    let odd =
                        |c: &char| matches!(c, '[' | ']' | '(' | ')' | '{' | '}' | '=' | ',' | ':');
                    misfit += 2 * i32::try_from(content.chars().filter(odd).count()).unwrap_or(99);
                    misfit += i32::from(content.ends_with(' ') || content.starts_with(' '));
                }
            }
            // A complete string of one kind is as good as one that is closed further on.
            misfit -= i32::from(other || apostrophe);
            places.push(Place {
                at,
                over,
                text: text.to_owned(),
                misfit,
                seen,
            });
        }
    }
    let all = best(f, rest, places);
    let Some(first) = all.first() else { return };
    let rival = all
        .get(1)
        .is_some_and(|p| (p.seen, p.misfit) == (first.seen, first.misfit));
    let column = f.text[line.start..first.at].chars().count() + 1;
    let was = &f.text[first.at..first.at + first.over];
    let (title, why) = match (first.over, first.text.as_str()) {
        (0, "\\") => (
            format!(
                "Write `\\'` for the apostrophe in line {}, column {column}",
                f.line
            ),
            "A `'` within a text that begins with one ends it.".to_owned(),
        ),
        (0, quote) => (
            format!(
                "Put the missing `{quote}` into line {}, column {column}",
                f.line
            ),
            format!("A text in line {} has one `{quote}` only.", f.line),
        ),
        (_, quote) => (
            format!(
                "Write `{quote}` for `{was}` in line {}, column {column}",
                f.line
            ),
            format!("The text begins with `{quote}` and ends with `{was}`."),
        ),
    };
    let made = Try::new(
        "open-string",
        title,
        why,
        vec![(first.at..first.at + first.over, first.text.clone())],
    );
    let clear = !rival && first.misfit <= 0;
    out.push(if clear { made } else { made.assumed() });
}

/// A closing brace in an f-string: after the shortest expression that fits.
fn braces(f: &Failure<'_>, rest: &Rest<'_>, out: &mut Vec<Try>) {
    let line = f.span(f.line);
    let mut places = Vec::new();
    for text in texts(f.text, line.clone()) {
        let prefix = f.text[..text.start].chars().next_back();
        if !matches!(prefix, Some('f' | 'F')) {
            continue;
        }
        let inner = &f.text[text.clone()];
        let mut open = None;
        for (i, c) in inner.char_indices().skip(1) {
            match c {
                '{' if open.is_none() => open = Some(i),
                '}' => open = None,
                _ => {}
            }
            let Some(from) = open.filter(|from| i > from + 1) else {
                continue;
            };
            if boundary(Some(c)) && !matches!(c, '.' | '(' | '[' | '_') {
                let blanks = inner[from..i].matches(' ').count();
                places.push(Place {
                    at: text.start + i,
                    over: 0,
                    text: "}".to_owned(),
                    misfit: i32::try_from(blanks).unwrap_or(99),
                    seen: false,
                });
            }
        }
    }
    let all = best(f, rest, places);
    let Some(first) = all.first() else { return };
    let clear = all.get(1).is_none_or(|p| p.misfit > first.misfit) && first.misfit == 0;
    let column = f.text[line.start..first.at].chars().count() + 1;
    let made = Try::new(
        "unclosed-bracket",
        format!("Put `}}` into line {}, column {column}", f.line),
        "A `{` of the f-string is never closed.",
        vec![(first.at..first.at, "}".to_owned())],
    );
    out.push(if clear { made } else { made.assumed() });
}

/// A closing bracket on the line of the open one: after code that is closed in the same way
/// elsewhere, after a literal on which no method is called, or at the end.
fn brackets(f: &Failure<'_>, rest: &Rest<'_>, out: &mut Vec<Try>) {
    let line = f.span(f.line);
    let (marks, _) = scan(f.text);
    let code_end = f.code_end(f.line);
    let mut places = Vec::new();
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let opens = |m: &&super::scan::Mark| line.contains(&m.at) && matches!(m.c, '(' | '[' | '{');
    for m in marks.iter().filter(opens) {
        let close = closing(m.c);
        let from = line.start + f.text[line.start..m.at].trim_end_matches(word).len();
        for (i, c) in f.text[m.at..code_end]
            .char_indices()
            .skip(1)
            .chain([(code_end - m.at, '\n')])
        {
            let at = m.at + i;
            let before = f.text[..at].chars().next_back();
            // `df.mean(, axis=1)`: the brackets are empty.
            let empty = i == 1 && m.c == '(' && matches!(c, ',' | '.' | ')' | ']');
            if !empty && (!boundary(Some(c)) || matches!(before, Some(' ' | ',' | '(' | '[' | '{')))
            {
                continue;
            }
            let group = &f.text[from..at];
            // `ab['group']`, `(x == 1)`: the whole expression, not only a bracket.
            let seen = from < m.at && (rest.elsewhere)(&format!("{group}{close}"));
            let literal = matches!(before, Some('"' | '\'' | ']' | '}' | '0'..='9'))
                || ["True", "False", "None"].iter().any(|w| group.ends_with(w));
            places.push(Place {
                at,
                over: 0,
                text: close.to_string(),
                misfit: i32::from(!(literal && c == '.')),
                seen,
            });
        }
    }
    let all = best(f, rest, places);
    let Some(first) = all.first() else { return };
    let column = f.text[line.start..first.at].chars().count() + 1;
    let end = first.at == code_end;
    let place = match end {
        true => format!("Put `{}` at the end of line {}", first.text, f.line),
        false => format!("Put `{}` into line {}, column {column}", first.text, f.line),
    };
    let why = match first.seen {
        true => format!(
            "Elsewhere the notebook closes it there with `{}`.",
            first.text
        ),
        false => format!("A bracket in line {} is never closed.", f.line),
    };
    let made = Try::new(
        "unclosed-bracket",
        place,
        why,
        vec![(first.at..first.at, first.text.clone())],
    );
    out.push(if all.len() == 1 { made } else { made.assumed() });
}
