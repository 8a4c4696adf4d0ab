use super::*;
use nbmedic_text::Limits;

const TRACE: &str =
    "Traceback (most recent call last):\n  File \"train.py\", line 7, in <module>\n    \
                     main(\"a & b\")\n  File \"train.py\", line 3, in main\n    return load('x')\n\
                     ValueError: bad 'x' <y>\n";

fn document(text: &str) -> Document {
    Document::from_terminal(text, Limits::default())
}

/// What is left of a text.
fn read(text: &str) -> Option<String> {
    let plain = plain(&document(text));
    (plain.guess.or(plain.sure)).map(|doc| doc.text().to_owned())
}

fn each(f: impl Fn(usize, &str) -> String) -> String {
    let lines: Vec<String> = TRACE.lines().enumerate().map(|(n, l)| f(n, l)).collect();
    lines.join("\n")
}

fn json(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    text.replace('\n', "\\n").replace('<', "\\u003c")
}

#[test]
fn clothes_come_off() {
    let html = TRACE
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let boxed = each(|_, l| format!("│ {l:60} │"));
    let edge = "─".repeat(62);
    for (name, text) in [
        ("no-break spaces", TRACE.replace(' ', "\u{a0}")),
        ("a mark of byte order", format!("\u{feff}{TRACE}")),
        ("HTML", html.replace('\n', "<br/>")),
        (
            "HTML's spans",
            format!("<pre><span class=\"ansi-red-fg\">{html}</span></pre>"),
        ),
        ("colours", each(|_, l| format!("[1;31m{l}[0m"))),
        (
            "written colours",
            each(|_, l| format!("\\x1b[38;5;196m{l}\\x1b[0m")),
        ),
        ("quoted", each(|_, l| format!("> {l}"))),
        ("quoted twice", each(|_, l| format!("> > {l}"))),
        ("a comment", each(|_, l| format!("# {l}"))),
        ("bullets", each(|_, l| format!("- {l}"))),
        ("a service", each(|_, l| format!("trainer-1  | {l}"))),
        (
            "a time",
            each(|n, l| format!("2026-03-03T09:00:0{n}.120Z {l}")),
        ),
        (
            "a host",
            each(|n, l| format!("Mar 03 09:00:0{n} node7 run.sh[42]: {l}")),
        ),
        ("numbers", each(|n, l| format!("{:6}\t{l}", n + 9))),
        (
            "numbers and bars",
            each(|n, l| format!("{:3} | {l}", n + 1)),
        ),
        ("fenced", format!("```python\n{TRACE}```")),
        ("indented", each(|_, l| format!("        {l}"))),
        ("a box", format!("╭{edge}╮\n{boxed}\n╰{edge}╯")),
        (
            "a log's record",
            format!(
                "{{\"level\": \"ERROR\", \"n\": 3, \"msg\": \"{}\"}}",
                json(TRACE)
            ),
        ),
        (
            "Docker",
            each(|n, l| {
                format!(
                    "{{\"log\":\"{}\\n\",\"stream\":\"stderr\",\"time\":\"T{n}\"}}",
                    json(l)
                )
            }),
        ),
        (
            "a list of strings",
            format!(
                "  \"text\": [\n{}\n  ]",
                each(|_, l| format!("    \"{}\\n\",", json(l)))
            ),
        ),
        (
            "repr",
            format!(
                "b'{}'",
                json(TRACE).replace('\'', "\\'").replace("u003c", "x3c")
            ),
        ),
    ] {
        let got = read(&text).unwrap_or_else(|| panic!("{name}: nothing came off"));
        assert_eq!(got.trim_end(), TRACE.trim_end(), "{name}");
    }
}

