//! Calls and subscripts whose values must have a different form.

use crate::case::Case;
use crate::code::{argument, Editor};
use crate::edit::Change;
use crate::find::{callee, loops_around, missing_path, name, only, receiver, said, text_of, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{CmpOp, Expr, ExprCall, Operator, Stmt};
use nbmedic_python::{calls, keyword, positional, Ranged, TextRange};
use nbmedic_wordings::{numpy, python, spacy};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    out.extend(match case.class() {
        "TypeError" => listed(case, message)
            .or_else(|| sparse(case, message))
            .or_else(|| formatted(case, message))
            .or_else(|| shape(case, message))
            .or_else(|| tuple(case, message))
            .or_else(|| brackets(case, message)),
        "AttributeError"
            if message.contains("'numpy.ndarray' object has no attribute 'append'") =>
        {
            appended(case)
        }
        "FileExistsError" => folder(case),
        "FileNotFoundError" => listed_file(case, message),
        "KeyError" if message.starts_with("('") => columns(case),
        "UnsupportedOperation" => mode(case, message),
        "LookupError" => corpus(case),
        "OSError" if message.contains("[E050]") => spacy(case, message),
        "OSError" => writable(case, message),
        _ => None,
    });
}

/// Types that can't be indexed, ordered or not.
const WITHOUT_POSITIONS: &[&str] = &[
    "set",
    "frozenset",
    "dict_keys",
    "dict_values",
    "dict_items",
    "map",
    "filter",
    "zip",
    "generator",
    "reversed",
    "enumerate",
];

/// `names.keys()[0]` → `list(names.keys())[0]`.
fn listed(case: &Case<'_>, message: &str) -> Option<Cure> {
    let (kind, length) = match python::NO_LENGTH.read(message) {
        Some([kind]) => (kind, true),
        None => (python::NOT_SUBSCRIPTABLE.read(message).map(|[k]| k)?, false),
    };
    if !WITHOUT_POSITIONS.contains(&kind) {
        return None;
    }
    let spot = case.spot()?;
    let inner: Vec<&Expr> = spot
        .exprs
        .iter()
        .filter_map(|e| match e {
            Expr::Subscript(s) if !length && !case.in_library() => Some(&*s.value),
            Expr::Call(c) if length && callee(c) == Some("len") => positional(c, 0),
            Expr::Call(c)
                if case.in_library() && matches!(callee(c), Some("choice" | "sample")) =>
            {
                positional(c, 0)
            }
            _ => None,
        })
        .filter(|e| match e {
            // The value of a name or call must be of that type.
            Expr::Set(_) | Expr::SetComp(_) => kind == "set",
            Expr::Call(c) => {
                callee(c).is_some_and(|n| kind == n || kind.strip_prefix("dict_") == Some(n))
            }
            Expr::Name(n) => case.value(n.id.as_str()).is_none_or(|(_, v)| match v {
                Expr::List(_)
                | Expr::Dict(_)
                | Expr::StringLiteral(_)
                | Expr::NumberLiteral(_)
                | Expr::Tuple(_) => false,
                Expr::Call(c) => {
                    callee(c).is_none_or(|n| n.starts_with(char::is_lowercase) && n != "list")
                }
                _ => true,
            }),
            Expr::Generator(_) => kind == "generator",
            _ => false,
        })
        .collect();
    let value = only(inner.into_iter())?;
    let text = spot.text(value);
    // An iterator that is exhausted by then is turned into a list at the start.
    let once = !matches!(kind, "set" | "frozenset") && !kind.starts_with("dict_");
    let made = case.made(spot.cell, value).filter(|_| once);
    if let Some(made) = made.filter(|m| m.expr.range() != value.range()) {
        let text = case.python(made.cell)?.slice(made.expr);
        let known = match made.expr {
            Expr::Call(c) => callee(c) == Some(kind),
            Expr::Generator(_) => kind == "generator",
            _ => false,
        };
        let inner = match made.expr {
            Expr::Generator(_) => {
                let open = text.strip_prefix('(');
                open.and_then(|t| t.strip_suffix(')')).unwrap_or(text)
            }
            _ => text,
        };
        if known && !inner.contains('\n') {
            return case.edits(
                said(
                    "as-list",
                    Basis::Language,
                    format!("Write `list({inner})`"),
                    format!("A {kind} gives its elements once and has neither a length nor positions; a list keeps them."),
                ),
                vec![Change::replace(made.cell, made.expr, format!("list({inner})"))],
            );
        }
    }
    let (basis, why) = match kind {
        "set" | "frozenset" => (Basis::Assumed, "A set has no positions; in the list its elements stand in no particular order: use `sorted` for one."),
        "map" | "filter" | "zip" | "generator" | "reversed" | "enumerate" => {
            (Basis::Assumed, "It gives its elements one after the other, once; the list holds them all, and leaves nothing for a second use.")
        }
        _ => (Basis::Language, "Views of a dict have no positions; the list has."),
    };
    case.edits(
        said("as-list", basis, format!("Write `list({text})`"), why),
        vec![Change::replace(spot.cell, value, format!("list({text})"))],
    )
}

