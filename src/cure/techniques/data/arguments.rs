//! Call arguments: too many by position, one passed twice, one missing.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{add_argument, argument_with_comma, callee, name, only, receiver, said, Spot};
use crate::order::{is_plot, order};
use crate::table::Kind;
use crate::takes::{meant, takes};
use crate::techniques::{gathered, libraries};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{keyword, BindKind, Ranged, TextRange};
use nbmedic_wordings::{pandas, python};

/// The function in a Python message: `DataFrame.drop() takes` → `drop`. For a constructor, its class.
fn function_of(message: &str) -> Option<&str> {
    let head = message.split_once("() ")?.0;
    let head = head.rsplit(' ').next()?;
    let head = head.strip_suffix(".__init__").unwrap_or(head);
    Some(head.rsplit('.').next().unwrap_or(head))
}

/// Whether a message says what a function itself lacks.
fn is_of_function(message: &str) -> bool {
    matches!(python::ATTRIBUTE.read(message), Some(["function", _]))
        || python::NOT_SUBSCRIPTABLE.read(message) == Some(["function"])
}

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    // A method called on a class takes its first argument as `self`.
    let message = case.message();
    let of_a_class = match case.class() {
        "AttributeError" => {
            python::NO_ATTRIBUTE
                .read(message)
                .is_some_and(|[name]| name.starts_with('_'))
                || python::CLASS_ATTRIBUTE.begins(message)
                || is_of_function(message)
        }
        "TypeError" => {
            matches!(python::MISSING_ARGUMENTS.read(message), Some(["1", _]))
                || message.starts_with("'property' object ")
                || is_of_function(message)
                || message.starts_with("unbound method ")
        }
        _ => false,
    };
    if of_a_class {
        let spots = case.spots();
        let found = spots
            .iter()
            .find_map(|s| not_made(case, s, only(s.calls())?));
        out.extend(found.or_else(|| spots.iter().find_map(|s| set_to_a_class(case, s))));
    }
    if case.class() == "TypeError" {
        out.extend(
            too_many(case)
                .or_else(|| given_twice(case))
                .or_else(|| missing(case))
                .or_else(|| list_of_tables(case)),
        );
    }
}

/// The call to a function. Also finds the class if the message only has `__init__`.
pub(super) fn call_of<'c>(spot: &Spot<'c>, function: &str) -> Option<&'c ExprCall> {
    if function == "__init__" || function == "__new__" {
        let classes = spot
            .calls()
            .filter(|c| callee(c).is_some_and(|n| n.starts_with(|l: char| l.is_ascii_uppercase())));
        return only(classes);
    }
    spot.call(function)
}

/// `takes from 1 to 2 positional arguments but 3 were given`: passes the rest by keyword.
fn too_many(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    let function = function_of(message)?;
    let [most, given] = python::POSITIONAL_ARGUMENTS_GIVEN
        .numbers(message)
        .or_else(|| python::POSITIONAL_ARGUMENT_GIVEN.numbers(message))?;
    let spot = case.spot()?;
    let call = call_of(&spot, function)?;
    let called = callee(call)?;
    let args = &call.arguments.args;
    if args.iter().any(Expr::is_starred_expr) || args.is_empty() {
        return None;
    }
    // Several names are more likely meant as one list.
    if gathered::names_apart(case, &spot).is_some() {
        return None;
    }
    if called == "concat" && most <= 1 {
        return wrap_list(case, &spot, call);
    }
    let more = usize::try_from(given.checked_sub(most)?).ok()?;
    let keep = args.len().checked_sub(more)?;
    let Some(names) = order(called) else {
        return by_the_table(case, &spot, call, keep);
    };
    // `sns.barplot(df, "a", "b")`: the table comes first.
    let data_first = is_plot(called)
        && keyword(call, "data").is_none()
        && args.len() > 1
        && args
            .first()
            .is_some_and(|a| case.kind(spot.cell, a) == Kind::Frame);
    let (keep, names): (usize, Vec<&str>) = match (is_plot(called), data_first) {
        (true, true) => (0, [&["data"], &names[..names.len().min(3)]].concat()),
        (true, false) => (0, names.to_vec()),
        _ => (keep, names.to_vec()),
    };
    let named: Vec<(&Expr, &str)> = args
        .iter()
        .enumerate()
        .skip(keep)
        .map(|(i, a)| Some((a, *names.get(i)?)))
        .collect::<Option<_>>()?;
    // `df.to_csv("a.csv", False)`: the parameter at this position doesn't take this value.
    if let [(literal, place)] = named[..] {
        let other = libraries::free_for(case, call, literal, None).filter(|n| n != place);
        let other = other
            .filter(|n| takes(place, literal) == Some(false) || meant(called, literal) == Some(n));
        if let Some(name) = other {
            let mut cure = by_name(case, &spot, called, &[(literal, &name)])?;
            cure.basis = Basis::Assumed;
            return Some(cure);
        }
    }
    // The kind of a name must be known: a table can't be `x` or `y`.
    let table = |(a, n): &(&Expr, &str)| *n != "data" && case.kind(spot.cell, a) == Kind::Frame;
    if is_plot(called) && named.iter().any(table) {
        return None;
    }
    // A keyword passed twice would be the next error.
    if named.is_empty() || named.iter().any(|(_, n)| keyword(call, n).is_some()) {
        return None;
    }
    by_name(case, &spot, called, &named)
}

