//! The names that a cell sets where other cells see them, and those that it needs.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    Comprehension, ExceptHandler, Expr, ExprContext, ExprList, ExprTuple, Parameters, Pattern,
    Stmt, StmtFunctionDef,
};
use ruff_text_size::{Ranged, TextRange};
use std::collections::{BTreeMap, BTreeSet};

/// How a name is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindKind {
    /// `x = …`, also in a tuple, with `:=` or an annotation.
    Assign,
    /// `x += …`.
    Augmented,
    /// `for x in …`.
    Loop,
    /// `with … as x`, `except … as x`, `case x`.
    As,
    /// `import x`, `from m import x`.
    Import,
    /// `def x`.
    Function,
    /// `class x`.
    Class,
    /// `del x`.
    Delete,
}

/// A place where a name is set.
#[derive(Clone, Copy, Debug)]
pub struct Binding<'a> {
    /// The name.
    pub name: &'a str,
    /// Where the name stands.
    pub at: TextRange,
    /// The statement that sets it.
    pub stmt: &'a Stmt,
    /// The whole value that it is set to: if the name is the whole target, or stands in a tuple that is set to a tuple.
    pub value: Option<&'a Expr>,
    /// How.
    pub kind: BindKind,
    /// The function in which it is set; none where other cells see the name.
    pub function: Option<&'a str>,
    /// It stands in a loop.
    pub looped: bool,
    /// It stands in an `if`, a `try` or the like, and may not have run.
    pub conditional: bool,
}

/// A place where a name of the cell's outermost scope is read.
#[derive(Clone, Copy, Debug)]
pub struct Use<'a> {
    /// The name.
    pub name: &'a str,
    /// Where it stands.
    pub at: TextRange,
    /// It stands in a function or lambda: it is read only when that runs.
    pub deferred: bool,
    /// The cell had set it before this place.
    pub own: bool,
}

/// What a cell sets and uses, in the order in which it happens.
#[derive(Debug, Default)]
pub struct Names<'a> {
    /// Names set at the top level, in functions by `global`, and (with `function`) inside functions.
    pub binds: Vec<Binding<'a>>,
    /// Names read from the outermost scope.
    pub uses: Vec<Use<'a>>,
    /// Where among `binds` other cells see each name being set.
    seen: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Names<'a> {
    pub(crate) fn of(body: &'a [Stmt]) -> Names<'a> {
        let mut walker = Walker {
            postponed: body.iter().any(is_postponed),
            ..Walker::default()
        };
        walker.visit_body(body);
        let mut names = walker.names;
        for (i, b) in names.binds.iter().enumerate() {
            if b.function.is_none() && b.kind != BindKind::Delete {
                names.seen.entry(b.name).or_default().push(i);
            }
        }
        names
    }

    /// Where other cells see a name being set, in order; deletions are not among them.
    pub fn sets(&self, name: &str) -> impl DoubleEndedIterator<Item = &Binding<'a>> {
        let all = self.seen.get(name).map_or(&[][..], Vec::as_slice);
        all.iter().map(|i| &self.binds[*i])
    }

    /// The names that must exist before the cell runs, each once, in order; those read only in functions last.
    pub fn needs(&self) -> Vec<&'a str> {
        let mut out: Vec<&str> = Vec::new();
        let mut known: BTreeSet<&str> = BTreeSet::new();
        for deferred in [false, true] {
            for u in self
                .uses
                .iter()
                .filter(|u| u.deferred == deferred && !u.own)
            {
                // A function may use what the cell sets below it.
                let set_later = u.deferred && self.sets(u.name).next().is_some();
                if !set_later && known.insert(u.name) {
                    out.push(u.name);
                }
            }
        }
        out
    }
}

#[derive(Default)]
struct Walker<'a> {
    names: Names<'a>,
    /// Names set so far at the top level.
    set: BTreeSet<&'a str>,
    /// Names local to each function, class or comprehension around, outermost first.
    scopes: Vec<BTreeSet<&'a str>>,
    function: Option<&'a str>,
    deferred: bool,
    looped: bool,
    conditional: bool,
    stmt: Option<&'a Stmt>,
    /// `from __future__ import annotations`: annotations are never evaluated.
    postponed: bool,
}

impl<'a> Walker<'a> {
    fn bind(&mut self, name: &'a str, at: TextRange, value: Option<&'a Expr>, kind: BindKind) {
        let Some(stmt) = self.stmt else { return };
        let local = self.scopes.iter().any(|s| s.contains(name));
        // In a class or a comprehension: nobody else's.
        if local && self.function.is_none() {
            return;
        }
        let function = self.function.filter(|_| local);
        if function.is_none() {
            match kind {
                BindKind::Delete => self.set.remove(name),
                _ => self.set.insert(name),
            };
        }
        self.names.binds.push(Binding {
            name,
            at,
            stmt,
            value,
            kind,
            function,
            looped: self.looped,
            conditional: self.conditional,
        });
    }

