//! Failures in code that isn't the user's: an installed package while it was imported, or a call in a repository's
//! file that doesn't fit the installed version.

use super::install;
use crate::case::Case;
use crate::find::package_of;
use crate::told::why;
use nbmedic_catalog::{renamed_names, NameKind, Renamed};
use nbmedic_facts::{Basis, Cure, FixKind, WHILE_IMPORTED};
use nbmedic_libraries::distribution;
use nbmedic_traceback::{Exception, Frame, Origin};
use nbmedic_wordings::python;

/// A package that can't be imported.
pub(crate) fn packages(case: &Case<'_>, out: &mut Vec<Cure>) {
    out.extend(while_imported(case));
}

/// A call in a file: after the techniques for library arguments.
pub(crate) fn calls(case: &Case<'_>, out: &mut Vec<Cure>) {
    out.extend(unknown_argument(case));
}

/// The last two parts of a frame's file.
fn file(frame: &Frame) -> String {
    let mut parts = frame.file.rsplit(['/', '\\']).filter(|p| !p.is_empty());
    match (parts.next(), parts.next()) {
        (Some(name), Some(folder)) => format!("{folder}/{name}"),
        (name, _) => name.unwrap_or_default().to_owned(),
    }
}

/// The module that a line imports.
fn imported(line: &str) -> Option<&str> {
    let rest = line
        .strip_prefix("import ")
        .or_else(|| line.strip_prefix("from "))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    let name = &rest[..end.unwrap_or(rest.len())];
    (!name.is_empty()).then_some(name)
}

/// A package that fails in its own code when the user merely imports it.
fn while_imported(case: &Case<'_>) -> Option<Cure> {
    const OF_CODE: &[&str] = &[
        "AssertionError",
        "AttributeError",
        "IndexError",
        "KeyError",
        "NameError",
        "TypeError",
        "UnboundLocalError",
        "ValueError",
    ];
    if !OF_CODE.contains(&case.class()) {
        return None;
    }
    let frames = &case.error().frames;
    let inner = package_of(&frames.last().filter(|f| f.origin == Origin::Library)?.file)?;
    let own = frames.iter().rfind(|f| f.origin != Origin::Library)?;
    let asked = imported(own.code.as_deref()?.trim())?;
    let last = frames.last()?;
    let at = last.line.map_or(String::new(), |n| format!(", line {n}"));
    let names = match asked == inner {
        true => vec![asked],
        false => vec![asked, inner],
    };
    // A package is installed by its known distribution name.
    let known: Vec<&str> = names
        .iter()
        .filter_map(|n| distribution(n).map(|(d, _)| d))
        .collect();
    let (code, language) = match known.len() == names.len() {
        true => install::command(case, &format!("--upgrade {}", known.join(" "))),
        false => (String::new(), ""),
    };
    Some(Cure {
        id: WHILE_IMPORTED.into(),
        kind: match code.is_empty() {
            true => FixKind::Look,
            false => FixKind::Install,
        },
        basis: Basis::Assumed,
        title: match asked == inner {
            true => format!("Upgrade `{asked}`: it fails in its own code while it is imported"),
            false => format!("Upgrade `{asked}` and `{inner}` together: `{asked}` can't be imported"),
        },
        why: format!(
            "Your line only imports. What failed is in the installed package (`{}`{at}): it does not fit what it builds on. Restart Python afterwards. If the newest release fails too, install the one before it.",
            file(last)
        ),
        code,
        language: language.into(),
        ..Cure::default()
    })
}

/// The function and the argument that it rejects.
fn refused(message: &str) -> Option<(&str, &str)> {
    let [argument] = python::UNEXPECTED_ARGUMENT.read(message)?;
    let (function, _) = message.split_once("() got ")?;
    let function = function.rsplit([' ', ':']).next()?;
    let function = function
        .strip_suffix(".__init__")
        .or_else(|| function.strip_suffix(".__new__"))
        .unwrap_or(function);
    Some((function.rsplit('.').next()?, argument))
}

/// Whether a line passes a keyword argument.
fn gives(line: &str, argument: &str) -> bool {
    line.match_indices(argument).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + argument.len()..].trim_start();
        before.is_some_and(|c| matches!(c, '(' | ',' | ' '))
            && after.starts_with('=')
            && !after.starts_with("==")
    })
}

/// The function that a line calls last, if the call continues below: `settings = Settings(`.
fn opens(line: &str) -> Option<&str> {
    let before = line.trim_end().strip_suffix('(')?;
    let start = before
        .char_indices()
        .rev()
        .find(|(_, c)| !c.is_alphanumeric() && *c != '_')
        .map_or(0, |(at, c)| at + c.len_utf8());
    (start < before.len()).then(|| &before[start..])
}

/// The new name of an argument, if exactly one table has the old one: for this function, or as a
/// name that isn't an everyday word.
fn renamed(function: &str, argument: &str) -> Option<&'static Renamed> {
    let is_it = |r: &&Renamed| {
        r.kind == NameKind::Argument
            && r.old == argument
            && !r.new.is_empty()
            && r.new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let of_it = |r: &Renamed| match r.of {
        "" => argument.contains('_'),
        of => of.split(' ').any(|name| name == function),
    };
    let mut all = renamed_names().iter().filter(is_it);
    let first = all.next().filter(|r| of_it(r))?;
    all.all(|r| r.new == first.new).then_some(first)
}