/// Passes the extra positional arguments by the keywords in the library table.
fn by_the_table(case: &Case<'_>, spot: &Spot<'_>, call: &ExprCall, keep: usize) -> Option<Cure> {
    let args = &call.arguments.args;
    // A single literal is passed to the parameter that takes such a value.
    let literal = args
        .last()
        .filter(|a| a.is_literal_expr() && keep + 1 == args.len());
    let literal = literal.and_then(|a| libraries::free_for(case, call, a, None));
    let names = match literal {
        Some(name) => vec![name],
        None => libraries::positional_names(case, call, keep)?,
    };
    let args = args.iter().skip(keep);
    let mut named: Vec<(&Expr, &str)> = args.zip(names.iter().map(String::as_str)).collect();
    if let [(kind, name)] = &mut named[..] {
        if is_dtype(kind) {
            *name = "dtype";
        }
    }
    if named.is_empty() || named.iter().any(|(_, n)| keyword(call, n).is_some()) {
        return None;
    }
    let mut cure = by_name(case, spot, callee(call)?, &named)?;
    // The position in today's signature isn't the intended one.
    cure.basis = Basis::Assumed;
    Some(cure)
}

/// `torch.float32`, `np.int64`
fn is_dtype(e: &Expr) -> bool {
    let attribute = e.as_attribute_expr();
    attribute.is_some_and(|a| {
        let kind = a.attr.trim_end_matches(|c: char| c.is_ascii_digit());
        let sized = kind.len() < a.attr.len();
        sized && matches!(kind, "float" | "int" | "uint" | "complex" | "bfloat")
            || matches!(a.attr.as_str(), "long" | "double" | "half")
    })
}

fn by_name(
    case: &Case<'_>,
    spot: &Spot<'_>,
    called: &str,
    named: &[(&Expr, &str)],
) -> Option<Cure> {
    let list: Vec<String> = named.iter().map(|(_, n)| format!("`{n}=`")).collect();
    let changes = named
        .iter()
        .map(|(a, n)| Change::before(spot.cell, *a, format!("{n}=")))
        .collect();
    case.edits(
        said(
            "name-arguments",
            Basis::Library,
            format!("Name the arguments of `{called}`: {}", list.join(", ")),
            format!("This version takes them by name only; by position `{called}` takes fewer than were given."),
        ),
        changes,
    )
}

