//! The options: where nbmedic reads, when it warns, what is muted, how it looks, and what is stored.

use crate::ask::{append, button, on_click, Ask, Settings};
use crate::browser;
use crate::choose::{choice, tick};
use crate::render::{document, element, label, put};
use gloo_events::EventListener;
use nbmedic_tree::Usage;
use serde::de::IgnoredAny;
use serde::Deserialize;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlElement, HtmlInputElement};

/// The only site that is read from the start.
const COLAB: &str = "https://colab.research.google.com";

#[derive(Default, Deserialize)]
#[serde(default)]
struct Options {
    allowed: Vec<String>,
    notify: bool,
    usage: Usage,
    muted: Vec<Muted>,
    set: Settings,
}

/// What is muted: a diagnosis, or with a name a cell.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Muted {
    id: String,
    name: String,
}

/// The page, and where the focus belongs after it is drawn anew.
struct Page {
    main: Element,
}

/// Starts the options page.
pub fn start() {
    spawn_local(async {
        let main = element("main", "options", "");
        if let Some(body) = document().body() {
            body.replace_children_with_node_1(&main);
        }
        show(&Rc::new(Page { main })).await;
    });
}

async fn show(page: &Rc<Page>) {
    let options: Option<Options> = browser::ask(&Ask::plain("options")).await;
    let main = &page.main;
    let focus = focused();
    main.set_text_content(None);
    append(main, &element("h1", "name", "nbmedic: options"));
    let Some(options) = options else {
        let words = "nbmedic's background does not answer. Reload the extension.";
        append(main, &element("p", "trouble", words));
        return;
    };
    append(main, &sites(page, &options.allowed, &options.set.off));
    append(main, &warnings(page, &options.set));
    append(main, &muted(page, &options.muted));
    append(main, &look(page, &options.set));
    append(main, &notices(page, options.notify));
    append(main, &stored(page, options.usage));
    append(main, &reset(page));
    if let Some(id) = focus {
        focus_again(&id);
    }
}

/// The name of what has the focus, to give it back after the page was drawn anew.
fn focused() -> Option<String> {
    let id = document().active_element()?.id();
    (!id.is_empty()).then_some(id)
}

fn focus_again(id: &str) {
    let found = document().get_element_by_id(id);
    if let Some(e) = found.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
        let _ = e.focus();
    }
}

fn part(id: &str, title: &str, words: &str) -> Element {
    let section = element("section", "part", "");
    let heading = element("h2", "", title);
    heading.set_id(id);
    let _ = section.set_attribute("aria-labelledby", id);
    append(&section, &heading);
    if !words.is_empty() {
        append(&section, &element("p", "", words));
    }
    section
}

/// Tells the background, and shows the page as it is then.
fn tell(page: &Rc<Page>, ask: impl FnOnce() -> Ask<'static> + 'static) {
    let page = page.clone();
    spawn_local(async move {
        let _: Option<IgnoredAny> = browser::ask(&ask()).await;
        show(&page).await;
    });
}

/// Keeps changed settings.
fn keep(page: &Rc<Page>, set: Settings) {
    browser::remember_theme(&set.theme);
    tell(page, move || Ask::plain("set").set(set));
}

fn sites(page: &Rc<Page>, allowed: &[String], off: &[String]) -> Element {
    let section = part("sites", "Where nbmedic may read notebooks", "");
    let list = element("ul", "sites", "");
    let row = |what: &str, words: &str, click: Box<dyn Fn()>| {
        let item = element("li", "", "");
        append(&item, &element("code", "", what));
        let b = button(words, "quiet");
        label(&b, &format!("{words}: {what}"));
        on_click(&b, click);
        append(&item, &b);
        append(&list, &item);
    };
    let turn = |origin: &str, on: bool| -> Box<dyn Fn()> {
        let (page, origin) = (page.clone(), origin.to_owned());
        Box::new(move || {
            let (page, origin) = (page.clone(), origin.clone());
            spawn_local(async move {
                let ask = Ask::plain("turn").origin(&origin).switch(on);
                let _: Option<IgnoredAny> = browser::ask(&ask).await;
                show(&page).await;
            });
        })
    };
    if !off.iter().any(|o| o == COLAB) {
        row(COLAB, "Switch off", turn(COLAB, false));
    }
    for pattern in allowed {
        let (page, pattern) = (page.clone(), pattern.clone());
        let shown = pattern.clone();
        let stop = move || {
            let (page, pattern) = (page.clone(), pattern.clone());
            spawn_local(async move {
                browser::revoke_pattern(&pattern).await;
                tell(&page, || Ask::plain("allow-changed"));
            });
        };
        row(&shown, "Stop reading", Box::new(stop));
    }
    for origin in off {
        row(origin, "Switch on again", turn(origin, true));
    }
    append(&section, &list);
    append(&section, &add(page));
    section
}

