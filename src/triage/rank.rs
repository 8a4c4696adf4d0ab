//! Turns findings into ranked diagnoses. The order of rules and files plays no part.

use super::context::Context;
use super::finding::{Finding, Place};
use super::setting::Marks;
use litemap::LiteMap;
use nbmedic_catalog::rules;
use nbmedic_facts::number::fixed;
use nbmedic_facts::{Diagnosis, Evidence, Location, Setting, Value};
use nbmedic_secrets::cut;
use nbmedic_traceback::{Chain, Exception, Origin, Relation, Style};
use std::collections::BTreeSet;

/// Findings below this confidence are not reported.
const SPEAKS: f32 = 0.5;
/// Maximum number of diagnoses of one text.
const MAX_DIAGNOSES: usize = 5;
/// Maximum number of evidence lines of a diagnosis, and of characters in one.
const MAX_EVIDENCE: usize = 8;
const MAX_EVIDENCE_CHARS: usize = 300;
/// An alternative whose score is further behind than this is not mentioned.
const ALSO_WITHIN: f32 = 30.0;

/// The outcome of one finding, for `triage --why`.
#[derive(Clone, Debug)]
pub struct Considered {
    /// Rule.
    pub id: &'static str,
    /// Line of the document where it matched, from 1.
    pub line: usize,
    /// Its score.
    pub score: f32,
    /// Its confidence.
    pub confidence: f32,
    /// `diagnosis`, or the reason why it was not chosen.
    pub outcome: String,
}

/// Maximum number of lines between an exception's message and a traceback quoted in it.
const MESSAGE_LEAD: usize = 3;

/// The message of a diagnosis for a text that takes too many steps.
const ENDED: &str = "[nbmedic stopped here: the output takes too long to read; what failed earlier in it is not explained]";

struct Scored {
    finding: Finding,
    score: f32,
    confidence: f32,
    problem: usize,
    line: usize,
}

/// A match of a general rule whose boost is at least this is specific.
const NARROW: i32 = 10;

/// The distance in score of findings that only point to others.
const POINTING: f32 = 100.0;

/// The problem number shared by all lines outside tracebacks.
const LOG: usize = usize::MAX;

pub(super) fn rank(cx: &Context<'_>) -> (Vec<Diagnosis>, Vec<Considered>) {
    let findings = cx.findings();
    // Chains whose message only refers to a cause that was printed earlier.
    let pointing: BTreeSet<usize> = findings
        .iter()
        .filter(|f| f.m.points)
        .filter_map(|f| match f.place {
            Place::Exception(chain, _) => Some(chain),
            Place::Line(_) => None,
        })
        .collect();
    let last_headed = cx.chains.iter().rposition(|c| c.headed && !c.ignored());
    let carries = last_headed.is_some_and(|last| {
        pointing.contains(&last) || wraps_another(cx.chains[last].last().name())
    });
    let last = last_headed.map(|last| (last, carries));
    // In each chain, the last exception that was caused by another one.
    let contexts: Vec<usize> = cx
        .chains
        .iter()
        .map(|c| {
            let mut all = c.exceptions.iter();
            all.rposition(|e| e.relation == Relation::Context)
                .unwrap_or(0)
        })
        .collect();
    let mut scored: Vec<Scored> = findings
        .into_iter()
        .map(|f| score(cx, f, last, &contexts))
        .collect();
    for s in &mut scored {
        if pointing.contains(&s.problem) {
            s.score -= POINTING;
        }
    }
    scored.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then(b.confidence.total_cmp(&a.confidence))
            .then(a.finding.rule.id.cmp(b.finding.rule.id))
            .then(b.finding.facts.len().cmp(&a.finding.facts.len()))
            .then(a.line.cmp(&b.line))
            .then(a.finding.m.pattern.cmp(b.finding.m.pattern))
    });
    let mut chosen: Vec<Scored> = Vec::new();
    let mut also: LiteMap<usize, Vec<&'static str>> = LiteMap::new();
    let mut considered = Vec::new();
    for s in scored {
        let outcome = outcome(&s, &chosen);
        considered.push(Considered {
            id: s.finding.rule.id,
            line: s.line + 1,
            score: s.score,
            confidence: s.confidence,
            outcome: outcome
                .as_ref()
                .map_or_else(|| "diagnosis".into(), Clone::clone),
        });
        let id = s.finding.rule.id;
        match outcome {
            None => chosen.push(s),
            Some(_) => {
                // The same problem again, or an alternative diagnosis of it.
                if let Some((i, winner)) = chosen.iter_mut().enumerate().find(|(_, c)| {
                    c.finding.rule.id == id
                        || (c.problem == s.problem && c.score - s.score < ALSO_WITHIN)
                }) {
                    if winner.finding.rule.id == id {
                        let equal = s.score >= winner.score;
                        merge(&mut winner.finding, s.finding, equal);
                    } else if s.confidence >= SPEAKS && s.finding.rule.rank > 10 {
                        let list = also.entry(i).or_default();
                        if !list.contains(&id) {
                            list.push(id);
                        }
                    }
                }
            }
        }
    }
    let marks = (!chosen.is_empty()).then(|| Marks::new(cx));
    let mut diagnoses: Vec<Diagnosis> = chosen
        .into_iter()
        .enumerate()
        .map(|(i, s)| diagnosis(cx, s, also.remove(&i).unwrap_or_default(), marks.as_ref()))
        .collect();
    if let Some(first) = diagnoses.first_mut().filter(|_| cx.work.ended()) {
        first.evidence.push(Evidence {
            line: cx.doc.raw_line(cx.doc.len() - 1),
            text: ENDED.to_owned(),
            range: 0..0,
        });
    }
    (diagnoses, considered)
}

