//! Tests of the step from clean lines to exceptions.
// The engine does no I/O; its tests read their fixtures.
#![allow(clippy::disallowed_methods)]

#[path = "support/traceback_snapshot.rs"]
mod traceback_snapshot;

use nbmedic::text::{Document, Limits};
use nbmedic::traceback::{parse, Chain, Origin, Relation, Style};
use serde_json::{Map, Value};

fn chains(text: &str) -> Vec<Chain> {
    parse(&Document::from_terminal(text, Limits::default()))
}

/// Every fixture's snapshot. `cargo run --example bless_traceback` rewrites them.
#[test]
fn fixtures_give_what_is_expected() {
    let path = traceback_snapshot::folder().join("expected.json");
    let expected = std::fs::read_to_string(path).expect("expected.json");
    let expected: Map<String, Value> = serde_json::from_str(&expected).expect("JSON");
    let fixtures = traceback_snapshot::fixtures();
    assert!(fixtures.len() > 60);
    assert_eq!(
        fixtures.len(),
        expected.len(),
        "run the example bless_traceback"
    );
    for (name, text) in fixtures {
        assert_eq!(
            Some(&traceback_snapshot::snapshot(&text)),
            expected.get(&name),
            "{name}"
        );
    }
}

/// The class and message of a chain's last exception, and the cell's line.
fn last(text: &str) -> (String, String, Option<u32>) {
    let all = chains(text);
    let chain = all.last().expect("a chain");
    let e = chain.last();
    (e.class.clone(), e.message.clone(), chain.cell_line())
}

