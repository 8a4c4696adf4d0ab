//! Names missing from a module without a table, such as Python's own: what notebooks usually import instead.

use crate::case::Case;
use crate::closest::{closest, near};
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{missing_name, said};
use crate::from_import::{import_of, moved_import};
use crate::imports::{home_of, import_of as usual_import, members_of, module_meant};
use crate::known::is_builtin;
use crate::techniques::libraries::{has_member, has_table, misspelt};
use nbmedic_facts::{Basis, Cure};
use nbmedic_libraries::listed;
use nbmedic_python::ast::Stmt;
use nbmedic_python::{each_expr, each_stmt, Cell, Ranged, TextRange, TextSize};
use nbmedic_wordings::python;

/// A name that conventionally comes from another module. An import within a library isn't the
/// user's line.
pub(crate) fn by_convention(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "ImportError" && !case.in_library() {
        out.extend(from_another(case));
    }
}

/// A name from a module of which other names are imported.
pub(crate) fn beside(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "NameError" && !case.imports_star() {
        out.extend(missing_name(case.message()).and_then(|name| of_their_module(case, name)));
    }
}

/// A module that was moved or is misspelled.
pub(crate) fn module(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "ModuleNotFoundError" && !case.in_library() {
        out.extend(moved_module(case).or_else(|| misspelt_module(case)));
    }
}

/// A name of a module from which the notebook imports others: `from scipy.fft import rfft`, then `rfftfreq(…)`.
fn of_their_module(case: &Case<'_>, name: &str) -> Option<Cure> {
    let python = case.python(case.at)?;
    let mut homes: Vec<String> = Vec::new();
    for cell in case.seen() {
        let body = case.python(cell).map_or(&[][..], Cell::body);
        for import in body.iter().filter_map(|s| s.as_import_from_stmt()) {
            let Some(module) = import.module.as_ref().filter(|_| import.level == 0) else {
                continue;
            };
            let known = has_member(case, module, name) || members_of(module).contains(&name);
            if known && !homes.contains(&module.to_string()) {
                homes.push(module.to_string());
            }
        }
    }
    let [module] = &homes[..] else { return None };
    // It has to have what the cell reads of it: a list's `append` is none of a function's.
    let whole = format!("{module}.{name}");
    let mut lacks = false;
    each_expr(python.body(), &mut |e| {
        let read = e.as_attribute_expr();
        let read = read.filter(|a| crate::find::name(&a.value) == Some(name));
        lacks |= read.is_some_and(|a| !has_member(case, &whole, a.attr.as_str()));
    });
    if lacks && has_table(case, module) {
        return None;
    }
    let line = format!("from {module} import {name}");
    case.edits(
        said(
            "missing-import",
            Basis::Library,
            format!("Add `{line}`"),
            format!(
                "No cell sets `{name}`, and `{module}`, from which the notebook imports, has it."
            ),
        ),
        vec![Editor::new(case.at, python).import(&line)],
    )
}

/// The module that isn't there, where the message says no more.
fn missing_module<'c>(case: &'c Case<'_>) -> Option<&'c str> {
    let message = case.message();
    let alone = python::NO_MODULE.begins(message) && message.ends_with('\'');
    let [module] = python::NO_MODULE.read(message).filter(|_| alone)?;
    Some(module)
}

/// `import Image`: formerly a top-level module, now part of a package.
fn moved_module(case: &Case<'_>) -> Option<Cure> {
    let wrong = missing_module(case)?;
    let usual = usual_import(case, wrong)?;
    let home = usual.strip_prefix("from ")?.split_once(" import ")?.0;
    let cell = case.innermost().map_or(case.at, |f| f.cell);
    let python = case.python(cell)?;
    let mut found = None;
    each_stmt(python.body(), &mut |s| {
        let import = s
            .as_import_stmt()
            .filter(|i| i.names.iter().any(|a| &*a.name == wrong));
        let plain = import.filter(|i| i.names.iter().all(|a| !a.name.contains('.')));
        found = found.or(plain);
    });
    let import = found?;
    let names: Vec<&str> = import.names.iter().map(|a| python.slice(a)).collect();
    let text = format!("from {home} import {}", names.join(", "));
    case.edits(
        said(
            "library-import",
            Basis::Assumed,
            format!("Replace it by `{text}`"),
            format!("There is no module `{wrong}` of its own; `{home}` has it."),
        ),
        vec![Change::replace(cell, import, text)],
    )
}

