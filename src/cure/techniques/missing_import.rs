//! Conventional imports that the notebook lacks.

use super::run_cell::others;
use crate::case::Case;
use crate::closest::near;
use crate::code::Editor;
use crate::edit::Said;
use crate::find::{self, missing_name, Spot};
use crate::imports::{import_in, import_of, is_member};
use crate::known::is_builtin;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::BindKind;

/// Maximum number of imports added at once.
const MAX_IMPORTS: usize = 8;

/// Frameworks rarely used together.
const FRAMEWORKS: &[&str] = &[
    "tensorflow",
    "keras",
    "torch",
    "transformers",
    "tokenizers",
    "jax",
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() != "NameError" {
        return;
    }
    let Some(name) = missing_name(case.message()) else {
        return;
    };
    let Some(import) = import_of(case, name) else {
        return;
    };
    // A called name is Python's own type: `Dict()` from `typing` can't be called.
    let called = |s: &Spot<'_>| s.calls().any(|c| find::name(&c.func) == Some(name));
    let typing = import.starts_with("from typing ") && is_builtin(&name.to_lowercase());
    if typing && case.spot().is_some_and(|s| called(&s)) {
        return;
    }
    let Some(python) = case.python(case.at) else {
        return;
    };
    let mut imports = vec![import.clone()];
    // Where a name of a module is missing, another one of it was imported with it, whatever it could be elsewhere.
    let module = import
        .strip_prefix("from ")
        .and_then(|i| i.split_once(" import "));
    let module = module.map(|(m, _)| m);
    let beside = |need: &str| {
        let of = module.filter(|m| is_member(m, need))?;
        Some(format!("from {of} import {need}"))
    };
    // Names from a star import, or read later by a function, are unknown.
    if !case.imports_star() {
        let names = python.names();
        for need in names.needs() {
            let known = is_builtin(need) || need == name || case.exists(need);
            if known || imports.len() >= MAX_IMPORTS || !case.set_elsewhere(need).is_empty() {
                continue;
            }
            let other = import_of(case, need).or_else(|| beside(need));
            imports.extend(other.filter(|i| !imports.contains(i)));
        }
    }
    let own = imports.len();
    // Other names that later cells need from the same module are missing too.
    for at in case.at + 1..case.book.cells().len() {
        let Some(below) = case.python(at).filter(|_| !case.imports_star()) else {
            continue;
        };
        for need in below.names().needs() {
            let known = is_builtin(need) || need == name || case.exists(need);
            if known || imports.len() >= MAX_IMPORTS || !case.set_elsewhere(need).is_empty() {
                continue;
            }
            let of = |i: &String| {
                let from = i
                    .strip_prefix("from ")
                    .and_then(|i| i.split_once(" import "));
                module.is_some() && from.map(|(m, _)| m) == module
            };
            let other = import_in(case, &[at], need)
                .filter(of)
                .or_else(|| beside(need));
            imports.extend(other.filter(|i| !imports.contains(i)));
        }
    }
    let whose = match imports.len() > own {
        true => "this notebook",
        false => "this cell",
    };
    let shown = import.lines().last().unwrap_or(&import);
    let (title, why) = match imports.len() {
        1 => (
            format!("Add `{shown}`"),
            format!("No cell that ran imports `{name}`. The import can also stand in the first cell, with the others."),
        ),
        n => (
            format!("Add `{shown}` and {} that {whose} needs", count(n - 1)),
            format!("No cell that ran imports `{name}` and what else {whose} needs. The imports can also stand in the first cell."),
        ),
    };
    // `Tokenizer` in a notebook that uses another framework is probably a different one.
    let of = FRAMEWORKS
        .iter()
        .find(|f| import.contains(&format!(" {f}.")));
    let foreign = of.is_some_and(|of| {
        let mut rest = FRAMEWORKS.iter().filter(|f| *f != of);
        !case.imports(of) && rest.any(|f| case.imports(f))
    });
    let said = Said {
        id: "missing-import",
        basis: match foreign || is_nearly_set(case, name) {
            true => Basis::Assumed,
            false => Basis::Library,
        },
        title,
        why,
    };
    let change = Editor::new(case.at, python).import(&imports.join("\n"));
    let cure = case.edits(said, vec![change]);
    out.extend(cure.map(|mut cure| {
        // Other names that the cell reads, set by a cell that hasn't run.
        let (cells, _) = others(case, name);
        let mut run: Vec<usize> = cells.iter().map(|c| case.position(*c)).collect();
        run.sort_unstable();
        if !run.is_empty() {
            let list: Vec<String> = run.iter().map(usize::to_string).collect();
            let word = if run.len() == 1 { "cell" } else { "cells" };
            cure.title += &format!(", and run {word} {}", list.join(", "));
            cure.why +=
                " The cell also needs what these set, and they have not run in this kernel.";
            run.push(case.position(case.at));
            cure.run = run;
        }
        cure
    }));
}

/// Whether a name may be another one that is set, misspelt: what a module has is not read from it.
fn is_nearly_set(case: &Case<'_>, name: &str) -> bool {
    let Some(spot) = case.spot() else {
        return false;
    };
    let members = spot.exprs.iter().filter_map(|e| e.as_attribute_expr());
    let mut of_module = members.filter(|a| find::name(&a.value) == Some(name));
    let capital = |n: &str| n.starts_with(char::is_uppercase);
    let own = |n: &str| {
        let set = case.last_set(n);
        set.is_none_or(|s| s.binding.kind != BindKind::Import) && !is_builtin(n)
    };
    let known = case.names_at(&spot);
    let mut alike = known.iter().filter(|n| capital(n) == capital(name));
    of_module.next().is_none() && alike.any(|n| near(name, n).is_some_and(|d| d < 2) && own(n))
}

