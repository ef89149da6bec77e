//! Drives the façade for one command: one server, one connection, and its responses.

use std::{
    borrow::Cow,
    env,
    path::Path,
    sync::{Arc, OnceLock},
};

use sightglass_demo_server::ARGUMENT as DEMO_SERVER;
use sightglass_inspector::{
    self as inspector, AuthMode, AuthStatus, ConfirmationMode, ConnectionStatus, Consent,
    DoctorReport, Endpoint, Failure, FailureReport, Headless, HintAction, Inspector,
    InspectorError, InspectorOptions, ListKind, Params, Persistence, Places, REAPER_ARGUMENT,
    ReaperCommand, ServerId, ServerSpec, Subscription, Surface, TokenFault, shell_quoted,
    view::CallReport,
};
use sightglass_json_text::Members;
use tokio::time::timeout;

use crate::{
    console,
    error::CliError,
    json::{self, Response},
    kept_sessions::KeptSessions,
    narration::Narration,
    next_step,
    options::CommonOptions,
    outcome::Outcome,
    places,
    session::{MAX_WAIT, NamedSession},
    style::harmless,
    target::Target,
};

/// Needs of a command, for its host.
pub(crate) struct HostNeeds {
    /// The lists of a server that are loaded on connecting.
    pub lists: &'static [ListKind],
    /// True when the demo server is one of the servers.
    pub demo: bool,
    /// True when the user's browser is opened for signing in.
    pub browser: bool,
}

/// Host of an inspector that agents use: they get the address, and the user opens it.
struct NoBrowser;

impl inspector::Host for NoBrowser {
    fn open_address(&self, _address: &str) -> Result<(), String> {
        Ok(())
    }
}

/// One run of the program, or of a command in the background process.
pub(crate) struct Host {
    pub inspector: Arc<Inspector>,
    pub options: CommonOptions,
    narration: OnceLock<Narration>,
    role: HostRole,
}

/// What a command works on.
enum HostRole {
    /// Connections of its own.
    Own,
    /// The sessions that the background process keeps.
    Sessions(BackgroundCommand),
    /// One of these sessions.
    Session(Arc<NamedSession>),
}

/// A command about sessions.
pub(crate) struct BackgroundCommand {
    pub sessions: Arc<KeptSessions>,
    /// Its words, after the program's name.
    pub words: Vec<String>,
}

impl Host {
    /// Reads the configuration, for a command that needs this.
    ///
    /// Must be called within a Tokio runtime.
    pub(crate) fn open(options: CommonOptions, needs: HostNeeds) -> Result<Self, CliError> {
        let data_directory = places::data_directory()?;
        let lists = needs.lists;
        let mut of_run = inspector_options(&options, &data_directory, lists, Persistence::Nothing)?;
        let program = env::current_exe().ok().filter(|_| needs.demo);
        of_run.demo = program.map(|program| (program, vec![DEMO_SERVER.to_owned()]));
        let host: Arc<dyn inspector::Host> = match needs.browser {
            true => Arc::new(Headless::new(env::var("BROWSER").ok())),
            false => Arc::new(NoBrowser),
        };
        Self::opened(Inspector::open_on(of_run, host), options)
    }

    /// As [`open`](Self::open), for a session: all lists are loaded, and the record is that of the
    /// background process.
    pub(crate) fn open_for_session(
        sessions: &KeptSessions,
        options: CommonOptions,
    ) -> Result<Self, CliError> {
        let of_session = InspectorOptions {
            places: Places {
                project: places::places(options.project.as_deref())?.project,
                ..sessions.base.core.options.places.clone()
            },
            lists: ListKind::ALL.to_vec(),
            environment: console::variables(),
            confirmation: confirmation(&options),
            ..sessions.base.core.options.clone()
        };
        let browser = (of_session.environment)("BROWSER");
        let headless = Arc::new(Headless::new(browser));
        let inspector = sessions.base.open_on_record(of_session, headless);
        Self::opened(inspector, options)
    }

    fn opened(inspector: Arc<Inspector>, options: CommonOptions) -> Result<Self, CliError> {
        if let Some(rules) = &options.rules {
            inspector.calls.answer_rules.use_answer_rules(rules)?;
        }
        Ok(Self::on(inspector, options))
    }

