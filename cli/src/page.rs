//! `nbmedic explain` and `nbmedic rules`.

use crate::format::ListFormat;
use crate::out::{put, say};
use crate::terminal::{blocks, code, paint, wrap, DIM, HELP, MARK, STRONG};
use nbmedic::catalog::{find, general, prose, rules as all, Applicability};
use serde::Serialize;

/// How many ids are named instead of an unknown one.
const NEAR: usize = 4;

/// Prints a diagnosis in full, with placeholders for facts left open.
pub fn explain(id: &str) -> Result<u8, String> {
    // `gpu-oom/fragmented` is accepted: the page of the id includes all variants.
    let bare = id.split('/').next().unwrap_or(id);
    let (Some(rule), Some(prose)) = (find(bare), prose(bare)) else {
        return Err(unknown(bare));
    };
    let page = general(&prose);
    say!("{}  {}", paint(MARK, rule.id), paint(DIM, rule.family));
    say!("{}\n", paint(STRONG, &page.title));
    say!("{}", blocks(&page.summary, ""));
    for (heading, text) in [
        ("What it means", &page.meaning),
        ("Why it happens", &page.why),
    ] {
        say!("{}", paint(STRONG, heading));
        say!("{}", blocks(text, "  "));
    }
    if !page.variants.is_empty() {
        say!("{}", paint(STRONG, "Variants"));
        for v in &page.variants {
            say!("  {}", paint(MARK, &format!("{id}/{}", v.id, id = rule.id)));
            say!("{}", blocks(&v.summary, "    "));
        }
    }
    say!("{}", paint(STRONG, "Fixes"));
    for f in &page.fixes {
        say!(
            "  {} {}",
            paint(HELP, &f.title),
            paint(DIM, &format!("({}; {})", sure(f.applies), f.id))
        );
        put!("{}", blocks(&f.why, "    "));
        if !f.cost.is_empty() {
            say!("{}", wrap(&format!("Costs: {}", f.cost), "    ", "    "));
        }
        say!("    {}", paint(DIM, &f.proven.english()));
        say!("{}", code(&f.code, "        "));
    }
    for (text, href) in &page.links {
        say!("{}", paint(DIM, &format!("{text}: {href}")));
    }
    Ok(0)
}

/// How certain a fix is, in words.
pub fn sure(a: Applicability) -> &'static str {
    match a {
        Applicability::Sure => "fixes it",
        Applicability::Likely => "usually fixes it",
        Applicability::Maybe => "worth trying",
        Applicability::Shows => "shows more",
    }
}

/// The ids that are most like another, nearest first: misspelt ones, then those that share a word.
fn near(id: &str) -> Vec<&'static str> {
    let shares = |r: &str| r.split('-').any(|part| part.len() > 2 && id.contains(part));
    let mut all: Vec<(usize, &str)> = all()
        .iter()
        .map(|r| (strsim::osa_distance(id, r.id), r.id))
        .filter(|(d, r)| *d <= r.len() / 3 || shares(r))
        .collect();
    all.sort_unstable();
    all.into_iter().take(NEAR).map(|(_, r)| r).collect()
}

/// What is said of an id that is none.
pub fn unknown(id: &str) -> String {
    let near = near(id);
    if near.is_empty() {
        return format!("`{id}` is not a diagnosis; `nbmedic rules` lists them");
    }
    format!(
        "`{id}` is not a diagnosis; did you mean {}? `nbmedic rules` lists all",
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
    /// The sentence about each fix's proof.
    proofs: Vec<String>,
}

/// Lists the diagnoses.
pub fn rules(format: ListFormat) -> Result<u8, String> {
    let list: Vec<Listed> = all()
        .iter()
        .filter_map(|r| {
            let p = prose(r.id)?;
            Some(Listed {
                id: r.id,
                family: r.family,
                title: general(&p).title,
                variants: r.variants.iter().map(|v| v.id).collect(),
                proofs: p.fixes.iter().map(|f| f.proven.english()).collect(),
                fixes: p.fixes.into_iter().map(|f| f.id).collect(),
            })
        })
        .collect();
    if format == ListFormat::Json {
        let json = serde_json::to_string_pretty(&list).map_err(|e| e.to_string())?;
        say!("{json}");
        return Ok(0);
    }
    let mut families: Vec<&str> = list.iter().map(|l| l.family).collect();
    families.sort_unstable();
    families.dedup();
    for family in families {
        say!("{}", paint(STRONG, family));
        for l in list.iter().filter(|l| l.family == family) {
            say!("  {} {}", paint(MARK, &format!("{:<26}", l.id)), l.title);
        }
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::near;

    #[test]
    fn the_nearest_ids_come_first() {
        assert_eq!(near("gpu-omm").first(), Some(&"gpu-oom"));
        assert_eq!(near("nameundefined").first(), Some(&"name-undefined"));
        assert!(near("gpu").contains(&"gpu-oom"));
        assert_eq!(near("zzzzzz"), Vec::<&str>::new());
    }
}
