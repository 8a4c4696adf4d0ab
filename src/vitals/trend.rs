//! Extrapolates a curve: its slope, whether it leaks from run to run, when it reaches its limit.
//!
//! All of it is based on ranks and medians (Theil–Sen slopes with Sen's interval, the Mann–Kendall
//! count), which a dip of the garbage collector or one large temporary array does not move.
//! P. K. Sen, "Estimates of the regression coefficient based on Kendall's tau", JASA 63 (1968).

/// A slope and the interval that contains it with a probability of 90 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope {
    /// Lower end.
    pub low: f64,
    /// The median of the slopes of all pairs.
    pub mid: f64,
    /// Upper end.
    pub high: f64,
    /// The Mann–Kendall count in standard deviations: how clearly the values rise.
    pub z: f64,
}

/// Maximum number of points for a slope, which compares all pairs.
pub const MAX_POINTS: usize = 24;

/// The slope of the last points; `None` for fewer than three.
pub fn slope(points: &[(f64, f64)]) -> Option<Slope> {
    let points = &points[points.len().saturating_sub(MAX_POINTS)..];
    let n = points.len() as f64;
    let mut slopes: Vec<f64> = Vec::new();
    let mut count = 0.0;
    for (i, a) in points.iter().enumerate() {
        for b in &points[..i] {
            let width = a.0 - b.0;
            if width > 0.0 {
                let s = (a.1 - b.1) / width;
                count += f64::from(i8::from(s > 0.0) - i8::from(s < 0.0));
                // Few values: insertion is less code to load than a sort.
                let at = slopes.iter().position(|x| *x > s).unwrap_or(slopes.len());
                slopes.insert(at, s);
            }
        }
    }
    if points.len() < 3 || slopes.is_empty() {
        return None;
    }
    let sd = (n * (n - 1.0) * (2.0 * n + 5.0) / 18.0).sqrt();
    let last = slopes.len() - 1;
    let rank = |r: f64| slopes[(r.max(0.0) as usize).min(last)];
    let half = last as f64 / 2.0;
    let margin = 1.645 * sd / 2.0;
    Some(Slope {
        low: rank(half - margin),
        mid: rank(half),
        high: rank((half + margin).ceil()),
        z: (count.abs() - 1.0).max(0.0) / sd * count.signum(),
    })
}

/// What one run of a cell did to a level, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Before the run.
    pub before: f64,
    /// After it, including what was freed again.
    pub after: f64,
}

/// Minimum number of runs for a leak: fewer may be one tooth of a sawtooth.
pub const MIN_RUNS: usize = 8;
/// Maximum number of runs examined.
const MAX_RUNS: usize = 16;
/// The Mann–Kendall count that chance reaches once in a hundred times.
const CLEAR: f64 = 2.326;
/// A smaller rise is not reported: a library's caches and the interpreter's own growth.
const MIN_RISE: f64 = (48u64 << 20) as f64;

/// How much each run of a cell adds that is not freed; `None` if it can't be distinguished from
/// noise, a cache that fills, single steps, or what other cells add. `total` is the limit, if
/// known.
pub fn leak(runs: &[Level], total: Option<f64>) -> Option<f64> {
    let runs = &runs[runs.len().saturating_sub(MAX_RUNS)..];
    let n = runs.len();
    if n < MIN_RUNS {
        return None;
    }
    let points: Vec<(f64, f64)> = (0..n).map(|i| (i as f64, runs[i].after)).collect();
    let all = slope(&points)?;
    let rise = all.mid * (n - 1) as f64;
    let least = total.map_or(MIN_RISE, |t| MIN_RISE.max(t * 0.02));
    if all.z < CLEAR || all.low <= 0.0 || rise < least {
        return None;
    }
    // Removes single dips and peaks.
    let level: Vec<f64> = (0..n)
        .map(|i| {
            let (a, b, c) = (
                points[i.max(1) - 1].1,
                points[i].1,
                points[(i + 1).min(n - 1)].1,
            );
            a.max(b).min(a.min(b).max(c))
        })
        .collect();
    // It is not freed: the last third is above the first.
    let third = n / 3;
    let top = level[..third].iter().fold(f64::MIN, |m, v| m.max(*v));
    let floor = level[n - third..].iter().fold(f64::MAX, |m, v| m.min(*v));
    // Not a few steps: two runs of three add, and none adds half of the rise.
    let steps: Vec<f64> = level.windows(2).map(|w| w[1] - w[0]).collect();
    let adding = steps.iter().filter(|s| **s > all.mid * 0.2).count();
    let single = steps.iter().any(|s| *s > rise * 0.5);
    // Not a cache that fills: the second half still rises as the first did, and so do the last
    // four runs.
    let half = n / 2;
    let early = slope(&points[..half])?.mid;
    let late = slope(&points[n - half..])?.mid;
    let still = level[n - 1] - level[n - 5] >= all.mid * 1.6;
    // This cell itself adds it.
    let own: f64 = runs[1..].iter().map(|r| r.after - r.before).sum();
    let leaks = floor > top
        && !single
        && adding * 3 >= steps.len() * 2
        && late >= early * 0.5
        && still
        && own >= rise * 0.6;
    leaks.then_some(all.mid)
}

