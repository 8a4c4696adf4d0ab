//! Arrays made from something that NumPy doesn't iterate over: `np.array(d.values())` contains the view itself.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, only, said};
use crate::trace::Made;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::Expr;
use nbmedic_python::positional;

/// Types that aren't sequences, and the methods and functions that return them.
const VIEWS: &[(&str, &str)] = &[
    ("dict_values", "values"),
    ("dict_keys", "keys"),
    ("dict_items", "items"),
    ("map", "map"),
    ("filter", "filter"),
    ("zip", "zip"),
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if matches!(case.class(), "TypeError" | "RuntimeError" | "ValueError") {
        out.extend(listed(case));
    }
}

fn listed(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    let told = |kind: &str| {
        message.contains(&format!("'{kind}'")) || message.ends_with(&format!("dtype of {kind}"))
    };
    let (kind, maker) = VIEWS.iter().find(|(kind, _)| told(kind))?;
    let spot = case.spot()?;
    let here = |e| Made {
        cell: spot.cell,
        expr: e,
    };
    let mut found: Vec<Made<'_>> = Vec::new();
    for e in spot.exprs.iter().copied() {
        let made = match e {
            Expr::Name(_) => case.made(spot.cell, e),
            Expr::Call(_) => Some(here(e)),
            _ => None,
        };
        let Some(array) = made else { continue };
        let view = array_of(case, array.expr).filter(|v| is_view(v, maker));
        if let Some(expr) = view.filter(|v| !found.iter().any(|f| std::ptr::eq(f.expr, *v))) {
            found.push(Made { expr, ..array });
        }
    }
    let view = only(found.into_iter())?;
    let was = case.python(view.cell)?.slice(view.expr);
    let to = format!("list({was})");
    case.edits(
        said(
            "view-as-list",
            Basis::Library,
            format!("Replace `{was}` by `{to}`"),
            format!("`{kind}` is no sequence: an array of it holds that one object, and none of its values."),
        ),
        vec![Change::replace(view.cell, view.expr, to)],
    )
}

/// The argument that an array or tensor is made from.
fn array_of<'c>(case: &Case<'_>, e: &'c Expr) -> Option<&'c Expr> {
    let call = e.as_call_expr()?;
    let path = case.path_of(&call.func)?;
    let makes = matches!(
        path.as_str(),
        "numpy.array" | "numpy.asarray" | "torch.tensor" | "torch.as_tensor"
    );
    positional(call, 0).filter(|_| makes)
}

fn is_view(e: &Expr, maker: &str) -> bool {
    let Some(call) = e.as_call_expr() else {
        return false;
    };
    let function = matches!(maker, "map" | "filter" | "zip");
    call.func.is_name_expr() == function && callee(call) == Some(maker)
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at};

    fn fixed(cells: &[&str], message: &str) -> String {
        let cures = cures_of(cells, &error_at(cells, 1, "TypeError", message));
        let cure = cures.into_iter().find(|c| c.id == "view-as-list");
        cure.unwrap_or_default().code
    }

    #[test]
    fn a_view_becomes_a_list() {
        let message = "unsupported operand type(s) for /: 'dict_values' and 'int'";
        let cells = [
            "import numpy as np\nv = np.array(d.values())",
            "m = v.mean()",
        ];
        assert_eq!(
            fixed(&cells, message),
            "import numpy as np\nv = np.array(list(d.values()))"
        );
        let cells = ["import torch", "t = torch.tensor(map(float, rows))"];
        assert_eq!(
            fixed(&cells, "Could not infer dtype of map"),
            "t = torch.tensor(list(map(float, rows)))"
        );
    }

    #[test]
    fn a_list_and_a_view_of_another_kind_stay() {
        let message = "unsupported operand type(s) for /: 'dict_values' and 'int'";
        for made in [
            "np.array(list(d.values()))",
            "np.array(d.keys())",
            "f(d.values())",
        ] {
            let first = format!("import numpy as np\nv = {made}");
            assert_eq!(fixed(&[&first, "m = v.mean()"], message), "", "{made}");
        }
    }
}
