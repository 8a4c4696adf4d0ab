use crate::tests::{cures_of, error_at, repaired_first};

#[test]
fn a_product_is_turned_by_what_the_cells_say() {
    let message = "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 3 is different from 4)";
    let cells = [
        "import numpy as np\nrng = np.random.default_rng(0)\nn = 100",
        "X = rng.normal(size=(n, 4))\nweights = np.ones((3, 4))",
        "scores = X @ weights",
    ];
    assert_eq!(
        repaired_first(&cells, "ValueError", message),
        "scores = X @ weights.T"
    );
    // In a function, by what its only call passes.
    let cells = [
        "import numpy as np\nX = np.random.rand(100, 4)\nW = np.zeros((3, 4))",
        "def score(a, b):\n    return a @ b",
        "score(X[:50], W)",
    ];
    let error = crate::tests::ipython(
        "ValueError",
        &[(3, 1, "score(X[:50], W)"), (2, 2, "return a @ b")],
        message,
    );
    assert_eq!(
        cures_of(&cells, &error)[0].code,
        "def score(a, b):\n    return a @ b.T"
    );
}

#[test]
fn sizes_are_followed_through_what_is_computed() {
    let set = "import torch\nx = torch.randn(8, 3, 32, 32)\ny = x.flatten(1)\nz = y.mean(dim=0).view(3, -1)[:2]";
    let names = |line: &str, message: &str| {
        let cells = [set, "w = torch.zeros(5, 1024)", line];
        let error = error_at(&cells, 1, "RuntimeError", message);
        cures_of(&cells, &error).first().map(|c| c.code.clone())
    };
    assert_eq!(
        names(
            "z @ w",
            "mat1 and mat2 shapes cannot be multiplied (2x1024 and 5x1024)"
        )
        .as_deref(),
        Some("z @ w.T")
    );
}

#[test]
fn a_size_by_name_is_read_before_the_last_argument() {
    let message = "mat1 and mat2 shapes cannot be multiplied (2x7 and 5x7)";
    let cells = [
        "import torch\nz = torch.zeros(2, 7)\nw = torch.randint(0, 9, size=(5, 7))",
        "z @ w",
    ];
    assert_eq!(repaired_first(&cells, "RuntimeError", message), "z @ w.T");
}

#[test]
fn what_is_not_known_is_not_guessed() {
    let message = "mat1 and mat2 shapes cannot be multiplied (2x1024 and 5x1024)";
    for set in [
        "w = load()",
        "w = torch.zeros(5, n)",
        "for i in range(3):\n    w = torch.zeros(5, 1024)",
    ] {
        let cells = ["import torch\nz = torch.zeros(2, 1024)", set, "z @ w"];
        let all = cures_of(&cells, &error_at(&cells, 1, "RuntimeError", message));
        assert!(all.iter().all(|c| c.id != "seen-transpose"), "{all:?}");
    }
}
