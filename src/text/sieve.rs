//! The search for many literals.

use std::ops::Range;

/// Literals of at least [`LONG`] bytes are found by the four bytes at every fourth position of the
/// text, shorter ones by the two bytes at every second: each occurrence has exactly one such
/// position among the first four (two) of a window chosen in the literal.
const LONG: usize = 7;
/// Literals shorter than this have no such window.
const SHORT: usize = 3;

/// A large set of literals, found without reading every byte of the text: one lookup in a bit set
/// rejects most positions. The time is linear in any text: at one position, only literals that
/// share the same few bytes are compared. `benches/literals.rs` compares it with aho-corasick and
/// daachorse, and the tests with aho-corasick.
#[derive(Debug)]
pub struct Sieve {
    literals: Vec<&'static str>,
    long: Grams<4>,
    short: Grams<2>,
    /// Literals of one and two bytes, tried everywhere.
    tiny: Vec<u32>,
}

/// The literals to compare, by the hash of `W` of their bytes.
#[derive(Debug)]
struct Grams<const W: usize> {
    /// One bit for each hash.
    seen: Box<[u64; WORDS]>,
    /// Where the entries of a bucket of hashes start; the next number is where they end.
    heads: Vec<u32>,
    entries: Vec<Entry>,
}

/// The window is chosen among this many first bytes of a literal.
const LOOKED_AT: usize = 32;
/// Bits of a hash, and of the number of a bucket.
const BITS: u32 = 18;
const BUCKET: u32 = 13;
const SPREAD: u32 = 0x9e37_79b1;
const WORDS: usize = (1 << BITS) / 64;

/// A literal that may start `back` bytes before this gram.
#[derive(Clone, Copy, Debug)]
struct Entry {
    gram: u32,
    /// The literal's first four bytes, or fewer if it is shorter.
    start: u32,
    mask: u32,
    literal: u16,
    back: u16,
}

impl<const W: usize> Grams<W> {
    fn new(literals: &[&'static str], fits: impl Fn(usize) -> bool) -> Self {
        let mut entries = Vec::new();
        let mut weights = Vec::new();
        for (id, literal) in literals.iter().enumerate().filter(|(_, l)| fits(l.len())) {
            let bytes = literal.as_bytes();
            weigh(bytes, W, &mut weights);
            let places = bytes.len().min(LOOKED_AT) - (2 * W - 2);
            let cost = |at: &usize| -> u32 { weights[*at..at + W].iter().sum() };
            let window = (0..places).min_by_key(cost);
            let known = bytes.len().min(4);
            // For a periodic literal, the earlier occurrence comes first.
            for back in window.into_iter().flat_map(|at| (at..at + W).rev()) {
                entries.push(Entry {
                    gram: gram(&bytes[back..back + W]),
                    start: gram(&bytes[..known]),
                    mask: u32::MAX >> (32 - 8 * known),
                    literal: id as u16,
                    back: back as u16,
                });
            }
        }
        Self::sorted(&entries)
    }

    /// The entries by bucket, in the order given within each: a counting sort, because it runs
    /// again whenever a browser has stopped the engine.
    fn sorted(entries: &[Entry]) -> Self {
        let mut seen = Box::new([0; WORDS]);
        let mut heads = vec![0_u32; (1 << BUCKET) + 1];
        for e in entries {
            let h = Self::hash(e.gram);
            seen[h as usize / 64] |= 1 << (h % 64);
            heads[Self::place(e.gram) + 1] += 1;
        }
        for i in 1..heads.len() {
            heads[i] += heads[i - 1];
        }
        let mut next = heads.clone();
        let mut placed = entries.to_vec();
        for e in entries {
            let slot = &mut next[Self::place(e.gram)];
            placed[*slot as usize] = *e;
            *slot += 1;
        }
        Grams {
            seen,
            heads,
            entries: placed,
        }
    }

    #[inline]
    fn hash(gram: u32) -> u32 {
        match W {
            // Two bytes are their own hash.
            2 => gram,
            _ => gram.wrapping_mul(SPREAD) >> (32 - BITS),
        }
    }

    /// The bucket of a gram.
    #[inline]
    fn place(gram: u32) -> usize {
        (gram.wrapping_mul(SPREAD) >> (32 - BUCKET)) as usize
    }

    fn used(&self) -> bool {
        !self.entries.is_empty()
    }

    #[inline]
    fn may_be(&self, gram: u32) -> bool {
        let h = Self::hash(gram) as usize;
        self.seen[h / 64 % WORDS] >> (h % 64) & 1 != 0
    }

    #[inline]
    fn bucket(&self, gram: u32) -> &[Entry] {
        let b = Self::place(gram);
        &self.entries[self.heads[b] as usize..self.heads[b + 1] as usize]
    }
}

fn gram(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |g, &b| g << 8 | u32::from(b))
}

