//! JSON-RPC over any transport: requests and their answers, notifications, and what the server asks.

pub(crate) mod inbox;
pub(crate) mod peer;
pub(crate) mod response;
pub(crate) mod roots;