    /// Binds the names of a target; `value` belongs to it if it is one name.
    fn target(&mut self, target: &'a Expr, value: Option<&'a Expr>, kind: BindKind) {
        match target {
            Expr::Name(n) => self.bind(n.id.as_str(), n.range, value, kind),
            Expr::Tuple(ExprTuple { elts, .. }) | Expr::List(ExprList { elts, .. }) => {
                let one_by_one = value.and_then(|v| v.as_tuple_expr()).map(|v| &v.elts);
                let each = one_by_one.filter(|values| {
                    let both = elts.iter().chain(values.iter());
                    values.len() == elts.len() && !both.clone().any(Expr::is_starred_expr)
                });
                for (i, e) in elts.iter().enumerate() {
                    self.target(e, each.map(|values| &values[i]), kind);
                }
            }
            Expr::Starred(s) => self.target(&s.value, None, kind),
            other => self.visit_expr(other),
        }
    }

    fn within(&mut self, looped: bool, body: &'a [Stmt]) {
        let before = (self.looped, self.conditional);
        self.looped |= looped;
        self.conditional = true;
        self.visit_body(body);
        (self.looped, self.conditional) = before;
    }

    fn function_def(&mut self, f: &'a StmtFunctionDef) {
        for d in &f.decorator_list {
            self.visit_expr(&d.expression);
        }
        let types = f.type_params.iter().flat_map(|all| all.iter());
        self.scopes.push(types.map(|t| t.name().as_str()).collect());
        self.signature(f);
        let types = self.scopes.pop().unwrap_or_default();
        self.bind(f.name.as_str(), f.name.range, None, BindKind::Function);
        let mut locals = locals(&f.parameters, &f.body);
        locals.extend(types);
        let before = (
            self.function,
            self.deferred,
            self.looped,
            self.conditional,
            self.stmt,
        );
        self.function = Some(f.name.as_str());
        (self.deferred, self.looped, self.conditional) = (true, false, false);
        self.scopes.push(locals);
        self.visit_body(&f.body);
        self.scopes.pop();
        (
            self.function,
            self.deferred,
            self.looped,
            self.conditional,
            self.stmt,
        ) = before;
    }

    /// Default values are evaluated when the function is defined; annotations then or, since Python 3.14, on demand.
    fn signature(&mut self, f: &'a StmtFunctionDef) {
        self.defaults(&f.parameters);
        if self.postponed {
            return;
        }
        let annotations = f.parameters.iter().filter_map(|p| p.annotation());
        let before = std::mem::replace(&mut self.deferred, true);
        for annotation in annotations.chain(f.returns.as_deref()) {
            self.visit_expr(annotation);
        }
        self.deferred = before;
    }

    fn defaults(&mut self, parameters: &'a Parameters) {
        for p in parameters.iter_non_variadic_params() {
            if let Some(default) = &p.default {
                self.visit_expr(default);
            }
        }
    }

    fn comprehension(&mut self, generators: &'a [Comprehension], parts: &[&'a Expr]) {
        let mut own = BTreeSet::new();
        for g in generators {
            collect_target(&g.target, &mut own);
        }
        // The first iterable is read outside.
        if let Some(first) = generators.first() {
            self.visit_expr(&first.iter);
        }
        self.scopes.push(own);
        for (i, g) in generators.iter().enumerate() {
            if i > 0 {
                self.visit_expr(&g.iter);
            }
            g.ifs.iter().for_each(|e| self.visit_expr(e));
        }
        parts.iter().for_each(|e| self.visit_expr(e));
        self.scopes.pop();
    }
}

