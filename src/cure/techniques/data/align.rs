//! Tables that don't match: different columns than in training, different numbers of rows.

use super::filtered::{selected, Filter};
use crate::case::Case;
use crate::edit::Change;
use crate::feed::Feed;
use crate::find::{
    callee, lines_before, look, name, one_line, only, quoted, receiver, said, statement_of, tight,
    Spot,
};
use crate::known::function_around;
use crate::sized::{Sources, MAX_STEPS};
use crate::table::Kind;
use crate::trace::Made;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{calls, positional, Cell, Ranged, TextRange};
use nbmedic_values::Model;
use nbmedic_wordings::{keras, sklearn, xgboost};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if !matches!(
        case.class(),
        "ValueError" | "KeyError" | "XGBoostError" | "LightGBMError" | "CatBoostError"
    ) {
        return;
    }
    let message = case.message();
    if let Some(missing) = other_columns(message) {
        out.extend(columns(case, missing));
    } else if sklearn::NUMBERS_OF_SAMPLES.is_in(message)
        || keras::CARDINALITY.is_in(message)
        || message.starts_with("y_true and y_pred have different number of output")
        || sklearn::NUMBER_OF_LABELS.read(message).is_some()
    {
        out.extend(rows(case, message));
    }
}

/// Whether a message says that a table's columns differ from those at fit time: required columns
/// are missing (true), or only the order is wrong or there are extra columns (false).
fn other_columns(message: &str) -> Option<bool> {
    if sklearn::FEATURE_NAMES_DIFFER.is_in(message) {
        let others = sklearn::NAMES_UNSEEN.is_in(message) || message.contains("same order");
        return Some(sklearn::NAMES_MISSING.is_in(message) || !others);
    }
    if xgboost::FEATURE_NAMES_MISMATCH.is_in(message) {
        return Some(true);
    }
    if message.starts_with("columns are missing: ") {
        return Some(true);
    }
    if let Some([has, _, wants]) = sklearn::FEATURES_EXPECTED.read(message) {
        let (has, wants): (i64, i64) = (has.parse().ok()?, wants.parse().ok()?);
        return Some(has < wants);
    }
    if sklearn::NUMBER_OF_FEATURES.is_in(message) {
        return Some(true);
    }
    None
}

/// The table that an estimator was fitted on, given its name.
fn fitted_with<'c>(case: &'c Case<'_>, estimator: &str) -> Option<(usize, &'c Expr)> {
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let mut found: Option<&'c Expr> = None;
        for call in calls(python.body()) {
            if !matches!(callee(call), Some("fit" | "fit_transform" | "fit_resample")) {
                continue;
            }
            let on = receiver(call).and_then(name) == Some(estimator);
            // `model = Ridge().fit(X, y)`
            let made = case
                .last_set(estimator)
                .and_then(|s| s.binding.value.map(|v| (s.cell, v)));
            let made = made.is_some_and(|(c, v)| c == cell && v.range() == call.range());
            if on || made {
                found = positional(call, 0).or(found);
            }
        }
        if let Some(found) = found {
            return Some((cell, found));
        }
    }
    None
}

/// The table that an array was made from, and the conversion: `X.to_numpy()` → `X`, `.to_numpy()`.
fn table_of<'c>(python: &'c Cell, expr: &'c Expr) -> (&'c Expr, &'c str) {
    let inner = match expr {
        Expr::Attribute(a) if a.attr.as_str() == "values" => &*a.value,
        Expr::Call(c) if matches!(callee(c), Some("to_numpy")) => receiver(c).unwrap_or(expr),
        other => return (other, ""),
    };
    (inner, python.slice(TextRange::new(inner.end(), expr.end())))
}

