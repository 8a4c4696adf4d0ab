//! The history page: past findings across notebooks, with search, filters, export and deletion.

use crate::ask::{append, button, on_click, save};
use crate::browser;
use crate::render::{document, element, label, put, worded};
use gloo_events::EventListener;
use js_sys::{Date, Object};
use nbmedic_protocol::{ActionRequest, ViewRequest};
use nbmedic_tree::cell_name;
use nbmedic_words::{self as words, foreign, Say, Text};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlOptionElement, HtmlSelectElement};

/// Number of entries drawn at a time.
const SHOWN: usize = 100;
/// File name of an export.
const FILE: &str = "nbmedic-history.json";

#[derive(Default, Deserialize)]
#[serde(default)]
struct Answer {
    past: Option<Vec<Past>>,
}

/// A diagnosis or a death.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Past {
    at: u64,
    death: bool,
    notebook: String,
    place: String,
    origin: String,
    found: Found,
    #[serde(skip_serializing_if = "Option::is_none")]
    solved: Option<Solved>,
}

/// What solved an entry.
#[derive(Serialize, Deserialize)]
struct Solved {
    by: String,
    how: String,
}

/// The diagnosis of an entry.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Found {
    id: String,
    variant: String,
    title: String,
    summary: String,
    evidence: Vec<Line>,
}

/// A line of evidence.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Line {
    line: u32,
    text: String,
}

/// The content of an export: `docs/schema/history-1.schema.json`.
#[derive(Serialize)]
struct Export<'a> {
    schema: &'static str,
    version: &'static str,
    at: u64,
    entries: &'a [Past],
}

/// What the list is filtered by, an entry's value of it, and a value as people read it.
type Filter = (words::Message, fn(&Past) -> &str, fn(&str) -> String);
const FILTERS: [Filter; 3] = [
    (words::notebook, |p| p.notebook.trim(), str::to_owned),
    (
        words::history_cause,
        |p| &p.found.id,
        |id| id.replace('-', " "),
    ),
    (
        words::history_state,
        |p| match p.solved {
            Some(_) => SOLVED,
            None => OPEN,
        },
        str::to_owned,
    ),
];
const OPEN: &str = "open";
const SOLVED: &str = "solved";

struct Page {
    main: Element,
    /// Newest first.
    past: RefCell<Vec<Past>>,
    /// The text of each entry that is searched, in lower case.
    words: RefCell<Vec<String>>,
    search: HtmlInputElement,
    /// The choices of [`FILTERS`].
    filters: [HtmlSelectElement; 3],
    list: Element,
    count: Element,
    said: Element,
    most: Cell<usize>,
}

/// Starts the page.
pub fn start() {
    let search: HtmlInputElement = element("input", "").unchecked_into();
    search.set_type("search");
    let page = Rc::new(Page {
        main: element("main", "history"),
        past: RefCell::default(),
        words: RefCell::default(),
        search,
        filters: FILTERS.map(|_| element("select", "").unchecked_into()),
        list: element("ol", "past"),
        count: element("p", "count"),
        said: element("p", "said"),
        most: Cell::new(SHOWN),
    });
    for status in [&page.count, &page.said] {
        let _ = status.set_attribute("role", "status");
    }
    let changed = |input: &Element| {
        let of = page.clone();
        EventListener::new(input, "input", move |_| {
            of.most.set(SHOWN);
            list(&of);
        })
        .forget();
    };
    changed(&page.search);
    page.filters.iter().for_each(|f| changed(f));
    spawn_local(async move {
        load(&page).await;
        if let Some(body) = document().body() {
            body.replace_children_with_node_1(&page.main);
        }
    });
}

async fn load(page: &Rc<Page>) {
    let answer: Option<Answer> = browser::ask(ViewRequest::History {}).await;
    page.main.set_text_content(None);
    append(&page.main, &worded("h1", "name", words::history()));
    let Some(mut past) = answer.and_then(|a| a.past) else {
        append(&page.main, &worded("p", "trouble", words::no_answer()));
        return;
    };
    past.reverse();
    page.past.replace(Vec::new());
    append(&page.main, &worded("p", "lead", words::history_words()));
    if past.is_empty() {
        append(&page.main, &worded("p", "empty", words::history_none()));
        append(&page.main, &page.said);
        return;
    }
    let words = past.iter().map(Past::words).collect();
    page.words.replace(words);
    let filters = filters(page, &past);
    page.past.replace(past);
    let label = worded("label", "search", words::history_search());
    append(&label, &page.search);
    for part in [
        &label,
        &filters,
        &page.count,
        &page.list,
        &tools(page),
        &page.said,
    ] {
        append(&page.main, part);
    }
    list(page);
}

