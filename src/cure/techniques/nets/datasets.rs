//! Hugging Face datasets: missing columns and splits, and requirements of training.

use super::hub::{mapped, rows, ticked, Rows, TARGETS};
use super::trained::{labels, padded, tensors, texts_left, tokenized_before};
use crate::case::Case;
use crate::closest::closest;
use crate::edit::Change;
use crate::find::{callee, look, name, one_line, only, quoted, receiver, said, text_of, Spot};
use crate::keys::{self, missing_keys};
use crate::known::function_around;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, each_below, keyword, positional, Ranged};
use nbmedic_wordings::{datasets, python, torch, transformers};

/// Names of validation splits.
const CHECKING: &[&str] = &["validation", "valid", "val", "dev", "eval", "test"];
/// String methods that people call on whole lists.
const OF_TEXTS: &[&str] = &["split", "lower", "upper", "strip", "replace", "title"];
/// Common names of target columns.
const ANSWERS: &[&str] = &[
    "label",
    "labels",
    "target",
    "targets",
    "class",
    "category",
    "sentiment",
    "y",
    "answer",
];
/// pandas methods that people call on a dataset.
const OF_TABLES: &[&str] = &[
    "head",
    "tail",
    "describe",
    "info",
    "value_counts",
    "groupby",
    "sort_values",
    "iloc",
    "loc",
    "isnull",
    "isna",
    "dropna",
    "fillna",
    "drop",
    "sample",
    "iterrows",
    "to_dict",
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    if python::IMPORT_NAME.read(message) == Some(["load_metric", "datasets"]) {
        out.extend(load_metric(case));
        return;
    }
    if !case.imports("datasets") && !case.imports("transformers") {
        return;
    }
    let lacks = python::ATTRIBUTE.read(message).map(|[kind, _]| kind);
    match case.class() {
        "KeyError" => out.extend(part(case).or_else(|| column(case))),
        "AttributeError" if lacks == Some("list") => {
            out.extend(each_text(case).or_else(|| tensors(case)));
        }
        "AttributeError" if lacks == Some("Dataset") => {
            out.extend(as_table(case));
        }
        "AttributeError" if lacks == Some("NoneType") => {
            out.extend(empty_text(case));
        }
        "TypeError" if python::ITEM_ASSIGNMENT.read(message) == Some(["Dataset"]) => {
            out.extend(new_column(case));
        }
        "TypeError"
            if message.starts_with("Expected a pyarrow.Table or a datasets.table.Table") =>
        {
            out.extend(of_table(case));
        }
        "ValueError" if datasets::COLUMNS.is_in(message) => {
            out.extend(listed_columns(case, message));
        }
        "ValueError" if message.starts_with("Stratifying by column is only supported") => {
            out.extend(classes(case));
        }
        "ValueError" if transformers::ACTIVATE_PADDING.is_in(message) => {
            out.extend(texts_left(case, message).or_else(|| padded(case)));
        }
        "ValueError" if torch::SEQUENCE_LENGTH.begins(message) => {
            out.extend(padded(case));
        }
        "ValueError"
            if transformers::NO_INPUTS.is_in(message)
                || transformers::NO_COLUMNS.is_in(message) =>
        {
            out.extend(tokenized_before(case));
        }
        "ValueError" if transformers::NO_LOSS.is_in(message) => {
            out.extend(labels(case));
        }
        _ => {}
    }
}

/// Since datasets 3, metrics are in a separate package.
fn load_metric(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let import = spot.stmt?.as_import_from_stmt()?;
    let rest = import
        .names
        .iter()
        .filter(|a| a.name.as_str() != "load_metric");
    let rest: Vec<&str> = rest.map(|a| spot.text(a)).collect();
    let plain = import
        .names
        .iter()
        .all(|a| a.name.as_str() != "load_metric" || a.asname.is_none());
    plain.then_some(())?;
    let mut text = "import evaluate".to_owned();
    if !rest.is_empty() {
        text = format!("from datasets import {}\n{text}", rest.join(", "));
    }
    let mut changes = vec![Change::replace(spot.cell, import, text)];
    for at in 0..case.book.cells().len() {
        let Some(python) = case.python(at) else {
            continue;
        };
        let uses = calls(python.body())
            .into_iter()
            .filter(|c| name(&c.func) == Some("load_metric"));
        changes.extend(uses.map(|c| Change::replace(at, &*c.func, "evaluate.load")));
    }
    case.edits(
        said(
            "evaluate-load",
            Basis::Assumed,
            "Load the metric with `evaluate.load`",
            "datasets 3 has no metrics any more; they are in the package evaluate. If it is not installed: `%pip install evaluate`.",
        ),
        changes,
    )
}

