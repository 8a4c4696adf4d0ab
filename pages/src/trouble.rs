//! Failures of nbmedic itself, in the popup.

use crate::ask::{append, button, copy, on_click};
use crate::browser;
use crate::render::{draw, element, put};
use nbmedic_protocol::{ActionRequest, ViewRequest};
use nbmedic_tree::{self_report, trouble, Health, Trouble};
use nbmedic_words as words;
use serde::de::IgnoredAny;
use std::future::Future;
use wasm_bindgen_futures::spawn_local;
use web_sys::Element;

/// The failures, with a button that tries again if that may help, and one that copies or saves a
/// report; `None` if nothing failed. `retried` runs after another try was requested.
pub fn section<F: Future<Output = ()> + 'static>(
    list: &[Trouble],
    tab: u32,
    retried: impl Fn() -> F + Clone + 'static,
) -> Option<Element> {
    let section = draw(&trouble(list, js_sys::Date::now())?);
    let row = element("div", "row");
    let said = element("p", "said");
    let _ = said.set_attribute("role", "status");
    if list.iter().any(Trouble::can_retry) {
        let again = button(words::try_again(), "");
        on_click(&again, move || {
            let retried = retried.clone();
            spawn_local(async move {
                let _: Option<IgnoredAny> = browser::ask(ActionRequest::Again { tab }).await;
                retried().await;
            });
        });
        append(&row, &again);
    }
    let report = button(words::copy_self(), "");
    let told = said.clone();
    on_click(&report, move || {
        let told = told.clone();
        spawn_local(async move {
            let health: Option<Health> = browser::ask(ViewRequest::Health {}).await;
            let done = match health {
                Some(health) => copy(&self_report(&health)).await,
                None => false,
            };
            let said = match done {
                true => words::copied_self(),
                false => words::failed_dot(),
            };
            put(&told, said);
        });
    });
    append(&row, &report);
    append(&section, &row);
    append(&section, &said);
    Some(section)
}
