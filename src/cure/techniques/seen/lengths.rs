//! Operands of different lengths or shapes, by name.

use super::operands::{origin, suspects, Line};
use super::products::shown;
use crate::case::Case;
use crate::find::look;
use crate::values::Value;
use nbmedic_facts::Cure;
use nbmedic_python::{name_of, Ranged};
use nbmedic_wordings::about;

/// Types that have a length but aren't data.
const NO_DATA: &[&str] = &["str", "bytes", "dict", "function", "module", "class"];

/// A value's length: the rows of a table, the elements of anything else.
fn length(value: &Value) -> Option<i64> {
    if NO_DATA.contains(&value.kind.as_str()) {
        return None;
    }
    let rows = value.shape.as_ref().and_then(|s| s.first().copied());
    rows.or(value.len).filter(|n| *n >= 0)
}

/// The integers in a string.
fn numbers(text: &str) -> Vec<i64> {
    let all = text.split(|c: char| !c.is_ascii_digit());
    all.filter_map(|n| n.parse().ok()).take(32).collect()
}

/// The names on the line, each once, in order.
fn used<'c>(case: &'c Case<'_>) -> Vec<(String, &'c Value)> {
    let Some(line) = Line::of(case) else {
        let all = suspects(case).into_iter();
        return all.map(|(n, v)| (n.to_owned(), v)).collect();
    };
    let mut exprs = line.spot.exprs.clone();
    exprs.sort_by_key(|e| e.start());
    let mut out: Vec<(String, &Value)> = Vec::new();
    for (name, value) in exprs
        .into_iter()
        .filter_map(|e| Some((name_of(e)?, line.value(e)?)))
    {
        if !out.iter().any(|(n, _)| *n == name) {
            out.push((name, value));
        }
    }
    out
}

/// The lengths of the names, if the message contains two of them.
pub(super) fn of_names(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    if !about::UNEQUAL_LENGTHS.is_in(text) {
        return None;
    }
    let told = numbers(text);
    let sized = |(name, value): (String, &Value)| Some((name, length(value)?, value.shape.clone()));
    let mut all: Vec<_> = used(case).into_iter().filter_map(sized).collect();
    all.retain(|(_, n, shape)| {
        told.contains(n)
            || shape
                .as_ref()
                .is_some_and(|s| s.iter().any(|n| told.contains(n)))
    });
    let [(first, a, _), rest @ ..] = &all[..] else {
        return None;
    };
    if rest.iter().any(|(_, n, _)| n != a) {
        let (other, b, _) = rest.iter().find(|(_, n, _)| n != a)?;
        let (short, long) = if a < b {
            (first, other)
        } else {
            (other, first)
        };
        let title = format!("Make `{first}` and `{other}` equally long: {a} and {b}");
        let why = format!(
            "When it failed, `{short}` was the shorter one.{}{}",
            origin(case, short),
            origin(case, long)
        );
        return Some(look("seen-lengths", title, why));
    }
    // Equal lengths, but different inner dimensions.
    let [(first, _, Some(a)), (other, _, Some(b))] = &all[..] else {
        return None;
    };
    let title = format!(
        "Make `{first}` and `{other}` fit: {} and {}",
        shown(a),
        shown(b)
    );
    (a != b).then(|| {
        look(
            "seen-lengths",
            title,
            "When it failed, these were their sizes.",
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at, with_values};

    fn title(cell: &str, message: &str, names: &str) -> (String, String) {
        let cells = ["X = load()\ny = X['t'].dropna()", cell];
        let error = error_at(&cells, 1, "ValueError", message);
        let error = with_values(&error, &format!(r#"[[1,"<module>",[{names}]]]"#));
        let all = cures_of(&cells, &error).into_iter();
        let cure = all
            .into_iter()
            .find(|c| c.id == "seen-lengths")
            .unwrap_or_default();
        (cure.title, cure.why)
    }

    #[test]
    fn the_shorter_name_is_told_with_the_line_that_set_it() {
        let x = r#"["X",{"t":"DataFrame","s":[100,3],"c":["a","b","t"]}]"#;
        let y = r#"["y",{"t":"Series","d":"float64","n":90}]"#;
        let message = "Found input variables with inconsistent numbers of samples: [100, 90]";
        let (title_, why) = title("model.fit(X, y)", message, &format!("{x},{y}"));
        assert_eq!(title_, "Make `X` and `y` equally long: 100 and 90");
        assert!(
            why.contains(
                "`y` was the shorter one. Line 2 of cell 1 sets it: `y = X['t'].dropna()`."
            ),
            "{why}"
        );
        let list = r#"["y",{"t":"list","n":3}]"#;
        let message = "Length of values (3) does not match length of index (100)";
        assert_eq!(
            title("X['n'] = y", message, &format!("{x},{list}")).0,
            "Make `X` and `y` equally long: 100 and 3"
        );
        // Lengths that the message doesn't mention explain nothing.
        assert_eq!(
            title(
                "X['n'] = y",
                "Length of values (5) does not match length of index (7)",
                &format!("{x},{list}")
            )
            .0,
            ""
        );
    }

    #[test]
    fn the_line_further_back_that_took_the_rows_is_told() {
        let cells = [
            "import pandas as pd\ndf = pd.read_csv('a.csv')\nX = df[['a', 'b']]",
            "whole = df.dropna()\nlabels = whole['t']\ny = labels.astype(int)",
            "model.fit(X, y)",
        ];
        let message = "Found input variables with inconsistent numbers of samples: [100, 90]";
        let error = error_at(&cells, 1, "ValueError", message);
        let names = r#"["X",{"t":"DataFrame","s":[100,2]}],["y",{"t":"Series","n":90}]"#;
        let error = with_values(&error, &format!(r#"[[1,"<module>",[{names}]]]"#));
        let all = cures_of(&cells, &error);
        let why: Vec<&str> = all.iter().map(|c| c.why.as_str()).collect();
        let told = "Line 3 of cell 2 sets it: `y = labels.astype(int)`. Its rows are those of `whole`, which line 1 of cell 2 sets: `whole = df.dropna()`.";
        assert!(why.iter().any(|w| w.contains(told)), "{why:?}");
    }

    #[test]
    fn sizes_that_do_not_meet_are_told_by_name() {
        let array =
            |name: &str, s: &str| format!(r#"["{name}",{{"t":"ndarray","d":"float64","s":{s}}}]"#);
        let names = format!(
            "{},{},{}",
            array("c", "[3]"),
            array("a", "[2,3]"),
            array("b", "[2,4]")
        );
        let message = "operands could not be broadcast together with shapes (2,3) (2,4)";
        let (told, _) = title("d = a + b", message, &names);
        assert_eq!(told, "Make `a` and `b` fit: (2, 3) and (2, 4)");
        let names = format!("{},{}", array("a", "[2,3]"), array("b", "[4,3]"));
        let (told, _) = title(
            "d = a + b",
            "operands could not be broadcast together with shapes (2,3) (4,3)",
            &names,
        );
        assert_eq!(told, "Make `a` and `b` equally long: 2 and 4");
    }
}
