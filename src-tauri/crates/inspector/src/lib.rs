//! Façade: everything that Sightglass can do, with no window.
//!
//! [`Inspector`] opens and composes a core and eight areas. An area is put together from parts that
//! call one another in one direction, and it knows the areas below it alone:
//!
//! ```text
//! window   command line   tests                                hosts, with equal powers
//!    └──────────┼───────────┘
//!           Inspector
//!    tests                                        request files and their runs
//!    checks                                       conformance, load, doctor, changes of servers
//!    clients                                      what agents get of a server
//!    setup                                        who has a server, changes of files, bundles
//!    record                                       traffic, sessions, replays, exports
//!    calls                                        lists, calls, confirmations, tasks, skills
//!    sign_in                                      identities and tokens
//!    servers                                      which there are, trust, settings, start and end
//!           │
//!    core  stores                                 state that areas share, and that connections ask
//!    publisher → Fact, view                       changes, and what is shown, as data
//!    files                                        data that outlives the program
//! ```
//!
//! A change on which areas above have to act is announced as a notice, and `reactions` acts on it.
//!
//! Changes are published as [`Fact`](view::Fact)s with sequence numbers. A host subscribes first,
//! then takes a [`snapshot`](Inspector::snapshot), and applies only the facts with a higher
//! number, so that none is lost or applied twice.

mod answer_rules;
mod approvals;
mod auth;
mod blob;
mod blocking;
mod bundles;
mod call_history;
mod call_reports;
mod calls;
mod client_limits;
mod client_rules;
mod config_changes;
mod config_plans;
mod config_projection;
mod config_text;
mod config_workspace;
mod confirmation;
mod conformance;
mod connections;
mod current_surface;
mod defined_by;
mod doctor;
mod draft_check;
mod effects;
mod entry_secrets;
mod error;
mod explanation;
mod extensions;
mod file_watch;
mod files;
mod folder_trust;
mod held_questions;
mod host;
mod import_sources;
mod kept_changes;
mod known_endpoints;
mod limits;
mod lists;
mod llm_tools;
mod load;
mod local_network;
mod log_fields;
mod model_endpoints;
mod obstacle;
mod open_connections;
mod per_server;
mod persistence;
mod plan_secrets;
mod publisher;
mod reactions;
mod readiness;
mod recent_projects;
mod record;
mod record_queries;
mod registry;
mod remembered_arguments;
mod replay;
mod requests;
mod resolution;
mod resource_cache;
mod restart;
mod result;
mod roots;
mod schema;
mod sensitive;
mod server_export;
mod server_names;
mod server_settings;
mod server_spec;
mod servers;
mod session_file;
mod session_variables;
mod sessions;
mod settings;
mod settings_changes;
mod settings_keys;
mod sidebar;
mod sign_in_target;
mod skills;
mod snapshot;
mod source_watch;
mod stored_change;
mod stored_task;
mod surface;
mod surface_difference;
mod tasks;
mod test_connections;
mod text_hash;
mod traffic_export;
mod tried;
mod trust;
mod unused_bundles;
pub mod view;

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, Weak, atomic::AtomicBool},
};

