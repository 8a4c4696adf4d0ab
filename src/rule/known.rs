//! What is known of a diagnosis, in closed lists: the catalogue says it, the engine asks for it.

/// What has ended when a notice or a record says so, from the smallest to the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ends {
    /// Nothing: the kernel goes on.
    Nothing,
    /// The kernel's process.
    Kernel,
    /// The connection to the runtime too; the machine may still be there.
    Runtime,
    /// The machine too: the next one is new.
    Machine,
}

/// What the rest of the notebook is searched for when a cell failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Related {
    /// The cell that defines the fact `name`.
    Definition,
    /// Packages that were replaced under the running kernel.
    Packages,
}

/// What the engine concludes from readings, code or a flight record, without a text that says it.
/// Exactly one rule stands for each (`stands_for` in its file).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The kernel ended and nothing says why.
    KernelDeath,
    /// The machine's memory ran out, or will.
    HostMemory,
    /// The GPU's memory ran out, or will.
    GpuMemory,
    /// The disk is full, or will be.
    Disk,
    /// Shared memory ran out.
    SharedMemory,
    /// Native code crashed.
    NativeCrash,
    /// A GPU kernel accessed memory that it must not.
    IllegalAccess,
    /// The GPU itself failed.
    GpuHardware,
    /// The server of the kernel is gone.
    Disconnection,
    /// A package was replaced under the running kernel.
    ReplacedPackage,
    /// The runtime has reached its longest time, or will.
    TimeLimit,
    /// Nothing ran for too long.
    Inactivity,
}

impl Condition {
    /// Every condition.
    pub const ALL: [Condition; 12] = [
        Condition::KernelDeath,
        Condition::HostMemory,
        Condition::GpuMemory,
        Condition::Disk,
        Condition::SharedMemory,
        Condition::NativeCrash,
        Condition::IllegalAccess,
        Condition::GpuHardware,
        Condition::Disconnection,
        Condition::ReplacedPackage,
        Condition::TimeLimit,
        Condition::Inactivity,
    ];

    /// Its name in its file.
    pub fn name(self) -> &'static str {
        match self {
            Condition::KernelDeath => "kernel-death",
            Condition::HostMemory => "host-memory",
            Condition::GpuMemory => "gpu-memory",
            Condition::Disk => "disk",
            Condition::SharedMemory => "shared-memory",
            Condition::NativeCrash => "native-fault",
            Condition::IllegalAccess => "illegal-access",
            Condition::GpuHardware => "gpu-hardware",
            Condition::Disconnection => "disconnection",
            Condition::ReplacedPackage => "replaced-package",
            Condition::TimeLimit => "time-limit",
            Condition::Inactivity => "inactivity",
        }
    }
}
