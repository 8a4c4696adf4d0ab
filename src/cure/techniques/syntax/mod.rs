//! Syntax errors. Each repair is tried, and only offered if the whole cell then parses.

mod brackets;
mod failure;
mod indents;
mod order;
mod places;
mod scan;
mod search;
mod words;

use crate::case::Case;
use crate::edit::Change;
use crate::find::said;
use crate::known::is_builtin;
use failure::{Failure, Try};
use nbmedic_facts::Cure;
use nbmedic_python::ast::Stmt;
use nbmedic_python::{Cell, TextRange, TextSize};
use nbmedic_wordings::about;

/// Maximum number of repairs tried: each one parses the cell.
const MAX_TRIES: usize = 100;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let class = case.class();
    let usage = class == "UsageError";
    if !usage && !matches!(class, "SyntaxError" | "IndentationError" | "TabError") {
        return;
    }
    let Some(python) = case.python(case.at) else {
        return;
    };
    // A `SyntaxError` in an imported file isn't the cell's. Some syntax requires a newer Python.
    let known = about::NEWER_SYNTAX.is_in(case.message());
    if python.broken().is_empty() && !known && !usage {
        return;
    }
    let reported = case.error().frames.last().and_then(|f| f.line);
    let broken = python
        .broken()
        .first()
        .map(|b| python.line_of(b.range.start()));
    let lines = u32::try_from(python.line_count()).unwrap_or(u32::MAX);
    let line = reported
        .filter(|l| (1..=lines).contains(l))
        .or(broken)
        .unwrap_or(1);
    let failure = Failure {
        python,
        text: python.text(),
        message: case.message(),
        class,
        line,
    };
    let mut tries: Vec<Try> = Vec::new();
    if usage {
        words::magic_below(&failure, &mut tries);
    } else {
        words::odd_characters(&failure, &mut tries);
        words::python2(&failure, &mut tries);
        words::shell(&failure, &mut tries);
        words::escapes(&failure, &mut tries);
        words::comparisons(&failure, &mut tries);
        words::other_languages(&failure, &mut tries);
        indents::tries(&failure, &mut tries);
        order::tries(case, &failure, &mut tries);
        order::doubled(&failure, &mut tries);
        order::generator(&failure, &mut tries);
        order::square(&failure, &mut tries);
        // Names that the broken line itself seems to assign are unknown.
        let known = |name: &str| {
            is_builtin(name)
                || case
                    .set_before(name)
                    .iter()
                    .any(|s| s.cell != case.at || python.line_of(s.binding.at.start()) != line)
        };
        let elsewhere = |text: &str| {
            let cells = case.book.cells().iter().enumerate();
            let mut lines =
                cells.flat_map(|(i, c)| c.source.lines().enumerate().map(move |l| (i, l)));
            lines.any(|(i, (n, l))| (i, n + 1) != (case.at, line as usize) && l.contains(text))
        };
        let rest = places::Rest {
            elsewhere: &elsewhere,
            known: &known,
        };
        places::tries(&failure, &rest, &mut tries);
        brackets::tries(&failure, &mut tries);
        search::tries(&failure, &known, &mut tries);
    }
    for attempt in tries.into_iter().take(MAX_TRIES) {
        let changes = attempt
            .changes
            .into_iter()
            .map(|(range, text)| Change::replace(case.at, text_range(range), text))
            .collect();
        let said = said(attempt.id, attempt.basis, attempt.title, attempt.why);
        if let Some(cure) = case.edits(said, changes) {
            // It parses, but Python still rejects it.
            let outside = Cell::read(&cure.code).is_some_and(|c| returns_outside(c.body()));
            if !outside || returns_outside(python.body()) {
                out.push(cure);
                return;
            }
        }
    }
}

/// Whether there is a `return` outside of functions.
fn returns_outside(body: &[Stmt]) -> bool {
    body.iter().any(|s| match s {
        Stmt::Return(_) => true,
        Stmt::FunctionDef(_) => false,
        Stmt::ClassDef(c) => returns_outside(&c.body),
        Stmt::For(f) => returns_outside(&f.body) || returns_outside(&f.orelse),
        Stmt::While(w) => returns_outside(&w.body) || returns_outside(&w.orelse),
        Stmt::With(w) => returns_outside(&w.body),
        Stmt::Try(t) => returns_outside(&t.body) || returns_outside(&t.finalbody),
        Stmt::If(i) => {
            returns_outside(&i.body) || i.elif_else_clauses.iter().any(|c| returns_outside(&c.body))
        }
        _ => false,
    })
}

