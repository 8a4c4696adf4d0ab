//! Text where numbers are needed: in a fit, a correlation, a mean.

use super::text_number::{form, is_number, without, Form};
use crate::case::Case;
use crate::edit::Change;
use crate::find::{
    add_argument, callee, lines_after, name, only, quoted, receiver, said, text_of, Spot,
};
use crate::keys::strings_of;
use crate::table::Kind;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{keyword, positional};
use nbmedic_wordings::{pandas, python, statsmodels, tensorflow};

/// DataFrame methods that take `numeric_only`.
const REDUCTIONS: &[&str] = &[
    "corr", "corrwith", "cov", "kurt", "kurtosis", "max", "mean", "median", "min", "prod",
    "quantile", "sem", "skew", "std", "sum", "var",
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    if !matches!(case.class(), "ValueError" | "TypeError" | "DataError") {
        return;
    }
    if let Some(cure) = numeric_only(case, message) {
        out.push(cure);
        return;
    }
    let begins = python::TEXT_TO_FLOAT.begins(message);
    if let Some([text]) = python::TEXT_TO_FLOAT.read(message).filter(|_| begins) {
        fit(case, text.trim_matches(['\'', '"']), out);
    } else if tensorflow::AS_DATA.is_in(message) {
        out.extend(object_array(case, message));
    } else if statsmodels::OBJECT_DATA.begins(message) {
        out.extend(bool_columns(case));
    }
}

fn reduction<'c>(spot: &Spot<'c>, wanted: Option<&str>) -> Option<&'c ExprCall> {
    let fits = |c: &&ExprCall| {
        let name = callee(c).unwrap_or("");
        receiver(c).is_some()
            && REDUCTIONS.contains(&name)
            && wanted.is_none_or(|w| w == name)
            && keyword(c, "numeric_only").is_none()
    };
    only(spot.calls().filter(fits))
}

/// The table and the columns that a selection names: `df.groupby("k")[["a", "b"]]`.
fn selected(on: &Expr) -> Option<(&Expr, Vec<&str>)> {
    let part = on.as_subscript_expr()?;
    let names: Vec<&str> = strings_of(&part.slice).iter().map(|(n, _)| *n).collect();
    let table = match part.value.as_call_expr() {
        Some(grouped) => receiver(grouped)?,
        None => &part.value,
    };
    (!names.is_empty()).then_some((table, names))
}

/// A line of CSV in its fields.
fn fields(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut quoted = false;
    for c in line.trim().chars() {
        match (c, out.last_mut()) {
            ('"', _) => quoted = !quoted,
            (',', _) if !quoted => out.push(String::new()),
            (c, Some(last)) => last.push(c),
            _ => {}
        }
    }
    out
}

/// The texts of a column where a text shows its table, with a way to part its lines.
fn column(text: &str, of: &str, parted: fn(&str) -> Vec<String>) -> Vec<String> {
    let mut lines = text.trim().lines().map(parted);
    let head = lines.by_ref().find(|l| l.iter().any(|c| c == of));
    let head = head.unwrap_or_default();
    let Some(back) = head.iter().rev().position(|c| c == of) else {
        return Vec::new();
    };
    let rows = lines.filter(|l| l.len() == head.len() || l.len() == head.len() + 1);
    rows.filter_map(|mut l| Some(l.swap_remove(l.len().checked_sub(back + 1)?)))
        .collect()
}