fn count(n: usize) -> String {
    match n {
        1 => "one more import".to_owned(),
        n => format!("{n} more imports"),
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired};
    use crate::{cures, Book, BookCell, Case};
    use nbmedic_facts::Applicability;

    fn undefined(cells: &[&str], line: u32, name: &str) -> String {
        let count = i64::try_from(cells.len()).unwrap();
        let code = cells.last().and_then(|c| c.lines().nth(line as usize - 1));
        let error = ipython(
            "NameError",
            &[(count, line, code.unwrap())],
            &format!("name '{name}' is not defined"),
        );
        repaired(cells, &error)
    }

    #[test]
    fn an_import_goes_to_the_top_below_magics() {
        assert_eq!(
            undefined(&["%matplotlib inline\nx = np.zeros(3)"], 2, "np"),
            "%matplotlib inline\nimport numpy as np\nx = np.zeros(3)"
        );
        assert_eq!(
            undefined(&["%%time\nx = np.zeros(3)"], 2, "np"),
            "%%time\nimport numpy as np\nx = np.zeros(3)"
        );
        assert_eq!(
            undefined(&["sc = StandardScaler()"], 1, "StandardScaler"),
            "from sklearn.preprocessing import StandardScaler\nsc = StandardScaler()"
        );
    }

    #[test]
    fn all_imports_that_the_cell_needs_are_added() {
        assert_eq!(
            undefined(&["fig, ax = plt.subplots()\nax.plot(np.arange(3))"], 1, "plt"),
            "import matplotlib.pyplot as plt\nimport numpy as np\nfig, ax = plt.subplots()\nax.plot(np.arange(3))"
        );
    }

    #[test]
    fn what_cells_below_need_of_the_module_is_said_to_be_the_notebooks() {
        let cell = |position, source, ran| BookCell {
            position,
            source,
            ran,
            ..BookCell::default()
        };
        let book = Book::new(vec![
            cell(1, "a = KMeans()", Some(1)),
            cell(2, "d = DBSCAN()", None),
        ]);
        let e = ipython(
            "NameError",
            &[(1, 1, "a = KMeans()")],
            "name 'KMeans' is not defined",
        );
        let found = cures(&Case::new(&book, 0, &e).expect("a case"));
        assert!(found[0]
            .title
            .ends_with("one more import that this notebook needs"));
        assert!(found[0].code.contains("from sklearn.cluster import DBSCAN"));
    }

    #[test]
    fn what_was_imported_with_it_is_missing_too() {
        assert_eq!(
            undefined(&["Row = Dict[str, Any]"], 1, "Dict"),
            "from typing import Dict\nfrom typing import Any\nRow = Dict[str, Any]"
        );
        let cells = [
            ("t = chi2_contingency(a)", Some(1)),
            ("p = norm.ppf(0.9)", None),
        ];
        let cells = (1..).zip(cells).map(|(position, (source, ran))| BookCell {
            position,
            source,
            ran,
            ..BookCell::default()
        });
        let book = Book::new(cells.collect());
        let e = ipython(
            "NameError",
            &[(1, 1, "t = chi2_contingency(a)")],
            "name 'chi2_contingency' is not defined",
        );
        let found = cures(&Case::new(&book, 0, &e).expect("a case"));
        assert!(found[0].code.contains("from scipy.stats import norm"));
    }

    #[test]
    fn a_name_that_is_nearly_set_may_be_meant() {
        let sure = |set: &str| {
            let cells = [set, "logits = models(x)"];
            let e = ipython(
                "NameError",
                &[(2, 1, cells[1])],
                "name 'models' is not defined",
            );
            let found = cures_of(&cells, &e);
            found.iter().any(|c| c.applies == Applicability::Sure)
        };
        assert!(sure("import torch\nx = 1") && !sure("import torch\nx = model = f()"));
    }

    #[test]
    fn the_use_and_the_notebook_decide_between_homes() {
        assert_eq!(
            undefined(&["for i in tqdm(range(3)):\n    pass"], 1, "tqdm")
                .lines()
                .next(),
            Some("from tqdm import tqdm")
        );
        assert_eq!(
            undefined(&["now = datetime.now()"], 1, "datetime")
                .lines()
                .next(),
            Some("from datetime import datetime")
        );
        assert_eq!(
            undefined(&["now = datetime.datetime.now()"], 1, "datetime")
                .lines()
                .next(),
            Some("import datetime")
        );
        assert_eq!(
            undefined(&["import keras", "m = Sequential()"], 1, "Sequential")
                .lines()
                .next(),
            Some("from keras.models import Sequential")
        );
        assert_eq!(
            undefined(
                &["import tensorflow as tf", "m = Sequential()"],
                1,
                "Sequential"
            )
            .lines()
            .next(),
            Some("from tensorflow.keras.models import Sequential")
        );
        assert_eq!(
            undefined(&["import torch", "o = Adam(p)"], 1, "Adam")
                .lines()
                .next(),
            Some("from torch.optim import Adam")
        );
    }

    #[test]
    fn a_name_that_is_not_a_module_here_gets_no_import() {
        for (cell, name) in [
            ("y = st + 1", "st"),
            ("y = product", "product"),
            ("x = F(2)", "F"),
        ] {
            let error = ipython(
                "NameError",
                &[(1, 1, cell)],
                &format!("name '{name}' is not defined"),
            );
            let cures = cures_of(&[cell], &error);
            assert!(cures.iter().all(|c| c.edits.is_empty()), "{cell}");
        }
    }
}
