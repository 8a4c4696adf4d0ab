//! What ended a kernel, by the probe and by the code.

use super::foresight::ram;
use super::verdicts::{dies, end, DIED};
use super::*;

#[test]
fn what_ended_the_kernel_and_what_the_code_says_agree() {
    for (code, verdict, card, part) in [
        (
            "import os\nos._exit(3)\ntrain()",
            r#""st":768,"oom":[0,0,null]"#,
            "card info kernel-died/asked",
            "exit code 3",
        ),
        (
            "import os\nif lost:\n    os._exit(3)",
            r#""st":768,"oom":[0,0,null]"#,
            "card info kernel-died/asked",
            "on line 3",
        ),
        (
            "import os\nif lost:\n    os._exit(3)",
            r#""st":9,"oom":[0,0,null],"last":[40,100]"#,
            "card error kernel-died/killed",
            "SIGKILL",
        ),
        (
            "%pip install -q tiny\nimport IPython\nIPython.Application.instance().kernel.do_shutdown(True)\ntrain()",
            r#""st":0,"oom":[0,0,null]"#,
            "card info kernel-died/asked",
            "pip installs packages in this cell",
        ),
        (
            "train()",
            r#""st":256,"par":0,"oom":[0,0,null]"#,
            "card error runtime-disconnected/server-gone",
            "its Jupyter server had ended before it",
        ),
        (
            "train()",
            r#""st":11,"deep":1,"fault":"Segmentation fault","oom":[0,0,null]"#,
            "card error native-crash/",
            "Compiled code crashed: stack overflow",
        ),
        (
            "train()",
            r#""st":4,"oom":[0,0,null]"#,
            "card error native-crash/",
            "Compiled code crashed: illegal instruction",
        ),
    ] {
        let mut p = dies(code, &ram(4.0), "step\n", &[DIED]);
        p.wait(5);
        let at = p.now - 6_000;
        p.send(&[&cell("p", 1, "done", 1, Some(1)), &out("p", 1, &end(at, verdict))]);
        assert_eq!(p.variant("n/a"), card, "{code} {verdict}");
        assert!(p.says().contains(part), "{part}: {}", p.says());
        p.replays();
    }
    // Without a record, a line that may not have been reached proves nothing.
    let p = dies(
        "import os\nif lost:\n    os._exit(3)",
        &ram(4.0),
        "step\n",
        &[DIED],
    );
    assert_eq!(p.variant("n/a"), "card error kernel-died/");
    assert!(
        p.says().contains("ends the kernel if it is reached"),
        "{}",
        p.says()
    );
}
