//! What cells set and need.

use crate::{BindKind, Cell};

fn needs(source: &str) -> Vec<String> {
    let cell = Cell::read(source).unwrap();
    cell.names()
        .needs()
        .into_iter()
        .map(str::to_owned)
        .collect()
}

#[test]
fn what_a_cell_sets() {
    for source in [
        "df = load()",
        "a, *df = 1, 2",
        "a = df = load(x=1)",
        "df: Table = load()",
        "def df(): pass",
        "class df:\n  x = 1",
        "import pandas as df",
        "import df.sub, os",
        "from m import (a,\n  df)",
        "for i, df in parts: pass",
        "with open(x) as df:\n  pass",
        "if ready:\n    df = 1",
        "try:\n  df = 1\nexcept E: pass",
        "print(df := 3)",
        "def f():\n  global df\n  df = 1",
        "%matplotlib inline\n\ndf = a = 3",
        "df += 1",
    ] {
        let cell = Cell::read(source).unwrap();
        assert!(cell.names().sets("df").next().is_some(), "{source}");
    }
    for source in [
        "print(df)",
        "f(df=1)",
        "x.df = 1",
        "df['a'] = 1",
        "def f(df):\n  df = 1",
        "class A:\n  df = 1",
        "import df as x",
        "# df = 1",
        "[df for df in x]",
        "lambda df: 1",
        "del df",
    ] {
        let cell = Cell::read(source).unwrap();
        assert!(cell.names().sets("df").next().is_none(), "{source}");
    }
}

#[test]
fn what_a_cell_needs() {
    assert_eq!(needs("y = f(x, k=z)\nprint(y)"), ["f", "x", "z", "print"]);
    assert_eq!(needs("x = x + 1"), ["x"]);
    assert_eq!(
        needs("def f(a, b=c):\n  d = a + e\n  return d + g\ndef g(): pass"),
        ["c", "e"]
    );
    assert_eq!(needs("[i + n for i in xs for j in i if j]"), ["xs", "n"]);
    assert_eq!(needs("import numpy as np\nnp.zeros(3)"), [""; 0]);
    assert_eq!(
        needs("class A(Base):\n  w = 1\n  def m(self):\n    return w2"),
        ["Base", "w2"]
    );
    assert_eq!(needs("with open(p) as f:\n  t = f.read()"), ["open", "p"]);
    assert_eq!(needs("a[i] = v\na.b = w"), ["v", "a", "i", "w"]);
}

#[test]
fn annotations_need_their_names() {
    for (source, wanted) in [
        (
            "def f(a: Dict[str, Any], b=1) -> Table: pass",
            vec!["Dict", "str", "Any", "Table"],
        ),
        (
            "def f(*rows: Row, **more: Option): pass",
            vec!["Row", "Option"],
        ),
        ("def f[T](a: T) -> T: return T", vec![]),
        ("class A:\n  def f(self) -> A: pass", vec![]),
        (
            "from __future__ import annotations\ndef f(a: Any): pass",
            vec![],
        ),
    ] {
        assert_eq!(needs(source), wanted, "{source}");
    }
}

#[test]
fn how_and_where_it_is_set() {
    let cell = Cell::read(
        "for e in range(3):\n  loss = step(e)\nif x:\n  loss = 1\ndef f():\n  loss = 2\n",
    )
    .unwrap();
    let names = cell.names();
    let sets: Vec<_> = names
        .sets("loss")
        .map(|b| (b.kind, b.looped, b.conditional))
        .collect();
    assert_eq!(
        sets,
        [
            (BindKind::Assign, true, true),
            (BindKind::Assign, false, true)
        ]
    );
    let local = names.binds.iter().find(|b| b.function == Some("f"));
    assert_eq!(
        local.and_then(|b| b.value).map(|v| cell.slice(v)),
        Some("2")
    );
}
