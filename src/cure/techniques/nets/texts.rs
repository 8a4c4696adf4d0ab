//! Transformers and related libraries: tokenizers, labels, datasets, training arguments.

use super::super::shapes::scan::Scan;
use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{callee, name, one_line, only, receiver, said, tight, Spot};
use crate::table::Kind;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, keyword, positional, Cell};
use nbmedic_wordings::{pyarrow, torch, transformers};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if transformers::PADDING_TOKEN.is_in(text) {
        out.extend(pad_token(case));
    } else if transformers::ACTIVATE_PADDING.is_in(text) {
        out.extend(padded(case));
    } else if torch::EXPANDED_SIZE.is_in(text)
        || torch::SIZES_OF_OPERANDS.is_in(text)
        || torch::INDEX_IN_SELF.begins(text)
    {
        out.extend(added(case).or_else(|| long(case)));
    } else if torch::TARGET_OUTSIDE.read(text).is_some() {
        out.extend(labels(case));
    } else if text.contains("ignore_mismatched_sizes") {
        out.extend(other_head(case));
    } else if pyarrow::COLUMN_LENGTH.read(text).is_some() && case.imports("datasets") {
        out.extend(columns(case));
    } else if transformers::STRATEGIES.is_in(text) {
        out.extend(strategies(case));
    } else if transformers::CUDA_PRECISION.is_in(text)
        || text.contains("fp16 mixed precision requires a GPU")
        || transformers::BF16_SETUP.is_in(text)
    {
        out.extend(precision(case));
    } else if transformers::TEXT_INPUT.is_in(text) || transformers::ENCODE_INPUT.is_in(text) {
        out.extend(plain_texts(case));
    }
}

/// Whether a name is a tokenizer, called to turn texts into token ids.
pub(super) fn is_tokenizer(case: &Case<'_>, n: &str) -> bool {
    if n.starts_with(char::is_uppercase) {
        return false;
    }
    let made = case
        .last_set(n)
        .and_then(|s| s.binding.value)
        .and_then(Expr::as_call_expr)
        .is_some_and(|c| {
            let class = receiver(c)
                .and_then(name)
                .or_else(|| name(&c.func))
                .unwrap_or("");
            // The tokenizers library has its own `Tokenizer`, which trains one.
            class.contains("Tokenizer") && class != "Tokenizer"
        });
    made || n.to_lowercase().contains("tokenizer")
}

/// The tokenizer calls in a cell.
pub(super) fn tokenized<'c>(case: &Case<'_>, python: &'c Cell) -> Vec<&'c ExprCall> {
    let mut all = calls(python.body());
    all.retain(|c| match &*c.func {
        Expr::Name(n) => is_tokenizer(case, n.id.as_str()),
        Expr::Attribute(a) => {
            name(&a.value).is_some_and(|n| is_tokenizer(case, n))
                && matches!(
                    a.attr.as_str(),
                    "encode_plus" | "batch_encode_plus" | "encode" | "tokenizer"
                )
                || a.attr.as_str() == "tokenizer"
        }
        _ => false,
    });
    all
}

/// The tokenizer call that the failure is about: the one on the failing line, or the only one.
fn call_of<'c>(case: &'c Case<'c>) -> Option<(usize, &'c Cell, &'c ExprCall)> {
    for spot in case.spots() {
        let here = tokenized(case, spot.python);
        let line = spot.calls().find(|c| {
            here.iter()
                .any(|h| h.func == c.func && h.arguments == c.arguments)
        });
        if let Some(call) = line {
            return Some((spot.cell, spot.python, call));
        }
    }
    let mut all = Vec::new();
    for at in case.seen() {
        if let Some(python) = case.python(at) {
            all.extend(tokenized(case, python).into_iter().map(|c| (at, python, c)));
        }
    }
    only(all.into_iter())
}

