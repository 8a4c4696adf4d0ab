//! What the popup shows about a page.

use super::cards::Page;
use super::check::check;
use nbmedic_session::{severity, Finding, Overview};
use nbmedic_view::{
    bottleneck, cell_name, kernel, popup, quantity, reading, Node, OpenCard, Seen, SeenNotebook,
};
use nbmedic_words::{self as words, foreign, Text};

impl Page {
    /// What the popup shows.
    pub fn status(&self) -> Node {
        let session = &self.session;
        let hello = session.hello();
        let findings = session.findings();
        popup(&Seen {
            profile: hello.profile.clone(),
            origin: hello.origin.clone(),
            check: check(hello, &findings),
            notebooks: session.overview().into_iter().map(notebook).collect(),
            cards: findings
                .into_iter()
                .filter_map(|f| self.open_card(f))
                .collect(),
        })
    }

    fn open_card(&self, f: Finding) -> Option<OpenCard> {
        let shown = self.card(&f)?;
        let (title, fix) = (shown.title.clone(), shown.fix.clone());
        let best = &f.diagnoses[0];
        Some(OpenCard {
            code: self.session.code(&f),
            count: f.label.and_then(|name| name.count),
            title,
            fix,
            place: match f.label {
                None => foreign(self.session.name(&f.place.nb)),
                Some(name) => cell_name(name).into(),
            },
            cell: f.place.cell,
            id: best.id.to_owned(),
            severity: severity(best),
        })
    }
}

fn notebook(o: Overview) -> SeenNotebook {
    let known = o
        .vitals
        .map(|(what, r)| (quantity(what).into(), reading(r)));
    let mut vitals: Vec<(Text, Text)> = known.to_vec();
    let limit = o.limit.map(|limit| bottleneck(&limit));
    vitals.extend(limit.map(|text| (words::bottleneck().into(), text)));
    SeenNotebook {
        name: o.name,
        cells: o.cells,
        kernel: kernel(o.kernel).into(),
        accelerator: o.accelerator,
        vitals,
    }
}
