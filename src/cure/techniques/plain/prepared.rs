//! Values to prepare before use: transformed by fitted steps, dense, numeric, tracked, called.

use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{callee, name, only, receiver, said, text_of, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{each_below, keyword, positional};
use nbmedic_wordings::{pandas, sklearn, torch};

/// Methods that take transformed data.
const TAKES: &[&str] = &[
    "predict",
    "predict_proba",
    "decision_function",
    "score",
    "transform",
];
/// Functions that create a tensor from a shape or values.
const MAKES: &[&str] = &["zeros", "ones", "randn", "rand", "tensor", "full", "empty"];
/// Common names of trained values.
const TRAINED: &[&str] = &[
    "w", "b", "weight", "weights", "bias", "theta", "param", "params",
];
/// Maximum number of names followed from a loss back to its tensors.
const STEPS: usize = 6;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    out.extend(match case.class() {
        "ValueError" if sklearn::FEATURES_EXPECTED.is_in(message) => fitted_again(case),
        "TypeError" if sklearn::DENSE_REQUIRED.is_in(message) => dense(case),
        "TypeError" if pandas::REDUCTION.read(message).is_some() => text_column(case),
        "RuntimeError" if torch::NO_GRAD.is_in(message) => untracked(case),
        "TypeError" | "UFuncTypeError" if message.contains("dtype('<U") => text_numbers(case),
        "TypeError" if case.in_library() => views(case),
        "AttributeError" if message.contains("no attribute 'predict_proba'") => shares(case),
        "ValueError" if message.starts_with("'c' argument must be a color") => colours(case),
        _ => None,
    });
}

/// The expression, or the last value of the name that it is, with its cell.
fn made<'c>(case: &'c Case<'c>, spot: &Spot<'c>, e: &'c Expr) -> Option<(usize, &'c Expr)> {
    match name(e) {
        Some(name) => case.value(name),
        None => Some((spot.cell, e)),
    }
}

/// New data was transformed by refitting the steps: `m.predict(v.fit_transform(new))`.
fn fitted_again(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let takes = |c: &&ExprCall| callee(c).is_some_and(|f| TAKES.contains(&f));
    let call = only(spot.calls().filter(takes))?;
    let (cell, value) = made(case, &spot, positional(call, 0)?)?;
    let step = value.as_call_expr()?;
    if callee(step) != Some("fit_transform") {
        return None;
    }
    let of = name(receiver(step)?)?;
    // It was fitted before on the model's training data.
    let fits = [format!("{of}.fit_transform("), format!("{of}.fit(")];
    let cells = case.book.cells().iter();
    let times: usize = cells
        .map(|c| {
            fits.iter()
                .map(|f| c.source.matches(f.as_str()).count())
                .sum::<usize>()
        })
        .sum();
    if times < 2 {
        return None;
    }
    let attribute = step.func.as_attribute_expr()?;
    case.edits(
        said(
            "transform-new-data",
            Basis::Source,
            format!("Prepare the new data with what `{of}` learnt: `{of}.transform`"),
            format!("`fit_transform` learns new columns from the new data; the model knows those that `{of}` found in training."),
        ),
        vec![Change::replace(cell, &attribute.attr, "transform")],
    )
}

/// A sparse matrix where an array is required.
fn dense(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let fits =
        |c: &&ExprCall| callee(c).is_some_and(|f| f.starts_with("fit") || TAKES.contains(&f));
    let call = only(spot.calls().filter(fits))?;
    let given = positional(call, 0)?;
    let (cell, value) = made(case, &spot, given)?;
    let is_step = |e: &Expr| {
        let call = e.as_call_expr();
        call.and_then(callee)
            .is_some_and(|f| f == "fit_transform" || f == "transform")
    };
    // A change where it is created affects everything else that uses it.
    let (cell, place) = match is_step(value) {
        true => (cell, value),
        false => (spot.cell, given),
    };
    let was = spot.text(given);
    case.edits(
        said(
            "dense-matrix",
            Basis::Assumed,
            format!("Make `{was}` an array: `.toarray()`"),
            "It keeps only what is not 0, and this model reads every value. An array of many columns takes much more memory.",
        ),
        vec![Change::after(cell, place, ".toarray()")],
    )
}

