//! Views of configuration files for the window, and the actions that it can ask for with
//! them.
//!
//! One [`ConfigurationView`] is the whole picture; a fact brings a new one whenever a file
//! changes. One [`ConfigAction`](sightglass_config::ConfigAction) says what is to be done; planning
//! it answers a [`PlanView`] with the exact differences, and applying that plan does it.

use serde::{Deserialize, Serialize};
use sightglass_config::{
    Candidate, Client, DefinitionState, DiffLine, Draft, DraftProblem, EnvironmentUse, FileFormat,
    FileOwner, LaunchKind, LaunchPlan, LostField, PlanRow, Problem, RemoteBundle, Target,
    TransportName, Variable,
};
use sightglass_model::{ByteCount, ServerId};

use super::ScopeFileState;

/// All configuration files of all clients, and what comes out of them.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct ConfigurationView {
    /// Moves with every change. Of two views, the one with the higher number counts.
    pub revision: u32,
    pub clients: Vec<ClientView>,
    /// The managed rules that hold on this machine.
    pub policy: Vec<PolicyRuleView>,
    /// Title of the change that undo would take back; absent when there is none.
    pub undo: Option<String>,
    /// Title of the change that redo would do again; absent when there is none.
    pub redo: Option<String>,
}

/// One client, its files and its servers.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct ClientView {
    pub client: Client,
    pub title: String,
    /// URL of the documentation of its format.
    pub documentation: String,
    /// True when any of its files exists.
    pub found: bool,
    /// Precedence of its scopes, in one sentence.
    pub precedence: String,
    /// Fields that an entry of this client can have, for the form.
    pub expresses: ClientFields,
    /// Every scope, the lowest precedence first, whether its file exists or not.
    pub files: Vec<ConfigFileView>,
    /// Every server once, by name in the order of the files.
    pub servers: Vec<ConfigServerView>,
}

/// Fields that an entry of a client can have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ClientFields {
    pub transports: Vec<TransportName>,
    pub working_directory: bool,
    pub headers: bool,
    /// True when a server can be listed without being used.
    pub disabled: bool,
    pub era: bool,
    /// `phase_timeouts`.
    pub phase_limits: bool,
    pub startup_limit: bool,
    pub tool_limit: bool,
    pub enabled_tools: bool,
    pub disabled_tools: bool,
    pub sign_in: SignInKeys,
    /// Spelling of a variable, for instance `${NAME}`; absent where none are expanded.
    pub variable: Option<String>,
}

/// Fields about signing in that an entry of a client can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct SignInKeys {
    pub off: bool,
    pub client_id: bool,
    pub client_metadata_url: bool,
    pub scopes: bool,
    pub callback_port: bool,
    pub bearer_variable: bool,
}

/// One scope of a client: a file, or a part of one.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ConfigFileView {
    /// The client's own name for the scope.
    pub scope: String,
    pub title: String,
    /// The path as a user would write it, relative to the project or to `~`.
    pub label: String,
    pub path: String,
    /// Section of the file that holds the servers: `mcpServers`, `mcp_servers`, …
    pub section: String,
    pub format: FileFormat,
    /// Owner: who may change it.
    pub writer: FileOwner,
    /// True when this user can, by the writer and the file's permissions.
    pub writable: bool,
    /// From 1, the lowest precedence first.
    pub precedence: u32,
    /// Purpose of the scope, in one sentence.
    pub note: String,
    pub state: ScopeFileState,
    /// Problems, with line and column.
    pub problems: Vec<Problem>,
    /// Reason why the file could not be read, in state `unreadable`.
    pub unreadable: Option<String>,
    /// The permissions in octal, `0644`; absent where there are none or no file.
    pub mode: Option<String>,
    /// True when git tracks the file, so that what stands in it is shared.
    pub tracked: bool,
    /// When another program changed it last while Sightglass was open, in milliseconds since
    /// the Unix epoch.
    pub changed_outside: Option<f64>,
    /// Number of servers that it defines.
    pub servers: u32,
}

/// One server of one client: a row across the files.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ConfigServerView {
    pub name: String,
    /// The sidebar's server of this row; absent for clients that Sightglass does not connect
    /// for.
    pub server: Option<ServerId>,
    /// The state of the definition that wins.
    pub state: DefinitionState,
    /// Reason for this state, in one sentence.
    pub reason: String,
    /// The scope of the definition that wins.
    pub scope: String,
    /// The command line or the URL of the definition that wins, variables unexpanded.
    pub summary: String,
    pub transport: Option<TransportName>,
    /// One for each file that defines it, the lowest precedence first.
    pub cells: Vec<DefinitionCell>,
    /// True when another program changed or added the definition that wins while Sightglass
    /// was open.
    pub changed_outside: bool,
    /// True when it is connected with an entry that is no longer what the files say.
    pub outdated: bool,
}

