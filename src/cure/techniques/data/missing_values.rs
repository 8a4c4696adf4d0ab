//! Missing or infinite values where numbers are needed.

use crate::case::Case;
use crate::edit::Change;
use crate::feed::{Feed, Place};
use crate::find::{lines_before, name, said};
use crate::table::Kind;
use nbmedic_facts::{Basis, Cure};
use nbmedic_wordings::{sklearn, statsmodels};

/// Maximum length of an expression that is written twice, in bytes.
const MAX_TWICE: usize = 40;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    if !matches!(
        case.class(),
        "ValueError" | "MissingDataError" | "TypeError"
    ) {
        return;
    }
    let first = message.lines().next().unwrap_or("");
    let of_exog = statsmodels::INF_OR_NANS.is_in(first);
    let infinity = first.contains("infinity") || of_exog;
    let missing = sklearn::OF_NAN.is_in(first) || of_exog;
    if !(first.starts_with("Input")
        || first.starts_with("exog")
        || first.starts_with("array must not"))
        || !(missing || infinity)
    {
        return;
    }
    let Some(feed) = case.feed() else { return };
    if first.starts_with("Input y ") || case.checks_targets() {
        out.extend(target(case, &feed));
        return;
    }
    fill(case, &feed, missing, infinity, out);
}

/// Drops the rows that lack a value in either table.
fn without_rows(case: &Case<'_>, place: &Place<'_>, of_target: bool) -> Option<Vec<Change>> {
    let x = name(place.table)?;
    let y = name(place.y?)?;
    if matches!(case.kind(place.cell, place.table), Kind::Array | Kind::List)
        || case.kind(place.cell, place.y?) == Kind::Array
    {
        return None;
    }
    let mask = match of_target {
        true => format!("{y}.notna()"),
        false => format!("{x}.notna().all(axis=1)"),
    };
    let lines = format!("keep = {mask}\n{x}, {y} = {x}[keep], {y}[keep]");
    let free = case.last_set("keep").is_none();
    free.then(|| vec![lines_before(place.cell, place.python, place.stmt, &lines)])
}

/// Drops rows without a target.
fn target(case: &Case<'_>, feed: &Feed<'_>) -> Option<Cure> {
    let mut place = case.place(feed, feed.x);
    if place.cell == feed.cell && place.table == feed.x {
        place.y = feed.y;
    }
    let y = place.python.slice(place.y?);
    let x = place.text();
    case.edits(
        said(
            "drop-rows",
            Basis::Assumed,
            format!("Leave out the rows for which `{y}` is missing"),
            format!("A model can't learn from rows without a target; `{x}` and `{y}` lose the same rows."),
        ),
        without_rows(case, &place, true)?,
    )
}

fn fill(case: &Case<'_>, feed: &Feed<'_>, missing: bool, infinity: bool, out: &mut Vec<Cure>) {
    let place = case.place(feed, feed.x);
    let shown = place.text();
    // A part of a split has the same kind.
    let kind = match case.kind(place.cell, place.table) {
        Kind::Unknown => case.kind(feed.cell, feed.x),
        kind => kind,
    };
    let np = case.alias_of("numpy");
    let imported = if np.is_none() {
        "import numpy as np\n"
    } else {
        ""
    };
    let np = np.unwrap_or_else(|| "np".to_owned());
    let fill = |t: &str| format!("{t}.fillna({t}.mean(numeric_only=True))");
    let finite = |t: &str| format!("{t}.replace([{np}.inf, -{np}.inf], {np}.nan)");
    let whole = |t: &str| format!("{np}.where({np}.isfinite({t}), {t}, {np}.nan)");
    let mean = |t: &str| format!("{np}.where({np}.isnan({t}), {np}.nanmean({t}, axis=0), {t})");
    let simple = name(place.table).is_some();
    let (change, by) = match kind {
        Kind::Frame if infinity => (place.change(&[&finite, &fill]), "the column mean"),
        Kind::Frame if simple => (place.change(&[&fill]), "the column mean"),
        Kind::Array if simple && infinity => (place.change(&[&whole, &mean]), "the column mean"),
        Kind::Array if simple => (place.change(&[&mean]), "the column mean"),
        Kind::Frame if shown.len() <= MAX_TWICE => (place.change(&[&fill]), "the column mean"),
        // Only `fillna` with a number works on any expression.
        Kind::Frame => (place.change(&[&|t: &str| format!("{t}.fillna(0)")]), "0"),
        _ => (None, ""),
    };
    let needs_numpy = infinity || kind == Kind::Array;
    let change = change.map(|mut c| {
        if needs_numpy && c.range.is_empty() {
            c.text = format!("{imported}{}", c.text);
        }
        c
    });
    let what = match (missing, infinity) {
        (true, true) => "missing and infinite values",
        (false, _) => "infinite values",
        _ => "missing values",
    };
    if let Some(cure) = change.and_then(|c| {
        case.edits(
            said(
                "fill-missing",
                Basis::Assumed,
                format!("Fill the {what} of `{shown}` with {by}"),
                format!("`{}` doesn't accept missing values. Choose what replaces them: {by}; or leave out the rows.{}", feed.method, gaps(case, feed)),
            ),
            vec![c],
        )
    }) {
        out.push(cure);
    } else if kind == Kind::Unknown && !infinity {
        out.extend(impute(case, feed));
    }
    if kind == Kind::Frame && !infinity {
        out.extend(without_rows(case, &place, false).and_then(|changes| {
            case.edits(
                said(
                    "drop-rows",
                    Basis::Assumed,
                    format!("Leave out the rows of `{shown}` with missing values"),
                    "Features and target lose the same rows. Look at how many rows stay."
                        .to_owned(),
                ),
                changes,
            )
        }));
    }
}

