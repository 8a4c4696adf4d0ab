//! Which death a record of the probe is of.

use super::foresight::ram;
use super::verdicts::{dies, end, DIED};
use super::*;

#[test]
fn a_record_is_of_the_death_that_it_is_nearest_to() {
    let oom = r#""st":9,"oom":[1,1,null]"#;
    let probe = |p: &mut Page, run: u32, text: &str| {
        p.send(&[
            &cell("p", 1, "running", run, None),
            &out("p", run, text),
            &cell("p", 1, "done", run, Some(1)),
        ]);
    };
    let mut p = dies("train()", &ram(4.0), "step\n", &[DIED]);
    let first = p.now;
    p.send(&[
        &cell("a", 0, "idle", 1, None),
        r#"{"t":"kernel","nb":"n","status":"idle"}"#,
    ]);
    p.wait(8);
    probe(&mut p, 1, &end(first, oom));
    assert_eq!(p.variant("n/a"), "card error host-oom/system-says");
    // Another cell dies soon after: what is known is of the one before.
    p.wait(12);
    p.send(&[&cell("b", 2, "running", 1, None)]);
    p.wait(1);
    p.send(&[&cell("b", 2, "idle", 1, None), DIED]);
    assert_eq!(p.variant("n/b"), "card error kernel-died/");
    assert_eq!(p.variant("n/a"), "card error host-oom/system-says");
    // And stays so when the first one's record is all that there is.
    p.wait(5);
    probe(&mut p, 2, &end(first + 1, oom));
    assert_eq!(p.variant("n/b"), "card error kernel-died/");
    p.replays();

    // Two within three seconds: the record of the second is not the first one's.
    let mut p = dies("train()", &ram(4.0), "step\n", &[DIED]);
    let first = p.now;
    p.send(&[&cell("a", 0, "idle", 1, None)]);
    p.wait(1);
    probe(&mut p, 1, &end(first, oom));
    let fault = r#""st":11,"oom":[0,0,null],"fault":"Segmentation fault""#;
    p.send(&[&cell("b", 2, "running", 1, None)]);
    p.wait(1);
    p.send(&[&cell("b", 2, "idle", 1, None), DIED]);
    p.wait(1);
    let second = p.now - 1000;
    probe(&mut p, 2, &end(second, fault));
    assert_eq!(p.variant("n/a"), "card error host-oom/system-says");
}
