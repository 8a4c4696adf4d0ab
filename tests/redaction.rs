//! Plants secrets and names wherever a notebook could contain them, and checks that nothing that is handed on or stored
//! contains them. Text that only looks like a secret stays.

#[path = "support/channels.rs"]
mod channels;

use channels::{batches, channels, played, prose, NOW};
use nbmedic::report::{draft, redact, redact_event, tally, Options};
use nbmedic::view::ProseCache;
use std::collections::BTreeMap;

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
