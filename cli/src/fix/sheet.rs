//! Changes sources inside a notebook's JSON and leaves every other byte as it is.

use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::ops::Range;

#[derive(Deserialize)]
struct Sheet<'a> {
    #[serde(borrow, default)]
    cells: Option<Vec<&'a RawValue>>,
    /// nbformat 3 keeps its cells here.
    #[serde(borrow, default)]
    worksheets: Option<Vec<&'a RawValue>>,
}

#[derive(Deserialize)]
struct Cell<'a> {
    #[serde(borrow, default)]
    source: Option<&'a RawValue>,
    /// The source, under its nbformat 3 name.
    #[serde(borrow, default)]
    input: Option<&'a RawValue>,
}

/// Why a line is not changed.
const HALF: &str =
    "a line to be changed holds half of a character (an unpaired surrogate), which can't be kept";

/// Whether a JSON string is text: serde_json refuses halves of characters.
fn whole(raw: &str) -> bool {
    serde_json::from_str::<String>(raw).is_ok()
}

/// The notebook with other sources for some cells, by their positions from 1.
///
/// # Errors
/// A message that says what is wrong with the JSON, or that a cell has no source.
pub fn with_sources(text: &str, sources: &BTreeMap<usize, String>) -> Result<String, String> {
    let cells = cells_of(text)?;
    // In a file that holds nothing but ASCII because other characters are escaped, they stay escaped.
    let ascii = text.is_ascii() && text.contains("\\u");
    let mut out = String::with_capacity(text.len() + 256);
    let mut done = 0;
    for (position, source) in sources {
        let place = position
            .checked_sub(1)
            .and_then(|at| source_of(text, cells.get(at)?))
            .ok_or_else(|| format!("cell {position} has no source"))?;
        out.push_str(&text[done..place.start]);
        let new = value(&text[place.clone()], source, ascii);
        out.push_str(&new.map_err(|e| format!("cell {position}: {e}"))?);
        done = place.end;
    }
    out.push_str(&text[done..]);
    Ok(out)
}

/// The notebook's cells, in order.
fn cells_of(text: &str) -> Result<Vec<&RawValue>, String> {
    let sheet: Sheet<'_> = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let mut cells = sheet.cells.unwrap_or_default();
    for one in sheet.worksheets.unwrap_or_default() {
        let inner: Sheet<'_> = serde_json::from_str(one.get()).map_err(|e| e.to_string())?;
        cells.extend(inner.cells.unwrap_or_default());
    }
    Ok(cells)
}

/// The line of the notebook's JSON, from 1, that holds a line of a cell's source: of the cell at a position from 1, its line
/// from 1. In a source that is one JSON string, all lines are on one.
pub fn line_of(text: &str, position: usize, line: usize) -> Option<usize> {
    let cells = cells_of(text).ok()?;
    let place = source_of(text, cells.get(position.checked_sub(1)?)?)?;
    let source = &text[place.clone()];
    let mut at = place.start;
    if source.starts_with('[') {
        let items: Vec<&RawValue> = serde_json::from_str(source).ok()?;
        let mut first = 1;
        for item in items {
            if first > line {
                break;
            }
            at = place.start + (item.get().as_ptr() as usize - source.as_ptr() as usize);
            first += nbmedic_json::parse::<String>(item.get())
                .ok()?
                .matches('\n')
                .count();
        }
    }
    Some(text[..at].matches('\n').count() + 1)
}

