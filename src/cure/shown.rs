//! What the notebook's saved outputs show of its variables: `df.head()`, `df.shape`, `print(type(x))`, a repr.
//!
//! The value of a cell's last expression ends its output; `print` writes lines. A shown value is used only until a
//! later statement assigns the name or changes it in a way that can't be followed.

mod reads;

use crate::case::Case;
use crate::find::{callee, name, receiver, text_of};
use crate::known::{function_around, CHANGE_METHODS};
use crate::values::{Seen, Value};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{calls, each_expr, each_stmt, positional, Cell, Ranged, TextSize};

/// Maximum number of cells whose outputs are read, latest first.
const MAX_CELLS: usize = 100;

/// Methods that print while they run.
const TALKS: &[&str] = &["fit", "info", "summary", "train", "print_summary"];

/// A name and what a cell's output shows about it.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The name.
    pub name: String,
    /// The known parts of its value.
    pub value: Value,
    /// Index of the cell.
    pub cell: usize,
    /// The end of the statement that shows it.
    at: TextSize,
}

impl Case<'_> {
    /// What the outputs of earlier cells show about a name, if that still holds.
    pub fn shown_value(&self, of: &str) -> Option<&Value> {
        let all = self.shown.get_or_init(|| self.read_shown());
        all.iter().find(|(n, _)| n == of).map(|(_, v)| v)
    }

    /// Adds what outputs show about the names on the user's innermost line.
    pub(crate) fn add_shown(&mut self) {
        let Some((cell, python, stmt)) = self.here() else {
            return;
        };
        let function = function_around(python, stmt);
        let mut names: Vec<(String, Value)> = Vec::new();
        for e in crate::find::head_exprs(stmt) {
            let Some(n) = e.as_name_expr().filter(|n| n.ctx.is_load()) else {
                continue;
            };
            let n = n.id.as_str();
            let own = function.is_some_and(|f| {
                let names = python.names();
                let local = |b: &nbmedic_python::Binding<'_>| {
                    b.name == n && b.function == Some(f.name.as_str())
                };
                f.parameters.includes(n) || names.binds.iter().any(local)
            });
            if own || names.iter().any(|(known, _)| known == n) {
                continue;
            }
            names.extend(self.shown_value(n).map(|v| (n.to_owned(), v.clone())));
        }
        if names.is_empty() {
            return;
        }
        let Some(frame) = self.innermost().filter(|f| f.cell == cell) else {
            return;
        };
        let function = frame.function.as_deref().unwrap_or("<module>");
        let function = function.rsplit('.').next().unwrap_or(function).to_owned();
        let line = frame.line;
        match self.values.last_mut() {
            Some(seen) => {
                for (n, value) in names {
                    match seen.names.iter_mut().find(|(known, _)| *known == n) {
                        Some((_, known)) => known.complete(value),
                        None => seen.names.push((n, value)),
                    }
                }
            }
            None => self.values.push(Seen {
                line,
                function,
                names,
            }),
        }
    }

    /// What all outputs show. The latest output wins for each fact.
    fn read_shown(&self) -> Vec<(String, Value)> {
        let mut found: Vec<Shown> = Vec::new();
        let before = self.book.before(self.at);
        for cell in before.iter().rev().take(MAX_CELLS) {
            let text = self.book.cells()[*cell].output;
            let python = self.python(*cell).filter(|_| !text.trim().is_empty());
            if let Some(python) = python {
                found.extend(of_cell(python, *cell, text));
            }
        }
        let mut out: Vec<(String, Value)> = Vec::new();
        let frames = self.frames.iter().map(|f| f.cell);
        // What set the names that the failing line reads was made of others.
        let needs = self.python(self.at).map(|p| p.names());
        let needs = needs.iter().flat_map(|n| n.needs());
        let made = needs.filter_map(|n| self.last_set(n)).map(|s| s.cell);
        let read: Vec<&str> = frames
            .chain([self.at])
            .chain(made)
            .map(|c| self.book.cells()[c].source)
            .collect();
        for mut s in found {
            if !read.iter().any(|source| source.contains(s.name.as_str())) {
                continue;
            }
            if !self.still_holds(&mut s, &before) {
                continue;
            }
            match out.iter_mut().find(|(n, _)| *n == s.name) {
                Some((_, known)) => known.complete(s.value),
                None => out.push((s.name, s.value)),
            }
        }
        out
    }

    /// Whether no later statement assigns the name. Columns added since are added here.
    fn still_holds(&self, shown: &mut Shown, before: &[usize]) -> bool {
        let line = self.frames.iter().find(|f| f.cell == self.at);
        let home = shown.cell;
        let later = before
            .iter()
            .skip_while(|c| **c != home)
            .copied()
            .chain([self.at]);
        for cell in later {
            let source = self.book.cells()[cell].source;
            if !source.contains(shown.name.as_str()) {
                continue;
            }
            let Some(python) = self.python(cell) else {
                return false;
            };
            let from = if cell == shown.cell {
                shown.at
            } else {
                TextSize::new(0)
            };
            let to = match line.filter(|_| cell == self.at) {
                Some(frame) => python.line_range(frame.line).start(),
                None => TextSize::of(source),
            };
            if !follows(python, (from, to), shown) {
                return false;
            }
        }
        true
    }
}

