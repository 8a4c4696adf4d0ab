//! Names that a library removed or moved, replaced in the user's line. The names come from the catalogue's tables.

use crate::case::Case;
use crate::code::{argument, Editor};
use crate::edit::{Change, Said};
use crate::find::{only, said};
use crate::from_import::{import_of, method_import, moved_import, related};
use crate::imports::keras;
use crate::known::is_builtin;
use crate::told::why;
use nbmedic_catalog::{renamed, NameKind, Renamed};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprAttribute, ExprCall, Stmt};
use nbmedic_python::{each_expr, each_stmt, name_of, Cell, Ranged};
use nbmedic_wordings::python;

/// The usual aliases, as used in the tables.
const ALIASES: &[(&str, &str)] = &[
    ("np", "numpy"),
    ("pd", "pandas"),
    ("tf", "tensorflow"),
    ("plt", "matplotlib.pyplot"),
    ("mpl", "matplotlib"),
    ("sns", "seaborn"),
    ("jnp", "jax.numpy"),
    ("nn", "torch.nn"),
    ("F", "torch.nn.functional"),
];

/// Packages whose table has a different name.
const TABLES: &[(&str, &str)] = &[
    ("cv2", "opencv"),
    ("PIL", "pillow"),
    ("mpl_toolkits", "matplotlib"),
    ("torchvision", "torch"),
    ("torchtext", "torch"),
    ("torchaudio", "torch"),
    ("flax", "jax"),
    ("xgboost", "boosting"),
    ("lightgbm", "boosting"),
    ("catboost", "boosting"),
    ("pytorch_lightning", "lightning"),
    ("gymnasium", "gym"),
    ("tensorflow_addons", "tensorflow"),
];

/// The tables that may contain a module's names, the closest first.
fn tables(module: &str) -> Vec<&str> {
    let first = module.split('.').next().unwrap_or(module);
    let table = TABLES
        .iter()
        .find(|(m, _)| *m == first)
        .map_or(first, |(_, t)| t);
    let keras = module.split('.').any(|part| part == "keras");
    let mut out = Vec::new();
    if keras && table != "keras" {
        out.push("keras");
    }
    out.extend([table, "python"]);
    out
}

/// The only entry of a kind for a name. None if the tables disagree or have no replacement.
fn entry(tables: &[&str], kind: NameKind, name: &str) -> Option<&'static Renamed> {
    let of_table = |table: &&str| {
        let mut all = renamed(table, name).filter(|r| r.kind == kind && !r.new.is_empty());
        let first = all.next()?;
        all.all(|r| r.new == first.new).then_some(first)
    };
    tables.iter().find_map(of_table)
}

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    match case.class() {
        "AttributeError" => out.extend(match python::MODULE_ATTRIBUTE.read(message) {
            Some([module, name]) => attribute(case, module, name),
            None => member(case, message),
        }),
        "ImportError" => out.extend(import_name(case, message)),
        "ModuleNotFoundError" => out.extend(module(case, message)),
        _ => {}
    }
}

/// `np.float` → `float`, throughout the cell.
fn attribute(case: &Case<'_>, module: &str, name: &str) -> Option<Cure> {
    let r = entry(&tables(module), NameKind::Attribute, name)?;
    if r.new.starts_with("tf.compat.v1.") {
        return super::first_tensorflow::offered(case, name);
    }
    let (cell, python, _) = case.here()?;
    let old = format!("{module}.{name}");
    let mut found: Vec<&ExprAttribute> = Vec::new();
    let mut called: Vec<(&ExprAttribute, &ExprCall)> = Vec::new();
    each_expr(python.body(), &mut |e| {
        let is_it = |a: &ExprAttribute| {
            a.attr.as_str() == name
                && case
                    .path_of(&a.value)
                    .is_some_and(|p| same_module(&p, module))
        };
        if let Expr::Call(c) = e {
            if let Some(a) = c.func.as_attribute_expr().filter(|a| is_it(a)) {
                called.push((a, c));
            }
        }
        found.extend(e.as_attribute_expr().filter(|a| is_it(a)));
    });
    if found.is_empty() {
        return None;
    }
    let mut import = None;
    let mut changes = Vec::new();
    for a in &found {
        let call = called
            .iter()
            .find(|(c, _)| c.range() == a.range())
            .map(|(_, c)| *c);
        // PyTorch's moved functions take different arguments after the first.
        if r.library == "torch" && call.is_some_and(|c| c.arguments.len() > 1) {
            return None;
        }
        let (change, needs) = replaced(case, cell, python, a, call, r)?;
        changes.push(change);
        import = import.or(needs);
    }
    changes.extend(import.map(|line| Editor::new(cell, python).import(&line)));
    let title = format!("Replace `{}` by `{}`", python.slice(found[0]), r.new);
    case.edits(said("renamed", basis(r), title, why(r, &old)), changes)
}

