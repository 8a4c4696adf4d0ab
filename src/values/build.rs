//! Takes comments and examples off the rows: the engine needs neither.
// A build script reads files; the lints are for the engine.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("rows");
    println!("cargo:rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(&folder)?.map(|e| e.map(|e| e.path()));
    let mut files: Vec<PathBuf> = entries.collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|e| e == "txt"));
    files.sort();
    let mut code = String::from("const FILES: &[(&str, &str)] = &[\n");
    for file in files {
        let name = file.file_name().and_then(|s| s.to_str()).ok_or("a name")?;
        // A line keeps its number.
        let lines = fs::read_to_string(&file)?;
        let lines: Vec<&str> = lines.lines().map(plain).collect();
        code.push_str(&format!("({name:?}, {:?}),\n", lines.join("\n")));
    }
    code.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("rows.rs"), code)?;
    Ok(())
}

/// A line without its comment; nothing of the examples' own lines.
fn plain(line: &str) -> &str {
    match line.starts_with(['#', '>']) {
        true => "",
        false => line.split("  # ").next().unwrap_or("").trim_end(),
    }
}
