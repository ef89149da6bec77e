//! Loads every client's files, and merges them for each client by its own precedence.

pub(crate) mod chimera;
mod claude_state;
pub(crate) mod client_approvals;
mod file_version;
mod mistaken_files;
pub(crate) mod permission_files;
pub(crate) mod policy;
pub(crate) mod url_pattern;
pub(crate) mod watch;

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use serde_json::{Map, Value};
use sightglass_files::ReadError;

use crate::{
    client::{Client, Machine, limits::environment_limits},
    definition::{Definition, Surroundings, read_definitions},
    load::{
        claude_state::state_excerpt,
        client_approvals::{ClientApproval, ClientApprovals},
        mistaken_files::mistaken_servers,
    },
    scopes::{MergeRule, ScopePlace, facts, scopes},
    text::{
        excerpt::ExcerptError,
        file::{FileState, decode, is_claude_state, unreadable_reason},
        problem::Problem,
    },
};

/// One scope of a client, read.
#[derive(Clone)]
pub struct ClientFile {
    pub place: ScopePlace,
    pub state: FileState,
    pub warnings: Vec<Problem>,
    pub definitions: Vec<Definition>,
    /// Differs when the content does.
    pub content: u64,
}

impl ClientFile {
    /// All that is wrong with the file and its entries.
    pub fn problems(&self) -> Vec<Problem> {
        let broken = self.state.problems().iter();
        broken
            .chain(&self.warnings)
            .chain(self.definitions.iter().flat_map(Definition::problems))
            .cloned()
            .collect()
    }

    /// The secrets that stand in the entries themselves, as problems of a file that git tracks.
    pub fn exposed_secrets(&self) -> impl Iterator<Item = Problem> {
        self.definitions.iter().flat_map(|definition| {
            let exposed = definition.exposed.iter();
            exposed.map(|secret| secret.problem(&definition.name))
        })
    }

    pub fn definition(&self, name: &str) -> Option<&Definition> {
        self.definitions
            .iter()
            .find(|definition| definition.name == name)
    }
}

/// A client's files and servers.
#[derive(Clone)]
pub struct ClientConfig {
    pub client: Client,
    /// The lowest precedence first.
    pub files: Vec<ClientFile>,
    /// Every server once, in the order of the files and then of the entries that win.
    pub servers: Vec<ClientServer>,
    /// Approvals, rejections and switches that stand beside the servers.
    pub approvals: ClientApprovals,
}

/// One server of a client.
#[derive(Clone)]
pub struct ClientServer {
    pub name: String,
    /// Definitions, by the index of the file and that of the definition, the lowest
    /// precedence first. What the client does not take into account is below all others.
    /// Never empty.
    pub places: Vec<(usize, usize)>,
}

impl ClientConfig {
    /// Returns true when a file of the client is there, also one in which it does not look for
    /// servers.
    pub fn is_found(&self) -> bool {
        let mut files = self.files.iter();
        files.any(|file| file.state != FileState::Missing || !file.warnings.is_empty())
    }

    /// The definitions of a server with their files, the one that wins first.
    pub fn definitions(&self, server: &ClientServer) -> Vec<(&ClientFile, &Definition)> {
        server
            .places
            .iter()
            .rev()
            .map(|(file, definition)| {
                let file = &self.files[*file];
                (file, &file.definitions[*definition])
            })
            .collect()
    }

    /// The one entry that takes effect: that of the highest file, or those of several merged.
    /// The second value tells whether any part of it may have come with the project.
    pub fn effective_definition(
        &self,
        server: &ClientServer,
        machine: &Machine,
    ) -> (Definition, bool) {
        let (mut definition, comes_with_project) = self.merged_definition(server, machine);
        if let Ok(spec) = &mut definition.spec {
            spec.limits.environment = environment_limits(self.client, machine);
        }
        (definition, comes_with_project)
    }