/// `parts["validation"]` if the splits are `train` and `test`.
fn part(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let wanted = missing_keys(case.class(), case.message());
    let found = spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr()?;
        let key = text_of(&s.slice).filter(|k| wanted.iter().any(|w| w == k))?;
        let of = name(&s.value)?;
        let rows = rows(case, of).filter(|r| !r.parts.is_empty())?;
        Some((s, of, key, rows))
    });
    let (at, of, key, Rows { parts, .. }) = only(found)?;
    let checks = |p: &str| CHECKING.contains(&p);
    let by_use = || only(parts.iter().filter(|p| checks(key) && checks(p))).map(String::as_str);
    let only_part = || only(parts.iter()).map(String::as_str);
    let near = closest(key, parts.iter().map(String::as_str));
    let there = ticked(&parts);
    let Some(new) = near.or_else(by_use).or_else(only_part) else {
        return Some(look(
            "dataset-part",
            format!("`{of}` has no part `{key}`: it has {there}"),
            "The parts are those of the files, or what `train_test_split` made.",
        ));
    };
    case.edits(
        said(
            "dataset-part",
            Basis::Assumed,
            format!("Take the part that is there: `{of}[{}]`", quoted(new)),
            format!("`{of}` has no `{key}`. It has {there}."),
        ),
        vec![Change::replace(spot.cell, &*at.slice, quoted(new))],
    )
}

/// The dataset whose `map` or `filter` runs the failing line, or that the line reads.
fn read_set<'c>(case: &'c Case<'c>, spot: &Spot<'c>, of: &Expr) -> Option<(String, Rows)> {
    let row = name(of)?;
    if let Some(rows) = rows(case, row) {
        return Some((row.to_owned(), rows));
    }
    let around = spot.stmt.and_then(|s| function_around(spot.python, s));
    let function = around.map(|f| f.name.as_str());
    let is = |f: &Expr| match f {
        Expr::Lambda(l) => {
            let mut has = false;
            let takes = l.parameters.as_ref().is_some_and(|p| p.includes(row));
            each_below(&l.body, &mut |e| has |= std::ptr::eq(e, of));
            takes && has
        }
        Expr::Name(n) => Some(n.id.as_str()) == function,
        _ => false,
    };
    let (call, _) = mapped(case, is)?;
    let on = name(receiver(call)?)?;
    // `ds = ds.map(…)` failed, so the name still has its old value.
    Some((on.to_owned(), rows(case, on)?))
}

/// A column that a dataset with known columns lacks.
fn column(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let wanted = missing_keys(case.class(), case.message());
    let found = spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr()?;
        let key = text_of(&s.slice).filter(|k| wanted.iter().any(|w| w == k))?;
        let (of, rows) = read_set(case, &spot, &s.value)?;
        // `map` on several splits reads the rows of each.
        let read = rows.parts.is_empty() || name(&s.value) != Some(of.as_str());
        (read && !rows.columns.is_empty()).then_some((s, of, key, rows.columns))
    });
    let (at, of, key, columns) = only(found)?;
    if columns.iter().any(|c| c == key) {
        return None;
    }
    let target = |c: &str| TARGETS.contains(&c) || c == "id" || c == "idx";
    let other = || {
        let rest = columns.iter().filter(|c| !target(c) && !target(key));
        only(rest).map(String::as_str)
    };
    let targets = || {
        let rest = columns.iter().filter(|c| target(c) && target(key));
        only(rest).map(String::as_str)
    };
    let near = closest(key, columns.iter().map(String::as_str));
    let there = ticked(&columns);
    let Some(new) = near.or_else(targets).or_else(other) else {
        return Some(look(
            "dataset-column",
            format!("`{of}` has no column `{key}`: it has {there}"),
            "Take the one that holds what you mean.",
        ));
    };
    case.edits(
        said(
            "dataset-column",
            Basis::Assumed,
            format!("Read the column {} instead of {}", quoted(new), quoted(key)),
            format!("`{of}` has the columns {there}."),
        ),
        vec![Change::replace(spot.cell, &*at.slice, quoted(new))],
    )
}

