//! How a kernel died, judged by what the probe saw.

use crate::bytes::NONE;
use crate::wait::{signal, Ended};
use crate::xid::{self, Class};

/// What ended the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The system killed it because memory ran out.
    HostOom,
    /// It used shared memory that the system could not provide, because `/dev/shm` is full.
    SharedMemory,
    /// It wrote to a file that was mapped into memory, and the disk was full.
    DiskFull,
    /// Native code crashed it.
    NativeCrash,
    /// Code on the GPU used a bad address, and the process gave up on it.
    IllegalAccess,
    /// A GPU failed.
    GpuHardware,
    /// It was killed from outside, or ended itself with an error code.
    Died,
    /// It ended without an error: a restart, a shutdown, `quit()`. Not a crash.
    CleanExit,
    /// The evidence does not show the cause.
    Unknown,
}

impl Cause {
    /// The id: the catalogue's, except for `clean-exit` and `unknown`, which it does not have.
    pub fn id(self) -> &'static str {
        match self {
            Cause::HostOom => "host-oom",
            Cause::SharedMemory => "shared-memory-exhausted",
            Cause::DiskFull => "disk-full",
            Cause::NativeCrash => "native-crash",
            Cause::IllegalAccess => "cuda-illegal-access",
            Cause::GpuHardware => "gpu-hardware-fault",
            Cause::Died => "kernel-died",
            Cause::CleanExit => "clean-exit",
            Cause::Unknown => "unknown",
        }
    }
}

/// How sure a verdict is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// There is no usable evidence.
    Unknown,
    /// The evidence points there, but allows another explanation.
    Likely,
    /// The evidence has no other known explanation.
    Certain,
}

impl Certainty {
    /// The word in a record.
    pub fn id(self) -> &'static str {
        match self {
            Certainty::Unknown => "unknown",
            Certainty::Likely => "likely",
            Certainty::Certain => "certain",
        }
    }
}

macro_rules! evidence {
    ($($name:ident $code:literal $text:literal,)*) => {
        /// One thing that was seen, or was checked and not seen.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Evidence {
            $(#[doc = $text] $name,)*
        }

        impl Evidence {
            /// All variants.
            pub const ALL: &[Evidence] = &[$(Evidence::$name,)*];

            /// The code in a record.
            pub fn code(self) -> &'static str {
                match self { $(Evidence::$name => $code,)* }
            }

            /// The text for people.
            pub fn text(self) -> &'static str {
                match self { $(Evidence::$name => $text,)* }
            }
        }
    };
}

evidence! {
    SignalKill "signal-kill" "the kernel was ended by SIGKILL",
    SignalCrash "signal-crash" "the kernel was ended by a crash signal: crashing code raises it, and anybody may send it",
    SignalOwn "signal-own" "the kernel was ended by a signal that the system sends for a limit, an alarm, a closed pipe or a forbidden call of its own",
    SignalOther "signal-other" "the kernel was ended by a signal that asks a program to end",
    ExitCode "exit-code" "the kernel ended itself with an error code",
    ExitClean "exit-clean" "the kernel ended itself without an error",
    NoStatus "no-status" "how the kernel ended could not be read",
    Replaced "replaced" "another program took the kernel's place in its process, so its variables are gone",
    ProcessorLimit "processor-limit" "it had used the processor time that its limit allows",
    OomCgroup "oom-cgroup" "the control group's count of out-of-memory kills rose",
    OomColab "oom-colab" "Colab's monitor counted an out-of-memory kill",
    OomHost "oom-host" "the machine's count of out-of-memory kills rose",
    OomLog "oom-log" "the system's log says that it killed this kernel because memory ran out",
    OomOther "oom-other" "the system killed another process because memory ran out",
    OomNone "oom-none" "no count of out-of-memory kills rose",
    MemoryHigh "memory-high" "memory was at least 90 % full in the last sample",
    MemoryLow "memory-low" "memory was less than 70 % full in the last sample",
    FaultFile "fault-file" "Python's fault handler wrote down where it happened",
    SharedMemoryFull "shm-full" "/dev/shm was full",
    DiskFull "disk-full" "the disk was full",
    Largest "largest" "the kernel itself held most of the memory, so no other process was the one to kill",
    Running "running" "a cell was running",
    XidApplication "xid-application" "the GPU's driver reported an error of the program on the GPU just before",
    XidHardware "xid-hardware" "the GPU's driver reported an error of the hardware just before",
    XidDriver "xid-driver" "the GPU's driver reported an error of its own just before",
    XidConsequence "xid-consequence" "the GPU's driver cleaned up after the process, which is no cause",
    GpuLost "gpu-lost" "the GPU stopped answering",
    Shared "shared-machine" "other people's processes count on this machine too",
}

