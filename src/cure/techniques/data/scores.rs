//! Multi-class scores where two classes are expected; penalties that a solver doesn't support.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{add_argument, callee, name, only, quoted, said, set_keyword, text_of};
use crate::written::{listed, written};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, keyword};
use nbmedic_wordings::sklearn;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() != "ValueError" {
        return;
    }
    let all: [fn(&Case<'_>) -> Option<Cure>; 4] = [penalty, average, multi_class, positive];
    out.extend(all.iter().find_map(|f| f(case)));
}

/// Logistic regression: a solver that doesn't support the penalty.
fn penalty(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    let about = message.contains("penalt") && message.contains("got ");
    about.then_some(())?;
    let is_text = |e: &Expr| text_of(e).is_some() || e.is_none_literal_expr();
    let made = only(written(case, "penalty", &is_text).into_iter())?;
    let wanted = text_of(made.value)?;
    let call = made.call?;
    let shown = callee(call)?;
    let python = made.python;
    let solver = keyword(call, "solver").and_then(|k| text_of(&k.value));
    let set_solver = |to: &str| set_keyword(made.cell, python, call, "solver", &quoted(to));
    if message.contains("supports only penalties in") {
        // In an old release, no solver supports it.
        let allowed = listed(message.split_once("penalties in")?.1.split_once(", got")?.0);
        let fits = |p: &str| allowed.contains(&p);
        let both = solver.is_none_or(|s| matches!(s, "liblinear" | "saga"));
        let new = if fits("l1") && both { "l1" } else { "l2" };
        fits(new).then_some(())?;
        let others: Vec<String> = allowed.iter().map(|a| format!("`{a}`")).collect();
        return case.edits(
            said(
                "allowed-value",
                Basis::Assumed,
                format!("Replace `penalty=\"{wanted}\"` by `penalty=\"{new}\"`"),
                format!("This release's `{shown}` has {}. Choose one: `l1` makes weights zero, `l2` makes them small.", others.join(" and ")),
            ),
            vec![Change::replace(made.cell, made.value, quoted(new))],
        );
    }
    match wanted {
        "l1" => case.edits(
            said(
                "allowed-value",
                Basis::Assumed,
                format!("Set `solver=\"liblinear\"` in `{shown}`"),
                format!(
                    "The solver `{}` can't do `l1`; `liblinear` and `saga` can.",
                    solver.unwrap_or("lbfgs")
                ),
            ),
            vec![set_solver("liblinear")],
        ),
        "elasticnet" => {
            let mut changes = vec![set_solver("saga")];
            if keyword(call, "l1_ratio").is_none() {
                let ratio = add_argument(made.cell, python, call, "l1_ratio=0.5");
                match changes[0].range == ratio.range {
                    true => changes[0].text.push_str(", l1_ratio=0.5"),
                    false => changes.push(ratio),
                }
            }
            case.edits(
                said(
                    "allowed-value",
                    Basis::Assumed,
                    format!("Set `solver=\"saga\"` and an `l1_ratio` in `{shown}`"),
                    "Only `saga` can do `elasticnet`. The choice is `l1_ratio`: 0 is all `l2`, 1 all `l1`.".to_owned(),
                ),
                changes,
            )
        }
        "none" => case.edits(
            said(
                "allowed-value",
                Basis::Assumed,
                "Replace `penalty=\"none\"` by `penalty=None`".to_owned(),
                "Releases since 1.2 take `None` itself.".to_owned(),
            ),
            vec![Change::replace(made.cell, made.value, "None")],
        ),
        _ => None,
    }
}

/// Binary metrics that receive more classes.
fn average(case: &Case<'_>) -> Option<Cure> {
    sklearn::BINARY_AVERAGE.read(case.message())?;
    const SCORES: &[&str] = &[
        "precision_score",
        "recall_score",
        "f1_score",
        "fbeta_score",
        "jaccard_score",
    ];
    let cell = case.innermost().map_or(case.at, |f| f.cell);
    let python = case.python(cell)?;
    let binary = |e: &Expr| text_of(e) == Some("binary");
    let all: Vec<&ExprCall> = calls(python.body())
        .into_iter()
        .filter(|c| callee(c).is_some_and(|n| SCORES.contains(&n)))
        .filter(|c| keyword(c, "average").is_none_or(|k| binary(&k.value)))
        .collect();
    if !all.is_empty() {
        let list: Vec<String> = all
            .iter()
            .filter_map(|c| callee(c))
            .map(|c| format!("`{c}`"))
            .collect();
        let mut list = list;
        list.dedup();
        let changes = all
            .iter()
            .map(|c| set_keyword(cell, python, c, "average", "\"weighted\""))
            .collect();
        return case.edits(
            said(
                "average",
                Basis::Assumed,
                format!("Add `average=\"weighted\"` to {}", list.join(", ")),
                "There are more than two classes. The choice: `weighted` counts each class by its size, `macro` counts them alike, `micro` counts all samples together.".to_owned(),
            ),
            changes,
        );
    }
    let short = |e: &Expr| matches!(text_of(e), Some("f1" | "precision" | "recall" | "jaccard"));
    let scoring = only(written(case, "scoring", &short).into_iter())?;
    let value = text_of(scoring.value)?;
    case.edits(
        said(
            "average",
            Basis::Assumed,
            format!("Replace `scoring=\"{value}\"` by `scoring=\"{value}_weighted\"`"),
            "There are more than two classes. `_macro` would count them alike.".to_owned(),
        ),
        vec![Change::replace(
            scoring.cell,
            scoring.value,
            quoted(&format!("{value}_weighted")),
        )],
    )
}

/// `roc_auc_score` with several classes.
fn multi_class(case: &Case<'_>) -> Option<Cure> {
    sklearn::MULTI_CLASS.begins(case.message()).then_some(())?;
    let spot = case.spot()?;
    let call = spot.call("roc_auc_score")?;
    let scores = call.arguments.args.get(1)?;
    let text = spot.python.slice(scores);
    let mut changes = vec![set_keyword(
        spot.cell,
        spot.python,
        call,
        "multi_class",
        "\"ovr\"",
    )];
    // It needs one probability per class.
    let predicted = match name(scores) {
        Some(n) => case.value(n),
        None => Some((spot.cell, scores)),
    };
    if let Some((cell, Expr::Call(c))) = predicted {
        let method = c
            .func
            .as_attribute_expr()
            .filter(|_| callee(c) == Some("predict"));
        match method.zip(case.python(cell)) {
            Some((method, _)) if name(scores).is_none() => {
                changes.push(Change::replace(cell, &method.attr, "predict_proba"));
            }
            // The classes may be needed elsewhere, so request the probabilities here.
            Some((method, python)) => {
                let on = python.slice(&*method.value);
                let given = python.slice(&c.arguments);
                changes.push(Change::replace(
                    spot.cell,
                    scores,
                    format!("{on}.predict_proba{given}"),
                ));
            }
            None => {}
        }
    }
    case.edits(
        said(
            "allowed-value",
            Basis::Assumed,
            "Add `multi_class=\"ovr\"` to `roc_auc_score`".to_owned(),
            format!("With more than two classes each is compared with the rest. `{text}` must then be `predict_proba(…)`, a column for each class."),
        ),
        changes,
    )
}

/// `pos_label=1 is not a valid label. It should be one of ['No' 'Yes']`.
fn positive(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    let list = match sklearn::POSITIVE_LABEL.read(message) {
        Some([_, list]) => list,
        None => sklearn::UNNAMED_POSITIVE_LABEL.read(message)?[0],
    };
    let labels = listed(list);
    let yes = [
        "yes",
        "true",
        "1",
        "pos",
        "positive",
        "y",
        "spam",
        "malignant",
        "m",
    ];
    let label = labels
        .iter()
        .find(|l| yes.contains(&l.to_ascii_lowercase().as_str()))
        .or(labels.last())?;
    let cell = case.innermost().map_or(case.at, |f| f.cell);
    let python = case.python(cell)?;
    const TAKES: &[&str] = &[
        "precision_score",
        "recall_score",
        "f1_score",
        "fbeta_score",
        "jaccard_score",
        "roc_curve",
        "precision_recall_curve",
        "average_precision_score",
        "brier_score_loss",
    ];
    let all: Vec<&ExprCall> = calls(python.body())
        .into_iter()
        .filter(|c| {
            callee(c).is_some_and(|n| TAKES.contains(&n)) && keyword(c, "average").is_none()
        })
        .collect();
    let changes = all
        .iter()
        .map(|c| set_keyword(cell, python, c, "pos_label", &quoted(label)))
        .collect();
    case.edits(
        said(
            "allowed-value",
            Basis::Assumed,
            format!(
                "Say which class counts as positive: `pos_label={}`",
                quoted(label)
            ),
            format!(
                "The classes are {}; the choice is which one the score is about.",
                labels
                    .iter()
                    .map(|l| format!("`{l}`"))
                    .collect::<Vec<_>>()
                    .join(" and ")
            ),
        ),
        changes,
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::repaired_first as at;

    #[test]
    fn a_penalty_gets_a_solver_that_has_it() {
        let cells = ["m = LogisticRegression(penalty='l1')\nz = 1", "m.fit(X, y)"];
        assert_eq!(
            at(
                &cells,
                "ValueError",
                "Solver lbfgs supports only 'l2' or None penalties, got l1 penalty."
            ),
            "m = LogisticRegression(penalty='l1', solver=\"liblinear\")\nz = 1"
        );
        let cells = ["m = LogisticRegression(penalty='elasticnet', solver='liblinear').fit(X, y)"];
        assert_eq!(
            at(
                &cells,
                "ValueError",
                "Only 'saga' solver supports elasticnet penalty, got solver=liblinear."
            ),
            "m = LogisticRegression(penalty='elasticnet', solver=\"saga\", l1_ratio=0.5).fit(X, y)"
        );
        assert_eq!(
            at(
                &cells,
                "ValueError",
                "Logistic Regression supports only penalties in ['l1', 'l2'], got elasticnet."
            ),
            "m = LogisticRegression(penalty=\"l1\", solver='liblinear').fit(X, y)"
        );
    }

    #[test]
    fn scores_of_several_classes() {
        let cells = ["p = precision_score(y, z)\nf = f1_score(y, z)"];
        assert_eq!(
            at(&cells, "ValueError", "Target is multiclass but average='binary'. Please choose another average setting, one of [None, 'micro', 'macro', 'weighted']."),
            "p = precision_score(y, z, average=\"weighted\")\nf = f1_score(y, z, average=\"weighted\")"
        );
        let cells = ["f = f1_score(y, z)"];
        assert_eq!(
            at(
                &cells,
                "ValueError",
                "pos_label=1 is not a valid label: It should be one of ['No' 'Yes']"
            ),
            "f = f1_score(y, z, pos_label=\"Yes\")"
        );
        let cells = ["a = roc_auc_score(y, m.predict(X))"];
        assert_eq!(
            at(
                &cells,
                "ValueError",
                "multi_class must be in ('ovo', 'ovr')"
            ),
            "a = roc_auc_score(y, m.predict_proba(X), multi_class=\"ovr\")"
        );
        let cells = ["p = m.predict(X)\nprint(p)", "a = roc_auc_score(y, p)"];
        assert_eq!(
            at(
                &cells,
                "ValueError",
                "multi_class must be in ('ovo', 'ovr')"
            ),
            "a = roc_auc_score(y, m.predict_proba(X), multi_class=\"ovr\")"
        );
    }
}
