//! What works on a page and what does not.

use nbmedic_host::{front_ends, FrontEnd, Landmark};
use nbmedic_protocol::Hello;
use nbmedic_session::{Clue, Finding, LookedAt};
use nbmedic_view::{Check, Part, Presence};
use nbmedic_words::{self as words, Text};

/// Compares what the sensor found on a front end's page with what its profile expects.
///
/// `findings`: a death that was recognised by what happened besides a notice may be a new wording.
pub(super) fn check(hello: &Hello, findings: &[Finding]) -> Check {
    if hello.profile.is_empty() {
        return Check::default();
    }
    let all = front_ends();
    let own = |f: &&FrontEnd| f.id == hello.profile && !f.fallback;
    let home = |f: &&FrontEnd| f.home.contains(&hello.origin);
    let blocks = |f: &FrontEnd| {
        let mut marks = f.landmarks().iter();
        f.fallback && marks.any(|m| hello.found.contains_key(&m.name))
    };
    let known = all.iter().find(own);
    let found = |mark: &Landmark| match hello.found.get(&mark.name) {
        // No profile matches the page, so it has none of these.
        None if known.is_none() && mark.min > 0 => Presence::Missing,
        Some(n) if *n < mark.min => Presence::Missing,
        None | Some(0) => Presence::Absent,
        Some(n) if *n > mark.max => Presence::TooMany(*n),
        Some(n) => Presence::Found(*n),
    };
    let front_end = known.or_else(|| all.iter().find(home));
    let part = |mark: &Landmark| Part {
        what: message(&mark.what),
        lost: message(&mark.lost),
        presence: found(mark),
    };
    Check {
        front_end: front_end.map_or(String::new(), |f| f.name.clone()),
        parts: front_end.map_or(Vec::new(), |f| f.landmarks().iter().map(part).collect()),
        blocks: all.iter().any(blocks),
        unknown: findings.iter().filter_map(unknown).collect(),
    }
}

/// A message that a profile names; a test of the profiles ensures that it exists.
fn message(key: &str) -> Text {
    words::named(key).map(Text::from).unwrap_or_default()
}

/// What the notices of a death say, if no rule knows their words.
fn unknown(f: &Finding) -> Option<String> {
    f.unknown
        .contains(&LookedAt::NoticeInUnknownWords)
        .then(|| {
            let said = f.known.iter().filter_map(|clue| match clue {
                Clue::Notice(text) => Some(text.as_str()),
                _ => None,
            });
            said.collect::<Vec<_>>().join("\n")
        })
}