/// Numbers with separators in columns that were chosen by name: they become numbers where the table was read.
fn separated(case: &Case<'_>, table: &Expr, columns: &[&str]) -> Option<Cure> {
    let id = name(table)?;
    let (set, call) = case.set_before(id).into_iter().find_map(|s| {
        let call = s.binding.value?.as_call_expr()?;
        let makes = callee(call).is_some_and(|n| n.starts_with("read_") || n == "DataFrame");
        makes.then_some((s, call))
    })?;
    let python = case.python(set.cell)?;
    let inline = positional(call, 0).and_then(|a| {
        let held = positional(a.as_call_expr()?, 0)?;
        text_of(case.made(set.cell, held)?.expr)
    });
    let words = |l: &str| l.split_whitespace().map(str::to_owned).collect();
    let mut found: Vec<(&str, Vec<char>)> = Vec::new();
    for of in columns {
        let mut texts = inline.map_or_else(Vec::new, |t| column(t, of, fields));
        for cell in case.seen() {
            texts.extend(column(case.book.cells()[cell].output, of, words));
        }
        let mut signs = Vec::new();
        for text in texts.iter().filter(|t| !is_number(t)) {
            match form(text, false) {
                Some(Form::Characters(more)) => signs.extend(more),
                Some(Form::Missing) => {}
                _ => return None,
            }
        }
        signs.sort_unstable();
        signs.dedup();
        found.extend((!signs.is_empty()).then_some((*of, signs)));
    }
    let (first, _) = found.first()?;
    let reads = matches!(callee(call), Some("read_csv" | "read_table" | "read_excel"));
    let (title, change) = match reads && found.iter().all(|(_, signs)| signs == &[',']) {
        true => {
            let change = add_argument(set.cell, python, call, "thousands=\",\"");
            ("Add `thousands=\",\"` where it is read".to_owned(), change)
        }
        false => {
            let pd = case.alias_of("pandas")?;
            let line = |(of, signs): &(&str, Vec<char>)| {
                let text = format!("{id}[{}]", quoted(of));
                format!("{text} = {pd}.to_numeric({})", without(&text, signs, true))
            };
            let lines: Vec<String> = found.iter().map(line).collect();
            let change = lines_after(set.cell, python, set.binding.stmt, &lines.join("\n"));
            (format!("Make `{first}` numbers where it is made"), change)
        }
    };
    case.edits(
        said(
            "separated-numbers",
            Basis::Assumed,
            title,
            format!("`{first}` holds text: numbers with separators in them, as they are written."),
        ),
        vec![change],
    )
}

/// `df.corr()` with a text column: `numeric_only=True`.
fn numeric_only(case: &Case<'_>, message: &str) -> Option<Cure> {
    let about_text = python::TEXT_TO_FLOAT.begins(message)
        || pandas::NOT_NUMERIC.begins(message)
        || pandas::AGG_FUNCTION.begins(message)
        || pandas::REDUCTION.read(message).is_some()
        || pandas::NO_OPERATION.is_in(message)
        || python::CONCATENATE_TEXT.begins(message)
        || matches!(
            python::OPERAND_KINDS.read(message),
            Some(["+", "float" | "int", "str"])
        );
    // For a table, pandas puts the values in brackets; without brackets it was one column.
    let one_column = pandas::NOT_NUMERIC.begins(message)
        && message.ends_with(" to numeric")
        && !pandas::NOT_NUMERIC_VALUES.begins(message);
    if !about_text || one_column {
        return None;
    }
    let spot = case.spot()?;
    let call = match case.called().filter(|f| REDUCTIONS.contains(f)) {
        Some(called) => reduction(&spot, Some(called)).or_else(|| reduction(&spot, None)),
        None => reduction(&spot, None),
    }?;
    let called = callee(call)?;
    let on = receiver(call)?;
    // A single text column has nothing numeric.
    if matches!(case.kind(spot.cell, on), Kind::Series | Kind::Array) {
        return None;
    }
    // With groups, a different call may have failed: `how->median`. Numbers that are written as text are to be converted.
    let whole = nbmedic_python::name_of(on).is_some_and(|n| !n.contains('.'))
        && !pandas::AGG_FUNCTION.is_in(message)
        && !message.contains(|c: char| c.is_ascii_digit());
    let mut basis = match whole {
        true => Basis::Library,
        false => Basis::Assumed,
    };
    // What was chosen by name is meant to be there.
    if let Some((of, columns)) = selected(on) {
        if let Some(cure) = separated(case, of, &columns) {
            return Some(cure);
        }
        if columns.len() < 2 {
            return None;
        }
        basis = Basis::Guessed;
    }
    let table = spot.python.slice(on);
    case.edits(
        said(
            "numeric-only",
            basis,
            format!("Replace `{called}()` by `{called}(numeric_only=True)`"),
            format!("`{table}` has columns of text too. Since pandas 2.0 they are left out only if you say so."),
        ),
        vec![add_argument(spot.cell, spot.python, call, "numeric_only=True")],
    )
}