pub use confirmation::{ConfirmationMode, Consent};
pub use conformance::ConformanceProgress;
pub use error::InspectorError;
pub use host::{Headless, Host};
pub use llm_tools::naming_scheme;
pub use log_fields::log_fields;
pub use persistence::Persistence;
pub use publisher::Subscription;
pub use record_queries::RecordQueries;
pub use replay::recorded_calls;
pub use requests::RunProgress;
pub use session_file::{check_session_file, read_mock, session_surface};
pub use sightglass_auth::{
    AuthError, AuthMode, AuthSettings, AuthSettingsView, AuthStatus, AuthView,
    AuthorizationParameter, Binding, CheckVerdict, CheckView, ClientAuthMethod, EndpointQuestion,
    IssuerQuestion, RegistrationKind, RequestDraft, SettingSecret, SignInExport, SignInFailure,
    SignInPurpose, SignInRemedy, SignInRequest, SignInState, SignInView, SignOutReport, StepKind,
    StepState, StepView, TokenAction, TokenKind, TokenReaction, TokensView, VaultKind, VaultView,
    WithheldView,
};
pub use sightglass_checks::{
    CheckResult, ConformanceReport, ConformanceTotals, ConformanceVerdict, RequirementLevel,
    SuiteCheck, SuiteReport, SuiteScenario, SuiteVerdict, conformance_junit,
};
pub use sightglass_config::{
    Backup, Bundle, BundleArchive, Client, ConfigAction, ConfigError, ConflictChoice, Draft,
    DraftEndpoint, DraftRemote, DraftSignIn, DraftTools, Exported, ImportItem, ImportSource,
    LaunchKind, NamedText, Places, PlanRow, RemoteBundle, Scope, SwitchItem, Target, TransferItem,
    is_install_link,
};
pub use sightglass_connection::{
    AutomaticAnswer, ConnectionError, ConnectionEvent, DoctorCheck, DoctorReport, DoctorState,
    ItemGroup, ItemRow, ItemWindow, ListChange, ListKind, ListOutline, ListState, Params,
    ParamsError, Progress, REAPER_ARGUMENT, ReaperCommand, RequestEnd, RequestOutcome, Response,
    ServerAnswer, ServerRequest, Settlement, TaskFacts, ToolHint, Verdict, open_in_browser,
    prepare_to_start_processes, run_reaper, task_call,
};
pub use sightglass_llm_tools::{
    names::{
        CandidateBasis, ItemKind, NAME_RULES, NameCandidate, NameWarning, NameWarningKind,
        NamingScheme, QualifiedName,
    },
    permissions::{
        Effect, IgnoredRule, PermissionRule, PermissionStep, PermissionVerdict, RulePlace,
    },
    providers::{ChangeKind, PORTABILITY_RULES, Provider, SchemaChange},
    tokens::{
        CLAUDE_CONTEXT_WINDOW, Cost, ListCost, ListFigures, Precision, ResultLimits, ResultVerdict,
        ToolCost,
    },
    tool_search::{FoundTool, ToolSearchSetting, ToolSearchVerdict},
};
pub use sightglass_model::{
    Awaited, ByteCount, CharacterClasses, ClientOptions, ConnectionId, ConnectionStatus, Endpoint,
    Era, EraChoice, ErrorCode, ExchangeId, Failure, FailureReport, FrameId, HandshakeResult,
    Health, HintAction, HttpFault, InternalError, LimitSource, MAX_BLANKS, Millis, NetworkStage,
    Phase, PhaseRecord, ProtocolChoice, Reconnection, RemoteEndpoint, RemoteTransport, ServerId,
    ServerSpec, StartFault, TimeLimits, Timestamp, TokenFault, TransportKind, brief,
    character_classes, command_line, entirely_visible, entirely_visible_lines, hidden_characters,
    install_panic_hook, is_invisible, is_loopback_host, shell_quoted, visible, visible_lines,
};
pub use sightglass_model_endpoint::EndpointKind;
pub use sightglass_requests::{
    CaseError, CaseReport, CheckReport, NO_SNAPSHOT, NewExpectation, RequestPath, RequestVerdict,
    RunReport, Totals, annotations, import_mcp_rig, junit,
};
pub use sightglass_secrets::{CLIENT_SECRET_VARIABLE, MASK, Secret, may_be_logged};
pub use sightglass_session_file::{
    checks::{SessionCheck, SessionFinding, SessionReport},
    mock::{Miss, Mock, MockAnswer},
    replay::RecordedCall,
};
pub use sightglass_surface::{
    ChangeClass, Finding, Part, RULES, RuleText, Silence, Subject, Surface, SurfaceChange,
    diff as surface_changes,
};
pub use sightglass_traffic::{
    Causality, Certainty, Direction, Edge, EdgeKind, ExchangeDetail, ExchangeKind, ExchangeRow,
    LinePage, Operation, OperationNode, OperationPage, OperationQuery, OperationTimeline,
    OperationTree, Outcome, PayloadForm, PayloadMatches, PayloadQuery, RecordRevision, RelatedRow,
    TaskStatus, TimeSpan, Timeline, TimelinePlace, TimelineQuery, TimelineStep, TrafficPage,
    TrafficQuery,
};
pub use skills::SKILLS_EXTENSION;
pub use source_watch::SourceChanges;

