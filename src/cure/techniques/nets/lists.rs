//! Lists of strings, rows, images and losses that become one tensor or array; images that couldn't be read.

use super::super::shapes::images::has_positions;
use super::super::shapes::scan::Scan;
use crate::case::Case;
use crate::code::{argument, Editor};
use crate::edit::Change;
use crate::find::{
    callee, look, loops_around, name, one_line, only, receiver, said, statement_of, tight,
};
use nbmedic_facts::{Basis, Cure, Value};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, keyword, positional, Cell, Ranged, TextRange};
use nbmedic_wordings::{numpy, opencv, torch};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if text.contains("too many dimensions 'str'") {
        out.extend(texts(case));
    } else if torch::SEQUENCE_LENGTH.is_in(text) && text.contains(" at dim 1 (got ") {
        out.extend(ragged(case));
    } else if text.contains("inhomogeneous shape after 1 dimensions")
        || numpy::BROADCAST_INTO.is_in(text)
    {
        out.extend(pictures(case));
    } else if torch::NUMPY_OF_GRAD.is_in(text) {
        out.extend(losses(case));
    } else if text.contains("'SparseTensor' object is not subscriptable") {
        out.extend(sparse(case));
    } else if text.contains("same device") && text.contains("argument weight in method") {
        out.extend(weights(case));
    } else if text.contains("!_src.empty()")
        || text.contains("!ssize.empty()")
        || opencv::EMPTY_PICTURE.is_in(text)
    {
        out.extend(not_read(case));
    } else if torch::NO_SAMPLES.is_in(text) {
        out.extend(no_samples(case));
    } else if text.contains("Sizes of tensors must match except in dimension 1") {
        out.extend(skip(case));
    } else if text.contains("step() missing 1 required positional argument: 'metrics'") {
        out.extend(plateau(case));
    } else if torch::CUDA_MEMORY.is_in(text) {
        out.extend(never_fits(case));
    }
}

/// The user's `torch.tensor` call, and the name of its result.
fn made<'c>(case: &'c Case<'c>) -> Option<(usize, &'c Cell, &'c ExprCall, &'c Expr)> {
    let spot = case.spot()?;
    let all = spot.calls().filter(|c| {
        case.path_of(&c.func).is_some_and(|p| {
            [
                "torch.tensor",
                "torch.Tensor",
                "torch.LongTensor",
                "torch.FloatTensor",
            ]
            .contains(&p.as_str())
        })
    });
    let call = only(all)?;
    Some((spot.cell, spot.python, call, positional(call, 0)?))
}

/// `torch.tensor(labels)` with strings.
fn texts(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, call, list) = made(case)?;
    let text = python.slice(list);
    if !list.is_name_expr() || case.exists("classes") {
        return None;
    }
    let stmt = statement_of(python, call.range())?;
    let changes = vec![
        Editor::new(cell, python).above(stmt, &format!("classes = sorted(set({text}))")),
        Change::replace(cell, list, format!("[classes.index(c) for c in {text}]")),
    ];
    case.edits(
        said(
            "number-classes",
            Basis::Assumed,
            format!("Number the texts of `{text}`"),
            format!("A tensor holds numbers. If `{text}` holds class names, each gets its place in `classes`, which also turns predictions back into names."),
        ),
        changes,
    )
}

/// `torch.tensor(rows)` with rows of different lengths.
fn ragged(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, call, list) = made(case)?;
    let torch = case.alias_of("torch")?;
    let text = one_line(python.slice(list));
    let options = call.arguments.keywords.iter();
    let options: String = options.map(|k| format!(", {}", python.slice(k))).collect();
    let rows = match list {
        Expr::Name(_) => format!("{torch}.tensor(row{options}) for row in {text}"),
        Expr::ListComp(c) => {
            let of = python.slice(&*c.elt);
            let each = python.slice(TextRange::new(c.elt.end(), c.end()));
            format!(
                "{torch}.tensor({of}{options}){}",
                each.trim_end_matches(']')
            )
        }
        _ => return None,
    };
    let new = format!("{torch}.nn.utils.rnn.pad_sequence([{rows}], batch_first=True)");
    case.edits(
        said(
            "pad-rows",
            Basis::Assumed,
            format!("Pad the rows of `{text}` to one length: `{torch}.nn.utils.rnn.pad_sequence`"),
            "The rows have several lengths; what is missing is filled with 0. A model that should not see the filling needs a mask.",
        ),
        vec![Change::replace(cell, call, new)],
    )
}