fn pad_token(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, call) = call_of(case)?;
    let of = match &*call.func {
        Expr::Name(n) => n.id.to_string(),
        Expr::Attribute(a) if matches!(a.attr.as_str(), "tokenizer") => {
            python.slice(&*call.func).to_owned()
        }
        Expr::Attribute(a) => python.slice(&*a.value).to_owned(),
        _ => return None,
    };
    // A token that the vocabulary has for it.
    let own = ["<pad>", "[PAD]"].into_iter().find(|t| {
        let mut all = case.seen().into_iter().map(|c| case.book.cells()[c].source);
        all.any(|source| source.contains(&format!("\"{t}\"")) || source.contains(&format!("'{t}'")))
    });
    let line = match own {
        Some(token) => format!("{of}.pad_token = \"{token}\""),
        None => format!("{of}.pad_token = {of}.eos_token"),
    };
    // After the tokenizer is created, if its name is global.
    let made = case.last_set(&of).filter(|s| s.binding.function.is_none());
    let change = match made.and_then(|s| Some((s.cell, case.python(s.cell)?, s.binding.at))) {
        Some((at, python, range)) if at != cell => {
            let stmt = crate::find::statement_of(python, range)?;
            Editor::new(at, python).below(stmt, &line)
        }
        _ => {
            let stmt = crate::find::statement_of(python, call.range)?;
            Editor::new(cell, python).above(stmt, &line)
        }
    };
    let (title, why) = match own {
        Some(token) => (
            format!("Tell the tokenizer its token for padding: `{line}`"),
            format!("The vocabulary has `{token}`, and the tokenizer was not told what it is for."),
        ),
        None => (
            format!("Fill with the end token: `{line}`"),
            "The model was trained without padding, so its tokenizer has no token for it; the attention mask hides what is filled.".to_owned(),
        ),
    };
    case.edits(said("pad-token", Basis::Assumed, title, why), vec![change])
}

fn padded(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, call) = call_of(case)?;
    let mut missing = Vec::new();
    if keyword(call, "padding").is_none() {
        missing.push("padding=True");
    }
    if keyword(call, "truncation").is_none() {
        missing.push("truncation=True");
    }
    if missing.is_empty() {
        return None;
    }
    let text = missing.join(", ");
    case.edits(
        said(
            "pad-texts",
            Basis::Library,
            format!(
                "Make the texts of a batch equally long: `{text}` in `{}`",
                one_line(python.slice(&*call.func))
            ),
            "The texts have different numbers of tokens; a tensor has rows of one length.",
        ),
        vec![Editor::new(cell, python).add(call, &text)],
    )
}

/// A call of a Transformers model with the tokenizer's output: `model(**batch)`.
fn model_call<'c>(spot: &Spot<'c>) -> Option<&'c ExprCall> {
    let all = spot.calls().filter(|c| {
        let starred = c.arguments.keywords.iter().any(|k| k.arg.is_none());
        let ids = keyword(c, "input_ids").is_some() || callee(c) == Some("generate");
        starred || ids
    });
    only(all)
}

/// Tokens were added, but the model's embedding wasn't resized.
fn added(case: &Case<'_>) -> Option<Cure> {
    torch::INDEX_IN_SELF.begins(case.message()).then_some(())?;
    let spot = case.spot()?;
    let model = name(&model_call(&spot)?.func)?;
    let mut tokenizer = None;
    for at in case.seen() {
        for c in case.python(at).map(|p| calls(p.body())).unwrap_or_default() {
            match callee(c) {
                Some("resize_token_embeddings") => return None,
                Some("add_tokens" | "add_special_tokens") => {
                    tokenizer = receiver(c).and_then(name).or(tokenizer)
                }
                _ => {}
            }
        }
    }
    let line = format!("{model}.resize_token_embeddings(len({}))", tokenizer?);
    case.edits(
        said(
            "resize-embeddings",
            Basis::Source,
            format!("Make the model's table as large as the vocabulary: `{line}`"),
            format!(
                "`{}` got new tokens, for which `{model}` has no rows yet.",
                tokenizer?
            ),
        ),
        vec![spot.editor().above(spot.stmt?, &line)],
    )
}

