//! The user's lines in a traceback as cells: the code to repair if there is no notebook.

use crate::book::{Book, BookCell};
use crate::case::OwnFrame;
use nbmedic_facts::{Applicability, Cure, FixKind};
use nbmedic_python::Cell;
use nbmedic_traceback::{Chain, Exception, Origin};
use nbmedic_wordings::pandas;

/// Maximum number of the user's frames examined, innermost first.
const MAX_FRAMES: usize = 8;
/// Maximum length of an examined line, in bytes.
const MAX_LINE: usize = 400;

/// Conventional module names and their imports.
const CONVENTIONS: &[(&str, &str)] = &[
    ("np", "import numpy as np"),
    ("numpy", "import numpy"),
    ("pd", "import pandas as pd"),
    ("pandas", "import pandas"),
    ("plt", "import matplotlib.pyplot as plt"),
    ("sns", "import seaborn as sns"),
    ("tf", "import tensorflow as tf"),
    ("keras", "from tensorflow import keras"),
    ("torch", "import torch"),
    ("nn", "import torch.nn as nn"),
    ("F", "import torch.nn.functional as F"),
    ("torchvision", "import torchvision"),
    ("jax", "import jax"),
    ("jnp", "import jax.numpy as jnp"),
    ("sklearn", "import sklearn"),
    ("scipy", "import scipy"),
    ("sm", "import statsmodels.api as sm"),
    ("xgb", "import xgboost as xgb"),
    ("lgb", "import lightgbm as lgb"),
    ("cv2", "import cv2"),
    ("Image", "from PIL import Image"),
    ("transformers", "import transformers"),
    ("datasets", "import datasets"),
    ("json", "import json"),
    ("os", "import os"),
    ("re", "import re"),
    ("time", "import time"),
    ("math", "import math"),
    ("random", "import random"),
    ("datetime", "import datetime"),
    ("pickle", "import pickle"),
];

/// The module that a name stands for by convention: `np` is `numpy`.
pub(crate) fn conventional(name: &str) -> Option<String> {
    let (_, import) = CONVENTIONS.iter().find(|(n, _)| *n == name)?;
    let from = import
        .strip_prefix("from ")
        .and_then(|i| i.split_once(" import "));
    Some(match from {
        Some((module, member)) => format!("{module}.{member}"),
        None => import.split(' ').nth(1)?.to_owned(),
    })
}

/// Names that only one library has, and the modules that export them.
#[rustfmt::skip] // one module per line
const HOMES: &[(&str, &[&str])] = &[
    ("sklearn.preprocessing", &["OneHotEncoder", "OrdinalEncoder", "StandardScaler", "MinMaxScaler", "LabelEncoder"]),
    ("sklearn.feature_extraction.text", &["CountVectorizer", "TfidfVectorizer"]),
    ("sklearn.ensemble", &["BaggingClassifier", "BaggingRegressor", "AdaBoostClassifier", "AdaBoostRegressor"]),
    ("sklearn.ensemble", &["RandomForestClassifier", "RandomForestRegressor", "GradientBoostingClassifier"]),
    ("sklearn.linear_model", &["LogisticRegression", "LinearRegression", "Ridge", "Lasso", "ElasticNet"]),
    ("sklearn.metrics", &["mean_squared_error", "plot_confusion_matrix", "plot_roc_curve"]),
    ("sklearn.manifold", &["TSNE"]),
    ("sklearn.cluster", &["KMeans", "AgglomerativeClustering"]),
    ("sklearn.model_selection", &["GridSearchCV", "RandomizedSearchCV", "train_test_split", "cross_val_score"]),
    ("transformers", &["TrainingArguments", "Seq2SeqTrainingArguments", "AutoModelForCausalLM", "AutoTokenizer"]),
];

/// One of the user's lines.
#[derive(Debug)]
struct Line {
    /// The file name without folders. Empty for a cell.
    file: String,
    /// Line number in the file.
    number: Option<u32>,
    function: Option<String>,
    /// The line as shown in the traceback.
    shown: String,
    /// The line completed so that it parses: with a body and closing brackets.
    source: String,
}

/// The user's code as shown in a traceback.
#[derive(Debug, Default)]
pub(crate) struct Excerpt {
    lines: Vec<Line>,
    /// Conventional imports for the names in the lines.
    imports: String,
}

