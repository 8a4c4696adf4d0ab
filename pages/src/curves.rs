//! The curves of a session: drawn, and read with the pointer or the arrow keys.

use crate::ask::append;
use crate::render::{draw, element, label, worded};
use crate::words::spoken;
use gloo_events::{EventListener, EventListenerOptions};
use js_sys::{Array, Function, Intl::DateTimeFormat, Object, Reflect};
use nbmedic_facts::number::fixed;
use nbmedic_tree::chart::{amount, Chart, Outcome, Point};
use nbmedic_words::{self as words, foreign};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, KeyboardEvent, MouseEvent};

/// Time ranges that the user can choose, in milliseconds; 0: all.
const RANGES: [(words::Message, u64); 3] = [
    (words::range_all, 0),
    (words::range_hour, 3_600_000),
    (words::range_ten, 600_000),
];

/// No name fits into less than this much of the width, in percent.
const ROOM: f64 = 1.0;

thread_local! {
    /// Formats times of day. Creating it takes longer than using it a hundred times.
    static CLOCK: Function = {
        let options = Object::new();
        for part in ["hour", "minute", "second"] {
            let _ = Reflect::set(&options, &part.into(), &"2-digit".into());
        }
        DateTimeFormat::new(&Array::new(), &options).format()
    };
}

/// A time of day, formatted for people.
pub fn clock(at: u64) -> String {
    let said = CLOCK.with(|clock| clock.call1(&JsValue::NULL, &JsValue::from_f64(at as f64)));
    said.ok().and_then(|s| s.as_string()).unwrap_or_default()
}

/// Listeners of the drawn elements, dropped together with them.
pub type Listeners = Rc<RefCell<Vec<EventListener>>>;

/// The user's choices, kept when the panel redraws.
#[derive(Clone, Default)]
pub struct Choice {
    /// The length shown; 0: all.
    pub range: Rc<Cell<u64>>,
    /// The time under the cursor.
    pub cursor: Rc<Cell<Option<u64>>>,
}

struct Curves {
    chart: Chart,
    part: RefCell<Chart>,
    choice: Choice,
    place: Element,
    readout: Element,
    listeners: std::rc::Weak<RefCell<Vec<EventListener>>>,
}

impl Curves {
    fn hold(&self, listener: EventListener) {
        if let Some(listeners) = self.listeners.upgrade() {
            listeners.borrow_mut().push(listener);
        }
    }
}

/// Draws a chart into its place.
pub fn show(place: &Element, chart: Chart, choice: &Choice, listeners: &Listeners) {
    if chart.series.iter().all(|s| s.points.is_empty()) && chart.spans.is_empty() {
        append(place, &worded("p", "empty", words::no_figures()));
        return;
    }
    let readout = element("p", "readout");
    let _ = readout.set_attribute("role", "status");
    let curves = Rc::new(Curves {
        part: RefCell::new(chart.clone()),
        chart,
        choice: choice.clone(),
        place: element("div", "lanes-place"),
        readout,
        listeners: Rc::downgrade(listeners),
    });
    append(place, &ranges(&curves));
    append(place, &curves.place);
    append(place, &curves.readout);
    draw_part(&curves);
}

fn ranges(curves: &Rc<Curves>) -> Element {
    let row = element("div", "ranges");
    let _ = row.set_attribute("role", "group");
    label(&row, words::time_shown());
    let length = curves.chart.to - curves.chart.from;
    for (name, range) in RANGES {
        if range > 0 && length <= range {
            continue;
        }
        let button = worded("button", "", name());
        let _ = button.set_attribute("type", "button");
        let pressed = curves.choice.range.get() == range;
        let _ = button.set_attribute("aria-pressed", if pressed { "true" } else { "false" });
        let (c, row) = (curves.clone(), row.clone());
        let listener = EventListener::new(&button.clone(), "click", move |_| {
            c.choice.range.set(range);
            let buttons = row.children();
            for i in 0..buttons.length() {
                if let Some(b) = buttons.item(i) {
                    let _ = b.set_attribute("aria-pressed", "false");
                }
            }
            let _ = button.set_attribute("aria-pressed", "true");
            draw_part(&c);
        });
        curves.hold(listener);
    }
    row
}

fn draw_part(curves: &Rc<Curves>) {
    let chart = &curves.chart;
    let range = curves.choice.range.get();
    let from = match range {
        0 => chart.from,
        n => chart.to.saturating_sub(n).max(chart.from),
    };
    let part = chart.between(from, chart.to);
    let lanes: HtmlElement = draw(&part.draw()).unchecked_into();
    lanes.set_tab_index(0);
    let _ = lanes.set_attribute("role", "group");
    label(&lanes, words::curves());
    let on = lanes.query_selector(".plot").ok().flatten();
    append(on.as_ref().unwrap_or(&lanes), &names(&part));
    let axis = element("div", "axis");
    append(&axis, &worded("span", "", foreign(clock(part.from))));
    append(&axis, &worded("span", "", foreign(clock(part.to))));
    curves.place.set_text_content(None);
    append(&curves.place, &lanes);
    append(&curves.place, &axis);
    curves.part.replace(part);
    listen(curves, &lanes);
    if let Some(at) = curves.choice.cursor.get() {
        point_at(curves, &lanes, at);
    }
}

