//! Reads the output of one expression.

use crate::find::{callee, name, receiver};
use crate::values::Value;
use nbmedic_python::ast::{Expr, ExprCall};

/// Methods that return rows of a table with all columns.
const ROWS: &[&str] = &["head", "tail", "sample"];

/// Whether an expression always prints one line: a shape, a length, a type.
pub fn is_short(expr: &Expr) -> bool {
    match expr {
        Expr::Attribute(a) => matches!(a.attr.as_str(), "shape" | "dtype" | "size" | "ndim"),
        Expr::Call(c) => matches!(name(&c.func), Some("len" | "type")) || callee(c) == Some("size"),
        Expr::Tuple(t) => t.elts.iter().all(is_short),
        _ => false,
    }
}

/// The only argument of a call.
fn positional_only(call: &ExprCall) -> Option<&Expr> {
    match &call.arguments.args[..] {
        [one] if call.arguments.keywords.is_empty() => Some(one),
        _ => None,
    }
}

/// The names that an expression's output describes, with what it shows.
pub fn of(expr: &Expr, text: &str) -> Vec<(String, Value)> {
    let text = text.trim_end();
    let one = |e: &Expr, value: Option<Value>| -> Vec<(String, Value)> {
        name(e).map(str::to_owned).zip(value).into_iter().collect()
    };
    match expr {
        Expr::Name(_) => one(expr, repr(text, true)),
        Expr::Attribute(a) => match a.attr.as_str() {
            "shape" => one(&a.value, sized(text)),
            "dtype" => one(&a.value, dtype(text)),
            "dtypes" => one(&a.value, dtypes(text)),
            "columns" => one(&a.value, columns(text)),
            _ => Vec::new(),
        },
        Expr::Call(c) => match (name(&c.func), callee(c), receiver(c)) {
            (Some("len"), ..) => positional_only(c).map_or_else(Vec::new, |e| {
                let len = text.trim().parse().ok();
                one(
                    e,
                    len.map(|n| Value {
                        len: Some(n),
                        ..Value::default()
                    }),
                )
            }),
            (Some("type"), ..) => positional_only(c).map_or_else(Vec::new, |e| one(e, class(text))),
            (Some("list"), ..) => match positional_only(c) {
                Some(Expr::Attribute(a)) if a.attr.as_str() == "columns" => {
                    one(&a.value, columns(text))
                }
                _ => Vec::new(),
            },
            (_, Some("info"), Some(on)) => one(on, info(text)),
            (_, Some("keys"), Some(on)) => one(on, keys(text)),
            (_, Some("tolist"), Some(Expr::Attribute(a))) if a.attr.as_str() == "columns" => {
                one(&a.value, columns(text))
            }
            (_, Some("size"), Some(on)) => one(on, sized(text)),
            (_, Some(rows), Some(on)) if ROWS.contains(&rows) => one(on, repr(text, false)),
            (_, Some("sum"), Some(Expr::Call(inner)))
                if matches!(callee(inner), Some("isnull" | "isna")) =>
            {
                receiver(inner).map_or_else(Vec::new, |on| one(on, gaps(text)))
            }
            _ => Vec::new(),
        },
        // `X.shape, y.shape`.
        Expr::Tuple(t) if t.elts.len() > 1 => {
            let parts = parts(text.trim());
            if parts.len() != t.elts.len() {
                return Vec::new();
            }
            t.elts
                .iter()
                .zip(parts)
                .filter(|(e, _)| is_short(e))
                .flat_map(|(e, p)| of(e, p))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The elements of a printed tuple.
fn parts(text: &str) -> Vec<&str> {
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    let Some(inner) = inner else {
        return Vec::new();
    };
    let (mut depth, mut from, mut out) = (0_i32, 0, Vec::new());
    for (at, c) in inner.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                out.push(inner[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    let last = inner[from..].trim();
    out.extend((!last.is_empty()).then_some(last));
    out
}

/// `(891, 12)`, `torch.Size([32, 3])`.
fn sized(text: &str) -> Option<Value> {
    let text = text.trim();
    let torch = text
        .strip_prefix("torch.Size([")
        .and_then(|t| t.strip_suffix("])"));
    let inner = torch.or_else(|| text.strip_prefix('(')?.strip_suffix(')'))?;
    let sides = inner.split(',').map(str::trim).filter(|s| !s.is_empty());
    let sides: Option<Vec<i64>> = sides.map(|s| s.parse().ok()).collect();
    Some(Value {
        kind: torch.map_or(String::new(), |_| "Tensor".to_owned()),
        shape: Some(sides?),
        ..Value::default()
    })
}

/// `dtype('float64')`, `torch.float32`, `int64`.
fn dtype(text: &str) -> Option<Value> {
    let text = text.trim();
    let quoted = text
        .strip_prefix("dtype('")
        .and_then(|t| t.split('\'').next());
    let dtype = quoted.unwrap_or(text).trim_start_matches("torch.");
    let plain = !dtype.is_empty()
        && dtype
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '[' | ']' | '<'));
    plain.then(|| Value {
        dtype: dtype.to_owned(),
        ..Value::default()
    })
}

/// `<class 'pandas.core.frame.DataFrame'>`, `pandas.core.frame.DataFrame`.
fn class(text: &str) -> Option<Value> {
    let text = text.trim();
    let text = text
        .strip_prefix("<class '")
        .and_then(|t| t.strip_suffix("'>"))
        .unwrap_or(text);
    let kind = text.rsplit('.').next()?;
    let plain = !kind.is_empty() && kind.chars().all(|c| c.is_alphanumeric() || c == '_');
    plain.then(|| Value {
        kind: kind.to_owned(),
        ..Value::default()
    })
}

/// The quoted strings of a list, unescaped. None if the list is truncated.
fn texts(list: &str) -> Option<Vec<String>> {
    let mut out = Vec::new();
    let mut rest = list;
    while let Some(at) = rest.find(['\'', '"']) {
        let (between, quoted) = rest.split_at(at);
        if between.contains("...") {
            return None;
        }
        let mark = quoted.chars().next()?;
        let inner = &quoted[1..];
        let end = inner.find(mark)?;
        out.push(inner[..end].to_owned());
        rest = &inner[end + 1..];
    }
    Some(out)
}

/// `Index(['a', 'b'], dtype='object')`, `['a', 'b']`.
fn columns(text: &str) -> Option<Value> {
    let inner = text.trim();
    let inner = inner
        .strip_prefix("Index(")
        .unwrap_or(inner)
        .strip_prefix('[')?;
    let list = inner.split(']').next()?;
    let columns = texts(list)?;
    (!columns.is_empty()).then(|| Value {
        kind: "DataFrame".to_owned(),
        columns: columns.into_iter().map(|c| (c, String::new())).collect(),
        ..Value::default()
    })
}

/// `dict_keys(['a', 'b'])`.
fn keys(text: &str) -> Option<Value> {
    let inner = text.trim().strip_prefix("dict_keys([")?.split(']').next()?;
    Some(Value {
        kind: "dict".to_owned(),
        keys: texts(inner)?,
        ..Value::default()
    })
}

/// Lines of a name and a word: `Age    float64`. None if lines are omitted.
fn pairs(text: &str) -> Option<Vec<(&str, &str)>> {
    let mut out = Vec::new();
    for line in text.lines() {
        if line.trim_end().ends_with("...") || line.trim() == ".." {
            return None;
        }
        if line.starts_with("dtype:") || line.starts_with("Length:") || line.trim().is_empty() {
            continue;
        }
        let (name, what) = line
            .trim_end()
            .rsplit_once("  ")
            .or_else(|| line.trim_end().rsplit_once(' '))?;
        out.push((name.trim_end(), what.trim()));
    }
    (!out.is_empty()).then_some(out)
}

fn dtypes(text: &str) -> Option<Value> {
    let all = pairs(text)?;
    Some(Value {
        kind: "DataFrame".to_owned(),
        columns: all
            .into_iter()
            .map(|(c, t)| (c.to_owned(), t.to_owned()))
            .collect(),
        ..Value::default()
    })
}

/// `df.isnull().sum()`.
fn gaps(text: &str) -> Option<Value> {
    let all = pairs(text)?;
    let counts: Option<Vec<(&str, u64)>> = all
        .into_iter()
        .map(|(c, n)| Some((c, n.parse().ok()?)))
        .collect();
    let counts = counts?;
    Some(Value {
        kind: "DataFrame".to_owned(),
        gaps: counts
            .iter()
            .filter(|(_, n)| *n > 0)
            .map(|(c, _)| (*c).to_owned())
            .collect(),
        columns: counts
            .into_iter()
            .map(|(c, _)| (c.to_owned(), String::new()))
            .collect(),
        ..Value::default()
    })
}

/// `df.info()`: rows, and each column's dtype and number of values.
fn info(text: &str) -> Option<Value> {
    if !text.contains("DataFrame'>") {
        return None;
    }
    let rows = text.lines().find_map(|l| {
        let n = l.split_once("Index: ")?.1.split(' ').next()?;
        n.parse::<i64>().ok()
    });
    let mut columns = Vec::new();
    let mut empty = Vec::new();
    let mut body = false;
    for line in text.lines() {
        if line.starts_with("dtypes:") {
            break;
        }
        if line.trim_start().starts_with("---") {
            body = true;
            continue;
        }
        // ` 5   Age          714 non-null    float64`
        let parts = line.split_once(" non-null").filter(|_| body);
        let Some((before, dtype)) = parts else {
            continue;
        };
        let (name, count) = before.trim_end().rsplit_once(' ')?;
        let name = name.trim_start().split_once(' ')?.1.trim();
        if rows.is_some_and(|rows| count.parse::<i64>().is_ok_and(|n| n < rows)) {
            empty.push(name.to_owned());
        }
        columns.push((name.to_owned(), dtype.trim().to_owned()));
    }
    let wide = i64::try_from(columns.len()).ok()?;
    (wide > 0).then(|| Value {
        kind: "DataFrame".to_owned(),
        shape: rows.map(|rows| vec![rows, wide]),
        columns,
        gaps: empty,
        ..Value::default()
    })
}

/// The repr of a value. `whole`: of the value itself rather than some of its rows.
fn repr(text: &str, whole: bool) -> Option<Value> {
    let text = text.trim_end();
    let shown = text.trim_start();
    if whole {
        if let Some(inner) = shown.strip_prefix("array(") {
            return array(inner, "ndarray");
        }
        if let Some(inner) = shown.strip_prefix("tensor(") {
            return array(inner, "Tensor");
        }
        if shown.starts_with('{') {
            return dict(shown);
        }
        if shown.starts_with("Dataset({") || shown.starts_with("DatasetDict({") {
            return data_set(shown);
        }
        if shown.starts_with('[') && shown.ends_with(']') {
            return Some(Value {
                kind: "list".to_owned(),
                ..Value::default()
            });
        }
    }
    table(text, whole)
}

/// A Hugging Face dataset: its columns, and the names of its splits.
fn data_set(text: &str) -> Option<Value> {
    let (kind, rest) = text.split_once("({")?;
    let (_, features) = rest.split_once("features: [")?;
    let columns = crate::written::listed(features.split(']').next()?);
    let part = |line: &str| line.trim().strip_suffix(": Dataset({").map(str::to_owned);
    Some(Value {
        kind: kind.to_owned(),
        columns: columns
            .iter()
            .map(|c| ((*c).to_owned(), String::new()))
            .collect(),
        keys: rest.lines().filter_map(part).collect(),
        ..Value::default()
    })
}

/// The keys of a printed dict.
fn dict(text: &str) -> Option<Value> {
    let mut keys = Vec::new();
    let (mut depth, mut chars, mut key) = (0_i32, text.char_indices(), true);
    while let Some((at, c)) = chars.next() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            ',' if depth == 1 => key = true,
            '\'' | '"' => {
                let mut end = None;
                while let Some((i, inner)) = chars.next() {
                    match inner {
                        '\\' => drop(chars.next()),
                        _ if inner == c => {
                            end = Some(i);
                            break;
                        }
                        _ => {}
                    }
                }
                let end = end?;
                if depth == 1 && key {
                    text[end + 1..]
                        .starts_with(':')
                        .then(|| keys.push(text[at + 1..end].to_owned()))?;
                    key = false;
                }
            }
            _ => {}
        }
    }
    (depth == 0 && !keys.is_empty()).then(|| Value {
        kind: "dict".to_owned(),
        keys,
        ..Value::default()
    })
}

/// The inside of a printed `array(…)`: the number of dimensions, and the shape if nothing is
/// omitted.
fn array(inner: &str, kind: &str) -> Option<Value> {
    let word = |key: &str| {
        let rest = inner.split_once(key)?.1;
        Some(
            rest.trim_start_matches('\'')
                .split([',', ')', '\''])
                .next()?
                .to_owned(),
        )
    };
    let axes = inner.chars().take_while(|c| *c == '[').count();
    let body = inner.rsplit_once(']').map_or(inner, |(b, _)| b);
    let mut sides = vec![0_i64; axes];
    let cut = body.contains("...") || axes == 0;
    if !cut {
        // The number of elements in the first row of each level.
        let (mut depth, mut open) = (0_usize, vec![true; axes + 1]);
        for c in body.chars() {
            match c {
                '[' => depth += 1,
                ']' => {
                    open[depth.min(axes)] = false;
                    depth = depth.checked_sub(1)?;
                }
                ',' if depth >= 1 && depth <= axes && open[depth] => sides[depth - 1] += 1,
                _ => {}
            }
        }
        sides.iter_mut().for_each(|s| *s += 1);
    }
    Some(Value {
        kind: kind.to_owned(),
        dtype: word("dtype=")
            .unwrap_or_default()
            .trim_start_matches("torch.")
            .to_owned(),
        device: word("device=").unwrap_or_default(),
        grad: inner.contains("requires_grad=True") || inner.contains("grad_fn="),
        shape: (!cut).then_some(sides),
        ..Value::default()
    })
}

/// A printed table: `   Age  Fare` above rows that begin with their labels.
fn table(text: &str, whole: bool) -> Option<Value> {
    let mut columns: Vec<(String, String)> = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    let mut complete = true;
    // Wide tables are printed in blocks. The header of each block but the last ends with a
    // backslash.
    loop {
        let head = lines.get(at)?;
        let wrapped = head.trim_end().ends_with('\\');
        if !head.starts_with([' ', '\t']) {
            return None;
        }
        let row = lines.get(at + 1)?;
        if row.starts_with(' ') || row.trim().is_empty() {
            return None;
        }
        let head = head.trim_end().trim_end_matches('\\');
        // Some front ends separate the cells of a row with tabs.
        let gap = if head.contains('\t') { "\t" } else { "  " };
        for name in head.split(gap).map(str::trim).filter(|n| !n.is_empty()) {
            match name {
                "..." => complete = false,
                name => columns.push((name.to_owned(), String::new())),
            }
        }
        if !wrapped {
            break;
        }
        let blank = lines.iter().skip(at).position(|l| l.trim().is_empty())?;
        at += blank + 1;
    }
    // `[891 rows x 12 columns]`.
    let count = lines.iter().rev().find_map(|l| {
        let inner = l.trim().strip_prefix('[')?.strip_suffix(" columns]")?;
        let (rows, wide) = inner.split_once(" rows x ")?;
        Some(vec![rows.parse().ok()?, wide.parse().ok()?])
    });
    let names_fit = count
        .as_ref()
        .is_none_or(|c: &Vec<i64>| !complete || c[1] == i64::try_from(columns.len()).unwrap_or(0));
    (!columns.is_empty() && names_fit).then(|| Value {
        kind: "DataFrame".to_owned(),
        shape: count.filter(|_| whole),
        more: !complete,
        columns,
        ..Value::default()
    })
}
