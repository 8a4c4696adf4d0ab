//! Messages in the user's language, through `message` of `extension/messages.js`: from the browser's catalogue, or from
//! the package if the browser has none for this process. The web site has no catalogue and shows English.

use js_sys::{Array, Function, Reflect};
use nbmedic_words::Text;
use std::cell::OnceCell;
use wasm_bindgen::{JsCast, JsValue};

thread_local! {
    static CATALOGUE: OnceCell<Option<Function>> = const { OnceCell::new() };
}

/// A text in the user's language.
pub fn spoken(text: &Text) -> String {
    text.spoken(&look_up)
}

fn look_up(key: &str, args: &[String]) -> Option<String> {
    CATALOGUE.with(|known| {
        let get = known.get_or_init(catalogue).as_ref()?;
        let args: Array = args.iter().map(|a| JsValue::from_str(a)).collect();
        let said = get
            .call2(&JsValue::NULL, &key.into(), &args)
            .ok()?
            .as_string()?;
        // An unknown message is an empty string.
        (!said.is_empty()).then_some(said)
    })
}

/// The function that `page.js` offers.
fn catalogue() -> Option<Function> {
    Reflect::get(&js_sys::global(), &"nbmedicMessage".into())
        .ok()?
        .dyn_into()
        .ok()
}