/// Images of different sizes in one array: `images.append(cv2.imread(path))`.
fn pictures(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = only(spot.calls().filter(|c| {
        matches!(callee(c), Some("array" | "asarray" | "stack"))
            && case
                .path_of(&c.func)
                .is_some_and(|p| p.starts_with("numpy."))
    }))?;
    let list = name(positional(call, 0)?)?;
    let scan = Scan::of(case);
    let resized = ["resize", "Resize", "crop", "load_img"];
    if scan.named(&resized).next().is_some() || has_positions(case) {
        return None;
    }
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        let appends = calls(python.body())
            .into_iter()
            .filter(|c| callee(c) == Some("append") && receiver(c).and_then(name) == Some(list));
        let Some(append) = only(appends) else {
            continue;
        };
        let value = positional(append, 0)?;
        // Where the image is read: here, or on the last line in the loop that assigns the name.
        let mut reads = calls(python.body());
        reads.retain(|c| {
            python.slice(&*c.func).ends_with("cv2.imread")
                || python.slice(&*c.func).ends_with("Image.open")
        });
        let read = only(reads.into_iter())?;
        loops_around(python, append).last()?;
        let pil = callee(read) == Some("open");
        let (change, shown) = match pil {
            true => (
                Change::after(at, read, ".resize((224, 224))"),
                format!("{}.resize((224, 224))", one_line(python.slice(read))),
            ),
            false => {
                let cv2 = receiver(read).map(|r| python.slice(r))?;
                let new = format!("{cv2}.resize({}, (224, 224))", python.slice(value));
                (Change::replace(at, value, new.clone()), one_line(&new))
            }
        };
        return case.edits(
            said(
                "resize-pictures",
                Basis::Assumed,
                format!("Make all pictures equally large: `{shown}`"),
                format!("The pictures in `{list}` have several sizes; one array needs one. 224 is a choice: take the size that the model wants."),
            ),
            vec![change],
        );
    }
    None
}

/// `losses.append(loss)`, followed by a plot.
fn losses(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let mut given: Vec<&str> = Vec::new();
    for c in spot.calls() {
        given.extend(c.arguments.args.iter().filter_map(name));
    }
    let mut changes = Vec::new();
    let mut shown = String::new();
    for at in case.seen() {
        let Some(python) = case.python(at) else {
            continue;
        };
        for c in calls(python.body()) {
            let (Some("append"), Some(list), Some(value)) =
                (callee(c), receiver(c).and_then(name), positional(c, 0))
            else {
                continue;
            };
            let text = python.slice(value);
            let ready = ["item()", "detach()", "numpy()", "tolist()"]
                .iter()
                .any(|r| text.contains(r));
            if !given.contains(&list) || ready || !text.to_lowercase().contains("loss") {
                continue;
            }
            shown = format!("{}.append({}.item())", list, tight(python, value));
            changes.push(Change::after(at, value, ".item()"));
        }
    }
    case.edits(
        said(
            "loss-item",
            Basis::Source,
            format!("Collect numbers: `{}`", one_line(&shown)),
            "Each entry is a tensor with its graph, which NumPy can't read and which keeps the memory of its whole step.",
        ),
        changes,
    )
}

