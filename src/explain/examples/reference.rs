//! Prints the rule reference as JSON: one object per diagnosis, in the order of ids, with its
//! severity and its prose, which describes no particular case. The web site is generated from it.

// The engine does no I/O; this program's purpose is to print.
#![allow(clippy::disallowed_macros)]

use nbmedic_catalog::{prose, rules, Prose};
use nbmedic_explain::general;
use nbmedic_words::foreign;
use serde::Serialize;

#[derive(Serialize)]
struct Page {
    severity: &'static str,
    /// The reported line may not be the cause.
    late: bool,
    #[serde(flatten)]
    prose: Prose,
}

/// The reference is in English.
fn english(mut prose: Prose) -> Prose {
    for fix in &mut prose.fixes {
        fix.proven = foreign(fix.proven.english());
    }
    prose
}

fn main() -> Result<(), String> {
    let mut pages = Vec::new();
    for rule in rules() {
        let prose = prose(rule.id).ok_or_else(|| format!("{}: no prose", rule.id))?;
        pages.push(Page {
            severity: rule.severity,
            late: rule.late,
            prose: english(general(&prose)),
        });
    }
    pages.sort_by(|a, b| a.prose.id.cmp(&b.prose.id));
    let json = serde_json::to_string(&pages).map_err(|e| e.to_string())?;
    println!("{json}");
    Ok(())
}
