//! The options: where nbmedic reads, when it warns, what is muted, how it looks, and what is stored.

use crate::ask::{append, button, on_click};
use crate::browser;
use crate::choose::{address, choice, tick};
use crate::render::{document, element, label, worded};
use nbmedic_protocol::{ActionRequest, Muted, Options, Settings, ViewRequest};
use nbmedic_tree::Usage;
use nbmedic_words::{self as words, foreign, Say};
use serde::de::IgnoredAny;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlElement};

/// The only site that is read by default.
const COLAB: &str = "https://colab.research.google.com";

/// The page, and the element to focus after a redraw.
struct Page {
    main: Element,
}

/// Starts the options page.
pub fn start() {
    spawn_local(async {
        let main = element("main", "options");
        if let Some(body) = document().body() {
            body.replace_children_with_node_1(&main);
        }
        show(&Rc::new(Page { main })).await;
    });
}

async fn show(page: &Rc<Page>) {
    let options: Option<Options> = browser::ask(ViewRequest::Options {}).await;
    let main = &page.main;
    let focus = focused();
    main.set_text_content(None);
    append(main, &worded("h1", "name", words::title_options()));
    let Some(options) = options else {
        append(main, &worded("p", "trouble", words::no_answer()));
        return;
    };
    append(main, &sites(page, &options.allowed, &options.set.off));
    append(main, &warnings(page, &options.set));
    append(main, &muted(page, &options.muted));
    append(main, &look(page, &options.set));
    append(main, &notices(page, options.notify));
    let keys = element("div", "");
    append(main, &keys);
    append(main, &stored(page, options.usage));
    append(main, &reset(page));
    if let Some(section) = shortcuts(&browser::shortcuts().await) {
        let _ = keys.replace_with_with_node_1(&section);
    }
    if let Some(id) = focus {
        focus_again(&id);
    }
}

/// The name of the focused element, to restore the focus after a redraw.
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

fn part(id: &str, title: Say, words: Option<Say>) -> Element {
    let section = element("section", "part");
    let heading = worded("h2", "", title);
    heading.set_id(id);
    let _ = section.set_attribute("aria-labelledby", id);
    append(&section, &heading);
    if let Some(words) = words {
        append(&section, &worded("p", "", words));
    }
    section
}

/// Sends a request to the background, then shows the new state.
fn tell(page: &Rc<Page>, ask: ActionRequest) {
    let page = page.clone();
    spawn_local(async move {
        let _: Option<IgnoredAny> = browser::ask(ask).await;
        show(&page).await;
    });
}

/// Saves changed settings.
fn keep(page: &Rc<Page>, set: Settings) {
    browser::remember_theme(&set.theme);
    tell(page, ActionRequest::Set { set });
}

fn sites(page: &Rc<Page>, allowed: &[String], off: &[String]) -> Element {
    let section = part("sites", words::sites(), None);
    let list = element("ul", "sites");
    let row = |what: &str, turn: Say, click: Box<dyn Fn()>| {
        let item = element("li", "");
        append(&item, &worded("code", "", foreign(what)));
        let b = button(turn.clone(), "quiet");
        label(&b, words::named_thing(turn, foreign(what)));
        on_click(&b, click);
        append(&item, &b);
        append(&list, &item);
    };
    let turn = |origin: &str, on: bool| -> Box<dyn Fn()> {
        let (page, origin) = (page.clone(), origin.to_owned());
        Box::new(move || {
            let (page, origin) = (page.clone(), origin.clone());
            spawn_local(async move {
                let _: Option<IgnoredAny> = browser::ask(ActionRequest::Turn { origin, on }).await;
                show(&page).await;
            });
        })
    };
    if !off.iter().any(|o| o == COLAB) {
        row(COLAB, words::switch_off(), turn(COLAB, false));
    }
    for pattern in allowed {
        let (page, pattern) = (page.clone(), pattern.clone());
        let shown = pattern.clone();
        let stop = move || {
            let (page, pattern) = (page.clone(), pattern.clone());
            spawn_local(async move {
                browser::revoke_pattern(&pattern).await;
                tell(&page, ActionRequest::AllowChanged {});
            });
        };
        row(&shown, words::stop_reading(), Box::new(stop));
    }
    for origin in off {
        row(origin, words::switch_on(), turn(origin, true));
    }
    append(&section, &list);
    let page = page.clone();
    append(
        &section,
        &address(move |_| tell(&page, ActionRequest::AllowChanged {})),
    );
    section
}

