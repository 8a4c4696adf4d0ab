//! Splits a file's text into the pieces to judge: the code cells of a notebook, or the whole text.

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::Deserialize;
use std::fmt;

/// One output to judge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// Position of the cell in the notebook, from 1.
    pub cell: Option<usize>,
    /// Its source.
    pub source: Option<String>,
    /// Its execution count.
    pub count: Option<i64>,
    /// What it printed; empty for a cell without outputs.
    pub text: String,
}

impl Piece {
    /// Its source, if it has one, and what it printed.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.source
            .as_deref()
            .into_iter()
            .chain([self.text.as_str()])
    }
}

/// The pieces of a file. A notebook (by its name or its text) gives its code cells, those without outputs too:
/// a cure needs them.
///
/// # Errors
/// A message without the file's name, if a notebook is broken or the file is not text.
pub fn pieces(name: &str, text: String) -> Result<Vec<Piece>, String> {
    if name.ends_with(".ipynb") {
        return parse(&text);
    }
    // An archive, a picture or a compressed file, decoded as UTF-8.
    if ["PK\x03\x04", "\u{fffd}PNG", "\x1f\u{fffd}"]
        .iter()
        .any(|magic| text.starts_with(magic))
    {
        return Err("not a text: give a notebook (.ipynb), a log or a saved output".to_owned());
    }
    if text.trim_start().starts_with('{') && text.contains("\"nbformat\"") {
        if let Ok(pieces) = parse(&text) {
            return Ok(pieces);
        }
    }
    Ok(vec![Piece {
        text,
        ..Piece::default()
    }])
}

/// The code cells of a notebook (nbformat 3 and 4), in order.
///
/// # Errors
/// A message that says where the text stops being a valid notebook.
pub fn parse(json: &str) -> Result<Vec<Piece>, String> {
    let nb: Sheet =
        nbmedic_json::parse(json).map_err(|error| format!("not a notebook: {error}"))?;
    if nb.cells.is_none() && nb.worksheets.is_none() {
        return Err("not a notebook: it has no cells".to_owned());
    }
    let cells = nb.cells.into_iter().flatten().chain(
        nb.worksheets
            .into_iter()
            .flatten()
            .flat_map(|sheet| sheet.cells.unwrap_or_default()),
    );
    Ok(cells
        .enumerate()
        .filter_map(|(i, c)| c.piece(i + 1))
        .collect())
}

/// Reads a notebook of any length and hands over its code cells one by one. Returns the number of all cells.
///
/// # Errors
/// The reader's, or a message if it is no notebook. What was handed over before is right.
pub fn each<'de, D: Deserializer<'de>>(
    from: D,
    take: &mut dyn FnMut(Piece),
) -> Result<usize, D::Error> {
    let mut walk = Walk {
        take,
        cells: 0,
        found: false,
    };
    SheetWalk(&mut walk).deserialize(from)?;
    match walk {
        Walk {
            found: true, cells, ..
        } => Ok(cells),
        _ => Err(D::Error::custom("it has no cells")),
    }
}

struct Walk<'a> {
    take: &'a mut dyn FnMut(Piece),
    cells: usize,
    found: bool,
}

/// Walks through a notebook, or one of its worksheets.
struct SheetWalk<'a, 'b>(&'a mut Walk<'b>);
/// Walks through a list of worksheets.
struct SheetsWalk<'a, 'b>(&'a mut Walk<'b>);
/// Walks through a list of cells.
struct CellsWalk<'a, 'b>(&'a mut Walk<'b>);

macro_rules! walks {
    ($walk:ident, $how:ident) => {
        impl<'de> DeserializeSeed<'de> for $walk<'_, '_> {
            type Value = ();

            fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
                from.$how(self)
            }
        }
    };
}
walks!(SheetWalk, deserialize_map);
walks!(SheetsWalk, deserialize_seq);
walks!(CellsWalk, deserialize_seq);

