//! What a sensor tells, as `docs/architecture.md` lists it.

use super::memory::Memory;
use litemap::LiteMap;
use nbmedic_json::{Json, Read};
use serde::Serialize;

/// Longest head of an output, in bytes.
pub const MAX_HEAD: usize = 16 << 10;
/// Longest tail of an output, in bytes.
pub const MAX_TAIL: usize = 64 << 10;
/// Longest source of a cell, in bytes.
pub const MAX_SOURCE: usize = 64 << 10;
/// Longest text of a notice or a resource widget, in bytes.
pub const MAX_NOTICE: usize = 4 << 10;
/// Most landmarks that a sensor counts.
pub(super) const MAX_LANDMARKS: usize = 64;
/// Longest id or name, in bytes.
const MAX_NAME: usize = 256;

/// Declares an enum of words; a word that is not known reads as the last one.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $($(#[$vdoc])* $variant,)+
            /// A word that this version does not know.
            #[default]
            Unknown,
        }

        impl $name {
            /// Reads a word.
            pub fn from_word(word: &str) -> $name {
                $(if word.eq_ignore_ascii_case(stringify!($variant)) {
                    return $name::$variant;
                })+
                $name::Unknown
            }
        }

        impl Read for $name {
            fn read(json: Json) -> Option<$name> {
                String::read(json).map(|word| $name::from_word(&word))
            }
        }
    };
}

words! {
    /// What a cell is doing.
    CellState {
        /// Not running, as far as is known.
        Idle,
        /// Waiting for its turn.
        Pending,
        /// Running.
        Running,
        /// Ended without an error.
        Done,
        /// Ended with an error.
        Error,
        /// Edited since it ran.
        Stale,
    }
}

words! {
    /// What an output is.
    OutputKind {
        /// Text printed.
        Stream,
        /// An exception.
        Error,
        /// The value of the cell.
        Result,
        /// HTML, a picture, a widget.
        Rich,
    }
}

words! {
    /// Where a notice stands.
    NoticeKind {
        /// A toast or snackbar.
        Toast,
        /// A dialog.
        Dialog,
        /// A banner.
        Banner,
    }
}

words! {
    /// The kernel, as the front end shows it.
    KernelStatus {
        /// Nothing runs.
        Idle,
        /// A cell runs.
        Busy,
        /// It starts.
        Starting,
        /// It is restarted because the person asked for it.
        Restarting,
        /// It died and is started again.
        Autorestarting,
        /// It died.
        Dead,
        /// The front end looks for it.
        Connecting,
        /// The front end lost it.
        Disconnected,
    }
}

/// The sensor is there.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Hello {
    /// The front end's profile.
    pub profile: String,
    /// Scheme and host of the page.
    pub origin: String,
    /// How often each landmark of the profile was found.
    #[serde(serialize_with = "crate::json::object")]
    pub found: LiteMap<String, u32>,
    /// `light` or `dark`.
    pub theme: String,
}

/// A notebook on the page.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct NotebookSeen {
    /// The notebook.
    pub nb: String,
    /// Its name.
    pub name: String,
}

/// A cell and what it is doing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CellSeen {
    /// The notebook.
    pub nb: String,
    /// The cell.
    pub cell: String,
    /// Position among the notebook's cells, from 0.
    pub index: u32,
    /// What it is doing.
    pub state: CellState,
    /// Execution count.
    pub count: Option<i64>,
    /// Runs that the sensor saw starting. Every start counts one more.
    pub run: u32,
    /// Its last run was cut off: it was running and ended without a count or an error.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

/// The source of a cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SourceSeen {
    /// The notebook.
    pub nb: String,
    /// The cell.
    pub cell: String,
    /// The source.
    pub text: String,
}

/// A window on one output.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OutputSeen {
    /// The notebook.
    pub nb: String,
    /// The cell.
    pub cell: String,
    /// Position among the cell's outputs, from 0.
    pub out: u32,
    /// The run that it belongs to.
    pub run: u32,
    /// What it is.
    pub kind: OutputKind,
    /// Length of the whole.
    pub len: u64,
    /// The first bytes.
    pub head: String,
    /// The last bytes; absent where the head holds all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tail: Option<String>,
    /// Newlines before the tail, where the sensor counted them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
}

/// How many outputs a cell has.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OutputsSeen {
    /// The notebook.
    pub nb: String,
    /// The cell.
    pub cell: String,
    /// Outputs from this position on are gone.
    pub n: u32,
}

/// A cell is gone.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Removed {
    /// The notebook.
    pub nb: String,
    /// The cell.
    pub cell: String,
}

/// A toast, dialog or banner.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct NoticeSeen {
    /// The notebook, where it can be told.
    pub nb: Option<String>,
    /// The notice; never used again for another one.
    pub id: String,
    /// Where it stands.
    pub kind: NoticeKind,
    /// What it says.
    pub text: String,
    /// It was open before the sensor came.
    pub old: bool,
}

/// A notice closed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct NoticeGone {
    /// The notice.
    pub id: String,
}

/// The kernel's status.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct KernelSeen {
    /// The notebook.
    pub nb: String,
    /// The status.
    pub status: KernelStatus,
}

/// What a resource widget shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct VitalsSeen {
    /// The notebook, where it can be told.
    pub nb: Option<String>,
    /// The widget's text.
    pub text: String,
    /// Which widget.
    pub source: String,
}

/// What the person asks for. Which fields count depends on `do`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Act {
    /// `dismiss` (take the card away until its cell runs again), `mute` (never show a diagnosis, or
    /// anything of a cell), `unmute`.
    #[serde(rename = "do")]
    pub what: String,
    /// The card's key.
    pub card: Option<String>,
    /// The diagnosis, or `@` and the checksum of a cell's code.
    pub id: Option<String>,
}