/// A plain name is a safe replacement; an expression may have to be called differently.
fn basis(r: &Renamed) -> Basis {
    match is_dotted(r.new) {
        true => Basis::Library,
        false => Basis::Assumed,
    }
}

fn is_dotted(text: &str) -> bool {
    let word = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    text.split('.').all(word)
}

/// `tensorflow.keras` and the `keras._tf_keras.keras` in messages are the same.
fn same_module(path: &str, module: &str) -> bool {
    let last = |p: &str| p.rsplit('.').next().map(str::to_owned);
    path == module
        || path.ends_with(&format!(".{module}"))
        || module.ends_with(&format!(".{path}"))
        || {
            let keras = |p: &str| p.split('.').any(|part| part == "keras");
            keras(path) && keras(module) && last(path) == last(module)
        }
}

/// The new form of an attribute and its call, and the import that it needs.
fn replaced(
    case: &Case<'_>,
    cell: usize,
    python: &Cell,
    old: &ExprAttribute,
    call: Option<&ExprCall>,
    r: &Renamed,
) -> Option<(Change, Option<String>)> {
    if is_dotted(r.new) {
        let (text, import) = own_name(case, r.new)?;
        return Some((Change::replace(cell, old, text), import));
    }
    // An expression that contains the value: `tf.to_float(y)` → `tf.cast(y, tf.float32)`.
    let call = call?;
    let (head, import) = own_name(case, r.new.split('(').next()?)?;
    let rest = r.new.split_once('(')?.1;
    let [value] = &call.arguments.args[..] else {
        return None;
    };
    if !call.arguments.keywords.is_empty() {
        return None;
    }
    let rest = rest
        .strip_prefix('x')
        .filter(|t| t.starts_with([',', ')']))?;
    let rest = own_prefix(case, rest);
    let text = format!("{head}({}{rest}", python.slice(value));
    Some((Change::replace(cell, call, text), import))
}

/// Replaces `tf.` in the rest of an expression by the user's alias.
fn own_prefix(case: &Case<'_>, text: &str) -> String {
    let mut out = text.to_owned();
    for (alias, module) in ALIASES {
        if let Some(own) = case.alias_of(module).filter(|own| own != alias) {
            out = out.replace(&format!(" {alias}."), &format!(" {own}."));
        }
    }
    out
}

/// A dotted name from the tables in the user's terms, and the import that it needs: `np.float64` →
/// `numpy.float64` if NumPy was imported as a whole.
fn own_name(case: &Case<'_>, new: &str) -> Option<(String, Option<String>)> {
    let Some((first, rest)) = new.split_once('.') else {
        // A built-in name, or one whose module is unknown.
        return is_builtin(new).then(|| (new.to_owned(), None));
    };
    // `Image.LANCZOS` with `from PIL import Image`.
    let own = case.module_of(first);
    if own.is_some_and(|m| m.contains('.') && m.rsplit('.').next() == Some(first)) {
        return Some((new.to_owned(), None));
    }
    let module = ALIASES
        .iter()
        .find(|(a, _)| *a == first)
        .map_or(first, |(_, m)| m);
    if let Some(alias) = case.alias_of(module) {
        return Some((format!("{alias}.{rest}"), None));
    }
    // The longest part imported under its own name: `tf.keras.layers` as `layers`.
    let parts: Vec<&str> = rest.split('.').collect();
    for n in (1..parts.len()).rev() {
        let whole = format!("{module}.{}", parts[..n].join("."));
        if let Some(alias) = case.alias_of(&whole) {
            return Some((format!("{alias}.{}", parts[n..].join(".")), None));
        }
    }
    if case.exists(first) {
        return None;
    }
    // `collections.abc.Mapping` needs its module, `time.perf_counter` its first name.
    let import = match (parts.len(), module == first) {
        (1, true) => format!("import {module}"),
        (_, true) => format!("import {module}.{}", parts[..parts.len() - 1].join(".")),
        (_, false) => format!("import {module} as {first}"),
    };
    Some((new.to_owned(), Some(import)))
}

