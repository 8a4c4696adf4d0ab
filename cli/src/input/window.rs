//! JSON with very long strings cut to their beginning and end: that is what is judged of an output.

use memchr::{memchr, memchr2};
use std::collections::VecDeque;
use std::io::{self, Read};

/// What is kept of a long string: so many bytes of its beginning, and at least as many of its end.
const HEAD: usize = 8 << 20;
const TAIL: usize = 8 << 20;
/// The end is held in pieces of about this size.
const PIECE: usize = 64 << 10;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Between strings.
    Outside,
    Plain,
    /// After a backslash.
    Escape,
    /// In a `\u` escape: the digits to come, and the number so far.
    Unit(u8, u32),
}

/// Reads JSON as UTF-8; memory is bounded whatever the lengths of its strings.
pub struct Windowed<R> {
    from: R,
    head: usize,
    tail: usize,
    block: Vec<u8>,
    out: Vec<u8>,
    at: usize,
    state: State,
    /// Bytes of this string that were passed on.
    passed: usize,
    /// The last escape was the first half of a pair: no place to cut.
    half: bool,
    /// The end of a string whose beginning was passed on; each piece begins where a string can be cut.
    pieces: VecDeque<Vec<u8>>,
    held: usize,
    left_out: u64,
}

impl<R: Read> Windowed<R> {
    pub fn new(from: R) -> Self {
        Self::with(from, HEAD, TAIL)
    }

    fn with(from: R, head: usize, tail: usize) -> Self {
        Windowed {
            from,
            head,
            tail,
            block: vec![0; PIECE],
            out: Vec::new(),
            at: 0,
            state: State::Outside,
            passed: 0,
            half: false,
            pieces: VecDeque::new(),
            held: 0,
            left_out: 0,
        }
    }

    fn feed(&mut self, mut bytes: &[u8]) {
        while let Some(&first) = bytes.first() {
            let used = match self.state {
                State::Outside => {
                    let quote = memchr(b'"', bytes);
                    let end = quote.map_or(bytes.len(), |i| i + 1);
                    self.out.extend_from_slice(&bytes[..end]);
                    if quote.is_some() {
                        self.state = State::Plain;
                        self.passed = 0;
                    }
                    end
                }
                State::Plain if first == b'"' => {
                    self.close();
                    1
                }
                State::Plain if first == b'\\' => {
                    self.token(b"\\", true);
                    self.state = State::Escape;
                    1
                }
                // The rest of a character that a block cut.
                State::Plain if first & 0xc0 == 0x80 => {
                    let more = bytes.iter().take_while(|b| **b & 0xc0 == 0x80);
                    let end = more.take(3).count();
                    self.token(&bytes[..end], false);
                    end
                }
                State::Plain => {
                    self.half = false;
                    let end = memchr2(b'"', b'\\', bytes).unwrap_or(bytes.len());
                    let end = end.min(PIECE);
                    self.token(&bytes[..end], true);
                    end
                }
                State::Escape => {
                    self.token(&[first], false);
                    self.half &= first == b'u';
                    self.state = match first {
                        b'u' => State::Unit(4, 0),
                        _ => State::Plain,
                    };
                    1
                }
                State::Unit(left, value) => {
                    self.token(&[first], false);
                    let digit = char::from(first).to_digit(16).unwrap_or(0);
                    let value = value * 16 + digit;
                    self.state = match left {
                        1 => {
                            // The second half of a pair ends it, whatever it is.
                            self.half = !self.half && (0xd800..0xdc00).contains(&value);
                            State::Plain
                        }
                        _ => State::Unit(left - 1, value),
                    };
                    1
                }
            };
            bytes = &bytes[used..];
        }
    }

