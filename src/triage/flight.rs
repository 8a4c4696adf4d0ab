//! Diagnoses how a kernel ended from a flight record (`probe/FORMAT.md`): the last `end` line and the
//! Xids before it, judged by the probe's own rules.

use nbmedic_catalog::{standing_for, Condition};
use nbmedic_facts::{Diagnosis, Evidence, Facts, Location, Value};
use nbmedic_json::{Map, Value as Json};
use nbmedic_probe::bytes::NONE;
use nbmedic_probe::verdict::{verdict, Evidence as Crash, EvidenceSet, Facts as Seen, XidSeen};
use nbmedic_probe::wait::signal;
use nbmedic_probe::{Cause, Certainty, Verdict};
use nbmedic_secrets::cut;

/// Longest line that is read, in bytes.
const MAX_LINE: usize = 8 << 10;
/// Minimum size of the files in `/dev/shm` to be mentioned, in bytes.
const KEPT: i64 = 16 << 20;
/// Maximum number of Xids kept for a kernel; only those of its last seconds count.
const MAX_XIDS: usize = 64;
/// Longest quotation from a record, in characters.
const QUOTED: usize = 200;

/// A line of any kind; its fields are those of the record's format.
#[derive(Clone, Debug)]
pub struct Line {
    /// `s`, `end` and others: see `probe/FORMAT.md`.
    pub kind: String,
    /// Milliseconds since 1970.
    pub at: u64,
    fields: Map<String, Json>,
}

/// The elements of a list; empty for any other value.
pub fn items(json: &Json) -> &[Json] {
    json.as_array().map_or(&[], Vec::as_slice)
}

/// A number of a list; `None` if it is unknown.
pub fn number(json: &Json, at: usize) -> Option<i64> {
    let n = items(json).get(at)?.as_f64()?;
    (n >= 0.0).then_some(n as i64)
}

/// Two consecutive numbers of a list, the second not 0; `None` if one is unknown.
pub fn pair(json: &Json, from: usize) -> Option<(u64, u64)> {
    let number = |i: usize| number(json, i).map(i64::unsigned_abs);
    Some((number(from)?, number(from + 1)?)).filter(|(_, second)| *second > 0)
}

/// Parses a line of a record; `None` if it is not one.
pub fn line(text: &str) -> Option<Line> {
    if text.len() > MAX_LINE {
        return None;
    }
    let fields: Map<String, Json> = nbmedic_json::parse(text).ok()?;
    let mut line = Line {
        kind: String::new(),
        at: 0,
        fields,
    };
    line.kind = line.text("k").to_owned();
    line.at = line.whole("t").unwrap_or(0).unsigned_abs();
    (!line.kind.is_empty()).then_some(line)
}

/// How a kernel ended, as the probe saw it.
#[derive(Clone, Debug)]
pub struct Ended {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// `None` if it was not a crash, or the evidence is inconclusive.
    pub diagnosis: Option<Diagnosis>,
    /// Whether it ended without an error: a restart, a shutdown.
    pub clean: bool,
    /// Evidence for it, and quotations from the record.
    pub speaks: Vec<String>,
    /// Evidence against it.
    pub against: Vec<String>,
}

impl Line {
    /// A field; `null` if there is none.
    pub fn get(&self, name: &str) -> &Json {
        self.fields.get(name).unwrap_or(&Json::Null)
    }

    fn text(&self, name: &str) -> &str {
        self.get(name).as_str().unwrap_or("")
    }

    fn whole(&self, name: &str) -> Option<i64> {
        whole(self.get(name))
    }

    fn is(&self, name: &str) -> bool {
        self.whole(name) == Some(1)
    }

    /// The verdict on an `end` line; `before` are the Xids of its record.
    pub fn ended(&self, before: &[XidSeen]) -> Option<Ended> {
        self.ended_while(before, false)
    }

