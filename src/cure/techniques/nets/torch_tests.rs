//! PyTorch: checkpoints, loops, classes and single operations.

use crate::tests::{cures_of, error_at, ipython, repaired, repaired_at};

const RUNTIME: &str = "RuntimeError";
const STATE: &str = "Error(s) in loading state_dict for Net:\n\t";

/// Each row: the previous cells, the failing one, its line, the class, the message, and a part of
/// the first cure's cell. Nothing if there must be no cure.
type Row<'a> = (&'a [&'a str], &'a str, u32, &'a str, String, &'a str);

fn check(rows: &[Row<'_>]) {
    for (before, last, line, class, message, wanted) in rows {
        let mut cells = before.to_vec();
        cells.push(last);
        let made = repaired_at(&cells, *line, class, message);
        match wanted.is_empty() {
            true => assert!(made.is_empty(), "{last}\n{message}\n-> {made}"),
            false => assert!(made.contains(wanted), "{last}\n{message}\n-> {made}"),
        }
    }
}

fn title(cells: &[&str], line: u32, class: &str, message: &str) -> String {
    let cures = cures_of(cells, &error_at(cells, line, class, message));
    cures.first().map(|c| c.title.clone()).unwrap_or_default()
}

#[test]
fn a_tensor_is_looked_up_as_its_number() {
    let cells = ["import torch", "print([names[p] for p in predicted])"];
    assert_eq!(
        repaired_at(&cells, 1, "KeyError", "tensor(1)"),
        "print([names[p.item()] for p in predicted])"
    );
}

#[test]
fn a_checkpoint_is_loaded_as_it_was_saved() {
    let gpu = "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. Please use map_location";
    let chosen =
        "import torch\ndevice = torch.device('cuda' if torch.cuda.is_available() else 'cpu')";
    let objects = "Weights only load failed. In PyTorch 2.6, we changed the default value of the `weights_only`";
    let keys = |missing: &str, unexpected: &str| {
        format!("{STATE}Missing key(s) in state_dict: {missing}. \n\tUnexpected key(s) in state_dict: {unexpected}. ")
    };
    check(&[
        (
            &["import torch"],
            "w = torch.load(path)",
            1,
            RUNTIME,
            gpu.into(),
            "torch.load(path, map_location=\"cpu\")",
        ),
        (
            &[chosen],
            "w = torch.load(path)",
            1,
            RUNTIME,
            gpu.into(),
            "map_location=device)",
        ),
        (
            &["import torch"],
            "w = torch.load(path, 'cuda')",
            1,
            RUNTIME,
            gpu.into(),
            "",
        ),
        (
            &["import joblib"],
            "w = joblib.load(path)",
            1,
            RUNTIME,
            gpu.into(),
            "",
        ),
        (
            &["import torch"],
            "w = torch.load(p)",
            1,
            "UnpicklingError",
            objects.into(),
            "weights_only=False)",
        ),
        (
            &["w = 1"],
            "net.load_state_dict(w)",
            1,
            RUNTIME,
            keys(
                "\"a.weight\", \"a.bias\"",
                "\"module.a.weight\", \"module.a.bias\"",
            ),
            "{key.replace(\"module.\", \"\", 1): value for key, value in w.items()}",
        ),
        (
            &["w = 1"],
            "net.load_state_dict(w)",
            1,
            RUNTIME,
            keys("\"module.a\", \"module.b\"", "\"a\", \"b\""),
            "net.module.load_state_dict(w)",
        ),
        (
            &["w = 1"],
            "net.load_state_dict(w)",
            1,
            RUNTIME,
            keys("\"a\", \"b\"", "\"epoch\", \"model_state_dict\""),
            "net.load_state_dict(w[\"model_state_dict\"])",
        ),
    ]);
    // Without a counterpart, there are only words.
    let other = keys("\"fc.weight\"", "\"head.weight\"");
    let words = title(&["w = 1", "net.load_state_dict(w)"], 1, RUNTIME, &other);
    assert_eq!(words, "Build `net` with the layers that were saved");
}

#[test]
fn weights_of_another_size_lead_to_the_call_that_made_the_model() {
    let size = |key: &str, a: &str, b: &str| {
        format!("{STATE}size mismatch for {key}: copying a param with shape torch.Size([{a}]) from checkpoint, the shape in current model is torch.Size([{b}]).")
    };
    let load = "net.load_state_dict(w)";
    check(&[
        (
            &["net = Net(5)"],
            load,
            1,
            RUNTIME,
            size("fc.weight", "7, 16", "5, 16"),
            "net = Net(7)",
        ),
        (
            &["net = Net(5)"],
            load,
            1,
            RUNTIME,
            size("fc.weight", "1000, 16", "5, 16"),
            "if not key.startswith(\"fc.\")}, strict=False)",
        ),
        (
            &[
                "class Net:\n    def __init__(self, wide=8):\n        self.a = wide",
                "net = Net()",
            ],
            load,
            1,
            RUNTIME,
            size("a.weight", "16, 4", "8, 4"),
            "net = Net(wide=16)",
        ),
    ]);
    let words = title(
        &["net = Net()", load],
        1,
        RUNTIME,
        &size("fc.weight", "7, 16", "5, 16"),
    );
    assert_eq!(words, "Build `net` with 7 instead of 5, as it was saved");
}

#[test]
fn a_graph_that_was_cut_is_joined_again() {
    let cut = "element 0 of tensors does not require grad and does not have a grad_fn";
    let model = "import torch\nmodel = make()";
    check(&[
        (&[model], "out = model(x).detach()\nloss = mse(out, y)\nloss.backward()", 3, RUNTIME, cut.into(), "out = model(x)\n"),
        (&[model], "loss = torch.tensor(mse(model(x), y))\nloss.backward()", 2, RUNTIME, cut.into(), "loss = mse(model(x), y)\n"),
        (&[model], "with torch.no_grad():\n    loss = mse(model(x), y)\n    loss.backward()", 3, RUNTIME, cut.into(), "with torch.enable_grad():"),
        (&[model, "torch.set_grad_enabled(False)\nscore(model)"], "for x, y in data:\n    loss = mse(model(x), y)\n    loss.backward()", 3, RUNTIME, cut.into(), "torch.set_grad_enabled(True)\nfor x"),
        (&[model, "model.fc = nn.Linear(8, 2)\nfor p in model.parameters():\n    p.requires_grad = False"], "loss = mse(model(x), y)\nloss.backward()", 2, RUNTIME, cut.into(), "for p in model.fc.parameters():\n    p.requires_grad = True"),
        (&[model], "loss = mse(model(x), y)\nloss.backward()", 2, RUNTIME, cut.into(), ""),
        (&[model], "loss = mse(model(x), y).item()\nloss.backward()", 2, "AttributeError", "'float' object has no attribute 'backward'".into(), "loss = mse(model(x), y)\n"),
    ]);
    let hard = "hard = (p > 0.5).float()\nloss = (hard - 1).sum()\nloss.backward()";
    assert_eq!(
        title(&[model, hard], 3, RUNTIME, cut),
        "Compute the loss without `p > 0.5` (line 1)"
    );
}

#[test]
fn outputs_and_batches_are_taken_out_of_what_holds_them() {
    let not = |class: &str| {
        format!("cross_entropy_loss(): argument 'input' (position 1) must be Tensor, not {class}")
    };
    let it = "'DataLoader' object is not subscriptable";
    check(&[
        (&["import torch"], "loss = criterion(out, y)", 1, "TypeError", not("SequenceClassifierOutput"), "criterion(out.logits, y)"),
        (&["import torch"], "loss = criterion(out, y)", 1, "TypeError", not("tuple"), "criterion(out[0], y)"),
        (&["import torch"], "y = layer(a)", 1, "TypeError", not("numpy.ndarray"), "layer(torch.from_numpy(a).float())"),
        (&["import torch"], "y = layer(a)", 1, "TypeError", not("int"), ""),
        (&["class Net(Module):\n    def forward(self, ids, mask):\n        _, pooled = self.bert(ids, attention_mask=mask)\n        return self.drop(pooled)"], "net = 1", 1, "TypeError", not("str"), ""),
        (&["loader = 1"], "x = loader[0]", 1, "TypeError", it.into(), "next(iter(loader))"),
        (&["loader = 1"], "x = loader[7]", 1, "TypeError", it.into(), "loader.dataset[7]"),
        (&["it = 1"], "x = it.next()", 1, "AttributeError", "'_SingleProcessDataLoaderIter' object has no attribute 'next'".into(), "x = next(it)"),
    ]);
    let cells = ["class Net(Module):\n    def forward(self, ids, mask):\n        _, pooled = self.bert(ids, attention_mask=mask)\n        return self.drop(pooled)\nnet(1, 2)"];
    let error = error_at(&cells, 5, "TypeError", &not("str")).replace("\n\nTypeError", "\n\nCell In[1], line 4, in Net.forward(self, ids, mask)\n----> 4         return self.drop(pooled)\n\nTypeError");
    assert!(cures_of(&cells, &error)[0]
        .code
        .contains("attention_mask=mask, return_dict=False)"));
}

#[test]
fn losses_and_scores_get_what_they_compare() {
    let between = "all elements of input should be between 0 and 1";
    let b = "The size of tensor a (10) must match the size of tensor b (64) at non-singleton dimension 1";
    let target = "Expected target size [32, 9], got [32, 7]";
    check(&[
        (
            &["import torch\nlossf = nn.BCELoss()"],
            "loss = lossf(net(x), y)",
            1,
            RUNTIME,
            between.into(),
            "lossf = nn.BCEWithLogitsLoss()",
        ),
        (
            &["import torch"],
            "good = (out == labels).sum()",
            1,
            RUNTIME,
            b.into(),
            "(out.argmax(dim=1) == labels)",
        ),
        (
            &["import torch"],
            "out = net(x).argmax(1)\ngood = (out == labels).sum()",
            2,
            RUNTIME,
            b.into(),
            "",
        ),
        (
            &["import torch"],
            "loss = criterion(out, tags)",
            1,
            RUNTIME,
            target.into(),
            "criterion(out.transpose(1, 2), tags)",
        ),
    ]);
    let cells = [
        "lossf = nn.BCELoss()\nend = nn.Sigmoid()",
        "loss = lossf(net(x), y)",
    ];
    assert_eq!(
        title(&cells, 1, RUNTIME, between),
        "Look for NaN in what `nn.BCELoss` gets"
    );
}

#[test]
fn a_batch_of_one_is_left_out_or_judged_without_training() {
    let one =
        "Expected more than 1 value per channel when training, got input size torch.Size([1, 64])";
    check(&[
        (
            &["net = make()"],
            "y = net(x)",
            1,
            "ValueError",
            one.into(),
            "net.eval()\ny = net(x)",
        ),
        (
            &["train = DataLoader(data, 8, shuffle=True)\ntest = DataLoader(data, 8)"],
            "for x, y in train:\n    out = net(x)",
            2,
            "ValueError",
            one.into(),
            "DataLoader(data, 8, shuffle=True, drop_last=True)",
        ),
    ]);
}

#[test]
fn classes_of_layers_are_put_right() {
    let early = "cannot assign module before Module.__init__() call";
    let missing = "Module [Net] is missing the required \"forward\" function";
    let net = "class Net(nn.Module):\n    def __init__(self, n):\n        self.a = nn.Linear(n, 1)\nnet = Net(3)";
    let cells = [net];
    let error = error_at(&cells, 4, "AttributeError", early).replace("\n\nAttributeError", "\n\nCell In[1], line 3, in Net.__init__(self, n)\n----> 3         self.a = nn.Linear(n, 1)\n\nAttributeError");
    let made = &cures_of(&cells, &error)[0].code;
    assert!(
        made.contains("def __init__(self, n):\n        super().__init__()\n        self.a"),
        "{made}"
    );
    check(&[
        (&["class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n    def foward(self, x):\n        return x\nnet = Net()"], "net(x)", 1, "NotImplementedError", missing.into(), "def forward(self, x):"),
        (&["class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        def forward(self, x):\n            return x\nnet = Net()"], "net(x)", 1, "NotImplementedError", missing.into(), "\n    def forward(self, x):\n        return x\nnet"),
        (&["class Net(nn.Module):\n    def forward(self, x):\n        return x\nnet = Net()"], "net(x)", 1, "NotImplementedError", missing.into(), ""),
    ]);
}

#[test]
fn single_operations_get_the_type_and_axes_that_they_take() {
    let range = "Dimension out of range (expected to be in range of [-1, 0], but got 1)";
    let mean = "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long";
    let torch: &[&str] = &["import torch\nimport numpy as np"];
    check(&[
        (
            torch,
            "y = x.permute(0, 2, 1).view(-1, 8)",
            1,
            RUNTIME,
            "view size is not compatible with input tensor's size and stride".into(),
            ".reshape(-1, 8)",
        ),
        (
            torch,
            "acc = (a == b).mean()",
            1,
            RUNTIME,
            mean.into(),
            "(a == b).float().mean()",
        ),
        (
            torch,
            "acc = torch.mean(a == b)",
            1,
            RUNTIME,
            mean.into(),
            "torch.mean((a == b).float())",
        ),
        (
            torch,
            "all = torch.cat(losses)",
            1,
            RUNTIME,
            "zero-dimensional tensor (at position 0) cannot be concatenated".into(),
            "torch.stack(losses)",
        ),
        (
            torch,
            "t = torch.tensor(rows)",
            1,
            "ValueError",
            "only one element tensors can be converted to Python scalars".into(),
            "torch.stack(rows)",
        ),
        (
            torch,
            "s = loss.item()",
            1,
            RUNTIME,
            "a Tensor with 32 elements cannot be converted to Scalar".into(),
            "loss.mean().item()",
        ),
        (
            torch,
            "s = pred.item()",
            1,
            RUNTIME,
            "a Tensor with 32 elements cannot be converted to Scalar".into(),
            "pred.tolist()",
        ),
        (
            torch,
            "w = torch.tensor([1, 2], requires_grad=True)",
            1,
            RUNTIME,
            "Only Tensors of floating point and complex dtype can require gradients".into(),
            "requires_grad=True, dtype=torch.float32)",
        ),
        (
            torch,
            "p = torch.softmax(out, dim=1)",
            1,
            "IndexError",
            range.into(),
            "dim=-1)",
        ),
        (
            torch,
            "_, p = torch.max(out, 1)",
            1,
            "IndexError",
            range.into(),
            "torch.max(out, -1)",
        ),
        (
            torch,
            "x = torch.cat([a, b], dim=1)",
            1,
            RUNTIME,
            "Tensors must have same number of dimensions: got 2 and 1".into(),
            "[a, b.unsqueeze(1)]",
        ),
        (
            torch,
            "t = torch.tensor(df.values)",
            1,
            "TypeError",
            "can't convert np.ndarray of type numpy.object_.".into(),
            "df.values.astype(\"float32\")",
        ),
        (
            torch,
            "t = torch.from_numpy(df)",
            1,
            "TypeError",
            "expected np.ndarray (got DataFrame)".into(),
            "from_numpy(df.values)",
        ),
        (
            torch,
            "t = torch.tensor(df['a'])",
            1,
            "ValueError",
            "could not determine the shape of object type 'Series'".into(),
            "torch.tensor(df['a'].values)",
        ),
    ]);
}

#[test]
fn a_fixed_batch_and_axes_of_images() {
    let conv = |s: &str| {
        format!(
            "Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [{s}]"
        )
    };
    check(&[
        (
            &["a = 1"],
            "y = x.view(64, 784)",
            1,
            RUNTIME,
            "shape '[64, 784]' is invalid for input of size 25088".into(),
            "x.view(-1, 784)",
        ),
        (
            &["a = 1"],
            "y = x.view(64, -1)",
            1,
            RUNTIME,
            "shape '[64, -1]' is invalid for input of size 25088".into(),
            "x.view(x.size(0), -1)",
        ),
        (
            &["a = 1"],
            "y = x.view(64, 784)",
            1,
            RUNTIME,
            "shape '[64, 784]' is invalid for input of size 25001".into(),
            "",
        ),
        (
            &["model = 1"],
            "y = model(x)",
            1,
            RUNTIME,
            conv("32, 784"),
            "model(x.view(-1, 1, 28, 28))",
        ),
        (
            &["model = 1"],
            "y = model(x)",
            1,
            RUNTIME,
            conv("8, 1, 3, 32, 32"),
            "model(x.squeeze(1))",
        ),
        (
            &["model = 1"],
            "y = model(x)",
            1,
            RUNTIME,
            conv("8, 30"),
            "",
        ),
    ]);
}

#[test]
fn workers_and_devices_that_are_not_there() {
    let shared = "unable to write to file </torch_77_1>: No space left on device (28)";
    let driver = "Found no NVIDIA driver on your system.";
    check(&[
        (&["workers = 2\na = DataLoader(d, num_workers=workers)\nb = DataLoader(e, num_workers=workers, persistent_workers=True)"], "for x in a:\n    pass", 1, RUNTIME, shared.into(), "workers = 0\na = DataLoader(d, num_workers=workers)\nb = DataLoader(e, num_workers=workers)"),
        (&["a = DataLoader(d)"], "for x in a:\n    pass", 1, RUNTIME, shared.into(), ""),
        (&["import torch\ndevice = 'cuda'"], "net = net.to(device)", 1, RUNTIME, driver.into(), "device = \"cuda\" if torch.cuda.is_available() else \"cpu\""),
        (&["import torch"], "net = net.cuda()\nx = x.to('cuda')", 1, RUNTIME, driver.into(), "net = net.to(device)\nx = x.to(device)"),
    ]);
}

#[test]
fn a_forward_without_gradients_is_found_before_frozen_weights() {
    let net = "import torch\nfrom torch import nn\nbody = nn.Linear(10, 4)\nfor p in body.parameters():\n    p.requires_grad = False\nclass Tuned(nn.Module):\n    @torch.no_grad()\n    def forward(self, x):\n        return self.head(body(x))";
    let train = "loss = f(model(x), y)\nloss.backward()";
    let message =
        "element 0 of tensors does not require grad and does not have a grad_fn".to_owned();
    let made = repaired_at(&[net, train], 2, RUNTIME, &message);
    assert!(made.contains("nn.Module):\n    def forward"), "{made}");
    assert!(made.contains("requires_grad = False"), "{made}");
}

#[test]
fn layers_in_a_plain_list_become_a_module_list() {
    let message = "optimizer got an empty parameter list";
    let net = |layers: &str| {
        format!("import torch\nfrom torch import nn\nclass Net(nn.Module):\n    def __init__(self, sizes):\n        super().__init__()\n        self.sizes = [s for s in sizes]\n        self.layers = {layers}")
    };
    let last = "opt = torch.optim.Adam(net.parameters())";
    let list = "[nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])]";
    let made = repaired_at(&[&net(list), last], 1, "ValueError", message);
    assert!(
        made.ends_with(&format!("self.layers = nn.ModuleList({list})")),
        "{made}"
    );
    let made = repaired_at(&[&net("nn.Linear(1, 2)"), last], 1, "ValueError", message);
    assert!(made.is_empty(), "{made}");
}

#[test]
fn what_changes_in_place_is_found_in_the_forward_that_ran() {
    let message = "one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [4, 8]], which is output 0 of Sigmoid, is at version 1; expected version 0 instead.";
    let net = "import torch\nclass Block(torch.nn.Module):\n    def forward(self, x):\n        h = torch.sigmoid(self.fc(x))\n        h += x\n        return h";
    let train = "total = 0\nloss = net(x).mean()\nloss.backward()";
    let made = repaired_at(&[net, train], 3, RUNTIME, message);
    assert!(made.contains("        h = h + x\n"), "{made}");
    let two = net.replace("        return h", "        h += 2 * x\n        return h");
    let made = repaired_at(&[&two, train], 3, RUNTIME, message);
    assert!(made.is_empty(), "{made}");
}

#[test]
fn a_recurrent_layer_in_a_sequence_passes_its_outputs_on() {
    let message = "linear(): argument 'input' (position 1) must be Tensor, not tuple";
    let net = "import torch\nfrom torch import nn\nclass Net(nn.Module):\n    def __init__(self):\n        self.net = nn.Sequential(nn.LSTM(1, 8, batch_first=True), nn.Linear(8, 1))\n    def forward(self, x):\n        return self.net(x)";
    let made = repaired_at(&[net, "y = f(series)"], 1, "TypeError", message);
    assert!(made.contains("class Outputs(nn.Module):"), "{made}");
    assert!(
        made.contains("batch_first=True), Outputs(), nn.Linear(8, 1))"),
        "{made}"
    );
    // One target for each sequence.
    let train =
        "Y = torch.zeros(20)\npred = net(X)\nloss = nn.functional.mse_loss(pred, Y[:, None])";
    let made = repaired_at(&[net, train], 2, "TypeError", message);
    assert!(made.contains("return returned[0][:, -1]"), "{made}");
    assert!(
        made.contains("batch_first=True), LastStep(), nn.Linear(8, 1))"),
        "{made}"
    );
    let last = net.replace(
        "nn.LSTM(1, 8, batch_first=True), nn.Linear(8, 1)",
        "nn.Linear(8, 1), nn.LSTM(1, 8)",
    );
    let made = repaired_at(&[&last, "y = f(series)"], 1, "TypeError", message);
    assert!(!made.contains("Outputs"), "{made}");
}

#[test]
fn a_state_that_a_step_hands_back_is_detached_there() {
    let message = "Trying to backward through the graph a second time";
    let step = "def step(x, state):\n    out, state = gru(x, state)\n    loss = out.mean()\n    loss.backward()\n    return loss.item(), state";
    let cells = [step, "for x in xs:\n    l, state = step(x, state)"];
    let frames = [
        (2, 2, "    l, state = step(x, state)"),
        (1, 4, "    loss.backward()"),
    ];
    let error = ipython(RUNTIME, &frames, message);
    let made = repaired(&cells, &error);
    assert!(
        made.ends_with("return loss.item(), state.detach()"),
        "{made}"
    );
}

#[test]
fn a_list_that_gets_layers_one_by_one_is_a_module_list() {
    let net = "import torch\nfrom torch import nn\nclass Net(nn.Module):\n    def __init__(self, sizes):\n        super().__init__()\n        self.layers = []\n        for a, b in sizes:\n            self.layers.append(nn.Linear(a, b))";
    let opt = "opt = torch.optim.Adam(net.parameters())";
    let message = "optimizer got an empty parameter list";
    let made = repaired_at(&[net, opt], 1, "ValueError", message);
    assert_eq!(
        made,
        net.replace("self.layers = []", "self.layers = nn.ModuleList()")
    );
}
