//! Lists the tables of `tables/`, with the modules that each library is imported as.
// A build script reads files; the lints are for the engine.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("tables");
    println!("cargo:rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(&folder)?.map(|e| e.map(|e| e.path()));
    let mut files: Vec<PathBuf> = entries.collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|e| e == "txt"));
    files.sort();
    let (mut names, mut imports, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        let library = file.file_stem().and_then(|s| s.to_str()).ok_or("a name")?;
        let text = fs::read_to_string(&file)?;
        let line = text.lines().find_map(|l| l.strip_prefix("imports "));
        for module in line.ok_or("a table without imports")?.split_whitespace() {
            imports.push((module.to_owned(), library.to_owned()));
        }
        names.push(library.to_owned());
        texts.push(format!("include_str!({:?})", file.display().to_string()));
    }
    imports.sort();
    let code = format!(
        "const NAMES: &[&str] = &{names:?};\n\
         const IMPORTS: &[(&str, &str)] = &{imports:?};\n\
         #[cfg(feature = \"embedded\")]\nconst TEXTS: &[&str] = &[{}];\n",
        texts.join(", ")
    );
    fs::write(Path::new(&env::var("OUT_DIR")?).join("tables.rs"), code)?;
    Ok(())
}
