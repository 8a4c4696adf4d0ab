//! Templates: code and prose filled from a match, and the changes that a rule makes with them.

use super::condition::last_name;
use super::read::{Rule, Step};
use super::shape::{Bound, Found};
use crate::case::Case;
use crate::code::{binds_tightly, Editor};
use crate::edit::Change;
use crate::find::{one_line, Spot};
use crate::messages::Slots;
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{each_expr, keyword, Cell, Ranged, TextRange, TextSize};

/// A piece of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'t> {
    Text(&'t str),
    Meta(&'t str),
}

/// The pieces of a template.
fn pieces(template: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find('$') {
        let name = &rest[at + 1..];
        let end = name.find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'));
        let end = end.unwrap_or(name.len());
        out.push(Piece::Text(&rest[..at]));
        out.push(Piece::Meta(&name[..end]));
        rest = &name[end..];
    }
    out.push(Piece::Text(rest));
    out
}

/// The names of a template's metavariables.
#[cfg(test)]
pub(super) fn metavariables(template: &str) -> Vec<&str> {
    let metas = pieces(template).into_iter().filter_map(|p| match p {
        Piece::Meta(name) => Some(name),
        Piece::Text(_) => None,
    });
    metas.collect()
}

/// The values that fill a rule's templates.
pub(super) struct Filled<'s, 'c> {
    found: &'s Found<'c>,
    slots: &'s mut Slots,
    /// Module names, and what `replace:` replaces and writes.
    own: Vec<(&'static str, String)>,
    /// Imports that the modules' names need.
    imports: Vec<String>,
}

impl<'s, 'c> Filled<'s, 'c> {
    /// The values for a match. None if a slot has no value.
    pub fn new(
        case: &'c Case<'_>,
        found: &'s Found<'c>,
        slots: &'s mut Slots,
        rule: &'static Rule,
    ) -> Option<Self> {
        let mut out = Filled {
            found,
            slots,
            own: Vec::new(),
            imports: Vec::new(),
        };
        for choice in &rule.choices {
            let by = match choice.by.strip_prefix('$') {
                Some(name) => last_name(&out.get(name)?)?,
                None => out.slots.get(choice.by)?,
            };
            let mut all = choice.values.iter();
            let value = all.find(|(word, _)| *word == by || *word == "*")?.1;
            out.slots.set_own(choice.slot, value);
        }
        for i in &rule.imports {
            if i.name.is_empty() {
                out.imports.push(out.slots.code(i.module)?);
                continue;
            }
            let (alias, line) = case.alias_or_import(i.module, i.name);
            out.own.push((i.name, alias));
            // `import lightgbm as lightgbm` is redundant.
            let plain = (i.module == i.name).then(|| format!("import {}", i.module));
            out.imports.extend(line.map(|line| plain.unwrap_or(line)));
        }
        let first = rule.steps.iter().find_map(|s| match s {
            Step::Replace {
                node,
                argument,
                code,
            } => Some((node, *argument, code)),
            _ => None,
        });
        if let Some((node, argument, code)) = first {
            let old = out.node(node, argument)?.text().to_owned();
            let new = out.code(code)?;
            out.own.extend([("old", old), ("new", new)]);
        }
        Some(out)
    }

    fn get(&self, name: &str) -> Option<Bound<'c>> {
        self.found.get(name)
    }

    /// A metavariable, or the argument that it is the value of.
    fn node(&self, name: &str, argument: bool) -> Option<Bound<'c>> {
        let at = self.get(name)?;
        match argument {
            false => Some(at),
            true => Some(Bound {
                range: argument_of(&at)?.1,
                expr: None,
                ..at
            }),
        }
    }

    /// The source to insert for a metavariable.
    fn meta(&self, name: &str) -> Option<(&str, Option<&'c Expr>)> {
        if let Some((_, text)) = self.own.iter().find(|(n, _)| *n == name) {
            return Some((text, None));
        }
        let bound = self.get(name)?;
        Some((bound.text(), bound.expr))
    }

    /// Fills a code template, adding parentheses where a part would bind differently.
    pub fn code(&self, template: &str) -> Option<String> {
        self.put(&self.slots.code(template)?)
    }

    /// Fills the holes of a template.
    fn put(&self, template: &str) -> Option<String> {
        let all = pieces(template);
        let mut out = String::new();
        for (i, piece) in all.iter().enumerate() {
            match piece {
                Piece::Text(text) => out += text,
                Piece::Meta(name) => {
                    let (text, expr) = self.meta(name)?;
                    // Without arguments, drop the comma before them.
                    if text.is_empty() && out.ends_with(", ") {
                        out.truncate(out.len() - ", ".len());
                    }
                    match expr.is_some_and(|e| !binds_tightly(e)) && needs_brackets(&all, i, text) {
                        true => out += &format!("({text})"),
                        false => out += text,
                    }
                }
            }
        }
        Some(out)
    }

    /// Fills a prose template, with code in backticks.
    pub fn words(&self, template: &str) -> Option<String> {
        let mut out = Vec::new();
        for part in self.slots.text(template)?.split('`') {
            out.push(match part.contains('$') {
                true => one_line(&self.put(part)?),
                false => part.to_owned(),
            });
        }
        Some(out.join("`"))
    }

    /// The changes of a rule.
    pub fn changes(
        &mut self,
        rule: &'static Rule,
        case: &Case<'_>,
        spot: &Spot<'_>,
    ) -> Option<Vec<Change>> {
        let mut out = Vec::new();
        for step in &rule.steps {
            match step {
                Step::Replace {
                    node,
                    argument,
                    code,
                } => out.push(self.replaced(self.node(node, *argument)?, code)?),
                Step::After(node, code) => {
                    let at = self.get(node)?;
                    out.push(Change::after(at.cell, at.range, self.code(code)?));
                }
                Step::Remove(node) => out.push(removed(&self.get(node)?)?),
                Step::RemoveNamed(name) => {
                    let at = self.found.whole;
                    let k = keyword(at.expr?.as_call_expr()?, name)?;
                    out.push(removed(&Bound {
                        range: k.value.range(),
                        ..at
                    })?);
                }
                Step::Argument(call, name, value) => {
                    let at = self.get(call)?;
                    let call = at.expr?.as_call_expr()?;
                    let value = self.code(value)?;
                    out.push(Editor::new(at.cell, at.python).set(call, name, &value));
                }
                Step::Above(code) => {
                    let line = self.code(code)?;
                    out.push(spot.editor().above(spot.stmt?, &line));
                }
            }
        }
        let cell = out.first()?.cell;
        for line in &self.imports {
            out.push(Editor::new(cell, case.python(cell)?).import(line));
        }
        Some(out)
    }

    /// Replaces a node, leaving an unchanged beginning or end alone.
    fn replaced(&self, at: Bound<'c>, template: &str) -> Option<Change> {
        let text = self.code(template)?;
        let whole = Change {
            node: at.expr.map(Ranged::range),
            ..Change::replace(at.cell, at.range, text.as_str())
        };
        let filled = self.slots.code(template)?;
        let all = pieces(&filled);
        let stays = |name: &str, edge: fn(TextRange) -> TextSize| {
            let part = self.get(name).filter(|p| p.cell == at.cell)?;
            (edge(part.range) == edge(at.range)).then_some(part.range)
        };
        // The first piece is the text before the first metavariable.
        if let (Some(Piece::Text("")), Some(Piece::Meta(name))) = (all.first(), all.get(1)) {
            let part = stays(name, TextRange::start);
            if let Some(part) = part.filter(|p| text.starts_with(at.python.slice(*p))) {
                let rest = &text[at.python.slice(part).len()..];
                let tail = TextRange::new(part.end(), at.range.end());
                return Some(Change {
                    node: tail.is_empty().then_some(at.range),
                    ..Change::replace(at.cell, tail, rest)
                });
            }
        }
        if let [.., Piece::Meta(name), Piece::Text("")] = all[..] {
            let part = stays(name, TextRange::end).filter(|p| *p == at.range);
            if let Some(head) = part.and_then(|p| text.strip_suffix(at.python.slice(p))) {
                return Some(Change::before(at.cell, at.range, head));
            }
        }
        Some(whole)
    }
}

