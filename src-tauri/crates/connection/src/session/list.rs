//! Lists that a server offers, stored as the text that came.
//!
//! A list is its pages' text and, per item, where it stands in them and what a search looks
//! at. Nothing else is parsed until the item is opened: ten thousand tools with their
//! schemas are 15 MB of text, and reading them into values costs ten times the time and the
//! memory.

mod difference;
mod join;
mod load;
mod outline;
mod page;
mod rank;
mod reading;
mod store;

pub(crate) use load::{Loader, load};
pub(crate) use page::HeaderRules;
pub(crate) use store::Lists;
