//! The sizes of arrays and tensors as the sources make them, where no probe saw them: `np.zeros((3, 4))`, and what is
//! computed from such. What comes from a file or a library's function is not known.

mod calls;
mod sides;
#[cfg(test)]
mod tests;

use crate::case::Case;
use crate::find::{callee, int_of, name};
use crate::known::function_around;
use crate::trace::Made;
use crate::values::{Seen, Value};
use nbmedic_python::ast::{Expr, ExprSubscript, Operator, UnaryOp};
use nbmedic_python::{keyword, positional, Ranged};
use sides::{index, int_signed, product, Array, MAX_SIDES};

/// Deepest chain of names, calls and operators followed.
const MAX_DEPTH: usize = 24;
/// Most steps for one case: a name that is used twice is computed twice.
const MAX_STEPS: usize = 400;
/// So many elements are no number that a message has by chance.
const MANY: i64 = 100;

/// One case's evaluation.
struct Sizes<'c> {
    case: &'c Case<'c>,
    steps: usize,
}

impl<'c> Case<'c> {
    /// What the names on the innermost own line stand for by the sources, as the probe would have seen it. Only where two
    /// arrays are known whose sizes have two different numbers of the message, or one with as many elements as a number
    /// says; empty otherwise.
    pub(crate) fn values_by_source(&'c self) -> Vec<Seen> {
        let numbers = numbers(self.message());
        let (Some(frame), Some((cell, _, stmt))) = (self.innermost(), self.here()) else {
            return Vec::new();
        };
        if numbers.len() < 2 {
            return Vec::new();
        }
        let mut sizes = Sizes {
            case: self,
            steps: MAX_STEPS,
        };
        let mut names: Vec<(String, Value)> = Vec::new();
        let mut told: Vec<i64> = Vec::new();
        let mut whole = false;
        for expr in crate::find::head_exprs(stmt) {
            let read = expr.as_name_expr().filter(|n| n.ctx.is_load());
            let new = read.filter(|n| names.iter().all(|(known, _)| known != n.id.as_str()));
            let Some(n) = new else { continue };
            let Some(array) = sizes.of(cell, expr, MAX_DEPTH) else {
                continue;
            };
            told.extend(array.sides.iter().filter(|s| numbers.contains(s)));
            let all = array.sides.iter().try_fold(1_i64, |p, n| p.checked_mul(*n));
            whole |= all.is_some_and(|n| n >= MANY && numbers.contains(&n));
            let value = Value {
                kind: array.kind.to_owned(),
                shape: Some(array.sides),
                ..Value::default()
            };
            names.push((n.id.to_string(), value));
        }
        told.sort_unstable();
        told.dedup();
        if !whole && (names.len() < 2 || told.len() < 2) {
            return Vec::new();
        }
        let function = frame.function.as_deref().unwrap_or("<module>");
        vec![Seen {
            line: frame.line,
            function: function.rsplit('.').next().unwrap_or(function).to_owned(),
            names,
        }]
    }
}

/// The whole numbers in a message's beginning.
fn numbers(message: &str) -> Vec<i64> {
    let start = message.get(..600).unwrap_or(message);
    let all = start.split(|c: char| !c.is_ascii_digit());
    let mut out: Vec<i64> = all.filter_map(|n| n.parse().ok()).take(32).collect();
    out.sort_unstable();
    out.dedup();
    out
}

impl<'c> Sizes<'c> {
    fn step(&mut self, depth: usize) -> Option<usize> {
        self.steps = self.steps.checked_sub(1)?;
        depth.checked_sub(1)
    }

