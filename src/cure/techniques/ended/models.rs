//! Language models whose weights exceed the memory, judged by the parameter count in their names.

use super::super::shapes::memory::bytes;
use super::scene::Scene;
use crate::code::{argument, Editor};
use crate::edit::{Change, Said};
use crate::find::{callee, lines_before, name, text_of};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{each_expr, Ranged};

/// Main memory of Colab's free runtime, in bytes: the default if the size is unknown.
const SMALL: i64 = 13 << 30;
/// Memory of the free GPU on Colab and Kaggle, a T4, minus its context, in bytes.
const T4: i64 = 14 << 30;

/// Arguments that set the precision or the device of the weights.
const SAID: &[&str] = &[
    "torch_dtype",
    "dtype",
    "quantization_config",
    "load_in_4bit",
    "load_in_8bit",
    "gguf_file",
    "device_map",
];

pub(super) fn offer(scene: &Scene<'_>, out: &mut Vec<Cure>) {
    let mut found = None;
    for stmt in scene
        .stmts
        .iter()
        .filter(|s| s.is_assign_stmt() || s.is_expr_stmt())
    {
        each_expr(std::slice::from_ref(*stmt), &mut |e| {
            if let (Expr::Call(c), None) = (e, &found) {
                found = smaller(scene, stmt, c);
            }
        });
    }
    out.extend(found);
}

/// The number of parameters according to a model's name: `Llama-2-7b-chat` has 7 billion,
/// `Mixtral-8x7B` at most 56.
fn parameters(model: &str) -> Option<i64> {
    let name = model.rsplit('/').next()?.to_lowercase();
    let parts = name.split(['-', '_', ' ']);
    parts.filter_map(billions).max()
}

fn billions(part: &str) -> Option<i64> {
    let number = part.strip_suffix('b')?;
    let (times, number) = number.split_once('x').unwrap_or(("1", number));
    let times: i64 = times.parse().ok().filter(|n| (1..=256).contains(n))?;
    let plain = number.chars().all(|c| c.is_ascii_digit() || c == '.');
    let each: f64 = number
        .parse()
        .ok()
        .filter(|n| plain && *n > 0.0 && *n < 2000.0)?;
    #[allow(clippy::cast_possible_truncation)] // below 2e12
    let each = (each * 1e9) as i64;
    Some(times * each)
}

/// `AutoModel.from_pretrained("…-7b")` → `…, torch_dtype="auto", device_map="auto")`; quantized if
/// that is still too large.
fn smaller(scene: &Scene<'_>, stmt: &Stmt, call: &ExprCall) -> Option<Cure> {
    let case = scene.case;
    let (model, func) = match callee(call)? {
        "from_pretrained" => {
            let class = &*call.func.as_attribute_expr()?.value;
            let named = name(class)?;
            (
                argument(call, 0, "pretrained_model_name_or_path")?,
                named.contains("Model").then_some(class)?,
            )
        }
        "pipeline" => (argument(call, 1, "model")?, &*call.func),
        _ => return None,
    };
    let own = case.path_of(func)?.starts_with("transformers.");
    let mut given = call.arguments.keywords.iter();
    let said = given.any(|k| k.arg.as_ref().is_none_or(|a| SAID.contains(&a.as_str())));
    if !own || said {
        return None;
    }
    let model = match text_of(model) {
        Some(text) => text,
        None => text_of(case.value(name(model)?)?.1)?,
    };
    let count = parameters(model)?;
    let (whole, half) = (count.checked_mul(4)?, count.checked_mul(2)?);
    if whole < scene.room().unwrap_or(SMALL) / 10 * 8 {
        return None;
    }
    let add = |text: &str| Editor::new(scene.cell, scene.python).add(call, text);
    // Since version 5, Transformers keeps the checkpoint's dtype by default.
    let why = format!(
        "{model} has {} billion parameters: {} with 16 bits each, {} with the 32 that releases of Transformers before 5 make of them{}.",
        in_billions(count),
        bytes(half),
        bytes(whole),
        scene.of_room()
    );
    if half <= T4 {
        return case.edits(
            Said {
                id: "model-half",
                basis: Basis::Assumed,
                title: "Load the model in the 16 bits that it is stored in, piece by piece onto the GPU".into(),
                why: format!("{why} `device_map` hands them to the GPU piece by piece: choose a runtime with one. It needs the package accelerate."),
            },
            vec![add("torch_dtype=\"auto\", device_map=\"auto\"")],
        );
    }
    // A pipeline passes it on in a different way.
    let quantised = count / 2 + count / 16;
    if quantised > T4 || callee(call) == Some("pipeline") || case.exists("BitsAndBytesConfig") {
        return None;
    }
    let import = Change {
        text: "from transformers import BitsAndBytesConfig\n".into(),
        ..lines_before(scene.cell, scene.python, stmt, "x")
    };
    if !scene
        .python
        .indent(scene.python.line_of(stmt.start()))
        .is_empty()
    {
        return None;
    }
    case.edits(
        Said {
            id: "model-4-bits",
            basis: Basis::Assumed,
            title: "Load the model with 4 bits for each parameter, onto the GPU".into(),
            why: format!("{why} With 4 bits they take about {}: choose a runtime with a GPU, and install bitsandbytes and accelerate.", bytes(quantised)),
        },
        vec![import, add("quantization_config=BitsAndBytesConfig(load_in_4bit=True), device_map=\"auto\"")],
    )
}

fn in_billions(count: i64) -> String {
    #[allow(clippy::cast_precision_loss)]
    let n = count as f64 / 1e9;
    let text = format!("{n:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
