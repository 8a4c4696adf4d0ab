//! Follows a dotted path through modules, classes, aliases and bases.

use crate::params::{read, Param};
use crate::releases::{Release, Releases};
use crate::table::{Kind, Table, Variant};
use std::collections::BTreeMap;

/// The most places that a path leads to at once.
const MOST_PLACES: usize = 64;
/// How many names a path may have.
const MOST_NAMES: usize = 16;

/// A line of the table at which a path ends, and in which releases it does.
#[derive(Clone, Copy, Debug)]
struct Spot {
    entry: usize,
    releases: Releases,
}

/// A name of the library.
#[derive(Debug)]
pub struct Name<'t> {
    table: &'t Table,
    spots: Vec<Spot>,
    /// Of a module that has a section of its own: the releases in which it was read.
    module: Option<Releases>,
}

/// How a name or parameter ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone<'t> {
    /// The last release that has it.
    pub last: &'t str,
    /// The first known release that lacks it.
    pub first_without: &'t str,
    /// Whether no release is between them.
    pub exact: bool,
}

impl Table {
    /// The name at a dotted path: `numpy.float`, `pandas.DataFrame.append`. `None` if no release in
    /// the table has it.
    pub fn find(&self, path: &str) -> Option<Name<'_>> {
        let parts: Vec<&str> = path.split('.').collect();
        if parts.len() > MOST_NAMES || parts.iter().any(|p| p.is_empty() || p.starts_with('~')) {
            return None;
        }
        let module = self.scope_at(path).filter(|s| !self.scope(*s).class);
        let spots = self.walk(&parts);
        let module = module.map(|m| self.scope(m).releases);
        (module.is_some() || !spots.is_empty()).then_some(Name {
            table: self,
            spots,
            module,
        })
    }

    /// The lines at which a path ends.
    fn walk(&self, parts: &[&str]) -> Vec<Spot> {
        let Some((last, scopes)) = parts.split_last() else {
            return Vec::new();
        };
        // The longest beginning that is a module; then names in it.
        let known = (1..=scopes.len()).rev().find_map(|n| {
            let scope = self.scope_at(&scopes[..n].join("."))?;
            (!self.scope(scope).class).then_some((n, scope))
        });
        let Some((count, module)) = known else {
            return Vec::new();
        };
        let mut places = vec![(module, self.scope(module).releases)];
        for part in &scopes[count..] {
            let mut next = Vec::new();
            for (scope, releases) in places {
                for spot in self.named(scope, part, releases) {
                    for (scope, releases) in self.inside(spot) {
                        next.push((scope, releases));
                    }
                }
            }
            next.truncate(MOST_PLACES);
            places = next;
        }
        let spots = places.into_iter().flat_map(|(s, r)| self.named(s, last, r));
        spots.take(MOST_PLACES).collect()
    }

    /// The classes whose members a spot's name has.
    fn inside(&self, spot: Spot) -> Vec<(usize, Releases)> {
        let entry = self.entry(spot.entry);
        let mut out = Vec::new();
        for variant in self.variants(spot.entry) {
            let releases = variant.releases.and(spot.releases);
            let scope = match variant.same {
                Some(path) => self.scope_at(path),
                None => entry.own,
            };
            if let Some(scope) = scope.filter(|s| self.scope(*s).class && !releases.is_empty()) {
                out.push((scope, releases.and(self.scope(scope).releases)));
            }
        }
        out
    }

    /// The lines for a name in a module or class, its bases included.
    fn named(&self, scope: usize, name: &str, releases: Releases) -> Vec<Spot> {
        let mut out = Vec::new();
        self.search(scope, releases, &mut |scope, open| {
            let mut seen = Releases::default();
            for entry in self.entries_named(scope, name) {
                let here = self.present(*entry).and(open);
                if !here.is_empty() {
                    seen = seen.or(here);
                    out.push(Spot {
                        entry: *entry,
                        releases: here,
                    });
                }
            }
            seen
        });
        out
    }

    /// Visits a scope and its bases, in order. `visit` says for which releases it has found what it
    /// looks for: the bases are visited for the others.
    fn search(
        &self,
        scope: usize,
        releases: Releases,
        visit: &mut dyn FnMut(usize, Releases) -> Releases,
    ) {
        // A stack and what was visited: in a bad table bases may be a long chain or a circle.
        let mut open = vec![(scope, releases)];
        let mut visited: BTreeMap<usize, Releases> = BTreeMap::new();
        let mut done = Releases::default();
        while let Some((scope, releases)) = open.pop() {
            let before = visited.entry(scope).or_default();
            let left = releases.without(done).without(*before);
            let releases = left.and(self.scope(scope).releases);
            if releases.is_empty() {
                continue;
            }
            *before = before.or(releases);
            done = done.or(visit(scope, releases));
            let bases = self.bases(scope).filter_map(|(when, base)| {
                let base = self.scope_at(base).filter(|b| self.scope(*b).class)?;
                Some((base, when.and(releases)))
            });
            let from = open.len();
            open.extend(bases.take(MOST_PLACES));
            open[from..].reverse();
        }
    }

    /// The names in a module or class in one release, inherited ones included, in order.
    pub fn members(&self, path: &str, release: Release) -> Vec<(&str, Kind)> {
        let only = Releases(1 << release.0);
        let mut scopes = Vec::new();
        if let Some(scope) = self.scope_at(path).filter(|s| !self.scope(*s).class) {
            scopes.push((scope, only));
        } else if let Some(name) = self.find(path) {
            let inside = name.spots.iter().flat_map(|s| self.inside(*s));
            scopes.extend(inside.filter(|(_, r)| r.has(release)));
        }
        let mut out = Vec::new();
        for (scope, _) in scopes {
            self.search(scope, only, &mut |scope, _| {
                let all = self.entries(scope).iter();
                let here = all.filter(|e| self.present(**e).has(release));
                out.extend(here.map(|e| (self.name(*e), self.entry(*e).kind)));
                Releases::default()
            });
        }
        out.sort_by_key(|(name, _)| *name);
        out.dedup_by_key(|(name, _)| *name);
        out
    }
}

