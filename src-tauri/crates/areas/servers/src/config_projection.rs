//! Projects the configuration files of all clients to what the window shows.

use std::sync::{Arc, atomic::Ordering};

use sightglass_area_core::{
    command::commands,
    config_workspace::{ConfigFiles, ConfigWorkspace, server_id},
    core::Core,
    view::{
        ClientFields, ClientView, ConfigFileView, ConfigServerView, ConfigurationView,
        DefinitionCell, PolicyRuleView, ScopeFileState, SignInKeys,
    },
};
use sightglass_config::{
    Client, ClientApproval, ClientConfig, ClientFile, ClientServer, Definition, DefinitionState,
    Expressible, FileOwner, FileState, GitIndices, LaunchPlan, MergeRule, Problem, facts, summary,
    transport,
};
use sightglass_model::{ServerId, lock};

use crate::{
    open_connections::OpenConnections,
    resolution::SpecResolver,
    session_variables::SessionVariables,
    trust::{ServerTrust, is_managed},
};

/// Projects the configuration files of all clients to what the window shows.
pub struct ConfigProjection {
    pub(crate) core: Arc<Core>,
    pub(crate) open_connections: Arc<OpenConnections>,
    pub(crate) resolution: Arc<SpecResolver>,
    pub(crate) session_variables: Arc<SessionVariables>,
    pub(crate) trust: Arc<ServerTrust>,
}

#[commands]
impl ConfigProjection {
    /// All configuration files of all clients, and what comes out of them.
    #[command(name = "get_configuration")]
    pub fn configuration(&self) -> ConfigurationView {
        let files = self.core.config.files();
        let history = lock(&self.core.config.history);
        let undo = history.undo_title().map(str::to_owned);
        let redo = history.redo_title().map(str::to_owned);
        drop(history);
        let mut indices = GitIndices::default();
        ConfigurationView {
            revision: self.core.config.revision.load(Ordering::Acquire),
            clients: files
                .clients
                .iter()
                .map(|client| self.client_view(&files, client, &mut indices))
                .collect(),
            policy: files
                .policy
                .rules()
                .into_iter()
                .map(|(rule, path)| PolicyRuleView {
                    rule,
                    path: path.display().to_string(),
                })
                .collect(),
            undo,
            redo,
        }
    }

    fn client_view(
        &self,
        files: &ConfigFiles,
        config: &ClientConfig,
        indices: &mut GitIndices,
    ) -> ClientView {
        let facts = facts(config.client);
        ClientView {
            client: config.client,
            title: config.client.title().to_owned(),
            documentation: facts.documentation.to_owned(),
            found: config.is_found(),
            precedence: facts.precedence.to_owned(),
            expresses: client_fields(config.client),
            files: config
                .files
                .iter()
                .zip(1..)
                .map(|(file, precedence)| file_view(&self.core.config, file, precedence, indices))
                .collect(),
            servers: config
                .servers
                .iter()
                .map(|server| self.config_server_view(files, config, server))
                .collect(),
        }
    }

    fn config_server_view(
        &self,
        files: &ConfigFiles,
        config: &ClientConfig,
        server: &ClientServer,
    ) -> ConfigServerView {
        let states = self.states(files, config, server);
        let definitions = config.definitions(server);
        let (winner_file, winner) = definitions[0];
        let scope = winner_file.place.target.scope.clone();
        let entry = config.effective(server);
        let id = files
            .representative(&server_id(config.client, &server.name))
            .cloned();
        let outdated = id.as_ref().is_some_and(|id| self.is_outdated(id, winner));
        let changed_outside = lock(&self.core.config.external_changes)
            .definitions
            .contains(&(config.client, scope.clone(), server.name.clone()));
        let mut cells: Vec<DefinitionCell> = definitions
            .iter()
            .zip(&states)
            .map(|((file, definition), state)| DefinitionCell {
                scope: file.place.target.scope.clone(),
                line: definition.line,
                column: definition.column,
                state: state.clone(),
                problems: definition.problems().cloned().collect(),
                unknown_fields: definition.untold_fields(),
            })
            .collect();
        cells.reverse();
        ConfigServerView {
            name: server.name.clone(),
            server: id,
            reason: reason(&states[0], winner_file),
            state: states[0].clone(),
            scope,
            summary: summary(&entry),
            transport: transport(&entry),
            cells,
            changed_outside,
            outdated,
        }
    }

