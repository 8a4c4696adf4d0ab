//! Names of people: in paths, in addresses, in the environment.

use super::formats::is_escape;
use std::ops::Range;

/// Names that machines assign: they identify nobody.
const MACHINES: &str = include_str!("lists/machines.txt");

/// Whether a name identifies a person.
pub fn is_person(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let stands = name.starts_with(['$', '<', '{', '[', '%', '*', '.'])
        || lower.contains("user_name")
        || lower.contains("your");
    let number = name.bytes().all(|b| b.is_ascii_digit());
    !stands
        && !number
        && !name.is_empty()
        && !MACHINES.lines().any(|m| m == lower)
        && !lower.starts_with("[redacted")
}

fn in_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '-')
}

/// Directories whose members are people, in lower case; the name follows.
pub const HOMES: &[&str] = &[
    "/home/",
    "/users/",
    "%2fhome%2f",
    "%2fusers%2f",
    "\\users\\",
    "\\\\users\\\\",
    "%5cusers%5c",
    "c:/users/",
    "/media/",
    "/run/media/",
    "/home2/",
    "/homes/",
    "documents and settings\\",
    "documents and settings\\\\",
    "\\home\\",
    "\\\\home\\\\",
    "/u/home/",
    "/storage/home/",
    "\\/home\\/",
    "\\/users\\/",
    "/home1/",
    "/home3/",
    "%5c%5cusers%5c%5c",
    "/pscratch/sd/",
    "/scratch/",
    "/glade/u/home/",
    "/glade/work/",
];

/// The name after a directory of people.
pub fn home(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let dir = &text[hit.clone()];
    let slash = dir.starts_with('/') || dir.starts_with("\\/");
    let windows = dir.contains('\\') && !slash || dir.starts_with("%5");
    let before = text[..hit.start].chars().next_back();
    if slash && !parents(text, hit.start, dir) {
        return None;
    }
    if dir.contains("scratch/") && !is_account(&text[hit.end..]) {
        return None;
    }
    if dir == "/users/"
        && before.is_some_and(|c| c.is_ascii_lowercase())
        && text[hit.clone()].starts_with("/u")
        && !known_parent(text, hit.start)
    {
        return None;
    }
    // Many systems sort them by their first letters: `/homes/j/jdoe`.
    let letter = |b: &[u8]| {
        let sorted = b.len() > 2 && b[0].is_ascii_lowercase() && matches!(b[1], b'/' | b'\\');
        sorted && b[0] == b[2]
    };
    let from = hit.end + 2 * usize::from(letter(&text.as_bytes()[hit.end..]));
    let rest = &text[from..];
    let n: usize = rest
        .chars()
        .take(64)
        .take_while(|c| in_name(*c))
        .map(char::len_utf8)
        .sum();
    if n == 0 {
        return None;
    }
    let mut end = from + n;
    // Names with blanks, if a further part of the path confirms one.
    let more: usize = rest[n..]
        .chars()
        .take(48)
        .take_while(|c| in_name(*c) || *c == ' ')
        .map(char::len_utf8)
        .sum();
    let then = &rest[n + more..];
    let separator = if windows {
        then.starts_with('\\') || then.starts_with('/')
    } else {
        then.starts_with('/')
    };
    let words = rest[n..n + more]
        .split(' ')
        .filter(|w| !w.is_empty())
        .count();
    let mac = windows || text[hit.clone()].contains('U');
    if more > 0
        && rest[n..].starts_with(' ')
        && separator
        && words <= 3
        && !rest[n..n + more].contains(" -")
        && rest[n..n + more]
            .split(' ')
            .all(|w| w.is_empty() || w.starts_with(char::is_uppercase) || windows && mac)
    {
        end = from + n + more;
    } else {
        let name = &text[from..end];
        let name = name.trim_end_matches(['.', '-']);
        end = from + name.len();
        // A file directly in the directory is no name.
        let ext = name.rsplit_once('.').map_or("", |(_, e)| e);
        if matches!(
            ext,
            "html" | "htm" | "py" | "txt" | "csv" | "php" | "md" | "json" | "js"
        ) {
            return None;
        }
    }
    is_person(&text[from..end]).then_some(from..end)
}

