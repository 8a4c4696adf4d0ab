//! The cause of a failure as a headline.

use crate::{plain, Explained, FixText, MAX_TITLE};
use nbmedic_facts::FixKind;
use nbmedic_rule::{Applicability, Block, Inline};

/// Words with which a sentence begins that needs another one before it, or names no cause.
const LEANING: &[&str] = &[
    "As",
    "Both",
    "Each",
    "He",
    "Here",
    "If",
    "In",
    "Instead",
    "It",
    "Its",
    "None",
    "Nothing",
    "One",
    "Or",
    "Otherwise",
    "So",
    "That",
    "The choice",
    "Their",
    "Them",
    "Then",
    "There",
    "These",
    "They",
    "This",
    "Those",
    "Two",
    "When",
    "With",
    "Without",
    "You",
];

impl Explained<'_> {
    /// The cause in the person's own names, as a headline, and the rest of the first fix's reason: of a fix that was made for
    /// this failure and repairs it, the reason's first sentence, if it names code and can be read by itself.
    pub fn cause(&self) -> Option<(Vec<Inline>, Vec<Block>)> {
        let made = |f: &&FixText| {
            f.is_cure()
                && matches!(f.kind, FixKind::Edit | FixKind::Run)
                && f.applies < Applicability::Maybe
        };
        let fix = self.fixes.first().filter(made)?;
        let [Block::P(reason), more @ ..] = &fix.why[..] else {
            return None;
        };
        let (mut cause, mut rest) = first_sentence(reason)?;
        let text = plain(&[Block::P(cause.clone())]);
        let word = |w: &str| {
            let behind = text.strip_prefix(w);
            behind.is_some_and(|t| !t.starts_with(char::is_alphanumeric))
        };
        let long = text.chars().count() > MAX_TITLE;
        let code = cause.iter().any(|i| matches!(i, Inline::Code(_)));
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        // `it` is what the sentence begins with, if that is code.
        let named = text.starts_with('`');
        let leans =
            LEANING.iter().any(|w| word(w)) || words.any(|w| w == "there" || w == "it" && !named);
        if long || !code || leans {
            return None;
        }
        if let Some(Inline::Text(last)) = cause.last_mut() {
            last.truncate(last.trim_end_matches('.').len());
        }
        cause.retain(|i| *i != Inline::Text(String::new()));
        rest.retain(|i| *i != Inline::Text(String::new()));
        let rest = (!rest.is_empty()).then_some(Block::P(rest));
        Some((
            cause,
            rest.into_iter().chain(more.iter().cloned()).collect(),
        ))
    }
}

/// A paragraph's first sentence, and what follows it. None if it has no end.
fn first_sentence(p: &[Inline]) -> Option<(Vec<Inline>, Vec<Inline>)> {
    for (i, inline) in p.iter().enumerate() {
        let Inline::Text(text) = inline else {
            continue;
        };
        let last = i + 1 == p.len();
        let end = text.find(". ").map(|at| at + 1);
        let Some(end) = end.or_else(|| (last && text.ends_with('.')).then_some(text.len())) else {
            continue;
        };
        let part = |t: &str| Inline::Text(t.to_owned());
        let cause = [&p[..i], &[part(&text[..end])]].concat();
        let rest = [&[part(text[end..].trim_start())], &p[i + 1..]].concat();
        return Some((cause, rest));
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::{explain, plain};
    use nbmedic_facts::{Cure, Diagnosis, FixKind};
    use nbmedic_rule::{Applicability, Block, Prose};

    #[test]
    fn the_reason_of_a_repair_is_the_headline_if_it_can_be_read_by_itself() {
        let prose = Prose::default();
        let said = |why: &str, kind| {
            let d = Diagnosis {
                cures: vec![Cure {
                    why: why.into(),
                    applies: Applicability::Sure,
                    kind,
                    ..Cure::default()
                }],
                ..Diagnosis::default()
            };
            let e = explain(&d, &prose);
            e.cause()
                .map(|(c, rest)| (plain(&[Block::P(c)]), plain(&rest)))
        };
        let both = |a: &str, b: &str| Some((a.to_owned(), b.to_owned()));
        let edit = FixKind::Edit;
        let shape = "`df.shape` is a value. It has no `()`.";
        assert_eq!(
            said(shape, edit),
            both("`df.shape` is a value", "It has no `()`.")
        );
        let one = "`max` is your variable since [8].";
        assert_eq!(
            said(one, edit),
            both("`max` is your variable since [8]", "")
        );
        let code = "`a` calls `f(x. y)`, which ends. `b` is next.";
        assert_eq!(
            said(code, edit),
            both("`a` calls `f(x. y)`, which ends", "`b` is next.")
        );
        assert_eq!(said("It has no `()`. `df.shape` is a value.", edit), None);
        assert_eq!(said("A value is none of the method's.", edit), None);
        assert_eq!(
            said("`(` is open there, and nothing closes it.", edit),
            None
        );
        assert_eq!(said("Cell 4 writes it `'mean'`.", edit), None);
        assert_eq!(said(shape, FixKind::Look), None);
    }
}
