//! The tables hold together, and what a message by itself says is said.

use super::*;

#[test]
fn every_row_of_the_tables_is_whole() {
    let mut wrong = Vec::new();
    for row in TABLE.iter() {
        let mut say =
            |what: &str| wrong.push(format!("{what}: {} / {:?}", row.title, row.wordings));
        if row.title.is_empty() || row.wordings.is_empty() {
            say("no title or no wording");
        }
        if row.title.replace('`', "").chars().count() > 118 {
            say("a long title");
        }
        if row.wordings.iter().any(|w| !w.starts_with_text()) {
            say("a wording begins with a hole");
        }
        // What the title and the code name must be there whichever wording fits.
        let given = ["line", "left", "right", "target", "value", "function"];
        for wording in &row.wordings {
            let names = wording.names();
            let known = |name: &str| {
                let base = name.rsplit_once('_').map_or(name, |(base, _)| base);
                let made = |s: &Step| matches!(s, Step::Whole(n, _) if *n == name);
                names.contains(&name) || names.contains(&base) || row.steps.iter().any(made)
            };
            let guarded = |name: &str| {
                let asked = format!("has({name})");
                row.steps
                    .iter()
                    .any(|s| matches!(s, Step::Holds(c) if c.contains(&asked)))
            };
            for line in row.code.iter().chain([&row.title]) {
                let mut rest = *line;
                while let Some((open, len)) = slot(rest) {
                    let name = &rest[open + 1..open + len];
                    if !(known(name) || given.contains(&name) && guarded(name)) {
                        say(&format!("`{name}` is not known"));
                    }
                    rest = &rest[open + len + 1..];
                }
            }
            let held: Vec<(String, String)> = Vec::new();
            for step in &row.steps {
                let (Step::Holds(sum) | Step::Whole(_, sum)) = step;
                if eval(sum, |n| value(&held, n)).is_err() {
                    say(&format!("`{sum}` can't be read"));
                }
            }
        }
        for text in row.why.iter().chain([&row.title]) {
            if text.contains(" cell") || text.matches('`').count() % 2 == 1 {
                say("speaks of cells, or has an open backtick");
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(TABLE.len() > 300, "only {} rows", TABLE.len());
}

#[test]
fn a_shape_has_sizes() {
    let mut names = Names::new();
    bind(&mut names, "s", "[8, 3, None]");
    let of = |n: &str| value(&names, n);
    assert_eq!(of("s"), Val::Text("(8, 3, None)".into()));
    assert_eq!(
        (of("s_n"), of("s_0"), of("s_p")),
        (Val::Num(3.0), Val::Num(8.0), Val::Num(24.0))
    );
    bind(&mut names, "k", "12x5");
    assert_eq!(
        (value(&names, "k_1"), value(&names, "k_2")),
        (Val::Num(5.0), Val::Unknown)
    );
}
