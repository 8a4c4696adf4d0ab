//! Memory arithmetic: which request is too large, and what smaller one would fit.

use super::say::short;
use super::scan::{at_error, head, only, own_exprs, slice, Scan};
use super::text::shape;
use crate::case::Case;
use crate::code::{argument, Code};
use crate::edit::{Change, Said};
use nbmedic_facts::{Basis, Cure, FixKind, Value};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{each_below, each_stmt, keyword, positional, Cell, Ranged};
use nbmedic_wordings::{numpy, torch};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    let host = numpy::UNABLE_TO_ALLOCATE.read(text).is_some();
    let torch = text.contains("DefaultCPUAllocator") || text.contains("can't allocate memory");
    if host || torch {
        out.extend(case.here().and_then(|here| kept_sparse(case, here)));
        out.extend(pairwise(case));
        out.extend(narrower(case));
        out.extend(written_size(case));
    }
    if torch::CUDA_MEMORY.is_in(text) || text.contains("MPS backend out of memory") {
        out.extend(pairwise(case));
        out.extend(graphs(case));
        out.extend(written_size(case));
        out.extend(batch(case));
    }
}

/// Formats a number of bytes.
pub(crate) fn bytes(n: i64) -> String {
    #[allow(clippy::cast_precision_loss)]
    let n = n as f64;
    let (gib, mib) = (f64::from(1 << 30), f64::from(1 << 20));
    if n >= gib {
        format!("{:.1} GiB", n / gib)
    } else {
        format!("{:.0} MiB", n / mib)
    }
}

fn fact(case: &Case<'_>, name: &str) -> Option<i64> {
    match case.facts()?.get(name)? {
        Value::Int(n) => Some(*n),
        _ => None,
    }
}

/// Size of a block of rows of pairwise distances, in bytes.
const BLOCK: i64 = 256 << 20;

/// All pairwise distances at once, although only one per row is kept: computes a block of rows at a
/// time.
fn pairwise(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, stmt) = case.here()?;
    let value = &*stmt.as_assign_stmt()?.value;
    let last = value.as_call_expr()?;
    let along = argument(last, 0, "axis").or_else(|| argument(last, 0, "dim"))?;
    if !["argmin", "argmax", "min", "max", "sum", "mean"].contains(&head(last))
        || !["1", "-1"].contains(&python.slice(along))
    {
        return None;
    }
    // The source of the rows: `a` in `a[:, None]`, or the first argument of `cdist`.
    let mut rows: Vec<&Expr> = Vec::new();
    let mut torch = false;
    each_below(value, &mut |e| match e {
        Expr::Subscript(s) if s.value.is_name_expr() => {
            let index = python.slice(&*s.slice).replace(' ', "");
            if [":,None", ":,None,:", ":,np.newaxis", ":,np.newaxis,:"].contains(&index.as_str()) {
                rows.push(&s.value);
            }
        }
        Expr::Call(c)
            if ["cdist", "pairwise_distances", "euclidean_distances"].contains(&head(c)) =>
        {
            torch |= case
                .path_of(&c.func)
                .is_some_and(|p| p.starts_with("torch"));
            rows.extend(positional(c, 0).filter(|e| e.is_name_expr()));
        }
        _ => {}
    });
    let rows = only(rows)?;
    let name = rows.as_name_expr()?.id.as_str();
    let mut reads = 0;
    each_below(value, &mut |e| {
        reads += usize::from(e.as_name_expr().is_some_and(|n| n.id.as_str() == name))
    });
    if reads != 1 || case.exists("part") {
        return None;
    }
    let text = case.message();
    let size = fact(case, "requested_bytes")
        .or_else(|| torch::TRIED_TO_ALLOCATE.numbers(text).map(|[n]| n))
        .or_else(|| {
            let [_, shape, _] = numpy::UNABLE_TO_ALLOCATE.read(text)?;
            self::shape(shape)?
                .iter()
                .try_fold(8_i64, |n, m| n.checked_mul(*m))
        })?;
    let parts = (size / BLOCK + 1).clamp(2, 10_000);
    let was = python.slice(value);
    let start = (rows.start() - value.start()).to_usize();
    let inner = format!(
        "{}part{}",
        was.get(..start)?,
        was.get(start + name.len()..)?
    );
    let code = match torch {
        true => {
            let torch = case.alias_of("torch")?;
            format!("{torch}.cat([{inner} for part in {name}.tensor_split({parts})])")
        }
        false => {
            let np = case.alias_of("numpy")?;
            format!("{np}.concatenate([{inner} for part in {np}.array_split({name}, {parts})])")
        }
    };
    case.edits(
        Said {
            id: "in-blocks",
            basis: Basis::Solved,
            title: format!("Compute it for {parts} blocks of `{name}`, one after the other"),
            why: format!("All at once takes {}, of which only one value for each row is kept: each block takes about {}.", bytes(size), bytes(size / parts)),
        },
        vec![Change::replace(cell, value, code)],
    )
}

