//! Calls of the user's own functions and methods, and the unpacking of their results.

use super::starred::starred;
use crate::case::Case;
use crate::closest::closest;
use crate::edit::Change;
use crate::find::{callee, look, only, said, Spot};
use crate::known::function_around;
use crate::techniques::name_scope::{returns, without_self};
use crate::techniques::{environments, started, too_many};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt, StmtFunctionDef};
use nbmedic_python::{each_stmt, name_of, BindKind, Cell, Ranged, TextRange};
use nbmedic_wordings::python;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let Some(spot) = case.spot() else { return };
    match case.class() {
        "UnboundLocalError" => out.extend(unbound(case, &spot)),
        "TypeError" if message.contains("argument") => {
            out.extend(starred(case, &spot).or_else(|| arguments(case)));
        }
        "ValueError" | "TypeError" if message.contains("unpack") => {
            out.extend(unpacked(case, &spot))
        }
        "AttributeError" | "TypeError" if message.contains("'list'") => out.extend(unlisted(case)),
        _ => {}
    }
}

/// `clean([line])`: one of the user's functions receives a one-element list where it works on the
/// element.
fn unlisted(case: &Case<'_>) -> Option<Cure> {
    let spots = case.spots();
    let [inner, outer, ..] = &spots[..] else {
        return None;
    };
    let function = function_around(inner.python, inner.stmt?.range())?;
    let called = |c: &&ExprCall| callee(c) == Some(function.name.as_str());
    let call = only(outer.calls().filter(called))?;
    let lists = call.arguments.args.iter().filter(|a| {
        let list = a.as_list_expr().filter(|l| l.elts.len() == 1);
        list.is_some_and(|l| !l.elts[0].is_starred_expr())
    });
    let list = only(lists)?;
    let one = &list.as_list_expr()?.elts[0];
    let text = outer.python.slice(one);
    case.edits(
        said(
            "only-one",
            Basis::Assumed,
            format!("Replace `[{text}]` by `{text}`"),
            format!(
                "`{}` works on one value, and gets a list of one.",
                function.name
            ),
        ),
        vec![Change::replace(outer.cell, list, text)],
    )
}

/// The quoted name after some words of a message.
fn quoted_after<'m>(message: &'m str, words: &str) -> Option<&'m str> {
    let rest = message.split_once(words)?.1;
    let rest = &rest[rest.find('\'')? + 1..];
    rest.split_once('\'').map(|(name, _)| name)
}

/// The function in the notebook that a message names: `f()`, `Net.forward()`, `__init__()`.
fn own<'c>(
    case: &'c Case<'_>,
    called: &str,
) -> Option<(usize, &'c Cell, &'c StmtFunctionDef, bool)> {
    let short = called.rsplit('.').next().unwrap_or(called);
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let mut found: Vec<&StmtFunctionDef> = Vec::new();
        each_stmt(python.body(), &mut |s| {
            found.extend(
                s.as_function_def_stmt()
                    .filter(|f| f.name.as_str() == short),
            );
        });
        // If the message names a class, only its methods count.
        if let Some((class, _)) = called.rsplit_once('.') {
            found.retain(|f| {
                crate::known::class_around(python, f.name.range())
                    .is_some_and(|c| class.ends_with(c.name.as_str()))
            });
        }
        if let Some(f) = only(found.into_iter()) {
            // A function inside a method isn't a method.
            let class = crate::known::class_around(python, f.name.range());
            let of = |s: &Stmt| s.as_function_def_stmt().is_some_and(|d| d.name == f.name);
            let method = class.is_some_and(|c| c.body.iter().any(of));
            return Some((cell, python, f, method));
        }
    }
    None
}

fn signature(python: &Cell, def: &StmtFunctionDef) -> String {
    let text: Vec<&str> = python
        .slice(def.parameters.range())
        .split_whitespace()
        .collect();
    format!("{}{}", def.name, text.join(" "))
}