impl<'de> Visitor<'de> for SheetWalk<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a notebook")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "cells" => {
                    self.0.found = true;
                    map.next_value_seed(CellsWalk(self.0))?;
                }
                "worksheets" => {
                    self.0.found = true;
                    map.next_value_seed(SheetsWalk(self.0))?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for SheetsWalk<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("worksheets")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element_seed(SheetWalk(self.0))?.is_some() {}
        Ok(())
    }
}

impl<'de> Visitor<'de> for CellsWalk<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cells")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(cell) = list.next_element::<Cell>()? {
            self.0.cells += 1;
            if let Some(piece) = cell.piece(self.0.cells) {
                (self.0.take)(piece);
            }
        }
        Ok(())
    }
}

/// A notebook, or in nbformat 3 one of its worksheets, which look like small notebooks.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Sheet {
    cells: Option<Vec<Cell>>,
    worksheets: Option<Vec<Sheet>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Cell {
    cell_type: String,
    source: Text,
    /// The source, under its nbformat 3 name.
    input: Text,
    execution_count: Option<i64>,
    /// The execution count, under its nbformat 3 name.
    prompt_number: Option<i64>,
    outputs: Outputs,
}

impl Cell {
    /// What is judged of a code cell.
    fn piece(self, position: usize) -> Option<Piece> {
        (self.cell_type == "code").then(|| Piece {
            cell: Some(position),
            source: Some(self.source.0 + &self.input.0),
            count: self.execution_count.or(self.prompt_number),
            text: self.outputs.0.text,
        })
    }
}

/// What is kept of a text that is too long: so many bytes of its beginning, and as many of its end.
const KEPT: usize = if cfg!(test) { 64 << 10 } else { 8 << 20 };

/// A text whose middle goes when it grows too long.
#[derive(Default)]
struct Window {
    text: String,
    left_out: usize,
}

impl Window {
    fn push(&mut self, part: &str) {
        // What will go is not copied.
        let long = part.len() > 2 * KEPT;
        let (first, rest) = match long {
            true => part.split_at(near(part, KEPT)),
            false => (part, ""),
        };
        self.text.push_str(first);
        if self.text.len() > 4 * KEPT || long {
            self.shorten();
        }
        if long {
            let (middle, last) = rest.split_at(near(rest, rest.len() - KEPT));
            self.left_out += middle.len();
            self.text.push_str(last);
        }
    }

    fn shorten(&mut self) {
        let text = &mut self.text;
        let (from, to) = (
            near(text, KEPT),
            near(text, text.len().saturating_sub(KEPT)),
        );
        if to > from {
            self.left_out += to - from;
            text.replace_range(from..to, "");
        }
    }
}

