//! Checks: whether a server is good.
//!
//! ```text
//! area                           Checks: the parts, put together; its commands
//! conformance/                   connects in both eras, asks, and has the crate `checks` judge
//! doctor  load/                  examines a server; calls a tool at a steady rate
//! surface/                       stores what a server shows of itself, and compares it
//! ```
//!
//! Modules use those below them.

mod area;
pub mod conformance;
pub mod doctor;
pub mod load;
pub mod surface;

pub use area::Checks;