    /// Passes on or holds bytes of a string; `free`: the string can be cut before them.
    fn token(&mut self, bytes: &[u8], free: bool) {
        let free = free && !self.half;
        if self.pieces.is_empty() {
            if self.passed < self.head || !free {
                self.passed += bytes.len();
                self.out.extend_from_slice(bytes);
                return;
            }
            self.pieces.push_back(Vec::new());
        }
        if free && self.pieces.back().is_some_and(|p| p.len() >= PIECE) {
            self.pieces.push_back(Vec::new());
            while let Some(first) = self.pieces.front().map(Vec::len) {
                if self.held - first < self.tail {
                    break;
                }
                self.pieces.pop_front();
                self.held -= first;
                self.left_out += first as u64;
            }
        }
        if let Some(last) = self.pieces.back_mut() {
            last.extend_from_slice(bytes);
            self.held += bytes.len();
        }
    }

    /// Ends a string.
    fn close(&mut self) {
        if self.left_out > 0 {
            let note = format!("\\n[{} bytes are left out here]\\n", self.left_out);
            self.out.extend_from_slice(note.as_bytes());
        }
        for piece in self.pieces.drain(..) {
            self.out.extend_from_slice(&piece);
        }
        self.out.push(b'"');
        (self.held, self.left_out, self.half) = (0, 0, false);
        self.state = State::Outside;
    }
}

impl<R: Read> Read for Windowed<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while self.at == self.out.len() {
            self.out.clear();
            self.out.shrink_to(HEAD);
            self.at = 0;
            let mut block = std::mem::take(&mut self.block);
            let read = self.from.read(&mut block);
            if let Ok(n) = read {
                self.feed(&block[..n]);
            }
            self.block = block;
            if read? == 0 {
                return Ok(0);
            }
        }
        let n = to.len().min(self.out.len() - self.at);
        to[..n].copy_from_slice(&self.out[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands over a few bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let n = self.1.min(self.0.len()).min(to.len());
            to[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    fn read(json: &str, step: usize, head: usize, tail: usize) -> String {
        let mut out = String::new();
        let mut from = Windowed::with(Slow(json.as_bytes(), step), head, tail);
        from.read_to_string(&mut out).expect("UTF-8");
        out
    }

    #[test]
    fn short_strings_stay_as_they_are() {
        let json = r#"{"a":["\\\"é😀\ud83d\ude00\n",""],"b\\":-1.5e3, "c" : null}"#;
        for step in [1, 2, 3, 7, 1000] {
            assert_eq!(read(json, step, 100, 100), json);
            // What has no end is passed on, for the parser to refuse.
            assert_eq!(read(&json[..30], step, 100, 100), json[..30]);
        }
    }

    #[test]
    fn of_a_long_string_the_beginning_and_the_end_stay_and_it_stays_json() {
        let units = [
            "x",
            "é",
            "😀",
            "\\n",
            "\\\\",
            "\\\"",
            "\\u0041",
            "\\ud83d\\ude00",
            "y\\u00e9z",
        ];
        for unit in units {
            let whole: String = serde_json::from_str(&format!("\"{unit}\"")).expect("a string");
            let json = format!("[\"start{}end\",1]", unit.repeat(400_000));
            for (step, head) in [
                (1 << 16, 1000),
                (4099, 1001),
                (1 << 20, 1002),
                (65_537, 1003),
            ] {
                let cut = read(&json, step, head, 2000);
                assert!(cut.len() < 300_000, "{unit}: {}", cut.len());
                let (text, one): (String, u8) = serde_json::from_str(&cut).expect("JSON");
                assert_eq!(one, 1);
                let (first, last) = text.split_once("\n[").expect("a note");
                let (note, last) = last.split_once("]\n").expect("a note");
                assert!(note.ends_with("bytes are left out here"));
                let first = first.strip_prefix("start").expect("the beginning");
                let last = last.strip_suffix("end").expect("the end");
                assert!(first.len() >= 150 && last.len() >= 300, "{unit}");
                for part in [first, last] {
                    // Cut between characters; in a unit of several, anywhere.
                    let within = whole.repeat(part.len() / whole.len() + 2);
                    assert!(within.contains(part), "{unit}");
                }
            }
        }
    }
}
