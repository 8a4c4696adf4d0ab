//! Checks edits before they are offered.

use crate::case::Case;
use crate::change::applied;
pub use crate::change::{Change, Said};
use crate::fit::{fitted, twins, unset};
use nbmedic_facts::{Applicability, Cure, DiffLine, Edit, FixKind, Position};
use nbmedic_python::{Cell, Place};
use similar::{DiffTag, TextDiff};

impl Case<'_> {
    /// A cure that changes cells. None if nothing would change, if changes overlap, or if a changed
    /// cell wouldn't parse or would read a name before it is set.
    pub fn edits(&self, mut said: Said, mut changes: Vec<Change>) -> Option<Cure> {
        changes.retain(|c| !(c.range.is_empty() && c.text.is_empty()));
        changes.sort_by_key(|c| (c.cell, c.range.start(), c.range.end()));
        changes.dedup_by(|a, b| (a.cell, a.range, &a.text) == (b.cell, b.range, &b.text));
        let mut fits = Vec::new();
        let own: Vec<Change> = changes
            .iter()
            .filter(|c| c.cell == self.at)
            .cloned()
            .collect();
        if let Some(python) = self.python(self.at).filter(|_| !self.book.is_excerpt()) {
            changes.extend(twins(python, &own));
            changes.sort_by_key(|c| (c.cell, c.range.start(), c.range.end()));
        }
        for group in changes.chunk_by(|a, b| a.cell == b.cell) {
            fits.extend(fitted(
                self.python(group[0].cell)?,
                group.to_vec(),
                &mut said,
            ));
        }
        let changes = fits;
        let first = changes.first()?.cell;
        let overlap =
            |w: &[Change]| w[0].cell == w[1].cell && w[0].range.end() > w[1].range.start();
        if changes.windows(2).any(overlap) {
            return None;
        }
        let changes = joined(changes);
        let mut edits = Vec::new();
        let mut diff = Vec::new();
        let mut code = String::new();
        let mut changed = Vec::new();
        for group in changes.chunk_by(|a, b| a.cell == b.cell) {
            let cell = self.python(group[0].cell)?;
            let after = applied(cell.text(), group)?;
            let read = Cell::read(&after).filter(|c| c.broken().is_empty())?;
            if after == cell.text() {
                return None;
            }
            changed.push((group[0].cell, read));
            let position = self.position(group[0].cell);
            diff.extend(difference(position, cell.text(), &after));
            edits.extend(group.iter().map(|c| edit(position, cell, c)));
            // If several cells change, people copy the failing one.
            if code.is_empty() || group[0].cell == self.at {
                code = after;
            }
        }
        if unset(self, &changed) {
            return None;
        }
        let several = changes.iter().any(|c| c.cell != first);
        let shown = if changes.iter().any(|c| c.cell == self.at) {
            self.at
        } else {
            first
        };
        let run = match several || first != self.at {
            true => self.depending(first),
            false => vec![self.at],
        };
        let run = match &self.run_anew(&run, &changed)[..] {
            [only] if *only == self.at => Vec::new(),
            all => all.iter().map(|c| self.position(*c)).collect(),
        };
        Some(Cure {
            id: said.id.into(),
            kind: FixKind::Edit,
            basis: said.basis,
            applies: Applicability::default(),
            title: said.title,
            why: said.why,
            edits,
            run,
            cell: Some(self.position(shown)),
            code,
            language: "python".into(),
            diff,
            tried: None,
        })
    }
}

/// Rebuilds a cure whose cells differ from what its edits produce: for each cell its position, old
/// source and new source. None if nothing changed.
pub fn rewritten(cure: &Cure, cells: &[(usize, &str, &str)]) -> Option<Cure> {
    let changed = cells.iter().filter(|(_, before, after)| before != after);
    let (mut edits, mut diff) = (Vec::new(), Vec::new());
    let mut code = cure.code.clone();
    for (position, before, after) in changed {
        edits.push(whole_edit(*position, before, after)?);
        diff.extend(difference(*position, before, after));
        if cure.cell == Some(*position) {
            code = (*after).to_owned();
        }
    }
    (!edits.is_empty()).then(|| Cure {
        edits,
        diff,
        code,
        ..cure.clone()
    })
}

/// The single edit that turns one text into another: from the first difference to the last.
fn whole_edit(cell: usize, before: &str, after: &str) -> Option<Edit> {
    let same = |(a, b): &(char, char)| a == b;
    let head = before.chars().zip(after.chars()).take_while(same);
    let head: usize = head.map(|(c, _)| c.len_utf8()).sum();
    let (old, new) = (&before[head..], &after[head..]);
    let tail = old.chars().rev().zip(new.chars().rev()).take_while(same);
    let tail: usize = tail.map(|(c, _)| c.len_utf8()).sum();
    let place = |at: usize| {
        let line = before[..at].matches('\n').count();
        let column = before[..at].chars().rev().take_while(|c| *c != '\n');
        Some(Position {
            line: u32::try_from(line + 1).ok()?,
            column: u32::try_from(column.count() + 1).ok()?,
        })
    };
    Some(Edit {
        cell,
        start: place(head)?,
        end: place(before.len() - tail)?,
        text: new[..new.len() - tail].to_owned(),
    })
}

