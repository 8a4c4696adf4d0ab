//! NumPy arrays.

use super::say::replaced;
use super::scan::{at_error, head, integer, only, slice, Scan};
use super::text::{number_after, shapes, written};
use crate::case::Case;
use crate::code::argument;
use crate::edit::{Change, Said};
use crate::find::tight;
use crate::known::function_around;
use crate::sized::Sources;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Operator};
use nbmedic_python::{each_expr, each_stmt, keyword, name_of, positional, Ranged, TextRange};
use nbmedic_values::Scope as _;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if text.contains("could not be broadcast together with shapes") {
        out.extend(broadcast(case));
    } else if text.contains("cannot reshape array of size") {
        out.extend(images(case).or_else(|| reshape(case)));
    } else if text.contains("is out of bounds for array of dimension") {
        out.extend(axis(case));
    } else if text.contains("too many indices for array: array is 1-dimensional") {
        out.extend(one_row(case));
    } else if text.contains("inhomogeneous shape")
        || text.contains("setting an array element with a sequence")
    {
        out.extend(uneven(case));
    } else if text.contains("only integer scalar arrays can be converted to a scalar index")
        || text.contains("only one element tensors can be converted to")
        || text.contains("only integer tensors of a single element can be converted to an index")
    {
        out.extend(list_index(case));
    } else if text.contains("shapes (") && text.contains("not aligned")
        || text.contains("matmul: Input operand 1 has a mismatch in its core dimension")
    {
        out.extend(product(case));
    } else if text.contains(
        "all the input array dimensions except for the concatenation axis must match exactly",
    ) {
        out.extend(joined(case));
    }
}

/// `operands could not be broadcast together with shapes (4,3) (4,)`.
fn broadcast(case: &Case<'_>) -> Option<Cure> {
    let all = shapes(case.message().split_once("with shapes")?.1);
    let (a, b) = (all.first()?, all.get(1)?);
    let (cell, exprs) = at_error(case);
    let arithmetic = exprs.iter().filter_map(|e| e.as_bin_op_expr());
    let op = only(arithmetic)?;
    let words = format!(
        "The left side is {}, the right side {}",
        written(a),
        written(b)
    );
    let column = |expr: &Expr, n: i64, m: i64| {
        let series = case.kind(cell, expr).is_table();
        let values = if series { ".to_numpy()" } else { "" };
        let text = format!("{}{values}[:, None]", case.editor(cell)?.code(expr).tight());
        let why = format!("{words}: one value for each of the {n} rows has to stand in a column to meet {m} columns.");
        replaced(case, cell, expr, text, "as-column", Basis::Solved, why)
    };
    match (&a[..], &b[..]) {
        (&[n, m], &[k]) if n == k && m != k => column(&op.right, n, m),
        (&[k], &[n, m]) if n == k && m != k => column(&op.left, n, m),
        (&[n, m], &[k, l]) if (n, m) == (l, k) => {
            let why = format!("{words}: the same sizes in the other order.");
            replaced(
                case,
                cell,
                &op.right,
                case.editor(cell)?.code(&op.right).then(".T").to_string(),
                "transpose",
                Basis::Assumed,
                why,
            )
        }
        _ => None,
    }
}

/// `a.reshape(-1, 28, 28, 1)` with rows that are square images of a different size or number of
/// channels.
fn images(case: &Case<'_>) -> Option<Cure> {
    let (cell, exprs) = at_error(case);
    let calls = exprs.iter().filter_map(|e| e.as_call_expr());
    let call = only(calls.filter(|c| head(c) == "reshape"))?;
    let array = call
        .func
        .as_attribute_expr()?
        .value
        .as_name_expr()?
        .id
        .as_str();
    let sides = case.seen_value(array)?.shape.as_ref()?;
    let sizes: Vec<&Expr> = match &call.arguments.args[..] {
        [Expr::Tuple(t)] => t.elts.iter().collect(),
        many => many.iter().collect(),
    };
    let was: Vec<i64> = sizes[1..].iter().filter_map(|e| integer(e)).collect();
    let each: i64 = sides.get(1..)?.iter().product();
    let ([h, w] | [h, w, _]) = was[..] else {
        return None;
    };
    if h != w || was.len() + 1 != sizes.len() || each < 16 || was.iter().product::<i64>() == each {
        return None;
    }
    let channels = was.get(2).copied();
    let side = |c: i64| {
        let side = (each / c).isqrt();
        (each % c == 0 && side * side * c == each).then_some((side, c))
    };
    let all = [channels.unwrap_or(1), 3, 1, 4].into_iter();
    let (side, c) = all.filter(|c| *c > 0).find_map(side)?;
    let mut new = vec![side, side];
    new.extend((channels.is_some() || c > 1).then_some(c));
    let range = TextRange::new(sizes[1].start(), sizes.last()?.end());
    let list: Vec<String> = new.iter().map(i64::to_string).collect();
    let (old, list) = (slice(case, cell, range), list.join(", "));
    case.edits(
        Said {
            id: "reshape-side",
            basis: Basis::Assumed,
            title: format!("Replace `{old}` by `{list}` in the shape"),
            why: format!("Each row of `{array}` has {each} values: an image of {side} × {side} × {c}. If the model needs another size, resize the images, which `reshape` doesn't do."),
        },
        vec![Change::replace(cell, range, list)],
    )
}

