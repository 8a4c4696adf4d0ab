//! Targets, types and devices.

use crate::tests::{cures_of, ipython, repaired};

/// The failing cell, whose last line fails, after the first cure.
fn fixed(before: &[&str], cell: &str, message: &str) -> String {
    let mut cells = before.to_vec();
    cells.push(cell);
    let (at, lines) = (i64::try_from(cells.len()).unwrap(), cell.lines().count());
    let line = cell.lines().last().unwrap_or("");
    let error = ipython(
        "RuntimeError",
        &[(at, u32::try_from(lines).unwrap(), line)],
        message,
    );
    repaired(&cells, &error)
}

#[test]
fn targets_get_the_shape_of_the_outputs() {
    let loss = "loss = criterion(out, y)";
    for (target, input, made) in [
        (
            "[32]",
            "[32, 1]",
            "loss = criterion(out, y.float().unsqueeze(1))",
        ),
        ("[32, 1]", "[32]", "loss = criterion(out, y.squeeze(1))"),
        (
            "[32]",
            "[32, 5]",
            "loss = criterion(out, torch.nn.functional.one_hot(y.long(), 5).float())",
        ),
    ] {
        for message in [
            format!("Using a target size (torch.Size({target})) that is different to the input size (torch.Size({input})) is deprecated. Please ensure they have the same size."),
            format!("Target size (torch.Size({target})) must be the same as input size (torch.Size({input}))"),
        ] {
            assert_eq!(fixed(&["import torch"], loss, &message), made, "{message}");
        }
    }
    let made = fixed(
        &[],
        "loss = nn.BCELoss()(out, y[0])",
        "Target size (torch.Size([4])) must be the same as input size (torch.Size([4, 1]))",
    );
    assert_eq!(made, "loss = nn.BCELoss()(out, y[0].float().unsqueeze(1))");
}

#[test]
fn targets_that_are_compared_get_their_axis_where_they_are_made() {
    let message =
        "Target size (torch.Size([4])) must be the same as input size (torch.Size([4, 1]))";
    let made = "yt = torch.tensor(left, dtype=torch.float32)";
    let cells = [
        "import torch",
        made,
        "loss = criterion(model(x), yt)",
        "acc = (p == yt).float().mean()",
    ];
    let error = ipython("ValueError", &[(3, 1, cells[2])], message);
    assert_eq!(repaired(&cells, &error), format!("{made}.unsqueeze(1)"));
    let error = ipython("ValueError", &[(3, 1, cells[2])], message);
    let once = repaired(&cells[..3], &error);
    assert_eq!(once, "loss = criterion(model(x), yt.float().unsqueeze(1))");
}

#[test]
fn targets_get_the_type_that_the_loss_wants() {
    for message in [
        "expected scalar type Long but found Float",
        "expected target dtype to be Long or Byte, but got Int",
        "\"nll_loss_forward_reduce_cuda_kernel_2d_index\" not implemented for 'Int'",
    ] {
        assert_eq!(
            fixed(&[], "l = F.cross_entropy(out, y)", message),
            "l = F.cross_entropy(out, y.long())",
            "{message}"
        );
    }
    assert_eq!(
        fixed(
            &[],
            "loss = loss_fn(out, y)\nloss.backward()",
            "Found dtype Long but expected Float"
        ),
        "loss = loss_fn(out, y.float())\nloss.backward()"
    );
    assert_eq!(
        fixed(
            &[],
            "loss = criterion(out, y.long())",
            "result type Float can't be cast to the desired output type Long"
        ),
        "loss = criterion(out, y.float())"
    );
}