/// The call that an expression is an argument of, and the range of the whole argument.
fn argument_of<'c>(at: &Bound<'c>) -> Option<(&'c ExprCall, TextRange)> {
    let mut found: Option<(&ExprCall, TextRange)> = None;
    each_expr(at.python.body(), &mut |e| {
        let Some(call) = e.as_call_expr() else { return };
        let named = call.arguments.keywords.iter();
        let named = named.filter(|k| k.value.range() == at.range);
        let plain = call.arguments.args.iter().map(Ranged::range);
        let mut all = named
            .map(Ranged::range)
            .chain(plain.filter(|r| *r == at.range));
        found = found.or_else(|| all.next().map(|r| (call, r)));
    });
    found
}

/// Removes an argument and its comma, given its value.
fn removed(at: &Bound<'_>) -> Option<Change> {
    let (call, range) = argument_of(at)?;
    Some(Editor::new(at.cell, at.python).remove(call, range))
}

/// Whether a part of a template needs parentheses because it wouldn't be one expression otherwise.
fn needs_brackets(all: &[Piece<'_>], at: usize, text: &str) -> bool {
    let mut before = String::new();
    let mut after = String::new();
    for (i, piece) in all.iter().enumerate() {
        let side = if i < at { &mut before } else { &mut after };
        match piece {
            Piece::Text(t) => side.push_str(t),
            Piece::Meta(_) if i != at => side.push('x'),
            Piece::Meta(_) => {}
        }
    }
    let is = |part: &str, open: &str, close: &str| {
        let code = format!("{open}{before}{part}{after}{close}");
        let cell = Cell::read(&code).filter(|c| c.broken().is_empty())?;
        let start = TextSize::of(open) + TextSize::of(before.as_str());
        let range = TextRange::at(start, TextSize::of(part));
        let mut found = false;
        each_expr(cell.body(), &mut |e| found |= e.range() == range);
        Some(found)
    };
    // An expression, an argument, a statement.
    for (open, close) in [("(", ")"), ("f(", ")"), ("", "")] {
        if is("x", open, close).is_some() {
            return !is(text, open, close).unwrap_or(false);
        }
    }
    // The template is only a part of an expression.
    after.starts_with(['.', '[', '('])
}
