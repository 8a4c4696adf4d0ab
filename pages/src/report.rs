//! The report before it is sent: what it contains, what was redacted, and what the user restores.

mod draft;

use crate::ask::{append, button, copy, on_click, save};
use crate::browser;
use crate::render::{document, draw, element, label, put, worded};
use draft::{holds, kind, name, places};
use gloo_events::EventListener;
use nbmedic_protocol::{Draft, DraftOf, PageOrigin, Taken, ViewRequest, Wanted};
use nbmedic_tree::issue_address;
use nbmedic_words::{self as words, foreign, Say, Text};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{
    Element, Event, HtmlButtonElement, HtmlElement, HtmlInputElement, ShadowRootInit,
    ShadowRootMode,
};

/// Name, format and file name.
#[rustfmt::skip]
const FORMATS: [(words::Message, &str, &str); 4] = [
    (words::format_markdown, "markdown", "nbmedic-report.md"),
    (words::format_json, "json", "nbmedic-report.json"),
    (words::format_html, "html", "nbmedic-report.html"),
    (words::format_log, "log", "nbmedic-events.jsonl"),
];

/// The address of a tab's preview.
pub fn address(tab: u32) -> String {
    format!("report.html?tab={tab}")
}

/// A button that opens a tab's preview.
pub fn open(tab: u32) -> HtmlButtonElement {
    let open = button(words::preview_report(), "");
    on_click(&open, move || spawn_local(browser::open_page(address(tab))));
    open
}

/// Opens the preview from the panel.
pub fn section(tab: u32) -> Element {
    let section = element("section", "reports");
    append(&section, &worded("h2", "", words::report()));
    let row = element("div", "row");
    append(&row, &open(tab));
    append(&section, &row);
    section
}

struct Page {
    tab: u32,
    /// One of the tab's pages; empty: the newest.
    of: RefCell<String>,
    format: Cell<usize>,
    source: Cell<bool>,
    back: RefCell<Vec<u64>>,
    /// The draft on the page: exactly this is copied, saved or sent.
    shown: RefCell<Draft>,
    /// Number of the latest question: answers to earlier ones are dropped.
    turn: Cell<u32>,
    parts: Parts,
}

/// Elements that change with every answer.
struct Parts {
    main: Element,
    columns: Element,
    pages: Element,
    source: HtmlInputElement,
    source_label: Element,
    holds: Element,
    taken: Element,
    made: Element,
    preview: Element,
    issue: Element,
    repository: HtmlInputElement,
    open: HtmlButtonElement,
    fits: Element,
    said: Element,
}

/// Starts the page.
pub fn start() {
    let Some(tab) = browser::asked_for("tab").and_then(|t| t.parse().ok()) else {
        return;
    };
    let page = Rc::new(Page {
        tab,
        of: RefCell::new(browser::asked_for("page").unwrap_or_default()),
        format: Cell::new(0),
        source: Cell::new(false),
        back: RefCell::default(),
        shown: RefCell::default(),
        turn: Cell::new(0),
        parts: parts(),
    });
    build(&page);
    spawn_local(async move {
        ask(&page).await;
        if let Some(body) = document().body() {
            body.replace_children_with_node_1(&page.parts.main);
        }
    });
}

fn input(kind: &str) -> HtmlInputElement {
    let input: HtmlInputElement = element("input", "").unchecked_into();
    input.set_type(kind);
    input
}

fn parts() -> Parts {
    let said = element("p", "said");
    let preview = element("div", "preview");
    for (name, value) in [("tabindex", "0"), ("role", "region")] {
        let _ = preview.set_attribute(name, value);
    }
    label(&preview, words::report_leaves());
    let _ = said.set_attribute("role", "status");
    let fits = element("p", "fits");
    let _ = fits.set_attribute("id", "fits");
    Parts {
        main: element("main", "report"),
        columns: element("div", "columns"),
        pages: element("fieldset", ""),
        source: input("checkbox"),
        source_label: element("span", ""),
        holds: element("ul", ""),
        taken: element("section", "taken"),
        made: element("p", "made"),
        preview,
        issue: element("section", "issue"),
        repository: input("text"),
        open: button(words::open_on_github(), ""),
        fits,
        said,
    }
}

