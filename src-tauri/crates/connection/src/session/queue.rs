//! Queue of the user's requests on one connection: limits how many run at once, and holds those
//! that wait for a lost connection to come back.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::{Semaphore, SemaphorePermit, watch},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

use crate::{
    ConnectionError,
    rpc::response::{RequestEnd, RequestOutcome},
    session::context::LiveSession,
    status::publisher::StatusPublisher,
    sync::lock,
};

/// Requests that run at once; the rest wait for their turn, in their order.
const MAX_RUNNING: usize = 10;
/// Requests that wait for the connection to come back.
const MAX_WAITING: u32 = 100;
/// Time limit of their wait.
const MAX_WAIT: Duration = Duration::from_secs(180);

/// State of the connection, as the queue sees it.
#[derive(Clone)]
pub(crate) enum Availability {
    /// There is no connection, and none on its way.
    Down,
    /// The connection was lost and is being made again.
    Returning,
    Up(Arc<LiveSession>),
}

pub(crate) struct Queue {
    publisher: Arc<StatusPublisher>,
    availability: watch::Sender<Availability>,
    turns: Semaphore,
    waiting: Mutex<u32>,
    /// By the user's name for them.
    requests: Mutex<HashMap<String, (u64, CancellationToken)>>,
    numbers: AtomicU64,
}

/// Reason why a request got no turn.
pub(crate) enum QueueError {
    Cancelled,
    /// In words.
    Lost(String),
}

impl Queue {
    pub(crate) fn new(publisher: Arc<StatusPublisher>) -> Self {
        Self {
            publisher,
            availability: watch::Sender::new(Availability::Down),
            turns: Semaphore::new(MAX_RUNNING),
            waiting: Mutex::default(),
            requests: Mutex::default(),
            numbers: AtomicU64::new(0),
        }
    }

    pub(crate) fn set(&self, availability: Availability) {
        self.availability.send_replace(availability);
    }

    pub(crate) fn is_returning(&self) -> bool {
        matches!(*self.availability.borrow(), Availability::Returning)
    }

    /// The session, while it is up.
    pub(crate) fn live(&self) -> Result<Arc<LiveSession>, ConnectionError> {
        match &*self.availability.borrow() {
            Availability::Up(session) => Ok(Arc::clone(session)),
            Availability::Down | Availability::Returning => Err(ConnectionError::NotConnected),
        }
    }

    /// Returns true when a request can be sent now or in a while.
    pub(crate) fn is_open(&self) -> bool {
        !matches!(*self.availability.borrow(), Availability::Down)
    }

    /// Notes a request, which can be cancelled until the guard is dropped.
    pub(crate) fn enter(self: &Arc<Self>, key: &str) -> QueueSlot {
        let cancel = CancellationToken::new();
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        lock(&self.requests).insert(key.to_owned(), (number, cancel.clone()));
        QueueSlot {
            queue: Arc::clone(self),
            key: key.to_owned(),
            number,
            cancel,
        }
    }

    /// Cancels a request, also one that waits; false when there is none of that name.
    pub(crate) fn cancel(&self, key: &str) -> bool {
        match lock(&self.requests).get(key) {
            Some((_, cancel)) => {
                cancel.cancel();
                true
            }
            None => false,
        }
    }

    /// Waits until the connection is up, for a request that takes no turn: it only waits itself.
    pub(crate) async fn without_turn(
        &self,
        cancel: &CancellationToken,
    ) -> Result<Arc<LiveSession>, QueueError> {
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(QueueError::Cancelled),
            session = self.session() => session,
        }
    }

    /// Waits until the connection is up and fewer than [`MAX_RUNNING`] requests run.
    pub(crate) async fn turn(
        &self,
        cancel: &CancellationToken,
    ) -> Result<(Arc<LiveSession>, SemaphorePermit<'_>), QueueError> {
        loop {
            let session = tokio::select! {
                biased;
                () = cancel.cancelled() => return Err(QueueError::Cancelled),
                session = self.session() => session?,
            };
            let turn = tokio::select! {
                biased;
                () = cancel.cancelled() => return Err(QueueError::Cancelled),
                turn = self.turns.acquire() => turn.map_err(|_| QueueError::Cancelled)?,
            };
            // The connection may have been lost while others had their turn.
            if !session.has_ended() {
                return Ok((session, turn));
            }
        }
    }

    /// Waits until the connection is up.
    async fn session(&self) -> Result<Arc<LiveSession>, QueueError> {
        // Most find it up, and to subscribe takes longer than to look.
        if let Some(session) = usable(&self.availability.borrow())? {
            return Ok(session);
        }
        let mut availability = self.availability.subscribe();
        let _waiting = self.wait()?;
        let back = async {
            loop {
                if let Some(session) = usable(&availability.borrow_and_update())? {
                    return Ok(session);
                }
                if availability.changed().await.is_err() {
                    return Err(closed());
                }
            }
        };
        timeout(MAX_WAIT, back).await.unwrap_or_else(|_| {
            Err(QueueError::Lost(format!(
                "network error: the connection did not come back within {} minutes",
                MAX_WAIT.as_secs() / 60
            )))
        })
    }

    fn wait(&self) -> Result<Waiting<'_>, QueueError> {
        let mut waiting = lock(&self.waiting);
        if *waiting >= MAX_WAITING {
            return Err(QueueError::Lost(format!(
                "network error: the connection is lost, and {MAX_WAITING} requests wait for it already"
            )));
        }
        *waiting += 1;
        self.publisher.waiting(*waiting);
        Ok(Waiting(self))
    }
}

/// The session, if it is up; nothing while it may come back.
fn usable(availability: &Availability) -> Result<Option<Arc<LiveSession>>, QueueError> {
    match availability {
        Availability::Down => Err(closed()),
        Availability::Returning => Ok(None),
        // The supervisor is about to say whether it comes back.
        Availability::Up(session) if session.has_ended() => Ok(None),
        Availability::Up(session) => Ok(Some(Arc::clone(session))),
    }
}

fn closed() -> QueueError {
    QueueError::Lost("the connection ended before the request was sent".to_owned())
}

impl QueueError {
    /// Returns the outcome of the request, which was never sent.
    pub(crate) fn outcome(self) -> RequestOutcome {
        match self {
            Self::Cancelled => RequestOutcome::unsent(RequestEnd::Cancelled, None),
            Self::Lost(message) => {
                RequestOutcome::unsent(RequestEnd::ConnectionLost, Some(message))
            }
        }
    }
}

/// One that waits for the connection.
struct Waiting<'a>(&'a Queue);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let mut waiting = lock(&self.0.waiting);
        *waiting -= 1;
        self.0.publisher.waiting(*waiting);
    }
}

/// A request from its beginning to its end.
pub(crate) struct QueueSlot {
    queue: Arc<Queue>,
    key: String,
    number: u64,
    pub cancel: CancellationToken,
}

impl Drop for QueueSlot {
    fn drop(&mut self) {
        // A later request may have taken the name over.
        let mut requests = lock(&self.queue.requests);
        if requests
            .get(&self.key)
            .is_some_and(|(number, _)| *number == self.number)
        {
            requests.remove(&self.key);
        }
    }
}
