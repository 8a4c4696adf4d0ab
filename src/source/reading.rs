//! One reading of a cell's source.

use crate::sizes::{self, Sizes};
use crate::{does, names};
use nbmedic_ask::{
    may_end_kernel, may_install, may_make_arrays, may_save, mentions, Allocation, Installer,
    KernelEnd, Plain,
};
use nbmedic_python::Cell;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A cell's source, which is parsed when that is needed, and once. One that is no Python (`%%bash`), or longer or deeper
/// than a parser may be given, sets and uses nothing.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    text: Rc<str>,
    python: OnceCell<Option<Rc<Cell>>>,
    sets: OnceCell<BTreeSet<String>>,
    installer: OnceCell<Option<Installer>>,
    saves: OnceCell<bool>,
}

impl Reading {
    /// Reads a source.
    pub fn of(source: &str) -> Reading {
        Reading {
            text: source.into(),
            ..Reading::default()
        }
    }

    /// The source.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The source as Python.
    pub fn python(&self) -> Option<&Rc<Cell>> {
        let read = || Cell::read(&self.text).map(Rc::new);
        self.python.get_or_init(read).as_ref()
    }

    /// Whether one of these words is in the source, be it in a comment: a quick look before it is parsed.
    fn has(&self, words: &[&str]) -> bool {
        mentions(&self.text, words)
    }

    /// Whether the cell binds a name where other cells can see it: by assignment, `def`, `class`, `import`, `for`,
    /// `with`.
    pub fn defines(&self, name: &str) -> bool {
        let read = || self.python().map(|p| names::sets(p)).unwrap_or_default();
        self.has(&[name]) && self.sets.get_or_init(read).contains(name)
    }

    /// The modules that the cell imports, by their first names.
    pub fn imports(&self) -> Vec<String> {
        match self.has(&["import"]).then(|| self.python()).flatten() {
            Some(python) => names::imports(python),
            None => Vec::new(),
        }
    }

    /// The names that a line (from 1) uses.
    pub fn words(&self, line: u32) -> Vec<String> {
        self.python()
            .map(|p| names::words(p, line))
            .unwrap_or_default()
    }

    /// How the cell ends its own kernel, if it does.
    pub fn ends_kernel(&self) -> Option<KernelEnd> {
        match may_end_kernel(&self.text) {
            true => {
                let installs = self.installer().is_some() || self.has(&["condacolab"]);
                does::ends_kernel(self.python()?, installs)
            }
            false => None,
        }
    }

    /// What the cell installs packages with.
    pub fn installer(&self) -> Option<Installer> {
        let read = || match may_install(&self.text).then(|| self.python()) {
            Some(Some(python)) => does::installer(python),
            Some(None) => does::shell_installer(&self.text),
            None => None,
        };
        *self.installer.get_or_init(read)
    }

    /// Whether the cell seems to write checkpoints or results.
    pub fn saves(&self) -> bool {
        let read = || may_save(&self.text) && self.python().is_some_and(|p| does::saves(p));
        *self.saves.get_or_init(read)
    }

    /// The arrays of the cell whose size can be read, largest first. `known` holds numbers that other cells assigned.
    pub fn allocations(&self, known: &Sizes) -> Vec<Allocation> {
        let may = may_make_arrays(&self.text);
        match may.then(|| self.python()).flatten() {
            Some(python) => sizes::allocations(python, known),
            None => Vec::new(),
        }
    }

    /// Adds the numbers that the cell assigns plainly to the known ones. A name that is assigned in any other way is no
    /// longer known.
    pub fn learn(&self, sizes: &mut Sizes) {
        if let Some(python) = self.python() {
            sizes::learn(python, sizes);
        }
    }

    /// All that is plain in the source.
    pub fn plain(&self) -> Plain {
        Plain {
            sets: self.python().map(|p| names::sets(p)).unwrap_or_default(),
            imports: self.imports(),
            ends_kernel: self.ends_kernel(),
            installer: self.installer(),
            saves: self.saves(),
        }
    }
}
