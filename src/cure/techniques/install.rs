//! Missing modules: install the package that provides them, by its distribution's name.

use crate::case::Case;
use crate::find::package_of;
use nbmedic_facts::{Basis, Cure, FixKind, Front};
use nbmedic_libraries::distribution;
use nbmedic_python::ast::Stmt;
use nbmedic_python::Cell;
use nbmedic_traceback::Origin;
use nbmedic_wordings::python;

/// Modules removed from Python: the release that removed each, and a backport or replacement.
const REMOVED: &[(&str, &str, &str, &str)] = &[
    (
        "distutils",
        "3.12",
        "setuptools",
        "setuptools brings it back",
    ),
    (
        "imp",
        "3.12",
        "",
        "`importlib` has its functions: `imp.reload` is `importlib.reload`",
    ),
    ("asyncore", "3.12", "pyasyncore", "`asyncio` replaces it"),
    ("asynchat", "3.12", "pyasynchat", "`asyncio` replaces it"),
    (
        "smtpd",
        "3.12",
        "aiosmtpd",
        "`aiosmtpd` replaces it, with another interface",
    ),
    (
        "cgi",
        "3.13",
        "legacy-cgi",
        "this package is the old module",
    ),
    (
        "cgitb",
        "3.13",
        "legacy-cgi",
        "this package is the old module",
    ),
    (
        "audioop",
        "3.13",
        "audioop-lts",
        "this package is the old module",
    ),
    (
        "imghdr",
        "3.13",
        "standard-imghdr",
        "this package is the old module",
    ),
    (
        "sndhdr",
        "3.13",
        "standard-sndhdr",
        "this package is the old module",
    ),
    (
        "telnetlib",
        "3.13",
        "standard-telnetlib",
        "this package is the old module",
    ),
    (
        "pipes",
        "3.13",
        "standard-pipes",
        "this package is the old module; `shlex.quote` replaces `pipes.quote`",
    ),
    (
        "chunk",
        "3.13",
        "standard-chunk",
        "this package is the old module",
    ),
    (
        "aifc",
        "3.13",
        "standard-aifc",
        "this package is the old module",
    ),
    (
        "sunau",
        "3.13",
        "standard-sunau",
        "this package is the old module",
    ),
    (
        "uu",
        "3.13",
        "standard-uu",
        "this package is the old module",
    ),
    (
        "xdrlib",
        "3.13",
        "standard-xdrlib",
        "this package is the old module",
    ),
    (
        "crypt",
        "3.13",
        "legacycrypt",
        "this package is the old module",
    ),
];

/// The missing module in the message, dotted as requested.
fn missing(message: &str) -> Option<&str> {
    let says = [python::NO_MODULE, python::MISSING_DEPENDENCY];
    let [name] = says.iter().find(|s| s.begins(message))?.read(message)?;
    Some(name)
}

/// Whether the notebook itself writes or contains the module.
fn is_local(case: &Case<'_>, module: &str) -> bool {
    let first = module.split('.').next().unwrap_or(module);
    let (file, folder) = (format!("{first}.py"), format!("{first}/"));
    let mut sources = case.book.cells().iter().map(|c| c.source);
    sources.any(|s| {
        s.lines().any(|l| {
            let writes = l.starts_with("%%writefile") || l.starts_with("%%file");
            (writes || l.starts_with('!')) && (l.contains(&file) || l.contains(&folder))
        })
    })
}

/// Whether there are cells, or frames of cells, so that the user can run a cell.
pub(crate) fn in_notebook(case: &Case<'_>) -> bool {
    let mut frames = case.chain.exceptions.iter().flat_map(|e| &e.frames);
    let front = case.setting().and_then(|s| s.in_notebook());
    !case.book.is_excerpt()
        || front == Some(true)
        || frames.any(|f| matches!(f.origin, Origin::Cell { .. }))
}

