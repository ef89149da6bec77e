//! Record: what happened, here and in sessions that were opened.
//!
//! ```text
//! area                           Record: the parts, put together; its commands
//! reader                         rows, operations, payloads, page by page
//! recording  replay              chooses and clears records; sends a session's requests again
//! sessions                       opened session files, each on a record of its own
//! session_file  traffic_export/  session files without a record; exports in all formats
//! ```
//!
//! Modules use those below them and those to their right.

mod area;
pub mod reader;
pub mod recording;
pub mod replay;
pub mod session_file;
pub mod sessions;
pub mod traffic_export;

pub use area::Record;
