//! Failures explained by the rest of the notebook: installs under a running kernel, and their
//! consequences.

use super::foresight::source;
use super::*;

/// What each installer prints when it replaces the loaded NumPy.
const PIP: &str = "Collecting numpy<2\nInstalling collected packages: numpy\n  Attempting uninstall: numpy\n    Found existing installation: numpy 2.0.1\n    Uninstalling numpy-2.0.1:\n      Successfully uninstalled numpy-2.0.1\nSuccessfully installed numpy-1.26.4\n";
const UV: &str =
    "Resolved 1 package in 12ms\nInstalled 1 package in 30ms\n - numpy==2.0.1\n + numpy==1.26.4\n";
const CONDA: &str = "The following packages will be DOWNGRADED:\n\n  numpy     2.0.1-py311h64a7726_0 --> 1.26.4-py311h64a7726_0\n\nExecuting transaction: done\n";
const MAMBA: &str = "Transaction\n\nThe following packages will be UPDATED:\n  numpy  1.26.4-py311 --> 2.0.1-py311\n";
const APT: &str = "Preparing to unpack .../python3-numpy_1%3a1.26.4-6_amd64.deb ...\nUnpacking python3-numpy (1:1.26.4-6) over (1:1.21.5-1) ...\nSetting up python3-numpy (1:1.26.4-6) ...\n";
const COLAB: &str = "WARNING: The following packages were previously imported in this runtime:\n  [numpy]\nYou must restart the runtime in order to use newly installed versions.\n";

fn installs(code: &str, printed: &str, import: &str) -> Page {
    let mut p = Page::real();
    p.send(&[&source("a", import), &cell("a", 0, "done", 1, Some(1))]);
    p.wait(9);
    p.send(&[
        &source("b", code),
        &cell("b", 1, "running", 1, None),
        &out("b", 1, printed),
    ]);
    p.wait(9);
    p.send(&[&cell("b", 1, "done", 1, Some(2))]);
    p
}

#[test]
fn every_installer_that_replaces_a_package_in_use_is_told_to_need_a_restart() {
    for (code, printed, tool) in [
        ("!pip install 'numpy<2'", PIP, "pip"),
        ("%pip install 'numpy<2'", PIP, "pip"),
        ("!pip3 install 'numpy<2'", PIP, "pip"),
        ("!python -m pip install 'numpy<2'", PIP, "pip"),
        ("!{sys.executable} -m pip install 'numpy<2'", PIP, "pip"),
        ("import subprocess, sys\nprint(subprocess.run([sys.executable, '-m', 'pip', 'install', 'numpy<2'], capture_output=True, text=True).stdout)", PIP, "pip"),
        ("%%bash\npip install 'numpy<2'", PIP, "pip"),
        ("!pip install -q 'numpy<2'", COLAB, "pip"),
        ("!uv pip install 'numpy<2'", UV, "uv"),
        ("!uv add 'numpy<2'", UV, "uv"),
        ("!conda install -y 'numpy<2'", CONDA, "conda"),
        ("%conda install -y 'numpy<2'", CONDA, "conda"),
        ("!mamba install -y numpy", MAMBA, "conda"),
        ("!micromamba install -y numpy", MAMBA, "conda"),
        ("!apt-get install -y python3-numpy", APT, "apt"),
        ("!sudo apt install -y python3-numpy", APT, "apt"),
    ] {
        for (import, restart) in [
            ("import numpy as np", true),
            ("import pandas as pd", true),
            ("import json", false),
        ] {
            let p = installs(code, printed, import);
            assert_eq!(!p.cards.is_empty(), restart, "{code}: {import}");
            if restart {
                assert_eq!(
                    p.variant("n/b"),
                    "card warning binary-incompatible/restart-needed",
                    "{code}"
                );
                let want = format!("{tool} replaced numpy with another version");
                assert!(p.says().contains(&want), "{want}: {}", p.says());
            }
            p.replays();
        }
    }
}

