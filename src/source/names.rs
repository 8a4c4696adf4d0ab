//! Names that a cell defines, imports and uses, and a few things that it does.

use super::install::Installer;
use super::lines::{is_name, statements, string};

/// Whether a cell binds a name where other cells can see it: by assignment, `def`, `class`,
/// `import`, `for`, `with`.
pub fn defines(source: &str, name: &str) -> bool {
    // The indent of the function or class that contains the line: names bound there are local.
    let mut inside: Option<usize> = None;
    for line in &statements(source) {
        let t = &line.tokens;
        if inside.is_some_and(|indent| line.indent <= indent) {
            inside = None;
        }
        let own = inside.is_some();
        let scope = matches!(t[0], "def" | "class" | "async");
        if scope && !own {
            inside = Some(line.indent);
        }
        let Some(at) = t.iter().position(|x| *x == name) else {
            continue;
        };
        let before = at.checked_sub(1).map_or("", |i| t[i]);
        let binds = match t[0] {
            "global" => true,
            _ if own => false,
            "def" | "class" => at == 1,
            "async" => before == "def",
            "import" | "from" => (1..t.len()).any(|i| {
                let renamed = t.get(i + 1) == Some(&"as");
                t[i] == name && !renamed && matches!(t[i - 1], "import" | "," | "(" | "as")
            }),
            "for" => t.iter().position(|x| *x == "in").is_some_and(|i| at < i),
            "with" | "except" => before == "as",
            // The tokens before the first `=`, outside a call.
            _ => {
                let call = t.iter().skip(1).position(|x| matches!(*x, "(" | "[" | "."));
                let mut end = t.iter().position(|x| matches!(*x, "=" | ":"));
                if end.is_some_and(|end| t[end] == "=") {
                    // `a = b = f(c=d)`: the last one outside the call.
                    let to = call.map_or(t.len(), |i| i + 1);
                    end = t[..to].iter().rposition(|x| *x == "=").or(end);
                }
                let target = call.is_none_or(|i| at <= i) && t.contains(&"=");
                let walrus = t.get(at + 1) == Some(&":=");
                target && before != "." && end.is_some_and(|end| at < end) || walrus
            }
        };
        if binds {
            return true;
        }
    }
    false
}

/// The modules that a cell imports, by their first names.
pub fn imports(source: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for line in &statements(source) {
        let t = &line.tokens;
        match t[0] {
            "from" => out.extend(t.get(1).map(|x| (*x).to_owned())),
            "import" => {
                let names = (1..t.len()).filter(|i| matches!(t[i - 1], "import" | ","));
                out.extend(names.map(|i| t[i].to_owned()));
            }
            _ => {}
        }
    }
    out
}

/// The line (from 1) of a call with which a cell ends its own kernel, and whether it is reached
/// whenever the cell runs that far: it is not in a condition, function or `try`.
pub fn ends_kernel(source: &str) -> Option<(u32, bool)> {
    let calls: &[&[&str]] = &[
        &["os", ".", "_exit", "("],
        &["os", ".", "abort", "("],
        &["os", ".", "kill", "(", "os", ".", "getpid", "("],
        &["do_shutdown", "("],
        &["condacolab", ".", "install"],
    ];
    let has = |t: &[&str]| calls.iter().any(|c| t.windows(c.len()).any(|w| w == *c));
    let alone = |t: &[&str]| matches!(t, ["exit" | "quit", "(", ..]);
    statements(source)
        .iter()
        .find(|l| has(&l.tokens) || (l.plain && alone(&l.tokens)))
        .map(|l| (l.number, l.plain))
}

/// What a cell installs packages with.
pub fn installer(source: &str) -> Option<Installer> {
    source.lines().take(2000).find_map(|line| {
        let line = line.trim_start();
        let shell = line.strip_prefix(['!', '%']).or_else(|| {
            let bash = source.trim_start();
            (bash.starts_with("%%bash") || bash.starts_with("%%sh")).then_some(line)
        });
        let from_python = ["subprocess", "os.system", "get_ipython"];
        let called = from_python.iter().any(|c| line.contains(c));
        let text = shell.or(called.then_some(line))?;
        Installer::of(text)
    })
}

