//! Façade: everything that Sightglass can do, with no window.
//!
//! [`Inspector`] opens and composes a core and eight areas, a crate each. An area is put together from
//! parts that call one another in one direction, and it knows the areas below it alone:
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
//!    core                                         state that areas share
//!    publisher → Fact, view                       changes, and what is shown, as data
//!    files                                        data that outlives the program
//! ```
//!
//! A change on which areas above have to act is announced as a notice, and `reactions` acts on it.
//! Hosts in Rust call the methods of parts, `inspector.calls.tasks.forget_task(…)`; the window calls
//! those that are [`commands`](Inspector::commands), by name.
//!
//! Changes are published as [`Fact`](view::Fact)s with sequence numbers. A host subscribes first,
//! then takes a [`snapshot`](Inspector::snapshot), and applies only the facts with a higher
//! number, so that none is lost or applied twice.

mod connections;
mod reactions;
mod snapshot;

pub use sightglass_area_calls::Calls;
pub use sightglass_area_calls::call_history::{past_call, tool_calls};
pub use sightglass_area_calls::confirmation::Consent;
pub use sightglass_area_checks::Checks;
pub use sightglass_area_checks::conformance::ConformanceProgress;
pub use sightglass_area_clients::Clients;
pub use sightglass_area_clients::llm_tools::naming_scheme;
pub use sightglass_area_core::command::{Command, CommandError, contained};
pub use sightglass_area_core::core::Core;
pub use sightglass_area_core::defined_by::TRIED;
pub use sightglass_area_core::error::InspectorError;
pub use sightglass_area_core::guide::{Guide, GuideChapter};
pub use sightglass_area_core::host::{Headless, Host};
pub use sightglass_area_core::log_fields::log_fields;
pub use sightglass_area_core::options::{ConfirmationMode, Environment, InspectorOptions};
pub use sightglass_area_core::persistence::Persistence;
pub use sightglass_area_core::publisher::Subscription;
pub use sightglass_area_core::record_queries::RecordQueries;
pub use sightglass_area_core::view;
pub use sightglass_area_record::Record;
pub use sightglass_area_record::reader::payloads::save_part;
pub use sightglass_area_record::replay::recorded_calls;
pub use sightglass_area_record::session_file::{check_session_file, read_mock, session_surface};
pub use sightglass_area_servers::Servers;
pub use sightglass_area_servers::source_watch::{SourceChanges, watch_source};
pub use sightglass_area_servers::tried_definitions::TriedServer;
pub use sightglass_area_setup::Setup;
pub use sightglass_area_setup::config_changes::OutsideWrites;
pub use sightglass_area_tests::Tests;
pub use sightglass_area_tests::requests::RunProgress;
pub use sightglass_auth::{
    AuthError, AuthMode, AuthSettings, AuthSettingsView, AuthStatus, AuthView,
    AuthorizationParameter, Binding, ClientAuthMethod, ComparedValues, EndpointQuestion,
    IssuerQuestion, RegistrationKind, RequestDraft, SettingSecret, SignInExport, SignInFailure,
    SignInPurpose, SignInRemedy, SignInRequest, SignInState, SignInView, SignOutReport, StepKind,
    StepState, StepView, TokenAction, TokenKind, TokenReaction, TokensView, VaultKind, VaultView,
    WithheldView,
};
pub use sightglass_checks::{ConformanceReport, SuiteReport, SuiteScenario, conformance_junit};
pub use sightglass_config::{
    Backup, Bundle, BundleArchive, Client, ConfigAction, ConfigError, ConflictChoice, Draft,
    DraftEndpoint, DraftRemote, DraftSignIn, DraftTools, Exported, ImportItem, ImportSource,
    LaunchKind, NamedText, Places, PlanRow, RemoteBundle, Scope, SwitchItem, Target, TransferItem,
    is_install_link,
};
pub use sightglass_connection::{
    AutomaticAnswer, ConnectionError, ConnectionEvent, DoctorReport, DoctorState, ItemGroup,
    ItemRow, ItemWindow, ListChange, ListKind, ListOutline, ListState, Params, ParamsError,
    Progress, REAPER_ARGUMENT, ReaperCommand, RequestEnd, RequestOutcome, Response, ServerAnswer,
    ServerQuestion, Settlement, TaskFacts, ToolHint, open_in_browser, prepare_to_start_processes,
    run_reaper, start_in_background, task_call,
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
    Era, EraChoice, ErrorCode, ExchangeId, Failure, FailureReport, Finding, FrameId,
    HandshakeResult, Health, HintAction, HttpFault, InternalError, LimitSource, MAX_BLANKS, Millis,
    NetworkStage, Phase, PhaseRecord, ProtocolChoice, Reconnection, RemoteEndpoint,
    RemoteTransport, RequirementLevel, ServerId, ServerSpec, StartFault, TimeLimits, Timestamp,
    TokenFault, TransportKind, Verdict, brief, character_classes, command_line, entirely_visible,
    entirely_visible_lines, hidden_characters, install_panic_hook, is_invisible, is_loopback_host,
    shell_quoted, visible, visible_lines,
};
pub use sightglass_model_endpoint::EndpointKind;
pub use sightglass_requests::{
    CaseError, CaseReport, CheckReport, NO_SNAPSHOT, NewExpectation, RequestPath, RunReport,
    annotations, import_mcp_rig, junit,
};
pub use sightglass_secrets::{CLIENT_SECRET_VARIABLE, MASK, Secret, may_be_logged};
pub use sightglass_session_file::{
    checks::{RecordPlace, SessionCheck, SessionReport, finding_line},
    mock::{Miss, Mock, MockAnswer},
    replay::RecordedCall,
};
pub use sightglass_surface::{
    ChangeClass, ItemDefinition, Part, RULES, RuleText, Silence, Subject, Surface, SurfaceChange,
    SurfacePlace, diff as surface_changes,
};
pub use sightglass_traffic::{
    Causality, Certainty, Direction, Edge, EdgeKind, ExchangeDetail, ExchangeKind, ExchangeRow,
    LinePage, Operation, OperationNode, OperationPage, OperationQuery, OperationTimeline,
    OperationTree, Outcome, PayloadForm, PayloadMatches, PayloadQuery, RecordRevision, RelatedRow,
    TaskStatus, TimeSpan, Timeline, TimelinePlace, TimelineQuery, TimelineStep, TrafficPage,
    TrafficQuery,
};

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use sightglass_area_calls::{held_questions::HeldQuestions, stores::CallStores};
use sightglass_area_core::{
    command::within,
    config_workspace::ConfigWorkspace,
    file_watch::FileWatch,
    files::DataFiles,
    known_endpoints::KnownEndpoints,
    persistence::{OpenedRecord, RecordHome},
    publisher::Publisher,
    settings,
    view::Settings,
};
use sightglass_area_servers::stores::ServerStores;
use sightglass_area_sign_in::SignIn;
use sightglass_connection::EventSubscriber;
use sightglass_http::CurrentProxies;
use sightglass_model::lock;
use sightglass_traffic::Recorder;

