//! Swapped arguments, and positional arguments that must be passed by keyword.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, name, one_line, only, said, text_of, Spot};
use crate::known::is_builtin;
use crate::techniques::libraries;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Number};
use nbmedic_python::{keyword, BindKind};
use nbmedic_wordings::python;

/// Modes of `open`.
const MODES: &[&str] = &[
    "r", "w", "a", "x", "rb", "wb", "ab", "rt", "wt", "at", "r+", "w+", "a+", "rb+", "wb+",
];

/// Built-in functions that people mistake for methods, and the types that lack such a method.
const FUNCTIONS: &[&str] = &[
    "len",
    "sorted",
    "reversed",
    "sum",
    "min",
    "max",
    "abs",
    "round",
    "any",
    "all",
    "str",
    "int",
    "float",
    "list",
    "tuple",
    "set",
    "enumerate",
    "ord",
    "print",
];
const PLAIN: &[&str] = &[
    "list",
    "dict",
    "str",
    "tuple",
    "set",
    "int",
    "float",
    "range",
    "generator",
    "dict_keys",
    "dict_values",
    "map",
    "filter",
    "zip",
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let wrong = matches!(
        case.class(),
        "TypeError" | "ValueError" | "FileNotFoundError" | "AttributeError" | "RuntimeError"
    );
    if !wrong {
        return;
    }
    let spots = case.spots();
    let found = spots.iter().find_map(|spot| {
        of_python(case, spot)
            .or_else(|| by_its_name(case, spot))
            .or_else(|| bounds(case, spot))
            .or_else(|| by_their_names(case, spot))
    });
    out.extend(found);
}

/// The call with its first two positional arguments swapped.
fn swap(
    case: &Case<'_>,
    spot: &Spot<'_>,
    call: &ExprCall,
    basis: Basis,
    why: String,
) -> Option<Cure> {
    let [first, second, ..] = &call.arguments.args[..] else {
        return None;
    };
    let (a, b) = (spot.text(first), spot.text(second));
    let function = callee(call)?;
    let more = if call.arguments.len() > 2 {
        ", …"
    } else {
        ""
    };
    case.edits(
        said(
            "swap-arguments",
            basis,
            format!("Write `{function}({}, {}{more})`", one_line(b), one_line(a)),
            why,
        ),
        vec![
            Change::replace(spot.cell, first, b),
            Change::replace(spot.cell, second, a),
        ],
    )
}

/// Whether an expression names a type or a function.
fn is_callable(case: &Case<'_>, e: &Expr) -> bool {
    match e {
        Expr::Lambda(_) => true,
        Expr::Name(n) => {
            let name = n.id.as_str();
            case.last_set(name).map_or(is_builtin(name), |s| {
                matches!(
                    s.binding.kind,
                    BindKind::Function | BindKind::Class | BindKind::Import
                )
            })
        }
        Expr::Tuple(t) => t.elts.iter().all(|e| is_callable(case, e)),
        _ => false,
    }
}

