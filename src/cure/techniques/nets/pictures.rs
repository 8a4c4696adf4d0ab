//! Images on their way into a network: the order of transforms, channels, images too small for the layers.

use super::super::shapes::scan::{head, Found, Scan};
use super::super::shapes::text::{number_after, shape};
use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{callee, look, one_line, only, said};
use crate::known::class_around;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, keyword, positional, Cell, Ranged, TextRange};
use nbmedic_wordings::{keras, tensorflow, torch, torchvision};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if torch::BROADCAST_SHAPE.is_in(text)
        || text.contains(
            "size of tensor a (1) must match the size of tensor b (3) at non-singleton dimension 0",
        )
    {
        out.extend(grey_normalize(case));
    } else if torchvision::PICTURE.is_in(text)
        || torchvision::TENSOR_PICTURE.is_in(text)
        || text.contains("should be Tensor Image. Got <class 'PIL")
    {
        out.extend(order(case));
    } else if torch::BATCH_OF_PICTURES.is_in(text) {
        out.extend(to_tensor(case));
    } else if torch::KERNEL_SIZE.is_in(text) || torch::OUTPUT_TOO_SMALL.is_in(text) {
        out.extend(small(
            case,
            &["Conv2d", "MaxPool2d", "AvgPool2d", "Conv1d", "MaxPool1d"],
        ));
    } else if keras::OUTPUT_SIZE.is_in(text) || tensorflow::NEGATIVE_SIZE.is_in(text) {
        out.extend(unbatched(case).or_else(|| small_keras(case)));
    } else if tensorflow::GROUPED_CONVOLUTIONS.is_in(text)
        || tensorflow::DEPTH_OF_INPUT.is_in(text)
        || tensorflow::DEPTH_OF_FILTER.is_in(text)
    {
        out.extend(colour_mode(case));
    }
}

fn elements(call: &ExprCall) -> Option<&[Expr]> {
    match positional(call, 0)? {
        Expr::List(l) => Some(&l.elts),
        Expr::Tuple(t) => Some(&t.elts),
        _ => None,
    }
}

/// `Normalize` with three means for one-channel images.
fn grey_normalize(case: &Case<'_>) -> Option<Cure> {
    let scan = Scan::of(case);
    if let Some([output, _]) = torch::BROADCAST_SHAPE.read(case.message()) {
        (shape(output)?.first() == Some(&1)).then_some(())?;
    }
    let names = ["Normalize"];
    let all: Vec<Found<'_>> = scan
        .named(&names)
        .filter(|f| elements(f.call).is_some_and(|e| e.len() == 3))
        .collect();
    let first = all.first()?;
    let colour = scan
        .named(&["Conv2d"])
        .any(|f| f.argument(0, "in_channels").and_then(|e| scan.value(&f, e)) == Some(3));
    let library = scan.calls.iter().any(|f| {
        let func = case.python(f.cell).map_or("", |p| p.slice(&*f.call.func));
        func.contains("models.") || func.ends_with("create_model")
    });
    if colour || library {
        // The network expects three channels.
        let f = only(scan.named(&["Compose"]))?;
        let list = elements(f.call)?;
        let python = case.python(f.cell)?;
        let prefix = python.slice(&*f.call.func).strip_suffix("Compose")?;
        let text = format!("{prefix}Grayscale(num_output_channels=3), ");
        return case.edits(
            said(
                "three-channels",
                Basis::Assumed,
                format!("Make three channels of the grey one first: `{prefix}Grayscale(num_output_channels=3)`"),
                "The pictures have one channel; `Normalize` and the network take three.",
            ),
            vec![Change::before(f.cell, list.first()?, text)],
        );
    }
    let mut changes = Vec::new();
    for f in &all {
        let python = case.python(f.cell)?;
        for e in f.call.arguments.args.iter().take(2) {
            let (items, open, close) = match e {
                Expr::List(l) => (&l.elts, "[", "]"),
                Expr::Tuple(t) => (&t.elts, "(", ",)"),
                _ => return None,
            };
            changes.push(Change::replace(
                f.cell,
                e,
                format!("{open}{}{close}", python.slice(items.first()?)),
            ));
        }
    }
    let shown = case.python(first.cell)?.slice(first.call);
    case.edits(
        said(
            "one-channel",
            Basis::Named,
            format!("Normalise one channel in `{}`", one_line(shown)),
            "The pictures are grey and have one channel; the call has means for three.",
        ),
        changes,
    )
}

