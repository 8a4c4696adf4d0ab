//! Helpers for the techniques' tests: notebooks in a few lines.

use super::*;

/// The cures of a notebook whose last cell failed. Each cell is its source; one that starts with
/// `#!` hasn't run. `error` is the full output of the last cell.
pub(crate) fn cures_of(cells: &[&str], error: &str) -> Vec<Cure> {
    let cells: Vec<(&str, &str)> = cells.iter().map(|source| (*source, "")).collect();
    cures_below(&cells, error)
}

/// Like [`cures_of`], for cells with their outputs. Checks the invariants of all edits.
pub(crate) fn cures_below(cells: &[(&str, &str)], error: &str) -> Vec<Cure> {
    let all = offered(cells, error);
    let edits = all.iter().filter(|c| !c.edits.is_empty());
    edits.for_each(|cure| is_what_it_says(cells, error, cure));
    all
}

/// Fails if an edited cell doesn't parse, if code quoted in the title is in neither the old nor the
/// new code, or if the same edit is offered for its own result.
fn is_what_it_says(cells: &[(&str, &str)], error: &str, cure: &Cure) {
    let after = |(i, (source, _)): (usize, &(&str, &str))| {
        let edits: Vec<&Edit> = cure.edits.iter().filter(|e| e.cell == i + 1).collect();
        let after = Edit::apply(source, &edits).expect("edits have their places");
        assert!(
            edits.is_empty() || nbmedic_python::Cell::is_valid(&after),
            "{after}"
        );
        after
    };
    let after: Vec<String> = cells.iter().enumerate().map(after).collect();
    // Spaces, the kind of quotes and whatever follows three dots don't matter.
    let bare = |text: &str| {
        let text = text.split("...").next().unwrap_or("").replace('\'', "\"");
        text.split_whitespace().collect::<String>()
    };
    let whole: Vec<String> = cells
        .iter()
        .map(|(s, _)| bare(s))
        .chain(after.iter().map(|s| bare(s)))
        .collect();
    for code in cure.title.split('`').skip(1).step_by(2) {
        // More arguments may follow.
        let wanted = bare(code);
        let wanted = wanted.strip_suffix(')').unwrap_or(&wanted);
        let stands = whole.iter().any(|w| w.contains(wanted));
        // A name or a keyword argument may be a dict entry; the rename tables use `x`.
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '=' | '"' | '\'');
        let word = code.chars().all(plain) || code.contains('…') || code.contains("(x");
        assert!(stands || word, "{} quotes {code:?}", cure.title);
    }
    let again: Vec<(&str, &str)> = after
        .iter()
        .map(String::as_str)
        .zip(cells.iter().map(|(_, o)| *o))
        .collect();
    let texts = |c: &Cure| {
        let all = c.edits.iter();
        all.map(|e| (e.cell, e.start.line, e.text.clone()))
            .collect::<Vec<_>>()
    };
    for second in offered(&again, error) {
        let same = second.id == cure.id && texts(&second) == texts(cure);
        assert!(!same, "{} is offered again: {:?}", cure.id, second.edits);
    }
}

fn offered(cells: &[(&str, &str)], error: &str) -> Vec<Cure> {
    let mut count = 0;
    let cells: Vec<BookCell<'_>> = cells
        .iter()
        .enumerate()
        .map(|(i, (source, output))| {
            let skipped = source.starts_with("#!");
            count += i64::from(!skipped);
            BookCell {
                position: i + 1,
                source,
                count: (!skipped).then_some(count),
                ran: (!skipped).then_some(count.unsigned_abs()),
                output,
                ..BookCell::default()
            }
        })
        .collect();
    let at = cells.len() - 1;
    let book = Book::new(cells);
    let case = Case::new(&book, at, error);
    let mut all = case.map_or_else(Vec::new, |case| {
        depends_on_no_place(&case);
        cures(&case)
    });
    // Cures from the message alone have their own tests.
    all.retain(|c| c.id != "as-said");
    all
}

/// Fails if the techniques' cures depend on their order in the table: in any other order, shuffled
/// per error, they must find the same.
fn depends_on_no_place(case: &Case<'_>) {
    let found = |all: &[techniques::Technique]| {
        let cures = techniques::resolve::offered(case, all);
        let mut all: Vec<String> = cures.iter().map(|c| format!("{c:?}")).collect();
        all.sort();
        all
    };
    let mut mixed = techniques::ALL.to_vec();
    let mut state = case
        .message()
        .bytes()
        .fold(7_u64, |s, b| s.wrapping_mul(31).wrapping_add(u64::from(b)));
    for last in (1..mixed.len()).rev() {
        // Knuth's constants.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let other = usize::try_from(state >> 33).unwrap_or(0) % (last + 1);
        mixed.swap(last, other);
    }
    assert_eq!(found(techniques::ALL), found(&mixed));
}

