//! Layers with mismatched sizes.

use crate::tests::{cures_of, ipython, repaired};

/// The title of the first cure and its new lines.
fn first(cells: &[&str], error: &str) -> (String, Vec<String>) {
    let cures = cures_of(cells, error);
    let Some(c) = cures.first() else {
        return Default::default();
    };
    let new = c.diff.iter().filter(|d| d.sign == '+');
    (
        c.title.clone(),
        new.map(|d| d.text.trim().to_owned()).collect(),
    )
}

fn matmul(a: &str, b: &str, line: &str, count: i64) -> String {
    let message = format!("mat1 and mat2 shapes cannot be multiplied ({a} and {b})");
    ipython("RuntimeError", &[(count, 1, line)], &message)
}

#[test]
fn a_linear_layer_gets_the_size_of_the_message() {
    let cells = [
        "from torch import nn\nwidth = 128\nnet = nn.Sequential(nn.Linear(20, 512), nn.ReLU(), nn.Linear(width, 10))",
        "y = net(rows)",
    ];
    let (title, lines) = first(&cells, &matmul("32x512", "128x10", "y = net(rows)", 2));
    assert_eq!(
        title,
        "Replace `128` by `512` (cell 1), which `nn.Linear(width, 10)` uses"
    );
    assert_eq!(lines, ["width = 512"]);
    let cells = [
        "class Net(nn.Module):\n    def __init__(self, n):\n        super().__init__()\n        self.a = nn.Linear(n, 4)\n        self.b = nn.Linear(7, 4)\n    def forward(self, x):\n        return self.a(x)",
        "net = Net(7)",
        "net(x)",
    ];
    let error = ipython("RuntimeError", &[(3, 1, "net(x)")], "mat1 and mat2 shapes cannot be multiplied (6x9 and 7x4)")
        .replace("\n\nRuntimeError", "\n\nCell In[1], line 7, in Net.forward(self, x)\n----> 7         return self.a(x)\n\nRuntimeError");
    assert_eq!(first(&cells, &error).1, ["net = Net(9)"]);
    // Two layers of that size, and no line that tells which.
    let cells = ["a = nn.Linear(7, 4)\nb = nn.Linear(7, 4)", "net(x)"];
    assert!(cures_of(&cells, &matmul("6x9", "7x4", "net(x)", 2)).is_empty());
}

#[test]
fn factors_stay_factors() {
    let cells = [
        "net = nn.Sequential(nn.Conv2d(3, 16, 5), nn.Flatten(), nn.Linear(16*5*5, 120))",
        "net(x)",
    ];
    let (_, lines) = first(&cells, &matmul("8x256", "400x120", "net(x)", 2));
    assert!(lines[0].contains("nn.Linear(16 * 4 * 4, 120)"), "{lines:?}");
}

#[test]
fn images_are_flattened_where_nothing_does() {
    let cells = [
        "net = nn.Sequential(nn.Linear(784, 64), nn.ReLU())",
        "net(x)",
    ];
    let (title, lines) = first(&cells, &matmul("896x28", "784x64", "net(x)", 2));
    assert_eq!(title, "Put `nn.Flatten()` before `nn.Linear(784, 64)`");
    assert_eq!(
        lines,
        ["net = nn.Sequential(nn.Flatten(), nn.Linear(784, 64), nn.ReLU())"]
    );
    let cells = [
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.conv = nn.Conv2d(1, 4, 3)\n        self.fc = nn.Linear(2704, 10)\n    def forward(self, x):\n        x = self.conv(x)\n        return self.fc(x)",
        "Net()(x)",
    ];
    let error = ipython("RuntimeError", &[(2, 1, "Net()(x)")], "mat1 and mat2 shapes cannot be multiplied (832x26 and 2704x10)")
        .replace("\n\nRuntimeError", "\n\nCell In[1], line 8, in forward(self, x)\n      7         x = self.conv(x)\n----> 8         return self.fc(x)\n\nRuntimeError");
    assert_eq!(first(&cells, &error).1, ["return self.fc(x.flatten(1))"]);
}

fn conv(weight: &str, input: &str, expected: i64, got: i64, line: &str, count: i64) -> String {
    let message = format!("Given groups=1, weight of size {weight}, expected input{input} to have {expected} channels, but got {got} channels instead");
    ipython("RuntimeError", &[(count, 1, line)], &message)
}

#[test]
fn channels_are_moved_or_counted() {
    let cells = ["model = nn.Conv2d(3, 8, 3)", "y = model(x)"];
    let last = conv("[8, 3, 3, 3]", "[1, 64, 48, 3]", 3, 64, "y = model(x)", 2);
    assert_eq!(first(&cells, &last).1, ["y = model(x.permute(0, 3, 1, 2))"]);
    let grey = conv("[8, 3, 3, 3]", "[4, 1, 28, 28]", 3, 1, "y = model(x)", 2);
    assert_eq!(first(&cells, &grey).1, ["model = nn.Conv2d(1, 8, 3)"]);
    let cells = ["model = models.resnet18()", "y = model(x)"];
    assert_eq!(first(&cells, &grey).1, ["y = model(x.repeat(1, 3, 1, 1))"]);
}

