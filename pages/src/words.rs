//! The person's language: an English text in, what the browser's catalogue says for it out. The
//! loader (`page.js`) hands over the dictionary; on the web site there is none.

use js_sys::{Function, Reflect};
use std::cell::OnceCell;
use wasm_bindgen::{JsCast, JsValue};

thread_local! {
    static SAY: OnceCell<Option<Function>> = const { OnceCell::new() };
}

/// A text in the person's language; as it is where it is no message.
pub fn say(english: &str) -> String {
    let said = SAY.with(|say| {
        let say = say.get_or_init(|| {
            let say = Reflect::get(&js_sys::global(), &JsValue::from_str("nbmedicSay"));
            say.ok()?.dyn_into().ok()
        });
        let said = say.as_ref()?.call1(&JsValue::NULL, &english.into()).ok()?;
        said.as_string()
    });
    said.unwrap_or_else(|| english.to_owned())
}