fn arguments(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    let (called, said_) = message.split_once("() ")?;
    let (cell, python, def, method) = own(case, called)?;
    let place = format!("cell {}", case.position(cell));
    let first = def.parameters.iter().next().map(|p| p.name().as_str());
    let fixed = def.decorator_list.iter().any(|d| {
        matches!(
            name_of(&d.expression).as_deref(),
            Some("staticmethod" | "classmethod")
        )
    });
    if said_.starts_with("takes ") && method && !fixed && first != Some("self") {
        return without_self(case, cell, python, def);
    }
    // The error occurred at the call; the function itself has no frame yet.
    let spot = case.spot()?;
    let short = called.rsplit('.').next().unwrap_or(called);
    let class = called
        .rsplit_once('.')
        .map(|(c, _)| c.rsplit('.').next().unwrap_or(c).to_owned());
    let is = |c: &&ExprCall| {
        let name = callee(c);
        name == Some(short)
            || short == "__init__" && class.as_deref().is_none_or(|class| name == Some(class))
    };
    let call = only(spot.calls().filter(is))?;
    let sig = signature(python, def);
    if let Some([wrong]) = python::UNEXPECTED_ARGUMENT.read(said_) {
        let known = def.parameters.iter().map(|p| p.name().as_str());
        let keyword = call
            .arguments
            .keywords
            .iter()
            .find(|k| k.arg.as_ref().is_some_and(|a| a.as_str() == wrong))?;
        let why = format!("It is `{sig}` in {place}.");
        return match closest(wrong, known) {
            Some(right) => case.edits(
                said(
                    "own-keyword",
                    Basis::Assumed,
                    format!("Write `{right}=` for `{wrong}=`"),
                    why,
                ),
                vec![Change::replace(spot.cell, keyword.arg.as_ref()?, right)],
            ),
            None => Some(look(
                "own-keyword",
                format!(
                    "Leave `{wrong}=` out, or give `{}` such a parameter",
                    def.name
                ),
                why,
            )),
        };
    }
    if said_.starts_with("missing ") && said_.contains("required") {
        let names: Vec<&str> = said_.split('\'').skip(1).step_by(2).collect();
        if names == ["self"] {
            return None;
        }
        let there = names.iter().all(|n| case.last_set(n).is_some());
        let list = names
            .iter()
            .map(|n| format!("`{n}`"))
            .collect::<Vec<_>>()
            .join(", ");
        let why = format!("It is `{sig}` in {place}.");
        if there {
            let text = names
                .iter()
                .map(|n| format!("{n}={n}"))
                .collect::<Vec<_>>()
                .join(", ");
            return case.edits(
                said(
                    "own-argument",
                    Basis::Assumed,
                    format!("Pass `{text}` to `{short}`"),
                    format!("{why} Variables with these names exist."),
                ),
                vec![spot.editor().add(call, &text)],
            );
        }
        return Some(look(
            "own-argument",
            format!("Pass {list} to `{}`", spot.text(&*call.func)),
            why,
        ));
    }
    if said_.starts_with("takes ") {
        let why = format!("It is `{sig}` in {place}.");
        if let Some(cure) =
            by_keyword(case, &spot, call, def, why).or_else(|| too_many::fewer(case))
        {
            return Some(cure);
        }
        let given = call.arguments.args.len();
        return Some(look(
            "own-argument",
            format!("Pass `{}` fewer values by position", spot.text(&*call.func)),
            format!("It is `{sig}` in {place}, and {given} values are passed by position."),
        ));
    }
    None
}

