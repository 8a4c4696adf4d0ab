//! Fills facts into prose.

use nbmedic_facts::number::fixed;
use nbmedic_facts::{bytes, Facts, Value};
use nbmedic_secrets::cut;

/// Longest text of a fact in prose; the evidence shows it whole.
const MAX_FACT: usize = 120;

/// A shape as Python writes it, or plain sizes if the program compared only those.
fn shape(dims: &[i64], plain: bool) -> String {
    match dims {
        [n] if plain => n.to_string(),
        [n] => format!("({n},)"),
        _ => {
            let dims: Vec<String> = dims.iter().map(i64::to_string).collect();
            format!("({})", dims.join(", "))
        }
    }
}

fn all_plain(shapes: &[Vec<i64>]) -> bool {
    shapes.iter().all(|s| s.len() == 1)
}

/// A fact as written in a sentence.
pub(crate) fn show(name: &str, facts: &Facts) -> Option<String> {
    if let Some(index) = name.strip_prefix("shapes.") {
        let Some(Value::Shapes(shapes)) = facts.get("shapes") else {
            return None;
        };
        return shapes
            .get(index.parse::<usize>().ok()?)
            .map(|s| shape(s, all_plain(shapes)));
    }
    Some(match facts.get(name)? {
        Value::Int(n) if name.ends_with("_bytes") => bytes(*n),
        Value::Int(n) => n.to_string(),
        Value::Number(x) => fixed(*x, 2),
        Value::Text(t) => clip(t),
        Value::Shapes(list) => list
            .iter()
            .map(|s| shape(s, all_plain(list)))
            .collect::<Vec<_>>()
            .join(" and "),
    })
}

fn clip(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    if line.chars().count() <= MAX_FACT {
        return line.to_owned();
    }
    format!("{}…", cut(line, MAX_FACT - 1))
}

/// Replaces `{fact}`; leaves out `[…]` around a missing fact, and writes `?` for one outside
/// brackets. Brackets without a fact in them stay.
pub(crate) fn fill(template: &str, facts: &Facts) -> String {
    fill_with(template, facts, "?")
}

/// [`fill`] with another text for missing facts.
pub(crate) fn fill_with(template: &str, facts: &Facts, hole: &str) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find(['[', '{']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with('[') {
            let Some(end) = rest.find(']') else { break };
            let inner = &rest[1..end];
            match replace(inner, facts, hole) {
                Filled::Plain => out.push_str(&rest[..=end]),
                Filled::Whole(text) => out.push_str(&text),
                Filled::Missing(_) => {}
            }
            rest = &rest[end + 1..];
        } else {
            let end = rest.find('}').map_or(rest.len(), |e| e + 1);
            match replace(&rest[..end], facts, hole) {
                Filled::Plain => out.push_str(&rest[..end]),
                Filled::Whole(text) | Filled::Missing(text) => out.push_str(&text),
            }
            rest = &rest[end..];
        }
    }
    out.push_str(rest);
    out
}

enum Filled {
    /// It names no fact.
    Plain,
    /// All its facts are known.
    Whole(String),
    /// One of its facts is missing.
    Missing(String),
}

fn replace(text: &str, facts: &Facts, hole: &str) -> Filled {
    let mut out = String::new();
    let mut rest = text;
    let (mut named, mut missing) = (false, false);
    while let Some(at) = rest.find('{') {
        let Some(len) = rest[at..].find('}') else {
            break;
        };
        let name = &rest[at + 1..at + len];
        out.push_str(&rest[..at]);
        if is_name(name) {
            named = true;
            match show(name, facts) {
                Some(value) => out.push_str(&value),
                None => {
                    missing = true;
                    out.push_str(hole);
                }
            }
        } else {
            out.push_str(&rest[at..=at + len]);
        }
        rest = &rest[at + len + 1..];
    }
    out.push_str(rest);
    match (named, missing) {
        (false, _) => Filled::Plain,
        (true, false) => Filled::Whole(out),
        (true, true) => Filled::Missing(out),
    }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '.')
}

/// [`fill`], if no fact outside brackets is missing.
pub(crate) fn whole(template: &str, facts: &Facts) -> Option<String> {
    const HOLE: &str = "\u{0}";
    Some(fill_with(template, facts, HOLE)).filter(|t| !t.contains(HOLE))
}

