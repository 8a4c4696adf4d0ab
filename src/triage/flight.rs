//! What a flight record (`probe/FORMAT.md`) says of a kernel's end: the facts in its last `end` line
//! and the Xids before it, judged by the probe's own rules.

use super::{Diagnosis, Evidence, Facts, Location, Value};
use crate::catalog;
use nbmedic_catalogc::json::{Json, Read};
use nbmedic_catalogc::readable;
use nbmedic_probe::bytes::NONE;
use nbmedic_probe::verdict::{verdict, EvidenceSet, Facts as Seen, XidSeen};
use nbmedic_probe::{Cause, Certainty, Verdict};

/// Longest line of a record that is read, in bytes.
const MAX_LINE: usize = 8 << 10;
/// So many Xids of a kernel are kept; only the last seconds count.
const MAX_XIDS: usize = 64;

/// The fields of a line that are read here, whatever kind it is.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub kind: String,
    /// Milliseconds since 1970.
    pub at: u64,
    /// Memory of the machine: bytes used, and there are.
    pub ram: Json,
    /// The same of the control group.
    pub group: Json,
    /// File systems: name, bytes free, and there are.
    pub disks: Json,
    /// GPUs: bytes used, and there are, and more.
    pub gpus: Json,
    /// Processors: percent busy, percent waiting for disks, the kernel's percent of one, load.
    pub cpu: Json,
    /// Disks: bytes read and written per second, milliseconds busy per second.
    pub io: Json,
    /// Pressure: memory some and full, I/O some and full, in hundredths of a percent.
    pub pressure: Json,
    /// 0: the kernel's server had ended before it.
    parent: Option<i64>,
    /// 1: the stack that was written down has no end.
    deep: Option<i64>,
    status: Option<i64>,
    fault: String,
    oomline: String,
    oom: Json,
    exact: Json,
    other: Json,
    maybe: Json,
    last: Json,
    shm: Json,
    lost: Json,
    /// Of an `xid` line.
    xid: Json,
    message: String,
    /// Of an `end` line that was printed: number, milliseconds before the end, an address out of range.
    xids: Json,
}

readable!(Line {
    "k" => kind,
    "t" => at,
    "r" => ram,
    "cg" => group,
    "d" => disks,
    "g" => gpus,
    "cpu" => cpu,
    "io" => io,
    "psi" => pressure,
    "par" => parent,
    "deep" => deep,
    "st" => status,
    "fault" => fault,
    "oomline" => oomline,
    "oom" => oom,
    "exact" => exact,
    "oomother" => other,
    "oommaybe" => maybe,
    "last" => last,
    "shm" => shm,
    "lost" => lost,
    "x" => xid,
    "msg" => message,
    "xids" => xids,
});

