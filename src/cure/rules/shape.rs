//! Code shapes: Python with metavariables, matched against the syntax tree.
//!
//! `$x` matches any expression, attribute name or argument name, and the same code wherever it is repeated; `$_`
//! matches anything without binding it. A function name `f(…)` matches the function whatever precedes its dot,
//! `$x.f(…)` matches a method, and a dotted name `numpy.array(…)` is resolved through the imports. `...` among a
//! call's arguments, or at the end of a list, matches everything not spelled out; `$...rest` does too, and can be
//! written again. Keyword arguments may come in any order. Statement shapes are `$x = …`, `$x += …`, `for $x in …:`
//! and `return …`.
//!
//! Matching is a single walk over the shape, without backtracking.

use crate::case::Case;
use crate::find::{callee, Spot};
use nbmedic_python::ast::comparable::ComparableExpr;
use nbmedic_python::ast::{Arguments, Expr, ExprCall, Identifier, Stmt};
use nbmedic_python::{Cell, Ranged, TextRange};

/// The prefix of metavariables in the parsed code.
const META: &str = "__m_";
/// The prefix for the rest of the arguments.
const REST: &str = "__r_";

/// The code that a metavariable is bound to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound<'c> {
    /// Index of its cell in the notebook.
    pub cell: usize,
    /// The cell.
    pub python: &'c Cell,
    /// Its range.
    pub range: TextRange,
    /// The expression, if it is one.
    pub expr: Option<&'c Expr>,
}

impl<'c> Bound<'c> {
    /// Its source.
    pub fn text(&self) -> &'c str {
        self.python.slice(self.range)
    }
}

/// A match.
#[derive(Debug)]
pub(super) struct Found<'c> {
    /// The whole match.
    pub whole: Bound<'c>,
    /// The metavariables.
    pub bound: Vec<(&'static str, Bound<'c>)>,
}

impl<'c> Found<'c> {
    /// The binding of a metavariable; `match` is the whole match.
    pub fn get(&self, name: &str) -> Option<Bound<'c>> {
        if name == "match" {
            return Some(self.whole);
        }
        let mut all = self.bound.iter();
        all.find(|(n, _)| *n == name).map(|(_, b)| *b)
    }

    /// Adds another shape's match. False if a metavariable would be bound to two different pieces
    /// of code.
    pub fn add(&mut self, more: Found<'c>) -> bool {
        let agrees = self.agrees(&more);
        if agrees {
            self.bound.extend(more.bound);
        }
        agrees
    }

    /// Whether another shape's match binds the same metavariables to the same code.
    pub fn agrees(&self, more: &Found<'_>) -> bool {
        let mut all = more.bound.iter();
        all.all(|(name, new)| self.get(name).is_none_or(|old| old.text() == new.text()))
    }

    /// The source bound to a metavariable.
    pub fn text(&self, name: &str) -> Option<&'c str> {
        self.get(name).map(|b| b.text())
    }
}

/// A code shape.
#[derive(Debug)]
pub(super) struct Shape(Cell);

/// A template's Python, with metavariables rewritten as names for the parser.
fn plain(source: &str) -> String {
    source
        .replace("$...", &format!("*{REST}"))
        .replace('$', META)
}

impl Shape {
    /// Parses a shape.
    pub fn read(source: &str) -> Result<Shape, String> {
        let mut python = plain(source);
        if source.ends_with(':') {
            python.push_str(" pass");
        }
        let cell = Cell::read(&python).filter(|c| c.broken().is_empty());
        let cell = cell.filter(|c| {
            matches!(
                c.body(),
                [Stmt::Expr(_)
                    | Stmt::Assign(_)
                    | Stmt::AugAssign(_)
                    | Stmt::For(_)
                    | Stmt::Return(_)]
            )
        });
        cell.map(Shape)
            .ok_or_else(|| format!("no shape of code: {source}"))
    }

    /// The names of its metavariables.
    #[cfg(test)]
    pub fn names(&self) -> Vec<String> {
        let text = self.0.text();
        let marks = text.match_indices(META).chain(text.match_indices(REST));
        let names = marks.map(|(at, mark)| {
            let rest = &text[at + mark.len()..];
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
            rest[..end.unwrap_or(rest.len())].to_owned()
        });
        names.collect()
    }

    /// Whether the shape is that of a statement.
    pub fn is_of_statement(&self) -> bool {
        !matches!(self.0.body(), [Stmt::Expr(_)])
    }

