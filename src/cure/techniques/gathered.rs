//! Several values where a single container is expected, and accidental one-element tuples.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, one_line, only, said, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{Ranged, TextRange, TextSize};
use nbmedic_wordings::{numpy, pandas, python};

/// Functions that take the values to join or store as one list.
const OF_LISTS: &[&str] = &[
    "array",
    "asarray",
    "tensor",
    "cat",
    "stack",
    "concat",
    "concatenate",
    "vstack",
    "hstack",
    "dstack",
    "column_stack",
    "zeros",
    "ones",
    "empty",
    "full",
    "sum",
    "mean",
    "max",
    "min",
    "prod",
    "any",
    "all",
    "isin",
    "median",
    "std",
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let spots = case.spots();
    let found = spots.iter().find_map(|spot| match case.class() {
        "TypeError" | "ValueError" | "KeyError" => parted(case, spot)
            .or_else(|| columns(case, spot))
            .or_else(|| run_of_literals(case, spot))
            .or_else(|| in_a_list(case, spot))
            .or_else(|| names_apart(case, spot))
            .or_else(|| trailing(case, spot))
            .or_else(|| only_one(case, spot)),
        "AttributeError" => trailing(case, spot),
        _ => None,
    });
    out.extend(found);
}

/// Wraps positional arguments in square brackets.
fn wrap(case: &Case<'_>, spot: &Spot<'_>, call: &ExprCall, upto: usize, why: &str) -> Option<Cure> {
    let args = &call.arguments.args;
    let (first, last) = (args.first()?, args.get(upto.checked_sub(1)?)?);
    let text = spot.text(TextRange::new(first.start(), last.end()));
    let shown = one_line(text);
    case.edits(
        said(
            "one-list",
            Basis::Assumed,
            format!("Write `[{shown}]` in `{}(…)`", callee(call)?),
            why.to_owned(),
        ),
        vec![
            Change::before(spot.cell, first, "["),
            Change::replace(spot.cell, TextRange::empty(last.end()), "]"),
        ],
    )
}

/// `torch.cat(a, b)`, `np.array(1, 2)`.
fn in_a_list(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let message = case.message();
    let says = message.contains("must be tuple of Tensors, not Tensor")
        || numpy::DTYPE.read(message).is_some()
        || python::POSITIONAL_ARGUMENTS_GIVEN.is_in(message) && message.contains(" were given")
        || numpy::SCALAR_INDEX.is_in(message)
        || message.starts_with("Field elements must be 2- or 3-tuples")
        || message == "blocks must be 2-D";
    let several = |c: &&ExprCall| {
        let args = &c.arguments.args;
        let library = case.path_of(&c.func).is_some_and(|p| p.contains('.'));
        let function = callee(c).is_some_and(|n| OF_LISTS.contains(&n))
            // Each takes one value: `np.radians(a, b, c)`.
            || message.contains("from 1 to 2 positional arguments but");
        // `np.zeros(3, float)`, where `float` is a variable.
        let number =
            |e: &Expr| e.is_number_literal_expr() || e.is_unary_op_expr() || e.is_bin_op_expr();
        let second = !numpy::DTYPE.begins(message) || args.get(1).is_some_and(number);
        library && function && second && args.len() > 1 && !args.iter().any(Expr::is_starred_expr)
    };
    let call = only(spot.calls().filter(several).filter(|_| says))?;
    let why = "It takes them as one list.";
    wrap(case, spot, call, call.arguments.args.len(), why)
}

