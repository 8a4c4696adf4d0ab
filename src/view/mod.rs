//! A diagnosis as a tree of nodes, built once and shown everywhere.

mod blocks;
mod card;
pub mod chart;
mod check;
mod html;
mod node;
mod panel;
mod popup;
mod read;
mod trouble;

pub use blocks::blocks;
pub use card::{card, consequence, CardContext, FACE};
pub use check::{check, Check, Part, Presence};
pub use html::{allowed, escape, html, name as tag_name};
pub use node::{Action, Node, Tag};
pub use panel::{duration, panel, Panel, PanelEvent, PanelProblem, State};
pub use popup::{popup, OpenCard, Seen, SeenNotebook};
pub use trouble::{self_report, trouble, Health, Trouble, Usage};
