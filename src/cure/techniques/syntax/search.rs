//! Searches for single-token repairs: misspelled keywords, commas, confused symbols, superfluous tokens.
//!
//! Every change of a single token near the error is tried; Python's grammar decides which of them parse.

use super::failure::{Failure, Try};
use super::scan::{scan, texts};
use crate::closest::near;
use nbmedic_facts::Basis;
use std::ops::Range;

/// Maximum number of lines above the reported one that belong to its statement.
const MAX_LINES: u32 = 30;
/// Maximum number of tokens examined, closest to the error first.
const MAX_TOKENS: usize = 40;

const KEYWORDS: &[&str] = &[
    "for", "in", "and", "or", "not", "is", "if", "else", "elif", "return", "while", "import",
    "from", "as", "lambda", "def", "class", "with", "try", "except", "finally", "yield", "raise",
    "pass", "break", "continue", "assert", "del", "global", "nonlocal", "async", "await",
];

/// Two-letter words and words of other languages, for which similarity says nothing.
const MEANT: &[(&str, &str)] = &[
    ("fo", "for"),
    ("of", "in"),
    ("on", "in"),
    ("ni", "in"),
    ("inn", "in"),
    ("ad", "and"),
    ("fi", "if"),
    ("iff", "if"),
    ("fr", "for"),
    ("function", "def"),
    ("func", "def"),
    ("fun", "def"),
    ("fn", "def"),
    ("define", "def"),
    ("catch", "except"),
    ("throw", "raise"),
    ("let", ""),
    ("var", ""),
    ("const", ""),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Word,
    /// A string or a number.
    Value,
    Sign,
}

/// A token, and its enclosing bracket.
#[derive(Clone, Debug)]
struct Token<'t> {
    range: Range<usize>,
    text: &'t str,
    kind: Kind,
    inside: Option<char>,
}

impl Token<'_> {
    fn is_keyword(&self) -> bool {
        self.kind == Kind::Word && KEYWORDS.contains(&self.text)
    }

    /// Whether a value may end with it.
    fn ends(&self) -> bool {
        match self.kind {
            Kind::Sign => matches!(self.text, ")" | "]" | "}"),
            _ => !self.is_keyword(),
        }
    }

    /// Whether a value may begin with it. `(` and `[` continue the previous one.
    fn begins(&self) -> bool {
        match self.kind {
            Kind::Sign => self.text == "{",
            _ => !self.is_keyword() || matches!(self.text, "lambda" | "not" | "await"),
        }
    }
}

/// The tokens of the failing statement, which includes brackets opened before the reported line.
fn tokens<'t>(f: &Failure<'t>) -> Vec<Token<'t>> {
    let first = f.line.saturating_sub(MAX_LINES).max(1);
    let (marks, _) = scan(f.text);
    let end = f.span((f.line + 1).min(f.lines())).end;
    let mut stack: Vec<char> = Vec::new();
    let mut out: Vec<Token<'t>> = Vec::new();
    let from = f.span(first).start;
    // Between two marks there is whitespace, a comment or a string.
    let mut at = 0;
    let mut i = 0;
    while i < marks.len() && marks[i].at < end {
        let m = marks[i];
        for value in texts(f.text, at..m.at) {
            out.push(Token {
                text: &f.text[value.clone()],
                range: value,
                kind: Kind::Value,
                inside: stack.last().copied(),
            });
        }
        let word = |c: char| c.is_alphanumeric() || c == '_';
        if m.c.is_whitespace() {
            // A line end ends the statement unless a bracket is open.
            if m.c == '\n' && stack.is_empty() && f.text[..m.at].lines().count() < f.line as usize {
                out.clear();
            }
            at = m.at + m.c.len_utf8();
            i += 1;
            continue;
        }
        let mut stop = i + 1;
        // `.5` is a number, unless the dot is an attribute access.
        let digit = |k: usize| marks.get(k).is_some_and(|n| n.c.is_ascii_digit());
        let point = m.c == '.'
            && digit(i + 1)
            && i.checked_sub(1).is_none_or(|b| {
                let b = marks[b];
                b.at + b.c.len_utf8() < m.at || !(word(b.c) || matches!(b.c, ')' | ']'))
            });
        if word(m.c) || point {
            let number = point || m.c.is_ascii_digit();
            let goes_on = |k: usize| {
                marks.get(k).is_some_and(|n| {
                    n.at == marks[k - 1].at + marks[k - 1].c.len_utf8()
                        && (word(n.c) || number && n.c == '.')
                })
            };
            while goes_on(stop) {
                stop += 1;
            }
        } else if matches!(m.c, ')' | ']' | '}') {
            stack.pop();
        }
        let last = marks[stop - 1];
        let range = m.at..last.at + last.c.len_utf8();
        out.push(Token {
            text: &f.text[range.clone()],
            kind: match (word(m.c) || point, point || m.c.is_ascii_digit()) {
                (true, true) => Kind::Value,
                (true, false) => Kind::Word,
                _ => Kind::Sign,
            },
            inside: stack.last().copied(),
            range,
        });
        if matches!(m.c, '(' | '[' | '{') {
            stack.push(m.c);
        }
        at = last.at + last.c.len_utf8();
        i = stop;
    }
    out.retain(|t| t.range.start >= from && t.range.end <= end);
    out
}