#[test]
fn lines_numbered_with_links_are_read() {
    let text = "\
---------------------------------------------------------------------------
KeyError                                  Traceback (most recent call last)
[/tmp/T/ipykernel_67/2458.py](https://file+.vscode-resource.vscode-cdn.net/tmp/T/ipykernel_67/2458.py) in 
      [1](vscode-notebook-cell:/a.ipynb#X1?line=0) rain = {}
----> [2](vscode-notebook-cell:/a.ipynb#X1?line=1) rain['may']

KeyError: 'may'";
    assert_eq!(last(text), ("KeyError".into(), "'may'".into(), Some(2)));
}

#[test]
fn links_of_copied_pages_are_taken_off() {
    let text = "\
---------------------------------------------------------------------------
ValueError                                Traceback (most recent call last)
[<ipython-input-5-0a1b2c3d4e5f>](https://localhost:8080/#) in <cell line: 0>()
      1 import json
----> 2 json.loads(text)

3 frames
[/usr/lib/python3.11/json/decoder.py](https://x-colab.googleusercontent.com/outputframe.html?vrz=colab_2#) in decode(self, s)
    351 
--> 352         obj, end = self.raw_decode(s)

ValueError: bad value
";
    assert_eq!(
        last(text),
        ("ValueError".into(), "bad value".into(), Some(2))
    );
    let frames = &chains(text)[0].exceptions[0].frames;
    assert_eq!(frames[0].file, "<ipython-input-5-0a1b2c3d4e5f>");
    assert_eq!(frames[0].origin, Origin::Cell { count: Some(5) });
    assert_eq!(frames[1].file, "/usr/lib/python3.11/json/decoder.py");
    assert_eq!(frames[1].origin, Origin::Library);
    assert_eq!(frames[1].line, Some(352));
}

#[test]
fn colabs_note_is_no_part_of_the_message() {
    let text = "\
---------------------------------------------------------------------------
ModuleNotFoundError                       Traceback (most recent call last)
/tmp/ipython-input-3543461519.py in <cell line: 0>()
----> 1 import nothing

ModuleNotFoundError: No module named 'nothing'

---------------------------------------------------------------------------
NOTE: If your import is failing due to a missing package, you can
manually install dependencies using either !pip or !apt.
---------------------------------------------------------------------------
";
    let want = (
        "ModuleNotFoundError".into(),
        "No module named 'nothing'".into(),
        Some(1),
    );
    assert_eq!(last(text), want);
}

#[test]
fn cut_off_at_either_end() {
    let text = "    return f(x)\n  File \"/a/b.py\", line 9, in f\n    g(x)\nValueError: late\n";
    let found = chains(text);
    assert!(!found[0].headed);
    assert_eq!(found[0].last().class, "ValueError");
    let text = "\
KeyError                                  Traceback (most recent call last)
Cell In[7], line 3
----> 3 table['a']
";
    // The key is in the failing line.
    assert_eq!(last(text), ("KeyError".into(), "'a'".into(), Some(3)));
}

#[test]
fn user_code_of_keras_names_the_cause() {
    let text = "\
ValueError                                Traceback (most recent call last)
<ipython-input-9-0a1b2c3d4e5f> in <module>
----> 1 model.fit(x)

/usr/lib/python3.8/site-packages/keras/func_graph.py in wrapper(*args)
--> 977           raise e.ag_error_metadata.to_exception(e)

ValueError: in user code:

    <ipython-input-8-0a1b2c3d4e5f>:12 train_step  *
        loss = self.loss(y)
    /usr/lib/python3.8/site-packages/keras/losses.py:124 call  **
        raise ValueError(s)

    ValueError: Shapes (None, 1) and (None, 10) are incompatible
";
    let chain = &chains(text)[0];
    let inner = &chain.exceptions[0];
    assert!(inner.embedded);
    assert_eq!(
        inner.message,
        "Shapes (None, 1) and (None, 10) are incompatible"
    );
    assert_eq!(inner.frames.len(), 2);
    assert_eq!(chain.last().relation, Relation::Cause);
    assert!(chain.last().message.starts_with("in user code:\n"));
    assert_eq!(chain.cell_line(), Some(12));
}

#[test]
fn the_line_of_the_cell_that_ran_is_not_that_of_another_cells_function() {
    let text = "\
---------------------------------------------------------------------------
TypeError                                 Traceback (most recent call last)
Cell In[5], line 1
----> 1 past, future = split_at(series, cut)
      2 print(past.shape)

Cell In[4], line 2, in split_at(values, k)
      1 def split_at(values, k):
----> 2     return values[:k], values[k:]

TypeError: slice indices must be integers or None or have an __index__ method
";
    let lines = |text: &str| {
        let found = chains(text);
        (found[0].run_line(), found[0].cell_line())
    };
    assert_eq!(lines(text), (Some(1), Some(2)));
    // A function of the same cell: the deepest line is in it.
    assert_eq!(lines(&text.replace("In[4]", "In[5]")), (Some(2), Some(2)));
}

#[test]
fn bare_lines() {
    for (text, class) in [
        ("RuntimeError: CUDA error: out of memory", "RuntimeError"),
        (
            "torch.OutOfMemoryError: no memory",
            "torch.OutOfMemoryError",
        ),
        (
            "ERROR 03-24 14:29:42 [engine.py:448] RuntimeError: x",
            "RuntimeError",
        ),
        (
            "[rank1]: torch.distributed.DistBackendError: NCCL",
            "torch.distributed.DistBackendError",
        ),
        (
            "2024-05-01 12:00:00,123 - ERROR - KeyError: 'a'",
            "KeyError",
        ),
        ("KeyboardInterrupt", "KeyboardInterrupt"),
    ] {
        let found = chains(text);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(
            (found[0].last().class.as_str(), found[0].last().style),
            (class, Style::Bare)
        );
        assert!(!found[0].headed);
    }
    for text in [
        "UserWarning: look out",
        "x.py:3: DeprecationWarning: old",
        "WARNING: RuntimeError: caught, going on",
        "    raise ValueError: no",
        "  ValueError: in a help text",
        "except ValueError:",
        "Error: 0 problems",
        "the ValueError: which is raised",
        "INFO 10:00 KeyError: counted",
        "ValueError",
    ] {
        assert_eq!(chains(text), [], "{text}");
    }
}

#[test]
fn prefixes_that_differ_in_their_digits() {
    let text = "\
[1,0]<stderr>:Traceback (most recent call last):
[1,1]<stderr>:Traceback (most recent call last):
[1,0]<stderr>:  File \"a.py\", line 1, in <module>
[1,1]<stderr>:  File \"b.py\", line 2, in <module>
[1,0]<stderr>:    f()
[1,1]<stderr>:    g()
[1,1]<stderr>:KeyError: 'b'
[1,0]<stderr>:ValueError: a
";
    let found = chains(text);
    let classes: Vec<&str> = found.iter().map(|c| c.last().class.as_str()).collect();
    assert_eq!(classes, ["KeyError", "ValueError"]);
    assert_eq!(found[0].last().frames[0].file, "b.py");
}

#[test]
fn a_prefix_of_every_line() {
    let plain = "\
---------------------------------------------------------------------------
ZeroDivisionError                         Traceback (most recent call last)
<ipython-input-3-9e1622b385b6> in <module>
      1 a = 1
----> 2 a / 0

ZeroDivisionError: division by zero
";
    for prefix in [
        "> ",
        "worker-1  | ",
        "2024-05-01T10:11:1#.#Z ",
        "[1,0]<stderr>:",
    ] {
        let mut text = String::new();
        for (i, line) in plain.lines().enumerate() {
            let prefix = prefix.replace('#', &i.to_string());
            text += format!("{prefix}{line}").trim_end();
            text.push('\n');
        }
        let found = chains(&text);
        assert_eq!(found.len(), 1, "{text}");
        let last = found[0].last();
        assert_eq!(
            (last.class.as_str(), last.message.as_str(), last.style),
            ("ZeroDivisionError", "division by zero", Style::IPython)
        );
        assert_eq!(found[0].cell_line(), Some(2));
    }
    // Lines that share a prefix keep it if they contain no traceback.
    let found = chains("ValueError: a\nValueError: b\nValueError: c\n");
    assert_eq!(found[0].last().class, "ValueError");
}

#[test]
fn messages_are_bounded() {
    let text = format!(
        "ValueError: {}\n{}end",
        "x".repeat(50_000),
        "line of text\n".repeat(30)
    );
    let message = chains(&text)[0].last().message.clone();
    assert!(message.len() < 17 << 10, "{}", message.len());
    assert!(message.starts_with("xxx") && message.ends_with("end"));
    assert!(message.contains("bytes left out"));
}

#[test]
fn hostile_texts_take_linear_time() {
    let n = 100_000;
    for piece in [
        "Traceback (most recent call last):\n",
        "KeyError                 Traceback (most recent call last)\n",
        "During handling of the above exception, another exception occurred:\n\n",
        "  File \"a.py\", line 1, in f\n",
        "Cell In[1], line 2\n",
        "----> 1 x\n",
        "ValueError: in user code:\n",
        "Original Traceback (most recent call last):\n",
        "Traceback (most recent call last):\n  File \"a\", line 1, in f\nE: x\n",
        "  | Traceback (most recent call last):\n  +-+------- 1 -------\n",
        "╭──── Traceback (most recent call last) ────╮\n│ a/b.py │\n",
        "[a](b)[a](b)[a](https://c) in f\n",
        "\"\"\"\nValueError: x\n",
        "[p1] File \"a\", line 1\n[p2] File \"a\", line 2\n",
        "junk\n  File \"a\", line 1\njunk\n",
        "1\n",
    ] {
        // Quadratic work would take minutes, so the test runner's time limit is the bound.
        let found = chains(&piece.repeat(n / piece.lines().count()));
        for chain in &found {
            assert!(!chain.exceptions.is_empty() && chain.lines.start < chain.lines.end);
            assert!(chain.exceptions.iter().all(|e| e.frames.len() <= 500));
        }
    }
    let brackets = "](".repeat(200_000);
    assert_eq!(chains(&format!("File {brackets}\n")), []);
}

#[test]
fn any_mixture_of_lines_is_survived() {
    let mut pieces: Vec<String> = [
        "│ é.py:3 in f │",
        "[é](https://x) in f()",
        "\u{a0}File \"é\", line 3, in é",
        "é: ü",
        "...",
        "   (...)",
        "[... skipping hidden 1 frame]",
        "  + Exception Group Traceback (most recent call last):",
        "+-+---------------- 1 ----------------",
        "\"\"\"",
        "in user code:",
        "ValueError: in user code:",
        "",
        "Call stack:",
        "Exception ignored in: <x>",
        "----> <a href='vscode-notebook-cell:x'>1</a> y",
        "> é",
        "RayTaskError(ValueError): ray::f()",
        "📈 Traceback (most recent call last):",
        "( ValueError: x",
        "\u{2028}ValueError: x",
        "/x/é.ipynb Cell 3 line 4",
        "Cell In[",
        "File é:3, in",
        "a.ipynb Cell é",
    ]
    .map(String::from)
    .into();
    for (_, text) in traceback_snapshot::fixtures().iter().step_by(7) {
        pieces.extend(text.lines().take(40).map(String::from));
    }
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 33) as usize % below
    };
    for _ in 0..4000 {
        let n = 1 + next(24);
        let mut text = String::new();
        for _ in 0..n {
            let piece = &pieces[next(pieces.len())];
            let mut from = if next(6) == 0 {
                next(piece.len() + 1)
            } else {
                0
            };
            while !piece.is_char_boundary(from) {
                from += 1;
            }
            text.push_str(&piece[from..]);
            text.push_str(if next(9) == 0 { " " } else { "\n" });
        }
        let doc = Document::from_terminal(&text, Limits::default());
        for chain in parse(&doc) {
            assert!(
                chain.lines.end <= doc.len() && !chain.lines.is_empty(),
                "{text}"
            );
            for e in &chain.exceptions {
                assert!(e.lines.end <= doc.len() && !e.lines.is_empty(), "{text}");
                assert!(!e.class.is_empty() && !e.name().is_empty(), "{text}");
                assert!(e.frames.iter().all(|f| f.at < doc.len()), "{text}");
            }
            let _ = chain.cell_line();
        }
    }
}
