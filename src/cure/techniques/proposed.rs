//! Suggestions in the message itself: a command to install, a setting, a name, the valid values.

use super::install;
use crate::case::Case;
use crate::closest::near;
use nbmedic_facts::{Basis, Cure, FixKind};
use nbmedic_wordings::sklearn;
use regex::Regex;
use std::sync::LazyLock;

/// Maximum length of the examined message, in bytes.
const MAX_MESSAGE: usize = 4000;
/// Maximum number of values listed.
const MAX_VALUES: usize = 8;

/// Words that follow "install" in prose but aren't packages.
const STOP: &[&str] = &[
    "the", "a", "an", "it", "this", "that", "them", "package", "packages", "module", "command",
    "with", "and", "or", "to", "using", "via", "from", "for", "in", "is", "of", "your",
];

static INSTALL: LazyLock<Regex> = LazyLock::new(|| {
    let words = r#"(?P<args>(?: +(?:-U|--upgrade|-q|--pre|["']?[A-Za-z][\w.-]*(?:\[[\w,.-]+\])?(?:[=<>~!]=?[\w.*]+(?:,[=<>~!]=?[\w.*]+)*)?["']?)){1,6})"#;
    regex(&format!(
        r"\b(?P<tool>pip3?|conda) install(?: -c conda-forge)?{words}"
    ))
});
static SETTING: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?:[Ss]et(?:ting)?|export|[Tt]ry|with|[Uu]se)(?: the)?(?: environment variable)? [`'\x22]?(?P<name>[A-Z][A-Z0-9]*_[A-Z0-9_]+)\s?=\s?(?P<value>[\w.:/,-]*\w)",
    )
});
static MEANT: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?:[Dd]id you mean|[Pp]erhaps you meant|[Mm]aybe you meant)(?: one of)?:? ?[`'"](?P<name>[^`'"\n]{1,80})[`'"]"#,
    )
});
static INSTEAD: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r#"(?:^|[.;,:] )[Pp]lease use (?P<name>[`'"]?[A-Za-z_][\w.]{2,60}(?:\(\))?[`'"]?) instead\b"#,
    )
});
static ALLOWED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?:(?:must be|should be|expected|choose|pick|select) (?:one of|among|one among|a str among|any of)(?: the(?: \w+){1,3})?|(?:not found|not valid|[Ii]nvalid|[Uu]nknown)[^\n]{0,60}[.,;] (?:[Aa]vailable|[Vv]alid|[Aa]llowed|[Ss]upported|[Kk]nown|[Cc]hoices)(?: \w+)?:|(?:[Vv]alid|[Aa]llowed|[Ss]upported|[Aa]vailable|[Aa]ccepted) (?:\w+ ){0,3}(?:are|is):?|(?:[Vv]alid|[Aa]llowed|[Ss]upported|[Aa]vailable) (?:values|options|choices|names|modes)):?\s{0,3}[\[({](?P<list>[^\])}\n]{3,400})[\])}]",
    )
});

fn regex(pattern: &str) -> Regex {
    // The patterns are constants, and the tests use each of them.
    Regex::new(pattern).unwrap_or_else(|_| unreachable!("the pattern is valid"))
}

/// The examined part of the message.
fn head<'c>(case: &'c Case<'_>) -> &'c str {
    let message = case.message();
    let mut end = message.len().min(MAX_MESSAGE);
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    &message[..end]
}

/// A package that the message suggests installing.
pub(crate) fn install(case: &Case<'_>, out: &mut Vec<Cure>) {
    out.extend(to_install(case, head(case)));
}

/// A setting that the message suggests.
pub(crate) fn set(case: &Case<'_>, out: &mut Vec<Cure>) {
    out.extend(to_set(head(case)));
}

/// What the message suggests to use, to write or to choose from.
pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = head(case);
    let said = to_use(message).or_else(|| to_write(case, message));
    out.extend(said.or_else(|| to_choose(message)));
}

fn look(id: &'static str, title: String, why: String) -> Cure {
    Cure {
        id: id.into(),
        kind: FixKind::Look,
        basis: Basis::Assumed,
        title,
        why,
        ..Cure::default()
    }
}

