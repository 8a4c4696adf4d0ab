//! Remedies by message: what we know about the wordings of libraries and tools, as data.
//!
//! The entries in `setup/` cover what surrounds the code: installation, launching, networks, drivers. Those in
//! `exceptions.txt` are matched against the exceptions, those in `output.txt` and `commands.txt` against the output
//! around the failure; `names.txt` has their lookup tables. The entries in `code/` say what to write instead, with
//! the names and sizes in the message, if no technique is surer.
//!
//! An entry starts with `==` and its name, if it has one; the first entry that holds is taken, so the narrower one
//! stands first. One that starts with `--` is another case of the wordings of the entry above it. The fields, one per line, have
//! the names that the catalogue has for the same (`src/catalog/README.md`):
//!
//! - `family:` a family of wordings in `src/wordings`; `says:` a wording with holes that no other place needs, which
//!   `nbmedic_rule::Wording` describes. Several lines are alternatives.
//! - `literal:` literals of which one must occur, between ` || `; each line must hold. `absent:` none may.
//! - `pattern:` a regular expression that must match; its named groups fill slots, `name_2` another place of `name`.
//! - `near:` literals of which one must occur in a frame or in the message; `not-near:` none of them.
//! - `systems:` (Linux where nothing tells), `fronts:` (`notebook`, `script`, `colab`, `kaggle`), `frameworks:` and `owners:`: where
//!   it may be said, the values that `[fix.…]` takes in the catalogue.
//! - `look-up:` `table slot -> slot`: the table of `names.txt` must have what the slot holds; with `look-up?:` the
//!   slot stays empty where the table has nothing. The tables `modules` and `packages` are those of distributions.
//!   `unlisted:` a slot whose module is in no such table.
//! - `derive:` `n = a / b`, which must be a whole number above 0. `when:` a predicate over the slots, `a == b + 1`.
//! - `kind:` install, setting or look (the default); `applies:` sure, likely (the default), maybe or shows.
//! - `title:`; `why:`, whose lines with an empty slot are omitted; `code: language`, followed by indented lines.
//!   Commands are written for a terminal and converted to magics in notebooks.
//!
//! A slot is `{name}` in words and `{{name}}` in code. A shape in the hole `s` fills `{s_n}` (how many axes), `{s_0}` (the first
//! size), `{s_l}` (the last), `{s_p}` (their product). The failing line gives `{line}`, `{left}` and `{right}` of its only
//! operator, `{target}`, `{value}` and `{function}`, if it can be read.
//!
//! The catalogue's compiler (`catalogc/src/remedies.rs`) checks the entries and packs them when this crate is built: an unknown
//! field or table, a slot that nothing fills, a predicate or pattern that can't be read and a wording that does not find itself
//! with its holes filled fail the build. What fills a slot of code has no character that a shell reads as more than text.

mod entries;
mod fill;
mod operands;

use crate::case::Case;
use crate::sureness;
pub(crate) use fill::Slots;
use nbmedic_facts::expr::{eval, holds, Val};
use nbmedic_facts::{Basis, Conditions, Cure, Diagnosis, Fit, Front, Owner, Setting};
use nbmedic_rule::{floor, Found, Remedy, Wording};
use nbmedic_text::{Document, Limits};
use nbmedic_traceback::{Chain, Exception, Origin, Relation};
use std::cell::OnceCell;

/// The name of the cure of an entry that has none.
const UNNAMED: &str = "as-said";
/// Maximum number of setup remedies offered for one failure.
const MAX_REMEDIES: usize = 2;
/// Number of output lines examined before the failure and after it.
const BEFORE: usize = 120;
const AFTER: usize = 60;
/// Maximum length of the examined text, in bytes.
const MAX_TEXT: usize = 40_000;
/// Number of bytes read at the beginning of a message, and as many at its end.
const MAX_MESSAGE: usize = 4000;
/// Number of last output lines read for a graph error, and the maximum length of each, in bytes.
const LAST_LINES: usize = 6;
const MAX_LINE: usize = 500;
/// Maximum number of frames whose code is examined.
const MAX_FRAMES: usize = 120;