/// Applies a part of a cell to a shown value. False if its effect is unknown.
fn follows(python: &Cell, (from, to): (TextSize, TextSize), shown: &mut Shown) -> bool {
    let inside = |at: TextSize| from <= at && at < to;
    let of = shown.name.clone();
    let is = |e: &Expr| name(e) == Some(of.as_str());
    let names = python.names();
    let mut sets = names.binds.iter();
    if sets.any(|b| b.name == of && b.function.is_none() && inside(b.at.start())) {
        return false;
    }
    let mut holds = true;
    let mut made: Vec<String> = Vec::new();
    each_stmt(python.body(), &mut |s| {
        let targets = match s {
            Stmt::Assign(a) => a.targets.as_slice(),
            Stmt::AugAssign(a) => std::slice::from_ref(&*a.target),
            Stmt::Delete(d) => d.targets.as_slice(),
            _ => &[],
        };
        for target in targets.iter().filter(|t| inside(t.start())) {
            match target {
                Expr::Subscript(t) if is(&t.value) => match text_of(&t.slice) {
                    Some(key) if !s.is_delete_stmt() => made.push(key.to_owned()),
                    _ => holds = false,
                },
                Expr::Subscript(t) => {
                    let base = t.value.as_attribute_expr().map(|a| &*a.value);
                    // Assigning table cells with `loc` may create a column.
                    holds &= !base.is_some_and(is);
                }
                Expr::Attribute(t) => holds &= !is(&t.value),
                _ => {}
            }
        }
    });
    each_expr(python.body(), &mut |e| {
        let Some(call) = e.as_call_expr().filter(|c| inside(c.start())) else {
            return;
        };
        if receiver(call).is_some_and(is) {
            let inplace = nbmedic_python::keyword(call, "inplace").is_some();
            holds &= !inplace
                && !callee(call).is_some_and(|m| CHANGE_METHODS.contains(&m) || m.ends_with('_'));
        }
    });
    if holds && !made.is_empty() {
        shown.value.set(made);
    }
    holds
}

/// Reads a cell's output.
fn of_cell(python: &Cell, cell: usize, text: &str) -> Vec<Shown> {
    let is_print = |c: &ExprCall| matches!(name(&c.func), Some("print" | "display"));
    let all = calls(python.body());
    let top = python.body().iter().filter_map(|s| s.as_expr_stmt());
    let prints: Vec<&ExprCall> = top
        .filter_map(|e| e.value.as_call_expr())
        .filter(|c| is_print(c))
        .collect();
    // Other possible sources of output: loops, training, magics.
    let ends = python.body().last().map(Ranged::range);
    let talks = |c: &&&ExprCall| {
        let known = callee(c).is_some_and(|m| TALKS.contains(&m));
        is_print(c) || known && ends.is_none_or(|e| !e.contains_range(c.range()))
    };
    let nested = all.iter().filter(talks).count() != prints.len();
    let other = nested || python.body().iter().any(Stmt::is_ipy_escape_command_stmt);
    // The last expression shows its value unless it ends in `;` or is an assignment.
    let last = python.body().last().and_then(|s| s.as_expr_stmt());
    let last = last.filter(|e| {
        !python.text()[e.end().to_usize()..]
            .trim_start()
            .starts_with(';')
    });
    let last = last.map(|e| &*e.value).filter(|e| {
        let call = e.as_call_expr().and_then(|c| name(&c.func));
        !matches!(call, Some("print" | "display"))
    });
    let mut out = Vec::new();
    let mut add = |expr: &Expr, text: &str| {
        let at = expr.end();
        let known = reads::of(expr, text).into_iter();
        out.extend(known.map(|(name, value)| Shown {
            name,
            value: Value {
                shown: Some(cell),
                ..value
            },
            cell,
            at,
        }));
    };
    let one_line =
        |c: &ExprCall| positional(c, 0).is_some_and(reads::is_short) && positional(c, 1).is_none();
    match (last, prints.as_slice()) {
        (None, [one]) if !other && positional(one, 1).is_none() => {
            if let Some(expr) = positional(one, 0) {
                add(expr, text);
            }
            labelled(one, text, &mut add);
        }
        // Each `print` writes one line, followed by the value.
        (last, prints) if !other && prints.iter().all(|c| one_line(c)) => {
            let mut lines = text.lines();
            for (c, line) in prints.iter().zip(lines.by_ref()) {
                positional(c, 0).into_iter().for_each(|e| add(e, line));
            }
            let rest: String = lines.map(|l| format!("{l}\n")).collect();
            last.into_iter().for_each(|e| add(e, &rest));
        }
        (last, prints) => {
            for c in prints {
                labelled(c, text, &mut add);
            }
            if let Some(last) = last.filter(|e| reads::is_short(e)) {
                add(last, text.lines().last().unwrap_or(""));
            }
        }
    }
    out
}

/// `print("Shape:", df.shape)`, `print(f"Shape: {df.shape}")`: finds the line that begins with the
/// label.
fn labelled(call: &ExprCall, text: &str, add: &mut dyn FnMut(&Expr, &str)) {
    if let [label, value] = &call.arguments.args[..] {
        let label = text_of(label).map(str::trim).filter(|l| l.len() > 2);
        let line = label.and_then(|label| {
            text.lines()
                .find_map(|l| l.trim_start().strip_prefix(label))
        });
        if let Some(rest) = line.filter(|_| reads::is_short(value)) {
            add(value, rest.trim());
        }
    }
    let [Expr::FString(f)] = &call.arguments.args[..] else {
        return;
    };
    let elements: Vec<_> = f.value.elements().collect();
    use nbmedic_python::ast::InterpolatedStringElement as Part;
    if let [Part::Literal(label), Part::Interpolation(value)] = elements.as_slice() {
        let label = label.value.trim();
        let plain =
            value.format_spec.is_none() && label.len() > 2 && reads::is_short(&value.expression);
        let line = text
            .lines()
            .find_map(|l| l.trim_start().strip_prefix(label));
        if let Some(rest) = line.filter(|_| plain) {
            add(&value.expression, rest.trim());
        }
    }
}

#[cfg(test)]
mod tests;
