//! Names that were `None`, and indexes out of range.

use super::operands::{origin, suspects, Line};
use crate::case::Case;
use crate::find::{look, name, only};
use nbmedic_facts::Cure;
use nbmedic_python::ast::Expr;
use nbmedic_python::name_of;
use nbmedic_wordings::about;

/// Which name on the line was `None`, and where it was assigned.
pub(super) fn of_none(case: &Case<'_>) -> Option<Cure> {
    if !case.message().contains("NoneType") {
        return None;
    }
    let names: Vec<String> = match Line::of(case) {
        Some(line) => {
            let used = line
                .spot
                .exprs
                .iter()
                .filter(|e| line.value(e).is_some_and(|v| v.kind == "NoneType"));
            let mut names: Vec<String> = used.filter_map(|e| name_of(e)).collect();
            names.dedup();
            names
        }
        None => {
            let all = suspects(case).into_iter();
            all.filter(|(_, v)| v.kind == "NoneType")
                .map(|(n, _)| n.to_owned())
                .collect()
        }
    };
    let name = only(names.into_iter())?;
    let given = case
        .values
        .last()
        .is_some_and(|s| !s.function.starts_with('<'));
    let from = match origin(case, &name) {
        known if !known.is_empty() => known,
        _ if given => format!(
            " It is what the function `{}` was given or set.",
            case.values.last()?.function
        ),
        _ => String::new(),
    };
    let title = format!("Give `{name}` a value: it was `None`");
    Some(look(
        "seen-none",
        title,
        format!("That is what the message means by `NoneType`.{from}"),
    ))
}

/// Which index was out of range.
pub(super) fn of_index(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    let about = case.class() == "IndexError" && about::OUTSIDE.is_in(text);
    let line = Line::of(case).filter(|_| about)?;
    let found = line.spot.exprs.iter().filter_map(|e| {
        let subscript = e.as_subscript_expr()?;
        let of = match &*subscript.value {
            Expr::Attribute(a) if matches!(a.attr.as_str(), "iloc" | "iat") => &*a.value,
            other => other,
        };
        let value = line.value(of)?;
        let index = match &*subscript.slice {
            Expr::Tuple(t) => t.elts.first()?,
            other => other,
        };
        let size = value
            .shape
            .as_ref()
            .and_then(|s| s.first().copied())
            .or(value.len)?;
        let at = line.number(index)?;
        (at >= size || at < size.checked_neg()?).then_some((of, index, at, size))
    });
    let (of, index, at, size) = only(found)?;
    let (owner, by) = (line.spot.text(of), line.spot.text(index));
    let from = name(of).map_or_else(String::new, |n| origin(case, n));
    if size == 0 {
        let title = format!("Check why `{owner}` is empty");
        return Some(look(
            "seen-empty",
            title,
            format!("When it failed, it had no element that `{by}` could count to.{from}"),
        ));
    }
    let was = if index.is_number_literal_expr() || by == at.to_string() {
        format!("not {at}")
    } else {
        format!("`{by}` was {at}")
    };
    let title = format!("Stay below {size} in `{owner}`: {was}");
    let why = format!(
        "When it failed, `{owner}` had {size} elements, counted from 0 to {}.{from}",
        size - 1
    );
    Some(look("seen-index", title, why))
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at, with_values};
    use nbmedic_facts::Cure;

    fn first(cells: &[&str], class: &str, message: &str, frames: &str) -> Cure {
        let error = with_values(&error_at(cells, 1, class, message), frames);
        let all = cures_of(cells, &error).into_iter();
        all.into_iter()
            .find(|c| c.id.starts_with("seen-"))
            .unwrap_or_default()
    }

    #[test]
    fn the_name_that_was_none_is_told_with_the_line_that_set_it() {
        let message = "unsupported operand type(s) for +: 'NoneType' and 'int'";
        let cells = ["total = 1\nbest = settings.get('best')", "best + total"];
        let names = r#"["best",{"t":"NoneType","v":"None"}],["total",{"t":"int","v":"1"}]"#;
        let cure = first(
            &cells,
            "TypeError",
            message,
            &format!(r#"[[1,"<module>",[{names}]]]"#),
        );
        assert_eq!(cure.title, "Give `best` a value: it was `None`");
        assert!(
            cure.why
                .ends_with("Line 2 of cell 1 sets it: `best = settings.get('best')`."),
            "{}",
            cure.why
        );
        // In one of the user's files.
        let cells = ["import net", "net.step(1)"];
        let cure = first(
            &cells,
            "TypeError",
            message,
            &format!(r#"[[4,"step",[{names}]]]"#),
        );
        assert!(
            cure.why
                .ends_with("what the function `step` was given or set."),
            "{}",
            cure.why
        );
        // With two candidates, the culprit is unknown.
        let two = names.replace(r#""t":"int","v":"1""#, r#""t":"NoneType""#);
        assert_eq!(
            first(
                &cells,
                "TypeError",
                message,
                &format!(r#"[[4,"step",[{two}]]]"#)
            )
            .id,
            ""
        );
    }

    #[test]
    fn an_index_is_told_with_what_it_counts() {
        let frames = |n: i64, i: i64| {
            format!(
                r#"[[1,"<module>",[["rows",{{"t":"list","n":{n}}}],["i",{{"t":"int","v":"{i}"}}]]]]"#
            )
        };
        let cells = ["rows = load()", "print(rows[i + 1] - rows[i])"];
        let message = "list index out of range";
        let cure = first(&cells, "IndexError", message, &frames(3, 2));
        assert_eq!(cure.title, "Stay below 3 in `rows`: `i + 1` was 3");
        assert!(
            cure.why.contains("from 0 to 2. Line 1 of cell 1"),
            "{}",
            cure.why
        );
        let cure = first(
            &cells,
            "IndexError",
            message,
            &frames(0, 0).replace(r#""v":"0""#, r#""v":"-1""#),
        );
        assert_eq!(cure.id, "");
        let cells = ["rows = load()", "rows[0]"];
        assert_eq!(
            first(&cells, "IndexError", message, &frames(0, 0)).title,
            "Check why `rows` is empty"
        );
        assert_eq!(first(&cells, "IndexError", message, &frames(5, 0)).id, "");
        let cells = ["df = load()", "df.iloc[9]"];
        let table = r#"[[1,"<module>",[["df",{"t":"DataFrame","s":[4,2],"c":["a","b"]}]]]]"#;
        let cure = first(
            &cells,
            "IndexError",
            "single positional indexer is out-of-bounds",
            table,
        );
        assert_eq!(cure.title, "Stay below 4 in `df`: not 9");
    }
}
