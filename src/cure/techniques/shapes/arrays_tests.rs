//! Arrays.

use crate::tests::{ipython, repaired};

/// The last cell after the first cure; its last line fails.
fn fixed(cells: &[&str], message: &str) -> String {
    let last = cells[cells.len() - 1];
    let (at, number) = (
        i64::try_from(cells.len()).unwrap(),
        u32::try_from(last.lines().count()).unwrap(),
    );
    repaired(
        cells,
        &ipython(
            "ValueError",
            &[(at, number, last.lines().last().unwrap_or(""))],
            message,
        ),
    )
}

const NP: &str = "import numpy as np\nx = np.arange(9.0)";

#[test]
fn estimators_get_tables() {
    let message = "Expected 2D array, got 1D array instead:\narray=[0. 1. 2.].\nReshape your data either using array.reshape(-1, 1)";
    for (line, made) in [
        ("model.fit(x, y)", "model.fit(x.reshape(-1, 1), y)"),
        ("model.fit(df['a'], y)", "model.fit(df[['a']], y)"),
        ("model.predict([1, 2])", "model.predict([[1, 2]])"),
        ("model.predict(x[0])", "model.predict(x[0].reshape(1, -1))"),
    ] {
        assert_eq!(fixed(&[NP, line], message), made);
    }
    assert_eq!(
        fixed(
            &[NP, "model.fit(x, y)"],
            "Found array with dim 3. SVC expected <= 2."
        ),
        "model.fit(x.reshape(len(x), -1), y)"
    );
    assert_eq!(
        fixed(
            &[NP, "model.fit(x, y)"],
            "y should be a 1d array, got an array of shape (100, 1) instead."
        ),
        "model.fit(x, y.ravel())"
    );
    assert_eq!(
        fixed(
            &[NP, "model.fit(x, y)"],
            "y should be a 1d array, got an array of shape (100, 3) instead."
        ),
        "model.fit(x, np.asarray(y).argmax(axis=1))"
    );
}

#[test]
fn sizes_that_meet_are_made_equal() {
    let broadcast = "operands could not be broadcast together with shapes";
    assert_eq!(
        fixed(&[NP, "c = t - m"], &format!("{broadcast} (4,3) (4,) ")),
        "c = t - m[:, None]"
    );
    assert_eq!(
        fixed(&[NP, "c = m * t"], &format!("{broadcast} (4,) (4,3) ")),
        "c = m[:, None] * t"
    );
    assert_eq!(
        fixed(&[NP, "c = t + u"], &format!("{broadcast} (4,3) (3,4) ")),
        "c = t + u.T"
    );
    assert_eq!(
        fixed(&[NP, "c = t + u"], &format!("{broadcast} (4,3) (5,7) ")),
        ""
    );
    assert_eq!(
        fixed(
            &[NP, "c = np.dot(a, b)"],
            "shapes (3,4) and (5,4) not aligned: 4 (dim 1) != 5 (dim 0)"
        ),
        "c = np.dot(a, b.T)"
    );
    assert_eq!(
        fixed(
            &[NP, "c = a @ b"],
            "shapes (3,4) and (3,) not aligned: 4 (dim 1) != 3 (dim 0)"
        ),
        "c = a.T @ b"
    );
    let join = "all the input array dimensions except for the concatenation axis must match exactly, but along dimension 1, the array at index 0 has size 3 and the array at index 1 has size 4";
    assert_eq!(
        fixed(&[NP, "c = np.concatenate([a, b])"], join),
        "c = np.concatenate([a, b], axis=1)"
    );
}

#[test]
fn shapes_and_axes_are_counted() {
    assert_eq!(
        fixed(
            &[NP, "x = x.reshape(100, 28, 28, 1)"],
            "cannot reshape array of size 47040 into shape (100,28,28,1)"
        ),
        "x = x.reshape(-1, 28, 28, 1)"
    );
    assert_eq!(
        fixed(
            &[NP, "x = x.reshape((10, 32, 32, 3))"],
            "cannot reshape array of size 27000 into shape (10,32,32,3)"
        ),
        "x = x.reshape((10, 30, 30, 3))"
    );
    assert_eq!(
        fixed(
            &[NP, "t = x.sum(axis=2)"],
            "axis 2 is out of bounds for array of dimension 2"
        ),
        "t = x.sum(axis=1)"
    );
    let one = "too many indices for array: array is 1-dimensional, but 2 were indexed";
    assert_eq!(
        fixed(&["import numpy as np\nx = t[0]", "f = x[:, 0]"], one),
        "f = np.atleast_2d(x)[:, 0]"
    );
    assert_eq!(
        fixed(
            &["from sklearn.svm import SVC\nm = SVC()\np = m.predict(x)\nf = p[:, 1]"],
            one
        ),
        "from sklearn.svm import SVC\nm = SVC()\np = m.predict_proba(x)\nf = p[:, 1]"
    );
}

