//! `module 'numpy' has no attribute 'in1dd'`: names of a module.

use super::library::{called, close, library, newer};
use crate::case::Case;
use crate::closest::near;
use crate::edit::Change;
use crate::find::{look, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::ExprAttribute;
use nbmedic_python::{each_expr, Ranged};
use nbmedic_wordings::python;

/// "`np.float_` was removed in the NumPy 2.0 release. Use `np.float64` instead."
pub(super) fn as_said(case: &Case<'_>) -> Option<Cure> {
    let rest = case.message().trim_start().strip_prefix("`np.")?;
    let (name, rest) = rest.split_once("` was removed in the NumPy ")?;
    let (release, rest) = rest.split_once(" release")?;
    let (new, _) = rest.split_once("`np.")?.1.split_once('`')?;
    let word = |p: &str| !p.is_empty() && p.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !new.split('.').all(word) {
        return None;
    }
    let cell = case.innermost().map_or(case.at, |f| f.cell);
    let python = case.python(cell)?;
    let mut changes = Vec::new();
    let mut text = String::new();
    each_expr(python.body(), &mut |e| {
        let attribute = e.as_attribute_expr().filter(|a| a.attr.as_str() == name);
        let of = |a: &&ExprAttribute| case.path_of(&a.value).as_deref() == Some("numpy");
        if let Some(a) = attribute.filter(of) {
            text = format!("{}.{new}", python.slice(&*a.value));
            changes.push(Change::replace(cell, a, text.clone()));
        }
    });
    case.edits(
        said(
            "library-name",
            Basis::Named,
            format!("Replace `np.{name}` by `{text}`"),
            format!("NumPy {release} removed `np.{name}`; the message names what took its place."),
        ),
        changes,
    )
}

pub(super) fn offer(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    let [module, name] = python::MODULE_ATTRIBUTE.read(message)?;
    let library = library(case, module)?;
    let (table, release) = (&library.table, library.release);
    let cell = case.innermost().map_or(case.at, |f| f.cell);
    let python = case.python(cell)?;
    let mut found: Vec<&ExprAttribute> = Vec::new();
    each_expr(python.body(), &mut |e| {
        let attribute = e.as_attribute_expr().filter(|a| a.attr.as_str() == name);
        let of = |a: &&ExprAttribute| case.path_of(&a.value).as_deref() == Some(module);
        found.extend(attribute.filter(of));
    });
    let first = found.first()?;
    let old = python.slice(*first);
    let path = format!("{module}.{name}");
    let known = table.find(&path);
    if let Some(n) = &known {
        if n.is_in(release) {
            // The installed release is older.
            return newer(
                case,
                &library,
                &path,
                n.since().filter(|_| !library.certain)?,
            );
        }
        if n.gone_in(release).is_none() {
            return newer(case, &library, &path, n.since()?);
        }
    }
    let gone = known.as_ref().and_then(|n| n.gone_in(release));
    let went = gone.map(|g| {
        let by = if g.exact { "in" } else { "by" };
        format!(
            "`{path}` went {by} {} {}",
            called(table.library()),
            g.first_without
        )
    });
    // Somewhere else in the library, under a module that the notebook imports.
    let moved = table.moved(module, name, release);
    let own = |path: &str| {
        let mut end = path.rfind('.')?;
        loop {
            if let Some(alias) = case.alias_of(&path[..end]) {
                return Some(format!("{alias}{}", &path[end..]));
            }
            end = path[..end].rfind('.')?;
        }
    };
    let replaced = |new: String, basis, why: String| {
        let changes = found.iter().map(|a| Change::replace(cell, *a, new.clone()));
        case.edits(
            said(
                "library-name",
                basis,
                format!("Replace `{old}` by `{new}`"),
                why,
            ),
            changes.collect(),
        )
    };
    if let [new] = &moved[..] {
        let last = gone.and_then(|g| table.release(g.last));
        let (was, is) = (
            last.and_then(|l| table.params(&path, l)),
            table.params(new, release),
        );
        // A different function of that name may take different arguments after the first.
        let same = |count: usize| match (&was, &is) {
            (Some(was), Some(is)) => was
                .iter()
                .zip(is)
                .take(count)
                .all(|(a, b)| a.name == b.name),
            _ => false,
        };
        let mut calls = nbmedic_python::calls(python.body()).into_iter();
        let other = calls.any(|c| {
            let it = found.iter().any(|a| a.range() == c.func.range());
            it && c.arguments.len() > 1 && !same(c.arguments.len())
        });
        if other && gone.is_some() {
            return None;
        }
        if let Some(text) = own(new) {
            let why = match &went {
                Some(went) => format!("{went}: it is `{new}` now."),
                None => format!("`{module}` has no `{name}`: it is `{new}`."),
            };
            return replaced(text, Basis::Assumed, why);
        }
    }
    if let Some(new) = close(&library, module, name) {
        // A removed name wasn't a typo, but one with the same letters replaced it.
        if went.is_none() || near(name, new) == Some(0) {
            let sure = near(name, new).is_some_and(|d| d <= 1 && name.len() > 4);
            let text = format!("{}.{new}", python.slice(&*first.value));
            let why = match &went {
                Some(went) => format!("{went}; `{new}` is there."),
                None => format!("`{module}` has no `{name}`; `{new}` is the closest of its names."),
            };
            let basis = match sure {
                true => Basis::Spelled,
                false => Basis::Alike,
            };
            return replaced(text, basis, why);
        }
    }
    let gone = gone?;
    Some(look(
        "library-name-gone",
        format!("Replace `{old}`: {} removed it", called(table.library())),
        format!("{}; {} was the last release with it.", went?, gone.last),
    ))
}