/// Whether a folder below a scratch directory belongs to a person: letters and a few digits, or sorted by its first letter.
fn is_account(rest: &str) -> bool {
    let Some((name, then)) = rest.split_once('/') else {
        return false;
    };
    if name.len() == 1 && then.starts_with(name) {
        return true;
    }
    let letters = name.bytes().take_while(u8::is_ascii_lowercase).count();
    let digits = &name[letters..];
    let counted = [
        "run",
        "exp",
        "job",
        "test",
        "data",
        "node",
        "gpu",
        "part",
        "fold",
        "model",
        "python",
        "llama",
        "task",
        "proj",
        "project",
        "tmp",
        "env",
        "conda",
        "miniconda",
        "anaconda",
        "cuda",
        "imagenet",
        "coco",
        "cifar",
        "mnist",
        "disk",
        "vol",
        "batch",
        "step",
        "epoch",
        "ckpt",
        "version",
        "user",
        "qwen",
        "resnet",
        "phi",
        "gemma",
        "bert",
        "gpt",
    ];
    (3..=12).contains(&letters)
        && (1..=5).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_digit())
        && !counted.contains(&&name[..letters])
}

/// Whether the text before `/home/` makes it a directory of people.
fn parents(text: &str, at: usize, dir: &str) -> bool {
    let before = &text[..at];
    let Some(last) = before.chars().next_back() else {
        return true;
    };
    if !(last.is_alphanumeric() || matches!(last, '_' | '-' | '.')) || is_escape(before.as_bytes())
    {
        return !before.ends_with(')');
    }
    let _ = dir;
    known_parent(text, at)
}

/// The directories above those of people on clusters and in containers.
fn known_parent(text: &str, at: usize) -> bool {
    const ABOVE: &[&str] = &[
        "nfs",
        "gpfs",
        "lustre",
        "export",
        "data",
        "cluster",
        "var",
        "mnt",
        "c",
        "d",
        "scratch",
        "work",
        "project",
        "projects",
        "storage",
        "beegfs",
        "ceph",
        "net",
        "shared",
        "share",
        "fs",
        "pfs",
        "vol",
        "volume",
        "global",
        "rhome",
        "raid",
        "ssd",
        "efs",
        "fsx",
        "nas",
        "archive",
        "cephfs",
        "tank",
        "cygdrive",
        "media",
        "host",
        "hpc",
        "home",
        "private",
        "opt",
        "srv",
        "dbfs",
        "workspace",
        "Workspace",
        "run",
        "u",
        "Ubuntu",
        "panfs",
        "weka",
        "hdd",
        "nvme",
        "local",
    ];
    let before = &text.as_bytes()[..at];
    let n = before
        .iter()
        .rev()
        .take(40)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
        .count();
    let dir = &text[at - n..at];
    let stem = dir.trim_end_matches(|c: char| c.is_ascii_digit());
    let rooted = at > n && matches!(before[at - n - 1], b'/' | b'\\');
    let above = text[..at - n].trim_end_matches(['/', '\\']);
    // Web addresses are excluded.
    let mut low = above.len().saturating_sub(300);
    while !above.is_char_boundary(low) {
        low += 1;
    }
    let host = above[low..]
        .rsplit(|c: char| c.is_whitespace() || "\"'".contains(c))
        .next()
        .unwrap_or("");
    rooted && ABOVE.contains(&stem) && (!host.contains("://") || host.starts_with("file:"))
}

/// `~name/`: a home directory.
pub fn tilde(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let before = text[..hit.start].chars().next_back();
    if before
        .is_some_and(|c| !(c.is_whitespace() || matches!(c, '"' | '\'' | '/' | '=' | ':' | '`')))
    {
        return None;
    }
    let rest = &text[hit.end..];
    let n = rest
        .bytes()
        .take(40)
        .take_while(|b| {
            b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'_' | b'-')
        })
        .count();
    let then = rest[n..].strip_prefix('/')?;
    let named = n >= 3
        && rest.starts_with(|c: char| c.is_ascii_lowercase())
        && then.starts_with(|c: char| c.is_ascii_alphabetic() || c == '.');
    (named && is_person(&rest[..n])).then_some(hit.end..hit.end + n)
}

