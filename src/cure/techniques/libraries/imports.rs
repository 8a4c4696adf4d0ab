//! Names and modules that an import can't find.

use super::library::{called, close, libraries, library, newer, Library};
use crate::case::Case;
use crate::closest::near;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{look, missing_name, said};
use crate::from_import::{import_of, moved_imports};
use nbmedic_facts::{Basis, Cure};
use nbmedic_libraries::Kind;
use nbmedic_python::ast::{Alias, Stmt, StmtImportFrom};
use nbmedic_python::{each_stmt, Cell};
use nbmedic_wordings::python;

/// `cannot import name 'x' from 'y'`.
pub(super) fn name(case: &Case<'_>) -> Option<Cure> {
    // An import within the library isn't the user's line.
    if case.in_library() {
        return None;
    }
    let [name, _] = python::IMPORT_NAME.read(case.message())?;
    let (cell, python, import) =
        import_of(case, |i| i.names.iter().any(|a| a.name.as_str() == name))?;
    let module = import.module.as_ref()?.as_str();
    let library = library(case, module)?;
    let (table, release) = (&library.table, library.release);
    let path = format!("{module}.{name}");
    let known = table.find(&path);
    if let Some(n) = &known {
        let later = n.is_in(release) && !library.certain || n.gone_in(release).is_none();
        if later {
            return newer(case, &library, &path, n.since()?);
        }
    }
    let gone = known.as_ref().and_then(|n| n.gone_in(release));
    let went = gone.map(|g| {
        format!(
            "`{path}` went in {} {}",
            called(table.library()),
            g.first_without
        )
    });
    if let Some(new) = home(&library, module, name) {
        let (new_module, _) = new.rsplit_once('.')?;
        // What else of the line is not there fails next.
        let gone = |a: &&Alias| {
            let path = format!("{module}.{}", a.name);
            !table.find(&path).is_some_and(|n| n.is_in(release))
        };
        let gone: Vec<&Alias> = import.names.iter().filter(gone).collect();
        let homes = gone
            .iter()
            .filter_map(|a| Some((a.name.as_str(), home(&library, module, a.name.as_str())?)));
        let homes: Vec<(&str, String)> = homes.collect();
        let moved: Vec<(&str, &str, &str)> = homes
            .iter()
            .filter_map(|(old, path)| {
                let (home, new) = path.rsplit_once('.')?;
                Some((*old, home, new))
            })
            .collect();
        let basis = match moved.len() == gone.len() {
            true => Basis::Library,
            false => Basis::Assumed,
        };
        let (text, change) = moved_imports(cell, python, import, &moved)?;
        let why = match went {
            Some(went) => format!("{went}: it is in `{new_module}`."),
            None => format!("`{module}` has no `{name}`: it is in `{new_module}`."),
        };
        let title = format!("Replace it by `{}`", text.replace('\n', "` and `"));
        let said = said("library-import", basis, title, why);
        return case.edits(said, vec![change]);
    }
    if let Some(went) = went {
        let last = gone?.last;
        return Some(look(
            "library-name-gone",
            format!("Replace `{name}`: {} removed it", called(table.library())),
            format!("{went}; {last} was the last release with it."),
        ));
    }
    let new = close(&library, module, name)?;
    misspelt(case, cell, python, import, name, new, module)
}

/// Where else a library has a name of one of its modules; of several places the one with the shortest path, if there is one.
fn home(library: &Library, module: &str, name: &str) -> Option<String> {
    let moved = library.table.moved(module, name, library.release);
    let depth = |p: &String| p.matches('.').count();
    match &moved[..] {
        [one] => Some(one.clone()),
        [one, two, ..] if depth(one) < depth(two) => Some(one.clone()),
        _ => None,
    }
}

/// Corrects a name to the library's spelling throughout the cell.
pub(crate) fn misspelt(
    case: &Case<'_>,
    cell: usize,
    python: &Cell,
    import: &StmtImportFrom,
    name: &str,
    new: &str,
    module: &str,
) -> Option<Cure> {
    let alias = import.names.iter().find(|a| a.name.as_str() == name)?;
    let used = |at: usize| {
        case.python(at)
            .is_some_and(|p| p.names().needs().contains(&name))
    };
    let own = alias.asname.is_none();
    // Other cells use the wrong name, so keep it as an alias.
    let elsewhere = own && (0..case.book.cells().len()).any(|at| at != cell && used(at));
    let mut changes = vec![Change::replace(
        cell,
        &alias.name,
        match elsewhere {
            true => format!("{new} as {name}"),
            false => new.to_owned(),
        },
    )];
    if own && !elsewhere {
        nbmedic_python::each_expr(python.body(), &mut |e| {
            if e.as_name_expr().is_some_and(|n| n.id.as_str() == name) {
                changes.push(Change::replace(cell, e, new));
            }
        });
    }
    case.edits(
        said(
            "library-import",
            Basis::Assumed,
            format!("Import `{new}` instead of `{name}`"),
            format!("`{module}` has no `{name}`; `{new}` is the closest of its names."),
        ),
        changes,
    )
}

