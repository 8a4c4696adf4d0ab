//! The engine's questions about a notebook's Python code, and the answers.
//!
//! The parser and the cures are about half the size of everything else, and only a failure needs them. So the engine
//! doesn't call them directly: it asks a [`Reader`]. On the web, the reader is a separate module that is loaded on the
//! first question (`src/answer`); everywhere else it is the same code, called directly.
//!
//! A question contains everything that its answer depends on, so an answer can be cached under the question's checksum.

mod arrays;
mod install;
mod look;

pub use arrays::{Allocation, Device, LARGEST_GPU};
pub use install::{loads, replaced, Installer};
pub use look::{may_end_kernel, may_install, may_make_arrays, may_save, mentions};

use nbmedic_facts::{Cure, Diagnosis, Ended, Setting, Value};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

/// One code cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AskedCell<'a> {
    /// Its position in the notebook, from 1.
    pub position: usize,
    /// Its current source.
    pub source: Cow<'a, str>,
    /// Its execution count.
    pub count: Option<i64>,
    /// Its place in the order in which the cells ran in this kernel (any increasing number); none if it did not run.
    pub ran: Option<u64>,
    /// Whether its source was changed since it ran.
    pub edited: bool,
    /// The output of its run, or the beginning of it: at most [`MAX_OUTPUT`] bytes.
    #[serde(default)]
    pub output: Cow<'a, str>,
}

/// Maximum size of a cell's output in a question, in bytes.
pub const MAX_OUTPUT: usize = 4096;

/// The beginning of a cell's output, as a question carries it.
pub fn beginning(output: &str) -> &str {
    let mut end = output.len().min(MAX_OUTPUT);
    while !output.is_char_boundary(end) {
        end -= 1;
    }
    &output[..end]
}

/// The part of a diagnosis that cures use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Found<'a> {
    /// The lines of its evidence.
    pub lines: Vec<usize>,
    /// Its facts.
    pub facts: Vec<(Cow<'a, str>, Value)>,
    /// Where the failure happened and with which frameworks.
    pub setting: Setting,
}

impl<'a> From<&'a Diagnosis> for Found<'a> {
    fn from(d: &'a Diagnosis) -> Self {
        let facts = d.facts.iter();
        Found {
            lines: d.evidence.iter().map(|e| e.line).collect(),
            facts: facts.map(|(k, v)| (k.into(), v.clone())).collect(),
            setting: d.setting.clone(),
        }
    }
}

impl Hash for Found<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.lines.hash(state);
        // Facts and settings are small; some of their numbers are not integers.
        format!("{:?} {:?}", self.facts, self.setting).hash(state);
    }
}

/// The output of a failed cell, or a text by itself.
#[derive(Clone, Debug, Default, PartialEq, Hash, Serialize, Deserialize)]
pub struct Failure<'a> {
    /// The index of the failing cell; none for a text by itself, whose message is the only source of cures.
    pub at: Option<usize>,
    /// The output.
    pub output: Cow<'a, str>,
    /// Its diagnoses, best first.
    pub found: Vec<Found<'a>>,
    /// Whether its kernel ended while it ran: the cures then depend on its code alone.
    pub ended: Option<Ended>,
}

impl<'a> Failure<'a> {
    /// The failure of a cell, or of a text by itself, with the diagnoses of its output.
    pub fn new(at: Option<usize>, output: &'a str, diagnoses: &'a [Diagnosis]) -> Failure<'a> {
        Failure {
            at,
            output: output.into(),
            found: diagnoses.iter().map(Found::from).collect(),
            ended: None,
        }
    }
}