/// `[[1, 2] [3, 4]]`, `[(1, 2) (3, 4)]`: a missing comma.
fn parted(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let message = case.message();
    let indexed = message.starts_with("list ") && python::INDEX_KIND.is_in(message);
    let called = message.starts_with("'tuple' object is not callable")
        || message.starts_with("'str' object is not callable");
    let missing = spot.exprs.iter().filter_map(|e| match e {
        Expr::Subscript(s) if indexed && s.value.is_list_expr() => Some(&*s.value),
        Expr::Call(c) if called && (c.func.is_tuple_expr() || c.func.is_string_literal_expr()) => {
            Some(&*c.func)
        }
        _ => None,
    });
    let before = only(missing)?;
    let shown = one_line(spot.text(before));
    case.edits(
        said(
            "missing-comma",
            Basis::Language,
            format!("Put a comma behind `{shown}`"),
            "Two values stand side by side without one, so that the second is taken for an index or a call.",
        ),
        vec![Change::replace(spot.cell, TextRange::empty(before.end()), ",")],
    )
}

/// `df["a", "b"] = table`: several columns are a list.
fn columns(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    if !case
        .message()
        .starts_with("Cannot set a DataFrame with multiple columns to the single column")
    {
        return None;
    }
    let tuples = spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr().filter(|s| s.ctx.is_store())?;
        s.slice.is_tuple_expr().then_some(s)
    });
    let s = only(tuples)?;
    let text = format!("[{}]", spot.text(&*s.slice));
    case.edits(
        said(
            "columns-list",
            Basis::Language,
            format!("Write `{}[{text}]`", spot.text(&*s.value)),
            "Several columns are one list.",
        ),
        vec![Change::replace(spot.cell, &*s.slice, text)],
    )
}

/// `pd.cut(x, 0, 2, 5, 10)`, `executemany(sql, (1, "a"), (2, "b"))`: literals of one type that form
/// one argument.
fn run_of_literals(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let message = case.message();
    let over = python::POSITIONAL_ARGUMENTS_GIVEN.is_in(message)
        || python::POSITIONAL_ARGUMENT_GIVEN.is_in(message)
        || message.contains(" expected ") && message.contains(", got ")
        || python::GIVEN_TWICE.is_in(message)
        || message.starts_with("a must be ");
    let kind = |e: &Expr| match e {
        Expr::Tuple(_) => Some(0),
        Expr::StringLiteral(_) => Some(1),
        Expr::NumberLiteral(_) => Some(2),
        _ => None,
    };
    for call in spot.calls().filter(|_| over) {
        let args = &call.arguments.args;
        let function = callee(call).unwrap_or("");
        if !(message.contains(function) || message.starts_with("a must be "))
            || !call.func.is_attribute_expr()
        {
            continue;
        }
        let mut from = 0;
        while from < args.len() {
            let of = kind(&args[from]);
            let run = args[from..]
                .iter()
                .take_while(|a| of.is_some() && kind(a) == of)
                .count();
            // Two tuples are rows; two numbers may be anything.
            if run > 2 || run == 2 && of == Some(0) {
                let range = TextRange::new(args[from].start(), args[from + run - 1].end());
                let shown = one_line(spot.text(range));
                return case.edits(
                    said(
                        "one-list",
                        Basis::Assumed,
                        format!("Write `[{shown}]`"),
                        format!("`{function}` takes them as one list."),
                    ),
                    vec![
                        Change::before(spot.cell, &args[from], "["),
                        Change::replace(spot.cell, TextRange::empty(range.end()), "]"),
                    ],
                );
            }
            from += run.max(1);
        }
    }
    None
}

/// Functions whose first argument is a list of names.
const OF_NAMES: &[&str] = &[
    "agg",
    "aggregate",
    "drop",
    "explode",
    "groupby",
    "set_index",
    "sort_values",
];

