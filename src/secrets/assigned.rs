//! Names with their values, in the many ways in which programs write such a pair.

use super::apart;
use super::ends::{bare_end, quoted_end};
use super::judge::{is_secret, Link};
use super::names::{Name, Sort};
use super::seam;
use std::ops::Range;

/// Number of bytes by which a value is judged; the whole value is then redacted.
const JUDGED: usize = 512;

/// Reads a text from a byte on.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn eat(&mut self, of: &[&str]) -> Option<usize> {
        let rest = self.rest();
        let hit = of.iter().find(|p| {
            rest.get(..p.len())
                .is_some_and(|r| r.eq_ignore_ascii_case(p))
        })?;
        self.at += hit.len();
        Some(hit.len())
    }

    /// Skips blanks, including non-breaking ones; returns how many.
    fn blanks(&mut self, most: usize) -> usize {
        let rest = self.rest();
        let run = rest
            .chars()
            .take(most)
            .take_while(|c| matches!(c, ' ' | '\t' | '\u{a0}' | '\u{202f}' | '\u{2003}' | '+'));
        let n: usize = run.filter(|c| *c != '+').map(char::len_utf8).sum();
        self.at += n;
        n
    }

    /// Skips blanks and line ends.
    fn gap(&mut self) {
        let rest = self.rest().bytes().take(24);
        self.at += rest.take_while(u8::is_ascii_whitespace).count();
    }

    /// Skips a note in brackets before a colon, such as a prompt's default: `[None]: `.
    fn note(&mut self) {
        let close = match self.rest().bytes().next() {
            Some(b'[') => b']',
            Some(b'(') => b')',
            _ => return,
        };
        let rest = self.rest().as_bytes();
        let Some(n) = rest
            .iter()
            .take(40)
            .position(|b| *b == close || *b == b'\n')
        else {
            return;
        };
        let placeholder = rest[1..].starts_with(b"redacted-");
        if !placeholder && rest[n] == close && rest[n + 1..].starts_with(b": ") {
            self.at += n + 1;
        }
    }

    /// Skips an error's words before the value that it quotes: ` invalid choice: '`.
    fn complaint(&mut self) {
        let rest = self.rest();
        let said = |b: &u8| b.is_ascii_lowercase() || *b == b' ';
        let n = rest.bytes().take(40).take_while(said).count();
        if n > 4 && (rest[n..].starts_with(": '") || rest[n..].starts_with(": \"")) {
            self.at += n + 2;
        }
    }

    /// Skips the end of a quotation: quotes with the backslashes before them, and entities for quotes.
    fn quote(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let slashes = rest.bytes().take(8).take_while(|b| *b == b'\\').count();
        let marks = [
            "\"\"\"", "'''", "\"", "'", "`", "“", "’", "‘", "&quot;", "&#39;", "&#34;", "%22",
            "%27", "%2522", "u0022",
        ];
        let mark = marks.iter().find(|m| {
            rest[slashes..]
                .get(..m.len())
                .is_some_and(|r| r.eq_ignore_ascii_case(m))
        })?;
        if *mark == "u0022" && slashes == 0 {
            return None;
        }
        let n = slashes + mark.len();
        self.at += n;
        Some(&rest[..n])
    }
}

/// The secret that follows a name.
pub fn value(text: &str, name: Name) -> Option<Range<usize>> {
    beside(text, &name)
        .or_else(|| apart::underneath(text, &name))
        .or_else(|| apart::after_user(text, &name))
}

/// The secret on the same line as its name.
fn beside(text: &str, name: &Name) -> Option<Range<usize>> {
    let name = *name;
    let mut r = Reader { text, at: name.end };
    let closed = r.quote().is_some();
    r.eat(&["**"]);
    while r.eat(&["]", ")"]).is_some() {}
    let after = r.at;
    let pair = if closed { attribute(text, after) } else { None };
    let link = pair
        .or_else(|| sign(&mut r, &name, closed))
        .or_else(|| attribute(text, after))
        .map(|(link, at)| {
            r.at = at;
            link
        })
        .or_else(|| {
            r.at = after;
            blank(&mut r, &name, closed)
        })?;
    found(&mut r, &name, link)
}

