//! Dates that don't match the given format.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, only, quoted, said, set_keyword, text_of};
use nbmedic_facts::{Basis, Cure};
use nbmedic_python::{keyword, positional};
use nbmedic_wordings::pandas;

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let first = case.message().lines().next().unwrap_or("");
    if case.class() == "ValueError"
        && (first.starts_with("time data ") || pandas::UNCONVERTED_DATA.begins(first))
    {
        out.extend(dates(case, first));
    }
}

/// A date that doesn't match `format`, or the format of the first date.
fn dates(case: &Case<'_>, first: &str) -> Option<Cure> {
    let spot = case.spot()?;
    let call = only(
        spot.calls()
            .filter(|c| matches!(callee(c), Some("to_datetime" | "strptime"))),
    )?;
    let datum = crate::find::quoted_after(first, "time data ");
    let format = keyword(call, "format").map(|k| &k.value).or_else(|| {
        (callee(call) == Some("strptime"))
            .then(|| positional(call, 1))
            .flatten()
    });
    let Some(format) = format else {
        // The first date's format was used for all.
        (callee(call) == Some("to_datetime")).then_some(())?;
        let by_day = datum.is_some_and(|d| {
            let first = d
                .split(['/', '-', '.'])
                .next()
                .and_then(|p| p.parse::<u32>().ok());
            first.is_some_and(|n| (13..=31).contains(&n))
        });
        let (name, value, why) = match by_day {
            true => ("dayfirst", "True", "The day stands first in it."),
            false => (
                "format",
                "\"mixed\"",
                "The dates have several forms; each is then read by itself.",
            ),
        };
        return case.edits(
            said(
                "date-format",
                Basis::Assumed,
                format!("Add `{name}={value}` to `to_datetime`"),
                format!(
                    "{} does not have the form of the first date. {why}",
                    datum.map_or("A date".to_owned(), |d| format!("`{d}`"))
                ),
            ),
            vec![set_keyword(spot.cell, spot.python, call, name, value)],
        );
    };
    let old = text_of(format)?;
    let new = form_of(datum?, old)?;
    (new != old).then_some(())?;
    case.edits(
        said(
            "date-format",
            Basis::Assumed,
            format!("Replace the format {} by {}", quoted(old), quoted(&new)),
            format!("That is how `{}` is written.", datum?),
        ),
        vec![Change::replace(spot.cell, format, quoted(&new))],
    )
}

/// The `strptime` format of a date. `old` decides between day and month if both are possible.
fn form_of(datum: &str, old: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = datum;
    let mut fields: Vec<(usize, &str)> = Vec::new();
    while let Some(c) = rest.chars().next() {
        let run = |f: fn(char) -> bool| rest.find(|c| !f(c)).unwrap_or(rest.len());
        if c.is_ascii_digit() {
            let end = run(|c| c.is_ascii_digit());
            fields.push((out.len(), &rest[..end]));
            out.push('\u{1}');
            rest = &rest[end..];
        } else if c.is_alphabetic() {
            let end = run(char::is_alphabetic);
            let word = rest[..end].to_ascii_lowercase();
            const MONTHS: &[&str] = &[
                "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
            ];
            const DAYS: &[&str] = &["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
            let begins = |list: &[&str]| list.iter().any(|m| word.starts_with(m));
            out += match word.as_str() {
                "am" | "pm" => "%p",
                "t" => "T",
                "z" => "Z",
                "utc" | "gmt" => "%Z",
                _ if begins(MONTHS) && word.len() == 3 => "%b",
                _ if begins(MONTHS) => "%B",
                _ if begins(DAYS) && word.len() == 3 => "%a",
                _ if begins(DAYS) => "%A",
                _ => return None,
            };
            rest = &rest[end..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    let letter_month = out.contains("%b") || out.contains("%B");
    let values: Vec<&str> = fields.iter().map(|f| f.1).collect();
    let number = |at: usize| {
        values
            .get(at)
            .and_then(|v| v.parse::<u32>().ok())
            .unwrap_or(0)
    };
    let day_first_before = old
        .find("%d")
        .zip(old.find("%m"))
        .is_none_or(|(d, m)| d < m);
    let mut codes: Vec<&str> = Vec::new();
    let date: &[&str] = match values.first()?.len() {
        8 if values.len() == 1 => return Some(out.replace('\u{1}', "%Y%m%d")),
        4 if letter_month => &["%Y", "%d"],
        4 => &["%Y", "%m", "%d"],
        1 | 2 if letter_month => &["%d", "%Y"],
        1 | 2 if number(0) > 12 => &["%d", "%m", "%Y"],
        1 | 2 if number(1) > 12 => &["%m", "%d", "%Y"],
        1 | 2 if day_first_before => &["%d", "%m", "%Y"],
        1 | 2 => &["%m", "%d", "%Y"],
        _ => return None,
    };
    codes.extend(date);
    let hour = if out.contains("%p") { "%I" } else { "%H" };
    codes.extend([hour, "%M", "%S", "%f"]);
    let mut filled = String::new();
    let mut at = 0;
    for c in out.chars() {
        if c != '\u{1}' {
            filled.push(c);
            continue;
        }
        let code = *codes.get(at)?;
        let short = code == "%Y" && values.get(at).is_some_and(|v| v.len() == 2);
        filled += if short { "%y" } else { code };
        at += 1;
    }
    Some(filled)
}

#[cfg(test)]
mod tests {
    use super::form_of;
    use crate::tests::{ipython, repaired};

    const SETUP: &str = "import pandas as pd\nimport numpy as np\ndf = pd.read_csv('a.csv')";

    fn one(line: &str, class: &str, message: &str) -> String {
        let first = line.lines().next().unwrap_or("");
        repaired(&[SETUP, line], &ipython(class, &[(2, 1, first)], message))
    }

    #[test]
    fn the_form_of_a_date() {
        for (datum, old, new) in [
            ("31.12.2024", "%m.%d.%Y", "%d.%m.%Y"),
            ("2021/03/05", "%d-%m-%Y", "%Y/%m/%d"),
            ("2021-03-05 10:20:30", "%Y-%m-%d", "%Y-%m-%d %H:%M:%S"),
            ("5 Jan 21", "%d %B %Y", "%d %b %y"),
            ("January 5, 2021", "%d %B %Y", "%B %d, %Y"),
            ("01/02/2021 05:10 PM", "%Y", "%d/%m/%Y %I:%M %p"),
            ("20210305", "%Y-%m-%d", "%Y%m%d"),
            ("2021-03-05T10:20:30.5Z", "%Y", "%Y-%m-%dT%H:%M:%S.%fZ"),
        ] {
            assert_eq!(form_of(datum, old).as_deref(), Some(new), "{datum}");
        }
        for message in [
            "time data '31.12.2024' does not match format '%m.%d.%Y' (match)",
            "time data \"31.12.2024\" doesn't match format \"%m.%d.%Y\"",
        ] {
            assert_eq!(
                one(
                    "d = pd.to_datetime(df.d, format='%m.%d.%Y')",
                    "ValueError",
                    message
                ),
                "d = pd.to_datetime(df.d, format=\"%d.%m.%Y\")"
            );
        }
        let position = "time data \"25/02/2020\" doesn't match format \"%m/%d/%Y\", at position 3. You might want to try:";
        assert_eq!(
            one("d = pd.to_datetime(df.d)", "ValueError", position),
            "d = pd.to_datetime(df.d, dayfirst=True)"
        );
    }
}
