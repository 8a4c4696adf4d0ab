//! What the popup shows of a page.

use super::check::check;
use super::Page;
use nbmedic_session::{severity, Finding, Overview};
use nbmedic_view::{
    bottleneck, kernel, popup, quantity, Node, OpenCard, Seen, SeenNotebook, BOTTLENECK,
};

impl Page {
    /// What the popup shows.
    pub fn status(&self) -> Node {
        let session = &self.session;
        let hello = session.hello();
        let findings = session.findings().into_iter();
        popup(&Seen {
            profile: hello.profile.clone(),
            origin: hello.origin.clone(),
            check: check(hello),
            notebooks: session.overview().into_iter().map(notebook).collect(),
            cards: findings.filter_map(|f| self.open_card(f)).collect(),
        })
    }

    fn open_card(&self, f: Finding) -> Option<OpenCard> {
        let title = self.title(&f)?.to_owned();
        let best = &f.diagnoses[0];
        Some(OpenCard {
            code: self.session.code(&f),
            title,
            place: match f.label.is_empty() {
                true => self.session.name(&f.place.nb).to_owned(),
                false => f.label,
            },
            cell: f.place.cell,
            id: best.id.to_owned(),
            severity: severity(best),
        })
    }
}

fn notebook(o: Overview) -> SeenNotebook {
    let mut vitals = o
        .vitals
        .map(|(what, r)| (quantity(what), r.text()))
        .to_vec();
    vitals.extend(o.limit.map(|limit| (BOTTLENECK, bottleneck(&limit))));
    SeenNotebook {
        name: o.name,
        cells: o.cells,
        kernel: kernel(o.kernel),
        accelerator: o.accelerator,
        vitals,
    }
}