    /// What a name was set to before a place.
    fn made(&self, cell: usize, expr: &'c Expr) -> Option<Made<'c>> {
        let python = self.case.python(cell)?;
        if function_around(python, expr).is_some() {
            return self
                .case
                .made(cell, expr)
                .filter(|m| m.expr.range() != expr.range());
        }
        let seen = self.case.seen();
        let order = |c: usize| seen.iter().position(|s| *s == c);
        let here = order(cell)?;
        let sets = self.case.set_before(name(expr)?);
        let set = sets.into_iter().find(|s| match order(s.cell) {
            Some(at) if at == here => s.binding.stmt.end() <= expr.start(),
            Some(at) => at > here,
            None => false,
        })?;
        let plain = !set.binding.conditional && !set.binding.looped;
        Some(Made {
            cell: set.cell,
            expr: set.binding.value.filter(|_| plain)?,
        })
    }

    fn of(&mut self, cell: usize, expr: &'c Expr, depth: usize) -> Option<Array> {
        let depth = self.step(depth)?;
        match expr {
            Expr::Name(n) => match self.made(cell, expr) {
                Some(made) => self.of(made.cell, made.expr, depth),
                None => self.split(n.id.as_str(), depth),
            },
            Expr::Call(c) => self.call(cell, c, depth),
            Expr::Attribute(a) if a.attr.as_str() == "T" => {
                let mut array = self.of(cell, &a.value, depth)?;
                array.sides.reverse();
                Some(array)
            }
            Expr::Subscript(s) => self.part(cell, s, depth),
            Expr::UnaryOp(u) => match u.op {
                UnaryOp::Not => None,
                _ => self.of(cell, &u.operand, depth),
            },
            Expr::BinOp(b) if b.op == Operator::MatMult => {
                let (left, right) = (
                    self.of(cell, &b.left, depth)?,
                    self.of(cell, &b.right, depth)?,
                );
                product(left, &right)
            }
            Expr::BinOp(b) => self.joined(cell, &b.left, &b.right, depth),
            Expr::Compare(c) => match &c.comparators[..] {
                [right] => self.joined(cell, &c.left, right, depth),
                _ => None,
            },
            _ => None,
        }
    }

    /// Two operands, each an array or a plain number.
    fn joined(
        &mut self,
        cell: usize,
        left: &'c Expr,
        right: &'c Expr,
        depth: usize,
    ) -> Option<Array> {
        let plain = |s: &mut Self, e: &'c Expr| {
            e.is_number_literal_expr() || s.number(cell, e, depth).is_some()
        };
        if plain(self, left) {
            return self.of(cell, right, depth);
        }
        let first = self.of(cell, left, depth)?;
        if plain(self, right) {
            return Some(first);
        }
        let second = self.of(cell, right, depth)?;
        let mut sides = Vec::new();
        let (a, b) = (&first.sides, &second.sides);
        for i in 0..a.len().max(b.len()) {
            let side = |of: &[i64]| of.len().checked_sub(i + 1).map_or(1, |at| of[at]);
            match (side(a), side(b)) {
                (x, y) if x == y => sides.push(x),
                (1, y) => sides.push(y),
                (x, 1) => sides.push(x),
                _ => return None,
            }
        }
        sides.reverse();
        Some(Array {
            kind: first.kind,
            sides,
        })
    }

