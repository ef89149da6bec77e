//! Shows and reads the texts of configuration files, for the editor.

use std::sync::Arc;

use sightglass_area_core::{
    command::commands,
    config_workspace::ConfigFiles,
    core::Core,
    error::InspectorError,
    view::{ConfigTextView, TextReading, TextServer},
};
use sightglass_config::{
    ConfigError, Definition, Draft, FileFormat, Target, definition_draft, parse_scope_file,
    scope_place, text_schema, with_draft,
};

use crate::draft_check::DraftChecks;

/// Shows and reads the texts of configuration files, for the editor.
pub struct ConfigText {
    pub(crate) core: Arc<Core>,
    pub(crate) drafts: Arc<DraftChecks>,
}

#[commands]
impl ConfigText {
    /// A server of a scope as the form shows it.
    #[command(name = "get_definition_draft")]
    pub fn definition_draft(&self, target: &Target, name: &str) -> Result<Draft, InspectorError> {
        let files = self.core.config.files();
        let definition = definition(&files, target, name)?;
        definition_draft(definition)
            .ok_or_else(|| InspectorError::InvalidEntry(definition.problems().cloned().collect()))
    }

    /// The text of a scope's file.
    #[command(name = "get_configuration_text")]
    pub fn configuration_text(&self, target: &Target) -> Result<ConfigTextView, InspectorError> {
        let place = self.place(target)?;
        let text = sightglass_config::read_text(&place.path)?;
        Ok(ConfigTextView {
            path: place.path.display().to_string(),
            format: place.format(),
            exists: text.is_some(),
            text: text.unwrap_or_default(),
            schema: match place.format() {
                FileFormat::Json | FileFormat::Jsonc => Some(text_schema(&place)),
                FileFormat::Toml | FileFormat::Yaml => None,
            },
        })
    }

    /// Reads a text for a scope's file, without saving it. What a draft says is put into it before,
    /// for the server `name` or a new one. That draft, or that server as it is read, is held against
    /// the client as by `check_draft`, unless the login shell has yet to answer; `replaces` is the
    /// server of the scope that is being edited.
    #[command]
    pub async fn edit_configuration_text(
        self: &Arc<Self>,
        target: &Target,
        text: &str,
        name: Option<&str>,
        draft: Option<&Draft>,
        replaces: Option<&str>,
    ) -> Result<TextReading, InspectorError> {
        let this = Arc::clone(self);
        let (of, given) = (target.clone(), text.to_owned());
        let (server, form) = (name.map(str::to_owned), draft.cloned());
        let read = self
            .core
            .blocking(move |_| this.reading(&of, &given, server.as_deref(), form.as_ref()));
        let mut reading = read.await?;
        let mut servers = reading.servers.iter();
        let as_read = servers.find(|server| name == Some(server.name.as_str()));
        if let Some(draft) = draft.or(as_read.and_then(|server| server.draft.as_ref())) {
            reading.check = self.drafts.check_soon(target, draft, replaces).await;
        }
        Ok(reading)
    }

    fn reading(
        &self,
        target: &Target,
        text: &str,
        name: Option<&str>,
        draft: Option<&Draft>,
    ) -> Result<TextReading, InspectorError> {
        let place = self.place(target)?;
        let written = draft.map(|draft| with_draft(&place, text, name, draft));
        let (written, unwritten) = match written.transpose() {
            Ok(written) => (written, None),
            Err(error) => (None, Some(InspectorError::from(error).to_string())),
        };
        let file = parse_scope_file(place, written.as_deref().unwrap_or(text));
        Ok(TextReading {
            text: written,
            unwritten,
            check: None,
            problems: file.problems(),
            servers: file
                .definitions
                .iter()
                .map(|definition| TextServer {
                    name: definition.name.clone(),
                    line: definition.line,
                    column: definition.column,
                    draft: definition_draft(definition),
                })
                .collect(),
        })
    }

    fn place(&self, target: &Target) -> Result<sightglass_config::ScopePlace, InspectorError> {
        let machine = &self.core.config.machine;
        let place = scope_place(target, machine);
        Ok(place.ok_or_else(|| ConfigError::no_such_scope(target, machine))?)
    }
}

fn definition<'f>(
    files: &'f ConfigFiles,
    target: &Target,
    name: &str,
) -> Result<&'f Definition, InspectorError> {
    files
        .client(target.client)
        .and_then(|client| client.file(&target.scope)?.definition(name))
        .ok_or_else(|| InspectorError::NotConfigured {
            client: target.client,
            name: name.to_owned(),
        })
}
