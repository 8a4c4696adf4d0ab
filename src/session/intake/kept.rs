//! What was found in a cell's output, in the form in which it is stored.
//!
//! Judging a text costs an engine that just started most of its time: the patterns are compiled again.
//! So a verdict is stored with a checksum of all that it rests on. If anything differs, in the text, the
//! source or the engine, the text is judged again. The store may hold anything: what can't be read
//! counts as not stored.

use crate::known::{fnv1a_64, Cell, Notebook};
use nbmedic_catalog::find;
use nbmedic_facts::{Diagnosis, Evidence, Facts, Location, Setting, Value};
use nbmedic_protocol::{Judged, MAX_FOUND};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A checksum of everything that decides what is found in a text (`build.rs`).
const BUILD: &str = env!("NBMEDIC_BUILD");
/// A shorter text in which nothing was found is judged again as quickly as its verdict is read.
const LONG: usize = 4 << 10;

/// A diagnosis as it is stored: like [`Diagnosis`], with names that are looked up.
#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    id: Cow<'a, str>,
    variant: Option<Cow<'a, str>>,
    confidence: f32,
    facts: Vec<(Cow<'a, str>, Fact<'a>)>,
    line: Option<u32>,
    /// Line, text, and its range in the joined text.
    evidence: Vec<(usize, Cow<'a, str>, usize, usize)>,
    also: Vec<Cow<'a, str>>,
    setting: Cow<'a, Setting>,
}

/// A fact with its kind, which a number alone doesn't tell.
#[derive(Serialize, Deserialize)]
enum Fact<'a> {
    #[serde(rename = "i")]
    Int(i64),
    #[serde(rename = "n")]
    Number(f64),
    #[serde(rename = "t")]
    Text(Cow<'a, str>),
    #[serde(rename = "s")]
    Shapes(Cow<'a, [Vec<i64>]>),
}

impl<'a> From<&'a Diagnosis> for Stored<'a> {
    fn from(d: &'a Diagnosis) -> Self {
        let fact = |(name, value): (&'a String, &'a Value)| {
            let fact = match value {
                Value::Int(n) => Fact::Int(*n),
                Value::Number(n) => Fact::Number(*n),
                Value::Text(t) => Fact::Text(t.into()),
                Value::Shapes(s) => Fact::Shapes(s.into()),
            };
            (name.into(), fact)
        };
        let evidence = |e: &'a Evidence| {
            let text = Cow::from(&e.text);
            (e.line, text, e.range.start, e.range.end)
        };
        Stored {
            id: d.id.into(),
            variant: d.variant.map(Cow::from),
            confidence: d.confidence,
            facts: d.facts.iter().map(fact).collect(),
            line: d.location.line,
            evidence: d.evidence.iter().map(evidence).collect(),
            also: d.also.iter().map(|id| Cow::from(*id)).collect(),
            setting: Cow::Borrowed(&d.setting),
        }
    }
}

impl Stored<'_> {
    /// The diagnosis; none if the catalogue doesn't know one of its names.
    fn read(self) -> Option<Diagnosis> {
        let rule = find(&self.id)?;
        let variant = match &self.variant {
            Some(id) => Some(rule.variant(id)?.id),
            None => None,
        };
        let mut facts = Facts::new();
        for (name, fact) in self.facts {
            let value = match fact {
                Fact::Int(n) => Value::Int(n),
                Fact::Number(n) => Value::Number(n),
                Fact::Text(t) => Value::Text(t.into_owned()),
                Fact::Shapes(s) => Value::Shapes(s.into_owned()),
            };
            facts.insert(name.into_owned(), value);
        }
        let evidence = self.evidence.into_iter();
        let also = self.also.iter().map(|id| find(id).map(|rule| rule.id));
        Some(Diagnosis {
            id: rule.id,
            variant,
            confidence: self.confidence,
            facts,
            location: Location {
                cell: None,
                line: self.line,
            },
            evidence: evidence
                .map(|(line, text, start, end)| Evidence {
                    line,
                    text: text.into_owned(),
                    range: start..end,
                })
                .collect(),
            also: also.collect::<Option<_>>()?,
            // They are made from the notebook's cells each time.
            cures: Vec::new(),
            setting: self.setting.into_owned(),
            occurrences: None,
        })
    }
}

/// What a verdict holds for.
fn checksum(cell: &Cell, text: &str, found: &str) -> String {
    let parts = [BUILD, text, &cell.source, found];
    let bytes = parts.iter().flat_map(|p| p.bytes().chain([0xff]));
    format!("{:016x}", fnv1a_64(bytes))
}

/// What was found in a text when it was printed by this cell before, if that is stored.
pub(super) fn recall(cell: &Cell, text: &str) -> Option<Vec<Diagnosis>> {
    let kept = cell.kept.as_ref()?;
    if kept.of != checksum(cell, text, &kept.found) {
        return None;
    }
    if kept.found.is_empty() {
        return Some(Vec::new());
    }
    let stored: Vec<Stored<'_>> = nbmedic_json::parse(&kept.found).ok()?;
    stored.into_iter().map(Stored::read).collect()
}

