//! The events: what a sensor saw, what the person asked for, and what the engine concluded.
//!
//! `nb` identifies a notebook on the page, `cell` a cell in it: the front end's own id, or one that
//! the sensor made up and keeps for that element. `run` counts the starts of a cell that the sensor
//! saw, from 0. It separates the output of this run from the output of the last one.

use super::kept::{Answered, Judged, MAX_PROSE};
use super::memory::Memory;
use super::strings::{Id, See, Text, MAX_NAME, MAX_NOTICE};
use super::text::{clip_end, clip_start};
use super::words::{ActKind, CellState, KernelStatus, NoticeKind, OutputKind, Theme};
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Longest head of an output, in bytes.
pub const MAX_HEAD: usize = 16 << 10;
/// Longest tail of an output, in bytes.
pub const MAX_TAIL: usize = 64 << 10;
/// Longest source of a cell, in bytes.
pub const MAX_SOURCE: usize = 64 << 10;
/// Most landmarks of a page.
pub const MAX_LANDMARKS: usize = 64;
/// The page that the sensor watches. Sent first, and again when `found` or `theme` changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Hello {
    /// The front end's profile.
    pub profile: String,
    /// Scheme and host of the page.
    pub origin: String,
    /// How often each landmark of the profile was found. One that is absent and not expected now is
    /// left out.
    pub found: BTreeMap<String, u32>,
    /// The page's colour scheme.
    pub theme: Theme,
}

impl Hello {
    fn strings(&mut self, see: See<'_>) {
        see(Id(MAX_NAME, &mut self.profile));
        see(Text(MAX_NAME, &mut self.origin));
    }
}

/// A notebook on the page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct NotebookSeen {
    /// The notebook.
    pub nb: String,
    /// Its name.
    pub name: String,
}

impl NotebookSeen {
    fn strings(&mut self, see: See<'_>) {
        see(Id(MAX_NAME, &mut self.nb));
        see(Text(MAX_NAME, &mut self.name));
    }
}

/// A cell and what it is doing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct CellSeen {
    /// The notebook.
    pub nb: String,
    /// The cell.
    pub cell: String,
    /// Position among the notebook's cells, from 0.
    pub index: u32,
    /// What it is doing.
    pub state: CellState,
    /// Execution count; null: none is shown.
    pub count: Option<i64>,
    /// Starts that the sensor saw.
    pub run: u32,
    /// The last run was running and ended without a count or an error: it was interrupted before
    /// anything was shown, or the kernel is gone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
}

impl CellSeen {
    fn strings(&mut self, see: See<'_>) {
        see(Id(MAX_NAME, &mut self.nb));
        see(Id(MAX_NAME, &mut self.cell));
    }
}

/// The source of a cell. Sent before the event of a run that begins, and for every changed cell when
/// a run ends that printed what may be an error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct SourceSeen {
    /// The notebook.
    pub nb: String,
    /// The cell.
    pub cell: String,
    /// The source, at most 64 KiB. Lines that an editor doesn't draw are empty.
    pub text: String,
}

impl SourceSeen {
    fn strings(&mut self, see: See<'_>) {
        see(Id(MAX_NAME, &mut self.nb));
        see(Id(MAX_NAME, &mut self.cell));
        see(Text(MAX_SOURCE, &mut self.text));
    }
}

/// A window on one output: its beginning and its end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct OutputSeen {
    /// The notebook.
    pub nb: String,
    /// The cell.
    pub cell: String,
    /// Position among the cell's outputs, from 0.
    pub out: u32,
    /// The run that printed it.
    pub run: u32,
    /// What it is.
    pub kind: OutputKind,
    /// Length of the whole output, in UTF-16 units. A lower bound where the output has too many nodes
    /// to count.
    pub len: u64,
    /// The beginning, at most 16 KiB.
    pub head: String,
    /// The end, at most 64 KiB. It may overlap the head; absent where the head holds the whole output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional = nullable))]
    pub tail: Option<String>,
    /// Newlines before the tail; null or absent where they were not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional = nullable))]
    pub lines: Option<u64>,
}

/// How far from a cut to look for the end of the word or line, in bytes.
const NEAR: usize = 4096;

impl OutputSeen {
    fn strings(&mut self, see: See<'_>) {
        see(Id(MAX_NAME, &mut self.nb));
        see(Id(MAX_NAME, &mut self.cell));
        // `window` bounds them.
        see(Text(usize::MAX, &mut self.head));
        self.tail
            .iter_mut()
            .for_each(|tail| see(Text(usize::MAX, tail)));
    }

