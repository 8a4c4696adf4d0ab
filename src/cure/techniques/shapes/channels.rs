//! Image channels in PyTorch: how many, and on which axis.

use super::layers::{of_the_line, resize, Resize};
use super::scan::{at_error, head, only, slice, Found, Scan};
use super::text::{shape, written};
use crate::case::Case;
use crate::edit::{Change, Said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{positional, statement_at, Ranged, TextRange};
use nbmedic_wordings::torch;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if torch::CHANNELS.is_in(text) {
        out.extend(channels(case));
    }
}

const CONV: &[&str] = &[
    "Conv2d",
    "Conv1d",
    "Conv3d",
    "ConvTranspose2d",
    "ConvTranspose1d",
    "ConvTranspose3d",
];

/// `weight of size [64, 3, 7, 7], expected input[1, 64, 48, 3] to have 3 channels, but got 64 channels instead`.
fn channels(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    let [weight, input, expected, got] = torch::CHANNELS.read(text)?;
    let (weight, input) = (&shape(weight)?, &shape(input)?);
    let (expected, got) = (expected.parse().ok()?, got.parse().ok()?);
    let scan = Scan::of(case);
    if let Some(cure) = axes(case, input, expected) {
        return Some(cure);
    }
    let transposed = text.contains("transposed=1")
        || weight.first() == Some(&expected) && weight.get(1) != Some(&expected);
    let all: Vec<_> = scan
        .named(CONV)
        .filter(|f| head(f.call).starts_with("ConvT") == transposed)
        .filter(|f| {
            let other = f.argument(1, "out_channels").and_then(|e| scan.value(f, e));
            let axis = usize::from(transposed);
            other.is_none_or(|o| weight.get(axis) == Some(&o))
        })
        .filter_map(|f| Some((f, scan.origin(&f, f.argument(0, "in_channels")?)?)))
        .filter(|(_, o)| o.value == expected)
        .collect();
    let why = format!(
        "The images that reach it have {got} {}: {} in the message.",
        if got == 1 { "channel" } else { "channels" },
        written(input)
    );
    if let Some((found, origin)) = of_the_line(case, all) {
        let resized = Resize {
            found,
            origin,
            size: got,
        };
        return resize(case, "fit-channels", &resized, why);
    }
    if (expected, got) == (3, 1) {
        return grey(case, &scan);
    }
    None
}

/// A colour model receives greyscale images.
fn grey(case: &Case<'_>, scan: &Scan<'_>) -> Option<Cure> {
    let why = "The model expects 3 channels, the images have 1; this repeats it for each colour, so that trained weights stay usable.".to_owned();
    if let Some(f) = only(scan.named(&["Grayscale"])) {
        if f.call.arguments.is_empty() || f.call.arguments.len() == 1 {
            let func = slice(case, f.cell, &*f.call.func);
            let text = format!("{func}(num_output_channels=3)");
            return case.edits(
                Said {
                    id: "colour-channels",
                    basis: Basis::Assumed,
                    title: format!("Let `{func}` give three channels"),
                    why,
                },
                vec![Change::replace(f.cell, f.call, text)],
            );
        }
    }
    let (cell, input) = model_input(case)?;
    let was = slice(case, cell, input);
    let text = case
        .editor(cell)?
        .code(input)
        .then(".repeat(1, 3, 1, 1)")
        .to_string();
    case.edits(
        Said {
            id: "colour-channels",
            basis: Basis::Assumed,
            title: format!("Repeat the grey channel: `{text}` instead of `{was}`"),
            why,
        },
        vec![Change::replace(cell, input, text)],
    )
}

/// The argument of the model call on the user's innermost line: `x` in `y = model(x)`.
pub(crate) fn model_input<'c>(case: &'c Case<'c>) -> Option<(usize, &'c Expr)> {
    let (cell, _, _) = case.here()?;
    let (_, exprs) = at_error(case);
    let calls = exprs.iter().filter_map(|e| e.as_call_expr());
    let models: Vec<&ExprCall> = calls
        .filter(|c| {
            let name = head(c).to_lowercase();
            let known = [
                "model",
                "net",
                "encoder",
                "generator",
                "critic",
                "discriminator",
                "cnn",
                "conv",
                "layer",
                "backbone",
                "resnet",
                "vgg",
                "features",
                "unet",
            ];
            let tool = case.path_of(&c.func).is_some_and(|p| {
                p.starts_with("torch.") && !p.starts_with("torch.nn.functional.conv")
            });
            !tool && (known.iter().any(|k| name.contains(k)) || is_module(case, c))
        })
        .collect();
    Some((cell, positional(only(models)?, 0)?))
}