/// A text cut behind each end of a sentence, blanks included. Brackets are not cut.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    let bytes = text.as_bytes();
    for (i, b) in bytes.iter().enumerate() {
        match b {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b' ' if depth == 0 && i > 0 && matches!(bytes[i - 1], b'.' | b'!' | b'?') => {
                out.push(&text[start..=i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    out.push(&text[start..]);
    out
}

/// Fills the slots `{{fact}}` of code; the value is the fact as printed. None if one has no fact that may stand
/// there.
pub(crate) fn code(template: &str, facts: &Facts) -> Option<String> {
    slots(template, facts, None)
}

/// [`code`] with a text for slots that can't be filled.
pub(crate) fn code_with(template: &str, facts: &Facts, hole: &str) -> String {
    slots(template, facts, Some(hole)).unwrap_or_default()
}

fn slots(template: &str, facts: &Facts, hole: Option<&str>) -> Option<String> {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(at) = rest.find("{{") {
        let Some(len) = rest[at..].find("}}") else {
            break;
        };
        let name = &rest[at + 2..at + len];
        let after = &rest[at + len + 2..];
        out.push_str(&rest[..at]);
        let quoted = out.ends_with(['"', '\'']) && out.chars().next_back() == after.chars().next();
        match facts.get(name) {
            _ if !is_name(name) => out.push_str(&rest[at..at + len + 2]),
            Some(Value::Text(t)) if is_plain(t, quoted) => out.push_str(&slashes(t)),
            Some(Value::Int(n)) => out.push_str(&n.to_string()),
            _ => out.push_str(hole?),
        }
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// A Windows path as Python and most programs take it too: with slashes, which no string escapes.
fn slashes(text: &str) -> String {
    text.replace('\\', "/")
}

/// Inline code in a sentence: placeholders as in code, and `{fact}` if the fact is known. Other
/// braces belong to the code.
pub(crate) fn inline_code(template: &str, facts: &Facts) -> String {
    let template = code_with(template, facts, "…");
    let mut out = String::with_capacity(template.len());
    let mut rest = template.as_str();
    while let Some(at) = rest.find('{') {
        let end = rest[at..].find('}').map_or(rest.len(), |len| at + len + 1);
        out.push_str(&rest[..at]);
        let name = rest[at + 1..end].trim_end_matches('}');
        match is_name(name).then(|| show(name, facts)).flatten() {
            Some(value) => out.push_str(&value),
            None => out.push_str(&rest[at..end]),
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// Whether untrusted text may be filled into code that people copy and run: it must not
/// end a string or a line, start a substitution, or look like an option. Between quotes it may have blanks; a
/// backslash only after a drive's letter, as in a Windows path.
fn is_plain(text: &str, quoted: bool) -> bool {
    let mut start = text.chars();
    let drive = start.next().is_some_and(|c| c.is_ascii_alphabetic())
        && start.next() == Some(':')
        && matches!(start.next(), Some('\\' | '/'));
    !text.is_empty()
        && text.len() <= 200
        && !text.starts_with('-')
        && text.chars().all(|c| {
            c.is_alphanumeric()
                || "._-/:+=[],@".contains(c)
                || drive && c == '\\'
                || quoted && " ()~".contains(c)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        Facts::from_iter([
            ("requested_bytes".into(), Value::Int(2 << 30)),
            ("module".into(), Value::Text("cv2".into())),
            ("evil".into(), Value::Text("x; rm -rf ~".into())),
            ("shapes".into(), Value::Shapes(vec![vec![10, 20], vec![5]])),
        ])
    }

    #[test]
    fn fills_facts_and_drops_what_is_missing() {
        let f = facts();
        assert_eq!(
            fill("asked {requested_bytes}[, {free_bytes} free].", &f),
            "asked 2.00 GiB."
        );
        assert_eq!(
            fill("x[0] {a b} {shapes.0} and {shapes.1}", &f),
            "x[0] {a b} (10, 20) and (5,)"
        );
        assert_eq!(fill("needs {missing}", &f), "needs ?");
        assert_eq!(fill("[{shapes.2}]open [bracket", &f), "open [bracket");
    }

    #[test]
    fn inline_code_takes_what_is_known() {
        let f = facts();
        assert_eq!(inline_code("pip install {module}", &f), "pip install cv2");
        assert_eq!(
            inline_code("f'{x}' {module|m} {open", &f),
            "f'{x}' {module|m} {open"
        );
    }

    #[test]
    fn code_takes_only_plain_facts_and_no_others() {
        let mut f = facts();
        assert_eq!(
            code("%pip install {{module}}", &f).as_deref(),
            Some("%pip install cv2")
        );
        assert_eq!(code("%pip install {{evil}}", &f), None);
        assert_eq!(code("print({{missing}})", &f), None);
        assert_eq!(
            code("f'{x}' {{a b}}", &f).as_deref(),
            Some("f'{x}' {{a b}}")
        );
        assert_eq!(code_with("f({{missing}})", &f, "…"), "f(…)");
        let windows = r"C:\Users\me\My data\x.csv";
        f.insert("path".into(), Value::Text(windows.into()));
        let filled = code("path = \"{{path}}\"", &f);
        assert_eq!(
            filled.as_deref(),
            Some("path = \"C:/Users/me/My data/x.csv\"")
        );
        assert_eq!(code("!ls {{path}}", &f), None);
        f.insert("path".into(), Value::Text("a\" + evil + \"".into()));
        assert_eq!(code("path = \"{{path}}\"", &f), None);
    }

    #[test]
    fn a_text_is_cut_at_its_sentences() {
        assert_eq!(
            sentences("One. Two[ of {x}. y]! Is it v1.2? Yes"),
            ["One. ", "Two[ of {x}. y]! ", "Is it v1.2? ", "Yes"]
        );
        let f = facts();
        assert_eq!(
            whole("{module} and[ {missing}] more", &f).as_deref(),
            Some("cv2 and more")
        );
        assert_eq!(whole("{module} and {missing}", &f), None);
    }

    #[test]
    fn sizes_read_well() {
        for (n, text) in [
            (0, "0 bytes"),
            (1536, "1.50 KiB"),
            (648 << 20, "648 MiB"),
            (15_728_640, "15.0 MiB"),
            (800_000_000_000, "745 GiB"),
            (4_000_000_000_000, "3.64 TiB"),
        ] {
            assert_eq!(bytes(n), text);
        }
    }
}
