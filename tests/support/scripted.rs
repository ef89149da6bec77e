//! An MCP server with an authorization server of its own, both scripted here: honest, or armed
//! with one fault.
//!
//! The authorization server approves whoever comes, under the name in the browser's cookie. The
//! MCP server is the demo server behind a [guard](guard) that lets in whoever brings a token
//! that is good. Everything that either is asked is kept, so that a story can say what must not
//! have been sent.

mod authority;
mod guard;
mod state;

use std::sync::Arc;

use serde_json::Value;
use tokio::task::JoinHandle;

use crate::programs::{self, Listening};
pub use state::{Asked, REGISTERED_SECRET};
use state::{State, lock};

/// The tool that wants the scope `admin`.
pub const GUARDED_TOOL: &str = "add";

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
    /// The claims in the access token, patched.
    Claims(Value),
    /// The claims in the ID token, patched.
    IdClaims(Value),
    /// This path redirects there.
    Redirect { path: &'static str, to: String },
    /// This path answers without end.
    Huge { path: &'static str },
    /// This path answers byte by byte, and never to the end.
    Slow { path: &'static str },
    /// No scope is enough.
    NeverEnough,
}

/// Both servers, for as long as this value lives.
pub struct Scripted {
    state: Arc<State>,
    serving: Vec<JoinHandle<()>>,
    _demo: Listening,
}

impl Scripted {
    /// Starts honest ones.
    pub async fn start() -> Self {
        Self::begin(None).await
    }

    /// Starts them with one fault.
    pub async fn with(fault: Fault) -> Self {
        Self::begin(Some(fault)).await
    }

    async fn begin(fault: Option<Fault>) -> Self {
        let demo = programs::demo_over_http(&[]);
        let (authority, issuer) = listen().await;
        let (guard, origin) = listen().await;
        let state = Arc::new(State::new(issuer, format!("{origin}/mcp"), fault));
        let serving = vec![
            tokio::spawn(authority::serve(authority, Arc::clone(&state))),
            tokio::spawn(guard::serve(guard, Arc::clone(&state), demo.port())),
        ];
        Self {
            state,
            serving,
            _demo: demo,
        }
    }

    /// The address of the MCP server.
    pub fn url(&self) -> &str {
        &self.state.resource
    }

    pub fn issuer(&self) -> &str {
        &self.state.issuer
    }

    /// What the authorization server was asked at this path, in order.
    pub fn asked(&self, path: &str) -> Vec<Asked> {
        let asked = lock(&self.state.asked);
        let here = asked.iter().filter(|asked| asked.path == path);
        here.cloned().collect()
    }

    /// What the MCP server was asked, the token included, in order.
    pub fn called(&self) -> Vec<Asked> {
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

async fn listen() -> (tokio::net::TcpListener, String) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("loopback has free ports");
    let address = listener.local_addr().expect("bound");
    (listener, format!("http://{address}"))
}
