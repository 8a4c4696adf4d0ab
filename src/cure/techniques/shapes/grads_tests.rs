//! Gradients and memory.

use crate::tests::{cures_of, ipython, repaired};
use crate::{cures, Book, BookCell, Case};
use nbmedic_facts::{Diagnosis, Value};

/// The last cell after the first cure; `line` of it fails.
fn fixed(cells: &[&str], line: usize, message: &str) -> String {
    let last = cells[cells.len() - 1];
    let text = last.lines().nth(line - 1).unwrap_or("");
    let frame = (
        i64::try_from(cells.len()).unwrap(),
        u32::try_from(line).unwrap(),
        text,
    );
    repaired(cells, &ipython("RuntimeError", &[frame], message))
}

const AGAIN: &str = "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed).";

#[test]
fn graphs_that_are_used_twice() {
    assert_eq!(
        fixed(&["a.backward()\nb.backward()"], 2, AGAIN),
        "a.backward(retain_graph=True)\nb.backward()"
    );
    assert_eq!(
        fixed(
            &["out = model(x)\nfor i in range(9):\n    loss = f(out, y)\n    loss.backward()"],
            4,
            AGAIN
        ),
        "for i in range(9):\n    out = model(x)\n    loss = f(out, y)\n    loss.backward()"
    );
    let step = "for x in xs:\n    out, h = net(x, h)\n    loss = out.sum()\n    loss.backward()";
    let detached = |code: &str| format!("{step}\n    {code}");
    assert_eq!(
        fixed(&["net = nn.LSTM(2, 3)", step], 4, AGAIN),
        detached("h = tuple(s.detach() for s in h)")
    );
    assert_eq!(
        fixed(&["net = nn.GRU(2, 3)", step], 4, AGAIN),
        detached("h = h.detach()")
    );
    // What is a tensor from the start is detached first; `None` can't be.
    let from = |start: &str| fixed(&[&format!("{start}\n{step}")], 5, AGAIN);
    assert_eq!(
        from("h = torch.zeros(1, 3)"),
        format!("h = torch.zeros(1, 3)\n{step}")
            .replace("    out,", "    h = h.detach()\n    out,")
    );
    for start in ["h = None", "h, total = None, 0"] {
        assert_eq!(from(start), format!("{start}\n{step}\n    h = h.detach()"));
    }
}

#[test]
fn losses_and_updates() {
    assert_eq!(
        fixed(
            &["loss = f(model(x), y)\nloss.backward()"],
            2,
            "grad can be implicitly created only for scalar outputs"
        ),
        "loss = f(model(x), y).mean()\nloss.backward()"
    );
    assert_eq!(
        fixed(
            &["import torch", "for i in r:\n    w -= 0.1 * w.grad"],
            2,
            "a leaf Variable that requires grad is being used in an in-place operation."
        ),
        "for i in r:\n    with torch.no_grad():\n        w -= 0.1 * w.grad"
    );
    assert_eq!(
        fixed(&["y = torch.exp(x)\ny *= a + b\ny.sum().backward()"], 3, "one of the variables needed for gradient computation has been modified by an inplace operation"),
        "y = torch.exp(x)\ny = y * (a + b)\ny.sum().backward()"
    );
}

#[test]
fn arrays_that_are_too_large() {
    let message = |shape: &str| {
        format!("Unable to allocate 3.58 GiB for an array with shape {shape} and data type float64")
    };
    assert_eq!(
        fixed(&["import numpy as np", "i = np.linalg.norm(a[:, None] - b[None], axis=2).argmin(axis=1)"], 1, &message("(80000, 2000, 3)")),
        "i = np.concatenate([np.linalg.norm(part[:, None] - b[None], axis=2).argmin(axis=1) for part in np.array_split(a, 15)])"
    );
    assert_eq!(
        fixed(
            &["import numpy as np", "x = np.zeros(shape)"],
            1,
            &message("(80000, 2000, 3)")
        ),
        "x = np.zeros(shape, dtype=np.float32)"
    );
    assert_eq!(
        fixed(&["import torch", "i = torch.cdist(a, b).argmin(dim=1)"], 1, "[enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 14400000000 bytes. Error code 12 (Cannot allocate memory)"),
        "i = torch.cat([torch.cdist(part, b).argmin(dim=1) for part in a.tensor_split(54)])"
    );
}