    /// Matches an expression.
    pub fn of_expr<'c>(
        &'static self,
        case: &'c Case<'_>,
        cell: usize,
        python: &'c Cell,
        e: &'c Expr,
    ) -> Option<Found<'c>> {
        let [Stmt::Expr(shape)] = self.0.body() else {
            return None;
        };
        let mut at = Matcher::new(case, cell, python);
        at.expr(&shape.value, e)
            .then(|| at.found(e.range(), Some(e)))
    }

    /// Matches a statement.
    pub fn of_statement<'c>(
        &'static self,
        case: &'c Case<'_>,
        spot: &Spot<'c>,
        stmt: &'c Stmt,
    ) -> Option<Found<'c>> {
        let mut at = Matcher::new(case, spot.cell, spot.python);
        let fits = match (&self.0.body()[0], stmt) {
            (Stmt::Assign(s), Stmt::Assign(c)) => {
                at.sequence(&s.targets, &c.targets) && at.expr(&s.value, &c.value)
            }
            (Stmt::AugAssign(s), Stmt::AugAssign(c)) => {
                s.op == c.op && at.expr(&s.target, &c.target) && at.expr(&s.value, &c.value)
            }
            (Stmt::For(s), Stmt::For(c)) => {
                at.expr(&s.target, &c.target) && at.expr(&s.iter, &c.iter)
            }
            (Stmt::Return(s), Stmt::Return(c)) => at.option(s.value.as_deref(), c.value.as_deref()),
            _ => false,
        };
        fits.then(|| at.found(stmt.range(), None))
    }
}

/// One matching attempt.
struct Matcher<'b, 'c> {
    case: &'c Case<'b>,
    cell: usize,
    python: &'c Cell,
    bound: Vec<(&'static str, Bound<'c>)>,
}