impl Excerpt {
    /// Takes the lines of a chain's last exception, or of the last one that has any.
    pub fn of(chain: &Chain) -> Excerpt {
        let mut all = chain.exceptions.iter().rev();
        let lines = all.find_map(|e| Some(lines(e)).filter(|l| !l.is_empty()));
        let lines = lines.unwrap_or_default();
        // An undefined name wasn't imported either.
        let imports = match chain.last().name() {
            "NameError" | "UnboundLocalError" => String::new(),
            _ => imports(&lines, chain.last()),
        };
        Excerpt { lines, imports }
    }

    /// The lines as cells that ran: first the imports, then one cell per line, ending with the
    /// failing one, which always exists.
    pub fn book(&self) -> Book<'_> {
        let lines = self.lines.iter().map(|l| l.source.as_str());
        let mut sources: Vec<&str> = std::iter::once(self.imports.as_str())
            .chain(lines)
            .collect();
        if self.lines.is_empty() {
            sources.push("");
        }
        let cell = |(i, source)| BookCell {
            position: i + 1,
            source,
            count: None,
            ran: Some(i as u64),
            ..BookCell::default()
        };
        Book::excerpt(sources.into_iter().enumerate().map(cell).collect())
    }

    /// The frames of the lines, relative to the cells of [`Excerpt::book`].
    pub fn frames(&self) -> Vec<OwnFrame> {
        let frame = |(i, l): (usize, &Line)| OwnFrame {
            cell: i + 1,
            line: 1,
            function: l.function.clone(),
        };
        self.lines.iter().enumerate().map(frame).collect()
    }

    /// Turns a cure of these cells into words: which line to replace by what. None if it changes
    /// more than one line.
    pub fn worded(&self, mut cure: Cure) -> Option<Cure> {
        if !cure.run.is_empty() && cure.edits.is_empty() || cure.kind == FixKind::Run {
            return None;
        }
        // No cells are known here, and a command or setting needs one.
        if !matches!(cure.kind, FixKind::Install | FixKind::Setting) {
            cure.title = unnumbered(&cure.title);
            let about = |s: &str| says_cell(s) || says_first_line(s);
            if about(&cure.title) {
                return None;
            }
            let sentences = cure.why.split_inclusive(". ").filter(|s| !about(s));
            cure.why = sentences.collect::<String>().trim_end().to_owned();
        }
        // A single line doesn't show everything that depends on it.
        cure.applies = cure.applies.max(Applicability::Likely);
        if cure.edits.is_empty() {
            return Some(cure);
        }
        let first = cure.edits.first()?.cell;
        if cure.edits.iter().any(|e| e.cell != first) {
            return None;
        }
        let line = self.lines.get(first.checked_sub(2)?)?;
        let edits: Vec<_> = cure.edits.iter().collect();
        let after = nbmedic_facts::Edit::apply(&line.source, &edits)?;
        let rest = line.source.strip_prefix(line.shown.as_str())?;
        let code = after.strip_suffix(rest)?.trim_end();
        // Lines inserted above an unchanged line are shown alone.
        let above = code.strip_suffix(line.shown.as_str());
        let above = above.map(str::trim_end).filter(|a| !a.is_empty());
        let place = match (line.number, line.file.as_str()) {
            (Some(n), "") => format!("line {n} of the cell"),
            (Some(n), file) => format!("line {n} of `{file}`"),
            (None, _) => "the failing line".to_owned(),
        };
        let said = match above {
            Some(_) => format!("{} This stands above {place}:", cure.why),
            None => format!("{} This is {place}, repaired:", cure.why),
        };
        cure.why = said.trim_start().to_owned();
        cure.code = above.unwrap_or(code).to_owned();
        cure.kind = FixKind::Look;
        cure.edits = Vec::new();
        cure.diff = Vec::new();
        cure.run = Vec::new();
        cure.cell = None;
        Some(cure)
    }
}

/// Removes the line number from a title: techniques see each line as the first one of its cell.
fn unnumbered(title: &str) -> String {
    let title = title.replace("End line 1 with", "End the line with");
    let bare = (title.strip_suffix(" in line 1")).or_else(|| title.strip_suffix(" (line 1)"));
    bare.unwrap_or(&title).to_owned()
}

/// Whether a sentence mentions a line by a technique's numbering.
fn says_first_line(text: &str) -> bool {
    text.match_indices("line 1")
        .any(|(at, found)| !(text[at + found.len()..].starts_with(|c: char| c.is_alphanumeric())))
}

