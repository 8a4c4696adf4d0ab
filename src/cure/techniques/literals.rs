//! Literals of the wrong type: a quoted number, an integer with a decimal point.
//!
//! Such a literal is suspicious by itself. If the message mentions its type, and it is the only one on the way to the
//! failure, it is the cause, whatever the library and the wording.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, only, said, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, Keyword, Number};
use nbmedic_python::{each_below, keyword, Ranged, TextRange};
use nbmedic_wordings::{about, pandas, python};
use std::collections::BTreeSet;

/// Functions and methods that legitimately take strings.
const OF_TEXT: &[&str] = &[
    "int",
    "float",
    "complex",
    "str",
    "ord",
    "len",
    "print",
    "open",
    "format",
    "Decimal",
    "Fraction",
    "replace",
    "split",
    "rsplit",
    "strip",
    "lstrip",
    "rstrip",
    "join",
    "startswith",
    "endswith",
    "find",
    "rfind",
    "count",
    "partition",
    "encode",
    "contains",
    "get",
    "pop",
    "setdefault",
    "col",
    "getattr",
    "setattr",
    "getenv",
    "add_argument",
    "fullmatch",
    "match",
    "search",
    "sub",
    "findall",
    "to_numeric",
    "to_datetime",
    "Timestamp",
    "strptime",
    "append",
    "isin",
    "eq",
    "rename",
    "drop",
];

/// A literal, and its form in the other type.
struct Odd {
    range: TextRange,
    was: String,
    right: String,
}

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    if let Some(cure) = axis(case, message) {
        out.push(cure);
        return;
    }
    let text = speaks_of_text(message);
    let point = speaks_of_a_whole_number(message);
    if !text && !point {
        return;
    }
    for spot in case.spots() {
        let mut odd = odd_arguments(&spot, text, point);
        // The one quoted in the message.
        if odd.len() > 1 {
            odd.retain(|o| message.contains(o.was.trim_matches(['"', '\''])));
        }
        let [one] = &odd[..] else {
            if odd.is_empty() {
                continue;
            }
            return;
        };
        let what = match one.was.starts_with(['"', '\'']) {
            true => format!("`{}` is text, and here a number is wanted.", one.was),
            false => format!(
                "`{}` isn't a whole number to Python, and one is wanted.",
                one.was
            ),
        };
        let said = said(
            "literal-kind",
            Basis::Language,
            format!("Write `{}` for `{}`", one.right, one.was),
            what,
        );
        let change = Change::replace(spot.cell, one.range, one.right.clone());
        out.extend(case.edits(said, vec![change]));
        return;
    }
}

/// The same for a name assigned from such a literal, if nothing repairs the failing line itself.
pub(crate) fn set(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let text = speaks_of_text(message);
    // Many names legitimately hold a float.
    let point = python::FLOAT_FOR_INTEGER.begins(message);
    if text || point {
        out.extend(where_set(case, message, text, point));
    }
}

/// The only odd literal assigned to a name on the failing lines: `n = "3"`, then `np.zeros(n)`.
fn where_set(case: &Case<'_>, message: &str, text: bool, point: bool) -> Option<Cure> {
    let mut found: Vec<(&str, usize, Odd)> = Vec::new();
    let mut seen = BTreeSet::new();
    for spot in case.spots() {
        let names = spot.exprs.iter().filter_map(|e| e.as_name_expr());
        for n in names.filter(|n| n.ctx.is_load()) {
            let name = n.id.as_str();
            let Some((cell, value)) = seen.insert(name).then(|| case.value(name)).flatten() else {
                continue;
            };
            let python = case.python(cell)?;
            if let Some(odd) = odd(value, text, point, python.slice(value)) {
                found.push((name, cell, odd));
            }
        }
    }
    if found.len() > 1 {
        found.retain(|(_, _, o)| message.contains(o.was.trim_matches(['"', '\''])));
    }
    let [(name, cell, odd)] = &found[..] else {
        return None;
    };
    let line = case.python(*cell)?.line_of(odd.range.start());
    case.edits(
        said(
            "literal-kind",
            Basis::Assumed,
            format!("Write `{name} = {}` for `{name} = {}`", odd.right, odd.was),
            format!(
                "Line {line} of cell {} sets it; here a number of another kind is wanted.",
                case.position(*cell)
            ),
        ),
        vec![Change::replace(*cell, odd.range, odd.right.clone())],
    )
}

