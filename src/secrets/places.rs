//! Secrets with a place of their own: addresses, and the options of commands.

use super::judge::opens;
use super::seam;
use super::value::{
    entropy, is_expression, is_masked, is_mixed, is_object_key, is_path, is_random, is_said,
    is_stand_in, is_uuid, is_words,
};
use std::ops::Range;

/// A command's line, or the part of it that is read.
const LINE: usize = 1024;

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The user's part of an address, from its `://` on: `user:password`, or a token alone.
pub fn url(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let encoded = bytes[hit.start] == b'%';
    let scheme = bytes[..hit.start]
        .iter()
        .rev()
        .take(24)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'.' | b'-'))
        .count();
    if scheme == 0 {
        return None;
    }
    let from = hit.end;
    let stop = floor(text, (from + 400).min(text.len()));
    let rest = &text[from..stop];
    if encoded {
        let end = rest
            .find(|c: char| c.is_whitespace() || "\"'<>".contains(c))
            .unwrap_or(rest.len());
        let lower = rest[..end].to_ascii_lowercase();
        let at = lower.find("%40")?;
        let host = lower.find("%2f").unwrap_or(end);
        return (at < host && lower[..at].contains("%3a")).then_some(from..from + at);
    }
    let end = rest
        .find(|c: char| {
            c.is_whitespace()
                || matches!(c, '"' | '\'' | '<' | '>' | '`' | '│' | '{' | '$') && c != '$'
        })
        .unwrap_or(rest.len());
    let whole = &rest[..end];
    if !whole.contains('@') {
        return None;
    }
    let authority = whole.find(['/', '?', '#']).unwrap_or(whole.len());
    let user = match whole[..authority].rfind('@') {
        Some(at) => &whole[..at],
        None => {
            // A password with a slash, unless what follows the colon is a port.
            let colon = whole[..authority].find(':')?;
            let then = &whole[colon + 1..authority];
            if then.bytes().all(|b| b.is_ascii_digit()) || !whole[..authority].is_ascii() {
                return None;
            }
            let at = whole.rfind('@')?;
            let host = &whole[at + 1..];
            let named = host.starts_with(|c: char| c.is_ascii_alphanumeric());
            if !named || whole[..at].contains(['?', '=']) && !host.contains([':', '/']) {
                return None;
            }
            &whole[..at]
        }
    };
    if whole
        .as_bytes()
        .get(user.len() + 1)
        .is_none_or(|b| !b.is_ascii_alphanumeric() && !matches!(b, b'[' | b'%' | b'$'))
    {
        return None;
    }
    let secret = match user.split_once(':') {
        Some((name, password)) => {
            !password.is_empty() && !is_stand_in(password) && !is_pair_of_words(name, password)
        }
        None => user.len() >= 16 && is_random(user),
    };
    (secret && !user.contains("[redacted-")).then_some(from..from + user.len())
}

/// `user:password`, as documentation has it.
fn is_pair_of_words(name: &str, password: &str) -> bool {
    let of = |s: &str, all: &[&str]| all.iter().any(|a| s.eq_ignore_ascii_case(a));
    // What a server on this machine is set up with.
    let same = name == password && name.len() <= 12 && name.bytes().all(|b| b.is_ascii_lowercase());
    same || of(name, &["user", "username", "login", "usr", "name"])
        && of(password, &["password", "pass", "passwd", "pwd", "pw"])
}

/// What follows a scheme of authorisation: `Bearer …`.
pub fn bearer(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let before = text[..hit.start].chars().next_back();
    if before.is_some_and(char::is_alphanumeric)
        && !super::formats::is_escape(&text.as_bytes()[..hit.start])
    {
        return None;
    }
    let belongs = |b: &&u8| {
        b.is_ascii_alphanumeric()
            || matches!(b, b'.' | b'_' | b'~' | b'+' | b'/' | b'=' | b'-' | b'%')
    };
    let blanks = text[hit.end..].len()
        - text[hit.end..]
            .trim_start_matches([' ', '\'', '"', '\u{a0}'])
            .len();
    let from = hit.end + blanks.min(4);
    let bytes = text.as_bytes().get(from..)?;
    let first = bytes.iter().take(512).take_while(belongs).count();
    let said = text.get(from..from + first)?;
    let certain =
        first >= 12 && is_mixed(said) && !is_masked(said) && !is_words(said) && entropy(said) > 2.8;
    if !certain || is_stand_in(said) {
        return None;
    }
    let all = bytes.iter().take_while(belongs).count();
    Some(from..from + all)
}

