//! Finds the files of the kernel's memory control group.

use crate::host::proc;
use crate::sys::{read, File, Path, NO_FILE};
use nbmedic_probe::bytes::NONE;
use nbmedic_probe::cgroup::{limit, own, root, Version};

/// Where Colab mounts its kernels' group, which the container does not show otherwise.
const COLAB: &[u8] = b"/var/colab/cgroup/jupyter-children";

/// The open files of the group that limits the kernel.
#[derive(Clone, Copy)]
pub struct Group {
    /// Its version; `None` if no group can be read.
    pub version: Option<Version>,
    /// The limit in bytes, or `NONE`.
    pub limit: u64,
    /// Whether the kill counts are those of the kernel's own group.
    pub exact: bool,
    /// Bytes in use.
    pub usage: File,
    /// `memory.stat`: what the bytes are used for.
    pub stat: File,
    /// Kill counts.
    pub events: File,
    /// Kill counts of Colab's group.
    pub colab: File,
    /// Colab's monitor's list of events.
    pub monitor: File,
}

impl Group {
    /// Finds the group of a process.
    pub fn find(&mut self, pid: u32, buffer: &mut [u8]) {
        *self = Group {
            version: None,
            limit: NONE,
            exact: false,
            usage: NO_FILE,
            stat: NO_FILE,
            events: NO_FILE,
            colab: File::open(Path::of(COLAB, b"/memory.events").c()),
            monitor: File::open(c"/var/colab/events"),
        };
        if self.take(Version::V2, &Path::of(COLAB, b"")) && self.limit != NONE {
            return;
        }
        let Some((version, path)) = own(read(proc(pid, b"/cgroup").c(), buffer)) else {
            return;
        };
        // The tightest limit among the group and its parents counts; without one, the innermost group.
        let mut rest = path.strip_suffix(b"/").unwrap_or(path);
        let mut whole = true;
        let mut first = true;
        loop {
            let mut here = *self;
            if here.take(version, &Path::of(root(version), rest)) {
                if first {
                    *self = Group {
                        exact: whole,
                        ..here
                    };
                } else if here.limit < self.limit {
                    // Kills are counted in the process's own group: version 1 does not sum them up.
                    *self = Group {
                        events: self.events,
                        ..here
                    };
                }
                first = false;
            }
            whole = false;
            let Some(up) = rest.iter().rposition(|&b| b == b'/') else {
                break;
            };
            rest = rest.get(..up).unwrap_or(b"");
        }
    }

    fn take(&mut self, version: Version, folder: &Path) -> bool {
        let open = |name: &[u8]| File::open(Path::of(folder.bytes(), name).c());
        let (usage, limit_name, events): (&[u8], &[u8], &[u8]) = match version {
            Version::V1 => (
                b"/memory.usage_in_bytes",
                b"/memory.limit_in_bytes",
                b"/memory.oom_control",
            ),
            Version::V2 => (b"/memory.current", b"/memory.max", b"/memory.events"),
        };
        let usage = open(usage);
        if !usage.is_open() {
            return false;
        }
        let mut small = [0; 32];
        let text = read(Path::of(folder.bytes(), limit_name).c(), &mut small);
        let limit = limit(text).unwrap_or(NONE);
        *self = Group {
            version: Some(version),
            limit,
            usage,
            stat: open(b"/memory.stat"),
            events: open(events),
            ..*self
        };
        true
    }
}
