//! `nbmedic explain` and `nbmedic rules`.

use crate::terminal::{blocks, code, paint, wrap, DIM, HELP, MARK, STRONG};
use crate::ListFormat;
use nbmedic::catalog::{explain as fill, find, prose, rules as all, Applicability, Prose};
use nbmedic::triage::{Diagnosis, Facts};
use serde::Serialize;
use std::process::ExitCode;

/// Prints a diagnosis' page, with the places for facts left open.
pub fn explain(id: &str) -> Result<ExitCode, String> {
    // `gpu-oom/fragmented` is accepted: the bare id holds all variants.
    let bare = id.split('/').next().unwrap_or(id);
    let (Some(rule), Some(prose)) = (find(bare), prose(bare)) else {
        return Err(unknown(bare));
    };
    let general = Diagnosis {
        id: rule.id,
        variant: None,
        confidence: 1.0,
        facts: Facts::new(),
        location: nbmedic::triage::Location::default(),
        evidence: Vec::new(),
        also: Vec::new(),
    };
    let page = fill(&general, &prose);
    anstream::println!("{}  {}", paint(MARK, rule.id), paint(DIM, rule.family));
    anstream::println!("{}\n", paint(STRONG, &page.title));
    anstream::println!("{}", blocks(&page.summary, ""));
    for (heading, text) in [
        ("What it means", &page.meaning),
        ("Why it happens", &page.why),
    ] {
        anstream::println!("{}", paint(STRONG, heading));
        anstream::println!("{}", blocks(text, "  "));
    }
    if !prose.variants.is_empty() {
        anstream::println!("{}", paint(STRONG, "Variants"));
        for v in &prose.variants {
            anstream::println!("  {}", paint(MARK, &format!("{id}/{}", v.id, id = rule.id)));
            anstream::println!("{}", blocks(&v.summary, "    "));
        }
    }
    anstream::println!("{}", paint(STRONG, "Fixes"));
    for f in all_fixes(&prose) {
        anstream::println!(
            "  {} {}",
            paint(HELP, &f.title),
            paint(DIM, &format!("({}; {})", sure(f.applies), f.id))
        );
        anstream::print!("{}", blocks(&f.why, "    "));
        if !f.cost.is_empty() {
            anstream::println!("{}", wrap(&format!("Costs: {}", f.cost), "    ", "    "));
        }
        anstream::println!("    {}", paint(DIM, &f.proven));
        anstream::println!("{}", code(&f.code, "        "));
    }
    for (text, href) in &page.links {
        anstream::println!("{}", paint(DIM, &format!("{text}: {href}")));
    }
    Ok(ExitCode::SUCCESS)
}

/// Every fix, whatever it depends on.
fn all_fixes(prose: &Prose) -> Vec<nbmedic::catalog::Fix> {
    let mut open = prose.clone();
    for f in &mut open.fixes {
        // Placeholders read as their defaults.
        while let Some(start) = f.code.find("{{") {
            let Some(len) = f.code[start..].find("}}") else {
                break;
            };
            let inner = f.code[start + 2..start + len].to_owned();
            let default = inner
                .split_once('|')
                .map_or(inner.as_str(), |(_, d)| d)
                .to_owned();
            f.code.replace_range(start..start + len + 2, &default);
        }
    }
    open.fixes
}

/// How sure a fix is, in words.
pub fn sure(a: Applicability) -> &'static str {
    match a {
        Applicability::Sure => "fixes it",
        Applicability::Likely => "usually fixes it",
        Applicability::Maybe => "worth trying",
    }
}

fn unknown(id: &str) -> String {
    let mut near: Vec<&str> = all()
        .iter()
        .map(|r| r.id)
        .filter(|r| r.split('-').any(|part| part.len() > 2 && id.contains(part)))
        .take(4)
        .collect();
    if near.is_empty() {
        near.push("nbmedic rules");
        return format!("`{id}` is no diagnosis; `{}` lists them", near[0]);
    }
    format!(
        "`{id}` is no diagnosis; did you mean {}? `nbmedic rules` lists all",
        near.join(", ")
    )
}

#[derive(Serialize)]
struct Listed {
    id: &'static str,
    family: &'static str,
    title: String,
    variants: Vec<&'static str>,
    fixes: Vec<String>,
    /// What is said of each fix's proof.
    proofs: Vec<String>,
}

/// Lists the diagnoses.
pub fn rules(format: ListFormat) -> Result<ExitCode, String> {
    let list: Vec<Listed> = all()
        .iter()
        .filter_map(|r| {
            let p = prose(r.id)?;
            Some(Listed {
                id: r.id,
                family: r.family,
                title: bare(&p.title),
                variants: r.variants.iter().map(|(v, _)| *v).collect(),
                proofs: p.fixes.iter().map(|f| f.proven.clone()).collect(),
                fixes: p.fixes.into_iter().map(|f| f.id).collect(),
            })
        })
        .collect();
    if format == ListFormat::Json {
        let json = serde_json::to_string_pretty(&list).map_err(|e| e.to_string())?;
        anstream::println!("{json}");
        return Ok(ExitCode::SUCCESS);
    }
    let mut families: Vec<&str> = list.iter().map(|l| l.family).collect();
    families.sort_unstable();
    families.dedup();
    for family in families {
        anstream::println!("{}", paint(STRONG, family));
        for l in list.iter().filter(|l| l.family == family) {
            anstream::println!("  {:<26} {}", paint(MARK, l.id), l.title);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A headline without its optional parts.
fn bare(title: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for c in title.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out.replace(['{', '}'], "").replace('_', " ")
}
