//! Lists the servers of the sidebar, and connects to them.

use std::{collections::HashSet, path::Path, sync::Arc};

use sightglass_auth::Authorizer;
use sightglass_config::{
    Client, ClientFile, FileState, Machine, ResolveOptions, ScopePlace, UnexpandedEndpoint,
    differences,
};
use sightglass_model::{
    ConnectionStatus, Endpoint, EraChoice, HeadersHelper, Millis, PermittedSpec, RemoteEndpoint,
    ServerId, ServerSpec, TimeLimits, Timestamp,
};

use crate::{
    Inspector, InspectorError,
    config_projection::unreadable_reason,
    config_workspace::{ConfigFiles, ConfiguredServer},
    limits,
    publisher::Notice,
    view::{
        Blocked, Fact, ProjectView, ScopeFileState, ScopeFileView, ServerOrigin, ServerPlaceView,
        ServerView, Snapshot,
    },
};

/// Interval at which the window is told the state of recording.
const RECORDING_INTERVAL: std::time::Duration = std::time::Duration::from_secs(1);

impl Inspector {
    /// Everything, at one moment.
    pub fn snapshot(&self) -> Snapshot {
        // The number comes first: a fact that arises meanwhile is applied once more, which
        // changes nothing, and never missed.
        let sequence = self.publisher.sequence();
        let (servers, files) = self.sidebar();
        let project = &self.options.places.project;
        Snapshot {
            sequence,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            project: ProjectView {
                name: project.file_name().map_or_else(
                    || project.display().to_string(),
                    |name| name.to_string_lossy().into_owned(),
                ),
                path: project.display().to_string(),
                data_directory: self.data.directory().display().to_string(),
            },
            auth: self.auth_views(&servers),
            servers,
            files,
            folder: self.folder.view(),
            requests: self.connections.requests(),
            automatic_answers: self.connections.automatic_answers(),
            answer_rules: self.answer_rules(),
            confirmations: self.confirmations.open(),
            recording: self.recorder.state(),
            settings: self.settings(),
        }
    }

    /// Starts to connect. Returns at once; how it goes is told as facts.
    ///
    /// # Errors
    /// When there is no such server, its entry cannot be used, the managed policy refuses it,
    /// it comes from a project file and waits for approval, it needs a folder that is not
    /// trusted, or its secrets were not [read](Self::read_entry_secrets).
    pub fn connect(&self, server: &ServerId) -> Result<(), InspectorError> {
        let mut is_renewed = false;
        if let Some(spec) = self.tried_spec(server) {
            return self.connect_authorized(server, spec?);
        }
        let spec = if *server == ServerId::demo() {
            self.spec(server)?
        } else {
            let configured = self.configured(server)?;
            let spec = self.spec_of(&configured)?;
            let entry = configured.definition.common.expose();
            let before = crate::lock(&self.config.connected).insert(server.clone(), entry.clone());
            is_renewed = before.is_some_and(|before| before != *entry);
            spec
        };
        crate::lock(&self.ad_hoc_servers).remove(server);
        self.connect_authorized(server, spec)?;
        if is_renewed {
            // It is no longer connected with another entry than the file has.
            self.publisher.notify(&Notice::Configuration);
        }
        Ok(())
    }

    /// Starts to connect to the servers that the user chose for the start of the application.
    /// Those that may not be connected yet stay as they are; the sidebar says why.
    ///
    /// Must be called within a Tokio runtime.
    pub fn connect_at_start(&self) {
        for server in self.settings().connect_at_start {
            let Some(inspector) = self.this.upgrade() else {
                return;
            };
            tokio::spawn(async move {
                if let Err(error) = inspector.connect_with_secrets(&server).await {
                    tracing::info!("{server} is not connected at the start: {error}");
                }
            });
        }
    }

    /// Starts to connect to a server that may be in no file, under the name `server`. Returns
    /// at once; how it goes is told as facts.
    ///
    /// # Errors
    /// When the managed policy refuses it, or it needs a folder that is not trusted.
    pub fn connect_as(&self, server: &ServerId, spec: ServerSpec) -> Result<(), InspectorError> {
        self.add_ad_hoc_server(server, spec.clone());
        self.connect_authorized(server, spec)
    }

    /// Connects with a token on every request, where there is one.
    ///
    /// # Errors
    /// When the managed policy refuses it, or it needs a folder that is not trusted.
    pub(crate) fn connect_authorized(
        &self,
        server: &ServerId,
        spec: ServerSpec,
    ) -> Result<(), InspectorError> {
        let (spec, authorizer) = self.permitted(server, spec)?;
        self.connections
            .connect_with(server.clone(), spec, authorizer);
        Ok(())
    }

