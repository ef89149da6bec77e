//! Views for the window: projections of servers, results and files; facts, which bring newer ones; and
//! the arguments of commands.

mod answer_rules;
mod configuration;
mod confirmation;
mod conformance;
mod export;
mod extensions;
mod history;
mod llm_tools;
mod load;
mod model_endpoints;
mod requests;
mod session;
mod settings;
mod skills;
mod surface;
mod tasks;

use serde::{Deserialize, Serialize};
use sightglass_auth::AuthView;
use sightglass_config::{FileState, InputValue, Problem, Target};
use sightglass_connection::{
    AutomaticAnswer, ConnectionEvent, DoctorReport, ListChange, RequestOutcome, ServerQuestion,
    TaskFacts,
};
use sightglass_model::{
    ByteCount, ConnectionStatus, EraChoice, LimitSource, Millis, Phase, ServerId, Timestamp,
    TransportKind,
};
use sightglass_traffic::{LinePage, RecordingState};

pub use answer_rules::*;
pub use configuration::*;
pub use confirmation::*;
pub use conformance::*;
pub use export::*;
pub use extensions::*;
pub use history::*;
pub use llm_tools::*;
pub use load::*;
pub use model_endpoints::*;
pub use requests::*;
pub use session::*;
pub use settings::*;
pub use sightglass_config::{
    Candidate, ConfigAction, DefinitionState, DiffLine, DiffLineKind, Variable, VariableOrigin,
};
pub use skills::*;
pub use surface::*;
pub use tasks::*;

/// Everything the window needs to draw itself for the first time. Events with a higher
/// sequence number than `sequence` come on top.
#[derive(Debug, Clone, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    pub sequence: u32,
    pub version: String,
    pub project: ProjectView,
    pub servers: Vec<ServerView>,
    pub files: Vec<ScopeFileView>,
    /// The project's folder, and the user's answer to the question whether to trust it.
    pub folder: FolderTrustView,
    /// Questions of servers that wait for an answer, the oldest first.
    pub questions: Vec<ServerQuestion>,
    /// The newest questions that were answered without asking, the oldest first.
    pub automatic_answers: Vec<AutomaticAnswer>,
    pub answer_rules: AnswerRulesView,
    /// Calls that wait for the user, the oldest first.
    pub confirmations: Vec<CallConfirmation>,
    pub recording: RecordingState,
    pub settings: Settings,
    /// Sign-in states of the servers that are reached over HTTP.
    pub auth: Vec<AuthView>,
}

/// The folder whose configuration is shown.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ProjectView {
    pub name: String,
    pub path: String,
    /// Directory of settings, remembered arguments and the record.
    pub data_directory: String,
}

/// One server of the sidebar.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServerView {
    pub id: ServerId,
    pub name: String,
    pub origin: ServerOrigin,
    /// The client and the scope that define it; absent for what is in no file.
    pub target: Option<Target>,
    /// Title of the client: "Claude Code"; of the built-in server its own.
    pub client_title: String,
    /// Title of the scope: "Project".
    pub scope_title: String,
    /// The places where other clients define the very same server.
    pub also: Vec<ServerPlaceView>,
    /// The file that defines it, and the line (from 1) where its entry begins.
    pub path: Option<String>,
    pub line: Option<u32>,
    /// The command line or the URL, with `${VAR}` unexpanded.
    pub summary: String,
    pub transport: Option<TransportKind>,
    pub era: EraChoice,
    /// Problems that keep the entry from being used.
    pub problems: Vec<Problem>,
    /// The files that define the same name and lose, nearest first.
    pub shadowed: Vec<ServerPlaceView>,
    pub disabled: bool,
    /// What its client would do and Sightglass does not, in sentences.
    pub differences: Vec<String>,
    /// Reason why it may not be connected though its entry is in order.
    pub blocked: Option<Blocked>,
    /// What keeps it from being connected, in words, where that is known before.
    pub obstacle: Option<ObstacleView>,
    /// Names of the variables that the user set for it until the application ends.
    pub session_variables: Vec<String>,
    /// Place where it starts; absent for what is no program, and for the built-in server, which
    /// needs no folder.
    pub start: Option<StartView>,
    /// The folders that it is told it may use.
    pub roots: RootsView,
    pub status: ConnectionStatus,
    pub lists: Vec<ListChange>,
    /// Time limit of each phase, in the order of the phases, with its source; the one of
    /// the whole start first, where somebody set one.
    pub limits: Vec<LimitView>,
}

