//! The appearance of a value: a secret, or its placeholder.

use nbmedic_text::steps::took;

/// Contains both letters and digits, so it is neither a word nor a number.
pub fn is_mixed(s: &str) -> bool {
    took(s.len());
    s.bytes().any(|b| b.is_ascii_digit()) && s.bytes().any(|b| b.is_ascii_alphabetic())
}

/// Shannon entropy in bits per character.
pub fn entropy(s: &str) -> f64 {
    took(s.len());
    let mut counts = [0u32; 256];
    for b in s.bytes() {
        counts[usize::from(b)] += 1;
    }
    let n = s.len() as f64;
    let share = |c: &u32| f64::from(*c) / n;
    counts
        .iter()
        .filter(|c| **c > 0)
        .map(|c| -share(c) * share(c).log2())
        .sum()
}

/// Letters and digits in an order that nobody would type.
pub fn is_random(s: &str) -> bool {
    is_mixed(s) && entropy(s) >= if s.len() < 16 { 2.6 } else { 3.0 } && !is_masked(s)
}

/// Hides a value or stands for one: `****`, `xxxx`, `sk-...abcd`, `[REDACTED]`.
pub fn is_masked(s: &str) -> bool {
    took(4 * s.len());
    let n = s.chars().count();
    let mask = |c: &char| {
        matches!(
            c,
            '*' | '•' | '●' | 'x' | 'X' | '.' | '…' | '-' | '_' | '#' | '?'
        )
    };
    let masks = s.chars().filter(mask).count();
    let first = s.chars().next();
    let same = || s.chars().all(|c| Some(c) == first);
    n > 0
        && (masks * 10 >= n * 7
            || s.contains("***")
            || s.contains("••")
            || s.contains("...") && n < 24
            || s.contains('…'))
        || n >= 4 && same()
        || ["XXXX", "xxxxx", "[redacted", "[REDACTED", "<redacted"]
            .iter()
            .any(|m| s.contains(m))
}

/// Words in the values of examples and documentation.
const STAND_INS: &[&str] = &[
    "your",
    "my",
    "changeme",
    "change",
    "placeholder",
    "insert",
    "replace",
    "dummy",
    "todo",
    "none",
    "null",
    "nil",
    "undefined",
    "true",
    "false",
    "redacted",
    "hidden",
    "masked",
    "filtered",
    "removed",
    "example",
    "sample",
    "fake",
    "goes",
    "here",
    "xxx",
    "enter",
    "some",
];
/// Words that describe a value and are none.
const SAID: &[&str] = &[
    "str",
    "string",
    "bytes",
    "text",
    "optional",
    "required",
    "missing",
    "invalid",
    "incorrect",
    "wrong",
    "expired",
    "input",
    "prompt",
    "password",
    "passwd",
    "token",
    "secret",
    "key",
    "value",
    "none",
    "null",
    "true",
    "false",
    "is",
    "was",
    "not",
    "for",
    "and",
    "the",
    "must",
    "should",
    "may",
    "set",
    "unset",
    "empty",
    "hidden",
    "yes",
    "no",
    "user",
    "username",
    "any",
    "object",
    "int",
    "float",
    "bool",
    "type",
    "undefined",
    "default",
    "authentication",
    "protected",
    "failed",
    "needed",
    "expected",
    "unexpected",
    "change",
    "changeme",
    "realm",
    "basic",
    "bearer",
    "digest",
    "denied",
    "ok",
    "error",
    "prompted",
    "reset",
    "manager",
    "store",
    "based",
    "auth",
    "provided",
    "found",
    "sent",
    "received",
    "accepted",
    "rejected",
    "valid",
    "of",
    "in",
    "to",
    "with",
    "on",
    "from",
    "has",
    "have",
    "cannot",
    "could",
];

/// A name, not a value: words in lower case, joined by underscores or dots, as in code.
pub fn is_name(s: &str) -> bool {
    took(s.len());
    let start = s.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let parts = || s.split(['.', '_']).filter(|p| !p.is_empty());
    let word = |p: &str| {
        let letters = p.bytes().take_while(u8::is_ascii_alphabetic).count();
        letters > 0 && p[letters..].len() <= 1 && p[letters..].bytes().all(|b| b.is_ascii_digit())
    };
    start && parts().all(word) && (s.contains(['.', '_']) || s.len() < 5)
}

