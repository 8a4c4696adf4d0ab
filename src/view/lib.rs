//! The words and the structure of everything on screen. A finding or a diagnosis becomes a tree of
//! nodes, which is built once and shown everywhere.

mod blocks;
mod brief;
mod card;
mod check;
mod clues;
mod finding;
mod fixes;
mod popup;
mod prose;
mod reading;
#[cfg(test)]
mod tests;
mod timeline;

pub use blocks::blocks;
pub use card::{card, consequence, CardContext};
pub use check::{check, Check, Part, Presence};
pub use clues::{bottleneck, kernel, looked_at, quantity, statement, Spot, Statement};
pub use finding::{draw, solved, Drawn};
pub use fixes::Here;
pub use nbmedic_tree::{
    allowed, cell_name, chart, escape, html, html_styled, panel, tag_name, Action, Node, Tag,
};
pub use popup::{popup, OpenCard, Seen, SeenNotebook};
pub use prose::ProseCache;
pub use reading::reading;
pub use timeline::{chart as session_chart, events};
