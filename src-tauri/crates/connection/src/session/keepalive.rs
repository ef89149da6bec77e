//! Keepalive: pings a connection on which nothing happens, so that its loss shows before it is
//! needed.
//!
//! The `initialize` era has `ping` for this. The stateless era has none; `server/discover`
//! is what comes nearest: every server answers it, and it changes nothing (MCP 2026-07-28).
//! Any answer counts, an error too: it shows that the server is there.
//!
//! A ping without an answer ends nothing. The server may be busy, or stand still in
//! a debugger. What ends the connection is a transport that cannot carry the ping.

use std::time::{Duration, Instant};

use sightglass_model::{Era, Failure, Health, Phase, Timestamp};
use tokio::{sync::watch, time::timeout};

use crate::{
    json::Params,
    rpc::{peer::OutgoingRequest, response::RequestError},
    session::context::RequestContext,
    status::publisher::StatusPublisher,
};

/// Time limit for an answer.
const PING_TIMEOUT: Duration = Duration::from_secs(10);

/// Pings the server when it has been silent for the interval, for as long as the connection
/// lasts. `None` stands for never.
pub(crate) async fn watch(
    context: &RequestContext,
    publisher: &StatusPublisher,
    mut interval: watch::Receiver<Option<Duration>>,
) -> Failure {
    let mut health = Health {
        round_trip: None,
        at: Timestamp::now(),
        missed: 0,
    };
    let mut last = Instant::now();
    loop {
        let current = *interval.borrow_and_update();
        let due = async {
            match current {
                Some(interval) => {
                    let quiet_since = last.max(context.peer.last_heard());
                    tokio::time::sleep_until((quiet_since + interval).into()).await;
                }
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = due => {}
            changed = interval.changed() => match changed {
                Ok(()) => continue,
                Err(_) => return std::future::pending().await,
            },
        }
        let heard = current.is_some_and(|interval| context.peer.last_heard().elapsed() < interval);
        if heard || publisher.phase() != Phase::Ready {
            last = Instant::now();
            continue;
        }
        health.at = Timestamp::now();
        match ping(context).await {
            Some(round_trip) => {
                health.round_trip = Some(round_trip.into());
                health.missed = 0;
            }
            None => health.missed += 1,
        }
        publisher.health(health.clone());
        last = Instant::now();
    }
}

/// The round-trip time, if there was an answer.
pub(crate) async fn ping(context: &RequestContext) -> Option<Duration> {
    let method = match context.era {
        Era::Legacy => "ping",
        Era::Modern => "server/discover",
    };
    let exchange = async {
        let mut pending = context
            .peer
            .request(OutgoingRequest::plain(
                method,
                &Params::empty(),
                &context.meta(),
            ))
            .await;
        pending.response().await
    };
    let started = Instant::now();
    match timeout(PING_TIMEOUT, exchange).await.ok()? {
        Ok(response) => Some(response.round_trip),
        Err(RequestError::TooLarge { .. }) => Some(started.elapsed()),
        Err(_) => None,
    }
}
