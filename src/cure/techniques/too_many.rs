//! Too many positional arguments: removes the extra ones.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, only, said, Spot};
use crate::known::is_builtin;
use crate::techniques::libraries;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::keyword;
use nbmedic_wordings::python;

/// For functions outside the notebook (for the notebook's own, `own_calls` knows more) without
/// another function that takes the arguments.
pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "TypeError" {
        out.extend(fewer(case));
    }
}

/// The call without the extra arguments.
pub(super) fn fewer(case: &Case<'_>) -> Option<Cure> {
    let (function, over) = too_many(case.message())?;
    let short = function.rsplit('.').next().unwrap_or(function);
    for spot in case.spots() {
        let named = |c: &&ExprCall| {
            let name = callee(c).unwrap_or("");
            // A class is called by its name, and its `__init__` complains.
            let class = short == "__init__" && function.starts_with(&format!("{name}."));
            // A layer is called directly.
            let layer = short == "forward" && c.func.is_attribute_expr() && name != "forward";
            (name == short || class || layer)
                && c.arguments.args.len() >= over
                // What is there twice is no other argument, whatever else the function takes.
                && (by_position(case, c) || over == 1 && repeated(&spot, c).is_some())
        };
        let Some(call) = only(spot.calls().filter(named)) else {
            continue;
        };
        let args = &call.arguments.args;
        if matches!(short, "sorted" | "sort") {
            return by_its_kind(case, &spot, call);
        }
        let text = |i: usize| spot.text(&args[i]);
        // A repeated one, or else the last.
        let gone: Vec<usize> = match repeated(&spot, call) {
            Some(i) if over == 1 => vec![i],
            _ => (args.len() - over..args.len()).collect(),
        };
        let first = gone.first()?;
        let changes = gone
            .iter()
            .map(|i| spot.editor().remove(call, &args[*i]))
            .collect();
        let shown = text(*first);
        return case.edits(
            said(
                "extra-argument",
                Basis::Assumed,
                format!("Remove `{shown}` from `{short}(…)`"),
                format!(
                    "`{}` gets {over} more than it takes.",
                    spot.text(&*call.func)
                ),
            ),
            changes,
        );
    }
    None
}

/// The last positional argument that is there before.
fn repeated(spot: &Spot<'_>, call: &ExprCall) -> Option<usize> {
    let args = &call.arguments.args;
    let text = |i: usize| spot.text(&args[i]);
    (0..args.len())
        .rev()
        .find(|i| (0..*i).any(|o| text(o) == text(*i)))
}

/// `sorted(xs, True)`: sort functions take the order and the key by keyword only.
fn by_its_kind(case: &Case<'_>, spot: &Spot<'_>, call: &ExprCall) -> Option<Cure> {
    let value = call.arguments.args.last()?;
    let name = match value {
        Expr::BooleanLiteral(_) => "reverse",
        Expr::Lambda(_) | Expr::Name(_) | Expr::Attribute(_) => "key",
        _ => return None,
    };
    if keyword(call, name).is_some() {
        return None;
    }
    case.edits(
        said(
            "by-keyword",
            Basis::Library,
            format!("Write `{name}={}`", spot.text(value)),
            format!(
                "`{}` takes `{name}` only by its name.",
                spot.text(&*call.func)
            ),
        ),
        vec![Change::before(spot.cell, value, format!("{name}="))],
    )
}

/// The function in a message, and the number of extra positional arguments.
pub(super) fn too_many(message: &str) -> Option<(&str, usize)> {
    let number = |w: &str| -> Option<usize> {
        match w {
            "no" => Some(0),
            "one" => Some(1),
            "two" => Some(2),
            _ => w.parse().ok(),
        }
    };
    if message.ends_with("sort() takes no positional arguments") {
        return Some(("sort", 1));
    }
    if message.contains("keyword-only") || python::UNEXPECTED_ARGUMENT.is_in(message) {
        return None;
    }
    let words = |t: &str| -> Vec<usize> {
        let all = t.split(|c: char| !c.is_alphanumeric());
        all.filter_map(number).collect()
    };
    // `f() takes 2 positional arguments but 3 were given`, `f() takes at most 3 arguments (4 given)`.
    let (function, most, given) = if let Some((function, rest)) = message.split_once("() takes ") {
        let at = rest.find(" but ").or_else(|| rest.find('('))?;
        (function, words(&rest[..at]), words(&rest[at..]))
    } else {
        // `float expected at most 1 argument, got 2`
        let (function, rest) = message.split_once(" expected ")?;
        let (most, given) = rest.split_once(", got ")?;
        (function, words(most), words(given))
    };
    let over = given.first()?.checked_sub(*most.last()?)?;
    let plain = function
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    (over > 0 && plain).then_some((function, over))
}