    /// Returns what connecting to a server starts or reaches, with the source of its token.
    ///
    /// # Errors
    /// When the managed policy refuses it, or it needs a folder that is not trusted.
    pub(crate) fn permitted(
        &self,
        server: &ServerId,
        spec: ServerSpec,
    ) -> Result<(PermittedSpec, Option<Authorizer>), InspectorError> {
        let spec = self.permit_spec(server, spec)?;
        let spec = self.with_working_directory(server, spec)?;
        Ok((spec, self.authorizer(server)))
    }

    /// Returns the source of a server's token; `None` where there is nothing to sign in to.
    pub(crate) fn authorizer(&self, server: &ServerId) -> Option<Authorizer> {
        let target = self.auth_target(server).ok()?;
        let identity = self.ad_hoc_identity(server);
        Some(self.sign_ins.authorizer(&target, identity.as_deref()))
    }

    /// Forgets with which transport and era a server was reached, so that the next attempt
    /// finds out anew.
    pub fn forget_found(&self, server: &ServerId) {
        self.connections.forget_found(server);
    }

    /// Pings a server that is connected, and answers the round-trip time; nothing where no answer
    /// came in time.
    pub async fn ping(&self, server: &ServerId) -> Result<Option<Millis>, InspectorError> {
        let round_trip = self.connections.ping(server).await?;
        Ok(round_trip.map(Millis::from))
    }

    /// Returns the directory of settings and the record.
    pub fn data_directory(&self) -> &Path {
        self.data.directory()
    }

    /// Closes the connection, or stops connecting.
    pub async fn disconnect(&self, server: &ServerId) {
        self.connections.disconnect(server).await;
    }

    /// The servers that the files define now.
    pub(crate) fn known_servers(&self) -> HashSet<ServerId> {
        self.config.files().ids().cloned().collect()
    }

