//! Names that libraries removed, renamed or added.

/// What a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// A name in one of the library's modules: `numpy.float_`.
    Attribute,
    /// An attribute or method of one of its objects: `DataFrame.append`.
    Member,
    /// A named argument of one of its functions.
    Argument,
    /// A module: `sklearn.cross_validation`.
    Module,
}

/// One name of one library, from `src/catalog/renamed/`. A field is empty if its value is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// The table's name: `numpy`, `sklearn`.
    pub library: &'static str,
    /// What the name is.
    pub kind: NameKind,
    /// The name as messages print it.
    pub old: &'static str,
    /// The replacement, with the library's usual alias: `np.float64`, `x.item()`.
    pub new: &'static str,
    /// The release that removed it.
    pub since: &'static str,
    /// The first release that has the replacement.
    pub from: &'static str,
    /// The release that added the name.
    pub added: &'static str,
    /// The classes or functions that it belongs to, separated by spaces.
    pub of: &'static str,
    /// The page that documents it: an `https:` address.
    pub source: &'static str,
}
