//! The notation that families of wordings and what messages say to do share: entries below `==`, and wordings with holes.

use nbmedic_rule::{HoleKind, Piece, Wording};

/// An entry as it is written.
#[derive(Default)]
pub(crate) struct Entry<'t> {
    pub name: &'t str,
    /// The line of its name, from 1.
    pub line: usize,
    /// The wordings of the entry above it, of which it is another case, with their lines.
    pub of: Vec<(usize, &'t str)>,
    /// Its other lines, with their numbers.
    pub lines: Vec<(usize, &'t str)>,
}

/// The entries of a file. What stands before the first one is a comment. `--` begins another case of the wordings of the
/// entry above.
pub(crate) fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut all: Vec<Entry<'_>> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let begins = ["==", "--"].iter().find_map(|mark| line.strip_prefix(mark));
        let Some(name) = begins else {
            if let Some(entry) = all.last_mut() {
                entry.lines.push((number, line));
            }
            continue;
        };
        let of = all.last().filter(|_| line.starts_with("--"));
        let of = of.map(|above| {
            let lines = above.of.iter().chain(&above.lines);
            let says = |l: &str| l.starts_with("says: ") || l.starts_with("family: ");
            lines.filter(move |(_, l)| says(l)).copied()
        });
        let of = of.into_iter().flatten().collect();
        all.push(Entry {
            name: name.trim(),
            line: number,
            of,
            lines: Vec::new(),
        });
    }
    all
}

/// Whether a wording can be searched for, and finds itself with its holes filled.
///
/// # Errors
/// What is wrong with it.
pub fn check_wording(source: &str) -> Result<(), String> {
    let wording = Wording::new(source);
    let pieces = wording.pieces();
    if !matches!(pieces.first(), Some(Piece::Text(_))) {
        return Err("a wording begins with a hole".to_owned());
    }
    regex::Regex::new(&wording.pattern()).map_err(|e| e.to_string())?;
    let mut example = String::new();
    let mut holds = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        let hole = match piece {
            Piece::Text(text) => {
                example += text;
                continue;
            }
            Piece::Hole(hole) => hole,
        };
        let closed = matches!(pieces.get(i + 1), Some(Piece::Text(t)) if t.starts_with([')', ']']));
        let held = match hole.kind {
            HoleKind::Any => "anything",
            HoleKind::Maybe => "",
            HoleKind::Number => "12",
            HoleKind::Shape if closed => "3, 4",
            HoleKind::Shape => "(3, 4)",
            HoleKind::Name => "a.name",
        };
        example += held;
        if hole.kind != HoleKind::Maybe {
            holds.push((*hole, held));
        }
    }
    let text = format!("before {example}");
    let found = wording.find(&text);
    match found.as_ref() == Some(&holds) {
        true => Ok(()),
        false => Err(format!(
            "the wording `{source}` reads `{example}` as {found:?}"
        )),
    }
}
