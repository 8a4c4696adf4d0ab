//! The setting of a failure: frameworks, operating system, front end, versions. Derived from the
//! failure's frames, classes and words, by the marks in `setting.txt`.

use super::context::Context;
use super::finding::Place;
use nbmedic_facts::{Framework, Front, Owner, Setting, System, Work};
use nbmedic_text::Sieve;
use nbmedic_traceback::{Chain, Exception, Frame, Origin};
use std::ops::Range;
use std::sync::LazyLock;

const MARKS: &str = include_str!("setting.txt");

/// Maximum number of frameworks, and of versions, of one failure.
const MOST: usize = 6;
/// Maximum number of a source's lines that are read for imports.
const MAX_LINES: usize = 2000;

/// Maximum length of the part of a source that is searched for marks, in bytes.
const MAX_SOURCE: usize = 64 << 10;

/// The meaning of a mark.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tells {
    Framework(Framework),
    System(System),
    Front(Front),
    Work(Work),
    Conda,
}

impl Tells {
    fn named(word: &str) -> Option<Tells> {
        Some(match word {
            "windows" => Tells::System(System::Windows),
            "macos" => Tells::System(System::Macos),
            "linux" => Tells::System(System::Linux),
            "colab" => Tells::Front(Front::Colab),
            "kaggle" => Tells::Front(Front::Kaggle),
            "databricks" | "cluster" => Tells::Front(Front::Cluster),
            "container" => Tells::Front(Front::Container),
            "training" => Tells::Work(Work::Training),
            "inference" => Tells::Work(Work::Inference),
            "serving" => Tells::Work(Work::Serving),
            "loading" => Tells::Work(Work::Loading),
            "tables" => Tells::Work(Work::Tables),
            "building" => Tells::Work(Work::Building),
            "conda" => Tells::Conda,
            name => Tells::Framework(framework(name)?),
        })
    }
}

fn framework(name: &str) -> Option<Framework> {
    Some(match name {
        "torch" => Framework::Torch,
        "tensorflow" => Framework::Tensorflow,
        "jax" => Framework::Jax,
        "cupy" => Framework::Cupy,
        "paddle" => Framework::Paddle,
        "mxnet" => Framework::Mxnet,
        "onnxruntime" => Framework::Onnxruntime,
        "numpy" => Framework::Numpy,
        "pandas" => Framework::Pandas,
        "sklearn" => Framework::Sklearn,
        "ggml" => Framework::Ggml,
        "boosting" => Framework::Boosting,
        "numba" => Framework::Numba,
        _ => return None,
    })
}

/// The parsed `setting.txt`.
struct Table {
    packages: Vec<(&'static str, Framework)>,
    classes: Vec<(&'static str, Framework)>,
    find: Sieve,
    tells: Vec<Tells>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let (mut packages, mut classes) = (Vec::new(), Vec::new());
    let (mut words, mut tells) = (Vec::new(), Vec::new());
    for line in MARKS.lines().filter(|l| !l.starts_with('#')) {
        let Some((what, rest)) = line.split_once(' ') else {
            continue;
        };
        let list = match what {
            "package" => &mut packages,
            "class" => &mut classes,
            _ => {
                if let Some(tell) = Tells::named(what) {
                    words.push(rest);
                    tells.push(tell);
                }
                continue;
            }
        };
        let mut names = rest.split(' ');
        if let Some(of) = names.next().and_then(framework) {
            list.extend(names.map(|n| (n, of)));
        }
    }
    Table {
        packages,
        classes,
        find: Sieve::new(words),
        tells,
    }
});

/// An occurrence of a mark: its line and its meaning.
struct Seen {
    line: usize,
    tells: Tells,
}

/// The marks of a text, read once.
pub(super) struct Marks {
    seen: Vec<Seen>,
    in_cell: bool,
    traced: bool,
}

impl Marks {
    pub fn new(cx: &Context<'_>) -> Marks {
        let text = cx.doc.text();
        let mut seen = Vec::new();
        let mut last: Vec<usize> = vec![usize::MAX; TABLE.tells.len()];
        TABLE.find.each(text, &mut |id, at| {
            if !starts_word(text, &at) {
                return;
            }
            let line = cx.doc.line_at(at.start);
            // Once for each line is enough.
            if last[id] != line {
                last[id] = line;
                let tells = TABLE.tells[id];
                seen.push(Seen { line, tells });
            }
        });
        seen.sort_by_key(|s| s.line);
        let frames = || {
            let all = cx.chains.iter().flat_map(|c| &c.exceptions);
            all.flat_map(|e| &e.frames)
        };
        Marks {
            seen,
            in_cell: frames().any(|f| matches!(f.origin, Origin::Cell { .. })),
            traced: frames().next().is_some(),
        }
    }

