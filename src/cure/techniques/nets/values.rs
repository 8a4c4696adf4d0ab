//! Single tensor operations: unsupported dtypes, lists of tensors, strides and axes.

use crate::case::Case;
use crate::code::{argument, Code};
use crate::edit::Change;
use crate::find::{callee, int_of, one_line, only, receiver, said, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{keyword, positional};
use nbmedic_wordings::torch;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if torch::VIEW_SIZE.is_in(text) {
        out.extend(view(case));
    } else if torch::OUTPUT_DTYPE.is_in(text) || torch::MEAN_DTYPE.is_in(text) {
        out.extend(mean(case));
    } else if torch::ZERO_AXES.is_in(text) {
        out.extend(stacked(case));
    } else if torch::ONE_ELEMENT.is_in(text) {
        out.extend(list_of_tensors(case));
    } else if torch::SCALAR_OF_MANY.is_in(text) {
        out.extend(scalar(case));
    } else if torch::REQUIRE_GRADIENTS.is_in(text) {
        out.extend(float_leaf(case));
    } else if text
        .contains("Dimension out of range (expected to be in range of [-1, 0], but got 1)")
    {
        out.extend(last_axis(case));
    } else if torch::NUMBER_OF_AXES.is_in(text) {
        out.extend(one_axis_less(case));
    } else if torch::ARRAY_OF_OBJECTS.is_in(text) {
        out.extend(object_array(case));
    } else if text.contains("expected np.ndarray (got ") {
        out.extend(from_numpy(case, text));
    } else if text.contains("could not determine the shape of object type 'Series'")
        || text.contains("could not determine the shape of object type 'DataFrame'")
    {
        out.extend(of_table(case));
    } else if case.class() == "KeyError" && text.starts_with("tensor(") {
        out.extend(key(case));
    }
}

/// `names[predicted]`: a tensor isn't a dict key, though it prints as a number.
fn key(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let keys = spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr().filter(|s| s.ctx.is_load())?;
        let open = s.slice.is_name_expr() || s.slice.is_attribute_expr() || s.slice.is_call_expr();
        let key = open || s.slice.is_subscript_expr();
        key.then_some(&*s.slice)
    });
    let key = only(keys)?;
    let text = one_line(spot.text(key));
    one(
        case,
        "tensor-key",
        Basis::Assumed,
        format!("Look up `{text}.item()`"),
        "A dict has numbers as keys; a tensor of one number is none of them.",
        spot.editor().append(key, ".item()"),
    )
}

fn one(
    case: &Case<'_>,
    id: &'static str,
    basis: Basis,
    title: String,
    why: &str,
    change: Change,
) -> Option<Cure> {
    case.edits(said(id, basis, title, why), vec![change])
}

fn view(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("view")?;
    let attr = &call.func.as_attribute_expr()?.attr;
    one(
        case,
        "reshape",
        Basis::Named,
        format!("Write `reshape` instead of `view` in `{}`", one_line(spot.text(call))),
        "After `permute` or `transpose` the values don't lie in a row any more: `reshape` copies them where it has to, `view` never does.",
        Change::replace(spot.cell, attr, "reshape"),
    )
}

/// The averaged tensor: `x` in `x.mean()` and `torch.mean(x)`.
fn mean(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = only(
        spot.calls()
            .filter(|c| matches!(callee(c), Some("mean" | "std" | "var"))),
    )?;
    let module = case.path_of(&call.func).is_some();
    let of = if module {
        positional(call, 0)?
    } else {
        receiver(call)?
    };
    let new = Code::of(spot.python, of).then(".float()");
    one(
        case,
        "float-first",
        Basis::Library,
        format!("Make it fractions first: `{}`", one_line(&new)),
        "The mean of whole numbers or truth values is a fraction; PyTorch wants the type said.",
        Change::replace(spot.cell, spot.editor().span(of), new.clone()),
    )
}

