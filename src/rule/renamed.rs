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

/// One name of one library, from `src/catalog/renamed/`. A text is empty where it is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// The table's name: `numpy`, `sklearn`.
    pub library: &'static str,
    /// What the name is.
    pub kind: NameKind,
    /// The name as messages print it.
    pub old: &'static str,
    /// What to write in its place, with the library's usual alias: `np.float64`, `x.item()`.
    pub new: &'static str,
    /// The release that removed it.
    pub since: &'static str,
    /// The first release that has what takes its place.
    pub from: &'static str,
    /// The release that brought the name: older ones lack it.
    pub added: &'static str,
    /// The classes or functions that it belongs to, with blanks between.
    pub of: &'static str,
    /// Where the library says so: an `https:` address.
    pub source: &'static str,
}
