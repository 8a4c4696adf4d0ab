//! Texts of GPUs, installations and full machines without a notebook: which of the catalogue's fixes stands first.

// Tests read files; the engine does not.
#![allow(clippy::disallowed_methods)]

use nbmedic::catalog::{explain, prose};
use nbmedic::examine;
use nbmedic::notebook::Piece;
use nbmedic::triage::Surface;

/// What each text of the files wants, and the text: `=== NAME => DIAGNOSIS/FIX`.
fn wanted() -> Vec<(String, String, String)> {
    let mut out = Vec::new();
    for file in ["gpu-memory", "gpu-faults", "gpu-setup", "machine"] {
        let path = format!("tests/fixtures/first-fix/{file}.txt");
        let all = std::fs::read_to_string(path).expect("the fixtures are in the repository");
        for part in format!("\n{all}").split("\n=== ").skip(1) {
            let (head, text) = part.split_once('\n').expect("a text follows");
            let (name, want) = head.split_once(" => ").expect("a fix is named");
            out.push((name.into(), want.into(), format!("{text}\n")));
        }
    }
    out
}

#[test]
fn the_first_fix_is_for_this_framework_and_this_message() {
    let all = wanted();
    assert!(all.len() > 100, "{} texts", all.len());
    let mut wrong = Vec::new();
    for (name, want, text) in all {
        let piece = Piece {
            text,
            ..Piece::default()
        };
        let found = examine(&[piece], Surface::Output);
        let first = found.iter().flat_map(|one| &one.diagnoses).next();
        let said = first.map(|d| {
            let prose = prose(d.id).expect("every diagnosis has prose");
            // A repair of their own line may stand before it: tests/first_fix.rs has those.
            let fix = explain(d, &prose).fixes.into_iter().find(|f| !f.is_cure());
            format!("{}/{}", d.id, fix.map_or(String::new(), |f| f.id))
        });
        if said.as_deref() != Some(want.as_str()) {
            wrong.push(format!("{name}: {said:?} instead of {want}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