/// A set of evidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvidenceSet(u32);

impl EvidenceSet {
    fn add(&mut self, evidence: Evidence) {
        self.0 |= 1 << evidence as u32;
    }

    fn add_if(&mut self, condition: bool, evidence: Evidence) {
        self.0 |= u32::from(condition) << evidence as u32;
    }

    /// Whether it contains this.
    pub fn has(self, evidence: Evidence) -> bool {
        self.0 & (1 << evidence as u32) != 0
    }

    /// Its elements.
    pub fn iter(self) -> impl Iterator<Item = Evidence> {
        Evidence::ALL.iter().copied().filter(move |&e| self.has(e))
    }
}

/// An Xid before the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct XidSeen {
    /// Its number.
    pub number: u32,
    /// Milliseconds before the end. Negative if it was seen after the end.
    pub before: i64,
    /// For Xid 13: whether the driver named an address out of range.
    pub address: bool,
}

/// What is known about an end.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The wait status, if it could be read.
    pub status: Option<u32>,
    /// Whether another program runs in its process.
    pub replaced: bool,
    /// Whether it had used the processor time after which the system kills it.
    pub spent: bool,
    /// How far the counters of out-of-memory kills rose: the machine's, the control group's,
    /// Colab's. [`NONE`] for a counter that does not exist.
    pub oom: [u64; 3],
    /// Whether the control group's counter belongs to the kernel's own group, so that it counts every
    /// kill in it.
    pub exact: bool,
    /// Whether the system's log says that memory ran out and this kernel was killed; `Some(false)` for
    /// another process.
    pub oom_log: Option<bool>,
    /// Whether Python's fault handler wrote to its file.
    pub fault: bool,
    /// Memory at the last sample: bytes used, and in total (the limit, if there is one), or
    /// [`NONE`].
    pub memory: [u64; 2],
    /// `/dev/shm` at the last sample: bytes free and in total, or [`NONE`].
    pub shm: [u64; 2],
    /// The fuller one of `/` and the working folder's file system: bytes free and in total, or [`NONE`].
    pub disk: [u64; 2],
    /// Bytes of memory of the kernel's own process at the last sample, or [`NONE`].
    pub own: u64,
    /// Whether a cell was running.
    pub running: bool,
    /// Whether the GPU that the kernel used no longer answered.
    pub gpu_lost: bool,
    /// Xids, in any order.
    pub xids: &'a [XidSeen],
}

impl Default for Facts<'_> {
    /// Nothing is known.
    fn default() -> Self {
        Facts {
            status: None,
            replaced: false,
            spent: false,
            oom: [NONE; 3],
            exact: false,
            oom_log: None,
            fault: false,
            memory: [NONE; 2],
            shm: [NONE; 2],
            disk: [NONE; 2],
            own: NONE,
            running: false,
            gpu_lost: false,
            xids: &[],
        }
    }
}

/// What ended the kernel, how certain that is, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What ended it.
    pub cause: Cause,
    /// How certain that is.
    pub certainty: Certainty,
    /// Evidence for it.
    pub evidence: EvidenceSet,
    /// Evidence against it.
    pub against: EvidenceSet,
    /// How it ended, if known.
    pub ended: Option<Ended>,
    /// The Xid that contributed to it, otherwise the last one shortly before.
    pub xid: Option<u32>,
}

impl Verdict {
    /// It ended itself or did as it was told: not killed, and not ended by a limit, an alarm, a pipe or a call of its own. Without its
    /// server a kernel does that.
    pub fn is_its_own_end(&self) -> bool {
        match self.ended {
            Some(Ended::Signal(s)) => s != signal::KILL && !signal::is_own(s),
            Some(Ended::Exit(_)) => true,
            None => false,
        }
    }