/// `cannot reshape array of size 47040 into shape (100,28,28,1)`.
fn reshape(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    let size = number_after(text, "array of size ")?;
    let shape = shapes(text.split_once("into shape")?.1)
        .into_iter()
        .next()?;
    let (cell, exprs) = at_error(case);
    let call = only(
        exprs
            .iter()
            .filter_map(|e| e.as_call_expr())
            .filter(|c| head(c) == "reshape"),
    )?;
    let args = &call.arguments.args;
    let tuple = args.iter().find_map(Expr::as_tuple_expr);
    let sizes: Vec<&Expr> = match tuple {
        Some(t) => t.elts.iter().collect(),
        None if args.len() == shape.len() => args.iter().collect(),
        None => return None,
    };
    if sizes.len() != shape.len() || shape.len() < 2 || shape.iter().skip(1).any(|n| *n < 1) {
        return None;
    }
    // The first axis is the number of items; the shape of an item stays.
    let one: i64 = shape[1..].iter().product();
    // A colour image mistaken for a greyscale one isn't a batch of three.
    let colour = shape.last() == Some(&1) && shape[0] == 1 && size == 3 * one;
    if size % one == 0 && shape[0] != -1 && !colour {
        let was = slice(case, cell, sizes[0]);
        return case.edits(
            Said {
                id: "reshape-count",
                basis: Basis::Assumed,
                title: format!("Replace `{was}` by `-1` in the shape"),
                why: format!(
                    "{size} values are {} of {}, not {}; `-1` lets NumPy count them.",
                    size / one,
                    written(&shape[1..]),
                    shape[0]
                ),
            },
            vec![Change::replace(cell, sizes[0], "-1")],
        );
    }
    // Square images of a different size: all of them if the first axis is open.
    let (h, w) = (*shape.get(1)?, *shape.get(2)?);
    let channels = shape.get(3).copied().unwrap_or(1);
    let scan = Scan::of(case);
    let count = match shape[0] {
        -1 => None,
        n => Some(n),
    };
    let each = size.checked_div(count?.max(1) * channels)?;
    let side = each.isqrt();
    let found = scan.found(cell, call)?;
    let literal = |e: &Expr| e.is_number_literal_expr();
    let _ = found;
    if h != w || side * side != each || side == h || !(literal(sizes[1]) && literal(sizes[2])) {
        return None;
    }
    case.edits(
        Said {
            id: "reshape-side",
            basis: Basis::Assumed,
            title: format!("Replace {h}×{w} by {side}×{side} in the shape"),
            why: format!(
                "{size} values are {} images of {side} × {side} × {channels}.",
                shape[0]
            ),
        },
        vec![
            Change::replace(cell, sizes[1], side.to_string()),
            Change::replace(cell, sizes[2], side.to_string()),
        ],
    )
}

/// `axis 2 is out of bounds for array of dimension 2`.
fn axis(case: &Case<'_>) -> Option<Cure> {
    let wrong = number_after(case.message(), "axis ")?;
    let axes = number_after(case.message(), "array of dimension ")?;
    let (cell, exprs) = at_error(case);
    let written = exprs
        .iter()
        .filter_map(|e| e.as_call_expr())
        .filter_map(|c| {
            let value = keyword(c, "axis").map(|k| &k.value).or_else(|| {
                let method = [
                    "sum", "mean", "max", "min", "argmax", "argmin", "std", "cumsum",
                ]
                .contains(&head(c));
                let first = positional(c, 0).filter(|_| method);
                first
            })?;
            (integer(value) == Some(wrong)).then_some(value)
        });
    let value = only(written)?;
    let last = axes.checked_sub(1).filter(|n| *n >= 0)?;
    let why = format!(
        "The array has {axes} {}: they are counted from 0, so the last one is {last}.",
        if axes == 1 { "axis" } else { "axes" }
    );
    replaced(
        case,
        cell,
        value,
        last.to_string(),
        "axis",
        Basis::Assumed,
        why,
    )
}

