//! Reads, merges, explains and edits the configuration files of MCP clients, without disturbing the
//! rest of a file.
//!
//! ```text
//! change      actions → plans → atomic writes, backups, undo
//! load        all files of all clients, merged; client-side approvals, policy, watching
//! import      servers from snippets, command lines, bundles     export
//! scopes      the files of each client on this machine, by precedence
//! definition  the servers of one text; drafts (the form), launch plans (approval)
//! entry       one entry: dialect ⇄ common form, variables, secrets
//! client      the clients, places, git
//! text        JSON and TOML: trees with places, edits, diffs
//! ```
//!
//! Each folder uses only those below it. The ways in:
//!
//! - [`load_clients`]: reads the files of every client, those of the `.mcp.json` scopes among them.
//!   A broken file is reported with the places of its mistakes, and the others count.
//! - [`LaunchPlan`]: the one value of a [`Definition`] that is shown for approval, hashed, and
//!   resolved into a [`ServerSpec`](sightglass_model::ServerSpec).
//! - [`plan_action`]: computes the texts that a [`ConfigAction`] leads to, and [`write()`] puts
//!   them in place.
//! - [`watch()`]: calls back when one of the files changed.
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
//! | `envFile` | a file of further variables for it, `NAME=value` by line |
//! | `url`, `headers` | the endpoint of a remote server: `http:`, `https:`, `ws:`, `wss:`, or `unix:///path/to/socket#/path` for HTTP over a Unix socket |
//! | `headersHelper` | a command that prints further headers as a JSON object, run before each connection |
//! | `ca_file` | certificate authorities in PEM that count beside those of the system |
//! | `tls_fingerprint` | SHA-256 of the one certificate that the server must show, whichever authority issued it |
//! | `disabled`, `enabled` | whether it is listed without being used |
//! | `era` | `auto` (default), `modern` or `legacy` |
//! | `phase_timeouts` | seconds by the name of a [`Phase`](sightglass_model::Phase) |
//! | `startup_timeout`, `tool_timeout` | seconds |
//! | `timeout` | milliseconds for one call, as Claude Code has it, where there is no `tool_timeout` |
//!
//! Fields that are not understood are kept and not reported.

mod change;
mod client;
mod definition;
mod entry;
mod export;
#[cfg(any(fuzzing, test))]
#[doc(hidden)]
pub mod fuzzing;
mod import;
mod load;
mod scopes;
mod text;

pub use change::action::{
    CarriedApproval, ChangePlan, ConfigAction, ConflictChoice, ImportItem, ImportedServer,
    PlannedFile, SwitchItem, TransferItem, plan_action, plan_restore, with_draft,
};
pub use change::backup::{Backup, Backups};
pub use change::denied_tools::denied_tools_file;
pub use change::error::ConfigError;
pub use change::file_change::{FileChange, read_text};
pub use change::history::{History, HistoryStep};
pub use change::real_path::outside_project;
pub use change::write::{lock_writes, write};
pub use client::git::GitIndices;
pub use client::places::{Places, Scope};
pub use client::{Client, Machine, Platform, Target, UnknownClient, Variables};
pub use definition::Definition;
pub use definition::definition_state::DefinitionState;
pub use definition::differences::{behaviour_source, differences};
pub use definition::draft::{
    Draft, DraftEndpoint, DraftLimits, DraftProblem, DraftRemote, DraftSignIn, DraftTools,
    NamedText, PhaseLimit, definition_draft,
};
pub use definition::draft_entry::draft_entry;
pub use definition::launch_plan::{EnvironmentUse, LaunchKind, LaunchPlan, PlanRow};
pub use definition::masked_file::MaskedFile;
pub use definition::show::{Expressible, Field, fields, masked_text, summary, transport};
pub use entry::dialect::{LostField, TransportName};
pub use entry::expand::{Environment, SECRET_PREFIX};
pub use entry::exposed::ExposedSecret;
pub use entry::input::InputValue;
pub use entry::resolve::ResolveOptions;
pub use entry::sign_in::SignInFields;
pub use entry::variable::{Variable, VariableOrigin, expanded, variables};
pub use entry::{UnexpandedEndpoint, UnexpandedRemote, UnexpandedSpec, UnexpandedText};
pub use export::{Exported, Secrets, export};
pub use import::install_link::is_install_link;
pub use import::{
    Bundle, BundleArchive, BundleHost, Candidate, ImportError, ImportInput, ImportSource,
    InputKind, MAX_BUNDLE_BYTES, RemoteBundle, UnpackedBundle, read_bundle, read_import, server_at,
    server_bundles, server_candidates, sha256_of, unpack_bundle,
};
pub use load::chimera::{ChimeraToken, chimera_token};
pub use load::client_approvals::{ClientApproval, ClientApprovals};
pub use load::permission_files::{PermissionFile, PlacedValue, permission_files};
pub use load::policy::{About, Matcher, Policy, PolicyRule};
pub use load::watch::{WatchError, Watcher, watch};
pub use load::{
    ClientConfig, ClientFile, ClientServer, combine, load_clients, parse_scope_file, read_client,
    read_scope_file,
};
pub use scopes::schema::text_schema;
pub use scopes::{ClientFacts, FileOwner, MergeRule, ScopePlace, facts, scope_place, scopes};
pub use text::diff::{DiffLine, DiffLineKind, diff as diff_texts};
pub use text::file::FileState;
pub use text::format::FileFormat;
pub use text::problem::{Problem, ProblemKind, Severity};
pub use text::source::Position;
pub use text::yaml::yaml_as_json;
