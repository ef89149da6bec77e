//! Calls: what a server can do, and what it answers.
//!
//! ```text
//! area                           Calls: the parts, put together; its commands
//! stores                         what connections ask or tell, opened first
//! resource_cache                 reads resources, or takes what still holds
//! requests                       sends requests; answers those of a server
//! confirmation  held_questions   what the user, or a client's rules, decide before that
//! tasks/  skills/  extensions    features beside the lists
//! client_rules/                  rules of clients about calls
//! call_reports  call_history     an answer as it is shown, now or from the record
//! remembered_arguments  lists  current_surface  answer_rules  client_limits
//! schema/  result  surface_difference
//!                                values held against schemas; a response taken apart
//! ```
//!
//! Modules use those below them and those to their right. A call of a tool is confirmed by
//! `confirmation`, sent by `requests`, and reported by `call_reports`.

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
