//! What the cells' sources show about a name.

use crate::case::Case;
use crate::find::Spot;
use nbmedic_python::ast::{Expr, Stmt, StmtClassDef, StmtFunctionDef};
use nbmedic_python::{each_stmt, name_of, BindKind, Binding, Cell, Ranged};

/// An assignment, import or definition that sets a name.
#[derive(Clone, Copy, Debug)]
pub struct Set<'a> {
    /// Index of the cell in the notebook.
    pub cell: usize,
    /// The binding.
    pub binding: Binding<'a>,
}

/// Python's built-in names.
const BUILTINS: &[&str] = &[
    "abs",
    "all",
    "any",
    "ascii",
    "bin",
    "bool",
    "breakpoint",
    "bytearray",
    "bytes",
    "callable",
    "chr",
    "classmethod",
    "compile",
    "complex",
    "delattr",
    "dict",
    "dir",
    "display",
    "divmod",
    "enumerate",
    "eval",
    "exec",
    "exit",
    "filter",
    "float",
    "format",
    "frozenset",
    "get_ipython",
    "getattr",
    "globals",
    "hasattr",
    "hash",
    "help",
    "hex",
    "id",
    "input",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "list",
    "locals",
    "map",
    "max",
    "memoryview",
    "min",
    "next",
    "object",
    "oct",
    "open",
    "ord",
    "pow",
    "print",
    "property",
    "quit",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "tuple",
    "type",
    "vars",
    "zip",
    "__import__",
    "__name__",
    "__file__",
    "__doc__",
    "_",
    "__",
    "___",
    "In",
    "Out",
    "Ellipsis",
    "NotImplemented",
    "True",
    "False",
    "None",
    "Exception",
    "BaseException",
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "EOFError",
    "FileExistsError",
    "FileNotFoundError",
    "ImportError",
    "IndexError",
    "IOError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PermissionError",
    "RecursionError",
    "RuntimeError",
    "StopIteration",
    "SyntaxError",
    "SystemExit",
    "TimeoutError",
    "TypeError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "ValueError",
    "ZeroDivisionError",
    "Warning",
    "UserWarning",
    "DeprecationWarning",
    "FutureWarning",
    "RuntimeWarning",
];

/// Methods that change their object: of Python's containers, of tables and of layers.
pub(crate) const CHANGE_METHODS: &[&str] = &[
    "add",
    "add_module",
    "append",
    "clear",
    "discard",
    "extend",
    "fill",
    "insert",
    "load_state_dict",
    "pop",
    "popitem",
    "remove",
    "resize",
    "reverse",
    "set_axis",
    "setdefault",
    "sort",
    "update",
];

/// Whether a name is built in.
pub fn is_builtin(name: &str) -> bool {
    BUILTINS.contains(&name)
}

/// The innermost function that contains a node.
pub fn function_around(cell: &Cell, node: impl Ranged) -> Option<&StmtFunctionDef> {
    let mut found: Option<&StmtFunctionDef> = None;
    each_stmt(cell.body(), &mut |s| {
        let def = s.as_function_def_stmt();
        // Outer functions come first.
        found = def
            .filter(|f| f.range().contains_range(node.range()))
            .or(found);
    });
    found
}

/// The innermost class that contains a node.
pub fn class_around(cell: &Cell, node: impl Ranged) -> Option<&StmtClassDef> {
    let mut found: Option<&StmtClassDef> = None;
    each_stmt(cell.body(), &mut |s| {
        let def = s.as_class_def_stmt();
        found = def
            .filter(|c| c.range().contains_range(node.range()))
            .or(found);
    });
    found
}

/// What `self.name` is set to in a class, with the method that does it.
pub fn attributes<'a>(class: &'a StmtClassDef, name: &str) -> Vec<(&'a StmtFunctionDef, &'a Expr)> {
    let mut out = Vec::new();
    for method in class.body.iter().filter_map(Stmt::as_function_def_stmt) {
        each_stmt(&method.body, &mut |s| {
            if let Stmt::Assign(a) = s {
                let own = |t: &Expr| name_of(t).is_some_and(|n| n == format!("self.{name}"));
                if a.targets.iter().any(own) {
                    out.push((method, &*a.value));
                }
            }
        });
    }
    out
}