/// `d["age"].mean()` of a column with numbers stored as strings.
fn text_column(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let pd = case.alias_of("pandas")?;
    let reduced = |c: &ExprCall| {
        let column = receiver(c)?.as_subscript_expr()?;
        column.slice.as_string_literal_expr()?;
        let named = format!("'{}'", callee(c)?);
        case.message().contains(&named).then_some(())
    };
    let call = only(spot.calls().filter(|c| reduced(c).is_some()))?;
    let column = receiver(call)?;
    let text = spot.text(column);
    let line = format!("{text} = {pd}.to_numeric({text}, errors=\"coerce\")");
    case.edits(
        said(
            "column-to-numbers",
            Basis::Assumed,
            format!("Make the column numbers first: `{line}`"),
            format!("`{text}` holds text. What isn't a number becomes a missing value."),
        ),
        vec![spot.editor().above(spot.stmt?, &line)],
    )
}

/// A list of quoted numbers passed to NumPy.
fn text_numbers(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let is_number = |e: &Expr| {
        let text = e.as_string_literal_expr().map(|s| s.value.to_str());
        text.is_some_and(|t| t.trim().parse::<f64>().is_ok())
    };
    let quoted_numbers = |e: &&Expr| {
        let value = name(e).and_then(|n| case.value(n));
        value
            .and_then(|(_, v)| v.as_list_expr())
            .is_some_and(|l| !l.elts.is_empty() && l.elts.iter().all(is_number))
    };
    let given = spot.calls().flat_map(|c| c.arguments.args.iter());
    let list = only(given.filter(quoted_numbers))?;
    let was = spot.text(list);
    let new = format!("[float(v) for v in {was}]");
    case.edits(
        said(
            "numbers-of-text",
            Basis::Source,
            format!("Make numbers of the texts: `{new}`"),
            format!("`{was}` holds numbers in quotes, which are text."),
        ),
        vec![Change::replace(spot.cell, list, new)],
    )
}

/// `loss.backward()` with tensors that PyTorch doesn't track.
fn untracked(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let back = only(spot.calls().filter(|c| callee(c) == Some("backward")))?;
    let mut names = Vec::new();
    let mut plain = true;
    leaves(case, receiver(back)?, STEPS, &mut names, &mut plain);
    names.sort_unstable();
    names.dedup();
    let tracked = names.iter().filter(|n| {
        let lower = n.to_lowercase();
        TRAINED.iter().any(|t| {
            lower == *t
                || lower.starts_with(&format!("{t}_"))
                || lower.trim_end_matches(|c: char| c.is_ascii_digit()) == *t
        })
    });
    let mut changes = Vec::new();
    let mut told = Vec::new();
    for name in tracked {
        let (cell, value) = case.value(name)?;
        let call = value.as_call_expr()?;
        changes.push(Editor::new(cell, case.python(cell)?).add(call, "requires_grad=True"));
        told.push(format!("`{name}`"));
    }
    if changes.is_empty() || !plain {
        return None;
    }
    case.edits(
        said(
            "track-parameters",
            Basis::Assumed,
            format!("Let PyTorch follow {}: `requires_grad=True`", told.join(", ")),
            "Nothing that the loss is computed from is followed, so there is no way back. Models of `torch.nn` do this for their parameters.",
        ),
        changes,
    )
}

/// The names of the tensors that a value is computed from, created by `torch.zeros` and the like.
/// `plain` becomes false if there is a model, a detached value or the like on the way.
fn leaves(case: &Case<'_>, e: &Expr, steps: usize, out: &mut Vec<String>, plain: &mut bool) {
    each_below(e, &mut |e| {
        let cut = e.as_attribute_expr().is_some_and(|a| {
            matches!(
                a.attr.as_str(),
                "detach" | "item" | "data" | "numpy" | "no_grad"
            )
        });
        *plain &= !cut;
        let Some(name) = e.as_name_expr().map(|n| n.id.as_str()) else {
            return;
        };
        let Some((_, value)) = case.value(name) else {
            return;
        };
        let call = value.as_call_expr();
        let path = call.and_then(|c| case.path_of(&c.func));
        let is_made = path
            .as_deref()
            .and_then(|p| p.strip_prefix("torch."))
            .is_some_and(|f| MAKES.contains(&f));
        match (is_made, call) {
            (true, Some(c)) if keyword(c, "requires_grad").is_none() => out.push(name.to_owned()),
            (true, _) => *plain = false,
            _ if steps > 0 => leaves(case, value, steps - 1, out, plain),
            _ => {}
        }
    });
}

/// Classifiers that provide probabilities only on request, and the argument that requests them.
const ASKED: &[(&str, &str, &str)] = &[
    ("SVC", "probability", "True"),
    ("NuSVC", "probability", "True"),
    ("SGDClassifier", "loss", "\"log_loss\""),
    ("VotingClassifier", "voting", "\"soft\""),
];

