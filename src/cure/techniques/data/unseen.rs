//! Categories and labels unseen by an encoder, tables without rows, columns that boosted trees reject.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{
    add_argument, callee, lines_before, look, name, one_line, only, receiver, said, statement_of,
    text_of, Spot,
};
use crate::keys::strings_of;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, each_below, keyword, positional, Cell, Ranged};
use nbmedic_wordings::{lightgbm, pandas, python, sklearn, xgboost};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    out.extend(match case.class() {
        "ValueError" | "KeyError" if sklearn::UNKNOWN_CATEGORIES.begins(message) => unknown(case),
        "ValueError" if sklearn::UNSEEN_LABELS.is_in(message) => labels(case),
        "ValueError" if sklearn::EMPTY_ARRAY.begins(message) => emptied(case),
        "ValueError" if message.contains("is an invalid document") => documents(case),
        "AttributeError" if python::ATTRIBUTE.read(message) == Some(["float", "lower"]) => {
            documents(case)
        }
        "ValueError"
            if lightgbm::BAD_DTYPES.is_in(message) || xgboost::INVALID_COLUMNS.is_in(message) =>
        {
            categories(case, message)
        }
        "IndexError" if pandas::POSITIONAL_INDEXER.begins(message) => filtered(case),
        "CatBoostError" if message.contains(": Cannot convert '") => text_features(case),
        "LightGBMError" if lightgbm::JSON_CHARACTERS.is_in(message) => plain_names(case),
        "ValueError" if xgboost::FEATURE_NAME_CHARACTERS.is_in(message) => plain_names(case),
        _ => None,
    });
}

/// The latest constructor call of one of these classes.
fn made<'c>(case: &'c Case<'_>, classes: &[&str]) -> Option<(usize, &'c Cell, &'c ExprCall)> {
    case.seen().into_iter().find_map(|cell| {
        let python = case.python(cell)?;
        let is = |c: &&ExprCall| callee(c).is_some_and(|n| classes.contains(&n));
        let call = only(calls(python.body()).into_iter().filter(is))?;
        Some((cell, python, call))
    })
}

/// `Found unknown categories`: sets what the encoder does with them.
fn unknown(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, call) = made(case, &["OneHotEncoder", "OrdinalEncoder", "TargetEncoder"])?;
    if let Some(k) = keyword(call, "handle_unknown") {
        let error = text_of(&k.value) == Some("error");
        if !error {
            return None;
        }
    }
    let class = callee(call)?;
    let (text, why) = match class {
        "OneHotEncoder" => (
            "handle_unknown=\"ignore\"",
            "A category that the fit has not seen becomes a row of zeros.",
        ),
        _ => (
            "handle_unknown=\"use_encoded_value\", unknown_value=-1",
            "A category that the fit has not seen becomes -1.",
        ),
    };
    let change = match keyword(call, "handle_unknown") {
        Some(k) => Change::replace(cell, k, text),
        None => add_argument(cell, python, call, text),
    };
    case.edits(
        said(
            "unknown-category",
            Basis::Assumed,
            format!("Add `{text}` to `{class}(…)`"),
            format!("{why} If it is a misspelling of a known one, mend the data instead."),
        ),
        vec![change],
    )
}

/// `y contains previously unseen labels`: fit on both.
fn labels(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let is = |c: &&ExprCall| {
        callee(c) == Some("transform") && receiver(c).is_some_and(Expr::is_name_expr)
    };
    let call = only(spot.calls().filter(is))?;
    let (encoder, later) = (receiver(call).and_then(name)?, positional(call, 0)?);
    let pd = case.alias_of("pandas")?;
    // The closest fit above.
    let (cell, python, fit) = case.seen().into_iter().find_map(|cell| {
        let python = case.python(cell)?;
        let fits = |c: &&ExprCall| {
            matches!(callee(c), Some("fit" | "fit_transform"))
                && receiver(c).and_then(name) == Some(encoder)
        };
        let all = calls(python.body()).into_iter().filter(fits);
        let call = all
            .filter(|c| cell != spot.cell || c.start() < call.start())
            .last()?;
        Some((cell, python, call))
    })?;
    let first = positional(fit, 0)?;
    // Two columns of tables.
    let column = |e: &Expr| matches!(e, Expr::Subscript(_) | Expr::Attribute(_) | Expr::Name(_));
    if !column(first) || !column(later) {
        return None;
    }
    let (a, b) = (python.slice(first), spot.text(later));
    let both = format!("{pd}.concat([{a}, {b}])");
    let changes = match callee(fit)? {
        "fit" => vec![Change::replace(cell, first, both)],
        _ => {
            let stmt = statement_of(python, fit.range())?;
            let method = fit.func.as_attribute_expr()?.attr.range();
            vec![
                lines_before(cell, python, stmt, &format!("{encoder}.fit({both})")),
                Change::replace(cell, method, "transform"),
            ]
        }
    };
    case.edits(
        said(
            "fit-on-both",
            Basis::Assumed,
            format!("Fit `{encoder}` on `{a}` and `{b}` together"),
            format!("`{b}` has labels that `{a}` lacks. They get a number then; a model trained on `{a}` has learnt nothing of them."),
        ),
        changes,
    )
}

