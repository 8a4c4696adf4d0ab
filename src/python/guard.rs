//! Refuses sources on which a recursive parser, or a walk over its tree, could run out of stack.

/// Longest source read, in bytes.
const MAX_BYTES: usize = 200_000;
/// Deepest nesting of brackets.
const MAX_DEPTH: usize = 60;
/// Longest chain of operators, attributes, calls and keywords without a comma, over all open brackets.
const MAX_CHAIN: usize = 320;
/// Deepest indentation, in columns.
const MAX_INDENT: usize = 400;

/// Whether a source may be parsed. Linear in the text.
pub(crate) fn is_bounded(source: &str) -> bool {
    source.len() <= MAX_BYTES && Scan::default().run(source.as_bytes())
}

#[derive(Default)]
struct Scan {
    /// The chain's length in each open bracket, outermost first, without the innermost.
    open: Vec<usize>,
    /// Sum of `open`.
    outer: usize,
    /// The chain's length in the innermost bracket.
    chain: usize,
}

impl Scan {
    fn run(mut self, text: &[u8]) -> bool {
        let mut at = 0;
        let mut start = true;
        while let Some(&c) = text.get(at) {
            if std::mem::take(&mut start) {
                let blanks = text[at..].iter().take_while(|c| matches!(c, b' ' | b'\t'));
                if blanks.count() > MAX_INDENT && self.open.is_empty() {
                    return false;
                }
            }
            match c {
                b'#' => {
                    at = end_of_line(text, at);
                    continue;
                }
                b'"' | b'\'' => {
                    let Some(end) = string(text, at) else {
                        return false;
                    };
                    at = end;
                    continue;
                }
                b'(' | b'[' | b'{' => {
                    self.chain += 1;
                    self.outer += self.chain;
                    self.open.push(std::mem::take(&mut self.chain));
                }
                b')' | b']' | b'}' => {
                    if let Some(chain) = self.open.pop() {
                        self.chain = chain;
                        self.outer -= chain;
                    }
                }
                b',' | b';' => self.chain = 0,
                b'\n' => {
                    let joined = at > 0 && text[at - 1] == b'\\';
                    if self.open.is_empty() && !joined {
                        self.chain = 0;
                    }
                    start = true;
                }
                b'a'..=b'z' if !at.checked_sub(1).is_some_and(|p| is_word(text[p])) => {
                    let len = text[at..].iter().take_while(|c| is_word(**c)).count();
                    let word = &text[at..at + len];
                    let words: [&[u8]; 8] = [
                        b"not", b"lambda", b"await", b"if", b"else", b"and", b"or", b"for",
                    ];
                    self.chain += usize::from(words.contains(&word));
                    at += len;
                    if self.outer + self.chain > MAX_CHAIN {
                        return false;
                    }
                    continue;
                }
                b'+' | b'-' | b'*' | b'/' | b'%' | b'@' | b'&' | b'|' | b'^' | b'~' | b'<'
                | b'>' | b'.' | b':' | b'!' | b'?' => self.chain += 1,
                _ => {}
            }
            if self.open.len() > MAX_DEPTH || self.outer + self.chain > MAX_CHAIN {
                return false;
            }
            at += 1;
        }
        true
    }
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c >= 0x80
}

fn end_of_line(text: &[u8], at: usize) -> usize {
    let rest = &text[at..];
    at + rest.iter().position(|c| *c == b'\n').unwrap_or(rest.len())
}