#[test]
fn marks_and_fields_come_off() {
    for (text, wanted) in [
        (
            "*** KeyError: 'fare'",
            "KeyError: 'fare'",
        ),
        (
            "# Report\n- **Node Type:** Mixer\n- **Exception Type:** RuntimeError\n- **Exception Message:** no room for (3x4)",
            "# Report\n- **Node Type:** Mixer\n- **Exception Type:** RuntimeError\nRuntimeError: no room for (3x4)",
        ),
        (
            "##[group]Run tests\n##[error]ValueError: bad",
            "Run tests\nValueError: bad",
        ),
        (
            "#12 3.456 Collecting x\n#12 41.02 ERROR: no x",
            "Collecting x\nERROR: no x",
        ),
        (
            "File [~/a/b.py:12](http://localhost:8888/a/b.py#line=11), in f(x)\n     11 y\nValueError: bad",
            "File ~/a/b.py:12, in f(x)\n     11 y\nValueError: bad",
        ),
    ] {
        assert_eq!(read(text).as_deref(), Some(wanted), "{text}");
    }
    for text in [
        "*** Epoch 3 ***",
        "#12 is open",
        "## [a](b) and c",
        "see [the docs](http://a.b) for more",
        "##[] a",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn one_line_becomes_many() {
    let flat = TRACE.trim_end().replace('\n', " ");
    assert_eq!(read(&flat).as_deref(), Some(TRACE.trim_end()));
    let notebook = "-------- BadZipFile                Traceback (most recent call last) Cell In[3], line 2       \
                    1 import zipfile ----> 2 zipfile.ZipFile('a') File /usr/zipfile.py:13, in ZipFile.__init__(self) \
                    -> 13     raise BadZipFile(x)  BadZipFile: not a zip file";
    let got = read(notebook).expect("many lines");
    let lines: Vec<&str> = got.lines().map(str::trim).collect();
    assert!(lines.contains(&"----> 2 zipfile.ZipFile('a')"), "{got}");
    assert!(lines.contains(&"Cell In[3], line 2"), "{got}");
    assert_eq!(lines.last(), Some(&"BadZipFile: not a zip file"));
}

#[test]
fn broken_lines_are_joined() {
    let long = "RuntimeError: the first operand has the shape (3, 4), the second has the shape (7, 8), and no axis fits";
    let text = TRACE.replace("ValueError: bad 'x' <y>", long);
    let hard = text.replace(long, &format!("{}\n{}", &long[..80], &long[80..]));
    assert!(read(&hard).is_some_and(|t| t.contains(long)));
    let words = text.replace(
        long,
        &long
            .replace("operand", "operand, a tensor,")
            .replace("has the shape (7", "has the\nshape (7"),
    );
    let whole = long.replace("operand", "operand, a tensor,");
    assert!(read(&words).is_some_and(|t| t.contains(&whole)));
    // A line that is as long by chance goes on with a new error.
    let rule = text.replace(long, &format!("    {}\nValueError: bad", "x".repeat(76)));
    assert_eq!(read(&rule), None);
}

#[test]
fn what_comes_off_leads_back() {
    let text = each(|_, l| format!("2026-03-03T09:00:01.120Z {}", l.replace(' ', "\u{a0}")));
    let doc = plain(&document(&text)).sure.expect("two layers");
    let at = doc.text().find("bad 'x'").expect("the message");
    assert_eq!(&text[doc.raw_range(at..at + 7)], "bad\u{a0}'x'");
    assert_eq!(doc.raw_line(doc.line_at(at)), 6);
    let text = format!(
        "{{\"level\": \"error\",\n\"n\": 1}}\n{{\"msg\": \"{}\"}}",
        json(TRACE)
    );
    let doc = plain(&document(&text)).sure.expect("a record");
    let at = doc.text().find("bad").expect("the message");
    assert_eq!(&text[doc.raw_range(at..at + 3)], "bad");
    assert_eq!(doc.raw_line(doc.line_at(at)), 3);
}

#[test]
fn ordinary_texts_keep_everything() {
    for text in [
        TRACE,
        "",
        "one line",
        "BLAS init: no thread 3 of 8: not available\nBLAS init: a limit of 512",
        "Connection to a closed by b.\nConnection to a closed.",
        "lib/a.h(12): error: no member x\nlib/a.h(13): error: no member y\nlib/a.h(15): error: no member z",
        "a\nb\nc",
        "epoch 1: loss 0.3\nepoch 2: loss [5m] 0.2\nC:\\new\\table",
        "dict(a=1)\n[1, 2]\nif a < b and b > c & d:\n    <module>",
        "---------------------------------------------------------------------------\n\
         KeyError                                  Traceback (most recent call last)\n\
         Cell In[2], line 1\n----> 1 d['a']\n\nKeyError: 'a'",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn a_list_is_only_guessed_at() {
    let rows = "- CUDA out of memory\n- Killed\n- No space left on device";
    assert!(plain(&document(rows)).sure.is_none());
    let table = "0  CUDA out of memory\n1  Killed\n2  No space left on device";
    assert!(plain(&document(table)).sure.is_none());
    // What is told as a warning needs no card.
    let warned = "{\"level\": \"WARNING\", \"msg\": \"CUDA out of memory, smaller batch\"}";
    assert_eq!(read(warned).as_deref(), Some(""));
}

#[test]
fn hostile_texts_end() {
    for part in [
        "\\", "\\n", "{\"", "\"", "&", "<", "<br", "[", "[0m", "\u{a0}", "> ", "│", "\\u", "-> 1",
        "*** ", "##[", "#1 2.3 ", "[a](", "File \"", "'", " ",
    ] {
        for n in [1, 2, 3, 5000] {
            let text = part.repeat(n);
            let lines = format!("{part}\n").repeat(n);
            for text in [
                &text,
                &lines,
                &format!("{{\"msg\": \"{text}"),
                &format!("b'{text}'"),
                &format!("{text}é"),
            ] {
                read(text);
            }
            read(&format!(
                "ValueError   Traceback (most recent call last) {text}"
            ));
        }
    }
}