fn warnings(page: &Rc<Page>, set: &Settings) -> Element {
    let section = part("warnings", words::warnings(), Some(words::warnings_words()));
    let limits = &set.limits;
    let change = |apply: fn(&mut Settings, u32)| {
        let (page, set) = (page.clone(), set.clone());
        move |value: u32| {
            let mut set = set.clone();
            apply(&mut set, value);
            keep(&page, set);
        }
    };
    let warn = tick("warn", words::warn(), !limits.quiet, {
        let (page, set) = (page.clone(), set.clone());
        move |on| {
            let mut set = set.clone();
            set.limits.quiet = !on;
            keep(&page, set);
        }
    });
    append(&section, &warn);
    let minutes = |n: u32| match n {
        0 => words::never(),
        n => words::minutes_before(n),
    };
    let rows = [
        choice(
            "memory",
            words::memory_full(),
            &[0, 5, 10, 15, 30, 60],
            limits.memory,
            minutes,
            change(|s, n| s.limits.memory = n),
        ),
        choice(
            "disk",
            words::disk_full(),
            &[0, 10, 30, 60, 120],
            limits.disk,
            minutes,
            change(|s, n| s.limits.disk = n),
        ),
        choice(
            "full",
            words::only_once(),
            &[0, 25, 50, 75, 90],
            limits.full,
            |n: u32| words::percent(n),
            change(|s, n| s.limits.full = n),
        ),
        choice(
            "unsaved",
            words::unsaved(),
            &[0, 30, 60, 90, 180],
            limits.unsaved,
            |n| match n {
                0 => words::never(),
                n => words::after_minutes(n),
            },
            change(|s, n| s.limits.unsaved = n),
        ),
    ];
    let list = element("div", "choices");
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
        true => words::nothing_muted(),
        false => words::muted_list(),
    };
    let section = part("muted", words::muted(), Some(words));
    let items = element("ul", "sites muted");
    for one in list {
        let item = element("li", "");
        let what = element("span", "");
        if one.name.is_empty() {
            append(&what, &worded("code", "", foreign(one.id.as_str())));
        } else {
            append(&what, &worded("span", "kind", words::cell_begins()));
            append(&what, &worded("code", "", foreign(one.name.as_str())));
        }
        append(&item, &what);
        let again = button(words::show_again(), "quiet");
        let name = match one.name.is_empty() {
            true => &one.id,
            false => &one.name,
        };
        label(
            &again,
            words::named_thing(words::show_again(), foreign(name)),
        );
        let (page, id) = (page.clone(), one.id.clone());
        on_click(&again, move || {
            let (page, id) = (page.clone(), id.clone());
            spawn_local(async move {
                let _: Option<IgnoredAny> = browser::ask(ActionRequest::Unmute { id }).await;
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
    let section = part("look", words::colours(), Some(words::colours_words()));
    let themes = ["system", "light", "dark"];
    let now = themes.iter().position(|t| *t == set.theme).unwrap_or(0);
    let (page, set) = (page.clone(), set.clone());
    let row = choice(
        "theme",
        words::theme(),
        &[0, 1, 2],
        now as u32,
        |n| match n {
            1 => words::theme_light(),
            2 => words::theme_dark(),
            _ => words::theme_system(),
        },
        move |n| {
            let mut set = set.clone();
            themes[n as usize % 3].clone_into(&mut set.theme);
            keep(&page, set);
        },
    );
    let list = element("div", "choices");
    append(&list, &row);
    append(&section, &list);
    section
}

fn notices(page: &Rc<Page>, on: bool) -> Element {
    let section = part("notices", words::notices(), Some(words::notices_words()));
    let page = page.clone();
    let check = tick("notify", words::notify(), on, move |on| {
        // The request must start in the click handler.
        let wanted = on.then(|| browser::request_permission("notifications"));
        let page = page.clone();
        spawn_local(async move {
            let on = match wanted {
                Some(answer) => answer.await,
                None => false,
            };
            tell(&page, ActionRequest::SetNotify { on });
        });
    });
    append(&section, &check);
    section
}

/// The shortcuts and their keys; `None` without any.
fn shortcuts(all: &[browser::Shortcut]) -> Option<Element> {
    // Chrome lists the button too, which has no words.
    let named: Vec<_> = all.iter().filter(|s| !s.description.is_empty()).collect();
    if named.is_empty() {
        return None;
    }
    let section = part(
        "shortcuts",
        words::shortcuts(),
        Some(words::shortcuts_words()),
    );
    let list = element("ul", "sites");
    for one in named {
        let item = element("li", "");
        append(
            &item,
            &worded("span", "", foreign(one.description.as_str())),
        );
        let keys = match one.shortcut.is_empty() {
            true => worded("span", "soft", words::no_keys()),
            false => worded("kbd", "", foreign(one.shortcut.as_str())),
        };
        append(&item, &keys);
        append(&list, &item);
    }
    append(&section, &list);
    let change = button(words::change_keys(), "");
    change.set_id("change-keys");
    on_click(&change, || spawn_local(browser::change_shortcuts()));
    append(&section, &change);
    Some(section)
}

fn stored(page: &Rc<Page>, usage: Usage) -> Element {
    let thousand = (usage.size / 1e3).round() as u64;
    let amount = match usage.pages {
        1 => words::one_page(thousand),
        n => words::pages_kept(n, thousand),
    };
    let section = part("stored", words::stored(), Some(amount));
    append(&section, &worded("p", "soft", words::stored_words()));
    let forget = button(words::forget(), "");
    forget.set_id("forget");
    let page = page.clone();
    on_click(&forget, move || tell(&page, ActionRequest::ForgetAll {}));
    append(&section, &forget);
    section
}

/// Resets everything to its defaults, after a second click.
fn reset(page: &Rc<Page>) -> Element {
    let section = part("reset", words::first_day(), Some(words::reset_words()));
    let ask = button(words::reset_ask(), "");
    ask.set_id("reset-ask");
    append(&section, &ask);
    let sure = element("div", "sure");
    let _ = sure.set_attribute("role", "group");
    let _ = sure.set_attribute("aria-labelledby", "reset-sure");
    let _ = sure.set_attribute("hidden", "");
    let question = worded("p", "", words::reset_sure());
    question.set_id("reset-sure");
    append(&sure, &question);
    let yes = button(words::reset_yes(), "danger");
    yes.set_id("reset-yes");
    let no = button(words::reset_no(), "");
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
        tell(&page, ActionRequest::Reset {});
    });
    section
}