/// The end of the string that starts at `at`. None for an f-string whose parts, which are parsed too, nest
/// too deeply or chain too long.
fn string(text: &[u8], at: usize) -> Option<usize> {
    let quote = text[at];
    let prefix = text[..at].iter().rev().take(2);
    let parsed = prefix
        .take_while(|c| c.is_ascii_alphabetic())
        .any(|c| b"fFtT".contains(c));
    let triple = text[at..].starts_with(&[quote; 3]);
    let mut i = at + if triple { 3 } else { 1 };
    let (mut depth, mut chain) = (0_usize, 0_usize);
    while let Some(&c) = text.get(i) {
        match c {
            b'\\' => i += 1,
            b'\n' if !triple => return Some(i),
            _ if c == quote && !triple => return Some(i + 1),
            _ if c == quote && text[i..].starts_with(&[quote; 3]) => return Some(i + 3),
            b'{' | b'(' | b'[' if parsed => {
                depth += 1;
                chain += 1;
            }
            b'}' | b')' | b']' => depth = depth.saturating_sub(1),
            _ if parsed && depth > 0 && c.is_ascii_punctuation() => chain += 1,
            _ => {}
        }
        if depth > MAX_DEPTH / 3 || chain > MAX_CHAIN * 4 {
            return None;
        }
        i += 1;
    }
    Some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_cells_pass_and_bombs_do_not() {
        let table = format!("x = [{}]", "[1, -2, 'a.b(c'], ".repeat(4000));
        let chained = format!("df = (df{}\n)", "\n  .assign(a=1)".repeat(60));
        let quoted = format!("'''{}'''\nx = 1", "see a.b.c (and more\n".repeat(300));
        for good in [
            table.as_str(),
            &chained,
            &quoted,
            "# (((((",
            "a\n".repeat(9000).as_str(),
        ] {
            assert!(is_bounded(good), "{}", &good[..good.len().min(60)]);
        }
        for bomb in [
            "(".repeat(5000),
            "[".repeat(70),
            format!("x = {}1", "-".repeat(5000)),
            format!("x = {}1", "not ".repeat(5000)),
            format!("x = {}", "1+".repeat(5000)),
            format!("x{}", ".a".repeat(5000)),
            format!("x{}", "()".repeat(5000)),
            format!("x = {}", "lambda: ".repeat(5000)),
            format!("f'{}", "{".repeat(5000)),
            format!("if x:\n{}y", " ".repeat(2000)),
            format!("x = 1 {}", "if a else 1 ".repeat(2000)),
            "x".repeat(300_000),
        ] {
            assert!(!is_bounded(&bomb), "{}", &bomb[..40]);
        }
    }

    /// The deepest sources that pass are parsed, walked and dropped within the stack that WebAssembly has.
    #[test]
    #[allow(clippy::disallowed_methods)] // A thread, for its small stack.
    fn what_passes_fits_the_stack() {
        let nested: String = (0..100)
            .map(|i| format!("{}if x:\n", " ".repeat(i * 4)))
            .collect();
        let deepest = [
            format!("x = {}1{}", "(".repeat(MAX_DEPTH), ")".repeat(MAX_DEPTH)),
            format!(
                "x = {}1{}",
                "[f(".repeat(MAX_DEPTH / 2),
                ")]".repeat(MAX_DEPTH / 2)
            ),
            format!("x = {}1", "1+".repeat(MAX_CHAIN - 10)),
            format!("x = {}1", "-".repeat(MAX_CHAIN - 10)),
            format!("x = {}1", "not ".repeat(MAX_CHAIN - 10)),
            format!("x = {}1", "lambda: ".repeat(MAX_CHAIN / 2 - 10)),
            format!("x{}", ".a".repeat(MAX_CHAIN - 10)),
            format!("x{}", "()".repeat(MAX_CHAIN - 10)),
            format!("x = {}1", "1 if a else ".repeat(MAX_CHAIN / 2 - 10)),
            format!("x = {}1", "2**".repeat(MAX_CHAIN / 2 - 10)),
            format!("{nested}{}y", " ".repeat(400)),
        ];
        for source in deepest {
            let run = move || {
                assert!(is_bounded(&source), "{}", &source[..20]);
                let cell = crate::Cell::read(&source).unwrap();
                cell.names().needs().len()
            };
            let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run);
            assert!(thread.unwrap().join().is_ok());
        }
    }
}
