//! Questions to a table: what was meant, where a name is now, what became of an argument.

use crate::lookup::{gone, Gone};
use crate::near::nearest;
use crate::params::Param;
use crate::releases::{Release, Releases};
use crate::table::{Kind, Table};

/// For how many releases a deprecated parameter stays beside its replacement.
const BESIDE: u8 = 3;
/// The same if their names share a word.
const ALIKE_BESIDE: u8 = 8;

/// Whether two names share a word: `evaluation_strategy`, `eval_strategy`.
fn alike(a: &str, b: &str) -> bool {
    let mut words = a.split('_').filter(|w| w.len() > 2);
    words.any(|word| b.split('_').any(|other| other == word))
}

/// A parameter that got another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamedParam<'t> {
    /// The new name.
    pub new: &'t str,
    /// The first release with the new name.
    pub from: &'t str,
    /// How the old one ended; `None` if a later release has it.
    pub gone: Option<Gone<'t>>,
}

impl Table {
    /// The names in a module or class that are closest to a misspelt one, with how many letters
    /// differ. Only those at the smallest distance: several of them are ambiguous.
    pub fn closest(&self, scope: &str, wrong: &str, release: Release) -> Vec<(&str, usize)> {
        let members = self.members(scope, release);
        nearest(wrong, members.into_iter().map(|(name, _)| name))
    }