/// The last positional argument is meant for the only parameter after `*`.
fn by_keyword(
    case: &Case<'_>,
    spot: &Spot<'_>,
    call: &ExprCall,
    def: &StmtFunctionDef,
    why: String,
) -> Option<Cure> {
    let (_, over) = too_many::too_many(case.message())?;
    let free = def.parameters.kwonlyargs.iter().filter(|p| {
        let name = p.parameter.name.as_str();
        nbmedic_python::keyword(call, name).is_none()
    });
    let needed = free.clone().filter(|p| p.default.is_none());
    let name = only(needed).or_else(|| only(free))?.parameter.name.as_str();
    let value = call.arguments.args.last().filter(|_| over == 1)?;
    case.edits(
        said(
            "by-keyword",
            Basis::Source,
            format!("Write `{name}={}`", spot.text(value)),
            why,
        ),
        vec![Change::before(spot.cell, value, format!("{name}="))],
    )
}

/// A name assigned in a function is local to all of it.
fn unbound(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let message = case.message();
    let name = quoted_after(message, "variable")?;
    let stmt = spot.stmt?;
    let def = function_around(spot.python, stmt)?;
    let first = def.body.first()?;
    let mut augmented: Option<&nbmedic_python::ast::StmtAugAssign> = None;
    each_stmt(&def.body, &mut |s| {
        let aug = s.as_aug_assign_stmt();
        augmented = augmented.or(aug.filter(|a| {
            a.target
                .as_name_expr()
                .is_some_and(|n| n.id.as_str() == name)
        }));
    });
    // Below a docstring.
    let line = spot.python.line_of(first.start());
    let doc = first
        .as_expr_stmt()
        .is_some_and(|e| e.value.is_string_literal_expr());
    let before = if doc {
        def.body
            .get(1)
            .map_or(line, |s| spot.python.line_of(s.start()))
    } else {
        line
    };
    let at = |text: &str| Change::line_before(spot.cell, spot.python, before, text);
    let global = case
        .last_set(name)
        .is_some_and(|s| s.binding.kind != BindKind::Function);
    if global {
        return case.edits(
            said(
                "global-name",
                Basis::Assumed,
                format!("Begin `{}` with `global {name}`", def.name),
                format!("`{}` sets `{name}`, so it is local in all of it. With `global` it changes the notebook's `{name}`; to leave that alone, use another name inside.", def.name),
            ),
            vec![at(&format!("global {name}"))],
        );
    }
    augmented?;
    let start = started::start_of(case, spot.python, &def.body, name).unwrap_or("0");
    case.edits(
        said(
            "start-value",
            Basis::Assumed,
            format!("Begin `{}` with `{name} = {start}`", def.name),
            format!("`{}` adds to `{name}` before it has a value.", def.name),
        ),
        vec![at(&format!("{name} = {start}"))],
    )
}