/// A table that `dropna()` emptied: considers only the used columns.
fn emptied(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    spot.stmt?;
    let mut tables: Vec<&str> = Vec::new();
    let mut used: Vec<String> = Vec::new();
    for e in &spot.exprs {
        if let Expr::Subscript(s) = e {
            if let Some(n) = name(&s.value) {
                tables.push(n);
                used.extend(strings_of(&s.slice).into_iter().map(|(t, _)| t.to_owned()));
            }
        }
        if let Some(n) = name(e) {
            tables.push(n);
        }
    }
    // Follow the names of parts to the table that they were taken from.
    let mut parts: Vec<&str> = Vec::new();
    for n in &tables {
        let source = case
            .split_of(n)
            .and_then(|s| s.source(n))
            .or_else(|| case.value(n).map(|(_, v)| v));
        let Some(source) = source else { continue };
        each_below(source, &mut |e| {
            if let Expr::Subscript(s) = e {
                if let Some(n) = name(&s.value) {
                    parts.push(n);
                    used.extend(strings_of(&s.slice).into_iter().map(|(t, _)| t.to_owned()));
                }
            }
            parts.extend(name(e));
        });
    }
    tables.extend(parts);
    used.sort_unstable();
    used.dedup();
    for n in tables {
        let Some((cell, value)) = case.value(n) else {
            continue;
        };
        let Some(call) = value
            .as_call_expr()
            .filter(|c| callee(c) == Some("dropna") && c.arguments.is_empty())
        else {
            continue;
        };
        let python = case.python(cell)?;
        let text = python.slice(call);
        let table = python.slice(receiver(call)?);
        if used.is_empty() {
            let line = python.line_of(call.start());
            return Some(Cure {
                code: format!("print({table}.isna().sum())"),
                language: "python".into(),
                ..look(
                    "empty-table",
                    format!("Find the column of `{table}` that is missing in every row"),
                    format!("`{text}` in line {line} of cell {} keeps only rows without any gap, and there is none. Drop that column first, or name the columns that count: `dropna(subset=[…])`.", case.position(cell)),
                )
            });
        }
        let list: Vec<String> = used.iter().map(|u| crate::find::quoted(u)).collect();
        let new = format!("subset=[{}]", list.join(", "));
        return case.edits(
            said(
                "dropna-subset",
                Basis::Assumed,
                format!("Drop only rows that lack a used column: `dropna({new})`"),
                format!(
                    "`{text}` kept no row: some column is missing in each. {} used.",
                    if used.len() == 1 {
                        "One column is"
                    } else {
                        "These columns are"
                    }
                ),
            ),
            vec![add_argument(cell, python, call, &new)],
        );
    }
    None
}

/// A text vectorizer that receives missing values.
fn documents(case: &Case<'_>) -> Option<Cure> {
    let feed = case
        .feed()
        .filter(|f| matches!(f.method, "fit_transform" | "fit" | "transform"))?;
    let shown = feed.python.slice(feed.x);
    let text = crate::find::tight(feed.python, feed.x);
    case.edits(
        said(
            "fill-texts",
            Basis::Assumed,
            format!("Replace `{shown}` by `{text}.fillna(\"\")`"),
            "A missing text is `nan`, a number; it becomes an empty text. Dropping those rows is the other way.".to_owned(),
        ),
        vec![Change::replace(feed.cell, feed.x, format!("{text}.fillna(\"\")"))],
    )
}