/// A method or attribute of an object: `df.as_matrix()` → `df.to_numpy()`.
fn member(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [name] = python::NO_ATTRIBUTE.read(message)?;
    let class = message.split('\'').nth(1).unwrap_or("");
    let (cell, python, stmt) = case.here()?;
    // The class doesn't show which library the object comes from, so search the imported ones.
    let mut libraries = vec!["python"];
    for (library, module) in [
        ("pandas", "pandas"),
        ("numpy", "numpy"),
        ("sklearn", "sklearn"),
        ("torch", "torch"),
        ("keras", "keras"),
        ("tensorflow", "tensorflow"),
        ("matplotlib", "matplotlib"),
        ("seaborn", "seaborn"),
        ("pillow", "PIL"),
        ("gensim", "gensim"),
        ("networkx", "networkx"),
        ("scipy", "scipy"),
        ("transformers", "transformers"),
        ("jax", "jax"),
        ("selenium", "selenium"),
    ] {
        if case.imports(module) {
            libraries.push(library);
        }
    }
    if case.imports("tensorflow") && !libraries.contains(&"keras") {
        libraries.push("keras");
    }
    let builtin = [
        "dict",
        "list",
        "str",
        "bytes",
        "int",
        "function",
        "method",
        "generator",
        "Thread",
        "Element",
        "ElementTree",
    ];
    let builtin = builtin.contains(&class) || class.ends_with("_iterator");
    let fits = |r: &&&Renamed| {
        let of = r.of.is_empty() || r.of.split(' ').any(|c| c == class);
        r.kind == NameKind::Member && !r.new.is_empty() && of && builtin == (r.library == "python")
    };
    let all: Vec<&Renamed> = libraries.iter().flat_map(|l| renamed(l, name)).collect();
    let r = *only(all.iter().filter(fits))?;
    let mut found: Vec<(&ExprAttribute, Option<&ExprCall>)> = Vec::new();
    each_expr(std::slice::from_ref(stmt), &mut |e| {
        if let Expr::Call(c) = e {
            found.extend(
                c.func
                    .as_attribute_expr()
                    .filter(|a| a.attr.as_str() == name)
                    .map(|a| (a, Some(c))),
            );
        }
        if let Expr::Attribute(a) = e {
            if a.attr.as_str() == name && !found.iter().any(|(f, _)| f.range() == a.range()) {
                found.push((a, None));
            }
        }
    });
    let (old, call) = only(found.into_iter())?;
    if let Some((head, "...)")) = r.new.split_once('(') {
        if head.starts_with("keras.") {
            return loaded(case, cell, python, stmt, call?, head, r);
        }
    }
    // A single sigmoid column has no `argmax`.
    if r.new.ends_with(".argmax(axis=-1)") {
        if let (Some(call), true) = (call, one_output(case)) {
            return one_column(case, cell, python, old, call, r);
        }
    }
    let change = of_value(cell, python, old, call, r)?;
    // In the table, `x` stands for the receiver.
    let new = r.new.strip_prefix('x').filter(|n| n.starts_with('.'));
    let title = format!("Replace `.{name}` by `{}`", new.unwrap_or(r.new));
    let text = why(r, name);
    case.edits(said("renamed", member_basis(r), title, text), vec![change])
}

