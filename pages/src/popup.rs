//! The popup: what nbmedic sees on this tab, the report, and whether it may look at this site.

use crate::acts;
use crate::ask::{append, button, on_click};
use crate::browser::{self, Tab};
use crate::render::{document, draw, element, worded};
use crate::trouble;
use gloo_events::EventListener;
use gloo_timers::future::TimeoutFuture;
use gloo_utils::window;
use nbmedic_protocol::{ActionRequest, Status, ViewRequest};
use nbmedic_tree::Trouble;
use nbmedic_words::{self as words, foreign, Say};
use serde::de::IgnoredAny;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlInputElement};

/// The only site that is allowed by default, unless the browser asks for it too.
const COLAB: &str = "https://colab.research.google.com";

/// How often, and at what interval in milliseconds, the popup looks for a sensor that was just
/// allowed.
const ARRIVAL_LOOKS: u32 = 10;
const ARRIVAL_MS: u32 = 200;

/// Starts the popup.
pub fn start() {
    spawn_local(async {
        let tab = browser::active_tab().await;
        let main = element("main", "popup");
        show(&main, tab).await;
        if let Some(body) = document().body() {
            body.replace_children_with_node_1(&main);
        }
    });
}

async fn show(main: &Element, tab: Option<Tab>) {
    main.set_text_content(None);
    append(main, &heading());
    let Some(tab) = tab else {
        append(main, &worded("p", "empty", words::no_tab()));
        return;
    };
    let origin = origin(&tab.url);
    let answer = status(&tab, &origin).await;
    // If a notebook's page and its cells have different addresses, both are requested at once.
    let together = answer.as_ref().map(|a| a.together.clone());
    let together = together
        .filter(|all| !all.is_empty())
        .unwrap_or(vec![origin.clone()]);
    let allowed = !origin.is_empty() && browser::allowed(&together).await;
    let off = answer.as_ref().is_some_and(|a| a.off);
    if allowed {
        append(main, &switch(main, &tab, &origin, off));
    }
    match answer {
        None => append(main, &worded("p", "trouble", words::no_answer())),
        Some(answer) => {
            if !answer.withheld.is_empty() {
                frames(main, &tab, answer.withheld.clone());
            }
            match &answer.tree {
                Some(tree) => {
                    append(main, &acts::live(draw(tree), tab.id));
                    append(main, &actions(&tab));
                    append(main, &crate::probe::section(tab.id));
                }
                // The engine failed or is switched off, which is already shown.
                None if answer.troubles.iter().any(Trouble::can_retry) || off => {}
                None => append(main, &worded("p", "empty", unseen(&origin, allowed))),
            }
            let (page, again) = (main.clone(), tab.clone());
            let retry = move || {
                let (page, tab) = (page.clone(), again.clone());
                async move {
                    arrival(&tab).await;
                    Box::pin(show(&page, Some(tab))).await;
                }
            };
            if let Some(section) = trouble::section(&answer.troubles, tab.id, retry) {
                append(main, &section);
            }
        }
    }
    site(main, &tab, &origin, together, allowed);
    append(main, &foot());
}

/// A button that turns nbmedic on or off at this address, without changing the permission.
fn switch(main: &Element, tab: &Tab, origin: &str, off: bool) -> Element {
    let line = element("label", "switch");
    let host = origin.split("//").last().unwrap_or(origin);
    let words = match off {
        true => words::off_for(foreign(host)),
        false => words::on_for(foreign(host)),
    };
    let check: HtmlInputElement = element("input", "").unchecked_into();
    check.set_type("checkbox");
    let _ = check.set_attribute("role", "switch");
    check.set_checked(!off);
    append(&line, &check);
    append(&line, &worded("span", "", words));
    let (main, tab, origin) = (main.clone(), tab.clone(), origin.to_owned());
    EventListener::new(&check.clone(), "change", move |_| {
        let on = check.checked();
        let (main, tab, origin) = (main.clone(), tab.clone(), origin.clone());
        spawn_local(async move {
            let turn = ActionRequest::Turn { origin, on };
            let _: Option<Status> = browser::ask(&turn).await;
            if on {
                arrival(&tab).await;
            }
            Box::pin(show(&main, Some(tab))).await;
        });
    })
    .forget();
    line
}

fn foot() -> Element {
    let foot = worded("footer", "foot", words::nothing_leaves());
    let history = button(words::history(), "link");
    on_click(&history, || {
        spawn_local(browser::open_page("history.html".to_owned()));
    });
    append(&foot, &history);
    let options = button(words::options(), "link");
    on_click(&options, || spawn_local(browser::open_options()));
    append(&foot, &options);
    foot
}