#[test]
fn an_axis_at_the_wrong_end() {
    let source = "def score(model, loader):\n    for x in loader:\n        x = x.unsqueeze(-1)\n        y = model(x)\nscore(resnet, batches)";
    let message = "Given groups=1, weight of size [64, 3, 7, 7], expected input[3, 96, 96, 1] to have 3 channels, but got 96 channels instead";
    let error = |count| {
        ipython("RuntimeError", &[(count, 5, "score(resnet, batches)")], message).replace(
            "\n\nRuntimeError",
            &format!("\n\nCell In[{count}], line 4, in score(model, loader)\n----> 4         y = model(x)\n\nRuntimeError"),
        )
    };
    let cells = ["batches = DataLoader(data, 4)", source];
    let dropped = &cures_of(&cells, &error(2))[0];
    assert_eq!(
        dropped.code,
        source.replace("        x = x.unsqueeze(-1)\n", "")
    );
    assert_eq!(first(&[source], &error(1)).1, ["x = x.unsqueeze(0)"]);
}

#[test]
fn norms_recurrent_layers_and_heads() {
    let line = "net(x)";
    let error = |m: &str| ipython("RuntimeError", &[(2, 1, line)], m);
    for (layer, message, made) in [
        ("nn.BatchNorm2d(32)", "running_mean should contain 64 elements not 32", "nn.BatchNorm2d(64)"),
        ("nn.LSTM(input_size=10, hidden_size=4)", "input.size(-1) must be equal to input_size. Expected 10, got 20", "nn.LSTM(input_size=20, hidden_size=4)"),
        ("nn.LayerNorm(512)", "Given normalized_shape=[512], expected input with shape [*, 512], but got input of size[32, 256]", "nn.LayerNorm(256)"),
        ("nn.MultiheadAttention(100, 8)", "embed_dim must be divisible by num_heads", "nn.MultiheadAttention(100, 5)"),
    ] {
        let cell = format!("net = {layer}");
        assert_eq!(first(&[&cell, line], &error(message)).1, [format!("net = {made}")], "{message}");
    }
}

#[test]
fn a_view_keeps_the_batch() {
    let net = |fc: &str| {
        format!("class Net(nn.Module):\n    def __init__(self):\n        self.fc = nn.Linear({fc}, 10)\n    def forward(self, x):\n        x = x.view(-1, 4 * 25 * 25)\n        return self.fc(x)")
    };
    let error = ipython("RuntimeError", &[(2, 1, "Net()(x)")], "shape '[-1, 2500]' is invalid for input of size 21632")
        .replace("\n\nRuntimeError", "\n\nCell In[1], line 5, in forward(self, x)\n----> 5         x = x.view(-1, 4 * 25 * 25)\n\nRuntimeError");
    let good = net("2704");
    assert_eq!(
        first(&[&good, "Net()(x)"], &error).1,
        ["x = x.view(x.size(0), -1)"]
    );
    let bad = format!(
        "{}\nloader = DataLoader(data, batch_size=8)",
        net("4 * 25 * 25")
    );
    assert_eq!(
        first(&[&bad, "Net()(x)"], &error).1,
        [
            "self.fc = nn.Linear(4 * 26 * 26, 10)",
            "x = x.view(x.size(0), -1)"
        ]
    );
}

#[test]
fn an_object_of_ones_own_class_gets_an_input_of_its_weights_type() {
    let cells = [
        "class Scorer(nn.Module):\n    def forward(self, x):\n        return self.head(x)",
        "scorer = Scorer()\nrows = torch.from_numpy(values)",
        "guess = scorer(rows)",
    ];
    let frames = [
        (3, 1, "guess = scorer(rows)"),
        (1, 3, "return self.head(x)"),
    ];
    let message = "mat1 and mat2 must have the same dtype, but got Double and Float";
    let error = ipython("RuntimeError", &frames, message);
    let error = error.replace("line 3\n", "line 3, in Scorer.forward(self, x)\n");
    assert_eq!(repaired(&cells, &error), "guess = scorer(rows.float())");
}

#[test]
fn a_batch_that_was_read_off_the_tensor_is_not_to_blame() {
    let any_batch = |line: &str, total: u32| {
        let message = format!("shape '[8, -1, 96]' is invalid for input of size {total}");
        let error = ipython("RuntimeError", &[(1, 1, line)], &message);
        let cures = cures_of(&[line], &error);
        cures.iter().any(|c| c.id == "any-batch")
    };
    // 5 samples of 3 rows; no rows of 96.
    assert!(any_batch("y = x.view(8, -1, 96)", 5 * 3 * 96));
    assert!(!any_batch("y = x.view(b, -1, 96)", 5 * 3 * 96));
    assert!(!any_batch("y = x.view(8, -1, 96)", 8 * 100));
}
