//! The columns of tables that are made of several.

use crate::bind::Bound;
use crate::eval::Model;
use crate::parts::texts;
use crate::row::Term;

impl<'c> Model<'_, 'c> {
    /// The columns that arguments name, one behind the other (`keys`); those of a table with others, which may take the place
    /// of its own (`with`); those of two tables side by side (`beside`).
    pub(crate) fn columns(
        &self,
        f: &str,
        args: &[Term],
        bound: &Bound<'c>,
        depth: usize,
    ) -> Option<Vec<String>> {
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
}
