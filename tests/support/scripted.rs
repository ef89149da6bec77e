//! An MCP server with an authorization server of its own, both scripted here: honest, or armed
//! with one fault.
//!
//! The authorization server approves whoever comes, under the name in the browser's cookie. The
//! MCP server is one of [several](Behind) behind a [guard](guard) that lets in whoever brings a
//! token that is good. Everything that either is asked is kept, so that a story can say what must
//! not have been sent.

mod authority;
mod guard;
mod listener;
mod state;

use std::{net::SocketAddr, sync::Arc};

use serde_json::Value;
use sightglass_model::lock;
use tempfile::TempDir;
use tokio::task::JoinHandle;

use crate::programs::{self, Listening};
pub(crate) use guard::receive;
pub use listener::Secured;
pub(crate) use listener::TlsListener;
use state::State;
pub use state::{REGISTERED_SECRET, ReceivedRequest};

/// The tool that wants the scope `admin`.
pub const GUARDED_TOOL: &str = "add";

/// The same, of the server that is reached over Server-Sent Events.
pub const GUARDED_TOOL_OF_EVERYTHING: &str = "get-sum";

/// One thing that is wrong.
#[derive(Debug, Clone)]
pub enum Fault {
    /// The metadata of the authorization server, patched (RFC 7396).
    Metadata(Value),
    /// The metadata of the resource, patched.
    Resource(Value),
    /// The parameters with which the browser comes back, patched.
    Callback(Value),
    /// The answer of the token endpoint, patched.
    TokenAnswer(Value),
    /// Members of the answer to a registration, as they are here.
    Registration(Value),
    /// The first place of the metadata of the resource has a document that says nothing; the next
    /// one has it.
    EmptyResource,
    /// The claims in the access token, patched.
    Claims(Value),
    /// The claims in the ID token, patched.
    IdClaims(Value),
    /// This path of either server answers so, in JSON, whatever it is asked.
    Answer {
        path: String,
        status: u16,
        body: String,
    },
    /// This path redirects there.
    Redirect { path: &'static str, to: String },
    /// This path answers without end.
    Huge { path: &'static str },
    /// This path answers byte by byte, and never to the end.
    Slow { path: &'static str },
    /// No answer names the authorization server: none has `iss`, and no ID token is given.
    Nameless,
    /// `resource` is refused wherever it comes.
    NoResource,
    /// No scope is enough.
    NeverEnough,
    /// Nothing at all is to be had without the scope `admin`.
    AllGuarded,
    /// A stream that only listens needs no token.
    OpenStream,
    /// No token is good, and none is refreshed; what was given is kept.
    Closed,
    /// Every document repeats what its server was told and gives, in many spellings.
    Repeats,
}

/// The server behind the guard.
#[derive(Debug, Clone, Copy, Default)]
pub enum Behind {
    /// Ours, over Streamable HTTP.
    #[default]
    Demo,
    /// `server-everything`, over HTTP with Server-Sent Events.
    ServerSentEvents,
    /// One on the Python SDK, over WebSocket.
    WebSocket,
}

/// Options of the scripted servers.
#[derive(Default)]
pub struct Script {
    pub fault: Option<Fault>,
    pub behind: Behind,
    /// TLS settings of the MCP server.
    pub server: Option<Secured>,
    /// TLS settings of the authorization server.
    pub issuer: Option<Secured>,
}

/// Both servers, for as long as this value lives.
pub struct Scripted {
    state: Arc<State>,
    url: String,
    /// Addresses that the MCP server and the authorization server listen on, whatever their names.
    addresses: [SocketAddr; 2],
    serving: Vec<JoinHandle<()>>,
    _server: Listening,
    /// File that the server writes its notes to.
    _notes: TempDir,
}

impl Scripted {
    /// Starts honest ones.
    pub async fn start() -> Self {
        Self::of(Script::default()).await
    }

    /// Starts them with one fault.
    pub async fn with(fault: Fault) -> Self {
        Self::of(Script {
            fault: Some(fault),
            ..Script::default()
        })
        .await
    }

    /// Starts honest ones, with this server behind the guard.
    pub async fn before(behind: Behind) -> Self {
        Self::of(Script {
            behind,
            ..Script::default()
        })
        .await
    }

    /// Starts them as described.
    pub async fn of(script: Script) -> Self {
        let notes = TempDir::new().expect("a temporary directory");
        let (server, path) = match script.behind {
            Behind::Demo => (programs::demo_over_http(&[]), "/mcp"),
            Behind::ServerSentEvents => {
                let port = programs::free_port();
                (programs::everything_over("sse", port), "/sse")
            }
            Behind::WebSocket => {
                let directory = notes.path().display().to_string();
                let port = programs::free_port();
                let server = programs::python_server("web_socket.py", port, &[&directory]);
                (server, "/mcp")
            }
        };
        let authority = TlsListener::open(script.issuer.as_ref()).await;
        let guard = TlsListener::open(script.server.as_ref()).await;
        let addresses = [guard.address(), authority.address()];
        let resource = format!("{}{path}", guard.origin());
        let url = match script.behind {
            Behind::WebSocket => resource.replacen("http", "ws", 1),
            _ => resource.clone(),
        };
        let state = Arc::new(State::new(authority.origin(), resource, path, script.fault));
        let serving = vec![
            tokio::spawn(authority::serve(authority, Arc::clone(&state))),
            tokio::spawn(guard::serve(guard, Arc::clone(&state), server.port())),
        ];
        Self {
            state,
            url,
            addresses,
            serving,
            _server: server,
            _notes: notes,
        }
    }

    /// The address of the MCP server.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the addresses that the MCP server and the authorization server listen on.
    pub fn addresses(&self) -> [SocketAddr; 2] {
        self.addresses
    }

    pub fn issuer(&self) -> &str {
        &self.state.issuer
    }

    /// Returns the requests that the authorization server got at this path, in order.
    pub fn asked(&self, path: &str) -> Vec<ReceivedRequest> {
        let asked = lock(&self.state.asked);
        let here = asked.iter().filter(|asked| asked.path == path);
        here.cloned().collect()
    }

    /// Returns the requests that the MCP server got, the token included, in order.
    pub fn called(&self) -> Vec<ReceivedRequest> {
        lock(&self.state.called).clone()
    }

    /// From now on access tokens are good for so many seconds.
    pub fn lifetime(&self, seconds: u64) {
        lock(&self.state.grants).lifetime = seconds;
    }

    /// The access tokens given so far are good no more; they can be refreshed.
    pub fn end_tokens(&self) {
        lock(&self.state.grants).access.clear();
    }

    /// All grants are withdrawn.
    pub fn withdraw(&self) {
        let mut grants = lock(&self.state.grants);
        grants.access.clear();
        grants.refresh.clear();
    }

    /// A token that nobody signed in for.
    pub fn give(&self, account: &str) -> String {
        lock(&self.state.grants).give(account)
    }

    /// An ID token that this client got when a user signed in with another program.
    pub fn id_token(&self, account: &str, client: &str) -> String {
        let claims = serde_json::json!({
            "iss": self.state.issuer,
            "sub": account,
            "aud": client,
        });
        lock(&self.state.grants).jwt(&claims)
    }

    /// The clients registered so far are forgotten.
    pub fn forget_clients(&self) {
        lock(&self.state.grants).clients.clear();
    }

    /// The fault is mended, or another one takes its place.
    pub fn arm(&self, fault: Option<Fault>) {
        *lock(&self.state.fault) = fault;
    }

    /// Every secret that was given out or taken in.
    pub fn secrets(&self) -> Vec<String> {
        lock(&self.state.grants).secrets.clone()
    }
}

impl Drop for Scripted {
    fn drop(&mut self) {
        for task in &self.serving {
            task.abort();
        }
    }
}
