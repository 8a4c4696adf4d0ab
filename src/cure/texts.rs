//! Which expressions are strings, according to the code.

use crate::case::Case;
use crate::find::callee;
use nbmedic_python::ast::{Expr, Operator};

/// Functions and methods that return a string.
const OF_TEXTS: &[&str] = &[
    "str",
    "input",
    "join",
    "format",
    "strip",
    "lstrip",
    "rstrip",
    "lower",
    "upper",
    "title",
    "capitalize",
    "repr",
    "chr",
    "decode",
];

/// Whether an expression is a string, according to the code.
pub fn is_text(case: &Case<'_>, e: &Expr) -> bool {
    match e {
        Expr::StringLiteral(_) | Expr::FString(_) => true,
        Expr::Call(c) => callee(c).is_some_and(|n| OF_TEXTS.contains(&n)),
        Expr::Name(n) => case.value(n.id.as_str()).is_some_and(|(_, v)| {
            matches!(v, Expr::StringLiteral(_) | Expr::FString(_))
                || v.as_call_expr().and_then(callee) == Some("input")
        }),
        Expr::BinOp(b) => b.op == Operator::Mod && b.left.is_string_literal_expr(),
        _ => false,
    }
}
