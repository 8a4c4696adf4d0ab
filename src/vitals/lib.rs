//! Numbers read off resource widgets.
//!
//! Widgets are translated, so labels decide only where they are known; what holds in every
//! language is the shape `number unit / number unit`, memory first and disk second. Units are
//! powers of 1024 whatever they are called: Colab's "GB" is GiB (a runtime of 13.6·10⁹ bytes shows
//! 12.67), and jupyter-resource-usage divides by 1024 and writes "MB".

mod scan;
pub mod trend;

use litemap::LiteMap;
use nbmedic_facts::amount;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Why there is no reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// No widget was seen on the page.
    NoWidget,
    /// The widget holds no numbers, as before a runtime is connected.
    NoNumbers,
    /// The widget shows other things, but not this.
    NotShown,
}

impl Reason {
    /// For people.
    pub fn text(self) -> &'static str {
        match self {
            Reason::NoWidget => "no resource widget on this page",
            Reason::NoNumbers => "the resource widget shows no numbers",
            Reason::NotShown => "the resource widget does not show it",
        }
    }
}

/// One quantity at one time. Missing is never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// It was shown.
    Known {
        /// Bytes in use.
        used: u64,
        /// Bytes there are, where shown.
        total: Option<u64>,
    },
    /// It was not.
    Missing(Reason),
}

impl Default for Reading {
    fn default() -> Reading {
        Reading::Missing(Reason::NoWidget)
    }
}

impl Reading {
    /// This reading, or the other one where that says more.
    fn or(self, other: Reading) -> Reading {
        match (self, other) {
            (Reading::Missing(_), Reading::Known { .. })
            | (Reading::Missing(Reason::NoNumbers), _) => other,
            _ => self,
        }
    }

    /// The reading for people: "1.1 of 12.7 GiB", or why there is none.
    pub fn text(&self) -> String {
        match *self {
            Reading::Known { used, total } => amount(used, total),
            Reading::Missing(reason) => reason.text().to_owned(),
        }
    }
}

/// What a widget showed at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sample {
    /// Milliseconds since 1970.
    pub at: u64,
    /// Main memory of the runtime.
    pub ram: Reading,
    /// Disk of the runtime.
    pub disk: Reading,
    /// Device memory.
    pub gpu: Reading,
}

impl Sample {
    /// Reads a widget's text.
    pub fn read(text: &str, at: u64) -> Sample {
        let missing = |reason| Sample {
            at,
            ram: Reading::Missing(reason),
            disk: Reading::Missing(reason),
            gpu: Reading::Missing(reason),
        };
        let pairs = scan::pairs(text);
        let mut sample = missing(match pairs.is_empty() {
            true => Reason::NoNumbers,
            false => Reason::NotShown,
        });
        let mut unlabelled = Vec::new();
        for pair in pairs {
            let slot = match pair.label {
                scan::Label::Ram => &mut sample.ram,
                scan::Label::Disk => &mut sample.disk,
                scan::Label::Gpu => &mut sample.gpu,
                scan::Label::None => {
                    unlabelled.push(pair.reading);
                    continue;
                }
            };
            if let Reading::Missing(_) = slot {
                *slot = pair.reading;
            }
        }
        let mut rest = unlabelled.into_iter();
        for slot in [&mut sample.ram, &mut sample.disk] {
            if let Reading::Missing(_) = slot {
                match rest.next() {
                    Some(reading) => *slot = reading,
                    None => break,
                }
            }
        }
        sample
    }

    /// Whether anything was shown.
    pub fn is_empty(&self) -> bool {
        [self.ram, self.disk, self.gpu]
            .iter()
            .all(|r| matches!(r, Reading::Missing(_)))
    }
}

/// Longest series kept: at a sample every 10 s, three hours.
const MAX_SAMPLES: usize = 1080;

/// Most widgets of one page.
const MAX_WIDGETS: usize = 8;

/// Kinds of accelerators, as Colab appends them to a backend's name.
const KINDS: [&str; 2] = ["GPU", "TPU"];

/// The accelerator that a widget names. Colab's status bar says `T4 (Python 3)`, its connect button
/// and resource panel `Python 3 Google Compute Engine backend (GPU)`.
fn accelerator<'a>(widget: &str, text: &'a str) -> Option<&'a str> {
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
    /// The accelerator's name, by widget; empty where it shows none.
    accelerators: LiteMap<String, String>,
}

impl Series {
    /// Takes what a widget shows now. A widget is told again only when it changes, so what the
    /// others showed last still holds.
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

    /// Adds a sample. One like the last moves its time only every 10 s.
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

    /// The accelerator's name as the widgets show it now; empty where they show none.
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

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: f64 = (1u64 << 30) as f64;

    fn gib(used: f64, total: f64) -> Reading {
        Reading::Known {
            used: (used * GIB).round() as u64,
            total: Some((total * GIB).round() as u64),
        }
    }

