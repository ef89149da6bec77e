//! A request on its way: what is sent, and how it ends.

use std::{sync::Arc, time::Instant};

use bytes::Bytes;
use sightglass_model::FrameId;
use tokio::sync::{Notify, oneshot};

use super::{ProgressSlot, Wire};
use crate::{json::Params, link_error::LinkError, sync::lock};

/// A message on its way out.
pub(crate) struct Outbound {
    pub text: Bytes,
    /// The request that this is, where it is one.
    pub request: Option<OutboundRequest>,
}

/// Facts about a request that the transport needs to carry it.
#[derive(Clone)]
pub(crate) struct OutboundRequest {
    pub id: u64,
    pub method: Arc<str>,
    /// The protocol version of a request of the stateless era, which names it in a header.
    pub modern: bool,
}

/// End of a request, as far as the wire can tell.
pub(crate) enum Answer {
    /// A result or an error came.
    Message {
        frame: FrameId,
        text: Bytes,
        is_error: bool,
    },
    /// The answer was larger than the limit.
    TooLarge { size: usize },
    /// The link could not carry the request or its answer.
    LinkFailed(LinkError),
    /// The connection ended.
    Lost,
}

/// An answer together with what is known of its request.
pub(crate) struct Answered {
    pub answer: Answer,
    pub request_frame: Option<FrameId>,
    pub sent: Instant,
}

/// A request to be sent.
pub(crate) struct NewRequest<'a> {
    pub method: &'a str,
    pub params: &'a Params,
    /// Members for `_meta`; not empty exactly in the stateless era.
    pub meta: &'a [(&'a str, &'a str)],
    pub progress: Option<Arc<ProgressSlot>>,
    /// For a request that is open by design: told when the server acknowledges it.
    pub acknowledged: Option<Arc<Notify>>,
}

/// A request of ours that waits for its answer. Dropping it gives the request up: a late
/// answer is recorded and belongs to nobody.
pub(crate) struct Ticket {
    pub id: u64,
    pub(super) wire: Arc<Wire>,
    pub(super) answer: oneshot::Receiver<Answered>,
}

impl Ticket {
    /// Waits for the answer. Can be called again when the wait was interrupted.
    pub(crate) async fn answer(&mut self) -> Answered {
        match (&mut self.answer).await {
            Ok(answered) => answered,
            Err(_) => Answered {
                answer: Answer::Lost,
                request_frame: None,
                sent: Instant::now(),
            },
        }
    }

    /// Returns the frame of the request while it is open.
    pub(crate) fn request_frame(&self) -> Option<FrameId> {
        lock(&self.wire.pending)
            .get(&self.id)
            .and_then(|pending| pending.frame)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let given_up = lock(&self.wire.pending).remove(&self.id).is_some();
        // Over HTTP the exchange is ended too; that is how the stateless era cancels.
        if given_up && let Some(link) = self.wire.http() {
            link.abandon(self.id);
        }
    }
}
