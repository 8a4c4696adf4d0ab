use crate::tests::{cures_of, ipython, repaired};

const SETUP: &str = "import pandas as pd\nimport numpy as np\ndf = pd.read_csv('a.csv')";

fn one(line: &str, class: &str, message: &str) -> String {
    let first = line.lines().next().unwrap_or("");
    repaired(&[SETUP, line], &ipython(class, &[(2, 1, first)], message))
}

#[test]
fn accessors_get_what_they_need() {
    assert_eq!(
        one(
            "y = df.when.dt.year",
            "AttributeError",
            "Can only use .dt accessor with datetimelike values"
        ),
        "y = pd.to_datetime(df.when).dt.year"
    );
    assert_eq!(
        one(
            "y = df['n'].str[:2]",
            "AttributeError",
            "Can only use .str accessor with string values!"
        ),
        "y = df['n'].astype(str).str[:2]"
    );
    assert_eq!(
        one(
            "y = df['w'].cat.codes",
            "AttributeError",
            "Can only use .cat accessor with a 'category' dtype"
        ),
        "y = df['w'].astype(\"category\").cat.codes"
    );
    assert_eq!(
        one(
            "y, m = df['d'].dt.year, df['d'].dt.month",
            "AttributeError",
            "Can only use .dt accessor with datetimelike values"
        ),
        "df['d'] = pd.to_datetime(df['d'])\ny, m = df['d'].dt.year, df['d'].dt.month"
    );
}

#[test]
fn predictions_belong_to_the_table_that_was_predicted() {
    let message = "Length of values (5) does not match length of index (20)";
    let split = "df = pd.read_csv('a.csv')\nearly, late = df[:15], df[15:]\np = m.predict(late[['a', 'b']])";
    let after = |line| crate::tests::repaired_first(&[split, line], "ValueError", message);
    assert_eq!(
        after("df['guess'] = p\nlate.head()"),
        "late['guess'] = p\nlate.head()"
    );
    assert_eq!(
        after("df['guess'] = m.predict(late).round()"),
        "late['guess'] = m.predict(late).round()"
    );
    // The column is read below.
    assert_eq!(after("df['guess'] = p\nprint(df['guess'])"), "");
}

#[test]
fn tables_are_joined() {
    let gone = "'DataFrame' object has no attribute 'append'";
    for (line, after) in [
        (
            "df = df.append({'a': 1}, ignore_index=True)",
            "df = pd.concat([df, pd.DataFrame([{'a': 1}])], ignore_index=True)",
        ),
        (
            "both = df.append(df[df.a > 1])",
            "both = pd.concat([df, df[df.a > 1]])",
        ),
        (
            "df.append(other, ignore_index=True)",
            "df = pd.concat([df, other], ignore_index=True)",
        ),
    ] {
        assert_eq!(one(line, "AttributeError", gone), after);
    }
    let cells = [
        "import pandas as pd\ndf = pd.read_csv('a.csv')",
        "def line(n):\n    row = {'n': n}\n    return row",
        "df = df.append(line(1))",
    ];
    assert_eq!(
        crate::tests::repaired_first(&cells, "AttributeError", gone),
        "df = pd.concat([df, pd.DataFrame([line(1)])])"
    );
    let merge = "You are trying to merge on object and int64 columns for key 'id'. If you wish to proceed you should use pd.concat";
    assert_eq!(
        one("m = df.merge(other, on='id')", "ValueError", merge),
        "m = df.astype({\"id\": int}).merge(other, on='id')"
    );
    assert_eq!(
        one(
            "m = pd.concat([df, other], axis=1)",
            "InvalidIndexError",
            "Reindexing only valid with uniquely valued Index objects"
        ),
        "m = pd.concat([df.reset_index(drop=True), other.reset_index(drop=True)], axis=1)"
    );
}

#[test]
fn an_array_is_saved_as_one() {
    assert_eq!(
        one(
            "np.savetxt('out/a.csv', data, fmt='%d')",
            "ValueError",
            "Expected 1D or 2D array, got 4D array instead"
        ),
        "np.save(\"out/a.npy\", data)"
    );
    let line = "df['s'] = scores";
    let error = ipython(
        "ValueError",
        &[(2, 1, line)],
        "Length of values (2) does not match length of index (3)",
    );
    let words = cures_of(&["scores = make()", line], &error);
    assert_eq!(
        words[0].title,
        "Give `scores` as many values as rows: 3, not 2"
    );
    assert!(words[0].why.contains("`scores = make()` (cell 1)"));
}
