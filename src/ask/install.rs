//! Reads the output of package installers: which packages they replaced.

use serde::{Deserialize, Serialize};

/// An installer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Installer {
    /// `pip`, `python -m pip`.
    Pip,
    /// `uv`.
    Uv,
    /// `conda`, `mamba`, `micromamba`.
    Conda,
    /// `apt`, `apt-get`.
    Apt,
}

impl Installer {
    /// The installer that a shell line runs.
    pub fn of(line: &str) -> Option<Installer> {
        let word = |w: &str| {
            let mut words = line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
            words.any(|x| x == w)
        };
        let adds = word("install") || word("update") || word("upgrade") || word("add");
        let uv = word("uv").then_some(Installer::Uv);
        let conda = ["conda", "mamba", "micromamba"];
        let found = uv
            .or_else(|| (word("pip") || word("pip3")).then_some(Installer::Pip))
            .or_else(|| conda.iter().any(|w| word(w)).then_some(Installer::Conda))
            .or_else(|| (word("apt") || word("apt-get")).then_some(Installer::Apt));
        found.filter(|_| adds)
    }

    /// Its usual name.
    pub fn name(self) -> &'static str {
        match self {
            Installer::Pip => "pip",
            Installer::Uv => "uv",
            Installer::Conda => "conda",
            Installer::Apt => "apt",
        }
    }
}

/// Maximum number of packages listed.
const MAX_PACKAGES: usize = 64;

/// Installed packages that were replaced with another version, according to the output of any of
/// the installers. Names in lower case, `_` as `-`.
pub fn replaced(output: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut gone: Vec<String> = Vec::new();
    let mut conda = false;
    let mut listed = false;
    for line in output.lines() {
        let text = line.trim();
        let mut words = text.split_whitespace();
        let first = words.next().unwrap_or("");
        // conda, mamba: a heading, then `  numpy   2.0.1-py311 --> 1.26.4-py311`.
        if text.ends_with(':') && text.contains("packages will be") {
            conda = !text.contains("INSTALLED") && !text.contains("REMOVED");
            continue;
        }
        // Colab, after any pip: a heading, then `  [numpy,pandas]`.
        if std::mem::take(&mut listed) {
            let names = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
            for name in names.into_iter().flat_map(|t| t.split(',')) {
                push(&mut out, name);
            }
        }
        listed = text.ends_with("previously imported in this runtime:");
        let name = if let Some(rest) = text.strip_prefix("Attempting uninstall: ") {
            Some(rest)
        } else if conda && text.contains("-->") {
            Some(first)
        } else if first == "-" || first == "~" {
            // uv: ` - numpy==2.0.1`, then ` + numpy==1.26.4`; `~` reinstalls the same version.
            let name = words.next().unwrap_or("");
            let name = name.split("==").next().filter(|n| n.len() < name.len());
            if first == "-" {
                gone.extend(name.map(normal));
                None
            } else {
                name
            }
        } else if first == "+" {
            let name = words.next().and_then(|w| w.split("==").next());
            name.filter(|n| gone.contains(&normal(n)))
        } else if text.starts_with("Unpacking ") && text.contains(") over (") {
            // dpkg: `Unpacking python3-numpy (1:1.26.4) over (1:1.21.5) ...`.
            words.next().map(|w| w.split(':').next().unwrap_or(w))
        } else {
            None
        };
        if let Some(name) = name {
            push(&mut out, name);
        }
    }
    out
}

fn push(out: &mut Vec<String>, name: &str) {
    let name = normal(name);
    let name = name.strip_prefix("python3-").unwrap_or(&name).to_owned();
    if out.len() < MAX_PACKAGES && !name.is_empty() && !out.contains(&name) {
        out.push(name);
    }
}

fn normal(name: &str) -> String {
    name.trim().to_ascii_lowercase().replace('_', "-")
}

/// Modules and the packages that provide them, if the names differ.
const PACKAGES: &[(&str, &str)] = &[
    ("PIL", "pillow"),
    ("cv2", "opencv-python"),
    ("sklearn", "scikit-learn"),
    ("skimage", "scikit-image"),
    ("yaml", "pyyaml"),
    ("bs4", "beautifulsoup4"),
    ("google", "protobuf"),
];

/// Modules that load NumPy.
const NUMPY: &[&str] = &[
    "pandas",
    "scipy",
    "sklearn",
    "matplotlib",
    "torch",
    "tensorflow",
    "jax",
    "cv2",
    "xarray",
    "seaborn",
    "skimage",
    "transformers",
    "datasets",
    "torchvision",
];

/// Whether importing a module loads a package.
pub fn loads(module: &str, package: &str) -> bool {
    let own = PACKAGES.iter().find(|(m, _)| *m == module);
    match own {
        Some((_, p)) if package == *p || package.starts_with(&format!("{p}-")) => true,
        _ => normal(module) == package || (package == "numpy" && NUMPY.contains(&module)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaced_packages_of_every_installer() {
        let pip = "Collecting numpy<2\n  Downloading numpy-1.26.4.whl\nInstalling collected packages: numpy, tiny\n  \
                   Attempting uninstall: numpy\n    Found existing installation: numpy 2.0.1\n    Uninstalling numpy-2.0.1:\n\
                   Successfully installed numpy-1.26.4 tiny-1.0";
        assert_eq!(replaced(pip), ["numpy"]);
        let uv = "Resolved 2 packages in 3ms\n - numpy==2.0.1\n - old==1\n + numpy==1.26.4\n + tiny==1.0\n ~ Py_YAML==6";
        assert_eq!(replaced(uv), ["numpy", "py-yaml"]);
        let conda = "The following NEW packages will be INSTALLED:\n\n  tiny   pkgs/main::tiny-1\n\n\
                     The following packages will be DOWNGRADED:\n\n  numpy  2.0.1-py311 --> 1.26.4-py311\n\n\
                     The following packages will be REMOVED:\n\n  a-1 --> gone\n";
        assert_eq!(replaced(conda), ["numpy"]);
        let apt = "Unpacking python3-numpy (1:1.26.4-1) over (1:1.21.5-1) ...\nUnpacking tiny (1.0) ...\n\
                   Unpacking libcudnn8:amd64 (8.9) over (8.6) ...";
        assert_eq!(replaced(apt), ["numpy", "libcudnn8"]);
        assert!(
            replaced("Requirement already satisfied: numpy\n - a list\n + b==2\n+ x").is_empty()
        );
    }

    #[test]
    fn modules_and_their_packages() {
        assert!(loads("numpy", "numpy") && loads("pandas", "numpy") && loads("PIL", "pillow"));
        assert!(
            loads("cv2", "opencv-python-headless")
                && loads("typing_extensions", "typing-extensions")
        );
        assert!(!loads("os", "numpy") && !loads("torchx", "torch"));
    }
}
