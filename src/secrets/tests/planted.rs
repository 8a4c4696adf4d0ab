//! How many planted secrets are found, and how many look-alikes are redacted by mistake.

// The figures are printed.
#![allow(clippy::disallowed_macros)]

#[path = "planted/mod.rs"]
mod cases;

use cases::Case;
use nbmedic_secrets::redact;

fn is_missed(c: &Case) -> bool {
    let text = redact(&c.text).text;
    c.secrets.iter().any(|s| text.contains(s.as_str()))
}

fn is_spoiled(c: &Case) -> bool {
    redact(&c.text).text != c.text
}

/// The cases of a half, and those of them that fail.
fn measured(all: Vec<Case>, seen: bool, wrong: fn(&Case) -> bool) -> (usize, Vec<Case>) {
    let half: Vec<Case> = all.into_iter().filter(|c| c.is_seen() == seen).collect();
    let n = half.len();
    (n, half.into_iter().filter(wrong).collect())
}

fn share(n: usize, of: usize) -> f64 {
    100.0 * n as f64 / of as f64
}

/// Figures of both halves; failures are named for the development half only.
#[test]
fn what_is_planted_is_found_and_what_is_alike_stays() {
    let show = |c: &Case| {
        println!(
            "  {}: {:?} → {:?}",
            c.name,
            c.text.chars().take(160).collect::<String>(),
            redact(&c.text).text.chars().take(160).collect::<String>()
        )
    };
    let mut figures = Vec::new();
    for seen in [true, false] {
        let (planted, missed) = measured(cases::planted(), seen, is_missed);
        let (alike, spoiled) = measured(cases::alike::cases(), seen, is_spoiled);
        if seen {
            println!("missed:");
            missed.iter().for_each(show);
            println!("spoiled:");
            spoiled.iter().for_each(show);
        }
        let recall = 100.0 - share(missed.len(), planted);
        let spoilt = share(spoiled.len(), alike);
        let half = if seen {
            "developed on"
        } else {
            "only measured"
        };
        println!("{half}: {recall:.1} % of {planted} found, {spoilt:.1} % of {alike} spoiled");
        figures.push((recall, spoilt, planted, alike));
    }
    for (recall, spoilt, planted, alike) in figures {
        assert!(
            planted >= 400 && alike >= 150,
            "{planted} planted, {alike} alike"
        );
        assert!(recall >= 98.0, "only {recall:.1} % found");
        assert!(spoilt <= 1.0, "{spoilt:.1} % spoiled");
    }
}

/// Text composed of random pieces, cut anywhere.
#[test]
fn any_text_is_redacted_once_and_for_all() {
    let mut r = cases::values::Random(5);
    let mut pieces: Vec<String> = cases::planted().into_iter().map(|c| c.text).collect();
    pieces.extend(cases::alike::cases().into_iter().map(|c| c.text));
    let glue = [
        "",
        " ",
        "\n",
        "=",
        ": ",
        "'",
        "\"",
        "\\n",
        "│",
        "é",
        "@",
        "://",
        "-----BEGIN ",
        "%",
        "\\",
        ",",
        "token=",
        "(",
        " \u{a0}",
    ];
    for _ in 0..6000 {
        let mut text = String::new();
        for _ in 0..1 + r.below(4) {
            let piece: Vec<char> = pieces[r.below(pieces.len())].chars().collect();
            let from = r.below(piece.len());
            let to = from + r.below(120.min(piece.len() - from) + 1);
            text.extend(&piece[from..to]);
            text.push_str(r.pick(&glue));
        }
        let once = redact(&text);
        let twice = redact(&once.text);
        assert_eq!(twice.text, once.text, "again: {text:?}");
        for pair in once.found.windows(2) {
            assert!(pair[0].range.end <= pair[1].range.start, "{text:?}");
        }
    }
}

