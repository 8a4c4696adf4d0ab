//! One pass over a text for all literals, and the functions that judge them.

use super::formats::{self, Format};
use super::names::{self, Sort};
use super::runs::Runs;
use super::{
    answers, apart, assigned, blocks, commands, hashes, hosts, numbers, partner, people, phrases,
    places, seam, special, tables, written,
};
use nbmedic_text::{steps, Sieve};
use std::ops::Range;
use std::sync::OnceLock;

/// A redacted part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its kind.
    pub kind: &'static str,
    /// Its byte range in the original text.
    pub range: Range<usize>,
}

/// The start of a placeholder for a redacted part; its kind and a bracket follow.
pub const PLACEHOLDER: &str = "[redacted-";
/// The kind of parts that were not searched.
const UNREAD: &str = "unread";

/// The kinds of text that a literal may be part of.
#[derive(Clone, Copy)]
enum What {
    Format(usize),
    Special(&'static str),
    Begin,
    End,
    Url,
    Bearer,
    Command(usize),
    Piped,
    Second,
    Name,
    Mail,
    Home,
    Tilde,
    Environment,
    Prompt,
    Drive,
    Address,
    Host,
    Windows,
    Hash,
    Written,
    Passfile,
    Identified,
    Channel,
    Keyed,
    Opened,
    Foreign,
    Seed,
    Account,
    Input,
    Hardware,
    Shown,
    Sent,
    Number(usize),
}

impl What {
    /// Its memory of the last match: literals inside a match of the same memory are skipped.
    fn slot(self) -> usize {
        match self {
            What::Format(_) => 0,
            What::Special(_) => 1,
            What::Begin => 2,
            What::End => 3,
            What::Url => 4,
            What::Bearer => 5,
            What::Command(_) => 6,
            What::Piped => 7,
            What::Second => 8,
            What::Name => 9,
            What::Mail => 10,
            What::Home => 11,
            What::Tilde => 12,
            What::Environment => 13,
            What::Prompt => 14,
            What::Drive => 15,
            What::Address => 16,
            What::Host => 17,
            What::Windows => 18,
            What::Hash => 19,
            What::Written => 20,
            What::Passfile => 21,
            What::Identified => 22,
            What::Channel => 23,
            What::Keyed | What::Opened => 24,
            What::Foreign => 25,
            What::Seed => 26,
            What::Account => 27,
            What::Input => 28,
            What::Hardware => 29,
            What::Shown => 30,
            What::Sent => 31,
            What::Number(_) => 32,
        }
    }
}

const SLOTS: usize = 33;

struct Index {
    /// In lower case.
    literals: Sieve,
    /// The possible kinds of each literal.
    whats: Vec<What>,
    formats: Vec<Format>,
}

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let formats = formats::formats();
        let mut all: Vec<(&'static str, What)> = Vec::new();
        for (i, f) in formats.iter().enumerate() {
            // Once for the whole program: the sieve keeps its literals forever.
            let lower: &'static str = match f.start.bytes().any(|b| b.is_ascii_uppercase()) {
                true => f.start.to_ascii_lowercase().leak(),
                false => f.start,
            };
            all.push((lower, What::Format(i)));
        }
        all.extend(
            special::LITERALS
                .iter()
                .map(|(l, k)| (*l, What::Special(k))),
        );
        all.extend(numbers::literals().map(|(l, _, i)| (l, What::Number(i))));
        all.extend(names::LITERALS.iter().map(|l| (*l, What::Name)));
        all.extend(
            commands::commands()
                .enumerate()
                .map(|(i, l)| (l, What::Command(i))),
        );
        all.extend(people::HOMES.iter().map(|l| (*l, What::Home)));
        all.extend(people::DRIVES.iter().map(|l| (*l, What::Drive)));
        all.extend(hosts::NETS.iter().map(|l| (*l, What::Address)));
        all.extend(hosts::ENDINGS.iter().map(|l| (*l, What::Host)));
        all.extend(hashes::LITERALS.iter().map(|l| (*l, What::Hash)));
        all.extend(written::LITERALS.iter().map(|l| (*l, What::Written)));
        all.extend(tables::PASSFILE.iter().map(|l| (*l, What::Passfile)));
        let more: [(&[&'static str], What); 22] = [
            (answers::SHOWS, What::Shown),
            (answers::SENDS, What::Sent),
            (phrases::FOREIGN, What::Foreign),
            (phrases::SEEDS, What::Seed),
            (partner::ACCOUNTS, What::Account),
            (partner::INPUTS, What::Input),
            (hosts::HARDWARE, What::Hardware),
            (
                &[
                    "fernet(",
                    "jwt.encode(",
                    "jwt.decode(",
                    "hmac.new(",
                    "aes.new(",
                    "serializer(",
                    "aesgcm(",
                    "totp(",
                    "hotp(",
                    "auth(",
                ],
                What::Keyed,
            ),
            (
                &[
                    "client(",
                    "clientv2(",
                    ".rest(",
                    ".init(",
                    "api(",
                    "oauthhandler(",
                    "authenticate(",
                    ".connect(",
                    ".configure(",
                ],
                What::Opened,
            ),
            (&["identified by ", "identified with "], What::Identified),
            (&["/t/", "/hooks/"], What::Channel),
            (&["-----begin"], What::Begin),
            (&["-----end"], What::End),
            (&["://", "%3a%2f%2f"], What::Url),
            (
                &["bearer ", "bearer%20", "bearer', '", "bearer\", \""],
                What::Bearer,
            ),
            (
                &[
                    "sudo -s",
                    "--password-stdin",
                    "--passwd-s",
                    "--passphrase-fd",
                    "chpasswd",
                    "kinit",
                    "passwd --stdin",
                    "auth login --with-token",
                    "login --password-s",
                ],
                What::Piped,
            ),
            (
                &[
                    "auth=",
                    ".auth = (",
                    "\"auth\": (",
                    "'auth': (",
                    "authenticate(",
                    "basicauthentication(",
                    "passwordauthenticator(",
                    "networkcredential(",
                    "awscredentials(",
                    "passwordcredentials(",
                    "pscredential(",
                    "basicauth(",
                    "login(",
                    "basic_auth(",
                    "digestauth(",
                    "ntlmauth(",
                    "userpasswordcredentials(",
                    "plaintextauthprovider(",
                    "basic_auth=",
                    "http_auth=",
                    "username_pw_set(",
                    "set_password(",
                    "usernamepassword",
                    "set_basic_auth(",
                ],
                What::Second,
            ),
            (&["@", "%40", "\\u0040"], What::Mail),
            (&["~"], What::Tilde),
            (&["user", "logname", "username"], What::Environment),
            (&[":~", ":/content"], What::Prompt),
            (&["desktop-", "laptop-"], What::Windows),
        ];
        for (literals, what) in more {
            all.extend(literals.iter().map(|l| (*l, what)));
        }
        Index {
            literals: Sieve::new(all.iter().map(|(l, _)| *l).collect()),
            whats: all.into_iter().map(|(_, w)| w).collect(),
            formats,
        }
    })
}

