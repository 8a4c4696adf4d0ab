//! `nbmedic redact`, and what `nbmedic triage --redact` knows of a whole input.

mod program;

use program::{complaint, nbmedic, text};

const SECRET: &str = "Vq7mWz2LpX9c";
const FAILED: &str =
    "Traceback (most recent call last):\n  File \"/srv/x.py\", line 3, in <module>\n    f()\n";

#[test]
fn a_text_is_printed_without_its_secrets() {
    let log =
        format!("epoch 3\nconnecting with password='{SECRET}'\n{FAILED}KeyError: '{SECRET}'\n");
    let clean = format!(
        "epoch 3\nconnecting with password='[redacted-password]'\n{FAILED}KeyError: '[redacted-password]'\n"
    );
    for args in [&["redact"][..], &["redact", "-"]] {
        let output = nbmedic(args, log.as_bytes());
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(text(&output), clean);
    }
    let again = nbmedic(&["redact"], clean.as_bytes());
    assert_eq!(text(&again), clean);
    let help = text(&nbmedic(&["redact", "--help"], b""));
    assert!(help.contains("[redacted-KIND]"), "{help}");
}

#[test]
fn what_a_files_end_shows_goes_from_its_beginning() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("run.log");
    let middle = "epoch 3, loss 0.25\n".repeat(200_000);
    let log = format!("KeyError: '{SECRET}'\n{middle}password='{SECRET}'\n");
    std::fs::write(&path, &log).expect("a file");
    let output = nbmedic(&["redact", path.to_str().expect("UTF-8")], b"");
    let clean = text(&output);
    assert!(!clean.contains(SECRET));
    assert_eq!(
        clean.len() - log.len(),
        2 * ("[redacted-password]".len() - SECRET.len())
    );
    let missing = std::path::Path::new("/home/ada/none.log");
    let output = nbmedic(&["redact", missing.to_str().expect("UTF-8")], b"");
    assert_eq!(output.status.code(), Some(2));
    let said = complaint(&output);
    assert!(
        said.contains("No such file") && !said.contains("ada/"),
        "{said}"
    );
}

#[test]
fn a_redacted_triage_knows_the_whole_input_and_names_no_one_in_its_errors() {
    let late = format!("{FAILED}KeyError: '{SECRET}'\nconnecting with password='{SECRET}'\n");
    let pem = format!(
        "{FAILED}ValueError: Could not deserialize key data: -----BEGIN RSA PRIVATE KEY-----\n{}\n{}\n{}\n-----END RSA PRIVATE KEY-----\n",
        "MIIEowIBAAKCAQEAx7Gm3q9vT2kLw8ZpR4sN6yH1cJ5dF0bXeUaQiVoKtMhYgPlE",
        "q8W2e9R0t1Y2u3I4o5P6a7S8d9F0g1H2j3K4l5Z6x7C8v9B0n1M2Q3w4E5r6T7y8",
        "zXcVbNm7LkJhGfDsA9pOiUyTrEwQ",
    );
    for format in ["text", "json", "markdown", "html"] {
        let args = ["triage", "--redact", "--format", format];
        let said = text(&nbmedic(&args, late.as_bytes()));
        assert!(
            said.contains("KeyError") && !said.contains(SECRET),
            "{said}"
        );
        let said = text(&nbmedic(&args, pem.as_bytes()));
        for line in ["MIIEowIBAAKC", "q8W2e9R0t1Y2", "zXcVbNm7LkJh"] {
            assert!(!said.contains(line), "{format}: {said}");
        }
        let output = nbmedic(
            &[
                "triage",
                "--redact",
                "--format",
                format,
                "/home/ada/none.log",
            ],
            b"",
        );
        assert_eq!(output.status.code(), Some(2));
        let said = complaint(&output);
        assert!(
            said.contains("No such file") && !said.contains("/ada/"),
            "{said}"
        );
    }
}