/// `"%s: %d" % name, n`: the values after `%` need parentheses.
fn formatted(case: &Case<'_>, message: &str) -> Option<Cure> {
    let spot = message
        .starts_with("not enough arguments for format string")
        .then(|| case.spot())
        .flatten()?;
    let percent = |e: &Expr| match e {
        Expr::BinOp(b) if b.op == Operator::Mod && b.left.is_string_literal_expr() => {
            Some(b.right.range()).filter(|_| !b.right.is_tuple_expr())
        }
        _ => None,
    };
    let lists = spot.exprs.iter().filter_map(|e| match e {
        Expr::Tuple(t) => Some(&t.elts[..]),
        Expr::Call(c) => Some(&c.arguments.args[..]),
        _ => None,
    });
    let (first, last) = only(lists.filter_map(|list| {
        let at = list.iter().position(|e| percent(e).is_some())?;
        let last = list.last().filter(|_| at + 1 < list.len())?;
        Some((percent(&list[at])?, last.end()))
    }))?;
    let all = TextRange::new(first.start(), last);
    let text = spot.text(all);
    case.edits(
        said(
            "format-tuple",
            Basis::Language,
            format!("Put the values into brackets: `% ({text})`"),
            "`%` takes the first value alone; the others stand outside of it.",
        ),
        vec![Change::replace(spot.cell, all, format!("({text})"))],
    )
}

/// `len(X)` of a sparse matrix.
fn sparse(case: &Case<'_>, message: &str) -> Option<Cure> {
    let says = message.starts_with("sparse") && message.contains("length is ambiguous");
    let spot = says.then(|| case.spot()).flatten()?;
    let call = only(spot.calls().filter(|c| callee(c) == Some("len")))?;
    let text = spot.text(positional(call, 0)?);
    case.edits(
        said(
            "rows-of-sparse",
            Basis::Library,
            format!("Replace `len({text})` by `{text}.shape[0]`"),
            "A sparse matrix could mean its rows or its stored values; `shape[0]` is the number of rows.",
        ),
        vec![Change::replace(spot.cell, call, format!("{text}.shape[0]"))],
    )
}

fn numpy_call<'c>(case: &Case<'_>, spot: &Spot<'c>, names: &[&str]) -> Option<&'c ExprCall> {
    let is = |c: &&ExprCall| {
        let path = case.path_of(&c.func).unwrap_or_default();
        path.strip_prefix("numpy.")
            .is_some_and(|n| names.contains(&n))
    };
    only(spot.calls().filter(is))
}

