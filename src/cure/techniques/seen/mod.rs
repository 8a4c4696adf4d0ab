//! Cures from the probe's values: the actual columns of a table, the actual devices of tensors.

mod absent;
mod lengths;
mod operands;
mod products;
mod types;

use super::libraries;
use super::misspelt_key::{holder, literals};
use super::misspelt_name::differs_by_design;
use crate::case::Case;
use crate::closest::{closest, near};
use crate::edit::Change;
use crate::find::{callee, head_exprs, look, only, quoted, receiver, said, Spot};
use crate::keys::{missing_keys, strings_of};
use crate::values::Value;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprAttribute, ExprCall};
use nbmedic_python::{name_of, Ranged};
use nbmedic_wordings::{about, pandas};

/// Maximum number of names listed in a sentence.
const LISTED: usize = 24;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.values.is_empty() {
        return;
    }
    out.extend(column(case).or_else(|| attribute(case)));
    out.extend(device(case));
    products::offer(case, out);
    types::offer(case, out);
}

/// Which name on the line doesn't fit, if no other technique has an edit.
pub(crate) fn say(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.values.is_empty() {
        return;
    }
    out.extend(
        products::said_of(case)
            .or_else(|| absent::of_none(case))
            .or_else(|| absent::of_index(case))
            .or_else(|| lengths::of_names(case)),
    );
}

/// A column or key that the table lacks: suggests the one that was probably meant, or lists the
/// existing ones.
fn column(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let keys = missing_keys(case.class(), case.message());
    // A column to be dropped may have been dropped before.
    if spot.call("drop").is_some() {
        return None;
    }
    let mut absent = None;
    for key in &keys {
        let found = literals(&spot, key);
        let literal = found.first().and_then(|s| holder(&spot, s));
        let named = literal.or_else(|| by_variable(case, &spot, key));
        let Some(name) = named.or_else(|| in_chain(&spot, key)) else {
            continue;
        };
        let Some(seen) = case.seen_value(&name) else {
            continue;
        };
        let table = seen.kind == "DataFrame";
        let names: Vec<&str> = match table {
            true => seen.columns.iter().map(|(c, _)| c.as_str()).collect(),
            false => seen.keys.iter().map(String::as_str).collect(),
        };
        if names.is_empty() || names.contains(&key.as_str()) {
            continue;
        }
        let what = if table { "column" } else { "key" };
        let fits = names.iter().copied().filter(|n| !differs_by_design(key, n));
        if let Some(right) = closest(key, fits).filter(|_| !found.is_empty()) {
            let changes = found.iter().map(|s| {
                let quote = spot.text(*s).chars().next_back().unwrap_or('\'');
                Change::replace(spot.cell, *s, format!("{quote}{right}{quote}"))
            });
            let basis = match near(key, right) {
                Some(0) => Basis::Spelled,
                _ => Basis::Alike,
            };
            let title = format!("Replace `'{key}'` by `'{right}'`");
            let since = case.since(seen);
            let why = match seen.more {
                true => format!("{since} `{name}` has a {what} `{right}`."),
                false => {
                    format!("{since} `{name}` had a {what} `{right}` and none called `{key}`.")
                }
            };
            return case.edits(said("seen-column", basis, title, why), changes.collect());
        }
        if !seen.more {
            let since = case.since(seen);
            absent.get_or_insert((name, key, names, what, since));
        }
    }
    let (name, key, names, what, since) = absent?;
    let listed: Vec<String> = names
        .iter()
        .take(LISTED)
        .map(|n| format!("`{n}`"))
        .collect();
    let more = if names.len() > LISTED {
        " and more"
    } else {
        ""
    };
    Some(look(
        "seen-columns",
        format!("Use a {what} that `{name}` has instead of `{key}`"),
        format!("{since} `{name}` had {}{more}.", listed.join(", ")),
    ))
}

