//! A name that a module without a table, such as Python's own, does not have: what notebooks usually import.

use crate::case::Case;
use crate::closest::closest;
use crate::edit::Change;
use crate::find::said;
use crate::from_import::{import_of, moved_import};
use crate::imports::{home_of, members_of};
use crate::techniques::libraries::{has_table, misspelt};
use nbmedic_facts::{Applicability, Cure};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    // What a library imports is not the person's line.
    if case.class() == "ImportError" && !case.in_library() {
        out.extend(by_convention(case));
    }
}

fn by_convention(case: &Case<'_>) -> Option<Cure> {
    let name = case.message().split_once("cannot import name '")?.1;
    let (name, _) = name.split_once('\'')?;
    let (cell, python, import) =
        import_of(case, |i| i.names.iter().any(|a| a.name.as_str() == name))?;
    let module = import.module.as_ref()?.as_str();
    if has_table(case, module) {
        return None;
    }
    if let Some(home) = home_of(name).filter(|h| *h != module) {
        // All that the line imports is there.
        let all = import.names.iter().all(|a| home_of(&a.name) == Some(home));
        if let Some(of) = import
            .module
            .as_ref()
            .filter(|_| all && import.names.len() > 1)
        {
            let said = said(
                "library-import",
                Applicability::Sure,
                format!("Import them from `{home}`"),
                format!("`{module}` has no `{name}`: it is in `{home}`, with the others."),
            );
            return case.edits(said, vec![Change::replace(cell, of, home)]);
        }
        let (text, change) = moved_import(cell, python, import, name, home, name)?;
        let said = said(
            "library-import",
            Applicability::Sure,
            format!("Replace it by `{text}`"),
            format!("`{module}` has no `{name}`: it is in `{home}`."),
        );
        return case.edits(said, vec![change]);
    }
    let new = closest(name, members_of(module))?;
    misspelt(case, cell, python, import, name, new, module)
}

#[cfg(test)]
mod tests {
    use crate::tests::{ipython, repaired};

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
