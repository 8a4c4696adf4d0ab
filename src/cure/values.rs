//! The values of the names on the failing line, as printed by the probe below the error.

use nbmedic_json::Value as Json;
use nbmedic_values::{Constant, Size};
use std::rc::Rc;

/// Maximum number of frames and names read.
const MAX: usize = 64;

/// A frame's names and their values.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The frame's line, from 1.
    pub line: u32,
    /// Its function.
    pub function: String,
    /// The names and the known parts of their values.
    pub names: Vec<(String, Value)>,
}

/// The known parts of a value. Unknown parts are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    /// Type name: `DataFrame`, `Tensor`, `ndarray`, `list`.
    pub kind: String,
    /// dtype of an array or tensor: `float32`.
    pub dtype: String,
    /// Shape. For a table, rows and columns.
    pub shape: Option<Vec<i64>>,
    /// A tensor's device: `cuda:0`.
    pub device: String,
    /// Whether a tensor requires a gradient.
    pub grad: bool,
    /// Length of a container, string or Series.
    pub len: Option<i64>,
    /// A table's columns, each with its dtype.
    pub columns: Vec<(String, String)>,
    /// Columns with missing values.
    pub gaps: Vec<String>,
    /// A dict's keys, if they are short strings.
    pub keys: Vec<String>,
    /// The text of a number, a short string or a module's version.
    pub text: String,
    /// A layer's sizes: `in_features`.
    pub sizes: Vec<(String, i64)>,
    /// A function's arguments.
    pub arguments: Vec<String>,
    /// Whether it is in the failing part of a line that has other names too.
    pub failing: bool,
    /// Index of the cell whose output shows it. None if the probe recorded it at the failure.
    pub shown: Option<usize>,
    /// Whether it has more columns than are known.
    pub more: bool,
}

impl Value {
    /// Adds what an earlier output showed about the same value.
    pub(crate) fn complete(&mut self, earlier: Value) {
        let text = |mine: &mut String, other: String| {
            if mine.is_empty() {
                *mine = other;
            }
        };
        text(&mut self.kind, earlier.kind);
        text(&mut self.dtype, earlier.dtype);
        text(&mut self.device, earlier.device);
        self.shape = self.shape.take().or(earlier.shape);
        self.len = self.len.or(earlier.len);
        self.grad |= earlier.grad;
        if self.columns.is_empty() || self.more && !earlier.more && !earlier.columns.is_empty() {
            (self.columns, self.more) = (earlier.columns, earlier.more);
        } else {
            for (column, dtype) in &mut self.columns {
                let known = earlier.columns.iter().find(|(c, _)| c == column);
                text(dtype, known.map(|(_, t)| t.clone()).unwrap_or_default());
            }
        }
        if self.gaps.is_empty() {
            self.gaps = earlier.gaps;
        }
        if self.keys.is_empty() {
            self.keys = earlier.keys;
        }
    }

    /// The same, as the model of values has it. `now`: as it was when it failed; otherwise what may change in place is left
    /// out.
    pub(crate) fn told<'c>(&self, now: bool) -> nbmedic_values::Value<'c> {
        let array = matches!(
            self.kind.as_str(),
            "" | "ndarray" | "Tensor" | "Parameter" | "EagerTensor" | "ArrayImpl"
        );
        let table = matches!(self.kind.as_str(), "DataFrame" | "Series");
        let size = |n: &i64| Some(*n).filter(|n| *n >= 0).map(Size::Known);
        let dims = match &self.shape {
            Some(shape) => shape.iter().map(size).collect(),
            None => self.len.as_ref().and_then(size).map(|n| vec![n]),
        };
        let dtype = match self.kind.as_str() {
            "Tensor" if !self.dtype.is_empty() => format!("torch.{}", self.dtype),
            _ => self.dtype.clone(),
        };
        // The probe lists no more than some.
        let wide = self.shape.as_ref().and_then(|s| s.get(1).copied());
        let all = !self.more && wide.is_none_or(|n| i64::try_from(self.columns.len()) == Ok(n));
        let columns = || self.columns.iter().map(|(c, _)| c.clone()).collect();
        let whole = self.text.parse().ok().filter(|_| self.kind == "int");
        nbmedic_values::Value {
            dtype: dtype.into(),
            dims: dims.filter(|_| array || now),
            columns: (now && table && all && !self.columns.is_empty()).then(|| Rc::new(columns())),
            constant: whole.map(Constant::Int),
            ..nbmedic_values::Value::of(match self.kind.as_str() {
                // The class behind JAX's arrays.
                "ArrayImpl" => "Array".to_owned(),
                kind => kind.to_owned(),
            })
        }
    }

    /// Adds columns or keys set since.
    pub(crate) fn set(&mut self, names: Vec<String>) {
        for name in names {
            if !self.columns.is_empty() && self.columns.iter().all(|(c, _)| *c != name) {
                self.columns.push((name, String::new()));
                if let Some([_, wide]) = self.shape.as_deref_mut() {
                    *wide += 1;
                }
            } else if !self.keys.is_empty() && !self.keys.contains(&name) {
                self.keys.push(name);
            } else {
                // The column existed, but may contain something else now.
                self.columns
                    .iter_mut()
                    .filter(|(c, _)| *c == name)
                    .for_each(|(_, t)| t.clear());
                self.gaps.retain(|g| *g != name);
            }
        }
    }
}

