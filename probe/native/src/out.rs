//! The record's file: lines appended by one call each, two halves.

use crate::sys::{identity, rename, File};
use nbmedic_probe::line::Line;

/// One half of the record at most, in bytes.
const HALF: u64 = 512 * 1024;

const NAME: &core::ffi::CStr = c"nbmedic-flight.jsonl";
const OLDER: &core::ffi::CStr = c"nbmedic-flight.1.jsonl";

/// The record in the working folder.
pub struct Out {
    file: File,
    inode: u64,
}

impl Out {
    /// Opens the record for appending.
    pub fn open() -> Option<Out> {
        let file = File::append(NAME)?;
        let (inode, _) = file.identity()?;
        Some(Out { file, inode })
    }

    /// Makes sure that the name still means our file (another probe in this folder may have
    /// rotated it, a person removed it) and that it has room. Whether a new file begins.
    pub fn renew(&mut self) -> bool {
        match identity(NAME) {
            Some((inode, size)) if inode == self.inode && size < HALF => return false,
            Some((inode, _)) if inode == self.inode => rename(NAME, OLDER),
            _ => {}
        }
        if let Some(new) = Out::open() {
            self.file.close();
            *self = new;
        }
        true
    }

    /// Writes the line, if it is one.
    pub fn write(&self, line: &mut Line) {
        if let Some(text) = line.finish() {
            self.file.write(text);
        }
    }
}
