//! Plants secrets and names wherever a notebook could contain them, and checks that nothing that is handed on or stored
//! contains them. Text that only looks like a secret stays.

use nbmedic::catalog::Prose;
use nbmedic::page::Page;
use nbmedic::protocol::{parse_events, Effect, Event};
use nbmedic::report::{
    assistant, draft, past, redact, redact_event, tally, triage_html, triage_markdown, Options,
};
use nbmedic::session::Session;
use nbmedic::tree::{issue_address, self_report, Health, Trouble};
use nbmedic::triage::{triage, Input};
use nbmedic::view::ProseCache;
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::path::Path;

fn prose() -> BTreeMap<String, Prose> {
    nbmedic_catalogc::load(Path::new("src/catalog"))
        .unwrap_or_else(|e| panic!("{e}"))
        .into_iter()
        .map(|r| (r.id, r.prose))
        .collect()
}

/// A seeded source of characters.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn text(&mut self, alphabet: &str, n: usize) -> String {
        let all: Vec<char> = alphabet.chars().collect();
        (0..n)
            .map(|_| all[self.next() as usize % all.len()])
            .collect()
    }
}

const HEX: &str = "0123456789abcdef";
const WORD: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// A secret of a kind, and a text that contains it.
fn planted(kind: usize, r: &mut Random) -> (String, String) {
    let bare = |s: String| (s.clone(), s);
    let token =
        |r: &mut Random, prefix: &str, n: usize| format!("{prefix}{}9a", r.text(WORD, n - 2));
    let within = |secret: String, before: &str, after: &str| {
        let text = format!("{before}{secret}{after}");
        (secret, text)
    };
    match kind {
        0 => bare(token(r, "hf_", 34)),
        1 => bare(token(r, "sk-ant-api03-", 90)),
        2 => bare(token(r, "sk-proj-", 60)),
        3 => bare(format!("AIza{}", r.text(WORD, 35))),
        4 => bare(token(r, "ya29.", 80)),
        5 => bare(format!(
            "AKIA{}",
            r.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16)
        )),
        6 => within(r.text(WORD, 40), "aws_secret_access_key = ", ""),
        7 => bare(token(r, "ghp_", 36)),
        8 => bare(token(r, "github_pat_", 70)),
        9 => bare(token(r, "glpat-", 20)),
        10 => within(r.text(HEX, 32), "{\"username\":\"u\",\"key\":\"", "\"}"),
        11 => within(r.text(HEX, 40), "wandb login ", ""),
        12 => bare(token(r, "xoxb-123456789012-", 24)),
        13 => bare(token(r, "sk_live_", 24)),
        14 => {
            let body = r.text(WORD, 64);
            let text = format!("-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----");
            (body, text)
        }
        15 => bare(format!(
            "eyJ{}.eyJ{}.{}",
            r.text(WORD, 20),
            r.text(WORD, 60),
            r.text(WORD, 43)
        )),
        16 => within(
            format!("u:{}", r.text(WORD, 12)),
            "postgresql://",
            "@db.local/x",
        ),
        17 => within(token(r, "", 40), "Authorization: Bearer ", ""),
        18 => within(token(r, "", 32), "MY_SERVICE_TOKEN = '", "'"),
        19 => within(token(r, "", 24), "\"client_secret\": \"", "\""),
        20 => within(token(r, "x-", 10), "password='", "'"),
        21 => within(
            format!("{}@example.org", r.text("abcdefgh", 8)),
            "mail ",
            " now",
        ),
        22 => within(
            format!("q{}", r.text("abcdefgh", 7)),
            "File \"/home/",
            "/x.py\"",
        ),
        23 => within(
            format!("q{}", r.text("abcdefgh", 7)),
            "C:\\Users\\",
            "\\x.py",
        ),
        24 => within(
            format!("1A9{}", r.text(WORD, 30)),
            "https://drive.google.com/file/d/",
            "/view",
        ),
        25 => bare(token(r, "npm_", 36)),
        26 => bare(format!("dapi{}", r.text(HEX, 32))),
        27 => bare(token(r, "gsk_", 52)),
        28 => within(r.text(HEX, 48), "http://localhost:8888/lab?token=", ""),
        _ => within(token(r, "", 35), "export SOME_API_KEY=", ""),
    }
}

