//! What the probe says of a kernel's end: the last `end` line of a flight record
//! (`probe/FORMAT.md`). The line holds what was seen; the probe's library judges it.

use super::{Diagnosis, Evidence, Facts, Location, Value};
use crate::catalog;
use nbmedic_catalogc::json::Json;
use nbmedic_probe::bytes::NONE;
use nbmedic_probe::verdict::{EvidenceSet, XidSeen};
use nbmedic_probe::{Cause, Certainty, Verdict};

/// Most errors of GPUs that are looked at.
const MAX_XIDS: usize = 64;
/// Longest line of a record that is read, in bytes.
const MAX_LINE: usize = 8 << 10;

/// A line of the record: its fields, by the names that `probe/FORMAT.md` gives them.
#[derive(Clone, Debug)]
pub(crate) struct Line(Json);

impl Line {
    /// A field; `null` where there is none.
    #[inline(never)]
    pub fn get(&self, name: &str) -> &Json {
        let fields = match &self.0 {
            Json::Object(fields) => fields.as_slice(),
            _ => &[],
        };
        let found = fields.iter().find(|(n, _)| n == name);
        found.map_or(&Json::Null, |(_, value)| value)
    }

    /// A text; empty where it is none.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Json::Text(text) => text,
            _ => "",
        }
    }

    /// A number that is not negative.
    fn count(&self, name: &str) -> Option<i64> {
        whole(self.get(name))
    }

    /// Milliseconds since 1970.
    pub fn at(&self) -> u64 {
        self.count("t").map_or(0, i64::unsigned_abs)
    }
}

fn whole(json: &Json) -> Option<i64> {
    match json {
        Json::Number(n) if *n >= 0.0 => Some(*n as i64),
        _ => None,
    }
}

/// The elements of a list; none of anything else.
pub(crate) fn items(json: &Json) -> &[Json] {
    match json {
        Json::List(items) => items,
        _ => &[],
    }
}

/// A number of a list; `None` where it is not known.
pub(crate) fn number(json: &Json, at: usize) -> Option<i64> {
    whole(items(json).get(at)?)
}

/// Two numbers of a list from a position on, the second not 0; `None` where one is not known.
pub(crate) fn pair(json: &Json, from: usize) -> Option<(u64, u64)> {
    let number = |i: usize| number(json, i).map(i64::unsigned_abs);
    Some((number(from)?, number(from + 1)?)).filter(|(_, second)| *second > 0)
}

/// Reads a line of a record; `None` if it is none.
pub(crate) fn line(text: &str) -> Option<Line> {
    if text.len() > MAX_LINE {
        return None;
    }
    let line = Line(serde_json::from_str(text).ok()?);
    (!line.text("k").is_empty()).then_some(line)
}

/// How a kernel ended, as the probe saw it.
#[derive(Clone, Debug)]
pub(crate) struct Ended {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// Nothing if it was no crash, or what was seen does not tell.
    pub diagnosis: Option<Diagnosis>,
    /// It ended without an error: a restart, a shutdown.
    pub clean: bool,
    /// What speaks for it, and what was written down.
    pub speaks: Vec<String>,
    /// What speaks against it.
    pub against: Vec<String>,
}

impl Line {
    /// Its verdict, with the errors of GPUs that were seen before it.
    fn judge(&self, xids: &[XidSeen]) -> Verdict {
        let risen = |i| number(self.get("oom"), i).map_or(NONE, i64::unsigned_abs);
        let both = |name| pair(self.get(name), 0).map_or([NONE; 2], |(a, b)| [a, b]);
        let set = |name| self.count(name) == Some(1);
        let ours = match (set("oomother"), set("oommaybe")) {
            (true, _) => Some(false),
            (_, true) => None,
            _ => Some(true),
        };
        nbmedic_probe::verdict(&nbmedic_probe::Facts {
            status: self.count("st").and_then(|n| u32::try_from(n).ok()),
            oom: [risen(0), risen(1), risen(2)],
            exact: set("exact"),
            oom_log: ours.filter(|_| !self.text("oomline").is_empty()),
            fault: !self.text("fault").is_empty(),
            memory: both("last"),
            shm: both("shm"),
            gpu_lost: set("lost"),
            xids,
        })
    }

    /// What an `end` line tells, by itself: it may list the errors of GPUs, each with its number, how
    /// many milliseconds before the end it came, and 1 where an address was out of range.
    pub fn ended(&self) -> Option<Ended> {
        let xid = |x: &Json| {
            seen(
                number(x, 0)?,
                number(x, 1).unwrap_or(0),
                number(x, 2) == Some(1),
            )
        };
        let all = items(self.get("xids")).iter().take(MAX_XIDS);
        let xids: Vec<XidSeen> = all.filter_map(xid).collect();
        self.after(&xids)
    }

