//! Predicates over facts, as written in a rule.
//!
//! ```text
//! expr    = and ("or" and)*
//! and     = not ("and" not)*
//! not     = "not" not | cmp
//! cmp     = sum (("<" | "<=" | ">" | ">=" | "==" | "!=") sum)?
//! sum     = product (("+" | "-") product)*
//! product = atom (("*" | "/") atom)*
//! atom    = number | 'text' | name | "has(" name ")" | "(" expr ")"
//! ```
//!
//! A number may carry a unit (`512MiB`). An expression that needs a missing fact is unknown, and
//! unknown counts as false at the top level; `has(x)` is never unknown.

/// The value of an expression or of a fact in one.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    /// A number; sizes are in bytes.
    Num(f64),
    /// Text.
    Text(String),
    /// True or false.
    Bool(bool),
    /// A fact is missing.
    Unknown,
}

/// Maximum nesting depth.
const MAX_DEPTH: u32 = 32;

struct Parser<'a, F: Fn(&str) -> Val> {
    rest: &'a str,
    depth: u32,
    lookup: F,
    names: Vec<String>,
}

/// Whether the predicate holds; `lookup` returns the facts.
///
/// # Errors
/// A message that quotes the place where the expression becomes invalid.
pub fn holds(expr: &str, lookup: impl Fn(&str) -> Val) -> Result<bool, String> {
    Ok(eval(expr, lookup)? == Val::Bool(true))
}

/// The value of an expression.
///
/// # Errors
/// See [`holds`].
pub fn eval(expr: &str, lookup: impl Fn(&str) -> Val) -> Result<Val, String> {
    let mut p = Parser {
        rest: expr,
        depth: 0,
        lookup,
        names: Vec::new(),
    };
    let v = p.or()?;
    p.space();
    if p.rest.is_empty() {
        Ok(v)
    } else {
        Err(format!("unexpected `{}` in `{expr}`", p.rest))
    }
}

/// The facts that an expression names.
///
/// # Errors
/// See [`holds`].
pub fn names(expr: &str) -> Result<Vec<String>, String> {
    let mut p = Parser {
        rest: expr,
        depth: 0,
        lookup: |_: &str| Val::Unknown,
        names: Vec::new(),
    };
    p.or()?;
    p.space();
    if p.rest.is_empty() {
        Ok(p.names)
    } else {
        Err(format!("unexpected `{}` in `{expr}`", p.rest))
    }
}

