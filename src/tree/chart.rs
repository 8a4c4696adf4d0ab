//! Curves of a session's memory and disk, with its events, on one time axis.
//!
//! A lane is drawn in a box of 1000 by 100 units that the page stretches to its width, so that one
//! tree fits a side panel and a printed report. Lines keep their width by the style sheet
//! (`vector-effect`).

use super::{Node, Tag};
use nbmedic_facts::number::fixed;
use nbmedic_words::{self as words, foreign, Text};
use serde::{Deserialize, Serialize};

/// Width of a lane's box, in its own units. No lane has more points than twice this.
const WIDTH: f64 = 1000.0;
/// Height of a lane's box.
const HEIGHT: f64 = 100.0;
/// Room above the highest value.
const HEADROOM: f64 = 1.08;

/// One reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Point {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Bytes in use.
    pub used: u64,
    /// Total bytes; 0: not shown.
    pub total: u64,
}

/// The readings of one quantity, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Series {
    /// `ram`, `gpu` or `disk`.
    pub key: String,
    /// What it is.
    pub what: Text,
    /// The readings. Between two that are further apart than `gap`, nothing is known.
    pub points: Vec<Point>,
}

/// How a run of a cell ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It is in progress.
    #[default]
    Running,
    /// It ended without an error.
    Well,
    /// It ended with an error, or with the kernel.
    Failed,
}

/// A run of a cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Span {
    /// When it started, in milliseconds since 1970.
    pub from: u64,
    /// When it ended, or the chart's end.
    pub to: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// What people call the cell.
    pub label: Text,
    /// The cell in a few characters: its count, else its position.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
}

/// Something that happened at one moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Mark {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// `failure`, `death`, `restart` or `install`.
    pub kind: String,
    /// What.
    pub label: Text,
}

/// A session's curves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Chart {
    /// The time at the left edge, in milliseconds since 1970.
    pub from: u64,
    /// The time at the right edge.
    pub to: u64,
    /// Readings further apart than this many milliseconds are not joined by a line.
    pub gap: u64,
    /// The curves.
    pub series: Vec<Series>,
    /// Runs of cells.
    pub spans: Vec<Span>,
    /// What happened.
    pub marks: Vec<Mark>,
}

impl Chart {
    /// The position of a time between the left edge (0) and the right (1000).
    fn x(&self, at: u64) -> f64 {
        let length = self.to.saturating_sub(self.from).max(1) as f64;
        let x = at.saturating_sub(self.from) as f64 / length * WIDTH;
        x.min(WIDTH)
    }

    /// The part of the chart between two times.
    pub fn between(&self, from: u64, to: u64) -> Chart {
        let mut part = self.clone();
        (part.from, part.to) = (from, to.max(from + 1));
        for s in &mut part.series {
            // One reading beyond each edge, so that the line reaches it.
            let first = s.points.partition_point(|p| p.at < from);
            let last = s.points.partition_point(|p| p.at <= to);
            let last = (last + 1).min(s.points.len());
            s.points = s.points[first.saturating_sub(1)..last].to_vec();
        }
        part.spans.retain(|s| s.to >= from && s.from <= to);
        part.marks.retain(|m| (from..=to).contains(&m.at));
        part
    }

    /// The tree: a lane for each series that has readings, and one for the runs.
    pub fn draw(&self) -> Node {
        let mut lanes = Node::new(Tag::Div).class("lanes");
        for (i, s) in self.series.iter().enumerate() {
            if !s.points.is_empty() {
                lanes = lanes.kid(self.lane(i, s));
            }
        }
        if !self.spans.is_empty() {
            lanes = lanes.kid(self.runs());
        }
        lanes
    }

    fn lane(&self, index: usize, s: &Series) -> Node {
        let last = s.points[s.points.len() - 1];
        let peak = s.points.iter().map(|p| p.used).max().unwrap_or(0);
        let total = s.points.iter().map(|p| p.total).max().unwrap_or(0);
        let top = (peak.max(total).max(1)) as f64 * HEADROOM;
        let y = |bytes: u64| HEIGHT - bytes as f64 / top * HEIGHT;
        let mut svg = svg(words::at_most(s.what.clone(), amount(peak, total)));
        let (area, line) = self.paths(s, y);
        svg = svg
            .kid(Node::new(Tag::Path).class("area").attr("d", area))
            .kid(Node::new(Tag::Path).class("line").attr("d", line));
        if total > 0 {
            svg = svg.kid(horizontal(y(total)));
        }
        let head = Node::new(Tag::Div)
            .class("head")
            .kid(Node::new(Tag::Span).class("what").text(s.what.clone()))
            .kid(
                Node::new(Tag::Span)
                    .class("value")
                    .text(amount(last.used, last.total)),
            );
        let body = Node::new(Tag::Div).class("plot").kid(self.marked(svg));
        Node::new(Tag::Div)
            .class("lane")
            .attr("data-series", index.to_string())
            .attr("data-what", s.key.as_str())
            .kid(head)
            .kid(body)
    }

