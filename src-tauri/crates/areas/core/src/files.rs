//! The small files in the data directory, one for each thing that outlives the program.

use std::{
    collections::{BTreeMap, HashMap},
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use sightglass_files::create_private_directory;
use sightglass_model::{KnownEndpoint, ServerId, rename_stored};

use crate::{
    approvals::Approvals,
    error::InspectorError,
    per_server::{ChosenFolders, PerServer},
    persistence::Persistence,
    stored_change::StoredChange,
    stored_task::StoredTask,
    view::{ServerSettings, Settings},
};

/// Number of tools whose arguments are remembered; those of the longest unused are forgotten.
const MAX_REMEMBERED: usize = 1000;

/// Longer arguments are not remembered.
const MAX_ARGUMENT_BYTES: usize = 256 * 1024;

/// Bytes of arguments that are remembered in all, so that the file can be read again
/// ([`sightglass_files::MAX_FILE_SIZE`]) even when every character is escaped in it.
const MAX_REMEMBERED_BYTES: usize = 4 * 1024 * 1024;

/// The data directory.
#[derive(Clone)]
pub struct DataFiles {
    directory: PathBuf,
}

impl DataFiles {
    pub fn new(directory: PathBuf) -> Self {
        Self { directory }
    }

    /// Opens the directory of a host.
    pub fn open(directory: PathBuf, persistence: Persistence) -> Self {
        let data = Self::new(directory);
        data.tighten(persistence);
        data
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Makes the directory the owner's alone. One that does not exist is made where everything is
    /// kept. What comes of a failure is told by those who write there.
    fn tighten(&self, persistence: Persistence) {
        let is_wanted = persistence != Persistence::Nothing || self.directory.exists();
        if is_wanted && let Err(error) = create_private_directory(&self.directory) {
            tracing::warn!("{}: {error}", self.directory.display());
        }
    }

    /// Directory of the record of the window.
    pub fn record_directory(&self) -> PathBuf {
        self.directory.join("record")
    }

    /// Directory of the record of sessions that go on in the background.
    pub fn background_record_directory(&self) -> PathBuf {
        self.directory.join("background").join("record")
    }

    /// Directory of the records of opened session files.
    pub fn session_directory(&self) -> PathBuf {
        self.directory.join("sessions")
    }

    fn settings(&self) -> PathBuf {
        self.directory.join("settings.json")
    }

    fn arguments(&self) -> PathBuf {
        self.directory.join("arguments.json")
    }

    fn found(&self) -> PathBuf {
        self.directory.join("found.json")
    }

    /// The settings; the defaults where the file cannot be read.
    pub fn read_settings(&self) -> Settings {
        completed(read(&self.settings()))
    }

    pub fn write_settings(&self, settings: &Settings) -> Result<(), InspectorError> {
        self.write(&self.settings(), settings, "The settings")
    }

    pub fn read_arguments(&self) -> RememberedArguments {
        read(&self.arguments())
    }

    pub fn write_arguments(&self, arguments: &RememberedArguments) -> Result<(), InspectorError> {
        self.write(&self.arguments(), arguments, "The arguments")
    }

    fn recent_projects(&self) -> PathBuf {
        self.directory.join("projects.json")
    }

    pub fn read_recent_projects(&self) -> Vec<PathBuf> {
        read(&self.recent_projects())
    }

    pub fn write_recent_projects(&self, projects: &[PathBuf]) -> Result<(), InspectorError> {
        self.write(&self.recent_projects(), &projects, "The projects")
    }

    fn approvals(&self) -> PathBuf {
        self.directory.join("approvals.json")
    }

    pub fn read_approvals(&self) -> Approvals {
        read(&self.approvals())
    }

    pub fn write_approvals(&self, approvals: &Approvals) -> Result<(), InspectorError> {
        self.write(&self.approvals(), approvals, "The approvals")
    }

    fn changes(&self) -> PathBuf {
        self.directory.join("changes.json")
    }

    /// Returns the latest changes of configuration files, the latest last.
    pub fn read_changes(&self) -> Vec<StoredChange> {
        read(&self.changes())
    }

    pub fn write_changes(&self, changes: &[StoredChange]) -> Result<(), InspectorError> {
        self.write(&self.changes(), &changes, "The list of changes")
    }

    /// File of the user's answers about folders.
    pub fn folders(&self) -> PathBuf {
        self.directory.join("folders.json")
    }

    /// Returns the folders that the user trusts.
    pub fn read_folders(&self) -> BTreeMap<String, bool> {
        read(&self.folders())
    }

    pub fn write_folders(&self, folders: &BTreeMap<String, bool>) -> Result<(), InspectorError> {
        self.write(&self.folders(), folders, "The trust in the folder")
    }

    fn roots(&self) -> PathBuf {
        self.directory.join("roots.json")
    }

    /// File of the rules that answer questions of servers.
    pub fn answer_rules(&self) -> PathBuf {
        self.directory.join("rules.toml")
    }

    /// Returns the roots that the user chose for servers.
    pub fn read_roots(&self) -> PerServer<ChosenFolders> {
        read(&self.roots())
    }

    pub fn write_roots(&self, roots: &PerServer<ChosenFolders>) -> Result<(), InspectorError> {
        self.write(&self.roots(), roots, "The folders of the server")
    }

    fn server_settings(&self) -> PathBuf {
        self.directory.join("servers.json")
    }

    /// Returns the settings of single servers.
    pub fn read_server_settings(&self) -> PerServer<ServerSettings> {
        let stored: PerServer<Map<String, Value>> = read(&self.server_settings());
        stored.map(completed)
    }

    pub fn write_server_settings(
        &self,
        settings: &PerServer<ServerSettings>,
    ) -> Result<(), InspectorError> {
        self.write(
            &self.server_settings(),
            settings,
            "The settings of the server",
        )
    }

    fn tasks(&self) -> PathBuf {
        self.directory.join("tasks.json")
    }

    /// Returns the tasks of all projects.
    pub fn read_tasks(&self) -> Vec<StoredTask> {
        let mut tasks: Vec<Value> = read(&self.tasks());
        for task in &mut tasks {
            rename_stored(task, &[]);
        }
        parsed(Value::Array(tasks))
    }

    pub fn write_tasks(&self, tasks: &[StoredTask]) -> Result<(), InspectorError> {
        self.write(&self.tasks(), &tasks, "The tasks")
    }

    /// Endpoints that were found, by server id.
    pub fn read_found(&self) -> HashMap<ServerId, KnownEndpoint> {
        let mut found: Map<String, Value> = read(&self.found());
        for endpoint in found.values_mut() {
            rename_stored(endpoint, &["transport"]);
        }
        parsed(Value::Object(found))
    }

    pub fn write_found(
        &self,
        found: &HashMap<ServerId, KnownEndpoint>,
    ) -> Result<(), InspectorError> {
        self.write(&self.found(), found, "What was found out about servers")
    }

    fn write<T: Serialize>(
        &self,
        path: &Path,
        value: &T,
        what: &str,
    ) -> Result<(), InspectorError> {
        let failed = |source: io::Error| InspectorError::Save {
            what: what.to_owned(),
            source,
        };
        let text = serde_json::to_vec_pretty(value).map_err(|error| failed(error.into()))?;
        create_private_directory(&self.directory).map_err(failed)?;
        sightglass_files::replace(path, &text).map_err(failed)
    }
}

/// Replaces a file of the user's choice in one step, with its directory. It is readable by its
/// owner alone.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    sightglass_files::replace(path, content)
}

/// A file that is missing or unreadable counts as empty: nothing in it is worth an error at
/// start, and it is whole again after the next change.
fn read<T: DeserializeOwned + Default>(path: &Path) -> T {
    let parsed = match sightglass_files::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(io::Error::from),
        Err(error) if error.is_absence() => return T::default(),
        Err(error) => Err(error.into()),
    };
    parsed.unwrap_or_else(|error| {
        tracing::warn!(
            "{} is not readable and counts as empty: {error}",
            path.display()
        );
        T::default()
    })
}

