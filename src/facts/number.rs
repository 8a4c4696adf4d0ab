//! Decimal numbers read and written without the standard library's floating-point tables, which are
//! 25 kB of compressed WASM: what is read here are sizes that a program printed with a few digits,
//! and what is written is rounded to as few.

/// Most digits that are told apart: more do not fit the integer.
const DIGITS: u32 = 18;
/// 10^22 is the last power of ten that a double holds exactly.
const EXACT: u32 = 22;

/// A decimal number: digits, perhaps with a sign, a fraction and an exponent. Exact (the nearest
/// double) up to 15 digits and exponents of 22; beyond that the last bits may be off.
pub fn decimal(text: &str) -> Option<f64> {
    let (negative, text) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (digits, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text[at + 1..].parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (mut value, mut count, mut power) = (0u64, 0u32, exponent.clamp(-400, 400));
    let (mut any, mut fraction) = (false, false);
    for b in digits.bytes() {
        match b {
            b'0'..=b'9' => {
                any = true;
                if count < DIGITS {
                    value = value * 10 + u64::from(b - b'0');
                    count += u32::from(value > 0);
                    power -= i32::from(fraction);
                } else {
                    power += i32::from(!fraction);
                }
            }
            b'.' if !fraction => fraction = true,
            _ => return None,
        }
    }
    if !any {
        return None;
    }
    let mut out = value as f64;
    let mut left = power.unsigned_abs().min(800);
    while left > 0 && out != 0.0 && out.is_finite() {
        let step = left.min(EXACT);
        let factor = 10f64.powi(step as i32);
        out = if power < 0 {
            out / factor
        } else {
            out * factor
        };
        left -= step;
    }
    Some(if negative { -out } else { out })
}

/// A number with this many digits after the point, at most 6; halves are rounded away from zero.
pub fn fixed(value: f64, places: u32) -> String {
    let places = places.min(6);
    let scale = 10u64.pow(places);
    // What is too large for the integer, and what is no number, ends at its edges.
    let whole = (value.abs() * scale as f64).round() as u64;
    let sign = if value < 0.0 && whole > 0 { "-" } else { "" };
    let (units, rest) = (whole / scale, whole % scale);
    if places == 0 {
        return format!("{sign}{units}");
    }
    let rest = (rest + scale).to_string();
    format!("{sign}{units}.{}", &rest[1..])
}

/// A number with at most this many digits after the point, without zeros at its end.
pub fn short(value: f64, places: u32) -> String {
    let text = fixed(value, places);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_what_the_standard_library_reads() {
        let mut seed = 1u64;
        for i in 0..20_000 {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let digits = (seed >> 20) % 10u64.pow(1 + i % 15);
            let places = (seed >> 8) % 12;
            let text = match places {
                0 => digits.to_string(),
                n => format!(
                    "{}.{:0w$}",
                    digits / 7,
                    digits % 10u64.pow(n as u32).max(1),
                    w = n as usize
                ),
            };
            if text.len() > 16 {
                continue;
            }
            assert_eq!(decimal(&text), text.parse().ok(), "{text}");
        }
        for text in [
            "0",
            "1e3",
            "2.5E-3",
            "-7.25",
            "+1",
            ".5",
            "5.",
            "1e22",
            "9007199254740992",
        ] {
            assert_eq!(decimal(text), text.parse().ok(), "{text}");
        }
        for text in [
            "", "-", ".", "e5", "1.2.3", "1_0", "0x1", "nan", "inf", "1e", "1 ",
        ] {
            assert_eq!(decimal(text), None, "{text}");
        }
        assert_eq!(decimal("1e999"), Some(f64::INFINITY));
        assert_eq!(decimal(&"9".repeat(30)).map(|n| n > 9.9e29), Some(true));
    }

    #[test]
    fn it_writes_a_few_digits() {
        assert_eq!(fixed(745.0581, 2), "745.06");
        assert_eq!(fixed(12.0, 1), "12.0");
        assert_eq!(fixed(-0.04, 1), "0.0");
        assert_eq!(fixed(-1.05, 1), "-1.1");
        assert_eq!(fixed(9.96, 0), "10");
        assert_eq!(fixed(f64::NAN, 1), "0.0");
        assert_eq!(short(0.97, 3), "0.97");
        assert_eq!(short(1.0, 3), "1");
        assert_eq!(short(100.0, 0), "100");
    }
}
