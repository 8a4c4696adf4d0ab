//! TensorFlow 1 code under TensorFlow 2.

use crate::case::Case;
use crate::edit::Change;
use crate::find::said;
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::Ranged;

/// TensorFlow 1 code: the name is never the only one, and its graphs need the old behaviour as a
/// whole.
pub(super) fn offered(case: &Case<'_>, name: &str) -> Option<Cure> {
    let alias = case.alias_of("tensorflow")?;
    let set = case.last_set(&alias)?;
    let text = format!("import tensorflow.compat.v1 as {alias}\n{alias}.disable_v2_behavior()");
    let alone = set
        .binding
        .stmt
        .as_import_stmt()
        .is_some_and(|i| i.names.len() == 1);
    let python = case.python(set.cell)?;
    let indent = python.indent(python.line_of(set.binding.stmt.start()));
    let text = text.replace('\n', &format!("\n{indent}"));
    let change = alone.then(|| Change::replace(set.cell, set.binding.stmt, text))?;
    let said = said(
        "tensorflow-1",
        Basis::Assumed,
        "Import TensorFlow 1's interface",
        format!(
            "`{name}` belongs to TensorFlow 1, as the code around it does. Restart the runtime and run everything again: the behaviour \
             can't be switched once TensorFlow was used."
        ),
    );
    case.edits(said, vec![change])
}
