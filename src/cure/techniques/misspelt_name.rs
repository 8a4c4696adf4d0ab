//! Names spelled differently: misspelled, as in another language, or without quotes.

use crate::case::Case;
use crate::closest::{closest, is_slip, near};
use crate::edit::{Change, Said};
use crate::find::{missing_name, Spot};
use crate::known::is_builtin;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprName};
use nbmedic_python::{each_expr, Cell, Ranged};

/// Literals of JSON, JavaScript, R and C, with their Python equivalents.
const LITERALS: &[(&str, &str)] = &[
    ("true", "True"),
    ("TRUE", "True"),
    ("false", "False"),
    ("FALSE", "False"),
    ("null", "None"),
    ("NULL", "None"),
    ("none", "None"),
    ("nil", "None"),
    ("undefined", "None"),
];

/// Numbers that are not numbers.
const NUMBERS: &[(&str, &str)] = &[
    ("nan", "nan"),
    ("NaN", "nan"),
    ("NAN", "nan"),
    ("inf", "inf"),
    ("Inf", "inf"),
    ("Infinity", "inf"),
];

/// Python 2 names and their Python 3 equivalents.
const PYTHON2: &[(&str, &str)] = &[
    ("xrange", "range"),
    ("raw_input", "input"),
    ("unicode", "str"),
    ("basestring", "str"),
    ("unichr", "chr"),
    ("long", "int"),
    ("izip", "zip"),
    ("imap", "map"),
    ("ifilter", "filter"),
];

/// Functions of other languages and their Python equivalents.
const OTHERS: &[(&str, &str)] = &[
    ("length", "len"),
    ("size", "len"),
    ("println", "print"),
    ("printf", "print"),
    ("echo", "print"),
    ("puts", "print"),
    ("string", "str"),
    ("integer", "int"),
    ("boolean", "bool"),
    ("maximum", "max"),
    ("minimum", "min"),
    ("absolute", "abs"),
];

/// File extensions: without quotes, `train.csv` reads as an attribute.
const ENDINGS: &[&str] = &[
    "csv", "tsv", "txt", "json", "jsonl", "xlsx", "xls", "png", "jpg", "jpeg", "h5", "hdf5", "pkl",
    "npy", "npz", "parquet", "zip", "pt", "pth", "keras", "wav", "mp4", "xml", "yaml", "yml",
];

/// Keyword arguments whose value is a word.
const WORDS: &[&str] = &[
    "activation",
    "loss",
    "optimizer",
    "how",
    "on",
    "kernel",
    "solver",
    "penalty",
    "criterion",
    "mode",
    "average",
    "color",
    "cmap",
    "padding",
    "class_mode",
    "color_mode",
    "kind",
    "hue",
    "by",
    "orient",
    "dtype",
    "palette",
    "linestyle",
    "marker",
    "method",
    "scoring",
    "strategy",
    "encoding",
    "left_on",
    "right_on",
    "monitor",
    "kernel_initializer",
    "booster",
    "objective",
    "eval_metric",
    "weights",
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() != "NameError" {
        return;
    }
    let Some(name) = missing_name(case.message()) else {
        return;
    };
    let Some(spot) = case.spot() else {
        return;
    };
    let literal = literals(case, &spot, name)
        .or_else(|| python2(case, &spot, name))
        .or_else(|| of_another_language(case, &spot, name))
        .or_else(|| file_of_a_script(case, &spot, name))
        .or_else(|| quotes(case, &spot, name));
    if let Some(cure) = literal {
        out.push(cure);
    } else if case.set_elsewhere(name).is_empty() && case.last_set(name).is_none() {
        out.extend(misspelt(case, &spot, name));
    }
}

/// The places where a cell reads a name.
fn reads<'c>(python: &'c Cell, name: &str) -> Vec<&'c ExprName> {
    let mut out = Vec::new();
    each_expr(python.body(), &mut |e| {
        out.extend(e.as_name_expr().filter(|n| n.id.as_str() == name));
    });
    out
}

/// Replaces all reads of a name in its cell.
fn everywhere(spot: &Spot<'_>, name: &str, by: &str) -> Vec<Change> {
    let all = reads(spot.python, name);
    all.into_iter()
        .map(|n| Change::replace(spot.cell, n, by))
        .collect()
}