/// A method call with a missing column, if the message lists the existing ones.
fn listed_columns(case: &Case<'_>, message: &str) -> Option<Cure> {
    let columns = keys::listed_columns(message);
    let missing = missing_keys(case.class(), message);
    let spot = case.spot()?;
    let is_gone = |e: &&&Expr| text_of(e).is_some_and(|t| missing.iter().any(|m| m == t));
    let gone: Vec<&Expr> = spot.exprs.iter().filter(is_gone).copied().collect();
    let call = spot.calls().find(|c| {
        gone.iter()
            .all(|g| c.arguments.range().contains_range(g.range()))
    })?;
    let list = positional(call, 0).and_then(Expr::as_list_expr);
    if let ("remove_columns", Some(list)) = (callee(call)?, list) {
        let is_gone = |e: &Expr| gone.iter().any(|g| g.range() == e.range());
        let kept: Vec<&str> = list
            .elts
            .iter()
            .filter(|e| !is_gone(e))
            .map(|e| spot.text(e))
            .collect();
        if !kept.is_empty() && kept.len() < list.elts.len() {
            let new = format!("[{}]", kept.join(", "));
            return case.edits(
                said(
                    "dataset-column",
                    Basis::Assumed,
                    format!("Remove only the columns that are there: `{new}`"),
                    format!("The data set has {}.", ticked(&columns)),
                ),
                vec![Change::replace(spot.cell, list, new)],
            );
        }
    }
    let one = only(gone.into_iter())?;
    let wanted = text_of(one)?;
    let there = || columns.iter().map(String::as_str);
    let answer = |c: &str| ANSWERS.contains(&c);
    let answers = || only(there().filter(|c| answer(c) && answer(wanted)));
    let new = closest(wanted, there()).or_else(answers)?;
    case.edits(
        said(
            "dataset-column",
            Basis::Assumed,
            format!("Write {} instead of {}", quoted(new), spot.text(one)),
            format!("The data set has {}.", ticked(&columns)),
        ),
        vec![Change::replace(spot.cell, one, quoted(new))],
    )
}

/// `stratify_by_column` requires a column of type `ClassLabel`.
fn classes(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("train_test_split")?;
    let by = &keyword(call, "stratify_by_column")?.value;
    let step = format!(".class_encode_column({})", spot.text(by));
    case.edits(
        said(
            "class-column",
            Basis::Named,
            format!("Make the column one of classes first: `{}`", &step[1..]),
            "To stratify, the data set has to know which classes there are; a plain column of numbers or texts does not say so.",
        ),
        vec![spot.editor().append(receiver(call)?, step)],
    )
}

/// `batch["text"].split()` in a function that receives many rows from `map`.
fn each_text(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let [_, wanted] = python::ATTRIBUTE.read(case.message())?;
    OF_TEXTS.contains(&wanted).then_some(())?;
    let found = spot
        .calls()
        .filter(|c| callee(c) == Some(wanted) && receiver(c).is_some());
    let call = only(found)?;
    let of = receiver(call)?.as_subscript_expr()?;
    let (row, column) = (name(&of.value)?, text_of(&of.slice)?);
    let around = spot.stmt.and_then(|s| function_around(spot.python, s));
    let function = around.map(|f| f.name.as_str());
    let is = |f: &Expr| match f {
        Expr::Lambda(l) => l.parameters.as_ref().is_some_and(|p| p.includes(row)),
        Expr::Name(n) => Some(n.id.as_str()) == function,
        _ => false,
    };
    let (_, many) = mapped(case, is)?;
    many.then_some(())?;
    let item = match column.strip_suffix('s') {
        Some(one) if one.len() > 1 && one.chars().all(char::is_alphabetic) => one,
        _ if row != "text" => "text",
        _ => "one",
    };
    let was = spot.text(receiver(call)?);
    let rest = &spot.text(call)[was.len()..];
    let new = format!("[{item}{rest} for {item} in {was}]");
    case.edits(
        said(
            "each-of-batch",
            Basis::Source,
            format!("Do it for each text: `{}`", one_line(&new)),
            format!("With `batched=True` the function gets many rows at once: `{was}` is a list of texts."),
        ),
        vec![Change::replace(spot.cell, call, new)],
    )
}

