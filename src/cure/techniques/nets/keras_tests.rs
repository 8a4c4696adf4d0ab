//! Keras: calls and files.

use crate::tests::{cures_of, error_at, repaired_at};

fn check(rows: &[(&[&str], &str, u32, &str, &str)]) {
    for (before, last, line, message, wanted) in rows {
        let mut cells = before.to_vec();
        cells.push(last);
        let made = repaired_at(&cells, *line, "ValueError", message);
        match wanted.is_empty() {
            true => assert!(made.is_empty(), "{last}\n{message}\n-> {made}"),
            false => assert!(made.contains(wanted), "{last}\n{message}\n-> {made}"),
        }
    }
}

fn title(cells: &[&str], message: &str) -> String {
    let cures = cures_of(cells, &error_at(cells, 1, "ValueError", message));
    cures.first().map(|c| c.title.clone()).unwrap_or_default()
}

#[test]
fn arguments_fit_the_data_and_the_release() {
    let np: &[&str] = &["import numpy as np"];
    let lists = "`validation_split` is only supported for Tensors or NumPy arrays, found following types in the input: [<class 'int'>]";
    check(&[(
        np,
        "model.fit(a, b, validation_split=0.1)",
        1,
        lists,
        "model.fit(np.array(a), np.array(b), validation_split=0.1)",
    )]);
    check(&[
        (np, "o = Adam(lr=0.1)", 1, "Argument(s) not recognized: {'lr': 0.1}", "Adam(learning_rate=0.1)"),
        (np, "o = Adam(lr=0.1, decay=1e-4)", 1, "Argument(s) not recognized: {'lr': 0.1, 'decay': 0.0001}", "Adam(learning_rate=0.1)"),
        (np, "model.fit(gen, y, epochs=2)", 1, "`y` argument is not supported when using `keras.utils.Sequence` as input.", "model.fit(gen, epochs=2)"),
        (np, "model.fit(ds, batch_size=8)", 1, "The `batch_size` argument must not be specified for the given input type.", "model.fit(ds)"),
        (np, "model.fit(ds, y, 8)", 1, "`y` argument is not supported when using dataset as input.", ""),
        (np, "model.fit(rows, marks)", 1, "Failed to find data adapter that can handle input: (<class 'list'> containing values of types {\"<class 'int'>\"}), <class 'numpy.ndarray'>", "model.fit(np.array(rows), marks)"),
        (np, "model.fit(rows, marks)", 1, "Unrecognized data type: x=[[1]] (of type <class 'list'>)", "model.fit(np.array(rows), marks)"),
        (np, "model.fit(X, y, validation_data=(V, w))", 1, "Failed to convert a NumPy array to a Tensor (Unsupported object type float).", ".astype(\"float32\"), w))"),
        (np, "model.fit(X, y)", 1, "Failed to convert a NumPy array to a Tensor (Unsupported object type numpy.ndarray).", "fit(np.stack(X), y)"),
    ]);
}

#[test]
fn the_targets_of_the_same_rows_are_given() {
    let split = "X_tr, X_te, y_tr, y_te = train_test_split(X, y)";
    let message = "Data cardinality is ambiguous:\n  x sizes: 80\n  y sizes: 20\nMake sure all arrays contain the same number of samples.";
    check(&[
        (
            &[split],
            "model.fit(X_tr, y_te)",
            1,
            message,
            "model.fit(X_tr, y_tr)",
        ),
        (
            &[split],
            "model.fit(X_tr, y_tr, validation_data=(X_te, y_tr))",
            1,
            message,
            "validation_data=(X_te, y_te)",
        ),
        (
            &["train_x = 1\ntrain_y = 2\ntest_y = 3"],
            "model.fit(train_x, test_y)",
            1,
            message,
            "model.fit(train_x, train_y)",
        ),
    ]);
}

#[test]
fn a_model_is_made_ready_first() {
    let compile = "You must call `compile()` before calling `fit()`.";
    let soft = "model = Sequential([Dense(8), Dense(3, activation='softmax')])";
    check(&[
        (&[soft], "model.fit(x, y)", 1, compile, "model.compile(optimizer=\"adam\", loss=\"sparse_categorical_crossentropy\", metrics=[\"accuracy\"])\nmodel.fit"),
        (&["model = Sequential([Dense(1)])"], "model.fit(x, y)", 1, compile, "loss=\"mse\""),
        (&["model = load()"], "model.fit(x, y)", 1, compile, ""),
        (&["X_train = 1\nmodel = Sequential([Dense(1)])"], "model.summary()", 1, "This model has not yet been built.", "model.build((None, *X_train.shape[1:]))"),
    ]);
    let cells = [soft, "#!\nmodel.compile('adam', 'mse')", "model.fit(x, y)"];
    let error = crate::tests::ipython("RuntimeError", &[(2, 1, "model.fit(x, y)")], compile);
    assert_eq!(cures_of(&cells, &error)[0].run, [2, 3]);
    let cells = [
        "model.compile('adam', loss='mse')",
        "loss, acc = model.evaluate(x, y)",
    ];
    let made = repaired_at(
        &cells,
        1,
        "TypeError",
        "cannot unpack non-iterable float object",
    );
    assert_eq!(
        made,
        "model.compile('adam', loss='mse', metrics=[\"accuracy\"])"
    );
}

