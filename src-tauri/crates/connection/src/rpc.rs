//! JSON-RPC over any transport: requests and responses, notifications, and requests of the
//! server's.

pub(crate) mod client_tasks;
pub(crate) mod clock;
pub(crate) mod inbox;
mod loss;
pub(crate) mod peer;
pub(crate) mod response;
pub(crate) mod roots;
