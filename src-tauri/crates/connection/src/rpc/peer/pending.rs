//! Pending requests: their ids, their waiters and their ends.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use rmcp::model::RequestId;
use sightglass_model::{FrameId, UnansweredRequest};
use tokio::sync::{Notify, mpsc, oneshot};

use super::{AdapterMessage, Peer, ProgressSlot, RunningCall};
use crate::{
    json::Params,
    rpc::response::{RequestError, Response, StrayAnswer},
    sync::lock,
};

/// A request to be sent.
pub(crate) struct OutgoingRequest<'a> {
    pub method: &'a str,
    pub params: &'a Params,
    /// Members for `_meta`; not empty exactly in the stateless era.
    pub meta: &'a [(&'a str, &'a str)],
    pub progress: Option<Arc<ProgressSlot>>,
    /// For a request that is open by design: told when the server acknowledges it.
    pub acknowledged: Option<Arc<Notify>>,
    /// The tool, prompt or resource that it is about.
    pub target: Option<Arc<str>>,
    /// For a call of the user's. It is known before it is sent: a question of the server can come
    /// before the sender goes on.
    pub call: Option<RunningCall>,
}

impl<'a> OutgoingRequest<'a> {
    /// Makes a request that neither tells of its progress nor belongs to a call of the user's.
    pub fn plain(
        method: &'a str,
        params: &'a Params,
        meta: &'a [(&'a str, &'a str)],
    ) -> OutgoingRequest<'a> {
        OutgoingRequest {
            method,
            params,
            meta,
            progress: None,
            acknowledged: None,
            target: None,
            call: None,
        }
    }
}

/// A request of ours that waits for its answer. Dropping it gives the request up: a late
/// answer is recorded and dropped.
pub(crate) struct PendingRequest {
    pub id: u64,
    pub(super) peer: Arc<Peer>,
    pub(super) completion: oneshot::Receiver<Completion>,
    /// Frame of the request, once the request is complete.
    pub(super) frame: Option<FrameId>,
}

impl PendingRequest {
    /// Waits for the response. Can be called again when the wait was interrupted.
    pub(crate) async fn response(&mut self) -> Result<Response, RequestError> {
        let (frame, response) = (&mut self.completion)
            .await
            .unwrap_or((None, Err(RequestError::Lost)));
        self.frame = frame;
        response
    }

    /// Returns the frame of the request, once it was sent.
    pub(crate) fn request_frame(&self) -> Option<FrameId> {
        self.frame
            .or_else(|| self.peer.requests.with(self.id, |request| request.frame)?)
    }

    /// Makes the error of a request that has no response within its limit.
    pub(crate) fn timed_out(&self, limit: Duration) -> RequestError {
        RequestError::TimedOut {
            limit,
            stray: self.peer.requests.stray(self.id),
        }
    }
}

impl Drop for PendingRequest {
    fn drop(&mut self) {
        lock(&self.peer.calls).remove(&self.id);
        // Over HTTP the exchange is ended too.
        if self.peer.requests.remove(self.id).is_some()
            && let Some(transport) = self.peer.transport()
        {
            transport.abandon(self.id);
        }
    }
}

/// End of a request: its frame, where it was sent, and the response.
type Completion = (Option<FrameId>, Result<Response, RequestError>);

/// Receiver of a response.
pub(super) enum Destination {
    /// A request of our own.
    Caller(oneshot::Sender<Completion>),
    /// A request that rmcp made, and the id that it knows it by.
    Adapter {
        sender: mpsc::UnboundedSender<AdapterMessage>,
        id: RequestId,
    },
}

/// A request without an answer so far.
pub(super) struct OpenRequest {
    pub method: Arc<str>,
    pub target: Option<Arc<str>>,
    pub sent: Instant,
    pub frame: Option<FrameId>,
    pub destination: Destination,
    pub progress: Option<Arc<ProgressSlot>>,
    /// Told when the server acknowledges a request that is open by design
    /// (`subscriptions/listen`). That one is no fault of the server's when the connection ends.
    pub acknowledged: Option<Arc<Notify>>,
    /// The answer that came meanwhile and that fits no request, as
    /// [`OpenRequests::record_stray`] chose it.
    pub stray: Option<StrayAnswer>,
}

impl OpenRequest {
    pub(super) fn new(method: Arc<str>, destination: Destination) -> Self {
        Self {
            method,
            target: None,
            sent: Instant::now(),
            frame: None,
            destination,
            progress: None,
            acknowledged: None,
            stray: None,
        }
    }

    fn is_long_lived(&self) -> bool {
        self.acknowledged.is_some()
    }

    /// Hands the response over. A caller that is gone wants none.
    pub(super) fn complete(self, mut response: Result<Response, RequestError>) {
        if let Ok(response) = &mut response {
            response.request_frame = self.frame;
            response.round_trip = self.sent.elapsed();
        }
        match self.destination {
            Destination::Caller(caller) => {
                let _ = caller.send((self.frame, response));
            }
            Destination::Adapter { sender, id } => {
                let _ = sender.send(AdapterMessage::Response {
                    id,
                    method: self.method,
                    response,
                });
            }
        }
    }
}

