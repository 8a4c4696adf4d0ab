use crate::book::{Book, BookCell};
use crate::case::Case;
use crate::table::Kind;
use crate::tests::{cures_of, error_at, repaired_first};
use nbmedic_python::each_expr;

/// What the model takes the last thing named `it` of the last cell for.
fn kind_of(cells: &[&str]) -> Kind {
    let book: Vec<BookCell<'_>> = cells
        .iter()
        .enumerate()
        .map(|(i, source)| BookCell {
            position: i + 1,
            source,
            count: i64::try_from(i + 1).ok(),
            ran: Some(i as u64),
            edited: false,
            output: "",
        })
        .collect();
    let book = Book::new(book);
    let at = cells.len() - 1;
    let lines = u32::try_from(cells[at].lines().count()).unwrap_or(1);
    let case = Case::new(&book, at, &error_at(cells, lines, "ValueError", "x")).unwrap();
    let mut kind = None;
    each_expr(case.python(at).unwrap().body(), &mut |e| {
        let it = e
            .as_name_expr()
            .filter(|n| n.id.as_str() == "it" && n.ctx.is_load());
        kind = it.map(|_| case.kind(at, e)).or(kind);
    });
    kind.unwrap()
}

#[test]
fn a_kind_is_followed_through_loops_functions_and_what_only_one_kind_has() {
    let loader = "from torch.utils.data import DataLoader\nloader = DataLoader(data)";
    let loop_ = "for i, (it, y) in enumerate(loader):\n    it = it.to(device)\n    print(it)";
    assert_eq!(kind_of(&[loader, loop_]), Kind::Tensor);
    let define = "import numpy as np\ndef load(path):\n    a = np.loadtxt(path)\n    return a";
    assert_eq!(kind_of(&[define, "it = load('a')\nit[0]"]), Kind::Array);
    let read = "import pandas as pd\nparts = [pd.read_csv(f) for f in files]";
    assert_eq!(
        kind_of(&[read, "it = pd.concat(parts)\nit[0]"]),
        Kind::Frame
    );
    assert_eq!(kind_of(&["it = load()[['a', 'b']]\nit[0]"]), Kind::Frame);
    assert_eq!(kind_of(&["it = load().iloc[:, 0]\nit[0]"]), Kind::Series);
    assert_eq!(kind_of(&["it = model.predict(X)\nit[0]"]), Kind::Array);
}

#[test]
fn what_may_have_been_set_in_two_ways_is_of_no_kind() {
    let zeros = "import numpy as np\nit = np.zeros(3)";
    assert_eq!(kind_of(&[zeros, "print(it)"]), Kind::Array);
    assert_eq!(
        kind_of(&[zeros, "if x:\n    it = [1]\nprint(it)"]),
        Kind::Unknown
    );
    // In the branch itself it is known.
    assert_eq!(
        kind_of(&[zeros, "if x:\n    it = [1]\n    print(it)"]),
        Kind::List
    );
    // A later pass through the loop reads what the one before set.
    let back = "for i in range(3):\n    print(it)\n    it = [1]";
    assert_eq!(kind_of(&[zeros, back]), Kind::Unknown);
}

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
    // In a function, from the arguments of its only call.
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
