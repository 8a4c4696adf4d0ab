//! Functions of the notebook that return something else than their callers take: it is repaired where it is returned.

use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{callee, head_exprs, name, one_line, only, receiver, said};
use crate::known::function_around;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{
    Expr, ExprCall, InterpolatedStringElement, Stmt, StmtFunctionDef, StmtReturn,
};
use nbmedic_python::{calls, each_expr, each_stmt, keyword, positional, Cell, Ranged};
use nbmedic_wordings::{python, sklearn};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    match case.class() {
        "TypeError" if message.contains("'str' and '") || message.contains("and 'str'") => {
            out.extend(text(case))
        }
        "AttributeError" if python::NONE_ATTRIBUTE.begins(message) => {
            out.extend(fits_nothing(case))
        }
        "AttributeError" if matches!(python::ATTRIBUTE.read(message), Some(["tuple", _])) => {
            out.extend(pair(case).or_else(|| whole(case)))
        }
        "AttributeError" if matches!(python::ATTRIBUTE.read(message), Some(["bool", _])) => {
            out.extend(values_and_places(case))
        }
        "TypeError" if message.contains("not tuple") => out.extend(pair(case)),
        "ValueError"
            if sklearn::FLAT_TARGET
                .read(message)
                .is_some_and(|[s]| s.ends_with(", 2)")) =>
        {
            out.extend(both_classes(case));
        }
        "ValueError" if message.contains("objective function must return a scalar") => {
            out.extend(residuals(case))
        }
        _ => {}
    }
}

/// The return statements of a function itself.
fn returns<'c>(python: &'c Cell, f: &'c StmtFunctionDef) -> Vec<&'c StmtReturn> {
    let mut out = Vec::new();
    each_stmt(&f.body, &mut |s| {
        let own = function_around(python, s).is_some_and(|g| g.range() == f.range());
        out.extend(s.as_return_stmt().filter(|_| own));
    });
    out
}

/// The expression that a text formats, alone: `acc` of `f"{acc:.3f}"` and of `str(acc)`.
fn formatted(e: &Expr) -> Option<&Expr> {
    match e {
        Expr::FString(f) => {
            let inner = match only(f.value.elements())? {
                InterpolatedStringElement::Interpolation(i) => &*i.expression,
                InterpolatedStringElement::Literal(_) => return None,
            };
            Some(inner)
        }
        Expr::Call(c) => {
            let plain = matches!(name(&c.func), Some("str" | "format"));
            c.arguments.args.first().filter(|_| plain)
        }
        _ => None,
    }
}

/// A number that is formatted as text where it is made, and compared or added below.
fn text(case: &Case<'_>) -> Option<Cure> {
    let (cell, _, stmt) = case.here()?;
    let mut operands = Vec::new();
    for e in head_exprs(stmt) {
        match e {
            Expr::Compare(c) => {
                operands.push(&*c.left);
                operands.extend(&c.comparators);
            }
            Expr::BinOp(b) => operands.extend([&*b.left, &*b.right]),
            _ => {}
        }
    }
    let found = operands.into_iter().find_map(|e| {
        let made = case.made(cell, e)?;
        let whole = |at: usize, e| Some((at, e, formatted(e)?, None));
        whole(made.cell, made.expr).or_else(|| {
            let call = made.expr.as_call_expr()?;
            let set = case.last_set(name(&call.func)?)?;
            let f = set.binding.stmt.as_function_def_stmt()?;
            let given = only(returns(case.python(set.cell)?, f).into_iter())?
                .value
                .as_deref()?;
            Some((set.cell, given, formatted(given)?, Some(f.name.as_str())))
        })
    });
    let (at, was, number, function) = found?;
    let python = case.python(at)?;
    let (was_text, number_text) = (one_line(python.slice(was)), python.slice(number));
    let place = function.map_or(String::new(), |f| format!(" in `{f}`"));
    let editor = Editor::new(at, python);
    case.edits(
        said(
            "number-not-text",
            Basis::Source,
            format!("Keep the number{place}: `{number_text}` for `{was_text}`"),
            format!("`{was_text}` is text. Format the number where it is printed: `print(f\"{{x:.3f}}\")`."),
        ),
        vec![editor.replace(was, editor.code(number))],
    )
}

