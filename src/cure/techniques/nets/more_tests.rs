//! Images, devices, trainers, and Keras data.

use crate::tests::{cures_of, error_at, repaired_at};

const T: &str = "import torch, numpy as np, pandas as pd\nfrom torch import nn\nfrom torchvision import transforms, models";

/// The previous cells, the failing one, its line, the class, the message, and a part of the
/// repaired cell.
type Row<'a> = (&'a [&'a str], &'a str, u32, &'a str, &'a str, &'a str);

fn check(rows: &[Row<'_>]) {
    for (before, last, line, class, message, wanted) in rows {
        let mut cells = vec![T];
        cells.extend(*before);
        cells.push(last);
        let made = repaired_at(&cells, *line, class, message);
        match wanted.is_empty() {
            true => assert!(made.is_empty(), "{last}\n{message}\n-> {made}"),
            false => assert!(made.contains(wanted), "{last}\n{message}\n-> {made}"),
        }
    }
}

fn title(cells: &[&str], class: &str, message: &str) -> String {
    let cures = cures_of(cells, &error_at(cells, 1, class, message));
    cures.first().map(|c| c.title.clone()).unwrap_or_default()
}

/// A failure in the second-to-last cell, called from the last one.
fn below(class_cell: &str, line: u32, class: &str, message: &str) -> String {
    let cells = [T, class_cell, "for x, y in loader:\n    out = model(x)"];
    let code = class_cell.lines().nth(line as usize - 1).unwrap_or("");
    let error = error_at(&cells, 2, class, message).replace(
        &format!("\n\n{class}"),
        &format!("\n\nCell In[2], line {line}, in inner(self, x)\n----> {line} {code}\n\n{class}"),
    );
    cures_of(&cells, &error)
        .first()
        .map(|c| c.code.clone())
        .unwrap_or_default()
}

#[test]
fn transforms_fit_the_pictures() {
    let grey = "output with shape [1, 28, 28] doesn't match the broadcast shape [3, 28, 28]";
    let three = "t = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5, 0.4, 0.3), (0.2, 0.2, 0.2))])";
    let pil = "tensor should be a torch tensor. Got <class 'PIL.Image.Image'>";
    let mixed = "t = transforms.Compose([\n    transforms.ToTensor(),\n    transforms.RandomHorizontalFlip(),\n    transforms.ToPILImage(),\n    transforms.Normalize([0.5], [0.5]),\n])";
    let right = "    transforms.RandomHorizontalFlip(),\n    transforms.ToTensor(),\n    transforms.Normalize([0.5], [0.5]),\n";
    let found = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class 'PIL.Image.Image'>";
    check(&[
        (&[three], "x = data[0]", 1, "RuntimeError", grey, "transforms.Normalize((0.5,), (0.2,))"),
        (&[three, "net = models.resnet18()"], "x = data[0]", 1, "RuntimeError", grey, "[transforms.Grayscale(num_output_channels=3), transforms.ToTensor()"),
        (&[mixed], "x = data[0]", 1, "TypeError", pil, right),
        (&["d = datasets.CIFAR10('.')"], "next(iter(loader))", 1, "TypeError", found, "CIFAR10('.', transform=transforms.ToTensor())"),
        (&["t = transforms.Compose([transforms.Resize(9)])\nd = datasets.CIFAR10('.', transform=t)"], "next(iter(loader))", 1, "TypeError", found, "transforms.Resize(9), transforms.ToTensor()])"),
    ]);
}

#[test]
fn pictures_stay_large_enough() {
    let kernel = "Calculated padded input size per channel: (1 x 1). Kernel size: (3 x 3). Kernel size can't be greater than actual input size";
    let zero =
        "Computed output size would be zero or negative. Received: `inputs.shape=[None 1 1 32]`";
    check(&[
        (&["net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.MaxPool2d(2), nn.Conv2d(4, 8, 5))"], "net(x)", 1, "RuntimeError", kernel, "nn.Conv2d(1, 4, 3, padding=1), nn.MaxPool2d(2), nn.Conv2d(4, 8, 5, padding=2)"),
        (&[], "m.add(Conv2D(8, 3))\nm.add(MaxPooling2D())", 2, "ValueError", zero, "Conv2D(8, 3, padding=\"same\"))\nm.add(MaxPooling2D(padding=\"same\"))"),
        (&["f = gen.flow_from_directory('a', target_size=(48, 48))\nm = Sequential([Conv2D(8, 3, input_shape=(48, 48, 1))])"], "m.fit(f)", 1, "UnimplementedError", "Fused conv implementation does not support grouped convolutions for now.", "target_size=(48, 48), color_mode=\"grayscale\")"),
    ]);
    let cells = [
        T,
        "net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(9, 2))",
        "net(x)",
    ];
    assert!(title(&cells, "RuntimeError", kernel).starts_with("Resize the pictures"));
}

#[test]
fn tensors_are_made_where_the_input_is() {
    let device = "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!";
    let net = "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.scale = torch.ones(3)\n        self.rnn = nn.LSTM(3, 8, batch_first=True)\n    def forward(self, x):\n        h = torch.zeros(1, 64, 8)\n        return self.rnn(x, (h, h)), x * self.scale\nmodel = Net()";
    let made = below(net, 8, "RuntimeError", device);
    assert!(
        made.contains("h = torch.zeros(1, 64, 8, device=x.device)"),
        "{made}"
    );
    let made = below(
        &net.replace("torch.zeros(1, 64, 8)", "None"),
        8,
        "RuntimeError",
        device,
    );
    assert!(
        made.contains("self.register_buffer(\"scale\", torch.ones(3))"),
        "{made}"
    );
    let made = below(
        net,
        8,
        "RuntimeError",
        "Expected hidden[0] size (1, 37, 8), got [1, 64, 8]",
    );
    assert!(made.contains("h = torch.zeros(1, x.size(0), 8)"), "{made}");
    check(&[
        (
            &["loader = DataLoader(d, batch_size=64)"],
            "out, h = rnn(x, h)",
            1,
            "RuntimeError",
            "Expected hidden size (1, 37, 8), got [1, 64, 8]",
            "batch_size=64, drop_last=True)",
        ),
        (
            &["found = []\nfor x, y in loader:\n    found.append(net(x).argmax(1))"],
            "m = confusion_matrix(true, found)",
            1,
            "TypeError",
            "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu()",
            "found.extend(net(x).argmax(1).cpu().tolist())",
        ),
    ]);
}

#[test]
fn trainers_and_metrics_speak_the_current_release() {
    let gpus = "Trainer.__init__() got an unexpected keyword argument 'gpus'";
    let task = "Accuracy.__new__() missing 1 required positional argument: 'task'";
    let end = "Support for `validation_epoch_end` has been removed in v2.0.0. `M` implements this method.";
    let fc = "'VGG' object has no attribute 'fc'";
    check(&[
        (&[], "t = Trainer(max_epochs=3, gpus=1, weights_summary=None)", 1, "TypeError", gpus, "Trainer(max_epochs=3, accelerator=\"gpu\", devices=1)"),
        (&["import torchmetrics\nhead = nn.Linear(8, 5)"], "a = torchmetrics.Accuracy()", 1, "TypeError", task, "Accuracy(task=\"multiclass\", num_classes=5)"),
        (&["class M(LightningModule):\n    def validation_epoch_end(self, outputs):\n        self.log('a', 1)"], "t.fit(m)", 1, "NotImplementedError", end, "def on_validation_epoch_end(self):"),
        (&[], "with torch.amp.autocast(dtype=torch.half):\n    y = net(x)", 1, "TypeError", "autocast.__init__() missing 1 required positional argument: 'device_type'", "autocast(\"cuda\", dtype=torch.half)"),
        (&[], "o = Adam(net.parameters, lr=1)", 1, "TypeError", "'method' object is not iterable", "Adam(net.parameters(), lr=1)"),
        (&["net = models.vgg16()"], "n = net.fc.in_features\nnet.fc = nn.Linear(n, 2)", 1, "AttributeError", fc, "n = net.classifier[6].in_features\nnet.classifier[6] = nn.Linear(n, 2)"),
        (&["net = models.vgg16()"], "n = net.fc[1].in_features", 1, "AttributeError", fc, ""),
    ]);
    let cells = ["class M(LightningModule):\n    def validation_epoch_end(self, outs):\n        self.log('a', sum(outs))", "t.fit(m)"];
    assert!(title(&cells, "NotImplementedError", end)
        .starts_with("Rename `validation_epoch_end(self, outs)`"));
}

#[test]
fn a_data_set_looks_up_by_position() {
    let set = "class Set(Dataset):\n    def __getitem__(self, i):\n        return self.x[i], self.y.iloc[i]\nmodel = 1";
    let made = below(set, 3, "KeyError", "37");
    assert!(
        made.contains("return self.x.iloc[i], self.y.iloc[i]"),
        "{made}"
    );
    assert!(below(&set.replace("__getitem__", "other"), 3, "KeyError", "37").is_empty());
}

#[test]
fn keras_gets_names_data_and_batches_that_fit() {
    let history = "'History' object is not subscriptable";
    let oom = "Graph execution error:\n\nOOM when allocating tensor with shape[512,64,222,222] and type float on /job:localhost";
    let layer = "No such layer: conv_3. Existing layers are: ['input_1', 'conv2', 'conv3'].";
    let steps = "Input 0 of layer \"lstm\" is incompatible with the layer: expected ndim=3, found ndim=2. Full shape received: (None, 30)";
    let size = "Input 0 of layer \"m\" is incompatible with the layer: expected shape=(None, 224, 224, 3), found shape=(None, 150, 150, 3)";
    check(&[
        (
            &[],
            "h = fit(m)\na = h['loss']\nb = h['acc']",
            2,
            "TypeError",
            history,
            "a = h.history['loss']\nb = h.history['acc']",
        ),
        (
            &[],
            "m.fit(g, workers=2, epochs=3, use_multiprocessing=True)",
            1,
            "TypeError",
            "TensorFlowTrainer.fit() got an unexpected keyword argument 'workers'",
            "m.fit(g, epochs=3)",
        ),
        (
            &[],
            "o = m.get_layer('conv_3').output",
            1,
            "ValueError",
            layer,
            "get_layer(\"conv3\")",
        ),
        (
            &["m.compile('adam', loss='binary_crossentrophy')"],
            "m.fit(x, y)",
            1,
            "ValueError",
            "Unknown loss function: 'binary_crossentrophy'. Please ensure",
            "loss='binary_crossentropy')",
        ),
        (
            &[],
            "m.compile('adam', loss='my_loss')",
            1,
            "ValueError",
            "Unknown loss function: 'my_loss'. Please ensure",
            "",
        ),
        (
            &[],
            "m.fit(x, y, batch_size=512)",
            1,
            "ResourceExhaustedError",
            oom,
            "batch_size=64)",
        ),
        (
            &[],
            "p = pad_sequences(one, maxlen=9)",
            1,
            "ValueError",
            "`sequences` must be a list of iterables. Found non-iterable: 12",
            "pad_sequences([one], maxlen=9)",
        ),
        (
            &[],
            "t.fit_on_texts(df['text'])",
            1,
            "AttributeError",
            "'float' object has no attribute 'lower'",
            "df['text'].fillna(\"\").astype(str))",
        ),
        (
            &["m = Sequential([LSTM(9), Dense(1)])"],
            "m.fit(x, y)",
            1,
            "ValueError",
            steps,
            "m.fit(np.expand_dims(x, -1), y)",
        ),
        (
            &["m = Sequential([LSTM(30), LSTM(9), Dense(1)])"],
            "m.fit(x, y)",
            1,
            "ValueError",
            steps,
            "LSTM(30, return_sequences=True), LSTM(9)",
        ),
        (
            &["m = Sequential([Conv2D(8, 3, input_shape=(224, 224, 3))])"],
            "x = load_img('a', target_size=(150, 150))\nm.predict(x)",
            2,
            "ValueError",
            size,
            "target_size=(224, 224))",
        ),
    ]);
    let cells = ["f = gen.flow_from_directory('data/trian')", "m.fit(f)"];
    assert!(title(
        &cells,
        "ValueError",
        "Asked to retrieve element 0, but the Sequence has length 0"
    )
    .contains("instead of `'data/trian'`"));
    let rows = "OOM when allocating tensor with shape[60000,64,26,26] and type float";
    assert_eq!(
        title(&["m = 1", "y = m(x)"], "ResourceExhaustedError", rows),
        "Compute line 1 for fewer than 60000 rows at a time"
    );
}
