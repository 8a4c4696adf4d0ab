//! Tests of the step from terminal output to clean lines.

use nbmedic::text::{Cleaner, Document, Limits, REACH};

fn clean(raw: &str) -> String {
    Document::from_terminal(raw, Limits::default())
        .text()
        .to_string()
}

#[test]
fn plain_text_stays() {
    let doc = Document::from_terminal("a\nbc\n\nd", Limits::default());
    assert_eq!(doc.text(), "a\nbc\n\nd");
    assert_eq!(doc.len(), 4);
    assert_eq!(doc.line(1), "bc");
    assert_eq!(doc.span(1), 2..4);
    assert_eq!(
        (0..4).map(|i| doc.raw_line(i)).collect::<Vec<_>>(),
        [1, 2, 3, 4]
    );
    assert_eq!(
        (
            doc.line_at(0),
            doc.line_at(2),
            doc.line_at(4),
            doc.line_at(5)
        ),
        (0, 1, 1, 2)
    );
    assert_eq!(doc.line(9), "");
}

#[test]
fn ends() {
    assert!(Document::from_terminal("", Limits::default()).is_empty());
    assert_eq!(Document::from_terminal("a\n", Limits::default()).len(), 1);
    assert_eq!(Document::from_terminal("a\n\n", Limits::default()).len(), 2);
    assert_eq!(Document::from_terminal("\n", Limits::default()).len(), 1);
    assert_eq!(
        Document::from_terminal("a\r\nb\r\n", Limits::default()).text(),
        "a\nb"
    );
}

#[test]
fn escapes_are_removed() {
    assert_eq!(clean("\x1b[0;31mNameError\x1b[0m: x"), "NameError: x");
    assert_eq!(
        clean("\x1b]8;;https://e.org\x1b\\link\x1b]8;;\x07 end"),
        "link end"
    );
    assert_eq!(clean("\x1bPq#0;2;0\x1b\\after"), "after");
    assert_eq!(clean("\x1b(Btext\x1b7\x1b8\x1b="), "text");
    assert_eq!(clean("\x1b[38:2::255:0:0mred\x1b[?25l\x1b[?2004h!"), "red!");
    assert_eq!(clean("bell\x07 nul\0 del\x7f"), "bell nul del");
}

#[test]
fn unclosed_sequences_keep_the_text() {
    assert_eq!(
        clean("\x1b]0;title\nRuntimeError: x"),
        "0;title\nRuntimeError: x"
    );
    assert_eq!(clean("\x1b]0;title"), "0;title");
    assert_eq!(clean("\x1b]0;a\x1b[1mb"), "0;ab");
    assert_eq!(clean("\x1b[31\nx"), "\nx");
    assert_eq!(clean("a\x1b"), "a");
    let long = "y".repeat(70_000);
    assert!(clean(&format!("\x1b]1337;{long}\nend")).ends_with("\nend"));
}

#[test]
fn carriage_return_overwrites() {
    assert_eq!(clean("10%\r20%\r100%\ndone"), "100%\ndone");
    assert_eq!(clean("abcdef\rXY"), "XYcdef");
    assert_eq!(clean("abcdef\r\x1b[KXY"), "XY");
    assert_eq!(clean("abcdef\x1b[2K\rXY"), "XY");
    assert_eq!(clean("abc\x08\x08X"), "aXc");
    assert_eq!(clean("abc\r\r\ndef"), "abc\ndef");
    assert_eq!(
        clean("50%|█████     |\r100%|██████████|\n"),
        "100%|██████████|"
    );
}

#[test]
fn cursor_moves_up_for_nested_bars() {
    let raw = "outer 0\ninner 0\x1b[A\router 1\n\rinner 1\x1b[A\router 2\n\rinner 2\nend";
    assert_eq!(clean(raw), "outer 2\ninner 2\nend");
    assert_eq!(clean("a\nb\nc\x1b[2F!\n\n\nd"), "!\nb\nc\nd");
    assert_eq!(clean("a\x1b[99Ab"), "ab");
    assert_eq!(clean("x\x1b[5Cy"), "x     y");
    assert_eq!(clean("one\ntwo\x1b[A\x1b[Jend"), "oneend");
}

#[test]
fn other_spaces_stay_and_form_feeds_break() {
    assert_eq!(clean("a\u{a0}b\u{202f}c\td"), "a\u{a0}b\u{202f}c\td");
    assert_eq!(clean("a\x0cb\x0b\x0bc"), "a\nb\nc");
    let doc = Document::from_terminal("a\x0cb\nc", Limits::default());
    assert_eq!(
        (doc.raw_line(0), doc.raw_line(1), doc.raw_line(2)),
        (1, 1, 2)
    );
}

#[test]
fn maps_back_to_the_raw_text() {
    let raw = "ab\x1b[1mcd\x1b[0m\r\nx50%\ry100%\nend";
    let doc = Document::from_terminal(raw, Limits::default());
    assert_eq!(doc.text(), "abcd\ny100%\nend");
    let of = |needle: &str| {
        let at = doc.text().find(needle).unwrap();
        &raw[doc.raw_range(at..at + needle.len())]
    };
    assert_eq!(of("ab"), "ab");
    assert_eq!(of("bc"), "b\x1b[1mc");
    assert_eq!(of("cd"), "cd");
    assert_eq!(of("100"), "100");
    assert_eq!(of("end"), "end");
    assert_eq!(
        (doc.raw_line(0), doc.raw_line(1), doc.raw_line(2)),
        (1, 2, 3)
    );
}

