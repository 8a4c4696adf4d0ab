use crate::tests::{cures_of, error_at, repaired_at, repaired_first};

#[test]
fn pairs_in_loops_are_taken_apart() {
    let unpack = "not enough values to unpack (expected 3, got 2)";
    assert_eq!(
        repaired_first(
            &["for i, a, b in enumerate(zip(x, y)):\n    print(i, a, b)"],
            "ValueError",
            unpack
        ),
        "for i, (a, b) in enumerate(zip(x, y)):\n    print(i, a, b)"
    );
    assert_eq!(
        repaired_first(
            &[
                "d = {'k': (1, 2)}",
                "for n, a, b in d.items():\n    print(n)"
            ],
            "ValueError",
            unpack
        ),
        "for n, (a, b) in d.items():\n    print(n)"
    );
    // The contents of the rows are unknown.
    let cells = ["for n, a, b in rows:\n    print(n)"];
    let all = cures_of(&cells, &error_at(&cells, 1, "ValueError", unpack));
    assert!(all.iter().all(|c| c.edits.is_empty()), "{all:?}");
    assert_eq!(
        repaired_at(
            &["for row in df.iterrows():\n    print(row['a'])"],
            2,
            "TypeError",
            "tuple indices must be integers or slices, not str"
        ),
        "for i, row in df.iterrows():\n    print(row['a'])"
    );
}

#[test]
fn what_has_no_sort_is_sorted_otherwise() {
    let message = |kind: &str| format!("'{kind}' object has no attribute 'sort'");
    let one = |line: &str, kind: &str| repaired_first(&[line], "AttributeError", &message(kind));
    assert_eq!(
        one("top = c.sort(reverse=True)[:2]", "Counter"),
        "top = c.most_common()[:2]"
    );
    assert_eq!(one("d.keys().sort()", "dict_keys"), "sorted(d.keys())");
    assert_eq!(
        one("names.sort(key=len)", "tuple"),
        "names = sorted(names, key=len)"
    );
}

#[test]
fn a_property_is_read_and_a_base_class_set_up() {
    let class = "class Sq:\n    def __init__(self, a):\n        self.a = a\n    @property\n    def area(self):\n        return self.a ** 2";
    assert_eq!(
        repaired_first(
            &[class, "s = Sq(3)", "print(s.area())"],
            "TypeError",
            "'int' object is not callable"
        ),
        "print(s.area)"
    );
    let base = "class Animal:\n    def __init__(self, name):\n        self.name = name";
    let sub = "class Dog(Animal):\n    def __init__(self, name, kg):\n        self.kg = kg";
    assert_eq!(
        repaired_first(
            &[base, sub, "rex = Dog('Rex', 20)\nrex.name"],
            "AttributeError",
            "'Dog' object has no attribute 'name'"
        ),
        "class Dog(Animal):\n    def __init__(self, name, kg):\n        super().__init__(name)\n        self.kg = kg"
    );
}

#[test]
fn a_search_without_a_match_gives_none() {
    let message = "'NoneType' object has no attribute 'group'";
    assert_eq!(
        repaired_at(
            &["import re", "def number(line):\n    return int(re.search(r'id=(\\d+)', line).group(1))\nnumber('x')"],
            2,
            "AttributeError",
            message
        ),
        "def number(line):\n    return int(m.group(1)) if (m := re.search(r'id=(\\d+)', line)) else None\nnumber('x')"
    );
    assert_eq!(
        repaired_first(
            &["import re\nfound = re.match(p, t)", "n = found.group(1)"],
            "AttributeError",
            message
        ),
        "n = found.group(1) if found else None"
    );
}

#[test]
fn one_parameter_is_a_tuple() {
    let message = "Incorrect number of bindings supplied. The current statement uses 1, and there are 3 supplied.";
    let one = |line: &str| repaired_first(&[line], "ProgrammingError", message);
    assert_eq!(one("db.execute(q, (name))"), "db.execute(q, (name,))");
    assert_eq!(one("db.execute(q, name)"), "db.execute(q, (name,))");
}

