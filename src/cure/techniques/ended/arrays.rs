//! Arrays: shapes written in the cell, dtypes wider than the values need, stored zeros.

use super::super::shapes::memory::{bytes, kept_sparse};
use super::scene::Scene;
use crate::edit::{Change, Said};
use crate::find::{add_argument, callee, int_of, name, one_line, receiver, text_of};
use crate::known::Set;
use crate::sized::{Sources, MAX_STEPS};
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::ast::{Expr, ExprBinOp, ExprCall, Number, Operator, Stmt};
use nbmedic_python::{each_expr, keyword, positional, Ranged};
use nbmedic_values::{width, Model};

/// Minimum size of an array worth mentioning, in bytes.
const LARGE: i64 = 1 << 30;

/// NumPy's functions that take a shape, then a type.
const OF_SHAPE: &[&str] = &["zeros", "ones", "empty", "full"];
/// Functions that compute one number per pair of rows.
const PAIRS: &[&str] = &[
    "cosine_similarity",
    "linear_kernel",
    "pairwise_distances",
    "euclidean_distances",
    "manhattan_distances",
    "cosine_distances",
    "rbf_kernel",
    "sigmoid_kernel",
];

pub(super) fn offer(scene: &Scene<'_>, out: &mut Vec<Cure>) {
    out.extend(written(scene));
    for stmt in &scene.stmts {
        let here = (scene.cell, scene.python, *stmt);
        // If there is a message, the shape techniques have covered it.
        if !scene.exact {
            out.extend(kept_sparse(scene.case, here));
        }
        if let Stmt::Assign(a) = stmt {
            out.extend(divided(scene, &a.value));
        }
        each_expr(std::slice::from_ref(*stmt), &mut |e| {
            if let Expr::Call(c) = e {
                out.extend(dense(scene, c));
                out.extend(pairs(scene, c));
                out.extend(widened(scene, c));
                out.extend(one_hot(scene, c));
            }
        });
    }
}

/// The item size in bytes and the shape of a new array.
fn made<'c>(
    scene: &Scene<'c>,
    model: &Model<'_, 'c>,
    (cell, call): (usize, &'c ExprCall),
) -> Option<(i64, Vec<i64>)> {
    let path = scene.case.path_of(&call.func)?;
    let library = path.split('.').next()?;
    let on = keyword(call, "device").is_none();
    if !matches!(library, "numpy" | "torch") || !on {
        return None;
    }
    let value = model.made_new(cell, call, None)?;
    Some((width(&value.dtype)?, value.shape()?))
}

/// The largest array whose shape is written in the cell: in 32 bits if that fits; otherwise the
/// number of rows that do.
fn written(scene: &Scene<'_>) -> Option<Cure> {
    if scene.exact {
        return None;
    }
    let sources = Sources(scene.case);
    let model = Model::new(&sources, MAX_STEPS);
    let calls = nbmedic_python::calls(scene.python.body());
    let sized = calls.into_iter().filter_map(|call| {
        let (width, sizes) = made(scene, &model, (scene.cell, call))?;
        let sizes = Some(sizes).filter(|all| !all.is_empty() && all.iter().all(|n| *n > 0))?;
        let all = sizes.iter().try_fold(width, |n, m| n.checked_mul(*m))?;
        Some((all, width, sizes, call))
    });
    let (all, width, sizes, call) = sized.max_by_key(|(all, ..)| *all)?;
    let room = scene.room();
    if all < LARGE.max(room.unwrap_or(0) / 4) {
        return None;
    }
    let was = one_line(scene.python.slice(call));
    let times: Vec<String> = sizes.iter().map(i64::to_string).collect();
    let arithmetic = format!(
        "{} numbers of {width} bytes each are {}{}.",
        times.join(" × "),
        bytes(all),
        scene.of_room()
    );
    let of = callee(call)?;
    let halved = width == 8 && OF_SHAPE.contains(&of) && call.arguments.keywords.is_empty();
    let np = scene.case.alias_of("numpy");
    if let (true, Some(np), true) = (halved, np, room.is_none_or(|room| all / 2 < room / 10 * 8)) {
        return scene.case.edits(
            Said {
                id: "float32",
                basis: Basis::Assumed,
                title: format!("Use 32 bits: `dtype={np}.float32` in `{was}`"),
                why: format!(
                    "{arithmetic} With 32 bits they take {}, and hold 7 digits instead of 16.",
                    bytes(all / 2)
                ),
            },
            vec![add_argument(
                scene.cell,
                scene.python,
                call,
                &format!("dtype={np}.float32"),
            )],
        );
    }
    let row = all / sizes[0];
    let fits = room.map(|room| room / 2 / row).filter(|n| *n > 0);
    let rows = fits.map_or(String::new(), |n| {
        format!(" Half of the memory holds {n} along the first axis: work in parts of so many.")
    });
    Some(Cure {
        id: "written-size".into(),
        kind: FixKind::Look,
        basis: Basis::Assumed,
        title: format!("Make `{was}` smaller: it alone takes {}", bytes(all)),
        why: format!("{arithmetic}{rows}"),
        ..Cure::default()
    })
}

