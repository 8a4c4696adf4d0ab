//! Positional arguments after keyword arguments.

use super::failure::{Failure, Try};
use super::scan::scan;
use crate::case::Case;
use crate::find::{argument_with_comma, one_line};
use crate::techniques::libraries;
use nbmedic_python::ast::Keyword;
use nbmedic_python::{calls, Ranged};
use nbmedic_wordings::python;

/// `f(axis=1, axis=0)`: the first one counts.
pub(super) fn doubled(f: &Failure<'_>, out: &mut Vec<Try>) {
    let Some([name]) = python::KEYWORD_REPEATED.read(f.message) else {
        return;
    };
    let is = |k: &&Keyword| k.arg.as_ref().is_some_and(|a| a.as_str() == name);
    for call in calls(f.python.body()) {
        let mut given = call.arguments.keywords.iter().filter(is);
        let (Some(first), Some(second)) = (given.next(), given.next()) else {
            continue;
        };
        let cut = argument_with_comma(f.python, call, second.range());
        let same = f.python.slice(&first.value) == f.python.slice(&second.value);
        let made = Try::new(
            "drop-argument",
            format!("Remove `{}`", one_line(f.python.slice(second))),
            format!("`{}` stands before it.", one_line(f.python.slice(first))),
            vec![(cut.start().to_usize()..cut.end().to_usize(), String::new())],
        );
        out.push(if same { made } else { made.assumed() });
    }
}

/// `sum(x for x in rows, 1)`: next to other arguments, a generator needs its own parentheses.
pub(super) fn generator(f: &Failure<'_>, out: &mut Vec<Try>) {
    if !python::BARE_GENERATOR.is_in(f.message) {
        return;
    }
    for call in calls(f.python.body()) {
        let several = call.arguments.len() > 1;
        for argument in call.arguments.args.iter().filter(|_| several) {
            let bare = argument.as_generator_expr().filter(|g| !g.parenthesized);
            let Some(generator) = bare.map(Ranged::range) else {
                continue;
            };
            let (from, to) = (generator.start().to_usize(), generator.end().to_usize());
            out.push(Try::new(
                "generator-brackets",
                format!(
                    "Put `{}` between `(` and `)`",
                    one_line(f.python.slice(generator))
                ),
                "It stands beside other arguments.",
                vec![(from..from, "(".to_owned()), (to..to, ")".to_owned())],
            ));
        }
    }
}

/// `", ".join[str(x) for x in rows]`: a comprehension is no index.
pub(super) fn square(f: &Failure<'_>, out: &mut Vec<Try>) {
    let line = f.span(f.line);
    let (marks, _) = scan(f.text);
    let mut open = Vec::new();
    for m in marks.iter().filter(|m| line.contains(&m.at)) {
        match m.c {
            '[' => open.push(m.at),
            ']' => {
                let Some(from) = open.pop() else { continue };
                let inner = &f.text[from + 1..m.at];
                let called = f.text[..from].ends_with(|c: char| c.is_alphanumeric() || c == '_');
                if called && inner.contains(" for ") && inner.contains(" in ") {
                    out.push(
                        Try::new(
                            "round-brackets",
                            format!(
                                "Write `(` and `)` for `[` and `]` around `{}`",
                                one_line(inner)
                            ),
                            "A comprehension is no index; the function before it is called.",
                            vec![
                                (from..from + 1, "(".to_owned()),
                                (m.at..m.at + 1, ")".to_owned()),
                            ],
                        )
                        .assumed(),
                    );
                }
            }
            _ => {}
        }
    }
}

/// Passes it by the keyword of the next parameter in the library's table, or moves it before the
/// keyword arguments.
pub(super) fn tries(case: &Case<'_>, f: &Failure<'_>, out: &mut Vec<Try>) {
    if !f.says("positional argument follows keyword argument") {
        return;
    }
    for call in calls(f.python.body()) {
        let keywords = &call.arguments.keywords;
        let Some(first) = keywords.first() else {
            continue;
        };
        let late = |a: &&nbmedic_python::ast::Expr| a.start() > first.start();
        let Some(argument) = call.arguments.args.iter().find(late) else {
            continue;
        };
        let range = argument.range();
        let text = f.python.slice(range);
        let shown = one_line(text);
        let before = keywords.iter().rev().find(|k| k.start() < range.start());
        let before = before.and_then(|k| k.arg.as_ref());
        // A literal more likely lacks its keyword.
        let literal = argument.is_literal_expr();
        let name = before.and_then(|b| match literal {
            true => libraries::free_for(case, call, argument, Some(b)),
            false => libraries::next_free(case, call, b),
        });
        if let Some(name) = name {
            let why = match literal {
                true => "Behind an argument by name each needs its name; this is the next one that takes such a value.",
                false => "Behind an argument by name each needs its name; this one comes next.",
            };
            let at = range.start().to_usize();
            out.push(
                Try::new(
                    "name-arguments",
                    format!("Name it: `{name}={shown}`"),
                    why,
                    vec![(at..at, format!("{name}="))],
                )
                .assumed(),
            );
        }
        if literal {
            return;
        }
        let cut = argument_with_comma(f.python, call, range);
        let at = first.start().to_usize();
        out.push(
            Try::new(
                "argument-first",
                format!(
                    "Put `{shown}` before `{}=`",
                    first.arg.as_ref().map_or("**", |a| a.as_str())
                ),
                "Arguments by position come before those by name.",
                vec![
                    (at..at, format!("{text}, ")),
                    (cut.start().to_usize()..cut.end().to_usize(), String::new()),
                ],
            )
            .assumed(),
        );
    }
}