    pub(crate) fn on(inspector: Arc<Inspector>, options: CommonOptions) -> Self {
        Self::with_role(inspector, options, HostRole::Own)
    }

    /// A command on a session.
    pub(crate) fn on_session(session: Arc<NamedSession>, options: CommonOptions) -> Self {
        let inspector = Arc::clone(&session.inspector);
        Self::with_role(inspector, options, HostRole::Session(session))
    }

    /// A command about sessions.
    pub(crate) fn on_sessions(command: BackgroundCommand, options: CommonOptions) -> Self {
        let inspector = Arc::clone(&command.sessions.base);
        Self::with_role(inspector, options, HostRole::Sessions(command))
    }

    fn with_role(inspector: Arc<Inspector>, options: CommonOptions, role: HostRole) -> Self {
        Self {
            inspector,
            options,
            narration: OnceLock::new(),
            role,
        }
    }

    /// Returns the sessions, for a command about them, which runs in the background process.
    pub(crate) fn sessions(&self) -> Result<&BackgroundCommand, CliError> {
        match &self.role {
            HostRole::Sessions(command) => Ok(command),
            HostRole::Own | HostRole::Session(_) => Err(CliError::system(
                "This command runs in the background process alone",
            )),
        }
    }

    fn session(&self) -> Option<&Arc<NamedSession>> {
        match &self.role {
            HostRole::Session(session) => Some(session),
            HostRole::Own | HostRole::Sessions(_) => None,
        }
    }

    /// The options that the connection is made with.
    fn connecting_options(&self) -> &CommonOptions {
        self.session()
            .map_or(&self.options, |session| &session.options)
    }

    /// Returns the id and the endpoint of a target. From now on the façade knows it so, with
    /// the client to sign in with.
    pub(crate) async fn add_ad_hoc_server(
        &self,
        target: &Target,
    ) -> Result<(ServerId, ServerSpec), CliError> {
        let options = self.connecting_options();
        let (id, spec) = target.resolve(&self.inspector, options).await?;
        let (settings, secret) = options.client();
        let identity = options.identity.clone();
        self.inspector.servers.sign_in_targets.add_ad_hoc_client(
            &id,
            spec.clone(),
            settings,
            secret,
            identity,
        );
        Ok((id, spec))
    }

    /// As [`add_ad_hoc_server`](Self::add_ad_hoc_server), for a command that does not make identities.
    async fn add_with_known_identity(
        &self,
        target: &Target,
    ) -> Result<(ServerId, ServerSpec), CliError> {
        let (id, spec) = self.add_ad_hoc_server(target).await?;
        if let Some(wanted) = &self.connecting_options().identity {
            let known = self.inspector.sign_in.auth_view(&id).await?.identities;
            if !known.iter().any(|identity| identity.name == *wanted) {
                let names: Vec<&str> = known.iter().map(|one| one.name.as_str()).collect();
                return Err(CliError::usage(
                    &format!(
                        "There is no account {wanted} at {}; there is {}.",
                        spec.name,
                        names.join(", ")
                    ),
                    &format!(
                        "{} signs in as another.",
                        target.command("login", &format!("--identity {}", shell_quoted(wanted)))
                    ),
                ));
            }
        }
        Ok((id, spec))
    }

    /// Shows on stderr what happens on the connections to a server from now on, as the options ask.
    pub(crate) fn narrate(&self, id: &ServerId) {
        let narration = Narration::start(&self.inspector, Some(id), &self.options);
        // A command connects to one server, so there is none yet.
        let _ = self.narration.set(narration);
    }

    /// Shows the same of every server, for a command that connects to several.
    pub(crate) fn narrate_all(&self) {
        let narration = Narration::start(&self.inspector, None, &self.options);
        let _ = self.narration.set(narration);
    }

