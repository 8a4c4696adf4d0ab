//! Messages in the user's language, from the browser's catalogue. The web site has no catalogue and
//! shows English.

use js_sys::{Array, Function, Reflect};
use nbmedic_words::Text;
use std::cell::OnceCell;
use wasm_bindgen::{JsCast, JsValue};

thread_local! {
    /// `chrome.i18n` and its `getMessage`.
    static CATALOGUE: OnceCell<Option<(JsValue, Function)>> = const { OnceCell::new() };
}

/// A text in the user's language.
pub fn spoken(text: &Text) -> String {
    text.spoken(&look_up)
}

fn look_up(key: &str, args: &[String]) -> Option<String> {
    CATALOGUE.with(|known| {
        let (i18n, get) = known.get_or_init(catalogue).as_ref()?;
        let args: Array = args.iter().map(|a| JsValue::from_str(a)).collect();
        let said = get.call2(i18n, &key.into(), &args).ok()?.as_string()?;
        // The browser returns an empty string for an unknown message.
        (!said.is_empty()).then_some(said)
    })
}

fn catalogue() -> Option<(JsValue, Function)> {
    let chrome = Reflect::get(&js_sys::global(), &"chrome".into()).ok()?;
    let i18n = Reflect::get(&chrome, &"i18n".into()).ok()?;
    let get = Reflect::get(&i18n, &"getMessage".into()).ok()?;
    Some((i18n, get.dyn_into().ok()?))
}
