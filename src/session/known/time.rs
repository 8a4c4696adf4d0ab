//! Lengths of time as written in facts of a diagnosis and on cards.

/// A length of time: `35 ms`, `48 s`, `12 min`, `3 h 5 min`.
pub fn duration(ms: u64) -> String {
    let s = ms / 1000;
    match s {
        0 => format!("{ms} ms"),
        1..=119 => format!("{s} s"),
        120..=7199 => format!("{} min", s / 60),
        _ => format!("{} h {} min", s / 3600, s % 3600 / 60),
    }
}

/// A forecast in seconds, rounded so that a card does not change with every reading: to 30 seconds
/// below two minutes, to minutes below a quarter of an hour, otherwise to five minutes.
pub fn coarse(seconds: f64) -> String {
    let s = seconds.max(0.0) as u64;
    let step = match s {
        0..=119 => 30,
        120..=899 => 60,
        _ => 300,
    };
    duration(((s + step / 2) / step * step).max(step) * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short_and_forecasts_rounded() {
        let of = [35, 999, 1000, 119_999, 120_000, 7_199_999, 7_500_000].map(duration);
        let want = [
            "35 ms",
            "999 ms",
            "1 s",
            "119 s",
            "2 min",
            "119 min",
            "2 h 5 min",
        ];
        assert_eq!(of, want);
        assert_eq!(
            [-3.0, 40.0, 130.0, 1000.0].map(coarse),
            ["30 s", "30 s", "2 min", "15 min"]
        );
    }
}