    /// The setting of a failure, from its place and its lines of evidence.
    pub fn setting(&self, cx: &Context<'_>, place: Place, evidence: &[usize]) -> Setting {
        let chain = match place {
            Place::Exception(c, _) => Some(&cx.chains[c]),
            Place::Line(_) => None,
        };
        Setting {
            works: self.works(cx),
            owner: owner(cx, place),
            own_line: own_line(cx, place),
            frameworks: self.frameworks(cx, chain, evidence),
            system: self.system(cx),
            front: self.front(),
            conda: self.seen.iter().any(|s| s.tells == Tells::Conda),
            versions: versions(cx, evidence),
        }
    }

    fn frameworks(
        &self,
        cx: &Context<'_>,
        chain: Option<&Chain>,
        evidence: &[usize],
    ) -> Vec<Framework> {
        let mut out = Vec::new();
        let exceptions = || chain.into_iter().flat_map(|c| c.exceptions.iter().rev());
        for e in exceptions() {
            let frames = e.frames.iter().rev();
            let files = frames.filter(|f| f.origin == Origin::Library);
            out.extend(files.filter_map(|f| of_file(&f.file)));
            out.extend(of_class(e));
        }
        // Each line is looked up for every mark of the text.
        let mut own = vec![false; cx.doc.len()];
        let lines = exceptions().flat_map(|e| e.lines.clone());
        for line in lines.chain(evidence.iter().copied()) {
            if let Some(own) = own.get_mut(line) {
                *own = true;
            }
        }
        out.extend(self.told(|line| own[line]));
        // The user's own frames, the cell's names and the rest of the text, as far as they are needed.
        if out.is_empty() {
            out.extend(self.told(|line| chain.is_some_and(|c| c.lines.contains(&line))));
        }
        if out.is_empty() {
            out.extend(cx.source.into_iter().flat_map(of_source));
        }
        if out.is_empty() {
            out.extend(self.told(|_| true));
        }
        let mut unique = Vec::new();
        for f in out {
            if !unique.contains(&f) && unique.len() < MOST {
                unique.push(f);
            }
        }
        unique
    }

    fn told<'a>(&'a self, at: impl Fn(usize) -> bool + 'a) -> impl Iterator<Item = Framework> + 'a {
        let seen = self.seen.iter().filter(move |s| at(s.line));
        seen.filter_map(|s| match s.tells {
            Tells::Framework(f) => Some(f),
            _ => None,
        })
    }

    /// The evidence of the text or the cell's source for the work in progress.
    fn works(&self, cx: &Context<'_>) -> Vec<Work> {
        let mut out: Vec<Work> = Vec::new();
        let mut add = |tells| {
            if let Tells::Work(work) = tells {
                if !out.contains(&work) {
                    out.push(work);
                }
            }
        };
        self.seen.iter().for_each(|s| add(s.tells));
        if let Some(source) = cx.source {
            let source = &source[..source.floor_char_boundary(MAX_SOURCE)];
            TABLE.find.each(source, &mut |id, at| {
                if starts_word(source, &at) {
                    add(TABLE.tells[id]);
                }
            });
        }
        out
    }

    /// Frames are the surest evidence: a message may name a file of another machine.
    fn system(&self, cx: &Context<'_>) -> Option<System> {
        let systems = |inside: bool| {
            let seen = self
                .seen
                .iter()
                .filter(move |s| !inside || cx.in_traceback(s.line));
            seen.filter_map(|s| match s.tells {
                Tells::System(system) => Some(system),
                _ => None,
            })
        };
        // A Windows path excludes every other system; the others share some paths.
        let surest = |inside| systems(inside).max();
        surest(true).or_else(|| surest(false))
    }

