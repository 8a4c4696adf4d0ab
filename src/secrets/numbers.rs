//! Numbers that identify one person: of accounts, cards, telephones and authorities. Each is searched after the word that
//! names it, and its checksum, if it has one, must be valid.

use std::ops::Range;

/// The form of such a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Iban,
    /// Three, two and four digits.
    Social,
    Card,
    Phone,
    /// An international number, whose word is its plus sign.
    Dialled,
    /// Letters and digits of an authority or a clinic.
    Identity,
    /// Nine digits with a card's checksum.
    Insured,
    Date,
    /// An IP address.
    Address,
    /// A one-time code for signing in.
    Code,
}

use Form::{Address, Card, Code, Date, Dialled, Iban, Identity, Insured, Phone, Social};

/// The kinds, the form of each, and the words before such numbers, in lower case.
const WORDS: &[(&str, Form, &[&str])] = &[
    (
        "bank-account",
        Iban,
        &[
            "iban",
            "konto",
            "account",
            "compte",
            "cuenta",
            "conto",
            "rekening",
            "paid from",
            "refund to",
            "transfer to",
        ],
    ),
    ("id-number", Social, &["ssn", "social security"]),
    ("id-number", Insured, &["sin", "social insurance"]),
    (
        "id-number",
        Identity,
        &[
            "nhs",
            "ni number",
            "national insurance",
            "dni",
            "nie",
            "nif",
            "cpf",
            "cnpj",
            "rfc",
            "curp",
            "pesel",
            "personnummer",
            "personnr",
            "fødselsnummer",
            "cpr",
            "henkilötunnus",
            "codice_fiscale",
            "codice fiscale",
            "sécurité sociale",
            "securite sociale",
            "bsn",
            "aadhaar",
            "aadhar",
            "passport",
            "reisepass",
            "passeport",
            "pasaporte",
            "passaporto",
            "driver license",
            "driver's license",
            "drivers license",
            "driver_license",
            "driving licence",
            "driving license",
            "permis de conduire",
            "führerschein",
            "steuer-id",
            "tax id",
            "tax_id",
            "matriculation no",
            "matrikelnummer",
            "matrikel-nr",
            "mrn",
            "medical record",
            "personalausweis",
        ],
    ),
    (
        "card-number",
        Card,
        &[
            "credit card",
            "card",
            "visa",
            "mastercard",
            "amex",
            "pan",
            "maestro",
        ],
    ),
    (
        "phone-number",
        Phone,
        &[
            "phone",
            "tel",
            "mobile",
            "whatsapp",
            "call me at",
            "call me on",
            "fax",
            "contact number",
            "telefon",
            "telefono",
            "teléfono",
            "téléphone",
            "tlf",
            "msisdn",
            "sms",
            "kontakt",
            "handy",
            "mobil",
            "móvil",
            "movil",
            "celular",
            "gsm",
            "hotline",
        ],
    ),
    ("phone-number", Dialled, &["+"]),
    (
        "birth-date",
        Date,
        &[
            "dob",
            "date of birth",
            "date_of_birth",
            "birth date",
            "birth_date",
            "birthdate",
            "birthday",
            "born on",
            "born",
            "geboren am",
            "geburtsdatum",
            "date de naissance",
            "né le",
            "née le",
            "fecha de nacimiento",
            "data de nascimento",
            "data di nascita",
            "geboortedatum",
            "födelsedatum",
        ],
    ),
    (
        "password",
        Code,
        &[
            "verification code",
            "one-time code",
            "one-time password",
            "one time password",
            "otp",
            "2fa code",
            "security code",
            "login code",
            "authentication code",
        ],
    ),
    (
        "ip-address",
        Address,
        &[
            "x-forwarded-for",
            "x-real-ip",
            "remote_addr",
            "remote addr",
            "remote ip",
            "remote_ip",
            "client",
            "client ip",
            "client_ip",
            "login_ip",
            "user_ip",
            "ip_address",
            "login from",
        ],
    ),
];
/// Maximum distance between a word and its number, in bytes.
const NEAR: usize = 40;
/// Maximum length of a number with its separators, in bytes.
const LONGEST: usize = 48;

/// The words before such numbers, with the kind of each and its index in the table.
pub fn literals() -> impl Iterator<Item = (&'static str, &'static str, usize)> {
    let all = WORDS.iter().enumerate();
    all.flat_map(|(i, (kind, _, words))| words.iter().map(move |w| (*w, *kind, i)))
}

