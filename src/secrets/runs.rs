//! The ends of runs of letters. All literals inside a run lead to the same end, which is searched once.

/// Number of remembered runs of one class, more than a token has parts. Short runs never displace a long run of another class.
const KEPT: usize = 8;

/// A run of letters of one class.
#[derive(Clone, Copy)]
struct Run {
    from: usize,
    end: usize,
    /// Its end without trailing punctuation.
    trimmed: usize,
}

/// The most recent runs of a text, by class.
#[derive(Default)]
pub struct Runs(Vec<Last>);

/// The most recent runs of a class, and the one to be displaced next.
struct Last {
    class: u16,
    kept: [Option<Run>; KEPT],
    next: usize,
}

impl Runs {
    /// The end of a run, and its end without trailing dashes and dots; `belongs` tells which letters the class has.
    pub fn end(
        &mut self,
        class: u16,
        bytes: &[u8],
        from: usize,
        belongs: impl Fn(u8) -> bool,
    ) -> (usize, usize) {
        let at = self.0.iter().position(|l| l.class == class);
        let at = at.unwrap_or_else(|| {
            self.0.push(Last {
                class,
                kept: [None; KEPT],
                next: 0,
            });
            self.0.len() - 1
        });
        let last = &mut self.0[at];
        let known = |r: &&Run| r.from <= from && from <= r.end;
        if let Some(run) = last.kept.iter().flatten().find(known) {
            return (run.end, run.trimmed.max(from));
        }
        let run = bytes[from..].iter().take_while(|b| belongs(**b)).count();
        let end = from + run;
        nbmedic_text::steps::took(run);
        let signs = bytes[from..end].iter().rev();
        let trimmed = end - signs.take_while(|b| matches!(b, b'-' | b'.')).count();
        last.kept[last.next] = Some(Run { from, end, trimmed });
        last.next = (last.next + 1) % KEPT;
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
        assert_eq!(runs.0[0].kept.iter().flatten().count(), 1);
        assert_eq!(runs.end(2, text, 0, |b| b.is_ascii_alphabetic()), (2, 2));
        assert_eq!(runs.end(1, text, 9, word), (11, 11));
    }

    #[test]
    fn short_runs_of_other_classes_displace_no_long_one() {
        let text = "sk_live_".repeat(1000);
        let mut runs = Runs::default();
        let before = nbmedic_text::steps::taken();
        for from in (0..text.len()).step_by(8) {
            let end = runs.end(1, text.as_bytes(), from, |_| true);
            assert_eq!(end, (text.len(), text.len()));
            for class in 2..40 {
                runs.end(class, text.as_bytes(), from, |b| b != b'_');
            }
        }
        let steps = nbmedic_text::steps::taken() - before;
        assert!(steps < 38 * 8 * 1000, "{steps}");
    }
}