    fn ended_while(&self, before: &[XidSeen], running: bool) -> Option<Ended> {
        if self.kind != "end" {
            return None;
        }
        let judged = self.judged(before, running);
        let confidence = match judged.certainty {
            Certainty::Certain => 0.98,
            Certainty::Likely => 0.85,
            Certainty::Unknown => 0.0,
        };
        // A kernel ends itself after its server is gone, so that is the cause.
        let alone =
            self.whole("par") == Some(0) && judged.cause == Cause::Died && judged.is_its_own_end();
        let condition = if alone {
            Some(Condition::Disconnection)
        } else {
            condition(judged.cause)
        };
        let rule = condition
            .and_then(standing_for)
            .filter(|_| confidence > 0.0);
        let said =
            |set: EvidenceSet| -> Vec<String> { set.iter().map(|e| e.text().to_owned()).collect() };
        let (mut speaks, against) = (said(judged.evidence), said(judged.against));
        if alone {
            speaks.push("its Jupyter server had ended before it".to_owned());
        }
        // A child may have written it if the kernel didn't crash.
        let crashed = judged.evidence.has(Crash::SignalCrash) || self.status().is_none();
        let fault = if crashed { self.text("fault") } else { "" };
        for text in [fault, self.text("oomline")] {
            if !text.is_empty() {
                speaks.push(cut(text, QUOTED).to_owned());
            }
        }
        let deep = self.is("deep");
        if deep {
            speaks.push("the stack that was written down has no end: it overflowed".to_owned());
        }
        if let Some(kept) = self.whole("kept").filter(|kept| *kept >= KEPT) {
            let kept = nbmedic_facts::bytes(kept);
            speaks.push(format!("files in /dev/shm still hold {kept} of memory"));
        }
        let mut facts = Facts::new();
        // The wait status has the signal in its low bits and the exit code above them.
        if let Some(status) = self.status().map(i64::from) {
            match status & 0x7f {
                0 => {
                    let code = status >> 8 & 0xff;
                    if code != 0 {
                        speaks.push(format!("exit code {code}"));
                    }
                    facts.insert("exit_code".into(), Value::Int(code))
                }
                number => {
                    // Its message says more than its number.
                    if !self.is_killed() {
                        speaks.push(judged.words(None).to_owned());
                    }
                    facts.insert("signal".into(), Value::Int(number))
                }
            };
            let reason = match status & 0x7f {
                _ if deep => "stack overflow",
                9 if judged.evidence.has(Crash::ProcessorLimit) => "processor time",
                13 => "a closed pipe",
                14 | 26 | 27 => "an alarm",
                24 => "processor time",
                25 => "the size of a file",
                31 => "a call that a sandbox forbids",
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
            variant: match condition {
                Some(Condition::HostMemory) => Some("system-says"),
                Some(Condition::KernelDeath) => Some(way(&judged)),
                Some(Condition::Disconnection) => Some(SERVER_GONE),
                _ => None,
            },
            confidence,
            facts,
            location: Location::default(),
            evidence: Vec::new(),
            also: Vec::new(),
            ..Diagnosis::default()
        });
        Some(Ended {
            at: self.at,
            diagnosis,
            clean: judged.cause == Cause::CleanExit,
            speaks,
            against,
        })
    }

    fn judged(&self, before: &[XidSeen], running: bool) -> Verdict {
        let printed: Vec<XidSeen> = items(self.get("xids")).iter().take(16).map(seen).collect();
        let figures = |name: &str| [0, 1, 2].map(|i| figure(self.get(name), i));
        let [used, total, _] = figures("last");
        let [free, size, _] = figures("shm");
        let logged = !self.text("oomline").is_empty() && !self.is("oommaybe");
        verdict(&Seen {
            status: self.status(),
            replaced: self.is("exec"),
            spent: self.is("spent"),
            oom: figures("oom"),
            exact: self.is("exact"),
            oom_log: logged.then(|| !self.is("oomother")),
            fault: !self.text("fault").is_empty(),
            memory: [used, total],
            shm: [free, size],
            disk: [figures("disk")[0], figures("disk")[1]],
            own: self.whole("own").map_or(NONE, i64::unsigned_abs),
            running: running || self.whole("n").is_some(),
            gpu_lost: self.is("lost"),
            xids: if printed.is_empty() { before } else { &printed },
        })
    }

    /// Whether a signal ended it that only a sender explains: no limit, alarm or pipe of its own.
    fn is_killed(&self) -> bool {
        let signal = self.status().map_or(0, |s| (s & 0x7f) as u8);
        signal != 0 && !signal::is_own(signal)
    }

    fn status(&self) -> Option<u32> {
        u32::try_from(self.whole("st")?).ok()
    }
}

/// The variant of a kernel that ended with its server.
const SERVER_GONE: &str = "server-gone";
/// The variants of a death that no diagnosis of the catalogue explains: by who or what ended the kernel.
const WAYS: [&str; 7] = [
    "killed",
    "killed-maybe",
    "told",
    "limit",
    "exited",
    "replaced",
    SERVER_GONE,
];

/// The variant of a verdict.
pub fn way(judged: &Verdict) -> &'static str {
    let seen = |evidence| judged.evidence.has(evidence);
    let at = if seen(Crash::Replaced) {
        5
    } else if seen(Crash::SignalOwn) || seen(Crash::ProcessorLimit) {
        3
    } else if seen(Crash::SignalKill) {
        usize::from(judged.certainty != Certainty::Certain)
    } else if seen(Crash::SignalOther) {
        2
    } else {
        4
    };
    WAYS[at]
}

/// The variant with this name, among those that a verdict may have.
pub fn variant(name: &str) -> Option<&'static str> {
    WAYS.into_iter().find(|way| *way == name)
}

