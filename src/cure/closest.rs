//! Finds the name that was probably meant.

/// Maximum length of a compared name, in characters.
const MAX_NAME: usize = 60;

/// The candidate that a wrong name was probably meant to be. None if none is close, or if several
/// are equally close.
pub fn closest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Between equally close names, prefer the one with the same capitalization.
    let mut best: Option<((usize, bool), &str)> = None;
    let mut tie = false;
    let capital = |n: &str| n.starts_with(char::is_uppercase);
    for candidate in candidates {
        if candidate == wrong {
            continue;
        }
        let Some(distance) = near(wrong, candidate) else {
            continue;
        };
        let distance = (distance, capital(wrong) != capital(candidate));
        match best {
            Some((least, name)) if distance == least && name != candidate => tie = true,
            Some((least, _)) if distance >= least => {}
            _ => {
                best = Some((distance, candidate));
                tie = false;
            }
        }
    }
    best.filter(|_| !tie).map(|(_, name)| name)
}

/// Whether a name is another one with a slip of one letter that leaves no doubt: it is not short, no plural of the other one
/// or its singular, and no other candidate is near.
pub fn is_slip<'a>(
    wrong: &str,
    right: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> bool {
    let plural = |one: &str, many: &str| many.strip_suffix('s') == Some(one);
    wrong.chars().count() > 4
        && near(wrong, right).is_some_and(|d| d < 2)
        && !plural(wrong, right)
        && !plural(right, wrong)
        && candidates
            .into_iter()
            .all(|c| c == right || c == wrong || near(wrong, c).is_none())
}

/// The distance between two names: 0 if they differ only in case, spaces, `_` and `-`. None if they
/// are too far apart.
pub fn near(a: &str, b: &str) -> Option<usize> {
    let plain = |t: &str| -> Vec<char> {
        let letters = t.chars().filter(|c| !matches!(c, ' ' | '_' | '-' | '.'));
        letters
            .flat_map(char::to_lowercase)
            .take(MAX_NAME + 1)
            .collect()
    };
    let (a, b) = (plain(a), plain(b));
    let longest = a.len().max(b.len());
    if longest > MAX_NAME || a.is_empty() || b.is_empty() {
        return None;
    }
    // If a third of a short name differs, it is a different name.
    let most = match longest {
        0..=2 => 0,
        3..=5 => 1,
        6..=11 => 2,
        _ => 3,
    };
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    Some(distance(&a, &b)).filter(|d| *d <= most)
}

/// Edit distance between two names. Swapping two adjacent characters counts as one edit.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0_usize; b.len() + 1]; 3];
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let (this, last, older) = (i % 3, (i + 2) % 3, (i + 1) % 3);
        rows[this][0] = i;
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (rows[last][j] + 1)
                .min(rows[this][j - 1] + 1)
                .min(rows[last][j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[older][j - 2] + 1);
            }
            rows[this][j] = least;
        }
    }
    rows[a.len() % 3][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_near_name_is_found() {
        for (wrong, right) in [
            ("Acuracy", "accuracy"),
            ("unit price", "unit_price"),
            ("lables", "labels"),
            ("zeros_lke", "zeros_like"),
        ] {
            assert_eq!(
                closest(wrong, ["loss", right, "epoch"]),
                Some(right),
                "{wrong}"
            );
        }
        assert_eq!(closest("x1", ["x2", "x3"]), None);
        assert_eq!(closest("train_x", ["train_y", "train_z"]), None);
        assert_eq!(closest("model", ["optimizer", "loss"]), None);
    }

    #[test]
    fn a_slip_of_one_letter_leaves_no_doubt() {
        assert!(is_slip("lables", "labels", ["labels", "loss"]));
        assert!(is_slip("parseDates", "parse_dates", ["parse_dates"]));
        for (wrong, right, other) in [
            ("labels", "label", "loss"),
            ("rno", "rng", "loss"),
            ("tarnets", "targets", "tarnet"),
            ("optimiiers", "optimizer", "loss"),
        ] {
            assert!(!is_slip(wrong, right, [right, other]), "{wrong}");
        }
    }
}