/// A text with more tokens than the model has positions.
fn long(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    let spot = case.spot()?;
    model_call(&spot)?;
    let of_two = || {
        torch::SIZES_OF_OPERANDS
            .numbers(text)
            .map(|[a, b, _]| [a, b])
    };
    let sizes = torch::EXPANDED_SIZE.numbers(text).or_else(of_two);
    let (cell, python, call) = call_of(case)?;
    if keyword(call, "truncation").is_some() || keyword(call, "max_length").is_some() {
        return None;
    }
    let (limit, why) = match sizes {
        Some([length, places]) if length > places => (
            format!(", max_length={places}"),
            format!("The text has {length} tokens, and the model has places for {places}. What is cut off is lost: split long texts to keep all of it."),
        ),
        None => (
            ", max_length=512".to_owned(),
            "A text has more tokens than the model has places, which are 512 for most models of BERT's kind. What is cut off is lost.".to_owned(),
        ),
        _ => return None,
    };
    let text = format!("truncation=True{limit}");
    case.edits(
        said(
            "truncate",
            Basis::Assumed,
            format!("Cut the text at the model's length: `{text}`"),
            why,
        ),
        vec![Editor::new(cell, python).add(call, &text)],
    )
}

/// The calls that create a Transformers model: `from_pretrained`, or a configuration.
fn made<'c>(case: &'c Case<'c>) -> Vec<(usize, &'c Cell, &'c ExprCall)> {
    let mut out = Vec::new();
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        for c in calls(python.body()) {
            let func = python.slice(&*c.func);
            let model = func.contains("For") && func.ends_with(".from_pretrained");
            let config = func.ends_with("Config") && case.imports("transformers");
            if model || config {
                out.push((at, python, c));
            }
        }
    }
    out
}

/// `Target 2 is out of bounds.` with a head that has fewer labels.
fn labels(case: &Case<'_>) -> Option<Cure> {
    let [class] = torch::TARGET_OUTSIDE.numbers(case.message())?;
    let spot = case.spot()?;
    let feeds = |c: &&ExprCall| {
        let starred = c.arguments.keywords.iter().any(|k| k.arg.is_none());
        keyword(c, "labels").is_some() || starred || callee(c) == Some("train")
    };
    let fed = spot.calls().find(|c| feeds(c))?;
    let (cell, python, call) = only(made(case).into_iter())?;
    let scan = Scan::of(case);
    let found = scan.found(cell, call);
    let now = keyword(call, "num_labels")
        .and_then(|k| scan.value(&found?, &k.value))
        .unwrap_or(2);
    if class < now {
        return None;
    }
    // A batch need not hold the largest one.
    let all = keyword(fed, "labels")
        .and_then(|k| name(&k.value))
        .filter(|n| {
            let ran = |cell: usize| case.book.cells()[cell].ran;
            let set = case
                .last_set(n)
                .filter(|s| s.cell != cell && ran(s.cell) < ran(cell));
            let value = set.and_then(|s| Some((s.cell, s.binding.value?)));
            value.is_some_and(|(at, v)| matches!(case.kind(at, v), Kind::Tensor | Kind::Array))
        });
    let count = match all {
        Some(labels) => format!("int({labels}.max()) + 1"),
        None => (class + 1).to_string(),
    };
    case.edits(
        said(
            "num-labels",
            Basis::Assumed,
            format!("Give the model a label more than the largest: `num_labels={count}`"),
            format!("A label is {class}, and the model has {now} labels, 0 to {}. If there are {now} classes only, number them from 0 instead.", now - 1),
        ),
        vec![Editor::new(cell, python).set(call, "num_labels", &count)],
    )
}

fn other_head(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("from_pretrained")?;
    case.edits(
        said(
            "new-head",
            Basis::Named,
            "Replace the head that does not fit: `ignore_mismatched_sizes=True`",
            "The saved head has another number of labels. A new one is made, which has to be trained; all other layers keep their weights.",
        ),
        vec![spot.editor().set(call, "ignore_mismatched_sizes", "True")],
    )
}

/// `Column 2 named word expected length 3 but got length 17`.
fn columns(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("map")?;
    let of = tight(spot.python, receiver(call)?);
    if keyword(call, "remove_columns").is_some() {
        return None;
    }
    let text = format!("remove_columns={of}.column_names");
    case.edits(
        said(
            "drop-columns",
            Basis::Library,
            format!("Drop the old columns: `{text}`"),
            "The function gives another number of rows than it gets; the old columns have the old number.",
        ),
        vec![spot.editor().add(call, &text)],
    )
}

