//! Functions traced by JAX or TensorFlow: values that don't exist yet, immutable arrays.

use crate::case::Case;
use crate::code::{argument, Code, Editor};
use crate::edit::Change;
use crate::find::{callee, head_exprs, name, one_line, only, receiver, said};
use crate::known::function_around;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Decorator, Expr, ExprCall, Operator, Stmt, StmtFunctionDef};
use nbmedic_python::{
    calls, each_below, each_expr, each_stmt, positional, Cell, Ranged, TextRange,
};
use nbmedic_wordings::{jax, python, tensorflow, torchscript};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if jax::IMMUTABLE.is_in(text) || python::ITEM_ASSIGNMENT.is_in(text) && text.contains("jax") {
        out.extend(element(case));
    } else if jax::INEXACT_INPUTS.is_in(text) {
        out.extend(fractions(case));
    } else if jax::ABSTRACT_ARGUMENT.is_in(text) {
        out.extend(given(case));
    } else if jax::TRACER_AS_VALUE.is_in(text)
        || jax::STATIC_SLICES.is_in(text)
        || jax::CONCRETE_SHAPES.is_in(text)
    {
        out.extend(printed(case).or_else(|| concrete(case)));
    } else if case.class() == "TracerArrayConversionError" {
        out.extend(numpy_inside(case));
    } else if case.class() == "NonConcreteBooleanIndexError" {
        out.extend(mask(case));
    } else if case.class() == "TracerBoolConversionError" {
        out.extend(branch(case));
    } else if tensorflow::TAPE_USED_TWICE.is_in(text) {
        out.extend(persistent(case));
    } else if tensorflow::NO_GRADIENTS.is_in(text) {
        out.extend(outside_tape(case));
    } else if case.class() == "NotSupportedError"
        || text.contains("method cannot be used as a value")
        || torchscript::BUILTIN.read(text).is_some()
    {
        out.extend(scripted(case));
    } else if python::PICKLED_LOCAL_OBJECT.is_in(text) && text.contains("<lambda>") {
        out.extend(state_only(case));
    }
}

/// `x[0] = 1.0` → `x = x.at[0].set(1.0)`.
fn element(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, stmt) = case.here()?;
    let (target, value, op) = match stmt {
        Stmt::Assign(a) => (only(a.targets.iter())?, &*a.value, "set"),
        Stmt::AugAssign(a) => (
            &*a.target,
            &*a.value,
            match a.op {
                Operator::Add => "add",
                Operator::Mult => "multiply",
                Operator::Div => "divide",
                Operator::Pow => "power",
                _ => return None,
            },
        ),
        _ => return None,
    };
    let s = target.as_subscript_expr()?;
    let (x, index, value) = (
        python.slice(&*s.value),
        python.slice(&*s.slice),
        python.slice(value),
    );
    let new = format!("{x} = {x}.at[{index}].{op}({value})");
    case.edits(
        said(
            "at-set",
            Basis::Library,
            format!("Write `{}`", one_line(&new)),
            "An array of JAX never changes; `at` makes a new one with the changed element.",
        ),
        vec![Change::replace(cell, stmt, new.clone())],
    )
}

/// The gradient with respect to integers.
fn fractions(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    // `jax.grad(f)(x)`, or its result under a name.
    let of = |c: &&ExprCall| {
        c.func
            .as_call_expr()
            .is_some_and(|g| matches!(callee(g), Some("grad" | "value_and_grad")))
            || name(&c.func).is_some_and(|n| {
                let made = case.value(n).and_then(|(_, v)| v.as_call_expr());
                made.is_some_and(|g| matches!(callee(g), Some("grad" | "value_and_grad" | "jit")))
            })
    };
    let call = only(spot.calls().filter(of))?;
    let x = positional(call, 0)?;
    let new = Code::of(spot.python, x).then(".astype(float)");
    if crate::find::int_of(x).is_some() {
        let text = format!("{}.0", spot.text(x));
        return case.edits(
            said(
                "cast-input",
                Basis::Library,
                format!("Use `{text}` instead of `{}`", spot.text(x)),
                "Whole numbers have no gradient.",
            ),
            vec![Change::replace(spot.cell, x, text)],
        );
    }
    case.edits(
        said(
            "cast-input",
            Basis::Library,
            format!("Use `{new}` instead of `{}`", spot.text(x)),
            "Whole numbers have no gradient.",
        ),
        vec![Change::replace(spot.cell, x, new.clone())],
    )
}

