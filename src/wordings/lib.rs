//! What the messages of libraries and tools say: families of wordings, as data.
//!
//! Each library's file has its families, in the format of `src/cure/messages`: `== name`, and below it `class:` the exceptions
//! that have such a message (blanks between them), `literal:` what every such message contains (alternatives between ` || `; without
//! it, the longest text of each wording), and `says:` a wording with holes, which [`nbmedic_rule::Wording`] describes; several
//! lines are those of different releases or functions, the fuller ones first. The order of the holes in the first wording that has
//! them is the order of the family's fields. `about:` names what the messages of several families are about, with blanks between
//! the names: `about::UNEQUAL_LENGTHS.is_in(message)`.
//!
//! From a family come the literals and classes of the catalogue's matches (`families = ["numpy.broadcast"]`), the wordings of the
//! entries of messages and rules (`family: numpy.broadcast`), and what techniques ask of a message:
//!
//! ```
//! use nbmedic_wordings::numpy;
//! let message = "operands could not be broadcast together with shapes (3,) (4,) ";
//! assert!(numpy::BROADCAST.is_in(message));
//! let [left, right] = numpy::BROADCAST.read(message).expect("both shapes");
//! assert_eq!((left, right), ("(3,)", "(4,)"));
//! ```
//!
//! The catalogue's compiler (`catalogc/src/families.rs`) checks the families and packs them.

use nbmedic_rule::{Found, Wording};
use std::sync::LazyLock;

include!(concat!(env!("OUT_DIR"), "/families.rs"));

/// A family: messages that say the same, in the words of all releases, with `N` fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family<const N: usize>(u16);

impl<const N: usize> Family<N> {
    /// Whether a text contains a literal of the family.
    pub fn is_in(self, text: &str) -> bool {
        is_in(self.0.into(), text)
    }

    /// Whether a text begins with a literal of the family.
    pub fn begins(self, text: &str) -> bool {
        let mut literals = entry(self.0.into()).literals.iter();
        literals.any(|l| text.starts_with(l))
    }

    /// The text behind a literal of the family, for lists that are longer than a field may be.
    pub fn behind(self, text: &str) -> Option<&str> {
        let mut literals = entry(self.0.into()).literals.iter();
        literals.find_map(|l| Some(text.split_once(l)?.1))
    }

    /// What the fields hold, if all are whole numbers.
    pub fn numbers(self, text: &str) -> Option<[i64; N]> {
        let mut out = [0; N];
        for (number, held) in out.iter_mut().zip(self.read(text)?) {
            *number = held.parse().ok()?;
        }
        Some(out)
    }

    /// What the fields hold, in their order, where one of the wordings stands in a text; a field that this wording doesn't have
    /// is empty. None if no wording stands there.
    pub fn read(self, text: &str) -> Option<[&str; N]> {
        let mut out = [""; N];
        let entry = entry(self.0.into());
        for (hole, held) in find(self.0.into(), text)? {
            let field = entry.fields.iter().position(|f| *f == hole.name);
            if let Some(place) = field.and_then(|n| out.get_mut(n)) {
                *place = held;
            }
        }
        Some(out)
    }
}

/// Families whose messages are about the same: each has its name in its field `about`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About(&'static [u16]);

impl About {
    /// Whether a text contains a literal of one of the families.
    pub fn is_in(self, text: &str) -> bool {
        self.0.iter().any(|n| is_in((*n).into(), text))
    }
}

/// A family, unpacked.
#[derive(Debug)]
struct Entry {
    /// A message of the family contains one of them.
    literals: Vec<&'static str>,
    wordings: Vec<Wording<'static>>,
    /// The names of the holes.
    fields: Vec<&'static str>,
}

/// All families, in the order of their numbers.
static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| PACKED.split('\u{1}').map(unpack).collect());

/// Unpacks a family: its wordings, each behind one control character, and its literals, each behind another.
fn unpack(packed: &'static str) -> Entry {
    let mut entry = Entry {
        literals: Vec::new(),
        wordings: Vec::new(),
        fields: Vec::new(),
    };
    for part in packed.split_inclusive(['\u{2}', '\u{3}']) {
        if let Some(says) = part.strip_suffix('\u{2}') {
            entry.wordings.push(Wording::new(says));
        } else if let Some(literal) = part.strip_suffix('\u{3}') {
            entry.literals.push(literal);
        }
    }
    for hole in entry.wordings.iter().flat_map(Wording::holes) {
        if !entry.fields.contains(&hole.name) {
            entry.fields.push(hole.name);
        }
    }
    entry
}

fn entry(number: usize) -> &'static Entry {
    const NONE: &Entry = &Entry {
        literals: Vec::new(),
        wordings: Vec::new(),
        fields: Vec::new(),
    };
    ALL.get(number).unwrap_or(NONE)
}

/// Whether a text contains a literal of the family with a number.
pub fn is_in(number: usize, text: &str) -> bool {
    entry(number).literals.iter().any(|l| text.contains(l))
}

/// What the holes of the family with a number hold, where the first of its wordings that is found stands in a text.
pub fn find(number: usize, text: &str) -> Option<Found<'static, '_>> {
    entry(number).wordings.iter().find_map(|w| w.find(text))
}
