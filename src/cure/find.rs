//! Finds what techniques need: the expressions of the failing statement, and calls by name.

use crate::case::Case;
use crate::change::{Change, Said};
use crate::code::{Code, Editor};
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::ast::{Expr, ExprAttribute, ExprCall, ExprStringLiteral, Stmt, StmtFor};
use nbmedic_python::{each_expr, each_stmt, Cell, Ranged, TextRange};
use nbmedic_wordings::python;

/// The loops around a node, innermost last.
pub fn loops_around(python: &Cell, at: impl Ranged) -> Vec<&StmtFor> {
    let range = at.range();
    let mut out = Vec::new();
    each_stmt(python.body(), &mut |s| {
        if let Stmt::For(f) = s {
            if f.body.iter().any(|b| b.range().contains_range(range)) {
                out.push(f);
            }
        }
    });
    out
}

/// Where to look for the cause.
#[derive(Debug)]
pub struct Spot<'c> {
    /// Index of the cell in the notebook.
    pub cell: usize,
    /// The cell.
    pub python: &'c Cell,
    /// The failing statement. None if no frame shows it; then the whole cell is searched.
    pub stmt: Option<&'c Stmt>,
    /// The expressions there, outermost first. For a compound statement, those of its head.
    pub exprs: Vec<&'c Expr>,
}

impl<'c> Spot<'c> {
    /// The calls, outermost first.
    pub fn calls(&self) -> impl Iterator<Item = &'c ExprCall> + '_ {
        self.exprs.iter().filter_map(|e| e.as_call_expr())
    }

    /// The attributes with a name.
    pub fn attributes<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'c ExprAttribute> + 's {
        let all = self.exprs.iter().filter_map(|e| e.as_attribute_expr());
        all.filter(move |a| a.attr.as_str() == name)
    }

    /// The string literals with a value.
    pub fn strings<'s>(
        &'s self,
        value: &'s str,
    ) -> impl Iterator<Item = &'c ExprStringLiteral> + 's {
        let all = self.exprs.iter().filter_map(|e| e.as_string_literal_expr());
        all.filter(move |s| s.value.to_str() == value)
    }

    /// An editor for the cell.
    pub fn editor(&self) -> Editor<'c> {
        Editor::new(self.cell, self.python)
    }

    /// The source of a node.
    pub fn text(&self, node: impl Ranged) -> &'c str {
        self.python.slice(node)
    }

    /// The only call to a function or method with this name.
    pub fn call(&self, name: &str) -> Option<&'c ExprCall> {
        only(self.calls().filter(|c| callee(c) == Some(name)))
    }
}

/// The only item of an iterator. None if there are more.
pub fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

/// The last part of the called name.
pub fn callee(call: &ExprCall) -> Option<&str> {
    match &*call.func {
        Expr::Name(n) => Some(n.id.as_str()),
        Expr::Attribute(a) => Some(a.attr.as_str()),
        _ => None,
    }
}

/// The receiver of a method call.
pub fn receiver(call: &ExprCall) -> Option<&Expr> {
    call.func.as_attribute_expr().map(|a| &*a.value)
}

/// The value of a string literal.
pub fn text_of(expr: &Expr) -> Option<&str> {
    expr.as_string_literal_expr().map(|s| s.value.to_str())
}

/// The identifier, if the expression is a plain name.
pub fn name(expr: &Expr) -> Option<&str> {
    expr.as_name_expr().map(|n| n.id.as_str())
}

/// The variable at the start of a chain of subscripts and attributes: `t` of `t["a"].str`.
pub fn root(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Subscript(s) => root(&s.value),
        Expr::Attribute(a) => root(&a.value),
        other => name(other),
    }
}

/// The source of a node with some of its parts replaced.
pub fn with_parts(python: &Cell, node: impl Ranged, mut parts: Vec<(TextRange, String)>) -> String {
    let start = node.start();
    let mut text = python.slice(node).to_owned();
    parts.sort_by_key(|(r, _)| std::cmp::Reverse(r.start()));
    parts.dedup_by_key(|(r, _)| *r);
    for (range, new) in parts {
        let from = (range.start() - start).to_usize();
        text.replace_range(from..from + range.len().to_usize(), &new);
    }
    text
}

/// The value of an integer literal.
pub fn int_of(expr: &Expr) -> Option<i64> {
    use nbmedic_python::ast::Number;
    match &expr.as_number_literal_expr()?.value {
        Number::Int(i) => i.as_i64(),
        _ => None,
    }
}

/// The body of a compound statement.
pub fn body(stmt: &Stmt) -> &[Stmt] {
    match stmt {
        Stmt::For(s) => &s.body,
        Stmt::While(s) => &s.body,
        Stmt::If(s) => &s.body,
        Stmt::With(s) => &s.body,
        Stmt::Try(s) => &s.body,
        Stmt::FunctionDef(s) => &s.body,
        Stmt::ClassDef(s) => &s.body,
        _ => &[],
    }
}

/// An expression as the receiver of a method call, parenthesized if necessary.
pub fn tight(python: &Cell, expr: &Expr) -> String {
    Code::of(python, expr).tight()
}

/// Puts a string on one line and truncates it.
pub fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(80) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// A string as a Python literal.
pub fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n"))
}