/// `import pnadas as pd`.
fn misspelt_module(case: &Case<'_>) -> Option<Cure> {
    let wrong = missing_module(case)?;
    if wrong.contains('.') || wrong.len() < 3 || listed(wrong).is_some() {
        return None;
    }
    let of = |path: &str| path.split('.').next() == Some(wrong);
    let cell = case.innermost().map_or(case.at, |f| f.cell);
    let python = case.python(cell)?;
    let mut found: Vec<(TextRange, Option<&str>, bool)> = Vec::new();
    each_stmt(python.body(), &mut |s| match s {
        Stmt::Import(i) => found.extend(i.names.iter().filter(|a| of(&a.name)).map(|a| {
            let alias = a.asname.as_ref().map(|n| n.as_str());
            (a.name.range(), alias, alias.is_none())
        })),
        Stmt::ImportFrom(i) => {
            let module = i.module.as_ref().filter(|m| i.level == 0 && of(m));
            found.extend(module.map(|m| (m.range(), None, false)));
        }
        _ => {}
    });
    let (_, alias, _) = *found.first()?;
    let right = module_meant(wrong, alias)?;
    let start = |r: &TextRange| TextRange::at(r.start(), TextSize::of(wrong));
    let imports = found
        .iter()
        .map(|(r, ..)| Change::replace(cell, start(r), right));
    let mut changes: Vec<Change> = imports.collect();
    // Without an alias, uses in the cells have the wrong name too.
    for at in (0..case.book.cells().len()).filter(|_| found.iter().any(|f| f.2)) {
        let uses = case.python(at).map(|p| p.names().uses).unwrap_or_default();
        let uses = uses.iter().filter(|u| u.name == wrong);
        changes.extend(uses.map(|u| Change::replace(at, u.at, right)));
    }
    let sure = near(wrong, right).is_some_and(|d| d < 3) && wrong.len() > 4;
    let basis = if sure { Basis::Spelled } else { Basis::Alike };
    case.edits(
        said(
            "misspelt-module",
            basis,
            format!("Write `{right}` for `{wrong}`"),
            format!("No package is called `{wrong}`; `{right}` is."),
        ),
        changes,
    )
}

fn from_another(case: &Case<'_>) -> Option<Cure> {
    let [name, _] = python::IMPORT_NAME.read(case.message())?;
    let (cell, python, import) =
        import_of(case, |i| i.names.iter().any(|a| a.name.as_str() == name))?;
    let module = import.module.as_ref()?.as_str();
    if has_table(case, module) {
        return None;
    }
    if let Some(home) = home_of(name).filter(|h| *h != module) {
        // The module has all imported names.
        let all = import.names.iter().all(|a| home_of(&a.name) == Some(home));
        if let Some(of) = import
            .module
            .as_ref()
            .filter(|_| all && import.names.len() > 1)
        {
            let said = said(
                "library-import",
                Basis::Library,
                format!("Import them from `{home}`"),
                format!("`{module}` has no `{name}`: it is in `{home}`, with the others."),
            );
            return case.edits(said, vec![Change::replace(cell, of, home)]);
        }
        let (text, change) = moved_import(cell, python, import, name, home, name)?;
        let said = said(
            "library-import",
            Basis::Library,
            format!("Replace it by `{text}`"),
            format!("`{module}` has no `{name}`: it is in `{home}`."),
        );
        return case.edits(said, vec![change]);
    }
    // The undefined names in the cells are those that should have been imported.
    let unset =
        |n: &&str| !is_builtin(n) && case.last_set(n).is_none() && case.set_elsewhere(n).is_empty();
    let read = (0..case.book.cells().len()).filter_map(|at| case.python(at));
    let read: Vec<&str> = read.flat_map(|p| p.names().needs()).filter(unset).collect();
    let new = closest(name, members_of(module)).or_else(|| closest(name, read))?;
    misspelt(case, cell, python, import, name, new, module)
}

