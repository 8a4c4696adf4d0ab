//! Traced functions.

use crate::tests::{cures_of, error_at, repaired_at};

const JAX: &str = "import numpy as np\nimport jax, jax.numpy as jnp";

#[test]
fn arrays_are_made_anew_and_have_fractions() {
    let immutable = "JAX arrays are immutable and do not support in-place item assignment.";
    let whole = "grad requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got int32.";
    for (last, message, wanted) in [
        ("x[2, 1] = a + 1", immutable, "x = x.at[2, 1].set(a + 1)"),
        ("x[2] += a", immutable, "x = x.at[2].add(a)"),
        ("x[2] -= a", immutable, ""),
        (
            "g = jax.grad(f)(x)",
            whole,
            "g = jax.grad(f)(x.astype(float))",
        ),
        ("g = jax.grad(f)(3)", whole, "g = jax.grad(f)(3.0)"),
    ] {
        assert_eq!(
            repaired_at(&[JAX, last], 1, "TypeError", message),
            wanted,
            "{last}"
        );
    }
}

/// A failure in a function called from the cell's last line.
fn within(cell: &str, line: u32, class: &str, message: &str) -> String {
    let cells = [JAX, cell];
    let last = u32::try_from(cell.lines().count()).unwrap_or(1);
    let text = cell.lines().nth(line as usize - 1).unwrap_or("");
    let error = error_at(&cells, last, class, message).replace(
        &format!("\n\n{class}"),
        &format!("\n\nCell In[2], line {line}, in f(x)\n----> {line} {text}\n\n{class}"),
    );
    cures_of(&cells, &error)
        .first()
        .map(|c| c.code.clone())
        .unwrap_or_default()
}

#[test]
fn what_decides_on_sizes_is_fixed() {
    let tracer = "Abstract tracer value encountered where concrete value is expected";
    let made = within(
        "@jax.jit\ndef f(x, n):\n    return x + jnp.arange(n).sum()\ny = f(a, 4)",
        3,
        "ConcretizationTypeError",
        tracer,
    );
    assert!(
        made.contains("import functools\n@functools.partial(jax.jit, static_argnames=\"n\")"),
        "{made}"
    );
    let made = within(
        "@jax.jit\ndef f(x, at):\n    return x[at:at + 4]\ny = f(a, 4)",
        3,
        "IndexError",
        "Slice entries must be static integers.",
    );
    assert!(made.contains("static_argnames=\"at\""), "{made}");
    let made = within(
        "@jax.jit\ndef f(x):\n    print('sum', float(x.sum()))\n    return x\ny = f(a)",
        3,
        "ConcretizationTypeError",
        tracer,
    );
    assert!(
        made.contains("jax.debug.print(\"sum {}\", x.sum())"),
        "{made}"
    );
    let text = "Error interpreting argument to <function f at 0x1> as an abstract array. The problematic value is of type <class 'str'> and was passed to the function at path how.\nThis";
    let cells = [JAX, "@jax.jit\ndef f(x, how):\n    return x\ny = f(a, 'b')"];
    assert!(repaired_at(&cells, 4, "TypeError", text).contains("static_argnames=\"how\""));
}

#[test]
fn values_are_chosen_without_being_known() {
    let made = within(
        "@jax.jit\ndef f(x):\n    return np.sqrt(x).sum()\ny = f(a)",
        3,
        "TracerArrayConversionError",
        "The numpy.ndarray conversion",
    );
    assert!(made.contains("return jnp.sqrt(x).sum()"), "{made}");
    let made = within(
        "@jax.jit\ndef f(x):\n    return x[x > 0].sum()\ny = f(a)",
        3,
        "NonConcreteBooleanIndexError",
        "Array boolean indices must be concrete",
    );
    assert!(
        made.contains("return jnp.where(x > 0, x, 0).sum()"),
        "{made}"
    );
    let made = within(
        "@jax.jit\ndef f(x):\n    return x[x > 0]\ny = f(a)",
        3,
        "NonConcreteBooleanIndexError",
        "Array boolean indices must be concrete",
    );
    assert!(made.is_empty(), "{made}");
    let made = within(
        "@jax.jit\ndef f(x):\n    if x.sum() > 1:\n        return x / 2\n    return x\ny = f(a)",
        3,
        "TracerBoolConversionError",
        "Attempted boolean conversion",
    );
    assert!(
        made.contains("    return jnp.where(x.sum() > 1, x / 2, x)\ny"),
        "{made}"
    );
}

#[test]
fn tapes_hold_what_the_gradient_needs() {
    let tape = "with tf.GradientTape() as tape:\n    loss = lossf(y, p)\ng = tape.gradient(loss, w)\nopt.apply_gradients(zip(g, w))";
    let cells = ["net = 1", &format!("p = net(x)\n{tape}")];
    let made = repaired_at(
        &cells,
        5,
        "ValueError",
        "No gradients provided for any variable.",
    );
    assert!(
        made.starts_with("with tf.GradientTape() as tape:\n    p = net(x)\n    loss"),
        "{made}"
    );
    let once = "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)";
    let made = repaired_at(&["a = 1", tape], 3, "RuntimeError", once);
    assert!(made.contains("tf.GradientTape(persistent=True)"), "{made}");
    let cells = ["import torch", "torch.save(net, 'n.pt')"];
    let made = repaired_at(
        &cells,
        1,
        "AttributeError",
        "Can't pickle local object 'Net.__init__.<locals>.<lambda>'",
    );
    assert_eq!(made, "torch.save(net.state_dict(), 'n.pt')");
    let cells = ["import torch", "s = torch.jit.script(net)"];
    let error = error_at(
        &cells,
        1,
        "RuntimeError",
        "method cannot be used as a value:",
    );
    assert!(cures_of(&cells, &error)[0]
        .title
        .ends_with("`torch.jit.trace(net, example)`"));
}
