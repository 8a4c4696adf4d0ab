//! A value that a library takes under another name: `'M' is no longer supported for offsets. Please use 'ME' instead.`

use crate::case::Case;
use crate::edit::Change;
use crate::find::{only, said, text_of};
use nbmedic_facts::{Applicability, Cure};
use nbmedic_python::ast::Expr;
use nbmedic_python::{each_expr, Ranged, TextRange};
use regex::Regex;
use std::sync::LazyLock;

static INSTEAD: LazyLock<Regex> = LazyLock::new(|| {
    let text = r"['\x22](?P<old>[^'\x22\n]{1,40})['\x22] (?:is|was|has been) (?:no longer (?:supported|valid|available|accepted|recognized)|deprecated|removed|renamed)[^\n.]{0,60}[.,;] ?(?:[Pp]lease )?(?:[Uu]se|[Tt]ry) ['\x22](?P<new>[^'\x22\n]{1,40})['\x22]";
    Regex::new(text).unwrap_or_else(|_| unreachable!("the pattern is valid"))
});

/// Where a text stands in the code: in an own line on the way to the error, or, if nowhere there, in the only place
/// of the cells that ran.
fn literal(case: &Case<'_>, value: &str) -> Option<(usize, TextRange)> {
    for spot in case.spots() {
        let here: Vec<TextRange> = spot.strings(value).map(Ranged::range).collect();
        if let [one] = here[..] {
            return Some((spot.cell, one));
        }
        if !here.is_empty() {
            return None;
        }
    }
    let mut all: Vec<(usize, TextRange)> = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        each_expr(python.body(), &mut |e: &Expr| {
            all.extend((text_of(e) == Some(value)).then(|| (cell, e.range())));
        });
    }
    only(all.into_iter())
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
            Applicability::Sure,
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
}
