//! Fills a diagnosis's prose with the facts of the case and chooses its fixes.
//!
//! It needs the diagnosis and the prose, not the rules that led to them.

mod template;

use nbmedic_facts::{holds, Cure, Diagnosis, DiffLine, Edit, Facts, FixKind};
use nbmedic_rule::{Applicability, Block, Inline, Prose};
use nbmedic_secrets::cut;
use nbmedic_words::Text;
use serde::Serialize;

/// A fix, filled in for the case.
#[derive(Clone, Debug, Serialize)]
pub struct FixText {
    /// Stable name within the diagnosis.
    pub id: String,
    /// Imperative, short.
    pub title: String,
    /// How certain it is to help here.
    pub applies: Applicability,
    /// What it costs; may be empty.
    pub cost: String,
    /// Why it helps.
    pub why: Vec<Block>,
    /// Code to copy; may be empty.
    pub code: String,
    /// Its language.
    pub language: String,
    /// The proof statement: which case proved it, or that none did. Empty for a cure.
    pub proven: Text,
    /// What it asks for.
    pub kind: FixKind,
    /// Changes of the person's own cells; empty for a fix of the catalogue.
    pub edits: Vec<Edit>,
    /// The positions of the cells to run, in order, from 1.
    pub run: Vec<usize>,
    /// The cell whose whole source `code` is, if it is one.
    pub cell: Option<usize>,
    /// The edits as a difference of lines.
    pub diff: Vec<DiffLine>,
}

impl FixText {
    /// Whether it was made for this failure.
    pub fn is_cure(&self) -> bool {
        !self.edits.is_empty() || !self.run.is_empty() || self.proven.is_empty()
    }
}

/// A cure as a fix: its words as inline text, with the code between backticks.
fn cured(cure: &Cure) -> FixText {
    FixText {
        id: cure.id.to_owned(),
        title: clip(cure.title.replace('`', "")),
        applies: cure.applies,
        cost: String::new(),
        why: match cure.why.is_empty() {
            true => Vec::new(),
            false => vec![Block::P(spans(&cure.why))],
        },
        code: cure.code.clone(),
        language: cure.language.to_owned(),
        proven: Text::default(),
        kind: cure.kind,
        edits: cure.edits.clone(),
        run: cure.run.clone(),
        cell: cure.cell,
        diff: cure.diff.clone(),
    }
}

/// Text with code between backticks.
fn spans(text: &str) -> Vec<Inline> {
    let part = |(i, part): (usize, &str)| match i % 2 {
        0 => Inline::Text(part.to_owned()),
        _ => Inline::Code(part.to_owned()),
    };
    let parts = text.split('`').enumerate();
    parts.filter(|(_, p)| !p.is_empty()).map(part).collect()
}

/// Everything that is shown about one diagnosis, with all templates filled in.
#[derive(Clone, Debug)]
pub struct Explained<'a> {
    /// What was found.
    pub diagnosis: &'a Diagnosis,
    /// A self-contained line.
    pub title: String,
    /// One or two sentences.
    pub summary: Vec<Block>,
    /// What it means.
    pub meaning: Vec<Block>,
    /// Why it happens.
    pub why: Vec<Block>,
    /// What to do in this case, best first.
    pub fixes: Vec<FixText>,
    /// Further reading: text and `https:` address.
    pub links: Vec<(String, String)>,
}

/// Fills the prose with the facts and keeps the fixes that apply, behind those made for this failure.
pub fn explain<'a>(diagnosis: &'a Diagnosis, prose: &Prose) -> Explained<'a> {
    let facts = &diagnosis.facts;
    let variant = diagnosis.variant.unwrap_or("");
    let own = prose.variants.iter().find(|v| v.id == variant);
    let (title, summary) = own.map_or((&prose.title, &prose.summary), |v| (&v.title, &v.summary));
    let general = prose
        .fixes
        .iter()
        .filter(|f| f.variants.is_empty() || f.variants.iter().any(|v| v == variant))
        .filter(|f| f.when.is_empty() || holds(&f.when, facts))
        .map(|f| FixText {
            id: f.id.clone(),
            title: template::fill(&f.title, facts),
            applies: f.applies,
            cost: f.cost.clone(),
            why: fill(&f.why, facts),
            code: template::code(&f.code, facts),
            language: f.language.clone(),
            proven: f.proven.clone(),
            kind: FixKind::Look,
            edits: Vec::new(),
            run: Vec::new(),
            cell: None,
            diff: Vec::new(),
        });
    let fixes = diagnosis.cures.iter().map(cured).chain(general).collect();
    Explained {
        diagnosis,
        title: clip(template::fill(title, facts)),
        summary: fill(summary, facts),
        meaning: fill(&prose.meaning, facts),
        why: fill(&prose.why, facts),
        fixes,
        links: prose.links.clone(),
    }
}

