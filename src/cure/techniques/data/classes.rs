//! Class labels: scores where a metric expects classes, continuous targets for classifiers, class numbers that don't
//! start at 0.

use crate::book::BookCell;
use crate::case::Case;
use crate::edit::Change;
use crate::feed::Feed;
use crate::find::{callee, lines_before, look, name, one_line, receiver, said, text_of, tight};
use crate::table::Kind;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{calls, each_expr, keyword, positional};
use nbmedic_wordings::sklearn;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if case.class() == "ValueError" {
        out.extend(
            mixed(case)
                .or_else(|| label_type(case))
                .or_else(|| class_numbers(case)),
        );
    }
}

/// A class of one row that is another one, written otherwise: `spam ` and `Spam` for `spam`.
pub(super) fn spelled(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    if !sklearn::RARE_CLASS.begins(message) {
        return None;
    }
    let spot = case.spot()?;
    let of = &keyword(spot.call("train_test_split")?, "stratify")?.value;
    let made = case.made(spot.cell, of)?;
    let column = made.expr.as_subscript_expr()?;
    text_of(&column.slice).filter(|_| name(&column.value).is_some())?;
    let quoted = |text: &str| -> Vec<String> {
        let parts = text.split('\'').skip(1).step_by(2);
        parts.map(str::to_owned).collect()
    };
    // Later releases name the classes.
    let rare = message.split_once("members are: ");
    let rare = rare.map_or_else(Vec::new, |(_, list)| quoted(list));
    let mut labels: Vec<String> = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        let BookCell { source, output, .. } = case.book.cells()[cell];
        if source.contains("value_counts(") || source.contains("unique(") {
            for line in output.lines() {
                let counted = line.rsplit_once(' ').map(|(label, _)| label.trim_end());
                match line.contains('\'') {
                    true => labels.extend(quoted(line)),
                    false => labels.extend(counted.map(str::to_owned)),
                }
            }
        }
        if !rare.is_empty() {
            each_expr(python.body(), &mut |e| {
                labels.extend(text_of(e).map(str::to_owned))
            });
        }
    }
    let plain = |t: &str| t.trim().to_lowercase();
    let odd = match rare.is_empty() {
        true => labels.clone(),
        false => rare,
    };
    let same = |a: &str| {
        let alike = |b: &&String| *b != a && !a.is_empty() && plain(b) == plain(a);
        labels.iter().find(alike)
    };
    let (one, usual) = odd.iter().find_map(|a| Some((a, same(a)?)))?;
    // One pair that differs in capitals is enough: all labels are written alike.
    let capitals = odd.iter().any(|a| {
        let alike = |b: &&String| plain(b) == plain(a) && b.trim() != a.trim();
        labels.iter().any(|b| alike(&b))
    });
    let mut tail = String::from(".str.strip()");
    if capitals {
        tail += match usual.trim() {
            t if t == t.to_lowercase() => ".str.lower()",
            t if t == t.to_uppercase() => ".str.upper()",
            _ => ".str.title()",
        };
    }
    let python = case.python(made.cell)?;
    let text = python.slice(column);
    let stmt = crate::find::statement_of(python, column.range)?;
    let line = format!("{text} = {text}{tail}");
    case.edits(
        said(
            "one-spelling",
            Basis::Assumed,
            format!("Write the labels alike: `{line}`"),
            format!("`{one}` and `{usual}` count as two classes: they differ only in blanks or capitals."),
        ),
        vec![lines_before(made.cell, python, stmt, &line)],
    )
}

/// Metrics that compare classes.
const CLASS_METRICS: &[&str] = &[
    "accuracy_score",
    "balanced_accuracy_score",
    "classification_report",
    "cohen_kappa_score",
    "confusion_matrix",
    "f1_score",
    "fbeta_score",
    "hamming_loss",
    "jaccard_score",
    "matthews_corrcoef",
    "precision_score",
    "precision_recall_fscore_support",
    "recall_score",
    "zero_one_loss",
];

