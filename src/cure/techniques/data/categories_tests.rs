//! Values that aren't among a column's categories.

use crate::tests::repaired_first;

#[test]
fn a_category_is_added_before_it_is_used() {
    let message =
        "Cannot setitem on a Categorical with a new category (unknown), set the categories first";
    let first = "df[\"grade\"] = df[\"grade\"].astype(\"category\")";
    assert_eq!(
        repaired_first(
            &[first, "df[\"grade\"] = df[\"grade\"].fillna(\"unknown\")"],
            "TypeError",
            message
        ),
        "df[\"grade\"] = df[\"grade\"].cat.add_categories(\"unknown\").fillna(\"unknown\")"
    );
    assert_eq!(
        repaired_first(
            &[first, "df.loc[df[\"n\"] < 3, \"grade\"] = \"few\""],
            "TypeError",
            message
        ),
        "df[\"grade\"] = df[\"grade\"].cat.add_categories(\"few\")\ndf.loc[df[\"n\"] < 3, \"grade\"] = \"few\""
    );
}
