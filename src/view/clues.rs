//! The words for evidence: one arm for each clue.

use super::{cell_name, reading};
use nbmedic_facts::bytes;
use nbmedic_protocol::KernelStatus;
use nbmedic_session::{
    coarse, duration, Bottleneck, Clue, KernelEnd, LookedAt, NotRunSince, Quantity, TooMuch,
};
use nbmedic_words::{self as words, foreign, Say, Text};

/// Where a card shows a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Among the evidence, one click deeper.
    Evidence,
    /// Also next to the summary: it answers the first question that people ask.
    Summary,
}

/// A clue in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Where it was seen, in a word or two.
    pub label: Text,
    /// The observation.
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

fn size(n: f64) -> Text {
    foreign(bytes(n as i64))
}

/// A length of time in milliseconds.
fn time(ms: u64) -> Text {
    foreign(duration(ms))
}

/// An approximate length of time in seconds.
fn about(seconds: f64) -> Text {
    foreign(coarse(seconds))
}

fn too_much(t: &TooMuch) -> Say {
    words::asks_too_much(t.line, size(t.wants as f64), size(t.free))
}

/// Puts a clue into words.
pub fn statement(clue: &Clue) -> Statement {
    let spot = match clue {
        Clue::WhyBarShowedRoom(_) | Clue::Again { .. } => Spot::Summary,
        _ => Spot::Evidence,
    };
    Statement {
        label: label(clue).into(),
        text: text(clue),
        spot,
    }
}

/// Where a clue was seen, in a word or two.
fn label(clue: &Clue) -> Say {
    match clue {
        Clue::Notice(_) => words::clue_notice(),
        Clue::LogLine(_) => words::clue_log(),
        Clue::Kernel(_) | Clue::KernelKeepsLoaded => words::clue_kernel(),
        Clue::CellRan { .. } => words::clue_cell(),
        Clue::LastLine(_) => words::clue_last_line(),
        Clue::LastMemory { .. } => words::clue_memory(),
        Clue::ProbeFor(_) => words::clue_probe(),
        Clue::ProbeAgainst(_) | Clue::BarShowedRoom { .. } | Clue::RamWasFull(_) => {
            words::clue_against()
        }
        Clue::AsksTooMuch(_)
        | Clue::EndsKernel(_)
        | Clue::NothingSaves
        | Clue::MakesArray { .. } => words::clue_code(),
        Clue::RuntimeSeenFor(_) | Clue::RuntimeAge(_) | Clue::Capacity(..) => words::clue_runtime(),
        Clue::WasBusy | Clue::WasIdle(_) => words::clue_activity(),
        Clue::WhyBarShowedRoom(_) => words::clue_bar(),
        Clue::AlsoFull(Quantity::Disk, _) => words::clue_disk(),
        Clue::AlsoFull(what, _) => quantity(*what),
        Clue::InstallsPackages(_) | Clue::ReplacedInUse { .. } => words::clue_install(),
        Clue::Fills { .. } => words::clue_forecast(),
        Clue::GrowsWithRuns { .. } | Clue::Again { .. } => words::clue_runs(),
        Clue::DefinedElsewhere { .. } | Clue::EditedSince { .. } | Clue::ReplacedBy { .. } => {
            words::clue_notebook()
        }
    }
}

