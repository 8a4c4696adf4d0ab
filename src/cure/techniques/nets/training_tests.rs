use crate::tests::{repaired_at, repaired_first};

const TORCH: &str = "import torch\nfrom torch import nn";

#[test]
fn optimizers_get_parameters() {
    assert_eq!(
        repaired_first(
            &[TORCH, "torch.nn.utils.clip_grad_norm_(model, 1.0)"],
            "TypeError",
            "'Linear' object is not iterable"
        ),
        "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)"
    );
    let class = "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layers = [nn.Linear(4, 4) for _ in range(2)]";
    assert_eq!(
        repaired_first(
            &[
                TORCH,
                class,
                "opt = torch.optim.SGD(Net().parameters(), lr=0.1)"
            ],
            "ValueError",
            "optimizer got an empty parameter list"
        ),
        class.replace(
            "[nn.Linear(4, 4) for _ in range(2)]",
            "nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])"
        )
    );
}

#[test]
fn a_forward_pass_is_recorded() {
    let train = "def train():\n    with torch.no_grad():\n        h = body(x)\n        out = head(h)\n    loss = F.mse_loss(out, y)\n    loss.backward()\ntrain()";
    assert_eq!(
        repaired_at(
            &[TORCH, train],
            6,
            "RuntimeError",
            "element 0 of tensors does not require grad and does not have a grad_fn"
        ),
        "def train():\n    h = body(x)\n    out = head(h)\n    loss = F.mse_loss(out, y)\n    loss.backward()\ntrain()"
    );
}

#[test]
fn parts_lists_and_indexes() {
    assert_eq!(
        repaired_first(
            &[TORCH, "a, b = random_split(data, [int(0.8 * n), 20])"],
            "ValueError",
            "Sum of input lengths does not equal the length of the input dataset!"
        ),
        "a, b = random_split(data, [int(0.8 * n), len(data) - int(0.8 * n)])"
    );
    assert_eq!(
        repaired_first(
            &[
                TORCH,
                "for i in range(3):\n    losses.append((w - i) ** 2)",
                "np.mean(losses)"
            ],
            "RuntimeError",
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
        ),
        "for i in range(3):\n    losses.append(((w - i) ** 2).item())"
    );
    let message = "tensors used as indices must be long, int, byte or bool tensors";
    assert_eq!(
        repaired_first(&[TORCH, "kept = x[mask]"], "IndexError", message),
        "kept = x[mask.bool()]"
    );
    assert_eq!(
        repaired_first(
            &[
                "import torch\ny = torch.randint(1, 6, (60,))",
                "loss = crit(logits, y)"
            ],
            "IndexError",
            "Target 5 is out of bounds."
        ),
        "loss = crit(logits, y - 1)"
    );
}

#[test]
fn tensors_are_joined_along_the_axis_in_which_they_differ() {
    let message = "Sizes of tensors must match except in dimension 0. Expected size 32 but got size 5 for tensor number 1 in the list.";
    assert_eq!(
        repaired_first(
            &[
                "import torch\na = torch.randn(8, 32)\nb = torch.randn(8, 5)",
                "c = torch.cat([a, b])"
            ],
            "RuntimeError",
            message
        ),
        "c = torch.cat([a, b], dim=1)"
    );
    let message =
        "Expected size for first two dimensions of batch2 tensor to be: [2, 16] but got: [2, 6].";
    assert_eq!(
        repaired_first(
            &[
                "import torch\nq = torch.randn(2, 6, 16)\nk = torch.randn(2, 6, 16)",
                "s = torch.bmm(q, k)"
            ],
            "RuntimeError",
            message
        ),
        "s = torch.bmm(q, k.transpose(-2, -1))"
    );
}