use known_endpoints::KnownEndpoints;
use sightglass_auth::SignIns;
use sightglass_config::Watcher;
use sightglass_connection::{Connections, EventSubscriber};
use sightglass_http::CurrentProxies;
use sightglass_model::lock;
use sightglass_secrets::Vault;
use sightglass_traffic::Recorder;
use tokio_util::sync::CancellationToken;
use view::Settings;

use crate::{
    answer_rules::AnswerRules,
    config_workspace::ConfigWorkspace,
    connections::{ConnectionParts, connections},
    entry_secrets::EntrySecrets,
    file_watch::FileWatch,
    files::{DataFiles, RememberedArguments},
    folder_trust::FolderTrust,
    held_questions::HeldQuestions,
    persistence::{OpenedRecord, RecordHome},
    publisher::Publisher,
    roots::RootSettings,
    server_settings::SavedServerSettings,
    session_variables::SessionVariables,
    settings_keys::SettingsKeys,
    sign_in_target::AdHocServer,
    tasks::Tasks,
    tried::TriedServers,
};

/// Answers the value of an environment variable, if it is set.
pub type Environment = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Options of an [`Inspector`].
#[derive(Clone)]
pub struct InspectorOptions {
    /// The home directory and the project.
    pub places: Places,
    /// Directory of settings, remembered arguments and the record.
    pub data_directory: PathBuf,
    pub persistence: Persistence,
    /// The lists that are loaded as part of connecting.
    pub lists: Vec<ListKind>,
    /// The program that is the built-in demo server, and its arguments.
    pub demo: Option<(PathBuf, Vec<String>)>,
    /// Command of the process that ends servers when the application is killed.
    pub reaper: Option<ReaperCommand>,
    /// For `${VAR}` in configuration files.
    pub environment: Environment,
    /// The directory above the files of the machine's administrator: `/`, except in tests.
    pub system_root: PathBuf,
    pub confirmation: ConfirmationMode,
}

/// The façade. One for the whole application.
pub struct Inspector {
    options: InspectorOptions,
    recorder: Recorder,
    record_home: Mutex<RecordHome>,
    /// True when the record is closed with this.
    owns_record: bool,
    connections: Connections,
    sign_ins: SignIns,
    vault: Vault,
    resources_read: Arc<resource_cache::ResourceCache>,
    request_runs: requests::RequestRuns,
    conformance_runs: conformance::ConformanceRuns,
    load_runs: load::LoadRuns,
    restart_watches: restart::RestartWatches,
    exports: traffic_export::Exports,
    /// Variables that the user set until the application ends.
    session_variables: SessionVariables,
    sessions: sessions::Sessions,
    replays: replay::Replays,
    confirmations: confirmation::Confirmations,
    tasks: Arc<Tasks>,
    entry_secrets: EntrySecrets,
    /// Servers that are in no file, or are reached otherwise than their file says.
    ad_hoc_servers: Mutex<HashMap<ServerId, AdHocServer>>,
    /// Servers that the user tries without saving them.
    tried: Arc<TriedServers>,
    publisher: Arc<Publisher>,
    compared_surfaces: surface::Compared,
    listed_skills: skills::ListedSkills,
    config: Arc<ConfigWorkspace>,
    folder: Arc<FolderTrust>,
    roots: Arc<RootSettings>,
    answer_rules: Arc<AnswerRules>,
    reply_times: model_endpoints::ReplyTimes,
    server_settings: Arc<SavedServerSettings>,
    data: DataFiles,
    settings: Mutex<Settings>,
    proxies: Arc<CurrentProxies>,
    remembered: Mutex<RememberedArguments>,
    /// True when `remembered` is newer than its file.
    unsaved_arguments: AtomicBool,
    /// For work that goes on in the background.
    this: Weak<Inspector>,
    watcher: Mutex<Option<Watcher>>,
    data_watch: Mutex<Option<FileWatch>>,
    /// Examinations under way.
    examinations: Mutex<HashMap<ServerId, CancellationToken>>,
}

