//! Values of different lengths whose lists stand in the notebook, or are cut in the failing line: what made one of them
//! shorter is edited, and all lengths are evaluated again.

use super::joined_texts::{followed, with_commas};
use crate::again::changed;
use crate::case::Case;
use crate::edit::Change;
use crate::find::{look, one_line, only, receiver, said, text_of};
use crate::sized::{Sources, MAX_STEPS};
use crate::trace::Made;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprSlice, ExprSubscript};
use nbmedic_python::Ranged;
use nbmedic_values::Model;

/// Most values compared.
const MAX: usize = 64;
/// Longest chain followed back.
const MAX_CHAIN: usize = 8;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let all = operands(case);
    if lengths(case, &all).is_some() {
        let mut cures = all.iter().flat_map(|o| edits(case, o)).take(MAX);
        out.extend(cures.find(|cure| are_equal_after(case, cure)));
    }
}

/// The lengths in words, where no edit makes them equal.
pub(crate) fn say(case: &Case<'_>, out: &mut Vec<Cure>) {
    let all = operands(case);
    let lengths = lengths(case, &all);
    out.extend(lengths.and_then(|lengths| words(case, &all, &lengths)));
}

/// One of the values that have to be equally long.
struct Operand<'c> {
    called: String,
    at: Made<'c>,
}

/// The values of a dict that becomes a table, or the first two arguments of the failing call.
fn operands<'c>(case: &'c Case<'c>) -> Vec<Operand<'c>> {
    let Some(spot) = case.spot() else {
        return Vec::new();
    };
    let dicts = spot.calls().filter_map(|c| {
        let first = c.arguments.args.first()?;
        let made = case.made(spot.cell, first)?;
        Some((made.cell, made.expr.as_dict_expr()?))
    });
    if let Some((cell, dict)) = only(dicts) {
        let items = dict.items.iter().filter_map(|i| {
            let at = Made {
                cell,
                expr: &i.value,
            };
            Some(Operand {
                called: text_of(i.key.as_ref()?)?.to_owned(),
                at,
            })
        });
        return items.take(MAX).collect();
    }
    let pairs = spot.calls().filter_map(|c| match &c.arguments.args[..] {
        [a, b, ..] if !a.is_starred_expr() && !b.is_starred_expr() => Some([a, b]),
        _ => None,
    });
    let pair = only(pairs).into_iter().flatten();
    pair.map(|expr| Operand {
        called: one_line(spot.text(expr)),
        at: Made {
            cell: spot.cell,
            expr,
        },
    })
    .collect()
}

/// The lengths, if they are known, not all the same, and those that the message is about.
fn lengths<'c>(case: &'c Case<'c>, all: &[Operand<'c>]) -> Option<Vec<i64>> {
    let lengths = known(case, all)?;
    let differ = lengths.iter().any(|n| *n != lengths[0]);
    (differ && reproduces(case.message(), &lengths)).then_some(lengths)
}

/// The lengths of all, if each is known.
fn known<'c>(case: &'c Case<'c>, all: &[Operand<'c>]) -> Option<Vec<i64>> {
    let sources = Sources(case);
    let model = Model::new(&sources, MAX_STEPS);
    let length = |o: &Operand<'c>| -> Option<i64> {
        // Whether a list has changed since it was written the message shows.
        let made = case.made(o.at.cell, o.at.expr);
        let at = made.filter(|m| m.expr.is_list_expr()).unwrap_or(o.at);
        let value = model.of(at.cell, at.expr);
        value.dims?.first()?.known()
    };
    let lengths: Vec<i64> = all.iter().map(length).collect::<Option<_>>()?;
    (lengths.len() > 1).then_some(lengths)
}

/// Whether a message is about these lengths: it has two of them, or speaks of lengths without a number.
fn reproduces(message: &str, lengths: &[i64]) -> bool {
    let first = message.lines().next().unwrap_or("");
    let told: Vec<i64> = first
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|n| n.parse().ok())
        .collect();
    let mut found: Vec<i64> = lengths
        .iter()
        .copied()
        .filter(|n| told.contains(n))
        .collect();
    found.sort_unstable();
    found.dedup();
    found.len() > 1 || told.is_empty() && message.contains("same length")
}

/// Whether all are equally long after an edit.
fn are_equal_after(case: &Case<'_>, cure: &Cure) -> bool {
    let equal = case.after(cure, &changed(case, cure), |after| {
        let lengths = known(after, &operands(after))?;
        Some(lengths.iter().all(|n| *n == lengths[0]))
    });
    equal == Some(true)
}

/// The edits of what may have made a value longer or shorter.
fn edits(case: &Case<'_>, operand: &Operand<'_>) -> Vec<Cure> {
    let mut out = Vec::new();
    let mut at = operand.at;
    for _ in 0..MAX_CHAIN {
        let Some(made) = case.made(at.cell, at.expr) else {
            break;
        };
        let of = match made.expr {
            Expr::List(l) => {
                out.extend(parted(case, made.cell, &l.elts));
                break;
            }
            Expr::Subscript(s) => {
                out.extend(uncut(case, made.cell, s));
                &*s.value
            }
            Expr::Call(c) => match case.path_of(&c.func) {
                Some(_) => match c.arguments.args.first() {
                    Some(first) => first,
                    None => break,
                },
                None => match receiver(c) {
                    Some(of) => of,
                    None => break,
                },
            },
            _ => break,
        };
        at = Made {
            cell: made.cell,
            expr: of,
        };
    }
    out
}