/// Layers that entries write with sizes.
const LAYERS: &[&str] = &[
    "nn.Linear(",
    "nn.Conv",
    "nn.Embedding(",
    "nn.BatchNorm",
    "nn.LayerNorm(",
    "nn.LSTM(",
    "nn.GRU(",
];
/// Signs of a pretrained model: packages of such models, and classes that load them.
const TRAINED: &[&str] = &[
    "-packages/diffusers/",
    "-packages/transformers/",
    "-packages/peft/",
    "-packages/open_clip/",
    "-packages/sentence_transformers/",
    "-packages/ultralytics/",
    "-packages/unsloth/",
    "-packages/vllm/",
    "/comfy/",
    "/ComfyUI/",
    "from_pretrained(",
    "ConditionModel",
    "AutoencoderKL",
    "ForCausalLM",
    "ForConditionalGeneration",
    "base_model.model.",
];

/// What PyTorch and its drivers print on AMD, Intel and Apple GPUs and on TPUs.
const OTHERS: &[&str] = &[
    "HIP error",
    "HIP kernel",
    "No HIP GPUs",
    "hipError",
    "libamdhip",
    "/opt/rocm",
    "+rocm",
    "+xpu",
    "XPU out of memory",
    "MPS backend",
    "torch_xla",
];

/// What entries are matched against.
struct Told<'a> {
    /// The text to match wordings and literals against.
    text: &'a str,
    /// The output around the failure, which `take:` also searches.
    around: &'a str,
    setting: &'a Setting,
    notebook: bool,
    /// The exception, if the text is its message.
    raised: Option<(&'a Case<'a>, &'a Exception)>,
    frames: OnceCell<String>,
}

impl Told<'_> {
    /// The text and the frames of the exception.
    fn near(&self) -> &str {
        self.frames.get_or_init(|| match self.raised {
            Some((_, error)) => framed(error, self.text),
            None => self.text.to_owned(),
        })
    }

    /// Whether all frames are packages' and programs': no line of the person's led to it.
    fn is_foreign(&self) -> bool {
        self.setting.own_line == Some(false)
    }

    /// Whether the layers belong to a pretrained model: resizing them would discard their weights.
    fn in_trained_model(&self) -> bool {
        TRAINED.iter().any(|mark| self.near().contains(mark))
    }

    /// Whether the accelerator doesn't support CUDA.
    fn is_without_cuda(&self) -> bool {
        OTHERS
            .iter()
            .any(|mark| self.text.contains(mark) || self.around.contains(mark))
    }

    /// Whether something may be said where the failure was. Systems and front ends must be known (where nothing tells the
    /// system, it is Linux); frameworks and whose line failed speak against it only where they are.
    fn is_in(&self, only: &Conditions) -> bool {
        if only.is_empty() {
            return true;
        }
        // What speaks of the line that failed is no advice for somebody else's.
        if only.owners == [Owner::Own] && self.is_foreign() {
            return false;
        }
        let lent = matches!(self.setting.front, Some(Front::Colab | Front::Kaggle));
        let front = match self.notebook {
            _ if lent => self.setting.front,
            true => Some(Front::Notebook),
            false => Some(Front::Script),
        };
        let place = Conditions {
            systems: only.systems.clone(),
            fronts: only.fronts.clone(),
            ..Conditions::default()
        };
        let about = Conditions {
            systems: Vec::new(),
            fronts: Vec::new(),
            ..only.clone()
        };
        let setting = Setting {
            front,
            ..self.setting.clone()
        };
        place.fit(&setting) < Fit::Unknown && about.fit(&setting) != Fit::Wrong
    }
}

/// Cures that install, start or set up what was missing, for a failure that ended in an exception.
pub(crate) fn setup(case: &Case<'_>, out: &mut Vec<Cure>) {
    let none = Setting::default();
    let mut frames = case.chain.exceptions.iter().flat_map(|e| &e.frames);
    let setting = case.setting().unwrap_or(&none);
    let notebook = !case.book.is_excerpt()
        || setting.in_notebook() == Some(true)
        || frames.any(|f| matches!(f.origin, Origin::Cell { .. }));
    let error = raised(&case.chain);
    let around = around(&case.output, case.chain.lines.start, case.chain.lines.end);
    out.extend(remedies(&error, &around, setting, notebook));
}

