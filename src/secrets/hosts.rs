//! Addresses and names of machines on private networks.

use std::ops::Range;

/// The first digits of private addresses.
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
    // One of several versions in a row: `pandas 2.2.3 10.2.1.3`.
    let last = said.rsplit(' ').next().unwrap_or("");
    let listed = last.split('.').count() == 3
        && last
            .split('.')
            .all(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()));
    let version = listed
        || lead.ends_with(['=', '>', '<', '~'])
            && lead.trim_end_matches(['=', '>', '<', '~', '!', ' ']).len() + 2 <= lead.len()
        || [
            "version", "cuda", "-cu1", "cudnn", "driver", "nvidia", "release", "toolkit", "cublas",
            "curand", "rocm", "upgrade",
        ]
        .iter()
        .any(|w| said.contains(w));
    (private && !longer && !version && !meets(&text[..hit.start])).then_some(hit.start..at)
}

/// Words before the address of a run's rendezvous, which is needed to diagnose why processes don't meet.
const MEETINGS: &[&str] = &[
    "tcp://",
    "ucx://",
    "ray://",
    "gloo://",
    "master_addr",
    "master-addr",
    "master_port",
    "rdzv",
    "rendezvous",
    "init_method",
    "client socket",
    "server socket",
    "tcpstore",
    "node_ip_address",
];

/// Whether the address after this text is the rendezvous of a distributed run.
fn meets(before: &str) -> bool {
    let line = super::seam::line_start(before, before.len(), 120);
    let said = before[line..].to_ascii_lowercase();
    MEETINGS.iter().any(|m| said.contains(m))
}

/// Endings of names that no public server has.
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
    .any(|c| context.ends_with(c))
        || ["host ", "node ", "machine "].iter().any(|c| {
            let tail = context.as_bytes();
            tail.len() >= c.len() && tail[tail.len() - c.len()..].eq_ignore_ascii_case(c.as_bytes())
        });
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

/// `DESKTOP-AB12CD3`: a machine name that Windows generates.
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

/// Words before the address of a network card, or a private IPv6 address.
pub const HARDWARE: &[&str] = &[
    "ether ",
    "hwaddr ",
    "lladdr ",
    "mac: ",
    "mac=",
    "mac address",
    " fd",
    "[fd",
    "'fd",
    "\"fd",
    "/fd",
    "=fd",
    "fe80:",
];

/// Such an address.
pub fn hardware(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let lower = text[hit.clone()].to_ascii_lowercase();
    if lower.ends_with("fd") || lower.starts_with("fe80") {
        let from = hit.start + usize::from(lower.ends_with("fd"));
        let n = bytes[from..]
            .iter()
            .take(40)
            .take_while(|b| b.is_ascii_hexdigit() || **b == b':')
            .count();
        let said = &text[from..from + n];
        let groups = said.split(':').filter(|g| !g.is_empty()).count();
        let free = hit.start == 0 || !bytes[from - 1].is_ascii_alphanumeric();
        let plain = said.split(':').all(|g| g.len() <= 4) && said.as_bytes().get(4) == Some(&b':');
        let ends = !bytes
            .get(from + n)
            .is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        return (free && plain && ends && groups >= 4).then_some(from..from + n);
    }
    let gap = bytes[hit.end..]
        .iter()
        .take(8)
        .take_while(|b| b" :='\"".contains(b))
        .count();
    let from = hit.end + gap;
    let said = bytes.get(from..from + 17)?;
    let sign = said[2];
    let pairs = said
        .chunks(3)
        .all(|c| c[..2].iter().all(u8::is_ascii_hexdigit) && c.get(2).is_none_or(|s| *s == sign));
    let ends = !bytes.get(from + 17).is_some_and(u8::is_ascii_alphanumeric);
    let empty = said.iter().all(|b| *b == said[0] || *b == sign);
    (matches!(sign, b':' | b'-') && pairs && ends && !empty).then_some(from..from + 17)
}