/// A class whose `fit` returns nothing, in a pipeline: scikit-learn calls `fit(…).transform(…)`.
fn fits_nothing(case: &Case<'_>) -> Option<Cure> {
    const NEXT: &[&str] = &[
        "'transform'",
        "'predict'",
        "'predict_proba'",
        "'score'",
        "'fit'",
    ];
    let message = case.message();
    NEXT.iter().any(|n| message.ends_with(n)).then_some(())?;
    let mut found = Vec::new();
    for (cell, stmt) in case.living() {
        let Some(class) = stmt.as_class_def_stmt() else {
            continue;
        };
        let Some(python) = case.python(cell) else {
            continue;
        };
        let methods = class.body.iter().filter_map(Stmt::as_function_def_stmt);
        let fit = methods.filter(|f| f.name.as_str() == "fit");
        found.extend(
            fit.filter(|f| returns(python, f).is_empty())
                .map(|f| (cell, python, class, f)),
        );
    }
    let (cell, python, class, fit) = only(found.into_iter())?;
    let this = fit
        .parameters
        .iter_non_variadic_params()
        .next()?
        .name()
        .as_str();
    let line = format!("return {this}");
    case.edits(
        said(
            "return-self",
            Basis::Library,
            format!("End `fit` of `{}` with `{line}`", class.name),
            "scikit-learn goes on with what `fit` returns, and without `return` that is `None`.",
        ),
        vec![Editor::new(cell, python).below(fit.body.last()?, &line)],
    )
}

/// `return self.fc(out), state` of a `forward` whose result is taken as one tensor everywhere.
fn pair(case: &Case<'_>) -> Option<Cure> {
    let (at, _, stmt) = case.here()?;
    let of_class = |e: &Expr| {
        let made = case.made(at, e)?.expr.as_call_expr()?;
        let class = case.last_set(name(&made.func)?)?;
        let body = &class.binding.stmt.as_class_def_stmt()?.body;
        let forward = body
            .iter()
            .filter_map(Stmt::as_function_def_stmt)
            .find(|f| f.name.as_str() == "forward")?;
        Some((class.cell, forward))
    };
    let model_call = |call: &ExprCall| {
        let model = name(&call.func)?;
        Some((model.to_owned(), of_class(&call.func)?))
    };
    let exprs = head_exprs(stmt);
    let direct = exprs.iter().find_map(|e| model_call(e.as_call_expr()?));
    let by_name = || {
        exprs
            .iter()
            .find_map(|e| model_call(case.made(at, name(e).map(|_| *e)?)?.expr.as_call_expr()?))
    };
    let (model, (cell, forward)) = direct.or_else(by_name)?;
    let python = case.python(cell)?;
    let given = only(returns(python, forward).into_iter())?
        .value
        .as_deref()?;
    let parts = given.as_tuple_expr()?;
    let first = parts.elts.first()?;
    // Who takes it apart wants all of it.
    let apart = (0..case.book.cells().len())
        .filter_map(|c| case.python(c))
        .any(|p| {
            let mut found = false;
            each_stmt(p.body(), &mut |s| {
                let assign = s
                    .as_assign_stmt()
                    .filter(|a| a.targets.iter().any(|t| t.is_tuple_expr()));
                let call = assign.and_then(|a| a.value.as_call_expr());
                found |= call.and_then(|c| name(&c.func)) == Some(model.as_str());
            });
            each_expr(p.body(), &mut |e| {
                let part = e.as_subscript_expr().and_then(|s| s.value.as_call_expr());
                found |= part.and_then(|c| name(&c.func)) == Some(model.as_str());
            });
            found
        });
    (!apart).then_some(())?;
    let editor = Editor::new(cell, python);
    case.edits(
        said(
            "return-one",
            Basis::Source,
            format!("Return `{}` alone from `forward`", python.slice(first)),
            format!("`forward` returns {} values, and each place that calls `{model}` takes its result as one tensor.", parts.elts.len()),
        ),
        vec![Change::replace(cell, given, editor.code(first))],
    )
}