/// Built-in functions whose argument order is shown by the argument types.
fn of_python(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let message = case.message();
    let two = |c: &&ExprCall| c.arguments.args.len() >= 2;
    for call in spot.calls().filter(two) {
        let (first, second) = (&call.arguments.args[0], &call.arguments.args[1]);
        let plain = call.func.is_name_expr();
        let ordered = is_callable(case, second) || !is_callable(case, first);
        let why = match (callee(call)?, plain) {
            ("isinstance" | "issubclass", true) if message.contains("arg 2 must be a") => {
                if ordered {
                    continue;
                }
                "The object comes first, then the type."
            }
            ("map" | "filter" | "reduce", _) if python::NOT_CALLABLE.is_in(message) => {
                if is_callable(case, first) || !is_callable(case, second) {
                    continue;
                }
                "The function comes first, then what it goes over."
            }
            ("round", true)
                if first.is_number_literal_expr() && !second.is_number_literal_expr() =>
            {
                "The number comes first, then how many digits stay."
            }
            ("open", true) => {
                let mode = text_of(first).is_some_and(|t| MODES.contains(&t));
                if !mode || text_of(second).is_some_and(|t| MODES.contains(&t)) {
                    continue;
                }
                "The path comes first, then the mode."
            }
            ("execute" | "executemany", false)
                if text_of(second).is_some() && text_of(first).is_none() =>
            {
                "The statement comes first, then its values."
            }
            _ => continue,
        };
        return swap(case, spot, call, Basis::Library, why.to_owned());
    }
    // `x.len()`: a built-in function, not a method.
    if let Some([kind, name]) = python::ATTRIBUTE.read(message) {
        let fits = PLAIN.contains(&kind) && FUNCTIONS.contains(&name);
        let is = |c: &&ExprCall| callee(c) == Some(name) && c.func.is_attribute_expr();
        // Calls with keyword arguments belong to a library.
        let own = |c: &&ExprCall| {
            c.arguments.keywords.is_empty() || matches!(name, "sorted" | "min" | "max")
        };
        if let Some(call) = only(spot.calls().filter(is)).filter(|_| fits).filter(own) {
            let owner = spot.text(&*call.func.as_attribute_expr()?.value);
            let rest = spot.text(call.arguments.range).strip_prefix('(')?;
            let comma = if call.arguments.is_empty() { "" } else { ", " };
            let text = format!("{name}({owner}{comma}{rest}");
            return case.edits(
                said(
                    "function-of-python",
                    Basis::Assumed,
                    format!("Write `{}`", one_line(&text)),
                    format!("`{name}` is a function of Python's, not a method."),
                ),
                vec![Change::replace(spot.cell, call, text)],
            );
        }
    }
    // `parts.join(", ")`
    let of_list = message.ends_with("object has no attribute 'join'");
    let join = spot
        .calls()
        .filter(|c| of_list && callee(c) == Some("join"));
    let call = only(join)?;
    let parts = &call.func.as_attribute_expr()?.value;
    let [separator] = &call.arguments.args[..] else {
        return None;
    };
    text_of(separator)?;
    let text = format!("{}.join({})", spot.text(separator), spot.text(&**parts));
    case.edits(
        said(
            "swap-arguments",
            Basis::Library,
            format!("Write `{text}`"),
            "`join` is a method of the text between the parts.".to_owned(),
        ),
        vec![Change::replace(spot.cell, call, text)],
    )
}

/// `min(words, len)`, `open(path, "utf-8")`, and arguments that the message itself names.
fn by_its_name(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let message = case.message();
    // `Use `Series.plot(kind='barh')` instead of …`
    let proposed = message.split_once("Use `").and_then(|(_, rest)| {
        let (call, _) = rest.split_once('`')?;
        let inside = call.split_once('(')?.1.strip_suffix(')')?;
        inside.split_once('=')
    });
    for call in spot.calls() {
        let args = &call.arguments.args;
        let compares = python::COMPARED_KINDS.is_in(message)
            && (message.contains("'function'")
                || message.contains("'builtin_function_or_method'")
                || message.contains("'type'"));
        let (at, new) = match callee(call)? {
            "min" | "max" if compares && args.len() == 2 && is_callable(case, &args[1]) => {
                (1, "key")
            }
            "open" if message.starts_with("invalid mode: ") && args.len() == 2 => (1, "encoding"),
            _ => match proposed {
                Some((name, value))
                    if args.len() == 1
                        && spot.text(&args[0]).trim_matches(['\'', '"'])
                            == value.trim_matches(['\'', '"']) =>
                {
                    (0, name)
                }
                _ => continue,
            },
        };
        if keyword(call, new).is_some() {
            continue;
        }
        let text = spot.text(&args[at]);
        return case.edits(
            said(
                "by-keyword",
                Basis::Library,
                format!("Write `{new}={text}`"),
                format!("`{}` takes it by its name.", spot.text(&*call.func)),
            ),
            vec![Change::before(spot.cell, &args[at], format!("{new}="))],
        );
    }
    None
}

/// `randint(120, 0)`: the lower bound comes first.
fn bounds(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let message = case.message();
    let torch = message.contains("expects 'from' to be less than 'to'");
    if !message.starts_with("low >= high") && !message.starts_with("empty range ") && !torch {
        return None;
    }
    let number = |e: &Expr| match e.as_number_literal_expr().map(|n| &n.value) {
        Some(Number::Int(i)) => i
            .as_i64()
            .and_then(|i| i32::try_from(i).ok())
            .map(f64::from),
        Some(Number::Float(f)) => Some(*f),
        _ => None,
    };
    let draws = |c: &ExprCall| matches!(callee(c), Some("randint" | "integers" | "randrange"));
    let turned = |c: &&ExprCall| match &c.arguments.args[..] {
        _ if !draws(c) => false,
        [a, b, ..] => number(a).zip(number(b)).is_some_and(|(a, b)| a > b),
        _ => false,
    };
    let call = only(spot.calls().filter(turned))?;
    swap(
        case,
        spot,
        call,
        Basis::Assumed,
        "The lower bound comes first.".to_owned(),
    )
}

