//! The few browser APIs that a page needs. Both browsers offer them as promises under `chrome`.

use gloo_utils::window;
use js_sys::{Array, Object, Promise, Reflect};
use nbmedic_protocol::Envelope;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

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
    #[wasm_bindgen(js_namespace = ["chrome", "tabs"], js_name = create, catch)]
    fn tabs_create(options: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(js_namespace = ["chrome", "runtime", "onMessage"], js_name = addListener, catch)]
    fn on_message(listener: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(js_namespace = ["chrome", "tabs", "onActivated"], js_name = addListener, catch)]
    fn tabs_on_activated(listener: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(js_namespace = ["chrome", "runtime"], js_name = openOptionsPage, catch)]
    fn open_options_page() -> Result<Promise, JsValue>;
    #[wasm_bindgen(js_namespace = ["chrome", "commands"], js_name = getAll, catch)]
    fn commands_get_all() -> Result<Promise, JsValue>;
    // Chrome shows its list of shortcuts at an address instead.
    #[wasm_bindgen(js_namespace = ["chrome", "commands"], js_name = openShortcutSettings, catch)]
    fn open_shortcut_settings() -> Result<Promise, JsValue>;
}

/// Calls `f` whenever the background reports that a tab's session changed, with `None` if it does
/// not name the tab. Listens for the page's lifetime.
pub fn on_changed(mut f: impl FnMut(Option<u32>) + 'static) {
    let listener = Closure::<dyn FnMut(JsValue)>::new(move |message: JsValue| {
        if text(&message, "kind") == "changed" {
            let tab = Reflect::get(&message, &JsValue::from_str("tab"));
            f(tab.ok().and_then(|t| number(&t)));
        }
    });
    // A page that can't listen keeps showing what it found when it opened.
    let _ = on_message(listener.as_ref());
    listener.forget();
}

/// Calls `f` whenever another tab becomes active. Listens for the page's lifetime.
pub fn on_activated(f: impl FnMut() + 'static) {
    let listener = Closure::<dyn FnMut()>::new(f);
    let _ = tabs_on_activated(listener.as_ref());
    listener.forget();
}

/// The tab that the popup was opened on.
#[derive(Clone, Debug)]
pub struct Tab {
    /// Its id.
    pub id: u32,
    /// Its address; empty if the browser does not reveal it.
    pub url: String,
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let o = Object::new();
    for (name, value) in fields {
        // Setting a field of a new object can't fail.
        let _ = Reflect::set(&o, &JsValue::from_str(name), value);
    }
    o.into()
}

/// A whole number, such as a tab's id.
fn number(value: &JsValue) -> Option<u32> {
    value.as_f64().map(|n| n as u32)
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
    let id = number(&Reflect::get(&tab, &JsValue::from_str("id")).ok()?)?;
    Some(Tab {
        id,
        url: text(&tab, "url"),
    })
}

/// A keyboard shortcut.
#[derive(Clone, Debug, Deserialize)]
pub struct Shortcut {
    /// What it does, in the browser's language.
    #[serde(default)]
    pub description: String,
    /// Its keys, as the browser writes them; empty if it has none.
    #[serde(default)]
    pub shortcut: String,
}

/// The shortcuts; none in Firefox for Android, which has no keyboard.
pub async fn shortcuts() -> Vec<Shortcut> {
    let Ok(promise) = commands_get_all() else {
        return Vec::new();
    };
    let all = JsFuture::from(promise).await.ok();
    all.and_then(|all| read(&all)).unwrap_or_default()
}

/// Shows where the browser lets the person change shortcuts.
pub async fn change_shortcuts() {
    if is_firefox() {
        truth(open_shortcut_settings()).await;
    } else {
        open_page("chrome://extensions/shortcuts".to_owned()).await;
    }
}

/// Parses JSON; `None` if it is invalid or has another shape.
pub fn parsed<T: DeserializeOwned>(json: &str) -> Option<T> {
    nbmedic_json::parse(json).ok()
}

/// Asks the background; `None` if it does not answer.
pub async fn ask<T: DeserializeOwned>(message: impl Serialize) -> Option<T> {
    read(&answer(message).await?)
}