impl<'t> Name<'t> {
    /// The releases that have it.
    pub fn releases(&self) -> Releases {
        let all = self.spots.iter().map(|s| s.releases);
        all.fold(self.module.unwrap_or_default(), Releases::or)
    }

    /// What it is in the newest release that has it.
    pub fn kind(&self) -> Kind {
        let newest = self.spots.iter().max_by_key(|s| s.releases.latest());
        newest.map_or(Kind::Module, |s| self.table.entry(s.entry).kind)
    }

    /// Whether a release has it.
    pub fn is_in(&self, release: Release) -> bool {
        self.releases().has(release)
    }

    /// The release that brought it; `None` if the oldest one has it already.
    pub fn since(&self) -> Option<&'t str> {
        let first = self.releases().earliest()?;
        (first.0 > 0).then(|| self.table.version(first))
    }

    /// Whether no release is between the one that brought it and the one before.
    pub fn since_exactly(&self) -> bool {
        let first = self.releases().earliest();
        first.is_some_and(|r| r.0 > 0 && self.table.follows(r))
    }

    /// The last release that has it; `None` if the newest one does.
    pub fn until(&self) -> Option<&'t str> {
        self.gone().map(|g| g.last)
    }

    /// How it ended; `None` if the newest release has it.
    pub fn gone(&self) -> Option<Gone<'t>> {
        gone(self.table, self.releases())
    }

    /// How it ended for an installed release, which may get it back later: `numpy.bool` is missing
    /// from 1.24 to 1.26. `None` if that release has it, or none before has.
    pub fn gone_in(&self, release: Release) -> Option<Gone<'t>> {
        if self.is_in(release) {
            return None;
        }
        let before = Releases::first(usize::from(release.0));
        gone(self.table, self.releases().and(before))
    }

    /// Its parameters in a release, without the instance; `None` if they are unknown.
    pub fn params(&self, release: Release) -> Option<Vec<Param<'t>>> {
        let spot = self.spots.iter().find(|s| s.releases.has(release))?;
        let mut variant = self.variant(spot.entry, release)?;
        for _ in 0..4 {
            let Some(path) = variant.same.filter(|_| variant.params.is_none()) else {
                break;
            };
            let scope = self.table.scope_at(path)?;
            variant = self.variant(self.table.scope(scope).entry?, release)?;
        }
        variant.params.map(read)
    }

    /// Its parameters in every release, oldest first.
    pub(crate) fn history(&self) -> Vec<Option<Vec<Param<'t>>>> {
        self.table.all().map(|r| self.params(r)).collect()
    }

    fn variant(&self, entry: usize, release: Release) -> Option<Variant<'t>> {
        let all = self.table.variants(entry);
        all.into_iter().find(|v| v.releases.has(release))
    }

    /// The path at which the table describes the class that this name is in a release: the shortest
    /// public one. `None` if this is it, or the name is no class.
    pub fn same_as(&self, release: Release) -> Option<&'t str> {
        let spot = self.spots.iter().find(|s| s.releases.has(release))?;
        let same = self.variant(spot.entry, release)?.same?;
        (self.table.entry(spot.entry).kind == Kind::Class && !same.starts_with('~')).then_some(same)
    }
}

/// How something ended that these releases have; `None` if the newest one does.
pub(crate) fn gone(table: &Table, releases: Releases) -> Option<Gone<'_>> {
    let last = releases.latest().filter(|last| *last < table.newest())?;
    Some(end(table, last))
}

/// How something ended whose last release this is.
fn end(table: &Table, last: Release) -> Gone<'_> {
    let next = Release(last.0 + 1);
    Gone {
        last: table.version(last),
        first_without: table.version(next),
        exact: table.follows(next),
    }
}

impl Table {
    /// Each time that something ended which these releases have: NumPy's `bool` ended with 1.23 and
    /// came back.
    pub fn ends(&self, releases: Releases) -> Vec<Gone<'_>> {
        let last = |r: &Release| {
            let next = Release(r.0 + 1);
            releases.has(*r) && *r < self.newest() && !releases.has(next)
        };
        let found = self.all().filter(last);
        found.map(|last| end(self, last)).collect()
    }

    /// The paths of all names of this spelling in the library's public modules and classes, also
    /// inherited ones.
    pub fn everywhere(&self, name: &str) -> Vec<String> {
        let public = self
            .scopes()
            .filter(|s| !self.scope(*s).path.starts_with('~'));
        let has = |at: &usize| !self.named(*at, name, self.scope(*at).releases).is_empty();
        let path = |at: usize| format!("{}.{name}", self.scope(at).path);
        public.filter(has).map(path).collect()
    }
}