/// `x[:, 0]` on a single row.
fn one_row(case: &Case<'_>) -> Option<Cure> {
    let (cell, exprs) = at_error(case);
    let two = exprs
        .iter()
        .filter_map(|e| e.as_subscript_expr())
        .filter(|s| {
            s.slice
                .as_tuple_expr()
                .is_some_and(|t| t.elts.len() == 2 && t.elts[0].is_slice_expr())
        });
    let sub = only(two)?;
    let name = name_of(&sub.value)?;
    let was = slice(case, cell, &*sub.value);
    let (at, value) = case.value(&name)?;
    // `y = model.predict(x)` and `y[:, 1]`: the probabilities were meant.
    let index = integer(&sub.slice.as_tuple_expr()?.elts[1]);
    if let Expr::Call(c) = value {
        let attr = c
            .func
            .as_attribute_expr()
            .filter(|a| a.attr.as_str() == "predict");
        if let (Some(a), Some(0 | 1)) = (attr, index) {
            let model = name_of(&a.value)?;
            let fitted = case.value(&model).and_then(|(_, v)| v.as_call_expr());
            let sklearn = fitted.and_then(|c| case.path_of(&c.func)).is_some_and(|p| {
                p.starts_with("sklearn") || p.starts_with("xgboost") || p.starts_with("lightgbm")
            });
            if sklearn {
                return case.edits(
                    Said {
                        id: "predict-proba",
                        basis: Basis::Assumed,
                        title: format!("Use `{model}.predict_proba` for `{name}`"),
                        why: format!("`predict` gives one class for each sample; `{}` takes a column of the probabilities.", slice(case, cell, sub)),
                    },
                    vec![Change::replace(at, &a.attr, "predict_proba")],
                );
            }
        }
    }
    let row = value
        .as_subscript_expr()
        .is_some_and(|s| integer(&s.slice).is_some());
    let np = case.alias_of("numpy")?;
    if !row {
        return None;
    }
    let why = format!(
        "`{name}` is one row, which lost its axis: as a table of one row it has columns again."
    );
    replaced(
        case,
        cell,
        &sub.value,
        format!("{np}.atleast_2d({was})"),
        "one-row",
        Basis::Assumed,
        why,
    )
}

/// `x[i:i + size] for i in range(0, len(x), size)`: the last part is cut short at the end of `x`.
fn short_part(case: &Case<'_>, cell: usize, value: &Expr) -> Option<Cure> {
    let made = case.made(cell, value)?;
    let call = made.expr.as_call_expr();
    let sources = Sources(case);
    let returned = call.map(|c| sources.returned(made.cell, c));
    let (at, expr) = match returned.as_deref() {
        Some([one]) => (one.cell, one.expr),
        Some(_) => return None,
        None => (made.cell, made.expr),
    };
    let python = case.python(at)?;
    let function = function_around(python, expr);
    // Where each variable of a loop has its values from.
    let mut loops: Vec<(&Expr, &Expr)> = Vec::new();
    let mut sums: Vec<(&Expr, &Expr, &Expr)> = Vec::new();
    each_stmt(python.body(), &mut |s| {
        loops.extend(s.as_for_stmt().map(|f| (&*f.target, &*f.iter)));
    });
    each_expr(python.body(), &mut |e| {
        let list = e.as_list_comp_expr();
        let parts = list.into_iter().flat_map(|l| &l.generators);
        loops.extend(parts.map(|g| (&g.target, &g.iter)));
        let inside = function.is_none_or(|f| f.range().contains_range(e.range()));
        let slice = e.as_subscript_expr().filter(|_| inside);
        let upper =
            slice.and_then(|s| Some((&*s.value, s.slice.as_slice_expr()?.upper.as_deref()?)));
        if let Some((of, Expr::BinOp(b))) = upper.filter(|(_, u)| u.is_bin_op_expr()) {
            if b.op == Operator::Add {
                sums.extend([(of, &*b.left, &*b.right), (of, &*b.right, &*b.left)]);
            }
        }
    });
    let found = sums.iter().filter_map(|(of, i, size)| {
        let iter = loops.iter().find(|(target, iter)| {
            let inside = function.is_none_or(|f| f.range().contains_range(iter.range()));
            inside && python.slice(*target) == python.slice(*i)
        });
        let range = iter?.1.as_call_expr().filter(|c| head(c) == "range")?;
        let stop = positional(range, 1).or(positional(range, 0))?;
        let (of, end) = (python.slice(*of), python.slice(stop));
        let whole = [
            format!("len({of})"),
            format!("{of}.size"),
            format!("{of}.shape[0]"),
        ];
        whole.iter().any(|w| w == end).then_some((of, stop, *size))
    });
    let (of, stop, size) = only(found)?;
    let end = format!("{} - {} + 1", python.slice(stop), tight(python, size));
    case.edits(
        Said {
            id: "whole-parts",
            basis: Basis::Assumed,
            title: format!("Stop at the last whole part: `{end}`"),
            why: format!("The last part of `{of}` is shorter than the others, and is left out so. To keep it, fill `{of}` up to whole parts first."),
        },
        vec![Change::replace(at, stop, end)],
    )
}

