use super::entries::{look_up, CODE, EXCEPTIONS, OUTPUT};
use super::fill::{magics, Slots};
use crate::{cure, Book};
use nbmedic_facts::{Cure, Diagnosis, Evidence, Front, Setting, System};

fn of(text: &str, setting: Setting) -> Vec<Cure> {
    let mut found = vec![Diagnosis {
        setting,
        ..Diagnosis::default()
    }];
    cure(&Book::new(Vec::new()), 0, text, &mut found);
    found.remove(0).cures
}

#[test]
fn the_entries_are_unpacked() {
    let counts = [&EXCEPTIONS, &OUTPUT, &CODE].map(|group| group.len());
    assert!(counts.iter().all(|n| *n > 100), "{counts:?}");
    let mut all = EXCEPTIONS.iter().chain(OUTPUT.iter()).chain(CODE.iter());
    assert!(all.all(|e| !e.title.is_empty() && !e.title.contains(char::is_control)));
}

#[test]
fn a_shape_has_sizes() {
    let mut slots = Slots::default();
    slots.set_shape("s", "[8, 3, None]");
    slots.set_shape("k", "12x5");
    let filled = slots.text("{s}: {s_n} axes, {s_0} first, {s_l} last, {s_p} in all; {k_1}");
    assert_eq!(
        filled.as_deref(),
        Some("(8, 3, None): 3 axes, 8 first, None last, 24 in all; 5")
    );
    assert_eq!(slots.text("{k_2}"), None);
}

#[test]
fn what_fills_code_is_text_only() {
    let mut slots = Slots::default();
    slots.set("a", "x; rm -rf y");
    slots.set("b", "numpy");
    slots.set("c", "--index-url=e");
    assert_eq!(
        slots.code("pip install {{b}}").as_deref(),
        Some("pip install numpy")
    );
    assert_eq!(slots.code("pip install {{a}}"), None);
    assert_eq!(slots.code("pip install {{c}}"), None);
    assert_eq!(slots.text("{missing}"), None);
    assert_eq!(slots.code("f({'a': 1})").as_deref(), Some("f({'a': 1})"));
}

#[test]
fn commands_get_their_magics() {
    let code = "sudo apt-get install -y x\npip install y\nexport A=1\nconda install -c z w";
    let want = "!apt-get install -y x\n%pip install y\n%env A=1\n%conda install -y -c z w";
    assert_eq!(magics(code), want);
}

#[test]
fn tables_know_beginnings() {
    assert_eq!(look_up("libraries", "libGL.so.1"), Some("libgl1"));
    assert_eq!(look_up("libraries", "libnothing.so"), None);
}

#[test]
fn an_output_without_an_exception_gets_its_remedy() {
    let text = "Error: pg_config executable not found.\n\npg_config is required to build psycopg2 from source.\n";
    let cures = of(text, Setting::default());
    assert_eq!(
        cures.first().map(|c| c.code.as_str()),
        Some("pip install psycopg2-binary")
    );
    let colab = Setting {
        front: Some(Front::Colab),
        ..Setting::default()
    };
    assert_eq!(of(text, colab)[0].code, "%pip install psycopg2-binary");
}

#[test]
fn a_system_has_its_own() {
    let text =
        "ImportError: libGL.so.1: cannot open shared object file: No such file or directory\n";
    let cures = of(text, Setting::default());
    assert!(cures.iter().any(|c| c.code.contains("libgl1")), "{cures:?}");
    let named =
        "ImportError: libusb-1.0.so.0: cannot open shared object file: No such file or directory\n";
    let cures = of(named, Setting::default());
    assert!(
        cures
            .iter()
            .any(|c| c.code.contains("install -y libusb-1.0-0")),
        "{cures:?}"
    );
    let windows = Setting {
        system: Some(System::Windows),
        ..Setting::default()
    };
    assert!(of(text, windows)
        .iter()
        .all(|c| !c.code.contains("apt-get")));
}

#[test]
fn an_exception_of_a_packages_build_is_not_the_persons() {
    let text = "    Traceback (most recent call last):\n      File \"C:\\tmp\\pip-install-x\\gridlib\\setup.py\", line 12, in <module>\n        readme = f.read()\n    UnicodeDecodeError: 'charmap' codec can't decode byte 0x9d in position 801: character maps to <undefined>\nERROR: Command errored out with exit status 1: python setup.py egg_info\n";
    let mut found = vec![Diagnosis {
        evidence: vec![Evidence {
            line: 5,
            text: text.lines().last().unwrap_or_default().to_owned(),
            range: 0..0,
        }],
        ..Diagnosis::default()
    }];
    cure(&Book::new(Vec::new()), 0, text, &mut found);
    let titles: Vec<&str> = found[0].cures.iter().map(|c| &*c.title).collect();
    assert_eq!(
        titles,
        ["Set `PYTHONUTF8=1`, then run your `pip install` again"]
    );
}