/// Whether the code that created a value shows that it is a NumPy array.
fn is_array(scene: &Scene<'_>, expr: &Expr) -> bool {
    let made = |e: &Expr| {
        let Some(call) = e.as_call_expr() else {
            return false;
        };
        let array = matches!(
            callee(call),
            Some("array" | "asarray" | "stack" | "concatenate" | "load" | "reshape")
        );
        let path = || {
            scene
                .case
                .path_of(&call.func)
                .is_some_and(|p| p.starts_with("numpy."))
        };
        callee(call) == Some("load_data") || array && (path() || callee(call) == Some("reshape"))
    };
    if made(expr) {
        return true;
    }
    // The dividing statement may reassign the name.
    let other =
        |s: &Set<'_>| s.cell != scene.cell || !s.binding.stmt.range().contains_range(expr.range());
    let mut sets = name(expr).map_or(Vec::new(), |n| scene.case.set_before(n));
    sets.retain(other);
    let set = sets.first();
    // `(x_train, y_train), _ = mnist.load_data()` assigns several names.
    set.is_some_and(|s| match s.binding.stmt {
        Stmt::Assign(a) => made(&a.value),
        _ => false,
    })
}

/// `x = x / 255.0` → `x = np.divide(x, 255.0, dtype=np.float32)`.
fn divided(scene: &Scene<'_>, value: &Expr) -> Option<Cure> {
    let Expr::BinOp(ExprBinOp {
        left,
        right,
        op: Operator::Div,
        ..
    }) = value
    else {
        return None;
    };
    let of = match &right.as_number_literal_expr()?.value {
        Number::Int(n) => n.as_i64()?,
        Number::Float(f) if f.fract() == 0.0 && *f < 1e6 => *f as i64,
        _ => return None,
    };
    let np = scene.case.alias_of("numpy")?;
    let typed = left
        .as_call_expr()
        .is_some_and(|c| callee(c) == Some("astype") || keyword(c, "dtype").is_some());
    if ![255, 256, 65535].contains(&of) || typed || !is_array(scene, left) {
        return None;
    }
    let python = scene.python;
    let (was, by) = (python.slice(&**left), python.slice(&**right));
    scene.case.edits(
        Said {
            id: "divided-in-32-bits",
            basis: Basis::Assumed,
            title: format!("Divide in 32 bits: `{np}.divide({}, {by}, dtype={np}.float32)`", one_line(was)),
            why: "A picture's values take 1 byte each. Divided, they become 64-bit numbers, eight times as much; with 32 bits it is four times, and models calculate with no more.".into(),
        },
        vec![Change::replace(scene.cell, value, format!("{np}.divide({was}, {by}, dtype={np}.float32)"))],
    )
}

/// `x.astype(float)` → `x.astype("float32")`.
fn widened(scene: &Scene<'_>, call: &ExprCall) -> Option<Cure> {
    let wide = positional(call, 0).filter(|_| callee(call) == Some("astype"))?;
    let is_wide = matches!(
        scene.python.slice(wide),
        "float" | "np.float64" | "'float64'" | "\"float64\""
    );
    // If the cell died for another reason, its dtypes don't matter.
    let large = scene.exact || scene.ended.memory;
    if !is_wide || !large {
        return None;
    }
    let was = one_line(scene.python.slice(call));
    scene.case.edits(
        Said {
            id: "astype-32-bits",
            basis: Basis::Assumed,
            title: format!("Use 32 bits instead of 64 in `{was}`"),
            why: "Each number takes 4 bytes instead of 8, and holds 7 digits instead of 16.".into(),
        },
        vec![Change::replace(scene.cell, wide, "\"float32\"")],
    )
}

