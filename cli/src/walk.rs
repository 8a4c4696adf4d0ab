//! The files to judge: those that are named, and those in folders.

use crate::out::{shown, warn};
use ignore::WalkBuilder;
use indicatif::ProgressBar;
use std::path::{Path, PathBuf};

/// How the names of files end that are read in a folder; compressed ones have `.gz` behind it.
const READ: &[&str] = &[".ipynb", ".log", ".txt", ".out"];
/// Copies that Jupyter keeps.
const COPIES: &str = ".ipynb_checkpoints";

/// A file to judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its path; `-` is standard input.
    pub path: PathBuf,
    /// It was found in a folder: nobody named it.
    pub walked: bool,
}

/// The files that have these paths, whatever they are.
pub fn named(paths: &[PathBuf]) -> Vec<Given> {
    let one = |path: &PathBuf| Given {
        path: path.clone(),
        walked: false,
    };
    paths.iter().map(one).collect()
}

/// The files that paths stand for. A folder stands for the notebooks, logs and saved outputs in it, in order, without those
/// that ignore files name. What can't be walked is a warning.
pub fn files(paths: &[PathBuf]) -> Vec<Given> {
    let bar = ProgressBar::new_spinner();
    let mut out = Vec::new();
    for path in paths {
        if !path.is_dir() {
            out.extend(named(std::slice::from_ref(path)));
            continue;
        }
        let before = out.len();
        folder(path, &mut |found| match found {
            Ok(path) => {
                out.push(Given { path, walked: true });
                bar.set_message(format!("{} files found", out.len()));
                bar.tick();
            }
            Err(e) => bar.suspend(|| warn(&e)),
        });
        if out.len() == before {
            let what = format!(
                "{}: no notebooks, logs or saved outputs in it ({})",
                shown(&path.display().to_string()),
                READ.join(", ")
            );
            bar.suspend(|| warn(&what));
        }
    }
    bar.finish_and_clear();
    out
}

fn folder(path: &Path, tell: &mut dyn FnMut(Result<PathBuf, String>)) {
    let walk = WalkBuilder::new(path)
        .require_git(false)
        .sort_by_file_name(|a, b| a.cmp(b))
        .filter_entry(|e| e.file_name() != COPIES)
        .build();
    for entry in walk {
        match entry {
            Ok(e) if e.file_type().is_some_and(|t| t.is_file()) && is_read(e.path()) => {
                tell(Ok(e.into_path()));
            }
            Ok(_) => {}
            Err(e) => tell(Err(e.to_string())),
        }
    }
}

fn is_read(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    READ.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_folder_stands_for_what_is_read_in_it() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for name in [
            "b/run.log",
            "b/old.log.gz",
            "a.ipynb",
            "c.txt",
            "job.out",
            "code.py",
            "ignored.log",
            "venv/x.txt",
            ".hidden/x.log",
            "b/.ipynb_checkpoints/a-checkpoint.ipynb",
        ] {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        fs::write(root.join(".gitignore"), "ignored.log\nvenv/\n").unwrap();
        let named = root.join("ignored.log");
        let all = files(&[root.to_owned(), named.clone()]);
        let names: Vec<String> = all
            .iter()
            .filter(|g| g.walked)
            .map(|g| g.path.strip_prefix(root).unwrap().display().to_string())
            .map(|name| name.replace('\\', "/"))
            .collect();
        let want = ["a.ipynb", "b/old.log.gz", "b/run.log", "c.txt", "job.out"];
        assert_eq!(names, want);
        let last = all.last().unwrap();
        assert_eq!((&last.path, last.walked), (&named, false));
    }
}
