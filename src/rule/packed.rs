//! Separators of the packed matcher tables, from the outside in. No text of the catalogue holds
//! them: the compiler refuses control characters.

/// Between rules.
pub const RULE: char = '\u{1}';
/// Between the fields of a rule.
pub const FIELD: char = '\u{2}';
/// Between the matches, facts, derived facts and variants of a rule.
pub const MATCH: char = '\u{3}';
/// Between the parts of one of them.
pub const PART: char = '\u{4}';
/// Between the items of a list.
pub const ITEM: char = '\u{5}';
