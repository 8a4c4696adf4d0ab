//! What is handed on: complete, valid, and without what must not be in it.

use nbmedic::catalog::Prose;
use nbmedic::report::{redact, tally, triage_html, triage_json, triage_markdown, KINDS};
use nbmedic::triage::{triage, Diagnosis, Input};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

fn prose() -> BTreeMap<String, Prose> {
    nbmedic_catalogc::load(Path::new("src/catalog"))
        .unwrap_or_else(|e| panic!("{e}"))
        .into_iter()
        .map(|r| (r.id, r.prose))
        .collect()
}

fn found(text: &str) -> Vec<(Diagnosis, Prose)> {
    let prose = prose();
    triage(&Input {
        text,
        ..Input::default()
    })
    .into_iter()
    .map(|d| {
        let p = prose[d.id].clone();
        (d, p)
    })
    .collect()
}

/// A message made to break out of whatever it is put into.
const HOSTILE: &str =
    "``` <script>0</script> `\n</pre><script>alert(1)</script> | <b>@somebody</b> ````";

fn failure() -> String {
    format!(
        "Traceback (most recent call last):\n  File \"/home/ada/run.py\", line 3, in <module>\n    \
         main()\nValueError: {HOSTILE}\n"
    )
}

#[test]
fn the_json_line_is_what_the_contract_says() {
    let json = triage_json("out.txt", &found(&failure()));
    assert!(!json.contains('\n'));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["schema"], "nbmedic.triage/1");
    assert_eq!(json["source"], "out.txt");
    let d = &json["diagnoses"][0];
    let keys: Vec<&String> = d.as_object().expect("an object").keys().collect();
    for key in [
        "id",
        "confidence",
        "title",
        "summary",
        "facts",
        "location",
        "evidence",
        "explanation",
        "fixes",
        "links",
    ] {
        assert!(keys.iter().any(|k| *k == key), "{key}: {keys:?}");
    }
    assert!(d["evidence"][0]["line"].is_u64() && d["evidence"][0]["text"].is_string());
    for fix in d["fixes"].as_array().expect("a list") {
        for key in ["id", "title", "why", "applicability", "code", "language"] {
            assert!(fix[key].is_string(), "{key}: {fix}");
        }
        let sure = fix["applicability"].as_str().expect("a word");
        assert!(["sure", "likely", "maybe"].contains(&sure), "{sure}");
    }
    assert!(d["links"]
        .as_array()
        .expect("a list")
        .iter()
        .all(Value::is_string));
    let bare = triage_json("-", &found("Your session crashed for an unknown reason.\n"));
    assert!(bare.contains(r#""facts":{}"#), "{bare}");
    assert_eq!(
        triage_json("-", &[]),
        r#"{"schema":"nbmedic.triage/1","source":"-","diagnoses":[]}"#
    );
}

#[test]
fn nothing_breaks_out_of_markdown() {
    let text = triage_markdown("a|b`c", &found(&failure()));
    // Outside fences no markup of the message is left.
    let mut fence: Option<usize> = None;
    for line in text.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            Some(open) if ticks >= open && line.trim_start_matches('`').is_empty() => fence = None,
            Some(_) => {}
            None if ticks >= 3 => fence = Some(ticks),
            None => {
                assert!(!line.contains("<script"), "{line}");
                assert!(!line.contains("<b>"), "{line}");
                assert!(!line.contains("@somebody"), "{line}");
            }
        }
    }
    assert_eq!(fence, None, "every fence is closed");
    assert!(!text.contains("/home/ada"), "{text}");
}

#[test]
fn the_page_holds_no_script_and_loads_nothing() {
    let page = triage_html(&[
        ("bad.txt".to_owned(), found(&failure())),
        ("<b>good</b>".to_owned(), Vec::new()),
    ]);
    for part in [
        "<script",
        "<b>",
        "<img",
        "src=",
        "url(",
        "http-equiv=\"refresh\"",
        "/home/ada",
    ] {
        assert!(!page.contains(part), "{part}");
    }
    for part in [
        "default-src 'none'",
        "Nothing wrong was found.",
        "&lt;b&gt;good&lt;/b&gt;",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("<button"), "nothing would answer it");
}

/// A source of characters from a seed.
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

/// A secret of a kind, and a text in which it stands.
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
    assert!(KINDS.len() >= 25);
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

#[test]
fn long_and_dense_texts_end() {
    for piece in [
        "token=",
        "a@b.co ",
        "://a:b",
        "-----BEGIN PRIVATE KEY-----\n",
        "/home/a",
        "eyJ",
    ] {
        let text = piece.repeat((128 << 10) / piece.len());
        let redacted = redact(&text);
        let mut rebuilt = 0;
        for f in &redacted.found {
            assert!(f.range.start >= rebuilt && f.range.end <= text.len());
            rebuilt = f.range.end;
        }
    }
}
