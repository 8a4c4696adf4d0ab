//! Methods that weren't called: the method itself is used in place of its result.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, name, one_line, only, receiver, said, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprAttribute, Stmt};
use nbmedic_python::{each_stmt, positional, Cell, Ranged, TextRange};
use nbmedic_wordings::python;

/// Members that are values.
pub(super) const VALUES: &[&str] = &[
    "shape", "columns", "dtypes", "dtype", "size", "index", "values", "T", "ndim", "name",
    "classes_", "device", "data", "grad", "real", "imag", "str", "dt", "cat", "loc", "iloc", "at",
    "iat", "axes", "figure", "stem", "suffix", "parent",
];

/// Methods usually called without arguments.
const METHODS: &[&str] = &[
    "parameters",
    "named_parameters",
    "children",
    "modules",
    "items",
    "keys",
    "values",
    "iterrows",
    "itertuples",
    "split",
    "tolist",
    "sum",
    "mean",
    "min",
    "max",
    "std",
    "var",
    "median",
    "count",
    "copy",
    "lower",
    "upper",
    "title",
    "strip",
    "capitalize",
    "head",
    "tail",
    "describe",
    "info",
    "nunique",
    "unique",
    "value_counts",
    "item",
    "numpy",
    "any",
    "all",
    "cumsum",
    "prod",
    "argmax",
    "argmin",
    "argsort",
    "sort",
    "reverse",
    "pop",
    "read",
    "readlines",
    "close",
    "isnull",
    "isna",
    "notna",
    "dropna",
    "to_list",
    "to_numpy",
    "flatten",
    "ravel",
    "squeeze",
    "detach",
    "cpu",
    "cuda",
    "float",
    "long",
    "int",
    "backward",
    "step",
    "zero_grad",
    "eval",
    "train",
    "random",
    "rand",
    "randn",
    "now",
    "today",
    "time",
    "date",
    "isoformat",
    "total_seconds",
    "state_dict",
    "summary",
    "corr",
    "abs",
    "round",
    "sort_index",
    "reset_index",
    "toarray",
    "todense",
];

/// Methods that return a collection: an index selects an item of it and isn't an argument.
const COLLECTIONS: &[&str] = &[
    "items",
    "keys",
    "values",
    "split",
    "tolist",
    "to_list",
    "unique",
    "value_counts",
    "copy",
    "readlines",
    "to_numpy",
    "numpy",
    "flatten",
    "ravel",
    "squeeze",
    "isnull",
    "isna",
    "notna",
    "dropna",
    "describe",
    "lower",
    "upper",
    "title",
    "strip",
    "capitalize",
    "read",
    "parameters",
    "children",
    "modules",
    "cumsum",
    "argsort",
    "detach",
    "cpu",
    "corr",
    "abs",
];

/// Whether square brackets after a method index its result: `df.isna().sum[lambda s: s > 0]`,
/// `text.split[0]`; `df.head[5]` is a call.
pub(super) fn indexes_the_result(method: &str, index: &Expr) -> bool {
    let part = match index {
        Expr::Slice(_) | Expr::Lambda(_) | Expr::Compare(_) | Expr::StringLiteral(_) => true,
        Expr::UnaryOp(_) | Expr::NumberLiteral(_) => COLLECTIONS.contains(&method),
        _ => false,
    };
    part && METHODS.contains(&method)
}

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    if message.starts_with("descriptor '") && message.contains("'super'") {
        out.extend(case.spot().and_then(|spot| of_super(case, &spot)));
    }
    if message.starts_with("cannot unpack non-iterable ") && message.ends_with(" object") {
        out.extend(case.spot().and_then(|spot| unpacked(case, &spot)));
    }
    if !speaks_of_a_method(message) {
        return;
    }
    let cure = match python::NO_ATTRIBUTE.read(message) {
        Some([name]) => chained(case, name),
        None => {
            let spots = case.spots();
            let here = spots.iter().find_map(|spot| operand(case, spot));
            here.or_else(|| stored(case, spots.first()?))
        }
    };
    out.extend(cure);
}

/// Whether a message reports a method or function as a value's type.
fn speaks_of_a_method(message: &str) -> bool {
    let word = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'));
    message.contains("'function'")
        || message.contains("'method'")
        || message.contains("type method")
        || message.split(word).any(|w| {
            matches!(
                w,
                "builtin_function_or_method" | "method-wrapper" | "method_descriptor"
            )
        })
}