/// A literal of the unwanted type.
fn odd(e: &Expr, text: bool, point: bool, was: &str) -> Option<Odd> {
    let right = match e {
        Expr::StringLiteral(s) if text => number(s.value.to_str()).map(ToOwned::to_owned),
        Expr::NumberLiteral(n) if point => match &n.value {
            Number::Float(f) if f.fract() == 0.0 && f.abs() < 1e15 => Some(format!("{f:.0}")),
            _ => None,
        },
        _ => None,
    };
    Some(Odd {
        range: e.range(),
        was: was.to_owned(),
        right: right?,
    })
}

/// `axis=2` of a table, which has the axes 0 and 1: the last one is meant.
fn axis(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [wrong, of] = pandas::NO_AXIS.read(message)?;
    let right = if of.starts_with("Series") { "0" } else { "1" };
    wrong
        .parse::<u32>()
        .ok()
        .filter(|n| *n >= 1 && wrong != right)?;
    let spots = case.spots();
    let (spot, value) = spots.iter().find_map(|spot| {
        let axes = spot.calls().filter_map(|c| keyword(c, "axis"));
        let is = |k: &&Keyword| spot.text(&k.value) == wrong;
        Some((spot, &only(axes.filter(is))?.value))
    })?;
    case.edits(
        said(
            "axis",
            Basis::Assumed,
            format!("Write `axis={right}` for `axis={wrong}`"),
            format!("A {of} has no axis {wrong}; its last one is {right}."),
        ),
        vec![Change::replace(spot.cell, value, right)],
    )
}

/// Whether a message complains about a string.
fn speaks_of_text(message: &str) -> bool {
    let word = |c: char| !(c.is_alphanumeric() || c == '_');
    let kinds = |w: &str| {
        matches!(
            w,
            "str" | "StrDType" | "U1" | "U2" | "U3" | "U4" | "U5" | "string"
        )
    };
    let wanted = |w: &str| {
        matches!(
            w,
            "int" | "integer" | "float" | "number" | "numeric" | "real"
        )
    };
    let quotes_a_number = message
        .split(['\'', '"', '`'])
        .skip(1)
        .step_by(2)
        .any(|q| number(q).is_some());
    let mut words = message.split(word);
    words.clone().any(kinds)
        || quotes_a_number && words.any(wanted)
        || message.contains("should be float")
        || pandas::NO_AXIS.begins(message)
        || about::NUMBER_WANTED.is_in(message)
}

/// Whether a message asks for an integer or complains about a float.
fn speaks_of_a_whole_number(message: &str) -> bool {
    let word = |c: char| !(c.is_alphanumeric() || c == '_');
    let asked = |w: &str| {
        matches!(
            w,
            "integer" | "integers" | "int" | "ints" | "int32" | "int64"
        )
    };
    // It complains about something else.
    let list = python::AS_INTEGER.read(message) == Some(["list"]);
    !list
        && message.split(word).any(asked)
        && (message.contains("float") || message.contains(".0") || message.contains("integer"))
}

/// The number in a string, as Python source.
fn number(text: &str) -> Option<&str> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let plain =
        digits.chars().all(|c| c.is_ascii_digit() || c == '.') && digits.matches('.').count() <= 1;
    let zeros = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    (plain && !zeros && digits.chars().any(|c| c.is_ascii_digit())).then_some(text)
}

/// The odd literals among the arguments, slices and indices of a statement.
fn odd_arguments(spot: &Spot<'_>, text: bool, point: bool) -> Vec<Odd> {
    let mut out: Vec<Odd> = Vec::new();
    let mut look = |e: &Expr| {
        let odd = odd(e, text, point, spot.text(e));
        out.extend(odd.filter(|_| !out.iter().any(|o| o.range == e.range())));
    };
    for e in &spot.exprs {
        each_argument(e, &mut look);
        each_below(e, &mut |b| each_argument(b, &mut look));
    }
    out
}

