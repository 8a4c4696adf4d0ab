//! Lists the tables of `tables/`, with the modules that each library is imported as.
// A build script reads files; the lints are for the engine.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The libraries of the feature `common`: together about 210 kB when compressed.
const COMMON: &[&str] = &[
    "keras",
    "matplotlib",
    "numpy",
    "pandas",
    "pillow",
    "scikit-learn",
    "seaborn",
    "torch",
    "xgboost",
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("tables");
    println!("cargo:rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(&folder)?.map(|e| e.map(|e| e.path()));
    let mut files: Vec<PathBuf> = entries.collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|e| e == "txt"));
    files.sort();
    let all = env::var_os("CARGO_FEATURE_EMBEDDED").is_some();
    let some = env::var_os("CARGO_FEATURE_COMMON").is_some();
    let (mut names, mut imports, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        let library = file.file_stem().and_then(|s| s.to_str()).ok_or("a name")?;
        let text = fs::read_to_string(&file)?;
        let line = text.lines().find_map(|l| l.strip_prefix("imports "));
        for module in line.ok_or("a table without imports")?.split_whitespace() {
            imports.push((module.to_owned(), library.to_owned()));
        }
        names.push(library.to_owned());
        let has = all || some && COMMON.contains(&library);
        texts.push(match has {
            true => format!("Some(include_str!({:?}))", file.display().to_string()),
            false => "None".to_owned(),
        });
    }
    imports.sort();
    let code = format!(
        "const NAMES: &[&str] = &{names:?};\n\
         const IMPORTS: &[(&str, &str)] = &{imports:?};\n\
         const TEXTS: &[Option<&str>] = &[{}];\n",
        texts.join(", ")
    );
    fs::write(Path::new(&env::var("OUT_DIR")?).join("tables.rs"), code)?;
    Ok(())
}
