//! The card of a finding.

use super::card::{line, unexplained};
use super::clues::{looked_at, statement, Statement};
use super::{card, cell_name, consequence, CardContext, Here, Node, ProseCache};
use nbmedic_catalog::find;
use nbmedic_explain::explain;
use nbmedic_facts::CellName;
use nbmedic_session::{severity, Finding};
use nbmedic_triage::Diagnosis;
use nbmedic_words::{self as words, Say, Text};
use std::collections::BTreeSet;

/// A card's tree, and the parts of it that other places show.
pub struct Drawn {
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// Its headline.
    pub title: Text,
    /// The title of its first fix; empty without one.
    pub fix: Text,
    /// The first fix's code; empty without any.
    pub code: String,
    /// The card's tree.
    pub tree: Node,
}

/// Draws the card of a finding. Returns `None` while prose is missing, and adds the missing ids to
/// `need`.
pub fn draw(f: &Finding, prose: &ProseCache, need: &mut BTreeSet<String>) -> Option<Drawn> {
    let best = &f.diagnoses[0];
    let known: Vec<Statement> = f.known.iter().map(statement).collect();
    let unknown: Vec<Say> = f.unknown.iter().copied().map(looked_at).collect();
    let severity = severity(best);
    let context = CardContext {
        card: &f.card,
        severity,
        line: f.line.as_ref().map(|(n, t)| (*n, t.as_str())),
        values: &f.values,
        late: find(best.id).is_some_and(|r| r.reported_late(best)),
        known: &known,
        unknown: &unknown,
        goto: f.goto.as_ref().map(|(c, name)| (c.as_str(), *name)),
        further: &[],
        also: &[],
        here: Here {
            position: f.position,
            cells: &f.cells,
            inserts: f.inserts,
            tries: f.tries,
        },
        probe: f.probe,
        note: f.note,
    };
    if let Some((cell, name)) = &f.cause {
        let context = CardContext {
            severity: "warning",
            late: false,
            ..context
        };
        return Some(Drawn {
            severity: "warning",
            title: words::consequence_of(cell_name(*name)).into(),
            fix: Text::default(),
            code: String::new(),
            tree: consequence(best.id, *name, cell, &best.evidence, &context),
        });
    }
    let wanted = need.len();
    let own = prose.want(best.id, need);
    let title = |d: &Diagnosis, need: &mut BTreeSet<String>| {
        find(d.id)?;
        let p = prose.want(d.id, need)?;
        Some(explain(d, p).title)
    };
    let further: Vec<String> = f.diagnoses[1..]
        .iter()
        .map(|d| title(d, need).unwrap_or_else(|| d.id.replace('-', " ")))
        .collect();
    let mut other = best.clone();
    other
        .also
        .retain(|id| !f.diagnoses.iter().any(|d| d.id == *id));
    let also = prose.possible(&other, need);
    let own = own.filter(|_| need.len() == wanted)?;
    let e = explain(best, own);
    if f.quiet {
        return Some(Drawn {
            severity: "info",
            title: words::foreign(e.title.as_str()),
            fix: Text::default(),
            code: String::new(),
            tree: unexplained(&e, &context),
        });
    }
    let context = CardContext {
        further: &further,
        also: &also,
        ..context
    };
    Some(Drawn {
        severity,
        tree: card(&e, &context),
        fix: e
            .fixes
            .first()
            .map_or_else(Text::default, |f| words::foreign(f.title.replace('`', ""))),
        code: e.fixes.first().map_or(String::new(), |f| f.code.clone()),
        title: words::foreign(e.title),
    })
}

/// Draws the line that replaces the card `card` after a cell's run has shown that its problem is gone.
pub fn solved(card: &str, by: CellName) -> Drawn {
    let title = words::solved(cell_name(by));
    Drawn {
        severity: "info",
        title: title.clone().into(),
        fix: Text::default(),
        code: String::new(),
        tree: line(card, title),
    }
}
