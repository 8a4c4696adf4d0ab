//! A cell's outputs, joined to one text that can be judged.

use litemap::LiteMap;
use nbmedic_protocol::{clip_start, OutputKind, OutputSeen};

/// Maximum number of outputs kept of one cell; the first ones are dropped.
const MAX_OUTPUTS: usize = 128;
/// The beginning of a probe's line in an output.
pub(crate) const PROBE: &str = "⟦nbmedic:1 ";
/// Longest text that is judged, in bytes: its end is kept, because errors come last.
const MAX_TEXT: usize = 256 << 10;

/// Windows of a cell's outputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outputs {
    list: LiteMap<u32, OutputSeen>,
}

/// Outputs as one text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Joined {
    /// The text; a line marks each omission.
    pub text: String,
    /// First line of each stretch without a gap (from 0), and its number in the whole output (from 1)
    /// if that is known.
    stretches: Vec<(usize, Option<usize>)>,
    /// Byte ranges of the lines that mark omissions.
    gaps: Vec<std::ops::Range<usize>>,
    /// An exception's header was printed, or the front end calls an output an error.
    pub failed: bool,
}

impl Outputs {
    /// Stores a window; true if it differs from the last.
    pub fn set(&mut self, seen: &OutputSeen) -> bool {
        if self.list.get(&seen.out) == Some(seen) {
            return false;
        }
        self.list.insert(seen.out, seen.clone());
        while self.list.len() > MAX_OUTPUTS {
            let Some(first) = self.list.first().map(|(out, _)| *out) else {
                break;
            };
            self.list.remove(&first);
        }
        true
    }

    /// Drops the outputs from `n` on; true if there were any.
    pub fn keep(&mut self, n: u32) -> bool {
        let before = self.list.len();
        self.list.retain(|out, _| *out < n);
        self.list.len() < before
    }

    /// The latest run that has an output.
    pub fn run(&self) -> u32 {
        self.list.values().map(|o| o.run).max().unwrap_or(0)
    }

    /// Bytes of text held.
    pub fn weight(&self) -> usize {
        let one = |o: &OutputSeen| o.head.len() + o.tail.as_ref().map_or(0, String::len);
        self.list.values().map(one).sum()
    }

    /// Drops all but the last bytes of each output.
    pub fn shrink(&mut self, max: usize) {
        for o in self.list.iter_mut().map(|(_, v)| v) {
            if o.head.len() + o.tail.as_ref().map_or(0, String::len) <= max {
                continue;
            }
            let mut tail = match o.tail.take() {
                Some(tail) => tail,
                None => {
                    o.lines = Some(0);
                    std::mem::take(&mut o.head)
                }
            };
            o.head = String::new();
            let lost = clip_start(&mut tail, max);
            o.lines = o.lines.map(|n| n + lost);
            o.tail = Some(tail);
        }
    }

    /// Whether these outputs are stored as they are: they hold no secret.
    pub fn is_plain(&self) -> bool {
        let whole = |o: &OutputSeen| {
            let mut stored = o.clone();
            stored.whole_words();
            stored == *o
        };
        let mut plain = self.list.values().all(whole);
        self.texts(&mut |text| plain = plain && nbmedic_secrets::find(text).is_empty());
        plain
    }

    /// Visits the texts of the outputs. Where nothing is left out between head and tail, something may lie across.
    pub fn texts(&self, see: &mut dyn FnMut(&str)) {
        for o in self.list.values() {
            see(&o.head);
            let Some(tail) = &o.tail else { continue };
            match o.overlap() {
                Some(twice) => see(&format!("{}{}", o.head, &tail[twice..])),
                None => see(tail),
            }
        }
    }

