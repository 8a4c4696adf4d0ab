//! Files that are read in another form than they have.

use crate::case::Case;
use crate::edit::Change;
use crate::find::{callee, name, only, said, set_keyword};
use crate::table::Kind;
use nbmedic_facts::{Applicability, Cure};
use nbmedic_python::ast::{Expr, ExprCall};
use nbmedic_python::{keyword, positional};

pub(crate) fn offer(case: &Case<'_>, out: &mut Vec<Cure>) {
    let message = case.message();
    let first = message.lines().next().unwrap_or("");
    match case.class() {
        "ParserError" if first.contains("Expected ") && first.contains(" saw ") => {
            fields(case, first, out)
        }
        "ValueError" | "JSONDecodeError"
            if first.starts_with("Trailing data") || first.starts_with("Extra data") =>
        {
            out.extend(lines(case));
        }
        "ValueError"
            if first.starts_with("Invalid file path or buffer object type: <class 'list'>") =>
        {
            out.extend(several(case));
        }
        _ => {}
    }
}

fn reader<'c>(calls: impl Iterator<Item = &'c ExprCall>, names: &[&str]) -> Option<&'c ExprCall> {
    only(calls.filter(|c| callee(c).is_some_and(|n| names.contains(&n))))
}

/// `Expected 2 fields in line 3, saw 5`.
fn fields(case: &Case<'_>, first: &str, out: &mut Vec<Cure>) {
    let Some(spot) = case.spot() else { return };
    let Some(call) = reader(spot.calls(), &["read_csv", "read_table"]) else {
        return;
    };
    let expected = first
        .split_once("Expected ")
        .and_then(|(_, r)| r.split(' ').next());
    let line = first
        .split_once(" in line ")
        .and_then(|(_, r)| r.split(',').next())
        .unwrap_or("?");
    let given = keyword(call, "sep").or_else(|| keyword(call, "delimiter"));
    if given.is_none() {
        let mut change = set_keyword(spot.cell, spot.python, call, "sep", "None");
        if keyword(call, "engine").is_none() {
            change.text.push_str(", engine=\"python\"");
        }
        // One field where there are several: the fields are separated by something else.
        let applies = match expected {
            Some("1") => Applicability::Likely,
            _ => Applicability::Maybe,
        };
        out.extend(case.edits(
            said(
                "find-separator",
                applies,
                "Let pandas find the separator: `sep=None, engine=\"python\"`",
                format!("Line {line} has more commas than the first line; the file may separate its fields by `;` or a tab."),
            ),
            vec![change],
        ));
    }
    if keyword(call, "on_bad_lines").is_none() && expected != Some("1") {
        out.extend(case.edits(
            said(
                "skip-bad-lines",
                Applicability::Maybe,
                "Leave out the lines that have too many fields: `on_bad_lines=\"skip\"`",
                format!("Line {line} is one of them. Those rows are lost: look at it first. pandas before 1.3 calls it `error_bad_lines=False`."),
            ),
            vec![set_keyword(spot.cell, spot.python, call, "on_bad_lines", "\"skip\"")],
        ));
    }
}

/// One JSON value on each line.
fn lines(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    if let Some(call) = reader(spot.calls(), &["read_json"]) {
        return case.edits(
            said(
                "json-lines",
                Applicability::Sure,
                "Add `lines=True` to `read_json`",
                "The file has one JSON value on each line, not one for the whole file.",
            ),
            vec![set_keyword(spot.cell, spot.python, call, "lines", "True")],
        );
    }
    let call = reader(spot.calls(), &["load"])?;
    let file = positional(call, 0)?;
    let Expr::Attribute(f) = &*call.func else {
        return None;
    };
    let module = spot.python.slice(&*f.value);
    let file = name(file)?;
    case.edits(
        said(
            "json-lines",
            Applicability::Likely,
            "Read one JSON value from each line".to_owned(),
            "The file has more after its first value: usually one value on each line. The result is then a list.".to_owned(),
        ),
        vec![Change::replace(
            spot.cell,
            call,
            format!("[{module}.loads(line) for line in {file} if line.strip()]"),
        )],
    )
}

/// `pd.read_csv(glob("*.csv"))`.
fn several(case: &Case<'_>) -> Option<Cure> {
    let spot = case.spot()?;
    let call = only(
        spot.calls()
            .filter(|c| callee(c).is_some_and(|n| n.starts_with("read_"))),
    )?;
    let files = positional(call, 0)?;
    let pd = case.alias_of("pandas")?;
    matches!(case.kind(files), Kind::Unknown | Kind::List).then_some(())?;
    // `pd.read_csv(["prices.csv"])`
    if let Some([one]) = files.as_list_expr().map(|l| &l.elts[..]) {
        let one = spot.python.slice(one);
        return case.edits(
            said(
                "only-file",
                Applicability::Likely,
                format!("Replace `[{one}]` by `{one}`"),
                format!("`{}` takes a file, not a list of one.", callee(call)?),
            ),
            vec![Change::replace(spot.cell, files, one)],
        );
    }
    let (whole, list) = (spot.python.slice(call), spot.python.slice(files));
    let one = whole.replacen(list, "file", 1);
    case.edits(
        said(
            "several-files",
            Applicability::Likely,
            format!("Read each file of `{list}` and join them"),
            format!("`{}` takes one file, and `{list}` is a list. The choice: all of them below each other; `{list}[0]` would be the first only.", callee(call)?),
        ),
        vec![Change::replace(
            spot.cell,
            call,
            format!("{pd}.concat([{one} for file in {list}], ignore_index=True)"),
        )],
    )
}

#[cfg(test)]
mod tests {
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
}
