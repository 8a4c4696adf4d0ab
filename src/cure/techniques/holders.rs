//! What holds the memory according to the probe: a list that keeps graphs, results in `Out`, an unneeded table.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, look, only, receiver, said};
use crate::values::Holder;
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, each_expr, name_of, positional, Cell};

/// A smaller holder isn't the reason for an out-of-memory error.
const LEAST: i64 = 64 << 20;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let Some(first) = case.holders.first().filter(|h| h.bytes >= LEAST) else {
        return;
    };
    // Holders of graphs come before larger tables and models, which are needed.
    let mut grown = case.holders.iter().filter(|h| h.bytes >= LEAST);
    let stored = grown.find_map(|h| stored(case, h));
    if stored.is_some() {
        out.extend(stored);
        return;
    }
    out.push(freed(case, first));
}

/// Formats a number of bytes.
fn bytes(n: i64) -> String {
    // Computed in whole tenths, so that rounding differs from the probe's by one tenth at most.
    let (unit, name) = match n >= 1 << 30 {
        true => (1_i64 << 30, "GiB"),
        false => (1_i64 << 20, "MiB"),
    };
    let tenths = n.saturating_mul(10).saturating_add(unit / 2) / unit;
    format!("{}.{} {name}", tenths / 10, tenths % 10)
}

/// Formats a number with thousands separators.
fn count(n: i64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `1,024 tensors with their graphs, 9.1 GiB`.
fn kept(holder: &Holder) -> String {
    let what = match (holder.len, holder.of.as_str()) {
        (Some(n), "Tensor") => format!("{} tensors", count(n)),
        (Some(n), "ndarray") => format!("{} arrays", count(n)),
        (Some(n), "DataFrame") => format!("{} tables", count(n)),
        (Some(n), _) if holder.name == "Out" => format!("{} results of cells", count(n)),
        (Some(n), _) => format!("{} elements", count(n)),
        (None, _) => String::new(),
    };
    let graphs = match (holder.graphs > 0, what.is_empty()) {
        (true, true) => "a tensor with its graph",
        (true, false) => " with their graphs",
        _ => "",
    };
    let between = match what.is_empty() && graphs.is_empty() {
        true => "",
        false => ", ",
    };
    format!("{what}{graphs}{between}{}", bytes(holder.bytes))
}

/// `history.append(loss)` of a list that keeps graphs → `history.append(loss.item())`.
fn stored(case: &Case<'_>, holder: &Holder) -> Option<Cure> {
    if holder.graphs == 0 || holder.len.is_none() || holder.function.is_some() {
        return None;
    }
    let mut cells = case.book.before(case.at);
    cells.push(case.at);
    cells.sort_unstable();
    cells.dedup();
    let append = |c: &&ExprCall| {
        callee(c) == Some("append")
            && c.arguments.args.len() == 1
            && receiver(c).and_then(name_of).as_deref() == Some(holder.name.as_str())
    };
    let found = cells.iter().filter_map(|c| Some((*c, case.python(*c)?)));
    let found = found.flat_map(|(at, python)| {
        let all: Vec<&ExprCall> = calls(python.body()).into_iter().collect();
        all.into_iter()
            .filter(append)
            .map(move |call| (at, python, call))
            .collect::<Vec<_>>()
    });
    let (cell, python, call) = only(found)?;
    let value = positional(call, 0)?;
    let text = python.slice(value);
    // A name or a call can be a tensor; anything else may not be one.
    if !matches!(value, Expr::Name(_) | Expr::Attribute(_) | Expr::Call(_)) || text.len() > 60 {
        return None;
    }
    let how = match text.to_lowercase().contains("loss") {
        true => ".item()",
        false => ".detach().cpu()",
    };
    let title = format!("Store `{text}{how}`");
    let why = format!(
        "`{}` keeps {}: each tensor in it keeps what its backward pass needs. Empty it once, too.",
        holder.name,
        kept(holder)
    );
    case.edits(
        said("free-graphs", Basis::Value, title, why),
        vec![Change::after(cell, value, how)],
    )
}

/// Frees the largest holder.
fn freed(case: &Case<'_>, holder: &Holder) -> Cure {
    let name = &holder.name;
    let keeps = kept(holder);
    if let Some(function) = &holder.function {
        if holder.before {
            return Cure {
                kind: FixKind::Run,
                basis: Basis::Guessed,
                run: vec![case.position(case.at)],
                ..look(
                    "free-traceback",
                    "Run the cell again",
                    format!("The traceback of an earlier failure kept `{name}` of `{function}`, {keeps}. It is free now."),
                )
            };
        }
        return look(
            "free-traceback",
            format!("`{name}` in `{function}` holds {keeps}"),
            "The traceback keeps it until another cell fails.",
        );
    }
    if name == "Out" {
        return Cure {
            code: "%reset -f out".to_owned(),
            language: "python".into(),
            ..look(
                "free-out",
                "Empty `Out` with `%reset -f out`",
                format!("It keeps {keeps}. End a cell's last line with `;` or give the result a name, and it is not kept."),
            )
        };
    }
    let needed = case
        .python(case.at)
        .is_none_or(|python| reads(python, name));
    let title = format!("`{name}` keeps {keeps}");
    if needed || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        let why = "It holds the most of all names. The failing cell uses it: keep less in it, or a part at a time.";
        let other =
            "It holds the most of all names. Keep less in it, or empty it where it is not needed.";
        return look("free-holder", title, if needed { why } else { other });
    }
    Cure {
        code: format!("import gc\ndel {name}\ngc.collect()"),
        language: "python".into(),
        ..look(
            "free-holder",
            title,
            format!("It holds the most of all names, and the failing cell does not use it: `del {name}` frees it, if later cells do without it."),
        )
    }
}