/// The literals of all kinds, in lower case, each with its kind and the minimum length of a token after it (0 if that
/// varies). The cell that starts the probe is generated from them: it has no room for the functions that decide here.
pub fn literals() -> impl Iterator<Item = (&'static str, &'static str, usize)> {
    let index = index();
    let named = |(literal, what): (&&'static str, &What)| {
        let (leads, least) = match *what {
            What::Format(i) => ("token", index.formats[i].least()),
            What::Special(_) => ("special", 0),
            What::Begin | What::End => ("block", 0),
            What::Url => ("url", 0),
            What::Bearer => ("bearer", 0),
            What::Command(_) | What::Piped | What::Identified => ("command", 0),
            What::Second | What::Keyed => ("call", 0),
            What::Foreign if !literal.is_ascii() => ("foreign", 0),
            What::Name | What::Foreign => ("name", 0),
            What::Seed => ("phrase", 0),
            What::Account | What::Opened | What::Input | What::Hardware => ("long", 0),
            What::Mail => ("mail", 0),
            What::Home | What::Tilde => ("home", 0),
            What::Environment => ("user", 0),
            What::Prompt => ("prompt", 0),
            What::Drive | What::Channel => ("id", 0),
            What::Address => ("address", 0),
            What::Host => ("host", 0),
            What::Windows => ("machine", 0),
            What::Hash => ("hash", 0),
            What::Written => ("written", 0),
            What::Shown => ("shown", 0),
            What::Sent => ("command", 0),
            What::Number(_) => ("number", 0),
            What::Passfile => ("passfile", 0),
        };
        (*literal, leads, least)
    };
    index
        .literals
        .literals()
        .iter()
        .zip(&index.whats)
        .map(named)
}

/// The first letters of every token, as services write them.
pub fn starts() -> impl Iterator<Item = &'static str> {
    index().formats.iter().map(|f| f.start)
}

/// The kind with this name, if there is one.
pub fn kind(name: &str) -> Option<&'static str> {
    kinds().find(|k| *k == name)
}

