//! PyTorch training and evaluation: outputs that aren't tensors, loaders used as lists, one-sample batches.

use super::graphs::setters;
use crate::case::Case;
use crate::code::{Code, Editor};
use crate::edit::Change;
use crate::find::{
    callee, int_of, look, loops_around, name, one_line, only, receiver, said, statement_of, tight,
    Spot,
};
use crate::known::function_around;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{CmpOp, Expr, ExprCall, Stmt};
use nbmedic_python::{each_expr, each_stmt, keyword, positional, Cell, Ranged};
use nbmedic_wordings::torch;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if torch::MUST_BE_TENSOR.is_in(text) {
        out.extend(no_tensor(case));
    } else if text.contains("DataLoader' object is not an iterator")
        || text.contains("DataLoader' object is not subscriptable")
        || text.contains("DataLoaderIter' object has no attribute 'next'")
    {
        out.extend(loader(case));
    } else if torch::VALUES_PER_CHANNEL.is_in(text) {
        out.extend(single(case));
    } else if torch::SIZES_OF_OPERANDS.is_in(text) {
        out.extend(compared(case));
    } else if torch::BETWEEN_ZERO_AND_ONE.is_in(text)
        || torch::DEVICE_ASSERT.is_in(text) && probabilities(case)
    {
        out.extend(logits(case));
    } else if torch::TARGET_SHAPE.is_in(text) {
        out.extend(sequence_targets(case));
    } else if text.starts_with("Tried to step ") && text.contains("number of total steps") {
        out.extend(steps(case));
    }
}

/// `OneCycleLR(…, steps_per_epoch=len(data) // 16)`: the loader has one step more, for the last, smaller batch.
fn steps(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, stmt) = case.here()?;
    // The innermost loop around goes over the loader.
    let around = loops_around(python, stmt);
    let iter = &*around.last()?.iter;
    let through = iter
        .as_call_expr()
        .filter(|c| matches!(callee(c), Some("tqdm" | "enumerate")))
        .and_then(|c| positional(c, 0));
    let loader = name(through.unwrap_or(iter)).filter(|n| case.last_set(n).is_some())?;
    let mut found = Vec::new();
    for at in case.seen() {
        let body = case.python(at).map_or(&[][..], Cell::body);
        each_expr(body, &mut |e| {
            let call = e.as_call_expr().filter(|c| callee(c) == Some("OneCycleLR"));
            for word in ["steps_per_epoch", "total_steps"] {
                found.extend(call.and_then(|c| Some((at, word, &keyword(c, word)?.value))));
            }
        });
    }
    let (at, word, given) = only(found.into_iter())?;
    let python = case.python(at)?;
    let was = python.slice(given);
    let right = match word {
        "total_steps" => format!("{} * len({loader})", tight(python, given)),
        _ => format!("len({loader})"),
    };
    // As many epochs as the loop around has.
    let epochs = || {
        around.len() > 1
            && case
                .python(cell)
                .is_some_and(|p| p.slice(&*around[0].iter).contains(was))
    };
    (was != right && cell == case.at && (word != "total_steps" || epochs())).then_some(())?;
    case.edits(
        said(
            "steps-of-loader",
            Basis::Source,
            format!("Count the steps by the loader: `{word}={right}`"),
            format!("The loop makes a step for each batch of `{loader}`, the last and smaller one as well; `{was}` counts fewer."),
        ),
        vec![Change::replace(at, given, right)],
    )
}

/// How to get the tensor out of a model's result object.
fn inside(class: &str) -> Option<(&'static str, &'static str)> {
    let class = class.rsplit('.').next().unwrap_or(class);
    let all = [
        ("InceptionOutputs", ".logits"),
        ("GoogLeNetOutputs", ".logits"),
        ("BatchFeature", "[\"pixel_values\"]"),
        ("BatchEncoding", "[\"input_ids\"]"),
    ];
    if let Some((_, how)) = all.iter().find(|(c, _)| *c == class) {
        return Some((how, "an object that holds the tensor"));
    }
    if class.starts_with("BaseModelOutput") {
        return Some((".last_hidden_state", "an object with several results"));
    }
    let heads = [
        "Classifier",
        "CausalLM",
        "MaskedLM",
        "Seq2SeqLM",
        "Segmenter",
        "ImageClassifier",
    ];
    (class.contains("Output") && heads.iter().any(|h| class.contains(h)))
        .then_some((".logits", "an object with several results"))
}

