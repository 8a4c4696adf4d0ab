//! Names that no cell sets: infers from their use what they should be.

use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{callee, look, missing_name, name, receiver, said};
use crate::table::Kind;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::Expr;
use nbmedic_python::{calls, each_expr, BindKind, Cell, Ranged};

/// Common names for a notebook's only table.
const TABLES: &[&str] = &[
    "df",
    "data",
    "dataset",
    "dataframe",
    "df_train",
    "train_df",
    "train",
    "train_data",
];

/// The conventional names of a split's parts.
const PARTS: &[&str] = &[
    "X_train", "X_test", "y_train", "y_test", "x_train", "x_test",
];

/// Maximum number of names listed.
const MAX_LISTED: usize = 5;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() != "NameError" {
        return;
    }
    let Some(missing) = missing_name(case.message()) else {
        return;
    };
    let Some(spot) = case.spot() else { return };
    // In a function, its parameters count as names too.
    let Some(python) = case.python(spot.cell) else {
        return;
    };
    // It was repaired since it ran.
    let binds = &python.names().binds;
    if binds
        .iter()
        .any(|b| b.function.is_none() && b.name == missing && b.kind != BindKind::Delete)
    {
        return;
    }
    out.extend(
        history(case, python, missing)
            .or_else(|| unsplit(case, missing))
            .or_else(|| only_table(case, spot.cell, python, missing))
            .or_else(|| unset(case, spot.cell, python, missing)),
    );
}

/// The lines on which a cell reads a name.
fn lines_of(python: &Cell, missing: &str) -> Vec<u32> {
    let mut out = Vec::new();
    each_expr(python.body(), &mut |e| {
        if e.as_name_expr()
            .is_some_and(|n| n.id.as_str() == missing && n.ctx.is_load())
        {
            out.push(python.line_of(e.start()));
        }
    });
    out.dedup();
    out
}

/// `history.history["loss"]`: what `fit` returns.
fn history(case: &Case<'_>, python: &Cell, missing: &str) -> Option<Cure> {
    let mut read = false;
    each_expr(python.body(), &mut |e| {
        let a = e
            .as_attribute_expr()
            .filter(|a| a.attr.as_str() == "history");
        read |= a.and_then(|a| name(&a.value)) == Some(missing);
    });
    if !read {
        return None;
    }
    let compiled = case.seen().into_iter().find_map(|cell| {
        let python = case.python(cell)?;
        let call = calls(python.body())
            .into_iter()
            .rev()
            .find(|c| callee(c) == Some("compile"))?;
        Some((case.position(cell), name(receiver(call)?)?.to_owned()))
    });
    let model = compiled.as_ref().map_or("model", |(_, m)| m.as_str());
    let place = match &compiled {
        Some((cell, model)) => {
            format!(" `{model}` is compiled in cell {cell}, and no cell trains it.")
        }
        None => String::new(),
    };
    Some(look(
        "train-first",
        format!("Train first, and keep what `fit` returns: `{missing} = {model}.fit(…)`"),
        format!("`{missing}.history` is what `{model}.fit(…)` returns, and no cell sets `{missing}`.{place}"),
    ))
}

/// `X_train` if `X` and `y` exist.
fn unsplit(case: &Case<'_>, missing: &str) -> Option<Cure> {
    if !PARTS.contains(&missing) {
        return None;
    }
    let x = if missing.starts_with('x') || !case.exists("X") {
        "x"
    } else {
        "X"
    };
    let is_data = |n: &str| {
        case.last_set(n)
            .is_some_and(|s| s.binding.kind == BindKind::Assign)
    };
    // A different split may have set some of them.
    if PARTS.iter().any(|p| case.last_set(p).is_some()) {
        return None;
    }
    if !is_data(x) || !is_data("y") {
        return Some(look(
            "split-first",
            format!("Split the data first: no cell sets `{missing}`"),
            "No cell of this notebook that ran calls `train_test_split`. Take the features and the target from your table, and split them in a cell above.",
        ));
    }
    let upper = if missing.starts_with('x') { "x" } else { "X" };
    let mut lines = String::new();
    if !case.exists("train_test_split") {
        lines += "from sklearn.model_selection import train_test_split\n";
    }
    lines += &format!("{upper}_train, {upper}_test, y_train, y_test = train_test_split({x}, y, test_size=0.2, random_state=0)");
    case.edits(
        said(
            "split-first",
            Basis::Assumed,
            format!("Split `{x}` and `y` first"),
            format!("No cell sets `{missing}`; `{x}` and `y` exist. A fifth becomes the test data: change `test_size` as you like."),
        ),
        vec![Editor::new(case.at, case.python(case.at)?).import(&lines)],
    )
}