/// `got multiple values for argument 's'`.
fn given_twice(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    let function = function_of(message)?;
    let [twice] = python::GIVEN_TWICE.read(message)?;
    let spot = case.spot()?;
    let call = call_of(&spot, function)?;
    let called = callee(call)?;
    let by_name = keyword(call, twice)?;
    let args = &call.arguments.args;
    if args.iter().any(Expr::is_starred_expr) {
        return None;
    }
    let last = args.last()?;
    if twice == "data" && is_plot(called) {
        // seaborn 0.12 takes the table first.
        let names = order(called)?;
        let changes = args
            .iter()
            .enumerate()
            .map(|(i, a)| Some(Change::before(spot.cell, a, format!("{}=", names.get(i)?))))
            .collect::<Option<Vec<_>>>()?;
        return case.edits(
            said(
                "name-arguments",
                Basis::Library,
                format!("Name `{}=` in `{called}`", names[0]),
                "The first argument by position is `data` since seaborn 0.12, and `data=` is given too.",
            ),
            changes,
        );
    }
    let value = spot.python.slice(&by_name.value);
    if spot.python.slice(last) == value {
        let range = argument_with_comma(spot.python, call, last.range());
        return case.edits(
            said(
                "drop-argument",
                Basis::Source,
                format!("Remove `{value}`, which `{twice}={value}` already gives"),
                format!("`{called}` got it twice: by position and by name."),
            ),
            vec![Change::replace(spot.cell, range, "")],
        );
    }
    let text = spot.python.slice(last);
    // The positional one is more likely meant for the next parameter.
    let named = libraries::next_free(case, call, twice).filter(|_| args.len() == 1);
    if let Some(next) = named {
        return case.edits(
            said(
                "name-arguments",
                Basis::Assumed,
                format!("Name it: `{next}={text}`"),
                format!("By position `{text}` is `{twice}`, which `{twice}={value}` sets too; `{next}` comes next, and nothing gives it."),
            ),
            vec![Change::before(spot.cell, last, format!("{next}="))],
        );
    }
    let range = argument_with_comma(spot.python, call, last.range());
    let third = matches!(called, "scatter" | "plot") && args.len() == 3;
    let why = match third {
        true => format!("`{called}` draws in two dimensions: its third position is `{twice}`, which is also given by name. To draw in three, use axes made with `projection=\"3d\"`."),
        false => format!("By position it is `{twice}`, which `{twice}={value}` sets too. If you meant `{text}`, remove `{twice}={value}` instead."),
    };
    case.edits(
        said(
            "drop-argument",
            Basis::Assumed,
            format!("Remove `{text}` from `{called}(…)`"),
            why,
        ),
        vec![Change::replace(spot.cell, range, "")],
    )
}

/// `missing 1 required positional argument: 'y'`.
fn missing(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    let function = function_of(message)?;
    let [count, wanted] = python::MISSING_ARGUMENTS.read(message)?;
    let spot = case.spot()?;
    let call = call_of(&spot, function)?;
    if let Some(cure) = not_made(case, &spot, call) {
        return Some(cure);
    }
    if count != "1" {
        return None;
    }
    let value = fitting(case, call, wanted)?;
    let called = callee(call)?;
    case.edits(
        said(
            "add-argument",
            Basis::Assumed,
            format!("Give `{value}` to `{called}`"),
            format!("`{called}` needs `{wanted}` too, and `{value}` exists."),
        ),
        vec![add_argument(
            spot.cell,
            spot.python,
            call,
            &format!("{wanted}={value}"),
        )],
    )
}

/// A variable for a missing argument: one with that name, or one from the same split as the
/// previous argument.
fn fitting(case: &Case<'_>, call: &ExprCall, wanted: &str) -> Option<String> {
    let before = call.arguments.args.iter().rev().find_map(name);
    if let Some(before) = before {
        if let Some(beside) = case.split_of(before).and_then(|s| s.beside(before)) {
            return Some(beside.to_owned());
        }
        let part = before.split_once('_').map(|(_, part)| part);
        let other = part.map(|part| format!("{wanted}_{part}"));
        if let Some(other) = other.filter(|o| case.exists(o)) {
            return Some(other);
        }
    }
    let is_given = |n: &str| call.arguments.args.iter().any(|a| name(a) == Some(n));
    let plain = case
        .last_set(wanted)
        .is_some_and(|s| s.binding.kind != BindKind::Import);
    (plain && !is_given(wanted)).then(|| wanted.to_owned())
}

/// A method called on a class: `LinearRegression.fit(X, y)`, or `model = LinearRegression`.
fn not_made(case: &Case<'_>, spot: &Spot<'_>, call: &ExprCall) -> Option<Cure> {
    let on = receiver(call)?;
    let class = name(on)?;
    let is_class = |n: &str| {
        let set = case.last_set(n)?;
        let imported = set.binding.kind == BindKind::Import
            && n.starts_with(|c: char| c.is_ascii_uppercase())
            && matches!(set.binding.stmt, Stmt::ImportFrom(_));
        (imported || set.binding.kind == BindKind::Class).then_some(())
    };
    if is_class(class).is_some() {
        let why = format!(
            "`{class}` is a class: `{}` belongs to an object made from it.",
            callee(call)?
        );
        return case.edits(
            said(
                "make-object",
                Basis::Assumed,
                format!("Replace `{class}` by `{class}()`"),
                why,
            ),
            vec![Change::after(spot.cell, on, "()")],
        );
    }
    let (cell, value) = case.value(class)?;
    let made = name(value)?;
    is_class(made)?;
    case.edits(
        said(
            "make-object",
            Basis::Source,
            format!("Replace `{class} = {made}` by `{class} = {made}()`"),
            format!("Without `()` `{class}` is the class itself, not an object made from it."),
        ),
        vec![Change::after(cell, value, "()")],
    )
}