/// The cells' names below the curve, each from the start of its run to the next. The style sheet hides one that does not
/// fit. The readout says them, so screen readers skip them.
fn names(part: &Chart) -> Element {
    let row = element("div", "names");
    let _ = row.set_attribute("aria-hidden", "true");
    let length = (part.to - part.from).max(1) as f64;
    let place = |at: u64| at.clamp(part.from, part.to).abs_diff(part.from) as f64 / length * 100.0;
    for (i, span) in part.spans.iter().enumerate() {
        let from = place(span.from);
        let to = part.spans.get(i + 1).map_or(100.0, |next| place(next.from));
        if to - from < ROOM || span.name.is_empty() {
            continue;
        }
        let name_box: HtmlElement = element("span", "name").unchecked_into();
        append(&name_box, &worded("span", "", foreign(span.name.as_str())));
        for (name, value) in [("left", from), ("width", to - from)] {
            let value = format!("{}%", fixed(value, 2));
            let _ = name_box.style().set_property(name, &value);
        }
        append(&row, &name_box);
    }
    row
}

fn listen(curves: &Rc<Curves>, lanes: &HtmlElement) {
    let (c, l) = (curves.clone(), lanes.clone());
    let listener = EventListener::new(lanes, "pointermove", move |event| {
        let Some(event) = event.dyn_ref::<MouseEvent>() else {
            return;
        };
        let area = l.get_bounding_client_rect();
        let share = (f64::from(event.client_x()) - area.left()) / area.width().max(1.0);
        let at = {
            let part = c.part.borrow();
            part.from + (share.clamp(0.0, 1.0) * (part.to - part.from) as f64) as u64
        };
        point_at(&c, &l, at);
    });
    curves.hold(listener);
    let (c, l) = (curves.clone(), lanes.clone());
    let active = EventListenerOptions::enable_prevent_default();
    let listener = EventListener::new_with_options(lanes, "keydown", active, move |event| {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        if let Some(at) = step(&c, &key.key()) {
            key.prevent_default();
            point_at(&c, &l, at);
        }
    });
    curves.hold(listener);
}

/// The time that a key selects.
fn step(curves: &Curves, key: &str) -> Option<u64> {
    let part = curves.part.borrow();
    let times = part
        .series
        .iter()
        .flat_map(|s| s.points.iter().map(|p| p.at))
        .chain(part.marks.iter().map(|m| m.at))
        .filter(|at| (part.from..=part.to).contains(at));
    let now = curves.choice.cursor.get();
    match key {
        "ArrowLeft" => times.filter(|t| now.is_none_or(|n| *t < n)).max(),
        "ArrowRight" => times.filter(|t| now.is_none_or(|n| *t > n)).min(),
        "Home" => times.min(),
        "End" => times.max(),
        _ => None,
    }
}

/// The last reading at a time, unless it is too old.
fn reading(points: &[Point], at: u64, gap: u64) -> Option<Point> {
    let after = points.partition_point(|p| p.at <= at);
    let before = after.checked_sub(1).map(|i| points[i]);
    before.filter(|p| at - p.at <= gap.max(1))
}

fn point_at(curves: &Curves, lanes: &Element, at: u64) {
    let part = curves.part.borrow();
    let at = at.clamp(part.from, part.to);
    curves.choice.cursor.set(Some(at));
    let mut said = vec![clock(at)];
    for (i, s) in part.series.iter().enumerate() {
        let Some(lane) = lanes
            .query_selector(&format!("[data-series=\"{i}\"] .value"))
            .ok()
            .flatten()
        else {
            continue;
        };
        let text = match reading(&s.points, at, part.gap) {
            Some(p) => spoken(&amount(p.used, p.total)),
            None => spoken(&words::not_known().into()),
        };
        lane.set_text_content(Some(&text));
        said.push(format!("{} {text}", spoken(&s.what)));
    }
    for s in part.spans.iter().filter(|s| s.from <= at && at <= s.to) {
        said.push(match s.outcome {
            Outcome::Failed => spoken(&words::label_failed(s.label.clone()).into()),
            _ => spoken(&s.label),
        });
    }
    let near = (part.to - part.from) / 100;
    for m in part.marks.iter().filter(|m| m.at.abs_diff(at) <= near) {
        said.push(spoken(&m.label));
    }
    curves.readout.set_text_content(Some(&said.join(" · ")));
    let share = (at - part.from) as f64 / (part.to - part.from).max(1) as f64 * 100.0;
    let cursor = lanes.query_selector(".cursor").ok().flatten();
    let cursor = cursor.unwrap_or_else(|| {
        let new = element("div", "cursor");
        append(lanes, &new);
        new
    });
    if let Some(cursor) = cursor.dyn_ref::<HtmlElement>() {
        let _ = cursor
            .style()
            .set_property("left", &format!("{}%", fixed(share, 2)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_holds_until_the_next_one_and_no_longer_than_the_gap() {
        let at = |at| Point {
            at,
            used: at,
            total: 0,
        };
        let points = [at(100), at(200)];
        assert_eq!(reading(&points, 150, 60), Some(points[0]));
        assert_eq!(reading(&points, 200, 60), Some(points[1]));
        assert_eq!(reading(&points, 261, 60), None);
        assert_eq!(reading(&points, 50, 60), None);
    }
}
