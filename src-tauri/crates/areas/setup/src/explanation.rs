//! Explains in sentences why a server is what it is.

use std::{sync::Arc, time::Duration};

use sightglass_area_core::{
    command::commands,
    core::Core,
    error::InspectorError,
    view::{DefinitionView, ExplanationView, FieldComparison},
};
use sightglass_area_servers::config_projection::{ConfigProjection, reason};
use sightglass_config::{
    ChimeraToken, Client, ClientFile, DefinitionState, Field, Machine, MergeRule, Variable,
    VariableOrigin, behaviour_source, chimera_token, differences, facts, fields, masked_text,
    variables,
};
use sightglass_model::Timestamp;

/// Explains in sentences why a server is what it is.
pub struct Explanations {
    pub(crate) core: Arc<Core>,
    pub(crate) projection: Arc<ConfigProjection>,
}

#[commands]
impl Explanations {
    /// Explains why one server of a client is what it is.
    #[command]
    pub fn explain_configuration(
        &self,
        client: Client,
        name: &str,
    ) -> Result<ExplanationView, InspectorError> {
        let files = self.core.config.files();
        let (config, server) = files
            .client(client)
            .and_then(|config| Some((config, config.server(name)?)))
            .ok_or_else(|| InspectorError::NotConfigured {
                client,
                name: name.to_owned(),
            })?;
        let states = self.projection.states(&files, config, server);
        let definitions = config.definitions(server);
        let (winner_file, winner) = definitions[0];
        let variables = variables(client, &config.effective(server), &self.core.config.machine);
        let views: Vec<DefinitionView> = definitions
            .iter()
            .zip(&states)
            .map(|((file, definition), state)| DefinitionView {
                scope: file.place.target.scope.clone(),
                title: file.place.title.to_owned(),
                path: file.place.path.display().to_string(),
                line: definition.line,
                column: definition.column,
                state: state.clone(),
                text: masked_text(definition),
            })
            .collect();
        let compared = compare(
            &definitions
                .iter()
                .map(|(_, definition)| fields(definition.common.expose()))
                .collect::<Vec<_>>(),
        );
        let label = |file: &ClientFile| file.place.label(&self.core.config.machine);
        let takes = match winner.refused.is_empty() {
            true => "takes",
            false => "does not take",
        };
        let mut sentences = vec![format!(
            "{} {takes} {name} from its {} scope: {}, line {}.",
            client.title(),
            winner_file.place.title.to_lowercase(),
            label(winner_file),
            winner.line
        )];
        for ((file, definition), state) in definitions.iter().zip(&states).skip(1) {
            let effect = match (state, facts(client).merge) {
                (DefinitionState::Waiting, _) => not_yet(client),
                (DefinitionState::Disabled, _) => "there you said that you do not want that one",
                (DefinitionState::Invalid { .. }, _) => "that definition is not accepted",
                (_, MergeRule::Whole) => "that definition does not count",
                (_, MergeRule::Fields) => "of it only the fields count that are missing above",
            };
            sentences.push(format!(
                "The {} scope defines it as well ({}, line {}); {effect}.",
                file.place.title.to_lowercase(),
                label(file),
                definition.line
            ));
        }
        if definitions.len() > 1 {
            sentences.push(facts(client).precedence.to_owned());
            let differing = differing(&compared);
            sentences.push(if differing.is_empty() {
                "The definitions say the same.".to_owned()
            } else {
                format!("They differ in {}.", differing.join(", "))
            });
        }
        let folder = config.approvals.folder_reason();
        sentences.push(match folder {
            Some(folder) if states[0] == DefinitionState::Disabled => folder.to_owned(),
            _ => reason(&states[0], winner_file),
        });
        sentences.extend(about_variables(&variables));
        if client == Client::McpJson
            && let Some(token) = chimera_token(&self.core.config.machine, name)
        {
            sentences.push(about_token(&token, &self.core.config.machine));
        }
        let unknown = winner.untold_fields();
        if !unknown.is_empty() {
            sentences.push(format!(
                "{} does not know {}; the file keeps it.",
                client.title(),
                unknown.join(", ")
            ));
        }
        let differing_here = differences(client, winner);
        if !winner.refused.is_empty() || !differing_here.is_empty() {
            sentences.extend(differing_here);
            sentences.push(format!("Source: {}.", behaviour_source(client)));
        }
        Ok(ExplanationView {
            client,
            name: name.to_owned(),
            state: states[0].clone(),
            sentences,
            definitions: views,
            fields: compared,
            variables,
            problems: winner.problems().cloned().collect(),
        })
    }
}

/// Names the reason why a project's definition does not count yet, for the end of a sentence.
fn not_yet(client: Client) -> &'static str {
    match client {
        Client::Codex => "that definition counts once you trust the project in Codex",
        Client::Gemini => "that definition counts once you trust the folder in Gemini CLI",
        _ => "that definition counts once you approved it there",
    }
}