#[test]
fn pillow_gets_bytes_and_modes_that_it_can_write() {
    let line = "img.save('a.jpg')";
    assert_eq!(
        repaired_first(&[line], "OSError", "cannot write mode RGBA as JPEG"),
        "img.convert(\"RGB\").save('a.jpg')"
    );
    assert_eq!(
        repaired_first(
            &["import numpy as np", "img = Image.fromarray(noise)"],
            "TypeError",
            "Cannot handle this data type: (1, 1, 3), <f8"
        ),
        "img = Image.fromarray((noise * 255).astype(np.uint8))"
    );
}

#[test]
fn tables_get_what_they_need() {
    let v = "ValueError";
    assert_eq!(
        repaired_first(
            &["w = df.pivot(index='a', columns='b', values='n')"],
            v,
            "Index contains duplicate entries, cannot reshape"
        ),
        "w = df.pivot_table(index='a', columns='b', values='n', aggfunc=\"mean\")"
    );
    assert_eq!(
        repaired_first(
            &["df[['a', 'b']] = df['n'].str.split(' ', expand=True)"],
            v,
            "Columns must be same length as key"
        ),
        "df[['a', 'b']] = df['n'].str.split(' ', expand=True, n=1)"
    );
    assert_eq!(
        repaired_first(
            &[
                "mask = df['v'] % 2 == 0\nsub = df[df['v'] > 3]",
                "sub[mask.values]"
            ],
            v,
            "Item wrong length 10 instead of 6."
        ),
        "sub[sub['v'] % 2 == 0]"
    );
    assert_eq!(
        repaired_first(
            &[
                "import pandas as pd\nstart = pd.Timestamp('2024-02-01')",
                "r = e[e['at'] > start]"
            ],
            "TypeError",
            "Invalid comparison between dtype=datetime64[us, UTC] and Timestamp"
        ),
        "r = e[e['at'] > start.tz_localize(\"UTC\")]"
    );
    assert_eq!(
        repaired_first(
            &["p['new'] = p['x'].apply(discount, 0.2)"],
            "TypeError",
            "Value after * must be an iterable, not float"
        ),
        "p['new'] = p['x'].apply(discount, args=(0.2,))"
    );
    assert_eq!(
        repaired_first(
            &[
                "open('m.csv', 'w').write('name;height\\nAnn;2,5\\n')",
                "m = pd.read_csv('m.csv')",
                "m['height'].mean()"
            ],
            "KeyError",
            "'height'"
        ),
        "m = pd.read_csv('m.csv', sep=\";\", decimal=\",\")"
    );
    // Read with a different separator than the notebook itself writes.
    for (written, read, repaired) in [
        (
            "t.to_csv('m.csv')",
            "m = pd.read_csv('m.csv', sep='|', index_col=0)",
            "m = pd.read_csv('m.csv', index_col=0)",
        ),
        (
            "t.to_csv('m.csv', sep='\\t')",
            "m = pd.read_csv('m.csv')",
            "m = pd.read_csv('m.csv', sep=\"\\t\")",
        ),
        (
            "open('m.csv', 'w').write('name,height\\nAnn,2\\n')",
            "m = pd.read_csv('m.csv', sep=';')",
            "m = pd.read_csv('m.csv')",
        ),
    ] {
        let cells = ["import pandas as pd", written, read, "m['height'].mean()"];
        assert_eq!(repaired_first(&cells, "KeyError", "'height'"), repaired);
    }
    for (read, error) in [
        ("m = pd.read_csv('m.csv', header=None)", "'height'"),
        (
            "m = pd.read_csv('m.csv', skiprows=1)",
            "\"['height'] not in index\"",
        ),
        ("m = pd.read_csv('m.csv', index_col=0)", "'height'"),
    ] {
        let cells = [
            "import pandas as pd",
            read,
            "m[['height']].mean() if x else 0",
        ];
        assert_eq!(
            repaired_first(&cells, "KeyError", error),
            "m = pd.read_csv('m.csv')"
        );
    }
    let cells = [
        "import pandas as pd\nt.to_csv('m.csv')",
        "m = pd.read_csv('m.csv')",
        "m['height'].mean()",
    ];
    assert!(
        cures_of(&cells, &error_at(&cells, 1, "KeyError", "'height'"))
            .iter()
            .all(|c| c.id != "separator")
    );
}

