//! Cards as people see them.

use super::{card, Action, CardContext, Here, Node, Tag};
use nbmedic_catalog::{Applicability, Block, Fix, Inline, Prose};
use nbmedic_explain::explain;
use nbmedic_facts::{Cure, DiffLine, FixKind, Tried};
use nbmedic_triage::{Diagnosis, Evidence, Facts, Location};
use nbmedic_words as words;

fn text(t: &str) -> Vec<Block> {
    vec![Block::P(vec![Inline::Text(t.into())])]
}

fn fix(id: &str) -> Fix {
    Fix {
        id: id.into(),
        title: format!("Do {id}"),
        applies: Applicability::Likely,
        cost: String::new(),
        variants: Vec::new(),
        when: String::new(),
        proven: words::proven_not().into(),
        why: text("Because."),
        code: "x = 1".into(),
        language: "python".into(),
        ..Fix::default()
    }
}

fn classes(n: &Node) -> Vec<&str> {
    n.kids.iter().map(|k| k.class.as_str()).collect()
}

#[test]
fn a_card_is_short_first_and_leaves_out_what_is_empty() {
    let d = Diagnosis {
        id: "gpu-oom",
        variant: Some("fragmented"),
        confidence: 0.97,
        facts: Facts::new(),
        location: Location::default(),
        evidence: vec![Evidence {
            line: 12,
            text: "<b>CUDA</b>".into(),
            range: 0..0,
        }],
        ..Diagnosis::default()
    };
    let prose = Prose {
        id: "gpu-oom".into(),
        family: "gpu-memory".into(),
        title: "The GPU ran out of memory".into(),
        summary: text("It did."),
        variants: Vec::new(),
        meaning: text("Means."),
        why: Vec::new(),
        fixes: ["a", "b", "c", "d"].map(fix).into(),
        links: vec![("bad".into(), "javascript:alert(1)".into())],
    };
    let e = explain(&d, &prose);
    let node = card(
        &e,
        &CardContext {
            card: "n/c",
            severity: "error",
            line: Some((4, "  y = x[1]")),
            ..CardContext::default()
        },
    );
    assert_eq!(node.class, "card error");
    assert_eq!(node.attrs[&"data-id".to_owned()], "gpu-oom");
    assert_eq!(node.attrs[&"data-confidence".to_owned()], "0.97");
    assert_eq!(
        classes(&node),
        [
            "head",
            "summary",
            "where",
            "first",
            "more others",
            "more",
            "foot",
            "icon dismiss"
        ]
    );
    let fixes = |node: &Node| node.kids[1].kids[0].kids[0].kids.len();
    assert_eq!(
        fixes(&node.kids[4]),
        2,
        "the first fix is shown once, two more are closed, and the fourth is left out"
    );
    assert_eq!(classes(&node.kids[5].kids[1]), ["why", "evidence"]);
    let last = node.kids[3].kids.last().expect("the first fix has parts");
    assert_eq!(
        (last.class.as_str(), last.text.english().as_str()),
        ("proven", "Not proven here")
    );
    let bare = card(
        &explain(
            &Diagnosis {
                evidence: Vec::new(),
                ..d.clone()
            },
            &Prose {
                meaning: Vec::new(),
                fixes: Vec::new(),
                links: Vec::new(),
                ..prose
            },
        ),
        &CardContext::default(),
    );
    assert_eq!(classes(&bare), ["head", "summary", "foot", "icon dismiss"]);
}

fn prose() -> Prose {
    Prose {
        id: "name-undefined".into(),
        family: "python".into(),
        title: "np is not defined".into(),
        summary: text("Nothing set it."),
        variants: Vec::new(),
        meaning: text("Means."),
        why: Vec::new(),
        fixes: vec![fix("general")],
        links: Vec::new(),
    }
}

fn edit() -> Cure {
    let line = |sign, text: &str, changed| DiffLine {
        cell: 2,
        sign,
        number: 4,
        text: text.into(),
        changed,
    };
    Cure {
        id: "put-width".into(),
        kind: FixKind::Edit,
        applies: Applicability::Sure,
        title: "Replace `128` by `256`".into(),
        why: "`x` has 256 features, not 128. It comes in so.".into(),
        run: vec![2, 3],
        cell: Some(2),
        code: "a\nb\nc\nfc = Linear(256, 10)".into(),
        language: "python".into(),
        diff: vec![
            line('-', "fc = Linear(128, 10)", Some((12, 15))),
            line('+', "fc = Linear(256, 10)", Some((12, 15))),
        ],
        ..Cure::default()
    }
}

