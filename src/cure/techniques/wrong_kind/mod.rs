//! An attribute that another kind of value has: arrays, lists, tables, columns, dates.

mod classes;
mod tables;

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, look, said, Spot};
use crate::top::at_top;
use classes::{fitted_before, own_class};
use nbmedic_facts::{Applicability, Cure};
use nbmedic_python::ast::{Expr, ExprAttribute, Stmt};
use nbmedic_python::{each_expr, Ranged, TextRange};
use tables::{accessor, column, kept_table, nan_text, text_index, wrapped, OF_COLUMNS};

/// What arrays have and lists don't.
const OF_ARRAYS: &[&str] = &[
    "shape",
    "reshape",
    "astype",
    "mean",
    "std",
    "sum",
    "max",
    "min",
    "argmax",
    "argmin",
    "argsort",
    "T",
    "flatten",
    "ravel",
    "ndim",
    "dtype",
    "size",
    "transpose",
    "squeeze",
    "cumsum",
    "var",
    "clip",
    "round",
    "dot",
    "nonzero",
];

/// What tables have and arrays and lists don't.
const OF_TABLES: &[&str] = &[
    "head",
    "tail",
    "describe",
    "info",
    "columns",
    "corr",
    "isnull",
    "isna",
    "fillna",
    "dropna",
    "drop",
    "groupby",
    "to_csv",
    "sample",
    "iterrows",
    "loc",
    "select_dtypes",
    "index",
    "plot",
    "hist",
    "apply",
    "merge",
];

/// Methods of texts that a column has behind `.str`.
const OF_TEXTS: &[&str] = &[
    "lower",
    "upper",
    "split",
    "strip",
    "lstrip",
    "rstrip",
    "contains",
    "startswith",
    "endswith",
    "title",
    "capitalize",
    "isnumeric",
    "isdigit",
    "zfill",
    "extract",
    "len",
    "cat",
    "slice",
    "findall",
    "isalpha",
];

/// What a column of dates has behind `.dt`.
const OF_DATES: &[&str] = &[
    "year",
    "month",
    "day",
    "hour",
    "minute",
    "second",
    "weekday",
    "dayofweek",
    "dayofyear",
    "quarter",
    "date",
    "strftime",
    "day_name",
    "month_name",
    "days",
    "total_seconds",
    "week",
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let Some(spot) = case.spot() else { return };
    if case.class() == "IndexError" && message.starts_with("only integers, slices") {
        out.extend(text_index(case, &spot));
        return;
    }
    if case.class() != "AttributeError" {
        return;
    }
    if message.starts_with("Can only use .dt accessor") {
        out.extend(accessor(case, &spot, "dt"));
        return;
    }
    if message.starts_with("Can only use .str accessor") {
        out.extend(accessor(case, &spot, "str"));
        return;
    }
    let Some((kind, name)) = parts(message) else {
        return;
    };
    if let Some(cure) = own_class(case, &spot, kind, name) {
        out.push(cure);
        return;
    }
    let nan = || nan_text(case, name);
    let found: Vec<&ExprAttribute> = spot.attributes(name).collect();
    let cure = match kind {
        "float" if OF_TEXTS.contains(&name) || name == "replace" || name == "encode" => nan(),
        _ => attribute(case, &spot, kind, name, &found),
    };
    out.extend(cure);
    out.extend(fitted_before(case, &spot, name));
}

/// The kind and the attribute of `'list' object has no attribute 'shape'`. A quote may be cut off.
fn parts(message: &str) -> Option<(&str, &str)> {
    let (kind, rest) = message.split_once(" has no attribute '")?;
    let (name, _) = rest.split_once('\'')?;
    let kind = kind.strip_suffix(" object").unwrap_or(kind);
    let kind = kind
        .strip_prefix("module ")
        .or(kind.strip_prefix("type object "))
        .unwrap_or(kind);
    Some((kind.trim_matches('\''), name))
}

