//! The page that opens after the first installation: a cell to try, its result, and the
//! permissions.

use crate::ask::{append, button, copy, on_click};
use crate::browser;
use crate::playground_card::Card;
use crate::render::{document, element, label, put, worded};
use nbmedic_protocol::{ActionRequest, Example, ViewRequest};
use nbmedic_words::{self as words, foreign, Say};
use serde::de::IgnoredAny;
use serde::Deserialize;
use wasm_bindgen_futures::spawn_local;
use web_sys::{CssStyleSheet, Element};

/// A notebook whose only cell fails, with its stored output.
const EXAMPLE: &str = "welcome.ipynb";
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
        append(&main, &promises());
        append(&main, &elsewhere());
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

/// A cell to copy, its output, and the card that the engine now draws for it.
async fn attempt() -> Element {
    let section = element("section", "attempt");
    append(&section, &worded("h2", "", words::try_it()));
    let Some((notebook, text)) = example().await else {
        append(&section, &worded("p", "trouble", words::example_missing()));
        return section;
    };
    append(&section, &worded("p", "", words::try_words()));
    let cell = element("div", "cell");
    let source = notebook.cells.first().map(|c| c.source.concat());
    let source = source.unwrap_or_default();
    append(&cell, &input(&source));
    let outputs = notebook.cells.iter().flat_map(|c| &c.outputs);
    for output in outputs {
        let pre = worded("pre", "output", foreign(output.traceback.join("\n")));
        let _ = pre.set_attribute("tabindex", "0");
        label(&pre, words::cell_prints());
        append(&cell, &pre);
    }
    append(&section, &cell);
    let shown = card(&text).await;
    match shown {
        Some(shown) => {
            append(&cell, &shown.host);
            // Its listeners live as long as the page.
            std::mem::forget(shown);
        }
        None => append(&section, &worded("p", "trouble", words::no_answer())),
    }
    append(&section, &worded("p", "soft", words::made_now()));
    section
}

async fn example() -> Option<(Notebook, String)> {
    let text = browser::packaged_text(EXAMPLE).await?;
    Some((browser::parsed(&text)?, text))
}

fn input(source: &str) -> Element {
    let line = element("div", "input");
    append(&line, &worded("span", "prompt", foreign("[1]:")));
    let pre = element("pre", "");
    append(&pre, &worded("code", "", foreign(source)));
    let _ = pre.set_attribute("tabindex", "0");
    label(&pre, words::cell_to_copy());
    append(&line, &pre);
    let copies = button(words::copy_cell(), "");
    let said = element("span", "live");
    let _ = said.set_attribute("role", "status");
    let (text, button) = (source.to_owned(), copies.clone());
    let live = said.clone();
    on_click(&copies, move || {
        let (text, button, live) = (text.clone(), button.clone(), live.clone());
        spawn_local(async move {
            let words = match copy(&text).await {
                true => words::copied(),
                false => words::no_clipboard(),
            };
            put(&button, words.clone());
            put(&live, words);
        });
    });
    append(&line, &copies);
    append(&line, &said);
    line
}

async fn card(text: &str) -> Option<Card> {
    let answer: Example = browser::ask(ViewRequest::Example {
        text: text.to_owned(),
    })
    .await?;
    let tree = answer.tree?.kids.into_iter().next()?;
    let sheet = CssStyleSheet::new().ok()?;
    sheet.replace_sync(&answer.css).ok()?;
    Some(Card::new(tree, &sheet, &answer.markdown))
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

fn elsewhere() -> Element {
    let items = [words::next1(), words::next2(), words::next3()];
    list(words::next(), "next", items)
}

fn foot() -> Element {
    let foot = element("footer", "foot");
    append(&foot, &worded("span", "", words::pin()));
    let options = button(words::options(), "link");
    on_click(&options, || spawn_local(browser::open_options()));
    append(&foot, &options);
    foot
}
