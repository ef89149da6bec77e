//! Supervises one connection: attempt after attempt, with a growing wait between them, until it
//! ends for good or the user ends it.

pub(crate) mod attempt;
mod backoff;
mod transport_fallback;

use std::{sync::Arc, time::Duration};

use sightglass_auth::Authorizer;
use sightglass_model::{PermittedSpec, Phase, Reconnection, Timestamp};
use tokio::{sync::watch, time::sleep};
use tokio_util::sync::CancellationToken;

use crate::{
    session::queue::{Availability, Queue},
    status::publisher::StatusPublisher,
    supervisor::attempt::{Attempt, ConnectionEnd},
    supervisor::backoff::{Backoff, Retry},
};

/// Server to connect to, and what authorizes the requests to it. They stay together: a token is for one
/// address and one identity, and must not go to what the server has become since.
#[derive(Clone)]
pub(crate) struct ConnectionTarget {
    pub spec: PermittedSpec,
    pub authorizer: Option<Authorizer>,
}

/// Supervisor of one connection.
pub(crate) struct Supervisor<Make> {
    pub target: ConnectionTarget,
    /// Prepares an attempt, with a place of its own in the record.
    pub make: Make,
    pub publisher: Arc<StatusPublisher>,
    pub queue: Arc<Queue>,
    /// The user wants the next try now, with what the configuration says now.
    pub hurry: watch::Receiver<Option<ConnectionTarget>>,
    pub cancel: CancellationToken,
}

impl<Make: Fn(ConnectionTarget) -> Attempt> Supervisor<Make> {
    pub(crate) async fn run(mut self) {
        let mut backoff = Backoff::default();
        let mut reconnection = None;
        loop {
            if let Some(target) = self.hurry.borrow_and_update().clone() {
                self.target = target;
            }
            let attempt = (self.make)(self.target.clone());
            let (peer, ending) = attempt.run(reconnection.take()).await;
            let retry = match &ending {
                ConnectionEnd::Cancelled => None,
                ConnectionEnd::Failed(failure) => {
                    let requested = attempt.diagnostics.asked_to_wait();
                    backoff.after(failure, self.publisher.lived(), requested)
                }
            };
            self.queue.set(match retry {
                Some(_) => Availability::Returning,
                None => Availability::Down,
            });
            attempt.clean_up(&peer).await;
            let ConnectionEnd::Failed(failure) = ending else {
                self.publisher.enter(Phase::Disconnected, None);
                attempt.recorder.ended();
                return;
            };
            let reason = failure.to_string();
            let next = |retry: &Retry| Reconnection {
                attempt: retry.attempt,
                next_try: Some(Timestamp::now() + retry.wait),
                reason: reason.clone(),
                waiting: 0,
            };
            self.publisher.failed(failure, retry.as_ref().map(next));
            attempt.recorder.ended();
            let Some(retry) = retry else {
                return;
            };
            if !self.wait(retry.wait).await {
                self.queue.set(Availability::Down);
                self.publisher.gave_up();
                return;
            }
            reconnection = Some(Reconnection {
                attempt: retry.attempt,
                next_try: None,
                reason,
                waiting: 0,
            });
        }
    }

    /// Waits for the next try; false when it is not wanted any more.
    async fn wait(&mut self, wait: Duration) -> bool {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => false,
            changed = self.hurry.changed() => changed.is_ok(),
            () = sleep(wait) => true,
        }
    }
}
