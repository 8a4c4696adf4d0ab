//! The report before it leaves: what is in it, what was taken out, and what the person puts back.

mod draft;

use crate::ask::{append, button, copy, on_click, save, Ask, Wanted};
use crate::browser;
use crate::render::{document, draw, element, put};
use draft::{kind, places, Answer, Draft, Of, Taken};
use gloo_events::EventListener;
use nbmedic_tree::issue_address;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event, HtmlElement, HtmlInputElement, ShadowRootInit, ShadowRootMode};

/// Name, format and file name.
#[rustfmt::skip]
const FORMATS: [(&str, &str, &str); 4] = [
    ("Markdown, to paste into an issue", "markdown", "nbmedic-report.md"),
    ("JSON, for programs", "json", "nbmedic-report.json"),
    ("HTML, one page with the curves", "html", "nbmedic-report.html"),
    ("Event log, for a bug report about nbmedic", "log", "nbmedic-events.jsonl"),
];

/// The address of a tab's preview.
pub fn address(tab: u32) -> String {
    format!("report.html?tab={tab}")
}

/// What leads to the preview, in the popup and the panel.
pub fn section(tab: u32) -> Element {
    let section = element("section", "reports", "");
    append(&section, &element("h2", "", "Triage report"));
    let row = element("div", "row", "");
    let open = button("Preview the report", "");
    on_click(&open, move || spawn_local(browser::open_page(address(tab))));
    append(&row, &open);
    append(&section, &row);
    section
}

struct Page {
    tab: u32,
    /// Which of the tab's pages; empty: the newest.
    of: RefCell<String>,
    format: Cell<usize>,
    source: Cell<bool>,
    back: RefCell<Vec<u64>>,
    /// What is shown: exactly this leaves.
    shown: RefCell<Draft>,
    /// Counts questions: only the newest is answered.
    turn: Cell<u32>,
    parts: Parts,
}

/// What changes with every answer.
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
    open: web_sys::HtmlButtonElement,
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
    let input: HtmlInputElement = element("input", "", "").unchecked_into();
    input.set_type(kind);
    input
}

fn parts() -> Parts {
    let said = element("p", "said", "");
    let preview = element("div", "preview", "");
    for (name, value) in [
        ("tabindex", "0"),
        ("role", "region"),
        ("aria-label", "The report as it would leave"),
    ] {
        let _ = preview.set_attribute(name, value);
    }
    let _ = said.set_attribute("role", "status");
    let fits = element("p", "fits", "");
    let _ = fits.set_attribute("id", "fits");
    Parts {
        main: element("main", "report", ""),
        columns: element("div", "columns", ""),
        pages: element("fieldset", "", ""),
        source: input("checkbox"),
        source_label: element("span", "", ""),
        holds: element("ul", "", ""),
        taken: element("section", "taken", ""),
        made: element("p", "made", ""),
        preview,
        issue: element("section", "issue", ""),
        repository: input("text"),
        open: button("Open an issue on github.com", ""),
        fits,
        said,
    }
}

