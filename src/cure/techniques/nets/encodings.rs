//! Between tokenizer, model and result: values passed whole or as lists, or results used directly.

use super::hub::{encoded, is_model};
use crate::case::Case;
use crate::code::{argument, Editor};
use crate::edit::Change;
use crate::find::{
    callee, int_of, look, loops_around, name, one_line, only, receiver, said, text_of,
};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, keyword, name_of, positional};
use nbmedic_wordings::{python, torch};

/// Fields of the argument of `compute_metrics`: what people write, and the real name.
const OF_EVALUATION: &[(&str, &str)] = &[
    ("logits", "predictions"),
    ("preds", "predictions"),
    ("prediction", "predictions"),
    ("outputs", "predictions"),
    ("scores", "predictions"),
    ("labels", "label_ids"),
    ("label", "label_ids"),
    ("targets", "label_ids"),
    ("references", "label_ids"),
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let lacks = python::ATTRIBUTE.read(message).map(|[kind, _]| kind);
    match case.class() {
        "AttributeError"
            if message.is_empty() || matches!(lacks, Some("BatchEncoding" | "dict")) =>
        {
            out.extend(unpacked(case));
        }
        "AttributeError" if lacks == Some("list") => {
            out.extend(as_tensors(case).or_else(|| label_list(case)));
        }
        "ValueError" if message.starts_with("not enough values to unpack (expected 2, got 1)") => {
            out.extend(batch_axis(case));
        }
        "ValueError" if torch::BATCH_SIZES.is_in(message) => {
            out.extend(label_count(case, message));
        }
        "AttributeError" => out.extend(field(case, message)),
        "TypeError" if torch::MUST_BE_TENSOR.read(message) == Some(["list"]) => {
            out.extend(as_tensors(case));
        }
        "TypeError" if torch::MUST_BE_TENSOR.is_in(message) => out.extend(whole_result(case)),
        "TypeError" if python::LIST_INDEX.begins(message) => {
            out.extend(first_result(case));
        }
        "ValueError" if message.contains("attention heads") || message.contains("num_heads") => {
            out.extend(heads(case, message));
        }
        "ValueError" if torch::TARGET_SIZE_OF_LOGITS.begins(message) => {
            out.extend(class_numbers(case));
        }
        _ => {}
    }
}

/// `model(enc)`: the encoding is a dict of keyword arguments.
fn unpacked(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let found = spot.calls().filter_map(|c| {
        let [given] = &*c.arguments.args else {
            return None;
        };
        let of = match callee(c) {
            Some("generate") => name(receiver(c)?)?,
            _ => name(&c.func)?,
        };
        let batch = || {
            let stmt = spot.stmt?;
            let mut loops = loops_around(spot.python, stmt).into_iter();
            loops.find(|l| name(&l.target).is_some_and(|t| Some(t) == name(given)))
        };
        let known = encoded(case, spot.cell, given).is_some();
        (known || is_model(case, of) && batch().is_some()).then_some((c, given))
    });
    let (call, given) = only(found)?;
    let was = one_line(spot.text(given));
    case.edits(
        said(
            "unpack-encoding",
            Basis::Source,
            format!("Unpack what the tokenizer gave: `**{was}`"),
            format!(
                "`{was}` is a dict of arguments, `input_ids` and `attention_mask`; `{}` takes each under its name.",
                one_line(spot.text(&*call.func))
            ),
        ),
        vec![Change::before(spot.cell, given, "**")],
    )
}

/// `model(**enc)` with lists of numbers: the tokenizer only creates tensors on request.
fn as_tensors(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let mut found = None;
    for call in spot.calls() {
        let starred = call.arguments.keywords.iter().filter(|k| k.arg.is_none());
        let named = call.arguments.keywords.iter().filter(|k| k.arg.is_some());
        let parts = call.arguments.args.iter().chain(named.map(|k| &k.value));
        let owners = parts.map(|p| match p {
            Expr::Subscript(s) => &*s.value,
            Expr::Attribute(a) => &*a.value,
            other => other,
        });
        let mut all = starred.map(|k| &k.value).chain(owners);
        found = found.or_else(|| all.find_map(|e| encoded(case, spot.cell, e)));
    }
    let (cell, python, call) = found?;
    if keyword(call, "return_tensors").is_some() {
        return None;
    }
    let mut text = "return_tensors=\"pt\"".to_owned();
    // Several texts have different lengths.
    let one = positional(call, 0).is_some_and(|t| text_of(t).is_some());
    if !one && keyword(call, "padding").is_none() {
        text = format!("padding=True, truncation=True, {text}");
    }
    case.edits(
        said(
            "return-tensors",
            Basis::Library,
            format!(
                "Let `{}` make tensors: `return_tensors=\"pt\"`",
                one_line(python.slice(&*call.func))
            ),
            "Without it a tokenizer gives lists of numbers, and the model takes tensors.",
        ),
        vec![Editor::new(cell, python).add(call, &text)],
    )
}