/// The undefined name of a `NameError`.
pub fn missing_name(message: &str) -> Option<&str> {
    python::UNDEFINED_NAME.read(message).map(|[name]| name)
}

/// The path that a message says leads to nothing.
pub(crate) fn missing_path(message: &str) -> Option<&str> {
    let [path] = python::NO_FILE.read(message)?;
    let path = path.split(['\'', '"', '\n']).next();
    path.filter(|p| !p.is_empty())
}

/// The first quoted string after a prefix in a message.
pub fn quoted_after<'m>(message: &'m str, prefix: &str) -> Option<&'m str> {
    let rest = message.split_once(prefix)?.1.trim_start();
    let mark = rest
        .chars()
        .next()
        .filter(|c| matches!(c, '\'' | '"' | '`'))?;
    let rest = &rest[1..];
    Some(&rest[..rest.find(mark)?])
}

/// The range to remove along with an argument.
pub fn argument_with_comma(python: &Cell, call: &ExprCall, argument: TextRange) -> TextRange {
    Editor::new(0, python).remove(call, argument).range
}

/// Adds an argument to a call.
pub fn add_argument(cell: usize, python: &Cell, call: &ExprCall, text: &str) -> Change {
    Editor::new(cell, python).add(call, text)
}

/// Sets a keyword argument: replaces its value or adds the argument.
pub fn set_keyword(cell: usize, python: &Cell, call: &ExprCall, name: &str, value: &str) -> Change {
    Editor::new(cell, python).set(call, name, value)
}

/// Inserts whole lines after a statement, with its indentation.
pub fn lines_after(cell: usize, python: &Cell, stmt: &Stmt, text: &str) -> Change {
    Editor::new(cell, python).below(stmt, text)
}

/// Inserts whole lines before a statement, with its indentation.
pub fn lines_before(cell: usize, python: &Cell, stmt: &Stmt, text: &str) -> Change {
    Editor::new(cell, python).above(stmt, text)
}

/// A technique's description of its edits.
pub fn said(
    id: &'static str,
    basis: Basis,
    title: impl Into<String>,
    why: impl Into<String>,
) -> Said {
    Said {
        id,
        basis,
        title: title.into(),
        why: why.into(),
    }
}

/// The installed package that contains a file: the part after `site-packages` or `dist-packages`.
pub fn package_of(file: &str) -> Option<&str> {
    const FOLDER: &str = "-packages";
    let rest = file[file.rfind(FOLDER)? + FOLDER.len()..].strip_prefix(['/', '\\'])?;
    let (name, _) = rest.split_once(['/', '\\'])?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!name.is_empty() && name.chars().all(plain)).then_some(name)
}

/// A cure in words, for when no edit is safe. It says precisely what to change.
pub fn look(id: &'static str, title: impl Into<String>, why: impl Into<String>) -> Cure {
    Cure {
        id: id.into(),
        kind: FixKind::Look,
        basis: Basis::Assumed,
        title: title.into(),
        why: why.into(),
        ..Cure::default()
    }
}

impl Case<'_> {
    /// Where to look for the cause: the user's innermost statement on the way to the error. Without
    /// frames, the whole failing cell.
    pub fn spot(&self) -> Option<Spot<'_>> {
        if let Some((cell, python, stmt)) = self.here() {
            return Some(Spot {
                cell,
                python,
                stmt: Some(stmt),
                exprs: head_exprs(stmt),
            });
        }
        let python = self.python(self.at)?;
        let mut exprs = Vec::new();
        each_expr(python.body(), &mut |e| exprs.push(e));
        Some(Spot {
            cell: self.at,
            python,
            stmt: None,
            exprs,
        })
    }

    /// All places to search, innermost first: the failing statement, then its callers.
    pub fn spots(&self) -> Vec<Spot<'_>> {
        let mut out = Vec::new();
        for frame in self.frames.iter().rev().take(8) {
            let Some(python) = self.python(frame.cell) else {
                continue;
            };
            if let Some(stmt) = self.statement(frame) {
                out.push(Spot {
                    cell: frame.cell,
                    python,
                    stmt: Some(stmt),
                    exprs: head_exprs(stmt),
                });
            }
        }
        if out.is_empty() {
            out.extend(self.spot());
        }
        out
    }

    /// The cells that could affect the failure: the failing one, then those that ran before, latest
    /// first.
    pub fn seen(&self) -> Vec<usize> {
        let before = self.book.before(self.at);
        std::iter::once(self.at)
            .chain(before.into_iter().rev())
            .collect()
    }
}

/// The innermost statement that contains a range.
pub fn statement_of(python: &Cell, at: TextRange) -> Option<&Stmt> {
    let mut best = None;
    each_stmt(python.body(), &mut |s| {
        if s.range().contains_range(at) {
            best = Some(s);
        }
    });
    best
}

/// The expressions of a statement, outermost first. For a compound statement, those of its head.
pub fn head_exprs(stmt: &Stmt) -> Vec<&Expr> {
    let end = body(stmt).first().map_or(stmt.end(), Ranged::start);
    let mut out = Vec::new();
    each_expr(std::slice::from_ref(stmt), &mut |e| {
        if e.end() <= end {
            out.push(e);
        }
    });
    out
}