    /// Connects, and waits until the server is ready.
    pub(crate) async fn connect(&self, target: &Target) -> Result<ConnectedServer<'_>, CliError> {
        if let Some(session) = self.session() {
            return self.use_session(session).await;
        }
        let (id, spec) = self.add_with_known_identity(target).await?;
        self.narrate(&id);
        self.reach(id, spec, target.clone()).await
    }

    /// Waits until a session is live. One that was lost is awaited while it comes back by itself; one
    /// at rest is connected again, once for all commands that wait for it.
    async fn use_session(
        &self,
        session: &Arc<NamedSession>,
    ) -> Result<ConnectedServer<'_>, CliError> {
        let narration = Narration::join(&session.inspector, &session.id, &self.options).await;
        // A command uses one session.
        let _ = self.narration.set(narration);
        if !session.status().phase.is_live() {
            let _place = session.wait()?;
            let live = timeout(MAX_WAIT, self.make_live(session)).await;
            live.unwrap_or_else(|_| Err(CliError::not_back(&session.name)))?;
        }
        let server = self.connected_session(session);
        self.ask_for_log(&server).await?;
        Ok(server)
    }

    async fn make_live(&self, session: &Arc<NamedSession>) -> Result<(), CliError> {
        let _turn = session.connecting.lock().await;
        let is_settled = |status: &ConnectionStatus| {
            let is_final = status.phase.is_at_rest() && status.reconnection.is_none();
            status.phase.is_live() || is_final
        };
        let connections = &self.inspector.core.connections;
        let settled = connections.wait_for_status(&session.id, is_settled);
        if settled.await.is_some_and(|status| status.phase.is_live()) {
            return Ok(());
        }
        let again = self.connect_again(session).await;
        again.map_err(|error| error.with_step(&next_step::of_session(&session.name)))
    }

    /// Connects a session again, as the files say now.
    async fn connect_again(&self, session: &Arc<NamedSession>) -> Result<(), CliError> {
        self.inspector.servers.lifecycle.reload();
        let (id, spec) = self.add_with_known_identity(&session.target).await?;
        if id != session.id {
            return Err(CliError::usage(
                &format!("{} names another server by now.", session.name),
                &next_step::of_session(&session.name),
            ));
        }
        let target = session.target.clone();
        self.reach(id, spec.clone(), target).await?;
        session.keep_spec(spec);
        Ok(())
    }

    fn connected_session(&self, session: &Arc<NamedSession>) -> ConnectedServer<'_> {
        ConnectedServer {
            host: self,
            id: session.id.clone(),
            spec: session.spec(),
            target: session.target.clone(),
        }
    }

    /// Asks for log messages, where the options want them.
    async fn ask_for_log(&self, server: &ConnectedServer<'_>) -> Result<(), CliError> {
        let Some(level) = self.options.log_level else {
            return Ok(());
        };
        let mcp = &self.inspector.calls.requests;
        let set = mcp.set_log_level(&server.id, level.word()).await;
        set.map_err(|error| CliError::about(&server.target, error))
    }

    /// Connects to one of several servers, which are [narrated](Self::narrate_all) together.
    pub(crate) async fn connect_beside_others(
        &self,
        target: &Target,
    ) -> Result<ConnectedServer<'_>, CliError> {
        let (id, spec) = self.add_with_known_identity(target).await?;
        self.reach(id, spec, target.clone()).await
    }

    /// Connects to a server that is known, and waits until it is ready.
    async fn reach(
        &self,
        id: ServerId,
        spec: ServerSpec,
        target: Target,
    ) -> Result<ConnectedServer<'_>, CliError> {
        let mut facts = self.inspector.subscribe();
        let servers = &self.inspector.servers;
        servers.lifecycle.connect_as(&id, spec.clone())?;
        let server = ConnectedServer {
            host: self,
            id,
            spec,
            target,
        };
        match servers.readiness.ready(&server.id, &mut facts).await {
            Ok(()) => {
                self.ask_for_log(&server).await?;
                Ok(server)
            }
            Err(Some(failure)) => {
                let error = server.failed(&failure).await;
                let trust = &servers.folder_trust;
                Err(match trust.started_outside(&server.id) {
                    true => error.outside(&trust.folder_trust().path),
                    false => error,
                })
            }
            Err(None) => Err(CliError::interrupted()),
        }
    }

    /// Examines a server; nothing of that is left open.
    pub(crate) async fn examine(
        &self,
        target: &Target,
    ) -> Result<(DoctorReport, Option<CliError>), CliError> {
        let (id, spec) = self.add_with_known_identity(target).await?;
        let doctor = &self.inspector.checks.doctor;
        let report = doctor.doctor_as(&id, spec.clone()).await?;
        let error = match &report.failure {
            Some(failure) => Some(self.connection_error(&id, &spec, target, failure).await),
            None => None,
        };
        Ok((report, error))
    }

    /// The failure of a connection, with advice that holds for this server where it wants a sign-in.
    async fn connection_error(
        &self,
        id: &ServerId,
        spec: &ServerSpec,
        target: &Target,
        report: &FailureReport,
    ) -> CliError {
        let error = CliError::connection(&spec.name, target, report);
        if !matches!(report.failure, Failure::SignInRequired { .. }) {
            return error;
        }
        let has_header = matches!(&spec.endpoint, Endpoint::Remote(remote)
            if remote.headers.keys().any(|name| name.eq_ignore_ascii_case("authorization")));
        let is_explained = report.hint.action != HintAction::SignIn
            || matches!(report.failure, Failure::SignInRequired { token: Some(fault), .. }
                if fault != TokenFault::Other);
        if has_header && is_explained {
            return error.with_hint(&report.hint.text);
        }
        if has_header {
            return error.with_hint(match self.options.headers.is_empty() {
                true => {
                    "The server refused the Authorization header of its entry. Correct it there, \
                     or give another with `--header 'Authorization: Bearer TOKEN'`."
                }
                false => {
                    "The server refused the Authorization header that was given: its value \
                          is wrong, or has expired."
                }
            });
        }
        let Ok(view) = self.inspector.sign_in.auth_view(id).await else {
            return error;
        };
        if view.mode == AuthMode::Off {
            return error.with_hint(&format!(
                "Signing in is turned off for this server. {}",
                next_step::SIGN_IN_IS_OFF
            ));
        }
        let identity = self.options.identity.as_ref().unwrap_or(&view.identity);
        let mut identities = view.identities.iter();
        let known = identities.find(|known| known.name == *identity);
        let is_of_grant = view.mode != AuthMode::Bearer
            && matches!(report.failure, Failure::SignInRequired { status: 401, .. });
        match known.and_then(|known| known.problem.as_deref()) {
            Some(problem) if is_of_grant => {
                error.with_evidence(&format!("Your sign-in is no longer good. {problem}"))
            }
            _ => error,
        }
    }

    /// Tells what is left to tell; connections stay.
    pub(crate) async fn finish(&self) {
        if let Some(narration) = self.narration.get() {
            narration.finish().await;
        }
    }

    /// Ends connections and processes, and removes what was temporary.
    pub(crate) async fn close(&self) {
        self.finish().await;
        self.inspector.shutdown().await;
    }

    /// Makes the name of a request. Commands on one session may ask the same.
    fn request_key(&self, method: &str) -> String {
        match self.session() {
            Some(session) => format!("{method} {}", session.next_request()),
            None => method.to_owned(),
        }
    }
}