/// Adds the possible single-token repairs, closest to the error first within each kind. `known`
/// says whether a name exists.
pub(super) fn tries(f: &Failure<'_>, known: &dyn Fn(&str) -> bool, out: &mut Vec<Try>) {
    let all = tokens(f);
    let broken = f
        .python
        .broken()
        .first()
        .map(|b| b.range.start().to_usize());
    let line = f.span(f.line);
    let focus = broken
        .filter(|b| line.contains(b) || all.iter().any(|t| t.range.start == *b))
        .unwrap_or(line.end);
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|i| all[*i].range.start.abs_diff(focus));
    order.truncate(MAX_TOKENS);
    let mut kinds: [Vec<Try>; 6] = Default::default();
    for &i in &order {
        let token = &all[i];
        let before = i.checked_sub(1).map(|b| &all[b]);
        let next = all.get(i + 1);
        keyword(f, token, known, &mut kinds[0]);
        doubled(f, token, before, &mut kinds[1]);
        exchanged(f, token, &mut kinds[2]);
        parted(f, token, before, &mut kinds[3]);
        numbered(f, token, next, known, &mut kinds[4]);
        stray(f, token, before, next, &mut kinds[5]);
    }
    for kind in kinds {
        out.extend(kind);
    }
}

fn line_of(f: &Failure<'_>, at: usize) -> usize {
    f.text[..at].matches('\n').count() + 1
}

fn keyword(f: &Failure<'_>, t: &Token<'_>, known: &dyn Fn(&str) -> bool, out: &mut Vec<Try>) {
    if t.kind != Kind::Word || t.is_keyword() || known(t.text) {
        return;
    }
    let slip = |w: &str| w.len() > 5 && near(t.text, w).is_some_and(|d| d < 3);
    let meant = MEANT
        .iter()
        .filter(|(w, _)| *w == t.text || slip(w))
        .map(|(_, k)| *k);
    let mut alike: Vec<(usize, &str)> = KEYWORDS
        .iter()
        .filter_map(|k| match t.text.eq_ignore_ascii_case(k) {
            true => Some((0, *k)),
            false => {
                let distance = near(t.text, k).filter(|_| k.len() > 2)?;
                (distance <= k.len() / 2).then_some((distance, *k))
            }
        })
        .collect();
    alike.sort_by_key(|(distance, _)| *distance);
    for right in meant.chain(alike.into_iter().map(|(_, k)| k)) {
        let mut range = t.range.clone();
        let title = if right.is_empty() {
            range.end += usize::from(f.text[range.end..].starts_with(' '));
            format!("Remove `{}`", t.text)
        } else {
            format!("Write `{right}` for `{}`", t.text)
        };
        out.push(Try::new(
            "keyword",
            title,
            format!("`{}` is no word of Python's.", t.text),
            vec![(range, right.to_owned())],
        ));
    }
}

fn doubled(f: &Failure<'_>, t: &Token<'_>, before: Option<&Token<'_>>, out: &mut Vec<Try>) {
    let same = before.filter(|b| b.text == t.text && matches!(t.text, "," | "." | ":" | ";"));
    if let Some(b) = same {
        out.push(Try::new(
            "doubled-sign",
            format!(
                "Remove one `{}` of line {}",
                t.text,
                line_of(f, t.range.start)
            ),
            format!("`{}` stands twice.", t.text),
            vec![(b.range.end..t.range.end, String::new())],
        ));
    }
}