/// The reason why a finding is not a separate diagnosis; `None` if it is one.
fn outcome(s: &Scored, chosen: &[Scored]) -> Option<String> {
    if s.confidence < SPEAKS {
        return Some(format!("too unsure ({})", fixed(s.confidence.into(), 2)));
    }
    let id = s.finding.rule.id;
    if chosen.iter().any(|c| c.finding.rule.id == id) {
        return Some("seen again".into());
    }
    if let Some(c) = chosen.iter().find(|c| c.finding.rule.hides.contains(&id)) {
        return Some(format!("a consequence of {}", c.finding.rule.id));
    }
    if let Some(c) = chosen.iter().find(|c| c.problem == s.problem) {
        return Some(format!("{} is nearer the cause", c.finding.rule.id));
    }
    if let Some(first) = chosen.first() {
        // A second problem must be an exception, with a score close to the first one's.
        if s.problem == LOG || s.score + ALSO_WITHIN < first.score || first.problem == LOG {
            return Some(format!("{} explains it", first.finding.rule.id));
        }
    }
    (chosen.len() >= MAX_DIAGNOSES).then(|| "one too many".into())
}

/// Whether an exception's class only says that another process failed, whose traceback is above.
fn wraps_another(class: &str) -> bool {
    rules().iter().any(|r| r.wraps.contains(&class))
}

/// `last_headed`: the last chain with a traceback, and whether its exception only carries another's.
fn score(
    cx: &Context<'_>,
    f: Finding,
    last_headed: Option<(usize, bool)>,
    contexts: &[usize],
) -> Scored {
    let mut score = (f.rule.rank + f.m.boost) as f32 + 10.0 * f.confidence;
    let mut confidence = f.confidence;
    let (problem, line) = match f.place {
        Place::Exception(c, e) => {
            let chain = &cx.chains[c];
            let exception = &chain.exceptions[e];
            // The exceptions that follow in the chain, up to the one that ended the cell.
            let after = &chain.exceptions[e + 1..];
            // A library that catches its own lookup error reports the problem itself.
            let place = |x: &Exception| {
                let frame = x.frames.last()?;
                (frame.origin == Origin::Library).then(|| frame.file.clone())
            };
            let own = after
                .first()
                .is_some_and(|x| place(x).is_some() && place(x) == place(exception));
            if contexts[c] > e || own && f.rule.general {
                score -= if f.rule.general && f.m.boost < NARROW {
                    50.0
                } else {
                    25.0
                };
            } else if !after.is_empty() {
                score -= 3.0;
            }
            if exception.style == Style::Bare {
                // To six places: the product's last bits are noise, and reports print them.
                confidence = (confidence * 0.9e6).round() / 1e6;
                score -= 4.0;
            }
            if last_headed.is_some_and(|(last, carries)| c < last && !carries) {
                score -= 8.0;
            }
            if last_headed.is_some() && !chain.headed {
                score -= 10.0;
            }
            (c, exception.lines.start)
        }
        Place::Line(line) => {
            if let (Some((last, _)), false) = (last_headed, f.m.root) {
                score -= if cx.chains[last].lines.start > line {
                    12.0
                } else {
                    4.0
                };
            }
            (LOG, line)
        }
    };
    Scored {
        finding: f,
        score,
        confidence,
        problem,
        line,
    }
}