/// The call that created an estimator, with its cell: `RandomForestClassifier(…)`.
fn maker<'c>(
    case: &'c Case<'_>,
    estimator: &'c Expr,
    cell: usize,
) -> Option<(usize, &'c ExprCall)> {
    let class =
        |c: &ExprCall| callee(c).is_some_and(|n| n.starts_with(|l: char| l.is_ascii_uppercase()));
    let (cell, value) = match name(estimator) {
        Some(n) => case.value(n)?,
        None => (cell, estimator),
    };
    let call = value.as_call_expr()?;
    if class(call) {
        return Some((cell, call));
    }
    // `Ridge().fit(X, y)`
    let inner = receiver(call)?
        .as_call_expr()
        .filter(|_| callee(call) == Some("fit"))?;
    class(inner).then_some((cell, inner))
}

/// Whether a value has one column per class: predicted probabilities or one-hot, judged by its call
/// or its name.
fn has_classes(call: Option<&ExprCall>, shown: &str) -> bool {
    const MAKERS: &[&str] = &[
        "decision_function",
        "fit_transform",
        "get_dummies",
        "one_hot",
        "softmax",
        "to_categorical",
    ];
    let made = call.and_then(callee);
    let predicted = |n: &str| n.starts_with("predict") || MAKERS.contains(&n);
    let said = shown.to_ascii_lowercase();
    made.is_some_and(predicted)
        || [
            "pred", "prob", "score", "logit", "hat", "one_hot", "onehot", "y_", "label",
        ]
        .iter()
        .any(|w| said.contains(w))
}

/// `Classification metrics can't handle a mix of binary and continuous targets`.
fn mixed(case: &Case<'_>) -> Option<Cure> {
    let [truth, predicted] = sklearn::MIXED_TARGETS.read(case.message())?;
    let cell = case.innermost().map_or(case.at, |f| f.cell);
    let python = case.python(cell)?;
    let spot = case.spot()?;
    let metric = |c: &&ExprCall| callee(c).is_some_and(|n| CLASS_METRICS.contains(&n));
    let first = spot.calls().find(metric)?;
    let hard = |t: &str| t.starts_with("continuous") || t.starts_with("multilabel");
    let at = match (hard(truth), hard(predicted)) {
        (false, true) => 1,
        (true, false) => 0,
        // Both are one-hot or probabilities: convert the true values next.
        (true, true) if predicted.starts_with("continuous-multi") => 1,
        _ => return None,
    };
    let wrong = positional(first, at)
        .or_else(|| keyword(first, ["y_true", "y_pred"][at]).map(|k| &k.value))?;
    let kind = [truth, predicted][at];
    let other = [predicted, truth][at];
    let shown = python.slice(wrong);
    if kind == "continuous" && at == 0 && !shown.to_ascii_lowercase().contains("pred") {
        return Some(look(
            "regression-score",
            format!("Score `{shown}` with a measure of regression, such as `r2_score`"),
            format!(
                "`{shown}` holds measurements, and `{}` compares classes.",
                callee(first)?
            ),
        ));
    }
    // The source of the predictions tells what they are.
    let source = match name(wrong) {
        Some(n) => case.value(n),
        None => Some((cell, wrong)),
    };
    let call = source.and_then(|(c, e)| Some((c, e.as_call_expr()?)));
    let made = call.and_then(|(c, call)| maker(case, receiver(call)?, c));
    let class = made.and_then(|(_, c)| callee(c));
    let regressor = class.filter(|c| c.contains("Regress") && *c != "LogisticRegression");
    let text = tight(python, wrong);
    if kind != "continuous" && !has_classes(call.map(|(_, c)| c), shown) {
        return None;
    }
    let (to, how) = match (kind, other) {
        ("continuous", "binary") => (format!("({text} > 0.5).astype(int)"), "Probabilities above 0.5 count as class 1; the choice is that threshold."),
        ("continuous", _) => (format!("{text}.round().astype(int)"), "Each prediction is rounded to the nearest class, which fits classes that are numbers in an order."),
        _ => (format!("{text}.argmax(axis=1)"), "Each row has a value for each class; the largest one is the class."),
    };
    let why = match regressor {
        Some(class) => format!("`{class}` predicts measurements, not classes; a classifier would give classes itself. {how}"),
        None => how.to_owned(),
    };
    let frame = case.kind(cell, wrong) == Kind::Frame;
    let to = match frame && kind != "continuous" {
        true => format!("{text}.to_numpy().argmax(axis=1)"),
        false => to,
    };
    let changes = calls(python.body())
        .into_iter()
        .filter(|c| metric(c))
        .filter_map(|c| {
            positional(c, at).or_else(|| keyword(c, ["y_true", "y_pred"][at]).map(|k| &k.value))
        })
        .filter(|e| python.slice(*e) == shown)
        .map(|e| Change::replace(cell, e, to.as_str()))
        .collect();
    case.edits(
        said(
            "classes-of-scores",
            Basis::Assumed,
            format!("Replace `{shown}` by `{to}`"),
            why,
        ),
        changes,
    )
}