#[test]
fn planted_secrets_are_gone() {
    let mut r = Random(7);
    let mut kinds = BTreeMap::new();
    for n in 0..360 {
        let (secret, text) = planted(n % 30, &mut r);
        let text = match n % 3 {
            0 => format!("Epoch {n}: loss 0.3\n{text}\nnext line"),
            1 => format!("print(\"{text}\")"),
            _ => format!("{text} {text}"),
        };
        let redacted = redact(&text);
        assert!(
            !redacted.text.contains(&secret),
            "{text}: {}",
            redacted.text
        );
        for t in tally(&redacted.found) {
            *kinds.entry(t.kind).or_insert(0) += t.count;
        }
    }
    assert!(kinds.len() >= 22, "{kinds:?}");
    assert!(nbmedic::report::kinds().count() >= 300);
}

#[test]
fn harmless_look_alikes_are_left_alone() {
    let mut r = Random(11);
    let mut touched = Vec::new();
    for n in 0..300 {
        let text = match n % 15 {
            0 => format!("commit {}", r.text(HEX, 40)),
            1 => format!("sha256:{}", r.text(HEX, 64)),
            2 => format!("md5 = {}", r.text(HEX, 32)),
            3 => format!("cell id {}", r.text(WORD, 12)),
            4 => format!(
                "{}-{}-4{}-a{}-{}",
                r.text(HEX, 8),
                r.text(HEX, 4),
                r.text(HEX, 3),
                r.text(HEX, 3),
                r.text(HEX, 12)
            ),
            5 => format!("data:image/png;base64,iVBOR{}==", r.text(WORD, 4000)),
            6 => format!("<tf.Tensor: id={}, numpy=0.5>", r.next()),
            7 => format!("tokens: {} max_tokens={}", r.next(), r.next()),
            8 => format!(
                "tokenizer = AutoTokenizer.from_pretrained('org/m-{}')",
                r.text(HEX, 6)
            ),
            9 => format!("at 0x7f{}", r.text(HEX, 10)),
            10 => format!("https://wandb.ai/team/proj/runs/{}", r.text(HEX, 8)),
            11 => format!("torch=={}.{}.0+cu121", r.next() % 3, r.next() % 9),
            12 => format!("etag: \"{}\"", r.text(HEX, 40)),
            13 => format!("y = W@x.T + b  # {}", r.text(HEX, 8)),
            _ => format!(
                "/usr/local/lib/python3.12/dist-packages/{}/core.py",
                r.text("abc", 6)
            ),
        };
        if redact(&text).text != text {
            touched.push(text);
        }
    }
    assert!(touched.len() * 50 <= 300, "{touched:?}");
}

/// The longest run of letters and digits: any text with the secret contains it, however the text escapes it.
fn core(secret: &str) -> &str {
    secret
        .split(|c: char| !c.is_ascii_alphanumeric())
        .max_by_key(|run| run.len())
        .unwrap_or(secret)
}

