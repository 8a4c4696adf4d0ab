//! Values that a program shows or receives: the line below `pass show`, what `expect` types.

use super::seam::{line_end, line_start};
use super::value::{entropy, is_masked, is_mixed, is_object_key, is_path, is_stand_in, is_words};
use std::ops::Range;

/// Announcements of a secret, in lower case: commands that print it on the next line, and marks before a value.
pub const SHOWS: &[&str] = &[
    "pass show ",
    "find-generic-password",
    "find-internet-password",
    "op read ",
    "lpass show",
    "bw get password",
    "secret-tool lookup",
    "keyring get ",
    "vault kv get -field",
    "vault read -field",
    "gh auth token",
    "print-access-token",
    "print-identity-token",
    "get-login-password",
    "get-access-token",
    "heroku auth:token",
    "fly auth token",
    "oc whoami -t",
    "az account get-access",
    "doppler secrets get",
    "base64 -d",
    "base64 --decode",
    "secrets versions access",
    "get-secret-value",
    "issecret=true]",
    "::add-mask::",
    "unexpected extra argument (",
    "unrecognized arguments: ",
];

/// Longest word that can be a secret, in bytes.
const JUDGED: usize = 320;
const LONGEST: usize = 4096;

/// The word that a program shows.
pub fn shown(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let literal = &text[hit.clone()];
    let marks = literal.ends_with(['(', ':', ']']) || literal.ends_with(": ");
    let from = if marks {
        hit.end
    } else {
        line_end(text, hit.end, 300) + 1
    };
    if from >= text.len() || !text.is_char_boundary(from) || !marks && !text[..from].ends_with('\n')
    {
        return None;
    }
    let end = line_end(text, from, JUDGED);
    let said = text[from..end].trim_end();
    let least = if literal.contains("rgument") { 20 } else { 8 };
    let call = literal.ends_with('(');
    // A line of its own, without the parts of a prompt or a sentence.
    let n = if call { said.find(')')? } else { said.len() };
    let said = &said[..n];
    let odd = [' ', '(', ')', '{', '<', '"', '[', '$'];
    let word = said.len() >= least && !said.contains(odd);
    let odd = is_mixed(said) && entropy(said) > 2.5 && !is_words(said);
    let other = is_stand_in(said)
        || is_masked(said)
        || is_path(said)
        || is_object_key(said)
        || said.starts_with(['-', '/', '#', '%'])
        || said.contains("://")
        || said.ends_with(':');
    (word && odd && !other).then_some(())?;
    if call || n < JUDGED {
        return Some(from..from + n);
    }
    // A longer word: its rest must have the same form.
    let all = text[from..line_end(text, from, LONGEST)].trim_end();
    let odd = [' ', '(', ')', '{', '<', '"', '[', '$'];
    (!all.contains(odd)).then_some(from..from + all.len())
}

/// How a script types an answer, in lower case.
pub const SENDS: &[&str] = &[
    "send \"",
    "send -- \"",
    "sendline(",
    "send_keys(",
    "auth plain ",
    "auth login ",
];

/// The reply to a program that asks for a password.
pub fn sent(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let end = line_end(text, hit.end, 300);
    let line = &text[hit.end..end];
    if text[hit.clone()].starts_with("AUTH") {
        let coded = |b: &u8| b.is_ascii_alphanumeric() || b"+/=".contains(b);
        let n = line.bytes().take_while(coded).count();
        let ends = !line[n..].starts_with(|c: char| c.is_alphanumeric() || c == ' ');
        return (n >= 8 && ends).then_some(hit.end..hit.end + n);
    }
    let start = line_start(text, hit.start, 200);
    let above = line_start(text, start.saturating_sub(1), 200);
    let asked = text[above..hit.start].to_ascii_lowercase();
    ["assword", "passphrase", "passwd", "token", "pin"]
        .iter()
        .any(|w| asked.contains(w))
        .then_some(())?;
    let quote = line.starts_with(['"', '\'']);
    let from = hit.end + usize::from(quote);
    (quote || text[hit.clone()].ends_with('"')).then_some(())?;
    let rest = &text[from..end];
    let n = rest.find(['"', '\''])?;
    let said = rest[..n].trim_end_matches("\\n").trim_end_matches("\\r");
    let solid = said.len() >= 4 && !is_stand_in(said) && !said.starts_with(['$', '\\']);
    solid.then_some(from..from + said.len())
}
