//! Arrays whose size can be read in a source.

use serde::{Deserialize, Serialize};

/// The device on which an array is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Device {
    /// In the runtime's memory.
    Host,
    /// On the GPU.
    Gpu,
    /// On the GPU if there is one: TensorFlow and JAX.
    Default,
    /// The source chooses the device in a way that is not understood.
    Unknown,
}

/// One array that a cell creates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Allocation {
    /// Bytes of its elements.
    pub bytes: f64,
    /// Its shape.
    pub shape: Vec<i64>,
    /// The type of its elements, as given by the source or the library's default.
    pub dtype: String,
    /// The device on which it is created.
    pub device: Device,
    /// The line, from 1.
    pub line: u32,
}

impl Allocation {
    /// The shape as Python writes it.
    pub fn shape_text(&self) -> String {
        let dims: Vec<String> = self.shape.iter().map(|n| n.to_string()).collect();
        match dims.len() {
            1 => format!("({},)", dims[0]),
            _ => format!("({})", dims.join(", ")),
        }
    }
}

/// The memory of the largest GPU, in bytes: AMD's MI355X has 288 GB. A larger array fits no GPU.
pub const LARGEST_GPU: f64 = 288.0 * (1u64 << 30) as f64;
