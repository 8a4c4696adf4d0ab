//! Writes one line of the record into a buffer of fixed size.

use crate::bytes::NONE;

/// Maximum length of a line, including its end.
pub const MAX_LINE: usize = 4_096;

/// A line being written: one JSON object. Commas are inserted automatically. If something does not
/// fit, the line is not cut; [`Line::finish`] returns `None`.
pub struct Line {
    text: [u8; MAX_LINE],
    len: usize,
}

impl Default for Line {
    fn default() -> Self {
        Line::new()
    }
}

impl Line {
    /// An empty line.
    pub const fn new() -> Line {
        Line {
            text: [0; MAX_LINE],
            len: 0,
        }
    }

    /// Starts a new line with its kind and the time in milliseconds.
    #[inline(never)]
    pub fn start(&mut self, kind: &str, time: u64) {
        self.len = 0;
        self.open(b'{');
        self.text("k", kind.as_bytes());
        self.number("t", time);
    }

    /// Ends the object and the line. `None` if something did not fit.
    pub fn finish(&mut self) -> Option<&[u8]> {
        self.close(b'}');
        self.push(b'\n');
        self.text.get(..self.len)
    }

    #[inline(never)]
    fn push(&mut self, byte: u8) {
        if let Some(place) = self.text.get_mut(self.len) {
            *place = byte;
        }
        self.len = self.len.saturating_add(1);
    }

    fn separate(&mut self) {
        let last = self.len.checked_sub(1).and_then(|at| self.text.get(at));
        if !matches!(last, None | Some(b'{' | b'[' | b':')) {
            self.push(b',');
        }
    }

    /// Opens an array or object as the next value.
    #[inline(never)]
    pub fn open(&mut self, bracket: u8) {
        self.separate();
        self.push(bracket);
    }

    /// Closes it.
    pub fn close(&mut self, bracket: u8) {
        self.push(bracket);
    }

    /// The name of the next value.
    #[inline(never)]
    pub fn key(&mut self, name: &str) {
        self.quoted(name.as_bytes());
        self.push(b':');
    }

    /// A string in plain ASCII. Control characters become blanks, all others `?`.
    #[inline(never)]
    pub fn quoted(&mut self, value: &[u8]) {
        self.separate();
        self.push(b'"');
        for &byte in value {
            match byte {
                b'"' | b'\\' => {
                    self.push(b'\\');
                    self.push(byte);
                }
                0..=0x1f | 0x7f => self.push(b' '),
                0x80.. => self.push(b'?'),
                _ => self.push(byte),
            }
        }
        self.push(b'"');
    }

    /// A number, or `null` for [`NONE`].
    #[inline(never)]
    pub fn value(&mut self, value: u64) {
        self.separate();
        if value == NONE {
            for &byte in b"null" {
                self.push(byte);
            }
            return;
        }
        let mut rest = value;
        let mut digits = [0_u8; 20];
        let mut count = 0;
        for place in &mut digits {
            *place = b'0' + (rest % 10) as u8;
            rest /= 10;
            count += 1;
            if rest == 0 {
                break;
            }
        }
        for &digit in digits.iter().rev().skip(20 - count) {
            self.push(digit);
        }
    }

    /// A field with a number.
    #[inline(never)]
    pub fn number(&mut self, name: &str, value: u64) {
        self.key(name);
        self.value(value);
    }

    /// A field with a number, unless it is [`NONE`].
    #[inline(never)]
    pub fn known(&mut self, name: &str, value: u64) {
        if value != NONE {
            self.number(name, value);
        }
    }

    /// The field with 1, if the condition holds.
    #[inline(never)]
    pub fn flag(&mut self, name: &str, is: bool) {
        if is {
            self.number(name, 1);
        }
    }

    /// A field with a string, unless it is empty.
    #[inline(never)]
    pub fn some(&mut self, name: &str, value: &[u8]) {
        if !value.is_empty() {
            self.text(name, value);
        }
    }

    /// A field with a string.
    #[inline(never)]
    pub fn text(&mut self, name: &str, value: &[u8]) {
        self.key(name);
        self.quoted(value);
    }

    /// A field with numbers, `null` for each [`NONE`].
    #[inline(never)]
    pub fn numbers(&mut self, name: &str, values: &[u64]) {
        self.key(name);
        self.list(values);
    }

    /// An array of numbers, `null` for each [`NONE`].
    #[inline(never)]
    pub fn list(&mut self, values: &[u64]) {
        self.open(b'[');
        for &value in values {
            self.value(value);
        }
        self.close(b']');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_object_with_its_commas() {
        let mut line = Line::new();
        line.start("s", 1763750001000);
        line.numbers("r", &[0, NONE, u64::MAX - 1]);
        line.key("d");
        line.open(b'[');
        line.open(b'[');
        line.quoted(b"a\"\\\n\xff");
        line.value(10);
        line.close(b']');
        line.open(b'[');
        line.close(b']');
        line.close(b']');
        let text = line.finish().unwrap();
        assert_eq!(
            core::str::from_utf8(text).unwrap(),
            "{\"k\":\"s\",\"t\":1763750001000,\"r\":[0,null,18446744073709551614],\
             \"d\":[[\"a\\\"\\\\ ?\",10],[]]}\n"
        );
    }

    #[test]
    fn what_does_not_fit_is_nothing_and_the_next_line_is_sound() {
        let mut line = Line::new();
        line.start("xid", 1);
        line.text("msg", &[b'x'; MAX_LINE]);
        assert_eq!(line.finish(), None);
        line.start("xid", 1);
        assert_eq!(line.finish().unwrap(), b"{\"k\":\"xid\",\"t\":1}\n");
    }
}
