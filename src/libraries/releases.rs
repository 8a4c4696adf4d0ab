//! Releases of a library and sets of them.

use std::cmp::Ordering;

/// The most releases that a table can have: a set of them is a word.
pub(crate) const MOST: usize = 64;

/// A release of a table's library. A later one is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(pub(crate) u8);

/// A set of a table's releases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Releases(pub(crate) u64);

impl Releases {
    /// The first `count` releases.
    pub(crate) fn first(count: usize) -> Releases {
        Releases(if count >= MOST {
            u64::MAX
        } else {
            (1 << count) - 1
        })
    }

    /// Reads `0-3,7+`, where a table has `count` releases.
    pub(crate) fn parse(text: &str, count: usize) -> Option<Releases> {
        let number = |t: &str| t.parse::<usize>().ok().filter(|n| *n < count);
        let mut all = Releases::default();
        for part in text.split(',') {
            let (first, last) = match (part.strip_suffix('+'), part.split_once('-')) {
                (Some(first), _) => (number(first)?, count.checked_sub(1)?),
                (None, Some((first, last))) => (number(first)?, number(last)?),
                (None, None) => (number(part)?, number(part)?),
            };
            if last < first {
                return None;
            }
            all.0 |= Releases::first(last + 1).0 & !Releases::first(first).0;
        }
        Some(all)
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has this release.
    pub fn has(self, release: Release) -> bool {
        self.0 >> release.0 & 1 == 1
    }

    /// The earliest release of the set.
    pub fn earliest(self) -> Option<Release> {
        let at = self.0.trailing_zeros();
        (!self.is_empty()).then_some(Release(at as u8))
    }

    /// The latest release of the set.
    pub fn latest(self) -> Option<Release> {
        let at = 63u32.checked_sub(self.0.leading_zeros())?;
        Some(Release(at as u8))
    }

    pub(crate) fn and(self, other: Releases) -> Releases {
        Releases(self.0 & other.0)
    }

    pub(crate) fn or(self, other: Releases) -> Releases {
        Releases(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Releases) -> Releases {
        Releases(self.0 & !other.0)
    }
}

/// Compares versions by their numbers: `1.9` is before `1.10.2`, and `2.0` is equal to `2.0.1` if
/// only as many numbers count as the first has.
pub(crate) fn compare(short: &str, version: &str) -> Ordering {
    fn numbers(text: &str) -> impl Iterator<Item = u32> + '_ {
        let parts = text.split(['.', '+', '-']).take(4);
        parts.map(|p| {
            let digits = p.find(|c: char| !c.is_ascii_digit()).unwrap_or(p.len());
            p[..digits].parse().unwrap_or(0)
        })
    }
    let count = short.split('.').count();
    let all = |text| numbers(text).chain(std::iter::repeat(0)).take(count);
    let (short, version): (Vec<u32>, Vec<u32>) = (all(short).collect(), all(version).collect());
    short.cmp(&version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_read() {
        let set = |text| Releases::parse(text, 8).map(|s| s.0);
        assert_eq!(set("0-2,5+"), Some(0b1110_0111));
        assert_eq!(set("3"), Some(0b1000));
        for bad in ["", "8", "3-1", "2-9", "a", "1,,2", "-", "+", "1-2-3"] {
            assert_eq!(set(bad), None, "{bad}");
        }
        assert_eq!(Releases::parse("0+", 64), Some(Releases(u64::MAX)));
        let set = Releases(0b0110);
        assert_eq!(
            (set.earliest(), set.latest()),
            (Some(Release(1)), Some(Release(2)))
        );
        assert_eq!(Releases(0).earliest().or(Releases(0).latest()), None);
    }

    #[test]
    fn versions_compare_by_their_numbers() {
        assert_eq!(compare("1.9", "1.10.2"), Ordering::Less);
        assert_eq!(compare("2.0", "2.0.1"), Ordering::Equal);
        assert_eq!(compare("2.1", "2"), Ordering::Greater);
        assert_eq!(compare("2.4", "2.4.1+cu121"), Ordering::Equal);
        assert_eq!(compare("3.0", "3.0rc1"), Ordering::Equal);
        assert_eq!(compare("1.0", "not a version"), Ordering::Greater);
    }
}
