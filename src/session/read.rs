//! Reading what a sensor sent and what was stored.

use super::event::*;
use super::memory::Memory;
use litemap::LiteMap;
use nbmedic_json::{self as json, readable, Json, Read};

/// The fields of all events. One shape for all keeps the reader small.
#[derive(Default)]
struct Flat {
    t: String,
    nb: Option<String>,
    cell: Option<String>,
    id: Option<String>,
    name: String,
    text: String,
    profile: String,
    origin: String,
    theme: String,
    found: Found,
    state: String,
    status: String,
    kind: String,
    source: String,
    index: u32,
    count: Option<i64>,
    run: u32,
    cut: bool,
    out: u32,
    n: u32,
    len: u64,
    head: String,
    tail: Option<String>,
    lines: Option<u64>,
    old: bool,
    what: String,
    card: Option<String>,
    quiet: bool,
    memory: Option<u64>,
    disk: Option<u64>,
    full: Option<u64>,
    unsaved: Option<u64>,
}

readable!(Flat {
    "t" => t,
    "nb" => nb,
    "cell" => cell,
    "id" => id,
    "name" => name,
    "text" => text,
    "profile" => profile,
    "origin" => origin,
    "theme" => theme,
    "found" => found,
    "state" => state,
    "status" => status,
    "kind" => kind,
    "source" => source,
    "index" => index,
    "count" => count,
    "run" => run,
    "cut" => cut,
    "out" => out,
    "n" => n,
    "len" => len,
    "head" => head,
    "tail" => tail,
    "lines" => lines,
    "old" => old,
    "do" => what,
    "card" => card,
    "quiet" => quiet,
    "memory" => memory,
    "disk" => disk,
    "full" => full,
    "unsaved" => unsaved,
});

/// The counts of landmarks by name.
#[derive(Default)]
struct Found(LiteMap<String, u32>);

impl Read for Found {
    fn read(json: Json) -> Option<Found> {
        let Json::Object(fields) = json else {
            return None;
        };
        let mut found = LiteMap::new();
        for (name, count) in fields.into_iter().take(MAX_LANDMARKS) {
            found.insert(name, u32::read(count)?);
        }
        Some(Found(found))
    }
}

impl Event {
    /// Reads one event; `None` if this version does not know it or can't read it. A sensor may be
    /// newer than the engine.
    pub fn parse(json: &str) -> Option<Event> {
        Event::from_json(json::parse(json).ok()?)
    }

    fn from_json(json: Json) -> Option<Event> {
        let Json::Object(fields) = &json else {
            return None;
        };
        let memory = Json::Text("memory".to_owned());
        if fields.iter().any(|(k, v)| k == "t" && *v == memory) {
            let mut event = Event::Memory(Memory::read(json)?);
            event.bound();
            return Some(event);
        }
        let f = Flat::read(json)?;
        let nb = f.nb.clone().unwrap_or_default();
        let cell = f.cell.unwrap_or_default();
        let mut event = match f.t.as_str() {
            "hello" => Event::Hello(Hello {
                profile: f.profile,
                origin: f.origin,
                found: f.found.0,
                theme: f.theme,
            }),
            "notebook" => Event::Notebook(NotebookSeen { nb, name: f.name }),
            "cell" => Event::Cell(CellSeen {
                nb,
                cell,
                index: f.index,
                state: CellState::from_word(&f.state),
                count: f.count,
                run: f.run,
                cut: f.cut,
            }),
            "source" => Event::Source(SourceSeen {
                nb,
                cell,
                text: f.text,
            }),
            "output" => Event::Output(OutputSeen {
                nb,
                cell,
                out: f.out,
                run: f.run,
                kind: OutputKind::from_word(&f.kind),
                len: f.len,
                head: f.head,
                tail: f.tail,
                lines: f.lines,
            }),
            "outputs" => Event::Outputs(OutputsSeen { nb, cell, n: f.n }),
            "removed" => Event::Removed(Removed { nb, cell }),
            "notice" => Event::Notice(NoticeSeen {
                nb: f.nb,
                id: f.id.unwrap_or_default(),
                kind: NoticeKind::from_word(&f.kind),
                text: f.text,
                old: f.old,
            }),
            "notice-gone" => Event::NoticeGone(NoticeGone {
                id: f.id.unwrap_or_default(),
            }),
            "kernel" => Event::Kernel(KernelSeen {
                nb,
                status: KernelStatus::from_word(&f.status),
            }),
            "vitals" => Event::Vitals(VitalsSeen {
                nb: f.nb,
                text: f.text,
                source: f.source,
            }),
            "act" => Event::Act(Act {
                what: f.what,
                card: f.card,
                id: f.id,
            }),
            "limits" => {
                let usual = Limits::default();
                let or = |n: Option<u64>, usual: u32| n.map_or(usual, |n| n as u32);
                Event::Limits(Limits {
                    quiet: f.quiet,
                    memory: or(f.memory, usual.memory),
                    disk: or(f.disk, usual.disk),
                    full: or(f.full, usual.full),
                    unsaved: or(f.unsaved, usual.unsaved),
                })
            }
            _ => return None,
        };
        event.bound();
        Some(event)
    }
}

/// Reads a batch. Events that this version does not know are left out.
///
/// # Errors
/// A message if the text is not a JSON array.
pub fn parse_events(json: &str) -> Result<Vec<Event>, String> {
    match json::parse(json) {
        Ok(Json::List(events)) => Ok(events.into_iter().filter_map(Event::from_json).collect()),
        Ok(_) => Err("not a list of events".to_owned()),
        Err(at) => Err(format!("not a list of events: no JSON at byte {at}")),
    }
}

/// One line of an event log.
#[derive(Clone, Debug)]
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
    /// A message if the line is not an object with `at` and `events`.
    pub fn parse(line: &str) -> Result<LogLine, String> {
        #[derive(Default)]
        struct Raw {
            at: f64,
            page: String,
            events: Option<Vec<Json>>,
        }
        readable!(Raw { "at" => at, "page" => page, "events" => events });
        let read = json::parse(line)
            .map_err(|at| format!("not a line of an event log: no JSON at byte {at}"))?;
        let raw = Raw::read(read).ok_or("not a line of an event log: it has another shape")?;
        let events = raw
            .events
            .ok_or("not a line of an event log: it has no events")?;
        Ok(LogLine {
            at: raw.at.max(0.0) as u64,
            page: raw.page,
            events: events.into_iter().filter_map(Event::from_json).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(json::to_string(&event), json);
    }
}
