use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use sightglass_inspector::{
    ConfirmationMode, ConnectionStatus, ExchangeKind, ExchangeRow, Headless, Host, Inspector,
    InspectorError, InspectorOptions, ListKind, Persistence, Phase, Places, ServerAnswer, ServerId,
    ServerQuestion, TrafficQuery,
    view::{
        BlockBody, Blocked, CallReport, ExportFormat, ExportReport, ExportScope, ResultView,
        ServerView, TrafficExport,
    },
};
use tempfile::TempDir;

use crate::{programs, user::User};

/// Longer than anything in a story takes on a busy machine; reaching it is a failure.
const CONDITION_TIMEOUT: Duration = Duration::from_secs(60);

/// An [`Inspector`] with a home, a project and a data directory of its own.
pub struct TestHost {
    pub inspector: Arc<Inspector>,
    directories: TempDir,
}

/// Environment of the program.
#[derive(Default)]
pub struct Environment {
    pub variables: HashMap<String, String>,
    /// The user before the browser; `$BROWSER` when absent.
    pub user: Option<Arc<User>>,
    /// True when calls wait for the user to confirm them, as in the window.
    pub confirms: bool,
}

impl Environment {
    /// A user signs in wherever the program asks.
    pub fn with(user: &Arc<User>) -> Self {
        Self {
            user: Some(Arc::clone(user)),
            ..Self::default()
        }
    }

    /// This variable is set.
    pub fn and(mut self, name: &str, value: impl ToString) -> Self {
        self.variables.insert(name.to_owned(), value.to_string());
        self
    }
}

impl TestHost {
    /// Starts on what these directories hold, approving nothing and trusting no folder.
    fn on(directories: TempDir, environment: Environment) -> Self {
        Self {
            inspector: open(directories.path(), environment),
            directories,
        }
    }

    /// Trusts the project's folder, as the user of most stories would.
    fn trusted(self) -> Self {
        self.inspector
            .servers
            .folder_trust
            .trust_folder()
            .expect("trusted");
        self
    }

    /// A folder that somebody else wrote: with these servers in its file and these in the
    /// user's own. Nothing is approved, and the folder is not trusted.
    pub fn in_foreign_folder(theirs: Value, own: Value, environment: Environment) -> Self {
        let directories = Self::prepared(theirs);
        write(
            &directories.path().join("home/.claude/.mcp.json"),
            &json!({ "mcpServers": own }).to_string(),
        );
        Self::on(directories, environment)
    }

    /// Starts on these files, each with its path below the directory that holds `home` and
    /// `project`. The folder is trusted; nothing is approved.
    pub fn on_files(files: &[(&str, &str)], environment: Environment) -> Self {
        let directories = TempDir::new().expect("a temporary directory");
        for name in ["home", "project"] {
            std::fs::create_dir(directories.path().join(name)).expect("created");
        }
        for (path, text) in files {
            write(&directories.path().join(path), text);
        }
        Self::on(directories, environment).trusted()
    }

    /// A second program on the same directories.
    pub fn beside(&self, environment: Environment) -> Arc<Inspector> {
        open(self.directories.path(), environment)
    }

    /// As [`with_servers`](Self::with_servers), with somebody before the browser.
    pub fn with_user(servers: Value, environment: Environment) -> Self {
        Self::on(Self::prepared(servers), environment)
            .trusted()
            .approved()
    }

    /// As [`with_servers`](Self::with_servers), with nothing approved: as a project that
    /// somebody else wrote and whose folder the user trusts.
    pub fn with_foreign_servers(servers: Value) -> Self {
        Self::on(Self::prepared(servers), Environment::default()).trusted()
    }

    fn prepared(servers: Value) -> TempDir {
        let directories = TempDir::new().expect("a temporary directory");
        std::fs::create_dir(directories.path().join("home")).expect("created");
        write(
            &directories.path().join("project/.claude/.mcp.json"),
            &json!({ "mcpServers": servers }).to_string(),
        );
        directories
    }

    /// Approves what waits for it.
    fn approved(self) -> Self {
        self.approve_all_but(&[]);
        self
    }

    /// Approves every server that waits for it, as the user of the story would, but for these.
    pub fn approve_all_but(&self, exceptions: &[&str]) {
        for server in self.inspector.snapshot().servers {
            if server.blocked == Some(Blocked::Waiting)
                && !exceptions.contains(&server.name.as_str())
            {
                let request = self.inspector.servers.trust.trust_request(&server.id);
                let fingerprint = request.expect("it waits").fingerprint;
                self.inspector
                    .servers
                    .trust
                    .approve_server(&server.id, &fingerprint)
                    .expect("approved");
            }
        }
    }