/// Transforms that only take tensors.
const AFTER: &[&str] = &[
    "Normalize",
    "RandomErasing",
    "ConvertImageDtype",
    "LinearTransformation",
    "ToDtype",
];

/// `ToTensor` comes before image transforms, or after tensor transforms.
fn order(case: &Case<'_>) -> Option<Cure> {
    let scan = Scan::of(case);
    let wrong = scan.named(&["Compose"]).filter_map(|f| {
        let list = elements(f.call)?;
        let names: Vec<&str> = list
            .iter()
            .map(|e| e.as_call_expr().map_or("", head))
            .collect();
        let mut wanted: Vec<usize> = (0..list.len())
            .filter(|i| {
                !AFTER.contains(&names[*i]) && names[*i] != "ToTensor" && names[*i] != "ToPILImage"
            })
            .collect();
        let tensors: Vec<usize> = (0..list.len())
            .filter(|i| names[*i] == "ToTensor")
            .collect();
        wanted.extend(tensors.first());
        wanted.extend((0..list.len()).filter(|i| AFTER.contains(&names[*i])));
        // Back and forth: `ToPILImage` is only needed at the start.
        if names.first() == Some(&"ToPILImage") {
            wanted.insert(0, 0);
        }
        let same = wanted.len() == list.len() && wanted.windows(2).all(|w| w[0] < w[1]);
        (!same && !tensors.is_empty()).then_some((f, list, wanted))
    });
    let (f, list, wanted) = only(wrong)?;
    let python = case.python(f.cell)?;
    // The slots keep their places in the source; an unneeded one is removed with its line.
    let mut changes = Vec::new();
    for (i, e) in list.iter().enumerate() {
        match wanted.get(i) {
            Some(w) if *w == i => {}
            Some(w) => changes.push(Change::replace(f.cell, e, python.slice(&list[*w]))),
            None => {
                let from = list.get(i.checked_sub(1)?)?.end();
                changes.push(Change::replace(f.cell, TextRange::new(from, e.end()), ""));
            }
        }
    }
    let shown: Vec<&str> = wanted
        .iter()
        .map(|w| list[*w].as_call_expr().map_or("…", head))
        .collect();
    case.edits(
        said(
            "transform-order",
            Basis::Library,
            format!("Order the transforms: {}", shown.iter().map(|s| format!("`{s}`")).collect::<Vec<_>>().join(", ")),
            "What crops, turns and resizes takes pictures, `Normalize` takes tensors: `ToTensor` stands between them.",
        ),
        changes,
    )
}

