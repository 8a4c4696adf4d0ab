//! One cell, parsed.

use crate::guard::is_bounded;
use crate::names::Names;
use ruff_python_ast::token::Tokens;
use ruff_python_ast::{Mod, Stmt};
use ruff_python_parser::{parse_unchecked, Mode, ParseOptions};
use ruff_text_size::{Ranged, TextRange, TextSize};
use std::ops::Range;

/// A position in a cell: line and column from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A place that the parser could not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Where, in bytes.
    pub range: TextRange,
    /// What the parser says; may change with its version.
    pub message: String,
}

/// A cell's Python.
#[derive(Debug)]
pub struct Cell {
    text: String,
    body: Vec<Stmt>,
    tokens: Tokens,
    broken: Vec<Broken>,
    /// Where each line starts, in bytes.
    lines: Vec<usize>,
}

/// Magics of a whole cell after whose line the cell is Python in the notebook's own kernel.
const PYTHON_MAGICS: &[&str] = &[
    "time", "timeit", "capture", "prun", "memit", "mprun", "lprun", "debug", "heat", "wandb",
    "skip",
];

/// Magics of a whole cell whose text is another language, a file, or runs in another process.
const OTHER_MAGICS: &[&str] = &[
    "bash",
    "sh",
    "script",
    "system",
    "sx",
    "!",
    "cmd",
    "html",
    "HTML",
    "javascript",
    "js",
    "latex",
    "markdown",
    "svg",
    "SVG",
    "writefile",
    "file",
    "writetemplate",
    "perl",
    "ruby",
    "R",
    "bigquery",
    "sql",
    "cython",
    "pypy",
    "python",
    "python2",
    "python3",
    "shell",
    "cu",
    "cuda",
    "octave",
    "julia",
    "spark",
    "configure",
    // Runs in a copy of the kernel, so it sets nothing.
    "nbmedic_try",
];

/// Whether a cell's text is Python: not the input of a magic such as `%%bash`.
fn is_python(source: &str) -> bool {
    let Some(rest) = source.trim_start().strip_prefix("%%") else {
        return true;
    };
    let name = rest.split_whitespace().next().unwrap_or("");
    let name = name.trim_end_matches(|c: char| c.is_ascii_punctuation() && c != '!');
    !OTHER_MAGICS.contains(&name)
}

impl Cell {
    /// Reads a cell. None if it isn't Python (`%%bash`), or is longer or nested more deeply than a parser
    /// may be given.
    pub fn read(source: &str) -> Option<Cell> {
        // A line end of one form: columns and lines are the same in every form.
        if !is_python(source) || !is_bounded(source) {
            return None;
        }
        let parsed = parse_unchecked(source, ParseOptions::from(Mode::Ipython));
        let mut broken: Vec<Broken> = parsed
            .errors()
            .iter()
            .map(|e| Broken {
                range: e.location,
                message: e.error.to_string(),
            })
            .collect();
        broken.truncate(100);
        let tokens = parsed.tokens().clone();
        let Mod::Module(module) = parsed.into_syntax() else {
            return None;
        };
        let name = source.trim_start().strip_prefix("%%");
        let name = name.and_then(|n| n.split_whitespace().next());
        // An unknown magic's cell is Python if it reads as such.
        if name.is_some_and(|n| !PYTHON_MAGICS.contains(&n)) && !broken.is_empty() {
            return None;
        }
        let starts = source.match_indices('\n').map(|(at, _)| at + 1);
        Some(Cell {
            lines: std::iter::once(0).chain(starts).collect(),
            text: source.to_owned(),
            body: module.body,
            tokens,
            broken,
        })
    }

    /// Whether a source parses without an error.
    pub fn is_valid(source: &str) -> bool {
        Cell::read(source).is_some_and(|c| c.broken.is_empty())
    }

    /// The source.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The statements at the top level.
    pub fn body(&self) -> &[Stmt] {
        &self.body
    }

    /// The tokens, comments and line ends included.
    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// What could not be read, in order.
    pub fn broken(&self) -> &[Broken] {
        &self.broken
    }

