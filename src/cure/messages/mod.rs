//! What a message says to do: the knowledge of libraries' and tools' own wordings, as data.
//!
//! The entries of `setup/` are about what surrounds the code: installations, launches, networks, drivers. Those of
//! `exceptions.txt` look at the exceptions, those of `output.txt` and `commands.txt` at the output around the failure; `names.txt` has the
//! tables that they look names up in. The entries of `code/` say what to write instead, with the message's own names
//! and sizes, where no technique knows anything surer.
//!
//! An entry starts with `==` and its name, if it has one; the first entry that holds is taken, so the narrower one
//! stands first. Its fields, one per line:
//!
//! - `says:` a wording with holes, which `pattern.rs` describes; several lines are alternatives.
//! - `when:` literals of which one must occur, between ` || `; each line must hold. `unless:` none may.
//! - `take:` a regular expression that must match; its named groups fill the slots `{name}`.
//! - `near:` literals of which one must stand in a frame or in the message; `not-near:` none of them.
//! - `about:` frameworks, if it is known which one the failure is about.
//! - `on:` where it may be said: a system (Linux where nothing tells), `notebook`, `script`, `conda`, `colab`, or whose line failed: `own`; all must hold.
//! - `look-up:` `table group -> slot`: the table of `names.txt` must have what the group holds; with `look-up?:` the
//!   slot stays empty where the table has nothing. The tables `modules` and `packages` are those of distributions.
//!   `unlisted:` a group whose module is in no such table. `differ:` two groups that must not be the same.
//! - `if:` a condition on the slots, `a == b + 1`. `let:` `n = a / b`, which must be a whole number above 0.
//! - `kind:` install, setting or look (if there is none); `applies:` sure, likely (if there is none), maybe or shows.
//! - `title:`; `why:`, of which a line with an empty slot is left out; `code: language` with the indented lines after
//!   it. Commands are written for a terminal; in a notebook they get their magics.
//!
//! A shape in the hole `s` fills `{s_n}` (how many axes), `{s_0}` (the first size), `{s_l}` (the last), `{s_p}` (their
//! product). The failing line gives `{line}`, `{left}` and `{right}` of its only operator, `{target}`, `{value}` and
//! `{function}`, if it can be read.
//!
//! An entry with a slot that nothing fills is not offered. What fills a slot of code has no character that a shell
//! reads as more than text.

mod entries;
mod fill;
mod operands;
mod pattern;

use crate::case::Case;
use crate::sureness;
use entries::{Entry, Step};
pub(crate) use fill::Slots;
use nbmedic_facts::expr::{eval, holds, Val};
use nbmedic_facts::{Applicability, Cure, Diagnosis, Front, Owner, Setting, System};
use nbmedic_text::{Document, Limits};
use nbmedic_traceback::{Chain, Exception, Origin, Relation};
use pattern::floor;
pub(crate) use pattern::Pattern;
use std::cell::OnceCell;

/// Most remedies of the set-up offered for one failure.
const MAX_REMEDIES: usize = 2;
/// Lines of the output that are looked at, before the failure and after it.
const BEFORE: usize = 120;
const AFTER: usize = 60;
/// Longest text that is looked at, in bytes.
const MAX_TEXT: usize = 40_000;
/// What is read of one message's beginning, and as much of its end, in bytes.
const MAX_MESSAGE: usize = 4000;
/// The last lines of the output that are read for a graph's error, and the most of each, in bytes.
const LAST_LINES: usize = 6;
const MAX_LINE: usize = 500;
/// Most frames whose code is looked at.
const MAX_FRAMES: usize = 120;

/// Layers that an entry writes with sizes.
const LAYERS: &[&str] = &[
    "nn.Linear(",
    "nn.Conv",
    "nn.Embedding(",
    "nn.BatchNorm",
    "nn.LayerNorm(",
    "nn.LSTM(",
    "nn.GRU(",
];
/// What shows that a model came with its weights: the packages of such models, and the classes that they load.
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

/// What PyTorch and its drivers print on AMD's and Intel's GPUs, Apple's, and TPUs.
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

