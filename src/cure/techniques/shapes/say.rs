//! Helpers for describing cures: titles, code, and the common single edit.

use super::scan::slice;
use crate::case::Case;
use crate::edit::{Change, Said};
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::ast::Expr;

/// A call, shortened for a title.
pub(crate) fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    if line.len() == text.len() && line.chars().count() <= 60 {
        return line.to_owned();
    }
    let cut: String = line.chars().take(57).collect();
    format!("{cut}…")
}

/// Something to look at: what to change, where no edit is safe.
pub(crate) fn look(id: &'static str, title: String, why: String) -> Cure {
    Cure {
        id: id.into(),
        kind: FixKind::Look,
        basis: Basis::Assumed,
        title,
        why,
        ..Cure::default()
    }
}

/// Replaces one expression by another.
pub(crate) fn replaced(
    case: &Case<'_>,
    cell: usize,
    expr: &Expr,
    text: String,
    id: &'static str,
    basis: Basis,
    why: String,
) -> Option<Cure> {
    let was = slice(case, cell, expr);
    case.edits(
        Said {
            id,
            basis,
            title: format!("Use `{text}` instead of `{was}`"),
            why,
        },
        vec![Change::replace(cell, expr, text)],
    )
}
