//! Text to number: derives the cleanup from the value that couldn't be converted.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, name, only, quoted, receiver, said, text_of, tight, Spot};
use crate::table::Kind;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{each_below, keyword, positional};
use nbmedic_wordings::python;

/// Strings that represent a missing value.
const MISSING: &[&str] = &[
    "", "?", "-", "--", ".", "nan", "na", "n/a", "none", "null", "nat", "missing", "unknown",
    "#n/a",
];

/// The value that could not be converted.
fn literal(message: &str) -> Option<&str> {
    let [rest] = python::NUMBER_IN_TEXT.read(message)?;
    // Later releases print quotes, earlier ones of NumPy don't.
    let Some(mark) = rest.chars().next().filter(|c| matches!(c, '\'' | '"')) else {
        return rest.lines().next();
    };
    let inner = &rest[1..];
    let end = match rest.ends_with(mark) {
        true => inner.rfind(mark)?,
        // `at position 0`
        false => inner.find(mark)?,
    };
    Some(&inner[..end])
}

/// How a string differs from a number.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Not a number: a missing value.
    Missing,
    /// A number with a fraction where an integer is needed.
    Fraction,
    /// A number, apart from these characters.
    Characters(Vec<char>),
    /// A number with a decimal comma.
    Comma,
    /// A number followed by a word: a unit.
    Unit(String),
    /// A number with a scaling letter: the letter, the exponent, and other characters to remove.
    Factor(char, &'static str, Vec<char>),
}

pub(super) fn is_number(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | 'e' | 'E'))
        && text.parse::<f64>().is_ok()
}

/// How a string differs from a number. None if it isn't a number at all.
pub(super) fn form(text: &str, whole: bool) -> Option<Form> {
    let inner = text.trim();
    if MISSING.contains(&inner.to_ascii_lowercase().as_str()) {
        return Some(Form::Missing);
    }
    if is_number(inner) {
        return (whole && inner.contains(['.', 'e', 'E'])).then_some(Form::Fraction);
    }
    if inner.len() > 40 || !inner.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    // `1,5` is a decimal comma; `1,500` is thousands.
    let comma = inner.split_once(',').filter(|(before, after)| {
        after.len() != 3
            && [before, after].iter().all(|p| {
                let p = p.trim_start_matches('-');
                !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit())
            })
    });
    if comma.is_some() {
        return Some(Form::Comma);
    }
    const SIGNS: &[char] = &[
        ',', '+', '$', '%', '€', '£', '¥', '₹', '#', '~', '<', '>', '=', '"', '\'', '(', ')', ' ',
        '_', '*', '\u{a0}', '°', '±', '/', ':', ';', '[', ']', '!',
    ];
    let mut signs: Vec<char> = Vec::new();
    let mut rest = String::new();
    for c in inner.chars() {
        match SIGNS.contains(&c) {
            true if !signs.contains(&c) => signs.push(c),
            true => {}
            false => rest.push(c),
        }
    }
    // A date, range, time or version isn't a formatted number.
    let separators = inner.matches(['/', ':', ';']).count();
    let dashes = inner.trim_start_matches('-').contains('-');
    if separators > 0 || dashes {
        return None;
    }
    if is_number(&rest) {
        // Separate numbers would run together: `3 4`.
        let blank = inner
            .split([' ', '\u{a0}'])
            .filter(|p| is_number(p))
            .count();
        return (blank < 2).then_some(Form::Characters(signs));
    }
    let number_end = rest
        .rfind(|c: char| c.is_ascii_digit())
        .map_or(0, |at| at + 1);
    let (number, letters) = rest.split_at(number_end);
    if !is_number(number) || !letters.chars().all(char::is_alphabetic) {
        return None;
    }
    let mut last = letters.chars();
    if let (Some(letter), None) = (last.next(), last.next()) {
        let power = match letter {
            'k' | 'K' => "e3",
            'M' => "e6",
            'B' => "e9",
            _ => "",
        };
        if !power.is_empty() {
            return Some(Form::Factor(letter, power, signs));
        }
    }
    // The unit as written, with the space before it.
    let at = inner.find(letters)?;
    let unit = &inner[at..];
    (unit == letters && is_number(inner[..at].trim()))
        .then(|| Form::Unit(inner[inner[..at].trim_end().len()..].to_owned()))
}

/// A conversion in the user's code.
struct Conversion<'c> {
    /// The whole call.
    call: &'c ExprCall,
    /// The converted value.
    value: &'c Expr,
    /// Whether it converts a column rather than one string.
    column: bool,
    /// Whether it converts to an integer.
    whole: bool,
}