/// Whether a cell seems to write checkpoints or results.
pub fn saves(source: &str) -> bool {
    const SAVES: &[&str] = &[
        "save",
        "dump",
        "to_csv",
        "to_parquet",
        "to_pickle",
        "to_hdf",
        "to_feather",
        "checkpoint",
        "Checkpoint",
        "output_dir",
        "write",
        "push_to_hub",
        "Trainer",
        "callbacks",
    ];
    statements(source).iter().any(|l| {
        let kept = |t: &&str| {
            let t = string(t).unwrap_or(t);
            SAVES.iter().any(|s| t.contains(s))
        };
        l.tokens.iter().any(kept)
    })
}

/// The names in a piece of source.
pub fn words(source: &str) -> Vec<String> {
    let lines = statements(source);
    let mut out: Vec<String> = Vec::new();
    for t in lines.iter().flat_map(|l| &l.tokens) {
        if is_name(t) && out.len() < 200 && !out.iter().any(|o| o == t) {
            out.push((*t).to_owned());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_binds_a_name() {
        for source in [
            "df = load()",
            "a, df = 1, 2",
            "a = df = load(x=1)",
            "(a, df) = f(x=1)",
            "df: Table = load()",
            "def df(): pass",
            "async def df(): pass",
            "class df:\n  x = 1",
            "import pandas as df",
            "import os, df",
            "from m import (a,\n  df)",
            "from m import b as df",
            "for i, df in parts: pass",
            "with open(x) as df:\n  pass",
            "if ready:\n    df = 1",
            "try:\n  df = 1\nexcept E: pass",
            "print(df := 3)",
            "def f():\n  global df\n  df = 1",
            "%matplotlib inline\n\ndf = a = 3",
        ] {
            assert!(defines(source, "df"), "{source}");
        }
        for source in [
            "print(df)",
            "f(df=1)",
            "x = df",
            "x.df = 1",
            "def f(df):\n  df = 1",
            "class A:\n  df = 1",
            "import df as x",
            "from df import x",
            "df == 1",
            "df['a'].b",
            "# df = 1",
            "'df = 1'",
            "!df = 1",
            "for i in df: pass",
        ] {
            assert!(!defines(source, "df"), "{source}");
        }
    }

    #[test]
    fn imports_and_words() {
        assert_eq!(
            imports(
                "import numpy as np, os.path\nif x:\n  from torch.nn import Module\n# import no"
            ),
            ["numpy", "os", "torch"]
        );
        assert_eq!(words("y = f(x, 'z', 3)  # q"), ["y", "f", "x"]);
    }

    #[test]
    fn calls_that_end_the_kernel() {
        for (source, line) in [
            ("import os\nos._exit(0)", Some(2)),
            ("os.kill(os.getpid(), 9)", Some(1)),
            ("exit()", Some(1)),
            (
                "IPython.Application.instance().kernel.do_shutdown(True)",
                Some(1),
            ),
            ("import condacolab\ncondacolab.install()", Some(2)),
            ("sys.exit()", None),
            ("if x:\n    exit()", None),
            ("# os._exit(0)", None),
            ("print('os._exit(0)')", None),
            ("os.kill(worker, 9)", None),
        ] {
            assert_eq!(ends_kernel(source), line.map(|n| (n, true)), "{source}");
        }
        let maybe = "import os\nif lost:\n    os._exit(1)\nos.getpid()";
        assert_eq!(ends_kernel(maybe), Some((3, false)));
    }

    #[test]
    fn installers_and_saves() {
        for (source, found) in [
            ("!pip install -q numpy==1.26", Some(Installer::Pip)),
            ("%pip install x", Some(Installer::Pip)),
            ("!python -m pip install -U x", Some(Installer::Pip)),
            ("!uv pip install x", Some(Installer::Uv)),
            ("%conda install -y x", Some(Installer::Conda)),
            ("!mamba install x", Some(Installer::Conda)),
            ("%%bash\napt-get -y install x", Some(Installer::Apt)),
            ("!sudo apt install x", Some(Installer::Apt)),
            ("import subprocess, sys\nsubprocess.check_call([sys.executable, '-m', 'pip', 'install', 'x'])", Some(Installer::Pip)),
            ("!pip list", None),
            ("# !pip install x", None),
            ("s = 'pip install x'", None),
        ] {
            assert_eq!(installer(source), found, "{source}");
        }
        assert!(saves("torch.save(model, p)") && saves("Trainer(args, output_dir='x')"));
        assert!(!saves("for x in y:\n    train(x)  # save"));
    }
}