/// Returns what is stored; it counts as empty where it cannot be used.
fn parsed<T: Default + DeserializeOwned>(stored: Value) -> T {
    serde_json::from_value(stored).unwrap_or_else(|error| {
        tracing::warn!("a file of the data directory counts as empty: {error}");
        T::default()
    })
}

/// Stored settings, with the default for each one that an older version did not write, and the
/// defaults alone where they cannot be used.
fn completed<T: Default + Serialize + DeserializeOwned>(stored: Map<String, Value>) -> T {
    let defaults = serde_json::to_value(T::default()).unwrap_or_default();
    let mut whole = Value::Object(stored);
    rename_stored(&mut whole, &["kind"]);
    complete(&mut whole, defaults);
    serde_json::from_value(whole).unwrap_or_default()
}

fn complete(value: &mut Value, defaults: Value) {
    if let (Value::Object(members), Value::Object(defaults)) = (value, defaults) {
        for (name, default) in defaults {
            match members.get_mut(&name) {
                Some(member) => complete(member, default),
                None => drop(members.insert(name, default)),
            }
        }
    }
}

/// The arguments of the last call of each tool, the latest call last.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RememberedArguments(Vec<ToolArguments>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ToolArguments {
    server: ServerId,
    tool: String,
    /// JSON, as it was sent.
    arguments: String,
}