/// Visits what an expression passes on: the arguments of a call, including the members of a list or
/// tuple, and numeric indexes.
fn each_argument(e: &Expr, f: &mut dyn FnMut(&Expr)) {
    let mut with_members = |e: &Expr| match e {
        Expr::Tuple(t) => t.elts.iter().for_each(&mut *f),
        Expr::List(l) => l.elts.iter().for_each(&mut *f),
        e => f(e),
    };
    match e {
        Expr::Call(c) if !callee(c).is_some_and(|n| OF_TEXT.contains(&n)) => {
            c.arguments.args.iter().for_each(&mut with_members);
            c.arguments
                .keywords
                .iter()
                .for_each(|k| with_members(&k.value));
        }
        Expr::Subscript(s) => match &*s.slice {
            Expr::Slice(slice) => {
                let parts = [&slice.lower, &slice.upper, &slice.step];
                parts.into_iter().flatten().for_each(|p| with_members(p));
            }
            Expr::NumberLiteral(_) => with_members(&s.slice),
            _ => {}
        },
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired};

    fn fixed(code: &str, class: &str, message: &str) -> String {
        let cells = ["x = a = df = f()", code];
        repaired(&cells, &ipython(class, &[(2, 1, code)], message))
    }

    #[test]
    fn a_literal_is_changed_where_a_name_is_set_to_it() {
        let cells = ["n = \"3\"\nm = 4", "z = np.zeros(n)"];
        let message = "'str' object cannot be interpreted as an integer";
        let e = ipython("TypeError", &[(2, 1, cells[1])], message);
        assert_eq!(repaired(&cells, &e), "n = 3\nm = 4");
    }

    #[test]
    fn a_table_has_two_axes() {
        for (code, message, right) in [
            (
                "d = df.max(axis=\"1\")",
                "No axis named 1 for object type DataFrame",
                "d = df.max(axis=1)",
            ),
            (
                "d = df.drop(x, axis=2)",
                "No axis named 2 for object type DataFrame",
                "d = df.drop(x, axis=1)",
            ),
            (
                "d = s.sum(axis=1)",
                "No axis named 1 for object type Series",
                "d = s.sum(axis=0)",
            ),
        ] {
            let e = ipython("ValueError", &[(1, 1, code)], message);
            assert_eq!(repaired(&[code], &e), right);
        }
    }

    #[test]
    fn a_number_in_quotation_marks_is_written_without() {
        for (code, class, message, right) in [
            (
                "for i in range(\"1\", a):\n    pass",
                "TypeError",
                "'str' object cannot be interpreted as an integer",
                "for i in range(1, a):\n    pass",
            ),
            (
                "k = KNeighborsClassifier(\"7\", weights='distance')",
                "InvalidParameterError",
                "The 'n_neighbors' parameter of KNeighborsClassifier must be an int in the range [1, inf) or None. Got '7' instead.",
                "k = KNeighborsClassifier(7, weights='distance')",
            ),
            (
                "h = np.maximum(\"0\", x)",
                "UFuncTypeError",
                "ufunc 'maximum' did not contain a loop with signature matching types (dtype('<U1'), dtype('float64')) -> None",
                "h = np.maximum(0, x)",
            ),
            (
                "y = x.transpose(1, \"2\")",
                "TypeError",
                "transpose(): argument 'dim1' (position 2) must be int, not str",
                "y = x.transpose(1, 2)",
            ),
        ] {
            assert_eq!(fixed(code, class, message), right);
        }
    }

    #[test]
    fn a_whole_number_is_written_without_its_point() {
        let message = "'float' object cannot be interpreted as an integer";
        assert_eq!(
            fixed("y = round(x, 3.0)", "TypeError", message),
            "y = round(x, 3)"
        );
        let message = "expected a sequence of integers or a single integer, got '10.0'";
        assert_eq!(
            fixed("y = np.zeros(10.0)", "TypeError", message),
            "y = np.zeros(10)"
        );
    }

    #[test]
    fn it_is_looked_for_where_the_function_was_called() {
        let cells = [
            "def simulate(n):\n    return list(range(n))",
            "h = simulate(25.0)",
        ];
        let message = "'float' object cannot be interpreted as an integer";
        let frames = [(2, 1, cells[1]), (1, 2, "    return list(range(n))")];
        let cures = cures_of(&cells, &ipython("TypeError", &frames, message));
        assert_eq!(cures[0].code, "h = simulate(25)");
    }

    #[test]
    fn of_two_that_may_be_meant_neither_is() {
        let message = "'str' object cannot be interpreted as an integer";
        assert_eq!(fixed("y = f(\"1\", \"2\")", "TypeError", message), "");
        // A key is legitimately a string.
        assert_eq!(fixed("y = f(x[\"1\"])", "TypeError", message), "");
        let message = "unsupported operand type(s) for +: 'int' and 'str'";
        let code = "y = 1 + x.replace(\"1\", \"\")";
        assert_eq!(fixed(code, "TypeError", message), "");
        // The message is about something else.
        assert_eq!(
            fixed("y = f(\"1\")", "TypeError", "unhashable type: 'list'"),
            ""
        );
    }
}