    /// Returns the state of each definition of a server, the one that wins first.
    pub fn states(
        &self,
        files: &ConfigFiles,
        config: &ClientConfig,
        server: &ClientServer,
    ) -> Vec<DefinitionState> {
        let definitions = config.definitions(server);
        let (winner_file, winner) = definitions[0];
        let lower = definitions.iter().skip(1).map(|(file, definition)| {
            let scope = &file.place.target.scope;
            if let Some(refused) = definition.refused.first() {
                return invalid(refused);
            }
            let passed_over = match config.approval(file, definition) {
                ClientApproval::Approved => None,
                ClientApproval::Pending | ClientApproval::Rejected => {
                    config.approvals.state(scope, &definition.name)
                }
            };
            passed_over.unwrap_or_else(|| DefinitionState::Shadowed {
                by: winner_file.place.target.scope.clone(),
            })
        });
        std::iter::once(self.state_of_winner(files, config, server, winner_file, winner))
            .chain(lower)
            .collect()
    }

    fn state_of_winner(
        &self,
        files: &ConfigFiles,
        config: &ClientConfig,
        server: &ClientServer,
        file: &ClientFile,
        definition: &Definition,
    ) -> DefinitionState {
        if let Some(problem) = definition.first_error() {
            return invalid(problem);
        }
        if matches!(config.client, Client::McpJson | Client::ClaudeCode) {
            let is_managed = is_managed(&file.place.target);
            let entry = definition.common.expose();
            if let Some(rule) =
                self.trust
                    .refusal(files, config.client, &definition.name, entry, is_managed)
            {
                return DefinitionState::Refused { rule };
            }
        }
        let scope = file.place.target.scope.as_str();
        if let Some(state) = config.approvals.state(scope, &definition.name) {
            return state;
        }
        let is_off = match facts(config.client).merge {
            MergeRule::Whole => definition.disabled,
            // A lower file may say so.
            MergeRule::Fields => config.effective(server).get("disabled") == Some(&true.into()),
        };
        if is_off {
            return DefinitionState::Disabled;
        }
        if config.client == Client::McpJson {
            return self.state_of_own(file, definition);
        }
        DefinitionState::Wins
    }

    /// Returns the states that only servers have which this application connects to.
    fn state_of_own(&self, file: &ClientFile, definition: &Definition) -> DefinitionState {
        let id = server_id(Client::McpJson, &definition.name);
        let comes_with_project = file.place.comes_with_project(&self.core.config.machine);
        let plan = LaunchPlan::of(definition);
        if self.trust.waits(&id, comes_with_project, &plan) {
            return DefinitionState::Waiting;
        }
        match self.unresolved(&id, file, &plan) {
            Some(problem) => invalid(&problem),
            None => DefinitionState::Wins,
        }
    }

    /// The first problem that keeps the variables of a plan from being expanded.
    fn unresolved(
        &self,
        server: &ServerId,
        file: &ClientFile,
        plan: &LaunchPlan,
    ) -> Option<Problem> {
        let environment =
            self.session_variables
                .environment_for_judging(server, &file.place.path, plan);
        plan.resolve(self.resolution.resolve_options(&*environment))
            .err()?
            .into_iter()
            .next()
    }

    /// Returns true when a server is connected with another entry than the files have now.
    fn is_outdated(&self, server: &ServerId, definition: &Definition) -> bool {
        self.open_connections.has_connection(server)
            && lock(&self.core.config.connected)
                .get(server)
                .is_some_and(|entry| entry != definition.common.expose())
    }
}

fn invalid(problem: &Problem) -> DefinitionState {
    DefinitionState::Invalid {
        line: problem.line,
        column: problem.column,
        message: problem.message.clone(),
    }
}