    /// What happened, in words, without a full stop: those of the table in FORMAT.md. `parent`: whether the kernel's
    /// server was still running.
    pub fn words(&self, parent: Option<bool>) -> &'static str {
        match (self.cause, self.ended) {
            (Cause::HostOom, _) => "the system killed it because memory ran out",
            (Cause::SharedMemory, _) => "shared memory, /dev/shm, was full",
            (Cause::DiskFull, _) => "the disk was full",
            (Cause::NativeCrash, Some(Ended::Signal(signal::BUS))) => {
                "a mapped file was cut off or had no room, or native code crashed it"
            }
            (Cause::NativeCrash, Some(_)) if self.evidence.has(Evidence::FaultFile) => {
                "native code crashed it, or somebody sent the signal"
            }
            (Cause::NativeCrash, Some(_)) => "a crash signal ended it; who sent it is not known",
            (Cause::NativeCrash, None) => "native code crashed it",
            (Cause::IllegalAccess, _) => "code on the GPU used a bad address",
            (Cause::GpuHardware, _) => "a GPU failed",
            (Cause::Died, _) if parent == Some(false) && self.is_its_own_end() => {
                "its Jupyter server was gone"
            }
            (Cause::Died, None) => {
                "another program took its place (exec), so its variables are gone"
            }
            (Cause::Died, Some(Ended::Exit(0))) => "it ended itself while a cell ran",
            (Cause::Died, Some(Ended::Signal(s))) => match s {
                signal::KILL if self.evidence.has(Evidence::ProcessorLimit) => {
                    "a limit of processor time ended it"
                }
                signal::KILL if self.certainty == Certainty::Certain => {
                    "it was killed, but not for memory"
                }
                signal::KILL => "it was killed, maybe for memory",
                signal::PIPE => "a closed pipe ended it",
                signal::ALRM | signal::VTALRM | signal::PROF => "an alarm of its own ended it",
                signal::XCPU => "a limit of processor time ended it",
                signal::XFSZ => "a limit of file size ended it",
                signal::SYS => "a call that a sandbox forbade ended it",
                _ => "its server or somebody told it to end",
            },
            (Cause::Died, _) => "it ended itself with an error code",
            (Cause::CleanExit, _) => "it ended without an error: a restart, a shutdown or an exit",
            (Cause::Unknown, _) => "nothing says how",
        }
    }
}

/// A file system with more room than this, in bytes, is not full.
const FULL: u64 = 64 << 20;
/// How long before the end an Xid still counts, in milliseconds.
const XID_WINDOW: i64 = 10_000;

/// Judges an end.
pub fn verdict(facts: &Facts) -> Verdict {
    let ended = facts.status.and_then(crate::wait::decode);
    let mut seen = EvidenceSet::default();
    seen.add(match ended {
        Some(Ended::Signal(signal::KILL)) => Evidence::SignalKill,
        Some(Ended::Signal(s)) if is_crash(s) => Evidence::SignalCrash,
        Some(Ended::Signal(s)) if signal::is_own(s) => Evidence::SignalOwn,
        Some(Ended::Signal(_)) => Evidence::SignalOther,
        Some(Ended::Exit(0)) => Evidence::ExitClean,
        Some(Ended::Exit(_)) => Evidence::ExitCode,
        None if facts.replaced => Evidence::Replaced,
        None => Evidence::NoStatus,
    });
    let killed = ended == Some(Ended::Signal(signal::KILL));
    seen.add_if(facts.spent && killed, Evidence::ProcessorLimit);
    let rose = |i: usize| !matches!(facts.oom[i], 0 | NONE);
    let (host, cgroup, colab) = (rose(0), rose(1), rose(2));
    // The machine killed some process, and the kernel's own group counted no kill.
    let elsewhere = host && facts.exact && facts.oom[1] == 0 && !colab;
    seen.add_if(host, Evidence::OomHost);
    seen.add_if(cgroup, Evidence::OomCgroup);
    seen.add_if(colab, Evidence::OomColab);
    let counted = facts.oom != [NONE; 3];
    seen.add_if(counted && !(host || cgroup || colab), Evidence::OomNone);
    seen.add_if(facts.oom_log == Some(true), Evidence::OomLog);
    seen.add_if(
        facts.oom_log == Some(false) || elsewhere,
        Evidence::OomOther,
    );
    let [used, total] = facts.memory;
    if used != NONE {
        if let Some(percent) = used.saturating_mul(100).checked_div(total) {
            seen.add_if(percent >= 90, Evidence::MemoryHigh);
            seen.add_if(percent < 70, Evidence::MemoryLow);
        }
        // The system kills the largest process.
        seen.add_if(
            facts.own != NONE && total > 0 && facts.own >= total / 2,
            Evidence::Largest,
        );
    }
    let full =
        |[free, total]: [u64; 2]| total != NONE && total > 0 && free <= (total / 50).min(FULL);
    seen.add_if(full(facts.shm), Evidence::SharedMemoryFull);
    seen.add_if(full(facts.disk), Evidence::DiskFull);
    seen.add_if(facts.running, Evidence::Running);
    seen.add_if(facts.fault, Evidence::FaultFile);
    seen.add_if(facts.gpu_lost, Evidence::GpuLost);
    let gpu = gpu(facts.xids, &mut seen);
    // Colab's monitor exists only on Colab's machines, which have a single user.
    let alone = facts.oom[2] != NONE;

    // If no counter exists for the whole machine, a kill may have gone uncounted.
    let quiet = facts.oom[0] == 0 && seen.has(Evidence::OomNone) && facts.oom_log.is_none();
    // Whom the system killed is not known.
    let unclear = elsewhere && facts.oom_log.is_none();
    let (cause, certainty) = judge(ended, seen, [alone, quiet, unclear], gpu);
    seen.add_if(host && !alone && cause == Cause::HostOom, Evidence::Shared);
    Verdict {
        cause,
        certainty,
        evidence: EvidenceSet(seen.0 & speaks_for(cause)),
        against: EvidenceSet(seen.0 & speaks_against(cause)),
        ended,
        xid: gpu.map(|(number, _)| number),
    }
}

