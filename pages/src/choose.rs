//! Controls of the options; the welcome page has one of them.

use crate::ask::{append, button};
use crate::browser;
use crate::render::{element, put, worded};
use gloo_events::{EventListener, EventListenerOptions};
use nbmedic_words::{self as words, Say};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
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

/// The field in which a Jupyter server's address is allowed. `told` hears that it was, and gets the line that says how it
/// went.
pub(crate) fn address(told: impl Fn(&Element) + Clone + 'static) -> Element {
    let form = element("form", "add");
    let line = element("label", "");
    append(&line, &worded("span", "", words::add_address()));
    let input: HtmlInputElement = element("input", "").unchecked_into();
    input.set_type("text");
    input.set_id("address");
    input.set_placeholder("http://localhost:8888");
    for (name, value) in [("inputmode", "url"), ("autocomplete", "off")] {
        let _ = input.set_attribute(name, value);
    }
    let _ = input.set_attribute("spellcheck", "false");
    append(&line, &input);
    append(&form, &line);
    let allow = button(words::allow(), "primary");
    allow.set_type("submit");
    append(&form, &allow);
    let said = element("p", "said");
    let _ = said.set_attribute("role", "status");
    append(&form, &said);
    EventListener::new_with_options(
        &form,
        "submit",
        EventListenerOptions::enable_prevent_default(),
        move |event| {
            event.prevent_default();
            let Some(origin) = browser::address(&input.value()) else {
                put(&said, words::no_address());
                let _ = input.focus();
                return;
            };
            // The request must start in the click handler.
            let wanted = browser::request(&[origin]);
            let (told, said) = (told.clone(), said.clone());
            spawn_local(async move {
                if wanted.await {
                    told(&said);
                } else {
                    put(&said, words::not_given());
                }
            });
        },
    )
    .forget();
    form
}