/// The end of a sign between name and value.
fn sign(r: &mut Reader<'_>, name: &Name, closed: bool) -> Option<(Link, usize)> {
    let start = r.at;
    if r.blanks(8) > 0 {
        r.note();
    }
    let signs = [
        ":=", "=>", "->", "<<-", "<-", "==", "!=", "?=", "+=", "||=", "=", "%3d", "%253d",
        "\\u003d", ":", "%3a", "：",
    ];
    if r.eat(&signs).is_some() {
        let said = &r.text[start..r.at];
        let colon = said.ends_with([':', '：']) || said.to_ascii_lowercase().ends_with("%3a");
        if colon {
            annotation(r);
            r.complaint();
        }
        // YAML's block, or a value on the next line.
        return Some((Link::Sign(if colon { ':' } else { '=' }), r.at));
    }
    if r.at == start && !closed && r.eat(&["(", "(\\"]).is_some() {
        r.eat(&["value=", "secret_value=", "_secret_value="]);
        return Some((Link::Call, r.at));
    }
    let alone = r.text[..name.start].ends_with(['"', '\'', '`', '-', '\\', ';', 'n']);
    if closed && alone && r.eat(&[","]).is_some() {
        return Some((Link::Comma, r.at));
    }
    if closed && r.eat(&["] = "]).is_some() {
        return Some((Link::Sign('='), r.at));
    }
    if let Some(at) = apart::cell(r.text, r.at) {
        return Some((Link::Loose, at));
    }
    let opened = r.text[..name.start].ends_with(['<', ':']);
    if opened && r.eat(&[">", "&gt;"]).is_some() {
        // `<token>` without its closing tag is a placeholder.
        let rest = r.rest();
        let ends = ["<", "&lt;"].iter().any(|m| {
            let at = rest.bytes().take(JUDGED).position(|b| b == m.as_bytes()[0]);
            at.is_some_and(|at| {
                rest[at..]
                    .strip_prefix(m)
                    .is_some_and(|t| t.starts_with('/'))
            })
        });
        return ends.then_some((Link::Element, r.at));
    }
    // `<property name="db.password">X</property>`.
    let named = r.text[..name.start].ends_with(['"', '\'']) && r.rest().starts_with('>');
    let rest = r.rest().as_bytes();
    let close = rest.iter().take(JUDGED).position(|b| *b == b'<');
    let ends = closed && named && close.is_some_and(|n| rest[n..].starts_with(b"</"));
    ends.then_some((Link::Loose, r.at + 1))
}

/// Skips `str =` after a colon: the name has an annotation.
fn annotation(r: &mut Reader<'_>) {
    const TYPES: &[&str] = &[
        "str",
        "Optional",
        "bytes",
        "Any",
        "SecretStr",
        "String",
        "Final",
        "typing",
        "Union",
        "string",
        "&str",
        "&'static",
        "Annotated",
        "Literal",
        "const",
        "ClassVar",
        "Text",
        "pydantic",
        "SecretBytes",
    ];
    let line = &r.text[r.at..seam::line_end(r.text, r.at, JUDGED)];
    let said = line.trim_start();
    if !TYPES.iter().any(|t| said.starts_with(t)) {
        return;
    }
    let end = line.bytes().take(64).position(|b| b == b'=');
    let typed = |s: &str| {
        s.chars()
            .all(|c| c.is_alphanumeric() || " []|,._&'\"<>".contains(c))
    };
    if let Some(end) = end.filter(|e| typed(&line[..*e])) {
        r.at += end + 1;
    }
}

/// `value=` after a name that is a value itself: attributes, lists of settings.
fn attribute(text: &str, after: usize) -> Option<(Link, usize)> {
    let mut r = Reader { text, at: after };
    r.blanks(4);
    let block = r.eat(&[",", "{"]).is_some() && text[..r.at].ends_with('{');
    r.gap();
    // Other parts of a variable's block: `type = string`.
    for _ in 0..if block { 4 } else { 0 } {
        let line = &text[r.at..seam::line_end(text, r.at, 160)];
        let of = ["type", "description", "sensitive", "nullable", "ephemeral"];
        if !of.iter().any(|w| line.starts_with(w)) {
            break;
        }
        r.at += line.len();
        r.gap();
    }
    for _ in 0..3 {
        let Some(n) = apart::other_pair(r.rest()) else {
            break;
        };
        r.at += n;
    }
    r.quote();
    let keys = [
        "value",
        "default",
        "content",
        "val",
        "parametervalue",
        "parameter_value",
        "optionvalue",
        "secretvalue",
        "stringvalue",
        "string_value",
    ];
    r.eat(&keys)?;
    r.quote();
    r.blanks(4);
    r.eat(&["=", ":"])?;
    Some((Link::Sign('='), r.at))
}