async fn status(tab: &Tab, origin: &str) -> Option<Status> {
    browser::ask(ViewRequest::Status {
        tab: tab.id,
        origin: origin.to_owned(),
    })
    .await
}

/// Waits for a sensor that was just allowed to read its page.
async fn arrival(tab: &Tab) {
    for _ in 0..ARRIVAL_LOOKS {
        if status(tab, "").await.is_some_and(|a| a.tree.is_some()) {
            return;
        }
        TimeoutFuture::new(ARRIVAL_MS).await;
    }
}

fn heading() -> Element {
    let header = element("header", "top");
    append(&header, &worded("h1", "name", foreign("nbmedic")));
    append(
        &header,
        &worded("span", "version", foreign(env!("CARGO_PKG_VERSION"))),
    );
    header
}

/// The message for a tab without a sensor.
fn unseen(origin: &str, allowed: bool) -> Say {
    match (origin.is_empty(), allowed) {
        (true, _) => words::browser_page(),
        (_, true) => words::no_notebook_yet(),
        (_, false) => words::not_allowed_yet(),
    }
}

/// Scheme, host and port of an address; empty if it has none.
fn origin(url: &str) -> String {
    let scheme = if url.starts_with("https://") {
        "https://"
    } else {
        "http://"
    };
    match url.strip_prefix(scheme) {
        Some(rest) => format!(
            "{scheme}{}",
            rest.split(['/', '?', '#']).next().unwrap_or("")
        ),
        None => String::new(),
    }
}

fn site(main: &Element, tab: &Tab, origin: &str, together: Vec<String>, allowed: bool) {
    if origin.is_empty() || (origin == COLAB && allowed) {
        return;
    }
    let section = element("section", "site");
    let sites = together.iter().map(|site| foreign(site.as_str()));
    let sites = sites
        .reduce(|a, b| words::and(a, b).into())
        .unwrap_or_default();
    let words = match (allowed, origin == COLAB, together.len()) {
        (true, ..) => words::may_read_on(sites),
        (_, true, _) => words::withheld(sites),
        (_, _, 1) => words::is_jupyter(sites),
        _ => words::allow_together(sites),
    };
    append(&section, &worded("p", "", words));
    let label = if allowed {
        words::stop_site()
    } else {
        words::allow_site()
    };
    let button = button(label, if allowed { "quiet" } else { "primary" });
    let (tab, page) = (tab.clone(), main.clone());
    on_click(&button, move || {
        // The request must start in the click handler.
        let wanted = (!allowed).then(|| browser::request(&together));
        let (tab, together, page) = (tab.clone(), together.clone(), page.clone());
        spawn_local(async move {
            match wanted {
                Some(answer) => {
                    answer.await;
                }
                None => {
                    browser::revoke(&together).await;
                }
            }
            let _: Option<IgnoredAny> = browser::ask(ActionRequest::AllowChanged {}).await;
            if !allowed {
                arrival(&tab).await;
            }
            Box::pin(show(&page, Some(tab))).await;
        });
    });
    append(&section, &button);
    append(main, &section);
}

/// Explains that the browser withholds frames of an allowed page, and offers to request them.
fn frames(main: &Element, tab: &Tab, patterns: Vec<String>) {
    let section = element("section", "site withheld");
    append(&section, &worded("p", "trouble", words::frames_withheld()));
    let button = button(words::allow_frames(), "primary");
    let (tab, page) = (tab.clone(), main.clone());
    on_click(&button, move || {
        // The request must start in the click handler.
        let wanted = browser::request_patterns(&patterns);
        let (tab, page) = (tab.clone(), page.clone());
        spawn_local(async move {
            wanted.await;
            let _: Option<IgnoredAny> = browser::ask(ActionRequest::AllowChanged {}).await;
            Box::pin(show(&page, Some(tab))).await;
        });
    });
    append(&section, &button);
    append(main, &section);
}

/// What leads on from here: the panel and the report.
fn actions(tab: &Tab) -> Element {
    let row = element("section", "actions");
    let panel = button(words::show_panel(), "");
    let id = tab.id;
    on_click(&panel, move || {
        // The panel must be opened in the click handler.
        let opening = browser::open_panel(id);
        spawn_local(async move {
            if opening.await {
                let _ = window().close();
            }
        });
    });
    append(&row, &panel);
    append(&row, &crate::report::open(tab.id));
    row
}

#[cfg(test)]
mod tests {
    use super::origin;

    #[test]
    fn origins_end_before_the_path() {
        assert_eq!(
            origin("http://localhost:8888/lab?x#y"),
            "http://localhost:8888"
        );
        assert_eq!(
            origin("https://hub.example.org/user/a/lab"),
            "https://hub.example.org"
        );
        assert_eq!(origin("about:blank"), "");
    }
}
