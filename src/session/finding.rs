//! What there is to say about each cell and about the notebook as a whole.

use super::death::{self, severity, Verdict};
use super::notebook::{Cell, Notebook};
use super::{contexts, foresight, record, sense, ProseCache, Session};
use crate::catalog::{self, explain};
use crate::triage::Diagnosis;
use crate::view::{card, consequence, CardContext, Node};
use crate::words::{self, Text};
use nbmedic_protocol::{Dismissed, Incident};
use std::collections::BTreeSet;

/// One problem, at one place.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The key of its card.
    pub card: String,
    /// The notebook; empty: none is on the page.
    pub nb: String,
    /// The cell; none: the notebook as a whole.
    pub cell: Option<String>,
    /// What people call the cell; empty without one.
    pub label: String,
    /// Position of the cell, from 1.
    pub position: Option<usize>,
    /// Best first; never empty. Evidence lines count in the cell's whole output, 0 where too much
    /// of it was not seen.
    pub diagnoses: Vec<Diagnosis>,
    /// The failing line of the cell's source.
    pub line: Option<(u32, String)>,
    /// What was seen beside the output: where, and what.
    pub known: Vec<(&'static str, String)>,
    /// What was looked at without finding a reason.
    pub unknown: Vec<String>,
    /// The cell whose error this one follows from: its id and what people call it.
    pub cause: Option<(String, String)>,
    /// Another cell to look at: its id and what people call it.
    pub goto: Option<(String, String)>,
    /// When it happened, for a death.
    pub at: Option<u64>,
    /// The person took its card away, or muted the diagnosis.
    pub hidden: bool,
}

/// A card's tree, and what is said of it elsewhere.
pub(crate) struct Drawn {
    pub severity: &'static str,
    pub title: Text,
    pub tree: Node,
}

/// The key of a cell's card; of the notebook's, without a cell.
pub(crate) fn key(nb: &str, cell: Option<&str>) -> String {
    format!("{nb}/{}", cell.unwrap_or("@top"))
}

impl Session {
    /// All that there is to say now, in the order of the cells; hidden findings too.
    pub fn findings(&self) -> Vec<Finding> {
        let mut out = Vec::new();
        for (nb_id, nb) in &self.notebooks {
            out.extend(self.at_top(nb_id, nb));
            let cells: Vec<(&String, &Cell)> = nb.cells.iter().collect();
            let order = crate::order::sorted(cells.iter().map(|(_, c)| (u64::from(c.index), 0)));
            for (id, cell) in order.into_iter().map(|i| cells[i]) {
                out.extend(self.at_cell(nb_id, nb, id, cell));
            }
        }
        out
    }

    pub(crate) fn at_top(&self, nb_id: &str, nb: &Notebook) -> Option<Finding> {
        let incident = nb.memory.incidents.iter().rfind(|i| i.cell.is_none())?;
        let verdict = death::verdict(nb, incident, self.hosted(), self.triage)?;
        Some(self.of_incident(nb_id, nb, incident, verdict, None))
    }

