//! The configuration files of MCP clients: where they are, what they say, which of them
//! wins, and how to change one without disturbing the rest of it.
//!
//! - [`Places`] and [`Scope`]: where the files are, and their order of precedence.
//! - [`load_clients`]: reads the files of every client, those of the `.mcp.json` scopes among them. A
//!   broken file says where it is broken, and the others count.
//! - [`LaunchPlan`]: the one value of a [`Definition`] that is shown for approval, hashed, and
//!   resolved into a [`ServerSpec`](sightglass_model::ServerSpec).
//! - [`plan_action`]: computes the texts that a [`ConfigAction`] leads to, and [`write`] puts
//!   them in place.
//! - [`watch`]: tells when one of the files changed.
//!
//! # A file
//!
//! A file is strict JSON (RFC 8259) in UTF-8; a byte order mark and any line ends are fine.
//! Servers stand under `mcpServers`, under `servers`, or both; for a name in both,
//! `mcpServers` wins. Of a name that is repeated in one object the last one counts, and the
//! repetition is reported.
//!
//! | field | meaning |
//! |---|---|
//! | `type`, `transport` | `stdio`; `http` (also `streamable-http`), `sse`, `ws` (also `websocket`), or `auto`: any of them that works; told from the other fields when absent, where a `url` means `auto` |
//! | `command`, `args`, `env`, `cwd` | the program to start (stdio) |
//! | `url`, `headers` | the endpoint of a remote server: `http:`, `https:`, `ws:`, `wss:`, or `unix:///path/to/socket#/path` for HTTP over a Unix socket |
//! | `ca_file` | certificate authorities in PEM that count beside those of the system |
//! | `tls_fingerprint` | SHA-256 of the one certificate that the server must show, whoever issued it |
//! | `disabled`, `enabled` | whether it is listed without being used |
//! | `era` | `auto` (default), `modern` or `legacy` |
//! | `phase_timeouts` | seconds by the name of a [`Phase`](sightglass_model::Phase) |
//! | `startup_timeout`, `tool_timeout` | seconds |
//!
//! Fields that are not understood are kept and not reported.

mod action;
mod apply_steps;
mod backup;
mod client;
mod client_approvals;
mod definition;
mod definition_state;
mod dialect;
mod diff;
mod disabled_servers;
mod draft;
mod draft_entry;
mod entry;
mod error;
mod expand;
mod export;
mod exposed;
mod file;
mod file_change;
mod format;
#[cfg(any(fuzzing, test))]
#[doc(hidden)]
pub mod fuzzing;
mod git;
mod history;
mod import;
mod json;
mod json_edit;
mod launch_plan;
mod layout;
mod load;
mod places;
mod policy;
mod problem;
mod program;
mod read_entry;
mod real_path;
mod resolve;
mod schema;
mod scopes;
mod show;
mod sign_in;
mod source;
mod toml;
mod url_pattern;
mod value;
mod variable;
mod watch;
mod write;

pub use action::{
    CarriedApproval, ChangePlan, ConfigAction, ConflictChoice, ImportItem, ImportedServer,
    PlannedFile, TransferItem, plan_action, plan_restore, with_draft,
};
pub use backup::{Backup, Backups};
pub use client::{Client, Machine, Platform, Target, UnknownClient, Variables};
pub use client_approvals::{ClientApproval, ClientApprovals};
pub use definition::Definition;
pub use definition_state::DefinitionState;
pub use dialect::{LostField, TransportWord};
pub use diff::{DiffLine, DiffLineKind, diff as diff_texts};
pub use draft::{
    Draft, DraftEndpoint, DraftLimits, DraftProblem, DraftRemote, DraftSignIn, DraftTools,
    NamedText, PhaseLimit, definition_draft,
};
pub use draft_entry::draft_entry;
pub use entry::{UnexpandedEndpoint, UnexpandedRemote, UnexpandedSpec, UnexpandedText};
pub use error::ConfigError;
pub use expand::Environment;
pub use export::{Exported, Secrets, export};
pub use exposed::ExposedSecret;
pub use file::FileState;
pub use file_change::{FileChange, read_text};
pub use format::FileFormat;
pub use git::is_tracked;
pub use history::{History, HistoryStep};
pub use import::{
    Bundle, Candidate, ImportError, ImportInput, ImportSource, read_bundle, read_import,
    server_candidates,
};
pub use launch_plan::{LaunchKind, LaunchPlan, PlanRow};
pub use load::{
    ClientConfig, ClientFile, ClientServer, combine, load_clients, parse_scope_file, read_client,
    read_scope_file,
};
pub use places::{Places, Scope};
pub use policy::{About, Matcher, Policy, Rule};
pub use problem::{Problem, ProblemKind, Severity};
pub use real_path::outside_project;
pub use resolve::ResolveOptions;
pub use schema::text_schema;
pub use scopes::{ClientFacts, MergeRule, ScopePlace, Writer, facts, scope_place, scopes};
pub use show::{Expressible, Field, fields, masked_text, summary, transport};
pub use sign_in::SignInFields;
pub use source::Position;
pub use variable::{Variable, VariableOrigin, expanded, variables};
pub use watch::{WatchError, Watcher, watch};
pub use write::{lock_writes, write};
