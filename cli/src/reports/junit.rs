//! JUnit's XML, which CI systems show as tests: an input is a suite, and a finding is a test that failed
//! (<https://github.com/testmoapp/junitxml>).

use super::finding::{Finding, Input};
use quick_xml::events::BytesText;
use quick_xml::Writer;
use std::io;

/// The report on inputs.
///
/// # Errors
/// None in practice: it is written to memory.
pub fn junit(inputs: &[Input]) -> Result<String, String> {
    let mut to = Writer::new_with_indent(Vec::new(), b' ', 2);
    write(&mut to, inputs).map_err(|e| e.to_string())?;
    let text = String::from_utf8(to.into_inner()).map_err(|e| e.to_string())?;
    Ok(format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{text}"
    ))
}

fn write(to: &mut Writer<Vec<u8>>, inputs: &[Input]) -> io::Result<()> {
    let failures = |all: &[Input]| all.iter().map(|i| i.findings.len()).sum::<usize>();
    let errors = |all: &[Input]| all.iter().filter(|i| i.error.is_some()).count();
    let tests = |all: &[Input]| all.iter().map(tests).sum::<usize>();
    let sums = |all: &[Input]| {
        [
            ("tests", tests(all).to_string()),
            ("failures", failures(all).to_string()),
            ("errors", errors(all).to_string()),
        ]
    };
    let mut root = to
        .create_element("testsuites")
        .with_attribute(("name", "nbmedic"));
    for (name, n) in sums(inputs) {
        root = root.with_attribute((name, n.as_str()));
    }
    root.write_inner_content(|to| {
        for input in inputs {
            let name = text(&input.source);
            let mut suite = to
                .create_element("testsuite")
                .with_attribute(("name", name.as_str()));
            for (name, n) in sums(std::slice::from_ref(input)) {
                suite = suite.with_attribute((name, n.as_str()));
            }
            suite.write_inner_content(|to| cases(to, &name, input))?;
        }
        Ok(())
    })?;
    Ok(())
}

/// A well input is one test, so that a report says what was read.
fn tests(input: &Input) -> usize {
    (input.findings.len() + usize::from(input.error.is_some())).max(1)
}

fn cases(to: &mut Writer<Vec<u8>>, source: &str, input: &Input) -> io::Result<()> {
    for f in &input.findings {
        let place = match (f.place(), f.line) {
            (place, _) if !place.is_empty() => format!("{place}: "),
            (_, Some(line)) => format!("line {line}: "),
            (..) => String::new(),
        };
        let name = text(&format!("{place}{}", f.name));
        let title = text(&f.title);
        to.create_element("testcase")
            .with_attribute(("name", name.as_str()))
            .with_attribute(("classname", source))
            .write_inner_content(|to| failure(to, f, &title))?;
    }
    if let Some(error) = &input.error {
        let error = text(error);
        to.create_element("testcase")
            .with_attribute(("name", "read"))
            .with_attribute(("classname", source))
            .write_inner_content(|to| {
                to.create_element("error")
                    .with_attribute(("message", error.as_str()))
                    .write_empty()?;
                Ok(())
            })?;
    } else if input.findings.is_empty() {
        to.create_element("testcase")
            .with_attribute(("name", "nothing wrong found"))
            .with_attribute(("classname", source))
            .write_empty()?;
    }
    Ok(())
}

fn failure(to: &mut Writer<Vec<u8>>, f: &Finding, title: &str) -> io::Result<()> {
    let message = text(&f.message);
    to.create_element("failure")
        .with_attribute(("message", title))
        .with_attribute(("type", f.severity))
        .write_text_content(BytesText::new(&message))?;
    Ok(())
}

/// A text without the characters that XML can't hold.
fn text(s: &str) -> String {
    let bad = |c: &char| {
        (c.is_control() && !matches!(c, '\n' | '\t')) || matches!(c, '\u{fffe}' | '\u{ffff}')
    };
    s.chars().filter(|c| !bad(c)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::inputs;
    use super::*;
    use quick_xml::events::Event;
    use quick_xml::Reader;

    /// The elements and their attributes, in order.
    fn read(xml: &str) -> Vec<(String, Vec<(String, String)>)> {
        let mut reader = Reader::from_str(xml);
        let mut out = Vec::new();
        loop {
            match reader.read_event().unwrap() {
                Event::Start(e) | Event::Empty(e) => {
                    let name = String::from_utf8(e.name().as_ref().to_vec()).unwrap();
                    let all = e.attributes().map(|a| {
                        let a = a.unwrap();
                        let key = String::from_utf8(a.key.as_ref().to_vec()).unwrap();
                        (key, a.unescape_value().unwrap().into_owned())
                    });
                    out.push((name, all.collect()));
                }
                Event::Eof => return out,
                _ => {}
            }
        }
    }

    #[test]
    fn an_input_is_a_suite_and_a_finding_a_test_that_failed() {
        let mut all = inputs();
        all[0].findings[0].message.push('\u{1b}');
        let xml = junit(&all).unwrap();
        assert!(!xml.contains('\u{1b}'));
        let elements = read(&xml);
        let of = |name: &str| elements.iter().filter(|e| e.0 == name).count();
        assert_eq!((of("testsuite"), of("testcase")), (4, 4));
        assert_eq!((of("failure"), of("error")), (2, 1));
        let value = |at: usize, key: &str| {
            let all = elements[at].1.iter();
            all.clone().find(|a| a.0 == key).map(|a| a.1.as_str())
        };
        assert_eq!(value(0, "tests"), Some("4"));
        assert_eq!(value(0, "failures"), Some("2"));
        assert_eq!(value(0, "errors"), Some("1"));
        assert_eq!(value(1, "name"), Some("a b,c:d.ipynb"));
        assert_eq!(
            value(2, "name"),
            Some("cell 3, line 4: name-undefined/typo")
        );
        assert_eq!(
            value(3, "message"),
            Some("`totl` is not defined, 100%: \"<&>\"")
        );
    }
}
