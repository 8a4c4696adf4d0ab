//! A diagnosis as a tree of nodes, built once and shown everywhere.

mod blocks;
mod card;
pub mod chart;
mod html;
mod node;
mod panel;
mod popup;

pub use blocks::blocks;
pub use card::{card, consequence, CardContext};
pub use html::{allowed, escape, html};
pub use node::{Action, Node, Tag};
pub use panel::{duration, panel, Panel, PanelEvent, PanelProblem, State};
pub use popup::{popup, OpenCard, Seen, SeenNotebook};
