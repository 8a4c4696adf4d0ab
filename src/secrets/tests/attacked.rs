//! Findings of a review's attack, by cause: each must stay repaired.

use nbmedic_secrets::{redact, Known};

/// Random values.
const LONG: &str = "Kq7Rw2Tz9Xv4Bn6Mj1Hg8Fd3";
const WORDY: &str = "tulip-Kq7Rw2";

#[track_caller]
fn gone(secret: &str, texts: &[String]) {
    for text in texts {
        let left = redact(text).text;
        assert!(!left.contains(secret), "{text:?} → {left:?}");
    }
}

#[track_caller]
fn stays(texts: &[&str]) {
    for text in texts {
        assert_eq!(redact(text).text, *text);
    }
}

fn with(secret: &str, templates: &[&str]) -> Vec<String> {
    templates.iter().map(|t| t.replace('§', secret)).collect()
}

#[test]
fn a_blank_instead_of_an_equals_sign() {
    let long = [
        "fetch --token § --all",
        "['fetch', '--token', '§']",
        "aws configure set aws_secret_access_key §",
        "%env ACME_TOKEN §",
    ];
    gone(LONG, &with(LONG, &long));
    let wordy = [
        "curl -u ada:§ https://a.b",
        "mysql -u root -p§ shop",
        "docker login -u ada -p § r.acme.io",
        "machine a.b login ada password §",
    ];
    gone(WORDY, &with(WORDY, &wordy));
}

#[test]
fn what_stands_between_name_and_value() {
    let texts = [
        "api_token = f'§'",
        "api_token = b'§'",
        "api_token = r'§'",
        "api_token = '''§'''",
        "api_token = `§`",
        "api_token: str = '§'",
        "(api_token := '§')",
        "d.get('API_TOKEN', '§')",
        "api_token = SecretStr('§')",
        "('API_TOKEN', '§')",
        "<apiToken>§</apiToken>",
        "api_token: |\n  §\n",
        "%22api_token%22%3A%22§%22",
        "API_TOKEN\u{a0}=\u{a0}§",
        "\"{\\\"api_token\\\": \\\"§\\\"}\"",
    ];
    gone(LONG, &with(LONG, &texts));
}

#[test]
fn names_of_secrets() {
    gone(WORDY, &with(WORDY, &["SMTP_PASS=§", "export DB_PASS='§'"]));
    let texts = [
        "GITLAB_PAT=§",
        "ENCRYPTION_KEY=§",
        "signing_key = '§'",
        "session_key: '§'",
        "https://a.b/c?key=§",
        "https://a.b/c?X-Amz-Signature=§",
        "Cookie: sid=§",
    ];
    gone(LONG, &with(LONG, &texts));
}

#[test]
fn prefixes_of_services() {
    let word = "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7b";
    let hex = "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9";
    let starts = [
        ("gsk_", word),
        ("glpat-", word),
        ("dop_v1_", hex),
        ("shpat_", &hex[..32]),
        ("npm_", word),
        ("pul-", &hex[..40]),
        ("sntrys_", &hex[..60]),
        ("lin_api_", word),
        ("phc_", word),
        ("r8_", &word[..37]),
    ];
    for (start, body) in starts {
        let token = [start, body].concat();
        gone(&token, &[format!("the key {token} is wrong")]);
    }
}

#[test]
fn word_boundaries_around_a_token() {
    let token = ["hf", "_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeF7H"].concat();
    let around = ["'a\\n§\\n'", "a\\t§", "%22§%22", "x-§", "x_§", "v1.§"];
    gone(&token, &with(&token, &around));
}

#[test]
fn long_and_split_things() {
    let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7x9Kq7Rw2Tz9X";
    let key = ["PRIVATE", " KEY"].concat();
    let block = |label: &str, n: usize| {
        let body = vec![line; n].join("\n");
        format!("-----BEGIN {label}-----\n{body}\n-----END {label}-----")
    };
    let quoted = |block: String| -> String {
        let line = |l: &str| format!("\"{l}\\n\"\n");
        block.lines().map(line).collect()
    };
    let headed = "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0F1E\n\n";
    let blocks = [
        block(&format!("PGP {key} BLOCK"), 5),
        block(&key, 300),
        quoted(block(&key, 5)),
        block(&key, 5).replacen('\n', headed, 1),
    ];
    gone(line, &blocks);
    let (a, b) = ("ghp_Kq7Rw2Tz9Xv4Bn", "6Mj1Hg8Fd3Lp5Qw7Er2T");
    let split = [
        format!("the token {a}\n{b}\nwas refused"),
        format!("│ token {a} │\n│ {b} │"),
    ];
    gone(b, &split);
    let (many, tail) = (LONG.repeat(30), "TailKq7Rw2Tz9X");
    let long = [
        format!("Authorization: Bearer {many}{tail}"),
        format!("X-Amz-Security-Token={many}{tail}"),
    ];
    gone(tail, &long);
}

#[test]
fn passwords_of_any_form() {
    for password in [
        "tulipsnowharbour",
        "tulip harbour 77",
        "tulip(snow)9",
        "tulip[snow]9",
    ] {
        gone(
            password,
            &with(password, &["password = \"§\"", "{'password': '§'}"]),
        );
    }
    let url = "postgres://ada:tulip/snow/9@db:5432/shop".to_owned();
    gone("tulip/snow/9", &[url]);
}

#[test]
fn personal_data() {
    let texts = [
        "§@ACME.COM",
        "§@acme.technology",
        "§%40acme.org",
        "/mnt/c/Users/§/x",
        "/nfs/home/§/x",
        "/scratch/users/§/x",
        "/media/§/disk",
        "C:\\Users\\§",
        "C:\\Users\\Ada §\\x.py",
    ];
    for user in ["quibell", "Quibell"] {
        gone(user, &with(user, &texts));
    }
    gone("Пупкин", &["/home/Пупкин/x.py".to_owned()]);
    let folder = format!("https://drive.google.com/drive/folders/1A{LONG}x9zQ");
    gone(LONG, &[folder]);
    gone("10.31.4.7", &["connection to 10.31.4.7 refused".to_owned()]);
    gone("gpu-quibell", &["ssh gpu-quibell.corp".to_owned()]);
}

#[test]
fn what_needs_no_redaction() {
    for service in ["ec2-user", "conda", "jovyan"] {
        stays(&[&format!("/home/{service}/x")]);
    }
    stays(&[
        "/home/jovyan/x.py",
        "password='********'",
        "token: ***",
        "password=config['db']['password']",
        "password_file: /etc/acme/pw.txt",
        "key_path=/etc/ssl/a.pem",
        "token='hf_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX'",
    ]);
}

#[test]
fn what_is_recognised_once_goes_from_every_text() {
    let id = format!("1A{LONG}x9zQ");
    let mut known = Known::default();
    known.learn(&format!("open https://drive.google.com/file/d/{id}/view"));
    let other = format!("file: {id}");
    let found = known.find_all(&other);
    let said: Vec<&str> = found.iter().map(|f| &other[f.range.clone()]).collect();
    assert_eq!(said, [id.as_str()]);
}
