//! A file that grows, as bytes without an end.

use super::feed::TICK;
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::thread;

/// Follows the file that has a name: also one that is not there yet, becomes shorter, or makes room for another one.
pub struct Follow {
    path: PathBuf,
    open: Option<(File, u64)>,
    /// The last byte was no newline.
    in_line: bool,
}

impl Follow {
    pub fn new(path: &Path) -> Follow {
        Follow {
            path: path.to_owned(),
            open: None,
            in_line: false,
        }
    }

    /// The next bytes, if there are some. Another file begins on a line of its own.
    fn next(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if let Some((file, at)) = &mut self.open {
            let n = file.read(to)?;
            *at += n as u64;
            if n > 0 {
                self.in_line = to.get(n - 1) != Some(&b'\n');
                return Ok(n);
            }
            // What was written up to the change of names has been read.
            let now = std::fs::metadata(&self.path);
            let own = file.metadata()?;
            match now {
                Ok(now) if same(&own, &now) && own.len() >= *at => return Ok(0),
                Ok(now) if same(&own, &now) => {
                    file.seek(SeekFrom::Start(0))?;
                    *at = 0;
                }
                Ok(_) => self.open = None,
                Err(e) if e.kind() == ErrorKind::NotFound => return Ok(0),
                Err(e) => return Err(e),
            }
            return Ok(self.line_end(to));
        }
        match File::open(&self.path) {
            Ok(file) => {
                self.open = Some((file, 0));
                self.next(to)
            }
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(0),
            Err(e) => Err(e),
        }
    }

    fn line_end(&mut self, to: &mut [u8]) -> usize {
        match to.first_mut() {
            Some(first) if std::mem::take(&mut self.in_line) => {
                *first = b'\n';
                1
            }
            _ => 0,
        }
    }
}

impl Read for Follow {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.next(to)? {
                0 if !to.is_empty() => thread::sleep(TICK),
                n => return Ok(n),
            }
        }
    }
}

/// Whether a name still stands for the open file.
#[cfg(unix)]
fn same(open: &Metadata, named: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (open.dev(), open.ino()) == (named.dev(), named.ino())
}

/// Whether a name still stands for the open file: where files have no numbers, one that was made later is another.
#[cfg(not(unix))]
fn same(open: &Metadata, named: &Metadata) -> bool {
    match (open.created(), named.created()) {
        (Ok(a), Ok(b)) => a == b,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;

    fn all(follow: &mut Follow) -> String {
        let mut out = Vec::new();
        let mut block = [0; 4];
        let mut quiet = 0;
        while quiet < 3 {
            match follow.next(&mut block).unwrap() {
                0 => quiet += 1,
                n => {
                    quiet = 0;
                    out.extend_from_slice(&block[..n]);
                }
            }
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_file_is_followed_through_all_that_happens_to_logs() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run.log");
        let mut follow = Follow::new(&path);
        assert_eq!(all(&mut follow), "", "it is not there yet");
        fs::write(&path, "one\ntw").unwrap();
        assert_eq!(all(&mut follow), "one\ntw");
        let mut log = fs::OpenOptions::new().append(true).open(&path).unwrap();
        log.write_all(b"o\nthr").unwrap();
        assert_eq!(all(&mut follow), "o\nthr");
        // Rotated: what the old one still gets is read, then the new one.
        fs::rename(&path, dir.path().join("run.log.1")).unwrap();
        log.write_all(b"ee").unwrap();
        assert_eq!(all(&mut follow), "ee");
        fs::write(&path, "four\n").unwrap();
        assert_eq!(all(&mut follow), "\nfour\n");
        // Truncated.
        fs::write(&path, "5\n").unwrap();
        assert_eq!(all(&mut follow), "5\n");
        fs::remove_file(&path).unwrap();
        assert_eq!(all(&mut follow), "");
        fs::write(&path, "six\n").unwrap();
        assert_eq!(all(&mut follow), "six\n");
    }
}