impl Inspector {
    /// Opens the record and reads the configuration. Never fails: what cannot be used says so
    /// in the snapshot.
    ///
    /// Must be called within a Tokio runtime.
    pub fn open(options: InspectorOptions) -> Arc<Self> {
        let browser = (options.environment)("BROWSER");
        Self::open_on(options, Arc::new(Headless::new(browser)))
    }

    /// Like [`open`](Self::open), with a program around it that has powers of its own.
    pub fn open_on(options: InspectorOptions, host: Arc<dyn Host>) -> Arc<Self> {
        Self::open_with(options, host, None)
    }

    /// Opens another project in the same program: with the same options but the project, and one
    /// record for both. The record is closed with `self`, which has to be shut down last.
    pub fn open_beside(&self, project: PathBuf, host: Arc<dyn Host>) -> Arc<Self> {
        let options = InspectorOptions {
            places: Places {
                project,
                ..self.options.places.clone()
            },
            ..self.options.clone()
        };
        Self::open_with(options, host, Some(self.recorder.clone()))
    }

    fn open_with(
        options: InspectorOptions,
        host: Arc<dyn Host>,
        recorder: Option<Recorder>,
    ) -> Arc<Self> {
        let data = DataFiles::open(options.data_directory.clone(), options.persistence);
        let settings: Settings = data.read_settings();
        let record = match recorder {
            Some(recorder) => OpenedRecord::shared(recorder),
            None => OpenedRecord::open(
                options.persistence,
                data.record_directory(),
                settings.retention,
            ),
        };
        let recorder = record.recorder.in_project(&options.places.project);
        let publisher = Arc::new(Publisher::default());
        let folder = Arc::new(FolderTrust::new(&options.places, data.clone()));
        let config = Arc::new(ConfigWorkspace::open(&options, data.read_approvals()));
        let tried = Arc::<TriedServers>::default();
        let settings_keys = Arc::new(SettingsKeys::new(
            Arc::clone(&folder),
            Arc::clone(&config),
            Arc::clone(&tried),
        ));
        let roots = Arc::new(RootSettings::new(
            Arc::clone(&folder),
            Arc::clone(&settings_keys),
            options.places.home.clone(),
            data.clone(),
        ));
        let server_settings = Arc::new(SavedServerSettings::new(settings_keys, data.clone()));
        let answer_rules = Arc::new(AnswerRules::new(
            data.answer_rules(),
            folder.name(),
            Arc::clone(&config),
            Arc::clone(&publisher),
        ));
        let held_questions = HeldQuestions::new(Arc::clone(&config), Arc::clone(&server_settings));
        let proxies = Arc::new(CurrentProxies::new(settings::proxies(&settings)));
        let tasks = Arc::new(Tasks::open(&options, &data, &folder.key(), &publisher));
        let resources_read = Arc::<resource_cache::ResourceCache>::default();
        let found = data.read_found();
        let known_endpoints = Arc::new(KnownEndpoints::new(
            (options.persistence == Persistence::Everything).then(|| data.clone()),
            found.clone(),
        ));
        let connections = connections(ConnectionParts {
            options: &options,
            settings: &settings,
            recorder: &recorder,
            roots: &roots,
            rules: vec![Arc::new(held_questions), answer_rules.clone()],
            proxies: &proxies,
            found,
        });
        // In this order: what is kept of a server is up to date when its fact goes out.
        let subscribers: [Arc<dyn EventSubscriber>; 5] = [
            tasks.clone(),
            known_endpoints,
            resources_read.clone(),
            publisher.clone(),
            answer_rules.clone(),
        ];
        for subscriber in subscribers {
            connections.subscribe_events(subscriber);
        }
        let vault = auth::vault(&options);
        let inspector = Arc::new_cyclic(|this| Self {
            sign_ins: auth::sign_ins(
                this,
                &options,
                vault.clone(),
                recorder.clone(),
                &proxies,
                &publisher,
                host,
            ),
            vault,
            resources_read,
            request_runs: requests::RequestRuns::default(),
            conformance_runs: conformance::ConformanceRuns::default(),
            load_runs: load::LoadRuns::default(),
            restart_watches: restart::RestartWatches::default(),
            exports: traffic_export::Exports::default(),
            ad_hoc_servers: Mutex::default(),
            tried,
            session_variables: SessionVariables::default(),
            sessions: sessions::Sessions::default(),
            replays: replay::Replays::default(),
            confirmations: confirmation::Confirmations::default(),
            tasks,
            entry_secrets: EntrySecrets::default(),
            compared_surfaces: surface::Compared::default(),
            listed_skills: skills::ListedSkills::default(),
            this: this.clone(),
            unsaved_arguments: AtomicBool::new(false),
            config,
            remembered: Mutex::new(data.read_arguments()),
            settings: Mutex::new(settings),
            watcher: Mutex::new(None),
            data_watch: Mutex::new(None),
            examinations: Mutex::default(),
            folder,
            roots,
            answer_rules,
            reply_times: model_endpoints::ReplyTimes::default(),
            server_settings,
            proxies,
            data,
            options,
            recorder,
            record_home: Mutex::new(record.home),
            owns_record: record.is_own,
            connections,
            publisher,
        });
        inspector.start();
        inspector
    }

