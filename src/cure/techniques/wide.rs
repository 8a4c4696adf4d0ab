//! Small speculative changes: they are only generated if each is tried in a copy of the kernel, and only shown if the
//! cell then gets further. Smallest changes first.

use crate::case::Case;
use crate::closest::near;
use crate::edit::{Change, Said};
use crate::find::{callee, missing_name, receiver, Spot};
use crate::keys::missing_keys;
use crate::values::Value;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, Operator};
use nbmedic_python::each_expr;

/// Prefix of the ids of such cures.
pub const WIDE: &str = "wide-";
/// Maximum number of them per failure.
const MOST: usize = 9;
/// Functions that multiply two matrices.
const PRODUCTS: &[&str] = &["dot", "matmul", "mm", "inner"];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if !case.book.is_tried() {
        return;
    }
    let Some(spot) = case.spot() else { return };
    let mut all = Vec::new();
    names(case, &spot, &mut all);
    keys(case, &spot, &mut all);
    if matches!(
        case.class(),
        "ValueError"
            | "RuntimeError"
            | "TypeError"
            | "IndexError"
            | "AxisError"
            | "AttributeError"
            | "KeyError"
    ) {
        axes(&spot, &mut all);
        turned(case, &spot, &mut all);
        converted(case, &spot, &mut all);
    }
    let cures = all
        .into_iter()
        .filter_map(|(said, changes)| case.edits(said, changes));
    out.extend(cures.take(MOST));
}

type Offers = Vec<(Said, Vec<Change>)>;

fn said(id: &'static str, title: String, why: &str) -> Said {
    Said {
        id,
        basis: Basis::Guessed,
        title,
        why: why.to_owned(),
    }
}

/// Replaces a string in the failing statement.
fn replace(
    spot: &Spot<'_>,
    node: &Expr,
    by: String,
    id: &'static str,
    why: &str,
) -> (Said, Vec<Change>) {
    let title = format!("Replace `{}` by `{by}`", spot.text(node));
    (
        said(id, title, why),
        vec![Change::replace(spot.cell, node, by)],
    )
}

/// Names similar to a wrong one, closest first.
fn like<'n>(wrong: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let mut found: Vec<(usize, &str)> = names
        .filter(|n| *n != wrong)
        .filter_map(|n| Some((near(wrong, n)?, n)))
        .collect();
    found.sort_by_key(|(distance, _)| *distance);
    found.dedup();
    found.into_iter().map(|(_, n)| n).collect()
}

/// Each defined name similar to the missing one.
fn names(case: &Case<'_>, spot: &Spot<'_>, out: &mut Offers) {
    if case.class() != "NameError" {
        return;
    }
    let Some(wrong) = missing_name(case.message()) else {
        return;
    };
    let known = case.names_at(spot);
    for right in like(wrong, known.iter().map(String::as_str)) {
        let mut changes = Vec::new();
        each_expr(spot.python.body(), &mut |e| {
            if e.as_name_expr().is_some_and(|n| n.id.as_str() == wrong) {
                changes.push(Change::replace(spot.cell, e, right));
            }
        });
        let title = format!("Replace `{wrong}` by `{right}`");
        out.push((
            said(
                "wide-name",
                title,
                "It is defined, and written almost alike.",
            ),
            changes,
        ));
    }
}

/// Each key or column, of an object that the failing statement uses, similar to the missing one.
fn keys(case: &Case<'_>, spot: &Spot<'_>, out: &mut Offers) {
    for wrong in missing_keys(case.class(), case.message()) {
        let values = case.values.iter().flat_map(|s| &s.names);
        let columns = values.flat_map(|(_, v)| {
            let columns = v.columns.iter().map(|(c, _)| c.as_str());
            columns.chain(v.keys.iter().map(String::as_str))
        });
        for right in like(&wrong, columns) {
            for literal in spot.strings(&wrong) {
                let text = spot.text(literal);
                let Some(by) = text
                    .find(wrong.as_str())
                    .map(|_| text.replace(wrong.as_str(), right))
                else {
                    continue;
                };
                let title = format!("Replace `{text}` by `{by}`");
                let change = Change::replace(spot.cell, literal, by);
                out.push((
                    said("wide-key", title, "It is there, and written almost alike."),
                    vec![change],
                ));
            }
        }
    }
}

