//! statsmodels formulas: column names that aren't valid Python.

use crate::case::Case;
use crate::closest::{closest, near};
use crate::code::argument;
use crate::edit::Change;
use crate::find::{missing_name, name, only, said, text_of};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::ExprCall;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if matches!(case.class(), "PatsyError" | "FactorEvaluationError") {
        out.extend(column(case));
    } else if case.class() == "SyntaxError" {
        out.extend(bare(case));
    }
}

/// The columns of a table, as far as they are known.
fn columns_of(case: &Case<'_>, data: &str) -> Vec<String> {
    let mut columns: Vec<String> = case
        .keys_before()
        .into_iter()
        .chain(case.keys_in(case.at))
        .filter(|k| k.made && k.owner.as_deref() == Some(data))
        .map(|k| k.name)
        .collect();
    let seen = case.seen_value(data);
    columns.extend(
        seen.into_iter()
            .flat_map(|v| &v.columns)
            .map(|(c, _)| c.clone()),
    );
    columns.sort_unstable();
    columns.dedup();
    columns
}

/// Whether a formula can name a column as it is.
fn is_plain(column: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || c == '_';
    column.chars().all(plain) && !column.starts_with(|c: char| c.is_numeric())
}

/// The quotes that don't delimit a formula.
fn quote_in(source: &str) -> char {
    if source.starts_with('"') {
        '\''
    } else {
        '"'
    }
}

/// A column whose name is no Python stands bare in a formula: `sales ~ tv + online ads`.
fn bare(case: &Case<'_>) -> Option<Cure> {
    let (spot, call) = model(case)?;
    let formula = argument(call, 0, "formula")?;
    let text = text_of(formula)?;
    let data = name(argument(call, 1, "data")?)?;
    let quote = quote_in(spot.text(formula));
    let columns = columns_of(case, data);
    let named = |c: &&String| !is_plain(c) && text.contains(c.as_str()) && !text.contains("Q(");
    let mut all: Vec<&String> = columns.iter().filter(named).collect();
    all.sort_by_key(|c| std::cmp::Reverse(c.len()));
    // A name within another one.
    let inner = |c: &str| all.iter().any(|o| o.as_str() != c && o.contains(c));
    (!all.is_empty() && !all.iter().any(|c| inner(c))).then_some(())?;
    let fixed = all.iter().fold(spot.text(formula).to_owned(), |f, c| {
        f.replace(c.as_str(), &format!("Q({quote}{c}{quote})"))
    });
    let named: Vec<String> = all.iter().map(|c| format!("`{c}`")).collect();
    case.edits(
        said(
            "formula-column",
            Basis::Named,
            format!(
                "Write {} as `Q({quote}…{quote})` in the formula",
                named.join(", ")
            ),
            "In a formula a name that is no Python stands in `Q(…)`.",
        ),
        vec![Change::replace(spot.cell, formula, fixed)],
    )
}

/// The statsmodels call in the failing line.
fn model<'c>(case: &'c Case<'c>) -> Option<(crate::find::Spot<'c>, &'c ExprCall)> {
    let spot = case.spot()?;
    let of = |c: &&ExprCall| {
        let path = case.path_of(&c.func).unwrap_or_default();
        let last = path.rsplit('.').next().unwrap_or("");
        path.starts_with("statsmodels.") && last != "add_constant"
    };
    let call = only(spot.calls().filter(of))?;
    Some((spot, call))
}

