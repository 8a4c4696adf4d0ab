//! The record's files: two parts, each line appended by one call.

use crate::sys::{identity, rename, File, Path, NO_FILE};
use nbmedic_probe::line::Line;

/// Maximum size of one part of the record, in bytes.
const HALF: u64 = 512 * 1024;

/// The record in the working folder.
pub struct Out {
    name: Path,
    older: Path,
    file: File,
    inode: u64,
}

impl Out {
    /// Opens the record for appending. `which` distinguishes it from another notebook's in this folder.
    pub fn open(&mut self, which: &[u8]) -> bool {
        self.older = Path::of(b"nbmedic-flight", which);
        self.older.push(b".1.jsonl");
        self.name = Path::of(b"nbmedic-flight", which);
        self.name.push(b".jsonl");
        self.file = NO_FILE;
        self.again();
        self.file.is_open()
    }

    fn again(&mut self) {
        let new = File::append(self.name.c());
        if new.is_plain() {
            self.file.close();
            self.file = new;
            (self.inode, _) = new.identity();
            // Held for as long as the probe lives, which shows other probes that it does.
            new.lock();
        }
    }

    /// Rotates if the file is full. Returns whether a new file begins. A record that was deleted is not
    /// created again: the user who deleted it does not want more.
    pub fn renew(&mut self) -> bool {
        let (inode, size) = identity(self.name.c());
        if inode != self.inode || size < HALF {
            return false;
        }
        rename(self.name.c(), self.older.c());
        self.again();
        true
    }

    /// Writes the line, if it is complete.
    pub fn write(&self, line: &mut Line) {
        if let Some(text) = line.finish() {
            self.file.write(text);
        }
    }
}
