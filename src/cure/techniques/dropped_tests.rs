use crate::tests::{cures_of, key_error as missing, repaired};

#[test]
fn a_column_that_is_still_read_is_kept() {
    let cells = [
        "df = load()",
        "n = 1\ndf = df.drop(columns=['user'])\nprint(df)",
        "df['user'].nunique()",
    ];
    let cures = cures_of(&cells, &missing(&cells, 2, "'user'"));
    assert_eq!(cures[0].edits[0].cell, 2);
    assert_eq!(cures[0].run, [1, 2, 3]);
    let cells = ["df = load()", "del df['a']\nx = df['a']"];
    let e = crate::tests::ipython("KeyError", &[(2, 2, "x = df['a']")], "'a'");
    let cures = cures_of(&cells, &e);
    assert!(cures.iter().any(|c| c.code == "x = df['a']"), "{cures:?}");
}

#[test]
fn what_is_dropped_already_is_left_out() {
    let cells = [
        "for t in [train, test]:\n    t.drop(['Id', 'Name'], axis=1, inplace=True)",
        "train = train.drop(['Id'], axis=1)",
    ];
    let e = missing(&cells, 1, "\"['Id'] not found in axis\"");
    let cures = cures_of(&cells, &e);
    assert_eq!(
        cures[0].code,
        "train = train.drop(['Id'], axis=1, errors=\"ignore\")"
    );
    assert!(cures[0]
        .why
        .starts_with("Cell 1 (line 2) removed `Id` already"));
    let cells = [
        "df.drop(columns='a', inplace=True)\nnames.remove('a')",
        "df.drop(columns='a', inplace=True)\nnames.remove('a')",
    ];
    let e = missing(&cells, 1, "\"['a'] not found in axis\"");
    assert_eq!(
        repaired(&cells, &e),
        "df.drop(columns='a', inplace=True, errors=\"ignore\")\nif 'a' in names: names.remove('a')"
    );
}

#[test]
fn columns_are_not_looked_for_among_the_rows() {
    let cells = ["df['price'].mean()", "X = df.drop('price')"];
    let e = missing(&cells, 1, "\"['price'] not found in axis\"");
    assert_eq!(repaired(&cells, &e), "X = df.drop('price', axis=1)");
}

#[test]
fn a_renamed_column_has_its_new_name() {
    let cells = [
        "df = df.rename(columns={'Sales Price': 'price'})",
        "df['Sales Price'].mean()",
    ];
    let e = missing(&cells, 1, "'Sales Price'");
    assert_eq!(repaired(&cells, &e), "df['price'].mean()");
}

#[test]
fn a_column_that_became_the_index_is_read_there() {
    let cells = [
        "df.set_index('Date', inplace=True)",
        "df['Year'] = df['Date'].dt.year",
    ];
    let e = missing(&cells, 1, "'Date'");
    assert_eq!(
        repaired(&cells, &e),
        "df['Year'] = df.index.to_series().dt.year"
    );
    let cells = [
        "mean = df.groupby('city')[['price']].mean()",
        "sns.barplot(x='city', y='price', data=mean)",
    ];
    let e = missing(&cells, 1, "'city'");
    assert_eq!(
        repaired(&cells, &e),
        "sns.barplot(x='city', y='price', data=mean.reset_index())"
    );
}

#[test]
fn the_index_of_some_rows_and_one_of_its_levels() {
    let fixed = |before: &str, line: &str, key: &str| {
        let cells = [before, line];
        repaired(&cells, &missing(&cells, 1, &format!("'{key}'")))
    };
    let index = "s = s.set_index('id')";
    assert_eq!(
        fixed(index, "s[s['x'] > 1]['id'].tolist()", "id"),
        "s[s['x'] > 1].index.to_series().tolist()"
    );
    let two = "g = df.groupby(['town', 'year'])['n'].sum()";
    assert_eq!(
        fixed(two, "n = g['town']", "town"),
        "n = g.index.get_level_values('town')"
    );
    // A selection of columns isn't a selection of rows.
    assert_eq!(fixed(index, "s[['x', 'y']]['id']", "id"), "");
}

#[test]
fn a_removed_column_is_said_with_its_place() {
    let cells = ["df = df.drop(['Age'], axis=1)", "df['Age'].hist()"];
    let e = missing(&cells, 1, "'Age'");
    let cures = cures_of(&cells, &e);
    assert_eq!(cures[0].title, "Leave `Age` out here, or keep it in cell 1");
    // A different table lost it.
    let cells = ["other = raw.drop(['Age'], axis=1)", "df['Age'].hist()"];
    assert!(cures_of(&cells, &e).is_empty());
    // It was recreated.
    let cells = [
        "df = df.drop(['Age'], axis=1)",
        "df['Age'] = 1",
        "df['Age'].hist()",
    ];
    let e = missing(&cells, 1, "'Age'");
    assert!(cures_of(&cells, &e).is_empty());
}
