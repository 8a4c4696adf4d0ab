use super::*;
use crate::change::{applied, Change};
use crate::find::said;
use crate::fit::fitted;
use nbmedic_facts::Basis;
use nbmedic_python::ast::{Expr, OperatorPrecedence, Stmt};
use nbmedic_python::{calls, each_expr, each_stmt, Cell};

/// Applies changes as a cure does; the result must parse.
fn with(source: &str, make: impl Fn(Editor<'_>) -> Vec<Change>) -> String {
    let python = Cell::read(source).expect("Python");
    let mut words = said("", Basis::Assumed, "", "");
    let mut changes = fitted(&python, make(Editor::new(0, &python)), &mut words);
    changes.sort_by_key(|c| (c.range.start(), c.range.end()));
    let after = applied(source, &changes).expect("applies");
    assert!(Cell::is_valid(&after), "{after}");
    after
}

/// The first expression with this source.
fn expr<'c>(python: &'c Cell, text: &str) -> &'c Expr {
    let mut found = None;
    each_expr(python.body(), &mut |e| {
        if found.is_none() && python.slice(e) == text {
            found = Some(e);
        }
    });
    found.expect("an expression")
}

/// The first statement with this source.
fn stmt<'c>(python: &'c Cell, text: &str) -> &'c Stmt {
    let mut found = None;
    each_stmt(python.body(), &mut |s| {
        if python.slice(s) == text {
            found = Some(s);
        }
    });
    found.expect("a statement")
}

#[test]
fn arguments_are_added() {
    for (source, named, plain) in [
        ("f()", "f(k=1)", "f(b)"),
        ("f(a)  # (note)", "f(a, k=1)  # (note)", "f(a, b)  # (note)"),
        ("f(  # (note)\n)", "f(k=1  # (note)\n)", "f(b  # (note)\n)"),
        (
            "f(\n    a,  # )\n)",
            "f(\n    a, k=1,  # )\n)",
            "f(\n    a, b,  # )\n)",
        ),
        ("f((a), )", "f((a), k=1, )", "f((a), b, )"),
        ("f(a, c=(1))", "f(a, c=(1), k=1)", "f(a, b, c=(1))"),
        ("f(c=1)", "f(c=1, k=1)", "f(b, c=1)"),
        ("f(*a)", "f(*a, k=1)", "f(*a, b)"),
        ("f(a, **c)", "f(a, **c, k=1)", "f(a, b, **c)"),
        (
            "f(x for x in y)",
            "f((x for x in y), k=1)",
            "f((x for x in y), b)",
        ),
        ("f(a, \")\")", "f(a, \")\", k=1)", "f(a, \")\", b)"),
        ("f(a \\\n  )", "f(a, k=1 \\\n  )", "f(a, b \\\n  )"),
        ("f(x := 1)", "f(x := 1, k=1)", "f(x := 1, b)"),
        (
            "%time f(a)\nf(a)",
            "%time f(a)\nf(a, k=1)",
            "%time f(a)\nf(a, b)",
        ),
    ] {
        let add = |text: &str| with(source, |e| vec![e.add(calls(e.python.body())[0], text)]);
        assert_eq!((add("k=1").as_str(), add("b").as_str()), (named, plain));
    }
}

#[test]
fn arguments_are_set_renamed_and_put_in_another_order() {
    let set = |source: &str| {
        with(source, |e| {
            vec![e.set_at(calls(e.python.body())[0], 1, "axis", "0")]
        })
    };
    assert_eq!(set("f(a)"), "f(a, axis=0)");
    assert_eq!(set("f(a, 1)"), "f(a, 0)");
    assert_eq!(set("f(a, axis=(1))"), "f(a, axis=(0))");
    assert_eq!(set("f(*a, 1)"), "f(*a, 1, axis=0)");
    let renamed = with("f(a, lr = 1)", |e| {
        e.rename(calls(e.python.body())[0], "lr", "rate")
            .into_iter()
            .collect()
    });
    assert_eq!(renamed, "f(a, rate = 1)");
    let order = |source: &str| with(source, |e| e.reorder(calls(e.python.body())[0], &[1, 0]));
    assert_eq!(order("f(a, (b))"), "f((b), a)");
    assert_eq!(
        order("f(\n  a,  # one\n  b,\n)"),
        "f(\n  b,  # one\n  a,\n)"
    );
}