/// The command that installs a package where the failure occurred, and its language.
pub(crate) fn command(case: &Case<'_>, package: &str) -> (String, &'static str) {
    // `<` would redirect.
    let quoted = match package.contains(['<', '>', '[', '!', '~']) {
        true => format!("\"{package}\""),
        false => package.to_owned(),
    };
    let conda = case.setting().is_some_and(|s| s.conda);
    match (in_notebook(case), conda) {
        (true, _) => (format!("%pip install {quoted}"), "python"),
        // A package named after the module may have a different name there.
        (false, true) if !package.contains(['<', '-', '[']) => {
            (format!("conda install -c conda-forge {quoted}"), "bash")
        }
        (false, _) => (format!("pip install {quoted}"), "bash"),
    }
}

/// Whether an earlier cell imports from a package.
fn imported_before(case: &Case<'_>, package: &str) -> bool {
    if case.book.is_excerpt() {
        return false;
    }
    let of = |module: &str| module.split('.').next() == Some(package);
    case.book.before(case.at).into_iter().any(|cell| {
        let body = case.python(cell).map_or(&[][..], Cell::body);
        body.iter().any(|s| match s {
            Stmt::Import(i) => i.names.iter().any(|a| of(a.name.as_str())),
            Stmt::ImportFrom(i) => i.module.as_ref().is_some_and(|m| of(m.as_str())),
            _ => false,
        })
    })
}

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    if !matches!(case.class(), "ModuleNotFoundError" | "ImportError") {
        return;
    }
    let Some(module) = missing(case.message()) else {
        return;
    };
    if is_local(case, module) {
        return;
    }
    let first = module.split('.').next().unwrap_or(module);
    let cure = |title: String, why: String, basis, package: &str| {
        let (code, language) = match package.is_empty() {
            true => (String::new(), ""),
            false => command(case, package),
        };
        Cure {
            id: "install-package".into(),
            kind: match package.is_empty() {
                true => FixKind::Look,
                false => FixKind::Install,
            },
            basis,
            title,
            why,
            code,
            language: language.into(),
            ..Cure::default()
        }
    };
    if let Some((_, since, package, what)) = REMOVED.iter().find(|(m, ..)| *m == first) {
        // The code that imports it has to change.
        let last = case.error().frames.last().filter(|_| case.in_library());
        let importer = last.and_then(|f| package_of(&f.file));
        if let Some((dist, _)) = importer
            .and_then(distribution)
            .filter(|_| package.is_empty())
        {
            let (code, language) = command(case, &format!("--upgrade {dist}"));
            out.push(Cure {
                code,
                language: language.into(),
                kind: FixKind::Install,
                ..cure(
                    format!("Upgrade `{dist}`: it imports `{first}`, which Python {since} removed"),
                    "The line is in the installed package, not in your code. Restart Python afterwards. If no newer release does without it, an older Python has the module.".to_owned(),
                    Basis::Assumed,
                    "",
                )
            });
            return;
        }
        let title = match package.is_empty() {
            true => format!("Replace `{first}`: Python {since} removed it"),
            false => format!("Install `{package}`: Python {since} removed `{first}`"),
        };
        let why = format!("`{first}` was part of Python until {since}; {what}.");
        out.push(cure(title, why, Basis::Assumed, package));
        return;
    }
    let Some((mut package, known)) = distribution(module) else {
        return;
    };
    // A submodule is missing although its package may be installed: another version is needed.
    let deeper = known < module.len();
    // Python names the whole path only if the package itself exists. Namespace packages come from
    // several distributions.
    let namespace = [
        "google",
        "azure",
        "mpl_toolkits",
        "ruamel",
        "backports",
        "zope",
    ]
    .contains(&first);
    let named = case
        .message()
        .contains(&format!("No module named '{module}'"));
    let installed = deeper && (python::NOT_A_PACKAGE.is_in(case.message()) || named && !namespace);
    // An earlier cell imported the package, so only the submodule is missing.
    if installed || deeper && imported_before(case, first) {
        return;
    }
    let server = |f: Front| {
        matches!(
            f,
            Front::Colab | Front::Kaggle | Front::Container | Front::Cluster
        )
    };
    let front = case.setting().and_then(|s| s.front);
    if package == "opencv-python" && front.is_some_and(server) {
        package = "opencv-python-headless";
    }
    let brings = match package.split(['<', '=']).next() == Some(first) {
        true => String::new(),
        false => format!(", which brings `{first}`"),
    };
    let basis = match deeper {
        true => Basis::Guessed,
        false => Basis::Library,
    };
    let why = match in_notebook(case) {
        true => "`%pip` installs it for the Python of this kernel. Then run the failing cell again; if an older copy was imported, restart first.",
        false => "Run it with the Python environment that runs the script.",
    };
    out.push(cure(
        format!("Install `{package}`{brings}"),
        why.to_owned(),
        basis,
        package,
    ));
}

