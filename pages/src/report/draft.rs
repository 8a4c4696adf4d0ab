//! The answer that the report's page shows, and its words.

use nbmedic_tree::Node;
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

    /// What is in it, in words.
    pub(super) fn holds(&self, format: &str, source: bool) -> Vec<String> {
        let sources = match (self.sources, source) {
            (0, _) => "No source of a cell".to_owned(),
            (n, true) => format!("The whole source of {}", counted(n, "cell", "cells")),
            (_, false) if format == "log" => "No source of a cell".to_owned(),
            (_, false) => "Of sources, the failing lines alone".to_owned(),
        };
        if format == "log" {
            let events = counted(self.events, "event", "events");
            return vec![
                format!(
                    "{events}: what the page showed, its outputs among it, as nbmedic stored it"
                ),
                sources,
            ];
        }
        let problems = counted(self.problems, "problem", "problems");
        let mut list = vec![format!(
            "{problems}, with the lines they rest on, what speaks for and against, and fixes"
        )];
        if self.events > 0 {
            let entries = counted(self.events, "entry", "entries");
            let curves = match format {
                "html" => "the curves",
                _ => "the highest readings",
            };
            list.push(format!("{entries} of the timeline, and {curves}"));
        }
        let versions = match self.versions {
            0 => String::new(),
            n => format!(", {} that outputs name", counted(n, "version", "versions")),
        };
        list.push(format!(
            "The notebook's name, the page's address without its path, nbmedic's version{versions}"
        ));
        list.push(sources);
        list
    }
}

fn counted(n: u32, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
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

pub(super) fn kind(name: &str) -> String {
    match name {
        "e-mail" => "e-mail address".to_owned(),
        other => other.replace('-', " "),
    }
}

pub(super) fn places(t: &Taken) -> String {
    let often = match t.count {
        1 => String::new(),
        n => format!(", {n} times"),
    };
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
    said + &often
}