/// `fig, ax = plt.subplots`
fn unpacked(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let function = [
        "function object",
        "method object",
        "builtin_function_or_method object",
    ];
    let function = function.iter().any(|f| case.message().ends_with(f));
    let value = &spot.stmt?.as_assign_stmt().filter(|_| function)?.value;
    (value.is_attribute_expr() || value.is_name_expr()).then_some(())?;
    let text = one_line(spot.text(&**value));
    case.edits(
        said(
            "call-it",
            Basis::Language,
            format!("Call it: `{text}()`"),
            format!("Without `()` `{text}` is the function itself, and not what it gives."),
        ),
        vec![spot.editor().append(&**value, "()")],
    )
}

/// `results[name] = scores.mean`, and the values of `results` are compared.
fn stored(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let behind = case.names_behind(&spot.exprs);
    let mut found = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        each_stmt(python.body(), &mut |s| {
            let into = |e: &Expr| match e {
                Expr::Subscript(s) => name(&s.value).is_some_and(|n| behind.contains(n)),
                other => name(other).is_some_and(|n| behind.contains(n)),
            };
            let value = match s {
                Stmt::Assign(a) if a.targets.iter().any(into) => Some(&*a.value),
                Stmt::Expr(e) => {
                    let call = e
                        .value
                        .as_call_expr()
                        .filter(|c| matches!(callee(c), Some("append" | "add")));
                    let to = call.filter(|c| receiver(c).is_some_and(into));
                    to.and_then(|c| positional(c, 0))
                }
                _ => None,
            };
            let method = value.and_then(Expr::as_attribute_expr);
            let method = method.filter(|a| {
                METHODS.contains(&a.attr.as_str()) && !VALUES.contains(&a.attr.as_str())
            });
            found.extend(method.map(|a| (cell, python, a)));
        });
    }
    let (cell, python, method) = only(found.into_iter())?;
    called(case, cell, python, &[method], true)
}

/// `line.lower.translate(t)`.
fn chained(case: &Case<'_>, missing: &str) -> Option<Cure> {
    let spot = case.spot()?;
    let a = only(spot.attributes(missing))?;
    match &*a.value {
        Expr::Attribute(method) if !is_module(case, method) => {
            called(case, spot.cell, spot.python, &[method], true)
        }
        Expr::Name(n) => kept(case, n.id.as_str()),
        _ => None,
    }
}

/// `E.max() - E.min`, `float(x.sum)`, `f"{s.title:<10}"`.
fn operand(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let mut exprs: Vec<&Expr> = spot.exprs.clone();
    for e in &spot.exprs {
        nbmedic_python::each_below(e, &mut |b| exprs.push(b));
    }
    // Called expressions, and those on the way to another, are meant as written.
    let mut passed: Vec<TextRange> = Vec::new();
    let mut bare: Vec<&ExprAttribute> = Vec::new();
    for e in exprs {
        match e {
            Expr::Call(c) => {
                passed.push(c.func.range());
                // `max(scores, scores.get)`: it lacks the keyword `key=`.
                let orders = c.func.as_name_expr();
                if orders.is_some_and(|n| matches!(n.id.as_str(), "max" | "min" | "sorted")) {
                    passed.extend(c.arguments.args.iter().skip(1).map(Ranged::range));
                }
            }
            // An indexed function has its own technique; here, an item of its result is selected.
            Expr::Subscript(s) if !s.slice.is_slice_expr() => passed.push(s.value.range()),
            Expr::Attribute(a) => {
                passed.push(a.value.range());
                if a.ctx.is_load() && !bare.iter().any(|b| b.range() == a.range()) {
                    bare.push(a);
                }
            }
            _ => {}
        }
    }
    // `values` is an attribute of a table and a method of a dict; the message tells that it is a
    // method.
    let value = |a: &ExprAttribute| {
        let name = a.attr.as_str();
        VALUES.contains(&name) && name != "values"
    };
    bare.retain(|a| !passed.contains(&a.range()) && !value(a));
    let usual = |a: &&ExprAttribute| METHODS.contains(&a.attr.as_str());
    let known: Vec<&ExprAttribute> = bare.iter().copied().filter(usual).collect();
    if !known.is_empty() {
        return called(case, spot.cell, spot.python, &known, known.len() == 1);
    }
    bare.retain(|a| !is_module(case, a));
    if let [one] = bare[..] {
        return called(case, spot.cell, spot.python, &[one], true);
    }
    let names = spot.exprs.iter().filter_map(|e| e.as_name_expr());
    names.filter_map(|n| kept(case, n.id.as_str())).next()
}

fn is_module(case: &Case<'_>, a: &ExprAttribute) -> bool {
    case.path_of(&a.value).is_some()
}

/// A name assigned from a method: `centers = table.mean`.
fn kept(case: &Case<'_>, name: &str) -> Option<Cure> {
    let (cell, value) = case.value(name)?;
    let method = value.as_attribute_expr()?;
    if is_module(case, method) || VALUES.contains(&method.attr.as_str()) {
        return None;
    }
    called(case, cell, case.python(cell)?, &[method], true)
}

