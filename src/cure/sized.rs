//! The sizes of arrays and tensors as the sources make them, where no probe saw them: `np.zeros((3, 4))`, and what is
//! computed from such. What comes from a file or a library's function is not known.

use crate::case::Case;
use crate::find::{callee, int_of, name, receiver};
use crate::known::function_around;
use crate::trace::Made;
use crate::values::{Seen, Value};
use nbmedic_python::ast::{Expr, ExprCall, ExprSubscript, Operator, UnaryOp};
use nbmedic_python::{each_below, keyword, positional, Ranged};

/// Deepest chain of names, calls and operators followed.
const MAX_DEPTH: usize = 24;
/// Most steps for one case: a name that is used twice is computed twice.
const MAX_STEPS: usize = 4000;
/// So many elements are no number that a message has by chance.
const MANY: i64 = 100;
/// Most dimensions of an array, and elements of a literal list.
const MAX_SIDES: usize = 8;
const MAX_LISTED: usize = 10_000;

/// An array or tensor of known sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Array {
    /// The name of its type: `ndarray` or `Tensor`.
    kind: &'static str,
    sides: Vec<i64>,
}

/// Functions and methods that give what they are given, changed, with the same sizes.
const SAME: &[&str] = &[
    "abs",
    "absolute",
    "array",
    "asarray",
    "ascontiguousarray",
    "astype",
    "ceil",
    "clamp",
    "clip",
    "clone",
    "contiguous",
    "copy",
    "cos",
    "cpu",
    "cuda",
    "cumsum",
    "detach",
    "double",
    "empty_like",
    "exp",
    "flip",
    "float",
    "floor",
    "from_numpy",
    "full_like",
    "half",
    "int",
    "isfinite",
    "isnan",
    "log",
    "log1p",
    "log2",
    "long",
    "maximum_accumulate",
    "numpy",
    "ones_like",
    "rand_like",
    "randn_like",
    "relu",
    "requires_grad_",
    "roll",
    "round",
    "sigmoid",
    "sign",
    "sin",
    "softmax",
    "sqrt",
    "square",
    "tanh",
    "tensor",
    "to",
    "zeros_like",
    "as_tensor",
    "nan_to_num",
];