impl Default for Line {
    fn default() -> Line {
        Line {
            kind: String::new(),
            at: 0,
            ram: Json::Null,
            group: Json::Null,
            disks: Json::Null,
            gpus: Json::Null,
            cpu: Json::Null,
            io: Json::Null,
            pressure: Json::Null,
            parent: None,
            deep: None,
            status: None,
            fault: String::new(),
            oomline: String::new(),
            oom: Json::Null,
            exact: Json::Null,
            other: Json::Null,
            maybe: Json::Null,
            last: Json::Null,
            shm: Json::Null,
            lost: Json::Null,
            xid: Json::Null,
            message: String::new(),
            xids: Json::Null,
        }
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
    match items(json).get(at) {
        Some(Json::Number(n)) if *n >= 0.0 => Some(*n as i64),
        _ => None,
    }
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
    Line::read(serde_json::from_str(text).ok()?).filter(|l| !l.kind.is_empty())
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
    /// The verdict on an `end` line; `before` are the Xids of its record.
    pub fn ended(&self, before: &[XidSeen]) -> Option<Ended> {
        if self.kind != "end" {
            return None;
        }
        let judged = self.judged(before);
        let confidence = match judged.certainty {
            Certainty::Certain => 0.98,
            Certainty::Likely => 0.85,
            Certainty::Unknown => 0.0,
        };
        // A kernel ends itself when its server is gone: that is what happened.
        let alone = self.parent == Some(0) && judged.cause == Cause::Died;
        let cause = if alone {
            "runtime-disconnected"
        } else {
            judged.cause.id()
        };
        let rule = catalog::find(cause).filter(|_| confidence > 0.0);
        let said =
            |set: EvidenceSet| -> Vec<String> { set.iter().map(|e| e.text().to_owned()).collect() };
        let (mut speaks, against) = (said(judged.evidence), said(judged.against));
        if alone {
            speaks.push("its Jupyter server had ended before it".to_owned());
        }
        for text in [&self.fault, &self.oomline] {
            if !text.is_empty() {
                speaks.push(text.chars().take(200).collect());
            }
        }
        if self.deep == Some(1) {
            speaks.push("the stack that was written down has no end: it overflowed".to_owned());
        }
        let mut facts = Facts::new();
        // The wait status: the signal stands in its low bits, the exit code above them.
        if let Some(status) = self.status {
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
                _ if self.deep == Some(1) => "stack overflow",
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
                "kernel-died" if self.status.is_some_and(|s| s & 0x7f != 0) => Some("killed"),
                _ => None,
            },
            confidence,
            facts,
            location: Location::default(),
            evidence: Vec::new(),
            also: Vec::new(),
        });
        Some(Ended {
            at: self.at,
            diagnosis,
            clean: judged.cause == Cause::CleanExit,
            speaks,
            against,
        })
    }

    fn judged(&self, before: &[XidSeen]) -> Verdict {
        let printed: Vec<XidSeen> = items(&self.xids).iter().take(16).map(seen).collect();
        let one = |json: &Json| whole(json) == 1;
        let figures = |json: &Json| [figure(json, 0), figure(json, 1)];
        verdict(&Seen {
            status: self.status.and_then(|s| u32::try_from(s).ok()),
            oom: [0, 1, 2].map(|i| figure(&self.oom, i)),
            exact: one(&self.exact),
            oom_log: (!self.oomline.is_empty() && !one(&self.maybe)).then(|| !one(&self.other)),
            fault: !self.fault.is_empty(),
            memory: figures(&self.last),
            shm: figures(&self.shm),
            gpu_lost: one(&self.lost),
            xids: if printed.is_empty() { before } else { &printed },
        })
    }
}

/// A whole number; 0 for what is none.
fn whole(json: &Json) -> i64 {
    match json {
        Json::Number(n) => *n as i64,
        _ => 0,
    }
}

/// An element of a list of figures; `NONE` where it is not known.
fn figure(json: &Json, i: usize) -> u64 {
    match items(json).get(i) {
        Some(Json::Number(n)) if *n >= 0.0 => *n as u64,
        _ => NONE,
    }
}

fn seen(xid: &Json) -> XidSeen {
    let part = |i| items(xid).get(i).map_or(0, whole);
    XidSeen {
        number: part(0) as u32,
        before: part(1),
        address: part(2) == 1,
    }
}

/// The diagnosis of a flight record: how the last kernel in it ended. `None` if the text is no
/// record; nothing if no kernel crashed.
pub(super) fn record(text: &str) -> Option<Vec<Diagnosis>> {
    let first = text.lines().find(|l| !l.trim().is_empty())?;
    if !first.starts_with("{\"k\":\"start\",") {
        return None;
    }
    let mut found = Vec::new();
    // The last ones of this kernel, with their times.
    let mut xids: Vec<(u64, XidSeen)> = Vec::new();
    for (n, text) in text.lines().enumerate() {
        if text.starts_with("{\"k\":\"start\"") && !text.contains("\"again\"") {
            xids.clear();
        }
        let known = text.starts_with("{\"k\":\"end\"") || text.starts_with("{\"k\":\"xid\"");
        let Some(line) = known.then(|| line(text)).flatten() else {
            continue;
        };
        if line.kind == "xid" {
            xids.truncate(MAX_XIDS - 1);
            let seen = XidSeen {
                number: whole(&line.xid) as u32,
                before: 0,
                address: line.message.contains("Out Of Range Address"),
            };
            xids.insert(0, (line.at, seen));
        }
        let before: Vec<XidSeen> = xids
            .iter()
            .map(|&(at, xid)| XidSeen {
                before: line.at as i64 - at as i64,
                ..xid
            })
            .collect();
        let Some(ended) = line.ended(&before) else {
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
