//! What the fixes of every fixture say: made for its framework and system, with every slot filled; their edits fit the
//! cells that they name.

// Tests read files; the engine does not.
#![allow(clippy::disallowed_methods)]

use nbmedic::catalog::{explain, plain, prose, Explained, FixText};
use nbmedic::examine;
use nbmedic::facts::{Edit, Framework, Front, Setting, System};
use nbmedic::notebook::{pieces, Piece};
use nbmedic::python;
use nbmedic::triage::Surface;

/// The modules of each framework's code.
const MODULES: &[(&str, Framework)] = &[
    ("torch", Framework::Torch),
    ("transformers", Framework::Torch),
    ("tensorflow", Framework::Tensorflow),
    ("keras", Framework::Tensorflow),
    ("jax", Framework::Jax),
    ("cupy", Framework::Cupy),
    ("onnxruntime", Framework::Onnxruntime),
    ("sklearn", Framework::Sklearn),
];

/// Commands that only a Linux has.
const LINUX: &[&str] = &[
    "apt-get ", "sudo ", "dmesg", "ldconfig", "sysctl", "/proc/", "free -h",
];

/// Words that are no package, though they follow "install" in prose.
const WORDS: &[&str] = &[
    "the", "a", "an", "it", "this", "package", "module", "of", "from", "is", "and",
];

/// Options of pip and uv whose value is the next word.
const VALUED: &[&str] = &[
    "-f",
    "-i",
    "-c",
    "-r",
    "-e",
    "-t",
    "--index-url",
    "--extra-index-url",
    "--find-links",
    "--only-binary",
    "--no-binary",
    "--python",
    "--target",
    "--index",
    "--prefix",
];

/// The distributions that a line's `pip install` names.
fn installed(line: &str) -> Vec<&str> {
    let Some(at) = line.find("pip install ") else {
        return Vec::new();
    };
    let command = line[at + "pip install ".len()..].split(['|', ';', '&', '>']);
    let mut words = command.take(1).flat_map(str::split_whitespace);
    let mut out = Vec::new();
    // `>` may stand in a quoted requirement.
    while let Some(word) = words.next() {
        if VALUED.contains(&word) {
            words.next();
        }
        let name = word.trim_matches(['"', '\'', '`']);
        let end = name
            .find(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c)))
            .unwrap_or(name.len());
        let (name, rest) = name.split_at(end);
        // Options, addresses, paths and files.
        let other = name.starts_with(['-', '.'])
            || rest.starts_with([':', '/', '+'])
            || [".txt", ".whl", ".toml"].iter().any(|e| name.ends_with(e));
        if !name.is_empty() && !other {
            out.push(name);
        }
    }
    out
}

/// The names in a fix's commands that are no distribution by the tables, and that no command or installer in the text
/// itself names as one.
fn strangers<'a>(code: &'a str, said: &str) -> Vec<&'a str> {
    let plain = |name: &str| name.to_lowercase().replace(['_', '.'], "-");
    let by_text = |name: &str| {
        let named = [
            "install ",
            "wheel for ",
            "requirement ",
            "Collecting ",
            "build ",
            "version of ",
            "Package '",
        ];
        named.iter().any(|w| said.contains(&format!("{w}{name}")))
            || ["==", ">=", "~=", "-"]
                .iter()
                .any(|w| said.contains(&format!("{name}{w}")))
    };
    let listed = |name: &str| {
        nbmedic_libraries::listed(name)
            .is_some_and(|p| plain(p.split(['<', '=']).next().unwrap_or(p)) == plain(name))
    };
    let all = lines(code).flat_map(installed);
    all.filter(|n| !listed(n) && !by_text(n)).collect()
}

fn texts() -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut files: Vec<_> = std::fs::read_dir("tests/fixtures/outputs")
        .expect("the fixtures are in the repository")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .collect();
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(file).expect("readable");
        for line in text.lines() {
            let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let field = |key: &str| row[key].as_str().expect(key).to_owned();
            out.push((field("id"), field("text")));
        }
    }
    out
}

/// The code that runs: no comments, no text behind them.
fn lines(code: &str) -> impl Iterator<Item = &str> {
    let lines = code
        .lines()
        .map(|l| l.split(" # ").next().unwrap_or(l).trim());
    lines.filter(|l| !l.is_empty() && !l.starts_with('#'))
}