/// A pandas method on a dataset.
fn as_table(case: &Case<'_>) -> Option<Cure> {
    let [_, wanted] = python::ATTRIBUTE.read(case.message())?;
    OF_TABLES.contains(&wanted).then_some(())?;
    let spot = case.spot()?;
    let found = only(spot.attributes(wanted))?;
    let was = one_line(spot.text(&*found.value));
    case.edits(
        said(
            "dataset-as-table",
            Basis::Assumed,
            format!("Make a table of pandas first: `{was}.to_pandas().{wanted}`"),
            format!("`{was}` is a data set of Hugging Face, no table of pandas. `to_pandas()` copies its rows into memory."),
        ),
        vec![spot.editor().append(&*found.value, ".to_pandas()")],
    )
}

/// `ds["n"] = values`.
fn new_column(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let assign = spot.stmt?.as_assign_stmt()?;
    let [Expr::Subscript(target)] = &assign.targets[..] else {
        return None;
    };
    let of = name(&target.value)?;
    let column = text_of(&target.slice)?;
    let key = spot.text(&*target.slice);
    let value = spot.text(&*assign.value);
    let known = rows(case, of).is_some_and(|r| r.columns.iter().any(|c| c == column));
    let without = if known {
        format!(".remove_columns({key})")
    } else {
        String::new()
    };
    let new = format!("{of} = {of}{without}.add_column({key}, {value})");
    case.edits(
        said(
            "add-column",
            Basis::Assumed,
            format!("Add the column: `{}`", one_line(&new)),
            "A data set is never changed in place: each method gives a new one.",
        ),
        vec![Change::replace(spot.cell, assign, new)],
    )
}

/// `Dataset(df)`: a method converts a pandas table.
fn of_table(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let is = |c: &&ExprCall| {
        case.path_of(&c.func)
            .is_some_and(|p| p == "datasets.Dataset")
    };
    let call = only(spot.calls().filter(is))?;
    let by = spot.text(&*call.func);
    case.edits(
        said(
            "from-pandas",
            Basis::Library,
            format!("Read the table with `{by}.from_pandas(…)`"),
            "The class itself takes a table of Arrow. The index becomes a column unless it is plain: `preserve_index=False` leaves it out.",
        ),
        vec![spot.editor().append(&*call.func, ".from_pandas")],
    )
}

