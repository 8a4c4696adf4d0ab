//! Tokenizes text like Python's tokenizer, but without giving up.

use std::ops::Range;

/// A place outside strings and comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) at: usize,
    pub(super) c: char,
}

/// The characters outside strings and comments, and the strings that end with their line.
pub(super) fn scan(text: &str) -> (Vec<Mark>, Vec<usize>) {
    let mut marks = Vec::new();
    let mut open_strings = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < text.len() {
        let Some(c) = text.get(at..).and_then(|t| t.chars().next()) else {
            break;
        };
        match c {
            '#' => {
                let rest = &text[at..];
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            '\'' | '"' => {
                let quote = bytes[at];
                let triple = bytes[at..].starts_with(&[quote; 3]);
                let start = at;
                at += if triple { 3 } else { 1 };
                let mut closed = false;
                while at < text.len() {
                    match bytes[at] {
                        b'\\' => at += 1,
                        b'\n' if !triple => break,
                        b if b == quote && !triple => {
                            closed = true;
                            at += 1;
                            break;
                        }
                        b if b == quote && bytes[at..].starts_with(&[quote; 3]) => {
                            closed = true;
                            at += 3;
                            break;
                        }
                        _ => {}
                    }
                    at += 1;
                }
                if !closed {
                    open_strings.push(start);
                }
                at = at.min(text.len());
                while !text.is_char_boundary(at) {
                    at += 1;
                }
                continue;
            }
            _ => marks.push(Mark { at, c }),
        }
        at += c.len_utf8();
    }
    (marks, open_strings)
}

/// The complete quoted strings within a range, except in comments.
pub(super) fn texts(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let bytes = text.as_bytes();
    let mut at = range.start;
    while at < range.end {
        match bytes[at] {
            b'#' => at += text[at..range.end].find('\n').unwrap_or(range.end - at),
            quote @ (b'\'' | b'"') => {
                let triple = bytes[at..range.end].starts_with(&[quote; 3]);
                let width = if triple { 3 } else { 1 };
                let mut end = at + width;
                while end < range.end && !bytes[end..range.end].starts_with(&[quote; 3][..width]) {
                    end += 1 + usize::from(bytes[end] == b'\\');
                }
                let end = (end + width).min(range.end);
                out.push(at..end);
                at = end;
            }
            _ => at += 1,
        }
    }
    out.retain(|r| text.is_char_boundary(r.start) && text.is_char_boundary(r.end));
    out
}

/// The length of a line's code, without a comment and the whitespace before it.
pub(super) fn code_len(line: &str) -> usize {
    let (_, open) = scan(line);
    if !open.is_empty() {
        return line.trim_end().len();
    }
    let comment = comment_at(line);
    line[..comment].trim_end().len()
}

fn comment_at(line: &str) -> usize {
    let bytes = line.as_bytes();
    let mut quote = None;
    let mut at = 0;
    while at < bytes.len() {
        match (quote, bytes[at]) {
            (Some(_), b'\\') => at += 1,
            (Some(q), b) if b == q => quote = None,
            (None, b @ (b'\'' | b'"')) => quote = Some(b),
            (None, b'#') => return at,
            _ => {}
        }
        at += 1;
    }
    line.len()
}
