//! Adapts the [`Peer`] to rmcp, as a [`Transport`] of rmcp's.
//!
//! rmcp has one job here: the typed protocol model and the handshake of either era. It carries
//! `server/discover`, `initialize` and `notifications/initialized`, and for the life of the
//! session it answers `ping` and refuses unknown methods. Its messages leave through the peer under
//! a request id of the peer's own, and the responses come back under the id that rmcp knows.
//!
//! Requests of the user's and the loading of lists go below rmcp, straight to the peer:
//!
//! - Its results are an untagged union: one malformed tool spoils a whole page, and unknown
//!   fields are lost.
//! - Parsing 15 MB of tools into it takes 300 ms and 150 MB.
//! - Its parameters are values, so that numbers beyond 2^53 would not arrive as typed.
//! - It handles notifications in tasks of their own, so that their order is lost.
//!
//! Several adapters can share a peer, one after the other or at once: that is how the probe for
//! the stateless era and the `initialize` handshake take place on one process.

use std::sync::{Arc, Mutex};

use rmcp::{
    RoleClient,
    model::{
        ClientJsonRpcMessage, ClientNotification, ClientRequest, JsonRpcMessage, ProtocolVersion,
        RequestId, ServerJsonRpcMessage,
    },
    transport::Transport,
};
use serde_json::Value;
use sightglass_json_text::Members;
use tokio::sync::mpsc;

use crate::{
    rpc::peer::{AdapterMessage, Peer},
    rpc::response::{RequestError, Response},
    status::publisher::StatusPublisher,
    sync::lock,
    transport::error::TransportError,
    transport::{Outbound, OutboundRequest, TransportEvents as _},
};

/// Frames of the handshake that were seen.
#[derive(Default)]
pub(crate) struct Observed {
    /// The response to the handshake's request.
    pub answer: Option<Response>,
    pub link_error: Option<TransportError>,
}

/// Adapter to rmcp's transport. The channel is bounded: answers by our own requests, the server's
/// requests by the peer's room for them.
pub(crate) struct RmcpAdapter {
    peer: Arc<Peer>,
    publisher: Arc<StatusPublisher>,
    sender: mpsc::UnboundedSender<AdapterMessage>,
    receiver: mpsc::UnboundedReceiver<AdapterMessage>,
    observed: Arc<Mutex<Observed>>,
    /// The client's `capabilities` as `initialize` sends them.
    capabilities: Value,
}

impl RmcpAdapter {
    pub(crate) fn open(
        peer: &Arc<Peer>,
        publisher: &Arc<StatusPublisher>,
        capabilities: Value,
    ) -> (Self, Arc<Mutex<Observed>>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        peer.set_adapter(sender.clone());
        let observed = Arc::default();
        let adapter = Self {
            peer: Arc::clone(peer),
            publisher: Arc::clone(publisher),
            sender,
            receiver,
            observed: Arc::clone(&observed),
            capabilities,
        };
        (adapter, observed)
    }

    /// The typed form of an answer, under the id that rmcp knows.
    fn typed_answer(
        &self,
        id: RequestId,
        method: &str,
        response: Result<Response, RequestError>,
    ) -> Option<ServerJsonRpcMessage> {
        let response = match response {
            Ok(response) => response,
            Err(RequestError::Transport(error)) => {
                lock(&self.observed).link_error = Some(error);
                return None;
            }
            Err(_) => return None,
        };
        let message = match superfluous(&response.text) {
            Some(member) => {
                let note = format!(
                    "{method} was answered with both a result and an error; JSON-RPC 2.0 (section \
                     5) has one of them. The {member}, which is null, was left aside."
                );
                let connection = &self.peer.connection;
                connection.recorder.note("handshake", &note);
                connection.diagnostics.double_answer(method);
                without(&response.text, member)
            }
            None => serde_json::from_slice(&response.text),
        };
        let understood = response.is_error || is_known_answer(method, &response.text);
        lock(&self.observed).answer = Some(response);
        if !understood {
            return None;
        }
        match message {
            Ok(JsonRpcMessage::Response(mut response)) => {
                self.publisher.handshaking();
                response.id = id;
                Some(JsonRpcMessage::Response(response))
            }
            Ok(JsonRpcMessage::Error(mut error)) => {
                error.id = Some(id);
                Some(JsonRpcMessage::Error(error))
            }
            // Ends rmcp's handshake, whose failure is then told in the words of what came. An
            // error made up here would carry a code that the server never sent.
            _ => None,
        }
    }
}

