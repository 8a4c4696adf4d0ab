//! Gym's two APIs: since 0.26, `step` returns five values and `reset` two.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, said, Spot};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::ast::{ExprCall, ExprTuple};
use nbmedic_wordings::python;

/// An environment's result unpacked into the wrong number of names.
pub(crate) fn unpacked(
    case: &Case<'_>,
    spot: &Spot<'_>,
    targets: &ExprTuple,
    call: &ExprCall,
) -> Option<Cure> {
    let receiver = &call.func.as_attribute_expr()?.value;
    if !spot.text(&**receiver).to_lowercase().contains("env") {
        return None;
    }
    let message = case.message();
    let too_many = python::TOO_MANY_VALUES.is_in(message);
    let names: Vec<&str> = targets.elts.iter().map(|e| spot.text(e)).collect();
    if names.iter().any(|n| n.starts_with('*')) {
        return None;
    }
    let likely = |id, title: String, why: &str| said(id, Basis::Assumed, title, why);
    match (callee(call)?, names.as_slice(), too_many) {
        ("step", [state, reward, done, info], true) => {
            let over = match *done {
                "_" => String::new(),
                done => format!("; {done} = {done} or truncated"),
            };
            let by = format!("{state}, {reward}, {done}, truncated, {info}");
            case.edits(
                likely(
                    "gym-step-five",
                    format!("Write `{by}` on the left"),
                    "Gymnasium, and Gym since 0.26, give five values: whether the episode ended, and whether a limit cut it off.",
                ),
                vec![
                    Change::replace(spot.cell, targets, by),
                    spot.editor().append(call, over),
                ],
            )
        }
        ("step", [state, reward, done, truncated, info], false) if message.contains("got 4") => {
            let by = format!("{state}, {reward}, {done}, {info}");
            let over = match *truncated {
                "_" => String::new(),
                truncated => format!("; {truncated} = False"),
            };
            case.edits(
                likely(
                    "gym-step-four",
                    format!("Write `{by}` on the left"),
                    "This environment answers as Gym before 0.26 did, with four values. If it is your own, let its `step` return `obs, reward, terminated, truncated, info` instead.",
                ),
                vec![
                    Change::replace(spot.cell, targets, by),
                    spot.editor().append(call, over),
                ],
            )
        }
        ("reset", [state, info], _) => case.edits(
            likely(
                "gym-reset-one",
                format!("Give `{info}` an empty dictionary: `reset` returns `{state}` alone"),
                "Gym before 0.26 returns only the observation. If the environment is your own, let its `reset` return `observation, {}` instead.",
            ),
            vec![spot.editor().append(call, ", {}")],
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::{ipython, repaired};

    #[test]
    fn an_environments_answer_has_the_number_of_names() {
        let many = "too many values to unpack (expected 4)";
        let few = "not enough values to unpack (expected 5, got 4)";
        let two = "too many values to unpack (expected 2)";
        for (code, message, right) in [
            (
                "s, r, done, info = env.step(a)",
                many,
                "s, r, done, truncated, info = env.step(a); done = done or truncated",
            ),
            (
                "s, r, end, cut, info = self.env.step(a)",
                few,
                "s, r, end, info = self.env.step(a); cut = False",
            ),
            (
                "s, _ = env.reset(seed=1)",
                two,
                "s, _ = env.reset(seed=1), {}",
            ),
            // Not an environment: its result is unknown.
            (
                "a, b, c, d = machine.step()",
                many,
                "a, b, c, d, *_ = machine.step()",
            ),
        ] {
            let e = ipython("ValueError", &[(2, 1, code)], message);
            assert_eq!(repaired(&["a = 1", code], &e), right);
        }
    }
}