fn judge(
    ended: Option<Ended>,
    seen: EvidenceSet,
    [alone, quiet, unclear]: [bool; 3],
    gpu: Option<(u32, Class)>,
) -> (Cause, Certainty) {
    use Certainty::{Certain, Likely};
    let hardware = match gpu {
        Some((number, Class::Hardware)) if xid::proves_hardware(number) => Some(Certain),
        Some((_, Class::Hardware)) => Some(Likely),
        _ => seen.has(Evidence::GpuLost).then_some(Likely),
    };
    match ended {
        Some(Ended::Signal(signal::KILL)) => {
            if seen.has(Evidence::OomLog) {
                return (Cause::HostOom, Certain);
            }
            // The log names the killed process; the counters only count, and may have counted a child.
            let other = seen.has(Evidence::OomOther);
            let largest = seen.has(Evidence::Largest);
            if !other && (seen.has(Evidence::OomCgroup) || seen.has(Evidence::OomColab)) {
                return (Cause::HostOom, if largest { Certain } else { Likely });
            }
            if !other && seen.has(Evidence::OomHost) {
                let sure = alone && largest;
                return (Cause::HostOom, if sure { Certain } else { Likely });
            }
            // A signal that nothing on the machine explains was sent by someone. If a GPU failed, it
            // was sent to end the hanging kernel.
            match hardware {
                Some(_) => (Cause::GpuHardware, Likely),
                None if unclear => (Cause::Unknown, Certainty::Unknown),
                // Some out-of-memory guards are ordinary processes, and their kills look like any other. They act before memory is full.
                None if quiet
                    && seen.has(Evidence::MemoryLow)
                    && !seen.has(Evidence::ProcessorLimit) =>
                {
                    (Cause::Died, Certain)
                }
                None => (Cause::Died, Likely),
            }
        }
        Some(Ended::Signal(s)) if is_crash(s) => {
            if let Some(sure) = hardware {
                return (Cause::GpuHardware, sure);
            }
            // Programs abort (SIGABRT) when the GPU reports an error that they did not expect.
            if s == signal::ABRT && matches!(gpu, Some((_, Class::Application))) {
                return (Cause::IllegalAccess, Likely);
            }
            // The part of a mapped file that is not there: cut off, or never written because there was no room.
            // Which file it was is not known.
            if s == signal::BUS {
                return if seen.has(Evidence::SharedMemoryFull) {
                    (Cause::SharedMemory, Likely)
                } else if seen.has(Evidence::DiskFull) {
                    (Cause::DiskFull, Likely)
                } else {
                    (Cause::NativeCrash, Likely)
                };
            }
            // Anybody may send these signals, and the fault handler writes the same for a signal that was sent.
            (Cause::NativeCrash, Likely)
        }
        // Anybody may send what the system sends.
        Some(Ended::Signal(s)) if signal::is_own(s) => (Cause::Died, Likely),
        // It was asked to end; by whom is unknown.
        Some(Ended::Signal(_)) => (Cause::Died, Certain),
        Some(Ended::Exit(0)) => {
            // For another user's process, 0 is read in any case.
            if seen.has(Evidence::FaultFile)
                || seen.has(Evidence::OomCgroup)
                || seen.has(Evidence::OomColab)
                || seen.has(Evidence::OomLog)
            {
                (Cause::Unknown, Certainty::Unknown)
            } else if seen.has(Evidence::Running) {
                // A restart interrupts the cell first.
                (Cause::Died, Likely)
            } else {
                (Cause::CleanExit, Certain)
            }
        }
        Some(Ended::Exit(_)) => (Cause::Died, Certain),
        None => {
            if seen.has(Evidence::Replaced) {
                (Cause::Died, Certain)
            } else if seen.has(Evidence::OomLog) {
                (Cause::HostOom, Certain)
            } else if seen.has(Evidence::FaultFile) {
                (Cause::NativeCrash, Likely)
            } else if !seen.has(Evidence::OomOther)
                && (seen.has(Evidence::OomCgroup) || seen.has(Evidence::OomColab))
            {
                (Cause::HostOom, Likely)
            } else {
                (Cause::Unknown, Certainty::Unknown)
            }
        }
    }
}

