//! The words for what a finding rests on: one arm for each clue.

use nbmedic_facts::bytes;
use nbmedic_protocol::KernelStatus;
use nbmedic_session::{
    coarse, duration, Bottleneck, Clue, KernelEnd, LookedAt, NotRunSince, Quantity, TooMuch,
};
use nbmedic_words::{self as words, Say, Text};

/// Where a card shows a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Among the evidence, one click deeper.
    Evidence,
    /// Beside the summary too: it answers what people ask first.
    Summary,
}

/// A clue in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Where it was seen, in a word or two.
    pub label: Text,
    /// What was seen.
    pub text: Text,
    /// Where a card shows it.
    pub spot: Spot,
}

/// Names a quantity.
pub fn quantity(what: Quantity) -> Say {
    match what {
        Quantity::Ram => words::ram(),
        Quantity::Gpu => words::gpu(),
        Quantity::Disk => words::disk(),
    }
}

/// Names a kernel's status.
pub fn kernel(status: KernelStatus) -> Say {
    match status {
        KernelStatus::Idle => words::idle(),
        KernelStatus::Busy => words::busy(),
        KernelStatus::Starting => words::starting(),
        KernelStatus::Restarting => words::restarting(),
        KernelStatus::Autorestarting => words::autorestarting(),
        KernelStatus::Dead => words::dead(),
        KernelStatus::Connecting => words::connecting(),
        KernelStatus::Disconnected => words::disconnected(),
        KernelStatus::Unknown => words::not_shown(),
    }
}

fn size(n: f64) -> String {
    bytes(n as i64)
}

fn too_much(t: &TooMuch) -> String {
    let (line, wants, free) = (t.line, size(t.wants as f64), size(t.free));
    format!("line {line} asks for {wants} at once, {free} were free")
}

/// Says a clue.
pub fn statement(clue: &Clue) -> Statement {
    let spot = match clue {
        Clue::WhyBarShowedRoom(_) => Spot::Summary,
        _ => Spot::Evidence,
    };
    let (label, text) = label_and_text(clue);
    Statement {
        label: words::foreign(label),
        text: words::foreign(text),
        spot,
    }
}

fn label_and_text(clue: &Clue) -> (&'static str, String) {
    match clue {
        Clue::Notice(text) => ("notice", text.clone()),
        Clue::LogLine(text) => ("log", text.clone()),
        Clue::Kernel(KernelEnd::Dead) => ("kernel", "dead".to_owned()),
        Clue::Kernel(KernelEnd::RestartAsked) => ("kernel", "a restart was asked for".to_owned()),
        Clue::Kernel(KernelEnd::Restarted) => ("kernel", "died and was started again".to_owned()),
        Clue::CellRan { cell, ran: None } => ("cell", format!("{cell} was running")),
        Clue::CellRan {
            cell,
            ran: Some(ran),
        } => (
            "cell",
            format!("{cell} was running, for {}", duration(*ran)),
        ),
        Clue::LastLine(text) => ("last line", text.clone()),
        Clue::LastMemory { reading, age } => {
            let (reading, age) = (reading.text(), duration(*age));
            (
                "memory",
                format!("the last reading was {reading}, {age} before"),
            )
        }
        Clue::ProbeFor(text) => ("probe", text.clone()),
        Clue::ProbeAgainst(text) => ("against", text.clone()),
        Clue::AsksTooMuch(t) => ("code", too_much(t)),
        Clue::RuntimeSeenFor(age) => {
            let age = duration(*age);
            (
                "runtime",
                format!("first seen {age} before; it may be older"),
            )
        }
        Clue::WasBusy => ("activity", "a cell was running".to_owned()),
        Clue::WasIdle(ms) => ("activity", format!("nothing had run for {}", duration(*ms))),
        Clue::BarShowedRoom { percent, age } => {
            let age = duration(*age);
            let text = format!("the bar showed {percent} % of the runtime's RAM, {age} before");
            ("against", text)
        }
        Clue::WhyBarShowedRoom(asks) => {
            let why = asks.as_ref().map_or_else(
                || {
                    "it is read every few seconds, and one large allocation between two readings \
                     does not show. Or a limit below the one shown was reached: a container's, or \
                     another process's"
                        .to_owned()
                },
                too_much,
            );
            ("the bar", format!("Why the bar showed plenty: {why}."))
        }
        Clue::RamWasFull(percent) => ("against", format!("the runtime's RAM was {percent} % full")),
        Clue::AlsoFull(what, percent) => {
            let label = match what {
                Quantity::Disk => "disk",
                Quantity::Ram => "Runtime RAM",
                Quantity::Gpu => "GPU memory",
            };
            (label, format!("{percent} % full"))
        }
        Clue::EndsKernel(line) => ("code", line.clone()),
        Clue::InstallsPackages(tool) => (
            "install",
            format!("{} installs packages in this cell", tool.name()),
        ),
        Clue::Fills { what, soon, late } => {
            let (what, soon, late) = (quantity(*what), coarse(*soon), coarse(*late));
            let text =
                format!("{what} is full in {soon} to {late} at the rate of the last minutes");
            ("forecast", text)
        }
        Clue::NothingSaves => (
            "code",
            "no call that saves stands in the cells that ran".to_owned(),
        ),
        Clue::RuntimeAge(age) => ("runtime", format!("first seen {} ago", duration(*age))),
        Clue::MakesArray {
            line,
            shape,
            dtype,
            bytes,
        } => {
            let bytes = size(*bytes);
            (
                "code",
                format!("line {line} makes an array {shape} of {dtype}: {bytes}"),
            )
        }
        Clue::Capacity(what, Some(limit)) => (
            "runtime",
            format!("{} has {}", quantity(*what), size(*limit)),
        ),
        Clue::Capacity(what, None) => {
            let what = quantity(*what);
            (
                "runtime",
                format!("{what} is not shown; no single GPU has so much"),
            )
        }
        Clue::ReplacedInUse { tool, packages } => {
            let tool = tool.map_or("the install", |t| t.name());
            (
                "install",
                format!("{tool} put another version in the place of {packages}"),
            )
        }
        Clue::KernelKeepsLoaded => (
            "kernel",
            "had loaded it before and goes on with what it loaded".to_owned(),
        ),
        Clue::GrowsWithRuns {
            runs,
            what,
            last,
            first,
        } => {
            let (what, last, first) = (quantity(*what), size(*last), size(*first));
            let text = format!(
                "after {runs} runs of this cell in this kernel {what} stood at {last}, after the \
                 first at {first}"
            );
            ("runs", text)
        }
        Clue::DefinedElsewhere { cell, name, since } => {
            let since = match since {
                NotRunSince::PageOpened => "this page was opened",
                NotRunSince::Restart => "the kernel was restarted",
            };
            let text = format!("{cell} defines {name} and has not been run since {since}");
            ("notebook", text)
        }
        Clue::EditedSince { cell, name } => {
            let text = format!(
                "{cell} defines {name} and was edited after it ran: what ran is not what it shows"
            );
            ("notebook", text)
        }
        Clue::ReplacedBy { cell, packages } => {
            let text = format!("{cell} replaced {packages} under the running kernel: restart it");
            ("notebook", text)
        }
    }
}