    fn merged_definition(&self, server: &ClientServer, machine: &Machine) -> (Definition, bool) {
        let definitions = self.definitions(server);
        let (file, highest) = definitions[0];
        let comes_with_project = file.place.comes_with_project(machine);
        if facts(self.client).merge == MergeRule::Whole {
            return (highest.clone(), comes_with_project);
        }
        let mut counting = definitions
            .iter()
            .skip(1)
            .filter(|(file, definition)| {
                self.approval(file, definition) == ClientApproval::Approved
            })
            .peekable();
        if counting.peek().is_none() || highest.spec.is_err() && highest.common.expose().is_empty()
        {
            return (highest.clone(), comes_with_project);
        }
        let comes_with_project =
            comes_with_project || counting.any(|(file, _)| file.place.comes_with_project(machine));
        let dialect = file.place.layout.sections[highest.section].dialect;
        let merged = highest.merged(self.effective(server), dialect);
        (merged, comes_with_project)
    }

    /// Returns the client's own approval of a definition.
    pub fn approval(&self, file: &ClientFile, definition: &Definition) -> ClientApproval {
        self.approvals
            .of(&file.place.target.scope, &definition.name)
    }

    pub fn server(&self, name: &str) -> Option<&ClientServer> {
        self.servers.iter().find(|server| server.name == name)
    }

    pub fn file(&self, scope: &str) -> Option<&ClientFile> {
        self.files
            .iter()
            .find(|file| file.place.target.scope == scope)
    }

    /// The entry that the client uses, in the common form.
    pub fn effective(&self, server: &ClientServer) -> Map<String, Value> {
        let definitions = self.definitions(server);
        match facts(self.client).merge {
            MergeRule::Whole => definitions
                .first()
                .map(|(_, definition)| definition.common.expose().clone())
                .unwrap_or_default(),
            MergeRule::Fields => {
                let counts = |(file, definition): &&(&ClientFile, &Definition)| {
                    self.approval(file, definition) == ClientApproval::Approved
                };
                let counting = definitions.iter().filter(counts).count();
                let mut merged = Map::new();
                // Where none counts, the highest says what there would be.
                for (_, definition) in definitions.iter().take(counting.max(1)).rev() {
                    if self.client == Client::Opencode {
                        remove_replaced(&mut merged, definition);
                    }
                    merge_fields(&mut merged, &definition.with_absolute_files());
                }
                merged
            }
        }
    }
}

/// Takes out of a merged entry what a higher one of OpenCode replaces without naming it: the
/// program and its arguments are one list there, and a server under `mcp.servers` that does not
/// say that it is off says that it is on.
fn remove_replaced(merged: &mut Map<String, Value>, higher: &Definition) {
    let entry = higher.common.expose();
    if entry.contains_key("command") {
        merged.remove("args");
    }
    if higher.section > 0 {
        merged.remove("disabled");
    }
}

fn merge_fields(into: &mut Map<String, Value>, from: &Map<String, Value>) {
    for (key, value) in from {
        match (into.get_mut(key), value) {
            (Some(Value::Object(old)), Value::Object(new)) => merge_fields(old, new),
            _ => {
                into.insert(key.clone(), value.clone());
            }
        }
    }
}

/// Reads the files of all clients.
pub fn load_clients(machine: &Machine) -> Vec<ClientConfig> {
    Client::ALL
        .into_iter()
        .map(|client| read_client(client, machine))
        .collect()
}

/// Reads the files of one client.
pub fn read_client(client: Client, machine: &Machine) -> ClientConfig {
    let files = scopes(client, machine)
        .into_iter()
        .map(read_scope_file)
        .collect();
    combine(client, files, ClientApprovals::load(client, machine))
}

