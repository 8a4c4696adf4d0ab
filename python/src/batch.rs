//! Record batches over the Arrow C data interface: texts are read where they lie, in memory of whoever made them.
#![allow(unsafe_code)]

use arrow_array::builder::{
    Float32Builder, Int64Builder, MapBuilder, MapFieldNames, StringBuilder,
};
use arrow_array::cast::AsArray;
use arrow_array::ffi::{from_ffi, FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::types::{Int16Type, Int32Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{DataType, Field, Schema};
use nbmedic::catalog::prose;
use nbmedic::facts::{FixKind, Value};
use nbmedic::report::{redact_diagnosis, Entry, Known};
use nbmedic::triage::{Diagnosis, Surface};
use nbmedic_cli::functions;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::CStr;
use std::sync::Arc;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";

/// The columns of a batch that are read.
pub struct Columns<'a> {
    /// The texts.
    pub text: &'a str,
    /// What people call each text, if there is such a column.
    pub id: Option<&'a str>,
    /// The source of the cell that printed it, if there is such a column.
    pub source: Option<&'a str>,
    /// Whether secrets and personal data are taken out of the answer.
    pub redact: bool,
}

/// A batch's diagnoses, as a schema and an array of the C data interface.
pub fn triage<'py>(
    py: Python<'py>,
    batch: &Bound<'py, PyAny>,
    columns: &Columns<'_>,
    surface: Surface,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let batch = taken(batch)?;
    let told = py
        .detach(|| judged(&batch, columns, surface))
        .map_err(PyValueError::new_err)?;
    drop(batch);
    let data = StructArray::from(told).into_data();
    let wrong = |e: arrow_schema::ArrowError| PyValueError::new_err(e.to_string());
    let schema = FFI_ArrowSchema::try_from(data.data_type()).map_err(wrong)?;
    Ok((
        PyCapsule::new_with_value(py, schema, SCHEMA)?,
        PyCapsule::new_with_value(py, FFI_ArrowArray::new(&data), ARRAY)?,
    ))
}

/// Takes over what `__arrow_c_array__` hands over.
fn taken(batch: &Bound<'_, PyAny>) -> PyResult<RecordBatch> {
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = batch
        .call_method0("__arrow_c_array__")
        .map_err(|_| {
            PyTypeError::new_err("not an Arrow record batch: it has no __arrow_c_array__")
        })?
        .extract()?;
    let schema = schema.pointer_checked(Some(SCHEMA))?;
    let array = array.pointer_checked(Some(ARRAY))?;
    // SAFETY: capsules of these names hold these structures (Arrow's PyCapsule interface). The array is moved out, which
    // leaves a released one behind; the schema is only read while its capsule lives.
    let data = unsafe {
        from_ffi(
            FFI_ArrowArray::from_raw(array.as_ptr().cast()),
            &*schema.as_ptr().cast::<FFI_ArrowSchema>(),
        )
    };
    let data = data.map_err(|e| PyValueError::new_err(e.to_string()))?;
    if !matches!(data.data_type(), DataType::Struct(_)) {
        return Err(PyTypeError::new_err(
            "not an Arrow record batch, but one array",
        ));
    }
    // Offsets and UTF-8 are somebody else's: nothing is read before they are checked.
    data.validate_full()
        .map_err(|e| PyValueError::new_err(e.to_string()))?;
    if data.null_count() > 0 {
        return Err(PyTypeError::new_err(
            "not an Arrow record batch: some of its rows are null",
        ));
    }
    Ok(RecordBatch::from(&StructArray::from(data)))
}