/// `df.fare` of a table with a column `Fare`.
fn attribute(case: &Case<'_>) -> Option<Cure> {
    let [key] = pandas::TABLE_ATTRIBUTE.read(case.message())?;
    let spot = case.spot()?;
    let called = |a: &ExprAttribute| spot.calls().any(|c| c.func.range() == a.range());
    let found: Vec<&ExprAttribute> = spot.attributes(key).filter(|a| !called(a)).collect();
    let table = name_of(&found.first()?.value)?;
    let seen = case.seen_value(&table)?;
    let names = seen.columns.iter().map(|(c, _)| c.as_str());
    let right = closest(key, names.filter(|n| !differs_by_design(key, n)))?;
    let plain = right.chars().all(|c| c.is_alphanumeric() || c == '_');
    // `df.count` is the method.
    let plain = plain
        && !right.starts_with(|c: char| c.is_ascii_digit())
        && !libraries::has_member(case, "pandas", &format!("DataFrame.{right}"));
    let changes = found
        .iter()
        .filter(|a| name_of(&a.value).as_deref() == Some(table.as_str()));
    let changes = changes.map(|a| match plain {
        true => Change::replace(spot.cell, &a.attr, right),
        false => Change::replace(spot.cell, *a, format!("{table}[{}]", quoted(right))),
    });
    let basis = match near(key, right) {
        Some(0) => Basis::Spelled,
        _ => Basis::Alike,
    };
    let title = match plain {
        true => format!("Replace `.{key}` by `.{right}`"),
        false => format!("Replace `{table}.{key}` by `{table}[{}]`", quoted(right)),
    };
    let why = format!("{} `{table}` had a column `{right}`.", case.since(seen));
    case.edits(said("seen-column", basis, title, why), changes.collect())
}

/// Methods that keep a table's columns.
const KEEP: &[&str] = &[
    "groupby",
    "get_group",
    "sort_values",
    "query",
    "head",
    "tail",
    "dropna",
    "drop_duplicates",
    "fillna",
    "sample",
    "copy",
    "nlargest",
    "nsmallest",
];
/// Methods that read columns but return others.
const READ: &[&str] = &["agg", "aggregate", "astype"];

/// The table at the start of a chain whose last call names the key:
/// `df.groupby("a").get_group(1).sort_values(by=key)`.
fn in_chain(spot: &Spot<'_>, key: &str) -> Option<String> {
    let names_it = |c: &&ExprCall| {
        let given = c.arguments.args.iter();
        let given = given.chain(c.arguments.keywords.iter().map(|k| &k.value));
        // A dict has columns as keys: `agg({"price": "mean"})`.
        let mut keys = given.flat_map(|e| match e {
            Expr::Dict(d) => {
                let keys = d.items.iter().filter_map(|item| item.key.as_ref());
                keys.flat_map(strings_of).collect()
            }
            other => strings_of(other),
        });
        keys.any(|(t, _)| t == key)
    };
    let call = only(spot.calls().filter(names_it))?;
    let reads = |c: &str| KEEP.contains(&c) || READ.contains(&c);
    let mut at = receiver(call).filter(|_| callee(call).is_some_and(reads))?;
    for _ in 0..16 {
        at = match at {
            Expr::Call(c) if callee(c).is_some_and(|m| KEEP.contains(&m)) => receiver(c)?,
            Expr::Subscript(s) if !s.slice.is_list_expr() && !s.slice.is_string_literal_expr() => {
                &s.value
            }
            Expr::Attribute(a) if matches!(a.attr.as_str(), "loc" | "iloc") => &a.value,
            other => return name_of(other).filter(|n| !n.contains('.')),
        };
    }
    None
}

/// The table in `table[name]`, if the probe recorded the key as the value of `name`.
fn by_variable(case: &Case<'_>, spot: &Spot<'_>, key: &str) -> Option<String> {
    let is_key = |e: &Expr| {
        let seen = name_of(e).and_then(|n| case.seen_value(&n));
        seen.is_some_and(|v| v.kind == "str" && v.text == key)
    };
    let holds = spot.exprs.iter().filter_map(|e| {
        let subscript = e.as_subscript_expr().filter(|s| is_key(&s.slice))?;
        name_of(&subscript.value)
    });
    only(holds)
}