/// `pip install …` in the message.
fn to_install(case: &Case<'_>, message: &str) -> Option<Cure> {
    let found = INSTALL.captures(message)?;
    let args = found.name("args")?.as_str();
    let mut kept: Vec<&str> = Vec::new();
    for word in args.split_whitespace() {
        let plain = word.trim_matches(['"', '\'', '.', ',']);
        // Prose continues after the command.
        if STOP.contains(&plain.to_lowercase().as_str()) {
            break;
        }
        kept.push(plain);
        if word.ends_with(['"', '\'', '.']) && !word.starts_with(['"', '\'']) {
            break;
        }
    }
    let packages: Vec<&str> = kept
        .iter()
        .copied()
        .filter(|w| !w.starts_with('-'))
        .collect();
    let first = packages.first()?;
    let (start, language) = match (&found["tool"], install::in_notebook(case)) {
        ("conda", true) => ("%conda install -y", "python"),
        ("conda", false) => ("conda install -y", "bash"),
        (_, true) => ("%pip install", "python"),
        (_, false) => ("pip install", "bash"),
    };
    let quoted = kept
        .iter()
        .map(|w| match w.contains(['<', '>', '[', '!', '~']) {
            true => format!(" \"{w}\""),
            false => format!(" {w}"),
        });
    let code = quoted.fold(start.to_owned(), |all, w| all + &w);
    Some(Cure {
        id: "install-as-said".into(),
        kind: FixKind::Install,
        basis: Basis::Assumed,
        title: format!("Install `{first}`, as the message says"),
        why: "The message names this command. Restart the kernel afterwards if an older copy was imported.".to_owned(),
        code,
        language: language.into(),
        ..Cure::default()
    })
}

/// `NAME=value` that the message says to set, unless it depends on something or is unsafe.
fn to_set(message: &str) -> Option<Cure> {
    let found = SETTING.captures(message)?;
    let at = found.get(0)?.start();
    let sentence = message[..at]
        .rsplit(['.', '\n'])
        .next()
        .unwrap_or("")
        .trim_start();
    if sentence.starts_with("If ") || sentence.contains("unsafe") || sentence.contains("debugging")
    {
        return None;
    }
    let (name, value) = (&found["name"], &found["value"]);
    let after = &message[found.get(0)?.end()..];
    let sentence = after.split(". ").next().unwrap_or("");
    // More verbose output repairs nothing, and a setting that the message calls risky isn't a first
    // remedy.
    const LOUDER: &[&str] = &["DEBUG", "VERBOSE", "TRACEBACK", "FULL_ERROR", "LOG", "DUMP"];
    let says_more = LOUDER.iter().any(|w| name.contains(w)) || after.starts_with(" for details");
    if says_more || sentence.contains("may cause") || sentence.contains("at your own risk") {
        return None;
    }
    Some(Cure {
        id: "set-as-said".into(),
        kind: FixKind::Setting,
        basis: Basis::Guessed,
        title: format!("Set `{name}={value}`, as the message says"),
        why: "Libraries read it when they are imported: restart, and run this in the first cell."
            .to_owned(),
        code: format!("import os\nos.environ[\"{name}\"] = \"{value}\""),
        language: "python".into(),
        ..Cure::default()
    })
}

/// "Please use x instead": the library's own advice.
fn to_use(message: &str) -> Option<Cure> {
    let name = INSTEAD.captures(message)?.name("name")?.as_str();
    let name = name.trim_matches(['`', '\'', '"']);
    Some(look(
        "use-as-said",
        format!("Use `{name}` instead, as the message says"),
        "The library that refused it names what it takes.".to_owned(),
    ))
}

/// "Did you mean: 'x'?": for a typo on the user's line. The closest name isn't the successor of a
/// removed one, and a line in a package isn't for the user to edit.
fn to_write(case: &Case<'_>, message: &str) -> Option<Cure> {
    let names = ["AttributeError", "NameError", "ImportError"];
    if case.in_library() && names.contains(&case.class()) {
        return None;
    }
    // The library's own advice takes precedence over Python's guess.
    if message.contains("` instead") {
        return None;
    }
    let found = MEANT.captures(message)?.name("name")?;
    let name = found.as_str().trim();
    let word = |c: char| !(c.is_alphanumeric() || "_-.".contains(c));
    let mut said = message[..found.start()].split(word);
    let slip = said.any(|w| near(w, name).is_some_and(|d| d <= 2));
    let plain = slip && !name.is_empty() && !name.contains(['{', '}', '`']);
    plain.then(|| {
        look(
            "write-as-said",
            format!("Write `{name}`"),
            "The message proposes it: it is the nearest name that exists. Check that it does what you mean.".to_owned(),
        )
    })
}

