//! The tables of what systems say in other languages (`translated.toml`, `translated-windows.toml`).

use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// What errors' numbers begin with, by the system's table. They are searched for in every text.
pub(crate) const NUMBERED: [&str; 2] = ["[Errno ", "[WinError "];

/// One file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Linux's errors in English, by number.
    #[serde(default)]
    errno: BTreeMap<String, String>,
    /// Windows' errors in English, by number.
    #[serde(default)]
    winerror: BTreeMap<String, String>,
    phrase: Vec<Phrase>,
}

/// A meaning and what it is called.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Phrase {
    english: String,
    /// Where the translations come from.
    from: Vec<String>,
    said: Vec<String>,
}

/// What systems say in other languages, and what it means.
#[derive(Debug, Default)]
pub struct Translations {
    /// Phrases and their English, by the phrase.
    pub(crate) phrases: BTreeMap<String, String>,
    /// The English messages of numbered errors: Linux's, Windows'.
    pub(crate) numbered: [BTreeMap<u32, String>; 2],
}

/// Reads both files of a catalogue.
///
/// # Errors
/// The first mistake, with the file's name.
pub(crate) fn load(dir: &Path) -> Result<Translations, String> {
    let mut all = Translations::default();
    for name in ["translated.toml", "translated-windows.toml"] {
        let file: File = crate::toml_file::toml_file(&dir.join(name))?;
        add(&mut all, file).map_err(|why| format!("{name}: {why}"))?;
    }
    Ok(all)
}

fn add(all: &mut Translations, file: File) -> Result<(), String> {
    for (at, table) in [file.errno, file.winerror].into_iter().enumerate() {
        for (number, text) in table {
            let number = number
                .parse()
                .map_err(|_| format!("`{number}` is no number"))?;
            all.numbered[at].insert(number, text);
        }
    }
    for phrase in file.phrase {
        if phrase.from.is_empty() || phrase.said.is_empty() {
            return Err(format!("`{}` needs `from` and `said`", phrase.english));
        }
        let slots = |text: &str| -> String {
            let all = text
                .match_indices('%')
                .map(|(at, _)| text[at..].chars().nth(1));
            all.flatten().collect()
        };
        for said in phrase.said {
            if slots(&said) != slots(&phrase.english) {
                return Err(format!(
                    "`{said}` and `{}` differ in their slots",
                    phrase.english
                ));
            }
            if said.ends_with(|c: char| c.is_ascii_digit()) {
                return Err(format!("`{said}` ends with a slot"));
            }
            if literal(&said).len() < 3 {
                return Err(format!("`{said}` is too short to be searched for"));
            }
            if let Some(other) = all.phrases.insert(said.clone(), phrase.english.clone()) {
                return Err(format!("`{said}` means `{other}` and `{}`", phrase.english));
            }
        }
    }
    Ok(())
}

/// The parts of a phrase between its slots.
fn parts(said: &str) -> impl Iterator<Item = &str> {
    said.split('%')
        .enumerate()
        .map(|(i, part)| part.get(usize::from(i > 0)..).unwrap_or_default())
}

/// The part of a phrase that a text is searched for: the longest.
pub(crate) fn literal(said: &str) -> &str {
    parts(said)
        .max_by_key(|part| part.len())
        .unwrap_or_default()
}

/// The rows of `TRANSLATED`, by the numbers of their literals.
pub(crate) fn rows(all: &Translations, literals: &[String]) -> Vec<String> {
    let places: HashMap<&str, usize> = literals.iter().map(String::as_str).zip(0..).collect();
    let mut rows: Vec<(usize, &String, &String)> = all
        .phrases
        .iter()
        .filter_map(|(said, english)| Some((*places.get(literal(said))?, said, english)))
        .collect();
    rows.sort_unstable();
    rows.iter()
        .map(|(number, said, english)| {
            format!("Translated {{ number: {number}, said: {said:?}, english: {english:?} }}")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_part_is_searched_for() {
        for (said, want) in [
            ("Le noyau pour %1 semble être mort", " semble être mort"),
            ("%1 的内核似乎已经死亡", " 的内核似乎已经死亡"),
            ("%1: Zeile %2:", ": Zeile "),
            ("Getötet", "Getötet"),
        ] {
            assert_eq!(literal(said), want);
        }
    }

    #[test]
    fn a_wrong_table_is_refused() {
        for (text, why) in [
            ("[[phrase]]\nenglish = 'a %1'\nfrom = ['x']\nsaid = ['abc']", "slots"),
            ("[[phrase]]\nenglish = 'a'\nfrom = []\nsaid = ['abc']", "needs"),
            ("[[phrase]]\nenglish = 'a'\nfrom = ['x']\nsaid = ['ab']", "short"),
            (
                "[[phrase]]\nenglish = 'a'\nfrom = ['x']\nsaid = ['abc']\n[[phrase]]\nenglish = 'b'\nfrom = ['x']\nsaid = ['abc']",
                "means",
            ),
        ] {
            let file = toml::from_str(text).expect("TOML");
            let found = add(&mut Translations::default(), file).expect_err(why);
            assert!(found.contains(why), "{found}");
        }
    }
}