/// When the person wants to be warned of what has not failed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Not at all.
    pub quiet: bool,
    /// Minutes before RAM or device memory is full; 0: never.
    pub memory: u32,
    /// Minutes before the disk is full; 0: never.
    pub disk: u32,
    /// Not before so much of it is used, in percent.
    pub full: u32,
    /// Minutes that a cell runs without saving anything; 0: never.
    pub unsaved: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            quiet: false,
            memory: 15,
            disk: 30,
            full: 50,
            unsaved: 90,
        }
    }
}

/// One thing that a sensor saw, or (`memory`) that the engine wants to be told again in a replay.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "t", rename_all = "kebab-case")]
#[allow(missing_docs)] // each holds the struct of its name
pub enum Event {
    Hello(Hello),
    Notebook(NotebookSeen),
    Cell(CellSeen),
    Source(SourceSeen),
    Output(OutputSeen),
    Outputs(OutputsSeen),
    Removed(Removed),
    Notice(NoticeSeen),
    NoticeGone(NoticeGone),
    Kernel(KernelSeen),
    Vitals(VitalsSeen),
    Act(Act),
    Limits(Limits),
    Memory(Memory),
}

impl Event {
    /// Cuts what is longer than a sensor may send.
    pub(super) fn bound(&mut self) {
        let name = |s: &mut String| clip_end(s, MAX_NAME);
        match self {
            Event::Hello(e) => {
                name(&mut e.profile);
                name(&mut e.origin);
            }
            Event::Notebook(e) => {
                name(&mut e.nb);
                name(&mut e.name);
            }
            Event::Cell(e) => {
                name(&mut e.nb);
                name(&mut e.cell);
            }
            Event::Source(e) => {
                name(&mut e.nb);
                name(&mut e.cell);
                clip_end(&mut e.text, MAX_SOURCE);
            }
            Event::Output(e) => {
                name(&mut e.nb);
                name(&mut e.cell);
                // A sensor that sent a longer head and no tail meant the head to hold all.
                if e.tail.is_none() && e.head.len() > MAX_HEAD + MAX_TAIL {
                    let mut tail = e.head.clone();
                    clip_start(&mut tail, MAX_TAIL);
                    let before = &e.head[..e.head.len() - tail.len()];
                    e.lines = Some(before.matches('\n').count() as u64);
                    e.tail = Some(tail);
                }
                if let Some(tail) = &mut e.tail {
                    clip_end(&mut e.head, MAX_HEAD);
                    let cut = clip_start(tail, MAX_TAIL);
                    e.lines = e.lines.map(|n| n + cut);
                }
            }
            Event::Outputs(e) => {
                name(&mut e.nb);
                name(&mut e.cell);
            }
            Event::Removed(e) => {
                name(&mut e.nb);
                name(&mut e.cell);
            }
            Event::Notice(e) => {
                name(&mut e.id);
                e.nb.iter_mut().for_each(name);
                clip_end(&mut e.text, MAX_NOTICE);
            }
            Event::NoticeGone(e) => name(&mut e.id),
            Event::Kernel(e) => name(&mut e.nb),
            Event::Vitals(e) => {
                e.nb.iter_mut().for_each(name);
                name(&mut e.source);
                clip_end(&mut e.text, MAX_NOTICE);
            }
            Event::Act(e) => {
                e.card
                    .iter_mut()
                    .for_each(|c| clip_end(c, 2 * MAX_NAME + 1));
                e.id.iter_mut().for_each(name);
            }
            Event::Limits(_) => {}
            Event::Memory(e) => e.bound(),
        }
    }

    /// The slot: in the store, a later event of the same slot replaces the earlier one.
    pub fn slot(&self) -> String {
        match self {
            Event::Hello(_) => "hello".to_owned(),
            Event::Notebook(e) => format!("nb:{}", e.nb),
            Event::Cell(CellSeen { nb, cell, .. }) | Event::Removed(Removed { nb, cell }) => {
                format!("cell:{nb}:{cell}")
            }
            Event::Source(e) => format!("source:{}:{}", e.nb, e.cell),
            Event::Output(e) => format!("out:{}:{}:{}", e.nb, e.cell, e.out),
            Event::Outputs(e) => format!("outs:{}:{}", e.nb, e.cell),
            Event::Notice(e) => format!("notice:{}", e.id),
            Event::NoticeGone(e) => format!("notice-gone:{}", e.id),
            Event::Kernel(e) => format!("kernel:{}", e.nb),
            Event::Vitals(e) => format!("vitals:{}", e.source),
            Event::Act(e) => {
                let what = e.card.as_ref().or(e.id.as_ref());
                format!("act:{}:{}", e.what, what.map_or("", String::as_str))
            }
            Event::Limits(_) => "limits".to_owned(),
            Event::Memory(e) => format!("memory:{}", e.nb),
        }
    }
}

/// Keeps the first bytes, cut at a character.
pub(crate) fn clip_end(text: &mut String, max: usize) {
    if text.len() > max {
        let mut at = max;
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        text.truncate(at);
    }
}

/// Keeps the last bytes, cut at a character; returns how many newlines went.
pub(crate) fn clip_start(text: &mut String, max: usize) -> u64 {
    if text.len() <= max {
        return 0;
    }
    let mut at = text.len() - max;
    while !text.is_char_boundary(at) {
        at += 1;
    }
    let lost = text[..at].bytes().filter(|b| *b == b'\n').count() as u64;
    text.replace_range(..at, "");
    lost
}