    /// Removes the words next to the gap between head and tail: each may be half a secret, which no
    /// pattern recognises.
    pub fn whole_words(&mut self) {
        let units = |text: &str| text.encode_utf16().count() as u64;
        let Some(tail) = &mut self.tail else {
            return;
        };
        if self.len <= units(&self.head) + units(tail) {
            return;
        }
        let blank = |c: char| c.is_whitespace();
        self.head
            .truncate(self.head.rfind(blank).map_or(0, |at| at + 1));
        // What names a secret may stand in the gap, so the rest of a line that began in it goes too.
        let line = tail.bytes().take(NEAR).position(|b| b == b'\n');
        let rest = line.or_else(|| tail.find(blank)).unwrap_or(tail.len());
        tail.replace_range(..rest, "");
    }

    /// How many bytes of the tail repeat the end of the head; `None` if something between the two is left out.
    pub fn overlap(&self) -> Option<usize> {
        let tail = self.tail.as_ref()?;
        let units = |text: &str| text.encode_utf16().count() as u64;
        let twice = (units(&self.head) + units(tail)).checked_sub(self.len)?;
        let mut left = twice;
        let mut bytes = 0;
        for c in tail.chars() {
            if left == 0 {
                break;
            }
            left = left.saturating_sub(c.len_utf16() as u64);
            bytes += c.len_utf8();
        }
        // Not so after a redaction, which changes lengths.
        self.head.ends_with(&tail[..bytes]).then_some(bytes)
    }

    /// Cuts the output to a window and counts the newlines that go.
    fn window(&mut self) {
        // A sensor that sent a longer head and no tail meant the head to hold the whole output.
        if self.tail.is_none() && self.head.len() > MAX_HEAD + MAX_TAIL {
            let mut tail = self.head.clone();
            clip_start(&mut tail, MAX_TAIL);
            let before = &self.head[..self.head.len() - tail.len()];
            self.lines = Some(before.matches('\n').count() as u64);
            self.tail = Some(tail);
        }
        if let Some(tail) = &mut self.tail {
            clip_end(&mut self.head, MAX_HEAD);
            let cut = clip_start(tail, MAX_TAIL);
            self.lines = self.lines.map(|n| n + cut);
        }
    }
}

/// How many outputs a cell has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct OutputsSeen {
    /// The notebook.
    pub nb: String,
    /// The cell.
    pub cell: String,
    /// The number of outputs. Those from this position on are gone.
    pub n: u32,
}

impl OutputsSeen {
    fn strings(&mut self, see: See<'_>) {
        see(Id(MAX_NAME, &mut self.nb));
        see(Id(MAX_NAME, &mut self.cell));
    }
}

/// A cell is gone, and its source and outputs with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Removed {
    /// The notebook.
    pub nb: String,
    /// The cell.
    pub cell: String,
}

impl Removed {
    fn strings(&mut self, see: See<'_>) {
        see(Id(MAX_NAME, &mut self.nb));
        see(Id(MAX_NAME, &mut self.cell));
    }
}

/// A toast, dialog or banner.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct NoticeSeen {
    /// The notebook; null: not known.
    pub nb: Option<String>,
    /// The notice. An id is never used again for another notice.
    pub id: String,
    /// How it is shown.
    pub kind: NoticeKind,
    /// What it says, at most 4 KiB.
    pub text: String,
    /// It was open before the sensor came.
    pub old: bool,
}

impl NoticeSeen {
    fn strings(&mut self, see: See<'_>) {
        self.nb.iter_mut().for_each(|nb| see(Id(MAX_NAME, nb)));
        see(Id(MAX_NAME, &mut self.id));
        see(Text(MAX_NOTICE, &mut self.text));
    }
}

/// A notice closed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct NoticeGone {
    /// The notice.
    pub id: String,
}

impl NoticeGone {
    fn strings(&mut self, see: See<'_>) {
        see(Id(MAX_NAME, &mut self.id));
    }
}

/// The kernel's status.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct KernelSeen {
    /// The notebook.
    pub nb: String,
    /// The status.
    pub status: KernelStatus,
}

impl KernelSeen {
    fn strings(&mut self, see: See<'_>) {
        see(Id(MAX_NAME, &mut self.nb));
    }
}

