//! Reads and checks catalogue files.

use crate::families::Families;
use crate::model::{Block, Inline};
use crate::pattern::{expand, Names};
use crate::spec::{Front, RuleFile, Scope};
use crate::toml_file::toml_file;
use crate::translated::{self, Translations};
use crate::{expr, markdown, renamed};
use serde::Deserialize;
use std::{collections::BTreeMap, fs, path::Path};

/// One entry of `exclusions.toml`: text that must not be mistaken for a failure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exclusion {
    /// Matches such a message or line.
    pub pattern: String,
    /// Examples that the pattern must match.
    pub finds: Vec<String>,
    /// Examples that the pattern must not match.
    pub leaves: Vec<String>,
}

/// Where the families stand, from the catalogue's folder.
const FAMILIES: &str = "../wordings";

/// Data that all rules share.
struct Shared {
    exclusions: BTreeMap<String, Exclusion>,
    /// The case that proved each fix, by diagnosis and fix.
    proven: BTreeMap<String, BTreeMap<String, String>>,
    renamed: renamed::Tables,
    /// The tables' names as lists for patterns.
    names: Names,
    families: Families,
}

impl Shared {
    fn load(dir: &Path) -> Result<Shared, String> {
        let exclusions: BTreeMap<String, Exclusion> = toml_file(&dir.join("exclusions.toml"))?;
        for (name, e) in &exclusions {
            let re = regex::Regex::new(&e.pattern)
                .map_err(|why| format!("exclusion `{name}`: {why}"))?;
            let missed = e.finds.iter().find(|t| !re.is_match(t));
            let wrong = e.leaves.iter().find(|t| re.is_match(t));
            if let Some(text) = missed.or(wrong) {
                return Err(format!("exclusion `{name}` is wrong about `{text}`"));
            }
            if e.finds.is_empty() || e.leaves.is_empty() {
                return Err(format!("exclusion `{name}` needs examples of both kinds"));
            }
        }
        let renamed = load_renamed(dir)?;
        Ok(Shared {
            names: renamed::names(&renamed),
            renamed,
            exclusions,
            families: Families::load(&dir.join(FAMILIES))?,
            proven: toml_file(&dir.join("proven.lock"))?,
        })
    }
}

/// Reads the tables of removed and renamed names in `renamed/`.
///
/// # Errors
/// The first mistake in a table, with its file's name.
pub fn load_renamed(dir: &Path) -> Result<renamed::Tables, String> {
    renamed::load(&dir.join("renamed"))
}

/// Reads what systems say in other languages.
///
/// # Errors
/// The first mistake in a table, with its file's name.
pub fn load_translations(dir: &Path) -> Result<Translations, String> {
    translated::load(dir)
}

/// Reads every `<family>/<id>.md` under `dir`, in the order of their ids.
///
/// # Errors
/// All complaints of all files, one per line, each with the file's name.
pub fn load(dir: &Path) -> Result<Vec<RuleFile>, String> {
    let mut rules = Vec::new();
    let mut complaints = Vec::new();
    let shared = Shared::load(dir)?;
    let list = |path: &Path| -> Result<Vec<_>, String> {
        let mut entries: Vec<_> = fs::read_dir(path)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|e| format!("{}: {e}", path.display()))?
            .into_iter()
            .map(|e| e.path())
            .collect();
        entries.sort();
        Ok(entries)
    };
    for family in list(dir)?.into_iter().filter(|p| p.is_dir()) {
        for file in list(&family)?
            .into_iter()
            .filter(|p| p.extension().is_some_and(|e| e == "md"))
        {
            let stem = |p: &Path| {
                p.file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned()
            };
            let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            match read(&stem(&file), &stem(&family), &text, &shared) {
                Ok(rule) => rules.push(rule),
                Err(e) => complaints.extend(e.lines().map(|l| format!("{}: {l}", file.display()))),
            }
        }
    }
    rules.sort_by(|a: &RuleFile, b| a.id.cmp(&b.id));
    for (id, fixes) in &shared.proven {
        let rule = rules.iter().find(|r| r.id == *id);
        let known = |fix: &&String| rule.is_some_and(|r| r.front.fix.contains_key(*fix));
        if let Some(fix) = fixes.keys().find(|fix| !known(fix)) {
            complaints.push(format!("proven.lock: {id} has no fix `{fix}`"));
        }
    }
    if complaints.is_empty() {
        Ok(rules)
    } else {
        Err(complaints.join("\n"))
    }
}