/// The field for another address.
fn add(page: &Rc<Page>) -> Element {
    let form = element("form", "add", "");
    let line = element("label", "", "");
    append(
        &line,
        &element("span", "", "Allow a Jupyter server, by its address"),
    );
    let input: HtmlInputElement = element("input", "", "").unchecked_into();
    input.set_type("text");
    input.set_id("address");
    input.set_placeholder("http://localhost:8888");
    for (name, value) in [("inputmode", "url"), ("autocomplete", "off")] {
        let _ = input.set_attribute(name, value);
    }
    let _ = input.set_attribute("spellcheck", "false");
    append(&line, &input);
    append(&form, &line);
    let allow = button("Allow", "primary");
    allow.set_type("submit");
    append(&form, &allow);
    let said = element("p", "said", "");
    let _ = said.set_attribute("role", "status");
    append(&form, &said);
    let page = page.clone();
    EventListener::new_with_options(
        &form,
        "submit",
        gloo_events::EventListenerOptions::enable_prevent_default(),
        move |event| {
            event.prevent_default();
            let Some(origin) = browser::address(&input.value()) else {
                put(&said, "That is no address of a web page.");
                let _ = input.focus();
                return;
            };
            // The request must start in the click itself.
            let wanted = browser::request(&[origin]);
            let (page, said) = (page.clone(), said.clone());
            spawn_local(async move {
                if wanted.await {
                    tell(&page, || Ask::plain("allow-changed"));
                } else {
                    put(&said, "The browser was not asked to allow it, or said no.");
                }
            });
        },
    )
    .forget();
    form
}

fn warnings(page: &Rc<Page>, set: &Settings) -> Element {
    let words =
        "Beside explaining what failed, nbmedic warns of what is about to fail, as far as it can tell.";
    let section = part("warnings", "Warnings", words);
    let limits = &set.limits;
    let change = |apply: fn(&mut Settings, u32)| {
        let (page, set) = (page.clone(), set.clone());
        move |value: u32| {
            let mut set = set.clone();
            apply(&mut set, value);
            keep(&page, set);
        }
    };
    let warn = tick("warn", "Warn before something fails", !limits.quiet, {
        let (page, set) = (page.clone(), set.clone());
        move |on| {
            let mut set = set.clone();
            set.limits.quiet = !on;
            keep(&page, set);
        }
    });
    append(&section, &warn);
    let minutes = |n: u32| match n {
        0 => "never".to_owned(),
        n => format!("{n} minutes before"),
    };
    let rows = [
        choice(
            "memory",
            "RAM or GPU memory will be full",
            &[0, 5, 10, 15, 30, 60],
            limits.memory,
            minutes,
            change(|s, n| s.limits.memory = n),
        ),
        choice(
            "disk",
            "The disk will be full",
            &[0, 10, 30, 60, 120],
            limits.disk,
            minutes,
            change(|s, n| s.limits.disk = n),
        ),
        choice(
            "full",
            "Only once it is in use by",
            &[0, 25, 50, 75, 90],
            limits.full,
            |n| format!("{n} % or more"),
            change(|s, n| s.limits.full = n),
        ),
        choice(
            "unsaved",
            "A cell runs long and saves nothing",
            &[0, 30, 60, 90, 180],
            limits.unsaved,
            |n| match n {
                0 => "never".to_owned(),
                n => format!("after {n} minutes"),
            },
            change(|s, n| s.limits.unsaved = n),
        ),
    ];
    let list = element("div", "choices", "");
    for row in rows {
        if limits.quiet {
            if let Ok(Some(select)) = row.query_selector("select") {
                let _ = select.set_attribute("disabled", "");
            }
        }
        append(&list, &row);
    }
    append(&section, &list);
    section
}

