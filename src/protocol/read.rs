//! Reading what a sensor sent and what was stored.

use super::event::Event;
use nbmedic_json::{self as json, Value};
use serde::Deserialize;

impl Event {
    /// Reads one event and bounds it; `None` if this version doesn't know it or can't read it. A
    /// sensor may be newer than the engine.
    pub fn parse(text: &str) -> Option<Event> {
        Event::read(json::parse(text).ok()?)
    }

    /// Reads one event and bounds it; `None` if this version doesn't know it or can't read it.
    pub fn read(value: Value) -> Option<Event> {
        let mut event = Event::deserialize(value).ok()?;
        event.bound();
        Some(event)
    }
}

/// Reads a batch. Events that this version doesn't know are left out.
///
/// # Errors
/// A message if the text is not a JSON array.
pub fn parse_events(text: &str) -> Result<Vec<Event>, String> {
    let events: Vec<Value> =
        json::parse(text).map_err(|error| format!("not a list of events: {error}"))?;
    Ok(events.into_iter().filter_map(Event::read).collect())
}

/// One line of an event log.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LogLine {
    /// When the batch came, in milliseconds since 1970.
    pub at: u64,
    /// The page.
    pub page: String,
    /// What happened.
    pub events: Vec<Event>,
}

impl LogLine {
    /// Reads one line of an event log.
    ///
    /// # Errors
    /// A message if the line is not an object with `events`.
    pub fn parse(line: &str) -> Result<LogLine, String> {
        #[derive(Deserialize)]
        struct Raw {
            #[serde(default)]
            at: f64,
            #[serde(default)]
            page: String,
            events: Vec<Value>,
        }
        let raw: Raw =
            json::parse(line).map_err(|error| format!("not a line of an event log: {error}"))?;
        Ok(LogLine {
            // Negative times become 0.
            at: raw.at as u64,
            page: raw.page,
            events: raw.events.into_iter().filter_map(Event::read).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{parse_events, CellState, Event, KernelStatus, MAX_HEAD, MAX_TAIL};

    #[test]
    fn what_is_not_known_is_left_out_and_the_rest_is_read() {
        let events = parse_events(
            r#"[{"t":"comet","nb":7},{"t":"cell","nb":"n","cell":"c","state":"levitating","new":[1]},
                {"t":"cell","nb":"n","cell":"c","run":"three"},{"nb":"n"},17,
                {"t":"kernel","key":"kernel:n","nb":"n","status":"autorestarting"}]"#,
        )
        .unwrap();
        assert_eq!(events.len(), 2, "{events:?}");
        assert!(matches!(&events[0], Event::Cell(c) if c.state == CellState::Unknown));
        assert!(matches!(&events[1], Event::Kernel(k) if k.status == KernelStatus::Autorestarting));
        assert!(parse_events("{}").is_err());
    }

    #[test]
    fn half_a_surrogate_pair_does_not_lose_a_batch() {
        let events = parse_events(
            r#"[{"t":"source","nb":"n","cell":"c","text":"\ud83d\ude00 \ude00 \\ud83d \ud83d"}]"#,
        )
        .unwrap();
        let Some(Event::Source(source)) = events.first() else {
            panic!("a source");
        };
        assert_eq!(source.text, "😀 \u{fffd} \\ud83d \u{fffd}");
    }

    #[test]
    fn texts_are_bounded_at_characters() {
        let long = "é\n".repeat(100_000);
        let json = serde_json::to_string(&serde_json::json!({
            "t":"output","nb":"n","cell":"c","head":long,"len":300_000}))
        .unwrap();
        let Some(Event::Output(o)) = Event::parse(&json) else {
            panic!("an output");
        };
        let tail = o.tail.as_deref().unwrap();
        assert!(o.head.len() <= MAX_HEAD && tail.len() <= MAX_TAIL);
        let after = tail.matches('\n').count() as u64;
        assert_eq!(o.lines.unwrap() + after, 100_000);
    }

    #[test]
    fn an_event_is_written_as_it_is_read() {
        let json = r#"{"t":"notice-gone","id":"7"}"#;
        let event = Event::parse(json).unwrap();
        assert_eq!(serde_json::to_string(&event).unwrap(), json);
        assert_eq!(event.slot(), "notice-gone:7");
    }

    #[test]
    fn a_page_without_landmarks_is_stored_and_read_again() {
        let json = r#"{"t":"hello","profile":"generic","origin":"","found":{},"theme":"dark"}"#;
        let event = Event::parse(json).unwrap();
        assert_eq!(serde_json::to_string(&event).unwrap(), json);
    }
}
