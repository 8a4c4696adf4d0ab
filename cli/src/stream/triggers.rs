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
        // What must be near a line tells two stretches apart that have the same line.
        let mut all: Vec<&'static str> = on_lines
            .flat_map(|m| m.literal.iter().chain(m.near))
            .copied()
            .collect();
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

/// For each trigger, whether it is one of a traceback.
pub fn marks() -> &'static [bool] {
    static OF_TRACEBACKS: OnceLock<Vec<bool>> = OnceLock::new();
    OF_TRACEBACKS.get_or_init(|| {
        let all = triggers().literals().iter();
        all.map(|l| MARKS.iter().any(|m| l.contains(m))).collect()
    })
}

/// Whether a text can have a diagnosis.
pub fn interesting(text: &str) -> bool {
    let mut any = false;
    triggers().each(text, &mut |_, _| any = true);
    any
}

#[cfg(test)]
mod tests {
    use super::super::Scanner;
    use super::*;
    use nbmedic::triage::{triage, Input, Surface};
    use std::path::Path;

    #[test]
    fn whatever_has_a_diagnosis_has_a_trigger_and_is_found_in_a_stream() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../src/catalog");
        let files = nbmedic_catalogc::load(Path::new(folder)).expect("the catalogue");
        let (mut texts, mut same) = (0, 0);
        for example in files.iter().flat_map(|f| &f.examples) {
            let found = triage(&Input {
                text: &example.text,
                surface: Surface::Log,
                source: None,
            });
            let Some(first) = found.first() else { continue };
            assert!(interesting(&example.text), "{}", example.text);
            let mut ids = Vec::new();
            let mut scanner = Scanner::default();
            for line in example.text.split_inclusive('\n') {
                scanner.push(line, &mut |d| ids.push(d.id));
            }
            scanner.close(&mut |d| ids.push(d.id));
            texts += 1;
            same += usize::from(ids.contains(&first.id));
        }
        assert!(texts > 400, "only {texts} examples");
        assert!(same * 100 >= texts * 99, "{same} of {texts}");
    }
}
