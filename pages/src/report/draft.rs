//! The answer that the report's page shows, and its words.

use nbmedic_tree::Node;
use nbmedic_words::{self as words, foreign, Say, Text};
use serde::Deserialize;

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Answer {
    pub(super) draft: Option<Draft>,
    pub(super) page: String,
    pub(super) pages: Vec<Of>,
    pub(super) at: u64,
}

/// A page of the tab.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Of {
    pub(super) page: String,
    pub(super) origin: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Draft {
    pub(super) text: String,
    pub(super) tree: Option<Node>,
    pub(super) title: String,
    pub(super) problems: u32,
    pub(super) events: u32,
    pub(super) versions: u32,
    pub(super) sources: u32,
    pub(super) taken: Vec<Taken>,
}

impl Draft {
    /// One line that names it.
    pub(super) fn name(&self) -> String {
        match (self.title.as_str(), self.problems) {
            ("", _) => "nbmedic triage report".to_owned(),
            (title, 0 | 1) => title.to_owned(),
            (title, n) => format!("{title} (and {} more)", n - 1),
        }
    }

    /// What is in it.
    pub(super) fn holds(&self, format: &str, source: bool) -> Vec<Say> {
        let sources = match (self.sources, source) {
            (0, _) => words::no_code(),
            (1, true) => words::all_source_one(),
            (n, true) => words::all_source(n),
            (_, false) if format == "log" => words::no_code(),
            (_, false) => words::lines_alone(),
        };
        if format == "log" {
            let events = match self.events {
                1 => words::log_holds_one(),
                n => words::log_holds(n),
            };
            return vec![events, sources];
        }
        let problems = match self.problems {
            1 => words::one_problem(),
            n => words::some_problems(n),
        };
        let mut list = vec![words::with_lines(problems)];
        if self.events > 0 {
            let entries = match self.events {
                1 => words::history_entry(),
                n => words::history_entries(n),
            };
            list.push(match format {
                "html" => words::timeline_curves(entries),
                _ => words::timeline_peaks(entries),
            });
        }
        list.push(match self.versions {
            0 => words::name_holds(),
            1 => words::name_holds_version(),
            n => words::name_holds_versions(n),
        });
        list.push(sources);
        list
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Taken {
    pub(super) id: u64,
    pub(super) kind: String,
    pub(super) masked: String,
    pub(super) places: Vec<String>,
    pub(super) count: u32,
    pub(super) back: bool,
}

/// What kind of secret or name it is.
pub(super) fn kind(name: &str) -> Text {
    match name {
        "e-mail" => words::email().into(),
        other => foreign(other.replace('-', " ")),
    }
}

/// Where it stood, and how often.
pub(super) fn places(t: &Taken) -> Text {
    // "cell 2: facts, evidence; timeline": what is said of one place stands together.
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