/// `argument 'input' (position 1) must be Tensor, not SequenceClassifierOutput`.
fn no_tensor(case: &Case<'_>) -> Option<Cure> {
    let [class] = torch::MUST_BE_TENSOR.read(case.message())?;
    if class == "str" {
        return unpacked(case);
    }
    if super::recurrent::in_sequence(case).is_some() {
        return None;
    }
    let spot = case.spot()?;
    let argument = converted(case, &spot)?;
    let was = tight(spot.python, argument);
    let text = spot.text(argument);
    let torch = case.alias_of("torch");
    let (new, why) = match (inside(class), class, torch) {
        (Some((how, what)), _, _) => (format!("{was}{how}"), format!("`{text}` is a `{class}`: {what}.")),
        (None, "tuple", _) => (
            format!("{was}[0]"),
            format!("`{text}` is a tuple of results; the first is the output."),
        ),
        (None, "collections.OrderedDict" | "OrderedDict", _) => (
            format!("{was}[\"out\"]"),
            format!("`{text}` is a dict of results, as the segmentation models give it."),
        ),
        (None, "numpy.ndarray" | "ndarray", Some(torch)) => (
            format!("{torch}.from_numpy({text}).float()"),
            format!("`{text}` is an array of NumPy; layers take tensors."),
        ),
        (None, "DataFrame" | "Series", Some(torch)) => (
            format!("{torch}.tensor({was}.values).float()"),
            format!("`{text}` is a table of pandas; layers take tensors."),
        ),
        (None, "list", Some(torch)) => (
            format!("{torch}.tensor({text})"),
            format!("`{text}` is a list; layers take tensors. A list of tensors is joined by `{torch}.stack`."),
        ),
        _ => return None,
    };
    case.edits(
        said(
            "its-tensor",
            Basis::Assumed,
            format!("Use `{}` instead of `{}`", one_line(&new), one_line(text)),
            why,
        ),
        vec![Change::replace(spot.cell, argument, new)],
    )
}

/// The value that a line passes to a loss, layer or PyTorch function.
fn converted<'c>(case: &Case<'_>, spot: &Spot<'c>) -> Option<&'c Expr> {
    let takes = |c: &&ExprCall| {
        let plain = positional(c, 0).is_some_and(|a| {
            matches!(
                a,
                Expr::Name(_) | Expr::Subscript(_) | Expr::Attribute(_) | Expr::Call(_)
            )
        });
        let builtin = name(&c.func).is_some_and(crate::known::is_builtin);
        let skip = matches!(
            callee(c),
            Some(
                "append"
                    | "to"
                    | "update"
                    | "print"
                    | "tensor"
                    | "from_numpy"
                    | "item"
                    | "float"
                    | "backward"
            )
        );
        plain && !builtin && !skip
    };
    let all: Vec<&ExprCall> = spot.calls().filter(takes).collect();
    let call = match &all[..] {
        [one] => *one,
        // For nested calls, the one in the library's frame: the inner call is the argument.
        [outer, inner] if positional(outer, 0)?.range() == inner.range() => outer,
        _ => return None,
    };
    let _ = case;
    positional(call, 0)
}

/// `_, pooled = self.bert(…)`: newer versions return an object, and unpacking it gives its keys.
fn unpacked(case: &Case<'_>) -> Option<Cure> {
    let frame = case.innermost()?;
    let python = case.python(frame.cell)?;
    let f = function_around(python, case.statement(frame)?)?;
    let mut found = Vec::new();
    each_stmt(&f.body, &mut |s| {
        if let Stmt::Assign(a) = s {
            let tuple = a.targets.first().is_some_and(Expr::is_tuple_expr);
            let call = a.value.as_call_expr().filter(|c| {
                c.arguments.keywords.iter().any(|k| {
                    k.arg.as_ref().is_some_and(|n| {
                        n.as_str() == "attention_mask" || n.as_str() == "input_ids"
                    })
                }) || c.arguments.args.len() > 1 && tuple
            });
            if let (true, Some(call)) = (tuple, call) {
                found.push(call);
            }
        }
    });
    let call = only(
        found
            .into_iter()
            .filter(|c| keyword(c, "return_dict").is_none()),
    )?;
    case.edits(
        said(
            "return-tuple",
            Basis::Library,
            format!("Let `{}` give a tuple: `return_dict=False`", one_line(python.slice(&*call.func))),
            "Since version 4 Transformers' models give an object; unpacking it gives the names of its parts, which are texts.",
        ),
        vec![Editor::new(frame.cell, python).set(call, "return_dict", "False")],
    )
}

