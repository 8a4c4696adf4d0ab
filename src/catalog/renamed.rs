//! The names that libraries removed, renamed or added, unpacked when they are first asked for.

use crate::unpack::RENAMED;
use nbmedic_rule::packed::{FIELD, RULE};
use nbmedic_rule::{NameKind, Renamed};
use std::sync::OnceLock;

/// Every name of which more is known than that it may be missing, by library and kind.
pub fn renamed_names() -> &'static [Renamed] {
    static NAMES: OnceLock<Vec<Renamed>> = OnceLock::new();
    NAMES.get_or_init(|| RENAMED.split(RULE).map(unpack).collect())
}

/// What is known of a name; `library` as its table is called. Empty for a name that no table has.
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