/// `model = models.Sequential`, where the failing line uses `model`.
fn set_to_a_class(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let mut found: Vec<(&str, usize, &Expr)> = Vec::new();
    for e in &spot.exprs {
        let Some(n) = e.as_name_expr().filter(|n| n.ctx.is_load()) else {
            continue;
        };
        let Some((cell, value)) = case.value(n.id.as_str()) else {
            continue;
        };
        let last = match value {
            Expr::Attribute(a) => a.attr.as_str(),
            Expr::Name(of) => of.id.as_str(),
            _ => continue,
        };
        let upper = last.starts_with(|c: char| c.is_ascii_uppercase())
            && last.contains(|c: char| c.is_ascii_lowercase());
        // `wine = load_wine`: a function that loads or creates something.
        let makes = [
            "load_", "make_", "fetch_", "read_", "get_", "create_", "build_",
        ];
        let function = is_of_function(case.message()) && makes.iter().any(|m| last.starts_with(m));
        let upper = upper || function;
        let known = case.path_of(value).is_some() || value.is_name_expr();
        if upper && known && !found.iter().any(|f| f.0 == n.id.as_str()) {
            found.push((n.id.as_str(), cell, value));
        }
    }
    let [(name, cell, value)] = found[..] else {
        return None;
    };
    let text = case.python(cell)?.slice(value);
    case.edits(
        said(
            "make-object",
            Basis::Assumed,
            format!("Replace `{name} = {text}` by `{name} = {text}()`"),
            format!("Without `()` `{name}` is `{text}` itself, not what it makes."),
        ),
        vec![Change::after(cell, value, "()")],
    )
}

/// `pd.concat(a, b)`: it takes one list.
fn list_of_tables(case: &Case<'_>) -> Option<Cure> {
    let said = pandas::ITERABLE_OF_OBJECTS.is_in(case.message());
    let spot = said.then(|| case.spot()).flatten()?;
    let call = spot.call("concat")?;
    wrap_list(case, &spot, call)
}