    fn front(&self) -> Option<Front> {
        let has = |front| self.seen.iter().any(|s| s.tells == Tells::Front(front));
        let mut fronts = [Front::Colab, Front::Kaggle].into_iter();
        if let Some(front) = fronts.find(|f| has(*f)) {
            return Some(front);
        }
        if self.in_cell {
            return Some(Front::Notebook);
        }
        let mut fronts = [Front::Cluster, Front::Container].into_iter();
        let other = fronts.find(|f| has(*f));
        other.or(self.traced.then_some(Front::Script))
    }
}

/// The owner of the code that raised an exception: that of the innermost frame. Without frames, a cell's output belongs to
/// the cell's code.
fn owner(cx: &Context<'_>, place: Place) -> Option<Owner> {
    let Place::Exception(c, e) = place else {
        return None;
    };
    match asking(&cx.chains[c].exceptions[e].frames) {
        // Code from a string, whoever owns it.
        Some(f) if f.file.starts_with('<') && f.origin == Origin::Library => None,
        Some(f) if f.origin == Origin::Library => Some(Owner::Package),
        Some(_) => Some(Owner::Own),
        None => cx.source.map(|_| Owner::Own),
    }
}

/// Exceptions that are faults of the line that raises them, whatever values reach it.
const FAULTS_OF_A_LINE: &[&str] = &[
    "NameError",
    "UnboundLocalError",
    "SyntaxError",
    "ImportError",
    "ModuleNotFoundError",
];

/// Whether a line of the user's own code led to an exception, if that is known: a traceback that was cut off above shows
/// none either. A package that raises judges its input; a package's own faulty line is not the user's.
fn own_line(cx: &Context<'_>, place: Place) -> Option<bool> {
    let here = cx.source.map(|_| true);
    let Place::Exception(c, e) = place else {
        return here;
    };
    let error = &cx.chains[c].exceptions[e];
    let class = error.class.rsplit('.').next().unwrap_or_default();
    let fails = |f: &&Frame| {
        let raises = f
            .code
            .as_deref()
            .is_none_or(|c| c.trim_start().starts_with("raise"));
        f.origin == Origin::Library && below_packages(&f.file).is_some() && !raises
    };
    let last = error.frames.last().filter(fails);
    if FAULTS_OF_A_LINE.contains(&class) && last.is_some_and(|f| of_file(&f.file).is_none()) {
        return Some(false);
    }
    let exceptions = cx.chains[c].exceptions.iter();
    let mut origins = exceptions.flat_map(|e| &e.frames).map(|f| &f.origin);
    let first = origins.next();
    let own = |o: &Origin| *o != Origin::Library;
    here.or_else(|| first.map(|f| own(f) || origins.any(own)))
}

/// The frame that asked for the missing thing. A module's `__getattr__` and the functions that it calls only answer.
fn asking(frames: &[Frame]) -> Option<&Frame> {
    let answers = |f: &Frame| f.function.as_deref() == Some("__getattr__");
    match frames.iter().rposition(answers) {
        Some(at) if at > 0 => frames.get(at - 1),
        _ => frames.last(),
    }
}

/// The package whose file raised an exception, by the folder below the packages.
pub(super) fn raised_in(frames: &[Frame]) -> Option<&str> {
    let last = asking(frames).filter(|f| f.origin == Origin::Library)?;
    let rest = below_packages(&last.file).or_else(|| {
        // Files that a package generates: `unsloth_compiled_cache/…`.
        let mut parts = last.file.split(['/', '\\']);
        parts.find_map(|p| p.strip_suffix("_compiled_cache"))
    })?;
    let name = rest.split(['/', '\\', '.']).next()?;
    let valid = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    (!name.is_empty() && name.bytes().all(valid)).then_some(name)
}

fn starts_word(text: &str, at: &Range<usize>) -> bool {
    let begins =
        text[at.clone()].starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '/');
    let before = text[..at.start].chars().next_back();
    // A drive's colon follows its letter, and a path follows its folder.
    let joined = |c: char| c.is_alphanumeric() || "_-.~".contains(c);
    !begins || before.is_none_or(|c| !joined(c))
}

fn package(name: &str) -> Option<Framework> {
    let mut all = TABLE.packages.iter();
    all.find(|(n, _)| *n == name).map(|(_, f)| *f)
}

/// The framework whose file a frame names: the folder below `site-packages`, or the first of a relative path.
fn of_file(file: &str) -> Option<Framework> {
    let rest = match below_packages(file) {
        Some(rest) => rest,
        None if file.starts_with(['/', '~', '<']) => return None,
        None => file,
    };
    package(rest.split(['/', '\\', '.']).next()?)
}

/// The part of a file's path after `site-packages/` or `dist-packages/`.
fn below_packages(file: &str) -> Option<&str> {
    let (_, rest) = file.split_once("-packages")?;
    Some(rest.trim_start_matches(['/', '\\']))
}

