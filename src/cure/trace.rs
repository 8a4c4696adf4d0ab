//! Follows a value to the expression that made it: through names, what a function was called with, and the attributes of
//! `self`. Where a name was set is decided here and nowhere else.

use crate::case::Case;
use crate::find::{callee, name, only};
use crate::known::{attributes, class_around, function_around, Set};
use nbmedic_python::ast::{Expr, ExprCall, Stmt, StmtFunctionDef};
use nbmedic_python::{
    each_expr, each_stmt, keyword, positional, BindKind, Binding, Cell, Ranged, TextRange,
};
use std::collections::BTreeSet;

/// Maximum length of a followed chain of names.
const MAX_STEPS: usize = 8;

/// An expression and its cell.
#[derive(Clone, Copy, Debug)]
pub struct Made<'c> {
    /// Index of the cell in the notebook.
    pub cell: usize,
    /// The expression.
    pub expr: &'c Expr,
}

/// Where a name has its value from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'c> {
    /// A statement sets it.
    Set(Set<'c>),
    /// It is a parameter, or an attribute of `self`: what is passed or set for it.
    Given(Made<'c>),
}

impl<'c> Source<'c> {
    /// The expression that is its value as a whole.
    pub(crate) fn value(self) -> Option<Made<'c>> {
        match self {
            Source::Given(made) => Some(made),
            Source::Set(set) => {
                let expr = set.binding.value?;
                (set.binding.kind == BindKind::Assign).then_some(Made {
                    cell: set.cell,
                    expr,
                })
            }
        }
    }
}

impl<'a> Case<'a> {
    /// The value that a name was last set to, if it is known: it was set as a whole, not in a loop or condition.
    pub fn value(&self, name: &str) -> Option<(usize, &Expr)> {
        let set = self.last_set(name).filter(|s| !s.binding.conditional)?;
        let made = Source::Set(set).value()?;
        Some((made.cell, made.expr))
    }

    /// The expression that created the value of another: the expression itself if it isn't a name.
    /// None if the name may have been assigned in several ways.
    pub fn made<'c>(&'c self, cell: usize, expr: &'c Expr) -> Option<Made<'c>> {
        let mut at = Made { cell, expr };
        for _ in 0..MAX_STEPS {
            if !at.expr.is_name_expr() {
                return Some(at);
            }
            at = self.source(at)?.value()?;
        }
        None
    }

    /// Where a name, or an attribute of `self`, has its value from where it stands. None if that may be several places.
    pub(crate) fn source<'c>(&'c self, at: Made<'c>) -> Option<Source<'c>> {
        match self.own_source(at) {
            Some(own) => own,
            None => self.outer_source(at),
        }
    }

    /// The same for what belongs to the function or class around: its own names, its parameters, `self.name`. The outer
    /// `None`: it is none of these.
    pub(crate) fn own_source<'c>(&'c self, at: Made<'c>) -> Option<Option<Source<'c>>> {
        let python = self.python(at.cell)?;
        let Some(id) = name(at.expr) else {
            let attribute = at.expr.as_attribute_expr()?;
            let class =
                class_around(python, at.expr).filter(|_| name(&attribute.value) == Some("self"))?;
            let set = only(attributes(class, attribute.attr.as_str()).into_iter());
            return Some(set.map(|(_, expr)| {
                Source::Given(Made {
                    cell: at.cell,
                    expr,
                })
            }));
        };
        let f = function_around(python, at.expr)?;
        let names = python.names();
        let own = |b: &&Binding<'c>| {
            b.name == id && b.function == Some(f.name.as_str()) && f.range().contains_range(b.at)
        };
        let sets: Vec<Binding<'c>> = names.binds.iter().filter(own).copied().collect();
        let parameter = f.parameters.includes(id);
        if sets.is_empty() && !parameter {
            return None;
        }
        Some(match reaching(python, &sets, at.expr.range()) {
            Reach::One(binding) => Some(Source::Set(Set {
                cell: at.cell,
                binding,
            })),
            Reach::Nothing if parameter => self.passed(at.cell, f, id).map(Source::Given),
            Reach::Nothing | Reach::Several => None,
        })
    }

    /// The same for a name of the notebook.
    fn outer_source<'c>(&'c self, at: Made<'c>) -> Option<Source<'c>> {
        let id = name(at.expr)?;
        let python = self.python(at.cell)?;
        let all = self.set_before(id);
        if function_around(python, at.expr).is_some() {
            // When it ran is not known: at the end, as far as that goes.
            let last = all.into_iter().next().filter(|s| !s.binding.conditional);
            return last.map(Source::Set);
        }
        let here: Vec<Binding<'c>> = python.names().sets(id).copied().collect();
        match reaching(python, &here, at.expr.range()) {
            Reach::One(binding) => {
                return Some(Source::Set(Set {
                    cell: at.cell,
                    binding,
                }))
            }
            Reach::Several => return None,
            Reach::Nothing => {}
        }
        let seen = self.seen();
        let order = |cell: usize| seen.iter().position(|s| *s == cell);
        let now = order(at.cell)?;
        let earlier = all
            .into_iter()
            .find(|s| order(s.cell).is_some_and(|n| n > now));
        earlier.filter(|s| !s.binding.conditional).map(Source::Set)
    }

    /// What the only call of a function or method passes for a parameter, or its default.
    fn passed<'c>(&'c self, cell: usize, f: &'c StmtFunctionDef, id: &str) -> Option<Made<'c>> {
        let mut all = f.parameters.iter_non_variadic_params().enumerate();
        let (index, parameter) = all.find(|(_, p)| p.name().as_str() == id)?;
        let class = self.python(cell).and_then(|p| class_around(p, f));
        let (called, skip) = match class {
            Some(c) if f.name.as_str() == "__init__" => (c.name.as_str(), 1),
            Some(_) => (f.name.as_str(), 1),
            None => (f.name.as_str(), 0),
        };
        let index = index.checked_sub(skip);
        // What stands below the failing line did not run.
        let line = self
            .frames
            .iter()
            .find(|f| f.cell == self.at)
            .map(|f| f.line);
        let mut calls: Vec<(usize, &'c ExprCall)> = Vec::new();
        for (at, stmt) in self.living() {
            let Some(python) = self.python(at) else {
                continue;
            };
            each_expr(std::slice::from_ref(stmt), &mut |e| {
                let call = e.as_call_expr().filter(|c| callee(c) == Some(called));
                let ran = |c: &&ExprCall| {
                    let below = at == self.at
                        && line.is_some_and(|line| python.line_of(c.start()) > line)
                        && function_around(python, *c).is_none();
                    !below && (skip > 0 || c.func.is_name_expr())
                };
                calls.extend(call.filter(ran).map(|c| (at, c)));
            });
        }
        let given = |(at, call): &(usize, &'c ExprCall)| {
            let value = keyword(call, id).map(|k| &k.value);
            let expr = value.or_else(|| positional(call, index?))?;
            Some(Made { cell: *at, expr })
        };
        match calls.as_slice() {
            [one] if given(one).is_some() => given(one),
            [] if skip == 0 => None,
            all if all.iter().all(|c| given(c).is_none()) => {
                let expr = parameter.default()?;
                Some(Made { cell, expr })
            }
            _ => None,
        }
    }

    /// The statements of the cells that ran, those of the failing one first, then the latest first; no definition that a
    /// later one replaced. Those of a class stand in its statement.
    pub(crate) fn living(&self) -> Vec<(usize, &Stmt)> {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut out = Vec::new();
        for cell in self.seen() {
            let Some(python) = self.python(cell) else {
                continue;
            };
            for stmt in python.body().iter().rev() {
                let id = match stmt {
                    Stmt::FunctionDef(f) => Some(f.name.as_str()),
                    Stmt::ClassDef(c) => Some(c.name.as_str()),
                    Stmt::Assign(a) => only(a.targets.iter()).and_then(name),
                    _ => None,
                };
                if id.is_none_or(|n| seen.insert(n)) {
                    out.push((cell, stmt));
                }
            }
        }
        out
    }
}

