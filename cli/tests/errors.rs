//! What goes wrong around the program: one clear line, the right status, and nothing raw to a terminal.

mod program;

use flate2::{write::GzEncoder, Compression};
use program::{complaint, nbmedic, started, text, OOM};
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut to = GzEncoder::new(Vec::new(), Compression::fast());
    to.write_all(bytes).expect("memory");
    to.finish().expect("memory")
}

/// Characters that a terminal acts on.
fn raw(text: &str) -> bool {
    text.chars().any(|c| {
        c.is_control() && c != '\n'
            || ('\u{202a}'..='\u{202e}').contains(&c)
            || ('\u{2066}'..='\u{2069}').contains(&c)
    })
}

const EVIL: &str = "x\u{1b}]52;c;QUJD\u{7}\u{9b}31m\u{202e}y";

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one_line_and_status_2() {
    let commands: [&[&str]; 8] = [
        &["rules"],
        &["rules", "--format", "json"],
        &["explain", "gpu-oom"],
        &["completions", "bash"],
        &["--help"],
        &["triage"],
        &["triage", "--format", "json"],
        &["triage", "--format", "html"],
    ];
    for args in commands {
        let full = File::options().write(true).open("/dev/full");
        let mut child = Command::new(env!("CARGO_BIN_EXE_nbmedic"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(full.expect("the device"))
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let _ = child
            .stdin
            .take()
            .map(|mut to| to.write_all(OOM.as_bytes()));
        let output = child.wait_with_output().expect("the binary ends");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = complaint(&output);
        assert_eq!(
            said, "error: can't write to standard output: No space left on device\n",
            "{args:?}"
        );
    }
}

#[test]
fn a_closed_pipe_ends_it_in_silence_like_cat() {
    for args in [&["rules"][..], &["explain", "gpu-oom"], &["triage"]] {
        let mut child = started(args);
        drop(child.stdout.take());
        let _ = child
            .stdin
            .take()
            .map(|mut to| to.write_all(OOM.as_bytes()));
        let output = child.wait_with_output().expect("the binary ends");
        assert_eq!(output.status.code(), Some(141), "{args:?}");
        assert_eq!(complaint(&output), "", "{args:?}");
    }
}

#[test]
fn names_and_arguments_are_shown_with_escapes() {
    let calls: [&[&str]; 7] = [
        &["triage", EVIL],
        &["triage", "--format", EVIL],
        &["triage", "--no-such-option", EVIL],
        &["explain", EVIL],
        &["fix", EVIL],
        &["replay", EVIL],
        &["score", EVIL],
    ];
    for args in calls {
        let output = nbmedic(args, b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = complaint(&output);
        assert!(said.starts_with("error: "), "{args:?}: {said:?}");
        assert!(
            !raw(&said) && output.stdout.is_empty(),
            "{args:?}: {said:?}"
        );
    }
    let said = complaint(&nbmedic(&["triage", EVIL], b""));
    assert!(
        said.contains("x\\x1b]52;c;QUJD\\x07\\x9b31m\\u{202e}y: "),
        "{said}"
    );
    // A file that exists is named the same way.
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("a\u{1b}[2J.log");
    std::fs::write(&path, "fine\n").expect("a file");
    let well = nbmedic(&["triage", path.to_str().expect("UTF-8")], b"");
    assert!(text(&well).ends_with("a\\x1b[2J.log\n"), "{well:?}");
}

#[test]
fn what_a_text_holds_reaches_no_terminal_raw() {
    let evil = format!("ValueError: {EVIL} {OOM}");
    let module = format!("ModuleNotFoundError: No module named '{EVIL}'\n");
    for input in [evil, module] {
        for format in ["text", "json", "markdown", "html"] {
            let output = nbmedic(
                &["triage", "--format", format, "--redact"],
                input.as_bytes(),
            );
            assert_eq!(output.status.code(), Some(1), "{format}");
            let said = text(&output);
            assert!(!raw(&said), "{format}: {said:?}");
            if format == "json" {
                let value: serde_json::Value = serde_json::from_str(&said).expect("JSON");
                let quoted = value["diagnoses"][0]["evidence"][0]["text"].as_str();
                assert!(quoted.is_some_and(|t| t.contains('\u{202e}')), "{quoted:?}");
            }
        }
    }
}

#[test]
fn every_encoding_of_a_text_is_read() {
    let log = "KeyError: 'naïve'\n";
    let wide: Vec<u8> = log.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = [0xfe, 0xff]
        .into_iter()
        .chain(log.encode_utf16().flat_map(u16::to_be_bytes))
        .collect();
    let marked = [b"\xef\xbb\xbf", log.as_bytes()].concat();
    for (what, bytes) in [
        ("mark", marked.clone()),
        ("UTF-16", [b"\xff\xfe", &wide[..]].concat()),
        ("UTF-16, no mark", wide),
        ("UTF-16, big", big),
        ("gzip", gzip(log.as_bytes())),
        (
            "gzip in two parts",
            [gzip(b"epoch 1\n"), gzip(&marked[3..])].concat(),
        ),
        ("gzip of a marked text", gzip(&marked)),
    ] {
        let output = nbmedic(&["triage"], &bytes);
        assert_eq!(output.status.code(), Some(1), "{what}: {output:?}");
        assert!(
            text(&output).contains("error[key-missing]: There is no key “naïve”"),
            "{what}"
        );
    }
    let dir = tempfile::tempdir().expect("a folder");
    let notebook = r#"{"cells":[{"cell_type":"code","source":"x","outputs":[{"ename":"NameError","evalue":"name 'x' is not defined"}]}]}"#;
    let wide: Vec<u8> = notebook.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let cases = [
        ("wide.ipynb", [b"\xff\xfe", &wide[..]].concat()),
        (
            "marked.ipynb",
            [b"\xef\xbb\xbf", notebook.as_bytes()].concat(),
        ),
        ("packed.ipynb.gz", gzip(notebook.as_bytes())),
    ];
    for (name, bytes) in cases {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        let output = nbmedic(&["triage", path.to_str().expect("UTF-8")], b"");
        assert!(text(&output).contains(": cell 1"), "{name}: {output:?}");
    }
}

#[test]
fn what_cannot_be_judged_is_refused_in_one_line() {
    let dir = tempfile::tempdir().expect("a folder");
    let folder = dir.path().to_str().expect("UTF-8").to_owned();
    let own = nbmedic(&["triage", "--format", "json"], OOM.as_bytes()).stdout;
    let cut = gzip(program::quiet(10_000).as_bytes());
    let noise: Vec<u8> = (0..20_000_u32).map(|n| ((n * n) >> 5) as u8).collect();
    let cases: [(&[&str], &[u8], &str); 6] = [
        (&["fix", &folder], b"", "is a folder: name the files in it"),
        (&["triage"], &own, "nbmedic.triage/1, nbmedic's own output"),
        (
            &["triage"],
            &cut[..cut.len() / 2],
            "the compressed data is broken or cut off",
        ),
        (&["triage"], &noise, "not a text: give a notebook"),
        (&["triage"], &[0; 20_000], "not a text: give a notebook"),
        (
            &["triage", "absent.log"],
            b"",
            "absent.log: No such file or directory\n",
        ),
    ];
    for (args, input, why) in cases {
        let output = nbmedic(args, input);
        assert_eq!(output.status.code(), Some(2), "{why}");
        let said = complaint(&output);
        assert!(
            said.contains(why) && said.lines().count() == 1,
            "{why}: {said}"
        );
        assert!(!text(&output).contains("nothing wrong found:"), "{why}");
    }
}

#[cfg(unix)]
#[test]
fn a_device_that_never_ends_is_refused_at_once() {
    let output = nbmedic(&["triage", "/dev/zero"], b"");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn secrets_stay_in_text_and_json_unless_they_are_to_go() {
    let token = format!("hf_{}", "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH");
    let log = format!("ValueError: bad token {token} in /home/ada/x.py\n{OOM}");
    for format in ["text", "json", "markdown", "html"] {
        let plain = text(&nbmedic(&["triage", "--format", format], log.as_bytes()));
        assert_eq!(
            plain.contains(&token),
            matches!(format, "text" | "json"),
            "{format}"
        );
        let clean = text(&nbmedic(
            &["triage", "--redact", "--format", format],
            log.as_bytes(),
        ));
        assert!(
            !clean.contains(&token) && !clean.contains("/home/ada"),
            "{format}: {clean}"
        );
    }
    let help = text(&nbmedic(&["triage", "--help"], b""));
    assert!(
        help.contains("--redact") && help.contains("secret"),
        "{help}"
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_closed_in_the_middle_is_no_panic() {
    let mut child = started(&["triage"]);
    let mut to = child.stdin.take().expect("a pipe");
    let mut from = child.stdout.take().expect("a pipe");
    let writer = std::thread::spawn(move || {
        // Ends when the program does, or has said enough.
        for n in 0..2000_u32 {
            let name: String = format!("{n}")
                .bytes()
                .map(|b| char::from(b - b'0' + b'a'))
                .collect();
            let line = format!("ModuleNotFoundError: No module named '{name}'\n");
            if to
                .write_all((line + &program::quiet(10_000)).as_bytes())
                .is_err()
            {
                return;
            }
        }
    });
    let mut some = [0; 4096];
    from.read_exact(&mut some).expect("a first part");
    drop(from);
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("written");
    assert_eq!(complaint(&output), "");
}