fn client_fields(client: Client) -> ClientFields {
    let can = Expressible::of(client);
    ClientFields {
        transports: can.transports.to_vec(),
        working_directory: can.field("cwd"),
        headers: can.field("headers"),
        disabled: can.field("disabled") || matches!(client, Client::ClaudeCode | Client::Gemini),
        era: can.field("era"),
        phase_limits: can.field("phase_timeouts"),
        startup_limit: can.field("startup_timeout"),
        tool_limit: can.field("tool_timeout"),
        enabled_tools: can.field("enabled_tools"),
        disabled_tools: can.field("disabled_tools"),
        sign_in: SignInKeys {
            off: can.sign_in_off(),
            client_id: can.sign_in("clientId"),
            client_metadata_url: can.sign_in("clientMetadataUrl"),
            scopes: can.sign_in("scopes"),
            callback_port: can.sign_in("callbackPort"),
            bearer_variable: client == Client::McpJson,
        },
        variable: can.variable.map(str::to_owned),
    }
}

fn file_view(
    config: &Arc<ConfigWorkspace>,
    file: &ClientFile,
    precedence: u32,
    indices: &mut GitIndices,
) -> ConfigFileView {
    let place = &file.place;
    let metadata = std::fs::metadata(&place.path).ok();
    let tracked = metadata.is_some() && indices.have(&place.path);
    let mut problems = file.problems();
    if tracked {
        problems.extend(file.exposed_secrets());
    }
    ConfigFileView {
        scope: place.target.scope.clone(),
        title: place.title.to_owned(),
        label: place.label(&config.machine),
        path: place.path.display().to_string(),
        section: place.section(),
        format: place.format(),
        writer: place.writer,
        writable: matches!(place.writer, FileOwner::User | FileOwner::Project)
            && metadata
                .as_ref()
                .is_none_or(|metadata| !metadata.permissions().readonly()),
        precedence,
        note: place.note.to_owned(),
        state: ScopeFileState::from(&file.state),
        problems,
        unreadable: unreadable_reason(file),
        mode: metadata.as_ref().and_then(mode),
        tracked,
        changed_outside: lock(&config.external_changes)
            .files
            .get(&place.path)
            .copied(),
        servers: u32::try_from(file.definitions.len()).unwrap_or(u32::MAX),
    }
}

/// Explains a state and what to do about it, in one sentence or two.
pub fn reason(state: &DefinitionState, file: &ClientFile) -> String {
    match state {
        DefinitionState::Wins => "It is in use.".to_owned(),
        DefinitionState::Shadowed { by } => format!("The {by} scope counts instead."),
        DefinitionState::Disabled => {
            "It is switched off, so it is not used until it is enabled.".to_owned()
        }
        DefinitionState::Refused { rule } if file.place.target.client == Client::ClaudeCode => {
            format!("A rule of Claude Code's settings refuses it: {rule}.")
        }
        DefinitionState::Refused { rule } => format!(
            "A managed rule refuses it ({rule}). Only the administrator of this computer can \
             change that."
        ),
        DefinitionState::Invalid {
            line,
            column,
            message,
        } => format!("It cannot be used: line {line}, column {column}: {message}"),
        DefinitionState::Waiting if file.place.target.client == Client::ClaudeCode => {
            "It comes from the project, and Claude Code asks before it uses it for the first time."
                .to_owned()
        }
        DefinitionState::Waiting if file.place.target.client == Client::Codex => {
            "It comes from the project, and Codex reads the project's file once you trust the \
             project there."
                .to_owned()
        }
        DefinitionState::Waiting if file.place.target.client == Client::Gemini => {
            "It comes from the project, and Gemini CLI reads the project's file once you trust the \
             folder there."
                .to_owned()
        }
        DefinitionState::Waiting => {
            "It comes from the project's files and waits for your approval before it can start."
                .to_owned()
        }
    }
}

/// Reason why a file could not be read.
pub fn unreadable_reason(file: &ClientFile) -> Option<String> {
    match &file.state {
        FileState::Unreadable { message } => Some(message.clone()),
        _ => None,
    }
}

#[cfg(unix)]
fn mode(metadata: &std::fs::Metadata) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;

    Some(format!("{:04o}", metadata.permissions().mode() & 0o7777))
}

#[cfg(not(unix))]
fn mode(_: &std::fs::Metadata) -> Option<String> {
    None
}