/// What a resource widget shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct VitalsSeen {
    /// The notebook; null: not known.
    pub nb: Option<String>,
    /// The widget's text, at most 4 KiB; empty when the widget is gone.
    pub text: String,
    /// Which widget, as the profile names it.
    pub source: String,
}

impl VitalsSeen {
    fn strings(&mut self, see: See<'_>) {
        self.nb.iter_mut().for_each(|nb| see(Id(MAX_NAME, nb)));
        see(Text(MAX_NOTICE, &mut self.text));
        see(Id(MAX_NAME, &mut self.source));
    }
}

/// What the person asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Act {
    /// What to do.
    #[serde(rename = "do")]
    pub what: ActKind,
    /// The key of the card to dismiss.
    pub card: Option<String>,
    /// The diagnosis to mute or unmute, or `@` and the checksum of a cell's code.
    pub id: Option<String>,
}

impl Act {
    fn strings(&mut self, see: See<'_>) {
        // A card's key is a notebook, `/` and a cell.
        let card = self.card.iter_mut();
        card.for_each(|card| see(Id(2 * MAX_NAME + 1, card)));
        self.id.iter_mut().for_each(|id| see(Id(MAX_NAME, id)));
    }
}

/// When the person wants to be warned of what has not failed yet. The background sends it before
/// anything else of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Limits {
    /// Never.
    pub quiet: bool,
    /// Minutes before RAM or device memory is full; 0: never.
    pub memory: u32,
    /// Minutes before the disk is full; 0: never.
    pub disk: u32,
    /// Least use of memory or disk, in percent.
    pub full: u32,
    /// Minutes that a cell runs without saving anything; 0: never.
    pub unsaved: u32,
}

impl Limits {
    fn strings(&mut self, _: See<'_>) {}
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

/// A field's value as a slot holds it; `None`: it has none.
trait SlotPart {
    fn slot_part(&self) -> Option<Cow<'_, str>>;
}

impl SlotPart for String {
    fn slot_part(&self) -> Option<Cow<'_, str>> {
        Some(self.into())
    }
}

impl SlotPart for Option<String> {
    fn slot_part(&self) -> Option<Cow<'_, str>> {
        self.as_deref().map(Cow::from)
    }
}

impl SlotPart for u32 {
    fn slot_part(&self) -> Option<Cow<'_, str>> {
        Some(self.to_string().into())
    }
}

impl SlotPart for ActKind {
    fn slot_part(&self) -> Option<Cow<'_, str>> {
        Some(self.word().into())
    }
}

