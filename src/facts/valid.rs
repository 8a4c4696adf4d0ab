//! What a fact may be: a text that a pattern captured is stated only if it can be what its name says.

use crate::value::{kind_of, read, Kind, Value};

/// Words after "install" and "requires" that name no module.
const STOP: &[&str] = &[
    "a",
    "all",
    "an",
    "and",
    "any",
    "appropriate",
    "at",
    "be",
    "both",
    "by",
    "correct",
    "dependencies",
    "dependency",
    "either",
    "extra",
    "extras",
    "following",
    "for",
    "from",
    "has",
    "if",
    "in",
    "is",
    "it",
    "its",
    "latest",
    "least",
    "libraries",
    "library",
    "manually",
    "missing",
    "module",
    "modules",
    "more",
    "necessary",
    "needed",
    "newer",
    "not",
    "of",
    "on",
    "one",
    "optional",
    "or",
    "other",
    "package",
    "packages",
    "please",
    "required",
    "requirements",
    "same",
    "some",
    "that",
    "the",
    "them",
    "these",
    "this",
    "those",
    "to",
    "two",
    "update",
    "using",
    "version",
    "via",
    "which",
    "with",
    "you",
    "your",
];

/// The value of a fact by its name: `before` and `after` are the text around what was captured. `None` if it can't
/// be that fact.
pub fn fact(name: &str, text: &str, before: &str, after: &str) -> Option<Value> {
    match (kind_of(name), name) {
        (Kind::Text, "module" | "package" | "instead") if is_word(text) => {
            module(text).map(|m| Value::Text(m.to_owned()))
        }
        (Kind::Text, "module") => module(text).map(|m| Value::Text(m.to_owned())),
        (Kind::Text, "path") => path(text).map(|p| Value::Text(p.to_owned())),
        // Between quotes, a blank at an end is part of a key, and often the cause.
        (Kind::Text, "name" | "key") if quoted(before, after) && !text.trim().is_empty() => {
            Some(Value::Text(text.to_owned()))
        }
        (Kind::Bytes, _) => match shared_unit(text, after) {
            Some(unit) => read(Kind::Bytes, &format!("{} {unit}", text.trim())),
            None => read(Kind::Bytes, text),
        },
        (kind, _) => read(kind, text),
    }
}

/// Whether it is letters only, as words of prose are: `numpy>=2` and `torch[cuda]` are not.
fn is_word(text: &str) -> bool {
    text.trim().bytes().all(|b| b.is_ascii_alphabetic())
}

/// A name that can be imported or installed, without the full stop of its sentence.
fn module(text: &str) -> Option<&str> {
    let name = text.trim().trim_end_matches(['.', ',', ':', '-']);
    let known = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let stop = STOP.iter().any(|w| name.eq_ignore_ascii_case(w));
    (known && !stop).then_some(name)
}

/// A path without the full stop or comma of its sentence.
fn path(text: &str) -> Option<&str> {
    let t = text.trim();
    let bare = t.trim_end_matches([',', ';']);
    let bare = match bare.strip_suffix('.') {
        Some(rest) if !rest.is_empty() && !rest.ends_with(['.', '/', '\\']) => rest,
        _ => bare,
    };
    (!bare.is_empty()).then_some(bare)
}

/// Whether the text stands between the same quotes.
fn quoted(before: &str, after: &str) -> bool {
    let open = before.chars().next_back();
    open.is_some_and(|q| matches!(q, '\'' | '"' | '`')) && open == after.chars().next()
}

/// The unit of `a` in `a/b GiB`: it is written once.
fn shared_unit<'a>(text: &str, after: &'a str) -> Option<&'a str> {
    if !text.trim_end().ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let rest = after.trim_start().strip_prefix('/')?.trim_start();
    let digits = rest
        .bytes()
        .take_while(|b| b.is_ascii_digit() || b".,".contains(b))
        .count();
    let unit = rest[digits..].trim_start();
    let end = unit.bytes().take_while(u8::is_ascii_alphabetic).count();
    (digits > 0
        && matches!(
            &unit[..end],
            "B" | "KB" | "MB" | "GB" | "TB" | "KiB" | "MiB" | "GiB" | "TiB" | "G" | "M"
        ))
    .then_some(&unit[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, text: &str) -> Option<Value> {
        fact(name, text, "", "")
    }

    fn said(s: &str) -> Option<Value> {
        Some(Value::Text(s.to_owned()))
    }

    #[test]
    fn a_module_is_a_name() {
        assert_eq!(text("module", "einops."), said("einops"));
        assert_eq!(text("module", "google.cloud"), said("google.cloud"));
        for word in ["the", "The", "required", "3", "", "--", "packages"] {
            assert_eq!(text("module", word), None, "{word}");
        }
    }

    #[test]
    fn a_path_ends_before_its_sentence() {
        assert_eq!(text("path", "/mnt/data."), said("/mnt/data"));
        assert_eq!(text("path", "/mnt/.."), said("/mnt/.."));
        assert_eq!(text("path", "C:\\data\\a.csv,"), said("C:\\data\\a.csv"));
        assert_eq!(text("path", " ,"), None);
    }

    #[test]
    fn a_key_keeps_its_blanks() {
        assert_eq!(fact("name", "price ", "KeyError: '", "'"), said("price "));
        assert_eq!(fact("name", "price ", "column ", "\n"), said("price"));
        assert_eq!(fact("name", " ", "'", "'"), None);
    }

    #[test]
    fn a_size_takes_the_unit_of_its_partner() {
        let gib = |n: f64| Some(Value::Int((n * 1024.0 * 1024.0 * 1024.0) as i64));
        assert_eq!(fact("used_bytes", "22.5", "(", "/24 GiB)"), gib(22.5));
        assert_eq!(fact("used_bytes", "22.5", "(", " / 24.0GB"), gib(22.5));
        assert_eq!(fact("total_bytes", "24 GiB", "/", ")"), gib(24.0));
        assert_eq!(
            fact("used_bytes", "100", "", "/3 rows"),
            Some(Value::Int(100))
        );
    }
}