/// The number after the word with this index in the table, and its kind.
pub fn after(text: &str, hit: Range<usize>, place: usize) -> Option<(&'static str, Range<usize>)> {
    let (kind, form, _) = WORDS[place];
    let before = text[..hit.start].chars().next_back();
    if before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let end = super::seam::line_end(text, hit.end, NEAR + LONGEST);
    let rest = &text.as_bytes()[hit.end..end];
    // A short word is often the beginning of a longer one.
    if hit.len() <= 4 && form != Dialled && rest.first().is_some_and(u8::is_ascii_alphabetic) {
        return None;
    }
    nbmedic_text::steps::took(rest.len());
    let at = match form {
        Iban => account(rest),
        Social => digits(rest, b"-", |said| {
            said.len() == 11 && said[3] == b'-' && said[6] == b'-' && number(said).len() == 9
        }),
        Insured => digits(rest, b" -", |said| {
            number(said).len() == 9 && (said.len() == 9 || said.len() == 11) && luhn(&number(said))
        }),
        Card => digits(rest, b" -", |said| {
            (13..=19).contains(&number(said).len()) && luhn(&number(said))
        }),
        Phone => digits(rest, b" -()./", |said| {
            let n = number(said).len();
            (8..=15).contains(&n) && matches!(said[0], b'+' | b'0' | b'(')
        }),
        Dialled => return dialled(text, hit).map(|at| (kind, at)),
        Identity => identity(rest),
        Date => date(&text[hit.end..end]),
        Address => internet(rest),
        Code => digits(rest, b"-", |said| {
            (5..=8).contains(&said.len()) && (5..=8).contains(&number(said).len())
        }),
    }?;
    Some((kind, hit.end + at.start..hit.end + at.end))
}

/// A telephone number with its country code, without a word: groups of digits, or at least eleven in a row.
fn dialled(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let before = text[..hit.start].chars().next_back();
    let opens =
        before.is_some_and(|c| matches!(c, ' ' | '\t' | '"' | '\'' | '(' | ':' | '=' | ',' | '>'));
    let mut end = hit.end;
    let (mut groups, mut all) = (0, 0);
    loop {
        let n = bytes[end..]
            .iter()
            .take(16)
            .take_while(|b| b.is_ascii_digit())
            .count();
        // The country code has one to three digits, each other group at least two.
        let fits = match groups {
            0 => (1..=15).contains(&n) && bytes[end] != b'0',
            _ => n >= 2,
        };
        if !fits {
            break;
        }
        (groups, all, end) = (groups + 1, all + n, end + n);
        let parted = matches!(bytes.get(end), Some(b' ' | b'-'));
        if all > 15 || !parted || !bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
            break;
        }
        end += 1;
    }
    while end > hit.end && !bytes[end - 1].is_ascii_digit() {
        end -= 1;
    }
    let first = bytes[hit.end..end]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    let ends = !text[end..].starts_with(|c: char| {
        c.is_alphanumeric()
            || matches!(c, '.' | '_' | '%')
                && text[end + 1..].starts_with(|c: char| c.is_ascii_digit())
    });
    let whole = match groups {
        1 => (11..=14).contains(&all),
        _ => first <= 3 && groups >= 3 && (9..=15).contains(&all),
    };
    (opens && ends && whole).then_some(hit.start..end)
}

/// A person's identifier at an authority or a clinic: at least six digits, with letters and separators.
fn identity(rest: &[u8]) -> Option<Range<usize>> {
    let belongs = |b: &u8| b.is_ascii_digit() || b.is_ascii_uppercase();
    let mut at = 0;
    while at < rest.len().min(NEAR) {
        let free = at == 0 || !rest[at - 1].is_ascii_alphanumeric() && rest[at - 1] != b'.';
        if !free || !belongs(&rest[at]) {
            at += 1;
            continue;
        }
        let (mut n, mut end) = (0, at);
        // Groups of capitals and digits, separated by one sign each.
        loop {
            let group = rest[at + n..]
                .iter()
                .take(20)
                .take_while(|b| belongs(b))
                .count();
            let said = &rest[at + n..at + n + group];
            let word = said.len() > 2 && !said.iter().any(u8::is_ascii_digit);
            if group == 0 || word {
                break;
            }
            end = at + n + group;
            n += group;
            if !rest.get(at + n).is_some_and(|b| b" -./".contains(b)) {
                break;
            }
            n += 1;
        }
        let said = &rest[at..end];
        let written = said.iter().filter(|b| b.is_ascii_alphanumeric()).count();
        let plain = rest
            .get(end)
            .is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'_');
        let decimal = said.iter().filter(|b| **b == b'.').count() == 1;
        let day = said.len() >= 10 && said[4] == b'-' && said[7] == b'-';
        if plain && !decimal && !day && number(said).len() >= 5 && (8..=20).contains(&written) {
            return Some(at..end);
        }
        at = end.max(at + 1);
    }
    None
}

