//! Invalid values, if the message lists the valid ones.

use super::text_parameter::as_number;
use crate::case::Case;
use crate::closest::{closest, near};
use crate::edit::Change;
use crate::find::{callee, int_of, look, only, quoted, quoted_after, said, text_of};
use crate::written::{listed, written, Written};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::Expr;
use nbmedic_python::calls;
use nbmedic_wordings::{common, matplotlib, sklearn};

/// Renamed values: parameter, old value, new value, and the ending of the classes.
const RENAMED: &[(&str, &str, &str, &str)] = &[
    ("criterion", "mse", "\"squared_error\"", ""),
    ("criterion", "mae", "\"absolute_error\"", ""),
    ("loss", "ls", "\"squared_error\"", ""),
    ("loss", "lad", "\"absolute_error\"", ""),
    ("loss", "deviance", "\"log_loss\"", ""),
    ("loss", "log", "\"log_loss\"", ""),
    ("loss", "squared_loss", "\"squared_error\"", ""),
    ("loss", "least_squares", "\"squared_error\"", ""),
    ("loss", "binary_crossentropy", "\"log_loss\"", ""),
    ("loss", "categorical_crossentropy", "\"log_loss\"", ""),
    ("loss", "auto", "\"log_loss\"", ""),
    ("max_features", "auto", "\"sqrt\"", "Classifier"),
    ("max_features", "auto", "1.0", "Regressor"),
    ("penalty", "none", "None", ""),
    ("algorithm", "auto", "\"lloyd\"", "KMeans"),
    ("algorithm", "full", "\"lloyd\"", "KMeans"),
    ("algorithm", "SAMME.R", "\"SAMME\"", ""),
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if !matches!(
        case.class(),
        "ValueError"
            | "InvalidParameterError"
            | "OSError"
            | "TypeError"
            | "KeyError"
            | "AttributeError"
    ) {
        return;
    }
    let before = out.len();
    out.extend(parameter(case));
    if out.len() == before {
        out.extend(bound(case));
    }
    if out.len() == before {
        out.extend(from_list(case));
    }
}

/// scikit-learn: `The 'criterion' parameter of X must be a str among {…}. Got 'mse' instead.`
fn parameter(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    let parameter =
        quoted_after(message, "The ").filter(|_| message.contains("' parameter of "))?;
    let of = message.split_once("' parameter of ")?.1;
    let class = of.split_once(" must be ")?.0;
    let (allowed, got) = of.split_once(" must be ")?.1.rsplit_once(". Got ")?;
    let got = got.trim().strip_suffix(" instead.").unwrap_or(got);
    let got_text =
        (got.starts_with('\'') || got.starts_with('"')).then(|| &got[1..got.len().max(2) - 1]);
    let is = |e: &Expr| match (got_text, text_of(e)) {
        (Some(g), Some(t)) => g == t,
        (None, None) => matches_literal(e, got),
        _ => false,
    };
    let all = written(case, parameter, &is);
    let all: Vec<Written<'_>> = match all
        .iter()
        .any(|w| w.call.is_some_and(|c| callee(c) == Some(class)))
    {
        true => all
            .into_iter()
            .filter(|w| w.call.is_some_and(|c| callee(c) == Some(class)))
            .collect(),
        false => all,
    };
    if let Some(cure) = collection(parameter, class, allowed, got) {
        return Some(cure);
    }
    let choices = listed(allowed);
    let (new, sure) = match got_text {
        Some(g) => {
            let entry = RENAMED
                .iter()
                .filter(|(p, old, ..)| *p == parameter && *old == g)
                .find(|(.., ends)| class.ends_with(ends));
            let entry = entry.map(|(_, _, new, _)| (*new).to_owned()).filter(|new| {
                new.starts_with(|c: char| c != '"') || choices.contains(&new.trim_matches('"'))
            });
            match entry {
                Some(new) => (Some(new), true),
                None => {
                    let number = g.trim().parse::<f64>().is_ok()
                        && (allowed.contains("an int") || allowed.contains("a float"));
                    let by_name = closest(g, choices.iter().copied()).map(quoted);
                    let sole = || match choices[..] {
                        [one] => Some(quoted(one)),
                        _ => None,
                    };
                    let truth = || truth(g).filter(|_| allowed.contains("'bool'"));
                    (
                        by_name
                            .or_else(truth)
                            .or_else(|| number.then(|| g.trim().to_owned()))
                            .or_else(sole),
                        false,
                    )
                }
            }
        }
        // An integer written as a float.
        None => {
            let number = got.parse::<f64>().ok().filter(|n| n.fract() == 0.0);
            let whole = number.filter(|_| allowed.contains("an int"));
            #[allow(clippy::cast_possible_truncation)] // a hyperparameter
            (whole.map(|n| format!("{}", n as i64)), true)
        }
    };
    if let (Some(new), false) = (&new, all.is_empty()) {
        let changes = all
            .iter()
            .map(|w| Change::replace(w.cell, w.value, new.as_str()))
            .collect();
        let basis = if sure { Basis::Library } else { Basis::Assumed };
        let why = match sure {
            true => format!("That is how `{class}` calls it in this version."),
            false => format!("`{class}` does not take {got} for `{parameter}`; this is the nearest of what it takes."),
        };
        return case.edits(
            said(
                "allowed-value",
                basis,
                format!("Replace `{parameter}={got}` by `{parameter}={new}`"),
                why,
            ),
            changes,
        );
    }
    if let Some(cure) = got_text.and_then(|g| as_number(case, parameter, class, allowed, g)) {
        return Some(cure);
    }
    let title = match &new {
        Some(new) => format!("Write `{parameter}={new}` instead of `{parameter}={got}`"),
        None => format!("Change `{parameter}={got}` of `{class}`"),
    };
    let shown: Vec<String> = choices
        .iter()
        .take(8)
        .map(|c| format!("`{}`", quoted(c)))
        .collect();
    // The braces don't list everything allowed, and a class isn't a string.
    let more = sklearn::INSTANCE_OF.is_in(allowed) || allowed.trim_end().ends_with("None");
    let takes = match shown.is_empty() || more {
        true => format!("It must be {}.", allowed.trim()),
        false => format!("It takes {}.", shown.join(", ")),
    };
    Some(look("allowed-value", title, takes))
}

