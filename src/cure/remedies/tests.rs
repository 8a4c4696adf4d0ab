use super::entries::{all, look_up};
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
fn the_entries_are_well_formed() {
    let mut names = std::collections::BTreeSet::new();
    for e in all() {
        let name = e.name;
        assert!(names.insert(name), "{name} twice");
        assert!(e.wrong.is_empty(), "{name}: {:?}", e.wrong);
        assert!(!e.when.is_empty() && !e.title.is_empty(), "{name}");
        assert!(e.title.chars().count() <= 90, "{name}: long title");
        assert_eq!(e.code.is_empty(), e.language.is_empty(), "{name}");
        for place in &e.on {
            let known = [
                "linux", "macos", "windows", "notebook", "script", "conda", "colab", "kaggle",
                "cluster",
            ];
            assert!(known.contains(place), "{name}: {place}");
        }
        for take in &e.takes {
            assert!(take.regex().is_some(), "{name}: {}", take.pattern);
        }
        for literal in e.when.iter().flatten() {
            assert!(literal.len() >= 4, "{name}: “{literal}” is short");
        }
    }
}

#[test]
fn what_fills_code_is_text_only() {
    let mut slots = Slots::default();
    slots.set("a", "x; rm -rf y");
    slots.set("b", "numpy");
    slots.set("c", "--index-url=e");
    assert_eq!(
        slots.code("pip install {b}").as_deref(),
        Some("pip install numpy")
    );
    assert_eq!(slots.code("pip install {a}"), None);
    assert_eq!(slots.code("pip install {c}"), None);
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