/// `Invalid columns:city: object`: boosted trees accept them as categories.
fn categories(case: &Case<'_>, message: &str) -> Option<Cure> {
    let xgboost = xgboost::INVALID_COLUMNS.behind(message);
    let rest = xgboost.or_else(|| lightgbm::BAD_DTYPES.behind(message))?;
    let listed = rest.lines().next()?.split(", ");
    let pairs: Vec<(&str, &str)> = listed.filter_map(|p| p.trim().rsplit_once(": ")).collect();
    let text = |k: &str| matches!(k.trim(), "object" | "str" | "string" | "category");
    if pairs.is_empty() || !pairs.iter().all(|(_, k)| text(k)) {
        return None;
    }
    let feed = case.feed();
    let place = feed.as_ref().map(|f| case.place(f, f.x))?;
    let columns: Vec<String> = pairs
        .iter()
        .map(|(c, _)| format!("{}: \"category\"", crate::find::quoted(c.trim())))
        .collect();
    let new = format!("{{{}}}", columns.join(", "));
    let mut changes = vec![place.change(&[&|t| format!("{t}.astype({new})")])?];
    if xgboost.is_some() {
        let class = ["XGBClassifier", "XGBRegressor", "XGBRanker", "DMatrix"];
        let (cell, python, call) = made(case, &class)?;
        if keyword(call, "enable_categorical").is_none() {
            changes.push(add_argument(cell, python, call, "enable_categorical=True"));
        }
    }
    let shown = place.text();
    let names: Vec<&str> = pairs.iter().map(|(c, _)| c.trim()).collect();
    case.edits(
        said(
            "as-categories",
            Basis::Assumed,
            format!(
                "Make {} of `{shown}` a category: `astype(…)`",
                one_line(&names.join(", "))
            ),
            "Text is refused, categories are taken. What you predict for needs the same line."
                .to_owned(),
        ),
        changes,
    )
}

/// CatBoost only accepts text in columns declared as such.
fn text_features(case: &Case<'_>) -> Option<Cure> {
    let feed = case.feed()?;
    if feed.method != "fit" || keyword(feed.call, "cat_features").is_some() {
        return None;
    }
    let table = feed.python.slice(feed.x);
    name(feed.x)?;
    let text = format!("cat_features={table}.select_dtypes(exclude=\"number\").columns.tolist()");
    case.edits(
        said(
            "text-features",
            Basis::Assumed,
            format!("Name the columns of texts: `{text}`"),
            format!("CatBoost takes texts as categories, in the columns of `{table}` that `cat_features` names; all others have to be numbers, without missing values among the texts."),
        ),
        vec![add_argument(feed.cell, feed.python, feed.call, &text)],
    )
}

/// LightGBM rejects brackets, quotes, colons and commas in column names.
fn plain_names(case: &Case<'_>) -> Option<Cure> {
    let feed = case.feed()?;
    let place = case.place(&feed, feed.x);
    name(place.table)?;
    let shown = place.text();
    let line =
        format!("{shown}.columns = {shown}.columns.str.replace(r\"[^\\w]+\", \"_\", regex=True)");
    case.edits(
        said(
            "plain-names",
            Basis::Assumed,
            format!("Replace the special characters in the columns of `{shown}` by `_`"),
            "The names must be letters, digits and underscores. What you predict for needs the same line; two names may become equal.".to_owned(),
        ),
        vec![lines_before(place.cell, place.python, place.stmt, &line)],
    )
}

/// The first row of a filter's empty result.
fn filtered(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let base = spot.exprs.iter().find_map(|e| {
        let s = e.as_subscript_expr()?;
        let a = s
            .value
            .as_attribute_expr()
            .filter(|a| a.attr.as_str() == "iloc")?;
        Some(&*a.value)
    })?;
    let (cell, filter) = filter_of(case, &spot, base)?;
    let python = case.python(cell)?;
    let condition = filter.slice.as_compare_expr()?;
    let (table, test) = (python.slice(&*filter.value), python.slice(condition));
    let column = python.slice(&*condition.left);
    let value = condition.comparators.first()?;
    let shown = python.slice(value);
    let other = match value {
        Expr::NumberLiteral(_) => format!(" Where the column is text, compare with `\"{shown}\"`."),
        Expr::StringLiteral(_) => {
            " Case and blanks count; a column of numbers never equals text.".to_owned()
        }
        _ => String::new(),
    };
    Some(Cure {
        code: format!("print({column}.unique()[:50], {column}.dtype)"),
        language: "python".into(),
        ..look(
            "nothing-fits",
            format!("See why no row of `{table}` fits `{test}`"),
            format!("The filter in cell {} found nothing, so there is no first row. Compare `{shown}` with what the column holds.{other}", case.position(cell)),
        )
    })
}

fn filter_of<'c>(
    case: &'c Case<'_>,
    spot: &Spot<'c>,
    base: &'c Expr,
) -> Option<(usize, &'c nbmedic_python::ast::ExprSubscript)> {
    let mut at = (spot.cell, base);
    for _ in 0..6 {
        at = match at.1 {
            Expr::Subscript(s) if s.slice.is_compare_expr() => return Some((at.0, s)),
            Expr::Subscript(s) => (at.0, &s.value),
            Expr::Attribute(a) => (at.0, &a.value),
            Expr::Name(n) => case.value(n.id.as_str())?,
            _ => return None,
        };
    }
    None
}