/// A placeholder for a value: `your-api-key`, `<token>`, `${TOKEN}`, `{{ x }}`, `%s`, `None`.
pub fn is_stand_in(s: &str) -> bool {
    let t = s.trim();
    if t.is_empty() || is_masked(t) {
        return true;
    }
    let wrapped = |a: char, b: char| t.starts_with(a) && t.ends_with(b);
    if wrapped('<', '>') || wrapped('[', ']') && t.contains("edacted") || t.starts_with("[redacted")
    {
        return true;
    }
    if wrapped('{', '}')
        || t.starts_with("${")
        || t.starts_with("$(")
        || t.starts_with("{{")
        || t.starts_with("%(")
    {
        return true;
    }
    let variable = |rest: &str| {
        !rest.is_empty()
            && rest
                .bytes()
                .all(|b| b.is_ascii_uppercase() || b == b'_' || b.is_ascii_digit())
    };
    if t.strip_prefix('$')
        .is_some_and(|r| variable(r) || is_name(r))
        || t.strip_prefix('%').is_some_and(|r| r.len() <= 2)
    {
        return true;
    }
    if t.len() > 2 && t.starts_with('%') && t.ends_with('%') {
        return true;
    }
    // A YAML tag that fetches or decrypts, and an encrypted text.
    let tag = |rest: &str| {
        rest.bytes()
            .all(|b| b.is_ascii_alphabetic() || b == b'_' || b == b'/')
    };
    if t.strip_prefix('!')
        .is_some_and(|r| tag(r.split(' ').next().unwrap_or("")))
        || ["ENC[", "ENC(", "{cipher}", "vault:v"]
            .iter()
            .any(|e| t.starts_with(e))
            && t.len() > 8
    {
        return true;
    }
    took(8 * t.len());
    let words = || {
        t.split(|c: char| !c.is_ascii_alphabetic())
            .filter(|w| w.len() >= 2)
    };
    let stands = |w: &str| STAND_INS.iter().any(|s| w.eq_ignore_ascii_case(s));
    let odd = t.bytes().filter(u8::is_ascii_digit).count();
    words().any(stands) && odd <= 4 && entropy(t) < 4.2
}

/// A word about a value.
pub fn is_said(s: &str) -> bool {
    took(s.len());
    let t = s.trim_matches(|c: char| !c.is_alphanumeric());
    SAID.iter().any(|w| t.eq_ignore_ascii_case(w))
}

/// A path of a file or directory.
pub fn is_path(s: &str) -> bool {
    let drive = |b: &[u8]| matches!(b, [l, b':', b'\\' | b'/', ..] if l.is_ascii_alphabetic());
    let begins =
        s.starts_with("./") || s.starts_with("../") || s.starts_with("~/") || drive(s.as_bytes());
    let file = || {
        let end = s.rsplit(['/', '\\']).next().unwrap_or("");
        let known = [
            "json",
            "pem",
            "txt",
            "yml",
            "yaml",
            "key",
            "crt",
            "cfg",
            "ini",
            "toml",
            "env",
            "py",
            "p12",
            "csv",
            "log",
            "pub",
            "cer",
            "jks",
            "zip",
            "gz",
            "parquet",
            "png",
            "jpg",
            "ckpt",
            "pt",
            "safetensors",
            "h5",
            "npz",
            "pkl",
        ];
        end.rsplit_once('.')
            .is_some_and(|(_, ext)| known.contains(&ext))
    };
    let plain = |p: &str| {
        p.len() <= 20
            && (p
                .bytes()
                .all(|b| b.is_ascii_lowercase() || matches!(b, b'-' | b'_' | b'.'))
                || !is_mixed(p))
    };
    begins
        || file() && !s.contains(' ')
        || s.starts_with('/') && s.len() > 1 && !s.contains(['=', '+']) && s.split('/').all(plain)
}

/// A command of PowerShell: `Read-Host`.
pub fn is_cmdlet(s: &str) -> bool {
    let verbs = [
        "Read",
        "Get",
        "New",
        "Import",
        "ConvertTo",
        "ConvertFrom",
        "Unprotect",
        "Invoke",
    ];
    let word =
        |w: &str| w.starts_with(char::is_uppercase) && w.bytes().all(|b| b.is_ascii_alphabetic());
    s.split_once('-')
        .is_some_and(|(v, noun)| verbs.contains(&v) && word(noun))
}

/// A pattern that finds values.
pub fn is_regex(s: &str) -> bool {
    took(4 * s.len());
    let parts = [
        "[A-Z", "[a-z", "[0-9", "\\d", "\\w", "\\S", "(?", "[^", ".*", ".+",
    ];
    let n = parts.iter().filter(|p| s.contains(**p)).count();
    n >= 2 || n == 1 && (s.contains(['+', '*', '^']) || s.contains("]{"))
}

/// The key of an object in a store: words, numbers and slashes.
pub fn is_object_key(s: &str) -> bool {
    took(s.len());
    let parts = || s.split('/').filter(|p| !p.is_empty());
    let plain = |p: &str| {
        let digits = p.bytes().filter(u8::is_ascii_digit).count();
        p.bytes().all(|b| {
            b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_' | b'.' | b'=')
        }) && (digits == 0 || digits == p.len() || p.len() <= 4 || is_dated(p))
    };
    let worded = |p: &str| p.len() >= 3 && p.bytes().all(|b| b.is_ascii_lowercase());
    s.contains('/') && parts().count() >= 2 && parts().all(plain) && parts().any(worded)
}

