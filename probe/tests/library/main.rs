//! The library: verdicts, records, files of real systems, hostile input.

mod files;
mod hostile;
mod judge;
mod reading;
mod table;