/// Says what was looked at without finding a reason.
pub fn looked_at(looked: LookedAt) -> String {
    let text = match looked {
        LookedAt::NoNotice => "The front end shows no notice with a reason.",
        LookedAt::NoticeWithoutReason => "The notice names no reason.",
        LookedAt::NoticeInUnknownWords => "The notice is in words that nbmedic does not know.",
        LookedAt::PrintedNothing => "The cell printed nothing.",
        LookedAt::NoLastWords => {
            "The end of the output has no line such as “Killed”, “Fatal Python error” or “Aborted”."
        }
        LookedAt::NoCell => "No cell was seen running when it died.",
        LookedAt::NoMemoryReading => {
            "Memory: no reading, so running out of it can't be told from a crash."
        }
        LookedAt::NoMemoryLimit => {
            "Memory: no limit is shown, so running out of it can't be told from a crash."
        }
        LookedAt::MemoryNearlyFull => {
            "Memory was nearly full at the last reading; nothing else says that it ran out."
        }
        LookedAt::MemoryNotFull => {
            "Memory was not nearly full at the last reading; one large allocation between two \
             readings would not show."
        }
        LookedAt::CodeMayEndKernel => {
            "The code: a line of it ends the kernel where it is reached; whether it was is not seen."
        }
        LookedAt::CodeEndsNothing => {
            "The code: no line ends the kernel, and no array's size can be read off it."
        }
        LookedAt::CodeFits => {
            "The code: no line ends the kernel, and the arrays whose size can be read fit."
        }
        LookedAt::GpuNotFull => "GPU memory was not full; it would not end the kernel anyway.",
        LookedAt::DiskNotFull => "The disk was not full.",
        LookedAt::TimeLimit(age) => {
            let age = duration(age);
            return format!("The time limit: the runtime was first seen {age} before.");
        }
        LookedAt::NoSignal => "The signal and exit code: the page is not told.",
    };
    text.to_owned()
}

/// Says what limits a run.
pub fn bottleneck(limit: &Bottleneck) -> String {
    let waits = |gpu: Option<u32>| {
        gpu.map_or(String::new(), |n| {
            format!(", the GPU {n} %: it waits for data")
        })
    };
    match limit {
        Bottleneck::Fills {
            what, soon, late, ..
        } if soon < late => {
            let (what, soon, late) = (quantity(*what), coarse(*soon), coarse(*late));
            format!("{what}, full in {soon} to {late}")
        }
        Bottleneck::Fills { what, likely, .. } => {
            format!("{}, in {} at the most", quantity(*what), coarse(*likely))
        }
        Bottleneck::TimeLimit(left) => format!("Time limit, in {} at the most", coarse(*left)),
        Bottleneck::Disk { busy, wait, gpu } => {
            let busy = busy.map_or(String::new(), |n| format!("busy {n} % of the time, "));
            format!(
                "Disk I/O, {busy}waited for {wait} % of the time{}",
                waits(*gpu)
            )
        }
        Bottleneck::Processors { all, gpu } => {
            format!("CPU, all processors {all} % busy{}", waits(*gpu))
        }
        Bottleneck::OneProcessor { own, gpu } => {
            format!(
                "CPU, the kernel uses {own} % of one processor{}",
                waits(*gpu)
            )
        }
    }
}