#[test]
fn scipy_and_scikit_learn_get_what_they_need() {
    assert_eq!(
        repaired_first(
            &[
                "def model(x, a, b, c):\n    return a * x + b * c",
                "p, c = curve_fit(model, x, y, p0=[1, 1])"
            ],
            "TypeError",
            "model() missing 1 required positional argument: 'c'"
        ),
        "p, c = curve_fit(model, x, y, p0=[1, 1, 1])"
    );
    assert_eq!(
        repaired_first(
            &["f = interp1d(x, y)", "f(new)"],
            "ValueError",
            "A value (12.0) in x_new is above the interpolation range's maximum value (9)."
        ),
        "f = interp1d(x, y, fill_value=\"extrapolate\")"
    );
    assert_eq!(
        repaired_first(
            &["cv = KFold(n_splits=5, random_state=1)"],
            "ValueError",
            "Setting a random_state has no effect since shuffle is False. You should leave random_state to its default (None), or set shuffle=True."
        ),
        "cv = KFold(n_splits=5, random_state=1, shuffle=True)"
    );
    let scaled =
        "scaler = StandardScaler()\nscaled = scaler.fit_transform(data)\ntarget = scaled[:, [0]]";
    assert_eq!(
        repaired_first(
            &[scaled, "scaler.inverse_transform(target)"],
            "ValueError",
            "non-broadcastable output operand with shape (20,1) doesn't match the broadcast shape (20,3)"
        ),
        "target * scaler.scale_[0] + scaler.mean_[0]"
    );
}

#[test]
fn an_argument_that_is_missing_is_named() {
    let cells = ["s = lr_scheduler.StepLR(opt, gamma=0.5)"];
    let message = "StepLR.__init__() missing 1 required positional argument: 'step_size'";
    let first = &cures_of(&cells, &error_at(&cells, 1, "TypeError", message))[0];
    assert_eq!(
        first.title,
        "Give `StepLR` its `step_size`: `lr_scheduler.StepLR(opt, gamma=0.5, step_size=…)`"
    );
}

#[test]
fn calls_get_what_they_take() {
    for (cells, class, message, made) in [
        (
            vec!["d[d['k'].isin('x')]"],
            "TypeError",
            "only list-like objects are allowed to be passed to isin(), you passed a `str`",
            "d[d['k'].isin(['x'])]",
        ),
        (
            vec!["m = v.fit_transform(doc)"],
            "ValueError",
            "Iterable over raw text documents expected, string object received.",
            "m = v.fit_transform([doc])",
        ),
        (
            vec!["w = csv.writer(f, delimiter='; ')"],
            "TypeError",
            "\"delimiter\" must be a 1-character string",
            "w = csv.writer(f, delimiter=\";\")",
        ),
        (
            vec!["pts.sort(key=lambda a, b: (b, -a))"],
            "TypeError",
            "<lambda>() missing 1 required positional argument: 'b'",
            "pts.sort(key=lambda pair: (pair[1], -pair[0]))",
        ),
        (
            vec!["f.write(n * 2)"],
            "TypeError",
            "write() argument must be str, not int",
            "f.write(str(n * 2))",
        ),
        (
            vec!["imp = m.feature_importances_"],
            "AttributeError",
            "'LogisticRegression' object has no attribute 'feature_importances_'",
            "imp = m.coef_[0]",
        ),
        (
            vec!["@dataclass\nclass Job:\n    name: str\n    tags: list = []"],
            "ValueError",
            "mutable default <class 'list'> for field tags is not allowed: use default_factory",
            "from dataclasses import field\n@dataclass\nclass Job:\n    name: str\n    tags: list = field(default_factory=list)",
        ),
        (
            vec!["c = defaultdict()", "c[w] += 1"],
            "KeyError",
            "'a'",
            "c = defaultdict(int)",
        ),
    ] {
        assert_eq!(repaired_first(&cells, class, message), made, "{message}");
    }
    assert_eq!(
        repaired_at(
            &["for i in range(4):\n    plt.subplot(2, 2, i)"],
            2,
            "ValueError",
            "num must be an integer with 1 <= num <= 4, not 0"
        ),
        "for i in range(4):\n    plt.subplot(2, 2, i + 1)"
    );
}