/// Removes the `.toarray()` from `X = vectorizer.fit_transform(texts).toarray()`.
/// `pd.DataFrame(X.toarray())` becomes a pandas table of sparse columns.
pub(crate) fn kept_sparse(
    case: &Case<'_>,
    (cell, python, stmt): (usize, &Cell, &Stmt),
) -> Option<Cure> {
    let value = match stmt {
        Stmt::Assign(a) => &*a.value,
        Stmt::Expr(e) => &*e.value,
        _ => return None,
    };
    let dense = |e: &'_ Expr| {
        let call = e.as_call_expr()?;
        let is_dense = ["toarray", "todense"].contains(&head(call)) && call.arguments.is_empty();
        let receiver = &*call.func.as_attribute_expr()?.value;
        is_dense.then(|| python.slice(receiver).to_owned())
    };
    let said = |title: String| {
        Said {
        id: "kept-sparse",
        basis: Basis::Assumed,
        title,
        why: "Nearly all its values are zeros, which a sparse matrix leaves out. Most estimators of scikit-learn, XGBoost and LightGBM take it as it is.".to_owned(),
    }
    };
    if let Some(sparse) = dense(value) {
        let title = format!("Keep `{}` sparse", short(&sparse));
        return case.edits(said(title), vec![Change::replace(cell, value, sparse)]);
    }
    let table = value.as_call_expr()?;
    let matrix = positional(table, 0)?;
    let sparse = dense(matrix)?;
    if case.path_of(&table.func)? != "pandas.DataFrame" {
        return None;
    }
    let made = format!("{}.sparse.from_spmatrix", python.slice(&*table.func));
    case.edits(
        said(format!("Make the table from the sparse matrix: `{made}`")),
        vec![
            Change::replace(cell, &*table.func, made.clone()),
            Change::replace(cell, matrix, sparse),
        ],
    )
}

/// `np.zeros(shape)` → `np.zeros(shape, dtype=np.float32)`.
fn narrower(case: &Case<'_>) -> Option<Cure> {
    let text = case.message();
    if !text.contains("data type float64") {
        return None;
    }
    let np = case.alias_of("numpy")?;
    let (cell, exprs) = at_error(case);
    let made = exprs.iter().filter_map(|e| e.as_call_expr()).filter(|c| {
        ["zeros", "ones", "empty", "full"].contains(&head(c))
            && case
                .path_of(&c.func)
                .is_some_and(|p| p.starts_with("numpy."))
            && keyword(c, "dtype").is_none()
    });
    let call = only(made)?;
    let [_, size, _] = numpy::UNABLE_TO_ALLOCATE.read(text)?;
    let size = shape(size)?;
    let bytes64 = size.iter().try_fold(8_i64, |n, m| n.checked_mul(*m))?;
    let limit = if head(call) == "full" { 2 } else { 1 };
    if call.arguments.args.len() != limit || !call.arguments.keywords.is_empty() {
        return None;
    }
    case.edits(
        Said {
            id: "float32",
            basis: Basis::Assumed,
            title: format!("Use 32 bits: `dtype={np}.float32` in `{}`", short(slice(case, cell, call))),
            why: format!("With 64 bits the array takes {}, with 32 bits {}. It then holds 7 digits instead of 16.", bytes(bytes64), bytes(bytes64 / 2)),
        },
        vec![case.editor(cell)?.add(call, &format!("dtype={np}.float32"))],
    )
}

/// The call whose own sizes account for the whole request: `nn.Embedding(50000000, 512)`. Only
/// words, because the user must decide which size is too large.
fn written_size(case: &Case<'_>) -> Option<Cure> {
    let exact = torch::TRIED_TO_ALLOCATE
        .numbers(case.message())
        .map(|[n]| n);
    let asked = exact.or_else(|| fact(case, "requested_bytes"))?;
    // Sizes in GiB or MiB are rounded.
    let near = |n: i64| n == asked || exact.is_none() && (n - asked).abs() <= asked / 200;
    let (cell, exprs) = at_error(case);
    let scan = Scan::of(case);
    let made = exprs.iter().filter_map(|e| {
        let call = e.as_call_expr()?;
        let found = scan.calls.iter().find(|f| std::ptr::eq(f.call, call))?;
        let mut sizes = Vec::new();
        for argument in &call.arguments.args {
            match argument {
                Expr::Tuple(t) => sizes.extend(t.elts.iter().map(|e| scan.value(found, e))),
                Expr::List(l) => sizes.extend(l.elts.iter().map(|e| scan.value(found, e))),
                other => sizes.push(scan.value(found, other)),
            }
        }
        let sizes: Option<Vec<i64>> = sizes.into_iter().collect();
        let sizes = sizes.filter(|all| all.iter().all(|n| *n > 0))?;
        let numbers = sizes.iter().try_fold(1_i64, |n, m| n.checked_mul(*m))?;
        let width = [4, 8, 2, 1]
            .into_iter()
            .find(|w| numbers.checked_mul(*w).is_some_and(near))?;
        Some((call, sizes, width))
    });
    let (call, sizes, width) = only(made)?;
    let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
    let each = if width == 1 {
        "1 byte"
    } else {
        &format!("{width} bytes")
    };
    Some(Cure {
        id: "written-size".into(),
        kind: FixKind::Look,
        basis: Basis::Assumed,
        title: format!("Make `{}` smaller: it alone takes {}", short(slice(case, cell, call)), bytes(asked)),
        why: format!("{} numbers of {each} each. Check each size: one may be in other units or have a digit too many.", sizes.join(" × ")),
        ..Cure::default()
    })
}