    /// Approves the entry of a server as it is now, once it waits for that.
    pub fn approves(&self, server: &ServerId) -> Option<()> {
        let servers = self.inspector.snapshot().servers;
        let waits =
            |known: &ServerView| known.id == *server && known.blocked == Some(Blocked::Waiting);
        servers.iter().any(waits).then(|| self.approve_all_but(&[]))
    }

    /// Starts with nothing configured.
    pub fn new() -> Self {
        let directories = TempDir::new().expect("a temporary directory");
        for name in ["home", "project"] {
            std::fs::create_dir(directories.path().join(name)).expect("created");
        }
        Self::on(directories, Environment::default()).trusted()
    }

    /// Starts with these servers in `<project>/.claude/.mcp.json`, approved.
    pub fn with_servers(servers: Value) -> Self {
        Self::with_environment(servers, [])
    }

    /// As [`with_servers`](Self::with_servers), with variables set.
    pub fn with_environment<const N: usize>(servers: Value, variables: [(&str, &str); N]) -> Self {
        let variables = variables
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        let environment = Environment {
            variables,
            ..Environment::default()
        };
        Self::on(Self::prepared(servers), environment)
            .trusted()
            .approved()
    }

    /// The place of a file, by its path below the directory that holds `home` and `project`.
    pub fn path(&self, path: &str) -> PathBuf {
        self.directories.path().join(path)
    }

    pub fn home(&self) -> PathBuf {
        self.directories.path().join("home")
    }

    pub fn project(&self) -> PathBuf {
        self.directories.path().join("project")
    }

    /// Directory that stands for `/` above the files that an administrator writes.
    pub fn system(&self) -> PathBuf {
        self.directories.path().join("system")
    }

    pub fn data(&self) -> PathBuf {
        self.directories.path().join("data")
    }

    /// Writes a file, directories included.
    pub fn write(&self, path: &Path, text: &str) {
        write(path, text);
    }

    /// Ends the program and starts it again on the same directories.
    pub async fn restart(self) -> Self {
        self.restart_in(Environment::default()).await
    }

    /// The same, in other environment.
    pub async fn restart_in(self, environment: Environment) -> Self {
        self.inspector.shutdown().await;
        drop(self.inspector);
        Self::on(self.directories, environment).approved()
    }

    /// The same, with nothing more approved than before.
    pub async fn restart_unapproved(self) -> Self {
        self.inspector.shutdown().await;
        drop(self.inspector);
        Self::on(self.directories, Environment::default())
    }

    /// The id of a configured server.
    pub fn id(name: &str) -> ServerId {
        ServerId::new("mcp-json", name)
    }

    /// Connects and waits until the server is ready.
    ///
    /// # Panics
    /// When it fails.
    pub async fn connect(&self, server: &ServerId) -> ConnectionStatus {
        let status = self.try_connect(server).await;
        assert_eq!(status.phase, Phase::Ready, "{:?}", status.failure);
        status
    }

    /// Connects and waits until the server is ready or has failed. How an earlier connection
    /// stood does not count.
    pub async fn try_connect(&self, server: &ServerId) -> ConnectionStatus {
        let before = self.inspector.servers.open_connections.status(server);
        self.inspector
            .servers
            .lifecycle
            .connect(server)
            .expect("a known server with a usable entry");
        self.wait_for(server, |status| {
            matches!(status.phase, Phase::Ready | Phase::Failed)
                && (status.connection, status.since) != (before.connection, before.since)
        })
        .await
    }

    /// Waits until a connection is as wanted.
    pub async fn wait_for(
        &self,
        server: &ServerId,
        wanted: impl Fn(&ConnectionStatus) -> bool,
    ) -> ConnectionStatus {
        self.eventually("the connection's status", || {
            let status = self.inspector.servers.open_connections.status(server);
            wanted(&status).then_some(status)
        })
        .await
    }

