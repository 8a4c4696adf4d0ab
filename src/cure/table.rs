//! What kind a value is, by the model of values, and the arrays that were split together.

use crate::case::Case;
use crate::find::{callee, name};
use crate::sized::Sources;
use nbmedic_python::ast::{Expr, ExprCall, Stmt};
use nbmedic_python::{positional, Cell};
use nbmedic_values::Model;

/// Most expressions that a kind is looked for in.
const MAX_STEPS: usize = 120;

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A DataFrame.
    Frame,
    /// A Series.
    Series,
    /// An array of NumPy.
    Array,
    /// A tensor of PyTorch.
    Tensor,
    /// A list, tuple or generator.
    List,
    /// A dict.
    Dict,
    /// Unknown.
    Unknown,
}

impl Kind {
    /// Whether it is a table or column of pandas.
    pub fn is_table(self) -> bool {
        matches!(self, Kind::Frame | Kind::Series)
    }
}

/// Arrays split together: `X_train, X_test, y_train, y_test = train_test_split(X, y)`.
#[derive(Clone, Copy, Debug)]
pub struct Split<'c> {
    /// Index of the cell in the notebook.
    pub cell: usize,
    /// The cell.
    pub python: &'c Cell,
    /// The statement.
    pub stmt: &'c Stmt,
    /// The call.
    pub call: &'c ExprCall,
    /// The targets.
    pub targets: &'c [Expr],
}

impl<'c> Split<'c> {
    /// The array that a target was split from.
    pub fn source(&self, target: &str) -> Option<&'c Expr> {
        let at = self.targets.iter().position(|t| name(t) == Some(target))?;
        positional(self.call, at / 2)
    }

    /// The other part of the same array.
    pub fn other(&self, target: &str) -> Option<&'c str> {
        let at = self.targets.iter().position(|t| name(t) == Some(target))?;
        self.targets.get(at ^ 1).and_then(name)
    }

    /// The part of another array with the same rows.
    pub fn beside(&self, target: &str) -> Option<&'c str> {
        let at = self.targets.iter().position(|t| name(t) == Some(target))?;
        self.targets.get(at ^ 2).and_then(name)
    }
}

impl Case<'_> {
    /// The `train_test_split` that last set a name, if one did.
    pub fn split_of(&self, target: &str) -> Option<Split<'_>> {
        let set = self.last_set(target)?;
        let python = self.python(set.cell)?;
        let at = set.binding.at;
        let stmt = crate::find::statement_of(python, at)?;
        let assign = stmt.as_assign_stmt()?;
        let call = assign.value.as_call_expr()?;
        if callee(call) != Some("train_test_split") {
            return None;
        }
        let [target] = &assign.targets[..] else {
            return None;
        };
        let targets = match target {
            Expr::Tuple(t) => &t.elts,
            Expr::List(t) => &t.elts,
            _ => return None,
        };
        Some(Split {
            cell: set.cell,
            python,
            stmt,
            call,
            targets,
        })
    }

    /// What an expression is where it stands.
    pub fn kind(&self, cell: usize, expr: &Expr) -> Kind {
        let sources = Sources(self);
        let value = Model::new(&sources, MAX_STEPS).of(cell, expr);
        match &*value.kind {
            "DataFrame" => Kind::Frame,
            "Series" => Kind::Series,
            "ndarray" => Kind::Array,
            "Tensor" | "Parameter" => Kind::Tensor,
            "list" | "tuple" | "range" | "generator" | "Index" => Kind::List,
            "dict" => Kind::Dict,
            _ => Kind::Unknown,
        }
    }

    /// The name of an expression's type where it stands; empty if unknown.
    pub(crate) fn kind_name(&self, cell: usize, expr: &Expr) -> String {
        let sources = Sources(self);
        let value = Model::new(&sources, MAX_STEPS).of(cell, expr);
        value.kind.into_owned()
    }

    /// The same for what has axes, as a message says: then a part of an array is one, too.
    pub fn kind_with_axes(&self, cell: usize, expr: &Expr) -> Kind {
        let part = expr.as_subscript_expr().map(|s| &*s.value);
        match (self.kind(cell, expr), part) {
            (Kind::Unknown, Some(of)) => match self.kind_with_axes(cell, of) {
                array @ (Kind::Array | Kind::Tensor) => array,
                _ => Kind::Unknown,
            },
            (kind, _) => kind,
        }
    }
}