/// The names around a call that may be the estimator: `model`, also in
/// `pipe.predict(scaler.transform(x))`.
fn columns(case: &Case<'_>, missing: bool) -> Option<Cure> {
    let feed = case.feed()?;
    let estimator = feed.estimator.and_then(name)?;
    let trained = fitted_with(case, estimator)?;
    let (given, array) = table_of(feed.python, feed.x);
    let shown = feed.python.slice(given);
    let trained_table = match trained.1 {
        Expr::Attribute(a) if a.attr.as_str() == "values" => &*a.value,
        Expr::Call(c) if callee(c) == Some("to_numpy") => receiver(c)?,
        other => other,
    };
    let train = name(trained_table)?;
    if train == shown || feed.inside {
        return None;
    }
    let kinds = (
        case.kind(trained.0, trained_table),
        case.kind(feed.cell, given),
    );
    if let Some(cure) = super::refitted::cure(case, train, (feed.cell, feed.x)) {
        return Some(cure);
    }
    if matches!(kinds.0, Kind::Array | Kind::List) || matches!(kinds.1, Kind::Array | Kind::List) {
        return Some(scaled(case, &feed, train, shown));
    }
    // A scaler or encoder changed it after the fit, so use the columns of the fit.
    let target = tight(feed.python, given);
    if !missing {
        return case.edits(
            said(
                "same-columns",
                Basis::Source,
                format!("Give `{estimator}` the columns of `{train}` in its order: `{target}[{train}.columns]`"),
                format!("`{estimator}` was fitted with `{train}`; `{shown}` has others too, or has them in another order."),
            ),
            vec![Change::replace(feed.cell, feed.x, format!("{target}[{train}.columns]{array}"))],
        );
    }
    let lacking = lacking(case.message());
    // scikit-learn only lists the first of many columns.
    let all = !lacking.contains(&"...");
    let named: &[&str] = if all { &lacking } else { &[] };
    if let Some(cure) = super::made_columns::cure(case, &feed, (train, given), named) {
        return Some(cure);
    }
    let list: Vec<String> = lacking.iter().take(5).map(|c| format!("`{c}`")).collect();
    let list = match list.is_empty() {
        true => String::new(),
        false => format!(" (missing: {})", list.join(", ")),
    };
    // A category that doesn't occur becomes a column of zeros; a measured column must not.
    let basis = match encoded(case) {
        true => Basis::Assumed,
        false => Basis::Guessed,
    };
    case.edits(
        said(
            "same-columns",
            basis,
            format!("Give `{shown}` the columns of `{train}`"),
            format!("`{estimator}` was fitted with `{train}`{list}. Columns that `{shown}` lacks become 0, which is right for `get_dummies`; a measured column should be prepared as in training instead."),
        ),
        vec![match (name(given), array) {
            // What reads it below wants them, too: it was made for the features alone, and has no other columns to lose.
            (Some(_), "") if is_encoded(case, feed.cell, given) => {
                let line = format!("{shown} = {target}.reindex(columns={train}.columns, fill_value=0)");
                lines_before(feed.cell, feed.python, feed.stmt, &line)
            }
            _ => Change::replace(
                feed.cell,
                feed.x,
                format!("{target}.reindex(columns={train}.columns, fill_value=0){array}"),
            ),
        }],
    )
}

/// The columns that scikit-learn reports missing.
fn lacking(message: &str) -> Vec<&str> {
    let Some((_, list)) = message.split_once("now missing:") else {
        return Vec::new();
    };
    let lines = list.lines().map(str::trim).skip_while(|l| l.is_empty());
    lines.map_while(|l| l.strip_prefix("- ")).collect()
}

/// Whether a table was made by `get_dummies`, or by a function of the notebook that calls it.
fn is_encoded(case: &Case<'_>, cell: usize, table: &Expr) -> bool {
    let made = case.made(cell, table).and_then(|m| m.expr.as_call_expr());
    let encodes = |c: &ExprCall| callee(c) == Some("get_dummies");
    let own = |c: &ExprCall| {
        let set = case.last_set(name(&c.func)?)?;
        let f = set.binding.stmt.as_function_def_stmt()?;
        Some(calls(&f.body).into_iter().any(encodes))
    };
    made.is_some_and(|c| encodes(c) || own(c) == Some(true))
}

/// Whether the notebook encodes categories as columns.
fn encoded(case: &Case<'_>) -> bool {
    let mut all = case.seen().into_iter().filter_map(|c| case.python(c));
    all.any(|python| {
        calls(python.body())
            .iter()
            .any(|c| callee(c) == Some("get_dummies"))
    })
}

fn scaled(case: &Case<'_>, feed: &Feed<'_>, train: &str, shown: &str) -> Cure {
    let set = |n: &str| {
        let set = case.last_set(n)?;
        let text = case.python(set.cell)?.slice(set.binding.stmt);
        let line = text.lines().next()?.trim();
        (line.len() < 120).then(|| format!("`{line}` (cell {})", case.position(set.cell)))
    };
    let list: Vec<String> = [train, shown].iter().filter_map(|n| set(n)).collect();
    look(
        "same-columns",
        format!("Make `{shown}` by the same steps as `{train}`"),
        format!(
            "`{}` was fitted with `{train}`, which has another number of columns. They are set by {}.",
            feed.estimator.map_or("", |e| feed.python.slice(e)),
            list.join(" and ")
        ),
    )
}

