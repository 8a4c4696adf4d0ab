//! The page that opens after the first installation: a failing cell to try, where to go next, and the
//! permissions.

use crate::ask::{append, button, copy, on_click};
use crate::browser;
use crate::choose::address;
use crate::playground_card::{Card, Put};
use crate::render::{document, element, label, put, worded};
use nbmedic_protocol::{ActionRequest, Example, ViewRequest};
use nbmedic_words::{self as words, foreign, Say};
use serde::de::IgnoredAny;
use serde::Deserialize;
use std::cell::{Cell as Slot, RefCell};
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;
use web_sys::{CssStyleSheet, Element};

/// A notebook whose only cell fails, with its recorded output.
const EXAMPLE: &str = "welcome.ipynb";
/// What the repaired cell prints.
const REPAIRED: &str = "19.634954084936208";
/// A new notebook on Colab.
const NEW_NOTEBOOK: &str = "https://colab.research.google.com/#create=true";
/// What nbmedic reads by default: Colab, and the frames in which it shows outputs.
const SHIPPED: [&str; 2] = [
    "https://colab.research.google.com",
    "https://*.googleusercontent.com",
];

#[derive(Default, Deserialize)]
#[serde(default)]
struct Notebook {
    cells: Vec<Cell>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Cell {
    source: Vec<String>,
    outputs: Vec<Output>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Output {
    traceback: Vec<String>,
}

/// Starts the page.
pub fn start() {
    spawn_local(async {
        let main = element("main", "welcome");
        append(&main, &hero());
        let allowed = element("section", "allowed");
        permission(&allowed).await;
        append(&main, &allowed);
        append(&main, &attempt().await);
        append(&main, &elsewhere());
        append(&main, &promises());
        append(&main, &foot());
        if let Some(body) = document().body() {
            body.replace_children_with_node_1(&main);
        }
    });
}

fn hero() -> Element {
    let header = element("header", "hero");
    let icon = element("img", "");
    for (name, value) in [
        ("src", "icons/icon.svg"),
        ("alt", ""),
        ("width", "56"),
        ("height", "56"),
    ] {
        let _ = icon.set_attribute(name, value);
    }
    append(&header, &icon);
    append(&header, &worded("h1", "", words::hero_title()));
    append(&header, &worded("p", "lead", words::hero_lead()));
    header
}

/// What nbmedic may read, with a button that requests it if the browser withholds it.
async fn permission(section: &Element) {
    section.set_text_content(None);
    let shipped: Vec<String> = SHIPPED.iter().map(|&s| s.to_owned()).collect();
    let granted = browser::allowed(&shipped).await;
    section.set_class_name(if granted { "allowed yes" } else { "allowed no" });
    let _ = section.set_attribute("role", "status");
    let words = match granted {
        true => words::ready(),
        false => words::not_ready(),
    };
    append(section, &worded("p", "", words));
    if granted {
        return;
    }
    let allow = button(words::allow_colab(), "primary");
    let place = section.clone();
    on_click(&allow, move || {
        // The request must start in the click handler.
        let wanted = browser::request(&shipped);
        let place = place.clone();
        spawn_local(async move {
            wanted.await;
            let _: Option<IgnoredAny> = browser::ask(ActionRequest::AllowChanged {}).await;
            Box::pin(permission(&place)).await;
        });
    });
    append(section, &allow);
}

/// The failing cell, which can be repaired and run.
struct Attempt {
    /// The notebook's file.
    text: String,
    traceback: String,
    broken: String,
    source: RefCell<String>,
    runs: Slot<u32>,
    prompt: Element,
    code: Element,
    output: Element,
    below: Element,
    /// What screen readers say.
    live: Element,
    card: RefCell<Option<Card>>,
}

/// A cell that fails, its output, and the card that the engine now draws for it.
async fn attempt() -> Element {
    let section = element("section", "attempt");
    append(&section, &worded("h2", "", words::try_it()));
    let Some((notebook, text)) = example().await else {
        append(&section, &worded("p", "trouble", words::example_missing()));
        return section;
    };
    append(&section, &worded("p", "", words::try_words()));
    let failing = notebook.cells.into_iter().next().unwrap_or_default();
    let traceback = failing.outputs.iter().flat_map(|o| o.traceback.clone());
    let output = element("pre", "output");
    let _ = output.set_attribute("tabindex", "0");
    label(&output, words::cell_prints());
    let live = element("span", "live");
    let _ = live.set_attribute("role", "status");
    let attempt = Rc::new(Attempt {
        text,
        traceback: traceback.collect::<Vec<_>>().join("\n"),
        broken: failing.source.concat(),
        source: RefCell::new(failing.source.concat()),
        runs: Slot::new(0),
        prompt: element("span", "prompt"),
        code: element("code", ""),
        output,
        below: element("div", "below"),
        live,
        card: RefCell::new(None),
    });
    let cell = element("div", "cell");
    append(&cell, &input(&attempt));
    append(&cell, &attempt.output);
    append(&cell, &attempt.below);
    append(&section, &cell);
    run(&attempt).await;
    append(&section, &worded("p", "soft", words::made_now()));
    section
}

async fn example() -> Option<(Notebook, String)> {
    let text = browser::packaged_text(EXAMPLE).await?;
    Some((browser::parsed(&text)?, text))
}

/// Shows what the cell prints, and below it what nbmedic says.
async fn run(attempt: &Rc<Attempt>) {
    let n = attempt.runs.get() + 1;
    attempt.runs.set(n);
    put(&attempt.prompt, foreign(format!("[{n}]:")));
    attempt.below.set_text_content(None);
    attempt.card.take();
    let is_broken = *attempt.source.borrow() == attempt.broken;
    if !is_broken {
        put(&attempt.output, foreign(REPAIRED));
        let solved = words::solved(words::cell_count(n));
        put(&attempt.live, solved.clone());
        append(&attempt.below, &worded("p", "solved", solved));
        return;
    }
    put(&attempt.output, foreign(attempt.traceback.as_str()));
    let of = attempt.clone();
    let repair: Put = Box::new(move |code| {
        put(&of.code, foreign(code.as_str()));
        of.source.replace(code);
    });
    let shown = card(&attempt.text, repair).await;
    // It was run again meanwhile.
    if attempt.runs.get() != n {
        return;
    }
    match &shown {
        Some(shown) => {
            append(&attempt.below, &shown.host);
            put(&attempt.live, words::one_explained());
        }
        None => append(&attempt.below, &worded("p", "trouble", words::no_answer())),
    }
    attempt.card.replace(shown);
}

fn input(attempt: &Rc<Attempt>) -> Element {
    let line = element("div", "input");
    append(&line, &attempt.prompt);
    let pre = element("pre", "");
    put(&attempt.code, foreign(attempt.broken.as_str()));
    append(&pre, &attempt.code);
    let _ = pre.set_attribute("tabindex", "0");
    label(&pre, words::cell_to_copy());
    append(&line, &pre);
    let both = element("div", "both");
    let runs = button(words::run_cell(), "primary");
    let of = attempt.clone();
    on_click(&runs, move || {
        let of = of.clone();
        spawn_local(async move { run(&of).await });
    });
    append(&both, &runs);
    let copies = button(words::copy_cell(), "copy");
    let (of, button) = (attempt.clone(), copies.clone());
    on_click(&copies, move || {
        let text = of.source.borrow().clone();
        let (button, live) = (button.clone(), of.live.clone());
        spawn_local(async move {
            let words = match copy(&text).await {
                true => words::copied(),
                false => words::no_clipboard(),
            };
            put(&button, words.clone());
            put(&live, words);
        });
    });
    append(&both, &copies);
    append(&line, &both);
    append(&line, &attempt.live);
    line
}

async fn card(text: &str, repair: Put) -> Option<Card> {
    let answer: Example = browser::ask(ViewRequest::Example {
        text: text.to_owned(),
    })
    .await?;
    let tree = answer.tree?.kids.into_iter().next()?;
    let sheet = CssStyleSheet::new().ok()?;
    sheet.replace_sync(&answer.css).ok()?;
    Some(Card::new(tree, &sheet, Some(repair)))
}

fn list<const N: usize>(title: Say, class: &str, items: [Say; N]) -> Element {
    let section = element("section", class);
    append(&section, &worded("h2", "", title));
    let ul = element("ul", "");
    for item in items {
        append(&ul, &worded("li", "", item));
    }
    append(&section, &ul);
    section
}

fn promises() -> Element {
    let both = element("div", "promises");
    let does = [
        words::does1(),
        words::does2(),
        words::does3(),
        words::does4(),
    ];
    let not = [words::not1(), words::not2(), words::not3(), words::not4()];
    append(&both, &list(words::does(), "does", does));
    append(&both, &list(words::does_not(), "not", not));
    both
}

/// Where it works: Colab, a Jupyter server, and what else there is to know.
fn elsewhere() -> Element {
    let items = [words::next1(), words::next2(), words::next3()];
    let section = list(words::next(), "next", items);
    let doors = element("div", "doors");
    let colab = worded("a", "colab", words::open_colab());
    for (name, value) in [
        ("href", NEW_NOTEBOOK),
        ("target", "_blank"),
        ("rel", "noopener noreferrer"),
    ] {
        let _ = colab.set_attribute(name, value);
    }
    append(&doors, &colab);
    let allow = address(|said| {
        let said = said.clone();
        spawn_local(async move {
            let _: Option<IgnoredAny> = browser::ask(ActionRequest::AllowChanged {}).await;
            put(&said, words::site_allowed());
        });
    });
    append(&doors, &allow);
    let _ = section.insert_before(&doors, section.last_child().as_ref());
    section
}

fn foot() -> Element {
    let foot = element("footer", "foot");
    append(&foot, &worded("span", "", words::pin()));
    let options = button(words::options(), "link");
    on_click(&options, || spawn_local(browser::open_options()));
    append(&foot, &options);
    foot
}
