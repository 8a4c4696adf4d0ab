//! Texts of the report's page.

use nbmedic_protocol::{Draft, Taken};
use nbmedic_words::{self as words, foreign, Say, Text};

/// A line that names it.
pub(super) fn name(draft: &Draft) -> String {
    match (draft.title.as_str(), draft.problems) {
        ("", _) => "nbmedic triage report".to_owned(),
        (title, 0 | 1) => title.to_owned(),
        (title, n) => format!("{title} (and {} more)", n - 1),
    }
}

/// What it contains.
pub(super) fn holds(draft: &Draft, format: &str, source: bool) -> Vec<Say> {
    let sources = match (draft.sources, source) {
        (0, _) => words::no_code(),
        (1, true) => words::all_source_one(),
        (n, true) => words::all_source(n),
        (_, false) if format == "log" => words::no_code(),
        (_, false) => words::lines_alone(),
    };
    if format == "log" {
        let events = match draft.events {
            1 => words::log_holds_one(),
            n => words::log_holds(n),
        };
        return vec![events, sources];
    }
    let problems = match draft.problems {
        1 => words::one_problem(),
        n => words::some_problems(n),
    };
    let mut list = vec![words::with_lines(problems)];
    if draft.events > 0 {
        let entries = match draft.events {
            1 => words::history_entry(),
            n => words::history_entries(n),
        };
        list.push(match format {
            "html" => words::timeline_curves(entries),
            _ => words::timeline_peaks(entries),
        });
    }
    list.push(match draft.versions {
        0 => words::name_holds(),
        1 => words::name_holds_version(),
        n => words::name_holds_versions(n),
    });
    list.push(sources);
    list
}

/// What kind of secret or name it is.
pub(super) fn kind(name: &str) -> Text {
    match name {
        "e-mail" => words::email().into(),
        other => foreign(other.replace('-', " ")),
    }
}

/// Where it occurred, and how often.
pub(super) fn places(t: &Taken) -> Text {
    // "cell 2: facts, evidence; timeline": the parts of one place are grouped.
    let mut said = String::new();
    let mut last = "";
    for place in &t.places {
        let (at, part) = place.split_once(": ").unwrap_or(("", place));
        let gap = match (said.is_empty(), at == last) {
            (true, _) => "",
            (_, true) => ", ",
            _ => "; ",
        };
        said.push_str(gap);
        said.push_str(if at == last { part } else { place });
        last = at;
    }
    match t.count {
        1 => foreign(said),
        n => words::times(foreign(said), n).into(),
    }
}