/// The arguments of a command from a byte on, as its line or a list of strings has them.
struct Arguments<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

impl Iterator for Arguments<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = &self.text[self.at..self.end];
        let skip =
            rest.find(|c: char| !c.is_whitespace() && !matches!(c, ',' | '[' | ']' | '(' | ')'))?;
        let from = self.at + skip;
        let rest = &self.text[from..self.end];
        let slashes = rest.bytes().take_while(|b| *b == b'\\').count();
        let mark = rest[slashes..].chars().next()?;
        if matches!(mark, '"' | '\'') {
            let from = from + slashes + 1;
            let rest = &self.text[from..self.end];
            let n = rest.find(mark).unwrap_or(rest.len());
            let inner = rest[..n].trim_end_matches('\\');
            self.at = (from + n + 1).min(self.end);
            return Some(from..from + inner.len());
        }
        let n = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | ','))
            .unwrap_or(rest.len());
        self.at = from + n.max(mark.len_utf8());
        Some(from..from + n)
    }
}

/// Where a command has its secret.
#[derive(Clone, Copy)]
enum Where {
    /// After this option.
    After(&'static str),
    /// In the same word as this option.
    In(&'static str),
    /// After this option, behind a colon or per cent sign.
    Pair(&'static str),
    /// A word that begins so.
    Word(&'static str),
    /// The argument of this number, if it looks like a token.
    Nth(usize),
    /// The argument of this number.
    Arg(usize),
    /// What a comma parts from the user's name, which follows this option.
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

/// Commands, what their line must contain besides, and where they have a secret.
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

/// The commands' names, for the search.
pub fn commands() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|c| c.0)
}

/// Where the next command of a line begins, outside of quotations.
fn separator(line: &str) -> Option<usize> {
    let mut quote = 0;
    for (i, b) in line.bytes().enumerate() {
        match b {
            b'\'' | b'"' if quote == 0 => quote = b,
            _ if quote == b => quote = 0,
            b' ' | b';' if quote == 0 || !line[i..].bytes().any(|c| c == quote) => {
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

/// The secrets in the line of a command, and where the line ends; `which` is its place among [`commands`].
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
    let stop = floor(text, (hit.end + LINE).min(text.len()));
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

/// What is piped into a command that reads a password: `echo X | sudo -S`.
pub fn piped(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let from = seam::line_start(text, hit.start, 300);
    let before = &text[from..hit.start];
    let echo = ["echo ", "printf ", "<<< "]
        .iter()
        .filter_map(|e| Some(before.rfind(e)? + e.len()))
        .max()?;
    let bar = before[echo..].find('|')?;
    let mut words = Arguments {
        text,
        at: from + echo,
        end: from + echo + bar,
    };
    let word = words.find(|w| !text[w.clone()].starts_with('-') && &text[w.clone()] != "%s")?;
    let said = &text[word.clone()];
    let word = match said.split_once(':') {
        Some((_, p)) if text[hit.clone()].eq_ignore_ascii_case("chpasswd") => {
            word.end - p.len()..word.end
        }
        _ => word,
    };
    let said = &text[word.clone()];
    (said.len() >= 4 && !is_stand_in(said) && !said.starts_with('$')).then_some(word)
}

/// The second of two strings in a call: `auth=('user', 'password')`.
pub fn second(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let end = seam::line_end(text, hit.end, 300);
    let first = text[hit.end..end].trim_start().trim_start_matches('(');
    if !first.starts_with(['"', '\'', '\\']) {
        return None;
    }
    let mut words = Arguments {
        text,
        at: hit.end,
        end,
    };
    let user = words.next()?;
    // `login("token")`: one string alone.
    let alone = text[user.end..]
        .trim_start_matches(['\\', '"', '\''])
        .starts_with(')');
    if alone && text[..hit.end].ends_with('(') {
        return (user.len() >= 20 && is_random(&text[user.clone()])).then_some(user);
    }
    let mut user = user;
    let mut next = words.next()?;
    // A service, a user and a password.
    if text[..hit.end].ends_with("set_password(") {
        if let Some(third) = words
            .next()
            .filter(|t| text[next.end..t.start].contains(','))
        {
            (user, next) = (next, third);
        }
    }
    let between = &text[user.end..next.start];
    let said = &text[next.clone()];
    let pair = between.contains(',')
        && !between.contains(['=', ':', ')'])
        && between.contains(['"', '\''])
        && between.trim_end_matches('\\').ends_with(['"', '\'']);
    (pair && said.len() >= 4 && !is_stand_in(said)).then_some(next)
}

/// The first quoted word from a byte on, where what stands before it allows that.
fn quoted_word(
    text: &str,
    from: usize,
    end: usize,
    may_lead: impl Fn(&str) -> bool,
    is_secret: impl Fn(&str) -> bool,
) -> Option<Range<usize>> {
    let end = floor(text, end.min(text.len()));
    let open = text[from..end].find(['\'', '"'])?;
    may_lead(&text[from..from + open]).then_some(())?;
    let at = from + open;
    let word = Arguments { text, at, end }.next()?;
    is_secret(&text[word.clone()]).then_some(word)
}

/// The password of `IDENTIFIED BY '…'`.
pub fn identified(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    // Only a plugin's name, and `AS` or `BY` after it, may stand between.
    let lead = |lead: &str| {
        let lead = lead.trim_end_matches('\\').trim();
        let plugin = ["by", "as", "BY", "AS"].iter().any(|w| lead.ends_with(w));
        lead.is_empty() || plugin && lead.split_whitespace().count() == 2
    };
    let secret = |said: &str| said.len() >= 4 && !is_stand_in(said) && !said.contains('\n');
    quoted_word(text, hit.end, hit.end + 120, lead, secret)
}

/// The token of a channel's or a hook's address: `https://host/t/<token>/channel`.
pub fn channel(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let mut low = hit.start.saturating_sub(80);
    while !text.is_char_boundary(low) {
        low += 1;
    }
    let host = text[low..hit.start].rsplit(char::is_whitespace).next()?;
    let n = text.as_bytes()[hit.end..]
        .iter()
        .take(120)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
        .count();
    let said = &text[hit.end..hit.end + n];
    // `ab-` and a UUID, or few words.
    let uuid = said
        .split_once('-')
        .is_some_and(|(a, rest)| a.len() == 2 && is_uuid(rest));
    let words = said.split(['-', '_']).count() > 3 && !uuid;
    let hook = text[hit.clone()].contains("hooks")
        && (24..=40).contains(&n)
        && said.bytes().all(|b| b.is_ascii_alphanumeric())
        && entropy(said) > 3.2;
    let chance = n >= 16 && is_random(said) && !is_words(said) && !words;
    (host.contains("://") && (hook || chance)).then_some(hit.end..hit.end + n)
}

/// The keys of a call that signs, encrypts or opens a service: its strings of chance.
pub fn keyed(text: &str, hit: Range<usize>, found: &mut Vec<Range<usize>>) {
    let end = seam::line_end(text, hit.end, 240);
    let end = hit.end + text[hit.end..end].find(')').unwrap_or(end - hit.end);
    let call = Arguments {
        text,
        at: hit.end,
        end,
    };
    found.extend(call.take(8).filter(|word| {
        let said = &text[word.clone()];
        let quoted = text[..word.start].ends_with(['"', '\'']);
        quoted
            && said.len() >= 16
            && is_random(said)
            && !is_words(said)
            && !is_uuid(said)
            && !is_object_key(said)
            && !said.contains([' ', ':'])
            && !is_path(said)
    }));
}

/// A user and a password before a host, without a scheme: `ada:secret@db`.
pub fn login(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let belongs = |b: &&u8| b.is_ascii_graphic() && !b"/\"'`<>(){}[]@,;=".contains(b);
    let n = bytes[..hit.start]
        .iter()
        .rev()
        .take(80)
        .take_while(belongs)
        .count();
    let from = hit.start - n;
    let (user, password) = text[from..hit.start].split_once(':')?;
    let named = user.starts_with(|c: char| c.is_ascii_lowercase())
        && user
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
    let host = text[hit.end..].starts_with(|c: char| c.is_ascii_lowercase())
        && !text[hit.end..].starts_with("sha256");
    let before = text[..from].chars().next_back();
    let starts = before.is_none_or(|c| c.is_whitespace() || matches!(c, '"' | '\'' | '(' | '='));
    let odd = password.len() >= 8
        && is_mixed(password)
        && entropy(password) > 2.7
        && !password.contains(['.', ':'])
        && password
            .bytes()
            .any(|b| b.is_ascii_uppercase() || b"!#$%&*".contains(&b));
    (named && host && starts && odd && !is_stand_in(password)).then_some(from..hit.start)
}
