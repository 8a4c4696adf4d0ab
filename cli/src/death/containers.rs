//! What Docker and Kubernetes say of a container's end.

use super::entry::{Clock, Entry, Log, Says};
use super::time::parse;
use jiff::tz::TimeZone;
use serde_json::Value;

/// What they say, if the text is theirs: `docker events` (as text or JSON), `docker inspect`, `kubectl describe pod`,
/// `kubectl get pod -o json` or `yaml`.
pub fn read(text: &str, zone: &TimeZone) -> Option<Log> {
    let start = text.trim_start();
    let mut entries = Vec::new();
    let mut source = "the container's state";
    if let Ok(json) = serde_json::from_str::<Value>(start) {
        states(&json, zone, &mut entries);
    }
    if entries.is_empty() {
        source = "Docker's events";
        entries.extend(start.lines().filter_map(|line| event(line, zone)));
    }
    if entries.is_empty() {
        source = "Kubernetes";
        described(start, zone, &mut entries);
    }
    (!entries.is_empty()).then(|| Log {
        clock: Clock::Unix,
        ..Log::new(source, entries)
    })
}

/// The end of a container, in words.
fn ended(at: Option<i64>, code: Option<u32>, memory: bool) -> Entry {
    let mut text = match code {
        Some(code) => format!("the container ended with exit code {code}"),
        None => "the container ended".to_owned(),
    };
    if memory {
        text.push_str(": OOMKilled");
    }
    Entry {
        at,
        text,
        says: Says::Exit(code, memory),
    }
}

/// An event of Docker's: a line of text, `TIME container die ID (exitCode=137, …)`, or of JSON.
fn event(line: &str, zone: &TimeZone) -> Option<Entry> {
    let line = line.trim();
    let (at, action, attributes);
    if line.starts_with('{') {
        let json: Value = serde_json::from_str(line).ok()?;
        (json.get("Type")?.as_str()? == "container").then_some(())?;
        at = match json.get("timeNano").and_then(Value::as_i64) {
            Some(nanos) => Some(nanos / 1_000_000),
            None => json.get("time")?.as_i64().map(|seconds| seconds * 1000),
        };
        action = json.get("Action")?.as_str()?.to_owned();
        let code = json.pointer("/Actor/Attributes/exitCode");
        attributes = code
            .and_then(Value::as_str)
            .map_or(String::new(), |code| format!("exitCode={code},"));
    } else {
        let (time, rest) = line.split_once(" container ")?;
        at = Some(parse(time, zone)?);
        action = rest.split(' ').next()?.to_owned();
        attributes = rest.to_owned();
    }
    let code = attributes
        .split_once("exitCode=")
        .and_then(|(_, rest)| rest.split([',', ')']).next()?.parse().ok());
    let shown = |text: &str| Entry {
        at,
        text: text.to_owned(),
        says: Says::Shown,
    };
    Some(match action.as_str() {
        "die" => ended(at, code, false),
        "oom" => Entry {
            text: "memory ran out in the container".to_owned(),
            says: Says::Exit(None, true),
            ..shown("")
        },
        "kill" => shown("the container was sent a signal"),
        "stop" => shown("the container was stopped"),
        "start" => shown("the container was started"),
        "restart" => shown("the container was restarted"),
        _ => return None,
    })
}

/// The states of ended containers in what `docker inspect` and `kubectl get pod -o json` print, at any depth.
fn states(json: &Value, zone: &TimeZone, out: &mut Vec<Entry>) {
    let time = |v: Option<&Value>| parse(v?.as_str()?, zone);
    match json {
        Value::Array(items) => items.iter().for_each(|item| states(item, zone, out)),
        Value::Object(map) => {
            let code = |name: &str| map.get(name).and_then(Value::as_u64).map(|n| n as u32);
            if let Some(memory) = map.get("OOMKilled").and_then(Value::as_bool) {
                if map.get("Running").and_then(Value::as_bool) != Some(true) {
                    out.push(ended(time(map.get("FinishedAt")), code("ExitCode"), memory));
                }
            } else if let (Some(code), true) = (code("exitCode"), map.contains_key("finishedAt")) {
                let memory = map.get("reason").and_then(Value::as_str) == Some("OOMKilled");
                out.push(ended(time(map.get("finishedAt")), Some(code), memory));
            }
            map.values().for_each(|value| states(value, zone, out));
        }
        _ => {}
    }
}

