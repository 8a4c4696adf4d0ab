//! Finds exceptions in clean lines. Uses the text room only.
//!
//! [`parse`] finds every Python traceback in a [`Document`], whatever printed it (Python 2.7 to
//! 3.14, IPython 5 to 9 in all its modes, Colab, rich), with or without a log prefix in front of
//! each line, even if its top was cut off, and bare `RuntimeError: …` lines. It takes one pass with
//! a bounded look-ahead, so its time is linear in the text.

mod body;
mod chain;
mod classify;
mod frames;
mod marks;
mod message;
mod origin;
mod parser;
mod reader;
mod streams;
mod wordings;

pub use chain::{Chain, Exception, Frame, Origin, Relation, Style};
pub use marks::MARKS;
pub use wordings::quoted_exception;

use nbmedic_text::Document;

/// Finds the exceptions of a text, in the order printed (by where each chain ends).
pub fn parse(doc: &Document) -> Vec<Chain> {
    let mut chains = Vec::new();
    let marked = marks::marked(doc);
    for stream in streams::split(doc, &marked) {
        chains.extend(parser::Parser::new(&stream, &marked).run());
    }
    chains.sort_by_key(|c: &Chain| c.lines.end);
    chains
}