/// Two tables with different numbers of rows.
fn rows(case: &Case<'_>, message: &str) -> Option<Cure> {
    let counts = message
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'));
    let counts = counts.map_or("", |(list, _)| list);
    let spot = case.spot()?;
    let (a, b, feed) = match case.feed() {
        Some(feed) => (feed.x, feed.y?, Some(feed)),
        None => {
            let call = pair(&spot)?;
            (positional(call, 0)?, positional(call, 1)?, None)
        }
    };
    let (cell, python) = feed
        .as_ref()
        .map_or((spot.cell, spot.python), |f| (f.cell, f.python));
    if let Some(cure) = vectorized(case, cell, a) {
        return Some(cure);
    }
    if let (Some(x), Some(y)) = (name(a), name(b)) {
        // `fit(X_train, y)`: use the part from the same split. Fitting uses the training part.
        let tests = |n: &str| {
            n.to_lowercase()
                .split('_')
                .any(|w| matches!(w, "test" | "te" | "val" | "valid"))
        };
        let other = case.split_of(y).and_then(|s| s.beside(y));
        let fits = feed.as_ref().is_some_and(|f| f.method == "fit");
        if let Some(right) = other.filter(|r| *r != x && fits && tests(x) && !tests(y)) {
            return case.edits(
                said(
                    "same-rows",
                    Basis::Source,
                    format!("Replace `{x}` by `{right}`, which was split off with `{y}`"),
                    format!("`{x}` and `{y}` have other numbers of rows: [{counts}]."),
                ),
                vec![Change::replace(cell, a, right)],
            );
        }
        let beside = case.split_of(x).and_then(|s| s.beside(x));
        if let Some(right) = beside.filter(|r| *r != y && feed.is_some()) {
            return case.edits(
                said(
                    "same-rows",
                    Basis::Source,
                    format!("Replace `{y}` by `{right}`, which was split off with `{x}`"),
                    format!("`{x}` and `{y}` have other numbers of rows: [{counts}]."),
                ),
                vec![Change::replace(cell, b, right)],
            );
        }
        // Predictions for different rows are scored.
        if let Some(cure) = predicted(case, x, y).or_else(|| predicted(case, y, x)) {
            return Some(cure);
        }
    }
    // Rows were dropped from one side only.
    let (short, long, by) = match (dropped(case, cell, a), dropped(case, cell, b)) {
        (Some(by), None) => (a, b, Some(by)),
        (None, Some(by)) => (b, a, Some(by)),
        _ => (a, b, None),
    };
    if let Some(by) = by {
        let why = format!(
            "Rows were dropped from `{}` only ([{counts}] rows).",
            python.slice(short)
        );
        let both = (short, long);
        let cure = by_labels(case, (cell, python), both, &by, &why);
        if let Some(cure) = cure.or_else(|| by_mask(case, name(long)?, &by, &why)) {
            return Some(cure);
        }
    }
    let (x, y) = (name(a)?, name(b)?);
    let line = |n: &str| {
        let set = case.last_set(n)?;
        let text = case.python(set.cell)?.slice(set.binding.stmt);
        let line = text.lines().next()?.trim();
        (line.len() < 120 && !is_compound(set.binding.stmt))
            .then(|| format!("`{line}` (cell {})", case.position(set.cell)))
    };
    let sets: Vec<String> = [x, y].iter().filter_map(|n| line(n)).collect();
    (sets.len() == 2).then_some(())?;
    Some(look(
        "same-rows",
        format!("Make `{x}` and `{y}` of the same rows"),
        format!(
            "They have [{counts}] rows. They were set by {}.",
            sets.join(" and ")
        ),
    ))
}

/// `vectorizer.fit_transform(table)`: texts are taken one by one, and those of a table are the names of its columns.
fn vectorized(case: &Case<'_>, cell: usize, x: &Expr) -> Option<Cure> {
    let made = case.made(cell, x)?;
    let call = made
        .expr
        .as_call_expr()
        .filter(|c| matches!(callee(c), Some("fit_transform" | "transform")))?;
    let vectorizer = case.kind_name(made.cell, receiver(call)?);
    let table = positional(call, 0)?;
    let texts = matches!(
        &*vectorizer,
        "CountVectorizer" | "TfidfVectorizer" | "HashingVectorizer"
    );
    (texts && case.kind(made.cell, table) == Kind::Frame).then_some(())?;
    let sources = Sources(case);
    let columns = Model::new(&sources, MAX_STEPS).of(made.cell, table).columns;
    let column = match columns.as_deref().map(Vec::as_slice) {
        Some([one]) => format!("[{}]", quoted(one)),
        _ => ".iloc[:, 0]".to_owned(),
    };
    let python = case.python(made.cell)?;
    let given = python.slice(table);
    let right = format!("{}{column}", tight(python, table));
    case.edits(
        said(
            "texts-of-column",
            Basis::Library,
            format!("Give `{vectorizer}` a column: `{right}`"),
            format!("It takes one text after the other, and a table such as `{given}` gives the names of its columns."),
        ),
        vec![Change::replace(made.cell, table, right)],
    )
}

