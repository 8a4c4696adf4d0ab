//! Values that a library renamed: `'M' is no longer supported for offsets. Please use 'ME' instead.`

use crate::case::Case;
use crate::edit::Change;
use crate::find::{said, text_of};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::{Ranged, TextRange};
use regex::Regex;
use std::sync::LazyLock;

static INSTEAD: LazyLock<Regex> = LazyLock::new(|| {
    let text = r"['\x22](?P<old>[^'\x22\n]{1,40})['\x22] (?:is|was|has been) (?:no longer (?:supported|valid|available|accepted|recognized)|deprecated|removed|renamed)[^\n.]{0,60}[.,;] ?(?:[Pp]lease )?(?:[Uu]se|[Tt]ry) ['\x22](?P<new>[^'\x22\n]{1,40})['\x22]";
    Regex::new(text).unwrap_or_else(|_| unreachable!("the pattern is valid"))
});

/// The place of a string literal: on one of the user's lines on the way to the error, or where a
/// name on such a line was assigned.
fn literal(case: &Case<'_>, value: &str) -> Option<(usize, TextRange)> {
    for spot in case.spots() {
        let here = spot.exprs.iter().filter_map(|e| {
            let made = case.made(spot.cell, e)?;
            (text_of(made.expr) == Some(value)).then_some((made.cell, made.expr.range()))
        });
        let mut all: Vec<(usize, TextRange)> = here.collect();
        all.dedup();
        match all[..] {
            [] => {}
            [one] => return Some(one),
            _ => return None,
        }
    }
    None
}

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let start = message.get(..2000).unwrap_or(message);
    let Some(found) = INSTEAD.captures(start).filter(|_| out.is_empty()) else {
        return;
    };
    out.extend(cure(case, &found["old"], &found["new"]));
}

fn cure(case: &Case<'_>, old: &str, new: &str) -> Option<Cure> {
    let (cell, at) = literal(case, old)?;
    let python = case.python(cell)?;
    let text = python.slice(at);
    let written = text.replacen(old, new, 1);
    case.edits(
        said(
            "superseded-value",
            Basis::Named,
            format!("Replace `{text}` by `{written}`"),
            "The message names what took its place.",
        ),
        vec![Change::replace(cell, at, written)],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired_first};

    const MESSAGE: &str = "Invalid frequency: M. Failed to parse with error message: ValueError(\"'M' is no longer supported for offsets. Please use 'ME' instead.\")";

    #[test]
    fn a_value_is_written_as_the_message_says() {
        let cells = [
            "import pandas as pd",
            "ends = pd.date_range(\"2024\", periods=3, freq=\"M\")",
        ];
        assert_eq!(
            repaired_first(&cells, "ValueError", MESSAGE),
            "ends = pd.date_range(\"2024\", periods=3, freq=\"ME\")"
        );
        let cells = [
            "import pandas as pd",
            "def ends(start, freq):\n    return pd.date_range(start, periods=3, freq=freq)",
            "print(ends('2024', 'M'))",
        ];
        let error = ipython(
            "ValueError",
            &[
                (3, 1, "print(ends('2024', 'M'))"),
                (2, 2, "return pd.date_range(start, periods=3, freq=freq)"),
            ],
            MESSAGE,
        );
        assert_eq!(
            cures_of(&cells, &error)[0].code,
            "print(ends('2024', 'ME'))"
        );
    }
    #[test]
    fn the_same_text_elsewhere_is_left_alone() {
        let cells = ["men = df[df.sex == 'M']", "ends = make_ends()"];
        let error = crate::tests::error_at(&cells, 1, "ValueError", MESSAGE);
        let all = cures_of(&cells, &error);
        assert!(all.iter().all(|c| c.id != "superseded-value"), "{all:?}");
    }
}
