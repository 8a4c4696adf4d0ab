//! The compiled form of a rule.

use nbmedic_catalogc::packed::{FIELD, ITEM, MATCH, PART, RULE};
use std::sync::OnceLock;

/// Where a [`Match`] looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The message of a raised exception.
    Exception,
    /// One clean line outside tracebacks.
    Line,
    /// A message of an exception, or a line.
    Any,
    /// A notice of the front end, or a text that is nothing else.
    Notice,
    /// One of the last lines that a cell printed before its kernel died.
    LastLine,
}

/// What has ended when a notice or a record says so, from the smallest to the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ends {
    /// Nothing: the kernel goes on.
    Nothing,
    /// The kernel's process.
    Kernel,
    /// The connection to the runtime too; the machine may still be there.
    Runtime,
    /// The machine too: the next one is new.
    Machine,
}

/// What the rest of the notebook is searched for when a cell failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Related {
    /// The cell that defines the fact `name`.
    Definition,
    /// Packages that were replaced under the running kernel.
    Packages,
}

/// What the engine concludes from readings, code or a flight record, without a text that says it.
/// Exactly one rule stands for each (`stands_for` in its front matter).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The kernel ended and nothing says why.
    KernelDeath,
    /// The machine's memory ran out, or will.
    HostMemory,
    /// The GPU's memory ran out, or will.
    GpuMemory,
    /// The disk is full, or will be.
    Disk,
    /// Shared memory ran out.
    SharedMemory,
    /// Native code crashed.
    NativeCrash,
    /// A GPU kernel accessed memory that it must not.
    IllegalAccess,
    /// The GPU itself failed.
    GpuHardware,
    /// The server of the kernel is gone.
    Disconnection,
    /// A package was replaced under the running kernel.
    ReplacedPackage,
    /// The runtime has reached its longest time, or will.
    TimeLimit,
    /// Nothing ran for too long.
    Inactivity,
}

impl Condition {
    /// Every condition.
    pub const ALL: [Condition; 12] = [
        Condition::KernelDeath,
        Condition::HostMemory,
        Condition::GpuMemory,
        Condition::Disk,
        Condition::SharedMemory,
        Condition::NativeCrash,
        Condition::IllegalAccess,
        Condition::GpuHardware,
        Condition::Disconnection,
        Condition::ReplacedPackage,
        Condition::TimeLimit,
        Condition::Inactivity,
    ];

    /// Its name in the front matter.
    pub fn name(self) -> &'static str {
        match self {
            Condition::KernelDeath => "kernel-death",
            Condition::HostMemory => "host-memory",
            Condition::GpuMemory => "gpu-memory",
            Condition::Disk => "disk",
            Condition::SharedMemory => "shared-memory",
            Condition::NativeCrash => "native-fault",
            Condition::IllegalAccess => "illegal-access",
            Condition::GpuHardware => "gpu-hardware",
            Condition::Disconnection => "disconnection",
            Condition::ReplacedPackage => "replaced-package",
            Condition::TimeLimit => "time-limit",
            Condition::Inactivity => "inactivity",
        }
    }

    /// The rule that stands for it; a test holds that there is one.
    pub fn rule(self) -> Option<&'static Rule> {
        rules().iter().find(|r| r.is(self))
    }
}

/// One way in which a rule recognises its diagnosis. See `catalog/README.md` for the fields.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Match {
    pub scope: Scope,
    pub class: Vec<&'static str>,
    pub literal: Vec<&'static str>,
    pub pattern: &'static str,
    pub unless: Vec<&'static str>,
    pub near: Vec<&'static str>,
    pub absent: Vec<&'static str>,
    pub frame: &'static str,
    pub reach: usize,
    pub confidence: f32,
    pub boost: i32,
    pub variant: &'static str,
    pub root: bool,
    /// How many of the last lines a match on last lines looks at.
    pub within: usize,
    /// The signal that it means; 0: none.
    pub signal: i32,
    pub detector: &'static str,
}

/// A variant of a diagnosis.
#[derive(Debug)]
pub struct Variant {
    /// Name within the diagnosis.
    pub id: &'static str,
    /// Predicate over the facts; empty: only a match or the engine chooses it.
    pub when: &'static str,
    /// Its severity; empty: the diagnosis' own.
    pub severity: &'static str,
    /// It warns of what has not happened yet.
    pub ahead: bool,
}

/// A pattern whose named captures are facts.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct FactPattern {
    pub pattern: &'static str,
    pub all: bool,
    pub anywhere: bool,
    /// With one of these begins whatever the pattern finds; empty where that can't be said.
    pub begins: Vec<&'static str>,
}

/// One diagnosis: how it is recognised and ranked.
#[derive(Debug)]
pub struct Rule {
    /// Stable name.
    pub id: &'static str,
    /// Family in the taxonomy.
    pub family: &'static str,
    /// How near the cause it is, 0 to 100.
    pub rank: i32,
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// The reported line may be innocent.
    pub late: bool,
    /// Diagnoses that are consequences of this one.
    pub hides: Vec<&'static str>,
    /// Ways to recognise it.
    pub matches: Vec<Match>,
    /// Further facts.
    pub facts: Vec<FactPattern>,
    /// Facts calculated from others: name and expression.
    pub derives: Vec<(&'static str, &'static str)>,
    /// Variants; the first whose predicate holds is chosen.
    pub variants: Vec<Variant>,
    /// As the mere context of a later exception it does not name the cause.
    pub general: bool,
    /// Classes of exceptions that only say that another process failed.
    pub wraps: Vec<&'static str>,
    /// What has ended when a notice or a record says this.
    pub ends: Ends,
    /// Where a cell's output says this, it is what its kernel died of.
    pub cause_of_death: bool,
    /// The runtime's age and idle time are evidence for or against it.
    pub lifetime: bool,
    /// It leaves the CUDA context unusable.
    pub sticky: bool,
    /// Phrases (lower case) of evidence that show that the context survived all the same.
    pub recoverable: Vec<&'static str>,
    related: Vec<&'static str>,
    stands_for: Vec<&'static str>,
}