    /// Closes the connections of servers that a user removed.
    pub(crate) fn close_all<'a>(&self, servers: impl Iterator<Item = &'a ServerId>) {
        for server in servers {
            if let Some(inspector) = self.this.upgrade() {
                let server = server.clone();
                tokio::spawn(async move { inspector.disconnect(&server).await });
            }
        }
    }

    /// Returns the status of a connection.
    pub fn status(&self, server: &ServerId) -> ConnectionStatus {
        self.connections
            .status(server)
            .unwrap_or_else(|| ConnectionStatus::disconnected(Timestamp::now()))
    }

    /// Reads the files again after one changed, and tells what they say now. Connections that a
    /// managed rule refuses by now are closed, so that none is made again after a drop.
    pub(crate) fn reload(&self) {
        self.read_files();
        let policy = Arc::clone(&self.config.files().policy);
        let refused: Vec<ServerId> = self
            .connections
            .running()
            .into_iter()
            .filter(|(id, spec)| {
                let server = self.configured(id).ok();
                let blocked = server.and_then(|server| self.blocked(&server));
                matches!(blocked, Some(Blocked::Refused { .. })) || !spec.is_permitted_by(&*policy)
            })
            .map(|(id, _)| id)
            .collect();
        self.close_all(refused.iter());
        self.forget_removed();
        self.publisher.notify(&Notice::Configuration);
    }

    /// Forgets the connections that were, of servers that are in no file any more.
    fn forget_removed(&self) {
        let mut known = self.known_servers();
        known.insert(ServerId::demo());
        known.extend(crate::lock(&self.ad_hoc_servers).keys().cloned());
        self.connections.forget_others(&known);
    }

    /// Tells the sidebar's servers as they are now.
    pub(crate) fn publish_servers(&self) {
        let _publishing = crate::lock(&self.config.publishing);
        let (servers, files) = self.sidebar();
        self.publish_auth(&servers);
        self.publisher.publish(Fact::Servers { servers, files });
    }

    pub(crate) fn watch_files(self: &Arc<Self>) {
        let inspector = Arc::downgrade(self);
        let runtime = tokio::runtime::Handle::try_current();
        let watching = sightglass_config::watch(&self.config.machine, move |_| {
            // What is found may end connections.
            let _runtime = runtime.as_ref().map(tokio::runtime::Handle::enter);
            if let Some(inspector) = inspector.upgrade() {
                inspector.reload();
            }
        });
        match watching {
            Ok(watcher) => *crate::lock(&self.watcher) = Some(watcher),
            Err(error) => tracing::warn!("{error}"),
        }
    }

    /// Tells when recording stops or starts, or its figures change, and when another program
    /// changed what the user answered about the folder, or the rules for questions.
    pub(crate) fn watch_data_directory(self: &Arc<Self>) {
        let inspector = Arc::downgrade(self);
        let mut last = self.recorder.state();
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(RECORDING_INTERVAL).await;
                let Some(inspector) = inspector.upgrade() else {
                    break;
                };
                let reading = move |inspector: Arc<Inspector>| {
                    inspector.publish_folder_trust();
                    inspector.follow_answer_rules();
                    (inspector.recorder.state(), inspector)
                };
                let Ok((state, inspector)) =
                    tokio::task::spawn_blocking(move || reading(inspector)).await
                else {
                    break;
                };
                if state != last {
                    inspector.publisher.publish(Fact::Recording {
                        state: state.clone(),
                    });
                    last = state;
                }
            }
        });
    }

    fn sidebar(&self) -> (Vec<ServerView>, Vec<ScopeFileView>) {
        let files = self.config.files();
        let mut servers: Vec<ServerView> = files
            .servers()
            .iter()
            .map(|server| self.server_view(server))
            .collect();
        servers.extend(self.tried_views());
        servers.extend(self.demo_view());
        (servers, file_views(&files, &self.config.machine))
    }

    fn server_view(&self, server: &ConfiguredServer) -> ServerView {
        let definition = &server.definition;
        let spec = definition.spec.as_ref().ok();
        ServerView {
            id: server.id.clone(),
            origin: ServerOrigin::File,
            name: definition.name.clone(),
            target: Some(server.place.target.clone()),
            client_title: server.client().title().to_owned(),
            scope_title: server.place.title.to_owned(),
            also: server
                .equivalents()
                .map(|other| place_view(other.id.clone(), &other.place))
                .collect(),
            path: Some(server.place.path.display().to_string()),
            line: Some(definition.line),
            summary: spec
                .map(|spec| without_values(&spec.endpoint).summary())
                .unwrap_or_default(),
            transport: spec.map(|spec| without_values(&spec.endpoint).transport()),
            era: self.era(&server.id, spec.map(|spec| spec.era).unwrap_or_default()),
            problems: definition.problems().cloned().collect(),
            shadowed: server
                .shadowed
                .iter()
                .map(|place| place_view(server.id.clone(), place))
                .collect(),
            disabled: server.is_off,
            differences: self.differences_of(server),
            blocked: self.blocked(server),
            obstacle: self.obstacle(server),
            session_variables: self.session_variable_names(server),
            start: self.start_view(server),
            roots: self.roots.view(&server.id),
            status: self.status(&server.id),
            lists: self.connections.lists(&server.id),
            limits: spec
                .map(|spec| {
                    self.complete_limits(&server.id, &spec.limits, &without_values(&spec.endpoint))
                })
                .map(|limits| limits::view(&limits))
                .unwrap_or_default(),
        }
    }

    fn demo_view(&self) -> Option<ServerView> {
        let spec = self.demo_spec()?;
        Some(ServerView {
            summary: spec.endpoint.summary(),
            transport: Some(spec.endpoint.transport()),
            era: spec.era,
            limits: limits::view(&spec.limits),
            ..self.view_of_none(ServerId::demo(), spec.name)
        })
    }

    /// The view of a server that is in no file, without what is known of its endpoint.
    pub(crate) fn view_of_none(&self, id: ServerId, name: String) -> ServerView {
        ServerView {
            origin: ServerOrigin::BuiltIn,
            name,
            target: None,
            client_title: "Sightglass".to_owned(),
            scope_title: String::new(),
            also: Vec::new(),
            path: None,
            line: None,
            summary: String::new(),
            transport: None,
            era: EraChoice::default(),
            problems: Vec::new(),
            shadowed: Vec::new(),
            disabled: false,
            differences: Vec::new(),
            blocked: None,
            obstacle: None,
            session_variables: Vec::new(),
            start: None,
            roots: self.roots.view(&id),
            status: self.status(&id),
            lists: self.connections.lists(&id),
            limits: Vec::new(),
            id,
        }
    }

    fn demo_spec(&self) -> Option<ServerSpec> {
        let (program, arguments) = self.options.demo.clone()?;
        let endpoint = Endpoint::Stdio {
            command: program.display().to_string(),
            arguments,
            environment: Default::default(),
            working_directory: None,
        };
        let spec = ServerSpec {
            name: "Demo".to_owned(),
            limits: TimeLimits::default(),
            endpoint,
            era: EraChoice::Auto,
            client: Default::default(),
            is_recorded: true,
            expanded: Vec::new(),
            references: Vec::new(),
        };
        Some(self.with_settings(&ServerId::demo(), spec))
    }

    /// Says what the client of a server does with it that is not done here, in sentences.
    pub fn client_differences(&self, server: &ServerId) -> Vec<String> {
        let Some(server) = self.config.files().server(server) else {
            return Vec::new();
        };
        self.differences_of(&server)
    }

    /// The same, with what other clients say that have the same entry.
    fn differences_of(&self, server: &ConfiguredServer) -> Vec<String> {
        let mut sentences = differences(server.client(), &server.definition);
        for other in server.equivalents() {
            let refused = other.definition.refused.first();
            sentences.extend(refused.map(|problem| problem.message.clone()));
        }
        sentences
    }

    /// Resolves how a server is reached: its entry with all variables expanded.
    pub fn spec(&self, server: &ServerId) -> Result<ServerSpec, InspectorError> {
        if *server == ServerId::demo() {
            return self
                .demo_spec()
                .ok_or_else(|| InspectorError::UnknownServer(server.clone()));
        }
        if let Some(spec) = self.tried_spec(server) {
            return spec;
        }
        self.spec_of(&self.configured(server)?)
    }

    /// Resolves how a server of the files would be reached that the managed policy refuses. Nothing
    /// else may keep it from being reached.
    ///
    /// # Errors
    /// When it waits for approval, or its entry cannot be used.
    pub(crate) fn refused_spec(&self, server: &ServerId) -> Result<ServerSpec, InspectorError> {
        let server = self.configured(server)?;
        self.permit_unmanaged(&server)?;
        self.resolved(&server)
    }

    /// Resolves how a server is reached, by the very definition that is judged here.
    fn spec_of(&self, server: &ConfiguredServer) -> Result<ServerSpec, InspectorError> {
        self.permit(server)?;
        self.resolved(server)
    }

    fn resolved(&self, server: &ConfiguredServer) -> Result<ServerSpec, InspectorError> {
        let plan = server.plan();
        let environment = self.environment_of(&server.id, &server.place.path, &plan);
        let options = ResolveOptions {
            reads_files: true,
            ..self.resolve_options(&*environment)
        };
        let mut spec = plan
            .resolve(options)
            .map_err(InspectorError::InvalidEntry)?;
        spec.expanded.extend(self.session_values(server));
        spec.expanded.extend(self.secret_values(server));
        Ok(self.with_settings(&server.id, spec))
    }

    pub(crate) fn resolve_options<'a>(
        &'a self,
        environment: &'a (dyn Fn(&str) -> Option<String> + Send + Sync),
    ) -> ResolveOptions<'a> {
        ResolveOptions {
            environment,
            project: &self.options.places.project,
            reads_files: false,
        }
    }

    /// A server of the files, as the present snapshot has it.
    pub(crate) fn configured(&self, server: &ServerId) -> Result<ConfiguredServer, InspectorError> {
        if *server == ServerId::demo() {
            return Err(InspectorError::BuiltIn);
        }
        self.config
            .files()
            .server(server)
            .ok_or_else(|| InspectorError::UnknownServer(server.clone()))
    }
}

