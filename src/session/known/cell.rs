//! A cell, its outputs and what was found in them.

use super::answers::Answers;
use super::output::{Joined, Outputs};
use nbmedic_facts::{CellName, Cure};
use nbmedic_protocol::{CellState, Judged};
use nbmedic_triage::Diagnosis;
use std::cell::RefCell;

/// Below this confidence a diagnosis is not shown.
pub(crate) const MIN_CONFIDENCE: f32 = 0.5;
/// From this confidence, a diagnosis is shown while the cell is still running, without a traceback.
const CERTAIN: f32 = 0.9;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// It seemed to end with a result or an error of its own.
    pub well: bool,
}

/// A cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    /// Position among the notebook's cells, from 0.
    pub index: u32,
    pub state: CellState,
    /// Execution count.
    pub count: Option<i64>,
    /// Runs seen, as the cell's own event says.
    pub seen_run: u32,
    /// It is no longer on the page. It is kept because its runs still count.
    pub gone: bool,
    pub source: String,
    /// What its source says, as far as that was asked; some of it may be about an earlier source.
    pub answers: Answers,
    pub outputs: Outputs,
    /// When its current run started, in milliseconds since 1970.
    pub since: Option<u64>,
    /// How its last run ended.
    pub ended: Option<Ended>,
    /// When it last changed, in milliseconds since 1970.
    pub touched: u64,
    /// How often it changed.
    pub version: u64,
    /// The text that was judged.
    pub joined: Joined,
    /// The checksum of the source with which it was judged; none for no source.
    pub judged_source: Option<u32>,
    /// What was found in it, best first.
    pub diagnoses: Vec<Diagnosis>,
    /// How often its source changed, and what says when it ran: cures rest on them.
    pub code: u64,
    /// The states of its source and of its outputs whose secrets are known.
    pub learnt: std::cell::Cell<(u64, u64)>,
    /// The cures last made for each of its diagnoses, and the state of the notebook that they were made from.
    pub cures: RefCell<Option<(u64, Vec<Vec<Cure>>)>>,
    /// What was found in it, as it is stored.
    pub kept: Option<Judged>,
    /// What was found differs from what is stored.
    pub unkept: bool,
}

impl Cell {
    /// The run that is shown. An output may arrive before the cell's own event.
    pub fn run(&self) -> u32 {
        self.seen_run.max(self.outputs.run())
    }

    /// Marks a change.
    pub fn touch(&mut self, now: u64) {
        self.touched = now;
        self.version += 1;
    }

    /// It is running or waits for its turn.
    pub fn is_busy(&self) -> bool {
        matches!(self.state, CellState::Running | CellState::Pending)
    }

    /// When its last run ended without a result, if it did.
    pub fn cut_off(&self) -> Option<u64> {
        self.ended.filter(|e| !e.well).map(|e| e.at)
    }

    /// The cell's name for people.
    pub fn label(&self) -> CellName {
        match self.count {
            Some(_) => CellName {
                position: None,
                count: self.count,
            },
            None => self.place(),
        }
    }

    /// The cell's name for people by its position.
    pub fn place(&self) -> CellName {
        CellName {
            position: Some(self.position()),
            count: None,
        }
    }

    /// Position among the notebook's cells, from 1.
    pub fn position(&self) -> usize {
        self.index as usize + 1
    }

    /// The diagnoses that may be shown now. While the cell runs, its output is judged only if an
    /// exception was raised or the diagnosis is certain.
    pub fn shown(&self) -> impl Iterator<Item = &Diagnosis> {
        let sure = self.state != CellState::Running || self.joined.failed;
        let min = if sure { MIN_CONFIDENCE } else { CERTAIN };
        self.diagnoses.iter().filter(move |d| d.confidence >= min)
    }
}