/// The nearest place before `at` where a text can be cut.
fn near(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// What a cell printed.
#[derive(Default)]
struct Outputs(Window);

impl<'de> Deserialize<'de> for Outputs {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Outputs, D::Error> {
        from.deserialize_seq(Printed).map(Outputs)
    }
}

struct Printed;

impl<'de> Visitor<'de> for Printed {
    type Value = Window;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of outputs")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Window, A::Error> {
        let mut out = Window::default();
        // What a kernel displays behind an error was made before it: figures are shown when the cell has ended.
        let mut error = String::new();
        while let Some(one) = list.next_element::<Output>()? {
            let failed = !one.traceback.0.is_empty() || !one.ename.is_empty();
            if failed || !one.text.0.is_empty() {
                out.push(&std::mem::take(&mut error));
            }
            match failed {
                true => error = output(&one),
                false => out.push(&output(&one)),
            }
        }
        out.push(&error);
        Ok(out)
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Output {
    text: Shown,
    traceback: Frames,
    ename: String,
    evalue: String,
    data: Data,
    metadata: Option<Metadata>,
}

/// An output's metadata.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Metadata {
    /// It is a card that nbmedic's Python package has put below the cell, not what the cell printed.
    nbmedic: Option<IgnoredAny>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Data {
    #[serde(rename = "text/plain")]
    plain: Shown,
}

/// An output's text, stored whole or as a list of lines.
#[derive(Default)]
struct Shown(String);

impl<'de> Deserialize<'de> for Shown {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Shown, D::Error> {
        from.deserialize_any(Lines::of("")).map(Shown)
    }
}

/// A traceback: a list of texts that stand on lines of their own.
#[derive(Default)]
struct Frames(String);

impl<'de> Deserialize<'de> for Frames {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Frames, D::Error> {
        from.deserialize_seq(Lines::of("\n")).map(Frames)
    }
}

/// A string, stored whole or as a list of lines.
#[derive(Default)]
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Text, D::Error> {
        let whole = Lines {
            between: "",
            most: usize::MAX,
        };
        from.deserialize_any(whole).map(Text)
    }
}

/// Joins the lines as they come.
struct Lines {
    between: &'static str,
    /// Of a longer text the middle goes.
    most: usize,
}

impl Lines {
    /// Of an output.
    fn of(between: &'static str) -> Lines {
        let most = 2 * KEPT;
        Lines { between, most }
    }

    fn whole(&self, text: &str) -> Option<String> {
        let mut out = Window::default();
        (text.len() > self.most).then(|| {
            out.push(text);
            out.text
        })
    }
}

impl<'de> Visitor<'de> for Lines {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list of its lines")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        Ok(self.whole(text).unwrap_or_else(|| text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<String, E> {
        Ok(self.whole(&text).unwrap_or(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<String, A::Error> {
        let mut out = Window::default();
        let mut first = true;
        while let Some(line) = list.next_element::<String>()? {
            if !std::mem::take(&mut first) {
                out.text.push_str(self.between);
            }
            match self.most {
                usize::MAX => out.text.push_str(&line),
                _ => out.push(&line),
            }
        }
        Ok(out.text)
    }
}

fn output(o: &Output) -> String {
    if o.metadata.as_ref().is_some_and(|m| m.nbmedic.is_some()) {
        return String::new();
    }
    let mut text = if !o.traceback.0.is_empty() {
        o.traceback.0.clone()
    } else if !o.ename.is_empty() {
        format!("{}: {}", o.ename, o.evalue)
    } else {
        let text = if o.text.0.is_empty() {
            &o.data.plain
        } else {
            &o.text
        };
        text.0.clone()
    };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTEBOOK: &str = r##"{"nbformat":4,"metadata":{},"cells":[
        {"cell_type":"markdown","source":["# T"]},
        {"cell_type":"code","execution_count":4,"source":["a = 1\n","b"],"outputs":[
            {"output_type":"stream","name":"stdout","text":["x\n","y"]},
            {"output_type":"error","ename":"NameError","evalue":"name 'b' is not defined","traceback":[]}]},
        {"cell_type":"code","source":"c","outputs":[]}]}"##;

    #[test]
    fn a_notebook_is_told_by_its_name_or_its_text() {
        let want = vec![
            Piece {
                cell: Some(2),
                source: Some("a = 1\nb".into()),
                count: Some(4),
                text: "x\ny\nNameError: name 'b' is not defined\n".into(),
            },
            Piece {
                cell: Some(3),
                source: Some("c".into()),
                ..Piece::default()
            },
        ];
        for name in ["a.ipynb", "a.txt", "-"] {
            assert_eq!(pieces(name, NOTEBOOK.into()).as_ref(), Ok(&want), "{name}");
        }
        let log = "{\"nbformat\": broken".to_owned();
        assert_eq!(
            pieces("a.log", log.clone()).map(|p| p[0].text.clone()),
            Ok(log)
        );
    }

    #[test]
    fn a_figure_that_is_shown_behind_an_error_was_made_before_it() {
        let error = r#"{"output_type":"error","ename":"TypeError","evalue":"no","traceback":["TypeError: no"]}"#;
        let figure =
            r#"{"output_type":"display_data","data":{"text/plain":["<Figure size 640x480>"]}}"#;
        let stream = r#"{"output_type":"stream","name":"stderr","text":["after"]}"#;
        let text = |outputs: &[&str]| {
            let outputs = outputs.join(",");
            let json = format!(
                r#"{{"cells":[{{"cell_type":"code","source":"c","outputs":[{outputs}]}}]}}"#
            );
            parse(&json).expect("a notebook")[0].text.clone()
        };
        let before = "<Figure size 640x480>\nTypeError: no\n";
        assert_eq!(text(&[error, figure]), before);
        assert_eq!(text(&[figure, error]), before);
        assert_eq!(text(&[error, stream]), "TypeError: no\nafter\n");
    }

    #[test]
    fn nbmedics_own_card_is_no_output() {
        let shown = |metadata: &str| {
            let data = r#"{"text/plain":["KeyError: 'a'"]}"#;
            format!(
                r#"{{"cells":[{{"cell_type":"code","source":"c","outputs":[
                {{"output_type":"display_data","data":{data},"metadata":{metadata}}}]}}]}}"#
            )
        };
        let text = |metadata| parse(&shown(metadata)).map(|p| p[0].text.clone());
        assert_eq!(text(r#"{"nbmedic":{"card":1}}"#), Ok(String::new()));
        for metadata in [r#"{"other":1}"#, "{}", "null"] {
            assert_eq!(
                text(metadata),
                Ok("KeyError: 'a'
"
                .into()),
                "{metadata}"
            );
        }
    }

    #[test]
    fn of_a_very_long_output_the_beginning_and_the_end_stay() {
        let end = "KeyError: 'a'\\n";
        let line = format!("{}\\n", "é".repeat(500));
        let long = line.repeat(6 * KEPT / 1000);
        let list = format!("\"{line}\",").repeat(6 * KEPT / 1000);
        for text in [
            format!("\"start {long}{end}\""),
            format!("[\"start \",{list}\"{end}\"]"),
        ] {
            let output = format!(r#"{{"text":{text}}}"#);
            for outputs in [output.clone(), format!("{output},{output},{output}")] {
                let json = format!(
                    r#"{{"cells":[{{"cell_type":"code","source":"c","outputs":[{outputs}]}}]}}"#
                );
                let text = parse(&json).map(|p| p[0].text.clone()).unwrap();
                assert!(text.len() <= 4 * KEPT + 2000, "{}", text.len());
                assert!(text.starts_with("start é") && text.ends_with("é\nKeyError: 'a'\n"));
            }
        }
        // A source is changed as a whole, so all of it stays.
        let json = format!(r#"{{"cells":[{{"cell_type":"code","source":[{list}"c"]}}]}}"#);
        let source = parse(&json).map(|p| p[0].source.clone()).unwrap().unwrap();
        assert!(source.len() > 5 * KEPT);
    }

    #[test]
    fn nbformat_3_keeps_its_cells_in_worksheets() {
        let old = r#"{"worksheets":[{"cells":[{"cell_type":"code","input":"1/0",
            "outputs":[{"text":"ZeroDivisionError"}]}]}]}"#;
        let found = parse(old).unwrap();
        assert_eq!(found[0].source.as_deref(), Some("1/0"));
        assert_eq!(found[0].text, "ZeroDivisionError\n");
    }

    #[test]
    fn what_is_no_notebook_and_what_is_no_text_is_refused() {
        for (name, text) in [
            ("a.ipynb", "Traceback"),
            ("a.ipynb", "{}"),
            ("a.ipynb", "{\"cells\":1}"),
            ("a.bin", "PK\x03\x04rest"),
            ("a.bin", "\u{fffd}PNG"),
        ] {
            let message = pieces(name, text.into()).unwrap_err();
            assert!(message.starts_with("not a "), "{text}: {message}");
        }
        assert_eq!(pieces("a.ipynb", "{\"cells\":[]}".into()), Ok(Vec::new()));
    }
}