/// The requests without an answer, and the sequence of their ids.
#[derive(Default)]
pub(super) struct OpenRequests {
    last_id: AtomicU64,
    open: Mutex<HashMap<u64, OpenRequest>>,
}

impl OpenRequests {
    /// The next request id, from 1.
    pub(super) fn next_id(&self) -> u64 {
        self.last_id.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The newest request id; 0 before the first.
    pub(super) fn newest_id(&self) -> u64 {
        self.last_id.load(Ordering::Relaxed)
    }

    /// Returns true when a request had this id.
    pub(super) fn was_given(&self, id: u64) -> bool {
        (1..=self.newest_id()).contains(&id)
    }

    /// Returns true when the id of an answer is that of a request but for the way it is written.
    pub(super) fn names_request(&self, stray: &StrayAnswer) -> bool {
        stray.number.is_some_and(|number| self.was_given(number))
    }

    /// Notes at the open requests that an answer came which fits none: the first, or the first that
    /// names a request. Returns true when there was one to note it at.
    pub(super) fn record_stray(&self, stray: &StrayAnswer) -> bool {
        let mut open = lock(&self.open);
        let waiting = open.values_mut().filter(|request| !request.is_long_lived());
        let mut is_noted = false;
        let names_request = self.names_request(stray);
        for request in waiting {
            let is_better = match &request.stray {
                None => true,
                Some(first) => names_request && !self.names_request(first),
            };
            if is_better {
                request.stray = Some(stray.clone());
                is_noted = true;
            }
        }
        is_noted
    }

    /// The answer that fits no request and came while this one is open.
    pub(super) fn stray(&self, id: u64) -> Option<StrayAnswer> {
        self.with(id, |request| request.stray.clone()).flatten()
    }

    /// The same of any open request, the oldest first.
    pub(super) fn any_stray(&self) -> Option<StrayAnswer> {
        let open = lock(&self.open);
        let oldest = open
            .iter()
            .filter(|(_, request)| request.stray.is_some())
            .min_by_key(|(id, _)| **id);
        oldest.and_then(|(_, request)| request.stray.clone())
    }

    pub(super) fn insert(&self, id: u64, request: OpenRequest) {
        lock(&self.open).insert(id, request);
    }

    pub(super) fn remove(&self, id: u64) -> Option<OpenRequest> {
        lock(&self.open).remove(&id)
    }

    pub(super) fn is_open(&self, id: u64) -> bool {
        lock(&self.open).contains_key(&id)
    }

    pub(super) fn ids(&self) -> Vec<u64> {
        lock(&self.open).keys().copied().collect()
    }

    /// Reads or changes a request while it is open.
    pub(super) fn with<T>(&self, id: u64, f: impl FnOnce(&mut OpenRequest) -> T) -> Option<T> {
        lock(&self.open).get_mut(&id).map(f)
    }

    /// The only request that waits for an answer now; `None` when there are more.
    pub(super) fn only(&self) -> Option<u64> {
        let open = lock(&self.open);
        let mut waiting = open.iter().filter(|(_, request)| !request.is_long_lived());
        match (waiting.next(), waiting.next()) {
            (Some((id, _)), None) => Some(*id),
            _ => None,
        }
    }

    /// Forgets the requests of rmcp, without an answer.
    pub(super) fn forget_adapters(&self) {
        lock(&self.open)
            .retain(|_, request| !matches!(request.destination, Destination::Adapter { .. }));
    }

    pub(super) fn has_adapter(&self) -> bool {
        lock(&self.open)
            .values()
            .any(|request| matches!(request.destination, Destination::Adapter { .. }))
    }

    /// The requests that wait for an answer, oldest first.
    pub(super) fn unanswered(&self) -> Vec<UnansweredRequest> {
        let open = lock(&self.open);
        let mut unanswered: Vec<(u64, UnansweredRequest)> = open
            .iter()
            .filter(|(_, request)| !request.is_long_lived())
            .map(|(id, request)| {
                let unanswered = UnansweredRequest {
                    id: id.to_string(),
                    method: request.method.to_string(),
                    target: request.target.as_deref().map(str::to_owned),
                    waited: request.sent.elapsed().into(),
                };
                (*id, unanswered)
            })
            .collect();
        unanswered.sort_by_key(|(id, _)| *id);
        unanswered.into_iter().map(|(_, request)| request).collect()
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    #[test]
    fn an_answer_that_names_a_request_takes_the_place_of_one_that_names_none() {
        let requests = OpenRequests::default();
        let (caller, _waiting) = oneshot::channel();
        let request = OpenRequest::new("initialize".into(), Destination::Caller(caller));
        requests.insert(requests.next_id(), request);
        let answer = |id: &str| StrayAnswer::new(id, &Bytes::from_static(b"{}"));
        for (id, is_noted) in [
            ("99", true),
            ("98", false),
            ("\"1\"", true),
            ("1.0", false),
            ("97", false),
        ] {
            assert_eq!(requests.record_stray(&answer(id)), is_noted, "{id}");
        }
        assert_eq!(requests.any_stray(), Some(answer("\"1\"")));
    }
}