/// Origin of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ServerOrigin {
    /// An entry of a configuration file.
    File,
    /// The user tries it without saving it.
    Tried,
    /// It ships inside the application.
    BuiltIn,
}

/// Time limit.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct LimitView {
    /// The phase; absent for the whole start, up to `ready`. The limit of `executing` is that
    /// of one call, and starts again with each sign of progress.
    pub phase: Option<Phase>,
    pub limit: Millis,
    pub set_by: LimitSource,
}

/// Reason why a server may not be connected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Blocked {
    /// It comes from a project file, and nobody approved it for this project.
    Waiting,
    /// It would start in the project's folder or use what lies there, which the user does not trust.
    FolderNotTrusted,
    /// A managed rule refuses it.
    Refused { rule: String },
}

/// What keeps a server from being connected, known before any attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct ObstacleView {
    /// Short: `GITHUB_TOKEN is not set`. The sidebar, the header and the panel say the same.
    pub reason: String,
    /// A sentence that says what to do.
    pub hint: String,
    /// What it rests on, a line each.
    pub evidence: Vec<String>,
    /// What helps, the first before all.
    pub actions: Vec<ObstacleAction>,
}

/// An action that removes an obstacle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ObstacleAction {
    /// Set a variable until the application ends.
    SetVariable {
        name: String,
        /// What the client asks its user for, where it is no variable of the environment.
        input: Option<InputValue>,
    },
    EditServer,
    /// Open the file where the entry is wrong.
    OpenLine {
        line: u32,
        column: u32,
    },
    Approve,
    TrustFolder,
    /// Show where the entry and the rule come from.
    Explain,
}

/// The project's folder, and the user's answer to the question whether to trust it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct FolderTrustView {
    pub path: String,
    pub answer: FolderAnswer,
    /// True when the folder is the home directory, which is always trusted.
    pub is_home: bool,
}

/// Answer of the user to the question whether to trust a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum FolderAnswer {
    NotAsked,
    Trusted,
    NotTrusted,
}

/// Place where the program of a server starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct StartView {
    /// When it is connected the next time.
    pub next: StartPlace,
    /// When it was connected last.
    pub last: Option<StartPlace>,
    /// True when it is to start in an empty directory, and names what it would find in the folder.
    pub misses_folder: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum StartPlace {
    /// In the project's folder, or with something of it that its file names.
    Folder,
    /// In an empty directory, because the folder is not trusted.
    EmptyDirectory,
    /// In a directory that the user's own file names.
    Elsewhere,
}

/// The folders that a server is told it may use (MCP 2025-11-25, Roots).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RootsView {
    /// Absolute paths, and `file:` addresses as they were entered.
    pub folders: Vec<String>,
    /// True when nobody chose them: the project's folder where it is trusted, else none.
    pub is_default: bool,
}

/// A place where a server is defined.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ServerPlaceView {
    pub server: ServerId,
    pub target: Target,
    pub client_title: String,
    pub scope_title: String,
    pub path: String,
}

/// A file of the sidebar: each of `.mcp.json`, whether it exists or not, and those of other
/// clients that exist.
///
/// [`ConfigFileView`](crate::view::ConfigFileView) says more of the same files. The two are apart
/// because the first snapshot has these: it must not wait for what the configuration view shows.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ScopeFileView {
    pub target: Target,
    pub client_title: String,
    /// Title of the scope: "Project".
    pub title: String,
    /// The path as a user would write it: `.claude/.mcp.json`, `~/.claude/.mcp.json`.
    pub label: String,
    pub path: String,
    pub state: ScopeFileState,
    /// Problems, with line and column.
    pub problems: Vec<Problem>,
    /// Reason why the file could not be read, in state `unreadable`.
    pub unreadable: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum ScopeFileState {
    Missing,
    Loaded,
    /// Not a configuration at all: none of its servers could be read.
    Broken,
    /// The file is there and its bytes could not be had.
    Unreadable,
}

