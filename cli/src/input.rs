//! Files and standard input to pieces of text.

use serde::Deserialize;
use std::io::Read;
use std::path::Path;

/// Most that is read of one input; a longer one is cut in the middle, since what matters stands at
/// the end.
const MAX_BYTES: usize = 64 << 20;

/// One output to judge.
pub struct Piece {
    /// Position of the cell in the notebook, from 1.
    pub cell: Option<usize>,
    /// Its source.
    pub source: Option<String>,
    /// What it printed.
    pub text: String,
}

/// Reads an input: a notebook's cells, or a text as it is.
///
/// # Errors
/// A message that names the input and says what is wrong with it.
pub fn read(path: &Path) -> Result<Vec<Piece>, String> {
    let name = path.display();
    let bytes = bytes(path)?;
    if path.extension().is_some_and(|e| e == "ipynb") {
        return notebook(&String::from_utf8_lossy(&bytes)).map_err(|e| format!("{name}: {e}"));
    }
    if bytes.starts_with(b"PK\x03\x04")
        || bytes.starts_with(b"\x89PNG")
        || bytes.starts_with(b"\x1f\x8b")
    {
        return Err(format!(
            "{name}: not a text: give a notebook (.ipynb), a log or a saved output"
        ));
    }
    let text = String::from_utf8_lossy(&bytes);
    if text.trim_start().starts_with('{') && text.contains("\"nbformat\"") {
        if let Ok(pieces) = notebook(&text) {
            return Ok(pieces);
        }
    }
    Ok(vec![Piece {
        cell: None,
        source: None,
        text: text.into_owned(),
    }])
}

/// The bytes of a file or, for `-`, of standard input.
///
/// # Errors
/// A message that names the input.
pub fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    if path == Path::new("-") {
        std::io::stdin()
            .read_to_end(&mut out)
            .map_err(|e| format!("standard input: {e}"))?;
    } else {
        if path.is_dir() {
            return Err(format!(
                "{}: is a folder: name the files in it",
                path.display()
            ));
        }
        out = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    if out.len() > MAX_BYTES && path.extension().is_none_or(|e| e != "ipynb") {
        let tail = out.split_off(out.len() - MAX_BYTES / 2);
        out.truncate(MAX_BYTES / 2);
        out.extend_from_slice(b"\n");
        out.extend(tail);
    }
    Ok(out)
}

#[derive(Deserialize)]
struct Notebook {
    #[serde(default)]
    cells: Vec<Cell>,
    /// nbformat 3 keeps its cells in worksheets.
    #[serde(default)]
    worksheets: Vec<Worksheet>,
}

#[derive(Deserialize)]
struct Worksheet {
    #[serde(default)]
    cells: Vec<Cell>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(default)]
    cell_type: String,
    #[serde(default, alias = "input")]
    source: Text,
    #[serde(default)]
    outputs: Vec<Output>,
}

#[derive(Deserialize)]
struct Output {
    #[serde(default)]
    text: Text,
    #[serde(default)]
    traceback: Vec<String>,
    #[serde(default)]
    ename: String,
    #[serde(default)]
    evalue: String,
    #[serde(default)]
    data: Data,
}

#[derive(Default, Deserialize)]
struct Data {
    #[serde(default, rename = "text/plain")]
    plain: Text,
}

/// A string, or a list of lines.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    One(String),
    Many(Vec<String>),
}

impl Default for Text {
    fn default() -> Self {
        Text::One(String::new())
    }
}

impl Text {
    fn join(&self) -> String {
        match self {
            Text::One(s) => s.clone(),
            Text::Many(lines) => lines.concat(),
        }
    }
}

fn notebook(json: &str) -> Result<Vec<Piece>, String> {
    let nb: Notebook = serde_json::from_str(json).map_err(|e| format!("not a notebook: {e}"))?;
    let cells = nb
        .cells
        .into_iter()
        .chain(nb.worksheets.into_iter().flat_map(|w| w.cells));
    Ok(cells
        .enumerate()
        .filter(|(_, c)| c.cell_type == "code" && !c.outputs.is_empty())
        .map(|(i, c)| Piece {
            cell: Some(i + 1),
            source: Some(c.source.join()),
            text: c.outputs.iter().map(output).collect::<Vec<_>>().concat(),
        })
        .collect())
}

fn output(o: &Output) -> String {
    let mut text = if !o.traceback.is_empty() {
        o.traceback.join("\n")
    } else if !o.ename.is_empty() {
        format!("{}: {}", o.ename, o.evalue)
    } else {
        let stream = o.text.join();
        if stream.is_empty() {
            o.data.plain.join()
        } else {
            stream
        }
    };
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}