/// Losses and outputs that keep the graphs of all steps.
fn graphs(case: &Case<'_>) -> Option<Cure> {
    let frame = case.innermost()?;
    let python = case.python(frame.cell)?;
    let mut inner = None;
    each_stmt(python.body(), &mut |s| {
        let covers =
            python.line_of(s.start()) <= frame.line && frame.line <= python.line_of(s.end());
        if let (Stmt::For(f), true) = (s, covers) {
            inner = Some(f);
        }
    });
    let inner = inner?;
    let all: Vec<&Stmt> = {
        let mut all = Vec::new();
        each_stmt(&inner.body, &mut |s| all.push(s));
        all
    };
    let calls: Vec<&ExprCall> = all
        .iter()
        .flat_map(|s| own_exprs(s))
        .filter_map(|e| e.as_call_expr())
        .collect();
    let trains = calls.iter().any(|c| head(c) == "backward");
    let why = |what: &str| {
        format!("{what} keeps the graph of every step, and with it the tensors of the whole forward pass.")
    };
    // `total += loss`
    for s in &all {
        if let Stmt::AugAssign(a) = s {
            let text = python.slice(&*a.value);
            let lower = text.to_lowercase();
            if lower.contains("loss")
                && !lower.contains("item()")
                && !lower.contains("float(")
                && !lower.contains("detach")
            {
                let code = Code::of(python, &a.value).then(".item()");
                return case.edits(
                    Said {
                        id: "loss-item",
                        basis: Basis::Assumed,
                        title: format!("Add `{code}` instead of `{text}`"),
                        why: why(&format!("`{}`", python.slice(a.range()))),
                    },
                    vec![Change::replace(frame.cell, &*a.value, code)],
                );
            }
        }
    }
    // `outputs.append(model(x))`
    if !trains {
        let appends = calls
            .iter()
            .filter(|c| head(c) == "append" && c.arguments.args.len() == 1);
        let call = only(appends)?;
        let value = positional(call, 0)?;
        let text = python.slice(value);
        if ["detach", "item()", "cpu()", "numpy()", "tolist()"]
            .iter()
            .any(|k| text.contains(k))
        {
            return None;
        }
        return case.edits(
            Said {
                id: "detach-stored",
                basis: Basis::Assumed,
                title: format!("Store `{}.detach().cpu()`", short(text)),
                why: why(&format!("`{}`", short(python.slice(*call)))),
            },
            vec![Change::after(frame.cell, value, ".detach().cpu()")],
        );
    }
    None
}

/// A batch size that fits, according to the message's numbers.
fn batch(case: &Case<'_>) -> Option<Cure> {
    let scan = Scan::of(case);
    let keys = ["batch_size", "per_device_train_batch_size"];
    let sizes: Vec<_> = scan
        .calls
        .iter()
        .flat_map(|f| {
            keys.iter()
                .filter_map(move |k| Some((f, &keyword(f.call, k)?.value)))
        })
        .filter_map(|(f, e)| Some((f, scan.origin(f, e)?)))
        .collect();
    let largest = sizes.iter().map(|(_, o)| o.value).max()?;
    if largest < 2 {
        return None;
    }
    // One literal shared by several loaders changes them all.
    let places: Vec<_> = sizes.iter().filter(|(_, o)| o.value == largest).collect();
    let requested = fact(case, "requested_bytes")?;
    let free = fact(case, "free_bytes").filter(|n| *n > 0)?;
    // Every layer keeps its activations for the batch, so half a batch is often still too much: a
    // quarter, rounded to a power of two.
    let mut size = 1_i64 << (63 - ((largest - 1) / 2).max(1).leading_zeros());
    while size > 1 && (requested / largest).checked_mul(size)? > free {
        size /= 2;
    }
    let mut changes: Vec<Change> = places
        .iter()
        .map(|(_, o)| Change::replace(o.cell, o.expr, size.to_string()))
        .collect();
    changes.sort_by_key(|c| (c.cell, c.range.start()));
    changes.dedup();
    case.edits(
        Said {
            id: "smaller-batch",
            basis: Basis::Assumed,
            title: format!("Use batches of {size} instead of {largest}"),
            why: format!("With {largest} the last tensor takes {}, {} are free; with {size} it takes {}, and what was there before shrinks too. Accumulate gradients over {} steps to train as before.", bytes(requested), bytes(free), bytes(requested / largest * size), (largest + size - 1) / size),
        },
        changes,
    )
}