/// The call of a Transformers model in the failing line.
fn model_call<'c>(case: &Case<'_>, spot: &crate::find::Spot<'c>) -> Option<&'c ExprCall> {
    only(
        spot.calls()
            .filter(|c| name(&c.func).is_some_and(|n| is_model(case, n))),
    )
}

/// `labels=[1, 0]`: a list where the model expects a tensor.
fn label_list(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let labels = &keyword(model_call(case, &spot)?, "labels")?.value;
    case.made(spot.cell, labels)?.expr.as_list_expr()?;
    let (torch, import) = match case.alias_of("torch") {
        Some(alias) => (alias, None),
        None => ("torch".to_owned(), Some("import torch")),
    };
    let new = format!("{torch}.tensor({})", spot.text(labels));
    let mut changes = vec![Change::replace(spot.cell, labels, new.as_str())];
    changes.extend(import.map(|line| spot.editor().import(line)));
    case.edits(
        said(
            "labels-as-tensor",
            Basis::Library,
            format!("Give the labels as a tensor: `{}`", one_line(&new)),
            "The model compares tensors; a list has no type of numbers and no device.",
        ),
        changes,
    )
}

/// The tokens of a single text lack a batch dimension.
fn batch_axis(case: &Case<'_>) -> Option<Cure> {
    if !case.in_library() {
        return None;
    }
    let spot = case.spot()?;
    let call = model_call(case, &spot)?;
    let given = argument(call, 0, "input_ids")?;
    let was = one_line(spot.text(given));
    case.edits(
        said(
            "batch-axis",
            Basis::Library,
            format!("Make it a batch of one text: `{was}.unsqueeze(0)`"),
            format!("The model takes texts by tokens; `{was}` has the tokens of one text only."),
        ),
        vec![spot.editor().append(given, ".unsqueeze(0)")],
    )
}

/// The number of labels must equal the number of texts.
fn label_count(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [texts, labels, ..] = numbers(message)[..] else {
        return None;
    };
    let spot = case.spot()?;
    let given = &keyword(model_call(case, &spot)?, "labels")?.value;
    (texts % labels != 0 || texts < labels).then(|| {
        look(
            "label-count",
            format!("Give as many labels as texts: {texts}, not {labels}"),
            format!(
                "`{}` has {labels} labels, and the tokenizer got {texts} texts.",
                one_line(spot.text(given))
            ),
        )
    })
}

/// The field of a result that a missing attribute was meant to read.
fn field_of(kind: &str, wanted: &str) -> Option<&'static str> {
    if matches!(kind, "EvalPrediction" | "PredictionOutput") {
        let known = OF_EVALUATION.iter().find(|(old, _)| *old == wanted);
        return known.map(|(_, new)| *new);
    }
    let output = kind.ends_with("Output") || kind.contains("OutputWith");
    if !output || kind.contains("QuestionAnswering") || kind.contains("Seq2SeqQ") {
        return None;
    }
    if kind.starts_with("BaseModel") || kind.starts_with("Seq2SeqModel") {
        return Some("last_hidden_state");
    }
    match wanted {
        "backward" | "item" => Some("loss"),
        _ => Some("logits"),
    }
}

/// `outputs.argmax(…)`: a model returns an object, one of whose fields is the tensor.
fn field(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [kind, wanted] = python::ATTRIBUTE.read(message)?;
    let field = field_of(kind, wanted)?;
    let spot = case.spot()?;
    let found = only(spot.attributes(wanted))?;
    let was = one_line(spot.text(found));
    let of = one_line(spot.text(&*found.value));
    let (title, change) = match kind {
        "EvalPrediction" | "PredictionOutput" => (
            format!("Read `{of}.{field}`"),
            Change::replace(spot.cell, &found.attr, field),
        ),
        _ => (
            format!("Write `{of}.{field}.{wanted}`"),
            spot.editor().append(&*found.value, format!(".{field}")),
        ),
    };
    case.edits(
        said(
            "result-field",
            Basis::Library,
            title,
            format!("`{of}` is a record, `{kind}`. It has no `{wanted}`: what `{was}` asks for is its field `{field}`."),
        ),
        vec![change],
    )
}