/// "must be one of {'a', 'b'}"
fn to_choose(message: &str) -> Option<Cure> {
    // The parameters of an estimator don't replace those of its steps.
    if sklearn::INVALID_PARAMETER.begins(message) {
        return None;
    }
    let list = ALLOWED.captures(message)?.name("list")?.as_str();
    let values: Vec<&str> = list
        .split(',')
        .map(str::trim)
        .filter(|v| !v.is_empty())
        .collect();
    let plain = |v: &&str| v.len() <= 60 && !v.contains(['`', '=', '<']);
    if !values.iter().all(plain) {
        return None;
    }
    if let [one] = values[..] {
        return Some(look(
            "choose-as-said",
            format!("Take `{one}`"),
            "The message lists no other.".to_owned(),
        ));
    }
    let shown: Vec<String> = values
        .iter()
        .take(MAX_VALUES)
        .map(|v| format!("`{v}`"))
        .collect();
    let more = values.len().saturating_sub(MAX_VALUES);
    let rest = match more {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    Some(look(
        "choose-as-said",
        "Take one of the values that the message lists".to_owned(),
        format!("Allowed are {}{rest}.", shown.join(", ")),
    ))
}

#[cfg(test)]
mod tests {
    use crate::{cure, Book};
    use nbmedic_facts::{Cure, Diagnosis};

    fn of(message: &str) -> Vec<Cure> {
        let text = format!("Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    f()\n{message}\n");
        let mut found = vec![Diagnosis::default()];
        cure(&Book::new(Vec::new()), 0, &text, &mut found);
        found.remove(0).cures
    }

    #[test]
    fn a_command_in_the_message_is_lifted() {
        for (message, code) in [
            ("ImportError: Using `bnb` needs a newer build: `pip install -U bitsandbytes`", "pip install -U bitsandbytes"),
            ("ImportError: This tokenizer is missing. Please run 'pip install tokenlib[extra]>=0.2' and restart.", "pip install \"tokenlib[extra]>=0.2\""),
            ("RuntimeError: To draw, you must pip install pydot and install graphviz.", "pip install pydot"),
            ("ImportError: Install it with: conda install graphlib", "conda install -y graphlib"),
        ] {
            let cures = of(message);
            assert_eq!(cures.first().map(|c| c.code.as_str()), Some(code), "{message}");
        }
        assert_eq!(
            of("RuntimeError: you must pip install the package first"),
            []
        );
    }

    #[test]
    fn settings_names_and_values_are_lifted() {
        let cures = of("RuntimeError: Fast downloads are on. Try setting `HUB_FAST_TRANSFER=0` to switch them off.");
        assert_eq!(
            cures[0].code,
            "import os\nos.environ[\"HUB_FAST_TRANSFER\"] = \"0\""
        );
        assert_eq!(
            of("RuntimeError: it failed. If the pool is large try setting POOL_CONF=wide."),
            []
        );
        for no_remedy in [
            "RuntimeError: the ring broke (run with RING_DEBUG=WARN for details)",
            "RuntimeError: the pool is full. Use POOL_LIMIT=0.0 to lift the limit (may cause system failure).",
        ] {
            assert_eq!(of(no_remedy), [], "{no_remedy}");
        }
        let cures = of("RuntimeError: mix not implemented for 'Half'. Please use float32 instead.");
        assert_eq!(cures[0].title, "Use `float32` instead, as the message says");
        assert_eq!(of("RuntimeError: people use it instead of a map"), []);
        let cures = of("NameError: name 'lenght' is not defined. Did you mean: 'length'?");
        assert_eq!(cures[0].title, "Write `length`");
        let cures = of("ValueError: solver must be one of {'lbfgs', 'saga'}, got 'sag2'");
        assert_eq!(cures[0].why, "Allowed are `'lbfgs'`, `'saga'`.");
        assert_eq!(of("ValueError: expected one of the usual suspects"), []);
        let cures = of("ValueError: The part is missing.\nPlease pick one among the available parts: ['left', 'right']\nExample of usage:\n\t`read('hand', 'left')`");
        assert_eq!(cures[0].why, "Allowed are `'left'`, `'right'`.");
        let cures = of("ValueError: Part 'thumb' not found. Available: ['whole']");
        assert_eq!(cures[0].title, "Take `'whole'`");
        assert_eq!(of("RuntimeError: Not enough room. Available: [512]"), []);
    }
}
