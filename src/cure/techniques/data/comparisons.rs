//! Text columns compared with a number.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{only, said};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, Number};
use nbmedic_wordings::{pandas, python};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    let number = |kind: &str| kind.starts_with("int") || kind.starts_with("float");
    let invalid = pandas::COMPARED_TYPES
        .read(text)
        .is_some_and(|[a, b]| matches!(a, "str" | "object" | "string") && number(b));
    let old = matches!(
        python::COMPARED_KINDS.read(text),
        Some([_, "str", "int" | "float"])
    );
    if case.class() == "TypeError" && (invalid || old && case.in_library()) {
        out.extend(numbers(case));
    }
}

/// `df["age"] > 30`.
fn numbers(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let pd = case.alias_of("pandas")?;
    let number = |e: &Expr| match e {
        Expr::NumberLiteral(n) => !matches!(n.value, Number::Complex { .. }),
        Expr::UnaryOp(u) => u.operand.is_number_literal_expr(),
        _ => false,
    };
    let compared = spot.exprs.iter().filter_map(|e| {
        let c = e.as_compare_expr()?;
        let [right] = &c.comparators[..] else {
            return None;
        };
        let column = match (number(&c.left), number(right)) {
            (false, true) => &*c.left,
            (true, false) => right,
            _ => return None,
        };
        let plain = matches!(
            column,
            Expr::Subscript(_) | Expr::Attribute(_) | Expr::Name(_)
        );
        plain.then_some(column)
    });
    let column = only(compared)?;
    let text = spot.text(column);
    case.edits(
        said(
            "compare-numbers",
            Basis::Assumed,
            format!("Compare numbers: `{pd}.to_numeric({text})`"),
            format!("`{text}` holds text. What isn't a number there raises an error that names it; `errors=\"coerce\"` makes it missing instead."),
        ),
        vec![Change::replace(
            spot.cell,
            column,
            format!("{pd}.to_numeric({text})"),
        )],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_first;

    #[test]
    fn a_column_of_text_is_compared_as_numbers() {
        let cells = ["import pandas as pd", "old = people[people['age'] >= 60]"];
        for message in [
            "Invalid comparison between dtype=str and int",
            "Invalid comparison between dtype=object and float",
        ] {
            assert_eq!(
                repaired_first(&cells, "TypeError", message),
                "old = people[pd.to_numeric(people['age']) >= 60]"
            );
        }
        let dates = "Invalid comparison between dtype=datetime64[ns] and int";
        assert_eq!(repaired_first(&cells, "TypeError", dates), "");
    }
}
