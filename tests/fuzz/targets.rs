//! What must hold for any bytes. Two drivers call these functions: `tests/fuzz.rs` with inputs mutated from a fixed seed,
//! and libFuzzer (`./build.sh fuzz`).

use nbmedic::cure::{cures, Book, BookCell, Case};
use nbmedic::facts::Edit;
use nbmedic::notebook::pieces;
use nbmedic::page::Page;
use nbmedic::protocol::parse_events;
use nbmedic::python::Cell;
use nbmedic::report::{draft, redact, redact_event, Options};
use nbmedic::text::{Cleaner, Document, Limits};
use nbmedic::triage::{triage, Input};
use nbmedic::view::ProseCache;
use nbmedic_probe::Record;
use std::borrow::Cow;

/// A target: its name and its body, which panics where something does not hold.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("cleaner", cleaner),
    ("plain", plain),
    ("traceback", traceback),
    ("triage", judged),
    ("notebook", notebook),
    ("events", events),
    ("redaction", redaction),
    ("record", record),
    ("edits", edits),
    ("json", json),
];

/// Longer inputs show nothing that shorter ones don't.
const MOST: usize = 32 << 10;
/// Between the cells and the output of an input of `edits`.
pub const CELL: &str = "\n# %% next\n";

fn text(data: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&data[..data.len().min(MOST)])
}

/// Most steps for any text, beside those for each of its bytes: a text that takes more is a finding too.
const STEPS_OF_REDACTION: u64 = 4 << 20;
const STEPS_OF_TRIAGE: u64 = 80 << 20;
const STEPS_A_BYTE: u64 = 2000;

/// Does some work on so many bytes of text, and counts its steps.
fn counted<T>(bytes: usize, most: u64, work: impl FnOnce() -> T) -> T {
    let before = nbmedic::text::steps::taken();
    let done = work();
    let steps = nbmedic::text::steps::taken() - before;
    let most = most + STEPS_A_BYTE * bytes as u64;
    assert!(steps <= most, "{steps} steps for {bytes} bytes");
    done
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|i| text.is_char_boundary(*i))
        .unwrap_or(0)
}

/// A stream that is split anywhere gives the same lines; they lead back into the raw text; nothing of a terminal is
/// left in them, and cleaning them again changes nothing.
fn cleaner(data: &[u8]) {
    let raw = text(data);
    let small = Limits {
        max_bytes: 600,
        max_line: 90,
        max_lines: 16,
    };
    for limits in [Limits::default(), small] {
        let doc = Document::from_terminal(&raw, limits);
        for step in [1, 7, 64] {
            let mut cleaner = Cleaner::new(limits);
            let (mut at, mut n) = (0, 0);
            while at < raw.len() {
                // Pieces of every length, also in the middle of a sequence.
                n += 1;
                let width = 1 + usize::from(data[n % data.len()]) % step;
                let mut end = floor(&raw, at + width);
                if end <= at {
                    end = at + raw[at..].chars().next().map_or(1, char::len_utf8);
                }
                cleaner.push(&raw[at..end]);
                at = end;
            }
            let split = cleaner.finish();
            assert_eq!(split.text(), doc.text(), "split in pieces up to {step}");
            assert_eq!(split.omitted(), doc.omitted());
        }
        for i in 0..doc.len() {
            let line = doc.line(i);
            let odd = |c: char| c != '\t' && c.is_ascii_control();
            assert!(!line.contains(odd), "{line:?}");
            let range = doc.raw_range(doc.span(i));
            assert!(
                range.start <= range.end && range.end <= raw.len(),
                "{range:?} of {}, line {i}",
                raw.len()
            );
            assert!(raw.is_char_boundary(range.start) && raw.is_char_boundary(range.end));
        }
    }
    let doc = Document::from_terminal(&raw, Limits::default());
    let again = Document::from_terminal(doc.text(), Limits::default());
    // A newline at the end opens no line.
    let lines = |doc: &Document| doc.text().trim_end_matches('\n').to_owned();
    assert_eq!(lines(&again), lines(&doc), "cleaned twice");
}

/// What is taken off leads back into the raw text.
fn plain(data: &[u8]) {
    let raw = text(data);
    let doc = Document::from_terminal(&raw, Limits::default());
    let plain = nbmedic_plain::plain(&doc);
    for doc in [plain.sure, plain.guess].iter().flatten() {
        for i in 0..doc.len() {
            let range = doc.raw_range(doc.span(i));
            assert!(
                range.start <= range.end && range.end <= raw.len(),
                "{range:?} of {}, line {i}",
                raw.len()
            );
            assert!((1..=raw.len() + 1).contains(&doc.raw_line(i)));
        }
    }
}

/// Classes, files and lines are the text's own.
fn traceback(data: &[u8]) {
    let raw = text(data);
    let doc = Document::from_terminal(&raw, Limits::default());
    let mut last = 0;
    for chain in nbmedic::traceback::parse(&doc) {
        assert!(!chain.exceptions.is_empty());
        assert!(chain.lines.start < chain.lines.end && chain.lines.end <= doc.len());
        assert!(chain.lines.end >= last, "by where each ends");
        last = chain.lines.end;
        for e in &chain.exceptions {
            assert!(e.lines.start <= e.lines.end && e.lines.end <= doc.len());
            assert!(doc.text().contains(e.name()), "{}", e.class);
            for f in &e.frames {
                assert!(f.at < doc.len());
            }
        }
    }
}