/// `df.groupby("a", "b")`, `scores.agg("mean", "max")`.
pub(super) fn names_apart(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let message = case.message();
    let says = message.starts_with("level name ")
        && message.contains(" is not the name of the index")
        || pandas::NO_AXIS.begins(message)
        || message.starts_with("numeric_only accepts only Boolean values")
        || python::POSITIONAL_ARGUMENT.is_in(message);
    let names = |c: &&ExprCall| {
        let args = &c.arguments.args;
        let axis = |a: &Expr| {
            let text = a.as_string_literal_expr().map(|t| t.value.to_str());
            text.is_some_and(|t| matches!(t, "index" | "columns" | "rows"))
        };
        callee(c).is_some_and(|n| OF_NAMES.contains(&n))
            && args.len() > 1
            && args.iter().all(Expr::is_string_literal_expr)
            && !axis(&args[1])
    };
    let call = only(spot.calls().filter(names).filter(|_| says))?;
    let why = "Several names are one list; the second argument is another one.";
    wrap(case, spot, call, call.arguments.args.len(), why)
}

/// `strftime(["%d %B"])`: a one-element list where the element is expected.
fn only_one(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let message = case.message();
    let function = message
        .split_once("()")
        .map(|(f, _)| f.rsplit('.').next().unwrap_or(f));
    let names = |c: &&ExprCall| function.is_none_or(|f| callee(c) == Some(f) || f == "int");
    let says = [
        ", not list",
        "not 'list'",
        "got list",
        "'list' object cannot be",
    ];
    let unhashable = python::UNHASHABLE.read(message) == Some(["list"]);
    (unhashable || says.iter().any(|s| message.contains(s))).then_some(())?;
    let lists = spot
        .calls()
        .filter(names)
        .flat_map(|c| &c.arguments.args)
        .filter_map(|a| {
            let list = a.as_list_expr().filter(|l| l.elts.len() == 1)?;
            Some((a, &list.elts[0]))
        });
    let (list, one) = only(lists)?;
    let text = spot.text(one);
    case.edits(
        said(
            "only-one",
            Basis::Assumed,
            format!("Replace `[{text}]` by `{text}`"),
            "It takes the value itself, not a list of one.",
        ),
        vec![Change::replace(spot.cell, list, text)],
    )
}

