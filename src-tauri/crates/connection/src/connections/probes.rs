//! Messages that test a server, and connections that are on no record of the user's.

use std::sync::{Arc, atomic::Ordering};

use futures::future::BoxFuture;
use sightglass_json_text::quoted;
use sightglass_model::ServerId;
use sightglass_traffic::Recorder;

use super::{Connections, ConnectionsOptions, RecordedAs};
use crate::{
    ConnectionError, Params,
    transport::Outbound,
    transport::streamable_http::{HttpProbe, HttpProbeAnswer},
};

impl Connections {
    /// Sends a notification to a server that is connected.
    pub fn notify<'a>(
        &'a self,
        server: &'a ServerId,
        method: &'a str,
        params: &'a Params,
    ) -> BoxFuture<'a, Result<(), ConnectionError>> {
        Box::pin(self.send_notification(server, method, params))
    }

    async fn send_notification(
        &self,
        server: &ServerId,
        method: &str,
        params: &Params,
    ) -> Result<(), ConnectionError> {
        let connection = self.known(server).ok_or(ConnectionError::NotConnected)?;
        let session = connection.queue.live()?;
        let text = format!(
            r#"{{"jsonrpc":"2.0","method":{},"params":{}}}"#,
            quoted(method),
            params.with_meta(&session.context.meta()).text()
        );
        let outbound = Outbound {
            text: text.into(),
            request: None,
        };
        let sent = session.context.peer.send(outbound).await;
        sent.map_err(|_| ConnectionError::NotConnected)
    }

    /// Sends an HTTP request of its own to a server that is connected over Streamable HTTP; returns
    /// nothing over any other transport.
    pub fn probe_http<'a>(
        &'a self,
        server: &'a ServerId,
        probe: &'a HttpProbe,
    ) -> BoxFuture<'a, Result<Option<HttpProbeAnswer>, ConnectionError>> {
        Box::pin(self.send_probe(server, probe))
    }

    async fn send_probe(
        &self,
        server: &ServerId,
        probe: &HttpProbe,
    ) -> Result<Option<HttpProbeAnswer>, ConnectionError> {
        let connection = self.known(server).ok_or(ConnectionError::NotConnected)?;
        let session = connection.queue.live()?;
        let peer = &session.context.peer;
        let Some(transport) = peer.streamable_http() else {
            return Ok(None);
        };
        let answer = transport.probe(peer, probe).await;
        answer.map(Some).map_err(|_| ConnectionError::NotConnected)
    }

    /// Returns whether a server that is connected over Streamable HTTP gave this connection a
    /// session.
    pub fn has_http_session(&self, server: &ServerId) -> bool {
        let session = self
            .known(server)
            .and_then(|connection| connection.queue.live().ok());
        session.is_some_and(|session| {
            let transport = session.context.peer.streamable_http();
            transport.is_some_and(|transport| transport.has_session())
        })
    }

    /// Makes connections that check servers beside these, on a record and with subscribers of their
    /// own. They load no lists.
    pub fn beside(&self, recorder: Recorder) -> Self {
        let mut beside = Self::new(ConnectionsOptions {
            recorder,
            client: self.options.client.clone(),
            message_limit: self.message_limit.load(Ordering::Relaxed),
            roots: Arc::clone(&self.options.roots),
            rules: Vec::new(),
            lists: Vec::new(),
            reaper: None,
            proxies: Arc::clone(&self.options.proxies),
            found: self.options.found.clone(),
        });
        beside.recorded_as = RecordedAs::Check;
        beside.reaper = self.reaper.clone();
        beside.login_shell = Arc::clone(&self.login_shell);
        beside
    }
}