/// Free text rather than one of a few categories: an address, a name, a formatted number.
fn is_free(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
        || text.split_whitespace().count() > 3
        || text.len() > 30
}

fn fit(case: &Case<'_>, text: &str, out: &mut Vec<Cure>) {
    let Some(feed) = case.feed() else { return };
    let place = case.place(&feed, feed.x);
    let shown = place.text();
    let kind = case.kind(place.cell, place.table);
    if matches!(kind, Kind::Array | Kind::List | Kind::Series) {
        return;
    }
    let (pd, import) = case.alias_or_import("pandas", "pd");
    let (pd, lines) = (pd.as_str(), import);
    let used = case.python(feed.cell).map_or("", |p| p.slice(feed.x));
    let dummies = place.change(&[&|t| format!("{pd}.get_dummies({t}, drop_first=True)")]);
    let numbers = place.change(&[&|t| format!("{t}.select_dtypes(include=\"number\")")]);
    let with_import = |change: Change| {
        let mut all = vec![change];
        if let Some(line) = &lines {
            all[0].text = match all[0].range.is_empty() {
                true => format!("{line}\n{}", all[0].text),
                // An import can't be inserted in the middle of an expression.
                false => return None,
            };
        }
        Some(all)
    };
    // If the test data is a separate table, its columns must match.
    let apart = place.cell == feed.cell && place.table == feed.x && feed.method != "fit_transform";
    let also = match apart {
        true => format!(" What you predict for needs the same columns: `.reindex(columns={used}.columns, fill_value=0)`."),
        false => String::new(),
    };
    let encode = dummies.and_then(with_import).and_then(|changes| {
        case.edits(
            said(
                "encode-text",
                Basis::Assumed,
                format!("Turn the text columns of `{shown}` into numbers with `{pd}.get_dummies`"),
                format!("`{text}` stands in a column of text. Each of its values becomes a column of its own.{also}"),
            ),
            changes,
        )
    });
    let keep = numbers.and_then(|change| {
        case.edits(
            said(
                "only-numbers",
                Basis::Assumed,
                format!("Keep only the numeric columns of `{shown}`"),
                format!("`{text}` stands in a column of text; such columns are left out. Encode them instead if the model should use them."),
            ),
            vec![change],
        )
    });
    match is_free(text) {
        true => out.extend(keep.into_iter().chain(encode)),
        false => out.extend(encode.into_iter().chain(keep)),
    }
}

/// TensorFlow: an array of Python objects that are all numbers.
fn object_array(case: &Case<'_>, message: &str) -> Option<Cure> {
    let [kind] = tensorflow::AS_DATA.read(message)?;
    matches!(kind, "int" | "float" | "bool" | "bool_" | "Timestamp").then_some(())?;
    if kind == "Timestamp" {
        return None;
    }
    let feed = case.feed()?;
    let shown = feed.python.slice(feed.x);
    let text = crate::find::tight(feed.python, feed.x);
    let mut changes = vec![Change::replace(
        feed.cell,
        feed.x,
        format!("{text}.astype(\"float32\")"),
    )];
    let validation = keyword(feed.call, "validation_data").and_then(|k| k.value.as_tuple_expr());
    if let Some(first) = validation.and_then(|t| t.elts.first()) {
        let text = crate::find::tight(feed.python, first);
        changes.push(Change::replace(
            feed.cell,
            first,
            format!("{text}.astype(\"float32\")"),
        ));
    }
    case.edits(
        said(
            "object-to-float",
            Basis::Assumed,
            format!("Replace `{shown}` by `{text}.astype(\"float32\")`"),
            format!("`{shown}` holds Python objects (dtype `object`), among them `{kind}`. If a column is text, the conversion says which value."),
        ),
        changes,
    )
}

