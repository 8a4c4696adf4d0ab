//! Rules: a message, the shape of the failing code, and the new code, as data.
//!
//! Each file in these folders is one rule, and each folder is asked at one place in the techniques. A rule starts
//! with its description, up to an empty line. Its fields, one per line:
//!
//! - `family:` a family of wordings in `src/wordings`; `says:` a wording of `Class: message` with holes that no other place needs,
//!   which `nbmedic_rule::Wording` describes. Several lines are alternatives. `absent:` literals between ` || ` of which none may stand in it.
//! - `code:` the shape of the failing code, as Python with metavariables (see [`shape`]); of several lines, the first
//!   that matches counts. It is searched for in the failing statement or, with `in: notebook`, in the cells that ran.
//!   `take:` which of several matches to use: `only` (the default: with several matches, nothing is offered),
//!   `first`, `each`, or `each $x`: all with the same `$x`.
//! - `where:` and `when:` conditions, which [`condition`] describes; they hold for each `code:`, so each has the metavariables
//!   that they name. `version:` `pandas >= 2.0`; a version that is not known
//!   counts as the newest.
//! - `choose:` `slot = hole | word value | * value`: sets a slot by the contents of a hole or metavariable; if no
//!   value fits, the rule doesn't apply. `import:` `numpy as np` provides `$np`, the module's name, and imports the
//!   module if necessary; `from m import x` is a line to add to the imports.
//! - The changes: `replace:` `$x -> code`, or for the whole keyword argument `name=$x -> code`; `after:` `$x -> code`
//!   inserts after it; `remove:` an argument `$x` or `name`; `argument:` `$call name=value` sets one; `above:` a line
//!   above the statement. Without any of these, the rule only says what to do.
//! - `title:`, `why:`; `basis:` what it is known by, a word of [`nbmedic_facts::Basis`]; `assumed` is the default. `id:` the
//!   cure's name, if it differs from the file's. `yields:` files in the same folder that are asked first; if one of
//!   them has a cure, this rule isn't asked.
//!
//! Words hold `{holes}` of the message, code holds them as `{{holes}}`, and both hold `$metavariables`; `{hole_q}` is a Python
//! literal of what the hole holds, `$match` all that matched, `$old` and `$new` what the first `replace:` changes. Brackets
//! come by themselves.
//!
//! Examples end the file, and a test runs them: `example:` with indented cells, separated by `# %%`; `error:` the
//! message (`error 2:` for the second line of the last cell), with further lines indented; `with:` `pandas 1.2`, a
//! known version; `after:` the changed cell, or `stays` if the rule offers nothing.

mod condition;
mod read;
mod rewrite;
mod shape;
#[cfg(test)]
mod tests;

use crate::case::Case;
use crate::edit::{Change, Said};
use crate::find::{look, Spot};
use crate::messages::{message, said, Slots};
use nbmedic_facts::expr::{holds, Val};
use nbmedic_facts::Cure;
use nbmedic_python::each_expr;
use read::{In, Rule, Take};
use rewrite::Filled;
use shape::Found;
use std::sync::LazyLock;

include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// The valid rules, those of each folder in the order in which they are asked.
static ALL: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let all = RULES
        .iter()
        .filter_map(|(at, text)| read::rule(at, text).ok());
    read::ordered(all.collect())
});

/// Maximum number of places that a rule changes.
const MAX_PLACES: usize = 32;

/// Adds the cures of a folder's rules.
pub(crate) fn offer(case: &Case<'_>, folder: &str, out: &mut Vec<Cure>) {
    let text = message(case, case.error());
    let mut gave: Vec<&str> = Vec::new();
    for rule in ALL.iter().filter(|r| r.folder == folder) {
        if rule.yields.iter().any(|y| gave.contains(y)) {
            continue;
        }
        if let Some(cure) = cure(rule, case, &text) {
            gave.push(rule.name);
            out.push(cure);
        }
    }
}

/// The cure of the first rule in a folder that has one.
pub(crate) fn first(case: &Case<'_>, folder: &str) -> Option<Cure> {
    let text = message(case, case.error());
    let mut all = ALL.iter().filter(|r| r.folder == folder);
    all.find_map(|rule| cure(rule, case, &text))
}

