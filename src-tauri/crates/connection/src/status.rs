//! Status of a connection and the events that report it: the leaves of the crate.

pub(crate) mod diagnostics;
pub(crate) mod event;
pub(crate) mod item;
pub(crate) mod key;
pub(crate) mod publisher;
pub(crate) mod subscribers;
pub(crate) mod task;
