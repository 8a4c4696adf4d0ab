//! Parameters as a table writes them: `a,b=,*,c=,**rest`.

/// How a parameter takes its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// By position only.
    Positional,
    /// By position or by name.
    Either,
    /// By name only.
    Keyword,
    /// `*args`: any further positional arguments.
    Rest,
    /// `**kwargs`: any further named arguments.
    Named,
}

/// One parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param<'t> {
    /// Its name, without stars.
    pub name: &'t str,
    /// How it takes its argument.
    pub kind: ParamKind,
    /// Whether the argument can be left out.
    pub has_default: bool,
}

impl Param<'_> {
    /// Whether an argument can be given to it by position.
    pub fn by_position(&self) -> bool {
        matches!(self.kind, ParamKind::Positional | ParamKind::Either)
    }

    /// Whether an argument can be given to it by its name.
    pub fn by_name(&self) -> bool {
        matches!(self.kind, ParamKind::Either | ParamKind::Keyword)
    }
}

/// Further parameters are left out.
const MOST: usize = 500;

/// Reads a list of parameters, in order.
pub(crate) fn read(text: &str) -> Vec<Param<'_>> {
    let mut out: Vec<Param<'_>> = Vec::new();
    let mut kind = ParamKind::Either;
    for token in text.split(',').filter(|t| !t.is_empty()).take(MOST) {
        match token {
            "/" => {
                for before in &mut out {
                    before.kind = ParamKind::Positional;
                }
            }
            "*" => kind = ParamKind::Keyword,
            _ => {
                let name = token.trim_start_matches('*');
                let bare = name.strip_suffix('=').unwrap_or(name);
                let own = match token.len() - name.len() {
                    0 => kind,
                    1 => ParamKind::Rest,
                    _ => ParamKind::Named,
                };
                if own == ParamKind::Rest {
                    kind = ParamKind::Keyword;
                }
                let many = matches!(own, ParamKind::Rest | ParamKind::Named);
                out.push(Param {
                    name: bare,
                    kind: own,
                    has_default: many || bare.len() < name.len(),
                });
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_and_defaults_are_read() {
        let kinds = |text| -> Vec<(&str, ParamKind, bool)> {
            read(text)
                .iter()
                .map(|p| (p.name, p.kind, p.has_default))
                .collect()
        };
        use ParamKind::*;
        assert_eq!(
            kinds("x,/,out=,*,where=,dtype"),
            [
                ("x", Positional, false),
                ("out", Either, true),
                ("where", Keyword, true),
                ("dtype", Keyword, false)
            ]
        );
        assert_eq!(
            kinds("a,*args,b=,**kw"),
            [
                ("a", Either, false),
                ("args", Rest, true),
                ("b", Keyword, true),
                ("kw", Named, true)
            ]
        );
        assert_eq!(kinds(""), []);
    }
}
