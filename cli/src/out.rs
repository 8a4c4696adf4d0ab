//! Everything that is printed: nothing raw reaches a terminal, and a failure to write is an error of the program.

use anstyle::{AnsiColor, Style};
use std::fmt::{self, Write as _};
use std::io::{self, Write};

/// Prints a line on standard output.
macro_rules! say {
    () => { $crate::out::print(format_args!(""), "\n") };
    ($($part:tt)*) => { $crate::out::print(format_args!($($part)*), "\n") };
}

/// Prints on standard output, without a newline.
macro_rules! put {
    ($($part:tt)*) => { $crate::out::print(format_args!($($part)*), "") };
}

pub(crate) use {put, say};

/// Style of an error's first word.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Style of a warning's first word.
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// The status of a program that a closed pipe ended (128 and the signal's number): a shell shows it for `cat` too.
const CLOSED_PIPE: i32 = 141;

/// Prints on standard output. If that can't be written, the program ends.
pub fn print(text: fmt::Arguments<'_>, end: &str) {
    let mut to = anstream::stdout().lock();
    let done = to
        .write_fmt(text)
        .and_then(|()| to.write_all(end.as_bytes()));
    checked(done);
}

/// Writes bytes to standard output as they are.
pub fn bytes(bytes: &[u8]) {
    checked(io::stdout().lock().write_all(bytes));
}

/// Makes sure that everything was written.
pub fn flush() {
    checked(io::stdout().flush());
}

fn checked(done: io::Result<()>) {
    match done {
        Ok(()) => {}
        // Whoever reads has seen enough.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => std::process::exit(CLOSED_PIPE),
        Err(e) => {
            complain(&format!("can't write to standard output: {}", reason(&e)));
            std::process::exit(2);
        }
    }
}

/// Prints an error on standard error, on one line.
pub fn complain(message: &str) {
    let line = format!("{ERROR}error:{ERROR:#} {}\n", shown(message));
    // Nobody is left to hear that this failed.
    let _ = anstream::stderr().lock().write_all(line.as_bytes());
}

/// Prints a warning on standard error, on one line.
pub fn warn(message: &str) {
    let line = format!("{WARNING}warning:{WARNING:#} {}\n", shown(message));
    // As above.
    let _ = anstream::stderr().lock().write_all(line.as_bytes());
}

/// Prints lines on standard error.
pub fn complain_as_is(text: &str) {
    let _ = io::stderr().lock().write_all(lines(text).as_bytes());
}

/// What an operating system says about an error, without its number.
pub fn reason(e: &io::Error) -> String {
    let text = e.to_string();
    let end = text.find(" (os error ").unwrap_or(text.len());
    text[..end].to_owned()
}

/// Whether a terminal does something with a character, shows the text around it in another order, or shows nothing: names
/// that look alike must not differ, and a text that nobody sees must not be copied.
pub fn risky(c: char) -> bool {
    let orders = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    // Soft hyphen, zero-width characters, line separators, invisible operators, byte order mark, annotations and tags.
    let hidden = matches!(
        c,
        '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}'
    ) || matches!(c, '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    c.is_control() || orders || hidden
}

/// A name or a message on one line: what a terminal would act on is written as an escape.
pub fn shown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let _ = match c {
            _ if !risky(c) => out.write_char(c),
            '\n' => out.write_str("\\n"),
            '\t' => out.write_str("\\t"),
            _ if u32::from(c) < 0x100 => write!(out, "\\x{:02x}", u32::from(c)),
            _ => write!(out, "\\u{{{:x}}}", u32::from(c)),
        };
    }
    out
}

/// The same JSON, with what a terminal would act on as escapes: outside strings JSON has no such characters.
pub fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if risky(c) && c != '\n' {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Lines without what a terminal would act on.
pub fn lines(text: &str) -> String {
    text.chars()
        .filter(|c| !risky(*c) || matches!(c, '\n' | '\t'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_acts_on_becomes_an_escape() {
        let evil = "a\u{1b}]52;c\u{7}\u{9b}31m\u{202e}b\nc";
        assert_eq!(shown(evil), "a\\x1b]52;c\\x07\\x9b31m\\u{202e}b\\nc");
        assert_eq!(lines(evil), "a]52;c31mb\nc");
        let value = serde_json::to_string(evil).unwrap();
        let printed = json(&value);
        assert!(!printed.chars().any(risky), "{printed}");
        assert_eq!(serde_json::from_str::<String>(&printed).unwrap(), evil);
        assert_eq!(shown("naïve 内存.log"), "naïve 内存.log");
        let hidden = "a\u{200b}b\u{feff}c\u{e0041}\u{e007f}d\u{ad}e\u{2060}f\u{2028}g";
        assert_eq!(lines(hidden), "abcdefg");
        assert!(shown(hidden).starts_with("a\\u{200b}b\\u{feff}c\\u{e0041}"));
        let printed = json(&serde_json::to_string(hidden).unwrap());
        assert!(!printed.chars().any(risky), "{printed}");
        assert_eq!(serde_json::from_str::<String>(&printed).unwrap(), hidden);
    }
}
