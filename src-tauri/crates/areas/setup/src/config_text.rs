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

/// Shows and reads the texts of configuration files, for the editor.
pub struct ConfigText {
    pub(crate) core: Arc<Core>,
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

    /// Reads a text for a scope's file, without saving it.
    #[command]
    pub fn read_configuration_text(
        &self,
        target: &Target,
        text: &str,
    ) -> Result<TextReading, InspectorError> {
        let file = parse_scope_file(self.place(target)?, text);
        Ok(TextReading {
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

    /// A text for a scope's file with what a draft says, for the server `name` or a new one.
    #[command]
    pub fn draft_into_text(
        &self,
        target: &Target,
        text: &str,
        name: Option<&str>,
        draft: &Draft,
    ) -> Result<String, InspectorError> {
        Ok(with_draft(&self.place(target)?, text, name, draft)?)
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