impl Set<'_> {
    /// The module that an import binds the name to; for a name imported from a module its full path.
    pub fn module(&self) -> Option<String> {
        let name = self.binding.name;
        match self.binding.stmt {
            Stmt::Import(i) => i.names.iter().find_map(|a| match &a.asname {
                Some(as_) => (as_.as_str() == name).then(|| a.name.to_string()),
                None => {
                    let first = a.name.split('.').next().unwrap_or("");
                    (first == name).then(|| first.to_owned())
                }
            }),
            Stmt::ImportFrom(i) => {
                let module = i.module.as_ref()?;
                let alias = i
                    .names
                    .iter()
                    .find(|a| a.asname.as_ref().unwrap_or(&a.name).as_str() == name)?;
                Some(format!("{module}.{}", alias.name))
            }
            _ => None,
        }
    }
}

impl<'a> Case<'a> {
    /// The names that the failing code can read: built-ins, names set earlier, and those of the
    /// enclosing function.
    pub fn names_at(&self, spot: &Spot<'_>) -> Vec<String> {
        let mut out: Vec<String> = BUILTINS.iter().map(|b| (*b).to_owned()).collect();
        let mut cells = self.book.before(self.at);
        cells.push(self.at);
        for (cell, python) in cells.iter().filter_map(|c| Some((*c, self.python(*c)?))) {
            let names = python.names();
            let binds = names.binds.iter().filter(|b| {
                let above = || {
                    let stmt = spot.stmt.filter(|_| spot.cell == self.at);
                    stmt.is_none_or(|s| b.at.start() < s.start())
                };
                b.function.is_none() && b.kind != BindKind::Delete && (cell != self.at || above())
            });
            out.extend(binds.map(|b| b.name.to_owned()));
        }
        let around = spot.stmt.and_then(|s| function_around(spot.python, s));
        if let Some(f) = around {
            out.extend(f.parameters.iter().map(|p| p.name().to_string()));
            let names = spot.python.names();
            let locals = names
                .binds
                .iter()
                .filter(|b| b.function == Some(f.name.as_str()));
            out.extend(locals.map(|b| b.name.to_owned()));
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Whether the failing cell or an earlier one has a star import, so that names may come from
    /// there.
    pub fn imports_star(&self) -> bool {
        let mut cells = self.book.before_with(self.at, "import");
        cells.push(self.at);
        let stars = |s: &Stmt| {
            let from = s.as_import_from_stmt();
            from.is_some_and(|f| f.names.iter().any(|a| a.name.as_str() == "*"))
        };
        let mut all = cells.iter().filter_map(|c| self.python(*c));
        all.any(|python| python.body().iter().any(stars))
    }

    /// The assignments of a name that the failing line could see: in the failing cell above the
    /// line, then in earlier cells, latest first.
    pub fn set_before(&self, name: &str) -> Vec<Set<'_>> {
        let mut out = Vec::new();
        let line = self
            .frames
            .iter()
            .find(|f| f.cell == self.at)
            .map_or(u32::MAX, |f| f.line);
        if let Some(cell) = self.python(self.at) {
            let names = cell.names();
            let sets = names
                .sets(name)
                .filter(|b| cell.line_of(b.at.start()) < line);
            out.extend(sets.rev().map(|b| Set {
                cell: self.at,
                binding: *b,
            }));
        }
        for at in self.book.before_with(self.at, name).into_iter().rev() {
            let Some(cell) = self.python(at) else {
                continue;
            };
            let names = cell.names();
            out.extend(names.sets(name).rev().map(|b| Set {
                cell: at,
                binding: *b,
            }));
        }
        out
    }

    /// The last assignment of a name before the failing line ran.
    pub fn last_set(&self, name: &str) -> Option<Set<'_>> {
        self.set_before(name).into_iter().next()
    }

