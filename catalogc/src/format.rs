//! Formats a rule's TOML: order of keys, quotes, line breaks. Comments are kept.

use crate::pattern::layout;
use toml_edit::{DocumentMut, Item, Table, Value};

/// Widest line of a list.
const WIDTH: usize = 100;
/// Keys whose values are patterns.
const PATTERNS: [&str; 3] = ["pattern", "unless", "frame"];
/// The tables in order, each with its keys in order; `fix` and `names` keep the author's order.
const TABLES: [(&str, &[&str]); 5] = [
    (
        "",
        &[
            "rank",
            "severity",
            "late",
            "general",
            "hides",
            "wraps",
            "ends",
            "cause_of_death",
            "lifetime",
            "sticky",
            "recoverable",
            "related",
            "stands_for",
        ],
    ),
    (
        "match",
        &[
            "scope",
            "class",
            "families",
            "literal",
            "pattern",
            "not",
            "unless",
            "near",
            "absent",
            "frame",
            "reach",
            "within",
            "signal",
            "detector",
            "root",
            "points",
            "variant",
            "boost",
            "confidence",
        ],
    ),
    ("fact", &["pattern", "all", "anywhere"]),
    ("derive", &["name", "value"]),
    ("variant", &["id", "when", "severity", "ahead", "at_once"]),
];
/// Keys of a fix.
const FIX: &[&str] = &[
    "applies",
    "cost",
    "variants",
    "when",
    "first",
    "frameworks",
    "systems",
    "fronts",
    "works",
    "owners",
    "own_line",
    "fallback",
    "sample",
    "needs",
];

/// A rule's TOML, formatted.
///
/// # Errors
/// The reason if it is not TOML or has an unknown key.
pub fn format(toml: &str) -> Result<String, String> {
    let doc: DocumentMut = toml
        .parse()
        .map_err(|e: toml_edit::TomlError| e.to_string().replace('\n', " "))?;
    let mut out = String::new();
    let root = doc.as_table();
    let known = |key: &str| {
        ["names", "fix"].contains(&key)
            || TABLES[0].1.contains(&key)
            || TABLES.iter().any(|(name, _)| *name == key)
    };
    if let Some((key, _)) = root.iter().find(|(key, _)| !known(key)) {
        return Err(format!("`{key}` is no field"));
    }
    keys(root, TABLES[0].1, false, &mut out)?;
    if let Some(names) = root.get("names") {
        let names = table(names).ok_or("`names` must be a table")?;
        head("[names]", comments(names.decor().prefix()), true, &mut out);
        for (key, _) in names.iter() {
            entry(&names, key, None, &mut out)?;
        }
    }
    for (name, order) in &TABLES[1..] {
        for (n, table) in tables(root, name)?.iter().enumerate() {
            let notes = comments(table.decor().prefix());
            let apart = n == 0 || !notes.is_empty();
            head(&format!("[[{name}]]"), notes, apart, &mut out);
            if let Some((key, _)) = table.iter().find(|(key, _)| !order.contains(key)) {
                return Err(format!("`{key}` is no field of [[{name}]]"));
            }
            keys(table, order, true, &mut out)?;
        }
    }
    let fixes = root
        .get("fix")
        .map(|f| table(f).ok_or("`fix` must be a table"));
    if let Some(fixes) = fixes.transpose()? {
        for (id, item) in fixes.iter() {
            let fix = table(item).ok_or_else(|| format!("fix `{id}` must be a table"))?;
            head(
                &format!("[fix.{id}]"),
                comments(fix.decor().prefix()),
                true,
                &mut out,
            );
            if let Some((key, _)) = fix.iter().find(|(key, _)| !FIX.contains(key)) {
                return Err(format!("`{key}` is no field of a fix"));
            }
            keys(&fix, FIX, false, &mut out)?;
        }
    }
    for line in comments(doc.trailing().as_str().map(Into::into).as_ref()) {
        out.push_str(&line);
        out.push('\n');
    }
    Ok(out)
}

fn table(item: &Item) -> Option<Table> {
    item.clone().into_table().ok()
}

fn tables(root: &Table, name: &str) -> Result<Vec<Table>, String> {
    let Some(item) = root.get(name) else {
        return Ok(Vec::new());
    };
    let all = item.clone().into_array_of_tables();
    let all = all.map_err(|_| format!("`{name}` must be [[{name}]]"))?;
    Ok(all.iter().cloned().collect())
}

fn comments(raw: Option<&toml_edit::RawString>) -> Vec<String> {
    let text = raw.and_then(|r| r.as_str()).unwrap_or("");
    let lines = text.lines().map(str::trim);
    lines.filter(|l| !l.is_empty()).map(str::to_owned).collect()
}

fn head(name: &str, notes: Vec<String>, apart: bool, out: &mut String) {
    if apart && !out.is_empty() {
        out.push('\n');
    }
    for line in notes {
        out.push_str(&line);
        out.push('\n');
    }
    out.push_str(name);
    out.push('\n');
}

/// Writes the values of a table in the given order of keys, without nested tables.
fn keys(table: &Table, order: &[&str], patterns: bool, out: &mut String) -> Result<(), String> {
    for key in order {
        entry(table, key, Some(patterns), out)?;
    }
    Ok(())
}

