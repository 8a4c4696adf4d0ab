//! Images of Pillow: modes that a format can't hold, arrays that are no bytes.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, receiver, said, tight};
use crate::top::at_top;
use nbmedic_facts::{Applicability, Cure};
use nbmedic_python::{positional, Ranged};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    if message.starts_with("cannot write mode ") && message.ends_with(" as JPEG") {
        out.extend(saved(case, message));
    } else if message.starts_with("Cannot handle this data type: (1, 1") {
        out.extend(bytes(case, message));
    }
}

/// `image.save("a.jpg")` of an image with transparency.
fn saved(case: &Case<'_>, message: &str) -> Option<Cure> {
    let mode = message
        .strip_prefix("cannot write mode ")?
        .strip_suffix(" as JPEG")?;
    let to = if mode == "LA" || mode == "I;16" {
        "L"
    } else {
        "RGB"
    };
    let spot = case.spot()?;
    let call = spot.call("save")?;
    let image = receiver(call)?;
    case.edits(
        said(
            "jpeg-mode",
            Applicability::Sure,
            format!("Convert it before saving: `.convert(\"{to}\")`"),
            format!("JPEG has no mode {mode}; transparency is lost. A PNG file would keep it."),
        ),
        vec![Change::after(
            spot.cell,
            image,
            format!(".convert(\"{to}\")"),
        )],
    )
}

/// `Image.fromarray(x)` of floats or wide integers.
fn bytes(case: &Case<'_>, message: &str) -> Option<Cure> {
    let dtype = message.rsplit(", ").next()?;
    let spot = case.spot()?;
    let calls = spot.calls().filter(|c| callee(c) == Some("fromarray"));
    let array = positional(crate::find::only(calls)?, 0)?;
    let was = tight(spot.python, array);
    // Bytes already: then the form is what is not known, as a tensor's with its channels first.
    if dtype.trim_start_matches('|').starts_with("u1") {
        let channels_first = message.contains("(1, 1, ") && !message.contains("(1, 1, 1)");
        return case.edits(
            said(
                "channels-last",
                Applicability::Likely,
                format!("Bring the channels to the end: `{was}.transpose(1, 2, 0)`"),
                "Pillow takes height, width, channels. PyTorch's pictures have their channels first.",
            ),
            vec![Change::replace(
                spot.cell,
                channels_first.then(|| array.range())?,
                format!("{was}.transpose(1, 2, 0)"),
            )],
        );
    }
    let (numpy, import) = case.alias_or_import("numpy", "np");
    let (new, why) = if dtype.contains('f') {
        (
            format!("({was} * 255).astype({numpy}.uint8)"),
            "Pillow takes bytes from 0 to 255, and this array holds floats. Values from 0 to 1 are multiplied by 255; if they go up to 255 already, leave that out.",
        )
    } else {
        (
            format!("{was}.astype({numpy}.uint8)"),
            "Pillow takes bytes from 0 to 255, and this array holds wider integers.",
        )
    };
    let mut changes = vec![Change::replace(spot.cell, array.range(), new.clone())];
    changes.extend(import.map(|line| at_top(spot.cell, spot.python, &line)));
    case.edits(
        said(
            "image-bytes",
            Applicability::Likely,
            format!("Give `fromarray` bytes: `{new}`"),
            why,
        ),
        changes,
    )
}
