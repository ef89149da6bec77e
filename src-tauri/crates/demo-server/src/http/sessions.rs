//! Sessions of the initialize era.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::{
    connection::ClientConnection,
    lock::lock,
    protocol::INITIALIZE_VERSIONS,
    sink::{EventStream, Resumption, Sink},
};

/// Number of POST streams of a session that can be resumed; older ones are forgotten.
const MAX_STREAMS: usize = 32;
/// Number of sessions that are remembered; the oldest are forgotten.
const MAX_SESSIONS: usize = 1_024;

/// The name of the stream that a plain GET opens.
const HOME: &str = "0";

/// One session.
pub struct Session {
    id: String,
    pub connection: Arc<ClientConnection>,
    home: Arc<EventStream>,
    streams: Mutex<VecDeque<Arc<EventStream>>>,
    next: AtomicU64,
}

impl Session {
    /// A session with this id.
    pub fn new(id: String) -> Arc<Session> {
        let home = EventStream::new(HOME, Resumption::Offered);
        Arc::new(Session {
            id,
            connection: ClientConnection::new(Sink::Events(home.clone())),
            home,
            streams: Mutex::default(),
            next: AtomicU64::new(1),
        })
    }

    /// The value of `Mcp-Session-Id`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The stream that a plain GET opens.
    pub fn home(&self) -> &Arc<EventStream> {
        &self.home
    }

    /// A stream for the answer to a POST.
    pub fn new_stream(&self) -> Arc<EventStream> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        EventStream::new(number.to_string(), Resumption::Offered)
    }

    /// Keeps a stream so that a client can come back to it.
    pub fn keep(&self, stream: &Arc<EventStream>) {
        let mut streams = lock(&self.streams);
        if streams.len() >= MAX_STREAMS {
            streams.pop_front();
        }
        streams.push_back(stream.clone());
    }

    /// Returns true when the client knows that a stream may end early and be resumed.
    pub fn may_be_polled(&self) -> bool {
        self.connection
            .negotiated()
            .is_some_and(|it| it.version == INITIALIZE_VERSIONS[0])
    }

    /// The stream that sent the event with this id, and the event's number in it.
    pub fn stream_of_event(&self, event: &str) -> Option<(Arc<EventStream>, u64)> {
        let (name, sequence) = event.rsplit_once('-')?;
        let sequence = sequence.parse().ok()?;
        if name == HOME {
            return Some((self.home.clone(), sequence));
        }
        let streams = lock(&self.streams);
        let stream = streams.iter().find(|stream| stream.name() == name)?;
        Some((stream.clone(), sequence))
    }
}

/// All sessions.
#[derive(Default)]
pub struct Sessions(Mutex<Known>);

#[derive(Default)]
struct Known {
    sessions: HashMap<String, Arc<Session>>,
    order: VecDeque<String>,
}

impl Sessions {
    /// The session with this id.
    pub fn find(&self, id: &str) -> Option<Arc<Session>> {
        lock(&self.0).sessions.get(id).cloned()
    }

    /// Adds a session.
    pub fn insert(&self, session: Arc<Session>) {
        let mut known = lock(&self.0);
        if known.order.len() >= MAX_SESSIONS
            && let Some(oldest) = known.order.pop_front()
        {
            end(known.sessions.remove(&oldest));
        }
        known.order.push_back(session.id.clone());
        known.sessions.insert(session.id.clone(), session);
    }

    /// Ends a session: what runs for it is cancelled and its stream closed.
    pub fn remove(&self, id: &str) {
        let mut known = lock(&self.0);
        known.order.retain(|one| one != id);
        end(known.sessions.remove(id));
    }
}

fn end(session: Option<Arc<Session>>) {
    if let Some(session) = session {
        session.connection.close();
        session.home.finish();
    }
}
