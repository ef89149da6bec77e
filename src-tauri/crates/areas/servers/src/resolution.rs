//! Resolves what an entry starts or reaches: its variables and secrets put in, and completed by the
//! user's settings. Says nothing about whether it may start.

use std::sync::Arc;

use sightglass_area_core::{config_workspace::ConfiguredServer, core::Core, error::InspectorError};
use sightglass_config::ResolveOptions;
use sightglass_model::{Endpoint, EraChoice, ServerId, ServerSpec, TimeLimits};

use crate::{
    entry_secrets::EntrySecrets, server_settings::SettingsByServer,
    session_variables::SessionVariables,
};

/// Resolves what an entry starts or reaches.
pub struct SpecResolver {
    pub(crate) core: Arc<Core>,
    pub(crate) entry_secrets: Arc<EntrySecrets>,
    pub(crate) server_settings: Arc<SettingsByServer>,
    pub(crate) session_variables: Arc<SessionVariables>,
}

impl SpecResolver {
    /// Resolves how the built-in server is reached; `None` where there is none.
    pub fn demo_spec(&self) -> Option<ServerSpec> {
        let (program, arguments) = self.core.options.demo.clone()?;
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
        Some(self.server_settings.with_settings(&ServerId::demo(), spec))
    }

    /// Resolves how a server of the files is reached.
    pub fn resolved(&self, server: &ConfiguredServer) -> Result<ServerSpec, InspectorError> {
        let plan = server.plan();
        let environment =
            self.session_variables
                .environment_of(&server.id, &server.place.path, plan);
        let options = ResolveOptions {
            reads_files: true,
            ..self.resolve_options(&*environment)
        };
        let mut spec = plan
            .resolve(options)
            .map_err(InspectorError::InvalidEntry)?;
        if let Endpoint::Stdio { environment, .. } = &mut spec.endpoint {
            environment.extend(self.session_variables.lacking_values(server, plan));
        }
        spec.expanded
            .extend(self.session_variables.session_values(server));
        spec.expanded
            .extend(self.entry_secrets.secret_values(server));
        Ok(self.server_settings.with_settings(&server.id, spec))
    }

    /// Returns the options to resolve a plan with, without reading the files that it names.
    pub fn resolve_options<'a>(
        &'a self,
        environment: &'a (dyn Fn(&str) -> Option<String> + Send + Sync),
    ) -> ResolveOptions<'a> {
        ResolveOptions {
            environment,
            project: &self.core.options.places.project,
            reads_files: false,
        }
    }
}
