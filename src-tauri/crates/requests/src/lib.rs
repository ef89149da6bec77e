//! Requests as files: their format, their variables, what is expected of an answer, and reports.
//!
//! A request is a TOML file of a project, `.sightglass/requests/**.toml`, so that it is reviewed,
//! merged and shared like the code that it tests. Values in, values out: this crate reads no
//! environment and opens no connection.
//!
//! ```text
//! file text ─ RequestFile ─ Variables ─ request ─▶ (a connection) ─▶ Observation
//!                 └ Expectation ───────────────────── evaluate ──────────┘
//!                                                        └ CaseReport ─ text, JSON, JUnit, GitHub
//! ```
//!
//! ```text
//! import                      suites of mcp-rig as requests
//! write                       new request files, and changes of those that are there
//! file                        RequestFile: a file, read and checked
//! evaluate                    expectations and an Observation → CheckReport
//! github                      a run as annotations of GitHub Actions
//! junit                       a run as JUnit XML
//! report                      RunReport, CaseReport, CheckReport
//! environment                 named values of a project, and of one machine
//! snapshot                    answers that were accepted before
//! expectation  observation    what is expected, and what came
//! template  path              {{name}}, and JSONPaths whose work is bounded
//! folder                      the directory of a project's requests
//! text                        problems with their places
//! exact                       JSON whose numbers are as they were written
//! decimal                     numbers of any size, compared by their text
//! ```
//!
//! Modules use those below them.
//!
//! A file in full:
//!
//! ```toml
//! format  = 1
//! name    = "echo answers what it was given"
//! tags    = ["smoke"]
//! server  = "demo"            # a name of the effective configuration, or a table [server]
//! era     = "auto"            # auto, modern, legacy
//! method  = "tools/call"
//! params  = '''
//! { "name": "echo", "arguments": { "message": "{{greeting}}", "price": 1.50 } }
//! '''
//! timeout = "10s"
//! skip    = "reason"          # not run, and said so
//!
//! [answers]                   # what the server's questions are answered with
//! "elicitation/create" = '{"action":"accept","content":{"name":"Ada"}}'
//!
//! [capture]                   # for later requests of the same folder and the folders in it
//! id = "$.structuredContent.id"
//!
//! [[expect]]
//! value = "$.structuredContent.items"
//! is    = "count"
//! to    = 3
//! ```
//!
//! TOML and not YAML: `toml_edit` keeps comments when the window changes a file, and its `'''`
//! blocks hold JSON exactly as it is sent, with numbers of any size.

mod decimal;
mod environment;
mod evaluate;
mod exact;
mod expectation;
mod file;
mod folder;
mod github;
mod import;
mod junit;
mod observation;
mod path;
mod report;
mod snapshot;
mod template;
mod text;
mod write;

pub use environment::{
    Environment, EnvironmentError, environment_directory, environment_names, read_environment,
};
pub use evaluate::{Evaluation, NO_SNAPSHOT, captured, difference_of, evaluate};
pub use exact::{is_same, read as read_exact, shown};
pub use expectation::{Expectation, Predicate, Source};
pub use file::{InlineEndpoint, InlineServer, RequestEra, RequestFile, RequestServer};
pub use folder::{
    FolderError, RequestPath, refuse_link, request_folders, request_paths, requests_directory,
};
pub use github::annotations;
pub use import::{ImportedSuite, import_mcp_rig};
pub use junit::junit;
pub use observation::{Observation, ObservedError, OutputSchemaResult};
pub use report::{CaseError, CaseReport, CheckReport, RunReport};
pub use snapshot::{Snapshot, snapshot_path};
pub use template::{
    MissingVariable, Reference, Template, TemplateError, TemplatePiece, template_pieces,
};
pub use text::{RequestProblem, toml_problem};
pub use write::{
    EditError, NewExpectation, NewRequest, added_expectation, new_request, removed_expectation,
    renamed,
};
