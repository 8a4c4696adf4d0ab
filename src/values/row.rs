//! The notation of a row: what a call, a method or an attribute gives. `README.md` describes it.

/// The functions that a term may use (`apply.rs` does what they say).
pub(crate) const FUNCTIONS: &[&str] = &[
    "abreast",
    "axis",
    "beside",
    "broadcast",
    "concat",
    "conv",
    "count",
    "deconv",
    "diagonal",
    "dtype",
    "expand",
    "first",
    "flat",
    "halved",
    "floats",
    "items",
    "join",
    "joined",
    "keys",
    "kconv",
    "last",
    "len",
    "merged",
    "minus",
    "move",
    "or",
    "part",
    "permute",
    "plus",
    "product",
    "range",
    "rank",
    "reduce",
    "renamed",
    "repeat",
    "reshape",
    "rest",
    "reverse",
    "shape",
    "sizes",
    "split",
    "squeeze",
    "stack",
    "sums",
    "swap",
    "taken",
    "tests",
    "tile",
    "torched",
    "trains",
    "whole",
    "with",
    "without",
];

/// What one call gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The whole path of a function or class, or kind and name of a method or attribute.
    pub name: &'static str,
    /// The parameters; none: an attribute.
    pub params: Option<Vec<Param>>,
    /// Arguments that are no parameters here don't matter.
    pub open: bool,
    /// What it gives.
    pub gives: Gives,
    /// When the row holds.
    pub when: Vec<When>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// What it is where nothing is passed.
    pub default: Option<Term>,
    /// It takes all positional arguments that are left.
    pub rest: bool,
    /// It takes all keyword arguments that are left: their names.
    pub words: bool,
    /// It is passed by its name only.
    pub named: bool,
}

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub enum Gives {
    /// Several results, in a tuple or a list.
    Several(&'static str, Vec<Gives>),
    /// One value.
    One(One),
}

/// One value of a result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct One {
    /// The kind, or the parameter whose value it is; of `ndarray|scalar` the second is that of a value without axes.
    pub kinds: Vec<&'static str>,
    /// The sizes by axis.
    pub dims: Option<Vec<Dim>>,
    /// The type of its elements.
    pub dtype: Option<Term>,
    /// The number that it is.
    pub constant: Option<Term>,
    /// The kind whose methods it has as well.
    pub parent: Option<&'static str>,
}