/// Puts the page together, and listens.
fn build(page: &Rc<Page>) {
    let p = &page.parts;
    append(&p.main, &element("h1", "name", "Triage report"));
    let lead =
        "Nothing has left this browser. Look through the report; only a button below hands it on.";
    append(&p.main, &element("p", "lead", lead));
    append(&p.main, &p.columns);
    let choices = element("div", "choices", "");
    append(&choices, &p.pages);
    append(&choices, &formats(page));
    append(&choices, &source(page));
    let holds = element("section", "holds", "");
    append(&holds, &element("h2", "", "What is in it"));
    append(&holds, &p.holds);
    append(&choices, &holds);
    append(&choices, &p.taken);
    append(&p.columns, &choices);

    let result = element("div", "result", "");
    let head = element("div", "result-head", "");
    append(&head, &element("h2", "", "As it would leave"));
    append(&head, &p.made);
    let anew = button("Make it anew", "quiet");
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

fn legend(set: &Element, text: &str) {
    append(set, &element("legend", "", text));
}

/// A box or a circle with words beside it.
fn labelled(input: &HtmlInputElement, words: &Element) -> Element {
    let label = element("label", "check", "");
    append(&label, input);
    append(&label, words);
    label
}

fn formats(page: &Rc<Page>) -> Element {
    let set = element("fieldset", "formats", "");
    legend(&set, "Format");
    for (i, (name, ..)) in FORMATS.iter().enumerate() {
        let circle = input("radio");
        circle.set_name("format");
        circle.set_checked(i == 0);
        append(&set, &labelled(&circle, &element("span", "", name)));
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

/// Calls back when the person changed an input. The page's elements live as long as the page.
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
    let row = element("div", "row", "");
    let copies = button("Copy", "primary");
    let of = page.clone();
    on_click(&copies, move || {
        let page = of.clone();
        let text = page.shown.borrow().text.clone();
        spawn_local(async move {
            let done = copy(&text).await;
            page.say(match done {
                true => "Copied.",
                false => "The browser did not let nbmedic copy it.",
            });
        });
    });
    append(&row, &copies);
    let saves = button("Save as a file", "");
    let of = page.clone();
    on_click(&saves, move || {
        let (.., name) = FORMATS[of.format.get()];
        of.say(&match save(&of.shown.borrow().text, name) {
            true => format!("Saved as {name}."),
            false => "The browser did not let nbmedic save it.".to_owned(),
        });
    });
    append(&row, &saves);
    row
}

fn issue(page: &Rc<Page>) -> Element {
    let p = &page.parts;
    append(&p.issue, &element("h2", "", "Open an issue on GitHub"));
    let label = element("label", "repository", "Repository, as owner/name");
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
                page.say(
                    "The browser did not let nbmedic copy the full report, so no issue was opened.",
                );
                return;
            }
            browser::open_page(address).await;
            page.say(match cut {
                true => "GitHub's form is open in another tab, and the full report is on your clipboard.",
                false => "GitHub's form is open in another tab.",
            });
        });
    });
    p.issue.clone()
}

