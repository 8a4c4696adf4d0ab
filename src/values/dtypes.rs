//! The names of types of elements.

/// NumPy's name for a type: `<f4` is `float32`, `int` is `int64`.
pub(crate) fn of_numpy(name: &str) -> String {
    let short = name.trim_start_matches(['<', '>', '=', '|']);
    let bytes = short.get(1..).and_then(|n| n.parse::<u32>().ok());
    let kind = match short.get(..1) {
        Some("f") => "float",
        Some("i") => "int",
        Some("u") => "uint",
        Some("c") => "complex",
        _ => "",
    };
    if let Some(bytes) = bytes.filter(|n| *n <= 32 && !kind.is_empty()) {
        return format!("{kind}{}", 8 * bytes);
    }
    let name = match name {
        "float" | "double" | "float_" | "d" => "float64",
        "int" | "int_" | "long" => "int64",
        "bool_" => "bool",
        "single" => "float32",
        "half" => "float16",
        "complex" => "complex128",
        other => other,
    };
    name.to_owned()
}

/// PyTorch's name for a type: `float` is `torch.float32`.
pub(crate) fn of_torch(name: &str) -> String {
    let name = name.strip_prefix("torch.").unwrap_or(name);
    let name = match name {
        "float" => "float32",
        "double" => "float64",
        "half" => "float16",
        "int" => "int32",
        "long" => "int64",
        "short" => "int16",
        "char" => "int8",
        "byte" => "uint8",
        other => other,
    };
    format!("torch.{name}")
}