/// `patterns`: whether the table has patterns; `None` for a table of lists of names.
fn entry(table: &Table, key: &str, patterns: Option<bool>, out: &mut String) -> Result<(), String> {
    let Some((name, Item::Value(value))) = table.get_key_value(key) else {
        return Ok(());
    };
    for line in comments(name.leaf_decor().prefix()) {
        out.push_str(&line);
        out.push('\n');
    }
    // A comment after the value moves above it.
    for line in comments(value.decor().suffix()) {
        out.push_str(&line);
        out.push('\n');
    }
    let pattern = patterns == Some(true) && PATTERNS.contains(&key);
    let text = render(value, key.len() + 3, 0, pattern, patterns.is_some())?;
    out.push_str(&format!("{key} = {text}\n"));
    Ok(())
}

/// Renders a value; `fill`: items of a list share lines, unless they are patterns.
fn render(
    value: &Value,
    before: usize,
    indent: usize,
    pattern: bool,
    fill: bool,
) -> Result<String, String> {
    let fill = fill && !pattern;
    Ok(match value {
        Value::String(s) if pattern => written_pattern(s.value(), before, indent),
        Value::String(s) => quoted(s.value()),
        Value::Integer(n) => n.value().to_string(),
        Value::Float(x) => x.value().to_string(),
        Value::Boolean(b) => b.value().to_string(),
        Value::Array(items) => {
            let own: Vec<(Vec<String>, String)> = items
                .iter()
                .map(|v| {
                    let notes = comments(v.decor().prefix());
                    Ok((notes, render(v, 4, 2, pattern, fill)?))
                })
                .collect::<Result<_, String>>()?;
            let texts: Vec<&str> = own.iter().map(|(_, text)| text.as_str()).collect();
            let line = format!("[{}]", texts.join(", "));
            let plain = own
                .iter()
                .all(|(notes, text)| notes.is_empty() && !text.contains('\n'));
            if plain && before + line.chars().count() <= WIDTH {
                return Ok(line);
            }
            let mut lines: Vec<String> = Vec::new();
            for (notes, text) in &own {
                lines.extend(notes.iter().map(|note| format!("  {note}")));
                let room = lines
                    .last()
                    .filter(|l| fill && !l.trim_start().starts_with('#'));
                let fits = |l: &&String| l.chars().count() + text.chars().count() + 2 <= WIDTH;
                match room.filter(fits).is_some() && !text.contains('\n') {
                    true => lines
                        .last_mut()
                        .expect("a line")
                        .push_str(&format!(" {text},")),
                    false => lines.push(format!("  {text},")),
                }
            }
            format!("[\n{}\n]", lines.join("\n"))
        }
        other => return Err(format!("`{other}` is no value of a rule")),
    })
}

/// A pattern: `'…'` on one line; `'''…'''` if it contains a quote or spans several lines.
fn written_pattern(pattern: &str, before: usize, indent: usize) -> String {
    let lines = layout(pattern, WIDTH - before - 6, indent + 2);
    match &lines[..] {
        [one] if !one.ends_with('\'') => {
            if one.contains('\'') {
                format!("'''{one}'''")
            } else {
                format!("'{one}'")
            }
        }
        _ => format!("'''\n{}\n{}'''", lines.join("\n"), " ".repeat(indent)),
    }
}

fn quoted(text: &str) -> String {
    let special = |c: char| c == '"' || c == '\\' || c.is_control();
    if text.contains(special) && !text.contains(|c: char| c == '\'' || c.is_control()) {
        return format!("'{text}'");
    }
    // TOML has JSON's escapes.
    serde_json::to_string(text).expect("a text")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling() {
        let given = "# Head.\nseverity='info'\nrank = 7\nfact = [ { pattern = 'a' }, { all = true, pattern = 'b' } ]\n\
            # First.\n[[match]]\nliteral = [\"x\"]\nscope = \"any\" # why\nunless = ['a\"']\n[[match]]\nscope = \"line\"\n\
            [fix]\nb = { cost = \"none\", applies = \"sure\" }\na = { applies = \"maybe\" }\n";
        let want = "rank = 7\n# Head.\nseverity = \"info\"\n\n# First.\n[[match]]\n# why\nscope = \"any\"\n\
            literal = [\"x\"]\nunless = ['a\"']\n[[match]]\nscope = \"line\"\n\n[[fact]]\npattern = 'a'\n[[fact]]\n\
            pattern = 'b'\nall = true\n\n[fix.b]\napplies = \"sure\"\ncost = \"none\"\n\n[fix.a]\napplies = \"maybe\"\n";
        assert_eq!(format(given).as_deref(), Ok(want));
        assert_eq!(format(want).as_deref(), Ok(want), "formatted already");
    }

    #[test]
    fn long_values_are_broken() {
        let long = format!(
            "[[match]]\npattern = '''{}'''\n",
            ["it's long"; 40].join("|")
        );
        let broken = format(&long).expect("TOML");
        assert!(
            broken.lines().all(|l| l.len() <= 110) && broken.lines().count() > 4,
            "{broken}"
        );
        assert_eq!(format(&broken).as_deref(), Ok(&*broken));
        let list = format!(
            "[[match]]\nliteral = [{}]\n",
            ["\"a longer text\""; 20].join(", ")
        );
        let broken = format(&list).expect("TOML");
        assert_eq!(broken.lines().count(), 7, "{broken}");
        assert_eq!(format(&broken).as_deref(), Ok(&*broken));
    }

    #[test]
    fn unknown_fields_are_refused() {
        for bad in [
            "[[match]]\nlitteral = []",
            "colour = 1",
            "[fix.a]\nproven = \"x\"",
            "a = ",
        ] {
            assert!(format(bad).is_err(), "{bad}");
        }
    }
}
