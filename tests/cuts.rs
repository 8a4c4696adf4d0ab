//! Half secrets: whatever a text is cut to, no piece of a secret is left in what a triage hands on.

#[path = "support/channels.rs"]
#[allow(dead_code)]
mod channels;

use channels::prose;
use nbmedic::catalog::Prose;
use nbmedic::report::{judged_html, judged_json, judged_markdown, Judged};
use nbmedic::triage::{triage, Input};
use std::collections::BTreeMap;

/// A piece of a secret that must not be left, in characters.
const PIECE: usize = 8;

/// Secrets between what tells them: a name, an option, an address, a first letter.
fn planted() -> Vec<(&'static str, String, &'static str)> {
    let made = "q7W8e9R0t1Y2u3I4o5P6";
    let token = ["hf", "_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcD7fGh"].concat();
    let long = made.repeat(4);
    let jwt = format!("eyJ{}.eyJ{}.{made}", made, long);
    vec![
        ("password=", made.into(), " x"),
        ("--token ", made.into(), " --all"),
        ("{'api_key': '", made.into(), "', 'n': 3}"),
        ("postgres://ada:", made.into(), "@db.acme.io/x"),
        ("curl -u ada:", made.into(), " https://x.io"),
        ("Authorization: Bearer ", long.clone(), ""),
        ("https://a.io/x?access_token=", long, "&page=2"),
        ("the key ", token, " was refused"),
        ("jwt ", jwt, " expired"),
        ("Cookie: session=", made.into(), "; a=b"),
    ]
}

/// The lengths at which texts are cut, in characters and bytes.
const CUTS: [usize; 7] = [60, 110, 120, 200, 300, 400, 1024];

/// Failures that hold a text, as notebooks and logs print them.
fn failures(text: &str) -> Vec<String> {
    let quoted = text.replace('\'', "");
    vec![
        format!("Traceback (most recent call last):\n  File \"/srv/x.py\", line 3, in <module>\n    f({quoted})\nValueError: {text}\n"),
        format!("Traceback (most recent call last):\n  File \"/srv/x.py\", line 3, in <module>\n    open(p)\nFileNotFoundError: [Errno 2] No such file or directory: '{quoted}'\n"),
        format!("Traceback (most recent call last):\n  File \"/srv/x.py\", line 3, in <module>\n    d[k]\nKeyError: '{quoted}'\n"),
        format!("Traceback (most recent call last):\n  File \"/srv/x.py\", line 3, in <module>\n    run()\nsubprocess.CalledProcessError: Command '{quoted}' returned non-zero exit status 2.\n"),
        format!("{text}\nModuleNotFoundError: No module named 'absent' {text}\n"),
        format!("{text} torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. {text}\n"),
    ]
}

/// Words before a secret that begins at a character of its line.
fn filled(at: usize, before: &str) -> String {
    let n = at.saturating_sub(before.chars().count());
    let words = "step one of the run ".repeat(n / 20 + 1);
    format!("{} {before}", &words[..n.saturating_sub(1)])
}

#[track_caller]
fn nothing_left(secret: &str, held: &str, name: &str, text: &str) {
    let left = (0..=secret.len() - PIECE).find(|n| held.contains(&secret[*n..n + PIECE]));
    if let Some(n) = left {
        let piece = &secret[n..n + PIECE];
        let at = held.find(piece).unwrap_or(0);
        let near: String = held[..at].chars().rev().take(80).collect();
        let near: String = near.chars().rev().collect();
        panic!("{name} holds {piece} after {near:?}\nof {text:?}");
    }
}

fn judged(text: &str, prose: &BTreeMap<String, Prose>) -> Judged {
    let input = Input {
        text,
        ..Input::default()
    };
    let found = triage(&input).into_iter();
    Judged {
        source: "x".into(),
        found: found.map(|d| (d.clone(), prose[d.id].clone())).collect(),
        ..Judged::default()
    }
}

#[test]
fn whatever_a_triage_cuts_it_leaves_no_half_secret() {
    let prose = prose();
    let mut n = 0;
    for (before, secret, after) in planted() {
        for (i, cut) in CUTS.into_iter().enumerate() {
            for back in (0..secret.len() + 12).step_by(secret.len() / 4) {
                let line = filled(cut.saturating_sub(back), before) + &secret + after;
                let all = failures(&line);
                let text = &all[(n + i) % all.len()];
                n += 1;
                let judged = judged(text, &prose);
                assert!(
                    !judged.found.is_empty() || !text.contains("No module"),
                    "{text}"
                );
                nothing_left(&secret, &judged_json(&judged, true), "JSON", text);
                nothing_left(&secret, &judged_markdown(&judged), "Markdown", text);
                nothing_left(&secret, &judged_html(&[judged]), "HTML", text);
            }
        }
    }
    assert!(n > 300, "{n}");
}