#[test]
fn what_was_sparse_stays_sparse() {
    let message = "Unable to allocate 298. GiB for an array with shape (200000, 200000) and data type float64";
    assert_eq!(
        fixed(
            &["X = TfidfVectorizer().fit_transform(texts).toarray()"],
            1,
            message
        ),
        "X = TfidfVectorizer().fit_transform(texts)"
    );
    assert_eq!(
        fixed(
            &[
                "import pandas as pd",
                "table = pd.DataFrame(counts.toarray(), columns=names)"
            ],
            1,
            message
        ),
        "table = pd.DataFrame.sparse.from_spmatrix(counts, columns=names)"
    );
}

#[test]
fn a_call_whose_own_sizes_are_too_large_is_named() {
    let told = |cells: &[&str], message: &str| {
        let last = cells[1];
        let error = ipython("RuntimeError", &[(2, 1, last)], message);
        cures_of(cells, &error)
            .into_iter()
            .find(|c| c.id == "written-size")
            .map(|c| c.title)
    };
    let torch = |n: i64| {
        format!("[enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate {n} bytes. Error code 12 (Cannot allocate memory)")
    };
    assert_eq!(
        told(
            &["rows = 40_000_000", "table = nn.Embedding(rows, 300)"],
            &torch(48_000_000_000)
        )
        .as_deref(),
        Some("Make `nn.Embedding(rows, 300)` smaller: it alone takes 44.7 GiB")
    );
    assert_eq!(
        told(&["import torch", "x = torch.zeros((90_000, 90_000), dtype=torch.uint8)"], &torch(8_100_000_000)).as_deref(),
        Some("Make `torch.zeros((90_000, 90_000), dtype=torch.uint8)` smaller: it alone takes 7.5 GiB")
    );
    assert_eq!(
        told(
            &["rows = 40_000_000", "table = nn.Embedding(rows, 300)"],
            &torch(48_000_000_004)
        ),
        None
    );
}

#[test]
fn what_keeps_graphs() {
    let oom = "CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 15.90 GiB total capacity; 13.00 GiB already allocated; 1.50 GiB free)";
    assert_eq!(
        fixed(
            &["for x, y in loader:\n    loss = f(model(x), y)\n    total += loss"],
            2,
            oom
        ),
        "for x, y in loader:\n    loss = f(model(x), y)\n    total += loss.item()"
    );
    assert_eq!(
        fixed(&["for x in loader:\n    outs.append(model(x))"], 2, oom),
        "for x in loader:\n    outs.append(model(x).detach().cpu())"
    );
    assert!(cures_of(
        &["y = model(x)"],
        &ipython("OutOfMemoryError", &[(1, 1, "y = model(x)")], oom)
    )
    .is_empty());
}

#[test]
fn a_batch_that_fits_by_the_figures() {
    let cells = [
        "size = 64\nloader = DataLoader(data, batch_size=size)",
        "y = model(x)",
    ];
    let book: Vec<BookCell<'_>> = (1..)
        .zip(cells)
        .map(|(i, source)| BookCell {
            position: i,
            source,
            count: Some(1),
            ran: Some(i as u64),
            ..BookCell::default()
        })
        .collect();
    let book = Book::new(book);
    let oom = "CUDA out of memory. Tried to allocate 2.00 GiB";
    let error = ipython("OutOfMemoryError", &[(2, 1, "y = model(x)")], oom);
    let mut diagnosis = Diagnosis::default();
    for (name, bytes) in [("requested_bytes", 2_i64 << 30), ("free_bytes", 600 << 20)] {
        diagnosis.facts.insert(name.into(), Value::Int(bytes));
    }
    let case = Case::new(&book, 1, &error).unwrap().with(&diagnosis);
    let cure = &cures(&case)[0];
    assert_eq!(cure.title, "Use batches of 16 instead of 64");
    assert!(cure.code.starts_with("size = 16\n"), "{}", cure.code);
}
