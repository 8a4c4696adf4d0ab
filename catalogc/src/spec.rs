//! A catalogue file as it is written: its TOML and its examples.

use crate::model::{Applicability, Framework, Front as Place, Owner, Prose, System, Work};
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
    /// A notice of the front end (toast, dialog, banner), or a text that consists of nothing else.
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
    /// Families of `src/wordings`, whose literals are added to `literal`, and whose classes are those of a match without `class`.
    #[serde(default)]
    pub families: Vec<String>,
    /// One of these must occur (all literals are found in one pass over the text).
    #[serde(default)]
    pub literal: Vec<String>,
    /// Must match the message or the line; its named captures are facts.
    #[serde(default)]
    pub pattern: String,
    /// Names from `exclusions.toml`: a message or line that one of them matches is skipped.
    #[serde(default)]
    pub not: Vec<String>,
    /// None of these patterns may match the same message or line.
    #[serde(default)]
    pub unless: Vec<String>,
    /// One of these literals must occur somewhere in the text.
    #[serde(default)]
    pub near: Vec<String>,
    /// None of these literals may occur anywhere in the text.
    #[serde(default)]
    pub absent: Vec<String>,
    /// Must match `file:function: code` of one of the exception's frames.
    #[serde(default)]
    pub frame: String,
    /// How many lines after a matching line belong to it, for facts and evidence.
    #[serde(default)]
    pub reach: usize,
    /// How sure this match is, 0 to 1.
    #[serde(default = "sure")]
    pub confidence: f32,
    /// Added to the rule's rank.
    #[serde(default)]
    pub boost: i32,
    /// The variant that this match implies.
    #[serde(default)]
    pub variant: String,
    /// The line is the cause of what follows, however far from the end it is.
    #[serde(default)]
    pub root: bool,
    /// The message only says that the cause was printed before it.
    #[serde(default)]
    pub points: bool,
    /// Scope `last-line`: how many of the last non-empty lines are searched.
    #[serde(default = "last_lines")]
    pub within: usize,
    /// Scope `last-line`: the signal that it implies, as the fact `signal`; 0: none.
    #[serde(default)]
    pub signal: i32,
    /// Rust detector that must also agree.
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
    /// Search the whole text and the cell's source, not only the matched text.
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

/// One `[[variant]]`: the first one with a true predicate is chosen.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantSpec {
    /// Its name.
    pub id: String,
    /// Predicate; empty: only a match that names it chooses it.
    #[serde(default)]
    pub when: String,
    /// Its severity, if it differs from the rule's.
    #[serde(default)]
    pub severity: String,
    /// It warns of something that has not happened yet.
    #[serde(default)]
    pub ahead: bool,
    /// Of a rule with late reports: this one is reported at once.
    #[serde(default)]
    pub at_once: bool,
}

/// `[fix.<id>]`: a fix's settings; its text is in the prose.
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
    /// Predicate over the facts: where it holds, the fix comes before the others.
    #[serde(default)]
    pub first: String,
    /// Only for these frameworks.
    #[serde(default)]
    pub frameworks: Vec<Framework>,
    /// Only on these operating systems.
    #[serde(default)]
    pub systems: Vec<System>,
    /// Only in these front ends.
    #[serde(default)]
    pub fronts: Vec<Place>,
    /// Only where this was being done.
    #[serde(default)]
    pub works: Vec<Work>,
    /// Only where this one's code raised the failure.
    #[serde(default)]
    pub owners: Vec<Owner>,
    /// It changes the line that failed: worth little where all frames are packages'.
    #[serde(default)]
    pub own_line: bool,
    /// Shown only if no other fix is made for the setting.
    #[serde(default)]
    pub fallback: bool,
    /// Its code is an example with stand-ins for names, for the reference only.
    #[serde(default)]
    pub sample: bool,
    /// The proof case and its versions: `torch/one-case (torch 2.15.0)`; empty: not proven. From
    /// `proven.lock`.
    #[serde(skip)]
    pub proven: String,
    /// What proving it requires beyond an ordinary machine: `Google Drive`.
    #[serde(default)]
    pub needs: String,
}

/// The TOML of a rule, under `## How it is recognised`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Front {
    /// How close to the cause the diagnosis is, 0 to 100.
    pub rank: i32,
    /// `error`, `warning` or `info`.
    #[serde(default = "error")]
    pub severity: String,
    /// Diagnoses that are consequences of this one.
    #[serde(default)]
    pub hides: Vec<String>,
    /// The error is reported asynchronously: the reported line may not be the cause.
    #[serde(default)]
    pub late: bool,
    /// When it is only the context of a later exception, it is not the cause.
    #[serde(default)]
    pub general: bool,
    /// Classes that only say that another process failed.
    #[serde(default)]
    pub wraps: Vec<String>,
    /// What has ended when a notice or a flight record says this: `kernel`, `runtime` or `machine`.
    #[serde(default)]
    pub ends: String,
    /// If a cell's output shows it and the kernel died, this is the cause of death.
    #[serde(default)]
    pub cause_of_death: bool,
    /// The runtime's age and idle time are evidence for or against it.
    #[serde(default)]
    pub lifetime: bool,
    /// It leaves the CUDA context unusable.
    #[serde(default)]
    pub sticky: bool,
    /// Lower-case phrases; if a line of evidence contains one, the CUDA context survived.
    #[serde(default)]
    pub recoverable: Vec<String>,
    /// What to look for in the rest of the notebook: `definition`, `packages`.
    #[serde(default)]
    pub related: Vec<String>,
    /// Conditions that the engine infers without a text and reports as this diagnosis.
    #[serde(default)]
    pub stands_for: Vec<String>,
    /// Lists by name, for `{name}` in a pattern.
    #[serde(default)]
    pub names: Names,
    /// What it looks for.
    #[serde(default, rename = "match")]
    pub matches: Vec<MatchSpec>,
    /// Further facts.
    #[serde(default, rename = "fact")]
    pub facts: Vec<FactSpec>,
    /// Calculated facts.
    #[serde(default, rename = "derive")]
    pub derives: Vec<DeriveSpec>,
    /// Variants; the first one with a true predicate applies.
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
    /// Whether it must be diagnosed; if not, it must not be.
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