/// Orders the servers of files that were read, the lowest precedence first.
pub fn combine(client: Client, files: Vec<ClientFile>, standings: ClientApprovals) -> ClientConfig {
    let mut places: HashMap<&str, Vec<(usize, usize)>> = HashMap::new();
    for (file, read) in files.iter().enumerate() {
        for (index, definition) in read.definitions.iter().enumerate() {
            places
                .entry(&definition.name)
                .or_default()
                .push((file, index));
        }
    }
    for (name, all) in &mut places {
        all.sort_by_key(|(file, index)| {
            let read = &files[*file];
            let scope = &read.place.target.scope;
            (
                !read.definitions[*index].is_skipped(client),
                standings.of(scope, name) == ClientApproval::Approved,
                *file,
            )
        });
    }
    let mut servers = Vec::with_capacity(places.len());
    for (file, read) in files.iter().enumerate() {
        for definition in &read.definitions {
            let Some(all) = places.get(definition.name.as_str()) else {
                continue;
            };
            if all.last().is_some_and(|(winner, _)| *winner == file) {
                servers.push(ClientServer {
                    name: definition.name.clone(),
                    places: all.clone(),
                });
            }
        }
    }
    ClientConfig {
        client,
        files,
        servers,
        approvals: standings,
    }
}

/// Reads the file of a scope. Never fails: see [`FileState`]. Servers that were written into another
/// file by mistake are a warning.
pub fn read_scope_file(place: ScopePlace) -> ClientFile {
    let mistaken: Vec<Problem> = { place.mistaken.iter() }
        .filter_map(mistaken_servers)
        .collect();
    let mut file = read_own_file(place);
    file.warnings.extend(mistaken);
    file
}

fn read_own_file(place: ScopePlace) -> ClientFile {
    match sightglass_files::read(&place.path) {
        Ok(bytes) => match decode(bytes) {
            Ok(text) => parse_scope_file(place, &text),
            Err(problem) => unread(
                place,
                FileState::Broken {
                    problems: vec![problem],
                },
            ),
        },
        Err(error) if error.is_absence() => unread(place, FileState::Missing),
        Err(ReadError::TooLarge { .. }) if is_claude_state(&place.path) => read_excerpt(place),
        Err(error) => unreadable(place, &error),
    }
}

/// Reads the servers of Claude Code's state where that is too large to be read whole.
fn read_excerpt(place: ScopePlace) -> ClientFile {
    let broken = |problem| FileState::Broken {
        problems: vec![problem],
    };
    match state_excerpt(&place.path).map(decode) {
        Ok(Ok(text)) => parse_scope_file(place, &text),
        Ok(Err(problem)) => unread(place, broken(problem)),
        Err(ExcerptError::Malformed(line)) => unread(place, broken(ExcerptError::malformed(line))),
        Err(ExcerptError::Unreadable(error)) => unreadable(place, &error),
    }
}

fn unreadable(place: ScopePlace, error: &ReadError) -> ClientFile {
    let message = unreadable_reason(error, &place.path);
    unread(place, FileState::Unreadable { message })
}

fn unread(place: ScopePlace, state: FileState) -> ClientFile {
    ClientFile {
        place,
        state,
        warnings: Vec::new(),
        definitions: Vec::new(),
        content: 0,
    }
}

/// Reads the text of a scope's file.
pub fn parse_scope_file(place: ScopePlace, text: &str) -> ClientFile {
    let reading = read_definitions(&place.layout, text);
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let surroundings = Arc::new(Surroundings {
        variables: place.variables.clone(),
        inputs: reading.inputs,
        directory: place
            .path
            .parent()
            .map(std::path::Path::to_owned)
            .unwrap_or_default(),
        home: place.home.clone(),
    });
    let mut definitions = reading.definitions;
    for definition in &mut definitions {
        definition.name.insert_str(0, &place.name_prefix);
        definition.surroundings = surroundings.clone();
    }
    ClientFile {
        place,
        state: reading.state,
        warnings: reading.warnings,
        definitions,
        content: hasher.finish(),
    }
}
