//! Derives how certain a cure is: from what it is known by (its [`Basis`]), and from what the cells show after its edits.
//!
//! An edit is sure only if its basis leaves no assumption, its own words name no choice, no other edit is as good as
//! likely, nothing like what it replaces is left in the cell, and what can be evaluated of the cells as they are afterwards
//! (`after`), and of the failing statement (`again`), shows the failure gone. If that shows it still there as before, the edit
//! is left out; if it shows it only then, it is no more than worth a try. What a person is told to write is likely only if its code speaks of the failing lines' own names:
//! a template with names of its own was never checked against this code.

mod after;
mod again;

use crate::again::changed;
use crate::case::Case;
use crate::find::head_exprs;
use crate::known::is_builtin;
pub(crate) use again::{conflicts, State};
use nbmedic_facts::{Applicability, Basis, Cure, FixKind};
use nbmedic_python::{each_expr, Cell};

/// Words and beginnings of sentences that indicate a choice or a condition.
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

/// The certainty that a basis allows.
fn most(basis: Basis) -> Applicability {
    match basis {
        Basis::Named
        | Basis::Solved
        | Basis::Value
        | Basis::Record
        | Basis::Source
        | Basis::Library
        | Basis::Language
        | Basis::Spelled => Applicability::Sure,
        Basis::Alike | Basis::Assumed => Applicability::Likely,
        Basis::Guessed => Applicability::Maybe,
        Basis::Shows => Applicability::Shows,
    }
}

/// The basis of an entry of the tables of messages, which say how certain they are: the message names all of it.
pub fn told(applies: Applicability) -> Basis {
    match applies {
        Applicability::Sure => Basis::Named,
        Applicability::Likely => Basis::Assumed,
        Applicability::Maybe => Basis::Guessed,
        Applicability::Shows => Basis::Shows,
    }
}

/// Labels cures of which nothing but the basis is known. A basis gives one label, and isn't kept:
/// what comes from the module that reads Python is the same as what is made here.
pub fn label_by_basis(all: &mut [Cure]) {
    let label = |c: &mut Cure| c.applies = most(std::mem::take(&mut c.basis));
    all.iter_mut().for_each(label);
}

/// Labels a failure's cures, puts the surest first, and leaves out edits with which it is shown to fail again.
pub fn label(case: &Case<'_>, all: &mut Vec<Cure>, accepts: after::Accepts) {
    label_by_basis(all);
    all.retain_mut(|cure| {
        let most = shown(case, cure, accepts);
        cure.applies = cure.applies.max(most.unwrap_or_default());
        most.is_some()
    });
    // The surest stays in front where a rival makes it as likely as others. The sort is stable: the techniques' order
    // breaks ties.
    all.sort_by_key(|c| c.applies);
    // One of several edits is a choice, unless the others are hardly worth a try.
    let rival: Vec<bool> = all
        .iter()
        .map(|cure| {
            all.iter().any(|other| {
                other.kind == FixKind::Edit
                    && other.applies <= Applicability::Likely
                    && other.edits != cure.edits
            })
        })
        .collect();
    for (cure, _) in all.iter_mut().zip(rival).filter(|(_, rival)| *rival) {
        if cure.kind == FixKind::Edit {
            cure.applies = cure.applies.max(Applicability::Likely);
        }
    }
}

/// The certainty that the cells allow, with a cure applied. None if it is shown to fail again.
fn shown(case: &Case<'_>, cure: &Cure, accepts: after::Accepts) -> Option<Applicability> {
    let sure = cure.applies == Applicability::Sure;
    Some(match cure.kind {
        FixKind::Edit => {
            let changed = changed(case, cure);
            let found = again::evaluate(case, cure, &changed);
            if found.as_ref().is_some_and(|f| f.fails_again) {
                return None;
            }
            match found.map(|f| (f.before, f.after)) {
                Some((_, State::Conflicts)) => return Some(Applicability::Maybe),
                // What was shown before has to be shown gone.
                Some((State::Conflicts, State::Unknown)) => return Some(Applicability::Likely),
                _ if !sure => return Some(Applicability::Sure),
                _ => {}
            }
            if after::replaces_another_kind(case, cure) {
                return Some(Applicability::Maybe);
            }
            match has_choice(cure) || is_doubtful(case, cure, &changed, accepts) {
                true => Applicability::Likely,
                false => Applicability::Sure,
            }
        }
        FixKind::Run if sure && after::leaves_unset(case, cure, &[]) => Applicability::Likely,
        FixKind::Look if is_template(case, cure, false) => Applicability::Maybe,
        _ => Applicability::Sure,
    })
}

/// Whether the cells, as they are after an edit, speak against it.
fn is_doubtful(
    case: &Case<'_>,
    cure: &Cure,
    changed: &[(usize, Cell)],
    accepts: after::Accepts,
) -> bool {
    has_twin(case, cure)
        || after::has_twin_to_come(case, cure, changed)
        || after::leaves_unset(case, cure, changed)
        || after::gives_the_wrong_kind(case, changed)
        || after::is_not_accepted(case, changed, accepts)
}