/// Whether the type that an expression names is an integer type.
fn whole_type(expr: &Expr) -> Option<bool> {
    let text = match text_of(expr) {
        Some(t) => t.to_owned(),
        None => nbmedic_python::name_of(expr)?,
    };
    let text = text.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
    match text.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_') {
        "int" | "uint" | "i" | "integer" => Some(true),
        "float" | "f" | "double" => Some(false),
        _ => None,
    }
}

fn conversion<'c>(case: &Case<'_>, call: &'c ExprCall) -> Option<Conversion<'c>> {
    let on = receiver(call);
    let first = positional(call, 0);
    match (callee(call)?, on) {
        ("astype", Some(value)) => {
            let to = first.or(keyword(call, "dtype").map(|k| &k.value))?;
            Some(Conversion {
                call,
                value,
                column: true,
                whole: whole_type(to)?,
            })
        }
        ("apply" | "map", Some(value)) => {
            let to = first?;
            name(to)?;
            Some(Conversion {
                call,
                value,
                column: true,
                whole: whole_type(to)?,
            })
        }
        ("int", None) | ("float", None) if call.arguments.keywords.is_empty() => Some(Conversion {
            call,
            value: first.filter(|_| call.arguments.args.len() == 1)?,
            column: false,
            whole: callee(call) == Some("int"),
        }),
        ("int32" | "int64" | "float32" | "float64", Some(module)) => {
            let np = name(module).and_then(|n| case.module_of(n))?;
            (np == "numpy").then_some(())?;
            Some(Conversion {
                call,
                value: first?,
                column: false,
                whole: callee(call)?.starts_with("int"),
            })
        }
        ("to_numeric", _) => Some(Conversion {
            call,
            value: first?,
            column: true,
            whole: false,
        }),
        _ => None,
    }
}

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if !matches!(case.class(), "ValueError" | "TypeError") {
        return;
    }
    let Some(text) = literal(case.message()) else {
        return;
    };
    let bare = text.trim_start_matches("np.str_(");
    if bare.trim_start_matches(['\'', '"']).starts_with(['[', '(']) {
        out.extend(written_lists(case));
        return;
    }
    for spot in case.spots() {
        let all: Vec<Conversion<'_>> = spot.calls().filter_map(|c| conversion(case, c)).collect();
        // If there are several, the message doesn't say which; those with the same edit are
        // grouped.
        if let [one] = &all[..] {
            out.extend(mend(case, &spot, one, text));
            return;
        }
        if !all.is_empty() {
            return;
        }
    }
}

/// A column of lists that a file gives back as texts: `"[0.9, 0.1]"`.
fn written_lists(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let names = spot.exprs.iter().filter(|e| e.is_name_expr());
    let made = names.filter_map(|e| case.made(spot.cell, e));
    let mut parts = Vec::new();
    let here = spot.exprs.iter().map(|e| (spot.cell, *e));
    for (cell, whole) in here.chain(made.map(|m| (m.cell, m.expr))) {
        each_below(whole, &mut |e| {
            let part = e.as_subscript_expr();
            parts.extend(
                part.and_then(|s| Some((cell, name(&s.value)?, &*s.value, text_of(&s.slice)?))),
            );
        });
    }
    let mut read: Vec<(&str, &str, usize)> = parts
        .into_iter()
        .filter_map(|(cell, table, of, column)| {
            let made = case.made(cell, of)?;
            let call = made.expr.as_call_expr()?;
            callee(call)
                .is_some_and(|f| f.starts_with("read_"))
                .then_some((table, column, made.cell))
        })
        .collect();
    read.sort_unstable();
    read.dedup();
    let (table, column, cell) = only(read.into_iter())?;
    let stmt = case
        .set_before(table)
        .into_iter()
        .find(|s| s.cell == cell)?
        .binding
        .stmt;
    let line = format!(
        "{table}[{0}] = {table}[{0}].apply(ast.literal_eval)",
        quoted(column)
    );
    let editor = case.editor(cell)?;
    let mut changes = vec![editor.below(stmt, &line)];
    if case.module_of("ast").is_none() {
        changes.push(editor.import("import ast"));
    }
    case.edits(
        said(
            "lists-as-text",
            Basis::Library,
            format!("Read the lists of `{column}` back from their text: `ast.literal_eval`"),
            format!("A file of text has no lists: `{column}` holds texts that look like lists."),
        ),
        changes,
    )
}

/// A regex character class for several characters.
fn class_of(signs: &[char]) -> String {
    let mut out = String::from("[");
    for c in signs {
        if matches!(c, '[' | ']' | '^' | '\\' | '-') {
            out.push('\\');
        }
        out.push(*c);
    }
    out + "]"
}