/// How common a byte is in logs and prose, from 0 for rare to 4.
const fn common(b: u8) -> u8 {
    match b {
        b' ' | b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 4,
        b'l' | b'd' | b'c' | b'm' | b'p' | b'u' | b'h' | b'g' | b'0'..=b'9' => 3,
        b'a'..=b'z' | b'.' | b':' | b'/' | b'-' | b'_' => 2,
        b'\n' | b'\'' | b',' | b'A'..=b'Z' => 1,
        _ => 0,
    }
}

const COMMON: [u8; 256] = {
    let mut table = [0; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = common(b as u8);
        b += 1;
    }
    table
};

/// Estimates how often the `width` bytes at each position of a literal occur in a log.
fn weigh(bytes: &[u8], width: usize, weights: &mut Vec<u32>) {
    weights.clear();
    let one = |b: &u8| u32::from(COMMON[usize::from(*b)]);
    let looked_at = &bytes[..bytes.len().min(LOOKED_AT)];
    weights.extend(
        looked_at
            .windows(width)
            .map(|w| 1 << w.iter().map(one).sum::<u32>()),
    );
}

impl Sieve {
    /// A sieve for these literals; case counts.
    pub fn new(literals: Vec<&'static str>) -> Self {
        let tiny = (0..)
            .zip(&literals)
            .filter(|(_, l)| (1..SHORT).contains(&l.len()));
        Sieve {
            long: Grams::new(&literals, |n| n >= LONG),
            short: Grams::new(&literals, |n| (SHORT..LONG).contains(&n)),
            tiny: tiny.map(|(id, _)| id).collect(),
            literals,
        }
    }

    /// The literals, as given.
    pub fn literals(&self) -> &[&'static str] {
        &self.literals
    }

    /// Calls `found` with each occurrence, overlapping ones included: the literal's index and its
    /// bytes. Occurrences of one literal come in the order of the text, those of different literals
    /// do not.
    pub fn each(&self, text: &str, found: &mut dyn FnMut(usize, Range<usize>)) {
        let bytes = text.as_bytes();
        crate::steps::took(bytes.len());
        let mut at = 0;
        let (long, short) = (&self.long, &self.short);
        if !short.used() {
            while let Some(&[a, b, c, d]) = bytes.get(at..at + 4) {
                let here = u32::from_le_bytes([a, b, c, d]);
                if long.may_be(here) {
                    self.compare(long, here, bytes, at, found);
                }
                at += 4;
            }
        } else {
            while let Some(&[a, b, c, d]) = bytes.get(at..at + 4) {
                let here = u32::from_le_bytes([a, b, c, d]);
                let (first, second) = (here & 0xffff, here >> 16);
                if long.may_be(here) | short.may_be(first) | short.may_be(second) {
                    if long.may_be(here) {
                        self.compare(long, here, bytes, at, found);
                    }
                    if short.may_be(first) {
                        self.compare(short, first, bytes, at, found);
                    }
                    if short.may_be(second) {
                        self.compare(short, second, bytes, at + 2, found);
                    }
                }
                at += 4;
            }
        }
        if let [a, b, ..] = bytes[at..] {
            self.compare(short, gram(&[a, b]), bytes, at, found);
        }
        for &id in &self.tiny {
            let literal = self.literals[id as usize].as_bytes();
            let places = bytes.windows(literal.len()).enumerate();
            for (i, _) in places.filter(|w| w.1 == literal) {
                found(id as usize, i..i + literal.len());
            }
        }
    }

