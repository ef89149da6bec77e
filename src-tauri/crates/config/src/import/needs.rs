//! Finds what a pasted server still needs from the user: variables without a default, the inputs
//! that VS Code would ask for, and the variables that a container takes from its environment.
//!
//! Each stands in the draft as `${NAME}`. One that is not given is read from the environment where
//! the user allows that, and is said to be unset before the server is connected.

use sightglass_secrets::name_suggests_secret;

use super::{Candidate, ImportInput};
use crate::{
    definition::{
        draft::{DraftEndpoint, NamedText},
        draft_variables::OF_THE_PLACE,
    },
    entry::{dialect::map_references, expand::variable_name},
};

/// Note on a `~` that was replaced.
const TILDE: &str = "~ is written as ${HOME}: no shell expands it for a server.";

/// Lists what `candidate` needs beside what it lists itself, and writes it in the common form.
pub(super) fn find(candidate: &mut Candidate) {
    let mut inputs = std::mem::take(&mut candidate.inputs);
    let mut has_tilde = false;
    let mut visit = |text: &mut String| {
        *text = map_references(text, |reference, name, default| {
            let of_editor = name.strip_prefix("input:");
            let name = of_editor.map_or_else(|| name.to_owned(), variable_name);
            if default.is_some() || OF_THE_PLACE.contains(&name.as_str()) {
                return reference.to_owned();
            }
            if name.contains(':') {
                return reference.to_owned();
            }
            if !inputs.iter().any(|input| input.name == name) {
                inputs.push(ImportInput {
                    required: true,
                    secret: name_suggests_secret(&name),
                    name: name.clone(),
                    ..ImportInput::default()
                });
            }
            format!("${{{name}}}")
        });
    };
    match &mut candidate.draft.endpoint {
        DraftEndpoint::Stdio {
            command,
            arguments,
            environment,
            working_directory,
        } => {
            for name in taken_by_container(command, arguments) {
                if !environment.iter().any(|variable| variable.name == name) {
                    environment.push(NamedText {
                        text: format!("${{{name}}}"),
                        name,
                    });
                }
            }
            for path in arguments
                .iter_mut()
                .chain([&mut *command])
                .chain(working_directory.as_mut())
            {
                if let Some(rest) = path.strip_prefix("~/") {
                    *path = format!("${{HOME}}/{rest}");
                    has_tilde = true;
                }
            }
            visit(command);
            arguments.iter_mut().for_each(&mut visit);
            environment
                .iter_mut()
                .for_each(|variable| visit(&mut variable.text));
            working_directory.iter_mut().for_each(&mut visit);
        }
        DraftEndpoint::Remote(remote) => {
            visit(&mut remote.url);
            remote
                .headers
                .iter_mut()
                .for_each(|header| visit(&mut header.text));
        }
    }
    candidate.inputs = inputs;
    if has_tilde {
        candidate.notes.push(TILDE.to_owned());
    }
}

/// The variables that `docker run -e NAME` hands on from its own environment.
fn taken_by_container(command: &str, arguments: &[String]) -> Vec<String> {
    let program = command.rsplit(['/', '\\']).next().unwrap_or(command);
    if !matches!(
        program.trim_end_matches(".exe"),
        "docker" | "podman" | "nerdctl"
    ) {
        return Vec::new();
    }
    let mut words = arguments.iter().map(String::as_str);
    let mut names = Vec::new();
    while let Some(word) = words.next() {
        let named = match word {
            "-e" | "--env" => words.next(),
            _ => word
                .strip_prefix("--env=")
                .or_else(|| word.strip_prefix("-e").filter(|rest| !rest.is_empty())),
        };
        let is_name = |name: &&str| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|character| character.is_ascii_alphanumeric() || character == '_')
        };
        if let Some(name) = named.filter(is_name) {
            names.push(name.to_owned());
        }
    }
    names
}