/// How rows were taken from a variable.
fn dropped<'c>(case: &'c Case<'_>, cell: usize, expr: &'c Expr) -> Option<Filter<'c>> {
    name(expr)?;
    selected(case, Made { cell, expr })
}

/// Takes the rows of the other table by the labels of those that are left, where both are used.
fn by_labels(
    case: &Case<'_>,
    (cell, python): (usize, &Cell),
    (short, long): (&Expr, &Expr),
    by: &Filter<'_>,
    why: &str,
) -> Option<Cure> {
    let labelled = |e: &Expr| matches!(case.kind(cell, e), Kind::Frame | Kind::Series);
    (by.labelled && labelled(short) && labelled(long)).then_some(())?;
    let (s, l) = (python.slice(short), python.slice(long));
    let right = format!("{}.loc[{s}.index]", tight(python, long));
    // Later code uses both, so the variable itself is reindexed.
    let above = statement_of(python, long.range()).filter(|t| !is_compound(t));
    let (title, change) = match above.filter(|_| name(long).is_some()) {
        Some(stmt) => {
            let line = format!("{l} = {right}");
            (
                format!("Put `{line}` above"),
                lines_before(cell, python, stmt, &line),
            )
        }
        None => (
            format!("Replace `{l}` by `{l}.loc[{s}.index]`"),
            Change::replace(cell, long, right),
        ),
    };
    let why = format!("{why} This takes the same rows of `{l}`.");
    case.edits(said("same-rows", Basis::Assumed, title, why), vec![change])
}

/// Takes the same rows of the other table where rows were taken from the first, by the same condition.
fn by_mask(case: &Case<'_>, long: &str, by: &Filter<'_>, why: &str) -> Option<Cure> {
    let mask = by.mask.filter(|m| m.len() < 80 && !m.contains('\n'))?;
    let python = case.python(by.cell)?;
    let stmt = statement_of(python, by.at.range()).filter(|s| !is_compound(s))?;
    // What the other one is must not depend on what stands below.
    let later = case.last_set(long).is_some_and(|s| {
        s.cell == by.cell && s.binding.at.start() > stmt.start()
            || case.book.before(case.at).iter().position(|c| *c == s.cell)
                > case.book.before(case.at).iter().position(|c| *c == by.cell)
    });
    (!later && function_around(python, stmt).is_none()).then_some(())?;
    let line = format!("{long} = {long}[{mask}]");
    // A condition that reads the table itself is another one below.
    let change = lines_before(by.cell, python, stmt, &line);
    let title = format!("Put `{line}` above `{}`", one_line(python.slice(stmt)));
    let mut cure = case.edits(said("same-rows", Basis::Assumed, title, why), vec![change])?;
    // The condition is computed once more, from the whole table.
    if let Some(mut first) = case.made_anew(by.cell) {
        first.retain(|c| !cure.run.contains(c));
        cure.run.splice(0..0, first);
    }
    Some(cure)
}

fn is_compound(stmt: &Stmt) -> bool {
    !crate::find::body(stmt).is_empty()
}

/// A metric call whose first arguments are the true and predicted values.
fn pair<'c>(spot: &Spot<'c>) -> Option<&'c ExprCall> {
    let metric = |c: &&ExprCall| {
        let name = callee(c).unwrap_or("");
        let known = name.ends_with("_score") || name.ends_with("_error") || name.ends_with("_loss");
        let tables = matches!(
            name,
            "confusion_matrix"
                | "classification_report"
                | "roc_curve"
                | "train_test_split"
                | "from_predictions"
        );
        (known || tables) && c.arguments.args.len() >= 2
    };
    only(spot.calls().filter(metric))
}

