//! Reads files and standard input as text, a block at a time: compressed or not, in UTF-8 or UTF-16.

mod decode;
mod feed;
mod follow;
mod window;

pub use feed::{heed_signals, interrupted};
pub use window::Windowed;

use crate::out::{complain_as_is, reason};
use decode::{Decoder, Encoding};
use feed::{Feed, Got};
use flate2::bufread::GzDecoder;
use follow::Follow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read};
use std::path::Path;

/// What ends a text that is typed.
const END: &str = if cfg!(windows) {
    "Ctrl+Z and Enter"
} else {
    "Ctrl+D"
};
/// Bytes read at once.
const BLOCK: usize = 512 << 10;
/// How much of an input is looked at to tell what it is.
const LOOKED_AT: usize = 8 << 10;
/// Longest notebook or event log that is read as a whole, in MiB.
const MAX_WHOLE: u64 = 256;

/// An input as a stream of text.
pub struct Source {
    name: String,
    bytes: Bytes,
    first: Vec<u8>,
    decoder: Decoder,
    block: Vec<u8>,
    read: u64,
}

enum Bytes {
    Plain(Feed),
    Gzip(Members),
}

/// The members of a compressed file, one after the other. What follows the last one and is none is ignored, as gzip does.
enum Members {
    Open(Box<GzDecoder<BufReader<Feed>>>),
    Over,
}

impl Read for Members {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            let Members::Open(member) = self else {
                return Ok(0);
            };
            match member.read(to)? {
                0 if !to.is_empty() => {}
                n => return Ok(n),
            }
            let Members::Open(ended) = std::mem::replace(self, Members::Over) else {
                return Ok(0);
            };
            let mut rest = ended.into_inner();
            // A pipe may hand over a single byte.
            let next = rest.fill_buf()?;
            if next.first() == Some(&0x1f) && next.get(1).is_none_or(|b| *b == 0x8b) {
                *self = Members::Open(Box::new(GzDecoder::new(rest)));
            }
        }
    }
}

/// What a [`Source`] has next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Text was added.
    Text,
    /// A pipe has had nothing for a while.
    Idle,
    /// The input is at its end.
    End,
    /// A signal asked the program to end.
    Interrupted,
}

impl Source {
    /// Opens a file or, for `-`, standard input.
    ///
    /// # Errors
    /// A message that names the input and says what is wrong with it.
    pub fn open(path: &Path) -> Result<Source, String> {
        let (name, feed) = open(path)?;
        Source::of(name, feed)
    }

    /// Follows a file that grows, and need not be there yet. It has no end.
    ///
    /// # Errors
    /// A message that names the file and says what is wrong with it.
    pub fn follow(path: &Path) -> Result<Source, String> {
        let name = path.display().to_string();
        Source::of(name, Feed::pipe(Follow::new(path)))
    }

    fn of(name: String, feed: Feed) -> Result<Source, String> {
        let mut source = Source {
            name,
            bytes: Bytes::Plain(feed),
            first: Vec::new(),
            decoder: Decoder::new(Encoding::Utf8),
            block: Vec::new(),
            read: 0,
        };
        source.look()?;
        if source.first.starts_with(&[0x1f, 0x8b]) {
            if let Bytes::Plain(feed) = source.bytes {
                let feed = feed.after(std::mem::take(&mut source.first));
                let member = GzDecoder::new(BufReader::with_capacity(64 << 10, feed));
                source.bytes = Bytes::Gzip(Members::Open(Box::new(member)));
                source.look()?;
            }
        }
        let Some(encoding) = decode::encoding(&source.first) else {
            return Err(format!(
                "{}: not a text: give a notebook (.ipynb), a log or a saved output",
                source.name
            ));
        };
        source.decoder = Decoder::new(encoding);
        Ok(source)
    }

    /// How it is called in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of the file so far (of a compressed one, those that were in it).
    pub fn read(&self) -> u64 {
        self.read
    }