fn loader(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let text = case.message();
    let why = "A loader is walked through by `for`, or by the iterator that `iter` makes of it.";
    let edit = |title: String, change: Change| {
        case.edits(said("next-batch", Basis::Library, title, why), vec![change])
    };
    if text.contains("'next'") {
        let call = spot.call("next")?;
        let of = spot.text(receiver(call)?);
        let new = format!("next({of})");
        return edit(
            format!("Write `{new}` instead of `{}`", spot.text(call)),
            Change::replace(spot.cell, call, new.clone()),
        );
    }
    if text.contains("not an iterator") {
        let call = spot.call("next")?;
        let of = positional(call, 0)?;
        let new = format!("iter({})", spot.text(of));
        return edit(
            format!("Write `next({new})`"),
            Change::replace(spot.cell, of, new),
        );
    }
    let all = spot.exprs.iter().filter_map(|e| e.as_subscript_expr());
    let s = only(all.filter(|s| s.value.is_name_expr() || s.value.is_attribute_expr()))?;
    let (of, index) = (spot.text(&*s.value), spot.text(&*s.slice));
    match index {
        "0" => edit(
            format!("Take the first batch: `next(iter({of}))`"),
            Change::replace(spot.cell, s, format!("next(iter({of}))")),
        ),
        _ => edit(
            format!("Take the sample from the loader's data set: `{of}.dataset[{index}]`"),
            spot.editor().append(&*s.value, ".dataset"),
        ),
    }
}

/// A one-sample batch in training.
fn single(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spots().into_iter().next_back()?;
    let in_loop = !case.frames.is_empty()
        && case.frames.iter().any(|f| {
            let python = case.python(f.cell);
            let stmt = case.statement(f);
            python
                .zip(stmt)
                .is_some_and(|(p, s)| !loops_around(p, s).is_empty())
        });
    if !in_loop {
        // A single sample as a test.
        let stmt = spot.stmt?;
        let call = spot
            .calls()
            .find(|c| name(&c.func).is_some_and(|n| case.value(n).is_some()))?;
        let model = spot.text(&*call.func);
        return case.edits(
            said(
                "eval-mode",
                Basis::Assumed,
                format!("Put the model into evaluation first: `{model}.eval()`"),
                "In training, batch normalisation needs more than one sample; for one it uses what it has learned. `train()` switches back.",
            ),
            vec![spot.editor().above(stmt, &format!("{model}.eval()"))],
        );
    }
    let mut found = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        each_expr(python.body(), &mut |e| {
            let call = e
                .as_call_expr()
                .filter(|c| callee(c).is_some_and(|n| n.ends_with("DataLoader")));
            let Some(c) = call else { return };
            let shuffled = keyword(c, "shuffle").is_some_and(|k| python.slice(&k.value) == "True");
            let stmt = statement_of(python, c.range());
            let target = stmt
                .and_then(Stmt::as_assign_stmt)
                .and_then(|a| name(a.targets.first()?));
            let train = shuffled || target.is_some_and(|t| t.to_lowercase().contains("train"));
            if train && keyword(c, "drop_last").is_none() {
                found.push((cell, python, c));
            }
        });
    }
    let (cell, python, call) = only(found.into_iter())?;
    case.edits(
        said(
            "drop-last",
            Basis::Assumed,
            format!("Leave the last, incomplete batch out: `drop_last=True` in `{}`", one_line(python.slice(call))),
            "The last batch has one sample only, and batch normalisation needs more. With shuffled data another sample is left out in each epoch.",
        ),
        vec![Editor::new(cell, python).set(call, "drop_last", "True")],
    )
}