#[cfg(test)]
mod tests {
    use crate::{cure, Book, BookCell};
    use nbmedic_facts::{Cure, Diagnosis, Front};

    fn of_text(text: &str, conda: bool, front: Option<Front>) -> Vec<Cure> {
        let mut found = vec![Diagnosis::default()];
        found[0].setting.conda = conda;
        found[0].setting.front = front;
        cure(&Book::new(Vec::new()), 0, text, &mut found);
        found.remove(0).cures
    }

    fn log(module: &str) -> String {
        format!("Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    import {module}\nModuleNotFoundError: No module named '{module}'\n")
    }

    #[test]
    fn a_missing_part_of_a_package_that_is_there_installs_nothing() {
        // Without the package, Python only names its first part.
        assert_eq!(of_text(&log("statsmodels.stats.powe"), false, None), []);
    }

    #[test]
    fn the_package_has_its_own_name() {
        for (module, conda, front, code) in [
            ("sklearn", false, None, "pip install scikit-learn"),
            ("PIL", false, Some(Front::Notebook), "%pip install pillow"),
            (
                "cv2",
                false,
                Some(Front::Colab),
                "%pip install opencv-python-headless",
            ),
            ("cv2", false, None, "pip install opencv-python"),
            ("pandas", true, None, "conda install -c conda-forge pandas"),
            (
                "pkg_resources",
                false,
                None,
                "pip install \"setuptools<81\"",
            ),
            ("google.genai", false, None, "pip install google-genai"),
            ("audioop", false, None, "pip install audioop-lts"),
        ] {
            let cures = of_text(&log(module), conda, front);
            assert_eq!(
                cures.first().map(|c| c.code.as_str()),
                Some(code),
                "{module}"
            );
        }
        let imp = of_text(&log("imp"), false, None);
        assert_eq!(
            (imp[0].code.as_str(), imp[0].title.as_str()),
            ("", "Replace `imp`: Python 3.12 removed it")
        );
    }

    #[test]
    fn what_is_no_known_package_is_not_installed() {
        for module in ["the", "utils", "google.colab", "my_helpers", "_speedups"] {
            assert_eq!(of_text(&log(module), false, None), [], "{module}");
        }
        let second = |cells: [&str; 2], module: &str| {
            let cells = cells.iter().zip(1..).map(|(source, n)| BookCell {
                position: n,
                source,
                count: Some(n as i64),
                ran: Some(n as u64),
                ..BookCell::default()
            });
            let book = Book::new(cells.collect());
            let mut found = vec![Diagnosis::default()];
            let error = format!("ModuleNotFoundError: No module named '{module}'");
            cure(&book, 1, &error, &mut found);
            found.remove(0).cures
        };
        let cells = ["%%writefile tables.py\nx = 1", "import tables"];
        assert_eq!(second(cells, "tables"), []);
        // The package is installed: one of its parts has another name.
        let cells = [
            "import statsmodels.api as sm",
            "import statsmodels.stats.powen",
        ];
        assert_eq!(second(cells, "statsmodels.stats.powen"), []);
    }
}