fn literals(case: &Case<'_>, spot: &Spot<'_>, name: &str) -> Option<Cure> {
    let numpy = case.alias_of("numpy");
    let python = |name: &str| -> Option<String> {
        if let Some((_, right)) = LITERALS.iter().find(|(n, _)| *n == name) {
            return Some((*right).to_owned());
        }
        let (_, right) = NUMBERS.iter().find(|(n, _)| *n == name)?;
        Some(match &numpy {
            Some(np) => format!("{np}.{right}"),
            None => format!("float(\"{right}\")"),
        })
    };
    let by = python(name)?;
    let mut changes = everywhere(spot, name, &by);
    // Pasted JSON has several of them.
    for (other, _) in LITERALS.iter().chain(NUMBERS) {
        if *other != name && !case.exists(other) {
            let by = python(other)?;
            changes.extend(everywhere(spot, other, &by));
        }
    }
    case.edits(
        Said {
            id: "python-literal",
            basis: Basis::Language,
            title: format!("Write `{by}` for `{name}`"),
            why: "Python has `True`, `False` and `None`; JSON and other languages write them otherwise.".to_owned(),
        },
        changes,
    )
}

fn python2(case: &Case<'_>, spot: &Spot<'_>, name: &str) -> Option<Cure> {
    let (_, by) = PYTHON2.iter().find(|(n, _)| *n == name)?;
    if case.last_set(name).is_some() {
        return None;
    }
    let mut changes = everywhere(spot, name, by);
    for (other, by) in PYTHON2.iter().filter(|(n, _)| *n != name) {
        if !case.exists(other) {
            changes.extend(everywhere(spot, other, by));
        }
    }
    case.edits(
        Said {
            id: "python2-name",
            basis: Basis::Language,
            title: format!("Replace `{name}` by `{by}`"),
            why: format!("`{name}` is Python 2; Python 3 calls it `{by}`."),
        },
        changes,
    )
}

/// `length(x)`: only if it is called and the notebook has nothing with that name.
fn of_another_language(case: &Case<'_>, spot: &Spot<'_>, name: &str) -> Option<Cure> {
    let (_, by) = OTHERS.iter().find(|(n, _)| *n == name)?;
    let called = spot
        .calls()
        .any(|c| c.func.as_name_expr().is_some_and(|n| n.id.as_str() == name));
    if !called || case.last_set(name).is_some() || !case.set_elsewhere(name).is_empty() {
        return None;
    }
    case.edits(
        Said {
            id: "other-language",
            basis: Basis::Assumed,
            title: format!("Replace `{name}` by `{by}`"),
            why: format!("Python's own function is `{by}`; no cell sets `{name}`."),
        },
        everywhere(spot, name, by),
    )
}

/// A notebook has no `__file__`; its folder is the working directory.
fn file_of_a_script(case: &Case<'_>, spot: &Spot<'_>, name: &str) -> Option<Cure> {
    if name != "__file__" {
        return None;
    }
    // The whole expressions for the file's folder.
    let mut changes = Vec::new();
    let mut covered: Vec<nbmedic_python::TextRange> = Vec::new();
    each_expr(spot.python.body(), &mut |e| {
        let plain: String = spot.text(e).split_whitespace().collect();
        let folder = match plain.as_str() {
            "os.path.dirname(__file__)"
            | "os.path.dirname(os.path.abspath(__file__))"
            | "os.path.dirname(os.path.realpath(__file__))"
            | "os.path.abspath(os.path.dirname(__file__))" => "os.getcwd()",
            "Path(__file__).parent"
            | "Path(__file__).resolve().parent"
            | "Path(__file__).absolute().parent"
            | "Path(__file__).parent.resolve()"
            | "Path(__file__).parent.absolute()" => "Path.cwd()",
            _ => return,
        };
        if !covered.iter().any(|c| c.contains_range(e.range())) {
            covered.push(e.range());
            changes.push(Change::replace(spot.cell, e, folder));
        }
    });
    let by = changes.first()?.text.clone();
    case.edits(
        Said {
            id: "notebook-folder",
            basis: Basis::Assumed,
            title: format!("Use `{by}` for the notebook's folder"),
            why: "`__file__` exists only in scripts. A notebook runs in its own folder, unless a cell changed it."
                .to_owned(),
        },
        changes,
    )
}