/// The bytes of a cell's source.
fn source_of(text: &str, cell: &RawValue) -> Option<Range<usize>> {
    let cell: Cell<'_> = serde_json::from_str(cell.get()).ok()?;
    let raw = cell.source.or(cell.input)?.get();
    let start = (raw.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let range = start..start + raw.len();
    (text.get(range.clone()) == Some(raw)).then_some(range)
}

/// A source as JSON in the form that it had: one text, or a list of lines laid out like the old one. A line that
/// stays keeps its bytes.
fn value(old: &str, source: &str, ascii: bool) -> Result<String, String> {
    if !old.starts_with('[') {
        return match whole(old) {
            true => quoted(source, ascii),
            false => Err(HALF.to_owned()),
        };
    }
    let items: Vec<&RawValue> = serde_json::from_str(old).map_err(|e| e.to_string())?;
    let span = |item: &RawValue| {
        let start = item.get().as_ptr() as usize - old.as_ptr() as usize;
        start..start + item.get().len()
    };
    let (open, between, close) = match (items.first(), items.get(1), items.last()) {
        (Some(first), second, Some(last)) => {
            let open = &old[1..span(first).start];
            let between = second.map_or_else(
                || format!(",{open}"),
                |s| old[span(first).end..span(s).start].to_owned(),
            );
            (open, between, &old[span(last).end..old.len() - 1])
        }
        _ => ("", ",".to_owned(), ""),
    };
    let mut kept: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for item in items.iter().rev() {
        if let Ok(line) = nbmedic_json::parse(item.get()) {
            kept.entry(line).or_default().push(item.get());
        }
    }
    let halves = items.iter().filter(|i| !whole(i.get())).count();
    let mut lines = Vec::new();
    for line in source.split_inclusive('\n') {
        // Lines that read alike take turns, and the last one stands for any more.
        let raw = kept.get_mut(line).and_then(|all| match all.len() {
            0 | 1 => all.last().copied(),
            _ => all.pop(),
        });
        lines.push(match raw {
            Some(raw) => raw.to_owned(),
            None => quoted(line, ascii)?,
        });
    }
    if lines.iter().filter(|l| !whole(l)).count() != halves {
        return Err(HALF.to_owned());
    }
    Ok(format!("[{open}{}{close}]", lines.join(&between)))
}

/// A text as JSON, as nbformat writes it.
fn quoted(text: &str, ascii: bool) -> Result<String, String> {
    let plain = serde_json::to_string(text).map_err(|e| e.to_string())?;
    if !ascii {
        return Ok(plain);
    }
    let mut out = String::with_capacity(plain.len());
    for c in plain.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str, position: usize, source: &str) -> Result<String, String> {
        with_sources(text, &BTreeMap::from([(position, source.to_owned())]))
    }

    #[test]
    fn only_the_source_changes() {
        let text = "{\n \"cells\": [\n  {\n   \"source\": [\"# é\"], \"x\": 1.0e+2\n  },\n  {\n   \"source\": [\n    \"a = \\u0031\\n\",\n    \
            \"b = '/'\\n\",\n    \"c\"\n   ],\n   \"outputs\": []\n  }\n ],\n \"nbformat\": 4, \"nbformat\": 4\n}\n";
        let out = changed(text, 2, "a = 1\nb = '\\t é'\nd = \"x\"\nc").unwrap();
        let lines = "    \"a = \\u0031\\n\",\n    \"b = '\\\\t é'\\n\",\n    \"d = \\\"x\\\"\\n\",\n    \"c\"\n   ]";
        let want = text.replace(
            "    \"a = \\u0031\\n\",\n    \"b = '/'\\n\",\n    \"c\"\n   ]",
            lines,
        );
        assert_eq!(out, want);
    }

    #[test]
    fn a_line_of_a_cell_is_found_in_the_file() {
        let text = "{\n \"cells\": [\n  {\"source\": [\n   \"a\\n\",\n   \"b\\nc\\n\",\n   \"d\"\n  ]},\n  {\"source\": \"e\\nf\"}\n ]\n}\n";
        for (position, line, want) in [
            (1, 1, Some(4)),
            (1, 2, Some(5)),
            (1, 3, Some(5)),
            (1, 4, Some(6)),
            (2, 2, Some(8)),
            (3, 1, None),
            (0, 1, None),
        ] {
            assert_eq!(line_of(text, position, line), want, "{position} {line}");
        }
    }

    #[test]
    fn every_form_of_a_source_is_kept() {
        for (old, new) in [
            (
                r#"{"cells":[{"source":"a\nb"}]}"#,
                r#"{"cells":[{"source":"x\ny\n"}]}"#,
            ),
            (
                r#"{"cells":[{"source":["a\n","b"]}]}"#,
                r#"{"cells":[{"source":["x\n","y\n"]}]}"#,
            ),
            (
                r#"{"cells": [{"source": ["a\n", "b"]}]}"#,
                r#"{"cells": [{"source": ["x\n", "y\n"]}]}"#,
            ),
            (
                r#"{"cells": [{"source": [ "a\n" ]}]}"#,
                r#"{"cells": [{"source": [ "x\n", "y\n" ]}]}"#,
            ),
            (
                r#"{"cells": [{"source": []}]}"#,
                r#"{"cells": [{"source": ["x\n","y\n"]}]}"#,
            ),
            (
                r#"{"worksheets":[{"cells":[{"input":["a\n","b"],"language":"python"}]}]}"#,
                r#"{"worksheets":[{"cells":[{"input":["x\n","y\n"],"language":"python"}]}]}"#,
            ),
        ] {
            assert_eq!(changed(old, 1, "x\ny\n").as_deref(), Ok(new), "{old}");
        }
    }

    #[test]
    fn a_file_of_ascii_stays_one() {
        let old = r#"{"cells":[{"source":["a = '\u00e9'"]}]}"#;
        let out = changed(old, 1, "a = 'ö😀'").unwrap();
        assert_eq!(
            out,
            r#"{"cells":[{"source":["a = '\u00f6\ud83d\ude00'"]}]}"#
        );
        let old = r#"{"cells":[{"source":["a"]}]}"#;
        assert!(changed(old, 1, "ö").unwrap().contains('ö'));
    }

    #[test]
    fn half_of_a_character_stays_or_the_change_is_refused() {
        let old = r#"{"cells":[{"source":["a = '\ud800'\n","b = '\uDC01'\n","c"]}]}"#;
        // Both read alike.
        let line = |name: &str| format!("{name} = '\u{fffd}'\n");
        let out = changed(old, 1, &format!("{}{}d", line("a"), line("b"))).unwrap();
        assert_eq!(out, old.replace("\"c\"", "\"d\""));
        let same = r#"{"cells":[{"source":["'\ud800'\n","'\uDC01'\n","c"]}]}"#;
        let out = changed(same, 1, "'\u{fffd}'\n'\u{fffd}'\nd").unwrap();
        assert_eq!(out, same.replace("\"c\"", "\"d\""));
        for (old, new) in [
            (old, format!("{}B = '\u{fffd}'\nc", line("a"))),
            (
                r#"{"cells":[{"source":"'\ud800'\nc"}]}"#,
                "'\u{fffd}'\nd".into(),
            ),
        ] {
            let message = changed(old, 1, &new).unwrap_err();
            assert!(message.contains("half of a character"), "{message}");
        }
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        let old = r#"{"cells":[{"cell_type":"raw"}]}"#;
        for position in [0, 1, 2] {
            assert!(changed(old, position, "x").is_err());
        }
        assert!(changed("{", 1, "x").is_err());
    }
}