/// Whether a sentence mentions cells.
fn says_cell(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|w| matches!(w, "cell" | "cells" | "notebook"))
}

/// The user's lines of an exception, outermost first.
fn lines(exception: &Exception) -> Vec<Line> {
    let own = |o: &Origin| matches!(o, Origin::User | Origin::Cell { .. });
    let frames = exception.frames.iter().filter(|f| own(&f.origin));
    let mut out: Vec<Line> = frames
        .rev()
        .take(MAX_FRAMES)
        .filter_map(|f| {
            let shown = f.code.as_deref()?.trim();
            let source = whole(shown).or_else(|| broken(exception, shown))?;
            let cell = matches!(f.origin, Origin::Cell { .. });
            let file = f.file.rsplit(['/', '\\']).next().unwrap_or("");
            let plain = !cell && !file.contains(['`', '<', '\n']);
            let name = f.function.as_deref();
            Some(Line {
                file: if plain {
                    file.to_owned()
                } else {
                    String::new()
                },
                number: f.line,
                function: name
                    .filter(|n| !n.starts_with(['<', '?']))
                    .map(str::to_owned),
                shown: shown.to_owned(),
                source,
            })
        })
        .collect();
    out.reverse();
    out
}

/// Completes a line: adds a body to a compound statement and closes brackets that are closed on
/// later lines. None if it still doesn't parse.
fn whole(line: &str) -> Option<String> {
    if line.is_empty() || line.len() > MAX_LINE || line.contains(['\n', '\r']) {
        return None;
    }
    if line.ends_with(':') {
        let source = format!("{line}\n    pass");
        return Cell::is_valid(&source).then_some(source);
    }
    if Cell::is_valid(line) {
        return Some(line.to_owned());
    }
    let mut open = Vec::new();
    let mut quote = None;
    for c in line.chars() {
        match (c, quote) {
            (c, Some(q)) if c == q => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('(', None) => open.push(')'),
            ('[', None) => open.push(']'),
            ('{', None) => open.push('}'),
            (')' | ']' | '}', None) if open.pop() != Some(c) => return None,
            _ => {}
        }
    }
    if quote.is_some() || open.is_empty() {
        return None;
    }
    let close: String = open.iter().rev().collect();
    let source = format!("{line}{close}");
    if Cell::is_valid(&source) {
        return Some(source);
    }
    let source = format!("{source}:\n    pass");
    Cell::is_valid(&source).then_some(source)
}

/// The line of a syntax error, which doesn't parse as it is. It receives a body if it begins a
/// block.
fn broken(exception: &Exception, line: &str) -> Option<String> {
    const BLOCKS: &[&str] = &["for ", "while ", "if ", "def ", "class ", "with ", "try"];
    let short = !line.is_empty() && line.len() <= MAX_LINE && !line.contains(['\n', '\r']);
    let block = line.ends_with(':') || BLOCKS.iter().any(|b| line.starts_with(b));
    let body = if block { "\n    pass" } else { "" };
    (short && exception.name() == "SyntaxError").then(|| format!("{line}{body}"))
}