/// Returns the options of an inspector that runs commands with these options.
pub(crate) fn inspector_options(
    options: &CommonOptions,
    data_directory: &Path,
    lists: &[ListKind],
    persistence: Persistence,
) -> Result<InspectorOptions, CliError> {
    Ok(InspectorOptions {
        places: places::places(options.project.as_deref())?,
        data_directory: data_directory.to_owned(),
        persistence,
        lists: lists.to_vec(),
        demo: None,
        reaper: env::current_exe().ok().map(|program| ReaperCommand {
            program,
            arguments: vec![REAPER_ARGUMENT.into()],
        }),
        environment: console::variables(),
        system_root: places::system_root(),
        confirmation: confirmation(options),
    })
}

fn confirmation(options: &CommonOptions) -> ConfirmationMode {
    match options.confirm_calls {
        true => ConfirmationMode::Agreed,
        false => ConfirmationMode::Refuse,
    }
}

/// A server that is connected.
pub(crate) struct ConnectedServer<'a> {
    host: &'a Host,
    pub id: ServerId,
    pub spec: ServerSpec,
    /// The words that the user named it with.
    pub target: Target,
}

/// Cancels a request when it is dropped; one that is over is not there any more.
struct CancelledRequest<'a> {
    inspector: &'a Inspector,
    server: &'a ServerId,
    key: &'a str,
}

