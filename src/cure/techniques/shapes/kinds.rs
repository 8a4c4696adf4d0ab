//! What a value is, by where it came from: tensor, array, number.

use super::scan::{head, local};
use crate::case::Case;
use nbmedic_python::ast::{Expr, Stmt, StmtFunctionDef};
use nbmedic_python::{BindKind, Ranged, TextRange};

/// Longest chain of values followed.
const MAX_DEPTH: usize = 8;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A tensor of PyTorch.
    Tensor,
    /// An array of NumPy.
    Array,
    /// A table or column of pandas.
    Table,
    /// A list or tuple.
    List,
}

/// Methods that only tensors have.
const TENSOR: &[&str] = &[
    "permute",
    "unsqueeze",
    "cpu",
    "cuda",
    "detach",
    "float",
    "long",
    "backward",
    "requires_grad_",
    "half",
    "double",
    "to",
];

/// Methods after which a value is what it was.
const SAME: &[&str] = &[
    "squeeze",
    "reshape",
    "transpose",
    "view",
    "flatten",
    "ravel",
    "astype",
    "copy",
    "clip",
    "mean",
    "sum",
    "max",
    "min",
    "argmax",
    "clone",
    "contiguous",
];

/// What an expression in a cell is, if the probe saw it or the sources say so. `line`: the function around it is looked at too.
pub(crate) fn kind<'c>(case: &'c Case<'c>, cell: usize, expr: &'c Expr) -> Option<Kind> {
    let seen = expr
        .as_name_expr()
        .and_then(|n| case.seen_value(n.id.as_str()));
    match seen.map(|v| v.kind.as_str()) {
        Some("Tensor" | "Parameter") => Some(Kind::Tensor),
        Some("ndarray") => Some(Kind::Array),
        Some("DataFrame" | "Series") => Some(Kind::Table),
        Some("list" | "tuple") => Some(Kind::List),
        _ => follow(case, cell, expr, 0),
    }
}

fn follow<'c>(case: &'c Case<'c>, cell: usize, expr: &'c Expr, depth: usize) -> Option<Kind> {
    if depth > MAX_DEPTH {
        return None;
    }
    let again = |e: &'c Expr| follow(case, cell, e, depth + 1);
    match expr {
        Expr::List(_) | Expr::ListComp(_) | Expr::Tuple(_) => Some(Kind::List),
        Expr::BinOp(b) => again(&b.left).or_else(|| again(&b.right)),
        Expr::UnaryOp(u) => again(&u.operand),
        Expr::Subscript(s) => {
            again(&s.value).filter(|k| matches!(k, Kind::Tensor | Kind::Array | Kind::Table))
        }
        Expr::Attribute(a) => match a.attr.as_str() {
            "T" | "data" | "real" => again(&a.value),
            "values" => Some(Kind::Array),
            _ => None,
        },
        Expr::Call(c) => {
            if let Some(path) = case.path_of(&c.func) {
                let first = path.split('.').next().unwrap_or("");
                return match first {
                    "torch" | "torchvision" if path.ends_with("DataLoader") => None,
                    "torch" if path.starts_with("torch.nn.") && !path.contains("functional") => {
                        None
                    }
                    "torch" | "torchvision" => Some(Kind::Tensor),
                    "numpy" | "cv2" | "skimage" | "imageio" => Some(Kind::Array),
                    "pandas" => Some(Kind::Table),
                    _ => None,
                };
            }
            let method = c.func.as_attribute_expr()?;
            match method.attr.as_str() {
                "numpy" | "to_numpy" | "predict" | "fit_transform" | "predict_proba" => {
                    Some(Kind::Array)
                }
                "tolist" => Some(Kind::List),
                name if TENSOR.contains(&name) => Some(Kind::Tensor),
                name if SAME.contains(&name) => again(&method.value),
                _ => None,
            }
        }
        Expr::Name(n) => {
            let name = n.id.as_str();
            if let Some(f) = function_around(case, cell, expr.range()) {
                let values = local(f, name);
                if let Some(last) = values.last() {
                    return follow(case, cell, (*last)?, depth + 1);
                }
                if f.parameters.includes(name) {
                    return None;
                }
            }
            let set = case.last_set(name)?;
            if set.binding.kind == BindKind::Loop {
                return looped(case, set.binding.stmt);
            }
            follow(case, set.cell, set.binding.value?, depth + 1)
        }
        _ => None,
    }
}

/// What a loop over batches gives.
fn looped<'c>(case: &'c Case<'c>, stmt: &'c Stmt) -> Option<Kind> {
    let iter = &*stmt.as_for_stmt()?.iter;
    let iter = match iter {
        Expr::Call(c) if head(c) == "enumerate" || head(c) == "tqdm" => c.arguments.args.first()?,
        other => other,
    };
    let value = case
        .last_set(iter.as_name_expr()?.id.as_str())?
        .binding
        .value?;
    value
        .as_call_expr()
        .filter(|c| head(c).ends_with("DataLoader"))
        .map(|_| Kind::Tensor)
}

/// The innermost function around a place.
pub(crate) fn function_around<'c>(
    case: &'c Case<'c>,
    cell: usize,
    at: TextRange,
) -> Option<&'c StmtFunctionDef> {
    let mut out = None;
    nbmedic_python::each_stmt(case.python(cell)?.body(), &mut |s| {
        if let Stmt::FunctionDef(f) = s {
            if f.range().contains_range(at) {
                out = Some(f);
            }
        }
    });
    out
}