/// `torch.cat` with single numbers.
fn stacked(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = only(
        spot.calls()
            .filter(|c| matches!(callee(c), Some("cat" | "concat" | "concatenate"))),
    )?;
    let was = spot.text(&*call.func);
    let new = was
        .strip_suffix(callee(call)?)
        .map(|p| format!("{p}stack"))?;
    if !new.contains('.') && !case.exists("stack") {
        return None;
    }
    one(
        case,
        "stack",
        Basis::Library,
        format!("Use `{new}` instead of `{was}`"),
        "Each of the tensors is one number, without an axis to join them along: `stack` makes a new one.",
        Change::replace(spot.cell, &*call.func, new.clone()),
    )
}

/// `torch.tensor([a, b])` with tensors.
fn list_of_tensors(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let torch = case.alias_of("torch")?;
    let makes = |c: &&ExprCall| {
        case.path_of(&c.func).is_some_and(|p| {
            [
                "torch.tensor",
                "torch.Tensor",
                "torch.FloatTensor",
                "torch.LongTensor",
                "torch.as_tensor",
            ]
            .contains(&p.as_str())
        })
    };
    let call = only(spot.calls().filter(makes))?;
    let list = positional(call, 0)?;
    let new = format!("{torch}.stack({})", spot.text(list));
    let cast = match callee(call)? {
        "FloatTensor" => ".float()",
        "LongTensor" => ".long()",
        _ => "",
    };
    one(
        case,
        "stack",
        Basis::Assumed,
        format!("Write `{new}{cast}`"),
        "The list holds tensors of several values; `stack` joins them along a new axis, if all have one shape.",
        Change::replace(spot.cell, call, format!("{new}{cast}")),
    )
}

/// `.item()` of several values.
fn scalar(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = spot.call("item")?;
    let of = receiver(call)?;
    let text = spot.text(of);
    let [n] = torch::SCALAR_OF_MANY.numbers(case.message())?;
    let loss = text.to_lowercase().contains("loss");
    let (new, why) = match loss {
        true => (
            format!("{text}.mean().item()"),
            format!("`{text}` has {n} values, one for each sample: the mean is one number."),
        ),
        false => (
            format!("{text}.tolist()"),
            format!("`{text}` has {n} values; `item` gives the only one of a tensor, `tolist` all of them."),
        ),
    };
    one(
        case,
        "several-values",
        Basis::Assumed,
        format!("Write `{}`", one_line(&new)),
        &why,
        Change::replace(spot.cell, call, new.clone()),
    )
}

/// `torch.tensor([1, 2], requires_grad=True)`.
fn float_leaf(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let torch = case.alias_of("torch")?;
    let call = only(
        spot.calls()
            .filter(|c| keyword(c, "requires_grad").is_some()),
    )?;
    let text = format!("{torch}.float32");
    let change = match keyword(call, "dtype") {
        Some(k) => Change::replace(spot.cell, &k.value, text.clone()),
        None => spot.editor().add(call, &format!("dtype={text}")),
    };
    one(
        case,
        "float-first",
        Basis::Library,
        format!("Make it fractions: `dtype={text}`"),
        "Whole numbers have no gradient.",
        change,
    )
}

/// The axis in a call: `1` in `softmax(x, dim=1)` and `torch.max(x, 1)`.
fn axis<'c>(case: &Case<'_>, spot: &Spot<'c>) -> Option<(&'c ExprCall, &'c Expr)> {
    let is_one = |e: &Expr| int_of(e) == Some(1);
    let known = [
        "softmax",
        "log_softmax",
        "argmax",
        "argmin",
        "max",
        "min",
        "sum",
        "mean",
        "squeeze",
        "norm",
        "topk",
        "sort",
        "cat",
        "flatten",
        "Softmax",
        "LogSoftmax",
    ];
    let of = |c: &'c ExprCall| {
        if !callee(c).is_some_and(|n| known.contains(&n)) {
            return None;
        }
        let index = usize::from(case.path_of(&c.func).is_some());
        let value = argument(c, index, "dim").or_else(|| argument(c, index, "axis"))?;
        is_one(value).then_some((c, value))
    };
    only(spot.calls().filter_map(of))
}

fn last_axis(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let (call, value) = axis(case, &spot)?;
    let text = one_line(spot.text(call));
    one(
        case,
        "last-axis",
        Basis::Assumed,
        format!("Count the axis from the end: `-1` instead of `1` in `{text}`"),
        "The tensor has one axis, number 0: a single sample, or a batch of one that `squeeze` took the axis from. The last axis is there in both cases.",
        Change::replace(spot.cell, value, "-1"),
    )
}