    /// The outputs of a run as one text.
    pub fn join(&self, run: u32) -> Joined {
        let mut joined = Joined::default();
        let shown: Vec<&OutputSeen> = self
            .list
            .values()
            .filter(|o| o.run == run && speaks(o))
            .collect();
        let mut room = MAX_TEXT;
        let mut from = shown.len();
        while from > 0 && room > 0 {
            from -= 1;
            let o = shown[from];
            room = room.saturating_sub(o.head.len() + o.tail.as_ref().map_or(0, String::len) + 1);
        }
        let mut line = (from == 0).then_some(1);
        if from > 0 {
            joined.gap(None);
        }
        for o in &shown[from..] {
            joined.failed |= o.kind == OutputKind::Error;
            joined.stretch(line);
            joined.push(&o.head);
            let mut before = o.head.matches('\n').count();
            if let Some(tail) = &o.tail {
                let all = o.head.len() as u64 + tail.len() as u64;
                joined.gap(o.len.checked_sub(all).filter(|n| *n > 0));
                let skipped = o.lines.and_then(|n| usize::try_from(n).ok());
                joined.stretch(line.zip(skipped).map(|(line, n)| line + n));
                joined.push(tail);
                line = line.filter(|_| skipped.is_some());
                before = skipped.unwrap_or(0) + tail.matches('\n').count();
            }
            let open = !joined.text.ends_with('\n');
            line = line.map(|line| line + before + usize::from(open));
            joined.end_line();
        }
        joined.failed |= joined.text.contains("Traceback (most recent call last)");
        joined.failed |= joined.refused();
        joined
    }
}

/// Whether an output is judged. Values and rich outputs are shown on purpose; they are judged only if
/// they contain a traceback or a line of the probe.
fn speaks(o: &OutputSeen) -> bool {
    const HEADERS: [&str; 2] = ["Traceback (most recent call last)", PROBE];
    match o.kind {
        OutputKind::Stream | OutputKind::Error | OutputKind::Unknown => true,
        OutputKind::Result | OutputKind::Rich => HEADERS.iter().any(|header| {
            o.head.contains(header) || o.tail.as_ref().is_some_and(|t| t.contains(header))
        }),
    }
}

impl Joined {
    /// Whether IPython reports that the cell failed. In the header of IPython's traceback the exception's
    /// name comes before these words; in the traceback of a program that the cell started, or that it
    /// printed itself, they begin the line.
    pub fn raised(&self) -> bool {
        self.text.contains("  Traceback (most recent call last)") || self.refused()
    }

    /// Whether IPython refused the cell before it ran: a syntax error, which has no traceback and, in a front end
    /// that draws errors as it draws stderr, no kind of its own either; or a magic that it does not know. The first
    /// line is the place in IPython 8.5 and later, 8.0 to 8.4, 7 with ipykernel 6, and 7 before.
    fn refused(&self) -> bool {
        const FIRST: [&str; 6] = [
            "Cell In[",
            "Cell In [",
            "Input In [",
            "File \"/tmp/ipykernel_",
            "File \"<ipython-input-",
            "UsageError: ",
        ];
        let text = self.text.trim_start();
        FIRST.iter().any(|first| text.starts_with(first))
    }

