//! The reader of the cells' Python: a module of its own, lent by JavaScript once it is loaded.

use nbmedic_ask::{Question, Reply};
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsValue;

/// Where the reader is.
enum Reader {
    Away,
    Lent(js_sys::Function),
    Gone,
}

thread_local! {
    static READER: RefCell<Reader> = const { RefCell::new(Reader::Away) };
    static MISSED: Cell<bool> = const { Cell::new(false) };
}

/// Sets the reader; none: there won't be one.
pub(super) fn lend(reader: Option<js_sys::Function>) {
    READER.set(reader.map_or(Reader::Gone, Reader::Lent));
}

/// Whether the reader is not there yet.
pub(super) fn is_away() -> bool {
    READER.with_borrow(|reader| matches!(reader, Reader::Away))
}

/// Whether the reader was asked and was away.
pub(super) fn take_missed() -> bool {
    MISSED.take()
}

/// Asks the reader.
pub(super) fn read(question: &Question<'_>) -> Reply {
    // What is lent may change while it is called.
    let lent = READER.with_borrow(|reader| match reader {
        Reader::Away => Err(away()),
        Reader::Gone => Err(Reply::Gone),
        Reader::Lent(ask) => Ok(ask.clone()),
    });
    let ask = match lent {
        Ok(ask) => ask,
        Err(reply) => return reply,
    };
    let question = JsValue::from_str(&nbmedic_json::to_string(question));
    let answer = ask.call1(&JsValue::UNDEFINED, &question).ok();
    let answer = answer.and_then(|a| a.as_string());
    match answer.and_then(|a| nbmedic_json::parse(&a).ok()) {
        Some(answer) => Reply::Known(answer),
        None => Reply::Gone,
    }
}

fn away() -> Reply {
    MISSED.set(true);
    Reply::Away
}
