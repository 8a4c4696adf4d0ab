//! Generated streams of events, replayed.

use super::*;

/// A simulated sensor: a seed selects among the events that sensors may send.
struct Sensor {
    seed: u64,
    cells: Vec<(String, u32, Option<u32>, String)>,
    kernel: u32,
    notices: u32,
}

impl Sensor {
    fn roll(&mut self, n: u64) -> u64 {
        self.seed = self
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) % n
    }

    fn step(&mut self, events: &mut Vec<Event>) {
        const TEXTS: &[&str] = &[
            "fine",
            "BOOM",
            "MEMORY",
            "ILLEGAL",
            "CUDNN",
            "LAUNCH",
            "Killed",
            "WEAK",
            "x\nBOOM\nOOM",
            "BOOM Traceback (most recent call last)",
        ];
        const STATES: &[&str] = &["idle", "pending", "done", "error", "stale", "unknown"];
        const NOTICES: &[&str] = &[
            "session crashed",
            "all available RAM",
            "inactivity",
            "disk is almost full",
            "Saved",
        ];
        const STATUS: &[&str] = &[
            "restarting",
            "autorestarting",
            "dead",
            "busy",
            "disconnected",
        ];
        let at = self.roll(self.cells.len() as u64) as usize;
        let (id, run, count, _) = self.cells[at].clone();
        let index = at as u32;
        let mut push = |json: &str| events.push(Event::parse(json).expect("an event"));
        match self.roll(24) {
            0..=5 => {
                self.cells[at].1 += 1;
                self.cells[at].2 = None;
                push(&cell(&id, index, "running", run + 1, None));
            }
            6..=11 => {
                if count.is_none() && self.roll(4) > 0 {
                    self.kernel += 1;
                    self.cells[at].2 = Some(self.kernel);
                }
                let state = STATES[self.roll(STATES.len() as u64) as usize];
                push(&cell(&id, index, state, run, self.cells[at].2));
            }
            12..=16 => {
                let text = TEXTS[self.roll(TEXTS.len() as u64) as usize];
                self.cells[at].3 = text.to_owned();
                push(&out(&id, run, text));
            }
            17 => push(&format!(
                r#"{{"t":"outputs","nb":"n","cell":"{id}","n":0}}"#
            )),
            18 => push(&format!(r#"{{"t":"removed","nb":"n","cell":"{id}"}}"#)),
            19 => {
                let again = self.roll(3) == 0 && self.notices > 0;
                self.notices += u32::from(!again);
                // A notice that is read again has the same text.
                let n = self.notices;
                let text = NOTICES[n as usize * 7 % NOTICES.len()];
                let old = n.is_multiple_of(5);
                push(&format!(
                    r#"{{"t":"notice","id":"{n}","text":"{text}","old":{old}}}"#
                ));
            }
            20 => {
                self.kernel = 0;
                let status = STATUS[self.roll(STATUS.len() as u64) as usize];
                push(&format!(r#"{{"t":"kernel","nb":"n","status":"{status}"}}"#));
            }
            21 => push(r#"{"t":"kernel","nb":"n","status":"idle"}"#),
            22 => {
                let used = self.roll(12);
                push(&format!(
                    r#"{{"t":"vitals","nb":null,"source":"w","text":"RAM: {used} GB/12 GB"}}"#
                ));
            }
            _ => {
                // The page is read again.
                for (i, (id, run, _, text)) in self.cells.clone().into_iter().enumerate() {
                    push(&cell(&id, i as u32, "idle", run, self.cells[i].2));
                    push(&out(&id, run, &text));
                }
            }
        }
    }
}

#[test]
fn any_stream_replays_to_the_same_cards() {
    for seed in 0..60 {
        let mut sensor = Sensor {
            seed,
            cells: (0..5)
                .map(|i| (format!("c{i}"), 0, None, String::new()))
                .collect(),
            kernel: 0,
            notices: 0,
        };
        let mut p = Page::new();
        for _ in 0..60 {
            let mut batch = Vec::new();
            for _ in 0..=sensor.roll(4) {
                sensor.step(&mut batch);
            }
            p.now += sensor.roll(40_000);
            p.apply(&batch);
            if sensor.roll(40) == 0 {
                if let Some(card) = p.cards.keys().next().cloned() {
                    p.act("dismiss", Some(&card), None);
                }
            }
            if sensor.roll(6) == 0 {
                p.replays();
            }
        }
        p.replays();
    }
}

#[test]
fn the_failing_line_comes_from_the_source() {
    let mut p = Page::new();
    p.send(&[
        r#"{"t":"source","nb":"n","cell":"a","text":"import x\n  y = <b>x</b>\n"}"#,
        &cell("a", 0, "error", 1, Some(1)),
        &out("a", 1, "BOOM"),
    ]);
    let text = serde_json::to_string(&p.cards[&"n/a".to_owned()]).unwrap();
    assert!(text.contains(r#""text":"y = <b>x</b>""#), "{text}");
    p.send(&[
        r#"{"t":"source","nb":"n","cell":"a","text":""}"#,
        &out("a", 1, "BOOM\n----> 2 z = 3\n      3 q\n"),
    ]);
    let text = serde_json::to_string(&p.cards[&"n/a".to_owned()]).unwrap();
    assert!(text.contains(r#""text":"z = 3""#), "{text}");
}