    fn stretch(&mut self, number: Option<usize>) {
        let at = self.text.bytes().filter(|b| *b == b'\n').count();
        self.stretches.push((at, number));
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn end_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    fn gap(&mut self, bytes: Option<u64>) {
        self.end_line();
        let from = self.text.len();
        self.text.push('\n');
        match bytes {
            Some(n) => self.text.push_str(&format!("… {n} characters not shown …")),
            None => self.text.push_str("… not all is shown …"),
        }
        self.text.push_str("\n\n");
        self.gaps.push(from..self.text.len());
    }

    /// The number that a line of the joined text has in the whole output (both from 1); 0 if it is not
    /// known.
    pub fn number(&self, line: usize) -> usize {
        let at = line.saturating_sub(1);
        let i = self.stretches.partition_point(|(first, _)| *first <= at);
        match i.checked_sub(1).map(|i| self.stretches[i]) {
            Some((first, Some(number))) => number + (at - first),
            _ => 0,
        }
    }

    /// Whether a byte range of the text overlaps an omission.
    pub fn in_gap(&self, range: &std::ops::Range<usize>) -> bool {
        self.gaps
            .iter()
            .any(|gap| range.start < gap.end && gap.start < range.end)
    }

    /// The last lines that are not blank, newest first.
    pub fn last_lines(&self, n: usize) -> impl Iterator<Item = &str> {
        self.text
            .lines()
            .rev()
            .map(str::trim_end)
            .filter(|l| !l.trim().is_empty())
            .take(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(out: u32, head: &str, tail: Option<&str>, lines: Option<u64>) -> OutputSeen {
        OutputSeen {
            out,
            run: 1,
            kind: OutputKind::Stream,
            len: 1000,
            head: head.into(),
            tail: tail.map(Into::into),
            lines,
            ..OutputSeen::default()
        }
    }

    #[test]
    fn lines_keep_their_numbers_across_gaps_and_outputs() {
        let mut outs = Outputs::default();
        outs.set(&window(0, "one\ntw", Some("l 100\nl 101"), Some(99)));
        outs.set(&window(1, "l 102\n", None, None));
        outs.set(&window(2, "l 103\nl 104", Some("far\n"), None));
        outs.set(&window(3, "on", None, None));
        let joined = outs.join(1);
        let numbered: Vec<(usize, &str)> = joined
            .text
            .lines()
            .enumerate()
            .map(|(i, l)| (joined.number(i + 1), l))
            .filter(|(_, l)| !l.is_empty() && !l.contains('…'))
            .collect();
        assert_eq!(
            numbered,
            [
                (1, "one"),
                (2, "tw"),
                (100, "l 100"),
                (101, "l 101"),
                (102, "l 102"),
                (103, "l 103"),
                (104, "l 104"),
                (0, "far"),
                (0, "on"),
            ]
        );
        let gap = joined.text.find('…').unwrap();
        assert!(joined.in_gap(&(gap..gap + 3)) && joined.in_gap(&(0..joined.text.len())));
        assert!(!joined.in_gap(&(0..3)));
    }

    #[test]
    fn other_runs_and_shown_values_do_not_speak() {
        let mut outs = Outputs::default();
        outs.set(&OutputSeen {
            run: 0,
            ..window(0, "old", None, None)
        });
        outs.set(&OutputSeen {
            kind: OutputKind::Result,
            ..window(1, "'CUDA out of memory'", None, None)
        });
        assert_eq!(outs.join(1).text, "");
        assert_eq!(outs.join(0).text, "old\n");
        outs.set(&OutputSeen {
            kind: OutputKind::Rich,
            ..window(1, "E  Traceback (most recent call last)\n", None, None)
        });
        assert!(outs.join(1).failed);
    }

    #[test]
    fn a_cell_that_python_refused_has_failed() {
        for (text, failed) in [
            (
                "  Cell In[2], line 1\n    f(\n     ^\nSyntaxError: '(' was never closed\n",
                true,
            ),
            ("  File \"<ipython-input-3-0a1b>\", line 1\n    f(\n", true),
            ("  Input In [4]\n    f(\n", true),
            ("UsageError: Line magic function `%tim` not found.\n", true),
            ("SyntaxWarning: invalid escape sequence\n", false),
            ("see Cell In[2], line 1\n", false),
        ] {
            let mut outs = Outputs::default();
            outs.set(&window(0, text, None, None));
            assert_eq!(outs.join(1).failed, failed, "{text}");
        }
    }

    #[test]
    fn what_is_held_and_judged_is_bounded() {
        let mut outs = Outputs::default();
        for i in 0..1000 {
            outs.set(&window(i, &"x".repeat(16 << 10), None, None));
        }
        assert_eq!(outs.weight(), MAX_OUTPUTS * (16 << 10));
        let text = outs.join(1).text;
        assert!(text.len() < MAX_TEXT + (17 << 10), "{}", text.len());
        assert!(text.starts_with("\n…"));
        outs.shrink(100);
        assert!(outs.weight() <= MAX_OUTPUTS * 100);
    }
}