/// Wraps all positional arguments in parentheses or brackets.
fn in_brackets(case: &Case<'_>, spot: &Spot<'_>, call: &ExprCall, what: &str) -> Option<Cure> {
    let args = &call.arguments.args;
    let (first, last) = (args.first()?, args.last()?);
    if args.len() < 2 || args.iter().any(Expr::is_starred_expr) {
        return None;
    }
    let all = TextRange::new(first.start(), last.end());
    let text = spot.text(all);
    let function = spot.text(&*call.func);
    case.edits(
        said(
            "as-tuple",
            Basis::Library,
            format!("Put `{text}` into brackets: `{function}(({text}))`"),
            format!("`{function}` takes {what} as one argument; the second is something else."),
        ),
        vec![Change::replace(spot.cell, all, format!("({text})"))],
    )
}

/// `np.zeros(3, 4)`
fn shape(case: &Case<'_>, message: &str) -> Option<Cure> {
    let says = numpy::DTYPE.read(message).is_some() || numpy::DTYPE_BEFORE.begins(message);
    let spot = says.then(|| case.spot()).flatten()?;
    let call = numpy_call(case, &spot, &["zeros", "ones", "empty"])?;
    let second = positional(call, 1)?;
    let number = second.is_number_literal_expr() || second.is_name_expr();
    number
        .then(|| in_brackets(case, &spot, call, "the shape"))
        .flatten()
}

/// `np.concatenate(a, b)`
fn tuple(case: &Case<'_>, message: &str) -> Option<Cure> {
    let says = numpy::SCALAR_INDEX.is_in(message)
        || python::POSITIONAL_ARGUMENT.is_in(message)
        || python::AS_INTEGER.is_in(message);
    let spot = says.then(|| case.spot()).flatten()?;
    let call = numpy_call(
        case,
        &spot,
        &[
            "concatenate",
            "vstack",
            "hstack",
            "stack",
            "column_stack",
            "dstack",
        ],
    )?;
    let first = call.arguments.args.first()?;
    if matches!(first, Expr::List(_) | Expr::Tuple(_) | Expr::ListComp(_)) {
        return None;
    }
    in_brackets(case, &spot, call, "the arrays")
}

/// `df["a"] > 3 & df["b"] < 5`: `&` binds tighter than comparisons.
fn brackets(case: &Case<'_>, message: &str) -> Option<Cure> {
    // Whatever the message, a comparison with `&` in the middle is wrong.
    let says = [
        "'rand_'",
        "'ror_'",
        "type(s) for &",
        "type(s) for |",
        "'bitwise_",
    ];
    let says = says.iter().any(|s| message.contains(s)) || message.starts_with("Cannot perform 'r");
    let spot = says.then(|| case.spot()).flatten()?;
    let found: Vec<(&Expr, String)> = spot
        .exprs
        .iter()
        .filter_map(|e| {
            let c = e.as_compare_expr()?;
            // `a == 1 & b == 2`: two comparisons around the operands of `&`, or one before it.
            let [op1, op2] = &c.ops[..] else { return None };
            let [middle, last] = &c.comparators[..] else {
                return None;
            };
            let b = middle
                .as_bin_op_expr()
                .filter(|b| matches!(b.op, Operator::BitAnd | Operator::BitOr))?;
            let plain =
                |o: &CmpOp| !matches!(o, CmpOp::In | CmpOp::NotIn | CmpOp::Is | CmpOp::IsNot);
            (plain(op1) && plain(op2)).then_some(())?;
            let t = |x: &Expr| spot.text(x).to_owned();
            let new = format!(
                "({} {op1} {}) {} ({} {op2} {})",
                t(&c.left),
                t(&b.left),
                b.op,
                t(&b.right),
                t(last)
            );
            Some((*e, new))
        })
        .collect();
    let (e, new) = only(found.into_iter())?;
    case.edits(
        said(
            "comparisons-in-brackets",
            Basis::Language,
            format!("Put each comparison into brackets: `{new}`"),
            "`&` and `|` bind before `>` and `==`, so they joined what stands between the comparisons.",
        ),
        vec![Change::replace(spot.cell, e, new)],
    )
}

