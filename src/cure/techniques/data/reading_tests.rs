//! Files read in the wrong format.

use crate::tests::{cures_of, ipython, repaired};

fn one(line: &str, class: &str, message: &str) -> String {
    let error = ipython(class, &[(2, 1, line)], message);
    repaired(&["import pandas as pd\nimport json", line], &error)
}

#[test]
fn files_are_read_in_their_form() {
    for (line, class, message, after) in [
        (
            "d = pd.read_json(p)",
            "ValueError",
            "Trailing data",
            "d = pd.read_json(p, lines=True)",
        ),
        (
            "d = json.load(f)",
            "JSONDecodeError",
            "Extra data: line 2 column 1 (char 9)",
            "d = [json.loads(line) for line in f if line.strip()]",
        ),
        (
            "d = pd.read_csv(['a.csv'], sep=';')",
            "ValueError",
            "Invalid file path or buffer object type: <class 'list'>",
            "d = pd.read_csv('a.csv', sep=';')",
        ),
        (
            "d = pd.read_csv(files, sep=';')",
            "ValueError",
            "Invalid file path or buffer object type: <class 'list'>",
            "d = pd.concat([pd.read_csv(file, sep=';') for file in files], ignore_index=True)",
        ),
    ] {
        assert_eq!(one(line, class, message), after, "{message}");
    }
    let error = ipython(
        "ParserError",
        &[(1, 1, "d = pd.read_csv(p)")],
        "Error tokenizing data. C error: Expected 2 fields in line 3, saw 3",
    );
    let cures = cures_of(&["d = pd.read_csv(p)"], &error);
    let codes: Vec<&str> = cures.iter().map(|c| c.code.as_str()).collect();
    assert_eq!(
        codes,
        [
            "d = pd.read_csv(p, sep=None, engine=\"python\")",
            "d = pd.read_csv(p, on_bad_lines=\"skip\")"
        ]
    );
}