/// Those that leave an axis out.
const REDUCED: &[&str] = &[
    "all", "amax", "amin", "any", "argmax", "argmin", "max", "mean", "median", "min", "nanmean",
    "norm", "prod", "std", "sum", "var",
];

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

    fn call(&mut self, cell: usize, call: &'c ExprCall, depth: usize) -> Option<Array> {
        let what = callee(call)?;
        let path = self.case.path_of(&call.func).unwrap_or_default();
        let kind = if path.starts_with("numpy.") {
            "ndarray"
        } else if path.starts_with("torch.") {
            "Tensor"
        } else if self.is_generator(call) {
            return self.random(cell, call, what, "ndarray", depth);
        } else {
            return self.method(cell, call, what, depth);
        };
        if path.starts_with("numpy.random.") {
            return self.random(cell, call, what, kind, depth);
        }
        let args = &call.arguments.args;
        let sides = match what {
            "zeros" | "ones" | "empty" if kind == "ndarray" => {
                let shape = positional(call, 0).or(keyword(call, "shape").map(|k| &k.value))?;
                self.sides(cell, shape, depth)?
            }
            "full" => self.sides(cell, positional(call, 0)?, depth)?,
            "zeros" | "ones" | "empty" | "rand" | "randn" => match keyword(call, "size") {
                Some(k) => self.sides(cell, &k.value, depth)?,
                None => self.all_sides(cell, args, depth)?,
            },
            "randint" => self.sides(cell, args.last()?, depth)?,
            "arange" | "randperm" if args.len() == 1 => vec![self.number(cell, &args[0], depth)?],
            "arange" if args.len() == 2 => {
                let (from, to) = (
                    self.number(cell, &args[0], depth)?,
                    self.number(cell, &args[1], depth)?,
                );
                vec![to.checked_sub(from)?]
            }
            "linspace" => {
                let steps = positional(call, 2);
                let named = keyword(call, "num")
                    .or(keyword(call, "steps"))
                    .map(|k| &k.value);
                match steps.or(named) {
                    Some(n) => vec![self.number(cell, n, depth)?],
                    None if kind == "ndarray" => vec![50],
                    None => return None,
                }
            }
            "eye" | "identity" if args.len() == 1 => {
                let n = self.number(cell, &args[0], depth)?;
                vec![n, n]
            }
            "array" | "asarray" | "tensor" | "as_tensor" | "FloatTensor" | "LongTensor" => {
                match positional(call, 0)? {
                    list @ (Expr::List(_) | Expr::Tuple(_)) => listed(list)?,
                    other => self.of(cell, other, depth)?.sides,
                }
            }
            "dot" | "matmul" | "mm" => {
                let left = self.of(cell, positional(call, 0)?, depth)?;
                let right = self.of(cell, positional(call, 1)?, depth)?;
                return product(left, &right);
            }
            _ => {
                let of = self.of(cell, positional(call, 0)?, depth)?;
                let rest = args.get(1..)?;
                return self.changed(cell, Array { kind, ..of }, call, (what, rest), depth);
            }
        };
        sides
            .iter()
            .all(|n| *n >= 0)
            .then_some(Array { kind, sides })
    }

    /// Whether a method is called on a generator of random numbers.
    fn is_generator(&self, call: &ExprCall) -> bool {
        let made = receiver(call)
            .and_then(name)
            .and_then(|n| self.case.value(n));
        let by = made.and_then(|(_, v)| v.as_call_expr()).and_then(callee);
        matches!(by, Some("default_rng" | "RandomState" | "Generator"))
    }

    /// NumPy's random numbers.
    fn random(
        &mut self,
        cell: usize,
        call: &'c ExprCall,
        what: &str,
        kind: &'static str,
        depth: usize,
    ) -> Option<Array> {
        let place = match what {
            "rand" | "randn" => {
                let sides = self.all_sides(cell, &call.arguments.args, depth)?;
                return Some(Array { kind, sides });
            }
            "random" | "standard_normal" | "random_sample" | "sample" => 0,
            "normal" | "uniform" | "integers" | "randint" | "binomial" | "gamma" | "beta"
            | "laplace" => 2,
            "choice" | "poisson" | "exponential" | "permutation" => 1,
            _ => return None,
        };
        let size = keyword(call, "size")
            .map(|k| &k.value)
            .or(positional(call, place))?;
        let sides = self.sides(cell, size, depth)?;
        Some(Array { kind, sides })
    }

    /// A method of an array.
    fn method(
        &mut self,
        cell: usize,
        call: &'c ExprCall,
        what: &'c str,
        depth: usize,
    ) -> Option<Array> {
        let array = self.of(cell, receiver(call)?, depth)?;
        if matches!(what, "dot" | "matmul" | "mm") {
            let right = self.of(cell, positional(call, 0)?, depth)?;
            return product(array, &right);
        }
        self.changed(cell, array, call, (what, &call.arguments.args), depth)
    }

    /// What a function or method makes of an array. `rest`: its arguments behind the array.
    fn changed(
        &mut self,
        cell: usize,
        array: Array,
        call: &'c ExprCall,
        (what, rest): (&str, &'c [Expr]),
        depth: usize,
    ) -> Option<Array> {
        let Array {
            mut kind,
            mut sides,
        } = array;
        match what {
            "numpy" => kind = "ndarray",
            "from_numpy" | "tensor" | "as_tensor" => kind = "Tensor",
            "transpose" if rest.is_empty() => sides.reverse(),
            "transpose" | "swapaxes" if rest.len() == 2 => {
                let (a, b) = (int_signed(&rest[0])?, int_signed(&rest[1])?);
                let n = sides.len();
                sides.swap(index(a, n)?, index(b, n)?);
            }
            "t" if sides.len() == 2 => sides.reverse(),
            "reshape" | "view" => sides = reshaped(&sides, self.all_sides(cell, rest, depth)?)?,
            "flatten" | "ravel" if rest.is_empty() => sides = vec![sides.iter().product()],
            "flatten" if rest.len() == 1 && int_of(&rest[0]) == Some(1) => {
                sides = vec![*sides.first()?, sides[1..].iter().product()];
            }
            "squeeze" if rest.is_empty() => sides.retain(|n| *n != 1),
            "unsqueeze" | "expand_dims" => {
                let at = rest.first().or(keyword(call, "axis").map(|k| &k.value))?;
                let at = index(int_signed(at)?, sides.len() + 1)?;
                sides.insert(at, 1);
            }
            _ if REDUCED.contains(&what) => {
                let named = keyword(call, "axis")
                    .or(keyword(call, "dim"))
                    .map(|k| &k.value);
                let keep = keyword(call, "keepdims").or(keyword(call, "keepdim"));
                let keep = keep
                    .is_some_and(|k| k.value.as_boolean_literal_expr().is_some_and(|b| b.value));
                let at = index(int_signed(rest.first().or(named)?)?, sides.len())?;
                // PyTorch's give the positions too.
                if kind == "Tensor" && matches!(what, "max" | "min" | "median") {
                    return None;
                }
                match keep {
                    true => sides[at] = 1,
                    false => {
                        sides.remove(at);
                    }
                }
            }
            _ if SAME.contains(&what) => {}
            _ => return None,
        }
        Some(Array { kind, sides })
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

fn int_signed(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::UnaryOp(u) if u.op == UnaryOp::USub => Some(-int_of(&u.operand)?),
        other => int_of(other),
    }
}

/// An axis, from 0; negative ones count from the end.
fn index(at: i64, n: usize) -> Option<usize> {
    let at = if at < 0 {
        at + i64::try_from(n).ok()?
    } else {
        at
    };
    usize::try_from(at).ok().filter(|at| *at < n)
}

/// The sizes of a literal list of numbers, or of lists of numbers of one length.
fn listed(list: &Expr) -> Option<Vec<i64>> {
    let elements = |e: &Expr| match e {
        Expr::List(l) => Some(l.elts.len()),
        Expr::Tuple(t) => Some(t.elts.len()),
        _ => None,
    };
    let mut count = 0;
    each_below(list, &mut |_| count += 1);
    let mut out = Vec::new();
    let mut at = list;
    while let Some(n) = elements(at).filter(|_| count < MAX_LISTED) {
        out.push(i64::try_from(n).ok()?);
        let first = match at {
            Expr::List(l) => l.elts.as_slice(),
            Expr::Tuple(t) => t.elts.as_slice(),
            _ => &[],
        };
        // Of another length somewhere, or with something starred.
        if first
            .iter()
            .any(|e| elements(e) != first.first().and_then(elements) || e.is_starred_expr())
        {
            return None;
        }
        match first.first() {
            Some(e) => at = e,
            None => break,
        }
    }
    let plain =
        at.is_number_literal_expr() || at.is_unary_op_expr() || at.is_boolean_literal_expr();
    (plain && !out.is_empty() && out.len() <= MAX_SIDES).then_some(out)
}

/// New sizes for the same number of elements; one of them may be -1.
fn reshaped(old: &[i64], new: Vec<i64>) -> Option<Vec<i64>> {
    let product = |all: &[i64]| all.iter().try_fold(1_i64, |p, n| p.checked_mul(*n));
    let all = product(old)?;
    let known: Vec<i64> = new.iter().copied().filter(|n| *n != -1).collect();
    let rest = product(&known)?;
    match new.len() - known.len() {
        0 => (rest == all).then_some(new),
        1 if rest > 0 && all % rest == 0 => Some(
            new.into_iter()
                .map(|n| if n == -1 { all / rest } else { n })
                .collect(),
        ),
        _ => None,
    }
}

/// A product of two matrices, or of a matrix and a vector.
fn product(left: Array, right: &Array) -> Option<Array> {
    let (a, b) = (&left.sides, &right.sides);
    let sides = match (&a[..], &b[..]) {
        ([n], [m]) if n == m => Vec::new(),
        ([rest @ .., n], [m]) if n == m => rest.to_vec(),
        ([n], [m, k]) if n == m => vec![*k],
        ([rest @ .., n], [m, k]) if n == m => [rest, &[*k]].concat(),
        _ => return None,
    };
    Some(Array {
        kind: left.kind,
        sides,
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::{cures_of, error_at, repaired_first};

    #[test]
    fn a_product_is_turned_by_what_the_cells_say() {
        let message = "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 3 is different from 4)";
        let cells = [
            "import numpy as np\nrng = np.random.default_rng(0)\nn = 100",
            "X = rng.normal(size=(n, 4))\nweights = np.ones((3, 4))",
            "scores = X @ weights",
        ];
        assert_eq!(
            repaired_first(&cells, "ValueError", message),
            "scores = X @ weights.T"
        );
        // In a function, by what its only call passes.
        let cells = [
            "import numpy as np\nX = np.random.rand(100, 4)\nW = np.zeros((3, 4))",
            "def score(a, b):\n    return a @ b",
            "score(X[:50], W)",
        ];
        let error = crate::tests::ipython(
            "ValueError",
            &[(3, 1, "score(X[:50], W)"), (2, 2, "return a @ b")],
            message,
        );
        assert_eq!(
            cures_of(&cells, &error)[0].code,
            "def score(a, b):\n    return a @ b.T"
        );
    }

    #[test]
    fn sizes_are_followed_through_what_is_computed() {
        let set = "import torch\nx = torch.randn(8, 3, 32, 32)\ny = x.flatten(1)\nz = y.mean(dim=0).view(3, -1)[:2]";
        let names = |line: &str, message: &str| {
            let cells = [set, "w = torch.zeros(5, 1024)", line];
            let error = error_at(&cells, 1, "RuntimeError", message);
            cures_of(&cells, &error).first().map(|c| c.code.clone())
        };
        assert_eq!(
            names(
                "z @ w",
                "mat1 and mat2 shapes cannot be multiplied (2x1024 and 5x1024)"
            )
            .as_deref(),
            Some("z @ w.T")
        );
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        let message = "mat1 and mat2 shapes cannot be multiplied (2x1024 and 5x1024)";
        for set in [
            "w = load()",
            "w = torch.zeros(5, n)",
            "for i in range(3):\n    w = torch.zeros(5, 1024)",
        ] {
            let cells = ["import torch\nz = torch.zeros(2, 1024)", set, "z @ w"];
            let all = cures_of(&cells, &error_at(&cells, 1, "RuntimeError", message));
            assert!(all.iter().all(|c| c.id != "seen-transpose"), "{all:?}");
        }
    }
}
