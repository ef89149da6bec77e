//! Sends requests of the user's, and the subscriptions and settings that outlive a session.

use std::{collections::BTreeSet, time::Duration};

use futures::future::{BoxFuture, join_all};
use sightglass_json_text::quoted;
use sightglass_model::{Era, Health, ServerId, Timestamp};
use tokio::time::timeout;

use super::Connections;
use crate::{
    ConnectionError, ConnectionKey,
    json::Params,
    rpc::response::{RequestEnd, RequestOutcome},
    session::{call, keepalive, queue::QueueError},
    sync::lock,
    transport::Outbound,
};

const SUBSCRIBE: &str = "resources/subscribe";
const ROOTS_CHANGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#;
/// Time that one server may take to read that its roots changed.
const ANNOUNCEMENT_TIMEOUT: Duration = Duration::from_secs(5);

impl Connections {
    /// Sends one request and waits for its end.
    ///
    /// `params` are sent as they are written, with members added to `_meta` that the protocol
    /// needs. `key` is the caller's name for the request; progress events carry it and
    /// [`Connections::cancel`] takes it.
    ///
    /// Ten requests run at once; the others wait for their turn. When the connection was lost
    /// and is being made again, up to 100 wait for it, three minutes at most. A request that
    /// cannot have reached the server, because the connection was refused or the session had
    /// expired, is sent once more.
    ///
    /// # Errors
    ///
    /// When it cannot be sent at all. However it ends after that is the outcome's to tell.
    pub fn request<'a>(
        &'a self,
        connection: impl Into<ConnectionKey>,
        key: &'a str,
        method: &'a str,
        params: &'a Params,
    ) -> BoxFuture<'a, Result<RequestOutcome, ConnectionError>> {
        self.boxed_request(connection.into(), key, method, params)
    }

    /// Sends one request. Not generic, so that it is compiled once.
    fn boxed_request<'a>(
        &'a self,
        connection: ConnectionKey,
        key: &'a str,
        method: &'a str,
        params: &'a Params,
    ) -> BoxFuture<'a, Result<RequestOutcome, ConnectionError>> {
        Box::pin(self.send_request(connection, key, method, params))
    }

    async fn send_request(
        &self,
        connection: ConnectionKey,
        key: &str,
        method: &str,
        params: &Params,
    ) -> Result<RequestOutcome, ConnectionError> {
        let connection = self
            .known(connection)
            .ok_or(ConnectionError::NotConnected)?;
        let queue = &connection.queue;
        if !queue.is_open() {
            return Err(ConnectionError::NotConnected);
        }
        let place = queue.enter(key);
        let mut before: Option<RequestOutcome> = None;
        loop {
            let turn = match method {
                call::TASK_RESULT => queue
                    .without_turn(&place.cancel)
                    .await
                    .map(|session| (session, None)),
                _ => queue
                    .turn(&place.cancel)
                    .await
                    .map(|(session, turn)| (session, Some(turn))),
            };
            let (session, _turn) = match turn {
                Ok(turn) => turn,
                // Why it failed at first says more than that the connection did not return.
                Err(error @ QueueError::Lost(_)) => {
                    return Ok(before.unwrap_or_else(|| error.outcome()));
                }
                Err(cancelled) => return Ok(cancelled.outcome()),
            };
            let outcome = call::run(session, key, method, params, &place.cancel).await;
            if !outcome.never_arrived || before.is_some() {
                return Ok(outcome);
            }
            before = Some(outcome);
        }
    }

    /// Asks the server to tell when a resource changes, as
    /// [`ConnectionEvent::ResourceUpdated`](crate::ConnectionEvent::ResourceUpdated). In the
    /// `initialize` era this is the request `resources/subscribe`; in the stateless one the
    /// long-lived subscription is renewed.
    pub async fn subscribe(&self, server: &ServerId, uri: &str) -> Result<(), ConnectionError> {
        let change = |watched: &mut BTreeSet<String>| watched.insert(uri.to_owned());
        self.watch(server, uri, SUBSCRIBE, change).await
    }

    /// Ends what [`subscribe`](Self::subscribe) began.
    pub async fn unsubscribe(&self, server: &ServerId, uri: &str) -> Result<(), ConnectionError> {
        let change = |watched: &mut BTreeSet<String>| watched.remove(uri);
        self.watch(server, uri, "resources/unsubscribe", change)
            .await
    }

    async fn watch(
        &self,
        server: &ServerId,
        uri: &str,
        method: &str,
        change: impl FnOnce(&mut BTreeSet<String>) -> bool,
    ) -> Result<(), ConnectionError> {
        let refused = || ConnectionError::Refused {
            method: method.to_owned(),
        };
        let connection = self.known(server).ok_or(ConnectionError::NotConnected)?;
        let session = connection.queue.live()?;
        if session.context.era == Era::Modern {
            let revision = connection.preferences.watch(change);
            let wanted = (method == SUBSCRIBE).then_some(uri);
            let limit = session.request_limit().unwrap_or(Duration::MAX);
            let accepted = tokio::select! {
                accepted = timeout(limit, connection.preferences.outcome(revision, wanted)) => accepted,
                () = session.context.peer.connection.ended.cancelled() => {
                    return Err(ConnectionError::NotConnected);
                }
            };
            return if accepted == Ok(true) {
                Ok(())
            } else {
                Err(refused())
            };
        }
        let params = Params::object(&[("uri", &quoted(uri))]);
        let outcome = self.request(server, method, method, &params).await?;
        if outcome.end != RequestEnd::Result {
            return Err(refused());
        }
        connection.preferences.watch(change);
        Ok(())
    }

    /// Sets the least severe level of log messages that the server is to send. In the
    /// `initialize` era that is the request `logging/setLevel`, whose outcome this is; in the
    /// stateless one each request from now on says so.
    pub async fn set_log_level(
        &self,
        server: &ServerId,
        level: &str,
    ) -> Result<Option<RequestOutcome>, ConnectionError> {
        let connection = self.known(server).ok_or(ConnectionError::NotConnected)?;
        let session = connection.queue.live()?;
        let outcome = match session.context.era {
            Era::Modern => None,
            Era::Legacy => {
                let method = "logging/setLevel";
                let params = Params::object(&[("level", &quoted(level))]);
                Some(self.request(server, method, method, &params).await?)
            }
        };
        if outcome
            .as_ref()
            .is_none_or(|outcome| outcome.end == RequestEnd::Result)
        {
            connection.preferences.set_log_level(level);
            connection.publisher.log_level(level.to_owned());
        }
        Ok(outcome)
    }

    /// Tells the servers of the `initialize` era that are connected and that `concerned` names
    /// that the answer to `roots/list` is another one now (MCP 2025-11-25, Roots). Those of the
    /// stateless era have no such notification: they ask in each call that needs it.
    pub fn roots_changed<'a>(
        &'a self,
        concerned: &'a (dyn Fn(&ServerId) -> bool + Send + Sync),
    ) -> BoxFuture<'a, ()> {
        Box::pin(self.announce_roots(concerned))
    }

    async fn announce_roots(&self, concerned: &(dyn Fn(&ServerId) -> bool + Send + Sync)) {
        let sessions: Vec<_> = lock(&self.by_key)
            .iter()
            .filter(|(key, _)| concerned(&key.server))
            .filter_map(|(_, connection)| connection.queue.live().ok())
            .filter(|session| session.context.era == Era::Legacy && session.context.declares_roots)
            .collect();
        let sending = sessions.into_iter().map(|session| async move {
            let outbound = Outbound {
                text: ROOTS_CHANGED.into(),
                request: None,
            };
            // A transport that is gone has no receiver, and one that is stuck must not hold up
            // the others.
            let _ = timeout(ANNOUNCEMENT_TIMEOUT, session.context.peer.send(outbound)).await;
        });
        join_all(sending).await;
    }

    /// Pings a server that is connected, and answers the round-trip time; nothing where no answer
    /// came in time.
    pub fn ping<'a>(
        &'a self,
        server: &'a ServerId,
    ) -> BoxFuture<'a, Result<Option<Duration>, ConnectionError>> {
        Box::pin(self.send_ping(server))
    }

    async fn send_ping(&self, server: &ServerId) -> Result<Option<Duration>, ConnectionError> {
        let connection = self.known(server).ok_or(ConnectionError::NotConnected)?;
        let session = connection.queue.live()?;
        let round_trip = keepalive::ping(&session.context).await;
        if let Some(round_trip) = round_trip {
            connection.publisher.health(Health {
                round_trip: Some(round_trip.into()),
                at: Timestamp::now(),
                missed: 0,
            });
        }
        Ok(round_trip)
    }

    /// Cancels a request under way, or one that waits; false when there is none of that name.
    pub fn cancel(&self, server: &ServerId, key: &str) -> bool {
        self.known(server)
            .is_some_and(|connection| connection.queue.cancel(key))
    }
}
