//! A bench for connections: a recorder in a temporary directory, the events in order, and
//! the demo server.

#![allow(clippy::disallowed_methods, reason = "a test ends what it starts")]

use std::{
    collections::BTreeMap,
    path::PathBuf,
    process::Command,
    sync::{Arc, Mutex, OnceLock},
    time::Duration,
};

use bytes::Bytes;
use sightglass_connection::{
    ClientIdentity, ConnectionEvent, Connections, ConnectionsOptions, DEFAULT_MESSAGE_LIMIT,
    ListKind, Params, ReaperCommand, RequestEnd, RequestOutcome, RootsOf,
};
use sightglass_model::{
    ConnectionStatus, Endpoint, EraChoice, Failure, FrameId, PermittedSpec, Phase, PhaseRecord,
    RemoteEndpoint, ServerId, ServerRules, ServerSpec, TimeLimits,
};
use sightglass_traffic::{Recorder, RecorderOptions};
use tokio::sync::watch;

/// Nothing here takes this long; a test that waits for it has failed.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Bench {
    pub connections: Connections,
    pub recorder: Recorder,
    events: Arc<Mutex<Vec<ConnectionEvent>>>,
    count: watch::Receiver<usize>,
    _directory: tempfile::TempDir,
}

pub struct Settings {
    pub message_limit: usize,
    pub reaper: Option<ReaperCommand>,
    pub roots: RootsOf,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            message_limit: DEFAULT_MESSAGE_LIMIT,
            reaper: None,
            roots: Arc::new(|_| Vec::new()),
        }
    }
}

impl Bench {
    pub fn new() -> Self {
        Self::with(Settings::default())
    }

    pub fn with(settings: Settings) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let recorder = Recorder::open(RecorderOptions::in_directory(directory.path()));
        let events: Arc<Mutex<Vec<ConnectionEvent>>> = Arc::default();
        let (sender, count) = watch::channel(0);
        let sink = Arc::clone(&events);
        let connections = Connections::new(ConnectionsOptions {
            recorder: recorder.clone(),
            client: ClientIdentity {
                name: "sightglass-test".to_owned(),
                title: Some("Sightglass".to_owned()),
                version: "1.2.3".to_owned(),
            },
            message_limit: settings.message_limit,
            roots: settings.roots,
            rules: Vec::new(),
            lists: ListKind::ALL.to_vec(),
            reaper: settings.reaper,
            proxies: Arc::default(),
            found: Default::default(),
        });
        connections.subscribe_events(Arc::new(move |event: &ConnectionEvent| {
            let mut events = sink.lock().unwrap();
            events.push(event.clone());
            sender.send_replace(events.len());
        }));
        Self {
            connections,
            recorder,
            events,
            count,
            _directory: directory,
        }
    }

    /// Waits until `wanted` finds something in the events so far.
    pub async fn event<T>(&self, wanted: impl Fn(&ConnectionEvent) -> Option<T>) -> T {
        let mut count = self.count.clone();
        let found = async {
            loop {
                if let Some(found) = self.events.lock().unwrap().iter().find_map(&wanted) {
                    return found;
                }
                count.changed().await.unwrap();
            }
        };
        tokio::time::timeout(PATIENCE, found)
            .await
            .expect("the event never came")
    }

    /// Waits until the status fulfils `wanted`.
    pub async fn status(
        &self,
        server: &ServerId,
        wanted: impl Fn(&ConnectionStatus) -> bool,
    ) -> ConnectionStatus {
        let mut count = self.count.clone();
        let found = async {
            loop {
                if let Some(status) = self
                    .connections
                    .status(server)
                    .filter(|status| wanted(status))
                {
                    return status;
                }
                count.changed().await.unwrap();
            }
        };
        match tokio::time::timeout(PATIENCE, found).await {
            Ok(status) => status,
            Err(_) => panic!("the status stays {:#?}", self.connections.status(server)),
        }
    }

    /// Connects and waits for `ready`.
    pub async fn ready(&self, server: &ServerId, spec: ServerSpec) -> ConnectionStatus {
        let status = self.settled(server, spec).await;
        assert_eq!(status.phase, Phase::Ready, "{:#?}", status.failure);
        status
    }

    /// Connects and waits for the failure.
    pub async fn failed(&self, server: &ServerId, spec: ServerSpec) -> Failure {
        let status = self.settled(server, spec).await;
        assert_eq!(status.phase, Phase::Failed);
        status.failure.expect("a failure").failure
    }

    /// Connects and waits until this attempt is ready or has failed.
    async fn settled(&self, server: &ServerId, spec: ServerSpec) -> ConnectionStatus {
        let before = self.events.lock().unwrap().len();
        let mut count = self.count.clone();
        self.connections.connect(server.clone(), permitted(spec));
        let settled = async {
            loop {
                let found = self.events.lock().unwrap()[before..]
                    .iter()
                    .find_map(|event| match event {
                        ConnectionEvent::Status { server: of, status }
                            if of == server
                                && matches!(status.phase, Phase::Ready | Phase::Failed) =>
                        {
                            Some(ConnectionStatus::clone(status))
                        }
                        _ => None,
                    });
                if let Some(status) = found {
                    return status;
                }
                count.changed().await.unwrap();
            }
        };
        match tokio::time::timeout(PATIENCE, settled).await {
            Ok(status) => status,
            Err(_) => panic!("the status stays {:#?}", self.connections.status(server)),
        }
    }

    pub async fn call(&self, server: &ServerId, tool: &str, arguments: &str) -> RequestOutcome {
        let params = Params::tool_call(tool, &params(arguments));
        self.connections
            .request(server, tool, "tools/call", &params)
            .await
            .unwrap()
    }

    /// A plain call goes through: the connection goes on as if nothing had happened.
    pub async fn echoes(&self, server: &ServerId) {
        let report = self.call(server, "echo", r#"{"message":"here"}"#).await;
        assert_eq!(report.end, RequestEnd::Result, "{report:?}");
    }

    pub fn payload(&self, frame: FrameId) -> Bytes {
        self.recorder.payload(frame).unwrap()
    }

    pub fn json(&self, frame: Option<FrameId>) -> serde_json::Value {
        serde_json::from_slice(&self.payload(frame.expect("a frame"))).unwrap()
    }
}

