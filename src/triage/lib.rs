//! Runs the rules over a text and ranks what they find.
//!
//! `context` reads the text once (clean lines, tracebacks, literals), `matcher` runs the patterns
//! whose literal occurs, `detectors` decides what data can't express, `rank` turns findings into
//! diagnoses, `setting` adds the frameworks and places of failures. `flight` judges the probe's record
//! instead, or a start cell's output about one, and `last_words` the end of a cell's output after its
//! kernel died. This crate builds on text, traceback and catalogue; it knows no page and no prose.

mod context;
mod detectors;
mod finding;
pub mod flight;
mod index;
mod input;
mod last_words;
mod matcher;
mod pairs;
mod patterns;
mod quoted;
mod rank;
mod setting;
mod translated;
mod work;

pub use input::{Input, Surface};
pub use last_words::last_words;
pub use nbmedic_facts::{kind_of, Diagnosis, Evidence, Facts, Kind, Location, Value};
pub use rank::Considered;

/// The diagnoses of a text, best first; empty if nothing went wrong.
pub fn triage(input: &Input<'_>) -> Vec<Diagnosis> {
    triage_why(input).0
}

/// Like [`triage`], and also returns every finding that was considered and its outcome.
pub fn triage_why(input: &Input<'_>) -> (Vec<Diagnosis>, Vec<Considered>) {
    if let Some(found) = flight::record(input.text).or_else(|| flight::printed(input.text)) {
        return (found, Vec::new());
    }
    let text = nbmedic_text::without_values(input.text);
    let input = Input {
        text: &text,
        ..*input
    };
    judge(&input, index::index())
}

/// The result of judging a text.
type Judged = (Vec<Diagnosis>, Vec<Considered>);

/// Judges a text as it is and, if it has margins, without them; the reading that explains more counts.
fn judge(input: &Input<'_>, index: &index::Index) -> Judged {
    let cx = context::Context::new(input, index).in_english(input);
    let mut best = rank::rank(&cx);
    let mut traced = cx.traced();
    let (sure, guess) = cx.undressed(input);
    if let Some(cx) = sure {
        let now = rank::rank(&cx);
        // Only the margin made a table's row, or a traceback in a warning, look like a failure.
        if now.0.is_empty() && (!traced || cx.traced())
            || explains_more(&now, &best, cx.traced() && !traced)
        {
            best = now;
        }
        traced |= cx.traced();
    }
    if let Some(cx) = guess.filter(context::Context::traced) {
        let now = rank::rank(&cx);
        if explains_more(&now, &best, !traced) {
            best = now;
        }
    }
    best
}

/// Whether a reading explains at least as much as another; `traced`: whether it alone has a traceback.
fn explains_more(now: &Judged, best: &Judged, traced: bool) -> bool {
    let score = |judged: &Judged| {
        let first = judged.1.iter().find(|c| c.outcome == "diagnosis");
        first.map_or(f32::MIN, |c| c.score)
    };
    !now.0.is_empty() && (traced || score(now) >= score(best))
}

/// Prepares the search for literals, which the first text needs, while an engine that
/// just started waits for something else.
pub fn prepare() {
    index::index();
}