/// A column of texts.
enum Texts<'a> {
    Short(&'a arrow_array::StringArray),
    Long(&'a arrow_array::LargeStringArray),
    View(&'a arrow_array::StringViewArray),
}

impl<'a> Texts<'a> {
    fn of(batch: &'a RecordBatch, name: &str) -> Result<Self, String> {
        let column = column(batch, name)?;
        match column.data_type() {
            DataType::Utf8 => Ok(Texts::Short(column.as_string())),
            DataType::LargeUtf8 => Ok(Texts::Long(column.as_string())),
            DataType::Utf8View => Ok(Texts::View(column.as_string_view())),
            other => Err(format!("the column {name:?} is {other}, not text")),
        }
    }

    fn at(&self, row: usize) -> Option<&'a str> {
        match self {
            Texts::Short(a) => a.is_valid(row).then(|| a.value(row)),
            Texts::Long(a) => a.is_valid(row).then(|| a.value(row)),
            Texts::View(a) => a.is_valid(row).then(|| a.value(row)),
        }
    }
}

fn column<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a ArrayRef, String> {
    let fields = batch.schema_ref().fields();
    batch.column_by_name(name).ok_or_else(|| {
        let names: Vec<&str> = fields.iter().map(|f| f.name().as_str()).collect();
        format!("no column {name:?}, but {}", names.join(", "))
    })
}

/// A row's id as text.
fn id(column: &ArrayRef, row: usize) -> Option<String> {
    if column.is_null(row) {
        return None;
    }
    Some(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
        DataType::LargeUtf8 => column.as_string::<i64>().value(row).to_owned(),
        DataType::Utf8View => column.as_string_view().value(row).to_owned(),
        DataType::Int16 => column.as_primitive::<Int16Type>().value(row).to_string(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(row).to_string(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(row).to_string(),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(row).to_string(),
        _ => return None,
    })
}

/// The rows of the answer, one for each diagnosis.
struct Rows {
    row: Int64Builder,
    text_id: StringBuilder,
    id: StringBuilder,
    variant: StringBuilder,
    confidence: Float32Builder,
    title: StringBuilder,
    facts: MapBuilder<StringBuilder, StringBuilder>,
    fix: StringBuilder,
    signature: StringBuilder,
    line: Int64Builder,
    cell: Int64Builder,
    said: StringBuilder,
}

impl Rows {
    fn add(&mut self, row: usize, text_id: Option<&str>, d: &Diagnosis) -> Result<(), String> {
        let entry = Entry::new(d, prose(d.id).as_ref());
        self.row
            .append_value(i64::try_from(row).unwrap_or_default());
        self.text_id.append_option(text_id);
        self.id.append_value(d.id);
        self.variant.append_option(d.variant);
        self.confidence.append_value(d.confidence);
        self.title.append_value(&entry.title);
        for (name, value) in &d.facts {
            self.facts.keys().append_value(name);
            self.facts.values().append_value(said(value));
        }
        self.facts.append(true).map_err(|e| e.to_string())?;
        // What only shows where to look repairs nothing.
        let fix = entry.fixes.iter().find(|f| f.kind != FixKind::Look);
        self.fix
            .append_option(fix.or(entry.fixes.first()).map(|f| f.id.as_str()));
        self.signature.append_value(functions::signature(d));
        let number = |n: usize| i64::try_from(n).ok().filter(|n| *n > 0);
        let first = d.evidence.first();
        self.line.append_option(first.and_then(|e| number(e.line)));
        self.cell.append_option(d.location.cell.and_then(number));
        self.said.append_option(first.map(|e| e.text.as_str()));
        Ok(())
    }

    fn batch(mut self) -> Result<RecordBatch, String> {
        let facts = self.facts.finish();
        let fields = vec![
            Field::new("row", DataType::Int64, false),
            Field::new("text_id", DataType::Utf8, true),
            Field::new("id", DataType::Utf8, false),
            Field::new("variant", DataType::Utf8, true),
            Field::new("confidence", DataType::Float32, false),
            Field::new("title", DataType::Utf8, false),
            Field::new("facts", facts.data_type().clone(), false),
            Field::new("fix", DataType::Utf8, true),
            Field::new("signature", DataType::Utf8, false),
            Field::new("line", DataType::Int64, true),
            Field::new("cell", DataType::Int64, true),
            Field::new("said", DataType::Utf8, true),
        ];
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.row.finish()),
            Arc::new(self.text_id.finish()),
            Arc::new(self.id.finish()),
            Arc::new(self.variant.finish()),
            Arc::new(self.confidence.finish()),
            Arc::new(self.title.finish()),
            Arc::new(facts),
            Arc::new(self.fix.finish()),
            Arc::new(self.signature.finish()),
            Arc::new(self.line.finish()),
            Arc::new(self.cell.finish()),
            Arc::new(self.said.finish()),
        ];
        RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).map_err(|e| e.to_string())
    }
}

/// A fact as text; shapes as JSON.
fn said(value: &Value) -> String {
    match value {
        Value::Int(n) => n.to_string(),
        Value::Number(n) => n.to_string(),
        Value::Text(t) => t.clone(),
        Value::Shapes(s) => format!("{s:?}"),
    }
}

fn judged(
    batch: &RecordBatch,
    columns: &Columns<'_>,
    surface: Surface,
) -> Result<RecordBatch, String> {
    let texts = Texts::of(batch, columns.text)?;
    let ids = columns.id.map(|name| column(batch, name)).transpose()?;
    let sources = columns
        .source
        .map(|name| Texts::of(batch, name))
        .transpose()?;
    let names = MapFieldNames {
        entry: "entries".to_owned(),
        key: "key".to_owned(),
        value: "value".to_owned(),
    };
    let mut rows = Rows {
        row: Int64Builder::new(),
        text_id: StringBuilder::new(),
        id: StringBuilder::new(),
        variant: StringBuilder::new(),
        confidence: Float32Builder::new(),
        title: StringBuilder::new(),
        facts: MapBuilder::new(Some(names), StringBuilder::new(), StringBuilder::new()),
        fix: StringBuilder::new(),
        signature: StringBuilder::new(),
        line: Int64Builder::new(),
        cell: Int64Builder::new(),
        said: StringBuilder::new(),
    };
    for row in 0..batch.num_rows() {
        let Some(text) = texts.at(row) else { continue };
        let mut found = Vec::new();
        match sources.as_ref().and_then(|s| s.at(row)) {
            None => functions::each(text, surface, &mut |d| found.push(d)),
            Some(source) => {
                // What is no text says nothing; the other rows do.
                let judged =
                    functions::triage(text, Some(source), surface, false).unwrap_or_default();
                found.extend(judged.found.into_iter().map(|(d, _)| d));
            }
        }
        let text_id = ids.and_then(|column| id(column, row));
        let known = match columns.redact && !found.is_empty() {
            true => Known::of(
                [sources.as_ref().and_then(|s| s.at(row)), Some(text)]
                    .into_iter()
                    .flatten(),
            ),
            false => Known::default(),
        };
        for d in &mut found {
            if columns.redact {
                redact_diagnosis(d, &known);
            }
            rows.add(row, text_id.as_deref(), d)?;
        }
    }
    rows.batch()
}