/// A date directly after its word: in digits, or with a month's name.
fn date(rest: &str) -> Option<Range<usize>> {
    let sign = |c: char| c.is_whitespace() || matches!(c, ':' | '=' | '"' | '\'' | '(');
    let at = rest.find(|c| !sign(c)).filter(|at| *at <= 8 && *at > 0)?;
    let said = &rest[at..];
    let belongs = |c: char| c.is_ascii_digit() || matches!(c, '-' | '/' | '.');
    let numbers = said.find(|c| !belongs(c)).unwrap_or(said.len());
    let day = said[..numbers].trim_end_matches(['.', '-', '/']);
    let parts: Vec<usize> = day.split(['-', '/', '.']).map(str::len).collect();
    if matches!(parts[..], [1..=2, 1..=2, 2 | 4] | [4, 1..=2, 1..=2]) {
        return Some(at..at + day.len());
    }
    // `March 3, 1989`, `3 March 1989`.
    let words: Vec<&str> = said.splitn(4, ' ').take(3).collect();
    let year = words
        .get(2)?
        .trim_end_matches(|c: char| !c.is_ascii_digit());
    let month = |w: &str| {
        w.len() >= 3 && w.chars().all(char::is_alphabetic) && w.starts_with(char::is_uppercase)
    };
    let number = |w: &str| {
        let digits = w.trim_end_matches([',', '.', 't', 'h', 's', 'n', 'd', 'r']);
        (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
    };
    let solid = month(words[0]) && number(words[1])
        || number(words[0]) && month(words[1].trim_end_matches('.'));
    let long = words[0].len() + words[1].len() + 2 + year.len();
    (solid && year.len() == 4 && year.bytes().all(|b| b.is_ascii_digit())).then_some(at..at + long)
}

/// An IP address directly after its word. Private addresses have a search of their own.
fn internet(rest: &[u8]) -> Option<Range<usize>> {
    let at = rest
        .iter()
        .position(|b| !b" :=\"'([".contains(b))
        .filter(|at| (1..=6).contains(at))?;
    let n = rest[at..]
        .iter()
        .take(40)
        .take_while(|b| b.is_ascii_hexdigit() || matches!(b, b'.' | b':'))
        .count();
    let said = std::str::from_utf8(&rest[at..at + n]).ok()?;
    // The port after it.
    let said = match said.matches(':').count() {
        1 => said.split(':').next()?,
        _ => said.trim_end_matches([':', '.']),
    };
    let known = said.parse::<std::net::IpAddr>().ok()?;
    let public = match known {
        std::net::IpAddr::V4(v4) => {
            !v4.is_private() && !v4.is_loopback() && !v4.is_unspecified() && !v4.is_link_local()
        }
        std::net::IpAddr::V6(v6) => !v6.is_loopback() && !v6.is_unspecified(),
    };
    public.then_some(at..at + said.len())
}

fn number(said: &[u8]) -> Vec<u8> {
    said.iter()
        .filter(|b| b.is_ascii_digit())
        .map(|b| b - b'0')
        .collect()
}

/// The first run of digits and separators that is such a number.
fn digits(rest: &[u8], between: &[u8], is: fn(&[u8]) -> bool) -> Option<Range<usize>> {
    let mut at = 0;
    while at < rest.len().min(NEAR) {
        let opens = rest[at].is_ascii_digit() || matches!(rest[at], b'+' | b'(');
        let free = at == 0 || !rest[at - 1].is_ascii_alphanumeric() && rest[at - 1] != b'.';
        if !opens || !free {
            at += 1;
            continue;
        }
        let belongs = |b: &&u8| b.is_ascii_digit() || between.contains(b);
        let mut n = 1 + rest[at + 1..]
            .iter()
            .take(LONGEST)
            .take_while(belongs)
            .count();
        while n > 1 && !rest[at + n - 1].is_ascii_digit() {
            n -= 1;
        }
        let ends = !rest.get(at + n).is_some_and(u8::is_ascii_alphanumeric);
        if ends && is(&rest[at..at + n]) {
            return Some(at..at + n);
        }
        at += n;
    }
    None
}

/// The checksum of a card's number.
fn luhn(number: &[u8]) -> bool {
    let doubled = |d: u32| if d > 4 { 2 * d - 9 } else { 2 * d };
    let sum: u32 = number
        .iter()
        .rev()
        .enumerate()
        .map(|(i, d)| {
            if i % 2 == 1 {
                doubled(u32::from(*d))
            } else {
                u32::from(*d)
            }
        })
        .sum();
    sum.is_multiple_of(10) && number.iter().any(|d| *d != number[0])
}

/// An IBAN: a country, two check digits and the account, grouped or not.
fn account(rest: &[u8]) -> Option<Range<usize>> {
    for at in 0..rest.len().min(NEAR) {
        let said = &rest[at..];
        let opens = said.len() > 4
            && said[..2].iter().all(u8::is_ascii_uppercase)
            && said[2..4].iter().all(u8::is_ascii_digit);
        if !opens || at > 0 && rest[at - 1].is_ascii_alphanumeric() {
            continue;
        }
        let belongs = |b: &&u8| b.is_ascii_uppercase() || b.is_ascii_digit() || **b == b' ';
        let most = said.iter().take(LONGEST).take_while(belongs).count();
        for n in (15..=most).rev() {
            let plain: Vec<u8> = said[..n].iter().copied().filter(|b| *b != b' ').collect();
            if said[n - 1] != b' ' && (15..=34).contains(&plain.len()) && holds(&plain) {
                return Some(at..at + n);
            }
        }
    }
    None
}

/// The remainder modulo 97 of an IBAN whose first four characters are moved to the end.
fn holds(iban: &[u8]) -> bool {
    let turned = iban[4..].iter().chain(&iban[..4]);
    let step = |rest: u32, b: &u8| match b {
        b'0'..=b'9' => (rest * 10 + u32::from(b - b'0')) % 97,
        _ => (rest * 100 + u32::from(b - b'A') + 10) % 97,
    };
    turned.fold(0, step) == 1
}

#[cfg(test)]
mod tests {
    use crate::redact;

    #[test]
    fn numbers_of_people_go_and_others_stay() {
        for (text, clean) in [
            (
                "IBAN: GB82 WEST 1234 5698 7654 32 is closed",
                "IBAN: [redacted-bank-account] is closed",
            ),
            (
                "iban=DE89370400440532013000",
                "iban=[redacted-bank-account]",
            ),
            ("SSN 536-22-8745", "SSN [redacted-id-number]"),
            (
                "card 4539 1488 0343 6467 declined",
                "card [redacted-card-number] declined",
            ),
            ("phone: +1 (212) 555-0147", "phone: [redacted-phone-number]"),
            (
                "ask +44 20 7946 0958 or '+4915112345678'",
                "ask [redacted-phone-number] or '[redacted-phone-number]'",
            ),
            (
                "dob=1994-11-27 smoker=0",
                "dob=[redacted-birth-date] smoker=0",
            ),
            (
                "Date of birth: March 3, 1989",
                "Date of birth: [redacted-birth-date]",
            ),
            ("cpf: 962.336.518-75", "cpf: [redacted-id-number]"),
            ("DNI 66023276M falta", "DNI [redacted-id-number] falta"),
            (
                "codice_fiscale  RSSGLI91D45H501S",
                "codice_fiscale  [redacted-id-number]",
            ),
            (
                "X-Forwarded-For: 2a02:1810:4d3c:b200:91ee:7f02:3c5a:18d4",
                "X-Forwarded-For: [redacted-ip-address]",
            ),
        ] {
            assert_eq!(redact(text).text, clean);
        }
        for text in [
            "IBAN: GB82 WEST 1234 5698 7654 33",
            "card 4539 1488 0343 6468",
            "phone int64, 423 non-null",
            "ssn object 12 12 2024",
            "phone 2024-01-02 10:00:00",
            "graphics card 12288 MiB, 80 W",
            "x +1 2 3 4 5 6 7 8 9 10 11",
            "+1700000000123",
            "y = a +100000",
            "loss +12.5000000001",
            "client 127.0.0.1:8888 connected",
            "client version 14.2.0.1",
            "passport.json has 2024-01-02 10:00:00",
            "born: 0.25",
            "account 12345 of 99999",
            "nie 0.1234567890",
        ] {
            assert_eq!(redact(text).text, text);
        }
    }
}