#[test]
fn long_lines_keep_both_ends() {
    let limits = Limits {
        max_line: 100,
        ..Limits::default()
    };
    let raw = format!("{}{}é\nnext", "a".repeat(1000), "z".repeat(60));
    let doc = Document::from_terminal(&raw, limits);
    let line = doc.line(0);
    assert!(line.starts_with(&"a".repeat(50)), "{line}");
    assert!(
        line.ends_with("zzzé") && line.contains("962 bytes left out"),
        "{line}"
    );
    assert!(line.len() < 150);
    assert_eq!(doc.line(1), "next");
    let at = doc.span(0).end - 2;
    assert_eq!(&raw[doc.raw_range(at..at + 2)], "é");
    assert_eq!(doc.raw_line(1), 2);
}

#[test]
fn many_lines_keep_both_ends() {
    let limits = Limits {
        max_lines: 40,
        ..Limits::default()
    };
    let raw: String = (1..=100_000).map(|i| format!("line {i}\n")).collect();
    let doc = Document::from_terminal(&raw, limits);
    assert_eq!(doc.len(), 41);
    assert_eq!((doc.line(0), doc.line(9)), ("line 1", "line 10"));
    assert_eq!(doc.omitted(), Some((10, 99_960)));
    assert_eq!(doc.line(10), "[… 99960 lines left out …]");
    assert_eq!((doc.line(11), doc.raw_line(11)), ("line 99971", 99_971));
    assert_eq!((doc.line(40), doc.raw_line(40)), ("line 100000", 100_000));
    let span = doc.span(40);
    assert_eq!(&raw[doc.raw_range(span)], "line 100000");
}

#[test]
fn many_bytes_keep_both_ends() {
    let limits = Limits {
        max_bytes: 4096,
        ..Limits::default()
    };
    let raw: String = (1..=20_000).map(|i| format!("line {i}\n")).collect();
    let doc = Document::from_terminal(&raw, limits);
    assert!(doc.text().len() < 4096 + 64, "{}", doc.text().len());
    assert_eq!(
        (doc.line(0), doc.line(doc.len() - 1)),
        ("line 1", "line 20000")
    );
}

#[test]
fn a_line_that_is_only_redrawn_stays_small() {
    let mut cleaner = Cleaner::new(Limits::default());
    let chunk = "\r 12%|█▏        | 3/25 [00:01<00:12]".repeat(1000);
    for _ in 0..200 {
        cleaner.push(&chunk);
    }
    assert_eq!(
        cleaner.finish().text(),
        " 12%|█▏        | 3/25 [00:01<00:12]"
    );
}

/// xorshift64*, so that a failure can be repeated.
struct Rng(u64);

impl Rng {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % below
    }
}

const PIECES: [&str; 34] = [
    "a",
    "bc",
    "é",
    "█▏",
    "\u{a0}",
    "\n",
    "\n",
    "\n",
    "\r",
    "\r\n",
    "\x08",
    "\x1b[A",
    "\x1b[3A",
    "\x1b[B",
    "\x1b[K",
    "\x1b[2K",
    "\x1b[1K",
    "\x1b[31m",
    "\x1b[",
    "\x1b]0;t\x07",
    "\x1b]8;;u\x1b\\",
    "\x1b]",
    "\x1b",
    "\x0c",
    "\t",
    "\x1b[5C",
    "\x1b[2D",
    "\x1b[7G",
    "\x1b[J",
    "\x1b[2J",
    "word ",
    "a longer piece of text that fills lines",
    "\x07",
    "\x1b(B",
];

#[test]
fn any_cut_gives_the_same_document() {
    let mut rng = Rng(0x9E37_79B9_7F4A_7C15);
    for round in 0..3000 {
        let n = 1 + rng.next(120);
        let raw: String = (0..n).map(|_| PIECES[rng.next(PIECES.len())]).collect();
        let limits = match round % 3 {
            0 => Limits::default(),
            1 => Limits {
                max_bytes: 1024,
                max_line: 64,
                max_lines: 8,
            },
            _ => Limits {
                max_bytes: 2048,
                max_line: 70,
                max_lines: 1000,
            },
        };
        let raw = if round % 3 == 2 { raw.repeat(20) } else { raw };
        let whole = Document::from_terminal(&raw, limits);
        let mut cleaner = Cleaner::new(limits);
        let mut rest = raw.as_str();
        while !rest.is_empty() {
            let mut at = (1 + rng.next(9)).min(rest.len());
            while !rest.is_char_boundary(at) {
                at += 1;
            }
            cleaner.push(&rest[..at]);
            rest = &rest[at..];
        }
        assert_eq!(cleaner.finish(), whole, "round {round}: {raw:?}");
        check(&raw, &whole, limits);
    }
}

/// Checks what must hold for every document.
fn check(raw: &str, doc: &Document, limits: Limits) {
    let room = (REACH + 2) * (limits.max_line + 64);
    assert!(
        doc.text().len() <= limits.max_bytes + room,
        "{}",
        doc.text().len()
    );
    assert!(doc.len() <= limits.max_lines + REACH + 1);
    assert!(!doc.text().contains('\x1b') && !doc.text().contains('\r'));
    let joined: Vec<&str> = doc.lines().collect();
    assert_eq!(joined.join("\n"), doc.text());
    for (at, ch) in doc.text().char_indices() {
        let range = doc.raw_range(at..at + ch.len_utf8());
        assert!(range.end <= raw.len());
        // Text that maps to a place in the raw text is found there.
        if !range.is_empty() && ch != '\n' {
            assert_eq!(
                &raw[range],
                ch.to_string(),
                "{at} in {:?} of {raw:?}",
                doc.text()
            );
        }
    }
}
