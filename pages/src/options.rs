//! The options: where nbmedic may read, notifications, and what is stored.

use crate::ask::{append, button, on_click, Ask};
use crate::browser;
use crate::render::{document, element};
use gloo_events::EventListener;
use nbmedic::view::Usage;
use nbmedic_catalogc::{json::Json, readable};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlInputElement};

#[derive(Default)]
struct Options {
    allowed: Vec<String>,
    notify: bool,
    usage: Usage,
}

readable!(Options { "allowed" => allowed, "notify" => notify, "usage" => usage });

/// Starts the options page.
pub fn start() {
    spawn_local(async {
        let main = element("main", "options", "");
        if let Some(body) = document().body() {
            body.replace_children_with_node_1(&main);
        }
        show(&main).await;
    });
}

async fn show(main: &Element) {
    let options: Option<Options> = browser::ask(&Ask::plain("options")).await;
    main.set_text_content(None);
    append(main, &element("h1", "name", "nbmedic: options"));
    let Some(options) = options else {
        let words = "nbmedic's background does not answer. Reload the extension.";
        append(main, &element("p", "trouble", words));
        return;
    };
    append(main, &sites(main, &options.allowed));
    append(main, &notices(main, options.notify));
    append(main, &stored(main, options.usage));
}

fn part(title: &str, words: &str) -> Element {
    let section = element("section", "part", "");
    append(&section, &element("h2", "", title));
    append(&section, &element("p", "", words));
    section
}

/// Shows the page as it is after a change.
fn renewed(main: &Element) {
    let main = main.clone();
    spawn_local(async move { show(&main).await });
}

fn sites(main: &Element, allowed: &[String]) -> Element {
    let words = if allowed.is_empty() {
        "Google Colab, and no other address. To add one, click nbmedic's button on its tab."
    } else {
        "Google Colab, and these addresses that you allowed:"
    };
    let section = part("Where nbmedic may read notebooks", words);
    let list = element("ul", "sites", "");
    for pattern in allowed {
        let item = element("li", "", "");
        append(&item, &element("code", "", pattern));
        let stop = button("Stop reading", "quiet");
        let _ = stop.set_attribute("aria-label", &format!("Stop reading {pattern}"));
        let (pattern, main) = (pattern.clone(), main.clone());
        on_click(&stop, move || {
            let (pattern, main) = (pattern.clone(), main.clone());
            spawn_local(async move {
                browser::revoke_pattern(&pattern).await;
                let _: Option<Json> = browser::ask(&Ask::plain("allow-changed")).await;
                renewed(&main);
            });
        });
        append(&item, &stop);
        append(&list, &item);
    }
    append(&section, &list);
    section
}

fn notices(main: &Element, on: bool) -> Element {
    let section = part(
        "Notifications",
        "A crash in a tab that you don't look at shows as a number on nbmedic's button.",
    );
    let label = element("label", "check", "");
    let check: HtmlInputElement = element("input", "", "").unchecked_into();
    check.set_type("checkbox");
    check.set_checked(on);
    append(&label, &check);
    append(
        &label,
        &element("span", "", "Tell me with a system notification as well"),
    );
    append(&section, &label);
    let main = main.clone();
    EventListener::new(&check.clone(), "change", move |_| {
        let on = check.checked();
        // The request must start in the click itself.
        let wanted = on.then(|| browser::request_permission("notifications"));
        let main = main.clone();
        spawn_local(async move {
            let on = match wanted {
                Some(answer) => answer.await,
                None => false,
            };
            let _: Option<Json> = browser::ask(&Ask::plain("set-notify").switch(on)).await;
            renewed(&main);
        });
    })
    .forget();
    section
}

fn stored(main: &Element, usage: Usage) -> Element {
    let words = format!(
        "{} and {} thousand characters of events, without secrets and names. At most 96 million are \
         kept, a page for 7 days at most and only while its tab is open; of private windows nothing is.",
        match usage.pages {
            1 => "1 page".to_owned(),
            n => format!("{n} pages"),
        },
        (usage.size / 1e3).round(),
    );
    let section = part("What is stored in this browser", &words);
    let forget = button("Forget everything", "");
    let main = main.clone();
    on_click(&forget, move || {
        let main = main.clone();
        spawn_local(async move {
            let _: Option<Json> = browser::ask(&Ask::plain("forget-all")).await;
            renewed(&main);
        });
    });
    append(&section, &forget);
    section
}
