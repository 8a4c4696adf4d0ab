//! Lists that become arrays, and images that couldn't be read.

use crate::tests::{cures_of, error_at, repaired_at};

const T: &str = "import torch, cv2\nimport numpy as np\nfrom torch import nn";

fn title(cells: &[&str], line: u32, class: &str, message: &str) -> String {
    let cures = cures_of(cells, &error_at(cells, line, class, message));
    cures.first().map(|c| c.title.clone()).unwrap_or_default()
}

#[test]
fn lists_become_what_an_array_can_hold() {
    let grad =
        "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.";
    let shape = "setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. The detected shape was (9,) + inhomogeneous part.";
    let weight = "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (when checking argument for argument weight in method wrapper_CUDA_nll_loss_forward)";
    let cat = "Sizes of tensors must match except in dimension 1. Expected size 56 but got size 57 for tensor number 1 in the list.";
    for (before, last, line, message, wanted) in [
        ("labels = ['a', 'b']", "y = torch.tensor(labels)", 1, "too many dimensions 'str'", "classes = sorted(set(labels))\ny = torch.tensor([classes.index(c) for c in labels])"),
        ("rows = 1", "y = torch.tensor(rows)", 1, "expected sequence of length 2 at dim 1 (got 1)", "pad_sequence([torch.tensor(row) for row in rows], batch_first=True)"),
        ("enc = 1", "y = torch.tensor([e.ids for e in enc], dtype=torch.long)", 1, "expected sequence of length 2 at dim 1 (got 1)", "pad_sequence([torch.tensor(e.ids, dtype=torch.long) for e in enc], batch_first=True)"),
        ("all = []\nfor p in paths:\n    all.append(cv2.imread(p))", "x = np.array(all)", 1, shape, "all.append(cv2.resize(cv2.imread(p), (224, 224)))"),
        ("all = []\nfor p in paths:\n    all.append(cv2.resize(cv2.imread(p), s))", "x = np.array(all)", 1, shape, "dtype=object"),
        ("", "losses = []\nfor x, y in data:\n    loss = mse(net(x), y)\n    losses.append(loss)\nplt.plot(losses)", 5, grad, "losses.append(loss.item())"),
        ("X = 1", "m.fit(X, y)", 1, "TypeError: 'SparseTensor' object is not subscriptable", "m.fit(X.toarray(), y)"),
        ("device = 'cuda'\nw = torch.ones(2)\nlossf = nn.CrossEntropyLoss(weight=w)", "l = lossf(net(x), y)", 1, weight, "CrossEntropyLoss(weight=w.to(device))"),
        ("up = nn.ConvTranspose2d(8, 4, 2)", "x = torch.cat([x, skip], dim=1)", 1, cat, "x = torch.nn.functional.interpolate(x, size=skip.shape[2:])\nx = torch.cat"),
        ("up = 1", "x = torch.cat([x, skip], dim=1)", 1, cat, ""),
        ("val_loss = 1", "sched.step()", 1, "ReduceLROnPlateau.step() missing 1 required positional argument: 'metrics'", "sched.step(val_loss)"),
        ("ds = tf.data.Dataset.from_tensor_slices((x, y))", "m.fit(ds)", 1, "Input 0 of layer \"s\" is incompatible with the layer: expected shape=(None, 8), found shape=(8,)", "m.fit(ds.batch(32))"),
    ] {
        let cells = [T, before, last];
        let made = repaired_at(&cells, line, "ValueError", message);
        match wanted.is_empty() {
            true => assert!(made.is_empty(), "{last}\n{message}\n-> {made}"),
            false => assert!(made.contains(wanted), "{last}\n{message}\n-> {made}"),
        }
    }
}

#[test]
fn what_was_not_found_is_named() {
    let empty = "OpenCV(4.8.0) color.cpp:182: error: (-215:Assertion failed) !_src.empty() in function 'cvtColor'";
    let cells = [T, "i = cv2.imread('a.png')\ni = cv2.cvtColor(i, 4)"];
    assert_eq!(
        title(&cells, 2, "error", empty),
        "Correct the path `'a.png'`: no picture was read from it"
    );
    let cells = [
        T,
        "for p in paths:\n    i = cv2.imread(p)\n    i = cv2.cvtColor(i, 4)",
    ];
    assert!(title(&cells, 3, "error", empty).starts_with("Skip what isn't a picture"));
    let none = "num_samples should be a positive integer value, but got num_samples=0";
    let cells = [
        "files = glob('x/*.png')\nd = Set(files)",
        "l = DataLoader(d, shuffle=True)",
    ];
    assert_eq!(
        title(&cells, 1, "ValueError", none),
        "Correct the folder or pattern of `glob('x/*.png')`: it found nothing for `d`"
    );
    let step = "ReduceLROnPlateau.step() missing 1 required positional argument: 'metrics'";
    assert_eq!(
        title(&["s = 1", "s.step()"], 1, "TypeError", step),
        "Pass the validation loss of the epoch to `s.step(…)`"
    );
}

#[test]
fn a_layer_is_not_made_where_it_is_called() {
    let devices = "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (when checking argument for argument weight in method wrapper_CUDA__cudnn_batch_norm)";
    for (line, made) in [
        ("y = nn.BatchNorm2d(8)(x)", true),
        ("y = torch.nn.Linear(8, 2)(x)", true),
        // It has no weights that could be on another device.
        ("y = nn.MSELoss()(x, z)", false),
    ] {
        let title = title(&[T, line], 1, "RuntimeError", devices);
        assert_eq!(title.contains("once, in `__init__`"), made, "{title}");
    }
}