/// Definition of one server in one file.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct DefinitionCell {
    pub scope: String,
    /// Line of the entry's name, from 1.
    pub line: u32,
    pub column: u32,
    pub state: DefinitionState,
    pub problems: Vec<Problem>,
    /// Fields that this client does not have and of which no problem tells; they are kept.
    pub unknown_fields: Vec<String>,
}

/// One rule of the managed policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct PolicyRuleView {
    /// The rule in words: `denies servers named *-prod`.
    pub rule: String,
    /// The file it stands in.
    pub path: String,
}

/// Explanation of why a server is what it is.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct ExplanationView {
    pub client: Client,
    pub name: String,
    pub state: DefinitionState,
    /// In reading order.
    pub sentences: Vec<String>,
    /// Every definition, the one that wins first.
    pub definitions: Vec<DefinitionView>,
    /// Field by field, those that differ first.
    pub fields: Vec<FieldComparison>,
    /// Every `${…}` of the definition that wins.
    pub variables: Vec<Variable>,
    pub problems: Vec<Problem>,
}

/// One definition of a server.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct DefinitionView {
    pub scope: String,
    pub title: String,
    pub path: String,
    pub line: u32,
    pub column: u32,
    pub state: DefinitionState,
    /// The entry as it stands in the file, values that look like secrets masked.
    pub text: String,
}

/// One field across the definitions of a server.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct FieldComparison {
    pub field: String,
    /// One for each of the explanation's definitions, in their order; absent where the
    /// definition does not have the field. Secrets are masked.
    pub values: Vec<Option<String>>,
    pub differs: bool,
}

/// A draft held against the client that is to have it.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct DraftCheck {
    pub findings: Vec<DraftProblem>,
    pub variables: Vec<Variable>,
    /// Path at which the program was found, for a server over stdio.
    pub program: Option<String>,
    /// Members that the client cannot express.
    pub lost: Vec<LostField>,
}

/// Plan of an action.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct PlanView {
    /// The number to apply it by.
    pub plan: u32,
    /// Title: `Move github to Claude Code, project`.
    pub title: String,
    pub files: Vec<PlannedFileView>,
    /// Members that the target cannot express, and that will not be written.
    pub lost: Vec<LostField>,
    /// Warnings to read before: a secret in a file that git tracks, …
    pub warnings: Vec<String>,
    /// Names of the connected servers that no file defines afterwards, so that they are disconnected.
    pub disconnects: Vec<String>,
    /// The servers that do something else after the change, or are there only then.
    pub servers: Vec<PlannedServerView>,
}

/// A server that does something else after a change.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct PlannedServerView {
    pub name: String,
    /// The file that it stands in then, as a user would write it.
    pub label: String,
    pub launch: LaunchView,
}

/// Everything that connecting to a server does, made from the value that starts. The texts hold no
/// invisible characters.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct LaunchView {
    pub kind: LaunchKind,
    /// Sentences: what starts, and which variables of the environment are sent where.
    pub consequences: Vec<String>,
    /// Every member of the entry, `${VARIABLE}`s unexpanded.
    pub rows: Vec<PlanRow>,
}

impl LaunchView {
    pub fn of(plan: &LaunchPlan) -> Self {
        Self {
            kind: plan.kind(),
            consequences: plan.consequences(),
            rows: plan.rows(),
        }
    }
}

/// Everything that connecting to a draft does before it is in any file.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct DraftLaunchView {
    pub launch: LaunchView,
    /// The variables of the environment that it reads where the user allows it; empty for a draft of
    /// the user's own.
    pub environment: Vec<EnvironmentUse>,
}

/// A file before and after a plan.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct PlannedFileView {
    pub path: String,
    pub label: String,
    /// The file that is really written, where a link of the project leads out of it. The user has
    /// to confirm that.
    pub outside: Option<String>,
    /// True when the file does not exist yet.
    pub creates: bool,
    /// True when the file is gone afterwards, as when undoing its creation.
    pub deletes: bool,
    /// All lines of the file, kept, removed and added.
    pub diff: Vec<DiffLine>,
    /// Problems that keep clients from reading the file even after the change.
    pub remaining_problems: Vec<Problem>,
}

/// Outcome of applying a plan.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ApplyOutcome {
    Applied {
        title: String,
    },
    /// A file is no longer what the plan was made on. Nothing was written.
    Conflict {
        files: Vec<ConflictView>,
    },
}

/// A file that changed underneath a plan.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ConflictView {
    /// To plan again, or to overwrite with
    /// [`ConfigAction::Text`](sightglass_config::ConfigAction::Text).
    pub target: Target,
    pub path: String,
    /// Text that the plan was made on.
    pub planned_on: String,
    /// Text that stands there now.
    pub now: String,
    /// Text that the plan would have written.
    pub mine: String,
    /// From what stands there now to what the plan would have written.
    pub diff: Vec<DiffLine>,
}

