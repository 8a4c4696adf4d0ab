//! Sizes that are read from source, and those that are not.

use super::*;
use crate::Reading;

const GIB: f64 = (1u64 << 30) as f64;

fn largest(source: &str) -> Option<(f64, Device, String)> {
    let a = Reading::of(source)
        .allocations(&Sizes::new())
        .into_iter()
        .next()?;
    Some((a.bytes / GIB, a.device, a.dtype))
}

#[test]
fn reads_the_sizes_that_stand_in_the_source() {
    for (source, gib, device, dtype) in [
        // Three that people paste.
        (
            "x = np.random.rand(100000, 1000, 1000)",
            745.06,
            Device::Host,
            "float64",
        ),
        (
            "tf.random.normal((10000, 10000, 10000))",
            3725.29,
            Device::Default,
            "float32",
        ),
        (
            "y = torch.rand((10000, 10000, 1000), device='cuda')",
            372.53,
            Device::Gpu,
            "float32",
        ),
        // Numbers in names, in arithmetic, on several lines.
        (
            "n = 100_000\nk = n // 2\nx = np.zeros(\n    (n, k),  # rows\n    dtype=np.float32,\n)",
            18.626,
            Device::Host,
            "float32",
        ),
        (
            "b = np.full((2**15, 2**15), 0, dtype='u1')",
            1.0,
            Device::Host,
            "uint8",
        ),
        (
            "np.full((1000, 1000, 1000), 7)",
            7.4506,
            Device::Host,
            "int64",
        ),
        (
            "torch.full((1000, 1000, 1000), 0.5)",
            3.7253,
            Device::Host,
            "float32",
        ),
        (
            "torch.zeros(1000, 1000, 1000, dtype=torch.float16)",
            1.8626,
            Device::Host,
            "float16",
        ),
        (
            "with torch.no_grad():\n    h = torch.randn(50000, 50000).cuda()",
            9.3132,
            Device::Host,
            "float32",
        ),
        (
            "jnp.zeros((60000, 60000), jnp.bfloat16)",
            6.7055,
            Device::Default,
            "bfloat16",
        ),
        (
            "np.random.randint(0, 255, size=(int(1e5), 10000))",
            7.4506,
            Device::Host,
            "int64",
        ),
        (
            "np.random.normal(0, 1, (100000, 10000))",
            7.4506,
            Device::Host,
            "float64",
        ),
        ("np.arange(1, 10**12 + 1)", 7450.58, Device::Host, "int64"),
        ("np.eye(100000)", 74.506, Device::Host, "float64"),
        ("cp.arange(10**10)", 74.506, Device::Gpu, "int64"),
        // Names of several numbers, and shapes that have a name.
        (
            "h, w, c = 30_000, 2 * 10**4, 16\nimg = np.zeros((h, w, c), np.float32)",
            35.763,
            Device::Host,
            "float32",
        ),
        (
            "n = 10**5\nshape = (n, n // 10)\nx = np.ones(shape)",
            7.4506,
            Device::Host,
            "float64",
        ),
        (
            "size = 50000, 40000\nt = tf.zeros(size)",
            7.4506,
            Device::Default,
            "float32",
        ),
        (
            "np.full((1000, 1000, 1000), -np.inf)",
            7.4506,
            Device::Host,
            "float64",
        ),
        (
            "torch.full((1000, 1000, 1000), -1)",
            7.4506,
            Device::Host,
            "int64",
        ),
        // Generators; JAX's functions; a device whose name is not in the cell.
        (
            "rng = np.random.default_rng(0)\nx = rng.normal(0, 1, size=(100000, 10000))",
            7.4506,
            Device::Host,
            "float64",
        ),
        (
            "x = np.random.default_rng(7).random((100000, 10000), dtype=np.float32)",
            3.7253,
            Device::Host,
            "float32",
        ),
        (
            "rng.integers(0, 9, size=10**9)",
            7.4506,
            Device::Host,
            "int64",
        ),
        (
            "jax.random.normal(key, (100000, 10000))",
            3.7253,
            Device::Default,
            "float32",
        ),
        (
            "torch.rand((10**5, 10**5), device=dev)",
            37.253,
            Device::Unknown,
            "float32",
        ),
        (
            "%%time\nfor i in range(2):\n  z = numpy.empty((10**5, 10**5), 'f4')",
            37.253,
            Device::Host,
            "float32",
        ),
    ] {
        let (found, at, kind) = largest(source).unwrap_or_else(|| panic!("{source}"));
        assert!((found - gib).abs() < gib / 1000.0, "{source}: {found}");
        assert_eq!((at, kind.as_str()), (device, dtype), "{source}");
    }
}

