//! Moves an imported name to another module.

use crate::case::Case;
use crate::edit::Change;
use crate::find::only;
use nbmedic_python::ast::{Alias, Stmt, StmtImportFrom};
use nbmedic_python::{each_stmt, Cell, Ranged};

/// Changes `from old import name` to another module and name, keeping the other imported names.
/// Returns the change and the new import.
pub fn moved_import(
    cell: usize,
    python: &Cell,
    import: &StmtImportFrom,
    name: &str,
    new_module: &str,
    new_name: &str,
) -> Option<(String, Change)> {
    moved_imports(cell, python, import, &[(name, new_module, new_name)])
}

/// The same for several names, each with the module that has it and its name there.
pub fn moved_imports(
    cell: usize,
    python: &Cell,
    import: &StmtImportFrom,
    moved: &[(&str, &str, &str)],
) -> Option<(String, Change)> {
    let module = import.module.as_ref()?.as_str();
    let mut homes: Vec<(&str, Vec<String>)> = Vec::new();
    for (old, home, new) in moved {
        let alias = import.names.iter().find(|a| a.name.as_str() == *old)?;
        let own = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
        // The cell's other lines keep using the old name.
        let text = match *new == own {
            true => own.to_owned(),
            false => format!("{new} as {own}"),
        };
        match homes.iter_mut().find(|(known, _)| known == home) {
            Some((_, names)) => names.push(text),
            None => homes.push((home, vec![text])),
        }
    }
    let line = |(home, names): &(&str, Vec<String>)| match home.is_empty() {
        true => format!("import {}", names.join(", ")),
        false => format!("from {home} import {}", names.join(", ")),
    };
    let new: Vec<String> = homes.iter().map(line).collect();
    let new = new.join("\n");
    let stays = |a: &&Alias| moved.iter().all(|(old, ..)| a.name.as_str() != *old);
    let rest: Vec<&str> = import
        .names
        .iter()
        .filter(stays)
        .map(|a| python.slice(a))
        .collect();
    let all = match rest.is_empty() {
        true => new.clone(),
        false => format!("from {module} import {}\n{new}", rest.join(", ")),
    };
    let indent = python.indent(python.line_of(import.start()));
    let all = all.replace('\n', &format!("\n{indent}"));
    Some((new, Change::replace(cell, import, all)))
}

/// Whether two names share a word. A function with a completely different name may do something
/// else.
pub fn related(old: &str, new: &str) -> bool {
    let (old, new) = (old.to_lowercase(), new.to_lowercase());
    let mut words = old.split('_').filter(|w| w.len() > 3);
    old == new || new.contains(&old) || words.any(|w| new.contains(w) && w != "load")
}

/// Replaces a function that became a method of a class: imports the class `new` and binds the old
/// name to the method.
pub fn method_import(
    cell: usize,
    python: &Cell,
    import: &StmtImportFrom,
    old: &str,
    own: &str,
    new: &str,
) -> Option<Change> {
    let module = import.module.as_ref()?.as_str();
    let class = new.split('.').next()?;
    let kept = import.names.iter().filter(|a| a.name.as_str() != old);
    let mut names: Vec<&str> = kept.map(|a| python.slice(a)).collect();
    names.push(class);
    let indent = python.indent(python.line_of(import.start()));
    let names = names.join(", ");
    let text = format!("from {module} import {names}\n{indent}{own} = {new}");
    Some(Change::replace(cell, import, text))
}

/// The only matching `from … import` in the failing cell or, with frames, in the cell of the user's
/// innermost frame.
pub fn import_of<'c>(
    case: &'c Case<'_>,
    fits: impl Fn(&StmtImportFrom) -> bool,
) -> Option<(usize, &'c Cell, &'c StmtImportFrom)> {
    let cell = case.innermost().map_or(case.at, |f| f.cell);
    let python = case.python(cell)?;
    let mut found = Vec::new();
    each_stmt(python.body(), &mut |s| {
        if let Stmt::ImportFrom(i) = s {
            found.extend(fits(i).then_some(i));
        }
    });
    Some((cell, python, only(found.into_iter())?))
}