/// A file's text, for the text view.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct ConfigTextView {
    pub path: String,
    pub format: FileFormat,
    /// Empty when there is no file yet.
    pub text: String,
    pub exists: bool,
    /// A JSON Schema of the whole file, for completion; absent for TOML.
    pub schema: Option<String>,
}

/// Reading of a text that was not saved yet.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct TextReading {
    /// The text with the draft in it; absent where none was given, or it cannot be put in.
    pub text: Option<String>,
    /// Reason why the draft cannot be put in; what follows is then that of the text without it.
    pub unwritten: Option<String>,
    /// The draft, or else the server as it is read, held against the client; absent while the login
    /// shell has yet to answer.
    pub check: Option<DraftCheck>,
    pub problems: Vec<Problem>,
    /// The servers it defines, in their order.
    pub servers: Vec<TextServer>,
}

/// One server of a text.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct TextServer {
    pub name: String,
    pub line: u32,
    pub column: u32,
    /// The form filled with it; absent for an entry that cannot be read.
    pub draft: Option<Draft>,
}

/// Launch plan for approval: everything that connecting to a server does, made from the value that
/// starts. The texts hold no invisible characters.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct TrustView {
    pub server: ServerId,
    pub name: String,
    pub project: String,
    pub path: String,
    pub line: u32,
    /// True when it waits for approval.
    pub waiting: bool,
    /// True when an earlier version of the entry was approved.
    pub changed: bool,
    /// Names this version of the entry; to be handed back when approving it.
    pub fingerprint: String,
    pub kind: LaunchKind,
    /// Sentences: what starts, and which variables of the environment are sent where.
    pub consequences: Vec<String>,
    /// Every member of the entry, `${VARIABLE}`s unexpanded.
    pub rows: Vec<PlanRow>,
    /// The entry as it stands in the file.
    pub text: String,
}

/// One server of several that are approved, as it was shown.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, specta::Type)]
pub struct ApprovalDecision {
    pub server: ServerId,
    /// That of the [`TrustView`] that was shown.
    pub fingerprint: String,
}

/// The outcome of approving several servers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, specta::Type)]
pub struct ApprovalReport {
    pub approved: Vec<ServerId>,
    /// Not approved, because the entry is another one than was shown.
    pub changed: Vec<ChangedApproval>,
}

/// A server whose entry changed after it was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, specta::Type)]
pub struct ChangedApproval {
    pub server: ServerId,
    pub name: String,
}

/// Servers to be written in the form of a client.
#[derive(Debug, Clone, PartialEq, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ExportRequest {
    pub servers: Vec<ChosenServer>,
    /// The client whose form is wanted.
    pub client: Client,
    /// Otherwise a `${VARIABLE}` stands in the place of what looks like a secret.
    #[serde(default)]
    pub include_secrets: bool,
}

/// One server of one scope.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, specta::Type)]
pub struct ChosenServer {
    pub target: Target,
    pub name: String,
}

/// Servers that the text of the clipboard adds.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct ClipboardOffer {
    pub text: String,
    /// Names of the servers.
    pub names: Vec<String>,
}

/// An unpacked bundle that no configuration file names.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct UnusedBundle {
    /// Name of its directory: the bundle's name, its version and its hash.
    pub name: String,
    pub directory: String,
    /// Bytes of its files.
    pub size: ByteCount,
}

/// Servers of the registry.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct RegistryPage {
    pub servers: Vec<RegistryServer>,
    /// For the next page; absent after the last.
    pub next: Option<String>,
}

/// A server that is announced on the local network. All texts are a stranger's.
#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
pub struct AnnouncedServer {
    pub name: String,
    /// `mac-mini.local`, or an address.
    pub host: String,
    pub port: u16,
    pub path: String,
    /// The addresses of the host, as announced.
    pub addresses: Vec<String>,
    pub candidate: Candidate,
}

#[derive(Debug, Clone, PartialEq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct RegistryServer {
    /// `io.github.user/server`.
    pub name: String,
    pub title: Option<String>,
    pub description: String,
    pub version: String,
    /// `active`, `deprecated` or `deleted`, as the registry says.
    pub status: Option<String>,
    /// Reason for that status, in the publisher's words.
    pub status_message: Option<String>,
    /// When this version was published (RFC 3339).
    pub published: Option<String>,
    /// True when there is no newer version.
    pub latest: bool,
    /// URL of its source.
    pub repository: Option<String>,
    pub website: Option<String>,
    /// The ways to reach it: its packages, then its addresses.
    pub candidates: Vec<Candidate>,
    /// The bundles among its packages, which are downloaded first.
    pub bundles: Vec<RemoteBundle>,
}
