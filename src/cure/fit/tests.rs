use super::*;
use crate::find::{add_argument, argument_with_comma, said};
use crate::tests::{cures_of, error_at};
use nbmedic_facts::Basis;
use nbmedic_python::{calls, name_of};

fn applied_to(source: &str, changes: Vec<Change>) -> String {
    let python = Cell::read(source).expect("Python");
    let mut words = said("", Basis::Assumed, "", "");
    let mut changes = fitted(&python, changes, &mut words);
    changes.sort_by_key(|c| (c.range.start(), c.range.end()));
    applied(source, &changes).expect("applies")
}

/// The first expression with this source.
fn node(source: &str, text: &str) -> TextRange {
    let python = Cell::read(source).expect("Python");
    let mut found = None;
    each_expr(python.body(), &mut |e| {
        if found.is_none() && python.slice(e) == text {
            found = Some(e.range());
        }
    });
    found.expect("an expression")
}

#[test]
fn brackets_come_where_the_tree_asks_for_them() {
    let after = |source: &str, of: &str, text: &str| {
        applied_to(source, vec![Change::after(0, node(source, of), text)])
    };
    assert_eq!(after("f(a / b)", "a / b", ".item()"), "f((a / b).item())");
    assert_eq!(after("f(a / b)", "b", ".item()"), "f(a / b.item())");
    assert_eq!(after("f(a.b[0])", "a.b[0]", ".item()"), "f(a.b[0].item())");
    assert_eq!(after("f(-x)", "-x", "[0]"), "f((-x)[0])");
    let replaced = |source: &str, of: &str, text: &str| {
        applied_to(source, vec![Change::replace(0, node(source, of), text)])
    };
    assert_eq!(replaced("x.mean()", "x", "a + b"), "(a + b).mean()");
    assert_eq!(replaced("y = x", "x", "a + b"), "y = a + b");
    assert_eq!(replaced("y = 2 * x", "x", "a + b"), "y = 2 * (a + b)");
    assert_eq!(replaced("f(x, 1)", "x", "a, b"), "f(a, b, 1)");
    assert_eq!(replaced("y = not x", "x", "a or b"), "y = not (a or b)");
}

#[test]
fn what_is_there_already_is_not_added() {
    let source = "y = f(x.item())";
    let there = vec![Change::after(0, node(source, "x"), ".item()")];
    assert_eq!(applied_to(source, there), source);
    let around = vec![Change::replace(0, node(source, "x.item()"), "f(x.item())")];
    assert_eq!(applied_to(source, around), source);
    let line = "model.eval()\nmodel(x)";
    let python = Cell::read(line).expect("Python");
    let again = vec![Change::line_before(0, &python, 2, "model.eval()")];
    assert_eq!(applied_to(line, again), line);
}

#[test]
fn arguments_stand_before_comments_and_behind_brackets() {
    let added = |source: &str| {
        let python = Cell::read(source).expect("Python");
        let change = add_argument(0, &python, calls(python.body())[0], "k=1");
        applied_to(source, vec![change])
    };
    for (source, after) in [
        ("f()", "f(k=1)"),
        ("f(a)", "f(a, k=1)"),
        ("f((a), )", "f((a), k=1, )"),
        ("f(a, b=(1))", "f(a, b=(1), k=1)"),
        ("f(\n    a,  # (note)\n)", "f(\n    a, k=1,  # (note)\n)"),
        ("f(\n    a  # see g(x)\n)", "f(\n    a, k=1  # see g(x)\n)"),
        ("f(a, \")\")", "f(a, \")\", k=1)"),
    ] {
        assert_eq!(added(source), after);
    }
    let source = "f(a,  # one, two\n  b)";
    let python = Cell::read(source).expect("Python");
    let call = calls(python.body())[0];
    let range = argument_with_comma(&python, call, call.arguments.args[1].range());
    let removed = applied_to(source, vec![Change::replace(0, range, "")]);
    assert_eq!(removed, "f(a,  # one, two\n  )");
}

#[test]
fn what_the_changed_statement_makes_is_not_changed_again() {
    let source = "t[\"n\"] = t[\"n\"].astype(float)\nt[\"n\"].describe()";
    let of = |s: &str| {
        let python = Cell::read(s).expect("a cell");
        let at = u32::try_from(s.rfind("t[\"n\"].astype").expect("it")).expect("short");
        let range = TextRange::at(at.into(), 6.into());
        let change = Change::replace(0, range, "t[\"n\"].abs()");
        twins(&python, &[change]).len()
    };
    assert_eq!(of(source), 0);
    assert_eq!(of(&source.replacen("t[\"n\"] =", "m =", 1)), 1);
}

#[test]
fn the_same_expression_further_down_is_changed_too() {
    let source = "a = f(x)\nb = f(x)\nx = 2\nc = f(x)\ndef g(x):\n    return f(x)";
    let python = Cell::read(source).expect("Python");
    let call = calls(python.body())[0];
    assert_eq!(name_of(&call.func).as_deref(), Some("f"));
    let change = add_argument(0, &python, call, "k=1");
    let all = twins(&python, std::slice::from_ref(&change));
    assert_eq!(all.len(), 1);
    let mut all = [vec![change], all].concat();
    all.sort_by_key(|c| c.range.start());
    let after = applied_to(source, all);
    assert!(
        after.starts_with("a = f(x, k=1)\nb = f(x, k=1)\nx = 2\nc = f(x)\n"),
        "{after}"
    );
}

#[test]
fn a_quotient_is_bracketed_in_the_code_and_in_the_title() {
    let loop_ = "losses = []\nfor x in loader:\n    losses.append(running_loss / len(loader))";
    let cells = [loop_, "plt.plot(losses)"];
    let message =
        "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.";
    let cure = cures_of(&cells, &error_at(&cells, 1, "RuntimeError", message)).remove(0);
    assert!(
        cure.code
            .ends_with("losses.append((running_loss / len(loader)).item())"),
        "{}",
        cure.code
    );
    assert!(
        cure.title
            .contains("losses.append((running_loss / len(loader)).item())"),
        "{}",
        cure.title
    );
}

#[test]
fn no_edit_reads_a_name_that_nothing_sets() {
    let reads = |text: &str| {
        let cells = ["import torch", "y = f(x)"];
        let error = error_at(&cells, 1, "TypeError", "no");
        let book = crate::Book::new(
            (1..)
                .zip(cells)
                .map(|(n, source)| crate::BookCell {
                    position: n,
                    source,
                    ran: Some(n as u64),
                    ..crate::BookCell::default()
                })
                .collect(),
        );
        let case = Case::new(&book, 1, &error).expect("a failure");
        let words = said("a", Basis::Language, "", "");
        case.edits(words, vec![Change::replace(1, node(cells[1], "x"), text)])
            .is_some()
    };
    assert!(reads("torch.tensor(x)") && reads("len(x)"));
    assert!(!reads("x.to(device)"));
}