    /// Begins what goes on by itself. No server is connected before.
    fn start(self: &Arc<Self>) {
        let reacting = Arc::downgrade(self);
        self.publisher.on_notice(move |notice| {
            if let Some(inspector) = reacting.upgrade() {
                inspector.act_on(notice);
            }
        });
        self.start_model_replies();
        self.follow_tasks();
        if self.owns_record {
            self.clear_left_sessions();
        }
        if self.options.persistence == Persistence::Everything {
            self.watch_files();
            self.follow_recording();
            self.follow_data_files();
            self.follow_surfaces();
            self.watch_requests();
            if self.owns_record {
                self.delete_removed_bundles();
            }
        }
    }

    /// Closes every connection and the record. No process is left behind.
    pub async fn shutdown(&self) {
        lock(&self.watcher).take();
        lock(&self.data_watch).take();
        for runs in [&self.conformance_runs, &self.load_runs] {
            lock(runs).values().for_each(CancellationToken::cancel);
        }
        self.connections.shutdown().await;
        self.save_arguments();
        self.tasks.save();
        self.close_sessions().await;
        if !self.owns_record {
            return;
        }
        let recorder = self.recorder.clone();
        // A record that cannot be closed in order is repaired when it is opened again.
        let _ = tokio::task::spawn_blocking(move || recorder.close()).await;
        lock(&self.record_home).leave();
    }

    /// Gives servers the search path, the proxies and the locale of the user's login shell.
    /// For an application that was started from a desktop.
    pub fn use_login_shell(&self) {
        self.connections
            .use_login_shell(self.options.places.home.clone());
    }

    /// Facts from now on.
    pub fn subscribe(&self) -> Subscription {
        self.publisher.subscribe()
    }
}
