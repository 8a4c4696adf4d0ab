//! Inserts lines at the top of a cell, where its imports go.

use crate::change::Change;
use nbmedic_python::ast::Stmt;
use nbmedic_python::{Cell, Ranged, TextRange};

/// The last line (from 1) of a cell's magics, docstring and `from __future__` imports, above which
/// no import may go. 0 if there are none.
fn head(python: &Cell) -> u32 {
    let mut after = 0;
    for (i, stmt) in python.body().iter().enumerate() {
        let head = match stmt {
            Stmt::IpyEscapeCommand(_) => true,
            Stmt::ImportFrom(f) => f
                .module
                .as_ref()
                .is_some_and(|m| m.as_str() == "__future__"),
            Stmt::Expr(e) => i == 0 && e.value.is_string_literal_expr(),
            _ => false,
        };
        if !head {
            break;
        }
        after = python.line_of(stmt.end());
    }
    if python.text().trim_start().starts_with("%%") && after == 0 {
        after = 1;
    }
    after
}

/// The contents of an import, independent of its formatting: module, name, alias.
fn brings(stmt: &Stmt) -> Option<Vec<(String, String, String)>> {
    let text = |name: Option<&nbmedic_python::ast::Identifier>| {
        name.map_or(String::new(), |n| n.as_str().to_owned())
    };
    let all = |module: String, names: &[nbmedic_python::ast::Alias]| {
        let one = |a: &nbmedic_python::ast::Alias| {
            let name = a.name.as_str().to_owned();
            (module.clone(), name, text(a.asname.as_ref()))
        };
        names.iter().map(one).collect()
    };
    match stmt {
        Stmt::Import(i) => Some(all(String::new(), &i.names)),
        Stmt::ImportFrom(i) => Some(all(text(i.module.as_ref()), &i.names)),
        _ => None,
    }
}

/// Inserts lines among a cell's imports: below magics, a docstring and `from __future__` imports,
/// and below the assignments of names that the lines read. Imports that already exist are dropped;
/// if no line is left, nothing is inserted.
pub fn at_top(cell: usize, python: &Cell, lines: &str) -> Change {
    let Some(new) = Cell::read(lines) else {
        return Change::replace(cell, TextRange::default(), "");
    };
    let names = new.names();
    let sets = |name: &str| names.sets(name).next().is_some();
    // The first statement that reads names set by the lines.
    let own = python.names();
    let used = own.uses.iter().filter(|u| !u.deferred && sets(u.name));
    let used = used.map(|u| u.at.start()).min();
    let above = python
        .body()
        .iter()
        .take_while(|s| used.is_none_or(|u| s.end() <= u));
    let there: Vec<_> = above.clone().filter_map(brings).flatten().collect();
    let known = |s: &&Stmt| {
        brings(s).is_some_and(|all| !all.is_empty() && all.iter().all(|b| there.contains(b)))
    };
    let text: String = new
        .body()
        .iter()
        .filter(|s| !known(s))
        .map(|s| format!("{}\n", new.slice(s)))
        .collect();
    if text.is_empty() {
        return Change::replace(cell, TextRange::default(), "");
    }
    let reads = names.needs();
    // Each name exists below the first statement that sets it.
    let below = reads.iter().filter_map(|name| {
        let mut setters = above.clone().filter(|s| {
            let mut all = own.sets(name);
            all.any(|b| s.range().contains_range(b.at))
        });
        setters.next().map(|s| python.line_of(s.end()))
    });
    let below = below.max().unwrap_or(0);
    let after = head(python).max(below);
    let at = python.line_range(after + 1);
    // The head may be the whole cell, without a final newline.
    let text = if after as usize >= python.line_count() {
        format!("\n{}", text.trim_end())
    } else {
        text
    };
    Change::replace(cell, TextRange::empty(at.start()), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stand_below_what_they_read_and_no_import_comes_twice() {
        let put = |source: &str, lines: &str| {
            let python = Cell::read(source).expect("Python");
            let change = at_top(0, &python, lines);
            let mut out = source.to_owned();
            out.insert_str(change.range.start().to_usize(), &change.text);
            out
        };
        assert_eq!(
            put(
                "import torch\nx = x.to(device)\n",
                "device = torch.device('cpu')"
            ),
            "import torch\ndevice = torch.device('cpu')\nx = x.to(device)\n"
        );
        assert_eq!(
            put("%%time\nx = np.ones(3)", "import numpy as np"),
            "%%time\nimport numpy as np\nx = np.ones(3)"
        );
        let there = "import numpy as np\nx = np.ones(3)";
        assert_eq!(put(there, "import numpy as np"), there);
        assert_eq!(
            put("x = os.sep\nimport os", "import os"),
            "import os\nx = os.sep\nimport os"
        );
        // The names are set above the first line that reads them, even though their module is
        // imported later.
        assert_eq!(
            put("print(a)\nimport b", "a = b.c"),
            "a = b.c\nprint(a)\nimport b"
        );
    }
}