/// A collection of the wrong type: `an instance of 'list'`.
fn collection(parameter: &str, class: &str, allowed: &str, got: &str) -> Option<Cure> {
    let wanted = ["list", "tuple", "dict", "set"]
        .into_iter()
        .find(|kind| allowed.contains(&format!("an instance of '{kind}'")))?;
    let is_collection = ["[", "(", "{", "Index([", "array(["]
        .iter()
        .any(|start| got.starts_with(start));
    (is_collection && wanted != "dict").then(|| {
        look(
            "allowed-value",
            format!("Write `{parameter}={wanted}(…)` around what you pass to `{class}`"),
            format!("It takes a {wanted}, and got {}.", kind_of(got)),
        )
    })
}

/// A Boolean written as a string.
fn truth(text: &str) -> Option<String> {
    let is = |word: &str| text.eq_ignore_ascii_case(word);
    match (is("true"), is("false")) {
        (true, _) => Some("True".to_owned()),
        (_, true) => Some("False".to_owned()),
        _ => None,
    }
}

/// The type of a printed collection.
fn kind_of(printed: &str) -> &'static str {
    match printed.as_bytes().first() {
        Some(b'[') => "a list",
        Some(b'(') => "a tuple",
        Some(b'{') => "a set or a dictionary",
        Some(b'I') => "an index of pandas",
        _ => "an array",
    }
}

/// Whether a literal prints as this text.
fn matches_literal(e: &Expr, printed: &str) -> bool {
    use nbmedic_python::ast::Number;
    match e {
        Expr::NumberLiteral(n) => match &n.value {
            Number::Int(i) => i.to_string() == printed,
            Number::Float(f) => printed.parse::<f64>().is_ok_and(|p| (p - f).abs() < 1e-12),
            Number::Complex { .. } => false,
        },
        Expr::BooleanLiteral(b) => (if b.value { "True" } else { "False" }) == printed,
        Expr::NoneLiteral(_) => printed == "None",
        _ => false,
    }
}

/// A number above the maximum that the message gives.
fn bound(case: &Case<'_>) -> Option<Cure> {
    let first = case.message().lines().next()?;
    let clusters = sklearn::CLUSTER_COUNT.numbers(first);
    let counts = [
        ("n_components", sklearn::COMPONENT_COUNT.numbers(first)),
        (
            "n_components",
            sklearn::COMPONENT_COUNT_BELOW.numbers(first),
        ),
        ("n_neighbors", sklearn::NEIGHBOR_COUNT.numbers(first)),
        ("n_clusters", clusters.map(|[most, given]| [given, most])),
        ("n_splits", sklearn::FOLD_COUNT.numbers(first)),
    ];
    let mut found = counts.into_iter();
    let (parameter, [given, mut most]) = found.find_map(|(p, n)| Some((p, n?)))?;
    // "must be strictly less than"
    most -= i64::from(sklearn::COMPONENT_COUNT_BELOW.is_in(first));
    (most > 0 && most < given).then_some(())?;
    let is = |e: &Expr| int_of(e) == Some(given);
    let mut all = written(case, parameter, &is);
    if all.is_empty() {
        // As a positional argument, it is the first.
        for cell in case.seen() {
            let Some(python) = case.python(cell) else {
                continue;
            };
            let found = calls(python.body()).into_iter().filter(|c| {
                let class =
                    callee(c).is_some_and(|n| n.starts_with(|l: char| l.is_ascii_uppercase()));
                class && c.arguments.args.len() == 1 && is(&c.arguments.args[0])
            });
            all.extend(found.map(|c| Written {
                cell,
                python,
                value: &c.arguments.args[0],
                call: Some(c),
            }));
            if !all.is_empty() {
                break;
            }
        }
    }
    let one = only(all.into_iter())?;
    case.edits(
        said(
            "largest-allowed",
            Basis::Assumed,
            format!("Replace {given} by {most} for `{parameter}`"),
            format!("The data allow {most} at most; fewer may be better."),
        ),
        vec![Change::replace(one.cell, one.value, most.to_string())],
    )
}