/// An expression with a string replaced. On a column, `replace` leaves non-strings alone, whereas
/// `.str.replace` would turn them into missing values.
fn swapped(value: &str, from: &str, to: &str, column: bool) -> String {
    match column {
        true => format!("{value}.replace({}, \"{to}\", regex=True)", raw(from)),
        false => format!("{value}.replace({}, \"{to}\")", quoted(from)),
    }
}

/// An expression with some characters removed.
pub(super) fn without(value: &str, signs: &[char], column: bool) -> String {
    let visible: Vec<char> = signs.iter().copied().filter(|c| *c != ' ').collect();
    // Leading and trailing spaces don't bother `int` and `float`.
    let signs = if visible.is_empty() { signs } else { &visible };
    match column {
        true => swapped(value, &class_of(signs), "", true),
        false => signs.iter().fold(value.to_owned(), |text, c| {
            swapped(&text, &c.to_string(), "", false)
        }),
    }
}

/// A raw string literal, in quotes that the pattern doesn't contain.
fn raw(pattern: &str) -> String {
    let prefix = if pattern.contains(['[', '\\']) {
        "r"
    } else {
        ""
    };
    match pattern.contains('"') {
        true if pattern.contains('\'') => format!("{prefix}\"\"\"{pattern}\"\"\""),
        true => format!("{prefix}'{pattern}'"),
        false => format!("{prefix}\"{pattern}\""),
    }
}

/// Whether a string is a number with a nonzero fraction.
fn has_fraction(text: &str) -> bool {
    let behind = text.trim().split_once('.').map_or("", |(_, b)| b);
    behind.chars().any(|c| c.is_ascii_digit() && c != '0')
}

fn replace_call(spot: &Spot<'_>, one: &Conversion<'_>, to: String) -> Vec<Change> {
    vec![Change::replace(spot.cell, one.call, to)]
}

fn mend(case: &Case<'_>, spot: &Spot<'_>, one: &Conversion<'_>, text: &str) -> Option<Cure> {
    let form = form(text, one.whole)?;
    let python = spot.python;
    let value = tight(python, one.value);
    let shown = quoted(text);
    let call = python.slice(one.call);
    let to_numeric = callee(one.call) == Some("to_numeric");
    let replace = |node: &Expr, text: String| vec![Change::replace(spot.cell, node, text)];
    // A column's chain may already contain a string method: `.str.strip().astype(int)`.
    let edit = |basis, title: String, why: String, to: String| {
        let changes = replace(one.value, to);
        case.edits(said("text-number", basis, title, why), changes)
    };
    match form {
        Form::Missing => missing(case, spot, one, text),
        // Truncating a nonzero fraction would change the number.
        Form::Fraction if callee(one.call) != Some("to_numeric") && has_fraction(text) => {
            let to = match one.column {
                true => format!("{value}.astype(float)"),
                false => format!("float({})", python.slice(one.value)),
            };
            case.edits(
                said(
                    "text-number",
                    Basis::Assumed,
                    format!("Replace `{call}` by `{to}`"),
                    format!("{shown} isn't a whole number. `int` of it would cut off what is behind the point."),
                ),
                replace_call(spot, one, to),
            )
        }
        Form::Fraction if one.column => {
            let to = format!("{value}.astype(float)");
            edit(
                Basis::Assumed,
                format!("Convert {shown} to `float` first, then to `int`"),
                "`int` does not read a text with a fraction. Going on to `int` cuts the fraction off: leave it out to keep it.".to_owned(),
                to,
            )
        }
        Form::Fraction => edit(
            Basis::Assumed,
            format!("Replace `{call}` by `int(float({}))`", python.slice(one.value)),
            format!("`int` does not read a text with a fraction such as {shown}. `int` cuts the fraction off: use `float` alone to keep it."),
            format!("float({})", python.slice(one.value)),
        ),
        Form::Characters(signs) => {
            let list: Vec<String> = signs
                .iter()
                .filter(|c| **c != ' ' || signs.len() == 1)
                .map(|c| format!("`{c}`"))
                .collect();
            let basis = match signs.iter().any(|c| matches!(c, '%' | '<' | '>' | '~' | '(' | ')')) {
                true => Basis::Assumed,
                false => Basis::Named,
            };
            let why = match signs.contains(&'%') {
                true => format!("{shown} stays a percentage: divide by 100 for a fraction."),
                false => format!("Values such as {shown} hold more than digits."),
            };
            edit(
                basis,
                format!("Take {} out before converting", list.join(" and ")),
                why,
                without(&value, &signs, one.column),
            )
        }
        Form::Comma => {
            let to = swapped(&value, ",", ".", one.column);
            let to = match one.whole {
                true if one.column => format!("{to}.astype(float)"),
                true => format!("float({to})"),
                false => to,
            };
            edit(
                Basis::Assumed,
                "Replace the decimal comma by a point before converting".to_owned(),
                format!("{shown} reads as a number with a decimal comma."),
                to,
            )
        }
        Form::Unit(unit) => {
            let to = swapped(&value, &unit, "", one.column);
            edit(
                Basis::Assumed,
                format!("Take `{}` out before converting", unit.trim()),
                format!("Values such as {shown} carry a unit; values with another unit would need a factor."),
                to,
            )
        }
        Form::Factor(letter, power, signs) => {
            let mut to = value;
            if !signs.is_empty() {
                to = without(&to, &signs, one.column);
            }
            let letter = letter.to_string();
            to = swapped(&to, &letter, power, one.column);
            to = match (one.whole, one.column && !to_numeric) {
                (true, true) => format!("{to}.astype(float)"),
                (true, false) => format!("float({to})"),
                _ => to,
            };
            edit(
                Basis::Assumed,
                format!("Read `{letter}` as `{power}` before converting"),
                format!("{shown} is a number with a factor: `{letter}` is taken for 1{power}."),
                to,
            )
        }
    }
}

