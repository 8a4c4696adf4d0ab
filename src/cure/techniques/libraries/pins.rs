//! The last release with what a newer one removed, for code that is not the person's to change.

use super::library::{called, library, Library};
use crate::case::Case;
use crate::techniques::install;
use nbmedic_catalog::renamed_names;
use nbmedic_facts::{Basis, Cure, FixKind, Owner};
use nbmedic_libraries::{library_of_module, names, text, Gone, Table};
use nbmedic_wordings::python;

/// How many releases back a pin may go: older ones have no builds for a Python of today.
const RECENT: usize = 7;

/// Installs the release before the one that removed the name or argument of the message.
pub(super) fn pin(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    match case.class() {
        "AttributeError" => {
            let [module, name] = python::MODULE_ATTRIBUTE.read(message)?;
            of_name(case, module, name)
        }
        "ImportError" => {
            let [name, module] = python::IMPORT_NAME.read(message)?;
            of_name(case, module, name)
        }
        "TypeError" => {
            let [argument] = python::UNEXPECTED_ARGUMENT.read(message)?;
            let (class, _) = message.split_once(".__init__()")?;
            of_argument(case, class.rsplit([' ', '.']).next()?, argument)
        }
        _ => None,
    }
}

fn of_name(case: &Case<'_>, module: &str, name: &str) -> Option<Cure> {
    let library = library(case, module)?;
    let path = format!("{module}.{name}");
    let gone = library.table.find(&path)?.gone_in(library.release)?;
    cure(case, &library.table, gone, name, &format!("`{path}`"))
}

/// An argument that a class of one library alone had.
fn of_argument(case: &Case<'_>, class: &str, argument: &str) -> Option<Cure> {
    let line = format!("c{class} ");
    let texts = names().iter().filter_map(|n| text(n));
    let tables = texts.filter(|t| t.contains(&line) && t.contains(argument));
    let mut having = tables.filter_map(|t| {
        let table = Table::parse(t).ok()?;
        let path = (*table.classes(class).first()?).to_owned();
        table.param(&path, argument)?;
        Some(path)
    });
    let path = having.next()?;
    if having.next().is_some() {
        return None;
    }
    let Library { table, release, .. } = library(case, &path)?;
    let now = table.params(&path, release)?;
    let (_, gone) = table.param(&path, argument)?;
    let gone = gone.filter(|_| now.iter().all(|p| p.name != argument))?;
    let what = format!("`{argument}=` of `{class}`");
    cure(case, &table, gone, argument, &what)
}

fn cure(case: &Case<'_>, table: &Table, gone: Gone<'_>, name: &str, what: &str) -> Option<Cure> {
    let back = table.versions().count() - table.versions().position(|v| v == gone.last)?;
    // NumPy 1 and what was built for it end with Python 3.12.
    let python = case.setting().and_then(|s| s.version("python"));
    let minor = python.and_then(|v| v.strip_prefix("3.")?.parse::<u32>().ok());
    let lost = gone.last.starts_with("1.2") && table.library() == "numpy";
    if back > RECENT || lost && minor.is_some_and(|m| m > 12) {
        return None;
    }
    let package = match table.library() {
        "opencv-python-headless" => "opencv-python",
        name => name,
    };
    let pin = match gone.exact {
        true => format!("{package}<{}", gone.first_without),
        false => format!("{package}=={}.*", gone.last),
    };
    let lib = called(table.library());
    let new = renamed_names().iter().find(|r| {
        r.old == name && !r.new.is_empty() && library_of_module(r.library) == Some(table.library())
    });
    // In one's own line the new name is better than an old release.
    if new.is_some() && case.setting().and_then(|s| s.owner) == Some(Owner::Own) {
        return None;
    }
    let new = new.map_or(String::new(), |r| format!(" `{}` took its place.", r.new));
    let by = if gone.exact { "in" } else { "by" };
    let (code, language) = install::command(case, &pin);
    Some(Cure {
        id: "last-release-with-it".into(),
        kind: FixKind::Install,
        basis: Basis::Assumed,
        title: format!("Install {pin}: {lib} {} no longer has {what}", gone.first_without),
        why: format!("{what} was removed {by} {lib} {}; {} is the last release with it.{new} If a package uses it, first look for a newer release of that package that no longer does. Restart Python afterwards.", gone.first_without, gone.last),
        code,
        language: language.into(),
        ..Cure::default()
    })
}
