//! Samples in order of time.

use super::reading::Reading;
use super::sample::Sample;
use litemap::LiteMap;
use std::collections::VecDeque;

/// Longest series kept: at a sample every 10 s, three hours.
pub(super) const MAX_SAMPLES: usize = 1080;

/// Maximum number of widgets of one page.
const MAX_WIDGETS: usize = 8;

/// Kinds of accelerators, as Colab appends them to a backend's name.
const KINDS: [&str; 2] = ["GPU", "TPU"];

/// Longest name of an accelerator, in bytes.
const MAX_NAME: usize = 24;

/// The accelerator that a widget names. Colab's connect button says `T4`, its status bar `T4 (Python 3)`, the button's
/// tooltip and the resource panel `Python 3 Google Compute Engine backend (GPU)`.
fn accelerator<'a>(widget: &str, text: &'a str) -> Option<&'a str> {
    if widget == "accelerator" {
        let name = text.lines().next()?.trim();
        return Some(name).filter(|n| (1..=MAX_NAME).contains(&n.len()));
    }
    let (name, rest) = text.split_once(['(', '（'])?;
    let name = name.trim();
    if widget == "runtime" && (1..=16).contains(&name.len()) && !name.contains('\n') {
        return Some(name);
    }
    let kind = rest.split([')', '）']).next()?;
    KINDS.contains(&kind).then_some(kind)
}

/// Samples in order of time, bounded.
#[derive(Clone, Debug, Default)]
pub struct Series {
    samples: VecDeque<Sample>,
    /// What each widget shows now.
    widgets: LiteMap<String, Sample>,
    /// The accelerator's name, by widget; empty if it shows none.
    accelerators: LiteMap<String, String>,
}

impl Series {
    /// Records what a widget shows now. A widget is reported again only when it changes, so the
    /// other widgets' last values still hold.
    pub fn read(&mut self, widget: &str, text: &str, at: u64) {
        if self.widgets.len() >= MAX_WIDGETS && !self.widgets.contains_key(widget) {
            return;
        }
        let name = accelerator(widget, text).unwrap_or("");
        self.accelerators.insert(widget.to_owned(), name.to_owned());
        let mut sample = Sample::read(text, at);
        self.widgets.insert(widget.to_owned(), sample);
        for other in self.widgets.values() {
            sample.ram = sample.ram.or(other.ram);
            sample.disk = sample.disk.or(other.disk);
            sample.gpu = sample.gpu.or(other.gpu);
        }
        self.push(sample);
    }

    /// Adds a sample. One that repeats the last is added only after 10 s.
    pub fn push(&mut self, sample: Sample) {
        if let Some(last) = self.samples.back() {
            let same = Sample {
                at: last.at,
                ..sample
            } == *last;
            if sample.at < last.at || (same && sample.at - last.at < 10_000) {
                return;
            }
        }
        if self.samples.len() == MAX_SAMPLES {
            self.samples.pop_front();
        }
        self.samples.push_back(sample);
    }

    /// The accelerator's name as the widgets show it now; empty if they show none.
    pub fn accelerator(&self) -> &str {
        let named = self.accelerators.values().filter(|name| !name.is_empty());
        // A model says more than "GPU".
        named
            .max_by_key(|name| !KINDS.contains(&name.as_str()))
            .map_or("", String::as_str)
    }

    /// The samples, oldest first.
    pub fn samples(&self) -> impl DoubleEndedIterator<Item = &Sample> {
        self.samples.iter()
    }

    /// The last sample.
    pub fn last(&self) -> Option<&Sample> {
        self.samples.back()
    }

    /// The highest use of main memory that was seen, and when.
    pub fn ram_peak(&self) -> Option<(u64, u64)> {
        self.samples
            .iter()
            .filter_map(|s| match s.ram {
                Reading::Known { used, .. } => Some((used, s.at)),
                Reading::Missing(_) => None,
            })
            .max_by_key(|(used, at)| (*used, std::cmp::Reverse(*at)))
    }
}