/// Adds the facts and evidence of another finding of the same rule. Its variant counts only if its
/// score is as good: a weaker match says less about how the problem arose.
fn merge(winner: &mut Finding, other: Finding, equal: bool) {
    if equal && winner.m.variant.is_empty() && winner.variant.is_empty() {
        winner.variant = other.variant;
    }
    for (name, value) in other.facts {
        winner.facts.entry(name).or_insert(value);
    }
    for line in other.evidence {
        if !winner.evidence.contains(&line) && winner.evidence.len() < MAX_EVIDENCE {
            winner.evidence.push(line);
        }
    }
}

/// The traceback that quoted this one in its message, which was parsed as a separate chain.
fn carried_by<'c>(cx: &'c Context<'_>, inner: &Chain) -> Option<&'c Chain> {
    let start = inner.lines.start;
    let outer = cx
        .chains
        .iter()
        .rev()
        .find(|c| c.headed && c.lines.start < start)?;
    (start <= outer.lines.end + MESSAGE_LEAD).then_some(outer)
}

fn diagnosis(
    cx: &Context<'_>,
    s: Scored,
    also: Vec<&'static str>,
    marks: Option<&Marks>,
) -> Diagnosis {
    let Scored {
        finding: mut f,
        confidence,
        ..
    } = s;
    let chain = match f.place {
        Place::Exception(c, _) => Some(&cx.chains[c]),
        Place::Line(_) => None,
    };
    // The cell ended at the last traceback's line, whichever exception names the cause.
    let mut all = cx.chains.iter().rev();
    let last = all.find(|c| c.headed && !c.ignored()).or(chain);
    let at = |line: fn(&Chain) -> Option<u32>| {
        last.and_then(|c| line(c).or_else(|| line(carried_by(cx, c)?)))
    };
    let deepest = at(Chain::cell_line);
    let line = at(Chain::run_line).or(deepest);
    if let Some(line) = deepest {
        f.facts
            .insert("cell_line".into(), Value::Int(i64::from(line)));
    }
    // Commands name the distribution, never the module.
    if let Some(Value::Text(module)) = f.facts.get("module") {
        if let Some(package) = nbmedic_libraries::listed(module) {
            f.facts.insert("dist".into(), Value::Text(package.into()));
        }
    }
    f.evidence.sort_unstable();
    f.evidence.dedup();
    f.evidence.truncate(MAX_EVIDENCE);
    let evidence = f
        .evidence
        .iter()
        .map(|&i| Evidence {
            line: cx.doc.raw_line(i),
            text: cut(cx.said(i), MAX_EVIDENCE_CHARS).to_owned(),
            range: cx.doc.raw_range(cx.doc.span(i)),
        })
        .collect();
    Diagnosis {
        id: f.rule.id,
        variant: (!f.variant.is_empty()).then_some(f.variant),
        confidence,
        facts: f.facts,
        location: Location { cell: None, line },
        evidence,
        also,
        setting: marks.map_or_else(Setting::default, |m| m.setting(cx, f.place, &f.evidence)),
        ..Diagnosis::default()
    }
}
