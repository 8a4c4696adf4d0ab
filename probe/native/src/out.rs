//! The record's files: two parts, each line appended by one call.

use crate::sys::{enter, identity, make_folder, rename, File, Path, NO_FILE};
use core::ffi::CStr;
use nbmedic_probe::line::Line;

/// Maximum size of one part of the record, in bytes.
const HALF: u64 = 512 * 1024;

/// The record in its folder, which is the working folder.
pub struct Out {
    folder: Option<&'static CStr>,
    name: Path,
    older: Path,
    file: File,
    inode: u64,
}

impl Out {
    /// Opens the record for appending. `which` distinguishes it from another notebook's in this folder.
    pub fn open(&mut self, folder: &'static CStr, which: &[u8]) -> bool {
        self.folder = Some(folder);
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

    /// Makes the record again if it was deleted, as by `git clean`: what it held is still in the open file.
    fn keep(&mut self) {
        let old = self.file;
        // If only the file was deleted, the folder is still there, and the working folder.
        if let Some(folder) = self.folder.filter(|folder| make_folder(folder)) {
            enter(folder);
            let ignored = File::append(c".gitignore");
            ignored.write(b"*\n");
            ignored.close();
        }
        self.file = NO_FILE;
        self.again();
        if !self.file.is_open() {
            self.file = old;
            return;
        }
        let mut part = [0; 4096];
        let mut at = 0;
        loop {
            let text = old.from(at, &mut part);
            if text.is_empty() {
                break;
            }
            self.file.write(text);
            at += text.len() as u64;
        }
        old.close();
    }

    /// Makes a deleted record again, and rotates if the file is full. Returns whether a new file begins.
    pub fn renew(&mut self) -> bool {
        let (inode, size) = identity(self.name.c());
        if inode == 0 {
            self.keep();
            return false;
        }
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
