//! The content of a traceback.

use std::ops::Range;

/// How an exception relates to the one printed before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The first of its chain.
    First,
    /// "The above exception was the direct cause of the following exception", and an exception
    /// that carries another one's traceback in its message.
    Cause,
    /// "During handling of the above exception, another exception occurred".
    Context,
    /// A part of the exception group printed before it.
    Group,
}

/// Who printed the traceback, by its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// IPython's frames with numbered source lines.
    IPython,
    /// The interpreter's own form.
    CPython,
    /// A syntax error: file, line, source line and caret.
    Syntax,
    /// rich's boxes.
    Rich,
    /// Only `Class: message`.
    Bare,
}

/// Whose code a frame is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A notebook cell, with its execution count if the file's name contains it.
    Cell {
        /// The number in `Cell In[5]` or `<ipython-input-5-…>`.
        count: Option<u32>,
    },
    /// The user's own file.
    User,
    /// An installed package, the standard library or compiled code (`library_paths.txt`).
    Library,
}

/// One frame of a traceback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The file as printed; empty if the front end does not name it.
    pub file: String,
    /// The line in that file, from 1. In a cell: the line of the cell.
    pub line: Option<u32>,
    /// The function as printed, without arguments.
    pub function: Option<String>,
    /// The source line that was running, without indentation.
    pub code: Option<String>,
    /// Whose code it is.
    pub origin: Origin,
    /// The document's line that names the frame, from 0.
    pub at: usize,
}

/// One exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exception {
    /// The class as printed, dotted: `torch.OutOfMemoryError`.
    pub class: String,
    /// The message; may have several lines. At most 16 KiB: of a longer one, the beginning and the
    /// end.
    pub message: String,
    /// The lines of `class: message` in the document, from 0.
    pub lines: Range<usize>,
    /// Its frames, outermost first. If there are very many, the first and the last.
    pub frames: Vec<Frame>,
    /// How it relates to the exception before it in the chain.
    pub relation: Relation,
    /// Its form.
    pub style: Style,
    /// It was printed within the message of a later exception of the chain (a worker's traceback).
    pub embedded: bool,
    /// Python only reports it and continues: "Exception ignored in", "--- Logging error ---".
    pub ignored: bool,
}

impl Exception {
    /// The last dotted part of the class: `OutOfMemoryError`.
    pub fn name(&self) -> &str {
        let class = self.class.split('(').next().unwrap_or(&self.class);
        class.rsplit('.').next().unwrap_or(class)
    }

    /// The first line of the message.
    pub fn message_line(&self) -> &str {
        self.message.lines().next().unwrap_or("")
    }

    /// The frames in cells whose line is known, outermost first.
    fn in_cells(&self) -> impl DoubleEndedIterator<Item = &Frame> {
        let in_cell = |f: &&Frame| matches!(f.origin, Origin::Cell { .. }) && f.line.is_some();
        self.frames.iter().filter(in_cell)
    }

    /// The line of the deepest frame in a cell, from 1.
    fn cell_line(&self) -> Option<u32> {
        self.in_cells().next_back()?.line
    }
}

/// Exceptions that belong together. There is always at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// In the order raised: an exception embedded in another's message comes before it.
    pub exceptions: Vec<Exception>,
    /// The document's lines from the first traceback's header to the end of the last message.
    pub lines: Range<usize>,
    /// Whether a traceback header was seen. Without one the top was cut off, or it is a bare line.
    pub headed: bool,
}

impl Chain {
    /// The exception that ended it: the last one printed.
    pub fn last(&self) -> &Exception {
        &self.exceptions[self.exceptions.len() - 1]
    }

    /// Whether Python only reports it and continues.
    pub fn ignored(&self) -> bool {
        self.last().ignored
    }

    /// The line, from 1, of the user's cell in which the last exception printed was raised: the
    /// deepest frame in a cell. A traceback within the message was printed last and goes deepest.
    /// For a group, it is the line that raised the group. If that exception has no frame in a cell
    /// (its end was cut off), it is an earlier one's line.
    pub fn cell_line(&self) -> Option<u32> {
        self.deepest_first().find_map(Exception::cell_line)
    }

    /// The line, from 1, of the cell that was run: that of the deepest frame in it. [`Chain::cell_line`] may be in
    /// another cell, whose function this one called.
    pub fn run_line(&self) -> Option<u32> {
        let run = &self.raised().in_cells().next()?.file;
        let mut all = self.deepest_first();
        all.find_map(|e| e.in_cells().rfind(|f| f.file == *run)?.line)
    }

    /// The position of the last exception that was raised: for a group, the one that holds the others.
    fn last_raised(&self) -> usize {
        let mut all = self.exceptions.iter();
        all.rposition(|e| e.relation != Relation::Group)
            .unwrap_or(0)
    }

    fn raised(&self) -> &Exception {
        &self.exceptions[self.last_raised()]
    }

    /// The exceptions by how deep their frames go: those within the last one's message were printed last.
    fn deepest_first(&self) -> impl Iterator<Item = &Exception> {
        let all = &self.exceptions;
        let last = self.last_raised();
        let start = all[..last]
            .iter()
            .rposition(|e| !e.embedded)
            .map_or(0, |i| i + 1);
        let embedded = all[start..last].iter().rev();
        let rest = all[last..].iter().chain(all[..start].iter().rev());
        embedded.chain(rest)
    }
}
