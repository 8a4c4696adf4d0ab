//! Values that are written into a file whose name announces a secret: `!echo … > token`, `%%writefile .vault_pass`.

use super::names;
use super::seam::{line_end, line_start};
use super::value::{entropy, is_expression, is_masked, is_mixed, is_stand_in};
use std::ops::Range;

/// Commands that may write a value into a file, in lower case.
pub const LITERALS: &[&str] = &[
    "echo ",
    "printf ",
    "%%writefile ",
    "<<eof",
    "<< eof",
    "<<'eof'",
    "<< 'eof'",
    "<<\"eof\"",
    ".write(",
    ".write_text(",
    "<<< ",
];

const LINE: usize = 400;

/// Whether a path names a file that holds a secret.
fn holds_secret(path: &str) -> bool {
    let path = path.trim_matches(|c: char| matches!(c, '"' | '\'' | ')' | '(' | ';' | '`'));
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let known = [
        ".netrc",
        "_netrc",
        ".pgpass",
        ".git-credentials",
        ".vault_pass",
        ".my.cnf",
    ];
    if known.contains(&file) {
        return true;
    }
    let stem = match file.rsplit_once('.') {
        Some((stem, ext)) if !stem.is_empty() && ext.len() <= 5 => {
            if matches!(
                ext,
                "py" | "md" | "pub" | "csv" | "parquet" | "jsonl" | "bin"
            ) {
                return false;
            }
            stem
        }
        _ => file,
    };
    names::is_of_secret(stem.trim_start_matches('.'))
}

/// Whether a word in such a file can be a secret.
fn is_value(said: &str) -> bool {
    let odd = is_mixed(said) || said.contains(['!', '@', '#', '&', '*']);
    said.len() >= 6
        && odd
        && !is_stand_in(said)
        && !is_masked(said)
        && !is_expression(said)
        && !said.starts_with(['$', '-', '/', '~'])
        && !said.contains([' ', '/'])
            | (said.len() >= 24 && !said.contains(' ') && entropy(said) > 3.5)
        && entropy(said) >= 2.2
}

fn quoted(text: &str, range: Range<usize>) -> Range<usize> {
    let said = &text[range.clone()];
    let mark = |c: char| matches!(c, '"' | '\'' | '\\');
    let lead = said.len() - said.trim_start_matches(mark).len();
    let tail = said.trim_end_matches("\\n").trim_end_matches(mark);
    let tail = tail.trim_end_matches("\\n");
    range.start + lead..(range.start + tail.len()).max(range.start + lead)
}

/// The written value.
pub fn value(text: &str, hit: Range<usize>) -> Option<Range<usize>> {
    let literal = text[hit.clone()].to_ascii_lowercase();
    let before = text[..hit.start].chars().next_back();
    let end = line_end(text, hit.end, LINE);
    let line = &text[hit.end..end];
    match literal.as_str() {
        "echo " | "printf " => {
            if before.is_some_and(char::is_alphanumeric) {
                return None;
            }
            if prints_password(&text[line_start(text, hit.start, 80)..hit.start]) {
                return printed(text, hit.end, line);
            }
            let to = line.rfind('>').map(|i| (i, i + 1));
            let to = to.or_else(|| line.find("| tee ").map(|i| (i, i + 6)));
            let (i, path) = to.filter(|(i, _)| *i > 0)?;
            let path = line[path..].trim_start().trim_start_matches("-a ");
            holds_secret(path.split_whitespace().next()?).then_some(())?;
            let said = line[..i].trim_end_matches(['>', ' ', '|']);
            let from = said.rfind(' ').map_or(0, |i| i + 1);
            let word = quoted(text, hit.end + from..hit.end + said.len());
            is_value(&text[word.clone()]).then_some(word)
        }
        "<<< " => {
            let start = line_start(text, hit.start, LINE);
            let command = &text[start..hit.start];
            let reads = ["login", "passw", "kinit", "sudo -S", "token", "secret"];
            reads.iter().any(|r| command.contains(r)).then_some(())?;
            let n = line.find(char::is_whitespace).unwrap_or(line.len());
            let word = quoted(text, hit.end..hit.end + n);
            is_value(&text[word.clone()]).then_some(word)
        }
        "%%writefile " => {
            let path = line
                .trim()
                .trim_start_matches("-a ")
                .split_whitespace()
                .next()?;
            holds_secret(path).then(|| body(text, end))?
        }
        ".write(" | ".write_text(" => {
            let first = line.trim_start_matches(['f', 'b', 'r']);
            first.starts_with(['"', '\'', '\\']).then_some(())?;
            let low = hit.start.saturating_sub(160);
            let mut from = low;
            while !text.is_char_boundary(from) {
                from += 1;
            }
            // The file's name is the last string before it, on this line or the one above.
            let lead = &text[from..hit.start];
            let close = lead.rfind(['"', '\''])?;
            let mut strings = lead[..close].rsplit(['"', '\'']);
            strings.by_ref().take(4).any(holds_secret).then_some(())?;
            let from = hit.end + (line.len() - first.len());
            let n = line_string(&text[from..end])?;
            let word = quoted(text, from..from + n);
            is_value(&text[word.clone()]).then_some(word)
        }
        _ => {
            let start = line_start(text, hit.start, LINE);
            let command = [&text[start..hit.start], " ", line].concat();
            let path = command.split('>').nth(1)?.split_whitespace().next()?;
            holds_secret(path).then(|| body(text, end))?
        }
    }
}

/// Whether the option or setting before a command takes the password that it prints: `--password-command "echo …"`.
fn prints_password(before: &str) -> bool {
    let lead = before
        .trim_end_matches(['"', '\'', '=', ' ', ':'])
        .to_ascii_lowercase();
    let names = ["command", "_cmd", "-cmd", "passcmd", "eval"];
    let word = lead.rsplit([' ', '\t']).next().unwrap_or("");
    word.contains("pass") && names.iter().any(|n| word.ends_with(n))
}

/// The last word of such a command.
fn printed(text: &str, from: usize, line: &str) -> Option<Range<usize>> {
    let n = line.find(['"', '\'']).unwrap_or(line.len());
    let said = line[..n].trim_end();
    let start = said.rfind(' ').map_or(0, |i| i + 1);
    let word = from + start..from + said.len();
    let odd = !is_stand_in(&text[word.clone()]) && !text[word.clone()].starts_with(['$', '%', '-']);
    (odd && word.len() >= 4).then_some(word)
}

/// The length of a string with its quotes.
fn line_string(said: &str) -> Option<usize> {
    let mark = said.trim_start_matches('\\').chars().next()?;
    let open = said.find(mark)? + 1;
    Some(open + said[open..].find(mark)? + 1)
}

/// A body of one word on the next line.
fn body(text: &str, end: usize) -> Option<Range<usize>> {
    let from = end + 1;
    if from >= text.len() || !text.is_char_boundary(from) {
        return None;
    }
    let stop = line_end(text, from, LINE);
    let said = &text[from..stop];
    let lead = said.len() - said.trim_start().len();
    let word = quoted(text, from + lead..from + said.trim_end().len().max(lead));
    is_value(&text[word.clone()]).then_some(word)
}
