//! Times as logs write them.

use jiff::civil::DateTime;
use jiff::fmt::{rfc2822, strtime};
use jiff::tz::TimeZone;
use jiff::Timestamp;

/// How logs write a date and a time without a zone.
const FORMS: &[&str] = &[
    // Jupyter's server; Kubernetes' older events.
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%dT%H:%M:%S%.f",
    // Colab's table of runtime logs.
    "%b %d, %Y, %I:%M:%S %p",
    // `dmesg -T`.
    "%a %b %d %H:%M:%S %Y",
    "%a %b  %d %H:%M:%S %Y",
];

/// A point in time, in milliseconds since 1970. Without a zone it is one of `zone`.
pub fn parse(text: &str, zone: &TimeZone) -> Option<i64> {
    // A browser puts a narrow space before PM.
    let text = text.trim().replace(['\u{202f}', '\u{a0}'], " ");
    if let Ok(found) = text.parse::<Timestamp>() {
        return Some(found.as_millisecond());
    }
    if let Ok(found) = rfc2822::parse(&text) {
        return Some(found.timestamp().as_millisecond());
    }
    let civil = |form: &&str| strtime::parse(form, &text).ok()?.to_datetime().ok();
    unix(FORMS.iter().find_map(civil)?, zone)
}

/// A time of a system's log, which has no year: the last such time before `now`.
pub fn without_year(text: &str, zone: &TimeZone, now: Timestamp) -> Option<i64> {
    let year = now.to_zoned(zone.clone()).year();
    [year, year - 1].into_iter().find_map(|year| {
        let dated = format!("{year} {text}");
        let found = strtime::parse("%Y %b %d %H:%M:%S", &dated).ok()?;
        let at = unix(found.to_datetime().ok()?, zone)?;
        // Clocks differ by a little.
        (at < now.as_millisecond() + 86_400_000).then_some(at)
    })
}

fn unix(civil: DateTime, zone: &TimeZone) -> Option<i64> {
    let at = zone.to_timestamp(civil).ok()?;
    Some(at.as_millisecond())
}

/// A point in time for people: the date and the time of day, with milliseconds.
pub fn shown(at: i64, zone: &TimeZone) -> (String, String) {
    let Ok(at) = Timestamp::from_millisecond(at) else {
        return (String::new(), "?".to_owned());
    };
    let at = at.to_zoned(zone.clone());
    (
        at.strftime("%Y-%m-%d").to_string(),
        at.strftime("%H:%M:%S%.3f").to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_of_logs() {
        let at = Some(1_795_785_026_969 / 1000 * 1000);
        for text in [
            "2026-11-27 13:10:26",
            "2026-11-27T13:10:26Z",
            "2026-11-27T14:10:26+01:00",
            "Nov 27, 2026, 1:10:26 PM",
            "Nov 27, 2026, 1:10:26\u{202f}PM",
            "Fri Nov 27 13:10:26 2026",
            "Fri, 27 Nov 2026 13:10:26 +0000",
        ] {
            assert_eq!(parse(text, &TimeZone::UTC), at, "{text}");
        }
        let now = "2026-11-28T00:00:00Z".parse().unwrap();
        assert_eq!(without_year("Nov 27 13:10:26", &TimeZone::UTC, now), at);
        let old = without_year("Dec 24 13:10:26", &TimeZone::UTC, now).unwrap();
        assert_eq!(shown(old, &TimeZone::UTC).0, "2025-12-24");
        let millis = parse("2026-11-27 13:10:26.969", &TimeZone::UTC).unwrap();
        assert_eq!(shown(millis, &TimeZone::UTC).1, "13:10:26.969");
        assert_eq!(parse("13 apples", &TimeZone::UTC), None);
    }
}
