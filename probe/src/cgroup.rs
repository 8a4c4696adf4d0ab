//! Memory control groups, versions 1 and 2: where a process's is, and what its files say.
//!
//! After the kernel's `Documentation/admin-guide/cgroup-v2.rst` and `cgroup-v1/memory.rst`.

use crate::bytes::{lines, number, value, words};

/// The version of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// One hierarchy per controller.
    V1,
    /// One hierarchy.
    V2,
}

/// The path, within its hierarchy, of the process whose `/proc/PID/cgroup` this is. The memory
/// controller's hierarchy of version 1 is preferred where both are mounted: a controller is only in one.
pub fn own(text: &[u8]) -> Option<(Version, &[u8])> {
    let mut unified = None;
    for line in lines(text) {
        let mut parts = line.splitn(3, |&b| b == b':');
        let (Some(id), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        if controllers.split(|&b| b == b',').any(|c| c == b"memory") {
            return Some((Version::V1, path));
        }
        if id == b"0" && controllers.is_empty() {
            unified = Some((Version::V2, path));
        }
    }
    unified
}

/// A line of `/proc/PID/mountinfo` that mounts a hierarchy: the path within the hierarchy that is
/// mounted, and where.
pub fn mount(text: &[u8], version: Version) -> Option<(&[u8], &[u8])> {
    lines(text).find_map(|line| {
        let (front, back) = split(line, b" - ")?;
        let mut back = words(back);
        let kind = back.next()?;
        let options = back.last().unwrap_or(b"");
        let fits = match version {
            Version::V2 => kind == b"cgroup2",
            Version::V1 => {
                kind == b"cgroup" && options.split(|&b| b == b',').any(|o| o == b"memory")
            }
        };
        let mut front = words(front).skip(3);
        let root = front.next()?;
        let at = front.next()?;
        fits.then_some((root, at))
    })
}

/// The part of a process's path below what is mounted. Outside it, or above (`/../`), only the
/// mount's own root can be read.
pub fn below<'a>(path: &'a [u8], root: &[u8]) -> &'a [u8] {
    if path.windows(3).any(|w| w == b"/..") {
        return b"";
    }
    let root = root.strip_suffix(b"/").unwrap_or(root);
    match path.strip_prefix(root) {
        Some(b"/") | None => b"",
        Some(rest) if rest.first().is_none_or(|&b| b == b'/') => rest,
        Some(_) => b"",
    }
}

fn split<'a>(line: &'a [u8], by: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = crate::bytes::find(line, by)?;
    Some((line.get(..at)?, line.get(at + by.len()..)?))
}

/// A limit in bytes: `memory.max` or `memory.limit_in_bytes`. `None` for `max` and for version 1's
/// way of saying so, a number near 2⁶³.
pub fn limit(text: &[u8]) -> Option<u64> {
    number(text).filter(|&n| n < 1 << 62)
}

/// Bytes of what `memory.current` or `memory.usage_in_bytes` counts that can simply be dropped:
/// the inactive page cache of `memory.stat` (in version 1 that of the group with its children).
/// The rest is in use; kubelet and Docker count in the same way.
pub fn droppable(stat: &[u8], version: Version) -> u64 {
    let key: &[u8] = match version {
        Version::V1 => b"total_inactive_file ",
        Version::V2 => b"inactive_file ",
    };
    value(stat, key).unwrap_or(0)
}

/// How many processes were killed: of `memory.events`, or of version 1's `memory.oom_control`
/// (Linux 4.13 and later).
pub fn kills(text: &[u8]) -> Option<u64> {
    value(text, b"oom_kill ")
}

/// The number in the last line of Colab's `/var/colab/events` that counts kills
/// (`<epoch>,2,oom_kill=<n>`).
pub fn colab_kills(text: &[u8]) -> Option<u64> {
    lines(text)
        .filter_map(|line| crate::bytes::after(line, b",2,oom_kill="))
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
        let mounts = b"30 24 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n31 24 0:27 /docker/ab /sys/fs/cgroup/memory rw,nosuid - cgroup cgroup rw,memory\n";
        let (root, at) = mount(mounts, Version::V1).unwrap();
        assert_eq!(
            (root, at),
            (&b"/docker/ab"[..], &b"/sys/fs/cgroup/memory"[..])
        );
        assert_eq!(below(b"/docker/ab", root), b"");
        assert_eq!(below(b"/docker/ab/child", root), b"/child");
        assert_eq!(below(b"/docker/abc", root), b"", "another group");
    }

    #[test]
    fn version_2_and_a_group_above_what_is_mounted() {
        assert_eq!(
            own(b"0::/user.slice/a:b\n"),
            Some((Version::V2, &b"/user.slice/a:b"[..]))
        );
        assert_eq!(
            own(b"0::/../../jupyter-children\n").map(|(_, p)| below(p, b"/")),
            Some(&b""[..])
        );
        assert_eq!(below(b"/", b"/"), b"");
        assert_eq!(below(b"/kubepods/x", b"/"), b"/kubepods/x");
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
