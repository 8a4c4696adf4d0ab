//! A diagnosis as a tree of nodes, built once and shown everywhere.

mod blocks;
mod card;
mod check;
mod html;
mod node;
mod popup;

pub use blocks::blocks;
pub use card::{card, consequence, CardContext};
pub use check::{check, Check, Part, Presence};
pub use html::{escape, html};
pub use node::{Action, Node, Tag};
pub use popup::{popup, OpenCard, Seen, SeenNotebook};
