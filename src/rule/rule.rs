//! The compiled form of a rule.

use crate::{Condition, Ends, Related};
use nbmedic_facts::Diagnosis;

/// Where a [`Match`] looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The message of a raised exception.
    Exception,
    /// One clean line outside tracebacks.
    Line,
    /// A message of an exception, or a line.
    Any,
    /// A notice of the front end, or a short text without a traceback.
    Notice,
    /// One of the last lines that a cell printed before its kernel died.
    LastLine,
}

/// One way in which a rule recognises its diagnosis. See `catalog/README.md` for the fields.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Match {
    pub scope: Scope,
    pub class: &'static [&'static str],
    pub literal: &'static [&'static str],
    /// The positions of the literals among all that are searched for; none for scope `LastLine`.
    pub numbers: &'static [u16],
    pub pattern: &'static str,
    pub unless: &'static [&'static str],
    pub near: &'static [&'static str],
    pub absent: &'static [&'static str],
    pub frame: &'static str,
    pub reach: usize,
    pub confidence: f32,
    pub boost: i32,
    pub variant: &'static str,
    pub root: bool,
    /// The message only says that the cause was printed before it.
    pub points: bool,
    /// Scope `LastLine`: how many of the last non-empty lines are searched.
    pub within: usize,
    /// Scope `LastLine`: the signal that it implies; 0: none.
    pub signal: i32,
    pub detector: &'static str,
}

/// A variant of a diagnosis.
#[derive(Debug)]
pub struct RuleVariant {
    /// Name within the diagnosis.
    pub id: &'static str,
    /// Predicate over the facts; empty: only a match or the engine selects the variant.
    pub when: &'static str,
    /// Its severity; empty: the rule's.
    pub severity: &'static str,
    /// It warns of something that has not happened yet.
    pub ahead: bool,
    /// Of a rule with late reports: this one is reported at once.
    pub at_once: bool,
}

/// A pattern whose named captures are facts.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct FactPattern {
    pub pattern: &'static str,
    pub all: bool,
    pub anywhere: bool,
    /// Every match of the pattern begins with one of these; empty: unknown.
    pub begins: &'static [&'static str],
}

/// One diagnosis: how it is recognised and ranked.
#[derive(Debug)]
pub struct Rule {
    /// Stable name.
    pub id: &'static str,
    /// Family in the taxonomy.
    pub family: &'static str,
    /// How close to the cause the diagnosis is, 0 to 100.
    pub rank: i32,
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// The error is reported asynchronously: the reported line may not be the cause.
    pub late: bool,
    /// Diagnoses that are consequences of this one.
    pub hides: &'static [&'static str],
    /// Ways to recognise it.
    pub matches: &'static [Match],
    /// Further facts.
    pub facts: &'static [FactPattern],
    /// Facts calculated from others: name and expression.
    pub derives: &'static [(&'static str, &'static str)],
    /// Variants; the first one with a true predicate applies.
    pub variants: &'static [RuleVariant],
    /// When it is only the context of a later exception, it is not the cause.
    pub general: bool,
    /// Classes of exceptions that only say that another process failed.
    pub wraps: &'static [&'static str],
    /// What has ended when a notice or a flight record says this.
    pub ends: Ends,
    /// If a cell's output shows it and the kernel died, this is the cause of death.
    pub cause_of_death: bool,
    /// The runtime's age and idle time are evidence for or against it.
    pub lifetime: bool,
    /// It leaves the CUDA context unusable.
    pub sticky: bool,
    /// Lower-case phrases; if a line of evidence contains one, the CUDA context survived.
    pub recoverable: &'static [&'static str],
    /// What to look for in the rest of the notebook; see [`Related`].
    pub related: &'static [&'static str],
    /// Names of the [`Condition`]s that it stands for.
    pub stands_for: &'static [&'static str],
}

impl Rule {
    /// Whether it stands for a condition.
    pub fn is(&self, condition: Condition) -> bool {
        self.stands_for.contains(&condition.name())
    }

    /// Whether to look for this in the rest of the notebook.
    pub fn relates_to(&self, related: Related) -> bool {
        self.related.contains(&match related {
            Related::Definition => "definition",
            Related::Packages => "packages",
        })
    }

    /// One of its variants.
    pub fn variant(&self, id: &str) -> Option<&RuleVariant> {
        self.variants.iter().find(|v| v.id == id)
    }

    /// `error`, `warning` or `info`, for a variant of it or for the plain diagnosis.
    pub fn severity_of(&self, variant: Option<&str>) -> &'static str {
        let own = variant
            .and_then(|id| self.variant(id))
            .map_or("", |v| v.severity);
        if own.is_empty() {
            return self.severity;
        }
        own
    }

    /// Whether the reported line may not be the cause, because the GPU works on while Python does. Some variants are
    /// reported at once, and with blocking launches all are.
    pub fn reported_late(&self, diagnosis: &Diagnosis) -> bool {
        let own = diagnosis.variant.and_then(|id| self.variant(id));
        self.late && !own.is_some_and(|v| v.at_once) && !diagnosis.facts.contains_key("blocking")
    }

    /// What has ended when a notice reports this variant; nothing if the variant is only a warning.
    pub fn ended(&self, variant: Option<&str>) -> Ends {
        let ahead = variant
            .and_then(|id| self.variant(id))
            .is_some_and(|v| v.ahead);
        if ahead {
            return Ends::Nothing;
        }
        self.ends
    }

    /// Whether it is a fault reported by a GPU.
    pub fn device_fault(&self) -> bool {
        self.family == "gpu-fault"
    }

    /// Whether it can be the cause of a kernel's death when the cell's output shows it.
    pub fn explains_death(&self) -> bool {
        self.cause_of_death || self.device_fault()
    }

    /// Whether it left the CUDA context unusable, judged by its evidence lines.
    pub fn breaks_context<'a>(&self, mut evidence: impl Iterator<Item = &'a str>) -> bool {
        let survived = |line: &str| {
            let line = line.to_ascii_lowercase();
            self.recoverable.iter().any(|phrase| line.contains(phrase))
        };
        self.sticky && !evidence.any(survived)
    }
}