    pub(crate) fn at_cell(
        &self,
        nb_id: &str,
        nb: &Notebook,
        id: &str,
        cell: &Cell,
    ) -> Option<Finding> {
        if cell.gone {
            return None;
        }
        let run = cell.run();
        let incident = nb
            .memory
            .incidents
            .iter()
            .rfind(|i| i.cell.as_deref() == Some(id) && run <= i.run);
        if let Some(incident) = incident {
            if let Some(verdict) = death::verdict(nb, incident, self.hosted(), self.triage) {
                return Some(self.of_incident(nb_id, nb, incident, verdict, Some((id, cell))));
            }
        }
        let mut diagnoses: Vec<Diagnosis> = cell.shown().cloned().collect();
        let mut known = Vec::new();
        if diagnoses.is_empty() {
            let warning = foresight::at_cell(nb, id, cell, self.hosted(), &self.limits)?;
            diagnoses.push(warning.diagnosis);
            known = warning.known;
        }
        let insight = sense::of(nb, id, cell, &mut diagnoses[0]);
        known.extend(insight.known);
        let all_muted = diagnoses.iter().all(|d| self.muted.contains(d.id));
        if !all_muted {
            diagnoses.retain(|d| !self.muted.contains(d.id));
        }
        for d in &mut diagnoses {
            d.location.cell = Some(cell.index as usize + 1);
        }
        let best = diagnoses.first()?;
        let card = key(nb_id, Some(id));
        Some(Finding {
            line: failing_line(cell, best),
            cause: contexts::cause(nb, id, best),
            goto: insight.goto,
            hidden: all_muted
                || self.mutes(cell)
                || dismissed(nb, &card, run, 0)
                || best.variant == Some("leak") && lately_dismissed(nb, &card, run),
            card,
            nb: nb_id.to_owned(),
            cell: Some(id.to_owned()),
            label: cell.label(),
            position: Some(cell.index as usize + 1),
            diagnoses,
            known,
            unknown: Vec::new(),
            at: None,
        })
    }

    fn of_incident(
        &self,
        nb_id: &str,
        nb: &Notebook,
        incident: &Incident,
        verdict: Verdict,
        cell: Option<(&str, &Cell)>,
    ) -> Finding {
        let card = key(nb_id, cell.map(|(id, _)| id));
        let best = &verdict.diagnoses[0];
        let run = cell.map_or(0, |(_, c)| c.run());
        Finding {
            hidden: self.muted.contains(best.id)
                || cell.is_some_and(|(_, c)| self.mutes(c))
                || dismissed(nb, &card, run, incident.n),
            line: cell.and_then(|(_, c)| failing_line(c, best)),
            card,
            nb: nb_id.to_owned(),
            cell: cell.map(|(id, _)| id.to_owned()),
            label: cell.map_or(String::new(), |(_, c)| c.label()),
            position: cell.map(|(_, c)| c.index as usize + 1),
            diagnoses: verdict.diagnoses,
            known: verdict.known,
            unknown: verdict.unknown,
            cause: None,
            goto: None,
            at: Some(incident.at),
        }
    }

    /// Whether the person wants no card at a cell.
    fn mutes(&self, cell: &Cell) -> bool {
        // Few mute cells: the others' code needs no look.
        let cells = self.muted.iter().any(|id| id.starts_with('@'));
        cells && code(cell).is_some_and(|(id, _)| self.muted.contains(&id))
    }

    /// What a cell is muted by, and what people know it by: a checksum of its code and its first line,
    /// without secrets and names. A front end's own names of cells don't last; none: no code is known.
    pub(crate) fn code(&self, f: &Finding) -> Option<(String, String)> {
        code(self.notebooks.get(&f.nb)?.cells.get(f.cell.as_ref()?)?)
    }

    /// When the run began in which something was found, and when it ended (its start while it goes on), in
    /// milliseconds since 1970. `None` for what stood on the page before.
    pub(crate) fn found_at(&self, f: &Finding) -> Option<(u64, u64)> {
        let nb = self.notebooks.get(&f.nb)?;
        let id = f.cell.as_ref()?;
        let ran = nb.memory.ran(id)?;
        let cell = nb.cells.get(id)?;
        (cell.run() <= ran.run).then_some((ran.start, ran.end.max(ran.start)))
    }

    /// The runtime is one that is lent for a limited time.
    pub(crate) fn hosted(&self) -> bool {
        self.hello.profile == "colab" || self.hello.origin.contains("kaggle")
    }

    /// What a dismissal of a card must be remembered with.
    pub(crate) fn dismissal(&self, nb_id: &str, nb: &Notebook, cell: Option<&str>) -> Dismissed {
        let run = cell.and_then(|id| nb.cells.get(id)).map_or(0, |c| c.run());
        let n = nb
            .memory
            .incidents
            .iter()
            .rfind(|i| i.cell.as_deref() == cell && (cell.is_none() || run <= i.run))
            .map_or(0, |i| i.n);
        Dismissed {
            card: key(nb_id, cell),
            run,
            n,
        }
    }
}