/// Like [`setup`], for an output without an exception.
pub(crate) fn setup_of_output(output: &str, diagnosis: &Diagnosis, notebook: bool) -> Vec<Cure> {
    let document = Document::from_terminal(output, Limits::default());
    let rests = |i: &usize| {
        let line = document.raw_line(*i);
        diagnosis.evidence.iter().any(|e| e.line == line)
    };
    let first = (0..document.len()).find(rests).unwrap_or(0);
    let last = (0..document.len())
        .rev()
        .find(rests)
        .unwrap_or(document.len());
    let text = around(&document, first, last);
    let notebook = notebook || diagnosis.setting.in_notebook() == Some(true);
    remedies(&text, &text, &diagnosis.setting, notebook)
}

/// The setup cures for the exceptions and the output around them.
fn remedies(raised: &str, around: &str, setting: &Setting, notebook: bool) -> Vec<Cure> {
    let told = |text| Told {
        text,
        around,
        setting,
        notebook,
        raised: None,
        frames: OnceCell::new(),
    };
    let (raised, output) = (told(raised), told(around));
    let exceptions = entries::EXCEPTIONS.iter().map(|e| (e, &raised));
    let all = exceptions.chain(entries::OUTPUT.iter().map(|e| (e, &output)));
    all.filter_map(|(entry, told)| cure(entry, told))
        .take(MAX_REMEDIES)
        .collect()
}

/// What to write instead: one cure, for the exception that says most about it.
pub(crate) fn code(case: &Case<'_>, out: &mut Vec<Cure>) {
    let all = &case.chain.exceptions;
    // An exception raised from another one often only says that something failed.
    let mut from = all.len().saturating_sub(1);
    while from > 0 && matches!(all[from].relation, Relation::Cause) {
        from -= 1;
    }
    let none = Setting::default();
    let said = |error: &Exception| {
        let text = message(case, error);
        let told = Told {
            text: &text,
            around: "",
            setting: case.setting().unwrap_or(&none),
            notebook: false,
            raised: Some((case, error)),
            frames: OnceCell::new(),
        };
        entries::CODE.iter().find_map(|entry| cure(entry, &told))
    };
    let cure = all[from..].iter().rev().find_map(said);
    out.extend(cure.map(|mut cure| {
        // An example with its own names was never checked against this code.
        if sureness::is_template(case, &cure, true) {
            cure.basis = Basis::Guessed;
        }
        cure
    }));
}

/// The cure of an entry, if all holds that it asks for.
fn cure(entry: &Remedy<'static>, told: &Told<'_>) -> Option<Cure> {
    let text = told.text;
    let any = |all: &[&str]| all.iter().any(|literal| text.contains(literal));
    let found = match entry.says.is_empty() && entry.families.is_empty() {
        true => Vec::new(),
        false => said(&entry.says, &entry.families, text)?,
    };
    let is_near = |words: &[&str]| words.iter().any(|w| told.near().contains(w));
    let fits = entry.literal.iter().all(|line| any(line))
        && !any(&entry.absent)
        && told.is_in(&entry.only)
        && entry.near.iter().all(|words| is_near(words))
        && !is_near(&entry.not_near);
    if !fits
        || changes_layer(entry) && (told.in_trained_model() || told.is_foreign())
        || entry.code.contains("/whl/cu") && told.is_without_cuda()
    {
        return None;
    }
    let slots = slots(entry, told, &found)?;
    let code = slots.code(entry.code)?;
    let bare = told.setting.front == Some(Front::Container);
    let (code, language) = match entry.language {
        "bash" if told.notebook => (fill::magics(&code), "python"),
        "bash" if bare => (code.replace("sudo ", ""), "bash"),
        language => (code, language),
    };
    let why = entry.why.iter().filter_map(|w| slots.text(w));
    Some(Cure {
        id: match entry.id {
            "" => UNNAMED.into(),
            id => id.into(),
        },
        kind: entry.kind,
        basis: sureness::told(entry.applies),
        title: slots.text(entry.title)?,
        why: why.collect::<Vec<_>>().join(" "),
        code,
        language: language.into(),
        ..Cure::default()
    })
}