/// `best = max(words),`: the comma creates a one-element tuple.
fn trailing(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let says = ["'tuple'", "(tuple", ", not tuple", "got tuple"];
    says.iter()
        .any(|s| case.message().contains(s))
        .then_some(())?;
    let mut found: Vec<(&str, usize, &Expr)> = Vec::new();
    for n in spot.exprs.iter().filter_map(|e| e.as_name_expr()) {
        let name = n.id.as_str();
        let value = case.value(name);
        let tuple = value.and_then(|(cell, v)| Some((cell, v.as_tuple_expr()?)));
        if let Some((cell, t)) = tuple.filter(|(_, t)| t.elts.len() == 1 && !t.parenthesized) {
            if !found.iter().any(|f| f.0 == name) {
                found.push((name, cell, &t.elts[0]));
            }
        }
    }
    let [(name, cell, value)] = found[..] else {
        return None;
    };
    let python = case.python(cell)?;
    let rest = &python.text()[value.end().to_usize()..];
    let to = u32::try_from(rest.find(',')? + 1).ok()?;
    let comma = TextRange::new(value.end(), value.end() + TextSize::new(to));
    case.edits(
        said(
            "trailing-comma",
            Basis::Language,
            format!(
                "Remove the comma behind `{name} = {}`",
                one_line(python.slice(value))
            ),
            format!(
                "Line {} of cell {} ends in a comma, which makes `{name}` a tuple.",
                python.line_of(value.end()),
                case.position(cell)
            ),
        ),
        vec![Change::replace(cell, comma, "")],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{ipython, repaired};

    fn fixed(first: &str, code: &str, class: &str, message: &str) -> String {
        repaired(&[first, code], &ipython(class, &[(2, 1, code)], message))
    }

    #[test]
    fn what_belongs_together_becomes_a_list() {
        let message = "cat(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor";
        assert_eq!(
            fixed(
                "import torch",
                "y = torch.cat(a, b, dim=1)",
                "TypeError",
                message
            ),
            "y = torch.cat([a, b], dim=1)"
        );
        let message = "radians() takes from 1 to 2 positional arguments but 4 were given";
        assert_eq!(
            fixed(
                "import numpy as np",
                "r = np.radians(a, b, c, d)",
                "TypeError",
                message
            ),
            "r = np.radians([a, b, c, d])"
        );
        let message = "level name Sex is not the name of the index";
        assert_eq!(
            fixed(
                "df = f()",
                "g = df.groupby('Sport', 'Sex').sum()",
                "ValueError",
                message
            ),
            "g = df.groupby(['Sport', 'Sex']).sum()"
        );
    }

    #[test]
    fn a_list_of_one_becomes_that_one() {
        for (code, message, after) in [
            (
                "s = day.strftime(['%d %B'])",
                "strftime() argument 1 must be str, not list",
                "s = day.strftime('%d %B')",
            ),
            (
                "y = torch.flip([x], dims=[1])",
                "flip(): argument 'input' (position 1) must be Tensor, not list",
                "y = torch.flip(x, dims=[1])",
            ),
            (
                "torch.manual_seed([0])",
                "int() argument must be a string, a bytes-like object or a real number, not 'list'",
                "torch.manual_seed(0)",
            ),
        ] {
            assert_eq!(fixed("import torch", code, "TypeError", message), after);
        }
    }

    #[test]
    fn a_type_that_a_variable_hides_is_no_number() {
        let message = "Cannot interpret '3' as a data type";
        let fixed = |code: &str| fixed("import numpy as np\nfloat = 3", code, "TypeError", message);
        assert_eq!(fixed("z = np.array(1, 3)"), "z = np.array([1, 3])");
        assert!(!fixed("z = np.zeros(4, float)").contains('['));
    }

    #[test]
    fn what_stands_side_by_side_gets_a_comma_or_a_list() {
        let message = "list indices must be integers or slices, not tuple";
        assert_eq!(
            fixed("x = 1", "s = [[1, 2] [3, 4], [5, 6]]", "TypeError", message),
            "s = [[1, 2], [3, 4], [5, 6]]"
        );
        assert_eq!(
            fixed(
                "x = 1",
                "s = [(1, 2) (3, 4)]",
                "TypeError",
                "'tuple' object is not callable"
            ),
            "s = [(1, 2), (3, 4)]"
        );
        let message =
            "Cannot set a DataFrame with multiple columns to the single column ('a', 'b')";
        assert_eq!(
            fixed(
                "df = f()",
                "df['a', 'b'] = df['c'].str.split('@', expand=True)",
                "ValueError",
                message
            ),
            "df[['a', 'b']] = df['c'].str.split('@', expand=True)"
        );
        let message = "executemany expected 2 arguments, got 3";
        assert_eq!(
            fixed(
                "cur = f()",
                "cur.executemany('INSERT', (1, 'a'), (2, 'b'))",
                "TypeError",
                message
            ),
            "cur.executemany('INSERT', [(1, 'a'), (2, 'b')])"
        );
        let message = "cut() got multiple values for argument 'labels'";
        assert_eq!(
            fixed(
                "import pandas as pd",
                "b = pd.cut(x, 0, 2, 5, labels=['n', 'o'])",
                "TypeError",
                message
            ),
            "b = pd.cut(x, [0, 2, 5], labels=['n', 'o'])"
        );
    }

    #[test]
    fn a_comma_at_the_end_makes_no_tuple() {
        let cells = [
            "w = ['a']\nbest = max(w, key=len),  # longest",
            "best.upper()",
        ];
        let message = "'tuple' object has no attribute 'upper'";
        let e = ipython("AttributeError", &[(2, 1, cells[1])], message);
        assert_eq!(
            repaired(&cells, &e),
            "w = ['a']\nbest = max(w, key=len)  # longest"
        );
        let message = "write() argument must be str, not tuple";
        assert_eq!(
            fixed("log = \"a\",", "f.write(log)", "TypeError", message),
            "log = \"a\""
        );
    }
}