/// When a level reaches its limit at its current rate, in seconds from the last point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// At the earliest.
    pub soon: f64,
    /// Most likely.
    pub likely: f64,
    /// At the latest, in nine cases of ten.
    pub late: f64,
}

/// Minimum duration of a rise, in seconds.
const MIN_SPAN: f64 = 45.0;
/// Minimum number of points in a rise.
const MIN_SEEN: usize = 6;
/// The rate itself drifts (a random walk): by this share after a time as long as the observation,
/// growing with the square root of the time. From 0.3, nine of ten generated climbs are full within
/// their interval; real ones are rougher, so this is one step more (`tests/leaks.rs` also measures
/// it on recorded ones).
const DRIFT: f64 = 0.35;

/// When a level (seconds, bytes) reaches `total`, estimated from the readings since the second
/// `since`; `None` if it does not clearly rise, rose for too short a time, or only climbs back to
/// where it was before.
pub fn forecast(points: &[(f64, f64)], since: f64, total: f64) -> Option<Forecast> {
    let began = points.iter().position(|p| p.0 >= since)?;
    let recent = &points[began.max(points.len().saturating_sub(MAX_POINTS))..];
    let (first, last) = (recent.first()?, recent.last()?);
    if recent.len() < MIN_SEEN || last.0 - first.0 < MIN_SPAN || last.1 >= total {
        return None;
    }
    let rate = slope(recent)?;
    if rate.z < CLEAR || rate.low <= 0.0 || last.1 - first.1 < total * 0.03 {
        return None;
    }
    let older = &points[..points.len() - recent.len()];
    if older.iter().any(|p| p.1 > last.1 * 0.98) {
        return None;
    }
    // Loading slows down before it ends, so the level must still be rising now.
    let now = slope(&recent[recent.len() / 2..])?;
    if now.mid < rate.mid * 0.5 {
        return None;
    }
    // No forecast for a level that has stopped. (If it rises further, the warning returns.)
    let near = |p: &&(f64, f64)| last.1 - p.1 < (last.1 - first.1) * 0.1;
    let held = recent.iter().find(near).map_or(0.0, |p| last.0 - p.0);
    if held * 3.0 > last.0 - first.0 {
        return None;
    }
    let room = total - last.1;
    let likely = room / rate.mid;
    let drift = 1.0 + DRIFT * (likely / (last.0 - first.0)).sqrt();
    // Single jumps, which do not affect the median.
    let whole = (last.1 - first.1) / (last.0 - first.0);
    Some(Forecast {
        soon: room / rate.high.max(now.mid).max(whole) / drift,
        likely,
        late: room / rate.low.min(now.mid).min(whole) * drift,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_is_robust() {
        let mut points: Vec<(f64, f64)> = (0..20)
            .map(|i| (f64::from(i), 3.0 * f64::from(i)))
            .collect();
        points[7].1 = -500.0;
        points[12].1 = 900.0;
        let s = slope(&points).unwrap();
        assert!(
            (s.mid - 3.0).abs() < 0.1 && s.low > 2.0 && s.high < 4.0 && s.z > 4.0,
            "{s:?}"
        );
        let flat: Vec<(f64, f64)> = (0..9).map(|i| (f64::from(i), f64::from(i % 2))).collect();
        let s = slope(&flat).unwrap();
        assert!(s.low <= 0.0 && s.high >= 0.0 && s.z.abs() < 1.0, "{s:?}");
        assert_eq!(slope(&points[..2]), None);
        assert_eq!(slope(&[(1.0, 2.0); 9]), None, "no time passed");
    }

    #[test]
    fn a_forecast_needs_a_lasting_rise_to_new_heights() {
        let gib = (1u64 << 30) as f64;
        let rising: Vec<(f64, f64)> = (0..12)
            .map(|i| (f64::from(i) * 10.0, f64::from(i) * 0.5 * gib))
            .collect();
        let f = forecast(&rising, 0.0, 12.0 * gib).unwrap();
        assert!(
            (f.likely - 130.0).abs() < 1.0 && f.soon <= f.likely && f.likely <= f.late,
            "{f:?}"
        );
        assert_eq!(forecast(&rising[..4], 0.0, 12.0 * gib), None, "too short");
        let mut before: Vec<(f64, f64)> =
            (0..24).map(|i| (f64::from(i) - 100.0, 8.0 * gib)).collect();
        before.extend(rising.iter().map(|p| (p.0, p.1)));
        before.extend((0..12).map(|i| (200.0 + f64::from(i) * 10.0, 5.0 * gib)));
        assert_eq!(
            forecast(&before, -200.0, 12.0 * gib),
            None,
            "it is flat now"
        );
        let second = before.len();
        before.extend((0..24).map(|i| (400.0 + f64::from(i) * 10.0, f64::from(i) * 0.3 * gib)));
        assert!(before.len() > second);
        assert_eq!(
            forecast(&before, -200.0, 12.0 * gib),
            None,
            "it was there before"
        );
    }
}
