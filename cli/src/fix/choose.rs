//! Which repair of each failing cell is shown or written.

use nbmedic::catalog::{find, prose};
use nbmedic::examine;
use nbmedic::facts::{Applicability, Edit, FixKind};
use nbmedic::notebook::Piece;
use nbmedic::python::Cell;
use nbmedic::report::{Entry, FixEntry};
use nbmedic::triage::Surface;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Sources by the positions of their cells.
type Sources = BTreeMap<usize, String>;

/// What becomes of a failure's cure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It is shown; nothing was to be written.
    Shown,
    /// It is in the notebook.
    Written,
    /// It was in the notebook before; the cell has not run since.
    WrittenBefore,
    /// It is less sure than asked for.
    NotSureEnough,
    /// It is something to run, to install or to look at.
    NotAnEdit,
    /// A cure of another cell changes the same place.
    Clashes,
    /// There is none.
    NoCure,
}

/// A cell that failed.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// Its position, from 1.
    pub cell: usize,
    /// Its failing line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The id of the diagnosis.
    pub diagnosis: &'static str,
    /// Its headline.
    pub title: String,
    /// What becomes of the cure.
    pub state: State,
    /// Its first cure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<FixEntry>,
}

impl Failure {
    /// Whether the cure changes cells.
    pub fn is_edit(&self) -> bool {
        !self.edits().is_empty()
    }

    /// The cure's changes.
    pub fn edits(&self) -> &[Edit] {
        let fix = self.fix.as_ref().filter(|f| f.kind == FixKind::Edit);
        fix.map_or(&[], |f| &f.edits)
    }

    /// The cells to run after its edits.
    pub fn to_run(&self) -> Vec<usize> {
        match &self.fix {
            Some(fix) if !fix.run.is_empty() => fix.run.clone(),
            _ => vec![self.cell],
        }
    }
}

/// The failing cells, in order.
pub fn failures(pieces: &[Piece]) -> Vec<Failure> {
    let mut out = Vec::new();
    for examined in examine(pieces, Surface::Output) {
        let cured = examined.diagnoses.iter().find(|d| !d.cures.is_empty());
        let severe = |id| find(id).is_some_and(|r| r.severity == "error");
        let first = || examined.diagnoses.iter().find(|d| severe(d.id));
        let (Some(d), Some(cell)) = (cured.or_else(first), pieces[examined.piece].cell) else {
            continue;
        };
        let entry = Entry::new(d, prose(d.id).as_ref());
        let cure = d.cures.first().map(|c| c.id.clone());
        let fix = entry
            .fixes
            .into_iter()
            .find(|f| Some(f.id.as_str()) == cure.as_deref());
        out.push(Failure {
            cell,
            line: d.location.line,
            diagnosis: d.id,
            title: entry.title,
            state: match fix {
                Some(_) => State::Shown,
                None => State::NoCure,
            },
            fix,
        });
    }
    out
}

/// What is written.
pub struct Chosen {
    /// The failures, with what becomes of their cures.
    pub failures: Vec<Failure>,
    /// The changed sources.
    pub sources: Sources,
    /// The cells to run afterwards, in order.
    pub run: Vec<usize>,
}

/// Takes the cures that are at least as sure as `least`; none without it.
pub fn choose(
    mut failures: Vec<Failure>,
    pieces: &[Piece],
    least: Option<Applicability>,
) -> Chosen {
    let book = Cells::new(pieces);
    // The edits taken so far, by their cells: a failure's edits are tried on the cells that they change.
    let mut taken: BTreeMap<usize, Vec<Edit>> = BTreeMap::new();
    let mut sources = Sources::new();
    let mut run = BTreeSet::new();
    for failure in &mut failures {
        let edits = failure.edits();
        if !edits.is_empty() && edits.iter().all(|e| is_there(book.source(e.cell), e)) {
            run.extend(failure.to_run());
            failure.state = State::WrittenBefore;
            continue;
        }
        let (Some(least), Some(fix)) = (least, &failure.fix) else {
            continue;
        };
        // `Sure` is the smallest.
        failure.state = if !failure.is_edit() {
            State::NotAnEdit
        } else if fix.applicability > least {
            State::NotSureEnough
        } else {
            let mut cells: BTreeMap<usize, Vec<Edit>> = BTreeMap::new();
            for edit in &fix.edits {
                let of = || taken.get(&edit.cell).cloned().unwrap_or_default();
                let all = cells.entry(edit.cell).or_insert_with(of);
                if !all.contains(edit) {
                    all.push(edit.clone());
                }
            }
            let all: Vec<Edit> = cells.values().flatten().cloned().collect();
            match book
                .repaired(&all)
                .filter(|s| s.values().all(|s| Cell::is_valid(s)))
            {
                Some(with) => {
                    taken.extend(cells);
                    sources.extend(with);
                    run.extend(failure.to_run());
                    State::Written
                }
                None => State::Clashes,
            }
        };
    }
    Chosen {
        failures,
        sources,
        run: run.into_iter().collect(),
    }
}

/// The sources of a notebook's cells, by their positions.
pub struct Cells<'a>(BTreeMap<usize, &'a str>);

