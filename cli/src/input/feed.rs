//! Bytes of a file, or of a pipe that may pause or never end.

use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{sync_channel, Receiver, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// Bytes that a pipe hands over at once, and how many of these wait.
const PIECE: usize = 256 << 10;
const WAITING: usize = 4;
/// How often a waiting reader looks for signals.
pub const TICK: Duration = Duration::from_millis(100);
/// Ticks without a byte after which a pipe counts as idle.
const IDLE: u32 = 20;

/// What came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Got {
    Bytes(usize),
    Idle,
    End,
    Interrupted,
}

/// A file, or a pipe that a thread of its own reads.
pub struct Feed {
    /// Read already, to be read again.
    again: Vec<u8>,
    from: From,
}

enum From {
    File(File),
    Pipe {
        pieces: Receiver<io::Result<Vec<u8>>>,
        piece: Vec<u8>,
        at: usize,
        over: bool,
    },
}

static SIGNAL: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// From now on the first signal to end lets the program say what it found; the second ends it.
pub fn heed_signals() {
    let flag = SIGNAL.get_or_init(Arc::default);
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Where that is impossible, a signal ends the program as usual.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(flag));
        let _ = signal_hook::flag::register(signal, Arc::clone(flag));
    }
}

/// Whether a signal came.
pub fn interrupted() -> bool {
    SIGNAL.get().is_some_and(|f| f.load(Ordering::Relaxed))
}

impl Feed {
    pub fn file(file: File) -> Feed {
        Feed {
            again: Vec::new(),
            from: From::File(file),
        }
    }

    pub fn stdin() -> Feed {
        Self::pipe(io::stdin())
    }

    /// Anything whose end may never come.
    pub fn pipe(mut from: impl Read + Send + 'static) -> Feed {
        let (to, pieces) = sync_channel(WAITING);
        thread::spawn(move || loop {
            let mut piece = vec![0; PIECE];
            let sent = match from.read(&mut piece) {
                Ok(0) => return,
                Ok(n) => {
                    piece.truncate(n);
                    to.send(Ok(piece))
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => {
                    let _ = to.send(Err(e));
                    return;
                }
            };
            if sent.is_err() {
                return;
            }
        });
        Feed {
            again: Vec::new(),
            from: From::Pipe {
                pieces,
                piece: Vec::new(),
                at: 0,
                over: false,
            },
        }
    }

    /// The same, with bytes before it.
    pub fn after(mut self, mut bytes: Vec<u8>) -> Feed {
        bytes.append(&mut self.again);
        self.again = bytes;
        self
    }

    /// Reads some bytes.
    pub fn next(&mut self, to: &mut [u8]) -> io::Result<Got> {
        if interrupted() {
            return Ok(Got::Interrupted);
        }
        if !self.again.is_empty() {
            let n = to.len().min(self.again.len());
            to[..n].copy_from_slice(&self.again[..n]);
            self.again.drain(..n);
            return Ok(Got::Bytes(n));
        }
        match &mut self.from {
            From::File(file) => loop {
                match file.read(to) {
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                    read => {
                        return read.map(|n| match n {
                            0 => Got::End,
                            n => Got::Bytes(n),
                        })
                    }
                }
            },
            From::Pipe {
                pieces,
                piece,
                at,
                over,
            } => {
                let mut ticks = 0;
                while *at == piece.len() {
                    if *over {
                        return Ok(Got::End);
                    }
                    match pieces.recv_timeout(TICK) {
                        Ok(next) => {
                            *piece = next?;
                            *at = 0;
                        }
                        Err(RecvTimeoutError::Disconnected) => *over = true,
                        Err(RecvTimeoutError::Timeout) if interrupted() => {
                            return Ok(Got::Interrupted)
                        }
                        Err(RecvTimeoutError::Timeout) => {
                            ticks += 1;
                            if ticks == IDLE {
                                return Ok(Got::Idle);
                            }
                        }
                    }
                }
                let n = to.len().min(piece.len() - *at);
                to[..n].copy_from_slice(&piece[*at..*at + n]);
                *at += n;
                Ok(Got::Bytes(n))
            }
        }
    }
}

impl Read for Feed {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.next(to)? {
                Got::Bytes(n) => return Ok(n),
                Got::Idle => {}
                Got::End => return Ok(0),
                // Not the kind "interrupted", after which readers try again.
                Got::Interrupted => return Err(io::Error::other("interrupted")),
            }
        }
    }
}