/// What the entries are tried on.
struct Told<'a> {
    /// What wordings and literals are looked for in.
    text: &'a str,
    /// The output around the failure: `take:` looks in it too.
    around: &'a str,
    setting: &'a Setting,
    notebook: bool,
    /// The exception, where the text is its message.
    raised: Option<(&'a Case<'a>, &'a Exception)>,
    frames: OnceCell<String>,
}

impl Told<'_> {
    /// The text and the frames of its exception.
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

    /// Whether the layers belong to a model whose trained weights were loaded: another size would throw them away.
    fn in_trained_model(&self) -> bool {
        TRAINED.iter().any(|mark| self.near().contains(mark))
    }

    /// Whether the accelerator is none that CUDA runs on.
    fn is_without_cuda(&self) -> bool {
        OTHERS
            .iter()
            .any(|mark| self.text.contains(mark) || self.around.contains(mark))
    }

    /// Whether the failure is about one of some frameworks, or it isn't known about which.
    fn is_about(&self, names: &[&str]) -> bool {
        let known = &self.setting.frameworks;
        let named = |f: &nbmedic_facts::Framework| {
            names.contains(&format!("{f:?}").to_lowercase().as_str())
        };
        names.is_empty() || known.is_empty() || known.iter().any(named)
    }
}

/// What installs, starts or sets up what was missing, for a failure that ended in an exception.
pub(crate) fn setup(case: &Case<'_>, out: &mut Vec<Cure>) {
    let none = Setting::default();
    let mut frames = case.chain.exceptions.iter().flat_map(|e| &e.frames);
    let setting = case.setting().unwrap_or(&none);
    let notebook = !case.book.is_excerpt()
        || setting.in_notebook() == Some(true)
        || frames.any(|f| matches!(f.origin, Origin::Cell { .. }));
    let error = raised(&case.chain);
    let around = around(&case.output, case.chain.lines.start, case.chain.lines.end);
    let mut all = remedies(&error, &around, setting, notebook);
    // A repair of the person's own line says more.
    if !case.book.is_excerpt() && out.iter().any(|c| !c.edits.is_empty()) {
        all.iter_mut()
            .for_each(|c| c.applies = c.applies.max(Applicability::Maybe));
    }
    out.extend(all);
}

/// The same for an output without an exception.
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

/// The entries of the set-up for what was raised and for the output around it.
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
    all.filter_map(|(entry, told)| entry.cure(told))
        .take(MAX_REMEDIES)
        .collect()
}

/// What to write instead, if no technique knew anything: one cure, for the exception that says most about it.
pub(crate) fn code(case: &Case<'_>, out: &mut Vec<Cure>) {
    if !out.is_empty() {
        return;
    }
    let all = &case.chain.exceptions;
    // An exception that was raised from another one often only says that something failed.
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
        entries::CODE.iter().find_map(|entry| entry.cure(&told))
    };
    let cure = all[from..].iter().rev().find_map(said);
    out.extend(cure.map(|mut cure| {
        // An example with names of its own was never checked against this code.
        if sureness::is_template(case, &cure, true) {
            cure.applies = Applicability::Maybe;
        }
        cure
    }));
}

impl Entry {
    /// The cure, if all holds that the entry asks for.
    fn cure(&self, told: &Told<'_>) -> Option<Cure> {
        let text = told.text;
        let any = |all: &[&str]| all.iter().any(|literal| text.contains(literal));
        let found = match self.says.is_empty() {
            true => Vec::new(),
            false => self.says.iter().find_map(|w| w.find(text))?,
        };
        let fits = self.when.iter().all(|line| any(line))
            && !any(&self.unless)
            && self.on.iter().all(|place| is_there(place, told))
            && told.is_about(&self.about)
            && self
                .near
                .iter()
                .all(|(wanted, words)| words.iter().any(|w| told.near().contains(w)) == *wanted);
        if !fits
            || self.changes_layer() && (told.in_trained_model() || told.is_foreign())
            || self.code.contains("/whl/cu") && told.is_without_cuda()
        {
            return None;
        }
        let slots = self.slots(told, &found)?;
        let code = match self.code.is_empty() {
            true => String::new(),
            false => slots.code(&self.code)?,
        };
        let bare = told.setting.front == Some(Front::Container);
        let (code, language) = match self.language {
            "bash" if told.notebook => (fill::magics(&code), "python"),
            "bash" if bare => (code.replace("sudo ", ""), "bash"),
            language => (code, language),
        };
        let why = self.why.iter().filter_map(|w| slots.text(w));
        Some(Cure {
            id: self.name.into(),
            kind: self.kind,
            applies: self.applies,
            title: slots.text(self.title)?,
            why: why.collect::<Vec<_>>().join(" "),
            code,
            language: language.into(),
            ..Cure::default()
        })
    }

