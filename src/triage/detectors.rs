//! Decisions that a rule's data can't express: they need surrounding lines or several facts.
//!
//! A `[[match]]` with `detector = "name"` calls its detector after its literals and patterns matched.

use super::context::Context;
use super::finding::{Finding, Place};
use super::patterns::{pattern, window};
use nbmedic_facts::Value;
use nbmedic_traceback::Origin;

/// Names that rules may use; a test compares them with the catalogue.
pub(super) const NAMES: &[&str] = &[
    "device-assertion",
    "last-words",
    "no-traceback",
    "raised-in-library",
];

/// Whether the finding is valid; may add facts and evidence to it.
pub(super) fn agrees(cx: &Context<'_>, f: &mut Finding, _text: &str) -> bool {
    match f.m.detector {
        "" => true,
        "device-assertion" => {
            device_assertion(cx, f);
            true
        }
        "last-words" => last_words(cx, f),
        "no-traceback" => !cx.traced(),
        "raised-in-library" => raised_in_library(cx, f),
        _ => false,
    }
}

/// The frame that raised the exception belongs to an installed package, not to the user's code.
fn raised_in_library(cx: &Context<'_>, f: &Finding) -> bool {
    let Place::Exception(c, e) = f.place else {
        return false;
    };
    let frames = &cx.chains[c].exceptions[e].frames;
    frames.last().is_some_and(|f| f.origin == Origin::Library)
}

/// Maximum number of lines after a process's last words: a shell's or runtime's epilogue rather
/// than more work.
const EPILOGUE: usize = 12;

/// A line that means a death only near the end of the output.
fn last_words(cx: &Context<'_>, f: &Finding) -> bool {
    let Place::Line(line) = f.place else {
        return true;
    };
    let printed = (line + 1..cx.doc.len()).filter(|&i| !cx.doc.line(i).trim().is_empty());
    printed.take(EPILOGUE + 1).count() <= EPILOGUE
        || cx
            .chains
            .iter()
            .any(|c| c.headed && c.lines.start > line && c.lines.start - line <= EPILOGUE)
}

/// GPU kernels report a failed assertion on standard error long before Python notices it; that line
/// names the condition.
fn device_assertion(cx: &Context<'_>, f: &mut Finding) {
    let said = cx.assertion.get_or_init(|| {
        let re = pattern(r"(?:block: \[.*|: )Assertion [`'](?P<assertion>.+?)['`] failed");
        let lines = cx.doc.lines().enumerate();
        let mut told = lines.filter(|(_, l)| window(l, 2048).contains("Assertion"));
        told.find_map(|(i, line)| {
            let found = re.captures(window(line, 2048))?.name("assertion")?;
            Some((i, found.as_str().to_owned()))
        })
    });
    if let Some((line, assertion)) = said {
        f.facts
            .insert("assertion".into(), Value::Text(assertion.clone()));
        f.evidence.insert(0, *line);
    }
}