/// The command line or the URL as the file has it, variables and all, and nothing else.
pub(crate) fn without_values(endpoint: &UnexpandedEndpoint) -> Endpoint {
    match endpoint {
        UnexpandedEndpoint::Stdio {
            command, arguments, ..
        } => Endpoint::Stdio {
            command: command.shown().into_owned(),
            arguments: arguments
                .iter()
                .map(|argument| argument.shown().into_owned())
                .collect(),
            environment: Default::default(),
            working_directory: None,
        },
        UnexpandedEndpoint::Remote(remote) => Endpoint::Remote(RemoteEndpoint {
            transport: remote.transport,
            headers_helper: remote
                .headers_helper
                .as_ref()
                .map(|helper| HeadersHelper::of(helper.text.expose())),
            ..RemoteEndpoint::at(remote.url.shown().into_owned())
        }),
    }
}

fn place_view(server: ServerId, place: &ScopePlace) -> ServerPlaceView {
    ServerPlaceView {
        server,
        target: place.target.clone(),
        client_title: place.target.client.title().to_owned(),
        scope_title: place.title.to_owned(),
        path: place.path.display().to_string(),
    }
}

fn file_views(files: &ConfigFiles, machine: &Machine) -> Vec<ScopeFileView> {
    let files = files.clients.iter().flat_map(|client| &client.files);
    files
        .filter(|file| {
            file.place.target.client == Client::McpJson || file.state != FileState::Missing
        })
        .map(|file| file_view(file, machine))
        .collect()
}

fn file_view(file: &ClientFile, machine: &Machine) -> ScopeFileView {
    let place = &file.place;
    ScopeFileView {
        target: place.target.clone(),
        client_title: place.target.client.title().to_owned(),
        title: place.title.to_owned(),
        label: place.label(machine),
        path: place.path.display().to_string(),
        state: ScopeFileState::from(&file.state),
        problems: file.problems(),
        unreadable: unreadable_reason(file),
    }
}