/// A torchvision dataset without a transform.
fn to_tensor(case: &Case<'_>) -> Option<Cure> {
    let scan = Scan::of(case);
    let known = [
        "MNIST",
        "FashionMNIST",
        "CIFAR10",
        "CIFAR100",
        "ImageFolder",
        "SVHN",
        "STL10",
        "EMNIST",
        "KMNIST",
        "Flowers102",
        "OxfordIIITPet",
        "CelebA",
    ];
    let transforms = case
        .alias_of("torchvision.transforms")
        .or_else(|| case.alias_of("torchvision.transforms.v2"));
    if let Some(transforms) = transforms.clone() {
        let sets: Vec<Found<'_>> = scan
            .named(&known)
            .filter(|f| keyword(f.call, "transform").is_none())
            .collect();
        let mut changes = Vec::new();
        for f in &sets {
            let python = case.python(f.cell)?;
            changes.push(Editor::new(f.cell, python).set(
                f.call,
                "transform",
                &format!("{transforms}.ToTensor()"),
            ));
        }
        if !changes.is_empty() {
            return case.edits(
                said(
                    "to-tensor",
                    Basis::Library,
                    format!("Make tensors of the pictures: `transform={transforms}.ToTensor()`"),
                    "The data set gives pictures as PIL has them; batches are made of tensors.",
                ),
                changes,
            );
        }
    }
    let f = only(scan.named(&["Compose"]))?;
    let list = elements(f.call)?;
    let python = case.python(f.cell)?;
    let prefix = python.slice(&*f.call.func).strip_suffix("Compose")?;
    if list
        .iter()
        .filter_map(Expr::as_call_expr)
        .any(|c| head(c).starts_with("ToTensor") || head(c) == "ToImage")
    {
        return None;
    }
    case.edits(
        said(
            "to-tensor",
            Basis::Library,
            format!("End the transforms with `{prefix}ToTensor()`"),
            "They give pictures as PIL has them; batches are made of tensors.",
        ),
        vec![Change::after(
            f.cell,
            list.last()?,
            format!(", {prefix}ToTensor()"),
        )],
    )
}

/// The layers that shrink images in the code run by the failing line.
fn shrinking<'c>(case: &'c Case<'c>, names: &[&str]) -> Vec<(usize, &'c Cell, &'c ExprCall)> {
    let mut out = Vec::new();
    for at in case.seen() {
        if let Some(python) = case.python(at) {
            let all = calls(python.body())
                .into_iter()
                .filter(|c| callee(c).is_some_and(|n| names.contains(&n)));
            out.extend(all.map(|c| (at, python, c)));
        }
        if !out.is_empty() {
            break;
        }
    }
    out
}

/// An image smaller than the kernel that slides over it.
fn small(case: &Case<'_>, names: &[&str]) -> Option<Cure> {
    let text = case.message();
    let layers = shrinking(case, names);
    let (at, python, _) = *layers.first()?;
    let kernel = number_after(text, "Kernel size: (");
    let size = number_after(text, "per channel: (");
    // The sizes of layers after the convolutions depend on the convolutions' output.
    let scan = Scan::of(case);
    let linear = scan.named(&["Linear"]).any(|f| f.cell == at);
    let convs: Vec<_> = layers
        .iter()
        .filter(|(_, _, c)| {
            head(c).starts_with("Conv")
                && keyword(c, "padding").is_none()
                && c.arguments.args.len() == 3
        })
        .collect();
    let words = match (size, kernel) {
        (Some(size), Some(kernel)) => format!("After the layers before it the picture is {size}×{size}, and the kernel is {kernel}×{kernel}."),
        _ => "After the layers before it the picture is smaller than the kernel.".to_owned(),
    };
    if linear || convs.is_empty() {
        let halves = layers
            .iter()
            .filter(|(_, _, c)| head(c).contains("Pool"))
            .count();
        let frame = case.innermost()?;
        let line = one_line(python.line(frame.line).trim());
        let class = case
            .statement(frame)
            .and_then(|s| class_around(case.python(frame.cell)?, s))
            .map_or(String::new(), |c| format!(" of `{}`", c.name));
        return Some(look(
            "image-size",
            format!("Resize the pictures to be larger, or take a pooling layer away before `{line}`"),
            format!("{words} The {halves} pooling layers{class} halve it each time: twice the picture gives twice the size here. The `Linear` behind it needs the new size, too."),
        ));
    }
    let mut changes = Vec::new();
    for (at, python, c) in &convs {
        let size = positional(c, 2)
            .and_then(crate::find::int_of)
            .filter(|k| k % 2 == 1)?;
        changes.push(Editor::new(*at, python).add(c, &format!("padding={}", size / 2)));
    }
    let n = changes.len();
    case.edits(
        said(
            "keep-size",
            Basis::Assumed,
            format!("Keep the size in the {}: `padding`", if n == 1 { "convolution".to_owned() } else { format!("{n} convolutions") }),
            format!("{words} With padding a convolution leaves the size as it is. Larger pictures would do as well."),
        ),
        changes,
    )
}