/// The columns with missing values, if the probe recorded them.
fn gaps(case: &Case<'_>, feed: &Feed<'_>) -> String {
    const LISTED: usize = 6;
    let seen = name(feed.x).and_then(|n| case.seen_value(n));
    let gaps = seen.map_or(&[][..], |v| &v.gaps);
    let listed: Vec<String> = gaps.iter().take(LISTED).map(|c| format!("`{c}`")).collect();
    let more = if gaps.len() > LISTED { " and more" } else { "" };
    match listed.is_empty() {
        true => String::new(),
        false => format!(" Some are missing in {}{more}.", listed.join(", ")),
    }
}

/// The kind of the table is unknown; scikit-learn's imputer takes any.
fn impute(case: &Case<'_>, feed: &Feed<'_>) -> Option<Cure> {
    let place = case.place(feed, feed.x);
    let x = name(place.table)?;
    let lines = format!(
        "from sklearn.impute import SimpleImputer\n{x} = SimpleImputer(strategy=\"mean\").fit_transform({x})"
    );
    // If the table is only transformed or predicted for, its own means aren't those of the training
    // data.
    matches!(
        feed.method,
        "fit" | "fit_transform" | "fit_predict" | "fit_resample"
    )
    .then_some(())?;
    case.edits(
        said(
            "fill-missing",
            Basis::Assumed,
            format!("Fill the missing values of `{x}` with its columns' means"),
            format!("`{}` doesn't accept missing values. Choose what replaces them: `SimpleImputer` also has `median` and `most_frequent`.", feed.method),
        ),
        vec![lines_before(place.cell, place.python, place.stmt, &lines)],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired, with_values};

    #[test]
    fn a_table_that_only_the_probe_knows_is_filled_and_its_columns_named() {
        let cells = ["X, y = load()", "m.fit(X, y)"];
        let error = ipython(
            "ValueError",
            &[(2, 1, "m.fit(X, y)")],
            "Input X contains NaN.",
        );
        let frames = r#"[[1,"<module>",[["X",{"t":"DataFrame","s":[9,2],"c":["age","n"],"ct":["float64","int64"],"na":["age"]}]]]]"#;
        let seen = &cures_of(&cells, &with_values(&error, frames))[0];
        assert!(
            seen.code
                .starts_with("X = X.fillna(X.mean(numeric_only=True))\n"),
            "{seen:?}"
        );
        assert!(
            seen.why.ends_with("Some are missing in `age`."),
            "{}",
            seen.why
        );
        let without = &cures_of(&cells, &error)[0];
        assert!(
            !without.code.contains("fillna") && !without.why.contains("age"),
            "{without:?}"
        );
    }

    #[test]
    fn missing_values_are_filled_before_the_split() {
        let setup =
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nX = df.drop(columns='y')\ny = df['y']";
        let split = "A, B, ya, yb = train_test_split(X, y)";
        let line = "m.fit(A, ya)";
        let error = ipython(
            "ValueError",
            &[(3, 1, line)],
            "Input X contains NaN.\nRidge does not accept missing values encoded as NaN natively.",
        );
        let cures = cures_of(&[setup, split, line], &error);
        assert_eq!(
            cures[0].code,
            format!("X = X.fillna(X.mean(numeric_only=True))\n{split}")
        );
        assert_eq!(cures[0].run, [2, 3]);
        assert_eq!(
            cures[1].code,
            format!("keep = X.notna().all(axis=1)\nX, y = X[keep], y[keep]\n{split}")
        );
        let old = ipython(
            "ValueError",
            &[(2, 1, "m.fit(X, y)")],
            "Input contains NaN, infinity or a value too large for dtype('float64').",
        );
        assert_eq!(
            repaired(&[setup, "m.fit(X, y)"], &old),
            "import numpy as np\nX = X.replace([np.inf, -np.inf], np.nan)\nX = X.fillna(X.mean(numeric_only=True))\nm.fit(X, y)"
        );
        let y = ipython(
            "ValueError",
            &[(2, 1, "m.fit(X, y)")],
            "Input y contains NaN.",
        );
        assert_eq!(
            repaired(&[setup, "m.fit(X, y)"], &y),
            "keep = y.notna()\nX, y = X[keep], y[keep]\nm.fit(X, y)"
        );
    }

    #[test]
    fn arrays_and_unknown_tables_are_filled_too() {
        let error = ipython("ValueError", &[(2, 1, "m.fit(X, y)")], "Input contains NaN");
        assert_eq!(
            repaired(
                &["import numpy as np\nX = np.load('a.npy')", "m.fit(X, y)"],
                &error
            ),
            "X = np.where(np.isnan(X), np.nanmean(X, axis=0), X)\nm.fit(X, y)"
        );
        assert_eq!(
            repaired(&["X = make()", "m.fit(X, y)"], &error),
            "from sklearn.impute import SimpleImputer\nX = SimpleImputer(strategy=\"mean\").fit_transform(X)\nm.fit(X, y)"
        );
    }

    #[test]
    fn whole_numbers_that_can_be_missing() {
        for message in [
            "cannot convert float NaN to integer",
            "Cannot convert non-finite values (NA or inf) to integer: Error while type casting for column 'a'",
        ] {
            let error = ipython("IntCastingNaNError", &[(1, 1, "df.a = df.a.astype(int)")], message);
            assert_eq!(
                repaired(&["df.a = df.a.astype(int)"], &error),
                "df.a = df.a.astype(\"Int64\")"
            );
        }
    }
}
