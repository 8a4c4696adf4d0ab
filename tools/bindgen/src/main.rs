//! `nbmedic-bindgen WASM OUT_DIR NAME` writes the browser's side of a WASM module: `NAME.js` and
//! `NAME_bg.wasm`. It is the `wasm-bindgen` command with the options that the packages need.

use std::{env, fs, path::Path, process::ExitCode};

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
        .reset_state_function(name != "pages")
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen.generate(out).map_err(|e| format!("{e:#}"))?;
    let glue = out.join(format!("{name}.js"));
    let js = fs::read_to_string(&glue).map_err(|e| e.to_string())?;
    fs::write(&glue, whole_texts(&js)?).map_err(|e| e.to_string())
}

/// Where the glue starts to copy a text into the module's memory, one character after the other.
const BY_CHARACTER: &str = "    let len = arg.length;
    let ptr = malloc(len, 1) >>> 0;
";
/// What comes before it: a text that is not short goes through the encoder as it is. A part cut off
/// it, as the glue takes where the first wide character stands, would be copied once more by the browser.
const WHOLE: &str = "    if (arg.length > 64) {
        let room = arg.length + (arg.length >> 2);
        let at = malloc(room, 1) >>> 0;
        let { read, written } = cachedTextEncoder.encodeInto(arg, getUint8ArrayMemory0().subarray(at, at + room));
        if (read < arg.length) {
            const rest = arg.slice(read);
            at = realloc(at, room, room = written + rest.length * 3, 1) >>> 0;
            written += cachedTextEncoder.encodeInto(rest, getUint8ArrayMemory0().subarray(at + written, at + room)).written;
        }
        WASM_VECTOR_LEN = written;
        return realloc(at, room, written, 1) >>> 0;
    }
";

/// The glue with the quicker way for long texts.
fn whole_texts(js: &str) -> Result<String, String> {
    match js.matches(BY_CHARACTER).count() {
        1 => Ok(js.replace(BY_CHARACTER, &format!("{WHOLE}{BY_CHARACTER}"))),
        n => Err(format!("{n} places where the glue copies texts, not one")),
    }
}
