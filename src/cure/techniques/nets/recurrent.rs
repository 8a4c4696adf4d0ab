//! PyTorch's recurrent layers, which return their outputs and their state.

use crate::case::Case;
use crate::code::Editor;
use crate::edit::Change;
use crate::find::{callee, head_exprs, name, only, said};
use crate::known::{class_around, function_around};
use crate::sized::{Sources, MAX_STEPS};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{calls, each_stmt, keyword, name_of, positional, Ranged};
use nbmedic_values::Model;
use nbmedic_wordings::{python, torch};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let text = case.message();
    if text.contains("tuple indices must be integers or slices, not tuple")
        || matches!(python::ATTRIBUTE.read(text), Some(["tuple", _]))
        || torch::MUST_BE_TENSOR.read(text) == Some(["tuple"])
    {
        out.extend(in_sequence(case).or_else(|| unpacked(case)));
    }
}

/// The class of a called layer: `nn.LSTM` for `self.lstm(x)` or `rnn(x)`.
fn layer(case: &Case<'_>, cell: usize, call: &ExprCall) -> Option<&'static str> {
    let python = case.python(cell)?;
    let dotted = name_of(&call.func)?;
    let mut made = None;
    match dotted.strip_prefix("self.") {
        Some(_) => {
            let class = class_around(python, call)?;
            each_stmt(&class.body, &mut |s| {
                let Stmt::Assign(a) = s else { return };
                if a.targets
                    .iter()
                    .any(|t| name_of(t).as_deref() == Some(&dotted))
                {
                    made = Some(&*a.value);
                }
            });
        }
        None => made = case.value(&dotted).map(|(_, v)| v),
    }
    let of = made?.as_call_expr().and_then(|c| name_of(&c.func))?;
    let of = of.rsplit('.').next()?.to_owned();
    let known = ["LSTM", "GRU", "RNN"];
    let found = known.into_iter().find(|k| *k == of)?;
    case.imports("torch").then_some(found)
}

/// `nn.Sequential(nn.LSTM(…), nn.Linear(…))`: the next layer receives the pair.
pub(super) fn in_sequence(case: &Case<'_>) -> Option<Cure> {
    if !case.message().contains("must be Tensor, not tuple") {
        return None;
    }
    let mut found = Vec::new();
    for cell in case.seen() {
        let Some(python) = case.python(cell) else {
            continue;
        };
        for call in calls(python.body()) {
            if callee(call) != Some("Sequential") {
                continue;
            }
            let inner = call.arguments.args.iter().rev().skip(1);
            let inner = inner.filter_map(|e| e.as_call_expr());
            let layers = inner.filter(|c| matches!(callee(c), Some("LSTM" | "GRU" | "RNN")));
            found.extend(layers.map(|c| (cell, python, c)));
        }
    }
    let (cell, python, layer) = only(found.into_iter())?;
    let (nn, kind) = python.slice(&*layer.func).rsplit_once('.')?;
    let top = python
        .body()
        .iter()
        .find(|s| s.range().contains_range(layer.range()))?;
    let first = keyword(layer, "batch_first").is_some_and(|k| python.slice(&k.value) == "True");
    let (name, taken, what, other) = match (one_target(case), first) {
        (false, _) => ("Outputs", "", "its outputs", "If there is one target for all steps, return the last one: `returned[0][:, -1]`, or `returned[0][-1]` without `batch_first`."),
        (true, true) => ("LastStep", "[:, -1]", "its last step", "If each step has a target of its own, return `returned[0]`."),
        (true, false) => ("LastStep", "[-1]", "its last step", "If each step has a target of its own, return `returned[0]`."),
    };
    let part = what.replace("its", "the");
    let class = format!(
        "class {name}({nn}.Module):\n    \"\"\"Passes on {part} of what a recurrent layer returns.\"\"\"\n    def forward(self, returned):\n        return returned[0]{taken}\n\n\n"
    );
    case.edits(
        said(
            "outputs-in-sequence",
            Basis::Assumed,
            format!("Put a layer behind `{nn}.{kind}` that passes {what} on: `{name}()`"),
            format!("`{nn}.{kind}` returns its outputs and its state; in `Sequential` the next layer gets both. {other}"),
        ),
        vec![
            Editor::new(cell, python).above(top, &class),
            Change::after(cell, layer, format!(", {name}()")),
        ],
    )
}

/// Whether the targets of a loss have at most two axes, so that a sequence has one, not one for each step.
fn one_target(case: &Case<'_>) -> bool {
    let sources = Sources(case);
    let model = Model::new(&sources, MAX_STEPS);
    let is_loss = |f: &str| {
        ["loss", "crit", "cross_entropy"]
            .iter()
            .any(|w| f.to_lowercase().contains(w))
    };
    let mut all = case
        .seen()
        .into_iter()
        .filter_map(|c| Some((c, case.python(c)?)));
    all.any(|(cell, python)| {
        calls(python.body()).into_iter().any(|c| {
            let target = callee(c)
                .filter(|f| is_loss(f))
                .and_then(|_| positional(c, 1));
            let axes = target.and_then(|t| model.of(cell, t).dims.as_ref().map(Vec::len));
            axes.is_some_and(|n| n <= 2)
        })
    })
}

/// `out = self.lstm(x)`, where `out` is used as the outputs.
fn unpacked(case: &Case<'_>) -> Option<Cure> {
    let (cell, python, stmt) = case.here()?;
    let exprs = head_exprs(stmt);
    let why = |kind: &str| {
        let state = match kind {
            "LSTM" => "`(h, c)`",
            _ => "the last state",
        };
        format!("`nn.{kind}` returns its outputs for each step and {state}; the next line wants the outputs.")
    };
    // `self.fc(self.lstm(x))`: the call itself.
    let inner = exprs.iter().filter_map(|e| e.as_call_expr());
    let inner = inner.filter_map(|c| Some((c, layer(case, cell, c)?)));
    if let Some((call, kind)) = only(inner) {
        let whole = stmt
            .as_assign_stmt()
            .is_some_and(|a| a.value.range() == call.range());
        if !whole {
            return case.edits(
                said(
                    "outputs-and-state",
                    Basis::Library,
                    format!(
                        "Take the outputs: `{}[0]`",
                        crate::find::one_line(python.slice(call))
                    ),
                    why(kind),
                ),
                vec![Change::after(cell, call, "[0]")],
            );
        }
    }
    let used = |n: &str| exprs.iter().any(|e| name(e) == Some(n));
    let body = match function_around(python, stmt) {
        Some(f) => &f.body[..],
        None => python.body(),
    };
    let mut set = None;
    each_stmt(body, &mut |s| {
        let Stmt::Assign(a) = s else { return };
        let [target @ Expr::Name(n)] = &a.targets[..] else {
            return;
        };
        if s.end() > stmt.start() || !used(n.id.as_str()) {
            return;
        }
        let kind = a.value.as_call_expr().and_then(|c| layer(case, cell, c));
        // The last assignment counts.
        set = kind.map(|k| (target, k));
    });
    let (target, kind) = set?;
    let was = name(target)?;
    case.edits(
        said(
            "outputs-and-state",
            Basis::Library,
            format!("Unpack what the layer returns: `{was}, _ = …`"),
            why(kind),
        ),
        vec![Change::after(cell, target, ", _")],
    )
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, ipython, repaired};

    #[test]
    fn the_outputs_are_taken_out_of_what_a_recurrent_layer_returns() {
        let net = |forward: &str| {
            format!("import torch\nclass Tagger(nn.Module):\n    def __init__(self):\n        self.rnn = nn.GRU(8, 8)\n        self.fc = nn.Linear(8, 2)\n    def forward(self, x):\n{forward}")
        };
        let check = |body: &str, line: u32, after: &str, message: &str| {
            let model = net(body);
            let cells = [model.as_str(), "tags = Tagger()(batch)"];
            let code = model.lines().nth(line as usize - 1).unwrap_or("").trim();
            let error = ipython(
                "TypeError",
                &[(2, 1, "tags = Tagger()(batch)"), (1, line, code)],
                message,
            );
            let error = error.replace(
                &format!("line {line}\n"),
                &format!("line {line}, in Tagger.forward(self, x)\n"),
            );
            let cures = cures_of(&cells, &error);
            let found = repaired(&cells, &error);
            assert!(found.contains(after), "{found}\n{cures:?}");
        };
        let index = "tuple indices must be integers or slices, not tuple";
        check(
            "        out = self.rnn(x)\n        return self.fc(out[:, -1])",
            8,
            "out, _ = self.rnn(x)\n",
            index,
        );
        let input = "linear(): argument 'input' (position 1) must be Tensor, not tuple";
        check(
            "        return self.fc(self.rnn(x))",
            7,
            "self.fc(self.rnn(x)[0])",
            input,
        );
    }
}