/// The background's raw answer; `None` if there is none.
pub async fn answer(message: impl Serialize) -> Option<JsValue> {
    let json = serde_json::to_string(&Envelope::new(message)).ok()?;
    let message = js_sys::JSON::parse(&json).ok()?;
    let promise = asked(&message).or_else(|| send_message(&message).ok())?;
    JsFuture::from(promise).await.ok()
}

fn read<T: DeserializeOwned>(value: &JsValue) -> Option<T> {
    parsed(&js_sys::JSON::stringify(value).ok()?.as_string()?)
}

/// A field of an answer.
pub fn field<T: DeserializeOwned>(answer: &JsValue, name: &str) -> Option<T> {
    read(&Reflect::get(answer, &JsValue::from_str(name)).ok()?)
}

/// A field of an answer: a list of JSON texts.
pub fn texts<T: DeserializeOwned>(answer: &JsValue, name: &str) -> Option<Vec<T>> {
    let list: Array = Reflect::get(answer, &JsValue::from_str(name))
        .ok()?
        .dyn_into()
        .ok()?;
    list.iter().map(|text| parsed(&text.as_string()?)).collect()
}

/// The answer to a question that the loader (`page.js`) asked before this module was loaded. Each
/// is returned only once.
fn asked(message: &JsValue) -> Option<Promise> {
    let global = js_sys::global();
    let early = Reflect::get(&global, &"nbmedicAsked".into()).ok()?;
    let json = js_sys::JSON::stringify(message).ok()?.as_string()?;
    if early.is_undefined() || text(&early, "json") != json {
        return None;
    }
    let answer = Reflect::get(&early, &"answer".into()).ok()?;
    let _ = Reflect::set(&global, &"nbmedicAsked".into(), &JsValue::UNDEFINED);
    answer.dyn_into().ok()
}

fn is_firefox() -> bool {
    window()
        .location()
        .protocol()
        .is_ok_and(|p| p == "moz-extension:")
}

/// A JSON file of this package; `None` if it is missing.
pub async fn packaged<T: DeserializeOwned>(path: &str) -> Option<T> {
    parsed(&packaged_text(path).await?)
}

/// The text of a file of this package; `None` if it is missing.
pub async fn packaged_text(path: &str) -> Option<String> {
    let promise = window().fetch_with_str(path);
    let response: Response = JsFuture::from(promise).await.ok()?.dyn_into().ok()?;
    let text = JsFuture::from(response.text().ok()?).await.ok()?;
    text.as_string()
}

/// An origin's match pattern. Firefox's match patterns don't support ports, so a server's
/// permission covers its host there.
fn pattern(origin: &str) -> String {
    let firefox = is_firefox();
    let host = match origin.rsplit_once(':') {
        Some((host, port)) if firefox && port.bytes().all(|b| b.is_ascii_digit()) => host,
        _ => origin,
    };
    format!("{host}/*")
}

fn some(kind: &str, names: impl Iterator<Item = String>) -> JsValue {
    let names: Array = names.map(JsValue::from).collect();
    object(&[(kind, names.into())])
}

fn origins(origins: &[String]) -> JsValue {
    some("origins", origins.iter().map(|o| pattern(o)))
}

async fn truth(promise: Result<Promise, JsValue>) -> bool {
    match promise {
        Ok(p) => JsFuture::from(p).await.is_ok_and(|v| v.is_truthy()),
        Err(_) => false,
    }
}

/// Asks the user to allow origins, in one prompt. Must be called in the click handler: browsers
/// refuse it later.
pub fn request(wanted: &[String]) -> impl std::future::Future<Output = bool> + use<> {
    let promise = permissions_request(&origins(wanted));
    truth(promise)
}

/// Asks the user to allow match patterns, in one prompt. Must be called in the click handler.
pub fn request_patterns(wanted: &[String]) -> impl std::future::Future<Output = bool> + use<> {
    truth(permissions_request(&some(
        "origins",
        wanted.iter().cloned(),
    )))
}