/// The cure of a rule for a message.
fn cure(rule: &'static Rule, case: &Case<'_>, text: &str) -> Option<Cure> {
    let held = said(&rule.says, &rule.families, text)?;
    if rule.absent.iter().any(|u| text.contains(u)) || !version_fits(rule, case) {
        return None;
    }
    let mut slots = Slots::default();
    slots.hold(&held);
    for (hole, held) in &held {
        slots.set_own(&format!("{}_q", hole.name), &crate::find::quoted(held));
    }
    let look_up = |name: &str| slots.value(name);
    let hold = |c: &&str| holds(c, look_up).unwrap_or(false);
    if !rule.conditions.iter().all(|c| hold(&c.as_str())) {
        return None;
    }
    let spots = match rule.place {
        In::Line => vec![case.spot()?],
        In::Notebook => case
            .seen()
            .into_iter()
            .filter_map(|c| whole(case, c))
            .collect(),
    };
    let found = spots.iter().map(|s| (s, matches(rule, case, s, &slots)));
    let mut found = found.filter(|(_, all)| !all.is_empty());
    let (spot, all) = found.next()?;
    if rule.take == Take::Only && (all.len() > 1 || found.next().is_some()) {
        return None;
    }
    offered(rule, case, spot, all, slots)
}

/// Whether the versions match. An unknown version counts as the newest.
fn version_fits(rule: &Rule, case: &Case<'_>) -> bool {
    let release = |name: &str| {
        let known = case.setting().and_then(|s| s.version(name));
        Val::Num(
            known
                .and_then(read::release)
                .map_or(f64::INFINITY, f64::from),
        )
    };
    let mut all = rule.versions.iter();
    all.all(|condition| holds(condition, release).unwrap_or(false))
}

/// A whole cell as a place to search.
fn whole<'c>(case: &'c Case<'_>, cell: usize) -> Option<Spot<'c>> {
    let python = case.python(cell)?;
    let mut exprs = Vec::new();
    each_expr(python.body(), &mut |e| exprs.push(e));
    Some(Spot {
        cell,
        python,
        stmt: None,
        exprs,
    })
}

/// The matches of the first of a rule's shapes that has any at a place: as many as the rule takes,
/// or one more.
fn matches<'c>(
    rule: &'static Rule,
    case: &'c Case<'_>,
    spot: &Spot<'c>,
    slots: &Slots,
) -> Vec<Found<'c>> {
    let most = match rule.take {
        Take::Only => 2,
        Take::First => 1,
        Take::Each | Take::Alike(_) => MAX_PLACES,
    };
    let hold = |mut found: Found<'c>| {
        condition::all_hold(&rule.wheres, case, spot, &mut found, slots).then_some(found)
    };
    for shape in &rule.shapes {
        let mut all: Vec<Found<'c>> = match (shape.is_of_statement(), spot.stmt) {
            (true, stmt) => {
                let found = stmt.and_then(|s| shape.of_statement(case, spot, s));
                found.and_then(hold).into_iter().collect()
            }
            (false, _) => {
                let exprs = spot.exprs.iter();
                let found = exprs.filter_map(|e| shape.of_expr(case, spot.cell, spot.python, e));
                found.filter_map(hold).take(most).collect()
            }
        };
        if let Take::Alike(name) = rule.take {
            let first = all.first().and_then(|f| f.text(name));
            all.retain(|f| f.text(name) == first);
        }
        if !all.is_empty() {
            return all;
        }
    }
    Vec::new()
}

/// The cure for a match.
fn offered(
    rule: &'static Rule,
    case: &Case<'_>,
    spot: &Spot<'_>,
    found: Vec<Found<'_>>,
    mut slots: Slots,
) -> Option<Cure> {
    let mut changes: Vec<Change> = Vec::new();
    let mut words = None;
    for found in &found {
        let mut filled = Filled::new(case, found, &mut slots, rule)?;
        changes.extend(filled.changes(rule, case, spot)?);
        if words.is_none() {
            let why = rule.why.iter().filter_map(|w| filled.words(w));
            let why = why.collect::<Vec<_>>().join(" ");
            words = Some((filled.words(rule.title)?, why));
        }
    }
    let (title, why) = words?;
    if !rule.changes_code() {
        return Some(Cure {
            basis: rule.basis,
            ..look(rule.id, title, why)
        });
    }
    let said = Said {
        id: rule.id,
        basis: rule.basis,
        title,
        why,
    };
    case.edits(said, changes)
}