/// A missing string in the rows of a dataset: `row["text"].split()`.
fn empty_text(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let [_, wanted] = python::ATTRIBUTE.read(case.message())?;
    OF_TEXTS.contains(&wanted).then_some(())?;
    let owner = &only(spot.attributes(wanted))?.value;
    let read = owner.as_subscript_expr()?;
    text_of(&read.slice)?;
    read_set(case, &spot, &read.value)?;
    let was = spot.text(&**owner);
    case.edits(
        said(
            "missing-text",
            Basis::Assumed,
            format!(
                "Take a missing text as empty: `({} or \"\")`",
                one_line(was)
            ),
            "Some rows have `None` there. `.filter(…)` before it leaves them out instead.",
        ),
        vec![Change::replace(
            spot.cell,
            &**owner,
            format!("({was} or \"\")"),
        )],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_at;

    const SET: &str =
        "from datasets import Dataset, DatasetDict\nds = Dataset.from_dict({'text': texts, 'label': labels})";

    #[test]
    fn columns_and_parts_that_are_not_there() {
        let gone = "Column name ['idx'] not in the dataset. Current columns in the dataset: ['text', 'label']";
        let rows: &[(&str, &str, &str, &str, &str)] = &[
            ("parts = ds.train_test_split(test_size=0.2)", "v = parts['validation']", "KeyError", "'validation'", "parts[\"test\"]"),
            ("n = 1", "ds = ds.map(lambda r: {'n': len(r['sentence'])})", "KeyError", "'sentence'", "r[\"text\"]"),
            ("n = 1", "ds = ds.filter(lambda r: r['labels'] == 1)", "KeyError", "'labels'", "r['label']"),
            ("n = 1", "ds = ds.remove_columns(['idx', 'text'])", "ValueError", gone, "remove_columns(['text'])"),
            ("n = 1", "ds = ds.rename_column('labl', 'y')", "ValueError", "Original column name labl not in the dataset. Current columns in the dataset: ['text', 'label']", "rename_column('label', 'y')"),
            ("n = 1", "p = ds.train_test_split(0.5, stratify_by_column='label')", "ValueError", "Stratifying by column is only supported for ClassLabel column, and column label is Value.", "ds.class_encode_column('label').train_test_split("),
            ("dd = DatasetDict({'train': ds, 'valid': ds})", "n = len(dd['validation'])", "KeyError", "'validation'", "dd[\"valid\"]"),
            ("dd = DatasetDict({'train': ds, 'test': ds})", "dd = dd.map(lambda r: {'n': len(r['txt'])})", "KeyError", "'txt'", "r['text']"),
            ("n = 1", "ds.head()", "AttributeError", "'Dataset' object has no attribute 'head'", "ds.to_pandas().head()"),
            ("n = 1", "ds['n'] = [1, 2]", "TypeError", "'Dataset' object does not support item assignment", "ds = ds.add_column('n', [1, 2])"),
            ("df = pd.DataFrame({'a': [1]})", "d = Dataset(df)", "TypeError", "Expected a pyarrow.Table or a datasets.table.Table object, but got   a", "d = Dataset.from_pandas(df)"),
            ("n = 1", "ds = ds.map(lambda r: {'n': len(r['text'].split())})", "AttributeError", "'NoneType' object has no attribute 'split'", "(r['text'] or \"\").split()"),
            ("n = 1", "ds = ds.rename_column('target', 'y')", "ValueError", "Original column name target not in the dataset. Current columns in the dataset: ['text', 'label']", "rename_column(\"label\", 'y')"),
            ("ds = ds.rename_column('text', 'review')", "ds.map(lambda r: {'n': len(r['text'])})", "KeyError", "'text'", "r[\"review\"]"),
        ];
        for (before, last, class, message, wanted) in rows {
            let cells = [SET, *before, *last];
            let made = repaired_at(&cells, 1, class, message);
            assert!(made.contains(wanted), "{last}\n{message}\n-> {made}");
        }
    }

    #[test]
    fn rows_for_a_loop_and_for_many_at_once() {
        let cells = [
            SET,
            "loader = DataLoader(ds)",
            "for b in loader:\n    b = {k: v.to(device) for k, v in b.items()}",
        ];
        let made = repaired_at(
            &cells,
            2,
            "AttributeError",
            "'list' object has no attribute 'to'",
        );
        assert_eq!(made, "loader = DataLoader(ds.with_format(\"torch\"))");
        let cells = [SET, "from torch.utils.data import DataLoader\nfor b in DataLoader(ds, batch_size=2):\n    x = b['label'].to(device)"];
        let message = "'list' object has no attribute 'to'";
        let made = repaired_at(&cells, 3, "AttributeError", message);
        assert!(
            made.contains("DataLoader(ds.with_format(\"torch\"), batch_size=2)"),
            "{made}"
        );
        let cells = [
            SET,
            "ds = ds.map(lambda b: {'w': b['text'].lower().count('a')}, batched=True)",
        ];
        let message = "'list' object has no attribute 'lower'";
        let made = repaired_at(&cells, 1, "AttributeError", message);
        assert!(
            made.contains("[text.lower() for text in b['text']]"),
            "{made}"
        );
    }
}