/// An argument that a call in a file passes and the function doesn't take.
fn unknown_argument(case: &Case<'_>) -> Option<Cure> {
    let error: &Exception = case.error();
    let (function, argument) = refused(case.message())?;
    // The user's cells have their own techniques.
    let files = || {
        let frames = error.frames.iter().rev();
        frames.filter(|f| f.origin == Origin::User)
    };
    let named = !matches!(function, "__init__" | "__new__");
    let code = |f: &Frame| f.code.clone().unwrap_or_default();
    let at = files()
        .find(|f| gives(&code(f), argument))
        .or_else(|| files().find(|f| named && opens(&code(f)) == Some(function)))
        .or_else(|| {
            // `__init__` doesn't name the class, so only the innermost line can be its call.
            let last = error.frames.last()?;
            (!named && last.origin == Origin::User && opens(&code(last)).is_some()).then_some(last)
        })?;
    let line = at.line?;
    let code = code(at);
    let callee = match named {
        true => function,
        false => opens(&code).unwrap_or("the class"),
    };
    let callee = match callee {
        "the class" => callee.to_owned(),
        name => format!("`{name}`"),
    };
    if let Some(r) = renamed(callee.trim_matches('`'), argument) {
        return Some(Cure {
            id: "argument-renamed".into(),
            kind: FixKind::Look,
            basis: Basis::Assumed,
            title: format!(
                "Write `{}=` for `{argument}=` in `{}`, line {line}",
                r.new,
                file(at)
            ),
            why: why(r, argument),
            ..Cure::default()
        });
    }
    Some(Cure {
        id: "argument-not-taken".into(),
        kind: FixKind::Look,
        basis: Basis::Assumed,
        title: format!(
            "Leave out `{argument}=` in `{}`, line {line}: {callee} does not take it",
            file(at)
        ),
        why: "If that file is somebody else's, it was written for another version of what it calls: its requirements say for which.".into(),
        ..Cure::default()
    })
}

#[cfg(test)]
mod tests {
    use crate::{cure, Book};
    use nbmedic_facts::Diagnosis;

    fn first(text: &str) -> (String, String) {
        let mut found = vec![Diagnosis::default()];
        cure(&Book::new(Vec::new()), 0, text, &mut found);
        let cures = found.remove(0).cures;
        cures
            .first()
            .map(|c| (c.title.clone(), c.code.clone()))
            .unwrap_or_default()
    }

    #[test]
    fn what_fails_while_it_is_imported_is_not_the_persons() {
        let text = |inner: &str, error: &str| {
            format!("Traceback (most recent call last):\n  File \"/home/me/train.py\", line 3, in <module>\n    from timm import create_model\n  File \"/opt/x/lib/python3.11/site-packages/{inner}/models/parts.py\", line 854, in patch\n    last = rows[-2]\n{error}\n")
        };
        for (inner, error, title, code) in [
            (
                "timm",
                "IndexError: list index out of range",
                "Upgrade `timm`: it fails in its own code while it is imported",
                "pip install --upgrade timm",
            ),
            (
                "torchvision",
                "KeyError: 'relu'",
                "Upgrade `timm` and `torchvision` together: `timm` can't be imported",
                "pip install --upgrade timm torchvision",
            ),
            (
                "made_up_layers",
                "TypeError: 'NoneType' object is not subscriptable",
                "Upgrade `timm` and `made_up_layers` together: `timm` can't be imported",
                "",
            ),
        ] {
            assert_eq!(first(&text(inner, error)), (title.into(), code.into()));
        }
        // It was called, not imported: its arguments may be wrong.
        let called = text("timm", "IndexError: list index out of range")
            .replace("from timm import create_model", "net = create_model(rows)");
        assert!(!first(&called).0.starts_with("Upgrade"), "{called}");
    }

    #[test]
    fn an_argument_that_is_not_taken_is_shown_where_it_is_given() {
        let text = |code: &str, function: &str| {
            format!("Traceback (most recent call last):\n  File \"/srv/paint/main.py\", line 41, in <module>\n    paint(scene)\n  File \"/srv/paint/render/view.py\", line 189, in paint\n    {code}\nTypeError: {function}() got an unexpected keyword argument 'blur'\n")
        };
        for (code, function, title) in [
            (
                "frame = Lens.draw(scene, blur=2)",
                "draw",
                "Leave out `blur=` in `render/view.py`, line 189: `draw` does not take it",
            ),
            (
                "lens = Lens(",
                "__new__",
                "Leave out `blur=` in `render/view.py`, line 189: `Lens` does not take it",
            ),
            (
                "lens = Lens(",
                "Lens.__init__",
                "Leave out `blur=` in `render/view.py`, line 189: `Lens` does not take it",
            ),
        ] {
            assert_eq!(first(&text(code, function)).0, title);
        }
        // Nothing shows which code passes it.
        let hidden = first(&text("return self.make(self, **given)", "__init__"));
        assert!(!hidden.0.starts_with("Leave out"), "{hidden:?}");
    }
}