/// Whether all of the origins are allowed.
pub async fn allowed(wanted: &[String]) -> bool {
    truth(permissions_contains(&origins(wanted))).await
}

/// Calls `open` of an interface that only one of the browsers has.
fn opened(root: &str, interface: &str, arguments: &Array) -> Result<Promise, JsValue> {
    let mut at: JsValue = js_sys::global().into();
    for name in [root, interface] {
        at = Reflect::get(&at, &JsValue::from_str(name))?;
    }
    let open: js_sys::Function = Reflect::get(&at, &JsValue::from_str("open"))?.dyn_into()?;
    Reflect::apply(&open, &at, arguments)?.dyn_into()
}

/// Opens the side panel for a tab; if the browser refuses, opens the same page in a tab. Must be
/// called in a click handler.
pub fn open_panel(tab: u32) -> impl std::future::Future<Output = bool> {
    let beside = if is_firefox() {
        opened("browser", "sidebarAction", &Array::new())
    } else {
        let options = object(&[("tabId", JsValue::from(tab))]);
        opened("chrome", "sidePanel", &Array::of1(&options))
    };
    async move {
        if let Ok(opening) = beside {
            if JsFuture::from(opening).await.is_ok() {
                return true;
            }
        }
        open_page(format!("panel.html?tab={tab}")).await;
        true
    }
}

/// The origin of an address as people write it: with or without a scheme, with or without a path.
pub fn address(text: &str) -> Option<String> {
    let text = text.trim();
    // Some browsers accept invalid hosts.
    if text.contains(char::is_whitespace) {
        return None;
    }
    let whole = match text.contains("://") {
        true => text.to_owned(),
        // A server on this machine, or on a port of its own, seldom has a certificate.
        false if text.starts_with("localhost") || text.starts_with("127.") => {
            format!("http://{text}")
        }
        false => format!("https://{text}"),
    };
    let url = web_sys::Url::new(&whole).ok()?;
    let known = matches!(url.protocol().as_str(), "http:" | "https:");
    (known && !url.hostname().is_empty()).then(|| url.origin())
}

/// Stores the theme for `page.js`, which applies it before the background answers.
pub fn remember_theme(theme: &str) {
    let storage = window().local_storage().ok().flatten();
    let root = crate::render::document().document_element();
    let known = matches!(theme, "light" | "dark");
    if let Some(storage) = storage {
        // Without it the page briefly has the system's theme.
        let _ = match known {
            true => storage.set_item("theme", theme),
            false => storage.remove_item("theme"),
        };
    }
    if let Some(root) = root {
        let _ = match known {
            true => root.set_attribute("data-theme", theme),
            false => root.remove_attribute("data-theme"),
        };
    }
}

/// Opens an address, or one of the extension's pages, in a new tab.
pub async fn open_page(address: String) {
    let url = JsValue::from_str(&address);
    // If no tab can be opened, there is nowhere to report it.
    truth(tabs_create(&object(&[("url", url)]))).await;
}

/// A parameter of the page's own address.
pub fn asked_for(name: &str) -> Option<String> {
    let search = window().location().search().ok()?;
    let mut parts = search.strip_prefix('?')?.split('&');
    let value = parts.find_map(|p| p.strip_prefix(name)?.strip_prefix('='))?;
    Some(value.to_owned())
}

/// Revokes the permission for origins.
pub async fn revoke(wanted: &[String]) -> bool {
    truth(permissions_remove(&origins(wanted))).await
}

/// Revokes the permission for a match pattern.
pub async fn revoke_pattern(pattern: &str) -> bool {
    truth(permissions_remove(&some(
        "origins",
        [pattern.to_owned()].into_iter(),
    )))
    .await
}

/// Asks the user for one of the optional permissions. Must be called in the click handler.
pub fn request_permission(name: &str) -> impl std::future::Future<Output = bool> {
    let promise = permissions_request(&some("permissions", [name.to_owned()].into_iter()));
    truth(promise)
}

/// Opens the options in a tab.
pub async fn open_options() {
    if let Ok(promise) = open_options_page() {
        // If no tab can be opened, there is nowhere to report it.
        let _ = JsFuture::from(promise).await;
    }
}