/// The names of all kinds; those of tokens occur several times.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    const OTHERS: &[&str] = &[
        "jwt",
        "private-key",
        "url-credentials",
        "authorization",
        "password",
        "assigned-secret",
        "cookie",
        "e-mail",
        "user-name",
        "drive-id",
        "private-address",
        "private-host",
        "password-hash",
        "seed-phrase",
        UNREAD,
        "bank-account",
        "card-number",
        "id-number",
        "phone-number",
        "birth-date",
        "ip-address",
    ];
    let formats = index().formats.iter().map(|f| f.kind);
    let special = special::LITERALS.iter().map(|(_, k)| *k);
    formats.chain(special).chain(OTHERS.iter().copied())
}

/// Personal data: names rather than secrets.
pub(super) fn is_personal(kind: &str) -> bool {
    matches!(
        kind,
        "e-mail"
            | "user-name"
            | "private-host"
            | "private-address"
            | "bank-account"
            | "card-number"
            | "id-number"
            | "phone-number"
            | "birth-date"
            | "ip-address"
    )
}

/// Steps that any text may take, and steps for each of its bytes. No real text comes near the limit.
const BASE: u64 = 1 << 20;
const A_BYTE: u64 = 1500;
/// Steps of a literal, in addition to those that its function counts.
const A_HIT: usize = 64;
/// Maximum distance of a secret's start before its literal, in bytes.
const BEFORE: usize = 400;

/// The parts of a text that must be redacted, in order.
pub fn find(text: &str) -> Vec<Found> {
    find_within(text, BASE + A_BYTE * text.len() as u64)
}

/// The same within a number of steps: whatever is left is then redacted as a whole.
pub(super) fn find_within(text: &str, most: u64) -> Vec<Found> {
    let index = index();
    let mut found: Vec<(usize, Found)> = Vec::new();
    let mut done = [0; SLOTS];
    // ASCII case folding keeps every byte's position.
    let mut hits: Vec<(Range<usize>, usize)> = Vec::new();
    index
        .literals
        .each(&text.to_ascii_lowercase(), &mut |literal, hit| {
            hits.push((hit, literal))
        });
    hits.sort_unstable_by_key(|(hit, literal)| (hit.start, *literal));
    let mut several = Vec::new();
    let mut runs = Runs::default();
    let mut columns = tables::Columns::default();
    let until = steps::taken() + most;
    let mut commands = vec![0; commands::commands().count()];
    for (hit, literal) in hits {
        let what = index.whats[literal];
        let slot = what.slot();
        if hit.start < done[slot] || is_placeholder(text, hit.start) {
            continue;
        }
        steps::took(A_HIT);
        if steps::taken() > until {
            // The rest was not searched, so it is not shown.
            let from = seam::line_start(text, hit.start, BEFORE);
            let (kind, range) = (UNREAD, from..text.len());
            found.push((slot, Found { kind, range }));
            break;
        }
        let (kind, range) = match what {
            What::Keyed | What::Opened => {
                several.clear();
                places::keyed(text, hit, &mut several);
                done[slot] = several.last().map_or(0, |r| r.end);
                let kind = "assigned-secret";
                found.extend(several.drain(..).map(|range| (slot, Found { kind, range })));
                continue;
            }
            What::Command(i) => {
                several.clear();
                if hit.start < commands[i] {
                    continue;
                }
                commands[i] = commands::command(text, hit, i, &mut several);
                for range in several.drain(..).filter(|r| !r.is_empty()) {
                    found.push((
                        slot,
                        Found {
                            kind: "password",
                            range,
                        },
                    ));
                }
                continue;
            }
            What::Name | What::Foreign => {
                let name = match what {
                    What::Foreign => phrases::name(text, hit),
                    _ => names::around(text, hit),
                };
                let Some(name) = name else {
                    continue;
                };
                let kind = named(&name);
                several.clear();
                tables::below(text, &name, &mut columns, &mut several);
                tables::inserted(text, &name, &mut several);
                found.extend(several.drain(..).map(|range| (slot, Found { kind, range })));
                match assigned::value(text, name) {
                    Some(range) => (kind, range),
                    None => continue,
                }
            }
            _ => match one(text, hit, what, index, &mut runs) {
                Some(known) => known,
                None => continue,
            },
        };
        done[slot] = range.end;
        let mut end = range.end;
        if let Some(range) = (kind == "aws-key-id")
            .then(|| partner::of_key_id(text, end))
            .flatten()
        {
            let kind = "assigned-secret";
            found.push((slot, Found { kind, range }));
        }
        if let Some(range) = (kind == "e-mail")
            .then(|| people::named(text, range.start))
            .flatten()
        {
            let kind = "user-name";
            found.push((slot, Found { kind, range }));
        }
        if let (What::Name, Some(next)) = (what, apart::next_string(text, end)) {
            found.push((slot, Found { kind, range: next }));
        }
        found.push((
            slot,
            Found {
                kind,
                range: range.clone(),
            },
        ));
        if matches!(
            what,
            What::Format(_) | What::Name | What::Bearer | What::Special("jwt")
        ) {
            while let Some(rest) = apart::continued(text, end, &range) {
                end = rest.end;
                done[slot] = end;
                found.push((slot, Found { kind, range: rest }));
            }
        }
    }
    kept(found)
}