/// `a.append(4)` of an array.
fn appended(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let stmt = spot.stmt?.as_expr_stmt()?;
    let call = stmt
        .value
        .as_call_expr()
        .filter(|c| callee(c) == Some("append"))?;
    let (array, value) = (name(receiver(call)?)?, positional(call, 0)?);
    let numpy = case.alias_of("numpy")?;
    let new = format!("{array} = {numpy}.append({array}, {})", spot.text(value));
    case.edits(
        said(
            "array-append",
            Basis::Assumed,
            format!("Write `{new}`"),
            format!("An array has a fixed size: `{numpy}.append` makes a new, flat one. To add rows to a table of numbers give `axis=0`."),
        ),
        vec![Change::replace(spot.cell, stmt, new)],
    )
}

/// `os.mkdir("out")` for an existing folder.
fn folder(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let is = |c: &&ExprCall| {
        matches!(
            case.path_of(&c.func).as_deref(),
            Some("os.mkdir" | "os.makedirs")
        ) || callee(c) == Some("mkdir") && receiver(c).is_some_and(|r| case.path_of(r).is_none())
    };
    let call = only(spot.calls().filter(is))?;
    if keyword(call, "exist_ok").is_some() {
        return None;
    }
    let function = spot.text(&*call.func);
    let new = function
        .strip_suffix("os.mkdir")
        .map_or(function.to_owned(), |h| format!("{h}os.makedirs"));
    let mut changes = vec![spot.editor().add(call, "exist_ok=True")];
    if new != function {
        changes.push(Change::replace(spot.cell, &*call.func, new.clone()));
    }
    case.edits(
        said(
            "folder-exists",
            Basis::Library,
            format!("Write `{new}(…, exist_ok=True)`"),
            "The folder is there already, from an earlier run; then it is left as it is.",
        ),
        changes,
    )
}

/// `for f in os.listdir("imgs"): open(f)`: names without their folder.
fn listed_file(case: &Case<'_>, message: &str) -> Option<Cure> {
    if missing_path(message)?.contains('/') {
        return None;
    }
    let spot = case.spot()?;
    let loops = loops_around(spot.python, spot.stmt?);
    let (variable, folder) = loops.iter().rev().find_map(|f| {
        let mut iter = f.iter.as_call_expr()?;
        while matches!(callee(iter), Some("sorted" | "tqdm" | "enumerate" | "list")) {
            iter = positional(iter, 0)?.as_call_expr()?;
        }
        let target = match &*f.target {
            Expr::Tuple(t) => t.elts.last()?,
            other => other,
        };
        let lists = case.path_of(&iter.func).as_deref() == Some("os.listdir");
        lists
            .then(|| Some((name(target)?, positional(iter, 0)?)))
            .flatten()
    })?;
    let uses: Vec<&Expr> = spot
        .calls()
        .flat_map(|c| c.arguments.args.iter())
        .filter(|a| name(a) == Some(variable))
        .collect();
    let used = only(uses.into_iter())?;
    let (os, text) = (case.alias_of("os")?, spot.text(folder));
    let new = format!("{os}.path.join({text}, {variable})");
    case.edits(
        said(
            "with-folder",
            Basis::Library,
            format!("Write `{new}` for `{variable}`"),
            format!("`{os}.listdir({text})` gives names without their folder."),
        ),
        vec![Change::replace(spot.cell, used, new)],
    )
}

/// `df["a", "b"]`
fn columns(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let found = spot.exprs.iter().filter_map(|e| {
        let s = e.as_subscript_expr()?;
        let t = s.slice.as_tuple_expr()?;
        (t.elts.len() > 1
            && t.elts.iter().all(|e| text_of(e).is_some())
            && !s.value.is_attribute_expr())
        .then_some(&*s.slice)
    });
    let slice = only(found)?;
    let text = spot.text(slice);
    case.edits(
        said(
            "list-of-columns",
            Basis::Library,
            format!("Put the columns into a list: `[[{text}]]`"),
            "Two names in one pair of brackets are a single key, a tuple; several columns are a list.",
        ),
        vec![Change::replace(spot.cell, slice, format!("[{text}]"))],
    )
}

