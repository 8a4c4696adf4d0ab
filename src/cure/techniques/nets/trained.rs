//! What a Hugging Face trainer needs from its dataset: padded batches, tokenized texts, labels.

use super::hub::{is_model, rows, text_columns, ticked, TARGETS};
use super::texts::is_tokenizer;
use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{callee, loops_around, name, only, quoted, receiver, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, keyword, positional, Ranged};
use nbmedic_wordings::python;

/// Longest chain of steps followed back.
const MAX_CHAIN: usize = 24;
/// Attributes that tensors have and lists of numbers don't.
const OF_TENSORS: &[&str] = &[
    "shape",
    "to",
    "cuda",
    "size",
    "float",
    "long",
    "dim",
    "view",
    "unsqueeze",
    "dtype",
    "device",
];

/// The call that creates the trainer, with its cell.
fn trainer<'c>(case: &'c Case<'c>) -> Option<(usize, &'c nbmedic_python::Cell, &'c ExprCall)> {
    let mut found = None;
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        let is = |c: &&ExprCall| {
            callee(c).is_some_and(|n| n.ends_with("Trainer")) && keyword(c, "model").is_some()
        };
        found = calls(python.body())
            .into_iter()
            .rfind(is)
            .map(|c| (at, python, c))
            .or(found);
    }
    found
}

/// The notebook's only named tokenizer.
fn tokenizer(case: &Case<'_>) -> Option<String> {
    let mut all: Vec<String> = Vec::new();
    for python in case.seen().into_iter().filter_map(|c| case.python(c)) {
        for call in calls(python.body()) {
            let named = name(&call.func).filter(|n| is_tokenizer(case, n));
            all.extend(named.map(str::to_owned));
        }
        let names = python.names();
        let made = names
            .binds
            .iter()
            .filter(|b| b.function.is_none() && b.value.is_some());
        all.extend(
            made.filter(|b| is_tokenizer(case, b.name))
                .map(|b| b.name.to_owned()),
        );
    }
    all.sort_unstable();
    all.dedup();
    only(all.into_iter())
}

/// Texts of unequal length in training: the trainer pads them if it knows the tokenizer.
pub(super) fn padded(case: &Case<'_>) -> Option<Cure> {
    let in_collator = case
        .error()
        .frames
        .iter()
        .any(|f| f.file.contains("data_collator"));
    let (cell, python, call) = trainer(case).filter(|_| in_collator)?;
    let given = ["processing_class", "tokenizer", "data_collator"];
    if given.iter().any(|k| keyword(call, k).is_some()) {
        return None;
    }
    let text = format!("processing_class={}", tokenizer(case)?);
    case.edits(
        said(
            "trainer-pads",
            Basis::Assumed,
            format!("Give the trainer the tokenizer: `{text}`"),
            "The texts have different numbers of tokens. With the tokenizer the trainer fills each batch up to its longest; without it nothing does. Before Transformers 4.46 the argument is `tokenizer`.",
        ),
        vec![Editor::new(cell, python).add(call, &text)],
    )
}

/// Strings left in the rows when a batch is built: tensors can't hold them.
pub(super) fn texts_left(case: &Case<'_>, message: &str) -> Option<Cure> {
    let column = message.split_once("features (`")?.1.split('`').next()?;
    if matches!(column, "input_ids" | "attention_mask" | "token_type_ids") {
        return None;
    }
    let mut found = Vec::new();
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        let tokenizes = |c: &&ExprCall| {
            callee(c) == Some("map")
                && keyword(c, "remove_columns").is_none()
                && receiver(c).is_some()
        };
        let all = calls(python.body()).into_iter().filter(tokenizes);
        found.extend(all.map(|c| (at, python, c)));
    }
    let (cell, python, call) = only(found.into_iter())?;
    let text = format!("remove_columns=[{}]", quoted(column));
    case.edits(
        said(
            "drop-text-column",
            Basis::Source,
            format!("Drop the texts once they are tokens: `{text}`"),
            format!("The rows still have the column `{column}`, and a batch is made of all columns. The tokens themselves are filled up as they should."),
        ),
        vec![Editor::new(cell, python).add(call, &text)],
    )
}

