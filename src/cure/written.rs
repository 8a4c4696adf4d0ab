//! Parameter values where they are written, and lists in messages.

use crate::case::Case;
use crate::find::text_of;
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{each_expr, keyword, Cell};

/// The value of a parameter: a keyword argument, or an entry in a dict of parameters.
#[derive(Clone, Copy, Debug)]
pub struct Written<'c> {
    /// Index of the cell in the notebook.
    pub cell: usize,
    /// The cell.
    pub python: &'c Cell,
    /// The value.
    pub value: &'c Expr,
    /// The call that it is an argument of.
    pub call: Option<&'c ExprCall>,
}

/// The place where a parameter receives a value, latest cell first. `is` tests the value.
pub fn written<'c>(
    case: &'c Case<'_>,
    parameter: &str,
    is: &dyn Fn(&Expr) -> bool,
) -> Vec<Written<'c>> {
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let mut out: Vec<Written<'c>> = Vec::new();
        each_expr(python.body(), &mut |e| match e {
            Expr::Call(c) => {
                if let Some(k) = keyword(c, parameter).filter(|k| is(&k.value)) {
                    out.push(Written {
                        cell,
                        python,
                        value: &k.value,
                        call: Some(c),
                    });
                }
            }
            Expr::Dict(d) => {
                for item in &d.items {
                    let key = item.key.as_ref().and_then(text_of);
                    // `clf__criterion` in a pipeline's grid.
                    if key.is_none_or(|k| k.rsplit("__").next() != Some(parameter)) {
                        continue;
                    }
                    let inner = match &item.value {
                        Expr::List(l) => l.elts.iter().collect(),
                        other => vec![other],
                    };
                    out.extend(inner.into_iter().filter(|v| is(v)).map(|value| Written {
                        cell,
                        python,
                        value,
                        call: None,
                    }));
                }
            }
            _ => {}
        });
        if !out.is_empty() {
            return out;
        }
    }
    Vec::new()
}

/// The quoted strings in a part of a message.
pub fn listed(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '"']) {
        let mark = rest.as_bytes()[at] as char;
        let inner = &rest[at + 1..];
        let Some(end) = inner.find(mark) else { break };
        out.push(&inner[..end]);
        rest = &inner[end + 1..];
        if out.len() >= 400 {
            break;
        }
    }
    out
}
