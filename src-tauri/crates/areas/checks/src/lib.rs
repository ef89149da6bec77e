//! Checks: whether a server is good.

mod area;
pub mod conformance;
pub mod doctor;
pub mod load;
pub mod surface;

pub use area::Checks;
