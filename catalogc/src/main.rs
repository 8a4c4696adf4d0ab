//! `nbmedic-catalogc prose CATALOG OUT` writes one prose file per diagnosis;
//! `nbmedic-catalogc fmt CATALOG` formats every file's TOML; `check` only lists the files that `fmt`
//! would change.

use std::path::{Path, PathBuf};
use std::{env, fs, process::ExitCode};

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["prose", catalog, out] => write(Path::new(catalog), Path::new(out)),
        ["fmt", catalog] => spell(Path::new(catalog), true),
        ["check", catalog] => spell(Path::new(catalog), false),
        _ => {
            eprintln!("usage: nbmedic-catalogc prose CATALOG_DIR OUT_DIR | fmt CATALOG_DIR | check CATALOG_DIR");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

fn write(catalog: &Path, out: &Path) -> Result<String, String> {
    let rules = nbmedic_catalogc::load(catalog)?;
    fs::create_dir_all(out).map_err(|e| format!("{}: {e}", out.display()))?;
    for rule in &rules {
        let path = out.join(format!("{}.json", rule.id));
        fs::write(&path, nbmedic_catalogc::prose_json(rule))
            .map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(format!("{} prose files", rules.len()))
}

/// Lists the files that are not formatted, and formats them if `change` is set.
fn spell(catalog: &Path, change: bool) -> Result<String, String> {
    let mut other = Vec::new();
    for path in files(catalog)? {
        let named = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let text = fs::read_to_string(&path).map_err(|e| named(&e))?;
        let right = nbmedic_catalogc::formatted(&text).map_err(|e| named(&e))?;
        if right != text {
            if change {
                fs::write(&path, right).map_err(|e| named(&e))?;
            }
            other.push(path.display().to_string());
        }
    }
    match other.is_empty() || change {
        true => Ok(format!("{} files changed", other.len())),
        false => Err(format!(
            "`nbmedic-catalogc fmt` changes {}",
            other.join(", ")
        )),
    }
}

/// Every `<family>/<id>.md`.
fn files(catalog: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let list = |path: &Path| -> Result<Vec<PathBuf>, String> {
        let all = fs::read_dir(path).and_then(|all| all.map(|e| Ok(e?.path())).collect());
        all.map_err(|e: std::io::Error| format!("{}: {e}", path.display()))
    };
    for family in list(catalog)?.iter().filter(|p| p.is_dir()) {
        let all = list(family)?.into_iter();
        found.extend(all.filter(|p| p.extension().is_some_and(|e| e == "md")));
    }
    found.sort();
    Ok(found)
}