/// A file name, a column or a word without quotes.
fn quotes(case: &Case<'_>, spot: &Spot<'_>, name: &str) -> Option<Cure> {
    let named = |e: &Expr| e.as_name_expr().is_some_and(|n| n.id.as_str() == name);
    if case.exists(name) || !case.set_elsewhere(name).is_empty() {
        return None;
    }
    let mut found: Vec<&Expr> = Vec::new();
    for call in spot.calls() {
        for arg in &call.arguments.args {
            let file = arg.as_attribute_expr();
            if file.is_some_and(|a| named(&a.value) && ENDINGS.contains(&a.attr.as_str())) {
                found.push(arg);
            }
        }
        for k in &call.arguments.keywords {
            let word = k.arg.as_ref().is_some_and(|a| WORDS.contains(&a.as_str()));
            if word && named(&k.value) {
                found.push(&k.value);
            }
        }
    }
    for subscript in spot.exprs.iter().filter_map(|e| e.as_subscript_expr()) {
        if named(&subscript.slice) && case.knows_key(name) {
            found.push(&subscript.slice);
        }
    }
    let first = *found.first()?;
    let text = spot.text(first);
    let changes = found
        .iter()
        .map(|e| Change::replace(spot.cell, *e, format!("'{}'", spot.text(*e))))
        .collect();
    case.edits(
        Said {
            id: "quotes",
            basis: Basis::Assumed,
            title: format!("Put quotes around `{text}`"),
            why: format!(
                "Without quotes Python looks for a variable `{name}`, and no cell sets one."
            ),
        },
        changes,
    )
}

/// Python's own suggestion, which knows names that no source shows.
pub(crate) fn suggested(message: &str) -> Option<&str> {
    let rest = message.split_once("Did you mean: '")?.1;
    let (name, _) = rest.split_once('\'')?;
    Some(name.strip_prefix("self.").unwrap_or(name))
}

/// Whether two names differ in a part that distinguishes variables: `X_train` and `y_train`, `df1`
/// and `df2`.
pub(crate) fn differs_by_design(a: &str, b: &str) -> bool {
    let digits = |t: &str| -> String { t.chars().filter(char::is_ascii_digit).collect() };
    if digits(a) != digits(b) {
        return true;
    }
    let (a, b): (Vec<&str>, Vec<&str>) = (a.split('_').collect(), b.split('_').collect());
    let apart = |(a, b): (&&str, &&str)| !a.eq_ignore_ascii_case(b) && a.len() == 1 && b.len() == 1;
    a.len() == b.len() && a.iter().zip(&b).any(apart)
}