/// A value whose number of items differs from the number of names.
fn unpacked(case: &Case<'_>, spot: &Spot<'_>) -> Option<Cure> {
    let message = case.message();
    let expected: Option<usize> = message
        .split_once("expected ")
        .and_then(|(_, n)| n.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok());
    match spot.stmt? {
        Stmt::For(f) => {
            let Expr::Tuple(target) = &*f.target else {
                return None;
            };
            let text = spot.text(&*f.iter);
            let first = target.elts.first()?.as_name_expr()?.id.as_str();
            let index = matches!(
                first,
                "i" | "j" | "k" | "idx" | "index" | "n" | "step" | "batch_idx" | "epoch" | "ind"
            );
            let dict = f
                .iter
                .as_name_expr()
                .and_then(|n| case.value(n.id.as_str()))
                .is_some_and(|(_, v)| {
                    v.is_dict_expr()
                        || v.as_call_expr().and_then(|c| name_of(&c.func)).as_deref()
                            == Some("dict")
                });
            let (id, by, why) = if dict && target.elts.len() == 2 {
                (
                    "dict-items",
                    format!("{text}.items()"),
                    format!("A loop over `{text}` gives only its keys."),
                )
            } else if index
                && target.elts.len() == 2
                && !text.starts_with("enumerate")
                && !text.starts_with("zip")
            {
                (
                    "enumerate",
                    format!("enumerate({text})"),
                    format!("A loop over `{text}` gives the elements without a count."),
                )
            } else {
                return None;
            };
            case.edits(
                said(id, Basis::Assumed, format!("Write `{by}`"), why),
                vec![Change::replace(spot.cell, &*f.iter, by)],
            )
        }
        Stmt::Assign(a) => {
            let targets = match a.targets.first()? {
                Expr::Tuple(t) => t,
                _ => return None,
            };
            let too_many = python::TOO_MANY_VALUES.is_in(message);
            if let Expr::Call(c) = &*a.value {
                if callee(c) == Some("train_test_split") && too_many {
                    return split(case, spot, targets.range, c);
                }
                if let Some(cure) = environments::unpacked(case, spot, targets, c) {
                    return Some(cure);
                }
                // The user's own function, whose return value is known.
                let name = c.func.as_name_expr().map(|n| n.id.as_str());
                let def = name
                    .and_then(|n| case.last_set(n))
                    .and_then(|s| Some((s.cell, s.binding.stmt.as_function_def_stmt()?)));
                if let Some((cell, def)) = def {
                    let parts = returns(def)?.as_tuple_expr()?;
                    let python = case.python(cell)?;
                    let gives: Vec<&str> = parts.elts.iter().map(|e| python.slice(e)).collect();
                    return Some(look(
                        "unpack-count",
                        format!("Unpack {} values from `{}`", gives.len(), def.name),
                        format!(
                            "`{}` (cell {}) returns `{}`, and {} names stand on the left.",
                            def.name,
                            case.position(cell),
                            gives.join(", "),
                            targets.elts.len()
                        ),
                    ));
                }
            }
            if let Some(cure) = transposed(case, spot, &a.value).filter(|_| too_many) {
                return Some(cure);
            }
            if !too_many
                || expected != Some(targets.elts.len())
                || targets.elts.iter().any(Expr::is_starred_expr)
            {
                return None;
            }
            let text = spot.text(targets.range);
            let inner = text
                .trim_start_matches('(')
                .trim_end_matches(')')
                .trim_end()
                .trim_end_matches(',');
            let by = format!("{inner}, *_");
            let by = if text.starts_with('(') {
                format!("({by})")
            } else {
                by
            };
            // A shape may be truncated to its first values, but a function's first results may be
            // something else.
            let plain = match &*a.value {
                Expr::Name(_) => true,
                Expr::Attribute(a) => a.attr.as_str() == "shape",
                _ => false,
            };
            case.edits(
                said(
                    "unpack-rest",
                    match plain {
                        true => Basis::Assumed,
                        false => Basis::Guessed,
                    },
                    format!("Write `{by}` on the left"),
                    format!("There are more than {} values; `*_` takes the rest, which then goes unused.", targets.elts.len()),
                ),
                vec![Change::replace(spot.cell, targets.range, by)],
            )
        }
        _ => None,
    }
}

/// `zip(pairs)` yields one-element tuples; `zip(*pairs)` turns pairs into columns.
fn transposed(case: &Case<'_>, spot: &Spot<'_>, value: &Expr) -> Option<Cure> {
    let call = value.as_call_expr().filter(|c| callee(c) == Some("zip"))?;
    let [one] = &call.arguments.args[..] else {
        return None;
    };
    if one.is_starred_expr() || !call.func.is_name_expr() {
        return None;
    }
    let text = spot.text(one);
    case.edits(
        said(
            "zip-star",
            Basis::Language,
            format!("Write `zip(*{text})`"),
            format!("`zip({text})` gives tuples of one value each; with `*` it turns rows into columns."),
        ),
        vec![Change::before(spot.cell, one, "*")],
    )
}

