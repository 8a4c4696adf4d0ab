//! Splits source into statements: tokens without comments, and each statement's indentation.

/// Longest source that is read, in bytes.
const MAX_SOURCE: usize = 64 << 10;
/// Maximum number of tokens of one statement.
const MAX_TOKENS: usize = 400;

/// A statement.
pub(super) struct Line<'a> {
    /// Its first line, from 1.
    pub number: u32,
    /// Columns of white space before it.
    pub indent: usize,
    /// Names, numbers, strings with their quotes, operators.
    pub tokens: Vec<&'a str>,
    /// It runs when the cell runs, as far as can be read: it is not in a function, class, condition
    /// or `try`.
    pub plain: bool,
}

/// Whether a token is a name or a keyword.
pub(super) fn is_name(token: &str) -> bool {
    token
        .bytes()
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_' || b >= 0x80)
        && !token.ends_with(['"', '\''])
}

/// The text of a string token without prefix and quotes; `None` for other tokens.
pub(super) fn string(token: &str) -> Option<&str> {
    let from = token.find(['"', '\''])?;
    let body = &token[from..];
    let quote = &body[..1];
    let quotes = match body.len() >= 6 && body.starts_with(&quote.repeat(3)) {
        true => 3,
        false => 1,
    };
    body.get(quotes..body.len().checked_sub(quotes)?)
}

/// Whether a cell is not Python: `%%bash`, `%%html`. Cells with `%%time` and similar magics are
/// Python.
pub(super) fn is_foreign(source: &str) -> bool {
    let first = source.trim_start();
    let Some(magic) = first.strip_prefix("%%") else {
        return false;
    };
    let word = magic.split_whitespace().next().unwrap_or("");
    !matches!(
        word,
        "time" | "timeit" | "capture" | "prun" | "memit" | "px" | "wandb"
    )
}

/// The statements of a cell, in order. Shell lines and magics are left out.
pub(super) fn statements(source: &str) -> Vec<Line<'_>> {
    let mut out: Vec<Line<'_>> = Vec::new();
    if source.len() > MAX_SOURCE || is_foreign(source) {
        return out;
    }
    let bytes = source.as_bytes();
    let (mut at, mut number, mut depth) = (0, 1u32, 0usize);
    // Indents of the headers whose bodies may not run.
    let mut held: Vec<usize> = Vec::new();
    let mut line: Option<Line<'_>> = None;
    let mut start = 0;
    while at <= bytes.len() {
        let end = at == bytes.len();
        let b = if end { b'\n' } else { bytes[at] };
        match b {
            b'\n' | b';' if depth == 0 => {
                if let Some(mut done) = line.take() {
                    while held.last().is_some_and(|h| *h >= done.indent) {
                        held.pop();
                    }
                    done.plain = held.is_empty();
                    if maybe(done.tokens[0]) {
                        held.push(done.indent);
                        // `if x: big()` on one line.
                        done.plain = false;
                    }
                    out.push(done);
                }
                if b == b'\n' {
                    number += 1;
                    start = at + 1;
                }
                at += 1;
            }
            b'\n' => {
                number += 1;
                at += 1;
            }
            b' ' | b'\t' | b'\r' | 0x0c => at += 1,
            b'\\' => at += 1 + usize::from(bytes.get(at + 1) == Some(&b'\n')),
            b'#' => at += rest_of_line(bytes, at),
            b'%' | b'!' if line.is_none() && depth == 0 => at += rest_of_line(bytes, at),
            _ => {
                let len = token(bytes, at);
                let text = &source[at..at + len];
                match text {
                    "(" | "[" | "{" => depth += 1,
                    ")" | "]" | "}" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                let open = line.get_or_insert_with(|| Line {
                    number,
                    indent: at - start,
                    tokens: Vec::new(),
                    plain: true,
                });
                if open.tokens.len() < MAX_TOKENS {
                    open.tokens.push(text);
                }
                number += text.bytes().filter(|b| *b == b'\n').count() as u32;
                at += len;
            }
        }
    }
    out
}

/// Whether a word begins a body that may not run now, or may run more than once.
fn maybe(word: &str) -> bool {
    matches!(
        word,
        "def"
            | "class"
            | "if"
            | "elif"
            | "else"
            | "try"
            | "except"
            | "while"
            | "async"
            | "@"
            | "match"
    )
}

fn rest_of_line(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len())
}

/// Length of the token at a byte that is not white space; it ends at a character.
fn token(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let word = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_' || **b >= 0x80;
    let len = rest.iter().take_while(word).count();
    let quote = rest.get(len).copied().unwrap_or(0);
    if len <= 2 && (quote == b'"' || quote == b'\'') {
        return len + quoted(&rest[len..], quote);
    }
    if len == 0 {
        let two = rest.get(..2).unwrap_or(rest);
        return match two {
            b"**" | b"//" | b"<<" | b"==" | b"!=" | b"<=" | b">=" | b"+=" | b"-=" | b"*="
            | b"/=" | b":=" | b"->" => 2,
            _ => 1,
        };
    }
    if !rest[0].is_ascii_digit() {
        return len;
    }
    // A number may contain a decimal point, and a sign after its exponent.
    let more = |b: &u8, before: u8| {
        b.is_ascii_alphanumeric()
            || matches!(b, b'_' | b'.')
            || (matches!(b, b'+' | b'-') && matches!(before, b'e' | b'E'))
    };
    let mut len = 1;
    while rest.get(len).is_some_and(|b| more(b, rest[len - 1])) {
        len += 1;
    }
    len
}

/// Length of a string, from its quote on.
fn quoted(rest: &[u8], quote: u8) -> usize {
    let triple = rest.len() >= 3 && rest[1] == quote && rest[2] == quote;
    let mut i = if triple { 3 } else { 1 };
    while i < rest.len() {
        match rest[i] {
            b'\\' => i += 1,
            b'\n' if !triple => return i,
            b if b == quote => {
                if !triple {
                    return i + 1;
                }
                if rest[i..].len() >= 3 && rest[i + 1] == quote && rest[i + 2] == quote {
                    return i + 3;
                }
            }
            _ => {}
        }
        i += 1;
    }
    rest.len()
}
