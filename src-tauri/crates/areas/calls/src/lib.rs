//! Calls: what a server can do, and what it answers.

pub mod answer_rules;
mod area;
pub mod call_history;
pub mod call_reports;
pub mod client_limits;
pub mod client_rules;
pub mod confirmation;
pub mod current_surface;
pub mod extensions;
pub mod held_questions;
pub mod lists;
pub mod remembered_arguments;
pub mod requests;
pub mod resource_cache;
pub mod result;
pub mod schema;
pub mod skills;
pub mod stores;
pub mod surface_difference;
pub mod tasks;

pub use area::Calls;