/// A diagnosis rests on lines of the text, and judging is repeatable.
fn judged(data: &[u8]) {
    let raw = text(data);
    let input = Input {
        text: &raw,
        ..Input::default()
    };
    let found = counted(raw.len(), STEPS_OF_TRIAGE, || triage(&input));
    let lines = raw.split('\n').count().max(1);
    for d in &found {
        assert!((0.0..=1.0).contains(&d.confidence), "{}", d.id);
        for e in &d.evidence {
            let at = e.line;
            assert!(
                (1..=lines + raw.matches('\r').count()).contains(&at),
                "{}: line {at}",
                d.id
            );
            assert!(e.range.start <= e.range.end && e.range.end <= raw.len());
            assert!(raw.get(e.range.clone()).is_some(), "{}", d.id);
        }
    }
    assert_eq!(format!("{:?}", triage(&input)), format!("{found:?}"));
}

/// A file is a notebook, a text, or an error in one line.
fn notebook(data: &[u8]) {
    let raw = text(data);
    for name in ["a.ipynb", "a.log"] {
        match pieces(name, raw.to_string()) {
            Ok(all) => {
                let mut cells = all.iter().filter_map(|p| p.cell);
                let mut last = 0;
                assert!(
                    cells.all(|c| std::mem::replace(&mut last, c) < c),
                    "in order"
                );
            }
            Err(e) => assert!(!e.is_empty() && !e.contains('\n'), "{e:?}"),
        }
    }
}

/// Any message can be applied, stored without its secrets, and reported.
fn events(data: &[u8]) {
    let raw = text(data);
    let Ok(all) = parse_events(&raw) else { return };
    let mut page = Page::new();
    let prose = ProseCache::new();
    for (i, batch) in all.chunks(3).enumerate() {
        page.apply(batch, 1_790_000_000_000 + i as u64 * 900, &prose);
    }
    draft(
        page.session(),
        &prose,
        1_790_000_100_000,
        "markdown",
        &Options::default(),
    );
    for mut event in all {
        redact_event(&mut event);
        let once = serde_json::to_string(&[&event]).expect("JSON");
        let read = parse_events(&once).expect("events");
        assert_eq!(read.len(), 1, "{once}");
        redact_event(&mut event);
        assert_eq!(
            serde_json::to_string(&[&event]).expect("JSON"),
            once,
            "redacted twice"
        );
    }
}

/// Nothing is redacted twice, parts are in order and whole characters, and what was found is nowhere.
fn redaction(data: &[u8]) {
    let raw = text(data);
    let once = counted(raw.len(), STEPS_OF_REDACTION, || redact(&raw));
    let mut at = 0;
    for f in &once.found {
        assert!(at <= f.range.start && f.range.start < f.range.end);
        assert!(raw.get(f.range.clone()).is_some());
        at = f.range.end;
    }
    assert_eq!(redact(&once.text).text, once.text, "redacted twice");
    let head = nbmedic_secrets::cut(&raw, 100);
    assert!(raw.starts_with(head) && head.chars().count() <= 100);
}

/// A record in two files is read as in one.
fn record(data: &[u8]) {
    let data = &data[..data.len().min(MOST)];
    let all = Record::read(&[data]);
    for r in &all {
        let _ = (r.verdict(), r.running());
    }
    let newline = data.iter().position(|b| *b == b'\n').map_or(0, |i| i + 1);
    let (a, b) = data.split_at(newline);
    let split = Record::read(&[a, b]);
    assert_eq!(format!("{split:?}"), format!("{all:?}"), "in two files");
}

/// Edits are of places that are there, and a source that parsed still parses.
fn edits(data: &[u8]) {
    let raw = text(data);
    let mut parts: Vec<&str> = raw.split(CELL).take(8).collect();
    let output = parts.pop().unwrap_or("");
    let cells: Vec<BookCell<'_>> = parts
        .iter()
        .enumerate()
        .map(|(i, source)| BookCell {
            position: i + 1,
            source,
            count: Some(i as i64 + 1),
            ran: Some(i as u64 + 1),
            ..BookCell::default()
        })
        .collect();
    let (book, last) = (Book::new(cells), parts.len().saturating_sub(1));
    let Some(case) = Case::new(&book, last, output) else {
        return;
    };
    for cure in cures(&case) {
        for (i, source) in parts.iter().enumerate() {
            let own: Vec<&Edit> = cure.edits.iter().filter(|e| e.cell == i + 1).collect();
            if own.is_empty() {
                continue;
            }
            let after = Edit::apply(source, &own);
            let after = after.unwrap_or_else(|| panic!("no such place in {source:?}: {own:?}"));
            assert!(after != **source, "changes nothing: {own:?}");
            if Cell::is_valid(source) {
                assert!(Cell::is_valid(&after), "{source:?} became {after:?}");
            }
        }
        assert!(cure
            .edits
            .iter()
            .all(|e| (1..=parts.len()).contains(&e.cell)));
    }
}

/// What any reader of JSON takes is read alike, and what is written is read back.
fn json(data: &[u8]) {
    let raw = text(data);
    let read = nbmedic_json::parse::<serde_json::Value>(&raw);
    if let Ok(value) = serde_json::from_str::<serde_json::Value>(&raw) {
        assert_eq!(read.as_ref().ok(), Some(&value));
    }
    let Ok(value) = read else { return };
    // The last digit of a long number is not kept.
    if raw.contains(['.', 'e', 'E']) || raw.bytes().filter(u8::is_ascii_digit).count() > 15 {
        return;
    }
    for written in [
        nbmedic_json::to_string(&value),
        nbmedic_json::to_string_pretty(&value),
    ] {
        let again: serde_json::Value = nbmedic_json::parse(&written).expect("its own JSON");
        assert_eq!(
            nbmedic_json::to_string(&again),
            nbmedic_json::to_string(&value)
        );
    }
}
