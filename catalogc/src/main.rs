//! `nbmedic-catalogc prose CATALOG OUT` writes one prose file per diagnosis.

use std::{env, fs, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let [command, catalog, out] = args.as_slice() else {
        eprintln!("usage: nbmedic-catalogc prose CATALOG_DIR OUT_DIR");
        return ExitCode::from(2);
    };
    if command != "prose" {
        eprintln!("unknown command `{command}`: only `prose` is known");
        return ExitCode::from(2);
    }
    match write(Path::new(catalog), Path::new(out)) {
        Ok(n) => {
            println!("{n} prose files");
            ExitCode::SUCCESS
        }
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

fn write(catalog: &Path, out: &Path) -> Result<usize, String> {
    let rules = nbmedic_catalogc::load(catalog)?;
    fs::create_dir_all(out).map_err(|e| format!("{}: {e}", out.display()))?;
    for rule in &rules {
        let path = out.join(format!("{}.json", rule.id));
        fs::write(&path, nbmedic_catalogc::prose_json(rule))
            .map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(rules.len())
}