#[test]
fn arguments_are_removed_with_their_comma() {
    for (source, argument, after) in [
        ("f(a)", "a", "f()"),
        ("f(a,)", "a", "f()"),
        ("f((a))", "a", "f()"),
        ("f(a, b)", "a", "f(b)"),
        ("f(a, b)", "b", "f(a)"),
        ("f((a), (b), c)", "b", "f((a), c)"),
        ("f(a, k=b)", "b", "f(a)"),
        ("f(a, k=(b), )", "b", "f(a, )"),
        ("f(a,  # one, two\n  b)", "b", "f(a,  # one, two\n  )"),
        (
            "f(\n    a,  # one\n    b,  # two, )\n    c,\n)",
            "b",
            "f(\n    a,  # one\n    c,\n)",
        ),
        ("f(\n    a,\n    k=b  # )\n)", "b", "f(\n    a,\n)"),
        ("f(\n    a,\n    b)", "b", "f(\n    a)"),
        ("f(a, *b)", "b", "f(a)"),
    ] {
        let made = with(source, |e| {
            let at = expr(e.python, argument);
            vec![e.remove(calls(e.python.body())[0], at)]
        });
        assert_eq!(made, after, "{source}");
    }
}

#[test]
fn what_is_appended_gets_brackets_where_it_needs_them() {
    for (source, of, after) in [
        ("f(a / len(b))", "a / len(b)", "f((a / len(b)).item())"),
        ("f(a / len(b))", "len(b)", "f(a / len(b).item())"),
        ("y = (a / b)", "a / b", "y = (a / b).item()"),
        ("y = ((a / b))  # )", "a / b", "y = ((a / b)).item()  # )"),
        ("f((a), b)", "a", "f((a).item(), b)"),
        ("f(a)", "a", "f(a.item())"),
        ("y = await f(x)", "await f(x)", "y = (await f(x)).item()"),
        ("y = lambda x: x", "lambda x: x", "y = (lambda x: x).item()"),
        ("y = lambda x: x", "x", "y = lambda x: x.item()"),
        (
            "y = a if b else c",
            "a if b else c",
            "y = (a if b else c).item()",
        ),
        ("f(x := a)", "x := a", "f((x := a).item())"),
        (
            "def f():\n    y = yield x",
            "yield x",
            "def f():\n    y = (yield x).item()",
        ),
        ("f(*a)", "*a", "f(*a.item())"),
        ("f(*a or b)", "*a or b", "f(*(a or b).item())"),
        (
            "f(x for x in y)",
            "x for x in y",
            "f((x for x in y).item())",
        ),
        ("y = 1", "1", "y = (1).item()"),
        ("y = -x ** 2", "-x ** 2", "y = (-x ** 2).item()"),
        (
            "f(\n    a +  # )\n    b\n)",
            "a +  # )\n    b",
            "f(\n    (a +  # )\n    b).item()\n)",
        ),
        (
            "print(f'{a / b:.2f}')",
            "a / b",
            "print(f'{(a / b).item():.2f}')",
        ),
        (
            "class A(B(x)):\n    pass",
            "B(x)",
            "class A(B(x).item()):\n    pass",
        ),
        ("y = 'a' 'b'", "'a' 'b'", "y = 'a' 'b'.item()"),
        ("y = a, b", "a, b", "y = (a, b).item()"),
    ] {
        let made = with(source, |e| vec![e.append(expr(e.python, of), ".item()")]);
        assert_eq!(made, after, "{source}");
    }
}

#[test]
fn expressions_are_wrapped_unwrapped_and_replaced() {
    for (source, of, after) in [
        ("y = a / b", "a / b", "y = f(a / b, 0)"),
        ("y = a, b", "a, b", "y = f((a, b), 0)"),
        ("g(x for x in y)", "x for x in y", "g(f((x for x in y), 0))"),
        (
            "def g():\n    y = yield x",
            "yield x",
            "def g():\n    y = f((yield x), 0)",
        ),
        ("y = x ** 2", "x", "y = f(x, 0) ** 2"),
    ] {
        let made = with(source, |e| vec![e.wrap(expr(e.python, of), "f", &["0"])]);
        assert_eq!(made, after);
    }
    for (source, outer, inner, after) in [
        ("y = list(a + b).x", "list(a + b)", "a + b", "y = (a + b).x"),
        (
            "y = 2 * int(a + b)",
            "int(a + b)",
            "a + b",
            "y = 2 * (a + b)",
        ),
        ("y = int((a))  # int(", "int((a))", "a", "y = a  # int("),
    ] {
        let made = with(source, |e| {
            vec![e.unwrap(expr(e.python, outer), expr(e.python, inner))]
        });
        assert_eq!(made, after);
    }
    let quoted = |source: &str| with(source, |e| vec![e.append(expr(e.python, "d"), "[\"k\"]")]);
    assert_eq!(quoted("print(f\"{d}\", d)"), "print(f\"{d['k']}\", d)");
    assert_eq!(quoted("print(f'{d}')"), "print(f'{d[\"k\"]}')");
    assert_eq!(quoted("print(d, f\"{d}\")"), "print(d[\"k\"], f\"{d}\")");
}

