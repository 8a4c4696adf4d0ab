//! Keys of Keras's history, which are the metric names passed to `compile`.

use crate::case::Case;
use crate::edit::{Change, Said};
use crate::keys::missing_keys;
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_python::ast::{Expr, ExprStringLiteral};
use nbmedic_python::{calls, each_expr, keyword, name_of};

/// Names of the same metric in different versions of Keras.
const SAME: &[&[&str]] = &[
    &[
        "acc",
        "accuracy",
        "binary_accuracy",
        "categorical_accuracy",
        "sparse_categorical_accuracy",
        "Accuracy",
    ],
    &["mae", "mean_absolute_error"],
    &["mse", "mean_squared_error"],
    &["mape", "mean_absolute_percentage_error"],
    &["rmse", "root_mean_squared_error"],
];

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let keys = missing_keys(case.class(), case.message());
    let [key] = keys.as_slice() else { return };
    if case.class() != "KeyError" {
        return;
    }
    let Some(known) = metrics(case) else { return };
    out.extend(renamed(case, key, &known).or_else(|| unvalidated(case, key, &known)));
}

/// The metrics of the compiled models, if all `compile` calls agree. `loss` is always included.
fn metrics(case: &Case<'_>) -> Option<Vec<String>> {
    let mut cells = case.book.before(case.at);
    cells.push(case.at);
    let mut found: Option<Vec<String>> = None;
    for python in cells.iter().filter_map(|c| case.python(*c)) {
        for call in calls(python.body()) {
            if !name_of(&call.func).is_some_and(|n| n.ends_with(".compile")) {
                continue;
            }
            let mut names = vec!["loss".to_owned()];
            if let Some(k) = keyword(call, "metrics") {
                match &k.value {
                    Expr::List(l) => {
                        for e in &l.elts {
                            names.push(metric(e)?);
                        }
                    }
                    other => names.push(metric(other)?),
                }
            }
            match &found {
                Some(known) if *known != names => return None,
                _ => found = Some(names),
            }
        }
    }
    found
}

/// The name of a metric in the history.
fn metric(expr: &Expr) -> Option<String> {
    match expr {
        Expr::StringLiteral(s) => Some(s.value.to_str().to_owned()),
        Expr::Name(n) => Some(n.id.to_string()),
        Expr::Attribute(a) => Some(a.attr.to_string()),
        Expr::Call(c) => {
            if let Some(k) = keyword(c, "name") {
                return Some(k.value.as_string_literal_expr()?.value.to_str().to_owned());
            }
            let class = name_of(&c.func)?;
            let class = class.rsplit('.').next().unwrap_or(&class).to_owned();
            Some(snake(&class))
        }
        _ => None,
    }
}

/// `BinaryAccuracy` → `binary_accuracy`.
fn snake(class: &str) -> String {
    let mut out = String::new();
    let mut lower = false;
    for c in class.chars() {
        if c.is_ascii_uppercase() && lower {
            out.push('_');
        }
        lower = c.is_ascii_lowercase();
        out.push(c.to_ascii_lowercase());
    }
    out
}

fn split(key: &str) -> (&str, &str) {
    match key.strip_prefix("val_") {
        Some(rest) => ("val_", rest),
        None => ("", key),
    }
}

/// The metric that a key refers to.
fn meant<'k>(key: &str, known: &'k [String]) -> Option<&'k str> {
    let (_, plain) = split(key);
    if known.iter().any(|k| k == plain) {
        return None;
    }
    let family = SAME.iter().find(|f| f.contains(&plain));
    let mut same = known
        .iter()
        .filter(|k| family.is_some_and(|f| f.contains(&k.as_str())));
    if let Some(first) = same.next() {
        return same.next().is_none().then_some(first.as_str());
    }
    crate::closest::closest(plain, known.iter().map(String::as_str))
}

/// String subscripts in the failing cell and where the error originated.
fn indexes<'c>(case: &'c Case<'_>) -> Vec<(usize, &'c ExprStringLiteral)> {
    let mut cells = vec![case.at];
    cells.extend(case.innermost().map(|f| f.cell).filter(|c| *c != case.at));
    let mut out = Vec::new();
    for cell in cells {
        let Some(python) = case.python(cell) else {
            continue;
        };
        each_expr(python.body(), &mut |e| {
            let index = e.as_subscript_expr().filter(|s| s.ctx.is_load());
            let string = index.and_then(|s| s.slice.as_string_literal_expr());
            out.extend(string.map(|s| (cell, s)));
        });
    }
    out
}