/// The enclosing compiled function, with its decorator: `@jax.jit`.
fn jitted(python: &Cell, at: impl Ranged) -> Option<(&StmtFunctionDef, &Decorator)> {
    let f = function_around(python, at)?;
    let d = only(f.decorator_list.iter())?;
    let text = python.slice(&d.expression);
    (text == "jit" || text.ends_with(".jit")).then_some((f, d))
}

/// Marks a parameter as static: `@functools.partial(jax.jit, static_argnames="n")`.
fn fixed(
    case: &Case<'_>,
    cell: usize,
    python: &Cell,
    d: &Decorator,
    how: &str,
    title: String,
    why: String,
) -> Option<Cure> {
    let jit = python.slice(&d.expression);
    let partial = match (
        case.alias_of("functools.partial"),
        case.alias_of("functools"),
    ) {
        (Some(p), _) => p,
        (None, Some(f)) => format!("{f}.partial"),
        _ => "functools.partial".to_owned(),
    };
    let mut changes = vec![Change::replace(
        cell,
        &d.expression,
        format!("{partial}({jit}, {how})"),
    )];
    if partial == "functools.partial" && case.alias_of("functools").is_none() {
        changes.push(Editor::new(cell, python).import("import functools"));
    }
    case.edits(said("static-argument", Basis::Assumed, title, why), changes)
}

fn named(names: &[&str]) -> String {
    let all: Vec<String> = names.iter().map(|n| format!("\"{n}\"")).collect();
    match &all[..] {
        [one] => format!("static_argnames={one}"),
        all => format!("static_argnames=({})", all.join(", ")),
    }
}

/// `The problematic value is of type <class 'str'> and was passed to the function at path mode.`
fn given(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    let (_, path) = text.split_once("at path ")?;
    let parameter = path.split(['.', '[', '\n', ' ']).next()?;
    let (_, function) = text.split_once("<function ")?;
    let function = function.split(' ').next()?.rsplit('.').next()?;
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let mut found = None;
        each_stmt(python.body(), &mut |s| {
            if let Stmt::FunctionDef(f) = s {
                let has = f.parameters.includes(parameter);
                if has && f.name.as_str() == function {
                    let d = f.decorator_list.iter().find(|d| {
                        let t = python.slice(&d.expression);
                        t == "jit" || t.ends_with(".jit")
                    });
                    found = d.or(found);
                }
            }
        });
        let Some(d) = found else { continue };
        let (how, why) = match parameter {
            "self" => (
                "static_argnums=0".to_owned(),
                "`self` isn't an array. Fixed, the function is compiled for each object, and does not see when the object's values change later.".to_owned(),
            ),
            _ => (
                named(&[parameter]),
                format!("`{parameter}` isn't an array. Fixed, the function is compiled once for each of its values."),
            ),
        };
        return fixed(
            case,
            cell,
            python,
            d,
            &how,
            format!("Fix `{parameter}` when `{function}` is compiled"),
            why,
        );
    }
    None
}

/// A value printed while the function is traced.
fn printed(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, stmt) = case.here()?;
    jitted(python, stmt)?;
    let call = stmt.as_expr_stmt()?.value.as_call_expr()?;
    if callee(call) != Some("print") || !call.arguments.keywords.is_empty() {
        return None;
    }
    let jax = case.alias_of("jax")?;
    let mut form = Vec::new();
    let mut values = Vec::new();
    for a in &call.arguments.args {
        if let Some(text) = crate::find::text_of(a) {
            form.push(text.replace('{', "{{").replace('}', "}}"));
            continue;
        }
        // The conversion failed.
        let inner = a
            .as_call_expr()
            .filter(|c| matches!(name(&c.func), Some("float" | "int" | "bool")))
            .and_then(|c| positional(c, 0));
        form.push("{}".to_owned());
        values.push(python.slice(inner.unwrap_or(a)).to_owned());
    }
    let new = format!(
        "{jax}.debug.print({}, {})",
        crate::find::quoted(&form.join(" ")),
        values.join(", ")
    );
    case.edits(
        said(
            "debug-print",
            Basis::Library,
            format!("Print with `{jax}.debug.print`"),
            "While the function is compiled its arrays have no values; this prints them when it runs.",
        ),
        vec![Change::replace(cell, call, new)],
    )
}

