//! Answers what the engine asks of a notebook's Python (`src/ask`).
//!
//! Natively the engine calls [`answer`]. On the web this is a module of its own, and a question crosses as JSON.

use nbmedic_ask::{Answer, AskedCell, Failure, Found, Question, Reply};
use nbmedic_cure::{cure, cure_end, needed, Book, BookCell};
use nbmedic_facts::{Cure, Diagnosis, Evidence};
use nbmedic_source::{Reading, Sizes};

/// Answers a question.
pub fn answer(question: &Question<'_>) -> Answer {
    match question {
        Question::Plain { source } => Answer::Plain(Reading::of(source).plain()),
        Question::Words { source, line } => Answer::Words(Reading::of(source).words(*line)),
        Question::Arrays { source, before } => {
            let mut sizes = Sizes::new();
            for before in before {
                Reading::of(before).learn(&mut sizes);
            }
            Answer::Arrays(Reading::of(source).allocations(&sizes))
        }
        Question::Cures { cells, failures } => {
            let (book, none) = (book(cells), Book::new(Vec::new()));
            let cured = failures.iter().map(|failure| match failure.at {
                // Of a very long notebook the first cells are looked at.
                Some(at) if at >= book.cells().len() => None,
                Some(at) => cures(&book, at, failure),
                None => cures(&none, 0, failure),
            });
            Answer::Cures(cured.collect())
        }
        Question::Needed { cells, at } => Answer::Needed(needed(&book(cells), *at)),
    }
}

/// The reader that is always there.
pub fn reader(question: &Question<'_>) -> Reply {
    Reply::Known(answer(question))
}

/// The index of the diagnosis that rests on the exception, and its cures.
fn cures(book: &Book<'_>, at: usize, failure: &Failure<'_>) -> Option<(usize, Vec<Cure>)> {
    let diagnosis = |f: &Found<'_>| {
        let facts = f.facts.iter();
        Diagnosis {
            facts: facts.map(|(k, v)| (k.to_string(), v.clone())).collect(),
            evidence: f.lines.iter().map(|line| at_line(*line)).collect(),
            setting: f.setting.clone(),
            ..Diagnosis::default()
        }
    };
    let mut diagnoses: Vec<Diagnosis> = failure.found.iter().map(diagnosis).collect();
    let index = match failure.ended {
        Some(ended) => cure_end(book, at, ended, &mut diagnoses)?,
        None => cure(book, at, &failure.output, &mut diagnoses)?,
    };
    Some((index, diagnoses.swap_remove(index).cures))
}

fn at_line(line: usize) -> Evidence {
    Evidence {
        line,
        text: String::new(),
        range: 0..0,
    }
}

fn book<'a>(cells: &'a [AskedCell<'_>]) -> Book<'a> {
    let cell = |c: &'a AskedCell<'_>| BookCell {
        position: c.position,
        source: &c.source,
        count: c.count,
        ran: c.ran,
        edited: c.edited,
        output: &c.output,
    };
    Book::new(cells.iter().map(cell).collect())
}

#[cfg(all(target_arch = "wasm32", feature = "web"))]
mod web {
    use nbmedic_ask::Question;
    use wasm_bindgen::prelude::wasm_bindgen;

    /// Answers a question; both are JSON. An empty text for what is no question.
    #[wasm_bindgen]
    pub fn answer(question: &str) -> String {
        match nbmedic_json::parse::<Question<'_>>(question) {
            Ok(question) => nbmedic_json::to_string(&super::answer(&question)),
            Err(_) => String::new(),
        }
    }
}

#[cfg(test)]
mod tests;