/// The environment's user: `USER=ada`, `'LOGNAME': 'ada'`.
pub fn environment(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let name = &text[hit.clone()];
    let before = text[..hit.start].chars().next_back();
    if name.bytes().any(|b| b.is_ascii_lowercase())
        || before.is_some_and(|c| c.is_alphanumeric() || c == '_')
            && !is_escape(&text.as_bytes()[..hit.start])
    {
        return None;
    }
    let rest = &text[hit.end..];
    let gap = rest
        .bytes()
        .take(6)
        .take_while(|b| b"'\"]:= \\".contains(b))
        .count();
    if !rest[..gap].contains(['=', ':']) {
        return None;
    }
    let from = hit.end + gap;
    let n: usize = text[from..]
        .chars()
        .take(64)
        .take_while(|c| in_name(*c))
        .map(char::len_utf8)
        .sum();
    let then = text[from + n..].chars().next();
    let ends = then.is_none_or(|c| {
        c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '\\' | ';' | '}' | '@' | '%')
    });
    let said = &text[from..from + n];
    let caps = said.bytes().all(|b| b.is_ascii_uppercase() || b == b'_');
    (ends && n >= 2 && !caps && is_person(said)).then_some(from..from + n)
}

/// Words after an `@` in code and package names, which are no addresses.
const NO_DOMAINS: &str = include_str!("lists/not-domains.txt");

fn in_code(ending: &str) -> bool {
    NO_DOMAINS.lines().any(|l| l == ending)
}

fn in_local(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '+' | '-' | '\u{300}'..='\u{36f}')
}

/// The name of an address's owner, if the address follows it in angle brackets: `Ada Byron <ada@example.org>`.
pub fn named(text: &str, address: usize) -> Option<Range<usize>> {
    let before = text[..address].strip_suffix('<')?;
    let end = before.trim_end_matches([' ', '"', '\'']).len();
    let line = super::seam::line_start(before, end, 64);
    let mut from = end;
    for word in before[line..end].rsplit(' ').take(4) {
        let capital = word.chars().next().is_some_and(char::is_uppercase);
        let name = |c: char| c.is_alphabetic() || matches!(c, '.' | '-' | '\'' | '’');
        if !capital || !word.chars().all(name) {
            break;
        }
        from = from.min(before[..from].rfind(word)?);
    }
    (end - from >= 3).then_some(from..end)
}