/// `OneHotEncoder(sparse_output=False)` and `pd.get_dummies(df)`, which store every zero.
fn dense(scene: &Scene<'_>, call: &ExprCall) -> Option<Cure> {
    let why = "Of each row's new columns nearly all are zeros, which a sparse matrix leaves out.";
    let said = |title: &str, why: String| Said {
        id: "kept-sparse",
        basis: Basis::Assumed,
        title: title.to_owned(),
        why,
    };
    match callee(call)? {
        "OneHotEncoder" => {
            let sparse = keyword(call, "sparse_output").or_else(|| keyword(call, "sparse"))?;
            sparse.value.as_boolean_literal_expr().filter(|b| !b.value)?;
            scene.case.edits(
                said("Let the encoder make a sparse matrix", format!("{why} Most estimators of scikit-learn take it as it is.")),
                vec![Change::replace(scene.cell, &sparse.value, "True")],
            )
        }
        "get_dummies" if keyword(call, "sparse").is_none() => scene.case.edits(
            said("Make the dummy columns sparse", format!("{why} A column with as many values as rows, such as an id, is better left out.")),
            vec![add_argument(scene.cell, scene.python, call, "sparse=True")],
        ),
        _ => None,
    }
}

/// Similarities of all pairs of rows: computes each row's nearest neighbours instead.
fn pairs(scene: &Scene<'_>, call: &ExprCall) -> Option<Cure> {
    let of = callee(call).filter(|n| PAIRS.contains(n))?;
    let path = scene.case.path_of(&call.func)?;
    let rows = positional(call, 0).filter(|_| path.starts_with("sklearn.metrics.pairwise"))?;
    let other = positional(call, 1);
    let same = other.is_none_or(|o| scene.python.slice(o) == scene.python.slice(rows));
    let matrix = name(rows).filter(|_| same)?;
    let metric = match of {
        "cosine_similarity" | "cosine_distances" | "linear_kernel" => ", metric=\"cosine\"",
        "euclidean_distances" | "pairwise_distances" => "",
        _ => return None,
    };
    let mut cure = Cure {
        id: "nearest-only".into(),
        kind: FixKind::Look,
        basis: Basis::Assumed,
        title: format!("Look for the nearest rows of `{matrix}` instead of comparing all pairs"),
        why: format!("`{of}({matrix})` makes a number for each pair of rows: 10,000 rows take 763 MiB, 50,000 take 18.6 GiB, 100,000 take 74.5 GiB. The ten nearest of each row take next to nothing."),
        language: "python".into(),
        ..Cure::default()
    };
    cure.code = format!("from sklearn.neighbors import NearestNeighbors\n\nnearest = NearestNeighbors(n_neighbors=11{metric}).fit({matrix})\ndistances, indices = nearest.kneighbors({matrix})  # the first of each row is itself");
    Some(cure)
}

/// `to_categorical(y)` of words in texts: uses integer labels and the loss for them.
fn one_hot(scene: &Scene<'_>, call: &ExprCall) -> Option<Cure> {
    let labels = positional(call, 0).filter(|_| callee(call) == Some("to_categorical"))?;
    let many = keyword(call, "num_classes")
        .map(|k| &k.value)
        .or_else(|| positional(call, 1))?;
    // Ten image classes don't fill the memory; a vocabulary does.
    if int_of(many).is_some_and(|n| n < 1000) {
        return None;
    }
    let mut changes = vec![Change::replace(
        scene.cell,
        call,
        scene.python.slice(labels),
    )];
    let mut losses = Vec::new();
    for at in 0..scene.case.book.cells().len() {
        let Some(python) = scene.case.python(at) else {
            continue;
        };
        each_expr(python.body(), &mut |e| {
            if text_of(e) == Some("categorical_crossentropy") {
                losses.push(Change::replace(
                    at,
                    e,
                    "\"sparse_categorical_crossentropy\"",
                ));
            }
        });
    }
    let compiled = losses.len() == 1;
    if losses.len() > 1
        || receiver(call).is_none()
            && !scene.case.imports("keras")
            && !scene.case.imports("tensorflow")
    {
        return None;
    }
    changes.extend(losses);
    let named = one_line(scene.python.slice(many));
    let loss = if compiled {
        ""
    } else {
        " Compile the model with `loss=\"sparse_categorical_crossentropy\"`."
    };
    scene.case.edits(
        Said {
            id: "labels-as-numbers",
            basis: Basis::Assumed,
            title: "Leave the labels as numbers, and use `sparse_categorical_crossentropy`".into(),
            why: format!("`to_categorical` writes `{named}` numbers for each label, all but one of them zero. The sparse loss takes the label itself, and calculates the same.{loss}"),
        },
        changes,
    )
}