/// A blank between name and value.
fn blank(r: &mut Reader<'_>, name: &Name, closed: bool) -> Option<Link> {
    let n = r.blanks(24);
    let bar = r.eat(&["│", "┃", "|"]).is_some();
    let dots = r.rest().bytes().take(80).take_while(|b| *b == b'.').count();
    if dots >= 3 {
        r.at += dots;
    }
    if bar || dots >= 3 {
        r.blanks(24);
    }
    if n == 0 && !bar {
        return None;
    }
    let text = r.text;
    let bytes = text.as_bytes();
    let dash = name.start > 0
        && bytes[name.start - 1] == b'-'
        && (name.start < 2 || !bytes[name.start - 2].is_ascii_alphanumeric());
    if dash && !closed && !bar {
        return Some(Link::Option);
    }
    let from = seam::line_start(text, name.start, 96);
    let line = &text[from..name.start];
    let word = |w: &str| {
        [
            "%env",
            "%set_env",
            "setx",
            "setenv",
            "env",
            "arg",
            "configure",
            "config",
            "vars",
            "secrets",
            "login",
            "machine",
            "set-secret",
            "secret",
        ]
        .iter()
        .any(|k| w.eq_ignore_ascii_case(k))
    };
    let said = ["is ", "was ", "are "]
        .iter()
        .any(|w| r.rest().starts_with(w));
    if !bar && !closed && !said && line.split_ascii_whitespace().any(word) {
        return Some(Link::Option);
    }
    // netrc over several lines.
    if !bar && !closed && line.trim().is_empty() && name.sort == Sort::Password {
        let mut up = from.saturating_sub(80);
        while !text.is_char_boundary(up) {
            up += 1;
        }
        if text[up..from].contains("login ") {
            return Some(Link::Option);
        }
    }
    // `Password for 'https://ada@acme.io': X`.
    let rest = r.rest();
    let of = ["for ", "für ", "pour ", "para ", "per ", "voor "];
    let told =
        name.sort == Sort::Secret && ["from ", "in ", "and "].iter().any(|w| rest.starts_with(w));
    if told || of.iter().any(|w| rest.starts_with(w)) {
        let line = rest
            .bytes()
            .take(120)
            .position(|b| b == b'\n')
            .unwrap_or(120);
        let line = rest.get(..line.min(rest.len())).unwrap_or("");
        if let Some(colon) = line.rfind(": ") {
            r.at += colon + 2;
            return Some(Link::Loose);
        }
    }
    // `the password is X`, `API key provided: X`.
    for _ in 0..3 {
        let word = [
            "is", "was", "provided", "given", "used", "value", "received", "with", "to", "of",
            "as", "set", "invalid", "eingeben", "lautet", "ist", "est", "es",
        ];
        let rest = r.rest();
        let n = rest
            .bytes()
            .take(12)
            .take_while(u8::is_ascii_alphabetic)
            .count();
        if n == 0 || !word.contains(&&rest[..n]) {
            break;
        }
        let ends = rest[n..].starts_with([' ', ':', '=']);
        if !ends {
            break;
        }
        r.at += n;
        r.eat(&[":", "="]);
        r.blanks(4);
    }
    Some(Link::Loose)
}