/// The text that delimits a rule's TOML.
const OPEN: &str = "\n## How it is recognised\n\n```toml\n";
const CLOSE: &str = "\n```\n";

/// The text before a rule's TOML, the TOML, and the text after it.
fn parts(text: &str) -> Result<(&str, &str, &str), String> {
    let at = text
        .find(OPEN)
        .ok_or("no `## How it is recognised` with a block ```toml")?;
    let (before, rest) = text.split_at(at + OPEN.len());
    let end = rest.find(CLOSE).ok_or("the block ```toml has no end")?;
    Ok((before, &rest[..=end], &rest[end + 1..]))
}

/// A catalogue file with its TOML formatted.
///
/// # Errors
/// The reason if the TOML can't be read.
pub fn formatted(text: &str) -> Result<String, String> {
    let (before, toml, after) = parts(text)?;
    Ok(format!("{before}{}{after}", crate::format(toml)?))
}

/// Replaces the names of lists, exclusions and families with their content.
fn fill(front: &mut Front, shared: &Shared) -> Result<(), String> {
    let mut names = shared.names.clone();
    names.extend(front.names.clone());
    let fill = |p: &mut String| -> Result<(), String> {
        *p = expand(p, &names)?;
        Ok(())
    };
    for m in &mut front.matches {
        for name in &m.not {
            let e = shared.exclusions.get(name);
            let e = e.ok_or_else(|| format!("no exclusion is named `{name}`"))?;
            m.unless.push(e.pattern.clone());
        }
        let unclassed = m.class.is_empty() && m.scope == Scope::Exception;
        // Evidence is where the first literal stands that occurs: the families' before the match's own.
        let own = std::mem::take(&mut m.literal);
        for id in &m.families {
            let family = shared.families.get(id)?;
            m.literal.extend(family.literals.iter().cloned());
            if unclassed {
                m.class.extend(family.classes.iter().cloned());
            }
        }
        m.literal.extend(own);
        m.unless.iter_mut().try_for_each(fill)?;
        [&mut m.pattern, &mut m.frame]
            .into_iter()
            .try_for_each(fill)?;
    }
    front
        .facts
        .iter_mut()
        .map(|f| &mut f.pattern)
        .try_for_each(fill)
}

fn read(id: &str, family: &str, text: &str, shared: &Shared) -> Result<RuleFile, String> {
    if let Some(c) = text
        .chars()
        .find(|c| c.is_control() && !"\n\t\u{1b}".contains(*c))
    {
        return Err(format!("holds the control character {c:?}"));
    }
    let (_, toml, _) = parts(text)?;
    let mut front: Front = toml::from_str(toml).map_err(|e| e.to_string().replace('\n', " "))?;
    fill(&mut front, shared)?;
    for (fix, case) in shared.proven.get(id).into_iter().flatten() {
        if let Some(spec) = front.fix.get_mut(fix) {
            spec.proven.clone_from(case);
        }
    }
    let text = renamed::prose(text, &shared.renamed)?;
    let (prose, examples) = markdown::read(id, family, &text, &front)?;
    let rule = RuleFile {
        id: id.into(),
        family: family.into(),
        front,
        prose,
        examples,
    };
    let complaints = check(&rule);
    if complaints.is_empty() {
        Ok(rule)
    } else {
        Err(complaints.join("\n"))
    }
}

/// Most words under `What it means`.
const MAX_MEANING: usize = 120;

/// The slot that begins here, if it has a default.
fn default_of(rest: &str) -> Option<&str> {
    let slot = rest.split("}}").next()?;
    let name = slot.split_once('|')?.0;
    let is_name = name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    (is_name && !name.is_empty()).then_some(slot)
}

fn words(blocks: &[Block]) -> usize {
    let of = |list: &[Inline]| -> usize {
        let text = |i: &Inline| match i {
            Inline::Text(t)
            | Inline::Em(t)
            | Inline::Strong(t)
            | Inline::Code(t)
            | Inline::Link(t, _) => t.split_whitespace().count(),
        };
        list.iter().map(text).sum()
    };
    blocks
        .iter()
        .map(|b| match b {
            Block::P(p) => of(p),
            Block::List(items) => items.iter().map(|i| of(i)).sum(),
            Block::Code(..) => 0,
        })
        .sum()
}