fn attribute(
    case: &Case<'_>,
    spot: &Spot<'_>,
    kind: &str,
    name: &str,
    found: &[&ExprAttribute],
) -> Option<Cure> {
    let a = *found.first()?;
    let owner = spot.text(&*a.value);
    let tail = TextRange::new(a.value.end(), a.attr.end());
    let called = spot.calls().find(|c| c.func.range() == a.range);
    let whole = called.map_or(a.range, Ranged::range);
    let edit = |applies, title: String, why: String, changes: Vec<Change>| {
        case.edits(said("wrong-kind", applies, title, why), changes)
    };
    let replace = |range: TextRange, text: String| vec![Change::replace(spot.cell, range, text)];
    // The same attribute of the same value fails again further on in the statement.
    let each = |text: &dyn Fn(&ExprAttribute) -> (TextRange, String)| -> Vec<Change> {
        let same = found.iter().filter(|f| spot.text(&*f.value) == owner);
        same.map(|f| {
            let (range, text) = text(f);
            Change::replace(spot.cell, range, text)
        })
        .collect()
    };
    let sure = Applicability::Sure;
    let likely = Applicability::Likely;
    match (kind, name) {
        ("numpy.ndarray", "values" | "iloc") => edit(
            sure,
            format!("Write `{owner}` without `.{name}`"),
            format!("`{owner}` is already an array."),
            each(&|f| (TextRange::new(f.value.end(), f.attr.end()), String::new())),
        ),
        ("numpy.ndarray", "to_numpy" | "numpy" | "toarray" | "todense" | "detach" | "cpu")
        | ("list", "tolist")
            if called.is_some() =>
        {
            edit(
                sure,
                format!("Write `{owner}` without `.{name}()`"),
                format!("`{owner}` is already what `{name}()` would make of it."),
                replace(TextRange::new(a.value.end(), whole.end()), String::new()),
            )
        }
        (
            "float" | "int" | "numpy.float64" | "numpy.float32",
            "item" | "numpy" | "cpu" | "detach",
        ) if called.is_some() => edit(
            sure,
            format!("Write `{owner}` without `.{name}()`"),
            format!("`{owner}` is already a plain number."),
            replace(TextRange::new(a.value.end(), whole.end()), String::new()),
        ),
        ("list", _) if OF_ARRAYS.contains(&name) => {
            let (np, import) = alias(case, "numpy", "np");
            let mut changes = each(&|f| {
                (
                    f.value.range(),
                    format!("{np}.array({})", spot.text(&*f.value)),
                )
            });
            changes.extend(import.and_then(|i| Some(at_top(case.at, case.python(case.at)?, &i))));
            edit(
                sure,
                format!("Write `{np}.array({owner}).{name}`"),
                format!("`{owner}` is a list; `{name}` belongs to arrays."),
                changes,
            )
        }
        ("list" | "dict", "head" | "describe" | "info") => wrapped(case, spot, a, "DataFrame"),
        ("list", "add" | "push") => edit(
            sure,
            format!("Write `{owner}.append(…)`"),
            "A list adds with `append`.".to_owned(),
            replace(tail, ".append".to_owned()),
        ),
        ("set", "append") => edit(
            sure,
            format!("Write `{owner}.add(…)`"),
            "A set adds with `add`.".to_owned(),
            replace(tail, ".add".to_owned()),
        ),
        ("list" | "str" | "tuple" | "dict", "length" | "len" | "size") => edit(
            sure,
            format!("Write `len({owner})`"),
            "Its length is what `len` gives.".to_owned(),
            replace(whole, format!("len({owner})")),
        ),
        ("str", "decode") => edit(
            sure,
            format!("Write `{owner}` without `.decode(…)`"),
            format!("`{owner}` is text already; only bytes are decoded."),
            replace(TextRange::new(a.value.end(), whole.end()), String::new()),
        ),
        ("dict", "has_key") => {
            let key = spot.text(called?.arguments.args.first()?);
            edit(
                sure,
                format!("Write `{key} in {owner}`"),
                "`has_key` is Python 2.".to_owned(),
                replace(whole, format!("({key} in {owner})")),
            )
        }
        ("dict", "iteritems" | "iterkeys" | "itervalues") => edit(
            sure,
            format!("Write `{}`", &name[4..]),
            format!("`{name}` is Python 2."),
            replace(tail, format!(".{}", &name[4..])),
        ),
        ("dict", _) if called.is_none() && name != "entries" => edit(
            likely,
            format!("Write `{owner}['{name}']`"),
            format!("`{owner}` is a dict: its keys are read with square brackets."),
            each(&|f| {
                let end = TextRange::new(f.value.end(), f.attr.end());
                (end, format!("['{name}']"))
            }),
        ),
        ("Series", "reshape" | "flatten") => edit(
            sure,
            format!("Write `{owner}.values.{name}(…)`"),
            format!("`{owner}` is a column; its array is `.values`."),
            replace(tail, format!(".values.{name}")),
        ),
        ("Series", "columns") => edit(
            likely,
            format!("Write `{owner}.to_frame().columns`"),
            format!("`{owner}` is one column, which has no columns."),
            replace(tail, ".to_frame().columns".to_owned()),
        ),
        ("Series", _) if OF_TEXTS.contains(&name) => edit(
            sure,
            format!("Write `{owner}.str.{name}`"),
            "A column has the methods of its texts behind `.str`.".to_owned(),
            replace(tail, format!(".str.{name}")),
        ),
        ("Series", _) if OF_DATES.contains(&name) => edit(
            sure,
            format!("Write `{owner}.dt.{name}`"),
            "A column has the parts of its dates behind `.dt`.".to_owned(),
            replace(tail, format!(".dt.{name}")),
        ),
        ("DataFrame", "reshape" | "flatten" | "ravel" | "tolist") => edit(
            sure,
            format!("Write `{owner}.values.{name}(…)`"),
            format!("`{owner}` is a table; its array is `.values`."),
            replace(tail, format!(".values.{name}")),
        ),
        ("DataFrame", _) => column(case, spot, a, name),
        ("numpy.ndarray", _) if axes(case, &a.value) => {
            let text = format!("{owner}.flat[0].{name}");
            Some(look(
                "array-of-axes",
                format!("Choose one of the axes: `{text}`, `{owner}.flat[1].{name}`, …"),
                format!("`{owner}` is the array of axes that `subplots` made."),
            ))
        }
        ("numpy.ndarray", _) if OF_TABLES.contains(&name) || OF_COLUMNS.contains(&name) => {
            kept_table(case, &a.value).or_else(|| {
                let column = OF_COLUMNS.contains(&name);
                wrapped(case, spot, a, if column { "Series" } else { "DataFrame" })
            })
        }
        ("datetime", "now" | "strptime" | "today" | "utcnow" | "fromtimestamp" | "combine") => {
            edit(
                sure,
                format!("Write `{owner}.datetime.{name}`"),
                format!("`{owner}` is the module; the class of the same name is in it."),
                everywhere(case, owner, name, &format!("{owner}.datetime.{name}")),
            )
        }
        ("datetime.datetime", "datetime") => edit(
            sure,
            format!("Write `{owner}` for `{owner}.datetime`"),
            format!("`from datetime import datetime` makes `{owner}` the class itself."),
            everywhere(case, owner, name, owner),
        ),
        ("datetime.datetime", "timedelta" | "timezone") => {
            let mut changes = everywhere(case, owner, name, name);
            changes.push(at_top(
                case.at,
                case.python(case.at)?,
                &format!("from datetime import {name}"),
            ));
            edit(
                sure,
                format!("Import `{name}`, and write it without `{owner}.`"),
                format!(
                    "`{owner}` is the class here, and `{name}` stands beside it in the module."
                ),
                changes,
            )
        }
        ("builtin_function_or_method" | "function" | "tqdm", _) if owner == name => edit(
            sure,
            format!("Write `{name}(…)` for `{name}.{name}(…)`"),
            format!("`from {name} import {name}` makes `{name}` the function itself."),
            everywhere(case, owner, name, owner),
        ),
        ("matplotlib", _) => pyplot(case),
        _ => None,
    }
}

