//! Opens the transport that an attempt begins with: a process that it starts, or an address that
//! it turns to.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use sightglass_http::HttpVersions;
use sightglass_model::{Endpoint, Failure, RemoteEndpoint, StepOutcome, TransportKind};
use sightglass_secrets::named_value_secrets;

use super::Attempt;
use crate::{
    rpc::peer::Peer,
    transport::Transport,
    transport::error::TransportError,
    transport::headers_helper,
    transport::http_client::RemoteClient,
    transport::sse::SseTransport,
    transport::stdio::{ServerProgram, StdioTransport},
    transport::streamable_http::StreamableHttpTransport,
    transport::web_socket::WebSocketTransport,
};

impl Attempt {
    /// Opens the transport, and attaches it to the peer.
    pub(super) async fn open(
        &self,
        peer: &Arc<Peer>,
        transport: TransportKind,
    ) -> Result<(), Failure> {
        let link = match &self.spec.endpoint {
            Endpoint::Stdio {
                command,
                arguments,
                environment,
                working_directory,
            } => {
                let login = self.login_variables().await;
                let program = ServerProgram {
                    login,
                    command: command.clone(),
                    arguments: arguments.clone(),
                    environment: environment.clone(),
                    working_directory: working_directory.clone(),
                    command_line: self.spec.summary(),
                };
                Transport::Stdio(StdioTransport::open(peer, program, self.reaper.clone()).await?)
            }
            Endpoint::Remote(remote) => {
                let versions = match transport {
                    TransportKind::WebSocket => HttpVersions::One,
                    _ => HttpVersions::Any,
                };
                let remote = &*self.with_helped_headers(remote).await?;
                let client = RemoteClient::open(remote, &self.proxies, versions)?
                    .authorized_by(self.authorizer.clone());
                if let Some((source, proxy)) = self.proxies.of(client.url()) {
                    self.recorder.note(
                        "proxy",
                        &format!("Requests go through {proxy}, named by {source}."),
                    );
                }
                self.open_remote(peer, client, transport).await?
            }
        };
        peer.attach(link);
        Ok(())
    }

    /// The endpoint with the headers that its command gives. The record masks them from here on.
    async fn with_helped_headers<'e>(
        &self,
        remote: &'e RemoteEndpoint,
    ) -> Result<Cow<'e, RemoteEndpoint>, Failure> {
        let Some(helper) = &remote.headers_helper else {
            return Ok(Cow::Borrowed(remote));
        };
        let login = self.login_variables().await;
        let headers = headers_helper::headers(helper, &self.spec.name, &remote.url, &login).await?;
        self.recorder.learn(&named_value_secrets(&headers));
        let names: Vec<&str> = headers.keys().map(String::as_str).collect();
        let message = format!("headersHelper gave these headers: {}.", names.join(", "));
        self.recorder.note("headers", &message);
        let mut remote = remote.clone();
        remote
            .headers
            .retain(|name, _| !names.iter().any(|given| given.eq_ignore_ascii_case(name)));
        remote.headers.extend(headers);
        Ok(Cow::Owned(remote))
    }

    /// The search path of the login shell, where it is to be asked.
    pub(crate) async fn login_path(&self) -> Option<String> {
        self.login_shell.get()?.path().await
    }

    /// Returns the variables of the login shell, where it is to be asked.
    async fn login_variables(&self) -> BTreeMap<&'static str, String> {
        let Some(shell) = self.login_shell.get() else {
            return BTreeMap::new();
        };
        let variables = shell.variables().await.clone();
        if !variables.is_empty() {
            let names: Vec<&str> = variables.keys().copied().collect();
            let message = format!("From the login shell: {}.", names.join(", "));
            self.recorder.note("environment", &message);
        }
        variables
    }

    /// Streamable HTTP sends nothing before the first message; the others begin with a GET,
    /// which is a step of its own.
    async fn open_remote(
        &self,
        peer: &Arc<Peer>,
        client: RemoteClient,
        transport: TransportKind,
    ) -> Result<Transport, TransportError> {
        if !matches!(transport, TransportKind::Sse | TransportKind::WebSocket) {
            return Ok(Transport::Http(StreamableHttpTransport::new(
                client,
                self.message_limit,
            )));
        }
        let step = self.publisher.step_started(transport, "GET");
        let opened = if transport == TransportKind::Sse {
            SseTransport::open(peer, client, self.message_limit)
                .await
                .map(Transport::Sse)
        } else {
            WebSocketTransport::open(peer, &client, self.message_limit)
                .await
                .map(Transport::WebSocket)
        };
        let (outcome, message) = match &opened {
            Ok(_) => (StepOutcome::Succeeded, "opened".to_owned()),
            Err(error) => (StepOutcome::Failed, error.to_string()),
        };
        self.publisher.step_ended(step, outcome, message);
        opened
    }
}