/// A file opened in the wrong mode.
fn mode(case: &Case<'_>, message: &str) -> Option<Cure> {
    let (new, does) = match message {
        "not writable" => ("w", "written"),
        "not readable" => ("r", "read"),
        _ => return None,
    };
    let spot = case.spot()?;
    let file = spot.calls().find_map(|c| receiver(c).and_then(name))?;
    let opened = case
        .value(file)
        .and_then(|(cell, v)| Some((cell, v.as_call_expr()?)));
    let with = || {
        case.seen().into_iter().find_map(|cell| {
            let python = case.python(cell)?;
            let mut found = None;
            nbmedic_python::each_stmt(python.body(), &mut |s| {
                if let Stmt::With(w) = s {
                    for item in &w.items {
                        let named = item.optional_vars.as_ref().and_then(|v| name(v)) == Some(file);
                        found = item.context_expr.as_call_expr().filter(|_| named).or(found);
                    }
                }
            });
            Some((cell, found?))
        })
    };
    let (cell, call) = opened
        .or_else(with)
        .filter(|(_, c)| callee(c) == Some("open"))?;
    let python = case.python(cell)?;
    let given = argument(call, 1, "mode");
    let change = match given {
        Some(m) if text_of(m).is_some() => Change::replace(cell, m, format!("\"{new}\"")),
        Some(_) => return None,
        None => Editor::new(cell, python).add(call, &format!("\"{new}\"")),
    };
    let why = match new {
        "w" => "`\"w\"` begins the file anew; `\"a\"` adds to what is in it.",
        _ => "A file is opened for reading, or for writing: to do both, open it twice.",
    };
    case.edits(
        said(
            "open-mode",
            Basis::Assumed,
            format!("Open the file to be {does}: `open(…, \"{new}\")`"),
            why,
        ),
        vec![change],
    )
}

/// NLTK's data.
fn corpus(case: &Case<'_>) -> Option<Cure> {
    // Its message starts with lines of asterisks.
    let set = case
        .output
        .text()
        .split_once("nltk.download('")?
        .1
        .split('\'')
        .next()?;
    if set.is_empty()
        || !set
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
    {
        return None;
    }
    let python = case.python(case.at)?;
    let lines = format!("import nltk\nnltk.download({})", crate::find::quoted(set));
    case.edits(
        said(
            "download-data",
            Basis::Named,
            format!("Download `{set}` first: `nltk.download(\"{set}\")`"),
            "NLTK's data does not come with the package. On Kaggle the notebook needs internet access for it.",
        ),
        vec![Editor::new(case.at, python).import(&lines)],
    )
}

/// spaCy's models.
fn spacy(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [model] = spacy::MODEL.read(message)?;
    let spot = case.spot()?;
    let is = |c: &&ExprCall| case.path_of(&c.func).as_deref() == Some("spacy.load");
    only(
        calls(std::slice::from_ref(spot.stmt?))
            .into_iter()
            .filter(is),
    )?;
    let alias = case.alias_of("spacy")?;
    if model.contains('/') || !model.contains('_') {
        return None;
    }
    let line = format!("{alias}.cli.download({})", crate::find::quoted(model));
    case.edits(
        said(
            "download-data",
            Basis::Named,
            format!("Download the model first: `{line}`"),
            "spaCy's models do not come with the package. On Kaggle the notebook needs internet access for it.",
        ),
        vec![spot.editor().above(spot.stmt?, &line)],
    )
}

/// Kaggle's input folder is read-only.
fn writable(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [path] = python::READ_ONLY.read(message)?;
    path.starts_with("/kaggle/input").then_some(())?;
    let spot = case.spot()?;
    let literal = only(spot.strings(path))?;
    let file = path.rsplit('/').next().filter(|f| !f.is_empty())?;
    let new = format!("/kaggle/working/{file}");
    case.edits(
        said(
            "write-elsewhere",
            Basis::Library,
            format!("Write to `{new}`"),
            "`/kaggle/input` can only be read; what stands in `/kaggle/working` is kept as the notebook's output.",
        ),
        vec![Change::replace(spot.cell, literal, format!("\"{new}\""))],
    )
}