#[cfg(test)]
mod tests {
    use crate::tests::{ipython, repaired};

    #[test]
    fn a_misspelt_module_is_the_nearest_or_that_of_its_alias() {
        let fixed = |cells: &[&str], wrong: &str| {
            let line = cells[cells.len() - 1].lines().next().unwrap_or("");
            let count = i64::try_from(cells.len()).unwrap_or(0);
            let message = format!("No module named '{wrong}'");
            repaired(
                cells,
                &ipython("ModuleNotFoundError", &[(count, 1, line)], &message),
            )
        };
        assert_eq!(
            fixed(&["import pnadas as pd"], "pnadas"),
            "import pandas as pd"
        );
        assert_eq!(
            fixed(&["import matplotlb.pyplot as plt"], "matplotlb"),
            "import matplotlib.pyplot as plt"
        );
        assert_eq!(
            fixed(&["import jsom\nx = jsom.loads(t)"], "jsom"),
            "import json\nx = json.loads(t)"
        );
        assert_eq!(fixed(&["import my_helpers"], "my_helpers"), "");
    }

    #[test]
    fn a_module_that_is_a_packages_now_comes_from_there() {
        let code = "import Image, ImageDraw\nim = Image.open(path)";
        let frames = [(1, 1, "import Image, ImageDraw")];
        let error = ipython("ModuleNotFoundError", &frames, "No module named 'Image'");
        assert_eq!(
            repaired(&[code], &error),
            "from PIL import Image, ImageDraw\nim = Image.open(path)"
        );
    }

    #[test]
    fn what_is_imported_has_what_is_read_of_it() {
        let fixed = |code: &str, name: &str| {
            let cells = ["from torch import nn, optim", code];
            let message = format!("name '{name}' is not defined");
            repaired(&cells, &ipython("NameError", &[(2, 1, code)], &message))
        };
        assert_eq!(
            fixed("x = arange(3)", "arange"),
            "from torch import arange\nx = arange(3)"
        );
        assert_eq!(fixed("log.append(3)", "log"), "");
    }

    #[test]
    fn a_misspelt_import_is_what_the_cells_read() {
        let fixed = |code: &str| {
            let line = code.lines().next().unwrap_or("");
            let message =
                "cannot import name 'Proportions_test' from 'statistics_of.tests' (tests.py)";
            repaired(&[code], &ipython("ImportError", &[(1, 1, line)], message))
        };
        let wrong = "from statistics_of.tests import Proportions_test";
        assert_eq!(
            fixed(&format!("{wrong}\nz = proportions_test(1, 2)")),
            "from statistics_of.tests import proportions_test\nz = proportions_test(1, 2)"
        );
        assert_eq!(fixed(wrong), "");
    }

    #[test]
    fn names_of_pythons_own_modules_are_known() {
        let fixed = |line: &str, message: &str| {
            repaired(
                &[line],
                &ipython(
                    "ImportError",
                    &[(1, 1, line.lines().next().unwrap_or(""))],
                    message,
                ),
            )
        };
        let of = |name: &str, module: &str| {
            format!("cannot import name '{name}' from '{module}' (x.py)")
        };
        let line = "from collections import Counnter, deque\nc = Counnter('a')";
        assert_eq!(
            fixed(line, &of("Counnter", "collections")),
            "from collections import Counter, deque\nc = Counter('a')"
        );
        assert_eq!(
            fixed(
                "from itertools import deque, namedtuple",
                &of("deque", "itertools")
            ),
            "from collections import deque, namedtuple"
        );
        assert_eq!(
            fixed("from typing import dataclass", &of("dataclass", "typing")),
            "from dataclasses import dataclass"
        );
        assert_eq!(
            fixed(
                "from collections import nothing",
                &of("nothing", "collections")
            ),
            ""
        );
    }
}
