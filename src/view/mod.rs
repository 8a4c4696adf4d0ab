//! A diagnosis as a tree of nodes, built once and shown everywhere.

mod blocks;
mod card;
mod check;
mod panel;
mod popup;
mod reading;

pub use blocks::blocks;
pub use card::{card, consequence, CardContext, FACE};
pub use check::{check, Check, Part, Presence};
pub use nbmedic_tree::{allowed, chart, escape, html, tag_name, Action, Node, Tag};
pub use panel::{duration, panel, Panel, PanelEvent, PanelProblem, State};
pub use popup::{popup, OpenCard, Seen, SeenNotebook};
pub use reading::reading;