#[test]
fn operations_and_imports_are_of_one_keras() {
    let tensor = "A KerasTensor cannot be used as input to a TensorFlow function.";
    let mixed = "The added layer must be an instance of class Layer. Received: layer=<keras.src.layers.Dense>";
    check(&[
        (
            &["import tensorflow as tf"],
            "x = tf.reduce_mean(x, axis=1)",
            1,
            tensor,
            "tf.keras.ops.mean(x, axis=1)",
        ),
        (
            &["import tensorflow as tf"],
            "x = tf.unknown(x)",
            1,
            tensor,
            "",
        ),
        (
            &[
                "from tensorflow.keras.models import Sequential",
                "from keras.layers import Dense",
            ],
            "model.add(Dense(2))",
            1,
            mixed,
            "from tensorflow.keras.layers import Dense",
        ),
        (
            &["from keras.layers import Dense"],
            "model.add(Dense(2))",
            1,
            mixed,
            "",
        ),
    ]);
}

#[test]
fn files_have_the_ending_of_their_format() {
    let model =
        "The filepath provided must end in `.keras` (Keras model format). Received: filepath=best";
    let weights = "The filename must end in `.weights.h5`. Received: filepath=w.h5";
    let save = "Invalid filepath extension for saving. Please add either a `.keras` extension";
    check(&[
        (
            &["a = 1"],
            "c = ModelCheckpoint('best.h5', save_best_only=True)",
            1,
            model,
            "ModelCheckpoint('best.keras', ",
        ),
        (
            &["path = 'runs/' + 'best'"],
            "c = ModelCheckpoint(path)",
            1,
            model,
            "'best.keras'",
        ),
        (
            &["a = 1"],
            "c = ModelCheckpoint(filepath=f'w-{n}.hdf5')",
            1,
            model,
            "f'w-{n}.keras'",
        ),
        (
            &["a = 1"],
            "m.save_weights('w.h5')\nm.load_weights('w.h5')",
            1,
            weights,
            "m.save_weights('w.weights.h5')\nm.load_weights('w.weights.h5')",
        ),
        (&["a = 1"], "m.save('net')", 1, save, "m.save('net.keras')"),
        (&["a = 1"], "m.save(place())", 1, save, ""),
    ]);
}

#[test]
fn own_classes_are_named_when_a_file_is_loaded() {
    let layer = "Could not locate class 'Scale'. Make sure custom classes are decorated";
    let own = "class Scale(Layer):\n    pass";
    check(&[
        (
            &[own],
            "m = load_model('m.keras')",
            1,
            layer,
            "load_model('m.keras', custom_objects={\"Scale\": Scale})",
        ),
        (
            &[own],
            "m = load_model('m.h5', custom_objects={'f': f})",
            1,
            "Unknown layer: 'Scale'. Please ensure",
            "custom_objects={\"Scale\": Scale, 'f': f}",
        ),
        (
            &["a = 1"],
            "m = load_model('m.h5')",
            1,
            "Could not locate function 'mse'. Make sure",
            "load_model('m.h5', compile=False)",
        ),
    ]);
    let cells = [
        "def train():\n    class Scale(Layer):\n        pass",
        "m = load_model('m.keras')",
    ];
    assert!(title(&cells, layer).starts_with("Define `Scale` at the top level"));
    let cells = [
        "big = Sequential()\nbig.add(Dense(3))\nbig.add(Flatten())\nbig.add(Dense(3))",
        "net = VGG16()\nnet.load_weights('w.h5')",
    ];
    let message = "Layer count mismatch when loading weights from file. Model expected 13 layers, found 2 saved layers.";
    let cures = cures_of(&cells, &error_at(&cells, 2, "ValueError", message));
    assert_eq!(
        cures[0].title,
        "Load 'w.h5' into `big`, which has 2 such layers, and build `net` on it"
    );
}

#[test]
fn inputs_that_keras_3_refuses_are_reshaped() {
    let message = "Invalid input shape for input Tensor(\"data:0\", shape=(32, 9, 9), dtype=float32). Expected shape (None, 81), but input has incompatible shape (32, 9, 9)";
    check(&[(
        &["m = 1"],
        "s = m.predict(x)",
        1,
        message,
        "m.predict(x.reshape(len(x), -1))",
    )]);
}

#[test]
fn pictures_one_at_a_time_are_put_in_batches() {
    let message = "Exception encountered when calling Conv2D.call().\n\nNegative dimension size caused by subtracting 3 from 1 for '{{node s/conv2d/convolution}} = Conv2D[T=DT_FLOAT]' with input shapes: [28,28,1,1], [3,3,1,4].";
    let net = "m = Sequential([Input((28, 28, 1)), Conv2D(4, 3)])";
    let data = "ds = tf.data.Dataset.from_tensor_slices((X, y)).shuffle(40)";
    let batched = "ds = tf.data.Dataset.from_tensor_slices((X, y)).batch(8)";
    check(&[
        (&[data, net], "m.fit(ds)", 1, message, "m.fit(ds.batch(32))"),
        (&[batched, net], "m.fit(ds)", 1, message, "padding=\"same\""),
    ]);
}
