//! Which names are close to a misspelt one.

/// Names that are longer are compared with nothing.
const LONGEST: usize = 64;

/// A name with what it is compared as: without case and underscores.
fn plain(name: &str) -> Vec<u8> {
    let kept = name.bytes().filter(|b| *b != b'_');
    kept.map(|b| b.to_ascii_lowercase()).collect()
}

/// How many letters a misspelling of this length may have wrong.
fn allowed(length: usize) -> usize {
    match length {
        0..=2 => 0,
        3..=4 => 1,
        5..=9 => 2,
        _ => 3,
    }
}

/// The number of letters to add, remove, replace or swap with their neighbour. `None` if more than
/// `most`.
pub(crate) fn distance(a: &[u8], b: &[u8], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most || a.len().max(b.len()) > LONGEST {
        return None;
    }
    let (mut before, mut last) = (vec![0; b.len() + 1], (0..=b.len()).collect::<Vec<usize>>());
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let other = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + other);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        if row.iter().all(|d| *d > most) {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    last.pop().filter(|d| *d <= most)
}

/// The names that are closest to `wrong`, with how many letters differ: those that differ in case
/// and underscores only, else those with the fewest letters to correct. Names that are equal to it
/// and far ones are left out.
pub fn nearest<'n>(wrong: &str, names: impl Iterator<Item = &'n str>) -> Vec<(&'n str, usize)> {
    let asked = plain(wrong);
    let mut most = allowed(asked.len());
    let mut found: Vec<(usize, usize, &str)> = Vec::new();
    for name in names.filter(|n| *n != wrong) {
        let Some(plainly) = distance(&asked, &plain(name), most) else {
            continue;
        };
        // A name that is nearer makes the others too far.
        most = plainly;
        let written = distance(wrong.as_bytes(), name.as_bytes(), LONGEST);
        found.push((plainly, written.unwrap_or(LONGEST), name));
    }
    found.sort_unstable();
    found.dedup();
    let Some((plainly, written, _)) = found.first().copied() else {
        return Vec::new();
    };
    let best = found.iter().filter(|f| (f.0, f.1) == (plainly, written));
    best.map(|(_, written, name)| (*name, *written)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_name_is_found() {
        let names = [
            "zeros",
            "zeros_like",
            "ones_like",
            "Linear",
            "LinearLR",
            "read_csv",
            "read_xml",
        ];
        let near = |wrong| nearest(wrong, names.into_iter());
        assert_eq!(near("zeros_lke"), [("zeros_like", 1)]);
        assert_eq!(near("linear"), [("Linear", 1)]);
        assert_eq!(near("read_cvs"), [("read_csv", 1)]);
        assert_eq!(near("readcsv"), [("read_csv", 1)]);
        assert_eq!(near("Zeros_Like"), [("zeros_like", 2)]);
        assert_eq!(near("read_csv"), []);
        assert_eq!(near("banana"), []);
        assert_eq!(near(""), []);
        assert_eq!(near(&"x".repeat(10_000)), []);
    }

    #[test]
    fn equally_close_names_are_all_named() {
        let names = ["read_csv", "read_css", "read"];
        let found = nearest("read_csx", names.into_iter());
        assert_eq!(found, [("read_css", 1), ("read_csv", 1)]);
    }

    #[test]
    fn short_names_must_be_nearly_right() {
        assert_eq!(nearest("pi", ["e", "pl"].into_iter()), []);
        assert_eq!(
            nearest("menn", ["mean", "median"].into_iter()),
            [("mean", 1)]
        );
        assert_eq!(nearest("main", ["mode"].into_iter()), []);
    }

    #[test]
    fn distances() {
        let d = |a: &str, b: &str| distance(a.as_bytes(), b.as_bytes(), 3);
        assert_eq!(d("kitten", "sitting"), Some(3));
        assert_eq!(d("csv", "cvs"), Some(1));
        assert_eq!(d("", "abc"), Some(3));
        assert_eq!(d("abcdef", "uvwxyz"), None);
    }
}