/// The choices of notebook, cause and state.
fn filters(page: &Page, past: &[Past]) -> Element {
    let row = element("div", "filters");
    for ((name, value, shown), select) in FILTERS.iter().zip(&page.filters) {
        select.set_text_content(None);
        let mut values: Vec<&str> = past.iter().map(value).filter(|v| !v.is_empty()).collect();
        values.sort_unstable();
        values.dedup();
        option(select, "", words::history_any());
        for value in values {
            let text = match value {
                OPEN => words::state_open().into(),
                SOLVED => words::state_solved().into(),
                _ => foreign(shown(value)),
            };
            option(select, value, text);
        }
        let line = worded("label", "", name());
        append(&line, select);
        append(&row, &line);
    }
    row
}

fn option(select: &Element, value: &str, text: impl Into<Text>) {
    let option: HtmlOptionElement = worded("option", "", text).unchecked_into();
    option.set_value(value);
    append(select, &option);
}

impl Past {
    fn words(&self) -> String {
        let found = &self.found;
        let kind = if self.death { "death" } else { "" };
        let mut all = vec![kind, &found.id, &found.variant, &found.title];
        all.extend([
            &*found.summary,
            &*self.notebook,
            &*self.place,
            &*self.origin,
        ]);
        all.extend(found.evidence.iter().map(|e| e.text.as_str()));
        lower(&all.join("\n"))
    }
}

/// Lower case by the rules of the browser's language.
fn lower(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().into()
}

/// Draws the entries that match the search.
fn list(page: &Rc<Page>) {
    let (past, words) = (page.past.borrow(), page.words.borrow());
    let wanted = lower(&page.search.value());
    let fits = |text: &String| wanted.split_whitespace().all(|w| text.contains(w));
    let chosen = page.filters.each_ref().map(HtmlSelectElement::value);
    let is_chosen = |p: &Past| {
        let mut all = FILTERS.iter().zip(&chosen);
        all.all(|((_, value, _), chosen)| chosen.is_empty() || value(p) == chosen)
    };
    let found: Vec<&Past> = past
        .iter()
        .zip(words.iter())
        .filter_map(|(p, w)| (fits(w) && is_chosen(p)).then_some(p))
        .collect();
    let count = match (found.len(), past.len()) {
        (0, _) => words::history_fits(),
        (1, 1) => words::history_entry(),
        (n, all) if n == all => words::history_entries(n),
        (n, all) => words::history_some(n, all),
    };
    put(&page.count, count);
    page.list.set_text_content(None);
    for one in found.iter().take(page.most.get()) {
        append(&page.list, &entry(one));
    }
    if found.len() > page.most.get() {
        let item = element("li", "further");
        let more = button(words::show_more(), "");
        let of = page.clone();
        on_click(&more, move || {
            let before = of.most.get();
            of.most.set(before + SHOWN);
            list(&of);
            let next = of.list.children().item(before as u32);
            let summary = next.and_then(|n| n.query_selector("summary").ok().flatten());
            if let Some(next) = summary.and_then(|n| n.dyn_into::<HtmlElement>().ok()) {
                let _ = next.focus();
            }
        });
        append(&item, &more);
        append(&page.list, &item);
    }
}

