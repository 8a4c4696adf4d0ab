//! Tests of missing categories and data for estimators and encoders.

use crate::tests::{cures_of, error_at, repaired_at, repaired_first};
use nbmedic_facts::FixKind;

const SETUP: &str = "import pandas as pd\ndf = pd.read_csv('a.csv')";
const SPLIT: &str = "X = df.drop('y', axis=1)\ny = df['y']\nA, B, ya, yb = train_test_split(X, y)";

#[test]
fn a_model_is_fitted_with_the_persons_own_names() {
    let class = "NotFittedError";
    let message = "This Ridge instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.";
    let cells = [SETUP, SPLIT, "m = Ridge()\np = m.predict(B)"];
    assert_eq!(
        repaired_at(&cells, 2, class, message),
        "m = Ridge()\nm.fit(A, ya)\np = m.predict(B)"
    );
    let cells = [
        "X_train, y_train, X_test = load()\nm = Ridge()",
        "p = m.predict(X_test)",
    ];
    assert_eq!(
        repaired_first(&cells, class, message),
        "m.fit(X_train, y_train)\np = m.predict(X_test)"
    );
    let scaler = message.replace("Ridge", "StandardScaler");
    let cells = [SETUP, SPLIT, "s = StandardScaler()\np = s.transform(B)"];
    assert_eq!(
        repaired_at(&cells, 2, class, &scaler),
        "s = StandardScaler()\ns.fit(A)\np = s.transform(B)"
    );
    let cells = [SETUP, "s = StandardScaler()\np = s.transform(df)"];
    assert_eq!(
        repaired_at(&cells, 2, class, &scaler),
        "s = StandardScaler()\np = s.fit_transform(df)"
    );
    // No substitute for undefined names.
    let cells = [SETUP, "m = Ridge()\np = m.predict(held_out_test)"];
    let cures = cures_of(&cells, &error_at(&cells, 2, class, message));
    assert_eq!(cures[0].kind, FixKind::Look);
}

#[test]
fn a_cell_that_fits_and_did_not_run_is_named() {
    let message = "This Ridge instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.";
    let cells = ["m = Ridge()", "#!\nm.fit(A, ya)", "p = m.predict(B)"];
    let error = error_at(&cells, 1, "NotFittedError", message).replace("In[3]", "In[2]");
    assert_eq!(cures_of(&cells, &error)[0].run, [2, 3]);
}

#[test]
fn encoders_take_what_they_have_not_seen() {
    let message = "Found unknown categories ['x'] in column 0 during transform";
    let cells = [
        "e = OneHotEncoder(drop='first')\ne.fit(A)",
        "e.transform(B)",
    ];
    assert_eq!(
        repaired_first(&cells, "ValueError", message),
        "e = OneHotEncoder(drop='first', handle_unknown=\"ignore\")\ne.fit(A)"
    );
    let message = "y contains previously unseen labels: 'x'";
    let cell = "A['c'] = e.fit_transform(A['c'])\nB['c'] = e.transform(B['c'])";
    assert_eq!(
        repaired_at(&[SETUP, cell], 2, "ValueError", message),
        "e.fit(pd.concat([A['c'], B['c']]))\nA['c'] = e.transform(A['c'])\nB['c'] = e.transform(B['c'])"
    );
}

#[test]
fn only_columns_that_are_used_must_be_complete() {
    let message =
        "Found array with 0 sample(s) (shape=(0, 1)) while a minimum of 1 is required by Ridge.";
    let cell = "full = df.dropna()\nm.fit(full[['a']], full['b'])";
    assert_eq!(
        repaired_at(&[SETUP, cell], 2, "ValueError", message),
        "full = df.dropna(subset=[\"a\", \"b\"])\nm.fit(full[['a']], full['b'])"
    );
    let cell = "full = df.dropna()\nm.fit(full, y)";
    let cells = [SETUP, cell];
    let cures = cures_of(&cells, &error_at(&cells, 2, "ValueError", message));
    assert_eq!(cures[0].code, "print(df.isna().sum())");
}

#[test]
fn text_columns_become_categories_for_boosted_trees() {
    let message = "DataFrame.dtypes for data must be int, float, bool or category. When categorical type is supplied, the experimental DMatrix parameter`enable_categorical` must be set to `True`.  Invalid columns:city: object, kind: object";
    let cells = [SETUP, SPLIT, "m = XGBClassifier(max_depth=3)\nm.fit(A, ya)"];
    let cures = cures_of(&cells, &error_at(&cells, 2, "ValueError", message));
    assert_eq!(cures[0].edits.len(), 2);
    assert!(cures[0].edits[0]
        .text
        .contains("X = X.astype({\"city\": \"category\", \"kind\": \"category\"})"));
    assert_eq!(cures[0].edits[1].text, ", enable_categorical=True");
    let message = "Do not support special JSON characters in feature name.";
    assert_eq!(
        repaired_first(&["X = load()", "m = LGBMRegressor().fit(X, y)"], "LightGBMError", message),
        "X.columns = X.columns.str.replace(r\"[^\\w]+\", \"_\", regex=True)\nm = LGBMRegressor().fit(X, y)"
    );
}

#[test]
fn missing_texts_become_empty() {
    let message = "np.nan is an invalid document, expected byte or unicode string.";
    let cells = [SETUP, "t = TfidfVectorizer().fit_transform(df['note'])"];
    assert_eq!(
        repaired_first(&cells, "ValueError", message),
        "t = TfidfVectorizer().fit_transform(df['note'].fillna(\"\"))"
    );
}

#[test]
fn a_filter_that_found_nothing_is_shown() {
    let cells = [
        SETUP,
        "hit = df[df['year'] == 2024]",
        "hit['price'].iloc[0]",
    ];
    let message = "single positional indexer is out-of-bounds";
    let cures = cures_of(&cells, &error_at(&cells, 1, "IndexError", message));
    assert_eq!(
        cures[0].title,
        "See why no row of `df` fits `df['year'] == 2024`"
    );
    let cells = [SETUP, "df.iloc[5000]"];
    assert!(cures_of(&cells, &error_at(&cells, 1, "IndexError", message)).is_empty());
}
