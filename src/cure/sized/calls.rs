//! Arrays that functions and methods of NumPy and PyTorch make.

use super::sides::{index, int_signed, listed, product, reshaped, Array};
use super::Sizes;
use crate::find::{callee, int_of, name, receiver};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{keyword, positional};

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

impl<'c> Sizes<'c> {
    /// What a call gives.
    pub(super) fn call(&mut self, cell: usize, call: &'c ExprCall, depth: usize) -> Option<Array> {
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
            "randint" => {
                let size = keyword(call, "size").map(|k| &k.value);
                self.sides(cell, size.or(args.last())?, depth)?
            }
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
}