fn drawn(cure: Cure, context: &CardContext<'_>) -> Node {
    let d = Diagnosis {
        id: "name-undefined",
        cures: vec![cure],
        ..Diagnosis::default()
    };
    card(&explain(&d, &prose()), context)
}

fn find<'a>(node: &'a Node, class: &str) -> Option<&'a Node> {
    if node.class == class {
        return Some(node);
    }
    node.kids.iter().find_map(|k| find(k, class))
}

fn said(node: &Node) -> String {
    let own = node.text.english();
    let parts = node.kids.iter().map(said);
    std::iter::once(own).chain(parts).collect()
}

const CELLS: &[(usize, &str)] = &[(2, "two"), (3, "three")];

#[test]
fn a_cure_shows_the_own_lines_with_what_changes_and_copies_the_whole_cell() {
    let cells: Vec<(usize, String)> = CELLS.iter().map(|(n, id)| (*n, (*id).into())).collect();
    let here = Here {
        position: Some(2),
        cells: &cells,
        inserts: true,
        tries: false,
    };
    let context = CardContext {
        card: "n/two",
        line: Some((4, "fc = Linear(128, 10)")),
        here,
        ..CardContext::default()
    };
    let node = drawn(edit(), &context);
    // The diff shows the line already, and the summary is one click away.
    assert_eq!(
        classes(&node),
        [
            "head",
            "kind",
            "first cure",
            "more others",
            "more",
            "foot",
            "icon dismiss"
        ]
    );
    // The cause in the user's own names comes first, the general name of such failures second, and nothing appears twice.
    let heading = find(&node, "title").expect("a heading");
    assert_eq!(
        said(heading),
        "`x` has 256 features, not 128".replace('`', "")
    );
    assert_eq!(
        said(find(&node, "kind").expect("the kind")),
        "np is not defined"
    );
    let first = said(find(&node, "first cure").expect("the cure"));
    assert!(first.contains("It comes in so.") && !first.contains("has 256 features"));
    let diff = find(&node, "diff").expect("the change");
    assert_eq!(said(diff), "4−fc = Linear(128, 10)4+fc = Linear(256, 10)");
    let old = &diff.kids[0].kids;
    assert_eq!(
        old[1].labels[&"aria-label".to_owned()].english(),
        "removed line"
    );
    assert_eq!(
        (old[2].kids[0].tag, old[2].kids[0].text.english().as_str()),
        (Tag::Del, "128")
    );
    assert_eq!(diff.kids[1].kids[2].kids[0].tag, Tag::Ins);
    let copy = find(&node, "copy cell").expect("the button");
    assert_eq!(
        copy.labels[&"title".to_owned()].english(),
        "Copy this whole cell, repaired"
    );
    let code = "a\nb\nc\nfc = Linear(256, 10)".to_owned();
    assert_eq!(copy.act, Some(Action::Copy { text: code.clone() }));
    let replace = find(&node, "replace").expect("the button");
    let act = Action::Replace {
        cell: "two".into(),
        text: code.clone(),
        was: "a\nb\nc\nfc = Linear(128, 10)".into(),
    };
    assert_eq!(replace.act, Some(act));
    assert_eq!(said(replace), "Replace in this cell");
    let below = find(&node, "below").expect("the button");
    let act = Action::Below {
        cell: "two".into(),
        text: code,
    };
    assert_eq!(below.act, Some(act));
    // The cells to run: the failing one by its name, another one as a button that selects it.
    let run = find(&node, "run").expect("the cells to run");
    assert_eq!(said(run), "Then run, in this order:this cellcell 3");
    assert!(find(run, "goto").is_some());

    // Elsewhere the cell is named, and there is no button if nothing can be inserted or found.
    let context = CardContext {
        here: Here {
            position: Some(3),
            ..Here::default()
        },
        ..context
    };
    let node = drawn(edit(), &context);
    assert!(classes(&node).contains(&"where"));
    assert_eq!(said(find(&node, "in").expect("a heading")), "In cell 2");
    let copy = find(&node, "copy cell").expect("the button");
    assert_eq!(
        copy.labels[&"title".to_owned()].english(),
        "Copy the whole of cell 2, repaired"
    );
    assert!(["below", "goto", "replace"]
        .iter()
        .all(|c| find(&node, c).is_none()));
    assert_eq!(
        said(find(&node, "run").expect("the cells")),
        "Then run, in this order:cell 2this cell"
    );
}