/// `df` if the notebook's only table has a different name.
fn only_table(case: &Case<'_>, cell: usize, python: &Cell, missing: &str) -> Option<Cure> {
    if !TABLES.contains(&missing) {
        return None;
    }
    let mut tables: Vec<String> = Vec::new();
    for at in case.seen() {
        let Some(p) = case.python(at) else { continue };
        let names = p.names();
        for b in names
            .binds
            .iter()
            .filter(|b| b.function.is_none() && b.kind == BindKind::Assign)
        {
            let frame = b.value.is_some_and(|v| case.kind(at, v) == Kind::Frame);
            if frame && !tables.iter().any(|t| t == b.name) {
                tables.push(b.name.to_owned());
            }
        }
    }
    let [table] = &tables[..] else { return None };
    let mut changes = Vec::new();
    each_expr(python.body(), &mut |e: &Expr| {
        if e.as_name_expr()
            .is_some_and(|n| n.id.as_str() == missing && n.ctx.is_load())
        {
            changes.push(Change::replace(cell, e, table.as_str()));
        }
    });
    case.edits(
        said(
            "only-table",
            Basis::Assumed,
            format!("Replace `{missing}` by `{table}`"),
            format!("No cell sets `{missing}`, and `{table}` is the only table of the notebook."),
        ),
        changes,
    )
}

/// Whether two names share a word.
fn related(a: &str, b: &str) -> bool {
    let words = |t: &str| -> Vec<String> {
        let all = t.split('_').map(str::to_lowercase);
        all.filter(|w| w.len() > 2).collect()
    };
    let other = words(b);
    words(a).iter().any(|w| other.contains(w))
}

fn unset(case: &Case<'_>, cell: usize, python: &Cell, missing: &str) -> Option<Cure> {
    let lines = lines_of(python, missing);
    let first = lines.first()?;
    let mut alike: Vec<String> = Vec::new();
    for at in case.seen() {
        let Some(p) = case.python(at) else { continue };
        let names = p.names();
        for b in names
            .binds
            .iter()
            .filter(|b| b.function.is_none() && b.kind != BindKind::Delete)
        {
            if related(missing, b.name)
                && !alike.iter().any(|a| a == b.name)
                && alike.len() < MAX_LISTED
            {
                alike.push(b.name.to_owned());
            }
        }
    }
    let list: Vec<String> = alike.iter().map(|a| format!("`{a}`")).collect();
    let alike = match list.len() {
        0 => String::new(),
        _ => format!(" Names that are alike and exist: {}.", list.join(", ")),
    };
    let numbers: Vec<String> = lines.iter().take(MAX_LISTED).map(u32::to_string).collect();
    let which = match lines.len() {
        1 => format!("line {}", numbers[0]),
        _ => format!("lines {}", numbers.join(", ")),
    };
    let called = |call: &&nbmedic_python::ast::ExprCall| name(&call.func) == Some(missing);
    let function = calls(python.body()).iter().any(called);
    let what = if function { "Define or import" } else { "Set" };
    Some(look(
        "set-name",
        format!("{what} `{missing}` above line {first}: no cell of this notebook does"),
        format!("Cell {} reads it in {which}. Perhaps its cell was deleted, or is in another notebook.{alike}", case.position(cell)),
    ))
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at, repaired_first};

    fn of(cells: &[&str], missing: &str) -> (String, String) {
        let message = format!("name '{missing}' is not defined");
        let cures = cures_of(cells, &error_at(cells, 1, "NameError", &message));
        cures
            .first()
            .map_or_else(Default::default, |c| (c.title.clone(), c.why.clone()))
    }

    #[test]
    fn a_history_comes_from_training() {
        let cells = [
            "net = build()\nnet.compile('adam')",
            "plot(hist.history['loss'])",
        ];
        let (title, why) = of(&cells, "hist");
        assert_eq!(
            title,
            "Train first, and keep what `fit` returns: `hist = net.fit(…)`"
        );
        assert!(why.contains("compiled in cell 1"));
    }

    #[test]
    fn parts_come_from_a_split() {
        let message = "name 'X_train' is not defined";
        let code = repaired_first(
            &["X = load()\ny = load()", "m.fit(X_train, y_train)"],
            "NameError",
            message,
        );
        assert_eq!(code, "from sklearn.model_selection import train_test_split\nX_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=0)\nm.fit(X_train, y_train)");
        assert_eq!(
            of(&["a = 1", "m.fit(X_train, 3)"], "X_train").0,
            "Split the data first: no cell sets `X_train`"
        );
    }

    #[test]
    fn the_only_table_has_another_name() {
        let message = "name 'df' is not defined";
        let cells = [
            "import pandas as pd\nhouses = pd.read_csv('a.csv')",
            "df.head()",
        ];
        assert_eq!(
            repaired_first(&cells, "NameError", message),
            "houses.head()"
        );
        let two = [
            "import pandas as pd\na = pd.read_csv('a.csv')\nb = pd.read_csv('b.csv')",
            "df.head()",
        ];
        assert!(of(&two, "df").0.starts_with("Set `df` above line 1"));
    }

    #[test]
    fn a_name_that_nothing_sets_is_said_so() {
        let (title, why) = of(
            &["target_images = load()", "show(source_images)"],
            "source_images",
        );
        assert_eq!(
            title,
            "Set `source_images` above line 1: no cell of this notebook does"
        );
        assert!(why.contains("exist: `target_images`"), "{why}");
    }
}