#[test]
fn what_fails_after_numpy_was_replaced_names_the_install() {
    let error = "---------------------------------------------------------------------------\n\
ValueError                                Traceback (most recent call last)\n\
Cell In[3], line 1\n----> 1 import pandas\n\n\
ValueError: numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88 from PyObject\n";
    let mut p = installs("!pip install 'numpy<2'", PIP, "import numpy");
    p.wait(5);
    p.send(&[
        &source("c", "import pandas"),
        &cell("c", 2, "error", 1, Some(3)),
        &out("c", 1, error),
    ]);
    assert!(
        p.variant("n/c")
            .starts_with("card error binary-incompatible/"),
        "{}",
        p.variant("n/c")
    );
    let card = serde_json::to_string(&p.cards[&"n/c".to_owned()]).unwrap();
    let want = "cell [2] replaced numpy under the running kernel: restart the kernel";
    assert!(card.contains(want), "{card}");
    p.replays();
    // In a new kernel, the replaced package is no longer the cause.
    p.send(&[r#"{"t":"kernel","nb":"n","status":"restarting"}"#]);
    p.wait(5);
    p.send(&[&cell("c", 2, "error", 2, Some(1)), &out("c", 2, error)]);
    let card = serde_json::to_string(&p.cards[&"n/c".to_owned()]).unwrap();
    assert!(!card.contains("under the running kernel"), "{card}");
    p.replays();
}

#[test]
fn everything_after_a_dead_context_is_a_consequence_of_it() {
    let fault = |n: u32| {
        format!(
            "---------------------------------------------------------------------------\n\
RuntimeError                              Traceback (most recent call last)\n\
Cell In[{n}], line 1\n----> 1 x = torch.zeros(3, device='cuda')\n\n\
RuntimeError: CUDA error: device-side assert triggered\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.\n"
        )
    };
    let mut p = Page::real();
    let fails = |p: &mut Page, id: &str, index: u32, run: u32, count: u32| {
        p.wait(2);
        p.send(&[
            &source(id, "x = torch.zeros(3, device='cuda')"),
            &cell(id, index, "error", run, Some(count)),
            &out(id, run, &fault(count)),
        ]);
    };
    fails(&mut p, "a", 0, 1, 1);
    fails(&mut p, "b", 1, 1, 2);
    fails(&mut p, "c", 2, 1, 3);
    assert_eq!(
        p.shows(),
        [
            ("n/a", "cuda-device-assert"),
            ("n/b", "consequence"),
            ("n/c", "consequence")
        ]
    );
    p.replays();
    p.send(&[r#"{"t":"kernel","nb":"n","status":"restarting"}"#]);
    fails(&mut p, "b", 1, 2, 1);
    assert_eq!(p.shows()[1], ("n/b", "cuda-device-assert"));
    p.replays();
}

#[test]
fn cells_that_were_edited_after_they_ran_are_named_whenever_their_source_comes() {
    let error = "---------------------------------------------------------------------------\n\
ValueError                                Traceback (most recent call last)\n\
Cell In[4], line 2\n      1 import numpy as np\n----> 2 np.dot(weights, batch)\n\n\
ValueError: shapes (3,4) and (5,) not aligned: 4 (dim 1) != 5 (dim 0)\n";
    let mut p = Page::real();
    for (i, (id, code)) in [
        ("a", "weights = np.ones((3, 4))"),
        ("b", "batch = load(5)"),
        ("c", "rate = 1"),
    ]
    .into_iter()
    .enumerate()
    {
        let n = i as u32;
        p.send(&[&source(id, code), &cell(id, n, "done", 1, Some(n + 1))]);
        p.wait(3);
    }
    p.send(&[
        &source("d", "import numpy as np\nnp.dot(weights, batch)"),
        &cell("d", 3, "error", 1, Some(4)),
        &out("d", 1, error),
    ]);
    let says = |p: &Page, what: &str| p.says().contains(what);
    assert!(!says(&p, "edited"), "{}", p.says());
    // The other cells' sources come later, one by one.
    p.send(&[&source("c", "rate = 2")]);
    assert!(
        !says(&p, "edited"),
        "it is not used where it fails: {}",
        p.says()
    );
    p.send(&[&source("b", "batch = load(4)")]);
    assert!(
        says(&p, "cell [2] defines batch and was edited after it ran"),
        "{}",
        p.says()
    );
    p.send(&[&source("a", "weights = np.ones((3, 5))")]);
    assert!(
        says(&p, "cell [1] defines weights and was edited after it ran"),
        "{}",
        p.says()
    );
    assert!(says(&p, "cell [2] defines batch"), "{}", p.says());
    p.replays();
    // The source is restored to what ran, so there is nothing to report.
    p.send(&[&source("a", "weights = np.ones((3, 4))\n")]);
    assert!(!says(&p, "cell [1]"), "{}", p.says());
    p.send(&[&cell("b", 1, "running", 2, None)]);
    p.send(&[&cell("b", 1, "done", 2, Some(5))]);
    assert!(!says(&p, "edited"), "{}", p.says());
    p.replays();
}
