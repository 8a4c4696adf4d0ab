//! The first fix of failures without a notebook: what it says to write, from the traceback's lines alone.

// Tests read files; the engine does not.
#![allow(clippy::disallowed_methods)]

use nbmedic::catalog::{explain, prose};
use nbmedic::examine;
use nbmedic::notebook::Piece;
use nbmedic::triage::Surface;

#[test]
fn a_traceback_by_itself_gets_the_fix_of_its_own_line() {
    let text = std::fs::read_to_string("tests/fixtures/first_fixes.jsonl").expect("readable");
    let mut wrong = Vec::new();
    let mut known = 0;
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let field = |key: &str| row[key].as_str().unwrap_or("");
        let pieces = [Piece {
            text: field("text").to_owned(),
            ..Piece::default()
        }];
        let examined = examine(&pieces, Surface::Output);
        let first = examined.iter().flat_map(|e| &e.diagnoses).next();
        let fixes = first.and_then(|d| Some(explain(d, &prose(d.id)?).fixes));
        let fixes = fixes.unwrap_or_default();
        let said = fixes
            .first()
            .map(|f| format!("{}\n{}", f.title, f.code))
            .unwrap_or_default();
        // What stands there is the person's own line, so edits of cells have no place.
        let edits = fixes
            .iter()
            .any(|f| !f.edits.is_empty() || !f.run.is_empty());
        known += usize::from(!field("says").is_empty());
        let never = field("never");
        let diagnosis = field("diagnosis");
        let other = !diagnosis.is_empty() && first.is_none_or(|d| d.id != diagnosis);
        let asserts = ["says", "never", "diagnosis"].map(field);
        assert!(
            asserts.iter().any(|text| !text.is_empty()),
            "{} says nothing that could be wrong",
            field("id")
        );
        let misled = !never.is_empty() && fixes.iter().any(|f| f.title.contains(never));
        if !said.contains(field("says")) || edits || misled || other {
            wrong.push(format!("{}: {said}", field("id")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(known >= 200, "only {known} texts say what the fix is");
}