    /// The area under a curve and the curve, at most one low and one high point for each unit of
    /// the width.
    fn paths(&self, s: &Series, y: impl Fn(u64) -> f64) -> (String, String) {
        let mut kept: Vec<Point> = Vec::new();
        let mut column = u64::MAX;
        for p in &s.points {
            let here = self.x(p.at) as u64;
            let n = kept.len();
            if here != column || n < 2 {
                column = here;
                kept.push(*p);
                kept.push(*p);
            } else if p.used > kept[n - 1].used.max(kept[n - 2].used) {
                kept[n - 1] = *p;
            } else if p.used < kept[n - 1].used.min(kept[n - 2].used) {
                kept[n - 2] = *p;
            }
        }
        let (mut area, mut line) = (String::new(), String::new());
        let mut start = 0.0;
        let mut before: Option<Point> = None;
        let close = |area: &mut String, from: f64, to: f64| {
            area.push_str(&format!("L{} 100L{} 100Z", tenth(to), tenth(from)));
        };
        for p in kept {
            if before == Some(p) {
                continue;
            }
            let (x, y) = (self.x(p.at), y(p.used));
            let joined = before.is_some_and(|b| p.at.saturating_sub(b.at) <= self.gap.max(1));
            if !joined {
                if let Some(b) = before {
                    close(&mut area, start, self.x(b.at));
                }
                start = x;
            }
            let to = if joined { 'L' } else { 'M' };
            let to = format!("{to}{} {}", tenth(x), tenth(y));
            area.push_str(&to);
            line.push_str(&to);
            before = Some(p);
        }
        if let Some(b) = before {
            close(&mut area, start, self.x(b.at));
        }
        (area, line)
    }

    /// One path for all runs with the same outcome: a page draws it sooner than a thousand boxes.
    fn runs(&self) -> Node {
        let mut svg = svg(words::runs_of_cells());
        for (class, outcome) in [
            ("run well", Outcome::Well),
            ("run failed", Outcome::Failed),
            ("run running", Outcome::Running),
        ] {
            let mut boxes = String::new();
            for s in self.spans.iter().filter(|s| s.outcome == outcome) {
                let from = self.x(s.from);
                // A run too short to be seen is drawn as a thin line.
                let width = tenth((self.x(s.to) - from).max(2.0));
                boxes.push_str(&format!("M{} 20h{width}v60h-{width}z", tenth(from)));
            }
            if !boxes.is_empty() {
                svg = svg.kid(Node::new(Tag::Path).class(class).attr("d", boxes));
            }
        }
        let head = Node::new(Tag::Div)
            .class("head")
            .kid(Node::new(Tag::Span).class("what").text(words::cells()));
        Node::new(Tag::Div)
            .class("lane runs")
            .kid(head)
            .kid(Node::new(Tag::Div).class("plot").kid(self.marked(svg)))
    }

    /// Adds the marks across a picture.
    fn marked(&self, svg: Node) -> Node {
        svg.kids(self.marks.iter().map(|m| {
            let x = tenth(self.x(m.at));
            Node::new(Tag::Line)
                .class(&format!("mark {}", m.kind))
                .attr("x1", x.clone())
                .attr("x2", x)
                .attr("y1", "0")
                .attr("y2", "100")
        }))
    }
}

fn tenth(n: f64) -> String {
    fixed(n, 1)
}

fn svg(label: words::Say) -> Node {
    Node::new(Tag::Svg)
        .attr("viewBox", "0 0 1000 100")
        .attr("preserveAspectRatio", "none")
        .attr("role", "img")
        .label("aria-label", label)
}

fn horizontal(y: f64) -> Node {
    let y = tenth(y);
    Node::new(Tag::Line)
        .class("limit")
        .attr("x1", "0")
        .attr("x2", "1000")
        .attr("y1", y.clone())
        .attr("y2", y)
}

/// An amount for people: "9.8 of 12.7 GiB".
pub fn amount(used: u64, total: u64) -> Text {
    const GIB: u64 = 1 << 30;
    let bytes = |n: u64| foreign(nbmedic_facts::bytes(i64::try_from(n).unwrap_or(i64::MAX)));
    let gib = |n: u64| foreign(fixed(n as f64 / GIB as f64, 1));
    match total {
        0 => bytes(used),
        GIB.. => words::amount_of(gib(used), gib(total)).into(),
        _ => words::used_of(bytes(used), bytes(total)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    fn chart(points: Vec<Point>) -> Chart {
        Chart {
            from: 0,
            to: 1000,
            gap: 100,
            series: vec![Series {
                key: "ram".into(),
                what: words::ram().into(),
                points,
            }],
            ..Chart::default()
        }
    }

    fn at(at: u64, used: u64) -> Point {
        Point {
            at,
            used: used * GIB,
            total: 10 * GIB,
        }
    }

    fn paths(node: &Node) -> Vec<&str> {
        let own = node.attrs.get("d").map(String::as_str);
        let kids = node.kids.iter().flat_map(paths);
        own.into_iter().chain(kids).collect()
    }

    #[test]
    fn a_gap_breaks_the_line() {
        let c = chart(vec![at(0, 0), at(50, 5), at(900, 5), at(950, 10)]);
        let tree = c.draw();
        let top = format!("{:.1}", 100.0 - 100.0 / 1.08);
        assert_eq!(
            paths(&tree)[1],
            format!("M0.0 100.0L50.0 53.7M900.0 53.7L950.0 {top}")
        );
        assert!(paths(&tree)[0].contains("L50.0 100L0.0 100Z"));
    }

    #[test]
    fn a_peak_of_one_reading_is_kept_among_a_hundred_thousand() {
        let mut points: Vec<Point> = (0..100_000).map(|i| at(i / 100, 1)).collect();
        points[54_321].used = 10 * GIB;
        let c = chart(points);
        let tree = c.draw();
        let line = paths(&tree)[1];
        assert!(line.contains("543.0 7.4"), "the peak");
        assert!(line.len() < 60_000, "{}", line.len());
    }

    #[test]
    fn a_part_reaches_its_edges() {
        let c = chart((0..10).map(|i| at(i * 100, i)).collect());
        let part = c.between(250, 450);
        let times: Vec<u64> = part.series[0].points.iter().map(|p| p.at).collect();
        assert_eq!(times, [200, 300, 400, 500]);
        assert!(chart(Vec::new()).between(5, 5).draw().kids.is_empty());
    }
}
