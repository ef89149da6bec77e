use std::{collections::HashMap, path::PathBuf};

use sightglass_model::ServerId;

use crate::{
    entry::ServerEntry,
    file::{ScopeFile, read_scope_file},
    places::{Places, Scope},
};

/// The client whose files these are, as it stands in a [`ServerId`].
pub const CLIENT: &str = "mcp-json";

/// All scope files together, and what comes out of them.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectiveConfig {
    /// Every scope, the lowest precedence first, whether its file exists or not.
    pub files: Vec<ScopeFile>,
    /// Every server once, in the order of the files and then of the entries that win.
    pub servers: Vec<EffectiveServer>,
}

impl EffectiveConfig {
    pub fn server(&self, id: &ServerId) -> Option<&EffectiveServer> {
        self.servers.iter().find(|server| server.id == *id)
    }

    pub fn file(&self, scope: Scope) -> Option<&ScopeFile> {
        self.files.iter().find(|file| file.scope == scope)
    }
}

/// A server, as the highest of the files that define it says.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectiveServer {
    pub id: ServerId,
    pub name: String,
    /// Where it is defined.
    pub scope: Scope,
    pub path: PathBuf,
    pub line: u32,
    /// The definition that counts, also when it is wrong or disabled: a server is replaced
    /// whole, so a lower definition never stands in for it.
    pub entry: ServerEntry,
    /// The definitions that it replaces, the highest first.
    pub shadowed: Vec<Shadowed>,
    /// The project against which relative paths are understood.
    pub project: PathBuf,
}

/// A definition that does not count because a higher one exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shadowed {
    pub scope: Scope,
    pub path: PathBuf,
    pub line: u32,
}

/// Reads all scope files and merges them. Never fails as a whole: a file that cannot be used
/// says so in its [`FileState`](crate::FileState), and the others count.
pub fn load(places: &Places) -> EffectiveConfig {
    let files = Scope::ALL
        .into_iter()
        .map(|scope| read_scope_file(scope, &places.path(scope)))
        .collect();
    merge(places, files)
}

/// Merges files that were read, whatever order they come in.
pub fn merge(places: &Places, mut files: Vec<ScopeFile>) -> EffectiveConfig {
    files.sort_by_key(|file| file.scope);
    let mut definitions: HashMap<&str, Vec<&ServerEntry>> = HashMap::new();
    let entries = || files.iter().flat_map(|file| &file.entries);
    for entry in entries() {
        definitions.entry(&entry.name).or_default().push(entry);
    }
    let servers = entries()
        .filter_map(|entry| {
            let (winner, lower) = definitions.get(entry.name.as_str())?.split_last()?;
            (winner.scope == entry.scope).then(|| EffectiveServer {
                id: ServerId::new(CLIENT, &entry.name),
                name: entry.name.clone(),
                scope: entry.scope,
                path: entry.path.clone(),
                line: entry.line,
                entry: entry.clone(),
                shadowed: lower.iter().rev().map(|entry| shadow(entry)).collect(),
                project: places.project.clone(),
            })
        })
        .collect();
    EffectiveConfig { files, servers }
}

fn shadow(entry: &ServerEntry) -> Shadowed {
    Shadowed {
        scope: entry.scope,
        path: entry.path.clone(),
        line: entry.line,
    }
}