impl<'a> Visitor<'a> for Walker<'a> {
    fn visit_stmt(&mut self, stmt: &'a Stmt) {
        let outer = self.stmt.replace(stmt);
        match stmt {
            Stmt::Assign(a) => {
                self.visit_expr(&a.value);
                for t in &a.targets {
                    self.target(t, Some(&a.value), BindKind::Assign);
                }
            }
            Stmt::AugAssign(a) => {
                self.visit_expr(&a.value);
                if let Expr::Name(n) = &*a.target {
                    self.read(n.id.as_str(), n.range);
                }
                self.target(&a.target, None, BindKind::Augmented);
            }
            Stmt::AnnAssign(a) => {
                if let Some(value) = &a.value {
                    self.visit_expr(value);
                    self.target(&a.target, Some(value), BindKind::Assign);
                }
            }
            Stmt::For(f) => {
                self.visit_expr(&f.iter);
                let before = self.looped;
                self.looped = true;
                self.target(&f.target, None, BindKind::Loop);
                self.looped = before;
                self.within(true, &f.body);
                self.within(false, &f.orelse);
            }
            Stmt::While(w) => {
                self.visit_expr(&w.test);
                self.within(true, &w.body);
                self.within(false, &w.orelse);
            }
            Stmt::If(i) => {
                self.visit_expr(&i.test);
                self.within(false, &i.body);
                for c in &i.elif_else_clauses {
                    if let Some(test) = &c.test {
                        self.visit_expr(test);
                    }
                    self.within(false, &c.body);
                }
            }
            Stmt::With(w) => {
                for item in &w.items {
                    self.visit_expr(&item.context_expr);
                    if let Some(target) = &item.optional_vars {
                        self.target(target, None, BindKind::As);
                    }
                }
                self.visit_body(&w.body);
            }
            Stmt::Try(t) => {
                self.within(false, &t.body);
                for ExceptHandler::ExceptHandler(h) in &t.handlers {
                    if let Some(class) = &h.type_ {
                        self.visit_expr(class);
                    }
                    if let Some(name) = &h.name {
                        self.bind(name.as_str(), name.range, None, BindKind::As);
                    }
                    self.within(false, &h.body);
                }
                self.within(false, &t.orelse);
                self.within(false, &t.finalbody);
            }
            Stmt::Match(m) => {
                self.visit_expr(&m.subject);
                for case in &m.cases {
                    let mut own = BTreeSet::new();
                    collect_pattern(&case.pattern, &mut own);
                    own.into_iter()
                        .for_each(|n| self.bind(n, case.pattern.range(), None, BindKind::As));
                    self.within(false, &case.body);
                }
            }
            Stmt::FunctionDef(f) => self.function_def(f),
            Stmt::ClassDef(c) => {
                for d in &c.decorator_list {
                    self.visit_expr(&d.expression);
                }
                if let Some(arguments) = &c.arguments {
                    self.visit_arguments(arguments);
                }
                let mut own = BTreeSet::new();
                collect_body(&c.body, &mut own);
                let function = self.function.take();
                self.scopes.push(own);
                self.visit_body(&c.body);
                self.scopes.pop();
                self.function = function;
                self.stmt = Some(stmt);
                self.bind(c.name.as_str(), c.name.range, None, BindKind::Class);
            }
            Stmt::Import(i) => {
                for alias in &i.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
                    let name = name.split('.').next().unwrap_or(name);
                    self.bind(name, alias.range, None, BindKind::Import);
                }
            }
            Stmt::ImportFrom(i) => {
                for alias in &i.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.bind(name.as_str(), alias.range, None, BindKind::Import);
                }
            }
            Stmt::Delete(d) => d
                .targets
                .iter()
                .for_each(|t| self.target(t, None, BindKind::Delete)),
            other => visitor::walk_stmt(self, other),
        }
        self.stmt = outer;
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(n) if matches!(n.ctx, ExprContext::Load) => {
                self.read(n.id.as_str(), n.range)
            }
            Expr::Named(n) => {
                self.visit_expr(&n.value);
                self.target(&n.target, Some(&n.value), BindKind::Assign);
            }
            Expr::Lambda(l) => {
                let mut own = BTreeSet::new();
                if let Some(p) = &l.parameters {
                    self.defaults(p);
                    collect_parameters(p, &mut own);
                }
                let before = std::mem::replace(&mut self.deferred, true);
                self.scopes.push(own);
                self.visit_expr(&l.body);
                self.scopes.pop();
                self.deferred = before;
            }
            Expr::ListComp(c) => self.comprehension(&c.generators, &[&c.elt]),
            Expr::SetComp(c) => self.comprehension(&c.generators, &[&c.elt]),
            Expr::Generator(c) => self.comprehension(&c.generators, &[&c.elt]),
            Expr::DictComp(c) => self.comprehension(&c.generators, &[&c.key, &c.value]),
            other => visitor::walk_expr(self, other),
        }
    }
}

impl<'a> Walker<'a> {
    fn read(&mut self, name: &'a str, at: TextRange) {
        if self.scopes.iter().any(|s| s.contains(name)) {
            return;
        }
        self.names.uses.push(Use {
            name,
            at,
            deferred: self.deferred,
            own: self.set.contains(name),
        });
    }
}

/// Whether a statement is `from __future__ import annotations`.
fn is_postponed(stmt: &Stmt) -> bool {
    stmt.as_import_from_stmt().is_some_and(|i| {
        let module = i.module.as_ref().map(|m| m.as_str());
        module == Some("__future__") && i.names.iter().any(|n| n.name.as_str() == "annotations")
    })
}

/// The names local to a function: its parameters, and what it sets without `global` or `nonlocal`.
fn locals<'a>(parameters: &'a Parameters, body: &'a [Stmt]) -> BTreeSet<&'a str> {
    let mut own = BTreeSet::new();
    collect_body(body, &mut own);
    collect_parameters(parameters, &mut own);
    own
}

