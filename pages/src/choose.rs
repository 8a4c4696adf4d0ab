//! Controls of the options.

use crate::ask::append;
use crate::render::{element, worded};
use gloo_events::EventListener;
use nbmedic_words::Say;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, HtmlOptionElement, HtmlSelectElement};

/// A checkbox with a label. `told` receives its new state.
pub(crate) fn tick(id: &str, words: Say, on: bool, told: impl Fn(bool) + 'static) -> Element {
    let line = element("label", "check");
    let check: HtmlInputElement = element("input", "").unchecked_into();
    check.set_type("checkbox");
    check.set_id(&format!("set-{id}"));
    check.set_checked(on);
    append(&line, &check);
    append(&line, &worded("span", "", words));
    // The page's elements live as long as the page.
    EventListener::new(&check.clone(), "change", move |_| told(check.checked())).forget();
    line
}

/// A choice of values with a label. A present value that is not in the list is offered too.
pub(crate) fn choice(
    id: &str,
    words: Say,
    values: &[u32],
    now: u32,
    say: impl Fn(u32) -> Say,
    told: impl Fn(u32) + 'static,
) -> Element {
    let line = element("label", "choice");
    append(&line, &worded("span", "", words));
    let select: HtmlSelectElement = element("select", "").unchecked_into();
    select.set_id(&format!("set-{id}"));
    let mut values = values.to_vec();
    if !values.contains(&now) {
        values.insert(values.partition_point(|v| *v < now), now);
    }
    for value in values {
        let option: HtmlOptionElement = worded("option", "", say(value)).unchecked_into();
        option.set_value(&value.to_string());
        option.set_default_selected(value == now);
        append(&select, &option);
    }
    append(&line, &select);
    EventListener::new(&select.clone(), "change", move |_| {
        if let Ok(value) = select.value().parse() {
            told(value);
        }
    })
    .forget();
    line
}