/// A length or index that must be known at compile time.
fn concrete(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, stmt) = case.here()?;
    let (f, d) = jitted(python, stmt)?;
    let mut used: Vec<&str> = Vec::new();
    let wanted = |e: &Expr| -> bool {
        match e {
            Expr::Call(c) => matches!(
                callee(c),
                Some(
                    "arange" | "zeros" | "ones" | "reshape" | "range" | "full" | "eye" | "linspace"
                )
            ),
            Expr::Slice(_) => true,
            _ => false,
        }
    };
    for e in head_exprs(stmt).into_iter().filter(|e| wanted(e)) {
        each_below(e, &mut |inner| {
            if let Some(n) = name(inner) {
                // The sliced value is an array.
                let parameter = f
                    .parameters
                    .iter_non_variadic_params()
                    .any(|p| p.parameter.name.as_str() == n);
                if parameter && !used.contains(&n) {
                    used.push(n);
                }
            }
        });
    }
    // An array can't be static, only a number.
    let numbers = |n: &&str| {
        let index = f
            .parameters
            .iter_non_variadic_params()
            .position(|p| p.parameter.name.as_str() == *n);
        let mut all = Vec::new();
        for at in case.seen() {
            for c in case.python(at).map(|p| calls(p.body())).unwrap_or_default() {
                if name(&c.func) == Some(f.name.as_str()) {
                    let given = index.and_then(|i| argument(c, i, n));
                    all.push(given.is_some_and(|g| {
                        crate::find::int_of(g).is_some() || g.is_name_expr() || g.is_call_expr()
                    }));
                }
            }
        }
        !all.is_empty() && all.into_iter().all(|n| n)
    };
    used.retain(numbers);
    if used.is_empty() {
        return None;
    }
    let shown: Vec<String> = used.iter().map(|n| format!("`{n}`")).collect();
    let shown = shown.join(", ");
    fixed(
        case,
        cell,
        python,
        d,
        &named(&used),
        format!("Fix {shown} when `{}` is compiled", f.name),
        format!("The size of an array has to be known when the function is compiled, and {shown} decides on one. Fixed, the function is compiled once for each value."),
    )
}

/// `np.sqrt(x)` in a compiled function.
fn numpy_inside(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, stmt) = case.here()?;
    jitted(python, stmt)?;
    let (np, jnp) = (case.alias_of("numpy")?, case.alias_of("jax.numpy")?);
    let all: Vec<&Expr> = head_exprs(stmt)
        .into_iter()
        .filter_map(Expr::as_call_expr)
        .filter_map(|c| c.func.as_attribute_expr())
        .map(|a| &*a.value)
        .filter(|v| name(v) == Some(np.as_str()))
        .collect();
    let changes: Vec<Change> = all
        .iter()
        .map(|v| Change::replace(cell, *v, jnp.clone()))
        .collect();
    case.edits(
        said(
            "jax-numpy",
            Basis::Library,
            format!("Use `{jnp}` instead of `{np}` within the compiled function"),
            "NumPy needs the values, which are not there while the function is compiled; JAX's functions of the same name don't.",
        ),
        changes,
    )
}

/// `x[x > 0].sum()` in a compiled function.
fn mask(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, stmt) = case.here()?;
    let jnp = case.alias_of("jax.numpy")?;
    let exprs = head_exprs(stmt);
    let sums = exprs
        .iter()
        .filter_map(|e| e.as_call_expr())
        .filter_map(|c| {
            let of = receiver(c)?
                .as_subscript_expr()
                .filter(|_| callee(c) == Some("sum"))?;
            of.slice.is_compare_expr().then_some(of)
        });
    let s = only(sums)?;
    let (x, which) = (python.slice(&*s.value), python.slice(&*s.slice));
    let new = format!("{jnp}.where({which}, {x}, 0)");
    case.edits(
        said(
            "where",
            Basis::Library,
            format!("Write `{new}` instead of `{}`", python.slice(s)),
            "How many elements a mask keeps is not known while the function is compiled; `where` keeps the size and puts 0 for the others, which adds nothing to the sum.",
        ),
        vec![Change::replace(cell, s, new.clone())],
    )
}

/// `if c: return a`, then `return b`.
fn branch(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, stmt) = case.here()?;
    let (f, _) = jitted(python, stmt)?;
    let jnp = case.alias_of("jax.numpy")?;
    let s = stmt.as_if_stmt()?;
    let [Stmt::Return(a)] = &s.body[..] else {
        return None;
    };
    let at = f.body.iter().position(|b| b.range() == stmt.range())?;
    let (other, end) = match (&s.elif_else_clauses[..], f.body.get(at + 1)) {
        ([], Some(Stmt::Return(b))) => (b, b.end()),
        ([one], None) if one.test.is_none() => match &one.body[..] {
            [Stmt::Return(b)] => (b, stmt.end()),
            _ => return None,
        },
        _ => return None,
    };
    let (a, b) = (
        python.slice(&**a.value.as_ref()?),
        python.slice(&**other.value.as_ref()?),
    );
    let new = format!("return {jnp}.where({}, {a}, {b})", python.slice(&*s.test));
    case.edits(
        said(
            "where",
            Basis::Assumed,
            format!("Write `{}`", one_line(&new)),
            "The condition has no value while the function is compiled. `where` computes both results and chooses; they need the same shape.",
        ),
        vec![Change::replace(cell, TextRange::new(stmt.start(), end), new.clone())],
    )
}