    /// Fills the first bytes, as far as they come without waiting long.
    fn look(&mut self) -> Result<(), String> {
        let mut block = vec![0; LOOKED_AT];
        while self.first.len() < LOOKED_AT {
            let room = LOOKED_AT - self.first.len();
            match self.fill(&mut block[..room])? {
                Got::Bytes(n) => self.first.extend_from_slice(&block[..n]),
                // What came so far has to do.
                Got::Idle if self.first.len() >= 4 => break,
                Got::Idle => {}
                Got::End | Got::Interrupted => break,
            }
        }
        Ok(())
    }

    fn fill(&mut self, to: &mut [u8]) -> Result<Got, String> {
        let got = match &mut self.bytes {
            Bytes::Plain(feed) => feed.next(to),
            Bytes::Gzip(gzip) => gzip.read(to).map(|n| match n {
                0 => Got::End,
                n => Got::Bytes(n),
            }),
        };
        let what = match self.bytes {
            Bytes::Gzip(_) => "the compressed data is broken or cut off: ",
            Bytes::Plain(_) => "",
        };
        match got {
            Err(_) if interrupted() => Ok(Got::Interrupted),
            got => got.map_err(|e| format!("{}: {what}{}", self.name, reason(&e))),
        }
    }

    /// Adds the next block of text.
    ///
    /// # Errors
    /// A message that names the input.
    pub fn next(&mut self, text: &mut String) -> Result<Next, String> {
        if !self.first.is_empty() {
            let first = std::mem::take(&mut self.first);
            self.read += first.len() as u64;
            self.decoder.push(&first, text);
            return Ok(Next::Text);
        }
        let mut block = std::mem::take(&mut self.block);
        block.resize(BLOCK, 0);
        let got = self.fill(&mut block);
        let next = Ok(match got? {
            Got::Bytes(n) => {
                self.read += n as u64;
                self.decoder.push(&block[..n], text);
                Next::Text
            }
            Got::Idle => Next::Idle,
            Got::Interrupted => Next::Interrupted,
            Got::End => {
                self.decoder.finish(text);
                Next::End
            }
        });
        self.block = block;
        next
    }
}

fn open(path: &Path) -> Result<(String, Feed), String> {
    if path == Path::new("-") {
        if io::stdin().is_terminal() {
            complain_as_is(&format!("reading standard input; end with {END}\n"));
        }
        return Ok(("standard input".to_owned(), Feed::stdin()));
    }
    let name = path.display().to_string();
    let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
    let (about, file) = opened.map_err(|e| format!("{name}: {}", reason(&e)))?;
    if about.is_dir() {
        return Err(format!("{name} is a folder: name the files in it"));
    }
    let feed = if about.is_file() {
        Feed::file(file)
    } else {
        Feed::pipe(file)
    };
    Ok((name, feed))
}

/// The bytes of a file or, for `-`, of standard input, which has to be small enough to be held as a whole.
///
/// # Errors
/// A message that names the input.
pub fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let (name, feed) = open(path)?;
    let mut out = Vec::new();
    feed.take((MAX_WHOLE << 20) + 1)
        .read_to_end(&mut out)
        .map_err(|e| format!("{name}: {}", reason(&e)))?;
    if out.len() as u64 > MAX_WHOLE << 20 {
        return Err(format!("{name}: longer than {MAX_WHOLE} MiB, which is more than is read as a whole: clear its outputs"));
    }
    Ok(out)
}

/// The name of nbmedic's own format that a text is in, if it is.
pub fn own_output(text: &str) -> Option<String> {
    let start: String = text
        .trim_start_matches('\u{feff}')
        .chars()
        .filter(|c| !c.is_whitespace())
        .take(80)
        .collect();
    let name = start.strip_prefix("{\"schema\":\"nbmedic.")?.split('"');
    Some(format!("nbmedic.{}", name.take(1).collect::<String>()))
}
