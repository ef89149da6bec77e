//! JSON as text: read without losing what was written.
//!
//! A typed reader rounds numbers, drops the members that it does not know and forgets the order of
//! the rest. What a user typed and what a server sent is shown, recorded and sent on as it is, so
//! that here its text is sliced, laid out and put together, and never printed anew.
//!
//! ```text
//! message          Message: a JSON-RPC message; ErrorObject: the error in one
//! members          Members: an object; Element: one of a list
//! pointer          the value at a JSON Pointer
//! indent           JSON on several lines
//! compact          whether JSON is written as `serde_json` writes it
//! scan             where strings, numbers, white space and values end; bytes as text
//! write            strings and objects from their parts
//! ```
//!
//! Modules use those below them. [`Message`], [`Members`] and [`elements`] refuse a text that is no
//! JSON; what stands within one that was parsed is read without another check. Pointers, indentation
//! and scans take bytes, which may be no UTF-8, in the one pass that they need.

mod compact;
mod indent;
mod members;
mod message;
mod pointer;
mod scan;
mod write;

pub use compact::is_compact;
pub use indent::{IndentError, LineSink, MAX_INDENTED_BYTES, indented, lay_out};
pub use members::{Element, Members, elements};
pub use message::{ErrorObject, Message};
pub use pointer::{unescaped, value_at, value_range};
pub use scan::{NotJson, lossy, string_end};
pub use write::{object, quoted};
