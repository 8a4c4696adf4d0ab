//! The kinds of names in a notebook with Transformers: models, tokenizer outputs, datasets and their columns.

use super::texts::tokenized;
use crate::case::Case;
use crate::find::{callee, name, receiver, text_of};
use crate::keys::strings_of;
use crate::known::Set;
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{calls, each_stmt, keyword, positional, BindKind, Cell};

/// Maximum number of names and calls followed back.
const STEPS: usize = 12;
/// Fields of a tokenizer's output.
const TOKENS: &[&str] = &["input_ids", "token_type_ids", "attention_mask"];
/// Columns that a model reads as targets.
pub(super) const TARGETS: &[&str] = &["label", "labels", "label_ids"];
/// Methods of a model that return the model.
const SAME_MODEL: &[&str] = &["to", "cuda", "cpu", "eval", "train", "half", "float"];
/// Methods of a dataset that return one with the same columns.
const SAME_COLUMNS: &[&str] = &[
    "cast",
    "cast_column",
    "class_encode_column",
    "filter",
    "flatten_indices",
    "select",
    "shard",
    "shuffle",
    "skip",
    "sort",
    "take",
    "with_format",
];

/// The plain value in an assignment.
fn value_of<'c>(set: &Set<'c>) -> Option<&'c Expr> {
    let plain = set.binding.kind == BindKind::Assign && !set.binding.conditional;
    set.binding.value.filter(|_| plain)
}

/// Whether a name is a Transformers model: created by one of its classes, then possibly moved or
/// wrapped.
pub(super) fn is_model(case: &Case<'_>, of: &str) -> bool {
    let sets = case.set_before(of);
    let mut values = sets.iter().take(STEPS).filter_map(value_of);
    values.any(|v| makes_model(case, of, v, STEPS))
}

fn makes_model(case: &Case<'_>, of: &str, value: &Expr, steps: usize) -> bool {
    let Some(call) = value.as_call_expr().filter(|_| steps > 0) else {
        return name(value).is_some_and(|n| n != of && is_model(case, n));
    };
    let path = || case.path_of(&call.func).unwrap_or_default();
    let is_class = |class: &str| class.contains("For") || class.ends_with("Model");
    match callee(call) {
        Some(m) if SAME_MODEL.contains(&m) => {
            receiver(call).is_some_and(|r| makes_model(case, of, r, steps - 1))
        }
        Some("get_peft_model" | "prepare_model_for_kbit_training") => {
            positional(call, 0).is_some_and(|m| makes_model(case, of, m, steps - 1))
        }
        Some("from_pretrained" | "from_config") => {
            let path = path();
            let class = path.rsplit('.').nth(1).unwrap_or("");
            path.starts_with("transformers.") && is_class(class)
        }
        Some(class) => path().starts_with("transformers.") && is_class(class),
        None => false,
    }
}

/// The tokenizer call that created a value, with its cell: found through names and `.to(device)`.
pub(super) fn encoded<'c>(
    case: &'c Case<'c>,
    cell: usize,
    value: &'c Expr,
) -> Option<(usize, &'c Cell, &'c ExprCall)> {
    let mut at = case.made(cell, value)?;
    for _ in 0..STEPS {
        let call = at.expr.as_call_expr()?;
        match (callee(call), receiver(call)) {
            (Some("to" | "convert_to_tensors"), Some(of)) => at = case.made(at.cell, of)?,
            _ => break,
        }
    }
    let call = at.expr.as_call_expr()?;
    let python = case.python(at.cell)?;
    let all = tokenized(case, python);
    let found = all.into_iter().find(|c| std::ptr::eq(*c, call))?;
    Some((at.cell, python, found))
}

/// A dataset, or several named splits.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rows {
    /// Its columns.
    pub(super) columns: Vec<String>,
    /// The names of the splits. Empty for a single dataset.
    pub(super) parts: Vec<String>,
}

/// The Hugging Face dataset that a name stands for, according to its creation or, failing that, to
/// an output.
pub(super) fn rows(case: &Case<'_>, of: &str) -> Option<Rows> {
    rows_of_name(case, of, 0, STEPS).or_else(|| {
        let seen = case.seen_value(of)?;
        let parts = match seen.kind.as_str() {
            "Dataset" => Vec::new(),
            "DatasetDict" => seen.keys.clone(),
            _ => return None,
        };
        let columns = seen.columns.iter().map(|(c, _)| c.clone()).collect();
        Some(Rows { columns, parts })
    })
}

fn rows_of_name(case: &Case<'_>, of: &str, skip: usize, steps: usize) -> Option<Rows> {
    let sets = case.set_before(of);
    let value = value_of(sets.get(skip)?)?;
    rows_of(case, value, of, skip + 1, steps)
}

