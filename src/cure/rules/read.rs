//! Reads a rule.

use super::condition::Where;
use super::shape::Shape;
use nbmedic_facts::Basis;
use nbmedic_rule::Wording;

/// Where a rule looks for its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum In {
    /// In the failing statement.
    Line,
    /// In the cells that ran.
    Notebook,
}

/// Which of several matches to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Take {
    Only,
    First,
    Each,
    /// Each match whose metavariable has the same source as in the first.
    Alike(&'static str),
}

/// A change made by a rule. Code is a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Replaces a node, or a whole keyword argument, by code.
    Replace {
        node: &'static str,
        argument: bool,
        code: &'static str,
    },
    /// Inserts code after a node.
    After(&'static str, &'static str),
    /// Removes an argument, given its metavariable.
    Remove(&'static str),
    /// Removes an argument of the matched call, given its name.
    RemoveNamed(&'static str),
    /// Sets an argument of a call: the call's metavariable, the argument's name, its value.
    Argument(&'static str, &'static str, &'static str),
    /// Inserts a line above the statement.
    Above(&'static str),
}

/// A slot whose value depends on another's.
#[derive(Debug)]
pub(super) struct Choice {
    pub slot: &'static str,
    /// A hole, or a metavariable with its `$`.
    pub by: &'static str,
    pub values: Vec<(&'static str, &'static str)>,
}

/// An import that the code needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Import {
    /// A module's path, or the whole line.
    pub module: &'static str,
    /// The module's usual name; empty for a whole line.
    pub name: &'static str,
}

/// A rule, as written.
#[derive(Debug)]
pub(super) struct Rule {
    /// Its folder.
    pub folder: &'static str,
    /// Its file name.
    pub name: &'static str,
    /// The id of its cure.
    pub id: &'static str,
    pub says: Vec<Wording<'static>>,
    /// Families of wordings, by their numbers.
    pub families: Vec<usize>,
    pub absent: Vec<&'static str>,
    pub shapes: Vec<Shape>,
    pub place: In,
    pub take: Take,
    pub wheres: Vec<Where>,
    pub conditions: Vec<String>,
    pub versions: Vec<String>,
    pub choices: Vec<Choice>,
    pub imports: Vec<Import>,
    pub steps: Vec<Step>,
    pub basis: Basis,
    pub title: &'static str,
    pub why: Vec<&'static str>,
    pub yields: Vec<&'static str>,
}

impl Rule {
    /// Whether it changes code rather than only saying what to do.
    pub fn changes_code(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Reads a field.
    fn field(&mut self, field: &str, value: &'static str) -> Result<(), String> {
        let wrong = || format!("`{field}` can't be read: {value}");
        match field {
            "id" => self.id = value,
            "says" => self.says.push(Wording::new(value)),
            "family" => self.families.push(value.parse().map_err(|_| wrong())?),
            "absent" => self.absent.extend(value.split(" || ")),
            "code" => self.shapes.push(Shape::read(value)?),
            "in" => {
                self.place = match value {
                    "notebook" => In::Notebook,
                    _ => return Err(wrong()),
                }
            }
            "take" => {
                self.take = match (value, value.strip_prefix("each $")) {
                    ("only", _) => Take::Only,
                    ("first", _) => Take::First,
                    ("each", _) => Take::Each,
                    (_, Some(name)) => Take::Alike(name),
                    _ => return Err(wrong()),
                }
            }
            "where" => self.wheres.push(Where::read(value)?),
            "when" => {
                nbmedic_facts::expr::names(value)?;
                self.conditions.push(value.to_owned());
            }
            "version" => {
                let mut words = value.splitn(3, ' ');
                let mut next = || words.next().ok_or_else(wrong);
                let (name, sign, version) = (next()?, next()?, next()?);
                let number = release(version).ok_or_else(wrong)?;
                let condition = format!("{name} {sign} {number}");
                nbmedic_facts::expr::names(&condition)?;
                self.versions.push(condition);
            }
            "choose" => {
                let (slot, rest) = value.split_once(" = ").ok_or_else(wrong)?;
                let mut parts = rest.split(" | ");
                let by = parts.next().ok_or_else(wrong)?;
                let values = parts.map(|p| p.split_once(' '));
                let values: Option<Vec<_>> = values.collect();
                self.choices.push(Choice {
                    slot,
                    by,
                    values: values.ok_or_else(wrong)?,
                });
            }
            "import" => {
                let line = value.starts_with("from ").then_some((value, ""));
                let named = || value.split_once(" as ").unwrap_or((value, value));
                let (module, name) = line.unwrap_or_else(named);
                self.imports.push(Import { module, name });
            }
            "replace" => {
                let (node, code) = value.split_once(" ->").ok_or_else(wrong)?;
                let (name, node) = node.split_once('$').ok_or_else(wrong)?;
                self.steps.push(Step::Replace {
                    node,
                    argument: !name.is_empty(),
                    code: code.strip_prefix(' ').unwrap_or(code),
                });
            }
            "after" => {
                let (node, code) = value.split_once(" ->").ok_or_else(wrong)?;
                let node = node.strip_prefix('$').ok_or_else(wrong)?;
                let code = code.strip_prefix(' ').unwrap_or(code);
                self.steps.push(Step::After(node, code));
            }
            "remove" => self.steps.push(match value.strip_prefix('$') {
                Some(node) => Step::Remove(node),
                None => Step::RemoveNamed(value),
            }),
            "argument" => {
                let (call, argument) = value.split_once(' ').ok_or_else(wrong)?;
                let call = call.strip_prefix('$').ok_or_else(wrong)?;
                let (name, code) = argument.split_once('=').ok_or_else(wrong)?;
                self.steps.push(Step::Argument(call, name, code));
            }
            "above" => self.steps.push(Step::Above(value)),
            "basis" => self.basis = Basis::of(value).ok_or_else(wrong)?,
            "title" => self.title = value,
            "why" => self.why.push(value),
            "yields" => self.yields.extend(value.split(' ')),
            _ => return Err(format!("there is no field `{field}`")),
        }
        Ok(())
    }
}

/// A version as a number: its first part times 1,000, plus its second.
pub(super) fn release(version: &str) -> Option<u32> {
    let mut parts = version.split('.').map(str::parse::<u32>);
    let major = parts.next()?.ok()?;
    let minor = parts.next().and_then(Result::ok).unwrap_or(0);
    major.checked_mul(1000)?.checked_add(minor)
}

/// Reads a rule; an error names the file and the line.
pub(super) fn rule(at: &'static str, text: &'static str) -> Result<Rule, String> {
    let path = at.strip_suffix(".txt").unwrap_or(at);
    let (folder, name) = path.split_once('/').unwrap_or(("", path));
    let mut rule = Rule {
        folder,
        name,
        id: name,
        says: Vec::new(),
        families: Vec::new(),
        absent: Vec::new(),
        shapes: Vec::new(),
        place: In::Line,
        take: Take::Only,
        wheres: Vec::new(),
        conditions: Vec::new(),
        versions: Vec::new(),
        choices: Vec::new(),
        imports: Vec::new(),
        steps: Vec::new(),
        basis: Basis::Assumed,
        title: "",
        why: Vec::new(),
        yields: Vec::new(),
    };
    let mut lines = (1..).zip(text.lines());
    // The description.
    lines.by_ref().find(|(_, l)| l.is_empty());
    for (number, line) in lines.filter(|(_, l)| !l.is_empty()) {
        let read = line
            .split_once(": ")
            .ok_or_else(|| format!("no field: {line}"))
            .and_then(|(field, value)| rule.field(field, value));
        read.map_err(|e| format!("{at}:{number}: {e}"))?;
    }
    let missing = match &rule {
        r if r.says.is_empty() && r.families.is_empty() => "says",
        r if r.shapes.is_empty() => "code",
        r if r.title.is_empty() => "title",
        r if r.why.is_empty() => "why",
        _ => return Ok(rule),
    };
    Err(format!("{at}:1: there is no `{missing}:`"))
}

/// Sorts the rules so that each comes after those that it yields to.
pub(super) fn ordered(mut rules: Vec<Rule>) -> Vec<Rule> {
    let mut out: Vec<Rule> = Vec::new();
    while !rules.is_empty() {
        let waits = |r: &Rule| {
            let mut others = rules.iter().filter(|o| o.folder == r.folder);
            others.any(|o| r.yields.contains(&o.name))
        };
        // A cycle has no first rule; a test catches it.
        let next = rules.iter().position(|r| !waits(r)).unwrap_or(0);
        out.push(rules.remove(next));
    }
    out
}
