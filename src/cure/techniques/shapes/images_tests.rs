//! Images and batches.

use crate::tests::{cures_of, ipython, repaired};

fn shown(before: &str, line: &str, shape: &str) -> String {
    let message = format!("Invalid shape {shape} for image data");
    let error = ipython("TypeError", &[(2, 1, line)], &message);
    repaired(&[before, line], &error)
}

#[test]
fn an_image_is_turned_as_its_kind_needs() {
    let np = "import numpy as np\nimport torch\n";
    for (set, line, shape, made) in [
        (
            "a = np.ones((3, 9, 9))",
            "plt.imshow(a)",
            "(3, 9, 9)",
            "plt.imshow(a.transpose(1, 2, 0))",
        ),
        (
            "a = torch.rand(3, 9, 9)",
            "plt.imshow(a)",
            "(3, 9, 9)",
            "plt.imshow(a.permute(1, 2, 0))",
        ),
        (
            "a = data[0]",
            "ax.imshow(a / 2)",
            "(3, 9, 9)",
            "ax.imshow(np.asarray(a / 2).transpose(1, 2, 0))",
        ),
        (
            "a = data[0]",
            "plt.imshow(a)",
            "(1, 28, 28)",
            "plt.imshow(a.squeeze())",
        ),
        (
            "a = data[0]",
            "plt.imshow(a)",
            "(784,)",
            "plt.imshow(a.reshape(28, 28))",
        ),
        (
            "a = np.ones(3)",
            "plt.imshow(a)",
            "(8, 3, 64, 64)",
            "plt.imshow(a[0].transpose(1, 2, 0))",
        ),
        ("a = 1", "plt.imshow(a)", "(5, 7, 9, 11)", ""),
    ] {
        assert_eq!(
            shown(&format!("{np}{set}"), line, shape),
            made,
            "{line} {shape}"
        );
    }
    let error = ipython(
        "TypeError",
        &[(1, 1, "plt.imshow(y[0])")],
        "Invalid shape () for image data",
    );
    let look = &cures_of(&["plt.imshow(y[0])"], &error)[0];
    assert_eq!(look.title, "Show an image instead of `y[0]`");
}

fn stacked(cells: &[&str], a: &str, b: &str) -> String {
    let message = format!(
        "stack expects each tensor to be equal size, but got {a} at entry 0 and {b} at entry 1"
    );
    let at = cells.len();
    let line = cells[at - 1].lines().last().unwrap_or("").to_owned();
    let number = u32::try_from(cells[at - 1].lines().count()).unwrap();
    let error = ipython(
        "RuntimeError",
        &[(i64::try_from(at).unwrap(), number, &line)],
        &message,
    );
    repaired(cells, &error)
}

#[test]
fn images_of_one_batch_get_one_size() {
    let made = stacked(
        &[
            "tf = transforms.Compose([\n    transforms.ToTensor(),\n])",
            "next(iter(loader))",
        ],
        "[3, 90, 80]",
        "[3, 300, 200]",
    );
    assert_eq!(made, "tf = transforms.Compose([\n    transforms.Resize((64, 64)),\n    transforms.ToTensor(),\n])");
    let made = stacked(
        &[
            "tf = transforms.Compose([transforms.Resize(256), transforms.ToTensor()])",
            "next(iter(loader))",
        ],
        "[3, 256, 300]",
        "[3, 256, 280]",
    );
    assert_eq!(
        made,
        "tf = transforms.Compose([transforms.Resize((256, 256)), transforms.ToTensor()])"
    );
    // Nothing is guessed if the size is already fixed.
    let fixed = "tf = transforms.Compose([transforms.Resize((9, 9))])";
    assert_eq!(
        stacked(&[fixed, "next(iter(loader))"], "[3, 9, 8]", "[3, 9, 9]"),
        ""
    );
}

#[test]
fn images_of_one_batch_get_the_same_channels() {
    let made = stacked(
        &[
            "def read(path):\n    return Image.open(path)",
            "next(iter(loader))",
        ],
        "[3, 64, 64]",
        "[1, 64, 64]",
    );
    assert_eq!(
        made,
        "def read(path):\n    return Image.open(path).convert(\"RGB\")"
    );
    let cell = "pics = []\nfor p in paths:\n    pics.append(np.asarray(Image.open(p).resize((8, 8))))\nx = np.array(pics)";
    let error = ipython(
        "ValueError",
        &[(1, 4, "x = np.array(pics)")],
        "could not broadcast input array from shape (8,8,3) into shape (8,8)",
    );
    assert!(repaired(&[cell], &error).contains("Image.open(p).convert(\"RGB\").resize((8, 8))"));
}

#[test]
fn sequences_of_one_batch_are_padded() {
    let made = stacked(
        &[
            "import torch",
            "loader = DataLoader(words, batch_size=4)\nbatches = list(loader)",
        ],
        "[3]",
        "[4]",
    );
    assert!(made.contains("def pad_batch(batch):"), "{made}");
    assert!(made.ends_with("loader = DataLoader(words, batch_size=4, collate_fn=pad_batch)\nbatches = list(loader)"), "{made}");
}
