//! Computes what a model sees of MCP servers: names, schemas, tokens, and what it may call.
//!
//! Each client puts the same server before its model in another form. Values go in and values come
//! out; reading a server, files and environment variables is done elsewhere. Each rule names its
//! source: the documentation or the public source of the client, or `observed` with the version of
//! the program in which it was seen.
//!
//! ```text
//! names         qualified names of tools, prompts and resources, and back
//! providers     the tool list as each model interface gets it, and what was changed in it
//! tokens        tokens and bytes of a tool list and of results, against their limits
//! tool_search   whether Claude Code loads tools on demand, and what a query finds
//! permissions   the verdict on a call, and the rule that decided
//! ```

pub mod names;
pub mod permissions;
pub mod providers;
pub mod tokens;
pub mod tool_search;

mod number;
