//! Names of things: whether their value is a secret.

use super::vocabulary::{AFTER, FINDS, OF_MODELS, OPENS, PASSES};

/// Literals, one of which every secret's name contains.
pub const LITERALS: &[&str] = &[
    "pass",
    "pwd",
    "passwort",
    "kennwort",
    "token",
    "secret",
    "key",
    "cred",
    "authorization",
    "auth",
    "session",
    "sessid",
    "cookie",
    "csrf",
    "xsrf",
    "signature",
    "sig=",
    "sig\"",
    "sig%3d",
    "_pat",
    "_otp",
    "_pin",
    "_salt",
    "_dsn",
    "_sas",
    "azure.sas",
    "jwt",
    "bearer",
    "hmac",
    "mnemonic",
    "seed_phrase",
    "connection_string",
    "senha",
    "contrase",
    "_pw",
    "pw=",
    "pw\"",
    "pw'",
    "webhook",
    "connect.sid",
    "code=",
    "appid=",
    "psid=",
    "pat=",
    "_psk",
    "psk=",
    "bindpw",
    ".login=",
    "tkn=",
    "pw:",
];

/// The kind of value that a name announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A person chose it: any value is possible.
    Password,
    /// A program generated it.
    Secret,
    /// A secret only if it looks like one.
    Perhaps,
    /// A header of cookies.
    Cookie,
    /// An authorisation header.
    Authorization,
}

/// A name in a text.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    pub sort: Sort,
    /// Its first and last byte in the text.
    pub start: usize,
    pub end: usize,
    /// Whether it has several words, or only capitals, as names of settings do.
    pub is_setting: bool,
}

const LONGEST: usize = 80;

fn belongs(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.')
}

/// The name around a byte range of a text; `None` if it names no secret.
pub fn around(text: &str, hit: std::ops::Range<usize>) -> Option<Name> {
    let bytes = text.as_bytes();
    let left = bytes[..hit.start]
        .iter()
        .rev()
        .take(LONGEST)
        .take_while(|b| belongs(**b))
        .count();
    let mut start = hit.start - left;
    // Skips an escape that ends in letters or digits: `\nTOKEN`, `%22token`, `\u0022token`.
    for at in start..=hit.start.min(start + 6) {
        let odd = start > 0 && matches!(bytes[start - 1], b'\\' | b'%' | b'[');
        if odd && at > start && super::formats::is_escape(&bytes[..at]) {
            start = at;
            break;
        }
    }
    // An option of one letter and its value: `-eTOKEN=`, `-DTOKEN=`.
    while start < hit.start && matches!(bytes[start], b'-' | b'.') {
        start += 1;
    }
    let from = hit.end.min(text.len());
    let right = bytes[from..]
        .iter()
        .take(LONGEST)
        .take_while(|b| belongs(**b) && **b != b'.')
        .count();
    // No name is this long; a name of many literals is not judged for each of them.
    if right == LONGEST {
        return None;
    }
    let mut end = from + right;
    // A literal that includes the sign after the name: the value follows directly.
    if let Some(sign) = ["=", "\"", "'", "%3d", "%3D", ":"]
        .iter()
        .find(|s| text[hit.clone()].ends_with(**s))
    {
        end = hit.end - sign.len();
    }
    while end > hit.start && matches!(bytes[end - 1], b'-' | b'.') {
        end -= 1;
    }
    let own = end;
    // Hadoop's names continue with the account's: `fs.azure.account.key.<account>.dfs.core.windows.net`.
    if bytes.get(end) == Some(&b'.') && text[start..end].contains("fs.") {
        let more = bytes[end..]
            .iter()
            .take(LONGEST)
            .take_while(|b| belongs(**b));
        end += more.count();
    }
    // A name that has a value is followed by a separator.
    let then = bytes.get(end).copied().unwrap_or(b'\n');
    if then.is_ascii_alphabetic() || b"/@#~{^.;?!".contains(&then) {
        return None;
    }
    // Only the last name that contains the hit: `a.b.token`.
    let name = text.get(start..own)?;
    let (sort, n) = sort(name, before(text, start))?;
    let capitals = name.bytes().all(|b| !b.is_ascii_lowercase());
    Some(Name {
        sort,
        start,
        end,
        is_setting: n > 1 || capitals,
    })
}

