//! Secrets in the options of commands.

use super::arguments::{quoted_word, Arguments};
use super::judge::opens;
use super::seam;
use super::value::{is_expression, is_mixed, is_path, is_random, is_said, is_stand_in};
use nbmedic_text::steps::took;
use std::ops::Range;

/// A command line, or the part of it that is read.
const LINE: usize = 1024;

/// The place of a command's secret.
#[derive(Clone, Copy)]
enum Where {
    /// After this option.
    After(&'static str),
    /// In the same word as this option.
    In(&'static str),
    /// After this option, behind a colon or per cent sign.
    Pair(&'static str),
    /// A word with this prefix.
    Word(&'static str),
    /// The argument of this number, if it looks like a token.
    Nth(usize),
    /// The argument of this number.
    Arg(usize),
    /// The part after a comma and the user's name, which follows this option.
    Behind(&'static str),
    /// Cookies after this option.
    Cookies(&'static str),
    /// The first quoted argument.
    Quoted,
    /// The first quotation after an equals sign.
    Equals,
    /// Between a slash and an at sign: `user/password@database`.
    Slash,
}

use Where::{After, Arg, Behind, Cookies, Equals, In, Nth, Pair, Quoted, Slash, Word};

/// Commands, further words that their line must contain, and the places of their secrets.
const COMMANDS: &[(&str, &[&str], &[Where])] = &[
    (
        "curl",
        &[],
        &[
            Pair("-u"),
            Pair("--user"),
            Pair("-U"),
            Pair("--proxy-user"),
            Cookies("-b"),
            Cookies("--cookie"),
        ],
    ),
    ("http ", &[], &[Pair("-a"), Pair("--auth")]),
    ("https ", &[], &[Pair("-a"), Pair("--auth")]),
    ("mysql", &[], &[In("-p"), After("-p")]),
    ("mariadb", &[], &[In("-p")]),
    ("docker", &["login"], &[After("-p"), In("-p")]),
    ("podman", &["login"], &[After("-p"), In("-p")]),
    ("skopeo", &["login"], &[After("-p")]),
    ("buildah", &["login"], &[After("-p")]),
    ("helm", &["login", "repo"], &[After("-p")]),
    ("az ", &["login"], &[After("-p")]),
    ("cf ", &["login"], &[After("-p")]),
    ("oc ", &["login"], &[After("-p")]),
    ("twine", &[], &[After("-p")]),
    ("codecov", &[], &[After("-t")]),
    ("sshpass", &[], &[After("-p"), In("-p")]),
    ("redis-cli", &[], &[After("-a")]),
    ("zip", &[], &[After("-P"), In("-P")]),
    ("7z a", &[], &[In("-p")]),
    ("7z x", &[], &[In("-p")]),
    ("openssl", &[], &[Word("pass:"), After("-k"), After("-K")]),
    ("htpasswd", &["-b"], &[Arg(3)]),
    ("htpasswd", &["-nb"], &[Arg(2)]),
    ("b2 ", &["authorize"], &[Arg(3)]),
    ("ldapsearch", &[], &[After("-w")]),
    ("ldapmodify", &[], &[After("-w")]),
    ("smbclient", &[], &[Pair("-U")]),
    ("mongo", &[], &[After("-p"), In("-p")]),
    ("mongodump", &[], &[After("-p")]),
    ("mongosh", &[], &[After("-p")]),
    ("sqlcmd", &[], &[After("-P"), In("-P")]),
    ("bcp", &[], &[After("-P")]),
    ("clickhouse-client", &[], &[After("--pass")]),
    ("wandb login", &[], &[Nth(1)]),
    ("vault login", &[], &[Nth(1)]),
    ("authtoken", &[], &[Nth(1)]),
    ("rclone obscure", &[], &[Nth(1)]),
    ("lftp", &[], &[Pair("-u"), Behind("-u")]),
    ("net use", &[], &[Arg(3)]),
    ("snowsql", &[], &[After("-p")]),
    ("kaggle config set", &[], &[After("-v")]),
    ("ssh-keygen", &[], &[After("-N"), After("-P")]),
    (
        "keytool",
        &[],
        &[After("-storepass"), After("-keypass"), After("-new")],
    ),
    ("wpa_passphrase", &[], &[Arg(2)]),
    ("xfreerdp", &[], &[In("/p:")]),
    ("rdesktop", &[], &[After("-p")]),
    ("ipmitool", &[], &[After("-P")]),
    ("mosquitto_", &[], &[After("-P")]),
    ("ldappasswd", &[], &[After("-w"), After("-s")]),
    ("poetry config", &[], &[Nth(2)]),
    ("config http-basic", &[], &[Arg(2)]),
    ("mc alias set", &[], &[Arg(4)]),
    ("sqlplus", &[], &[Slash]),
    ("oracle.connect", &[], &[Slash]),
    ("oracledb.connect", &[], &[Slash]),
    ("jdbc:oracle:", &[], &[Slash]),
    ("expdp", &[], &[Slash]),
    ("impdp", &[], &[Slash]),
    ("rabbitmqctl", &["add_user", "change_password"], &[Arg(3)]),
    ("ncftp", &[], &[After("-p")]),
    ("beeline", &[], &[After("-p")]),
    ("cqlsh", &[], &[After("-p")]),
    ("vsql", &[], &[After("-w")]),
    ("isql", &[], &[After("-P"), In("-P")]),
    ("tsql", &[], &[After("-P")]),
    ("snmp", &[], &[After("-A"), After("-X"), After("-c")]),
    (".logon", &[], &[Arg(2)]),
    ("db2 connect", &["using"], &[After("using"), After("USING")]),
    ("cargo login", &[], &[Nth(1)]),
    ("nuget push", &[], &[After("-k"), Nth(2)]),
    ("convertto-securestring", &[], &[Quoted]),
    ("set password", &["="], &[Equals]),
    ("pragma key", &["="], &[Equals]),
    ("pragma rekey", &["="], &[Equals]),
    ("auth default", &[], &[Arg(1)]),
    (
        "ssm put-parameter",
        &["ecret", "assw", "ecure", "oken", "key"],
        &[After("--value")],
    ),
    ("secret set", &["--value"], &[After("--value")]),
    ("kubeadm", &["--token"], &[After("--token")]),
    ("b'login ", &[], &[Arg(2)]),
    ("net user", &["/add", "/domain", "/active"], &[Arg(2)]),
    ("schtasks", &[], &[After("/rp"), After("/RP"), After("/p")]),
    ("psexec", &[], &[After("-p")]),
    ("influx", &[], &[After("-t")]),
    ("gpg", &["--passphrase"], &[After("--passphrase")]),
];

/// The commands' names, as literals of the search.
pub fn commands() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|c| c.0)
}

/// The start of the next command on a line, outside of quotations.
fn separator(line: &str) -> Option<usize> {
    let mut quote = 0;
    let last = [b'\'', b'"'].map(|q| line.bytes().rposition(|b| b == q));
    let closes = |quote: u8, at: usize| last[usize::from(quote == b'"')].is_some_and(|l| l > at);
    for (i, b) in line.bytes().enumerate() {
        match b {
            b'\'' | b'"' if quote == 0 => quote = b,
            _ if quote == b => quote = 0,
            b' ' | b';' if quote == 0 || !closes(quote, i) => {
                let next = &line[i..];
                if [" | ", " && ", "; ", " || "]
                    .iter()
                    .any(|s| next.starts_with(s))
                {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

/// The secrets on a command line, and the end of the line; `which` is the command's index in [`commands`].
pub fn command(
    text: &str,
    hit: Range<usize>,
    which: usize,
    found: &mut Vec<Range<usize>>,
) -> usize {
    let (name, needs, places) = COMMANDS[which];
    let bytes = text.as_bytes();
    if hit.start > 0
        && (bytes[hit.start - 1].is_ascii_alphabetic() && name != "zip" && name != "authtoken")
    {
        return hit.end;
    }
    let stop = seam::floor(text, (hit.end + LINE).min(text.len()));
    let mut end = stop;
    let mut from = 0;
    // A backslash continues a line.
    while let Some(i) = text[hit.end + from..stop].find('\n') {
        let at = hit.end + from + i;
        if !text[..at].trim_end_matches([' ', '\r']).ends_with('\\') {
            end = at;
            break;
        }
        from += i + 1;
    }
    let line = &text[hit.end..end];
    took(4 * line.len());
    let cut = separator(line);
    let end = cut.map_or(end, |c| hit.end + c);
    let line = &text[hit.end..end];
    if !needs.is_empty() && !needs.iter().any(|n| line.contains(n)) {
        return end;
    }
    let mut words = Arguments {
        text,
        at: hit.end,
        end,
    };
    // The rest of the command's own word, and a quotation that ends with it.
    if !name.ends_with([' ', ':']) {
        let tail = line
            .find(|c: char| c.is_whitespace() || matches!(c, '\'' | '"'))
            .unwrap_or(line.len());
        words.at += tail;
        let quote = text[words.at..end].starts_with(['\'', '"']);
        words.at += usize::from(quote);
    }
    let words: Vec<Range<usize>> = words.take(64).collect();
    let is = |w: &Range<usize>, s: &str| &text[w.clone()] == s;
    let mut add = |range: Range<usize>| {
        let said = &text[range.clone()];
        let word = said.len() >= 3
            && !is_stand_in(said)
            && !said.starts_with(['-', '$'])
            && !is_said(said)
            && !is_path(said);
        if word && !is_expression(said) {
            found.push(range);
        }
    };
    for (i, w) in words.iter().enumerate() {
        let said = &text[w.clone()];
        for place in places {
            match place {
                After(option) if is(w, option) => {
                    if let Some(next) = words
                        .get(i + 1)
                        .filter(|n| name != "mysql" || n.len() > 6 && is_mixed(&text[(*n).clone()]))
                    {
                        add(next.clone());
                    }
                }
                In(option) => {
                    let rest = said
                        .strip_prefix(option)
                        .filter(|r| r.len() >= 4 && !r.starts_with(['=', '-']));
                    if let Some(rest) = rest.filter(|r| {
                        !r.bytes().all(|b| b.is_ascii_digit() || b == b':') && !r.starts_with("ort")
                    }) {
                        add(w.end - rest.len()..w.end);
                    }
                }
                Pair(option) => {
                    let next = if is(w, option) {
                        words.get(i + 1).cloned()
                    } else {
                        attached(said, option).map(|n| w.end - n..w.end)
                    };
                    if let Some(next) = next {
                        let pair = &text[next.clone()];
                        if let Some(at) = pair.find([':', '%']).filter(|_| !pair.contains('$')) {
                            add(next.start + at + 1..next.end);
                        }
                    }
                }
                Slash => {
                    let at = said.rfind('@').unwrap_or(0);
                    if let Some(i) = said[..at].find('/').filter(|i| *i > 0) {
                        let start = w.start + i + 1;
                        add(start..w.start + at);
                    }
                }
                Behind(option) if is(w, option) => {
                    let pair = words.get(i + 1).zip(words.get(i + 2));
                    if let Some((_, next)) = pair.filter(|(a, b)| &text[a.end..b.start] == ",") {
                        add(next.clone());
                    }
                }
                Cookies(option) if is(w, option) => {
                    if let Some(next) = words.get(i + 1).filter(|n| opens(&text[(*n).clone()])) {
                        add(next.clone());
                    }
                }
                Quoted if text[..w.start].ends_with(['"', '\'']) && i < 2 => add(w.clone()),
                Word(start) => {
                    if let Some(rest) = said.strip_prefix(start) {
                        add(w.end - rest.len()..w.end);
                    }
                }
                _ => {}
            }
        }
    }
    for place in places {
        if let (Equals, Some(at)) = (place, text[hit.end..end].rfind('=')) {
            let from = hit.end + at + 1;
            if let Some(word) = quoted_word(text, from, end, |_| true, |s| !s.is_empty()) {
                add(word);
            }
        }
        if let Nth(n) | Arg(n) = place {
            let plain: Vec<&Range<usize>> = words
                .iter()
                .filter(|w| !text[(*w).clone()].starts_with('-'))
                .collect();
            if let Some(w) = plain.get(n - 1).filter(|w| w.len() >= 4) {
                let said = &text[(*w).clone()];
                if matches!(place, Arg(_)) || w.len() >= 16 && is_random(said) {
                    add((*w).clone());
                }
            }
        }
    }
    end
}

fn attached(said: &str, option: &str) -> Option<usize> {
    let rest = said.strip_prefix(option)?;
    let rest = if option.starts_with("--") {
        rest.strip_prefix('=')?
    } else {
        rest
    };
    (rest.len() >= 3).then_some(rest.len())
}
