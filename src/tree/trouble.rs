//! What failed in nbmedic itself, in words, and a report about it that says nothing of a notebook.

use super::{Node, Tag};
use nbmedic_words::{self as words, Say};
use serde::Deserialize;
use std::fmt::Write;

/// A failure, as the background wrote it down.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Trouble {
    /// Which one: see [`trouble`].
    pub code: String,
    /// When it was last, in milliseconds since 1970.
    pub at: f64,
    /// How often it was.
    pub count: u32,
    /// It works again.
    pub over: bool,
    /// The diagnosis or file concerned; empty: none.
    pub id: String,
    /// The error's own words, without secrets and names.
    pub detail: String,
}

/// What a report about nbmedic itself is made of.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Health {
    /// nbmedic's version.
    pub version: String,
    /// What the browser calls itself.
    pub browser: String,
    /// What is stored.
    pub usage: Usage,
    /// What failed.
    pub troubles: Vec<Trouble>,
}

/// What is stored.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(default)]
pub struct Usage {
    /// Pages.
    pub pages: u32,
    /// Characters of their events, roughly.
    pub size: f64,
}

impl Trouble {
    /// What happened and what it means for the user.
    fn words(&self) -> Say {
        let id = words::foreign(self.id.as_str());
        match self.code.as_str() {
            "engine-stopped" if self.over => words::engine_stopped_over(),
            "engine-stopped" => words::engine_stopped(),
            "engine-left" if self.over => words::engine_left_over(),
            "engine-left" => words::engine_left(),
            "engine-missing" if self.over => words::engine_missing_over(),
            "engine-missing" => words::engine_missing(),
            "prose-missing" => words::prose_missing(id),
            "style-missing" => words::style_missing(id),
            "store-full" => words::store_full(),
            "store-renewed" => words::store_renewed(),
            "store-memory" => words::store_memory(),
            _ => words::something_failed(),
        }
    }

    /// Whether another try may help.
    pub fn can_retry(&self) -> bool {
        !self.over && self.code.starts_with("engine-")
    }
}

/// The failures, the latest first; `None` if there are none.
pub fn trouble(list: &[Trouble], now_ms: f64) -> Option<Node> {
    if list.is_empty() {
        return None;
    }
    let items = list.iter().rev().map(|t| {
        let class = if t.over { "over" } else { "trouble" };
        let often = match t.count {
            0 | 1 => ago(now_ms - t.at),
            n => words::times(ago(now_ms - t.at), n),
        };
        Node::new(Tag::Li)
            .class(class)
            .attr("data-code", t.code.as_str())
            .text(t.words())
            .kid(Node::new(Tag::Small).text(often))
    });
    Some(
        Node::new(Tag::Section)
            .class("troubles")
            .kid(Node::new(Tag::H2).text(words::troubles()))
            .kid(Node::new(Tag::Ul).kids(items)),
    )
}

fn ago(ms: f64) -> Say {
    match (ms / 60_000.0) as u64 {
        0 => words::just_now(),
        1 => words::minute_ago(),
        n @ 2..=90 => words::minutes_ago(n),
        n => words::hours_ago((n + 30) / 60),
    }
}

/// The report about nbmedic itself, in Markdown.
pub fn self_report(health: &Health) -> String {
    let Health {
        version,
        browser,
        usage,
        troubles,
    } = health;
    let mut text = format!(
        "# nbmedic about itself\n\n- nbmedic {version}\n- {}\n- stored: {} pages, {} characters\n\n",
        cell(browser),
        usage.pages,
        usage.size as u64,
    );
    if troubles.is_empty() {
        text.push_str("Nothing failed in the last day.\n");
        return text;
    }
    text.push_str(
        "| last (UTC) | what | of | times | works again | detail |\n|---|---|---|---|---|---|\n",
    );
    for t in troubles {
        let over = if t.over { "yes" } else { "no" };
        // Writing to a string can't fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {over} | {} |",
            utc(t.at),
            cell(&t.code),
            cell(&t.id),
            t.count,
            cell(&t.detail),
        );
    }
    text
}

/// A text that stays in its table cell and forms no markup.
fn cell(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    one_line.replace(['|', '<', '`'], " ")
}

/// `2026-01-31 23:59`. The calendar is Howard Hinnant's `civil_from_days`.
fn utc(ms: f64) -> String {
    let minutes = (ms / 60_000.0) as u64;
    let days = minutes / 1440 + 719_468;
    let era = days / 146_097;
    let doe = days % 146_097;
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + u64::from(month <= 2);
    let (hour, minute) = (minutes / 60 % 24, minutes % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(code: &str, over: bool) -> Trouble {
        Trouble {
            code: code.into(),
            at: 1_790_000_000_000.0,
            count: 3,
            over,
            id: "gpu-oom".into(),
            detail: "RuntimeError: un|reachable\n<b>".into(),
        }
    }

    #[test]
    fn every_code_of_the_background_has_words_of_its_own() {
        let codes = [
            "engine-stopped",
            "engine-left",
            "engine-missing",
            "prose-missing",
            "style-missing",
            "store-full",
            "store-renewed",
            "store-memory",
            "failed",
        ];
        let words: std::collections::BTreeSet<String> = codes
            .iter()
            .map(|c| sample(c, false).words().english())
            .collect();
        assert_eq!(words.len(), codes.len());
        let missing = sample("prose-missing", false).words();
        assert!(missing.english().contains("gpu-oom"));
    }

    #[test]
    fn the_latest_stands_first_and_what_is_over_looks_so() {
        assert!(trouble(&[], 0.0).is_none());
        let list = [sample("engine-stopped", true), sample("store-full", false)];
        let tree = trouble(&list, 1_790_000_000_000.0 + 3.0 * 60_000.0).unwrap();
        let items = &tree.kids[1].kids;
        assert_eq!(
            (items[0].class.as_str(), items[1].class.as_str()),
            ("trouble", "over")
        );
        assert_eq!(items[0].kids[0].text.english(), "3 minutes ago, 3 times");
        assert!(sample("engine-left", false).can_retry());
        assert!(
            !sample("engine-left", true).can_retry() && !sample("store-full", false).can_retry()
        );
    }

    #[test]
    fn the_report_is_a_table_that_nothing_breaks() {
        let report = self_report(&Health {
            version: "1.2.3".into(),
            browser: "Browser/1".into(),
            usage: Usage {
                pages: 2,
                size: 300.0,
            },
            troubles: vec![sample("engine-left", false)],
        });
        let row = "| 2026-09-21 14:13 | engine-left | gpu-oom | 3 | no | RuntimeError: un reachable  b> |";
        assert_eq!(report.lines().last(), Some(row));
        assert!(report.contains("- stored: 2 pages, 300 characters"));
        assert!(self_report(&Health::default()).contains("Nothing failed"));
    }

    #[test]
    fn the_calendar_is_right() {
        assert_eq!(utc(0.0), "1970-01-01 00:00");
        assert_eq!(utc(951_782_340_000.0), "2000-02-28 23:59");
        assert_eq!(utc(951_782_400_000.0), "2000-02-29 00:00");
        assert_eq!(utc(1_767_225_599_000.0), "2025-12-31 23:59");
    }
}