/// Sorts changes and merges each insertion with a change that starts at the same place, so that
/// applying them one by one doesn't depend on their order.
fn joined(changes: Vec<Change>) -> Vec<Change> {
    let mut out: Vec<Change> = Vec::new();
    for c in changes {
        match out.last_mut() {
            Some(last)
                if last.cell == c.cell
                    && last.range.is_empty()
                    && last.range.start() == c.range.start() =>
            {
                last.range = c.range;
                last.text.push_str(&c.text);
            }
            _ => out.push(c),
        }
    }
    out
}

fn position(place: Place) -> Position {
    Position {
        line: place.line,
        column: place.column,
    }
}

fn edit(at: usize, cell: &Cell, change: &Change) -> Edit {
    Edit {
        cell: at,
        start: position(cell.place(change.range.start())),
        end: position(cell.place(change.range.end())),
        text: change.text.clone(),
    }
}

/// The changed lines. In each group, removed lines come before added ones.
fn difference(position: usize, before: &str, after: &str) -> Vec<DiffLine> {
    let diff = TextDiff::from_lines(before, after);
    let text = |line: &str| line.trim_end_matches(['\n', '\r']).to_owned();
    let old: Vec<String> = diff.old_slices().iter().map(|l| text(l)).collect();
    let new: Vec<String> = diff.new_slices().iter().map(|l| text(l)).collect();
    let mut out = Vec::new();
    for op in diff.ops().iter().filter(|op| op.tag() != DiffTag::Equal) {
        let (was, is) = (op.old_range(), op.new_range());
        let pairs = was.len() == is.len();
        let marks = |i: usize| {
            pairs
                .then(|| marked(&old[was.start + i], &new[is.start + i]))
                .flatten()
        };
        let mut line = |sign, number: usize, text: &str, changed| {
            out.push(DiffLine {
                cell: position,
                sign,
                number: u32::try_from(number + 1).unwrap_or(u32::MAX),
                text: text.to_owned(),
                changed,
            });
        };
        for i in 0..was.len() {
            let at = was.start + i;
            line('-', at, &old[at], marks(i).map(|m| m.0));
        }
        for i in 0..is.len() {
            let at = is.start + i;
            line('+', at, &new[at], marks(i).map(|m| m.1));
        }
    }
    out
}

/// The parts in which two lines differ, in characters.
#[allow(clippy::type_complexity)]
fn marked(old: &str, new: &str) -> Option<((u32, u32), (u32, u32))> {
    let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let room = old.len().min(new.len()) - head;
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(room)
        .take_while(|(a, b)| a == b)
        .count();
    let part = |line: &[char]| {
        Some((
            u32::try_from(head).ok()?,
            u32::try_from(line.len() - tail).ok()?,
        ))
    };
    Some((part(&old)?, part(&new)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rewritten_cure_holds_one_edit_for_each_changed_cell() {
        let cure = Cure {
            title: "t".to_owned(),
            cell: Some(2),
            code: "old".to_owned(),
            ..Cure::default()
        };
        let (was, is) = ("é = totl\nb = 1\nc = prise", "é = total\nb = 1\nc = price");
        let made = rewritten(&cure, &[(1, "a = 1", "a = 1"), (2, was, is)]).unwrap();
        let edits: Vec<&Edit> = made.edits.iter().collect();
        assert_eq!(edits.len(), 1);
        assert_eq!(Edit::apply(was, &edits).as_deref(), Some(is));
        assert_eq!(
            (edits[0].cell, edits[0].start.line, edits[0].start.column),
            (2, 1, 8)
        );
        assert_eq!((made.code.as_str(), made.title.as_str()), (is, "t"));
        let signs: String = made.diff.iter().map(|l| l.sign).collect();
        assert_eq!(signs, "-+-+");
        // Text that is only added, or only removed.
        for (was, is) in [
            ("a\nb", "a\nx\nb"),
            ("aa", "a"),
            ("", "x\n"),
            ("x\n\n", "x\n"),
        ] {
            let made = rewritten(&cure, &[(1, was, is)]).unwrap();
            assert_eq!(Edit::apply(was, &[&made.edits[0]]).as_deref(), Some(is));
        }
        assert_eq!(rewritten(&cure, &[(1, "a", "a")]), None);
    }
}