/// `model.load("a.keras")` → `model = keras.models.load_model("a.keras")`: the function returns a
/// new object.
fn loaded(
    case: &Case<'_>,
    cell: usize,
    python: &Cell,
    stmt: &Stmt,
    call: &ExprCall,
    head: &str,
    r: &Renamed,
) -> Option<Cure> {
    let own = call.func.as_attribute_expr()?.value.as_name_expr()?;
    let alone = stmt
        .as_expr_stmt()
        .is_some_and(|s| s.value.range() == call.range());
    if !alone {
        return None;
    }
    // Through the notebook's Keras package, under the function's own name.
    let (module, function) = head.rsplit_once('.')?;
    let module = module.replacen("keras", keras(case), 1);
    let arguments = python.slice(&call.arguments);
    let text = format!("{} = {function}{arguments}", own.id);
    let mut changes = vec![Change::replace(cell, stmt, text)];
    if !case.exists(function) {
        changes.push(Editor::new(cell, python).import(&format!("from {module} import {function}")));
    }
    let title = format!("Replace `{}.{}` by `{function}`", own.id, r.old);
    let text = format!(
        "A model has no `{}`: the function `{function}` reads the file and gives the model.",
        r.old
    );
    case.edits(said("renamed", Basis::Library, title, text), changes)
}

/// Whether the notebook's last dense layer has one unit.
fn one_output(case: &Case<'_>) -> bool {
    let last = case.seen().into_iter().find_map(|cell| {
        let all = nbmedic_python::calls(case.python(cell)?.body());
        all.into_iter()
            .rev()
            .find(|c| crate::find::callee(c) == Some("Dense"))
    });
    let units = last.and_then(|c| argument(c, 0, "units"));
    units.and_then(crate::find::int_of) == Some(1)
}

/// `model.predict_classes(x)` of a model with one sigmoid output.
fn one_column(
    case: &Case<'_>,
    cell: usize,
    python: &Cell,
    old: &ExprAttribute,
    call: &ExprCall,
    r: &Renamed,
) -> Option<Cure> {
    let (value, arguments) = (python.slice(&*old.value), python.slice(&call.arguments));
    let text = format!("({value}.predict{arguments} > 0.5).astype(\"int32\")");
    case.edits(
        said(
            "renamed",
            Basis::Assumed,
            format!("Replace `{}` by `{text}`", crate::find::one_line(python.slice(call))),
            format!("{} The model's last layer has one unit, so each row is one probability; 0.5 is the threshold.", why(r, old.attr.as_str())),
        ),
        vec![Change::replace(cell, call, text)],
    )
}

fn member_basis(r: &Renamed) -> Basis {
    match is_dotted(r.new) || r.new.ends_with("()") {
        true => Basis::Library,
        false => Basis::Assumed,
    }
}

/// The possible forms of a member's replacement: a bare name, `x.name`, `x.name()`, `x.name(...)`,
/// and `x.a().b()` for a call without arguments. Others need a human.
fn of_value(
    cell: usize,
    python: &Cell,
    old: &ExprAttribute,
    call: Option<&ExprCall>,
    r: &Renamed,
) -> Option<Change> {
    let new = r.new;
    if !new.contains(['.', '(']) {
        return is_dotted(new).then(|| Change::replace(cell, &old.attr, new));
    }
    let (receiver, rest) = new.split_once('.')?;
    if !is_dotted(receiver) || ALIASES.iter().any(|(a, _)| *a == receiver) {
        return None;
    }
    if is_dotted(rest) {
        return Some(Change::replace(cell, &old.attr, rest));
    }
    let call = call?;
    let arguments = python.slice(&call.arguments);
    let value = python.slice(&*old.value);
    let plain = rest.strip_suffix("()").filter(|n| is_dotted(n));
    let dots = rest.strip_suffix("(...)").filter(|n| is_dotted(n));
    if let Some(name) = plain.or(dots) {
        // Arguments without a place in the new form must not be dropped silently.
        let fits = dots.is_some() || call.arguments.is_empty();
        return fits.then(|| Change::replace(cell, &old.attr, name));
    }
    if let Some((name, tail)) = rest.split_once("(x)") {
        // `model.predict(x).argmax(axis=-1)`: keeps the user's arguments.
        let plain = is_dotted(name) && tail.starts_with('.');
        return plain
            .then(|| Change::replace(cell, call, format!("{value}.{name}{arguments}{tail}")));
    }
    let complete = call.arguments.is_empty() && Cell::is_valid(rest) && !rest.contains("...");
    complete.then(|| Change::replace(cell, call, format!("{value}.{rest}")))
}