/// A name in a formula that isn't a column: the column is spelled differently or contains a space.
fn column(case: &Case<'_>) -> Option<Cure> {
    let wanted = missing_name(case.message().split_once("NameError: ")?.1)?;
    let (spot, call) = model(case)?;
    let formula = argument(call, 0, "formula")?;
    let text = text_of(formula)?;
    let data = name(argument(call, 1, "data")?)?;
    let columns = columns_of(case, data);
    // `sepal.length` in a formula is an attribute of `sepal`.
    let dotted = columns.iter().find(|c| {
        let first = c.split('.').next();
        first == Some(wanted) && c.len() > wanted.len() && text.contains(c.as_str())
    });
    let wanted = dotted.map_or(wanted, String::as_str);
    let near_one = || closest(wanted, columns.iter().map(String::as_str));
    let column = dotted.map(String::as_str).or_else(near_one)?;
    let plain = |c: char| c.is_alphanumeric() || c == '_';
    let is_name = is_plain(column);
    let quote = quote_in(spot.text(formula));
    let new = match is_name {
        true => column.to_owned(),
        false => format!("Q({quote}{column}{quote})"),
    };
    let source = spot.text(formula);
    let word = |at: usize| {
        let before = source[..at].chars().next_back();
        let after = source[at + wanted.len()..].chars().next();
        !before.is_some_and(plain) && !after.is_some_and(plain)
    };
    text.contains(wanted).then_some(())?;
    let mut fixed = String::new();
    let mut from = 0;
    for (at, _) in source.match_indices(wanted).filter(|(at, _)| word(*at)) {
        fixed.push_str(&source[from..at]);
        fixed.push_str(&new);
        from = at + wanted.len();
    }
    fixed.push_str(&source[from..]);
    let basis = match near(wanted, column) {
        Some(0) => Basis::Spelled,
        _ if dotted.is_some() => Basis::Library,
        _ => Basis::Alike,
    };
    let why = match is_name {
        true => format!("`{data}` has the column `{column}`, and no `{wanted}`."),
        false if dotted.is_some() => format!("In a formula `{column}` asks for an attribute; a column of this name stands in `Q(…)`."),
        false => format!("`{data}` has the column `{column}`. In a formula a name that is no Python stands in `Q(…)`."),
    };
    case.edits(
        said(
            "formula-column",
            basis,
            format!("Write `{new}` instead of `{wanted}`"),
            why,
        ),
        vec![Change::replace(spot.cell, formula, fixed)],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_first;

    #[test]
    fn a_bare_name_with_a_blank_is_quoted() {
        let cells = [
            "import statsmodels.formula.api as smf\nads = pd.DataFrame({'tv': a, 'online ads': b})\nads['sales'] = c",
            "fit = smf.ols('sales ~ tv + online ads', data=ads).fit()",
        ];
        let message = "invalid syntax (<unknown>, line 1)";
        assert_eq!(
            repaired_first(&cells, "SyntaxError", message),
            "fit = smf.ols('sales ~ tv + Q(\"online ads\")', data=ads).fit()"
        );
    }

    #[test]
    fn gaps_and_names_of_columns() {
        let head = "import statsmodels.api as sm\nimport statsmodels.formula.api as smf\nimport pandas as pd\nd = pd.DataFrame({'house size': [1., 2.], 'Price': [2., 4.]})\ne = pd.DataFrame({'a.b': [1.], 'Price': [2.]})";
        let name = |n: &str| {
            format!(
                "Error evaluating factor: NameError: name '{n}' is not defined\n    price ~ {n}"
            )
        };
        let rows: &[(&str, &str, String, &str)] = &[
            (
                "m = sm.OLS(y, sm.add_constant(X)).fit()",
                "MissingDataError",
                "exog contains inf or nans".into(),
                "m = sm.OLS(y, sm.add_constant(X), missing=\"drop\").fit()",
            ),
            (
                "m = smf.ols('Price ~ house_size', data=d).fit()",
                "PatsyError",
                name("house_size"),
                "m = smf.ols('Price ~ Q(\"house size\")', data=d).fit()",
            ),
            (
                "m = smf.ols(\"price ~ 1\", data=d).fit()",
                "PatsyError",
                name("price"),
                "m = smf.ols(\"Price ~ 1\", data=d).fit()",
            ),
        ];
        for (line, class, message, wanted) in rows {
            assert_eq!(repaired_first(&[head, *line], class, message), *wanted);
        }
    }
}
