//! `nbmedic-bindgen WASM OUT_DIR NAME` writes the browser's side of a WASM module: `NAME.js` and
//! `NAME_bg.wasm`. It is the `wasm-bindgen` command with the options that the packages need.

use std::{env, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let [wasm, out, name] = args.as_slice() else {
        eprintln!("usage: nbmedic-bindgen WASM OUT_DIR NAME");
        return ExitCode::from(2);
    };
    match generate(Path::new(wasm), Path::new(out), name) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{wasm}: {e}");
            ExitCode::FAILURE
        }
    }
}

fn generate(wasm: &Path, out: &Path, name: &str) -> Result<(), String> {
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    bindgen
        .web(true)
        .map_err(|e| format!("{e:#}"))?
        .input_path(wasm)
        .out_name(name)
        .typescript(false)
        // A module that trapped is replaced by a new instance.
        .reset_state_function(name == "nbmedic")
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen.generate(out).map_err(|e| format!("{e:#}"))
}