/// `train_test_split` returns two parts of each array.
fn split(case: &Case<'_>, spot: &Spot<'_>, targets: TextRange, call: &ExprCall) -> Option<Cure> {
    let mut names = Vec::new();
    for arg in &call.arguments.args {
        let name = name_of(arg).filter(|n| !n.contains('.'))?;
        names.push(format!("{name}_train"));
        names.push(format!("{name}_test"));
    }
    let by = names.join(", ");
    case.edits(
        said(
            "split-count",
            Basis::Assumed,
            format!("Write `{by}` on the left"),
            "`train_test_split` gives a training and a test part of each array, in this order. Cells below have to use these names.",
        ),
        vec![Change::replace(spot.cell, targets, by)],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired};

    #[test]
    fn a_list_of_one_is_that_one_where_a_function_works_on_it() {
        let def = "def clean(text):\n    return text.lower()";
        let call = "words = clean([line])";
        let frames = [(2, 1, call), (1, 2, "    return text.lower()")];
        let error = ipython(
            "AttributeError",
            &frames,
            "'list' object has no attribute 'lower'",
        );
        assert_eq!(repaired(&[def, call], &error), "words = clean(line)");
    }

    #[test]
    fn own_functions_are_called_as_they_are_written() {
        let def = "def split(rows, size, seed=0):\n    return rows";
        let e = |code: &str, m: &str| ipython("TypeError", &[(2, 1, code)], m);
        assert_eq!(
            repaired(
                &[def, "split(a, 2, sead=1)"],
                &e(
                    "split(a, 2, sead=1)",
                    "split() got an unexpected keyword argument 'sead'"
                )
            ),
            "split(a, 2, seed=1)"
        );
        let missing = "split() missing 1 required positional argument: 'size'";
        let cures = cures_of(&[def, "split(a)"], &e("split(a)", missing));
        assert_eq!(cures[0].title, "Pass `size` to `split`");
        assert!(cures[0].why.contains("split(rows, size, seed=0)"));
        let sized = format!("{def}\nsize = 3");
        assert_eq!(
            repaired(&[&sized, "split(a)"], &e("split(a)", missing)),
            "split(a, size=size)"
        );
        let class = "class A:\n    def go(x):\n        return x";
        let many = "A.go() takes 1 positional argument but 2 were given";
        assert!(repaired(&[class, "A().go(3)"], &e("A().go(3)", many)).contains("def go(self, x):"));
    }

    #[test]
    fn a_local_name_gets_a_value_or_is_global() {
        let def =
            "def count(items):\n    for item in items:\n        total += item\n    return total";
        let e = ipython(
            "UnboundLocalError",
            &[(2, 1, "count([1])"), (1, 3, "        total += item")],
            "cannot access local variable 'total' where it is not associated with a value",
        );
        assert!(repaired(&[def, "count([1])"], &e)
            .starts_with("def count(items):\n    total = 0\n    for"));
        let with = format!("total = 0\n{def}");
        let e = e
            .replace("line 3\n", "line 4\n")
            .replace("----> 3", "----> 4");
        assert!(repaired(&[&with, "count([1])"], &e)
            .contains("def count(items):\n    global total\n    for"));
    }

    #[test]
    fn values_are_unpacked_by_their_number() {
        let e = |code: &str, m: &str| ipython("ValueError", &[(2, 1, code)], m);
        let many = "too many values to unpack (expected 2)";
        for (sets, code, right) in [
            (
                "d = {'a': 1}",
                "for k, v in d:\n    pass",
                "for k, v in d.items():\n    pass",
            ),
            (
                "x = load()",
                "for i, row in x:\n    pass",
                "for i, row in enumerate(x):\n    pass",
            ),
            ("v = 'a,b,c'.split(',')", "a, b = v", "a, b, *_ = v"),
            ("v = [(1, 2)] * 3", "a, b = zip(v)", "a, b = zip(*v)"),
            (
                "X = y = 1",
                "a, b = train_test_split(X, y)",
                "X_train, X_test, y_train, y_test = train_test_split(X, y)",
            ),
        ] {
            assert_eq!(
                repaired(&[sets, code], &e(code.lines().next().unwrap(), many)),
                right
            );
        }
    }
}