/// The condition for the probe's cause.
fn condition(cause: Cause) -> Option<Condition> {
    Some(match cause {
        Cause::HostOom => Condition::HostMemory,
        Cause::SharedMemory => Condition::SharedMemory,
        Cause::DiskFull => Condition::Disk,
        Cause::NativeCrash => Condition::NativeCrash,
        Cause::IllegalAccess => Condition::IllegalAccess,
        Cause::GpuHardware => Condition::GpuHardware,
        Cause::Died => Condition::KernelDeath,
        Cause::CleanExit | Cause::Unknown => return None,
    })
}

/// A whole number.
fn whole(json: &Json) -> Option<i64> {
    json.as_f64().map(|n| n as i64)
}

/// An element of a list of figures; `NONE` if it is unknown.
fn figure(json: &Json, i: usize) -> u64 {
    number(json, i).map_or(NONE, i64::unsigned_abs)
}

fn seen(xid: &Json) -> XidSeen {
    let part = |i| items(xid).get(i).and_then(whole).unwrap_or(0);
    XidSeen {
        number: part(0) as u32,
        before: part(1),
        address: part(2) == 1,
    }
}

/// The diagnosis of a flight record: how the last kernel in it ended. `None` if the text is not a
/// record; nothing if no kernel crashed.
pub(super) fn record(text: &str) -> Option<Vec<Diagnosis>> {
    let first = text.lines().find(|l| !l.trim().is_empty())?;
    if !first.starts_with("{\"k\":\"start\",") {
        return None;
    }
    let mut found = Vec::new();
    // The last Xids of this kernel, with their times.
    let mut xids: Vec<(u64, XidSeen)> = Vec::new();
    // A cell that started and didn't end.
    let mut running = false;
    for (n, text) in text.lines().enumerate() {
        if text.starts_with("{\"k\":\"start\"") && !text.contains("\"again\"") {
            xids.clear();
            running = false;
        }
        if text.starts_with("{\"k\":\"run\"") || text.starts_with("{\"k\":\"ran\"") {
            running = text.starts_with("{\"k\":\"run\"");
        }
        let known = text.starts_with("{\"k\":\"end\"") || text.starts_with("{\"k\":\"xid\"");
        let Some(line) = known.then(|| line(text)).flatten() else {
            continue;
        };
        if line.kind == "xid" {
            xids.truncate(MAX_XIDS - 1);
            let seen = XidSeen {
                number: line.whole("x").unwrap_or(0) as u32,
                before: 0,
                address: line.text("msg").contains("Out Of Range Address"),
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
        let Some(ended) = line.ended_while(&before, running) else {
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

/// The first words of the start cell's output, and the machine-readable part of its verdict.
const WORDS: &str = "nbmedic: the kernel before this one ";
const OPEN: &str = "⟦nbmedic:1 ";

/// The diagnosis that a start cell printed about the kernel before its own. `None` if the text is not such an output;
/// nothing if no kernel crashed. The rest of the text is not judged: it quotes the system's log.
pub(super) fn printed(text: &str) -> Option<Vec<Diagnosis>> {
    if !text.trim_start().starts_with(WORDS) {
        return None;
    }
    let (words, machine) = text.split_once(OPEN)?;
    let ended = line(machine.split('⟧').next()?)?.ended(&[])?;
    let said = words.lines().last().unwrap_or_default().trim();
    let evidence = |text: String| Evidence {
        line: words.matches('\n').count() + 1,
        text,
        range: 0..0,
    };
    let quoted = cut(said, QUOTED).to_owned();
    let found = ended.diagnosis.map(|d| Diagnosis {
        evidence: std::iter::once(quoted)
            .chain(ended.speaks)
            .map(evidence)
            .collect(),
        ..d
    });
    Some(found.into_iter().collect())
}

/// A start cell's report on the cell in which main memory ended the kernel before its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Starved<'t> {
    /// The first line of the cell's source, without secrets; a long one is cut.
    pub line: &'t str,
    /// All main memory, in bytes.
    pub total: Option<u64>,
}

/// Reads that report from a start cell's output; `None` if main memory didn't end the kernel, or no cell ran.
pub fn starved(text: &str) -> Option<Starved<'_>> {
    let best = printed(text)?.into_iter().next()?;
    standing_for(Condition::HostMemory).filter(|rule| rule.id == best.id)?;
    let (words, machine) = text.split_once(OPEN)?;
    let ran = words
        .trim_start()
        .lines()
        .next()?
        .split_once(", while cell [")?;
    let end = line(machine.split('⟧').next()?)?;
    Some(Starved {
        line: ran.1.split_once("] ran: ")?.1.trim(),
        total: pair(end.get("last"), 0).map(|(_, total)| total),
    })
}

#[cfg(test)]
mod tests {
    use crate::{triage, Input, Surface};

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

    #[test]
    fn a_quotation_ends_before_a_secret_that_it_would_cut() {
        let token = ["hf", "_aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeF7H"].concat();
        let log = format!("Killed process 9 {}{token}", "a b ".repeat(42));
        let record = format!(
            "{START}{{\"k\":\"end\",\"t\":3,\"st\":9,\"oom\":[1,1,null],\"oomline\":\"{log}\"}}\n"
        );
        let found = triage(&Input {
            text: &record,
            surface: Surface::Log,
            source: None,
        });
        let quoted = |e: &&super::Evidence| e.text.starts_with("Killed process");
        let quoted = found[0].evidence.iter().find(quoted).expect("it is quoted");
        assert!(log.len() > super::QUOTED && quoted.text.len() > 150);
        assert!(!quoted.text.contains("hf"), "{}", quoted.text);
    }

    #[test]
    fn what_a_start_cell_printed_names_the_death() {
        let judge = |rest: &str| {
            let text = format!(
                "nbmedic: the kernel before this one ended Sun Nov 22 20:00:00 2026, while cell [3] ran: fit(x)\n\
                 It was killed. Memory just before: 1.0 of 2.0 GiB. ⟦nbmedic:1 {{\"k\":\"end\",\"t\":5,{rest}}}⟧\n"
            );
            triage(&Input {
                text: &text,
                surface: Surface::Output,
                source: None,
            })
        };
        let found = judge(r#""st":9,"oom":[1,1,null],"last":[95,100],"own":80"#);
        assert_eq!(
            (found[0].id, found[0].variant, found[0].confidence),
            ("host-oom", Some("system-says"), 0.98)
        );
        assert_eq!(found[0].evidence[0].line, 2);
        // The counters may have counted a child.
        let found = judge(r#""st":9,"oom":[1,1,null],"last":[95,100],"own":8"#);
        assert!(found[0].confidence < 0.9, "{found:?}");
        // The missing memory is still in use.
        let held = r#""st":9,"oom":[1,1,null],"last":[95,100],"own":8,"kept":359661568"#;
        let told =
            |d: &crate::Diagnosis, words: &str| d.evidence.iter().any(|e| e.text.contains(words));
        assert!(told(&judge(held)[0], "/dev/shm still hold 343 MiB"));
        // A child's crash is not attributed to a kernel that exited.
        let found = judge(r#""st":768,"oom":[0,0,null],"fault":"Segmentation fault""#);
        assert!(!told(&found[0], "Segmentation"), "{found:?}");
        // A limit of its own is not a kill by somebody else.
        let found = judge(r#""st":24,"oom":[0,0,null]"#);
        assert_eq!(
            (found[0].id, found[0].variant),
            ("kernel-died", Some("limit"))
        );
        assert!(found[0]
            .evidence
            .iter()
            .any(|e| e.text.contains("limit of processor time")));
        let found = judge(r#""st":7,"oom":[0,0,null],"disk":[0,100]"#);
        assert_eq!(found[0].id, "disk-full");
        let found = judge(r#""st":0,"n":3,"oom":[0,0,null]"#);
        assert_eq!(
            (found[0].id, found[0].variant),
            ("kernel-died", Some("exited"))
        );
        let found = judge(r#""exec":1,"oom":[null,null,null]"#);
        assert_eq!(
            (found[0].id, found[0].variant),
            ("kernel-died", Some("replaced"))
        );
        let found = judge(r#""st":9,"oom":[0,0,null],"last":[80,100]"#);
        assert_eq!(
            (found[0].id, found[0].variant),
            ("kernel-died", Some("killed-maybe"))
        );
        // A kernel ends itself without its server; a kernel that was killed was killed.
        let found = judge(r#""st":256,"oom":[0,0,null],"par":0"#);
        assert_eq!(found[0].variant, Some("server-gone"));
        assert_ne!(found[0].id, "kernel-died");
        let found = judge(r#""st":9,"oom":[0,0,null],"last":[40,100],"par":0"#);
        assert_eq!(
            (found[0].id, found[0].variant),
            ("kernel-died", Some("killed"))
        );
        assert!(judge(r#""st":0,"oom":[0,0,null]"#).is_empty(), "a restart");
        assert!(judge(r#""over":1,"oom":[null,null,null]"#).is_empty());
    }

    #[test]
    fn the_probe_and_the_catalogue_call_a_cause_the_same() {
        use nbmedic_probe::Cause::*;
        for cause in [
            HostOom,
            SharedMemory,
            DiskFull,
            NativeCrash,
            IllegalAccess,
            GpuHardware,
            Died,
        ] {
            let rule = super::condition(cause).and_then(nbmedic_catalog::standing_for);
            assert_eq!(rule.map(|r| r.id), Some(cause.id()));
        }
    }
}
