//! The names that libraries removed, renamed or added, unpacked at first use.

use crate::unpack::RENAMED;
use nbmedic_rule::packed::{FIELD, RULE};
use nbmedic_rule::{NameKind, Renamed};
use std::sync::OnceLock;

/// Every name with any facts, ordered by library and kind.
pub fn renamed_names() -> &'static [Renamed] {
    static NAMES: OnceLock<Vec<Renamed>> = OnceLock::new();
    NAMES.get_or_init(|| RENAMED.split(RULE).map(unpack).collect())
}

/// The entries for a name; `library` is the name of its table. Empty if no table has the name.
pub fn renamed<'a>(library: &'a str, name: &'a str) -> impl Iterator<Item = &'static Renamed> + 'a {
    let all = renamed_names().iter();
    all.filter(move |r| r.library == library && r.old == name)
}

fn unpack(packed: &'static str) -> Renamed {
    let mut fields = packed.split(FIELD);
    let mut next = || fields.next().unwrap_or("");
    Renamed {
        library: next(),
        kind: match next() {
            "members" => NameKind::Member,
            "arguments" => NameKind::Argument,
            "modules" => NameKind::Module,
            _ => NameKind::Attribute,
        },
        old: next(),
        new: next(),
        since: next(),
        from: next(),
        added: next(),
        of: next(),
        source: next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_its_replacement_and_source() {
        let found: Vec<_> = renamed("numpy", "float_").collect();
        let [name] = found[..] else {
            panic!("{found:?}");
        };
        assert_eq!(
            (name.kind, name.new, name.since),
            (NameKind::Attribute, "np.float64", "2.0")
        );
        assert!(name.source.contains("2.0.0-notes"), "{}", name.source);
        let kinds: Vec<NameKind> = renamed("keras", "lr").map(|r| r.kind).collect();
        assert_eq!(kinds, [NameKind::Member, NameKind::Argument]);
        assert_eq!(renamed("numpy", "no_such_name").count(), 0);
    }

    #[test]
    fn every_name_has_a_source() {
        assert!(renamed_names().len() > 400, "{}", renamed_names().len());
        for r in renamed_names() {
            assert!(r.source.starts_with("https://"), "{r:?}");
            let known = [r.new, r.since, r.added].iter().any(|t| !t.is_empty());
            assert!(known, "{r:?}");
        }
    }
}