/// statsmodels: `bool` or `object` columns next to numbers.
fn bool_columns(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let is_model = |c: &&ExprCall| {
        matches!(
            callee(c),
            Some("OLS" | "GLM" | "Logit" | "WLS" | "GLS" | "Probit" | "MNLogit" | "Poisson")
        )
    };
    let call = only(spot.calls().filter(is_model))?;
    let exog = positional(call, 1).or(keyword(call, "exog").map(|k| &k.value))?;
    let shown = spot.python.slice(exog);
    let text = crate::find::tight(spot.python, exog);
    let mut changes = vec![Change::replace(
        spot.cell,
        exog,
        format!("{text}.astype(float)"),
    )];
    // What is explained may come from the same table.
    let behind = |e: &Expr| case.names_behind(&[e]);
    let endog = positional(call, 0).filter(|y| {
        let kind = case.kind_name(spot.cell, y);
        let shared = behind(y)
            .intersection(&behind(exog))
            .any(|n| case.module_of(n).is_none());
        y.is_name_expr() && shared && kind != "ndarray"
    });
    changes.extend(endog.map(|y| {
        Change::replace(
            spot.cell,
            y,
            format!("{}.astype(float)", spot.python.slice(y)),
        )
    }));
    case.edits(
        said(
            "object-to-float",
            Basis::Assumed,
            format!("Replace `{shown}` by `{text}.astype(float)`"),
            "Columns of `bool` (from `get_dummies`) beside numbers, and those of a transposed table, make an array of objects. A column of text must be encoded first.".to_owned(),
        ),
        changes,
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired};

    const SETUP: &str = "import pandas as pd\ndf = pd.read_csv('a.csv')";

    fn one(line: &str, class: &str, message: &str) -> String {
        let error = ipython(class, &[(2, 1, line)], message);
        repaired(&[SETUP, line], &error)
    }

    #[test]
    fn a_reduction_leaves_text_out() {
        for (line, class, message, after) in [
            (
                "c = df.corr()",
                "ValueError",
                "could not convert string to float: 'red'",
                "c = df.corr(numeric_only=True)",
            ),
            (
                "sns.heatmap(df.corr(), annot=True)",
                "ValueError",
                "could not convert string to float: 'red'",
                "sns.heatmap(df.corr(numeric_only=True), annot=True)",
            ),
            (
                "m = df.mean()",
                "TypeError",
                "Could not convert ['redblue'] to numeric",
                "m = df.mean(numeric_only=True)",
            ),
            (
                "m = df.groupby('k').mean()",
                "TypeError",
                "agg function failed [how->mean,dtype->object]",
                "m = df.groupby('k').mean(numeric_only=True)",
            ),
            (
                "m = df.groupby('k').mean()",
                "TypeError",
                "dtype 'str' does not support operation 'mean'",
                "m = df.groupby('k').mean(numeric_only=True)",
            ),
        ] {
            assert_eq!(one(line, class, message), after, "{message}");
        }
        assert_eq!(
            one(
                "m = df['a'].mean()",
                "TypeError",
                "Could not convert string 'ab' to numeric"
            ),
            ""
        );
    }

    #[test]
    fn text_columns_are_encoded_before_the_split() {
        let split = "X = df[['a', 'b']]\ny = df['c']\nX1, X2, y1, y2 = train_test_split(X, y)";
        let line = "model.fit(X1, y1)";
        let cells = [SETUP, split, line];
        let error = |text: &str| {
            ipython(
                "ValueError",
                &[(3, 1, line)],
                &format!("could not convert string to float: '{text}'"),
            )
        };
        let cures = cures_of(&cells, &error("red"));
        assert_eq!(
            cures[0].code,
            "X = df[['a', 'b']]\ny = df['c']\nX = pd.get_dummies(X, drop_first=True)\nX1, X2, y1, y2 = train_test_split(X, y)"
        );
        assert_eq!(cures[0].run, [2, 3]);
        assert!(cures_of(&cells, &error("12 Long Street"))[0]
            .code
            .contains("X = X.select_dtypes(include=\"number\")"));
        // An array has no columns; the table that it came from has.
        let array = "X = df.iloc[:, 1:].values\ny = df['c']";
        let line = "model = Ridge().fit(X, y)";
        let error = ipython(
            "ValueError",
            &[(3, 1, line)],
            "could not convert string to float: 'red'",
        );
        assert_eq!(
            repaired(&[SETUP, array, line], &error),
            "X = pd.get_dummies(df.iloc[:, 1:], drop_first=True).values\ny = df['c']"
        );
    }

    #[test]
    fn columns_chosen_by_name_are_meant_to_be_numbers() {
        let text = |amount: &str| {
            format!("import io\nimport pandas as pd\ntext = \"\"\"shop,amount,n\nA,\"{amount}\",3\nB,40,4\n\"\"\"\ndf = pd.read_csv(io.StringIO(text))")
        };
        let line = "m = df.groupby('shop')[['amount', 'n']].mean()";
        let error = ipython(
            "TypeError",
            &[(2, 1, line)],
            "dtype 'str' does not support operation 'mean'",
        );
        let of = |made: &str| repaired(&[made, line], &error);
        let made = text("2,300");
        assert_eq!(
            of(&made),
            made.replace("(text))", "(text), thousands=\",\")")
        );
        let made = text("$2,300");
        let number = "df[\"amount\"] = pd.to_numeric(df[\"amount\"]";
        assert!(of(&made).contains(number), "{}", of(&made));
        // Words are no numbers.
        assert!(of(&text("many")).ends_with("mean(numeric_only=True)"));
        let line = "df['amount'].mean()";
        let error = ipython(
            "TypeError",
            &[(2, 1, line)],
            "dtype 'str' does not support operation 'mean'",
        );
        assert!(!repaired(&[SETUP, line], &error).contains("numeric_only"));
    }

    #[test]
    fn objects_become_floats() {
        let after = one(
            "model.fit(X, y, epochs=3)",
            "ValueError",
            "Failed to convert a NumPy array to a Tensor (Unsupported object type float).",
        );
        assert_eq!(after, "model.fit(X.astype(\"float32\"), y, epochs=3)");
        let after = one(
            "m = sm.OLS(y, X).fit()",
            "ValueError",
            "Pandas data cast to numpy dtype of object. Check input data with np.asarray(data).",
        );
        assert_eq!(after, "m = sm.OLS(y, X.astype(float)).fit()");
    }

    #[test]
    fn a_frame_without_its_functions_name_is_at_the_top() {
        let split = "X = df[['a', 'b']]\ny = df['c']\nX1, X2, y1, y2 = train_test_split(X, y)";
        let error = "-----\nValueError                                Traceback (most recent call last)\n/tmp/ipykernel_5/1234.py in ?()\n      1 # Fit\n----> 2 model.fit(X1,y1)\n\n/opt/conda/lib/python3.10/site-packages/sklearn/linear_model/_base.py in ?(self, X, y, sample_weight)\n    644         n_jobs_ = self.n_jobs\n--> 648         X, y = self._validate_data(\n\nValueError: could not convert string to float: 'red'\n";
        let code = repaired(&[SETUP, split, "model.fit(X1,y1)"], error);
        assert!(
            code.contains("X = pd.get_dummies(X, drop_first=True)\nX1, X2"),
            "{code}"
        );
    }
}
