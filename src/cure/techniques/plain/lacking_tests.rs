use crate::tests::{repaired_at, repaired_first};

const SPLIT: &str = "from sklearn.model_selection import train_test_split\nX_train, X_test, y_train, y_test = train_test_split(X, y)";

#[test]
fn a_score_gets_the_true_values_of_what_was_predicted() {
    let message = "missing a required argument: 'y_pred'";
    let score = "from sklearn.metrics import f1_score\nf1_score(guess)";
    let of = |made: &str, score: &str, message: &str| {
        repaired_at(&[SPLIT, made, score], 2, "TypeError", message)
    };
    assert!(of("guess = m.predict(X_test)", score, message).ends_with("f1_score(y_test, guess)"));
    let old = "f1_score() missing 1 required positional argument: 'y_pred'";
    assert!(of("guess = m.predict(X_train)", score, old).ends_with("f1_score(y_train, guess)"));
    let shares = "guess = m.predict_proba(X_test)[:, 1]";
    assert!(of(shares, score, message).contains("f1_score(y_test, guess)"));
    // Values that weren't predicted, or predicted for rows from no split, have no known
    // counterpart.
    for made in ["guess = load()", "guess = m.predict(other)"] {
        let found = of(made, score, message);
        assert!(!found.contains("y_test"), "{found}");
    }
}

#[test]
fn a_dataset_has_as_many_items_as_what_it_holds() {
    let class = "class Pairs:\n    def __init__(self, a):\n        self.a = a\n    def __getitem__(self, i):\n        return self.a[i]";
    let message = "object of type 'Pairs' has no len()";
    let repaired = |class: &str| {
        crate::tests::cures_of(
            &[class, "n = len(Pairs(rows))"],
            &crate::tests::ipython("TypeError", &[(2, 1, "n = len(Pairs(rows))")], message),
        )
        .first()
        .map_or(String::new(), |c| c.code.clone())
    };
    let found = repaired(class);
    assert!(
        found.ends_with("return self.a[i]\n    def __len__(self):\n        return len(self.a)"),
        "{found}"
    );
    let has = format!("{class}\n    def __len__(self):\n        return 1");
    assert!(!repaired(&has).contains("len(self.a)"));
}

#[test]
fn a_text_with_a_date_is_read_before_it_is_subtracted() {
    let cells = [
        "from datetime import datetime\nstart = '2024-03-01'\nend = datetime(2024, 3, 9)",
        "days = (end - start).days",
    ];
    let message = "unsupported operand type(s) for -: 'datetime.datetime' and 'str'";
    assert_eq!(
        repaired_first(&cells, "TypeError", message),
        "days = (end - datetime.fromisoformat(start)).days"
    );
    let other = [&cells[0].replace("2024-03-01", "1 March"), cells[1]];
    let found = repaired_first(&other, "TypeError", message);
    assert!(!found.contains("fromisoformat"), "{found}");
}