/// Whether a cure's description offers a choice.
fn has_choice(cure: &Cure) -> bool {
    CHOICES
        .iter()
        .any(|c| cure.why.contains(c) || cure.title.contains(c))
}

/// Whether the repaired cell still contains an expression like a replaced one.
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
            // Code that remains within the new text isn't a mistake by itself.
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

/// Whether a cure's title quotes code with undefined names or, with `strict`, with names that the
/// failing lines lack.
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
            // A single name may be an argument or a class.
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

    /// Every Rust file of a folder that isn't a test.
    #[allow(clippy::disallowed_methods)] // a test reads files
    fn sources(folder: &std::path::Path, out: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a readable folder").path();
            let name = path.to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                sources(&path, out);
            } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&path).expect("a readable file");
                let code = text.split("#[cfg(test)]\nmod ").next();
                out.push((name, code.unwrap_or_default().to_owned()));
            }
        }
    }

    #[test]
    fn no_technique_says_how_certain_it_is() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut all = Vec::new();
        for folder in ["techniques", "rules", "messages", "code"] {
            sources(&root.join(folder), &mut all);
        }
        assert!(all.len() > 150, "only {} files", all.len());
        for (name, code) in all {
            assert!(!code.contains("Applicability"), "{name}");
        }
    }

    /// The certainty left to some edits, each of which replaces the first call of `f` in the
    /// failing cell and gives a reason.
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
            let words = said("a", Basis::Language, "Use it", *why);
            case.edits(words, vec![crate::edit::Change::replace(0, call, *new)])
        };
        let mut all: Vec<Cure> = edits.iter().filter_map(made).collect();
        super::label(&case, &mut all, |_, _| None);
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

    /// The label of the first fix of a notebook: cells with whether they ran, the failing one by its index.
    fn label(cells: &[(&str, bool)], at: usize, error: &str) -> Option<(String, Applicability)> {
        let all = (1..).zip(cells).map(|(position, (source, ran))| BookCell {
            position,
            source,
            ran: ran.then_some(position as u64),
            count: ran.then_some(position as i64),
            ..BookCell::default()
        });
        let book = Book::new(all.collect());
        let case = Case::new(&book, at, error)?;
        let first = crate::cures(&case).into_iter().next()?;
        Some((first.code, first.applies))
    }

    #[test]
    fn a_name_that_stays_unset_is_the_same_fault_again() {
        use Applicability::{Likely, Sure};
        let fails = "d = Decimal(1)";
        let e = error_at(&[fails], 1, "NameError", "name 'Decimal' is not defined");
        let of = |below: &str| {
            let found = label(&[(fails, true), (below, false)], 0, &e);
            found.map(|(_, applies)| applies)
        };
        assert_eq!(of("print(d)"), Some(Sure));
        assert_eq!(of("print(d.quantize(d, ROUND_HALF_UP))"), Some(Likely));
        // What another cell sets is a matter of the order.
        assert_eq!(of("ROUND = 1\nprint(d.quantize(d, ROUND))"), Some(Sure));
    }

    #[test]
    fn code_that_fails_alike_in_a_cell_to_come_leaves_a_doubt() {
        use Applicability::{Likely, Sure};
        let fails = "import numpy as np\ny = np.float(3)";
        let message = "module 'numpy' has no attribute 'float'";
        let e = error_at(&[fails], 2, "AttributeError", message);
        for (below, applies) in [("z = 1", Sure), ("z = np.float(y)", Likely)] {
            let found = label(&[(fails, true), (below, false)], 0, &e);
            assert_eq!(found.map(|(_, a)| a), Some(applies), "{below}");
        }
    }

    #[test]
    fn an_argument_gets_the_kind_that_its_name_takes() {
        use Applicability::{Likely, Sure};
        let message = "read_csv() takes 1 positional argument but 2 were given";
        for (argument, applies) in [("';'", Sure), ("['a']", Likely), ("'a.csv'", Likely)] {
            let fails = format!("import pandas as pd\ndf = pd.read_csv('a.csv', {argument})");
            let e = error_at(&[&fails], 2, "TypeError", message);
            let found = label(&[(&fails, true)], 0, &e);
            assert_eq!(found.map(|(_, a)| a), Some(applies), "{argument}");
        }
    }

    #[test]
    fn what_the_message_did_not_meet_is_no_cause() {
        let cells = "def f(a):\n    return float(len)\nf('2')";
        let message =
            "float() argument must be a string or a real number, not 'builtin_function_or_method'";
        let e = error_at(&[cells], 3, "TypeError", message);
        let found = label(&[(cells, true)], 0, &e);
        let other = |code: &str| !code.ends_with("f(2)");
        assert!(found.is_none_or(|(code, a)| other(&code) || a > Applicability::Likely));
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
