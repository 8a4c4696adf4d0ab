//! What there is to say about each cell and about the notebook as a whole.

use super::related::related;
use super::solved::{again, elsewhere, since};
use super::{cures, Solved};
use crate::changes::Changes;
use crate::clue::{Clue, LookedAt};
use crate::death::{ended, is_nameless, is_on_purpose, Concluded, Verdict};
use crate::forecast;
use crate::known::{
    breaks_context, clip, fnv1a, is_device_fault, Asker, Cell, Incident, Known, Notebook,
};
use litemap::LiteMap;
use nbmedic_catalog::find;
use nbmedic_facts::{CellName, Front};
use nbmedic_secrets::redact;
use nbmedic_triage::Diagnosis;

/// Number of runs for which a dismissed leak stays hidden. A leak shows in every run.
const SILENT_RUNS: u32 = 20;

/// A place for a card.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The notebook; empty: none is on the page.
    pub nb: String,
    /// The cell; none: the notebook's top.
    pub cell: Option<String>,
}

impl Place {
    /// The key of the card at this place.
    pub fn card(&self) -> String {
        key(&self.nb, self.cell.as_deref())
    }
}

/// What there is to show at a place.
#[derive(Clone, Debug)]
pub enum Now {
    /// Nothing.
    Nothing,
    /// A problem.
    Found(Box<Finding>),
    /// A problem that is gone.
    Solved(Solved),
    /// It is not known yet: the reader of the cells' Python is not loaded.
    Unread,
}

/// One problem, at one place.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The key of its card.
    pub card: String,
    /// Where it is.
    pub place: Place,
    /// The cell's name for people; none for the notebook as a whole.
    pub label: Option<CellName>,
    /// Position of the cell, from 1.
    pub position: Option<usize>,
    /// Best first; never empty. Evidence lines are numbered in the cell's whole output; 0 if the number
    /// is not known.
    pub diagnoses: Vec<Diagnosis>,
    /// The failing line of the cell's source.
    pub line: Option<(u32, String)>,
    /// What the probe saw: names, and what they stood for.
    pub values: Vec<(String, String)>,
    /// Evidence besides the output.
    pub known: Vec<Clue>,
    /// What was checked without finding a reason.
    pub unknown: Vec<LookedAt>,
    /// The cell whose error this one follows from: its id and what people call it.
    pub cause: Option<(String, CellName)>,
    /// Another cell to look at: its id and what people call it.
    pub goto: Option<(String, CellName)>,
    /// When it happened, for a death, in milliseconds since 1970.
    pub at: Option<u64>,
    /// The user dismissed its card, or muted the diagnosis or the cell.
    pub hidden: bool,
    /// Nothing is known beyond what the exception says: its card is one line, and nothing counts it.
    pub quiet: bool,
    /// It is no problem: its card says so in a few words, and nothing counts it.
    pub note: bool,
    /// The cell into which its cure was put, and which has run well since.
    pub solved: Option<CellName>,
    /// The kernel died of something unknown, and no probe was running that could have told.
    pub probe: bool,
    /// New cells can be put into the notebook.
    pub inserts: bool,
    /// The probe's start cell has run in this kernel: cells can be tried in a copy of it.
    pub tries: bool,
    /// The ids of its cell and of those that its cures name, by their positions.
    pub cells: Vec<(usize, String)>,
}

/// The key of a cell's card; of the notebook's, without a cell.
pub(crate) fn key(nb: &str, cell: Option<&str>) -> String {
    format!("{nb}/{}", cell.unwrap_or("@top"))
}

/// What findings are derived from.
pub(crate) struct Findings<'a> {
    /// What is known about the page.
    pub page: &'a Known,
    /// The verdicts on each notebook's incidents.
    pub concluded: &'a LiteMap<String, Vec<Concluded>>,
    /// Asks about the cells' Python.
    pub asker: &'a Asker,
}