fn imports(code: &str, module: &str) -> bool {
    lines(code).any(|l| {
        let named = l.strip_prefix("import ").or(l.strip_prefix("from "));
        let mut all = named.into_iter().flat_map(|n| n.split([' ', ',', ';']));
        l.starts_with(&format!("{module}.")) || all.any(|n| n.split('.').next() == Some(module))
    })
}

fn wrong_setting(id: &str, f: &FixText, s: &Setting, sources: &str) -> Option<String> {
    let known = &s.frameworks;
    // Boosters have scikit-learn's interface, and its encoders prepare their labels.
    let fits = |of: &Framework| {
        known.contains(of) || *of == Framework::Sklearn && known.contains(&Framework::Boosting)
    };
    let foreign = MODULES.iter().find(|(m, of)| {
        !known.is_empty() && !fits(of) && imports(&f.code, m) && !imports(sources, m)
    });
    if let Some((module, _)) = foreign {
        return Some(format!("code of {module}, but it is {known:?}"));
    }
    // Files and labels are arrays before they become tensors.
    let of_host = id.starts_with("host-") || f.id == "label-range";
    let own_arrays = imports(sources, "numpy");
    if !of_host && !own_arrays && arrays_for_tensors(f, known) {
        return Some(format!("code of numpy alone, but it is {known:?}"));
    }
    let linux = LINUX
        .iter()
        .find(|c| lines(&f.code).any(|l| l.contains(*c)));
    if let (Some(c), Some(System::Windows | System::Macos)) = (linux, s.system) {
        return Some(format!("`{c}` on {:?}", s.system));
    }
    let said = format!("{} {}", f.title, plain(&f.why));
    let hosted = said.contains("Change runtime type") || f.code.contains("google.colab");
    let elsewhere = matches!(
        s.front,
        Some(Front::Script | Front::Container | Front::Cluster)
    );
    (hosted && elsewhere).then(|| format!("a hosted notebook's advice in {:?}", s.front))
}

/// NumPy's functions where another framework's tensors failed. Keras takes arrays, and so do tables and models.
fn arrays_for_tensors(f: &FixText, known: &[Framework]) -> bool {
    const TENSORS: &[Framework] = &[
        Framework::Torch,
        Framework::Jax,
        Framework::Paddle,
        Framework::Mxnet,
    ];
    let tensors = !known.is_empty() && known.iter().all(|k| TENSORS.contains(k));
    let own = || {
        known
            .iter()
            .any(|k| MODULES.iter().any(|(m, of)| of == k && imports(&f.code, m)))
    };
    let arrays = |code: &str| lines(code).any(|l| l.contains("np.") && !l.contains("jnp."));
    tensors && arrays(&f.code) && !own()
}

fn unfilled(text: &str) -> bool {
    let slot = text.split("{{").skip(1).any(|rest| {
        let name = rest.split("}}").next().unwrap_or("");
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
    });
    slot || text.contains('\0')
}

/// `sources`: what the person's own cells hold, whose libraries any fix may use.
/// `said`: the failure's text.
fn complaints(id: &str, e: &Explained<'_>, sources: &str, said: &str, out: &mut Vec<String>) {
    for text in [&e.title, &e.summary_text(), &e.explanation_text()] {
        if unfilled(text) || text.contains(" ?") || text.contains("`?`") {
            out.push(format!("{id} {}: {text}", e.diagnosis.id));
        }
    }
    for f in &e.fixes {
        let mut say = |what: &str| out.push(format!("{id} {}/{}: {what}", e.diagnosis.id, f.id));
        if [&f.title, &f.code, &plain(&f.why)]
            .into_iter()
            .any(|t| unfilled(t))
            || f.title.contains('?')
        {
            say("a slot is not filled");
        }
        for name in strangers(&f.code, said) {
            say(&format!("`{name}` is no distribution that the tables know"));
        }
        if let Some(wrong) = wrong_setting(e.diagnosis.id, f, &e.diagnosis.setting, sources) {
            say(&wrong);
        }
        for line in
            lines(&f.code).filter(|l| l.contains("pip install ") || l.contains("conda install "))
        {
            let mut names = line
                .split_whitespace()
                .skip_while(|w| *w != "install")
                .skip(1);
            if names.any(|n| WORDS.contains(&n.trim_matches(['"', '\'']))) {
                say(line);
            }
        }
    }
}