/// Which of the places that set a name a place reads.
enum Reach<'c> {
    /// This one.
    One(Binding<'c>),
    /// None stands before it.
    Nothing,
    /// It may be several.
    Several,
}

/// Which of the sets of a name, in order, a place of the same function reads: the last one above it, if that ran whenever
/// the place is reached, and no loop around the place leads to it from a set below.
fn reaching<'c>(python: &Cell, sets: &[Binding<'c>], at: TextRange) -> Reach<'c> {
    let above = |b: &&Binding<'_>| match b.kind {
        BindKind::Loop | BindKind::As => b.at.end() <= at.start(),
        _ => b.stmt.end() <= at.start(),
    };
    let last = sets.iter().rfind(above);
    let around = |of: TextRange| move |block: &TextRange| block.contains_range(of);
    let blocks = blocks(python);
    let loops_back = sets.iter().filter(|b| !above(b)).any(|b| {
        let again = |(block, looped): &(TextRange, bool)| {
            let held = last.is_some_and(|l| {
                // The target of a loop is set whenever its body begins.
                let own = l.stmt.as_for_stmt().filter(|_| l.kind == BindKind::Loop);
                let begins = own.and_then(|f| f.body.first()).map(Ranged::start);
                block.contains_range(l.at) || begins == Some(block.start())
            });
            *looped && around(at)(block) && around(b.at)(block) && !held
        };
        blocks.iter().any(again)
    });
    match last {
        _ if loops_back => Reach::Several,
        None => Reach::Nothing,
        Some(l) => {
            let inner = blocks.iter().rfind(|(block, _)| around(l.at)(block));
            match inner.is_none_or(|(block, _)| around(at)(block)) {
                true => Reach::One(*l),
                false => Reach::Several,
            }
        }
    }
}

/// The parts of a cell that do not always run, or run several times, outer ones first, and whether each is repeated.
fn blocks(python: &Cell) -> Vec<(TextRange, bool)> {
    let mut out = Vec::new();
    each_stmt(python.body(), &mut |s| {
        let mut add = |body: &[Stmt], looped: bool| {
            let ends = body.first().zip(body.last());
            out.extend(ends.map(|(a, b)| (TextRange::new(a.start(), b.end()), looped)));
        };
        match s {
            Stmt::For(s) => {
                add(&s.body, true);
                add(&s.orelse, false);
            }
            Stmt::While(s) => {
                add(&s.body, true);
                add(&s.orelse, false);
            }
            Stmt::If(s) => {
                add(&s.body, false);
                s.elif_else_clauses.iter().for_each(|c| add(&c.body, false));
            }
            Stmt::Try(s) => {
                add(&s.body, false);
                let handlers = s.handlers.iter().filter_map(|h| h.as_except_handler());
                handlers.for_each(|h| add(&h.body, false));
                add(&s.orelse, false);
            }
            Stmt::Match(s) => s.cases.iter().for_each(|c| add(&c.body, false)),
            _ => {}
        }
    });
    out
}