    /// Where else a public function or class of this name is in a release: the shortest path first.
    /// A class that several modules have is named once.
    pub fn moved(&self, scope: &str, name: &str, release: Release) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for at in self.scopes() {
            let module = self.scope(at);
            if module.class || module.path == "~" || module.path == scope {
                continue;
            }
            for entry in self.entries_named(at, name) {
                let kind = self.entry(*entry).kind;
                let here = self.present(*entry).has(release);
                if !here || !matches!(kind, Kind::Class | Kind::Function) {
                    continue;
                }
                let mut all = self.variants(*entry).into_iter();
                let same = all.find(|v| v.releases.has(release)).and_then(|v| v.same);
                found.push(match same.filter(|s| !s.starts_with('~')) {
                    Some(path) => path.to_owned(),
                    None => format!("{}.{name}", module.path),
                });
            }
        }
        let gone = format!("{scope}.{name}");
        found.retain(|path| *path != gone);
        let order = |path: &String| (path.matches('.').count(), path.len());
        found.sort_by(|a, b| order(a).cmp(&order(b)).then_with(|| a.cmp(b)));
        found.dedup();
        found
    }

    /// The paths of the classes of this name, the shortest first: the others are aliases of it, or rarer.
    pub fn classes(&self, name: &str) -> Vec<&str> {
        let all = self.scopes().map(|at| self.scope(at));
        let named = all.filter(|s| s.class && s.path.rsplit('.').next() == Some(name));
        let mut paths: Vec<&str> = named.map(|s| s.path.as_str()).collect();
        paths.sort_by_key(|p| (p.matches('.').count(), p.len()));
        paths
    }

    /// What a parameter that a release does not have yet was called in it: the one whose place it took later.
    pub fn older_param(&self, path: &str, new: &str, release: Release) -> Option<&str> {
        let now = self.find(path)?.params(release)?;
        if now.iter().any(|p| p.name == new) {
            return None;
        }
        let newest = self.newest();
        let took = |p: &&Param<'_>| {
            let renamed = self.renamed_param(path, p.name, newest);
            p.by_name() && renamed.is_some_and(|r| r.new == new)
        };
        let mut found = now.iter().filter(took);
        let first = found.next()?;
        found.next().is_none().then_some(first.name)
    }

    /// The parameters of a function, method or class in a release.
    pub fn params(&self, path: &str, release: Release) -> Option<Vec<Param<'_>>> {
        self.find(path)?.params(release)
    }

    /// The name of the parameter that takes the positional argument `index`, for a call that is
    /// written with names instead. Where it takes no position any more, that of the last release in
    /// which it did, if it still has its name.
    pub fn keyword(&self, path: &str, index: usize, release: Release) -> Option<&str> {
        let name = self.find(path)?;
        let now = name.params(release)?;
        let before = (0..=release.0)
            .rev()
            .filter_map(|r| name.params(Release(r)));
        for params in before.take(crate::releases::MOST) {
            let Some(param) = params.get(index).filter(|p| p.by_position()) else {
                continue;
            };
            let still = now.iter().find(|p| p.name == param.name && p.by_name());
            return still.map(|p| p.name);
        }
        None
    }

    /// The first release in which a parameter is taken by its name only, after one in which it was
    /// taken by position.
    pub fn keyword_only_since(&self, path: &str, param: &str) -> Option<&str> {
        let name = self.find(path)?;
        let mut before = false;
        for release in self.all() {
            let Some(params) = name.params(release) else {
                continue;
            };
            let found = params.iter().find(|p| p.name == param);
            match found.map(Param::by_position) {
                Some(true) => before = true,
                Some(false) if before => return Some(self.version(release)),
                _ => {}
            }
        }
        None
    }

    /// The releases in which a function, method or class names this parameter, and how it ended.
    /// `None` if no release does.
    pub fn param(&self, path: &str, param: &str) -> Option<(Releases, Option<Gone<'_>>)> {
        let releases = with_param(&self.find(path)?.history(), param);
        (!releases.is_empty()).then(|| (releases, gone(self, releases)))
    }

    /// What a parameter is called in a release that does not have it any more: the one that appeared
    /// in its place, then or a few releases before. `None` if it is unclear.
    pub fn renamed_param(
        &self,
        path: &str,
        old: &str,
        release: Release,
    ) -> Option<RenamedParam<'_>> {
        let history = self.find(path)?.history();
        let with_old = with_param(&history, old);
        let last = with_old
            .and(Releases::first(usize::from(release.0)))
            .latest();
        let last = last.filter(|_| !with_old.has(release))?;
        let mut candidates: Vec<(&str, Release)> = Vec::new();
        for param in history.get(usize::from(release.0))?.as_ref()? {
            let first = with_param(&history, param.name).earliest()?;
            // It appeared while the old one was there, or in the release that removed it.
            let earlier = Releases::first(usize::from(first.0));
            let before = earlier.and(with_old).latest();
            let next = before.is_some_and(|b| b.0 + 1 == first.0);
            let beside = match alike(old, param.name) {
                true => ALIKE_BESIDE,
                false => BESIDE,
            };
            if !param.by_name() || !next || first.0 > last.0 + 1 || first.0 + beside <= last.0 {
                continue;
            }
            let place = |release: Release, name: &str, skip: &str| {
                let params = history.get(usize::from(release.0))?.as_ref()?;
                params
                    .iter()
                    .filter(|p| p.name != skip)
                    .position(|p| p.name == name)
            };
            let was = before.and_then(|b| place(b, old, ""));
            if was.is_some() && was == place(first, param.name, old) {
                candidates.push((param.name, first));
            }
        }
        let newest = candidates.iter().map(|c| c.1).max()?;
        candidates.retain(|c| c.1 == newest);
        let [(new, first)] = candidates[..] else {
            return None;
        };
        Some(RenamedParam {
            new,
            from: self.version(first),
            gone: gone(self, with_old),
        })
    }
}

/// The releases in which a history names this parameter.
fn with_param(history: &[Option<Vec<Param<'_>>>], param: &str) -> Releases {
    let has = |params: &Option<Vec<Param<'_>>>| {
        let all = params.iter().flatten();
        all.map(|p| p.name).any(|name| name == param)
    };
    let found = history.iter().enumerate().filter(|(_, p)| has(p));
    found.fold(Releases::default(), |all, (at, _)| {
        all.or(Releases(1 << at))
    })
}