/// The captured notebooks: the programs of `tests/proof`, as they failed in real kernels.
fn notebooks() -> Vec<(String, Vec<Piece>)> {
    let mut files = Vec::new();
    for folder in std::fs::read_dir("tests/proof/captured").expect("in the repository") {
        let folder = folder.expect("readable").path();
        let inside = std::fs::read_dir(folder).expect("a folder");
        files.extend(inside.map(|entry| entry.expect("readable").path()));
    }
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("readable");
        let kept: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let notebook = kept.get("notebook")?.to_string();
        let pieces = pieces("captured.ipynb", notebook).expect("a notebook");
        Some((kept["result"]["case"].as_str()?.to_owned(), pieces))
    };
    files.iter().filter_map(read).collect()
}

/// The sources of the cells that a fix changes, after it.
fn changed(f: &FixText, pieces: &[Piece]) -> Result<Vec<String>, String> {
    let source = |cell: usize| {
        let piece = pieces.iter().find(|p| p.cell == Some(cell));
        let text = piece.and_then(|p| p.source.as_deref());
        text.ok_or_else(|| format!("there is no cell {cell}"))
    };
    f.run
        .iter()
        .chain(&f.cell)
        .try_for_each(|cell| source(*cell).map(drop))?;
    let mut cells: Vec<usize> = f.edits.iter().map(|e| e.cell).collect();
    cells.dedup();
    cells
        .into_iter()
        .map(|cell| {
            let edits: Vec<_> = f.edits.iter().filter(|e| e.cell == cell).collect();
            let after = Edit::apply(source(cell)?, &edits);
            after.ok_or_else(|| format!("edits of cell {cell} that do not fit it"))
        })
        .collect()
}

#[test]
fn every_fix_is_made_for_its_setting_and_has_every_slot_filled() {
    let mut out = Vec::new();
    let mut fixes = 0;
    for (id, text) in texts() {
        let piece = Piece {
            text: text.clone(),
            ..Piece::default()
        };
        for one in examine(&[piece], Surface::Output) {
            for d in &one.diagnoses {
                let prose = prose(d.id).expect("every diagnosis has prose");
                let e = explain(d, &prose);
                fixes += e.fixes.len();
                complaints(&id, &e, "", &text, &mut out);
                if e.fixes.iter().any(|f| !f.edits.is_empty()) {
                    out.push(format!("{id} {}: an edit, though no cell is known", d.id));
                }
            }
        }
    }
    assert!(
        out.is_empty(),
        "{} complaints\n{}",
        out.len(),
        out.join("\n")
    );
    assert!(fixes > 1500, "only {fixes} fixes");
}

#[test]
fn every_edit_of_a_notebook_fits_its_cell_and_gives_python() {
    let mut out = Vec::new();
    let mut edited = 0;
    for (id, pieces) in notebooks() {
        let sources: Vec<&str> = pieces.iter().filter_map(|p| p.source.as_deref()).collect();
        let sources = sources.join("\n");
        let said: Vec<&str> = pieces.iter().map(|p| p.text.as_str()).collect();
        let said = said.join("\n");
        for d in examine(&pieces, Surface::Output)
            .iter()
            .flat_map(|e| &e.diagnoses)
        {
            let prose = prose(d.id).expect("every diagnosis has prose");
            let e = explain(d, &prose);
            complaints(&id, &e, &sources, &said, &mut out);
            for f in &e.fixes {
                let mut say = |what: String| out.push(format!("{id} {}/{}: {what}", d.id, f.id));
                match changed(f, &pieces) {
                    Err(what) => say(what),
                    Ok(sources) => {
                        edited += usize::from(!sources.is_empty());
                        for source in sources.iter().filter(|s| !python::Cell::is_valid(s)) {
                            say(format!("no Python:\n{source}"));
                        }
                    }
                }
            }
        }
    }
    assert!(
        out.is_empty(),
        "{} complaints\n{}",
        out.len(),
        out.join("\n")
    );
    assert!(edited > 150, "only {edited} fixes edit a cell");
}

#[test]
fn a_name_that_no_table_has_is_found() {
    let names = |code| strangers(code, "");
    assert_eq!(names("pip install --upgrade safe transformers"), ["safe"]);
    assert_eq!(names("%pip install \"fitz>=1\" pymupdf"), ["fitz"]);
    assert_eq!(
        names("pip install -f https://a.b/c.html torch_scatter"),
        [""; 0]
    );
    assert_eq!(
        names("pip install -r requirements.txt git+https://a.b/c"),
        [""; 0]
    );
    assert_eq!(
        strangers(
            "pip install sumlib",
            "ERROR: Failed building wheel for sumlib"
        ),
        [""; 0]
    );
}
