//! Arguments that the data does not allow.

use crate::tests::repaired_first;

#[test]
fn arguments_fit_the_data() {
    let setup = "import pandas as pd\nimport numpy as np\ndf = pd.read_csv('a.csv')";
    for (line, class, message, after) in [
        (
            "A, B = train_test_split(X, stratify=y, test_size=0.2)",
            "ValueError",
            "The least populated class in y has only 1 member, which is too few.",
            "A, B = train_test_split(X, test_size=0.2)",
        ),
        (
            "df['a'] = df['a'].fillna(method='median')",
            "ValueError",
            "Invalid fill method. Expecting pad (ffill) or backfill (bfill). Got median",
            "df['a'] = df['a'].fillna(df['a'].median())",
        ),
        (
            "d = pd.to_datetime(df['d'])",
            "OutOfBoundsDatetime",
            "Out of bounds nanosecond timestamp: 9999-12-31, at position 3",
            "d = pd.to_datetime(df['d'], errors=\"coerce\")",
        ),
        (
            "np.testing.assert_array_equal(a, b)",
            "AssertionError",
            "\nArrays are not equal\n\nMax relative difference among violations: 1.8e-16\n ACTUAL: array([0.3])",
            "np.testing.assert_allclose(a, b)",
        ),
        (
            "np.testing.assert_array_equal(a, b)",
            "AssertionError",
            "\nArrays are not equal\n\nMax relative difference among violations: 0.5\n ACTUAL: array([0.3])",
            "",
        ),
    ] {
        assert_eq!(repaired_first(&[setup, line], class, message), after, "{line}");
    }
}
