//! Joins what the flight record, the logs and the notebook say into one verdict.

use super::entry::{Clock, Entry, Log, Says};
use super::flight;
use super::gather::Found;
use nbmedic::triage::flight::way;
use nbmedic::triage::{triage, Diagnosis, Input, Surface};
use nbmedic_probe::bytes::NONE;
use nbmedic_probe::verdict::{verdict, Facts, XidSeen};
use nbmedic_probe::{Cause, Certainty, Record, Verdict};

/// How far the times of two clocks may be apart for the same death, in milliseconds.
const SAME: i64 = 90_000;
/// How long before a death a line may belong to it, in milliseconds.
const BEFORE: i64 = 900_000;
/// The signal's number plus this is a container's exit code.
const BY_SIGNAL: u32 = 128;

/// How a kernel died.
pub struct Judged {
    /// The cause's id.
    pub cause: String,
    /// `certain`, `likely` or `unknown`.
    pub certainty: &'static str,
    /// What happened, in words.
    pub words: String,
    /// What to say about it, if the catalogue knows the cause.
    pub diagnosis: Option<Diagnosis>,
    /// What speaks for it.
    pub speaks: Vec<String>,
    /// What speaks against it.
    pub against: Vec<String>,
    /// When, in milliseconds since 1970.
    pub at: Option<i64>,
}

/// When the kernel died: by its record, or by the last line that says so.
fn when(found: &Found) -> Option<i64> {
    let recorded = found.record.as_ref().and_then(|r| r.end.as_ref());
    if let Some(end) = recorded {
        return i64::try_from(end.time).ok();
    }
    let dated = found.logs.iter().filter(|log| log.clock == Clock::Unix);
    let said = dated.flat_map(|log| &log.entries).filter(|e| {
        matches!(
            e.says,
            Says::Gone | Says::Exit(..) | Says::Oom(..) | Says::Fault(..)
        )
    });
    let last = found.record.as_ref().map(flight::last);
    said.filter_map(|e| e.at)
        .max()
        .or(last.and_then(|t| i64::try_from(t).ok()))
}

/// Puts a log without a date beside the others: a line of it that names the kernel's process is the death.
pub fn date(log: &mut Log, record: Option<&Record>, at: Option<i64>) {
    let Some((record, at)) = record.zip(at).filter(|_| log.clock == Clock::Relative) else {
        return;
    };
    let names_it = |says: &Says| matches!(says, Says::Oom(pid, _) | Says::Fault(pid, _) if u64::from(*pid) == record.start.pid);
    let named = log.entries.iter().rev().find(|e| names_it(&e.says));
    let Some(offset) = named.and_then(|e| Some(at - e.at?)) else {
        return;
    };
    log.clock = Clock::Unix;
    for entry in &mut log.entries {
        entry.at = entry.at.map(|t| t + offset);
    }
}

/// What the logs know of this death.
#[derive(Default)]
struct Known {
    /// The system killed this process for memory; `Some(false)`: another one.
    oom: Option<bool>,
    /// The container's exit code, and whether it ended for memory.
    exit: Option<u32>,
    memory: bool,
    /// The system's log has a fault of this process.
    fault: bool,
    /// The server had been asked to end it.
    asked: bool,
    /// The server found it gone.
    gone: bool,
    xids: Vec<XidSeen>,
    speaks: Vec<String>,
}

fn known(found: &Found, at: Option<i64>) -> Known {
    let mut known = Known::default();
    let pid = found.record.as_ref().map(|r| r.start.pid);
    for log in &found.logs {
        for entry in &log.entries {
            // A log without a date may be about any death; only a process's number ties a line of it to this one.
            let near = match (log.clock, entry.at, at) {
                (Clock::Unix, Some(t), Some(at)) => (t - at).abs() <= SAME,
                _ => pid.is_none(),
            };
            let ours = |n: u32, name: &str| match pid {
                Some(pid) => pid == u64::from(n),
                None => near && (name.starts_with("python") || name.starts_with("ipython")),
            };
            let mut say = |text: &str| known.speaks.push(format!("{}: {text}", log.source));
            match &entry.says {
                Says::Oom(n, name) if ours(*n, name) => {
                    known.oom = Some(true);
                    say(&entry.text);
                }
                // In a container the numbers of the log are others.
                Says::Oom(..) if near && known.oom.is_none() && pid.is_some() => {
                    known.oom = Some(false);
                }
                Says::Fault(n, name) if ours(*n, name) => {
                    known.fault = true;
                    say(&entry.text);
                }
                Says::Exit(code, memory) if near => {
                    known.exit = code.or(known.exit);
                    known.memory |= memory;
                    say(&entry.text);
                }
                Says::Xid(number, address) if near => {
                    let before = at.zip(entry.at).map_or(0, |(at, t)| at - t);
                    known.xids.push(XidSeen {
                        number: *number,
                        before,
                        address: *address,
                    });
                    say(&entry.text);
                }
                Says::Asked if near => {
                    known.asked = true;
                    say(&entry.text);
                }
                Says::Gone if near => {
                    known.gone = true;
                }
                _ => {}
            }
        }
    }
    known
}

