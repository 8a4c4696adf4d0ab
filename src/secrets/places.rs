//! Secrets in typical places: in addresses, after a word, in a pipe.

use super::arguments::{quoted_word, Arguments};
use super::seam;
use super::value::{
    entropy, is_masked, is_mixed, is_object_key, is_path, is_random, is_stand_in, is_uuid, is_words,
};
use std::ops::Range;

/// The user part of an address, from `://` on: `user:password`, or a token alone.
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
    let stop = seam::floor(text, (from + 400).min(text.len()));
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
            // A password with a slash, unless a port follows the colon.
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

/// `user:password`, as in documentation.
fn is_pair_of_words(name: &str, password: &str) -> bool {
    let of = |s: &str, all: &[&str]| all.iter().any(|a| s.eq_ignore_ascii_case(a));
    // The default credentials of a server on this machine.
    let same = name == password && name.len() <= 12 && name.bytes().all(|b| b.is_ascii_lowercase());
    same || of(name, &["user", "username", "login", "usr", "name"])
        && of(password, &["password", "pass", "passwd", "pwd", "pw"])
}

/// The token after an authorisation scheme: `Bearer …`.
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

/// The text piped into a command that reads a password: `echo X | sudo -S`.
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

/// The second of two strings of a call: `auth=('user', 'password')`.
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
    // `login("token")`: a single string.
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

/// The password of `IDENTIFIED BY '…'`.
pub fn identified(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    // Only a plugin's name, followed by `AS` or `BY`, may precede it.
    let lead = |lead: &str| {
        let lead = lead.trim_end_matches('\\').trim();
        let plugin = ["by", "as", "BY", "AS"].iter().any(|w| lead.ends_with(w));
        lead.is_empty() || plugin && lead.split_whitespace().count() == 2
    };
    let secret = |said: &str| said.len() >= 4 && !is_stand_in(said) && !said.contains('\n');
    quoted_word(text, hit.end, hit.end + 120, lead, secret)
}

/// The token in the address of a channel or a webhook: `https://host/t/<token>/channel`.
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
    // `ab-` and a UUID, or a few words.
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

/// The keys in a call that signs, encrypts or opens a service: its random strings.
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
