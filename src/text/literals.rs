use aho_corasick::{automaton::Automaton, nfa::contiguous::NFA, Anchored, MatchKind};
use std::ops::{ControlFlow, Range};

/// A set of literals, found in one pass over a text: every occurrence, overlapping ones too.
///
/// One automaton type of the several that the library chooses from at run time: the others would
/// double its size in the WASM.
pub struct Literals(Option<NFA>);

impl Literals {
    /// An automaton for these literals; case counts.
    pub fn new<L: AsRef<[u8]>>(literals: impl IntoIterator<Item = L>) -> Self {
        Self::build(literals.into_iter(), false)
    }

    /// An automaton for these literals in upper or lower ASCII case.
    pub fn in_any_case<L: AsRef<[u8]>>(literals: impl IntoIterator<Item = L>) -> Self {
        Self::build(literals.into_iter(), true)
    }

    fn build<L: AsRef<[u8]>>(literals: impl Iterator<Item = L>, any_case: bool) -> Self {
        let mut builder = NFA::builder();
        builder
            .match_kind(MatchKind::Standard)
            .prefilter(false)
            .ascii_case_insensitive(any_case);
        // It fails only above two thousand million states; such a set would find nothing.
        Literals(builder.build(literals).ok())
    }

    /// Calls `found` with each occurrence, in the order in which they end: the literal's index
    /// and its bytes. Stops when it breaks.
    pub fn each(&self, text: &str, mut found: impl FnMut(usize, Range<usize>) -> ControlFlow<()>) {
        let Some(nfa) = &self.0 else { return };
        let Ok(mut state) = nfa.start_state(Anchored::No) else {
            return;
        };
        for (at, byte) in text.bytes().enumerate() {
            state = nfa.next_state(Anchored::No, state, byte);
            if !nfa.is_special(state) || !nfa.is_match(state) {
                continue;
            }
            for n in 0..nfa.match_len(state) {
                let id = nfa.match_pattern(state, n);
                let end = at + 1;
                if found(id.as_usize(), end - nfa.pattern_len(id)..end).is_break() {
                    return;
                }
            }
        }
    }

    /// Whether one of them occurs.
    pub fn any(&self, text: &str) -> bool {
        let mut any = false;
        self.each(text, |_, _| {
            any = true;
            ControlFlow::Break(())
        });
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_overlapping_literals_and_stops_on_request() {
        let set = Literals::new(["CUDA error", "CUDA error: out of memory", "memory"]);
        let mut seen = Vec::new();
        set.each("a CUDA error: out of memory", |id, range| {
            seen.push((id, range));
            ControlFlow::Continue(())
        });
        assert_eq!(seen, [(0, 2..12), (1, 2..27), (2, 21..27)]);
        assert!(set.any("memory") && !set.any("mem"));
    }
}