/// A name in prose, and the JSON that follows it.
#[test]
fn what_follows_a_sentence_about_a_token_stays() {
    for text in [
        r#"{"text": "is not a valid token.", "made": {"program": "a.ipy", "python": "3.10.13"}}"#,
        r#"{"text": "or by passing `token=<your_token>`.", "made": {"python": "3.10.13"}}"#,
        r#"["use a token", "3.10.13rc1-beta2"]"#,
        r#"password: "the one of 12 letters is not set""#,
        "credential: DefaultAzureCredential",
        "init_method=tcp://10.0.0.1:29500",
        "y = x@W.de",
    ] {
        assert_eq!(redact(text).text, text);
    }
}

/// Shares of a further set that are found, and redacted by mistake, in per cent.
fn further(set: &str, (planted, alike): (Vec<Case>, Vec<Case>), show: bool) -> (f64, f64) {
    let (n, m) = (planted.len(), alike.len());
    let missed: Vec<Case> = planted.into_iter().filter(is_missed).collect();
    let spoiled: Vec<Case> = alike.into_iter().filter(is_spoiled).collect();
    for c in missed.iter().chain(&spoiled).filter(|_| show) {
        println!("  {}: {:?} → {:?}", c.name, c.text, redact(&c.text).text);
    }
    let recall = 100.0 - share(missed.len(), n);
    let spoilt = share(spoiled.len(), m);
    println!("{set}: {recall:.1} % of {n} found, {spoilt:.1} % of {m} spoiled");
    (recall, spoilt)
}

/// At first sight 47.6 % of the first set were found and 3.2 % spoiled; of the second set, which was written after
/// what the first one showed was repaired, 85.0 % and 5.0 %; of the third, by
/// someone who had not read the detector, 90.0 % and 0.9 %; of the fourth, which was written in the same way, 85.5 % and
/// 4.2 %; of the fifth, from kinds of tools listed first but by someone who had repaired what the fourth one showed, 91.1 %
/// of 630 and 2.3 % of 436; of the sixth, from what notebooks print of agents, servers, trackers and clouds, by someone
/// who had not read the detector but a few lines of the fifth set, 96.7 % of 244 and 2.3 % of 172; of the seventh, services of
/// 2025 and 2026, frames, wrapped lines and names on shared storage, by someone who had not read the detector but ten lines
/// of the sixth set, 93.0 % of 342 and 4.4 % of 320; of the eighth, as a security engineer meets them, by someone who had read
/// neither the detector nor an earlier set, 70.2 % of 598 and 1.3 % of 600. A third of the eighth is personal data; of that, names in
/// prose, postal addresses, places, number plates and PINs are not looked for, and account numbers count that have no valid checksum.
/// All of them are developed on now.
#[test]
fn further_places_are_found_and_what_is_alike_stays() {
    let first = further("first further set", cases::further::first(), true);
    let second = further("second further set", cases::further::second(), true);
    let third = further("third set", cases::unread::third(), true);
    let fourth = further("fourth set", cases::unread::fourth(), true);
    let fifth = further("fifth set", cases::unread::fifth(), true);
    let sixth = further("sixth set", cases::unread::sixth(), true);
    let seventh = further("seventh set", cases::unread::seventh(), true);
    let eighth = further("eighth set", cases::unread::eighth(), true);
    for (recall, spoilt) in [first, second, third, fourth, fifth, sixth, seventh] {
        assert!(recall >= 98.0 && spoilt <= 1.0, "{recall} {spoilt}");
    }
    let (planted, _) = cases::unread::eighth();
    // Its first 203 texts, each twice, hold secrets, the others personal data.
    for (what, part) in [
        ("secrets", &planted[..406]),
        ("personal data", &planted[406..]),
    ] {
        let missed = part.iter().filter(|c| is_missed(c)).count();
        println!("  of its {what} {:.1} %", 100.0 - share(missed, part.len()));
    }
    let (recall, spoilt) = eighth;
    assert!(recall >= 83.5 && spoilt <= 1.5, "{recall} {spoilt}");
}
