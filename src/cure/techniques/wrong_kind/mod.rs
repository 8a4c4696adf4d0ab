//! Attributes of a different type: arrays, lists, tables, columns, dates.

mod classes;
mod tables;

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, look, said, Spot};
use crate::rules;
use classes::{fitted_before, own_class};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprAttribute, Stmt};
use nbmedic_wordings::{numpy, pandas, python};
use tables::{column, kept_table, nan_text, text_index, wrapped, OF_COLUMNS};

/// Members of tables that arrays and lists lack.
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

/// String methods that a column has under `.str`.
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

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let Some(spot) = case.spot() else { return };
    if case.class() == "IndexError" && numpy::VALID_INDICES.begins(message) {
        out.extend(text_index(case, &spot));
        return;
    }
    if case.class() != "AttributeError" {
        return;
    }
    if pandas::DT_ACCESSOR.begins(message) {
        out.extend(rules::first(case, "wrong_kind"));
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

/// The type and the attribute in `'list' object has no attribute 'shape'`; no type where it isn't named so.
fn parts(message: &str) -> Option<(&str, &str)> {
    let [name] = python::NO_ATTRIBUTE.read(message)?;
    let of = python::ATTRIBUTE
        .read(message)
        .or_else(|| python::CLASS_ATTRIBUTE.read(message))
        .or_else(|| python::MODULE_ATTRIBUTE.read(message));
    Some((of.map_or("", |[kind, _]| kind), name))
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
    if let Some(cure) = rules::first(case, "wrong_kind") {
        return Some(cure);
    }
    match (kind, name) {
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
        ("matplotlib", _) => pyplot(case),
        _ => None,
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
                            Basis::Library,
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

/// Whether a name is the axes that `subplots` returned next to the figure.
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
