//! The kind of literal that a parameter takes, judged by its name, as far as NumPy, pandas, scikit-learn, Matplotlib,
//! seaborn, PyTorch, Keras and the standard library agree on it.

use nbmedic_python::ast::{Expr, Number};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `True` or `False`.
    Switch,
    /// A number from 0 to 1.
    Share,
    /// Any other number.
    Number,
    /// A string.
    Text,
    /// A date or number format with `%`.
    Format,
}

const SWITCHES: &str =
    "annot as_index ascending batch_first bidirectional cbar cumulative deep density download \
    drop_first drop_last dropna endpoint exist_ok fit_intercept ignore_index inplace \
    interpolate keep_default_na keepdims normalize numeric_only observed pin_memory \
    recursive requires_grad retstep return_counts return_index return_inverse reverse sharex \
    sharey shuffle skipna sort squeeze stacked train transparent verify_integrity warm_start";
const SHARES: &str =
    "alpha dropout factor frac learning_rate lr momentum rwidth subsample test_size \
    weight_decay";
const NUMBERS: &str = "axis batch_size bins decimals dilation dpi epochs linewidth lw markersize \
    max_depth max_iter min_periods n_clusters n_components n_estimators \
    n_neighbors ncols ndigits nrows num_workers padding periods random_state \
    rotation stride window";
const TEXTS: &str = "activation align cmap color criterion delimiter encoding errors histtype how \
    join kind label linestyle loc loss ls marker method metric mode na_position \
    optimizer orient palette penalty sep solver suffix title unit xlabel ylabel";
const FORMATS: &str = "date_format fmt format";

/// Texts of which a call takes one, never a list.
const ALONE: &str = "align delimiter encoding errors how join na_position orient sep suffix";

fn kind(name: &str) -> Option<Kind> {
    [
        (SWITCHES, Kind::Switch),
        (SHARES, Kind::Share),
        (NUMBERS, Kind::Number),
        (TEXTS, Kind::Text),
        (FORMATS, Kind::Format),
    ]
    .into_iter()
    .find(|(names, _)| names.split(' ').any(|n| n == name))
    .map(|(_, kind)| kind)
}

/// Whether a parameter with this name takes this literal. None if the name doesn't show it, or if
/// the expression isn't a literal.
pub(crate) fn takes(name: &str, literal: &Expr) -> Option<bool> {
    let kind = kind(name)?;
    Some(match literal {
        Expr::BooleanLiteral(_) => kind == Kind::Switch,
        Expr::StringLiteral(s) => match s.value.to_str().contains('%') {
            true => kind == Kind::Format,
            false => kind == Kind::Text,
        },
        Expr::NumberLiteral(n) => match n.value {
            Number::Float(f) if (0.0..=1.0).contains(&f) => {
                matches!(kind, Kind::Share | Kind::Number) && name != "axis"
            }
            _ => kind == Kind::Number,
        },
        Expr::List(_) | Expr::Dict(_) | Expr::Set(_) => {
            let alone = kind == Kind::Format || ALONE.split(' ').any(|n| n == name);
            return alone.then_some(false);
        }
        _ => return None,
    })
}

/// The argument that a bare `True` or `False` is meant for, by function name.
const BARE: &[(&str, &str)] = &[
    ("concat", "ignore_index"),
    ("drop", "inplace"),
    ("get_dummies", "drop_first"),
    ("groupby", "as_index"),
    ("ones", "requires_grad"),
    ("rand", "requires_grad"),
    ("randn", "requires_grad"),
    ("reset_index", "drop"),
    ("sort", "reverse"),
    ("sort_index", "ascending"),
    ("sort_values", "ascending"),
    ("sorted", "reverse"),
    ("split", "expand"),
    ("to_csv", "index"),
    ("to_excel", "index"),
    ("to_sql", "index"),
    ("value_counts", "normalize"),
    ("zeros", "requires_grad"),
];
/// Strings that only one argument of these functions takes.
const CHOICES: &[(&str, &str, &str)] = &[
    ("append replace fail", "to_sql", "if_exists"),
    ("bfill ffill", "fillna reindex", "method"),
    (
        "coerce",
        "astype to_datetime to_numeric to_timedelta",
        "errors",
    ),
    ("cross inner left outer right", "join merge", "how"),
    (
        "cp1252 latin-1 latin1 utf-8 utf-8-sig utf8",
        "open read_csv read_json read_text to_csv write_text",
        "encoding",
    ),
    (
        "heapsort mergesort quicksort stable",
        "argsort sort sort_index sort_values",
        "kind",
    ),
    ("records", "to_dict to_json read_json", "orient"),
];

/// The argument that a literal is meant for, judged by the function's name and the literal.
pub(crate) fn meant(function: &str, literal: &Expr) -> Option<&'static str> {
    match literal {
        Expr::BooleanLiteral(_) if function.starts_with("load_") => Some("return_X_y"),
        Expr::BooleanLiteral(_) => BARE.iter().find(|(f, _)| *f == function).map(|(_, a)| *a),
        Expr::StringLiteral(s) => {
            let has = |list: &str, word: &str| list.split(' ').any(|one| one == word);
            let of = |(texts, functions, _): &&(&str, &str, &str)| {
                has(texts, s.value.to_str()) && has(functions, function)
            };
            CHOICES.iter().find(of).map(|(_, _, argument)| *argument)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_one_kind() {
        let lists = [SWITCHES, SHARES, NUMBERS, TEXTS, FORMATS];
        assert!(ALONE.split(' ').all(|n| TEXTS.split(' ').any(|t| t == n)));
        let mut all: Vec<&str> = lists.iter().flat_map(|l| l.split(' ')).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        for list in lists {
            assert!(list.split(' ').is_sorted(), "{list}");
        }
    }
}