    /// Compares the literals that have the gram at this position.
    fn compare<const W: usize>(
        &self,
        grams: &Grams<W>,
        here: u32,
        bytes: &[u8],
        at: usize,
        found: &mut dyn FnMut(usize, Range<usize>),
    ) {
        for e in grams.bucket(here).iter().filter(|e| e.gram == here) {
            let Some(start) = at.checked_sub(usize::from(e.back)) else {
                continue;
            };
            let begins = match bytes.get(start..start + 4) {
                Some(four) => gram(four) & e.mask == e.start,
                None => true,
            };
            let literal = self.literals[usize::from(e.literal)].as_bytes();
            if begins && bytes[start..].starts_with(literal) {
                found(e.literal.into(), start..start + literal.len());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of a search by the standard library.
    fn plain(literals: &[&'static str], text: &str) -> Vec<(usize, usize)> {
        let ends = |l: &&str| {
            let all = 0..text.len();
            let hit = |&i: &usize| text.as_bytes()[i..].starts_with(l.as_bytes());
            all.filter(hit).collect::<Vec<_>>()
        };
        let each = literals.iter().enumerate();
        each.flat_map(|(n, l)| ends(l).into_iter().map(move |i| (n, i)))
            .collect()
    }

    #[test]
    fn finds_what_a_plain_search_finds_at_every_alignment() {
        let literals = [
            "CUDA error",
            "CUDA error: out of memory",
            "memory",
            "GPU",
            "404",
            "o",
            "of",
            "aaaaaaaa",
            "aaa",
            "内存",
            "was interrupted by",
            "rupted",
            "Interrupted",
        ];
        let sieve = Sieve::new(literals.to_vec());
        let text =
            "a CUDA error: out of memory; GPU:0 404404 aaaaaaaaaaaaa 内存不足 was interrupted by";
        for shift in 0..9 {
            let text = format!("{}{text}{}", "-".repeat(shift), "memory".repeat(shift));
            let mut seen = Vec::new();
            sieve.each(&text, &mut |id, range| {
                assert_eq!(text.get(range.clone()), Some(literals[id]));
                if let Some((_, last)) = seen.iter().rev().find(|(n, _)| *n == id) {
                    assert!(*last < range.start, "out of order");
                }
                seen.push((id, range.start));
            });
            seen.sort_unstable();
            assert_eq!(seen, plain(&literals, &text));
        }
    }

    /// Words of a small alphabet, so that they overlap, repeat themselves and contain one another.
    fn words(seed: &mut u64, n: usize, longest: u64) -> Vec<String> {
        let mut next = |below: u64| {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (*seed >> 33) % below
        };
        let mut word = || {
            let length = 1 + next(longest);
            (0..length)
                .map(|_| ["a", "b", " ", "é", "Error"][next(5) as usize])
                .collect()
        };
        (0..n).map(|_| word()).collect()
    }

    #[test]
    fn it_finds_what_aho_corasick_finds() {
        let mut seed = 5;
        let mut compared = 0;
        for round in 0..200 {
            let mut literals = words(&mut seed, 1 + round % 60, 9);
            literals.sort();
            literals.dedup();
            let literals: Vec<&'static str> = literals.into_iter().map(|w| &*w.leak()).collect();
            let oracle = aho_corasick::AhoCorasick::new(&literals).expect("an automaton");
            let sieve = Sieve::new(literals);
            for text in [words(&mut seed, 40, 12).concat(), "a".repeat(round)] {
                let mut found = Vec::new();
                sieve.each(&text, &mut |id, at| found.push((id, at)));
                found.sort_by_key(|(id, at)| (*id, at.start));
                let mut expected: Vec<_> = oracle
                    .find_overlapping_iter(&text)
                    .map(|m| (m.pattern().as_usize(), m.range()))
                    .collect();
                expected.sort_by_key(|(id, at)| (*id, at.start));
                assert_eq!(found, expected, "{text:?}");
                compared += found.len();
            }
        }
        assert!(compared > 10_000, "only {compared} occurrences");
    }

    #[test]
    fn an_empty_set_finds_nothing() {
        Sieve::new(Vec::new()).each("anything at all", &mut |_, _| panic!("found"));
    }
}
