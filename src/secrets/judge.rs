//! Decides whether a value after a name is a secret.

use super::names::{Name, Sort};
use super::value::{
    ends_with_checksum, entropy, is_cmdlet, is_expression, is_masked, is_mixed, is_name,
    is_object_key, is_path, is_random, is_regex, is_said, is_stand_in, is_unpronounceable, is_uuid,
    is_words,
};

/// The separator between a name and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    /// `=`, `:` and the like.
    Sign(char),
    /// A comma: the next argument, or the other half of a pair.
    Comma,
    /// A blank where one is usual: an option, a magic, a command.
    Option,
    /// A call: `set_token("…")`.
    Call,
    /// Words or a border: the value must be certain to be a secret.
    Loose,
    /// Between an element's tags.
    Element,
}

/// Whether a value after a name is a secret.
pub fn is_secret(text: &str, said: &str, name: &Name, link: Link, quoted: bool) -> bool {
    let n = said.chars().count();
    if n < 4 || is_stand_in(said) || said.contains("[redacted-") {
        return false;
    }
    let own = &text[name.start..name.end];
    if said.eq_ignore_ascii_case(own) || said.starts_with("-----BEGIN") {
        return false;
    }
    if !quoted
        && (is_expression(said)
            || said.starts_with(['$', '<', '{', '[', '(', '/', '@']) && !is_random(said))
    {
        return false;
    }
    if said.starts_with("arn:") || name.sort == Sort::Perhaps && ends_with_checksum(said) {
        return false;
    }
    if name.sort != Sort::Password && is_generated_name(said) {
        return false;
    }
    if !quoted && is_cmdlet(said) || is_regex(said) || is_object_key(said) {
        return false;
    }
    if link == Link::Sign(':') && in_resource_name(&text[..name.start]) {
        return false;
    }
    if is_path(said) || said.contains("://") {
        return false;
    }
    // A name in a sentence, followed by another setting.
    if link == Link::Loose && !quoted && said.trim_end_matches('=').contains('=') {
        return false;
    }
    if !quoted && said.ends_with(['[', '(']) {
        return false;
    }
    // A comment on a password contains words that a random passphrase doesn't.
    if is_sentence(said) && said.split(' ').any(is_said) {
        return false;
    }
    let letters = said
        .chars()
        .all(|c| c.is_alphabetic() || matches!(c, '_' | '-' | '.'));
    let certain = n >= 12 && is_random(said) && !is_words(said) && !is_numbered(said);
    match (name.sort, link) {
        (Sort::Cookie, Link::Sign(_)) => opens(said) || certain && !said.contains('='),
        (Sort::Cookie, _) => false,
        (Sort::Authorization, Link::Sign(_) | Link::Comma) => {
            certain || n >= 16 && entropy(said) > 3.5 && !said.contains(' ') && !is_words(said)
        }
        (Sort::Password, Link::Loose | Link::Sign(':'))
            if letters && !quoted && !name.is_setting =>
        {
            let bare = said.bytes().all(|b| b.is_ascii_alphabetic());
            let ends = link != Link::Loose || !text[name.end..].starts_with(": ");
            bare && ends && !is_said(said) && (n >= 12 || n >= 8 && is_unpronounceable(said))
        }
        (Sort::Password, Link::Loose | Link::Call) => {
            let solid = !said.contains(' ') && n >= 6;
            let odd = is_mixed(said) || said.contains(['!', '@', '#', '$', '&', '*']);
            solid && odd && !is_name(said) && !is_uuid(said) && !is_numbered(said)
        }
        (_, Link::Loose | Link::Call) => {
            n >= 16
                && certain
                && !said.contains(' ')
                && !(is_uuid(said) && name.sort == Sort::Perhaps)
        }
        (Sort::Password, Link::Sign(sign)) if !quoted => {
            if n < 5 || is_said(said) {
                return false;
            }
            if !letters {
                return !is_name(said) || name.is_setting;
            }
            // Tells a variable's name from a password of letters.
            let call = text[..name.start].ends_with(['(', ' '])
                && text[..name.start].trim_end().ends_with(['(', ',']);
            let own_line = name.is_setting || sign == '=' && !is_name(said);
            !is_name(said) && own_line && !call
        }
        (Sort::Password, Link::Option) => {
            !is_said(said) && !is_name(said) && n >= 5 && !said.starts_with('-')
        }
        (Sort::Password, _) => {
            let variable = is_name(said) && said.contains(['.', '_']) && link == Link::Comma;
            !is_said(said) && !variable
        }
        (Sort::Perhaps, Link::Option) if !name.is_setting => {
            let long = text[..name.start].ends_with("--") && n >= 20;
            long && certain && !is_uuid(said) && said.bytes().any(|b| b.is_ascii_uppercase())
        }
        (Sort::Perhaps, _) => {
            let hash = said.bytes().all(|b| b.is_ascii_hexdigit())
                && !quoted
                && !name.is_setting
                && link != Link::Sign('=');
            let uuid = is_uuid(said) && !(own == "key" && is_below_address(&text[..name.start]));
            n >= 16 && certain && !uuid && !hash && !said.contains(' ') && !is_name(said)
        }
        _ => {
            if said.starts_with('-') && link == Link::Option {
                return false;
            }
            if is_mixed(said) {
                let spread = entropy(said) >= if n < 12 { 2.5 } else { 2.9 };
                let variable = is_name(said) && !quoted;
                let words = variable || is_numbered(said) || is_sentence(said);
                return n >= if quoted { 8 } else { 10 } && spread && !words;
            }
            // Letters alone count only in places where nobody would write words.
            let cased =
                said.chars().any(char::is_uppercase) && said.chars().any(char::is_lowercase);
            let solid = !said.contains([' ', '_', '.', '/', ':', '('])
                && !is_class(said)
                && !is_words(said)
                && said.bytes().any(|b| b.is_ascii_alphabetic());
            solid
                && n >= 16
                && (cased && entropy(said) > 3.3 || n >= 20 && quoted)
                && !is_said(said)
        }
    }
}

