//! Projects the servers that there are to what the sidebar shows.

use std::sync::Arc;

use sightglass_area_core::{
    config_workspace::{ConfigFiles, ConfiguredServer},
    core::Core,
    view::{ScopeFileState, ScopeFileView, ServerOrigin, ServerPlaceView, ServerView},
};
use sightglass_config::{
    Client, ClientFile, FileState, LaunchPlan, Machine, ScopePlace, UnexpandedEndpoint, differences,
};
use sightglass_model::{Endpoint, EraChoice, HeadersHelper, RemoteEndpoint, ServerId};

use crate::{
    config_projection::unreadable_reason, folder_trust::ProjectFolderTrust, limits,
    obstacle::Obstacles, open_connections::OpenConnections, resolution::SpecResolver,
    roots::ServerRoots, server_settings::SettingsByServer, session_variables::SessionVariables,
    tried::TriedServers, tried_definitions::TriedServer, trust::ServerTrust,
};

/// Projects the servers that there are to what the sidebar shows.
pub struct Sidebar {
    pub(crate) core: Arc<Core>,
    pub(crate) folder_trust: Arc<ProjectFolderTrust>,
    pub(crate) obstacles: Arc<Obstacles>,
    pub(crate) open_connections: Arc<OpenConnections>,
    pub(crate) resolution: Arc<SpecResolver>,
    pub(crate) roots: Arc<ServerRoots>,
    pub(crate) server_settings: Arc<SettingsByServer>,
    pub(crate) session_variables: Arc<SessionVariables>,
    pub(crate) tried: Arc<TriedServers>,
    pub(crate) trust: Arc<ServerTrust>,
}

impl Sidebar {
    /// Returns the servers of the sidebar, and the files that they come from.
    pub fn sidebar(&self) -> (Vec<ServerView>, Vec<ScopeFileView>) {
        let files = self.core.config.files();
        let servers = self.server_views_of(&files);
        (servers, file_views(&files, &self.core.config.machine))
    }

    /// Returns the servers of the sidebar.
    pub fn server_views(&self) -> Vec<ServerView> {
        self.server_views_of(&self.core.config.files())
    }

    /// Returns a server as the sidebar shows it; nothing for one that another stands for there.
    pub fn shown_server(&self, server: &ServerId) -> Option<ServerView> {
        let files = self.core.config.files();
        if let Some(configured) = files.server(server) {
            let is_shown = files.representative(server) == Some(server);
            return is_shown.then(|| self.server_view(&configured));
        }
        if *server == ServerId::demo() {
            return self.demo_view();
        }
        self.tried_view(self.tried.definitions.get(server)?)
    }

    fn server_views_of(&self, files: &Arc<ConfigFiles>) -> Vec<ServerView> {
        let mut servers: Vec<ServerView> = files
            .servers()
            .iter()
            .map(|server| self.server_view(server))
            .collect();
        servers.extend(self.tried_views());
        servers.extend(self.demo_view());
        servers
    }

    fn server_view(&self, server: &ConfiguredServer) -> ServerView {
        let definition = &server.definition;
        let spec = definition.spec.as_ref().ok();
        // Judged once for all that follows from it: that reads files, and follows links.
        let judged = self.folder_trust.judged(server);
        let untrusted_use = self.folder_trust.untrusted_use_of(judged.as_ref());
        let blocked = self.trust.blocked_by(server, || untrusted_use.is_some());
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
            era: self
                .server_settings
                .era(&server.id, spec.map(|spec| spec.era).unwrap_or_default()),
            problems: definition.problems().cloned().collect(),
            shadowed: server
                .shadowed
                .iter()
                .map(|place| place_view(server.id.clone(), place))
                .collect(),
            disabled: server.is_off,
            differences: self.differences_of(server),
            obstacle: self
                .obstacles
                .obstacle(server, blocked.as_ref(), untrusted_use),
            blocked,
            session_variables: self.session_variables.session_variable_names(server),
            start: self.folder_trust.start_view(&server.id, judged.as_ref()),
            roots: self.roots.settings.view(&server.id),
            status: self.open_connections.status(&server.id),
            lists: self.core.connections.lists(&server.id),
            limits: spec
                .map(|spec| {
                    self.server_settings.complete_limits(
                        &server.id,
                        &spec.limits,
                        &without_values(&spec.endpoint),
                    )
                })
                .map(|limits| limits::view(&limits))
                .unwrap_or_default(),
        }
    }

    fn demo_view(&self) -> Option<ServerView> {
        let spec = self.resolution.demo_spec()?;
        Some(ServerView {
            summary: spec.endpoint.summary(),
            transport: Some(spec.endpoint.transport()),
            era: spec.era,
            limits: limits::view(&spec.limits),
            ..self.view_of_none(ServerId::demo(), spec.name)
        })
    }

    /// The view of a server that is in no file, without what is known of its endpoint.
    fn view_of_none(&self, id: ServerId, name: String) -> ServerView {
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
            roots: self.roots.settings.view(&id),
            status: self.open_connections.status(&id),
            lists: self.core.connections.lists(&id),
            limits: Vec::new(),
            id,
        }
    }

    /// The servers that are tried, for the sidebar.
    fn tried_views(&self) -> Vec<ServerView> {
        let tried = self.tried.definitions.all().into_iter();
        tried.filter_map(|tried| self.tried_view(tried)).collect()
    }

    fn tried_view(&self, tried: TriedServer) -> Option<ServerView> {
        let plan = LaunchPlan::of_draft(&tried.draft);
        let endpoint = without_values(plan.endpoint()?);
        let limits = self
            .server_settings
            .complete_limits(&tried.id, &plan.limits()?, &endpoint);
        Some(ServerView {
            origin: ServerOrigin::Tried,
            summary: endpoint.summary(),
            transport: Some(endpoint.transport()),
            era: self.server_settings.era(&tried.id, tried.draft.era),
            limits: limits::view(&limits),
            ..self.view_of_none(tried.id, tried.draft.name)
        })
    }
    /// Says what the client of a server does with it that is not done here, in sentences.
    pub fn client_differences(&self, server: &ServerId) -> Vec<String> {
        let Some(server) = self.core.config.files().server(server) else {
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
}

/// The command line or the URL as the file has it, variables and all, and nothing else.
fn without_values(endpoint: &UnexpandedEndpoint) -> Endpoint {
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
