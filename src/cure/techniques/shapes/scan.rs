//! The calls in the cells that ran, and the integers in them with the places where they are written.

use crate::case::Case;
use crate::trace::Made;
use nbmedic_python::ast::{Expr, ExprCall, Number, Operator, Stmt, StmtClassDef, StmtFunctionDef};
use nbmedic_python::{each_expr, keyword, positional, Cell, Ranged, TextRange};

/// Maximum length of a followed chain of names and operators.
const MAX_DEPTH: usize = 8;
/// Maximum number of calls examined.
const MAX_CALLS: usize = 20_000;

/// A call in a cell that ran.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<'a> {
    /// The index of its cell.
    pub(crate) cell: usize,
    /// The call.
    pub(crate) call: &'a ExprCall,
    /// The enclosing class.
    pub(crate) class: Option<&'a StmtClassDef>,
    /// The enclosing function or method.
    pub(crate) function: Option<&'a StmtFunctionDef>,
}

impl<'a> Found<'a> {
    /// An argument by position or keyword.
    pub(crate) fn argument(&self, index: usize, name: &str) -> Option<&'a Expr> {
        match keyword(self.call, name) {
            Some(k) => Some(&k.value),
            None => positional(self.call, index),
        }
    }
}

/// An integer, and the place where it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin<'a> {
    /// The index of the cell.
    pub(crate) cell: usize,
    /// The expression to replace.
    pub(crate) expr: &'a Expr,
    /// The number.
    pub(crate) value: i64,
}

/// The last part of the called name: `Linear` in `nn.Linear(…)`.
pub(crate) fn head(call: &ExprCall) -> &str {
    match &*call.func {
        Expr::Name(n) => n.id.as_str(),
        Expr::Attribute(a) => a.attr.as_str(),
        _ => "",
    }
}

/// The expressions of a statement, outermost first. For a compound statement, those of its head.
pub(crate) fn own_exprs(stmt: &Stmt) -> Vec<&Expr> {
    let mut out = Vec::new();
    let mut roots: Vec<&Expr> = Vec::new();
    match stmt {
        Stmt::For(f) => roots.push(&f.iter),
        Stmt::While(w) => roots.push(&w.test),
        Stmt::If(i) => roots.push(&i.test),
        Stmt::With(w) => roots.extend(w.items.iter().map(|i| &i.context_expr)),
        Stmt::FunctionDef(_) | Stmt::ClassDef(_) | Stmt::Try(_) | Stmt::Match(_) => {}
        other => each_expr(std::slice::from_ref(other), &mut |e| out.push(e)),
    }
    for root in roots {
        below(root, &mut out);
    }
    out
}

/// An expression and all its subexpressions.
pub(crate) fn below<'a>(root: &'a Expr, out: &mut Vec<&'a Expr>) {
    nbmedic_python::each_below(root, &mut |e| out.push(e));
}

/// The cell and the expressions of the line where the error left the user's code. Without a frame,
/// all expressions of the failing cell.
pub(crate) fn at_error<'c>(case: &'c Case<'c>) -> (usize, Vec<&'c Expr>) {
    if let Some((cell, _, stmt)) = case.here() {
        return (cell, own_exprs(stmt));
    }
    let mut out = Vec::new();
    if let Some(python) = case.python(case.at) {
        each_expr(python.body(), &mut |e| out.push(e));
    }
    (case.at, out)
}

