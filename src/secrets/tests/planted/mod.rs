//! Cases: secrets and personal data in notebooks' texts, and their look-alikes.
//!
//! A fixed hash of a case's name splits them: one half is for development, the other only measures.

pub mod alike;
pub mod contexts;
pub mod further;
pub mod personal;
pub mod unread;
pub mod values;

/// A text, and the parts that must not be left of it.
pub struct Case {
    pub name: String,
    pub text: String,
    /// None of these may remain; empty for a look-alike, all of which must remain.
    pub secrets: Vec<String>,
}

impl Case {
    /// Whether this case belongs to the development half.
    pub fn is_seen(&self) -> bool {
        let mut h: u64 = 0xcbf2_9ce4_8422_2325;
        for b in self.name.bytes() {
            h = (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
        }
        (h >> 17) & 1 == 0
    }
}

/// All planted secrets.
pub fn planted() -> Vec<Case> {
    let mut all = contexts::cases();
    all.extend(personal::cases());
    all
}
