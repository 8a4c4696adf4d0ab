//! What the probe printed below a failed cell.

use super::foresight::source;
use super::verdicts::COLAB;
use super::*;

const BLOCK: &str = r#"nbmedic: values when it failed
  line 1
    df = 9 rows × 2 columns: Price  int64, n int64
    path = '/home/ada/prices.csv'
⟦nbmedic:1 {"k":"v","f":[[1,"<module>",[["df",{"t":"DataFrame","s":[9,2],"c":["Price ","n"],"ct":["int64","int64"],"na":[]}]]]]}⟧"#;

#[test]
fn the_probes_values_give_the_cure_and_leave_the_diagnosis_as_it_is() {
    let error = "KeyError  Traceback (most recent call last)\nCell In[2], line 1\n----> 1 df['price'].mean()\n\nKeyError: 'price'\n";
    let mut p = Page::real();
    p.send(&[COLAB, &source("a", "df = pd.read_csv('a.csv')")]);
    p.send(&[&cell("a", 0, "done", 1, Some(1))]);
    p.send(&[&source("b", "df['price'].mean()")]);
    p.send(&[&cell("b", 1, "error", 1, Some(2)), &out("b", 1, error)]);
    let before = p
        .shows()
        .iter()
        .map(|(_, id)| (*id).to_owned())
        .collect::<Vec<_>>();
    let block = out("b", 1, BLOCK).replace("\"out\":0", "\"out\":1");
    p.send(&[&block.replace("stream", "result")]);
    let after = p
        .shows()
        .iter()
        .map(|(_, id)| (*id).to_owned())
        .collect::<Vec<_>>();
    assert!(
        before.iter().all(|id| after.contains(id)),
        "{before:?} {after:?}"
    );
    let card = p.cards.values().next().expect("a card");
    let shown = nbmedic_json::to_string(card);
    assert!(shown.contains(r#""data-fix":"seen-column""#), "{shown}");
    assert!(!shown.contains("values when it failed"), "{shown}");
    // The card has them in a table, which is closed.
    assert!(shown.contains(r#""class":"more values""#), "{shown}");
    assert!(
        shown.contains("9 rows × 2 columns: Price  int64, n int64"),
        "{shown}"
    );
    p.replays();
}

#[test]
fn the_report_has_the_values_only_with_the_sources() {
    use nbmedic_report::{assistant, session_report, Options};
    let error = "KeyError  Traceback (most recent call last)\nCell In[1], line 1\n----> 1 df['price'].mean()\n\nKeyError: 'price'\n";
    let mut p = Page::real();
    p.send(&[COLAB, &source("b", "df['price'].mean()")]);
    p.send(&[&cell("b", 0, "error", 1, Some(1)), &out("b", 1, error)]);
    let block = out("b", 1, BLOCK).replace("\"out\":0", "\"out\":1");
    p.send(&[&block.replace("stream", "result")]);
    let session = p.page.session();
    let forms = |source| {
        let options = Options {
            source,
            ..Options::default()
        };
        let r = session_report(session, &p.prose, p.now, &options);
        [r.json(), r.markdown(), r.html()]
    };
    for (with, without) in forms(true).into_iter().zip(forms(false)) {
        assert!(with.contains("9 rows × 2 columns"), "{with}");
        assert!(!without.contains("9 rows × 2 columns"), "{without}");
        assert!(
            with.contains("prices.csv") && !with.contains("ada"),
            "{with}"
        );
    }
    let card = p.cards.keys().next().expect("a card");
    let text = assistant(session, &p.prose, card, p.now).expect("a text");
    assert!(text.contains("df = 9 rows × 2 columns"), "{text}");
    assert!(!text.contains("ada"), "{text}");
}