/// `torch.max(x, dim=1)` gives the values and their places, which is equal to nothing: `(pred == y).float()`.
fn values_and_places(case: &Case<'_>) -> Option<Cure> {
    const BOTH: &[&str] = &["max", "min", "sort", "topk", "median", "mode", "kthvalue"];
    let both = |e: &Expr| {
        e.as_call_expr().is_some_and(|c| {
            let of = case
                .path_of(&c.func)
                .is_some_and(|p| p.starts_with("torch."));
            let given = c.arguments.args.len() + usize::from(!of);
            let dim = keyword(c, "dim").is_some() || given > 1;
            callee(c).is_some_and(|m| BOTH.contains(&m)) && dim
        })
    };
    let (at, _, stmt) = case.here()?;
    let compared = head_exprs(stmt)
        .into_iter()
        .filter_map(Expr::as_compare_expr);
    let operands = compared.flat_map(|c| std::iter::once(&*c.left).chain(&c.comparators));
    let found = operands.filter_map(|e| {
        let made = case.made(at, e)?;
        if both(made.expr) {
            return Some((made.cell, made.expr));
        }
        let own = case.last_set(name(&made.expr.as_call_expr()?.func)?)?;
        let f = own.binding.stmt.as_function_def_stmt()?;
        let given = only(returns(case.python(own.cell)?, f).into_iter())?;
        let given = given.value.as_deref().filter(|e| both(e))?;
        Some((own.cell, given))
    });
    let (cell, given) = only(found)?;
    let text = one_line(case.python(cell)?.slice(given));
    case.edits(
        said(
            "places-alone",
            Basis::Library,
            format!("Take the places of `{text}`: `.indices`"),
            "With `dim` it gives the values and their places as a pair, and a pair is equal to no tensor.",
        ),
        vec![case.editor(cell)?.append(given, ".indices")],
    )
}

/// `table = clean(raw)`, and `clean` returns the table and a number.
fn whole(case: &Case<'_>) -> Option<Cure> {
    let (at, _, stmt) = case.here()?;
    let missing = case
        .message()
        .rsplit_once(" attribute '")?
        .1
        .trim_end_matches('\'');
    let of = head_exprs(stmt).into_iter().find_map(|e| {
        let a = e
            .as_attribute_expr()
            .filter(|a| a.attr.as_str() == missing)?;
        name(&a.value).map(|_| &*a.value)
    })?;
    let set = case.last_set(name(of)?)?;
    let call = case.made(at, of)?.expr.as_call_expr()?;
    let function = case.last_set(name(&call.func)?)?;
    let f = function.binding.stmt.as_function_def_stmt()?;
    let given = only(returns(case.python(function.cell)?, f).into_iter())?
        .value
        .as_deref()?;
    let parts = &given.as_tuple_expr()?.elts;
    // The part that has what is asked for, or the first one.
    let has = |e: &Expr| {
        let kind = case.kind_name(function.cell, e);
        !kind.is_empty() && matches!(&*kind, "DataFrame" | "Series" | "ndarray" | "Tensor")
    };
    let index = parts.iter().position(has).unwrap_or(0);
    let python = case.python(set.cell)?;
    let assign = set.binding.stmt.as_assign_stmt()?;
    let target = only(assign.targets.iter()).filter(|t| t.is_name_expr())?;
    let names: Vec<&str> = (0..parts.len())
        .map(|i| if i == index { set.binding.name } else { "_" })
        .collect();
    let names = names.join(", ");
    case.edits(
        said(
            "take-apart",
            Basis::Source,
            format!(
                "Take the result apart: `{names} = {}`",
                one_line(python.slice(call))
            ),
            format!(
                "`{}` returns {} values: `{}`.",
                f.name,
                parts.len(),
                one_line(case.python(function.cell)?.slice(given))
            ),
        ),
        vec![Change::replace(set.cell, target, names.clone())],
    )
}

/// A cost that `minimize` gets as one number for each point.
fn residuals(case: &Case<'_>) -> Option<Cure> {
    let (_, _, stmt) = case.here()?;
    let call = head_exprs(stmt).into_iter().find_map(|e| {
        let call = e.as_call_expr().filter(|c| callee(c) == Some("minimize"))?;
        name(positional(call, 0)?)
    })?;
    let set = case.last_set(call)?;
    let f = set.binding.stmt.as_function_def_stmt()?;
    let python = case.python(set.cell)?;
    let given = only(returns(python, f).into_iter())?.value.as_deref()?;
    let np = case.alias_of("numpy")?;
    let editor = Editor::new(set.cell, python);
    let squares = format!("{} ** 2", editor.code(given).tight());
    let right = format!("{np}.sum({squares})");
    case.edits(
        said(
            "one-cost",
            Basis::Assumed,
            format!("Return the sum of squares from `{}`: `{right}`", f.name),
            format!("`minimize` makes one number small, and `{}` returns one for each point. `least_squares` and `curve_fit` take those.", f.name),
        ),
        vec![editor.replace(given, right)],
    )
}