/// Training on texts that weren't tokenized.
pub(super) fn tokenized_before(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, call) = trainer(case)?;
    let given = &keyword(call, "train_dataset")?.value;
    let of = name(given)?;
    let set = rows(case, of)?;
    if set.columns.iter().any(|c| c == "input_ids") || !set.parts.is_empty() {
        return None;
    }
    let text = only(
        set.columns
            .iter()
            .filter(|c| !TARGETS.contains(&c.as_str())),
    )?;
    let by = tokenizer(case)?;
    let line = format!(
        "{of} = {of}.map(lambda rows: {by}(rows[{}], truncation=True), batched=True)",
        quoted(text)
    );
    let stmt = crate::find::statement_of(python, call.range())?;
    let mut changes = vec![Editor::new(cell, python).above(stmt, &line)];
    let given = ["processing_class", "tokenizer", "data_collator"];
    if !given.iter().any(|k| keyword(call, k).is_some()) {
        changes.push(Editor::new(cell, python).add(call, &format!("processing_class={by}")));
    }
    case.edits(
        said(
            "tokenize-rows",
            Basis::Assumed,
            format!("Make tokens of the texts first: `{of}.map(…)` with `{by}`"),
            format!("`{of}` has {}, and the model reads `input_ids`. The trainer drops every column that the model does not take.", ticked(&set.columns)),
        ),
        changes,
    )
}

/// Training on rows whose targets have a different name.
pub(super) fn labels(case: &Case<'_>) -> Option<Cure> {
    let (cell, _, call) = trainer(case)?;
    let model = &keyword(call, "model")?.value;
    name(model).filter(|m| is_model(case, m))?;
    let texts = text_columns(case);
    let given: Vec<&Expr> = ["train_dataset", "eval_dataset"]
        .into_iter()
        .filter_map(|k| keyword(call, k).map(|k| &k.value))
        .collect();
    let of = name(given.first()?)?;
    let set = rows(case, of).filter(|r| r.parts.is_empty())?;
    const READ: &[&str] = &["input_ids", "token_type_ids", "attention_mask", "id", "idx"];
    let rest = set
        .columns
        .iter()
        .filter(|c| !READ.contains(&c.as_str()) && !texts.contains(c));
    let target = only(rest).filter(|c| !TARGETS.contains(&c.as_str()))?;
    let step = format!(".rename_column({}, \"labels\")", quoted(target));
    let same = given.iter().filter(|e| {
        name(e)
            .and_then(|n| rows(case, n))
            .is_some_and(|r| r.columns.contains(target))
    });
    let changes = same
        .map(|e| Change::after(cell, *e, step.as_str()))
        .collect();
    case.edits(
        said(
            "name-labels",
            Basis::Assumed,
            format!("Call the targets `labels`: `{of}{step}`"),
            format!("The model computes a loss where it gets `labels`. `{of}` has {}; of these only `{target}` is left for the targets.", ticked(&set.columns)),
        ),
        changes,
    )
}

/// Whether a value comes from the library of data sets, through any steps.
fn is_data_set(case: &Case<'_>, cell: usize, given: &Expr) -> bool {
    let Some(mut at) = case.made(cell, given) else {
        return false;
    };
    for _ in 0..MAX_CHAIN {
        let Some(call) = at.expr.as_call_expr() else {
            return false;
        };
        if case
            .path_of(&call.func)
            .is_some_and(|p| p.starts_with("datasets."))
        {
            return true;
        }
        match receiver(call).and_then(|r| case.made(at.cell, r)) {
            Some(next) => at = next,
            None => return false,
        }
    }
    false
}

/// Dataset rows in a PyTorch loop: they are lists of numbers unless tensors are requested.
pub(super) fn tensors(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let [_, wanted] = python::ATTRIBUTE.read(case.message())?;
    OF_TENSORS.contains(&wanted).then_some(())?;
    only(spot.attributes(wanted))?;
    let stmt = spot.stmt?;
    // The batch itself, or `for k, v in batch.items()` in the line.
    let reads = |n: &str| spot.exprs.iter().any(|e| name(e) == Some(n));
    let mut loops = loops_around(spot.python, stmt).into_iter();
    let over = loops.find(|l| name(&l.target).is_some_and(reads))?;
    let made = case.made(spot.cell, &over.iter)?;
    let loader = made
        .expr
        .as_call_expr()
        .filter(|c| callee(c) == Some("DataLoader"))?;
    let given = positional(loader, 0)?;
    let of = name(given)?;
    let known = rows(case, of).map(|r| r.parts.is_empty());
    known
        .unwrap_or_else(|| is_data_set(case, made.cell, given))
        .then_some(())?;
    case.edits(
        said(
            "torch-format",
            Basis::Library,
            format!("Let the data set give tensors: `{of}.with_format(\"torch\")`"),
            "A data set gives lists of Python's numbers, and the loader keeps a list for each place in the row.",
        ),
        vec![Change::after(made.cell, given, ".with_format(\"torch\")")],
    )
}
