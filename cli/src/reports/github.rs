//! Workflow commands of GitHub Actions, which annotate the files of a change
//! (<https://docs.github.com/actions/reference/workflow-commands-for-github-actions>).

use super::finding::Input;

/// One command for each finding of an input.
pub fn commands(input: &Input) -> String {
    let mut out = String::new();
    for f in &input.findings {
        let kind = match f.severity {
            "note" => "notice",
            level => level,
        };
        let mut properties = vec![format!("file={}", property(&input.source))];
        if let Some(line) = f.file_line {
            properties.push(format!("line={line}"));
        }
        properties.push(format!(
            "title={}",
            property(&format!("{}: {}", f.name, f.title))
        ));
        let place = match f.place() {
            place if place.is_empty() => place,
            place => format!("{place}: "),
        };
        out.push_str(&format!(
            "::{kind} {}::{}\n",
            properties.join(","),
            data(&format!("{place}{}", f.message))
        ));
    }
    out
}

/// A message: a line break would end the command, and `%` begins an escape.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A property's value, which a colon or a comma would end.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::tests::inputs;
    use super::*;

    #[test]
    fn a_command_is_one_line_and_its_values_are_escaped() {
        let all: String = inputs().iter().map(commands).collect();
        assert_eq!(
            all,
            "::error file=a b%2Cc%3Ad.ipynb,line=21,title=name-undefined/typo%3A `totl` is not defined%2C 100%25%3A \"<&>\"\
             ::cell 3, line 4: It is `total`.%0Ahelp: Write total\n\
             ::warning file=logs/run.log,line=7,title=gpu-oom%3A The GPU's memory is full::Too much.\n"
        );
    }
}
