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
        self.source.as_deref().into_iter().chain([self.text.as_str()])
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
    outputs: Vec<Output>,
}

impl Cell {
    /// What is judged of a code cell.
    fn piece(self, position: usize) -> Option<Piece> {
        (self.cell_type == "code").then(|| Piece {
            cell: Some(position),
            source: Some(self.source.0 + &self.input.0),
            count: self.execution_count.or(self.prompt_number),
            text: self.outputs.iter().map(output).collect(),
        })
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Output {
    text: Text,
    traceback: Vec<String>,
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
    plain: Text,
}

/// A string, stored whole or as a list of lines.
#[derive(Default)]
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Text, D::Error> {
        from.deserialize_any(Lines).map(Text)
    }
}

/// Joins the lines as they come.
struct Lines;

impl<'de> Visitor<'de> for Lines {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list of its lines")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<String, E> {
        Ok(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<String, A::Error> {
        let mut out = String::new();
        while let Some(line) = list.next_element::<String>()? {
            out.push_str(&line);
        }
        Ok(out)
    }
}

fn output(o: &Output) -> String {
    if o.metadata.as_ref().is_some_and(|m| m.nbmedic.is_some()) {
        return String::new();
    }
    let mut text = if !o.traceback.is_empty() {
        o.traceback.join("\n")
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