/// `F.softmax(outputs, dim=-1)`: the result object where a tensor is expected.
fn whole_result(case: &Case<'_>) -> Option<Cure> {
    let [kind] = torch::MUST_BE_TENSOR.read(case.message())?;
    let field = field_of(kind, "")?;
    let spot = case.spot()?;
    let given = spot.calls().flat_map(|c| &c.arguments.args).filter(|a| {
        let made = case.made(spot.cell, a).and_then(|m| m.expr.as_call_expr());
        made.is_some_and(|c| name_of(&c.func).is_some_and(|f| is_model(case, &f)))
    });
    let given = only(given)?;
    let was = one_line(spot.text(given));
    case.edits(
        said(
            "result-field",
            Basis::Library,
            format!("Pass `{was}.{field}`"),
            format!("A model of Transformers gives a record, `{kind}`; the tensor is its field `{field}`."),
        ),
        vec![spot.editor().append(given, format!(".{field}"))],
    )
}

/// `result["label"]` of a pipeline, which returns a list with one dict per text.
fn first_result(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let mut of: Option<&str> = None;
    let mut changes = Vec::new();
    for e in &spot.exprs {
        let Some(s) = e.as_subscript_expr() else {
            continue;
        };
        let Some(n) = name(&s.value).filter(|_| text_of(&s.slice).is_some()) else {
            continue;
        };
        let made = case.value(n).and_then(|(_, v)| v.as_call_expr());
        let by = made.and_then(|c| case.value(name(&c.func)?)?.1.as_call_expr());
        let one = made
            .and_then(|c| positional(c, 0))
            .is_some_and(|t| !t.is_list_expr());
        if by.is_some_and(|c| callee(c) == Some("pipeline")) && one {
            of = Some(n);
            changes.push(spot.editor().append(&*s.value, "[0]"));
        }
    }
    let of = of?;
    case.edits(
        said(
            "first-result",
            Basis::Library,
            format!("Take the first result: `{of}[0]`"),
            "A pipeline gives a list with a dict for each text, also for one text.",
        ),
        changes,
    )
}

/// The numbers in a string, in order.
fn numbers(text: &str) -> Vec<i64> {
    let parts = text.split(|c: char| !c.is_ascii_digit());
    parts.filter_map(|p| p.parse().ok()).collect()
}

/// An embedding width that the number of attention heads doesn't divide.
fn heads(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [width, heads, ..] = numbers(message)[..] else {
        return None;
    };
    (1 < heads && heads < width && width % heads != 0).then_some(())?;
    let new = (1..heads).rev().find(|n| width % n == 0)?;
    let mut found = Vec::new();
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        for call in calls(python.body()) {
            let named = call.arguments.keywords.iter();
            let is = named.filter(|k| {
                let by = k.arg.as_ref().is_some_and(|a| a.as_str().contains("head"));
                by && int_of(&k.value) == Some(heads)
            });
            found.extend(is.map(|k| (at, k)));
        }
    }
    let near = (1..).map(|n| width + n).find(|w| w % heads == 0)?;
    let why = format!("Each head takes an equal share of the width, and {width} isn't a multiple of {heads}. Or keep {heads} heads and make the width {near}.");
    let Some((at, k)) = only(found.into_iter()) else {
        return Some(look(
            "heads-divide",
            format!("Use {new} heads for a width of {width}"),
            why,
        ));
    };
    case.edits(
        said(
            "heads-divide",
            Basis::Assumed,
            format!("Use {new} attention heads instead of {heads}"),
            why,
        ),
        vec![Change::replace(at, &k.value, new.to_string())],
    )
}