/// Non-numeric text in a column: `errors="coerce"`.
fn missing(case: &Case<'_>, spot: &Spot<'_>, one: &Conversion<'_>, text: &str) -> Option<Cure> {
    let python = spot.python;
    let shown = quoted(text);
    let value = python.slice(one.value);
    if callee(one.call) == Some("to_numeric") {
        return case.edits(
            said(
                "text-number",
                Basis::Assumed,
                format!("Let `to_numeric` make {shown} a missing value: `errors=\"coerce\"`"),
                "Every text that isn't a number becomes NaN: look at how many with `.isna().sum()`."
                    .to_owned(),
            ),
            vec![crate::find::set_keyword(
                spot.cell,
                python,
                one.call,
                "errors",
                "\"coerce\"",
            )],
        );
    }
    if !one.column {
        let call = python.slice(one.call);
        // Only `float` has NaN.
        return case
            .edits(
                said(
                    "text-number",
                    Basis::Assumed,
                    format!("Replace `{call}` where `{value}` is {shown}"),
                    format!("{shown} isn't a number. Choose what it becomes: here NaN."),
                ),
                vec![Change::replace(
                    spot.cell,
                    one.call,
                    format!("({call} if {value} not in ({shown},) else float(\"nan\"))"),
                )],
            )
            .filter(|_| is_simple(one.value));
    }
    // pandas reads `nan` as a number, but only as a float.
    if text.trim().eq_ignore_ascii_case("nan") && one.whole && callee(one.call) == Some("astype") {
        let to = format!(
            "{}.astype(float).astype(\"Int64\")",
            tight(python, one.value)
        );
        return case.edits(
            said(
                "text-number",
                Basis::Assumed,
                "Convert to `float`, then to `Int64`, which has missing values".to_owned(),
                format!("{shown} is a missing value that became text. `int` has none; `Int64` keeps it as `<NA>`."),
            ),
            vec![Change::replace(spot.cell, one.call, to)],
        );
    }
    let pd = case.alias_of("pandas")?;
    let to = match case.kind(spot.cell, one.value) {
        Kind::Frame => format!(
            "{}.apply({pd}.to_numeric, errors=\"coerce\")",
            tight(python, one.value)
        ),
        _ => format!("{pd}.to_numeric({value}, errors=\"coerce\")"),
    };
    let (to, also) = match one.whole {
        true => (
            format!("{to}.astype(\"Int64\")"),
            " `Int64` is a whole number that can be missing.",
        ),
        false => (to, ""),
    };
    case.edits(
        said(
            "text-number",
            Basis::Assumed,
            format!("Make {shown} a missing value: `{pd}.to_numeric(…, errors=\"coerce\")`"),
            format!("{shown} isn't a number; every such text becomes NaN.{also} `dropna` or `fillna` then decides what happens to them."),
        ),
        vec![Change::replace(spot.cell, one.call, to)],
    )
}

/// Whether an expression may be written twice: reading it again has no side effect.
fn is_simple(expr: &Expr) -> bool {
    match expr {
        Expr::Name(_) => true,
        Expr::Attribute(a) => is_simple(&a.value),
        Expr::Subscript(s) => is_simple(&s.value) && !s.slice.is_call_expr(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