/// The e-mail address around an `@`.
pub fn mail(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let (before, after) = (&text[..hit.start], &text[hit.end..]);
    let n: usize = before
        .chars()
        .rev()
        .take(64)
        .take_while(|c| in_local(*c))
        .map(char::len_utf8)
        .sum();
    let mut from = hit.start - n;
    // Skips an escape that ends in a letter.
    for (i, _) in text[from..hit.start].char_indices().take(6) {
        let escape = i > 0 && from > 0 && matches!(text.as_bytes()[from - 1], b'\\' | b'%');
        if escape && is_escape(&text.as_bytes()[..from + i]) {
            from += i;
            break;
        }
    }
    let lead = text[from..hit.start].find(|c: char| c.is_alphanumeric() || c == '_')?;
    from += lead;
    let local = &text[from..hit.start];
    let label = |s: &str| {
        s.chars()
            .take(63)
            .take_while(|c| c.is_alphanumeric() || *c == '-')
            .map(char::len_utf8)
            .sum::<usize>()
    };
    let mut end = hit.end;
    let mut last = 0..0;
    let mut labels = 0;
    let mut rest = after;
    loop {
        let n = label(rest);
        if n == 0 || rest.starts_with('-') {
            break;
        }
        last = end..end + n;
        labels += 1;
        let then = &rest[n..];
        end += n;
        if labels > 6 || !then.starts_with('.') || label(&then[1..]) == 0 {
            break;
        }
        end += 1;
        rest = &then[1..];
    }
    // A file's extension after an address: `ada@example.org.csv`.
    let mut top = &text[last.clone()];
    while labels > 2 && in_code(&top.to_ascii_lowercase()) {
        end = last.start - 1;
        let start = text[hit.end..end]
            .rfind('.')
            .map_or(hit.end, |i| hit.end + i + 1);
        last = start..end;
        top = &text[last.clone()];
        labels -= 1;
    }
    let domain = &text[hit.end..end];
    let first = domain.split('.').next().unwrap_or("");
    let lower = top.to_ascii_lowercase();
    let letters = top.chars().all(char::is_alphabetic) || lower.starts_with("xn--");
    let n = top.chars().count();
    let dotted = matches!(
        lower.as_str(),
        "com" | "org" | "net" | "edu" | "gov" | "io" | "ai" | "de" | "dev"
    );
    let letter = first.chars().count() < 2 && local.chars().count() < 2;
    let code = letter
        || !dotted && (first.chars().count() < 2 || local.chars().count() < 2)
        || in_code(&lower) && labels < 3;
    let then = text[end..].chars().next();
    let called = then.is_some_and(|c| {
        matches!(c, '(' | '[' | '_' | '=')
            || c == '.' && text[end + 1..].starts_with(char::is_alphanumeric) && !dotted
    });
    let no_person = [
        "git",
        "noreply",
        "no-reply",
        "donotreply",
        "postmaster",
        "mailer-daemon",
        "hg",
        "svn",
        // Shared mailboxes.
        "support",
        "feedback",
        "security",
        "bugs",
    ]
    .contains(&local.to_ascii_lowercase().as_str());
    // Addresses in documentation, at the domains that are reserved for it.
    let reserved = matches!(
        domain.to_ascii_lowercase().as_str(),
        "example.com" | "example.org" | "example.net"
    );
    let said = [
        "you",
        "your.name",
        "name",
        "someone",
        "me",
        "test",
        "foo",
        "bar",
        "email",
    ];
    let shown =
        reserved && (!is_person(local) || said.contains(&local.to_ascii_lowercase().as_str()));
    let solid = !shown && labels >= 2 && letters && n >= 2 && !code && !called && !no_person;
    let word = local.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    (solid && !(word && local.contains('.'))).then_some(from..end)
}

/// `name@machine:` of a shell's prompt.
pub fn prompt(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let before = &text[..hit.start];
    let n = before
        .bytes()
        .rev()
        .take(80)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'@'))
        .count();
    let said = &before[before.len() - n..];
    let (user, machine) = said.split_once('@')?;
    let then = text[hit.end..].chars().next();
    let shell = then.is_none_or(|c| matches!(c, '$' | '/' | '#' | '%' | ' '));
    let named = !machine.is_empty()
        && !user.is_empty()
        && user
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    (shell && named && is_person(user)).then_some(hit.start - n..hit.start)
}

/// Texts before the ids of Google Drive files, in lower case.
pub const DRIVES: &[&str] = &[
    "drive.google.com/",
    "docs.google.com/",
    "colab.research.google.com/drive/",
    ".shortcut-targets-by-id/",
    "gdown",
    "createfile(",
    "file_id",
    "folder_id",
    "fileid",
    "folderid",
    "drive.usercontent.google.com/",
    "googleapis.com/drive/",
    "drive_id",
    "spreadsheets/d/",
    "open_by_key(",
    "drive_folder",
];

/// The id of a Google Drive file or folder after one of these texts.
pub fn drive(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let mut stop = (hit.end + 200).min(text.len());
    while !text.is_char_boundary(stop) {
        stop -= 1;
    }
    let address = text[hit.clone()].ends_with('/');
    let bytes = &text.as_bytes()[hit.end..stop];
    let mut i = 0;
    while i < bytes.len() && bytes[i] != b'\n' {
        if address
            && (bytes[i].is_ascii_whitespace() || matches!(bytes[i], b'"' | b'\'' | b'<' | b'>'))
        {
            return None;
        }
        let n = bytes[i..]
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
            .count();
        if n == 0 {
            i += 1;
            continue;
        }
        let word = &text[hit.end + i..hit.end + i + n];
        let free = address
            || i == 0
            || bytes[i..].starts_with(b"1")
            || bytes[i..].starts_with(b"0B")
            || bytes[i..].starts_with(b"A");
        if (25..=72).contains(&n)
            && free
            && super::value::is_mixed(word)
            && !super::value::is_masked(word)
        {
            return Some(hit.end + i..hit.end + i + n);
        }
        i += n;
    }
    None
}