/// Float labels, for which Transformers assumes multi-label classification.
fn class_numbers(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let of_model = |c: &&ExprCall| {
        keyword(c, "labels").is_some() && name(&c.func).is_some_and(|n| is_model(case, n))
    };
    let call = only(spot.calls().filter(of_model))?;
    let labels = &keyword(call, "labels")?.value;
    let was = one_line(spot.text(labels));
    let made = case.made(spot.cell, labels)?;
    let dtype = made.expr.as_call_expr().and_then(|c| keyword(c, "dtype"));
    let change = match dtype {
        Some(k) => {
            let python = case.python(made.cell)?;
            let module = python.slice(&k.value).rsplit_once('.')?.0;
            Change::replace(made.cell, &k.value, format!("{module}.long"))
        }
        None => spot.editor().append(labels, ".long()"),
    };
    case.edits(
        said(
            "labels-as-numbers",
            Basis::Assumed,
            "Give the labels as whole numbers: `torch.long`",
            format!("`{was}` holds floats. With float labels a model of Transformers expects one value for each class (several may be true); with whole numbers the class of each row."),
        ),
        vec![change],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_at;

    const TOK: &str = "from transformers import AutoTokenizer, AutoModelForSequenceClassification\ntok = AutoTokenizer.from_pretrained('x')\nmodel = AutoModelForSequenceClassification.from_pretrained('x').to(device)";

    #[test]
    fn between_tokenizer_and_model() {
        let output =
            |rest: &str| format!("'SequenceClassifierOutput' object has no attribute '{rest}'");
        let rows: &[(&str, &str, &str, String, &str)] = &[
            ("enc = tok(texts, return_tensors='pt').to(device)", "out = model(enc)", "AttributeError", String::new(), "out = model(**enc)"),
            ("enc = tok(texts, return_tensors='pt')", "ids = model.generate(enc, max_new_tokens=3)", "AttributeError", String::new(), "model.generate(**enc, max_new_tokens=3)"),
            ("enc = tok(texts)", "out = model(**enc)", "AttributeError", "'list' object has no attribute 'size'".into(), "enc = tok(texts, padding=True, truncation=True, return_tensors=\"pt\")"),
            ("enc = tok('a text')", "out = model(enc['input_ids'])", "TypeError", "embedding(): argument 'indices' (position 2) must be Tensor, not list".into(), "enc = tok('a text', return_tensors=\"pt\")"),
            ("enc = tok(texts, return_tensors='pt')\nout = model(**enc)", "best = out.argmax(-1)", "AttributeError", output("argmax"), "best = out.logits.argmax(-1)"),
            ("enc = tok(texts, return_tensors='pt')\nout = model(**enc, labels=y)", "out.backward()", "AttributeError", output("backward"), "out.loss.backward()"),
            ("enc = tok(texts, return_tensors='pt')\nout = model(**enc)", "p = F.softmax(out, dim=-1)", "TypeError", "softmax(): argument 'input' (position 1) must be Tensor, not SequenceClassifierOutput".into(), "p = F.softmax(out.logits, dim=-1)"),
            ("y = torch.tensor(labels, dtype=torch.float)", "loss = model(**enc, labels=y).loss", "ValueError", "Target size (torch.Size([6])) must be the same as input size (torch.Size([6, 2]))".into(), "y = torch.tensor(labels, dtype=torch.long)"),
            ("labels = [1, 0]", "loss = model(**enc, labels=labels).loss", "AttributeError", "'list' object has no attribute 'dtype'".into(), "labels=torch.tensor(labels)"),
            ("n = 1", "c = BertConfig(hidden_size=100, num_attention_heads=12)", "ValueError", "The hidden size (100) is not a multiple of the number of attention heads (12)".into(), "num_attention_heads=10)"),
            ("clf = pipeline('text-classification')\nres = clf('good')", "print(res['label'], res['score'])", "TypeError", "list indices must be integers or slices, not str".into(), "print(res[0]['label'], res[0]['score'])"),
            ("def metrics(p):\n    return p.logits.mean()", "metrics(p)", "AttributeError", "'EvalPrediction' object has no attribute 'logits'".into(), ""),
        ];
        for (before, last, class, message, wanted) in rows {
            let cells = [TOK, *before, *last];
            let made = repaired_at(&cells, 1, class, message);
            assert!(made.contains(wanted), "{last}\n{message}\n-> {made}");
        }
    }

    #[test]
    fn a_batch_of_a_loop_is_unpacked_for_a_model_only() {
        let cells = [TOK, "for batch in loader:\n    out = model(batch)"];
        let message = "'dict' object has no attribute 'size'";
        assert!(repaired_at(&cells, 2, "AttributeError", message).contains("model(**batch)"));
        let cells = [TOK, "for batch in loader:\n    out = net(batch)"];
        assert!(!repaired_at(&cells, 2, "AttributeError", message).contains("**"));
    }
}