/// Conventional imports for names used before a dot, for called classes and functions, and for the
/// libraries mentioned by the frames and the message.
fn imports(lines: &[Line], error: &Exception) -> String {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let words: Vec<&str> = lines
        .iter()
        .flat_map(|l| l.shown.split(|c| !word(c)))
        .collect();
    let dotted = |name: &str| {
        let mut firsts = words.iter().filter_map(|w| w.split_once('.'));
        firsts.any(|(first, _)| first == name)
    };
    let concerns = |package: &str| {
        let folder = [format!("/{package}/"), format!("\\{package}\\")];
        let mut frames = error.frames.iter().filter(|f| f.origin == Origin::Library);
        frames.any(|f| folder.iter().any(|p| f.file.contains(p.as_str())))
            || package == "pandas" && pandas::OF_TABLE.is_in(&error.message)
    };
    let alias = CONVENTIONS.iter().filter(|(name, import)| {
        let package = import.split(' ').nth(1).unwrap_or("");
        let whole = *name != "pandas" && *name != "numpy" && !package.contains('.');
        dotted(name) || whole && import.starts_with("import") && concerns(package)
    });
    let mut out: String = alias.map(|(_, import)| format!("{import}\n")).collect();
    let homes = HOMES
        .iter()
        .filter(|(_, all)| all.iter().any(|n| words.contains(n)));
    for (home, all) in homes {
        for name in all.iter().filter(|n| words.contains(n)) {
            out += &format!("from {home} import {name}\n");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cure;
    use nbmedic_facts::Diagnosis;

    fn of(text: &str) -> Vec<Cure> {
        let mut found = vec![Diagnosis::default()];
        cure(&Book::new(Vec::new()), 0, text, &mut found);
        found.remove(0).cures
    }

    fn script(code: &str, error: &str) -> String {
        format!(
            "Traceback (most recent call last):\n  File \"/srv/app/train.py\", line 12, in <module>\n    {code}\n{error}\n"
        )
    }

    fn first(code: &str, error: &str) -> Cure {
        of(&script(code, error))
            .into_iter()
            .next()
            .unwrap_or_default()
    }

    #[test]
    fn a_line_of_a_script_is_repaired_in_words() {
        let c = first(
            "y = np.zeros(n, dtype=np.float)",
            "AttributeError: module 'numpy' has no attribute 'float'",
        );
        assert_eq!(c.code, "y = np.zeros(n, dtype=float)");
        assert!(
            c.why.ends_with("This is line 12 of `train.py`, repaired:"),
            "{}",
            c.why
        );
        assert_eq!((c.kind, c.applies), (FixKind::Look, Applicability::Likely));
        assert!(c.edits.is_empty() && c.diff.is_empty() && c.cell.is_none());
    }

    #[test]
    fn an_import_is_said_by_itself() {
        let c = first("x = np.arange(4)", "NameError: name 'np' is not defined");
        assert_eq!(c.code, "import numpy as np");
        assert!(
            c.why.ends_with("This stands above line 12 of `train.py`:"),
            "{}",
            c.why
        );
    }

    #[test]
    fn what_the_line_imports_is_known_by_convention_and_frames() {
        let c = first(
            "enc = OneHotEncoder(sparse=False)",
            "TypeError: OneHotEncoder.__init__() got an unexpected keyword argument 'sparse'",
        );
        assert_eq!(c.code, "enc = OneHotEncoder(sparse_output=False)");
        let c = first(
            "total = total.append(part, ignore_index=True)",
            "AttributeError: 'DataFrame' object has no attribute 'append'",
        );
        assert_eq!(
            c.code,
            "total = pd.concat([total, part], ignore_index=True)"
        );
    }

    #[test]
    fn what_changes_more_than_a_line_is_not_said() {
        assert_eq!(of("RuntimeError: something else happened\n"), []);
        let names = of(&script(
            "rate = totl / 2",
            "NameError: name 'totl' is not defined",
        ));
        assert!(names.iter().all(|c| c.kind == FixKind::Look), "{names:?}");
    }

    #[test]
    fn nothing_is_said_of_cells() {
        let cures = of(&script(
            "p = scaler.transform(X)",
            "sklearn.exceptions.NotFittedError: This StandardScaler instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.",
        ));
        assert!(
            cures.iter().all(|c| !c.why.contains("No cell")),
            "{cures:?}"
        );
    }

    #[test]
    fn the_line_of_a_syntax_error_is_repaired() {
        let text = |line: &str, error: &str| {
            format!("  File \"/srv/old.py\", line 7\n    {line}\n    ^\nSyntaxError: {error}\n")
        };
        for (line, error, right) in [
            (
                "print \"epoch\", n",
                "Missing parentheses in call to 'print'. Did you mean print(...)?",
                "print(\"epoch\", n)",
            ),
            ("for i in range(10)", "expected ':'", "for i in range(10):"),
        ] {
            let cures = of(&text(line, error));
            assert_eq!(
                cures.first().map(|c| c.code.as_str()),
                Some(right),
                "{cures:?}"
            );
        }
    }

    #[test]
    fn lines_are_made_whole() {
        assert_eq!(
            whole("for a in b:").as_deref(),
            Some("for a in b:\n    pass")
        );
        assert_eq!(whole("f(a, [b,").as_deref(), Some("f(a, [b,])"));
        assert_eq!(whole("return f(x)").as_deref(), Some("return f(x)"));
        assert_eq!(whole("else:"), None);
        assert_eq!(whole("a)"), None);
    }
}
