//! `nbmedic redact`: a text without secrets and personal data, read and written as a stream of bounded memory.

use crate::input::{heed_signals, Next, Source};
use crate::out;
use nbmedic::report::{find, replaced, Found, Known};
use std::io::IsTerminal;
use std::path::Path;

/// So much is looked at together, in bytes.
const WINDOW: usize = 1 << 20;
/// So much before and behind decides what a part of it is, in bytes.
const AROUND: usize = 64 << 10;
/// The status of a program that a signal ended.
const INTERRUPTED: u8 = 130;

/// Writes the input without its secrets to standard output. A file is read twice: what is known from its end goes from its
/// beginning, too. A pipe is read once.
///
/// # Errors
/// A message that names the input, without personal data.
pub fn run(path: &Path) -> Result<u8, String> {
    heed_signals();
    let mut filter = Filter::default();
    let passed = match path.is_file() {
        true => filter.pass(path, &mut |_| {}).and_then(|end| match end {
            Next::Interrupted => Ok(end),
            _ => filter.pass(path, &mut write),
        }),
        false => filter.pass(path, &mut write),
    };
    match passed.map_err(|e| filter.known.redact(&e).text)? {
        Next::Interrupted => Ok(INTERRUPTED),
        _ => Ok(0),
    }
}

fn write(text: &str) {
    match std::io::stdout().is_terminal() {
        true => out::bytes(out::lines(text).as_bytes()),
        false => out::bytes(text.as_bytes()),
    }
    out::flush();
}

/// What is held of an input.
#[derive(Default)]
struct Filter {
    known: Known,
    /// What was written last, for what it says of the rest, and what was not written yet.
    held: String,
    /// How much of it was written.
    done: usize,
}

impl Filter {
    /// Reads an input to its end, and hands on what is clean.
    fn pass(&mut self, path: &Path, to: &mut dyn FnMut(&str)) -> Result<Next, String> {
        self.held.clear();
        self.done = 0;
        let mut source = Source::open(path)?;
        loop {
            match source.next(&mut self.held)? {
                Next::Text if self.held.len() < self.done + WINDOW => {}
                Next::Text => to(&self.clean(AROUND)),
                // Whoever waits for a program's output sees its whole lines.
                Next::Idle => {
                    let line = self.held.rfind('\n').map_or(0, |at| at + 1);
                    let open = self.held.len() - line.max(self.done);
                    if line > self.done {
                        to(&self.clean(open));
                    }
                }
                end => {
                    to(&self.clean(0));
                    return Ok(end);
                }
            }
        }
    }

    /// Cleans what is held but for so many bytes at its end.
    fn clean(&mut self, ahead: usize) -> String {
        let found = find(&self.held);
        self.known.add_secrets(&self.held, &found);
        let found = self.known.all(&self.held, found);
        let cut = self.cut(ahead, &found);
        let inside = |f: &Found| {
            let range = f.range.start.max(self.done)..f.range.end.min(cut);
            let kind = f.kind;
            (range.start < range.end).then(|| Found {
                kind,
                range: range.start - self.done..range.end - self.done,
            })
        };
        let inside: Vec<Found> = found.iter().filter_map(inside).collect();
        let clean = replaced(&self.held[self.done..cut], &inside);
        let mut from = cut.saturating_sub(AROUND);
        while !self.held.is_char_boundary(from) {
            from += 1;
        }
        self.held.drain(..from);
        self.done = cut - from;
        clean
    }

    /// Where what is handed on now ends: at a line's end if there is one, and never within what is redacted.
    fn cut(&self, ahead: usize, found: &[Found]) -> usize {
        let most = self.held.len() - ahead.min(self.held.len() - self.done);
        let mut cut = most;
        while !self.held.is_char_boundary(cut) {
            cut -= 1;
        }
        if ahead > 0 {
            let line = self.held[self.done..cut].rfind('\n');
            cut = line.map_or(cut, |at| self.done + at + 1);
        }
        let within = |f: &&Found| f.range.start < cut && f.range.end > cut;
        match found.iter().find(within).map(|f| f.range.clone()) {
            Some(range) if range.start > self.done => range.start,
            Some(range) => range.end,
            None => cut,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text, cleaned in pieces of so many bytes.
    fn cleaned(text: &str, piece: usize, ahead: usize) -> String {
        let mut filter = Filter::default();
        let mut out = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            let mut n = piece.min(rest.len());
            while !rest.is_char_boundary(n) {
                n += 1;
            }
            filter.held.push_str(&rest[..n]);
            rest = &rest[n..];
            out.push_str(&filter.clean(ahead));
        }
        out + &filter.clean(0)
    }

    #[test]
    fn a_stream_is_cleaned_like_a_text_whatever_its_pieces() {
        let key = ["hf", "_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcD7fGh"].concat();
        let body = "MIIEowIBAAKCAQEAx7Gm3q9\n".repeat(30);
        let line = format!("größe 7: the key {key} was refused\nepoch 3, loss 0.25\n");
        let pem = format!("-----BEGIN RSA PRIVATE KEY-----\n{body}-----END RSA PRIVATE KEY-----\n");
        let text = format!("{}{pem}{}", line.repeat(40), line.repeat(40));
        let whole = nbmedic::report::redact(&text).text;
        assert!(!whole.contains("MIIE") && !whole.contains("aBcD"));
        for piece in [700, 1531, 4096, 100_000] {
            assert_eq!(cleaned(&text, piece, 1000), whole, "{piece}");
        }
    }

    #[test]
    fn what_came_before_goes_from_what_follows() {
        let mut text = "password = 'Vq7mWz2LpX9c'\n".to_owned();
        text.push_str(&"epoch 3, loss 0.25\n".repeat(20_000));
        text.push_str("KeyError: 'Vq7mWz2LpX9c'\n");
        let clean = cleaned(&text, 50_000, AROUND);
        assert!(!clean.contains("Vq7m"));
        assert_eq!(clean.lines().count(), text.lines().count());
    }
}