/// The batches of a notebook's page with texts in its name, sources, outputs, paths and notices.
fn batches(texts: &[String]) -> Vec<Vec<Event>> {
    let one_line = |text: &str| text.replace('\n', " ");
    let cell = |i: usize, state: &str| {
        json!({"t": "cell", "nb": "n", "cell": format!("c{i}"), "index": i, "state": state, "run": 1,
        "count": if state == "error" { json!(i + 1) } else { Value::Null }})
    };
    let mut all = vec![vec![
        json!({"t": "hello", "profile": "jupyterlab", "origin": "http://localhost:8888", "found": {}, "theme": "light"}),
        json!({"t": "notebook", "nb": "n", "name": format!("{}.ipynb", one_line(&texts[0]))}),
    ]];
    for (i, text) in texts.iter().enumerate().skip(1) {
        let line = one_line(text);
        let output = match i % 3 {
            0 => format!("Traceback (most recent call last):\n  File \"/srv/x.py\", line 3, in <module>\n    f()\nValueError: cannot use {line}\n"),
            1 => format!("Traceback (most recent call last):\n  File \"/srv/x.py\", line 3, in <module>\n    open({line:?})\nFileNotFoundError: [Errno 2] No such file or directory: '{line}'\n"),
            _ => format!("{text}\nTraceback (most recent call last):\n  File \"/srv/x.py\", line 3, in <module>\n    f({line})\nKeyError: '{line}'\n"),
        };
        all.push(vec![cell(i, "running"), json!({"t": "source", "nb": "n", "cell": format!("c{i}"), "text": format!("# {line}\nx = 1\nf(\"{line}\")\n{text}")})]);
        all.push(vec![
            json!({"t": "output", "nb": "n", "cell": format!("c{i}"), "out": 0, "run": 1, "kind": "error", "len": output.len(), "head": output}),
            cell(i, "error"),
        ]);
    }
    let last = one_line(&texts[texts.len() - 1]);
    all.push(vec![
        cell(0, "running"),
        json!({"t": "notice", "nb": "n", "id": "m1", "kind": "dialog", "text": format!("Kernel Restarting. The kernel for {last} appears to have died. It will restart automatically.")}),
        json!({"t": "kernel", "nb": "n", "status": "autorestarting"}),
    ]);
    all.iter()
        .map(|b| parse_events(&json!(b).to_string()).expect("events"))
        .collect()
}

/// The page, and what it asks to be stored.
fn played(batches: &[Vec<Event>], prose: &ProseCache) -> (Page, Vec<Event>) {
    let mut page = Page::new();
    let mut kept = Vec::new();
    for (i, batch) in batches.iter().enumerate() {
        for effect in page.apply(batch, 1_790_000_000_000 + i as u64 * 1000, prose) {
            if let Effect::Keep { event, .. } = effect {
                kept.push(event.clone());
            }
        }
    }
    (page, kept)
}

const NOW: u64 = 1_790_000_100_000;

/// Everything that leaves a session or is stored from it, by name.
fn channels(
    session: &Session,
    batches: &[Vec<Event>],
    kept: &[Event],
    prose: &ProseCache,
    all: &BTreeMap<String, Prose>,
) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for source in [false, true] {
        let options = Options {
            source,
            ..Options::default()
        };
        let formats: &[&str] = match source {
            true => &["markdown", "json", "html"],
            false => &["markdown"],
        };
        for format in formats {
            let made = draft(session, prose, NOW, format, &options);
            out.push((format!("draft {format} {source}"), json!(made).to_string()));
            if *format == "markdown" {
                let (address, _) =
                    issue_address("a/b", &made.title, &made.text).expect("an address");
                out.push((format!("issue {source}"), address));
            }
        }
    }
    for f in session.findings() {
        let text = assistant(session, prose, &f.card, NOW).expect("the problem of a card");
        out.push(("for an assistant".into(), text));
    }
    out.push((
        "history".into(),
        json!(past(session, prose, NOW)).to_string(),
    ));
    let mut stored: Vec<Event> = [batches.concat(), kept.to_vec()].concat();
    for event in &mut stored {
        redact_event(event);
    }
    out.push((
        "stored, and the event log".into(),
        json!(stored).to_string(),
    ));
    for batch in batches.iter().step_by(3) {
        for event in batch {
            let Event::Output(o) = event else { continue };
            let found: Vec<_> = triage(&Input {
                text: &o.head,
                ..Input::default()
            })
            .into_iter()
            .map(|d| (d.clone(), all[d.id].clone()))
            .collect();
            out.push(("triage markdown".into(), triage_markdown("x", &found)));
            out.push(("triage html".into(), triage_html(&[("x".into(), found)])));
            // The background redacts the messages of its own failures in the same way.
            let health = Health {
                troubles: vec![Trouble {
                    code: "failed".into(),
                    detail: redact(&o.head).text,
                    ..Trouble::default()
                }],
                ..Health::default()
            };
            out.push(("report about nbmedic".into(), self_report(&health)));
        }
    }
    out
}