/// The decisive Xid: the first of the most severe class in the window.
fn gpu(xids: &[XidSeen], seen: &mut EvidenceSet) -> Option<(u32, Class)> {
    let mut best: Option<(u8, i64, u32, Class)> = None;
    for xid in xids {
        if xid.before > XID_WINDOW || xid.before < -XID_WINDOW {
            continue;
        }
        let class = xid::class(xid.number);
        let weight = match class {
            Class::Hardware => {
                seen.add(Evidence::XidHardware);
                5
            }
            Class::Application => {
                seen.add(Evidence::XidApplication);
                3 + u8::from(xid.number == 31 || xid.address)
            }
            Class::Driver => {
                seen.add(Evidence::XidDriver);
                2
            }
            Class::Consequence => {
                seen.add(Evidence::XidConsequence);
                1
            }
            Class::Information | Class::Unknown => 0,
        };
        // An Xid 13 is an illegal access only if it names an address out of range.
        let class = match (class, weight) {
            (Class::Application, 3) => Class::Unknown,
            _ => class,
        };
        if best.is_none_or(|(w, before, ..)| (weight, xid.before) > (w, before)) {
            best = Some((weight, xid.before, xid.number, class));
        }
    }
    best.map(|(_, _, number, class)| (number, class))
}

fn is_crash(number: u8) -> bool {
    use signal::{ABRT, BUS, FPE, ILL, SEGV, TRAP};
    matches!(number, SEGV | ABRT | BUS | FPE | ILL | TRAP)
}

const fn mask(evidence: &[Evidence]) -> u32 {
    let (mut set, mut i) = (0, 0);
    while i < evidence.len() {
        set |= 1 << evidence[i] as u32;
        i += 1;
    }
    set
}

const OOM: u32 = mask(&[
    Evidence::OomCgroup,
    Evidence::OomColab,
    Evidence::OomHost,
    Evidence::OomLog,
]);
const ENDS: u32 = mask(&[
    Evidence::SignalKill,
    Evidence::SignalCrash,
    Evidence::SignalOwn,
    Evidence::SignalOther,
    Evidence::ExitCode,
    Evidence::ExitClean,
    Evidence::NoStatus,
    Evidence::Replaced,
]);

fn speaks_for(cause: Cause) -> u32 {
    use Evidence::*;
    match cause {
        Cause::HostOom => OOM | mask(&[SignalKill, MemoryHigh, Largest]),
        Cause::SharedMemory => mask(&[SignalCrash, SharedMemoryFull, FaultFile]),
        Cause::DiskFull => mask(&[SignalCrash, DiskFull, FaultFile]),
        Cause::NativeCrash => mask(&[SignalCrash, FaultFile, OomNone]),
        Cause::IllegalAccess => mask(&[SignalCrash, FaultFile, XidApplication]),
        Cause::GpuHardware => ENDS | mask(&[XidHardware, GpuLost]),
        Cause::Died => mask(&[
            SignalKill,
            SignalOwn,
            SignalOther,
            ExitCode,
            ExitClean,
            Replaced,
            ProcessorLimit,
            Running,
            OomNone,
            OomOther,
            MemoryLow,
        ]),
        Cause::CleanExit => mask(&[ExitClean, OomNone]),
        Cause::Unknown => ENDS | OOM | mask(&[FaultFile]),
    }
}

fn speaks_against(cause: Cause) -> u32 {
    use Evidence::*;
    match cause {
        Cause::HostOom => mask(&[MemoryLow, Shared, NoStatus, OomOther]),
        Cause::Died => OOM | mask(&[MemoryHigh]),
        Cause::NativeCrash
        | Cause::SharedMemory
        | Cause::DiskFull
        | Cause::IllegalAccess
        | Cause::GpuHardware => OOM | mask(&[NoStatus]),
        Cause::CleanExit => OOM | mask(&[FaultFile]),
        Cause::Unknown => 0,
    }
}
