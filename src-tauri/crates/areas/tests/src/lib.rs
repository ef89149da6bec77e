//! Tests: request files and their runs.

mod area;
pub mod requests;

pub use area::Tests;