impl Rule {
    /// Whether it stands for a condition.
    pub fn is(&self, condition: Condition) -> bool {
        self.stands_for.contains(&condition.name())
    }

    /// Names of the conditions that it stands for, as they are in its front matter.
    pub fn stands_for(&self) -> &[&'static str] {
        &self.stands_for
    }

    /// Whether the rest of the notebook may explain it in this way.
    pub fn relates_to(&self, related: Related) -> bool {
        self.related.contains(&match related {
            Related::Definition => "definition",
            Related::Packages => "packages",
        })
    }

    /// One of its variants.
    pub fn variant(&self, id: &str) -> Option<&Variant> {
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

    /// What has ended when a notice says this in that variant: nothing yet, if it only warns.
    pub fn ended(&self, variant: Option<&str>) -> Ends {
        let ahead = variant
            .and_then(|id| self.variant(id))
            .is_some_and(|v| v.ahead);
        if ahead {
            return Ends::Nothing;
        }
        self.ends
    }

    /// Whether it is a fault that a GPU reported.
    pub fn device_fault(&self) -> bool {
        self.family == "gpu-fault"
    }

    /// Whether a kernel may have died of it, as its cell's output shows it.
    pub fn explains_death(&self) -> bool {
        self.cause_of_death || self.device_fault()
    }

    /// Whether it left the CUDA context unusable, by the lines that it rests on.
    pub fn breaks_context<'a>(&self, mut evidence: impl Iterator<Item = &'a str>) -> bool {
        let survived = |line: &str| {
            let line = line.to_ascii_lowercase();
            self.recoverable.iter().any(|phrase| line.contains(phrase))
        };
        self.sticky && !evidence.any(survived)
    }
}

include!(concat!(env!("OUT_DIR"), "/catalog.rs"));

/// Every rule, in the order of the ids.
pub fn rules() -> &'static [Rule] {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    RULES.get_or_init(|| PACKED.split(RULE).map(rule).collect())
}

/// The rule of a diagnosis.
pub fn find(id: &str) -> Option<&'static Rule> {
    let rules = rules();
    rules
        .binary_search_by(|r| r.id.cmp(id))
        .ok()
        .map(|at| &rules[at])
}

/// The parts of a packed record; one that is missing is empty, so reading needs no error.
struct Parts(std::str::Split<'static, char>);

impl Parts {
    fn text(&mut self) -> &'static str {
        self.0.next().unwrap_or("")
    }

    fn flag(&mut self) -> bool {
        !self.text().is_empty()
    }

    fn number(&mut self) -> i32 {
        self.text().parse().unwrap_or(0)
    }

    fn list(&mut self, separator: char) -> Vec<&'static str> {
        let text = self.text();
        if text.is_empty() {
            return Vec::new();
        }
        text.split(separator).collect()
    }

    fn pairs(&mut self) -> Vec<(&'static str, &'static str)> {
        self.list(MATCH)
            .into_iter()
            .filter_map(|pair| pair.split_once(PART))
            .collect()
    }
}

fn rule(packed: &'static str) -> Rule {
    let mut f = Parts(packed.split(FIELD));
    Rule {
        id: f.text(),
        family: f.text(),
        rank: f.number(),
        severity: f.text(),
        late: f.flag(),
        hides: f.list(ITEM),
        matches: f.list(MATCH).into_iter().map(matcher).collect(),
        facts: f.list(MATCH).into_iter().map(fact).collect(),
        derives: f.pairs(),
        variants: f.list(MATCH).into_iter().map(variant).collect(),
        general: f.flag(),
        wraps: f.list(ITEM),
        ends: match f.text() {
            "kernel" => Ends::Kernel,
            "runtime" => Ends::Runtime,
            "machine" => Ends::Machine,
            _ => Ends::Nothing,
        },
        cause_of_death: f.flag(),
        lifetime: f.flag(),
        sticky: f.flag(),
        recoverable: f.list(ITEM),
        related: f.list(ITEM),
        stands_for: f.list(ITEM),
    }
}

fn matcher(packed: &'static str) -> Match {
    let mut p = Parts(packed.split(PART));
    Match {
        scope: match p.text() {
            "e" => Scope::Exception,
            "l" => Scope::Line,
            "n" => Scope::Notice,
            "w" => Scope::LastLine,
            _ => Scope::Any,
        },
        class: p.list(ITEM),
        literal: p.list(ITEM),
        pattern: p.text(),
        unless: p.list(ITEM),
        near: p.list(ITEM),
        absent: p.list(ITEM),
        frame: p.text(),
        reach: p.number().unsigned_abs() as usize,
        confidence: nbmedic_catalogc::number::decimal(p.text()).unwrap_or(0.0) as f32,
        boost: p.number(),
        variant: p.text(),
        root: p.flag(),
        within: p.number().unsigned_abs() as usize,
        signal: p.number(),
        detector: p.text(),
    }
}

fn variant(packed: &'static str) -> Variant {
    let mut p = Parts(packed.split(PART));
    Variant {
        id: p.text(),
        when: p.text(),
        severity: p.text(),
        ahead: p.flag(),
    }
}

fn fact(packed: &'static str) -> FactPattern {
    let mut p = Parts(packed.split(PART));
    FactPattern {
        pattern: p.text(),
        all: p.flag(),
        anywhere: p.flag(),
        begins: p.list(ITEM),
    }
}