/// Adds the missing parentheses.
fn called(
    case: &Case<'_>,
    cell: usize,
    python: &Cell,
    methods: &[&ExprAttribute],
    clear: bool,
) -> Option<Cure> {
    let first = methods.first()?;
    let text = one_line(python.slice(*first));
    let changes = methods
        .iter()
        .map(|m| Change::after(cell, *m, "()"))
        .collect();
    let basis = match clear {
        true => Basis::Source,
        false => Basis::Assumed,
    };
    case.edits(
        said(
            "call-it",
            basis,
            format!("Call it: `{text}()`"),
            format!("`{text}` is the method itself; with brackets it gives what is asked for."),
        ),
        changes,
    )
}

/// `super.__init__()`.
fn of_super(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let mut bare = None;
    for e in &spot.exprs {
        each_below_or_self(e, &mut |e| {
            let on_super = e.as_attribute_expr().map(|a| &*a.value);
            if let Some(name) =
                on_super.filter(|v| v.as_name_expr().is_some_and(|n| n.id.as_str() == "super"))
            {
                bare = Some(name);
            }
        });
    }
    case.edits(
        said(
            "call-it",
            Basis::Language,
            "Call it: `super()`",
            "`super` is the class itself; `super()` is this object as one of its base class.",
        ),
        vec![spot.editor().append(bare?, "()")],
    )
}

fn each_below_or_self<'e>(e: &'e Expr, f: &mut dyn FnMut(&'e Expr)) {
    f(e);
    nbmedic_python::each_below(e, f);
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired, repaired_first};
    use nbmedic_facts::Applicability;

    fn fixed(code: &str, class: &str, message: &str) -> String {
        let cells = ["E = d = s = x = f()", code];
        repaired(&cells, &ipython(class, &[(2, 1, code)], message))
    }

    #[test]
    fn a_method_is_called_where_its_value_is_wanted() {
        for (code, class, message, right) in [
            (
                "y = s.lower.translate(t)",
                "AttributeError",
                "'builtin_function_or_method' object has no attribute 'translate'",
                "y = s.lower().translate(t)",
            ),
            (
                "y = E.max() - E.min",
                "TypeError",
                "unsupported operand type(s) for -: 'float' and 'builtin_function_or_method'",
                "y = E.max() - E.min()",
            ),
            (
                "y = float(d[\"a\"].sum)",
                "TypeError",
                "float() argument must be a string or a real number, not 'method'",
                "y = float(d[\"a\"].sum())",
            ),
            (
                "y = f\"{s.title:<10}\"",
                "TypeError",
                "unsupported format string passed to builtin_function_or_method.__format__",
                "y = f\"{s.title():<10}\"",
            ),
            (
                "for k, v in d.own_pairs:\n    pass",
                "TypeError",
                "'method' object is not iterable",
                "for k, v in d.own_pairs():\n    pass",
            ),
            (
                "for v in d.values:\n    pass",
                "TypeError",
                "'builtin_function_or_method' object is not iterable",
                "for v in d.values():\n    pass",
            ),
        ] {
            assert_eq!(fixed(code, class, message), right);
        }
    }

    #[test]
    fn a_method_that_a_name_keeps_is_called_where_it_was_kept() {
        let cells = ["c = t.groupby('a').mean", "c['b']"];
        let e = ipython(
            "TypeError",
            &[(2, 1, cells[1])],
            "'method' object is not subscriptable",
        );
        let cures = cures_of(&cells, &e);
        assert_eq!(cures[0].edits[0].cell, 1);
        assert_eq!(cures[0].edits[0].text, "()");
        let two = "y = E.max - E.min";
        let message = "unsupported operand type(s) for -: 'method' and 'method'";
        let e = ipython("TypeError", &[(2, 1, two)], message);
        let cures = cures_of(&["E = f()", two], &e);
        assert_eq!(cures[0].code, "y = E.max() - E.min()");
        assert_eq!(cures[0].applies, Applicability::Likely);
    }

    #[test]
    fn a_function_that_is_unpacked_is_called() {
        let cells = ["import matplotlib.pyplot as plt", "fig, ax = plt.subplots"];
        assert_eq!(
            repaired_first(
                &cells,
                "TypeError",
                "cannot unpack non-iterable function object"
            ),
            "fig, ax = plt.subplots()"
        );
    }

    #[test]
    fn what_is_no_method_stays() {
        // The message is about a value, not a method.
        let message = "unsupported operand type(s) for -: 'float' and 'str'";
        assert_eq!(fixed("y = E.max() - E.own", "TypeError", message), "");
        let message = "'builtin_function_or_method' object is not iterable";
        assert_eq!(fixed("y = list(E.shape)", "TypeError", message), "");
    }
}
