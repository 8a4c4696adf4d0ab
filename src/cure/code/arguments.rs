//! The arguments of a call.

use super::editor::Editor;
use crate::change::Change;
use nbmedic_python::ast::token::{parenthesized_range, TokenKind};
use nbmedic_python::ast::{AnyNodeRef, ArgOrKeyword, Expr, ExprCall};
use nbmedic_python::{keyword, Cell, Ranged, TextRange};

/// A call's argument, by name or position.
pub fn argument<'c>(call: &'c ExprCall, index: usize, name: &str) -> Option<&'c Expr> {
    call.arguments.find_argument_value(name, index)
}

/// Whether a string is a keyword argument: `axis=1`, `**options`.
fn is_named(text: &str) -> bool {
    if text.starts_with("**") {
        return true;
    }
    let name = |c: char| c.is_alphanumeric() || c == '_';
    let rest = text.trim_start_matches(name).trim_start();
    !text.starts_with('=') && rest.starts_with('=') && !rest.starts_with("==")
}

impl Editor<'_> {
    /// The range of an argument, including its keyword and parentheses.
    fn argument_span(&self, call: &ExprCall, argument: ArgOrKeyword<'_>) -> TextRange {
        let parent = AnyNodeRef::from(&call.arguments);
        let value = argument.value();
        let brackets = parenthesized_range(value.into(), parent, self.python.tokens());
        let range = brackets.unwrap_or(value.range());
        TextRange::new(
            argument.start().min(range.start()),
            argument.end().max(range.end()),
        )
    }

    /// The ranges of a call's arguments in source order, including keywords and parentheses.
    pub fn spans(&self, call: &ExprCall) -> Vec<TextRange> {
        let all = call.arguments.arguments_source_order();
        all.map(|a| self.argument_span(call, a)).collect()
    }

    /// Adds an argument: a keyword argument at the end, a positional one after the other positional
    /// ones.
    pub fn add(&self, call: &ExprCall, text: &str) -> Change {
        let all: Vec<_> = call.arguments.arguments_source_order().collect();
        if let [ArgOrKeyword::Arg(Expr::Generator(g))] = all[..] {
            if !g.parenthesized {
                let own = self.python.slice(g);
                return self.replace(g, format!("({own}), {text}"));
            }
        }
        let ahead = match is_named(text) {
            true => all.len(),
            false => {
                let named = |a: &ArgOrKeyword<'_>| matches!(a, ArgOrKeyword::Keyword(_));
                all.iter().position(named).unwrap_or(all.len())
            }
        };
        match (ahead.checked_sub(1), all.get(ahead)) {
            (Some(last), _) => {
                let at = self.argument_span(call, all[last]).end();
                self.replace(TextRange::empty(at), format!(", {text}"))
            }
            (None, Some(first)) => {
                self.replace(TextRange::empty(first.start()), format!("{text}, "))
            }
            (None, None) => {
                self.replace(TextRange::empty(call.arguments.inner_range().start()), text)
            }
        }
    }

    /// Sets a keyword argument: replaces its value or adds the argument.
    pub fn set(&self, call: &ExprCall, name: &str, value: &str) -> Change {
        match keyword(call, name) {
            Some(k) => self.replace(&k.value, value),
            None => self.add(call, &format!("{name}={value}")),
        }
    }

    /// Like [`Editor::set`], for an argument that may also be passed by position.
    pub fn set_at(&self, call: &ExprCall, index: usize, name: &str, value: &str) -> Change {
        match argument(call, index, name) {
            Some(given) => self.replace(given, value),
            None => self.add(call, &format!("{name}={value}")),
        }
    }

    /// Renames a keyword argument.
    pub fn rename(&self, call: &ExprCall, old: &str, new: &str) -> Option<Change> {
        Some(self.replace(keyword(call, old)?.arg.as_ref()?, new))
    }

    /// Removes an argument and its comma. If it has lines of its own, they are removed too, with
    /// the comment after it.
    pub fn remove(&self, call: &ExprCall, argument: impl Ranged) -> Change {
        let range = removed(self, call, argument.range());
        self.replace(range, "")
    }

    /// Reorders the arguments: `order[0]` is the current index of the one that comes first.
    /// Comments and line breaks stay where they are.
    pub fn reorder(&self, call: &ExprCall, order: &[usize]) -> Vec<Change> {
        let spans = self.spans(call);
        let moved = spans.iter().zip(order).enumerate();
        moved
            .filter(|(to, (_, from))| to != *from)
            .filter_map(|(_, (span, from))| {
                Some(self.replace(*span, self.python.slice(*spans.get(*from)?)))
            })
            .collect()
    }
}

/// The range to remove along with an argument.
pub fn removed(edit: &Editor<'_>, call: &ExprCall, argument: TextRange) -> TextRange {
    let python = edit.python;
    let spans = edit.spans(call);
    let Some(at) = spans.iter().position(|s| s.contains_range(argument)) else {
        return argument;
    };
    let span = spans[at];
    let inner = call.arguments.inner_range();
    let until = spans.get(at + 1).map_or(inner.end(), |n| n.start());
    let tokens = python.tokens();
    let mut behind = tokens.in_range(TextRange::new(span.end(), until)).iter();
    let comma = behind.find(|t| t.kind() == TokenKind::Comma);
    let end = comma.map_or(span.end(), Ranged::end);
    if let Some(lines) = own_lines(python, span, end, until) {
        return lines;
    }
    let Some(before) = at.checked_sub(1).map(|b| spans[b]) else {
        return match spans.get(1) {
            Some(next) => TextRange::new(span.start(), next.start()),
            None => TextRange::new(span.start(), end),
        };
    };
    let between = tokens.in_range(TextRange::new(before.end(), span.start()));
    if between.iter().any(|t| t.kind() == TokenKind::Comment) {
        // The comment belongs to the previous argument, whose comma may stay as a trailing one.
        return TextRange::new(span.start(), end);
    }
    TextRange::new(before.end(), span.end())
}

/// The whole lines of an argument that has lines to itself, up to the start of the next line.
fn own_lines(
    python: &Cell,
    span: TextRange,
    end: nbmedic_python::TextSize,
    until: nbmedic_python::TextSize,
) -> Option<TextRange> {
    let first = python.line_range(python.line_of(span.start()));
    let last = python.line_of(end);
    let next = python.line_range(last + 1).start();
    let blank = |from, to| {
        let text = python.slice(TextRange::new(from, to));
        text.chars().all(|c| c == ' ' || c == '\t')
    };
    let alone = blank(first.start(), span.start()) && python.line_of(until) > last;
    alone.then(|| TextRange::new(first.start(), next))
}
