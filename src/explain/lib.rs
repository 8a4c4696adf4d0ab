//! Fills a diagnosis's prose with the facts of the case and chooses its fixes.
//!
//! It needs the diagnosis and the prose, not the rules that led to them.

mod cause;
mod names;
mod template;

use nbmedic_facts::{
    holds, Cure, Diagnosis, DiffLine, Edit, Facts, Fit, FixKind, Setting, Tried, WHILE_IMPORTED,
};
use nbmedic_rule::{Applicability, Block, Fix, Inline, Prose};
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
    /// Code that only shows how: it has stand-ins for names. May be empty; not for a card.
    pub sample: String,
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
    /// What a trial in a copy of the kernel showed.
    pub tried: Option<Tried>,
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
        id: cure.id.clone().into_owned(),
        title: clip(cure.title.replace('`', "")),
        applies: cure.applies,
        cost: String::new(),
        why: match cure.why.is_empty() {
            true => Vec::new(),
            false => vec![Block::P(spans(&cure.why))],
        },
        code: cure.code.clone(),
        sample: String::new(),
        language: cure.language.clone().into_owned(),
        proven: Text::default(),
        kind: cure.kind,
        edits: cure.edits.clone(),
        run: cure.run.clone(),
        cell: cure.cell,
        diff: cure.diff.clone(),
        tried: cure.tried.clone(),
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
    let mut general = chosen(prose, variant, diagnosis);
    // Of the general advice, that about packages stays.
    if diagnosis.cures.iter().any(|c| c.id == WHILE_IMPORTED) {
        general.retain(|f| f.code.contains("pip install") || f.cost.contains("restart"));
    }
    let fixes = diagnosis.cures.iter().map(cured).chain(general).collect();
    // A headline that needs a fact which is not there says less than the plain one.
    let title =
        template::whole(title, facts).unwrap_or_else(|| template::fill(&prose.title, facts));
    let summary = Some(fill(summary, facts)).filter(|s| !s.is_empty());
    Explained {
        diagnosis,
        title: clip(title),
        summary: summary.unwrap_or_else(|| fill(&prose.summary, facts)),
        meaning: fill(&prose.meaning, facts),
        why: fill(&prose.why, facts),
        fixes,
        links: prose.links.clone(),
    }
}

/// The catalogue's fixes that apply in this setting and whose slots can be filled: those made for it before those
/// for any, and behind these the ones that need something of which nothing is known.
fn chosen(prose: &Prose, variant: &str, d: &Diagnosis) -> Vec<FixText> {
    let facts = &d.facts;
    let mut all: Vec<(Fit, &Fix, FixText)> = prose
        .fixes
        .iter()
        .filter(|f| f.variants.is_empty() || f.variants.iter().any(|v| v == variant))
        .filter(|f| f.when.is_empty() || holds(&f.when, facts))
        .map(|f| (f.only.fit(&d.setting), f))
        .filter(|(fit, _)| *fit != Fit::Wrong)
        .filter_map(|(fit, f)| Some((fit, f, filled(f, facts, &d.setting)?.at_row_of(f, facts)?)))
        .collect();
    // What only looks stands for no cure.
    let made =
        |(fit, f, _): &(Fit, &Fix, FixText)| *fit == Fit::Made && f.applies != Applicability::Shows;
    let made = all.iter().any(made);
    all.retain(|(_, f, _)| !made || !f.fallback);
    // Stable: the catalogue has the best first, unless the facts say that another one is. What is only worth trying,
    // as what only looks is, stays behind what usually helps.
    all.sort_by_key(|(fit, f, _)| match (fit, f.applies) {
        _ if !f.first.is_empty() && holds(&f.first, facts) => 0,
        (Fit::Made, Applicability::Sure | Applicability::Likely) => 1,
        (Fit::General, Applicability::Sure | Applicability::Likely) => 2,
        (Fit::Made | Fit::General, _) => 3,
        (Fit::Unknown | Fit::Wrong, _) => 4,
    });
    let told = |(fit, _, mut text): (Fit, &Fix, FixText)| {
        // What needs something of which nothing is known promises nothing.
        if fit == Fit::Unknown && text.applies != Applicability::Shows {
            text.applies = Applicability::Maybe;
        }
        text
    };
    all.into_iter().map(told).collect()
}

