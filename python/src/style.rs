//! A card's style, written into its elements: it is shown on pages with style sheets of their own, light and dark, and a
//! notebook that isn't trusted keeps no style sheet. Colours are the page's own, mixed or half transparent.

use nbmedic::view::{html_styled, Node, Tag};

const MONO: &str = "font:0.92em/1.5 ui-monospace,monospace;background:transparent;color:inherit;padding:0;white-space:pre-wrap;overflow-wrap:anywhere";
const ROW: &str = "display:flex;flex-wrap:wrap;gap:.6em;align-items:baseline";

/// The card as HTML without scripts, style sheets and classes.
pub fn html(card: &Node) -> String {
    html_styled(card, &of)
}

fn of(node: &Node) -> &'static str {
    let class = |name: &str| node.class.split(' ').any(|c| c == name);
    match node.tag {
        Tag::Section if class("card") => match () {
            () if class("error") => "border:1px solid rgba(128,128,128,.35);border-left:4px solid #d1434b;border-radius:8px;padding:.7em 1em;margin:.5em 0;max-width:52em;font:14px/1.5 system-ui,sans-serif",
            () if class("warning") => "border:1px solid rgba(128,128,128,.35);border-left:4px solid #b98900;border-radius:8px;padding:.7em 1em;margin:.5em 0;max-width:52em;font:14px/1.5 system-ui,sans-serif",
            () => "border:1px solid rgba(128,128,128,.35);border-left:4px solid #3f83d6;border-radius:8px;padding:.7em 1em;margin:.5em 0;max-width:52em;font:14px/1.5 system-ui,sans-serif",
        },
        Tag::Header => ROW,
        Tag::H2 => "margin:0;font-size:1.08em;font-weight:600;color:inherit",
        Tag::H3 | Tag::H4 => "margin:.7em 0 .2em;font-size:.95em;font-weight:600;color:inherit",
        Tag::Div if class("first") => "margin-top:.6em",
        Tag::Div if class("diff") => "margin:.4em 0;font:12.5px/1.6 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere",
        Tag::Div if class("run") => ROW,
        Tag::Div if class("old") => "background:rgba(209,67,75,.16)",
        Tag::Div if class("new") => "background:rgba(46,160,67,.18)",
        Tag::Span if class("badge") => "font-size:.8em;opacity:.75",
        Tag::Span if class("lineno") => "display:inline-block;min-width:2.2em;text-align:right;margin-right:.8em;opacity:.6",
        Tag::Span if class("sign") => "margin-right:.6em",
        Tag::Span if class("sure") => "font-size:.85em;opacity:.75",
        Tag::Del | Tag::Ins if class("all") => "text-decoration:none",
        Tag::Del | Tag::Ins => "font-weight:700;text-decoration:underline",
        Tag::P if class("kind") => "margin:.1em 0 0;font-size:.85em;opacity:.75",
        Tag::P => "margin:.4em 0",
        Tag::Pre => "margin:.4em 0;padding:.5em .7em;background:rgba(128,128,128,.13);border-radius:6px;color:inherit;white-space:pre-wrap;overflow-wrap:anywhere",
        Tag::Code => MONO,
        Tag::Small => "font-size:.85em;opacity:.75",
        Tag::Summary => "cursor:pointer;margin-top:.5em",
        Tag::Ol | Tag::Ul if class("") => "margin:.2em 0",
        Tag::Footer => "margin-top:.5em",
        _ => "",
    }
}