/// Returns which of `result` and `error` is null beside the other.
fn superfluous(text: &[u8]) -> Option<&'static str> {
    let members = Members::parse(std::str::from_utf8(text).ok()?).ok()?;
    let is_null = |name| members.text(name) == Some("null");
    match (is_null("result"), is_null("error")) {
        (false, true) if members.given("result").is_some() => Some("error"),
        (true, false) if members.given("error").is_some() => Some("result"),
        _ => None,
    }
}

/// The typed form of an answer without one of its members.
fn without(text: &[u8], member: &str) -> Result<ServerJsonRpcMessage, serde_json::Error> {
    let mut message: Value = serde_json::from_slice(text)?;
    if let Some(members) = message.as_object_mut() {
        members.remove(member);
    }
    serde_json::from_value(message)
}

/// Returns true when the answer names a protocol version that exists. rmcp does not check it, and
/// would send `notifications/initialized` to a server that speaks something else.
fn is_known_answer(method: &str, text: &[u8]) -> bool {
    method != "initialize"
        || answered_version(text).is_some_and(|version| {
            ProtocolVersion::KNOWN_VERSIONS
                .iter()
                .any(|known| known.as_str() == version)
        })
}

/// The version in the result of `initialize`.
pub(crate) fn answered_version(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let result = Members::parse(text).ok()?.object("result")?;
    result.string("protocolVersion")
}

impl Transport<RoleClient> for RmcpAdapter {
    type Error = TransportError;

    fn send(
        &mut self,
        item: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), TransportError>> + Send + 'static {
        let peer = Arc::clone(&self.peer);
        let sender = self.sender.clone();
        let observed = Arc::clone(&self.observed);
        let capabilities = self.capabilities.clone();
        // On the heap, since rmcp keeps this future in several of its own.
        Box::pin(async move {
            let result = send_typed(&peer, item, sender, capabilities).await;
            if let Err(error) = &result {
                lock(&observed).link_error = Some(error.clone());
            }
            result
        })
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            match self.receiver.recv().await? {
                AdapterMessage::Response {
                    id,
                    method,
                    response,
                } => {
                    if &*method == "initialize"
                        && let Ok(answer) = &response
                        && let Some(link) = self.peer.streamable_http()
                        && let Some(version) = answered_version(&answer.text)
                    {
                        link.negotiated(&version);
                    }
                    return self.typed_answer(id, &method, response);
                }
                AdapterMessage::Request(text, room) => {
                    if let Ok(message) = serde_json::from_slice(&text) {
                        if matches!(message, JsonRpcMessage::Request(_)) {
                            // Until rmcp has sent the answer.
                            room.forget();
                        }
                        return Some(message);
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), TransportError> {
        self.receiver.close();
        Ok(())
    }
}

/// Writes `initialize` with the capabilities that rmcp has no types for: the tasks of MCP
/// 2025-11-25.
fn initialize_text(
    item: &ClientJsonRpcMessage,
    capabilities: Value,
) -> Result<Vec<u8>, serde_json::Error> {
    let mut message = serde_json::to_value(item)?;
    if let Some(declared) = message.pointer_mut("/params/capabilities") {
        *declared = capabilities;
    }
    serde_json::to_vec(&message)
}

async fn send_typed(
    peer: &Arc<Peer>,
    mut item: ClientJsonRpcMessage,
    adapter: mpsc::UnboundedSender<AdapterMessage>,
    capabilities: Value,
) -> Result<(), TransportError> {
    let mut request = None;
    let mut is_initialize = false;
    if let JsonRpcMessage::Request(typed) = &mut item {
        let method = typed.request.method();
        let id = peer.register_adapter_request(method, typed.id.clone(), adapter);
        is_initialize = matches!(typed.request, ClientRequest::InitializeRequest(_));
        typed.id = RequestId::Number(i64::try_from(id).unwrap_or(i64::MAX));
        request = Some(OutboundRequest {
            id,
            method: method.into(),
            modern: matches!(typed.request, ClientRequest::DiscoverRequest(_)),
        });
    }
    if let JsonRpcMessage::Notification(typed) = &item
        && matches!(
            typed.notification,
            ClientNotification::InitializedNotification(_)
        )
    {
        peer.publisher.sent("notifications/initialized");
    }
    // Typed messages of rmcp always serialise; an error here would be a broken channel to it.
    let text = match is_initialize {
        true => initialize_text(&item, capabilities),
        false => serde_json::to_vec(&item),
    }
    .map_err(|_| TransportError::Closed)?;
    let id = request.as_ref().map(|request| request.id);
    let is_answer = matches!(item, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_));
    let result = peer
        .send(Outbound {
            text: text.into(),
            request,
        })
        .await;
    if is_answer {
        peer.answer_sent();
    }
    if let (Err(error), Some(id)) = (&result, id) {
        peer.failed(id, error.clone());
    }
    result
}