fn check(rule: &RuleFile) -> Vec<String> {
    let mut out = Vec::new();
    let f = &rule.front;
    let kebab = |s: &str| {
        !s.is_empty()
            && s.chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    if !kebab(&rule.id) {
        out.push("the file's name must be a kebab-case id".into());
    }
    if !(0..=100).contains(&f.rank) {
        out.push("rank must be 0 to 100".into());
    }
    if !["error", "warning", "info"].contains(&f.severity.as_str()) {
        out.push(format!(
            "severity `{}` is none of error, warning, info",
            f.severity
        ));
    }
    if !["", "kernel", "runtime", "machine"].contains(&f.ends.as_str()) {
        out.push(format!(
            "ends `{}` is none of kernel, runtime, machine",
            f.ends
        ));
    }
    let severities = ["", "error", "warning", "info"];
    if let Some(v) = f
        .variants
        .iter()
        .find(|v| !severities.contains(&v.severity.as_str()))
    {
        out.push(format!("severity `{}` of variant `{}`", v.severity, v.id));
    }
    if let Some(r) = f
        .related
        .iter()
        .find(|r| !["definition", "packages"].contains(&r.as_str()))
    {
        out.push(format!("related `{r}` is none of definition, packages"));
    }
    for fix in &rule.prose.fixes {
        if let Some(slot) = fix.code.split("{{").skip(1).find_map(default_of) {
            out.push(format!(
                "fix `{}`: slot `{slot}` has a default, which looks like a fact",
                fix.id
            ));
        }
    }
    let words = words(&rule.prose.meaning);
    if words > MAX_MEANING {
        out.push(format!(
            "`What it means` has {words} words, more than {MAX_MEANING}"
        ));
    }
    if f.matches.is_empty() {
        out.push("no [[match]]".into());
    }
    let pattern = |p: &str, out: &mut Vec<String>| {
        if let Err(e) = regex::Regex::new(p) {
            out.push(format!("pattern `{p}`: {e}"));
        } else if p.contains("\\d{4,}") && p.contains(".*.*") {
            out.push(format!("pattern `{p}` repeats `.*`"));
        }
    };
    for m in &f.matches {
        if m.detector.is_empty() && m.class.is_empty() && m.literal.is_empty() {
            out.push("a [[match]] needs a literal, a class or a detector".into());
        }
        if m.literal.is_empty() && m.detector.is_empty() && m.scope != Scope::Exception {
            out.push("a [[match]] outside exceptions needs a literal".into());
        }
        if !m.class.is_empty() && m.scope != Scope::Exception && m.scope != Scope::Any {
            out.push("class only goes with scope exception or any".into());
        }
        if m.literal.iter().any(|l| l.len() < 2) {
            out.push("a literal must have at least 2 bytes".into());
        }
        if !m.variant.is_empty() && !f.variants.iter().any(|v| v.id == m.variant) {
            out.push(format!(
                "a [[match]] names variant `{}`, which is not listed",
                m.variant
            ));
        }
        if m.signal != 0 && m.scope != Scope::LastLine {
            out.push("signal only goes with scope last-line".into());
        }
        if !(0.0..=1.0).contains(&m.confidence) {
            out.push("confidence must be 0 to 1".into());
        }
        for p in [&m.pattern, &m.frame]
            .into_iter()
            .chain(&m.unless)
            .filter(|p| !p.is_empty())
        {
            pattern(p, &mut out);
        }
    }
    for fact in &f.facts {
        pattern(&fact.pattern, &mut out);
    }
    let exprs = f
        .derives
        .iter()
        .map(|d| &d.value)
        .chain(f.variants.iter().map(|v| &v.when))
        .chain(f.fix.values().flat_map(|x| [&x.when, &x.first]))
        .filter(|e| !e.is_empty());
    for e in exprs {
        if let Err(why) = expr::names(e) {
            out.push(format!("`{e}`: {why}"));
        }
    }
    for v in f
        .fix
        .values()
        .flat_map(|x| &x.variants)
        .filter(|v| !v.is_empty())
    {
        if !f.variants.iter().any(|k| k.id == *v) {
            out.push(format!("a fix names variant `{v}`, which is not listed"));
        }
    }
    if !rule.examples.iter().any(|e| e.matches) {
        out.push("no example (a fenced block ```match)".into());
    }
    if !rule.examples.iter().any(|e| !e.matches) {
        out.push("no near miss (a fenced block ```no-match)".into());
    }
    out
}