fn sparse(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = only(
        spot.calls()
            .filter(|c| matches!(callee(c), Some("fit" | "predict" | "evaluate"))),
    )?;
    let x = argument(call, 0, "x").filter(|x| x.is_name_expr())?;
    let mut changes = vec![spot.editor().append(x, ".toarray()")];
    if let Some(t) = keyword(call, "validation_data").and_then(|k| k.value.as_tuple_expr()) {
        let first = t.elts.first().filter(|e| e.is_name_expr());
        changes.extend(first.map(|e| spot.editor().append(e, ".toarray()")));
    }
    case.edits(
        said(
            "dense-array",
            Basis::Assumed,
            format!("Give it a dense array: `{}.toarray()`", spot.text(x)),
            "The table is sparse, and Keras cannot shuffle it. Dense it takes more memory: with very many columns limit them first, for instance with `max_features`.",
        ),
        changes,
    )
}

/// The class weights of a loss, left on the CPU.
fn weights(case: &Case<'_>) -> Option<Cure> {
    let scan = Scan::of(case);
    let names = [
        "CrossEntropyLoss",
        "NLLLoss",
        "BCEWithLogitsLoss",
        "BCELoss",
        "cross_entropy",
    ];
    let all = scan
        .named(&names)
        .filter_map(|f| Some((f, &keyword(f.call, "weight")?.value)));
    let (f, value) = only(all)?;
    let python = case.python(f.cell)?;
    let device = ["device", "DEVICE"]
        .into_iter()
        .find(|n| case.value(n).is_some());
    let to = device.map_or(".cuda()".to_owned(), |d| format!(".to({d})"));
    let text = tight(python, value);
    if text.contains(".to(") || text.contains(".cuda(") {
        return None;
    }
    let new = format!("{text}{to}");
    case.edits(
        said(
            "to-device",
            Basis::Source,
            format!("Move the weights of the loss: `{new}`"),
            "They are on the CPU, the outputs are on the GPU.",
        ),
        vec![Change::replace(f.cell, value, new.clone())],
    )
}

/// An image that `cv2.imread` didn't find: it returns None instead of raising an error.
fn not_read(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = only(spot.calls().filter(|c| {
        matches!(
            callee(c),
            Some(
                "cvtColor" | "resize" | "GaussianBlur" | "threshold" | "imshow" | "Canny" | "blur"
            )
        )
    }))?;
    let image = positional(call, usize::from(callee(call) == Some("imshow")))?;
    let (cell, read) = match image {
        Expr::Call(c) if callee(c) == Some("imread") => (spot.cell, c),
        _ => {
            let target = name(image)?;
            let all = calls(spot.python.body()).into_iter().filter(|c| {
                let sets = statement_of(spot.python, c.range()).and_then(|s| s.as_assign_stmt());
                callee(c) == Some("imread")
                    && sets.is_some_and(|a| a.targets.first().and_then(name) == Some(target))
            });
            match all.last() {
                Some(c) => (spot.cell, c),
                None => {
                    let set = case.last_set(target)?;
                    (
                        set.cell,
                        set.binding
                            .value?
                            .as_call_expr()
                            .filter(|c| callee(c) == Some("imread"))?,
                    )
                }
            }
        }
    };
    let python = case.python(cell)?;
    let path = one_line(python.slice(positional(read, 0)?));
    let line = python.line_of(read.start());
    let looped = !loops_around(python, read).is_empty();
    let why = format!("`imread` (cell {}, line {line}) returns None, without an error, if the file is missing or isn't an image.", case.position(cell));
    Some(look(
        "picture-not-read",
        match looped {
            true => format!(
                "Skip what isn't a picture: `if {} is None: continue` behind `imread({path})`",
                one_line(spot.text(image))
            ),
            false => format!("Correct the path `{path}`: no picture was read from it"),
        },
        match looped {
            true => format!("{why} In a folder these are often hidden files and tables."),
            false => why,
        },
    ))
}

/// A loader with an empty dataset: the pattern that found no files.
fn no_samples(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = only(
        spot.calls()
            .filter(|c| callee(c).is_some_and(|n| n.ends_with("DataLoader"))),
    )?;
    let data = positional(call, 0)?;
    let shown = one_line(spot.text(data));
    let scan = Scan::of(case);
    let names = ["glob", "rglob", "iglob", "listdir"];
    let sources: Vec<_> = scan.named(&names).collect();
    let why = format!("`{shown}` has no samples.");
    match &sources[..] {
        [one] => {
            let text = one_line(case.python(one.cell)?.slice(one.call));
            Some(look(
                "no-samples",
                format!(
                    "Correct the folder or pattern of `{text}`: it found nothing for `{shown}`"
                ),
                format!(
                    "{why} Its files come from cell {}.",
                    case.position(one.cell)
                ),
            ))
        }
        _ => None,
    }
}

