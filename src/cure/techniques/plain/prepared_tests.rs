use crate::tests::{cures_of, ipython, repaired_at, repaired_first};

/// The title of the first cure for an error in the last cell, and the whole changed cell.
fn first(cells: &[&str], class: &str, message: &str) -> (String, String) {
    let last = cells.last().copied().unwrap_or_default();
    let frame = (i64::try_from(cells.len()).unwrap(), 1, last);
    let cures = cures_of(cells, &ipython(class, &[frame], message));
    let cure = cures.into_iter().next().unwrap_or_default();
    (cure.title, cure.code)
}

#[test]
fn new_data_is_prepared_by_what_was_fitted() {
    let fit = "v = CountVectorizer()\nm = MultinomialNB().fit(v.fit_transform(docs), y)";
    let message = "X has 4 features, but MultinomialNB is expecting 5 features as input.";
    let found = repaired_first(
        &[fit, "m.predict(v.fit_transform(new))"],
        "ValueError",
        message,
    );
    assert_eq!(found, "m.predict(v.transform(new))");
    let set = "new_X = v.fit_transform(new)";
    let (_, code) = first(&[fit, set, "m.predict(new_X)"], "ValueError", message);
    assert_eq!(code, "new_X = v.transform(new)");
    // It was fitted nowhere else.
    let found = repaired_first(
        &["m = load()", "m.predict(v.fit_transform(new))"],
        "ValueError",
        message,
    );
    assert!(!found.contains("v.transform"), "{found}");
}

#[test]
fn a_sparse_matrix_is_made_dense_where_it_is_made() {
    let message = "Sparse data was passed for X, but dense data is required. Use '.toarray()' to convert to a dense numpy array.";
    let cells = ["M = v.fit_transform(docs)", "nb = GaussianNB().fit(M, y)"];
    let (_, code) = first(&cells, "TypeError", message);
    assert_eq!(code, "M = v.fit_transform(docs).toarray()");
    let found = repaired_first(&["M = load()", cells[1]], "TypeError", message);
    assert_eq!(found, "nb = GaussianNB().fit(M.toarray(), y)");
}

#[test]
fn numbers_in_quotes_become_numbers() {
    let message = "ufunc 'add' did not contain a loop with signature matching types (dtype('<U1'), dtype('float64')) -> None";
    let head = "import numpy as np\nx = ['1', '2', '3']\ny = [2, 4, 6]";
    let found = repaired_first(&[head, "np.polyfit(x, y, 1)"], "UFuncTypeError", message);
    assert_eq!(found, "np.polyfit([float(v) for v in x], y, 1)");
    let words = head.replace("'2'", "'two'");
    let found = repaired_first(&[&words, "np.polyfit(x, y, 1)"], "UFuncTypeError", message);
    assert!(!found.contains("float(v)"), "{found}");
    let column = "d['age'] = d['age'].fillna(d['age'].mean())";
    let cells = ["import pandas as pd\nd = pd.read_csv('a.csv')", column];
    let message = "Cannot perform reduction 'mean' with string dtype";
    let found = repaired_at(&cells, 1, "TypeError", message);
    let line = "d['age'] = pd.to_numeric(d['age'], errors=\"coerce\")\n";
    assert_eq!(found, format!("{line}{column}"));
}

#[test]
fn what_is_trained_by_hand_is_followed() {
    let message = "element 0 of tensors does not require grad and does not have a grad_fn";
    let head =
        "import torch\nw = torch.zeros(3)\nx = torch.ones(3)\nloss = ((w * x).sum() - 2) ** 2";
    let (title, code) = first(&[head, "loss.backward()"], "RuntimeError", message);
    assert!(
        title.contains("`w`") && code.contains("w = torch.zeros(3, requires_grad=True)"),
        "{title}: {code}"
    );
    assert!(code.contains("x = torch.ones(3)\n"), "{code}");
    let cut = head.replace("(w * x)", "(w * x).detach()");
    let (title, _) = first(&[&cut, "loss.backward()"], "RuntimeError", message);
    assert!(!title.contains("requires_grad"), "{title}");
}

#[test]
fn a_classifier_is_asked_for_probabilities_when_it_is_made() {
    let message = "This 'SVC' has no attribute 'predict_proba'";
    let of = |made: &str| first(&[made, "p = m.predict_proba(X)"], "AttributeError", message).1;
    assert_eq!(
        of("m = SVC().fit(X, y)"),
        "m = SVC(probability=True).fit(X, y)"
    );
    let vote = "m = VotingClassifier(all, voting='hard').fit(X, y)";
    assert_eq!(of(vote), vote.replace("'hard'", "\"soft\""));
    assert!(!of("m = LinearSVC().fit(X, y)").contains("probability"));
}

#[test]
fn words_become_numbers_for_a_colour_map() {
    let message = "'c' argument must be a color, a sequence of colors, or a sequence of numbers, not ['a', 'b']";
    let found = repaired_first(
        &[
            "import pandas as pd\nkind = ['a', 'b']",
            "plt.scatter(x, y, c=kind)",
        ],
        "ValueError",
        message,
    );
    assert_eq!(found, "plt.scatter(x, y, c=pd.Categorical(kind).codes)");
}

#[test]
fn a_result_that_is_dropped_is_returned() {
    let def = "def mean(xs):\n    total = sum(xs)\n    count = len(xs)\n    total / count";
    let message = "unsupported operand type(s) for +: 'NoneType' and 'int'";
    let (_, code) = first(&[def, "m = mean([1, 2]) + 1"], "TypeError", message);
    assert_eq!(
        code,
        def.replace("    total / count", "    return total / count")
    );
}
