//! Record: what happened, here and in sessions that were opened.

mod area;
pub mod reader;
pub mod recording;
pub mod replay;
pub mod session_file;
pub mod sessions;
pub mod traffic_export;

pub use area::Record;