fn of_class(e: &Exception) -> Option<Framework> {
    let module = e.class.split_once('.').map(|(m, _)| m);
    let mut all = TABLE.classes.iter();
    let own = || all.find(|(n, _)| *n == e.name()).map(|(_, f)| *f);
    module.and_then(package).or_else(own)
}

/// The frameworks that a source imports, or uses by their customary names.
fn of_source(source: &str) -> Vec<Framework> {
    let mut out = Vec::new();
    for line in source.lines().take(MAX_LINES).map(str::trim_start) {
        let module = line.strip_prefix("import ").or(line.strip_prefix("from "));
        let first = module.map(|m| m.trim_start().split([' ', '.', ',']).next().unwrap_or(""));
        out.extend(first.and_then(package));
    }
    TABLE.find.each(source, &mut |id, at| {
        if let Tells::Framework(f) = TABLE.tells[id] {
            if source[at.clone()].ends_with('.') && starts_word(source, &at) {
                out.push(f);
            }
        }
    });
    out
}

/// Versions that the text states near the failure: Python's from the folders of its frames, packages' as in
/// `torch==2.1.0` or `torch-2.1.0.dist-info`.
fn versions(cx: &Context<'_>, evidence: &[usize]) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, version: &str| {
        if out.len() < MOST && !out.iter().any(|(n, _)| n == name) {
            out.push((name.to_owned(), version.to_owned()));
        }
    };
    let frames = cx.chains.iter().flat_map(|c| &c.exceptions);
    for file in frames.flat_map(|e| &e.frames).map(|f| f.file.as_str()) {
        let Some((_, rest)) = file.split_once("python3.") else {
            continue;
        };
        let minor = number(rest);
        if !minor.is_empty() {
            add("python", &format!("3.{minor}"));
            break;
        }
    }
    let last = cx.chains.iter().rev().find(|c| !c.ignored());
    let message = last.map(|c| c.last().message.as_str());
    let lines = evidence.iter().map(|i| cx.doc.line(*i));
    for text in message.into_iter().chain(lines) {
        for (name, _) in &TABLE.packages {
            for (at, _) in text.match_indices(name).take(8) {
                let whole = starts_word(text, &(at..at + name.len()));
                let rest = &text[at + name.len()..];
                let mark = ["==", "-", " version ", " "]
                    .iter()
                    .find_map(|m| rest.strip_prefix(m));
                let version = mark.map(|m| m.trim_start_matches('v')).map_or("", dotted);
                if whole && version.contains('.') {
                    add(name, version);
                }
            }
        }
    }
    out
}

fn number(text: &str) -> &str {
    let end = text.bytes().position(|b| !b.is_ascii_digit());
    &text[..end.unwrap_or(text.len())]
}

