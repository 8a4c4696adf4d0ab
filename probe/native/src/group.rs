//! The kernel's memory control group: which files to read.

use crate::sys::{read, File, Path};
use nbmedic_probe::cgroup::{below, limit, mount, own, Version};

/// Where Colab mounts the group of its kernels, which lies outside of what it shows otherwise.
const COLAB: &[u8] = b"/var/colab/cgroup/jupyter-children";

/// The files of the group that limits the kernel, open.
#[derive(Clone, Copy, Default)]
pub struct Group {
    /// Its version; `None` where there is none to be read.
    pub version: Option<Version>,
    /// The limit in bytes.
    pub limit: Option<u64>,
    /// Bytes in use.
    pub usage: Option<File>,
    /// What they are used for.
    pub stat: Option<File>,
    /// Counts of kills.
    pub events: Option<File>,
    /// Counts of kills, of Colab's group.
    pub colab: Option<File>,
    /// Colab's monitor's list of events.
    pub monitor: Option<File>,
}

impl Group {
    /// Finds the group of a process.
    pub fn of(pid: u32, buffer: &mut [u8]) -> Group {
        let mut found = Group {
            colab: File::open(Path::of(&[COLAB, b"/memory.events"]).c()),
            monitor: File::open(c"/var/colab/events"),
            ..Group::default()
        };
        if found.take(Version::V2, &Path::of(&[COLAB])) && found.limit.is_some() {
            return found;
        }
        let (front, back) = buffer.split_at_mut(buffer.len() / 4);
        let mut path = Path::of(&[b"/proc/"]);
        path.push_number(pid);
        path.push(b"/cgroup");
        let Some((version, path)) = read(path.c(), front).and_then(own) else {
            return found;
        };
        let Some((root, at)) = read(c"/proc/self/mountinfo", back).and_then(|t| mount(t, version))
        else {
            return found;
        };
        // The tightest limit on the way up counts; without any, the innermost group.
        let mut rest = below(path, root);
        let mut tightest = u64::MAX;
        let mut first = true;
        loop {
            let folder = Path::of(&[at, rest]);
            let mut here = Group { ..found };
            if here.take(version, &folder) {
                let limit = here.limit.unwrap_or(u64::MAX);
                if first || limit < tightest {
                    // Kills are counted where the process is: version 1 does not add them up.
                    let events = if first { here.events } else { found.events };
                    found = Group { events, ..here };
                    tightest = limit;
                }
                first = false;
            }
            let Some(up) = rest.iter().rposition(|&b| b == b'/') else {
                break;
            };
            rest = rest.get(..up).unwrap_or(b"");
        }
        found
    }

    fn take(&mut self, version: Version, folder: &Path) -> bool {
        let open = |name: &[u8]| File::open(Path::of(&[folder.bytes(), name]).c());
        let (usage, limit_name, events): (&[u8], &[u8], &[u8]) = match version {
            Version::V1 => (
                b"/memory.usage_in_bytes",
                b"/memory.limit_in_bytes",
                b"/memory.oom_control",
            ),
            Version::V2 => (b"/memory.current", b"/memory.max", b"/memory.events"),
        };
        let usage = open(usage);
        if usage.is_none() {
            return false;
        }
        let mut small = [0; 32];
        let text = read(Path::of(&[folder.bytes(), limit_name]).c(), &mut small);
        *self = Group {
            version: Some(version),
            limit: text.and_then(limit),
            usage,
            stat: open(b"/memory.stat"),
            events: open(events),
            ..*self
        };
        true
    }
}