#[test]
fn columns_and_indexes_are_made_ready() {
    let k = "KeyError";
    assert_eq!(
        repaired_first(
            &["part = s['2024-01-10':'2024-02-10']"],
            k,
            "'Value based partial slicing on non-monotonic DatetimeIndexes with non-existing keys is not allowed.'"
        ),
        "part = s.sort_index()['2024-01-10':'2024-02-10']"
    );
    assert_eq!(
        repaired_first(
            &["d = d.set_index('id')", "d.set_index('id').sort_index()"],
            k,
            "\"None of ['id'] are in the columns\""
        ),
        "d.reset_index().set_index('id').sort_index()"
    );
    assert_eq!(
        repaired_first(
            &[
                "d = pd.DataFrame({'g': ['x'], 'n': [1]})",
                "r = d.groupby('g').agg(total='sum')"
            ],
            "TypeError",
            "Must provide 'func' or tuples of '(column, aggfunc)."
        ),
        "r = d.groupby('g').agg(total=(\"n\", 'sum'))"
    );
    assert_eq!(
        repaired_first(
            &["import pandas as pd", "px['ma'] = px['close'].rolling(2).mean()"],
            "DataError",
            "No numeric types to aggregate"
        ),
        "px['close'] = pd.to_numeric(px['close'].astype(str).str.replace(\",\", \"\"), errors=\"coerce\")\npx['ma'] = px['close'].rolling(2).mean()"
    );
    assert_eq!(
        repaired_first(
            &[
                "w = pd.DataFrame({'Name': ['a'], 'jan': [1]})",
                "long = w.melt(id_vars='name')"
            ],
            k,
            "\"The following id_vars or value_vars are not present in the DataFrame: ['name']\""
        ),
        "long = w.melt(id_vars='Name')"
    );
}

#[test]
fn an_estimator_keeps_its_arguments_under_their_names() {
    let class = "class Top(BaseEstimator):\n    def __init__(self, n_keep=5):\n        self.k = n_keep\n    def fit(self, X):\n        return X[:, :self.k]";
    let cells = [class, "cross_val_score(Top(), X)"];
    let message = "'Top' object has no attribute 'n_keep'";
    let error = error_at(&cells, 1, "AttributeError", message);
    let own = cures_of(&cells, &error);
    assert!(own.iter().all(|c| c.id != "kept-by-name"), "{own:?}");
    let last = format!("AttributeError: {message}");
    let asked = format!("File /lib/python3.11/site-packages/sklearn/base.py:265, in BaseEstimator.get_params(self, deep)\n    264 for key in names:\n--> 265     value = getattr(self, key)\n\n{last}");
    let all = cures_of(&cells, &error.replace(&last, &asked));
    assert_eq!(
        all[0].code,
        class.replace("self.k", "self.n_keep"),
        "{all:?}"
    );
}

#[test]
fn values_that_are_over_are_taken_away() {
    let contours = "im, found, tree = cv2.findContours(t, 1, 2)";
    let message = "not enough values to unpack (expected 3, got 2)";
    let made = repaired_first(&["import cv2", contours], "ValueError", message);
    assert_eq!(made, "found, tree = cv2.findContours(t, 1, 2)");
    let cells = [
        "start = [90, 0.03, 20]  # T0, k, room",
        "def cooling(t, T0, k):\n    return T0 - k * t",
        "popt, _ = curve_fit(cooling, x, y, p0=start)",
    ];
    let message = "cooling() takes 3 positional arguments but 4 were given";
    let made = repaired_first(&cells, "TypeError", message);
    assert_eq!(made, "start = [90, 0.03]  # T0, k, room");
}