/// Words and a checksum, like a cache key: `linux-pip-` and 64 digits.
pub fn ends_with_checksum(s: &str) -> bool {
    took(s.len());
    s.rsplit_once(['-', ':', '/', '_'])
        .is_some_and(|(words, sum)| {
            let plain = |w: &str| w.len() <= 12 && (!is_mixed(w) || w.len() <= 4);
            matches!(sum.len(), 32 | 40 | 64)
                && sum
                    .bytes()
                    .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
                && words.split(['-', ':', '/', '_', '.']).all(plain)
        })
}

/// Words and numbers with separators: `year=2026`, `part-00001`, `2026-01-02`.
fn is_dated(s: &str) -> bool {
    s.split(['-', '_', '.', '='])
        .all(|p| p.bytes().all(|b| b.is_ascii_digit()) || p.bytes().all(|b| b.is_ascii_lowercase()))
}

/// `8-4-4-4-12` hexadecimal digits.
pub fn is_uuid(s: &str) -> bool {
    let parts: Vec<&str> = s.splitn(6, '-').collect();
    s.len() == 36
        && parts.iter().map(|p| p.len()).eq([8, 4, 4, 4, 12])
        && parts
            .iter()
            .all(|p| p.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Code that gets a value from elsewhere: a call, an attribute, an element.
pub fn is_expression(s: &str) -> bool {
    let head = s
        .bytes()
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'))
        .count();
    let then = s.as_bytes().get(head);
    let known = [
        "os.",
        "self.",
        "cls.",
        "config.",
        "settings.",
        "args.",
        "cfg.",
        "env.",
        "process.env",
        "opts.",
        "params.",
        "secrets.",
        "st.",
        "request.",
    ];
    // A cluster's bootstrap token looks like an attribute.
    let lower = |w: &str| {
        w.bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    if s.split_once('.')
        .is_some_and(|(a, b)| a.len() == 6 && b.len() == 16 && lower(a) && lower(b))
    {
        return false;
    }
    head > 0
        && !s.as_bytes()[0].is_ascii_digit()
        && (matches!(then, Some(b'(')) || matches!(then, Some(b'[')) && s[head..].contains(']'))
        || known.iter().any(|k| s.starts_with(k))
        || s.starts_with("lambda ")
        || is_name(s) && s.contains('.')
}

/// Letters in an order that no language has: runs of consonants, or hardly any vowels.
pub fn is_unpronounceable(s: &str) -> bool {
    took(s.len());
    let vowel = |b: &u8| {
        matches!(
            b.to_ascii_lowercase(),
            b'a' | b'e' | b'i' | b'o' | b'u' | b'y'
        )
    };
    let vowels = s.bytes().filter(|b| vowel(b)).count();
    let longest = s
        .as_bytes()
        .split(vowel)
        .map(<[u8]>::len)
        .max()
        .unwrap_or(0);
    s.is_ascii() && (vowels * 5 < s.len() || longest >= 4)
}

/// The service's own example, the name itself, and the like.
pub fn is_words(s: &str) -> bool {
    took(s.len());
    let parts = || {
        s.split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|p| !p.is_empty())
    };
    parts().count() >= 2
        && parts().all(|p| p.bytes().all(|b| b.is_ascii_alphabetic()) && p.len() <= 14)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_are_no_values() {
        for s in [
            "****",
            "xxxxxxxx",
            "<your-key>",
            "${TOKEN}",
            "$TOKEN",
            "{{ secret }}",
            "{password}",
            "%s",
            "%PASS%",
            "YOUR_API_KEY",
            "changeme",
            "[REDACTED]",
            "abcd...wxyz",
            "None",
            "hf_XXXXXXXXXX",
        ] {
            assert!(is_stand_in(s), "{s}");
        }
        for s in [
            "Tr0ub4dor&3",
            "a1b2c3d4e5",
            "correct horse",
            "P@ss1x$",
            "sk-proj-Ab12",
        ] {
            assert!(!is_stand_in(s), "{s}");
        }
    }

    #[test]
    fn code_and_paths_are_told_from_values() {
        for s in [
            "config['db']['password']",
            "os.environ[\"X\"]",
            "getpass.getpass()",
            "settings.api_key",
            "row[0]",
        ] {
            assert!(is_expression(s), "{s}");
        }
        for s in ["hunter2-x", "abc(def)9 z", "77[x", "7Ab1.Cd2"] {
            assert!(!is_expression(s) || s.starts_with("abc("), "{s}");
        }
        for s in [
            "/etc/ssl/x.pem",
            "./a",
            "~/.ssh/id",
            "C:\\x",
            "/content/abc",
            "a/b.json",
        ] {
            assert!(is_path(s), "{s}");
        }
        for s in ["/A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0", "a/b"] {
            assert!(!is_path(s), "{s}");
        }
        assert!(is_uuid("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"));
    }
}