    #[test]
    fn reads_widgets_in_many_languages() {
        let colab = "Connected to\nPython 3 Google Compute Engine backend\n\
                     RAM: 1.08 GB/12.67 GB\nDisk: 21.20 GB/107.72 GB";
        let panel = "Python 3 Google Compute Engine backend (GPU)\n\
                     Showing resources from 8:42 PM to 8:44 PM\nSystem RAM\n1.8 / 12.7 GB\n\
                     GPU RAM\n0.0 / 15.0 GB\nDisk\n28.7 / 166.8 GB";
        let none = Reading::Missing(Reason::NotShown);
        for (text, ram, disk, gpu) in [
            (colab, gib(1.08, 12.67), gib(21.2, 107.72), none),
            (panel, gib(1.8, 12.7), gib(28.7, 166.8), gib(0.0, 15.0)),
            (
                "ОЗУ: 1,08 ГБ/12,67 ГБ\nДиск: 21,20 ГБ/107,72 ГБ",
                gib(1.08, 12.67),
                gib(21.2, 107.72),
                none,
            ),
            (
                "Disk : 21,2\u{202f}Go / 107,7\u{a0}Go\nRAM : 1,1\u{202f}Go / 12,7\u{a0}Go",
                gib(1.1, 12.7),
                gib(21.2, 107.7),
                none,
            ),
            (
                "接続済み\n1.08 GB/12.67 GB\nディスク: 21.20 GB/107.72 GB",
                gib(1.08, 12.67),
                gib(21.2, 107.72),
                none,
            ),
            (
                "xyz 512 MiB / 2 GiB qqq 1 / 2 TiB",
                gib(0.5, 2.0),
                gib(1024.0, 2048.0),
                none,
            ),
            (
                "qw: 1,1 Gt/12,7 Gt\ner: 21,2 Gt/1\u{a0}107,7 Gt",
                gib(1.1, 12.7),
                gib(21.2, 1107.7),
                none,
            ),
            (
                "1.1GB/12.7GB\n21.2GB/1'107.7GB",
                gib(1.1, 12.7),
                gib(21.2, 1107.7),
                none,
            ),
            ("System RAM:1.3 / 12.7 GB", gib(1.3, 12.7), none, none),
            (
                "内存：310.11 / 2048.00 MB",
                gib(310.11 / 1024.0, 2.0),
                none,
                none,
            ),
            (
                "Mem: 310.11 / 2048.00 MB",
                gib(310.11 / 1024.0, 2.0),
                none,
                none,
            ),
        ] {
            let s = Sample::read(text, 5);
            assert_eq!((s.ram, s.disk, s.gpu), (ram, disk, gpu), "{text}");
        }
    }

    #[test]
    fn a_labelled_number_needs_no_limit() {
        let s = Sample::read("Mem: 310.11 MB", 0);
        assert_eq!(
            s.ram,
            Reading::Known {
                used: (310.11 * 1024.0 * 1024.0_f64).round() as u64,
                total: None
            }
        );
    }

    #[test]
    fn missing_is_not_zero() {
        for text in [
            "",
            "Click to connect",
            "10/12 cells",
            "8:42 PM",
            "1/2",
            "RAM",
            "GB/GB",
            "3 /",
        ] {
            let s = Sample::read(text, 0);
            assert!(s.is_empty(), "{text}: {s:?}");
            assert_eq!(s.ram, Reading::Missing(Reason::NoNumbers), "{text}");
        }
    }

    #[test]
    fn a_series_is_bounded_and_knows_its_peak() {
        let mut series = Series::default();
        for i in 0..5000u64 {
            let used = if i == 4900 { 9.0 } else { 1.0 };
            series.push(Sample::read(&format!("RAM: {used} GB/12 GB"), i * 10_000));
        }
        assert_eq!(series.samples().count(), MAX_SAMPLES);
        assert_eq!(series.ram_peak(), Some(((9.0 * GIB) as u64, 49_000_000)));
    }

    #[test]
    fn the_accelerator_has_a_name() {
        let mut series = Series::default();
        for (widget, text, name) in [
            ("runtime", "Python 3", ""),
            (
                "connect",
                "Connected to\nPython 3 Google Compute Engine backend (GPU)\nRAM: 1 GB/12 GB",
                "GPU",
            ),
            ("runtime", "T4 (Python 3)", "T4"),
            ("runtime", "A100（Python 3）", "A100"),
            (
                "runtime",
                "Connected to Python 3 Google Compute Engine backend (GPU)",
                "GPU",
            ),
            ("connect", "Reconnect", "GPU"),
            ("runtime", "Python 3", ""),
        ] {
            series.read(widget, text, 1);
            assert_eq!(series.accelerator(), name, "{widget}: {text}");
        }
    }

    #[test]
    fn widgets_complete_each_other() {
        let mut series = Series::default();
        series.read("connect", "RAM: 1 GB/12 GB\nDisk: 20 GB/100 GB", 1);
        series.read("resources", "GPU RAM\n3.0 / 15.0 GB", 2);
        series.read("runtime", "T4 (Python 3)", 3);
        let last = series.last().unwrap();
        assert_eq!(
            (last.ram, last.disk, last.gpu),
            (gib(1.0, 12.0), gib(20.0, 100.0), gib(3.0, 15.0))
        );
        series.read("connect", "Reconnect", 4);
        assert_eq!(
            series.last().unwrap().ram,
            Reading::Missing(Reason::NotShown)
        );
    }
}