/// Builds the page and adds its listeners.
fn build(page: &Rc<Page>) {
    let p = &page.parts;
    append(&p.main, &worded("h1", "name", words::report()));
    append(&p.main, &worded("p", "lead", words::nothing_left()));
    append(&p.main, &p.columns);
    let choices = element("div", "choices");
    append(&choices, &p.pages);
    append(&choices, &formats(page));
    append(&choices, &source(page));
    let holds = element("section", "holds");
    append(&holds, &worded("h2", "", words::what_in_it()));
    append(&holds, &p.holds);
    append(&choices, &holds);
    append(&choices, &p.taken);
    append(&p.columns, &choices);

    let result = element("div", "result");
    let head = element("div", "result-head");
    append(&head, &worded("h2", "", words::as_leaves()));
    append(&head, &p.made);
    let anew = button(words::refresh(), "quiet");
    let of = page.clone();
    on_click(&anew, move || renew(&of));
    append(&head, &anew);
    append(&result, &head);
    append(&result, &p.preview);
    append(&result, &hand_out(page));
    append(&result, &p.said);
    append(&result, &issue(page));
    append(&p.columns, &result);
}

fn legend(set: &Element, text: Say) {
    append(set, &worded("legend", "", text));
}

/// A checkbox or radio button with its label.
fn labelled(input: &HtmlInputElement, words: &Element) -> Element {
    let label = element("label", "check");
    append(&label, input);
    append(&label, words);
    label
}

fn formats(page: &Rc<Page>) -> Element {
    let set = element("fieldset", "formats");
    legend(&set, words::format());
    for (i, (name, ..)) in FORMATS.iter().enumerate() {
        let circle = input("radio");
        circle.set_name("format");
        circle.set_checked(i == 0);
        append(&set, &labelled(&circle, &worded("span", "", name())));
        let page = page.clone();
        changed(&circle, move |_| {
            page.format.set(i);
            renew(&page);
        });
    }
    set
}

fn source(page: &Rc<Page>) -> Element {
    let p = &page.parts;
    let of = page.clone();
    changed(&p.source, move |input| {
        of.source.set(input.checked());
        renew(&of);
    });
    labelled(&p.source, &p.source_label)
}

/// Calls `f` when the user changes an input. The page's elements live as long as the page.
fn changed(input: &HtmlInputElement, mut f: impl FnMut(&HtmlInputElement) + 'static) {
    EventListener::new(input, "change", move |event: &Event| {
        let target = event.target().and_then(|t| t.dyn_into().ok());
        if let Some(input) = target {
            f(&input);
        }
    })
    .forget();
}

fn hand_out(page: &Rc<Page>) -> Element {
    let row = element("div", "row");
    let copies = button(words::copy(), "primary");
    let of = page.clone();
    on_click(&copies, move || {
        let page = of.clone();
        let text = page.shown.borrow().text.clone();
        spawn_local(async move {
            let done = copy(&text).await;
            page.say(match done {
                true => words::copied(),
                false => words::no_clipboard(),
            });
        });
    });
    append(&row, &copies);
    let saves = button(words::save_file(), "");
    let of = page.clone();
    on_click(&saves, move || {
        let (.., name) = FORMATS[of.format.get()];
        of.say(match save(&of.shown.borrow().text, name) {
            true => words::saved_as(foreign(name)),
            false => words::no_save(),
        });
    });
    append(&row, &saves);
    row
}