/// Replaces `owner.name` in the failing cell.
fn everywhere(case: &Case<'_>, owner: &str, name: &str, by: &str) -> Vec<Change> {
    let mut out = Vec::new();
    let Some(python) = case.python(case.at) else {
        return out;
    };
    each_expr(python.body(), &mut |e| {
        let is = e
            .as_attribute_expr()
            .is_some_and(|a| a.attr.as_str() == name && python.slice(&*a.value) == owner);
        if is {
            out.push(Change::replace(case.at, e, by));
        }
    });
    out
}

/// A module's alias, and the import that makes it if none does.
fn alias(case: &Case<'_>, module: &str, usual: &str) -> (String, Option<String>) {
    match case.alias_of(module) {
        Some(alias) => (alias, None),
        None => (
            usual.to_owned(),
            Some(format!("import {module} as {usual}")),
        ),
    }
}

/// `import matplotlib as plt`.
fn pyplot(case: &Case<'_>) -> Option<Cure> {
    for cell in case.seen() {
        let python = case.python(cell)?;
        for stmt in python.body() {
            let Stmt::Import(i) = stmt else { continue };
            for a in &i.names {
                if a.name.as_str() == "matplotlib"
                    && a.asname.as_ref().is_some_and(|n| n.as_str() == "plt")
                {
                    return case.edits(
                        said(
                            "pyplot",
                            Applicability::Sure,
                            "Import `matplotlib.pyplot as plt`",
                            format!("Cell {} imports the package; the functions that draw are in its module `pyplot`.", case.position(cell)),
                        ),
                        vec![Change::replace(cell, &a.name, "matplotlib.pyplot")],
                    );
                }
            }
        }
    }
    None
}

/// Whether a name is what `subplots` gave beside the figure.
fn axes(case: &Case<'_>, owner: &Expr) -> bool {
    let Some(name) = owner.as_name_expr() else {
        return false;
    };
    let set = case.last_set(name.id.as_str());
    let assign = set.and_then(|s| s.binding.stmt.as_assign_stmt());
    let call = assign.and_then(|a| a.value.as_call_expr());
    call.and_then(callee) == Some("subplots")
}

#[cfg(test)]
mod tests;