impl<'a> Cells<'a> {
    /// Those of a file's pieces.
    pub fn new(pieces: &'a [Piece]) -> Cells<'a> {
        let all = pieces.iter().rev();
        let source = |p: &'a Piece| Some((p.cell?, p.source.as_deref().unwrap_or("")));
        Cells(all.filter_map(source).collect())
    }

    /// A cell's source.
    pub fn source(&self, cell: usize) -> &'a str {
        self.0.get(&cell).copied().unwrap_or("")
    }

    /// The sources of the changed cells after edits; none if an edit's place is not there, or two overlap.
    pub fn repaired(&self, edits: &[Edit]) -> Option<Sources> {
        let mut cells: BTreeMap<usize, Vec<&Edit>> = BTreeMap::new();
        for edit in edits {
            cells.entry(edit.cell).or_default().push(edit);
        }
        let one = |(cell, edits): (usize, Vec<&Edit>)| {
            Some((cell, Edit::apply(self.source(cell), &edits)?))
        };
        cells.into_iter().map(one).collect()
    }
}

/// Whether the lines that an edit inserts are in their place already: the outputs of an earlier run ask for them again.
fn is_there(source: &str, edit: &Edit) -> bool {
    const PLACE: &str = "\0";
    if edit.start != edit.end || !edit.text.contains('\n') || edit.text.trim().is_empty() {
        return false;
    }
    let mark = Edit {
        text: PLACE.to_owned(),
        ..edit.clone()
    };
    let marked = Edit::apply(source, &[&mark]);
    let parts = marked.as_deref().and_then(|s| s.split_once(PLACE));
    parts.is_some_and(|(before, after)| {
        before.ends_with(&edit.text) || after.starts_with(&edit.text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nbmedic::facts::Position;

    fn failure(cell: usize, applies: Applicability, edits: Vec<Edit>) -> Failure {
        Failure {
            cell,
            line: None,
            diagnosis: "x",
            title: String::new(),
            state: State::Shown,
            fix: Some(FixEntry {
                id: "t".into(),
                title: String::new(),
                why: String::new(),
                applicability: applies,
                kind: FixKind::Edit,
                edits,
                run: Vec::new(),
                code: String::new(),
                sample: String::new(),
                language: String::new(),
                diff: Vec::new(),
                tried: None,
            }),
        }
    }

    fn edit(cell: usize, from: u32, to: u32, text: &str) -> Edit {
        let at = |column| Position { line: 1, column };
        Edit {
            cell,
            start: at(from),
            end: at(to),
            text: text.into(),
        }
    }

    #[test]
    fn lines_that_were_inserted_before_are_not_inserted_again() {
        let insert = |text: &str| edit(2, 1, 1, text);
        for (source, text, there) in [
            ("import a\nf(n)", "import a\n", true),
            ("f(n)", "import a\n", false),
            ("import ab\nf(n)", "import a\n", false),
            // A bracket is no line: there may have to be two.
            (")", ")", false),
            ("\nf(n)", "\n", false),
        ] {
            assert_eq!(is_there(source, &insert(text)), there, "{source} {text}");
        }
        let mut all = pieces();
        all[1].source = Some("import a\nf(n)".into());
        let failure = failure(2, Applicability::Sure, vec![insert("import a\n")]);
        let chosen = choose(vec![failure], &all, Some(Applicability::Sure));
        assert_eq!(chosen.failures[0].state, State::WrittenBefore);
        assert_eq!((chosen.sources.len(), chosen.run), (0, vec![2]));
    }

    fn pieces() -> Vec<Piece> {
        let piece = |(i, source): (usize, &str)| Piece {
            cell: Some(i + 1),
            source: Some(source.into()),
            ..Piece::default()
        };
        ["n = 12", "f(n)", "g(n)"]
            .into_iter()
            .enumerate()
            .map(piece)
            .collect()
    }

    #[test]
    fn cures_are_combined_unless_they_clash() {
        let sure = |cell, edits| failure(cell, Applicability::Sure, edits);
        let all = vec![
            sure(2, vec![edit(1, 5, 7, "3"), edit(2, 3, 4, "m")]),
            sure(3, vec![edit(1, 5, 7, "3")]),
            sure(3, vec![edit(1, 6, 7, "4")]),
            failure(3, Applicability::Likely, vec![edit(3, 1, 2, "h")]),
            sure(3, vec![edit(3, 1, 2, "h(")]),
        ];
        let chosen = choose(all.clone(), &pieces(), Some(Applicability::Sure));
        let states: Vec<State> = chosen.failures.iter().map(|f| f.state).collect();
        let want = [
            State::Written,
            State::Written,
            State::Clashes,
            State::NotSureEnough,
            State::Clashes,
        ];
        assert_eq!(states, want);
        let sources: Vec<(usize, &str)> = chosen
            .sources
            .iter()
            .map(|(c, s)| (*c, s.as_str()))
            .collect();
        assert_eq!(sources, [(1, "n = 3"), (2, "f(m)")]);
        assert_eq!(chosen.run, [2, 3]);
        let chosen = choose(all.clone(), &pieces(), Some(Applicability::Maybe));
        assert_eq!(chosen.failures[3].state, State::Written);
        assert!(choose(all, &pieces(), None).sources.is_empty());
    }
}