fn collect_parameters<'a>(parameters: &'a Parameters, own: &mut BTreeSet<&'a str>) {
    own.extend(parameters.iter().map(|p| p.name().as_str()));
}

fn collect_target<'a>(target: &'a Expr, own: &mut BTreeSet<&'a str>) {
    match target {
        Expr::Name(n) => {
            own.insert(n.id.as_str());
        }
        Expr::Tuple(t) => t.elts.iter().for_each(|e| collect_target(e, own)),
        Expr::List(t) => t.elts.iter().for_each(|e| collect_target(e, own)),
        Expr::Starred(s) => collect_target(&s.value, own),
        _ => {}
    }
}

fn collect_pattern<'a>(pattern: &'a Pattern, own: &mut BTreeSet<&'a str>) {
    match pattern {
        Pattern::MatchAs(p) => {
            own.extend(p.name.as_ref().map(|n| n.as_str()));
            if let Some(inner) = &p.pattern {
                collect_pattern(inner, own);
            }
        }
        Pattern::MatchStar(p) => own.extend(p.name.as_ref().map(|n| n.as_str())),
        Pattern::MatchSequence(p) => p.patterns.iter().for_each(|p| collect_pattern(p, own)),
        Pattern::MatchOr(p) => p.patterns.iter().for_each(|p| collect_pattern(p, own)),
        Pattern::MatchMapping(p) => {
            p.patterns.iter().for_each(|p| collect_pattern(p, own));
            own.extend(p.rest.as_ref().map(|n| n.as_str()));
        }
        Pattern::MatchClass(p) => {
            p.arguments
                .patterns
                .iter()
                .for_each(|p| collect_pattern(p, own));
            p.arguments
                .keywords
                .iter()
                .for_each(|k| collect_pattern(&k.pattern, own));
        }
        Pattern::MatchValue(_) | Pattern::MatchSingleton(_) => {}
    }
}

/// The names that a body sets in its own scope.
fn collect_body<'a>(body: &'a [Stmt], own: &mut BTreeSet<&'a str>) {
    let mut outer: BTreeSet<&str> = BTreeSet::new();
    collect(body, own, &mut outer);
    own.retain(|n| !outer.contains(n));
}

fn collect<'a>(body: &'a [Stmt], own: &mut BTreeSet<&'a str>, outer: &mut BTreeSet<&'a str>) {
    for stmt in body {
        match stmt {
            Stmt::Assign(a) => a.targets.iter().for_each(|t| collect_target(t, own)),
            Stmt::AugAssign(a) => collect_target(&a.target, own),
            Stmt::AnnAssign(a) => collect_target(&a.target, own),
            Stmt::For(f) => {
                collect_target(&f.target, own);
                collect(&f.body, own, outer);
                collect(&f.orelse, own, outer);
            }
            Stmt::While(w) => {
                collect(&w.body, own, outer);
                collect(&w.orelse, own, outer);
            }
            Stmt::If(i) => {
                collect(&i.body, own, outer);
                i.elif_else_clauses
                    .iter()
                    .for_each(|c| collect(&c.body, own, outer));
            }
            Stmt::With(w) => {
                let targets = w.items.iter().filter_map(|i| i.optional_vars.as_deref());
                targets.for_each(|t| collect_target(t, own));
                collect(&w.body, own, outer);
            }
            Stmt::Try(t) => {
                collect(&t.body, own, outer);
                for ExceptHandler::ExceptHandler(h) in &t.handlers {
                    own.extend(h.name.as_ref().map(|n| n.as_str()));
                    collect(&h.body, own, outer);
                }
                collect(&t.orelse, own, outer);
                collect(&t.finalbody, own, outer);
            }
            Stmt::Match(m) => {
                for case in &m.cases {
                    collect_pattern(&case.pattern, own);
                    collect(&case.body, own, outer);
                }
            }
            Stmt::FunctionDef(f) => {
                own.insert(f.name.as_str());
            }
            Stmt::ClassDef(c) => {
                own.insert(c.name.as_str());
            }
            Stmt::Import(i) => {
                let names = i
                    .names
                    .iter()
                    .map(|a| a.asname.as_ref().unwrap_or(&a.name).as_str());
                own.extend(names.map(|n| n.split('.').next().unwrap_or(n)));
            }
            Stmt::ImportFrom(i) => {
                own.extend(
                    i.names
                        .iter()
                        .map(|a| a.asname.as_ref().unwrap_or(&a.name).as_str()),
                );
            }
            Stmt::Global(g) => outer.extend(g.names.iter().map(|n| n.as_str())),
            Stmt::Nonlocal(g) => outer.extend(g.names.iter().map(|n| n.as_str())),
            _ => {}
        }
    }
}
