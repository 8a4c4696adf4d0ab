//! Where anything of interest can be in a text: one quick search for the catalogue's literals and for what every
//! traceback has.

use nbmedic::catalog::{rules, Scope};
use nbmedic::text::Sieve;
use nbmedic::traceback::MARKS;
use std::sync::OnceLock;

/// What every text holds that has a diagnosis.
pub fn triggers() -> &'static Sieve {
    static TRIGGERS: OnceLock<Sieve> = OnceLock::new();
    TRIGGERS.get_or_init(|| {
        let matches = rules().iter().flat_map(|r| r.matches);
        // What is looked for in messages only is in a traceback, and what only a dead kernel's last lines say is not
        // looked for here.
        let on_lines = matches.filter(|m| !matches!(m.scope, Scope::Exception | Scope::LastLine));
        let mut all: Vec<&'static str> = on_lines.flat_map(|m| m.literal).copied().collect();
        all.extend(MARKS);
        all.sort_unstable();
        all.dedup();
        // A literal that contains another one adds nothing.
        let short = Sieve::new(all.clone());
        all.retain(|l| {
            let mut whole = true;
            short.each(l, &mut |n, _| whole &= short.literals()[n] == *l);
            whole
        });
        Sieve::new(all)
    })
}

/// Whether a text can have a diagnosis.
pub fn interesting(text: &str) -> bool {
    let mut any = false;
    triggers().each(text, &mut |_, _| any = true);
    any
}
