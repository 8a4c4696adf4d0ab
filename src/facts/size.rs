//! Sizes, formatted for people.

use crate::number::fixed;

/// A size for people: powers of 1024, three significant digits.
pub fn bytes(n: i64) -> String {
    let mut value = n as f64;
    for unit in ["bytes", "KiB", "MiB", "GiB"] {
        if value.abs() < 1024.0 {
            return match unit {
                "bytes" => format!("{n} bytes"),
                _ if value.abs() < 10.0 => format!("{} {unit}", fixed(value, 2)),
                _ if value.abs() < 100.0 => format!("{} {unit}", fixed(value, 1)),
                _ => format!("{} {unit}", fixed(value, 0)),
            };
        }
        value /= 1024.0;
    }
    if value < 10.0 {
        format!("{} TiB", fixed(value, 2))
    } else {
        format!("{} TiB", fixed(value, 0))
    }
}

/// Bytes in use, with the total if it is known: "1.1 of 12.7 GiB".
pub fn amount(used: u64, total: Option<u64>) -> String {
    const GIB: f64 = (1u64 << 30) as f64;
    let plain = |n: u64| bytes(i64::try_from(n).unwrap_or(i64::MAX));
    match total {
        Some(total) if total >= 1 << 30 => format!(
            "{} of {} GiB",
            fixed(used as f64 / GIB, 1),
            fixed(total as f64 / GIB, 1)
        ),
        Some(total) => format!("{} of {}", plain(used), plain(total)),
        None => plain(used),
    }
}
