//! The hand-written tables of renamed names (`src/catalog/renamed`) say nothing that the libraries
//! themselves contradict.

use nbmedic::catalog::{renamed_names, NameKind, Renamed};
use nbmedic_libraries::{names, text, Kind, Releases, Table};

/// The libraries of a hand-written table, where their names differ.
const LIBRARIES: [(&str, &[&str]); 6] = [
    ("sklearn", &["scikit-learn"]),
    ("torch", &["torch", "torchvision"]),
    ("transformers", &["transformers", "datasets"]),
    ("boosting", &["xgboost", "lightgbm"]),
    ("opencv", &["opencv-python-headless"]),
    ("tensorflow", &["tensorflow", "keras"]),
];

/// Names that the libraries seem to contradict, and why they do not.
const KEPT: &[(&str, &str, &str)] = &[
    ("pandas", "Panel", "an empty class of that name stayed"),
    ("pandas", "SparseDataFrame", "an empty class stayed"),
    ("pandas", "SparseSeries", "an empty class stayed"),
    ("scipy", "imread", "scipy.misc needs Pillow to have it"),
    (
        "sklearn",
        "CategoricalEncoder",
        "a class that only raises stayed",
    ),
];

/// What the libraries say of an entry's release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Unknown,
    Contradicted,
    Confirmed,
}

/// A version as numbers, to compare.
fn numbers(version: &str) -> [u32; 3] {
    let mut all = [0; 3];
    for (slot, part) in all.iter_mut().zip(version.split('.')) {
        *slot = part.parse().unwrap_or(0);
    }
    all
}

/// Every table of a hand-written table's libraries.
fn of<'t>(tables: &'t [Table], library: &str) -> Vec<&'t Table> {
    let other = LIBRARIES.iter().find(|(name, _)| *name == library);
    let named = |t: &&Table| match other {
        Some((_, libraries)) => libraries.contains(&t.library()),
        None => t.library() == library,
    };
    tables.iter().filter(named).collect()
}

/// The releases of each name of the library that an entry may mean.
fn meant(table: &Table, r: &Renamed) -> Vec<Releases> {
    let of: Vec<&str> = r.of.split_whitespace().collect();
    if r.kind == NameKind::Module {
        return table
            .find(r.old)
            .map(|n| n.releases())
            .into_iter()
            .collect();
    }
    let functions = of.iter().flat_map(|f| table.everywhere(f));
    if r.kind == NameKind::Argument {
        let found = functions.filter_map(|path| table.param(&path, r.old));
        return found.map(|(releases, _)| releases).collect();
    }
    let mut out = Vec::new();
    for path in table.everywhere(r.old) {
        let (scope, _) = path.rsplit_once('.').unwrap_or_default();
        let class = table.find(scope).is_some_and(|n| n.kind() == Kind::Class);
        let owner = scope.rsplit('.').next().unwrap_or_default();
        let wanted =
            class == (r.kind == NameKind::Member) && (of.is_empty() || of.contains(&owner));
        // A module that is there as a file is not always an attribute.
        let found = table
            .find(&path)
            .filter(|n| wanted && n.kind() != Kind::Module);
        out.extend(found.map(|n| n.releases()));
    }
    out
}

/// Whether a name that these releases have was removed in the one that an entry says.
fn removed(table: &Table, releases: Releases, since: &str) -> Verdict {
    let since = numbers(since);
    let first = table.versions().next().unwrap_or_default();
    if since <= numbers(first) {
        // What happened before the first release of the table is unknown.
        return Verdict::Unknown;
    }
    let ends = table.ends(releases);
    let within = |lo: &str, hi: &str| numbers(lo) < since && since <= numbers(hi);
    match ends.iter().any(|g| within(g.last, g.first_without)) {
        true => Verdict::Confirmed,
        false => Verdict::Contradicted,
    }
}

/// Whether these releases begin with the one that an entry says.
fn added(table: &Table, releases: Releases, added: &str) -> Verdict {
    let said = numbers(added);
    let first = releases
        .earliest()
        .map(|r| table.version(r))
        .unwrap_or_default();
    let before = table.versions().take_while(|v| *v != first).last();
    let Some(before) = before else {
        return match said <= numbers(first) {
            true => Verdict::Confirmed,
            false => Verdict::Contradicted,
        };
    };
    match numbers(before) < said && said <= numbers(first) {
        true => Verdict::Confirmed,
        false => Verdict::Contradicted,
    }
}

fn verdict(tables: &[&Table], r: &Renamed) -> Verdict {
    let mut best = Verdict::Unknown;
    for table in tables {
        for releases in meant(table, r) {
            if !r.since.is_empty() {
                best = best.max(removed(table, releases, r.since));
            }
            if !r.added.is_empty() {
                best = best.max(added(table, releases, r.added));
            }
        }
    }
    best
}

#[test]
fn no_library_contradicts_a_renamed_name() {
    let read = |name: &&str| Table::parse(text(name).unwrap_or_default());
    let tables: Vec<Table> = names().iter().map(|n| read(n).expect(n)).collect();
    let dated = renamed_names()
        .iter()
        .filter(|r| !r.since.is_empty() || !r.added.is_empty());
    let mut confirmed = 0;
    let mut contradicted = Vec::new();
    let mut kept = Vec::new();
    for r in dated {
        match verdict(&of(&tables, r.library), r) {
            Verdict::Unknown => {}
            Verdict::Confirmed => confirmed += 1,
            Verdict::Contradicted => match KEPT.iter().find(|k| (k.0, k.1) == (r.library, r.old)) {
                Some(entry) => kept.push(*entry),
                None => contradicted.push(r),
            },
        }
    }
    assert!(
        contradicted.is_empty(),
        "{} are contradicted: {contradicted:#?}",
        contradicted.len()
    );
    let unused: Vec<_> = KEPT.iter().filter(|k| !kept.contains(k)).collect();
    assert!(unused.is_empty(), "not contradicted any more: {unused:?}");
    assert!(confirmed >= 220, "only {confirmed} names are confirmed");
}
