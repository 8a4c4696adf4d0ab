//! Inputs of single calls.

use crate::tests::{ipython, repaired};

/// The cell shown by the first cure. `line` of the last cell fails.
fn fixed(cells: &[&str], line: usize, message: &str) -> String {
    let text = cells[cells.len() - 1].lines().nth(line - 1).unwrap_or("");
    let frame = (
        i64::try_from(cells.len()).unwrap(),
        u32::try_from(line).unwrap(),
        text,
    );
    repaired(cells, &ipython("ValueError", &[frame], message))
}

#[test]
fn samples_and_tables() {
    assert_eq!(
        fixed(&["y = model(x)"], 1, "expected 4D input (got 3D input)"),
        "y = model(x.unsqueeze(0))"
    );
    assert_eq!(
        fixed(
            &["ids = load()", "table = nn.Embedding(9, 4)\nv = table(ids)"],
            2,
            "index out of range in self"
        ),
        "table = nn.Embedding(int(ids.max()) + 1, 4)\nv = table(ids)"
    );
    for (cell, message, made) in [
        ("y = model.predict(x)", "Input 0 of layer \"dense\" is incompatible with the layer: expected axis -1 of input shape to have value 784, but received input with shape (32, 28, 28)", "y = model.predict(x.reshape(len(x), -1))"),
        ("y = model.predict(x)", "Input 0 of layer \"conv\" is incompatible with the layer: expected min_ndim=4, found ndim=2. Full shape received: (28, 28)", "y = model.predict(x[None, ..., None])"),
    ] {
        assert_eq!(fixed(&[cell], 1, message), made);
    }
}

#[test]
fn places_are_whole_numbers() {
    assert_eq!(
        fixed(
            &["for i in range(len(x) / 2):\n    f(i)"],
            1,
            "'float' object cannot be interpreted as an integer"
        ),
        "for i in range(len(x) // 2):\n    f(i)"
    );
}

#[test]
fn tensorflow_and_jax() {
    let tf = "import tensorflow as tf";
    assert_eq!(
        fixed(
            &[tf, "x = tf.constant(rows)"],
            1,
            "Can't convert non-rectangular Python sequence to Tensor."
        ),
        "x = tf.ragged.constant(rows)"
    );
    assert_eq!(
        fixed(&[tf, "d = words.batch(2)\nb = list(d)"], 2, "Cannot batch tensors with different shapes in component 0. First element had shape [3] and element 1 had shape [5]."),
        "d = words.padded_batch(2)\nb = list(d)"
    );
    assert_eq!(
        fixed(&[tf, "y = tf.matmul(x, w)"], 1, "cannot compute MatMul as input #1(zero-based) was expected to be a double tensor but is a float tensor [Op:MatMul] name: "),
        "y = tf.matmul(tf.cast(x, tf.float32), w)"
    );
    assert_eq!(
        fixed(
            &["g = jax.grad(loss)(p)"],
            1,
            "Gradient only defined for scalar-output functions. Output had shape: (4,)."
        ),
        "g = jax.grad(lambda *args: loss(*args).mean())(p)"
    );
}

#[test]
fn a_grid_has_as_many_places_as_images() {
    let cell = "n = 5\nk = 0\nfor i in range(n):\n    for j in range(n):\n        show(pics[k])\n        k += 1";
    let made = fixed(
        &[cell],
        5,
        "index 9 is out of bounds for axis 0 with size 9",
    );
    assert_eq!(made, cell.replace("n = 5", "n = 3"));
}