/// Each other axis.
fn axes(spot: &Spot<'_>, out: &mut Offers) {
    for call in spot.calls() {
        for word in &call.arguments.keywords {
            if word.arg.as_ref().is_some_and(|a| a.as_str() == "axis") {
                let now = spot.text(&word.value);
                for other in ["0", "1", "-1"].into_iter().filter(|a| *a != now) {
                    let why = "It computes along another dimension.";
                    out.push(replace(
                        spot,
                        &word.value,
                        other.to_owned(),
                        "wide-axis",
                        why,
                    ));
                }
            }
        }
    }
}

/// The transpose of each operand of a matrix product.
fn turned(case: &Case<'_>, spot: &Spot<'_>, out: &mut Offers) {
    if !matches!(case.class(), "ValueError" | "RuntimeError") {
        return;
    }
    let mut operands: Vec<&Expr> = Vec::new();
    for expr in &spot.exprs {
        match expr {
            Expr::BinOp(b) if b.op == Operator::MatMult => operands.extend([&*b.left, &*b.right]),
            Expr::Call(c) if callee(c).is_some_and(|name| PRODUCTS.contains(&name)) => {
                operands.extend(c.arguments.args.iter());
                operands.extend(receiver(c).filter(|_| c.arguments.args.len() == 1));
            }
            _ => {}
        }
    }
    let plain = |e: &&Expr| {
        matches!(
            e,
            Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) | Expr::Call(_)
        )
    };
    for operand in operands.into_iter().filter(plain) {
        let text = spot.text(operand);
        let by = text
            .strip_suffix(".T")
            .map_or_else(|| format!("{text}.T"), str::to_owned);
        out.push(replace(
            spot,
            operand,
            by,
            "wide-transpose",
            "Its rows and columns change places.",
        ));
    }
}

/// Operands and arguments in other types or shapes, as far as their values are known.
fn converted(case: &Case<'_>, spot: &Spot<'_>, out: &mut Offers) {
    let mut parts: Vec<&Expr> = Vec::new();
    for expr in &spot.exprs {
        match expr {
            Expr::BinOp(b) => parts.extend([&*b.left, &*b.right]),
            Expr::Compare(c) => parts.extend(std::iter::once(&*c.left).chain(&*c.comparators)),
            Expr::Call(c) => {
                parts.extend(c.arguments.args.iter());
                parts.extend(c.arguments.keywords.iter().map(|k| &k.value));
            }
            Expr::Subscript(s) => parts.push(&s.slice),
            _ => {}
        }
    }
    let mut done: Vec<&str> = Vec::new();
    for part in parts {
        let Some(name) = part.as_name_expr().map(|n| n.id.as_str()) else {
            continue;
        };
        let Some(value) = case.seen_value(name).filter(|_| !done.contains(&name)) else {
            continue;
        };
        done.push(name);
        for by in forms(case, name, value) {
            out.push(replace(
                spot,
                part,
                by,
                "wide-convert",
                "It has another type or shape then.",
            ));
        }
    }
}

/// Conversions that fit a value.
fn forms(case: &Case<'_>, name: &str, value: &Value) -> Vec<String> {
    let numpy = || case.alias_of("numpy");
    let flat = value.shape.as_ref().map(Vec::len);
    let array = matches!(value.kind.as_str(), "ndarray" | "Tensor");
    let mut forms = Vec::new();
    match value.kind.as_str() {
        "str" => forms.extend([format!("int({name})"), format!("float({name})")]),
        "int" => forms.push(format!("str({name})")),
        "float" => forms.extend([format!("int({name})"), format!("str({name})")]),
        "set" | "frozenset" | "dict_keys" | "dict_values" | "generator" | "map" | "filter"
        | "zip" | "range" => {
            forms.push(format!("list({name})"));
        }
        "list" | "tuple" => forms.extend(numpy().map(|np| format!("{np}.array({name})"))),
        "Series" => forms.extend([
            format!("{name}.values"),
            format!("{name}.to_frame()"),
            format!("{name}.values.reshape(-1, 1)"),
            format!("{name}.astype(float)"),
        ]),
        "DataFrame" => forms.extend([format!("{name}.values"), format!("{name}.squeeze()")]),
        _ if array && flat == Some(1) => {
            forms.extend([
                format!("{name}.reshape(-1, 1)"),
                format!("{name}.reshape(1, -1)"),
            ]);
        }
        _ if array && flat.is_some_and(|n| n > 1) => {
            forms.extend([
                format!("{name}.ravel()"),
                format!("{name}.squeeze()"),
                format!("{name}.T"),
            ]);
        }
        _ => {}
    }
    forms
}