/// `(outputs == labels)`: scores of all classes compared with class numbers.
fn compared(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let [classes, ..] = torch::SIZES_OF_OPERANDS.numbers(case.message())?;
    let all = spot.exprs.iter().filter_map(|e| e.as_compare_expr());
    let c = only(all.filter(|c| c.ops[..] == [CmpOp::Eq]))?;
    let left = &*c.left;
    let text = spot.text(left);
    let right = spot.text(c.comparators.first()?).to_lowercase();
    let label = ["label", "target", "y", "truth"]
        .iter()
        .any(|k| right.contains(k));
    let picked = text.contains("argmax") || text.contains("max(") || classes < 2;
    if !left.is_name_expr() || !label || picked {
        return None;
    }
    // Predictions already reduced to classes have a different shape for another reason.
    let set = setters(spot.python, text, left);
    let done = set.first().is_some_and(|v| {
        let v = spot.text(*v);
        v.contains("argmax") || v.contains("max(")
    });
    if done {
        return None;
    }
    let new = format!("{text}.argmax(dim=1)");
    case.edits(
        said(
            "pick-class",
            Basis::Assumed,
            format!("Compare the classes: `{new}` instead of `{text}`"),
            format!("`{text}` has {classes} scores for each sample; its class is the one with the largest."),
        ),
        vec![Change::replace(spot.cell, left, new)],
    )
}

/// Whether the GPU assertion says that probabilities are expected.
fn probabilities(case: &Case<'_>) -> bool {
    torch::ASSERT_BETWEEN_ZERO_AND_ONE.is_in(case.output.text())
}

/// `BCELoss` with outputs that are no probabilities.
fn logits(case: &Case<'_>) -> Option<Cure> {
    let mut losses = Vec::new();
    let mut sigmoid = false;
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        each_expr(python.body(), &mut |e| {
            if let Expr::Call(c) = e {
                match callee(c) {
                    Some("BCELoss" | "binary_cross_entropy") => losses.push((cell, python, c)),
                    Some(n) if n.eq_ignore_ascii_case("sigmoid") => sigmoid = true,
                    _ => {}
                }
            }
        });
    }
    let (cell, python, call) = only(losses.into_iter())?;
    let func = python.slice(&*call.func);
    if sigmoid {
        return Some(look(
            "probabilities",
            format!("Look for NaN in what `{func}` gets"),
            "The model ends in a sigmoid, which gives 0 to 1; only NaN is outside. Check the inputs for missing values, and lower the learning rate.",
        ));
    }
    let new = func
        .replace("BCELoss", "BCEWithLogitsLoss")
        .replace("binary_cross_entropy", "binary_cross_entropy_with_logits");
    case.edits(
        said(
            "with-logits",
            Basis::Assumed,
            format!("Use `{new}` instead of `{func}`"),
            format!("The model's outputs are any numbers; `{func}` wants probabilities from 0 to 1. This loss basis the sigmoid itself, and more exactly. For predictions apply `torch.sigmoid` to the outputs."),
        ),
        vec![Change::replace(cell, &*call.func, new)],
    )
}

/// `Expected target size [32, 10], got [32, 7]`: the classes are on the last axis.
fn sequence_targets(case: &Case<'_>) -> Option<Cure> {
    let all = super::super::shapes::text::shapes(case.message());
    let [wanted, got] = &all[..2.min(all.len())] else {
        return None;
    };
    if wanted.len() != 2 || got.len() != 2 || wanted[0] != got[0] {
        return None;
    }
    let (cell, call) = super::super::shapes::targets::loss_call(case)?;
    let python = case.python(cell)?;
    let output = positional(call, 0)?;
    if int_of(output).is_some() {
        return None;
    }
    let new = Code::of(python, output).then(".transpose(1, 2)");
    case.edits(
        said(
            "classes-second",
            Basis::Assumed,
            format!("Put the classes second: `{}`", one_line(&new)),
            format!("The targets are {} sequences of {} numbers. The loss wants outputs of the shape (batch, classes, length); these are (batch, length, classes), with {} classes.", got[0], got[1], wanted[1]),
        ),
        vec![Change::replace(cell, output, new)],
    )
}