#[test]
fn class_numbers_and_losses() {
    let multi = "0D or 1D target tensor expected, multi-target not supported";
    assert_eq!(
        fixed(&[], "loss = criterion(out, y)", multi),
        "loss = criterion(out, y.squeeze(1))"
    );
    assert_eq!(
        fixed(
            &["y = to_categorical(n)"],
            "loss = criterion(out, y)",
            multi
        ),
        "loss = criterion(out, y.argmax(dim=1))"
    );
    assert_eq!(
        fixed(
            &[],
            "loss = nn.CrossEntropyLoss(out, y)",
            "Boolean value of Tensor with more than one value is ambiguous"
        ),
        "loss = nn.CrossEntropyLoss()(out, y)"
    );
    let net = "net = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 10))";
    let cures = cures_of(
        &[net, "loss = criterion(net(x), y)"],
        &ipython(
            "IndexError",
            &[(2, 1, "loss = criterion(net(x), y)")],
            "Target 12 is out of bounds.",
        ),
    );
    assert_eq!(cures[0].title, "Replace `10` by `13` in `nn.Linear(8, 10)`");
    let made = fixed(
        &["import numpy as np\nlabels = np.array([3, 7, 9])"],
        "loss = F.cross_entropy(out, torch.from_numpy(labels))",
        "Target 3 is out of bounds.",
    );
    assert!(
        made.starts_with("classes, labels = np.unique(labels, return_inverse=True)\nloss"),
        "{made}"
    );
}

#[test]
fn a_view_that_moved_rows_into_the_batch() {
    let net = "class Net(nn.Module):\n    def __init__(self):\n        self.fc = nn.Linear(16 * 5 * 5, 10)\n    def forward(self, x):\n        return self.fc(x.view(-1, 16 * 5 * 5))";
    let cells = [net, "loss = criterion(net(x), y)"];
    let error = ipython(
        "ValueError",
        &[(2, 1, "loss = criterion(net(x), y)")],
        "Expected input batch_size (64) to match target batch_size (16).",
    );
    let cure = &cures_of(&cells, &error)[0];
    assert!(
        cure.code.contains("nn.Linear(16 * 10 * 10, 10)")
            && cure.code.contains("x.view(x.size(0), -1)"),
        "{}",
        cure.code
    );
}

#[test]
fn inputs_get_the_type_of_the_weights() {
    for (message, made) in [
        ("mat1 and mat2 must have the same dtype, but got Double and Float", "out = model(x.float())"),
        ("Input type (double) and bias type (float) should be the same", "out = model(x.float())"),
        ("Input type (torch.cuda.DoubleTensor) and weight type (torch.cuda.FloatTensor) should be the same", "out = model(x.float())"),
        ("expected m1 and m2 to have the same dtype, but got: float != c10::Half", "out = model(x.half())"),
        ("expected scalar type Float but found Double", "out = model(x.float())"),
        ("Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got torch.FloatTensor instead (while checking arguments for embedding)", "out = model(x.long())"),
    ] {
        assert_eq!(fixed(&[], "out = model(x)", message), made, "{message}");
    }
}

#[test]
fn tensors_go_where_the_model_is() {
    let message = "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu! (when checking argument for argument mat1 in method wrapper_addmm)";
    assert_eq!(
        fixed(
            &["device = torch.device('cuda')\nmodel = Net().to(device)"],
            "out = model(x)",
            message
        ),
        "out = model(x.to(device))"
    );
    assert_eq!(
        fixed(
            &["model = Net().cuda()"],
            "for x, y in loader:\n    out = model(x)",
            message
        ),
        "for x, y in loader:\n    out = model(x.cuda())"
    );
    let cells = [
        "device = 'cuda'\nmodel = Net()",
        "x = x.to(device)\nout = model(x)",
    ];
    let error = ipython("RuntimeError", &[(2, 2, "out = model(x)")], message);
    assert_eq!(
        cures_of(&cells, &error)[0].code,
        "device = 'cuda'\nmodel = Net().to(device)"
    );
    let old = "Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same";
    assert_eq!(
        fixed(&["model = Net().cuda()"], "out = model(x)", old),
        "out = model(x.cuda())"
    );
}

#[test]
fn arrays_of_tracked_tensors_and_of_the_gpu() {
    let grad =
        "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.";
    assert_eq!(
        fixed(&[], "a = out.cpu().numpy()", grad),
        "a = out.cpu().detach().numpy()"
    );
    assert_eq!(
        fixed(&[], "plt.plot(w)", grad),
        "plt.plot(w.detach().numpy())"
    );
    let gpu = "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.";
    assert_eq!(
        fixed(&[], "a = out.detach().numpy()", gpu),
        "a = out.detach().cpu().numpy()"
    );
    assert_eq!(
        fixed(&[], "plt.imshow(x)", gpu),
        "plt.imshow(x.detach().cpu())"
    );
}