fn tapes(python: &Cell) -> Vec<(&Stmt, &ExprCall)> {
    let mut out = Vec::new();
    each_stmt(python.body(), &mut |s| {
        if let Stmt::With(w) = s {
            let calls = w.items.iter().filter_map(|i| i.context_expr.as_call_expr());
            out.extend(
                calls
                    .filter(|c| callee(c) == Some("GradientTape"))
                    .map(|c| (s, c)),
            );
        }
    });
    out
}

fn persistent(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let (_, call) = only(tapes(spot.python).into_iter())?;
    case.edits(
        said(
            "persistent-tape",
            Basis::Library,
            "Let the tape be asked more than once: `persistent=True`",
            "A tape forgets what it recorded after the first gradient. One call with a list of variables needs no persistent one.",
        ),
        vec![spot.editor().set(call, "persistent", "True")],
    )
}

/// The prediction was computed before the tape started recording.
fn outside_tape(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let python = spot.python;
    let (with, _) = only(tapes(python).into_iter())?;
    let with = with.as_with_stmt()?;
    // Names read inside and assigned by a call directly before.
    let mut read: Vec<&str> = Vec::new();
    each_expr(&with.body, &mut |e| read.extend(name(e)));
    let first = python.line_of(with.start());
    let mut before = Vec::new();
    each_stmt(python.body(), &mut |s| {
        if let Stmt::Assign(a) = s {
            let line = python.line_of(s.start());
            let target = a.targets.first().and_then(name);
            let model = a
                .value
                .as_call_expr()
                .is_some_and(|c| name(&c.func).is_some() && case.path_of(&c.func).is_none());
            let whole = python.line(line).trim() == python.slice(s);
            if line + 1 == first && model && whole && target.is_some_and(|t| read.contains(&t)) {
                before.push((s, line));
            }
        }
    });
    let (s, line) = only(before.into_iter())?;
    let code = python.slice(s);
    let gone = TextRange::new(
        python.line_range(line).start(),
        python.line_range(line + 1).start(),
    );
    let inner = with.body.first()?;
    case.edits(
        said(
            "inside-tape",
            Basis::Source,
            format!("Compute `{}` under the tape", one_line(code)),
            "A tape knows only what happens while it is open: the way from the weights to the loss has to be in it.",
        ),
        vec![
            Change::replace(spot.cell, gone, ""),
            Change::line_before(spot.cell, python, python.line_of(inner.start()), code),
        ],
    )
}

/// `torch.save(model, …)` with a model that can't be pickled.
fn state_only(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let is_save = |c: &&ExprCall| case.path_of(&c.func).is_some_and(|p| p == "torch.save");
    let call = only(spot.calls().filter(is_save))?;
    let model = positional(call, 0).filter(|m| m.is_name_expr())?;
    let text = spot.text(model);
    let new = format!("{text}.state_dict()");
    case.edits(
        said(
            "state-only",
            Basis::Assumed,
            format!("Save the weights: `{new}`"),
            format!("`{text}` holds a function without a name, which no file can keep; its weights can be kept. To load, make the model and call `load_state_dict`."),
        ),
        vec![Change::replace(spot.cell, model, new.clone())],
    )
}

/// `torch.jit.script(model)` with a model that TorchScript can't compile.
fn scripted(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let is_script = |c: &&ExprCall| {
        case.path_of(&c.func)
            .is_some_and(|p| p == "torch.jit.script")
    };
    let call = only(spot.calls().filter(is_script))?;
    let model = spot.text(positional(call, 0)?);
    let trace = spot.text(&*call.func).replace("script", "trace");
    Some(crate::find::look(
        "trace-instead",
        format!("Trace `{model}` with an example instead of scripting it: `{trace}({model}, example)`"),
        format!("TorchScript compiles the model's code, and a part of it is Python that it does not know. Tracing records what happens for `example`, a batch as the model gets it: branches on values are then fixed. If the file is for Python only, `torch.save({model}.state_dict(), …)` is enough."),
    ))
}