/// `No module named 'sklearn.preprocesing'`: a submodule of an installed library.
pub(super) fn module(case: &Case<'_>) -> Option<Cure> {
    if case.in_library() {
        return None;
    }
    let [gone] = python::NO_MODULE.read(case.message())?;
    let (scope, last) = gone.rsplit_once('.')?;
    let library = library(case, gone)?;
    let (table, release) = (&library.table, library.release);
    let cell = case.innermost().map_or(case.at, |f| f.cell);
    let python = case.python(cell)?;
    let mut found = None;
    let mut whole = None;
    each_stmt(python.body(), &mut |s| match s {
        Stmt::ImportFrom(i) if i.module.as_ref().is_some_and(|m| m.as_str() == gone) => {
            found = Some(i);
        }
        Stmt::Import(i) => whole = whole.or(i.names.iter().find(|a| a.name.as_str() == gone)),
        _ => {}
    });
    if let Some(alias) = whole {
        // Without an alias, the cells use the wrong path too.
        alias.asname.as_ref()?;
        let new = close(&library, scope, last)?;
        let basis = match near(last, new) {
            Some(0 | 1) if last.len() > 4 => Basis::Spelled,
            _ => Basis::Alike,
        };
        return case.edits(
            said(
                "library-import",
                basis,
                format!("Import `{scope}.{new}`"),
                format!("`{scope}` has no `{last}`; `{new}` is the closest of its modules."),
            ),
            vec![Change::replace(cell, &alias.name, format!("{scope}.{new}"))],
        );
    }
    let import = found?;
    let at = import.module.as_ref()?;
    // The module that has the imported names.
    let names: Vec<&str> = import.names.iter().map(|a| a.name.as_str()).collect();
    let has = |module: &str| {
        names.iter().all(|n| {
            let path = format!("{module}.{n}");
            table.find(&path).is_some_and(|n| n.is_in(release))
        })
    };
    let moved = table.moved(gone, names.first()?, release);
    let homes = moved
        .iter()
        .filter_map(|p| p.rsplit_once('.'))
        .map(|(m, _)| m.to_owned());
    let mut homes: Vec<String> = homes.filter(|m| has(m)).collect();
    let close: Vec<String> = table
        .closest(scope, last, release)
        .into_iter()
        .map(|(n, _)| format!("{scope}.{n}"))
        .filter(|m| has(m))
        .collect();
    if let [one] = &close[..] {
        homes = vec![one.clone()];
    }
    let home = homes.first()?;
    let depth = |p: &String| p.matches('.').count();
    if homes.iter().skip(1).any(|h| depth(h) == depth(home)) {
        return None;
    }
    let list: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    case.edits(
        said(
            "library-import",
            Basis::Library,
            format!("Import from `{home}`"),
            format!(
                "{} has no `{gone}`: {} is in `{home}`.",
                called(table.library()),
                list.join(", ")
            ),
        ),
        vec![Change::replace(cell, at, home.as_str())],
    )
}

/// A class or function found in exactly one place in a library that the notebook imports: adds the
/// import.
pub(super) fn unknown_name(case: &Case<'_>) -> Option<Cure> {
    let name = missing_name(case.message())?;
    if name.len() < 5 || case.imports_star() {
        return None;
    }
    let found: Vec<(String, Kind)> = libraries(case)
        .flat_map(|l| {
            let all = l.table.moved("", name, l.release).into_iter();
            let kind = |p: String| {
                let kind = l.table.find(&p)?.kind();
                Some((p, kind))
            };
            all.filter_map(kind).collect::<Vec<_>>()
        })
        .collect();
    let (path, kind) = found.first()?;
    // Common variable names don't count as a library's.
    let typical = *kind == Kind::Class
        && name.contains(char::is_uppercase)
        && !name.chars().all(char::is_uppercase)
        || name.contains('_') && name.len() > 8;
    let depth = |p: &str| p.matches('.').count();
    if !typical || found.iter().skip(1).any(|(p, _)| depth(p) <= depth(path)) {
        return None;
    }
    let (module, _) = path.rsplit_once('.')?;
    let python = case.python(case.at)?;
    let line = format!("from {module} import {name}");
    case.edits(
        said(
            "missing-import",
            Basis::Assumed,
            format!("Add `{line}`"),
            format!("No cell sets `{name}`; `{module}` has it."),
        ),
        vec![Editor::new(case.at, python).import(&line)],
    )
}
