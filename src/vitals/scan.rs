//! Finds `number unit / number unit` in a widget's text.

use super::reading::Reading;
use nbmedic_facts::number::decimal;

/// What a pair measures, if its label is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    None,
    Ram,
    Disk,
    Gpu,
}

/// A pair of numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub label: Label,
    pub reading: Reading,
}

/// Label words that were seen on a page or are in JupyterLab's language packs (4.5), their ASCII
/// letters in lower case, the more specific first: "GPU RAM" is not "RAM". For other labels the
/// order decides; a guessed word would decide wrongly.
const LABELS: &[(&str, Label)] = &[
    ("gpu", Label::Gpu),
    ("vram", Label::Gpu),
    ("ram", Label::Ram),
    ("ОЗУ", Label::Ram),
    ("mem", Label::Ram),
    ("mém", Label::Ram),
    ("Память", Label::Ram),
    ("메모리", Label::Ram),
    ("内存", Label::Ram),
    ("Диск", Label::Disk),
    ("disk", Label::Disk),
    ("ディスク", Label::Disk),
];

/// Maximum distance from a pair to the label before it, in bytes.
const LABEL_REACH: usize = 64;

struct Number {
    value: f64,
    /// 1024 to this power; `None`: no unit.
    power: Option<u32>,
    end: usize,
}

/// All pairs of a text, and single numbers with a unit and a known label, in order.
pub(super) fn pairs(text: &str) -> Vec<Pair> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut label_from = 0;
    while let Some(step) = text[at..].find(|c: char| c.is_ascii_digit()) {
        let start = at + step;
        let Some(first) = number(text, start) else {
            at = start + 1;
            continue;
        };
        at = first.end;
        let label = label(&text[label_from..start]);
        let slash = skip_space(text, first.end);
        let second = text[slash..]
            .starts_with('/')
            .then(|| skip_space(text, slash + 1))
            .and_then(|from| number(text, from));
        let reading = match &second {
            Some(second) => second.power.map(|unit| Reading::Known {
                used: bytes(first.value, first.power.unwrap_or(unit)),
                total: Some(bytes(second.value, unit)),
            }),
            None if label != Label::None => first.power.map(|unit| Reading::Known {
                used: bytes(first.value, unit),
                total: None,
            }),
            None => None,
        };
        if let Some(second) = second {
            at = second.end;
        }
        if let Some(reading) = reading {
            out.push(Pair { label, reading });
            label_from = at;
        }
    }
    out
}

fn bytes(value: f64, power: u32) -> u64 {
    (value * 1024f64.powi(power as i32)).round() as u64
}

fn label(before: &str) -> Label {
    let mut from = before.len().saturating_sub(LABEL_REACH);
    while !before.is_char_boundary(from) {
        from += 1;
    }
    let before = before[from..].to_ascii_lowercase();
    // The nearest line that names something.
    before
        .lines()
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .and_then(|line| LABELS.iter().find(|(word, _)| line.contains(word)))
        .map_or(Label::None, |(_, label)| *label)
}

fn is_space(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{2007}'
    )
}

fn skip_space(text: &str, from: usize) -> usize {
    let rest = &text[from..];
    from + (rest.len() - rest.trim_start_matches(is_space).len())
}

/// A decimal number at `from`, and the unit after it.
fn number(text: &str, from: usize) -> Option<Number> {
    let rest = &text[from..];
    let mut digits = String::new();
    let mut end = 0;
    let mut mark: Option<char> = None;
    for (i, c) in rest.char_indices() {
        match c {
            '0'..='9' => {
                digits.push(c);
                end = i + 1;
            }
            '.' | ',' if i > 0 && i == end && digits.len() < 20 => {
                if let Some(seen) = mark {
                    // A second mark: the first one separated thousands.
                    if seen == c {
                        return None;
                    }
                    digits.retain(|d| d != '.');
                }
                mark = Some(c);
                digits.push('.');
            }
            // Thousands as in "1 234,5" and "1'234.5": exactly three digits follow.
            '\u{a0}' | '\u{202f}' | '\'' | '’' if mark.is_none() && i == end && i > 0 => {
                let next = rest[i + c.len_utf8()..].bytes();
                if next.take_while(u8::is_ascii_digit).take(4).count() != 3 {
                    break;
                }
                end = i + c.len_utf8();
            }
            _ => break,
        }
        if digits.len() > 20 {
            return None;
        }
    }
    let point = digits.find('.');
    if point.is_some_and(|p| mark == Some(',') && digits.len() - p == 4) {
        digits.retain(|d| d != '.');
    }
    let value = decimal(digits.trim_end_matches('.'))?;
    let end = from + end;
    let (power, end) = match unit(text, skip_space(text, end)) {
        Some((power, after)) => (Some(power), after),
        None => (None, end),
    };
    Some(Number { value, power, end })
}

/// A unit at `from`, as the Unicode locale data write them (GB, Go, ГБ, Gt): its power of 1024 and
/// where it ends.
fn unit(text: &str, from: usize) -> Option<(u32, usize)> {
    let mut chars = text[from..].char_indices();
    let (_, prefix) = chars.next()?;
    let power = match prefix {
        'k' | 'K' | 'к' | 'К' => 1,
        'M' | 'М' => 2,
        'G' | 'Г' => 3,
        'T' | 'Т' => 4,
        'P' | 'П' => 5,
        _ => return None,
    };
    let (mut i, mut c) = chars.next()?;
    if c == 'i' || c == 'и' {
        (i, c) = chars.next()?;
    }
    if !matches!(c, 'B' | 'o' | 't' | 'Б' | 'б') {
        return None;
    }
    // "GBit" and other words that begin like a unit are not units.
    match chars.next() {
        Some((_, next)) if next.is_alphanumeric() => None,
        _ => Some((power, from + i + c.len_utf8())),
    }
}