impl From<&FileState> for ScopeFileState {
    fn from(state: &FileState) -> Self {
        match state {
            FileState::Missing => Self::Missing,
            FileState::Loaded => Self::Loaded,
            FileState::Broken { .. } => Self::Broken,
            FileState::Unreadable { .. } => Self::Unreadable,
        }
    }
}

/// A fact, with its place in the order of facts.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct InspectorEvent {
    pub sequence: u32,
    pub fact: Fact,
}

#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Fact {
    Connection {
        event: Box<ConnectionEvent>,
    },
    /// The configuration files changed; this is what they say now. The window gets
    /// [`Fact::ServersChanged`] in its place, so it is not in the bindings.
    #[specta(skip)]
    Servers {
        servers: Vec<ServerView>,
        files: Vec<ScopeFileView>,
    },
    /// The configuration files changed; these are the servers that differ from before.
    ServersChanged {
        /// All servers, in their order.
        order: Vec<ServerId>,
        changed: Vec<ServerView>,
        files: Vec<ScopeFileView>,
    },
    /// One server changed, or what is shown of it, as where it was started last.
    Server {
        server: Box<ServerView>,
    },
    /// The configuration of all clients changed.
    Configuration {
        view: Box<ConfigurationView>,
    },
    Recording {
        state: RecordingState,
    },
    /// An examination got further, or ended.
    Doctor {
        report: Box<DoctorReport>,
    },
    Settings {
        settings: Settings,
    },
    /// The user's answer whether to trust the folder changed.
    Folder {
        folder: FolderTrustView,
    },
    /// The rules that answer questions are others now; these are all of them.
    AnswerRules {
        view: Box<AnswerRulesView>,
    },
    /// Other calls wait for the user now; these are all of them, the oldest first.
    Confirmations {
        open: Vec<CallConfirmation>,
    },
    /// Something about signing in to a server changed; this is all of it.
    Auth {
        view: Box<AuthView>,
    },
    /// The project's requests changed; this is all of them.
    Requests {
        view: Box<RequestsView>,
    },
    /// The surface of a server was compared, or another is stored to compare with.
    Surface {
        server: ServerId,
    },
    /// Other servers are started anew when their source changes; this is all of them.
    Restarts {
        restarts: Vec<RestartView>,
    },
    /// A run of requests began, got further, or ended.
    RequestRun {
        event: Box<RequestRunEvent>,
    },
    /// Checks of conformance began, got further, or ended.
    Conformance {
        event: Box<ConformanceEvent>,
    },
    /// A load run began, got further, or ended.
    Load {
        event: Box<LoadEvent>,
    },
    /// An export got further.
    Export {
        progress: ExportProgress,
    },
    /// A task was made, or got further.
    Task {
        task: Box<TaskView>,
    },
    /// A task is no longer kept.
    TaskForgotten {
        server: ServerId,
        id: String,
    },
    /// A session file was opened, read further or closed; these are open now.
    Sessions {
        sessions: Vec<SessionView>,
    },
    /// Announcements of changed resources that are on record and were not told, since this
    /// subscriber was too far behind.
    UpdatesDropped {
        count: u32,
    },
}

/// One entry of a list, whole.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ItemView {
    pub index: u32,
    pub name: String,
    /// The item's JSON exactly as the server sent it.
    pub json: String,
    pub problem: Option<String>,
    /// For tools: the arguments of the last call, as JSON.
    pub last_arguments: Option<String>,
    /// Estimate of the tokens that it takes in a model's context.
    pub tokens: u32,
}

/// Report of a call, a read or a prompt. Payloads stay in the record; this says where.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct CallReport {
    pub request: RequestOutcome,
    pub result: Option<ResultView>,
    pub error: Option<RpcErrorView>,
    /// The task that the server made of the call: its result comes later.
    pub task: Option<TaskFacts>,
    /// Age of the contents, of a resource that was read.
    pub freshness: Option<Freshness>,
}

/// Age of a resource's contents, and the time for which they may be shown without being read again
/// (MCP 2026-07-28, `ttlMs`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Freshness {
    pub read_at: Timestamp,
    /// The end of that time; absent where the server allows none, as none does before 2026-07-28.
    pub fresh_until: Option<Timestamp>,
    pub scope: Option<CacheScope>,
    /// True when nothing was sent, since an earlier answer still held.
    pub from_cache: bool,
}