fn wrap_list(case: &Case<'_>, spot: &Spot<'_>, call: &ExprCall) -> Option<Cure> {
    let args = &call.arguments.args;
    let (first, last) = (args.first()?, args.last()?);
    // `pd.concat(frames, True)`
    if args.len() == 2 && last.is_literal_expr() && !last.is_number_literal_expr() {
        let name = libraries::free_for(case, call, last, None)?;
        let mut cure = by_name(case, spot, "concat", &[(last, &name)])?;
        cure.basis = Basis::Assumed;
        return Some(cure);
    }
    // `pd.concat([a, b], 1)`
    if first.is_list_expr() || first.is_list_comp_expr() {
        let [_, axis] = &args[..] else { return None };
        axis.is_number_literal_expr().then_some(())?;
        return case.edits(
            said(
                "name-arguments",
                Basis::Library,
                "Name `axis=` in `concat`".to_owned(),
                "This version takes it by name only.".to_owned(),
            ),
            vec![Change::before(spot.cell, axis, "axis=")],
        );
    }
    let all = TextRange::new(first.start(), last.end());
    let text = spot.python.slice(all);
    case.edits(
        said(
            "wrap-list",
            Basis::Library,
            format!("Put `{text}` into a list: `[{text}]`"),
            "`concat` takes the tables as one list.".to_owned(),
        ),
        vec![Change::replace(spot.cell, all, format!("[{text}]"))],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{ipython, repaired};

    fn one(setup: &str, line: &str, message: &str) -> String {
        let error = ipython("TypeError", &[(2, 1, line)], message);
        repaired(&[setup, line], &error)
    }

    #[test]
    fn arguments_by_position_get_their_names() {
        for (line, message, after) in [
            (
                "df = df.drop('a', 1)",
                "DataFrame.drop() takes from 1 to 2 positional arguments but 3 were given",
                "df = df.drop('a', axis=1)",
            ),
            (
                "df.to_csv('a.csv', False)",
                "NDFrame.to_csv() takes from 1 to 2 positional arguments but 3 were given",
                "df.to_csv('a.csv', index=False)",
            ),
            (
                "t = df.pivot('d', 'k', 'v')",
                "pivot() takes 1 positional argument but 4 were given",
                "t = df.pivot(index='d', columns='k', values='v')",
            ),
            (
                "sns.barplot(df.a, df.b)",
                "barplot() takes from 0 to 1 positional arguments but 2 were given",
                "sns.barplot(x=df.a, y=df.b)",
            ),
            (
                "sns.barplot('a', 'b', data=df)",
                "barplot() got multiple values for argument 'data'",
                "sns.barplot(x='a', y='b', data=df)",
            ),
            (
                "sns.boxplot(df, 'a', 'b')",
                "boxplot() takes from 0 to 1 positional arguments but 3 were given",
                "sns.boxplot(data=df, x='a', y='b')",
            ),
            (
                "m = LogisticRegression('l2', 2.0)",
                "LogisticRegression.__init__() takes 1 positional argument but 3 were given",
                "m = LogisticRegression(penalty='l2', C=2.0)",
            ),
            (
                "m = KMeans(3, 'random')",
                "__init__() takes from 1 to 2 positional arguments but 3 were given",
                "m = KMeans(3, init='random')",
            ),
            (
                "both = pd.concat(df, df2, ignore_index=True)",
                "concat() takes 1 positional argument but 2 were given",
                "both = pd.concat([df, df2], ignore_index=True)",
            ),
            (
                "both = pd.concat([df, df2], 1)",
                "concat() takes 1 positional argument but 2 were given",
                "both = pd.concat([df, df2], axis=1)",
            ),
            (
                "s = librosa.feature.mfcc(sound, rate, n_mfcc=20)",
                "mfcc() takes 0 positional arguments but 2 positional arguments (and 1 keyword-only argument) were given",
                "s = librosa.feature.mfcc(y=sound, sr=rate, n_mfcc=20)",
            ),
        ] {
            let setup = "import pandas as pd\ndf = pd.read_csv('a.csv')\ndf2 = df.copy()";
            assert_eq!(one(setup, line, message), after, "{message}");
        }
        assert_eq!(
            one(
                "",
                "f(1, 2)",
                "f() takes 1 positional argument but 2 were given"
            ),
            ""
        );
    }

    #[test]
    fn an_argument_given_twice_goes() {
        let line = "plt.scatter(a[:, 0], a[:, 1], a[:, 2], s=9, c='k')";
        let after = "plt.scatter(a[:, 0], a[:, 1], s=9, c='k')";
        for message in [
            "scatter() got multiple values for argument 's'",
            "Axes.scatter() got multiple values for argument 's'",
        ] {
            assert_eq!(one("", line, message), after);
        }
        let after = one(
            "",
            "m.fit(x, y, y=y)",
            "fit() got multiple values for argument 'y'",
        );
        assert_eq!(after, "m.fit(x, y=y)");
    }

    #[test]
    fn a_missing_argument_is_a_variable_that_fits() {
        let setup = "from sklearn.linear_model import Ridge\nX_train, X_test, target_train, y2 = train_test_split(X, y)\nm = Ridge()\nlabel = 3";
        let missing =
            |f: &str, a: &str| format!("{f}() missing 1 required positional argument: '{a}'");
        assert_eq!(
            one(setup, "m.fit(X_train)", &missing("fit", "y")),
            "m.fit(X_train, y=target_train)"
        );
        assert_eq!(
            one(setup, "show(8)", &missing("show", "label")),
            "show(8, label=label)"
        );
        assert_eq!(one(setup, "show(8)", &missing("show", "title")), "");
        assert_eq!(
            one(setup, "Ridge.fit(X, y)", &missing("Ridge.fit", "y")),
            "Ridge().fit(X, y)"
        );
        for (class, message) in [
            ("TypeError", missing("fit", "y")),
            (
                "AttributeError",
                "'DataFrame' object has no attribute '_validate_params'".to_owned(),
            ),
        ] {
            let error = ipython(class, &[(2, 1, "m.fit(X, y)")], &message);
            let setup = "from sklearn.linear_model import Ridge\nm = Ridge";
            assert_eq!(
                repaired(&[setup, "m.fit(X, y)"], &error),
                "from sklearn.linear_model import Ridge\nm = Ridge()"
            );
        }
    }
}