#[test]
fn what_is_planted_in_a_session_is_in_nothing_that_leaves_or_is_stored() {
    let all = prose();
    let mut cache = ProseCache::new();
    for (id, p) in &all {
        cache.insert(id, p.clone());
    }
    let mut r = Random(23);
    let (mut secrets, mut seen) = (0, 0);
    for n in 0..40 {
        let planted: Vec<(String, String)> =
            (0..9).map(|i| planted((n * 9 + i) % 30, &mut r)).collect();
        let texts: Vec<String> = planted.iter().map(|(_, text)| text.clone()).collect();
        let batches = batches(&texts);
        let (page, kept) = played(&batches, &cache);
        let session = page.session();
        let made = draft(
            session,
            &cache,
            NOW,
            "json",
            &Options {
                source: true,
                ..Options::default()
            },
        );
        assert!(made.problems >= 8, "{}: {}", made.problems, made.text);
        let back = Options {
            source: true,
            back: made.taken.iter().map(|t| t.id).collect(),
        };
        let whole = draft(session, &cache, NOW, "json", &back).text;
        let channels = channels(session, &batches, &kept, &cache, &all);
        for (secret, text) in &planted {
            secrets += 1;
            let core = core(secret);
            // Otherwise the test would prove nothing.
            seen += usize::from(whole.contains(core));
            for (name, held) in &channels {
                assert!(
                    !held.contains(core),
                    "{name} holds {core} of {text}: {held}"
                );
            }
        }
    }
    assert_eq!(
        (secrets, seen),
        (360, 360),
        "each is in the report that it is put back into"
    );
}

#[test]
fn what_was_stored_gives_the_same_report_but_for_what_can_be_put_back() {
    let mut cache = ProseCache::new();
    for (id, p) in prose() {
        cache.insert(&id, p);
    }
    let texts = ["a", "/home/ada/x.csv", "ada@example.org"].map(str::to_owned);
    let mut batches = batches(&texts);
    let options = Options {
        source: true,
        ..Options::default()
    };
    let live = draft(
        played(&batches, &cache).0.session(),
        &cache,
        NOW,
        "markdown",
        &options,
    );
    for event in batches.iter_mut().flatten() {
        redact_event(event);
    }
    let replayed = draft(
        played(&batches, &cache).0.session(),
        &cache,
        NOW,
        "markdown",
        &options,
    );
    // The number of occurrences may differ, because a long text is cut at another place.
    let but_counts = |text: &str| text.split("Redacted:").next().unwrap_or("").to_owned();
    assert_eq!(but_counts(&live.text), but_counts(&replayed.text));
    assert!(
        live.taken.iter().all(|t| t.id != 0 && !t.masked.is_empty()),
        "{:?}",
        live.taken
    );
    assert!(
        replayed
            .taken
            .iter()
            .all(|t| t.id == 0 && t.masked.is_empty()),
        "{:?}",
        replayed.taken
    );
    let kinds = |taken: &[nbmedic::protocol::Taken]| {
        taken.iter().map(|t| t.kind.clone()).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&live.taken), kinds(&replayed.taken));
    assert!(
        live.taken
            .iter()
            .any(|t| t.places.iter().any(|p| p.ends_with(": source"))),
        "{:?}",
        live.taken
    );
}
