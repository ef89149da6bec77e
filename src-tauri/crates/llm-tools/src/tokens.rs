//! Tokens and bytes of a tool list and of results.
//!
//! ```text
//! vocabulary   the count of a text in o200k
//! parts        the count of a text by its parts, each of which is counted once
//! list         the figures of a tool list, tool by tool
//! limits       limits of clients on the result of a call
//! ```

mod limits;
mod list;
mod parts;
mod vocabulary;

pub use limits::{ResultLimits, ResultVerdict};
pub use list::{Cost, ListCost, ListFigures, ListTool, ToolCost, list_cost};
pub use vocabulary::{MAX_COUNTED_BYTES, Precision, TokenError, precision, tokens_of};

/// Context window of Claude models, but for those with the window of a million
/// (<https://docs.claude.com/en/docs/build-with-claude/context-windows>; observed as the default in
/// Claude Code 2.1.50).
pub const CLAUDE_CONTEXT_WINDOW: u32 = 200_000;