/// What the holes hold, where the first of some wordings or of some families' wordings stands in a text.
pub(crate) fn said<'t>(
    says: &[Wording<'static>],
    families: &[usize],
    text: &'t str,
) -> Option<Found<'static, 't>> {
    let own = says.iter().find_map(|w| w.find(text));
    let of_families = || {
        families
            .iter()
            .find_map(|n| nbmedic_wordings::find(*n, text))
    };
    own.or_else(of_families)
}

/// Whether an entry says to make a layer of another size.
fn changes_layer(entry: &Remedy<'_>) -> bool {
    let says = |t: &str| LAYERS.iter().any(|l| t.contains(l));
    says(entry.title) || says(entry.code)
}

/// What fills an entry's slots; none, if something is missing or a condition does not hold.
fn slots(entry: &Remedy<'static>, told: &Told<'_>, found: &Found<'_, '_>) -> Option<Slots> {
    let mut slots = Slots::default();
    slots.hold(found);
    if let Some((case, error)) = told.raised {
        for (name, held) in operands::of(case, error) {
            slots.set(name, &held);
        }
    }
    for pattern in &entry.patterns {
        let regex = pattern.regex()?;
        let found = regex
            .captures(told.text)
            .or_else(|| regex.captures(told.around))?;
        slots.add(regex, &found);
    }
    for name in &entry.unlisted {
        if entries::look_up("modules", slots.get(name)?).is_some() {
            return None;
        }
    }
    for l in &entry.look_ups {
        let key = slots.get(l.from)?.to_owned();
        match entries::look_up(l.table, &key) {
            Some(found) => slots.set_own(l.slot, found),
            None if l.optional => {}
            None => return None,
        }
    }
    for (name, value) in &entry.derives {
        match eval(value, |name| slots.value(name)) {
            Ok(Val::Num(n)) if n >= 1.0 && n.fract() == 0.0 && n < 1e15 => {
                slots.set(name, &format!("{n}"));
            }
            _ => return None,
        }
    }
    let hold = |when: &&str| holds(when, |name| slots.value(name)).unwrap_or(false);
    entry.when.iter().all(hold).then_some(slots)
}

/// The classes and messages of a chain, last one first.
fn raised(chain: &Chain) -> String {
    let mut out = String::new();
    for e in chain.exceptions.iter().rev() {
        if out.len() + e.message.len() > MAX_TEXT {
            break;
        }
        out += &e.class;
        out += ": ";
        out += &e.message;
        out.push('\n');
    }
    out
}

/// The lines around a failure.
fn around(document: &Document, first: usize, last: usize) -> String {
    let from = first.saturating_sub(BEFORE);
    let to = last.saturating_add(AFTER).min(document.len());
    let mut out = String::new();
    for i in from..to {
        let line = document.line(i);
        if out.len() + line.len() > MAX_TEXT {
            break;
        }
        out += line;
        out.push('\n');
    }
    out
}

/// `Class: message` on one line. Of a very long message, only the beginning and the end.
pub(crate) fn message(case: &Case<'_>, error: &Exception) -> String {
    let message = &error.message;
    let head = floor(message, MAX_MESSAGE);
    // A graph error names the failure at the end.
    let tail = floor(message, message.len().saturating_sub(MAX_MESSAGE).max(head));
    let words = message[..head].split_whitespace();
    let words = words.chain(message[tail..].split_whitespace());
    let words = words.collect::<Vec<_>>().join(" ");
    let mut text = format!("{}: {words}", error.name());
    // A traceback-like part may cut the message off before the actual failure.
    if text.contains("Graph execution error") {
        let end = case.output.len();
        for i in end.saturating_sub(LAST_LINES)..end {
            let line = case.output.line(i);
            text += " ";
            text += &line[..floor(line, MAX_LINE)];
        }
    }
    text
}

/// The frames of an exception, and its message.
fn framed(error: &Exception, text: &str) -> String {
    let mut out = text.to_owned();
    for f in error.frames.iter().rev().take(MAX_FRAMES) {
        let code = f.code.as_deref().unwrap_or("");
        let function = f.function.as_deref().unwrap_or("");
        let file = f.file.replace('\\', "/");
        out += &format!("\n{file}:{function}: {}", &code[..floor(code, 300)]);
        if f.origin != Origin::Library {
            out += "\nown";
        }
    }
    out
}

#[cfg(test)]
mod tests;