/// What `kubectl describe pod` says of a terminated container, or `kubectl get pod -o yaml`.
fn described(text: &str, zone: &TimeZone, out: &mut Vec<Entry>) {
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let line = line.trim();
        let described = (line.starts_with("State:") || line.starts_with("Last State:"))
            && line.ends_with("Terminated");
        if !described && line != "terminated:" {
            continue;
        }
        let (mut code, mut memory, mut at) = (None, false, None);
        // Its fields follow; the next state, or whatever else, ends them.
        for _ in 0..10 {
            let Some((name, value)) = lines.peek().and_then(|l| l.trim().split_once(':')) else {
                break;
            };
            let value = value.trim().trim_matches('"');
            match name {
                "Reason" | "reason" => memory = value == "OOMKilled",
                "Exit Code" | "exitCode" => code = value.parse().ok(),
                "Finished" | "finishedAt" => at = parse(value, zone),
                "Started" | "startedAt" | "Message" | "message" | "containerID" | "Signal" => {}
                _ => break,
            }
            lines.next();
        }
        if code.is_some() || memory {
            out.push(ended(at, code, memory));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: &str = "2026-11-27T13:08:40.000000000Z";

    fn of(text: &str) -> Vec<(Option<i64>, Says)> {
        let log = read(text, &TimeZone::UTC);
        let entries = log.map_or(Vec::new(), |log| log.entries);
        entries.into_iter().map(|e| (e.at, e.says)).collect()
    }

    #[test]
    fn every_way_to_ask() {
        let at = parse(AT, &TimeZone::UTC);
        let whole = vec![(at, Says::Exit(Some(137), true))];
        let inspect = format!(
            r#"[{{"Id":"4f","State":{{"Status":"exited","Running":false,"OOMKilled":true,"ExitCode":137,"FinishedAt":"{AT}"}}}}]"#
        );
        assert_eq!(of(&inspect), whole);
        let pod = format!(
            r#"{{"kind":"Pod","status":{{"containerStatuses":[{{"lastState":{{"terminated":{{"exitCode":137,"reason":"OOMKilled","finishedAt":"{AT}"}}}}}}]}}}}"#
        );
        assert_eq!(of(&pod), whole);
        let described = "Containers:\n  train:\n    State:          Running\n      Started:      Fri, 27 Nov 2026 13:08:41 +0000\n    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n      Started:      Fri, 27 Nov 2026 12:00:00 +0000\n      Finished:     Fri, 27 Nov 2026 13:08:40 +0000\n    Ready:          True\n";
        assert_eq!(of(described), whole);
        let yaml = format!("    lastState:\n      terminated:\n        exitCode: 137\n        finishedAt: \"{AT}\"\n        reason: OOMKilled\n        startedAt: \"{AT}\"\n    name: train\n");
        assert_eq!(of(&yaml), whole);
        let events = format!(
            "{AT} container oom 4f1c (image=jupyter, name=nb)\n{AT} container die 4f1c (execDuration=61, exitCode=137, image=jupyter, name=nb)\n{AT} network disconnect 9a\n"
        );
        let both = vec![
            (at, Says::Exit(None, true)),
            (at, Says::Exit(Some(137), false)),
        ];
        assert_eq!(of(&events), both);
        let json = "{\"Type\":\"container\",\"Action\":\"oom\",\"Actor\":{\"ID\":\"4f\",\"Attributes\":{\"image\":\"jupyter\"}},\"time\":1795784920,\"timeNano\":1795784920000000000}\n{\"Type\":\"container\",\"Action\":\"die\",\"Actor\":{\"ID\":\"4f\",\"Attributes\":{\"exitCode\":\"137\"}},\"time\":1795784920,\"timeNano\":1795784920000000000}\n";
        assert_eq!(of(json), both);
        assert_eq!(of("loss: 0.3\n"), []);
    }
}