fn renamed(case: &Case<'_>, key: &str, known: &[String]) -> Option<Cure> {
    let by = meant(key, known)?.to_owned();
    let all = indexes(case);
    if !all.iter().any(|(_, s)| s.value.to_str() == key) {
        return None;
    }
    let mut changes = Vec::new();
    for (cell, s) in &all {
        let value = s.value.to_str();
        let (prefix, plain) = split(value);
        // All keys of this kind are wrong in the same way.
        if let Some(right) = meant(value, known).filter(|_| plain == split(key).1) {
            let text = case.python(*cell)?.slice(*s);
            let quote = text.chars().next_back()?;
            changes.push(Change::replace(
                *cell,
                *s,
                format!("{quote}{prefix}{right}{quote}"),
            ));
        }
    }
    let (prefix, _) = split(key);
    let said = Said {
        id: "history-key",
        basis: Basis::Library,
        title: format!("Replace `'{key}'` by `'{prefix}{by}'`"),
        why: format!(
            "The history uses the names of `metrics=` in `compile(…)`: there it is `{by}`."
        ),
    };
    case.edits(said, changes)
}

/// A `val_` key, although the training had no validation data.
fn unvalidated(case: &Case<'_>, key: &str, known: &[String]) -> Option<Cure> {
    let plain = key.strip_prefix("val_")?;
    if !known.iter().any(|k| k == plain)
        || !indexes(case).iter().any(|(_, s)| s.value.to_str() == key)
    {
        return None;
    }
    let mut cells = case.book.before(case.at);
    cells.push(case.at);
    for cell in cells.into_iter().rev() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let fit = calls(python.body())
            .into_iter()
            .rfind(|c| name_of(&c.func).is_some_and(|n| n.ends_with(".fit")));
        let Some(fit) = fit else { continue };
        if keyword(fit, "validation_data").is_some() || keyword(fit, "validation_split").is_some() {
            return None;
        }
        let path = name_of(&fit.func)?;
        let line = python.line_of(fit.range.start());
        let place = case.position(cell);
        return Some(Cure {
            id: "history-validation".into(),
            kind: FixKind::Look,
            basis: Basis::Assumed,
            title: format!("Give `{path}(…)` in cell {place} `validation_data` (or `validation_split=0.2`), or leave `'{key}'` out"),
            why: format!("Line {line} of cell {place} trains without validation data, so the history has no `val_` keys."),
            ..Cure::default()
        });
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired};

    const COMPILE: &str = "model.compile(loss='mse', optimizer='adam', metrics=['accuracy'])";

    #[test]
    fn keys_take_the_names_of_the_metrics() {
        let cells = [
            COMPILE,
            "h = model.fit(x, y, validation_split=0.1)",
            "plt.plot(h.history['loss'])\nplt.plot(h.history['acc'])\nplt.plot(h.history[\"val_acc\"])",
        ];
        let e = ipython("KeyError", &[(3, 2, "plt.plot(h.history['acc'])")], "'acc'");
        assert_eq!(
            repaired(&cells, &e),
            "plt.plot(h.history['loss'])\nplt.plot(h.history['accuracy'])\nplt.plot(h.history[\"val_accuracy\"])"
        );
        let made = [
            "model.compile(metrics=[tf.keras.metrics.BinaryAccuracy()])",
            "h.history['accuracy']",
        ];
        let e = ipython("KeyError", &[(2, 1, made[1])], "'accuracy'");
        assert_eq!(repaired(&made, &e), "h.history['binary_accuracy']");
    }

    #[test]
    fn a_training_without_validation_is_named() {
        let cells = [
            COMPILE,
            "h = model.fit(x, y)",
            "plt.plot(h.history['val_loss'])",
        ];
        let e = ipython("KeyError", &[(3, 1, cells[2])], "'val_loss'");
        let cures = cures_of(&cells, &e);
        assert_eq!(cures.len(), 1);
        assert!(cures[0].title.contains("`model.fit(…)` in cell 2"));
        // Models with different metrics: nothing is certain.
        let cells = [COMPILE, "m.compile(metrics=['mae'])", "h.history['acc']"];
        let e = ipython("KeyError", &[(3, 1, cells[2])], "'acc'");
        assert!(cures_of(&cells, &e).is_empty());
    }
}
