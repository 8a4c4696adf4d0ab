//! Lines of the kernel log about an out-of-memory kill or a GPU fault.

use crate::bytes::{after, find, number};

/// Splits a record of `/dev/kmsg` into microseconds since the machine started and the text
/// (`6,1234,5678900,-;text`).
pub fn record(raw: &[u8]) -> Option<(u64, &[u8])> {
    let micros = number(after(after(raw, b",")?, b",")?)?;
    Some((micros, after(raw, b";")?))
}

/// Splits a line of `syslog(2)` into microseconds since the machine started and the text
/// (`<6>[  123.456789] text`).
pub fn line(raw: &[u8]) -> Option<(u64, &[u8])> {
    let rest = after(raw.strip_prefix(b"<")?, b">[")?;
    let seconds = number(rest)?;
    let micros = number(after(rest, b".")?)?;
    Some((
        seconds.checked_mul(1_000_000)?.checked_add(micros)?,
        after(rest, b"] ")?,
    ))
}

/// The process that the kernel killed because memory ran out: "Out of memory: Killed process 42
/// (python3) …", "Memory cgroup out of memory: Killed process …" (Linux 5.0 and later).
/// The number is the host's, not the container's: compare the name too.
pub fn killed(text: &[u8]) -> Option<(u32, &[u8])> {
    find(text, b"ut of memory")?;
    let rest = after(text, b"Killed process ")?;
    let pid = u32::try_from(number(rest)?).ok()?;
    let name = after(rest, b"(")?;
    let end = name.iter().position(|&b| b == b')')?;
    Some((pid, name.get(..end)?))
}

/// A GPU fault in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Xid<'a> {
    /// The Xid's number.
    pub number: u32,
    /// The GPU's bus id as the driver prints it (`0000:00:04`, or `0000:00:04.0`).
    pub bus: &'a [u8],
    /// The text after the number.
    pub rest: &'a [u8],
    /// Whether it mentions an address out of range.
    pub address: bool,
}

/// Parses `NVRM: Xid (PCI:0000:00:04): 31, pid=1234, name=python3, …`, and the lines about a GPU
/// that fell off the bus, which have no number (79).
pub fn xid(text: &[u8]) -> Option<Xid<'_>> {
    let rest = after(text, b"NVRM: ")?;
    let Some(rest) = rest.strip_prefix(b"Xid (") else {
        find(rest, b"fallen off the bus")?;
        let bus = after(rest, b"GPU at PCI:")
            .or_else(|| after(rest, b"GPU "))
            .unwrap_or(b"");
        return Some(Xid {
            number: 79,
            bus: hexadecimal(bus),
            rest,

            address: false,
        });
    };
    let bus = hexadecimal(rest.strip_prefix(b"PCI:").unwrap_or(rest));
    let rest = after(rest, b"): ")?;
    let number = u32::try_from(number(rest)?).ok()?;
    let rest = after(rest, b",").unwrap_or(b"").trim_ascii_start();
    let address = find(rest, b"Out Of Range Address").is_some();
    Some(Xid {
        number,
        bus,
        rest,
        address,
    })
}

/// The bus id that `text` begins with.
fn hexadecimal(text: &[u8]) -> &[u8] {
    let end = text
        .iter()
        .position(|b| !(b.is_ascii_hexdigit() || matches!(b, b':' | b'.')))
        .unwrap_or(text.len());
    let found = text.get(..end).unwrap_or(text);
    found.strip_suffix(b":").unwrap_or(found)
}

/// Whether a bus id from the log names the GPU with this bus id. The log omits the function, and
/// letters may have either case.
pub fn same_bus(gpu: &[u8], log: &[u8]) -> bool {
    // Digits and punctuation have this bit set anyway.
    let same = |(a, b): (&u8, &u8)| a | 0x20 == b | 0x20;
    !log.is_empty() && log.len() <= gpu.len() && gpu.iter().zip(log).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kills_of_every_spelling() {
        let line = b"Memory cgroup out of memory: Killed process 4242 (python3) total-vm:1kB, anon-rss:2kB";
        assert_eq!(killed(line), Some((4242, &b"python3"[..])));
        assert_eq!(killed(b"Killed process 7 (a) by admin"), None);
        assert_eq!(
            killed(b"Out of memory: Killed process 99999999999 (a)"),
            None
        );
        assert_eq!(killed(b"Out of memory: Killed process 7 (a"), None);
    }

    #[test]
    fn xids_with_and_without_their_parts() {
        let line = b"NVRM: Xid (PCI:0000:00:04): 31, pid=1234, name=python3, Ch 00000008, intr 00000000. MMU Fault: ENGINE GRAPHICS";
        let found = xid(line).unwrap();
        assert_eq!((found.number, found.bus), (31, &b"0000:00:04"[..]));
        assert!(found.rest.starts_with(b"pid=1234"));
        let mig = xid(b"NVRM: Xid (PCI:0000:07:00 GPU-I:05 GPU-CI:00): 43, pid=1").unwrap();
        assert_eq!((mig.number, mig.bus), (43, &b"0000:07:00"[..]));
        let old = xid(b"NVRM: Xid (0000:03:00): 13, Graphics SM Warp Exception on (GPC 0, TPC 0): Out Of Range Address").unwrap();
        assert!(old.address && old.number == 13);
        assert_eq!(xid(b"NVRM: Xid (PCI:0000:03:00): x"), None);
        assert_eq!(xid(b"NVRM: loading NVIDIA UNIX Open Kernel Module"), None);
    }

    #[test]
    fn a_gpu_off_the_bus_is_79() {
        let found =
            xid(b"NVRM: GPU at PCI:0000:0c:00: GPU-11: GPU has fallen off the bus.").unwrap();
        assert_eq!((found.number, found.bus), (79, &b"0000:0c:00"[..]));
        assert_eq!(
            xid(b"NVRM: GPU 0000:0c:00.0: GPU has fallen off the bus.")
                .unwrap()
                .bus,
            b"0000:0c:00.0"
        );
    }

    #[test]
    fn bus_ids_are_compared_by_what_they_mean() {
        assert!(same_bus(b"0000:00:04.0", b"0000:00:04"));
        assert!(same_bus(b"0000:0C:00.0", b"0000:0c:00.0"));
        assert!(!same_bus(b"0000:0C:00.0", b"0000:0d:00"));
        assert!(!same_bus(b"0000:0C:00.0", b""));
        assert!(!same_bus(b"", b"0000:0C:00"));
    }

    #[test]
    fn a_record_of_the_device() {
        let raw = b"6,339,5140900,-;NVRM: hello";
        assert_eq!(record(raw), Some((5140900, &b"NVRM: hello"[..])));
        assert_eq!(record(b"plain text"), None);
        assert_eq!(
            line(b"<6>[   12.000345] NVRM: x"),
            Some((12000345, &b"NVRM: x"[..]))
        );
        assert_eq!(line(b"plain [1.2] x"), None);
    }
}