#[test]
fn the_name_of_an_import_becomes_a_package_only_by_the_table() {
    let text = |module: &str| {
        format!("Traceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n    import {module}\n  File \"/opt/x/site-packages/{module}/trainer.py\", line 9, in <module>\n    from transformers import AdamW\nImportError: cannot import name 'AdamW' from 'transformers' (/opt/x/site-packages/transformers/__init__.py)\n")
    };
    let codes = |module: &str| -> Vec<String> {
        let cures = of(&text(module), Setting::default()).into_iter();
        cures.map(|c| c.code).collect()
    };
    assert!(
        codes("safe").contains(&"pip install --upgrade safe-mol transformers".to_owned()),
        "{:?}",
        codes("safe")
    );
    let cures = of(&text("moonlib"), Setting::default());
    assert!(
        cures.iter().all(|c| !c.code.contains("moonlib")),
        "{cures:?}"
    );
    assert!(
        cures.iter().any(|c| c
            .why
            .contains("`moonlib` isn't a package name that nbmedic knows")),
        "{cures:?}"
    );
}

#[test]
fn loaded_weights_keep_their_sizes() {
    let said = "RuntimeError: Given groups=1, weight of size [320, 4, 3, 3], expected input[2, 8, 64, 64] to have 4 channels, but got 8 channels instead\n";
    let frame = |file: &str| {
        format!("Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    y = net(x)\n  File \"{file}\", line 9, in forward\n    return self.conv_in(x)\n{said}")
    };
    let layer = |file: &str| {
        let cures = of(&frame(file), Setting::default());
        cures.iter().any(|c| c.title.contains("nn.Conv2d("))
    };
    assert!(layer("/home/me/net.py"));
    assert!(!layer(
        "/opt/x/site-packages/diffusers/models/unets/unet.py"
    ));
}

/// A traceback that ends in a file of a package.
fn in_package(file: &str, code: &str, error: &str) -> String {
    format!(
        "Traceback (most recent call last):\n  File \"/app/run.py\", line 3, in <module>\n    go()\n  \
         File \"/opt/lib/python3.11/site-packages/{file}\", line 9, in <module>\n    {code}\n{error}\n"
    )
}

#[test]
fn what_does_not_fit_between_packages_is_told_by_whose_line_asks_for_what() {
    let title = |text: &str| {
        let cures = of(text, Setting::default());
        cures.first().map_or(String::new(), |c| c.title.clone())
    };
    // A library imports a private name.
    let private = |error: &str| title(&in_package("imblearn/pipeline.py", "self._go()", error));
    let found = private("AttributeError: 'Pipeline' object has no attribute '_check_fit_params'");
    assert!(found.starts_with("Upgrade imbalanced-learn:"), "{found}");
    // A module of the user's that forgets to call its parent isn't a library's fault.
    let found = private("AttributeError: 'Net' object has no attribute '_modules'");
    assert!(!found.contains("imbalanced"), "{found}");
    // A package imports a part of itself.
    let own = in_package(
        "scipy/stats/__init__.py",
        "from scipy._lib._new import f",
        "ModuleNotFoundError: No module named 'scipy._lib._new'",
    );
    assert_eq!(
        title(&own),
        "Install scipy afresh: parts of two versions are mixed"
    );
    let cell = "ModuleNotFoundError                       Traceback (most recent call last)\n\
        <ipython-input-3-ce4123e019a3> in <cell line: 0>()\n----> 1 import scipy.stats\n\n1 frames\n\
        /usr/local/lib/python3.11/dist-packages/scipy/stats/__init__.py in <module>\n      8 \n\
        ----> 9 from scipy._lib._new import f\n\nModuleNotFoundError: No module named 'scipy._lib._new'\n";
    let restart = "Restart the session, then run from the top: scipy was exchanged while it ran";
    assert_eq!(title(cell), restart);
    // Python 3.6 doesn't name the module; the line does.
    let old = in_package(
        "gensim/models/ldamodel.py",
        "from scipy.misc import logsumexp",
        "ImportError: cannot import name 'logsumexp'",
    );
    assert_eq!(title(&old), "Upgrade gensim and scipy together");
}

#[test]
fn public_failures_are_told_by_what_their_texts_hold() {
    let own = "Traceback (most recent call last):\n  File \"/srv/run.py\", line 9, in <module>\n    go()\n";
    for (error, title) in [
        (
            "ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88 from PyObject",
            "Install NumPy 1",
        ),
        (
            "ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 88 from C header, got 96 from PyObject",
            "Upgrade NumPy",
        ),
        (
            "AttributeError: 'Namespace' object has no attribute 'n_iter'",
            "Define the option `n_iter`",
        ),
        (
            "FileNotFoundError: [Errno 2] No such file or directory: '/x/lib/python3.11/site-packages/numpy-1.26.4.dist-info/METADATA'",
            "Restart Python, and if it stays, install numpy again",
        ),
        (
            "OSError: Error no file named model.safetensors found in directory /srv/out.",
            "Look what is in `/srv/out`",
        ),
    ] {
        let cures = of(&format!("{own}{error}\n"), Setting::default());
        let first = cures.first().map_or("", |c| c.title.as_str());
        assert!(first.starts_with(title), "{error}: {first}");
    }
}
