//! The popup: what nbmedic sees on this tab, the report, and whether it may look at this site.

use crate::acts;
use crate::browser::{self, Tab};
use crate::render::{document, draw, element};
use gloo_events::EventListener;
use gloo_timers::future::TimeoutFuture;
use js_sys::Array;
use nbmedic::view::Node;
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{spawn_local, JsFuture};
use web_sys::{Blob, BlobPropertyBag, Element, HtmlAnchorElement, HtmlButtonElement, Url};

/// The only site that is allowed from the start.
const COLAB: &str = "https://colab.research.google.com";

/// How often, and how far apart in milliseconds, the popup looks for a sensor that was let in.
const ARRIVAL_LOOKS: u32 = 10;
const ARRIVAL_MS: u32 = 200;

#[derive(Serialize)]
struct Ask<'a> {
    nbmedic: u8,
    kind: &'a str,
    tab: f64,
    #[serde(skip_serializing_if = "str::is_empty")]
    format: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    origin: &'a str,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Answer {
    tree: Option<Node>,
    text: Option<String>,
    trouble: Option<String>,
    together: Vec<String>,
}

/// Starts the popup.
pub fn start() {
    spawn_local(async {
        let tab = browser::active_tab().await;
        let main = element("main", "popup", "");
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
        append(main, &element("p", "empty", "No tab to look at."));
        return;
    };
    let origin = origin(&tab.url);
    let answer = status(&tab, &origin).await;
    match &answer {
        None => append(
            main,
            &element(
                "p",
                "trouble",
                "nbmedic's background does not answer. Reload the extension.",
            ),
        ),
        Some(answer) => {
            if let Some(trouble) = &answer.trouble {
                append(main, &element("p", "trouble", trouble));
            }
            match &answer.tree {
                Some(tree) => {
                    append(main, &acts::live(draw(tree), tab.id));
                    append(main, &reports(&tab));
                }
                None => append(main, &element("p", "empty", &unseen(&origin))),
            }
        }
    }
    // Where a notebook's page and its cells have two addresses, both are asked for at once.
    let together = answer.map(|a| a.together).filter(|all| !all.is_empty());
    site(
        main,
        &tab,
        &origin,
        together.unwrap_or(vec![origin.clone()]),
    )
    .await;
    let note = "Nothing leaves this browser: no account, no server, no telemetry.";
    append(main, &element("footer", "foot", note));
}

async fn status(tab: &Tab, origin: &str) -> Option<Answer> {
    browser::ask(&Ask {
        nbmedic: 1,
        kind: "status",
        tab: tab.id,
        format: "",
        origin,
    })
    .await
}

/// A sensor that was just let in needs a moment to read its page.
async fn arrival(tab: &Tab) {
    for _ in 0..ARRIVAL_LOOKS {
        if status(tab, "").await.is_some_and(|a| a.tree.is_some()) {
            return;
        }
        TimeoutFuture::new(ARRIVAL_MS).await;
    }
}

fn append(parent: &Element, child: &Element) {
    let _ = parent.append_child(child);
}

fn heading() -> Element {
    let header = element("header", "top", "");
    append(&header, &element("h1", "name", "nbmedic"));
    append(
        &header,
        &element("span", "version", env!("CARGO_PKG_VERSION")),
    );
    header
}

/// What to say where no sensor reports.
fn unseen(origin: &str) -> String {
    if origin == COLAB {
        return "nbmedic does not see a notebook here yet. If one is open, reload the page once."
            .into();
    }
    "nbmedic does not look at this page.".into()
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

async fn site(main: &Element, tab: &Tab, origin: &str, together: Vec<String>) {
    if origin.is_empty() || origin == COLAB {
        return;
    }
    let section = element("section", "site", "");
    let allowed = browser::allowed(&together).await;
    let names = together.join(" and ");
    let words = match (allowed, together.len()) {
        (true, _) => format!("nbmedic may read the notebooks on {names}."),
        (false, 1) => {
            format!("Is this a Jupyter server? Allow nbmedic to read the notebooks on {names}.")
        }
        (false, _) => {
            format!("Allow nbmedic to read the notebooks here: their cells and the page around them are on {names}.")
        }
    };
    append(&section, &element("p", "", &words));
    let label = if allowed {
        "Stop reading this site"
    } else {
        "Allow on this site"
    };
    let button = button(label, if allowed { "quiet" } else { "primary" });
    let (tab, page) = (tab.clone(), main.clone());
    on_click(&button, move || {
        // The request must start in the click itself.
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
            let _: Option<Answer> = browser::ask(&Ask {
                nbmedic: 1,
                kind: "allow-changed",
                tab: tab.id,
                format: "",
                origin: "",
            })
            .await;
            if !allowed {
                arrival(&tab).await;
            }
            Box::pin(show(&page, Some(tab))).await;
        });
    });
    append(&section, &button);
    append(main, &section);
}

/// Buttons that hand out the report.
fn reports(tab: &Tab) -> Element {
    let section = element("section", "reports", "");
    append(&section, &element("h2", "", "Triage report"));
    let row = element("div", "row", "");
    let said = element("p", "said", "");
    let _ = said.set_attribute("role", "status");
    for (label, format, name) in [
        ("Copy as Markdown", "markdown", ""),
        ("Save JSON", "json", "nbmedic-report.json"),
        ("Save HTML", "html", "nbmedic-report.html"),
    ] {
        let b = button(label, "");
        let (id, said) = (tab.id, said.clone());
        on_click(&b, move || {
            let said = said.clone();
            spawn_local(async move {
                let answer: Option<Answer> = browser::ask(&Ask {
                    nbmedic: 1,
                    kind: "report",
                    tab: id,
                    format,
                    origin: "",
                })
                .await;
                let done = match answer.and_then(|a| a.text) {
                    Some(text) if name.is_empty() => copy(&text).await,
                    Some(text) => save(&text, name),
                    None => false,
                };
                said.set_text_content(Some(match (done, name.is_empty()) {
                    (true, true) => "Copied. Read it before you share it.",
                    (true, false) => "Saved. Read it before you share it.",
                    (false, _) => "That did not work: there is no report for this tab.",
                }));
            });
        });
        append(&row, &b);
    }
    append(&section, &row);
    append(&section, &said);
    section
}

fn button(label: &str, class: &str) -> HtmlButtonElement {
    let b: HtmlButtonElement = element("button", class, label).unchecked_into();
    b.set_type("button");
    b
}

fn on_click(target: &HtmlButtonElement, mut f: impl FnMut() + 'static) {
    // The page's elements live as long as the page.
    EventListener::new(target, "click", move |_| f()).forget();
}

/// Puts a text on the clipboard.
pub(crate) async fn copy(text: &str) -> bool {
    let Some(window) = web_sys::window() else {
        return false;
    };
    JsFuture::from(window.navigator().clipboard().write_text(text))
        .await
        .is_ok()
}

/// Offers a text as a download; needs no permission.
pub(crate) fn save(text: &str, name: &str) -> bool {
    let bag = BlobPropertyBag::new();
    bag.set_type(match name.rsplit('.').next() {
        Some("html") => "text/html",
        Some("md") => "text/markdown",
        _ => "application/json",
    });
    let parts = Array::of1(&JsValue::from_str(text));
    let Ok(blob) = Blob::new_with_str_sequence_and_options(&parts, &bag) else {
        return false;
    };
    let Ok(url) = Url::create_object_url_with_blob(&blob) else {
        return false;
    };
    let link: HtmlAnchorElement = element("a", "", "").unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    let _ = Url::revoke_object_url(&url);
    true
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