/// Whether a file with this name holds a secret.
pub fn is_of_secret(stem: &str) -> bool {
    let opens = |s: Sort| matches!(s, Sort::Password | Sort::Secret | Sort::Authorization);
    // A single word is enough, unlike in a text, except for words that are a model's input.
    sort(stem, "").is_some_and(|(s, _)| opens(s))
        && !matches!(stem, "tokens" | "keys" | "pass" | "secrets")
}

/// The word before a name, if only a blank separates them.
fn before(text: &str, start: usize) -> &str {
    let rest = &text[..start];
    let Some(rest) = rest.strip_suffix(' ') else {
        return "";
    };
    if rest.ends_with(']') && rest[rest.len().saturating_sub(40)..].contains("[redacted-") {
        return "redacted";
    }
    let n = rest
        .bytes()
        .rev()
        .take(16)
        .take_while(u8::is_ascii_alphabetic)
        .count();
    &rest[rest.len() - n..]
}

/// The words of a name, in lower case; the same for `ACME_API_KEY`, `apiKey` and `api-key`.
fn words(name: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut last = ' ';
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        let lower_next = chars.peek().is_some_and(char::is_ascii_lowercase);
        let starts = c.is_ascii_uppercase()
            && (last.is_ascii_lowercase() || last.is_ascii_uppercase() && lower_next);
        if !c.is_ascii_alphabetic() {
            last = ' ';
            continue;
        }
        if last == ' ' || starts {
            out.push(String::new());
        }
        if let Some(word) = out.last_mut() {
            word.push(c.to_ascii_lowercase());
        }
        last = c;
    }
    out
}

fn is(word: &str, of: &[&str]) -> bool {
    of.contains(&word)
}

