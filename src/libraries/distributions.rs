//! Which distribution on PyPI brings a module. Only these tables turn the name of an import into the name of a package:
//! a name taken over as it is may belong to a stranger's package.

/// What `tools/distributions.py` read from the packages themselves.
const READ: &str = include_str!("distributions.txt");
/// Those of several to take, and version limits.
const PREFERRED: &str = include_str!("packages.txt");

/// The module and the distribution of each row, the preferred ones first. The module is `-` where a distribution is only
/// known to exist.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = PREFERRED.lines().chain(READ.lines());
    lines
        .filter(|l| !l.starts_with('#'))
        .filter_map(|l| l.split_once(' '))
}

/// The distribution that brings a module, as pip takes it (`setuptools<81`), and the length of the part of the dotted
/// name that the tables have. The longest beginning counts.
pub fn distribution(module: &str) -> Option<(&'static str, usize)> {
    let mut name = module;
    loop {
        if let Some((_, package)) = rows().find(|(m, _)| *m == name && name != "-") {
            return Some((package, name.len()));
        }
        name = name.rsplit_once('.')?.0;
    }
}

/// The distribution of that name, or the one that brings a module of that name. In a distribution's name case, `-`, `_`
/// and `.` don't count (PEP 503).
pub fn listed(name: &str) -> Option<&'static str> {
    let plain = |name: &str| {
        let end = name
            .find(['<', '>', '=', '!', '~', '['])
            .unwrap_or(name.len());
        let parts = name[..end].split(['-', '_', '.']);
        let parts: Vec<&str> = parts.filter(|p| !p.is_empty()).collect();
        parts.join("-").to_lowercase()
    };
    let wanted = plain(name);
    let own = rows().find(|(_, package)| plain(package) == wanted);
    own.map(|(_, package)| package)
        .or_else(|| distribution(name).map(|(package, _)| package))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_has_the_package_that_brings_it() {
        for (module, package) in [
            ("safe", "safe-mol"),
            ("fitz", "pymupdf"),
            ("git", "gitpython"),
            ("faiss", "faiss-cpu"),
            ("whisper", "openai-whisper"),
            ("cv2.dnn", "opencv-python"),
            ("google.genai.types", "google-genai"),
            ("sklearn.svm", "scikit-learn"),
            ("pkg_resources", "setuptools<81"),
        ] {
            let found = distribution(module).map(|(package, _)| package);
            assert_eq!(found, Some(package), "{module}");
        }
        for module in [
            "google",
            "google.colab",
            "utils",
            "my_helpers",
            "the",
            "_speedups",
            "",
        ] {
            assert_eq!(distribution(module), None, "{module}");
        }
        assert_eq!(distribution("google.genai.types").map(|(_, n)| n), Some(12));
    }

    #[test]
    fn a_distribution_is_known_in_each_spelling() {
        for (name, package) in [
            ("Scikit_Learn", Some("scikit-learn")),
            ("sklearn", Some("scikit-learn")),
            ("PyYAML", Some("pyyaml")),
            ("safe", Some("safe-mol")),
            ("Tesseract", None),
            ("", None),
        ] {
            assert_eq!(listed(name), package, "{name}");
        }
    }
}