/// The only item. None if there are none or several.
pub(crate) fn only<T>(all: impl IntoIterator<Item = T>) -> Option<T> {
    let mut all = all.into_iter();
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

/// The source of a node.
pub(crate) fn slice<'c>(case: &'c Case<'c>, cell: usize, node: impl Ranged) -> &'c str {
    case.python(cell).map_or("", |c: &'c Cell| c.slice(node))
}

/// The calls in the cells that ran: the failing one first, then latest first.
#[derive(Debug)]
pub(crate) struct Scan<'c> {
    case: &'c Case<'c>,
    /// The calls, except those in definitions that were replaced by later ones.
    pub(crate) calls: Vec<Found<'c>>,
}

impl<'c> Scan<'c> {
    /// Scans the cells of a failure.
    pub(crate) fn of(case: &'c Case<'c>) -> Scan<'c> {
        let mut scan = Scan {
            case,
            calls: Vec::new(),
        };
        for (cell, stmt) in case.living() {
            scan.add(cell, stmt, None);
            if scan.calls.len() > MAX_CALLS {
                break;
            }
        }
        scan
    }

    fn add(&mut self, cell: usize, stmt: &'c Stmt, class: Option<&'c StmtClassDef>) {
        if let (Stmt::ClassDef(c), None) = (stmt, class) {
            c.body.iter().for_each(|s| self.add(cell, s, Some(c)));
            return;
        }
        let function = stmt.as_function_def_stmt();
        each_expr(std::slice::from_ref(stmt), &mut |e| {
            if let Expr::Call(call) = e {
                self.calls.push(Found {
                    cell,
                    call,
                    class,
                    function,
                });
            }
        });
    }

    /// The calls by the last part of the called name.
    pub(crate) fn named<'s>(&'s self, names: &'s [&str]) -> impl Iterator<Item = Found<'c>> + 's {
        self.calls
            .iter()
            .copied()
            .filter(|f| names.contains(&head(f.call)))
    }

    /// The entry of a call.
    pub(crate) fn found(&self, cell: usize, call: &ExprCall) -> Option<Found<'c>> {
        let mut all = self.calls.iter().copied();
        all.find(|f| f.cell == cell && f.call.range() == call.range())
    }

    /// The number passed as an argument, and where it is written.
    pub(crate) fn origin(&self, found: &Found<'c>, expr: &'c Expr) -> Option<Origin<'c>> {
        self.follow(found.cell, expr, 0)
    }

    /// The number passed as an argument.
    pub(crate) fn value(&self, found: &Found<'c>, expr: &'c Expr) -> Option<i64> {
        Some(self.origin(found, expr)?.value)
    }

    fn follow(&self, at: usize, expr: &'c Expr, depth: usize) -> Option<Origin<'c>> {
        if depth > MAX_DEPTH {
            return None;
        }
        let here = |value| {
            Some(Origin {
                cell: at,
                expr,
                value,
            })
        };
        match expr {
            Expr::NumberLiteral(n) => match &n.value {
                Number::Int(i) => here(i.as_i64()?),
                _ => None,
            },
            Expr::BinOp(b) => {
                let left = self.follow(at, &b.left, depth + 1)?.value;
                let right = self.follow(at, &b.right, depth + 1)?.value;
                here(match b.op {
                    Operator::Add => left.checked_add(right)?,
                    Operator::Sub => left.checked_sub(right)?,
                    Operator::Mult => left.checked_mul(right)?,
                    Operator::FloorDiv => left.checked_div_euclid(right)?,
                    Operator::Pow => left.checked_pow(u32::try_from(right).ok()?)?,
                    _ => return None,
                })
            }
            Expr::Call(c) if head(c) == "int" => {
                let value = self.follow(at, positional(c, 0)?, depth + 1)?.value;
                here(value)
            }
            Expr::Name(_) | Expr::Attribute(_) => {
                let place = Made { cell: at, expr };
                let own = self.case.own_source(place);
                let outer = own.is_none();
                let made = own.unwrap_or_else(|| self.case.source(place))?.value()?;
                let origin = self.follow(made.cell, made.expr, depth + 1)?;
                match expr.as_name_expr().filter(|_| outer) {
                    // Others use it too: only this place changes.
                    Some(n) if self.reads(n.id.as_str()) > 1 => here(origin.value),
                    _ => Some(origin),
                }
            }
            _ => None,
        }
    }

    /// How often a name is read in the cells that ran.
    fn reads(&self, name: &str) -> usize {
        let cells = std::iter::once(self.case.at).chain(self.case.book.before(self.case.at));
        let mut n = 0;
        for cell in cells.filter_map(|c| self.case.python(c)) {
            each_expr(cell.body(), &mut |e| {
                let read = e.as_name_expr().filter(|e| e.ctx.is_load());
                n += usize::from(read.is_some_and(|e| e.id.as_str() == name));
            });
        }
        n
    }
}

/// Whether a range contains a node.
pub(crate) fn holds(outer: impl Ranged, inner: TextRange) -> bool {
    outer.range().contains_range(inner)
}

/// Writes a size in the form of another: `16 * 5 * 5` like `16 * 4 * 4`.
pub(crate) fn rewritten(expr: &Expr, size: i64) -> String {
    let mut factors = Vec::new();
    if product(expr, &mut factors) {
        match factors[..] {
            [first, a, b] if a == b && size % first == 0 => {
                let side = (size / first).isqrt();
                if side > 0 && side * side * first == size {
                    return format!("{first} * {side} * {side}");
                }
            }
            [first, _] if size % first == 0 => return format!("{first} * {}", size / first),
            _ => {}
        }
    }
    size.to_string()
}

fn product(expr: &Expr, out: &mut Vec<i64>) -> bool {
    match expr {
        Expr::BinOp(b) if b.op == Operator::Mult => product(&b.left, out) && product(&b.right, out),
        Expr::NumberLiteral(n) => match &n.value {
            Number::Int(i) => i.as_i64().filter(|n| *n > 0).is_some_and(|n| {
                out.push(n);
                true
            }),
            _ => false,
        },
        _ => false,
    }
}

/// The value of an integer literal.
pub(crate) fn integer(e: &Expr) -> Option<i64> {
    match &e.as_number_literal_expr()?.value {
        Number::Int(i) => i.as_i64(),
        _ => None,
    }
}