/// Whether a value drops rows.
pub(super) fn drops_rows(value: &Expr) -> bool {
    let mut found = false;
    nbmedic_python::each_below(value, &mut |e| match e {
        Expr::Call(c) => {
            found |= matches!(
                callee(c),
                Some("dropna" | "drop_duplicates" | "query" | "sample" | "head" | "tail")
            );
        }
        Expr::Subscript(s) => found |= s.slice.is_compare_expr() || s.slice.is_bin_op_expr(),
        _ => {}
    });
    found
}

/// `p = model.predict(X_train)`, scored against `y_test`.
fn predicted(case: &Case<'_>, truth: &str, prediction: &str) -> Option<Cure> {
    let (cell, value) = case.value(prediction)?;
    let call = value.as_call_expr()?;
    matches!(
        callee(call),
        Some("predict" | "predict_proba" | "predict_classes")
    )
    .then_some(())?;
    let given = positional(call, 0)?;
    let right = case.split_of(truth)?.beside(truth)?;
    let used = name(given)?;
    let python = case.python(cell)?;
    (used != right).then_some(())?;
    case.edits(
        said(
            "same-rows",
            Basis::Assumed,
            format!("Predict for `{right}` instead of `{used}`"),
            format!("`{truth}` belongs to `{right}`, but `{prediction}` was predicted for `{used}`: `{}`.", python.slice(call)),
        ),
        vec![Change::replace(cell, given, right)],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired};

    const SETUP: &str = "import pandas as pd\ndf = pd.read_csv('a.csv')\nX = df[['a', 'b']]\ny = df['c']\ntest = pd.read_csv('b.csv')";

    fn at(cells: &[&str], message: &str) -> String {
        let line = cells[cells.len() - 1];
        let count = i64::try_from(cells.len()).unwrap_or(0);
        repaired(cells, &ipython("ValueError", &[(count, 1, line)], message))
    }

    #[test]
    fn the_columns_of_the_fit() {
        let names = "The feature names should match those that were passed during fit.\n";
        let cells = [SETUP, "m = Ridge()\nm.fit(X, y)", "p = m.predict(test)"];
        assert_eq!(
            at(
                &cells,
                &format!("{names}Feature names unseen at fit time:\n- id\n")
            ),
            "p = m.predict(test[X.columns])"
        );
        assert_eq!(
            at(
                &cells,
                &format!("{names}Feature names seen at fit time, yet now missing:\n- b\n")
            ),
            "p = m.predict(test.reindex(columns=X.columns, fill_value=0))"
        );
        let cells = [
            SETUP,
            "m = Ridge().fit(X.to_numpy(), y)",
            "p = m.predict(test.to_numpy())",
        ];
        assert_eq!(
            at(
                &cells,
                "X has 1 features, but Ridge is expecting 2 features as input"
            ),
            "p = m.predict(test.reindex(columns=X.columns, fill_value=0).to_numpy())"
        );
        let arrays = "A = scaler.fit_transform(X)\nB = other.transform(test)\nm.fit(A, y)";
        let error = ipython(
            "ValueError",
            &[(3, 1, "m.predict(B)")],
            "X has 3 features, but Ridge is expecting 2 features as input",
        );
        let words = cures_of(&[SETUP, arrays, "m.predict(B)"], &error);
        assert!(
            words[0].edits.is_empty() && words[0].why.contains("other.transform(test)"),
            "{words:?}"
        );
    }

    #[test]
    fn rows_that_belong_together() {
        let message = "Found input variables with inconsistent numbers of samples: [80, 100]";
        let split = "X_train, X_test, y_train, y_test = train_test_split(X, y)";
        let cells = [SETUP, split, "m.fit(X_test, y_train)"];
        assert_eq!(at(&cells, message), "m.fit(X_train, y_train)");
        let cells = [SETUP, split, "m.fit(X_train, y)"];
        assert_eq!(at(&cells, message), "m.fit(X_train, y_train)");
        let cells = [
            SETUP,
            split,
            "p = m.predict(X_train)",
            "accuracy_score(y_test, p)",
        ];
        assert_eq!(at(&cells, message), "p = m.predict(X_test)");
        let wrong = "X_train, y_train, X_test, y_test = train_test_split(X, y)";
        let cells = [SETUP, wrong, "m.fit(X_train, y_train)"];
        assert_eq!(
            at(&cells, message),
            "X_train, X_test, y_train, y_test = train_test_split(X, y)"
        );
        let cells = [SETUP, "X = df[['a']].dropna()", "m.fit(X, y)"];
        assert_eq!(at(&cells, message), "y = y.loc[X.index]\nm.fit(X, y)");
    }
}