/// An object that held memory when it ran out, according to the probe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    /// A global, an attribute of one, `Out`, or a local variable of the traceback.
    pub name: String,
    /// Type name.
    pub kind: String,
    /// Size in bytes.
    pub bytes: i64,
    /// Length of a container.
    pub len: Option<i64>,
    /// The types of its items.
    pub of: String,
    /// Number of contained tensors that keep an autograd graph.
    pub graphs: i64,
    /// The function that owns the variable, if the traceback keeps it alive.
    pub function: Option<String>,
    /// Whether the traceback of the previous failure kept it alive.
    pub before: bool,
}

fn text(json: Option<&Json>) -> String {
    json.and_then(Json::as_str).unwrap_or_default().to_owned()
}

fn items(json: Option<&Json>) -> impl Iterator<Item = &Json> {
    json.and_then(Json::as_array)
        .into_iter()
        .flatten()
        .take(MAX)
}

fn texts(json: Option<&Json>) -> Vec<String> {
    items(json)
        .filter_map(|j| Some(j.as_str()?.to_owned()))
        .collect()
}

fn value(json: &Json) -> Value {
    let get = |key: &str| json.get(key);
    let columns = texts(get("c"));
    let mut types = texts(get("ct")).into_iter();
    Value {
        kind: text(get("t")),
        dtype: text(get("d")),
        shape: get("s").map(|s| items(Some(s)).filter_map(Json::as_i64).collect()),
        device: text(get("dev")),
        grad: get("grad").is_some(),
        len: get("n").and_then(Json::as_i64),
        columns: columns
            .into_iter()
            .map(|c| (c, types.next().unwrap_or_default()))
            .collect(),
        gaps: texts(get("na")),
        keys: texts(get("k")),
        text: text(get("v")),
        sizes: get("l")
            .and_then(Json::as_object)
            .into_iter()
            .flatten()
            .filter_map(|(name, n)| Some((name.clone(), n.as_i64()?)))
            .collect(),
        arguments: texts(get("a")),
        failing: get("at").is_some(),
        ..Value::default()
    }
}

/// Reads the probe's block in an output, innermost frame last. Empty if there is none.
pub(crate) fn read(output: &str) -> Vec<Seen> {
    let Some((_, json)) = nbmedic_text::values(output) else {
        return Vec::new();
    };
    let Ok(json) = nbmedic_json::parse::<Json>(json) else {
        return Vec::new();
    };
    let frame = |json: &Json| {
        let [line, function, names] = json.as_array()?.as_slice() else {
            return None;
        };
        let name = |json: &Json| {
            let [name, facts] = json.as_array()?.as_slice() else {
                return None;
            };
            Some((name.as_str()?.to_owned(), value(facts)))
        };
        Some(Seen {
            line: u32::try_from(line.as_u64()?).ok()?,
            function: text(Some(function)),
            names: items(Some(names)).filter_map(name).collect(),
        })
    };
    items(json.get("f")).filter_map(frame).collect()
}

/// Reads the memory holders in the probe's block of an output, largest first. Empty if there are
/// none.
pub(crate) fn holders(output: &str) -> Vec<Holder> {
    let block = nbmedic_text::values(output).and_then(|(_, j)| nbmedic_json::parse::<Json>(j).ok());
    let holder = |json: &Json| {
        let [name, facts] = json.as_array()?.as_slice() else {
            return None;
        };
        let number = |key: &str| facts.get(key).and_then(Json::as_i64);
        Some(Holder {
            name: name.as_str()?.to_owned(),
            kind: text(facts.get("t")),
            bytes: number("b").filter(|b| *b > 0)?,
            len: number("n"),
            of: text(facts.get("of")),
            graphs: number("g").unwrap_or(0),
            function: facts.get("in").and_then(Json::as_str).map(str::to_owned),
            before: facts.get("was").is_some(),
        })
    };
    items(block.as_ref().and_then(|b| b.get("h")))
        .filter_map(holder)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_read_and_nonsense_is_nothing() {
        let block = |json: &str| {
            format!("KeyError: 'x'\nnbmedic: values when it failed\n  line 1\n⟦nbmedic:1 {json}⟧\n")
        };
        let seen = read(&block(
            r#"{"k":"v","f":[[3,"f",[["df",{"t":"DataFrame","s":[2,2],"c":["a","b"],"ct":["int64","object"],"na":["b"]}],["fc",{"t":"Linear","l":{"in_features":128}}]]]]}"#,
        ));
        let [frame] = seen.as_slice() else {
            panic!("{seen:?}")
        };
        assert_eq!((frame.line, frame.function.as_str()), (3, "f"));
        let (name, table) = &frame.names[0];
        assert_eq!((name.as_str(), table.kind.as_str()), ("df", "DataFrame"));
        assert_eq!(table.columns[1], ("b".to_owned(), "object".to_owned()));
        assert_eq!(table.shape, Some(vec![2, 2]));
        assert_eq!(frame.names[1].1.sizes, [("in_features".to_owned(), 128)]);
        for odd in [
            r#"{"k":"v","f":5}"#,
            r#"{"k":"v","f":[5,[1],["a","b","c"],[1,2,[3,["x"],[1,2]]]]}"#,
            r#"{"k":"v","f":[[-1,"f",[]]]"#,
        ] {
            let all = read(&block(odd));
            assert!(all.iter().all(|f| f.names.is_empty()), "{odd}: {all:?}");
        }
    }
}