/// The sort of a name, and how many words it has.
fn sort(name: &str, before: &str) -> Option<(Sort, usize)> {
    let mut words = words(name);
    while words.len() > 1 && words.last().is_some_and(|w| is(w, AFTER)) {
        words.pop();
    }
    if words.ends_with(&["key".to_owned(), "data".to_owned()]) {
        words.pop();
    }
    let n = words.len();
    let last = words.last()?.as_str();
    let prev = match n {
        1 => before.to_ascii_lowercase(),
        _ => words[n - 2].clone(),
    };
    let prev = prev.as_str();
    if prev == "ask" {
        return None;
    }
    let sort = match last {
        "password" | "passwd" | "passphrase" | "pswd" | "passcode" | "passwort" | "kennwort"
        | "senha" | "contrasena" | "contrase" | "userpass" | "rootpw" | "passwords" | "psk"
        | "mnemonic" | "bindpw" | "dbpw" => Sort::Password,
        "login" if name.contains(".login") => Sort::Perhaps,
        "tkn" => Sort::Secret,
        "phrase" if is(prev, &["pass", "seed", "recovery"]) => Sort::Password,
        "passe" if prev == "de" => Sort::Password,
        "word" if prev == "pass" => Sort::Password,
        "pwd" => Sort::Password,
        "pass" | "pw"
            if (n > 1 || name == "PASS" || name == "pass" || name == "pw") && !is(prev, PASSES) =>
        {
            Sort::Password
        }
        "pin" | "otp" if n > 1 || name == "PIN" => Sort::Perhaps,
        // A setting may have such a name too: `INPUT_TOKEN`.
        "token" | "tokens" if is(prev, OF_MODELS) && before.is_empty() => {
            if name.bytes().any(|b| b.is_ascii_lowercase()) {
                return None;
            }
            Sort::Perhaps
        }
        "token" | "tokens" | "secret" | "secrets" | "jwt" | "xsrf" | "csrf" | "csrftoken"
        | "pat" | "bearer" | "mfa" => {
            if last == "pat" && n < 2 {
                return None;
            }
            Sort::Secret
        }
        "credential" | "credentials" | "creds" | "cred" => Sort::Secret,
        "key" | "keys" if is(prev, OPENS) => Sort::Secret,
        "key" | "keys" if is(prev, FINDS) => return None,
        "key" | "keys" => Sort::Perhaps,
        "id" if is(prev, &["secret", "token", "key", "session"]) => match prev {
            "session" => Sort::Perhaps,
            _ => Sort::Secret,
        },
        "authorization" => Sort::Authorization,
        "cookie" | "cookies" => Sort::Cookie,
        "auth" | "session" | "sessionid" | "jsessionid" | "phpsessid" | "sessid" | "sid"
        | "signature" | "sig" | "appid" | "psid" | "hmac" | "code" | "dsn" | "sas" | "salt"
        | "pepper" | "webhook" => Sort::Perhaps,
        "string" if prev == "connection" => Sort::Secret,
        _ => {
            let ends = |of: &[&str]| of.iter().any(|e| last.ends_with(e));
            let whole = [
                "requirepass",
                "masterauth",
                "sshpass",
                "dbpass",
                "keypass",
                "storepass",
                "smtppass",
                "ftppass",
            ];
            if ends(&["password", "passwd", "passphrase"]) || is(last, &whole) {
                Sort::Password
            } else if ends(&[
                "apikey",
                "secretkey",
                "accesskey",
                "authkey",
                "privatekey",
                "apitoken",
                "authtoken",
                "accesstoken",
                "secret",
                "signingkey",
                "accountkey",
                "licensekey",
                "encryptionkey",
                "clientkey",
                "masterkey",
                "appkey",
                "sessiontoken",
                "sharedkey",
                "sastoken",
            ]) || ends(&["token"]) && last.len() <= 14
            {
                Sort::Secret
            } else {
                return None;
            }
        }
    };
    // `API key` in a sentence has two words.
    let n = n + usize::from(n == 1 && is(prev, OPENS));
    Some((sort, n))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sort_of(name: &str) -> Option<Sort> {
        sort(name, "").map(|s| s.0)
    }

    #[test]
    fn names_say_what_they_name() {
        for name in [
            "password",
            "DB_PASS",
            "smtpPass",
            "ADMIN_PWD",
            "db_password_value",
            "mysql-password",
        ] {
            assert_eq!(sort_of(name), Some(Sort::Password), "{name}");
        }
        for name in [
            "API_TOKEN",
            "apiKey",
            "secret-key",
            "GITLAB_PAT",
            "SharedAccessKey",
            "aws_secret_access_key",
            "openai_apikey",
            "session_key",
            "private_key_id",
        ] {
            assert_eq!(sort_of(name), Some(Sort::Secret), "{name}");
        }
        for name in [
            "max_tokens",
            "pad_token",
            "tokenizer",
            "token_type_ids",
            "primary_key",
            "password_file",
            "token_limit",
            "compass",
            "forward_pass",
            "keyboard",
            "author",
            "monkey",
            "secret_name",
            "pat",
        ] {
            assert_eq!(sort_of(name), None, "{name}");
        }
        assert_eq!(sort_of("session_id"), Some(Sort::Perhaps));
    }

    #[test]
    fn a_name_ends_where_it_does() {
        let text = "x %22api_key%22%3A a \\nACME_TOKEN= x";
        let at = |w: &str| text.find(w).map(|i| i..i + w.len()).expect("it");
        let name = around(text, at("key")).expect("a name");
        assert_eq!(&text[name.start..name.end], "api_key");
        let name = around(text, at("TOKEN")).expect("a name");
        assert_eq!(&text[name.start..name.end], "ACME_TOKEN");
    }
}
