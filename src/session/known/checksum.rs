//! FNV-1a, for telling equal things from changed ones. It is no protection against forgery.

use std::hash::Hasher;

/// The 32-bit hash of some bytes.
pub fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u32 {
    bytes.into_iter().fold(0x811c_9dc5, |hash: u32, b| {
        (hash ^ u32::from(b)).wrapping_mul(0x0100_0193)
    })
}

/// The 64-bit hash of some bytes.
pub fn fnv1a_64(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, b| {
            (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
        })
}

/// The 64-bit hash of anything that has one.
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vectors of the draft RFC, <https://datatracker.ietf.org/doc/html/draft-eastlake-fnv>.
    #[test]
    fn the_published_vectors_hold() {
        assert_eq!(fnv1a(*b""), 0x811c_9dc5);
        assert_eq!(fnv1a(*b"foobar"), 0xbf9c_f968);
        assert_eq!(fnv1a_64(*b"foobar"), 0x8594_4171_f739_67e8);
        let mut hasher = Fnv::default();
        hasher.write(b"foo");
        hasher.write(b"bar");
        assert_eq!(hasher.finish(), 0x8594_4171_f739_67e8);
    }
}
