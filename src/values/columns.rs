//! The columns of tables that are made of several.

use crate::bind::Bound;
use crate::eval::Model;
use crate::parts::texts;
use crate::row::Term;

impl<'c> Model<'_, 'c> {
    /// The columns that arguments name, one behind the other (`keys`); those of a table with others, which may take the place
    /// of its own (`with`); those of two tables side by side (`beside`); those of two tables that are merged by keys (`merged`).
    pub(crate) fn columns(
        &self,
        f: &str,
        args: &[Term],
        bound: &Bound<'c>,
        depth: usize,
    ) -> Option<Vec<String>> {
        if f == "merged" {
            return self.merged(args, bound, depth);
        }
        let mut out: Vec<String> = Vec::new();
        for arg in args {
            for name in texts(self, &self.term(arg, bound, depth), depth)? {
                // What stands for several, and a name that gets another one where both tables have it.
                let several = name == "*" || name.starts_with('^') && name.ends_with('$');
                let twice = out.contains(&name);
                if several || twice && f == "beside" {
                    return None;
                }
                if !twice || f == "keys" {
                    out.push(name);
                }
            }
        }
        Some(out)
    }

    /// The columns of two tables that are merged by the columns that a third argument names, or by those that a third and a
    /// fourth one name on each side, or else by all that both have: pandas tells others that both have apart by `_x` and `_y`.
    fn merged(&self, args: &[Term], bound: &Bound<'c>, depth: usize) -> Option<Vec<String>> {
        let of = |at: usize| texts(self, &self.term(args.get(at)?, bound, depth), depth);
        let (left, right) = (of(0)?, of(1)?);
        let pattern = |n: &String| n == "*" || n.starts_with('^') && n.ends_with('$');
        let shared = |n: &&String| left.contains(n) && right.contains(n);
        let keys: Vec<String> = match args.len() {
            2 => left.iter().filter(shared).cloned().collect(),
            3 => of(2)?,
            _ => {
                let pairs = of(2)?.into_iter().zip(of(3)?);
                pairs.filter(|(l, r)| l == r).map(|(l, _)| l).collect()
            }
        };
        let side = |own: &[String], tail: &str| -> Vec<String> {
            let told = |n: &String| match shared(&n) && !keys.contains(n) {
                true => format!("{n}{tail}"),
                false => n.clone(),
            };
            own.iter().map(told).collect()
        };
        let mut out = side(&left, "_x");
        out.extend(side(&right, "_y").into_iter().filter(|n| !keys.contains(n)));
        let twice = (1..out.len()).any(|i| out[..i].contains(&out[i]));
        (!twice && !out.iter().any(pattern)).then_some(out)
    }
}
