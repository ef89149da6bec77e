//! Façade: everything that Sightglass can do, with no window.
//!
//! [`Inspector`] is the façade over the configuration files, the connections, the sign-ins and the
//! record. Each area has a file with its part of the façade:
//!
//! ```text
//! window   command line   tests                                hosts, with equal powers
//!    └──────────┼───────────┘
//!           Inspector
//!    servers lists calls doctor                   sightglass-connection
//!    auth                                         sightglass-auth
//!    record                                       sightglass-traffic
//!    configuration, approval, folder trust        sightglass-config
//!           │
//!    publisher → Fact, view                       changes, and what is shown, as data
//!    files                                        data that outlives the program
//! ```
//!
//! Changes are published as [`Fact`](view::Fact)s with sequence numbers. A host subscribes first,
//! then takes a [`snapshot`](Inspector::snapshot), and applies only the facts with a higher
//! number, so that none is lost or applied twice.

mod answer_rules;
mod approvals;
mod auth;
mod blob;
mod bundles;
mod call_history;
mod calls;
mod config_changes;
mod config_projection;
mod config_text;
mod config_workspace;
mod confirmation;
mod conformance;
mod defined_by;
mod doctor;
mod draft_check;
mod effects;
mod entry_secrets;
mod error;
mod explanation;
mod extensions;
mod files;
mod folder_trust;
mod held_questions;
mod host;
mod kept_changes;
mod known_endpoints;
mod limits;
mod lists;
mod llm_tools;
mod load;
mod local_network;
mod log_fields;
mod model_endpoints;
mod model_replies;
mod obstacle;
mod per_server;
mod persistence;
mod publisher;
mod recent_projects;
mod record;
mod record_queries;
mod registry;
mod replay;
mod requests;
mod resource_cache;
mod restart;
mod result;
mod roots;
mod schema;
mod sensitive;
mod server_settings;
mod servers;
mod session_file;
mod session_variables;
mod sessions;
mod settings_keys;
mod skills;
mod source_watch;
mod stored_task;
mod surface;
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
    sync::{Arc, Mutex, OnceLock, Weak, atomic::AtomicBool},
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
use sightglass_connection::{
    ByRule, ClientIdentity, Connections, ConnectionsOptions, CurrentProxies,
};
use sightglass_model::lock;
use sightglass_secrets::Vault;
use sightglass_traffic::{Recorder, RecorderOptions};
use tokio_util::sync::CancellationToken;
use view::{Fact, ServerSettings, Settings};

