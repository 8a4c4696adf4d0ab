//! The few browser APIs that a page needs. Both browsers offer them as promises under `chrome`.

use js_sys::{Array, Object, Promise, Reflect};
use serde::{de::DeserializeOwned, Serialize};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = ["chrome", "tabs"], js_name = query, catch)]
    fn tabs_query(query: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(js_namespace = ["chrome", "runtime"], js_name = sendMessage, catch)]
    fn send_message(message: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(js_namespace = ["chrome", "permissions"], js_name = request, catch)]
    fn permissions_request(wanted: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(js_namespace = ["chrome", "permissions"], js_name = contains, catch)]
    fn permissions_contains(wanted: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(js_namespace = ["chrome", "permissions"], js_name = remove, catch)]
    fn permissions_remove(wanted: &JsValue) -> Result<Promise, JsValue>;
}

/// The tab that the popup was opened on.
#[derive(Clone, Debug)]
pub struct Tab {
    /// Its id.
    pub id: f64,
    /// Its address; empty where the browser does not tell.
    pub url: String,
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let o = Object::new();
    for (name, value) in fields {
        // Setting a field of a fresh object can't fail.
        let _ = Reflect::set(&o, &JsValue::from_str(name), value);
    }
    o.into()
}

fn text(value: &JsValue, name: &str) -> String {
    Reflect::get(value, &JsValue::from_str(name))
        .ok()
        .and_then(|v| v.as_string())
        .unwrap_or_default()
}

/// The active tab.
pub async fn active_tab() -> Option<Tab> {
    let query = object(&[("active", JsValue::TRUE), ("currentWindow", JsValue::TRUE)]);
    let tabs = JsFuture::from(tabs_query(&query).ok()?).await.ok()?;
    let tab = Array::from(&tabs).get(0);
    let id = Reflect::get(&tab, &JsValue::from_str("id"))
        .ok()?
        .as_f64()?;
    Some(Tab {
        id,
        url: text(&tab, "url"),
    })
}

/// Asks the background; `None` if it does not answer.
pub async fn ask<T: DeserializeOwned>(message: &impl Serialize) -> Option<T> {
    let json = serde_json::to_string(message).ok()?;
    let message = js_sys::JSON::parse(&json).ok()?;
    let answer = JsFuture::from(send_message(&message).ok()?).await.ok()?;
    let json = js_sys::JSON::stringify(&answer).ok()?.as_string()?;
    serde_json::from_str(&json).ok()
}

/// An origin's match pattern. Firefox's patterns know no ports and match none that has one, so
/// that there a server's permission is its host's.
fn pattern(origin: &str) -> String {
    let firefox = web_sys::window()
        .and_then(|w| w.location().protocol().ok())
        .is_some_and(|p| p == "moz-extension:");
    let host = match origin.rsplit_once(':') {
        Some((host, port)) if firefox && port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => origin,
    };
    format!("{host}/*")
}

fn origins(origins: &[String]) -> JsValue {
    let patterns: Array = origins
        .iter()
        .map(|o| JsValue::from_str(&pattern(o)))
        .collect();
    object(&[("origins", patterns.into())])
}

async fn truth(promise: Result<Promise, JsValue>) -> bool {
    match promise {
        Ok(p) => JsFuture::from(p).await.is_ok_and(|v| v.is_truthy()),
        Err(_) => false,
    }
}

/// Asks the person to allow origins, in one question. Must be called in the click itself: browsers
/// refuse it later.
pub fn request(wanted: &[String]) -> impl std::future::Future<Output = bool> + use<> {
    let promise = permissions_request(&origins(wanted));
    truth(promise)
}

/// Whether origins are allowed, all of them.
pub async fn allowed(wanted: &[String]) -> bool {
    truth(permissions_contains(&origins(wanted))).await
}

/// Takes the permission of origins back.
pub async fn revoke(wanted: &[String]) -> bool {
    truth(permissions_remove(&origins(wanted))).await
}
