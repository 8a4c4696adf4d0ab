//! Memory control groups, versions 1 and 2: the path of a process's group, and its files.
//!
//! Source: the kernel's `Documentation/admin-guide/cgroup-v2.rst` and `cgroup-v1/memory.rst`.

use crate::bytes::{after, lines, number, value};

/// The version of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// One hierarchy per controller.
    V1,
    /// One hierarchy.
    V2,
}

/// The path, within its hierarchy, of the process whose `/proc/PID/cgroup` this is. If both versions
/// are mounted, version 1's memory hierarchy wins: a controller is in one hierarchy only, and
/// memory's is never mounted with others.
pub fn own(text: &[u8]) -> Option<(Version, &[u8])> {
    let (version, rest) = match after(text, b":memory:") {
        Some(rest) => (Version::V1, rest),
        None => (Version::V2, after(text, b"0::")?),
    };
    Some((version, lines(rest).next()?))
}

/// Where the hierarchies are mounted, on every known system.
pub fn root(version: Version) -> &'static [u8] {
    match version {
        Version::V1 => b"/sys/fs/cgroup/memory",
        Version::V2 => b"/sys/fs/cgroup",
    }
}

/// A limit in bytes: `memory.max` or `memory.limit_in_bytes`. `None` for `max` and for version 1's
/// equivalent, a number near 2⁶³.
pub fn limit(text: &[u8]) -> Option<u64> {
    number(text).filter(|&n| n < 1 << 62)
}

/// Reclaimable bytes among those that `memory.current` or `memory.usage_in_bytes` counts: the
/// inactive page cache of `memory.stat` (in version 1 that of the group with its children). The
/// rest is in use; kubelet and Docker count in the same way.
pub fn droppable(stat: &[u8], version: Version) -> u64 {
    let key: &[u8] = match version {
        Version::V1 => b"total_inactive_file ",
        Version::V2 => b"inactive_file ",
    };
    value(stat, key).unwrap_or(0)
}

/// The number of killed processes, from `memory.events`, version 1's `memory.oom_control`, or
/// `/proc/vmstat` (Linux 4.13 and later).
pub fn kills(text: &[u8]) -> Option<u64> {
    value(text, b"oom_kill ")
}

/// The number in the last line of Colab's `/var/colab/events` that counts kills
/// (`<epoch>,2,oom_kill=<n>`).
pub fn colab_kills(text: &[u8]) -> Option<u64> {
    lines(text)
        .filter_map(|line| after(line, b",2,oom_kill="))
        .last()
        .and_then(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_1_is_found_by_its_controller() {
        let text = b"9:memory:/docker/ab\n4:cpu,cpuacct:/x\n0::/y\n";
        assert_eq!(own(text), Some((Version::V1, &b"/docker/ab"[..])));
    }

    #[test]
    fn version_2_has_one_line() {
        assert_eq!(
            own(b"0::/user.slice/a:b\n"),
            Some((Version::V2, &b"/user.slice/a:b"[..]))
        );
        assert_eq!(own(b"nonsense"), None);
    }

    #[test]
    fn no_limit_is_not_a_number() {
        assert_eq!(limit(b"max\n"), None);
        assert_eq!(limit(b"9223372036854771712\n"), None);
        assert_eq!(limit(b"1610612736\n"), Some(1610612736));
    }

    #[test]
    fn the_cache_that_can_go_is_told_apart() {
        assert_eq!(droppable(b"anon 1\ninactive_file 300\n", Version::V2), 300);
        assert_eq!(
            droppable(b"inactive_file 9\ntotal_inactive_file 300\n", Version::V1),
            300
        );
        assert_eq!(droppable(b"", Version::V2), 0);
    }

    #[test]
    fn kills_are_counted_by_three() {
        assert_eq!(
            kills(b"low 0\nhigh 0\nmax 3\noom 1\noom_kill 1\noom_group_kill 0\n"),
            Some(1)
        );
        assert_eq!(
            kills(b"oom_kill_disable 0\nunder_oom 0\noom_kill 4\n"),
            Some(4)
        );
        assert_eq!(kills(b"oom_kill_disable 0\nunder_oom 0\n"), None);
        assert_eq!(
            colab_kills(b"1,1,x=1\n5,2,oom_kill=1\n9,2,oom_kill=2\n"),
            Some(2)
        );
        assert_eq!(colab_kills(b""), None);
    }
}