fn misspelt(case: &Case<'_>, spot: &Spot<'_>, name: &str) -> Option<Cure> {
    if name.chars().count() < 3 {
        return None;
    }
    let known = case.names_at(spot);
    // `hist` isn't a misspelled `list`: people rarely mistype the first letter of a short built-in.
    let other = |right: &str| {
        let first = |n: &str| n.chars().next();
        is_builtin(right) && case.last_set(right).is_none() && first(name) != first(right)
    };
    let fits = |right: &str| !differs_by_design(name, right) && !other(right);
    let right = suggested(case.message())
        .filter(|s| fits(s) && near(name, s).is_some())
        .or_else(|| closest(name, known.iter().map(String::as_str).filter(|n| fits(n))))?
        .to_owned();
    // `X` for `x` is more than a typo in such a short name.
    let slip = near(name, &right).is_some_and(|d| d == 0 && name.len() > 3)
        || is_slip(name, &right, known.iter().map(String::as_str));
    // A constant isn't the variable with the same name.
    let slip = slip && (name == name.to_uppercase()) == (right == right.to_uppercase());
    // Nor is a class its instance.
    let upper = |n: &str| n.starts_with(|c: char| c.is_ascii_uppercase());
    let slip = slip && upper(name) == upper(&right);
    let said = Said {
        id: "misspelt-name",
        basis: if slip { Basis::Spelled } else { Basis::Alike },
        title: format!("Replace `{name}` by `{right}`"),
        why: match case.last_set(&right) {
            Some(set) if set.cell == case.at => {
                format!("No cell sets `{name}`; this one sets `{right}`.")
            }
            Some(set) => format!(
                "No cell sets `{name}`; cell {} sets `{right}`.",
                case.position(set.cell)
            ),
            None => format!("No cell sets `{name}`; `{right}` exists here."),
        },
    };
    case.edits(said, everywhere(spot, name, &right))
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired};

    fn error(count: i64, line: u32, code: &str, message: &str) -> String {
        ipython("NameError", &[(count, line, code)], message)
    }

    #[test]
    fn a_misspelt_name_is_replaced_in_the_whole_cell() {
        let cells = [
            "labels = [1]\nimages = [2]",
            "n = len(lables)\nprint(lables)",
        ];
        let e = error(2, 1, "n = len(lables)", "name 'lables' is not defined");
        assert_eq!(repaired(&cells, &e), "n = len(labels)\nprint(labels)");
        // Inside a function, its own names count too.
        let cells = ["def f(learning_rate):\n    return 2 * learnin_rate", "f(1)"];
        let e = ipython(
            "NameError",
            &[(2, 1, "f(1)"), (1, 2, "    return 2 * learnin_rate")],
            "name 'learnin_rate' is not defined",
        );
        let cures = cures_of(&cells, &e);
        assert_eq!(
            cures[0].code,
            "def f(learning_rate):\n    return 2 * learning_rate"
        );
        assert_eq!(cures[0].run, [1, 2]);
    }

    #[test]
    fn names_that_are_told_apart_on_purpose_are_not_swapped() {
        for (sets, code, name) in [
            ("y_train = 1", "print(X_train)", "X_train"),
            ("df2 = 1", "print(df1)", "df1"),
            ("x = 1", "print(X)", "X"),
        ] {
            let e = error(2, 1, code, &format!("name '{name}' is not defined"));
            let cures = cures_of(&[sets, code], &e);
            assert!(cures.iter().all(|c| c.edits.is_empty()), "{name}");
        }
    }

    #[test]
    fn python_s_own_suggestion_counts() {
        let cells = ["from shapes import *", "draw_circel(3)"];
        let e = error(
            2,
            1,
            "draw_circel(3)",
            "name 'draw_circel' is not defined. Did you mean: 'draw_circle'?",
        );
        assert_eq!(repaired(&cells, &e), "draw_circle(3)");
    }

    #[test]
    fn pasted_json_becomes_python_at_once() {
        let cells = ["v = {\"ok\": true, \"left\": null, \"x\": NaN}"];
        let e = error(1, 1, cells[0], "name 'true' is not defined");
        assert_eq!(
            repaired(&cells, &e),
            "v = {\"ok\": True, \"left\": None, \"x\": float(\"nan\")}"
        );
        let cells = ["for i in xrange(3):\n    x = raw_input()"];
        let e = error(1, 1, "for i in xrange(3):", "name 'xrange' is not defined");
        assert_eq!(repaired(&cells, &e), "for i in range(3):\n    x = input()");
    }

    #[test]
    fn quotes_that_lack_are_put() {
        let cells = ["import pandas as pd", "df = pd.read_csv(train.csv)"];
        let e = error(2, 1, cells[1], "name 'train' is not defined");
        assert_eq!(repaired(&cells, &e), "df = pd.read_csv('train.csv')");
        let cells = ["from layers import Dense", "d = Dense(3, activation=relu)"];
        let e = error(2, 1, cells[1], "name 'relu' is not defined");
        assert_eq!(repaired(&cells, &e), "d = Dense(3, activation='relu')");
        let cells = ["df['age'] = 1", "df[age].mean()"];
        let e = error(2, 1, cells[1], "name 'age' is not defined");
        assert_eq!(repaired(&cells, &e), "df['age'].mean()");
    }

    #[test]
    fn the_folder_of_a_notebook_is_the_current_one() {
        let cells = [
            "import os",
            "here = os.path.dirname(os.path.abspath(__file__))",
        ];
        let e = error(2, 1, cells[1], "name '__file__' is not defined");
        assert_eq!(repaired(&cells, &e), "here = os.getcwd()");
    }
}