/// Of overlapping parts the first one counts, and the rest of the next one is redacted too.
fn kept(mut found: Vec<(usize, Found)>) -> Vec<Found> {
    found.sort_by_key(|(slot, f)| (f.range.start, *slot));
    let mut kept: Vec<Found> = Vec::new();
    for (_, f) in found {
        match kept.last_mut() {
            Some(last) if f.range.start < last.range.end => {
                let personal = is_personal(f.kind) || is_personal(last.kind);
                let grows = f.range.end > last.range.end && (!personal || f.kind == UNREAD);
                if grows {
                    last.range.end = f.range.end;
                }
            }
            _ => kept.push(f),
        }
    }
    kept
}

/// Whether a position is inside a placeholder.
fn is_placeholder(text: &str, at: usize) -> bool {
    let bytes = &text.as_bytes()[..at];
    let word = bytes
        .iter()
        .rev()
        .take(40)
        .take_while(|b| b.is_ascii_lowercase() || **b == b'-')
        .count();
    word >= PLACEHOLDER.len() - 1
        && bytes[..at - word].ends_with(b"[")
        && bytes[at - word..].starts_with(b"redacted-")
        || text.as_bytes()[at..].starts_with(b"[redacted-")
}

fn named(name: &names::Name) -> &'static str {
    match name.sort {
        Sort::Password => "password",
        Sort::Cookie => "cookie",
        Sort::Authorization => "authorization",
        Sort::Secret | Sort::Perhaps => "assigned-secret",
    }
}

fn one(
    text: &str,
    hit: Range<usize>,
    what: What,
    index: &Index,
    runs: &mut Runs,
) -> Option<(&'static str, Range<usize>)> {
    let at = |kind: &'static str| move |range: Range<usize>| (kind, range);
    match what {
        What::Format(i) => {
            let format = &index.formats[i];
            formats::longest(&index.formats, i, text, hit.start, runs).map(at(format.kind))
        }
        What::Special(kind) => special::around(text, hit, kind, runs).map(at(kind)),
        What::Begin => blocks::begin(text, hit).map(at("private-key")),
        What::End => blocks::end(text, hit).map(at("private-key")),
        What::Url => places::url(text, hit).map(at("url-credentials")),
        What::Bearer => places::bearer(text, hit).map(at("authorization")),
        What::Piped => places::piped(text, hit).map(at("password")),
        What::Second => places::second(text, hit).map(at("password")),
        What::Mail => match places::login(text, hit.clone()) {
            Some(range) => Some(("url-credentials", range)),
            None => people::mail(text, hit).map(at("e-mail")),
        },
        What::Home => people::home(text, hit).map(at("user-name")),
        What::Tilde => people::tilde(text, hit).map(at("user-name")),
        What::Environment => people::environment(text, hit).map(at("user-name")),
        What::Prompt => people::prompt(text, hit).map(at("user-name")),
        What::Drive => people::drive(text, hit).map(at("drive-id")),
        What::Address => hosts::address(text, hit).map(at("private-address")),
        What::Host => hosts::host(text, hit).map(at("private-host")),
        What::Windows => hosts::windows(text, hit).map(at("private-host")),
        What::Hash => hashes::at(text, hit).map(at("password-hash")),
        What::Written => written::value(text, hit).map(at("assigned-secret")),
        What::Passfile => tables::passfile(text, hit).map(at("password")),
        What::Identified => places::identified(text, hit).map(at("password")),
        What::Channel => places::channel(text, hit).map(at("url-credentials")),
        What::Shown => answers::shown(text, hit).map(at("assigned-secret")),
        What::Sent => answers::sent(text, hit).map(at("password")),
        What::Seed => phrases::seed(text, hit).map(at("seed-phrase")),
        What::Account => partner::of_account(text, hit).map(at("assigned-secret")),
        What::Input => partner::rejected(text, hit).map(at("assigned-secret")),
        What::Hardware => hosts::hardware(text, hit).map(at("private-address")),
        What::Number(place) => numbers::after(text, hit, place),
        What::Command(_) | What::Name | What::Foreign | What::Keyed | What::Opened => None,
    }
}
