//! Names that a cell defines, imports and uses.

use nbmedic_python::ast::{Expr, Stmt};
use nbmedic_python::{each_expr, each_stmt, BindKind, Cell, Ranged};
use std::collections::BTreeSet;

/// Most names of one line.
const MAX_WORDS: usize = 200;

/// The names that a cell binds where other cells see them.
pub(crate) fn sets(cell: &Cell) -> BTreeSet<String> {
    let names = cell.names();
    let mut out = BTreeSet::new();
    for b in &names.binds {
        // `n += 1` needs another cell that defines it.
        let defines = !matches!(b.kind, BindKind::Augmented | BindKind::Delete);
        if defines && b.function.is_none() && !out.contains(b.name) {
            out.insert(b.name.to_owned());
        }
    }
    out
}

pub(crate) fn imports(cell: &Cell) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut add = |name: &str| out.extend(name.split('.').next().map(str::to_owned));
    each_stmt(cell.body(), &mut |stmt| match stmt {
        Stmt::Import(i) => i.names.iter().for_each(|a| add(a.name.as_str())),
        Stmt::ImportFrom(i) if i.level == 0 => {
            i.module.iter().for_each(|module| add(module.as_str()));
        }
        _ => {}
    });
    out
}

pub(crate) fn words(cell: &Cell, line: u32) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    each_expr(cell.body(), &mut |expr| {
        let Expr::Name(name) = expr else {
            return;
        };
        let here = name.ctx.is_load() && cell.line_of(expr.start()) == line;
        if here && out.len() < MAX_WORDS && !out.iter().any(|o| o == name.id.as_str()) {
            out.push(name.id.to_string());
        }
    });
    out
}

#[cfg(test)]
mod tests {
    use crate::Reading;

    #[test]
    fn what_binds_a_name() {
        for source in [
            "df = load()",
            "a, df = 1, 2",
            "a = df = load(x=1)",
            "(a, df) = f(x=1)",
            "df: Table = load()",
            "def df(): pass",
            "async def df(): pass",
            "class df:\n  x = 1",
            "import pandas as df",
            "import os, df",
            "from m import (a,\n  df)",
            "from m import b as df",
            "for i, df in parts: pass",
            "with open(x) as df:\n  pass",
            "if ready:\n    df = 1",
            "try:\n  df = 1\nexcept E: pass",
            "print(df := 3)",
            "def f():\n  global df\n  df = 1",
            "%matplotlib inline\n\ndf = a = 3",
            "%%time\ndf = load()",
        ] {
            assert!(Reading::of(source).defines("df"), "{source}");
        }
        for source in [
            "print(df)",
            "f(df=1)",
            "x = df",
            "x.df = 1",
            "def f(df):\n  df = 1",
            "class A:\n  df = 1",
            "import df as x",
            "from df import x",
            "df == 1",
            "df += 1",
            "df['a'] = b",
            "df['a'].b",
            "# df = 1",
            "'df = 1'",
            "!df = 1",
            "for i in df: pass",
            "%%bash\ndf = 1",
        ] {
            assert!(!Reading::of(source).defines("df"), "{source}");
        }
    }

    #[test]
    fn imports_and_words() {
        assert_eq!(
            Reading::of(
                "import numpy as np, os.path\nif x:\n  from torch.nn import Module\n# import no\nfrom . import own"
            )
            .imports(),
            ["numpy", "os", "torch"]
        );
        let read = Reading::of("if y:\n    y = f(x, 'z', 3, k=w.v)  # q\n    z = (a +\n  b)");
        assert_eq!(read.words(2), ["f", "x", "w"]);
        assert_eq!(
            (read.words(4), read.words(9).len()),
            (vec!["b".to_owned()], 0)
        );
    }
}