impl<F: Fn(&str) -> Val> Parser<'_, F> {
    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn symbol(&mut self, s: &str) -> bool {
        self.space();
        if let Some(rest) = self.rest.strip_prefix(s) {
            self.rest = rest;
            return true;
        }
        false
    }

    fn word(&mut self, w: &str) -> bool {
        self.space();
        match self.rest.strip_prefix(w) {
            Some(rest) if !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn or(&mut self) -> Result<Val, String> {
        let mut v = self.and()?;
        while self.word("or") {
            let w = self.and()?;
            v = match (&v, &w) {
                (Val::Bool(true), _) | (_, Val::Bool(true)) => Val::Bool(true),
                (Val::Bool(false), Val::Bool(false)) => Val::Bool(false),
                _ => Val::Unknown,
            };
        }
        Ok(v)
    }

    fn and(&mut self) -> Result<Val, String> {
        let mut v = self.not()?;
        while self.word("and") {
            let w = self.not()?;
            v = match (&v, &w) {
                (Val::Bool(false), _) | (_, Val::Bool(false)) => Val::Bool(false),
                (Val::Bool(true), Val::Bool(true)) => Val::Bool(true),
                _ => Val::Unknown,
            };
        }
        Ok(v)
    }

    fn not(&mut self) -> Result<Val, String> {
        let mut negate = false;
        while self.word("not") {
            negate = !negate;
        }
        let v = self.cmp()?;
        Ok(match v {
            Val::Bool(b) if negate => Val::Bool(!b),
            v if negate && v != Val::Unknown => return Err("`not` before a value".into()),
            v => v,
        })
    }

    fn cmp(&mut self) -> Result<Val, String> {
        let left = self.sum()?;
        let op = ["<=", ">=", "==", "!=", "<", ">"]
            .into_iter()
            .find(|op| self.symbol(op));
        let Some(op) = op else { return Ok(left) };
        let right = self.sum()?;
        Ok(match (&left, &right) {
            (Val::Num(a), Val::Num(b)) => Val::Bool(match op {
                "<" => a < b,
                "<=" => a <= b,
                ">" => a > b,
                ">=" => a >= b,
                "==" => a == b,
                _ => a != b,
            }),
            (Val::Text(a), Val::Text(b)) if op == "==" => Val::Bool(a == b),
            (Val::Text(a), Val::Text(b)) if op == "!=" => Val::Bool(a != b),
            _ => Val::Unknown,
        })
    }

    fn sum(&mut self) -> Result<Val, String> {
        let mut v = self.product()?;
        loop {
            let plus = if self.symbol("+") {
                true
            } else if self.symbol("-") {
                false
            } else {
                return Ok(v);
            };
            let w = self.product()?;
            v = arithmetic(&v, &w, |a, b| if plus { a + b } else { a - b });
        }
    }

    fn product(&mut self) -> Result<Val, String> {
        let mut v = self.atom()?;
        loop {
            let times = if self.symbol("*") {
                true
            } else if self.symbol("/") {
                false
            } else {
                return Ok(v);
            };
            let w = self.atom()?;
            v = arithmetic(&v, &w, |a, b| if times { a * b } else { a / b });
        }
    }

    fn atom(&mut self) -> Result<Val, String> {
        self.space();
        if self.symbol("(") {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err("nested too deeply".into());
            }
            let v = self.or()?;
            self.depth -= 1;
            return if self.symbol(")") {
                Ok(v)
            } else {
                Err("`)` missing".into())
            };
        }
        if self.symbol("'") {
            let end = self.rest.find('\'').ok_or("closing `'` missing")?;
            let text = self.rest[..end].to_owned();
            self.rest = &self.rest[end + 1..];
            return Ok(Val::Text(text));
        }
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'))
            .unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        if word.is_empty() {
            return Err(format!("value expected at `{}`", self.rest));
        }
        self.rest = &self.rest[end..];
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return number(word)
                .map(Val::Num)
                .ok_or(format!("`{word}` is not a number"));
        }
        if word == "has" {
            if !self.symbol("(") {
                return Err("`(` missing after has".into());
            }
            let end = self.rest.find(')').ok_or("`)` missing after has")?;
            let name = self.rest[..end].trim().to_owned();
            self.rest = &self.rest[end + 1..];
            let known = (self.lookup)(&name) != Val::Unknown;
            self.names.push(name);
            return Ok(Val::Bool(known));
        }
        self.names.push(word.to_owned());
        Ok((self.lookup)(word))
    }
}

fn arithmetic(a: &Val, b: &Val, f: impl Fn(f64, f64) -> f64) -> Val {
    match (a, b) {
        (Val::Num(a), Val::Num(b)) => Val::Num(f(*a, *b)),
        _ => Val::Unknown,
    }
}

fn number(word: &str) -> Option<f64> {
    let digits = word
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(word.len());
    let factor = match &word[digits..] {
        "" => 1.0,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    crate::number::decimal(&word[..digits]).map(|n| n * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(name: &str) -> Val {
        match name {
            "a" => Val::Num(3.0),
            "b" => Val::Num(1024.0),
            "word" => Val::Text("cpu".into()),
            _ => Val::Unknown,
        }
    }

    #[test]
    fn reads_comparisons_arithmetic_and_logic() {
        for (expr, expected) in [
            ("a > 2", true),
            ("a > 2 and b == 1KiB", true),
            ("a * 2 + 1 == 7", true),
            ("b / 2 - 512 == 0", true),
            ("a > 5 or word == 'cpu'", true),
            ("not (a > 5) and word != 'gpu'", true),
            ("has(a) and not has(missing)", true),
            ("missing > 1", false),
            ("missing > 1 or a == 3", true),
            ("not missing > 1", false),
            ("(a < 1 or b > 1)", true),
        ] {
            assert_eq!(holds(expr, facts), Ok(expected), "{expr}");
        }
    }

    #[test]
    fn refuses_nonsense() {
        for expr in ["", "a >", "a > 2 )", "3XiB", "has a", "'open", "a b"] {
            assert!(holds(expr, facts).is_err(), "{expr}");
        }
        assert!(holds(&"(".repeat(100_000), facts).is_err());
    }

    #[test]
    fn lists_the_facts_it_names() {
        assert_eq!(
            names("has(x) and y > z * 2"),
            Ok(vec!["x".into(), "y".into(), "z".into()])
        );
    }
}