/// The regressor that corresponds to a classifier.
fn regressor_of(class: &str) -> Option<String> {
    Some(match class {
        "LogisticRegression" => "LinearRegression".to_owned(),
        "RidgeClassifier" => "Ridge".to_owned(),
        "SVC" => "SVR".to_owned(),
        "LinearSVC" => "LinearSVR".to_owned(),
        "NuSVC" => "NuSVR".to_owned(),
        other => format!("{}Regressor", other.strip_suffix("Classifier")?),
    })
}

/// Parameters with the same meaning for classifiers and regressors.
const SHARED: &[&str] = &[
    "n_estimators",
    "max_depth",
    "random_state",
    "n_jobs",
    "learning_rate",
    "min_samples_split",
    "min_samples_leaf",
    "n_neighbors",
    "kernel",
    "C",
    "gamma",
    "degree",
    "weights",
    "max_iter",
    "verbose",
    "bootstrap",
    "subsample",
    "max_leaf_nodes",
    "fit_intercept",
    "tol",
    "iterations",
    "depth",
    "hidden_layer_sizes",
];

/// `scaled = DataFrame(scaler.fit_transform(wine), …)`, and the classes are taken from `scaled`.
fn scaled_with_the_rest(case: &Case<'_>, feed: &Feed<'_>, y: &Expr) -> Option<Cure> {
    let mut at = case.made(feed.cell, y).or_else(|| {
        // A part of a split.
        let split = case.split_of(name(y)?)?;
        let index = split.targets.iter().position(|t| name(t) == name(y))?;
        let expr = positional(split.call, index / 2)?;
        case.made(split.cell, expr)
    })?;
    while let Some(on) = at
        .expr
        .as_call_expr()
        .filter(|c| matches!(callee(c), Some("copy" | "to_numpy" | "ravel")))
        .and_then(receiver)
    {
        at.expr = on;
    }
    let column = at.expr.as_subscript_expr()?;
    text_of(&column.slice)?;
    let table = case.made(at.cell, &column.value)?.expr.as_call_expr()?;
    let inner = if callee(table) == Some("DataFrame") {
        positional(table, 0)?.as_call_expr()?
    } else {
        table
    };
    (callee(inner) == Some("fit_transform")).then_some(())?;
    let whole = name(positional(inner, 0)?)?;
    let python = case.python(at.cell)?;
    let (was, from) = (python.slice(at.expr), python.slice(&*column.value));
    let right = format!("{whole}[{}]", python.slice(&*column.slice));
    (from != whole).then_some(())?;
    let made = one_line(case.python(case.last_set(from)?.cell)?.slice(table));
    case.edits(
        said(
            "classes-before-scaling",
            Basis::Source,
            format!("Take the classes from `{whole}`: `{right}`"),
            format!("`{from}` was made by `{made}`, which scaled the classes as well; `{was}` holds fractions."),
        ),
        vec![Change::replace(at.cell, at.expr, right)],
    )
}

