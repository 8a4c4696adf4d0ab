//! Keras.

use crate::tests::{cures_of, ipython};

/// The lines changed by the first cure. The last line of the last cell fails.
fn lines(cells: &[&str], message: &str) -> Vec<String> {
    let last = cells[cells.len() - 1];
    let (at, number) = (
        i64::try_from(cells.len()).unwrap(),
        u32::try_from(last.lines().count()).unwrap(),
    );
    let error = ipython(
        "ValueError",
        &[(at, number, last.lines().last().unwrap_or(""))],
        message,
    );
    let cures = cures_of(cells, &error);
    let diff = cures.first().map(|c| c.diff.clone()).unwrap_or_default();
    diff.iter()
        .filter(|d| d.sign == '+')
        .map(|d| d.text.trim().to_owned())
        .collect()
}

#[test]
fn the_loss_fits_the_labels() {
    let cell = "model.compile('adam', loss='categorical_crossentropy')";
    let fit = "model.fit(x, y)";
    for message in [
        "Shapes (None, 1) and (None, 5) are incompatible",
        "Arguments `target` and `output` must have the same rank (ndim). Received: target.shape=(32,), output.shape=(32, 5)",
    ] {
        assert_eq!(lines(&[cell, fit], message), ["model.compile('adam', loss='sparse_categorical_crossentropy')"]);
    }
    let made = lines(
        &["model.compile('adam', keras.losses.SparseCategoricalCrossentropy())", fit],
        "logits and labels must have the same first dimension, got logits shape [32,5] and labels shape [160]",
    );
    assert_eq!(
        made,
        ["model.compile('adam', keras.losses.CategoricalCrossentropy())"]
    );
    let cell = "out = Dense(56)(x)\nout = Dense(5, activation='softmax')(out)\nmodel.compile(loss='categorical_crossentropy')";
    let made = lines(&[cell, fit], "Graph execution error:\n\nlogits and labels must be broadcastable: logits_size=[32,5] labels_size=[32,2]");
    assert_eq!(made, ["out = Dense(2, activation='softmax')(out)"]);
}

#[test]
fn labels_and_indices_that_are_too_large() {
    let cell = "model.add(Dense(5))\nmodel.add(Embedding(1000, 8))";
    let message =
        "Received a label value of 5 which is outside the valid range of [0, 5).  Label values: ";
    assert_eq!(
        lines(
            &[cell, "model.fit(x, y)"],
            &format!("{message}5 1 2 3 4 1 2 5")
        ),
        ["model.fit(x, y - 1)"]
    );
    assert_eq!(
        lines(
            &[cell, "model.fit(x, y)"],
            &format!("{message}5 1 0 7 4 1 2 5")
        ),
        ["model.add(Dense(8))"]
    );
    let index = "indices[0,0] = 1003 is not in [0, 1000)";
    assert_eq!(
        lines(&[cell, "model.fit(x, y)"], index),
        ["model.add(Embedding(1004, 8))"]
    );
    assert_eq!(
        lines(&["x = load()", cell, "model.fit(x, y)"], index),
        ["model.add(Embedding(int(x.max()) + 1, 8))"]
    );
}

#[test]
fn data_get_the_shape_of_the_input() {
    for (expected, found, made) in [
        (
            "(None, 784)",
            "(32, 28, 28)",
            "model.predict(x.reshape(len(x), -1))",
        ),
        (
            "(None, 28, 28, 1)",
            "(28, 28)",
            "model.predict(x[None, ..., None])",
        ),
        (
            "(None, 28, 28, 1)",
            "(32, 28, 28)",
            "model.predict(x[..., None])",
        ),
        ("(None, 64, 64, 3)", "(32, 64, 3)", "model.predict(x[None])"),
    ] {
        let message = format!("Input 0 of layer \"model\" is incompatible with the layer: expected shape={expected}, found shape={found}");
        assert_eq!(
            lines(&["model.predict(x)"], &message),
            [made],
            "{expected} {found}"
        );
    }
    let message = "Input 0 of layer \"model\" is incompatible with the layer: expected shape=(None, 100, 100, 3), found shape=(None, 223, 223, 3)";
    assert_eq!(
        lines(
            &[
                "side = 4\nmodel.add(Conv2D(8, 3, input_shape=(100, 100, 3)))",
                "model.fit(data)"
            ],
            message
        ),
        ["model.add(Conv2D(8, 3, input_shape=(223, 223, 3)))"]
    );
}

#[test]
fn a_flattened_size_tells_the_side_of_the_images() {
    let model = "model.add(Conv2D(32, kernel_size=(3, 3), input_shape=(40, 40, 3)))\nmodel.add(MaxPooling2D(pool_size=(2, 2)))\nmodel.add(Flatten())\nmodel.add(Dense(16))";
    // (40 - 2) / 2 = 19; (65 - 2) / 2 = 31, as with 64.
    let message =
        "Graph execution error:\n\nMatrix size-incompatible: In[0]: [30,30752], In[1]: [11552,16]";
    assert!(lines(&[model, "model.fit(data)"], message).is_empty());
    let made = lines(
        &[
            "data = flow(target_size=(65, 65))",
            model,
            "model.fit(data)",
        ],
        message,
    );
    assert_eq!(
        made,
        ["model.add(Conv2D(32, kernel_size=(3, 3), input_shape=(65, 65, 3)))"]
    );
}

#[test]
fn recurrent_layers_above_each_other() {
    let cell = "model.add(LSTM(64, input_shape=(9, 1)))\nmodel.add(LSTM(32))";
    let message = "Input 0 of layer \"lstm_1\" is incompatible with the layer: expected ndim=3, found ndim=2. Full shape received: (None, 64)";
    assert_eq!(
        lines(&[cell], message),
        ["model.add(LSTM(64, input_shape=(9, 1), return_sequences=True))"]
    );
}

#[test]
fn one_hot_labels_and_outputs_with_axes_want_a_flatten() {
    let message = "Arguments `target` and `output` must have the same rank (ndim). Received: target.shape=(None, 7), output.shape=(None, 12, 12, 7)";
    let end = "net.compile('adam', 'categorical_crossentropy')\nnet.fit(x, y)";
    let list = "net = Sequential([\n    layers.Conv2D(8, 3),\n    layers.Dense(7, activation='softmax'),\n])";
    let adds = "net = Sequential()\nnet.add(Conv2D(8, 3))\nnet.add(Dense(7))";
    let imports = "from keras.layers import Conv2D, Dense, Flatten";
    for (model, after) in [
        (list, "layers.Flatten(), layers.Dense(7"),
        (adds, "net.add(Flatten())\nnet.add(Dense(7))"),
    ] {
        let cells = [imports, model, end];
        let found = crate::tests::repaired_at(&cells, 2, "ValueError", message);
        assert!(found.contains(after), "{found}");
    }
}