/// One symbol for another: `{'a' = 1}`, `f(a: 1)`, `f(a; b)`.
fn exchanged(f: &Failure<'_>, t: &Token<'_>, out: &mut Vec<Try>) {
    let (by, why) = match (t.text, t.inside) {
        ("=", Some('{')) => (":", "In a dict `:` stands between key and value."),
        (":", Some('(')) => (
            "=",
            "In a call `=` stands between an argument's name and its value.",
        ),
        (";" | ".", Some(_)) => (",", "Values are parted by `,`."),
        (";" | ",", None) => (":", "A line that opens a block ends with `:`."),
        _ => return,
    };
    let line = line_of(f, t.range.start);
    // With the spacing of the new symbol.
    let mut range = t.range.clone();
    let blank = |at: Option<&str>| at.is_some_and(|c| c == " ");
    if by == ":" && blank(f.text.get(range.start.saturating_sub(1)..range.start)) {
        range.start -= 1;
    } else if by == "=" && blank(f.text.get(range.end..range.end + 1)) {
        range.end += 1;
    }
    out.push(Try::new(
        "other-sign",
        format!("Write `{by}` for `{}` in line {line}", t.text),
        why,
        vec![(range, by.to_owned())],
    ));
}

/// A comma between two adjacent values in brackets.
fn parted(f: &Failure<'_>, t: &Token<'_>, before: Option<&Token<'_>>, out: &mut Vec<Try>) {
    // Outside of brackets, only between names: `from a import b c`, `x y = 1, 2`.
    let names = |b: &Token<'_>| b.kind == Kind::Word && t.kind == Kind::Word;
    let fits = |b: &&Token<'_>| b.ends() && t.begins() && (t.inside.is_some() || names(b));
    let Some(b) = before.filter(fits) else {
        return;
    };
    // A prefix belongs to its string: `f"…"`.
    if b.range.end == t.range.start && b.kind == Kind::Word {
        return;
    }
    let shown: String = b.text.chars().rev().take(20).collect();
    let shown: String = shown.chars().rev().collect();
    let end = b.range.end;
    let made = Try::new(
        "missing-comma",
        format!("Put a comma behind `{shown}` in line {}", line_of(f, end)),
        "Two values stand side by side without one.",
        vec![(end..end, ",".to_owned())],
    );
    out.push(match f.says("forgot a comma") && t.inside.is_some() {
        true => made,
        false => made.assumed(),
    });
}

/// `2x`: a product, or a name, which can't start with a digit.
fn numbered(
    f: &Failure<'_>,
    t: &Token<'_>,
    next: Option<&Token<'_>>,
    known: &dyn Fn(&str) -> bool,
    out: &mut Vec<Try>,
) {
    let name = t
        .text
        .trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let digits = &t.text[..t.text.len() - name.len()];
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if t.kind != Kind::Value || digits.is_empty() || !begins || !f.says("invalid") {
        return;
    }
    let target = next.is_some_and(|n| matches!(n.text, "=" | "," | ":"));
    let line = line_of(f, t.range.start);
    if known(name) && !target {
        out.push(
            Try::new(
                "product",
                format!("Write `{digits} * {name}` for `{}` in line {line}", t.text),
                "A product needs its `*`.",
                vec![(t.range.clone(), format!("{digits} * {name}"))],
            )
            .assumed(),
        );
    }
    out.push(
        Try::new(
            "name-of-digits",
            format!("Write `{name}` for `{}` in line {line}", t.text),
            "A name can't begin with a digit.",
            vec![(t.range.clone(), name.to_owned())],
        )
        .assumed(),
    );
}

/// A superfluous symbol.
fn stray(
    f: &Failure<'_>,
    t: &Token<'_>,
    before: Option<&Token<'_>>,
    next: Option<&Token<'_>>,
    out: &mut Vec<Try>,
) {
    let line = line_of(f, t.range.start);
    // Only at the error itself; elsewhere a symbol has a purpose.
    let here = line == f.line as usize;
    let sign = matches!(
        t.text,
        "," | ":" | ";" | "." | "=" | "+" | "*" | "\\" | "?" | "$" | "!"
    );
    let edge =
        before.is_none_or(|b| b.kind == Kind::Sign) || next.is_none_or(|n| n.kind == Kind::Sign);
    // What follows a keyword argument is an argument, whatever is between them, so removing a
    // symbol doesn't help.
    if t.kind != Kind::Sign || !here || !sign || !edge || f.says("follows keyword argument") {
        return;
    }
    let mut made = Try::new(
        "stray-sign",
        format!("Remove the `{}` that is too many in line {line}", t.text),
        format!("No value stands beside the `{}`.", t.text),
        vec![(t.range.clone(), String::new())],
    );
    made.basis = Basis::Assumed;
    out.push(made);
}