/// Whether one of a header's cookies grants access; a setting is a word or a number.
pub fn opens(cookies: &str) -> bool {
    let values = cookies.split([';', '&']).filter_map(|c| c.split_once('='));
    let opens = |v: &str| {
        let n = v.len();
        let words = v
            .bytes()
            .all(|b| b.is_ascii_alphabetic() || b == b'-' || b == b'_');
        n >= 6 && is_mixed(v) && !is_numbered(v)
            || n >= 16 && !(words && is_words(v)) && is_mixed(v)
            || n >= 20
    };
    values
        .filter(|(k, _)| {
            let k = k.trim();
            !["expires", "path", "domain", "max-age", "samesite"]
                .iter()
                .any(|a| k.eq_ignore_ascii_case(a))
        })
        .any(|(_, v)| opens(v.trim()))
}

/// Whether a name is part of a cloud resource's name: `arn:aws:secretsmanager:…:secret:`.
fn in_resource_name(before: &str) -> bool {
    let n = before.bytes().rev().take(160);
    let n = n.take_while(|b| b.is_ascii_alphanumeric() || b":-_/".contains(b));
    before[before.len() - n.count()..].starts_with("arn:")
}

/// Whether the line above a name gives its address.
fn is_below_address(before: &str) -> bool {
    let from = super::seam::line_start(before, before.len(), 40);
    let above = super::seam::line_start(before, from.saturating_sub(1), 200);
    let mut lines = before[above..].rsplit('\n');
    let own = lines.next().unwrap_or("");
    own.trim().is_empty()
        && lines
            .next()
            .is_some_and(|l| l.trim_start().starts_with("url"))
}

/// Whether a string that continues a secret is part of it.
pub fn is_half(said: &str) -> bool {
    said.len() >= 4 && is_mixed(said) && !is_stand_in(said) && !is_path(said) && !said.contains(' ')
}

/// The name of a class: `DefaultAzureCredential`. Each word begins with a capital and is pronounceable.
fn is_class(s: &str) -> bool {
    let capital = |c: char| c.is_ascii_uppercase();
    let starts: Vec<usize> = s.match_indices(capital).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([s.len()]);
    let word = |(from, to): (&usize, usize)| {
        let word = &s.as_bytes()[*from..to];
        let vowel = word.iter().any(|b| b"aeiouyAEIOUY".contains(b));
        word.len() >= 3 && vowel && word[1..].iter().all(u8::is_ascii_lowercase)
    };
    starts.len() >= 2 && starts[0] == 0 && starts.iter().zip(ends).all(word)
}

/// A sentence: several words of letters.
fn is_sentence(s: &str) -> bool {
    let words: Vec<&str> = s.split(' ').collect();
    let plain = words
        .iter()
        .filter(|w| w.chars().all(char::is_alphabetic))
        .count();
    words.len() >= 3 && plain * 2 > words.len()
}

/// A name that Kubernetes generates: words and five characters without vowels, `default-token-x7k2p`.
fn is_generated_name(s: &str) -> bool {
    let Some((words, end)) = s.rsplit_once('-') else {
        return false;
    };
    let word = |w: &str| w.len() >= 2 && w.len() <= 16 && w.bytes().all(|b| b.is_ascii_lowercase());
    let made = |b: u8| b"bcdfghjklmnpqrstvwxz2456789".contains(&b);
    end.len() == 5 && end.bytes().all(made) && words.contains('-') && words.split('-').all(word)
}

/// Words and a number: `resnet-50`, `step_1000`, `v1.2.3`, `gpt-4o-mini`.
fn is_numbered(s: &str) -> bool {
    let parts = || s.split(['-', '_', '.', '/', ':']).filter(|p| !p.is_empty());
    let plain = |p: &str| {
        let letters = p.bytes().filter(u8::is_ascii_alphabetic).count();
        let digits = p.bytes().filter(u8::is_ascii_digit).count();
        p.len() == letters + digits
            && (letters == 0 && digits <= 4
                || digits == 0
                    && letters <= 12
                    && p.bytes().skip(1).all(|b| b.is_ascii_lowercase())
                || letters + digits <= 4)
    };
    parts().count() >= 2 && parts().all(plain) && !is_masked(s) && s.len() < 40
}