/// The dataset that an expression in an assignment to `of` stands for. The last `skip` values of
/// `of` are later ones.
fn rows_of(case: &Case<'_>, value: &Expr, of: &str, skip: usize, steps: usize) -> Option<Rows> {
    let steps = steps.checked_sub(1)?;
    match value {
        Expr::Name(n) if n.id.as_str() == of => rows_of_name(case, of, skip, steps),
        Expr::Name(n) => rows_of_name(case, n.id.as_str(), 0, steps),
        Expr::Subscript(s) => {
            let part = text_of(&s.slice)?;
            let mut all = rows_of(case, &s.value, of, skip, steps)?;
            all.parts.iter().any(|p| p == part).then_some(())?;
            all.parts.clear();
            Some(all)
        }
        Expr::Call(c)
            if case
                .path_of(&c.func)
                .is_some_and(|p| p == "datasets.DatasetDict") =>
        {
            let all = positional(c, 0)?.as_dict_expr()?;
            let keys = all.items.iter().map(|i| i.key.as_ref().and_then(text_of));
            let parts = keys.map(|k| k.map(str::to_owned)).collect::<Option<_>>()?;
            let first = all.items.first().map(|i| &i.value);
            let first = first.and_then(|v| rows_of(case, v, of, skip, steps));
            Some(Rows {
                parts,
                ..first.unwrap_or_default()
            })
        }
        Expr::Call(c) => {
            let on = receiver(c)?;
            if callee(c) == Some("from_dict") {
                let table = case.path_of(on).is_some_and(|p| p == "datasets.Dataset");
                let keys = positional(c, 0).filter(|_| table)?.as_dict_expr()?;
                let keys = keys.items.iter().map(|i| i.key.as_ref().and_then(text_of));
                let columns = keys.map(|k| k.map(str::to_owned)).collect::<Option<_>>()?;
                return Some(Rows {
                    columns,
                    parts: Vec::new(),
                });
            }
            after_call(case, c, rows_of(case, on, of, skip, steps)?)
        }
        _ => None,
    }
}

/// The result of a dataset method.
fn after_call(case: &Case<'_>, call: &ExprCall, mut on: Rows) -> Option<Rows> {
    match callee(call)? {
        m if SAME_COLUMNS.contains(&m) => {}
        "train_test_split" if on.parts.is_empty() => {
            on.parts = vec!["train".to_owned(), "test".to_owned()];
        }
        "rename_column" => {
            let (old, new) = (positional(call, 0)?, positional(call, 1)?);
            let (old, new) = (text_of(old)?, text_of(new)?);
            *on.columns.iter_mut().find(|c| *c == old)? = new.to_owned();
        }
        "remove_columns" => {
            let gone = strings_of(positional(call, 0)?);
            on.columns.retain(|c| !gone.iter().any(|(g, _)| g == c));
        }
        "select_columns" => {
            let kept = strings_of(positional(call, 0)?);
            on.columns.retain(|c| kept.iter().any(|(k, _)| k == c));
        }
        "add_column" => on.columns.push(text_of(positional(call, 0)?)?.to_owned()),
        "map" => {
            let made = returned(case, positional(call, 0)?)?;
            if let Some(k) = keyword(call, "remove_columns") {
                match k.value.as_attribute_expr() {
                    Some(a) if a.attr.as_str() == "column_names" => on.columns.clear(),
                    _ => {
                        let gone = strings_of(&k.value);
                        on.columns.retain(|c| !gone.iter().any(|(g, _)| g == c));
                    }
                }
            }
            for column in made {
                if !on.columns.contains(&column) {
                    on.columns.push(column);
                }
            }
        }
        _ => return None,
    }
    Some(on)
}

/// The columns that a `map` function returns.
fn returned(case: &Case<'_>, function: &Expr) -> Option<Vec<String>> {
    let (cell, value) = match function {
        Expr::Lambda(l) => (case.at, &*l.body),
        Expr::Name(n) => {
            let set = case.last_set(n.id.as_str())?;
            let def = set.binding.stmt.as_function_def_stmt()?;
            let mut values = Vec::new();
            each_stmt(&def.body, &mut |s| {
                if let Stmt::Return(r) = s {
                    values.push(r.value.as_deref());
                }
            });
            let [Some(value)] = values[..] else {
                return None;
            };
            (set.cell, value)
        }
        _ => return None,
    };
    if let Some(d) = value.as_dict_expr() {
        let keys = d.items.iter().map(|i| i.key.as_ref().and_then(text_of));
        return keys.map(|k| k.map(str::to_owned)).collect();
    }
    let call = value.as_call_expr()?;
    let by_tokenizer = |cell: usize| {
        let python = case.python(cell);
        python.is_some_and(|p| tokenized(case, p).iter().any(|t| std::ptr::eq(*t, call)))
    };
    let lambda = case.seen().into_iter().any(by_tokenizer);
    (lambda || by_tokenizer(cell)).then(|| TOKENS.iter().map(|t| (*t).to_owned()).collect())
}

/// The columns that the tokenizer reads: `tokenizer(rows["text"])`.
pub(super) fn text_columns(case: &Case<'_>) -> Vec<String> {
    let mut out = Vec::new();
    for python in case.seen().into_iter().filter_map(|c| case.python(c)) {
        for call in tokenized(case, python) {
            let read = call
                .arguments
                .args
                .iter()
                .filter_map(|a| a.as_subscript_expr());
            out.extend(read.filter_map(|s| text_of(&s.slice)).map(str::to_owned));
        }
    }
    out
}

/// Whether a dataset's `map` or `filter` calls a function or lambda, and whether it passes many
/// rows at once.
pub(super) fn mapped<'c>(
    case: &'c Case<'c>,
    is: impl Fn(&Expr) -> bool,
) -> Option<(&'c ExprCall, bool)> {
    let mut found = None;
    for python in case.seen().into_iter().filter_map(|c| case.python(c)) {
        for call in calls(python.body()) {
            if matches!(callee(call), Some("map" | "filter"))
                && positional(call, 0).is_some_and(&is)
            {
                let batched = keyword(call, "batched");
                let many = batched.is_some_and(|k| python.slice(&k.value) == "True");
                found = Some((call, many));
            }
        }
    }
    found
}

/// Names in backticks: `a`, `b` and `c`.
pub(super) fn ticked(names: &[String]) -> String {
    let all: Vec<String> = names.iter().take(12).map(|n| format!("`{n}`")).collect();
    match all.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => all.join(""),
    }
}