/// `from collections import Mapping` → `from collections.abc import Mapping`.
fn import_name(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [name, module] = python::IMPORT_NAME.read(message)?;
    let (cell, python, import) = import_of(case, |i| {
        let of = i.module.as_ref().map(|m| m.as_str());
        i.names.iter().any(|a| a.name.as_str() == name)
            && (module.is_empty() || of.is_some_and(|of| same_module(of, module)))
    })?;
    let module = import.module.as_ref()?.as_str();
    let r = entry(&tables(module), NameKind::Attribute, name).or_else(|| {
        entry(
            &tables(module),
            NameKind::Module,
            &format!("{module}.{name}"),
        )
    })?;
    if !is_dotted(r.new) {
        return None;
    }
    // The full path of the replacement.
    let path = match r.new.split_once('.') {
        Some((first, rest)) => {
            let whole = ALIASES
                .iter()
                .find(|(a, _)| *a == first)
                .map_or(first, |(_, m)| m);
            format!("{whole}.{rest}")
        }
        None if is_builtin(r.new) => return None,
        // A former copy of a package with that name.
        None if r.new == name => r.new.to_owned(),
        None => format!("{module}.{}", r.new),
    };
    let alias = import.names.iter().find(|a| a.name.as_str() == name)?;
    let own = alias.asname.as_ref().unwrap_or(&alias.name).as_str();
    if r.new.starts_with(|c: char| c.is_uppercase()) && r.new.contains('.') {
        let change = method_import(cell, python, import, name, own, r.new)?;
        let title = format!("Replace `{name}` by `{}`", r.new);
        let why = why(r, &format!("{module}.{name}"));
        return case.edits(said("renamed", Basis::Library, title, why), vec![change]);
    }
    let (new_module, new_name) = path.rsplit_once('.').unwrap_or(("", path.as_str()));
    let (text, change) = moved_import(cell, python, import, name, new_module, new_name)?;
    let old = format!("{module}.{name}");
    let said = said(
        "renamed",
        match related(name, new_name) {
            true => Basis::Library,
            false => Basis::Assumed,
        },
        format!("Replace it by `{text}`"),
        why(r, &old),
    );
    case.edits(said, vec![change])
}

/// `from sklearn.cross_validation import …` → `from sklearn.model_selection import …`.
fn module(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [gone] = python::NO_MODULE.read(message)?;
    let (cell, python, stmt) = case.here()?;
    // `import urllib2` names the module itself, `import a.b.c` its contents.
    let r = entry(&tables(gone), NameKind::Module, gone)?;
    if !is_dotted(r.new) {
        return None;
    }
    let title = format!("Import `{}`", r.new);
    let said = |basis| -> Said { said("renamed", basis, title.clone(), why(r, gone)) };
    match stmt {
        Stmt::ImportFrom(i) if i.module.as_ref().is_some_and(|m| m.as_str() == gone) => {
            let at = i.module.as_ref()?;
            case.edits(said(Basis::Library), vec![Change::replace(cell, at, r.new)])
        }
        Stmt::Import(i) => {
            let alias = only(i.names.iter().filter(|a| a.name.as_str() == gone))?;
            let own = match &alias.asname {
                Some(own) => own.as_str().to_owned(),
                // A dotted import is used by its whole path, so all uses change with it.
                None if gone.contains('.') => {
                    return dotted(case, cell, python, gone, r, said(Basis::Library))
                }
                // Its uses aren't shown.
                None if case.book.is_excerpt() => return None,
                None => gone.to_owned(),
            };
            let text = format!("{} as {own}", r.new);
            // A different module under the old name may have different functions.
            case.edits(
                said(Basis::Assumed),
                vec![Change::replace(cell, alias, text)],
            )
        }
        _ => None,
    }
}

/// `import a.b` and its uses `a.b.c` in the cell.
fn dotted(
    case: &Case<'_>,
    cell: usize,
    python: &Cell,
    gone: &str,
    r: &Renamed,
    said: Said,
) -> Option<Cure> {
    let mut changes = Vec::new();
    each_expr(python.body(), &mut |e| {
        if e.is_attribute_expr() && name_of(e).as_deref() == Some(gone) {
            changes.push(Change::replace(cell, e, r.new));
        }
    });
    each_stmt(python.body(), &mut |s| {
        if let Stmt::Import(i) = s {
            let names = i.names.iter().filter(|a| a.name.as_str() == gone);
            changes.extend(names.map(|a| Change::replace(cell, &a.name, r.new)));
        }
    });
    case.edits(said, changes)
}