/// Audience of a cached answer (MCP 2026-07-28, `cacheScope`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum CacheScope {
    Public,
    /// Those alone who are signed in as the same identity.
    Private,
}

/// A JSON-RPC error (JSON-RPC 2.0, section 5.1).
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct RpcErrorView {
    /// As it came; an integer according to the specification.
    pub code: String,
    pub message: String,
    /// Verbatim JSON, at most 64 KiB of it.
    pub data: Option<String>,
}

/// A result, taken apart for showing.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ResultView {
    /// `isError` of a tool result.
    pub is_error: bool,
    /// A tool's `content`, a resource's `contents`, or a prompt's messages.
    pub blocks: Vec<BlockView>,
    /// A prompt's `description`.
    pub description: Option<String>,
    /// `structuredContent`, where there is one.
    pub structured: Option<PartView>,
    /// Outcome of checking `structuredContent` against the tool's output schema; absent when
    /// the tool has no output schema.
    pub schema_check: Option<SchemaCheck>,
    /// Deviations from the protocol, as messages.
    pub problems: Vec<String>,
    /// A sentence about the clients that warn of so long a result, or cut it.
    pub client_limits: Option<String>,
    /// A sentence about the clients that keep its images from some models, with its source.
    pub client_images: Option<String>,
}

/// A part of a payload: where it is, how large, and how it begins.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct PartView {
    /// JSON pointer into the response's frame.
    pub pointer: String,
    /// Size of the JSON text, or of the string for text parts.
    pub size: ByteCount,
    /// The whole of it when it is at most 256 KiB; otherwise absent, to be read by page.
    pub text: Option<String>,
    /// The first page of the first part of a new answer that is to be read by page, in the form in
    /// which it is shown: the window draws it without asking.
    pub lines: Option<LinePage>,
}

/// One content block.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct BlockView {
    pub body: BlockBody,
    /// `user` or `assistant`, in prompts.
    pub role: Option<String>,
    /// `annotations`, verbatim JSON.
    pub annotations: Option<String>,
    /// The whole block's place in the response's frame.
    pub pointer: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum BlockBody {
    Text {
        text: PartView,
    },
    /// Base64 at `pointer`; `size` is that of the decoded bytes.
    Image {
        mime_type: String,
        pointer: String,
        size: ByteCount,
    },
    Audio {
        mime_type: String,
        pointer: String,
        size: ByteCount,
    },
    ResourceLink {
        uri: String,
        name: String,
        title: Option<String>,
        description: Option<String>,
        mime_type: Option<String>,
    },
    /// An embedded or read resource that is text.
    TextResource {
        uri: String,
        mime_type: Option<String>,
        text: PartView,
    },
    /// An embedded or read resource that is binary; base64 at `pointer`.
    BinaryResource {
        uri: String,
        mime_type: Option<String>,
        pointer: String,
        size: ByteCount,
    },
    /// Anything else, as JSON.
    Unknown {
        type_name: String,
        json: PartView,
    },
}

/// The outcome of checking a value against a schema.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SchemaCheck {
    pub valid: bool,
    /// At most 50 violations, missing members first. Of a result also when its output schema cannot
    /// be used itself.
    pub problems: Vec<SchemaProblem>,
    /// Reason why nothing was checked, in words that begin small; `valid` is then false.
    pub not_checked: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct SchemaProblem {
    /// JSON pointer into the value; of a missing member the place where it would be.
    pub pointer: String,
    /// Description of the problem, to be read at its place.
    pub message: String,
    /// Description that names the place.
    pub sentence: String,
    pub missing: bool,
}

/// Reference of `completion/complete` (MCP specification, Completion).
#[derive(Debug, Clone, PartialEq, Deserialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum CompletionReference {
    Prompt { name: String },
    Template { uri: String },
}

/// Argument that is being completed.
#[derive(Debug, Clone, PartialEq, Deserialize, specta::Type)]
pub struct CompletionQuery {
    pub reference: CompletionReference,
    pub argument: String,
    pub value: String,
    /// The arguments that are already filled in.
    pub others: Vec<(String, String)>,
}

/// Form in which an exchange is copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum CopyForm {
    Json,
    Curl,
}
