use super::*;
use crate::tests::{ipython, repaired};

fn one(line: &str, message: &str) -> String {
    let error = ipython("ValueError", &[(2, 1, line)], message);
    repaired(&["import pandas as pd\nimport numpy as np", line], &error)
}

#[test]
fn the_form_of_a_text_is_recognised() {
    for (text, expected) in [
        ("10,000+", Some(Form::Characters(vec![',', '+']))),
        ("$1,200.50", Some(Form::Characters(vec!['$', ',']))),
        ("45%", Some(Form::Characters(vec!['%']))),
        ("1.5M", Some(Form::Factor('M', "e6", vec![]))),
        ("$2.5B", Some(Form::Factor('B', "e9", vec!['$']))),
        ("12 kg", Some(Form::Unit(" kg".to_owned()))),
        ("12.7kmpl", Some(Form::Unit("kmpl".to_owned()))),
        ("1,5", Some(Form::Comma)),
        (" ? ", Some(Form::Missing)),
        ("", Some(Form::Missing)),
        ("NaN", Some(Form::Missing)),
        ("3.0", Some(Form::Fraction)),
        ("2019-01-31", None),
        ("31/01/2019", None),
        ("10:30", None),
        ("male", None),
        ("9 Main St", None),
        ("3 4", None),
        ("192.168.0.1", None),
    ] {
        assert_eq!(form(text, true), expected, "{text}");
    }
    assert_eq!(form("3.0", false), None);
}

#[test]
fn a_column_is_cleaned_in_the_expression() {
    let int = |t: &str| format!("invalid literal for int() with base 10: '{t}'");
    let float = |t: &str| format!("could not convert string to float: '{t}'");
    for (line, message, after) in [
        (
            "df['n'] = df['n'].astype('int')",
            int("5,000+"),
            "df['n'] = df['n'].replace(r\"[,+]\", \"\", regex=True).astype('int')",
        ),
        (
            "df.n = df.n.astype(float)",
            float("$7"),
            "df.n = df.n.replace(r\"[$]\", \"\", regex=True).astype(float)",
        ),
        (
            "df.n = df.n.astype(float)",
            "could not convert string to float: $7".to_owned(),
            "df.n = df.n.replace(r\"[$]\", \"\", regex=True).astype(float)",
        ),
        (
            "y = df['d'].apply(lambda x: str(x)[:4]).astype('int')",
            int("nan"),
            "y = df['d'].apply(lambda x: str(x)[:4]).astype(float).astype(\"Int64\")",
        ),
        (
            "df.a = df.a.astype(np.float64)",
            float(" "),
            "df.a = pd.to_numeric(df.a, errors=\"coerce\")",
        ),
        (
            "df.a = df.a.map(int)",
            int("3.5"),
            "df.a = df.a.astype(float)",
        ),
        (
            "v = pd.to_numeric(df.a)",
            "Unable to parse string \"1,200\" at position 3".to_owned(),
            "v = pd.to_numeric(df.a.replace(r\"[,]\", \"\", regex=True))",
        ),
        (
            "v = pd.to_numeric(df.a)",
            "Unable to parse string \"?\" at position 3".to_owned(),
            "v = pd.to_numeric(df.a, errors=\"coerce\")",
        ),
        (
            "size = df.s.astype(float)",
            float("19M"),
            "size = df.s.replace(\"M\", \"e6\", regex=True).astype(float)",
        ),
        (
            "n = int(row[2])",
            int("1,024"),
            "n = int(row[2].replace(\",\", \"\"))",
        ),
        ("n = int(row[2])", int("8.0"), "n = int(float(row[2]))"),
        (
            "n = [float(v) for v in r]",
            float(""),
            "n = [(float(v) if v not in (\"\",) else float(\"nan\")) for v in r]",
        ),
    ] {
        assert_eq!(one(line, &message), after, "{message}");
    }
    assert_eq!(one("x = df.x.astype(float)", &float("male")), "");
    assert_eq!(one("x = float(a) + float(b)", &float("3,000")), "");
}

#[test]
fn a_conversion_in_an_own_function_is_mended_there() {
    let cells = ["def size(t):\n    return float(t)", "df.s.apply(size)"];
    let error = ipython(
        "ValueError",
        &[(2, 1, "df.s.apply(size)"), (1, 2, "return float(t)")],
        "could not convert string to float: '3,5'",
    );
    assert_eq!(
        repaired(&cells, &error),
        "def size(t):\n    return float(t.replace(\",\", \".\"))"
    );
}
