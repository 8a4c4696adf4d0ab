use super::*;
use crate::book::{Book, BookCell};
use crate::tests::{cures_below, error_at};

/// What outputs show about a name that the last cell reads.
fn shown(cells: &[(&str, &str)], of: &str) -> Option<Value> {
    let book = (1..).zip(cells).map(|(n, (source, output))| BookCell {
        position: n,
        source,
        output,
        count: i64::try_from(n).ok(),
        ran: Some(n as u64),
        ..BookCell::default()
    });
    let book = Book::new(book.collect());
    let sources: Vec<&str> = cells.iter().map(|(s, _)| *s).collect();
    let error = error_at(&sources, 1, "ValueError", "no");
    let case = Case::new(&book, cells.len() - 1, &error)?;
    case.shown_value(of).cloned()
}

fn columns(value: Option<Value>) -> Vec<String> {
    let all = value.map(|v| v.columns).unwrap_or_default();
    all.into_iter().map(|(c, _)| c).collect()
}

const TABLE: &str = "   Age  sepal length (cm)     Fare\n0   22                5.1   7.2500\n1   38                4.9  71.2833\n";

#[test]
fn a_table_is_read_with_its_columns() {
    let read = |source: &str, output: &str| shown(&[(source, output), ("df['x']", "")], "df");
    assert_eq!(
        columns(read("df = load()\ndf.head()", TABLE)),
        ["Age", "sepal length (cm)", "Fare"]
    );
    assert_eq!(columns(read("print(df.head(2))", TABLE)).len(), 3);
    assert_eq!(columns(read("sns.set()\ndf.head()", TABLE)).len(), 3);
    // Another value was shown, or none at all.
    assert_eq!(read("df.head()\nx = 1", TABLE), None);
    assert_eq!(read("df.head();", TABLE), None);
    assert_eq!(read("df.describe()", TABLE), None);
    assert_eq!(
        read("df.head()", "0    22\n1    38\nName: Age, dtype: int64\n"),
        None
    );
    let wide = "     a    b  \\\n0    1    2   \n1    1    2   \n\n     c  \n0    3  \n1    3  \n\n[891 rows x 3 columns]\n";
    let all = read("df", wide);
    assert_eq!(
        all.as_ref().and_then(|v| v.shape.clone()),
        Some(vec![891, 3])
    );
    assert_eq!(columns(all), ["a", "b", "c"]);
    let cut = "   a  ...  z\n0  1  ...  2\n\n[5 rows x 30 columns]\n";
    assert!(read("df.head()", cut).is_some_and(|v| v.more && v.shape.is_none()));
    let info = "<class 'pandas.core.frame.DataFrame'>\nRangeIndex: 891 entries, 0 to 890\nData columns (total 2 columns):\n #   Column    Non-Null Count  Dtype  \n---  ------    --------------  -----  \n 0   Age       714 non-null    float64\n 1   Full name 891 non-null    object \ndtypes: float64(1), object(1)\nmemory usage: 66.2+ KB\n";
    let value = read("df.info()", info).expect("shown");
    assert_eq!(value.shape, Some(vec![891, 2]));
    assert_eq!(value.gaps, ["Age"]);
    assert_eq!(
        value.columns[1],
        ("Full name".to_owned(), "object".to_owned())
    );
    let dtypes = read(
        "df.dtypes",
        "Age        float64\nFull name   object\ndtype: object\n",
    );
    assert_eq!(
        dtypes.map(|v| v.columns[0].1.clone()).as_deref(),
        Some("float64")
    );
    let gaps = read(
        "df.isnull().sum()",
        "Age     177\nFare      0\ndtype: int64\n",
    );
    assert_eq!(gaps.map(|v| v.gaps), Some(vec!["Age".to_owned()]));
    let list = read("df.columns", "Index([' Age', 'Fare'], dtype='object')\n");
    assert_eq!(columns(list), [" Age", "Fare"]);
}

