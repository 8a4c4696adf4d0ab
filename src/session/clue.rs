//! Evidence on a finding besides the output, as data. The view turns it into words.

use crate::known::Quantity;
use nbmedic_ask::Installer;
use nbmedic_facts::CellName;
use nbmedic_vitals::Reading;

/// A line of code that asks for more memory than was free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooMuch {
    /// The line, from 1.
    pub line: u32,
    /// Bytes that it asks for.
    pub wants: u64,
    /// Bytes that were free at the last reading.
    pub free: f64,
}

/// How the front end reported a kernel's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelEnd {
    /// It is dead.
    Dead,
    /// The user asked for a restart.
    RestartAsked,
    /// It died and was started again.
    Restarted,
    /// The page has no connection to it.
    Disconnected,
}

/// Since when a cell has not been run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRunSince {
    /// Since the page was opened, as far as nbmedic saw.
    PageOpened,
    /// Since the kernel was restarted.
    Restart,
}

/// Evidence for or against a diagnosis. Cells are named as people call them; times are in
/// milliseconds, amounts in bytes, shares in percent.
#[derive(Clone, Debug, PartialEq)]
pub enum Clue {
    /// What a notice of the front end says.
    Notice(String),
    /// The line of the runtime's log that names the cause.
    LogLine(String),
    /// How the front end reported the kernel's end.
    Kernel(KernelEnd),
    /// A cell was running when the kernel died, and for how long, if its start was seen.
    CellRan {
        /// The cell.
        cell: CellName,
        /// How long.
        ran: Option<u64>,
    },
    /// The last line that this cell printed.
    LastLine(String),
    /// The last reading of main memory and its age.
    LastMemory {
        /// The reading.
        reading: Reading,
        /// Its age.
        age: u64,
    },
    /// The probe saw something that supports the cause.
    ProbeFor(String),
    /// The probe saw something that contradicts the cause.
    ProbeAgainst(String),
    /// The running cell asks for more than was free.
    AsksTooMuch(TooMuch),
    /// How long the runtime had been seen when it ended.
    RuntimeSeenFor(u64),
    /// A cell was running when the runtime ended.
    WasBusy,
    /// How long nothing had run when the runtime ended.
    WasIdle(u64),
    /// The resource bar showed room in main memory shortly before.
    BarShowedRoom {
        /// The share in use.
        percent: u32,
        /// How long before.
        age: u64,
    },
    /// Why the bar can show room although memory ran out: the line that asked for too much, if one is
    /// known.
    WhyBarShowedRoom(Option<TooMuch>),
    /// Main memory was full, which is evidence against a crash of native code.
    RamWasFull(u32),
    /// Device memory or the disk was full too: the share in use.
    AlsoFull(Quantity, u32),
    /// The line with which the cell ends its own kernel.
    EndsKernel(String),
    /// The cell installs packages before it ends its kernel.
    InstallsPackages(Installer),
    /// When a quantity is full at its current rate: seconds from now.
    Fills {
        /// The quantity.
        what: Quantity,
        /// At the earliest.
        soon: f64,
        /// At the latest.
        late: f64,
    },
    /// None of the cells that ran saves anything.
    NothingSaves,
    /// How long the runtime has been seen.
    RuntimeAge(u64),
    /// A line makes an array.
    MakesArray {
        /// The line, from 1.
        line: u32,
        /// Its shape, as Python writes it.
        shape: String,
        /// The type of its elements.
        dtype: String,
        /// Its size.
        bytes: f64,
    },
    /// The limit of a quantity; none if it is not shown and no single GPU has enough.
    Capacity(Quantity, Option<f64>),
    /// An install replaced packages in use.
    ReplacedInUse {
        /// The installer, if it is known.
        tool: Option<Installer>,
        /// The packages.
        packages: String,
    },
    /// The kernel keeps using the packages that it loaded before.
    KernelKeepsLoaded,
    /// The run before failed in the same way: its diagnosis and its last line are the same.
    Again {
        /// The cell's code is not what it was.
        changed: bool,
    },
    /// A quantity grows with each run of the cell.
    GrowsWithRuns {
        /// How many runs were compared.
        runs: usize,
        /// The quantity.
        what: Quantity,
        /// In use after the last of them.
        last: f64,
        /// In use after the first of them.
        first: f64,
    },
    /// Another cell defines the missing name and has not been run.
    DefinedElsewhere {
        /// The cell.
        cell: CellName,
        /// The name.
        name: String,
        /// Since when.
        since: NotRunSince,
    },
    /// Another cell defines a name that the failing line uses, and was edited after it ran.
    EditedSince {
        /// The cell.
        cell: CellName,
        /// The name.
        name: String,
    },
    /// Another cell replaced packages under the running kernel.
    ReplacedBy {
        /// The cell.
        cell: CellName,
        /// The packages.
        packages: String,
    },
}

/// Something that was checked without finding the cause of a death.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookedAt {
    /// No notice is shown.
    NoNotice,
    /// The notice names no reason.
    NoticeWithoutReason,
    /// No rule knows the notice's words.
    NoticeInUnknownWords,
    /// The cell printed nothing.
    PrintedNothing,
    /// No last words of a dying process.
    NoLastWords,
    /// No cell was running.
    NoCell,
    /// No reading of main memory.
    NoMemoryReading,
    /// A reading of main memory without a limit.
    NoMemoryLimit,
    /// Main memory was nearly full, and nothing else says that it ran out.
    MemoryNearlyFull,
    /// Main memory was not nearly full.
    MemoryNotFull,
    /// A line of the cell ends the kernel if it is reached.
    CodeMayEndKernel,
    /// No line of the cell ends the kernel, and no array's size can be read.
    CodeEndsNothing,
    /// No line of the cell ends the kernel, and its arrays fit.
    CodeFits,
    /// Device memory was not full.
    GpuNotFull,
    /// The disk was not full.
    DiskNotFull,
    /// The runtime ends after a limited time and had been seen for this long, in milliseconds.
    TimeLimit(u64),
    /// The signal and the exit code: pages don't get them.
    NoSignal,
}

/// What limits a run in progress.
#[derive(Clone, Debug, PartialEq)]
pub enum Bottleneck {
    /// A quantity will be full, in seconds.
    Fills {
        /// The quantity.
        what: Quantity,
        /// At the earliest.
        soon: f64,
        /// Most likely.
        likely: f64,
        /// At the latest.
        late: f64,
    },
    /// The runtime ends within this many seconds.
    TimeLimit(f64),
    /// Disks slow it down: in percent of the time.
    Disk {
        /// The busiest disk.
        busy: Option<u32>,
        /// Something waits for a disk.
        wait: u32,
        /// The GPU is busy.
        gpu: Option<u32>,
    },
    /// All processors are busy, in percent.
    Processors {
        /// All processors.
        all: u32,
        /// The GPU.
        gpu: Option<u32>,
    },
    /// One thread of the kernel prepares the data, in percent of one processor.
    OneProcessor {
        /// The kernel's process.
        own: u32,
        /// The GPU.
        gpu: Option<u32>,
    },
}
