//! A diagnosis as a tree of nodes, built once and shown everywhere.

mod blocks;
mod card;
pub mod chart;
mod check;
mod clues;
mod finding;
mod html;
mod node;
mod panel;
mod popup;
mod prose;
mod read;
mod timeline;
mod trouble;

pub use blocks::blocks;
pub use card::{card, consequence, CardContext};
pub use check::{check, Check, Part, Presence};
pub use clues::{bottleneck, kernel, looked_at, quantity, statement, Spot, Statement, BOTTLENECK};
pub use finding::{draw, Drawn};
pub use html::{allowed, escape, html, name as tag_name};
pub use node::{Action, Node, Tag};
pub use panel::{panel, Panel, PanelEvent, PanelProblem, State};
pub use popup::{popup, OpenCard, Seen, SeenNotebook};
pub use prose::ProseCache;
pub use timeline::{chart as session_chart, events, run_name};
pub use trouble::{self_report, trouble, Health, Trouble, Usage};