/// `Unknown label type: continuous`: a classifier received continuous targets.
fn label_type(case: &Case<'_>) -> Option<Cure> {
    let [rest] = sklearn::LABELS_KIND.read(case.message())?;
    let feed = case.feed()?;
    let y = feed.y?;
    let text = feed.python.slice(y);
    if rest
        .trim_start_matches(['\'', '"', '('])
        .starts_with("unknown")
    {
        return case.edits(
            said(
                "label-type",
                Basis::Assumed,
                format!("Replace `{text}` by `{}.astype(int)`", tight(feed.python, y)),
                format!("`{text}` has the dtype `object`: its classes are Python objects. If they are words, use `astype(str)`."),
            ),
            vec![Change::replace(feed.cell, y, format!("{}.astype(int)", tight(feed.python, y)))],
        );
    }
    rest.contains("continuous").then_some(())?;
    if let Some(cure) = scaled_with_the_rest(case, &feed, y) {
        return Some(cure);
    }
    let (cell, call) = maker(case, feed.estimator?, feed.cell)?;
    let class = callee(call)?;
    let new = regressor_of(class)?;
    let python = case.python(cell)?;
    let mut arguments = call.arguments.keywords.iter();
    let known = arguments.all(|k| k.arg.as_ref().is_some_and(|a| SHARED.contains(&a.as_str())));
    let plain = known
        && call.arguments.args.is_empty()
        && (class != "LogisticRegression" || call.arguments.keywords.is_empty());
    let path = case.path_of(&call.func);
    let why = format!("`{text}` holds measurements, and `{class}` learns classes. If they stand for classes, make them classes first, with `pd.cut`.");
    let module = path
        .as_deref()
        .and_then(|p| p.rsplit_once('.'))
        .map(|(m, _)| m.to_owned());
    match (&*call.func, module, plain) {
        (Expr::Name(n), Some(module), true) => {
            let stmt = crate::find::statement_of(python, n.range)?;
            let mut changes = vec![Change::replace(cell, n, new.as_str())];
            if !case.exists(&new) {
                changes.push(lines_before(
                    cell,
                    python,
                    stmt,
                    &format!("from {module} import {new}"),
                ));
            }
            case.edits(
                said(
                    "label-type",
                    Basis::Assumed,
                    format!("Replace `{class}` by `{new}`"),
                    why,
                ),
                changes,
            )
        }
        _ => Some(look(
            "label-type",
            format!("Use a regressor such as `{new}` instead of `{class}`"),
            why,
        )),
    }
}