/// `fit(y_train, X_train)`: the names say which is which.
fn by_their_names(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    for call in spot.calls() {
        let [a, b, ..] = &call.arguments.args[..] else {
            continue;
        };
        let (Some(first), Some(second)) = (name(a), name(b)) else {
            continue;
        };
        let own = case
            .last_set(callee(call)?)
            .and_then(|s| s.binding.stmt.as_function_def_stmt());
        let names = match own {
            Some(def) => def
                .parameters
                .iter()
                .map(|p| p.name().to_string())
                .collect(),
            None => libraries::positional_names(case, call, 0).unwrap_or_else(|| {
                // Every estimator takes them in this order.
                let fits = matches!(
                    callee(call),
                    Some("fit" | "score" | "partial_fit" | "fit_transform")
                );
                let names: &[&str] = if fits { &["X", "y"] } else { &[] };
                names.iter().map(|n| (*n).to_owned()).collect()
            }),
        };
        let [p, q, ..] = &names[..] else { continue };
        let is = |argument: &str, parameter: &str| {
            argument == parameter || argument.starts_with(&format!("{parameter}_"))
        };
        let turned = is(first, q) && is(second, p) && !is(first, p) && !is(second, q);
        if turned {
            let why = format!("It takes `{p}` first, then `{q}`.");
            return swap(case, spot, call, Basis::Assumed, why);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired};

    fn fixed(first: &str, code: &str, class: &str, message: &str) -> String {
        repaired(&[first, code], &ipython(class, &[(2, 1, code)], message))
    }

    #[test]
    fn pythons_own_functions_have_an_order() {
        for (code, class, message, right) in [
            (
                "isinstance(int, x)",
                "TypeError",
                "isinstance() arg 2 must be a type, a tuple of types, or a union",
                "isinstance(x, int)",
            ),
            (
                "list(map(x, str))",
                "TypeError",
                "'list' object is not callable",
                "list(map(str, x))",
            ),
            (
                "y = round(2, x)",
                "TypeError",
                "'float' object cannot be interpreted as an integer",
                "y = round(x, 2)",
            ),
            (
                "f = open('w', 'a.txt')",
                "ValueError",
                "invalid mode: 'a.txt'",
                "f = open('a.txt', 'w')",
            ),
            (
                "n = x.sorted(reverse=True)",
                "AttributeError",
                "'list' object has no attribute 'sorted'",
                "n = sorted(x, reverse=True)",
            ),
            (
                "t = x.join(', ')",
                "AttributeError",
                "'list' object has no attribute 'join'",
                "t = ', '.join(x)",
            ),
        ] {
            assert_eq!(fixed("x = [1]", code, class, message), right);
        }
    }

    #[test]
    fn what_is_taken_by_name_gets_its_name() {
        let message = "'<' not supported between instances of 'function' and 'list'";
        assert_eq!(
            fixed("x = [1]", "m = min(x, lambda v: v)", "TypeError", message),
            "m = min(x, key=lambda v: v)"
        );
        assert_eq!(
            fixed(
                "p = 'a'",
                "f = open(p, 'utf-8')",
                "ValueError",
                "invalid mode: 'utf-8'"
            ),
            "f = open(p, encoding='utf-8')"
        );
        let message = "`Series.plot()` should not be called with positional arguments, only keyword arguments. Use `Series.plot(kind='barh')` instead of `Series.plot('barh',)`.";
        assert_eq!(
            fixed(
                "s = f()",
                "s.plot(\"barh\", color='k')",
                "TypeError",
                message
            ),
            "s.plot(kind=\"barh\", color='k')"
        );
    }

    #[test]
    fn names_and_bounds_show_the_order() {
        let import = "import numpy as np\nr = np.random.default_rng()";
        assert_eq!(
            fixed(
                import,
                "x = np.random.randint(120, 0, (3, 2))",
                "ValueError",
                "low >= high"
            ),
            "x = np.random.randint(0, 120, (3, 2))"
        );
        let cells = [
            "X_train = [[1]]\ny_train = [1]",
            "clf.fit(y_train, X_train)",
        ];
        let e = ipython(
            "ValueError",
            &[(2, 1, cells[1])],
            "could not convert string to float: 'class_2'",
        );
        assert_eq!(repaired(&cells, &e), "clf.fit(X_train, y_train)");
        let def = "def area(width, height):\n    return width * height";
        let cells = [def, "width = 1\nheight = 'x'", "area(width, height)"];
        let e = ipython("TypeError", &[(3, 1, cells[2])], "can't multiply");
        assert!(cures_of(&cells, &e)
            .iter()
            .all(|c| c.id != "swap-arguments"));
    }
}
