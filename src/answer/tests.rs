//! A question and its answer as they cross to the module and back.

use super::*;
use nbmedic_ask::{Found, Plain};
use nbmedic_facts::Value;

fn cells<'a>(sources: &[&'a str]) -> Vec<AskedCell<'a>> {
    let cells = sources.iter().zip(1..);
    cells
        .map(|(source, n)| AskedCell {
            position: n,
            source: (*source).into(),
            count: Some(n as i64),
            ran: Some(n as u64),
            edited: false,
            output: "".into(),
        })
        .collect()
}

/// The answer to a question that was written as JSON and read, and its answer likewise.
fn across(question: &Question<'_>) -> Answer {
    let read: Question<'_> =
        nbmedic_json::parse(&nbmedic_json::to_string(question)).expect("a question");
    assert_eq!(&read, question);
    let given = answer(&read);
    assert_eq!(given, answer(question));
    assert!(given.fits(question) && Answer::nothing(question).fits(question));
    let back: Answer = nbmedic_json::parse(&nbmedic_json::to_string(&given)).expect("an answer");
    assert_eq!(back, given);
    back
}

#[test]
fn what_is_plain_in_a_source() {
    let source = "!pip install \"é\"\nimport os, torch.nn as nn\nx = 3\nos._exit(1)\n";
    let Answer::Plain(plain) = across(&Question::Plain {
        source: source.into(),
    }) else {
        panic!("another kind");
    };
    let sets: Vec<&str> = plain.sets.iter().map(String::as_str).collect();
    assert_eq!(sets, ["nn", "os", "x"]);
    assert_eq!(plain.imports, ["os", "torch"]);
    let end = plain.ends_kernel.expect("an end");
    assert_eq!((end.line, end.surely, end.last), (4, true, true));
    assert!(plain.installer.is_some() && !plain.saves);
    let no_python = "%%bash\nx = 3";
    let read = across(&Question::Plain {
        source: no_python.into(),
    });
    assert_eq!(read, Answer::Plain(Plain::default()));
}

#[test]
fn lines_arrays_and_the_cells_that_a_cell_needs() {
    let source = "k = n * 10\nx = np.zeros((n, k))\n";
    let words = across(&Question::Words {
        source: source.into(),
        line: 2,
    });
    let named = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
    assert_eq!(words, Answer::Words(named(&["np", "n", "k"])));
    let Answer::Arrays(arrays) = across(&Question::Arrays {
        source: source.into(),
        before: vec!["n = 7".into(), "n = 3".into()],
    }) else {
        panic!("another kind");
    };
    assert_eq!(arrays.len(), 1);
    assert_eq!(
        (arrays[0].shape.as_slice(), arrays[0].line),
        (&[3, 30][..], 2)
    );
    let needed = across(&Question::Needed {
        cells: cells(&["import numpy as np", "n = 3", "print()", source]),
        at: 3,
    });
    let both = vec![(0, named(&["np"])), (1, named(&["n"]))];
    assert_eq!(needed, Answer::Needed(both));
}

#[test]
fn cures_belong_to_the_diagnosis_of_the_exception() {
    let output =
        "warning: slow\nTraceback (most recent call last):\n  Cell In[2], line 1\n    totl + 1\n\
                  NameError: name 'totl' is not defined\n";
    let found = |line| Found {
        lines: vec![line],
        facts: vec![
            ("name".into(), Value::Text("totl".into())),
            ("free_ratio".into(), Value::Number(0.5)),
        ],
        ..Found::default()
    };
    let asked = |output: &'static str| Question::Cures {
        cells: cells(&["total = 3", "totl + 1"]),
        failures: [Some(1), Some(2), None]
            .map(|at| Failure {
                at,
                output: output.into(),
                found: vec![found(1), found(5)],
                ended: None,
            })
            .to_vec(),
    };
    let Answer::Cures(all) = across(&asked(output)) else {
        panic!("another kind");
    };
    let [Some((index, cures)), None, Some((1, proposed))] = &all[..] else {
        panic!("{all:?}");
    };
    assert_eq!((*index, proposed.len()), (1, 0));
    assert_eq!(cures[0].edits[0].text, "total");
    assert_eq!(across(&asked("all is well")), Answer::Cures(vec![None; 3]));
}