/// A `tf.data` dataset of single samples: each image arrives as a batch of its rows.
fn unbatched(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let fits = ["fit", "evaluate", "predict"];
    let call = only(
        spot.calls()
            .filter(|c| callee(c).is_some_and(|n| fits.contains(&n))),
    )?;
    let data = positional(call, 0)?;
    let (cell, made) = case.value(crate::find::name(data)?)?;
    let made = case.python(cell)?.slice(made);
    if !made.contains("from_tensor_slices(") || made.contains("batch(") {
        return None;
    }
    let text = spot.text(data);
    case.edits(
        said(
            "batch-dataset",
            Basis::Assumed,
            format!("Make batches of `{text}`: `{text}.batch(32)`"),
            format!("`{text}` gives one sample at a time, whose first axis the model takes for the batch."),
        ),
        vec![spot.editor().append(data, ".batch(32)")],
    )
}

fn small_keras(case: &Case<'_>) -> Option<Cure> {
    let names = [
        "Conv2D",
        "Convolution2D",
        "MaxPooling2D",
        "MaxPool2D",
        "AveragePooling2D",
        "SeparableConv2D",
        "Conv1D",
        "MaxPooling1D",
    ];
    let layers = shrinking(case, &names);
    let open: Vec<_> = layers
        .iter()
        .filter(|(_, _, c)| keyword(c, "padding").is_none())
        .collect();
    let mut changes = Vec::new();
    for (at, python, c) in &open {
        changes.push(Editor::new(*at, python).add(c, "padding=\"same\""));
    }
    let n = changes.len();
    case.edits(
        said(
            "keep-size",
            Basis::Assumed,
            format!("Keep the size in {n} {}: `padding=\"same\"`", if n == 1 { "layer" } else { "layers" }),
            "Each layer takes an edge away or halves the picture, until nothing is left. With `same` only the strides make it smaller. Larger pictures would do as well.",
        ),
        changes,
    )
}

/// Three-channel images for a one-channel model, or vice versa.
fn colour_mode(case: &Case<'_>) -> Option<Cure> {
    let scan = Scan::of(case);
    let channels = scan.calls.iter().filter_map(|f| {
        let value = keyword(f.call, "input_shape")
            .map(|k| &k.value)
            .or_else(|| {
                (head(f.call) == "Input")
                    .then(|| f.argument(0, "shape"))
                    .flatten()
            })?;
        let t = value.as_tuple_expr()?;
        (t.elts.len() == 3).then(|| scan.value(f, &t.elts[2]))?
    });
    let channels = only(channels)?;
    let (mode, word) = match channels {
        1 => ("grayscale", "one channel"),
        3 => ("rgb", "three channels"),
        4 => ("rgba", "four channels"),
        _ => return None,
    };
    let flows = [
        "flow_from_directory",
        "flow_from_dataframe",
        "image_dataset_from_directory",
        "load_img",
    ];
    let mut changes = Vec::new();
    for f in scan.named(&flows) {
        let python = case.python(f.cell)?;
        let now = keyword(f.call, "color_mode")
            .and_then(|k| crate::find::text_of(&k.value))
            .unwrap_or("rgb");
        if now != mode {
            changes.push(Editor::new(f.cell, python).set(
                f.call,
                "color_mode",
                &format!("\"{mode}\""),
            ));
        }
    }
    case.edits(
        said(
            "colour-mode",
            Basis::Solved,
            format!("Read the pictures with {word}: `color_mode=\"{mode}\"`"),
            format!("The model is built for {word}, and the pictures are read with another number; `rgb` is what they have unless the call says otherwise."),
        ),
        changes,
    )
}