/// Whether a function only takes positional arguments: the notebook's own, Python's, and those in
/// no library table. Others may take the extra ones by keyword.
fn by_position(case: &Case<'_>, call: &ExprCall) -> bool {
    let Some(name) = callee(call) else {
        return false;
    };
    let own = || {
        let mut cells = case.seen().into_iter().filter_map(|cell| case.python(cell));
        cells.any(|p| p.names().binds.iter().any(|b| b.name == name))
    };
    let foreign = || case.path_of(&call.func).is_some() || call.func.is_attribute_expr();
    // A library function's keyword-only parameters may be meant for the extra arguments.
    let full = || {
        let taken = libraries::accepted(case, call);
        let free = |t: &String| keyword(call, t).is_none();
        taken.is_none_or(|t| t.iter().filter(|t| free(t)).count() < call.arguments.args.len())
    };
    is_builtin(name) || own() || foreign() && full()
}

#[cfg(test)]
mod tests {
    use super::too_many;
    use crate::tests::{ipython, repaired};

    #[test]
    fn messages_say_how_many_are_over() {
        for (message, found) in [
            (
                "shift() takes 2 positional arguments but 3 were given",
                Some(("shift", 1)),
            ),
            (
                "Random.choice() takes 2 positional arguments but 3 were given",
                Some(("Random.choice", 1)),
            ),
            (
                "getRotationMatrix2D() takes at most 3 arguments (4 given)",
                Some(("getRotationMatrix2D", 1)),
            ),
            (
                "list.append() takes exactly one argument (3 given)",
                Some(("list.append", 2)),
            ),
            (
                "float expected at most 1 argument, got 2",
                Some(("float", 1)),
            ),
            (
                "f() takes from 1 to 2 positional arguments but 3 were given",
                Some(("f", 1)),
            ),
            ("f() takes 2 positional arguments but 1 was given", None),
            ("len() takes exactly one argument (0 given)", None),
        ] {
            assert_eq!(too_many(message), found, "{message}");
        }
    }

    #[test]
    fn what_is_over_goes() {
        let fixed = |first: &str, code: &str, message: &str| {
            repaired(
                &[first, code],
                &ipython("TypeError", &[(2, 1, code)], message),
            )
        };
        let def = "def shift(a, b):\n    return a";
        let message = "shift() takes 2 positional arguments but 3 were given";
        assert_eq!(fixed(def, "shift('x', 3, True)", message), "shift('x', 3)");
        assert_eq!(fixed(def, "shift('x', 3, 3)", message), "shift('x', 3)");
        let def = "def load(path, *, sep, strict=False):\n    return path";
        let message = "load() takes 1 positional argument but 2 were given";
        assert_eq!(fixed(def, "load('a', ';')", message), "load('a', sep=';')");
        let message = "sorted expected 1 argument, got 2";
        assert_eq!(
            fixed("x = 1", "sorted(x, True)", message),
            "sorted(x, reverse=True)"
        );
        let message = "list.sort() takes no positional arguments";
        assert_eq!(fixed("x = [1]", "x.sort(len)", message), "x.sort(key=len)");
        let message = "Random.choice() takes 2 positional arguments but 3 were given";
        let code = "c = random.choice(['a'], True)";
        assert_eq!(
            fixed("import random", code, message),
            "c = random.choice(['a'])"
        );
        let message = "float expected at most 1 argument, got 2";
        assert_eq!(
            fixed("x = 1", "y = float(\"-inf\", 0)", message),
            "y = float(\"-inf\")"
        );
    }
}