fn dotted(text: &str) -> &str {
    let end = text.bytes().position(|b| !b.is_ascii_digit() && b != b'.');
    text[..end.unwrap_or(text.len())].trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use crate::{triage, Input};
    use nbmedic_facts::{Framework, Front, Owner, Setting, System, Work};

    fn setting(text: &str, source: Option<&str>) -> Setting {
        let found = triage(&Input {
            text,
            source,
            ..Input::default()
        });
        found.into_iter().next().expect("a diagnosis").setting
    }

    #[test]
    fn what_was_done_and_whose_code_failed_are_read() {
        let oom = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.";
        assert_eq!(setting(oom, None).works, []);
        assert_eq!(setting(oom, None).owner, None);
        let trained = setting(
            oom,
            Some("for x in loader:\n    loss = f(x)\n    loss.backward()\n"),
        );
        assert_eq!(trained.works, [Work::Training]);
        let served = format!("(EngineCore pid=7) starting\n{oom}");
        assert_eq!(setting(&served, None).works, [Work::Serving]);
        let inside = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    import lib\n  File \"/v/lib/python3.12/site-packages/lib/core.py\", line 4, in f\n    return LIMITS\nNameError: name 'LIMITS' is not defined\n";
        assert_eq!(setting(inside, None).owner, Some(Owner::Package));
        // The library that answers for its module is not the one that asks.
        let gone = "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    from lib import Old\n  File \"/v/lib/python3.12/site-packages/lib/__init__.py\", line 4, in __getattr__\n    return moved(name)\n  File \"/v/lib/python3.12/site-packages/lib/_moved.py\", line 9, in moved\n    raise ImportError(name)\nImportError: cannot import name 'Old' from 'lib'\n";
        assert_eq!(setting(gone, None).owner, Some(Owner::Own));
        assert_eq!(setting(inside, None).own_line, Some(false));
        let judged = inside.replace("return LIMITS", "raise NameError(text)");
        assert_eq!(setting(&judged, None).own_line, Some(true));
        // What a package passes on to `open` is the user's.
        let passed = inside.replace(
            "NameError: name 'LIMITS' is not defined",
            "FileNotFoundError: [Errno 2] No such file or directory: 'a.csv'",
        );
        assert_eq!(setting(&passed, None).own_line, Some(true));
        let theirs = "Traceback (most recent call last):\n  File \"/v/lib/python3.12/site-packages/app/main.py\", line 1, in main\n    run()\n  File \"/v/lib/python3.12/site-packages/lib/core.py\", line 4, in f\n    return LIMITS\nNameError: name 'LIMITS' is not defined\n";
        assert_eq!(setting(theirs, None).own_line, Some(false));
        let framework = theirs.replace("/lib/core", "/torch/core");
        assert_eq!(setting(&framework, None).own_line, Some(false));
        assert_eq!(setting(&framework, Some("app()")).own_line, Some(true));
        let short = "NameError: name 'limits' is not defined";
        assert_eq!(setting(short, None).own_line, None);
        assert_eq!(setting(short, None).owner, None);
        assert_eq!(setting(short, Some("limits")).owner, Some(Owner::Own));
    }

    #[test]
    fn frames_tell_the_framework_the_system_and_the_front_end() {
        let text = "Traceback (most recent call last):\n  File \"C:\\Users\\me\\train.py\", line 3, in <module>\n    m.fit(x)\n  File \"C:\\Users\\me\\venv\\Lib\\site-packages\\keras\\src\\layers\\input_spec.py\", line 186, in f\n    raise ValueError(\nValueError: Input 0 of layer \"dense\" is incompatible with the layer: expected axis -1 of input shape to have value 4, but received input with shape (None, 3)\n";
        let s = setting(text, None);
        assert_eq!(s.frameworks, [Framework::Tensorflow]);
        assert_eq!(s.system, Some(System::Windows));
        assert_eq!(s.front, Some(Front::Script));

        let text = "---------------------------------------------------------------------------\nRuntimeError                              Traceback (most recent call last)\n/tmp/ipython-input-12-1.py in <cell line: 0>()\n      1 import torch\n----> 2 torch.zeros(2, 3) @ torch.zeros(2, 3)\n\n/usr/local/lib/python3.12/dist-packages/torch/x.py in f(self)\n      1 a\n----> 2 b\n\nRuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)\n";
        let s = setting(text, None);
        assert_eq!(s.frameworks, [Framework::Torch]);
        assert_eq!(s.front, Some(Front::Notebook));
        assert_eq!(s.system, Some(System::Linux));
        assert_eq!(s.version("python"), Some("3.12"));
    }

    #[test]
    fn words_tell_it_without_frames() {
        for (text, framework) in [
            ("ResourceExhaustedError: OOM when allocating tensor with shape[4096,25088] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc [Op:MatMul]", Framework::Tensorflow),
            ("jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 8589934592 bytes.", Framework::Jax),
            ("cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 6,442,450,944 bytes (allocated so far: 6,400,000,000 bytes).", Framework::Cupy),
            ("ValueError: operands could not be broadcast together with shapes (3,) (4,) ", Framework::Numpy),
        ] {
            assert_eq!(setting(text, None).frameworks, [framework], "{text}");
        }
    }

    #[test]
    fn the_cell_tells_it_only_if_nothing_nearer_does() {
        let text = "ValueError: operands could not be broadcast together with shapes (3,) (4,) ";
        let source = Some("import torch\nx = torch.ones(3)");
        assert_eq!(setting(text, source).frameworks, [Framework::Numpy]);
        let text = "KeyError: 'weights'";
        assert_eq!(setting(text, source).frameworks, [Framework::Torch]);
        assert!(setting(text, Some("x['weights']")).frameworks.is_empty());
    }

    #[test]
    fn a_user_folder_of_another_path_is_no_mac() {
        let text = "Traceback (most recent call last):\n  File \"/mnt/c/Users/me/a.py\", line 1, in <module>\n    open('b')\nFileNotFoundError: [Errno 2] No such file or directory: 'b'\n";
        assert_eq!(setting(text, None).system, Some(System::Linux));
        let text = text.replace("/mnt/c", "");
        assert_eq!(setting(&text, None).system, Some(System::Macos));
    }
}