/// Probabilities of both classes, where the metric takes those of the second one.
fn both_classes(case: &Case<'_>) -> Option<Cure> {
    let mut found = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let mut taken = Vec::new();
        each_expr(python.body(), &mut |e| {
            taken.extend(e.as_subscript_expr().map(|s| s.value.range()));
        });
        let all = calls(python.body()).into_iter();
        let whole = all.filter(|c| {
            callee(c) == Some("predict_proba")
                && receiver(c).is_some()
                && !taken.contains(&c.range())
        });
        found.extend(whole.map(|c| (cell, python, c)));
    }
    let (cell, python, call) = only(found.into_iter())?;
    let text = one_line(python.slice(call));
    case.edits(
        said(
            "second-class",
            Basis::Assumed,
            format!("Take the probability of the second class: `{text}[:, 1]`"),
            "`predict_proba` gives a column for each of the two classes, and the metric takes one number for each row.",
        ),
        vec![Editor::new(cell, python).append(call, "[:, 1]")],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at};

    /// The code of the cure with this name.
    fn made(cells: &[&str], class: &str, message: &str, id: &str) -> Option<String> {
        let all = cures_of(cells, &error_at(cells, 1, class, message));
        all.into_iter().find(|c| c.id == id).map(|c| c.code)
    }

    #[test]
    fn a_number_is_returned_as_a_number() {
        let message = "'>' not supported between instances of 'str' and 'float'";
        let of = |last: &str| {
            let f = format!("def score(m):\n    acc = m.mean()\n    return {last}");
            made(
                &[&f, "acc = score(m)", "better = acc > 0.5"],
                "TypeError",
                message,
                "number-not-text",
            )
        };
        let after = "def score(m):\n    acc = m.mean()\n    return acc";
        assert_eq!(of("f\"{acc:.3f}\"").as_deref(), Some(after));
        assert_eq!(of("str(acc)").as_deref(), Some(after));
        assert_eq!(of("f\"{acc:.3f} %\""), None);
    }

    #[test]
    fn fit_returns_its_object() {
        let class = "class Keep:\n    def fit(self, X, y=None):\n        self.n = len(X)\n\n    def transform(self, X):\n        return X";
        let cells = [
            class,
            "pipe = Pipeline([('k', Keep()), ('m', Ridge())])",
            "pipe.fit(X, y)",
        ];
        let found = made(
            &cells,
            "AttributeError",
            "'NoneType' object has no attribute 'transform'",
            "return-self",
        );
        assert_eq!(
            found,
            Some(class.replace("len(X)", "len(X)\n        return self"))
        );
    }

    #[test]
    fn a_forward_returns_what_its_callers_take() {
        let class = "class Net(nn.Module):\n    def forward(self, x):\n        out, h = self.rnn(x)\n        return self.fc(out), h";
        let message = "'tuple' object has no attribute 'size'";
        let one = [class, "net = Net()", "loss = mse(net(x), y)"];
        let found = made(&one, "AttributeError", message, "return-one");
        assert_eq!(
            found,
            Some(class.replace("self.fc(out), h", "self.fc(out)"))
        );
        let both = [
            class,
            "net = Net()",
            "out, h = net(x)",
            "loss = mse(net(x), y)",
        ];
        assert_eq!(made(&both, "AttributeError", message, "return-one"), None);
    }

    #[test]
    fn places_are_taken_from_values_and_places() {
        let message = "'bool' object has no attribute 'float'";
        let of = |given: &str| {
            let f = format!("import torch\ndef predict(net, x):\n    return {given}");
            let cells = [
                f.as_str(),
                "y_hat = predict(net, X)",
                "acc = (y_hat == y).float()",
            ];
            made(&cells, "AttributeError", message, "places-alone")
        };
        let right = of("torch.max(net(x), dim=1)").expect("a cure");
        assert!(
            right.ends_with("return torch.max(net(x), dim=1).indices"),
            "{right}"
        );
        assert_eq!(of("torch.max(net(x))"), None);
    }
}