fn entry(p: &Past) -> Element {
    let item = element("li", if p.death { "death" } else { "diagnosis" });
    let details = element("details", "");
    let summary = element("summary", "");
    let when = element("span", "when");
    append(&when, &worded("span", "", foreign(date(p.at))));
    if p.death {
        append(&when, &worded("span", "badge", words::session_ended()));
    }
    if p.solved.is_none() {
        append(&when, &worded("span", "open", words::state_open()));
    }
    append(&summary, &when);
    append(
        &summary,
        &worded("span", "title", foreign(p.found.title.as_str())),
    );
    let notebook = foreign(p.notebook.trim());
    let place = cell(&p.place);
    let place = match (notebook.is_empty(), place.is_empty()) {
        (_, true) => notebook,
        (true, _) => place,
        _ => words::place_state(notebook, place).into(),
    };
    append(&summary, &worded("span", "place", place));
    if let Some(solved) = &p.solved {
        let by = cell(&solved.by);
        let said = match solved.how.as_str() {
            "fix" => words::solved_fix(by),
            "changed" => words::solved_changed(by),
            _ => words::solved(by),
        };
        append(&summary, &worded("span", "solved", said));
    }
    append(&details, &summary);
    if !p.found.summary.is_empty() {
        append(
            &details,
            &worded("p", "", foreign(p.found.summary.as_str())),
        );
    }
    let lines: Vec<&str> = p.found.evidence.iter().map(|e| e.text.as_str()).collect();
    if !lines.is_empty() {
        let pre = worded("pre", "", foreign(lines.join("\n")));
        for (name, value) in [("tabindex", "0"), ("role", "region")] {
            let _ = pre.set_attribute(name, value);
        }
        label(&pre, words::what_rests());
        append(&details, &pre);
    }
    let id = match p.found.variant.as_str() {
        "" => p.found.id.clone(),
        variant => format!("{}/{variant}", p.found.id),
    };
    let foot = element("p", "id");
    append(&foot, &worded("code", "", foreign(id)));
    append(&foot, &worded("span", "", foreign(p.origin.as_str())));
    append(&details, &foot);
    append(&item, &details);
    item
}

/// What people call a cell.
fn cell(name: &str) -> Text {
    match name.parse() {
        Ok(name) => cell_name(name).into(),
        Err(()) => foreign(name),
    }
}

/// Date and time, formatted for people.
fn date(at: u64) -> String {
    let options = Object::new();
    for part in ["dateStyle", "timeStyle"] {
        let _ = js_sys::Reflect::set(&options, &part.into(), &"medium".into());
    }
    let date = Date::new(&JsValue::from_f64(at as f64));
    date.to_locale_string("default", &options).into()
}

/// Buttons for the whole history.
fn tools(page: &Rc<Page>) -> Element {
    let row = element("div", "row");
    let export = button(words::export_json(), "");
    let of = page.clone();
    on_click(&export, move || {
        let made = Export {
            schema: "nbmedic.history/1",
            version: env!("CARGO_PKG_VERSION"),
            at: Date::now() as u64,
            entries: &of.past.borrow(),
        };
        let done = serde_json::to_string_pretty(&made).is_ok_and(|json| save(&json, FILE));
        of.say(match done {
            true => words::saved_as(foreign(FILE)),
            false => words::no_save(),
        });
    });
    append(&row, &export);
    let erase = button(words::erase_history(), "quiet");
    append(&row, &erase);
    let (of, place) = (page.clone(), row.clone());
    on_click(&erase, move || sure(&of, &place));
    row
}

/// Asks for confirmation before everything is erased.
fn sure(page: &Rc<Page>, row: &Element) {
    if row
        .query_selector(".sure")
        .is_ok_and(|known| known.is_some())
    {
        return;
    }
    let ask = element("div", "sure");
    let _ = ask.set_attribute("role", "alert");
    let n = page.past.borrow().len();
    append(&ask, &worded("span", "", words::erase_all(n)));
    let yes = button(words::erase(), "danger");
    let of = page.clone();
    on_click(&yes, move || {
        let page = of.clone();
        spawn_local(async move {
            let done: Option<IgnoredAny> = browser::ask(ActionRequest::ForgetHistory {}).await;
            load(&page).await;
            page.say(match done {
                Some(_) => words::erased(),
                None => words::failed_dot(),
            });
        });
    });
    append(&ask, &yes);
    let no = button(words::keep(), "");
    let gone = ask.clone();
    on_click(&no, move || gone.remove());
    append(&ask, &no);
    append(row, &ask);
    let _ = no.focus();
}

impl Page {
    fn say(&self, words: Say) {
        put(&self.said, words);
    }
}