fn code(cell: &Cell) -> Option<(String, String)> {
    // As it is stored, so that it is the same after a replay.
    let source = crate::report::redact(&cell.source).text;
    let first = source.lines().map(str::trim).find(|l| !l.is_empty())?;
    let id = format!("@{}", record::checksum(&source));
    Some((id, death::clip(first, 60)))
}

fn dismissed(nb: &Notebook, card: &str, run: u32, n: u32) -> bool {
    nb.memory
        .dismissed
        .iter()
        .any(|d| d.card == card && d.run == run && d.n == n)
}

/// A leak shows again at every run: once dismissed it is silent for a while.
fn lately_dismissed(nb: &Notebook, card: &str, run: u32) -> bool {
    let list = &nb.memory.dismissed;
    list.iter()
        .any(|d| d.card == card && d.n == 0 && run.abs_diff(d.run) < 20)
}

/// The failing line of the user's cell, as far as its number and text are known.
fn failing_line(cell: &Cell, d: &Diagnosis) -> Option<(u32, String)> {
    let number = d.location.line?;
    let at = (number as usize).checked_sub(1)?;
    let text = match cell.source.lines().nth(at) {
        Some(text) if !text.trim().is_empty() => text,
        _ => arrow_line(&cell.joined.text, number)?,
    };
    Some((number, death::clip(text.trim(), 200)))
}

/// The line that IPython marks in a traceback: `----> 4 x = y[1]`.
fn arrow_line(text: &str, number: u32) -> Option<&str> {
    text.lines().rev().find_map(|line| {
        let rest = line.trim_start().strip_prefix("--")?;
        let rest = rest.trim_start_matches('-').strip_prefix('>')?.trim_start();
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        (rest[..digits].parse() == Ok(number)).then(|| rest[digits..].trim())
    })
}

impl Finding {
    /// Its card; `None` while prose is missing, which is then noted in `need`.
    pub(crate) fn card(&self, prose: &ProseCache, need: &mut BTreeSet<String>) -> Option<Drawn> {
        let best = &self.diagnoses[0];
        let line = self.line.as_ref().map(|(n, t)| (*n, t.as_str()));
        let late = catalog::find(best.id).is_some_and(|r| r.late);
        let severity = severity(best);
        let context = CardContext {
            card: &self.card,
            severity,
            line,
            late,
            known: &self.known,
            unknown: &self.unknown,
            goto: self.goto.as_ref().map(|(c, l)| (c.as_str(), l.as_str())),
            further: &[],
            also: &[],
        };
        if let Some((cell, label)) = &self.cause {
            let context = CardContext {
                severity: "warning",
                late: false,
                ..context
            };
            let tree = consequence(best.id, label, cell, &best.evidence, &context);
            return Some(Drawn {
                severity: "warning",
                title: words::consequence_of(words::foreign(label.as_str())).into(),
                tree,
            });
        }
        let wanted = need.len();
        let own = prose.want(best.id, need);
        let title = |d: &Diagnosis, need: &mut BTreeSet<String>| {
            catalog::find(d.id)?;
            let p = prose.want(d.id, need)?;
            Some(explain(d, p).title)
        };
        let further: Vec<String> = self.diagnoses[1..]
            .iter()
            .map(|d| title(d, need).unwrap_or_else(|| d.id.replace('-', " ")))
            .collect();
        let mut other = best.clone();
        other
            .also
            .retain(|id| !self.diagnoses.iter().any(|d| d.id == *id));
        let also = prose.possible(&other, need);
        let own = own.filter(|_| need.len() == wanted)?;
        let e = explain(best, own);
        let tree = card(
            &e,
            &CardContext {
                further: &further,
                also: &also,
                ..context
            },
        );
        Some(Drawn {
            severity,
            title: words::foreign(e.title),
            tree,
        })
    }
}