/// Tensors on different devices: the outermost of the user's lines where both are known.
fn device(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    let named = ["on device", "is on cpu", "device type"];
    if !(about::DIFFERENT_DEVICES.is_in(message) || named.iter().any(|a| message.contains(a))) {
        return None;
    }
    for frame in &case.frames {
        let Some(stmt) = case.statement(frame) else {
            continue;
        };
        let seen = case
            .values
            .iter()
            .find(|s| operands::is_of(s, frame.line, frame.function.as_deref()));
        let Some(seen) = seen else { continue };
        let mut used: Vec<(&Expr, String, &Value)> = Vec::new();
        for e in head_exprs(stmt) {
            let read = match e {
                Expr::Name(n) => n.ctx.is_load(),
                Expr::Attribute(a) => a.ctx.is_load(),
                _ => false,
            };
            let Some(name) = name_of(e).filter(|_| read) else {
                continue;
            };
            let value = seen.names.iter().find(|(n, _)| *n == name);
            used.extend(
                value
                    .map(|(_, v)| (e, name, v))
                    .filter(|(_, _, v)| !v.device.is_empty()),
            );
        }
        let on = |cpu: bool| {
            used.iter()
                .filter(move |(_, _, v)| (v.device == "cpu") == cpu)
        };
        let Some((_, other, to)) = on(false).next() else {
            continue;
        };
        let mut left: Vec<&(&Expr, String, &Value)> = on(true).collect();
        let first = left.first().map(|(_, name, _)| name.clone());
        left.retain(|(_, name, _)| Some(name) == first.as_ref());
        if on(true).count() != left.len() {
            continue;
        }
        let (Some(name), Some((_, _, value))) = (first, left.first()) else {
            continue;
        };
        let tensor = !value.dtype.is_empty();
        let target = if case.exists("device") {
            "device".to_owned()
        } else if !to.dtype.is_empty() {
            format!("{other}.device")
        } else {
            format!("\"{}\"", to.device)
        };
        // A module moves in place, a tensor is copied.
        let changes = left
            .iter()
            .map(|(e, name, _)| Change::replace(frame.cell, *e, format!("{name}.to({target})")));
        let title = format!("Move `{name}` to the device with `.to({target})`");
        let what = if tensor { "" } else { "'s weights" };
        let verb = if tensor { "was" } else { "were" };
        let why = format!(
            "When it failed, `{name}`{what} {verb} on the CPU and `{other}` on `{}`.",
            to.device
        );
        return case.edits(
            said("seen-device", Basis::Value, title, why),
            changes.collect(),
        );
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at, key_error, repaired, with_values};

    #[test]
    fn a_column_that_no_source_names_is_found_in_the_table_itself() {
        let cells = ["df = pd.read_csv('a.csv')", "df['price'].mean()"];
        let error = key_error(&cells, 1, "'price'");
        assert!(cures_of(&cells, &error).iter().all(|c| c.edits.is_empty()));
        let has = |columns: &str| {
            with_values(
                &error,
                &format!(
                    r#"[[1,"<module>",[["df",{{"t":"DataFrame","s":[9,2],"c":[{columns}],"ct":["a","b"]}}]]]]"#
                ),
            )
        };
        let error = has(r#""Price ","n""#);
        assert_eq!(repaired(&cells, &error), "df['Price '].mean()");
        assert_eq!(cures_of(&cells, &error)[0].id, "seen-column");
        let first = &cures_of(&cells, &has(r#""cost","n""#))[0];
        assert!(first.edits.is_empty());
        assert_eq!(first.title, "Use a column that `df` has instead of `price`");
        assert_eq!(first.why, "When it failed, `df` had `cost`, `n`.");
    }

    #[test]
    fn a_column_that_an_aggregation_names_is_looked_for_in_its_table() {
        let cells = ["df = load()", "df.groupby('city').agg({'size': 'sum'})"];
        let error = error_at(&cells, 1, "KeyError", "\"Label(s) ['size'] do not exist\"");
        let table = |columns: &str| {
            let facts = r#"[[1,"<module>",[["df",{"t":"DataFrame","s":[9,2],"c":[COLUMNS],"ct":["a","b"]}]]]]"#;
            with_values(&error, &facts.replace("COLUMNS", columns))
        };
        let first = &cures_of(&cells, &table(r#""city","sqft""#))[0];
        assert_eq!(first.title, "Use a column that `df` has instead of `size`");
        assert!(first.why.contains("`city`, `sqft`"), "{}", first.why);
        let near = repaired(&cells, &table(r#""city","Size""#));
        assert_eq!(near, "df.groupby('city').agg({'Size': 'sum'})");
    }

    #[test]
    fn a_column_that_a_method_hides_is_taken_by_its_name() {
        let table = r#"[[1,"<module>",[["df",{"t":"DataFrame","s":[9,2],"c":["count","fare"],"ct":["a","b"]}]]]]"#;
        let read = |code: &str, missing: &str| {
            let cells = ["import pandas as pd", code];
            let message = format!("'DataFrame' object has no attribute '{missing}'");
            repaired(
                &cells,
                &with_values(&error_at(&cells, 1, "AttributeError", &message), table),
            )
        };
        assert_eq!(read("y = df.Count", "Count"), "y = df[\"count\"]");
        assert_eq!(read("y = df.Fare", "Fare"), "y = df.fare");
    }

    #[test]
    fn the_columns_of_the_table_that_a_chain_begins_with_are_listed() {
        let line = "df.groupby('land').get_group('Peru').sort_values(by='share')";
        let cells = ["df = load()", line];
        let table = r#"[[1,"<module>",[["df",{"t":"DataFrame","s":[9,2],"c":["land","amount"],"ct":["a","b"]}]]]]"#;
        let error = with_values(&key_error(&cells, 1, "'share'"), table);
        assert_eq!(
            cures_of(&cells, &error)[0].title,
            "Use a column that `df` has instead of `share`"
        );
        // `agg` returns different columns.
        let cells = ["df = load()", "df.agg('sum').sort_values(by='share')"];
        let error = with_values(&key_error(&cells, 1, "'share'"), table);
        let all = cures_of(&cells, &error);
        assert!(all.iter().all(|c| c.id != "seen-columns"), "{all:?}");
    }

    #[test]
    fn a_key_that_a_variable_holds_is_found_and_what_was_dropped_is_not_missed() {
        let cells = ["df = load()", "for f in names:\n    df[f].hist()"];
        let table = r#"["df",{"t":"DataFrame","s":[9,2],"c":["cost","n"],"ct":["a","b"]}]"#;
        let error = error_at(&cells, 2, "KeyError", "'price'");
        let seen = |f: &str| {
            let frames =
                format!(r#"[[2,"<module>",[{table},["f",{{"t":"str","v":"{f}","n":5}}]]]]"#);
            cures_of(&cells, &with_values(&error, &frames))
        };
        assert_eq!(
            seen("price")[0].title,
            "Use a column that `df` has instead of `price`"
        );
        assert!(seen("prize").iter().all(|c| c.id != "seen-columns"));
        let cells = ["df = load()", "df = df.drop(columns=['price'])"];
        let error = key_error(&cells, 1, "\"['price'] not found in axis\"");
        let error = with_values(&error, &format!(r#"[[1,"<module>",[{table}]]]"#));
        assert!(cures_of(&cells, &error)
            .iter()
            .all(|c| c.id != "seen-columns"));
    }

    #[test]
    fn what_a_value_is_decides_how_its_axes_are_turned() {
        let cells = ["import matplotlib.pyplot as plt", "plt.imshow(img)"];
        let message = "Invalid shape (3, 64, 64) for image data";
        let error = error_at(&cells, 1, "TypeError", message);
        let seen = |kind: &str| {
            let frames = format!(
                r#"[[1,"<module>",[["img",{{"t":"{kind}","d":"float32","s":[3,64,64]}}]]]]"#
            );
            repaired(&cells, &with_values(&error, &frames))
        };
        assert_eq!(seen("Tensor"), "plt.imshow(img.permute(1, 2, 0))");
        assert_eq!(seen("ndarray"), "plt.imshow(img.transpose(1, 2, 0))");
    }

    #[test]
    fn the_tensor_that_is_on_the_cpu_is_moved() {
        let cells = [
            "model = Net().cuda()",
            "for x, y in loader:\n    out = model(x)",
        ];
        let message = "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!";
        let error = error_at(&cells, 2, "RuntimeError", message);
        let error = with_values(
            &error,
            r#"[[2,"<module>",[["model",{"t":"Net","l":{},"dev":"cuda:0"}],["x",{"t":"Tensor","d":"float32","s":[2],"dev":"cpu"}]]]]"#,
        );
        assert_eq!(
            repaired(&cells, &error),
            "for x, y in loader:\n    out = model(x.to(\"cuda:0\"))"
        );
    }
}