/// Whether the failing line or one below it calculates with what a call gives.
fn is_calculated(case: &Case<'_>, call: &ExprCall) -> bool {
    let Some((_, python, stmt)) = case.here() else {
        return false;
    };
    let target = stmt.as_assign_stmt().and_then(|a| only(&a.targets));
    let target = target.and_then(name_of);
    let mut found = false;
    each_expr(python.body(), &mut |e| {
        let is = |e: &Expr| {
            let later = e.start() > stmt.end() && target.is_some() && name_of(e) == target;
            later || e.range().contains_range(call.range()) && e.range() != stmt.range()
        };
        found |= match e {
            Expr::BinOp(b) => is(&b.left) || is(&b.right),
            Expr::Call(c)
                if case
                    .path_of(&c.func)
                    .is_some_and(|p| p.starts_with("numpy.")) =>
            {
                c.arguments.args.iter().any(is)
            }
            _ => false,
        };
    });
    found
}

/// Lists of different lengths in one array.
fn uneven(case: &Case<'_>) -> Option<Cure> {
    let (cell, exprs) = at_error(case);
    let calls = exprs.iter().filter_map(|e| e.as_call_expr()).filter(|c| {
        ["array", "asarray"].contains(&head(c))
            && case
                .path_of(&c.func)
                .is_some_and(|p| p.starts_with("numpy"))
            && c.arguments.args.len() == 1
            && c.arguments.keywords.is_empty()
    });
    let call = only(calls)?;
    let text = slice(case, cell, call);
    let value = positional(call, 0)?;
    if case.exists("pad_sequences") {
        let padded = format!("pad_sequences({})", slice(case, cell, value));
        return case.edits(
            Said {
                id: "pad-sequences",
                basis: Basis::Assumed,
                title: format!("Write `{padded}` instead of `{text}`"),
                why: "The parts have several lengths: zeros fill them up in front, `padding=\"post\"` behind, to the longest or to `maxlen=`.".to_owned(),
            },
            vec![Change::replace(cell, call, padded)],
        );
    }
    // Arithmetic on objects of several lengths fails in turn.
    if is_calculated(case, call) {
        return short_part(case, cell, value);
    }
    let editor = case.editor(cell)?;
    let object = || {
        case.edits(
        Said {
            id: "object-array",
            basis: Basis::Guessed,
            title: format!("Add `dtype=object` to `{text}`"),
            why: format!("The parts of `{}` have several lengths. As objects they stay as they are, as older NumPy did it; for arithmetic they have to be padded or cut to one length.", slice(case, cell, value)),
        },
        vec![editor.add(call, "dtype=object")],
    )
    };
    short_part(case, cell, value).or_else(object)
}

