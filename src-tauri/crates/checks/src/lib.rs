//! Checks of what a server answers, against the clauses of the MCP specification.
//!
//! Values in, verdicts out: whatever sends the messages asks [`judge`] about each answer and keeps
//! the verdicts in a [`ConformanceReport`]. The checks stand in one table, [`CHECKS`]. Reports of
//! the official suite are read by [`read_scenario`]. [`junit`] writes what any checks of the product
//! found for continuous integration.
//!
//! ```text
//! conformance_junit    a ConformanceReport as JUnit XML
//! report               ConformanceReport: findings of checks and of the official suite
//! judge                an answer → Judgement, a function for each check
//! check                CHECKS: id, title, clauses, level, eras, transports
//! suite                reports of the official suite, read within bounds
//! junit                JUnit XML of any checks
//! ```
//!
//! Modules use those below them.

mod check;
mod conformance_junit;
pub mod judge;
pub mod junit;
mod report;
mod suite;

pub use check::{CHECKS, CheckDefinition, Eras, Transports, definition};
pub use conformance_junit::conformance_junit;
pub use judge::{Answer, Judgement};
pub use report::{ConformanceReport, finding, totals};
pub use suite::{Requirements, SuiteReport, SuiteScenario, read_requirements, read_scenario};
