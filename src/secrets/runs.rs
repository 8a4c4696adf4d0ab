//! How far a run of letters goes. Literals inside a run lead to the same end, which is looked for once.

/// Runs that are remembered: a token's parts, in the classes of several formats.
const KEPT: usize = 32;

/// A run of one class of letters.
#[derive(Clone, Copy, Default)]
struct Run {
    class: u16,
    from: usize,
    end: usize,
    /// Where it ends without the signs that a sentence adds.
    trimmed: usize,
}

/// The runs of a text that were looked at last.
#[derive(Default)]
pub struct Runs {
    kept: Vec<Run>,
    oldest: usize,
}

impl Runs {
    /// Where a run ends, and where it does without dashes and dots at its end; `belongs` says what a class has.
    pub fn end(
        &mut self,
        class: u16,
        bytes: &[u8],
        from: usize,
        belongs: impl Fn(u8) -> bool,
    ) -> (usize, usize) {
        let known = |r: &&Run| r.class == class && r.from <= from && from <= r.end;
        if let Some(run) = self.kept.iter().find(known) {
            return (run.end, run.trimmed.max(from));
        }
        let run = bytes[from..].iter().take_while(|b| belongs(**b)).count();
        let end = from + run;
        nbmedic_text::steps::took(run);
        let signs = bytes[from..end].iter().rev();
        let trimmed = end - signs.take_while(|b| matches!(b, b'-' | b'.')).count();
        let run = Run {
            class,
            from,
            end,
            trimmed,
        };
        if self.kept.len() < KEPT {
            self.kept.push(run);
        } else {
            self.kept[self.oldest] = run;
            self.oldest = (self.oldest + 1) % KEPT;
        }
        (end, trimmed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_looked_at_once_and_ends_alike() {
        let text = b"ab-cd-.. ef";
        let word = |b: u8| b.is_ascii_alphabetic() || matches!(b, b'-' | b'.');
        let mut runs = Runs::default();
        for from in [0, 3, 5, 6, 8] {
            let fresh = Runs::default().end(1, text, from, word);
            assert_eq!(runs.end(1, text, from, word), fresh, "{from}");
        }
        assert_eq!(runs.kept.len(), 1);
        assert_eq!(runs.end(2, text, 0, |b| b.is_ascii_alphabetic()), (2, 2));
        assert_eq!(runs.end(1, text, 9, word), (11, 11));
    }
}