impl Drop for CancelledRequest<'_> {
    fn drop(&mut self) {
        let requests = &self.inspector.calls.requests;
        requests.cancel_call(self.server, self.key);
    }
}

/// A result, as it came.
pub(crate) struct Answer {
    /// The text of `result`.
    pub result: String,
    pub report: CallReport,
    /// It was not valid UTF-8.
    is_damaged: bool,
}

impl Answer {
    /// Makes the command's outcome, with `text` for a human reader.
    pub(crate) fn into_outcome(self, text: String) -> Outcome {
        let outcome = Outcome::new(self.result, text);
        if self.is_damaged {
            outcome.with_error(CliError::damaged())
        } else {
            outcome
        }
    }
}

/// True for the status of a task rather than a tool's result.
fn is_task(result: &str) -> bool {
    Members::parse(result).is_ok_and(|members| {
        members.given("taskId").is_some() && members.given("content").is_none()
    })
}

impl<'a> ConnectedServer<'a> {
    pub(crate) fn inspector(&self) -> &'a Inspector {
        &self.host.inspector
    }

    /// Ends the connection with its program, and makes it again.
    pub(crate) async fn restarted(self) -> Result<ConnectedServer<'a>, CliError> {
        let connections = &self.inspector().servers.open_connections;
        if let Some(session) = self.host.session() {
            let _turn = session.connecting.lock().await;
            connections.disconnect(&self.id).await;
            self.host.connect_again(session).await?;
            return Ok(self.host.connected_session(session));
        }
        connections.disconnect(&self.id).await;
        self.host.reach(self.id, self.spec, self.target).await
    }

    /// The error of a connection that ended by itself.
    pub(crate) async fn ended(&self) -> CliError {
        match self.status().failure {
            Some(failure) => self.failed(&failure).await,
            None => CliError::interrupted(),
        }
    }

    /// Facts from now on.
    pub(crate) fn subscribe(&self) -> Subscription {
        self.host.inspector.subscribe()
    }

    pub(crate) fn status(&self) -> ConnectionStatus {
        let connections = &self.inspector().servers.open_connections;
        connections.status(&self.id)
    }

    /// Returns what the server shows of itself now.
    pub(crate) fn surface(&self) -> Result<Surface, CliError> {
        let calls = &self.inspector().calls;
        Ok(calls.current_surface.current_surface(&self.id)?)
    }

    /// Sends a request in a task of its own. When this is dropped, as by Ctrl-C, the request is
    /// cancelled, and the server told.
    async fn request(
        &self,
        method: &str,
        params: &Params,
        consent: Consent,
    ) -> Result<CallReport, InspectorError> {
        let key = self.host.request_key(method);
        let _cancelled = CancelledRequest {
            inspector: self.inspector(),
            server: &self.id,
            key: &key,
        };
        let inspector = Arc::clone(&self.host.inspector);
        let (id, named, params) = (self.id.clone(), key.clone(), params.clone());
        let method = method.to_owned();
        let sent = tokio::spawn(async move {
            let mcp = &inspector.calls.requests;
            mcp.request(&id, &named, &method, &params, consent).await
        });
        sent.await
            .unwrap_or_else(|error| match error.try_into_panic() {
                Ok(panic) => Err(InspectorError::caught(&*panic)),
                Err(_) => Err(InspectorError::Closing),
            })
    }

    /// Sends a request and waits for its result.
    pub(crate) async fn ask(&self, method: &str, params: &Params) -> Result<Answer, CliError> {
        let agreed = match self.host.options.confirm_calls {
            true => Consent::Given,
            false => Consent::None,
        };
        let report = match self.request(method, params, agreed).await {
            Err(refused @ InspectorError::NotConfirmed { .. }) if console::is_interactive() => {
                let shown = format!(
                    "{}\n{}\n",
                    harmless(&refused.to_string()),
                    json::pretty(params.text())
                );
                match console::confirm(&shown, "Send it?").await {
                    true => self.request(method, params, Consent::Given).await?,
                    false => return Err(refused.into()),
                }
            }
            asked => asked?,
        };
        let Some(response) = &report.request.response else {
            if let Some(failure) = &report.request.failure {
                return Err(self.failed(failure).await);
            }
            if let Some(failure) = self.status().failure {
                return Err(self.failed(&failure).await);
            }
            if let Some(error) = self.lacks_scope().await {
                return Err(error);
            }
            return Err(self.unanswered(&report));
        };
        let text = String::from_utf8_lossy(&response.text);
        match json::response(&text) {
            Some(Response::Result(result)) => Ok(Answer {
                result: result.to_owned(),
                is_damaged: matches!(text, Cow::Owned(_)),
                report,
            }),
            Some(Response::Error(error)) => {
                Err(CliError::answered(&error, method, Some(&self.target)))
            }
            None => Err(self.unanswered(&report)),
        }
    }

    /// Waits for the task that the server made of a call, where it made one.
    pub(crate) async fn finished(&self, answer: Answer) -> Result<Answer, CliError> {
        let Some(task) = &answer.report.task else {
            return Ok(answer);
        };
        let tasks = &self.inspector().calls.tasks;
        let report = tasks.finish_task(&self.id, &task.id).await?;
        let Some(response) = &report.request.response else {
            return Err(self.unanswered(&report));
        };
        let text = String::from_utf8_lossy(&response.text);
        // In the extension the outcome stands within the status, like that of a response
        // (SEP-2663).
        let outcome = match json::response(&text) {
            Some(Response::Result(status)) if is_task(status) => json::response(status),
            outcome => outcome,
        };
        let result = match outcome {
            Some(Response::Result(result)) => result,
            Some(Response::Error(error)) => {
                return Err(CliError::answered(&error, "tools/call", Some(&self.target)));
            }
            None => return Err(self.unanswered(&report)),
        };
        Ok(Answer {
            result: result.to_owned(),
            is_damaged: matches!(text, Cow::Owned(_)),
            report,
        })
    }

    /// A request that has no answer.
    fn unanswered(&self, report: &CallReport) -> CliError {
        let request = &report.request;
        CliError::unanswered(
            &request.end,
            request.message.as_deref().unwrap_or_default(),
            Some(self.spec.endpoint.transport()),
        )
    }

    /// Returns the reason why a connection failed, with what was withheld where the server wants a
    /// sign-in.
    async fn failed(&self, report: &FailureReport) -> CliError {
        let mut error = self
            .host
            .connection_error(&self.id, &self.spec, &self.target, report)
            .await;
        if !matches!(report.failure, Failure::SignInRequired { .. }) {
            return match next_step::search(&self.target, &report.failure) {
                Some(step) => error.with_step(&step),
                None => error,
            };
        }
        if let Some(lacking) = self.lacks_scope().await {
            return lacking;
        }
        let Ok(view) = self.inspector().sign_in.auth_view(&self.id).await else {
            return error;
        };
        for withheld in &view.withheld {
            error = error.with_evidence(&withheld.message);
        }
        match view.attempt.and_then(|attempt| attempt.failure) {
            Some(failure) => error
                .with_evidence(&failure.message)
                .with_hint(&next_step::after_sign_in(&self.target, &failure)),
            None if !view.withheld.is_empty() => error.with_hint(&format!(
                "Sign in with {}. To send it there all the same, or another in its place: the \
                 window has that, under Sign-in, Account.",
                self.target.command("login", "")
            )),
            None => error,
        }
    }

    /// The server refused the last request because the token lacks a scope, if it did.
    async fn lacks_scope(&self) -> Option<CliError> {
        let view = self.inspector().sign_in.auth_view(&self.id).await.ok()?;
        let AuthStatus::Required { challenge } = view.status else {
            return None;
        };
        (challenge.error.as_deref() == Some("insufficient_scope")).then(|| {
            let scope = challenge.scope.as_deref();
            CliError::insufficient_scope(&self.spec.name, &self.target, scope)
        })
    }

    /// A whole list as one result. One that the server does not offer is asked for all the
    /// same, so that its own words are the answer.
    pub(crate) async fn list(&self, list: ListKind) -> Result<String, CliError> {
        match self.inspector().calls.lists.list_result(&self.id, list)? {
            Some(result) => Ok(result),
            None => Ok(self.ask(list.method(), &Params::empty()).await?.result),
        }
    }
}