    /// Asks again and again until there is an answer.
    ///
    /// # Panics
    /// When there is none within a minute.
    pub async fn eventually<T>(&self, what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
        let asking = async {
            loop {
                if let Some(answer) = ask() {
                    return answer;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(CONDITION_TIMEOUT, asking)
            .await
            .unwrap_or_else(|_| panic!("{what} never came"))
    }

    /// Waits for a question of a server's.
    ///
    /// # Panics
    /// When none comes within a minute.
    pub async fn question(&self) -> ServerQuestion {
        self.eventually("the question", || {
            self.inspector.snapshot().questions.into_iter().next()
        })
        .await
    }

    /// Declines the next questions of servers, one after the other.
    ///
    /// # Panics
    /// When one of them does not come within a minute.
    pub async fn decline_questions(&self, count: usize) {
        for _ in 0..count {
            let question = self.question().await;
            let answer = ServerAnswer::Result {
                json: r#"{"action":"decline"}"#.to_owned(),
            };
            let taken = self
                .inspector
                .calls
                .requests
                .answer_question(question.id, answer);
            taken.expect("taken");
            self.eventually("the answer", || {
                let waiting = self.inspector.snapshot().questions;
                let is_settled = waiting.iter().all(|other| other.id != question.id);
                is_settled.then_some(())
            })
            .await;
        }
    }

    /// Calls a tool.
    pub async fn call(&self, server: &ServerId, tool: &str, arguments: &str) -> CallReport {
        self.inspector
            .calls
            .requests
            .call_tool(server, "call", tool, arguments, None, None)
            .await
            .expect("the call was sent")
    }

    /// Exports what is on record of a server, in the format of our own.
    pub async fn export(
        &self,
        server: &ServerId,
        path: &Path,
    ) -> Result<ExportReport, InspectorError> {
        let export = TrafficExport {
            scope: ExportScope::Server {
                server: server.clone(),
            },
            format: ExportFormat::Ndjson,
            name: server.name().to_owned(),
            texts: true,
            arguments_and_results: false,
            until: None,
        };
        self.inspector
            .record
            .exports
            .export_traffic(export, path, 0)
            .await
    }

    /// The names on a list.
    pub fn names(&self, server: &ServerId, list: ListKind) -> Vec<String> {
        let window = self
            .inspector
            .calls
            .lists
            .items(server, list, "", 0, 1000)
            .expect("connected");
        window.rows.into_iter().map(|row| row.name).collect()
    }

    /// The rows that match a filter, oldest first, once the search is complete.
    pub async fn traffic(&self, filter: &str, kinds: &[ExchangeKind]) -> Vec<ExchangeRow> {
        let query = TrafficQuery {
            filter: filter.into(),
            kinds: kinds.to_vec(),
            ..TrafficQuery::default()
        };
        for _ in 0..1000 {
            let window = self
                .inspector
                .core
                .record()
                .window(query.clone(), 0, 1000)
                .await
                .expect("readable");
            assert_eq!(window.problem, None);
            if window.complete {
                return window.rows;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("the search for {filter:?} never ended");
    }
}

impl Default for TestHost {
    fn default() -> Self {
        Self::new()
    }
}

fn result_of(report: &CallReport) -> &ResultView {
    let result = report.result.as_ref();
    result.unwrap_or_else(|| panic!("no result: {report:?}"))
}

/// The structured content of a result.
///
/// # Panics
/// When it has none.
pub fn structured_of(report: &CallReport) -> Value {
    let part = result_of(report).structured.as_ref();
    let text = part.and_then(|part| part.text.as_deref());
    serde_json::from_str(text.expect("a short value")).expect("JSON")
}

/// The text of a result's first block.
///
/// # Panics
/// When it has none.
pub fn text_of(report: &CallReport) -> String {
    let result = result_of(report);
    match result.blocks.first().map(|block| &block.body) {
        Some(BlockBody::Text { text } | BlockBody::TextResource { text, .. }) => {
            text.text.clone().expect("a short text")
        }
        other => panic!("no text: {other:?}"),
    }
}

fn open(directory: &Path, environment: Environment) -> Arc<Inspector> {
    let program = programs::own("sightglass-demo-server");
    let Environment {
        variables,
        user,
        confirms,
    } = environment;
    let host: Arc<dyn Host> = match user {
        Some(user) => user,
        None => Arc::new(Headless::new(variables.get("BROWSER").cloned())),
    };
    let variables = Mutex::new(variables);
    let options = InspectorOptions {
        places: Places {
            home: directory.join("home"),
            project: directory.join("project"),
        },
        data_directory: directory.join("data"),
        persistence: Persistence::Everything,
        lists: ListKind::ALL.to_vec(),
        demo: Some((program, Vec::new())),
        reaper: None,
        environment: Arc::new(move |name| {
            let known = variables.lock().ok()?.get(name).cloned();
            // Whoever runs the tests keeps their keychain to themselves.
            known.or_else(|| (name == "SIGHTGLASS_KEYCHAIN").then(|| "off".to_owned()))
        }),
        system_root: directory.join("system"),
        confirmation: match confirms {
            true => ConfirmationMode::Ask,
            false => ConfirmationMode::Agreed,
        },
    };
    Inspector::open_on(options, host)
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a file lies in a directory")).expect("created");
    std::fs::write(path, text).expect("written");
}