/// Reads a value and decides whether it is a secret.
fn found(r: &mut Reader<'_>, name: &Name, link: Link) -> Option<Range<usize>> {
    let text = r.text;
    r.blanks(16);
    if matches!(link, Link::Sign(_)) {
        next_line(r, name);
    }
    if r.rest().starts_with('&') {
        let word = r.rest()[1..]
            .bytes()
            .take(24)
            .take_while(u8::is_ascii_alphanumeric)
            .count();
        if word > 0 && r.rest()[word + 1..].starts_with(' ') {
            r.at += word + 2;
        }
    }
    r.eat(&["!!str ", "!!binary "]);
    let before = r.at;
    wrapper(r);
    let fresh = r.at;
    // A prefix of a string.
    let prefix = r
        .rest()
        .bytes()
        .take(3)
        .take_while(|b| b"fFbBrRuUN$@".contains(b))
        .count();
    r.at += prefix;
    let quote = r.quote();
    if quote.is_none() {
        r.at = if matches!(link, Link::Comma | Link::Call) {
            return None;
        } else if fresh == before {
            fresh
        } else {
            before
        };
    }
    if name.sort == Sort::Authorization {
        for scheme in [
            "bearer ",
            "basic ",
            "token ",
            "apikey ",
            "api-key ",
            "digest ",
            "negotiate ",
            "bearer%20",
            "key ",
            "ssws ",
            "splunk ",
            "genieKey ",
        ] {
            if r.eat(&[scheme]).is_some() {
                break;
            }
        }
        // A scheme of its own, and a key's name before its signature: `AWS key:…`.
        let word = r
            .rest()
            .bytes()
            .take(24)
            .take_while(u8::is_ascii_alphanumeric)
            .count();
        if word > 1 && r.rest()[word..].starts_with(' ') {
            r.at += word + 1;
        }
    }
    let from = r.at;
    let quoted = quote.is_some();
    let pieces = match quote {
        Some(q) => quoted_end(text, from, q, JUDGED),
        None => bare_end(text, from, name, JUDGED),
    };
    let said = &text[from..pieces];
    // The next key of a dictionary is no value, and neither is a command that a shell runs.
    let key = quoted
        && text[pieces..]
            .trim_start_matches(['\\', '"', '\''])
            .starts_with(':');
    let runs = quote == Some("`") && (said.contains(' ') || said.starts_with('$'));
    if link == Link::Comma && key || runs {
        return None;
    }
    is_secret(text, said, name, link, quoted).then_some(())?;
    let end = match quote {
        Some(q) => quoted_end(text, from, q, usize::MAX),
        None => bare_end(text, from, name, usize::MAX),
    };
    (end > from).then_some(from..end)
}

/// Skips to the value on the next line: YAML's blocks, a continued line.
fn next_line(r: &mut Reader<'_>, name: &Name) {
    let start = r.at;
    r.eat(&["|-", "|+", ">-", ">+", "|", ">", "\\", "("]);
    r.blanks(4);
    let rest = r.rest();
    let Some(rest) = rest.strip_prefix("\r\n").or(rest.strip_prefix('\n')) else {
        r.at = start;
        return;
    };
    let here = r.text.len() - rest.len();
    let deep = rest
        .bytes()
        .take(40)
        .take_while(|b| *b == b' ' || *b == b'\t')
        .count();
    let line = seam::line_start(r.text, name.start, 400);
    let own = r.text.as_bytes()[line..]
        .iter()
        .take(80)
        .take_while(|b| **b == b' ' || **b == b'\t')
        .count();
    r.at = if deep > own { here + deep } else { start };
}

/// Skips a call or bracket around a string: `SecretStr(`, `[`.
fn wrapper(r: &mut Reader<'_>) {
    const READS: &[&str] = &[
        "getenv",
        "get",
        "environ",
        "input",
        "getpass",
        "get_secret",
        "open",
        "path",
        "read",
        "load",
        "get_parameter",
        "fetch",
    ];
    let start = r.at;
    // `{"value": "…"}`, and a list whose string is on the next line.
    if r.eat(&["{", "[", "("]).is_some() {
        let gap = r
            .rest()
            .bytes()
            .take(60)
            .take_while(u8::is_ascii_whitespace)
            .count();
        r.at += gap;
        let inner = r.at;
        for _ in 0..3 {
            let Some(n) = apart::other_pair(r.rest()) else {
                break;
            };
            r.at += n;
        }
        r.quote();
        if r.eat(&["value", "plaintext", "default", "secret", "data", "text"])
            .is_some()
            && r.quote().is_some()
            && r.eat(&[":", " :"]).is_some()
        {
            r.blanks(4);
        } else {
            r.at = inner;
        }
        if r.rest().starts_with(['"', '\'']) {
            return;
        }
        r.at = start;
    }
    for _ in 0..2 {
        let rest = r.rest();
        let n = rest
            .bytes()
            .take(32)
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':'))
            .count();
        let open =
            matches!(rest.as_bytes().get(n), Some(b'(')) || n == 0 && rest.starts_with(['[', '{']);
        let last = rest[..n]
            .rsplit(['.', ':'])
            .next()
            .unwrap_or("")
            .to_ascii_lowercase();
        let gets = ["get_", "read_", "load_", "fetch_", "find_", "access_"];
        let reads = READS.contains(&last.as_str()) || gets.iter().any(|g| last.starts_with(g));
        if !open || reads {
            break;
        }
        r.at += n + 1;
    }
    if r.at == start {
        return;
    }
    let rest = r.rest();
    let prefix = rest
        .bytes()
        .take(3)
        .take_while(|b| b"fFbBrRuU".contains(b))
        .count();
    if !rest[prefix..].starts_with(['"', '\'', '\\', '`']) {
        r.at = start;
    }
}
