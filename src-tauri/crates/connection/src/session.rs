//! A session with a server: the handshake of either era, then requests, lists and subscriptions.

pub(crate) mod call;
pub(crate) mod context;
pub(crate) mod handshake;
pub(crate) mod keepalive;
pub(crate) mod list;
pub(crate) mod list_updates;
pub(crate) mod preferences;
pub(crate) mod queue;
pub(crate) mod rmcp_adapter;
pub(crate) mod subscription;
