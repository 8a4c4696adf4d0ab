//! Tables of old and new names in a fix's text.

use crate::{plain, FixText};
use nbmedic_facts::{Facts, Value};
use nbmedic_rule::{Block, Fix, Inline};

impl FixText {
    /// Of a fix that is a table of old and new names, the row of the name at hand, and its code only if that speaks of the
    /// name. None if the table lacks the name; the whole fix if it is no table or no name is known.
    pub(crate) fn at_row_of(mut self, f: &Fix, facts: &Facts) -> Option<FixText> {
        /// Rows that make a table.
        const ROWS: usize = 3;
        let arrows = plain(&f.why).matches('→').count();
        let Some(Value::Text(name)) = facts.get("name").filter(|_| arrows >= ROWS) else {
            return Some(self);
        };
        let name = name.rsplit('.').next().unwrap_or(name);
        let is_it =
            |old: &Inline| matches!(old, Inline::Code(t) if t.rsplit('.').next() == Some(name));
        for block in &mut self.why {
            if let Block::P(inlines) = block {
                let at = inlines.iter().position(is_it);
                let row = at.map(|at| row(&inlines[at..]));
                if let Some(row) = row.filter(|row| plain(&[Block::P(row.clone())]).contains('→'))
                {
                    self.why = vec![Block::P(row)];
                    let speaks = self.code.contains(name) || self.sample.contains(name);
                    if !speaks {
                        self.code.clear();
                        self.sample.clear();
                    }
                    return Some(self);
                }
            }
        }
        None
    }
}

/// The beginning of some text up to the end of a row: a comma, a semicolon or a full stop.
fn row(inlines: &[Inline]) -> Vec<Inline> {
    let mut out = Vec::new();
    for i in inlines {
        let Inline::Text(t) = i else {
            out.push(i.clone());
            continue;
        };
        let end = [", ", "; ", ". "].iter().filter_map(|e| t.find(e)).min();
        let end = end.or_else(|| t.strip_suffix(['.', ',', ';']).map(str::len));
        out.push(Inline::Text(t[..end.unwrap_or(t.len())].to_owned()));
        if end.is_some() {
            break;
        }
    }
    out.push(Inline::Text(".".to_owned()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{explain, spans};
    use nbmedic_facts::Diagnosis;
    use nbmedic_rule::Prose;

    #[test]
    fn a_table_of_names_shows_the_row_of_the_name_at_hand() {
        let table = "`np.float` → `float` (1.24), `np.trapz` → `np.trapezoid` (2.0), `np.Inf` → `np.inf`. Upgrade too.";
        let shown = |name: &str| {
            let names = Fix {
                why: vec![Block::P(spans(table))],
                title: "names".into(),
                code: "x = np.inf".into(),
                ..Fix::default()
            };
            let mut d = Diagnosis::default();
            if !name.is_empty() {
                d.facts.insert("name".into(), Value::Text(name.into()));
            }
            let prose = Prose {
                fixes: vec![names],
                ..Prose::default()
            };
            let fixes = explain(&d, &prose).fixes;
            fixes.first().map(|f| (plain(&f.why), f.code.clone()))
        };
        let row = |text: &str, code: &str| Some((text.to_owned(), code.to_owned()));
        assert_eq!(
            shown("trapz"),
            row("`np.trapz` → `np.trapezoid` (2.0).", "")
        );
        assert_eq!(shown("numpy.Inf"), row("`np.Inf` → `np.inf`.", ""));
        // What stands in the place of another name is no old name.
        assert_eq!(shown("trapezoid"), None);
        assert_eq!(shown(""), row(table, "x = np.inf"));
    }
}
