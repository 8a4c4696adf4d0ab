//! Addresses and names of machines that only their own network knows.

use std::ops::Range;

/// The beginnings of private addresses.
pub const NETS: &[&str] = &["10.", "192.168.", "172.", "169.254."];

/// A private address.
pub fn address(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let before = text[..hit.start].chars().next_back();
    let escape = super::formats::is_escape(&bytes[..hit.start]);
    if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '~' | '<' | '+'))
        && !escape
    {
        return None;
    }
    let mut parts = [0_u32; 4];
    let mut at = hit.start;
    for (i, part) in parts.iter_mut().enumerate() {
        let n = bytes[at..]
            .iter()
            .take(4)
            .take_while(|b| b.is_ascii_digit())
            .count();
        if n == 0 || n > 3 {
            return None;
        }
        *part = text[at..at + n].parse().ok().filter(|p| *p < 256)?;
        at += n;
        if i < 3 {
            if bytes.get(at) != Some(&b'.') {
                return None;
            }
            at += 1;
        }
    }
    let [a, b, ..] = parts;
    let private = a == 10
        || (a, b) == (192, 168)
        || (a, b) == (169, 254)
        || a == 172 && (16..32).contains(&b);
    let then = text[at..].chars().next();
    let longer = then.is_some_and(|c| c.is_alphanumeric() || c == '_')
        || then == Some('.') && text[at + 1..].starts_with(|c: char| c.is_ascii_digit());
    // A version of a library: it follows its name or `==`.
    let lead = text[..hit.start].trim_end_matches([' ', '(', '\'', '"', 'v', '\t']);
    let line = super::seam::line_start(lead, lead.len(), 48);
    let said = lead[line..].to_ascii_lowercase();
    let version = lead.ends_with(['=', '>', '<', '~'])
        && lead.trim_end_matches(['=', '>', '<', '~', '!', ' ']).len() + 2 <= lead.len()
        || [
            "version", "cuda", "-cu1", "cudnn", "driver", "nvidia", "release", "toolkit", "cublas",
            "curand", "rocm", "upgrade",
        ]
        .iter()
        .any(|w| said.contains(w));
    (private && !longer && !version).then_some(hit.start..at)
}

/// Endings of names that no public server answers to.
pub const ENDINGS: &[&str] = &[
    ".internal",
    ".corp",
    ".lan",
    ".local",
    ".intranet",
    ".localdomain",
    ".intra",
    ".home.arpa",
    ".priv",
];

/// The name of a private host.
pub fn host(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let belongs = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.');
    let n = bytes[..hit.start]
        .iter()
        .rev()
        .take(100)
        .take_while(belongs)
        .count();
    let mut from = hit.start - n;
    if n > 1 && super::formats::is_escape(&bytes[..from + 1]) {
        from += 1;
    }
    while from < hit.start && matches!(bytes[from], b'.' | b'-') {
        from += 1;
    }
    let mut end = hit.end;
    if bytes.get(end) == Some(&b'.') {
        let more = bytes[end + 1..].iter().take(80).take_while(belongs).count();
        end += if more > 0 { more + 1 } else { 0 };
        while bytes[end - 1] == b'.' {
            end -= 1;
        }
    }
    let then = bytes.get(end).copied().unwrap_or(b' ');
    if from == hit.start
        || then.is_ascii_alphanumeric()
        || matches!(then, b'_' | b'(' | b'[' | b'-')
    {
        return None;
    }
    let labels = &text[from..hit.start];
    let context = &text[..from];
    let said = [
        "://",
        "@",
        "host=",
        "host='",
        "host=\"",
        "host: ",
        "ssh ",
        "ping ",
        "-h ",
        "connect to ",
        "resolve ",
        "resolve: ",
        "server ",
        "hostname ",
        "\\\\",
    ]
    .iter()
    .any(|c| context.ends_with(c));
    let odd = labels.bytes().any(|b| b.is_ascii_digit()) && labels.contains('-')
        || labels.contains('-') && !labels.contains('.');
    let port = then == b':' && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
    let last = labels.rsplit('.').next().unwrap_or("");
    let cluster = labels.contains("svc.cluster")
        || matches!(
            last,
            "localhost" | "docker" | "metadata.google" | "minikube"
        )
        || labels == "metadata.google";
    let plain = said || odd || port;
    let file = context.ends_with(['/', '_', '\\', '$']) && !said;
    (plain && !cluster && !file).then_some(from..end)
}

/// `DESKTOP-AB12CD3`: the name that Windows gives a machine.
pub fn windows(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let before = text[..hit.start].chars().next_back();
    let rest = &text.as_bytes()[hit.end..];
    let n = rest
        .iter()
        .take(16)
        .take_while(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        .count();
    let own = text[hit.clone()].bytes().all(|b| !b.is_ascii_lowercase());
    let ends = !rest.get(n).is_some_and(|b| b.is_ascii_alphanumeric());
    let free = before.is_none_or(|c| !c.is_alphanumeric())
        || super::formats::is_escape(&text.as_bytes()[..hit.start]);
    (own && free && n == 7 && ends).then_some(hit.start..hit.end + n)
}