use crate::connections::{ConnectionParts, connections};

/// Composes the areas of one project. The projects of a program share one record.
pub struct Inspector {
    pub core: Arc<Core>,
    pub servers: Arc<Servers>,
    pub sign_in: Arc<SignIn>,
    pub calls: Arc<Calls>,
    pub record: Arc<Record>,
    pub setup: Arc<Setup>,
    pub clients: Arc<Clients>,
    pub checks: Arc<Checks>,
    pub tests: Arc<Tests>,
    pub guide: Arc<Guide>,
    record_home: Mutex<RecordHome>,
    /// True when the record is closed with this.
    owns_record: bool,
    data_watch: Mutex<Option<FileWatch>>,
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
                ..self.core.options.places.clone()
            },
            ..self.core.options.clone()
        };
        self.open_on_record(options, host)
    }

    /// Opens another project with options of its own, and one record for both. The record is closed
    /// with `self`, which has to be shut down last.
    pub fn open_on_record(&self, options: InspectorOptions, host: Arc<dyn Host>) -> Arc<Self> {
        Self::open_with(options, host, Some(self.core.recorder.clone()))
    }

    /// Lists the commands of all areas, by name.
    pub fn commands() -> BTreeMap<&'static str, Command<Self>> {
        let commands = [
            Self::snapshot_commands(),
            within(Servers::commands(), |all: &Self| &all.servers),
            within(SignIn::commands(), |all: &Self| &all.sign_in),
            within(Calls::commands(), |all: &Self| &all.calls),
            within(Record::commands(), |all: &Self| &all.record),
            within(Setup::commands(), |all: &Self| &all.setup),
            within(Clients::commands(), |all: &Self| &all.clients),
            within(Checks::commands(), |all: &Self| &all.checks),
            within(Tests::commands(), |all: &Self| &all.tests),
            within(Guide::commands(), |all: &Self| &all.guide),
        ];
        let commands = commands.into_iter().flatten();
        commands.map(|command| (command.name(), command)).collect()
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
                match options.persistence {
                    Persistence::Record => data.background_record_directory(),
                    Persistence::Everything | Persistence::Nothing => data.record_directory(),
                },
                settings.retention,
            ),
        };
        let recorder = record.recorder.in_project(&options.places.project);
        let publisher = Arc::new(Publisher::default());
        let config = Arc::new(ConfigWorkspace::open(&options, data.read_approvals()));
        let of_servers = ServerStores::open(&options, &data, &config);
        let of_calls = CallStores::open(&options, &data, &config, &publisher, &of_servers);
        let proxies = Arc::new(CurrentProxies::new(settings::proxies(&settings)));
        let found = data.read_found();
        let known_endpoints = Arc::new(KnownEndpoints::new(
            (options.persistence == Persistence::Everything).then(|| data.clone()),
            found.clone(),
        ));
        let held_questions =
            HeldQuestions::new(Arc::clone(&config), Arc::clone(&of_servers.server_settings));
        let connections = connections(ConnectionParts {
            options: &options,
            settings: &settings,
            recorder: &recorder,
            roots: &of_servers.roots,
            rules: vec![Arc::new(held_questions), of_calls.answer_rules.clone()],
            proxies: &proxies,
            found,
        });
        // In this order: what is kept of a server is up to date when its fact goes out.
        let subscribers: [Arc<dyn EventSubscriber>; 5] = [
            of_calls.tasks.clone(),
            known_endpoints,
            of_calls.resources_read.clone(),
            publisher.clone(),
            of_calls.answer_rules.clone(),
        ];
        for subscriber in subscribers {
            connections.subscribe_events(subscriber);
        }
        let vault = sightglass_area_sign_in::vault(&options);
        let resources_read = Arc::clone(&of_calls.resources_read);
        let sign_ins = sightglass_area_sign_in::sign_ins(
            &options,
            vault.clone(),
            recorder.clone(),
            &proxies,
            &publisher,
            host,
            // What one identity may read is not another's.
            move |server| resources_read.forget(server),
        );
        let core = Arc::new(Core {
            options,
            recorder,
            connections,
            sign_ins,
            vault,
            config,
            publisher,
            data,
            settings: Mutex::new(settings),
            proxies,
        });
        let servers = Arc::new(Servers::new(&core, &of_servers));
        let sign_in = SignIn::new(&core, &servers);
        let calls = Arc::new(Calls::new(&core, &of_calls, &servers));
        let record_area = Arc::new(Record::new(&core, &servers, &calls));
        let setup = Arc::new(Setup::new(&core, &servers));
        let clients = Arc::new(Clients::new(&core, &servers, &calls));
        let checks = Arc::new(Checks::new(&core, &servers, &calls, &record_area));
        let tests = Arc::new(Tests::new(&core, &servers, &calls));
        let inspector = Arc::new(Self {
            core,
            servers,
            sign_in,
            calls,
            record: record_area,
            setup,
            clients,
            checks,
            tests,
            guide: Arc::new(Guide),
            record_home: Mutex::new(record.home),
            owns_record: record.is_own,
            data_watch: Mutex::new(None),
        });
        inspector.start();
        inspector
    }

    /// Begins what goes on by itself. No server is connected before.
    fn start(self: &Arc<Self>) {
        let reacting = Arc::downgrade(self);
        self.core.publisher.on_notice(move |notice| {
            if let Some(inspector) = reacting.upgrade() {
                inspector.act_on(notice);
            }
        });
        self.clients.model_endpoints.start_model_replies();
        self.calls.tasks.follow_tasks();
        if self.owns_record {
            self.record.sessions.clear_left_sessions();
        }
        if self.core.options.persistence == Persistence::Everything {
            self.servers.lifecycle.watch_files();
            self.record.recording.follow_recording();
            self.follow_data_files();
            self.checks.surfaces.follow_surfaces();
            self.tests.files.watch_requests();
            if self.owns_record {
                self.setup.unused_bundles.delete_removed_bundles();
            }
        }
    }

    /// Closes every connection and the record. No process is left behind.
    pub async fn shutdown(&self) {
        lock(&self.servers.lifecycle.watcher).take();
        lock(&self.data_watch).take();
        // A watch would begin anew what is ended here.
        self.tests.stop();
        self.servers.restarts.stop_all();
        self.checks.stop();
        if self.owns_record {
            // An export of a record that stays goes on.
            self.record.stop();
        }
        self.core.connections.shutdown().await;
        self.calls.arguments.save_arguments();
        self.calls.tasks.store.save();
        self.record.sessions.close_sessions().await;
        if !self.owns_record {
            return;
        }
        let recorder = self.core.recorder.clone();
        // A record that cannot be closed in order is repaired when it is opened again.
        let _ = tokio::task::spawn_blocking(move || recorder.close()).await;
        lock(&self.record_home).leave();
    }

    /// Gives servers the search path, the proxies and the locale of the user's login shell.
    /// For an application that was started from a desktop.
    pub fn use_login_shell(&self) {
        self.core
            .connections
            .use_login_shell(self.core.options.places.home.clone());
    }

    /// Facts from now on.
    pub fn subscribe(&self) -> Subscription {
        self.core.publisher.subscribe()
    }
}