/// An error as printed by IPython. `frames` are the cell's count, the line and its text, outermost
/// first.
pub(crate) fn ipython(class: &str, frames: &[(i64, u32, &str)], message: &str) -> String {
    let mut out = format!(
        "{}\n{class:<42}Traceback (most recent call last)\n",
        "-".repeat(75)
    );
    for (count, line, code) in frames {
        out += &format!("Cell In[{count}], line {line}\n----> {line} {code}\n\n");
    }
    out + &format!("{class}: {message}\n")
}

/// The failing cell after the first cure.
pub(crate) fn repaired(cells: &[&str], error: &str) -> String {
    cures_of(cells, error)
        .first()
        .map(|c| c.code.clone())
        .unwrap_or_default()
}

/// An error on a line (from 1) of the last cell, as printed by IPython.
pub(crate) fn error_at(cells: &[&str], line: u32, class: &str, message: &str) -> String {
    let last = cells.last().copied().unwrap_or("");
    let text = last.lines().nth(line as usize - 1).unwrap_or("").trim();
    let count = i64::try_from(cells.len()).unwrap_or(0);
    ipython(class, &[(count, line, text)], message)
}

/// An error with the probe's output below it: the frames of its values as JSON.
pub(crate) fn with_values(error: &str, frames: &str) -> String {
    format!("{error}nbmedic: values when it failed\n  line 1\n⟦nbmedic:1 {{\"k\":\"v\",\"f\":{frames}}}⟧\n")
}

/// A `KeyError` of a line of the last cell.
pub(crate) fn key_error(cells: &[&str], line: u32, message: &str) -> String {
    error_at(cells, line, "KeyError", message)
}

/// The result of the first cure for an error on a line of the last cell.
pub(crate) fn repaired_at(cells: &[&str], line: u32, class: &str, message: &str) -> String {
    repaired(cells, &error_at(cells, line, class, message))
}

/// [`repaired_at`] for the first line.
pub(crate) fn repaired_first(cells: &[&str], class: &str, message: &str) -> String {
    repaired_at(cells, 1, class, message)
}

#[test]
fn a_cell_that_did_not_run_is_named_with_what_it_needs() {
    let cells = [
        "import os",
        "#!\nraw = os.listdir()",
        "#!\ndata = [r.upper() for r in raw]",
        "print(data)",
    ];
    let error = ipython(
        "NameError",
        &[(2, 1, "print(data)")],
        "name 'data' is not defined",
    );
    let cures = cures_of(&cells, &error);
    assert_eq!(cures[0].run, [2, 3, 4]);
    assert_eq!(cures[0].title, "Run cells 2, 3: cell 3 sets `data`");
    let gone = ipython(
        "NameError",
        &[(2, 1, "print(x)")],
        "name 'x' is not defined",
    );
    let cures = cures_of(&["import os", "print(x)"], &gone);
    assert!(cures[0].run.is_empty() && cures[0].edits.is_empty());
}

#[test]
fn what_a_program_raises_is_not_repaired_in_the_cells() {
    let cell = |position, source, ran| BookCell {
        position,
        source,
        ran,
        ..BookCell::default()
    };
    let cells = vec![
        cell(1, "cfg = {'rate': 1}", None),
        cell(2, "!python train.py --epochs 3", Some(2)),
    ];
    let text = "start\nTraceback (most recent call last):\n  File \"/content/train.py\", line 12, in <module>\n    main(cfg)\nNameError: name 'cfg' is not defined\n";
    let book = Book::new(cells);
    let mut found = [Diagnosis::default()];
    cure(&book, 1, text, &mut found);
    assert!(found[0].cures.iter().all(|c| c.run.is_empty()));
    // A cell's own traceback has a frame in it.
    let own = ipython("NameError", &[(2, 1, "cfg")], "name 'cfg' is not defined");
    let book = Book::new(vec![
        cell(1, "cfg = {'rate': 1}", None),
        cell(2, "!ls\ncfg", Some(2)),
    ]);
    let mut found = [Diagnosis::default()];
    cure(&book, 1, &own, &mut found);
    assert_eq!(found[0].cures[0].run, [1, 2]);
}