/// A fix of the catalogue for the case. None if a fact is missing that its title or code has a slot for.
fn filled(f: &Fix, facts: &Facts, setting: &Setting) -> Option<FixText> {
    let code = template::code(&f.code, facts)?;
    let (code, language) = match setting.in_notebook() {
        Some(false) => terminal(&code, &f.language),
        _ => (code, f.language.clone()),
    };
    let (code, sample) = match f.sample {
        true => (String::new(), code),
        false => (code, String::new()),
    };
    Some(FixText {
        id: f.id.clone(),
        title: template::whole(&f.title, facts)?,
        applies: f.applies,
        cost: f.cost.clone(),
        why: fill(&f.why, facts),
        code,
        sample,
        language,
        proven: f.proven.clone(),
        kind: FixKind::Look,
        edits: Vec::new(),
        run: Vec::new(),
        cell: None,
        diff: Vec::new(),
        tried: None,
    })
}

/// A cell that only runs commands, as they are typed in a terminal; other code as it is.
fn terminal(code: &str, language: &str) -> (String, String) {
    let plain = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let command = |line: &str| {
        line.starts_with('!') || line.starts_with("%pip ") || line.starts_with("%conda ")
    };
    let bash = || "bash".to_owned();
    if let Some(rest) = code.strip_prefix("%%bash\n") {
        return (rest.to_owned(), bash());
    }
    let mut lines = code.lines().filter(|l| !plain(l)).peekable();
    if lines.peek().is_none() || !lines.all(command) {
        return (code.to_owned(), language.to_owned());
    }
    let strip = |l: &str| l.strip_prefix(['!', '%']).unwrap_or(l).to_owned();
    let lines: Vec<String> = code.lines().map(strip).collect();
    (lines.join("\n"), bash())
}