/// A question.
#[derive(Clone, Debug, PartialEq, Hash, Serialize, Deserialize)]
pub enum Question<'a> {
    /// What a cell does, as far as its source shows it. Answer: [`Answer::Plain`].
    Plain {
        /// The cell's source.
        source: Cow<'a, str>,
    },
    /// The names that a line uses. Answer: [`Answer::Words`].
    Words {
        /// The cell's source.
        source: Cow<'a, str>,
        /// The line, from 1.
        line: u32,
    },
    /// The arrays of a cell whose size can be read, largest first. Answer: [`Answer::Arrays`].
    Arrays {
        /// The cell's source.
        source: Cow<'a, str>,
        /// The sources of the cells that ran before it, in order; they may assign the numbers that it uses.
        before: Vec<Cow<'a, str>>,
    },
    /// The cures of failures. Answer: [`Answer::Cures`].
    Cures {
        /// The notebook's cells, in order.
        cells: Vec<AskedCell<'a>>,
        /// The failures.
        failures: Vec<Failure<'a>>,
    },
    /// The cells that define the names that a cell uses. Answer: [`Answer::Needed`].
    Needed {
        /// The notebook's cells, in order.
        cells: Vec<AskedCell<'a>>,
        /// The index of the cell.
        at: usize,
    },
}

/// How a cell ends its own kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelEnd {
    /// The line of the call, from 1.
    pub line: u32,
    /// Whether it is always reached: it is not in a condition, function or `try`, or it follows an
    /// install.
    pub surely: bool,
    /// Whether the cell does nothing after it.
    pub last: bool,
}

/// What a cell's source shows. A source that isn't Python (`%%bash`), or exceeds the parser's limits of length or depth,
/// defines and uses nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plain {
    /// The names that it binds where other cells can see them: by assignment, `def`, `class`, `import`, `for`, `with`.
    pub sets: BTreeSet<String>,
    /// The first names of the modules that it imports.
    pub imports: Vec<String>,
    /// How it ends its own kernel, if it does.
    pub ends_kernel: Option<KernelEnd>,
    /// The installer that it runs.
    pub installer: Option<Installer>,
    /// Whether it seems to write checkpoints or results.
    pub saves: bool,
}

/// An answer. The default of each kind applies to a source that can't be read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// To [`Question::Plain`].
    Plain(Plain),
    /// To [`Question::Words`].
    Words(Vec<String>),
    /// To [`Question::Arrays`].
    Arrays(Vec<Allocation>),
    /// To [`Question::Cures`], for each failure: the index of the diagnosis of its exception, and its cures;
    /// none if no exception ended the cell.
    Cures(Vec<Option<(usize, Vec<Cure>)>>),
    /// To [`Question::Needed`]: the indexes of the cells, in order, each with the names that it defines.
    Needed(Vec<(usize, Vec<String>)>),
}

impl Answer {
    /// The answer of a reader that knows nothing.
    pub fn nothing(question: &Question<'_>) -> Answer {
        match question {
            Question::Plain { .. } => Answer::Plain(Plain::default()),
            Question::Words { .. } => Answer::Words(Vec::new()),
            Question::Arrays { .. } => Answer::Arrays(Vec::new()),
            Question::Cures { .. } => Answer::Cures(Vec::new()),
            Question::Needed { .. } => Answer::Needed(Vec::new()),
        }
    }

    /// Whether its kind matches a question's.
    pub fn fits(&self, question: &Question<'_>) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(&Answer::nothing(question))
    }
}

/// A reader's reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The answer.
    Known(Answer),
    /// The reader is not loaded yet: ask again later.
    Away,
    /// The reader can't be loaded, or failed on this question.
    Gone,
}

/// Answers questions.
pub type Reader = fn(&Question<'_>) -> Reply;

/// Fills in the cures of failures: `each` has the diagnoses of every failure in the question, in order.
pub fn fill<'d>(answer: Answer, each: impl IntoIterator<Item = &'d mut [Diagnosis]>) {
    let Answer::Cures(all) = answer else {
        return;
    };
    for (cured, diagnoses) in all.into_iter().zip(each) {
        if let Some((index, cures)) = cured {
            if let Some(d) = diagnoses.get_mut(index) {
                d.cures = cures;
            }
        }
    }
}
