//! Words for a password in other languages, and the recovery phrases of wallets.

use super::names::{Name, Sort};
use std::ops::Range;

/// Words for a password. The search folds the case of ASCII letters only, so the others are listed in each spelling.
pub const FOREIGN: &[&str] = &[
    "пароль",
    "Пароль",
    "ПАРОЛЬ",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "暗証番号",
    "비밀번호",
    "암호",
    "contraseña",
    "contraseÑa",
    "hasło",
    "hasŁo",
    "lösenord",
    "lÖsenord",
    "şifre",
    "Şifre",
    "mật khẩu",
    "κωδικός",
    "Κωδικός",
    "पासवर्ड",
    "סיסמה",
    "كلمة المرور",
    "wachtwoord",
    "salasana",
    "heslo",
    "passord",
    "adgangskode",
    "jelszó",
    "palavra-passe",
    "clave",
    "parola d'ordine",
    "clé api",
    "clé d'api",
    "jeton d'accès",
    "api-schlüssel",
    "chave de api",
    "密钥",
    "apiキー",
    "ключ api",
];

/// The name that equals such a word or ends with it.
pub fn name(text: &str, hit: Range<usize>) -> Option<Name> {
    let latin = text[hit.clone()].starts_with(|c: char| c.is_ascii_alphabetic());
    let before = text[..hit.start].chars().next_back();
    // In scripts without blanks, compounds end with the word; elsewhere an underscore joins them.
    if latin && before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let then = text[hit.end..].chars().next();
    if then.is_some_and(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    Some(Name {
        sort: Sort::Password,
        start: hit.start,
        end: hit.end,
        is_setting: before == Some('_'),
    })
}

/// Words before a seed phrase.
pub const SEEDS: &[&str] = &[
    "seed phrase",
    "seed_phrase",
    "seedphrase",
    "recovery phrase",
    "recovery_phrase",
    "mnemonic",
    "seed words",
];

/// One or two dozen short words after such a name.
pub fn seed(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let gap = bytes[hit.end..]
        .iter()
        .take(16)
        .take_while(|b| b" \t\n\r:='\"[(\\".contains(b))
        .count();
    let lead = &bytes[hit.end..hit.end + gap];
    if !lead.iter().any(|b| matches!(b, b':' | b'=' | b'\n')) {
        return None;
    }
    let from = hit.end + gap;
    let (mut at, mut end, mut words) = (from, from, 0);
    while words < 25 {
        let n = bytes[at..]
            .iter()
            .take(9)
            .take_while(|b| b.is_ascii_lowercase())
            .count();
        if !(3..=8).contains(&n) {
            break;
        }
        words += 1;
        end = at + n;
        // Separators between the words of a line, a list, or numbered lines.
        let between = bytes[end..]
            .iter()
            .take(12)
            .take_while(|b| b" \t\n\r,'\"".contains(b) || b.is_ascii_digit() || **b == b'.')
            .count();
        if between == 0 {
            break;
        }
        at = end + between;
    }
    (12..=24).contains(&words).then_some(from..end)
}
