//! Warnings before something fails, and failures explained by the rest of the notebook.

use super::*;

pub(super) fn source(id: &str, text: &str) -> String {
    format!(
        r#"{{"t":"source","nb":"n","cell":"{id}","text":{}}}"#,
        serde_json::to_string(text).unwrap()
    )
}

pub(super) fn vitals(text: &str) -> String {
    format!(
        r#"{{"t":"vitals","nb":null,"source":"w","text":{}}}"#,
        serde_json::to_string(text).unwrap()
    )
}

pub(super) fn ram(used: f64) -> String {
    vitals(&format!(
        "RAM: {used:.2} GB/12.67 GB\nDisk: 20.00 GB/100.00 GB"
    ))
}

impl Page {
    /// The text of the only card.
    pub(super) fn says(&self) -> String {
        assert_eq!(self.cards.len(), 1, "{:?}", self.shows());
        let tree = self.cards.values().next().unwrap();
        serde_json::to_string(tree).unwrap()
    }

    pub(super) fn variant(&self, card: &str) -> String {
        let tree = &self.cards[&card.to_owned()];
        let of = |name: &str| tree.attrs.get(name).cloned().unwrap_or_default();
        format!("{} {}/{}", tree.class, of("data-id"), of("data-variant"))
    }

    pub(super) fn wait(&mut self, seconds: u64) {
        self.now += seconds * 1000;
    }

    /// A cell run that takes some time and leaves this much memory in use.
    fn run(&mut self, id: &str, index: u32, run: u32, count: u32, after: f64) {
        self.wait(10);
        self.send(&[&cell(id, index, "running", run, None)]);
        self.wait(10);
        self.send(&[&ram(after + 0.3)]);
        self.wait(10);
        self.send(&[&cell(id, index, "done", run, Some(count))]);
        self.wait(10);
        self.send(&[&ram(after)]);
    }
}