/// `torch.cat([a, b], dim=1)`, where `b` has one axis fewer.
fn one_axis_less(case: &Case<'_>) -> Option<Cure> {
    let [first, second] = torch::NUMBER_OF_AXES.numbers(case.message())?;
    let spot = case.spot()?;
    let call = only(
        spot.calls()
            .filter(|c| matches!(callee(c), Some("cat" | "concat" | "hstack" | "vstack"))),
    )?;
    let items = match positional(call, 0)? {
        Expr::List(l) => &l.elts,
        Expr::Tuple(t) => &t.elts,
        _ => return None,
    };
    let [a, b] = &items[..] else { return None };
    let dim = argument(call, 1, "dim").or_else(|| argument(call, 1, "axis"));
    let dim = dim.map_or("0", |d| spot.text(d));
    let less = match first - second {
        1 => b,
        -1 => a,
        _ => return None,
    };
    let new = Code::of(spot.python, less).then(&format!(".unsqueeze({dim})"));
    one(
        case,
        "add-axis",
        Basis::Assumed,
        format!("Join `{}`", one_line(&new)),
        &format!("`{}` has {first} axes, `{}` {second}: the one with fewer gets the axis {dim} along which they are joined.", spot.text(a), spot.text(b)),
        Change::replace(spot.cell, less, new.clone()),
    )
}

/// The user's call that creates a tensor from an array or table, and its argument.
fn made<'c>(case: &Case<'_>, spot: &Spot<'c>) -> Option<&'c Expr> {
    let all = spot.calls().filter(|c| {
        case.path_of(&c.func).is_some_and(|p| {
            [
                "torch.tensor",
                "torch.Tensor",
                "torch.FloatTensor",
                "torch.LongTensor",
                "torch.as_tensor",
                "torch.from_numpy",
            ]
            .contains(&p.as_str())
        })
    });
    positional(only(all)?, 0)
}

fn object_array(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let value = made(case, &spot)?;
    let was = spot.text(value);
    if was.contains("astype") || matches!(value, Expr::List(_) | Expr::ListComp(_)) {
        return None;
    }
    let new = Code::of(spot.python, value).then(".astype(\"float32\")");
    one(
        case,
        "plain-array",
        Basis::Assumed,
        format!("Make it numbers of one type: `{}`", one_line(&new)),
        &format!("`{}` holds Python objects: a table with columns of several types, such as truth values beside numbers. Text has to be encoded before; rows of different length have to be padded.", one_line(was)),
        Change::replace(spot.cell, value, new.clone()),
    )
}

/// `expected np.ndarray (got DataFrame)`.
fn from_numpy(case: &Case<'_>, text: &str) -> Option<Cure> {
    let class = text.split_once("(got ")?.1.split(')').next()?;
    let spot = case.spot()?;
    let value = made(case, &spot)?;
    let was = spot.text(value);
    let (new, why) = match class {
        "DataFrame" | "Series" => (
            Code::of(spot.python, value).then(".values").to_string(),
            "a table of pandas",
        ),
        "list" | "tuple" => (
            format!("{}.array({was})", case.alias_of("numpy")?),
            "a list",
        ),
        "Tensor" => {
            let call = only(spot.calls().filter(|c| callee(c) == Some("from_numpy")))?;
            return one(
                case,
                "tensor-already",
                Basis::Library,
                format!("Use `{was}` itself"),
                "It is a tensor already.",
                Change::replace(spot.cell, call, was),
            );
        }
        _ => return None,
    };
    one(
        case,
        "its-array",
        Basis::Library,
        format!("Give it the array: `{}`", one_line(&new)),
        &format!("`{}` is {why}; `from_numpy` takes arrays.", one_line(was)),
        Change::replace(spot.cell, value, new.clone()),
    )
}

fn of_table(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let value = made(case, &spot)?;
    let new = Code::of(spot.python, value).then(".values");
    one(
        case,
        "its-array",
        Basis::Library,
        format!("Give it the array: `{}`", one_line(&new)),
        "PyTorch makes tensors of arrays and lists, not of pandas's columns, whose index it takes for the values.",
        Change::replace(spot.cell, value, new.clone()),
    )
}