/// Any other message that lists the valid values: replaces the given string by the closest.
fn from_list(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    let spot = case.spot()?;
    let literals: Vec<&Expr> = spot
        .exprs
        .iter()
        .copied()
        .filter(|e| text_of(e).is_some())
        .collect();
    if case.class() == "OSError" && matplotlib::STYLE.is_in(message) {
        return style(case);
    }
    let by_words = common::LISTED_VALUES.read(message).and_then(|[list]| {
        let (before, after) = message.split_at(message.rfind(list)?);
        let (choices, named) = (listed(after), listed(before));
        Some((
            one_of(&literals, &choices, |text| named.contains(&text))?,
            choices,
        ))
    });
    let by_list = || {
        let (choices, rest) = bracketed(message)?;
        Some((
            one_of(&literals, &choices, |text| has_word(&rest, text))?,
            choices,
        ))
    };
    let (given, choices) = by_words.or_else(by_list)?;
    let text = text_of(given)?;
    let new = closest(text, choices.iter().copied())?;
    case.edits(
        said(
            "allowed-value",
            if near(text, new) == Some(0) {
                Basis::Spelled
            } else {
                Basis::Alike
            },
            format!("Replace {} by {}", quoted(text), quoted(new)),
            format!(
                "It is the nearest of what the message lists for {}.",
                quoted(text)
            ),
        ),
        vec![Change::replace(spot.cell, given, quoted(new))],
    )
}

/// The literal that the message mentions but doesn't list.
fn one_of<'c>(
    literals: &[&'c Expr],
    choices: &[&str],
    names: impl Fn(&str) -> bool,
) -> Option<&'c Expr> {
    let mut given = literals.iter().copied().filter(|e| {
        let text = text_of(e).unwrap_or("");
        names(text) && !choices.contains(&text)
    });
    only(&mut given).filter(|_| choices.len() > 1)
}

/// The longest bracketed list in a message, and the message without it:
/// `Expected one of ['a', 'b'] but received: c`.
fn bracketed(message: &str) -> Option<(Vec<&str>, String)> {
    let mut best: Option<(Vec<&str>, &str)> = None;
    for part in message.split('[').skip(1) {
        let Some((inside, _)) = part.split_once(']') else {
            continue;
        };
        let all = listed(inside);
        if best.as_ref().is_none_or(|(b, _)| all.len() > b.len()) {
            best = Some((all, inside));
        }
    }
    let (choices, inside) = best?;
    Some((choices, message.replacen(inside, "", 1)))
}

/// Whether a string contains a word that isn't part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + word.len()..].chars().next();
            !before.is_some_and(part) && !after.is_some_and(part)
        })
}