impl RememberedArguments {
    pub fn get(&self, server: &ServerId, tool: &str) -> Option<&str> {
        // The newest stand at the end, and are asked for most.
        self.0
            .iter()
            .rev()
            .find(|entry| entry.server == *server && entry.tool == tool)
            .map(|entry| entry.arguments.as_str())
    }

    pub fn remember(&mut self, server: &ServerId, tool: &str, arguments: &str) {
        if arguments.len() > MAX_ARGUMENT_BYTES {
            return;
        }
        self.0
            .retain(|entry| entry.server != *server || entry.tool != tool);
        self.0.push(ToolArguments {
            server: server.clone(),
            tool: tool.to_owned(),
            arguments: arguments.to_owned(),
        });
        let mut bytes = 0;
        let fitting = self
            .0
            .iter()
            .rev()
            .take(MAX_REMEMBERED)
            .take_while(|entry| {
                bytes += entry.arguments.len();
                bytes <= MAX_REMEMBERED_BYTES
            });
        let surplus = self.0.len() - fitting.count();
        self.0.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use sightglass_model::TransportKind;
    use sightglass_model_endpoint::EndpointKind;

    use super::*;
    use crate::view::NetworkSettings;

    #[test]
    fn the_last_arguments_of_a_tool_survive_a_restart() {
        let directory = tempfile::tempdir().expect("a directory");
        let server = ServerId::demo();
        let mut remembered = RememberedArguments::default();
        remembered.remember(&server, "echo", r#"{"n":1}"#);
        remembered.remember(&server, "echo", r#"{"n":9007199254740993}"#);
        let files = DataFiles::new(directory.path().join("new"));
        files.write_arguments(&remembered).expect("written");
        let read = files.read_arguments();
        assert_eq!(read.get(&server, "echo"), Some(r#"{"n":9007199254740993}"#));
        assert_eq!(read.get(&server, "add"), None);
    }

    #[test]
    fn a_broken_settings_file_counts_as_the_defaults() {
        let directory = tempfile::tempdir().expect("a directory");
        let files = DataFiles::new(directory.path().to_owned());
        sightglass_files::replace(&files.settings(), b"{ half").expect("written");
        assert_eq!(files.read_settings(), Settings::default());
    }

    #[test]
    fn a_setting_that_an_older_version_did_not_write_has_its_default() {
        let directory = tempfile::tempdir().expect("a directory");
        let files = DataFiles::new(directory.path().to_owned());
        let stored = br#"{"message_limit": 7, "network": {"proxy": "http://p"}}"#;
        sightglass_files::replace(&files.settings(), stored).expect("written");
        let wanted = Settings {
            message_limit: 7,
            network: NetworkSettings {
                proxy: "http://p".to_owned(),
                ..NetworkSettings::default()
            },
            ..Settings::default()
        };
        assert_eq!(files.read_settings(), wanted);
    }

    #[test]
    fn names_that_an_earlier_version_wrote_in_snake_case_are_read() {
        let directory = tempfile::tempdir().expect("a directory");
        let files = DataFiles::new(directory.path().to_owned());
        let write = |path: &Path, text: &str| {
            sightglass_files::replace(path, text.as_bytes()).expect("written");
        };
        let settings = r#"{"ping_interval": 7, "models": [
            {"name": "m", "kind": "openai_chat", "url": "http://m", "model": "m"}]}"#;
        write(&files.settings(), settings);
        let read = files.read_settings();
        assert_eq!(read.ping_interval, 7);
        assert_eq!(read.models[0].kind, EndpointKind::OpenaiChat);
        let found = r#"{"mcp-json:a_b":
            {"endpoint": "e", "transport": "web_socket", "era": "legacy"}}"#;
        write(&files.found(), found);
        let found = files.read_found();
        let endpoint = &found[&ServerId::new("mcp-json", "a_b")];
        assert_eq!(endpoint.transport, TransportKind::WebSocket);
        let tasks = r#"[{"project": "p", "server": "mcp-json:a", "era": "modern", "id": "t",
            "status": "input_required", "ttl_ms": 5.0, "created": 1, "updated": 1,
            "is_unknown": true}]"#;
        write(&files.tasks(), tasks);
        let tasks = files.read_tasks();
        assert_eq!(
            (tasks[0].facts.ttl_ms, tasks[0].is_unknown),
            (Some(5.0), true)
        );
    }

    #[test]
    fn the_longest_unused_arguments_are_forgotten_first() {
        let server = ServerId::demo();
        let mut remembered = RememberedArguments::default();
        for number in 0..=MAX_REMEMBERED {
            remembered.remember(&server, &number.to_string(), "{}");
        }
        assert_eq!(remembered.get(&server, "0"), None);
        assert_eq!(remembered.get(&server, "1"), Some("{}"));
    }
}