/// The verdicts on a notebook's cells that are to be stored; from then on they count as stored. A
/// running cell's output changes again, and a text with secrets is stored without them: it is judged
/// again when it is read.
pub(crate) fn take_judged(id: &str, nb: &mut Notebook) -> Vec<Judged> {
    let mut all = Vec::new();
    for (name, cell) in nb.cells.iter_mut() {
        if !cell.unkept || cell.is_busy() {
            continue;
        }
        cell.unkept = false;
        let worth = !cell.diagnoses.is_empty() || cell.joined.text.len() >= LONG;
        if cell.gone || !worth || !cell.outputs.is_plain() {
            continue;
        }
        if !nbmedic_secrets::find(&cell.source).is_empty() {
            continue;
        }
        let list: Vec<Stored<'_>> = cell.diagnoses.iter().map(Stored::from).collect();
        let found = match list.is_empty() {
            true => String::new(),
            false => nbmedic_json::to_string(&list),
        };
        if found.len() > MAX_FOUND {
            continue;
        }
        let named = cell
            .diagnoses
            .iter()
            .flat_map(|d| d.also.iter().chain([&d.id]));
        let mut prose: Vec<String> = named.map(|id| (*id).to_owned()).collect();
        prose.sort_unstable();
        prose.dedup();
        let judged = Judged {
            nb: id.to_owned(),
            cell: name.clone(),
            of: checksum(cell, &cell.joined.text, &found),
            found,
            prose,
        };
        cell.kept = Some(judged.clone());
        all.push(judged);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use nbmedic_catalog::rules;
    use nbmedic_facts::Front;
    use nbmedic_protocol::{CellState, OutputSeen};

    /// A cell in whose output a diagnosis with facts of every kind was found.
    fn notebook(head: &str, source: &str) -> Notebook {
        let rule = rules().iter().find(|r| !r.variants.is_empty());
        let rule = rule.expect("a rule with variants");
        let mut facts = Facts::new();
        facts.insert("whole".into(), Value::Number(2.0));
        facts.insert("requested_bytes".into(), Value::Int(i64::MAX));
        facts.insert("name".into(), Value::Text("\"é\"\n".into()));
        facts.insert("shapes".into(), Value::Shapes(vec![vec![-1, 3], vec![]]));
        let mut cell = Cell {
            source: source.into(),
            state: CellState::Error,
            unkept: true,
            ..Cell::default()
        };
        cell.outputs.set(&OutputSeen {
            head: head.into(),
            ..OutputSeen::default()
        });
        cell.joined = cell.outputs.join(0);
        cell.diagnoses = vec![Diagnosis {
            id: rule.id,
            variant: Some(rule.variants[0].id),
            confidence: 0.97,
            facts,
            location: Location {
                cell: None,
                line: Some(4),
            },
            evidence: vec![Evidence {
                line: 12,
                text: "out of memory".into(),
                range: 3..16,
            }],
            also: vec![rules()[0].id],
            cures: Vec::new(),
            occurrences: None,
            setting: Setting {
                front: Some(Front::Script),
                conda: true,
                versions: vec![("torch".into(), "2.9".into())],
                ..Setting::default()
            },
        }];
        let mut nb = Notebook::default();
        nb.cells.insert("c".into(), cell);
        nb
    }

    #[test]
    fn a_verdict_is_read_as_it_was_stored_and_only_for_the_same_text_and_source() {
        let mut nb = notebook("CUDA out of memory\n", "train()");
        let mut judged = take_judged("n", &mut nb);
        assert!(take_judged("n", &mut nb).is_empty(), "stored once");
        let judged = judged.pop().expect("a verdict");
        // As the store holds it.
        let json = nbmedic_json::to_string(&judged);
        let mut cell = nb.cells.remove("c").expect("the cell");
        cell.kept = Some(nbmedic_json::parse(&json).expect("an event"));
        let text = cell.joined.text.clone();
        let again = recall(&cell, &text).expect("stored");
        assert_eq!(format!("{again:?}"), format!("{:?}", cell.diagnoses));
        assert!(judged.prose.contains(&cell.diagnoses[0].id.to_owned()));
        assert!(recall(&cell, "another text").is_none());
        for (id, instead) in [
            (cell.diagnoses[0].id, "no-such-id"),
            ("\"facts\"", "\"fats\""),
        ] {
            let mut other = cell.clone();
            let found = judged.found.replace(id, instead);
            assert_ne!(found, judged.found);
            other.kept = Some(Judged {
                of: checksum(&cell, &text, &found),
                found,
                ..judged.clone()
            });
            assert!(recall(&other, &text).is_none(), "{instead}");
        }
        cell.source.push('#');
        assert!(recall(&cell, &text).is_none(), "another source");
    }

    #[test]
    fn what_is_not_stored_as_it_is_has_no_stored_verdict() {
        let key = format!("hf_{}", "aB3d".repeat(9));
        let secret = notebook(&format!("CUDA out of memory {key}\n"), "train()");
        let source = notebook("CUDA out of memory\n", &format!("login('{key}')"));
        let mut busy = notebook("CUDA out of memory\n", "train()");
        busy.cells.get_mut("c").expect("the cell").state = CellState::Running;
        for mut nb in [secret, source, busy] {
            assert!(take_judged("n", &mut nb).is_empty());
        }
    }
}
