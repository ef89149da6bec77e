//! Compares the surfaces of servers, and examines one.
//!
//! The surface of a server is all that it shows of itself before a call: its tools, prompts,
//! resources, templates, instructions and capabilities. A client is written against it and a model
//! reads it, so a change of it can break the one and mislead the other. Values go in and values
//! come out; reading a server and keeping files is done elsewhere.
//!
//! ```text
//! surface    Surface: what a server sent, and the versioned file of it
//! item       ItemDefinition: one item of a list, as its text
//! change     SurfaceChange: one difference, with its class and the rule that gave it
//! compare    diff: two surfaces → changes
//! schema     two JSON Schemas → changes, for arguments or for results
//! lint       findings in one surface
//! ```

mod change;
mod compare;
mod item;
mod lint;
mod schema;
mod surface;

pub use change::{ChangeClass, Part, Subject, SurfaceChange};
pub use compare::diff;
pub use item::ItemDefinition;
pub use lint::{RULES, RuleText, Silence, SurfacePlace, lint, lint_order};
pub use schema::{SchemaDirection, compare_schemas};
pub use surface::{Surface, SurfaceError};
