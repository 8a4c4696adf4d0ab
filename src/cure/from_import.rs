//! A name imported from another module than before.

use crate::case::Case;
use crate::edit::Change;
use crate::find::only;
use nbmedic_python::ast::{Stmt, StmtImportFrom};
use nbmedic_python::{each_stmt, Cell, Ranged};

/// Changes `from old import name` to another module and name; what else it imports stays. With the new import.
pub fn moved_import(
    cell: usize,
    python: &Cell,
    import: &StmtImportFrom,
    name: &str,
    new_module: &str,
    new_name: &str,
) -> Option<(String, Change)> {
    let module = import.module.as_ref()?.as_str();
    let alias = import.names.iter().find(|a| a.name.as_str() == name)?;
    let own = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
    let renamed = match (new_name == own, new_module.is_empty()) {
        (true, false) => format!("from {new_module} import {new_name}"),
        (true, true) => format!("import {new_name}"),
        // The cell's other lines use the old name: it keeps it.
        (false, false) => format!("from {new_module} import {new_name} as {own}"),
        (false, true) => format!("import {new_name} as {own}"),
    };
    if import.names.len() == 1 {
        let change = Change::replace(cell, import, &renamed);
        return Some((renamed, change));
    }
    let others = import.names.iter().filter(|a| a.name.as_str() != name);
    let rest: Vec<&str> = others.map(|a| python.slice(a)).collect();
    let both = format!("from {module} import {}\n{renamed}", rest.join(", "));
    let indent = python.indent(python.line_of(import.start()));
    let both = both.replace('\n', &format!("\n{indent}"));
    Some((renamed, Change::replace(cell, import, both)))
}

/// Whether two names share a word: what has another name altogether may do something else.
pub fn related(old: &str, new: &str) -> bool {
    let (old, new) = (old.to_lowercase(), new.to_lowercase());
    let mut words = old.split('_').filter(|w| w.len() > 3);
    old == new || new.contains(&old) || words.any(|w| new.contains(w) && w != "load")
}

/// A function that became a method of a class, `new`: the class is imported, and the old name stands for the method.
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

/// The one `from … import` of the failing cell that fits; with frames, of the innermost own frame's cell.
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