/// `torch.cat([x, skip], dim=1)` in a U-Net: the images differ by a pixel.
fn skip(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, stmt) = case.here()?;
    let spot = case.spot()?;
    let call = only(
        spot.calls()
            .filter(|c| matches!(callee(c), Some("cat" | "concat"))),
    )?;
    let items = match positional(call, 0)? {
        Expr::List(l) => &l.elts,
        Expr::Tuple(t) => &t.elts,
        _ => return None,
    };
    let [a, b] = &items[..] else { return None };
    let (x, y) = (name(a)?, name(b)?);
    let dim = argument(call, 1, "dim")?;
    let layers = Scan::of(case)
        .named(&["ConvTranspose2d", "Upsample", "interpolate"])
        .next()
        .is_some();
    if spot.text(dim) != "1" || !layers {
        return None;
    }
    let functional = case
        .alias_of("torch.nn.functional")
        .or_else(|| case.alias_of("torch").map(|t| format!("{t}.nn.functional")))?;
    let line = format!("{x} = {functional}.interpolate({x}, size={y}.shape[2:])");
    case.edits(
        said(
            "same-picture-size",
            Basis::Assumed,
            format!("Bring `{x}` to the size of `{y}` first: `{line}`"),
            format!("Halved and doubled again, an odd side is a pixel off. Pictures whose sides are multiples of 32 need no `interpolate`; `{y}` may also be cut."),
        ),
        vec![Editor::new(cell, python).above(stmt, &line)],
    )
}

/// `ReduceLROnPlateau.step()` requires the metric to monitor.
fn plateau(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("step")?;
    if !call.arguments.is_empty() {
        return None;
    }
    let known = [
        "val_loss",
        "valid_loss",
        "avg_val_loss",
        "validation_loss",
        "test_loss",
        "epoch_loss",
        "train_loss",
        "avg_loss",
        "running_loss",
    ];
    let names = case.names_at(&spot);
    let of = spot.text(receiver(call)?);
    let Some(value) = known.into_iter().find(|k| names.iter().any(|n| n == k)) else {
        return Some(look(
            "watched-value",
            format!("Pass the validation loss of the epoch to `{of}.step(…)`"),
            "`ReduceLROnPlateau` lowers the rate when this value stops falling, so it has to be told.",
        ));
    };
    let text = format!("{of}.step({value})");
    case.edits(
        said(
            "watched-value",
            Basis::Assumed,
            format!("Pass it the value to watch: `{text}`"),
            format!("`ReduceLROnPlateau` lowers the rate when this value stops falling. `{value}` is the choice here."),
        ),
        vec![Change::replace(spot.cell, call, text.clone())],
    )
}

/// An allocation larger than the whole GPU.
fn never_fits(case: &Case<'_>) -> Option<Cure> {
    let fact = |n: &str| match case.facts()?.get(n)? {
        Value::Int(n) => Some(*n),
        _ => None,
    };
    let (asked, total) = (fact("requested_bytes")?, fact("total_bytes")?);
    if asked <= total || total < 1 {
        return None;
    }
    let (cell, python, stmt) = case.here()?;
    let line = python.line_of(stmt.start());
    #[allow(clippy::cast_precision_loss)]
    let gib = |n: i64| format!("{:.1} GiB", n as f64 / f64::from(1 << 30));
    let parts = asked / (total / 4).max(1) + 1;
    Some(look(
        "never-fits",
        format!("Compute line {line} of cell {} in at least {parts} parts", case.position(cell)),
        format!("`{}` asks for {} at once; the whole GPU has {}. No smaller model, setting or restart makes that fit: take the rows in blocks, and keep of each what is needed.", one_line(python.slice(stmt)), gib(asked), gib(total)),
    ))
}
