//! What a widget showed at one time.

use super::reading::{Reading, Reason};
use super::scan::{self, Label};
use serde::Serialize;

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
                Label::Ram => &mut sample.ram,
                Label::Disk => &mut sample.disk,
                Label::Gpu => &mut sample.gpu,
                Label::None => {
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