fn muted(page: &Rc<Page>, list: &[Muted]) -> Element {
    let words = match list.is_empty() {
        true => "Nothing. A diagnosis, or a cell, is muted in the popup of nbmedic's button.",
        false => "No card is shown for these, on any page:",
    };
    let section = part("muted", "Muted", words);
    let items = element("ul", "sites muted", "");
    for one in list {
        let item = element("li", "", "");
        let what = element("span", "", "");
        if one.name.is_empty() {
            append(&what, &element("code", "", &one.id));
        } else {
            append(&what, &element("span", "kind", "A cell that begins with"));
            append(&what, &element("code", "", &one.name));
        }
        append(&item, &what);
        let again = button("Show again", "quiet");
        let name = match one.name.is_empty() {
            true => &one.id,
            false => &one.name,
        };
        label(&again, &format!("Show again: {name}"));
        let (page, id) = (page.clone(), one.id.clone());
        on_click(&again, move || {
            let (page, id) = (page.clone(), id.clone());
            spawn_local(async move {
                let _: Option<IgnoredAny> = browser::ask(&Ask::plain("unmute").id(&id)).await;
                show(&page).await;
            });
        });
        append(&item, &again);
        append(&items, &item);
    }
    if !list.is_empty() {
        append(&section, &items);
    }
    section
}

fn look(page: &Rc<Page>, set: &Settings) -> Element {
    let words = "For cards, popup, panel and these options.";
    let section = part("look", "Colours", words);
    let themes = ["system", "light", "dark"];
    let now = themes.iter().position(|t| *t == set.theme).unwrap_or(0);
    let (page, set) = (page.clone(), set.clone());
    let row = choice(
        "theme",
        "Theme",
        &[0, 1, 2],
        now as u32,
        |n| match n {
            1 => "Light".to_owned(),
            2 => "Dark".to_owned(),
            _ => "As the notebook and the system".to_owned(),
        },
        move |n| {
            let mut set = set.clone();
            themes[n as usize % 3].clone_into(&mut set.theme);
            keep(&page, set);
        },
    );
    let list = element("div", "choices", "");
    append(&list, &row);
    append(&section, &list);
    section
}

fn notices(page: &Rc<Page>, on: bool) -> Element {
    let section = part(
        "notices",
        "Notifications",
        "A crash in a tab that you don't look at shows as a number on nbmedic's button.",
    );
    let page = page.clone();
    let words = "Tell me with a system notification as well";
    let check = tick("notify", words, on, move |on| {
        // The request must start in the click itself.
        let wanted = on.then(|| browser::request_permission("notifications"));
        let page = page.clone();
        spawn_local(async move {
            let on = match wanted {
                Some(answer) => answer.await,
                None => false,
            };
            tell(&page, move || Ask::plain("set-notify").switch(on));
        });
    });
    append(&section, &check);
    section
}

fn stored(page: &Rc<Page>, usage: Usage) -> Element {
    let thousand = (usage.size / 1e3).round() as u64;
    let amount = match usage.pages {
        1 => format!("1 page and {thousand} thousand characters of events are kept."),
        n => format!("{n} pages and {thousand} thousand characters of events are kept."),
    };
    let section = part("stored", "What is stored in this browser", &amount);
    let words = "Without secrets and names. At most 96 million characters are kept, a page for 7 days at most and \
                 only while its tab is open; of private windows nothing is.";
    append(&section, &element("p", "soft", words));
    let forget = button("Forget everything", "");
    forget.set_id("forget");
    let page = page.clone();
    on_click(&forget, move || tell(&page, || Ask::plain("forget-all")));
    append(&section, &forget);
    section
}

/// Everything as on the first day, after a second click.
fn reset(page: &Rc<Page>) -> Element {
    let words =
        "What is stored, muted and set is deleted, addresses that you allowed are given back.";
    let section = part("reset", "As on the first day", words);
    let ask = button("Reset nbmedic…", "");
    ask.set_id("reset-ask");
    append(&section, &ask);
    let sure = element("div", "sure", "");
    let _ = sure.set_attribute("role", "group");
    let _ = sure.set_attribute("aria-labelledby", "reset-sure");
    let _ = sure.set_attribute("hidden", "");
    let question = element("p", "", "This can't be undone. Reset nbmedic?");
    question.set_id("reset-sure");
    append(&sure, &question);
    let yes = button("Reset", "danger");
    yes.set_id("reset-yes");
    let no = button("Keep everything", "");
    append(&sure, &yes);
    append(&sure, &no);
    append(&section, &sure);
    let (box_, first, focus) = (sure.clone(), ask.clone(), no.clone());
    on_click(&ask, move || {
        let _ = box_.remove_attribute("hidden");
        let _ = first.set_attribute("hidden", "");
        let _ = focus.focus();
    });
    let first = ask.clone();
    on_click(&no, move || {
        let _ = sure.set_attribute("hidden", "");
        let _ = first.remove_attribute("hidden");
        let _ = first.focus();
    });
    let page = page.clone();
    on_click(&yes, move || {
        browser::remember_theme("system");
        tell(&page, || Ask::plain("reset"));
    });
    section
}