/// `m.predict_proba(X)` of a classifier created without probabilities.
fn shares(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = only(spot.calls().filter(|c| callee(c) == Some("predict_proba")))?;
    let model = name(receiver(call)?)?;
    let (cell, value) = case.value(model)?;
    let mut found = None;
    each_below(value, &mut |e| {
        let Some(c) = e.as_call_expr() else { return };
        let class = callee(c).unwrap_or("");
        let asked = ASKED.iter().find(|(of, ..)| *of == class);
        found = found.or(asked.map(|asked| (c, asked)));
    });
    let (made, (class, argument, value)) = found?;
    let python = case.python(cell)?;
    let asked = format!("{argument}={value}");
    let change = match keyword(made, argument) {
        Some(k) => Change::replace(cell, &k.value, *value),
        None => Editor::new(cell, python).add(made, &asked),
    };
    case.edits(
        said(
            "ask-for-probabilities",
            Basis::Assumed,
            format!("Make the model with `{asked}`, and fit it again"),
            format!("`{class}` gives probabilities only if it is made for them."),
        ),
        vec![change],
    )
}

/// `plt.scatter(x, y, c=labels)`: strings aren't colours.
fn colours(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let given = spot
        .calls()
        .filter_map(|c| keyword(c, "c"))
        .map(|k| &k.value);
    let words = only(given.filter(|v| v.is_name_expr() || v.is_subscript_expr()))?;
    let was = spot.text(words);
    if let Some(cure) = palette(case, &spot, words) {
        return Some(cure);
    }
    let new = match case.alias_of("pandas") {
        Some(pd) => format!("{pd}.Categorical({was}).codes"),
        None => format!("[sorted(set({was})).index(v) for v in {was}]"),
    };
    case.edits(
        said(
            "numbers-for-colours",
            Basis::Assumed,
            format!("Give each of its values a number: `c={new}`"),
            format!("`c` takes colours or numbers, which the colour map turns into colours; `{was}` holds words."),
        ),
        vec![Change::replace(spot.cell, words, new)],
    )
}

/// The notebook has a dict with a colour for each word.
fn palette(case: &Case<'_>, spot: &Spot<'_>, words: &Expr) -> Option<Cure> {
    let named = |n: &str| {
        ["color", "colour", "palette", "cmap"]
            .iter()
            .any(|w| n.to_lowercase().contains(w))
    };
    let mut found = Vec::new();
    for cell in case.seen() {
        let binds = case
            .python(cell)
            .map(|p| p.names().binds.clone())
            .unwrap_or_default();
        found.extend(binds.into_iter().filter_map(|b| {
            let dict = b.value?.as_dict_expr()?;
            let texts = dict.iter_values().all(|v| text_of(v).is_some());
            (named(b.name) && texts && !dict.items.is_empty()).then(|| b.name.to_owned())
        }));
    }
    found.dedup();
    let colours = only(found.into_iter())?;
    let made = case.made(spot.cell, words)?;
    let python = case.python(made.cell)?;
    let was = python.slice(made.expr);
    let new = match &*case.kind_name(made.cell, made.expr) {
        "Series" => format!("{}.map({colours})", crate::find::tight(python, made.expr)),
        _ => format!("[{colours}[v] for v in {was}]"),
    };
    case.edits(
        said(
            "colours-of-words",
            Basis::Assumed,
            format!("Take the colour of each word: `{new}`"),
            format!("`c` takes colours or numbers, and `{was}` holds words; `{colours}` has a colour for each."),
        ),
        vec![Change::replace(made.cell, made.expr, new)],
    )
}

/// `plt.bar(counts.keys, counts.values)`: dict methods that weren't called.
fn views(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let is_view = |e: &&Expr| {
        e.as_attribute_expr().is_some_and(|a| {
            matches!(a.attr.as_str(), "keys" | "values" | "items")
                && name(&a.value)
                    .and_then(|n| case.value(n))
                    .is_some_and(|(_, v)| v.is_dict_expr() || v.is_dict_comp_expr())
        })
    };
    let given = spot.calls().flat_map(|c| c.arguments.args.iter());
    let found: Vec<&Expr> = given.filter(is_view).collect();
    let first = found.first()?;
    let shown = spot.text(*first);
    case.edits(
        said(
            "call-view",
            Basis::Language,
            format!("Call it: `{shown}()`"),
            "Without brackets it is the method, not what the dictionary holds.",
        ),
        found
            .iter()
            .map(|e| spot.editor().append(*e, "()"))
            .collect(),
    )
}