/// Matplotlib 3.6 renamed seaborn's styles.
fn style(case: &Case<'_>) -> Option<Cure> {
    let given =
        quoted_after(case.message(), "").or_else(|| listed(case.message()).first().copied())?;
    let rest = given.strip_prefix("seaborn")?;
    let new = format!("seaborn-v0_8{rest}");
    let spot = case.spot()?;
    let literal = only(
        spot.exprs
            .iter()
            .copied()
            .filter(|e| text_of(e) == Some(given)),
    )?;
    case.edits(
        said(
            "allowed-value",
            Basis::Library,
            format!("Replace {} by {}", quoted(given), quoted(&new)),
            "Matplotlib 3.6 renamed the styles taken from seaborn, and 3.8 removed the old names."
                .to_owned(),
        ),
        vec![Change::replace(spot.cell, literal, quoted(&new))],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired_first as at};

    #[test]
    fn a_parameters_value_is_found_where_it_was_written() {
        let message = |p: &str, c: &str, among: &str, got: &str| {
            format!("The '{p}' parameter of {c} must be {among}. Got {got} instead.")
        };
        let cells = [
            "m = DecisionTreeRegressor(criterion='mse', max_depth=3)",
            "m.fit(X, y)",
        ];
        let m = message(
            "criterion",
            "DecisionTreeRegressor",
            "a str among {'poisson', 'squared_error'}",
            "'mse'",
        );
        assert_eq!(
            at(&cells, "InvalidParameterError", &m),
            "m = DecisionTreeRegressor(criterion=\"squared_error\", max_depth=3)"
        );
        let cells = [
            "grid = {'rf__max_features': ['auto', 'log2']}",
            "search.fit(X, y)",
        ];
        let m = message("max_features", "RandomForestClassifier", "an int in the range [1, inf), a float in the range (0.0, 1.0], a str among {'sqrt', 'log2'} or None", "'auto'");
        assert_eq!(
            at(&cells, "InvalidParameterError", &m),
            "grid = {'rf__max_features': [\"sqrt\", 'log2']}"
        );
        let cells = ["m = KMeans(n_clusters=3.0).fit(X)"];
        let m = message(
            "n_clusters",
            "KMeans",
            "an int in the range [1, inf)",
            "3.0",
        );
        assert_eq!(
            at(&cells, "InvalidParameterError", &m),
            "m = KMeans(n_clusters=3).fit(X)"
        );
        let cells = ["m = SVC(kernel='lineer').fit(X, y)"];
        let m = message(
            "kernel",
            "SVC",
            "a str among {'linear', 'poly', 'rbf'} or a callable",
            "'lineer'",
        );
        assert_eq!(
            at(&cells, "InvalidParameterError", &m),
            "m = SVC(kernel=\"linear\").fit(X, y)"
        );
        let cells = ["m = SVC(kernel=k).fit(X, y)"];
        let words = cures_of(
            &cells,
            &ipython("InvalidParameterError", &[(1, 1, cells[0])], &m),
        );
        assert!(words[0].why.contains("`\"rbf\"`"), "{words:?}");
    }

    #[test]
    fn a_number_above_what_the_data_allow() {
        let cells = ["p = PCA(n_components=9)", "p.fit(X)"];
        assert_eq!(
            at(&cells, "ValueError", "n_components=9 must be between 0 and min(n_samples, n_features)=4 with svd_solver='full'"),
            "p = PCA(n_components=4)"
        );
        let strictly = "n_components=4 must be strictly less than min(n_samples, n_features)=4 with svd_solver='arpack'";
        let cells = ["p = PCA(n_components=4, svd_solver='arpack')", "p.fit(X)"];
        assert_eq!(
            at(&cells, "ValueError", strictly),
            "p = PCA(n_components=3, svd_solver='arpack')"
        );
        let cells = ["k = KNeighborsClassifier(20).fit(X, y)", "k.predict(X)"];
        assert_eq!(
            at(&cells, "ValueError", "Expected n_neighbors <= n_samples_fit, but n_neighbors = 20, n_samples_fit = 12, n_samples = 3"),
            "k = KNeighborsClassifier(12).fit(X, y)"
        );
    }

    #[test]
    fn a_text_of_a_list() {
        let cells = ["plt.legend(loc='uper right')"];
        assert_eq!(
            at(&cells, "ValueError", "'uper right' is not a valid value for loc; supported values are 'best', 'upper right', 'lower left'"),
            "plt.legend(loc=\"upper right\")"
        );
        assert_eq!(
            at(&cells, "ValueError", "'uper right' is not a valid value for loc. Did you mean one of: 'upper right', 'lower right'? Supported values are 'best'"),
            "plt.legend(loc=\"upper right\")"
        );
        let cells = ["px.bar(df, x='country', y='GDP')"];
        assert_eq!(
            at(&cells, "ValueError", "Value of 'x' is not the name of a column in 'data_frame'. Expected one of ['Country', 'GDP'] but received: country"),
            "px.bar(df, x=\"Country\", y='GDP')"
        );
        let cells = ["p = pipeline('text-clasification', model=m)"];
        assert_eq!(
            at(&cells, "KeyError", "\"Unknown task text-clasification, available tasks are ['any-to-any', 'text-classification', 'text-generation']\""),
            "p = pipeline(\"text-classification\", model=m)"
        );
        let cells = ["plt.style.use('seaborn-whitegrid')"];
        assert_eq!(
            at(&cells, "OSError", "'seaborn-whitegrid' is not a valid package style, path of style file, URL of style file, or library style name (library styles are listed in `style.available`)"),
            "plt.style.use(\"seaborn-v0_8-whitegrid\")"
        );
    }
}