/// Whether a rule may name this detector.
pub fn is_detector(name: &str) -> bool {
    detectors::NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use index::Index;
    use nbmedic_catalog::{rules, Rule};
    use std::path::Path;

    /// A fixed sequence, so that failures are reproducible.
    fn shuffled(seed: u64) -> Vec<&'static Rule> {
        let mut state = seed;
        let mut list: Vec<&'static Rule> = rules().iter().collect();
        for i in (1..list.len()).rev() {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            list.swap(i, (state >> 33) as usize % (i + 1));
        }
        list
    }

    fn ids(text: &str) -> Vec<String> {
        let found = triage(&Input {
            text,
            ..Input::default()
        });
        found.into_iter().map(|d| d.id.to_string()).collect()
    }

    #[test]
    fn the_end_of_a_message_is_named_without_its_class() {
        let named = [
            (
                "\tsize mismatch for head.bias: copying a param with shape torch.Size([9]) from checkpoint, the shape in current model is torch.Size([4]).",
                "checkpoint-mismatch",
            ),
            (
                "`np.int` was a deprecated alias for the builtin `int`. To avoid this error in existing code, use `int` by itself.",
                "api-removed",
            ),
            ("BadZipFile: File is not a zip file", "file-corrupt"),
            (
                "The graph tensor has name: dense/BiasAdd:0",
                "tf-graph-misuse",
            ),
        ];
        for (text, id) in named {
            assert_eq!(ids(text).first().map(String::as_str), Some(id), "{text}");
        }
    }

    #[test]
    fn a_message_is_known_in_the_forms_that_people_give_it() {
        let missing = "No module named 'nosuchlib'";
        let forms = [
            format!("ModuleNotFoundError: {missing}"),
            format!("\"ModuleNotFoundError: {missing}\""),
            format!("moduleNotFoundError: {missing}"),
            format!("ModuleNotFoundError(\"{missing}\")"),
            missing.to_owned(),
            format!("ERROR: {missing}"),
            format!("ERROR | 2026-01-05 10:00:00 | app.jobs:run:12 - {missing}"),
            format!("2026-01-05 10:00:00 [ERROR] Error in step: ModuleNotFoundError - {missing}"),
            format!("0.412 > run.py\n0.913 ModuleNotFoundError: {missing}"),
            format!("When I start it I get this:\n\n> ModuleNotFoundError: {missing}\n\nIt worked before."),
            format!("It says `ModuleNotFoundError: {missing}` since the update."),
            format!("RuntimeError: Worker failed with error '{missing}'"),
            format!("Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    raise ModuleNotFoundError(\"{missing}\")\n"),
            format!("Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    raise ModuleNotFoundError(\"{missing}\")\nModuleNotFoundError: No module n"),
            format!("produces error:\n2026-01-05T10:00:01 Traceback (most recent call last):\n2026-01-05T10:00:01   File \"a.py\", line 1, in <module>\n2026-01-05T10:00:01     import nosuchlib\n2026-01-05T10:00:01 ModuleNotFoundError: {missing}"),
        ];
        for text in forms {
            assert_eq!(
                ids(&text).first().map(String::as_str),
                Some("module-missing"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_message_without_its_class_is_found_in_a_long_output() {
        let log = "step 1\n".repeat(40);
        let text = format!("{log}Failed to load: size mismatch for head.bias: copying a param with shape torch.Size([9]) from checkpoint, the shape in current model is torch.Size([4]).\ndone with 1 of 2\n");
        assert_eq!(ids(&text), ["checkpoint-mismatch"]);
        // Success is reported in the same words, without a word of failure.
        let well = format!("{log}checked size mismatch for head.bias: none\n");
        assert_eq!(ids(&well), [""; 0]);
    }

    #[test]
    fn what_a_copied_explanation_quotes_is_no_failure() {
        let words = "Python does not convert between text and numbers by itself. ".repeat(6);
        let text = format!("Write str(total)\n{words}What this is based on: 6 TypeError: can only concatenate str (not \"int\") to str");
        assert_eq!(ids(&text), [""; 0]);
        let many = format!("{}{text}", "one more line\n".repeat(10));
        assert_eq!(ids(&many), [""; 0]);
    }

    #[test]
    fn an_optional_part_that_is_left_out_is_no_failure() {
        let text = "WARNING: the fast path can't be imported, some optimizations will not be enabled\nTraceback (most recent call last):\n  File \"/opt/venv/lib/python3.12/site-packages/fastlib/__init__.py\", line 9, in _has_fast\n    import fastcore\nModuleNotFoundError: No module named 'fastcore'\nepoch 1\n";
        assert_eq!(ids(text), [""; 0]);
    }

    #[test]
    fn a_short_output_that_went_well_stays_silent() {
        let well = [
            "no size mismatch; loaded 120 of 120 layers",
            "checking the model from checkpoint, the best so far",
            "UserWarning: `np.int` was a deprecated alias for the builtin `int`.",
            "WARNING:root:The graph tensor has name: dense/BiasAdd:0",
            "Finished XLA compilation of jit(step) in 0.135 sec",
            "Downloading data from the hub\n100% 12/12 [00:01<00:00]",
            "3 files are not in the archive, skipped",
            "columns with missing values: ['age', 'fare']",
            "all dimensions must match: ok",
            "expected shape (3, 4), got shape (3, 4): passed",
        ];
        for text in well {
            assert_eq!(ids(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn the_order_of_the_rules_changes_no_verdict() {
        let files = nbmedic_catalogc::load(Path::new(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../catalog"
        )))
        .unwrap();
        let orders: Vec<Index> = (1..=3).map(|seed| Index::of(&shuffled(seed))).collect();
        let judge = |text: &str, index: &Index| {
            let input = Input {
                text,
                ..Input::default()
            };
            format!("{:?}", rank::rank(&context::Context::new(&input, index)).0)
        };
        let mut texts = 0;
        for example in files.iter().flat_map(|f| &f.examples) {
            let usual = judge(&example.text, index::index());
            for order in &orders {
                assert_eq!(judge(&example.text, order), usual, "{}", example.text);
            }
            texts += 1;
        }
        assert!(texts > 400, "only {texts} examples");
    }
}
