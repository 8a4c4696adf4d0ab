//! Makes texts that try to be slow, from everything that nbmedic looks for: the catalogue's literals and patterns, the
//! beginnings of secrets, the wordings of messages, the forms that texts wear. Each is repeated, nested, interleaved with
//! another, and cut just before it matches.

use nbmedic::catalog::{literals, rules};
use regex_syntax::hir::{Hir, HirKind};
use std::collections::BTreeSet;
use std::path::Path;

/// Where a unit comes from, and what is looked for.
pub type Unit = (&'static str, String);

/// Everything that nbmedic looks for, each as a text in which it is found; in a fixed order.
pub fn units() -> Vec<Unit> {
    let mut all: BTreeSet<Unit> = BTreeSet::new();
    all.extend(literals().iter().map(|l| ("literal", (*l).to_owned())));
    for rule in rules() {
        let patterns = rule.matches.iter().flat_map(|m| {
            let own = [m.pattern, m.frame].into_iter();
            own.chain(m.unless.iter().copied())
        });
        let facts = rule.facts.iter().map(|f| f.pattern);
        let samples = patterns.chain(facts).filter(|p| !p.is_empty());
        all.extend(samples.map(|p| ("pattern", sample(p))));
        let classes = rule.matches.iter().flat_map(|m| m.class);
        all.extend(classes.map(|c| ("class", format!("{c}: it failed"))));
    }
    for (literal, _, _) in nbmedic_secrets::literals() {
        all.insert(("secret", literal.to_owned()));
    }
    all.extend(nbmedic_secrets::starts().map(|s| ("secret", s.to_owned())));
    all.extend(wordings().into_iter().map(|w| ("wording", w)));
    all.extend(FORMS.iter().map(|f| ("form", (*f).to_owned())));
    all.extend(FRAMES.iter().map(|f| ("frame", (*f).to_owned())));
    all.retain(|(_, text)| !text.is_empty());
    all.into_iter().collect()
}

/// What texts wear that the forms' readers take off.
const FORMS: &[&str] = &[
    "> ",
    "# ",
    "- ",
    "│ x │",
    "| x |",
    "╭──╮",
    "trainer-1  | ",
    "2026-03-03T09:00:00.120Z ",
    "[rank0]: ",
    "{\"msg\": \"ValueError: x\\nat y\"}",
    "'ValueError: x\\n'",
    "b'ValueError: x\\n'",
    "\\n",
    "\\x1b[31mE\\x1b[0m",
    "&lt;b&gt;<br/>",
    "<span class=\"ansi-red-fg\">E</span>",
    "\u{a0}",
    "12:00:00 INFO root: ",
    "    at java.lang.Thread.run(Thread.java:1)",
    "\u{1b}[1;31mE\u{1b}[0m",
    "\r",
    "\u{8}x",
    "ValueError: a  File \"a.py\", line 3, in f    g()",
];

/// What tracebacks and logs are made of.
const FRAMES: &[&str] = &[
    "Traceback (most recent call last):\n",
    "  File \"a.py\", line 3, in f\n    g()\n",
    "ValueError: bad\n",
    "ValueError: bad\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n  File \"a.py\", line 3, in f\n    g()\n",
    "ValueError: bad\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"a.py\", line 3, in f\n    g()\n",
    "  + Exception Group Traceback (most recent call last):\n  | ExceptionGroup: two (2 sub-exceptions)\n  +-+---------------- 1 ----------------\n    | ValueError: a\n",
    "Exception ignored in: <function f>\nTraceback (most recent call last):\n  File \"a.py\", line 3, in f\n    g()\nValueError: bad\n",
    "CondaEnvException: Pip failed\n",
    "Pip subprocess error:\n  ERROR: No matching distribution found for abc==1.0\n",
    "---------------------------------------------------------------------------\nValueError                                Traceback (most recent call last)\nCell In[3], line 2\n      1 x\n----> 2 f()\n\nValueError: bad\n",
    "in user code:\n\n    File \"a.py\", line 3, in f  *\n        g()\n\n    ValueError: bad\n",
    "a.py:3: UserWarning: careful\n  warnings.warn('careful')\n",
    "thread 'main' panicked at a.rs:1:2:\n",
    "\"\"\"\nTraceback (most recent call last):\n  File \"a.py\", line 3, in f\n    g()\nValueError: bad\n\"\"\"\n\n",
];

/// What libraries and tools say, by the messages that the cures know.
fn wordings() -> Vec<String> {
    let mut out = Vec::new();
    for dir in ["setup", "code"] {
        let dir = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/cure/messages")).join(dir);
        let mut files: Vec<_> = std::fs::read_dir(dir)
            .expect("the messages")
            .map(|f| f.expect("a file").path())
            .collect();
        files.sort();
        for file in files {
            let text = std::fs::read_to_string(file).expect("a file of messages");
            for line in text.lines() {
                match line.split_once(": ") {
                    Some(("says", said)) => out.push(said.replace(['{', '}'], "")),
                    Some(("literal" | "near", said)) => {
                        out.extend(said.split(" || ").map(str::to_owned));
                    }
                    Some(("pattern", pattern)) => out.push(sample(pattern)),
                    _ => {}
                }
            }
        }
    }
    out
}

/// A text that a pattern matches, as short as it may be but with one of each thing that may repeat.
fn sample(pattern: &str) -> String {
    let mut out = Vec::new();
    if let Ok(hir) = regex_syntax::parse(pattern) {
        write(&hir, &mut out);
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn write(hir: &Hir, out: &mut Vec<u8>) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(l) => out.extend_from_slice(&l.0),
        HirKind::Class(class) => {
            let holds = |c: char| match class {
                regex_syntax::hir::Class::Unicode(u) => {
                    u.iter().any(|r| (r.start()..=r.end()).contains(&c))
                }
                regex_syntax::hir::Class::Bytes(b) => b
                    .iter()
                    .any(|r| u8::try_from(c).is_ok_and(|c| (r.start()..=r.end()).contains(&c))),
            };
            let first = match class {
                regex_syntax::hir::Class::Unicode(u) => u.iter().next().map(|r| r.start()),
                regex_syntax::hir::Class::Bytes(b) => {
                    b.iter().next().map(|r| char::from(r.start()))
                }
            };
            let c = ['a', '1', ' ', '\n']
                .into_iter()
                .find(|c| holds(*c))
                .or(first);
            out.extend(c.map(String::from).unwrap_or_default().as_bytes());
        }
        HirKind::Repetition(r) => {
            for _ in 0..r.min.clamp(1, 8) {
                write(&r.sub, out);
            }
        }
        HirKind::Capture(c) => write(&c.sub, out),
        HirKind::Concat(all) => all.iter().for_each(|h| write(h, out)),
        HirKind::Alternation(all) => write(&all[0], out),
    }
}

/// A way to make a long text of a unit.
pub type Way = (&'static str, fn(&str, &str) -> String);

/// All ways; the second argument is another unit. What they return is repeated.
pub const WAYS: &[Way] = &[
    ("repeated", |a, _| a.to_owned()),
    ("on each line", |a, _| format!("{a}\n")),
    ("with a blank", |a, _| format!("{a} ")),
    ("nested", |a, _| {
        let half = middle(a);
        format!("{}{a}{}", &a[..half], &a[half..])
    }),
    ("interleaved", |a, b| format!("{a}{b}")),
    ("interleaved on lines", |a, b| format!("{a}\n{b}\n")),
    ("cut before its end", |a, _| {
        let last = a.char_indices().next_back().map_or(0, |(i, _)| i);
        match last {
            0 => a.to_owned(),
            _ => a[..last].to_owned(),
        }
    }),
    ("cut, then whole", |a, _| {
        let half = middle(a);
        format!("{}{a}\n", &a[..half])
    }),
];

fn middle(text: &str) -> usize {
    let half = text.len() / 2;
    (0..=half)
        .rev()
        .find(|i| text.is_char_boundary(*i))
        .unwrap_or(0)
}

/// How a text may begin, so that each reader takes it for its own.
pub const HEADS: &[(&str, &str)] = &[
    ("", ""),
    (
        "the message of an exception",
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\nRuntimeError: ",
    ),
];

/// A text of `bytes` bytes: a beginning, then a part again and again.
pub fn text(head: &str, part: &str, bytes: usize) -> String {
    let mut out = String::with_capacity(bytes + part.len());
    out.push_str(head);
    while out.len() < bytes {
        out.push_str(part);
    }
    out
}