    /// Assignments of a name in cells that haven't run in this kernel, or that are below the
    /// failing one and ran later.
    pub fn set_elsewhere(&self, name: &str) -> Vec<Set<'_>> {
        let mut before = self.book.before_with(self.at, name);
        before.sort_unstable();
        let cells = self.book.cells().iter().enumerate();
        // Other cells can't set it.
        let holds = cells.filter(|(_, c)| !name.is_ascii() || c.source.contains(name));
        let mut out = Vec::new();
        for (at, _) in holds.filter(|(i, _)| *i != self.at && before.binary_search(i).is_err()) {
            let Some(cell) = self.python(at) else {
                continue;
            };
            let names = cell.names();
            out.extend(names.sets(name).map(|b| Set {
                cell: at,
                binding: *b,
            }));
        }
        out
    }

    /// Whether a name is defined where the failing line runs: built in, or set earlier.
    pub fn exists(&self, name: &str) -> bool {
        is_builtin(name) || self.last_set(name).is_some() || self.is_used(name)
    }

    /// Whether the failing line of an excerpt reads a name. The excerpt doesn't show what sets it.
    fn is_used(&self, name: &str) -> bool {
        let missing = matches!(self.class(), "NameError" | "UnboundLocalError");
        let cell = self.innermost().and_then(|f| self.python(f.cell));
        let reads = |c: &Cell| c.names().needs().contains(&name);
        self.book.is_excerpt() && !missing && cell.is_some_and(reads)
    }

    /// The module that a name refers to, according to the imports before the failing line: `np` →
    /// `numpy`, `nn` → `torch.nn`. For a name imported from a module, its full path: `Linear` →
    /// `torch.nn.Linear`.
    pub fn module_of(&self, name: &str) -> Option<String> {
        self.last_set(name)?.module()
    }

    /// Resolves a dotted expression through the imports: `np.linalg.norm` → `numpy.linalg.norm`.
    /// None if its first name isn't imported.
    pub fn path_of(&self, expr: &Expr) -> Option<String> {
        let dotted = name_of(expr)?;
        let (first, rest) = dotted
            .split_once('.')
            .map_or((dotted.as_str(), None), |(f, r)| (f, Some(r)));
        let module = self.module_of(first)?;
        Some(rest.map_or(module.clone(), |rest| format!("{module}.{rest}")))
    }

    /// Whether the failing cell or an earlier one imports from a package: `sklearn` for
    /// `from sklearn.svm import SVC`.
    pub fn imports(&self, package: &str) -> bool {
        let mut cells = vec![self.at];
        cells.extend(self.book.before_with(self.at, package));
        let of = |path: &str| path.split('.').next() == Some(package);
        cells
            .into_iter()
            .filter_map(|at| self.python(at))
            .any(|cell| {
                let mut found = false;
                each_stmt(cell.body(), &mut |s| {
                    found |= match s {
                        Stmt::Import(i) => i.names.iter().any(|a| of(a.name.as_str())),
                        Stmt::ImportFrom(i) => i.module.as_ref().is_some_and(|m| of(m.as_str())),
                        _ => false,
                    };
                });
                found
            })
    }

    /// The alias of a module imported before the failing line: `numpy` → `np`.
    pub fn alias_of(&self, module: &str) -> Option<String> {
        let mut cells = vec![self.at];
        let first = module.split('.').next().unwrap_or(module);
        cells.extend(self.book.before_with(self.at, first).into_iter().rev());
        for at in cells {
            let Some(cell) = self.python(at) else {
                continue;
            };
            let names = cell.names();
            let imports = names
                .binds
                .iter()
                .rev()
                .filter(|b| b.kind == BindKind::Import && b.function.is_none());
            for b in imports {
                if self.module_of(b.name).as_deref() == Some(module) {
                    return Some(b.name.to_owned());
                }
            }
        }
        None
    }
}