#[test]
fn values_are_read_by_what_was_shown_of_them() {
    let read =
        |source: &str, output: &str, of: &str| shown(&[(source, output), ("f(x, y, d)", "")], of);
    let sides = |v: Option<Value>| v.and_then(|v| v.shape);
    assert_eq!(
        sides(read("x.shape", "(891, 12)\n", "x")),
        Some(vec![891, 12])
    );
    assert_eq!(
        sides(read("x.shape, y.shape", "((8, 2), (8,))\n", "y")),
        Some(vec![8])
    );
    let two = "print(x.shape)\nprint(y.shape)\nprint(type(y))";
    let lines = "(8, 2)\ntorch.Size([8])\n<class 'torch.Tensor'>\n";
    assert_eq!(sides(read(two, lines, "y")), Some(vec![8]));
    assert_eq!(
        read(two, lines, "y").map(|v| v.kind).as_deref(),
        Some("Tensor")
    );
    let labelled =
        "for i in range(2):\n    print(i)\nprint('Shape:', x.shape)\nprint(f'rows: {len(y)}')";
    let lines = "0\n1\nShape: (5, 4)\nrows: 9\n";
    assert_eq!(sides(read(labelled, lines, "x")), Some(vec![5, 4]));
    assert_eq!(read(labelled, lines, "y").and_then(|v| v.len), Some(9));
    let array = read(
        "x",
        "array([[1., 2.],\n       [3., 4.],\n       [5., 6.]], dtype=float32)\n",
        "x",
    )
    .expect("shown");
    assert_eq!(
        (array.kind.as_str(), array.dtype.as_str()),
        ("ndarray", "float32")
    );
    assert_eq!(array.shape, Some(vec![3, 2]));
    let tensor = read(
        "x",
        "tensor([0.1, 0.2], device='cuda:0', grad_fn=<AddBackward0>)\n",
        "x",
    )
    .expect("shown");
    assert_eq!(
        (tensor.kind.as_str(), tensor.device.as_str(), tensor.grad),
        ("Tensor", "cuda:0", true)
    );
    let dict = read(
        "d",
        "{'rate': 0.1, 'names': ['a', 'b'], 'in': {'x': 1}}\n",
        "d",
    );
    assert_eq!(
        dict.map(|v| v.keys),
        Some(vec!["rate".to_owned(), "names".to_owned(), "in".to_owned()])
    );
}

#[test]
fn what_was_set_since_is_no_longer_known() {
    let after = |source: &str| {
        shown(
            &[
                ("df = load()\ndf.head()", TABLE),
                (source, ""),
                ("df['x']", ""),
            ],
            "df",
        )
    };
    for changed in [
        "df = df.dropna()",
        "df.drop('Age', axis=1, inplace=True)",
        "df.columns = names",
        "del df['Age']",
        "df.pop('Age')",
        "for df in all: pass",
    ] {
        assert_eq!(after(changed), None, "{changed}");
    }
    assert_eq!(
        columns(after("df['new'] = df.Age * 2"))
            .last()
            .map(String::as_str),
        Some("new")
    );
    assert_eq!(columns(after("other = df.dropna()")).len(), 3);
}

#[test]
fn a_column_is_written_as_the_table_is_headed() {
    let cells = [
        ("df = pd.read_csv('a.csv')\ndf.head()", TABLE),
        ("df['fare'].mean()", ""),
    ];
    let error = error_at(&["", "df['fare'].mean()"], 1, "KeyError", "'fare'");
    let cure = cures_below(&cells, &error).remove(0);
    assert_eq!(cure.code, "df['Fare'].mean()");
    assert_eq!(
        cure.why,
        "As the output of cell 1 shows, `df` had a column `Fare` and none called `fare`."
    );
    let read = |line: &'static str, output: &'static str| {
        let cells = [("df = pd.read_csv('a.csv')\ndf.head()", output), (line, "")];
        let error = error_at(
            &["", line],
            1,
            "AttributeError",
            "'DataFrame' object has no attribute 'fare'",
        );
        cures_below(&cells, &error).remove(0).code
    };
    assert_eq!(read("x = df.fare.mean()", TABLE), "x = df.Fare.mean()");
}
