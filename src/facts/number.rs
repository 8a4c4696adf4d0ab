//! Decimal numbers as programs print them.

/// A decimal number; `None` for anything else, `nan` and `inf` included.
pub fn decimal(text: &str) -> Option<f64> {
    let number = text.parse().ok();
    number.filter(|_| text.bytes().any(|b| b.is_ascii_digit()))
}

/// A number with this many digits after the point; halves are rounded away from zero, and a result
/// of zero has no sign.
pub fn fixed(value: f64, places: i32) -> String {
    let scale = 10_f64.powi(places);
    let rounded = (value * scale).round() / scale + 0.0;
    let places = places.unsigned_abs() as usize;
    format!("{rounded:.places$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_numbers_and_no_words() {
        for (text, number) in [
            ("1e3", Some(1000.0)),
            ("-7.25", Some(-7.25)),
            ("+1", Some(1.0)),
            (".5", Some(0.5)),
            ("5.", Some(5.0)),
            ("1e999", Some(f64::INFINITY)),
        ] {
            assert_eq!(decimal(text), number, "{text}");
        }
        for text in [
            "",
            "-",
            ".",
            "e5",
            "1.2.3",
            "1_0",
            "0x1",
            "nan",
            "inf",
            "-Infinity",
            "1e",
            "1 ",
        ] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    #[test]
    fn it_writes_a_few_digits() {
        for (value, places, text) in [
            (745.0581, 2, "745.06"),
            (12.0, 1, "12.0"),
            (-0.04, 1, "0.0"),
            (-1.05, 1, "-1.1"),
            (9.96, 0, "10"),
            (2.5, 0, "3"),
            (0.125, 2, "0.13"),
        ] {
            assert_eq!(fixed(value, places), text);
        }
    }
}
