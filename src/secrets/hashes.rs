//! Password hashes: a person who has one can guess the password offline.

use super::value::is_mixed;
use std::ops::Range;

/// The prefixes of such hashes, in lower case.
pub const LITERALS: &[&str] = &[
    "$argon2",
    "$2a$",
    "$2b$",
    "$2x$",
    "$2y$",
    "$1$",
    "$5$",
    "$6$",
    "$7$",
    "$y$",
    "$gy$",
    "$apr1$",
    "$sha1$",
    "$scrypt$",
    "$pbkdf2",
    "$bcrypt",
    "pbkdf2_sha",
    "pbkdf2:sha",
    "bcrypt_sha256$",
    "bcrypt$$",
    "argon2$",
    "scrypt:",
    "scram-sha-",
    "{ssha",
    "{smd5}",
    "{crypt}",
    "{pbkdf2",
    "'sha1:",
    "\"sha1:",
    "'sha256:",
    "\"sha256:",
];

/// Maximum length of a hash, in bytes.
const MOST: usize = 400;

/// The hash that begins here.
pub fn at(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let quoted = matches!(bytes[hit.start], b'\'' | b'"');
    let from = hit.start + usize::from(quoted);
    let before = text[..from].chars().next_back();
    let word = before.is_some_and(|c| c.is_alphanumeric() || c == '$');
    if word && !super::formats::is_escape(&bytes[..from]) {
        return None;
    }
    let belongs = |b: &&u8| {
        b.is_ascii_alphanumeric()
            || matches!(
                b,
                b'$' | b'.' | b'/' | b'+' | b'=' | b'_' | b'-' | b'{' | b'}'
            )
            || matches!(b, b',' | b':')
    };
    let run = bytes[from..].iter().take(MOST).take_while(belongs).count();
    nbmedic_text::steps::took(8 * run);
    let all = text[from..from + run].trim_end_matches([',', ':', '.', '-', '}']);
    // A line of `shadow` has more fields after its hash.
    let all = match all.starts_with('$') {
        true => all.split(':').next().unwrap_or(all),
        false => all,
    };
    let parts = || all.split(['$', ':', '}', ',']);
    let long = |p: &str| p.len() >= 22 && is_mixed(p);
    let salted = match quoted {
        // A hash without a salt is a checksum. A salt and a digest both have hexadecimal digits.
        true => {
            let hex = |p: &str| p.bytes().all(|b| b.is_ascii_hexdigit());
            parts().count() == 3
                && parts()
                    .nth(1)
                    .is_some_and(|p| (8..=32).contains(&p.len()) && hex(p))
                && parts().nth(2).is_some_and(|p| p.len() >= 40 && hex(p))
        }
        false => parts().count() >= 2 && parts().any(long),
    };
    salted.then_some(from..from + all.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<&str> {
        let lower = text.to_ascii_lowercase();
        let literal = LITERALS.iter().find(|l| lower.contains(**l))?;
        let start = lower.find(literal)?;
        at(text, start..start + literal.len()).map(|r| &text[r])
    }

    #[test]
    fn a_hash_goes_with_its_salt() {
        let body = "Ab1".repeat(18);
        let crypt = format!("$2b$12${}", &body[..53]);
        assert_eq!(of(&format!("x = '{crypt}'")), Some(crypt.as_str()));
        let shadow = format!("$6$saltsalt${}", "xY3".repeat(28));
        assert_eq!(of(&format!("ada:{shadow}:1:2:::")), Some(shadow.as_str()));
        let jupyter = format!("sha1:0123456789ab:{}", "0a".repeat(20));
        assert_eq!(of(&format!("'{jupyter}'")), Some(jupyter.as_str()));
    }

    #[test]
    fn what_is_no_hash_stays() {
        for text in [
            "awk '{print $1$2}'",
            "'sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'",
            "pip install $argon2",
            "echo $1$6$x",
            "scrypt: not found",
            "scram-sha-256 authentication",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
