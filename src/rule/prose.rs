//! The prose of a diagnosis, as it is stored in the package and embedded in the command line.

use nbmedic_facts::{Applicability, Conditions};
use nbmedic_words::Text;
use serde::{Deserialize, Serialize};

/// A piece of running text. Text may contain templates: `{fact}` is replaced by the fact's value,
/// and `[…{fact}…]` is left out if a fact in it is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Inline {
    /// Plain text.
    Text(String),
    /// Inline code.
    Code(String),
    /// Emphasis.
    Em(String),
    /// Strong emphasis.
    Strong(String),
    /// A link: text and an `https:` address.
    Link(String, String),
}

/// A block of text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Block {
    /// A paragraph.
    P(Vec<Inline>),
    /// A list.
    List(Vec<Vec<Inline>>),
    /// Code in a language; may contain slots `{{fact}}`.
    Code(String, String),
}

/// A way to fix the problem.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Fix {
    /// Stable name within the diagnosis.
    pub id: String,
    /// Imperative, short.
    pub title: String,
    /// How certain it is.
    pub applies: Applicability,
    /// What it costs, in a few words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub cost: String,
    /// Only for these variants (`""` is the plain diagnosis); empty: for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<String>,
    /// Predicate over the facts.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub when: String,
    /// Predicate over the facts: where it holds, the fix comes before the others.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub first: String,
    /// Frameworks, operating systems and front ends that it is for.
    #[serde(skip_serializing_if = "Conditions::is_empty")]
    pub only: Conditions,
    /// Shown only if no other fix is made for the setting.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fallback: bool,
    /// The proof statement: which case proved the fix, or that none did.
    #[serde(skip_serializing_if = "Text::is_empty")]
    pub proven: Text,
    /// Its code has names that stand for the person's own: it is an example for the reference, and never shown as if
    /// it were for the case.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sample: bool,
    /// Why it helps.
    pub why: Vec<Block>,
    /// Code to copy.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub code: String,
    /// The language of the code.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub language: String,
}

/// A title and a summary that replace the diagnosis's own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Variant {
    /// Name within the diagnosis.
    pub id: String,
    /// Title template.
    pub title: String,
    /// Summary.
    pub summary: Vec<Block>,
}

/// Everything the catalogue says about one diagnosis.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Prose {
    /// The diagnosis.
    pub id: String,
    /// Its family.
    pub family: String,
    /// Title template: states what happened, in at most 90 characters, without a remedy.
    pub title: String,
    /// One or two sentences for the card.
    pub summary: Vec<Block>,
    /// Variants with their own text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
    /// What it means.
    pub meaning: Vec<Block>,
    /// Why it happens.
    pub why: Vec<Block>,
    /// What to do, best first.
    pub fixes: Vec<Fix>,
    /// Further reading: text and address.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<(String, String)>,
}