/// Whether a cell uses a name.
fn reads(python: &Cell, name: &str) -> bool {
    let mut found = false;
    each_expr(python.body(), &mut |e| {
        found |= e.as_name_expr().is_some_and(|n| n.id.as_str() == name);
    });
    found
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at, repaired};
    use nbmedic_facts::Cure;

    fn short(cells: &[&str], holders: &str) -> String {
        let message = "CUDA out of memory. Tried to allocate 20.00 MiB.";
        let error = error_at(cells, 1, "OutOfMemoryError", message);
        format!("{error}nbmedic: values when it failed\n  memory\n⟦nbmedic:1 {{\"k\":\"v\",\"f\":[],\"h\":[{holders}],\"cuda\":[]}}⟧\n")
    }

    fn offered(cells: &[&str], holders: &str) -> Cure {
        let all = cures_of(cells, &short(cells, holders));
        let ours = all.into_iter().find(|c| c.id.starts_with("free-"));
        ours.unwrap_or_default()
    }

    #[test]
    fn the_list_that_keeps_graphs_stores_numbers() {
        let holders = r#"["model",{"t":"Net","b":99771050598}],["history",{"t":"list","b":9771050598,"a":1024,"n":1024,"of":"Tensor","g":1024}]"#;
        let cells = [
            "history = []",
            "for x in loader:\n    loss = step(x)\n    history.append(loss)",
            "out = model(big)",
        ];
        assert_eq!(
            repaired(&cells, &short(&cells, holders)),
            "for x in loader:\n    loss = step(x)\n    history.append(loss.item())"
        );
        let cure = offered(&cells, holders);
        assert_eq!(cure.title, "Store `loss.item()`");
        assert!(
            cure.why
                .starts_with("`history` keeps 1,024 tensors with their graphs, 9.1 GiB"),
            "{}",
            cure.why
        );
        // Two places, or values that aren't tensors, are left alone.
        let two = ["history = []\nhistory.append(a)", "history.append(b)"];
        assert!(offered(&two, holders).edits.is_empty());
    }

    #[test]
    fn the_largest_holder_is_named_with_what_frees_it() {
        let copies = r#"["versions",{"t":"list","b":3221225472,"a":5,"n":5,"of":"DataFrame"}]"#;
        let cells = ["versions = [df.copy() for _ in range(5)]", "x = make()"];
        let cure = offered(&cells, copies);
        assert_eq!(cure.title, "`versions` keeps 5 tables, 3.0 GiB");
        assert_eq!(cure.code, "import gc\ndel versions\ngc.collect()");
        let cells = ["versions = load()", "x = join(versions)"];
        assert_eq!(offered(&cells, copies).code, "");
        let out = r#"["Out",{"t":"dict","b":104857600,"n":12,"of":"Tensor or str"}]"#;
        assert_eq!(offered(&cells, out).code, "%reset -f out");
        let local = r#"["batch",{"t":"ndarray","b":104857600,"a":1,"in":"train"}]"#;
        let cure = offered(&cells, local);
        assert_eq!(cure.title, "`batch` in `train` holds 100.0 MiB");
        let before = r#"["batch",{"t":"ndarray","b":104857600,"a":1,"in":"train","was":1}]"#;
        assert_eq!(offered(&cells, before).run, [2]);
    }

    #[test]
    fn little_and_nonsense_are_not_told() {
        let cells = ["x = make()"];
        for odd in [
            r#"["a",{"t":"list","b":1048576}]"#,
            r#"["a",{"b":-1}],5,["b"],[1,{"b":99999999999}]"#,
            r#"["a",{"b":"many"}]"#,
        ] {
            assert_eq!(offered(&cells, odd).id, "", "{odd}");
        }
    }
}