#[test]
fn an_install_can_be_copied_and_put_below() {
    let cells = vec![(2, "two".to_owned())];
    let here = Here {
        position: Some(2),
        cells: &cells,
        inserts: true,
        tries: false,
    };
    let install = |code: &str, language: &'static str| Cure {
        kind: FixKind::Install,
        code: code.into(),
        language: language.into(),
        title: "Install it".into(),
        ..Cure::default()
    };
    let context = CardContext {
        here,
        ..CardContext::default()
    };
    let node = drawn(install("%pip install a", "python"), &context);
    assert!(find(&node, "copy").is_some() && find(&node, "below").is_some());
    let node = drawn(install("apt-get install a", "bash"), &context);
    assert!(find(&node, "copy").is_some() && find(&node, "below").is_none());
}

#[test]
fn a_repaired_cell_can_be_tried_in_a_copy_where_the_probe_runs() {
    let cells = vec![(2, "two".to_owned())];
    let repair = |code: &str| Cure {
        code: code.into(),
        ..edit()
    };
    for (tries, code, offered) in [
        (true, "x = 1", true),
        (true, "%%time\nx = 1", false),
        (false, "x = 1", false),
    ] {
        let here = Here {
            position: Some(2),
            cells: &cells,
            inserts: true,
            tries,
        };
        let context = CardContext {
            here,
            ..CardContext::default()
        };
        let node = drawn(repair(code), &context);
        let found = find(&node, "try below");
        assert_eq!(found.is_some(), offered, "{code}");
        if let Some(button) = found {
            let Some(Action::Below { cell, text }) = &button.act else {
                panic!("{button:?}");
            };
            assert_eq!(
                (cell.as_str(), text.as_str()),
                ("two", "%%nbmedic_try\nx = 1")
            );
        }
    }
}

#[test]
fn a_death_that_the_probe_would_have_explained_offers_it_first() {
    let context = CardContext {
        card: "n/c",
        probe: true,
        here: Here {
            inserts: true,
            tries: false,
            ..Here::default()
        },
        ..CardContext::default()
    };
    let d = Diagnosis {
        id: "kernel-died",
        ..Diagnosis::default()
    };
    let node = card(&explain(&d, &prose()), &context);
    assert_eq!(
        classes(&node),
        [
            "head",
            "summary",
            "first cure",
            "more others",
            "more",
            "foot",
            "icon dismiss"
        ]
    );
    assert_eq!(
        find(&node, "below").and_then(|b| b.act.clone()),
        Some(Action::Probe)
    );
    assert!(said(&node.kids[2]).contains("which signal"));
    assert!(find(&node, "assistant").is_some());
}

#[test]
fn why_is_short_and_leads_to_the_whole_page() {
    let long: String = (0..90).map(|n| format!("word{n} ")).collect();
    let d = Diagnosis::default();
    let prose = Prose {
        meaning: [text(&long), text(&long)].concat(),
        ..prose()
    };
    let node = card(&explain(&d, &prose), &CardContext::default());
    let why = find(&node, "why").expect("the reasons");
    assert!(said(why).split_whitespace().count() < 120);
    assert!(said(why).contains("word89") && find(why, "rule").is_some());
}

#[test]
fn a_fix_that_was_tried_says_what_came_out_before_its_change() {
    let tried = Tried {
        ran: true,
        seconds: 0.4,
        result: "Tried: the cell runs (0.4 s).".into(),
        values: vec!["gives <b>".into(), "fc = Linear".into()],
    };
    let cure = Cure {
        tried: Some(tried),
        ..edit()
    };
    let node = drawn(cure, &CardContext::default());
    let fix = find(&node, "first cure").expect("a fix");
    let at = |class: &str| fix.kids.iter().position(|k| k.class == class);
    assert!(at("tried ran") < at("diff"), "{fix:?}");
    assert!(said(fix).contains("the cell runs (0.4 s).gives <b>\nfc = Linear"));
    let node = drawn(edit(), &CardContext::default());
    assert!(find(&node, "tried ran").is_none());
}