/// The slot of events with a tag: a prefix, then fields. Of several alternatives the first that has a
/// value counts.
pub struct Slot {
    /// The event's tag, `t`.
    pub tag: &'static str,
    /// What the slot begins with.
    pub prefix: &'static str,
    /// The fields that follow, each after a colon.
    pub fields: &'static [&'static [&'static str]],
}

/// Declares the events: tag, struct, and slot.
macro_rules! events {
    ($($tag:literal $name:ident($body:ident) = $prefix:literal
        [$($(|)? $($field:ident as $key:literal)|+),*],)+) => {
        /// One thing that a sensor saw, that the person asked for, or that the engine concluded.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "SensorEvent"))]
        #[serde(tag = "t")]
        #[allow(missing_docs)] // Each holds the struct of its name.
        pub enum Event {
            $(#[serde(rename = $tag)] $name($body),)+
        }

        /// The slot of each event.
        pub const SLOTS: &[Slot] = &[
            $(Slot { tag: $tag, prefix: $prefix, fields: &[$(&[$($key),+]),*] },)+
        ];

        impl Event {
            /// The slot: in the store, a later event replaces an earlier one of the same slot, so that
            /// replaying what is stored gives the same state.
            pub fn slot(&self) -> String {
                let mut slot = String::new();
                match self {
                    $(#[allow(unused_variables)] Event::$name(e) => {
                        slot.push_str($prefix);
                        $(
                            let part = None$(.or_else(|| e.$field.slot_part()))+;
                            slot.push(':');
                            slot.push_str(&part.unwrap_or_default());
                        )*
                    })+
                }
                slot
            }

            /// Reads and bounds the event with this tag; `None` if this version doesn't know it or can't
            /// read it. Quicker than reading the whole, whose tag may come last.
            pub fn tagged<'de, D: Deserializer<'de>>(tag: &str, from: D) -> Option<Event> {
                let mut event = match tag {
                    $($tag => Event::$name(Deserialize::deserialize(from).ok()?),)+
                    _ => return None,
                };
                event.bound();
                Some(event)
            }

            fn strings(&mut self, see: See<'_>) {
                match self {
                    $(Event::$name(e) => e.strings(see),)+
                }
            }
        }
    };
}

events! {
    "hello" Hello(Hello) = "hello" [],
    "notebook" Notebook(NotebookSeen) = "nb" [nb as "nb"],
    "cell" Cell(CellSeen) = "cell" [nb as "nb", cell as "cell"],
    "source" Source(SourceSeen) = "source" [nb as "nb", cell as "cell"],
    "output" Output(OutputSeen) = "out" [nb as "nb", cell as "cell", out as "out"],
    "outputs" Outputs(OutputsSeen) = "outs" [nb as "nb", cell as "cell"],
    "removed" Removed(Removed) = "cell" [nb as "nb", cell as "cell"],
    "notice" Notice(NoticeSeen) = "notice" [id as "id"],
    "notice-gone" NoticeGone(NoticeGone) = "notice-gone" [id as "id"],
    "kernel" Kernel(KernelSeen) = "kernel" [nb as "nb"],
    "vitals" Vitals(VitalsSeen) = "vitals" [source as "source"],
    "act" Act(Act) = "act" [what as "do", card as "card" | id as "id"],
    "limits" Limits(Limits) = "limits" [],
    "memory" Memory(Memory) = "memory" [nb as "nb"],
    "judged" Judged(Judged) = "judged" [nb as "nb", cell as "cell"],
    "answered" Answered(Answered) = "answered" [nb as "nb", cell as "cell"],
}

impl Event {
    /// Cuts what is longer than a sensor may send.
    pub fn bound(&mut self) {
        match self {
            Event::Output(e) => e.window(),
            Event::Hello(e) => {
                while e.found.len() > MAX_LANDMARKS {
                    e.found.pop_last();
                }
            }
            Event::Memory(e) => e.bound(),
            Event::Judged(e) => e.prose.truncate(MAX_PROSE),
            _ => {}
        }
        self.strings(&mut |part| {
            let is_text = matches!(part, Text(..));
            let (Id(max, text) | Text(max, text)) = part;
            let cut = text.len() > max;
            clip_end(text, max);
            // Half a secret at the end is one that nothing recognises.
            let word = text
                .bytes()
                .rev()
                .take(NEAR)
                .position(|b| b.is_ascii_whitespace());
            if let Some(word) = word.filter(|_| cut && is_text) {
                text.truncate(text.len() - word);
            }
        });
    }

    /// Calls `f` with each text that may hold secrets or names of people.
    pub fn visit_text(&mut self, f: &mut dyn FnMut(&mut String)) {
        self.strings(&mut |part| {
            if let Text(_, text) = part {
                f(text);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_have_not_changed() {
        // Stored rows are found by them.
        for (json, slot) in [
            (r#"{"t":"hello"}"#, "hello"),
            (r#"{"t":"notebook","nb":"n"}"#, "nb:n"),
            (r#"{"t":"cell","nb":"n","cell":"c"}"#, "cell:n:c"),
            (r#"{"t":"source","nb":"n","cell":"c"}"#, "source:n:c"),
            (r#"{"t":"output","nb":"n","cell":"c","out":2}"#, "out:n:c:2"),
            (r#"{"t":"outputs","nb":"n","cell":"c"}"#, "outs:n:c"),
            (r#"{"t":"removed","nb":"n","cell":"c"}"#, "cell:n:c"),
            (r#"{"t":"notice","id":"7"}"#, "notice:7"),
            (r#"{"t":"notice-gone","id":"7"}"#, "notice-gone:7"),
            (r#"{"t":"kernel","nb":"n"}"#, "kernel:n"),
            (r#"{"t":"vitals","source":"connect"}"#, "vitals:connect"),
            (
                r#"{"t":"act","do":"dismiss","card":"n/c","id":null}"#,
                "act:dismiss:n/c",
            ),
            (
                r#"{"t":"act","do":"mute","card":null,"id":"gpu-oom"}"#,
                "act:mute:gpu-oom",
            ),
            (r#"{"t":"limits"}"#, "limits"),
            (r#"{"t":"memory","nb":"n"}"#, "memory:n"),
            (r#"{"t":"judged","nb":"n","cell":"c"}"#, "judged:n:c"),
            (r#"{"t":"answered","nb":"n","cell":"c"}"#, "answered:n:c"),
        ] {
            let event = Event::parse(json).expect(json);
            assert_eq!(event.slot(), slot);
        }
    }
}