    /// Whether it says to make a layer of another size.
    fn changes_layer(&self) -> bool {
        [self.title, &self.code]
            .iter()
            .any(|t| LAYERS.iter().any(|l| t.contains(l)))
    }

    /// What fills the slots; none, if something is missing or a condition does not hold.
    fn slots(&self, told: &Told<'_>, found: &pattern::Found<'_>) -> Option<Slots> {
        let mut slots = Slots::default();
        for (hole, held) in found {
            match hole.is_shape() {
                true => slots.set_shape(hole.name, held),
                false => slots.set(hole.name, held),
            }
        }
        if let Some((case, error)) = told.raised {
            for (name, held) in operands::of(case, error) {
                slots.set(name, &held);
            }
        }
        for take in &self.takes {
            let found = (take.captures(told.text)).or_else(|| take.captures(told.around))?;
            slots.add(take, &found);
        }
        for name in &self.unlisted {
            if entries::look_up("modules", slots.get(name)?).is_some() {
                return None;
            }
        }
        if let Some((one, other)) = self.differ {
            if slots.get(one) == slots.get(other) {
                return None;
            }
        }
        for l in &self.look_ups {
            let key = slots.get(l.from)?.to_owned();
            match entries::look_up(l.table, &key) {
                Some(found) => slots.set_own(l.slot, found),
                None if l.optional => {}
                None => return None,
            }
        }
        for step in &self.steps {
            let look = |name: &str| slots.value(name);
            match step {
                Step::If(condition) => {
                    if !holds(condition, look).unwrap_or(false) {
                        return None;
                    }
                }
                Step::Let(name, sum) => match eval(sum, look) {
                    Ok(Val::Num(n)) if n >= 1.0 && n.fract() == 0.0 && n < 1e15 => {
                        slots.set(name, &format!("{n}"));
                    }
                    _ => return None,
                },
            }
        }
        Some(slots)
    }
}

/// Whether a failure was in such a place. Where nothing tells the system, it is Linux.
fn is_there(place: &str, told: &Told<'_>) -> bool {
    let setting = told.setting;
    match place {
        "linux" => matches!(setting.system, None | Some(System::Linux)),
        "macos" => setting.system == Some(System::Macos),
        "windows" => setting.system == Some(System::Windows),
        "notebook" => told.notebook,
        "script" => !told.notebook,
        // The line that failed is the person's, as far as anything tells.
        "own" => setting.owner != Some(Owner::Package) && setting.own_line != Some(false),
        "conda" => setting.conda,
        "colab" => setting.front == Some(Front::Colab),
        "kaggle" => setting.front == Some(Front::Kaggle),
        "cluster" => setting.front == Some(Front::Cluster),
        _ => false,
    }
}

/// The classes and messages of a chain, the last first.
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

/// `Class: message` on one line; of a very long message the beginning and the end.
pub(crate) fn message(case: &Case<'_>, error: &Exception) -> String {
    let message = &error.message;
    let head = floor(message, MAX_MESSAGE);
    // A graph's error says at the end what failed.
    let tail = floor(message, message.len().saturating_sub(MAX_MESSAGE).max(head));
    let words = message[..head].split_whitespace();
    let words = words.chain(message[tail..].split_whitespace());
    let words = words.collect::<Vec<_>>().join(" ");
    let mut text = format!("{}: {words}", error.name());
    // What looks like a traceback in it may cut the message short of what failed.
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
