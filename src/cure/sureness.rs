//! How sure a cure may call itself: what its technique claims, capped by what is shown.
//!
//! An edit is sure only if its own words name no choice, no other edit that is as sure changes the same lines otherwise, and
//! nothing like what it replaces is left in the cell. What a person is told to write is likely only if its code speaks of
//! the failing lines' own names: a template with names of its own was never checked against this code.

use crate::case::Case;
use crate::find::head_exprs;
use crate::known::is_builtin;
use nbmedic_facts::{Applicability, Cure, FixKind};
use nbmedic_python::{each_expr, Cell};

/// Beginnings of sentences and words that name a choice or a condition.
const CHOICES: &[&str] = &[
    "If ",
    "Or ",
    "Perhaps",
    "The choice",
    "Choose ",
    " choice",
    "perhaps",
    ", or ",
    "instead if",
];

/// Caps the cures of a case.
pub fn cap(case: &Case<'_>, all: &mut [Cure]) {
    let lines: Vec<Vec<(usize, u32)>> = all.iter().map(changed).collect();
    let rival: Vec<bool> = (0..all.len())
        .map(|i| {
            all.iter().enumerate().any(|(j, other)| {
                i != j
                    && other.applies == Applicability::Sure
                    && other.edits != all[i].edits
                    && lines[j].iter().any(|l| lines[i].contains(l))
            })
        })
        .collect();
    for (cure, rival) in all.iter_mut().zip(rival) {
        let most = match cure.kind {
            FixKind::Edit if rival || has_choice(cure) || has_twin(case, cure) => {
                Applicability::Likely
            }
            FixKind::Look if is_template(case, cure, false) => Applicability::Maybe,
            _ => Applicability::Sure,
        };
        cure.applies = cure.applies.max(most);
    }
}

/// The lines that a cure changes.
fn changed(cure: &Cure) -> Vec<(usize, u32)> {
    let edits = cure.edits.iter();
    edits
        .flat_map(|e| (e.start.line..=e.end.line).map(|l| (e.cell, l)))
        .collect()
}

/// Whether the words of a cure name a choice.
fn has_choice(cure: &Cure) -> bool {
    CHOICES
        .iter()
        .any(|c| cure.why.contains(c) || cure.title.contains(c))
}

/// Whether the repaired cell still has an expression like one that was replaced.
fn has_twin(case: &Case<'_>, cure: &Cure) -> bool {
    let position = case.position(case.at);
    let Some(source) = case.python(case.at).filter(|_| cure.cell == Some(position)) else {
        return false;
    };
    let Some(after) = Cell::read(&cure.code) else {
        return false;
    };
    cure.edits
        .iter()
        .filter(|e| e.cell == position && e.start.line == e.end.line)
        .any(|edit| {
            let line = source.line(edit.start.line);
            let was: String = line
                .chars()
                .skip(edit.start.column as usize - 1)
                .take((edit.end.column - edit.start.column) as usize)
                .collect();
            // What stays within the new text is no mistake by itself.
            if was.len() < 4 || edit.text.contains(&was) {
                return false;
            }
            let mut twin = false;
            each_expr(after.body(), &mut |e| {
                let alike = e.is_call_expr() || e.is_attribute_expr() || e.is_compare_expr();
                twin |= alike && after.slice(e) == was;
            });
            twin
        })
}

/// Whether a cure's title quotes code with names that nothing sets; `strict`: that the failing lines don't have.
pub fn is_template(case: &Case<'_>, cure: &Cure, strict: bool) -> bool {
    if case.book.is_excerpt() {
        return false;
    }
    let mut own: Vec<&str> = Vec::new();
    for frame in &case.frames {
        let Some(stmt) = case.statement(frame) else {
            continue;
        };
        for e in head_exprs(stmt) {
            own.extend(e.as_name_expr().map(|n| n.id.as_str()));
        }
    }
    let quoted = cure.title.split('`').skip(1).step_by(2);
    quoted
        .filter_map(Cell::read)
        .filter(|c| c.broken().is_empty())
        .any(|code| {
            let names = code.names();
            let needs = names.needs();
            // One name by itself may be an argument's or a class's.
            let plain = code
                .text()
                .chars()
                .all(|c| c.is_alphanumeric() || c == '_' || c == '.');
            !plain
                && needs.iter().any(|n| {
                    !is_builtin(n)
                        && !own.contains(n)
                        && (strict || !case.exists(n))
                        && !crate::imports::is_module(n)
                })
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::said;
    use crate::tests::error_at;
    use crate::{Book, BookCell};
    use nbmedic_python::{calls, Ranged};

    /// What is left of some edits' certainty: each replaces the first call of `f` of the failing cell, with its reason.
    fn capped(source: &str, edits: &[(&str, &str)]) -> Vec<Applicability> {
        let cell = BookCell {
            position: 1,
            source,
            ran: Some(1),
            ..BookCell::default()
        };
        let book = Book::new(vec![cell]);
        let error = error_at(&[source], 1, "TypeError", "no");
        let case = Case::new(&book, 0, &error).expect("a failure");
        let python = case.python(0).expect("Python");
        let call = calls(python.body())[0].range();
        let made = |(new, why): &(&str, &str)| {
            let words = said("a", Applicability::Sure, "Use it", *why);
            case.edits(words, vec![crate::edit::Change::replace(0, call, *new)])
        };
        let mut all: Vec<Cure> = edits.iter().filter_map(made).collect();
        cap(&case, &mut all);
        all.iter().map(|c| c.applies).collect()
    }

    #[test]
    fn an_edit_is_sure_only_by_itself_and_without_a_choice() {
        use Applicability::{Likely, Sure};
        let line = "y = f(x)";
        assert_eq!(capped(line, &[("len(x)", "It was renamed.")]), [Sure]);
        let choice = "It was renamed. If you meant the other, use that.";
        assert_eq!(capped(line, &[("len(x)", choice)]), [Likely]);
        assert_eq!(
            capped(line, &[("len(x)", ""), ("sum(x)", "")]),
            [Likely, Likely]
        );
        // The other one is in a function, where it may be something else.
        let twin = "y = f(x)\ndef g():\n    return f(x)";
        assert_eq!(capped(twin, &[("len(x)", "")]), [Likely]);
        assert_eq!(capped("y = f(x)\nz = f(x)", &[("len(x)", "")]), [Sure]);
    }

    #[test]
    fn code_with_names_of_its_own_is_an_example() {
        let source = "y = a @ x";
        let cell = BookCell {
            position: 1,
            source,
            ran: Some(1),
            ..BookCell::default()
        };
        let book = Book::new(vec![cell]);
        let error = error_at(&[source], 1, "ValueError", "no");
        let case = Case::new(&book, 0, &error).expect("a failure");
        let example = |title: &str| {
            let cure = Cure {
                title: title.to_owned(),
                ..Cure::default()
            };
            is_template(&case, &cure, true)
        };
        assert!(example("Make it a column: `b[:, np.newaxis]`"));
        assert!(!example("Make it a column: `x[:, np.newaxis]`"));
        assert!(!example("Add `squeeze=False`") && !example("Use `numpy`") && !example("Wait"));
    }
}