#[test]
fn says_nothing_of_what_cannot_be_read() {
    for source in [
        "x = np.random.rand(n, 1000, 1000)",
        "n = load()\nx = np.zeros((n, 10**9))",
        "n = 10**6\nn = shrink(n)\nx = np.zeros((n, 10**6))",
        "n = 10**6\nfor n in range(3):\n    x = np.zeros((n, 10**6))",
        "n = 10**6\nn //= 1000\nnp.zeros((n, n))",
        "n, m = 10**6, 10**6\nn, m = f()\nnp.zeros((n, m))",
        "def f():\n    return np.zeros((10**6, 10**6))",
        "if big:\n    x = np.zeros((10**6, 10**6))",
        "# np.zeros((10**6, 10**6))\ns = 'np.zeros((10**6, 10**6))'",
        "'''\nnp.zeros((10**6, 10**6))\n'''",
        "!python -c 'np.zeros((10**6, 10**6))'",
        "%%bash\nnp.zeros((10**6, 10**6))",
        "foo.np.zeros((10**6, 10**6))",
        "np.zeros((10**6, 10**6), dtype=kind)",
        "np.zeros((10**6, 10**6)",
        "torch.rand((10**5, 10**5), device='meta')",
        "torch.rand((10**5, 10**5), device=torch.device('meta'))",
        "a, b = 10**6, 10**6, 1\nnp.zeros((a, b))",
        "a, b = 10**6, f(10**6)\nnp.zeros((a, b))",
        "shape = 10**6, f()\nnp.zeros(shape)",
        "shape = (10**6, 10**6)\nshape = shape[:1]\nnp.zeros(shape)",
        "shape = (10**6, 10**6)\nnp.zeros(2 * shape)",
        "d.x, y = 10**6, 10**6\nnp.zeros((x, y))",
        "x = y = 10**6\nnp.zeros((x, y))",
        "sparse.random(10**6, 10**6, density=1e-9)",
        "model.normal(10**6, 10**6)",
        "rng.random(n)",
        "foo.zeros((10**6, 10**6), size=(10**6, 10**6))",
        "np.zeros_like(x)",
        "np.zeros((10**6, -1))",
        "np.zeros(10**6 / 2)",
        "np.zeros((((((((((((((((((((((((((1)))))))))))))))))))))))))), 10**15)",
        "lambda n=10**6: np.zeros((n, n))",
        "f = lambda: np.zeros((10**6, 10**6))",
        "a = np.ones((10**6, 10**6)) if big else 0",
        "np.zeros",
        "np.zeros(",
        "np.zeros(*dims)",
        "é = '\u{e9}",
    ] {
        assert_eq!(largest(source), None, "{source}");
    }
}

#[test]
fn numbers_of_other_cells_are_used_while_they_are_plain() {
    let mut known = Sizes::new();
    Reading::of("N = 100000\nM = N * 2\nK = get()").learn(&mut known);
    let a = Reading::of("np.zeros((N, M))").allocations(&known);
    assert!((a[0].bytes / GIB - 149.01).abs() < 0.1);
    assert_eq!(a[0].shape_text(), "(100000, 200000)");
    assert!(Reading::of("np.zeros((N, K))")
        .allocations(&known)
        .is_empty());
    Reading::of("N = int(input())").learn(&mut known);
    assert!(Reading::of("np.zeros((N, M))")
        .allocations(&known)
        .is_empty());
}

#[test]
fn any_text_is_read_in_linear_time() {
    for text in [
        "(",
        "np.zeros((",
        "'",
        "a=",
        "\\\n",
        "é",
        "if x:\n ",
        "1e+",
        "**",
    ] {
        let source = text.repeat(60_000 / text.len());
        let _ = Reading::of(&source).allocations(&Sizes::new());
    }
}