    /// The source of a node or range.
    pub fn slice(&self, node: impl Ranged) -> &str {
        self.text.get(span(node.range())).unwrap_or("")
    }

    /// The number of lines.
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// The line, from 1, that holds a byte.
    pub fn line_of(&self, at: TextSize) -> u32 {
        let line = self.lines.partition_point(|start| *start <= at.to_usize());
        u32::try_from(line).unwrap_or(u32::MAX)
    }

    /// The position of a byte.
    pub fn place(&self, at: TextSize) -> Place {
        let line = self.line_of(at);
        let start = self.lines[line as usize - 1];
        let before = self.text.get(start..at.to_usize()).unwrap_or("");
        Place {
            line,
            column: u32::try_from(before.chars().count() + 1).unwrap_or(u32::MAX),
        }
    }

    /// The bytes of a line (from 1) without its end; empty if there is no such line.
    pub fn line_range(&self, line: u32) -> TextRange {
        let at = (line as usize).wrapping_sub(1);
        let Some(&start) = self.lines.get(at) else {
            return TextRange::empty(TextSize::of(self.text.as_str()));
        };
        let end = self.lines.get(at + 1).map_or(self.text.len(), |n| n - 1);
        let text = &self.text[start..end.max(start)];
        range(start..start + text.trim_end_matches('\r').len())
    }

    /// A line (from 1) without its end.
    pub fn line(&self, line: u32) -> &str {
        self.slice(self.line_range(line))
    }

    /// The blanks that a line (from 1) starts with.
    pub fn indent(&self, line: u32) -> &str {
        let text = self.line(line);
        &text[..text.len() - text.trim_start_matches([' ', '\t']).len()]
    }

    /// The names that the cell sets and uses.
    pub fn names(&self) -> Names<'_> {
        Names::of(self.body())
    }
}

fn span(r: TextRange) -> Range<usize> {
    r.start().to_usize()..r.end().to_usize()
}

fn range(r: Range<usize>) -> TextRange {
    let size = |n: usize| TextSize::new(u32::try_from(n).unwrap_or(u32::MAX));
    TextRange::new(size(r.start), size(r.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_magics_are_read() {
        for source in [
            "%matplotlib inline\nimport os\n!ls $x\nfiles = !ls\nos.listdir?\ny = %pwd\nawait f()",
            "%%time\nx = 1",
            "%%capture out --no-stderr\nprint(1)",
            r"print('\N{GREEK SMALL LETTER BETA}', f'{x:.2f}\N{DEGREE SIGN}')",
            "",
            "x = 1\r\ny = 2\r\n",
        ] {
            assert!(
                Cell::is_valid(source),
                "{source}: {:?}",
                Cell::read(source).map(|c| c.broken)
            );
        }
        assert!(Cell::read("%%bash\nls | wc").is_none());
        assert!(Cell::read("%%writefile a.py\nx = 1").is_none());
        assert!(Cell::read("%%newmagic\nselect a from b where c").is_none());
        assert!(Cell::read("%%newmagic\nx = 1").is_some());
    }

    #[test]
    fn a_broken_line_leaves_the_rest() {
        let cell = Cell::read("a = 1\nb = (2\nc = 3\n").unwrap();
        assert!(!cell.broken().is_empty());
        let cell = Cell::read("x = foo(1\n\ndef f():\n    return 1\n").unwrap();
        assert!(!cell.broken().is_empty() && !cell.body().is_empty());
    }

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let cell = Cell::read("é = 1\n    \nname = é.x\r\nlast").unwrap_or_else(|| unreachable!());
        let at = cell.text().find(".x").unwrap_or(0);
        let place = cell.place(TextSize::new(u32::try_from(at).unwrap_or(0)));
        assert_eq!((place.line, place.column), (3, 9));
        assert_eq!(
            (cell.line(3), cell.line(4), cell.line(9)),
            ("name = é.x", "last", "")
        );
        assert_eq!(cell.indent(2), "    ");
    }
}