/// `names[labels[i]]`, where the index is a one-element array and `names` is a list.
fn list_index(case: &Case<'_>) -> Option<Cure> {
    let (cell, exprs) = at_error(case);
    let scalar = |e: &Expr| match e {
        Expr::NumberLiteral(_) | Expr::StringLiteral(_) | Expr::Slice(_) | Expr::UnaryOp(_) => true,
        Expr::Call(c) => ["int", "len", "item", "argmax", "randint"].contains(&head(c)),
        Expr::Name(n) => case.last_set(n.id.as_str()).is_some_and(|s| {
            s.binding.value.is_some_and(|v| {
                v.as_call_expr()
                    .is_some_and(|c| ["int", "len"].contains(&head(c)))
                    || v.is_number_literal_expr()
            })
        }),
        _ => false,
    };
    let found = exprs
        .iter()
        .filter_map(|e| e.as_subscript_expr())
        .filter(|s| {
            let list = match &*s.value {
                Expr::Name(n) => case
                    .last_set(n.id.as_str())
                    .and_then(|b| b.binding.value)
                    .is_some_and(|v| {
                        v.is_list_expr()
                            || v.is_list_comp_expr()
                            || v.as_call_expr().is_some_and(|c| head(c) == "list")
                    }),
                other => other.is_list_expr(),
            };
            list && !scalar(&s.slice)
        });
    let found: Vec<_> = found.collect();
    // An index that is itself a subscript is the array; a plain name may have been converted to a
    // number.
    let sub = match &found[..] {
        [one] => *one,
        all => *only(all.iter().filter(|s| s.slice.is_subscript_expr()))?,
    };
    let index = &*sub.slice;
    let was = slice(case, cell, index);
    let why = format!("`{was}` is an array; if it holds one number, `.item()` gives it as an index for the list `{}`.", slice(case, cell, &*sub.value));
    replaced(
        case,
        cell,
        index,
        case.editor(cell)?.code(index).then(".item()").to_string(),
        "one-number",
        Basis::Assumed,
        why,
    )
}

/// `shapes (3,4) and (3,) not aligned: 4 (dim 1) != 3 (dim 0)`.
fn product(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    let all = shapes(text.split_once("shapes ")?.1);
    let (a, b) = (all.first()?, all.get(1)?);
    let (cell, exprs) = at_error(case);
    let pairs = exprs.iter().filter_map(|e| match e {
        Expr::BinOp(o) if o.op == Operator::MatMult => Some((&*o.left, &*o.right)),
        Expr::Call(c) if ["dot", "matmul"].contains(&head(c)) => match c.arguments.args.len() {
            2 => Some((positional(c, 0)?, positional(c, 1)?)),
            1 => Some((&*c.func.as_attribute_expr()?.value, positional(c, 0)?)),
            _ => None,
        },
        _ => None,
    });
    let (left, right) = only(pairs)?;
    let words = format!(
        "The sizes that meet have to be equal: {} and {}",
        written(a),
        written(b)
    );
    let turned = |expr: &Expr, which: &str| {
        replaced(
            case,
            cell,
            expr,
            case.editor(cell)?.code(expr).then(".T").to_string(),
            "transpose",
            Basis::Assumed,
            format!("{words} fit when {which} is transposed."),
        )
    };
    match (&a[..], &b[..]) {
        (&[_, m], &[k, l]) if m == l && m != k => turned(right, "the right one"),
        (&[n, m], &[k] | &[k, _]) if n == k && m != k => turned(left, "the left one"),
        _ => None,
    }
}

/// `… except for the concatenation axis must match exactly, but along dimension 1, …`: concatenates
/// along the other axis.
fn joined(case: &Case<'_>) -> Option<Cure> {
    let (_, rest) = case.message().split_once("along dimension ")?;
    let dimension: i64 = rest
        .split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()?;
    let (cell, exprs) = at_error(case);
    let call = only(
        exprs
            .iter()
            .filter_map(|e| e.as_call_expr())
            .filter(|c| head(c) == "concatenate"),
    )?;
    let axis = argument(call, 1, "axis");
    let now = axis.map_or(Some(0), integer)?;
    if now == dimension {
        return None;
    }
    let why = format!("The arrays have different sizes along axis {dimension}: only the axis along which they are joined may differ. The others must be equal.");
    match axis {
        Some(a) => replaced(
            case,
            cell,
            a,
            dimension.to_string(),
            "join-axis",
            Basis::Assumed,
            why,
        ),
        None => case.edits(
            Said {
                id: "join-axis",
                basis: Basis::Assumed,
                title: format!("Add `axis={dimension}` to `{}`", slice(case, cell, call)),
                why,
            },
            vec![case.editor(cell)?.add(call, &format!("axis={dimension}"))],
        ),
    }
}
