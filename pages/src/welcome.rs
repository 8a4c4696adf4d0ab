//! The page that a first installation opens: a cell to try, what comes of it, and what is allowed.

use crate::ask::{append, button, copy, on_click, Ask};
use crate::browser;
use crate::playground_card::Card;
use crate::render::{document, element, label, put};
use nbmedic_tree::Node;
use serde::de::IgnoredAny;
use serde::Deserialize;
use wasm_bindgen_futures::spawn_local;
use web_sys::{CssStyleSheet, Element};

/// A notebook whose only cell fails, as a kernel left it.
const EXAMPLE: &str = "welcome.ipynb";
/// What nbmedic reads from the start: Colab, and the frames in which it shows outputs.
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

#[derive(Default, Deserialize)]
#[serde(default)]
struct Answer {
    tree: Option<Node>,
    markdown: String,
    css: String,
}

/// Starts the page.
pub fn start() {
    spawn_local(async {
        let main = element("main", "welcome", "");
        append(&main, &hero());
        let allowed = element("section", "allowed", "");
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
    let header = element("header", "hero", "");
    let icon = element("img", "", "");
    for (name, value) in [
        ("src", "icons/icon.svg"),
        ("alt", ""),
        ("width", "56"),
        ("height", "56"),
    ] {
        let _ = icon.set_attribute(name, value);
    }
    append(&header, &icon);
    append(
        &header,
        &element("h1", "", "When a notebook crashes, nbmedic says why"),
    );
    let words =
        "A short card under the cell that failed: what happened, with the numbers, and what to do about it.";
    append(&header, &element("p", "lead", words));
    header
}

/// What may be read, and where the browser withholds it a button that asks.
async fn permission(section: &Element) {
    section.set_text_content(None);
    let shipped: Vec<String> = SHIPPED.iter().map(|&s| s.to_owned()).collect();
    let granted = browser::allowed(&shipped).await;
    section.set_class_name(if granted { "allowed yes" } else { "allowed no" });
    let _ = section.set_attribute("role", "status");
    let words = match granted {
        true => "Ready: nbmedic reads the notebooks that you open on Google Colab.",
        false => {
            "Your browser lets nbmedic read nothing yet. Allow it on Google Colab, and it is ready."
        }
    };
    append(section, &element("p", "", words));
    if granted {
        return;
    }
    let allow = button("Allow on Google Colab", "primary");
    let place = section.clone();
    on_click(&allow, move || {
        // The request must start in the click itself.
        let wanted = browser::request(&shipped);
        let place = place.clone();
        spawn_local(async move {
            wanted.await;
            let _: Option<IgnoredAny> = browser::ask(&Ask::plain("allow-changed")).await;
            Box::pin(permission(&place)).await;
        });
    });
    append(section, &allow);
}

/// A cell to copy, its output, and the card that the engine makes of it now.
async fn attempt() -> Element {
    let section = element("section", "attempt", "");
    append(&section, &element("h2", "", "Try it"));
    let Some((notebook, text)) = example().await else {
        let words = "The example is missing in this package.";
        append(&section, &element("p", "trouble", words));
        return section;
    };
    let words = "Copy this cell into a notebook and run it. It fails, as it should.";
    append(&section, &element("p", "", words));
    let cell = element("div", "cell", "");
    let source = notebook.cells.first().map(|c| c.source.concat());
    let source = source.unwrap_or_default();
    append(&cell, &input(&source));
    let outputs = notebook.cells.iter().flat_map(|c| &c.outputs);
    for output in outputs {
        let pre = element("pre", "output", &output.traceback.join("\n"));
        let _ = pre.set_attribute("tabindex", "0");
        label(&pre, "What the cell prints");
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
        None => append(
            &section,
            &element(
                "p",
                "trouble",
                "nbmedic's background does not answer. Reload the extension.",
            ),
        ),
    }
    let words =
        "This card was made just now, by the engine in your browser, from the output above it.";
    append(&section, &element("p", "soft", words));
    section
}

async fn example() -> Option<(Notebook, String)> {
    let text = browser::packaged_text(EXAMPLE).await?;
    Some((browser::parsed(&text)?, text))
}

fn input(source: &str) -> Element {
    let line = element("div", "input", "");
    append(&line, &element("span", "prompt", "[1]:"));
    let pre = element("pre", "", "");
    append(&pre, &element("code", "", source));
    let _ = pre.set_attribute("tabindex", "0");
    label(&pre, "A cell to copy");
    append(&line, &pre);
    let copies = button("Copy the cell", "");
    let said = element("span", "live", "");
    let _ = said.set_attribute("role", "status");
    let (text, button) = (source.to_owned(), copies.clone());
    let live = said.clone();
    on_click(&copies, move || {
        let (text, button, live) = (text.clone(), button.clone(), live.clone());
        spawn_local(async move {
            let words = match copy(&text).await {
                true => "Copied",
                false => "The browser did not let nbmedic copy it.",
            };
            put(&button, words);
            put(&live, words);
        });
    });
    append(&line, &copies);
    append(&line, &said);
    line
}

async fn card(text: &str) -> Option<Card> {
    let answer: Answer = browser::ask(&Ask::plain("example").text(text)).await?;
    let tree = answer.tree?.kids.into_iter().next()?;
    let sheet = CssStyleSheet::new().ok()?;
    sheet.replace_sync(&answer.css).ok()?;
    Some(Card::new(tree, &sheet, &answer.markdown))
}

fn list(title: &str, class: &str, items: &[&str]) -> Element {
    let section = element("section", class, "");
    append(&section, &element("h2", "", title));
    let ul = element("ul", "", "");
    for item in items {
        append(&ul, &element("li", "", item));
    }
    append(&section, &ul);
    section
}

fn promises() -> Element {
    let both = element("div", "promises", "");
    let does = [
        "Explains errors, GPU faults and dead kernels, under the cell.",
        "Warns before memory or disk is full, where it can see it.",
        "Shows curves, timeline and problems of the session beside the page.",
        "Makes a report to share, without secrets and names.",
    ];
    let not = [
        "It sends nothing anywhere: no account, no server, no telemetry.",
        "It changes nothing in your notebook and runs nothing in it.",
        "It does not guess: where nothing is certain it says so, or stays silent.",
        "It reads no page but notebooks on addresses that are allowed.",
    ];
    append(&both, &list("What it does", "does", &does));
    append(&both, &list("What it does not", "not", &not));
    both
}

fn elsewhere() -> Element {
    let items = [
        "On Kaggle or on your own Jupyter server: open the notebook, click nbmedic's button, then “Allow on this site”.",
        "When a kernel just dies: start the probe from the same button. It keeps the last figures, and says what killed it.",
        "Too many cards, or too few: mute a diagnosis or a cell in the popup, set warnings and colours in the options.",
    ];
    list("Where to go on", "next", &items)
}

fn foot() -> Element {
    let foot = element("footer", "foot", "");
    let words = "nbmedic's button is in the browser's toolbar, behind the puzzle piece at first: pin it there.";
    append(&foot, &element("span", "", words));
    let options = button("Options", "link");
    on_click(&options, || spawn_local(browser::open_options()));
    append(&foot, &options);
    foot
}