fn text(clue: &Clue) -> Text {
    let say = match clue {
        Clue::Notice(text)
        | Clue::LogLine(text)
        | Clue::LastLine(text)
        | Clue::ProbeFor(text)
        | Clue::ProbeAgainst(text)
        | Clue::EndsKernel(text) => return foreign(text.as_str()),
        Clue::Again { changed: true } => words::again_changed(),
        Clue::Again { changed: false } => words::again_same(),
        Clue::Kernel(KernelEnd::Dead) => words::kernel_dead(),
        Clue::Kernel(KernelEnd::RestartAsked) => words::kernel_restart_asked(),
        Clue::Kernel(KernelEnd::Restarted) => words::kernel_died_restarted(),
        Clue::Kernel(KernelEnd::Disconnected) => words::disconnected(),
        Clue::CellRan { cell, ran: None } => words::cell_ran(cell_name(*cell)),
        Clue::CellRan {
            cell,
            ran: Some(ran),
        } => words::cell_ran_for(cell_name(*cell), time(*ran)),
        Clue::LastMemory { reading: r, age } => words::last_memory(reading(*r), time(*age)),
        Clue::AsksTooMuch(t) => too_much(t),
        Clue::RuntimeSeenFor(age) => words::runtime_seen_for(time(*age)),
        Clue::WasBusy => words::was_busy(),
        Clue::WasIdle(ms) => words::was_idle(time(*ms)),
        Clue::BarShowedRoom { percent, age } => words::bar_showed_room(*percent, time(*age)),
        Clue::WhyBarShowedRoom(None) => words::why_bar(),
        Clue::WhyBarShowedRoom(Some(t)) => words::why_bar_asks(too_much(t)),
        Clue::RamWasFull(percent) => words::ram_was_full(*percent),
        Clue::AlsoFull(_, percent) => words::percent_full(*percent),
        Clue::InstallsPackages(tool) => words::installs_packages(foreign(tool.name())),
        Clue::Fills { what, soon, late } => {
            words::fills_between(quantity(*what), about(*soon), about(*late))
        }
        Clue::NothingSaves => words::nothing_saves(),
        Clue::RuntimeAge(age) => words::runtime_age(time(*age)),
        Clue::MakesArray {
            line,
            shape,
            dtype,
            bytes,
        } => words::makes_array(
            *line,
            foreign(shape.as_str()),
            foreign(dtype.as_str()),
            size(*bytes),
        ),
        Clue::Capacity(what, Some(limit)) => words::capacity(quantity(*what), size(*limit)),
        Clue::Capacity(what, None) => words::capacity_hidden(quantity(*what)),
        Clue::ReplacedInUse {
            tool: Some(tool),
            packages,
        } => words::replaced_in_use(foreign(tool.name()), foreign(packages.as_str())),
        Clue::ReplacedInUse {
            tool: None,
            packages,
        } => words::install_replaced(foreign(packages.as_str())),
        Clue::KernelKeepsLoaded => words::kernel_keeps(),
        Clue::GrowsWithRuns {
            runs,
            what,
            last,
            first,
        } => words::grows_with_runs(*runs, quantity(*what), size(*last), size(*first)),
        Clue::DefinedElsewhere { cell, name, since } => {
            let (cell, name) = (cell_name(*cell), foreign(name.as_str()));
            match since {
                NotRunSince::PageOpened => words::defined_since_opened(cell, name),
                NotRunSince::Restart => words::defined_since_restart(cell, name),
            }
        }
        Clue::EditedSince { cell, name } => {
            words::edited_since(cell_name(*cell), foreign(name.as_str()))
        }
        Clue::ReplacedBy { cell, packages } => {
            words::replaced_by(cell_name(*cell), foreign(packages.as_str()))
        }
    };
    say.into()
}

/// Puts into words which checks found no reason.
pub fn looked_at(looked: LookedAt) -> Say {
    match looked {
        LookedAt::NoNotice => words::looked_no_notice(),
        LookedAt::NoticeWithoutReason => words::looked_no_reason(),
        LookedAt::NoticeInUnknownWords => words::looked_unknown_words(),
        LookedAt::PrintedNothing => words::looked_printed_nothing(),
        LookedAt::NoLastWords => words::looked_no_last_words(),
        LookedAt::NoCell => words::looked_no_cell(),
        LookedAt::NoMemoryReading => words::looked_no_reading(),
        LookedAt::NoMemoryLimit => words::looked_no_limit(),
        LookedAt::MemoryNearlyFull => words::looked_nearly_full(),
        LookedAt::MemoryNotFull => words::looked_not_full(),
        LookedAt::CodeMayEndKernel => words::looked_code_may_end(),
        LookedAt::CodeEndsNothing => words::looked_code_ends_nothing(),
        LookedAt::CodeFits => words::looked_code_fits(),
        LookedAt::GpuNotFull => words::looked_gpu_not_full(),
        LookedAt::DiskNotFull => words::looked_disk_not_full(),
        LookedAt::TimeLimit(age) => words::looked_time_limit(time(age)),
        LookedAt::NoSignal => words::looked_no_signal(),
    }
}

/// Puts a run's limit into words.
pub fn bottleneck(limit: &Bottleneck) -> Text {
    let (say, gpu) = match limit {
        Bottleneck::Fills {
            what, soon, late, ..
        } if soon < late => (
            words::limit_fills(quantity(*what), about(*soon), about(*late)),
            None,
        ),
        Bottleneck::Fills { what, likely, .. } => (
            words::limit_fills_at_most(quantity(*what), about(*likely)),
            None,
        ),
        Bottleneck::TimeLimit(left) => (words::limit_time(about(*left)), None),
        Bottleneck::Disk { busy, wait, gpu } => {
            let say = match busy {
                Some(busy) => words::limit_disk_busy(*busy, *wait),
                None => words::limit_disk(*wait),
            };
            (say, *gpu)
        }
        Bottleneck::Processors { all, gpu } => (words::limit_processors(*all), *gpu),
        Bottleneck::OneProcessor { own, gpu } => (words::limit_one_processor(*own), *gpu),
    };
    match gpu {
        Some(gpu) => words::limit_gpu_waits(say, gpu).into(),
        None => say.into(),
    }
}
