//! The operands on the failing line: what stands there and what the probe saw of it.

use crate::case::Case;
use crate::find::{int_of, one_line, Spot};
use crate::values::{Seen, Value};
use nbmedic_python::ast::{Expr, Operator, UnaryOp};
use nbmedic_python::name_of;

/// Deepest arithmetic of an index that is followed.
const MAX_DEPTH: usize = 8;

/// Whether these are the values of a frame. IPython names the top level of a cell in several ways.
pub(super) fn is_of(seen: &Seen, line: u32, function: Option<&str>) -> bool {
    let own = seen.function.starts_with('<') && !seen.function.starts_with("<lambda");
    seen.line == line
        && match function {
            Some(f) => f.rsplit('.').next() == Some(seen.function.as_str()),
            None => own,
        }
}

/// The failing line of a cell with the values of its frame.
pub(super) struct Line<'c> {
    pub(super) spot: Spot<'c>,
    pub(super) seen: &'c Seen,
}

impl<'c> Line<'c> {
    /// None if the innermost frame that the probe saw is another one, such as a file's.
    pub(super) fn of(case: &'c Case<'_>) -> Option<Line<'c>> {
        let (frame, seen) = (case.innermost()?, case.values.last()?);
        let same = is_of(seen, frame.line, frame.function.as_deref());
        Some(Line {
            spot: case.spot().filter(|_| same)?,
            seen,
        })
    }

    /// What an expression stood for, if it is a name that was seen.
    pub(super) fn value(&self, expr: &Expr) -> Option<&'c Value> {
        let name = name_of(expr)?;
        let mut names = self.seen.names.iter();
        names.find(|(n, _)| *n == name).map(|(_, v)| v)
    }

    /// The sizes of an expression: of a name, and of its transpose.
    pub(super) fn shape(&self, expr: &Expr) -> Option<Vec<i64>> {
        let known = |v: &Value| v.shape.clone().filter(|s| s.iter().all(|n| *n >= 0));
        if let Some(value) = self.value(expr) {
            let table = matches!(value.kind.as_str(), "DataFrame" | "Series");
            return known(value).filter(|_| !table);
        }
        let turned = expr
            .as_attribute_expr()
            .filter(|a| a.attr.as_str() == "T")?;
        let mut shape = known(self.value(&turned.value)?)?;
        shape.reverse();
        Some(shape)
    }

    /// A whole number: a literal, a name that was seen, and sums, differences and products of them.
    pub(super) fn number(&self, expr: &Expr) -> Option<i64> {
        self.number_within(expr, MAX_DEPTH)
    }

    fn number_within(&self, expr: &Expr, depth: usize) -> Option<i64> {
        let depth = depth.checked_sub(1)?;
        match expr {
            Expr::UnaryOp(u) if u.op == UnaryOp::USub => {
                self.number_within(&u.operand, depth)?.checked_neg()
            }
            Expr::BinOp(b) => {
                let left = self.number_within(&b.left, depth)?;
                let right = self.number_within(&b.right, depth)?;
                match b.op {
                    Operator::Add => left.checked_add(right),
                    Operator::Sub => left.checked_sub(right),
                    Operator::Mult => left.checked_mul(right),
                    _ => None,
                }
            }
            Expr::NumberLiteral(_) => int_of(expr),
            _ => self.value(expr)?.text.parse().ok(),
        }
    }
}

/// The names that may have failed where no source shows the line: those of the failing part, otherwise all that were seen.
pub(super) fn suspects<'c>(case: &'c Case<'_>) -> Vec<(&'c str, &'c Value)> {
    let all = case.values.last().map_or(&[][..], |s| &s.names);
    let some = all.iter().any(|(_, v)| v.failing);
    let all = all.iter().filter(|(_, v)| v.failing || !some);
    all.map(|(n, v)| (n.as_str(), v)).collect()
}

/// The line that set a name, as a sentence behind another; empty if no cell shows it, or if the name may be a function's own.
pub(super) fn origin(case: &Case<'_>, name: &str) -> String {
    let inside = case
        .values
        .last()
        .is_some_and(|s| !s.function.starts_with('<'));
    let set = case.last_set(name).filter(|_| !inside);
    let place = set.and_then(|s| Some((s.cell, case.python(s.cell)?, s.binding.at)));
    let Some((cell, python, at)) = place else {
        return String::new();
    };
    let line = python.line_of(at.start());
    let text = one_line(python.line(line));
    format!(
        " Line {line} of cell {} sets it: `{text}`.",
        case.position(cell)
    )
}