/// The prose for the reference, independent of any case: every variant and every fix, without the
/// parts that need a fact; slots show as `…`.
pub fn general(prose: &Prose) -> Prose {
    let none = Facts::new();
    let text = |t: &str| template::fill_with(t, &none, "…");
    let code = |t: &str| template::code_with(t, &none, "…");
    let blocks = |b: &[Block]| fill_by(b, &text, &code);
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
        f.code = code(&f.code);
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

/// Blocks with the facts in them, without the sentences whose facts are missing.
fn fill(blocks: &[Block], facts: &Facts) -> Vec<Block> {
    let code = |t: &str| template::inline_code(t, facts);
    let whole: Vec<Block> = blocks
        .iter()
        .filter_map(|b| match b {
            Block::P(p) => Some(Block::P(known(p, facts))).filter(|b| *b != Block::P(Vec::new())),
            Block::List(items) => {
                let items: Vec<_> = items.iter().map(|i| known(i, facts)).collect();
                Some(Block::List(
                    items.into_iter().filter(|i| !i.is_empty()).collect(),
                ))
            }
            Block::Code(..) => Some(b.clone()),
        })
        .collect();
    fill_by(&whole, &|t| template::fill(t, facts), &code)
}

/// The sentences whose facts are all known.
fn known(inlines: &[Inline], facts: &Facts) -> Vec<Inline> {
    let missing = |i: &Inline| match i {
        Inline::Text(t) | Inline::Em(t) | Inline::Strong(t) => template::whole(t, facts).is_none(),
        Inline::Code(t) => template::code(t, facts).is_none(),
        Inline::Link(..) => false,
    };
    if !inlines.iter().any(missing) {
        return inlines.to_vec();
    }
    let mut sentences: Vec<Vec<Inline>> = vec![Vec::new()];
    for i in inlines {
        let Inline::Text(text) = i else {
            sentences.last_mut().expect("never empty").push(i.clone());
            continue;
        };
        for (n, part) in template::sentences(text).into_iter().enumerate() {
            if n > 0 {
                sentences.push(Vec::new());
            }
            let last = sentences.last_mut().expect("never empty");
            if !part.is_empty() {
                last.push(Inline::Text(part.to_owned()));
            }
        }
    }
    sentences.retain(|s| !s.iter().any(missing));
    sentences.concat()
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

#[cfg(test)]
mod tests {
    use super::*;
    use nbmedic_facts::{Framework, Front, System, Value};
    use nbmedic_rule::Conditions;

    fn fix(id: &str, only: Conditions, code: &str) -> Fix {
        Fix {
            id: id.into(),
            title: id.into(),
            applies: Applicability::Likely,
            only,
            code: code.into(),
            language: "python".into(),
            ..Fix::default()
        }
    }

    fn of(frameworks: &[Framework]) -> Conditions {
        Conditions {
            frameworks: frameworks.to_vec(),
            ..Conditions::default()
        }
    }

    fn ids(d: &Diagnosis, fixes: Vec<Fix>) -> Vec<String> {
        let prose = Prose {
            fixes,
            ..Prose::default()
        };
        let e = explain(d, &prose);
        e.fixes.into_iter().map(|f| f.id).collect()
    }

    #[test]
    fn fixes_for_another_setting_are_left_out_and_those_for_this_one_come_first() {
        let fixes = || {
            let linux = Conditions {
                systems: vec![System::Linux],
                ..Conditions::default()
            };
            let spare = Fix {
                fallback: true,
                ..fix("spare", Conditions::default(), "")
            };
            vec![
                spare,
                fix("any", Conditions::default(), ""),
                fix("torch", of(&[Framework::Torch]), ""),
                fix("keras", of(&[Framework::Tensorflow]), ""),
                fix("linux", linux, ""),
            ]
        };
        let mut d = Diagnosis::default();
        assert_eq!(
            ids(&d, fixes()),
            ["spare", "any", "linux", "torch", "keras"]
        );
        d.setting.frameworks = vec![Framework::Tensorflow];
        d.setting.system = Some(System::Windows);
        assert_eq!(ids(&d, fixes()), ["keras", "any"]);
    }

    #[test]
    fn what_the_facts_ask_for_comes_first() {
        let fixes = || {
            let first = Fix {
                first: "has(evaluation)".into(),
                ..fix("no-grad", Conditions::default(), "")
            };
            vec![fix("torch", of(&[Framework::Torch]), ""), first]
        };
        let mut d = Diagnosis::default();
        d.setting.frameworks = vec![Framework::Torch];
        assert_eq!(ids(&d, fixes()), ["torch", "no-grad"]);
        d.facts
            .insert("evaluation".into(), Value::Text("eval.py".into()));
        assert_eq!(ids(&d, fixes()), ["no-grad", "torch"]);
    }

    #[test]
    fn a_fix_whose_slot_has_no_fact_is_left_out() {
        let fixes = || {
            let install = fix("install", Conditions::default(), "%pip install {{package}}");
            vec![install, fix("look", Conditions::default(), "!pip list")]
        };
        let mut d = Diagnosis::default();
        assert_eq!(ids(&d, fixes()), ["look"]);
        d.facts
            .insert("package".into(), Value::Text("polars".into()));
        assert_eq!(ids(&d, fixes()), ["install", "look"]);
    }

    #[test]
    fn commands_are_typed_in_a_terminal_where_there_is_no_notebook() {
        let said = |front| {
            let mut d = Diagnosis::default();
            d.setting.front = Some(front);
            let prose = Prose {
                fixes: vec![
                    fix(
                        "a",
                        Conditions::default(),
                        "%pip install x  # then restart\n!y --help",
                    ),
                    fix("b", Conditions::default(), "%%bash\nz"),
                    fix("c", Conditions::default(), "import x\n!y"),
                ],
                ..Prose::default()
            };
            let fixes = explain(&d, &prose).fixes.into_iter();
            fixes.map(|f| (f.code, f.language)).collect::<Vec<_>>()
        };
        let as_they_are = said(Front::Colab);
        assert_eq!(as_they_are[1], ("%%bash\nz".into(), "python".into()));
        assert_eq!(
            said(Front::Script),
            [
                (
                    "pip install x  # then restart\ny --help".into(),
                    "bash".into()
                ),
                ("z".into(), "bash".into()),
                ("import x\n!y".to_owned(), "python".to_owned()),
            ]
        );
    }

    #[test]
    fn sentences_without_their_facts_are_left_out() {
        let text = |t: &str| Inline::Text(t.into());
        let prose = Prose {
            title: "Plain".into(),
            summary: vec![Block::P(vec![
                text("It asked. It has {free_bytes} in "),
                Inline::Code("x".into()),
                text(" there. End[, of {total_bytes}]."),
            ])],
            variants: vec![nbmedic_rule::Variant {
                id: "v".into(),
                title: "Has {free_bytes}".into(),
                summary: vec![Block::P(vec![text("Only {free_bytes}.")])],
            }],
            ..Prose::default()
        };
        let d = Diagnosis::default();
        assert_eq!(explain(&d, &prose).summary_text(), "It asked. End.");
        let d = Diagnosis {
            variant: Some("v"),
            ..Diagnosis::default()
        };
        let e = explain(&d, &prose);
        let said = (e.title.as_str(), e.summary_text());
        assert_eq!(said, ("Plain", "It asked. End.".to_owned()));
    }
}
