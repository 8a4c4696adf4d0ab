//! The user's own modules: in a different folder, changed since they were imported, imported relatively.

use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::said;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::Stmt;
use nbmedic_python::{each_expr, each_stmt, Cell};
use nbmedic_wordings::python;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    out.extend(match case.class() {
        "ModuleNotFoundError" => elsewhere(case, message),
        "ImportError" if python::RELATIVE_IMPORT.is_in(message) => relative(case),
        "ImportError" => changed(case, message),
        _ => None,
    });
}

/// The paths of Python files in the cells: in strings, and after `%%writefile`.
fn files(case: &Case<'_>) -> Vec<String> {
    let mut out = Vec::new();
    for cell in case.seen() {
        let Some(source) = case.book.cells().get(cell).map(|c| c.source) else {
            continue;
        };
        let head = source.lines().next().unwrap_or("");
        if head.starts_with("%%writefile") || head.starts_with("%%file") {
            out.extend(
                head.split_whitespace()
                    .last()
                    .filter(|p| p.ends_with(".py"))
                    .map(str::to_owned),
            );
        }
        let Some(python) = case.python(cell) else {
            continue;
        };
        each_expr(python.body(), &mut |e| {
            let text = e.as_string_literal_expr().map(|s| s.value.to_str());
            out.extend(
                text.filter(|t| t.ends_with(".py") && t.len() < 200)
                    .map(str::to_owned),
            );
        });
    }
    out
}

/// The failing import, as a whole statement.
fn import_at<'c>(case: &'c Case<'_>) -> Option<(usize, &'c Cell, &'c Stmt)> {
    let (cell, python, stmt) = case.here()?;
    matches!(stmt, Stmt::Import(_) | Stmt::ImportFrom(_)).then_some((cell, python, stmt))
}

/// A module in a folder that isn't on Python's path.
fn elsewhere(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [module] = python::NO_MODULE.read(message)?;
    let file = format!("{}.py", module.replace('.', "/"));
    let package = format!("{}/__init__.py", module.replace('.', "/"));
    let mut folders: Vec<String> = files(case)
        .iter()
        .filter_map(|path| {
            let folder = path
                .strip_suffix(&file)
                .or_else(|| path.strip_suffix(&package))?;
            let folder = folder.strip_suffix('/')?.trim_start_matches("./");
            (!folder.is_empty()).then(|| folder.to_owned())
        })
        .collect();
    folders.sort_unstable();
    folders.dedup();
    let [folder] = &folders[..] else { return None };
    let (cell, python, stmt) = import_at(case)?;
    let line = format!(
        "import sys\nsys.path.append({})",
        crate::find::quoted(folder)
    );
    case.edits(
        said(
            "module-folder",
            Basis::Source,
            format!("Let Python look in `{folder}`"),
            format!(
                "`{module}` is in the folder `{folder}`, where Python does not look for modules."
            ),
        ),
        vec![Editor::new(cell, python).above(stmt, &line)],
    )
}

/// One of the user's files that was changed after it was imported.
fn changed(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [name, module] = python::IMPORT_NAME.read(message)?;
    if module.is_empty() || python::UNKNOWN_LOCATION.is_in(message) {
        return None;
    }
    let file = message.rsplit_once('(')?.1.trim_end().strip_suffix(')')?;
    let installed =
        file.contains("-packages") || file.contains("/lib/python") || file.contains("\\Lib\\");
    if installed || python::CIRCULAR_IMPORT.is_in(message) {
        return None;
    }
    // It was imported before, so Python keeps the old version.
    let imported = case
        .book
        .before(case.at)
        .into_iter()
        .chain([case.at])
        .any(|cell| {
            let python = case.python(cell);
            let mut found = false;
            let mut of = |s: &Stmt| {
                found |= match s {
                    Stmt::Import(i) => i.names.iter().any(|a| a.name.as_str() == module),
                    Stmt::ImportFrom(i) => {
                        let it = i.module.as_ref().is_some_and(|m| m.as_str() == module);
                        it && !i.names.iter().any(|a| a.name.as_str() == name)
                    }
                    _ => false,
                };
            };
            if let Some(p) = python {
                each_stmt(p.body(), &mut of);
            }
            found
        });
    if !imported {
        return None;
    }
    let (cell, python, stmt) = import_at(case)?;
    let line = format!("import importlib\nimport {module}\nimportlib.reload({module})");
    case.edits(
        said(
            "reload-module",
            Basis::Assumed,
            format!("Reload `{module}`: `importlib.reload({module})`"),
            format!("It was imported before, and Python keeps what it read then. If `{name}` is still missing, {file} does not define it."),
        ),
        vec![Editor::new(cell, python).above(stmt, &line)],
    )
}

/// `from .tools import load`: a cell isn't in a package.
fn relative(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, stmt) = import_at(case)?;
    let import = stmt.as_import_from_stmt()?;
    let module = import.module.as_ref()?;
    let path = module.as_str();
    let file = format!("{}.py", path.replace('.', "/"));
    // Where the notebook wrote it, relative to the notebook's folder.
    let mut whole: Vec<String> = files(case)
        .iter()
        .map(|f| f.trim_start_matches("./"))
        .filter(|f| *f == file || f.ends_with(&format!("/{file}")))
        .map(|f| f.trim_end_matches(".py").replace('/', "."))
        .collect();
    whole.sort_unstable();
    whole.dedup();
    let new = match &whole[..] {
        [one] => one.clone(),
        _ => path.to_owned(),
    };
    let text = python.slice(stmt);
    let rest = text.split_once(" import ")?.1;
    case.edits(
        said(
            "absolute-import",
            Basis::Assumed,
            format!("Write `from {new} import {rest}`"),
            "A cell belongs to no package, so an import cannot begin with a dot. The path is that from the notebook's folder."
                .to_owned(),
        ),
        vec![Change::replace(cell, stmt, format!("from {new} import {rest}"))],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_first;

    #[test]
    fn python_looks_in_the_folder_of_a_module() {
        let cells = ["%%writefile lib/shop.py\nprice = 3", "import shop"];
        assert_eq!(
            repaired_first(&cells, "ModuleNotFoundError", "No module named 'shop'"),
            "import sys\nsys.path.append(\"lib\")\nimport shop"
        );
        let cells = ["%%writefile shop.py\nprice = 3", "import shops"];
        assert_eq!(
            repaired_first(&cells, "ModuleNotFoundError", "No module named 'shops'"),
            ""
        );
    }

    #[test]
    fn a_changed_file_is_read_anew() {
        let message = "cannot import name 'save' from 'tools' (/content/tools.py)";
        assert_eq!(
            repaired_first(
                &["from tools import load", "from tools import save"],
                "ImportError",
                message
            ),
            "import importlib\nimport tools\nimportlib.reload(tools)\nfrom tools import save"
        );
        assert_eq!(
            repaired_first(&["x = 1", "from tools import save"], "ImportError", message),
            ""
        );
    }

    #[test]
    fn an_import_in_a_cell_is_absolute() {
        let cells = [
            "open('src/io/files.py', 'w').write('a = 1')",
            "from .io.files import a",
        ];
        let message = "attempted relative import with no known parent package";
        assert_eq!(
            repaired_first(&cells, "ImportError", message),
            "from src.io.files import a"
        );
    }
}