use crate::{
    answer_rules::AnswerRules,
    auth::AdHocServer,
    config_workspace::ConfigWorkspace,
    defined_by::defined_by,
    entry_secrets::EntrySecrets,
    files::{DataFiles, RememberedArguments},
    folder_trust::FolderTrust,
    per_server::PerServer,
    persistence::RecordHome,
    publisher::Publisher,
    roots::RootSettings,
    session_variables::SessionVariables,
    settings_keys::SettingsKeys,
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
    settings_keys: Arc<SettingsKeys>,
    publisher: Arc<Publisher>,
    compared_surfaces: surface::Compared,
    listed_skills: skills::ListedSkills,
    config: Arc<ConfigWorkspace>,
    folder: Arc<FolderTrust>,
    roots: Arc<RootSettings>,
    answer_rules: Arc<AnswerRules>,
    reply_times: model_replies::ReplyTimes,
    server_settings: Mutex<PerServer<ServerSettings>>,
    data: DataFiles,
    settings: Mutex<Settings>,
    proxies: Arc<CurrentProxies>,
    remembered: Mutex<RememberedArguments>,
    /// True when `remembered` is newer than its file.
    unsaved_arguments: AtomicBool,
    /// For work that goes on in the background.
    this: Weak<Inspector>,
    watcher: Mutex<Option<Watcher>>,
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
        let data = DataFiles::new(options.data_directory.clone());
        data.tighten(options.persistence);
        let settings: Settings = data.read_settings();
        let owns_record = recorder.is_none();
        let record_home = match owns_record {
            true => RecordHome::new(options.persistence, data.record_directory()),
            false => RecordHome::Left,
        };
        let recorder = recorder.unwrap_or_else(|| {
            Recorder::open(RecorderOptions {
                retention: settings.retention,
                ..RecorderOptions::in_directory(record_home.path())
            })
        });
        let recorder = recorder.in_project(&options.places.project);
        let publisher = Arc::new(Publisher::default());
        let found = data.read_found();
        let known_endpoints = Arc::new(KnownEndpoints::new(
            (options.persistence == Persistence::Everything).then(|| data.clone()),
            found.clone(),
        ));
        let folder = Arc::new(FolderTrust::new(&options.places, data.clone()));
        let home = options.places.home.clone();
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
            home,
            data.clone(),
        ));
        let itself = Arc::<OnceLock<Weak<Self>>>::default();
        let answer_rules = {
            let config = Arc::clone(&config);
            let defined_by = move |server: &_| defined_by(server, &config.files());
            let path = data.answer_rules();
            Arc::new(AnswerRules::new(path, folder.name(), Box::new(defined_by)))
        };
        let proxies = Arc::new(CurrentProxies::new(server_settings::proxies(&settings)));
        let tasks = Arc::new(Tasks::open(&options, &data, &folder.key(), &publisher));
        let resources_read = Arc::<resource_cache::ResourceCache>::default();
        let connections = {
            let tasks = Arc::clone(&tasks);
            let publisher = publisher.clone();
            let resources_read = Arc::clone(&resources_read);
            let roots = Arc::clone(&roots);
            let rules = Arc::clone(&answer_rules);
            let fired = Arc::clone(&answer_rules);
            let to_model = Arc::clone(&itself);
            let held = Arc::clone(&itself);
            Connections::new(ConnectionsOptions {
                recorder: recorder.clone(),
                client: ClientIdentity {
                    name: "sightglass".into(),
                    title: Some("Sightglass".into()),
                    version: env!("CARGO_PKG_VERSION").into(),
                },
                message_limit: settings.message_limit_bytes(),
                roots: Arc::new(move |server| roots.of(server)),
                rules: Arc::new(move |question| {
                    let inspector = held.get().and_then(Weak::upgrade);
                    inspector
                        .and_then(|inspector| inspector.declined_by_held_rules(question))
                        .map_or_else(|| rules.decide(question), ByRule::Answer)
                }),
                lists: options.lists.clone(),
                reaper: options.reaper.clone(),
                proxies: Arc::clone(&proxies),
                found,
                on_event: Arc::new(move |event| {
                    if let ConnectionEvent::TaskReported { server, params } = &event {
                        tasks.reported(server, params);
                    } else if let Some(event) = auth::published_event(event) {
                        known_endpoints.note(&event);
                        resources_read.note(&event);
                        if let ConnectionEvent::ResourceAnnounced { .. } = event {
                            return;
                        }
                        if let ConnectionEvent::RequestArrived { request } = &event
                            && request.awaits_model
                            && let Some(inspector) = to_model.get().and_then(Weak::upgrade)
                        {
                            inspector.reply_by_model(request.clone());
                        }
                        let by_rule = matches!(
                            &event,
                            ConnectionEvent::AnsweredAutomatically { answer }
                                if answer.rule.is_some()
                        );
                        publisher.publish(Fact::Connection {
                            event: Box::new(event),
                        });
                        if by_rule {
                            publisher.publish(fired.fact());
                        }
                    }
                }),
            })
        };
        connections.set_ping_interval(settings.ping_interval());
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
            settings_keys,
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
            examinations: Mutex::default(),
            folder,
            roots,
            answer_rules,
            reply_times: model_replies::ReplyTimes::default(),
            server_settings: Mutex::new(data.read_server_settings()),
            proxies,
            data,
            options,
            recorder,
            record_home: Mutex::new(record_home),
            owns_record,
            connections,
            publisher,
        });
        // No server is connected before.
        let _ = itself.set(Arc::downgrade(&inspector));
        inspector.follow_tasks();
        if owns_record {
            inspector.clear_left_sessions();
        }
        if inspector.options.persistence == Persistence::Everything {
            inspector.watch_files();
            inspector.watch_data_directory();
            inspector.follow_surfaces();
            inspector.watch_requests();
            if inspector.owns_record {
                inspector.delete_removed_bundles();
            }
        }
        inspector
    }

    /// Closes every connection and the record. No process is left behind.
    pub async fn shutdown(&self) {
        lock(&self.watcher).take();
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
