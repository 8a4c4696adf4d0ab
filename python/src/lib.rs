//! The engine as a module of Python, `nbmedic._engine`. The package around it gives its answers types.
//!
//! Each function is pure but for the files that it is told to read or write, holds no state, and works without
//! Python's lock, so threads run at the same time. Nothing is started in the background: a fork is safe.

mod batch;
mod card;
mod cells;
mod style;
mod text;
mod trials;

use nbmedic::facts::Applicability;
use nbmedic::report::judged_json;
use nbmedic::triage::Surface;
use nbmedic_cli::functions;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::OsString;
use std::path::PathBuf;

/// The Rust side of nbmedic.
#[pymodule(gil_used = false)]
mod _engine {
    #[pymodule_export]
    use super::{
        batch_of, candidates_of, card_of, command, explain, fix_file, fix_text, ids, redacted,
        report_of, triage_file, triage_text, version,
    };
}

fn wrong(message: String) -> PyErr {
    PyValueError::new_err(message)
}

/// A repair's least certainty.
fn least(name: &str) -> PyResult<Applicability> {
    match name {
        "sure" => Ok(Applicability::Sure),
        "likely" => Ok(Applicability::Likely),
        "maybe" => Ok(Applicability::Maybe),
        _ => Err(wrong(format!(
            "applicability is 'sure', 'likely' or 'maybe', not {name:?}"
        ))),
    }
}

fn surface(log: bool) -> Surface {
    match log {
        true => Surface::Log,
        false => Surface::Output,
    }
}

/// The version of the engine.
#[pyfunction]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The diagnoses of a text, as JSON (nbmedic.triage/1).
#[pyfunction]
#[pyo3(signature = (text, source=None, log=false, redact=false))]
fn triage_text(
    py: Python<'_>,
    text: &str,
    source: Option<&str>,
    log: bool,
    redact: bool,
) -> PyResult<String> {
    py.detach(|| {
        let judged = functions::triage(text, source, surface(log), redact)?;
        Ok(judged_json(&judged, redact))
    })
    .map_err(wrong)
}

/// The diagnoses of a file, as JSON (nbmedic.triage/1).
#[pyfunction]
#[pyo3(signature = (path, redact=false))]
fn triage_file(py: Python<'_>, path: PathBuf, redact: bool) -> PyResult<String> {
    py.detach(|| Ok(judged_json(&functions::triage_file(&path, redact)?, redact)))
        .map_err(wrong)
}

/// The repairs of a notebook's JSON (nbmedic.fix/1), and the notebook with those that are sure enough.
#[pyfunction]
#[pyo3(signature = (text, applicability=None))]
fn fix_text(
    py: Python<'_>,
    text: &str,
    applicability: Option<&str>,
) -> PyResult<(String, Option<String>)> {
    let least = applicability.map(least).transpose()?;
    py.detach(|| {
        let repairs = functions::fix(text, least)?;
        Ok((repairs.json()?, repairs.repaired))
    })
    .map_err(wrong)
}

/// The repairs of a notebook's file (nbmedic.fix/1); with a certainty, the file is written.
#[pyfunction]
#[pyo3(signature = (path, applicability=None))]
fn fix_file(py: Python<'_>, path: PathBuf, applicability: Option<&str>) -> PyResult<String> {
    let least = applicability.map(least).transpose()?;
    py.detach(|| functions::fix_file(&path, least)?.json())
        .map_err(wrong)
}

/// A diagnosis in full, as JSON.
#[pyfunction]
fn explain(py: Python<'_>, id: &str) -> PyResult<String> {
    py.detach(|| functions::explain(id))
        .map_err(PyKeyError::new_err)
}

/// The ids of all diagnoses.
#[pyfunction]
fn ids() -> Vec<&'static str> {
    functions::ids()
}

/// The failure of one of a session's cells: its JSON, its card as HTML, and as text for a terminal of that width.
/// With trials of its candidates (JSON) it tells what these showed.
#[pyfunction]
#[pyo3(signature = (cells, at, width, trials=None))]
fn card_of(
    py: Python<'_>,
    cells: Vec<cells::Cell>,
    at: usize,
    width: usize,
    trials: Option<&str>,
) -> PyResult<Option<(String, String, String)>> {
    let trials = read(trials)?;
    Ok(py.detach(|| card::of(cells, at, width, &trials)))
}

/// What can be tried against the failure of one of a session's cells, best first, as JSON.
#[pyfunction]
fn candidates_of(py: Python<'_>, cells: Vec<cells::Cell>, at: usize) -> PyResult<String> {
    py.detach(|| serde_json::to_string(&trials::candidates(cells, at)))
        .map_err(|e| wrong(e.to_string()))
}

fn read(trials: Option<&str>) -> PyResult<Vec<trials::Trial>> {
    match trials {
        None => Ok(Vec::new()),
        Some(text) => serde_json::from_str(text).map_err(|e| wrong(e.to_string())),
    }
}

/// A report of the failure of one of a session's cells, as Markdown without secrets.
#[pyfunction]
#[pyo3(signature = (cells, at, trials=None))]
fn report_of(
    py: Python<'_>,
    cells: Vec<cells::Cell>,
    at: usize,
    trials: Option<&str>,
) -> PyResult<String> {
    let trials = read(trials)?;
    Ok(py.detach(|| card::report(cells, at, &trials)))
}

/// The diagnoses of a record batch's texts, as a schema and an array of Arrow's C data interface.
#[pyfunction]
#[pyo3(signature = (batch, text, id=None, source=None, log=true, redact=false))]
fn batch_of<'py>(
    py: Python<'py>,
    batch: &Bound<'py, PyAny>,
    text: &str,
    id: Option<&str>,
    source: Option<&str>,
    log: bool,
    redact: bool,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    batch::triage(
        py,
        batch,
        &batch::Columns {
            text,
            id,
            source,
            redact,
        },
        surface(log),
    )
}

/// A text without secrets and personal data.
#[pyfunction]
fn redacted(py: Python<'_>, text: &str) -> String {
    py.detach(|| nbmedic::report::redact(text).text)
}

/// Runs the command line, program name first, and returns its exit status.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| nbmedic_cli::run(arguments))
}