/// The prose for the reference, independent of any case: every variant and every fix, without the
/// parts that need a fact, and code with its defaults.
pub fn general(prose: &Prose) -> Prose {
    let none = Facts::new();
    let text = |t: &str| template::fill_with(t, &none, "…");
    let blocks = |b: &[Block]| fill_by(b, &text, &|t| template::code(t, &none));
    let mut page = prose.clone();
    page.title = text(&page.title);
    page.summary = blocks(&page.summary);
    page.meaning = blocks(&page.meaning);
    page.why = blocks(&page.why);
    for v in &mut page.variants {
        v.title = text(&v.title);
        v.summary = blocks(&v.summary);
    }
    for f in &mut page.fixes {
        f.title = text(&f.title);
        f.why = blocks(&f.why);
        f.code = template::code(&f.code, &none);
    }
    page
}

/// Longest headline, in characters: names and paths filled into it may have any length.
const MAX_TITLE: usize = 110;

fn clip(title: String) -> String {
    match title.char_indices().nth(MAX_TITLE) {
        None => title,
        Some(_) => {
            format!("{}…", cut(&title, MAX_TITLE - 1).trim_end())
        }
    }
}

fn fill(blocks: &[Block], facts: &Facts) -> Vec<Block> {
    let code = |t: &str| template::inline_code(t, facts);
    fill_by(blocks, &|t| template::fill(t, facts), &code)
}

fn fill_by(
    blocks: &[Block],
    text: &dyn Fn(&str) -> String,
    code: &dyn Fn(&str) -> String,
) -> Vec<Block> {
    let inlines = |list: &[Inline]| -> Vec<Inline> {
        list.iter()
            .map(|i| match i {
                Inline::Text(t) => Inline::Text(text(t)),
                Inline::Em(t) => Inline::Em(text(t)),
                Inline::Strong(t) => Inline::Strong(text(t)),
                Inline::Code(t) => Inline::Code(code(t)),
                Inline::Link(t, href) => Inline::Link(t.clone(), href.clone()),
            })
            .collect()
    };
    blocks
        .iter()
        .map(|b| match b {
            Block::P(p) => Block::P(inlines(p)),
            Block::List(items) => Block::List(items.iter().map(|i| inlines(i)).collect()),
            Block::Code(language, text) => Block::Code(language.clone(), code(text)),
        })
        .collect()
}

impl Explained<'_> {
    /// The summary as one line of plain text.
    pub fn summary_text(&self) -> String {
        plain(&self.summary)
    }

    /// Meaning and reasons as plain text, a paragraph per line.
    pub fn explanation_text(&self) -> String {
        [plain(&self.meaning), plain(&self.why)].join("\n")
    }
}

/// Blocks as plain text, one per line.
pub fn plain(blocks: &[Block]) -> String {
    let line = |list: &[Inline]| -> String {
        list.iter()
            .map(|i| match i {
                Inline::Text(t) | Inline::Em(t) | Inline::Strong(t) => t.clone(),
                Inline::Code(t) => format!("`{t}`"),
                Inline::Link(t, _) => t.clone(),
            })
            .collect()
    };
    let mut out = Vec::new();
    for b in blocks {
        match b {
            Block::P(p) => out.push(line(p)),
            Block::List(items) => out.extend(items.iter().map(|i| format!("- {}", line(i)))),
            Block::Code(_, text) => out.push(text.clone()),
        }
    }
    out.join("\n")
}