    /// What an `end` line tells, after these errors of GPUs.
    fn after(&self, xids: &[XidSeen]) -> Option<Ended> {
        if self.text("k") != "end" {
            return None;
        }
        let judged = self.judge(xids);
        let confidence = match judged.certainty {
            Certainty::Certain => 0.98,
            Certainty::Likely => 0.85,
            Certainty::Unknown => 0.0,
        };
        // A kernel ends itself when its server is gone: that is what happened.
        let alone = self.count("par") == Some(0) && judged.cause == Cause::Died;
        let cause = match alone {
            true => "runtime-disconnected",
            false => judged.cause.id(),
        };
        let rule = catalog::find(cause).filter(|_| confidence > 0.0);
        let said =
            |set: EvidenceSet| -> Vec<String> { set.iter().map(|e| e.text().to_owned()).collect() };
        let (mut speaks, against) = (said(judged.evidence), said(judged.against));
        if alone {
            speaks.push("its Jupyter server had ended before it".to_owned());
        }
        for text in [self.text("fault"), self.text("oomline")] {
            if !text.is_empty() {
                speaks.push(text.chars().take(200).collect());
            }
        }
        let deep = self.count("deep") == Some(1);
        if deep {
            speaks.push("the stack that was written down has no end: it overflowed".to_owned());
        }
        let mut facts = Facts::new();
        // The wait status: the signal stands in its low bits, the exit code above them.
        let status = self.count("st");
        if let Some(status) = status {
            match status & 0x7f {
                0 => {
                    let code = status >> 8 & 0xff;
                    if code != 0 {
                        speaks.push(format!("exit code {code}"));
                    }
                    facts.insert("exit_code".into(), Value::Int(code))
                }
                signal => facts.insert("signal".into(), Value::Int(signal)),
            };
            let reason = match status & 0x7f {
                _ if deep => "stack overflow",
                4 => "illegal instruction",
                6 => "it aborted",
                7 => "bus error",
                8 => "floating point exception",
                11 => "segmentation fault",
                _ => "",
            };
            if !reason.is_empty() {
                facts.insert("reason".into(), Value::Text(reason.to_owned()));
            }
        }
        let diagnosis = rule.map(|rule| Diagnosis {
            id: rule.id,
            variant: match rule.id {
                "host-oom" => Some("system-says"),
                "kernel-died" if status.is_some_and(|s| s & 0x7f != 0) => Some("killed"),
                _ => None,
            },
            confidence,
            facts,
            location: Location::default(),
            evidence: Vec::new(),
            also: Vec::new(),
        });
        Some(Ended {
            at: self.at(),
            diagnosis,
            clean: judged.cause == Cause::CleanExit,
            speaks,
            against,
        })
    }
}

/// An error of a GPU.
fn seen(number: i64, before: i64, address: bool) -> Option<XidSeen> {
    Some(XidSeen {
        number: u32::try_from(number).ok()?,
        before,
        address,
    })
}

/// The diagnosis of a flight record: how the last kernel in it ended. `None` if the text is no
/// record; nothing if no kernel crashed.
pub(super) fn record(text: &str) -> Option<Vec<Diagnosis>> {
    let first = text.lines().find(|l| !l.trim().is_empty())?;
    if !first.starts_with("{\"k\":\"start\",") {
        return None;
    }
    let mut found = Vec::new();
    let mut xids: Vec<Line> = Vec::new();
    for (n, text) in text.lines().enumerate() {
        let kind = |k: &str| text.starts_with(k);
        if kind("{\"k\":\"xid\"") && xids.len() < MAX_XIDS {
            xids.extend(line(text));
        }
        // Another kernel.
        if kind("{\"k\":\"start\"") && !text.contains("\"again\":1") {
            xids.clear();
        }
        if !kind("{\"k\":\"end\"") {
            continue;
        }
        let Some(end) = line(text) else {
            continue;
        };
        let before = |x: &Line| end.at() as i64 - x.at() as i64;
        let xid = |x: &Line| {
            let address = x.text("msg").contains("Out Of Range Address");
            seen(x.count("x")?, before(x), address)
        };
        let errors: Vec<XidSeen> = xids.iter().filter_map(xid).collect();
        let Some(ended) = end.after(&errors) else {
            continue;
        };
        found.clear();
        if let Some(mut d) = ended.diagnosis {
            let evidence = |text: String| Evidence {
                line: n + 1,
                text,
                range: 0..0,
            };
            d.evidence = ended.speaks.into_iter().map(evidence).collect();
            found.push(d);
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use crate::triage::{triage, Input, Surface};

    const START: &str = "{\"k\":\"start\",\"t\":1,\"v\":1,\"mode\":\"native\",\"pid\":9}\n{\"k\":\"s\",\"t\":2,\"r\":[1,2]}\n";

    #[test]
    fn a_dropped_record_is_judged_by_its_last_end() {
        let end = |rest: &str| format!("{START}{{\"k\":\"end\",\"t\":3,{rest}}}\n");
        let judge = |text: &str| {
            triage(&Input {
                text,
                surface: Surface::Log,
                source: None,
            })
        };
        let found = judge(&end(r#""st":9,"oom":[1,null,null],"last":[95,100]"#));
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].id, found[0].variant),
            ("host-oom", Some("system-says"))
        );
        assert_eq!(found[0].evidence[0].line, 3);
        assert_eq!(found[0].evidence[0].text, "the kernel was ended by SIGKILL");
        let clean = end(r#""st":0,"oom":[0,0,null]"#);
        assert!(judge(&clean).is_empty());
        assert!(
            judge(START).is_empty(),
            "it still runs, or nobody saw its end"
        );
        assert!(
            judge(&end(r#""via":"gone""#)).is_empty(),
            "nothing says how"
        );
        let two = format!("{}{}", end(r#""st":11,"oom":[0,0,null]"#), clean);
        assert!(judge(&two).is_empty(), "the last one counts");
        let xid = "{\"k\":\"xid\",\"t\":2,\"x\":79,\"via\":\"nvml\"}\n";
        let abort = "{\"k\":\"end\",\"t\":3,\"st\":6,\"oom\":[0,0,null]}\n";
        let found = |text: &str| judge(text).first().map(|d| d.id);
        assert_eq!(found(&format!("{START}{abort}")), Some("native-crash"));
        assert_eq!(
            found(&format!("{START}{xid}{abort}")),
            Some("gpu-hardware-fault")
        );
        let of_another = format!("{START}{xid}{START}{abort}");
        assert_eq!(
            found(&of_another),
            Some("native-crash"),
            "another kernel's Xid"
        );
    }
}