/// XGBoost: `Invalid classes inferred from unique values of `y`. Expected: [0 1 2], got [1 2 3]`.
fn class_numbers(case: &Case<'_>) -> Option<Cure> {
    let message = case.message();
    sklearn::CLASSES_INFERRED.begins(message).then_some(())?;
    let numbers = |label: &str| -> Option<Vec<i64>> {
        let list = message
            .split_once(label)?
            .1
            .split_once('[')?
            .1
            .split_once(']')?
            .0;
        list.split([' ', ',', '\n'])
            .filter(|t| !t.is_empty())
            .map(|t| t.trim_end_matches('.').parse().ok())
            .collect()
    };
    let (expected, got) = (numbers("Expected: "), numbers("got "));
    let shift = match (expected, got) {
        (Some(e), Some(g)) if e.len() == g.len() && !e.is_empty() => {
            let by = g[0] - e[0];
            e.iter().zip(&g).all(|(e, g)| g - e == by).then_some(by)
        }
        _ => None,
    };
    let feed = case.feed()?;
    let y = feed.y?;
    let place = case.place(&feed, y);
    let shown = place.text();
    let numeric = case.kind(place.cell, place.table) != Kind::List;
    let (change, title) = match shift.filter(|_| numeric) {
        Some(by) => {
            let (sign, by) = if by < 0 { ('+', -by) } else { ('-', by) };
            (
                place.change(&[&|t| format!("{t} {sign} {by}")])?,
                format!("Let the classes of `{shown}` begin at 0: `{shown} {sign} {by}`"),
            )
        }
        None => {
            let mut change = place.change(&[&|t| format!("LabelEncoder().fit_transform({t})")])?;
            if change.range.is_empty() && !case.exists("LabelEncoder") {
                change.text = format!(
                    "from sklearn.preprocessing import LabelEncoder\n{}",
                    change.text
                );
            } else if !case.exists("LabelEncoder") {
                return None;
            }
            (
                change,
                format!("Number the classes of `{shown}` from 0 with `LabelEncoder`"),
            )
        }
    };
    case.edits(
        said(
            "class-numbers",
            Basis::Assumed,
            title,
            "XGBoost wants classes 0, 1, 2, …; predictions are then those numbers too.".to_owned(),
        ),
        vec![change],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired, repaired_first as at};

    #[test]
    fn labels_that_differ_in_blanks_or_capitals_are_one_class() {
        let message = |rare: &str| {
            format!("The least populated classes in y have only 1 member, which is too few. The minimum number of groups for any class cannot be less than 2. Classes with too few members are: ['{rare}']")
        };
        let split = "a, b = train_test_split(X, stratify=y)";
        let of = |rare: &str, made: &str| {
            at(
                &[made, "y = df['kind']", split],
                "ValueError",
                &message(rare),
            )
        };
        let line =
            |tail: &str| format!("df['kind'] = df['kind'].str.strip(){tail}\ny = df['kind']");
        let made = "df = make(['cat', 'dog', 'Dog', 'cat '])";
        assert_eq!(of("cat ", made), line(""));
        assert_eq!(of("Dog", made), line(".str.lower()"));
        assert_eq!(of("cat ', 'Dog", made), line(".str.lower()"));
        assert_eq!(of("cow", made), "a, b = train_test_split(X)");
    }

    #[test]
    fn scores_become_classes() {
        let mix = |a: &str, b: &str| {
            format!("Classification metrics can't handle a mix of {a} and {b} targets")
        };
        let cells = [
            "m = AdaBoostRegressor()",
            "p = m.predict(X)",
            "print(accuracy_score(y, p))\nconfusion_matrix(y, p)",
        ];
        assert_eq!(
            at(&cells, "ValueError", &mix("binary", "continuous")),
            "print(accuracy_score(y, (p > 0.5).astype(int)))\nconfusion_matrix(y, (p > 0.5).astype(int))"
        );
        let error = ipython(
            "ValueError",
            &[(3, 1, "print(accuracy_score(y, p))")],
            &mix("binary", "continuous"),
        );
        assert!(cures_of(&cells, &error)[0]
            .why
            .starts_with("`AdaBoostRegressor` predicts measurements"));
        let several = mix("multiclass", "continuous-multioutput");
        let cells = ["p = m.predict_proba(X)", "accuracy_score(y, p)"];
        assert_eq!(
            at(&cells, "ValueError", &several),
            "accuracy_score(y, p.argmax(axis=1))"
        );
        // Nothing shows whether another table has one column per class.
        let cells = ["p = load()", "accuracy_score(y, p)"];
        assert_eq!(at(&cells, "ValueError", &several), "");
        let cells = ["y = to_categorical(c)", "accuracy_score(y, p)"];
        assert_eq!(
            at(
                &cells,
                "ValueError",
                &mix("multilabel-indicator", "multiclass")
            ),
            "accuracy_score(y.argmax(axis=1), p)"
        );
    }

    #[test]
    fn measurements_want_a_regressor() {
        let cells = [
            "from sklearn.tree import DecisionTreeClassifier",
            "m = DecisionTreeClassifier(max_depth=3)\nm.fit(X, y)",
        ];
        let error = ipython(
            "ValueError",
            &[(2, 2, "m.fit(X, y)")],
            "Unknown label type: continuous. Maybe you are trying to fit a classifier, which expects discrete classes on a regression target with continuous values.",
        );
        assert_eq!(
            repaired(&cells, &error),
            "from sklearn.tree import DecisionTreeRegressor\nm = DecisionTreeRegressor(max_depth=3)\nm.fit(X, y)"
        );
    }

    #[test]
    fn classes_are_numbered_from_zero() {
        let split = "A, B, ya, yb = train_test_split(X, y)";
        let cells = ["X, y = load()", split, "m.fit(A, ya)"];
        assert_eq!(
            at(&cells, "ValueError", "Invalid classes inferred from unique values of `y`.  Expected: [0 1 2], got [1 2 3]"),
            format!("y = y - 1\n{split}")
        );
        assert_eq!(
            at(&cells, "ValueError", "Invalid classes inferred from unique values of `y`.  Expected: [0 1], got ['no' 'yes']"),
            format!("from sklearn.preprocessing import LabelEncoder\ny = LabelEncoder().fit_transform(y)\n{split}")
        );
    }
}
