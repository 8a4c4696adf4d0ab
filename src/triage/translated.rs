//! A text whose system messages are translated to English. Messages of Jupyter, the C library, the shell and Windows in
//! other languages are replaced with their English form, so that one rule reads all of them.

use nbmedic_catalog::{message, translated, Numbered, Translated};
use nbmedic_text::{Document, Remake};
use std::ops::Range;

/// Maximum length of a name inside a phrase, in bytes.
const MAX_NAME: usize = 300;
/// Maximum number of phrases in one line.
const MAX_PHRASES: usize = 8;
/// Letters from here on (Hangul, kana, Han) need no space between words.
const WITHOUT_SPACES: char = '\u{1100}';
/// Maximum number of characters of a word without spaces that is a phrase only in the places of such messages.
const SHORT_WORD: usize = 5;

/// A part of a line that is kept, or its replacement.
enum Piece {
    Keep(Range<usize>),
    Put(&'static str),
}

/// A phrase in a line, with its replacement.
struct Found {
    at: Range<usize>,
    pieces: Vec<Piece>,
}

/// The text with English messages. `places`: the lines that contain a phrase's literal, with the literal's number.
/// None if there is nothing to translate.
pub(super) fn english(doc: &Document, mut places: Vec<(usize, usize)>) -> Option<Document> {
    places.sort_unstable();
    places.dedup();
    let mut out = Remake::new(doc);
    let mut kept = 0;
    for of_line in places.chunk_by(|a, b| a.0 == b.0) {
        let span = doc.span(of_line[0].0);
        let line = &doc.text()[span.clone()];
        let phrases: Vec<&Translated> = of_line.iter().flat_map(|(_, n)| translated(*n)).collect();
        let mut from = 0;
        for _ in 0..MAX_PHRASES {
            let Some(found) = next(line, from, &phrases) else {
                break;
            };
            out.keep(kept..span.start + found.at.start);
            for piece in found.pieces {
                match piece {
                    Piece::Keep(part) => out.keep(span.start + part.start..span.start + part.end),
                    Piece::Put(text) => out.put(text, span.start + found.at.start),
                }
            }
            from = found.at.end;
            kept = span.start + from;
        }
    }
    (kept > 0).then(|| {
        out.keep(kept..doc.text().len());
        out.finish()
    })
}

/// The first phrase or numbered message from `from` on; the longer one if two begin at the same place.
fn next(line: &str, from: usize, phrases: &[&Translated]) -> Option<Found> {
    let spoken = phrases.iter().filter_map(|t| phrase(line, from, t));
    let numbered = Numbered::ALL
        .iter()
        .filter_map(|n| numbered(line, from, *n));
    spoken
        .chain(numbered)
        .min_by_key(|f| (f.at.start, usize::MAX - f.at.end))
}

/// A phrase's parts between its slots.
fn parts(text: &'static str) -> Vec<&'static str> {
    let parts = text.split('%').enumerate();
    parts
        .map(|(i, part)| part.get(usize::from(i > 0)..).unwrap_or_default())
        .collect()
}

/// The place of a phrase in a line.
fn phrase(line: &str, from: usize, t: &Translated) -> Option<Found> {
    let (said, english) = (parts(t.said), parts(t.english));
    let alone = said.len() == 1 && !t.said.contains(' ');
    let strict = alone
        && (t.said.chars().count() <= SHORT_WORD
            || t.said
                .starts_with(|c: char| c.is_alphabetic() && c < WITHOUT_SPACES));
    let first = said[0];
    let mut at = from;
    loop {
        // A name at the beginning starts with the line.
        let start = at + line.get(at..)?.find(first)?;
        let mut end = start + first.len();
        let mut pieces = vec![Piece::Put(english[0])];
        for (part, meaning) in said.iter().zip(&english).skip(1) {
            let name = line[end..].find(part)?;
            if name == 0 || name > MAX_NAME {
                return None;
            }
            pieces.push(Piece::Keep(end..end + name));
            pieces.push(Piece::Put(meaning));
            end += name + part.len();
        }
        if stands_alone(line, &(start..end), strict) {
            return Some(Found {
                at: start..end,
                pieces,
            });
        }
        if said.len() > 1 {
            return None;
        }
        at = end;
    }
}

/// Whether a phrase is not part of a longer word and, if `strict`, is where systems put such a word: as the whole
/// line, after a colon or a process's number, before a gap or a bracket.
fn stands_alone(line: &str, at: &Range<usize>, strict: bool) -> bool {
    let (before, after) = (&line[..at.start], &line[at.end..]);
    let phrase = &line[at.clone()];
    let one_word = |a: Option<char>, b: Option<char>| {
        let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && c < WITHOUT_SPACES);
        letter(a) && letter(b)
    };
    if one_word(before.chars().next_back(), phrase.chars().next())
        || one_word(phrase.chars().next_back(), after.chars().next())
    {
        return false;
    }
    if !strict {
        return true;
    }
    let head = before.trim_end();
    let led = head.is_empty()
        || head.ends_with([':', '：', '('])
        || head.len() < before.len() && head.ends_with(|c: char| c.is_ascii_digit());
    let tail = after.trim_end_matches(['.', '。', ' ']);
    led && (tail.is_empty()
        || after.starts_with("  ")
        || after.starts_with(" (")
        || after.starts_with('（'))
}

/// An error's number and its message in another language: `[Errno 28] Aucun espace disponible: 'a'`.
fn numbered(line: &str, from: usize, system: Numbered) -> Option<Found> {
    let mut at = from;
    loop {
        let open = at + line.get(at..)?.find(system.prefix())? + system.prefix().len();
        let close = open + line[open..].find(']')?;
        at = close;
        let Some(english) = line[open..close]
            .parse()
            .ok()
            .and_then(|n| message(system, n))
        else {
            continue;
        };
        let Some(said) = line[close + 1..].strip_prefix(' ') else {
            continue;
        };
        let ends = [": '", ": \"", ": b'", ". "]
            .into_iter()
            .filter_map(|end| said.find(end));
        let said = &said[..ends.min().unwrap_or(said.len())];
        let said = said.trim_end_matches(['.', '。']);
        // Linux's numbers are also used with other messages in English.
        let foreign = match system {
            Numbered::Errno => said.chars().any(|c| c.is_alphabetic() && !c.is_ascii()),
            Numbered::WinError => !english.contains(said) && !said.starts_with(english),
        };
        if foreign && !said.is_empty() {
            let start = close + 2;
            return Some(Found {
                at: start..start + said.len(),
                pieces: vec![Piece::Put(english)],
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{context::Context, index, triage, Input};

    /// The text that the rules read.
    fn read(text: &str) -> String {
        let input = Input {
            text,
            ..Input::default()
        };
        let cx = Context::new(&input, index::index()).in_english(&input);
        cx.doc.text().to_owned()
    }

    #[test]
    fn systems_speak_english() {
        for (said, english) in [
            (
                "OSError: [Errno 28] Auf dem Gerät ist kein Speicherplatz mehr verfügbar: 'a.pt'",
                "OSError: [Errno 28] No space left on device: 'a.pt'",
            ),
            // Not in the table.
            (
                "OSError: [Errno 28] אין מקום על ההתקן: 'a.pt'",
                "OSError: [Errno 28] No space left on device: 'a.pt'",
            ),
            (
                "OSError: [WinError 1455] Il file di paging è troppo piccolo. Error loading \"c10.dll\"",
                "OSError: [WinError 1455] The paging file is too small for this operation to complete. Error loading \"c10.dll\"",
            ),
            (
                "run.sh: Zeile 3:  4211 Getötet                 python train.py",
                "run.sh: line 3:  4211 Killed                 python train.py",
            ),
            ("/bin/bash: nvcc: Kommando nicht gefunden.", "/bin/bash: nvcc: command not found."),
            ("bash: ligne 1: nvcc : commande introuvable", "bash: ligne 1: nvcc: command not found"),
            ("Ошибка сегментирования (образ памяти сброшен на диск)", "Segmentation fault (core dumped)"),
            ("段错误（核心已转储）", "Segmentation fault (core dumped)"),
            (
                "カーネル再起動中\na.ipynb のカーネルが予期せず終了しました。自動的に再起動します。",
                "Kernel Restarting\nThe kernel for a.ipynb appears to have died。自動的に再起動します。",
            ),
            (
                "Le noyau pour a b.ipynb semble être mort. Il va redémarrer automatiquement.",
                "The kernel for a b.ipynb appears to have died. Il va redémarrer automatiquement.",
            ),
            (
                "'pip' n'est pas reconnu en tant que commande interne ou externe,",
                "'pip' is not recognized as an internal or external command,",
            ),
            (
                "ImportError: DLL load failed while importing _ufuncs: 找不到指定的模块。",
                "ImportError: DLL load failed while importing _ufuncs: The specified module could not be found。",
            ),
        ] {
            assert_eq!(read(said), english);
        }
    }

    #[test]
    fn other_text_stays() {
        for text in [
            "OSError: [Errno 28] No space left on device: 'a'",
            "OSError: [Errno 28] inotify watch limit reached",
            "OSError: [Errno 4000] Überraschung",
            "OSError: [Errno x] Überraschung",
            "PermissionError: [WinError 5] Access is denied: 'C:\\a'",
            "Der Prozess wurde Getötet genannt",
            "Killed: Getöteter",
            "Ha sido Morto pelo vilão",
            "他已杀死 3 个",
            "epoch 3 fini",
            "[WinError 5]",
            "[Errno ",
        ] {
            assert_eq!(read(text), text);
        }
    }

    #[test]
    fn a_translated_failure_has_its_diagnosis_and_the_words_of_the_text() {
        let text = "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    save(model)\nOSError: [Errno 28] Aucun espace disponible sur le périphérique: '/content/a.pt'";
        let found = triage(&Input {
            text,
            ..Input::default()
        });
        let english = text.replace(
            "Aucun espace disponible sur le périphérique",
            "No space left on device",
        );
        let same = triage(&Input {
            text: &english,
            ..Input::default()
        });
        assert_eq!(found[0].id, same[0].id);
        assert_eq!(found[0].facts, same[0].facts);
        let evidence = &found[0].evidence[0];
        assert!(evidence.text.contains("Aucun espace"), "{evidence:?}");
        assert!(
            text[evidence.range.clone()].contains("Aucun espace"),
            "{evidence:?}"
        );
    }
}
