//! What the probe printed below a failed cell: the values of the names on the failing line, for people and for programs.
//!
//! ```text
//! nbmedic: values when it failed
//!   in forward, line 6
//!     x = float32 (64, 256) on cuda:0
//! ⟦nbmedic:1 {"k":"v","f":[[6,"forward",[["x",{"t":"Tensor","d":"float32","s":[64,256]}]]]]}⟧
//! ```
//!
//! `probe/FORMAT.md` describes the last line.

use std::borrow::Cow;
use std::ops::Range;

const FIRST: &str = "nbmedic: values when it failed\n";
const OPEN: &str = "⟦nbmedic:1 ";
const CLOSE: char = '⟧';
/// Longest block, in bytes: the probe prints less.
const MAX: usize = 16 << 10;

/// The last such block of a text: where it stands, and its machine part as JSON.
pub fn values(text: &str) -> Option<(Range<usize>, &str)> {
    let at = text.rfind(FIRST)?;
    if at > 0 && !text[..at].ends_with('\n') {
        return None;
    }
    let mut end = text.len().min(at + MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let rest = &text[at..end];
    let open = rest.find(OPEN)? + OPEN.len();
    // Only the indented lines of the block stand before it.
    let mut words = rest[FIRST.len()..open - OPEN.len()].lines();
    if !words.all(|line| line.starts_with("  ")) {
        return None;
    }
    let close = rest[open..].find(CLOSE)? + open;
    let json = &rest[open..close];
    let is_values = json.starts_with(r#"{"k":"v","#) && !json.contains('\n');
    is_values.then_some((at..at + close + CLOSE.len_utf8(), json))
}

/// Most values told on a card.
const MAX_SAID: usize = 12;

/// The names of such a block with what is said of them: who holds memory, then the frames, the innermost first; each
/// name once.
pub fn said_values(text: &str) -> Vec<(&str, &str)> {
    let Some((range, _)) = values(text) else {
        return Vec::new();
    };
    let mut groups: Vec<Vec<(&str, &str)>> = Vec::new();
    let mut memory = Vec::new();
    let mut of_memory = false;
    for line in text[range].lines().skip(1) {
        match line.strip_prefix("    ").map(|row| row.split_once(" = ")) {
            Some(Some(row)) if of_memory => memory.push(row),
            Some(Some(row)) => groups.last_mut().into_iter().for_each(|g| g.push(row)),
            Some(None) => {}
            None => {
                of_memory = line.starts_with("  memory");
                groups.push(Vec::new());
            }
        }
    }
    let mut out: Vec<(&str, &str)> = Vec::new();
    for row in memory.into_iter().chain(groups.into_iter().rev().flatten()) {
        if out.len() < MAX_SAID && !out.iter().any(|(name, _)| *name == row.0) {
            out.push(row);
        }
    }
    out
}

/// The text with such a block blanked: it is the probe's, not the failure's. Every other byte keeps its place.
pub fn without_values(text: &str) -> Cow<'_, str> {
    let Some((range, _)) = values(text) else {
        return Cow::Borrowed(text);
    };
    let blank = text[range.clone()].bytes();
    let blank = blank.map(|b| if b == b'\n' { '\n' } else { ' ' });
    let mut out = String::with_capacity(text.len());
    out.push_str(&text[..range.start]);
    out.extend(blank);
    out.push_str(&text[range.end..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: &str = "nbmedic: values when it failed\n  line 1\n    é = 'café'\n⟦nbmedic:1 {\"k\":\"v\",\"f\":[]}⟧";

    #[test]
    fn a_block_is_found_and_blanked_in_place() {
        let text = format!("KeyError: 'a'\n{BLOCK}\nmore\n");
        let (range, json) = values(&text).expect("a block");
        assert_eq!(&text[range], BLOCK);
        assert_eq!(json, r#"{"k":"v","f":[]}"#);
        let blank = without_values(&text);
        assert_eq!(blank.len(), text.len());
        assert_eq!(blank.matches('\n').count(), text.matches('\n').count());
        assert_eq!(blank.find("more"), text.find("more"));
        assert!(!blank.contains("values") && blank.starts_with("KeyError: 'a'\n"));
    }

    #[test]
    fn what_is_said_comes_with_memory_and_the_inner_frame_first() {
        let text = "nbmedic: values when it failed\n  memory, the largest first\n    h = list of 2: 9.1 GiB\n    CUDA: 1 GiB allocated\n  line 3\n    x = 1\n    y = 'a = b'\n  in f, line 2\n    x = 2\n\u{27e6}nbmedic:1 {\"k\":\"v\",\"f\":[]}⟧";
        assert_eq!(
            said_values(text),
            [("h", "list of 2: 9.1 GiB"), ("x", "2"), ("y", "'a = b'")]
        );
        assert!(said_values("x = 1").is_empty());
    }

    #[test]
    fn text_that_only_looks_like_a_block_stays() {
        for text in [
            "nbmedic: values when it failed\nTraceback\n⟦nbmedic:1 {\"k\":\"v\",\"f\":[]}⟧",
            "nbmedic: values when it failed\n  a\n",
            "x nbmedic: values when it failed\n  a\n⟦nbmedic:1 {\"k\":\"v\",\"f\":[]}⟧",
            "nbmedic: values when it failed\n⟦nbmedic:1 {\"k\":\"s\",\"f\":[]}⟧",
        ] {
            assert_eq!(without_values(text), text);
        }
        let long = format!("nbmedic: values when it failed\n{}", "  x\n".repeat(20_000));
        assert_eq!(without_values(&long), long);
    }
}