impl Findings<'_> {
    /// All current findings, in the order of the cells, including hidden ones.
    pub fn all(&self) -> Vec<Finding> {
        let mut out = Vec::new();
        for (nb_id, nb) in &self.page.notebooks {
            out.extend(self.at_top(nb_id, nb));
            let mut cells: Vec<(&String, &Cell)> = nb.cells.iter().collect();
            cells.sort_by_key(|(_, c)| c.index);
            for (id, cell) in cells {
                out.extend(self.at_cell(nb_id, nb, id, cell));
            }
        }
        out
    }

    /// The places where something may have changed, each with what there is to show, without what is
    /// hidden. `waiting` adds cards by their keys.
    pub fn changed(&self, changes: &Changes, waiting: impl Fn(&str) -> bool) -> Vec<(Place, Now)> {
        let mut out = Vec::new();
        for (nb_id, nb) in &self.page.notebooks {
            // Any card of a notebook may depend on its record.
            let all = nb.memory != nb.stored;
            let looks = |cell: Option<&str>| {
                all || changes.touch(nb_id, cell) || waiting(&key(nb_id, cell))
            };
            let place = |cell: Option<&String>| Place {
                nb: nb_id.clone(),
                cell: cell.cloned(),
            };
            let unread = self.is_unread(nb_id, nb);
            let now = |find: &dyn Fn() -> Option<Finding>| {
                self.asker.take_away();
                let finding = find();
                if unread || self.asker.take_away() {
                    return Now::Unread;
                }
                let shown = finding.filter(|f| !f.hidden);
                shown.map_or(Now::Nothing, |f| match f.solved {
                    Some(by) => Now::Solved(Solved {
                        id: f.diagnoses[0].id.to_owned(),
                        by,
                    }),
                    None => Now::Found(Box::new(f)),
                })
            };
            if looks(None) {
                out.push((place(None), now(&|| self.at_top(nb_id, nb))));
            }
            for (id, cell) in &nb.cells {
                if looks(Some(id)) {
                    let found = match now(&|| self.at_cell(nb_id, nb, id, cell)) {
                        Now::Nothing => self.solved(nb_id, nb, id, cell),
                        found => found,
                    };
                    out.push((place(Some(id)), found));
                }
            }
        }
        out
    }

    /// What is to be said of a cell that ran well after a failure.
    fn solved(&self, nb_id: &str, nb: &Notebook, id: &str, cell: &Cell) -> Now {
        let seen = |s: &Solved| {
            !self.page.muted.contains(s.id.as_str())
                && !self.mutes(cell)
                && !dismissed(nb, &key(nb_id, Some(id)), cell.run(), 0)
        };
        let solved = since(nb, id, cell).filter(seen);
        solved.map_or(Now::Nothing, Now::Solved)
    }

    /// Whether a notebook's record or its verdicts wait for the reader of the sources.
    pub fn is_unread(&self, id: &str, nb: &Notebook) -> bool {
        let concluded = self.concluded.get(id);
        let mut all = concluded.into_iter().flatten();
        nb.memory.is_unread() || all.any(|c| c.unread)
    }

    /// The verdict on an incident of a notebook.
    fn verdict(&self, nb: &str, incident: &Incident) -> Option<&Verdict> {
        let concluded = self.concluded.get(nb)?;
        let of = concluded.iter().find(|c| c.n() == incident.n)?;
        of.verdict.as_ref()
    }

    fn at_top(&self, nb_id: &str, nb: &Notebook) -> Option<Finding> {
        let incident = nb.memory.incidents.iter().rfind(|i| i.cell.is_none())?;
        let verdict = self.verdict(nb_id, incident)?;
        Some(self.of_incident(nb_id, nb, incident, verdict, None))
    }

    fn at_cell(&self, nb_id: &str, nb: &Notebook, id: &str, cell: &Cell) -> Option<Finding> {
        if cell.gone {
            return None;
        }
        let run = cell.run();
        let mut incidents = nb.memory.incidents.iter();
        let incident = incidents.rfind(|i| i.cell.as_deref() == Some(id) && run <= i.run);
        if let Some(incident) = incident {
            if let Some(verdict) = self.verdict(nb_id, incident) {
                return Some(self.of_incident(nb_id, nb, incident, verdict, Some((id, cell))));
            }
        }
        let mut diagnoses: Vec<Diagnosis> = cell.shown().cloned().collect();
        let mut known = Vec::new();
        let failed = !diagnoses.is_empty();
        if !failed {
            let (lent, limits) = (self.page.lent, &self.page.limits);
            let warning = forecast::at_cell(nb, id, cell, lent, limits, self.asker)?;
            diagnoses.push(warning.diagnosis);
            known = warning.known;
        }
        self.set_front(&mut diagnoses);
        if failed {
            cures::add(nb, id, cell, &mut diagnoses, self.asker);
        }
        let related = related(nb, id, cell, &mut diagnoses[0], self.asker);
        known.extend(related.known);
        let muted = &self.page.muted;
        let all_muted = diagnoses.iter().all(|d| muted.contains(d.id));
        if !all_muted {
            diagnoses.retain(|d| !muted.contains(d.id));
        }
        for d in &mut diagnoses {
            d.location.cell = Some(cell.position());
        }
        let best = diagnoses.first()?;
        let card = key(nb_id, Some(id));
        let quiet = only_repeats(best) && known.is_empty();
        known.extend(again(nb, id, cell).filter(|_| failed));
        Some(Finding {
            quiet,
            note: false,
            solved: failed.then(|| elsewhere(nb, id, cell, best)).flatten(),
            probe: false,
            inserts: self.page.inserts,
            tries: self.page.inserts && nb.is_probing(),
            cells: cures::cells(nb, best, Some(id)),
            line: failing_line(cell, best),
            values: values(cell),
            cause: context_killer(nb, id, best),
            goto: related.goto,
            hidden: all_muted
                || self.mutes(cell)
                || dismissed(nb, &card, run, 0)
                || best.variant == Some("leak") && lately_dismissed(nb, &card, run),
            card,
            place: Place {
                nb: nb_id.to_owned(),
                cell: Some(id.to_owned()),
            },
            label: Some(cell.label()),
            position: Some(cell.position()),
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
        verdict: &Verdict,
        cell: Option<(&str, &Cell)>,
    ) -> Finding {
        let place = Place {
            nb: nb_id.to_owned(),
            cell: cell.map(|(id, _)| id.to_owned()),
        };
        let card = place.card();
        let mut diagnoses = verdict.diagnoses.clone();
        self.set_front(&mut diagnoses);
        if let Some((id, c)) = cell {
            if let Some(ended) = ended(&diagnoses[0], incident) {
                cures::add_end(nb, id, c, &mut diagnoses, (incident, ended), self.asker);
            }
        }
        let best = &diagnoses[0];
        let cell = cell.map(|(_, c)| c);
        let nameless = incident.fatal && is_nameless(best) && best.variant.is_none();
        Finding {
            quiet: false,
            note: is_on_purpose(best),
            solved: None,
            probe: nameless && !nb.is_probed(),
            inserts: self.page.inserts,
            tries: self.page.inserts && nb.is_probing(),
            cells: cures::cells(nb, best, place.cell.as_deref()),
            hidden: self.page.muted.contains(best.id)
                || cell.is_some_and(|c| self.mutes(c))
                || dismissed(nb, &card, cell.map_or(0, Cell::run), incident.n),
            line: cell.and_then(|c| failing_line(c, best)),
            values: Vec::new(),
            card,
            place,
            label: cell.map(Cell::label),
            position: cell.map(Cell::position),
            known: verdict.known.clone(),
            unknown: verdict.unknown.clone(),
            cause: None,
            goto: None,
            at: Some(incident.at),
            diagnoses,
        }
    }

    /// The page says where its cells ran: a profile is named after its front end.
    fn set_front(&self, diagnoses: &mut [Diagnosis]) {
        let front = match self.page.hello.profile.split('-').next() {
            Some("colab") => Front::Colab,
            Some("kaggle") => Front::Kaggle,
            Some("" | "generic") | None => Front::Notebook,
            Some(_) => Front::Jupyter,
        };
        for d in diagnoses {
            d.setting.seen_in(front);
        }
    }

    /// Whether the user muted a cell.
    fn mutes(&self, cell: &Cell) -> bool {
        let muted = &self.page.muted;
        // Muted cells are rare: if there are none, no code is read.
        let cells = muted.iter().any(|id| id.starts_with('@'));
        cells && code(cell).is_some_and(|(id, _)| muted.contains(&id))
    }
}

/// The id that mutes the cell of a finding, and a name for people.
pub(crate) fn code_of(page: &Known, f: &Finding) -> Option<(String, String)> {
    let nb = page.notebooks.get(&f.place.nb)?;
    code(nb.cells.get(f.place.cell.as_ref()?)?)
}

/// When the run in which something was found began, and when it ended, in milliseconds since 1970.
pub(crate) fn found_at(page: &Known, f: &Finding) -> Option<(u64, u64)> {
    let nb = page.notebooks.get(&f.place.nb)?;
    let id = f.place.cell.as_ref()?;
    let ran = nb.memory.ran(id)?;
    let cell = nb.cells.get(id)?;
    let end = ran.end.unwrap_or(ran.start).max(ran.start);
    (cell.run() <= ran.run).then_some((ran.start, end))
}

fn code(cell: &Cell) -> Option<(String, String)> {
    // Redacted as in storage, so that it is the same after a replay.
    let source = redact(&cell.source).text;
    let first = source.lines().map(str::trim).find(|l| !l.is_empty())?;
    let id = format!("@{}", fnv1a(source.trim().bytes()));
    Some((id, clip(first, 60)))
}

/// Whether a diagnosis says no more than the exception itself, and nothing was found to do about it.
fn only_repeats(d: &Diagnosis) -> bool {
    // The variant of an exception that says nothing at all.
    const SILENT: &str = "no-message";
    d.cures.is_empty()
        && d.variant.is_none_or(|v| v == SILENT)
        && find(d.id).is_some_and(|rule| rule.general)
}

fn dismissed(nb: &Notebook, card: &str, run: u32, n: u32) -> bool {
    let mut all = nb.memory.dismissed.iter();
    all.any(|d| d.card == card && d.run == run && d.n == n)
}

/// Whether a card was dismissed in one of the last runs.
fn lately_dismissed(nb: &Notebook, card: &str, run: u32) -> bool {
    let mut all = nb.memory.dismissed.iter();
    all.any(|d| d.card == card && d.n == 0 && run.abs_diff(d.run) < SILENT_RUNS)
}

/// The failing line of the user's cell, if its number and text are known.
fn failing_line(cell: &Cell, d: &Diagnosis) -> Option<(u32, String)> {
    let number = d.location.line?;
    let at = (number as usize).checked_sub(1)?;
    let text = match cell.source.lines().nth(at) {
        Some(text) if !text.trim().is_empty() => text,
        _ => arrow_line(&cell.joined.text, number)?,
    };
    Some((number, clip(text.trim(), 200)))
}

/// The values that the probe printed below the failure.
fn values(cell: &Cell) -> Vec<(String, String)> {
    let said = nbmedic_text::said_values(&cell.joined.text).into_iter();
    said.map(|(name, words)| (clip(&redact(name).text, 60), clip(&redact(words).text, 200)))
        .collect()
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

/// The cell that killed the CUDA context whose death a cell's error follows from: its id and what
/// people call it.
fn context_killer(nb: &Notebook, id: &str, d: &Diagnosis) -> Option<(String, CellName)> {
    if !is_device_fault(d) {
        return None;
    }
    let cell = nb.cells.get(id)?;
    let run = cell.run();
    if run > 0 {
        let (context, own) = nb.memory.context(id, run)?;
        return (!own).then(|| {
            (
                context.cell.clone(),
                context.label.parse().unwrap_or_default(),
            )
        });
    }
    // For saved outputs the execution counts show the order.
    let count = cell.count?;
    nb.cells
        .iter()
        .filter(|(_, c)| !c.gone && c.run() == 0)
        .filter_map(|(id, c)| Some((c.count.filter(|n| *n < count)?, id, c)))
        .filter(|(_, _, c)| c.shown().next().is_some_and(breaks_context))
        .min_by_key(|(n, _, _)| *n)
        .map(|(_, id, c)| (id.clone(), c.label()))
}