/// Judges what was found.
pub fn judge(found: &mut Found) -> Judged {
    let at = when(found);
    for log in &mut found.logs {
        date(log, found.record.as_ref(), at);
    }
    let known = known(found, at);
    let record = found.record.as_ref();
    let verdict = joined(record, &known);
    let parent = record.and_then(|r| r.end.as_ref()).and_then(|e| e.parent);
    let said = |set: nbmedic_probe::verdict::EvidenceSet| {
        set.iter().map(|e| e.text().to_owned()).collect::<Vec<_>>()
    };
    let mut judged = Judged {
        cause: verdict.cause.id().to_owned(),
        certainty: verdict.certainty.id(),
        words: verdict.words(parent).to_owned(),
        diagnosis: None,
        speaks: said(verdict.evidence),
        against: said(verdict.against),
        at,
    };
    if verdict.cause == Cause::Unknown || verdict.cause == Cause::NativeCrash && known.fault {
        otherwise(found, &known, at, &mut judged);
    }
    judged.speaks.extend(known.speaks);
    if judged.diagnosis.is_none() {
        judged.diagnosis = diagnosis(&judged, &verdict);
    }
    judged
}

/// The verdict on the record, with what the logs add to it.
fn joined(record: Option<&Record>, known: &Known) -> Verdict {
    let end = record.and_then(|r| r.end.as_ref());
    let mut facts = record.map_or_else(Facts::default, |r| r.facts().unwrap_or_default());
    let mut xids = record.map_or_else(Vec::new, Record::xids_seen);
    xids.extend(&known.xids);
    if facts.status.is_none() && !facts.replaced {
        // The container's first process, and everything in it, ended so.
        facts.status = known.exit.map(|code| match code.checked_sub(BY_SIGNAL) {
            Some(signal @ 1..=64) => signal,
            _ => code << 8,
        });
    }
    let by_kill = matches!(facts.status, None | Some(9));
    // The record's own counts say more than a container's, which may be another one.
    let counted = facts.oom.iter().take(2).any(|n| *n != NONE);
    facts.oom_log = match (facts.oom_log, known.oom) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        // What Docker and Kubernetes call OOMKilled names the container, so a kernel that lived in it died with it.
        _ if known.memory && by_kill && !counted => Some(true),
        (recorded, read) => recorded.or(read),
    };
    if end.is_none() {
        facts.oom = [NONE; 3];
    }
    verdict(&Facts {
        xids: &xids,
        ..facts
    })
}

/// What is left to ask where neither the record nor the system knows: the logs' own words.
fn otherwise(found: &Found, known: &Known, at: Option<i64>, judged: &mut Judged) {
    if known.fault {
        // Linux logs the fault of a process only if the process itself caused it.
        judged.cause = Cause::NativeCrash.id().to_owned();
        judged.certainty = Certainty::Certain.id();
        judged.words = "native code crashed it: the system logged the fault".to_owned();
        return;
    }
    if let Some(mut d) = printed(found, at) {
        judged.cause = d.id.to_owned();
        judged.certainty = Certainty::Likely.id();
        judged.words = "what was printed just before names the cause".to_owned();
        let lines = d.evidence.iter().map(|e| e.text.clone());
        judged.speaks.extend(lines.take(3));
        d.evidence.clear();
        judged.diagnosis = Some(d);
        return;
    }
    if known.asked {
        judged.cause = Cause::CleanExit.id().to_owned();
        judged.certainty = Certainty::Likely.id();
        judged.words = "its server had been asked to end or restart it".to_owned();
    } else if known.gone {
        judged.cause = Cause::Died.id().to_owned();
        judged.words = "its server found it gone; nothing here says why".to_owned();
    }
}

/// Whether the catalogue's diagnosis is one of a process's end.
fn ends(d: &Diagnosis) -> bool {
    let causes = [
        Cause::HostOom,
        Cause::SharedMemory,
        Cause::DiskFull,
        Cause::NativeCrash,
        Cause::IllegalAccess,
        Cause::GpuHardware,
    ];
    causes.iter().any(|cause| cause.id() == d.id)
}

/// What was printed before the death and ends a process: in the logs, then in the notebook's outputs.
fn printed(found: &Found, at: Option<i64>) -> Option<Diagnosis> {
    let near = |t: Option<i64>| match t.zip(at) {
        Some((t, at)) => (-BEFORE..=SAME).contains(&(t - at)),
        None => true,
    };
    let of = |text: &str, surface: Surface| {
        let input = Input {
            text,
            surface,
            source: None,
        };
        triage(&input).into_iter().find(ends)
    };
    let logged = found.logs.iter().find_map(|log| {
        // What the other lines mean is judged already.
        let printed = |e: &&Entry| e.says == Says::Printed && near(e.at);
        let lines = log.entries.iter().filter(printed);
        let text: Vec<&str> = lines.map(|e| e.text.as_str()).collect();
        of(&text.join("\n"), Surface::Log)
    });
    let plain = || {
        found
            .plain
            .iter()
            .find_map(|(_, text)| of(text, Surface::Log))
    };
    let book = || {
        let cells = found.notebooks.iter().flat_map(|(_, cells)| cells);
        let texts = cells.map(|cell| cell.text.as_str());
        texts
            .filter(|t| !t.is_empty())
            .find_map(|t| of(t, Surface::Output))
    };
    logged.or_else(plain).or_else(book)
}

/// The catalogue's diagnosis of a verdict.
fn diagnosis(judged: &Judged, verdict: &Verdict) -> Option<Diagnosis> {
    let id = nbmedic::catalog::find(&judged.cause)?.id;
    Some(Diagnosis {
        id,
        variant: match verdict.cause {
            Cause::HostOom => Some("system-says"),
            Cause::Died if verdict.certainty != Certainty::Unknown => Some(way(verdict)),
            _ => None,
        },
        confidence: if judged.certainty == "certain" {
            0.98
        } else {
            0.85
        },
        ..Diagnosis::default()
    })
}