fn issue(page: &Rc<Page>) -> Element {
    let p = &page.parts;
    append(&p.issue, &worded("h2", "", words::open_issue()));
    let label = worded("label", "repository", words::repository());
    append(&label, &p.repository);
    append(&p.issue, &label);
    for (name, value) in [
        ("placeholder", "owner/name"),
        ("autocomplete", "off"),
        ("spellcheck", "false"),
        ("aria-describedby", "fits"),
    ] {
        let _ = p.repository.set_attribute(name, value);
    }
    append(&p.issue, &p.fits);
    append(&p.issue, &p.open);
    let of = page.clone();
    EventListener::new(&p.repository, "input", move |_| of.fits()).forget();
    let of = page.clone();
    on_click(&p.open, move || {
        let Some((address, cut)) = of.issue_address() else {
            return;
        };
        let page = of.clone();
        let text = page.shown.borrow().text.clone();
        spawn_local(async move {
            if cut && !copy(&text).await {
                page.say(words::no_copy_no_issue());
                return;
            }
            browser::open_page(address).await;
            page.say(match cut {
                true => words::issue_open_full(),
                false => words::issue_open(),
            });
        });
    });
    p.issue.clone()
}

impl Page {
    fn say(&self, words: impl Into<Text>) {
        put(&self.parts.said, words);
    }

    fn issue_address(&self) -> Option<(String, bool)> {
        let shown = self.shown.borrow();
        let (_, format, _) = FORMATS[self.format.get()];
        if format != "markdown" {
            return None;
        }
        issue_address(
            self.parts.repository.value().trim(),
            &name(&shown),
            &shown.text,
        )
    }

    /// Describes the issue that would be made.
    fn fits(&self) {
        let (_, format, _) = FORMATS[self.format.get()];
        let address = self.issue_address();
        let words = match (&address, format) {
            (_, f) if f != "markdown" => words::issue_markdown(),
            (None, _) => words::issue_form(),
            (Some((_, false)), _) => words::issue_fits(),
            (Some((_, true)), _) => words::issue_cut(),
        };
        put(&self.parts.fits, words);
        self.parts.open.set_disabled(address.is_none());
        self.parts.repository.set_disabled(format != "markdown");
    }

    fn draw(self: &Rc<Self>, answer: DraftOf) {
        let p = &self.parts;
        let Some(draft) = answer.draft else {
            p.columns.set_text_content(None);
            append(&p.columns, &worded("p", "empty", words::no_report_here()));
            let history = button(words::open_history(), "");
            on_click(&history, || {
                spawn_local(browser::open_page("history.html".to_owned()));
            });
            append(&p.columns, &history);
            return;
        };
        self.draw_pages(&answer.page, &answer.pages);
        let log = FORMATS[self.format.get()].1 == "log";
        let (words, none) = match draft.sources {
            _ if log => (words::include_cells(), draft.sources == 0),
            0 => (words::no_source(), true),
            1 => (words::include_source(), false),
            _ => (words::include_sources(), false),
        };
        put(&p.source_label, words);
        p.source.set_disabled(none);
        p.holds.set_text_content(None);
        for line in holds(&draft, FORMATS[self.format.get()].1, self.source.get()) {
            append(&p.holds, &worded("li", "", line));
        }
        self.draw_taken(&draft.taken);
        let clock = crate::curves::clock(answer.at);
        put(&p.made, words::made_at(foreign(clock)));
        p.preview.set_text_content(None);
        append(&p.preview, &preview(&draft));
        self.shown.replace(draft);
        self.fits();
    }

    /// Lets the user choose between a tab's pages, if its frames hold several.
    fn draw_pages(self: &Rc<Self>, shown: &str, pages: &[PageOrigin]) {
        let set = &self.parts.pages;
        set.set_text_content(None);
        let _ = set.toggle_attribute_with_force("hidden", pages.len() < 2);
        legend(set, words::page());
        for of in pages {
            let circle = input("radio");
            circle.set_name("page");
            circle.set_checked(of.page == shown);
            append(
                set,
                &labelled(&circle, &worded("span", "", foreign(of.origin.as_str()))),
            );
            let (page, id) = (self.clone(), of.page.clone());
            changed(&circle, move |_| {
                page.of.replace(id.clone());
                renew(&page);
            });
        }
    }