#[test]
fn plots_count_what_they_show() {
    let message = "x and y must have same first dimension, but have shapes (10,) and (9,)";
    assert_eq!(
        fixed(&["plt.plot(range(10), loss)"], message),
        "plt.plot(range(len(loss)), loss)"
    );
    assert_eq!(
        fixed(&["plt.plot(range(1, 11), loss)"], message),
        "plt.plot(range(1, len(loss) + 1), loss)"
    );
    assert_eq!(
        fixed(&["t = np.linspace(0, 1, 10)\nplt.plot(t, loss)"], message),
        "t = np.linspace(0, 1, 9)\nplt.plot(t, loss)"
    );
    // Changing the length of `x` also changes the length of what is computed from it.
    let kept = "t = np.linspace(0, 1, 10)\nwave = np.sin(t)\n";
    let of = |made: &str| fixed(&[&format!("{kept}{made}\nplt.plot(t, y)")], message);
    assert!(of("y = np.convolve(wave, [1, 1], mode='valid')").contains("mode=\"same\""));
    assert!(of("y = np.diff(wave)").ends_with("plt.plot(t[1:], y)"));
    let other = of("y = smooth(wave)");
    assert!(!other.contains("linspace(0, 1, 9)"), "{other}");
}

#[test]
fn lists_and_uneven_arrays() {
    let index = "only integer scalar arrays can be converted to a scalar index";
    assert_eq!(
        fixed(
            &["names = ['a', 'b']", "show(names[labels[3]], names[best])"],
            index
        ),
        "show(names[labels[3].item()], names[best])"
    );
    assert_eq!(
        fixed(&["import numpy as np\nx = np.array(rows)"], "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. The detected shape was (3,) + inhomogeneous part."),
        "import numpy as np\nx = np.array(rows, dtype=object)"
    );
}

#[test]
fn parts_of_one_size_end_with_the_last_whole_one() {
    let message = "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. The detected shape was (3,) + inhomogeneous part.";
    let of = |made: &str, line: &str| fixed(&["import numpy as np", made, line], message);
    let made = "parts = [data[k:k + 2 * n] for k in range(0, len(data), n)]";
    assert_eq!(
        of(made, "x = np.array(parts)"),
        made.replace("len(data), n", "len(data) - (2 * n) + 1, n")
    );
    let function = "def cut(s, n):\n    out = []\n    for i in range(0, s.size, n):\n        out.append(s[i:n + i])\n    return out";
    assert_eq!(
        of(function, "x = np.array(cut(wave, 50)).mean(axis=1)"),
        function.replace("s.size", "s.size - n + 1")
    );
    // These end where the parts are whole.
    let whole = made.replace("len(data)", "len(data) - 2 * n + 1");
    assert_eq!(
        of(&whole, "x = np.array(parts)"),
        "x = np.array(parts, dtype=object)"
    );
    // Objects of several lengths can't be calculated with.
    for line in [
        "x = np.array(rows) * 2",
        "x = np.array(rows)\ny = np.abs(x)",
    ] {
        assert_eq!(of("rows = load()", line), "");
    }
}

#[test]
fn sequences_of_several_lengths_are_padded_where_the_notebook_pads() {
    let message = "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. The detected shape was (3,) + inhomogeneous part.";
    let cells = [
        "import numpy as np\nfrom keras.preprocessing.sequence import pad_sequences",
        "x = np.array(ids)",
    ];
    assert_eq!(
        crate::tests::repaired_first(&cells, "ValueError", message),
        "x = pad_sequences(ids)"
    );
}

#[test]
fn rows_become_images_of_the_side_that_they_have() {
    let cells = [
        "import numpy as np\nflat = np.random.rand(50, 32 * 32 * 3)",
        "def images(a):\n    return a.reshape(-1, 28, 28, 1)",
        "images(flat)",
    ];
    let error = ipython(
        "ValueError",
        &[
            (3, 1, "images(flat)"),
            (2, 2, "return a.reshape(-1, 28, 28, 1)"),
        ],
        "cannot reshape array of size 153600 into shape (28,28,1)",
    );
    assert_eq!(
        repaired(&cells, &error),
        "def images(a):\n    return a.reshape(-1, 32, 32, 3)"
    );
}