#[test]
fn an_array_that_cannot_fit_is_said_while_its_cell_runs() {
    for (text, gpu, card) in [
        (
            "x = np.random.rand(100000, 1000, 1000)",
            false,
            "host-oom/planned|745 GiB|the runtime has 12.7 GiB",
        ),
        (
            "y = tf.random.normal((10000, 10000, 10000))",
            true,
            "gpu-oom/planned|3.64 TiB|the GPU has 15.0 GiB",
        ),
        (
            "z = torch.rand((10000, 10000, 1000), device='cuda')",
            false,
            "gpu-oom/planned|373 GiB|no single GPU has that much",
        ),
    ] {
        let mut p = Page::real();
        let mut shown = ram(1.0);
        if gpu {
            shown =
                vitals("RAM: 1.00 GB/12.67 GB\nDisk: 20.00 GB/100.00 GB\nGPU RAM\n0.0 / 15.0 GB");
        }
        p.send(&[&shown, &source("a", text), &cell("a", 0, "idle", 0, None)]);
        assert!(p.cards.is_empty(), "it is only written");
        p.send(&[&cell("a", 0, "running", 1, None)]);
        let said = format!("{} {}", p.variant("n/a"), p.says());
        for part in card.split('|') {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert!(said.starts_with("card warning"), "{said}");
        p.replays();
        p.send(&[&cell("a", 0, "done", 1, Some(1))]);
        assert!(p.cards.is_empty(), "it is over");
    }
}

#[test]
fn what_fits_or_cannot_be_read_gives_no_alarm() {
    for text in [
        "x = np.zeros((1000, 1000))",
        "n = load()\nx = np.zeros((n, 10**9))",
        "def f():\n    return np.zeros((10**6, 10**6))",
    ] {
        let mut p = Page::real();
        p.send(&[
            &ram(1.0),
            &source("a", text),
            &cell("a", 0, "running", 1, None),
        ]);
        assert!(p.cards.is_empty(), "{text}");
    }
    // The runtime's memory is unknown.
    let mut p = Page::real();
    p.send(&[
        &source("a", "x = np.zeros((10**6, 10**6))"),
        &cell("a", 0, "running", 1, None),
    ]);
    assert!(p.cards.is_empty());
}

#[test]
fn numbers_of_cells_that_ran_are_read() {
    let mut p = Page::real();
    p.send(&[
        &ram(1.0),
        &source("a", "N = 200000"),
        &cell("a", 0, "done", 1, Some(1)),
        &source("b", "x = np.zeros((N, N))"),
        &cell("b", 1, "running", 1, None),
    ]);
    assert!(p.says().contains("298 GiB"), "{}", p.says());
    p.replays();
}

#[test]
fn a_leak_names_its_cell_and_the_runs_that_are_left() {
    let mut p = Page::real();
    p.send(&[
        &ram(2.0),
        &source("a", "results.append(train())"),
        &cell("a", 0, "idle", 0, None),
        &source("b", "score()"),
        &cell("b", 1, "idle", 0, None),
    ]);
    for i in 1..=12 {
        let level = 2.0 + 0.4 * f64::from(i);
        p.run("a", 0, i, 2 * i - 1, level);
        p.run("b", 1, i, 2 * i, level);
    }
    assert_eq!(p.variant("n/a"), "card warning host-oom/leak");
    let said = p.says();
    for part in [
        "Each run of this cell keeps 410 MiB more",
        "runs left: about 13",
        "find-holder",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    p.replays();
    // A dismissed card does not come back at the next run.
    p.act("dismiss", Some("n/a"), None);
    assert!(p.cards.is_empty());
    p.run("a", 0, 13, 25, 7.2);
    assert!(p.cards.is_empty());
    p.replays();
}

#[test]
fn a_leak_ends_with_the_kernel_and_a_cache_is_none() {
    let mut p = Page::real();
    p.send(&[
        &ram(2.0),
        &source("a", "f()"),
        &cell("a", 0, "idle", 0, None),
    ]);
    for i in 1..=10 {
        p.run("a", 0, i, i, 2.0 + 0.3 * f64::from(i));
    }
    assert_eq!(p.cards.len(), 1);
    p.send(&[r#"{"t":"kernel","nb":"n","status":"restarting"}"#]);
    assert!(p.cards.is_empty());
    p.replays();
    let mut p = Page::real();
    p.send(&[
        &ram(2.0),
        &source("a", "f()"),
        &cell("a", 0, "idle", 0, None),
    ]);
    for i in 1..=20 {
        p.run("a", 0, i, i, 2.0 + 0.8 * f64::from(i.min(4)));
        assert!(p.cards.is_empty(), "run {i}");
    }
}

#[test]
fn memory_that_fills_is_forecast_in_time_and_once() {
    let mut p = Page::real();
    p.send(&[
        &ram(2.0),
        &source("a", "grow()"),
        &cell("a", 0, "running", 1, None),
    ]);
    let mut first = 0.0;
    let mut level = 2.0;
    while level < 12.4 {
        p.wait(10);
        level += 0.2;
        p.send(&[&ram(level)]);
        if !p.cards.is_empty() && first == 0.0 {
            first = level;
            assert_eq!(p.variant("n/a"), "card warning host-oom/filling");
            let said = p.says();
            assert!(said.contains("will be full in about 5 min"), "{said}");
        }
        if first > 0.0 {
            assert_eq!(p.cards.len(), 1, "it stays at {level}");
        }
    }
    assert!(first > 6.0 && first < 7.0, "{first}");
    p.replays();
    let popup = serde_json::to_string(&p.page.status().english()).unwrap();
    assert!(
        popup.contains("Bottleneck") && popup.contains("Runtime RAM, full in 30 s"),
        "{popup}"
    );
    p.send(&[&cell("a", 0, "done", 1, Some(1))]);
    assert!(p.cards.is_empty());
}

#[test]
fn a_load_that_ends_is_not_forecast() {
    let mut p = Page::real();
    p.send(&[
        &ram(2.0),
        &source("a", "load()"),
        &cell("a", 0, "running", 1, None),
    ]);
    for level in [
        2.0, 3.0, 4.0, 5.0, 5.2, 5.2, 5.21, 5.2, 5.22, 5.2, 5.21, 5.2,
    ] {
        p.wait(10);
        p.send(&[&ram(level)]);
        assert!(p.cards.is_empty(), "{level}");
    }
}

#[test]
fn a_long_run_without_a_checkpoint_is_reminded_where_runtimes_end() {
    for (profile, text, reminded) in [
        ("colab", "for step in steps:\n    train(step)", true),
        (
            "colab",
            "for step in steps:\n    torch.save(train(step), path)",
            false,
        ),
        ("jupyterlab", "for step in steps:\n    train(step)", false),
    ] {
        let mut p = Page::real();
        let hello = format!(r#"{{"t":"hello","profile":"{profile}","origin":"https://x"}}"#);
        p.send(&[
            &hello,
            &ram(2.0),
            &source("a", text),
            &cell("a", 0, "running", 1, None),
        ]);
        for minute in 0..120 {
            p.wait(60);
            p.send(&[&out("a", 1, &format!("step {minute}\n"))]);
            assert!(minute > 88 || p.cards.is_empty(), "{minute}");
        }
        assert_eq!(!p.cards.is_empty(), reminded, "{profile} {text}");
        if reminded {
            assert_eq!(p.variant("n/a"), "card info session-time-limit/soon");
            assert!(
                p.says().contains("(2 h 0 min so far)") || p.says().contains("(90 min so far)"),
                "{}",
                p.says()
            );
        }
        p.replays();
    }
}

pub(super) const NAME_ERROR: &str =
    "---------------------------------------------------------------------------\n\
NameError                                 Traceback (most recent call last)\n\
Cell In[2], line 1\n----> 1 print(table.head())\n\n\
NameError: name 'table' is not defined\n";

#[test]
fn a_name_of_a_cell_that_did_not_run_names_the_cell() {
    let mut p = Page::real();
    p.send(&[
        &source("a", "table = load()"),
        &cell("a", 0, "done", 1, Some(1)),
        &source("b", "print(table.head())"),
        &cell("b", 1, "done", 1, Some(2)),
    ]);
    p.send(&[r#"{"t":"kernel","nb":"n","status":"restarting"}"#]);
    p.wait(5);
    p.send(&[&cell("b", 1, "error", 2, Some(1)), &out("b", 2, NAME_ERROR)]);
    assert_eq!(p.variant("n/b"), "card error name-undefined/not-run");
    let said = p.says();
    for part in [
        "table is defined in cell 1",
        "has not been run since the kernel was restarted",
        r#"{"do":"goto","cell":"a"}"#,
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    p.replays();
    // The cell ran in this kernel, so the name is missing for another reason.
    p.wait(5);
    p.send(&[&cell("a", 0, "done", 2, Some(2))]);
    p.wait(5);
    p.send(&[&cell("b", 1, "error", 3, Some(3)), &out("b", 3, NAME_ERROR)]);
    assert_eq!(p.variant("n/b"), "card error name-undefined/");
    p.replays();
}

#[test]
fn a_cell_edited_after_it_ran_is_pointed_at() {
    let mut p = Page::real();
    p.send(&[
        &source("a", "table = load()\nwidth = 3"),
        &cell("a", 0, "done", 1, Some(1)),
    ]);
    p.send(&[&source("a", "table = load()\nwidth = 4")]);
    let error = NAME_ERROR
        .replace("NameError: name 'table' is not defined", "KeyError: 'x'")
        .replace("NameError", "KeyError");
    p.send(&[
        &source("b", "print(table.head())"),
        &cell("b", 1, "error", 1, Some(2)),
        &out("b", 1, &error),
    ]);
    let said = p.says();
    assert!(
        said.contains("cell [1] defines table and was edited after it ran"),
        "{said}"
    );
    p.replays();
    p.wait(1);
    p.send(&[&cell("a", 0, "done", 2, Some(3))]);
    // Without that, nothing more is known than what the exception says.
    assert_eq!(p.variant("n/b"), "card info quiet /");
}

#[test]
fn an_install_under_the_running_kernel_needs_a_restart() {
    let pip = "Installing collected packages: numpy\n  Attempting uninstall: numpy\n    Found existing installation: numpy 2.0.1\nSuccessfully installed numpy-1.26.4\n";
    for (import, restart) in [("import pandas as pd", true), ("import json", false)] {
        let mut p = Page::real();
        p.send(&[&source("a", import), &cell("a", 0, "done", 1, Some(1))]);
        p.wait(9);
        p.send(&[
            &source("b", "!pip install 'numpy<2'"),
            &cell("b", 1, "running", 1, None),
            &out("b", 1, pip),
        ]);
        assert!(p.cards.is_empty(), "it is not done");
        p.wait(9);
        p.send(&[&cell("b", 1, "done", 1, Some(2))]);
        assert_eq!(!p.cards.is_empty(), restart, "{import}");
        p.replays();
        let panel =
            serde_json::to_string(&p.page.panels(p.now)[0].1.clone().draw().english()).unwrap();
        let listed = match restart {
            true => "Packages in use were replaced",
            false => "pip installed packages",
        };
        assert!(panel.contains(listed), "{panel}");
        if restart {
            assert_eq!(
                p.variant("n/b"),
                "card warning binary-incompatible/restart-needed"
            );
            assert!(
                p.says().contains("numpy was replaced while it was in use"),
                "{}",
                p.says()
            );
            p.send(&[r#"{"t":"kernel","nb":"n","status":"restarting"}"#]);
            assert!(p.cards.is_empty());
            p.replays();
        }
    }
}

#[test]
fn what_is_remembered_outlives_a_reload_of_the_page() {
    let mut p = Page::real();
    p.send(&[
        r#"{"t":"notebook","nb":"n","name":"demo"}"#,
        &ram(2.0),
        &source("a", "table = load()"),
        &cell("a", 0, "done", 1, Some(1)),
    ]);
    p.send(&[r#"{"t":"kernel","nb":"n","status":"restarting"}"#]);
    let kept = p.store.iter().find(|(slot, _, _)| slot == "memory:n");
    let Some((_, _, Event::Memory(memory))) = kept else {
        panic!("{:?}", p.store);
    };
    let old = Event::Memory(Memory {
        old: true,
        ..memory.clone()
    });
    // After a reload the session is new, and runs are counted from 0.
    let mut next = Page::real();
    next.now = p.now + 60_000;
    let read = [
        r#"{"t":"notebook","nb":"n","name":"demo"}"#,
        &source("a", "table = load()"),
        &cell("a", 0, "idle", 0, None),
        &source("b", "print(table.head())"),
        &cell("b", 1, "error", 1, Some(1)),
        &out("b", 1, NAME_ERROR),
    ];
    let mut events: Vec<Event> = read.iter().map(|j| Event::parse(j).unwrap()).collect();
    events.push(Event::parse(&serde_json::to_string(&old).unwrap()).unwrap());
    next.apply(&events);
    let said = next.says();
    assert!(
        said.contains("has not been run since the kernel was restarted"),
        "{said}"
    );
    next.replays();
    // The record of another notebook is not used.
    let mut other = Page::real();
    events[0] = Event::parse(r#"{"t":"notebook","nb":"n","name":"other"}"#).unwrap();
    other.apply(&events);
    assert!(
        other.says().contains("since this page was opened"),
        "{}",
        other.says()
    );
    other.replays();
}

#[test]
fn a_level_that_stands_still_fills_nothing() {
    let mut p = Page::real();
    p.send(&[
        &source("a", "frame = load()"),
        &cell("a", 0, "running", 1, None),
    ]);
    for i in 0..9 {
        p.wait(10);
        p.send(&[&ram(2.0 + f64::from(i))]);
    }
    assert_eq!(p.variant("n/a"), "card warning host-oom/filling");
    // The widget's figure does not change, so it is not reported; the cell prints.
    for i in 0..6 {
        p.wait(10);
        p.send(&[&out("a", 1, &format!("step {i}\n"))]);
    }
    assert!(p.cards.is_empty(), "{:?}", p.shows());
    p.replays();
}