    fn draw_taken(self: &Rc<Self>, taken: &[Taken]) {
        let section = &self.parts.taken;
        let focus = focused(section);
        section.set_text_content(None);
        append(section, &worded("h2", "", words::taken_out()));
        let (known, gone): (Vec<&Taken>, Vec<&Taken>) = taken.iter().partition(|t| t.id != 0);
        let words = match (known.len(), gone.len()) {
            (0, 0) => Some(words::nothing_taken()),
            (0, _) => None,
            _ => Some(words::tick_back()),
        };
        if let Some(words) = words {
            append(section, &worded("p", "", words));
        }
        let list = element("ul", "values");
        for t in known {
            append(&list, &self.value(t));
        }
        append(section, &list);
        if !gone.is_empty() {
            append(section, &worded("p", "", words::gone_for_good()));
            let list = element("ul", "values");
            for t in gone {
                let item = element("li", "");
                append(&item, &worded("strong", "", kind(&t.kind)));
                append(&item, &worded("small", "", places(t)));
                append(&list, &item);
            }
            append(section, &list);
        }
        let again = focus.and_then(|id| {
            section
                .query_selector(&format!("[value=\"{id}\"]"))
                .ok()
                .flatten()
        });
        if let Some(again) = again.and_then(|e| e.dyn_into::<HtmlElement>().ok()) {
            // Restoring the focus is optional.
            let _ = again.focus();
        }
    }

    /// A redacted value that the user can restore.
    fn value(self: &Rc<Self>, t: &Taken) -> Element {
        let item = element("li", "");
        let tick = input("checkbox");
        tick.set_value(&t.id.to_string());
        tick.set_checked(t.back);
        let words = element("span", "");
        append(&words, &worded("strong", "", kind(&t.kind)));
        append(&words, &worded("code", "", foreign(t.masked.as_str())));
        append(&words, &worded("small", "", places(t)));
        append(&item, &labelled(&tick, &words));
        let (page, id) = (self.clone(), t.id);
        changed(&tick, move |tick| {
            page.back.borrow_mut().retain(|b| *b != id);
            if tick.checked() {
                page.back.borrow_mut().push(id);
            }
            renew(&page);
        });
        item
    }
}

/// The id of the value that has the focus.
fn focused(section: &Element) -> Option<String> {
    let active = document().active_element()?;
    section
        .contains(Some(&active))
        .then(|| active.get_attribute("value"))?
}

/// The report as people read it: its text, or the HTML report's elements under its own style.
fn preview(draft: &Draft) -> Element {
    let Some(tree) = &draft.tree else {
        let pre = worded("pre", "", foreign(draft.text.as_str()));
        return pre;
    };
    let host = element("div", "paper");
    if let Ok(root) = host.attach_shadow(&ShadowRootInit::new(ShadowRootMode::Open)) {
        let sheet = element("link", "");
        let _ = sheet.set_attribute("rel", "stylesheet");
        let _ = sheet.set_attribute("href", "report-page.css");
        let _ = root.append_child(&sheet);
        let _ = root.append_child(&draw(tree));
    }
    host
}

fn renew(page: &Rc<Page>) {
    let page = page.clone();
    spawn_local(async move { ask(&page).await });
}

async fn ask(page: &Rc<Page>) {
    let turn = page.turn.get() + 1;
    page.turn.set(turn);
    page.say(foreign(""));
    let (_, format, _) = FORMATS[page.format.get()];
    let (of, back) = (page.of.borrow().clone(), page.back.borrow().clone());
    let ask = ViewRequest::Draft {
        tab: page.tab,
        page: of,
        wanted: Wanted {
            format: format.to_owned(),
            source: page.source.get(),
            back,
        },
    };
    let answer: Option<DraftOf> = browser::ask(ask).await;
    if page.turn.get() != turn {
        return;
    }
    match answer {
        Some(answer) => page.draw(answer),
        None => page.parts.columns.replace_children_with_node_1(&worded(
            "p",
            "trouble",
            words::no_answer(),
        )),
    }
}