impl Page {
    fn say(&self, words: &str) {
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
            &shown.name(),
            &shown.text,
        )
    }

    /// Says what an issue would be made of.
    fn fits(&self) {
        let (_, format, _) = FORMATS[self.format.get()];
        let address = self.issue_address();
        let words = match (&address, format) {
            (_, f) if f != "markdown" => "An issue is written in Markdown: choose that format first.",
            (None, _) => "GitHub's form for a new issue opens with this report filled in.",
            (Some((_, false)), _) => "The whole report fits. GitHub sees it as soon as its form opens; it is posted when you say so there.",
            (Some((_, true)), _) => "The report is longer than an address may be: its beginning is filled in and says so, and the full report goes to your clipboard. GitHub sees the beginning as soon as its form opens; it is posted when you say so there.",
        };
        put(&self.parts.fits, words);
        self.parts.open.set_disabled(address.is_none());
        self.parts.repository.set_disabled(format != "markdown");
    }

    fn draw(self: &Rc<Self>, answer: Answer) {
        let p = &self.parts;
        let Some(draft) = answer.draft else {
            p.columns.set_text_content(None);
            let words = "There is no notebook to report on: its tab was closed, or shows another page now. What was \
                         found before is in the history.";
            append(&p.columns, &element("p", "empty", words));
            let history = button("Open the history", "");
            on_click(&history, || {
                spawn_local(browser::open_page("history.html".to_owned()));
            });
            append(&p.columns, &history);
            return;
        };
        self.draw_pages(&answer.page, &answer.pages);
        let log = FORMATS[self.format.get()].1 == "log";
        let (words, none) = match draft.sources {
            _ if log => ("Include the sources of the cells", draft.sources == 0),
            0 => ("No source of a failing cell is known", true),
            1 => ("Include the source of the failing cell", false),
            _ => ("Include the sources of the failing cells", false),
        };
        put(&p.source_label, words);
        p.source.set_disabled(none);
        p.holds.set_text_content(None);
        for line in &draft.holds(FORMATS[self.format.get()].1, self.source.get()) {
            append(&p.holds, &element("li", "", line));
        }
        self.draw_taken(&draft.taken);
        let made = format!("Made at {}", crate::curves::clock(answer.at));
        put(&p.made, &made);
        p.preview.set_text_content(None);
        append(&p.preview, &preview(&draft));
        self.shown.replace(draft);
        self.fits();
    }

    /// Where a tab's frames are several pages: which one.
    fn draw_pages(self: &Rc<Self>, shown: &str, pages: &[Of]) {
        let set = &self.parts.pages;
        set.set_text_content(None);
        let _ = set.toggle_attribute_with_force("hidden", pages.len() < 2);
        legend(set, "Page");
        for of in pages {
            let circle = input("radio");
            circle.set_name("page");
            circle.set_checked(of.page == shown);
            append(set, &labelled(&circle, &element("span", "", &of.origin)));
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
        append(section, &element("h2", "", "What was taken out"));
        let (known, gone): (Vec<&Taken>, Vec<&Taken>) = taken.iter().partition(|t| t.id != 0);
        let words = match (known.len(), gone.len()) {
            (0, 0) => "No key, token, password, e-mail address or name in a path was recognised. No list of patterns knows them all: read the report before you share it.",
            (0, _) => "",
            _ => "Tick what may stand in the report after all. It goes into what you see here, and nowhere else.",
        };
        if !words.is_empty() {
            append(section, &element("p", "", words));
        }
        let list = element("ul", "values", "");
        for t in known {
            append(&list, &self.value(t));
        }
        append(section, &list);
        if !gone.is_empty() {
            let words = "These were taken out before they were stored, and the browser has stopped nbmedic's background \
                         since. Nothing here knows them any more, so they can't be put back. Running the cell again can.";
            append(section, &element("p", "", words));
            let list = element("ul", "values", "");
            for t in gone {
                let item = element("li", "", "");
                append(&item, &element("strong", "", &kind(&t.kind)));
                append(&item, &element("small", "", &places(t)));
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
            // Where the focus was is a comfort, no more.
            let _ = again.focus();
        }
    }

    /// A value that can be put back.
    fn value(self: &Rc<Self>, t: &Taken) -> Element {
        let item = element("li", "", "");
        let tick = input("checkbox");
        tick.set_value(&t.id.to_string());
        tick.set_checked(t.back);
        let words = element("span", "", "");
        append(&words, &element("strong", "", &kind(&t.kind)));
        append(&words, &element("code", "", &t.masked));
        append(&words, &element("small", "", &places(t)));
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

/// The number of the value that has the focus.
fn focused(section: &Element) -> Option<String> {
    let active = document().active_element()?;
    section
        .contains(Some(&active))
        .then(|| active.get_attribute("value"))?
}

/// The report as it is read: its text, or the page's elements under the page's own style.
fn preview(draft: &Draft) -> Element {
    let Some(tree) = &draft.tree else {
        let pre = element("pre", "", &draft.text);
        return pre;
    };
    let host = element("div", "paper", "");
    if let Ok(root) = host.attach_shadow(&ShadowRootInit::new(ShadowRootMode::Open)) {
        let sheet = element("link", "", "");
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
    page.say("");
    let (_, format, _) = FORMATS[page.format.get()];
    let (of, back) = (page.of.borrow().clone(), page.back.borrow().clone());
    let wanted = Wanted {
        format,
        source: page.source.get(),
        back: &back,
    };
    let ask = Ask::new("draft", page.tab).page(&of).wanted(wanted);
    let answer: Option<Answer> = browser::ask(&ask).await;
    if page.turn.get() != turn {
        return;
    }
    match answer {
        Some(answer) => page.draw(answer),
        None => page.parts.columns.replace_children_with_node_1(&element(
            "p",
            "trouble",
            "nbmedic's background does not answer. Reload the extension.",
        )),
    }
}
