//! The rules: what to look for, what it means and what to do.
//!
//! A rule is one Markdown file, `<family>/<id>.md`; `README.md` in this folder describes the
//! format. The build script compiles the files into [`rules`]; the prose is loaded separately. At
//! run time this room uses only the types in `src/rule`.

mod renamed;
mod tables;
mod translated;

pub use nbmedic_rule::{
    Applicability, Block, Condition, Ends, FactPattern, Fix, Inline, Match, NameKind, Prose,
    Related, Renamed, Rule, RuleVariant, Scope, Translated, Variant,
};
pub use renamed::{renamed, renamed_names};
#[cfg(feature = "prose")]
use tables::PROSE;
pub use tables::{find, literals, rules, standing_for};
pub use translated::{message, translated, Numbered};

/// Reads a prose file of the package.
///
/// # Errors
/// A message if it is not what the catalogue's compiler wrote.
pub fn prose_from_json(json: &str) -> Result<Prose, String> {
    let prose: Prose =
        serde_json::from_str(json).map_err(|error| format!("not a prose file: {error}"))?;
    match prose.id.is_empty() {
        true => Err("not a prose file: it has no id".to_owned()),
        false => Ok(prose),
    }
}

/// The embedded prose of a diagnosis.
#[cfg(feature = "prose")]
pub fn prose(id: &str) -> Option<Prose> {
    let at = PROSE.binary_search_by(|(key, _)| (*key).cmp(id)).ok()?;
    prose_from_json(PROSE[at].1).ok()
}
