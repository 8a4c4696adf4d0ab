//! A catalogue file as it is written: its front matter, its examples.

use crate::model::{Applicability, Prose};
use crate::pattern::Names;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Where a match looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// The message of a raised exception.
    Exception,
    /// One clean line outside tracebacks.
    Line,
    /// A message of an exception, or a line.
    Any,
    /// A notice of the front end (toast, dialog, banner), or a text that is nothing else.
    Notice,
    /// One of the last lines that a cell printed before its kernel died.
    LastLine,
}

/// One `[[match]]` of a rule. `src/catalog/README.md` explains the fields.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchSpec {
    /// Where it looks.
    pub scope: Scope,
    /// Classes of the exception (last dotted part); empty: any.
    #[serde(default)]
    pub class: Vec<String>,
    /// One of these must occur (found in one pass over the text).
    #[serde(default)]
    pub literal: Vec<String>,
    /// Must match the message or the line; its named captures are facts.
    #[serde(default)]
    pub pattern: String,
    /// Exclusions by their names in `exclusions.toml`: what they find, this match passes over.
    #[serde(default)]
    pub not: Vec<String>,
    /// None of these patterns may match the same message or line.
    #[serde(default)]
    pub unless: Vec<String>,
    /// One of these literals must occur anywhere in the text.
    #[serde(default)]
    pub near: Vec<String>,
    /// None of these literals may occur anywhere in the text.
    #[serde(default)]
    pub absent: Vec<String>,
    /// Must match `file:function: code` of one of the exception's frames.
    #[serde(default)]
    pub frame: String,
    /// How many further lines belong to a matching line, for facts and evidence.
    #[serde(default)]
    pub reach: usize,
    /// How sure this match is, 0 to 1.
    #[serde(default = "sure")]
    pub confidence: f32,
    /// Added to the rule's rank.
    #[serde(default)]
    pub boost: i32,
    /// Variant that this match means.
    #[serde(default)]
    pub variant: String,
    /// The line is the reason of what follows, however far above the end it stands.
    #[serde(default)]
    pub root: bool,
    /// Scope `last-line`: how many of the last lines that hold something are looked at.
    #[serde(default = "last_lines")]
    pub within: usize,
    /// The signal that this match means, as the fact `signal`; 0: none.
    #[serde(default)]
    pub signal: i32,
    /// Rust detector that decides instead of literals and patterns.
    #[serde(default)]
    pub detector: String,
}

fn last_lines() -> usize {
    8
}

fn sure() -> f32 {
    0.95
}

/// One `[[fact]]`: a pattern whose named captures are facts of the matched text.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactSpec {
    /// The pattern.
    pub pattern: String,
    /// Take every occurrence, not the first.
    #[serde(default)]
    pub all: bool,
    /// Look in the whole text and the cell's source, not only in what matched.
    #[serde(default)]
    pub anywhere: bool,
}

/// One `[[derive]]`: a fact calculated from others.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeriveSpec {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// One `[[variant]]`: the first whose predicate holds is chosen.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantSpec {
    /// Its name.
    pub id: String,
    /// Predicate; empty: only a match that names it chooses it.
    #[serde(default)]
    pub when: String,
    /// Its severity, where it is not the diagnosis'.
    #[serde(default)]
    pub severity: String,
    /// It warns of what has not happened yet.
    #[serde(default)]
    pub ahead: bool,
}

/// `[fix.<id>]`: what stands beside a fix's prose.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixSpec {
    /// How sure it is.
    pub applies: Applicability,
    /// What it costs.
    #[serde(default)]
    pub cost: String,
    /// Only for these variants.
    #[serde(default)]
    pub variants: Vec<String>,
    /// Predicate over the facts.
    #[serde(default)]
    pub when: String,
    /// The proof case and its versions: `torch/one-case (torch 2.15.0)`; empty: not proven. From
    /// `proven.lock`.
    #[serde(skip)]
    pub proven: String,
    /// What it takes to prove it, where that is not a machine like any other: `Google Drive`.
    #[serde(default)]
    pub needs: String,
}

/// The TOML of a rule, under `## How it is recognised`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Front {
    /// How near the cause the diagnosis is, 0 to 100.
    pub rank: i32,
    /// `error`, `warning` or `info`.
    #[serde(default = "error")]
    pub severity: String,
    /// Diagnoses that are this one's consequences.
    #[serde(default)]
    pub hides: Vec<String>,
    /// The reported line may be innocent.
    #[serde(default)]
    pub late: bool,
    /// As the mere context of a later exception it does not name the cause.
    #[serde(default)]
    pub general: bool,
    /// Classes that only say that another process failed.
    #[serde(default)]
    pub wraps: Vec<String>,
    /// What has ended when a notice or record says this: `kernel`, `runtime` or `machine`.
    #[serde(default)]
    pub ends: String,
    /// Where the cell's output says this, it is what the kernel died of.
    #[serde(default)]
    pub cause_of_death: bool,
    /// The runtime's age and idle time are evidence for or against it.
    #[serde(default)]
    pub lifetime: bool,
    /// It leaves the CUDA context unusable.
    #[serde(default)]
    pub sticky: bool,
    /// Phrases (lower case) of evidence that show that the context survived all the same.
    #[serde(default)]
    pub recoverable: Vec<String>,
    /// What the rest of the notebook is searched for: `definition`, `packages`.
    #[serde(default)]
    pub related: Vec<String>,
    /// Conditions that the engine concludes without a text, and that are this diagnosis.
    #[serde(default)]
    pub stands_for: Vec<String>,
    /// Lists by name, for `{name}` in a pattern.
    #[serde(default)]
    pub names: Names,
    /// What it looks for.
    #[serde(default, rename = "match")]
    pub matches: Vec<MatchSpec>,
    /// What else it reads off.
    #[serde(default, rename = "fact")]
    pub facts: Vec<FactSpec>,
    /// What it calculates.
    #[serde(default, rename = "derive")]
    pub derives: Vec<DeriveSpec>,
    /// Variants, first match wins.
    #[serde(default, rename = "variant")]
    pub variants: Vec<VariantSpec>,
    /// Fixes by id.
    #[serde(default)]
    pub fix: BTreeMap<String, FixSpec>,
}

fn error() -> String {
    "error".into()
}

/// A fenced example of a catalogue file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Must be diagnosed (else: must not).
    pub matches: bool,
    /// `key=value` pairs after `match`: `variant`, `is` (near misses: the right id), or a fact.
    pub expect: Vec<(String, String)>,
    /// The output.
    pub text: String,
}

/// One catalogue file, checked.
#[derive(Clone, Debug)]
pub struct RuleFile {
    /// Its id (the file's name).
    pub id: String,
    /// Its family (the folder's name).
    pub family: String,
    /// What it looks for.
    pub front: Front,
    /// What it says.
    pub prose: Prose,
    /// Its tests.
    pub examples: Vec<Example>,
}