/// Asserts that the detail of a step contains these words.
pub fn came_by(timeline: &[Arc<PhaseRecord>], words: &str) {
    let mut details = timeline
        .iter()
        .filter_map(|record| record.detail.as_deref());
    assert!(details.any(|detail| detail.contains(words)), "{timeline:?}");
}

pub fn params(text: &str) -> Params {
    Params::parse(text).expect("a JSON object")
}

pub fn server(name: &str) -> ServerId {
    ServerId::new("test", name)
}

/// Rules that refuse nothing.
struct NoRules;

impl ServerRules for NoRules {
    fn refusal_of(&self, _: &ServerSpec) -> Option<String> {
        None
    }
}

pub fn permitted(spec: ServerSpec) -> PermittedSpec {
    PermittedSpec::judged(spec, Arc::new(NoRules)).expect("no rule refuses it")
}

pub fn stdio(command: impl Into<String>, arguments: &[&str]) -> ServerSpec {
    ServerSpec {
        name: "test".to_owned(),
        endpoint: Endpoint::Stdio {
            command: command.into(),
            arguments: arguments
                .iter()
                .map(|argument| (*argument).to_owned())
                .collect(),
            environment: BTreeMap::new(),
            working_directory: None,
        },
        era: EraChoice::Auto,
        limits: TimeLimits::default(),
        client: Default::default(),
        is_recorded: true,
        expanded: Vec::new(),
        references: Vec::new(),
    }
}

pub fn http(url: &str) -> ServerSpec {
    ServerSpec {
        endpoint: Endpoint::Remote(RemoteEndpoint::at(url)),
        ..stdio("", &[])
    }
}

/// The demo server over stdio.
pub fn demo(arguments: &[&str]) -> ServerSpec {
    stdio(demo_program().to_str().unwrap(), arguments)
}

/// The demo server's executable: beside this test's, built when it is not there.
pub fn demo_program() -> &'static PathBuf {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let directory = test
            .parent()
            .and_then(|deps| deps.parent())
            .unwrap()
            .to_owned();
        let program = directory.join(format!(
            "sightglass-demo-server{}",
            std::env::consts::EXE_SUFFIX
        ));
        if !program.exists() {
            let built = Command::new(env!("CARGO"))
                .args(["build", "--package", "sightglass-demo-server"])
                .status()
                .unwrap();
            assert!(built.success(), "the demo server does not build");
        }
        program
    })
}

/// The demo server over HTTP; it ends with this value.
pub struct HttpDemo {
    child: std::process::Child,
    pub url: String,
}

impl HttpDemo {
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_on("0", arguments)
    }

    pub fn start_on(port: &str, arguments: &[&str]) -> Self {
        use std::io::BufRead;
        let mut child = Command::new(demo_program())
            .args(["--http", port])
            .args(arguments)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = child.stdout.take().unwrap();
        std::io::BufReader::new(stdout)
            .read_line(&mut line)
            .unwrap();
        let url = line.trim().rsplit(' ').next().unwrap().to_owned();
        assert!(url.starts_with("http://"), "{line}");
        Self { child, url }
    }
}

impl Drop for HttpDemo {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}