fn text_range(range: std::ops::Range<usize>) -> TextRange {
    let size = |n: usize| TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
    TextRange::new(size(range.start), size(range.end))
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at, repaired};

    fn error(source: &str, class: &str, line: u32, message: &str) -> String {
        let code = source.lines().nth(line as usize - 1).unwrap_or("");
        format!("  Cell In[1], line {line}\n    {code}\n    ^\n{class}: {message}\n")
    }

    fn fixed(source: &str, line: u32, message: &str) -> String {
        repaired(&[source], &error(source, "SyntaxError", line, message))
    }

    #[test]
    fn brackets_are_closed_where_the_statement_ends() {
        assert_eq!(
            fixed("v = [\n    (1, 2),\n    (3, 4),", 3, "incomplete input"),
            "v = [\n    (1, 2),\n    (3, 4),\n]"
        );
        assert_eq!(
            fixed("print(len(x)\ny = 2", 1, "'(' was never closed"),
            "print(len(x))\ny = 2"
        );
        assert_eq!(fixed("x = (1 + 2))", 1, "unmatched ')'"), "x = (1 + 2)");
        assert_eq!(
            fixed(
                "x = f([1, 2)",
                1,
                "closing parenthesis ')' does not match opening parenthesis '['"
            ),
            "x = f([1, 2])"
        );
        assert_eq!(
            fixed(
                "v = [1, 2 3]",
                1,
                "invalid syntax. Perhaps you forgot a comma?"
            ),
            "v = [1, 2, 3]"
        );
        assert_eq!(
            fixed("d = {\n  'a': 1  # one\n  'b': 2}", 3, "invalid syntax"),
            "d = {\n  'a': 1,  # one\n  'b': 2}"
        );
    }

    #[test]
    fn brackets_within_lines_and_texts() {
        let cells = ["e = f()", "r = (e[o]] / e.sum()).round(4)"];
        let e = error(
            cells[1],
            "SyntaxError",
            1,
            "closing parenthesis ']' does not match opening parenthesis '('",
        )
        .replace("In[1]", "In[2]");
        assert_eq!(repaired(&cells, &e), "r = (e[o] / e.sum()).round(4)");
        assert_eq!(
            fixed(
                "v = [\n    {'a': 1, 'b': 'x',\n    {'a': 2, 'b': 'y'},\n]",
                4,
                "closing parenthesis ']' does not match opening parenthesis '{' on line 2"
            ),
            "v = [\n    {'a': 1, 'b': 'x'},\n    {'a': 2, 'b': 'y'},\n]"
        );
        assert_eq!(
            fixed("t = d.assign(a=d.day_name(, h=1)", 1, "invalid syntax"),
            "t = d.assign(a=d.day_name(), h=1)"
        );
        assert_eq!(
            fixed(
                "x = 1\nprint(f'rate {x:.4f and {x}')",
                2,
                "f-string: expecting '}'"
            ),
            "x = 1\nprint(f'rate {x:.4f} and {x}')"
        );
    }

    #[test]
    fn a_bracket_goes_where_the_line_makes_sense() {
        for (line, message, after) in [
            (
                "r = (a[i] / a.sum().round(4)",
                "'(' was never closed",
                "r = (a[i] / a.sum()).round(4)",
            ),
            (
                "y = np.where((t['o'] == 'Yes') & (x < .4, 'Yes', 'No')",
                "'(' was never closed",
                "y = np.where((t['o'] == 'Yes') & (x < .4), 'Yes', 'No')",
            ),
            (
                "k = 1.5 * (t[\"home\" == \"rent\") + t[\"m\"] / 24",
                "closing parenthesis ')' does not match opening parenthesis '['",
                "k = 1.5 * (t[\"home\"] == \"rent\") + t[\"m\"] / 24",
            ),
            (
                "h, w = len(grid, len(grid[0])",
                "'(' was never closed",
                "h, w = len(grid), len(grid[0])",
            ),
            (
                "m = (np.arange(8)[None, :] < n[:, None]",
                "'(' was never closed",
                "m = (np.arange(8)[None, :]) < n[:, None]",
            ),
            (
                "m = np.hypot(xx, yy <= 1",
                "'(' was never closed",
                "m = np.hypot(xx, yy) <= 1",
            ),
            (
                "r = s.rank().astype(int.to_dict()",
                "'(' was never closed",
                "r = s.rank().astype(int).to_dict()",
            ),
            (
                "s = \", \".join[str(x) for x in rows]",
                "invalid syntax",
                "s = \", \".join(str(x) for x in rows)",
            ),
        ] {
            let error = error_at(
                &[line],
                1,
                "SyntaxError",
                &format!("{message} (1.py, line 1)"),
            );
            assert_eq!(repaired(&[line], &error), after);
        }
    }

    #[test]
    fn a_literal_behind_names_gets_the_name_of_what_takes_it() {
        let pandas = "import pandas as pd\nimport matplotlib.pyplot as plt\ndf = pd.DataFrame()";
        for (line, after) in [
            (
                "p = df.pivot_table(index='r', 'q', values='v')",
                "p = df.pivot_table(index='r', columns='q', values='v')",
            ),
            (
                "s = df.sort_values(by='r', ascending=False, 'stable')",
                "s = df.sort_values(by='r', ascending=False, kind='stable')",
            ),
            (
                "plt.plot(t, x, lw=.6, 'noisy')",
                "plt.plot(t, x, lw=.6, label='noisy')",
            ),
            (
                "plt.hist(x, bins=28, .8, range=(0, 28))",
                "plt.hist(x, bins=28, rwidth=.8, range=(0, 28))",
            ),
        ] {
            let message = "positional argument follows keyword argument (1.py, line 1)";
            let error = error_at(&[pandas, line], 1, "SyntaxError", message);
            assert_eq!(repaired(&[pandas, line], &error), after);
        }
        let line = "n = sum(x for x in rows, start=1)";
        let error = error_at(
            &[line],
            1,
            "SyntaxError",
            "Generator expression must be parenthesized (1.py, line 1)",
        );
        assert_eq!(
            repaired(&[line], &error),
            "n = sum((x for x in rows), start=1)"
        );
    }

    #[test]
    fn an_argument_that_is_given_twice_is_given_once() {
        let message = "keyword argument repeated: axis";
        assert_eq!(
            fixed("y = f(axis=1, k=2, axis=0)", 1, message),
            "y = f(axis=1, k=2)"
        );
    }

    #[test]
    fn quotes_of_two_kinds_and_apostrophes() {
        let message = "unterminated string literal (detected at line 1)";
        assert_eq!(
            fixed("x = 1\nprint(\"total', x)", 2, message),
            "x = 1\nprint(\"total\", x)"
        );
        assert_eq!(fixed("s = ['a', 'b\"]", 1, message), "s = ['a', 'b']");
        assert_eq!(fixed("s = 'it's late'", 1, message), "s = 'it\\'s late'");
    }

    #[test]
    fn arguments_by_position_come_first() {
        let message = "positional argument follows keyword argument";
        assert_eq!(
            fixed("y = f(a=1, x, b=2)", 1, message),
            "y = f(x, a=1, b=2)"
        );
        assert_eq!(
            fixed(
                "import pandas as pd\ny = pd.cut(x, bins=[1], ['a'], right=False)",
                2,
                message
            ),
            "import pandas as pd\ny = pd.cut(x, bins=[1], labels=['a'], right=False)"
        );
    }

    #[test]
    fn names_do_not_begin_with_digits() {
        let message = "invalid decimal literal";
        assert_eq!(fixed("2best = 3", 1, message), "best = 3");
        assert_eq!(
            fixed("x = 1\ny = 2x + 1", 2, message),
            "x = 1\ny = 2 * x + 1"
        );
    }

    #[test]
    fn a_line_out_of_line_is_indented() {
        let source = "def f(g):\ndef h(x):\n        y = g(x)\n        return y\n    return h";
        let message = "unindent does not match any outer indentation level";
        assert_eq!(
            repaired(&[source], &error(source, "IndentationError", 5, message)),
            "def f(g):\n    def h(x):\n        y = g(x)\n        return y\n    return h"
        );
        let source = "class A:\n    def f(self):\n        x = 1\n      return x";
        assert_eq!(
            repaired(&[source], &error(source, "IndentationError", 4, message)),
            "class A:\n    def f(self):\n        x = 1\n        return x"
        );
    }

    #[test]
    fn quotes_colons_and_characters() {
        assert_eq!(
            fixed(
                "x = 'abc\ny = 1",
                1,
                "unterminated string literal (detected at line 1)"
            ),
            "x = 'abc'\ny = 1"
        );
        assert_eq!(
            fixed("print('abc)\ny = 1", 1, "EOL while scanning string literal"),
            "print('abc')\ny = 1"
        );
        assert_eq!(
            fixed("for i in range(3)\n    print(i)", 1, "expected ':'"),
            "for i in range(3):\n    print(i)"
        );
        assert_eq!(
            fixed("if x > 1  # big\n    y = 1", 1, "invalid syntax"),
            "if x > 1:  # big\n    y = 1"
        );
        assert_eq!(
            fixed("name = “ada”  # it’s", 1, "invalid character '“' (U+201C)"),
            "name = \"ada\"  # it’s"
        );
        assert_eq!(
            fixed("x =\u{a0}1", 1, "invalid non-printable character U+00A0"),
            "x = 1"
        );
        assert_eq!(
            fixed(
                "p = \"C:\\Users\\me\"",
                1,
                "(unicode error) 'unicodeescape' codec can't decode bytes in position 2-3: truncated \\UXXXXXXXX escape"
            ),
            "p = r\"C:\\Users\\me\""
        );
    }

    #[test]
    fn comparisons_and_statements_of_other_languages() {
        assert_eq!(
            fixed(
                "if a = 3:\n    pass",
                1,
                "invalid syntax. Maybe you meant '==' or ':=' instead of '='?"
            ),
            "if a == 3:\n    pass"
        );
        assert_eq!(
            fixed("same = a + 0 = 3", 1, "cannot assign to expression"),
            "same = a + 0 == 3"
        );
        assert_eq!(
            fixed(
                "print \"a:\", x\nprint x  # y",
                1,
                "Missing parentheses in call to 'print'. Did you mean print(...)?"
            ),
            "print(\"a:\", x)\nprint(x)  # y"
        );
        assert_eq!(
            fixed(
                "try:\n    f()\nexcept E, e:\n    pass",
                3,
                "multiple exception types must be parenthesized"
            ),
            "try:\n    f()\nexcept E as e:\n    pass"
        );
        assert_eq!(fixed("i++", 1, "invalid syntax"), "i += 1");
        assert_eq!(
            fixed("if a && b:\n    pass", 1, "invalid syntax"),
            "if a and b:\n    pass"
        );
        assert_eq!(
            fixed("if a:\n    b\nelse if c:\n    d", 3, "expected ':'"),
            "if a:\n    b\nelif c:\n    d"
        );
        assert_eq!(
            fixed("form os import path", 1, "invalid syntax"),
            "from os import path"
        );
        assert_eq!(
            fixed(
                "x = 007",
                1,
                "leading zeros in decimal integer literals are not permitted"
            ),
            "x = 7"
        );
    }

    #[test]
    fn commands_of_the_shell_get_their_mark() {
        assert_eq!(
            fixed("pip install x", 1, "invalid syntax"),
            "%pip install x"
        );
        assert_eq!(
            fixed("a = 1\npython make.py", 2, "invalid syntax"),
            "a = 1\n!python make.py"
        );
        assert_eq!(fixed("$ ls data", 1, "invalid syntax"), "!ls data");
        let magic = "# how long\n%%time\nx = sum(y)";
        let e = "UsageError: Line magic function `%%time` not found.\n";
        if !cures_of(&[magic], e).is_empty() {
            assert_eq!(repaired(&[magic], e), "%%time\n# how long\nx = sum(y)");
        }
    }

    #[test]
    fn indentation_is_made_to_fit() {
        let indent = |source: &str, line, message: &str| {
            repaired(&[source], &error(source, "IndentationError", line, message))
        };
        assert_eq!(
            indent("x = 1\n  y = 2", 2, "unexpected indent"),
            "x = 1\ny = 2"
        );
        assert_eq!(
            indent(
                "for i in x:\nprint(i)\ny = 1",
                2,
                "expected an indented block after 'for' statement on line 1"
            ),
            "for i in x:\n    print(i)\ny = 1"
        );
        assert_eq!(
            indent(
                "for i in x:\n    if i:\n        f()\n   else:\n        g()",
                4,
                "unindent does not match any outer indentation level"
            ),
            "for i in x:\n    if i:\n        f()\n    else:\n        g()"
        );
        assert_eq!(
            repaired(
                &["if x:\n        a = 1\n\tb = 2"],
                &error(
                    "if x:\n        a = 1\n\tb = 2",
                    "TabError",
                    3,
                    "inconsistent use of tabs and spaces in indentation"
                )
            ),
            "if x:\n        a = 1\n        b = 2"
        );
    }

    #[test]
    fn what_is_left_out_goes_where_the_line_reads_like_the_rest() {
        let open = "unterminated string literal (detected at line 1)";
        let cases = [
            (
                "n = [\"income\", \"age, \"months\"]",
                "n = [\"income\", \"age\", \"months\"]",
            ),
            (
                "d = {'cp: 'pain', 'thal': 'max'}",
                "d = {'cp': 'pain', 'thal': 'max'}",
            ),
            (
                "print(\"strongest edge, edges.max().round(1))",
                "print(\"strongest edge\", edges.max().round(1))",
            ),
            ("x = df[income'].mean()", "x = df['income'].mean()"),
            ("y = a.load(\"b.npy).shape", "y = a.load(\"b.npy\").shape"),
        ];
        for (source, right) in cases {
            let cells = ["edges = a = df = 1", source];
            let e = error(source, "SyntaxError", 1, open);
            assert_eq!(repaired(&cells, &e), right);
        }
        let never = "'[' was never closed";
        let cells = ["ab['group'].value_counts()", "y = ab['group'.map({'a': 1})"];
        let e = error(cells[1], "SyntaxError", 1, never);
        assert_eq!(repaired(&cells, &e), "y = ab['group'].map({'a': 1})");
    }

    #[test]
    fn a_single_token_is_searched_for() {
        let invalid = "invalid syntax";
        let cases = [
            (
                "for w, c on pairs:\n    print(w)",
                1,
                "for w, c in pairs:\n    print(w)",
            ),
            ("y = [a fro a in x]", 1, "y = [a for a in x]"),
            (
                "def f(x):\n    if x: retrun 1",
                2,
                "def f(x):\n    if x: return 1",
            ),
            ("d = {'a': 1,, 'b': 2}", 1, "d = {'a': 1, 'b': 2}"),
            ("d = {'a': 1, 'b' = 2}", 1, "d = {'a': 1, 'b': 2}"),
            (
                "y = f(x,\n      order: (1, 2))",
                2,
                "y = f(x,\n      order=(1, 2))",
            ),
            (
                "d = {\n  'a': 'b', 'c': 'd' 'e': 'f'}",
                2,
                "d = {\n  'a': 'b', 'c': 'd', 'e': 'f'}",
            ),
            (
                "for a, b in zip(x, y[:-1]:\n    print(a)",
                1,
                "for a, b in zip(x, y[:-1]):\n    print(a)",
            ),
            ("y = f(x; 2)", 1, "y = f(x, 2)"),
            ("let y = 2", 1, "y = 2"),
        ];
        for (source, line, right) in cases {
            assert_eq!(fixed(source, line, invalid), right);
        }
        // An existing name is meant.
        assert_eq!(fixed("on = 1\ny = [a on x]", 2, invalid), "");
    }

    #[test]
    fn what_no_repair_makes_readable_stays() {
        assert_eq!(fixed("x = = = )( 1", 1, "invalid syntax"), "");
        // The cell is fine: the error is in a file.
        assert_eq!(fixed("import broken", 1, "invalid syntax"), "");
    }
}