#[test]
fn code_knows_how_tightly_it_binds() {
    let then = |text: &str| Code::read(text).then(".T").to_string();
    assert_eq!(then("a + b"), "(a + b).T");
    assert_eq!(then("(a + b)"), "(a + b).T");
    assert_eq!(then("(a) + (b)"), "((a) + (b)).T");
    assert_eq!(then("a.b[0](c)"), "a.b[0](c).T");
    assert_eq!(then("*a"), "*a.T");
    assert_eq!(
        Code::read("a if b else c")
            .then("[0]")
            .then(".x")
            .to_string(),
        "(a if b else c)[0].x"
    );
    let minus = Code::read("a if b else c").left_of("-", OperatorPrecedence::AddSub, "1");
    assert_eq!(minus.then(".x").to_string(), "((a if b else c) - 1).x");
    assert_eq!(
        Code::read("a").in_call("f", &["0"]).then(".x").to_string(),
        "f(a, 0).x"
    );
}

#[test]
fn lines_stand_before_and_behind_a_statement() {
    for (source, at, above, below) in [
        (
            "a = 1\nb = 2",
            "b = 2",
            "a = 1\nn = 0\nb = 2",
            "a = 1\nb = 2\nn = 0",
        ),
        (
            "for x in y:\n    f(\n        x)  # )\n    g()",
            "f(\n        x)",
            "for x in y:\n    n = 0\n    f(\n        x)  # )\n    g()",
            "for x in y:\n    f(\n        x)  # )\n    n = 0\n    g()",
        ),
        (
            "a = 1; b = 2",
            "b = 2",
            "a = 1; n = 0; b = 2",
            "a = 1; b = 2; n = 0",
        ),
        (
            "a = 1; b = 2",
            "a = 1",
            "n = 0\na = 1; b = 2",
            "a = 1; n = 0; b = 2",
        ),
        (
            "a = 1;  # one",
            "a = 1",
            "n = 0\na = 1;  # one",
            "a = 1;  # one\nn = 0",
        ),
        (
            "if x: f(x)",
            "f(x)",
            "if x: n = 0; f(x)",
            "if x: f(x); n = 0",
        ),
        (
            "%matplotlib inline\nf()",
            "f()",
            "%matplotlib inline\nn = 0\nf()",
            "%matplotlib inline\nf()\nn = 0",
        ),
        (
            "@d\ndef f():\n    g()",
            "@d\ndef f():\n    g()",
            "n = 0\n@d\ndef f():\n    g()",
            "@d\ndef f():\n    g()\nn = 0",
        ),
        (
            "a = 1 + \\\n    2",
            "a = 1 + \\\n    2",
            "n = 0\na = 1 + \\\n    2",
            "a = 1 + \\\n    2\nn = 0",
        ),
    ] {
        let before = with(source, |e| vec![e.above(stmt(e.python, at), "n = 0")]);
        let behind = with(source, |e| vec![e.below(stmt(e.python, at), "n = 0")]);
        assert_eq!((before.as_str(), behind.as_str()), (above, below));
    }
    let text = with("if x:\n    f()", |e| {
        vec![e.above(
            stmt(e.python, "f()"),
            "t = '''a\n b'''\nfor x in y:\n    g()",
        )]
    });
    assert_eq!(
        text,
        "if x:\n    t = '''a\n b'''\n    for x in y:\n        g()\n    f()"
    );
}

#[test]
fn imports_stand_where_imports_go() {
    let import = |source: &str| with(source, |e| vec![e.import("import numpy as np")]);
    assert_eq!(import("%%time\nf()"), "%%time\nimport numpy as np\nf()");
    assert_eq!(
        import("\"\"\"Text.\"\"\"\nfrom __future__ import annotations\nf()"),
        "\"\"\"Text.\"\"\"\nfrom __future__ import annotations\nimport numpy as np\nf()"
    );
    assert_eq!(import("import numpy as np\nf()"), "import numpy as np\nf()");
}