    /// A part of `train_test_split`, as scikit-learn counts: the test part is rounded up.
    fn split(&mut self, part: &str, depth: usize) -> Option<Array> {
        let split = self.case.split_of(part)?;
        let at = split.targets.iter().position(|t| name(t) == Some(part))?;
        let mut array = self.of(split.cell, split.source(part)?, depth)?;
        let rows = array.sides.first_mut()?;
        let of = |k: &str| keyword(split.call, k).map(|k| &k.value);
        let share = |e: &Expr| {
            let text = split.python.slice(e);
            text.parse::<f64>().ok().filter(|_| text.contains('.'))
        };
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)] // rows of an array
        let test = match (of("test_size"), of("train_size")) {
            (Some(e), None) => match share(e) {
                Some(s) => (*rows as f64 * s).ceil() as i64,
                None => int_of(e)?,
            },
            (None, None) => (*rows as f64 * 0.25).ceil() as i64,
            _ => return None,
        };
        *rows = match at % 2 {
            0 => rows.checked_sub(test)?,
            _ => test,
        };
        Some(array)
    }

    /// A whole number.
    fn number(&mut self, cell: usize, expr: &'c Expr, depth: usize) -> Option<i64> {
        let depth = self.step(depth)?;
        match expr {
            Expr::NumberLiteral(_) => int_of(expr),
            Expr::UnaryOp(u) if u.op == UnaryOp::USub => {
                self.number(cell, &u.operand, depth)?.checked_neg()
            }
            Expr::Name(_) => {
                let made = self.made(cell, expr)?;
                self.number(made.cell, made.expr, depth)
            }
            Expr::BinOp(b) => {
                let left = self.number(cell, &b.left, depth)?;
                let right = self.number(cell, &b.right, depth)?;
                match b.op {
                    Operator::Add => left.checked_add(right),
                    Operator::Sub => left.checked_sub(right),
                    Operator::Mult => left.checked_mul(right),
                    Operator::FloorDiv => left.checked_div_euclid(right),
                    _ => None,
                }
            }
            Expr::Call(c) if callee(c) == Some("len") => self
                .of(cell, positional(c, 0)?, depth)?
                .sides
                .first()
                .copied(),
            // `x.shape[1]`
            Expr::Subscript(s) => {
                let shape = s.value.as_attribute_expr()?;
                (shape.attr.as_str() == "shape").then_some(())?;
                let sides = self.of(cell, &shape.value, depth)?.sides;
                let at = index(int_signed(&s.slice)?, sides.len())?;
                sides.get(at).copied()
            }
            _ => None,
        }
    }

    /// Sizes given as a number, or a tuple or list of them.
    fn sides(&mut self, cell: usize, expr: &'c Expr, depth: usize) -> Option<Vec<i64>> {
        let elements = match expr {
            Expr::Tuple(t) => t.elts.as_slice(),
            Expr::List(l) => l.elts.as_slice(),
            Expr::Attribute(a) if a.attr.as_str() == "shape" => {
                return Some(self.of(cell, &a.value, depth)?.sides);
            }
            other => std::slice::from_ref(other),
        };
        let mut out = Vec::new();
        for e in elements.iter().take(MAX_SIDES) {
            out.push(self.number(cell, e, depth)?);
        }
        Some(out)
    }

    /// Sizes given one by one, or together as the first argument.
    fn all_sides(&mut self, cell: usize, args: &'c [Expr], depth: usize) -> Option<Vec<i64>> {
        match args {
            [one] => self.sides(cell, one, depth),
            many => many
                .iter()
                .take(MAX_SIDES)
                .map(|e| self.number(cell, e, depth))
                .collect(),
        }
    }

    /// Rows, columns and single elements: `X[:, 0]`, `x[:100]`, `v[:, None]`.
    fn part(&mut self, cell: usize, s: &'c ExprSubscript, depth: usize) -> Option<Array> {
        let array = self.of(cell, &s.value, depth)?;
        let indexes = match &*s.slice {
            Expr::Tuple(t) => t.elts.as_slice(),
            other => std::slice::from_ref(other),
        };
        let mut sides = Vec::new();
        let mut left = array.sides.iter().copied();
        for i in indexes {
            match i {
                Expr::NoneLiteral(_) => sides.push(1),
                Expr::Attribute(a) if a.attr.as_str() == "newaxis" => sides.push(1),
                Expr::Slice(slice) => {
                    let n = left.next()?;
                    let mut bound = |e: &'c Option<Box<Expr>>, other: i64| match e {
                        None => Some(other),
                        Some(e) => {
                            let at = self.number(cell, e, depth)?;
                            Some(if at < 0 { n + at } else { at }.clamp(0, n))
                        }
                    };
                    slice.step.is_none().then_some(())?;
                    let (from, to) = (bound(&slice.lower, 0)?, bound(&slice.upper, n)?);
                    sides.push((to - from).max(0));
                }
                other => {
                    // One element: the axis is gone. A list or an array of indexes is another matter.
                    self.number(cell, other, depth)?;
                    left.next()?;
                }
            }
        }
        sides.extend(left);
        (sides.len() <= MAX_SIDES).then_some(Array {
            kind: array.kind,
            sides,
        })
    }
}