/// A time in the largest unit that it has two of.
fn in_words(time: Duration) -> String {
    const HOUR: u64 = 60 * 60;
    const DAY: u64 = 24 * HOUR;
    const YEAR: u64 = 365 * DAY;
    let seconds = time.as_secs();
    let units = [
        (YEAR, "years"),
        (DAY, "days"),
        (HOUR, "hours"),
        (60, "minutes"),
    ];
    let (length, name) = units
        .into_iter()
        .find(|(length, _)| seconds >= 2 * length)
        .unwrap_or((1, "seconds"));
    format!("{} {name}", seconds / length)
}

/// Says that Chimera has a token, and for how long. Sightglass signs in by itself.
fn about_token(token: &ChimeraToken, machine: &Machine) -> String {
    let until = match token.expires_at.map(|at| at.since(Timestamp::now())) {
        None => ", which does not say when it expires".to_owned(),
        Some(left) if left.is_zero() => ", which has expired".to_owned(),
        Some(left) => format!(", which expires in {}", in_words(left)),
    };
    let renewal = if token.can_refresh {
        " It can be renewed."
    } else {
        ""
    };
    let file = match token.path.strip_prefix(&machine.places.home) {
        Ok(inside) => format!("~/{}", inside.display()),
        Err(_) => token.path.display().to_string(),
    };
    format!("Chimera has a token for it ({file}){until}.{renewal} Sightglass does not use it.")
}

fn about_variables(variables: &[Variable]) -> Vec<String> {
    variables
        .iter()
        .filter_map(|variable| {
            let Variable {
                field, reference, ..
            } = variable;
            Some(match variable.origin {
                VariableOrigin::Unset => format!(
                    "{field} refers to {reference}, which is not set where Sightglass was started."
                ),
                VariableOrigin::NotExpanded => {
                    format!("{field} holds {reference}, which this client does not expand.")
                }
                VariableOrigin::Input => {
                    format!("{field} asks for {reference} when the server starts.")
                }
                VariableOrigin::Secret
                | VariableOrigin::Environment
                | VariableOrigin::Default
                | VariableOrigin::Client => {
                    return None;
                }
            })
        })
        .collect()
}

/// The fields that differ, each as narrowly as is true: `env.TOKEN` where the definitions have
/// other values of it, `args` where not all have the same number of arguments or there are
/// several that differ.
fn differing(compared: &[FieldComparison]) -> Vec<&str> {
    let whole = |field: &str| field.find(['[', '.']).unwrap_or(field.len());
    let mut named: Vec<&str> = Vec::new();
    for row in compared.iter().filter(|row| row.differs) {
        let field = row.field.as_str();
        let list = &field[..whole(field)];
        let of_list = |other: &&FieldComparison| &other.field[..whole(&other.field)] == list;
        let parts = compared.iter().filter(of_list);
        let differ = parts.filter(|part| part.differs).count();
        let is_of_list = field[list.len()..].starts_with('[');
        let is_missing = row.values.iter().any(Option::is_none);
        let name = if is_of_list && (differ > 1 || is_missing) {
            list
        } else {
            field
        };
        if !named.contains(&name) {
            named.push(name);
        }
    }
    named
}

/// The fields of several definitions side by side, those that differ first.
fn compare(definitions: &[Vec<Field>]) -> Vec<FieldComparison> {
    let mut rows: Vec<(&str, Vec<Option<&Field>>)> = Vec::new();
    for (index, definition) in definitions.iter().enumerate() {
        for field in definition {
            let place = rows.iter().position(|(name, _)| *name == field.name);
            let place = place.unwrap_or_else(|| {
                rows.push((&field.name, vec![None; definitions.len()]));
                rows.len() - 1
            });
            rows[place].1[index] = Some(field);
        }
    }
    let mut compared: Vec<FieldComparison> = rows
        .into_iter()
        .map(|(name, values)| FieldComparison {
            field: name.to_owned(),
            differs: values.windows(2).any(|pair| {
                pair[0].map(|field| field.content) != pair[1].map(|field| field.content)
            }),
            values: values
                .into_iter()
                .map(|field| field.map(|field| field.shown.clone()))
                .collect(),
        })
        .collect();
    compared.sort_by_key(|field| !field.differs);
    compared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_told_in_a_unit_that_fits() {
        for (seconds, words) in [
            (90, "90 seconds"),
            (3_600, "60 minutes"),
            (7_200, "2 hours"),
            (172_799, "47 hours"),
            (172_800, "2 days"),
            (28_976 * 3_600, "3 years"),
        ] {
            assert_eq!(in_words(Duration::from_secs(seconds)), words);
        }
    }
}
