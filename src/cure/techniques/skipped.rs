//! Cells above that did not run, although they prepare what the failing line reads: `df = df.fillna(0)`.

use crate::anew::updates;
use crate::case::Case;
use crate::find::{callee, head_exprs, one_line};
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::{calls, Ranged};
use nbmedic_wordings::{about, pandas, python};
use std::collections::BTreeSet;

/// What fills or leaves out missing values.
const FILLS: &[&str] = &[
    "SimpleImputer",
    "KNNImputer",
    "IterativeImputer",
    "bfill",
    "drop_duplicates",
    "dropna",
    "ffill",
    "fillna",
    "interpolate",
    "nan_to_num",
    "notna",
    "notnull",
    "replace",
];
/// What makes numbers of texts.
const COUNTS: &[&str] = &[
    "LabelEncoder",
    "OneHotEncoder",
    "OrdinalEncoder",
    "astype",
    "factorize",
    "fit_transform",
    "get_dummies",
    "map",
    "replace",
    "to_datetime",
    "to_numeric",
];
/// What makes dates of texts.
const DATES: &[&str] = &["astype", "to_datetime"];
/// What takes rows away.
const ROWS: &[&str] = &[
    "drop",
    "drop_duplicates",
    "dropna",
    "head",
    "query",
    "reset_index",
    "sample",
];

/// What prepares a value for a line that fails with a message.
fn wanted(message: &str) -> Option<&'static [&'static str]> {
    if about::MISSING_VALUES.is_in(message) {
        Some(FILLS)
    } else if python::TEXT_TO_FLOAT.is_in(message) || python::TEXT_TO_INT.is_in(message) {
        Some(COUNTS)
    } else if pandas::DT_ACCESSOR.is_in(message) || pandas::DATETIME_INDEX.is_in(message) {
        Some(DATES)
    } else if about::UNEQUAL_LENGTHS.is_in(message) || about::DUPLICATES.is_in(message) {
        Some(ROWS)
    } else {
        None
    }
}

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    out.extend(skipped(case));
}

fn skipped(case: &Case<'_>) -> Option<Cure> {
    let prepares = wanted(case.message())?;
    let lines = case.frames.iter().filter_map(|f| case.statement(f));
    let behind = case.names_behind(&lines.flat_map(head_exprs).collect::<Vec<_>>());
    let ran = case.book.before(case.at);
    let (cell, line, of) = (0..case.at).rev().find_map(|cell| {
        let python = case
            .python(cell)
            .filter(|_| case.book.cells()[cell].ran.is_none())?;
        // Its names exist: it could run.
        let needs = python.names().needs();
        needs.iter().all(|n| case.exists(n)).then_some(())?;
        let of = updates(python).into_iter().find(|n| behind.contains(*n))?;
        let all = calls(python.body());
        let call = all
            .iter()
            .find(|c| callee(c).is_some_and(|f| prepares.contains(&f)))?;
        let stmt = python
            .body()
            .iter()
            .find(|s| s.range().contains_range(call.range()))?;
        Some((cell, one_line(python.slice(stmt)), of.to_owned()))
    })?;
    let mut dirty: BTreeSet<String> = BTreeSet::new();
    let mut run = Vec::new();
    for at in cell..case.at {
        let Some(python) = case.python(at).filter(|_| at == cell || ran.contains(&at)) else {
            continue;
        };
        let names = python.names();
        if at == cell || names.needs().iter().any(|n| dirty.contains(*n)) {
            run.push(at);
            let sets = names.binds.iter().filter(|b| b.function.is_none());
            dirty.extend(sets.map(|b| b.name.to_owned()));
            dirty.extend(updates(python).into_iter().map(str::to_owned));
        }
    }
    run.push(case.at);
    let position = case.position(cell);
    let run = case
        .run_anew(&run, &[])
        .into_iter()
        .map(|c| case.position(c));
    Some(Cure {
        id: "run-skipped".into(),
        kind: FixKind::Run,
        basis: Basis::Record,
        title: format!("Run cell {position}, which has not run: `{line}`"),
        why: format!("It prepares `{of}`, from which this line reads. Then run the cells that were made from it, and this one."),
        run: run.collect(),
        ..Cure::default()
    })
}

#[cfg(test)]
mod tests {
    use crate::{cures, Book, BookCell, Case};
    use nbmedic_facts::Cure;

    fn of(cells: &[(&str, i64)], message: &str) -> Vec<Cure> {
        let book = cells
            .iter()
            .enumerate()
            .map(|(i, (source, count))| BookCell {
                position: i + 1,
                source,
                count: (*count > 0).then_some(*count),
                ran: (*count > 0).then_some(count.unsigned_abs()),
                ..BookCell::default()
            });
        let book = Book::new(book.collect());
        let (source, count) = cells[cells.len() - 1];
        let error = crate::tests::ipython("ValueError", &[(count, 1, source)], message);
        cures(&Case::new(&book, cells.len() - 1, &error).expect("a case"))
    }

    #[test]
    fn the_cell_that_prepares_a_value_runs_first() {
        let cells = [
            ("import pandas as pd\nfrom sklearn.decomposition import PCA\nlab = pd.read_csv('lab.csv')", 1),
            ("lab = lab.fillna(lab.median())", 0),
            ("Z = lab.to_numpy()", 2),
            ("scores = PCA(2).fit_transform(Z)", 3),
        ];
        let all = of(&cells, "Input X contains NaN.");
        assert_eq!(all[0].id, "run-skipped", "{all:?}");
        assert_eq!(all[0].run, [2, 3, 4]);
        // It ran, or it prepares something else.
        let mut ran = cells;
        ran[1].1 = 5;
        let mut other = cells;
        other[1].0 = "lab = lab.rename(columns=str.lower)";
        for cells in [ran, other] {
            let all = of(&cells, "Input X contains NaN.");
            assert!(all.iter().all(|c| c.id != "run-skipped"), "{all:?}");
        }
    }
}