/// The metavariable that a name in a shape represents.
fn meta(name: &'static str) -> Option<&'static str> {
    name.strip_prefix(META)
}

/// Whether an item of a shape matches the rest, and the name that it binds.
fn rest(e: &'static Expr) -> Option<&'static str> {
    match e {
        Expr::EllipsisLiteral(_) => Some("_"),
        Expr::Starred(s) => s.value.as_name_expr()?.id.as_str().strip_prefix(REST),
        _ => None,
    }
}

impl<'b, 'c> Matcher<'b, 'c> {
    fn new(case: &'c Case<'b>, cell: usize, python: &'c Cell) -> Self {
        Matcher {
            case,
            cell,
            python,
            bound: Vec::new(),
        }
    }

    fn found(self, range: TextRange, expr: Option<&'c Expr>) -> Found<'c> {
        let whole = Bound {
            cell: self.cell,
            python: self.python,
            range,
            expr,
        };
        Found {
            whole,
            bound: self.bound,
        }
    }

    fn bind(&mut self, name: &'static str, range: TextRange, expr: Option<&'c Expr>) -> bool {
        if name == "_" {
            return true;
        }
        let new = Bound {
            cell: self.cell,
            python: self.python,
            range,
            expr,
        };
        let old = self.bound.iter().find(|(n, _)| *n == name);
        let Some((_, old)) = old else {
            self.bound.push((name, new));
            return true;
        };
        match (old.expr, expr) {
            (Some(a), Some(b)) => ComparableExpr::from(a) == ComparableExpr::from(b),
            _ => old.text() == new.text(),
        }
    }

    /// Matches an attribute or argument name.
    fn identifier(&mut self, shape: &'static Identifier, code: &'c Identifier) -> bool {
        match meta(shape.as_str()) {
            Some(name) => self.bind(name, code.range(), None),
            None => shape.as_str() == code.as_str(),
        }
    }

    fn option(&mut self, shape: Option<&'static Expr>, code: Option<&'c Expr>) -> bool {
        match (shape, code) {
            (Some(s), Some(c)) => self.expr(s, c),
            (None, None) => true,
            _ => false,
        }
    }

    /// Matches items in order. The last item of the shape may match the rest.
    fn sequence(&mut self, shape: &'static [Expr], code: &'c [Expr]) -> bool {
        let all = shape.iter().position(|s| rest(s).is_some());
        let fixed = all.unwrap_or(shape.len());
        if code.len() < fixed || all.is_none() && code.len() > fixed {
            return false;
        }
        let (head, tail) = code.split_at(fixed);
        let fits = shape[..fixed]
            .iter()
            .zip(head)
            .all(|(s, c)| self.expr(s, c));
        let name = all.and_then(|at| rest(&shape[at]));
        fits && match (name, tail.first(), tail.last()) {
            (Some(name), Some(first), Some(last)) => {
                self.bind(name, TextRange::new(first.start(), last.end()), None)
            }
            (Some(name), ..) => name == "_",
            _ => true,
        }
    }

    fn arguments(&mut self, shape: &'static Arguments, code: &'c Arguments) -> bool {
        let open = shape.args.iter().any(|s| s.is_ellipsis_literal_expr());
        // The contents of a starred argument are unknown.
        let fixed = shape.args.iter().take_while(|s| rest(s).is_none()).count();
        if code.args.iter().take(fixed).any(Expr::is_starred_expr) {
            return false;
        }
        // If the shape has no keyword arguments, those in the call belong to the rest.
        let all = shape.args.last().filter(|_| shape.keywords.is_empty());
        if let Some(name) = all.and_then(rest).filter(|n| *n != "_") {
            let from = code.arguments_source_order().nth(fixed).map(|a| a.start());
            let end = code.arguments_source_order().last().map(|a| a.end());
            let range = from.zip(end).map(|(s, e)| TextRange::new(s, e));
            let none = TextRange::empty(code.end());
            let head = code.args.get(..fixed);
            return head.is_some_and(|h| self.sequence(&shape.args[..fixed], h))
                && self.bind(name, range.unwrap_or(none), None);
        }
        if !self.sequence(&shape.args, &code.args) {
            return false;
        }
        for s in &shape.keywords {
            let Some(name) = &s.arg else { return false };
            let mut all = code.keywords.iter();
            let found = match meta(name.as_str()) {
                Some(_) => all.next(),
                None => all.find(|k| k.arg.as_ref().is_some_and(|a| a.as_str() == name.as_str())),
            };
            let Some((found, arg)) = found.and_then(|k| Some((k, k.arg.as_ref()?))) else {
                return false;
            };
            if !self.identifier(name, arg) || !self.expr(&s.value, &found.value) {
                return false;
            }
        }
        open || shape.keywords.len() == code.keywords.len()
    }

    /// Matches a function by its bare name, by its path, or as any expression.
    fn function(&mut self, shape: &'static Expr, code: &'c ExprCall) -> bool {
        match shape {
            Expr::Name(n) if meta(n.id.as_str()).is_none() => callee(code) == Some(n.id.as_str()),
            _ => self.expr(shape, &code.func),
        }
    }

    fn expr(&mut self, shape: &'static Expr, code: &'c Expr) -> bool {
        if let Some(name) = shape.as_name_expr().and_then(|n| meta(n.id.as_str())) {
            return self.bind(name, code.range(), Some(code));
        }
        match (shape, code) {
            (Expr::Attribute(s), _) if is_path(shape) => {
                let path = nbmedic_python::name_of(shape);
                let fits = path == self.case.path_of(code);
                fits && path.is_some() && !s.attr.is_empty()
            }
            (Expr::Attribute(s), Expr::Attribute(c)) => {
                self.expr(&s.value, &c.value) && self.identifier(&s.attr, &c.attr)
            }
            (Expr::Call(s), Expr::Call(c)) => {
                self.function(&s.func, c) && self.arguments(&s.arguments, &c.arguments)
            }
            (Expr::Subscript(s), Expr::Subscript(c)) => {
                self.expr(&s.value, &c.value) && self.expr(&s.slice, &c.slice)
            }
            (Expr::Slice(s), Expr::Slice(c)) => {
                self.option(s.lower.as_deref(), c.lower.as_deref())
                    && self.option(s.upper.as_deref(), c.upper.as_deref())
                    && self.option(s.step.as_deref(), c.step.as_deref())
            }
            (Expr::Tuple(s), Expr::Tuple(c)) => self.sequence(&s.elts, &c.elts),
            (Expr::List(s), Expr::List(c)) => self.sequence(&s.elts, &c.elts),
            (Expr::Dict(s), Expr::Dict(c)) => {
                s.items.len() == c.items.len()
                    && s.items.iter().zip(&c.items).all(|(s, c)| {
                        self.option(s.key.as_ref(), c.key.as_ref()) && self.expr(&s.value, &c.value)
                    })
            }
            (Expr::BinOp(s), Expr::BinOp(c)) => {
                s.op == c.op && self.expr(&s.left, &c.left) && self.expr(&s.right, &c.right)
            }
            (Expr::UnaryOp(s), Expr::UnaryOp(c)) => {
                s.op == c.op && self.expr(&s.operand, &c.operand)
            }
            (Expr::Compare(s), Expr::Compare(c)) => {
                s.ops == c.ops
                    && self.expr(&s.left, &c.left)
                    && self.sequence(&s.comparators, &c.comparators)
            }
            _ => ComparableExpr::from(shape) == ComparableExpr::from(code),
        }
    }
}

/// Whether a shape is a dotted name without metavariables.
fn is_path(shape: &Expr) -> bool {
    match shape {
        Expr::Name(n) => !n.id.as_str().starts_with(META),
        Expr::Attribute(a) => !a.attr.as_str().starts_with(META) && is_path(&a.value),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{Book, BookCell};
    use nbmedic_python::each_expr;

    /// The bindings of a shape's metavariables in the first match.
    fn found(shape: &str, code: &str) -> Option<Vec<String>> {
        let source = format!("import numpy as np\n{code}");
        let cell = BookCell {
            position: 1,
            source: &source,
            count: Some(1),
            ran: Some(1),
            ..BookCell::default()
        };
        let error = crate::tests::ipython("E", &[(1, 2, code.lines().next()?)], "m");
        let book = Book::new(vec![cell]);
        let case = Case::new(&book, 0, &error)?;
        let shape: &'static Shape = Box::leak(Box::new(Shape::read(shape).ok()?));
        let spot = case.spot()?;
        let mut all = spot.stmt.and_then(|s| shape.of_statement(&case, &spot, s));
        each_expr(spot.python.body(), &mut |e| {
            if all.is_none() {
                all = shape.of_expr(&case, spot.cell, spot.python, e);
            }
        });
        let bound = all?.bound;
        Some(
            bound
                .iter()
                .map(|(n, b)| format!("{n}={}", b.text()))
                .collect(),
        )
    }

    #[test]
    fn shapes_match_code_of_their_form() {
        for (shape, code, wanted) in [
            ("f($x)", "g(a.f(b + 1))", "x=b + 1"),
            ("$o.f($x)", "a.b.f(2)", "o=a.b x=2"),
            ("numpy.zeros($n)", "x = np.zeros(3)", "n=3"),
            ("f($a, ..., key=$k)", "f(1, 2, other=3, key=4)", "a=1 k=4"),
            ("f(b=$b, a=$a)", "f(a=1, b=2)", "b=2 a=1"),
            ("f($a, $...rest)", "f(1, 2, k=3)", "a=1 rest=2, k=3"),
            ("f($x, $x)", "f(a[0], a[ 0 ])", "x=a[0]"),
            ("$t.$m", "x = df.values", "t=df m=values"),
            ("$t[$a, $b]", "df[1, c]", "t=df a=1 b=c"),
            ("$t[[$c]]", "df[['a']]", "t=df c='a'"),
            ("{$k: $v}", "f({'a': 1})", "k='a' v=1"),
            ("$a + $b", "x = y + 2", "a=y b=2"),
            ("$a == None", "f(x == None)", "a=x"),
            ("-$x", "f(-y)", "x=y"),
            ("$t[$a:]", "x[1:]", "t=x a=1"),
            ("$x = f($y)", "a = f(b)", "x=a y=b"),
            ("$x += $y", "a += b", "x=a y=b"),
            ("return $x", "return a", "x=a"),
            (
                "for $i in range($n):",
                "for i in range(9):\n    pass",
                "i=i n=9",
            ),
            ("f(True, 'a', 1.5)", "f(True, \"a\", 1.5)", ""),
        ] {
            let made = found(shape, code).map(|f| f.join(" "));
            assert_eq!(made.as_deref(), Some(wanted), "{shape}: {code}");
        }
    }

    #[test]
    fn shapes_leave_other_code_alone() {
        for (shape, code) in [
            ("f($x)", "f(1, 2)"),
            ("f($x)", "f(*a)"),
            ("f($x, ...)", "f(k=1)"),
            ("f($x)", "f(1, k=2)"),
            ("f($x, $x)", "f(a, b)"),
            ("$o.f($x)", "f(1)"),
            ("numpy.zeros($n)", "torch.zeros(3)"),
            ("f(key=$k)", "f(other=1)"),
            ("$a + $b", "x = y - 2"),
            ("$t[$a:]", "x[1:2]"),
            ("f(True)", "f(False)"),
            ("$x += $y", "a -= b"),
        ] {
            assert_eq!(found(shape, code), None, "{shape}: {code}");
        }
    }
}