#[test]
fn an_edit_is_checked_and_its_difference_shown() {
    let book = Book::new(vec![BookCell {
        position: 1,
        source: "import os\nx = os.getcwdd()\ny = 1\n",
        count: Some(1),
        ran: Some(1),
        ..BookCell::default()
    }]);
    let error = ipython(
        "AttributeError",
        &[(1, 2, "x = os.getcwdd()")],
        "module 'os' has no attribute 'getcwdd'",
    );
    let case = Case::new(&book, 0, &error).unwrap();
    let (cell, python, stmt) = case.here().unwrap();
    let said = || edit::Said {
        id: "t",
        basis: nbmedic_facts::Basis::Language,
        title: String::new(),
        why: String::new(),
    };
    let change = edit::Change::replace(cell, stmt, "x = os.getcwd()");
    let cure = case.edits(said(), vec![change]).unwrap();
    assert_eq!(cure.code, "import os\nx = os.getcwd()\ny = 1\n");
    let lines: Vec<_> = cure
        .diff
        .iter()
        .map(|d| (d.sign, d.number, d.text.as_str(), d.changed))
        .collect();
    assert_eq!(
        lines,
        [
            ('-', 2, "x = os.getcwdd()", Some((13, 14))),
            ('+', 2, "x = os.getcwd()", Some((13, 13)))
        ]
    );
    let insert = edit::Change::line_before(cell, python, 2, "import sys\nz = 2");
    let cure = case.edits(said(), vec![insert]).unwrap();
    assert_eq!(
        cure.code,
        "import os\nimport sys\nz = 2\nx = os.getcwdd()\ny = 1\n"
    );
    let signs: Vec<_> = cure.diff.iter().map(|d| (d.sign, d.number)).collect();
    assert_eq!(signs, [('+', 2), ('+', 3)]);
    // An insertion and a change at the same place are one edit.
    let at = edit::Change::replace(cell, stmt, "x = os.getcwd()");
    let insert = edit::Change::line_before(cell, python, 2, "import sys");
    let cure = case.edits(said(), vec![insert, at]).unwrap();
    assert_eq!(cure.edits.len(), 1);
    assert_eq!(cure.code, "import os\nimport sys\nx = os.getcwd()\ny = 1\n");
    assert!(case
        .edits(said(), vec![edit::Change::replace(cell, stmt, "x = (")])
        .is_none());
}

#[test]
fn a_line_that_moved_is_found_by_its_text() {
    let source = "def f(x):\n    y = x + 1\n    return y\ny = x + 1\nf('a')";
    let error = ipython(
        "TypeError",
        &[(1, 9, "f('a')  # fails"), (1, 5, "y = x + 1 # one more")],
        "can only concatenate str",
    )
    .replacen("Cell In[1], line 5", "Cell In[1], line 5, in f(x)", 1);
    let book = Book::new(vec![BookCell {
        position: 1,
        source,
        count: Some(1),
        ran: Some(1),
        edited: true,
        ..BookCell::default()
    }]);
    let case = Case::new(&book, 0, &error).unwrap();
    let lines: Vec<u32> = case.frames.iter().map(|f| f.line).collect();
    assert_eq!(lines, [5, 2]);
}

#[test]
fn what_was_changed_since_it_failed_gets_no_cure() {
    let class = "NameError";
    let message = "name 'raw' is not defined";
    let cells = |line| ["#!\nraw = 1", "def f():\n    return raw", line];
    let frames = [(2, 1, "total = f()"), (1, 2, "return raw")];
    let error = ipython(class, &frames[..1], message);
    assert_eq!(cures_of(&cells("total = f()"), &error).len(), 1);
    assert!(cures_of(&cells("total = f(1)"), &error).is_empty());
    // The line in another cell still exists and is the one that failed.
    let error = ipython(class, &frames, message);
    assert_eq!(cures_of(&cells("total = f(1)"), &error).len(), 1);
    let changed = ["#!\nraw = 1", "def f():\n    return 1", "total = f()"];
    assert!(cures_of(&changed, &error).is_empty());
    let magic = ipython(class, &[(2, 1, "get_ipython().system('ls')")], message);
    assert_eq!(cures_of(&cells("!ls"), &magic).len(), 1);
}

#[test]
fn another_place_of_a_file_is_no_change_of_what_failed() {
    let cells = ["import os", "df = read_csv('data/a.csv')  # the copy"];
    let line = "df = read_csv('/content/a.csv') # first";
    let error = |message: &str| ipython("NameError", &[(2, 1, line)], message);
    let cures = cures_of(&cells, &error("name 'read_csv' is not defined"));
    assert_eq!(cures.len(), 1);
    // The message mentions the old string.
    let file = "No such file or directory: '/content/a.csv'";
    let error = ipython("FileNotFoundError", &[(2, 1, line)], file);
    assert!(cures_of(&cells, &error).is_empty());
}

#[test]
fn a_line_that_was_changed_since_is_left_alone() {
    let name = "name 'np' is not defined";
    // The failing line was edited: the line in the traceback no longer exists.
    let cells = ["x = 1", "y = np.zeros(3, dtype=int)"];
    let error = ipython("NameError", &[(2, 1, "y = np.zeros(3)")], name);
    let cures = cures_of(&cells, &error);
    assert_eq!(
        cures[0].code,
        "import numpy as np\ny = np.zeros(3, dtype=int)"
    );
    // A cure for that line isn't offered, as it may already be repaired.
    let cells = ["import os", "x = os.getcwd()"];
    let message = "module 'os' has no attribute 'getcwdu'";
    let error = ipython("AttributeError", &[(2, 1, "x = os.getcwdu()")], message);
    assert!(cures_of(&cells, &error).is_empty());
    // No similar line is left.
    let error = ipython("NameError", &[(2, 1, "train(model, np)")], name);
    assert!(cures_of(&["x = 1", "y = 2"], &error).is_empty());
}
