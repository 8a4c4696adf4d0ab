//! The few rows at the bottom that are still being redrawn.

use super::limits::REACH;
use super::mapped::{Cell, Mapped};
use std::collections::VecDeque;

/// Columns that a cursor movement alone can reach beyond the text: terminals are rarely wider, and
/// a few bytes must not cause megabytes of padding.
const WIDTH: usize = 256;

#[derive(Debug)]
struct Row {
    cells: Vec<Cell>,
    /// Characters removed from the middle.
    gone: usize,
    raw_line: usize,
    newline: Option<usize>,
}

/// Rows that have been or may yet be redrawn, and the cursor. Exists only while a line is being
/// redrawn: text without carriage returns never gets here.
#[derive(Debug)]
pub(super) struct Screen {
    rows: VecDeque<Row>,
    y: usize,
    x: usize,
    /// Newlines at the lowest row since the cursor was last moved up; `None` if it never was.
    quiet: Option<usize>,
    max_line: usize,
}

impl Screen {
    /// Takes over the open line of `part`, with the cursor at its end.
    pub fn open(part: &mut Mapped, max_line: usize) -> Self {
        part.elide(max_line);
        let raw_line = part.open_raw_line();
        let cells = part.take_open();
        let x = cells.len();
        let row = Row {
            cells,
            gone: 0,
            raw_line,
            newline: None,
        };
        Self {
            rows: VecDeque::from([row]),
            y: 0,
            x,
            quiet: None,
            max_line,
        }
    }

    pub fn carriage_return(&mut self) {
        self.x = 0;
    }

    pub fn left(&mut self, n: usize) {
        self.x = self.x.saturating_sub(n.max(1));
    }

    pub fn right(&mut self, n: usize) {
        let to = self.x.saturating_add(n.max(1));
        self.column(to);
    }

    /// Moves to a column, from 0.
    pub fn column(&mut self, x: usize) {
        let len = self.rows.get(self.y).map_or(0, |r| r.cells.len());
        self.x = x.min(len.max(WIDTH));
    }

    /// Moves up, reopening finished lines that the screen does not hold yet.
    pub fn up(&mut self, n: usize, part: &mut Mapped) {
        for _ in 0..n.clamp(1, REACH) {
            if self.y > 0 {
                self.y -= 1;
            } else if self.rows.len() <= REACH && part.reopen() {
                let raw_line = part.open_raw_line();
                let cells = part.take_open();
                self.rows.push_front(Row {
                    cells,
                    gone: 0,
                    raw_line,
                    newline: None,
                });
            } else {
                break;
            }
        }
        self.quiet = Some(0);
    }

    pub fn down(&mut self, n: usize) {
        self.y = (self.y + n.max(1)).min(self.rows.len() - 1);
    }

    /// `CSI K`: 0 from the cursor to the end, 1 from the start to the cursor, 2 all.
    pub fn erase_line(&mut self, what: usize) {
        let Some(row) = self.rows.get_mut(self.y) else {
            return;
        };
        match what {
            0 => row.cells.truncate(self.x),
            1 => {
                for c in row.cells.iter_mut().take((self.x + 1).min(WIDTH)) {
                    *c = Cell { ch: ' ', raw: None };
                }
            }
            _ => {
                row.cells.clear();
                self.x = self.x.min(WIDTH);
            }
        }
    }

    /// `CSI J` without a number: from the cursor to the end of the screen.
    pub fn erase_below(&mut self) {
        self.erase_line(0);
        for row in self.rows.iter_mut().skip(self.y + 1) {
            row.cells.clear();
        }
    }

    pub fn write(&mut self, s: &str, raw: usize, raw_line: usize) {
        let (mut x, max) = (self.x, self.max_line);
        let Some(row) = self.rows.get_mut(self.y) else {
            return;
        };
        row.raw_line = raw_line;
        for (i, ch) in s.char_indices() {
            let cell = Cell {
                ch,
                raw: Some(raw + i),
            };
            while row.cells.len() < x {
                row.cells.push(Cell { ch: ' ', raw: None });
            }
            if x < row.cells.len() {
                row.cells[x] = cell;
            } else {
                row.cells.push(cell);
            }
            x += 1;
            if row.cells.len() > 2 * max {
                let half = max / 2;
                let cut = row.cells.len() - 2 * half;
                row.cells.drain(half..half + cut);
                row.gone += cut;
                x = x.saturating_sub(cut).min(row.cells.len());
            }
        }
        self.x = x;
    }

    /// Handles a newline at `raw`. True if nothing is being redrawn any more: the rows have then
    /// been moved to `part`, and the caller drops the screen.
    pub fn newline(&mut self, raw: Option<usize>, next_raw_line: usize, part: &mut Mapped) -> bool {
        self.x = 0;
        if let Some(row) = self.rows.get_mut(self.y) {
            row.newline = raw;
        }
        if self.y + 1 < self.rows.len() {
            self.y += 1;
            return false;
        }
        let row = Row {
            cells: Vec::new(),
            gone: 0,
            raw_line: next_raw_line,
            newline: None,
        };
        self.rows.push_back(row);
        self.y += 1;
        let over = match &mut self.quiet {
            None => true,
            Some(n) => {
                *n += 1;
                *n > REACH
            }
        };
        while self.rows.len() > if over { 0 } else { REACH + 1 } {
            self.commit_front(part);
        }
        over
    }

    fn commit_front(&mut self, part: &mut Mapped) {
        let Some(mut row) = self.rows.pop_front() else {
            return;
        };
        self.y = self.y.saturating_sub(1);
        while row
            .cells
            .last()
            .is_some_and(|c| c.raw.is_none() && c.ch == ' ')
        {
            row.cells.pop();
        }
        part.set_open_raw_line(row.raw_line);
        let len = row.cells.len();
        if row.gone > 0 || len > self.max_line {
            let half = (self.max_line / 2).min(len / 2);
            part.append_cells(&row.cells[..half]);
            let gone = row.gone + len - 2 * half;
            let note: Vec<Cell> = format!("[… {gone} characters left out …]")
                .chars()
                .map(|ch| Cell { ch, raw: None })
                .collect();
            part.append_cells(&note);
            part.append_cells(&row.cells[len - half..]);
        } else {
            part.append_cells(&row.cells);
        }
        if let Some(next) = self.rows.front() {
            part.newline(row.newline, next.raw_line);
        }
    }

    /// Moves everything to `part`.
    pub fn close(mut self, part: &mut Mapped) {
        while !self.rows.is_empty() {
            self.commit_front(part);
        }
    }

    /// Whether the cursor's row is empty.
    pub fn row_is_empty(&self) -> bool {
        self.rows.get(self.y).is_none_or(|r| r.cells.is_empty())
    }

    /// Moves to the lowest row.
    pub fn bottom(&mut self) {
        self.y = self.rows.len() - 1;
    }
}