/// Whether the called object is a PyTorch layer or one of the user's module classes.
fn is_module(case: &Case<'_>, call: &ExprCall) -> bool {
    let name = call.func.as_name_expr().map(|n| n.id.as_str());
    let Some(made) = name.and_then(|n| case.value(n)?.1.as_call_expr()) else {
        return false;
    };
    let layer = case.path_of(&made.func).is_some_and(|p| {
        let class = p.rsplit('.').next().unwrap_or("");
        p.starts_with("torch.nn.")
            && class.starts_with(char::is_uppercase)
            && !class.ends_with("Loss")
    });
    let own = case
        .last_set(head(made))
        .and_then(|s| s.binding.stmt.as_class_def_stmt());
    layer
        || own.and_then(|c| c.arguments.as_deref()).is_some_and(|a| {
            let mut bases = a.args.iter().filter_map(nbmedic_python::name_of);
            bases.any(|b| b.rsplit('.').next() == Some("Module"))
        })
}

/// The image axes are in a different order, or one was added at the wrong end.
fn axes(case: &Case<'_>, input: &[i64], expected: i64) -> Option<Cure> {
    let (&first, &last) = (input.first()?, input.last()?);
    // (C, H, W, 1): a batch axis at the wrong end.
    if input.len() == 4 && last == 1 && first == expected && expected > 1 {
        if let Some(cure) = unsqueezed(case, input) {
            return Some(cure);
        }
    }
    if input.len() != 4 || last != expected || input[1] == expected {
        return None;
    }
    let (cell, argument) = model_input(case)?;
    let was = slice(case, cell, argument);
    let text = case
        .editor(cell)?
        .code(argument)
        .then(".permute(0, 3, 1, 2)")
        .to_string();
    case.edits(
        Said {
            id: "channels-first",
            basis: Basis::Solved,
            title: format!("Move the channels to the front: `{text}` instead of `{was}`"),
            why: format!("PyTorch wants (batch, channels, height, width); the input is {}, with the {expected} channels last.", written(input)),
        },
        vec![Change::replace(cell, argument, text)],
    )
}

/// `x.unsqueeze(-1)`, where the batch axis belongs in front or already exists.
fn unsqueezed(case: &Case<'_>, input: &[i64]) -> Option<Cure> {
    let (cell, argument) = model_input(case)?;
    let name = argument.as_name_expr()?.id.as_str();
    let scan = Scan::of(case);
    let wrong = scan.named(&["unsqueeze"]).filter(|f| {
        let last = positional(f.call, 0).is_some_and(|a| {
            let text = slice(case, f.cell, a);
            text == "-1" || text == "3"
        });
        let of = f.call.func.as_attribute_expr();
        let of = of.and_then(|a| a.value.as_name_expr());
        f.cell == cell && last && of.is_some_and(|n| n.id.as_str() == name)
    });
    let call = only(wrong)?;
    let was = slice(case, cell, call.call);
    if batched(case, &scan, &call) {
        return case.edits(
            Said {
                id: "no-unsqueeze",
                basis: Basis::Assumed,
                title: format!("Drop `unsqueeze` from `{was}`"),
                why: format!("The batches of the loader already have the four axes that the model wants; the added one makes {} of them.", written(input)),
            },
            vec![dropped(case, cell, call.call, name)?],
        );
    }
    let argument = positional(call.call, 0)?;
    case.edits(
        Said {
            id: "batch-axis-first",
            basis: Basis::Assumed,
            title: format!("Replace `{was}` by `{name}.unsqueeze(0)`"),
            why: format!("The batch axis comes first: the input is {}, one image whose new axis stands last.", written(input)),
        },
        vec![Change::replace(cell, argument, "0")],
    )
}

/// Replaces a call by its receiver. `x = x.unsqueeze(-1)` is removed as a whole.
pub(crate) fn dropped(case: &Case<'_>, cell: usize, call: &ExprCall, name: &str) -> Option<Change> {
    let python = case.python(cell)?;
    let stmt = statement_at(python, python.line_of(call.start()))?;
    let whole = stmt.as_assign_stmt().is_some_and(|a| {
        a.value.range() == call.range()
            && a.targets.len() == 1
            && python.slice(&a.targets[0]) == name
    });
    let (first, last) = (python.line_of(stmt.start()), python.line_of(stmt.end()));
    let start = python.line_range(first).start();
    let end = python.line_range(last + 1).start();
    let alone = python.line(first).trim() == python.slice(stmt).trim();
    Some(match whole && alone && end > start {
        true => Change::replace(cell, TextRange::new(start, end), ""),
        false => Change::replace(cell, call, name),
    })
}

/// Whether the argument of the function around a call comes from a loader of batches.
fn batched<'c>(case: &'c Case<'c>, scan: &Scan<'c>, at: &Found<'c>) -> bool {
    let Some(f) = at.function else { return false };
    let from_loader = |name: &str| {
        let value = case.last_set(name).and_then(|s| s.binding.value);
        value
            .and_then(Expr::as_call_expr)
            .is_some_and(|c| head(c).ends_with("DataLoader") || head(c).contains("Device"))
    };
    let callee = f.name.as_str();
    let mut calls = scan.named(std::slice::from_ref(&callee));
    calls.any(|c| {
        let names = c.call.arguments.args.iter().filter_map(Expr::as_name_expr);
        names.into_iter().any(|n| from_loader(n.id.as_str()))
    })
}