/// `["a" "b"]` is one text: a comma between the two.
fn parted(case: &Case<'_>, cell: usize, elements: &[Expr]) -> Vec<Cure> {
    let texts = elements.iter().filter_map(Expr::as_string_literal_expr);
    let joined = texts.filter(|s| s.value.is_implicit_concatenated());
    let gaps = joined.flat_map(|s| followed(s).into_iter().map(move |gap| (s, gap)));
    gaps.take(MAX)
        .filter_map(|(s, gap)| with_commas(case, cell, s, &[gap], Basis::Source))
        .collect()
}

/// `x[:-1]` in the failing statement: `x`.
fn uncut(case: &Case<'_>, cell: usize, s: &ExprSubscript) -> Option<Cure> {
    let (at, python, stmt) = case.here()?;
    let inside = at == cell && stmt.range().contains_range(s.range);
    let constant = |e: &Option<Box<Expr>>| {
        e.as_ref()
            .is_none_or(|e| e.is_number_literal_expr() || e.is_unary_op_expr())
    };
    let cuts = |s: &ExprSlice| s.step.is_none() && constant(&s.lower) && constant(&s.upper);
    s.slice.as_slice_expr().filter(|s| inside && cuts(s))?;
    let of = match &*s.value {
        Expr::Attribute(a) if matches!(a.attr.as_str(), "iloc" | "loc") => &*a.value,
        other => other,
    };
    let (was, whole) = (python.slice(s), python.slice(of));
    case.edits(
        said(
            "whole-operand",
            Basis::Assumed,
            format!("Write `{whole}` for `{was}`"),
            format!("`{was}` is a part of it; what it goes together with is as long as the whole."),
        ),
        vec![Change::replace(cell, s, whole)],
    )
}

/// The two that differ, each with the line that makes it.
fn words(case: &Case<'_>, all: &[Operand<'_>], lengths: &[i64]) -> Option<Cure> {
    let most = |n: &i64| lengths.iter().filter(|m| *m == n).count();
    let usual = lengths.iter().max_by_key(|n| (most(n), **n))?;
    let odd = lengths.iter().position(|n| n != usual)?;
    let other = lengths.iter().position(|n| n == usual)?;
    let line = |o: &Operand<'_>| {
        let made = case.made(o.at.cell, o.at.expr)?;
        let line = case.python(made.cell)?.line_of(made.expr.start());
        Some(format!("line {line} of cell {}", case.position(made.cell)))
    };
    let (a, b) = (&all[odd], &all[other]);
    Some(look(
        "unequal-lengths",
        format!(
            "Make `{}` and `{}` equally long: {} and {}",
            a.called, b.called, lengths[odd], lengths[other]
        ),
        format!(
            "`{}` is made in {}, `{}` in {}.",
            a.called,
            line(a)?,
            b.called,
            line(b)?
        ),
    ))
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at, repaired};

    #[test]
    fn a_list_that_lacks_a_comma_gets_it_where_it_is_written() {
        let message = "could not create a new DataFrame: height of column 'b' (2) does not match height of column 'a' (3)";
        let cell = "import polars as pl\nt = pl.DataFrame({\n    'a': [1, 2, 3],\n    'b': ['x', 'y' 'z'],\n})";
        let e = error_at(&[cell], 2, "ShapeError", message);
        assert_eq!(repaired(&[cell], &e), cell.replace("'y' 'z'", "'y', 'z'"));
        let message = "All arrays must be of the same length";
        let data = "names = ['x' 'y', 'z']\nages = [1, 2, 3]";
        let cells = [
            data,
            "import pandas as pd\ndf = pd.DataFrame({'n': names, 'a': ages})",
        ];
        let e = error_at(&cells, 2, "ValueError", message);
        let cure = &cures_of(&cells, &e)[0];
        assert_eq!(cure.code, data.replace("'x' 'y'", "'x', 'y'"));
    }

    #[test]
    fn lists_of_other_lengths_are_named_with_their_lines() {
        let message = "All arrays must be of the same length";
        let cells = [
            "names = ['x', 'z']\nages = [1, 2, 3]",
            "import pandas as pd\ndf = pd.DataFrame({'n': names, 'a': ages})",
        ];
        let e = error_at(&cells, 2, "ValueError", message);
        let cure = &cures_of(&cells, &e)[0];
        assert_eq!(cure.title, "Make `n` and `a` equally long: 2 and 3");
        assert_eq!(
            cure.why,
            "`n` is made in line 1 of cell 1, `a` in line 2 of cell 1."
        );
    }

    #[test]
    fn a_value_that_is_cut_in_the_failing_line_is_taken_whole() {
        let data = "import numpy as np\nimport matplotlib.pyplot as plt\nx = np.linspace(0, 1, 50)\ny = np.sin(x)";
        let message = "x and y must have same first dimension, but have shapes (49,) and (50,)";
        let cells = [data, "plt.plot(x[:-1], y)"];
        let e = error_at(&cells, 1, "ValueError", message);
        assert_eq!(repaired(&cells, &e), "plt.plot(x, y)");
        // Numbers that it has not are of something else.
        let message = "x and y must have same first dimension, but have shapes (48,) and (50,)";
        let e = error_at(&cells, 1, "ValueError", message);
        assert!(cures_of(&cells, &e).iter().all(|c| c.id != "whole-operand"));
    }
}
