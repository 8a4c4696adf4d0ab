//! Versions named in outputs: Python's, installed packages', the driver's.

use serde::Serialize;

/// Maximum number of versions of one notebook.
const MAX: usize = 32;

/// A version that was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Version {
    /// The program or package.
    pub what: String,
    /// The version, as printed.
    pub version: String,
}

/// The text before a version, and the program that it belongs to. Sources: the paths in tracebacks
/// (`/usr/lib/python3.12/…`), and the header of `nvidia-smi`.
const MARKS: &[(&str, &str)] = &[
    ("/python3.", "Python"),
    ("Driver Version: ", "NVIDIA driver"),
    ("CUDA Version: ", "CUDA (the driver's)"),
];

/// pip's last line: `Successfully installed numpy-1.26.4 tiny-1.0`.
const INSTALLED: &str = "Successfully installed ";

/// The versions named in some texts: the last one of each, sorted by name.
pub(super) fn versions<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<Version> {
    let mut found: Vec<Version> = Vec::new();
    for text in texts {
        for (mark, what) in MARKS {
            // The first match is enough: one kernel's text names one Python, and one line names the driver.
            if let Some(at) = text.rfind(mark) {
                let number = numbers(&text[at + mark.len()..]);
                let python = *what == "Python" && !number.is_empty();
                let lead = if python { "3." } else { "" };
                note(&mut found, what, &format!("{lead}{number}"));
            }
        }
        for line in text
            .lines()
            .filter_map(|l| l.trim().strip_prefix(INSTALLED))
        {
            for (name, version) in line.split_whitespace().filter_map(|w| w.rsplit_once('-')) {
                if version.starts_with(|c: char| c.is_ascii_digit()) {
                    note(&mut found, name, version);
                }
            }
        }
    }
    found.sort_by(|a, b| a.what.cmp(&b.what));
    found
}

fn numbers(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.'));
    text[..end.unwrap_or(text.len()).min(24)].trim_end_matches('.')
}

fn note(found: &mut Vec<Version>, what: &str, version: &str) {
    if version.is_empty() || what.len() > 64 || version.len() > 64 {
        return;
    }
    if let Some(known) = found.iter_mut().find(|v| v.what == what) {
        known.version = version.to_owned();
    } else if found.len() < MAX {
        found.push(Version {
            what: what.to_owned(),
            version: version.to_owned(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<String> {
        versions([text].into_iter())
            .into_iter()
            .map(|v| format!("{} {}", v.what, v.version))
            .collect()
    }

    #[test]
    fn python_packages_and_the_driver() {
        assert_eq!(
            of("  File \"/usr/local/lib/python3.12/dist-packages/x.py\", line 3\n"),
            ["Python 3.12"]
        );
        assert_eq!(
            of("Successfully installed numpy-1.26.4 py-yaml-6.0.1 odd\n"),
            ["numpy 1.26.4", "py-yaml 6.0.1"]
        );
        assert_eq!(
            of("| NVIDIA-SMI 535.104.05    Driver Version: 535.104.05   CUDA Version: 12.2     |"),
            ["CUDA (the driver's) 12.2", "NVIDIA driver 535.104.05"]
        );
        assert!(of("in /python3. and Driver Version: n/a, Successfully installed it").is_empty());
    }

    #[test]
    fn many_are_bounded() {
        let names: Vec<String> = (0..500).map(|i| format!("p{i}-1.{i}")).collect();
        let text = format!("{INSTALLED}{}", names.join(" "));
        assert_eq!(of(&text).len(), MAX);
    }
}