fn arguments<'c>(case: &'c Case<'c>) -> Option<(usize, &'c Cell, &'c ExprCall)> {
    let mut all = Vec::new();
    for at in case.seen() {
        if let Some(python) = case.python(at) {
            let found = calls(python.body()).into_iter().filter(|c| {
                callee(c).is_some_and(|n| {
                    n.ends_with("TrainingArguments")
                        || n.ends_with("Config") && keyword(c, "output_dir").is_some()
                })
            });
            all.extend(found.map(|c| (at, python, c)));
        }
    }
    let here = all.iter().find(|(at, ..)| *at == case.at).copied();
    here.or_else(|| only(all.into_iter()))
}

/// The evaluation strategy in the message: `Evaluation strategy: IntervalStrategy.EPOCH`.
fn evaluated(case: &Case<'_>) -> Option<String> {
    let (_, rest) = case.message().split_once("Evaluation strategy: ")?;
    let found = rest.lines().next()?.rsplit('.').next()?.trim();
    ["EPOCH", "STEPS"]
        .contains(&found)
        .then(|| format!("\"{}\"", found.to_lowercase()))
}

fn strategies(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, call) = arguments(case)?;
    let eval = ["eval_strategy", "evaluation_strategy"]
        .into_iter()
        .find_map(|n| keyword(call, n).map(|k| (n, python.slice(&k.value))));
    let save = keyword(call, "save_strategy").map(|k| python.slice(&k.value));
    // With `**common`, a keyword that isn't listed here may still be passed.
    let more = call.arguments.keywords.iter().any(|k| k.arg.is_none());
    let (set, value) = match (eval, save) {
        (Some(_), None) if more => return None,
        (Some((_, value)), _) => ("save_strategy", value.to_owned()),
        (None, Some(_)) if more => ("save_strategy", evaluated(case)?),
        (None, Some(value)) => ("eval_strategy", value.to_owned()),
        (None, None) => return None,
    };
    case.edits(
        said(
            "same-strategy",
            Basis::Source,
            format!("Save as often as you evaluate: `{set}={value}`"),
            "To load the best model at the end, each evaluation needs its own checkpoint.",
        ),
        vec![Editor::new(cell, python).set(call, set, &value)],
    )
}

fn precision(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, call) = arguments(case)?;
    let torch = case.alias_of("torch");
    let on = ["fp16", "bf16", "fp16_full_eval", "bf16_full_eval"]
        .into_iter()
        .filter_map(|n| {
            keyword(call, n)
                .filter(|k| python.slice(&k.value) == "True")
                .map(|k| (n, k))
        });
    let all: Vec<_> = on.collect();
    let (first, _) = all.first()?;
    let changes = all
        .iter()
        .map(|(n, k)| {
            let value = match (&torch, n.starts_with("fp16")) {
                (Some(torch), true) => format!("{torch}.cuda.is_available()"),
                _ => "False".to_owned(),
            };
            Change::replace(cell, &k.value, value)
        })
        .collect();
    case.edits(
        said(
            "precision-by-device",
            Basis::Assumed,
            format!("Use `{first}` on a suitable GPU only"),
            "There is none here, so it trains in 32 bits, and slowly: choose a GPU in the notebook's settings to train with less.",
        ),
        changes,
    )
}

/// A pandas column, possibly with missing values, passed to a tokenizer.
fn plain_texts(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, call) = call_of(case)?;
    let texts = positional(call, 0)?;
    let was = python.slice(texts);
    let already = was.contains(".tolist()") || was.contains("list(");
    let base = match was
        .strip_suffix(".tolist()")
        .or_else(|| was.strip_suffix(".values"))
    {
        Some(base) => base.to_owned(),
        None if already => return None,
        None => tight(python, texts),
    };
    if base.ends_with(".astype(str)") {
        return None;
    }
    let table = matches!(
        texts,
        Expr::Subscript(_) | Expr::Name(_) | Expr::Attribute(_) | Expr::Call(_)
    );
    let inside = crate::known::function_around(python, call).is_some();
    if !table || inside || !case.imports("pandas") {
        return None;
    }
    let new = format!("{base}.astype(str).tolist()");
    case.edits(
        said(
            "list-of-texts",
            Basis::Assumed,
            format!("Give the tokenizer a list of texts: `{}`", one_line(&new)),
            "It takes a text or a list of texts: no column of pandas, and no missing value among them. A missing one becomes the text `nan`; drop those rows before if they should not count.",
        ),
        vec![Change::replace(cell, texts, new)],
    )
}