/// One size, or several: `*shape`.
#[derive(Clone, Debug, PartialEq)]
pub enum Dim {
    /// A size.
    One(Term),
    /// Sizes.
    Many(Term),
}

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub enum When {
    /// Something is passed that is neither `None` nor `False`.
    Given(&'static str),
    /// Nothing is passed, or `None` or `False`.
    Missing(&'static str),
    /// It is of one of these kinds, or has one of these values.
    Is(&'static str, Vec<&'static str>),
    /// It is a text that ends so.
    Ends(&'static str, &'static str),
    /// All its elements are of one of these kinds.
    Of(&'static str, Vec<&'static str>),
}

/// A part of a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A number.
    Int(i64),
    /// A parameter, or a word.
    Name(&'static str),
    /// An attribute of a parameter: what it was made with.
    Field(&'static str, &'static str),
    /// A function of terms.
    Call(&'static str, Vec<Term>),
    /// Not known.
    Unknown,
}

struct Reader {
    text: &'static str,
    at: usize,
}

/// Reads a row.
///
/// # Errors
///
/// Says what was expected, and the column (from 1).
pub fn read(line: &'static str) -> Result<Row, String> {
    let mut r = Reader { text: line, at: 0 };
    let name = r.path()?;
    let mut row = Row {
        name,
        params: None,
        open: false,
        gives: Gives::One(One::default()),
        when: Vec::new(),
    };
    if r.eat("(") {
        row.params = Some(r.params(&mut row.open)?);
    }
    r.expect("->")?;
    row.gives = r.gives()?;
    if r.eat("when ") {
        loop {
            row.when.push(r.when()?);
            if !r.eat(",") {
                break;
            }
        }
    }
    if r.rest().is_empty() {
        Ok(row)
    } else {
        Err(r.wrong("the end of the line"))
    }
}

impl Reader {
    fn rest(&mut self) -> &'static str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    fn wrong(&mut self, expected: &str) -> String {
        let _ = self.rest();
        format!("column {}: expected {expected}", self.at + 1)
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        match self.eat(token) {
            true => Ok(()),
            false => Err(self.wrong(&format!("`{token}`"))),
        }
    }

    fn while_(&mut self, what: &str, of: fn(char) -> bool) -> Result<&'static str, String> {
        let rest = self.rest();
        let end = rest.find(|c| !of(c)).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.wrong(what));
        }
        self.at += end;
        Ok(&rest[..end])
    }

    fn path(&mut self) -> Result<&'static str, String> {
        self.while_("a name", |c| {
            c.is_ascii_alphanumeric() || c == '_' || c == '.'
        })
    }

    fn word(&mut self) -> Result<&'static str, String> {
        self.while_("a word", |c| c.is_ascii_alphanumeric() || c == '_')
    }

    fn params(&mut self, open: &mut bool) -> Result<Vec<Param>, String> {
        let mut out: Vec<Param> = Vec::new();
        let (mut first, mut named) = (true, false);
        while !self.eat(")") {
            if !std::mem::take(&mut first) {
                self.expect(",")?;
            }
            if self.eat("...") {
                *open = true;
                continue;
            }
            let words = self.eat("**");
            let rest = !words && self.eat("*");
            if rest && self.rest().starts_with(',') {
                named = true;
                continue;
            }
            let name = self.word()?;
            let default = if self.eat("=") {
                Some(self.term()?)
            } else {
                None
            };
            out.push(Param {
                name,
                default,
                rest,
                words,
                named,
            });
        }
        Ok(out)
    }

    fn gives(&mut self) -> Result<Gives, String> {
        for (open, close, kind) in [("(", ")", "tuple"), ("[", "]", "list")] {
            if !self.eat(open) {
                continue;
            }
            let mut out = Vec::new();
            loop {
                out.push(self.gives()?);
                if !self.eat(",") {
                    self.expect(close)?;
                    return Ok(Gives::Several(kind, out));
                }
            }
        }
        let mut one = One::default();
        loop {
            let unknown = self.eat("?");
            one.kinds.push(if unknown { "?" } else { self.word()? });
            if !self.eat("|") {
                break;
            }
        }
        if self.eat("[") {
            let mut dims = Vec::new();
            while !self.eat("]") {
                if !dims.is_empty() {
                    self.expect(",")?;
                }
                let many = self.eat("*");
                let term = self.term()?;
                dims.push(if many {
                    Dim::Many(term)
                } else {
                    Dim::One(term)
                });
            }
            one.dims = Some(dims);
        }
        if self.eat(":") {
            one.dtype = Some(self.term()?);
        }
        if self.eat("=") {
            one.constant = Some(self.term()?);
        }
        if self.eat("<") {
            one.parent = Some(self.word()?);
        }
        Ok(Gives::One(one))
    }

    fn when(&mut self) -> Result<When, String> {
        if self.eat("!") {
            return Ok(When::Missing(self.word()?));
        }
        let name = self.word()?;
        if self.eat("ends ") {
            return Ok(When::Ends(name, self.path()?));
        }
        let is = self.eat("is ");
        if !is && !self.eat("of ") {
            return Ok(When::Given(name));
        }
        let mut kinds = vec![self.word()?];
        while self.eat("|") {
            kinds.push(self.word()?);
        }
        Ok(match is {
            true => When::Is(name, kinds),
            false => When::Of(name, kinds),
        })
    }

    fn term(&mut self) -> Result<Term, String> {
        if self.eat("?") {
            return Ok(Term::Unknown);
        }
        let minus = self.eat("-");
        if minus || self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            let digits = self.while_("a number", |c| c.is_ascii_digit())?;
            let n: i64 = digits.parse().map_err(|_| self.wrong("a smaller number"))?;
            return Ok(Term::Int(if minus { -n } else { n }));
        }
        let name = self.word()?;
        if self.eat(".") {
            return Ok(Term::Field(name, self.word()?));
        }
        if !self.eat("(") {
            return Ok(Term::Name(name));
        }
        let mut args = Vec::new();
        while !self.eat(")") {
            if !args.is_empty() {
                self.expect(",")?;
            }
            args.push(self.term()?);
        }
        Ok(Term::Call(name, args))
    }
}
