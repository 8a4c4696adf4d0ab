//! Closed lists of properties that the catalogue states about a diagnosis and the engine queries.

/// What has ended according to a diagnosis, from the smallest to the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ends {
    /// Nothing: the kernel keeps running.
    Nothing,
    /// The kernel's process.
    Kernel,
    /// The connection to the runtime as well; the machine may still exist.
    Runtime,
    /// The machine as well: the next one is new.
    Machine,
}

/// What the engine looks for in the rest of the notebook when a cell fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Related {
    /// The cell that defines the fact `name`.
    Definition,
    /// Packages that were replaced under the running kernel.
    Packages,
}

/// A condition that the engine infers from readings, code or a flight record rather than from a
/// text. Exactly one rule stands for each (`stands_for` in its file).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The kernel ended for an unknown reason.
    KernelDeath,
    /// The machine ran out of memory, or will.
    HostMemory,
    /// The GPU ran out of memory, or will.
    GpuMemory,
    /// The disk is full, or will be.
    Disk,
    /// Shared memory ran out.
    SharedMemory,
    /// Native code crashed.
    NativeCrash,
    /// A GPU kernel made an illegal memory access.
    IllegalAccess,
    /// The GPU itself failed.
    GpuHardware,
    /// The kernel's server is gone.
    Disconnection,
    /// A package was replaced under the running kernel.
    ReplacedPackage,
    /// The runtime reached its maximum lifetime, or will.
    TimeLimit,
    /// Nothing ran for too long.
    Inactivity,
    /// The account may not use an accelerator now.
    Quota,
    /// A mounted drive failed.
    Drive,
}

impl Condition {
    /// Every condition.
    pub const ALL: [Condition; 14] = [
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
        Condition::Quota,
        Condition::Drive,
    ];

    /// Its name in a rule's file.
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
            Condition::Quota => "quota",
            Condition::Drive => "drive",
        }
    }
}
